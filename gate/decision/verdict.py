"""From numbers and licences to the one verdict that every surface shows."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.breakage import measured
from gate.decision.confirming import second_look
from gate.decision.facts import Facts
from gate.decision.fallen import after_second_look, fallen_cases
from gate.decision.findings import finding_of, limits_unknown, operation_finding_of, risen
from gate.decision.judged import Judged
from gate.decision.looks import spared
from gate.decision.outcomes import (
    Said,
    categories_to_test,
    category_outcomes_of,
    min_effect_of,
    of_all_cases,
    outcomes_of,
)
from gate.decision.panel import panel_of, warnings_of_panel
from gate.decision.planning import PlanPower, check_plan, refuse_plan
from gate.decision.required import lacking_dimensions, lost_cases, missing_cases
from gate.decision.rounding import result
from gate.decision.settling import prices_of
from gate.decision.standing import Standing, standing_of
from gate.decision.status import decide_status
from gate.decision.watched import warnings_of
from gate.decision.words import amount, listed
from gate.types import (
    Agreement,
    Commits,
    Comparison,
    IdentityFinding,
    NoiseFinding,
    Policy,
    Run,
    Verdict,
)

__all__ = ["PlanPower", "check_plan", "decide", "refuse_plan"]

OF_THE_SYSTEM = frozenset({"empty_rate", "ungrounded_rate"})
"""Rates that say what the system did, where errors may be the network's."""


def decide(
    run: Run,
    comparison: Comparison,
    agreements: Sequence[Agreement],
    policy: Policy,
    *,
    narrowed: bool,
    seed: str,
    commits: Commits,
    reproduce: Sequence[str],
    edits: Sequence[str] = (),
    required: Sequence[str] = (),
    attempts: int = 1,
    standing: Sequence[str] = (),
    accepted_by: str | None = None,
    confirmed: bool = False,
    noise: Sequence[NoiseFinding] = (),
    stored: str | None = None,
) -> Verdict:
    """Decide on a run.

    `narrowed` says that the run was narrowed by hand (the plan may say so too). `required` are the
    ids of cases that the run must hold. `edits` are what the candidate changes of what decides.
    `attempts` counts the attempts on this head that are pooled in the run; `standing` are
    regressions of earlier ones that are not in it. `accepted_by` names the maintainer who accepted
    a regression of this head: it stays a regression, with exit code 0. `confirmed` says that an
    earlier attempt's second look confirmed one. `noise` is what the repeats of answers and rulings
    say of it, for whoever reads the verdict. `stored` is the file of the baseline's answers, where
    they are stored. Raises nothing of its own.
    """
    metrics = {metric.name: metric for metric in run.metrics}
    licences = {one.dimension: one for one in agreements}
    standings, categories = (
        [
            standing_of(row, metrics, licences, policy, has_baseline=comparison.has_baseline)
            for row in rows
        ]
        for rows in (comparison.rows, comparison.categories)
    )
    categories = categories_to_test(categories, standings, policy)
    units = {name: metric.unit for name, metric in metrics.items()}
    prices = prices_of(run)
    wholes = of_all_cases(policy, beside_categories=bool(categories))
    first = outcomes_of(standings, wholes, units, prices)
    first_parts = category_outcomes_of(categories, standings, policy, units, prices)
    if not confirmed:
        first = second_look(standings, first, run, policy)
        first_parts = second_look(categories, first_parts, run, policy, standings)
    rows = _judged(standings, first, policy)
    parts = _judged(categories, first_parts, policy)
    operations = tuple(operation_finding_of(one, policy) for one in comparison.operations)
    demanded = tuple(dict.fromkeys((*run.plan.required, *required)))
    marked = run.plan.model_copy(update={"required": demanded})
    fallen = fallen_cases(rows, metrics, marked, policy)
    if not confirmed:
        fallen = after_second_look(fallen, run, metrics, policy)
    unanswered, lost = lost_cases(rows, run, demanded)
    facts = Facts(
        run=run,
        comparison=comparison,
        rows=rows,
        categories=parts,
        operations=operations,
        behaved_worse=any(OF_THE_SYSTEM & {*risen(o, policy)} for o in comparison.operations),
        policy=policy,
        narrowed=narrowed or run.plan.narrowed,
        missing_required=missing_cases(run, required),
        unanswered=unanswered,
        lost_required=lost,
        fallen=fallen,
        lacking=lacking_dimensions(rows, run, policy),
        accepted_by=accepted_by,
        standing=standing,
        attempts=attempts,
        on_head=commits.head is not None,
        stored=stored,
    )
    decision = decide_status(facts)
    panel = panel_of(run) if measured(run) else ()
    return Verdict(
        status=decision.status,
        exit_code=decision.exit_code,
        headline=decision.headline
        + (spared(run.plan) if decision.status in ("pass", "regression") else ""),
        # Where nothing was measured there is no number of quality to show.
        comparisons=tuple(row.finding for row in (*rows, *parts)) if measured(run) else (),
        operations=operations,
        fallen=fallen if measured(run) else (),
        coverage=comparison.coverage,
        identity=_identity(facts),
        seed=seed,
        attempts=attempts,
        accepted_by=accepted_by if decision.status == "regression" else None,
        warnings=tuple(
            dict.fromkeys(
                [
                    *(*run.warnings, *comparison.warnings, *_warnings(facts)),
                    *warnings_of_panel(panel, run.judge_families),
                ]
            )
        ),
        edits=tuple(edits),
        cost=run.cost,
        commits=commits,
        reproduce=tuple(reproduce),
        next_step=decision.next_step,
        broken=decision.broken,
        from_memory=comparison.from_memory if measured(run) else (),
        panel=panel,
        noise=tuple(noise) if measured(run) else (),
    )


def _judged(standings: Sequence[Standing], said: Sequence[Said], policy: Policy) -> list[Judged]:
    return [
        Judged(standing, one, finding_of(standing, one, policy))
        for standing, one in zip(standings, said, strict=True)
    ]


def _identity(facts: Facts) -> IdentityFinding:
    """Say whether a row that can fail the run could be compared; without such, whether any row."""
    gating = facts.gating
    comparable = (
        len(facts.that("incomparable")) < len(gating) if gating else facts.comparison.comparable
    )
    return IdentityFinding(comparable=comparable, differs=facts.comparison.differs)


def _warnings(facts: Facts) -> list[str]:
    """Warn of what may be a real drop, a judge of the target's family, and a watched fall."""
    units = {metric.name: metric.unit for metric in facts.run.metrics}
    said = []
    for row in facts.that("inconclusive"):
        one, drop = row.finding, result(-(row.standing.row.signed or 0.0))
        fell = drop > 0.0 and drop >= min_effect_of(one.dimension, facts.policy)
        if row.said.doubt != "unconfirmed" and fell:
            size = amount(drop, units.get(one.dimension, "fraction"))
            said.append(f"{one.dimension} of {one.target} got worse by {size}; it may be real.")
    said.extend(
        f"limits.{name} was not checked for {one.target}: this run has no figure for it."
        for one in facts.comparison.operations
        for name in limits_unknown(one, facts.policy)
    )
    own = [info for info in facts.run.targets if info.family in facts.run.families]
    if own and any(metric.judged for metric in facts.run.metrics):
        who = "A judge of the panel" if facts.run.judge_families else "The judge"
        families = listed(list(dict.fromkeys(info.family for info in own if info.family)))
        said.append(
            f"{who} is of the same family ({families}) as {listed([info.name for info in own])}: "
            "judges prefer their own."
        )
    said.extend(warnings_of(facts.rows, facts.policy, named=len(facts.run.targets) > 1))
    return said
