"""action.yml, the page about it and the code say the same, in both directions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from gate.cli.action_inputs import ACTION_COMMANDS, INPUTS
from gate.cli.main import COMMANDS
from gate.cli.showing import COMMENT_MODES
from gate.publish.outputs import OUTPUTS


@pytest.fixture(scope="module")
def action(root: Path) -> Any:
    """action.yml, as the runner reads it."""
    return yaml.safe_load((root / "action.yml").read_text("utf-8"))


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    """docs/action.md."""
    return (root / "docs" / "action.md").read_text("utf-8")


def table(page: str, heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, their cells without blanks and backticks."""
    below = page.split(f"\n## {heading}\n")[1].split("\n## ", maxsplit=1)[0]
    rows = re.findall(r"^\| (`.*) \|$", below, re.MULTILINE)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for row in rows]


def test_action__is_a_container(action: Any) -> None:
    """Built from the Dockerfile beside it; a name, a description and an icon for the market."""
    assert {"using": "docker", "image": "Dockerfile"} == action["runs"]
    assert {"icon", "color"} == set(action["branding"])
    assert action["name"]
    assert len(action["description"]) < 125


def test_action__inputs_are_those_of_the_code(action: Any) -> None:
    """Names and defaults, in the same order; `token` is the job's own unless told."""
    ours = {one.name: one.default for one in INPUTS} | {"token": "${{ github.token }}"}

    assert list(ours.items()) == [(name, one["default"]) for name, one in action["inputs"].items()]


def test_action__outputs_are_those_of_the_code(action: Any) -> None:
    """In the same order."""
    assert list(OUTPUTS) == list(action["outputs"])


@pytest.mark.parametrize("kind", ["inputs", "outputs"])
def test_action__each_is_described_in_a_sentence(action: Any, kind: str) -> None:
    """What it is; outputs of a container have no value here."""
    keys = {"inputs": {"description", "default"}, "outputs": {"description"}}

    for one in action[kind].values():
        assert keys[kind] == set(one)
        assert one["description"].endswith(".")


def test_page__inputs_are_those_of_action_yml(action: Any, page: str) -> None:
    """Names and defaults."""
    told = [(row[0].strip("`"), row[1].strip("`")) for row in table(page, "Inputs")]

    assert told == [(name, one["default"]) for name, one in action["inputs"].items()]


def test_page__outputs_are_those_of_action_yml(action: Any, page: str) -> None:
    """In the same order."""
    assert list(action["outputs"]) == [row[0].strip("`") for row in table(page, "Outputs")]


def test_page__comment_modes_are_those_of_the_code(page: str) -> None:
    """Each is explained."""
    assert list(COMMENT_MODES) == [row[0].strip("`") for row in table(page, "The comment")]


def test_page__names_every_command(action: Any, page: str) -> None:
    """Those that are there, and which are not there yet."""
    (row,) = [row for row in table(page, "Inputs") if row[0] == "`command`"]
    there, _, later = row[2].partition(";")

    assert [one for one in ACTION_COMMANDS if one in COMMANDS] == re.findall(r"`(\w+)`", there)
    assert [one for one in ACTION_COMMANDS if one not in COMMANDS] == re.findall(r"`(\w+)`", later)
    assert all(name in action["inputs"]["command"]["description"] for name in ACTION_COMMANDS)


def test_action__expressions_are_the_runners(action: Any) -> None:
    """Only defaults may have one, and only the token's does."""
    text = {
        name: one["default"] for name, one in action["inputs"].items() if "${{" in one["default"]
    }

    assert {"token": "${{ github.token }}"} == text
