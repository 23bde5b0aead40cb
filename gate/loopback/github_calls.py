"""What the stand-in for GitHub does with each call of its REST API."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

from gate.loopback import github_shapes as shapes
from gate.loopback.exchange import Reply, Request, json_reply
from gate.loopback.github_memory import Memory

PREFIX: Final = "/github/api/v3"
"""Below which it is served."""
GRAPHQL: Final = "/github/api/graphql"
"""Where it answers GraphQL: who is asking, and nothing else."""
MOST_CHARACTERS: Final = 65_536
"""Of a comment, in UTF-16 units."""
MOST_DESCRIPTION: Final = 140
"""Characters of a status."""
_STATES: Final = ("error", "failure", "pending", "success")
_REPOSITORY = r"/repos/(?P<repository>[^/]+/[^/]+)"


def answer(memory: Memory, request: Request, token: str) -> Reply:
    """Do what a request asks, as the account that its token belongs to."""
    path = request.path.removeprefix(PREFIX)
    for method, shape, act in _ROUTES:
        found = re.fullmatch(shape, path)
        if found is not None and method == request.method:
            return act(_Asking(memory, request, found.groupdict(), memory.who(token)))
    return shapes.error(404, "Not Found")


class _Asking:
    """One request, with what its path names."""

    def __init__(
        self, hub: Memory, request: Request, named: Mapping[str, str], who: tuple[str, str]
    ) -> None:
        self.hub = hub
        self.named = {name: unquote(value) for name, value in named.items()}
        self.login, self.kind = who
        self.query = dict(parse_qsl(request.query))
        self.base = f"http://{request.headers.get('host', '127.0.0.1')}{PREFIX}"
        self.address = f"{self.base}{request.path.removeprefix(PREFIX)}"
        self.body = request.body

    @property
    def repository(self) -> str:
        return self.named["repository"]

    @property
    def number(self) -> int:
        return int(self.named["number"])

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def text(self, name: str) -> str | None:
        fields = self.json()
        value = fields.get(name) if isinstance(fields, dict) else None
        return value if isinstance(value, str) else None

    def pull(self) -> dict[str, Any] | None:
        return self.hub.pulls.get((self.repository, self.number))

    def comment(self) -> dict[str, Any] | None:
        row = self.hub.issue_comments.get(self.number)
        return row if row is not None and row["repository"] == self.repository else None


_MISSING = shapes.error(404, "Not Found")


def _viewer(asking: _Asking) -> Reply:
    if asking.kind == "Bot":
        return shapes.error(403, "Resource not accessible by integration")
    return json_reply(200, shapes.viewer(asking.base, asking.login))


def _graphql(asking: _Asking) -> Reply:
    if "viewer" not in (asking.text("query") or ""):
        return json_reply(200, {"errors": [{"message": "Only the viewer is served here"}]})
    return json_reply(200, {"data": {"viewer": {"login": asking.login}}})


def _list_comments(asking: _Asking) -> Reply:
    if asking.pull() is None:
        return _MISSING
    rows = [
        row
        for _, row in sorted(asking.hub.issue_comments.items())
        if (row["repository"], row["issue"]) == (asking.repository, asking.number)
    ]
    shown, links = shapes.page_of(rows, asking.address, asking.query)
    return json_reply(
        200, [shapes.comment(asking.base, asking.repository, row) for row in shown], *links
    )


def _wrong_body(text: str | None) -> Reply | None:
    if not text or not text.strip():
        return shapes.invalid("IssueComment", "body", "Body can't be blank")
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 > MOST_CHARACTERS:
        message = f"Body is too long (maximum is {MOST_CHARACTERS} characters)"
        return shapes.invalid("IssueComment", "data", message)
    return None


def _create_comment(asking: _Asking) -> Reply:
    text = asking.text("body")
    if asking.pull() is None:
        return _MISSING
    wrong = _wrong_body(text)
    if wrong is not None or text is None:
        return wrong or _MISSING
    number = asking.hub.add_comment(
        asking.repository, asking.number, text, asking.login, asking.kind
    )
    row = asking.hub.issue_comments[number]
    return json_reply(201, shapes.comment(asking.base, asking.repository, row))


def _edit_comment(asking: _Asking) -> Reply:
    row, text = asking.comment(), asking.text("body")
    if row is None:
        return _MISSING
    wrong = _wrong_body(text)
    if wrong is not None:
        return wrong
    row |= {"body": text, "updated": asking.hub.tick()}
    return json_reply(200, shapes.comment(asking.base, asking.repository, row))


def _get_comment(asking: _Asking) -> Reply:
    row = asking.comment()
    if row is None:
        return _MISSING
    return json_reply(200, shapes.comment(asking.base, asking.repository, row))


def _delete_comment(asking: _Asking) -> Reply:
    if asking.comment() is None:
        return _MISSING
    del asking.hub.issue_comments[asking.number]
    return Reply(204, b"")


def _get_pull(asking: _Asking) -> Reply:
    row = asking.pull()
    if row is None:
        return _MISSING
    return json_reply(200, shapes.pull(asking.base, asking.repository, row))


def _list_pulls(asking: _Asking) -> Reply:
    wanted = asking.query.get("state", "open")
    found = [
        row
        for (repository, _), row in asking.hub.pulls.items()
        if repository == asking.repository and wanted in ("all", row["state"])
    ]
    newest_first = sorted(found, key=lambda row: row["number"], reverse=True)
    shown, links = shapes.page_of(newest_first, asking.address, asking.query)
    rows = [shapes.listed_pull(asking.base, asking.repository, row) for row in shown]
    return json_reply(200, rows, *links)


def _create_status(asking: _Asking) -> Reply:
    state, description = asking.text("state"), asking.text("description") or ""
    if state not in _STATES:
        return shapes.invalid("Status", "state", "State is not included in the list")
    if len(description) > MOST_DESCRIPTION:
        message = f"Description is too long (maximum is {MOST_DESCRIPTION} characters)"
        return shapes.invalid("Status", "description", message)
    row = {
        "id": asking.hub.tick(),
        "sha": asking.named["sha"],
        "state": state,
        "description": description or None,
        "target_url": asking.text("target_url"),
        "context": asking.text("context") or "default",
        "created": asking.hub.tick(),
        "login": asking.login,
        "type": asking.kind,
    }
    asking.hub.statuses.append(row)
    return json_reply(201, shapes.status(asking.base, asking.repository, row))


def _list_statuses(asking: _Asking) -> Reply:
    rows = [row for row in reversed(asking.hub.statuses) if row["sha"] == asking.named["sha"]]
    shown, links = shapes.page_of(rows, asking.address, asking.query)
    return json_reply(
        200, [shapes.status(asking.base, asking.repository, row) for row in shown], *links
    )


def _add_labels(asking: _Asking) -> Reply:
    pull, given = asking.pull(), asking.json()
    names = given.get("labels") if isinstance(given, dict) else given
    if pull is None:
        return _MISSING
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        return shapes.error(422, "Invalid request.")
    for name in names:
        if name not in pull["labels"]:
            pull["labels"].append(name)
            _happened(asking, "labeled", name)
    return _labels(asking)


def _remove_label(asking: _Asking) -> Reply:
    pull, name = asking.pull(), asking.named["label"]
    if pull is None or name not in pull["labels"]:
        return shapes.error(404, "Label does not exist")
    pull["labels"].remove(name)
    _happened(asking, "unlabeled", name)
    return _labels(asking)


def _labels(asking: _Asking) -> Reply:
    pull = asking.pull()
    if pull is None:
        return _MISSING
    found = [shapes.label(asking.base, asking.repository, name) for name in pull["labels"]]
    return json_reply(200, found)


def _get_label(asking: _Asking) -> Reply:
    name = asking.named["label"]
    if name not in asking.hub.labels:
        return _MISSING
    return json_reply(200, shapes.label(asking.base, asking.repository, name))


def _get_environment(asking: _Asking) -> Reply:
    name = asking.named["environment"]
    if name not in asking.hub.environments:
        return _MISSING
    return json_reply(200, shapes.environment(asking.base, asking.repository, name))


def _happened(asking: _Asking, event: str, label: str) -> None:
    number = asking.hub.tick()
    asking.hub.events.append(
        {
            "id": number,
            "repository": asking.repository,
            "issue": asking.number,
            "event": event,
            "label": label,
            "login": asking.login,
            "type": asking.kind,
            "created": number,
        }
    )


def _list_events(asking: _Asking) -> Reply:
    if asking.pull() is None:
        return _MISSING
    rows = [
        row
        for row in asking.hub.events
        if (row["repository"], row["issue"]) == (asking.repository, asking.number)
    ]
    shown, links = shapes.page_of(rows, asking.address, asking.query)
    return json_reply(
        200, [shapes.event(asking.base, asking.repository, row) for row in shown], *links
    )


def _permission(asking: _Asking) -> Reply:
    login = asking.named["login"]
    level = asking.hub.permissions.get(login, "read")
    who = shapes.user(asking.base, login, "User")
    found = {"permission": level, "role_name": level, "user": who | {"role_name": level}}
    return json_reply(200, found)


_ISSUE = rf"{_REPOSITORY}/issues/(?P<number>\d+)"
_COMMENT = rf"{_REPOSITORY}/issues/comments/(?P<number>\d+)"
_ROUTES: Final[tuple[tuple[str, str, Callable[[_Asking], Reply]], ...]] = (
    ("GET", "/user", _viewer),
    ("POST", GRAPHQL, _graphql),
    ("GET", rf"{_ISSUE}/comments", _list_comments),
    ("POST", rf"{_ISSUE}/comments", _create_comment),
    ("GET", _COMMENT, _get_comment),
    ("PATCH", _COMMENT, _edit_comment),
    ("DELETE", _COMMENT, _delete_comment),
    ("GET", rf"{_REPOSITORY}/pulls", _list_pulls),
    ("GET", rf"{_REPOSITORY}/pulls/(?P<number>\d+)", _get_pull),
    ("POST", rf"{_REPOSITORY}/statuses/(?P<sha>[0-9a-f]{{40}})", _create_status),
    ("GET", rf"{_REPOSITORY}/commits/(?P<sha>[0-9a-f]{{40}})/statuses", _list_statuses),
    ("GET", rf"{_ISSUE}/labels", _labels),
    ("POST", rf"{_ISSUE}/labels", _add_labels),
    ("DELETE", rf"{_ISSUE}/labels/(?P<label>[^/]+)", _remove_label),
    ("GET", rf"{_ISSUE}/events", _list_events),
    ("GET", rf"{_REPOSITORY}/labels/(?P<label>[^/]+)", _get_label),
    ("GET", rf"{_REPOSITORY}/environments/(?P<environment>[^/]+)", _get_environment),
    ("GET", rf"{_REPOSITORY}/collaborators/(?P<login>[^/]+)/permission", _permission),
)
"""Method, path and what happens: all that is served."""
