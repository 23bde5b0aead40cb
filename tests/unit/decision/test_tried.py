"""Labels for tuning and for the licence, and the prompts that were tried on the latter."""

from __future__ import annotations

import hashlib

import pytest

from gate.decision.calibration import agreement_of
from gate.decision.tried import kept_for_tuning, tuned_on_test, with_history
from gate.types import Calibration, CalibrationSet, Policy, TrustState
from tests.unit.decision.decision_samples import JUDGED_BY, labelled

GOOD = [[8, 0, 0], [0, 8, 0], [0, 0, 20]]


def tried(*prompts: str | None, table: list[list[int]] | None = None) -> Calibration:
    """The calibrations of these prompts, one after another on the same labels."""
    before: Calibration | None = None
    for prompt in prompts:
        identity = JUDGED_BY.model_copy(update={"prompt": prompt})
        one = labelled(table or GOOD, identity=identity)
        before = with_history(Calibration(sets=(one,)), before)
    assert before is not None
    return before


def test_kept_for_tuning__by_the_hash_of_the_case() -> None:
    """The first 8 bytes of SHA-256 as a share of 2^64; none at 0, and what 0.3 keeps 0.6 keeps."""
    names = [f"case-{number}" for number in range(400)]
    first = hashlib.sha256(b"labels\x1fcase-0").digest()[:8]
    place = int.from_bytes(first, "big") / 2**64

    assert (False, True) == (
        kept_for_tuning("case-0", place - 1e-6),
        kept_for_tuning("case-0", place + 1e-6),
    )
    assert not any(kept_for_tuning(name, 0.0) for name in names)
    kept = [name for name in names if kept_for_tuning(name, 0.3)]
    assert 90 < len(kept) < 150
    assert all(kept_for_tuning(name, 0.6) for name in kept)


def test_kept_for_tuning__below_the_share_to_the_last_bit() -> None:
    """A hash that begins with nineteen zero bits is a float exactly, and so is 2^-72 above it."""
    name = "case-224840"
    first = int.from_bytes(hashlib.sha256(f"labels\x1f{name}".encode()).digest()[:8], "big")

    assert first < 2**45
    assert not kept_for_tuning(name, first / 2**64)
    assert kept_for_tuning(name, (first * 2**8 + 1) / 2**72)


def test_with_history__counts_prompts_once() -> None:
    """Going back to an earlier prompt is no new one; the present one stands last."""
    (one,) = tried("a", "b", "c", "a").sets

    assert ("b", "c", "a") == one.tried
    assert 3 == agreement_of(one, Policy(), one.identity).prompts


@pytest.mark.parametrize("prompts", [("a",), ("a", "a"), (None, "a"), ("a", None)])
def test_with_history__a_single_prompt_is_not_written(prompts: tuple[str | None, ...]) -> None:
    """The identity names it already; what is not known is not counted."""
    (one,) = tried(*prompts).sets

    assert () == one.tried
    assert 1 == agreement_of(one, Policy(), one.identity).prompts


def test_with_history__other_labels_begin_anew() -> None:
    """Where fewer than half of the labels are the old ones, the old prompts saw other labels."""
    before = tried("a", "b")
    identity = JUDGED_BY.model_copy(update={"prompt": "c"})
    other = labelled([[8, 0, 0], [0, 8, 0], [0, 0, 20]], identity=identity)
    renamed = [
        item.model_copy(update={"case_id": f"new-{item.case_id}"}) for item in other.items[:20]
    ]
    mostly_new = other.model_copy(update={"items": (*renamed, *other.items[20:])})
    none = other.model_copy(update={"items": ()})

    assert () == with_history(Calibration(sets=(mostly_new,)), before).sets[0].tried
    assert () == with_history(Calibration(sets=(none,)), before).sets[0].tried
    assert ("a", "b", "c") == with_history(Calibration(sets=(other,)), before).sets[0].tried


def test_with_history__half_of_the_labels_are_enough() -> None:
    """Of 36 labels 18 are new: the prompts before saw as many of the present ones."""
    before = tried("a")
    again = labelled(GOOD, identity=JUDGED_BY.model_copy(update={"prompt": "b"}))
    renamed = [
        item.model_copy(update={"case_id": f"new-{item.case_id}"}) for item in again.items[:18]
    ]
    half = again.model_copy(update={"items": (*renamed, *again.items[18:])})

    assert ("a", "b") == with_history(Calibration(sets=(half,)), before).sets[0].tried


def test_agreement_of__many_prompts_on_the_same_labels() -> None:
    """From the fourth prompt on the licence says that its kappa was chosen for."""
    few = tried("a", "b", "c").sets[0]
    many = tried("a", "b", "c", "d").sets[0]

    def because(part: CalibrationSet) -> str:
        return agreement_of(part, Policy(), part.identity).because

    assert "prompts" not in because(few)
    assert "4 prompts were compared with these labels" in because(many)
    assert "validated" == agreement_of(many, Policy(), many.identity).state


def test_agreement_of__a_refusal_says_nothing_of_prompts() -> None:
    """What licenses nothing needs no warning that it is too high."""
    poor = [[3, 2, 3], [2, 3, 2], [3, 2, 4]]
    (one,) = tried("a", "b", "c", "d", table=poor).sets
    found = agreement_of(one, Policy(), one.identity)

    assert ("unvalidated", False) == (found.state, "prompts" in found.because)


@pytest.mark.parametrize("state", ["validated", "provisional", "unbound"])
def test_tuned_on_test__of_every_licence_that_counts_for_something(state: TrustState) -> None:
    """Whatever may fail a run, or might once more is known, is told to be chosen for."""
    assert "4 prompts were compared" in tuned_on_test(tried("a", "b", "c", "d").sets[0], state)
