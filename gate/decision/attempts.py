"""Attempts on one head: what is remembered of one, and how earlier ones join a later run. Pure.

Re-running until green is vain: an earlier attempt's scores join the run's own as further repeats.
What cannot be joined is left out and said. An earlier regression whose scores are not there, or
that measured something else, stands: else it would be enough to lose them, or to ask other cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.decision.baseline import joined_cell
from gate.decision.rounding import score
from gate.decision.shape import check_run
from gate.types import (
    Attempt,
    AttemptState,
    Cell,
    Identity,
    PastAttempt,
    Run,
    Scores,
    State,
    Status,
    Verdict,
    digest,
)

COUNTED: frozenset[Status] = frozenset({"pass", "regression", "inconclusive"})
"""What an attempt said that counts; one that was broken, or gave numbers only, does not."""

ENDINGS = "*"
"""Under this name in the place of a dimension stands how each answer ended, as a number."""

_HALF = 32
_STATES: tuple[tuple[State, bool | None], ...] = (
    ("ok", True),
    ("ok", False),
    ("ok", None),
    ("empty", None),
    ("blocked", None),
    ("error", None),
    ("timeout", None),
    ("budget", None),
)
"""Number of an ending -> how the answer ended, and whether it had a source."""


@dataclass(frozen=True)
class Pooled:
    """A run together with the earlier attempts on its head."""

    run: Run
    """The run, the scores of earlier attempts among its own as further repeats."""
    attempts: int = 1
    """Attempts in it, its own among them."""
    standing: tuple[str, ...] = ()
    """Earlier regressions that stand although their scores are not in it."""
    confirmed: bool = False
    """Whether one of them was a regression that a second look confirmed, or that needed none."""


def attempt_of(run: Run, verdict: Verdict, *, run_id: int, run_attempt: int) -> PastAttempt:
    """Return what later attempts on the same head must know of this run.

    `run` is the run alone, without the attempts before it. `run_id` and `run_attempt` are the
    workflow's.
    """
    return PastAttempt(
        run_id=run_id,
        run_attempt=run_attempt,
        status=verdict.status,
        identity=identity_of(run),
        unconfirmed=any(
            one.confirm is not None and one.confirm.outcome == "not asked"
            for one in verdict.comparisons
        ),
        scores=_scores(run) if verdict.status in COUNTED else None,
    )


def identity_of(run: Run) -> str:
    """Return two digests: of what was measured, and of what it was measured with.

    The first holds cases, targets and dimensions; the second judge, prompt, scorer, the text of
    every case and the settings of every target.
    """
    metrics = sorted(metric.name for metric in run.metrics)
    scope = [sorted(run.plan.case_ids), sorted(info.name for info in run.targets), metrics]
    means = [
        [[name, run.identities.get(name, Identity()).model_dump()] for name in metrics],
        sorted([cell.target, cell.case_id, cell.case_digest or ""] for cell in run.cells),
        sorted([info.name, info.settings or ""] for info in run.targets),
        run.provenance.world is not None,
    ]
    return f"{digest(scope)[:_HALF]} {digest(means)[:_HALF]}"


def pool(run: Run, earlier: AttemptState | None, path: str | None = None) -> Pooled:
    """Join the earlier attempts on a run's head with the run.

    Warnings of the pooled run say what was left out and why. Raises FileError, naming `path`, for
    scores that cannot be.
    """
    counted_ones = [one for one in earlier.attempts if one.status in COUNTED] if earlier else []
    if earlier is None or not counted_ones:
        return Pooled(run)
    head = run.provenance.commits.head
    if head is None or head.lower() != earlier.head_sha.lower():
        what = "does not say which head it measured" if head is None else "is of another head"
        return Pooled(_warned(run, [f"Earlier attempts are not pooled: this run {what}."]))
    joined: list[list[Cell]] = []
    standing, left_out = list[str](), list[str]()
    confirmed = False
    for one in counted_ones:
        because, stands = _unfit(one, run)
        if because is None:
            joined.append([cell for own in run.cells if (cell := _cell(own, one)) is not None])
            confirmed = confirmed or (one.status == "regression" and not one.unconfirmed)
        elif stands and one.status == "regression":
            standing.append(f"{_named(one)} on this head was a regression, and it {because}")
        else:
            left_out.append(f"{_named(one)} on this head is not pooled: it {because}.")
    pooled = run
    if joined:
        together = zip(run.cells, *joined, strict=True)
        pooled = run.model_copy(update={"cells": tuple(map(joined_cell, together))})
        check_run(pooled, path)
    said = [text[:1].upper() + text[1:] for text in left_out]
    return Pooled(_warned(pooled, said), 1 + len(joined), tuple(standing), confirmed)


def _unfit(one: PastAttempt, run: Run) -> tuple[str | None, bool]:
    """Say why an attempt cannot be pooled, and whether a regression of it stands all the same.

    Where the base has changed what it measures with since, an earlier verdict was another
    instrument's and does not stand. Whoever starts a run has no hand in that.
    """
    scope, _, means = one.identity.partition(" ")
    own_scope, _, own_means = identity_of(run).partition(" ")
    if one.scores is None:
        return "left no scores to be pooled", True
    if scope != own_scope:
        return "measured other cases, targets or dimensions", True
    if means != own_means:
        return (
            "was measured otherwise (judge, prompt, scorer, the text of a case or a setting)",
            False,
        )
    if any(_cell(own, one) is None for own in run.cells):
        return "left scores that are not whole", True
    return None, False


def _named(one: PastAttempt) -> str:
    again = f", attempt {one.run_attempt}" if one.run_attempt > 1 else ""
    return f"the earlier run {one.run_id}{again}"


def _warned(run: Run, said: Sequence[str]) -> Run:
    return run.model_copy(update={"warnings": (*run.warnings, *said)}) if said else run


def _scores(run: Run) -> Scores:
    """Give the run's columns by target and dimension, and how each answer ended."""
    units = {metric.name: metric.unit for metric in run.metrics}
    found: Scores = {info.name: {} for info in run.targets}
    for cell in run.cells:
        columns = found.setdefault(cell.target, {})
        columns.setdefault(ENDINGS, {})[cell.case_id] = tuple(map(_ending, cell.attempts))
        for name, values in cell.scores.items():
            columns.setdefault(name, {})[cell.case_id] = tuple(
                None if value is None else score(value, units.get(name, "fraction"))
                for value in values
            )
    return found


def _ending(attempt: Attempt) -> float:
    grounded = attempt.grounded if attempt.state == "ok" else None
    return float(_STATES.index((attempt.state, grounded)))


def _cell(own: Cell, earlier: PastAttempt) -> Cell | None:
    """Return what an attempt has of a cell; None where it has nothing, or nothing that can be."""
    columns = (earlier.scores or {}).get(own.target, {})
    endings = columns.get(ENDINGS, {}).get(own.case_id, ())
    attempts = tuple(found for one in endings if (found := _attempt(one)) is not None)
    if not attempts or len(attempts) < len(endings):
        return None
    return Cell(
        target=own.target,
        case_id=own.case_id,
        category=own.category,
        case_digest=own.case_digest,
        scores={
            name: columns.get(name, {}).get(own.case_id, (None,) * len(attempts))
            for name in own.scores
        },
        attempts=attempts,
    )


def _attempt(ending: float | None) -> Attempt | None:
    """Read how an answer ended; None for a number of none."""
    if ending is None or ending not in range(len(_STATES)):
        return None
    state, grounded = _STATES[int(ending)]
    return Attempt(state=state, grounded=grounded)
