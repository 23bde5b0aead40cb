"""The folder of a run: no verdict of one run beside the files of another."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from gate.cli.concluding import conclude
from gate.cli.filing import file_report, withdraw
from gate.cli.inputs import read_inputs
from gate.errors import FileError
from gate.reports.junit import JunitReporter
from gate.reports.options import NoOptions
from gate.wire import files
from tests.gate_cli import copy_of_repository, gate

PLAN = ("--sample", "3", "--scorer", "quick", "--threshold", "0.05")


@pytest.fixture(scope="module")
def stored(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with a reporter of its own."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    with (folder / "gate.yaml").open("a", encoding="utf-8") as stream:
        stream.write("reporters: [junit]\n")
    done = gate("run", "--offline", *PLAN, folder=folder)
    assert 0 == done.code, done.err
    return folder


@pytest.fixture
def own(stored: Path, tmp_path: Path) -> Path:
    """A copy of it that one test may change."""
    return Path(shutil.copytree(stored / "gate-out", tmp_path / "gate-out"))


def test_report__of_a_run_json_of_another_run_is_refused(own: Path) -> None:
    """Decided again it would be a verdict that no run had."""
    run = json.loads((own / "run.json").read_text("utf-8"))
    (own / "run.json").write_text(json.dumps({**run, "id": "another"}), "utf-8")

    with pytest.raises(FileError, match="files of two runs"):
        read_inputs(own)


@pytest.mark.parametrize("name", ["baseline.json", "calibration.json"])
def test_report__of_another_input_is_refused(own: Path, name: str) -> None:
    """So it is for the files that decide, even one that went away."""
    (own / "inputs" / name).unlink()

    with pytest.raises(FileError, match=name):
        read_inputs(own)


def test_report__of_a_folder_of_an_earlier_gate_is_rendered(own: Path) -> None:
    """It holds no digests, and nothing can be compared."""
    path = own / "inputs" / "decision.json"
    decision = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**decision, "digests": {}}), "utf-8")

    assert read_inputs(own) is not None


def test_withdraw__leaves_the_journal_results_and_inputs(own: Path) -> None:
    """Reports of reporters go as well, and so do drafts of a process that was killed."""
    (own / ".run.json.0123abcd.tmp").write_text("half", "utf-8")
    (own / "mine.txt").write_text("not the gate's", "utf-8")

    withdraw(own)

    left = {str(path.relative_to(own)) for path in own.rglob("*") if path.is_file()}
    inputs = {f"inputs/{one}.json" for one in ("baseline", "calibration", "sensitivity")}
    assert {"journal.sqlite", "results.jsonl", "mine.txt", *inputs} == left


def test_withdraw__goes_nowhere_else(own: Path) -> None:
    """What a stranger's decision.json names outside of the folder stays."""
    outside = own.parent / "precious.txt"
    outside.write_text("mine", "utf-8")
    path = own / "inputs" / "decision.json"
    decision = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**decision, "reports": ["../precious.txt", "..", ""]}), "utf-8")

    withdraw(own)

    assert outside.exists()
    assert not (own / "run.json").exists()


@pytest.mark.parametrize("writes", range(8))
def test_file_report__ended_between_two_files(
    own: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """With a verdict.json all else is there; without decision.json nothing is reported."""
    question = read_inputs(own)
    assert question is not None
    report = conclude(question)
    # What is read from is replaced, so it has to lie elsewhere.
    texts = [own / "run.json", own / "results.jsonl"]
    before = [path.read_bytes() for path in texts]
    real, left = files._replace, [writes]

    def replace(path: Path, blocks: Iterable[bytes]) -> None:
        if not left[0]:
            raise FileError("the process ends here", path)
        left[0] -= 1
        real(path, blocks)

    monkeypatch.setattr(files, "_replace", replace)
    reporters = [JunitReporter(NoOptions())]

    if writes < 8 - 1:
        with pytest.raises(FileError):
            file_report(report, question, own, reporters=reporters)
        assert not (own / "inputs" / "decision.json").exists()
        assert read_inputs(own) is None
    complete = all((own / name).exists() for name in ("comment.md", "summary.md", "junit.xml"))
    assert complete or not (own / "verdict.json").exists()
    assert before == [path.read_bytes() for path in texts]


def test_run__that_cannot_end_leaves_no_verdict_of_the_run_before(stored: Path) -> None:
    """A later step that publishes the folder must not find yesterday's pass."""
    shutil.rmtree(stored / "again", ignore_errors=True)
    first = gate("run", "--offline", *PLAN, "--out", "again", folder=stored)
    assert 0 == first.code, first.err

    done = gate("run", "--offline=steady+target-401", *PLAN, "--out", "again", folder=stored)

    assert 0 != done.code
    found = stored / "again" / "verdict.json"
    assert not found.exists() or "pass" != json.loads(found.read_text("utf-8"))["status"]


def test_compare__into_its_own_folder_keeps_the_results(stored: Path, own: Path) -> None:
    """They are those of the run, in the order in which they came."""
    shutil.copytree(own, stored / "own", dirs_exist_ok=True)
    results = (own / "results.jsonl").read_bytes()

    done = gate("compare", "own/run.json", "--out", "own", folder=stored)

    assert done.code in (0, 1), done.err
    assert results == (stored / "own" / "results.jsonl").read_bytes()
    assert 0 == gate("report", "own", folder=stored).code


def test_offline__asks_a_world_that_runs_already(stored: Path) -> None:
    """Where none answers on the port, the message says how to have one."""
    done = gate("run", "--offline", *PLAN, folder=stored, env={"GATE_WORLD": "1"})

    assert 2 == done.code
    assert "GATE_WORLD=1: no loopback world answers" in done.err
