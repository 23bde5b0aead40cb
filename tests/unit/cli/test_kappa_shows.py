"""What `gate kappa` and the report say of labels that license little or nothing.

Each row of the table in docs/labels.md, "What it says of bad labels".
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate.cli.concluding import Question, conclude
from gate.cli.kappa_command import command
from gate.cli.rated import pair_labels
from gate.cli.reading import read_calibration
from gate.decision.baseline_file import baseline_text
from gate.decision.calibration_file import calibration_text
from gate.errors import ConfigError, DatasetError
from gate.reports.rows import trust_words
from gate.types import Calibration, Finding, Policy, Run
from gate.wire.files import dump_json
from tests.unit.decision.decision_samples import (
    JUDGED_BY,
    baseline_of,
    columns,
    labelled,
    run_of,
)

SCORE = {"low": 0.1, "med": 0.5, "high": 0.9}
SEED = [[2, 0, 0], [0, 0, 0], [1, 1, 20]]
"""System 1's correctness: two disagreements in 24."""


class Rated:
    """A run, and people's labels of its answers, as files."""

    def __init__(self, folder: Path, table: Sequence[Sequence[int]], **more: Any) -> None:
        """Make one case a label: rows are people, columns the judge."""
        words = list(SCORE)
        pairs = [
            (words[row], words[column])
            for row, counts in enumerate(table)
            for column, count in enumerate(counts)
            for _ in range(count)
        ]
        self.folder = folder
        self.run = run_of(columns([SCORE[judge] for _, judge in pairs]))
        self.path = folder / "run.json"
        self.path.write_text(dump_json(self.run), "utf-8")
        rows = [
            {
                "case_id": cell.case_id,
                "answer": f"{number:064x}",
                "scores": {"correctness": human},
            }
            for number, (cell, (human, _)) in enumerate(zip(self.run.cells, pairs, strict=True))
        ]
        self.labels = folder / "labels.json"
        self.labels.write_text(
            json.dumps({"schema": 1, "drafted_by": "ann", "labels": rows, **more}), "utf-8"
        )
        # Digests of labels are hexadecimal, so the run's answers take these.
        text = self.path.read_text("utf-8")
        for number, cell in enumerate(self.run.cells):
            text = text.replace(f'"t/{cell.case_id}/0"', f'"{number:064x}"')
        self.path.write_text(text, "utf-8")

    def kappa(self, *words: str) -> str:
        """What `gate kappa` prints; its errors are raised."""
        args = [str(self.path), "--labels", str(self.labels), *words]
        args += ["--config", str(self.folder / "no.yaml")]
        done = CliRunner().invoke(command, args, catch_exceptions=False)
        return " ".join(done.output.split())

    def written(self) -> Path:
        """The calibration that `--write` makes."""
        path = self.folder / "calibration.json"
        self.kappa("--write", str(path))
        return path


def reported(folder: Path, calibration: Calibration | None, run: Run | None = None) -> Finding:
    """The row of correctness in the report of a run that nobody rated."""
    run = run or run_of(columns([1.0, 0.9] * 12))
    baseline = folder / "baseline.json"
    baseline.write_text(baseline_text(baseline_of(run)), "utf-8")
    question = Question(
        name="default",
        run=run,
        results=folder / "results.jsonl",
        policy=Policy(max_baseline_age_days=36500, warn_baseline_age_days=36500),
        baseline=baseline,
        calibration=calibration,
        reporters=(),
        keep_text=False,
        reproduce=(),
    )
    (row,) = conclude(question).verdict.comparisons
    return row


def test_kappa__all_labels_of_one_word(tmp_path: Path) -> None:
    """Nothing can be told; the bad ones are to be labelled first."""
    rated = Rated(tmp_path, [[0, 0, 0], [0, 0, 0], [2, 2, 20]])
    because = "people gave one rating throughout, so agreement beyond chance cannot be told"
    row = reported(tmp_path, read_calibration(rated.written()))

    assert f"{because}: label answers of all kinds, the bad ones first" in rated.kappa()
    assert (False, "undefined") == (row.gating, row.trust.state)
    assert because in (row.advisory_because or "")


def test_kappa__a_judge_that_always_says_high(tmp_path: Path) -> None:
    """Whatever the agreement, it says nothing beyond chance and licenses nothing."""
    rated = Rated(tmp_path, [[0, 0, 3], [0, 0, 2], [0, 0, 19]])
    said = rated.kappa()
    row = reported(tmp_path, read_calibration(rated.written()))

    assert said.startswith("correctness: kappa undefined one-sided")
    assert "bootstrap interval of kappa, over cases: no spread" in said
    assert "raw agreement 0.7917" in said
    assert (
        "the judge gave one rating throughout where people gave 3, so agreement beyond chance "
        "cannot be told: the labels are fine, so mend the judge's prompt or take another judge"
    ) in said
    assert (False, "undefined") == (row.gating, row.trust.state)
    assert "the judge gave one rating throughout" in (row.advisory_because or "")


def test_kappa__two_disagreements_in_24(tmp_path: Path) -> None:
    """It clears 0.6 by luck, perhaps: provisional, and only a large drop can fail a run."""
    rated = Rated(tmp_path, SEED)
    said = rated.kappa()
    row = reported(tmp_path, read_calibration(rated.written()))

    assert "correctness: kappa 0.6308, provisional" in said
    assert "its lower bound 0.25 is not above 0.4: label about 41 more answers" in said
    assert "only 4 of 24 labels lie off the most frequent pair and 5 are needed" in said
    assert "bootstrap interval of kappa, over cases: 0.0000 to 1.0000" in said
    assert row.gating
    assert "provisional: κ 0.63 (≥ 0.25), n 24" == trust_words(row.trust)


def test_kappa__labels_of_another_runs_answers(tmp_path: Path) -> None:
    """They belong to none of these answers: refused, with what to name instead."""
    rated = Rated(tmp_path, SEED)
    other = run_of(columns([1.0] * 24))
    (tmp_path / "other.json").write_text(dump_json(other), "utf-8")
    rated.path = tmp_path / "other.json"

    with pytest.raises(DatasetError, match=r"none of the labels belongs to .*other\.json") as said:
        rated.kappa()
    assert "no run holds the answer that was rated" in str(said.value)
    # `gate compare --labels` asks the same question of the run that it decides on.
    with pytest.raises(DatasetError, match="none of the labels belongs to"):
        pair_labels([rated.path], [other], [rated.labels])


def test_kappa__some_labels_of_another_runs_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that belong count, the others are told of."""
    rated = Rated(tmp_path, SEED)
    made = json.loads(rated.labels.read_text("utf-8"))
    for row in made["labels"][:4]:
        row["answer"] = "f" * 64
    rated.labels.write_text(json.dumps(made), "utf-8")
    pairing, _ = pair_labels([rated.path], [_read(rated)], [rated.labels])

    assert {"correctness": 20} == pairing.paired
    told = capsys.readouterr().err
    assert "not paired: " in told
    assert "and 3 more labels: no run holds the answer that was rated" in told


def _read(rated: Rated) -> Run:
    return Run.model_validate_json(rated.path.read_text("utf-8"))


def test_kappa__a_judge_of_another_version(tmp_path: Path) -> None:
    """The labels stay; the licence is of the judge that was, and says to compare again."""
    old = JUDGED_BY.model_copy(update={"judge": "claude-w [json_schema]"})
    part = labelled([[8, 0, 0], [0, 8, 0], [0, 0, 20]], identity=old)
    row = reported(tmp_path, Calibration(sets=(part,)))

    assert (False, "stale") == (row.gating, row.trust.state)
    assert "judge changed since the labels were compared with it" in (row.advisory_because or "")


def test_kappa__a_run_that_shares_no_answer_with_the_labels(tmp_path: Path) -> None:
    """The licence is of the judge: it holds for answers that nobody rated."""
    part = labelled([[8, 0, 0], [0, 8, 0], [0, 0, 20]])
    run = run_of(columns([1.0, 0.9] * 12))
    row = reported(tmp_path, Calibration(sets=(part,)), run)

    assert not {item.answer for item in part.items} & {
        attempt.digest for cell in run.cells for attempt in cell.attempts
    }
    assert (True, "validated") == (row.gating, row.trust.state)


def test_kappa__drafted_by_the_judges_own_family(tmp_path: Path) -> None:
    """Provisional at best, from the labels file to the row of the report."""
    table = [[8, 0, 0], [0, 8, 0], [0, 0, 20]]
    rated = Rated(tmp_path, table, drafted_by="a model", drafted_by_family="claude")
    said = rated.kappa()
    row = reported(tmp_path, read_calibration(rated.written()))

    assert "correctness: kappa 1.0000, provisional" in said
    assert "drafted by a model (model family claude), approved by nobody" in said
    assert "labels were drafted by claude, the judge's own family" in said
    assert (True, "provisional") == (row.gating, row.trust.state)
    other = Rated(tmp_path, table, drafted_by="a model", drafted_by_family="gemini")
    assert "correctness: kappa 1.0000, validated" in other.kappa()


def test_kappa__json_and_what_to_rate_next(tmp_path: Path) -> None:
    """All of it for machines, and the answers that no label names."""
    rated = Rated(tmp_path, SEED, drafted_by="ann", approved_by="bob")
    made = json.loads(rated.labels.read_text("utf-8"))
    dropped = made["labels"].pop()
    rated.labels.write_text(json.dumps(made), "utf-8")
    args = [str(rated.path), "--labels", str(rated.labels), "--json"]
    args += ["--config", str(tmp_path / "no.yaml")]
    (one,) = json.loads(CliRunner().invoke(command, args, catch_exceptions=False).output)

    assert {"targets": ["t"], "drafted_by": ["ann"], "approved_by": ["bob"]} == {
        name: one["labels_of"][name] for name in ("targets", "drafted_by", "approved_by")
    }
    assert {"alpha", "bootstrap_low", "edges_lower", "more_labels"} <= set(one["beside"])
    assert [{"case_id": dropped["case_id"], "answer": dropped["answer"]}] == one["next"]
    assert f"Rate next, in this order or any: {dropped['case_id']}" in rated.kappa()


def test_kappa__prompts_are_counted_from_file_to_file(tmp_path: Path) -> None:
    """Each prompt that is written over the same labels is remembered."""
    rated = Rated(tmp_path, SEED)
    text = rated.path.read_text("utf-8")
    for prompt in ("p1", "p2", "p3", "p4"):
        rated.path.write_text(text.replace('"prompt": "p1"', f'"prompt": "{prompt}"'), "utf-8")
        path = rated.written()
    (one,) = (read_calibration(path) or Calibration()).sets

    assert ("p1", "p2", "p3", "p4") == one.tried
    assert "4 prompts were compared with these labels" in rated.kappa("--write", str(path))
    assert calibration_text(Calibration(sets=(one,))).count('"tried"') == 1


def test_kappa__a_licence_is_not_lost_by_the_way(tmp_path: Path) -> None:
    """Most labels belong to answers that the run lacks: told of, and the file stays as it was."""
    rated = Rated(tmp_path, [[8, 0, 0], [0, 8, 0], [0, 0, 20]])
    path = rated.written()
    before = path.read_text("utf-8")
    (tmp_path / "few").mkdir()
    few = Rated(tmp_path / "few", [[0, 0, 0], [0, 0, 0], [0, 0, 12]])

    with pytest.raises(ConfigError, match="must hold the answers that were rated"):
        few.kappa("--write", str(path))
    assert before == path.read_text("utf-8")
    said = few.kappa("--write", str(path), "--replace")
    assert "correctness: 36 labels -> 12, validated -> undefined" in said
    assert 12 == len((read_calibration(path) or Calibration()).sets[0].items)


def test_kappa__labels_kept_for_tuning(tmp_path: Path) -> None:
    """Their kappa is shown, and they license nothing."""
    rated = Rated(tmp_path, [[8, 0, 0], [0, 8, 0], [1, 1, 20]])
    said = rated.kappa("--tuning", "0.4")
    all_kept = rated.kappa("--tuning", "0.999999")

    assert "kept for mending the prompt, and licensing nothing: " in said
    assert "38 labels of answers" not in said
    assert "correctness: kappa undefined" in all_kept
