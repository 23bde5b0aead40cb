"""How much of a score's noise is the judge's."""

from __future__ import annotations

import pytest

from gate.decision.baseline import make_baseline
from gate.decision.judge_noise import (
    judge_noise,
    judging_of,
    noise_of,
    noise_of_baseline,
    noise_words,
)
from gate.types import Baseline, Cell, Identity, JudgeNoise, NoiseFinding, Run
from tests.unit.decision.decision_samples import CORRECTNESS, EXACT, JUDGED_BY, cell, run_of


def twice(case: str, *answers: tuple[float | None, float | None]) -> Cell:
    """A case whose answers one judge ruled on twice."""
    scores = [None if None in said else sum(v or 0.0 for v in said) / 2 for said in answers]
    first, second = zip(*answers, strict=True)
    members = {"correctness": {"a#1": first, "a#2": second}}
    return cell("t", case, {"correctness": scores}, members=members)


def judged(*cells: Cell, identity: Identity = JUDGED_BY, run_id: str = "r") -> Run:
    """A run of these cells."""
    made = run_of(cells, [CORRECTNESS, EXACT])
    return made.model_copy(update={"id": run_id, "identities": {"correctness": identity}})


def test_judge_noise__of_one_judge() -> None:
    """Squares of 0.02 and 0.08 over two answers are 0.05 a ruling, 0.025 of a mean of two."""
    found = judge_noise(
        [twice("c", (0.4, 0.6)), twice("d", (0.5, 0.9), (None, 0.1))], "correctness"
    )

    assert JudgeNoise(variance=0.025, rulings=2, n=2) == found


def test_judge_noise__of_a_panel() -> None:
    """That judges differ is no noise; what each has is, over the square of their number."""
    members = {"a#1": (0.4,), "a#2": (0.6,), "b#1": (0.9,), "b#2": (0.9,)}
    one = cell("t", "c", {"correctness": [0.7]}, members={"correctness": members})

    assert JudgeNoise(variance=0.0025, rulings=2, n=1) == judge_noise([one], "correctness")


def test_judge_noise__single_rulings_tell_nothing() -> None:
    """Neither of one judge nor of a panel, nor of answers that have no value."""
    panel = cell("t", "c", {"correctness": [0.7]}, members={"correctness": {"a": (1,), "b": (0,)}})

    assert judge_noise([cell("t", "c", {"correctness": [0.7]})], "correctness") is None
    assert judge_noise([panel], "correctness") is None
    assert judge_noise([twice("c", (None, 0.5))], "correctness") is None


def test_judge_noise__of_a_judge_less_is_passed_over() -> None:
    """An answer that only one of the judges ruled on is another panel's."""
    members = {"a#1": (0.4,), "a#2": (0.6,), "b#1": (0.9,), "b#2": (0.9,)}
    one = cell("t", "c", {"correctness": [0.7]}, members={"correctness": members})

    found = judge_noise([one, twice("d", (0.0, 1.0))], "correctness")

    assert JudgeNoise(variance=0.0025, rulings=2, n=1) == found


def test_noise_of__splits_within_cases() -> None:
    """Scores of 0.5 and 0.7 vary by 0.02 within their case, of which 0.01 is the judge's."""
    (found,) = noise_of(judged(twice("c", (0.4, 0.6), (0.6, 0.8)), twice("d", (0.1, 0.3))))

    assert ("correctness", 2, 3, 1) == (found.dimension, found.rulings, found.n, found.cases)
    assert (0.01, 0.01, 0.5) == (found.judge, found.answer, found.share)


def test_noise_of__takes_the_answers_from_the_baseline() -> None:
    """A pull request's single answers tell nothing of answering anew; the baseline's do."""
    run = judged(twice("c", (0.4, 0.6)))
    past = [judged(twice("c", (v, v)), run_id=str(v)) for v in (0.3, 0.7)]

    (alone,) = noise_of(run)
    (held,) = noise_of(run, make_baseline(past))
    other = make_baseline([r.model_copy(update={"identities": {}}) for r in past])
    unlike = Identity(judge="other", prompt="p1", scorer="s1")
    (apart,) = noise_of(judged(twice("c", (0.4, 0.6)), identity=unlike), make_baseline(past))

    assert (0.01, None, None, 0) == (alone.judge, alone.answer, alone.share, alone.cases)
    assert (0.01, 0.07, 0.125, 1) == (held.judge, held.answer, held.share, held.cases)
    assert apart.answer is None
    assert held == noise_of(run, other)[0]
    assert alone == noise_of(run, Baseline())[0]


def test_noise_of_baseline__is_what_its_runs_said() -> None:
    """The baseline keeps the judge's part and no single ruling; one ruled on once has none."""
    past = [judged(twice("c", (v - 0.1, v + 0.1)), run_id=str(v)) for v in (0.3, 0.7)]
    baseline = make_baseline(past)

    (found,) = noise_of_baseline(baseline)

    assert all(not one.members for one in baseline.cells)
    assert (0.01, 0.07, 0.125) == (found.judge, found.answer, found.share)
    assert () == noise_of_baseline(make_baseline([judged(cell("t", "c", {"correctness": [0.7]}))]))


@pytest.mark.parametrize(
    ("share", "says"),
    [
        (0.18, "18% is the judge's and 82% the answers'"),
        (0.6, "60% is the judge's and 40% the answers'"),
        (0.18, "more judge repeats would hardly help"),
        (0.25, "more judge repeats a little"),
        (0.4, "more judge repeats a little"),
        (0.5, "more judge repeats help most"),
        (0.6, "more judge repeats help most"),
    ],
)
def test_noise_words__say_what_follows(share: float, says: str) -> None:
    """A part below a quarter is not worth more rulings, one from a half on is."""
    one = NoiseFinding(
        dimension="d", judge=share, answer=1 - share, share=share, rulings=2, n=24, cases=9
    )

    assert says in noise_words(one)
    assert "24 answers ruled on 2 times, 9 cases with several answers" in noise_words(one)


def test_noise_words__where_there_is_no_share() -> None:
    """One answer a case leaves the answers' part open; no noise at all needs no repeats."""
    bare = {"dimension": "d", "share": None, "rulings": 3, "n": 1, "cases": 0}
    unknown = NoiseFinding.model_validate(bare | {"judge": 0.01, "answer": None})
    none = NoiseFinding.model_validate(bare | {"judge": 0.0, "answer": 0.0})

    assert "no case has two answers: set `run.repeats`" in noise_words(unknown)
    assert "one score has no noise (1 answer ruled on 3 times)" in noise_words(none)


def test_judge_noise__of_a_judge_that_ruled_once_leaves_the_panel_open() -> None:
    """What ruling anew would change in the mean of both is not known by one of them."""
    members = {"a#1": (0.4,), "a#2": (0.6,), "b": (0.9,)}
    one = cell("t", "c", {"correctness": [0.7]}, members={"correctness": members})

    assert judge_noise([one], "correctness") is None


def test_judge_noise__counts_the_rulings_that_every_answer_has() -> None:
    """Two on one answer and three on the other; squares of 0.02 and 0.08 over 1 + 2."""
    members = {"a#1": (0.5,), "a#2": (0.7,), "a#3": (0.9,)}
    three = cell("t", "d", {"correctness": [0.7]}, members={"correctness": members})

    for cells in ([twice("c", (0.4, 0.6)), three], [three, twice("c", (0.4, 0.6))]):
        found = judge_noise(cells, "correctness")

        assert JudgeNoise(variance=round(0.1 / 3 / 2, 9), rulings=2, n=2) == found


def test_noise_of__an_answer_without_a_score_is_passed_over() -> None:
    """Beside two that have one, and in a run in which a case was ruled on once."""
    cells = [
        twice("c", (0.4, 0.6), (0.6, 0.8), (None, 0.5)),
        cell("t", "d", {"correctness": [0.5, None]}),
    ]

    (found,) = noise_of(judged(*cells))

    assert (0.01, 0.01, 1) == (found.judge, found.answer, found.cases)


def test_noise__is_of_judged_dimensions_alone() -> None:
    """Rulings of something that no judge gives are not the judge's noise."""
    ruled = {"a#1": (0.4,), "a#2": (0.6,)}
    scores = {"correctness": [0.5], "exact": [0.5]}
    one = cell("t", "c", scores, members={"correctness": ruled, "exact": ruled})
    run = judged(one)

    assert ["correctness"] == [found.dimension for found in noise_of(run)]
    assert ["correctness"] == list(judging_of(run.metrics, run.cells))


def test_judging_of__keeps_what_was_ruled_on_several_times() -> None:
    """A case without several rulings hides no other one, and a dimension without any has none."""
    metrics = [CORRECTNESS, CORRECTNESS.model_copy(update={"name": "relevance"})]
    once = cell("t", "d", {"correctness": [0.5], "relevance": [0.5]})

    found = judging_of(metrics, [twice("c", (0.4, 0.6)), once])

    assert {"correctness": JudgeNoise(variance=0.01, rulings=2, n=1)} == found
    assert {} == judging_of(metrics, [once])
