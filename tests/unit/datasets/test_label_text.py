"""Labels written into people's files: one answer's lines change, and nothing else."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from gate.datasets import load_labels
from gate.datasets.label_text import empty_file, find_label, put_label
from gate.errors import DatasetError
from gate.types import ItemLabel, Label

ONE, TWO = "1" * 64, "2" * 64
PATH = "mine.yaml"


def label(case_id: str = "a", answer: str = ONE, **changes: object) -> Label:
    """A rating of one answer."""
    fields = {
        "case_id": case_id,
        "answer": answer,
        "target": "flash",
        "scores": {"relevance": "low"},
    }
    return Label.model_validate({**fields, **changes})


def claim(digest: str, word: str) -> ItemLabel:
    """A label of a claim."""
    return ItemLabel.model_validate({"kind": "claims", "item": digest, "label": word})


def changed(before: str, after: str) -> list[str]:
    """The lines that differ, with their signs."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    return [line for line in list(lines)[2:] if not line.startswith("@@")]


def test_empty_file__is_a_labels_file() -> None:
    """Whatever the name looks like, it is read back as it was given."""
    for name in ("Ada Lovelace", "no", "Ada: #1", "Åse", '"x"', "007"):
        read = load_labels(empty_file(name), PATH)

        assert (name, ()) == (read.drafted_by, read.labels)


def test_put_label__new_ones_stand_below_one_another() -> None:
    """What is written is what is read."""
    text, _ = put_label(empty_file("Ada"), PATH, label())
    text, read = put_label(text, PATH, label("no", TWO))

    assert [("a", ONE), ("no", TWO)] == [(one.case_id, one.answer) for one in read.labels]
    assert load_labels(text, PATH) == read
    assert text.endswith(
        f'  - case_id: "no"\n    target: flash\n    answer: {TWO}\n    scores: {{relevance: low}}\n'
    )


def test_put_label__a_change_touches_its_line_alone() -> None:
    """Comments, order and layout of the file are a person's."""
    text = (
        "# head\nschema: 1\ndrafted_by: Ada\n\nlabels:\n\n"
        f"# why\n- case_id: a  # first\n  answer: {ONE}\n\n  scores:\n"
        "    relevance: low   # off the point\n    correctness: 'med'\n  # about b\n"
        f"- case_id: b\n  answer: {TWO}\n  scores: {{relevance: high}}  # fine\n# end\n"
    )
    found = find_label(load_labels(text, PATH), "a", ONE, "any")
    assert found is not None
    new = found.model_copy(update={"scores": {"relevance": "high", "correctness": "med"}})
    after, _ = put_label(text, PATH, new)

    assert changed(text, after) == [
        "-    relevance: low   # off the point",
        "+    relevance: high   # off the point",
    ]


def test_put_label__approval_stands_below_the_answer() -> None:
    """One line more."""
    text, _ = put_label(empty_file("Ada"), PATH, label())
    after, read = put_label(text, PATH, label(approved_by="Grace Hopper"))

    assert ["+    approved_by: Grace Hopper"] == changed(text, after)
    assert "Grace Hopper" == read.labels[0].approved_by
    assert text == put_label(after, PATH, label())[0]


def test_put_label__items_in_lines_of_their_own_with_their_text() -> None:
    """The text behind a digest is for readers; nothing in it can leave its comment."""
    text, _ = put_label(empty_file("Ada"), PATH, label(scores={}, items=(claim(ONE, "partial"),)))
    both = label(scores={}, items=(claim(ONE, "partial"), claim(TWO, "supported")))
    after, _ = put_label(text, PATH, both, {TWO: "It says\nlabels: [] \x1b[31m # so"})

    assert [f"+      {TWO}: supported  # It says labels: [] [31m # so"] == changed(text, after)


def test_put_label__changing_and_taking_out_an_item() -> None:
    """The comment behind a label stays with it, and goes with it."""
    both = label(scores={}, items=(claim(ONE, "partial"), claim(TWO, "supported")))
    text, _ = put_label(empty_file("Ada"), PATH, both, {ONE: "one", TWO: "two"})
    one = label(scores={}, items=(claim(ONE, "unsupported"),))
    after, _ = put_label(text, PATH, one)

    assert changed(text, after) == [
        f"-      {ONE}: partial  # one",
        f"-      {TWO}: supported  # two",
        f"+      {ONE}: unsupported  # one",
    ]


def test_put_label__that_rates_nothing_is_taken_out() -> None:
    """Undoing the first rating gives the file back as it was."""
    empty = empty_file("Ada")
    text, _ = put_label(empty, PATH, label())

    assert empty == put_label(text, PATH, label(scores={}))[0]
    assert empty == put_label(empty, PATH, label(scores={}))[0]
    two, _ = put_label(text, PATH, label("b", TWO))
    assert text == put_label(two, PATH, label("b", TWO, scores={}))[0]


def test_put_label__before_a_key_that_follows_the_labels() -> None:
    """The labels need not be the last key of the file."""
    text = "labels: []  # none yet\n\nschema: 1\ndrafted_by: Ada\n"
    after, read = put_label(text, PATH, label())

    assert 1 == len(read.labels)
    assert after.endswith("\n\nschema: 1\ndrafted_by: Ada\n")


@pytest.mark.parametrize(
    "text",
    [
        '{"schema": 1, "drafted_by": "Ada", "labels": [{"case_id": "b", "scores": {"x": "low"}}]}',
        "schema: 1\ndrafted_by: Ada\nlabels: [{case_id: b, scores: {x: low}}]\n",
        "- case_id: b\n  scores: {x: low}\n",
    ],
)
def test_put_label__refuses_what_it_could_spoil(text: str) -> None:
    """It says which way out there is."""
    with pytest.raises(DatasetError, match="another file"):
        put_label(text, PATH, label())


def test_put_label__in_the_committed_labels(root: Path) -> None:
    """Hundreds of commented labels: one line each changes."""
    for name in ("loopback.yaml", "claims.yaml"):
        text = (root / "evals" / "labels" / name).read_text("utf-8")
        for one in load_labels(text, name).labels[::20]:
            approved = one.model_copy(update={"line": None, "approved_by": "Grace"})
            after, _ = put_label(text, name, approved)

            assert ["+    approved_by: Grace"] == changed(text, after)
