"""Files are read whole and strict, and written whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import FileError, NoVerdict
from gate.types import Usage
from gate.wire.files import (
    LineFile,
    dump_json,
    parse_json,
    read_json,
    read_text,
    relative_reader,
    write_text,
)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"one\r\ntwo\rthree\n", "one\ntwo\nthree\n"),
        (b"\xef\xbb\xbfplain", "plain"),
        ("blåbær".encode(), "blåbær"),
        (b"", ""),
    ],
)
def test_read_text__line_ends_and_mark(tmp_path: Path, data: bytes, text: str) -> None:
    """Every line end becomes a line feed, and a UTF-8 mark is no text."""
    (tmp_path / "a.txt").write_bytes(data)

    assert text == read_text(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("text".encode("utf-16"), "a.txt: is UTF-16: save it as UTF-8"),
        (b"one\ntw\xff\n", "a.txt:2: is not UTF-8: save it as UTF-8"),
        (b"x" * 101, "a.txt: is larger than 100 bytes: split it or name another file"),
    ],
)
def test_read_text__not_text(tmp_path: Path, data: bytes, message: str) -> None:
    """What is no UTF-8 text of a sane size is refused, with the line where there is one."""
    (tmp_path / "a.txt").write_bytes(data)

    with pytest.raises(FileError) as caught:
        read_text(tmp_path / "a.txt", max_bytes=100)

    assert f"{tmp_path}/{message}" == str(caught.value)


def test_read_text__at_the_cap(tmp_path: Path) -> None:
    """A file of exactly the largest size is read."""
    (tmp_path / "a.txt").write_bytes(b"x" * 100)

    assert "x" * 100 == read_text(tmp_path / "a.txt", max_bytes=100)


def test_read_text__no_file(tmp_path: Path) -> None:
    """A missing file, a folder, a pipe and a path through a file are told apart."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match="no such file or folder; check the path"):
        read_text(tmp_path / "missing")
    with pytest.raises(FileError, match="it is a folder; name a file"):
        read_text(tmp_path)
    with pytest.raises(FileError, match="is no regular file: name a text file"):
        read_text(tmp_path / "pipe")
    with pytest.raises(FileError, match="Not a directory; check who may use it"):
        read_text(tmp_path / "file" / "below")


def test_relative_reader__inside(tmp_path: Path) -> None:
    """Files and links that stay under the root are read."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("hello")
    (tmp_path / "link.txt").symlink_to("sub/a.txt")
    read = relative_reader(tmp_path)

    assert "hello" == read("sub/a.txt")
    assert "hello" == read("./link.txt")


@pytest.mark.parametrize(
    "name",
    ["", "/etc/passwd", "../out.txt", "sub/../../out.txt", "..\\out.txt", "C:\\out.txt", "a\0b"],
)
def test_relative_reader__names_that_leave(tmp_path: Path, name: str) -> None:
    """Absolute paths and steps upwards are refused in both spellings."""
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "out.txt").write_text("secret")

    with pytest.raises(FileError, match=r"must be a relative path without `\.\.`"):
        relative_reader(root)(name)


def test_relative_reader__links_that_leave(tmp_path: Path) -> None:
    """A link out of the root is refused, of a file or of a folder on the way."""
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "out.txt").write_text("secret")
    (root / "file").symlink_to(tmp_path / "out.txt")
    (root / "folder").symlink_to(tmp_path)
    (root / "loop").symlink_to("loop")
    read = relative_reader(root)

    with pytest.raises(FileError, match="is a link that leaves"):
        read("file")
    with pytest.raises(FileError, match="is a link that leaves"):
        read("folder/out.txt")
    with pytest.raises(FileError, match="no such file under"):
        read("loop")
    with pytest.raises(FileError, match="no such file under"):
        read("missing")


def test_relative_reader__cap(tmp_path: Path) -> None:
    """The size cap holds."""
    (tmp_path / "a").write_text("12345")

    with pytest.raises(FileError, match="is larger than 4 bytes"):
        relative_reader(tmp_path, max_bytes=4)("a")


def test_write_text__replaces(tmp_path: Path) -> None:
    """The new text stands alone in the folder, byte for byte, readable as other files are."""
    path = tmp_path / "a.txt"
    path.write_text("old and longer")
    (tmp_path / "plain").touch()

    write_text(path, "new\nblåbær\n")

    assert "new\nblåbær\n".encode() == path.read_bytes()
    assert {"a.txt", "plain"} == {entry.name for entry in tmp_path.iterdir()}
    assert stat.S_IMODE((tmp_path / "plain").stat().st_mode) == stat.S_IMODE(path.stat().st_mode)


def test_write_text__old_text_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk refuses, the old text stays and no draft is left."""
    path = tmp_path / "a.txt"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="cannot be written: No space left on device"):
        write_text(path, "new")

    assert "old" == path.read_text()
    assert ["a.txt"] == [entry.name for entry in tmp_path.iterdir()]


def test_write_text__cannot(tmp_path: Path) -> None:
    """A missing folder, a folder in the way and half a character are named."""
    (tmp_path / "folder").mkdir()

    with pytest.raises(FileError, match="no such file or folder"):
        write_text(tmp_path / "missing" / "a", "x")
    with pytest.raises(FileError, match="it is a folder; name a file"):
        write_text(tmp_path / "folder", "x")
    with pytest.raises(FileError, match="character 3 of the text is half a character"):
        write_text(tmp_path / "a", "ab\ud83d")
    assert ["folder"] == [entry.name for entry in tmp_path.iterdir()]


def test_line_file__appends(tmp_path: Path) -> None:
    """Each line is in the file at once, and an opening later goes on behind it."""
    path = tmp_path / "results.jsonl"

    with LineFile(path) as lines:
        lines.append_line('{"a": 1}')
        assert '{"a": 1}\n' == path.read_text()
    with LineFile(path) as lines:
        lines.append_line("blåbær")

    assert '{"a": 1}\nblåbær\n' == path.read_text()


@pytest.mark.parametrize("length", [5, 70_000, 65_536])
def test_line_file__torn(tmp_path: Path, length: int) -> None:
    """What a killed writer left of a line is dropped."""
    path = tmp_path / "results.jsonl"
    path.write_text("whole\n" + "x" * length)

    with LineFile(path) as lines:
        lines.append_line("next")

    assert "whole\nnext\n" == path.read_text()


def test_line_file__torn_alone(tmp_path: Path) -> None:
    """A file with nothing but a torn line starts again."""
    path = tmp_path / "results.jsonl"
    path.write_text("torn")

    with LineFile(path) as lines:
        lines.append_line("next")

    assert "next\n" == path.read_text()


def test_line_file__fresh(tmp_path: Path) -> None:
    """A fresh file forgets what was there."""
    path = tmp_path / "results.jsonl"
    path.write_text("old\n")

    with LineFile(path, fresh=True) as lines:
        lines.append_line("new")

    assert "new\n" == path.read_text()


def test_line_file__cannot(tmp_path: Path) -> None:
    """A place that is no file, a line end and half a character are refused."""
    with pytest.raises(FileError, match="it is a folder"):
        LineFile(tmp_path)
    with LineFile(tmp_path / "a") as lines:
        with pytest.raises(FileError, match="a line end in it"):
            lines.append_line("a\nb")
        with pytest.raises(FileError, match="half a character"):
            lines.append_line("\ud800")
    assert b"" == (tmp_path / "a").read_bytes()


def test_line_file__disk_full() -> None:
    """A full disk is a FileError."""
    lines = LineFile(Path("/dev/full")) if Path("/dev/full").exists() else None
    if lines is None:
        pytest.skip("this system has no /dev/full")

    with pytest.raises(NoVerdict, match="cannot be written: No space left"):
        lines.append_line("x")
    with pytest.raises(OSError, match="No space left"):
        lines.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n "a": nope}', "a.json:2: is not JSON: Expecting value, column 7"),
        ("", "a.json:1: is not JSON: Expecting value, column 1"),
        ("[NaN]", "a.json: NaN is no JSON number: write null for what is unknown"),
        ("[-Infinity]", "a.json: -Infinity is no JSON number: write null for what is unknown"),
        ('{"b": {"a": 1, "a": 2}}', "a.json: the key 'a' stands twice in one object: take one out"),
        ("[" * 100_000, "a.json: is not readable: its values are nested too deep"),
    ],
)
def test_read_json__refuses(tmp_path: Path, text: str, message: str) -> None:
    """What is no JSON, or is read differently by others, is refused with its place."""
    (tmp_path / "a.json").write_text(text)

    with pytest.raises(FileError) as caught:
        read_json(tmp_path / "a.json")

    assert f"{tmp_path}/{message}" == str(caught.value)


def test_parse_json__huge_number() -> None:
    """A number too long for Python is an error of the file, with the line that was given."""
    with pytest.raises(FileError, match=r"^results\.jsonl:7: Exceeds the limit"):
        parse_json("1" * 5000, "results.jsonl", 7)


def test_parse_json__line_of_a_line_file() -> None:
    """In a file of one value a line, the line is that of the file."""
    with pytest.raises(FileError, match=r"^results\.jsonl:7: is not JSON"):
        parse_json("{", "results.jsonl", 7)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_dump_json__reads_back(value: object) -> None:
    """What is dumped reads back to the same value."""
    assert value == parse_json(dump_json(value))  # type: ignore[arg-type]


def test_dump_json__form() -> None:
    """Two spaces, keys as they come, letters as they are, a last line end; records as JSON."""
    assert '{\n  "b": "å",\n  "a": [\n    1\n  ]\n}\n' == dump_json({"b": "å", "a": [1]})
    assert 3 == json.loads(dump_json(Usage(input_tokens=3)))["input_tokens"]
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump_json(float("nan"))
