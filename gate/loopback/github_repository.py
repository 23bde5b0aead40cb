"""A repository in the shape of GitHub's REST API: what stands in both ends of a pull request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_PLACES: Final = (
    *("archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits"),
    *("compare", "contents", "contributors", "deployments", "downloads", "events", "forks"),
    *("git_commits", "git_refs", "git_tags", "hooks", "issue_comment", "issue_events", "issues"),
    *("keys", "labels", "languages", "merges", "milestones", "notifications", "pulls", "releases"),
    *("stargazers", "statuses", "subscribers", "subscription", "tags", "teams", "trees"),
)
"""Parts with an address of their own, `<part>_url`."""
_UNSET: Final = ("description", "homepage", "language", "mirror_url", "license")
_FALSE: Final = ("fork", "private", "archived", "disabled", "has_pages", "has_downloads")
_TRUE: Final = ("has_issues", "has_projects", "has_wiki")
_ZERO: Final = (
    *("forks", "forks_count", "open_issues", "open_issues_count", "size", "stargazers_count"),
    *("watchers", "watchers_count"),
)


def page_at(base: str, path: str) -> str:
    """Return the address of a page that people look at: on the server, not below its API."""
    return f"{base.removesuffix('/api/v3')}/{path}"


def repository(base: str, name: str, owner: Mapping[str, Any], when: str) -> dict[str, Any]:
    """Return the repository `owner/name`, made and last changed at one moment."""
    api, page = f"{base}/repos/{name}", page_at(base, name)
    number = sum(map(ord, name))
    return {
        "id": number,
        "node_id": f"R_{number}",
        "name": name.partition("/")[2],
        "full_name": name,
        "owner": owner,
        "default_branch": "main",
        "url": api,
        "html_url": page,
        "clone_url": f"{page}.git",
        "git_url": f"{page}.git",
        "ssh_url": f"{page}.git",
        "svn_url": page,
        **{f"{part}_url": f"{api}/{part.replace('_', '/')}" for part in _PLACES},
        **dict.fromkeys(_UNSET),
        **dict.fromkeys(_FALSE, False),
        **dict.fromkeys(_TRUE, True),
        **dict.fromkeys(_ZERO, 0),
        **dict.fromkeys(("created_at", "updated_at", "pushed_at"), when),
    }
