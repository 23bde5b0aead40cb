"""Which answers of the runs a sitting is about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.cli.label_answers import Found, Wanted, find_answers, what_is_wanted, with_pages
from gate.cli.label_file import LabelFile
from gate.cli.output import tell
from gate.cli.reading import find_files, read_cases, read_labels, read_run
from gate.config import Config
from gate.datasets.label_text import find_label
from gate.datasets.labels import KINDS
from gate.decision.words import counted
from gate.errors import ConfigError
from gate.labelling.choosing import Key, batch, mixed, ranked
from gate.labelling.sheet import Sheet
from gate.types import Case, ItemKind, Label, LabelSet, Run


@dataclass(frozen=True)
class Request:
    """Which answers are asked for."""

    runs: tuple[Path, ...]
    """Folders of runs, or their run.json."""
    dimensions: tuple[str, ...]
    """Dimensions that are named."""
    kinds: tuple[ItemKind, ...]
    """Kinds of items that are named."""
    target: str | None
    """Only answers of this system under test."""
    size: int | None
    """Only so many at a time."""
    like: Path | None
    """Only answers that this file rates."""


def choose_sheets(
    request: Request, file: LabelFile, config: Config | None, root: Path
) -> tuple[Sheet, ...]:
    """Return the answers of a sitting, in the order in which they are shown; at least one.

    Raises ConfigError and FileError where there is none.
    """
    runs = [read_run(path) for path in request.runs]
    cases = None if config is None else {case.id: case for case in read_cases(config, root)}
    if file.approving:
        chosen = _to_approve(request, file, runs, cases)
    else:
        chosen = _to_rate(request, file, runs, cases, _labelled_by_others(file, config, root))
    if any(slot.kind is not None for one in chosen for slot in one.sheet.slots):
        return with_pages(chosen, request.runs, runs)
    return tuple(one.sheet for one in chosen)


def _to_rate(
    request: Request,
    file: LabelFile,
    runs: Sequence[Run],
    cases: Mapping[str, Case] | None,
    others: Collection[Key],
) -> list[Found]:
    wanted = what_is_wanted(runs, request.dimensions, request.kinds, request.target)
    found = find_answers(request.runs, runs, wanted, cases)
    if request.like is not None:
        alike = _keys(read_labels([request.like]))
        found = {key: one for key, one in found.items() if key in alike}
        others = ()
        if not found:
            raise ConfigError(
                f"--like: {request.like} rates no answer of these runs: name the runs that it rates"
            )
    done = {key for key, one in found.items() if _is_rated(one.sheet, file.labels)}
    order = ranked([one.candidate for one in found.values()], others)
    return [found[key] for key in mixed(batch(order, request.size, done))]


def _to_approve(
    request: Request,
    file: LabelFile,
    runs: Sequence[Run],
    cases: Mapping[str, Case] | None,
) -> list[Found]:
    """Return the labelled answers in the order of their file, with all that is rated of each.

    A label is approved as a whole: one of which a part cannot be shown is left out.
    """
    if request.dimensions or request.kinds or request.like is not None:
        raise ConfigError(
            "--approve is for all that a label says: leave --dimension, --claims and --like out"
        )
    whole = {metric.name for run in runs for metric in run.metrics if metric.counts is None}
    wanted = Wanted(tuple(sorted(whole)), KINDS, request.target)
    found = find_answers(request.runs, runs, wanted, cases)
    labels = {(one.case_id, one.answer or ""): one for one in file.labels.labels}
    there = []
    for key, label in labels.items():
        if key in found:
            found[key].sheet = _only_rated(found[key].sheet, label)
            if len(found[key].sheet.slots) == len(label.scores) + len(label.items):
                there.append(key)
    if not there:
        raise ConfigError(f"{file.path} rates no answer of these runs: name the runs that it rates")
    if len(there) < len(labels):
        tell(
            f"{file.path}: {counted(len(labels) - len(there), 'label')} cannot be shown whole: "
            "these runs do not hold the answer, or the judge counted other items in it"
        )
    approved = {key for key in there if labels[key].approved_by is not None}
    return [found[key] for key in batch(there, request.size, approved)]


def _only_rated(sheet: Sheet, label: Label) -> Sheet:
    rated = {(None, name) for name in label.scores} | {(one.kind, one.item) for one in label.items}
    slots = tuple(slot for slot in sheet.slots if slot.rated in rated)
    return sheet.model_copy(update={"slots": slots})


def _is_rated(sheet: Sheet, labels: LabelSet) -> bool:
    label = find_label(labels, sheet.case_id, sheet.answer, sheet.target)
    return label is not None and len(_only_rated(sheet, label).slots) == len(sheet.slots)


def _labelled_by_others(file: LabelFile, config: Config | None, root: Path) -> set[Key]:
    """Return the answers that other files of the configuration have a label of."""
    if config is None:
        return set()
    own = file.path.resolve()
    return _keys(
        read_labels([path for path in find_files(root, config.labels) if path.resolve() != own])
    )


def _keys(files: Sequence[LabelSet]) -> set[Key]:
    return {(label.case_id, label.answer or "") for file in files for label in file.labels}
