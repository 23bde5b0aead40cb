"""How much of a score's noise is the judge's."""

from __future__ import annotations

import pytest

from gate.decision.baseline import make_baseline
from gate.decision.judge_noise import judge_noise, noise_of, noise_of_baseline, noise_words
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
        (0.18, "more judge repeats would hardly help"),
        (0.4, "more judge repeats a little"),
        (0.6, "more judge repeats help most"),
    ],
)
def test_noise_words__say_what_follows(share: float, says: str) -> None:
    """A small part is not worth more rulings, a large one is."""
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
