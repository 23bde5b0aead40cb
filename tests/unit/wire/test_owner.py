"""Root's files in somebody's checkout become theirs, and nothing else does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gate.wire.owner import give_to_owner

SOMEBODY = 1001

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout of somebody's in which root has written."""
    place = tmp_path / "checkout"
    (place / "a" / "out" / "inputs").mkdir(parents=True)
    (place / "a" / "out" / "inputs" / "x.json").touch()
    (place / "a" / "beside").touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret").touch()
    os.chown(place, SOMEBODY, SOMEBODY)
    return place


def test_give_to_owner__what_was_written_and_the_folders_on_the_way(root: Path) -> None:
    """What lies beside it stays root's."""
    give_to_owner(root, [Path("a/out")])

    theirs = ("a", "a/out", "a/out/inputs", "a/out/inputs/x.json")
    assert {SOMEBODY} == {(root / name).stat().st_uid for name in theirs}
    assert 0 == (root / "a" / "beside").stat().st_uid


def test_give_to_owner__no_link_is_followed(root: Path) -> None:
    """Neither a link in the folder, nor one on the way, nor another name of a file."""
    elsewhere = root.parent / "elsewhere"
    (root / "a" / "out" / "link").symlink_to(elsewhere / "secret")
    (root / "a" / "out" / "folder").symlink_to(elsewhere)
    (root / "a" / "out" / "hard").hardlink_to(elsewhere / "secret")
    (root / "way").symlink_to(elsewhere)

    give_to_owner(root, [Path("a/out"), Path("way/secret"), Path("../elsewhere"), elsewhere])

    assert 0 == (elsewhere / "secret").stat().st_uid
    assert 0 == elsewhere.stat().st_uid


def test_give_to_owner__what_is_somebodys_stays(root: Path) -> None:
    """Of a third user."""
    os.chown(root / "a" / "out", 1002, 1002)

    give_to_owner(root, [Path("a/out"), Path("not-there")])

    assert 1002 == (root / "a" / "out").stat().st_uid
    assert SOMEBODY == (root / "a" / "out" / "inputs").stat().st_uid


def test_give_to_owner__of_a_checkout_of_roots(root: Path) -> None:
    """Nothing to do."""
    os.chown(root, 0, 0)

    give_to_owner(root, [Path("a/out")])

    assert 0 == (root / "a" / "out").stat().st_uid
