"""What an owner demands of a run: cases that it must hold, dimensions that must be able to fail it.

Both guard against the quiet way out: what is no longer asked, measured or licensed cannot fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.decision.judged import Judged
from gate.decision.words import few
from gate.types import Baseline, Policy, Run

MEND_DIMENSION = (
    "measure and license it again (`gate kappa`, `docs/labels.md`), refresh the baseline where "
    "that lacks it, or take `required` out of its rule"
)
"""The step where a required dimension cannot fail a run."""


_NO_ANSWER = frozenset({"empty", "blocked"})
"""How an attempt ends that the system left without an answer."""


def required_cases(run: Run, baseline: Baseline | None) -> tuple[str, ...]:
    """Name the cases that a run must hold: those of its own dataset, and those of the baseline.

    Who deletes a case deletes its tag with it, so the baseline remembers which ones were required.
    One that the dataset still has, without the tag, may be left out of a sample.
    """
    here = {cell.case_id for cell in run.cells}
    own = run.plan.required
    left_out = set(run.plan.dataset) - here - set(own)
    known = () if baseline is None else baseline.required
    return (*own, *(case for case in known if case not in own and case not in left_out))


def missing_cases(run: Run, required: Sequence[str]) -> tuple[str, ...]:
    """Name the required cases that the run does not have."""
    here = {cell.case_id for cell in run.cells}
    return tuple(case for case in required if case not in here)


def lost_cases(
    rows: Sequence[Judged], run: Run, required: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the required cases that have no score now: left without an answer, and lost.

    Asked are the rows that can fail the run, and cases that the baseline has a score of. An empty
    or blocked answer is what the system did, as bad as a wrong one. A failed call, or a judge that
    did not rule, is the machine's: of such a case nothing is known. A score that is undefined (no
    claim, no citation) is neither.
    """
    cells = {(cell.target, cell.case_id): cell for cell in run.cells}
    unanswered: dict[str, None] = {}
    lost: dict[str, None] = {}
    for row in (one.standing.row for one in rows if one.standing.gating):
        for case in row.newly_unscored:
            cell = cells.get((row.target, case))
            if case not in required or cell is None:
                continue
            states = {attempt.state for attempt in cell.attempts}
            if "ok" in states:
                if any(cell.failures.get(row.dimension, ())):
                    lost[case] = None
            else:
                (unanswered if states & _NO_ANSWER else lost)[case] = None
    return tuple(unanswered), tuple(case for case in lost if case not in unanswered)


def put_back(dropped: Sequence[str]) -> str:
    """Say what to do about cases that the baseline requires and the dataset no longer marks."""
    return (
        f"the baseline knows {few(dropped)} as required: put back what is gone, or refresh the "
        "baseline to drop it"
    )


def cut_short(run: Run) -> bool:
    """Tell whether the run ended before it had asked all that was planned."""
    return run.plan.planned is not None


def not_asked(missing: Sequence[str]) -> str:
    """Say that a run ended before it asked required cases."""
    cases = "case" if len(missing) == 1 else "cases"
    return f"No verdict: the run ended before the required {cases} {few(missing)}."


def not_scored(lost: Sequence[str]) -> str:
    """Say that required cases were asked and have no score."""
    cases = "case" if len(lost) == 1 else "cases"
    return f"No verdict: the required {cases} {few(lost)} could not be scored."


def lacking_dimensions(rows: Sequence[Judged], run: Run, policy: Policy) -> dict[str, str]:
    """Give the required dimensions that cannot fail this run -> why, in words.

    What the owner's scorer set leaves out is not asked for. Rows whose licence went stale with the
    judge that the baseline was scored by are left to the words for another instrument.
    """
    lacking: dict[str, str] = {}
    for name in (name for name, rule in policy.rules.items() if rule.required):
        own = [row for row in rows if row.finding.dimension == name]
        if not own and rows and not run.plan.scorer_sets:
            lacking[name] = "the run did not measure it"
        for row in own:
            other_instrument = (
                row.standing.agreement.state == "stale" and row.standing.row.incomparable
            )
            if not row.standing.gating and not other_instrument:
                lacking[name] = row.standing.because or "its rule says `gating: false`"
    return lacking


def no_verdict(lacking: Mapping[str, str]) -> str:
    """Say which required dimensions cannot fail the run."""
    said = "; ".join(
        f"{name} is required and cannot fail it: {why}" for name, why in lacking.items()
    )
    return f"No verdict: {said}."
