"""Workflows whose action is nobody's yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli.doctor_files import check_workflows
from gate.cli.init_choices import ACTION, Choices
from gate.cli.init_flows import FLOWS, flow_text, flows_for


def written(folder: Path, action: str) -> Path:
    """A repository with the workflows of `gate init`."""
    (folder / ".git").mkdir()
    (folder / FLOWS).mkdir(parents=True)
    choices = Choices(action=action)
    for name in flows_for(choices):
        (folder / FLOWS / name).write_text(flow_text(name, choices), "utf-8")
    return folder


@pytest.mark.parametrize("place", [".", "apps/search"], ids=["the root", "a folder of it"])
def test_workflows__of_nobodys_action(tmp_path: Path, place: str) -> None:
    """No job could start: they are named, with the command that mends it."""
    folder = written(tmp_path, ACTION) / place
    folder.mkdir(parents=True, exist_ok=True)
    found = check_workflows(folder)

    assert found is not None
    assert "look" == found.state
    assert found.says.startswith("baseline.yml, gate-fork.yml, gate.yml and nightly.yml: ")
    assert "gate init --force --action" in str(found.mend)


def test_workflows__of_somebodys(tmp_path: Path) -> None:
    """Said to be right; where there are none, or no repository, nothing is said."""
    found = check_workflows(written(tmp_path, f"octo/gate@{'a' * 40}"))

    assert found is not None
    assert "ok" == found.state
    assert check_workflows(tmp_path / FLOWS / "none") is not None


def test_workflows__where_there_are_none(tmp_path: Path) -> None:
    """Neither in a repository without workflows nor outside of one."""
    assert check_workflows(tmp_path) is None
    (tmp_path / ".git").mkdir()
    assert check_workflows(tmp_path) is None
