"""No case is begun that there is no money to finish."""

from __future__ import annotations

from gate.engine.admission import Admission


class Till:
    """What was spent, and the largest reserve of a call."""

    spent = 0.0
    reserve = 0.0

    def admission(
        self, ceiling: float | None, likely: float | None = None, recorded: int = 0
    ) -> Admission:
        """An admission that looks here."""
        return Admission(
            ceiling,
            spent_usd=lambda: self.spent,
            reserve_usd=lambda: self.reserve,
            likely_usd=likely,
            recorded=recorded,
        )


def test_admission__without_a_ceiling() -> None:
    """Everything may start."""
    assert Till().admission(None)(1_000)


def test_admission__while_nobody_knows_what_a_job_costs() -> None:
    """One first, then as many at once as have told."""
    till = Till()
    admit = till.admission(1.0)

    assert admit(0)
    assert not admit(1)
    till.spent = 0.1
    admit.done()
    assert admit(1)
    assert not admit(2)


def test_admission__an_estimate_says_it_at_once() -> None:
    """Ten cents a job: nine may go beside the tenth, and no eleventh."""
    admit = Till().admission(1.0, likely=0.1)

    assert admit(9)
    assert not admit(10)


def test_admission__room_for_the_last_call() -> None:
    """A call needs room for its worst price, which is far above what it costs."""
    till = Till()
    admit = till.admission(1.0, likely=0.01)
    till.spent, till.reserve = 0.5, 0.45

    assert admit(0)
    till.spent = 0.56
    assert not admit(0)


def test_admission__what_a_resumed_run_has_spent_is_no_jobs_price() -> None:
    """The mean is of the jobs that ended since."""
    till = Till()
    till.spent = 0.5
    admit = till.admission(1.0, likely=0.4)
    till.spent = 0.6
    admit.done()

    assert admit(1)


def test_admission__recorded_jobs_first() -> None:
    """They start whatever was spent; others wait for their end, and their price is no mean."""
    till = Till()
    admit = till.admission(1.0, likely=0.1, recorded=2)
    till.spent = 0.95

    assert [True, True, False] == [admit(going) for going in range(3)]
    admit.done()
    assert not admit(1)
    admit.done()
    assert not admit(0)
    till.spent = 0.9
    assert admit(0)
