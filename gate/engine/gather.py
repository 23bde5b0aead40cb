"""Results as they come -> what a run keeps of them: columns of scores, never a text.

The order in which results come makes no difference. What it cannot see: answers and reasons, which
stand in `results.jsonl`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gate.engine.unread import page_statuses
from gate.protocols import Scorer
from gate.types import (
    Answer,
    Attempt,
    Cell,
    Failure,
    FailureKind,
    Identity,
    Metric,
    Result,
    Score,
    State,
)

Key = tuple[str, str, int]
"""Target, case id and attempt: one job."""

STATES: Mapping[FailureKind, State] = {
    "empty": "empty",
    "blocked": "blocked",
    "timeout": "timeout",
    "budget": "budget",
}
"""Failure kind of an answer -> how the attempt ended; all others are errors."""

WHO_FAILED: Mapping[FailureKind, str] = {
    "judge": "The judge failed",
    "empty": "The target answered without text",
    "budget": "The ceiling stopped the run",
    "pages": "The cited pages could not be read",
}
"""Failure kind -> who failed; for all others it is the target."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """One result: its attempt, its values and why some are missing, in the metrics' order."""

    number: int
    category: str
    case_digest: str
    attempt: Attempt
    values: tuple[float | None, ...]
    failures: tuple[str | None, ...] | None
    members: Mapping[str, Mapping[str, float | None]]
    unpaid: bool


class Gathering:
    """Takes the results of a run one by one."""

    def __init__(self, scorers: Sequence[Scorer]) -> None:
        """Take the scorers, in the order of the table."""
        self.metrics: tuple[Metric, ...] = tuple(m for one in scorers for m in one.metrics)
        self.page_statuses: Counter[str] = Counter()
        """Status of a cited page -> how many, each source of each answer once."""
        self.count = 0
        """Results taken."""
        self._scorers = scorers
        self._names = tuple(metric.name for metric in self.metrics)
        self._kept: dict[tuple[str, str], list[_Kept]] = defaultdict(list)
        self._answered: dict[str, set[str]] = defaultdict(set)
        self._judges: dict[str, set[str]] = defaultdict(set)
        self._causes: Counter[Failure] = Counter()
        self._any_answer = False
        self._value_given = False
        self._judge_gave = False
        self._judge_failed = False

    def add(self, result: Result) -> None:
        """Take one result."""
        self.count += 1
        answer = result.answer
        if answer.model:
            self._answered[result.target].add(answer.model)
        found = {score.metric: score for score in result.scores}
        kinds = tuple(_failure_kind(found.get(name)) for name in self._names)
        budget = answer.failure is not None and answer.failure.kind == "budget"
        self._kept[result.target, result.case_id].append(
            _Kept(
                number=result.attempt,
                category=result.category,
                case_digest=result.case_digest,
                attempt=_attempt(answer, result.answer_digest),
                values=tuple(_number(found.get(name)) for name in self._names),
                failures=kinds if any(kinds) else None,
                members={name: one.members for name, one in found.items() if one.members},
                unpaid=budget or "budget" in kinds,
            )
        )
        self.page_statuses.update(page_statuses(result))
        self._learn(result)

    def drop_all_but(self, keys: Collection[Key]) -> None:
        """Forget the results of other jobs: a run that ended early is decided on a part of them."""
        for (target, case_id), kept in list(self._kept.items()):
            here = [one for one in kept if (target, case_id, one.number) in keys]
            if here:
                self._kept[target, case_id] = here
            else:
                del self._kept[target, case_id]

    def finished(self) -> set[Key]:
        """Return the jobs that ended, those left out that money stopped."""
        return {
            (target, case_id, one.number)
            for (target, case_id), kept in self._kept.items()
            for one in kept
            if not one.unpaid
        }

    def known(self) -> set[Key]:
        """Return the jobs that have a result, whatever it says."""
        return {
            (target, case_id, one.number)
            for (target, case_id), kept in self._kept.items()
            for one in kept
        }

    def answered(self, target: str) -> tuple[str, ...]:
        """Return the models that really answered for a target, sorted."""
        return tuple(sorted(self._answered[target]))

    def cells(self) -> Iterator[Cell]:
        """Yield the cells, sorted by target and case, each with its attempts in their order."""
        for (target, case_id), kept in sorted(self._kept.items()):
            ordered = sorted(kept, key=lambda one: one.number)
            rows = [one.failures or (None,) * len(self._names) for one in ordered]
            failures = {
                name: column
                for name, column in zip(self._names, zip(*rows, strict=True), strict=True)
                if any(column)
            }
            columns = zip(*(one.values for one in ordered), strict=True)
            yield Cell(
                target=target,
                case_id=case_id,
                category=ordered[0].category,
                case_digest=ordered[0].case_digest,
                scores=dict(zip(self._names, columns, strict=True)),
                attempts=tuple(one.attempt for one in ordered),
                failures=failures,
                members=_members([one.members for one in ordered]),
            )

    def identities(self) -> dict[str, Identity]:
        """Name judge, prompt and scorer of every metric.

        Several judge models behind one metric (a re-routing in mid-run) are named together, so
        that such a run equals no other by accident.
        """
        return {
            metric.name: Identity(
                judge=" + ".join(sorted(self._judges[metric.name])) or None,
                prompt=scorer.prompt_digest,
                scorer=scorer.settings_digest,
            )
            for scorer in self._scorers
            for metric in scorer.metrics
        }

    def one_cause(self) -> Failure | None:
        """Return the commonest failure when no job at all gave a score, else None.

        Where there is no scorer, an answer is enough. The message counts how often the failure
        came; a run that asked nothing has a cause as well.
        """
        if not self.count:
            return Failure(kind="error", message="no case was run")
        if not self._scorers and self._any_answer:
            return None
        # A value that needed no judge, such as recall without a citation, does not make a run
        # whose judge never once replied a measured one.
        if self._judge_gave or (self._value_given and not self._judge_failed):
            return None
        if not self._causes:
            return None
        most = max(self._causes.values())
        common = min(
            (failure for failure, count in self._causes.items() if count == most),
            key=lambda failure: (failure.kind, failure.message, failure.status or 0),
        )
        what = WHO_FAILED.get(common.kind, "The target failed")
        return common.model_copy(
            update={"message": f"{what}, {most} of {self.count} times: {common.message}"}
        )

    def _learn(self, result: Result) -> None:
        """Remember who judged, and what failed."""
        failures = [score.failure for score in result.scores if score.failure is not None]
        for score in result.scores:
            if score.judge:
                self._judges[score.metric].add(
                    # Those of several judges stand in their names already.
                    score.judge
                    if score.members
                    else f"{score.judge} [{score.form or 'unknown form'}]"
                )
            if score.value is not None:
                self._value_given = True
                self._judge_gave = self._judge_gave or bool(score.judge)
        self._judge_failed = self._judge_failed or any(one.kind == "judge" for one in failures)
        # One failure of a result's scores, the judge's before others.
        failures.sort(key=lambda failure: failure.kind != "judge")
        if result.answer.failure is None:
            self._any_answer = True
        else:
            self._causes[result.answer.failure] += 1
        self._causes.update(failures[:1])


def _members(
    rows: Sequence[Mapping[str, Mapping[str, float | None]]],
) -> dict[str, dict[str, tuple[float | None, ...]]]:
    """Put what each ruling said of each attempt in columns; attempts without any have None."""
    names: dict[str, dict[str, None]] = {}
    for row in rows:
        for metric, said in row.items():
            names.setdefault(metric, {}).update(dict.fromkeys(said))
    return {
        metric: {
            member: tuple(row.get(metric, {}).get(member) for row in rows) for member in members
        }
        for metric, members in names.items()
    }


def state_of(answer: Answer) -> State:
    """Tell how an attempt ended."""
    return "ok" if answer.failure is None else STATES.get(answer.failure.kind, "error")


def _attempt(answer: Answer, digest: str | None) -> Attempt:
    ok = answer.failure is None
    return Attempt(
        state=state_of(answer),
        digest=digest,
        model=answer.model,
        grounded=answer.grounded if ok else None,
        latency_s=None if answer.cached else answer.latency_s,
        cost_usd=answer.cost_usd,
        message=None if answer.failure is None else answer.failure.message,
    )


def _failure_kind(score: Score | None) -> str | None:
    return None if score is None or score.failure is None else score.failure.kind


def _number(score: Score | None) -> float | None:
    if score is None or score.value is None or isinstance(score.value, str):
        return None
    return float(score.value)
