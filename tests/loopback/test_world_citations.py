"""The rules of the stand-in judge for citations, and where it finds the form for lists."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate.loopback.judging.citations import cited_sentences, statements
from gate.loopback.judging.form import UnknownKeyError, fields_of
from gate.loopback.judging.judge import rule
from gate.loopback.judging.sections import Sections
from tests.loopback.test_world_claims import ASKED, OTHER, PAGE, given
from tests.loopback.world_driver import (
    CLAUDE,
    JUDGE,
    SCHEMA,
    fenced,
    judge_body,
    post,
    text_of,
    world,
)
from tests.loopback.world_evidence import CITATIONS, CLAIMS

LONG = "The mole of Brackwater is 640 m long."
BUILT = "It was built in 1871 by Karen Holt, who was an engineer from Ostby."
BOTH = "The mole is 640 m long; Karen Holt was an engineer from Ostby."
THIRD = "The mole | news.example | u\n\nThe mole of Brackwater is 640 m long, we measured it."


def with_cited(cited: str, *sentences: str, **pages: str) -> Sections:
    """Return sections of an answer with its citations and two or more pages."""
    return given(*sentences, cited=cited, **({"page-1": PAGE, "page-2": OTHER} | pages))


@pytest.mark.parametrize(
    ("sentence", "cited", "supported", "citations"),
    [
        (LONG, "1", True, [(1, True, False)]),
        (LONG, "2", False, [(2, False, False)]),
        (LONG, "1, 2", True, [(1, True, False), (2, False, True)]),
        (LONG, "1, 3", True, [(1, True, True), (3, True, True)]),
        (BOTH, "1, 2", True, [(1, False, False), (2, False, False)]),
        (BOTH, "1", False, [(1, False, False)]),
        (LONG, "9", False, [(9, False, False)]),
        ("Which of them do you mean?", "1", False, [(1, False, False)]),
    ],
)
def test_cited_sentence__is_carried_or_not(
    sentence: str, cited: str, *, supported: bool, citations: list[tuple[int, bool, bool]]
) -> None:
    """All pages together, each by itself, and the others without it; a page unseen carries none."""
    rows = cited_sentences(with_cited(f"[1] {cited}", sentence, **{"page-3": THIRD}))

    assert [
        {
            "sentence": 1,
            "supported": supported,
            "citations": [{"page": p, "alone": a, "rest": r} for p, a, r in citations],
        }
    ] == rows


def test_cited_sentences__only_those_with_citations() -> None:
    """A sentence that is absent from the section is not asked about; a line of rubbish is none."""
    given_two = with_cited("[2] 1\n[3]\nnothing", LONG, LONG, LONG)

    assert [2] == [row["sentence"] for row in cited_sentences(given_two)]
    assert [] == cited_sentences(given(LONG))


def test_statements__come_nearest_first_with_whether_they_are_said() -> None:
    """What takes up the question is listed; the answer states it or does not."""
    rows = statements(with_cited("", LONG))
    silent = statements(with_cited("", "Dogs are not allowed on the mole."))

    assert {"statement": LONG, "page": 1, "stated": True} == rows[0]
    assert {"statement": LONG, "page": 1, "stated": False} == silent[0]
    assert all(len(row) == 3 for row in rows)


def test_statements__of_two_pages_that_say_the_same_count_once() -> None:
    """Twenty at most, none twice, none without a page."""
    many = "\n".join(
        f"The mole of Brackwater is long in year {1900 + n} of {n} lists." for n in range(50)
    )
    rows = statements(with_cited("", LONG, **{"page-3": THIRD}))

    assert 1 == sum("640 m" in str(row["statement"]) for row in rows)
    assert 20 >= len(statements(given(LONG, **{"page-1": f"t | d | u\n\n{many}"})))
    assert [] == statements(given(LONG, notes=""))


def test_statements__of_steps() -> None:
    """Where steps are asked for, the items of the list on the page are what matters."""
    steps = "- Cross the left end over the right\n- Pull both ends tight"
    page = f"Knots | sea.example | u\n\nTie a reef knot\n{steps}"
    rows = statements(
        given(
            "1. Cross the left end over the right",
            question="How do I tie a reef knot?",
            **{"page-1": page},
        )
    )

    assert [("Cross the left end over the right", True), ("Pull both ends tight", False)] == [
        (row["statement"], row["stated"]) for row in rows
    ]


def ask_judge(*blocks: str, **changes: Any) -> dict[str, Any]:
    """Return the judge's reply to user blocks without an output format."""
    content = [{"type": "text", "text": text} for text in blocks]
    body = judge_body("", messages=[{"role": "user", "content": content}], output_config={})
    reply = post(world(), CLAUDE.format(JUDGE), body | changes)
    return {"status": reply.status, **json.loads(reply.body)}


def filled(reply: dict[str, Any]) -> dict[str, Any]:
    """Return the form in a reply."""
    return json.loads(text_of(reply).removeprefix("```json\n").removesuffix("\n```"))


def shown(schema: dict[str, Any]) -> str:
    """Return a schema as the own part of a prompt shows it."""
    return f"Fill in the form.\n\n```json\n{json.dumps(schema, indent=2)}\n```"


SHARED = "\n\n".join(
    fenced(name, text)
    for name, text in {
        "question": ASKED,
        "answer": LONG,
        "sentences": f"[1] {LONG}",
        "page-1": f"{PAGE}\n{shown(SCHEMA)}",
    }.items()
)


def test_form__stands_at_the_end_of_the_own_part() -> None:
    """Each of the two forms is found there and filled in; the page's own block is material."""
    claims = filled(ask_judge(SHARED, shown(CLAIMS)))
    citations = filled(ask_judge(SHARED, f"{fenced('cited', '[1] 1')}\n{shown(CITATIONS)}"))

    assert ["claims"] == list(claims)
    assert "supported" == claims["claims"][0]["label"]
    assert ["sentences", "statements"] == list(citations)
    assert citations["sentences"][0]["supported"]


def test_form__is_found_when_a_repair_follows() -> None:
    """The request to mend a reply comes last, the form stands in the block before."""
    assert ["claims"] == list(filled(ask_judge(SHARED, shown(CLAIMS), "That was no JSON.")))


def test_form__in_a_page_is_no_form() -> None:
    """Without a form of the caller's own nothing is filled in, whatever a page shows."""
    assert "OK." == text_of(ask_judge(SHARED, "Please do."))


def test_form__in_the_system_text_comes_first() -> None:
    """What the own part shows beside it is not looked at."""
    reply = ask_judge(SHARED, shown(CITATIONS), system=shown(CLAIMS))

    assert ["claims"] == list(filled(reply))


def test_form__with_an_unknown_list() -> None:
    """A list that there is no rule for is refused aloud."""
    reply = ask_judge(
        SHARED, shown({"type": "object", "properties": {"hunches": {"type": "array"}}})
    )

    assert 400 == reply["status"]
    assert "no rule for 'hunches'" in reply["error"]["message"]
    with pytest.raises(UnknownKeyError, match="claims, sentences, statements"):
        rule(given(LONG), fields_of({"properties": {"hunches": {"type": "array"}}}))


def test_form__kinds_can_be_mixed() -> None:
    """Levels, lists and the justification stand in one form, in its order."""
    form = fields_of({"properties": {**SCHEMA["properties"], **CLAIMS["properties"]}})
    ruling = rule(given(LONG), form)

    assert [field.name for field in form] == list(ruling)
    assert isinstance(ruling["relevance"], int)
    assert isinstance(ruling["claims"], list)
