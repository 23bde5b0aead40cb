"""The commit of a checkout, as git leaves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.wire.checkout import checkout_of, checkouts_of, commit_of

SHA = "1" * 40


def checkout(folder: Path, **files: str) -> Path:
    """A folder of git's with these files, `__` in a name read as a slash."""
    for name, text in files.items():
        path = folder / ".git" / name.replace("__", "/").replace("_", "-")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    "files",
    [
        {"HEAD": f"{SHA}\n"},
        {"HEAD": "ref: refs/heads/main\n", "refs__heads__main": f"{SHA}\n"},
        {"HEAD": "ref: refs/heads/main\n", "packed_refs": f"# x\n{SHA} refs/heads/main\n"},
    ],
)
def test_commit__of_a_checkout(tmp_path: Path, files: dict[str, str]) -> None:
    """A commit itself, a branch, and a branch among packed ones."""
    assert SHA == commit_of(checkout(tmp_path, **files))


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"HEAD": "main"},
        {"HEAD": "ref: refs/heads/main"},
        {"HEAD": "ref: refs/heads/main", "packed_refs": f"{SHA} refs/heads/other"},
        {"HEAD": "ref: refs/../../secret"},
        {"HEAD": SHA.replace("1", "g")},
    ],
)
def test_commit__of_what_is_none(tmp_path: Path, files: dict[str, str]) -> None:
    """Unknown is unknown."""
    (tmp_path.parent / "secret").write_text(SHA)

    assert commit_of(checkout(tmp_path, **files)) is None


def test_commit__git_is_a_file(tmp_path: Path) -> None:
    """As in a worktree; the runner makes none."""
    (tmp_path / ".git").write_text("gitdir: /elsewhere")

    assert commit_of(tmp_path) is None


def test_checkout__of_a_folder_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one upwards, as the path is written."""
    monkeypatch.chdir(tmp_path)
    deep = checkout(Path("base"), HEAD=SHA) / "apps" / "a"
    deep.mkdir(parents=True)
    Path("link").symlink_to(deep)

    assert Path("base") == checkout_of(deep)
    assert Path("base") == checkout_of(Path("base"))
    assert checkout_of(Path("link")) is None
    assert checkout_of(Path()) is None


def test_checkouts__of_two_trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its own; where one holds both, nobody takes its commit for the other's."""
    monkeypatch.chdir(tmp_path)
    base, candidate = (checkout(Path(name), HEAD=SHA) / "apps" for name in ("base", "candidate"))

    assert (Path("base"), Path("candidate")) == checkouts_of(base, candidate)
    assert (Path("base"), Path("other")) == checkouts_of(base, Path("other"))
    checkout(Path(), HEAD=SHA)
    assert (Path(), Path("candidate")) == checkouts_of(Path(), candidate)
    assert (Path(), Path("other")) == checkouts_of(Path(), Path("other"))
