"""A pass, and an inconclusive run: what is claimed, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.types import (
    Baseline,
    Cell,
    Commits,
    Metric,
    Policy,
    Rule,
    Run,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    licence,
    run_of,
    verdict_of,
)

N = 24


BASE = run_of(columns([0.8] * N))


SAME = BASE


NOISY = run_of(columns([0.3, 1.0, 1.0] * (N // 3)))


BASELINE = baseline_of(BASE)


def two_targets(new: float, names: Sequence[str] = "tu") -> Run:
    """Two dimensions of each target, of which the first target's correctness is `new`."""
    return run_of(
        [
            cell(
                name,
                f"c{i:02d}",
                {"correctness": [new if name == "t" else 0.8], "relevance": [0.8]},
            )
            for name in names
            for i in range(N)
        ],
        [CORRECTNESS, RELEVANCE],
    )


def test_pass__says_which_drop_is_ruled_out() -> None:
    """In words, and no more than what was shown."""
    verdict = verdict_of(SAME, BASELINE)

    assert (verdict.status, verdict.exit_code) == ("pass", 0)
    assert verdict.headline == "Pass: no drop larger than 0.10 in correctness."
    assert (verdict.next_step, verdict.broken, verdict.accepted_by) == (None, None, None)


def test_pass__names_targets_where_there_are_several() -> None:
    """Dimensions that all targets share are named once."""
    same = two_targets(0.8)
    assert verdict_of(same, baseline_of(same)).headline == (
        "Pass: no drop larger than 0.10 in correctness and relevance, for t and u."
    )


def test_pass__margins_of_their_own() -> None:
    """Each margin is claimed for its own dimensions only."""
    policy = Policy(rules={"relevance": Rule(margin=0.2)})
    same = two_targets(0.8, "t")
    assert verdict_of(same, baseline_of(same), policy).headline == (
        "Pass: no drop larger than 0.10 in correctness and no drop larger than 0.20 in relevance."
    )


def test_pass__plain_threshold_claims_what_it_saw() -> None:
    """It cannot rule anything out, and says so."""
    policy = Policy(rule="threshold")
    assert verdict_of(SAME, BASELINE, policy).headline == (
        "Pass: no mean drop larger than 0.05 in correctness; a plain threshold cannot tell noise "
        "from a drop."
    )


def test_pass__plan_that_could_not_have_failed() -> None:
    """13 cases and a rate so low that no drop could be seen."""
    run = run_of(columns([0.8] * 13))
    verdict = verdict_of(run, baseline_of(run), Policy(q=1e-6))

    assert verdict.status == "pass"
    assert verdict.headline.endswith("A plan of 13 cases can only pass, not fail.")


def test_inconclusive__wording_and_exit_code() -> None:
    """Neutral: no warning, exit 0 unless the policy says otherwise."""
    verdict = verdict_of(NOISY, BASELINE)

    assert (verdict.status, verdict.exit_code) == ("inconclusive", 0)
    assert verdict.headline == (
        "No regression found; too noisy to rule out a drop of 0.10 in correctness."
    )
    assert verdict.warnings == BASELINE_WARNING
    assert verdict.comparisons[0].settles is not None
    settling = f"what would settle correctness: {verdict.comparisons[0].settles}"
    assert f"nothing need be done, an unclear run is let through; {settling}" == verdict.next_step
    failing = verdict_of(NOISY, BASELINE, Policy(on_inconclusive="fail"))
    assert (3, settling) == (failing.exit_code, failing.next_step)


ONE_REPEAT = (
    "The baseline has 1 repeat of some cases: one lucky baseline fails runs that changed nothing. "
    "Give `gate baseline` five runs."
)


BASELINE_WARNING = (ONE_REPEAT,)


def test_inconclusive__warns_when_the_estimate_itself_is_low() -> None:
    """An estimate below -0.05 that may be chance is more than neutral."""
    verdict = verdict_of(run_of(columns([0.0, 0.0] + [0.8] * 22)), BASELINE)

    assert verdict.status == "inconclusive"
    assert verdict.warnings[-1] == "correctness of t got worse by 0.07; it may be real."


def test_inconclusive__warns_of_exactly_the_smallest_effect() -> None:
    """0.05 may be real, in spite of floats; 0.045 is too small to be worth a word."""
    for low, said in ((0.2, True), (0.26, False)):
        verdict = verdict_of(run_of(columns([low] * 2 + [0.8] * 22)), BASELINE)

        assert "inconclusive" == verdict.status
        assert said == any("may be real" in text for text in verdict.warnings)


def test_inconclusive__no_warning_of_a_drop_of_nothing() -> None:
    """Where any drop counts, a row that did not move has none."""
    still = run_of(columns([0.8] * 10))

    verdict = verdict_of(still, baseline_of(still), Policy(min_effect=0.0))

    assert "inconclusive" == verdict.status
    assert not any("may be real" in text for text in verdict.warnings)


def test_inconclusive__different_doubts_are_told_apart() -> None:
    """Noise, cases without a score, and a drop too small for a provisional licence."""
    metrics = [Metric(name=name) for name in ("noise", "lost", "held")]
    policy = Policy(rules={"noise": Rule(margin=0.2)})

    def run(noise: Sequence[float], lost: Sequence[float | None], held: float) -> Run:
        return run_of(
            [
                cell("t", f"c{i:02d}", {"noise": [a], "lost": [b], "held": [held]})
                for i, (a, b) in enumerate(zip(noise, lost, strict=True))
            ],
            [*metrics[:2], metrics[2].model_copy(update={"judged": True})],
        )

    base = run([0.5] * 20, [1.0] * 20, 0.8)
    new = run([0.0, 1.0] * 10, [None] * 2 + [0.9] * 4 + [1.0] * 14, 0.73)
    verdict = verdict_of(new, baseline_of(base), policy, "provisional")

    assert verdict.headline == (
        "No regression found; too noisy to rule out a drop of 0.20 in noise; lost would be one if "
        "the cases without a score had the worst one; held fell, by less than a provisional "
        "licence can fail (0.10)."
    )


def test_inconclusive__rows_of_several_targets() -> None:
    """Different dimensions of different targets are named one by one."""
    base, new = two_targets(0.8), two_targets(0.8)
    cells = []
    for i, one in enumerate(new.cells):
        metric = "correctness" if one.target == "t" else "relevance"
        value = 1.0 if i % 2 else 0.5
        cells.append(replace(one, scores={**one.scores, metric: (value,)}))
    assert verdict_of(
        new.model_copy(update={"cells": tuple(cells)}), baseline_of(base)
    ).headline == (
        "No regression found; too noisy to rule out a drop of 0.10 in correctness of t; relevance "
        "of u."
    )


def test_inconclusive__plan_that_could_only_fail() -> None:
    """Eight cases: no wonder."""
    run = run_of(columns([0.8] * 8))
    assert verdict_of(run, baseline_of(run)).headline == (
        "No regression found; too few cases to rule out a drop of 0.10 in correctness. A plan of "
        "8 cases can only fail, not pass: to pass, each dimension needs 13 compared cases."
    )


def test_inconclusive__plan_that_could_do_neither() -> None:
    """Three cases of an imported run."""
    run = run_of(columns([0.8] * 3))
    assert verdict_of(run, baseline_of(run)).headline.endswith(
        "A plan of 3 cases can neither fail nor pass: to pass, each dimension needs 13 compared "
        "cases."
    )


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (3, "A plan of 24 cases, 3 of them compared, can neither fail nor pass: to pass, "),
        (8, "A plan of 24 cases, 8 of them compared, can only fail, not pass: to pass, "),
    ],
)
def test_inconclusive__baseline_of_a_few_of_the_cases(known: int, said: str) -> None:
    """What counts is the cases that can be compared, not those that were asked."""
    run = run_of(columns([0.8] * 24))
    headline = verdict_of(run, baseline_of(run_of(columns([0.8] * known)))).headline
    assert headline.endswith(f"{said}each dimension needs 13 compared cases.")


def test_inconclusive__few_cases_are_told_from_noise() -> None:
    """Nine cases cannot pass whatever they say, and 24 that scatter could have."""
    metrics = [Metric(name="few"), Metric(name="noisy")]
    cells = [
        cell("t", f"c{i:02d}", {"few": [0.8 if i < 9 else None], "noisy": [i % 2]})
        for i in range(24)
    ]
    calm = [replace(one, scores={**one.scores, "noisy": (0.5,)}) for one in cells]
    verdict = verdict_of(run_of(cells, metrics), baseline_of(run_of(calm, metrics)))

    assert verdict.headline.startswith(
        "No regression found; too few cases to rule out a drop of 0.10 in few and too noisy to "
        "rule out a drop of 0.10 in noisy. A plan of 24 cases, 9 of them compared, can only fail"
    )


def test_inconclusive__as_many_cases_as_can_pass_are_not_too_few() -> None:
    """Thirteen cases that scatter are too noisy: as many that do not would pass."""
    base, new = (run_of(columns(values)) for values in ([0.5] * 13, [0.3, 0.7] * 6 + [0.5]))

    assert "; too noisy to rule out" in verdict_of(new, baseline_of(base)).headline


def test_pass__averages_say_nothing_of_the_plan() -> None:
    """Two averages have no test that five cases are too few for."""
    averages = Baseline(averages={"t": {"correctness": 0.8}}, metrics=(CORRECTNESS,))
    verdict = verdict_of(run_of(columns([0.8] * 5)), averages)

    assert "Pass: no mean drop larger than 0.05 in correctness" in verdict.headline
    assert "plan" not in verdict.headline


def test_inconclusive__a_row_that_passed_is_not_said_to_be_unable_to() -> None:
    """Nine cases that all rose pass; of the other row the sentence before says it."""
    metrics = [Metric(name="rose"), Metric(name="still")]
    base, new = (
        run_of([cell("t", f"c{i}", {"rose": [x], "still": [0.8]}) for i in range(9)], metrics)
        for x in (0.2, 0.9)
    )
    verdict = verdict_of(new, baseline_of(base))

    assert ["pass", "inconclusive"] == [row.outcome for row in verdict.comparisons]
    assert verdict.headline == (
        "No regression found; too few cases to rule out a drop of 0.10 in still."
    )


def test_pass__is_not_said_to_be_impossible() -> None:
    """Eight cases that all got better pass, though eight that stay the same would not."""
    base, new = run_of(columns([0.2] * 8)), run_of(columns([0.9] * 8))
    verdict = verdict_of(new, baseline_of(base))

    assert (verdict.status, verdict.headline) == (
        "pass",
        "Pass: no drop larger than 0.10 in correctness.",
    )


@pytest.mark.parametrize(("now", "status"), [([0.8] * 24, "pass"), ([0.3, 1.0, 1.0] * 8, None)])
def test_green__says_what_fell_without_a_licence(now: list[float], status: str | None) -> None:
    """A dimension that may not gate collapsed: the headline must not hide it."""

    def cells(values: list[float], other: float) -> list[Cell]:
        return [
            cell("t", f"c{i:02d}", {"correctness": [value], "relevance": [other]})
            for i, value in enumerate(values)
        ]

    base = run_of(cells([0.8] * 24, 0.9), [CORRECTNESS, RELEVANCE])
    run = run_of(cells(now, 0.2), [CORRECTNESS, RELEVANCE])
    comparison = compare(run, baseline_of(base), Policy())
    verdict = decide(
        run,
        comparison,
        [licence("correctness"), licence("relevance", "unlabelled")],
        Policy(),
        narrowed=False,
        seed="s",
        commits=Commits(),
        reproduce=(),
    )

    assert 0 == verdict.exit_code
    assert verdict.status == (status or "inconclusive")
    assert "Without a licence, but look: relevance fell by 0.70" in verdict.headline


def test_pass__says_which_limit_nothing_was_held_against() -> None:
    """Answers without a latency, as from a journal: the pass does not stand on it unseen."""
    cells = [
        replace(one, attempts=tuple(replace(a, latency_s=None) for a in one.attempts))
        for one in columns([0.8] * 24)
    ]
    policy = Policy(limits={"p50_latency_s": 3.0, "usd_per_1k": 5.0})

    found = verdict_of(run_of(cells), BASELINE, policy)

    words = "limits.p50_latency_s was not checked for t: this run has no figure for it."
    assert "pass" == found.status
    assert [words] == [text for text in found.warnings if "limits." in text]
