"""Which comment is ours, and which run may write."""

from __future__ import annotations

import pytest

from gate.publish.choosing import choose, doubles, newer, newest, own
from gate.publish.hidden import Marker, join, key_digest
from gate.types import CommentMode, HostComment, Status, Viewer
from tests.unit.publish.publish_samples import BOT, KEY, marker


def comment(number: int, mine: Marker, author: Viewer | None = BOT) -> HostComment:
    """A comment with a marker."""
    return HostComment(number, f"https://c/{number}", author, join(mine, "text", ""))


@pytest.mark.parametrize(
    "author",
    [
        None,
        Viewer("octo-author", bot=False),
        Viewer("github-actions[bot]", bot=False),
        Viewer("other[bot]", bot=True),
    ],
)
def test_own__a_forged_marker(author: Viewer | None) -> None:
    """A marker under another name is not ours; nor is one of a person with the bot's name."""
    assert [] == own([comment(1, marker(), author)], BOT, key_digest(KEY))


def test_own__another_configuration() -> None:
    """Each configuration has a comment of its own."""
    found = own([comment(2, marker()), comment(1, marker(key="other"))], BOT, key_digest(KEY))

    assert [2] == [one.comment.id for one in found]


def test_own__oldest_first() -> None:
    """Whatever order the host lists them in."""
    found = own([comment(3, marker()), comment(1, marker())], BOT, key_digest(KEY))

    assert [1, 3] == [one.comment.id for one in found]


@pytest.mark.parametrize(
    ("other", "later"),
    [
        (marker(6), True),
        (marker(5, attempt=2), True),
        (marker(5), False),
        (marker(4, attempt=9), False),
        # Another workflow's numbers are higher, but its run began earlier.
        (marker(500, run_id=900), False),
    ],
)
def test_newer__by_number_then_attempt(other: Marker, *, later: bool) -> None:
    """Run 5, attempt 1 is ours."""
    assert later == newer(other, marker(5))


@pytest.mark.parametrize("mode", ["update", "new", "on-change"])
def test_choose__a_newer_run_wrote(mode: CommentMode) -> None:
    """Nothing is written, in any mode, even if the newer comment is a double."""
    found = own([comment(1, marker(4)), comment(2, marker(6))], BOT, key_digest(KEY))
    choice = choose(found, marker(5), mode)

    assert choice.edit is None
    assert choice.left is not None
    assert "1006, attempt 1" in choice.left


@pytest.mark.parametrize(
    ("mode", "status", "edited"),
    [
        ("update", "regression", 1),
        ("new", "pass", None),
        ("on-change", "pass", 2),
        ("on-change", "regression", None),
    ],
)
def test_choose__by_mode(mode: CommentMode, status: Status, edited: int | None) -> None:
    """An earlier run left two comments that say pass."""
    found = own([comment(1, marker(3)), comment(2, marker(4))], BOT, key_digest(KEY))
    choice = choose(found, marker(5, status=status), mode)

    assert choice.left is None
    assert edited == (None if choice.edit is None else choice.edit.comment.id)


@pytest.mark.parametrize("mode", ["update", "new", "on-change"])
def test_choose__the_run_s_own_start(mode: CommentMode) -> None:
    """The verdict takes the place of "running"."""
    running = marker(5, status=None, finished=False)
    choice = choose(own([comment(1, running)], BOT, key_digest(KEY)), marker(5), mode)

    assert choice.edit is not None
    assert 1 == choice.edit.comment.id


@pytest.mark.parametrize("mode", ["update", "new", "on-change"])
def test_choose__start_after_its_own_verdict(mode: CommentMode) -> None:
    """A beginning that is told late does not overwrite what came of the run."""
    found = own([comment(1, marker(finished=True))], BOT, key_digest(KEY))

    assert "" == choose(found, marker(finished=False, status=None), mode).left


def test_choose__start_leaves_an_on_change_comment_alone() -> None:
    """Else it would say "running" for ever once the status changed."""
    found = own([comment(1, marker(4))], BOT, key_digest(KEY))

    assert "" == choose(found, marker(5, status=None, finished=False), "on-change").left


def test_newest__the_latest_run_s() -> None:
    """Not the youngest comment."""
    found = own([comment(1, marker(6)), comment(2, marker(4))], BOT, key_digest(KEY))
    last = newest(found)

    assert last is not None
    assert 1 == last.comment.id
    assert newest([]) is None


def test_doubles__by_mode() -> None:
    """In one mode all younger ones, in the others only what this run wrote twice."""
    rows = [comment(1, marker(4)), comment(2, marker(5)), comment(3, marker(5))]
    found = own([*rows, comment(4, marker(6)), comment(5, marker(3))], BOT, key_digest(KEY))

    assert [2, 3, 5] == doubles(found, 1, marker(5), "update")
    assert [3] == doubles(found, 2, marker(5), "new")
    assert [3] == doubles(found, 2, marker(5), "on-change")
