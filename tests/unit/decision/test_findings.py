"""The rows of the table: their figures and notes, and how each target worked."""

from __future__ import annotations

from typing import Literal

import pytest

from gate.decision.findings import (
    finding_of,
    limits_passed,
    limits_unknown,
    operation_finding_of,
    rise_of,
    risen,
)
from gate.decision.outcomes import Said
from gate.decision.standing import Cause, Standing
from gate.types import (
    Agreement,
    Finding,
    Operation,
    OperationFinding,
    Outcome,
    Policy,
    Row,
    Trust,
)

ROW = Row(
    target="t",
    dimension="correctness",
    judged=True,
    direction_known=True,
    category="maths",
    baseline=0.9,
    current=0.8,
    delta=-0.1,
    signed=-0.1,
    low=-0.15,
    high=-0.05,
    p=0.01,
    n=20,
    expected=24,
    worse=6,
    better=3,
    sd=0.2,
    weighted=True,
    smallest_visible_drop=0.11,
)
VALIDATED = Agreement(
    dimension="correctness",
    state="validated",
    kappa=0.8,
    low=0.7,
    high=0.9,
    lower_one_sided=0.72,
    n=96,
    because="it agrees",
)
PROVISIONAL = VALIDATED.model_copy(update={"state": "provisional"})
THRESHOLD = Policy(rule="threshold")
OPERATION = Operation(
    target="t",
    p50_latency_s=2.5,
    usd_per_1k=7.0,
    error_rate=0.1,
    empty_rate=0.25,
    grounded_rate=0.75,
    attempts=40,
    baseline={"error_rate": 0.05, "empty_rate": 0.125, "grounded_rate": 0.875},
    p={"empty_rate": 0.2},
    p_holm={"empty_rate": 0.4},
    cases={"empty_rate": ("a", "b")},
)


def note(
    outcome: Outcome,
    policy: Policy | None = None,
    agreement: Agreement = VALIDATED,
    cause: Cause | None = None,
    **row: object,
) -> str | None:
    """The note of a row with this outcome."""
    one = Standing(ROW.model_copy(update=row), agreement, cause, None)
    return finding_of(one, Said(outcome), policy or Policy()).note


def test_finding_of__shows_every_figure_of_the_row_and_of_its_licence() -> None:
    """What both are called alike is the same number."""
    shown = finding_of(Standing(ROW, VALIDATED, None, None), Said("pass"), Policy())

    alike = Row.model_fields.keys() & Finding.model_fields.keys()
    assert {"low", "high", "better", "weighted", "smallest_visible_drop"} < alike
    assert ROW.model_dump(include=set(alike)) == shown.model_dump(include=set(alike))
    of_licence = set(Trust.model_fields)
    assert VALIDATED.model_dump(include=of_licence) == shown.trust.model_dump()


def test_note__of_a_provisional_licence_stands_where_the_row_gates() -> None:
    """A row that a rule keeps from failing runs has no drop from which it may."""
    gates = note("pass", agreement=PROVISIONAL)

    assert "provisional licence, fails a run only from a drop of 0.10: it agrees" == gates
    assert note("pass", agreement=PROVISIONAL, cause="rule") is None
    assert note("missing", agreement=PROVISIONAL) is None


def test_note__of_lost_cases_needs_cases_that_were_expected() -> None:
    """Where the baseline had none to compare, no share of them can be too small."""
    said = "20 of 24 cases of the baseline could be compared, 90% are needed"

    assert said == note("unmeasured")
    assert note("unmeasured", expected=0) is None


def test_note__says_how_a_row_was_compared_where_it_was() -> None:
    """Clusters, averages and the plain threshold mean nothing for a row that lacks its cases."""
    averages = "only averages were compared, which cannot tell noise from a drop"
    threshold = "judged by the plain threshold, which cannot tell noise from a drop"

    assert "20 cases count as 5 clusters" == note("pass", clusters=5)
    assert averages == note("pass", averages_only=True)
    assert threshold == note("pass", THRESHOLD)
    assert note("pass", THRESHOLD, cause="watched") is None
    assert note("missing", THRESHOLD, clusters=5) is None
    assert note("missing", averages_only=True) is None


def test_operation_finding_of__shows_every_figure_of_the_target() -> None:
    """What both are called alike is the same number; of the p-values it is the adjusted one."""
    shown = operation_finding_of(OPERATION, Policy())

    alike = (Operation.model_fields.keys() & OperationFinding.model_fields.keys()) - {"p"}
    assert {"p50_latency_s", "usd_per_1k", "empty_rate", "grounded_rate", "baseline"} < alike
    assert OPERATION.model_dump(include=set(alike)) == shown.model_dump(include=set(alike))
    assert {"empty_rate": 0.4} == shown.p
    assert shown.because is None


@pytest.mark.parametrize(
    ("p", "limits", "outcome"),
    [
        ({"empty_rate": 0.4}, {}, "ok"),
        ({"empty_rate": None}, {}, "advisory"),
        ({}, {}, "advisory"),
        ({}, {"usd_per_1k": 8.0}, "ok"),
        ({}, {"usd_per_1k": 6.0}, "regression"),
        ({"empty_rate": 0.01}, {}, "regression"),
    ],
)
def test_operation_finding_of__is_well_only_where_something_was_looked_at(
    p: dict[str, float | None],
    limits: dict[str, float],
    outcome: Literal["regression", "ok", "advisory"],
) -> None:
    """A tested rate or a limit that is kept; without either the figures only stand there."""
    operation = OPERATION.model_copy(update={"p_holm": p})

    assert outcome == operation_finding_of(operation, Policy(limits=limits)).outcome


def test_risen__at_the_rate_of_false_alarms_is_risen() -> None:
    """As for every test: p <= q."""
    operation = OPERATION.model_copy(update={"p_holm": {"error_rate": 0.02, "empty_rate": 0.021}})

    assert ["error_rate"] == risen(operation, Policy(operations_q=0.02))


def test_rise_of__is_the_share_that_turned() -> None:
    """Now less before; without sources is what is not grounded, and 0 where it is not known."""
    assert 0.125 == rise_of(OPERATION, "empty_rate")
    assert 0.125 == rise_of(OPERATION, "ungrounded_rate")
    bare = OPERATION.model_copy(update={"baseline": {}})
    assert 0.25 == rise_of(bare, "empty_rate")


def test_limits_passed__float_dust_passes_no_limit() -> None:
    """0.1 + 0.2 is 0.3, and a limit is passed only above it."""
    operation = OPERATION.model_copy(update={"p50_latency_s": 0.1 + 0.2})

    assert [] == limits_passed(operation, Policy(limits={"p50_latency_s": 0.3}))
    assert ["p50_latency_s"] == limits_passed(operation, Policy(limits={"p50_latency_s": 0.29}))


@pytest.mark.parametrize(
    ("latency", "shown"),
    [(2.0641, "2.1"), (2.0241, "2.02"), (2.0021, "2.002"), (2.00021, "2.00021")],
)
def test_operation_finding_of__a_figure_has_the_digits_that_show_it_above_its_limit(
    latency: float, shown: str
) -> None:
    """Two of them, three or four, and all where these do not either."""
    operation = OPERATION.model_copy(update={"p50_latency_s": latency})

    found = operation_finding_of(operation, Policy(limits={"p50_latency_s": 2.0}))

    assert f"median latency of {shown} s is above the limit of 2 s" == found.because


def test_limits_unknown__where_the_run_has_no_figure() -> None:
    """A limit that nothing was held against is said, or a pass would stand on it."""
    blind = OPERATION.model_copy(update={"p50_latency_s": None, "usd_per_1k": None})
    limits = {"p50_latency_s": 3.0, "usd_per_1k": 5.0}

    assert list(limits) == limits_unknown(blind, Policy(limits=limits))
    assert [] == limits_unknown(blind, Policy())
    told = blind.model_copy(update={"usd_per_1k": 4.0})
    assert ["p50_latency_s"] == limits_unknown(told, Policy(limits=limits))
