"""What the stand-in for GitHub does with each call of its REST API."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from gate.loopback import github_git_calls as git_calls
from gate.loopback import github_shapes as shapes
from gate.loopback.exchange import Reply, Request, json_reply
from gate.loopback.github_asking import MISSING, Asking, parts_of
from gate.loopback.github_memory import Memory

GRAPHQL: Final = ("/github/api/graphql", "/api/graphql")
"""Where it answers GraphQL, beside each prefix: who is asking, and nothing else."""
MOST_DESCRIPTION: Final = 140
"""Characters of a status."""
_STATES: Final = ("error", "failure", "pending", "success")
_REPOSITORY = r"/repos/(?P<repository>[^/]+/[^/]+)"


def answer(memory: Memory, request: Request, token: str) -> Reply:
    """Do what a request asks, as the account that its token belongs to."""
    _, path = parts_of(request.path)
    for method, shape, act in _ROUTES:
        found = re.fullmatch(shape, path)
        if found is not None and method == request.method:
            return act(Asking(memory, request, found.groupdict(), memory.who(token)))
    return shapes.error(404, "Not Found")


def _viewer(asking: Asking) -> Reply:
    if asking.kind == "Bot":
        return shapes.error(403, "Resource not accessible by integration")
    return json_reply(200, shapes.viewer(asking.base, asking.login))


def _graphql(asking: Asking) -> Reply:
    if "viewer" not in (asking.text("query") or ""):
        return json_reply(200, {"errors": [{"message": "Only the viewer is served here"}]})
    return json_reply(200, {"data": {"viewer": {"login": asking.login}}})


def _list_comments(asking: Asking) -> Reply:
    if asking.pull() is None:
        return MISSING
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
    return shapes.too_long("IssueComment", text)


def _create_comment(asking: Asking) -> Reply:
    text = asking.text("body")
    if asking.pull() is None:
        return MISSING
    wrong = _wrong_body(text)
    if wrong is not None or text is None:
        return wrong or MISSING
    number = asking.hub.add_comment(
        asking.repository, asking.number, text, asking.login, asking.kind
    )
    row = asking.hub.issue_comments[number]
    return json_reply(201, shapes.comment(asking.base, asking.repository, row))


def _edit_comment(asking: Asking) -> Reply:
    row, text = asking.comment(), asking.text("body")
    if row is None:
        return MISSING
    wrong = _wrong_body(text)
    if wrong is not None:
        return wrong
    row |= {"body": text, "updated": asking.hub.tick()}
    return json_reply(200, shapes.comment(asking.base, asking.repository, row))


def _get_comment(asking: Asking) -> Reply:
    row = asking.comment()
    if row is None:
        return MISSING
    return json_reply(200, shapes.comment(asking.base, asking.repository, row))


def _delete_comment(asking: Asking) -> Reply:
    if asking.comment() is None:
        return MISSING
    del asking.hub.issue_comments[asking.number]
    return Reply(204, b"")


def _get_pull(asking: Asking) -> Reply:
    row = asking.pull()
    if row is None:
        return MISSING
    return json_reply(200, shapes.pull(asking.base, asking.repository, row))


def _list_pulls(asking: Asking) -> Reply:
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


def _create_status(asking: Asking) -> Reply:
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


def _list_statuses(asking: Asking) -> Reply:
    rows = [row for row in reversed(asking.hub.statuses) if row["sha"] == asking.named["sha"]]
    shown, links = shapes.page_of(rows, asking.address, asking.query)
    return json_reply(
        200, [shapes.status(asking.base, asking.repository, row) for row in shown], *links
    )


def _add_labels(asking: Asking) -> Reply:
    pull, given = asking.pull(), asking.json()
    names = given.get("labels") if isinstance(given, dict) else given
    if pull is None:
        return MISSING
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        return shapes.error(422, "Invalid request.")
    for name in names:
        if name not in pull["labels"]:
            pull["labels"].append(name)
            _happened(asking, "labeled", name)
    return _labels(asking)


def _remove_label(asking: Asking) -> Reply:
    pull, name = asking.pull(), asking.named["label"]
    if pull is None or name not in pull["labels"]:
        return shapes.error(404, "Label does not exist")
    pull["labels"].remove(name)
    _happened(asking, "unlabeled", name)
    return _labels(asking)


def _labels(asking: Asking) -> Reply:
    pull = asking.pull()
    if pull is None:
        return MISSING
    found = [shapes.label(asking.base, asking.repository, name) for name in pull["labels"]]
    return json_reply(200, found)


def _get_label(asking: Asking) -> Reply:
    name = asking.named["label"]
    if name not in asking.hub.labels:
        return MISSING
    return json_reply(200, shapes.label(asking.base, asking.repository, name))


def _get_environment(asking: Asking) -> Reply:
    name = asking.named["environment"]
    if name not in asking.hub.environments:
        return MISSING
    return json_reply(200, shapes.environment(asking.base, asking.repository, name))


def _happened(asking: Asking, event: str, label: str) -> None:
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


def _list_events(asking: Asking) -> Reply:
    if asking.pull() is None:
        return MISSING
    rows = [
        row
        for row in asking.hub.events
        if (row["repository"], row["issue"]) == (asking.repository, asking.number)
    ]
    shown, links = shapes.page_of(rows, asking.address, asking.query)
    return json_reply(
        200, [shapes.event(asking.base, asking.repository, row) for row in shown], *links
    )


def _permission(asking: Asking) -> Reply:
    login = asking.named["login"]
    level = asking.hub.permissions.get(login, "read")
    who = shapes.user(asking.base, login, "User")
    found = {"permission": level, "role_name": level, "user": who | {"role_name": level}}
    return json_reply(200, found)


_ISSUE = rf"{_REPOSITORY}/issues/(?P<number>\d+)"
_COMMENT = rf"{_REPOSITORY}/issues/comments/(?P<number>\d+)"
_ROUTES: Final[tuple[tuple[str, str, Callable[[Asking], Reply]], ...]] = (
    ("GET", "/user", _viewer),
    ("POST", "|".join(GRAPHQL), _graphql),
    ("GET", rf"{_ISSUE}/comments", _list_comments),
    ("POST", rf"{_ISSUE}/comments", _create_comment),
    ("GET", _COMMENT, _get_comment),
    ("PATCH", _COMMENT, _edit_comment),
    ("DELETE", _COMMENT, _delete_comment),
    ("GET", _REPOSITORY, git_calls.get_repository),
    ("POST", rf"{_REPOSITORY}/git/blobs", git_calls.create_blob),
    ("POST", rf"{_REPOSITORY}/git/trees", git_calls.create_tree),
    ("POST", rf"{_REPOSITORY}/git/commits", git_calls.create_commit),
    ("GET", rf"{_REPOSITORY}/git/commits/(?P<sha>[0-9a-f]{{40}})", git_calls.get_commit),
    ("GET", rf"{_REPOSITORY}/git/ref/(?P<ref>.+)", git_calls.get_ref),
    ("POST", rf"{_REPOSITORY}/git/refs", git_calls.create_ref),
    ("POST", rf"{_REPOSITORY}/pulls", git_calls.create_pull),
    ("PATCH", rf"{_REPOSITORY}/pulls/(?P<number>\d+)", git_calls.edit_pull),
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
