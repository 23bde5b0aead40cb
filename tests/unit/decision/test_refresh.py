"""A refresh, decided against the old baseline and the anchor."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.baseline import make_baseline
from gate.decision.refresh import Past, Refreshed, Why, refresh, run_of, swings_of
from gate.errors import ConfigError
from gate.types import (
    Baseline,
    Identity,
    Measured,
    MeasuredRun,
    Plan,
    Policy,
    Provenance,
    Reason,
)
from tests.unit.decision.decision_samples import CORRECTNESS, EXACT, JUDGED_BY, RELEVANCE
from tests.unit.decision.refresh_samples import GOOD, measured, past, scores, whole

WANTED = Why("shorter answers are wanted", "ada")


def made(new: Baseline, before: Past, why: Why | None = None) -> Refreshed:
    """The refresh by the default policy."""
    return refresh(new, measured(), before, Policy(), why=why)


def test_refresh__the_first_baseline_is_the_anchor() -> None:
    """There is nothing to hold it against."""
    found = made(scores(0.8), past(None))

    assert (None, None) == (found.old, found.held)
    assert found.anchor == found.baseline
    assert [] == found.needed


def test_refresh__nothing_changed_and_the_old_baseline_becomes_the_anchor() -> None:
    """It was the first one that was accepted."""
    old = scores(0.8, identity="old")
    found = made(scores(0.8), past(old))

    assert found.anchor == old
    assert () == found.baseline.reasons
    assert found.old is not None
    assert "pass" == found.old.verdict.status


def test_refresh__an_anchor_that_is_there_stays() -> None:
    """It is written once."""
    assert made(scores(0.8), past(scores(0.8), scores(0.81))).anchor is None


def test_refresh__a_drop_needs_a_reason() -> None:
    """By the gate's own test."""
    with pytest.raises(ConfigError) as caught:
        made(scores(0.6), past(scores(0.8)), Why("  "))

    assert "correctness is 0.20 below the anchor (0.80 → 0.60)" in str(caught.value)
    assert 2 == caught.value.exit_code


def test_refresh__many_small_drops_add_up() -> None:
    """Each passes against the one before; against the anchor they do not."""
    anchor, old, new = scores(0.80), scores(0.77), scores(0.74)
    with pytest.raises(ConfigError, match=r"0\.06 below the anchor"):
        made(new, past(old, anchor))
    found = made(new, past(old, anchor), WANTED)

    assert found.old is not None
    assert "regression" != found.old.verdict.status
    assert found.anchor is None
    (reason,) = found.baseline.reasons
    assert ("shorter answers are wanted", "ada", False) == (
        reason.text,
        reason.by,
        reason.new_anchor,
    )
    assert {"t": {"correctness": pytest.approx(0.06)}} == reason.accepted


def test_refresh__a_recorded_reason_holds_as_low_as_it_accepted() -> None:
    """And no lower than the smallest effect below it."""
    anchor = scores(0.80)
    old = made(scores(0.70), past(anchor), WANTED).baseline
    again = made(scores(0.69), past(old, anchor))

    assert old.reasons == again.baseline.reasons
    assert [] == again.needed
    assert [0.11] == [pytest.approx(fall.drop) for fall in again.falls]
    with pytest.raises(ConfigError, match=r"0\.16 below"):
        made(scores(0.64), past(old, anchor))


def test_refresh__reasons_of_an_earlier_anchor_cover_nothing() -> None:
    """What they accepted was counted from it."""
    low = Reason(run="r0", text="wanted", accepted={"t": {"correctness": 0.3}})
    ended = Reason(run="r1", text="another judge", new_anchor=True)
    covered = scores(0.8).model_copy(update={"reasons": (low,)})
    open_again = scores(0.8).model_copy(update={"reasons": (low, ended)})

    assert [] == made(scores(0.6), past(covered, scores(0.8))).needed
    with pytest.raises(ConfigError, match=r"0\.20 below"):
        made(scores(0.6), past(open_again, scores(0.8)))


def test_refresh__several_targets_are_named() -> None:
    """Each falls for itself."""
    one, low = scores(0.8), scores(0.6)
    old = one.model_copy(
        update={
            "cells": (*one.cells, *(replace(cell, target="u") for cell in one.cells)),
            "targets": (*one.targets, one.targets[0].model_copy(update={"name": "u"})),
        }
    )
    new = old.model_copy(
        update={"cells": (*one.cells, *(replace(cell, target="u") for cell in low.cells))}
    )
    with pytest.raises(ConfigError, match="correctness of u is"):
        made(new, past(old))


def test_refresh__another_judge_ends_the_anchor() -> None:
    """Nothing can be held against it: whoever changes the ruler says why."""
    other = {"correctness": Identity(judge="claude-y", prompt="p1", scorer="s1")}
    new = scores(0.5, identities=other)
    with pytest.raises(ConfigError, match="not to be held against the anchor"):
        made(new, past(scores(0.8), scores(0.8)))
    found = made(new, past(scores(0.8), scores(0.8)), WANTED)

    assert found.anchor == found.baseline
    assert [True] == [one.new_anchor for one in found.baseline.reasons]
    assert [{}] == [one.accepted for one in found.baseline.reasons]
    assert ["stale"] == [one.state for one in found.agreements]
    (move,) = found.moves
    assert (("judge",), None) == (move.parts, move.after)


def test_refresh__most_cases_changed() -> None:
    """Too few are in common with the anchor."""
    old = scores(0.8)
    cells = tuple(
        replace(one, case_digest="edited") if place < 12 else one
        for place, one in enumerate(old.cells)
    )
    edited = old.model_copy(update={"cells": cells})
    with pytest.raises(ConfigError, match=r"12 of its 24 cases in common"):
        made(scores(0.8), past(edited))


def test_refresh__a_target_that_is_gone() -> None:
    """It would be compared with nothing any more."""
    old = scores(0.8)
    both = old.model_copy(
        update={"cells": (*old.cells, *(replace(one, target="u") for one in old.cells))}
    )
    with pytest.raises(ConfigError, match="target u of the anchor is gone"):
        made(scores(0.8), past(both))


def test_refresh__a_dimension_that_is_not_measured_any_more() -> None:
    """Watched ones are not missed."""
    watched = EXACT.model_copy(update={"watched": True})
    old = scores(0.8, metrics=(CORRECTNESS, RELEVANCE, watched))
    with pytest.raises(ConfigError, match="relevance is not measured any more"):
        made(scores(0.8), past(old))
    only = scores(0.8, metrics=(CORRECTNESS, watched))

    assert [] == made(scores(0.8), past(only)).needed


def test_refresh__unlicensed_dimensions_need_no_reason() -> None:
    """They fail nothing; the pull request says so."""
    found = made(scores(0.6), past(scores(0.8), calibration=None))

    assert [] == found.needed
    assert ["unlabelled"] == [one.state for one in found.agreements]


def silent(cases: int) -> Baseline:
    """A baseline of so many cases, nine of which were answered without a text."""
    run = whole(0.8, cases=cases)
    blank = tuple(
        replace(
            one,
            attempts=tuple(replace(made, state="empty", grounded=None) for made in one.attempts),
            scores={"correctness": (None,) * 5},
        )
        if place < 9
        else one
        for place, one in enumerate(run.cells)
    )
    return make_baseline([run.model_copy(update={"cells": blank})])


def test_refresh__more_empty_answers_need_a_reason() -> None:
    """What the system does is as good as a score; a recorded reason covers it, too."""
    before = past(scores(0.8, cases=96), scores(0.8, cases=96))
    with pytest.raises(ConfigError, match="empty answers are 9% more than in the anchor"):
        made(silent(96), before)
    old = made(silent(96), before, WANTED).baseline
    found = made(silent(96), past(old, before.anchor))

    assert ["empty_rate"] == [fall.name for fall in found.falls]
    assert [] == found.needed


def test_refresh__so_many_empty_answers_that_nothing_can_be_told() -> None:
    """The anchor stays: it is not its fault."""
    with pytest.raises(ConfigError, match="9 cases without a score"):
        made(silent(24), past(scores(0.8), scores(0.8)))

    assert made(silent(24), past(scores(0.8), scores(0.8)), WANTED).anchor is None


def test_refresh__old_averages_cannot_be_an_anchor() -> None:
    """The new baseline is one, and the drop is seen all the same."""
    old = Baseline(averages={"t": {"correctness": 0.9}})
    found = made(scores(0.8), past(old), WANTED)

    assert found.anchor == found.baseline
    assert 1 == len(found.needed)


def test_refresh__nothing_accepted_is_carried_over() -> None:
    """An acceptance was of a run that is not in the baseline any more; a reason stays."""
    kept = Reason(run="r0", text="older")
    old = scores(0.8).model_copy(update={"accepted": {"r": "ada"}, "reasons": (kept,)})
    found = made(scores(0.8), past(old))

    assert ({}, (kept,)) == (found.baseline.accepted, found.baseline.reasons)


def test_refresh__an_old_baseline_is_still_a_measure() -> None:
    """However old, and in report-only mode: it is what there is."""
    old = scores(0.8).model_copy(update={"provenance": Provenance(created="2020-01-01T00:00:00Z")})
    policy = Policy(report_only=True, max_baseline_age_days=0.0)
    with pytest.raises(ConfigError):
        refresh(scores(0.5), measured(), past(old), policy)
    same = refresh(scores(0.8), measured(), past(old), policy).old
    assert same is not None
    assert ("pass", ()) == (same.verdict.status, same.comparison.warnings)


def test_refresh__an_unlabelled_row_of_another_instrument_ends_the_anchor_too() -> None:
    """Its licence went with the judge, and must not take the anchor along unseen."""
    other = {"correctness": JUDGED_BY.model_copy(update={"prompt": "p2"})}
    with pytest.raises(ConfigError, match="another prompt"):
        made(scores(0.8, identities=other), past(scores(0.8), calibration=None))


def test_run_of__cases_that_belong_together_still_do() -> None:
    """The gate's own test counts them as one against the anchor, too."""
    paged = scores(0.8).model_copy(update={"clusters": {"case-00": "atlas", "case-01": "atlas"}})

    assert paged.clusters == run_of(paged, measured()).plan.clusters


def test_swings_of__lowest_and_highest_repeat() -> None:
    """A repeat without a value has no mean."""
    run = whole(0.8, cases=1, repeats=3)
    cell = replace(run.cells[0], scores={"correctness": (0.5, None, 0.7), "none": (None,) * 3})

    assert [("t", "correctness", 0.5, 0.7)] == swings_of(run.model_copy(update={"cells": (cell,)}))


def test_samples__license_correctness() -> None:
    """Else the tests above would show nothing."""
    found = made(scores(0.8), past(None, calibration=GOOD))

    assert ["validated"] == [one.state for one in found.agreements]


def test_refresh__a_renewed_calibration_licenses_at_once() -> None:
    """The new scores are held to what the labels say of the judge that gave them."""
    found = refresh(scores(0.8), measured(), past(None, calibration=None), Policy(), renewed=GOOD)

    assert ["validated"] == [one.state for one in found.agreements]


def test_refresh__labels_that_the_judge_s_family_drafted_license_less() -> None:
    """Who judged is known from the measurement alone."""
    drafted = GOOD.sets[0].model_copy(update={"drafted_by_families": ("gpt",)})
    known = measured().model_copy(update={"judge_family": "gpt"})
    before = past(None, calibration=GOOD.model_copy(update={"sets": (drafted,)}))

    found = refresh(scores(0.8), known, before, Policy())

    assert "the judge's own family" in found.agreements[0].because
    assert "family" not in refresh(scores(0.8), measured(), before, Policy()).agreements[0].because


def test_refresh__labels_of_the_stand_in_hold_in_its_own_world() -> None:
    """They are refused to real vendors' scores that name no judge."""
    stand_in = GOOD.sets[0].model_copy(update={"identity": Identity(judge="loopback-judge")})
    before = past(None, calibration=GOOD.model_copy(update={"sets": (stand_in,)}))
    real = scores(0.8, identities={"correctness": Identity()})
    own = real.model_copy(update={"provenance": Provenance(world="steady")})

    refused = refresh(real, measured(), before, Policy()).agreements[0].because
    held = refresh(own, measured(), before, Policy()).agreements[0].because

    assert "the loopback world's stand-in" in refused
    assert "the loopback world's stand-in" not in held


def test_refresh__acceptances_of_the_new_scores_own_end_with_it() -> None:
    """Whatever the file that was measured says has been accepted."""
    new = scores(0.8).model_copy(update={"accepted": {"run-0": "ada"}})

    assert {} == made(new, past(None)).baseline.accepted


def test_refresh__a_reason_is_added_to_those_before() -> None:
    """What was accepted earlier stays on record, and the new one says of which day it is."""
    kept = Reason(run="r0", text="older")
    old = scores(0.8).model_copy(update={"reasons": (kept,)})

    found = made(scores(0.6), past(old), WANTED).baseline.reasons

    assert ["older", "shorter answers are wanted"] == [one.text for one in found]
    assert "2026-11-01T00:00:00Z" == found[1].created


@pytest.mark.parametrize(("given", "kept"), [(999, 999), (1_000, 1_000), (1_001, 1_000)])
def test_refresh__a_thousand_characters_of_a_reason_are_kept(given: int, kept: int) -> None:
    """A reason is a sentence or ten, no file."""
    found = made(scores(0.6), past(scores(0.8)), Why("x" * given)).baseline.reasons

    assert [kept] == [len(one.text) for one in found]


def test_run_of__everything_of_the_measurement() -> None:
    """In order whatever the baseline's is; the last run gives its name."""
    new = scores(0.8, cases=12)
    mixed = new.model_copy(
        update={
            "cells": (*reversed(new.cells), *(replace(one, target="a") for one in new.cells)),
            "clusters": {"case-00": "page", "case-01": "page"},
        }
    )
    known = Measured(
        runs=tuple(MeasuredRun(id=name, repeats=2) for name in ("first", "last")),
        judge_family="claude",
        judge_families=("claude", "gpt"),
    )

    found = run_of(mixed, known)

    cases = tuple(f"case-{i:02d}" for i in range(12))
    assert "last" == found.id
    assert found.plan == Plan(
        repeats=4, case_ids=cases, total=12, dataset=cases, clusters=mixed.clusters
    )
    assert ("claude", ("claude", "gpt")) == (found.judge_family, found.judge_families)
    assert [(target, case) for target in ("a", "t") for case in cases] == [
        (one.target, one.case_id) for one in found.cells
    ]


def test_swings_of__a_repeat_is_averaged_over_its_cases() -> None:
    """First answers 0.2 and 0.6 are 0.4 on average, second ones 0.5 and 0.9 are 0.7."""
    run = whole(0.8, cases=2, repeats=2)
    pairs = ((0.2, 0.5), (0.6, 0.9))
    cells = tuple(
        replace(one, scores={"correctness": pair})
        for one, pair in zip(run.cells, pairs, strict=True)
    )

    ((target, name, lowest, highest),) = swings_of(run.model_copy(update={"cells": cells}))

    assert ("t", "correctness") == (target, name)
    assert (0.4, 0.7) == pytest.approx((lowest, highest))
