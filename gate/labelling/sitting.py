"""One sitting: which answer lies open, what a key does, and what is to be saved.

A key gives a new sitting and at most one change for the file. What was rated is always what the
file says: after each change the file's labels come back through `read_back`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from gate.labelling.meanings import scale_of
from gate.labelling.sheet import Rated, Sheet
from gate.types import Label

Place = tuple[int, int]
"""Sheet and slot, from 0."""

View = Literal["sheet", "help", "end"]
"""What the screen shows."""


@dataclass(frozen=True)
class Change:
    """One change of one answer's label."""

    sheet: int
    """Which answer."""
    rated: Rated | None = None
    """What is rated; None where only the approval changes."""
    word: str | None = None
    """The rating; None takes it back."""
    approves: bool | None = None
    """Whether the label is approved from now on; None leaves that as it is."""


@dataclass(frozen=True)
class Sitting:
    """Where a person is."""

    sheets: tuple[Sheet, ...]
    """The answers, in the order in which they are shown; at least one."""
    by: str
    """Who rates or approves."""
    drafted_by: str = ""
    """Who drafted the labels that are looked through."""
    approving: bool = False
    """Whether labels of somebody else are looked through."""
    words: Mapping[tuple[int, Rated], str] = field(default_factory=dict)
    """The ratings in the file, by sheet."""
    approved: Mapping[int, str] = field(default_factory=dict)
    """Who approved the label of a sheet, where the label says so."""
    skipped: frozenset[int] = frozenset()
    """Sheets that were put off."""
    at: Place = (0, 0)
    """What is rated next."""
    view: View = "sheet"
    """What the screen shows."""
    top: int = 0
    """First line of the text that is shown, from 0."""
    kept: int = 0
    """The same of the answer, while help is shown."""
    past: tuple[tuple[Change, Place], ...] = ()
    """What `u` does, the last one first: the change that takes the last one back."""
    said: str = ""
    """A remark for this screen alone."""
    ended: bool = False
    """Whether the person has had enough."""

    @property
    def sheet(self) -> Sheet:
        """The answer that lies open."""
        return self.sheets[self.at[0]]

    @property
    def done(self) -> int:
        """How many of the answers are done."""
        return sum(map(self.is_done, range(len(self.sheets))))

    def is_done(self, number: int) -> bool:
        """Whether everything of an answer is rated, or its label approved."""
        if self.approving:
            return number in self.approved
        return all((number, slot.rated) in self.words for slot in self.sheets[number].slots)


def begun(sitting: Sitting) -> Sitting:
    """Open the first answer that is not done; the end where all are."""
    return _next_sheet(replace(sitting, at=(-1, 0)))


def read_back(sitting: Sitting, find: Callable[[Sheet], Label | None]) -> Sitting:
    """Take over what the file says by now; `find` gives the label of an answer."""
    words: dict[tuple[int, Rated], str] = {}
    approved: dict[int, str] = {}
    for number, sheet in enumerate(sitting.sheets):
        label = find(sheet)
        if label is None:
            continue
        words.update({(number, (None, name)): word for name, word in label.scores.items()})
        words.update({(number, (one.kind, one.item)): one.label for one in label.items})
        if label.approved_by is not None:
            approved[number] = label.approved_by
    return replace(sitting, words=words, approved=approved)


def press(sitting: Sitting, key: str, *, room: int, lines: int) -> tuple[Sitting, Change | None]:
    """Return the sitting after a key, and what is to be saved.

    `lines` of text are there, and the screen has room for `room` of them.
    """
    sitting = replace(sitting, said="")
    if key == "q":
        return replace(sitting, ended=True), None
    moved = _scrolled(sitting, key, room, lines)
    if moved is not None:
        return moved, None
    if sitting.view == "help":
        return replace(sitting, view="sheet", top=sitting.kept), None
    if key in ("u", "b"):
        return _undone(sitting) if key == "u" else (_back(sitting), None)
    if sitting.view == "end":
        return replace(sitting, ended=key == "enter"), None
    return _on_sheet(sitting, key)


def _on_sheet(sitting: Sitting, key: str) -> tuple[Sitting, Change | None]:
    number, slot_number = sitting.at
    slot = sitting.sheet.slots[slot_number]
    if key == "?":
        return replace(sitting, view="help", top=0, kept=sitting.top), None
    if key == "s":
        return _next_sheet(replace(sitting, skipped=sitting.skipped | {number})), None
    if key == "tab":
        return _passed_over(sitting), None
    if sitting.approving and key in ("a", "enter"):
        back = Change(number, approves=number in sitting.approved)
        past = ((back, sitting.at), *sitting.past)
        return _next_sheet(replace(sitting, past=past)), Change(number, approves=True)
    word = scale_of(slot).word(key)
    if word is None:
        return replace(sitting, said="" if key == "" else _no_key(key)), None
    before = sitting.words.get((number, slot.rated))
    # Whoever changes a rating stands behind the new one: an approval of the old one is void.
    void = number in sitting.approved and before != word and not sitting.approving
    back = Change(number, slot.rated, before, approves=None)
    said = f"the approval by {sitting.approved[number]} was of the old rating" if void else ""
    words = {**sitting.words, (number, slot.rated): word}
    after = replace(sitting, words=words, past=((back, sitting.at), *sitting.past))
    change = Change(number, slot.rated, word, approves=False if void else None)
    return replace(_after_rating(after), said=said), change


def _no_key(key: str) -> str:
    return f"{key} does nothing here: ? tells the keys" if len(key) == 1 else ""


def _after_rating(sitting: Sitting) -> Sitting:
    """Open the next open slot of the answer, else the next answer that is not done."""
    number, slot = sitting.at
    if sitting.approving:
        last = len(sitting.sheet.slots) - 1
        return _opened(sitting, (number, min(slot + 1, last)))
    left = list(_open_slots(sitting, number))
    if not left:
        return _next_sheet(sitting)
    return _opened(sitting, (number, next((one for one in left if one > slot), left[0])))


def _passed_over(sitting: Sitting) -> Sitting:
    """Open the slot after this one, which stays as it is."""
    number, slot = sitting.at
    if slot + 1 < len(sitting.sheet.slots):
        return _opened(sitting, (number, slot + 1))
    return _next_sheet(replace(sitting, skipped=sitting.skipped | {number}))


def _opened(sitting: Sitting, place: Place) -> Sitting:
    """Open another slot of the same answer; of an item its passages stand at the top."""
    item = sitting.sheets[place[0]].slots[place[1]].kind is not None
    return replace(sitting, at=place, top=0 if item else sitting.top)


def _open_slots(sitting: Sitting, number: int) -> Iterator[int]:
    for place, slot in enumerate(sitting.sheets[number].slots):
        if (number, slot.rated) not in sitting.words:
            yield place


def _next_sheet(sitting: Sitting) -> Sitting:
    """Open the next answer that is neither done nor put off, from here on and then from the top."""
    here = sitting.at[0]
    count = len(sitting.sheets)
    for number in (*range(here + 1, count), *range(max(here, 0))):
        if number not in sitting.skipped and not sitting.is_done(number):
            first = 0 if sitting.approving else next(_open_slots(sitting, number), 0)
            return replace(sitting, at=(number, first), top=0, view="sheet")
    last = (max(here, 0), sitting.at[1]) if here >= 0 else (count - 1, 0)
    return replace(sitting, at=last, top=0, view="end")


def _back(sitting: Sitting) -> Sitting:
    """Open what was before: the slot before, or the last one of the answer before."""
    number, slot = sitting.at
    if sitting.view == "end":
        return replace(sitting, view="sheet", top=0)
    if slot > 0 and not sitting.approving:
        return _opened(sitting, (number, slot - 1))
    if number == 0:
        return replace(sitting, said="this is the first answer")
    last = 0 if sitting.approving else len(sitting.sheets[number - 1].slots) - 1
    return replace(sitting, at=(number - 1, last), top=0)


def _undone(sitting: Sitting) -> tuple[Sitting, Change | None]:
    if not sitting.past:
        return replace(sitting, said="nothing to undo in this sitting: b goes back"), None
    (change, place), *rest = sitting.past
    words = dict(sitting.words)
    if change.rated is not None:
        words.pop((change.sheet, change.rated), None)
    top = sitting.top if sitting.at[0] == place[0] else 0
    after = replace(
        sitting,
        words=words,
        past=tuple(rest),
        at=place,
        view="sheet",
        top=top,
        skipped=sitting.skipped - {place[0]},
        said="taken back",
    )
    return after, change


def _scrolled(sitting: Sitting, key: str, room: int, lines: int) -> Sitting | None:
    step = {"space": room - 1, "pagedown": room - 1, "pageup": 1 - room, "down": 1, "up": -1}.get(
        key
    )
    if step is None:
        return None
    return replace(sitting, top=max(0, min(sitting.top + step, lines - room)))
