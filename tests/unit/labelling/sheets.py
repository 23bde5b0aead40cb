"""Answers to rate, for tests."""

from __future__ import annotations

from gate.labelling.sheet import Sheet, Slot
from gate.labelling.sitting import Change, Sitting, begun, press
from gate.types import Page, Source

DIMENSIONS = ("relevance", "correctness", "source_quality")


def sheet(case_id: str = "a", **changes: object) -> Sheet:
    """An answer with three dimensions."""
    fields: dict[str, object] = {
        "case_id": case_id,
        "category": "factual",
        "target": "hidden-target",
        "answer": case_id * 64,
        "question": "How high is it?",
        "text": "It is 1,204 m high.",
        "sources": (Source(uri="https://a.example/x", title="Heights", domain="a.example"),),
        "expected": (("", "gives 1,204 m"), ("notes", "not 1,200 m")),
        "slots": tuple(Slot(name=name) for name in DIMENSIONS),
    }
    return Sheet.model_validate({**fields, **changes})


def claims(case_id: str = "a") -> Sheet:
    """An answer with two claims, and the page that they are in."""
    return sheet(
        case_id,
        slots=tuple(
            Slot(name=str(number) * 64, kind="claims", text=text)
            for number, text in enumerate(("It is 1,204 m high.", "It is in Norway."))
        ),
        pages=(Page(uri="x", status="ok", text="Snow lies long.\nThe mountain is 1,204 m high."),),
    )


def sitting(*sheets: Sheet, **changes: object) -> Sitting:
    """A sitting that has begun."""
    return begun(Sitting(sheets=sheets or (sheet("a"), sheet("b")), by="Ada", **changes))  # type: ignore[arg-type]  # whatever the test changes


def pressed(now: Sitting, *keys: str) -> tuple[Sitting, list[Change]]:
    """Press keys; also return the changes for the file."""
    changes = []
    for key in keys:
        now, change = press(now, key, room=10, lines=30)
        changes += [] if change is None else [change]
    return now, changes
