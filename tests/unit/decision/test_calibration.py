"""Labels are paired with the judge's scores of the same answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate.decision.calibration import agreement_of, calibrate
from gate.decision.tried import kept_for_tuning
from gate.errors import DatasetError, FileError
from gate.types import (
    Attempt,
    Bucket,
    Cell,
    Identity,
    Label,
    LabelSet,
    Metric,
    Policy,
    Run,
    TargetInfo,
)
from tests.unit.decision.decision_samples import JUDGED_BY, cell, run_of

DIGEST = "t/a/0"


def labels(*given: Label, path: str = "labels.yaml", **more: str) -> LabelSet:
    """A labels file."""
    return LabelSet.model_validate({"path": path, "labels": given, **more})


def label(
    case: str = "a", human: Bucket = "high", answer: str | None = DIGEST, **more: object
) -> Label:
    """A label of correctness."""
    return Label.model_validate(
        {"case_id": case, "scores": {"correctness": human}, "answer": answer, "line": 7, **more}
    )


def test_calibrate__bound_label_takes_the_mean_of_the_same_answer() -> None:
    """Only the attempts that gave this very answer count, in all runs: (0.5 + 0.9 + 1.0) / 3."""
    first = cell("t", "a", {"correctness": [0.5, 0.1]})
    attempts = (first.attempts[0], first.attempts[0])
    second = cell("t", "a", {"correctness": [0.9, 1.0]}, attempts=attempts)
    runs = [run_of([first]), run_of([second], id="run-2")]

    found = calibrate(runs, [labels(label(), drafted_by="ann", approved_by="bob")], created="now")

    assert found.calibration.created == "now"
    (one,) = found.calibration.sets
    (item,) = one.items
    assert ("a", "t", DIGEST, "high") == (item.case_id, item.target, item.answer, item.human)
    assert item.judge == pytest.approx(0.8)
    assert (("ann",), (), ("bob",)) == (one.drafted_by, one.drafted_by_families, one.approved_by)
    assert one.identity == JUDGED_BY
    assert found.paired == {"correctness": 1}
    assert found.unpaired == ()


def test_calibrate__who_approved_a_single_label() -> None:
    """A label that was approved by itself says so, whatever the file says of the rest."""
    runs = [run_of([cell("t", "a", {"correctness": [0.5]})])]
    single = calibrate(runs, [labels(label(approved_by="eve"), drafted_by="ann")])
    both = calibrate(runs, [labels(label(approved_by="eve"), approved_by="bob")])

    assert (
        ("eve",) == single.calibration.sets[0].approved_by == both.calibration.sets[0].approved_by
    )


def test_calibrate__items_and_sets_are_sorted() -> None:
    """The file is the same whatever the order of labels."""
    metrics = [Metric(name="zeal", judged=True), Metric(name="correctness", judged=True)]
    cells = [cell("t", case, {"correctness": [1.0], "zeal": [0.0]}) for case in "ba"]
    given = [
        label("b", answer="t/b/0", scores={"zeal": "low"}),
        *(label(case, answer=f"t/{case}/0") for case in "ba"),
    ]
    found = calibrate([run_of(cells, metrics)], [labels(*given)])
    again = calibrate([run_of(cells, metrics)], [labels(*reversed(given))])

    assert found == again
    assert [one.dimension for one in found.calibration.sets] == ["correctness", "zeal"]
    assert [item.case_id for item in found.calibration.sets[0].items] == ["a", "b"]


def test_calibrate__unbound_labels_go_by_case_and_target() -> None:
    """With one target in the runs nobody has to name it."""
    found = calibrate(
        [run_of([cell("t", "a", {"correctness": [0.4, 0.6]})])], [labels(label(answer=None))]
    )

    (item,) = found.calibration.sets[0].items
    assert (item.target, item.answer, item.judge) == ("t", None, 0.5)


def test_calibrate__unbound_label_with_several_targets() -> None:
    """It is not guessed whose answer was rated."""
    run = run_of([cell(name, "a", {"correctness": [0.4]}) for name in ("t", "u")])
    with pytest.raises(DatasetError, match=r"labels.yaml:7: .*--target \(t and u\)"):
        calibrate([run], [labels(label(answer=None))])


@pytest.mark.parametrize("named_in", ["label", "argument"])
def test_calibrate__unbound_label_with_a_named_target(named_in: str) -> None:
    """The label's own target or the argument says whose answer it is."""
    run = run_of([cell("t", "a", {"correctness": [0.4]}), cell("u", "a", {"correctness": [0.9]})])
    own: dict[str, Any] = {"target": "u"} if named_in == "label" else {}
    found = calibrate(
        [run], [labels(label(answer=None, **own))], "u" if named_in == "argument" else None
    )

    (item,) = found.calibration.sets[0].items
    assert (item.target, item.judge) == ("u", 0.9)


def test_calibrate__labels_of_another_target_are_passed_over() -> None:
    """Asked for one target, labels of others are neither used nor missed."""
    run = run_of([cell("t", "a", {"correctness": [0.4]})])
    found = calibrate([run], [labels(label(target="u"))], "t")

    assert (found.calibration.sets, found.unpaired) == ((), ())


@pytest.mark.parametrize(
    ("given", "because"),
    [
        (label(answer="other"), "no run holds the answer that was rated"),
        (label("gone", answer=None), "no run has an answer to this case"),
        (label("b", answer="t/b/0"), "the judge gave no score in [0, 1] for correctness"),
        (label("c", answer="t/c/0"), "the judge gave no score in [0, 1] for correctness"),
        (label("d", answer="t/d/0"), "the judge gave no score in [0, 1] for correctness"),
    ],
)
def test_calibrate__labels_without_a_score_are_reported(given: Label, because: str) -> None:
    """Each is named with file, line and reason: other answer, no case, no score, no such metric."""
    run = run_of(
        [
            cell("t", "a", {"correctness": [0.4]}),
            cell("t", "b", {"correctness": [None]}),
            cell("t", "c", {"correctness": [7.0]}),
            cell("t", "d", {}),
        ]
    )
    found = calibrate([run], [labels(given)])

    (missed,) = found.unpaired
    assert ("labels.yaml", 7, given.case_id, "correctness", because) == (
        missed.path,
        missed.line,
        missed.case_id,
        missed.dimension,
        missed.because,
    )
    assert found.calibration.sets == ()


def test_calibrate__a_label_that_stands_twice_counts_once() -> None:
    """Copies of a label do not make kappa surer."""
    run = run_of([cell("t", "a", {"correctness": [0.4]})])
    found = calibrate([run], [labels(label()), labels(label(), path="copy.yaml")])

    assert found.paired == {"correctness": 1}


def test_calibrate__label_whose_target_contradicts_its_answer() -> None:
    """The digest says whose answer it is; a label that says otherwise is wrong."""
    run = run_of([cell("t", "a", {"correctness": [0.4]}), cell("u", "a", {"correctness": [0.9]})])
    found = calibrate([run], [labels(label(target="u"), label(target="t"))])

    (missed,) = found.unpaired
    assert missed.because == "the answer is of t, not of u as the label says"
    assert found.paired == {"correctness": 1}


def test_calibrate__one_answer_of_two_targets() -> None:
    """Either target may be named; the judge's scores of this very answer are pooled."""
    same = cell("u", "a", {"correctness": [0.8]}, attempts=cell("t", "a", {"c": [1]}).attempts)
    run = run_of([cell("t", "a", {"correctness": [0.4]}), same])
    found = calibrate([run], [labels(label(target="u"))])

    assert found.unpaired == ()
    assert found.calibration.sets[0].items[0].judge == pytest.approx(0.6)


def test_calibrate__two_ratings_of_one_answer() -> None:
    """Where nobody says whose they are, a contradiction is settled by people, not by files."""
    run = run_of([cell("t", "a", {"correctness": [0.4]})])
    with pytest.raises(DatasetError, match=r"copy.yaml:7: .*both high and low"):
        calibrate([run], [labels(label()), labels(label(human="low"), path="copy.yaml")])


def test_calibrate__one_person_who_says_both() -> None:
    """Two files of one person are one person's."""
    run = run_of([cell("t", "a", {"correctness": [0.4]})])
    given = [labels(label(), drafted_by="ann"), labels(label(human="low"), drafted_by="ann")]
    with pytest.raises(DatasetError, match="both high and low"):
        calibrate([run], given)


def rating_of(*people: tuple[str, Bucket, str | None]) -> Any:
    """The set of one answer that several rated: (who, rating, model family)."""
    run = run_of([cell("t", "a", {"correctness": [0.4]})])
    given = [
        labels(
            label(human=human),
            drafted_by=who,
            **({} if family is None else {"drafted_by_family": family}),
        )
        for who, human, family in people
    ]
    return calibrate([run], given).calibration.sets[0]


def test_calibrate__several_people() -> None:
    """All ratings are kept; the median counts, of two middle ones the lower."""
    three = rating_of(("ann", "high", None), ("bob", "low", None), ("eve", "med", None))
    two = rating_of(("ann", "high", None), ("bob", "med", None))

    assert "med" == three.items[0].human
    assert {"ann": "high", "bob": "low", "eve": "med"} == three.items[0].ratings
    assert ("ann", "bob", "eve") == three.drafted_by
    assert "med" == two.items[0].human


def test_calibrate__people_stand_before_models() -> None:
    """A model's draft is kept and does not count where a person rated the same answer."""
    both = rating_of(("ann", "high", None), ("llm", "low", "claude"))
    models = rating_of(("llm", "high", "claude"), ("other", "low", "gemini"))

    assert ("high", ("llm",)) == (both.items[0].human, both.models)
    assert ("low", ("llm", "other")) == (models.items[0].human, models.models)


def test_calibrate__models_are_named_where_one_answer_has_several_ratings() -> None:
    """Another answer of the same set may have a single one."""
    run = run_of([cell("t", case, {"correctness": [0.4]}) for case in "ab"])
    given = [
        labels(label("a", answer="t/a/0"), label("b", answer="t/b/0"), drafted_by="ann"),
        labels(label("a", answer="t/a/0"), drafted_by="llm", drafted_by_family="claude"),
    ]

    assert ("llm",) == calibrate([run], given).calibration.sets[0].models


def test_calibrate__somebody_unnamed_who_agrees() -> None:
    """A file without a name may say the same as a named one."""
    run = run_of([cell("t", "a", {"correctness": [0.4]})])
    found = calibrate([run], [labels(label()), labels(label(), drafted_by="ann")])

    assert {"unnamed": "high", "ann": "high"} == found.calibration.sets[0].items[0].ratings


def test_calibrate__names_in_order() -> None:
    """Models and approvers, whoever came first."""
    several = rating_of(("z", "high", "claude"), ("b", "high", "gemini"), ("k", "high", "other"))
    run = run_of([cell("t", "a", {"correctness": [0.4]})])
    files = [labels(label(), approved_by=name) for name in ("z", "b", "k", "a")]
    approved = calibrate([run], files).calibration.sets[0].approved_by

    assert (("b", "k", "z"), ("claude", "gemini", "other")) == (
        several.models,
        several.drafted_by_families,
    )
    assert ("a", "b", "k", "z") == approved


def test_calibrate__labels_for_tuning_license_nothing() -> None:
    """The hash of the case says where its labels go; all of them are paired."""
    names = [f"case-{number}" for number in range(10)]
    run = run_of([cell("t", name, {"correctness": [0.4]}) for name in names])
    given = labels(*(label(name, answer=f"t/{name}/0") for name in names))
    (one,) = calibrate([run], [given], tuning=0.5).calibration.sets

    assert [name for name in names if kept_for_tuning(name, 0.5)] == [
        item.case_id for item in one.tuning
    ]
    assert 0 < len(one.items) < 10
    assert 10 == len(one.items) + len(one.tuning)
    assert 10 == calibrate([run], [given], tuning=0.5).paired["correctness"]


def test_calibrate__mixed_judges_are_refused() -> None:
    """One dimension's scores must come from one judge."""
    other = JUDGED_BY.model_copy(update={"judge": "gemini-y"})
    runs = [
        run_of([cell("t", "a", {"correctness": [0.4]})]),
        run_of([cell("t", "b", {"correctness": [0.4]})], identities={"correctness": other}),
    ]
    given = labels(label(), label("b", answer="t/b/0"))
    with pytest.raises(
        FileError, match=r"correctness: .*their judge differs \(claude-x .*gemini-y\)"
    ):
        calibrate(runs, [given])


def test_calibrate__an_unknown_judge_makes_the_set_unknown() -> None:
    """A set claims no judge that one of its runs does not know."""
    runs = [
        run_of([cell("t", "a", {"correctness": [0.4]})]),
        run_of([cell("t", "b", {"correctness": [0.4]})], identities={}),
    ]
    found = calibrate(runs, [labels(label(), label("b", answer="t/b/0"))])
    assert found.calibration.sets[0].identity == Identity()


def test_calibrate__published_labels(data_dir: Path) -> None:
    """24 loose labels of one model's answers: kappa 1.0000, 0.6308 and 0.8667, as published."""
    folder = data_dir / "gemini-search-mcp" / "evals"
    rows = json.loads((folder / "results" / "2026-07-12T23-22-55Z.json").read_text("utf-8"))
    dimensions = ("relevance", "correctness", "source_quality")
    run = Run(
        id="published",
        targets=tuple(
            TargetInfo(name=name, use="recorded") for name in sorted({row["model"] for row in rows})
        ),
        metrics=tuple(Metric(name=name, judged=True) for name in dimensions),
        cells=tuple(
            Cell(
                target=row["model"],
                case_id=row["case_id"],
                scores={name: (row["scores"][name],) for name in dimensions},
                attempts=(Attempt(state="ok" if row.get("answer") else "empty"),),
            )
            for row in rows
        ),
    )
    given = LabelSet(path="flash-lite.yaml", labels=_read_labels(folder / "labels/flash-lite.yaml"))

    found = calibrate([run], [given], "gemini-3.1-flash-lite")

    by_name = {one.dimension: agreement_of(one, Policy(), None) for one in found.calibration.sets}
    assert [by_name[name].kappa for name in dimensions] == pytest.approx(
        [1.0, 0.6308, 0.8667], abs=5e-5
    )
    assert {24} == {one.n for one in by_name.values()}
    assert {"unbound"} == {one.state for one in by_name.values()}
    assert by_name["correctness"].table == ((2, 0, 0), (0, 0, 0), (1, 1, 20))
    assert found.unpaired == ()


def _read_labels(path: Path) -> tuple[Label, ...]:
    """Read the few shapes of line that the published labels have."""
    found: list[tuple[str, dict[str, str]]] = []
    for line in path.read_text("utf-8").splitlines():
        key, _, value = line.split("#")[0].strip().partition(":")
        if key == "- case_id":
            found.append((value.strip(), {}))
        elif found and value.strip():
            found[-1][1][key] = value.strip()
    return tuple(
        Label.model_validate({"case_id": case, "scores": scores}) for case, scores in found
    )


def test_calibrate__a_dimension_that_no_run_measured() -> None:
    """A slip in its name is told as such, with the names that there are."""
    run = run_of([cell("t", "a", {"correctness": [0.4]})])
    found = calibrate([run], [labels(label(scores={"corectness": "high"}))])

    (missed,) = found.unpaired
    assert "no run measured corectness (there are correctness): is it misspelt?" == missed.because
