"""A strict reader: texts stay texts, tricks are refused, every fault has its line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import ConfigError, DatasetError, FileError
from gate.wire.yaml import Block, Items, Scalar, find, load, to_json

ASCII = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=40)
TEXTS = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028\u2029\ufeff"),
    max_size=40,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "text",
    [
        *("no", "yes", "on", "off", "y", "No", "True", "NULL", "1:30", "010", "0x1F"),
        *("2026-01-01", "1_000", "+1", ".5", "1.", "1e999", ".inf", ".nan", "~/notes"),
        *("9" * 400, "\u0661\u0662"),
    ],
)
def test_value__words_that_other_readers_turn_into_something(text: str) -> None:
    """What YAML 1.1 would make a boolean, number or date is the text that was written."""
    node = load(f"key: {text}", "f.yaml")

    assert {"key": text} == to_json(node)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("true", True), ("false", False), ("null", None), ("", None), ("0", 0), ("-0", 0)),
        *(("-12", -12), ("1.10", 1.1), ("1e3", 1000.0), ("-2.5E-1", -0.25)),
    ],
)
def test_value__json_notation_is_typed(text: str, value: object) -> None:
    """true, false, null and JSON's numbers are the only typed scalars."""
    node = load(f"- {text}", "f.yaml")
    assert isinstance(node, Items)
    (scalar,) = node.items
    assert isinstance(scalar, Scalar)

    assert (value, type(value)) == (scalar.value, type(scalar.value))
    assert text == scalar.text


@pytest.mark.parametrize("quoted", ['"1.10"', "'1.10'", "|-\n  1.10", ">-\n  1.10"])
def test_value__quoted_is_text(quoted: str) -> None:
    """Quotes and block texts say that a text is meant."""
    assert {"key": "1.10"} == to_json(load(f"key: {quoted}", "f.yaml"))


@settings(deadline=None)
@given(ASCII)
def test_text__plain_scalar_stays_as_written(text: str) -> None:
    """Whatever the parser takes as one unquoted scalar keeps its characters."""
    try:
        node = load(f"key: {text}", "f.yaml")
    except FileError:
        return
    assert isinstance(node, Block)
    value = node.get("key")
    if isinstance(value, Scalar) and value.plain and " #" not in f" {text}":
        assert text.strip() == value.text


@settings(deadline=None)
@given(JSON)
def test_load__json_is_read_as_json(value: object) -> None:
    """A JSON file reads as json.loads reads it, escapes beyond the basic plane included."""
    assert value == to_json(load(json.dumps(value), "f.json"))


@settings(deadline=None)
@given(st.text(max_size=60))
def test_load__anything_reads_or_is_refused_in_words(text: str) -> None:
    """No input ends in an error of the parser's own."""
    try:
        said = f"f.yaml: {to_json(load(text, 'f.yaml'))}"
    except FileError as error:
        said = str(error)

    assert said.startswith("f.yaml:")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: &x 1", 2, "anchor"),
        ("a: 1\nb: *x", 2, "alias"),
        ("a:\n  <<: {b: 1}", 2, "merge key"),
        ("a: 1\nb: !!str 1", 2, "tag"),
        ("a: ! 1", 1, "tag"),
        ("a: !!python/object:os.system []", 1, "tag"),
        ("%YAML 1.2\n---\na: 1", 1, "directive"),
        ("%TAG ! tag:x\n---\na: 1", 1, "directive"),
        ("a: 1\nb: 2\na: 3", 3, "first on line 1"),
        ('a: 1\n"a": 3', 2, "first on line 1"),
        ("a: 1\n---\nb: 1", 2, "second document"),
        ("a:\n\tb: 1", 2, "tab"),
        ("a: 1\nb: ~", 2, "write null"),
        ("? [a]\n: 1", 1, "key"),
        ("a: 1\n?\n: 1", 2, "without a key"),
        ("a: b: c", 1, "quotes"),
        ("a: 1\nb: @c", 2, "quotes"),
        ("a: 1\nb: [1, 2", 2, "brackets"),
        ('a: 1\nb: "\\ud83d"', 2, "surrogate"),
        ('a: 1\nb: "\\U00110000"', 2, "Unicode"),
        ('a: 1\nb: "\\UFFFFFFFF"', 2, "Unicode"),
        ("a: 1\nb: \x01", 2, "control character"),
        ("a: 1\nb: \ud800", 2, "surrogate"),
        ("a: 1\nb: {c: ${NAME}}", 2, '"${NAME}"'),
    ],
)
def test_load__refuses_with_line(text: str, line: int, words: str) -> None:
    """Each trick or slip is refused where it stands, with what to do."""
    with pytest.raises(FileError, match=r"f.yaml:") as caught:
        load(text, "f.yaml")

    assert line == caught.value.line
    assert words in str(caught.value)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_load__depth_beyond_the_limit(opening: str) -> None:
    """Thirty-two levels are read; one more, or five thousand more, are refused at once."""
    closing = {"[": "]", "{a: ": "}", "- ": ""}[opening]

    load(opening * 32 + "x" + closing * 32, "f.yaml")
    for depth in (33, 5000):
        with pytest.raises(FileError, match="nested deeper than 32"):
            load(opening * depth + "x" + closing * depth, "f.yaml")


def test_load__size_beyond_the_limit() -> None:
    """The size is counted in bytes, before anything is parsed."""
    with pytest.raises(FileError, match="8 bytes, above the limit of 7"):
        load("a: ééx", "f.yaml", max_bytes=7)
    assert {"a": "éé"} == to_json(load("a: éé", "f.yaml", max_bytes=7))


@pytest.mark.parametrize("fault", [ConfigError, DatasetError, FileError])
def test_load__raises_the_error_of_the_caller(
    fault: type[ConfigError | DatasetError | FileError],
) -> None:
    """The kind of error is the reader's."""
    with pytest.raises(fault):
        load("a: *b", "f.yaml", fault=fault)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "---\n"])
def test_load__empty_file(text: str) -> None:
    """An empty file is an absent value."""
    assert to_json(load(text, "f.yaml")) is None


def test_load__byte_order_mark_and_line_ends_of_windows() -> None:
    """What editors on Windows write is read, with the right lines."""
    node = load("\ufeffa: 1\r\nb: 2\r\n", "f.yaml")

    assert {"a": 1, "b": 2} == to_json(node)
    assert 2 == find(node, ["b"])[1]


def test_find__lines_of_keys_items_and_the_nearest_around() -> None:
    """A value's line is that of its key; what is absent has the line of what is around it."""
    node = load("a:\n  - x\n  - b:\n      |\n      text\nc: 1\n", "f.yaml")

    assert 1 == find(node, [])[1]
    assert 1 == find(node, ["a"])[1]
    assert 2 == find(node, ["a", 0])[1]
    assert 3 == find(node, ["a", 1, "b"])[1]
    assert 1 == find(node, ["a", 7])[1]
    assert 6 == find(node, ["c", "none"])[1]
    assert "text\n" == to_json(find(node, ["a", 1, "b"])[0])
