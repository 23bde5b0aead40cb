"""What scripts and other tools build on: commands, flags, exit codes, files, README."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import click
import pytest

import gate
import gate.types
from gate import errors
from gate.cli.main import COMMANDS
from gate.schemas import NAMES
from gate.types import Verdict
from tests.gate_cli import clean_environment

FLAGS = {
    "init": {
        *{"--dir", "--runs-code", "--fetch", "--keep-text", "--road", "--from", "--action"},
        *{"--force", "--yes"},
    },
    "run": {
        *{"--config", "--out", "--base-path", "--sample", "--seed", "--case", "--target"},
        *{"--scorer", "--repeats", "--threshold", "--max-cost", "--yes", "--offline"},
        *{"--replay", "--report-only", "--shard", "--on-inconclusive", "--baseline"},
        *{"--candidate-path", "--base-sha", "--head-sha", "--evaluated-sha"},
        *{"--attempts", "--accepted-by", "--accepted-sha"},
    },
    "collect": {
        *{"--config", "--out", "--base-path", "--sample", "--seed", "--case", "--target"},
        *{"--repeats", "--max-cost", "--yes", "--offline", "--replay", "--shard"},
        *{"--candidate-path", "--base-sha", "--head-sha", "--evaluated-sha"},
    },
    "judge": {
        *{"--config", "--out", "--base-path", "--scorer", "--max-cost", "--yes", "--offline"},
        *{"--replay", "--candidate-path", "--base-sha", "--head-sha", "--evaluated-sha"},
    },
    "merge": {"-o"},
    "compare": {
        *{"--config", "--baseline", "--labels", "--calibration", "--rule", "--threshold", "--out"},
        *{"--report-only", "--on-inconclusive", "--sensitivity"},
        *{"--base-sha", "--head-sha", "--evaluated-sha"},
        *{"--attempts", "--accepted-by", "--accepted-sha"},
    },
    "label": {
        *{"--by", "--labels", "--next", "--dimension", "--claims", "--sentences", "--citations"},
        *{"--statements", "--approve", "--like", "--target", "--config"},
    },
    "kappa": {"--labels", "--target", "--tuning", "--json", "--write", "--config"},
    "sensitivity": {
        *{"--config", "--out", "--answers", "--scorer", "--max-cost", "--yes", "--offline"},
        *{"--replay", "--reuse", "--json", "--write"},
    },
    "controls": {
        *{"--config", "--out", "--answers", "--rulings", "--scorer", "--max-cost", "--yes"},
        *{"--offline", "--replay", "--reuse", "--json", "--write"},
    },
    "baseline": {"--write", "--answers"},
    "refresh": {
        *{"--out", "--config", "--baseline", "--old", "--anchor", "--reason", "--repeats"},
        *{"--labels", "--rated", "--offline"},
    },
    "propose": {"--config", "--repeats"},
    "doctor": {"--config", "--ask", "--offline", "--json", "--markdown"},
    "estimate": {
        *{"--config", "--sample", "--repeats", "--target", "--scorer", "--from", "--json"},
    },
    "import": {"--list", "-o"},
    "report": {"--against", "--format", "-o"},
    "publish": {"--config", "--comment", "--pull-request"},
    "schema": set(),
}
"""Command -> flags that must stay."""


def command(name: str) -> click.Command:
    """Import a command."""
    found = importlib.import_module(f"gate.cli.{name}_command").command
    assert isinstance(found, click.Command)
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_commands__keep_their_flags(name: str) -> None:
    """Later work may add flags, and renames or removes none."""
    flags = {flag for one in command(name).params for flag in one.opts}

    assert FLAGS[name] <= flags


@pytest.mark.parametrize("name", COMMANDS)
def test_commands__help_has_an_example(name: str) -> None:
    """Nobody learns a command from its flags alone."""
    done = subprocess.run(
        [sys.executable, "-m", "gate", name, "--help"],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert "Examples:" in done.stdout
    assert f"gate {name}" in done.stdout


def test_help__loads_no_sdk_and_no_numpy() -> None:
    """`gate --help` starts at once."""
    code = (
        "import sys, gate.cli.main\n"
        "heavy = ('anthropic', 'google.genai', 'numpy', 'pydantic', 'rich', 'jinja2')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert "[]\n" == done.stdout


@pytest.mark.parametrize(
    "command",
    ["compare", "report", "kappa", "baseline", "refresh", "propose", "run", "schema"],
)
def test_commands__load_no_sdk_before_they_call_a_vendor(command: str) -> None:
    """An SDK costs up to a second: only a run that asks a vendor pays for it.

    What makes no call at all loads no network either.
    """
    network = ("httpx2", "asyncio", "sqlite3")
    unwanted = ("anthropic", "google.genai", "google.auth", *(() if command == "run" else network))
    code = (
        f"import sys, gate.cli.{command}_command\n"
        f"print([name for name in {unwanted} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert "[]\n" == done.stdout


def test_exit_codes__are_those_of_the_readme(root: Path) -> None:
    """0 to 3 and the signals, and nothing else."""
    readme = (root / "README.md").read_text("utf-8")
    told = set(re.findall(r"^\| (\d+)(?:, (\d+))? \|", readme, re.MULTILINE))
    codes = {
        one.exit_code
        for one in vars(errors).values()
        if isinstance(one, type) and issubclass(one, errors.GateError)
    }

    assert {("0", ""), ("1", ""), ("2", ""), ("3", ""), ("130", "143")} == told
    assert {2, 3} == codes
    assert 130 == errors.Interrupted(2).exit_code
    assert 143 == errors.Interrupted(15).exit_code


def test_readme__names_every_command_and_no_other(root: Path) -> None:
    """A command that is not there must not be promised."""
    readme = (root / "README.md").read_text("utf-8")
    used = set(re.findall(r"\bgate ([a-z]+)\b(?= |`|\n)", readme))

    assert set(COMMANDS) <= used
    assert set() == {name for name in used if name not in COMMANDS}


def test_readme__first_screen_holds_both_commands(root: Path) -> None:
    """`make gate` and `make test` stand above the first heading below the title."""
    first = (root / "README.md").read_text("utf-8").split("\n## ")[0]

    assert "`make gate`" in first
    assert "`make test`" in first
    assert len(first.splitlines()) < 40


def test_ci__calls_both_commands(root: Path) -> None:
    """What a newcomer types is what is checked."""
    script = (root / ".ci" / "run").read_text("utf-8")

    assert "make gate" in script
    assert "make test" in script


def test_verdict__has_the_fields_of_the_contract() -> None:
    """Fields may be added; none of these may go."""
    schema = Verdict.model_json_schema(by_alias=True)["properties"]

    assert {
        *{"schema", "status", "exit_code", "headline", "comparisons", "operations", "coverage"},
        *{"identity", "seed", "attempts", "accepted_by", "warnings", "edits", "cost", "commits"},
        *{"reproduce"},
    } <= set(schema)


def test_schemas__of_every_file() -> None:
    """One for each file that a person or another tool reads."""
    assert {
        "config",
        "cases",
        "labels",
        "answers",
        "run",
        "verdict",
        "baseline",
        "calibration",
        "sensitivity",
        "controls",
    } == set(NAMES)


def test_version__is_one(root: Path) -> None:
    """The package and the distribution say the same."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]

    assert project["version"] == gate.__version__


def test_entry_points__lead_somewhere() -> None:
    """Ours enter by the same door as a stranger's."""
    for kind in ("targets", "scorers", "reporters"):
        points = entry_points(group=f"kappagate.{kind}")
        assert points
        assert all(isinstance(point.load(), type) for point in points)


def test_types__exported_names_are_real() -> None:
    """The face of the words is what it says."""
    assert all(hasattr(gate.types, name) for name in gate.types.__all__)


def test_lock_files__hold_hashes_and_no_addresses(root: Path) -> None:
    """Every package is pinned with a hash, and no index is named."""
    for name in ("run.txt", "dev.txt"):
        text = (root / "requirements" / name).read_text("utf-8")
        packages = re.findall(r"^[A-Za-z0-9_.-]+(?:\[[^]]*\])?==", text, re.MULTILINE)

        assert packages
        assert "://" not in text
        assert "index-url" not in text
        assert text.count(" \\\n    --hash=sha256:") >= len(packages)
