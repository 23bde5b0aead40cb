"""A stranger's checkout: no link is followed, and `.git` is not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.errors import FileError
from gate.wire.tree import LONGEST_OWNED, Found, Tree, owned_reader


def written(place: Path, text: str = "text") -> Path:
    """Write a file, its folders included."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
    return place


def test_look__file_link_and_nothing(tmp_path: Path) -> None:
    """A link is a link, also where a folder on the way is one."""
    outside = written(tmp_path / "outside" / "secret.txt")
    tree = tmp_path / "tree"
    written(tree / "a" / "b.txt")
    (tree / "link.txt").symlink_to(outside)
    (tree / "folder").symlink_to(outside.parent)
    found = Tree(tree)

    assert Found("file", 4) == found.look("a/b.txt")
    assert Found("link", 0) == found.look("link.txt")
    assert Found("link", 0) == found.look("folder/secret.txt")
    assert Found("other", 0) == found.look("a")
    assert found.look("none.txt") is None
    assert found.look("a/b.txt/c") is None


def test_text__of_a_link_is_refused(tmp_path: Path) -> None:
    """It might be any file of this machine."""
    (tmp_path / "gate.yaml").symlink_to(written(tmp_path / "outside"))

    with pytest.raises(FileError, match="not followed"):
        Tree(tmp_path).text("gate.yaml")


def test_text__larger_than_the_cap_is_refused(tmp_path: Path) -> None:
    """A stranger's file must fit in memory."""
    written(tmp_path / "big.txt", "x" * 11)

    with pytest.raises(FileError, match="larger than 10 bytes"):
        Tree(tmp_path).text("big.txt", max_bytes=10)


def test_names__of_files_and_links(tmp_path: Path) -> None:
    """Folders are left out; a link has a name, too."""
    written(tmp_path / "labels" / "b.yaml")
    written(tmp_path / "labels" / "sub" / "c.yaml")
    (tmp_path / "labels" / "a.yaml").symlink_to("nowhere")

    assert ("labels/a.yaml", "labels/b.yaml") == Tree(tmp_path).names("labels/*.yaml")
    assert ("labels/a.yaml", "labels/b.yaml", "labels/sub/c.yaml") == Tree(tmp_path).names(
        "labels/**/*"
    )


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/hostname", "link.txt", ".git/config"])
def test_owned_reader__refuses_what_is_not_the_candidates(tmp_path: Path, name: str) -> None:
    """Neither another place nor the folder in which a checkout keeps its token."""
    tree = tmp_path / "tree"
    written(tree / ".git" / "config")
    (tree / "link.txt").symlink_to(written(tmp_path / "outside.txt"))

    with pytest.raises(FileError):
        owned_reader(tree)(name)


def test_owned_reader__large_file_is_refused(tmp_path: Path) -> None:
    """A prompt is paid for with every question."""
    written(tmp_path / "prompt.txt", "x" * (LONGEST_OWNED + 1))

    with pytest.raises(FileError, match="larger"):
        owned_reader(tmp_path)("prompt.txt")


def test_owned_reader__link_to_git_is_refused(tmp_path: Path) -> None:
    """A link inside of the tree is followed, but not there."""
    written(tmp_path / ".git" / "config")
    written(tmp_path / "prompts" / "a.txt", "Be brief.")
    (tmp_path / "b.txt").symlink_to(tmp_path / "prompts" / "a.txt")
    (tmp_path / "c.txt").symlink_to(tmp_path / ".git" / "config")
    read = owned_reader(tmp_path)

    assert "Be brief." == read("b.txt")
    with pytest.raises(FileError, match="credentials"):
        read("c.txt")
