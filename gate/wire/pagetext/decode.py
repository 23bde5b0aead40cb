"""The characters of a page, from its bytes and from what is said of them.

The order of the HTML standard: a byte order mark, the charset of the HTTP header, the one in a
`meta` element; then UTF-8, then Windows-1252, which is what a page without a word most often is.
"""

from __future__ import annotations

import codecs
import re

_META_BYTES = 4096
_META = re.compile(
    rb"""<meta[^>]{0,400}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{2,40})""", re.IGNORECASE
)
_XML = re.compile(
    rb"""^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{2,40})""", re.IGNORECASE
)
_LABEL = re.compile(r"[\w.:-]{2,40}", re.ASCII)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ALSO_CALLED = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "windows-949": "cp949",
    "x-gbk": "gb18030",
    "big5-hkscs": "big5hkscs",
}
"""Labels of the web that Python does not know."""
_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "tis-620": "cp874",
    "utf-16": "utf-16-le",
}
"""Codec -> the larger one that the web means by its name (WHATWG Encoding)."""
_KNOWN = frozenset(
    {
        *(
            "utf-8",
            "utf-16-le",
            "utf-16-be",
            "gb18030",
            "big5",
            "big5hkscs",
            "cp932",
            "euc_jp",
            "iso2022_jp",
        ),
        *("cp949", "koi8-r", "koi8-u", "cp866", "mac-roman"),
        *(f"cp{number}" for number in (874, *range(1250, 1259))),
        *(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    }
)
"""Codecs that a page may ask for; Python's others, such as UTF-7, are none of a page."""


def decode(body: bytes, charset: str | None = None, *, cut: bool = False) -> str:
    """Return the characters of a page; what cannot be decoded becomes U+FFFD.

    `charset` is the one in the HTTP header. `cut` says that the end is missing, which may be in
    the middle of a character. A charset that is plainly wrong is passed over.
    """
    for mark, marked in _BOMS:
        if body.startswith(mark):
            return _read(body[len(mark) :], marked, cut=cut)
    head = body[:_META_BYTES]
    found = _META.search(head) or _XML.search(head)
    inside = _codec(found[1].decode("ascii", "replace")) if found else None
    if inside in ("utf-16-le", "utf-16-be"):
        inside = "utf-8"  # or the label itself could not have been read
    for codec in (_codec(charset), inside, "utf-8"):
        if codec is not None:
            text = _read(body, codec, cut=cut)
            if _fits(text, body, codec):
                return text
    return _read(body, "cp1252", cut=cut)


def _codec(label: str | None) -> str | None:
    """Return Python's codec for a label of the web; None for one that is no charset."""
    if label is None or _LABEL.fullmatch(label) is None:
        return None
    try:
        name = codecs.lookup(_ALSO_CALLED.get(label.lower(), label)).name
    except LookupError:
        return None
    name = _READ_AS.get(name, name)
    return name if name in _KNOWN else None


def _read(body: bytes, codec: str, *, cut: bool) -> str:
    return codecs.getincrementaldecoder(codec)("replace").decode(body, not cut)


_ASCII = bytes(range(128))


def _fits(text: str, body: bytes, codec: str) -> bool:
    """Return whether most of what is not ASCII could be decoded: a few broken bytes are usual."""
    broken = text.count("\N{REPLACEMENT CHARACTER}")
    if codec.startswith("utf-16"):
        return b"\0" in body[:512] and broken * 10 <= len(text)  # markup and blanks have zeros
    return broken * 2 <= len(body.translate(None, _ASCII))
