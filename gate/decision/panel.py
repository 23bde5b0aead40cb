"""Several judges of one answer: how far they agree with one another. It decides nothing.

What it cannot see: whether they are right. Judges err together, those of one family most of all, so
agreement among them is no agreement with people.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from gate.decision.categories import BUCKETS
from gate.decision.rounding import result
from gate.decision.rows import FRACTION
from gate.decision.words import counted, listed
from gate.stats.agreement import bucket, cohen_kappa, contingency, krippendorff_alpha_of_ratings
from gate.types import Cell, PanelFinding, PanelJudge, PanelPair, Run

ENOUGH = 20
"""Answers below which the judges' disagreement is not warned of."""

LOW_ALPHA = 0.4
"""Below it the judges hardly measure one thing."""

APART = 0.10
"""How far one judge's mean may lie from that of the others."""

_TWO = 2
_STAND_IN = "loopback"


def member_name(judge: str, repeat: int, repeats: int) -> str:
    """Name one ruling of several: by its judge, and by its number from 1 where there are more."""
    return f"{judge}#{repeat}" if repeats > 1 else judge


def judge_of(member: str) -> str:
    """Give the judge of a ruling's name."""
    judge, mark, repeat = member.rpartition("#")
    return judge if mark and repeat.isdigit() else member


def judges_of(cells: Sequence[Cell], dimension: str) -> tuple[str, ...]:
    """Name the judges that ruled on a dimension, in the panel's order."""
    return tuple(
        dict.fromkeys(judge_of(one) for cell in cells for one in cell.members.get(dimension, {}))
    )


def rulings(cell: Cell, dimension: str) -> Iterator[dict[str, list[float]]]:
    """Give, for each answer of a cell, every judge's values of it.

    An answer that any ruling left without a value is passed over.
    """
    columns = cell.members.get(dimension, {})
    judges = [judge_of(one) for one in columns]
    for values in zip(*columns.values(), strict=True):
        known = [value for value in values if value is not None]
        if len(known) == len(values):
            said: dict[str, list[float]] = {}
            for judge, value in zip(judges, known, strict=True):
                said.setdefault(judge, []).append(value)
            yield said


def panel_of(run: Run) -> tuple[PanelFinding, ...]:
    """Say of every judged dimension how far the judges of a panel agree, in the metrics' order.

    Kappa and alpha are of thirds of the scale, as they are for people; a judge that ruled several
    times on an answer has the mean. Empty for a single judge.
    """
    if not any(cell.members for cell in run.cells):
        return ()
    return tuple(
        found
        for metric in run.metrics
        if metric.judged and metric.unit == FRACTION
        if (found := _finding(run.cells, metric.name)) is not None
    )


def _finding(cells: Sequence[Cell], dimension: str) -> PanelFinding | None:
    judges = judges_of(cells, dimension)
    if len(judges) < _TWO:
        return None
    said = [
        [math.fsum(one[judge]) / len(one[judge]) for judge in judges]
        for cell in cells
        for one in rulings(cell, dimension)
        if len(one) == len(judges)
    ]
    if not said or not all(0.0 <= value <= 1.0 for row in said for value in row):
        return None
    thirds = [[bucket(value) for value in row] for row in said]
    means = [math.fsum(column) / len(said) for column in zip(*said, strict=True)]
    alpha = krippendorff_alpha_of_ratings(thirds, BUCKETS, "ordinal")
    return PanelFinding(
        dimension=dimension,
        n=len(said),
        alpha=None if alpha is None else result(alpha),
        judges=tuple(
            PanelJudge(judge=judge, mean=result(mean), apart=result(mean - _others(means, place)))
            for place, (judge, mean) in enumerate(zip(judges, means, strict=True))
        ),
        pairs=tuple(
            PanelPair(
                one=judges[one],
                other=judges[other],
                kappa=_kappa([row[one] for row in thirds], [row[other] for row in thirds]),
                difference=result(means[one] - means[other]),
            )
            for one, other in combinations(range(len(judges)), 2)
        ),
    )


def _others(means: Sequence[float], place: int) -> float:
    others = [mean for number, mean in enumerate(means) if number != place]
    return math.fsum(others) / len(others)


def _kappa(one: Sequence[str], other: Sequence[str]) -> float | None:
    kappa = cohen_kappa(contingency(one, other, BUCKETS)).value
    return None if kappa is None else result(kappa)


def warnings_of_panel(findings: Sequence[PanelFinding], families: Sequence[str]) -> list[str]:
    """Warn of judges of one family, of judges that disagree, and of one that rates otherwise.

    `families` are those of the panel's judges, each once; empty for a single judge.
    """
    said = []
    # The stand-ins of all vendors are one family, which says nothing of the judges configured.
    if len(families) == 1 and families[0] != _STAND_IN:
        said.append(
            f"All judges of the panel are of one family ({families[0]}): errors of one family go "
            "together, so they are hardly more than one judge."
        )
    said.extend(
        f"The judges disagree on {one.dimension}: alpha {round(one.alpha, 2) + 0.0:.2f} on "
        f"{counted(one.n, 'answer')}. Look at the answers on which they differ before you trust "
        "their mean."
        for one in findings
        if one.n >= ENOUGH and one.alpha is not None and one.alpha < LOW_ALPHA
    )
    for judge, lies in _aside(findings).items():
        said.append(f"{judge} rates otherwise than the rest of the panel: {listed(lies)}.")
    return said


def _aside(findings: Sequence[PanelFinding]) -> dict[str, list[str]]:
    """Give each judge that lies furthest apart in a dimension, and where; of two it is the first.

    Where one judge lies apart the others lie apart from it, too, so one is named.
    """
    found: dict[str, list[str]] = {}
    for finding in findings:
        one = max(finding.judges, key=lambda judge: abs(judge.apart))
        if finding.n >= ENOUGH and abs(one.apart) > APART:
            way = "higher" if one.apart > 0.0 else "lower"
            lies = f"{finding.dimension} {abs(one.apart):.2f} {way}"
            found.setdefault(one.judge, []).append(lies)
    return found
