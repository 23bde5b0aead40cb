"""A body that is too long is cut where nothing is open, and says so."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.publish.comment import comment_text
from gate.publish.fitting import CUT, MOST_UNITS, fitted
from gate.publish.hidden import MOST_UNITS as MOST_OF_ALL
from gate.publish.hidden import read, units
from gate.publish.run_link import LONGEST, run_link
from gate.publish.state import read_state
from gate.types import AttemptState
from tests.unit.publish.publish_samples import HEAD, STATES, marker, occasion, past

PAGE = "/o/r/actions/runs/1/attempts/1"
LINK = run_link(
    occasion(run_url="https://" + "a" * (LONGEST - 8 - len(PAGE)) + PAGE), finished=True
)
"""The longest."""
PIECES = st.sampled_from(
    [
        *("", "text", "```", "~~~~", "````text", "<details><summary>x</summary>", "</details>"),
        *("🎉" * 999, "x" * 9_000, "| a | b |", "\0", "\ud800", "<!--"),
    ]
)


def test_fitted__a_report_of_ours_stays() -> None:
    """What fits is not touched."""
    body = "### Pass\n\n" + "é" * (MOST_UNITS - 10)

    assert body == fitted(body)


def test_fitted__cut_at_an_empty_line() -> None:
    """What was shown is whole, and the last line says that more was left out."""
    body = "### Regression\n\n" + "\n\n".join("word " * 100 for _ in range(200))

    shown = fitted(body)

    assert shown.startswith("### Regression\n\nword")
    assert shown.endswith(f"word \n\n{CUT}")
    assert MOST_UNITS - 600 < units(shown) <= MOST_UNITS


def test_fitted__a_fold_that_is_open_is_closed() -> None:
    """What follows a fold does not end up inside it."""
    body = "### Pass\n\n<details><summary>more</summary>\n\n" + "word\n\n" * 20_000

    shown = fitted(body)

    assert shown.endswith(f"word\n\n</details>\n\n{CUT}")


def test_fitted__never_inside_code() -> None:
    """A long block of code leaves whole."""
    body = "### Pass\n\nshort\n\n````text\n" + "```\n\n</details>\n" * 20_000 + "````"

    assert f"### Pass\n\nshort\n\n{CUT}" == fitted(body)


def test_fitted__one_endless_line() -> None:
    """Where there is no place to cut, nothing of it is shown."""
    assert CUT == fitted("x" * 100_000)


def test_fitted__what_github_refuses() -> None:
    """NUL and half characters."""
    assert "a?b" == fitted("a\ud800b\0")


@settings(deadline=None, max_examples=50)
@given(st.lists(PIECES, max_size=60).map("\n".join), st.integers(1, 8), STATES)
def test_comment_text__fits_whatever_comes(body: str, times: int, state: AttemptState) -> None:
    """Body, marker and attempts together; the hidden parts can be read again."""
    text, lost = comment_text(marker(), body * times, state, LINK)
    parts = read(text)

    assert units(text) <= MOST_OF_ALL
    assert len(text.encode()) <= 262_144
    assert parts is not None
    assert marker() == parts.marker
    assert f"\n\n{LINK}\n\n<!-- " in text
    assert lost is not None or (state, None) == read_state(parts.attempts)


def test_comment_text__a_full_report_leaves_statuses() -> None:
    """Beside the longest body and the longest link, statuses of all attempts are remembered."""
    attempts = tuple(past(number, cases=1500, spread=9973) for number in range(20))
    state = AttemptState(head_sha=HEAD, attempts=attempts)

    text, lost = comment_text(marker(), "é" * MOST_UNITS, state, LINK)
    parts = read(text)

    assert units(text) <= MOST_OF_ALL
    assert lost is not None
    assert parts is not None
    found, _ = read_state(parts.attempts)
    assert found is not None
    assert 20 == len(found.attempts)
