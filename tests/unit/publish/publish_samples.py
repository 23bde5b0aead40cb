"""Occasions, states and an in-memory host for the tests of publishing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from gate.errors import HostError
from gate.publish.comment import CommentOutcome, publish_comment
from gate.publish.hidden import Marker, key_digest
from gate.types import (
    AttemptState,
    CommentMode,
    CommitStatus,
    HostComment,
    LabelEvent,
    Occasion,
    PastAttempt,
    PullRequest,
    Status,
    Viewer,
)

HEAD = "a" * 40
KEY = "gate.yaml"
PULL = 7
BOT = Viewer("github-actions[bot]", bot=True)
STATUSES: tuple[Status, ...] = ("pass", "regression", "inconclusive", "broken", "report")
VALUES = st.none() | st.integers(-(10**6), 10**6).map(lambda whole: whole / 10_000)
NAMES = st.text(min_size=1, max_size=12)
ATTEMPTS = st.builds(
    PastAttempt,
    run_id=st.integers(0, 2**53),
    run_attempt=st.integers(1, 1000),
    status=st.sampled_from(STATUSES),
    identity=st.text(max_size=40),
    scores=st.none()
    | st.dictionaries(
        NAMES,
        st.dictionaries(
            NAMES,
            st.dictionaries(NAMES, st.lists(VALUES, max_size=3).map(tuple), max_size=5),
            max_size=3,
        ),
        max_size=2,
    ),
)
STATES = st.builds(
    AttemptState, head_sha=st.just(HEAD), attempts=st.lists(ATTEMPTS, max_size=6).map(tuple)
)


def body_of(text: str) -> str:
    """The body of a comment: what stands between the hidden parts, without the link to the run."""
    shown = text.split("\n", 1)[-1].rsplit("\n\n", 1)[0]
    return re.sub(r"\n\n\[this run\]\([^)\n]*\): its [a-z ]+\Z", "", shown)


def occasion(
    number: int = 5, attempt: int = 1, head: str | None = HEAD, **more: object
) -> Occasion:
    """The n-th run of a workflow on a pull request."""
    return Occasion.model_validate(
        {
            "repository": "o/r",
            "pull_request": PULL,
            "head_sha": head,
            "run_id": 1000 + number,
            "run_attempt": attempt,
            "run_url": f"https://github.com/o/r/actions/runs/{1000 + number}/attempts/{attempt}",
            "event": "pull_request",
            "actor": "octo-author",
            **more,
        }
    )


def marker(number: int = 5, attempt: int = 1, **more: object) -> Marker:
    """The marker of that run."""
    fields = {
        "key": key_digest(KEY),
        "run_id": 1000 + number,
        "run_attempt": attempt,
        "head_sha": HEAD,
        "status": "pass",
    }
    return Marker.model_validate(fields | more)


def past(number: int = 5, *, cases: int = 3, spread: int = 4, scored: bool = True) -> PastAttempt:
    """An attempt with scores of so many cases, on so many steps."""
    column = {f"case-{n}": ((n * 7919 + number) % spread / spread,) for n in range(cases)}
    return PastAttempt(
        run_id=1000 + number,
        run_attempt=1,
        status="regression",
        scores={"search": {"correctness": column}} if scored else None,
    )


def publish(
    host: FakeHost,
    body: str = "text",
    when: Occasion | None = None,
    *,
    mode: CommentMode = "update",
    status: Status | None = "pass",
    state: AttemptState | None = None,
) -> CommentOutcome:
    """Publish on a fake host."""
    return publish_comment(
        host, when or occasion(), KEY, body, mode=mode, state=state, status=status
    )


class FakeHost:
    """A host in memory. `before` is called with each method's name before it works."""

    def __init__(self, me: Viewer = BOT, head: str = HEAD) -> None:
        self.me = me
        self.head = head
        self.rows: dict[int, HostComment] = {}
        self.calls: list[str] = []
        self.statuses_set: list[tuple[str, CommitStatus]] = []
        self.before: Callable[[str], None] = lambda _name: None
        self._last = 0

    def add(self, body: str, author: Viewer | None = BOT) -> int:
        """Write a comment as somebody."""
        self._last += 1
        url = f"https://github.com/o/r/pull/7#issuecomment-{self._last}"
        self.rows[self._last] = HostComment(self._last, url, author, body)
        return self._last

    def _called(self, name: str) -> None:
        self.calls.append(name)
        self.before(name)

    def viewer(self) -> Viewer:
        """The token's account."""
        self._called("viewer")
        return BOT

    def comments(self, pull_request: int) -> Sequence[HostComment]:
        """All comments."""
        self._called("comments")
        assert PULL == pull_request
        return list(self.rows.values())

    def create_comment(self, pull_request: int, body: str) -> HostComment:
        """Write as the token's account."""
        self._called("create")
        assert PULL == pull_request
        return self.rows[self.add(body, self.me)]

    def edit_comment(self, comment_id: int, body: str) -> HostComment:
        """Replace a text."""
        self._called("edit")
        old = self._there(comment_id)
        self.rows[comment_id] = HostComment(old.id, old.url, old.author, body)
        return self.rows[comment_id]

    def delete_comment(self, comment_id: int) -> None:
        """Remove."""
        self._called("delete")
        del self.rows[self._there(comment_id).id]

    def _there(self, comment_id: int) -> HostComment:
        if comment_id not in self.rows:
            raise HostError("gone", status=404)
        return self.rows[comment_id]

    def pull_request(self, number: int) -> PullRequest:
        """The pull request."""
        self._called("pull")
        return PullRequest(number, self.head, "o/r", "open", "octo-author", ())

    def open_pull_requests(self) -> Sequence[PullRequest]:
        """It alone."""
        return [self.pull_request(PULL)]

    def label_events(self, number: int) -> Sequence[LabelEvent]:
        """None."""
        return []

    def permission(self, login: str) -> str:
        """Everybody may read."""
        return "read"

    def statuses(self, sha: str) -> Sequence[CommitStatus]:
        """What was set on a commit, the newest first."""
        self._called("statuses")
        return [status for one, status in reversed(self.statuses_set) if one == sha]

    def set_status(self, sha: str, status: CommitStatus) -> None:
        """Remember it."""
        self._called("status")
        self.statuses_set.append((sha, status))
