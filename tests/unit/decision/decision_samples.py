"""Small runs, baselines and licences for the tests of the decision."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gate.decision.baseline import make_baseline
from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.types import (
    Agreement,
    Attempt,
    Baseline,
    CalibrationItem,
    CalibrationSet,
    Cell,
    Commits,
    Identity,
    Metric,
    Plan,
    Policy,
    Provenance,
    Run,
    TargetInfo,
    TrustState,
    Verdict,
)

CORRECTNESS = Metric(name="correctness", judged=True)
RELEVANCE = Metric(name="relevance", judged=True)
EXACT = Metric(name="exact", judged=False)
JUDGED_BY = Identity(judge="claude-x [json_schema]", prompt="p1", scorer="s1")

Columns = Mapping[tuple[str, str], Mapping[str, Sequence[float | None]]]
"""(target, case id) -> metric -> one value an attempt."""


def cell(
    target: str,
    case: str,
    scores: Mapping[str, Sequence[float | None]],
    states: Sequence[str] | None = None,
    **more: object,
) -> Cell:
    """One cell; the attempts are ok unless `states` says how they ended."""
    length = max((len(column) for column in scores.values()), default=1)
    attempts = tuple(
        Attempt(
            state=state,
            digest=f"{target}/{case}/{i}" if state == "ok" else None,
            grounded=True if state == "ok" else None,
            latency_s=2.0,
            cost_usd=0.001 if state in {"ok", "empty"} else None,
            message=None if state == "ok" else f"it was {state}",
        )
        for i, state in enumerate(states or ["ok"] * length)
    )
    made = Cell(
        target=target,
        case_id=case,
        category="c",
        case_digest=f"text of {case}",
        scores={name: tuple(column) for name, column in scores.items()},
        attempts=attempts,
    )
    return replace(made, **more)


def run_of(
    cells: Sequence[Cell],
    metrics: Sequence[Metric] = (CORRECTNESS,),
    *,
    targets: Sequence[str] | None = None,
    cases: Sequence[str] | None = None,
    total: int = 0,
    **more: object,
) -> Run:
    """A run of these cells, in their order."""
    names = targets or list(dict.fromkeys(one.target for one in cells))
    run = Run(
        id="run-1",
        provenance=Provenance(created="2026-07-01T00:00:00Z"),
        plan=Plan(
            case_ids=tuple(sorted(cases or {one.case_id for one in cells})),
            total=total,
        ),
        targets=tuple(TargetInfo(name=name, use="recorded") for name in names),
        metrics=tuple(metrics),
        identities={
            metric.name: JUDGED_BY if metric.judged else Identity(scorer="s1") for metric in metrics
        },
        cells=tuple(cells),
    )
    return run.model_copy(update=more)


def columns(
    scores: Sequence[float | Sequence[float | None] | None],
    *,
    target: str = "t",
    metric: str = "correctness",
) -> list[Cell]:
    """One cell a case (`case-00`, `case-01`, ...); a bare number is one attempt."""
    return [
        cell(target, f"case-{i:02d}", {metric: value if isinstance(value, Sequence) else [value]})
        for i, value in enumerate(scores)
    ]


def baseline_of(run: Run, **more: object) -> Baseline:
    """The baseline that this run alone would make."""
    return make_baseline([run]).model_copy(update=more)


def licence(dimension: str = "correctness", state: TrustState = "validated") -> Agreement:
    """A licence with some figures."""
    return Agreement(
        dimension=dimension, state=state, kappa=0.8, n=96, because=f"it is {state}, because"
    )


def licences(run: Run, state: TrustState = "validated") -> list[Agreement]:
    """The same licence for every dimension of the run."""
    return [
        licence(metric.name, state if metric.judged else "not_needed") for metric in run.metrics
    ]


def verdict_of(
    run: Run,
    baseline: Baseline | None,
    policy: Policy | None = None,
    state: TrustState = "validated",
    **more: object,
) -> Verdict:
    """Compare and decide, with one licence for all dimensions."""
    rules = policy or Policy()
    options: dict[str, object] = {
        "narrowed": False,
        "seed": "gate-v1",
        "commits": Commits(),
        "reproduce": ["gate run --replay journal.sqlite"],
        **more,
    }
    return decide(run, compare(run, baseline, rules), licences(run, state), rules, **options)  # type: ignore[arg-type]


def labelled(
    table: Sequence[Sequence[int]], *, bound: bool = True, **more: object
) -> CalibrationSet:
    """A calibration set with this table of counts, rows human and columns judge."""
    judge = (0.1, 0.5, 0.9)
    human = ("low", "med", "high")
    items = [
        CalibrationItem.model_validate(
            {
                "case_id": f"case-{row}{column}{i:03d}",
                "target": "t",
                "answer": f"digest-{row}{column}{i}" if bound else None,
                "human": human[row],
                "judge": judge[column],
            }
        )
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for i in range(count)
    ]
    made = CalibrationSet(dimension="correctness", identity=JUDGED_BY, items=tuple(items))
    return made.model_copy(update=more)


def noisy(seed: int, n: int, drop: float = 0.0) -> tuple[list[float], list[float]]:
    """Baseline and new scores of n cases, one attempt each.

    Some cases are flaky and lose 0.6 on either side now and then; a share `drop` / 0.6 loses 0.6
    for good. The differences have a standard deviation of about 0.2 where nothing changed.
    """
    source = random.Random(seed)
    base, new = [], []
    for _ in range(n):
        flaky = 0.3 if source.random() < 0.3 else 0.01
        was, is_now = (1.0 - 0.6 * (source.random() < flaky) for _ in range(2))
        fallen = source.random() < drop / 0.6
        jitter = [0.05 * source.random() if source.random() < 0.4 else 0.0 for _ in range(2)]
        base.append(round(was - jitter[0], 4))
        new.append(round((0.4 if fallen else is_now) - jitter[1], 4))
    return base, new
