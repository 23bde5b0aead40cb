"""The mini-web and the cases: their number, their size, and how pages are served."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from gate.loopback.exchange import Reply, Request
from gate.loopback.pages import FOLDER, SHIM_HOST, Page, load_pages
from gate.loopback.pdf import pdf_of
from gate.loopback.serving_pages import DELIVERIES, SLOW_S
from gate.loopback.web import Web
from gate.wire.pagetext.extract import extract
from tests.loopback.world_driver import CASES, ask, said, world

REGIONS = {"hestroy": 24, "merrowdale": 24}
"""Region -> how many of the cases are about it, in this order."""


def get(path: str, host: str = "127.0.0.1:1") -> Reply:
    """Fetch a page."""
    return world().respond(Request("GET", path, {"host": host}, b""))


def served(how: str) -> Page:
    """Return a page by how its site hands it out."""
    return next(page for page in load_pages() if page.served == how)


def fetched(page: Page) -> Reply:
    """Fetch a page by its name."""
    return get(page.path, page.host)


def test_pages__are_many_and_of_a_fair_size() -> None:
    """At least 60 files of 1.5 to 6 kB on hosts that cannot exist."""
    sizes = [file.stat().st_size for file in FOLDER.rglob("*.html")]

    assert 60 <= len(load_pages())
    assert all(1_500 <= size <= 6_144 for size in sizes)
    assert all(page.host.endswith(".example") for page in load_pages())
    assert all(page.title and page.date and len(page.sentences) > 4 for page in load_pages())


def test_pages__text_leaves_navigation_out() -> None:
    """Menus, search forms and footers are no part of a page's text."""
    text = " ".join(s.text + s.heading for page in load_pages() for s in page.sentences)

    assert "cookies" not in text
    assert "Imprint" not in text
    assert "Search this site" not in text


def test_cases__eight_of_each_kind() -> None:
    """48 cases with unique names, each with something to expect."""
    kinds = Counter(case["category"] for case in CASES)

    assert {"factual", "temporal", "how-to", "multi-hop", "ambiguous", "no-good-answer"} == set(
        kinds
    )
    assert {8} == set(kinds.values())
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
    assert page.file == get(there).body == get(page.path, f"{page.host}:8080").body


def test_index_page__is_a_slash() -> None:
    """The first page of a host has the path /."""
    assert b"Hestr" in get("/", "www.hestroy.example").body


def test_dead_links__are_404() -> None:
    """Unknown links and pages are 404, and so is a page that the search still knows."""
    gone = [page for page in load_pages() if page.served == "gone"]

    assert 2 == len(gone)
    assert 404 == get(gone[0].path, gone[0].host).status
    assert 302 == get(f"/grounding-api-redirect/{gone[0].shim}").status
    assert 404 == get("/grounding-api-redirect/nothing").status
    assert 404 == get("/pages/brimline.example/nothing").status


def test_odd_charset__is_declared_in_the_file_only() -> None:
    """One page is Latin-1 and says so in its head alone."""
    page = next(page for page in load_pages() if page.host == "vollsundyard.example")

    reply = fetched(page)

    assert "text/html" == reply.content_type
    assert b'charset="iso-8859-1"' in reply.body
    assert "Nord\u00f8ysund" not in reply.body.decode("utf-8", "replace")
    assert "Nord\u00f8ysund" in extract("html", reply.body)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("windows-1252", "\u00c9dith Marlowe was born in the town of Pellbr\u00fccken"),
        ("utf-16", "has cast bells since 1792"),
    ],
)
def test_charset__without_a_word(how: str, words: str) -> None:
    """One page is Windows-1252 and tells nobody, one is UTF-16 with a byte order mark."""
    reply = fetched(served(how))

    assert ("text/html", False) == (reply.content_type, b"charset" in reply.body)
    assert words.encode() not in reply.body
    assert words in extract("html", reply.body)


def test_pdf__holds_the_text_of_the_page() -> None:
    """The list of fares comes as a PDF; its sentences can be read out of it."""
    page = served("pdf")
    reply = fetched(page)
    text = " ".join(extract("pdf", reply.body).split())

    assert "application/pdf" == reply.content_type
    assert [] == [one.text for one in page.sentences if one.text not in text]
    assert all(one.heading in text for one in page.sentences)


def test_pdf__of_several_pages() -> None:
    """A long text goes on over the page; brackets and backslashes stand as they are."""
    text = " ".join(
        extract("pdf", pdf_of("Title", [f"Line (no. {n}) \\" for n in range(90)])).split()
    )

    assert text.startswith("Title Line (no. 0) \\ Line (no. 1)")
    assert text.endswith("Line (no. 89) \\")


@pytest.mark.parametrize(
    ("how", "status", "text"), [("gone", 404, ""), ("forbidden", 403, ""), ("empty", 200, "")]
)
def test_unreadable__has_a_status_or_no_text(how: str, status: int, text: str) -> None:
    """A page that is gone, one for members, and one that scripts would fill."""
    reply = fetched(served(how))

    assert status == reply.status
    assert text == (extract("html", reply.body) if status == 200 else "")
    assert len(served(how).sentences) > 4


def test_slow__is_held_back() -> None:
    """The slow page is whole when it comes; no other page is slow."""
    slow = {page.host for page in load_pages() if fetched(page).delay_s}

    assert {"planetarium.merrowdale.example"} == slow
    assert 1.0 <= fetched(served("slow")).delay_s == SLOW_S <= 5.0
    assert served("slow").file == fetched(served("slow")).body


def test_rewritten__says_something_else_than_the_search_knows() -> None:
    """The price of a bicycle has changed since the search saw the page."""
    rewritten = [page for page in load_pages() if page.now != page.file]
    known = " ".join(one.text for one in rewritten[0].sentences)
    now = extract("html", fetched(rewritten[0]).body)

    assert ["/bicycles"] == [page.path for page in rewritten]
    assert ("640 euros" in known, "640 euros" in now) == (True, False)
    assert ("735 euros" in known, "735 euros" in now) == (False, True)


def test_deliveries__each_is_cited() -> None:
    """No page asks for an unknown one, and the steady answers cite one page of each at least."""
    where, pages = world(), {page.uri: page for page in load_pages()}
    cited = [uri for case in CASES for _, _, uri in said(ask(where, case["query"])).sources]

    assert set(DELIVERIES) == {page.served for page in load_pages()}
    assert set(DELIVERIES) == {pages[uri].served for uri in cited}
    assert any(pages[uri].now != pages[uri].file for uri in cited)


def test_hosts__are_told_to_whoever_fetches() -> None:
    """All names that lead to the world: those of the pages and that of the redirects."""
    hosts = json.loads(get("/_world/hosts").body)["hosts"]

    assert sorted({page.host for page in load_pages()} | {SHIM_HOST}) == hosts
    assert 404 == get("/_world/nothing").status


def test_regions__each_question_goes_to_its_own() -> None:
    """Term statistics of one region are no business of the other."""
    web = Web(load_pages())
    found = Counter(web.index_for(case["query"]).pages[0].region for case in CASES)
    order = [web.index_for(case["query"]).pages[0].region for case in CASES]

    assert REGIONS == found
    assert order == sorted(order)


def test_regions__pages_of_another_place_change_no_weight() -> None:
    """The index of the island is the same with and without the valley."""
    island = [page for page in load_pages() if page.region == "hestroy"]
    alone, among = (Web(some).index_for(CASES[0]["query"]) for some in (island, load_pages()))

    assert alone.pages == among.pages
    assert all(
        alone.weight(word) == among.weight(word) for page in island for word in alone.words_of(page)
    )
    assert [(hit.page.uri, hit.score) for hit in alone.search(["tarn", "seed"])] == [
        (hit.page.uri, hit.score) for hit in among.search(["tarn", "seed"])
    ]
