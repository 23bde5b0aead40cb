"""Two parsers, one meaning: libyaml's and the one in Python give the same tree or refuse alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import DatasetError, FileError
from gate.wire import yaml as reader
from gate.wire.yaml import MAX_DEPTH, SLOW_BYTES, Items, Scalar, load

SIGNS = [
    *(
        "a",
        "b: ",
        "c:",
        "- ",
        "-",
        "? ",
        ": ",
        ":",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ",",
        "# c",
        " #n",
        "#",
    ),
    *("\n", "\n  ", "\n    ", "\n\n", " ", "  ", "\r", "\u2028", "\u0085", "\xa0", "\x7f", "\x01"),
    *("|\n", "|-\n", ">\n", ">+\n", "|2\n", '"x y"', "'q'", '"', "'", '"a\\nb"', '"\\u00e9"', "\\"),
    *("&x ", "*x", "!", "!!str ", "%", "@", "`", "~", "<<", "---", "...", "\n---\n", "\n...\n"),
    *(
        "é",
        "😀",
        "1.10",
        "null",
        "-1",
        "key: v\n",
        "- id: x\n  q: y\n",
        "${A}",
        "a:b",
        "http://x.y",
    ),
]
"""What documents are put together from: every sign of YAML, and what stands around it."""
DOCUMENTS = st.lists(st.sampled_from([*SIGNS, "\t", "\ufeff"]), max_size=14).map("".join)
PLAIN = st.lists(st.sampled_from(SIGNS), max_size=14).map("".join)
MANY = settings(deadline=None, max_examples=1500)


def said(text: str) -> object:
    """What `load` makes of a text: a tree, or the error's sentence."""
    try:
        return load(text, "f.yaml")
    except FileError as error:
        return str(error)


def said_slowly(text: str) -> object:
    """The same of the parser in Python alone."""
    try:
        return reader._read_slow(text, "f.yaml", FileError, MAX_DEPTH)
    except FileError as error:
        return str(error)


def test_parsers__libyaml_is_there() -> None:
    """The wheels of PyYAML bring it; without it the tests below would compare nothing."""
    assert reader._FAST is not None


@MANY
@given(DOCUMENTS)
def test_load__same_tree_or_same_error(text: str) -> None:
    """Whichever parser reads, texts, lines and refusals are those of the one in Python."""
    assert said_slowly(text) == said(text)


@MANY
@given(PLAIN)
def test_libyaml__takes_nothing_that_the_other_refuses(text: str) -> None:
    """So a large file, which only libyaml reads, is held to the same rules."""
    tree = reader._read_fast(text, "f.yaml", FileError, MAX_DEPTH)

    assert tree is None or tree == said_slowly(text)


@pytest.mark.parametrize("sign", ["\t", "\ufeff"])
def test_load__signs_that_libyaml_reads_otherwise(sign: str) -> None:
    """They are left to the parser in Python, and refused by name in a file too large for it."""
    assert reader._read_fast(f"a: 'b{sign}c'", "f.yaml", FileError, MAX_DEPTH) is None
    large = f"- x\n- 'b{sign}c'\n- {'y' * SLOW_BYTES}\n"

    with pytest.raises(DatasetError, match=r"f.yaml:2: a tab or a byte order mark") as caught:
        load(large, "f.yaml", fault=DatasetError, max_bytes=2 * SLOW_BYTES)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("end", "line", "words"),
    [
        ("b: *x", 2, "an alias"),
        ("b: &x 1", 2, "an anchor"),
        ("b: !!python/object:os.system []", 2, "an explicit tag"),
        ("a: 1", 2, "first on line 1"),
        ("b: [1, 2", 3, "check indentation"),
        ("b: c: d", 2, "a colon inside"),
        ("b: \x01", None, "a control character"),
        ("b: " + "[" * 50, 2, "nested deeper than 32"),
        ("b: " + "[" * 5000, 2, "maximum nesting depth"),
    ],
)
def test_load__large_files_are_refused_in_words(end: str, line: int | None, words: str) -> None:
    """Above the size that the parser in Python reads, libyaml's own faults are told."""
    text = f"a: {'x' * SLOW_BYTES}\n{end}"

    with pytest.raises(FileError, match=r"f\.yaml") as caught:
        load(text, "f.yaml", max_bytes=2 * SLOW_BYTES)

    assert line == caught.value.line
    assert words in str(caught.value)


def test_load__large_files_are_read() -> None:
    """Ten thousand items of a hundred and fifty characters: more than a small file may hold."""
    text = "".join(f"- {number:0150}x\n" for number in range(10_000))
    root = load(text, "f.yaml", max_bytes=2 * SLOW_BYTES)

    assert isinstance(root, Items)
    assert Scalar(f"{9_999:0150}x", plain=True, line=10_000) == root.items[-1]
    with pytest.raises(FileError, match="above the limit of 1,000,000"):
        load(text, "f.yaml")


def test_load__most_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of very many tiny values is refused before it fills the memory."""
    monkeypatch.setattr(reader, "MAX_NODES", 4)

    assert isinstance(load("[1, 2, 3]", "f.yaml"), Items)
    with pytest.raises(FileError, match="more than 4 values"):
        load("[1, 2, 3, 4]", "f.yaml")


def test_load__without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PyYAML without it reads small files alike, and says what a large one needs."""
    monkeypatch.setattr(reader, "_FAST", None)

    assert load("- a", "f.yaml") == Items((Scalar("a", plain=True, line=1),), 1)
    with pytest.raises(FileError, match="PyYAML with libyaml"):
        load("x" * (SLOW_BYTES + 1), "f.yaml", max_bytes=2 * SLOW_BYTES)
