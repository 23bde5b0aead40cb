"""The answers of runs as sheets to rate, and what the judge said of them, kept apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gate.cli.results import RESULTS, results_of
from gate.decision.words import few
from gate.errors import ConfigError, FileError
from gate.labelling.choosing import Candidate, Heard, Key
from gate.labelling.sheet import Sheet, Slot
from gate.types import Answer, Case, ItemKind, Page, Result, Run, canonical
from gate.wire.journal import Journal
from gate.wire.journal_file import JOURNAL
from gate.wire.records import unknown


@dataclass(frozen=True)
class Wanted:
    """What is to be rated."""

    dimensions: tuple[str, ...]
    """Dimensions of whole answers."""
    kinds: tuple[ItemKind, ...]
    """Kinds of items."""
    target: str | None = None
    """Only answers of this system under test."""


@dataclass
class Found:
    """One answer, however often it was given."""

    sheet: Sheet
    """What a person is shown."""
    run: int
    """Place of the run in which it was found first."""
    said: dict[str, list[float | str]] = field(default_factory=dict)
    """Dimension -> what the judge said, each time."""

    @property
    def candidate(self) -> Candidate:
        """What the choice of answers looks at."""
        heard = tuple(Heard(dimension=name, said=tuple(said)) for name, said in self.said.items())
        sheet = self.sheet
        return Candidate(
            case_id=sheet.case_id, category=sheet.category, answer=sheet.answer, heard=heard
        )


def what_is_wanted(
    runs: Sequence[Run], dimensions: Sequence[str], kinds: Sequence[ItemKind], target: str | None
) -> Wanted:
    """Say what is to be rated: what is named, else every judged dimension of whole answers.

    Raises ConfigError for a name that the runs do not know.
    """
    metrics = {metric.name: metric for run in runs for metric in run.metrics}
    whole = [m.name for m in metrics.values() if m.judged and m.counts is None and not m.of]
    for name in dimensions:
        counts = metrics[name].counts if name in metrics else None
        if counts is not None:
            raise ConfigError(f"--dimension: {name} counts {counts}: rate these with --{counts}")
        if name not in whole:
            raise ConfigError(f"--dimension: {unknown('dimension', name, whole)}")
    targets = sorted({one.name for run in runs for one in run.targets})
    if target is not None and target not in targets:
        raise ConfigError(f"--target: {unknown('target', target, targets)}")
    if not dimensions and not kinds:
        if not whole:
            raise ConfigError(
                "the runs have no judged dimension of whole answers: rate items, with --claims, "
                "--sentences, --citations or --statements"
            )
        return Wanted(tuple(whole), (), target)
    return Wanted(tuple(dimensions), tuple(kinds), target)


def find_answers(
    paths: Sequence[Path],
    runs: Sequence[Run],
    wanted: Wanted,
    cases: Mapping[str, Case] | None,
) -> dict[Key, Found]:
    """Read the answers that can be rated, each once. Raises FileError without a results.jsonl."""
    found: dict[Key, Found] = {}
    for number, (path, run) in enumerate(zip(paths, runs, strict=True)):
        file = (path if path.is_dir() else path.parent) / RESULTS
        if not file.exists():
            raise FileError(
                f"there is no {RESULTS} beside the run, which holds its answers: name a folder "
                "that `gate run` or `gate judge` wrote",
                file.parent,
            )
        for result in results_of(file, run):
            if wanted.target in (None, result.target):
                _take(found, result, wanted, number, cases)
    if not found:
        what = few([*wanted.dimensions, *wanted.kinds])
        raise FileError(
            f"holds no answer that the judge rated by {what}: name another run or dimension",
            paths[0],
        )
    return found


def _take(
    found: dict[Key, Found],
    result: Result,
    wanted: Wanted,
    number: int,
    cases: Mapping[str, Case] | None,
) -> None:
    if result.answer_digest is None or result.answer.failure is not None:
        return
    said: dict[str, list[float | str]] = {}
    slots: dict[tuple[str | None, str], Slot] = {}
    for score in result.scores:
        value = score.value
        if score.metric in wanted.dimensions and isinstance(value, float | int) and 0 <= value <= 1:
            said[score.metric] = [float(value)]
            slots[None, score.metric] = Slot(name=score.metric)
        items = [one for one in score.items if one.kind in wanted.kinds]
        if items:
            said[score.metric] = [one.label for one in items]
        for one in items:
            slots[one.kind, one.digest] = Slot(name=one.digest, kind=one.kind, text=one.text)
    if not slots:
        return
    known = found.get((result.case_id, result.answer_digest))
    if known is None:
        sheet = _sheet(result, tuple(slots.values()), cases)
        if wanted.kinds:
            # Only here: for whole answers a person reads what the judge reads.
            sheet = sheet.model_copy(update={"text": with_marks(result.answer)})
        found[sheet.key] = Found(sheet, number, said)
        return
    for name, words in said.items():
        known.said.setdefault(name, []).extend(words)
    more = [slot for slot in slots.values() if slot not in known.sheet.slots]
    known.sheet = known.sheet.model_copy(update={"slots": (*known.sheet.slots, *more)})


def with_marks(answer: Answer) -> str:
    """Return the answer with the numbers of the sources behind each stretch that rests on some."""
    marks: dict[int, set[int]] = defaultdict(set)
    for one in answer.citations:
        if 0 <= one.start < one.end <= len(answer.text):
            marks[one.end] |= {number + 1 for number in one.sources}
    text = answer.text
    for end in sorted(marks, reverse=True):
        numbers = "".join(f"[{number}]" for number in sorted(marks[end]))
        text = f"{text[:end]}{numbers}{text[end:]}"
    return text


def _sheet(result: Result, slots: tuple[Slot, ...], cases: Mapping[str, Case] | None) -> Sheet:
    case = None if cases is None else cases.get(result.case_id)
    remark = None
    if cases is None:
        remark = "not known without the cases: name the configuration with --config"
    elif case is None:
        remark = "not known: the cases have no such case by now"
    elif case.digest != result.case_digest:
        remark = "the case was edited after this run: the judge was told something else"
    return Sheet(
        case_id=result.case_id,
        category=result.category,
        target=result.target,
        answer=result.answer_digest or "",
        question=result.question,
        text=result.answer.text,
        sources=result.answer.sources,
        expected=() if case is None else _expected(case),
        remark=remark,
        slots=slots,
    )


def _expected(case: Case) -> tuple[tuple[str, str], ...]:
    """What the judge is told of a good answer, and what else a person may want to know."""
    reference = case.reference
    shown = reference if isinstance(reference, str) else canonical(reference)
    return (
        *(("", text) for text in case.assertions),
        *(("criterion", text) for text in case.rubric),
        *((("reference", shown),) if reference is not None else ()),
        *((("expected domains", ", ".join(case.domains)),) if case.domains else ()),
        *((("notes", case.notes),) if case.notes else ()),
    )


def with_pages(
    found: Iterable[Found], paths: Sequence[Path], runs: Sequence[Run]
) -> tuple[Sheet, ...]:
    """Return the sheets with the page texts that the runs' journals keep; None where there is none.

    Raises JournalError for a journal that cannot be read.
    """
    chosen = list(found)
    pages: dict[tuple[int, str], Page] = {}
    for number, (path, run) in enumerate(zip(paths, runs, strict=True)):
        journal = (path if path.is_dir() else path.parent) / JOURNAL
        uris = {source.uri for one in chosen if one.run == number for source in one.sheet.sources}
        if not journal.is_file() or not uris:
            continue
        with Journal.open_replay(journal, run.provenance.journal or run.id) as tape:
            for kept in tape.pages(sorted(uris)):
                if kept.text:
                    pages[number, kept.uri] = Page(
                        uri=kept.final, status=kept.status, text=kept.text
                    )
    return tuple(
        one.sheet.model_copy(
            update={"pages": tuple(pages.get((one.run, s.uri)) for s in one.sheet.sources)}
        )
        for one in chosen
    )
