"""JSON of branches, commits and trees in the shape of GitHub's REST API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.loopback.github_asking import Asking
from gate.loopback.github_shapes import moment


def tree(address: str, sha: str, files: Mapping[str, str]) -> dict[str, Any]:
    """Return a tree, its files one below another."""
    rows = [
        {
            "path": path,
            "mode": "100644",
            "type": "blob",
            "size": 0,
            "sha": blob,
            "url": f"{address}/{blob}",
        }
        for path, blob in sorted(files.items())
    ]
    return {"sha": sha, "url": f"{address}/{sha}", "tree": rows, "truncated": False}


def commit(asking: Asking, sha: str) -> dict[str, Any]:
    """Return a commit; GitHub signs what an app makes without an author."""
    row = asking.hub.git.commits[sha]
    api = f"{asking.base}/repos/{asking.repository}/git"
    who = {"name": asking.login, "email": "bot@users.noreply", "date": moment(row["when"])}
    return {
        "sha": sha,
        "node_id": f"C_{sha[:8]}",
        "url": f"{api}/commits/{sha}",
        "html_url": f"{asking.base}/{asking.repository}/commit/{sha}",
        "author": who,
        "committer": who,
        "message": row["message"],
        "tree": {"sha": row["tree"], "url": f"{api}/trees/{row['tree']}"},
        "parents": [
            {"sha": one, "url": f"{api}/commits/{one}", "html_url": f"{asking.base}/{one}"}
            for one in row["parents"]
        ],
        "verification": {
            "verified": asking.kind == "Bot",
            "reason": "valid" if asking.kind == "Bot" else "unsigned",
            "signature": None,
            "payload": None,
            "verified_at": None,
        },
    }


def ref(asking: Asking, branch: str, sha: str) -> dict[str, Any]:
    """Return a branch."""
    api = f"{asking.base}/repos/{asking.repository}/git"
    return {
        "ref": f"refs/heads/{branch}",
        "node_id": f"REF_{sha[:8]}",
        "url": f"{api}/refs/heads/{branch}",
        "object": {"type": "commit", "sha": sha, "url": f"{api}/commits/{sha}"},
    }
