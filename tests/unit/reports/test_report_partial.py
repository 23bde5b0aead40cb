"""Reports of a part of a plan: a shard, or what was done before a signal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.reports.markdown import MarkdownReporter
from gate.reports.options import NoOptions
from gate.reports.terminal import terminal_text
from gate.types import Cost, Failure, OperationFinding, Report
from tests.unit.reports.report_samples import changed, finding, report


def shard(*outcomes: str) -> Report:
    """Part 1 of 2, with a row of each outcome."""
    base = report("report")
    names = ("relevance", "correctness", "source_quality")
    rows = tuple(finding(name, outcome) for name, outcome in zip(names, outcomes, strict=False))
    plan = base.run.plan.model_copy(update={"shard": "1/2"})
    run = base.run.model_copy(update={"plan": plan})
    return changed(base, comparisons=rows).model_copy(update={"run": run})


def interrupted(of: Report) -> Report:
    """The same after SIGINT."""
    run = of.run.model_copy(update={"interrupted": "SIGINT"})
    plan = run.plan.model_copy(update={"shard": None})
    return changed(
        of,
        status="broken",
        exit_code=130,
        headline="No verdict: SIGINT interrupted the run after 1 of 2 cases.",
        broken=Failure(kind="error", message="SIGINT interrupted the run."),
    ).model_copy(update={"run": run.model_copy(update={"plan": plan})})


def texts(of: Report) -> tuple[str, str]:
    """Terminal and comment."""
    return terminal_text(of, 120, color=False), MarkdownReporter(NoOptions()).render(of).text


@pytest.mark.parametrize("ended", [shard, lambda *said: interrupted(shard(*said))])
def test_partial__nothing_to_compare_is_said_once(ended: Callable[..., Report]) -> None:
    """Its own averages stand in the place of rows that say nothing."""
    for text in texts(ended("unmeasured", "unmeasured", "unmeasured")):
        assert 0 == text.count("unmeasured")
        assert 1 == text.count("Not compared with the baseline")
        assert "errors" in text, "the table of averages"


def test_partial__rows_that_can_be_compared_are_shown() -> None:
    """Nine in ten cases may be done when a signal comes."""
    for text in texts(interrupted(shard("pass", "unmeasured", "pass"))):
        assert "correctness, since SIGINT interrupted the run" in text.replace("**", "")
        assert "unmeasured" not in text


def test_whole__an_unmeasured_row_stays() -> None:
    """Of a whole plan each lost row is a finding."""
    of = changed(report("report"), comparisons=(finding("correctness", "unmeasured"),))

    assert "unmeasured" in texts(of)[0]


def test_interrupted__is_said_once() -> None:
    """The headline gives the cause."""
    for text in texts(interrupted(shard("unmeasured"))):
        assert "Cause" not in text


@pytest.mark.parametrize("more", [{}, {"stand_in": True}])
def test_spent__calls_of_unknown_outcome(more: dict[str, bool]) -> None:
    """Beside the sum stands how much of it is a worst case."""
    of = changed(report("pass"), cost=Cost(usd=4.0, known_usd=1.0, assumed_usd=3.0, calls=9))
    for text in texts(of.model_copy(update=more)):
        assert "$4.00, $3.00 of it for calls whose outcome is unknown" in text


@pytest.mark.parametrize("ended", [shard, lambda *said: interrupted(shard(*said))])
def test_partial__figures_are_its_own(ended: Callable[..., Report]) -> None:
    """Latency and rates stand without those of the baseline, and say how many were asked."""
    of = ended("unmeasured")
    worse = (
        report("regression")
        .verdict.operations[0]
        .model_copy(
            update={"outcome": "regression", "because": "errors rose", "p": {"error_rate": 0.001}}
        )
    )
    terminal, comment = texts(changed(of, operations=(worse,)))

    for text in (terminal, comment):
        assert "p50" in text
        assert "\N{RIGHTWARDS ARROW}" not in text
        assert "FAIL" not in text
    assert " asked were answered" in comment


def test_terminal__a_target_of_which_nothing_is_known() -> None:
    """No line that ends with a colon."""
    nothing = OperationFinding(target="silent")

    assert "silent" not in texts(changed(report("pass"), operations=(nothing,)))[0]
