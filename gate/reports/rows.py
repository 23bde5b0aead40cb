"""The table of a verdict as plain words, for Markdown, the terminal and JUnit alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gate.reports.numbers import MISSING, change, figure, interval, movement
from gate.types import Finding, Outcome, Report, Trust

MARKS: Mapping[Outcome, tuple[str, str]] = {
    "regression": ("❌", "FAIL"),
    "pass": ("✅", "ok"),
    "inconclusive": ("❔", "unclear"),
    "unmeasured": ("🚫", "unmeasured"),
    "incomparable": ("🚫", "not comparable"),
    "missing": ("❌", "missing"),
}
"""Outcome of a gating row -> mark and word; no mark stands without its word."""

ADVISORY = ("💬", "advisory")
"""Mark and word of a row that cannot fail the run, whatever it says."""

WATCHED = ("👀", "watched")
"""Mark and word of a row that is there to be seen: it has no outcome to be judged by."""

UNMEASURED: tuple[Outcome, ...] = ("unmeasured", "incomparable", "missing")
"""Outcomes without a comparison."""

_VISIBLE = 0.005


@dataclass(frozen=True)
class TableRow:
    """One row of the table, in plain text; names and remarks may hold foreign text."""

    finding: Finding
    """What the row says, in numbers."""
    mark: str
    """A sign for a quick look."""
    word: str
    """The same in words."""
    moved: str
    """`0.87 → 0.76`."""
    changed: str
    """The difference and its two-sided 90% interval: `+0.11 (+0.05 … +0.17)`.

    A row that was not measured has none, or it would look like a pass."""
    counts: str
    """`5 / 1`: cases that fell, cases that rose."""
    trust: str
    """Whether the judge agrees with people."""
    remarks: tuple[str, ...]
    """What else a reader must know of the row, sentence by sentence."""


def table_rows(report: Report) -> tuple[TableRow, ...]:
    """Return the verdict's rows of all cases, gating ones before advisory ones of a target."""
    findings = [one for one in report.verdict.comparisons if one.category is None]
    return _rows(report, findings)


def category_rows(report: Report) -> tuple[TableRow, ...]:
    """Return the verdict's rows of single categories."""
    return _rows(report, [one for one in report.verdict.comparisons if one.category is not None])


def mark_of(finding: Finding) -> tuple[str, str]:
    """Return the mark and the word of a row."""
    if finding.gating:
        return MARKS[finding.outcome]
    return WATCHED if finding.watched else ADVISORY


def trust_words(trust: Trust) -> str:
    """Say whether the judge agrees with people: kappa, its bound that decides, and the labels.

    The bound is the one-sided 95% one, which is held against `policy.min_kappa_lower`; perfect
    agreement has a two-sided interval without width, which would look like certainty.
    """
    if trust.state == "not_needed":
        return "no judge"
    if trust.kappa is None or trust.state == "undefined":
        return "no calibration" if trust.state == "unlabelled" else f"κ undefined, n {trust.n}"
    bound = trust.lower_one_sided
    least = "" if bound is None else f" (≥ {figure(bound)})"
    words = f"κ {figure(trust.kappa)}{least}, n {trust.n}"
    return words if trust.state == "validated" else f"{trust.state}: {words}"


def remarks(finding: Finding) -> tuple[str, ...]:
    """Say what else a reader must know of a row; of one without a comparison only why."""
    if finding.outcome in UNMEASURED and finding.note:
        return (finding.note,)
    said = []
    if not finding.gating:
        said.append(finding.advisory_because)
        if finding.outcome == "regression":
            said.append("fell, which cannot fail the run")
    elif finding.outcome == "inconclusive":
        said.append(_doubt(finding))
    said.append(finding.note)
    if finding.averages_only and "averages" not in (finding.note or ""):
        said.append("only averages were compared, which cannot tell noise from a drop")
    return tuple(one for one in said if one)


def _doubt(finding: Finding) -> str:
    """Say what an unclear row could have seen, and what would settle it."""
    said = []
    if (finding.smallest_visible_drop or 0.0) >= _VISIBLE:
        said.append(f"smallest visible drop {figure(finding.smallest_visible_drop)}")
    if finding.settles:
        said.append(f"what would settle it: {finding.settles}")
    return "; ".join(said)


def _rows(report: Report, findings: list[Finding]) -> tuple[TableRow, ...]:
    units = {metric.name: metric.unit for metric in report.run.metrics}
    order = list(dict.fromkeys(one.target for one in findings))
    ordered = sorted(findings, key=lambda one: (order.index(one.target), not one.gating))
    return tuple(_row(one, units.get(one.dimension, "fraction")) for one in ordered)


def _row(finding: Finding, unit: str) -> TableRow:
    mark, word = mark_of(finding)
    compared = finding.outcome not in UNMEASURED
    ends = interval(*_possible(finding, unit), unit)
    counted = compared and not finding.averages_only and finding.delta is not None
    untrusted = finding.outcome == "missing" or finding.watched
    return TableRow(
        finding=finding,
        mark=mark,
        word=word,
        moved=_moved(finding, unit),
        changed=f"{change(finding.delta, unit)} {ends}".rstrip() if compared else MISSING,
        counts=f"{finding.worse} / {finding.better}" if counted else MISSING,
        trust=MISSING if untrusted else trust_words(finding.trust),
        remarks=remarks(finding),
    )


def _possible(finding: Finding, unit: str) -> tuple[float | None, float | None]:
    """Give the interval's ends, none of them beyond what a difference of scores can be."""
    ends = finding.low, finding.high
    if unit != "fraction":
        return ends
    low, high = (None if end is None else min(1.0, max(-1.0, end)) for end in ends)
    return low, high


def moved(finding: Finding) -> bool:
    """Tell whether a row fell or moved visibly; one without a comparison is worth a look, too."""
    if finding.outcome in ("regression", *UNMEASURED) or finding.delta is None:
        return True
    return abs(finding.delta) >= _VISIBLE


def _moved(finding: Finding, unit: str) -> str:
    """Give both means; none of too few cases, which would look like a result."""
    if finding.outcome == "unmeasured" and finding.baseline is not None:
        return MISSING
    if finding.outcome == "incomparable":
        return figure(finding.current, unit)
    return movement(finding.baseline, finding.current, unit)
