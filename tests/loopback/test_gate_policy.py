"""What `policy`, `tags` and `cluster` say, from the files to the verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.gate_cli import Done, copy_of_repository, gate, share_out


@pytest.fixture(scope="module")
def wrong(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A run of a wrong world, with a required case that breaks and two cases of one cluster."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("policy"))
    cases = folder / "evals" / "cases.yaml"
    text = cases.read_text("utf-8")
    first, second = sorted(line[6:] for line in text.splitlines() if line.startswith("- id: "))[:2]
    for case in (first, second):
        text = text.replace(f"- id: {case}\n", f"- id: {case}\n  cluster: pair\n")
    text = text.replace("- id: crossing-time\n", "- id: crossing-time\n  tags: [required]\n")
    cases.write_text(text, "utf-8")
    return gate("run", "--scorer", "quick", "--offline=wrong", folder=folder)


def compared(wrong: Done, policy: str) -> tuple[int, dict[str, object]]:
    """Decide on the same run by other rules."""
    file = wrong.folder / "other.yaml"
    text = (wrong.folder / "gate.yaml").read_text("utf-8")
    file.write_text(text.replace("\npolicy:\n", f"\npolicy:\n  {policy}\n"), "utf-8")
    done = gate(
        *("compare", "gate-out/run.json", "--config", "other.yaml", "--out", "again"),
        folder=wrong.folder,
    )
    return done.code, json.loads((wrong.folder / "again" / "verdict.json").read_text("utf-8"))


def test_required_case__that_broke_fails_the_run_and_is_named(wrong: Done) -> None:
    """The headline names it, beside the dimension that fell."""
    assert 1 == wrong.code, wrong.err
    assert ["crossing-time"] == wrong.json("run.json")["plan"]["required"]
    (fallen,) = [one for one in wrong.verdict["fallen"] if one["case_id"] == "crossing-time"]
    assert (True, True) == (fallen["required"], fallen["fails"])
    assert "the required case crossing-time was always right and is always wrong" in wrong.out


def test_cluster__counts_once_and_the_row_says_so(wrong: Done) -> None:
    """Two cases of one source are one of 47 clusters."""
    assert ["pair", "pair"] == list(wrong.json("run.json")["plan"]["clusters"].values())
    assert (48, 47) == (wrong.row("relevance")["n"], wrong.row("relevance")["clusters"])
    assert "48 cases count as 47 clusters" in (wrong.folder / "gate-out" / "comment.md").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(
    ("policy", "outcome", "fails"),
    [
        ("preset: default", "pass", True),
        ("preset: strict", "inconclusive", True),
        ("preset: lenient", "pass", False),
        ("preset: threshold", "pass", True),
    ],
)
def test_preset__decides_the_same_run(wrong: Done, policy: str, outcome: str, fails: bool) -> None:  # noqa: FBT001 - a column of the table above
    """A fall of 0.04 is within a margin of 0.10, not of 0.05; `lenient` only names broken cases."""
    code, verdict = compared(wrong, policy)

    assert (1, "regression") == (code, verdict["status"])
    rows = {one["dimension"]: one for one in verdict["comparisons"] if one["category"] is None}
    assert outcome == rows["relevance"]["outcome"]
    assert fails == ("crossing-time" in verdict["headline"])


def test_cluster__a_plan_of_three_is_refused_before_any_call(root: Path, tmp_path: Path) -> None:
    """48 cases of three documents can neither fail nor pass, as three cases cannot."""
    folder = copy_of_repository(root, tmp_path)
    share_out(folder, 3)

    done = gate("run", "--scorer", "quick", "--offline=wrong", folder=folder)

    assert 2 == done.code
    assert "48 cases in 3 clusters and " in done.err
    assert "can neither fail nor pass" in done.err
    assert not (folder / "gate-out").exists()
