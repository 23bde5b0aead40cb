"""Which cases are asked again, and what of the fresh answers counts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.comparison import compare
from gate.decision.confirming import Suspicion, suspicion_of
from gate.decision.verdict import decide
from gate.stats.sampling import order_key
from gate.types import Agreement, Baseline, Commits, Confirm, Policy, Run, Verdict
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
IDS = tuple(f"case-{i:02d}" for i in range(N))
BASE = baseline_of(run_of(columns([0.9] * N)))
WORSE = [0.3] * 12 + [0.9] * 12
QUIET = Policy(fallen_cases="off")


def suspected(run: Run, baseline: Baseline, *licences: Agreement) -> Suspicion | None:
    """What would be asked again."""
    comparison = compare(run, baseline, QUIET)
    verdict = decide(
        run,
        comparison,
        licences or [licence()],
        QUIET,
        narrowed=False,
        seed="s",
        commits=Commits(),
        reproduce=(),
    )
    return suspicion_of(run, comparison, verdict, QUIET)


def two(correctness: Sequence[float], relevance: Sequence[float]) -> Run:
    """A run of two dimensions."""
    pairs = zip(IDS, correctness, relevance, strict=True)
    cells = [
        cell("t", case, {"correctness": [one], "relevance": [two]}) for case, one, two in pairs
    ]
    return run_of(cells, [CORRECTNESS, RELEVANCE])


@pytest.mark.parametrize(
    ("relevance", "state"),
    [([0.9] * 18 + [0.3] * 6, "unvalidated"), ([0.9] * 23 + [0.3], "validated")],
)
def test_suspicion__only_of_rows_that_would_fail_the_run(
    relevance: list[float], state: str
) -> None:
    """Neither an advisory row that fell nor one bad case of a row that did not adds a case."""
    base = baseline_of(two([0.9] * N, [0.9] * N))
    found = suspected(
        two([0.3] * 8 + [0.9] * 16, relevance),
        base,
        licence(),
        licence("relevance", state),  # type: ignore[arg-type]  # a state's name
    )

    assert found is not None
    assert ((("t", "correctness"),), 8) == (found.rows, found.fallen)


def test_suspicion__others_by_the_hash_of_the_plans_seed() -> None:
    """Which they are nobody can choose, and the list is sorted."""
    run = run_of(columns([0.3] * 5 + [0.9] * 19))
    found = suspected(run, BASE)
    rest = sorted(IDS[5:], key=lambda case: order_key(f"{run.plan.seed} asked again", case))

    assert found is not None
    assert tuple(sorted([*IDS[:5], *rest[:5]])) == found.case_ids


def test_suspicion__a_fall_of_exactly_the_smallest_effect() -> None:
    """0.05 has fallen, in spite of floats; 0.04 has not, and a case that rose never has."""
    run = run_of(columns([0.3] * 4 + [0.85] * 3 + [0.86] * 3 + [0.95] * 14))
    found = suspected(run, BASE)

    assert found is not None
    assert 7 == found.fallen


def test_suspicion__a_case_that_did_not_move_has_not_fallen() -> None:
    """Not even where any drop counts."""
    run = run_of(columns(WORSE))
    policy = Policy(min_effect=0.0, fallen_cases="off")
    found = suspicion_of(run, compare(run, BASE, policy), verdict_of(run, BASE, policy), policy)

    assert found is not None
    assert 12 == found.fallen


def in_categories(broken: int, repeats: int = 1) -> Run:
    """Forty-eight cases of six categories; some of the first category's broke."""
    return run_of(
        [
            cell(
                "t",
                f"{name}-{i}",
                {"correctness": [0.32 if name == "a" and i < broken else 0.9] * repeats},
                category=name,
            )
            for name in "abcdef"
            for i in range(8)
        ]
    )


def test_suspicion__of_a_category_its_own_cases() -> None:
    """Four fell, and the other four of the category are asked beside them."""
    found = suspected(in_categories(4), baseline_of(in_categories(0, 5)))

    assert found is not None
    assert (4, tuple(f"a-{i}" for i in range(8))) == (found.fallen, found.case_ids)


def test_second_look__of_a_category_counts_all_of_its_cases() -> None:
    """Eight cases were asked again: half of them fell again, or none did."""

    def looked(broken: int) -> Verdict:
        look = Confirm(
            suspects=(("t", "correctness"),),
            case_ids=tuple(f"a-{i}" for i in range(8)),
            candidate=tuple(one for one in in_categories(broken).cells if one.category == "a"),
            base=tuple(one for one in in_categories(0).cells if one.category == "a"),
        )
        run = in_categories(4).model_copy(update={"confirm": look})
        return verdict_of(run, baseline_of(in_categories(0, 5)), QUIET)

    rows = [
        next(one for one in looked(broken).comparisons if one.category == "a") for broken in (4, 0)
    ]
    found = rows[0].confirm

    assert ["regression", "inconclusive"] == [one.outcome for one in rows]
    assert found is not None
    assert (8, 0.61, 0.9, 0.9) == (found.n, found.candidate, found.base, found.before)


def look(
    candidate: Sequence[float | None], base: Sequence[float | None], **more: object
) -> Confirm:
    """Fresh answers to the first cases."""
    made = Confirm(
        suspects=(("t", "correctness"),),
        case_ids=IDS[: len(candidate)],
        candidate=tuple(columns(candidate)),
        base=tuple(columns(base)),
    )
    return made.model_copy(update=more)


def decided(confirm: Confirm, policy: Policy | None = None, **more: object) -> Verdict:
    """The verdict on a run that would regress, with this second look."""
    run = run_of(columns(WORSE), confirm=confirm)
    return verdict_of(run.model_copy(update=more), BASE, policy)


def said(verdict: Verdict) -> str:
    """What the second look says of the only row."""
    (one,) = verdict.comparisons
    assert one.confirm is not None
    assert one.confirm.because == one.note
    return one.confirm.because


def test_said__is_the_rows_remark_in_every_case() -> None:
    """Confirmed, not confirmed, and not asked."""
    looks = [
        look([0.3] * 18, [0.9] * 18),
        look([0.9] * 18, [0.9] * 18),
        look([None] * 18, [0.9] * 18),
    ]

    for one, words in zip(
        looks, ("confirmed: ", "not confirmed: ", "not confirmed, "), strict=True
    ):
        assert said(decided(one)).startswith(words)


def test_said__at_the_rate_of_the_second_look() -> None:
    """Three of three fell again: p is 1/8, enough at 0.125 and too much below."""
    one = look([0.3] * 3, [0.9] * 3)

    assert "confirmed: " == said(decided(one, Policy(confirm_q=0.125)))[:11]
    assert "not confirmed: " == said(decided(one, Policy(confirm_q=0.1249)))[:15]


def test_coverage__as_much_as_in_the_first_look() -> None:
    """Nine of ten cases are enough, and cases that nobody asked about do not count."""
    most = look([0.3] * 9 + [None], [0.9] * 10)
    stray = look([0.3] * 9 + [None] * 3, [0.9] * 12, case_ids=IDS[:9])

    assert ["confirmed: ", "confirmed: "] == [said(decided(one))[:11] for one in (most, stray)]


@pytest.mark.parametrize(
    ("candidate", "base", "words"),
    [
        (0.8, 0.85, "base fell as well"),
        (0.85, 0.86, "no further apart than noise"),
        (0.86, 0.86, "the candidate did not fall again"),
    ],
)
def test_why_not__at_the_smallest_effect(candidate: float, base: float, words: str) -> None:
    """A fall of 0.05 is one, of either arm, and one of 0.04 is none."""
    assert words in said(decided(look([candidate] * 2, [base] * 2)))


def test_before__of_the_cases_that_were_compared_again() -> None:
    """The baseline's mean on two of the cases, where the others had more."""
    baseline = baseline_of(run_of(columns([0.7, 0.8, *[0.9] * 22])))
    run = run_of(columns([0.1, 0.2, *WORSE[2:]]), confirm=look([0.1, 0.2], [0.7, 0.8]))
    (one,) = verdict_of(run, baseline).comparisons

    assert 0.75 == getattr(one.confirm, "before", None)


def test_second_look__of_the_rows_that_can_fail_the_run() -> None:
    """An advisory row that fell keeps what it says, and so does one that passes."""
    one = look([0.9] * 18, [0.9] * 18)
    fell = verdict_of(run_of(columns(WORSE), confirm=one), BASE, state="unvalidated")
    passed = verdict_of(run_of(columns([0.9] * N), confirm=one), BASE)

    assert [("regression", None), ("pass", None)] == [
        (verdict.comparisons[0].outcome, verdict.comparisons[0].confirm)
        for verdict in (fell, passed)
    ]


def test_second_look__cases_that_belong_together_count_once() -> None:
    """Six cases of three pages fell again: three coins, p 1/8, where six alone would be 1/64."""
    run = run_of(columns(WORSE), confirm=look([0.3] * 6 + [0.9] * 12, [0.9] * 18))
    paged = {case: f"page {place // 2}" for place, case in enumerate(IDS)}
    together = run.model_copy(update={"plan": run.plan.model_copy(update={"clusters": paged})})

    (alone,), (found,) = (verdict_of(one, BASE, QUIET).comparisons for one in (run, together))

    assert ("regression", "inconclusive") == (alone.outcome, found.outcome)
    assert found.confirm is not None
    assert 0.125 == found.confirm.p
