"""A verdict -> annotations: the fallen cases, each on its line of the file of cases.

An error for what fails the run, a warning for what may be a real drop and is not proven, a notice
for the rest that fell. A case that fell in several dimensions has one annotation, as loud as its
loudest. Of each level the runner keeps ten; two are left for what publishing itself has to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gate.decision.outcomes import min_effect_of
from gate.decision.words import counted
from gate.reports.numbers import movement
from gate.reports.untrusted import plain
from gate.types import Finding, Report
from gate.wire.actions import MOST_ANNOTATIONS, Annotation, Level

__all__ = ["annotations_of"]

MOST = MOST_ANNOTATIONS - 2
"""Annotations of one level."""
LONGEST_NAME = 200
"""Characters of a foreign name."""
LONGEST_SENTENCE = 2_000
"""Characters of a sentence that may hold foreign names."""
LEVELS: tuple[Level, ...] = ("error", "warning", "notice")
"""The loudest first."""

Movements = Mapping[tuple[str, str, str], tuple[float, float]]
"""Target, dimension and case -> mean of the baseline and of the run."""


@dataclass(frozen=True)
class _Fall:
    """One case in one row."""

    level: Level
    case_id: str
    finding: Finding


def annotations_of(
    report: Report, *, file: str | None, lines: Mapping[str, int]
) -> tuple[Annotation, ...]:
    """Return the annotations of a report, at most eight of each level, the loudest first.

    `file` is the file of cases as the host's repository names it, and `lines` the line on which
    each case begins; a case without a line is told without a place.
    """
    told = [*_general(report), *_of_cases(report, file, lines)]
    return tuple(one for level in LEVELS for one in _first(told, level))


def _first(told: Iterable[Annotation], level: Level) -> Iterator[Annotation]:
    of_level = [one for one in told if one.level == level]
    if len(of_level) <= MOST:
        yield from of_level
        return
    yield from of_level[: MOST - 1]
    left = counted(len(of_level) - MOST + 1, "further annotation")
    yield Annotation(level, f"{left} of this level: see the report.", "Kappagate")


def _general(report: Report) -> Iterator[Annotation]:
    """Say what is about no case: the headline of what failed, and targets that work worse."""
    verdict = report.verdict
    if verdict.exit_code != 0:
        more = f"\nNext step: {_sentence(verdict.next_step)}" if verdict.next_step else ""
        yield Annotation("error", f"{_sentence(verdict.headline)}{more}", _title(report))
    for one in verdict.operations:
        if one.outcome == "regression":
            because = _sentence(one.because or "it works worse than before")
            title = f"Kappagate: works worse{_stand_in(report)}"
            yield Annotation(_failing(report), f"{_name(one.target)}: {because}", title)


def _of_cases(report: Report, file: str | None, lines: Mapping[str, int]) -> Iterator[Annotation]:
    falls: dict[str, list[_Fall]] = {}
    for finding in report.verdict.comparisons:
        level = _level(report, finding)
        if level is not None:
            for case_id in finding.worst_cases:
                falls.setdefault(case_id, []).append(_Fall(level, case_id, finding))
    movements = _movements(report)
    for case_id, those in falls.items():
        loudest = min((one.level for one in those), key=LEVELS.index)
        line = lines.get(case_id)
        dimensions = ", ".join(dict.fromkeys(_name(one.finding.dimension) for one in those))
        yield Annotation(
            loudest,
            "\n".join(_said(one, movements) for one in those),
            _sentence(f"{_name(case_id)}: {dimensions} fell{_stand_in(report)}"),
            None if line is None else file,
            line,
        )


def _level(report: Report, finding: Finding) -> Level | None:
    """Say how loud a row is; None for one that has nothing to say of its cases."""
    if finding.watched or finding.outcome not in ("regression", "inconclusive"):
        return None
    if finding.category is not None and finding.outcome != "regression":
        return None
    if finding.outcome == "regression":
        return _failing(report) if finding.gating else "notice"
    if not finding.gating:
        return None
    drop = _drop(report, finding)
    real = drop is not None and drop >= min_effect_of(finding.dimension, report.policy)
    return "warning" if real else "notice"


def _failing(report: Report) -> Level:
    """Say how loud a regression is: one that was accepted, or only reported, fails nothing."""
    if report.verdict.exit_code == 1:
        return "error"
    return "notice" if report.verdict.accepted_by is None else "warning"


def _drop(report: Report, finding: Finding) -> float | None:
    """Return how far a row fell, in its own direction."""
    rows = () if report.comparison is None else report.comparison.rows
    for row in rows:
        same = (row.target, row.dimension, row.category)
        if same == (finding.target, finding.dimension, finding.category):
            return None if row.signed is None else -row.signed
    return None if finding.delta is None else -finding.delta


def _movements(report: Report) -> Movements:
    rows = () if report.comparison is None else report.comparison.rows
    return {
        (row.target, row.dimension, case): (before, now)
        for row in rows
        if row.category is None
        for case, before, now in row.differences.ends()
    }


def _said(fall: _Fall, movements: Movements) -> str:
    finding = fall.finding
    moved = movements.get((finding.target, finding.dimension, fall.case_id))
    here = "" if moved is None else f" {movement(*moved)}"
    row = f"{finding.outcome}, {movement(finding.baseline, finding.current)} over all"
    return f"{_name(finding.dimension)} of {_name(finding.target)}{here} ({row})"


def _title(report: Report) -> str:
    return f"Kappagate: {report.verdict.status}{_stand_in(report)}"


def _stand_in(report: Report) -> str:
    return " (stand-in world)" if report.stand_in else ""


def _name(text: str) -> str:
    return _cut(plain(text), LONGEST_NAME)


def _sentence(text: str) -> str:
    return _cut(plain(text), LONGEST_SENTENCE)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
