"""How far two people agree who rated the same answers apart: no judge can be held to more."""

from __future__ import annotations

from collections import defaultdict

from gate.decision.categories import categories_of
from gate.decision.words import few
from gate.labelling.sheet import Rated
from gate.stats.agreement import cohen_kappa, contingency
from gate.types import ItemKind, Label, LabelSet

_Both = tuple[str, str, str]
"""Case, and what the one and the other said."""


def between(first: LabelSet, second: LabelSet) -> tuple[str, ...]:
    """Say in a line for each dimension and kind of item how far two files of labels agree.

    Only what both rated counts. Kappa is plain: labels of one case are not counted as a cluster.
    """
    pairs: dict[tuple[ItemKind | None, str], list[_Both]] = defaultdict(list)
    theirs = {(one.case_id, one.answer): _ratings(one) for one in second.labels if one.answer}
    for label in first.labels:
        other = theirs.get((label.case_id, label.answer or ""), {})
        for rated, word in _ratings(label).items():
            if rated in other:
                kind, name = rated
                pairs[kind, kind or name].append((label.case_id, word, other[rated]))
    who = second.drafted_by or second.path
    return tuple(_line(kind, name, who, said) for (kind, name), said in pairs.items())


def _ratings(label: Label) -> dict[Rated, str]:
    found: dict[Rated, str] = {(None, name): word for name, word in label.scores.items()}
    return {**found, **{(one.kind, one.item): one.label for one in label.items}}


def _line(kind: ItemKind | None, name: str, who: str, said: list[_Both]) -> str:
    mine, yours = [one for _, one, _ in said], [one for _, _, one in said]
    kappa = cohen_kappa(contingency(mine, yours, categories_of(kind))).value
    apart = sorted({case for case, one, other in said if one != other})
    alike = sum(one == other for _, one, other in said)
    shown = "kappa undefined" if kappa is None else f"kappa {kappa:.2f}"
    differing = f"; not on {few(apart)}" if apart else ""
    return f"{name}: with {who} alike in {alike} of {len(said)}, {shown}{differing}"
