"""Which labels mend the judge's prompt and which license it, and how many prompts these have seen.

Whoever changes a prompt until kappa is high has fitted it to the labels: the next kappa of the same
labels says how well that went, and nothing of other answers. So a share of the cases can be kept
for mending, and the prompts that were compared with the others are counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from gate.types import Calibration, CalibrationItem, CalibrationSet, TrustState

FEW_PROMPTS = 3
"""More prompts than so many, compared with the same labels, are said to be too many."""

SAME_LABELS = 0.5
"""Share of the labels that must have stood in the file before, for its prompts to count."""

_BYTES = 8
_WHOLE = float(2 ** (8 * _BYTES))


def kept_for_tuning(case_id: str, share: float) -> bool:
    """Tell whether the labels of a case are for mending the prompt, by the hash of its id.

    The first 8 bytes of SHA-256("labels", the byte 0x1F, the id) as a number in [0, 1) lie below
    `share`. A case that is added moves no other one, and a larger share keeps what a smaller kept.
    """
    first = hashlib.sha256(f"labels\x1f{case_id}".encode()).digest()[:_BYTES]
    return int.from_bytes(first, "big") < share * _WHOLE


def with_history(now: Calibration, before: Calibration | None) -> Calibration:
    """Add the prompts that were compared with the same labels before, the oldest first.

    Labels are the same where half of the present ones stood in the file before: of the same case
    and answer, whatever the rating. New labels begin a new count. A prompt that is not known, as in
    files of other tools, is not counted.
    """
    known = {} if before is None else {one.dimension: one for one in before.sets}
    return now.model_copy(
        update={"sets": tuple(_with_history(one, known.get(one.dimension)) for one in now.sets)}
    )


def _with_history(now: CalibrationSet, before: CalibrationSet | None) -> CalibrationSet:
    if before is None or not _same(now.items, before.items):
        return now
    prompts = [*(before.tried or [before.identity.prompt]), now.identity.prompt]
    # The present one stands last, though it may have been tried before another.
    tried = [one for one in prompts if one is not None and one != now.identity.prompt]
    present = [] if now.identity.prompt is None else [now.identity.prompt]
    found = (*dict.fromkeys(tried), *present)
    return now.model_copy(update={"tried": found}) if len(found) > 1 else now


def _same(now: Sequence[CalibrationItem], before: Sequence[CalibrationItem]) -> bool:
    ours, theirs = _places(now), _places(before)
    return bool(ours) and len(ours & theirs) >= SAME_LABELS * len(ours)


def _places(items: Sequence[CalibrationItem]) -> set[tuple[str, str | None]]:
    """Name the answers that are rated; an item's digest moves with the prompt, its answer's not."""
    return {(item.case_id, item.answer) for item in items}


def tuned_on_test(labelled: CalibrationSet, state: TrustState) -> str:
    """Say that many prompts were compared with these labels; nothing where they were few.

    A licence that is refused anyway needs no such remark.
    """
    tried = len(labelled.tried)
    if tried <= FEW_PROMPTS or state not in {"validated", "provisional", "unbound"}:
        return ""
    return (
        f"; {tried} prompts were compared with these labels, so this kappa is too high by as much "
        "as the choice among them gained: label answers of cases that none was chosen on"
    )
