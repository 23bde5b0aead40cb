"""Sequential looks: a run stops asking as soon as a part of it decides."""

from __future__ import annotations

from pathlib import Path

from tests.gate_cli import copy_of_repository, gate


def test_three_looks__stop_early_and_replay_the_same(root: Path, tmp_path: Path) -> None:
    """A third of the cases shows a wrong world; no other one is asked."""
    folder = copy_of_repository(root, tmp_path)
    file = folder / "gate.yaml"
    file.write_text(file.read_text("utf-8").replace("\nrun:\n", "\nrun:\n  looks: 3\n"), "utf-8")

    done = gate("run", "--scorer", "quick", "--offline=wrong", folder=folder)

    assert 1 == done.code, done.err
    run = done.json("run.json")
    assert (3, 1, 48, 16) == (
        run["plan"]["looks"],
        run["plan"]["look"],
        run["plan"]["planned"],
        len(run["cells"]),
    )
    assert {2, 3} == {len(one["case_ids"]) for one in run["plan"]["strata"]}
    assert 16 + 16 + 3 == run["cost"]["calls"]
    assert "Decided at look 1 of 3: 32 of 48 cases need not be asked" in done.out
    again = gate(
        *("run", "--scorer", "quick", "--replay", "gate-out/journal.sqlite", "--out", "again"),
        folder=folder,
    )
    compared = gate("compare", "gate-out/run.json", folder=folder)
    assert (1, 1) == (again.code, compared.code), again.err + compared.err
    written = (folder / "gate-out" / "run.json").read_bytes()
    assert written == (folder / "again" / "run.json").read_bytes()
    assert done.verdict["headline"] in compared.out
