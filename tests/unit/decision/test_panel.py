"""Judges of a panel: how far they agree, and what is warned of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gate.decision.panel import (
    judge_of,
    judges_of,
    member_name,
    panel_of,
    warnings_of_panel,
)
from gate.stats.agreement import krippendorff_alpha_of_ratings
from gate.types import Cell, Metric, PanelFinding, PanelJudge, PanelPair, Run
from tests.unit.decision.decision_samples import CORRECTNESS, EXACT, cell, run_of

LENGTH = Metric(name="length", judged=True, unit="words")


def ruled(members: Mapping[str, Sequence[float | None]], name: str = "correctness") -> Run:
    """A run of one answer a case, each with what these judges said of it."""
    columns = list(zip(*members.values(), strict=True))
    return run_of([answer(number, members, column, name) for number, column in enumerate(columns)])


def answer(
    number: int,
    members: Mapping[str, object],
    said: Sequence[float | None],
    name: str = "correctness",
) -> Cell:
    """One case with one answer."""
    known = [value for value in said if value is not None]
    mean = sum(known) / len(known) if len(known) == len(said) else None
    own = {member: (value,) for member, value in zip(members, said, strict=True)}
    return cell("t", f"c{number:03}", {name: [mean]}, members={name: own})


@pytest.mark.parametrize(
    ("repeats", "name"),
    [(1, "claude-opus-5-5"), (2, "claude-opus-5-5#2"), (3, "claude-opus-5-5#2")],
)
def test_member_name__is_read_again(repeats: int, name: str) -> None:
    """A single ruling has its judge's name alone; either way the judge can be told."""
    assert name == member_name("claude-opus-5-5", 2, repeats)
    assert "claude-opus-5-5" == judge_of(name)
    assert "a#b" == judge_of("a#b")
    assert "4" == judge_of("4")


def test_panel_of__a_single_judge_is_none() -> None:
    """Asked once or several times, one judge agrees with nobody."""
    assert () == panel_of(run_of([cell("t", "c", {"correctness": [0.5]})]))
    assert () == panel_of(ruled({"a#1": [0.5], "a#2": [1.0]}))


def test_panel_of__figures_of_two_judges() -> None:
    """Means, kappa and alpha of thirds, on the answers that both gave a value."""
    run = ruled({"a": [1.0, 0.0, 0.5, 1.0, None], "b": [1.0, 0.0, 1.0, 0.75, 1.0]})

    (found,) = panel_of(run)

    thirds = [["high", "high"], ["low", "low"], ["med", "high"], ["high", "high"]]
    alpha = krippendorff_alpha_of_ratings(thirds, ("low", "med", "high"), "ordinal")
    assert ("correctness", 4) == (found.dimension, found.n)
    assert pytest.approx(alpha) == found.alpha
    assert [("a", 0.625, -0.0625), ("b", 0.6875, 0.0625)] == [
        (one.judge, one.mean, one.apart) for one in found.judges
    ]
    # Three of four agree; by chance (2/4)(3/4) + (1/4)(1/4) = 7/16 would.
    kappa = round((3 / 4 - 7 / 16) / (1 - 7 / 16), 9)
    assert (PanelPair(one="a", other="b", kappa=kappa, difference=-0.0625),) == found.pairs


def test_panel_of__repeats_of_a_judge_are_averaged_first() -> None:
    """A judge that ruled twice on an answer is one judge with the mean."""
    run = ruled({"a#1": [1.0, 0.0], "a#2": [0.5, 0.0], "b#1": [1.0, 1.0], "b#2": [0.0, 0.0]})

    (found,) = panel_of(run)

    assert ("a", "b") == judges_of(run.cells, "correctness")
    assert [0.375, 0.5] == [one.mean for one in found.judges]


def test_panel_of__three_judges_have_three_pairs() -> None:
    """Each is held against the mean of the other two; a constant pair has no kappa."""
    (found,) = panel_of(ruled({"a": [1.0, 1.0], "b": [1.0, 1.0], "c": [0.0, 1.0]}))

    assert [("a", "b", None), ("a", "c", 0.0), ("b", "c", 0.0)] == [
        (one.one, one.other, one.kappa) for one in found.pairs
    ]
    assert [0.25, 0.25, -0.5] == [one.apart for one in found.judges]


def test_panel_of__what_has_no_thirds_is_left_out() -> None:
    """Other units, values off the scale, what no judge gave, and answers that all lack a value."""
    words = ruled({"a": [10.0], "b": [12.0]}, "length")
    off = ruled({"a": [1.5], "b": [1.0]})
    none = ruled({"a": [None], "b": [1.0]})

    assert () == panel_of(words.model_copy(update={"metrics": (LENGTH, EXACT)}))
    assert () == panel_of(off)
    assert () == panel_of(none)
    assert (CORRECTNESS,) == none.metrics


def test_panel_of__an_answer_of_another_panel_is_passed_over() -> None:
    """Of pooled runs a cell may hold answers that other judges ruled on."""
    one = ruled({"a": [1.0], "b": [0.5]})
    other = run_of([answer(7, {"a": 0}, [1.0])])
    run = one.model_copy(update={"cells": (*one.cells, *other.cells)})

    (found,) = panel_of(run)

    assert 1 == found.n


def found_on(n: int, one: float, other: float, third: float | None = None) -> list[PanelFinding]:
    """Findings of n answers, half of them rated 1 by all, the others as the judges do."""
    said = {"a": [1.0, one], "b": [1.0, other]} | ({} if third is None else {"c": [1.0, third]})
    return [*panel_of(ruled({name: values * (n // 2) for name, values in said.items()}))]


def test_warnings_of_panel__agreement_says_nothing() -> None:
    """Judges of two families that agree."""
    assert [] == warnings_of_panel(found_on(20, 0.0, 0.1), ("claude", "gemini"))


def test_warnings_of_panel__one_family() -> None:
    """Said once, whatever they measured; a single judge has no families."""
    assert ["go together" in one for one in warnings_of_panel([], ("claude",))] == [True]
    assert [] == warnings_of_panel([], ())
    # Stand-ins of all vendors are of it.
    assert [] == warnings_of_panel([], ("loopback",))


@pytest.mark.parametrize(("n", "said"), [(20, 1), (18, 0)])
def test_warnings_of_panel__disagreement(n: int, said: int) -> None:
    """From twenty answers on; below they may differ by chance."""
    found = found_on(n, 1.0, 0.5) + found_on(n, 1.0, 1.0)

    warned = [one for one in warnings_of_panel(found, ("x", "y")) if "disagree" in one]

    assert said == len(warned)
    assert all("on correctness: alpha" in one and f"{n} answers" in one for one in warned)


def test_warnings_of_panel__an_alpha_of_nothing_has_no_sign() -> None:
    """What rounds to zero is zero."""
    found = found_on(20, 1.0, 0.5)[0].model_copy(update={"alpha": -0.001})

    assert "alpha 0.00 on 20 answers" in warnings_of_panel([found], ("x", "y"))[0]


def test_warnings_of_panel__one_judge_rates_otherwise() -> None:
    """Of three the one that is furthest away, with its way; of two the first."""
    three = warnings_of_panel(found_on(20, 0.9, 0.9, 0.4), ("x", "y"))
    two = warnings_of_panel(found_on(20, 0.7, 0.4), ("x", "y"))
    few = warnings_of_panel(found_on(18, 0.9, 0.9, 0.4), ("x", "y"))

    assert "c rates otherwise than the rest of the panel: correctness 0.25 lower." in three
    assert "a rates otherwise than the rest of the panel: correctness 0.15 higher." in two
    assert [] == few


def test_panel_of__numbers_are_free_of_float_dust() -> None:
    """The mean of 0.1, 0.2 and 0.3 is 0.2, and so is what 0.3 has more than 0.1."""
    (found,) = panel_of(ruled({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.4, 0.5], "c": [0.1] * 3}))

    assert [0.2, 0.4, 0.1] == [one.mean for one in found.judges]
    assert [-0.05, 0.25, -0.2] == [one.apart for one in found.judges]
    assert [-0.2, 0.1, 0.3] == [one.difference for one in found.pairs]


def test_panel_of__alpha_has_nine_decimals() -> None:
    """Seven labels high and three low: 1 - (10 - 1) x 2 unlike pairs seen / 42 by chance."""
    (found,) = panel_of(ruled({"a": [1.0, 0.0, 1.0, 1.0, 1.0], "b": [1.0, 0.0, 0.0, 1.0, 1.0]}))

    assert round(1 - 9 * 2 / (2 * 7 * 3), 9) == found.alpha


def test_panel_of__one_answer_of_several_judges_is_enough() -> None:
    """Of pooled runs others may have been ruled on by one judge alone."""
    alone = cell("t", "alone", {"correctness": [0.5]})
    one = ruled({"a": [1.0], "b": [0.5]})

    (found,) = panel_of(one.model_copy(update={"cells": (*one.cells, alone)}))

    assert 1 == found.n


@pytest.mark.parametrize(
    "metric",
    [Metric(name="length", judged=False), Metric(name="length", judged=True, unit="words")],
)
def test_panel_of__scores_of_judges_between_0_and_1_alone(metric: Metric) -> None:
    """Another unit has no thirds, though its values may happen to lie there."""
    run = ruled({"a": [1.0, 0.0], "b": [1.0, 0.0]}, "length")

    assert () == panel_of(run.model_copy(update={"metrics": (metric,)}))


def test_panel_of__a_value_below_the_scale_is_left_out_with_its_dimension() -> None:
    """As one above it."""
    assert () == panel_of(ruled({"a": [-0.5, 1.0], "b": [1.0, 1.0]}))


def panel_finding(alpha: float = 1.0, apart: float = 0.0, n: int = 20) -> PanelFinding:
    """A finding of so many answers that two judges rated."""
    return PanelFinding(
        dimension="correctness",
        n=n,
        alpha=alpha,
        judges=(
            PanelJudge(judge="a", mean=0.5 + apart, apart=apart),
            PanelJudge(judge="b", mean=0.5, apart=-apart),
        ),
    )


def test_warnings_of_panel__at_the_bounds_nothing_is_said() -> None:
    """An alpha of 0.4 is not below it, judges may lie 0.10 apart, and 19 answers are few."""
    assert [] == warnings_of_panel([panel_finding(alpha=0.4, apart=0.10)], ("x", "y"))
    (said,) = warnings_of_panel([panel_finding(alpha=0.25, apart=0.10)], ("x", "y"))
    assert "alpha 0.25 on 20 answers" in said
    assert [] == warnings_of_panel([panel_finding(alpha=0.25, apart=0.5, n=19)], ("x", "y"))
