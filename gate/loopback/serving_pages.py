"""The mini-web over HTTP: pages by host or under /pages/, and redirect links to them.

A page can be handed out otherwise than the search knew it: gone, forbidden, empty, rewritten,
slow, in another charset, or as a PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from gate.loopback.exchange import Reply, Request
from gate.loopback.pages import SHIM_HOST, Page, load_pages
from gate.loopback.pdf import pdf_of

SLOW_S = 2.0
"""Seconds that a slow page takes: long, but within the patience of most readers."""
_REDIRECT = "/grounding-api-redirect/"
_PAGES = "/pages/"
_ENDING = ".example"
_HTML = "text/html"
_MISSING = b"<!DOCTYPE html><title>Not found</title><p>There is no such page.</p>"
_MEMBERS = b"<!DOCTYPE html><title>Members only</title><p>Sign in to read this page.</p>"


def serve_page(request: Request) -> Reply:
    """Return a page, a redirect to one, or 404; a page can be gone that the search still knows."""
    host = request.headers.get("host", "").partition(":")[0].lower()
    named = host.endswith(_ENDING)
    if request.path.startswith(_REDIRECT) and (host == SHIM_HOST or not named):
        page = _by_shim().get(request.path.removeprefix(_REDIRECT))
        return _missing() if page is None else _redirect(page, named=named)
    if request.path.startswith(_PAGES) and not named:
        host, _, rest = request.path.removeprefix(_PAGES).partition("/")
        return _page(_by_address().get((host, f"/{rest}")))
    return _page(_by_address().get((host, request.path)))


@lru_cache(maxsize=1)
def hosts() -> tuple[str, ...]:
    """Return all names that lead to this world, sorted: whoever fetches by name has to know."""
    return tuple(sorted({SHIM_HOST, *(page.host for page in load_pages())}))


def _redirect(page: Page, *, named: bool) -> Reply:
    place = f"http://{page.host}{page.path}" if named else f"{_PAGES}{page.host}{page.path}"
    return Reply(302, b"", _HTML, (("Location", place),))


def _page(page: Page | None) -> Reply:
    return _missing() if page is None else DELIVERIES[page.served](page)


def _plainly(page: Page) -> Reply:
    """Return the file as it is; its charset stands in the file only, as on many real sites."""
    return Reply(200, page.now, _HTML)


def _missing(_page: Page | None = None) -> Reply:
    return Reply(404, _MISSING, _HTML)


def _forbidden(_page: Page) -> Reply:
    return Reply(403, _MEMBERS, _HTML)


def _empty(page: Page) -> Reply:
    """Return a page whose text is put in by scripts, so that its file holds none."""
    shell = f'<!DOCTYPE html><title>{page.title}</title><div id="app"></div>'
    return Reply(200, f"{shell}<script>start();</script>".encode(), _HTML)


def _slow(page: Page) -> Reply:
    return Reply(200, page.now, _HTML, delay_s=SLOW_S)


def _in(charset: str) -> Callable[[Page], Reply]:
    """Return a delivery in a charset of which no word is said, but for a byte order mark."""
    return lambda page: Reply(200, page.now.decode().encode(charset), _HTML)


def _as_pdf(page: Page) -> Reply:
    paragraphs: list[str] = []
    heading = ""
    for sentence in page.sentences:
        if sentence.heading != heading:
            heading = sentence.heading
            paragraphs.append(heading)
        if sentence.follows:
            paragraphs[-1] += f" {sentence.text}"
        else:
            paragraphs.append(sentence.text)
    return Reply(200, pdf_of(page.title, paragraphs), "application/pdf")


DELIVERIES: Final[Mapping[str, Callable[[Page], Reply]]] = {
    "plainly": _plainly,
    "gone": _missing,
    "forbidden": _forbidden,
    "empty": _empty,
    "slow": _slow,
    "windows-1252": _in("cp1252"),
    "utf-16": _in("utf-16"),
    "pdf": _as_pdf,
}
"""Content of a page's meta element `served` -> what its site sends."""


@lru_cache(maxsize=1)
def _by_address() -> dict[tuple[str, str], Page]:
    return {(page.host, page.path): page for page in load_pages()}


@lru_cache(maxsize=1)
def _by_shim() -> dict[str, Page]:
    return {page.shim: page for page in load_pages()}
