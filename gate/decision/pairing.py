"""Find, for every label, what the judge said of the answer or the item that was rated."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from gate.decision.categories import SUPPORT, agreed
from gate.decision.words import few
from gate.errors import DatasetError
from gate.types import (
    Bucket,
    CalibrationItem,
    Cell,
    ItemKind,
    ItemLabel,
    JudgedItem,
    Label,
    LabelSet,
    Run,
    Support,
)
from gate.types.word import Word


class Unpaired(Word):
    """A rating that no judge's score belongs to."""

    path: str
    """The labels file."""
    line: int | None
    """Line in it (1-based), where it is known."""
    case_id: str
    """The case."""
    dimension: str
    """The dimension, or the kind of item."""
    because: str
    """Why, in a few words."""


@dataclass
class Found:
    """What was paired for one dimension."""

    items: dict[tuple[str | None, ...], CalibrationItem] = field(default_factory=dict)
    """By case, target, digest of the answer and of the item: a rating that stands twice counts
    once."""
    ratings: dict[tuple[str | None, ...], dict[str, Bucket | Support]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """By the same: who rated -> the rating; "" is somebody whom no file names."""
    models: set[str] = field(default_factory=set)
    """Raters that are models."""
    runs: set[int] = field(default_factory=set)
    """Places of the runs that gave scores."""
    drafted_by: set[str] = field(default_factory=set)
    """Who drafted the labels."""
    families: set[str] = field(default_factory=set)
    """Model families among the drafters."""
    approved_by: set[str] = field(default_factory=set)
    """Who approved the labels."""

    def rated(self, counts: ItemKind | None) -> list[CalibrationItem]:
        """List the labels, sorted, each with the one rating that stands for all of its raters.

        People stand before models: where both rated, people's ratings decide.
        """
        made = [self._of(key, item, counts) for key, item in self.items.items()]
        return sorted(
            made, key=lambda one: (one.case_id, one.target or "", one.answer or "", one.item or "")
        )

    def _of(
        self, key: tuple[str | None, ...], item: CalibrationItem, counts: ItemKind | None
    ) -> CalibrationItem:
        ratings = dict(sorted(self.ratings[key].items()))
        if len(ratings) == 1:
            return item
        people = [said for name, said in ratings.items() if name not in self.models]
        return item.model_copy(
            update={
                "human": agreed(people or list(ratings.values()), counts),
                "ratings": {name or UNNAMED: said for name, said in ratings.items()},
            }
        )


UNNAMED = "unnamed"
"""What a rater is called whom no file names."""


@dataclass(frozen=True)
class _Place:
    """One attempt of one run."""

    run: int
    cell: Cell
    attempt: int


class Pairer:
    """Takes labels file by file, and keeps what was found and what was not."""

    def __init__(
        self,
        runs: Sequence[Run],
        target: str | None,
        judged: Sequence[Sequence[JudgedItem]] = (),
    ) -> None:
        """Look only at answers of `target`, where it is given.

        `judged` is what the judge said of single items in each of the runs, in their order.
        """
        self.found: dict[str, Found] = defaultdict(Found)
        self.unpaired: list[Unpaired] = []
        self._target = target
        self._cells: dict[str, list[tuple[int, Cell]]] = defaultdict(list)
        for index, run in enumerate(runs):
            for cell in run.cells:
                if target in (None, cell.target):
                    self._cells[cell.case_id].append((index, cell))
        self._targets = sorted({cell.target for run in runs for cell in run.cells})
        self.counts: dict[str, ItemKind] = {
            metric.name: metric.counts for run in runs for metric in run.metrics if metric.counts
        }
        self._measured = {metric.name for run in runs for metric in run.metrics}
        self._judged: dict[str, list[tuple[int, JudgedItem]]] = defaultdict(list)
        for index, items in enumerate(judged):
            for one in items:
                if target in (None, one.target):
                    self._judged[one.item].append((index, one))

    def add(self, labels: LabelSet) -> None:
        """Pair the labels of one file; raises DatasetError for labels that cannot be placed."""
        for label in labels.labels:
            if self._target is not None and label.target not in (None, self._target):
                continue
            target = None if label.answer else self._whose(labels, label)
            places = self._places(label, target)
            other = _other_target(label, places)
            for labelled in label.items:
                if other:
                    self._miss(labels, label, labelled.kind, other)
                else:
                    self._add_item(labels, label, labelled, places)
            for dimension, human in sorted(label.scores.items()):
                if dimension in self.counts:
                    because = f"it counts {self.counts[dimension]}: label these, each by its digest"
                    self._miss(labels, label, dimension, because)
                    continue
                scores = [
                    (place, score)
                    for place in places
                    if (score := _score(place, dimension)) is not None
                ]
                if other or not scores:
                    because = other or _missing(label, dimension, places, self._measured)
                    self._miss(labels, label, dimension, because)
                    continue
                judge = math.fsum(score for _, score in scores) / len(scores)
                item = CalibrationItem(
                    case_id=label.case_id,
                    target=target or label.target or places[0].cell.target,
                    answer=label.answer,
                    human=human,
                    judge=judge,
                )
                self._keep(labels, label, dimension, item)
                self.found[dimension].runs |= {place.run for place, _ in scores}

    def _add_item(
        self, labels: LabelSet, label: Label, item: ItemLabel, places: Sequence[_Place]
    ) -> None:
        """Pair one item's label in every dimension that counts it."""
        said = [
            (run, one)
            for run, one in self._judged[item.item]
            if (one.case_id, one.answer) == (label.case_id, label.answer)
        ]
        kinds = {one.kind for _, one in said}
        if not said:
            self._miss(labels, label, item.kind, _missing_item(places))
            return
        # With a single page a citation is its sentence, under the sentence's digest.
        alike = {"sentences"} if item.kind == "citations" else set()
        if kinds not in ({item.kind}, alike):
            self._miss(labels, label, item.kind, f"the digest is one of {few(sorted(kinds))}")
            return
        for dimension in sorted({one.dimension for _, one in said}):
            heard = [(run, one) for run, one in said if one.dimension == dimension]
            self._keep(
                labels,
                label,
                dimension,
                CalibrationItem(
                    case_id=label.case_id,
                    target=heard[0][1].target,
                    answer=label.answer,
                    item=item.item,
                    human=_of_kind(item),
                    judge=_most_said([one.label for _, one in heard]),
                ),
            )
            self.found[dimension].runs |= {run for run, _ in heard}

    def _whose(self, labels: LabelSet, label: Label) -> str | None:
        """Say whose answer an unbound label rates."""
        named = label.target or self._target
        if named is None and len(self._targets) > 1:
            raise DatasetError(
                f"the label of {label.case_id} names neither its answer nor its target, and the "
                f"runs have several: say which with --target ({few(self._targets)})",
                labels.path,
                label.line,
            )
        return named or "".join(self._targets)

    def _places(self, label: Label, target: str | None) -> list[_Place]:
        return [
            _Place(index, cell, attempt)
            for index, cell in self._cells[label.case_id]
            for attempt, made in enumerate(cell.attempts)
            if (made.digest == label.answer if label.answer else cell.target == target)
        ]

    def _miss(self, labels: LabelSet, label: Label, dimension: str, because: str) -> None:
        self.unpaired.append(
            Unpaired(
                path=labels.path,
                line=label.line,
                case_id=label.case_id,
                dimension=dimension,
                because=because,
            )
        )

    def _keep(self, labels: LabelSet, label: Label, dimension: str, item: CalibrationItem) -> None:
        found = self.found[dimension]
        key = (item.case_id, None if item.answer else item.target, item.answer, item.item)
        found.items.setdefault(key, item)
        ratings, rater = found.ratings[key], labels.drafted_by or ""
        other = next(
            (
                said
                for name, said in ratings.items()
                if said != item.human and (name == rater or not name or not rater)
            ),
            None,
        )
        if other is not None:
            what = f"item {item.item[:12]} of one answer" if item.item else "one answer"
            raise DatasetError(
                f"{dimension} of {item.case_id} is rated both {other} and {item.human} for "
                f"{what}: settle on one rating, or say in each file who rated (`drafted_by`)",
                labels.path,
                label.line,
            )
        ratings[rater] = item.human
        if labels.drafted_by_family is not None:
            found.models.add(rater)
        found.drafted_by |= _named(labels.drafted_by)
        found.families |= _named(labels.drafted_by_family)
        found.approved_by |= _named(label.approved_by or labels.approved_by)


def _other_target(label: Label, places: Sequence[_Place]) -> str | None:
    """Say whose the rated answer is, where the label names another target; else None."""
    owners = sorted({place.cell.target for place in places})
    if not owners or label.target is None or label.target in owners:
        return None
    return f"the answer is of {few(owners)}, not of {label.target} as the label says"


def _missing(
    label: Label, dimension: str, places: Sequence[_Place], measured: Collection[str]
) -> str:
    if dimension not in measured:
        known = few(sorted(measured)) or "none"
        return f"no run measured {dimension} (there are {known}): is it misspelt?"
    if places:
        return f"the judge gave no score in [0, 1] for {dimension}"
    if label.answer:
        return "no run holds the answer that was rated"
    return "no run has an answer to this case"


def _missing_item(places: Sequence[_Place]) -> str:
    if not places:
        return "no run holds the answer that was labelled"
    return (
        "the judge counted no such item in that answer: it worded it otherwise, a page has another "
        "text by now, or results.jsonl is not beside run.json"
    )


def _of_kind(item: ItemLabel) -> Support:
    """Give the label as its dimension counts it: but for claims, a part is not enough."""
    return "unsupported" if item.kind != "claims" and item.label == "partial" else item.label


def _most_said(labels: Sequence[Support]) -> Support:
    """Give the most frequent label; of equally frequent ones the least good."""
    counts = Counter(labels)
    return min(counts, key=lambda label: (-counts[label], SUPPORT.index(label)))


def _named(who: str | None) -> set[str]:
    return set() if who is None else {who}


def _score(place: _Place, dimension: str) -> float | None:
    column = place.cell.scores.get(dimension, ())
    value = column[place.attempt] if column else None
    return value if value is not None and 0.0 <= value <= 1.0 else None
