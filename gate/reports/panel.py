"""Judges of a panel beside one another, and what of a score's noise is the judges'."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.judge_noise import noise_words
from gate.decision.words import counted
from gate.reports.numbers import MISSING, figure
from gate.reports.tables import table
from gate.reports.untrusted import sentence
from gate.types import NoiseFinding, PanelFinding, PanelPair

ABOUT = (
    "Kappa and alpha (ordinal) are of thirds of the scale, on answers that all judges rated. "
    "They say that judges agree, not that they are right."
)
"""What stands below the table."""

_NAME = 60
_PAIR = 2


def panel_table(findings: Sequence[PanelFinding], most: int) -> str:
    """Return a table of the judges' means and their agreement, as safe Markdown; empty for none."""
    judges = list(dict.fromkeys(one.judge for found in findings for one in found.judges))
    if not judges:
        return ""
    means = [f"mean of {sentence(one, _NAME)}" for one in judges]
    head = ("dimension", "answers", "alpha", "lowest kappa of two", *means)
    rows = []
    for found in findings[:most]:
        of = {one.judge: one.mean for one in found.judges}
        rows.append(
            (
                sentence(found.dimension, _NAME),
                str(found.n),
                figure(found.alpha),
                _lowest(found.pairs),
                *(figure(of.get(one)) for one in judges),
            )
        )
    parts = [table(head, rows)]
    if len(findings) > most:
        parts.append(f"and {counted(len(findings) - most, 'more row')}")
    return "\n\n".join([*parts, ABOUT])


def _lowest(pairs: Sequence[PanelPair]) -> str:
    """Give the lowest kappa, and of which two judges where there are more than two."""
    known = [(one.kappa, place, one) for place, one in enumerate(pairs) if one.kappa is not None]
    if not known:
        return MISSING
    kappa, _, pair = min(known)
    named = len(pairs) >= _PAIR
    return figure(kappa) + (f" ({sentence(f'{pair.one}, {pair.other}', _NAME)})" if named else "")


def noise_list(findings: Sequence[NoiseFinding], most: int) -> str:
    """Say of each dimension what of one score's noise is the judge's; empty for none."""
    lines = [
        f"- **{sentence(one.dimension, _NAME)}**: {noise_words(one)}" for one in findings[:most]
    ]
    if len(findings) > most:
        lines.append(f"- and {counted(len(findings) - most, 'more dimension')}")
    return "\n".join(lines)
