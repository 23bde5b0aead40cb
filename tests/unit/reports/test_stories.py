"""Which cases to look at first."""

from __future__ import annotations

from collections.abc import Mapping

from gate.reports.stories import MOST, moved_cells, stories
from gate.types import Answer, Comparison, Difference, Result, Row, Score


def row(dimension: str, moved: Mapping[str, tuple[float, float]]) -> Row:
    """A row whose cases moved from one mean to another."""
    return Row(
        target="t",
        dimension=dimension,
        judged=True,
        direction_known=True,
        baseline=None,
        current=None,
        delta=None,
        signed=None,
        differences=tuple(
            Difference(
                case_id=case,
                category="x",
                baseline=before,
                current=after,
                base=(before,),
                new=(after,),
            )
            for case, (before, after) in moved.items()
        ),
    )


def result(case: str, reasons: Mapping[str, str]) -> Result:
    """A result with one score a dimension."""
    return Result(
        case_id=case,
        category="x",
        case_digest="0",
        target="t",
        attempt=0,
        question=f"what is {case}?",
        answer=Answer(text=f"answer to {case}"),
        scores=tuple(Score(metric=name, value=0.0, reason=why) for name, why in reasons.items()),
    )


def test_stories__largest_fall_first_and_small_moves_left_out() -> None:
    """A mean that moved by less than 0.05 is no story."""
    found = stories(
        Comparison(rows=(row("a", {"small": (1, 0.96), "big": (1, 0), "rose": (0, 1)}),)),
        [],
        keep_text=True,
    )

    assert ["big", "rose"] == [one.case_id for one in found]


def test_stories__shared_reason_stands_with_the_dimension_that_fell_most() -> None:
    """One justification serves several dimensions and is told once; what stayed needs none."""
    found = stories(
        Comparison(rows=(row("a", {"c": (1, 0.9)}), row("b", {"c": (1, 0)}))),
        [result("c", {"a": "since", "b": "since", "d": "other"})],
        keep_text=True,
    )

    assert (("b", "since"),) == found[0].reasons
    assert (("b", 1.0, 0.0), ("a", 1.0, 0.9)) == found[0].changes
    assert "answer to c" == found[0].answer


def test_stories__without_text_there_are_scores_only() -> None:
    """What the owner did not allow to be kept does not stand in a report."""
    found = stories(
        Comparison(rows=(row("a", {"c": (1, 0)}),)),
        [result("c", {"a": "since"})],
        keep_text=False,
    )

    assert ("", ()) == (found[0].answer, found[0].reasons)
    assert "what is c?" == found[0].question


def test_stories__twenty_at_most() -> None:
    """The comment has an end."""
    moved = {f"c{n:02}": (1.0, n / 100) for n in range(30)}

    assert 20 == len(stories(Comparison(rows=(row("a", moved),)), [], keep_text=True))


def test_moved_cells__those_of_the_stories_in_their_order() -> None:
    """Twenty at most, the largest fall in any dimension first; alike ones by name."""
    moves = {f"c{number:02d}": (1.0, 1.0 - 0.01 * number) for number in range(40)}
    comparison = Comparison(rows=(row("a", moves), row("b", {"c01": (1.0, 0.0)})))
    found = moved_cells(comparison)

    assert [("t", "c01"), ("t", "c39"), ("t", "c38")] == list(found[:3])
    assert MOST == len(found)
    told = stories(comparison, [], keep_text=False)
    assert list(found) == [(one.target, one.case_id) for one in told]
