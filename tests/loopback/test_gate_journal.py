"""A run's journal, by the real command: tracing, modes, two runs at once, full disks."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.gate_cli import Done, clean_environment, copy_of_repository, gate

WORDS = ("run", "--offline", "--sample", "6", "--report-only")
CASE = "kveldsnut-height"
ONE = ("run", "--offline", "--case", CASE)


@pytest.fixture
def folder(root: Path, tmp_path: Path) -> Path:
    """A repository of its own."""
    return copy_of_repository(root, tmp_path)


def trace(done: Done, *more: str) -> Done:
    """Trace the case."""
    return gate("report", "gate-out", "--trace", CASE, *more, folder=done.folder)


def set_key(folder: Path, line: str) -> None:
    """Add a line to gate.yaml."""
    config = folder / "gate.yaml"
    config.write_text(f"{config.read_text('utf-8').rstrip()}\n{line}\n", "utf-8")


def test_trace__follows_every_score_to_its_call(folder: Path) -> None:
    """In JSON and in words; after a second run, judgements of the first are shown as such."""
    first = gate(*ONE, folder=folder)
    assert 0 == first.code, first.err
    told = json.loads(trace(first, "--format", "json").out)
    (attempt,) = told["attempts"]
    numbers = {call["number"] for call in attempt["calls"]}

    assert ["answer", "judge", "judge", "judge"] == [call["kind"] for call in attempt["calls"]]
    assert all(set(score["calls"]) <= numbers for score in attempt["scores"])
    assert len({number for score in attempt["scores"] for number in score["calls"]}) == 3
    assert first.verdict["cost"]["usd"] == pytest.approx(told["usd"], abs=1e-12)
    assert all(page["status"] == "ok" and page["characters"] for page in attempt["pages"])
    shown = trace(first)
    assert 0 == shown.code, shown.err
    assert "gave relevance, correctness, source_quality" in shown.out
    assert '"justification"' in shown.out

    second = gate(*ONE, folder=folder)
    again = json.loads(trace(second, "--format", "json").out)
    (later,) = again["attempts"]
    reused = [call["reused_from"] for call in later["calls"]]
    run_ids = [told["run"]] * 3
    assert told["run"] != again["run"]
    assert sorted(run_ids) == sorted(one for one in reused if one)
    assert [score["calls"] for score in attempt["scores"]] == [
        score["calls"] for score in later["scores"]
    ]
    assert f"from the earlier run {told['run']}" in trace(second).out


def test_trace__what_it_cannot_do(folder: Path) -> None:
    """An unknown case, a wrong format, no journal: each with what to do."""
    set_key(folder, "journal: off")
    done = gate(*ONE, folder=folder)
    assert 0 == done.code, done.err

    off = trace(done)
    assert (2, True) == (off.code, "run again with `journal: full`" in off.err)
    unknown = gate("report", "gate-out", "--trace", "kveldsnut-hight", folder=folder)
    assert (2, True) == (unknown.code, f"did you mean `{CASE}`?" in unknown.err)
    other = trace(done, "--format", "csv")
    assert (2, True) == (other.code, "JSON with --format json" in other.err)


def _page_texts(folder: Path) -> set[str]:
    """Stretches of the pages that a run under `full` read."""
    with closing(sqlite3.connect(folder / "gate-out" / "journal.sqlite")) as database:
        pages = [json.loads(row[0])["text"] for row in database.execute("SELECT page FROM pages")]
    return {line[:40] for page in pages for line in page.split("\n") if len(line) >= 40}


@pytest.mark.parametrize("mode", ["no-pages", "no-text"])
def test_mode__keeps_no_text_of_pages_and_is_traced(folder: Path, mode: str) -> None:
    """Nothing that a page says stands in the file; a replay says why it cannot be."""
    assert 0 == gate(*WORDS, "--out", "gate-out", folder=folder).code
    stretches = _page_texts(folder)
    answers = [
        json.loads(line)["answer"]["text"]
        for line in (folder / "gate-out" / "results.jsonl").read_text("utf-8").splitlines()
    ]
    journal = folder / "gate-out" / "journal.sqlite"
    full = journal.read_text("latin-1")
    assert sum(json.dumps(one)[1:-1] in full for one in stretches) > 5
    journal.unlink()
    set_key(folder, f"journal: {mode}")
    done = gate(*WORDS, folder=folder)
    assert 0 == done.code, done.err

    held = journal.read_text("latin-1")
    # The stand-in's answers are made of sentences of its pages: those are the answers' text.
    said = " ".join(answers)
    own = [one for one in stretches if one not in said]
    assert len(own) > 3
    assert not [one for one in own if json.dumps(one)[1:-1] in held]
    if mode == "no-text":
        assert not [one for one in stretches if json.dumps(one)[1:-1] in held]
    replay = gate(*WORDS[:1], "--replay", str(journal), *WORDS[2:], "--out", "r", folder=folder)
    assert 3 == replay.code
    assert f"`journal: {mode}`" in replay.err
    case_id = done.json("run.json")["cells"][0]["case_id"]
    told = gate("report", "gate-out", "--trace", case_id, folder=folder)
    assert 0 == told.code, told.err
    assert "its reply was not kept" in told.out
    assert "faithfulness = " in told.out


def test_two_runs__on_one_folder(folder: Path) -> None:
    """The second is refused with what to do, and the first is none the worse."""
    command = [sys.executable, "-m", "gate", *WORDS]
    with subprocess.Popen(
        command, cwd=folder, env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as first:
        journal = folder / "gate-out" / "journal.sqlite-wal"
        until = time.monotonic() + 100
        while not journal.exists() and time.monotonic() < until:
            time.sleep(0.01)
        # Held still while it has the journal, so that the second meets it however slow it starts.
        first.send_signal(signal.SIGSTOP)
        second = gate(*WORDS, folder=folder)
        first.send_signal(signal.SIGCONT)
        _, err = first.communicate(timeout=120)

    assert 0 == first.returncode, err
    assert 2 == second.code
    assert "another process is writing this journal: wait until it has ended, or" in second.err


def _limited(folder: Path, size: int) -> subprocess.CompletedProcess[str]:
    """Run the gate where no file may grow beyond a size."""
    script = (
        "import resource, runpy, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
        "sys.argv[0] = 'gate'\n"
        "runpy.run_module('gate', run_name='__main__')\n"
    )
    return subprocess.run(
        [sys.executable, "-c", script, *WORDS],
        cwd=folder,
        env={**clean_environment(), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _paid(folder: Path) -> int:
    """Calls with a reply in the journal."""
    with closing(sqlite3.connect(folder / "gate-out" / "journal.sqlite")) as database:
        (count,) = database.execute("SELECT count(*) FROM calls WHERE body IS NOT NULL").fetchone()
        return int(count)


def test_full_disk__ends_with_a_sentence_and_is_resumed(folder: Path) -> None:
    """Exit 3 in the middle of a run; with room again no call is paid for twice."""
    full = _limited(folder, 300_000)
    assert 3 == full.returncode, full.stderr
    assert "the disk is full: free some space and run again to resume" in full.stderr
    before = _paid(folder)
    done = gate(*WORDS, folder=folder)

    assert 0 == done.code, done.err
    assert "going on with the unfinished run" in done.err
    assert 0 < before < _paid(folder) == 24 + 9  # three control answers, three calls each
    assert done.verdict["cost"]["calls"] >= 24


def test_full_disk__of_the_results(folder: Path) -> None:
    """The line file is full instead: the run ends, and is resumed."""
    out = folder / "gate-out"
    out.mkdir()
    (out / "results.jsonl").symlink_to("/dev/full")
    full = gate(*WORDS, folder=folder)
    assert 3 == full.code, full.err
    assert "results.jsonl: cannot be written: No space left on device; free some" in full.err
    (out / "results.jsonl").unlink()
    done = gate(*WORDS, folder=folder)

    assert 0 == done.code, done.err
    assert "going on with the unfinished run" in done.err


def test_another_configuration__says_what_differs(folder: Path) -> None:
    """The unfinished run stays; the message names the parts."""
    assert 3 == _limited(folder, 300_000).returncode
    other = gate("run", "--offline=wrong", *WORDS[2:], "--repeats", "2", folder=folder)

    assert 2 == other.code
    assert "what differs: the loopback world, the plan's repeats. Go on with" in other.err


def test_reuse__of_another_folder(folder: Path) -> None:
    """What was judged there is not paid for again; a file that is none costs money, no verdict."""
    first = gate(*ONE, "--out", "first", folder=folder)
    assert 0 == first.code, first.err
    second = gate(*ONE, "--reuse", "first/journal.sqlite", folder=folder)
    third = gate(*ONE, "--out", "third", "--reuse", "cases", folder=folder)

    assert "3 judgements of earlier runs may be reused" in second.err
    assert 3 == second.verdict["cost"]["cached_calls"]
    assert "nothing is reused: there is no cases" in third.err
    assert second.verdict["comparisons"] == first.verdict["comparisons"]
    replay = ("--case", CASE, "--replay", "gate-out/journal.sqlite", "--out", "again")
    again = gate("run", *replay, folder=folder)
    assert 0 == again.code, again.err
