"""What a page is: its first bytes say more than its header."""

from __future__ import annotations

import time

import pytest

from gate.wire.pagetext.kinds import Kind, kind_of, may_be_read

HTML = b"<!DOCTYPE html><title>a</title>"


@pytest.mark.parametrize(
    ("media_type", "charset", "body", "kind"),
    [
        ("text/html", None, b"words", "html"),
        ("text/html", None, b"", "html"),
        ("application/xhtml+xml", None, b"<a/>", "html"),
        ("text/plain", None, b"words", "text"),
        ("text/plain", None, HTML, "html"),
        ("", None, HTML, "html"),
        ("", None, b"\xef\xbb\xbf \n<HTML lang=en>", "html"),
        ("", None, b"<!-- a --> <!-- b -->\n<html>", "html"),
        ("", None, b'<?xml version="1.0"?><html>', "html"),
        ("", None, b"words", None),
        ("", None, b"", None),
        ("application/octet-stream", None, b"\n<body>", "html"),
        ("application/pdf", None, b"%PDF-1.4", "pdf"),
        ("text/html", None, b"\n%PDF-1.4", "pdf"),
        ("application/pdf", None, HTML, "html"),
        ("application/pdf", None, b"words", None),
        ("application/json", None, HTML, None),
        ("text/html", None, b"GIF89a", None),
        ("text/html", None, b"\x1f\x8b\x08", None),
        ("text/html", None, b"<html>\0", None),
        ("text/html", None, b"a" * 512 + b"\0", "html"),
        ("text/html", None, "<html>".encode("utf-16"), "html"),
        ("text/plain", None, "words".encode("utf-16"), "text"),
        ("text/html", "utf-16le", "<html>".encode("utf-16-le"), "html"),
        ("text/html", "utf-16", b"\x89PNG", None),
        ("text/html", "utf-8", "<html>".encode("utf-16-le"), None),
    ],
)
def test_kind_of__page(
    media_type: str, charset: str | None, body: bytes, kind: Kind | None
) -> None:
    """True headers, missing ones, and lies."""
    assert kind == kind_of(media_type, charset, body)


def test_kind_of__page_that_would_make_a_pattern_run() -> None:
    """A thousand comments that lead to nothing are looked at once."""
    started = time.process_time()

    assert kind_of("", None, b"<!---->" * 146) is None
    assert kind_of("", None, b"<?xml?> " * 128) is None
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize("media_type", ["text/html", "text/plain", "application/pdf", ""])
def test_may_be_read__page(media_type: str) -> None:
    """Types that can be read, and none, of which nothing is known."""
    assert may_be_read(media_type)


@pytest.mark.parametrize("media_type", ["image/png", "video/mp4", "application/zip", "text/css"])
def test_may_be_read__other(media_type: str) -> None:
    """The body of these is not even asked for."""
    assert not may_be_read(media_type)
