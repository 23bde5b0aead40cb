"""Closed pipes, closed streams, places that cannot be written: none of it may look like exit 1."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gate_cli import clean_environment, copy_of_repository, gate


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a finished, failing run in gate-out."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    assert 1 == gate("run", "--offline=wrong", folder=folder).code
    return folder


def shell(line: str, folder: Path) -> int:
    """Run a line of bash and return the exit code of the gate in it."""
    done = subprocess.run(
        ["bash", "-c", line.replace("gate ", f"{sys.executable} -m gate ")],
        cwd=folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return int(done.stdout.strip().splitlines()[-1]) if done.stdout.strip() else done.returncode


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("gate compare gate-out | true; echo ${PIPESTATUS[0]}", 1),
        ("gate run --offline --out a 2>/dev/null | true; echo ${PIPESTATUS[0]}", 0),
        ("gate run --offline --out b 2>&1 >/dev/null | true; echo ${PIPESTATUS[0]}", 0),
        ("gate run --offline=steady+target-401 --out c | true; echo ${PIPESTATUS[0]}", 3),
        ("gate schema config | true; echo ${PIPESTATUS[0]}", 0),
        ("gate kappa --help | true; echo ${PIPESTATUS[0]}", 0),
        ("gate compare gate-out >/dev/full; echo $?", 1),
        ("gate compare gate-out 2>&-; echo $?", 1),
        ("gate schema config >/dev/full; echo $?", 2),
    ],
)
def test_streams__change_no_exit_code(folder: Path, line: str, code: int) -> None:
    """The verdict's own code, whoever stopped listening."""
    assert code == shell(line, folder)


def test_streams__closed_stdout_keeps_the_verdicts_code(folder: Path) -> None:
    """And no file of ours is written in its place."""
    assert 1 == shell("gate compare gate-out --out shut >&-", folder)
    verdict = json.loads((folder / "shut" / "verdict.json").read_text("utf-8"))
    assert "regression" == verdict["status"]


@pytest.mark.parametrize("place", ["gate.yaml/x", "/proc/x"])
@pytest.mark.parametrize("words", [("run", "--offline"), ("compare", "gate-out")])
def test_out__that_cannot_be_a_folder_cannot_run(
    folder: Path, words: tuple[str, ...], place: str
) -> None:
    """Exit 2, and the place is named."""
    done = gate(*words, "--out", place, folder=folder)

    assert 2 == done.code, done.err
    assert place in done.err


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "many"])
@pytest.mark.parametrize("flag", ["--threshold", "--max-cost"])
def test_amounts__are_finite(folder: Path, flag: str, value: str) -> None:
    """With NaN every comparison says no, and an unchanged run would fail."""
    done = gate("run", "--offline", f"{flag}={value}", "--out", "amounts", folder=folder)

    assert 2 == done.code
    assert flag in done.err


def test_unknown_model__leaves_no_noise_of_tasks(folder: Path) -> None:
    """The cause once, and nothing of asyncio's."""
    done = gate("run", "--offline=steady+target-404", "--out", "missing", folder=folder)

    assert 2 == done.code
    assert "Traceback" not in done.err
    assert "never retrieved" not in done.err


def test_odd_line_ends__in_an_answer_leave_the_files_readable(folder: Path) -> None:
    """U+2028 and its kin end no line of results.jsonl."""
    lines = (folder / "gate-out" / "results.jsonl").read_text("utf-8").split("\n")
    first = json.loads(lines[0])
    first["answer"]["text"] = "one\u2028two\u2029three\u0085four\x0bfive\x0csix"
    odd = folder / "odd"
    odd.mkdir()
    (odd / "run.json").write_bytes((folder / "gate-out" / "run.json").read_bytes())
    text = "\n".join([json.dumps(first, ensure_ascii=False), *lines[1:]])
    (odd / "results.jsonl").write_text(text, "utf-8")

    assert 1 == gate("compare", "odd", folder=folder).code


def test_reproduce__repeats_the_run_as_it_was_typed(root: Path, tmp_path: Path) -> None:
    """Threshold, sample and repeats are part of it."""
    folder = copy_of_repository(root, tmp_path)
    words = ("--offline=wrong", "--threshold", "0.9", "--sample", "14", "--repeats", "2")
    first = gate("run", *words, folder=folder)

    line = first.verdict["reproduce"][0].split()
    again = gate(*line[1:], folder=folder)

    assert (first.code, 0) == (again.code, first.code)
    assert "--threshold" in line
    assert (folder / "gate-out" / "verdict.json").read_bytes() == (
        folder / "again" / "verdict.json"
    ).read_bytes()
