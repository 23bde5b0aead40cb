"""`evals/baseline-answers.jsonl`: written beside a baseline, and read to be judged anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from gate.cli.reading import read_baseline_file
from gate.cli.results import RESULTS, results_of
from gate.config import Config
from gate.decision.baseline_answers import digests_of, fit, offsets_of
from gate.decision.shape import this_schema
from gate.decision.words import counted
from gate.errors import FileError
from gate.types import (
    Answers,
    Baseline,
    BaselineAnswers,
    Case,
    GivenAnswer,
    Run,
    StoredAnswer,
)
from gate.wire.files import parse_json, read_lines, write_lines

LARGEST = 1 << 30
"""Bytes of such a file: it is read line by line."""

SUFFIX = ".jsonl"
"""End of its name, by which `gate judge` knows it."""

_PLAIN = re.compile(r"[\w./ -]{1,200}")
"""A path that can stand in a command as it is."""

_AGAIN = "write it again with `gate baseline RUN.json... --write FILE --answers FILE`"


def write_baseline_answers(
    path: Path, baseline: Baseline, runs: Sequence[Run], places: Sequence[Path]
) -> int:
    """Write the answers of a baseline that was made of these runs; return their number.

    Raises FileError where the results beside a run do not hold every one of them.
    """
    sizes = [{(c.target, c.case_id): len(c.attempts) for c in run.cells} for run in runs]
    found: dict[tuple[str, str, int], bytes] = {}
    for run, place, offsets in zip(runs, places, offsets_of(sizes), strict=True):
        file = (place if place.is_dir() else place.parent) / RESULTS
        for one in results_of(file, run):
            attempt = one.attempt + offsets[one.target, one.case_id]
            stored = StoredAnswer(
                case_id=one.case_id,
                case_digest=one.case_digest,
                target=one.target,
                attempt=attempt,
                answer=one.answer,
                digest=one.answer_digest,
            )
            found[one.target, one.case_id, attempt] = _line(stored.model_dump(mode="json"))
    missing = digests_of(baseline).keys() - found.keys()
    if missing:
        target, case, _ = min(missing)
        raise FileError(
            f"cannot be written: there is no answer of {target} to case {case} in the {RESULTS} "
            "beside its run; name the folders that the runs were made in",
            path,
        )
    head = BaselineAnswers(
        runs=baseline.runs,
        provenance=baseline.provenance,
        targets=baseline.targets,
        count=len(found),
    )
    first = _line(head.model_dump(mode="json", by_alias=True))
    write_lines(path, [first, *(found[key] for key in sorted(found, key=_by_case))])
    return len(found)


def _by_case(key: tuple[str, str, int]) -> tuple[str, str, int]:
    target, case, attempt = key
    return case, target, attempt


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def stored_answers_fit(path: Path, baseline: Baseline | None) -> bool:
    """Say whether a file holds the answers of a baseline; an unreadable one does not."""
    if baseline is None or not path.is_file():
        return False
    try:
        head, lines = _read(path)
        digests = {(one.target, one.case_id, one.attempt): one.digest for one in lines}
    except FileError:
        return False
    return fit(head, digests, baseline)


def stored_for(config: Config, root: Path, baseline: Path) -> str | None:
    """Name the file of a baseline's answers, as gate.yaml does; None where none fits.

    Raises FileError for a baseline that cannot be read.
    """
    path = root / config.baseline_answers
    if not path.is_file() or not stored_answers_fit(path, read_baseline_file(baseline)):
        return None
    return config.baseline_answers if _PLAIN.fullmatch(config.baseline_answers) else None


def read_baseline_answers(path: Path) -> Answers:
    """Read the answers of a baseline, to be judged. Raises FileError for one that was edited."""
    head, lines = _read(path)
    answers = []
    for one in lines:
        if one.answer.failure is None and one.answer.digest != one.digest:
            raise FileError(
                f"has another answer to case {one.case_id} than its digest says: it was edited; "
                f"{_AGAIN}",
                path,
            )
        answers.append(GivenAnswer.model_validate(one.model_dump(exclude={"digest"})))
    if head.count is not None and head.count != len(answers):
        raise FileError(
            f"holds {counted(len(answers), 'answer')}, and its first line says {head.count}: a "
            f"baseline of what is left would be another one; {_AGAIN}",
            path,
        )
    return Answers(provenance=head.provenance, targets=head.targets, answers=tuple(answers))


def of_present_cases(answers: Answers, cases: Sequence[Case]) -> tuple[Answers, tuple[str, ...]]:
    """Leave out answers to cases that changed or went since; return their cases as well."""
    known = {case.id: case.digest for case in cases}
    kept = tuple(one for one in answers.answers if known.get(one.case_id) == one.case_digest)
    gone = {one.case_id for one in answers.answers} - {one.case_id for one in kept}
    return answers.model_copy(update={"answers": kept}), tuple(sorted(gone))


def _read(path: Path) -> tuple[BaselineAnswers, Iterator[StoredAnswer]]:
    lines = read_lines(path, max_bytes=LARGEST)
    first = next(lines, b"")
    try:
        data = this_schema(
            parse_json(first.decode("utf-8-sig"), path, 1), "file of answers", _AGAIN, str(path)
        )
        head = BaselineAnswers.model_validate(data)
    except (ValidationError, UnicodeDecodeError) as error:
        raise FileError(f"does not begin as a file of a baseline's answers: {_AGAIN}", path) from (
            error
        )
    return head, _answers(path, lines)


def _answers(path: Path, lines: Iterator[bytes]) -> Iterator[StoredAnswer]:
    for number, line in enumerate(lines, start=2):
        try:
            yield StoredAnswer.model_validate_json(line)
        except ValidationError as error:
            raise FileError(f"is no answer of a baseline: {_AGAIN}", path, number) from error
