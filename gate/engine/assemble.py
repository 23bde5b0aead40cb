"""Results in, a run out: columns of scores, sorted, with the identity of every metric."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from gate.engine.unread import unread_pages
from gate.protocols import Scorer
from gate.types import (
    Answer,
    Attempt,
    Cell,
    Cost,
    Failure,
    Identity,
    Metric,
    Plan,
    Provenance,
    Result,
    Run,
    Score,
    State,
    TargetInfo,
)

STATES: Mapping[str, State] = {
    "empty": "empty",
    "blocked": "blocked",
    "timeout": "timeout",
    "budget": "budget",
}
"""Failure kind of an answer -> how the attempt ended; all others are errors."""

WHO_FAILED: Mapping[str, str] = {
    "judge": "The judge failed",
    "empty": "The target answered without text",
    "budget": "The ceiling stopped the run",
    "pages": "The cited pages could not be read",
}
"""Failure kind -> who failed; for all others it is the target."""


def assemble(
    results: Iterable[Result],
    *,
    run_id: str,
    provenance: Provenance,
    plan: Plan,
    targets: Sequence[TargetInfo],
    scorers: Sequence[Scorer],
    cost: Cost,
    judge_family: str | None,
    stopped: str | None = None,
    warnings: Sequence[str] = (),
) -> Run:
    """Return the run of these results, whatever the order in which they came."""
    ordered = sorted(results, key=lambda result: (result.target, result.case_id, result.attempt))
    metrics = tuple(metric for scorer in scorers for metric in scorer.metrics)
    answered: dict[str, set[str]] = defaultdict(set)
    for result in ordered:
        if result.answer.model:
            answered[result.target].add(result.answer.model)
    return Run(
        id=run_id,
        provenance=provenance,
        plan=plan,
        targets=tuple(
            info.model_copy(update={"answered": tuple(sorted(answered[info.name]))})
            for info in targets
        ),
        metrics=metrics,
        identities=_identities(ordered, scorers),
        cells=tuple(_cells(ordered, metrics)),
        cost=cost,
        judge_family=judge_family,
        warnings=(*warnings, *unread_pages(ordered)),
        stopped=stopped,
        broken=_one_cause(ordered),
    )


def state_of(answer: Answer) -> State:
    """Tell how an attempt ended."""
    if answer.failure is None:
        return "ok"
    return STATES.get(answer.failure.kind, "error")


def _cells(ordered: Sequence[Result], metrics: Sequence[Metric]) -> Iterable[Cell]:
    groups: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in ordered:
        groups[result.target, result.case_id].append(result)
    for (target, case_id), group in groups.items():
        scores: dict[str, tuple[float | None, ...]] = {}
        failures: dict[str, tuple[str | None, ...]] = {}
        for metric in metrics:
            found = [_score(result, metric.name) for result in group]
            scores[metric.name] = tuple(_number(score) for score in found)
            kinds = tuple(
                None if score is None or score.failure is None else score.failure.kind
                for score in found
            )
            if any(kinds):
                failures[metric.name] = kinds
        yield Cell(
            target=target,
            case_id=case_id,
            category=group[0].category,
            case_digest=group[0].case_digest,
            scores=scores,
            attempts=tuple(_attempt(result.answer) for result in group),
            failures=failures,
        )


def _attempt(answer: Answer) -> Attempt:
    ok = answer.failure is None
    return Attempt(
        state=state_of(answer),
        digest=answer.digest if ok else None,
        model=answer.model,
        grounded=answer.grounded if ok else None,
        latency_s=None if answer.cached else answer.latency_s,
        cost_usd=answer.cost_usd,
        message=None if answer.failure is None else answer.failure.message,
    )


def _score(result: Result, metric: str) -> Score | None:
    return next((score for score in result.scores if score.metric == metric), None)


def _number(score: Score | None) -> float | None:
    if score is None or score.value is None or isinstance(score.value, str):
        return None
    return float(score.value)


def _identities(ordered: Sequence[Result], scorers: Sequence[Scorer]) -> dict[str, Identity]:
    """Name judge, prompt and scorer of every metric.

    Several judge models behind one metric (a re-routing in mid-run) are named together, so that
    such a run equals no other by accident.
    """
    judges: dict[str, set[str]] = defaultdict(set)
    for result in ordered:
        for score in result.scores:
            if score.judge:
                judges[score.metric].add(f"{score.judge} [{score.form or 'unknown form'}]")
    return {
        metric.name: Identity(
            judge=" + ".join(sorted(judges[metric.name])) or None,
            prompt=scorer.prompt_digest,
            scorer=scorer.settings_digest,
        )
        for scorer in scorers
        for metric in scorer.metrics
    }


def _one_cause(ordered: Sequence[Result]) -> Failure | None:
    """Return the commonest failure when no job at all gave a score, else None.

    The message counts how often it came; a run that asked nothing has a cause as well.
    """
    if not ordered:
        return Failure(kind="error", message="no case was run")
    scores = [score for result in ordered for score in result.scores]
    given = [score for score in scores if score.value is not None]
    judge_failed = any(one.failure is not None and one.failure.kind == "judge" for one in scores)
    # A value that needed no judge, such as recall without a citation, does not make a run whose
    # judge never once replied a measured one.
    if any(score.judge for score in given) or (given and not judge_failed):
        return None
    failures = [
        failure
        for result in ordered
        for failure in (result.answer.failure, *_judge_failures(result))
        if failure is not None
    ]
    if not failures:
        return None
    common, count = Counter(failures).most_common(1)[0]
    what = WHO_FAILED.get(common.kind, "The target failed")
    return common.model_copy(
        update={"message": f"{what}, {count} of {len(ordered)} times: {common.message}"}
    )


def _judge_failures(result: Result) -> tuple[Failure | None, ...]:
    """Return one failure of a result's scores, the judge's before others."""
    failures = [score.failure for score in result.scores if score.failure is not None]
    failures.sort(key=lambda failure: failure.kind != "judge")
    return tuple(failures[:1])
