"""What a status follows from, where nothing more is said."""

from __future__ import annotations

from gate.decision.comparison import compare
from gate.decision.facts import Facts
from gate.decision.status import decide_status
from gate.types import Policy
from tests.unit.decision.decision_samples import baseline_of, columns, run_of


def test_facts__of_a_single_run() -> None:
    """It is the first attempt, and on no head that anybody named: no label can accept a drop."""
    run = run_of(columns([0.8]))
    facts = Facts(
        run=run,
        comparison=compare(run, baseline_of(run), Policy()),
        rows=(),
        operations=(),
        behaved_worse=False,
        policy=Policy(),
        narrowed=False,
        missing_required=("moon",),
        accepted_by=None,
        lacking={"correctness": "it is not measured"},
    )
    decision = decide_status(facts)

    assert (1, False) == (facts.attempts, facts.on_head)
    assert "regression" == decision.status
    assert (decision.next_step or "").startswith("mend it; if the drop is wanted, refresh the")
