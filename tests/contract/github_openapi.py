"""GitHub's own OpenAPI document, cut to our calls, and a server that holds us to it."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PRISM = Path("@stoplight") / "prism-cli" / "dist" / "index.js"
DOCUMENT = Path("@octokit") / "openapi" / "generated" / "api.github.com.json"
_REPOSITORY = "/repos/{owner}/{repo}"
PATHS = (
    "/user",
    _REPOSITORY,
    f"{_REPOSITORY}/git/blobs",
    f"{_REPOSITORY}/git/trees",
    f"{_REPOSITORY}/git/commits",
    f"{_REPOSITORY}/git/commits/{{commit_sha}}",
    f"{_REPOSITORY}/git/ref/{{ref}}",
    f"{_REPOSITORY}/git/refs",
    f"{_REPOSITORY}/issues/{{issue_number}}/comments",
    f"{_REPOSITORY}/issues/comments/{{comment_id}}",
    f"{_REPOSITORY}/issues/{{issue_number}}/events",
    f"{_REPOSITORY}/pulls",
    f"{_REPOSITORY}/pulls/{{pull_number}}",
    f"{_REPOSITORY}/statuses/{{sha}}",
    f"{_REPOSITORY}/commits/{{ref}}/statuses",
    f"{_REPOSITORY}/labels/{{name}}",
    f"{_REPOSITORY}/environments/{{environment_name}}",
    f"{_REPOSITORY}/collaborators/{{username}}/permission",
)
"""What `gate/wire/github.py` and `gate/wire/github_changes.py` call."""


def sliced(document: Path, base: str) -> dict[str, Any]:
    """Return the paths that we call, with the components that they need, at another address."""
    whole = json.loads(document.read_text("utf-8").replace("https://api.github.com", base))
    paths = {path: whole["paths"][path] for path in PATHS}
    kept: dict[str, dict[str, Any]] = {}
    open_ones: list[Any] = [paths]
    while open_ones:
        for reference in _references(open_ones.pop()):
            _, _, kind, name = reference.split("/")
            if name not in kept.setdefault(kind, {}):
                kept[kind][name] = whole["components"][kind][name]
                open_ones.append(kept[kind][name])
    return {
        **{key: whole[key] for key in ("openapi", "info")},
        "servers": [{"url": base}],
        "paths": paths,
        "components": kept,
    }


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref":
                yield inner
            else:
                yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


@contextmanager
def held_to(packages: Path, document: Path, upstream: str) -> Iterator[str]:
    """Serve `upstream` behind Prism, which answers 4xx or 500 to whatever the document forbids.

    Requests are held to it, and so are replies.
    """
    node = shutil.which("node")
    assert node is not None
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    where = ["-h", "127.0.0.1", "-p", str(port)]
    command = [node, str(packages / PRISM), "proxy", "--errors", *where, str(document), upstream]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as prism:
        assert prism.stdout is not None
        try:
            assert any(b"listening" in line for line in prism.stdout), "Prism ended at once"
            yield f"http://127.0.0.1:{port}"
        finally:
            prism.terminate()
            prism.stdout.read()
