"""What a journal tells of a run besides its calls: when and as what it began, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from pydantic import JsonValue, ValidationError

from gate.errors import JournalError
from gate.types import Commits, Confirm, ControlCheck, Cost
from gate.wire.journal_replay import Replay

__all__ = [
    "Start",
    "commits_of",
    "confirm_of",
    "controls_of",
    "cost_of",
    "look_of",
    "meta_of",
    "places_of",
    "start_of",
    "stopped_of",
]


@dataclass(frozen=True)
class Start:
    """What is the same when a run is resumed or replayed."""

    run_id: str
    """Id of the run in its journal."""
    started: str
    """UTC time of the first start, ISO 8601."""
    world: str | None
    """Variant of the loopback world; None for real vendors."""
    commits: Commits
    """Which code is measured."""
    estimated_usd: float | None = None
    """What the run was likely to cost, in US dollars."""

    @property
    def day(self) -> date:
        """Day of the first start, whose prices count."""
        return datetime.fromisoformat(self.started).date()


def start_of(tape: Replay) -> Start:
    """Return when and as what a recorded run began. Raises JournalError."""
    meta = tape.run.meta
    started, world, usd = meta.get("started"), meta.get("world"), meta.get("estimated_usd")
    if not isinstance(started, str):
        raise JournalError(f"{tape.path}: does not say when its run was made; make a new journal")
    return Start(
        run_id=tape.run.id,
        started=started,
        world=world if isinstance(world, str) else None,
        commits=commits_of(meta.get("commits")),
        estimated_usd=usd if isinstance(usd, float) else None,
    )


def stopped_of(tape: Replay) -> str | None:
    """Say why a recorded run ended early; None where it did not."""
    told = tape.run.meta.get("stopped")
    return told if isinstance(told, str) else None


def confirm_of(tape: Replay) -> Confirm | None:
    """Return the second look of a run without its answers. Raises JournalError."""
    told = tape.run.meta.get("confirm")
    try:
        return None if told is None else Confirm.model_validate(told)
    except ValidationError as error:
        raise JournalError(
            f"{tape.path}: the second look of run {tape.run.id} cannot be read: restore it from a "
            "copy, or run again without --replay"
        ) from error


def controls_of(tape: Replay) -> ControlCheck | None:
    """Return what the judge said of the control answers of a run. Raises JournalError."""
    told = tape.run.meta.get("controls")
    try:
        return None if told is None else ControlCheck.model_validate(told)
    except ValidationError as error:
        raise JournalError(
            f"{tape.path}: the control answers of run {tape.run.id} cannot be read: restore it "
            "from a copy, or run again without --replay"
        ) from error


def look_of(tape: Replay) -> int | None:
    """Return the look that a recorded run stopped at; None where it asked all."""
    told = tape.run.meta.get("look")
    return told if isinstance(told, int) else None


def cost_of(tape: Replay) -> Cost | None:
    """Return what the run cost: calls in flight when it was stopped belong to no job that is done.

    Raises JournalError.
    """
    told = tape.run.meta.get("cost")
    try:
        return None if told is None else Cost.model_validate(told)
    except ValidationError as error:
        raise JournalError(
            f"{tape.path}: what run {tape.run.id} cost cannot be read: restore it from a copy, or "
            "run again without --replay"
        ) from error


def meta_of(start: Start) -> dict[str, JsonValue]:
    """Return what a resume or a replay takes over from the beginning of a run."""
    return {
        "started": start.started,
        "world": start.world,
        "estimated_usd": start.estimated_usd,
        "commits": start.commits.model_dump(mode="json"),
    }


def places_of(meta: Mapping[str, JsonValue], name: str) -> frozenset[int]:
    """Return places of jobs that the end of a run told; none where it told of none."""
    told = meta.get(name)
    places = told if isinstance(told, list) else []
    return frozenset(one for one in places if isinstance(one, int))


def commits_of(told: JsonValue) -> Commits:
    """Return the commits that a journal tells of; unknown ones where it tells of none."""
    known = told if isinstance(told, dict) else {}
    return Commits.model_validate(
        {name: one if isinstance(one, str) else None for name, one in known.items()}
    )
