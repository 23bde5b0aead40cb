"""What a verdict carries, and that its statuses go in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.decision.on_head import Head, decide_on_head
from gate.types import (
    Commits,
    Cost,
    Metric,
    Plan,
    Policy,
    Rule,
    Run,
    TargetInfo,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    baseline_of,
    cell,
    columns,
    noisy,
    run_of,
    verdict_of,
)

N = 24


BASE = run_of(columns([0.8] * N))


SAME = BASE


BASELINE = baseline_of(BASE)


ONE_REPEAT = (
    "The baseline has 1 repeat of some cases: one lucky baseline fails runs that changed nothing. "
    "Give `gate baseline` five runs."
)


BASELINE_WARNING = (ONE_REPEAT,)


def test_verdict__carries_what_it_was_given() -> None:
    """Seed, commits, lines to type, edits, attempts and cost stand in the file."""
    commits = Commits(base="b", head="h", evaluated="e")
    verdict = verdict_of(
        run_of(columns([0.8] * N), warnings=("one", "one"), cost=Cost(usd=1.5, calls=3)),
        BASELINE,
        seed="week-31",
        commits=commits,
        reproduce=["a", "b"],
        edits=["baseline.json"],
        attempts=2,
    )

    assert (verdict.seed, verdict.commits, verdict.attempts) == ("week-31", commits, 2)
    assert (verdict.reproduce, verdict.edits) == (("a", "b"), ("baseline.json",))
    assert verdict.warnings == ("one", *BASELINE_WARNING)
    assert verdict.cost == Cost(usd=1.5, calls=3)


def test_verdict__judge_of_the_targets_family_is_warned_of() -> None:
    """Judges prefer their own; without a judged metric there is nothing to prefer."""
    infos = (TargetInfo(name="t", use="x", family="claude"),)
    run = run_of(columns([0.8] * N), targets=["t"], judge_family="claude")
    run = run.model_copy(update={"targets": infos})
    assert verdict_of(run, BASELINE).warnings[-1] == (
        "The judge is of the same family (claude) as t: judges prefer their own."
    )
    unjudged = run.model_copy(
        update={"metrics": (CORRECTNESS.model_copy(update={"judged": False}),)}
    )
    assert verdict_of(unjudged, BASELINE).warnings == BASELINE_WARNING


def test_verdict__a_panel_is_looked_at_judge_by_judge() -> None:
    """One judge of the target's family is enough; their agreement and noise stand beside."""
    infos = (TargetInfo(name="t", use="x", family="gemini"),)
    said = {"correctness": {f"{one}#{n}": (0.8,) for one in "ab" for n in (1, 2)}}
    cells = [replace(one, members=said) for one in columns([0.8] * N)]
    run = run_of(cells, judge_family="claude", judge_families=("claude", "gemini"))
    found = verdict_of(run.model_copy(update={"targets": infos}), BASELINE)

    assert found.warnings[-1] == (
        "A judge of the panel is of the same family (gemini) as t: judges prefer their own."
    )
    assert [("correctness", N)] == [(one.dimension, one.n) for one in found.panel]
    assert [("correctness", 0.0, 2)] == [
        (one.dimension, one.judge, one.rulings)
        for one in decide_on_head(run, BASELINE, (), Policy(), Head())[1].noise
    ]
    alone = run.model_copy(update={"judge_families": ("claude",)})
    assert "All judges of the panel are of one family (claude)" in "".join(
        verdict_of(alone, BASELINE).warnings
    )


def test_verdict__only_the_targets_of_the_judges_family_are_named() -> None:
    """Of two targets the one; a metric without a judge beside it changes nothing."""
    both = [CORRECTNESS, Metric(name="exact", judged=False)]
    cells = [
        cell(name, f"case-{i:02d}", {"correctness": [0.8], "exact": [1.0]})
        for name in "tu"
        for i in range(N)
    ]
    infos = tuple(
        TargetInfo(name=name, use="x", family=family)
        for name, family in (("t", "claude"), ("u", "gemini"))
    )
    run = run_of(cells, both, judge_family="claude").model_copy(update={"targets": infos})

    assert "(claude) as t: judges prefer" in verdict_of(run, baseline_of(run)).warnings[-1]


def test_verdict__a_regression_says_at_which_look() -> None:
    """What was spared is said of a run that fails early as of one that passes."""
    cases = tuple(f"case-{i:02d}" for i in range(N))
    plan = Plan(case_ids=cases, total=72, looks=3, look=1, planned=72)
    run = run_of(columns([0.3] * N), plan=plan)

    assert "Decided at look 1 of 3" in verdict_of(run, BASELINE).headline


def test_verdict__is_comparable_where_a_row_that_can_fail_is() -> None:
    """Of two judged dimensions one has another judge; without both there is nothing to hold."""
    both = [CORRECTNESS, Metric(name="relevance", judged=True)]
    cells = [
        cell("t", f"case-{i:02d}", {"correctness": [0.8], "relevance": [0.8]}) for i in range(N)
    ]
    base = run_of(cells, both)
    other = base.identities["relevance"].model_copy(update={"judge": "other"})

    def comparable(*changed: str) -> bool:
        identities = {**base.identities, **dict.fromkeys(changed, other)}
        run = base.model_copy(update={"identities": identities})
        return verdict_of(run, baseline_of(base)).identity.comparable

    assert [True, True, False] == [
        comparable(),
        comparable("relevance"),
        comparable("relevance", "correctness"),
    ]


KINDS: dict[str, list[float | None]] = {
    "same": [*[0.8] * N],
    "fallen": [*[0.5] * N],
    "noisy": [*[0.3, 1.0, 1.0] * (N // 3)],
    "lost": [None, None, None, *[0.8] * (N - 3)],
}


@settings(max_examples=60, deadline=None)
@given(
    kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3),
    report_only=st.booleans(),
)
def test_verdict__statuses_go_in_their_order(kinds: list[str], *, report_only: bool) -> None:
    """report, nothing measured, regression, something unmeasured, inconclusive, pass."""
    metrics = [Metric(name=f"m{i}") for i in range(len(kinds))]

    def run(columns_of: Sequence[Sequence[float | None]]) -> Run:
        return run_of(
            [
                cell("t", f"c{i:02d}", {f"m{j}": [one[i]] for j, one in enumerate(columns_of)})
                for i in range(N)
            ],
            metrics,
        )

    verdict = verdict_of(
        run([KINDS[kind] for kind in kinds]),
        baseline_of(run([KINDS["same"]] * len(kinds))),
        Policy(report_only=report_only),
    )
    expected = (
        "report"
        if report_only
        else "broken"
        if set(kinds) == {"lost"}
        else "regression"
        if "fallen" in kinds
        else "broken"
        if "lost" in kinds
        else "inconclusive"
        if "noisy" in kinds
        else "pass"
    )
    assert expected == verdict.status


def test_verdict__simulated_runs() -> None:
    """A single test at q = 0.10 fails at most one unchanged run in ten, and sees a drop of 0.20.

    The seeds are fixed, so the counts are too.
    """

    def regressed(seed: int, drop: float) -> bool:
        base, new = noisy(seed, 48, drop)
        verdict = verdict_of(run_of(columns(new)), baseline_of(run_of(columns(base))))
        return verdict.status == "regression"

    assert sum(regressed(seed, 0.0) for seed in range(100)) <= 10
    assert sum(regressed(seed, 0.2) for seed in range(1_000, 1_030)) >= 27


def test_verdict__of_a_first_attempt() -> None:
    """Unless more are said to be pooled, there was one."""
    assert 1 == verdict_of(BASE, BASELINE).attempts


def test_verdict__knows_where_the_baselines_answers_are_stored() -> None:
    """They are judged by the judge that is another one now."""
    other = BASE.identities["correctness"].model_copy(update={"judge": "claude-y"})
    run = BASE.model_copy(update={"identities": {"correctness": other}})
    step = verdict_of(run, BASELINE, stored="evals/answers.jsonl").next_step

    assert "gate judge evals/answers.jsonl --out rejudged" in (step or "")


def test_verdict__is_comparable_where_a_row_that_can_fail_it_is() -> None:
    """A row that only advises counts where nothing else is there."""
    metrics = [CORRECTNESS, Metric(name="exact")]
    cells = [cell("t", f"c{i:02d}", {"correctness": [0.8], "exact": [0.8]}) for i in range(N)]
    before = run_of(cells, metrics)
    own = before.identities["correctness"].model_copy(update={"judge": "claude-y"})
    after = before.model_copy(update={"identities": {**before.identities, "correctness": own}})
    advisory = {name: Rule(gating=False) for name in ("correctness", "exact")}

    def comparable(*names: str) -> bool:
        policy = Policy(rules={name: advisory[name] for name in names})
        return verdict_of(after, baseline_of(before), policy).identity.comparable

    assert not comparable("exact")
    assert comparable("correctness")
    assert comparable("correctness", "exact")


def test_verdict__answers_without_a_source_are_what_the_system_did() -> None:
    """Though too few scores are left to compare, they are no broken machine."""

    def answers(scored: int, *, grounded: bool) -> Run:
        made = columns([0.8] * scored + [None] * (N - scored))
        return run_of(
            [replace(one, attempts=(replace(one.attempts[0], grounded=grounded),)) for one in made]
        )

    found = verdict_of(answers(4, grounded=False), baseline_of(answers(N, grounded=True)))

    assert ("regression", 1) == (found.status, found.exit_code)
    assert "answers without a source rose from 0% to 100%" in found.headline
