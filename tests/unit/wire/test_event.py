"""What is believed of an event, and what is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from gate.errors import ConfigError, FileError
from gate.types import Occasion
from gate.wire.event import occasion_of, read_event, read_occasion

HEAD, BASE, MERGE = "1" * 40, "2" * 40, "3" * 40
ENV = {
    "GITHUB_REPOSITORY": "octo/demo",
    "GITHUB_RUN_ID": "17",
    "GITHUB_RUN_NUMBER": "3",
    "GITHUB_RUN_ATTEMPT": "2",
    "GITHUB_ACTOR": "dependabot[bot]",
    "GITHUB_SHA": MERGE,
    "GITHUB_EVENT_NAME": "pull_request",
}
PULL: dict[str, JsonValue] = {
    "action": "labeled",
    "pull_request": {
        "number": 7,
        "title": "::error::mine",
        "head": {"sha": HEAD, "repo": {"full_name": "Octo/Demo"}},
        "base": {"sha": BASE},
    },
}


def occasion(name: str, event: dict[str, JsonValue], **more: str) -> Occasion:
    """The occasion of an event."""
    return occasion_of({**ENV, "GITHUB_EVENT_NAME": name, **more}, event)


def test_occasion__labelled_pull_request() -> None:
    """Number, head, base and merge result, and what the runner says of itself."""
    assert Occasion(
        repository="octo/demo",
        pull_request=7,
        head_sha=HEAD,
        base_sha=BASE,
        merge_sha=MERGE,
        run_id=17,
        run_attempt=2,
        run_url="https://github.com/octo/demo/actions/runs/17/attempts/2",
        event="pull_request",
        actor="dependabot[bot]",
    ) == occasion("pull_request", PULL)


def test_occasion__of_a_fork() -> None:
    """Also where its repository is gone by now."""
    for repo in ({"full_name": "evil/demo"}, None):
        event = json.loads(json.dumps(PULL))
        event["pull_request"]["head"]["repo"] = repo

        assert occasion("pull_request", event).from_fork


def test_occasion__pull_request_target_has_no_merge_result() -> None:
    """The runner's commit is the default branch's."""
    assert occasion("pull_request_target", PULL).merge_sha is None


def test_occasion__dispatch_with_inputs() -> None:
    """A maintainer names pull request and commit."""
    found = occasion("workflow_dispatch", {"inputs": {"pr": "12", "sha": HEAD}})

    assert (12, HEAD) == (found.pull_request, found.head_sha)


@pytest.mark.parametrize("inputs", [None, {}, {"pr": "", "sha": ""}, {"other": "x"}])
def test_occasion__dispatch_without_inputs(inputs: JsonValue) -> None:
    """It is about the commit that the workflow runs on."""
    found = occasion("workflow_dispatch", {"inputs": inputs})

    assert (None, MERGE) == (found.pull_request, found.head_sha)


@pytest.mark.parametrize(
    ("inputs", "named"),
    [
        ({"pr": "7; rm", "sha": HEAD}, "`pr`"),
        ({"pr": "0", "sha": HEAD}, "`pr`"),
        ({"pr": "7", "sha": "main"}, "`sha`"),
        ({"pr": "7"}, "`sha`"),
    ],
)
def test_occasion__dispatch_with_wrong_inputs(inputs: JsonValue, named: str) -> None:
    """A person typed them: they are refused by name."""
    with pytest.raises(ConfigError, match=named):
        occasion("workflow_dispatch", {"inputs": inputs})


def test_occasion__push_and_its_first_one() -> None:
    """A new branch has no commit before it."""
    assert BASE == occasion("push", {"before": BASE}).base_sha
    assert occasion("push", {"before": "0" * 40}).base_sha is None
    assert MERGE == occasion("push", {"before": BASE}).head_sha


def test_occasion__schedule() -> None:
    """There is no event to speak of."""
    found = occasion("schedule", {})

    assert (None, MERGE, False) == (found.pull_request, found.head_sha, found.from_fork)


def test_occasion__merge_group() -> None:
    """The queue's own commits."""
    found = occasion("merge_group", {"merge_group": {"head_sha": HEAD, "base_sha": BASE}})

    assert (HEAD, BASE, None) == (found.head_sha, found.base_sha, found.pull_request)


@pytest.mark.parametrize(
    ("pulls", "number"), [([{"number": 7}], 7), ([], None), ([{"number": 7}, {"number": 8}], None)]
)
def test_occasion__workflow_run(pulls: JsonValue, number: int | None) -> None:
    """The pull request of the run before, where it is one and the host names it."""
    event: dict[str, JsonValue] = {
        "workflow_run": {
            "head_sha": HEAD,
            "pull_requests": pulls,
            "head_repository": {"full_name": "octo/demo"},
        }
    }
    found = occasion("workflow_run", event)

    assert (number, HEAD, False) == (found.pull_request, found.head_sha, found.from_fork)


def test_occasion__who_measured_what_is_published() -> None:
    """The run before; a run that measures is its own."""
    found = occasion("workflow_run", {"workflow_run": {"id": 12, "run_attempt": 2}})

    assert (12, 2) == found.measured
    assert (17, 2) == occasion("pull_request", PULL).measured
    assert (17, 2) == occasion("workflow_run", {"workflow_run": {"id": True}}).measured
    assert found.run_url.endswith("/actions/runs/12/attempts/2")


@pytest.mark.parametrize(
    ("event", "label"),
    [
        ({"action": "labeled", "label": {"name": "gate"}}, "gate"),
        ({"action": "unlabeled", "label": {"name": "gate"}}, None),
        ({"action": "labeled", "label": {"name": 7}}, None),
        ({"action": "labeled"}, None),
    ],
)
def test_occasion__label_that_came(event: dict[str, JsonValue], label: str | None) -> None:
    """Only a label that came is one."""
    assert label == occasion("pull_request", event).label


@pytest.mark.parametrize("number", [True, "7", 7.0, -1, 0, 10**9, None, [7], {"number": 7}])
def test_occasion__a_number_that_is_none(number: JsonValue) -> None:
    """What has not the right form is not there."""
    assert occasion("pull_request", {"pull_request": {"number": number}}).pull_request is None


@pytest.mark.parametrize(
    "sha", ["main", "1" * 39, "A" * 40, "1" * 41, f"{HEAD}\n", None, 1, [HEAD]]
)
def test_occasion__a_commit_that_is_none(sha: JsonValue) -> None:
    """A branch name is no commit."""
    event: dict[str, JsonValue] = {"pull_request": {"number": 7, "head": {"sha": sha}}}

    assert occasion("pull_request", event).head_sha is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["pull_request", "number", "head", "base", "sha", "repo", "workflow_run", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.sampled_from(["pull_request", "push", "merge_group", "workflow_run", "schedule", "x"]),
    st.dictionaries(st.sampled_from(["pull_request", "workflow_run", "merge_group"]), JSON),
)
def test_occasion__any_event_is_one(name: str, event: dict[str, JsonValue]) -> None:
    """Whatever it holds: an Occasion, and in it nothing but numbers and commits."""
    found = occasion(name, event)

    assert found.pull_request is None or 0 < found.pull_request < 10**9
    assert all(one is None or len(one) == 40 for one in (found.head_sha, found.base_sha))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_REPOSITORY", "octo"),
        ("GITHUB_REPOSITORY", "../x/y"),
        ("GITHUB_RUN_ID", "x"),
        ("GITHUB_SERVER_URL", "javascript:x"),
        ("GITHUB_API_URL", "https://a b"),
    ],
)
def test_occasion__a_runner_that_says_nonsense(name: str, value: str) -> None:
    """It is told by the variable's name."""
    with pytest.raises(ConfigError, match=name):
        occasion("pull_request", PULL, **{name: value})


def test_event__what_is_no_object(tmp_path: Path) -> None:
    """A list is no event."""
    path = tmp_path / "event.json"
    path.write_text("[1]")

    with pytest.raises(FileError, match="no event"):
        read_event(path)


def test_event__too_large(tmp_path: Path) -> None:
    """A file of gigabytes does not fill the memory."""
    path = tmp_path / "event.json"
    with path.open("wb") as stream:
        stream.truncate(33 * 1024 * 1024)

    with pytest.raises(FileError, match="larger than"):
        read_event(path)


def test_read_occasion__from_its_file(tmp_path: Path) -> None:
    """The runner names the file."""
    path = tmp_path / "event.json"
    path.write_text(json.dumps(PULL), "utf-8")

    assert 7 == read_occasion({**ENV, "GITHUB_EVENT_PATH": str(path)}).pull_request
