"""Judges of a panel beside one another, and what of a score's noise is the judges'."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.judge_noise import noise_words
from gate.decision.panel import rulings
from gate.decision.words import counted
from gate.reports.numbers import MISSING, figure
from gate.reports.tables import table
from gate.reports.untrusted import sentence, span
from gate.types import NoiseFinding, PanelFinding, PanelPair, Run

ABOUT = (
    "Kappa and alpha (ordinal) are of thirds of the scale, on answers that all judges rated. "
    "They say that judges agree, not that they are right."
)
"""What stands below the table."""

_NAME = 60
_PAIR = 2
_MOST_APART = 5
_VISIBLE = 0.005
_ONE_RATING = f"{MISSING} (all answers got one rating)"


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
                _ONE_RATING if found.alpha is None else figure(found.alpha),
                _lowest(found.pairs),
                *(figure(of.get(one)) for one in judges),
            )
        )
    parts = [table(head, rows)]
    if len(findings) > most:
        parts.append(f"and {counted(len(findings) - most, 'more row')}")
    return "\n\n".join([*parts, ABOUT])


def most_apart(run: Run, findings: Sequence[PanelFinding]) -> str:
    """Name the answers on which the judges differ most, as safe Markdown; empty for none.

    Of several answers to a case the one on which they differ most stands for it.
    """
    gaps: dict[tuple[str, str, str], tuple[float, dict[str, float]]] = {}
    for found in findings:
        for cell in run.cells:
            for said in rulings(cell, found.dimension):
                means = {judge: sum(values) / len(values) for judge, values in said.items()}
                gap = max(means.values()) - min(means.values())
                place = cell.target, cell.case_id, found.dimension
                if gap >= max(_VISIBLE, gaps.get(place, (0.0, {}))[0]):
                    gaps[place] = gap, means
    if not gaps:
        return ""
    several = len({cell.target for cell in run.cells}) > 1
    widest = sorted(gaps.items(), key=lambda one: (-one[1][0], one[0]))[:_MOST_APART]
    lines = [
        f"- {span(case, 100)}{f' of {span(target, 100)}' if several else ''}, "
        f"{sentence(dimension, _NAME)}: "
        + ", ".join(f"{sentence(judge, _NAME)} {figure(mean)}" for judge, mean in means.items())
        for (target, case, dimension), (_, means) in widest
    ]
    return "\n".join(["The judges differ most on:", "", *lines])


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
