"""The run's status: the first line of the table of statuses that applies, in its order.

report, broken (nothing to decide), regression, broken (something unmeasured), inconclusive, pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gate.decision import headline, required
from gate.decision.after_drift import mixed
from gate.decision.breakage import cause_of, measured, next_step
from gate.decision.controls import DRIFT, drifted
from gate.decision.facts import Facts
from gate.decision.findings import limits_passed, risen
from gate.decision.judged import Judged
from gate.decision.licensing import to_license
from gate.decision.planning import check_plan
from gate.decision.what_next import (
    REFRESH,
    after_incomparable,
    after_regression,
    make_baseline,
    renew,
    when_unclear,
)
from gate.decision.words import counted, few, listed, sentence
from gate.types import (
    Failure,
    Run,
    Status,
)

_BLANK = frozenset({"unmeasured", "incomparable"})

_MOST_NAMED = 4
"""Parts of a plan up to which each is named."""


@dataclass(frozen=True)
class Decision:
    """The status, and what goes with it."""

    status: Status
    """The status."""
    exit_code: Literal[0, 1, 3, 130, 143]
    """0, 1 or 3; 130 or 143 for an interrupted run."""
    headline: str
    """One sentence."""
    next_step: str | None = None
    """What to do now."""
    broken: Failure | None = None
    """The one cause of a broken run."""


def decide_status(facts: Facts) -> Decision:
    """Go down the table of statuses and take the first that applies."""
    return (
        _interrupted(facts)
        or _nothing_measured(facts)
        or _part_of_it(facts)
        or _too_early(facts)
        or _report(facts)
        or _nothing_to_decide(facts)
        or _regression(facts)
        or _required(facts)
        or _something_unmeasured(facts)
        or _inconclusive(facts)
        or _pass(facts)
    )


def _interrupted(facts: Facts) -> Decision | None:
    """Decide nothing on a run that a signal ended: which cases were done was left to chance."""
    signal = facts.run.interrupted
    if signal is None:
        return None
    planned = len(facts.run.plan.case_ids)
    done = len({cell.case_id for cell in facts.run.cells})
    return Decision(
        "broken",
        143 if signal == "SIGTERM" else 130,
        f"No verdict: {signal} interrupted the run after {done} of {counted(planned, 'case')}.",
        "type the command that made the run again, `gate run` or `gate judge` with its options: it "
        "goes on from there, since what was paid for is in the journal",
        Failure(kind="error", message=f"{signal} interrupted the run."),
    )


def _part_of_it(facts: Facts) -> Decision | None:
    """Give numbers only for one part of a plan: the parts are decided on together."""
    shard = facts.run.plan.shard
    if shard is None:
        return None
    of = int(shard.partition("/")[2])
    parts = [f"part{number}/run.json" for number in range(1, of + 1)]
    named = " ".join(parts) if of <= _MOST_NAMED else "part*/run.json"
    return Decision(
        "report",
        0,
        f"Part {shard} of the plan: numbers without a verdict.",
        f"put the {of} parts together, then decide: `gate merge {named} -o whole/run.json` with "
        "their own folders, then `gate compare whole/run.json --out whole`",
    )


def _too_early(facts: Facts) -> Decision | None:
    """Decide nothing on the finished part of a plan that can neither fail nor pass."""
    rows = [row.standing.row for row in facts.gating if row.standing.row.n]
    planned = facts.run.plan.planned
    if planned is None or not rows or facts.policy.report_only or facts.narrowed:
        return None
    counts = [row.n for row in rows]
    able = check_plan(counts, len(counts), facts.policy, [row.dimension for row in rows])
    if able.can_fail or able.can_pass:
        return None
    cause = cause_of(facts.run)
    done = f"{len(facts.run.plan.case_ids)} of {counted(planned, 'case')}"
    text = f"No verdict: the run ended early with {done}, too few to fail or to pass."
    return Decision("broken", 3, f"{text} {sentence(cause.message)}", next_step(cause), cause)


def _nothing_measured(facts: Facts) -> Decision | None:
    if measured(facts.run):
        return None
    cause = cause_of(facts.run)
    return Decision(
        "broken",
        3,
        f"No verdict: nothing could be scored. {cause.message}",
        next_step(cause),
        cause,
    )


def _report(facts: Facts) -> Decision | None:
    reasons = _reasons(facts)
    if not reasons:
        return None
    # The headline says the first reason; the step goes to the one that has to be mended first,
    # and switching report-only mode off comes after all others.
    step = min(reasons, key=lambda reason: reason[2])[1]
    return Decision("report", 0, f"{reasons[0][0]}: {_numbers(facts)}.", step)


def _numbers(facts: Facts) -> str:
    """Name what would have failed the run, so that a collapse is not passed over in silence."""
    rows = [row for row in facts.rows if row.said.outcome == "regression"]
    said = headline.regressions([*rows, *facts.fallen_categories], (), (), (), facts.run)
    return f"no verdict, but {few(said, 3)}" if said else "numbers without a verdict"


def _reasons(facts: Facts) -> list[tuple[str, str, int]]:
    """Give why there are only numbers: the reason, its next step, and the step's rank."""
    policy, comparison = facts.policy, facts.comparison
    found: list[tuple[str, str, int]] = []
    if policy.report_only:
        found.append(
            (
                "Nothing is enforced (report-only mode)",
                (
                    "to let a run fail, leave out `--report-only` (the action's input "
                    "`report-only`) where it was given, or set `report_only: false` in gate.yaml "
                    "on the base branch where that says true"
                ),
                5,
            )
        )
        found.extend(_to_renew(facts))
    licensed = [r for r in facts.rows if r.standing.cause == "new"] + facts.gating
    uncompared = bool(licensed) and not facts.gating and not comparison.missing_targets
    if not comparison.has_baseline:
        found.append(("No baseline yet", make_baseline(facts.run), 1))
    elif uncompared:
        found.append(("No baseline for these rows", REFRESH, 1))
    age = comparison.baseline_age_days
    if age is not None and age > policy.max_baseline_age_days:
        most = f"{policy.max_baseline_age_days:g}"
        found.append((f"The baseline is {age:.0f} days old, {most} at most", REFRESH, 2))
    if not licensed and not facts.other_instrument and not facts.lacking:
        found.append(("Nothing is licensed to fail a run", to_license(facts.rows, facts.run), 3))
    if facts.narrowed:
        found.append((*_narrowed(facts.run), 4))
    return found


def _to_renew(facts: Facts) -> list[tuple[str, str, int]]:
    """Say what a run without report-only mode would end with: exit 3, until it is renewed."""
    incomparable = facts.that("incomparable")
    if facts.other_instrument:
        step = renew(facts.run, facts.stored)
    elif incomparable:
        drift = any(DRIFT in row.standing.row.incomparable for row in incomparable)
        step = after_incomparable(facts.run, drift=drift, stored=facts.stored)
    else:
        return []
    return [("Not comparable with the baseline", f"before anything can fail: {step}", 2)]


def _narrowed(run: Run) -> tuple[str, str]:
    """Say why a plan is not all of what it could be, and what to do about it.

    Of answers that no collection planned nothing is known but who gave them.
    """
    asked, total = len(run.plan.case_ids), run.plan.total
    foreign = run.targets and all(
        info.use == "recorded" and info.settings is None for info in run.targets
    )
    if not foreign or asked >= total:
        return "Narrowed by hand", "run without --case, --target and --scorer for a verdict"
    step = (
        "answer every case of the dataset for a verdict, or collect with `gate collect`, which "
        "writes the plan: nobody knows which answers were left out"
    )
    return f"Answers without a plan, to {asked} of {counted(total, 'case')}", step


def _nothing_to_decide(facts: Facts) -> Decision | None:
    """Stop where no gating row could be compared, unless the system itself behaved worse."""
    gating = facts.gating
    if not gating and facts.other_instrument:
        return _instrument(facts, "the run was")
    if not gating or len(facts.that(*_BLANK)) < len(gating) or facts.behaved_worse:
        return None
    return _blank(facts, "nothing that can fail the run could be compared")


def _instrument(facts: Facts, who: str) -> Decision:
    """Say that scores are not comparable, and that the licence went with them."""
    differs = "; ".join(facts.comparison.differs)
    text = f"No verdict: {who} scored by another instrument than the baseline. {differs}"
    drift = all(row.standing.row.incomparable == (DRIFT,) for row in facts.other_instrument)
    flipped = _flipped(facts, facts.other_instrument)
    if drift and flipped:
        step = _after_incomparable(facts, drift=True)
        return Decision("broken", 3, f"No verdict: {flipped}", step)
    return Decision("broken", 3, text, renew(facts.run, facts.stored, earlier=drift))


def _after_incomparable(facts: Facts, *, drift: bool) -> str:
    again = mixed(facts.run, facts.policy)
    return after_incomparable(facts.run, drift=drift, stored=facts.stored, again=again)


def _something_unmeasured(facts: Facts) -> Decision | None:
    if facts.other_instrument:
        lost = list(dict.fromkeys(row.finding.dimension for row in facts.other_instrument))
        return _instrument(facts, f"{listed(lost)} {'was' if len(lost) == 1 else 'were'}")
    if not facts.that(*_BLANK):
        return None
    names = dict.fromkeys(row.finding.dimension for row in facts.that(*_BLANK))
    return _blank(facts, f"{listed(list(names))} could not be compared")


def _flipped(facts: Facts, rows: Sequence[Judged]) -> str:
    """Say in which of these rows' dimensions control answers flipped, and how many of them."""
    drifts = drifted(facts.run, facts.policy)
    names = dict.fromkeys(
        row.finding.dimension for row in rows if row.standing.row.incomparable == (DRIFT,)
    )
    counts = [f"{name} ({drifts[name].flipped})" for name in names if name in drifts]
    return f"the judge drifted, control answers flipped in {few(counts, 4)}" if counts else ""


def _blank(facts: Facts, what: str) -> Decision:
    """Say why rows could not be compared: by another identity, or since scores are missing."""
    unmeasured = facts.that("unmeasured")
    if not unmeasured:
        parts = {row.standing.row.incomparable for row in facts.that(*_BLANK)}
        flipped = _flipped(facts, facts.that(*_BLANK))
        step = _after_incomparable(facts, drift=bool(flipped))
        said = f"{what}. {'; '.join(facts.comparison.differs)}"
        if parts == {(DRIFT,)} and flipped:
            said = flipped
        return Decision("broken", 3, f"No verdict: {said}", step)
    row = min((row.standing.row for row in unmeasured), key=lambda row: row.n / row.expected)
    few_scores = (
        f"No verdict: {what}, only {row.n} of {counted(row.expected, 'case')} have scores on both "
        f"sides ({100 * facts.policy.coverage:.0f}% are needed)."
    )
    moved = {*facts.comparison.coverage.removed, *facts.comparison.coverage.changed}
    others = row.expected - row.n - len(row.newly_unscored)
    if moved and facts.run.stopped is None and others > len(row.newly_unscored):
        gone = counted(len(moved), "case")
        text = f"{few_scores} {gone} changed or went since the baseline."
        return Decision("broken", 3, text, REFRESH)
    cause = cause_of(facts.run)
    text = f"{few_scores} {cause.message}"
    return Decision("broken", 3, text, next_step(cause), cause)


def _regression(facts: Facts) -> Decision | None:
    missing = () if required.cut_short(facts.run) else facts.missing_required
    dropped = [case for case in missing if case not in facts.run.plan.required]
    worse = [one for one in facts.operations if one.outcome == "regression"]
    said = headline.regressions(
        [*facts.that("regression"), *facts.fallen_categories],
        worse,
        facts.comparison.missing_targets,
        missing,
        facts.run,
        facts.fallen,
        facts.unanswered,
    )
    said = [*facts.standing, *said]
    if not said:
        return None
    limits = () if len(said) > len(worse) else _limits_alone(facts)
    accepted = facts.accepted_by is not None
    word = f"Regression, accepted by {facts.accepted_by}" if accepted else "Regression"
    over = headline.over(facts.attempts)
    looks = headline.second_look(
        sorted(facts.that("regression"), key=lambda row: row.standing.row.signed or 0.0)
    )
    tail = f" {looks[:1].upper()}{looks[1:]}." if looks else ""
    tail += headline.power(
        facts.gating, facts.comparison, facts.policy, facts.run.plan, failed=True
    )
    step = after_regression(accepted=accepted, on_head=facts.on_head, limits=limits)
    if dropped and not accepted:
        step = f"{step}; {required.put_back(dropped)}"
    return Decision(
        "regression",
        0 if accepted else 1,
        f"{word}: {few(said, 3)}{over}.{tail}",
        step,
    )


def _limits_alone(facts: Facts) -> Sequence[str]:
    """Name the limits that targets passed; none where a rate rose besides."""
    operations, policy = facts.comparison.operations, facts.policy
    if any(risen(one, policy) for one in operations):
        return ()
    return [name for one in operations for name in limits_passed(one, policy)]


def _required(facts: Facts) -> Decision | None:
    """Decide nothing where a required case has no score, or a required dimension cannot fail."""
    missing = facts.missing_required if required.cut_short(facts.run) else ()
    if missing:
        cause = cause_of(facts.run)
        text = f"{required.not_asked(missing)} {sentence(cause.message)}"
        return Decision("broken", 3, text, next_step(cause), cause)
    if facts.lost_required:
        text = required.not_scored(facts.lost_required)
        cause = cause_of(facts.run)
        return Decision("broken", 3, f"{text} {sentence(cause.message)}", next_step(cause), cause)
    if facts.lacking:
        return Decision("broken", 3, required.no_verdict(facts.lacking), required.MEND_DIMENSION)
    return None


def _pass(facts: Facts) -> Decision:
    said = headline.passed(
        facts.gating, facts.comparison, facts.policy, facts.attempts, facts.run.plan
    )
    return Decision("pass", 0, f"{said}{_unenforced(facts)}{_left_out(facts)}")


def _left_out(facts: Facts) -> str:
    """Name what the baseline has and the run did not measure, unless the owner's set leaves it out.

    A configuration that lost a scorer must not look like one that never had it.
    """
    lost = facts.comparison.coverage.not_measured
    if not lost or facts.run.plan.scorer_sets:
        return ""
    which = "it" if len(lost) == 1 else "them"
    return f" Not measured, though the baseline has {which}: {few(lost)}."


def _unenforced(facts: Facts) -> str:
    """Name advisory rows that fell, so that a green run does not hide a collapse."""
    rows = [
        row for row in facts.rows if row.said.outcome == "regression" and not row.standing.gating
    ]
    said = headline.regressions(rows, (), (), (), facts.run)
    return f" Without a licence, but look: {few(said, 3)}." if said else ""


def _inconclusive(facts: Facts) -> Decision | None:
    doubtful = facts.that("inconclusive")
    if not doubtful:
        return None
    tolerated = facts.policy.on_inconclusive == "pass"
    said = headline.inconclusive(doubtful, facts.policy, facts.attempts)
    tail = headline.power(facts.gating, facts.comparison, facts.policy, facts.run.plan)
    text = f"{said}{tail}{_unenforced(facts)}{_left_out(facts)}"
    step = when_unclear([row.finding for row in doubtful], tolerated=tolerated)
    return Decision("inconclusive", 0 if tolerated else 3, text, step)
