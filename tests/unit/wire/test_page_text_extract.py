"""Bytes -> readable text: what a person sees on the page, and nothing that hides from people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.wire.pagetext.extract import MOST_TEXT_BYTES, UnreadableError, clean, extract
from tests.unit.wire.pdf_sample import pdf

FACT = "The hut on Kveldsnut has twelve beds and opens in June."


def html(body: str) -> str:
    """The text of a page with this body."""
    return extract("html", f"<html><body>{body}</body></html>".encode())


@pytest.mark.parametrize(
    "text", [FACT, "Kveldsnut på Hestrøy is 1204 m high", "山小屋は六月に開きます。"]
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_extract__html(text: str, codec: str) -> None:
    """The title is left out; the charset on the page is not the one it was decoded from."""
    page = f"<html><head><title>No</title></head><body><p>{text}</p></body></html>"

    assert text == extract("html", page.encode(codec), charset="utf-8")


@pytest.mark.parametrize("codec", ["shift_jis", "euc_jp"])
def test_extract__charset_in_the_page(codec: str) -> None:
    """The parser must not decode a second time what was decoded."""
    page = f"<html><head><meta charset='{codec}'></head><body><p>山小屋は六月に。</p></body></html>"

    assert "山小屋は六月に。" == extract("html", page.encode(codec))


def test_extract__table_and_list() -> None:
    """Figures often stand there."""
    found = html(
        f"<p>{FACT}</p><ul><li>Bring a sheet.</li></ul>"
        "<table><tr><th>Height</th><td>1204 m</td></tr></table>"
    )

    assert all(words in found for words in (FACT, "Bring a sheet.", "Height", "1204 m"))


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>No one sees this.</script>",
        "<style>No one sees this.</style>",
        "<!-- No one sees this. -->",
        "<template><p>No one sees this.</p></template>",
        "<noscript>No one sees this.</noscript>",
        "<p hidden>No one sees this.</p>",
        "<p style='display:none'>No one sees this.</p>",
        "<p style='color:red; DISPLAY : None'>No one sees this.</p>",
        "<div style='visibility: hidden'><p>No one sees this.</p></div>",
    ],
)
def test_extract__hidden(hidden: str) -> None:
    """What people do not see is no evidence, and must not speak to a judge."""
    assert FACT == html(f"<p>{FACT}</p>{hidden}")


@pytest.mark.parametrize("count", [50, 100_000])
def test_extract__nested(count: int) -> None:
    """A few hundred levels are read; beyond, the parser gives up and there is no text."""
    found = html("<div>" * count + f"<p>{FACT}</p>" + "</div>" * count)

    assert ("" if count > 200 else FACT) == found


@pytest.mark.parametrize(
    "body",
    [b"", b" \n ", b"<", b"<html>", b"<html></html>", b"<html><body></body></html>", b"\xff\xfe"],
)
def test_extract__nothing(body: bytes) -> None:
    """Hardly a page, and no error."""
    assert extract("html", body) in ("", "<")


def test_extract__zero_bytes() -> None:
    """They fall out."""
    assert FACT == html(f"<p>{FACT[:9]}\0\0{FACT[9:]}\0</p>")


def test_extract__plain_text() -> None:
    """As it is, but for blanks and line ends."""
    assert "a <b>\n\nc d" == extract("text", b"a  <b>\r\n\r\n\r\n\r\nc\t d \n")


def test_extract__pdf() -> None:
    """Its pages, in their order."""
    found = extract("pdf", pdf("First page.", "Second (page)."))

    assert "First page.\n\nSecond (page)." == found


def test_extract__long_pdf() -> None:
    """No more pages are read than are needed."""
    found = extract("pdf", pdf(*(f"{number:04d} " + "word " * 300 for number in range(200))))

    assert len(found.encode()) == MOST_TEXT_BYTES
    assert found.startswith("0000 word")


@pytest.mark.parametrize("body", [b"", b"%PDF-1.4 junk", pdf("Text.")[:200]])
def test_extract__no_pdf(body: bytes) -> None:
    """What only looks like one is said to be unreadable."""
    with pytest.raises(UnreadableError):
        extract("pdf", body)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\u200bb\u200d\ufeff\u2060c", "abc"),
        ("safe\U000e0069\U000e0067\U000e006e", "safe"),
        ("a\ufe0f\U000e0100b", "ab"),
        ("\u202eright to left\u202c", "right to left"),
        ("soft\u00adhyphen", "softhyphen"),
        ("bell\x07 \x1b[31mred\x9f", "bell [31mred"),
        ("non\u00a0breaking\u2003space", "non breaking space"),
        ("one\u2028two\x0cthree\x85four\rfive", "one\ntwo\nthree\nfour\nfive"),
        (" a \n \n \n b ", "a\n\nb"),
        ("half \ud83d emoji 🏔", "half emoji 🏔"),
    ],
)
def test_clean__invisible(text: str, cleaned: str) -> None:
    """Characters in which a page could hide words, and blanks that say nothing."""
    assert cleaned == clean(text)


@pytest.mark.parametrize("character", ["a", "ø", "山", "🏔"])
def test_clean__cap(character: str) -> None:
    """Cut between two characters."""
    found = clean("b" + character * 70_000)

    assert MOST_TEXT_BYTES - 4 < len(found.encode()) <= MOST_TEXT_BYTES
    assert set(found) == {"b", character}


@given(st.text(max_size=200))
def test_clean__twice_is_once(text: str) -> None:
    """Nothing that is taken out brings about something else that has to be."""
    assert clean(text) == clean(clean(text))
