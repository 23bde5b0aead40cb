"""The ceiling of a run: refused before the first call, or decided on the finished part."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gate.cli import opening
from gate.cli.making import make_in_world
from gate.cli.progress import NoProgress
from gate.cli.request import Wish, plan_run, read_setting
from gate.cli.running import Hands, Made
from gate.decision.run_file import run_lines
from gate.types import Run
from gate.wire.files import write_parts
from tests.gate_cli import copy_of_repository, gate


@pytest.fixture
def folder(root: Path, tmp_path: Path) -> Path:
    """A copy of what decides."""
    return copy_of_repository(root, tmp_path)


def spend(folder: Path, ceiling: float, monkeypatch: pytest.MonkeyPatch, **more: object) -> Made:
    """Run the quick scorers under a ceiling that the estimate did not foresee."""
    # The stand-in's answers cost less than the estimate assumes, so none is made here: as for a
    # target whose price is not known.
    monkeypatch.setattr(opening, "_estimate", lambda *_: None)
    wish = Wish(
        config_path=folder / "gate.yaml",
        out=folder / "gate-out",
        scorers=("quick",),
        max_cost=ceiling,
        offline="steady",
        **more,  # type: ignore[arg-type]  # a test's shorthand
    )
    wish.out.mkdir(exist_ok=True)
    request = plan_run(wish, read_setting(wish, {}), "run")
    made: list[Made] = []
    make_in_world(request, wish, {}, Hands(NoProgress(), report=made.append))
    write_parts(wish.out / "run.json", run_lines(made[0].run))
    return made[0]


def deadline(config: str, seconds: float) -> str:
    """A configuration with a deadline of the run."""
    assert "timeout_s" not in config
    return re.sub(r"(?m)^run:$", f"run:\n  timeout_s: {seconds}", config, count=1)


def answered(run: Run) -> set[str]:
    """Cases that the run holds."""
    return {cell.case_id for cell in run.cells}


def test_ceiling__below_the_estimate_is_refused_before_the_first_call(folder: Path) -> None:
    """Exit 2, both figures, no journal, and one that is there stays as it was."""
    done = gate("run", "--offline", "--scorer", "quick", "--max-cost", "0.5", folder=folder)

    assert 2 == done.code
    assert "is above the ceiling of $0.50: raise --max-cost" in done.err
    assert [] == list((folder / "gate-out").iterdir())
    again = gate("run", "--offline", "--scorer", "quick", "--max-cost", "3", folder=folder)
    assert (0, 0) == (again.code, again.verdict["cost"]["cached_calls"])
    assert 3.0 == again.verdict["cost"]["ceiling_usd"]
    # Nor is an unfinished run gone on with: the estimate is above the ceiling all the same.
    journal = folder / "gate-out" / "journal.sqlite"
    with closing(sqlite3.connect(journal)) as database, database:
        database.execute("UPDATE runs SET state = 'unfinished'")
    before = journal.read_bytes()
    done = gate("run", "--offline", "--scorer", "quick", "--max-cost", "0.5", folder=folder)
    assert (2, before) == (done.code, journal.read_bytes())


def test_ceiling__the_finished_part_is_decided_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of the plan in hash order, every case of it scored, and the ceiling kept."""
    run = spend(folder, 0.6, monkeypatch).run

    assert run.cost.usd is not None
    assert 0.4 < run.cost.usd <= 0.6
    assert 48 == run.plan.planned
    assert 13 <= len(run.plan.case_ids) < 48
    assert set(run.plan.case_ids) == answered(run)
    assert {"ok"} == {one.state for cell in run.cells for one in cell.attempts}
    assert all(None not in cell.scores["correctness"] for cell in run.cells)
    assert run.stopped is not None
    assert (
        "the ceiling of $0.60 was reached: the same command with a higher --max-cost goes on "
        "from there" in run.stopped
    )

    done = gate("compare", "gate-out/run.json", "--out", "gate-out", folder=folder)
    assert (0, "pass") == (done.code, done.verdict["status"]), done.out
    assert len(run.plan.case_ids) == done.verdict["coverage"]["compared"]
    assert f"after {len(run.plan.case_ids)} of 48 cases" in done.out


def test_ceiling__too_few_cases_are_no_verdict(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part that can neither fail nor pass says so: exit 3."""
    run = spend(folder, 0.25, monkeypatch).run

    done = gate("compare", "gate-out/run.json", "--out", "gate-out", folder=folder)

    assert 0 < len(run.cells) < 6
    assert (3, "broken") == (done.code, done.verdict["status"])
    assert "too few to fail or to pass" in done.verdict["headline"]


def test_ceiling__too_low_for_a_single_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was asked, and the reason is told."""
    run = spend(folder, 0.001, monkeypatch).run

    done = gate("compare", "gate-out/run.json", "--out", "gate-out", folder=folder)

    assert ((), 0) == (run.cells, run.cost.calls)
    assert (3, "broken") == (done.code, done.verdict["status"])
    assert "the ceiling of $0.001 was reached" in done.verdict["headline"]


@pytest.mark.parametrize("deadline_s", [None, 0.2])
def test_ceiling__a_replay_ends_where_the_run_did(
    folder: Path, monkeypatch: pytest.MonkeyPatch, deadline_s: float | None
) -> None:
    """The journal knows which jobs were done, why it ended, and what was lost with the others."""
    config = folder / "gate.yaml"
    told = config.read_text("utf-8")
    if deadline_s is not None:
        config.write_text(deadline(told, deadline_s), "utf-8")
    spend(folder, 0.6 if deadline_s is None else 9.0, monkeypatch)
    config.write_text(told, "utf-8")
    words = ("run", "--scorer", "quick", "--replay", "gate-out/journal.sqlite")

    done = gate(*words, "--out", "again", folder=folder)

    assert done.code in {0, 3}, done.err
    first, again = ((folder / one / "run.json").read_bytes() for one in ("gate-out", "again"))
    assert first == again
    assert b'"stopped": "after' in first


def test_ceiling__goes_on_under_a_higher_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One run under one id: under the same ceiling no call is made, under a higher one the rest."""

    def sent() -> tuple[int, int]:
        with closing(sqlite3.connect(folder / "gate-out" / "journal.sqlite")) as database:
            (calls, answers) = database.execute(
                "SELECT count(*), count(DISTINCT key) FROM calls WHERE tries > 0"
            ).fetchone()
        return calls, answers

    first = spend(folder, 0.6, monkeypatch).run
    bought = sent()
    same = spend(folder, 0.6, monkeypatch).run
    assert bought == sent()
    assert (first.id, first.cost.calls) == (same.id, same.cost.calls)
    assert first.cost.usd == pytest.approx(same.cost.usd)
    assert first.cells == same.cells
    whole = spend(folder, 5.0, monkeypatch).run
    assert (first.id, None, 48) == (whole.id, whole.stopped, len(answered(whole)))
    assert (whole.cost.calls, whole.cost.calls) == sent()
    assert 0 == whole.cost.cached_calls
    assert whole.id != spend(folder, 5.0, monkeypatch).run.id


def test_ceiling__second_answers_are_cut_as_well(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All first attempts come before all second ones: the plan keeps its cases."""
    run = spend(folder, 1.5, monkeypatch, repeats=2).run

    assert (48, None) == (len(run.plan.case_ids), run.plan.planned)
    assert {1, 2} == {len(cell.attempts) for cell in run.cells}
    assert "of 96 answers" in (run.stopped or "")
