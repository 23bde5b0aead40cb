"""What a key does: ratings, undo, back, skip, approval, and the way through the answers."""

from __future__ import annotations

from gate.labelling.sitting import Change, read_back
from gate.types import ItemLabel, Label
from tests.unit.labelling.sheets import claims, pressed, sheet, sitting


def test_press__a_key_for_each_rating_leads_to_the_next_answer() -> None:
    """Three keystrokes an answer, letters or figures."""
    now, changes = pressed(sitting(), "h", "2", "l")

    assert [
        Change(0, (None, "relevance"), "high"),
        Change(0, (None, "correctness"), "med"),
        Change(0, (None, "source_quality"), "low"),
    ] == changes
    assert ((1, 0), 1) == (now.at, now.done)


def test_press__the_last_rating_leads_to_the_end() -> None:
    """There a key ends it, and the last rating can still be taken back."""
    now, _ = pressed(sitting(), *"hhhhhh")

    assert ("end", 2) == (now.view, now.done)
    assert pressed(now, "enter")[0].ended
    assert not pressed(now, "h")[0].ended
    back, changes = pressed(now, "u")
    assert ("sheet", (1, 2)) == (back.view, back.at)
    assert [Change(1, (None, "source_quality"), None)] == changes


def test_press__undo_gives_back_what_was_there() -> None:
    """A rating that was changed gets its old word, one after the other."""
    now, _ = pressed(sitting(), "h", "b", "l")
    back, changes = pressed(now, "u", "u", "u")

    assert [
        Change(0, (None, "relevance"), "high"),
        Change(0, (None, "relevance"), None),
    ] == changes
    assert (0, 0) == back.at
    assert "nothing to undo" in back.said


def test_press__back_goes_to_what_was_before() -> None:
    """Across answers too; at the first it says so. A new rating goes on where something is open."""
    now, _ = pressed(sitting(), *"hhh", "b")
    assert (0, 2) == now.at
    assert (1, 0) == pressed(now, "l")[0].at

    first, changes = pressed(now, "b", "b", "b")
    assert ((0, 0), []) == (first.at, changes)
    assert "first" in first.said


def test_press__skip_comes_again_in_the_next_sitting_alone() -> None:
    """The other answers come first; then the end says what is left."""
    now, changes = pressed(sitting(), "h", "s", *"hhh")

    assert ("end", 1) == (now.view, now.done)
    assert 4 == len(changes)


def test_press__tab_leaves_one_open_and_it_is_asked_again() -> None:
    """What was passed over is offered once the rest of the answer is rated."""
    now, _ = pressed(sitting(), "tab", "h", "h")
    assert (0, 0) == now.at
    assert (1, 0) == pressed(now, "h")[0].at
    assert (1, 0) == pressed(now, "tab", "tab", "tab")[0].at


def test_press__other_keys_change_nothing() -> None:
    """They say which key helps."""
    now, changes = pressed(sitting(), "y", "down", "pageup", "?", "h", "q")

    assert [] == changes
    assert now.ended
    assert "?" in pressed(sitting(), "y")[0].said


def test_press__scrolling_stays_inside_the_text() -> None:
    """Help has a place of its own, and gives the answer's back."""
    now, _ = pressed(sitting(), "space")
    assert 9 == now.top
    assert 20 == pressed(now, "space", "space", "down")[0].top
    assert 0 == pressed(now, "pageup", "up")[0].top

    helped, _ = pressed(now, "?", "down")
    assert ("help", 1) == (helped.view, helped.top)
    assert ("sheet", 9) == ((back := pressed(helped, "x")[0]).view, back.top)


def test_press__items_have_words_of_their_own() -> None:
    """One key a claim; the passages of the next one stand at the top."""
    now, changes = pressed(sitting(claims()), "down", "y", "n")

    assert [("claims", "supported"), ("claims", "unsupported")] == [
        (one.rated[0], one.word) for one in changes if one.rated
    ]
    assert ("end", 0) == (now.view, now.top)


def labelled(*, approved: str | None = None) -> Label:
    """A drafted label of the first answer."""
    scores = {"relevance": "low", "correctness": "low", "source_quality": "low"}
    fields = {"case_id": "a", "answer": "a" * 64, "scores": scores, "approved_by": approved}
    return Label.model_validate(fields)


def test_begun__goes_on_at_the_first_open_answer() -> None:
    """What the file says counts, dimension by dimension."""
    part = labelled().model_copy(update={"case_id": "b", "scores": {"relevance": "low"}})
    labels = {"a": labelled(), "b": part}
    now = read_back(sitting(), lambda one: labels.get(one.case_id))

    assert 1 == now.done
    assert (1, 1) == sitting(*now.sheets, words=now.words).at


def test_press__approval_takes_one_key_and_can_be_taken_back() -> None:
    """A rating is changed before, where one does not agree."""
    now = read_back(sitting(approving=True), lambda _: labelled())
    now, changes = pressed(now, "h", "m", "a", "u")

    assert [
        Change(0, (None, "relevance"), "high"),
        Change(0, (None, "correctness"), "med"),
        Change(0, approves=True),
        Change(0, approves=False),
    ] == changes
    assert (0, 2) == now.at


def test_press__a_new_rating_voids_the_approval_of_the_old_one() -> None:
    """The same rating again does not, and it says what happened."""
    start = read_back(
        sitting(), lambda one: labelled(approved="Grace") if one.case_id == "a" else None
    )
    start = sitting(*start.sheets, words=start.words, approved=start.approved)
    there, _ = pressed(start, "b", "b", "b")
    now, changes = pressed(there, "m")

    assert [False] == [one.approves for one in changes]
    assert "Grace" in now.said
    assert [None] == [one.approves for one in pressed(there, "l")[1]]


def test_read_back__items_and_dimensions() -> None:
    """Both come from the file."""
    item = ItemLabel(kind="claims", item="0" * 64, label="partial")
    now = read_back(sitting(claims()), lambda _: labelled().model_copy(update={"items": (item,)}))

    assert "partial" == now.words[0, ("claims", "0" * 64)]
    assert "low" == now.words[0, (None, "relevance")]
    assert sheet("a").key == ("a", "a" * 64)
