"""Which answers are rated next: those that tell most, spread, and some by lot."""

from __future__ import annotations

from gate.labelling.choosing import Candidate, Heard, batch, mixed, ranked


def answer(case_id: str, *said: float | str, category: str = "x", number: int = 0) -> Candidate:
    """An answer of which the judge said this, once for each time it was asked."""
    heard = (Heard(dimension="correctness", said=said),)
    return Candidate(case_id=case_id, category=category, answer=f"{case_id}-{number}", heard=heard)


def first(*candidates: Candidate) -> str:
    """The case of the answer that comes first."""
    return ranked(candidates)[0][0]


HIGH = tuple(answer(f"high-{number}", 1.0) for number in range(8))


def test_ranked__off_the_commonest_bucket_first() -> None:
    """Kappa lives on the labels off its commonest cell."""
    assert "low" == first(*HIGH, answer("low", 0.0))


def test_ranked__a_judge_of_two_minds_and_a_score_near_a_border() -> None:
    """Asked again it said something else, or nearly so."""
    assert "split" == first(*HIGH, answer("split", 1.0, 0.5), answer("off", 0.5))
    assert "near" == first(*HIGH, answer("near", 0.7), answer("far", 0.9))


def test_ranked__words_of_items() -> None:
    """An answer with one claim that is not like most comes first."""
    alike = tuple(answer(f"a-{number}", "supported", "supported") for number in range(5))

    assert "other" == first(*alike, answer("other", "supported", "unverifiable"))


def test_ranked__every_third_is_drawn_by_lot() -> None:
    """A judge's mistakes among the answers that look like all others are found by luck alone."""
    low = tuple(answer(f"low-{number}", 0.0) for number in range(6))
    high = tuple(answer(f"high-{number}", 1.0) for number in range(60))
    order = [case.split("-")[0] for case, _ in ranked([*low, *high])]

    assert ["low"] * 6 == [word for place, word in enumerate(order[:9], start=1) if place % 3]
    assert "high" in order[2:9:3]


def test_ranked__categories_take_turns_and_cases_too() -> None:
    """Labels of one case count as a cluster, so another case tells more."""
    many = [answer("a", 0.0, number=number) for number in range(4)]
    order = ranked([*many, answer("b", 1.0), answer("c", 1.0, category="y")])

    assert {"x", "y"} == {"y" if case == "c" else "x" for case, _ in order[:2]}
    assert {"a", "b", "c"} == {case for case, _ in order[:3]}


def test_ranked__what_others_labelled_comes_last_and_nothing_is_lost() -> None:
    """The order is the same each time, however the answers come in."""
    candidates = [*HIGH, answer("low", 0.0)]
    order = ranked(candidates, [("low", "low-0")])

    assert ("low", "low-0") == order[-1]
    assert sorted(one.key for one in candidates) == sorted(order)
    assert order == ranked(candidates[::-1], {("low", "low-0")})


def test_ranked__ten_thousand_answers() -> None:
    """A large run is ranked in a moment."""
    many = [
        answer(f"c-{number % 2000}", number % 5 / 4, category=str(number % 7), number=number)
        for number in range(10_000)
    ]

    assert 10_000 == len(set(ranked(many)))


def test_batch__goes_on_until_it_is_done_and_then_with_the_next() -> None:
    """The same command gives the same answers after a break."""
    order = [(str(number), "") for number in range(5)]

    assert order[:2] == list(batch(order, 2, []))
    assert order[:2] == list(batch(order, 2, order[:1]))
    assert order[2:4] == list(batch(order, 2, order[:2]))
    assert order[4:] == list(batch(order, 2, order))
    assert order == list(batch(order, None, order))
    assert () == batch([], 3, [])


def test_mixed__says_nothing_of_the_ranks() -> None:
    """The order is neither that of the ranks nor another one each time."""
    order = [(f"case-{number}", "") for number in range(20)]

    assert sorted(order) == sorted(mixed(order))
    assert order != list(mixed(order))
    assert mixed(order) == mixed(order[::-1])
