"""The mini-web: HTML files of this project, read into pages of blocks and sentences."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

from gate.loopback.words import sentences

FOLDER = Path(__file__).parent / "world" / "pages"
"""Where the pages lie: one folder a region, in it one a host, in it one file a page."""
SHIM_HOST = "shim.world.example"
"""The host of the redirect links that grounded answers carry."""
WEAK_WORDS = ("blog", "shop", "forum")
"""Words of a host that mark a weak source."""

_NOW = ".now"
"""`x.now.html` is what `/x` holds now, and `x.html` what the search knows of it."""
_SKIPPED = {"nav", "header", "footer", "aside", "style", "script", "form"}
_BLOCKS = {"h1", "h2", "h3", "p", "li"}
_DECLARED = re.compile(rb'<meta charset="([\w-]+)"')


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence or list item of a page."""

    text: str
    """The words as on the page."""
    heading: str
    """The nearest heading above it; empty before the first."""
    section: int
    """Number of the section on its page, from 0."""
    step: int
    """Number of the step in an ordered list, from 1; 0 when it is no step."""
    follows: bool
    """Whether it stands in the same paragraph as the sentence before it."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the mini-web."""

    region: str
    """The place that it is about: the folder that its host's folder lies in."""
    host: str
    """Such as `docs.tarn-lang.example`."""
    path: str
    """Starts with a slash; `/` for the index."""
    title: str
    """The text of the title element."""
    date: str
    """When it was last changed, YYYY-MM-DD."""
    served: str
    """How its site hands it out: `plainly`, or a key of DELIVERIES in serving_pages.py."""
    file: bytes
    """The HTML file, which is what the search knows of the page."""
    now: bytes
    """What stands there now, where its site has rewritten it since; else the file."""
    sentences: tuple[Sentence, ...]
    """What stands between the navigation and the footer."""

    @property
    def shim(self) -> str:
        """The stable id of its redirect link."""
        return base64.urlsafe_b64encode(
            hashlib.sha256(f"{self.host}{self.path}".encode()).digest()[:18]
        ).decode()

    @property
    def uri(self) -> str:
        """The redirect link that answers cite; it has no port, so it is the same in each run."""
        return f"http://{SHIM_HOST}/grounding-api-redirect/{self.shim}"

    @property
    def weak(self) -> bool:
        """Whether the host is a blog, a shop or a forum."""
        return any(word in self.host for word in WEAK_WORDS)


class _Reader(HTMLParser):
    """Collects title, meta values and blocks; the pages are ours, so it trusts their HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.meta: dict[str, str] = {}
        self.blocks: list[tuple[str, str, int]] = []
        self._skip = 0
        self._block = ""
        self._text: list[str] = []
        self._step: int | None = None
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a block, or start to skip."""
        given = dict(attrs)
        if tag == "meta" and given.get("name"):
            self.meta[str(given["name"])] = given.get("content") or ""
        self._in_title = tag == "title" or (self._in_title and tag != "head")
        if tag in _SKIPPED:
            self._skip += 1
        elif tag == "ol":
            self._step = 0
        elif tag in _BLOCKS and not self._skip:
            self._block, self._text = tag, []

    def handle_endtag(self, tag: str) -> None:
        """Close a block and keep it."""
        if tag == "title":
            self._in_title = False
        elif tag in _SKIPPED:
            self._skip -= 1
        elif tag == "ol":
            self._step = None
        elif tag == self._block and not self._skip:
            if tag == "li" and self._step is not None:
                self._step += 1
            self.blocks.append(
                (
                    tag,
                    " ".join("".join(self._text).split()),
                    (self._step or 0) if tag == "li" else 0,
                )
            )
            self._block = ""

    def handle_data(self, data: str) -> None:
        """Keep text of the title and of the open block."""
        if self._in_title:
            self.title += data
        elif self._block:
            self._text.append(data)


def read_page(file: Path, body: bytes, now: bytes | None = None) -> Page:
    """Return the page in an HTML file; its charset is the one that it declares, else UTF-8."""
    declared = _DECLARED.search(body)
    reader = _Reader()
    reader.feed(body.decode(declared[1].decode() if declared else "utf-8"))
    found: list[Sentence] = []
    heading, section = "", 0
    for tag, text, step in reader.blocks:
        if tag.startswith("h"):
            heading, section = text, section + 1
            continue
        parts = [text] if tag == "li" else sentences(text)
        found += [
            Sentence(part, heading, section, step, follows=bool(n)) for n, part in enumerate(parts)
        ]
    return Page(
        region=file.parent.parent.name,
        host=file.parent.name,
        path=_address(file),
        title=reader.title.strip(),
        date=reader.meta.get("date", ""),
        served=reader.meta.get("served", "plainly"),
        file=body,
        now=body if now is None else now,
        sentences=tuple(found),
    )


@lru_cache(maxsize=1)
def load_pages() -> tuple[Page, ...]:
    """Return all pages of the mini-web in the order of their addresses."""
    files = sorted(file for file in FOLDER.rglob("*.html") if not file.stem.endswith(_NOW))
    return tuple(read_page(file, file.read_bytes(), _rewritten(file)) for file in files)


def _rewritten(file: Path) -> bytes | None:
    """Return what a site has put in a page's place since the search saw it; None without it."""
    now = file.with_name(f"{file.stem}{_NOW}.html")
    return now.read_bytes() if now.exists() else None


def _address(file: Path) -> str:
    return "/" if file.stem == "index" else f"/{file.stem}"
