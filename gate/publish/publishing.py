"""A report shown everywhere, the safest place first: summary, outputs, annotations, then the host.

What cannot be shown somewhere is a warning and stops nothing else: the verdict is made, and its
files are written, before any of this begins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Protocol

from gate.errors import FileError, GateError
from gate.publish.annotations import annotations_of
from gate.publish.outputs import outputs_of, paths_of
from gate.publish.summary import summary_text
from gate.reports.json import told
from gate.reports.markdown import MarkdownReporter
from gate.reports.options import NoOptions
from gate.reports.untrusted import plain
from gate.types import CommentMode, Occasion, Report, Verdict
from gate.wire.actions import Annotation, annotation_text, append_text, output_text

__all__ = [
    "NO_FILES",
    "Doors",
    "Place",
    "Posted",
    "RunnerFiles",
    "post",
    "publish",
    "warn",
    "write_outputs",
]


class Outcome(Protocol):
    """What came of a comment."""

    @property
    def url(self) -> str | None:
        """Where it stands; None where it does not."""
        ...

    @property
    def warning(self) -> str | None:
        """Why it does not stand there as it should, in a sentence."""
        ...


class PostComment(Protocol):
    """Makes or updates the one comment of a configuration."""

    def __call__(
        self, occasion: Occasion, report: Report, body: str, *, mode: CommentMode
    ) -> Outcome:
        """Post `body`, which is the report as Markdown; its name is the configuration's.

        Raises GateError.
        """
        ...


class PostStatus(Protocol):
    """Sets the commit status of a configuration."""

    def __call__(self, occasion: Occasion, name: str, verdict: Verdict) -> str | None:
        """Set it; returns what went wrong, in a sentence. Raises GateError."""
        ...


@dataclass(frozen=True)
class Doors:
    """The two doors to the host."""

    comment: PostComment
    """Posts the comment."""
    status: PostStatus
    """Sets the commit status."""


@dataclass(frozen=True)
class RunnerFiles:
    """Where the runner takes what an action says; None where there is no runner."""

    output: Path | None = None
    """File of outputs."""
    summary: Path | None = None
    """File of the job summary."""
    say: Callable[[str], None] | None = None
    """Writes log commands to standard output, each a line with its end."""


NO_FILES = RunnerFiles()
"""No runner listens."""


@dataclass(frozen=True)
class Place:
    """Where the report's files and its cases are, as a later step and the host name them."""

    folder: PurePath
    """Folder of the run, relative to the workspace."""
    names: Collection[str] = ()
    """Files that are in it."""
    cases_file: str | None = None
    """File of cases, relative to the repository's root; None where it is not known."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Case -> its line in that file."""


@dataclass(frozen=True)
class Posted:
    """What came of telling the host."""

    url: str | None = None
    """Where the comment stands."""
    commented: bool = False
    """Whether it stands there as it should, or none was wanted."""
    warnings: tuple[str, ...] = ()
    """What could not be posted, each with what to do."""


def publish(
    report: Report,
    place: Place,
    files: RunnerFiles,
    network: Callable[[], Posted],
    *,
    warnings: Collection[str] = (),
) -> Posted:
    """Show a report to the runner, then to the host; returns what came of it all.

    `network` does what `post` does, in the time that it is given. `warnings` are those of before.
    """
    warnings = [
        *warnings,
        *_attempt("job summary", files.summary, lambda: summary_text(report)),
        *write_outputs({**outputs_of(told(report)), **paths_of(place.folder, place.names)}, files),
    ]
    if files.say is not None:
        notes = annotations_of(report, file=place.cases_file, lines=place.lines)
        files.say("".join(annotation_text(one) for one in notes))
    posted = network()
    if posted.url is not None:
        warnings += write_outputs({"comment-url": plain(posted.url)}, files)
    said = (*warnings, *posted.warnings)
    warn(said, files)
    return Posted(posted.url, posted.commented, said)


def post(report: Report, occasion: Occasion, doors: Doors, mode: CommentMode) -> Posted:
    """Set the commit status and post the comment; what fails is a warning.

    The status comes first: it is what a branch can be made to wait for. The status of a folder
    that a fork's own run made is not set: whoever made it says what stands in it.
    """
    warnings: list[str] = []
    if occasion.head_sha is not None and not occasion.from_fork:
        try:
            problem = doors.status(occasion, report.name, report.verdict)
        except GateError as error:
            problem = str(error)
        if problem is not None:
            warnings.append(f"Commit status: {_ended(plain(problem))}")
    if mode == "off" or occasion.pull_request is None:
        return Posted(commented=mode == "off", warnings=tuple(warnings))
    url, problem = None, None
    try:
        outcome = doors.comment(
            occasion,
            report,
            MarkdownReporter(NoOptions()).render(report).text,
            mode=mode,
        )
        url, problem = outcome.url, outcome.warning
    except GateError as error:
        problem = str(error)
    if problem is not None:
        warnings.append(f"Comment: {_ended(plain(problem))} Its text stands in comment.md.")
    return Posted(url, commented=problem is None, warnings=tuple(warnings))


def _ended(text: str) -> str:
    """Return a sentence with its full stop."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def write_outputs(values: Mapping[str, str], files: RunnerFiles) -> list[str]:
    """Write outputs to the runner's file; returns what could not be written."""
    return _attempt(
        "outputs" if len(values) > 1 else f"output {''.join(values)}",
        files.output,
        lambda: "".join(output_text(name, value) for name, value in values.items()),
    )


def warn(warnings: Collection[str], files: RunnerFiles) -> None:
    """Make annotations of warnings, two at most: more would hide those of the cases."""
    if files.say is None or not warnings:
        return
    first, *others = warnings
    files.say(annotation_text(Annotation("warning", first, "Kappagate: publishing")))
    if others:
        files.say(annotation_text(Annotation("warning", "\n".join(others), "Kappagate")))


def _attempt(what: str, path: Path | None, text: Callable[[], str]) -> list[str]:
    if path is None:
        return []
    try:
        append_text(path, text())
    except FileError as error:
        return [f"The {what} could not be written: {error}"]
    return []
