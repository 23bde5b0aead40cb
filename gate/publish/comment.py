"""One comment for each configuration: found by its marker and its author, updated in place.

What can go wrong is a sentence in the outcome and never an error: verdict and files stand.
What it cannot see: a newer run that writes in the instant between our last look and our edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gate.errors import HostError
from gate.protocols import Comments, Host
from gate.publish.choosing import Choice, Own, choose, doubles, newest, own
from gate.publish.fitting import fitted
from gate.publish.hidden import MOST_UNITS, Marker, join, key_digest, units
from gate.publish.later import unposted
from gate.publish.run_link import run_link
from gate.publish.state import read_state, write_state
from gate.reports.numbers import usd
from gate.reports.untrusted import plain, span
from gate.types import AttemptState, CommentMode, HostComment, Occasion, Status

__all__ = [
    "CommentOutcome",
    "Recalled",
    "comment_text",
    "publish_comment",
    "recall_attempts",
    "starting_body",
]

_GONE: Final = 404


@dataclass(frozen=True, slots=True)
class CommentOutcome:
    """What came of a comment."""

    url: str | None = None
    """Its address; None where there is none."""
    warning: str | None = None
    """What a person must know, in a sentence or two."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the comment remembers of earlier attempts on this head."""

    state: AttemptState | None = None
    """The attempts; None where there are none."""
    warning: str | None = None
    """Why they could not be read."""
    asked: bool = True
    """Whether the host answered; what could not be looked at must not be overwritten."""


def publish_comment(
    host: Host,
    occasion: Occasion,
    key: str,
    body: str,
    *,
    mode: CommentMode,
    state: AttemptState | None,
    status: Status | None,
) -> CommentOutcome:
    """Write the comment of a configuration, or say why not.

    `key` names the configuration. `status` is the verdict's; None for a starting comment. `state`
    is what is remembered of attempts on this head; None keeps what is there.
    """
    if mode == "off":
        return CommentOutcome()
    if occasion.pull_request is None:
        return CommentOutcome(warning="There is no pull request to comment on.")
    if occasion.head_sha is None:
        return CommentOutcome(
            warning="The run does not say which head it measured, so it is not commented on: "
            "start it from the pull request, or hand it the commit."
        )
    mine = Marker(
        key=key_digest(key),
        run_id=occasion.measured[0],
        run_attempt=occasion.measured[1],
        head_sha=occasion.head_sha,
        status=status,
        finished=status is not None,
    )
    try:
        link = run_link(occasion, finished=mine.finished)
        return _Writing(host, occasion.pull_request, mine, mode, body, state, link).done()
    except HostError as error:
        # That a run has begun is of no use later.
        return CommentOutcome(warning=unposted(error) if mine.finished else str(error))


def recall_attempts(host: Comments, occasion: Occasion, key: str) -> Recalled:
    """Read what our comment remembers of earlier attempts on the occasion's head."""
    if occasion.pull_request is None or occasion.head_sha is None:
        return Recalled()
    try:
        found = own(host.comments(occasion.pull_request), host.viewer(), key_digest(key))
    except HostError as error:
        return Recalled(
            warning=f"Earlier attempts could not be read; this one is judged alone. {error}",
            asked=False,
        )
    # Of several comments (mode `new`), a run that was killed early may have left one without any.
    last = newest(
        [one for one in found if one.marker.head_sha == occasion.head_sha and one.parts.attempts]
    )
    if last is None:
        return Recalled()
    state, warning = read_state(last.parts.attempts)
    if state is not None and state.head_sha != occasion.head_sha:
        return Recalled()
    return Recalled(state, warning)


def starting_body(
    name: str, estimate_usd: float | None, ceiling_usd: float | None, cases: int
) -> str:
    """Return the short comment of a run that has begun: what it will cost, and at most.

    `name` is the configuration's; costs are US dollars, None where unknown or unlimited.
    """
    about = "cost unknown" if estimate_usd is None else f"about {usd(estimate_usd)} by the estimate"
    most = "no ceiling" if ceiling_usd is None else f"at most {usd(ceiling_usd)}"
    many = "1 case" if cases == 1 else f"{cases} cases"
    return (
        f"### ⏳ Running: {many}\n\n{about[0].upper()}{about[1:]}, {most}. "
        f"The verdict will stand here.\n\n<sub>configuration {span(name, 100)}</sub>"
    )


def comment_text(
    marker: Marker, body: str, state: AttemptState | None, link: str | None = None
) -> tuple[str, str | None]:
    """Put marker, body, link and state together in at most 65,536 units; say what was left out.

    `link` is the line of `run_link`.
    """
    shown = fitted(body) if link is None else f"{fitted(body)}\n\n{link}"
    if state is None:
        return join(marker, shown, ""), None
    packed, lost = write_state(state, MOST_UNITS - units(join(marker, shown, "")))
    return join(marker, shown, packed), lost


@dataclass
class _Writing:
    """One comment on its way. Each step may raise HostError."""

    host: Host
    number: int
    mine: Marker
    mode: CommentMode
    body: str
    state: AttemptState | None
    link: str | None
    lost: str | None = None

    def done(self) -> CommentOutcome:
        me = self.host.viewer()
        head = self.host.pull_request(self.number).head_sha
        # Listed last, since GitHub knows no condition on what an edit replaces.
        found = own(self.host.comments(self.number), me, self.mine.key)
        choice = choose(found, self.mine, self.mode)
        if choice.left is not None:
            return CommentOutcome(found[-1].comment.url, choice.left or None)
        if head != self.mine.head_sha:
            return self._moved(head, choice)
        written, added = self._write(choice.edit)
        try:
            kept = self._tidy(written, added=added)
        except HostError as error:
            return CommentOutcome(written.url, f"The comment may stand there twice. {error}")
        return CommentOutcome(kept.url, self.lost)

    def _text(self, before: Own | None) -> str:
        """The whole comment; what it replaces hands down the last verdict and the attempts."""
        mine, state = self.mine, self.state
        if before is not None and mine.status is None:
            mine = mine.model_copy(update={"status": before.marker.status})
        if before is not None and state is None and before.marker.head_sha == mine.head_sha:
            state, _ = read_state(before.parts.attempts)
        text, self.lost = comment_text(mine, self.body, state, self.link)
        return text

    def _write(self, target: Own | None) -> tuple[HostComment, bool]:
        """Update the target; add a comment where there is none, or none any more."""
        text = self._text(target)
        if target is not None:
            try:
                return self.host.edit_comment(target.comment.id, text), False
            except HostError as error:
                if error.status != _GONE:
                    raise
        return self.host.create_comment(self.number, text), True

    def _tidy(self, written: HostComment, *, added: bool) -> HostComment:
        """Look again: two runs may have written at once, and a new comment says who we are.

        The oldest comment wins. A run that finds one older than what it added moves there.
        """
        me = written.author or self.host.viewer()
        found = own(self.host.comments(self.number), me, self.mine.key)
        kept = written
        older = [one for one in found if one.comment.id < written.id]
        if added and older:
            kept = self._moved_to(choose(older, self.mine, self.mode), older, written)
        for double in doubles(found, kept.id, self.mine, self.mode):
            self._remove(double)
        return kept

    def _moved_to(self, choice: Choice, older: list[Own], written: HostComment) -> HostComment:
        """Move from a comment that was added to an older one, unless that one is gone."""
        if choice.left is not None:
            self._remove(written.id)
            return older[-1].comment
        if choice.edit is None:
            return written
        try:
            kept = self.host.edit_comment(choice.edit.comment.id, self._text(choice.edit))
        except HostError as error:
            if error.status != _GONE:
                raise
            return written
        self._remove(written.id)
        return kept

    def _remove(self, comment_id: int) -> None:
        try:
            self.host.delete_comment(comment_id)
        except HostError as error:
            if error.status != _GONE:
                raise

    def _moved(self, head: str, choice: Choice) -> CommentOutcome:
        """Leave the comment to the new head's run; only our own "running" must not stay."""
        moved = f"The pull request moved on to {plain(head)[:12]} while {self.mine.head_sha[:12]}"
        said = f"{moved} was measured, so its comment was not changed: see this run's summary."
        stub = choice.edit
        if stub is None or stub.marker.finished or stub.marker.run_id != self.mine.run_id:
            return CommentOutcome(warning=said)
        self.mine = self.mine.model_copy(update={"status": stub.marker.status})
        self.body = f"### ⏹️ Superseded\n\n{moved} was measured: no verdict stands here."
        written = self.host.edit_comment(stub.comment.id, self._text(stub))
        return CommentOutcome(written.url, said)
