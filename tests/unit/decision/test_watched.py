"""Watched dimensions: compared, never failing a run, and pointed out where they clearly fell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.decision.standing import WATCHED, gating_dimensions
from gate.decision.watched import OF_THE_PAGES
from gate.scorers.faithfulness import METRICS
from gate.types import Baseline, Finding, Identity, Metric, Policy, Rule, Run, Verdict
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    baseline_of,
    cell,
    columns,
    licence,
    run_of,
    verdict_of,
)

FAITHFULNESS, CLAIMS = METRICS
PRECISION = Metric(name="citation_precision", judged=True)
ALL = (CORRECTNESS, FAITHFULNESS, CLAIMS, PRECISION)
N = 24

READ = (
    ": read faithfulness and citations with that in mind, since shorter and vaguer answers have "
    "less to get wrong."
)


def run(
    claims: Sequence[float | None], *, faithfulness: float = 0.8, precision: float = 0.5
) -> Run:
    """One answer a case with so many claims; correctness never changes."""
    return run_of(
        [
            cell(
                "t",
                f"c{i:02d}",
                {
                    "correctness": [0.9],
                    "faithfulness": [faithfulness],
                    "claims": [number],
                    "citation_precision": [precision],
                },
            )
            for i, number in enumerate(claims)
        ],
        ALL,
    )


BASE = run([4.0] * 21 + [3.0] * 3)
FEWER = run([2.0] * 21 + [3.0] * 3)


def row(verdict: Verdict, dimension: str = "claims") -> Finding:
    """The row of a dimension."""
    return next(one for one in verdict.comparisons if one.dimension == dimension)


def warned(new: Run, base: Run | Baseline = BASE, policy: Policy | None = None) -> list[str]:
    """The warnings that speak of fewer claims, or of what is watched."""
    baseline = baseline_of(base) if isinstance(base, Run) else base
    said = verdict_of(new, baseline, policy).warnings
    return [one for one in said if "fewer claims" in one or "It is watched" in one]


def test_claims__is_watched() -> None:
    """More is better, it has its own unit, and no judge's licence stands in its way."""
    assert ("claims", "higher", "claims", True, False) == (
        CLAIMS.name,
        CLAIMS.better,
        CLAIMS.unit,
        CLAIMS.watched,
        CLAIMS.judged,
    )
    assert [False] * 3 == [one.watched for one in (CORRECTNESS, FAITHFULNESS, PRECISION)]


def test_watched__a_fall_fails_no_run() -> None:
    """Half of the claims are gone: the row has no outcome, and the run passes on the others."""
    verdict = verdict_of(FEWER, baseline_of(BASE))
    found = row(verdict)

    assert ("pass", 0) == (verdict.status, verdict.exit_code)
    assert (True, False, WATCHED) == (found.watched, found.gating, found.advisory_because)
    assert (3.875, 2.125, 21, 0, N) == (
        found.baseline,
        found.current,
        found.worse,
        found.better,
        found.n,
    )
    assert ("inconclusive", None, None) == (found.outcome, found.settles, found.note)
    assert (None, None) == (found.p_adjusted, found.p_holm)
    assert found.p is not None
    assert "claims" not in verdict.headline
    assert verdict.next_step is None


def test_watched__p_weighs_on_no_other_row() -> None:
    """Neither the gating rows nor the advisory ones are corrected for it."""
    fell = run_of(columns([0.5] * 4 + [0.8] * 8), ALL)
    was = run_of(columns([0.8] * 12), ALL)

    def adjusted(*, with_claims: bool) -> list[float | None]:
        def filled(of: Run, claims: float) -> Run:
            extra = {"faithfulness": (0.5,), "claims": (claims,) if with_claims else (None,)}
            cells = (replace(one, scores={**one.scores, **extra}) for one in of.cells)
            return of.model_copy(update={"cells": tuple(cells)})

        rows = verdict_of(filled(fell, 1.0), baseline_of(filled(was, 4.0))).comparisons
        return [one.p_adjusted for one in rows if one.dimension in ("correctness", "faithfulness")]

    assert adjusted(with_claims=False) == adjusted(with_claims=True)
    assert None not in adjusted(with_claims=True)


def test_watched__needs_no_licence_and_asks_for_none() -> None:
    """Where nothing is licensed, the next step is not about the number of claims."""
    verdict = verdict_of(FEWER, baseline_of(BASE), state="unlabelled")

    assert "report" == verdict.status
    assert verdict.next_step is not None
    assert "claims" not in verdict.next_step
    assert "not_needed" == row(verdict).trust.state


@pytest.mark.parametrize("policy", [Policy(rule="threshold"), Policy(min_effect=0.01, margin=0.2)])
def test_watched__rules_for_fractions_leave_it_alone(policy: Policy) -> None:
    """A threshold of 0.05 claims, and what would settle a margin of them, mean nothing."""
    verdict = verdict_of(FEWER, baseline_of(BASE), policy)
    found = row(verdict)

    assert "pass" == verdict.status
    assert ("inconclusive", None, None) == (found.outcome, found.note, found.settles)
    assert "claims" not in verdict.headline


def test_watched__too_few_scores_or_another_judge_are_said() -> None:
    """It is compared by the same rules as every row, and then warns of nothing."""
    lost = run([None] * 3 + [2.0] * 21)
    found = row(verdict_of(lost, baseline_of(BASE)))
    assert "unmeasured" == found.outcome
    assert "21 of 24 cases of the baseline could be compared, 90% are needed" == found.note
    assert [] == warned(lost)

    other = {**FEWER.identities, "claims": Identity(scorer="s2")}
    new = FEWER.model_copy(update={"identities": other})
    assert "incomparable" == row(verdict_of(new, baseline_of(BASE))).outcome
    assert [] == warned(new)


def test_warning__fewer_claims() -> None:
    """From, to, and how likely it is by chance."""
    assert [f"Answers make fewer claims: 3.9 → 2.1 an answer (p under 0.0001){READ}"] == warned(
        FEWER
    )


def test_warning__names_what_rose_meanwhile() -> None:
    """Faithfulness or citations that rose with it are named in the same sentence."""
    rose = run([2.0] * N, faithfulness=0.9, precision=0.5)
    both = run([2.0] * N, faithfulness=0.9, precision=0.75)
    head = "Answers make fewer claims: 3.9 → 2.0 an answer (p under 0.0001)"

    assert [f"{head}, while faithfulness (0.80 → 0.90) rose{READ}"] == warned(rose)
    assert [
        f"{head}, while faithfulness (0.80 → 0.90) and citation_precision (0.50 → 0.75) rose{READ}"
    ] == warned(both)


def test_warning__not_of_what_fell_or_hardly_moved() -> None:
    """A rise that two decimals do not show is none."""
    said = warned(run([2.0] * N, faithfulness=0.801, precision=0.4))

    assert [f"Answers make fewer claims: 3.9 → 2.0 an answer (p under 0.0001){READ}"] == said


@pytest.mark.parametrize(
    ("expected", "fallen"),
    [
        (0, [10.0] * N),
        (0, [9.1] * N),
        (1, [9.0] * N),
        (0, [1.0] * 3 + [10.0] * (N - 3)),
        (1, [1.0] * 4 + [10.0] * (N - 4)),
        (0, [12.0] * N),
    ],
)
def test_warning__more_than_chance_and_a_tenth(expected: int, fallen: Sequence[float]) -> None:
    """Three fallen cases may be chance (p 1/8), four are not (1/16); below a tenth is little."""
    assert expected == len(warned(run(fallen), run([10.0] * N)))


def test_warning__chance_is_the_policys() -> None:
    """The row's own p, at most q."""
    four, base = run([1.0] * 4 + [10.0] * (N - 4)), run([10.0] * N)

    assert ["Answers make fewer claims: 10.0 → 8.5 an answer (p 0.0625)" + READ] == warned(
        four, base
    )
    assert [] == warned(four, base, Policy(q=0.06))


@pytest.mark.parametrize("name", sorted(OF_THE_PAGES))
def test_warning__every_share_of_the_pages_may_be_named(name: str) -> None:
    """Six dimensions are shares of what an answer or its pages say."""
    share = Metric(name=name, judged=True)

    def of(claims: float, value: float) -> Run:
        scores = {"claims": [claims], name: [value]}
        return run_of([cell("t", f"c{i:02d}", scores) for i in range(N)], (CLAIMS, share))

    assert 6 == len(OF_THE_PAGES)
    assert f"while {name} (0.50 → 0.75) rose" in warned(of(2.0, 0.75), of(4.0, 0.5))[0]


def test_warning__figures_are_short() -> None:
    """Nothing is 0.0, below one there are two digits, and p has four decimals."""
    assert "4.0 → 0.0 an answer" in warned(run([0.0] * N), run([4.0] * N))[0]
    assert "4.0 → 0.062 an answer" in warned(run([0.0625] * N), run([4.0] * N))[0]
    assert "(p 0.0078)" in warned(run([1.0] * 7 + [10.0] * (N - 7)), run([10.0] * N))[0]


def test_warning__averages_alone_say_nothing() -> None:
    """They cannot tell noise from a drop."""
    averages = Baseline(averages={"t": {"correctness": 0.9, "claims": 4.0}}, metrics=(CLAIMS,))
    said = row(verdict_of(FEWER, averages))

    assert (4.0, None, "inconclusive") == (said.baseline, said.p, said.outcome)
    assert [] == warned(FEWER, averages)


def test_warning__says_whose_answers_where_there_are_several() -> None:
    """Each target has a warning of its own."""

    def two(of: Run, other: Run) -> Run:
        cells = [replace(one, target="u") for one in other.cells]
        return run_of([*of.cells, *cells], ALL)

    said = warned(two(BASE, FEWER), two(BASE, BASE))

    assert [f"Answers of u make fewer claims: 3.9 → 2.1 an answer (p under 0.0001){READ}"] == said


def test_warning__of_another_watched_metric() -> None:
    """Any scorer may have one; where lower is better, it warns of a rise."""
    hops = Metric(name="hops", better="lower", unit="steps", watched=True)
    base = run_of(columns([0.4] * N, metric="hops"), [hops])
    new = run_of(columns([2.0] * N, metric="hops"), [hops])

    said = "hops rose by more than chance: 0.4 → 2.0 (p under 0.0001). It is watched, and "
    assert [f"{said}fails no run."] == warned(new, base)
    assert [] == warned(base, new)


def test_watched__may_gate_by_its_rule() -> None:
    """With `gating: true` and bounds in its own unit it is a row like any other."""
    rule = Rule(gating=True, min_effect=0.5, margin=1.0)
    policy = Policy(rules={"claims": rule})
    verdict = verdict_of(FEWER, baseline_of(BASE), policy)
    found = row(verdict)

    assert ("regression", 1) == (verdict.status, verdict.exit_code)
    assert (True, False, "regression") == (found.gating, found.watched, found.outcome)
    assert "claims fell by 1.75 (3.875 → 2.125; 21 of 24 answers got worse)" in verdict.headline
    assert [] == warned(FEWER, policy=policy)
    assert "pass" == row(verdict_of(BASE, baseline_of(BASE), policy)).outcome


def test_watched__asked_to_gate_without_bounds_says_what_it_lacks() -> None:
    """It stays watched: 0.05 claims would be no bound."""
    policy = Policy(rules={"claims": Rule(gating=True)})
    found = row(verdict_of(FEWER, baseline_of(BASE), policy))

    assert (True, False, "inconclusive") == (found.watched, found.gating, found.outcome)
    assert (
        "it is no score between 0 and 1: set `min_effect:` and `margin:` in its rule"
        == found.advisory_because
    )


def test_gating_dimensions__leave_it_out() -> None:
    """A plan is not weighed by what cannot fail it."""
    agreements = [licence(one.name, "not_needed") for one in ALL]
    names = ("correctness", "faithfulness", "citation_precision")
    bounds = Rule(gating=True, min_effect=0.5, margin=1.0)

    assert names == gating_dimensions(ALL, agreements, Policy())
    assert {*names, "claims"} == set(
        gating_dimensions(ALL, agreements, Policy(rules={"claims": bounds}))
    )
