"""The real PyGithub against the stand-in: each call that we make, and each refusal."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import replace

import pytest

from gate.errors import HostError
from gate.protocols import Host
from gate.types import CommitStatus, Viewer
from gate.wire.github import ACTIONS_BOT, GitHubAccess, GitHubHost
from tests.loopback.github_world import PERSON, REPOSITORY, access, github

HEAD = "a" * 40
GREEN = CommitStatus("success", "kappagate / x", "Pass", "https://run")


def test_viewer__a_workflow_an_app_a_person() -> None:
    """Apps may not ask as people do, and each finds its own comments all the same."""
    with github() as hub:
        hub.memory.people["ghs_app"] = ("kappa[bot]", "Bot")

        assert ACTIONS_BOT == hub.host().viewer()
        assert Viewer("kappa[bot]", bot=True) == hub.host("ghs_app").viewer()
        assert Viewer("octo-person", bot=False) == hub.host(PERSON).viewer()


def test_comments__all_pages_with_one_request_each() -> None:
    """No comment is asked for one by one, not even one whose author is gone."""
    with github() as hub:
        numbers = [hub.memory.add_comment(REPOSITORY, 7, f"c{n}", "mona") for n in range(230)]
        numbers.append(hub.memory.add_comment(REPOSITORY, 7, "ghost", None))
        found = hub.host().comments(7)

        assert numbers == [one.id for one in found]
        assert Viewer("mona", bot=False) == found[0].author
        assert found[-1].author is None
        assert 3 == len(hub.memory.asked)


def test_comment__written_changed_removed() -> None:
    """One request each, and the text as it was, four-byte characters included."""
    with github() as hub:
        host: Host = hub.host()
        made = host.create_comment(7, "héllo 🎉 <!-- x -->")
        changed = host.edit_comment(made.id, "two")
        host.delete_comment(made.id)

        assert "héllo 🎉 <!-- x -->" == made.body
        assert ("two", made.id, ACTIONS_BOT) == (changed.body, changed.id, changed.author)
        assert {} == hub.memory.issue_comments
        assert ["POST", "PATCH", "DELETE"] == [method for method, _ in hub.memory.asked]


def test_pull_request__as_it_is_now() -> None:
    """Head, labels, author, and the fork that it comes from, if that is still there."""
    with github() as hub:
        hub.memory.add_pull(REPOSITORY, 9, "c" * 40, head_repository=None)
        hub.memory.add_pull(REPOSITORY, 8, "c" * 40, labels=["gate", "x"], author="mona")
        found = hub.host().pull_request(8)

        assert ("c" * 40, ("gate", "x"), "mona") == (found.head_sha, found.labels, found.author)
        assert (8, "open", "o/r") == (found.number, found.state, found.head_repository)
        assert hub.host().pull_request(9).head_repository is None


def test_open_pull_requests__of_all_pages() -> None:
    """Whose head is where, closed ones left out."""
    with github() as hub:
        for number in range(8, 130):
            hub.memory.add_pull(REPOSITORY, number, f"{number:040x}", head_repository="evil/r")
        hub.memory.add_pull(REPOSITORY, 9, HEAD, state="closed")
        hub.memory.add_pull("o/another", 1, HEAD)
        found = hub.host().open_pull_requests()

        assert {7, 8, *range(10, 130)} == {one.number for one in found}
        assert ("evil/r", f"{129:040x}") == (found[0].head_repository, found[0].head_sha)
        assert 2 == len(hub.memory.asked)


def test_labels__who_set_them_and_what_they_may() -> None:
    """Events in their order, and the permission of their actor."""
    with github() as hub:
        issue = hub.host(PERSON)._issue
        hub.memory.permissions["octo-person"] = "write"
        host = hub.host(PERSON)
        with host._asking("label") as client:
            issue(client, 7).add_to_labels("accept: drop")
            issue(client, 7).remove_from_labels("accept: drop")
        events = host.label_events(7)

        assert [("accept: drop", True), ("accept: drop", False)] == [
            (one.label, one.added) for one in events
        ]
        assert {"octo-person"} == {one.actor for one in events}
        assert "write" == host.permission("octo-person")
        assert "read" == host.permission("some one")


def test_status__with_one_request() -> None:
    """The commit is not read first."""
    with github() as hub:
        hub.host().set_status(HEAD, GREEN)
        row = hub.memory.statuses[0]

        assert (HEAD, "success") == (row["sha"], row["state"])
        assert ("kappagate / x", "Pass") == (row["context"], row["description"])
        assert "https://run" == row["target_url"]
        assert 1 == len(hub.memory.asked)


def test_statuses__the_newest_first_with_one_request() -> None:
    """Of one commit, as they were set; the commit is not read first."""
    with github() as hub:
        for number in range(120):
            hub.host().set_status(HEAD, replace(GREEN, context=f"x {number}", target_url=None))
        hub.host().set_status("b" * 40, GREEN)
        before = len(hub.memory.asked)
        found = hub.host().statuses(HEAD)

        assert ["x 119", "x 118"] == [one.context for one in found[:2]]
        assert (100, 1) == (len(found), len(hub.memory.asked) - before)
        assert ("success", "Pass", None) == (
            found[0].state,
            found[0].description,
            found[0].target_url,
        )


@pytest.mark.parametrize(
    ("fault", "status", "says"),
    [
        ("github-403", 403, "`pull-requests: write`"),
        ("github-401", 401, "expired"),
        ("github-404", 404, "may not see it"),
        ("github-422", 422, "Body is too long (maximum is 65536 characters)"),
        ("github-502", 502, "in trouble"),
        ("github-limit", 403, "rate limit of the token"),
    ],
)
def test_host__refused_writes_are_sent_once(fault: str, status: int, says: str) -> None:
    """What it means, what to do, and no second try that could post twice."""
    with github(f"+{fault}") as hub:
        with pytest.raises(HostError, match="GitHub did not add the comment") as caught:
            hub.host().create_comment(7, "x")

        assert status == caught.value.status
        assert says in str(caught.value)
        assert 1 == hub.calls("POST")


def test_host__reads_are_tried_again() -> None:
    """A broken gateway three times is given up, a rate limit is waited for."""
    with github("+github-reads-502") as hub:
        with pytest.raises(HostError, match="502") as caught:
            hub.host().comments(7)

        assert 502 == caught.value.status
        assert 3 == hub.calls("GET")
    with github("+github-reads-limit-once") as hub:
        assert [] == hub.host().comments(7)
        assert 2 == hub.calls("GET")


def test_host__nobody_listens() -> None:
    """Connection refused: a sentence without an address or a token."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    host = GitHubHost(access(f"http://127.0.0.1:{port}"), REPOSITORY)
    with pytest.raises(HostError, match="could not be reached") as caught:
        host.create_comment(7, "x")

    assert caught.value.status is None
    assert "ghs_" not in str(caught.value)


def test_host__no_answer_in_time() -> None:
    """A server that accepts and is silent."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        host = GitHubHost(GitHubAccess("ghs_x", url, timeout_s=1, tries=0), REPOSITORY)
        with pytest.raises(HostError, match="no reply came in time"):
            host.create_comment(7, "x")


@pytest.mark.parametrize(
    "body",
    [b"[]", b"{}", b"{broken", b"null", b'"x"', b'{"id": "x", "body": 5}', b"<html></html>"],
)
def test_host__a_server_that_is_not_github(body: bytes) -> None:
    """Whatever it sends, the error is a HostError."""
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):  # the server was closed: nobody asks any more
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(65_536)
                        connection.sendall(head + body)

        threading.Thread(target=answer, daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(HostError, match="not GitHub's"):
            GitHubHost(access(url), REPOSITORY).pull_request(7)


def test_host__token_is_never_shown(capfd: pytest.CaptureFixture[str]) -> None:
    """Neither in a record's text, nor in an error, nor on any stream."""
    with github("+github-403") as hub:
        host = hub.host("ghs_secret")
        host.viewer()
        with pytest.raises(HostError) as caught:
            host.create_comment(7, "x")
        said = f"{access(hub.url, 'ghs_secret')!r} {host!r} {caught.value!r} {caught.value}"
        streams = capfd.readouterr()

    assert "ghs_secret" not in said
    assert ("", "") == (streams.out, streams.err)


def test_host__closed_twice() -> None:
    """Closing is no error, opened or not."""
    with github() as hub:
        host = hub.host(PERSON)
        host.close()
        host.viewer()
        host.close()
        host.close()

        assert 1 == len(hub.memory.asked)
