"""Records filled from files: texts as written, numbers in JSON's notation, faults with lines."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from gate.errors import ConfigError
from gate.wire.records import Form, Text, known_names, read_record, unknown
from gate.wire.yaml import load


class Inner(Form):
    """A block inside."""

    size: int = 1
    """A number."""


class Wrapper(Form):
    """Another block, with one inside."""

    inside: Inner = Inner()


class Outer(Form):
    """A block with one of each kind."""

    title: Text = "none"
    count: int | Literal["all"] = 1
    share: float = Field(default=0.5, ge=0, le=1)
    on: bool = False
    words: tuple[Text, ...] = ()
    either: str | tuple[str, ...] = ""
    named: dict[str, Inner] = Field(default_factory=dict)
    mixed: tuple[Text | Inner, ...] = ()
    shape: Inner | Wrapper = Inner()
    schema_: Literal[1] = Field(default=1, alias="schema")


def read(text: str) -> Outer:
    """Fill an Outer."""
    return read_record(Outer, load(text, "f.yaml"), "f.yaml", ConfigError)


def refused(text: str) -> ConfigError:
    """The error of filling an Outer."""
    with pytest.raises(ConfigError) as caught:
        read(text)
    return caught.value


@pytest.mark.parametrize("written", ["1.10", "010", "no", "true", "1e3", "-0", "2026-01-01", "7"])
def test_read_record__text_is_taken_as_written(written: str) -> None:
    """Where a text is wanted, nothing is lost on the way."""
    outer = read(f"title: {written}\nwords: [{written}]\neither: {written}")

    assert (written, (written,), written) == (outer.title, outer.words, outer.either)


@settings(deadline=None)
@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_read_record__any_number_stays_its_text(number: float) -> None:
    """A text field never shows another spelling of a number."""
    assert repr(number) == read(f"title: {number!r}").title


def test_read_record__text_beside_other_kinds() -> None:
    """A union takes the typed value where it fits, and texts elsewhere in the file stay texts."""
    outer = read("count: 3\nshare: 1\nmixed: [1.10, {size: 2}]\neither: [1.0, b]")

    assert (3, 1.0) == (outer.count, outer.share)
    assert ("1.10", Inner(size=2)) == outer.mixed
    assert ("1.0", "b") == outer.either


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("on: yes", 1, "`on`: must be true or false, without quotes"),
        ('count: "3"', 1, "`count`: must be a whole number, without quotes or 'all'"),
        ("count: 1.5", 1, "`count`: must be a whole number"),
        ("share: 2", 1, "`share`: must be less than or equal to 1"),
        ("share: many", 1, "`share`: must be a number"),
        ("title:", 1, "`title`: is empty"),
        ("title: ' '", 1, "`title`: is blank"),
        ("words: one", 1, "`words`: must be a list"),
        ("words:\n  - a\n  - {b: 1}", 3, "`words[1]`: must be a text"),
        ("on: true\nnamed:\n  x:\n    size: big", 4, "`named.x.size`: must be a whole number"),
        ("named:\n  x: 1", 2, "`named.x`: must be a block of keys"),
        ("mixed:\n  - {siz: 1}", 2, "`mixed[0]`: unknown key `siz`; did you mean `size`?"),
        ("on: true\ntitel: x", 2, "unknown key `titel`; did you mean `title`? Known: `title`,"),
        ("named: {x: {sise: 1}}", 1, "`named.x`: unknown key `sise`; did you mean `size`?"),
        ("shape:\n  inside: {sise: 1}", 2, "`shape.inside`: unknown key `sise`; did you mean"),
        ("schema: 2", 1, "`schema`: must be 1"),
    ],
)
def test_read_record__fault_with_line_and_key(text: str, line: int, message: str) -> None:
    """Line, key and what is allowed."""
    error = refused(text)

    assert line == error.line
    assert message in str(error)


def test_read_record__missing_key_at_the_line_of_its_block() -> None:
    """What is not there is missed where it belongs."""

    class Needs(Form):
        """One key that must be there."""

        name: Text

    with pytest.raises(ConfigError, match=r"f.yaml:2: `a.name`: is missing") as caught:
        read_record(Needs, load("\n{other: 1}", "f.yaml"), "f.yaml", ConfigError, at="a")
    assert "unknown key `other`" in str(caught.value)


def test_read_record__several_faults_in_the_order_of_lines() -> None:
    """All faults are told at once, each with its own line; a text that fits is none of them."""
    error = refused("on: 1\ntitle: 1.10\nshare: 5\nsmall: 1")

    first, second, third = str(error).splitlines()
    assert first.startswith("f.yaml:1: `on`: must be true or false")
    assert "f.yaml:3: `share`: must be less than or equal to 1" == second
    assert third.startswith("f.yaml:4: unknown key `small`")


def test_read_record__many_faults_are_counted() -> None:
    """Past the eighth fault only their number is told."""
    error = refused("\n".join(f"key{number}: 1" for number in range(10)))

    assert "f.yaml: and 2 more" == str(error).splitlines()[-1]


def test_read_record__values_are_never_shown() -> None:
    """A value may be a secret that was filled in; not even the chain of causes has it."""
    error = refused("count: hunter2\nshare: hunter2\nnamed: hunter2\nmixed: hunter2")

    assert "hunter2" not in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_read_record__a_validators_own_words() -> None:
    """What a plug-in's record says of a value is passed on as it is."""

    class Picky(BaseModel):
        """Refuses everything."""

        key: str

        @field_validator("key")
        @classmethod
        def _never(cls, value: str) -> str:
            raise ValueError("must be something else: try again")

    with pytest.raises(ConfigError, match=r"f.yaml:1: `key`: must be something else: try again$"):
        read_record(Picky, load("key: a", "f.yaml"), "f.yaml", ConfigError)


def test_read_record__unknown_keys_of_a_model_that_passes_them_over() -> None:
    """They are refused on demand, unless the model wants them."""

    class Loose(BaseModel):
        """A record that does not care."""

        key: str = ""

    class Open(Loose):
        """A record that wants them."""

        model_config = ConfigDict(extra="allow")

    node = load("kye: 1", "f.yaml")
    assert {"kye": 1} == read_record(Open, node, "f", ConfigError, extra="forbid").model_extra
    assert Loose() == read_record(Loose, node, "f", ConfigError)
    with pytest.raises(ConfigError, match="did you mean `key`"):
        read_record(Loose, node, "f", ConfigError, extra="forbid")


def test_unknown__far_from_everything() -> None:
    """No guess where nothing is near; an empty list is said to be empty."""
    assert "unknown target `x`. Known: `flash`, `pro`" == unknown("target", "x", ["flash", "pro"])
    assert "unknown target `x`. Known: none" == unknown("target", "x", [])


def test_known_names__aliases() -> None:
    """Keys are told as they stand in a file."""
    assert ("size",) == known_names(Inner)
    assert "schema" in known_names(Outer)
