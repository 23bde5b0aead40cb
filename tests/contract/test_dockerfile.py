"""The Dockerfile and what is sent to the builder, read as text: no engine is needed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def instructions(root: Path) -> list[tuple[str, str]]:
    """Pairs (instruction, its words), comments left out and continued lines joined."""
    text = (root / "Dockerfile").read_text("utf-8")
    whole = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [(line.split()[0], line.partition(" ")[2]) for line in whole.splitlines() if line]


def test_dockerfile__hadolint_finds_nothing(root: Path) -> None:
    """Without exceptions."""
    linter = Path(sys.executable).with_name("hadolint")

    done = subprocess.run(
        [linter, "--failure-threshold", "style", root / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stdout)


def test_dockerfile__every_builder_knows_it(
    root: Path, instructions: list[tuple[str, str]]
) -> None:
    """No syntax line, mounts, links, modes or documents inside: older builders refuse them."""
    text = (root / "Dockerfile").read_text("utf-8")

    assert "syntax=" not in text
    assert [] == [
        words for _, words in instructions if re.search(r"^--(mount|link|chmod)|<<", words)
    ]


def test_dockerfile__base_by_argument(instructions: list[tuple[str, str]]) -> None:
    """A release hands in the digest; both stages have the same base, with one bytecode."""
    assert ("ARG", "PYTHON_IMAGE=python:3.13-slim") == instructions[0]
    assert ["${PYTHON_IMAGE} AS build", "${PYTHON_IMAGE}"] == [
        words for name, words in instructions if name == "FROM"
    ]


def test_dockerfile__as_a_runner_needs_it(instructions: list[tuple[str, str]]) -> None:
    """No USER, for the runner's files are another's; no WORKDIR, for the runner sets its own."""
    names = {name for name, _ in instructions}

    assert names <= {"ARG", "FROM", "COPY", "RUN", "LABEL", "ENTRYPOINT"}
    (entry,) = (words for name, words in instructions if name == "ENTRYPOINT")
    assert entry.startswith('["/opt/gate/bin/python", "-I"')


def test_dockerignore__an_allow_list(root: Path) -> None:
    """What is not named never reaches the builder, whatever lies in the folder."""
    lines = (root / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]

    assert "*" == rules[0]
    assert {"!gate", "!requirements/run.txt", "!pyproject.toml", "!README.md", "!LICENSE"} == {
        rule for rule in rules if rule.startswith("!")
    }
