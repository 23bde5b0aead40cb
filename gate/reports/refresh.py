"""The pull request of a baseline refresh: old, new and anchor side by side, in the gate's words.

What foreign text it holds (names, ids, the reason) goes through `reports.untrusted`: in the text
of a pull request GitHub also obeys words such as "fixes #1".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gate.decision.refresh import Refreshed
from gate.decision.refresh_runs import REPEATS
from gate.decision.rows import FRACTION
from gate.decision.words import counted, few, listed
from gate.reports.facts import STAND_IN
from gate.reports.numbers import figure, usd
from gate.reports.refresh_judge import judge_lines, judges, licence_lines
from gate.reports.refresh_table import Told, table_of, told_rows
from gate.reports.untrusted import plain, sentence, span
from gate.templates import render
from gate.types import Policy, Reason

MOST_NAMED = 10
"""Cases of a kind that are named."""

MOST_REASONS = 10
"""Recorded reasons that are shown, the newest."""

HOW = (
    "The columns old, new and anchor are means over the cases of each. The tests go case by case, "
    "on the cases in common, as a pull request's do: a drop must be larger than chance explains "
    "and at least `min_effect`; the interval is the two-sided 90% one. The anchor is the first "
    "accepted baseline: drops that are each too small to fail a pull request add up against it, so "
    "a mean that is lower than it by more than `min_effect` needs a reason, proven or not. The "
    "repeats column is the lowest and the highest mean of a single repeat: as far as that, luck "
    "alone moves a run. A baseline that was lucky fails later runs which changed nothing, and one "
    "that was unlucky lets drops pass; so all repeats of one dispatch count, and a refresh is not "
    "made again because its figures do not please. Merging this makes the new scores the measure."
)
"""Stands below the table, folded."""


@dataclass(frozen=True)
class Section:
    """A list with a heading."""

    title: str
    """The heading."""
    lines: tuple[str, ...]
    """Its lines, safe Markdown."""


@dataclass(frozen=True)
class Page:
    """What the template shows."""

    stand_in: str
    """Warning of the loopback world; empty for real vendors."""
    lead: tuple[str, ...]
    """What happened, in sentences."""
    table: str
    """Old, new and anchor."""
    cut: str
    """How many rows found no room; empty where all did."""
    facts: tuple[str, ...]
    """Repeats, cases, errors, cost, judge, anchor, who and why."""
    sections: tuple[Section, ...]
    """Kappa, licences, recorded reasons."""
    how: str
    """How to read it."""


def refresh_title(found: Refreshed, about: str = "") -> str:
    """Return the title, which holds no foreign word.

    `about` names the configuration in letters, digits, `-` and `_`; "" where it has no name.
    """
    cases, repeats = len(found.run.plan.case_ids), found.measured.repeats
    below = "below the anchor, " if found.falls else ""
    what = "Baseline refresh" if found.old is not None else "First baseline"
    what = f"{what} of {about}" if about else what
    return f"{what}: {below}{counted(cases, 'case')}, {counted(repeats, 'repeat')}"


@dataclass(frozen=True)
class Where:
    """Where a refresh is proposed."""

    link: str | None = None
    """The workflow's run, safe Markdown; None outside of a workflow."""
    commit: str | None = None
    """The commit that the change is made upon; None where nobody knows."""


def refresh_body(found: Refreshed, policy: Policy, where: Where | None = None) -> str:
    """Return the text of the pull request."""
    rows = told_rows(found, policy)
    table, cut = table_of(rows)
    sections = (
        Section("The judge changed", tuple(judge_lines(found))),
        Section("Without a full licence", tuple(licence_lines(found))),
        Section("Recorded reasons", tuple(_reasons(found))),
    )
    page = Page(
        stand_in=STAND_IN if found.run.provenance.world is not None else "",
        lead=tuple(_lead(found, rows)),
        table=table,
        cut=cut,
        facts=tuple(_facts(found, where or Where())),
        sections=tuple(one for one in sections if one.lines),
        how=HOW,
    )
    return render("reports/templates/refresh.md.j2", page=page).strip() + "\n"


def _lead(found: Refreshed, rows: list[Told]) -> Iterator[str]:
    if found.needed:
        yield f"**With a recorded reason:** {sentence('; '.join(found.needed))}."
        yield f"The reason: {span(found.why.reason or '')}"
    if found.old is None:
        yield (
            "**The first baseline.** From here on runs are compared with it, and it is the anchor "
            "that later refreshes are held against."
        )
        return
    for words, which in (
        ("Worse than the old baseline by more than noise", "worse"),
        ("Better than the old baseline by more than noise", "better"),
    ):
        names = list(dict.fromkeys(row.dimension for row in rows if row.old == which))
        if names:
            yield f"**{words}:** {sentence(few(names))}.{_TURNS[which]}"
    incomparable = {row.dimension for row in rows if row.old == "incomparable"}
    if incomparable:
        yield (
            f"**Not comparable with the old baseline:** {sentence(few(sorted(incomparable)))}. "
            "Another instrument scored: which part moved, the system or the judge, cannot be told."
        )
    elif not any(row.old in _TURNS for row in rows):
        yield "**No change larger than noise** against the old baseline."


_TURNS = {
    "worse": " Either something got worse or the old baseline was a lucky one: if no change since "
    "then explains it, look at the cases before merging.",
    "better": " A rise that no change explains may be luck, and a lucky baseline fails later runs "
    "that changed nothing.",
}
"""How a row turned against the old baseline -> what to think of it."""


def _facts(found: Refreshed, where: Where) -> Iterator[str]:
    measured, run = found.measured, found.run
    runs = len(measured.runs)
    whose = (
        f"of one run, {span(run.id)}"
        if runs == 1
        else f"of {runs} runs that were named by hand: nobody can tell here whether others were "
        "left out"
    )
    few_of_them = "" if measured.repeats >= REPEATS else f"; {REPEATS} are better"
    yield (
        f"Repeats: {measured.repeats} of each case, {whose}; none was discarded{few_of_them}. "
        f"{_swing(found)}"
    )
    yield from _cases(found)
    yield f"Errors: none. {_unscored(found)}".rstrip()
    yield _cost(found)
    judge = judges(found)
    if judge is not None:
        yield f"Judge: {judge}"
    yield _anchor(found)
    yield from _commit(found, where.commit)
    by = f"Started by {span(found.why.by)}" if found.why.by else "Started by hand"
    made = f" in {where.link}" if where.link else ""
    because = (found.why.reason or "").strip()
    said = f"Reason: {span(because)}" if because else "No reason was given."
    yield f"{by}{made}. {'The reason stands above.' if found.needed else said}"
    accepted = {} if found.old is None else found.old.baseline.accepted
    if accepted:
        who = listed([span(name) for name in sorted(set(accepted.values()))])
        yield f"The old baseline holds a regression that {who} accepted: that drop was wanted."


def _commit(found: Refreshed, upon: str | None) -> Iterator[str]:
    """Name the commit that was measured, and say where the change is made upon another."""
    commits = found.run.provenance.commits
    measured = commits.evaluated or commits.head
    if measured is None:
        return
    moved = upon is not None and upon != measured
    said = "; proposed upon another one, and what changed in between is not measured"
    yield f"Measured commit: {span(measured[:12])}{said if moved else ''}"


def _swing(found: Refreshed) -> str:
    """Name the score whose repeats lie furthest apart."""
    scores = {metric.name for metric in found.run.metrics if metric.unit == FRACTION}
    spread = [(high - low, name) for _, name, low, high in found.swings if name in scores]
    width, name = max(spread, default=(0.0, ""))
    if not name:
        return ""
    if round(width, 2) == 0.0:
        return "Single repeats are alike."
    return f"Means of single repeats lie up to {figure(width)} apart ({sentence(name)})."


def _cases(found: Refreshed) -> Iterator[str]:
    total = len(found.run.plan.case_ids)
    if found.old is None:
        yield f"Cases: {total}"
        return
    coverage, before = found.old.comparison.coverage, found.old.baseline.required
    groups = (
        ("added", coverage.added),
        ("removed", coverage.removed),
        ("text changed", coverage.changed),
        ("no longer required", tuple(one for one in before if one not in found.baseline.required)),
    )
    said = [
        f"{len(cases)} {what} ({sentence(few(list(cases), MOST_NAMED))})"
        for what, cases in groups
        if cases
    ]
    yield f"Cases: {total}; " + ("; ".join(said) if said else "the same as in the old baseline")


def _unscored(found: Refreshed) -> str:
    """Count what has no score although nothing broke."""
    cells = found.run.cells
    states = [one.state for cell in cells for one in cell.attempts]
    kinds = [kind for cell in cells for column in cell.failures.values() for kind in column]
    counts = (
        (states.count("empty"), "empty answer"),
        (states.count("blocked"), "answer blocked by the vendor"),
        (kinds.count("pages"), "score without its pages"),
        (kinds.count("undefined"), "score with nothing to measure"),
    )
    said = [f"{number} {_many(noun, number)}" for number, noun in counts if number]
    return f"Not scored: {listed(said)}." if said else ""


def _many(noun: str, number: int) -> str:
    head, _, tail = noun.partition(" ")
    if head == "empty":
        return noun if number == 1 else f"{noun}s"
    return noun if number == 1 else f"{head}s {tail}"


def _cost(found: Refreshed) -> str:
    costs = [run.usd for run in found.measured.runs]
    known = [one for one in costs if one is not None]
    calls = sum(run.calls for run in found.measured.runs)
    total = usd(sum(known)) if len(known) == len(costs) else "not known in full"
    return f"Cost at list price: {total}, {counted(calls, 'paid call')}"


def _anchor(found: Refreshed) -> str:
    if any(one.ends for one in found.unreached):
        return (
            "Anchor: **another one begins with this baseline**, since it cannot be held against "
            "the one that was"
        )
    if found.held is None:
        return "Anchor: this baseline"
    runs = span(", ".join(found.held.baseline.runs) or "averages alone")
    when = plain(found.held.baseline.provenance.created or "")[:10]
    begins = "; the old baseline becomes it" if found.anchor is not None else ""
    return f"Anchor: run {runs}" + (f" of {span(when)}" if when else "") + begins


def _reasons(found: Refreshed) -> Iterator[str]:
    reasons = found.baseline.reasons
    hidden = len(reasons) - MOST_REASONS
    if hidden > 0:
        yield f"{counted(hidden, 'older reason')} in the baseline file"
    for reason in reasons[-MOST_REASONS:]:
        yield _reason(reason)


def _reason(reason: Reason) -> str:
    said = [
        f"{name} of {target} {figure(drop)} below the anchor"
        for target, names in reason.accepted.items()
        for name, drop in names.items()
    ]
    if reason.new_anchor:
        said.append("another anchor began")
    by = "" if reason.by is None else f" {span(reason.by)}:"
    when = span((reason.created or "without a date")[:10])
    what = f" ({sentence(few(said, 4))})" if said else ""
    return f"{when}{by} {span(reason.text)}{what}"
