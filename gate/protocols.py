"""The shapes: what a plug-in must look like, and the doors that are handed to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from pydantic import JsonValue

from gate.types import (
    Answer,
    Artifact,
    Call,
    CommitStatus,
    F,
    HostComment,
    Job,
    LabelEvent,
    Metric,
    Page,
    Prompt,
    PullRequest,
    Question,
    Reply,
    Report,
    Result,
    Ruling,
    Score,
    TargetInfo,
    Trial,
    Viewer,
)


class Target(Protocol):
    """A system under test. It sees questions, never cases."""

    @property
    def info(self) -> TargetInfo:
        """Name, plug-in, model and a digest of the settings, known before any call."""
        ...

    async def answer(self, question: Question, attempt: int) -> Answer:
        """Answer one question. A failure is an `Answer` with its `failure` set.

        Raises CannotRun for what no later call can mend, such as an unknown model.
        """
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class Judge(Protocol):
    """A model that fills in a form; it also drives the simulated user."""

    @property
    def model(self) -> str:
        """The model that is asked for."""
        ...

    @property
    def family(self) -> str:
        """Its vendor family, such as `claude`."""
        ...

    @property
    def settings_digest(self) -> str:
        """SHA-256 of the settings that shape its rulings, such as effort."""
        ...

    async def ask(
        self,
        prompt: Prompt,
        form: type[F],
        attempt: int = 0,
        *,
        case_id: str | None = None,
        target: str | None = None,
    ) -> Ruling[F]:
        """Fill in `form`. A failure is a `Ruling` with its `failure` set.

        `case_id` and `target` are for the audit only. Raises CannotRun for what no later call
        can mend.
        """
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class Scorer(Protocol):
    """Turns a trial into scores."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What it measures, in table order."""
        ...

    @property
    def reads_pages(self) -> bool:
        """Whether cited pages must be fetched for it."""
        ...

    @property
    def prompt_digest(self) -> str | None:
        """SHA-256 of its prompt templates; None without a judge."""
        ...

    @property
    def settings_digest(self) -> str:
        """SHA-256 of its name, version and options."""
        ...

    async def score(self, trial: Trial) -> Sequence[Score]:
        """One score for each metric, in their order, failures included."""
        ...


class Pages(Protocol):
    """The door of cited pages: each is fetched and read once a run."""

    async def page(self, uri: str) -> Page:
        """Return the page at an address; what went wrong is its status and never an error.

        Raises CannotRun when pages cannot be read on this machine, ReplayError when a replay
        lacks the page.
        """
        ...

    async def aclose(self) -> None:
        """Close connections and end processes."""
        ...


class Executor(Protocol):
    """Runs jobs, here or elsewhere."""

    def execute(
        self, jobs: Sequence[Job], work: Callable[[Job], Awaitable[Result]]
    ) -> AsyncIterator[Result]:
        """Yield results as they come, in any order."""
        ...


class Reporter(Protocol):
    """Renders a report; pure."""

    def render(self, report: Report) -> Artifact:
        """Return the file."""
        ...


class Publisher(Protocol):
    """Shows a report somewhere; acts."""

    def publish(self, report: Report, artifacts: Sequence[Artifact]) -> None:
        """Publish."""
        ...


class Door(Protocol):
    """The one door through which every paid call goes: journal, limits, retries, cost."""

    async def call(
        self,
        call: Call,
        send: Callable[[], Awaitable[JsonValue]],
        price: Callable[[JsonValue], float | None],
    ) -> Reply:
        """Return the recorded reply, or send, record and settle.

        `send` makes one try and raises CallError; `price` reads the cost in US dollars from a
        body (None when unknown). Raises CallError when no try succeeded, ReplayError when a
        replay lacks the call.
        """
        ...


class Progress(Protocol):
    """Told what happens while a run goes on; writes to a terminal or to a log."""

    def start(self, total: int, doing: str, noun: str) -> None:
        """`total` jobs are planned; `doing` (`judging`) is done to each `noun` (`answer`)."""
        ...

    def done(self, result: Result, usd: float | None) -> None:
        """A job ended; `usd` is the cost so far, None when a part is unknown."""
        ...

    def note(self, text: str) -> None:
        """Something that a person should know now."""
        ...

    def close(self) -> None:
        """The run ended."""
        ...


class Comments(Protocol):
    """The conversation of a pull request. Every member raises HostError."""

    def viewer(self) -> Viewer:
        """Return who writes with the token in hand."""
        ...

    def comments(self, pull_request: int) -> Sequence[HostComment]:
        """Return all comments of all pages, oldest first."""
        ...

    def create_comment(self, pull_request: int, body: str) -> HostComment:
        """Add a comment. It is sent once: a lost reply is no reason to post twice."""
        ...

    def edit_comment(self, comment_id: int, body: str) -> HostComment:
        """Replace a comment's text; a HostError of status 404 says that it is gone."""
        ...

    def delete_comment(self, comment_id: int) -> None:
        """Remove a comment; a HostError of status 404 says that it is gone already."""
        ...


class PullRequests(Protocol):
    """What a pull request is, and who may do what. Every member raises HostError."""

    def pull_request(self, number: int) -> PullRequest:
        """Return the pull request as it is now."""
        ...

    def open_pull_requests(self) -> Sequence[PullRequest]:
        """Return the open pull requests, as far as the host looks, changed last first."""
        ...

    def label_events(self, number: int) -> Sequence[LabelEvent]:
        """Return every coming and going of labels, oldest first."""
        ...

    def permission(self, login: str) -> str:
        """Return admin, write, read or none: what an account may do in the repository."""
        ...


class Statuses(Protocol):
    """The box of checks at a commit."""

    def statuses(self, sha: str) -> Sequence[CommitStatus]:
        """Return its commit statuses, the newest first, a hundred at most. Raises HostError."""
        ...

    def set_status(self, sha: str, status: CommitStatus) -> None:
        """Set a commit status. Raises HostError."""
        ...


class Changes(Protocol):
    """Branches of the repository, and the pull requests of them. Every member raises HostError."""

    def default_branch(self) -> str:
        """Return the name of the branch that changes are proposed for."""
        ...

    def commit(self, parent: str, message: str, files: Mapping[str, str]) -> str:
        """Make a commit that sets `files` (path -> text) after the commit `parent`; return its id.

        No branch has it yet.
        """
        ...

    def tree(self, commit: str) -> str:
        """Return the id of a commit's whole content."""
        ...

    def branch(self, name: str) -> str | None:
        """Return the commit of a branch; None where there is no such branch."""
        ...

    def create_branch(self, name: str, commit: str) -> None:
        """Make a branch; one that is there is never moved."""
        ...

    def create_pull_request(self, base: str, branch: str, title: str, body: str) -> PullRequest:
        """Open a pull request."""
        ...

    def close_pull_request(self, number: int) -> None:
        """Close a pull request without merging it."""
        ...

    def left_branches(self, author: str) -> Sequence[str]:
        """Return the branches of an account's pull requests that were closed without a merge.

        The last hundred that changed are looked at.
        """
        ...


class Setup(Protocol):
    """How a repository is set up, for a check-up. Every member raises HostError."""

    def viewer(self) -> Viewer:
        """Return who writes with the token."""
        ...

    def may_comment(self, pull_request: int) -> bool:
        """Whether the token may comment; nothing is written."""
        ...

    def may_set_status(self) -> bool:
        """Whether the token may set a commit status; nothing is set."""
        ...

    def has_label(self, name: str) -> bool:
        """Whether the repository has a label."""
        ...

    def has_environment(self, name: str) -> bool:
        """Whether the repository has an environment."""
        ...


class Host(Comments, PullRequests, Statuses, Protocol):
    """The code host, for one repository."""
