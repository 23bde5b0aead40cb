"""`evals/controls.json`: written, read back, and checked."""

from __future__ import annotations

import json

import pytest

from gate.decision.controls_file import check_controls, controls_text
from gate.errors import FileError
from gate.types import SCHEMA, Answer, Control, Controls, Failure, Page, Source
from tests.unit.decision.decision_samples import JUDGED_BY

ONE = Control(
    case_id="a",
    category="c",
    case_digest="d",
    target="t",
    scores={"correctness": (1.0, 0.75, 1.0)},
    answer=Answer(text="Yes.", sources=(Source(uri="https://x.example/"),)),
    pages=(Page(uri="https://x.example/", status="ok", text="It is so."),),
)


def made(*answers: Control) -> Controls:
    """A file of these control answers."""
    return Controls(
        created="now", date="2026-07-01", identities={"correctness": JUDGED_BY}, answers=answers
    )


def test_controls_text__reads_back_with_one_answer_a_line() -> None:
    """What is written is what was there."""
    whole = made(ONE, ONE.model_copy(update={"case_id": "b", "pages": ()}))
    text = controls_text(whole)

    assert Controls.model_validate(json.loads(text)) == whole
    assert 2 == sum(line.startswith('{"case_id"') for line in text.splitlines())
    check_controls(whole, "c.json")
    late = whole.model_copy(update={"drifted": {"correctness": "2026-07-08T09:00:00Z"}})
    assert Controls.model_validate(json.loads(controls_text(late))) == late


@pytest.mark.parametrize(
    ("wrong", "because"),
    [
        (made(ONE, ONE), "has case a twice"),
        (
            made(ONE.model_copy(update={"scores": {"correctness": (1.0, 1.0)}})),
            "has fewer than 3 rulings of case a",
        ),
        (
            made(ONE.model_copy(update={"scores": {"a": (1.0,) * 3, "b": (1.0,) * 2}})),
            "has fewer than 3 rulings of case a",
        ),
        (made(ONE.model_copy(update={"answer": Answer()})), "has no answer to case a"),
        (
            made(
                ONE.model_copy(
                    update={"answer": Answer(text="x", failure=Failure(kind="error", message="m"))}
                )
            ),
            "has no answer to case a",
        ),
        (made(ONE.model_copy(update={"pages": ONE.pages * 2})), "has 2 pages and 1 sources"),
    ],
)
def test_check_controls__refuses(wrong: Controls, because: str) -> None:
    """Each with what to do."""
    with pytest.raises(FileError, match=because) as caught:
        check_controls(wrong, "c.json")
    assert "write the file again with `gate controls --write`" in str(caught.value)


def test_controls_text__says_its_version_and_its_world() -> None:
    """The version stands first: an older gate reads it before all else."""
    text = controls_text(made(ONE).model_copy(update={"world": "steady"}))

    assert text.startswith(f'{{\n"schema": {SCHEMA},\n')
    assert "steady" == json.loads(text)["world"]


def test_controls_text__an_answer_has_only_the_keys_that_it_needs() -> None:
    """What is as it mostly is, is left out."""
    short = Control(case_id="a", case_digest="d", target="t", answer=Answer(text="Yes."))
    (one,) = json.loads(controls_text(made(short)))["answers"]

    expected = {"case_id": "a", "case_digest": "d", "target": "t", "answer": {"text": "Yes."}}
    assert expected == one
