"""Does the judge see a drop? What it said of damaged answers, and which dimensions that disarms.

Kappa on thirds of the scale says that a judge tells good from bad. It does not say that the judge
sees a good answer become a little worse, which is what a pull request does. So good answers are
damaged in ways that a dimension should see, and the judge must rate the damaged one lower in at
least 80% of them, else the dimension fails no run. What it cannot tell: whether the judge sees
damages of other kinds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.decision.identity import differing
from gate.decision.licence import MAY_GATE
from gate.decision.words import listed
from gate.types import (
    Agreement,
    Damage,
    DamagedPair,
    Identity,
    Sensitivity,
    SensitivitySet,
)

SEEN_SHARE = 0.8
"""At least so large a share of the damages must be seen."""

FEWEST_DAMAGES = 10
"""Fewer than so many damages of one kind say nothing for or against a judge."""

GOOD = 2 / 3
"""An answer is good in a dimension from here on: what is low already cannot be seen to fall."""

_BY_PAGES = "a page that is cited says otherwise"

SEEN_BY: Mapping[Damage, Mapping[str, str]] = {
    "fact_flipped": {
        "correctness": "the figure is one that the case expects",
        "faithfulness": _BY_PAGES,
        "citation_precision": _BY_PAGES,
        "alce_recall": _BY_PAGES,
        "alce_precision": _BY_PAGES,
    },
    "sentence_removed": {
        "correctness": "what the case expects is no longer said",
    },
    "claim_added": {
        "faithfulness": "no page states the claim",
        "citation_precision": "the page that it cites does not state it",
        "alce_recall": "a sentence more is not borne out by what it cites",
        "alce_precision": "the citation supports nothing",
    },
    "citation_stripped": {
        "alce_recall": "a sentence more cites nothing",
    },
    "sources_stripped": {
        "source_quality": "there is no source to rate",
        "alce_recall": "no sentence cites anything",
        "alce_precision": "an answer without citations has precision 0",
    },
    "padding_added": {
        "relevance": "half of the answer no longer serves the question",
        "alce_recall": "the sentences that were added cite nothing",
    },
}
"""Damage -> the dimensions that should see it, and why. Others may see it and need not."""


@dataclass(frozen=True)
class Seen:
    """How many damages of one kind a dimension saw."""

    damage: Damage
    """The kind."""
    seen: int
    """Damaged answers that were rated lower."""
    counted: int
    """Damaged answers whose good one was rated good."""

    @property
    def blind(self) -> bool:
        """Whether too few were seen, of enough."""
        return self.counted >= FEWEST_DAMAGES and self.seen < SEEN_SHARE * self.counted


def seen_by(part: SensitivitySet) -> tuple[Seen, ...]:
    """Count one dimension's damages by kind, in the order of `SEEN_BY`."""
    by_damage: dict[Damage, list[DamagedPair]] = defaultdict(list)
    for pair in part.pairs:
        if pair.before >= GOOD:
            by_damage[pair.damage].append(pair)
    return tuple(
        Seen(damage, sum(pair.seen for pair in by_damage[damage]), len(by_damage[damage]))
        for damage in SEEN_BY
        if by_damage[damage]
    )


def blindness(part: SensitivitySet) -> str | None:
    """Say what a dimension's judge does not see; None where it sees enough, or too few are known.

    Every kind counts by itself: a judge that sees five kinds and is blind to the sixth is blind to
    a pull request that does the sixth.
    """
    blind = [one for one in seen_by(part) if one.blind]
    if not blind:
        return None
    kinds = listed([f"{one.seen} of {one.counted} {words(one.damage)}" for one in blind])
    return (
        f"the judge rated lower only {kinds}, and {SEEN_SHARE:.0%} are needed: mend its prompt, "
        "then `gate sensitivity --write` again"
    )


def words(damage: Damage) -> str:
    """Name damaged answers of a kind, as `answers with a fact flipped`."""
    return f"answers with {_WORDS[damage]}"


_WORDS: Mapping[Damage, str] = {
    "fact_flipped": "a fact flipped",
    "sentence_removed": "a sentence removed",
    "claim_added": "a claim added",
    "citation_stripped": "a citation stripped",
    "sources_stripped": "their sources stripped",
    "padding_added": "padding added",
}


def disarmed(
    agreement: Agreement, sensitivity: Sensitivity | None, current: Identity | None
) -> Agreement:
    """Take the licence of a dimension whose judge does not see its damages; all others stay.

    `current` is the identity of the dimension in the run. A set of another judge, prompt or scorer
    says nothing of this one, and the reason says so.
    """
    sets = () if sensitivity is None else sensitivity.sets
    part = next((one for one in sets if one.dimension == agreement.dimension), None)
    if part is None or agreement.state not in MAY_GATE:
        return agreement
    changed = differing(part.identity, current)
    if changed:
        return agreement.model_copy(
            update={
                "because": f"{agreement.because}; whether it sees small damages is not known, since"
                f" {listed(changed)} changed: run `gate sensitivity --write` again"
            }
        )
    because = blindness(part)
    if because is None:
        return agreement
    return agreement.model_copy(update={"state": "unvalidated", "because": because})


def pairs_of(
    before: Mapping[str, Mapping[str, float | None]],
    after: Mapping[Damage, Mapping[str, Mapping[str, float | None]]],
    applied: Mapping[tuple[Damage, str], Sequence[str]],
    origin: Mapping[str, tuple[str, str]],
    dimension: str,
) -> tuple[DamagedPair, ...]:
    """Pair one dimension's scores of good and of damaged answers.

    `before` is case -> dimension -> score of the good answer, `after` the same for each damage,
    `applied` the dimensions that should see the damage of a case, and `origin` the case's target
    and digest of the good answer. What has no score on one side is left out.
    """
    found = []
    for damage in SEEN_BY:
        for case_id, scores in sorted(after.get(damage, {}).items()):
            was, now = before.get(case_id, {}).get(dimension), scores.get(dimension)
            if dimension not in applied.get((damage, case_id), ()) or was is None or now is None:
                continue
            target, answer = origin[case_id]
            found.append(
                DamagedPair(
                    case_id=case_id,
                    target=target,
                    answer=answer,
                    damage=damage,
                    before=was,
                    after=now,
                )
            )
    return tuple(found)
