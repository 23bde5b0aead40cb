"""The mini-web and the cases: their number, their size, and how pages are served."""

from __future__ import annotations

from collections import Counter

from gate.loopback.exchange import Reply, Request
from gate.loopback.pages import FOLDER, SHIM_HOST, load_pages
from tests.loopback.world_driver import CASES, world


def get(path: str, host: str = "127.0.0.1:1") -> Reply:
    """Fetch a page."""
    return world().respond(Request("GET", path, {"host": host}, b""))


def test_pages__are_many_and_of_a_fair_size() -> None:
    """At least 24 files of 1.5 to 6 kB on hosts that cannot exist."""
    sizes = [file.stat().st_size for file in FOLDER.rglob("*.html")]

    assert 24 <= len(sizes)
    assert all(1_500 <= size <= 6_144 for size in sizes)
    assert all(page.host.endswith(".example") for page in load_pages())
    assert all(page.title and page.date and len(page.sentences) > 4 for page in load_pages())


def test_pages__text_leaves_navigation_out() -> None:
    """Menus, search forms and footers are no part of a page's text."""
    text = " ".join(s.text + s.heading for page in load_pages() for s in page.sentences)

    assert "cookies" not in text
    assert "Imprint" not in text
    assert "Search this site" not in text


def test_cases__four_of_each_kind() -> None:
    """24 cases with unique names, each with something to expect."""
    kinds = Counter(case["category"] for case in CASES)

    assert {"factual", "temporal", "how-to", "multi-hop", "ambiguous", "no-good-answer"} == set(
        kinds
    )
    assert {4} == set(kinds.values())
    assert len(CASES) == len({case["id"] for case in CASES})
    assert all(case["query"] and case["expect_assertions"] for case in CASES)
    allowed = {"id", "query", "category", "expect_assertions", "expect_domains", "notes"}
    assert all(set(case) <= allowed for case in CASES)


def test_expected_domains__exist() -> None:
    """Each expected domain is one of the mini-web."""
    hosts = {page.host for page in load_pages()}

    assert {d for case in CASES for d in case.get("expect_domains", [])} <= hosts


def test_redirect__leads_to_the_page() -> None:
    """A link of a grounded answer redirects, by name for whoever came by name, else by path."""
    page = next(page for page in load_pages() if page.host == "brimline.example")
    path = page.uri.removeprefix(f"http://{SHIM_HOST}")
    by_name, by_port = get(path, SHIM_HOST), get(path)

    assert (302, 302) == (by_name.status, by_port.status)
    assert ("Location", f"http://{page.host}{page.path}") == by_name.headers[0]
    there = dict(by_port.headers)["Location"]
    assert f"/pages/{page.host}{page.path}" == there
    assert page.body == get(there).body == get(page.path, f"{page.host}:8080").body


def test_index_page__is_a_slash() -> None:
    """The first page of a host has the path /."""
    assert b"Hestr" in get("/", "www.hestroy.example").body


def test_dead_links__are_404() -> None:
    """Unknown links and pages are 404, and so is a page that the search still knows."""
    gone = [page for page in load_pages() if page.gone]

    assert 1 == len(gone)
    assert 404 == get(gone[0].path, gone[0].host).status
    assert 302 == get(f"/grounding-api-redirect/{gone[0].shim}").status
    assert 404 == get("/grounding-api-redirect/nothing").status
    assert 404 == get("/pages/brimline.example/nothing").status


def test_odd_charset__is_declared_in_the_file_only() -> None:
    """One page is Latin-1 and says so in its head alone."""
    page = next(page for page in load_pages() if page.host == "vollsundyard.example")

    assert "text/html" == get(page.path, page.host).content_type
    assert b'charset="iso-8859-1"' in page.body
    assert "S\u00f8rv\u00e5g" not in page.body.decode("utf-8", "replace")
