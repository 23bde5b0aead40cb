"""The whole screen of a sitting, as lines: pure, so that what a person sees can be tested.

Neither the judge's score nor its reason is here, before the rating or after: who sees it learns
what the judge will say, and kappa then measures that. `gate kappa` shows where the two differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gate.decision.words import counted
from gate.labelling.body import body
from gate.labelling.lines import Line, Stretch, apart, columns, cut, wrapped
from gate.labelling.meanings import Scale, scale_of
from gate.labelling.sheet import Slot
from gate.labelling.sitting import Sitting
from gate.reports.untrusted import plain

NARROWEST, SHORTEST = 40, 12
"""Columns and lines below which nothing is laid out: a smaller window shows the upper left."""

_TALL = 20
"""Lines from which the meaning of each choice is shown."""
_ITEM_LINES = 4
_NAMED = {
    "claims": "claim",
    "sentences": "sentence",
    "citations": "citation",
    "statements": "fact of the pages",
}


@dataclass(frozen=True)
class Screen:
    """What is shown."""

    lines: tuple[Line, ...]
    """As many as the window has, none wider than it."""
    room: int
    """Lines of text that fit between head and foot."""
    count: int
    """Lines of text that there are."""


def screen(sitting: Sitting, width: int, height: int) -> Screen:
    """Lay the screen out for a window of so many columns and lines."""
    width, height = max(width, NARROWEST), max(height, SHORTEST)
    head = [_head(sitting, width), _rule(width)]
    text = {"sheet": _sheet, "help": _help, "end": _end}[sitting.view](sitting, width)
    while text and not text[-1]:
        text.pop()
    foot = _foot(sitting, width, height)
    room = max(height - len(head) - len(foot) - 1, 1)
    top = max(0, min(sitting.top, len(text) - room))
    shown = text[top : top + room]
    blank: list[Line] = [()] * (room - len(shown))
    rule = _rule(width, _place(top, room, len(text)))
    lines = [*head, *shown, *blank, rule, *foot]
    return Screen(tuple(_fitted(line, width) for line in lines[:height]), room, len(text))


def _fitted(line: Line, width: int) -> Line:
    """Cut a line that is too wide; lines are laid out to fit, names from files may not."""
    left, parts = width, []
    for part in line:
        text = cut(part.text, left)
        parts.append(part._replace(text=text))
        left -= columns((parts[-1],))
        if text != part.text:
            break
    return tuple(parts)


def _rule(width: int, remark: str = "") -> Line:
    said = f" {remark} " if remark else ""
    return (Stretch("─" * max(width - columns((Stretch(said),)) - 2, 0) + said + "──", "dim"),)


def _place(top: int, room: int, count: int) -> str:
    below = count - top - room
    if below > 0:
        return f"{counted(below, 'more line')}: space"
    return "end of the text, page up goes back" if top > 0 else ""


def _head(sitting: Sitting, width: int) -> Line:
    count = len(sitting.sheets)
    if sitting.view == "end":
        return apart((Stretch("gate label", "bold"),), plain(sitting.by), width)
    sheet = sitting.sheet
    doing = "Approve" if sitting.approving else "Answer"
    place = f"{doing} {sitting.at[0] + 1} of {count}"
    rest = f"   {sitting.done} done   {sheet.case_id} ({plain(sheet.category)})"
    right = plain(sitting.by)
    left = (Stretch(place, "bold"), Stretch(cut(rest, max(width - len(place) - len(right) - 2, 8))))
    return apart(left, right, width)


def _sheet(sitting: Sitting, width: int) -> list[Line]:
    return body(sitting.sheet, sitting.sheet.slots[sitting.at[1]], width)


def _foot(sitting: Sitting, width: int, height: int) -> list[Line]:
    said: list[Line] = [(Stretch(sitting.said, "bold"),)] if sitting.said else []
    if sitting.view == "help":
        return [(Stretch("any key goes back to the answer", "dim"),)]
    if sitting.view == "end":
        return [*said, (Stretch("enter or q ends   b goes back   u undoes", "dim"),)]
    slot = sitting.sheet.slots[sitting.at[1]]
    scale = scale_of(slot)
    slots = _item(sitting, slot, scale, width) if slot.kind else _dimensions(sitting, scale)
    keys = "u undo   b back   s skip   tab next   ? help   q quit (all is saved)"
    if sitting.approving:
        keys = "a approve   " + keys
    choices = _choices(scale, width, tall=height >= _TALL)
    return [*slots, *choices, said[0] if said else (Stretch(cut(keys, width), "dim"),)]


def _dimensions(sitting: Sitting, scale: Scale) -> Iterator[Line]:
    wide = max(len(slot.name) for slot in sitting.sheet.slots)
    number, here = sitting.at
    for place, slot in enumerate(sitting.sheet.slots):
        word = sitting.words.get((number, slot.rated), "")
        name = f"{slot.name:<{wide}}  "
        if place == here:
            rated = (Stretch(f"{word}  ", "bold"),) if word else ()
            yield (Stretch("▸ ", "mark"), Stretch(name, "mark"), *rated, Stretch(scale.asks))
        else:
            yield (Stretch(f"  {name}"), Stretch(word, "bold"))


def _item(sitting: Sitting, slot: Slot, scale: Scale, width: int) -> Iterator[Line]:
    number, here = sitting.at
    slots = sitting.sheet.slots
    same = [place for place, one in enumerate(slots) if one.kind == slot.kind]
    rated = sum((number, one.rated) in sitting.words for one in slots)
    kind = _NAMED[slot.kind or "claims"]
    word = sitting.words.get((number, slot.rated), "")
    yield (
        Stretch("▸ ", "mark"),
        Stretch(f"{kind} {same.index(here) + 1} of {len(same)}", "mark"),
        *((Stretch(f"  {word}", "bold"),) if word else ()),
        Stretch(f"  {scale.asks}  ({rated} of {len(slots)} rated)", "dim"),
    )
    lines = wrapped(plain(slot.text), width - 2)
    for line in lines[:_ITEM_LINES]:
        yield (Stretch(f"  {line}", "bold"),)


def _choices(scale: Scale, width: int, *, tall: bool) -> Iterator[Line]:
    wide = max(len(one.word) for one in scale.choices)
    if not tall:
        parts = [
            part
            for one in scale.choices
            for part in (Stretch(f" {one.keys[0]} ", "mark"), Stretch(f"{one.word}  "))
        ]
        yield tuple(parts)
        return
    for one in scale.choices:
        head = (Stretch(f" {'/'.join(one.keys)} ", "mark"), Stretch(f" {one.word:<{wide}}  "))
        means = cut(" | ".join(one.means), width - columns(head))
        yield (*head, Stretch(means, "dim"))


def _help(sitting: Sitting, width: int) -> list[Line]:
    width = min(width, 96)
    lines: list[Line] = []
    seen: set[str] = set()
    for slot in sitting.sheet.slots:
        name = slot.kind or slot.name
        if name not in seen:
            seen.add(name)
            lines += _explained(name, scale_of(slot), width)
    lines.append((Stretch("Keys", "head"),))
    for key, does in _KEYS:
        lines.append((Stretch(f"  {key:<14}", "mark"), Stretch(does)))
    if sitting.approving:
        lines.append((Stretch(f"  {'a or enter':<14}", "mark"), Stretch("approve this label")))
    return lines


def _explained(name: str, scale: Scale, width: int) -> Iterator[Line]:
    first, *rest = wrapped(f"{name}: {scale.asks}", width)
    yield (Stretch(first, "head"),)
    yield from ((Stretch(f"  {line}", "head"),) for line in rest)
    for choice in scale.choices:
        for number, means in enumerate(choice.means):
            head = f"  {'/'.join(choice.keys)} {choice.word:<13}" if number == 0 else " " * 19
            for place, line in enumerate(wrapped(means, width - 19)):
                yield (Stretch(head if place == 0 else " " * 19, "mark"), Stretch(line))
    for note in scale.notes:
        for line in wrapped(note, width - 2):
            yield (Stretch(f"  {line}", "dim"),)
    yield ()


_KEYS = (
    ("space", "a page down; page up, up and down move too"),
    ("u", "undo: the last rating is taken back, in the file too"),
    ("b", "back to what was before, to rate it again"),
    ("s", "skip the answer: it comes again in the next sitting"),
    ("tab", "leave this one open and go to the next"),
    ("q, ctrl-c", "quit; every rating is in the file already"),
)


def _end(sitting: Sitting, width: int) -> list[Line]:
    count, done = len(sitting.sheets), sitting.done
    what = "approved" if sitting.approving else "rated"
    if done == count:
        text = f"{counted(done, 'answer')} of {count} {what}, and saved: that is all of them."
    else:
        left = count - done
        text = (
            f"{counted(done, 'answer')} of {count} {what}, and saved. "
            f"{counted(left, 'answer')} skipped or left open: the same command brings them again."
        )
    return [(), *((Stretch(f"  {line}", "bold"),) for line in wrapped(text, min(width, 96) - 4))]
