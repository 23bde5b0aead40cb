"""The mini-web over HTTP: pages by host or under /pages/, and redirect links to them."""

from __future__ import annotations

from functools import lru_cache

from gate.loopback.exchange import Reply, Request
from gate.loopback.pages import SHIM_HOST, Page, load_pages

_REDIRECT = "/grounding-api-redirect/"
_PAGES = "/pages/"
_ENDING = ".example"
_HTML = "text/html"


def serve_page(request: Request) -> Reply:
    """Return a page, a redirect to one, or 404; a page can be gone that the search still knows."""
    host = request.headers.get("host", "").partition(":")[0].lower()
    named = host.endswith(_ENDING)
    if request.path.startswith(_REDIRECT) and (host == SHIM_HOST or not named):
        page = _by_shim().get(request.path.removeprefix(_REDIRECT))
        return _nothing() if page is None else _redirect(page, named=named)
    if request.path.startswith(_PAGES) and not named:
        host, _, rest = request.path.removeprefix(_PAGES).partition("/")
        return _page(_by_address().get((host, f"/{rest}")))
    return _page(_by_address().get((host, request.path)))


def _redirect(page: Page, *, named: bool) -> Reply:
    place = f"http://{page.host}{page.path}" if named else f"{_PAGES}{page.host}{page.path}"
    return Reply(302, b"", _HTML, (("Location", place),))


def _page(page: Page | None) -> Reply:
    """Return the file as it is; its charset stands in the file only, as on many real sites."""
    return _nothing() if page is None or page.gone else Reply(200, page.body, _HTML)


def _nothing() -> Reply:
    return Reply(
        404, b"<!DOCTYPE html><title>Not found</title><p>There is no such page.</p>", _HTML
    )


@lru_cache(maxsize=1)
def _by_address() -> dict[tuple[str, str], Page]:
    return {(page.host, page.path): page for page in load_pages()}


@lru_cache(maxsize=1)
def _by_shim() -> dict[str, Page]:
    return {page.shim: page for page in load_pages()}
