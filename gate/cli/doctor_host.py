"""What `gate doctor` says of the repository's host: whose token, what it may, label, environment.

A permission is asked for by a request that the host must refuse as invalid: with the permission it
says so (422), without it it says 403. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gate.errors import HostError
from gate.protocols import Setup
from gate.types import Check

__all__ = ["check_host"]

NO_TOKEN = Check(
    topic="host",
    state="not asked",
    says="there is no token: labels, environments and permissions were not looked at",
    mend="set GITHUB_TOKEN and GITHUB_REPOSITORY, such as GITHUB_TOKEN=$(gh auth token)",
)
"""What is said where the host cannot be asked."""
_OUT_OF_REACH = (
    "check the network from here, HTTPS_PROXY, REQUESTS_CA_BUNDLE, and on an Enterprise Server "
    "GITHUB_API_URL; then run `gate doctor` again"
)
_BROKEN = 500


def check_host(
    host: Setup, *, pull_request: int | None, label: str, environment: str
) -> Iterator[Check]:
    """Ask the host. What it does not answer is a line, too; out of reach it has no other."""
    try:
        yield _ok("token", f"it writes as {host.viewer().login}")
    except HostError as error:
        if error.status is None:
            yield Check(topic="host", state="look", says=str(error), mend=_OUT_OF_REACH)
            return
        yield _unanswered("token", error)
    yield _may("may set a status", host.may_set_status, "statuses: write")
    if pull_request is not None:
        yield _may("may comment", lambda: host.may_comment(pull_request), "pull-requests: write")
    yield _there(
        f"label {label}",
        lambda: host.has_label(label),
        f"make it: Issues, Labels, New label, `{label}`; the gate runs when it is set",
    )
    yield _there(
        f"environment {environment}",
        lambda: host.has_environment(environment),
        f"make it: Settings, Environments, `{environment}`; put the keys there, and require a "
        "reviewer where the plan allows it",
    )


def _ok(topic: str, says: str) -> Check:
    return Check(topic=topic, state="ok", says=says)


def _line(topic: str, ask: Callable[[], Check]) -> Check:
    try:
        return ask()
    except HostError as error:
        return _unanswered(topic, error)


def _unanswered(topic: str, error: HostError) -> Check:
    """Return the line of what the host did not say."""
    passing = error.limited or (error.status or _BROKEN) >= _BROKEN
    mend = "run `gate doctor` again later" if passing else None
    return Check(topic=topic, state="look", says=str(error), mend=mend)


def _may(topic: str, ask: Callable[[], bool], permission: str) -> Check:
    def line() -> Check:
        if ask():
            return _ok(topic, "yes")
        return Check(
            topic=topic,
            state="look",
            says="no: the verdict would stand in exit code, summary and files alone",
            mend=f"give the job `{permission}`; a fork's token is always read-only",
        )

    return _line(topic, line)


def _there(topic: str, ask: Callable[[], bool], mend: str) -> Check:
    def line() -> Check:
        if ask():
            return _ok(topic, "it is there")
        return Check(topic=topic, state="look", says="it is not there", mend=mend)

    return _line(topic, line)
