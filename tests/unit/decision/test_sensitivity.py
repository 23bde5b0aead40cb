"""Does the judge see a drop: what is counted, and which licence that takes."""

from __future__ import annotations

import pytest

from gate.decision.calibration import agreements
from gate.decision.sensitivity import SEEN_BY, blindness, disarmed, pairs_of, seen_by, words
from gate.types import (
    Calibration,
    Damage,
    DamagedPair,
    Identity,
    Metric,
    Policy,
    Sensitivity,
    SensitivitySet,
    TrustState,
)
from tests.unit.decision.decision_samples import JUDGED_BY, labelled, licence

GOOD = [[8, 0, 0], [0, 8, 0], [0, 0, 20]]


def part(
    *kinds: tuple[Damage, int, int], before: float = 1.0, identity: Identity = JUDGED_BY
) -> SensitivitySet:
    """A set of correctness: (damage, seen, counted)."""
    pairs = tuple(
        DamagedPair(
            case_id=f"case-{number}",
            target="t",
            answer="d",
            damage=damage,
            before=before,
            after=before - 0.25 if number < seen else before,
        )
        for damage, seen, counted in kinds
        for number in range(counted)
    )
    return SensitivitySet(dimension="correctness", identity=identity, pairs=pairs)


@pytest.mark.parametrize(
    ("seen", "counted", "blind"),
    [(8, 10, False), (7, 10, True), (0, 9, False), (10, 12, False), (9, 12, True), (0, 0, False)],
)
def test_blindness__under_four_fifths_of_ten_or_more(
    seen: int, counted: int, *, blind: bool
) -> None:
    """Exactly 80% is enough, and nine damages say nothing."""
    assert blind == (blindness(part(("fact_flipped", seen, counted))) is not None)


def test_blindness__every_kind_counts_by_itself() -> None:
    """Ninety per cent over all, and nothing of one kind: blind to that one, which is named."""
    because = blindness(part(("fact_flipped", 0, 10), ("sentence_removed", 90, 90)))
    both = blindness(part(("fact_flipped", 0, 10), ("sentence_removed", 2, 12)))

    assert because is not None
    assert "only 0 of 10 answers with a fact flipped, and 80% are needed" in because
    assert both is not None
    assert "0 of 10 answers with a fact flipped and 2 of 12 answers with a sentence re" in both


def test_seen_by__bad_answers_are_not_counted() -> None:
    """What is low already cannot be seen to fall; exactly 2/3 is good. A rise is no sight."""
    assert () == seen_by(part(("fact_flipped", 0, 12), before=0.6))
    assert 12 == seen_by(part(("fact_flipped", 0, 12), before=2 / 3))[0].counted
    risen = part(("fact_flipped", 0, 1)).pairs[0].model_copy(update={"before": 0.7, "after": 0.9})
    assert not risen.seen


def test_words__of_every_damage() -> None:
    """Each kind can be named in a sentence, and some dimension should see it."""
    for damage, dimensions in SEEN_BY.items():
        assert words(damage).startswith("answers with ")
        assert all(dimensions.values())


def test_seen_by__the_damages_of_the_table_in_the_documentation() -> None:
    """`docs/labels.md` says who should see which damage; ALCE's two are recall and precision."""
    alce = {"alce_recall", "alce_precision"}
    cited = {"faithfulness", "citation_precision", *alce}
    table: dict[Damage, set[str]] = {
        "fact_flipped": {"correctness", *cited},
        "sentence_removed": {"correctness"},
        "claim_added": cited,
        "citation_stripped": {"alce_recall"},
        "sources_stripped": {"source_quality", *alce},
        "padding_added": {"relevance", "alce_recall"},
    }
    found = seen_by(part(*((damage, 1, 1) for damage in reversed(table))))

    assert table == {damage: {*dimensions} for damage, dimensions in SEEN_BY.items()}
    assert [*table] == [one.damage for one in found]


@pytest.mark.parametrize("state", ["validated", "provisional", "unbound"])
def test_disarmed__a_blind_judge_licenses_nothing(state: TrustState) -> None:
    """Kappa may be as high as it likes."""
    blind = Sensitivity(sets=(part(("fact_flipped", 0, 12)),))
    found = disarmed(licence(state=state), blind, JUDGED_BY)

    assert ("unvalidated", True) == (found.state, "0 of 12" in found.because)
    assert 0.8 == found.kappa


def test_disarmed__nothing_to_hold_against_it() -> None:
    """Without the file, for another dimension, for what licenses nothing: all stays as it is."""
    own = licence()
    blind = Sensitivity(sets=(part(("fact_flipped", 0, 12)),))
    seeing = Sensitivity(sets=(part(("fact_flipped", 12, 12)),))

    assert own == disarmed(own, None, JUDGED_BY)
    assert own == disarmed(own, Sensitivity(), JUDGED_BY)
    assert own == disarmed(own, seeing, JUDGED_BY)
    assert licence("zeal") == disarmed(licence("zeal"), blind, JUDGED_BY)
    stale = licence(state="stale")
    assert stale == disarmed(stale, blind, JUDGED_BY)


@pytest.mark.parametrize("changed", ["judge", "prompt", "scorer"])
def test_disarmed__a_set_of_another_judge(changed: str) -> None:
    """It says nothing of this one, and the reason tells to ask again."""
    blind = Sensitivity(sets=(part(("fact_flipped", 0, 12)),))
    now = JUDGED_BY.model_copy(update={changed: "another"})
    found = disarmed(licence(), blind, now)

    assert "validated" == found.state
    assert f"since {changed} changed: run `gate sensitivity --write` again" in found.because


def test_agreements__composed_metrics_lose_it_too() -> None:
    """What is computed from a blind dimension has its weaker licence; others keep theirs."""
    names = ("correctness", "relevance")
    metrics = [
        *(Metric(name=name, judged=True) for name in names),
        Metric(name="both", judged=True, of=names),
    ]
    sets = tuple(labelled(GOOD, dimension=name) for name in names)
    blind = Sensitivity(sets=(part(("fact_flipped", 0, 12)),))
    identities = dict.fromkeys([*names, "both"], JUDGED_BY)
    plain = agreements(Calibration(sets=sets), metrics, identities, Policy())
    found = agreements(Calibration(sets=sets), metrics, identities, Policy(), sensitivity=blind)

    assert ["validated"] * 3 == [one.state for one in plain]
    assert ["unvalidated", "validated", "unvalidated"] == [one.state for one in found]
    assert "the weaker licence of correctness: the judge rated lower only" in found[2].because


def test_pairs_of__what_should_be_seen_and_has_two_scores() -> None:
    """A damage that is no matter of the dimension, and what has no score, are left out."""
    before = {"a": {"correctness": 1.0}, "b": {"correctness": None}, "c": {"correctness": 0.75}}
    after: dict[Damage, dict[str, dict[str, float | None]]] = {
        "fact_flipped": {name: {"correctness": 0.5} for name in "abcd"},
        "sentence_removed": {"a": {"correctness": None}, "c": {"correctness": 0.5}},
    }
    applied: dict[tuple[Damage, str], tuple[str, ...]] = {
        ("fact_flipped", "a"): ("correctness", "faithfulness"),
        ("fact_flipped", "b"): ("correctness",),
        ("fact_flipped", "c"): ("faithfulness",),
        ("fact_flipped", "d"): ("correctness",),
        ("sentence_removed", "a"): ("correctness",),
        ("sentence_removed", "c"): ("correctness",),
    }
    origin = dict.fromkeys("abcd", ("t", "digest"))
    found = pairs_of(before, after, applied, origin, "correctness")

    assert [("a", "fact_flipped", 1.0, 0.5), ("c", "sentence_removed", 0.75, 0.5)] == [
        (one.case_id, one.damage, one.before, one.after) for one in found
    ]
    assert ("t", "digest") == (found[0].target, found[0].answer)


def test_pairs_of__in_the_order_of_the_cases() -> None:
    """Whatever order they were judged in: the same answers give the same file."""
    before: dict[str, dict[str, float | None]] = {name: {"correctness": 1.0} for name in "cab"}
    after: dict[Damage, dict[str, dict[str, float | None]]] = {
        "fact_flipped": {name: {"correctness": 0.5} for name in "cab"}
    }
    applied: dict[tuple[Damage, str], tuple[str, ...]] = {
        ("fact_flipped", name): ("correctness",) for name in "abc"
    }
    found = pairs_of(before, after, applied, dict.fromkeys("abc", ("t", "d")), "correctness")

    assert ["a", "b", "c"] == [one.case_id for one in found]
