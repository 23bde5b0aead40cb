"""Whose a labels file is, and each change of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli.label_file import LabelFile, open_labels, own_path, save_change
from gate.datasets import load_labels
from gate.errors import CannotRun, DatasetError
from gate.labelling.sitting import Change
from tests.unit.labelling.sheets import claims, sheet


def saved(file: LabelFile, *changes: Change) -> str:
    """The file's text after changes of the first answer."""
    for change in changes:
        save_change(file, sheet("a"), change)
    return file.path.read_text("utf-8")


def test_own_path__of_a_name() -> None:
    """A safe file name, whatever the name."""
    assert Path("evals/labels/ada-lovelace.yaml") == own_path(Path(), "Ada  Lovelace ")
    assert Path("evals/labels/åse-etc-x.yaml") == own_path(Path(), "Åse ../etc/x")
    assert Path("evals/labels/labels.yaml") == own_path(Path(), "...")


def test_open_labels__a_new_file_is_made_by_the_first_rating_alone(tmp_path: Path) -> None:
    """Looking is free."""
    path = tmp_path / "labels" / "ada.yaml"
    file = open_labels(path, "Ada", approving=False)
    assert not path.parent.exists()

    saved(file, Change(0, (None, "relevance"), "low"))
    assert "Ada" == open_labels(path, None, approving=False).by
    assert [{"relevance": "low"}] == [
        one.scores for one in load_labels(path.read_text("utf-8"), "x").labels
    ]


@pytest.mark.parametrize(
    ("head", "by", "approving", "says"),
    [
        ("drafted_by: Ada", "Grace", False, "leave --labels out or name a file of your own"),
        ("drafted_by: m\ndrafted_by_family: x", "m", False, "add --approve"),
        ("drafted_by: m\ndrafted_by_family: x", None, False, "add --approve"),
        ("drafted_by: Ada\napproved_by: Grace", "Ada", False, "rate into another file"),
        ("drafted_by: Ada\napproved_by: Grace", "Grace", True, "there is nothing to approve"),
        ("drafted_by: Ada", "ADA", True, "somebody else must"),
        ("drafted_by: Ada", None, True, "say who approves"),
        ("drafted_by: Ada", "A\x1b[2J", False, "--by: write a name"),
        ("drafted_by: Ada", " ", False, "--by: write a name"),
    ],
)
def test_open_labels__says_who_may_not_write_and_what_to_do(
    tmp_path: Path, *, head: str, by: str | None, approving: bool, says: str
) -> None:
    """Nobody's ratings are signed by another, and no new one is approved unseen."""
    path = tmp_path / "labels.yaml"
    path.write_text(f"schema: 1\n{head}\nlabels: []\n", "utf-8")

    with pytest.raises(CannotRun, match=says):
        open_labels(path, by, approving=approving)


def test_open_labels__what_cannot_be_written_to(tmp_path: Path) -> None:
    """It is said before the first rating."""
    for text in (
        "- case_id: a\n  scores: {x: low}\n",
        '{"schema": 1, "drafted_by": "Ada", "labels": []}',
    ):
        path = tmp_path / "labels.yaml"
        path.write_text(text, "utf-8")
        with pytest.raises(DatasetError, match="another file"):
            open_labels(path, "Ada", approving=False)
    with pytest.raises(CannotRun, match="say who rates"):
        open_labels(tmp_path / "none.yaml", None, approving=False)
    with pytest.raises(CannotRun, match="there are no such labels"):
        open_labels(tmp_path / "none.yaml", "Ada", approving=True)


def test_save_change__ratings_approval_and_taking_back(tmp_path: Path) -> None:
    """Undone to the last, the file is empty again."""
    file = open_labels(tmp_path / "a.yaml", "Ada", approving=False)
    rated = (None, "relevance")
    first = saved(file, Change(0, rated, "low"))
    more = saved(file, Change(0, (None, "correctness"), "high"), Change(0, rated, "med"))

    assert "scores: {relevance: low}" in first
    assert "scores: {relevance: med, correctness: high}" in more
    assert "approved_by: Ada" in saved(file, Change(0, approves=True))
    assert more == saved(file, Change(0, approves=False))
    assert first == saved(file, Change(0, (None, "correctness")), Change(0, rated, "low"))
    assert "labels: []" in saved(file, Change(0, rated))


def test_save_change__removes_the_drafts_of_a_killed_sitting(tmp_path: Path) -> None:
    """Its own alone."""
    file = open_labels(tmp_path / "a.yaml", "Ada", approving=False)
    for name in (".a.yaml.0123abcd.tmp", ".b.yaml.0123abcd.tmp", ".a.yaml"):
        (tmp_path / name).write_text("")
    saved(file, Change(0, (None, "relevance"), "low"))

    assert {"a.yaml", ".a.yaml", ".b.yaml.0123abcd.tmp"} == {one.name for one in tmp_path.iterdir()}


def test_save_change__items_bear_their_text(tmp_path: Path) -> None:
    """A reader of the file sees what was rated."""
    file = open_labels(tmp_path / "a.yaml", "Ada", approving=False)
    one = claims()
    save_change(file, one, Change(0, one.slots[1].rated, "partial"))
    save_change(file, one, Change(0, one.slots[0].rated, "supported"))
    read = save_change(file, one, Change(0, one.slots[1].rated, "unsupported"))

    assert ["unsupported", "supported"] == [item.label for item in read.labels[0].items]
    assert f"{'1' * 64}: unsupported  # It is in Norway." in file.path.read_text("utf-8")
    assert () == save_change(file, one, Change(0, one.slots[1].rated)).labels[0].items[1:]


def test_save_change__keeps_what_was_written_in_the_meantime(tmp_path: Path) -> None:
    """Another process, or an editor; and a file that is somebody else's by now is left alone."""
    path = tmp_path / "a.yaml"
    file, other = (open_labels(path, "Ada", approving=False) for _ in range(2))
    saved(file, Change(0, (None, "relevance"), "low"))
    path.write_text(path.read_text("utf-8") + "# mine\n", "utf-8")
    save_change(other, sheet("b"), Change(0, (None, "relevance"), "high"))
    text = saved(file, Change(0, (None, "correctness"), "low"))

    assert ["a", "b"] == [one.case_id for one in load_labels(text, "x").labels]
    assert "# mine" in text

    path.write_text(text.replace("drafted_by: Ada", "drafted_by: Grace"), "utf-8")
    with pytest.raises(DatasetError, match="a file of Grace by now"):
        saved(file, Change(0, (None, "relevance"), "high"))
