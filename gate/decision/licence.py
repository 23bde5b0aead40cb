"""May a judge's dimension fail a run? Kappa of its labels, and the licence that follows.

A dimension that counts items, such as claims, is licensed by labels of these, all others by
ratings of whole answers. A bare kappa above 0.6 on 24 skewed labels turns on one answer, hence the
lower bound and the labels off the fullest cell. It cannot see whether the labels are right, nor
whether they were drawn fairly.
"""

from __future__ import annotations

import re
from collections import Counter

from gate.decision.beside import more_labels
from gate.decision.categories import categories_of, judge_said
from gate.decision.identity import PARTS, differing, unknown
from gate.decision.kappas import measure
from gate.decision.tried import tuned_on_test
from gate.decision.words import counted, few, listed
from gate.errors import FileError
from gate.stats.agreement import Kappa, cohen_kappa, gwet_ac1, percent_agreement
from gate.types import (
    Agreement,
    CalibrationSet,
    Identity,
    ItemKind,
    Policy,
    TrustState,
)

MAY_GATE: frozenset[TrustState] = frozenset({"validated", "provisional", "unbound", "not_needed"})
"""Licences with which a dimension may fail a run."""

WEAK: frozenset[TrustState] = frozenset({"provisional", "unbound"})
"""Licences with which it may do so only on a large drop."""

BEST_FIRST: tuple[TrustState, ...] = (
    *("not_needed", "validated", "provisional", "unbound"),
    *("unvalidated", "undefined", "stale", "unlabelled"),
)
"""Licences by what they allow."""

STAND_IN = "loopback-judge"
"""How the name of the loopback world's judge begins."""


def agreement_of(
    labelled: CalibrationSet,
    policy: Policy,
    current: Identity | None,
    judge_family: str | None = None,
    *,
    world: str | None = None,
) -> Agreement:
    """Give kappa of one dimension's labels, and the licence that follows for the judge of a run.

    `current` is the identity of the dimension in the run (None is unknown); the licence is stale
    when judge, prompt or scorer is known on both sides and differs, and weak where one of them is
    not known on one side. `judge_family` names the judge's vendor family, of a panel all of them;
    without it the family is looked for in the judge's own name. `world` is the loopback world that
    answered the run, None for real vendors: there the stand-in's labels license nothing.
    Example: the table [[2, 0, 0], [0, 0, 0], [1, 1, 20]] has kappa 0.6308 and a lower bound of
    0.2511 with 4 labels off the cell (high, high): provisional by default, validated under
    `licence: point`. Raises FileError for a judge's score outside [0, 1].
    """
    dimension = labelled.dimension
    if not labelled.items:
        return unlabelled(dimension, labelled.counts)
    try:
        found = measure(labelled)
    except ValueError as error:
        raise FileError(
            f"the calibration of {dimension} has {error}: scores lie between 0 and 1, write the "
            "file again with `gate kappa --write`"
        ) from error
    kappa, off, ordered = found.kappa, found.off_modal, labelled.counts is None
    refused = _of_stand_in(labelled, current, world) or _refused(labelled, kappa, policy, current)
    state, because = refused or _granted(labelled, kappa, policy, current, judge_family)
    if state == "validated" and policy.licence == "interval":
        state, because = _interval(kappa, off, labelled, policy)
    state, because = _if_unknown(state, because, labelled, current, policy)
    because += tuned_on_test(labelled, state)
    return Agreement(
        dimension=dimension,
        state=state,
        kappa=kappa.value,
        se=kappa.se,
        low=kappa.low,
        high=kappa.high,
        lower_one_sided=kappa.lower_one_sided,
        n=kappa.n,
        counts=labelled.counts,
        categories=categories_of(labelled.counts),
        cases=found.cases,
        design_effect=found.design_effect,
        off_modal=off,
        table=found.table,
        linear=cohen_kappa(found.table, "linear").value if ordered else None,
        quadratic=cohen_kappa(found.table, "quadratic").value if ordered else None,
        ac1=gwet_ac1(found.table),
        agreement=percent_agreement(found.table),
        prompts=max(1, len(labelled.tried)),
        because=because,
    )


def unlabelled(dimension: str, counts: ItemKind | None = None) -> Agreement:
    """Give the licence of a judged dimension of which nobody has labelled what it counts.

    The reason is the same for all, so that a report says it once.
    """
    return Agreement(
        dimension=dimension,
        state="unlabelled",
        counts=counts,
        because="not in the calibration: rate answers (`gate label`), then write it with "
        "`gate kappa RUN.json --write evals/calibration.json`",
    )


def _refused(
    labelled: CalibrationSet, kappa: Kappa, policy: Policy, current: Identity | None
) -> tuple[TrustState, str] | None:
    """Say why the labels license nothing; None when they license something."""
    changed = differing(labelled.identity, current)
    if changed:
        return "stale", (
            f"{listed(changed)} changed since the labels were compared with it: "
            "run `gate kappa --write` again on answers that the present judge has scored"
        )
    constant = _constant(labelled, policy)
    if constant is not None:
        return "undefined", constant
    value = kappa.value or 0.0
    if value > policy.min_kappa:
        return None
    return "unvalidated", (
        f"kappa {value:.2f} (n {kappa.n}) is not above {policy.min_kappa:g}: look at the "
        f"{labelled.counts or 'answers'} on which judge and people differ, then "
        "sharpen those cases' `expect_assertions`, or try another judge"
    )


def _granted(
    labelled: CalibrationSet,
    kappa: Kappa,
    policy: Policy,
    current: Identity | None,
    judge_family: str | None,
) -> tuple[TrustState, str]:
    """Give the licence of a kappa above the bar, by where the labels come from."""
    above = f"kappa {kappa.value or 0.0:.2f} (n {kappa.n}) is above {policy.min_kappa:g}"
    if policy.licence == "point":
        return "validated", f"{above}, and `licence: point` asks for no more"
    loose = sum(item.answer is None for item in labelled.items)
    if loose:
        return "unbound", (
            f"{above}, but {loose} of {counted(kappa.n, 'label')} name no answer, so nothing says "
            "that the judge rated the same one: write `answer:`, its digest, beside each label"
        )
    family = _own_family(labelled, current, judge_family)
    if family is not None:
        return "provisional", (
            f"{above}, but labels were drafted by {family}, the judge's own family: "
            "let people, or a model of another family, draft them"
        )
    return "validated", above


def _interval(
    kappa: Kappa, off: int, labelled: CalibrationSet, policy: Policy
) -> tuple[TrustState, str]:
    """Give the licence of a judge whose kappa is above the bar, by how sure that kappa is."""
    value, bound = kappa.value or 0.0, kappa.lower_one_sided
    above = f"kappa {value:.2f} is above {policy.min_kappa:g}"
    floor = f"{policy.min_kappa_lower:g}"
    noun, rare = labelled.counts or "answers", _rare(labelled)
    missing = []
    if bound is None:
        missing.append(
            "all labels are of one case, so how sure it is cannot be told: label "
            f"{noun} of other cases"
        )
    elif not bound > policy.min_kappa_lower:
        missing.append(
            f"its lower bound {bound:.2f} is not above {floor}: label about "
            f"{more_labels(value, bound, kappa.n, policy.min_kappa_lower) or 'many'} more {noun}, "
            f"{rare} ones first" + ("" if labelled.counts is None else ", of other cases")
        )
    if off < policy.min_off_modal:
        short = policy.min_off_modal - off
        missing.append(
            f"only {off} of {counted(kappa.n, 'label')} lie off the most frequent pair and "
            f"{policy.min_off_modal} are needed: label at least {short} more {rare} "
            f"{noun[:-1] if short == 1 else noun}"
        )
    if missing or bound is None:
        return "provisional", f"{above}, but {'; and '.join(missing)}"
    return "validated", f"{above}, and its lower bound {bound:.2f} above {floor} (n {kappa.n})"


def _constant(labelled: CalibrationSet, policy: Policy) -> str | None:
    """Say who gave one and the same rating throughout, and what helps; None where nobody did.

    Where people gave several, and often enough another than the judge, the labels are as they
    should be and the judge sees no difference; on fewer it may be luck.
    """
    human = {item.human for item in labelled.items}
    judge = {judge_said(item) for item in labelled.items}
    who = [name for name, ratings in (("people", human), ("the judge", judge)) if len(ratings) == 1]
    if not who:
        return None
    beyond = "so agreement beyond chance cannot be told"
    if len(human) == 1:
        return (
            f"{listed(who)} gave one rating throughout, {beyond}: label "
            f"{labelled.counts or 'answers'} of all kinds, the bad ones first"
        )
    others = sum(item.human != judge_said(item) for item in labelled.items)
    if others < policy.min_off_modal:
        return (
            f"the judge gave one rating throughout and people another {counted(others, 'time')} "
            f"only, {beyond}: label {labelled.counts or 'answers'} of all kinds, the bad ones first"
        )
    return (
        f"the judge gave one rating throughout where people gave {len(human)}, {beyond}: the "
        "labels are fine, so mend the judge's prompt or take another judge"
    )


def _rare(labelled: CalibrationSet) -> str:
    """Name the ratings that the fullest (human, judge) pair is not, as `low or med`."""
    pairs = Counter((item.human, judge_said(item)) for item in labelled.items)
    fullest = max(sorted(pairs), key=pairs.__getitem__)[0]
    words = [word for word in categories_of(labelled.counts) if word != "unverifiable"]
    return " or ".join(word for word in words if word != fullest)


def _own_family(
    labelled: CalibrationSet, current: Identity | None, judge_family: str | None
) -> str | None:
    """Name the drafters' family that is the judge's own, or None."""
    judges = [labelled.identity.judge, None if current is None else current.judge, judge_family]
    names = {part for judge in judges if judge for part in re.split(r"[^a-z0-9]+", judge.lower())}
    own = sorted(name for name in labelled.drafted_by_families if name.lower() in names)
    return few(own) if own else None


def _of_stand_in(
    labelled: CalibrationSet, current: Identity | None, world: str | None
) -> tuple[TrustState, str] | None:
    """Refuse labels of the stand-in's judge for a run of real vendors that names no judge."""
    names = (labelled.identity.judge or "").split(" + ")
    stand_in = any(name.startswith(STAND_IN) for name in names)
    if not stand_in or world is not None or (current is not None and current.judge is not None):
        return None
    return "unvalidated", (
        "the calibration is of the loopback world's stand-in, which says nothing of a real judge: "
        "rate answers of real runs, then `gate kappa RUN.json --write evals/calibration.json`"
    )


def _if_unknown(
    state: TrustState,
    because: str,
    labelled: CalibrationSet,
    current: Identity | None,
    policy: Policy,
) -> tuple[TrustState, str]:
    """Weaken a licence whose judge may be another than the run's, and say what is not known.

    `licence: point` asks for a bare kappa of files that name no judge at all, on either side.
    """
    now = current or Identity()
    if state not in MAY_GATE or not unknown(labelled.identity, now, judged=True):
        return state, because
    sides = (("the run is one", now), ("the labels are of one", labelled.identity))
    lacks = {side: [p for p in PARTS if getattr(one, p) is None] for side, one in sides}
    reason = listed(
        [
            f"{side} whose {listed(parts)} {'is' if len(parts) == 1 else 'are'} not known"
            for side, parts in lacks.items()
            if parts
        ]
    )
    if policy.licence == "point" and labelled.identity.judge is now.judge is None:
        return state, f"{because} ({reason})"
    return "unbound", (
        f"{because}; {reason}: nothing says that both are of one judge, as runs of `gate run` do"
    )
