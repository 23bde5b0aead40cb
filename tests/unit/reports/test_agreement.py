"""Kappa in the terminal: what a person reads of it."""

from __future__ import annotations

from gate.decision.beside import beside
from gate.decision.calibration import agreement_of
from gate.reports.agreement import MOST, Compared, agreement_text, differing, next_text
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
    found = agreement_of(part, Policy(), JUDGED_BY)
    extra = beside(part, found, Policy())
    return agreement_text([Compared(part, found, extra)], texts).splitlines()


def test_agreement_text__answers() -> None:
    """Three words, weighted kappas for comparison, and the answers on which they differ."""
    lines = shown(labelled([[5, 0, 0], [0, 4, 1], [0, 0, 9]]))

    assert lines[0].startswith("correctness: kappa 0.9")
    assert "  19 labels of answers to 19 cases, 10 off the commonest cell" in lines
    text = " ".join(" ".join(lines).split())
    assert "for comparison, licensing nothing: raw agreement 0.9474, AC1 0.9" in text
    assert "weighted kappa: linear 0.9408, quadratic 0.9628" in text
    assert "bootstrap interval of kappa, over cases: 0." in text
    assert "kappa with the buckets cut 0.05 lower: 0.9159, higher: 0.9159" in text
    assert "answers of t; drafted by nobody named, approved by nobody" in text
    assert all(80 >= len(line) for line in lines)
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

    assert "  12 labels of claims to 12 cases, 6 off the commonest cell" in lines
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


def test_agreement_text__several_people() -> None:
    """Each person beside the judge, and whether the judge stands among them."""
    part = labelled([[5, 0, 0], [0, 4, 1], [0, 0, 9]], drafted_by=("ann", "bob"), models=())
    rated = [
        item.model_copy(update={"ratings": {"ann": item.human, "bob": item.human}})
        for item in part.items
    ]
    odd = rated[0].model_copy(update={"ratings": {"ann": "low", "bob": "med"}})
    text = " ".join(" ".join(shown(part.model_copy(update={"items": (odd, *rated[1:])}))).split())

    assert "drafted by ann and bob, approved by nobody" in text
    assert "several people rated 19: people with each other: alpha 0.9" in text
    assert "they differ on 1" in text
    assert "judge with each: ann 0.9" in text
    assert "the judge is within the human spread" in text


def test_agreement_text__what_more_labels_would_change() -> None:
    """A number where more would do; plain words where kappa itself is too low for any number."""
    unsure = " ".join(" ".join(shown(labelled([[2, 0, 1], [0, 1, 0], [2, 0, 8]]))).split())
    poor = " ".join(" ".join(shown(labelled([[3, 2, 3], [2, 3, 2], [3, 2, 4]]))).split())

    assert "more labels: about 81 of the same mix, at the present kappa" in unsure
    assert "more labels: none of the same mix would lift the lower bound" in poor


def test_agreement_text__prompts_and_tuning() -> None:
    """How many prompts these labels have seen, and what is kept for mending."""
    part = labelled([[5, 0, 0], [0, 4, 1], [0, 0, 9]], tried=("a", "b"))
    kept = part.model_copy(update={"tuning": part.items[:5]})
    text = " ".join(" ".join(shown(kept)).split())

    assert "prompts compared with these labels so far: 2" in text
    assert "licensing nothing: 5 labels, kappa undefined" in text


def test_agreement_text__one_rating_throughout() -> None:
    """What is undefined is not listed figure by figure."""
    text = "\n".join(shown(labelled([[0, 0, 0], [0, 0, 0], [0, 0, 9]])))

    assert "raw agreement 1.0000, AC1 1.0000" in text
    assert "bootstrap" not in text
    assert "quadratic" not in text


def test_next_text__names_answers_and_the_command() -> None:
    """A case, the beginning of its answer's digest, and what to type."""
    text = next_text([("ferry-fare", "0123456789"), ("hut", "abcdefghij")], ["run"])

    assert "ferry-fare (01234567), hut (abcdefgh)." in text
    assert "gate label run --by NAME --next 2" in text
    assert "" == next_text([], ["run"])
