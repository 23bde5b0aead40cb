"""What a person sees: everything needed to rate, in any window, and nothing of the judge."""

from __future__ import annotations

import pytest

from gate.labelling.lines import columns, cut, painted, words, wrapped
from gate.labelling.meanings import scale_of
from gate.labelling.passages import passages
from gate.labelling.screen import screen
from gate.labelling.sheet import Slot
from gate.labelling.sitting import Sitting
from gate.types import Page, Source
from tests.unit.labelling.sheets import claims, pressed, sheet, sitting


def shown(now: Sitting, width: int = 80, height: int = 24) -> str:
    """The screen as text."""
    return "\n".join(map(words, screen(now, width, height).lines))


def test_screen__has_all_that_a_rating_needs() -> None:
    """Question, expectations, answer and sources; the target stays hidden, like the judge."""
    text = shown(sitting())

    for part in ("How high is it?", "gives 1,204 m", "notes: not 1,200 m", "It is 1,204 m high."):
        assert part in text
    assert "1. Heights · a.example" in text
    assert "https://a.example/x" in text
    assert "Answer 1 of 2   0 done   a (factual)" in text
    assert "▸ relevance       does the answer address what was asked?" in text
    assert "hidden-target" not in text


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 12), (150, 50), (121, 19), (10, 3)])
def test_screen__fills_the_window_and_no_more(width: int, height: int) -> None:
    """No line is wider than the window, and there are as many as it has, in every view."""
    long = sheet("a", text="word " * 900, question="wörter " * 40, category="c" * 90)
    for first in (long, sheet("a"), claims()):
        for keys in ("", "?", "h", " ", "sss"):
            now, _ = pressed(sitting(first, sheet("b")), *keys)
            lines = screen(now, width, height).lines

            assert max(height, 12) == len(lines)
            assert max(map(columns, lines)) <= max(width, 40)


def test_screen__a_long_answer_scrolls_to_its_end() -> None:
    """The rule says how much is left, and the last line can be reached."""
    now = sitting(sheet("a", text="word " * 400 + "END", sources=()))
    drawn = screen(now, 80, 24)
    assert "more lines: space" in shown(now)

    pages = drawn.count // drawn.room + 2
    for _ in range(pages):
        now, _ = pressed(now, "space")
    last, _ = pressed(now, *["down"] * 99)
    assert "END" in shown(Sitting(sheets=last.sheets, by="Ada", top=10_000))


def test_screen__a_wide_window_has_two_columns() -> None:
    """The expectations stand beside the question."""
    line = next(line for line in shown(sitting(), 150).splitlines() if "How high" in line)

    assert "gives 1,204 m" in line


def test_screen__no_sign_steers_the_terminal() -> None:
    """Whatever question, answer, source, case or page hold, controls are gone."""
    evil = "a\x1b[2J\x07\x9b31mb\u202ec\r\nd\x00\u200b"
    one = sheet(
        "a",
        question=evil,
        text=evil,
        category=evil,
        sources=(Source(uri=evil, title=evil, domain=evil),),
        expected=((evil.strip(), evil),),
        remark=evil,
    )
    item = claims().model_copy(
        update={
            "slots": (Slot(name="0" * 64, kind="claims", text=evil),),
            "pages": (Page(uri=evil, status="ok", text=evil),),
        }
    )
    for now in (sitting(one), sitting(item)):
        for line in screen(now, 80, 60).lines:
            assert words(line).isprintable()


def test_screen__claims_stand_beside_their_nearest_passage() -> None:
    """Expectations of the case are left out: the pages alone decide."""
    text = shown(sitting(claims()))

    assert "page 1: The mountain is 1,204 m high." in text
    assert "claim 1 of 2" in text
    assert "y/1  supported" in text
    assert "gives 1,204 m" not in text


def test_screen__a_page_that_was_not_kept_is_said() -> None:
    """Nobody rates a page that nobody can read without being told."""
    assert "not read, or not kept" in shown(
        sitting(claims().model_copy(update={"pages": (None,)})), 80, 40
    )


def test_screen__help_has_the_judge_s_own_words() -> None:
    """People and judge read one rubric."""
    now, _ = pressed(sitting(), "?")
    text = shown(now, 80, 60)

    assert "answers exactly the question; anything more serves it" in text
    assert "Judge by the expectations first" in text
    assert "undo" in text
    assert "most expectations are missed" in text


def test_screen__the_end_says_what_is_left() -> None:
    """And that all is saved."""
    done, _ = pressed(sitting(), *"hhhhhh")
    assert "2 answers of 2 rated, and saved: that is all of them." in shown(done)
    left, _ = pressed(sitting(), *"hhhs")
    assert "1 answer of 2 rated, and saved. 1 answer skipped" in " ".join(shown(left).split())


def test_screen__approval_shows_the_ratings_and_its_key() -> None:
    """There they must be seen; the key that approves is named."""
    now = sitting(approving=True, words={(0, (None, "relevance")): "med"})

    assert "relevance       med" in shown(now)
    assert "a approve" in shown(now)


def test_scale_of__a_dimension_without_a_rubric() -> None:
    """Thirds of the scale, and the way to a rubric."""
    scale = scale_of(Slot(name="charm"))

    assert ["low", "med", "high"] == [one.word for one in scale.choices]
    assert "no rubric" in scale.notes[0]
    assert "med" == scale.word("2") == scale.word("m")


def test_passages__by_shared_words_the_rarer_the_nearer() -> None:
    """A page without any of them gives nothing; one that was not kept does not either."""
    page = Page(uri="x", status="ok", text="the ferry sails\nthe ferry costs 260 crowns\n\nfog")

    assert (2, "the ferry costs 260 crowns") == passages("a ferry for 260", (None, page))[0]
    assert () == passages("zebra", (page,))


def test_lines__wide_signs_take_two_columns() -> None:
    """Broken and cut by columns, not by characters."""
    assert ["你好", "世界"] == wrapped("你好世界", 4)
    assert "你…" == cut("你好世界", 4)
    assert "abc" == cut("abc", 3)
    assert ["  a", "  b"] == [line.rstrip() for line in wrapped("  a\n  b", 10)]
    assert ["one", "two"] == wrapped("one two", 4)


def test_painted__styles_only_where_they_are_welcome() -> None:
    """Without them there is no control sequence."""
    line = screen(sitting(), 80, 24).lines[0]

    assert "\x1b[1m" in painted(line, styled=True)
    assert words(line) == painted(line, styled=False)
