"""JSON in the shape of GitHub's REST API, as far as clients read it.

Field names are those of GitHub's reference (docs.github.com/rest); addresses begin with the base
that the client used, since clients refuse to follow others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from gate.loopback.exchange import Reply, json_reply
from gate.loopback.github_repository import page_at
from gate.loopback.github_repository import repository as made

_START = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
_DOCS = "https://docs.github.com/rest"
_PARTS = (
    *("followers", "following{/other_user}", "gists{/gist_id}", "starred{/owner}{/repo}"),
    *("subscriptions", "orgs", "repos", "events{/privacy}", "received_events"),
)
_NAMES = (
    *("followers", "following", "gists", "starred", "subscriptions", "organizations", "repos"),
    *("events", "received_events"),
)

_LINKS = (
    *("self", "html", "issue", "comments", "review_comments", "review_comment"),
    *("commits", "statuses"),
)
_UNSET = (
    *("assignee", "milestone", "closed_at", "merged_at", "merged_by", "merge_commit_sha"),
    *("auto_merge", "mergeable"),
)
_FALSE = ("draft", "merged", "locked", "maintainer_can_modify")
_ZERO = ("comments", "review_comments", "commits", "additions", "deletions", "changed_files")


def moment(tick: int) -> str:
    """Return the time of the world's n-th event, a second after the one before."""
    return (_START + timedelta(seconds=tick)).strftime("%Y-%m-%dT%H:%M:%SZ")


def error(status: int, message: str, *errors: Mapping[str, str], **headers: str) -> Reply:
    """Return an error body; header names are given with underscores."""
    body: dict[str, Any] = {"message": message, "documentation_url": _DOCS, "status": str(status)}
    if errors:
        body["errors"] = list(errors)
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return json_reply(status, body, *named)


def invalid(resource: str, field: str, message: str) -> Reply:
    """Return the 422 of a field that is not what it should be."""
    found = {"resource": resource, "code": "custom", "field": field, "message": message}
    return error(422, "Validation Failed", found)


MOST_CHARACTERS = 65_536
"""Of a comment or of a pull request's text, in UTF-16 units."""


def too_long(resource: str, text: str) -> Reply | None:
    """Return the 422 of a text that is too long; None of one that is not."""
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 <= MOST_CHARACTERS:
        return None
    message = f"Body is too long (maximum is {MOST_CHARACTERS} characters)"
    return invalid(resource, "data", message)


def user(base: str, login: str, kind: str) -> dict[str, Any]:
    """Return an account; `kind` is User or Bot."""
    url = f"{base}/users/{quote(login)}"
    own = login if kind == "User" else f"apps/{login.removesuffix('[bot]')}"
    number = sum(ord(one) * (place + 1) for place, one in enumerate(login))
    return {
        "login": login,
        "id": number,
        "node_id": f"U_{number}",
        "avatar_url": f"{base}/avatars/{number}",
        "gravatar_id": "",
        "url": url,
        "html_url": page_at(base, own),
        **{f"{name}_url": f"{url}/{part}" for name, part in zip(_NAMES, _PARTS, strict=True)},
        "type": kind,
        "site_admin": False,
    }


def viewer(base: str, login: str) -> dict[str, Any]:
    """Return a person's own account, as `/user` shows it."""
    unknown = ("name", "company", "location", "email", "hireable", "bio")
    counts = ("public_repos", "public_gists", "followers", "following")
    return {
        **user(base, login, "User"),
        **dict.fromkeys(unknown),
        **dict.fromkeys(counts, 0),
        "blog": "",
        "created_at": moment(0),
        "updated_at": moment(0),
    }


def comment(base: str, repository: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an issue comment."""
    api = f"{base}/repos/{repository}"
    page = page_at(base, f"{repository}/pull/{row['issue']}#issuecomment-{row['id']}")
    return {
        "url": f"{api}/issues/comments/{row['id']}",
        "html_url": page,
        "issue_url": f"{api}/issues/{row['issue']}",
        "id": row["id"],
        "node_id": f"IC_{row['id']}",
        "user": None if row["login"] is None else user(base, row["login"], row["type"]),
        "created_at": moment(row["created"]),
        "updated_at": moment(row["updated"]),
        "body": row["body"],
        "author_association": "NONE",
        "performed_via_github_app": None,
    }


def label(base: str, repository: str, name: str) -> dict[str, Any]:
    """Return a label."""
    return {
        "id": sum(map(ord, name)),
        "node_id": f"LA_{name}",
        "url": f"{base}/repos/{repository}/labels/{quote(name)}",
        "name": name,
        "color": "ededed",
        "default": False,
        "description": f"Starts what {name} stands for",
    }


def environment(base: str, repository: str, name: str) -> dict[str, Any]:
    """Return an environment without rules."""
    return {
        "id": sum(map(ord, name)),
        "node_id": f"EN_{name}",
        "name": name,
        "url": f"{base}/repos/{repository}/environments/{name}",
        "html_url": page_at(
            base, f"{repository}/deployments/activity_log?environments_filter={name}"
        ),
        "created_at": moment(0),
        "updated_at": moment(0),
        "protection_rules": [],
        "deployment_branch_policy": None,
    }


def pull(base: str, repository: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pull request."""
    api, number = f"{base}/repos/{repository}", row["number"]
    page = page_at(base, f"{repository}/pull/{number}")
    return {
        "url": f"{api}/pulls/{number}",
        "id": 1_000 + number,
        "node_id": f"PR_{number}",
        "html_url": page,
        "issue_url": f"{api}/issues/{number}",
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "commits_url": f"{api}/pulls/{number}/commits",
        "comments_url": f"{api}/issues/{number}/comments",
        "review_comments_url": f"{api}/pulls/{number}/comments",
        "review_comment_url": f"{api}/pulls/comments{{/number}}",
        "statuses_url": f"{api}/statuses/{row['head_sha']}",
        "number": number,
        "state": row["state"],
        "title": row["title"],
        "user": user(base, row["author"], row["author_type"]),
        "body": row["body"],
        "labels": [label(base, repository, name) for name in row["labels"]],
        "created_at": moment(0),
        "updated_at": moment(0),
        "author_association": "CONTRIBUTOR",
        "mergeable_state": "clean",
        "_links": {name: {"href": f"{api}/pulls/{number}"} for name in _LINKS},
        **dict.fromkeys(_UNSET),
        **dict.fromkeys(_FALSE, False),
        **dict.fromkeys(_ZERO, 0),
        "merged_at": row["merged_at"],
        "head": _end(base, row["head_ref"], row["head_sha"], row["head_repository"]),
        "base": _end(base, row["base_ref"], row["base_sha"], repository),
    }


_WHOLE_ONLY = frozenset(
    {
        *("mergeable", "mergeable_state", "merged", "merged_by", "rebaseable", "comments"),
        *("review_comments", "maintainer_can_modify", "commits", "additions", "deletions"),
        "changed_files",
    }
)


def listed_pull(base: str, repository: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pull request as lists have it."""
    whole = pull(base, repository, row)
    return {name: value for name, value in whole.items() if name not in _WHOLE_ONLY}


def _end(base: str, ref: str, sha: str, name: str | None) -> dict[str, Any]:
    """Return one end of a pull request; `name` is None when a fork is gone."""
    owner = user(base, "ghost" if name is None else name.partition("/")[0], "User")
    repo = None if name is None else made(base, name, owner, moment(0))
    return {"label": f"{owner['login']}:{ref}", "ref": ref, "sha": sha, "user": owner, "repo": repo}


def status(base: str, repository: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a commit status."""
    return {
        "url": f"{base}/repos/{repository}/statuses/{row['sha']}",
        "avatar_url": None,
        "id": row["id"],
        "node_id": f"SC_{row['id']}",
        "state": row["state"],
        "description": row["description"],
        "target_url": row["target_url"],
        "context": row["context"],
        "created_at": moment(row["created"]),
        "updated_at": moment(row["created"]),
        "creator": user(base, row["login"], row["type"]),
    }


def event(base: str, repository: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event of an issue: a label that came or went."""
    return {
        "id": row["id"],
        "node_id": f"LE_{row['id']}",
        "url": f"{base}/repos/{repository}/issues/events/{row['id']}",
        "actor": user(base, row["login"], row["type"]),
        "event": row["event"],
        "commit_id": None,
        "commit_url": None,
        "created_at": moment(row["created"]),
        "label": {"name": row["label"], "color": "ededed"},
        "performed_via_github_app": None,
    }


def page_of(
    rows: Sequence[Mapping[str, Any]], address: str, query: Mapping[str, str]
) -> tuple[Sequence[Mapping[str, Any]], tuple[tuple[str, str], ...]]:
    """Return one page and its Link header: `per_page` (30, at most 100) and `page` (from 1)."""
    size = min(max(_number(query.get("per_page"), 30), 1), 100)
    page = max(_number(query.get("page"), 1), 1)
    last = max(-(-len(rows) // size), 1)
    places = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
    wanted = [*(["prev"] if page > 1 else []), *(["next", "last"] if page < last else [])]
    wanted += ["first"] if page > 1 else []
    links = ", ".join(
        f'<{address}?per_page={size}&page={places[name]}>; rel="{name}"' for name in wanted
    )
    shown = rows[(page - 1) * size : page * size]
    return shown, ((("Link", links),) if links else ())


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() else default
