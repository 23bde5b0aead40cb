"""`gate label` in a real pseudo-terminal, on answers of a run of the loopback world."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gate.datasets import load_labels
from gate.types import LabelSet
from tests.gate_cli import copy_of_repository, gate
from tests.pseudo_terminal import PseudoTerminal

ADA = ("--by", "Ada Lovelace")
OWN = "evals/labels/ada-lovelace.yaml"
TWENTY = ("label", "gate-out", *ADA, "--next", "20")


@pytest.fixture(scope="module")
def made(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run whose answers are partly bad, with their page texts."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    done = gate("run", "--offline=misquoted", "--report-only", folder=folder)
    assert 0 == done.code, done.err
    return folder


@pytest.fixture
def folder(made: Path) -> Path:
    """The same, with the labels of the repository alone."""
    for name in (OWN, "evals/labels/grace-hopper.yaml", "drafted.yaml"):
        (made / name).unlink(missing_ok=True)
    return made


def labels_in(folder: Path, name: str = OWN) -> LabelSet:
    """What a labels file says."""
    return load_labels((folder / name).read_text("utf-8"), name)


def ratings(labels: LabelSet) -> list[tuple[str, str, str]]:
    """Every rating of a whole answer, in the order of the file."""
    return [(one.case_id, *pair) for one in labels.labels for pair in one.scores.items()]


def results(folder: Path) -> list[dict[str, Any]]:
    """The answers of the run, with what the judge said."""
    text = (folder / "gate-out" / "results.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def keys_for(number: int) -> str:
    """The keys of one answer: not always the same ones."""
    return ("hhh", "hml", "321", "lmh")[number % 4]


def rate(terminal: PseudoTerminal, first: int, last: int, count: int = 20) -> int:
    """Rate answers by their places; return the keystrokes."""
    pressed = 0
    for number in range(first, last + 1):
        terminal.wait_for(f"Answer {number} of {count} ")
        terminal.press(keys_for(number))
        pressed += len(keys_for(number))
    return pressed


def test_label__twenty_answers_and_their_kappa(folder: Path) -> None:
    """Three keystrokes an answer; `gate kappa` reads the file as it is, and pairs all of it."""
    with PseudoTerminal(*TWENTY, folder=folder) as terminal:
        pressed = rate(terminal, 1, 20)
        terminal.wait_for("that is all of them")
        terminal.press("\r")
        code = terminal.end()

    assert (0, 60) == (code, pressed)
    assert f"next: gate kappa gate-out --labels {OWN}" in terminal.seen
    labels = labels_in(folder)
    assert ("Ada Lovelace", 20, 60) == (
        labels.drafted_by,
        len(labels.labels),
        len(ratings(labels)),
    )
    done = gate("kappa", "gate-out", "--labels", OWN, "--json", folder=folder)
    assert (0, "") == (done.code, done.err)
    assert {20} == {one["n"] for one in json.loads(done.out)}
    assert {"relevance", "correctness", "source_quality"} == {
        one["dimension"] for one in json.loads(done.out)
    }


def test_label__shows_nothing_of_the_judge(folder: Path) -> None:
    """Neither a reason nor a score nor the target's name, from the first screen to the last."""
    with PseudoTerminal(*TWENTY, folder=folder, size=(200, 60)) as terminal:
        rate(terminal, 1, 20)
        terminal.wait_for("that is all of them")
        terminal.press("q")
        terminal.end()

    seen = " ".join(terminal.seen.split())
    chosen = {one.answer for one in labels_in(folder).labels}
    shown = [one for one in results(folder) if one["answer_digest"] in chosen]
    assert 20 == len(shown)
    for one in shown:
        assert " ".join(one["question"].split())[:60] in seen
        reasons = {score["reason"][:40] for score in one["scores"] if score["reason"]}
        assert reasons
        assert not [reason for reason in reasons if reason in seen]
    assert "gemini-3.8-flash" not in seen
    assert not re.search(r"\b[01]\.\d\d\b", seen)


def test_label__killed_in_the_middle_it_goes_on_there(folder: Path) -> None:
    """Every rating that was shown is in the file, and the result is that of one sitting."""
    with PseudoTerminal(*TWENTY, folder=folder) as terminal:
        rate(terminal, 1, 7)
        terminal.wait_for("Answer 8 of 20 ")
        terminal.press(keys_for(8)[0])
        terminal.wait_for("▸ correctness")
        terminal.kill()
    assert 22 == len(ratings(labels_in(folder)))

    with PseudoTerminal(*TWENTY, folder=folder) as terminal:
        terminal.wait_for("Answer 8 of 20   7 done")
        terminal.wait_for("▸ correctness")
        terminal.press(keys_for(8)[1:])
        rate(terminal, 9, 20)
        terminal.wait_for("that is all of them")
        terminal.press("q")
        assert 0 == terminal.end()
    resumed = labels_in(folder)

    (folder / OWN).unlink()
    with PseudoTerminal(*TWENTY, folder=folder) as terminal:
        rate(terminal, 1, 20)
        terminal.wait_for("that is all of them")
        terminal.press("q")
        terminal.end()
    assert labels_in(folder) == resumed


def test_label__interrupted_by_ctrl_c(folder: Path) -> None:
    """Exit 130, and what was rated is saved."""
    with PseudoTerminal(*TWENTY, folder=folder) as terminal:
        rate(terminal, 1, 2)
        terminal.wait_for("Answer 3 of 20 ")
        terminal.press("\x03")
        code = terminal.end()

    assert 130 == code
    assert "2 of 20 answers rated; all is saved" in terminal.seen
    assert "the same command goes on" in terminal.seen
    assert 6 == len(ratings(labels_in(folder)))


def test_label__two_people_rate_apart(folder: Path) -> None:
    """The second rates the same answers in a file of her own; the first one's stays hers."""
    with PseudoTerminal(*TWENTY, folder=folder) as terminal:
        rate(terminal, 1, 3)
        terminal.wait_for("Answer 4 of 20 ")
        terminal.press("q")
        terminal.end()
    before = (folder / OWN).read_text("utf-8")
    grace = ("label", "gate-out", "--by", "Grace Hopper")

    with PseudoTerminal(*grace, "--like", OWN, folder=folder) as terminal:
        terminal.wait_for("Answer 1 of 3   0 done")
        terminal.press("lll")
        rate(terminal, 2, 3, 3)
        terminal.wait_for("that is all of them")
        terminal.press("q")
        assert 0 == terminal.end()
        assert "relevance: with Ada Lovelace alike in " in terminal.seen

    assert before == (folder / OWN).read_text("utf-8")
    theirs = labels_in(folder, "evals/labels/grace-hopper.yaml")
    assert "Grace Hopper" == theirs.drafted_by
    assert {(one.case_id, one.answer) for one in theirs.labels} == {
        (one.case_id, one.answer) for one in labels_in(folder).labels
    }

    with PseudoTerminal(*grace, "--labels", OWN, folder=folder) as terminal:
        assert 2 == terminal.end()
        assert "holds what Ada Lovelace drafted: to rate apart, leave" in terminal.seen


def test_label__two_processes_on_one_file_lose_nothing(folder: Path) -> None:
    """Each writes into what the file says by now, comments of a person included."""
    claims = ("label", "gate-out", *ADA, "--claims", "--next", "2")
    with (
        PseudoTerminal(*TWENTY, folder=folder) as one,
        PseudoTerminal(*claims, folder=folder) as other,
    ):
        one.wait_for("Answer 1 of 20 ")
        other.wait_for("claim 1 of")
        one.press("h")
        one.wait_for("▸ correctness")
        path = folder / OWN
        path.write_text(path.read_text("utf-8") + "# keep me\n", "utf-8")
        for key, place in (("y", 2), ("n", 3)):
            other.press(key)
            other.wait_for(f"claim {place} of")
        one.press("m")
        one.wait_for("▸ source_quality")
        for terminal in (one, other):
            terminal.press("q")
            assert 0 == terminal.end()

    labels = labels_in(folder)
    assert ["high", "med"] == [word for _, _, word in ratings(labels)]
    assert ["supported", "unsupported"] == [
        item.label for label in labels.labels for item in label.items
    ]
    assert "# keep me" in path.read_text("utf-8")


def test_label__claims_license_faithfulness(folder: Path) -> None:
    """A key a claim, by the page texts of the journal; kappa counts them item by item."""
    words = ("label", "gate-out", *ADA, "--claims", "--next", "1")
    with PseudoTerminal(*words, folder=folder) as terminal:
        terminal.wait_for("Nearest   page 1: ")
        terminal.wait_for("claim 1 of")
        terminal.press("y" * 40)
        terminal.wait_for("that is all of them")
        terminal.press("q")
        assert 0 == terminal.end()

    count = sum(len(one.items) for one in labels_in(folder).labels)
    assert count > 0
    done = gate("kappa", "gate-out", "--labels", OWN, "--json", folder=folder)
    assert (0, "") == (done.code, done.err)
    assert [("faithfulness", count)] == [
        (one["dimension"], one["n"]) for one in json.loads(done.out)
    ]


def test_label__approves_what_a_model_drafted(folder: Path) -> None:
    """One key a label, and the calibration says who approved."""
    text = "schema: 1\ndrafted_by: a model\ndrafted_by_family: claude\nlabels:\n"
    for one in results(folder)[:3]:
        text += f"  - case_id: {one['case_id']}\n    answer: {one['answer_digest']}\n"
        text += "    # as the model saw it\n    scores: {relevance: high}\n"
    (folder / "drafted.yaml").write_text(text, "utf-8")
    words = ("label", "gate-out", "--approve", "--labels", "drafted.yaml", "--by", "Grace Hopper")

    with PseudoTerminal(*words, folder=folder) as terminal:
        terminal.wait_for("Approve 1 of 3   0 done")
        terminal.press("a")
        terminal.wait_for("Approve 2 of 3   1 done")
        terminal.press("ma")
        terminal.wait_for("Approve 3 of 3   2 done")
        terminal.press("q")
        assert 0 == terminal.end()

    labels = labels_in(folder, "drafted.yaml")
    assert ["Grace Hopper", "Grace Hopper", None] == [one.approved_by for one in labels.labels]
    assert ["high", "med", "high"] == [word for _, _, word in ratings(labels)]
    assert 3 == (folder / "drafted.yaml").read_text("utf-8").count("# as the model saw it")
    done = gate(
        *("kappa", "gate-out", "--labels", "drafted.yaml", "--write", "calibration.json"),
        folder=folder,
    )
    assert 0 == done.code, done.err
    written = json.loads((folder / "calibration.json").read_text("utf-8"))
    assert [["Grace Hopper"]] == [one["approved_by"] for one in written["sets"]]


def test_label__without_a_terminal(folder: Path) -> None:
    """A sentence, exit 2, and no file."""
    done = gate(*TWENTY, folder=folder)

    assert 2 == done.code
    assert "gate label needs a terminal" in done.err
    assert not (folder / OWN).exists()
