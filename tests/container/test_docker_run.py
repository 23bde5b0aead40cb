"""The image as people use it: `docker run` with a folder of theirs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.container.engine import HARDENED, RUNNERS_UID, Engine, checkout, wait_for

WHAT = ("--scorer", "quick", "--sample", "24")
REPLAY = ("gate", "run", *WHAT, "--replay", "gate-out/journal.sqlite")
OWNER = f"{RUNNERS_UID}:{RUNNERS_UID}"


@pytest.fixture(scope="module")
def ran(engine: Engine, image: str, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the runner's user in which the image has run the gate."""
    folder = checkout(root, tmp_path_factory.mktemp("ran"))
    done = engine.run(image, "run", "--offline", *WHAT, folder=folder)
    assert 0 == done.returncode, done.stderr
    return folder


@pytest.mark.parametrize("words", [(), ("--help",), ("gate", "--help"), ("gate",)])
def test_docker_run__help(engine: Engine, image: str, words: tuple[str, ...]) -> None:
    """With the command's name and without it, and when nothing is said."""
    done = engine.run(image, *words, options=HARDENED)

    assert 0 == done.returncode
    assert done.stdout.startswith("Usage: gate [OPTIONS]")


def test_docker_run__what_it_writes_is_the_owners(ran: Path) -> None:
    """No folder of root's in somebody's checkout."""
    assert {RUNNERS_UID} == {path.stat().st_uid for path in ran.rglob("*")}


@pytest.mark.parametrize(
    "more",
    [("--user", OWNER), ("--cap-add", "SETUID", "--cap-add", "SETGID")],
    ids=["as the owner", "becomes the owner"],
)
def test_docker_run__replay_that_is_allowed_nothing(
    engine: Engine, image: str, ran: Path, more: tuple[str, ...]
) -> None:
    """No network, nothing to write but the folder, no rights: the same verdict, the owner's."""
    shutil.rmtree(ran / "again", ignore_errors=True)

    done = engine.run(image, *REPLAY, "--out", "again", options=(*HARDENED, *more), folder=ran)

    first, second = (
        json.loads((ran / name / "verdict.json").read_text("utf-8"))
        for name in ("gate-out", "again")
    )
    assert 0 == done.returncode, done.stderr
    assert first["comparisons"] == second["comparisons"]
    assert {RUNNERS_UID} == {path.stat().st_uid for path in (ran / "again").rglob("*")}


def test_docker_run__replay_that_may_not_even_write(engine: Engine, image: str, ran: Path) -> None:
    """Root without rights cannot write to another's folder: the sentence says what to add."""
    told = engine.run(image, *REPLAY, "--out", "no", options=HARDENED, folder=ran)
    elsewhere = engine.run(image, *REPLAY, "--out", "/dev/shm/no", options=HARDENED, folder=ran)

    assert 2 == told.returncode
    assert f"add `--user {OWNER}` to `docker run`" in told.stderr
    assert 0 == elsewhere.returncode, elsewhere.stderr
    assert "correctness" in elsewhere.stdout


def test_docker_run__imports_nothing_of_the_folder(
    engine: Engine, image: str, workspace: Path
) -> None:
    """A pull request that brings modules of its own has them read as files, not run."""
    (workspace / "gate").mkdir()
    for name in ("gate/__init__", "json", "sitecustomize", "usercustomize", "numpy", "click"):
        (workspace / f"{name}.py").write_text("raise SystemExit('taken over')\n", "utf-8")

    done = engine.run(image, "run", "--offline", "--sample", "24", folder=workspace)

    assert 0 == done.returncode, done.stderr
    assert "taken over" not in done.stdout + done.stderr


def test_docker_run__interrupted(engine: Engine, image: str, workspace: Path) -> None:
    """A runner's SIGINT to process 1: a partial report, and the end before its SIGTERM comes."""
    running = engine.start(image, "run", "--offline", folder=workspace)
    wait_for(workspace / "gate-out" / "results.jsonl", 4)

    running.signal("INT")
    code, said = running.end(6)

    verdict = json.loads((workspace / "gate-out" / "verdict.json").read_text("utf-8"))
    assert (130, "broken") == (code, verdict["status"]), said
    assert "SIGINT interrupted the run" in verdict["headline"]


def test_docker_run__interrupted_and_told_to_end(
    engine: Engine, image: str, workspace: Path
) -> None:
    """SIGTERM alone, and a second one at once: nothing holds it up."""
    running = engine.start(image, "run", "--offline", folder=workspace)
    wait_for(workspace / "gate-out" / "results.jsonl", 4)

    running.signal("INT")
    running.signal("TERM")
    code, said = running.end(6)

    assert code in (130, 143), said
    assert "Traceback" not in said
