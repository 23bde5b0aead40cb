"""Pairing labels: every label of a file, in an order that no file has a hand in."""

from __future__ import annotations

import pytest

from gate.decision.calibration import calibrate
from gate.errors import DatasetError
from gate.types import (
    Bucket,
    CalibrationSet,
    ItemKind,
    ItemLabel,
    JudgedItem,
    Label,
    LabelSet,
    Metric,
    Run,
    Support,
)
from tests.unit.decision.decision_samples import CORRECTNESS, RELEVANCE, cell, run_of

CLAIMS = Metric(name="faithfulness", judged=True, counts="claims")
PRECISION = Metric(name="citation_precision", judged=True, counts="sentences")


def rated(case: str, human: Bucket = "high", **more: object) -> Label:
    """A rating of a case's answers by `t`, or of the answer that is named."""
    return Label.model_validate(
        {"case_id": case, "scores": {"correctness": human}, "line": 7, **more}
    )


def file(*labels: Label, **more: str) -> LabelSet:
    """A labels file."""
    return LabelSet.model_validate({"path": "labels.yaml", "labels": labels, **more})


def cases(*names: str, target: str = "t", score: float = 0.9) -> Run:
    """A run with one answer a case."""
    return run_of([cell(target, name, {"correctness": [score]}) for name in names])


def the_set(run: Run, *files: LabelSet, **more: object) -> CalibrationSet:
    """The only set."""
    (found,) = calibrate([run], files, **more).calibration.sets  # type: ignore[arg-type]  # keywords
    return found


def test_pairing__labels_after_one_that_is_passed_over() -> None:
    """Of another target, of nothing that was measured, or of an answer that is gone."""
    run = cases("a", "b")
    other = file(rated("a", target="u"), rated("b", target="t"))
    unknown = Label.model_validate(
        {"case_id": "a", "scores": {"a_typo": "low", "correctness": "low"}, "line": 7}
    )
    gone = file(rated("a", answer="gone"), rated("b"))

    assert ["b"] == [one.case_id for one in the_set(run, other, target="t").items]
    assert ["a", "b"] == [one.case_id for one in the_set(run, file(unknown, rated("b"))).items]
    assert ["b"] == [one.case_id for one in the_set(run, gone).items]


def test_pairing__whose_answer_an_unbound_label_rates() -> None:
    """The target that is asked for, else the label's own, else the only one there is."""
    run = run_of([cell(name, "a", {"correctness": [0.9]}) for name in "tu"])

    assert "u" == the_set(run, file(rated("a")), target="u").items[0].target
    assert "u" == the_set(run, file(rated("a", target="u"))).items[0].target
    assert "t" == the_set(cases("a"), file(rated("a"))).items[0].target


def test_pairing__one_answer_of_several_targets_is_the_first_ones() -> None:
    """Both gave it; the label is kept once, under the first in the run."""
    same = cell("t", "a", {"correctness": [0.9]}).attempts
    run = run_of([cell(name, "a", {"correctness": [0.9]}, attempts=same) for name in "tu"])

    assert ["t"] == [one.target for one in the_set(run, file(rated("a", answer="t/a/0"))).items]


def test_pairing__sorted_whatever_the_files_say_first() -> None:
    """By case, target and answer; raters by their names."""
    run = run_of([cell(name, case, {"correctness": [0.9, 0.9]}) for name in "ut" for case in "ba"])
    labels = [
        rated(case, answer=f"{name}/{case}/{attempt}")
        for name in "ut"
        for case in "ba"
        for attempt in (1, 0)
    ]
    found = the_set(run, file(*labels, drafted_by="eve"), file(*labels, drafted_by="ann"))

    expected = sorted((c, t, f"{t}/{c}/{n}") for c in "ab" for t in "tu" for n in (0, 1))
    assert expected == [(one.case_id, one.target, one.answer) for one in found.items]
    assert {("ann", "eve")} == {tuple(one.ratings) for one in found.items}


def test_pairing__families_of_the_drafters() -> None:
    """Who drafted with a model says which: a judge of that family is no other opinion."""
    found = the_set(cases("a"), file(rated("a"), drafted_by="llm", drafted_by_family="claude"))

    assert (("llm",), ("claude",)) == (found.drafted_by, found.drafted_by_families)


@pytest.mark.parametrize("first", [None, "ann"])
def test_pairing__a_named_and_an_unnamed_rating_that_contradict(first: str | None) -> None:
    """Whichever comes first, the nameless one may be the same person's."""
    names = [first, "ann" if first is None else None]
    files = [
        file(rated("a", human), **({} if name is None else {"drafted_by": name}))  # type: ignore[arg-type]  # a bucket
        for human, name in zip(("high", "low"), names, strict=True)
    ]

    with pytest.raises(DatasetError, match="is rated both high and low"):
        the_set(cases("a"), *files)


@pytest.mark.parametrize("score", [-0.5, 1.5])
def test_pairing__a_score_outside_of_the_scale_is_none(score: float) -> None:
    """It cannot be put beside a rating."""
    found = calibrate([cases("a", score=score)], [file(rated("a"))])

    assert ["the judge gave no score in [0, 1] for correctness"] == [
        one.because for one in found.unpaired
    ]


def test_pairing__what_was_measured_is_named_in_order() -> None:
    """Of a name that nobody knows it is asked whether it is misspelt."""
    label = Label.model_validate({"case_id": "a", "scores": {"typo": "low"}, "line": 7})
    scores = {"relevance": [0.9], "correctness": [0.9]}
    run = run_of([cell("t", "a", scores)], [RELEVANCE, CORRECTNESS])

    (one,) = calibrate([run], [file(label)]).unpaired
    (none,) = calibrate([run_of([cell("t", "a", {})], [])], [file(label)]).unpaired
    assert "(there are correctness and relevance): is it misspelt?" in one.because
    assert "(there are none): is it misspelt?" in none.because


def judged(item: str, label: Support, dimension: str, kind: ItemKind) -> JudgedItem:
    """What the judge said of an item of the only answer."""
    return JudgedItem(
        target="t",
        case_id="a",
        attempt=0,
        answer="t/a/0",
        dimension=dimension,
        kind=kind,
        item=item,
        label=label,
    )


def items(*labels: tuple[ItemKind, str, Support]) -> LabelSet:
    """Labels of items of the only answer."""
    parts = [ItemLabel(kind=kind, item=item, label=label) for kind, item, label in labels]
    return file(
        Label.model_validate(
            {"case_id": "a", "scores": {}, "answer": "t/a/0", "items": parts, "line": 7}
        )
    )


def test_pairing__items_of_two_dimensions_keep_their_own_judgement() -> None:
    """One sentence that two dimensions count, and the judge said otherwise of each."""
    both = [
        judged("s1", "supported", "citation_precision", "sentences"),
        judged("s1", "unsupported", "alce_recall", "sentences"),
    ]
    metrics = [PRECISION, PRECISION.model_copy(update={"name": "alce_recall"})]
    run = run_of([cell("t", "a", {one.name: [1.0] for one in metrics})], metrics)
    found = calibrate([run], [items(("sentences", "s1", "supported"))], judged=[both])

    assert {"citation_precision": "supported", "alce_recall": "unsupported"} == {
        one.dimension: one.items[0].judge for one in found.calibration.sets
    }


@pytest.mark.parametrize(
    ("metric", "kind", "label", "expected"),
    [
        (CLAIMS, "claims", "partial", "partial"),
        (CLAIMS, "claims", "supported", "supported"),
        (PRECISION, "sentences", "partial", "unsupported"),
        (PRECISION, "sentences", "supported", "supported"),
        (PRECISION, "citations", "supported", "supported"),
    ],
)
def test_pairing__a_part_is_not_enough_but_for_claims(
    metric: Metric, kind: ItemKind, label: Support, expected: Support
) -> None:
    """A citation is its sentence where there is one page."""
    assert metric.counts is not None
    said = [judged("i", "supported", metric.name, metric.counts)]
    run = run_of([cell("t", "a", {metric.name: [1.0]})], [metric])
    (found,) = calibrate([run], [items((kind, "i", label))], judged=[said]).calibration.sets

    assert [expected] == [one.human for one in found.items]


def test_pairing__unbound_labels_are_sorted_by_their_targets() -> None:
    """Of one case, whatever the files say first."""
    run = run_of([cell(name, "a", {"correctness": [0.9]}) for name in "tuv"])

    found = the_set(run, file(*(rated("a", target=name) for name in "vtu")))

    assert ["t", "u", "v"] == [one.target for one in found.items]


def test_pairing__one_answer_of_several_targets_is_the_one_that_the_label_names() -> None:
    """Both gave it, and the label says whose was rated."""
    same = cell("t", "a", {"correctness": [0.9]}).attempts
    run = run_of([cell(name, "a", {"correctness": [0.9]}, attempts=same) for name in "tu"])

    found = the_set(run, file(rated("a", target="u", answer="t/a/0")))

    assert ["u"] == [one.target for one in found.items]


def test_pairing__targets_are_named_in_order() -> None:
    """Whose a label may be, and whose the answer is that it rates."""
    names = "gbedfac"
    same = cell("t", "a", {"correctness": [0.9]}).attempts
    run = run_of([cell(name, "a", {"correctness": [0.9]}, attempts=same) for name in names])

    with pytest.raises(DatasetError, match=r"--target \(a, b, c, d, e and 2 more\)"):
        the_set(run, file(rated("a")))
    (missed,) = calibrate([run], [file(rated("a", target="x", answer="t/a/0"))]).unpaired
    assert "the answer is of a, b, c, d, e and 2 more, not of x as the label says" == missed.because


def test_pairing__a_rating_of_what_counts_items_hides_no_other_rating() -> None:
    """Citations are labelled one by one; the answer's correctness is rated beside them."""
    label = rated("a", scores={"citation_precision": "high", "correctness": "low"})
    run = run_of(
        [cell("t", "a", {"citation_precision": [1.0], "correctness": [0.9]})],
        [PRECISION, CORRECTNESS],
    )

    found = calibrate([run], [file(label)])

    assert ["correctness"] == [one.dimension for one in found.calibration.sets]
    assert ["citation_precision"] == [one.dimension for one in found.unpaired]


def test_pairing__an_item_of_one_answer_of_two_targets_is_the_first_ones() -> None:
    """As an answer is."""
    first = judged("i", "supported", CLAIMS.name, "claims")
    said = [first, first.model_copy(update={"target": "u"})]
    run = run_of([cell(name, "a", {CLAIMS.name: [1.0]}) for name in "tu"], [CLAIMS])

    (found,) = calibrate(
        [run], [items(("claims", "i", "supported"))], judged=[said]
    ).calibration.sets

    assert ["t"] == [one.target for one in found.items]


def test_pairing__kinds_of_a_digest_are_named_in_order() -> None:
    """It is labelled as a claim, and the judge counted it as something else three times."""
    kinds: list[ItemKind] = ["statements", "citations", "sentences"]
    said = [judged("i", "supported", f"of_{kind}", kind) for kind in kinds]
    run = run_of([cell("t", "a", {CLAIMS.name: [1.0]})], [CLAIMS])

    (missed,) = calibrate([run], [items(("claims", "i", "supported"))], judged=[said]).unpaired

    assert "the digest is one of citations, sentences and statements" == missed.because


def test_pairing__of_several_contradictions_the_first_dimension_is_named() -> None:
    """One sentence counts in many dimensions, and is labelled twice, each time otherwise."""
    names = [f"d{number}" for number in range(7, 0, -1)]
    said = [judged("s", "supported", name, "sentences") for name in names]
    metrics = [PRECISION.model_copy(update={"name": name}) for name in names]
    run = run_of([cell("t", "a", {name: [1.0] for name in names})], metrics)
    labels = [items(("sentences", "s", said_of)) for said_of in ("supported", "unsupported")]

    with pytest.raises(DatasetError, match="d1 of a is rated both supported and unsupported"):
        calibrate([run], labels, judged=[said])


def test_pairing__items_of_one_answer_are_sorted_by_their_digests() -> None:
    """Whatever the file says first."""
    said = [judged(name, "supported", CLAIMS.name, "claims") for name in "zam"]
    labels = items(*(("claims", name, "supported") for name in "zam"))
    run = run_of([cell("t", "a", {CLAIMS.name: [1.0]})], [CLAIMS])

    (found,) = calibrate([run], [labels], judged=[said]).calibration.sets

    assert ["a", "m", "z"] == [one.item for one in found.items]


def test_pairing__what_a_label_could_not_be_paired_in_is_listed_in_order() -> None:
    """By dimension, whatever the file says first."""
    label = rated("a", scores={"typo_b": "low", "typo_a": "low"})

    found = calibrate([cases("a")], [file(label)])

    assert ["typo_a", "typo_b"] == [one.dimension for one in found.unpaired]


def test_pairing__an_answer_that_is_gone_is_of_no_other_target() -> None:
    """Though the label names one."""
    (missed,) = calibrate([cases("a")], [file(rated("a", target="t", answer="gone"))]).unpaired

    assert "no run holds the answer that was rated" == missed.because


def test_pairing__a_contradiction_names_twelve_digits_of_the_item() -> None:
    """As many as tell it from others."""
    digest = "0123456789abcdef"
    said = [judged(digest, "supported", CLAIMS.name, "claims")]
    labels = [items(("claims", digest, word)) for word in ("supported", "unsupported")]
    run = run_of([cell("t", "a", {CLAIMS.name: [1.0]})], [CLAIMS])

    with pytest.raises(DatasetError, match="for item 0123456789ab of one answer"):
        calibrate([run], labels, judged=[said])
