"""The stand-in for GitHub: shapes, limits and faults as GitHub's reference has them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate.loopback.exchange import Reply, Request
from gate.loopback.github import PREFIX
from gate.loopback.github_faults import GITHUB_FAULTS
from gate.loopback.routes import World
from gate.loopback.settings import read_settings
from tests.loopback.world_driver import TARGET, ask, world

ISSUE = "/repos/o/r/issues/7"
HEAD = "a" * 40


def hub(fault: str = "") -> World:
    """A world with pull request 7."""
    found = world(f"steady{fault}")
    found.github.memory.add_pull("o/r", 7, HEAD)
    return found


def call(
    where: World, method: str, path: str, body: Any = None, token: str | None = "ghs_x"
) -> Reply:
    """Send one request."""
    path, _, query = path.partition("?")
    headers = {"host": "127.0.0.1:1"} | (
        {} if token is None else {"authorization": f"token {token}"}
    )
    data = b"" if body is None else json.dumps(body).encode()
    return where.respond(Request(method, f"{PREFIX}{path}", headers, data, query))


def read(reply: Reply) -> Any:
    """The reply's JSON."""
    return json.loads(reply.body)


def test_pages__links_as_github_gives_them() -> None:
    """Next and last on the first page, prev and first on the last, none on an only one."""
    where = hub()
    for number in range(150):
        where.github.memory.add_comment("o/r", 7, f"c{number}", "mona")
    first = call(where, "GET", f"{ISSUE}/comments?per_page=100")
    second = call(where, "GET", f"{ISSUE}/comments?per_page=100&page=2")
    base = f"http://127.0.0.1:1{PREFIX}{ISSUE}/comments?per_page=100&page"

    assert (100, 50) == (len(read(first)), len(read(second)))
    assert (("Link", f'<{base}=2>; rel="next", <{base}=2>; rel="last"'),) == first.headers
    assert (("Link", f'<{base}=1>; rel="prev", <{base}=1>; rel="first"'),) == second.headers
    assert 30 == len(read(call(where, "GET", f"{ISSUE}/comments")))
    assert 100 == len(read(call(where, "GET", f"{ISSUE}/comments?per_page=1000")))
    assert () == call(where, "GET", f"{ISSUE}/events").headers


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "says"),
    [
        ("POST", f"{ISSUE}/comments", {"body": "x"}, 201, '"type": "Bot"'),
        ("POST", f"{ISSUE}/comments", {}, 422, "Body can't be blank"),
        ("POST", f"{ISSUE}/comments", {"body": " "}, 422, "Body can't be blank"),
        ("POST", f"{ISSUE}/comments", {"body": "é" * 65_536}, 201, "html_url"),
        ("POST", f"{ISSUE}/comments", {"body": "🎉" * 32_769}, 422, "maximum is 65536"),
        ("POST", "/repos/o/r/issues/8/comments", {"body": "x"}, 404, "Not Found"),
        ("PATCH", "/repos/o/r/issues/comments/99", {"body": "x"}, 404, "Not Found"),
        ("DELETE", "/repos/o/r/issues/comments/99", None, 404, "Not Found"),
        ("GET", "/repos/o/r/issues/comments/99", None, 404, "Not Found"),
        ("GET", "/repos/o/r/pulls/7", None, 200, f'"sha": "{HEAD}"'),
        ("GET", "/repos/o/r/pulls/8", None, 404, "Not Found"),
        ("POST", f"/repos/o/r/statuses/{HEAD}", {"state": "success"}, 201, '"context": "default"'),
        ("POST", f"/repos/o/r/statuses/{HEAD}", {"state": "green"}, 422, "not included"),
        ("POST", f"/repos/o/r/statuses/{HEAD}", {"state": "error", "description": "x" * 141}, 422,
         "maximum is 140"),
        ("POST", f"{ISSUE}/labels", {"labels": ["a"]}, 200, '"name": "a"'),
        ("POST", f"{ISSUE}/labels", {"labels": [1]}, 422, "Invalid request"),
        ("DELETE", f"{ISSUE}/labels/a", None, 404, "Label does not exist"),
        ("GET", "/repos/o/r/collaborators/mona/permission", None, 200, '"permission": "read"'),
        ("GET", "/user", None, 403, "Resource not accessible by integration"),
        ("GET", "/repos/o/r/nothing", None, 404, "Not Found"),
    ],
)  # fmt: skip
def test_call__status_and_words(method: str, path: str, body: Any, status: int, says: str) -> None:
    """As GitHub answers."""
    reply = call(hub(), method, path, body)

    assert status == reply.status
    assert says in reply.body.decode()


def test_call__without_a_token() -> None:
    """401, as for a private repository's writer."""
    assert 401 == call(hub(), "GET", f"{ISSUE}/comments", token=None).status


def test_comment__edited_and_removed() -> None:
    """The text changes, and with it the time; then it is gone."""
    where = hub()
    made = read(call(where, "POST", f"{ISSUE}/comments", {"body": "one"}))
    path = f"/repos/o/r/issues/comments/{made['id']}"
    changed = read(call(where, "PATCH", path, {"body": "two"}))

    assert ("two", made["created_at"]) == (changed["body"], changed["created_at"])
    assert changed["updated_at"] > made["updated_at"]
    assert "two" == read(call(where, "GET", path))["body"]
    assert 204 == call(where, "DELETE", path).status
    assert 404 == call(where, "GET", path).status


def test_statuses__newest_first() -> None:
    """As a branch rule reads them."""
    where = hub()
    for state in ("pending", "success"):
        call(where, "POST", f"/repos/o/r/statuses/{HEAD}", {"state": state})
    found = read(call(where, "GET", f"/repos/o/r/commits/{HEAD}/statuses"))

    assert ["success", "pending"] == [one["state"] for one in found]


def test_world__seeded_and_seen_from_another_process() -> None:
    """One address to tell what there is, and to look at what became of it."""
    where = world()
    told = {
        "pulls": [{"repository": "o/r", "number": 7, "head_sha": HEAD, "labels": ["gate"]}],
        "comments": [{"repository": "o/r", "issue": 7, "body": "hi", "login": "mona"}],
        "permissions": {"mona": "admin"},
        "people": {"ghs_app": ["kappa[bot]", "Bot"]},
    }
    where.respond(Request("POST", "/_world/github", {}, json.dumps(told).encode()))
    call(where, "POST", f"{ISSUE}/comments", {"body": "by the app"}, token="ghs_app")
    seen = read(where.respond(Request("GET", "/_world/github", {}, b"")))

    assert ["mona", "kappa[bot]"] == [row["login"] for row in seen["comments"]]
    assert ["gate"] == seen["pulls"][0]["labels"]
    assert {"mona": "admin"} == seen["permissions"]
    assert [["POST", f"{ISSUE}/comments"]] == seen["requests"]


@pytest.mark.parametrize("name", GITHUB_FAULTS)
def test_fault__meets_its_requests_only(name: str) -> None:
    """Its methods, so often as it says; the vendors are left alone."""
    fault = GITHUB_FAULTS[name]
    where = hub(f"+{name}")
    number = where.github.memory.add_comment("o/r", 7, "x", "mona")
    edit = ("PATCH", f"/repos/o/r/issues/comments/{number}", {"body": "y"})
    look = ("GET", "/repos/o/r/pulls/7", None)
    met, missed = (look, edit) if "GET" in fault.methods else (edit, look)

    assert 200 == call(where, *missed).status
    assert fault.reply() == call(where, *met)
    assert (fault.times is None) == (call(where, *met) == fault.reply()) or fault.deletes
    assert ask(where, "How high is the lighthouse?", TARGET)
    assert fault.says.endswith(".")


def test_settings__know_both_tables() -> None:
    """A fault of GitHub may stand beside one of a vendor."""
    assert ("judge-529", "github-403") == read_settings("steady+judge-529+github-403").faults
    with pytest.raises(ValueError, match="github-limit"):
        read_settings("steady+github-500")
