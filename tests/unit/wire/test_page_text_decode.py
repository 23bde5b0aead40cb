"""Bytes -> characters: what the page says of itself, unless it is plainly wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.wire.pagetext.decode import decode

NORSE = "Kveldsnut på Hestrøy is 1204 m high"
JAPANESE = "山小屋は六月に開きます。日本語のページ"
META = "<html><head><meta charset='{}'></head><body>{}</body></html>"


@pytest.mark.parametrize(
    ("codec", "charset"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-8-sig", "iso-8859-1"),
        ("utf-16", None),
        ("utf-16", "utf-8"),
        ("utf-16-le", "utf-16"),
        ("utf-16-be", "utf-16be"),
        ("cp1252", "windows-1252"),
        ("cp1252", "ISO-8859-1"),
        ("cp1252", "us-ascii"),
        ("cp1252", None),
        ("cp1252", "utf-8"),
        ("cp1252", "utf-16"),
        ("cp1252", "no-such-charset"),
        ("cp1252", "utf-7"),
        ("cp1252", "rot13"),
        ("cp1252", "a\0b"),
        ("cp1252", "cp865"),
    ],
)
def test_decode__one_sentence(codec: str, charset: str | None) -> None:
    """True charsets, missing ones, lies, and codecs that are none of a page's business."""
    assert NORSE == decode(NORSE.encode(codec), charset)


@pytest.mark.parametrize(
    ("codec", "label"),
    [
        ("shift_jis", "Shift_JIS"),
        ("cp932", "x-sjis"),
        ("cp932", "windows-31j"),
        ("euc_jp", "EUC-JP"),
        ("iso2022_jp", "iso-2022-jp"),
        ("gb18030", "gb2312"),
        ("gb18030", "x-gbk"),
        ("utf-8", "utf-8"),
        ("utf-8", "utf-16"),
    ],
)
def test_decode__label_in_the_page(codec: str, label: str) -> None:
    """It holds where the header says nothing, and under its many names."""
    text = META.format(label, JAPANESE)

    assert text == decode(text.encode(codec))


def test_decode__label_in_an_xml_declaration() -> None:
    """XHTML says it there."""
    text = f"<?xml version='1.0' encoding='euc-jp'?><html><body>{JAPANESE}</body></html>"

    assert text == decode(text.encode("euc_jp"))


def test_decode__header_before_the_page() -> None:
    """Where both say something and both could be right, the header holds."""
    text = META.format("windows-1250", "æøå")

    assert text == decode(text.encode("cp1252"), "windows-1252")


def test_decode__lie_in_the_header() -> None:
    """What the page itself says comes next."""
    text = META.format("shift_jis", JAPANESE)

    assert text == decode(text.encode("shift_jis"), "utf-8")


def test_decode__a_few_broken_bytes() -> None:
    """They do not turn a page of UTF-8 into another language."""
    found = decode((NORSE * 9).encode() + b" \xff\xfe " + NORSE.encode(), "utf-8")

    assert NORSE * 9 + " \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER} " + NORSE == found


def test_decode__cut_in_a_character() -> None:
    """The torn end is left out; without the cut it is a broken character."""
    body = "Hestrøy ø".encode()[:-1]

    assert "Hestrøy " == decode(body, "utf-8", cut=True)
    assert "Hestrøy \N{REPLACEMENT CHARACTER}" == decode(body, "utf-8")


@given(st.binary(max_size=200), st.text(max_size=12), st.booleans())
def test_decode__anything(body: bytes, charset: str, cut: bool) -> None:  # noqa: FBT001 - drawn
    """Never an error, and always text that can be written."""
    decode(body, charset, cut=cut).encode()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=100))
def test_decode__utf_8_is_read_as_it_is(text: str) -> None:
    """Whatever the characters."""
    assert text.removeprefix("\ufeff") == decode(text.encode(), "utf-8")
