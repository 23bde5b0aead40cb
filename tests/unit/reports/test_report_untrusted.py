"""Foreign text in Markdown: nothing of it comes alive."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gate.reports.tables import table
from gate.reports.untrusted import block, plain, sentence, shown_lines, span
from tests.unit.reports.markdown_reading import html, inline, outside_code, tokens

UNHURRIED = settings(deadline=None)
NASTY = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("`|\\<>@#[]()!*_~:$&;./-+=\"'\n\r\t aA01w")), st.characters()
    ),
    max_size=60,
)
PIECES = st.lists(
    st.sampled_from(
        [
            *("@org/team", "#12", "GH-12", "owner/repo#3", "http://a.example", "www.a.example"),
            *("a@b.example", "<!--", "-->", "</details>", "<img src=x>", "&commat;team", ":tada:"),
            *("[a](b)", "![a](b)", "**", "__a__", "~~a~~", "$x$", "`", "``", "```", "|", "\\|"),
            *("1.", "-", "+", "#", ">", "---", "===", "0.88", "fell", "(worse)", "deadbeef1"),
            *("\n", "\u2028", "\u202e", "\ufe0f", "\x1b[31m", "`a`", "`b`", "x`y"),
        ]
    ),
    max_size=12,
)
JOINED = st.builds(lambda pieces, gap: gap.join(pieces), PIECES, st.sampled_from(["", " "]))
TEXTS = st.one_of(NASTY, JOINED)
ALIVE = re.compile(r"[@#<>\[\]\\`*]|//|www\.|\bgh-\d|:\w+:|\$\S+\$", re.IGNORECASE)


@UNHURRIED
@given(TEXTS)
@example("`")
@example("a``b`")
@example(" ` ")
def test_span__one_code_element_with_the_text(text: str) -> None:
    """The whole line is one code element, its content the text on one line."""
    found = list(inline(f"Case {span(text)}: fell"))

    expected = ["Case ", plain(text), ": fell"] if plain(text) else ["Case (empty): fell"]
    assert expected == [one.content for one in found]


@UNHURRIED
@given(TEXTS)
@example("a|b\\|c\\")
def test_span__in_a_table_cell(text: str) -> None:
    """A pipe or a newline in the text splits no cell."""
    made = table(("a", "b"), [(span(text), "own"), ("x", span(text))])

    expected = plain(text) or "(empty)"
    cells = [one.content for one in inline(made)]
    assert ["a", "b", expected, "own", "x", expected] == cells


@UNHURRIED
@given(TEXTS)
@example("```\n</details>\n````")
@example("\n\n   \n")
@example("\xa00")
def test_block__one_fence_with_the_text(text: str) -> None:
    """The block is one fenced code block, whatever fences the text has."""
    found = tokens(f"before\n\n{block(text)}\n\nafter")

    fences = [one for one in found if one.type == "fence"]
    assert ["paragraph_open", "inline", "paragraph_close"] == [one.type for one in found[:3]]
    assert ["after"] == [one.content for one in found[5:] if one.type == "inline"]
    assert len(fences) == 1
    shown = "".join(plain(text).split()) or "(empty)"
    assert shown == "".join(fences[0].content.split())


@pytest.mark.parametrize("place", ["### Regression: {}", "- {}", "{}", "<sub>judge {}</sub>"])
@UNHURRIED
@given(text=TEXTS)
def test_sentence__only_harmless_words_outside_code(place: str, text: str) -> None:
    """What is not code has nothing that Markdown or GitHub would read."""
    made = place.format(sentence(text))

    kinds = {one.type for one in inline(made)}
    assert kinds <= {"text", "code_inline", "html_inline"}
    assert html(made) <= {"<sub>", "</sub>"}
    assert ALIVE.search(outside_code(made)) is None


@UNHURRIED
@given(TEXTS)
def test_sentence__loses_no_word(text: str) -> None:
    """All visible signs but backticks are shown, in order."""
    shown = "".join(one.content for one in inline(f"Note: {sentence(text)}"))

    strip = str.maketrans("", "", " `")
    assert f"Note:{plain(text)}".translate(strip) == shown.translate(strip)


@UNHURRIED
@given(TEXTS)
def test_sentence__makes_no_block(text: str) -> None:
    """A line of its own stays one paragraph."""
    made = sentence(text)

    kinds = [one.type for one in tokens(made)]
    assert kinds in (["paragraph_open", "inline", "paragraph_close"], [])


def test_sentence__our_own_words_stay() -> None:
    """A sentence of the verdict is not disfigured."""
    said = "correctness fell by 0.13 (0.88 → 0.75); kappa 0.81, n 90: about 35 more cases, $1.84"

    assert said == sentence(said)


def test_sentence__names_in_backticks() -> None:
    """A name that the sentence quotes is code, with the delimiter that it needs."""
    assert "see `@team` and `` a`b ``" == sentence("see `@team` and a`b")


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("it failed: `[Errno -2]` Name or service", "it failed: [Errno -2] Name or service"),
        ("raise `--max-cost`, or wait", "raise --max-cost, or wait"),
        ("run (`--yes`) again", "run (--yes) again"),
        (
            "run without `--case`, `--target` and `--scorer`.",
            "run without --case, --target and --scorer.",
        ),
        ("(`@a @b`) and `@c`", "(@a @b) and @c"),
        ("`f(@x)`, done", "f(@x), done"),
        ("`@a` (`@b`)", "@a (@b)"),
    ],
)
def test_sentence__foreign_words_stand_together(expected: str, text: str) -> None:
    """Neighbours share one code element, and the punctuation around them stays outside."""
    assert expected == sentence(text)


def test_plain__terminal_controls_are_taken_out() -> None:
    """No escape sequence, no direction sign, one line."""
    assert plain("a\x1b[2J\u202eb\n\tc\u200b") == "a[2Jb c"


@pytest.mark.parametrize("shorten", [span, block, sentence])
def test_limit__a_cut_is_marked(shorten: object) -> None:
    """Cut text ends with a sign and stays inside its element."""
    made = shorten("word " * 100, 50)  # type: ignore[operator]  # one of two functions

    assert "word…" in made
    assert len(made) < 70


def test_table__row_of_another_length() -> None:
    """A row that does not fit is a fault of ours."""
    with pytest.raises(ValueError, match="a row of 1 cells"):
        table(("a", "b"), [("x",)])


def test_table__cell_of_several_lines() -> None:
    """A newline would end the table."""
    with pytest.raises(ValueError, match="several lines"):
        table(("a",), [("x\ny",)])


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("::error file=a::hi", ": :error file=a::hi"),
        ("  ::stop-commands::abc", "  : :stop-commands::abc"),
        ("text ##[error]boo", "text # #[error]boo"),
        ("C++ has std::vector", "C++ has std::vector"),
    ],
)
def test_block__holds_no_command_of_a_runner(line: str, shown: str) -> None:
    """Printed in a workflow's log, the file must not steer the runner."""
    assert f"```text\n{shown}\n```" == block(line)


@UNHURRIED
@given(NASTY)
def test_shown_lines__can_be_shown_by_a_terminal(text: str) -> None:
    """Every sign can be seen; what has none that cannot stays as it is."""
    assert all(line.isprintable() for line in shown_lines(text))
    assert ["  a", "", "    b", "::c"] == shown_lines("  a  \n\n\tb\x1b\n::c")
