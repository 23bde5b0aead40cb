"""The labels file of a sitting: whose it is, and each change of it, written at once.

Every change reads the file as it is by now, under a lock: two processes lose nothing of each other,
and what a person edits in the meantime stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gate.datasets import load_labels
from gate.datasets.label_text import empty_file, find_label, put_label
from gate.errors import ConfigError, DatasetError, FileError
from gate.labelling.sheet import Rated, Sheet
from gate.labelling.sitting import Change
from gate.reports.untrusted import plain
from gate.types import ItemLabel, Label, LabelSet
from gate.wire.files import read_text, remove_drafts, write_text
from gate.wire.folder_lock import folder_lock

FOLDER = Path("evals", "labels")
"""Where a person's file lies unless another is named, from the configuration's folder."""


@dataclass(frozen=True)
class LabelFile:
    """A file, and who writes to it."""

    path: Path
    """The file; it is made with the first rating."""
    by: str
    """Who rates, or approves."""
    approving: bool
    """Whether ratings of somebody else are approved."""
    labels: LabelSet
    """What it said at the beginning."""


def own_path(root: Path, by: str) -> Path:
    """Return the file of a person: `evals/labels/ada-lovelace.yaml` of Ada Lovelace."""
    name = re.sub(r"[\W_]+", "-", by.casefold()).strip("-")
    return root / FOLDER / f"{name or 'labels'}.yaml"


def open_labels(path: Path, by: str | None, *, approving: bool) -> LabelFile:
    """Look whether this person may write into the file; nothing is written yet.

    Raises ConfigError, DatasetError and FileError, each with what to do instead.
    """
    if by is not None and (not by.strip() or plain(by) != by):
        raise ConfigError("--by: write a name, without control characters or double spaces")
    if not path.exists():
        if approving:
            raise FileError("there are no such labels: name what was drafted with --labels", path)
        if by is None:
            raise ConfigError('say who rates: --by "Ada Lovelace"')
        labels = load_labels(empty_file(by), str(path))
        return LabelFile(path, by, approving, labels)
    text = read_text(path)
    labels = load_labels(text, str(path))
    by = _who(labels, by, approving=approving)
    if labels.approved_by is not None:
        raise DatasetError(
            f"says at its head that {labels.approved_by} approved all of it, which would hold for "
            "new ratings too: "
            + ("there is nothing to approve" if approving else "rate into another file"),
            path,
        )
    # A layout that cannot be written to is found now, and not after the first rating.
    put_label(text, str(path), Label(case_id="x", answer="0" * 64, scores={"x": "low"}))
    return LabelFile(path, by, approving, labels)


def _who(labels: LabelSet, by: str | None, *, approving: bool) -> str:
    """Say who writes into a file that is there already."""
    path, drafter = labels.path, labels.drafted_by
    if drafter is None:
        raise DatasetError(
            "is a list of ratings that are bound to no answer, as gemini-search-mcp writes it: "
            "rate into another file",
            path,
        )
    if approving:
        if by is None:
            raise ConfigError('say who approves: --by "Grace Hopper"')
        if by.casefold() == drafter.casefold():
            raise DatasetError(
                f"was drafted by {drafter}, who cannot approve it: somebody else must", path
            )
        return by
    own = by is None or by.casefold() == drafter.casefold()
    if labels.drafted_by_family is not None or not own:
        raise DatasetError(
            f"holds what {drafter} drafted: to rate apart, leave --labels out or name a file of "
            "your own; to approve these ratings, add --approve",
            path,
        )
    return drafter


def save_change(file: LabelFile, sheet: Sheet, change: Change) -> LabelSet:
    """Write one change, and return what the file says then.

    Raises FileError and DatasetError, also where the file is somebody else's by now.
    """
    with folder_lock(file.path.parent):
        text = read_text(file.path) if file.path.exists() else empty_file(file.by)
        labels = load_labels(text, str(file.path))
        if labels.drafted_by != (file.labels.drafted_by):
            raise DatasetError(
                f"is a file of {labels.drafted_by} by now: rate into another", file.path
            )
        found = find_label(labels, sheet.case_id, sheet.answer, sheet.target)
        new = Label(case_id=sheet.case_id, target=sheet.target, answer=sheet.answer, scores={})
        label = _changed(found or new, change, file.by)
        notes = {slot.name: slot.text for slot in sheet.slots if slot.kind is not None}
        text, labels = put_label(text, str(file.path), label, notes)
        # Under the lock no other sitting has a draft: what lies there is of a killed one.
        remove_drafts(file.path.parent, of=file.path.name)
        write_text(file.path, text)
    return labels


def _changed(label: Label, change: Change, by: str) -> Label:
    """Return a label with one rating or its approval changed."""
    if change.approves is not None:
        label = label.model_copy(update={"approved_by": by if change.approves else None})
    if change.rated is None:
        return label
    kind, name = change.rated
    if kind is None:
        scores: dict[str, str] = {**label.scores, name: change.word or ""}
        kept = {key: word for key, word in scores.items() if word}
        return Label.model_validate({**dict(label), "scores": kept})
    return label.model_copy(update={"items": _items(label, change.rated, change.word)})


def _items(label: Label, rated: Rated, word: str | None) -> tuple[ItemLabel, ...]:
    """Return the labels of items with one changed in its place, added or taken out."""
    kind, item = rated
    new = (
        ()
        if word is None
        else (ItemLabel.model_validate({"kind": kind, "item": item, "label": word}),)
    )
    places = [place for place, one in enumerate(label.items) if (one.kind, one.item) == rated]
    at = places[0] if places else len(label.items)
    return (*label.items[:at], *new, *label.items[at + len(places) :])
