"""The copy of a tree for foreign code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gate.errors import CannotRun, FileError
from gate.wire.process import User
from gate.wire.tree_copy import copy_tree_without


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with what must stay behind."""
    root = tmp_path / "tree"
    for name in (
        *("server.py", "evals/cases.yaml", "baseline.json", "src/evals/own.txt", ".git/config"),
        *("gha-creds-1f.json", "src/gha-creds-2.json", "src/.git/config"),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name, "utf-8")
    return root


def names(root: Path) -> set[str]:
    """Files and links below a folder."""
    return {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }


def test_copy_tree__without_what_decides_and_what_opens(tree: Path, tmp_path: Path) -> None:
    """Paths are left out where they stand, credentials everywhere."""
    copy_tree_without(tree, tmp_path / "copy", {"evals", "baseline.json"})

    assert {"server.py", "src/evals/own.txt"} == names(tmp_path / "copy")


def test_copy_tree__follows_no_link(tree: Path, tmp_path: Path) -> None:
    """A link to what was left out, or to a file of ours, brings nothing along."""
    secret = tmp_path / "secret"
    secret.write_text("canary", "utf-8")
    (tree / "out").symlink_to(secret)
    (tree / "src" / "back").symlink_to("../evals")

    copy_tree_without(tree, tmp_path / "copy", {"evals", "baseline.json"})

    assert {"server.py", "src/evals/own.txt", "out", "src/back"} == names(tmp_path / "copy")
    assert str(secret) == str((tmp_path / "copy" / "out").readlink())
    assert not (tmp_path / "copy" / "src" / "back").exists()


def test_copy_tree__leaves_pipes_behind(tree: Path, tmp_path: Path) -> None:
    """Reading one would never end."""
    os.mkfifo(tree / "pipe")

    copy_tree_without(tree, tmp_path / "copy", {"src"})

    assert "pipe" not in names(tmp_path / "copy")


def test_copy_tree__too_large(tree: Path, tmp_path: Path) -> None:
    """A disk is not filled for a stranger."""
    with pytest.raises(CannotRun, match="more than 20 bytes"):
        copy_tree_without(tree, tmp_path / "copy", (), most_bytes=20)


def test_copy_tree__is_not_there(tmp_path: Path) -> None:
    """The error names the folder."""
    with pytest.raises(FileError, match="cannot be copied"):
        copy_tree_without(tmp_path / "none", tmp_path / "copy", ())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_copy_tree__belongs_to_the_child(tree: Path, tmp_path: Path) -> None:
    """So it can build in it; what a link names keeps its owner."""
    secret = tmp_path / "secret"
    secret.write_text("canary", "utf-8")
    (tree / "out").symlink_to(secret)

    copy_tree_without(tree, tmp_path / "copy", {"evals"}, user=User(65532, 65532))

    copy = tmp_path / "copy"
    assert {65532} == {path.lstat().st_uid for path in (copy, *copy.rglob("*"))}
    assert os.geteuid() == secret.stat().st_uid
