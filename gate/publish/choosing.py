"""Which comment is ours, and which of ours is written to: pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gate.publish.hidden import Marker, Parts, read
from gate.types import CommentMode, HostComment, Viewer


@dataclass(frozen=True, slots=True)
class Own:
    """A comment that we wrote for one configuration."""

    comment: HostComment
    """The comment."""
    parts: Parts
    """Its hidden parts."""

    @property
    def marker(self) -> Marker:
        """Which run wrote it last."""
        return self.parts.marker


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be done."""

    edit: Own | None = None
    """The comment that is updated; None adds one."""
    left: str | None = None
    """Why nothing is written, in a sentence; empty when nothing need be said; None to write."""


def own(comments: Iterable[HostComment], me: Viewer, key: str) -> list[Own]:
    """Return our comments of a configuration, oldest first; `key` is the digest in the marker.

    Whatever somebody else wrote is not ours, marker or not.
    """
    found = []
    for comment in sorted(comments, key=lambda one: one.id):
        parts = read(comment.body) if comment.author == me else None
        if parts is not None and parts.marker.key == key:
            found.append(Own(comment, parts))
    return found


def newer(other: Marker, mine: Marker) -> bool:
    """Whether another run is later than ours: by its id, then by its attempt.

    Ids grow over the whole repository; a re-run keeps its id, and comes no later for it than a run
    that was started after the first attempt. Of what is published later it is the run that
    measured.
    """
    return _order(other) > _order(mine)


def _order(one: Marker) -> tuple[int, int]:
    return (one.run_id, one.run_attempt)


def newest(found: Sequence[Own]) -> Own | None:
    """Return the comment that the latest run wrote; of one run's, the youngest."""
    return max(
        found,
        key=lambda one: (*_order(one.marker), one.comment.id),
        default=None,
    )


def choose(found: Sequence[Own], mine: Marker, mode: CommentMode) -> Choice:
    """Choose among our comments, oldest first, for a run and a mode other than `off`."""
    later = [one for one in found if newer(one.marker, mine)]
    if later:
        number, attempt = _order(later[-1].marker)
        return Choice(
            left=f"A newer run ({number}, attempt {attempt}) has commented already, and an "
            "older one does not overwrite it: see the summary of this run."
        )
    if not mine.finished and any(
        one.marker.finished and _same_run(one.marker, mine) for one in found
    ):
        # Its beginning was told late, or one job decides twice: the verdict stays.
        return Choice(left="")
    if not found or mode == "update":
        return Choice(edit=next(iter(found), None))
    if mode == "new":
        return Choice(edit=next((one for one in found if _same_run(one.marker, mine)), None))
    last = found[-1]
    if not mine.finished:
        # Its text would be lost to "running", and a changed status would add another comment.
        return Choice(left="")
    changed = last.marker.status not in (None, mine.status)
    return Choice(edit=None if changed else last)


def doubles(found: Sequence[Own], kept: int, mine: Marker, mode: CommentMode) -> list[int]:
    """Return the ids of younger comments of ours that say again what the kept one says.

    A newer run's is left to that run, which knows an older comment to move to.
    """
    return [
        one.comment.id
        for one in found
        if one.comment.id > kept
        and not newer(one.marker, mine)
        and (mode == "update" or _same_run(one.marker, mine))
    ]


def _same_run(one: Marker, other: Marker) -> bool:
    return _order(one) == _order(other)
