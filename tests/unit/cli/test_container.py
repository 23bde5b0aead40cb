"""The container's entry point: action or command line, and as whom."""

from __future__ import annotations

import importlib
import os
import stat
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from gate.cli import container

RUNNER = {"GITHUB_ACTIONS": "true"}


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        ([], RUNNER, None),
        ([], {}, ["--help"]),
        (["gate"], {}, ["--help"]),
        (["gate", "run", "--offline"], {}, ["run", "--offline"]),
        (["run", "--offline"], {}, ["run", "--offline"]),
        (["gate", "doctor"], RUNNER, ["doctor"]),
        (["run", "gate"], RUNNER, ["run", "gate"]),
        ([], {"GITHUB_ACTIONS": "false"}, ["--help"]),
    ],
)
def test_words_for__people_and_runners(
    arguments: list[str], environment: dict[str, str], words: list[str] | None
) -> None:
    """A runner says nothing; who says something wants the command line, in a job as well."""
    assert words == container.words_for(arguments, environment)


def test_close_to_others__what_is_there(tmp_path: Path) -> None:
    """Nobody else may enter; a folder that is not there is passed over."""
    tmp_path.chmod(0o755)

    container.close_to_others((tmp_path / "none", tmp_path))

    assert 0o700 == stat.S_IMODE(tmp_path.stat().st_mode)


def test_work_as_owner_of__our_own_folder(tmp_path: Path) -> None:
    """Who owns it stays who he is."""
    before = os.getresuid(), os.getgroups()

    assert container.work_as_owner_of(tmp_path) is None
    assert before == (os.getresuid(), os.getgroups())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_work_as_owner_of__anothers_folder(tmp_path: Path) -> None:
    """For good, and without root's groups."""
    os.chown(tmp_path, 1001, 1002)
    code = (
        "import os; from pathlib import Path; from gate.cli.container import work_as_owner_of as w;"
        f"print(w(Path({str(tmp_path)!r})), os.getresuid(), os.getresgid(), os.getgroups())"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "None (1001, 1001, 1001) (1002, 1002, 1002) []\n" == done.stdout


@pytest.mark.parametrize(("writable", "said"), [(True, False), (False, True)])
def test_work_as_owner_of__root_without_rights(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, writable: bool, said: bool
) -> None:
    """Where that matters, the sentence says what to add."""

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "setgroups", refused)
    monkeypatch.setattr(os, "access", lambda *_: writable)
    folder = SimpleNamespace(stat=lambda: SimpleNamespace(st_uid=1001, st_gid=1002))

    told = container.work_as_owner_of(folder)  # type: ignore[arg-type] # a folder of another's

    assert said == (told is not None and "--user 1001:1002" in told)


def started(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Start it in a runner's job and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["container", *arguments])
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setattr(container, "RUNNERS", ())
    with pytest.raises(SystemExit) as end:
        container.main()
    assert isinstance(end.value.code, int)
    return end.value.code


def test_main__the_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is imported when a runner starts it; its exit code is the container's."""
    action = ModuleType("gate.action")
    action.enter = lambda: sys.exit(1)  # type: ignore[attr-defined] # it is made here
    monkeypatch.setitem(sys.modules, "gate.action", action)

    assert 1 == started(monkeypatch)


def test_main__no_action(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without one the step fails with a sentence, and never with the code of a regression."""

    def missing(name: str) -> ModuleType:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(importlib, "import_module", missing)

    assert 2 == started(monkeypatch)
    assert "no action" in capsys.readouterr().err
