"""Labels of claims, sentences, citations and statements: pairing, kappa, licence."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from gate.decision.calibration import agreement_of, agreements, calibrate
from gate.decision.categories import judge_said
from gate.decision.kappas import measure
from gate.errors import DatasetError
from gate.stats.agreement import cohen_kappa
from gate.types import (
    Calibration,
    CalibrationItem,
    CalibrationSet,
    ItemKind,
    ItemLabel,
    JudgedItem,
    Label,
    LabelSet,
    Metric,
    Policy,
    Run,
    Support,
)
from tests.unit.decision.decision_samples import JUDGED_BY, cell, labelled, run_of

FAITHFULNESS = Metric(name="faithfulness", judged=True, counts="claims")
PRECISION = Metric(name="citation_precision", judged=True, counts="sentences")
RECALL = Metric(name="alce_recall", judged=True, counts="sentences")
COVERAGE = Metric(name="source_coverage", judged=True, counts="statements")
F1 = Metric(name="citation_f1", judged=True, of=("citation_precision", "source_coverage"))


def run(*cases: str, metrics: tuple[Metric, ...] = (FAITHFULNESS,), **more: object) -> Run:
    """A run with one answer a case."""
    columns = {metric.name: [1.0] for metric in metrics}
    return run_of([cell("t", case, columns) for case in cases], metrics, **more)


def said(
    item: str,
    label: Support,
    case: str = "a",
    dimension: str = "faithfulness",
    kind: ItemKind = "claims",
) -> JudgedItem:
    """What the judge said of an item."""
    return JudgedItem(
        target="t",
        case_id=case,
        attempt=0,
        answer=f"t/{case}/0",
        dimension=dimension,
        kind=kind,
        item=item,
        label=label,
    )


def people(
    *items: tuple[str, Support], kind: ItemKind = "claims", case: str = "a", **more: object
) -> Label:
    """What people said of items of one answer."""
    return Label.model_validate(
        {
            "case_id": case,
            "scores": {},
            "answer": f"t/{case}/0",
            "items": [ItemLabel(kind=kind, item=item, label=label) for item, label in items],
            "line": 7,
            **more,
        }
    )


def file(*labels: Label) -> LabelSet:
    """A labels file."""
    return LabelSet(path="labels.yaml", drafted_by="ann", labels=labels)


def test_calibrate__claims_are_paired_by_digest() -> None:
    """Each label takes what the judge said of this very claim; the set says what it holds."""
    judged = [said("c1", "supported"), said("c2", "unsupported"), said("c3", "partial")]
    labels = file(people(("c1", "supported"), ("c2", "partial")))
    found = calibrate([run("a")], [labels], judged=[judged])

    (one,) = found.calibration.sets
    assert ("faithfulness", "claims", JUDGED_BY) == (one.dimension, one.counts, one.identity)
    assert [("c1", "supported", "supported"), ("c2", "partial", "unsupported")] == [
        (item.item, item.human, item.judge) for item in one.items
    ]
    assert {"faithfulness": 2} == found.paired
    assert () == found.unpaired


def test_calibrate__a_sentence_serves_every_metric_that_counts_it() -> None:
    """One label, two dimensions; a part of a sentence is not all of it."""
    judged = [
        said("s1", "unsupported", dimension=name, kind="sentences")
        for name in ("citation_precision", "alce")
    ]
    found = calibrate(
        [run("a", metrics=(PRECISION, RECALL))],
        [file(people(("s1", "partial"), kind="sentences"))],
        judged=[judged],
    )

    assert ["alce", "citation_precision"] == [one.dimension for one in found.calibration.sets]
    assert {("unsupported", "unsupported")} == {
        (one.items[0].human, one.items[0].judge) for one in found.calibration.sets
    }


@pytest.mark.parametrize(
    ("labels", "counts"),
    [
        (["supported", "supported", "unsupported"], "supported"),
        (["supported", "partial"], "partial"),
        (["supported", "unsupported", "partial"], "unsupported"),
        (["unverifiable", "supported"], "supported"),
    ],
)
def test_calibrate__several_labels_of_one_claim(labels: list[Support], counts: Support) -> None:
    """The most frequent one counts, of equally frequent ones the least good."""
    runs = [run("a", id=f"run-{number}") for number, _ in enumerate(labels)]
    judged = [[said("c1", label)] for label in labels]
    found = calibrate(runs, [file(people(("c1", "supported")))], judged=judged)

    assert counts == found.calibration.sets[0].items[0].judge


def test_calibrate__claims_that_the_judge_did_not_make() -> None:
    """What is not paired says why: no such claim, no such answer, another target, another case."""
    judged = [said("c1", "supported"), said("c9", "supported", case="z")]
    labels = file(
        people(("c2", "supported")),
        people(("c1", "supported"), case="b"),
        people(("c1", "supported"), target="u"),
        people(("c9", "supported")),
    )
    found = calibrate([run("a")], [labels], judged=[judged])

    assert () == found.calibration.sets
    assert ["claims"] * 4 == [one.dimension for one in found.unpaired]
    no_claim, no_answer, other, elsewhere = (one.because for one in found.unpaired)
    assert "counted no such item" in no_claim
    assert "results.jsonl is not beside run.json" in no_claim
    assert "no run holds the answer that was labelled" == no_answer
    assert "the answer is of t, not of u as the label says" == other
    assert no_claim == elsewhere


def test_calibrate__a_digest_under_another_kind() -> None:
    """A sentence is no claim: nothing is paired by accident, and half a sentence is not half."""
    judged = [said("s1", "unsupported", dimension="citation_precision", kind="sentences")]
    found = calibrate([run("a")], [file(people(("s1", "partial")))], judged=[judged])

    (missed,) = found.unpaired
    assert "the digest is one of sentences" == missed.because


def test_agreements__labels_of_something_else() -> None:
    """Ratings of whole answers do not license what counts claims, nor do labels of sentences."""
    sets = (
        labelled([[9, 0, 0], [0, 9, 0], [0, 0, 9]], dimension="faithfulness"),
        claims(*[GOOD, SLIP] * 8, counts="statements").model_copy(
            update={"dimension": "citation_precision"}
        ),
    )
    metrics = [FAITHFULNESS, PRECISION]
    known = {metric.name: JUDGED_BY for metric in metrics}
    found = agreements(Calibration(sets=sets), metrics, known, Policy())

    assert ["unlabelled", "unlabelled"] == [one.state for one in found]
    assert found[0].because.startswith("the calibration has labels of whole answers for it, and")
    assert "it counts sentences: label sentences" in found[1].because


def test_calibrate__only_the_named_target() -> None:
    """Items of another target are passed over with its answers."""
    found = calibrate(
        [run("a")], [file(people(("c1", "supported")))], "u", judged=[[said("c1", "supported")]]
    )
    assert () == found.calibration.sets


def test_calibrate__a_dimension_that_counts_items_is_not_rated_as_a_whole() -> None:
    """Thirds of a share of claims are no ratings of it."""
    rating = Label(case_id="a", scores={"faithfulness": "high"}, answer="t/a/0")
    found = calibrate([run("a")], [file(rating)])

    (missed,) = found.unpaired
    assert "it counts claims: label these, each by its digest" == missed.because
    assert {} == found.paired


def test_calibrate__two_labels_of_one_claim() -> None:
    """A contradiction is settled by people."""
    labels = [file(people(("c1", "supported"))), file(people(("c1", "unsupported")))]
    with pytest.raises(DatasetError, match=r"both supported and unsupported for item c1 of one"):
        calibrate([run("a")], labels, judged=[[said("c1", "supported")]])


def test_calibrate__three_people_label_one_claim() -> None:
    """The most frequent word counts; all are kept."""
    words: tuple[Support, ...] = ("supported", "unsupported", "supported")
    labels = [
        file(people(("c1", word))).model_copy(update={"drafted_by": name})
        for name, word in zip(("ann", "bob", "eve"), words, strict=True)
    ]
    found = calibrate([run("a")], labels, judged=[[said("c1", "supported")]])
    item = next(one.items[0] for one in found.calibration.sets if one.dimension == "faithfulness")

    assert "supported" == item.human
    assert dict(zip(("ann", "bob", "eve"), words, strict=True)) == item.ratings


def claims(
    *tables: dict[tuple[Support, Support], int], counts: ItemKind = "claims"
) -> CalibrationSet:
    """Labels of claims: for each case how often (people, judge) said so."""
    items = [
        CalibrationItem(
            case_id=f"case-{case}",
            target="t",
            answer=f"answer-{case}",
            item=f"{case}-{human}-{judge}-{number}",
            human=human,
            judge=judge,
        )
        for case, table in enumerate(tables)
        for (human, judge), times in table.items()
        for number in range(times)
    ]
    dimension = {"claims": "faithfulness", "sentences": "citation_precision"}.get(
        counts, "source_coverage"
    )
    return CalibrationSet(
        dimension=dimension, counts=counts, identity=JUDGED_BY, items=tuple(items)
    )


GOOD: dict[tuple[Support, Support], int] = {
    ("supported", "supported"): 3,
    ("unsupported", "unsupported"): 2,
}
SLIP: dict[tuple[Support, Support], int] = {**GOOD, ("unsupported", "supported"): 1}


def test_measure__by_hand() -> None:
    """Two cases of 5 and 6 claims, 10 of 11 alike.

    People 6 supported and 5 unsupported, the judge 7 and 4: chance (6 x 7 + 5 x 4) / 121 = 62/121,
    so kappa = (110/121 - 62/121) / (59/121) = 48/59.
    """
    found = measure(claims(GOOD, SLIP))

    assert found.kappa.value == pytest.approx(48 / 59)
    assert ((4, 0, 1, 0), (0, 0, 0, 0), (0, 0, 6, 0), (0, 0, 0, 0)) == found.table
    assert (2, 5, 11) == (found.cases, found.off_modal, found.kappa.n)


def test_measure__claims_of_one_case_are_a_cluster() -> None:
    """Eight cases that are right or wrong as a whole say less than as many labels apart."""
    wrong: dict[tuple[Support, Support], int] = {
        ("unsupported", "supported"): 5,
        ("supported", "supported"): 1,
    }
    together = measure(claims(*[GOOD] * 7, wrong))
    apart = cohen_kappa(together.table)

    assert together.kappa.value == pytest.approx(apart.value)
    assert together.kappa.se is not None
    assert apart.se is not None
    assert together.kappa.se > 1.5 * apart.se
    assert together.design_effect == pytest.approx((together.kappa.se / apart.se) ** 2)


def test_measure__one_label_a_case_is_independent() -> None:
    """Then the interval is that of Fleiss, Cohen and Everitt, to nine decimals."""
    one = labelled([[4, 1, 0], [0, 5, 1], [0, 1, 9]])
    found = measure(one)

    assert found.design_effect is None
    alone = asdict(cohen_kappa(found.table))
    figures = ("value", "se", "low", "high", "lower_one_sided")
    assert alone | {name: round(alone[name], 9) for name in figures} == asdict(found.kappa)
    assert len(one.items) == found.cases


def test_judge_said__score_outside_of_the_scale() -> None:
    """It names the case."""
    item = CalibrationItem(case_id="a", target="t", answer="d", human="low", judge=1.5)
    with pytest.raises(ValueError, match=r"a judge.s score of 1\.5 for a"):
        judge_said(item)


def test_licence__claims() -> None:
    """Many claims of many cases: validated, on four words, without weighted kappas."""
    found = agreement_of(claims(*[GOOD, SLIP] * 8), Policy(), JUDGED_BY)

    assert "validated" == found.state
    assert ("claims", 16, 88) == (found.counts, found.cases, found.n)
    assert ("unsupported", "partial", "supported", "unverifiable") == found.categories
    assert (None, None) == (found.linear, found.quadratic)
    assert found.design_effect is not None


def test_licence__claims_of_a_single_case() -> None:
    """However many they are, nothing shows how other cases would do."""
    many = {key: 10 * times for key, times in SLIP.items()}
    found = agreement_of(claims(many), Policy(), JUDGED_BY)

    assert ("provisional", None) == (found.state, found.lower_one_sided)
    assert (
        "kappa 0.67 is above 0.6, but all labels are of one case, so how sure it is cannot be "
        "told: label claims of other cases" == found.because
    )


def test_licence__few_cases() -> None:
    """It asks for claims of other cases, the rare kind first."""
    found = agreement_of(claims(GOOD, SLIP, SLIP), Policy(), JUDGED_BY)

    assert "provisional" == found.state
    assert "more claims, unsupported or partial ones first, of other cases" in found.because


def test_licence__claims_of_one_kind() -> None:
    """A judge that supports everything has no kappa above 0, and it says what to label."""
    yes: dict[tuple[Support, Support], int] = {("supported", "supported"): 5}
    found = agreement_of(claims(yes, yes), Policy(), JUDGED_BY)

    assert "undefined" == found.state
    assert "label claims of all kinds, the bad ones first" in found.because


def test_agreements__unlabelled_for_one_and_the_same_reason() -> None:
    """What is to be labelled differs, and a report says the reason once."""
    metrics = [FAITHFULNESS, Metric(name="relevance", judged=True), PRECISION, COVERAGE, F1]
    found = agreements(None, metrics, {}, Policy())

    assert 1 == len({one.because for one in found})
    assert ["claims", None, "sentences", "statements", None] == [one.counts for one in found]


def test_agreements__a_composed_metric_has_the_weakest_licence() -> None:
    """F1 of precision (validated) and coverage (provisional) is provisional, and says whose."""
    sets = (claims(*[GOOD, SLIP] * 8, counts="sentences"), claims(GOOD, SLIP, counts="statements"))
    metrics = [F1, PRECISION, COVERAGE]
    known = {metric.name: JUDGED_BY for metric in metrics}
    found = agreements(Calibration(sets=sets), metrics, known, Policy())

    assert ["provisional", "validated", "provisional"] == [one.state for one in found]
    assert "citation_f1" == found[0].dimension
    assert found[0].because.startswith(
        "computed from citation_precision and source_coverage, with the weaker licence of "
        "source_coverage: kappa "
    )
    assert found[2].kappa == found[0].kappa


def test_agreements__a_composed_metric_alone() -> None:
    """Where none of its parts is measured it is unlabelled."""
    (found,) = agreements(None, [F1], {}, Policy())
    assert "unlabelled" == found.state


def test_agreements__a_composed_metric_of_unlabelled_parts() -> None:
    """Nothing licenses it either."""
    sets = (claims(*[GOOD, SLIP] * 8, counts="sentences"),)
    metrics = [PRECISION, COVERAGE, F1]
    found = agreements(Calibration(sets=sets), metrics, {PRECISION.name: JUDGED_BY}, Policy())

    assert ["validated", "unlabelled", "unlabelled"] == [one.state for one in found]
    assert found[1].because == found[2].because
