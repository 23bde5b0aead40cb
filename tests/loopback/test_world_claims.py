"""The rules of the stand-in judge for claims, on texts that a reader can label himself."""

from __future__ import annotations

import pytest

from gate.loopback.judging.claiming import claims_of
from gate.loopback.judging.claims import claims
from gate.loopback.judging.page_texts import SHORTEST_QUOTE, pages_of
from gate.loopback.judging.sections import Sections
from tests.loopback.world_driver import CASES, world
from tests.loopback.world_evidence import answer_of, claims_in, faithfulness, text_at

ASKED = "How long is the mole of Brackwater?"
PAGE = """The mole | port.example | http://port.example/mole

The mole
The mole of Brackwater is 640 m long. It was built in 1871 by Karen Holt and is open to walkers.
Rules
Dogs are not allowed on the mole.
- Walk on the left
- Keep 3 m from the edge at night
[...]
A lamp burns at its end."""
OTHER = """Holt | lore.example | http://lore.example/holt

Karen Holt was an engineer from Ostby. She never saw the mole in a storm."""


def given(*sentences: str, **texts: str) -> Sections:
    """Return sections with these sentences as the answer, and two pages unless others are given."""
    lines = "\n".join(f"[{number}] {one}" for number, one in enumerate(sentences, 1))
    usual = {"question": ASKED, "answer": "\n".join(sentences), "sentences": lines}
    return Sections(usual | (texts or {"page-1": PAGE, "page-2": OTHER}))


@pytest.mark.parametrize(
    ("sentence", "label", "page"),
    [
        ("The mole of Brackwater is 640 m long.", "supported", 1),
        ("The mole of Brackwater is 640 metres long.", "supported", 1),
        ("The mole of Brackwater is 690 m long.", "unsupported", 0),
        ("The mole of Brackwater is 640 km long.", "unsupported", 0),
        ("The mole was built by Karen Holt in 1871.", "supported", 1),
        ("The mole was built by Lars Bryn in 1871.", "unsupported", 0),
        ("Dogs are not allowed on the mole.", "supported", 1),
        ("Dogs are allowed on the mole.", "unsupported", 0),
        ("Karen Holt was an engineer from Ostby.", "supported", 2),
        ("She never saw the mole in a storm.", "supported", 2),
        ("The mole is paved with slabs from Arnstad.", "unsupported", 0),
        ("A lamp from Arnstad burns at its end.", "partial", 1),
        ("A lamp with 12 mirrors burns at its end.", "partial", 1),
        ("2. Walk on the left", "supported", 1),
        ("The mole is open to walkers all year round.", "partial", 1),
    ],
)
def test_claim__label(sentence: str, label: str, page: int) -> None:
    """Figures, names and most words in one place; a page that says otherwise is no half proof."""
    rows = claims(given(sentence))

    assert [(label, page)] == [(row["label"], row["page"]) for row in rows]


@pytest.mark.parametrize(
    ("sentence", "made"),
    [
        ("The mole is 640 m long.", ["The mole is 640 m long."]),
        (
            "The mole is 640 m long and was built in 1871; its lamp burns at night.",
            [
                "The mole is 640 m long.",
                "The mole was built in 1871.",
                "The mole's lamp burns at night.",
            ],
        ),
        ("Choose the hut, the nights and the number of beds.", None),
        ("The mole is 640 m long and was built.", None),
        ("Trams leave at 8:00, 13:00 and 18:00.", None),
        ("Is the mole of Brackwater 640 m long?", []),
        ("I could not find anything about the mole.", []),
        ("“Mole” can mean several things.", []),
        ("In general the broader picture helps.", []),
        ("As so often, it is a matter of 640 m.", None),
        ("3.", []),
        (f"On the question “{ASKED}” I found this.", []),
    ],
)
def test_sentence__makes_claims(sentence: str, made: list[str] | None) -> None:
    """Clauses with a fact of their own are claims; questions, refusals and remarks make none.

    None stands for the sentence as it is.
    """
    expected = [sentence] if made is None else made

    assert expected == [claim.text for claim in claims_of(given(sentence))]


def test_claims__name_what_a_pronoun_stands_for() -> None:
    """Each claim can be read by itself, and knows its sentence."""
    made = claims_of(
        given("The mole of Brackwater is long.", "It was built in 1871.", "It is closed in winter.")
    )

    assert [
        (1, "The mole of Brackwater is long."),
        (2, "The mole of Brackwater was built in 1871."),
        (3, "The mole of Brackwater is closed in winter."),
    ] == [(claim.sentence, claim.text) for claim in made]


def test_quote__stands_on_its_page_word_for_word() -> None:
    """Over all cases each quote is long enough and is part of the text that was shown."""
    where, quotes = world(), 0
    for case in CASES:
        answer = answer_of(where, case["query"])
        for claim in claims_in(where, case["query"], answer):
            if claim["label"] in {"supported", "partial"}:
                shown = " ".join(text_at(answer.sources[claim["page"] - 1].uri).split())
                quotes += 1
                assert SHORTEST_QUOTE <= len(claim["quote"])
                assert claim["quote"] in shown

    assert 120 <= quotes


def test_quote__of_a_short_line_takes_its_neighbour_along() -> None:
    """A list item of sixteen letters proves nothing; what was left out is never bridged."""
    row = claims(given("Walk on the left."))[0]

    assert "Walk on the left - Keep 3 m from the edge at night" == row["quote"]
    assert (
        "It was built in 1871 - Mind the step"
        == claims(
            given(
                "Mind the step.", **{"page-1": "t | d | u\n\nIt was built in 1871\n- Mind the step"}
            )
        )[0]["quote"]
    )
    assert [] == [one for one in pages_of(given(""))[0].passages if "[...]" in one.quote]
    assert "A lamp burns at its end." == claims(given("A lamp burns at its end."))[0]["quote"]


def test_title_line__is_no_evidence() -> None:
    """The head of a page helps to know what it is about and is never quoted."""
    page = (
        "Brackwater has 9,000 people | port.example | http://port.example\n\nIt rains a lot here."
    )
    row = claims(given("Brackwater has 9,000 people.", **{"page-1": page}))[0]

    assert "unsupported" == row["label"]


def test_claims__without_pages_are_unverifiable() -> None:
    """Nothing is unsupported where nothing could be read."""
    rows = claims(given("The mole is 640 m long.", notes=""))

    assert [("unverifiable", 0, "")] == [(r["label"], r["page"], r["quote"]) for r in rows]


def test_page_taken_away__only_its_claims_leave() -> None:
    """With one page hidden its claims leave numerator and denominator; all other labels stay."""
    where, left = world(), 0
    for case in CASES:
        answer = answer_of(where, case["query"])
        before = claims_in(where, case["query"], answer)
        for source in answer.sources:
            after = claims_in(where, case["query"], answer, hidden=frozenset({source.uri}))
            assert [one["claim"] for one in before] == [one["claim"] for one in after]
            for one, other in zip(before, after, strict=True):
                gone = other["label"] == "unverifiable" != one["label"]
                left += gone
                own = one["page"] and answer.sources[one["page"] - 1].uri == source.uri
                assert gone or own or one["label"] == other["label"]

    assert 60 <= left


def test_faithfulness__falls_when_the_evidence_goes() -> None:
    """A cited page that says something else now is no proof of what it said."""
    where = world()
    question = "Tell me about Bramble."
    labels = {
        one["claim"]: one["label"] for one in claims_in(where, question, answer_of(where, question))
    }
    bicycle = next(label for claim, label in labels.items() if "640 euros" in claim)

    assert "unsupported" == bicycle
    assert 0.8 == faithfulness(claims_in(where, question, answer_of(where, question)))
