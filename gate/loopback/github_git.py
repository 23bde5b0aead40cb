"""Git as GitHub's stand-in keeps it: blobs, trees, commits and branches, by their digests.

A tree is a flat table of paths here; ids are digests of what they name, so that the same content
has the same id, as git has it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


class GitMemory:
    """The objects of all repositories, and the branches of each."""

    def __init__(self) -> None:
        """Begin empty."""
        self.blobs: dict[str, str] = {}
        self.trees: dict[str, dict[str, str]] = {}
        self.commits: dict[str, dict[str, Any]] = {}
        self.branches: dict[tuple[str, str], str] = {}

    def add_blob(self, text: str) -> str:
        """Keep a text and return its id."""
        name = _name("blob", text)
        self.blobs[name] = text
        return name

    def add_tree(self, files: Mapping[str, str]) -> str:
        """Keep a table of path -> blob and return its id."""
        name = _name("tree", sorted(files.items()))
        self.trees[name] = dict(files)
        return name

    def add_commit(self, tree: str, parents: list[str], message: str, when: int) -> str:
        """Keep a commit and return its id."""
        row = {"tree": tree, "parents": parents, "message": message, "when": when}
        name = _name("commit", row)
        self.commits[name] = row
        return name

    def begin(self, repository: str, files: Mapping[str, str], branch: str = "main") -> str:
        """Give a repository its first commit, of path -> text, and return its id."""
        tree = self.add_tree({path: self.add_blob(text) for path, text in files.items()})
        commit = self.add_commit(tree, [], "Begin", 0)
        self.branches[repository, branch] = commit
        return commit

    def files(self, commit: str) -> dict[str, str]:
        """Return a commit's files: path -> text."""
        tree = self.trees[self.commits[commit]["tree"]]
        return {path: self.blobs[blob] for path, blob in tree.items()}


def _name(kind: str, value: Any) -> str:
    text = json.dumps([kind, value], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
