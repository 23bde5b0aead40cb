"""Two judges, one of them strict, asked twice: the whole gate, from rulings to a licence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.gate_cli import Done, copy_of_repository, gate

JUDGE = """\
judge:
  use: claude
  model: claude-opus-5-5
  effort: medium
"""
PANEL = """\
judge:
  use: panel
  members:
    - {use: claude, model: claude-opus-5-5, effort: medium}
    - {use: claude, model: claude-sonnet-5-5, effort: medium}
"""
NAMES = {f"claude-{name}-5-5#{n}" for name in ("opus", "sonnet") for n in (1, 2)}
WORLD = "--offline=steady+judge-strict-sonnet"


def with_panel(folder: Path) -> Path:
    """Put a panel in the place of the repository's judge, each asked twice."""
    path = folder / "gate.yaml"
    text = path.read_text("utf-8")
    assert JUDGE in text
    text = text.replace(JUDGE, PANEL).replace("run:\n", "run:\n  judge_repeats: 2\n", 1)
    path.write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def judged(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A run of all cases, rated by the panel."""
    folder = with_panel(copy_of_repository(root, tmp_path_factory.mktemp("repository")))
    return gate("run", WORLD, "--scorer", "quick", folder=folder)


def test_panel__its_score_is_the_mean_and_its_disagreement_is_shown(judged: Done) -> None:
    """Both judges are asked about every answer; it is another instrument than one judge alone."""
    assert 3 == judged.code
    assert "judge and scorer or setting of the judge differ" in judged.verdict["headline"]
    run = judged.json("run.json")
    # One call for the answer, and each ruling is a call of its own: none is taken for another.
    assert (48 * (1 + 2 * 2), 0) == (run["cost"]["calls"], run["cost"]["cached_calls"])
    strict = run["identities"]["correctness"]["judge"].split(" + ")[1]
    assert strict.endswith("-strict [json_schema]")
    for cell in run["cells"]:
        said = cell["members"]["correctness"]
        assert NAMES == set(said)
        (value,) = cell["scores"]["correctness"]
        assert value == pytest.approx(sum(one[0] for one in said.values()) / 4)
    found = next(one for one in judged.verdict["panel"] if one["dimension"] == "source_quality")
    assert 48 == found["n"]
    assert 0 < found["pairs"][0]["kappa"] < 1
    assert found["pairs"][0]["difference"] > 0
    # The stand-in rates the same answer alike each time.
    assert [(0.0, 2, 48)] * 3 == [
        (one["judge"], one["rulings"], one["n"]) for one in judged.verdict["noise"]
    ]
    warned = " ".join(judged.verdict["warnings"])
    # Stand-ins of all vendors are one family, which says nothing of the judges configured.
    assert "All judges of the panel are of one family" not in warned
    assert "claude-opus-5-5 rates otherwise than the rest of the panel: relevance" in warned
    comment = (judged.folder / "gate-out/comment.md").read_text("utf-8")
    assert "Judges of the panel: how far they agree" in comment


def test_panel__gets_a_licence_and_a_baseline_of_its_own(judged: Done) -> None:
    """Labels paired with its scores license it, and against its own baseline it is compared."""
    assert "stale" == judged.row("correctness")["trust"]["state"]
    labels = ("--labels", "evals/labels/loopback.yaml", "--write", "evals/calibration.json")
    kappa = gate("kappa", "gate-out/run.json", *labels, "--replace", folder=judged.folder)
    baseline = gate(
        "baseline", "gate-out/run.json", "--write", "baseline.json", folder=judged.folder
    )
    again = gate("compare", "gate-out/run.json", "--out", "gate-out/again", folder=judged.folder)

    assert (0, 0, 0) == (kappa.code, baseline.code, again.code), again.err
    rows = again.json("again/verdict.json")["comparisons"]
    row = next(one for one in rows if one["dimension"] == "correctness" and not one["category"])
    assert ("provisional", True, 48) == (row["trust"]["state"], row["gating"], row["n"])
    kept = baseline.folder / "baseline.json"
    assert {"variance": 0.0, "rulings": 2, "n": 48} == json.loads(kept.read_text("utf-8"))[
        "judging"
    ]["correctness"]
