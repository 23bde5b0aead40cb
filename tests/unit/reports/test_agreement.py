"""Kappa in the terminal: what a person reads of it."""

from __future__ import annotations

from gate.decision.calibration import agreement_of
from gate.reports.agreement import MOST, agreement_text, differing
from gate.types import CalibrationItem, CalibrationSet, Policy
from gate.types.agreement import Bucket
from gate.types.trial import Support
from tests.unit.decision.decision_samples import JUDGED_BY, labelled


def claims(*pairs: tuple[Support, Support]) -> CalibrationSet:
    """One label a case, (people, judge)."""
    items = tuple(
        CalibrationItem(
            case_id=f"case-{number}",
            target="t",
            answer=f"{number:064d}",
            item=f"{number:064x}",
            human=human,
            judge=judge,
        )
        for number, (human, judge) in enumerate(pairs)
    )
    return CalibrationSet(
        dimension="faithfulness", counts="claims", identity=JUDGED_BY, items=items
    )


def shown(part: CalibrationSet, texts: dict[str, str] | None = None) -> list[str]:
    """The lines of one dimension."""
    return agreement_text([agreement_of(part, Policy(), JUDGED_BY)], [part], texts).splitlines()


def test_agreement_text__answers() -> None:
    """Three words, weighted kappas for comparison, and the answers on which they differ."""
    lines = shown(labelled([[5, 0, 0], [0, 4, 1], [0, 0, 9]]))

    assert lines[0].startswith("correctness: kappa 0.9")
    assert "  19 labels of answers to 19 cases" in lines
    assert any("linear 0." in line and "quadratic 0." in line for line in lines)
    assert "  people \\ judge   low   med  high" in lines
    assert ["  differs: case-12000 (t, answer digest-1): people med, judge 0.90"] == [
        line for line in lines if "differs" in line
    ]


def test_agreement_text__claims() -> None:
    """Four words without an order, and the claim itself below the place."""
    good: list[tuple[Support, Support]] = [("supported", "supported")] * 6
    part = claims(*good, *[("unsupported", "unsupported")] * 5, ("unsupported", "supported"))
    odd = part.items[-1].item or ""
    lines = shown(part, {odd: "The hut\nhas\u202e 25 beds.", "other": "not shown"})

    assert "  12 labels of claims to 12 cases" in lines
    assert not any("quadratic" in line for line in lines)
    assert "  people \\ judge   unsupported       partial     supported  unverifiable" in lines
    place = next(number for number, line in enumerate(lines) if "differs" in line)
    assert (
        "  differs: case-11 (t, answer 00000000, 00000000): people unsupported, judge supported"
        == lines[place]
    )
    assert "    \u201cThe hut has 25 beds.\u201d" == lines[place + 1]


def test_agreement_text__a_claim_that_a_runner_would_obey() -> None:
    """A text of the answer stays a text in a log."""
    part = claims(("supported", "unsupported"), ("unsupported", "unsupported"))
    text = "\n".join(shown(part, {part.items[0].item or "": "::error::##[group]x"}))

    assert "::error" not in text
    assert "##[" not in text


def test_agreement_text__names_a_dozen_of_many() -> None:
    """The rest is counted."""
    part = claims(*[("supported", "unsupported")] * (MOST + 3), ("supported", "supported"))
    lines = shown(part)

    assert MOST == sum("differs" in line for line in lines)
    assert "  ... and 3 more (--json lists all)" in lines


def test_agreement_text__claims_of_one_case() -> None:
    """What cannot be told is said to be undefined, not made up."""
    part = claims(("supported", "supported"), ("unsupported", "unsupported"))
    one_case = [item.model_copy(update={"case_id": "a"}) for item in part.items]
    lines = shown(part.model_copy(update={"items": tuple(one_case)}))

    assert "  one-sided 95% lower bound undefined" in lines


def test_differing__the_widest_gap_first() -> None:
    """Low against high comes before low against med."""
    human: tuple[Bucket, ...] = ("low", "med", "high", "low")
    items = tuple(
        CalibrationItem(case_id=str(number), target="t", answer="d", human=one, judge=judge)
        for number, (one, judge) in enumerate(zip(human, (0.5, 0.5, 0.1, 0.9), strict=True))
    )
    part = CalibrationSet(dimension="correctness", identity=JUDGED_BY, items=items)

    assert ["2", "3", "0"] == [one.case_id for one in differing(part)]
