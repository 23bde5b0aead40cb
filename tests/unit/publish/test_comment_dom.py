"""Whole comments, rendered by GitHub's own library: hostile text changes nothing but code."""

from __future__ import annotations

import re

import pytest

from gate.publish.comment import comment_text
from gate.publish.hidden import units
from gate.publish.run_link import run_link
from gate.types import AttemptState, CaseStory, Report
from tests.unit.publish.dom import COMMENT, columns, names, outside_code, rendered, skeleton
from tests.unit.publish.publish_samples import HEAD, marker, occasion, past
from tests.unit.reports.hostile import hostile
from tests.unit.reports.markdown_reading import comment
from tests.unit.reports.report_samples import REPORTS, STORY, changed, report

GITHUB_CHARACTERS, GITHUB_BYTES = 65_536, 262_144
OURS = frozenset(
    {
        *("h3", "p", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "sub"),
        *("strong", "em", "code", "pre", "ul", "li", "br", "blockquote", "a", COMMENT),
    }
)
"""What a comment is made of. No image, and no link but the one to its run."""
PAGE = "https://github.com/o/r/actions/runs/1005/attempts/1"
ALIVE = re.compile(r"[@#<>`*]|//|www\.|\bgh-\d|:\w+:|\$\S+\$", re.IGNORECASE)
PIECES = (
    "a|b \\| `c` ``` </details> <!-- kappagate:{} --> --> @org/team fixes #1 closes o/r#2 GH-3 "
    "<img src=x> <a href='//a.example'> [l](http://c.example) ![i](d) www.a.example "
    "&#64;org \U0001f389\U0001f9d1\u200d\U0001f4bb ~~~ | - | \n\n| x | y |\n|---|---|\n# h\n> q\n"
)
KILOBYTE = (PIECES * 8).encode()[:1024].decode(errors="ignore")


def whole(of: Report) -> str:
    """The text that is posted: marker, body, the link to its run, what is remembered."""
    state = AttemptState(head_sha=HEAD, attempts=tuple(past(n, cases=400) for n in range(4)))
    link = run_link(occasion(), finished=True)
    return comment_text(marker(), comment(of), state, link)[0]


def check_dead(text: str) -> None:
    """Nothing of GitHub's meaning stands outside of code, and every row has its columns."""
    tree = rendered(text)
    assert names(tree) <= OURS
    assert [{"href": PAGE}] == [dict(one.attrib) for one in tree.iter("a")]
    assert ["this run"] == [one.text for one in tree.iter("a")]
    assert ALIVE.search(outside_code(tree)) is None
    assert all(len(found) == 1 for found in columns(tree))
    assert columns(tree)


def story(number: int) -> CaseStory:
    """A case that fell, whose texts are a kilobyte each."""
    return STORY.model_copy(
        update={
            "case_id": f"{number}|`@org/team` {PIECES}",
            "question": KILOBYTE,
            "answer": KILOBYTE,
            "reasons": (("correctness", KILOBYTE), ("relevance", KILOBYTE[::-1])),
        }
    )


def test_comment__400_hostile_cases_of_a_kilobyte() -> None:
    """Within GitHub's limits; verdict and table are there, nothing comes alive."""
    stories = tuple(story(number) for number in range(400))
    of = report("regression").model_copy(update={"stories": stories})
    of = changed(of, warnings=(KILOBYTE,) * 50, edits=(KILOBYTE,) * 50)

    text = whole(of)
    tree = rendered(text)

    assert units(text) <= GITHUB_CHARACTERS
    assert len(text.encode()) <= GITHUB_BYTES
    check_dead(text)
    assert "Regression: correctness fell by 0.13" in tree.findtext("h3")
    assert "0.88 → 0.75" in outside_code(tree)
    assert "Left out to fit: " in outside_code(tree)
    assert 5 < len(tree.findall(".//pre"))


@pytest.mark.parametrize("status", REPORTS)
def test_comment__of_every_status_keeps_its_tree(status: str) -> None:
    """With hostile text in every field the blocks are those of the harmless report."""
    harmless, evil = rendered(whole(REPORTS[status])), rendered(whole(hostile(REPORTS[status])))

    check_dead(whole(hostile(REPORTS[status])))
    assert skeleton(harmless) == skeleton(evil)


def test_dom__sees_what_is_alive() -> None:
    """Else this file would show nothing."""
    check_dead(f"| a |\n|---|\n| b |\n\n[this run]({PAGE})")
    for text in ("@org/team", "<img src=x>", "[a](b)", "www.a.example", "|a|b|\n|-|-|\n|`c|`|d|e|"):
        with pytest.raises(AssertionError):
            check_dead(f"| a |\n|---|\n| b |\n\n{text}\n\n[this run]({PAGE})")
