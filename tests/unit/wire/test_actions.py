"""What is said to the runner is read back by the runner's own grammar, whatever the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gate.errors import FileError
from gate.wire.actions import (
    LONGEST_MESSAGE,
    Annotation,
    annotation_text,
    append_text,
    input_values,
    input_variable,
    mask_text,
    new_token,
    output_text,
    resume_text,
    stop_text,
)
from tests.runner_grammar import Command, commands_in, read_command, read_file_commands

ANY = st.text() | st.text(alphabet="%0aADd25:,=<\r\n :#[]EOFgate_")
NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,20}", fullmatch=True)


@given(st.dictionaries(NAMES, ANY, max_size=6))
@example({"a": "x\ngate_0\ny<<z\nb=c\n"})
def test_outputs__any_text_is_read_back(values: dict[str, str]) -> None:
    """No value ends its own block, or begins another output."""
    text = "".join(output_text(name, value) for name, value in values.items())

    assert values == read_file_commands(text)


@pytest.mark.parametrize("name", ["", "a=b", "a<<b", "a\nb"])
def test_outputs__a_name_without_a_place_in_the_grammar(name: str) -> None:
    """Names are ours: a wrong one is a fault of the code."""
    with pytest.raises(ValueError, match="no name of an output"):
        output_text(name, "x")


def test_outputs__a_delimiter_cannot_be_foreseen() -> None:
    """Each value has one of its own, of 128 random bits."""
    first, second = (output_text("a", "").split("\n")[0] for _ in range(2))

    assert first != second
    assert 32 == len(first.removeprefix("a<<gate_"))


@given(ANY, st.text().map(str.strip), st.none() | st.integers(1, 10**6))
def test_annotation__any_text_is_read_back(message: str, title: str, line: int | None) -> None:
    """Message, title and file arrive as they were, and make one command."""
    text = annotation_text(Annotation("error", message, title, f"evals/{title}x", line))

    shown = message if len(message) <= LONGEST_MESSAGE else f"{message[: LONGEST_MESSAGE - 1]}…"
    properties = {
        "file": f"evals/{title}x",
        **({} if line is None else {"line": str(line)}),
        **({"title": title} if title else {}),
    }
    assert [Command("error", properties, shown)] == commands_in(text)
    assert 1 == text.count("\n")
    assert "\r" not in text


def test_annotation__a_line_without_a_file_is_left_out() -> None:
    """The runner would put it into the file of the workflow."""
    assert "::notice::x\n" == annotation_text(Annotation("notice", "x", line=3))


def test_annotation__a_long_message_is_cut_to_what_is_kept() -> None:
    """Signs are counted as they are shown, not as they are written."""
    found = read_command(annotation_text(Annotation("notice", "%" * 5_000)).rstrip("\n"))

    assert found is not None
    assert 4_096 == len(found.text)
    assert found.text.endswith("%…")


@given(ANY.filter(lambda text: text.strip() != ""))
def test_mask__any_secret_is_one_command(secret: str) -> None:
    """A secret of several lines is hidden whole."""
    assert [Command("add-mask", {}, secret)] == commands_in(mask_text(secret))


@pytest.mark.parametrize("secret", ["", " ", "\n"])
def test_mask__an_empty_secret_is_no_command(secret: str) -> None:
    """The runner would warn of it on each run."""
    assert "" == mask_text(secret)


@given(st.lists(ANY))
def test_stop__nothing_between_is_a_command(lines: list[str]) -> None:
    """The token cannot be said by who does not know it."""
    token = new_token()
    log = stop_text(token) + "".join(lines) + resume_text(token) + "::notice::after\n"

    assert ["stop-commands", "notice"] == [one.name for one in commands_in(log)]


def test_inputs__as_the_runner_hands_them_over() -> None:
    """Only blanks become underscores; a hyphen stays, and a missing input is empty."""
    env = {"INPUT_MAX-COST": " 2.50 ", "INPUT_FAIL_ON": "x"}

    assert "INPUT_MAX-COST" == input_variable("max-cost")
    assert {"max-cost": "2.50", "fail on": "x", "seed": ""} == input_values(
        env, ["max-cost", "fail on", "seed"]
    )


def test_append__adds_to_what_is_there(tmp_path: Path) -> None:
    """Another step's words stay; half a character does not stop the rest."""
    path = tmp_path / "file"
    path.write_bytes(b"before\n")

    append_text(path, "æ\ud800\n")

    assert "before\næ?\n" == path.read_text("utf-8")


def test_append__a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """It says what to do."""
    with pytest.raises(FileError, match="run the container as root"):
        append_text(tmp_path / "no" / "file", "x")
