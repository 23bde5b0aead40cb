"""`answers.json`: written by `gate collect`, read by `gate judge`.

One answer stands in a line, so that a large file is written without standing in memory. The file
may come from a stranger: its shape and its size are checked, its texts are material to judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gate.cli.baseline_answers import SUFFIX, read_baseline_answers
from gate.cli.output import tell
from gate.cli.reading import read_record
from gate.cli.request import Wish, config_place
from gate.cli.results import RESULTS, results_of
from gate.datasets.ids import ID_PATTERN, id_fault
from gate.decision.shape import LARGEST, TARGET_NAME, check_planned
from gate.errors import FileError
from gate.types import Answers, GivenAnswer, Result, Run, TargetInfo
from gate.wire.files import write_lines

ANSWERS = "answers.json"
"""Name of the file in the folder of a collection."""

_CLOCKS_DIFFER = timedelta(days=1)
"""How far ahead the clock of the machine that collected may have been."""

FOREIGN = "recorded"
"""Plug-in that is named for targets of which nothing but answers is known."""


def write_answers(path: Path, run: Run, folder: Path) -> int:
    """Write the answers of a collection, whose results stand in `folder`; return their number.

    Only answers that the run holds are written, sorted by target, case and attempt.
    """
    frame = Answers(
        id=run.id,
        provenance=run.provenance,
        plan=run.plan,
        targets=run.targets,
        cost=run.cost,
        warnings=run.warnings,
        stopped=run.stopped,
        interrupted=run.interrupted,
        broken=run.broken,
    )
    found = sorted(
        results_of(folder / RESULTS, run),
        key=lambda one: (one.target, one.case_id, one.attempt),
    )
    write_lines(path, _text(frame, found))
    return len(found)


def flags_of(wish: Wish) -> str:
    """Return the options that the next step needs as well, with a blank before each."""
    variant = "" if wish.offline in (None, "steady") else f"={wish.offline}"
    base = "" if wish.base_path is None else f" --base-path {wish.base_path}"
    trees = "" if wish.candidate_path is None else f"{base} --candidate-path {wish.candidate_path}"
    return rule_flags(wish) + trees + ("" if wish.offline is None else f" --offline{variant}")


def rule_flags(wish: Wish) -> str:
    """Return the options that say how it is decided, with a blank before each."""
    place = config_place(wish.config_path, wish.base_path)
    config = "" if str(place) == "gate.yaml" else f" --config {place}"
    threshold = "" if wish.threshold is None else f" --threshold {wish.threshold:g}"
    return config + threshold + (" --report-only" if wish.report_only else "")


def tell_end(run: Run, done: str, following: str) -> int:
    """Say what a collection or a judging wrote and what comes next; return its exit code.

    `done` says what was written, `following` is the next step of one that came to its end: what
    was interrupted has to come there first.
    """
    if run.interrupted is None:
        tell(f"{done}; now {following}")
    else:
        tell(f"{done}; {run.interrupted} interrupted it: the same command goes on from there")
    if run.stopped is not None:
        tell(f"Stopped early: {run.stopped}")
    if run.broken is not None:
        tell(f"gate: {run.broken.message}")
    return 0 if run.broken is None else 3


def _text(frame: Answers, results: Sequence[Result]) -> Iterator[bytes]:
    """Yield the file in parts: what is said of all answers, then one answer a line."""
    fields = frame.model_dump(mode="json", by_alias=True, exclude={"answers"})
    yield b"{\n"
    for name, value in fields.items():
        yield f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},\n".encode()
    yield b'"answers": ['
    for number, result in enumerate(results):
        one = GivenAnswer(
            case_id=result.case_id,
            case_digest=result.case_digest,
            target=result.target,
            attempt=result.attempt,
            answer=result.answer,
        )
        yield ("," if number else "").encode() + b"\n" + one.model_dump_json().encode()
    yield b"\n]\n}\n"


def read_answers(path: Path, now: datetime) -> Answers:
    """Read a file of answers, or the one in a folder; targets that it only names are added.

    A file of a baseline's answers (`.jsonl`) is one as well.

    `now` is the UTC time. Raises FileError for another shape, for no answer, an answer that stands
    twice, a case id that is no safe name, and a run id or a time that no collection has.
    """
    file = path / ANSWERS if path.is_dir() else path
    stored = file.suffix == SUFFIX
    answers = read_baseline_answers(file) if stored else read_record(Answers, file)
    _check_origin(answers, now, file)
    seen: set[tuple[str, str, int]] = set()
    for one in answers.answers:
        key = (one.target, one.case_id, one.attempt)
        if key in seen:
            raise FileError(
                f"the answer of {one.target} to case {one.case_id}, attempt {one.attempt}, stands "
                "twice: keep one",
                file,
            )
        seen.add(key)
        if not one.answer.text and one.answer.failure is None:
            raise FileError(
                f"the answer to case {one.case_id} has neither `text` nor `failure`: write one of "
                "them (an answer without text is a failure of kind `empty`)",
                file,
            )
        fault = id_fault(one.case_id) or _impossible(one)
        if fault is not None:
            raise FileError(fault, file)
    if answers.plan is not None:
        check_planned(answers.plan, str(file))
    if not answers.answers:
        raise FileError("holds no answers: collect some with `gate collect`", file)
    if answers.interrupted is not None:
        raise FileError(
            "is of a collection that was interrupted: run `gate collect` again in its folder, "
            "where it goes on",
            file,
        )
    cost = answers.cost
    if min(cost.known_usd, cost.usd or 0.0, cost.assumed_usd, cost.calls, cost.cached_calls) < 0:
        raise FileError("has a cost below 0: collect again", file)
    known = {info.name for info in answers.targets}
    if len(known) < len(answers.targets):
        raise FileError("names a target twice in `targets`: keep one", file)
    others = sorted({one.target for one in answers.answers} - known)
    targets = (*answers.targets, *(TargetInfo(name=name, use=FOREIGN) for name in others))
    return answers.model_copy(update={"targets": targets})


def _impossible(one: GivenAnswer) -> str | None:
    """Say what of an answer no run could hold: it would be refused after it was paid for."""
    if not TARGET_NAME.fullmatch(one.target):
        return (
            f"the target name {one.target!r} cannot stand in tables and logs: use 1 to 100 "
            "letters, digits, blanks and . _ : / @ + -, a letter or digit first"
        )
    figures = {"latency_s": one.answer.latency_s, "cost_usd": one.answer.cost_usd}
    for name, figure in figures.items():
        if figure is not None and not 0 <= figure <= LARGEST:
            return (
                f"the answer to case {one.case_id} has {name} {figure:g}: a number from 0 to "
                f"{LARGEST:g} is expected"
            )
    return None


def _check_origin(answers: Answers, now: datetime, file: Path) -> None:
    """Refuse an id and a time that no collection has: the run takes both over.

    From the time follows how old the baseline is. Raises FileError.
    """
    if answers.id is not None and not re.fullmatch(ID_PATTERN, answers.id):
        raise FileError(
            "has an `id` that is none of a run: use 1 to 100 letters, digits, dots, hyphens and "
            "underscores, or leave it out",
            file,
        )
    written = answers.provenance.created
    if written is None:
        return
    try:
        created = datetime.fromisoformat(written)
    except ValueError as error:
        raise FileError(
            "has a `provenance.created` that is no time: write it as 2026-07-12T23:22:55+00:00, or "
            "leave it out",
            file,
        ) from error
    if (created if created.tzinfo else created.replace(tzinfo=UTC)) > now + _CLOCKS_DIFFER:
        raise FileError(
            f"was made in the future ({created.isoformat()}, in `provenance.created`): set the "
            "clock of the machine that collects, or leave the time out",
            file,
        )
