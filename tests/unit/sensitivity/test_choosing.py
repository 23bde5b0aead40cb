"""Which good answers are damaged."""

from __future__ import annotations

from gate.sensitivity.choosing import choose_good
from gate.types import Answer, Case, Failure, Metric, Question, Result, Score, Source

METRICS = [
    Metric(name="relevance", judged=True),
    Metric(name="correctness", judged=True),
    Metric(name="faithfulness", judged=True, counts="claims"),
    Metric(name="words"),
]
CASES = {
    name: Case(question=Question(id=name, input="How high?"), assertions=("gives 1,204 m",))
    for name in ("a", "b", "c", "d")
}


def result(case: str, text: str = "It is old.", attempt: int = 0, **scores: float | None) -> Result:
    """An answer, good in all dimensions but those that are named."""
    answer = Answer(text=text, sources=(Source(uri="https://x.example"),))
    values = {"relevance": 1.0, "correctness": 1.0, "faithfulness": 0.0, "words": 0.0, **scores}
    return Result(
        case_id=case,
        category="c",
        case_digest="d",
        target="t",
        attempt=attempt,
        question="How high?",
        answer=answer,
        answer_digest=answer.digest,
        scores=tuple(Score(metric=name, value=value) for name, value in values.items()),
    )


def chosen(*results: Result, most: int = 9) -> list[tuple[str, str]]:
    """Case and text of what is chosen."""
    found = choose_good(results, METRICS, CASES, most)
    return [(one.result.case_id, one.result.answer.text) for one in found]


def test_choose_good__only_good_ones() -> None:
    """Every dimension of whole answers from 2/3 on; what was not scored does not count."""
    assert [("a", "It is old."), ("d", "It is old.")] == chosen(
        result("a"),
        result("b", relevance=0.5),
        result("c", relevance=None, correctness=None),
        result("d", correctness=None, relevance=2 / 3),
        result("unknown"),
    )


def test_choose_good__no_failure() -> None:
    """An answer that is none cannot be damaged."""
    failed = result("a").model_copy(
        update={
            "answer": Answer(failure=Failure(kind="empty", message="nothing")),
            "answer_digest": None,
        }
    )

    assert [] == chosen(failed)


def test_choose_good__one_a_case_with_most_to_damage() -> None:
    """The answer with the expected figure can be damaged in one way more."""
    rich = result("a", "It is 1,204 m high.", attempt=1)

    assert [("a", "It is 1,204 m high.")] == chosen(result("a"), rich)
    assert [("a", "It is 1,204 m high.")] == chosen(rich, result("a"))


def test_choose_good__the_first_ones_by_what_can_be_done() -> None:
    """At most so many, whatever the order of the file."""
    rich = result("d", "It is 1,204 m high.")
    given = [result("a"), result("b"), result("c"), rich]

    assert ("d", "It is 1,204 m high.") in chosen(*given, most=2)
    assert chosen(*given, most=2) == chosen(*reversed(given), most=2)
    assert 2 == len(chosen(*given, most=2))


def test_choose_good__damages_that_no_dimension_should_see_are_left_out() -> None:
    """A figure that is neither expected nor cited is nobody's matter."""
    (one,) = choose_good([result("a", "It has 12 huts.")], METRICS, CASES, 1)

    assert {"sources_stripped", "padding_added"} == set(one.damages)
