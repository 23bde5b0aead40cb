"""Runs become a baseline: several runs are several repeats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.baseline import joined_cell, make_baseline
from gate.errors import FileError
from gate.types import Commits, Failure, Identity, Plan, Provenance, Run, TargetInfo
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    JUDGED_BY,
    RELEVANCE,
    cell,
    columns,
    run_of,
)


def again(run: Run, name: str = "run-2", **more: object) -> Run:
    """The same run under another id."""
    return run.model_copy(update={"id": name, **more})


def test_make_baseline__columns_of_several_runs_are_joined() -> None:
    """The attempts stand in the order of the runs, padded where a run lacks a metric."""
    first = run_of([cell("t", "a", {"correctness": [0.5, None]}, ["ok", "empty"])])
    second = run_of(
        [
            cell(
                "t",
                "a",
                {"correctness": [0.9], "relevance": [None]},
                failures={"relevance": ("judge",)},
            )
        ],
        [CORRECTNESS, RELEVANCE],
        id="run-2",
    )
    third = run_of([cell("t", "a", {"correctness": [0.7]})], id="run-3")

    found = make_baseline([first, second, third])

    (one,) = found.cells
    assert one.scores == {
        "correctness": (0.5, None, 0.9, 0.7),
        "relevance": (None, None, None, None),
    }
    assert one.failures == {"relevance": (None, None, "judge", None)}
    assert [made.state for made in one.attempts] == ["ok", "empty", "ok", "ok"]
    assert found.runs == ("run-1", "run-2", "run-3")
    assert found.metrics == (CORRECTNESS, RELEVANCE)
    assert found.identities == {"correctness": JUDGED_BY, "relevance": JUDGED_BY}
    assert not found.averages_only


def test_make_baseline__cells_are_sorted_by_case_and_target() -> None:
    """The order of cells in the runs does not matter."""
    cells = [cell(t, c, {"correctness": [1.0]}) for t in "ut" for c in "ba"]
    found = make_baseline([run_of(cells)])

    assert [("a", "t"), ("a", "u"), ("b", "t"), ("b", "u")] == [
        (one.case_id, one.target) for one in found.cells
    ]


def test_make_baseline__keeps_of_its_origin_what_the_runs_share() -> None:
    """Age is that of the oldest answers; a commit that differs is no longer claimed."""
    run = run_of(columns([1.0]))
    old = Provenance(created="2026-05-01T00:00:00Z", gate="1", commits=Commits(base="b", head="h"))
    new = Provenance(created="2026-06-01T00:00:00Z", gate="1", commits=Commits(base="b", head="i"))

    found = make_baseline([again(run, "n", provenance=new), again(run, "o", provenance=old)])

    assert found.provenance == Provenance(
        created="2026-05-01T00:00:00Z", gate="1", commits=Commits(base="b")
    )


@pytest.mark.parametrize(("created", "expected"), [("2026-07-07", "2026-07-07"), (None, None)])
def test_make_baseline__time(created: str | None, expected: str | None) -> None:
    """A given time stands; without any time the age is unknown."""
    run = run_of(columns([1.0]), provenance=Provenance())
    assert make_baseline([run], created).provenance.created == expected


def test_make_baseline__targets_say_all_models_that_answered() -> None:
    """Unknown settings are no contradiction."""
    run = run_of(columns([1.0]))
    infos = [
        TargetInfo(name="t", use="x", answered=("m2",), settings="s"),
        TargetInfo(name="t", use="x", answered=("m1",)),
    ]
    found = make_baseline(
        [again(run, str(i), targets=(info,)) for i, info in enumerate(infos)],
    )
    assert (infos[0].model_copy(update={"answered": ("m1", "m2")}),) == found.targets


def test_make_baseline__text_of_a_case_unknown_to_one_run() -> None:
    """A cell claims no text that one of its runs does not know."""
    known, unknown = (
        run_of([cell("t", "a", {"correctness": [1.0]}, case_digest=text)], id=str(text))
        for text in ("x", None)
    )
    assert make_baseline([known, unknown]).cells[0].case_digest is None


WHOLE = run_of(columns([1.0]))


@pytest.mark.parametrize(
    ("runs", "because"),
    [
        ([], "needs at least one run"),
        ([WHOLE, WHOLE], "given twice"),
        (
            [again(WHOLE, broken=Failure(kind="error", message="no key"))],
            r"run-2 is broken \(no key\)",
        ),
        ([run_of(columns([None]))], "holds no score"),
        ([again(WHOLE, interrupted="SIGTERM")], "run-2 was interrupted: run it again"),
        (
            [again(WHOLE, plan=Plan(shard="1/2"))],
            "run-2 is part 1/2 of a plan: put the parts together",
        ),
        (
            [WHOLE, again(WHOLE, identities={"correctness": Identity(judge="other")})],
            "their judge differs",
        ),
        (
            [WHOLE, again(WHOLE, metrics=(CORRECTNESS.model_copy(update={"unit": "s"}),))],
            "correctness has another direction or unit in run run-2",
        ),
        (
            [WHOLE, again(WHOLE, cells=(replace(WHOLE.cells[0], case_digest="x"),))],
            "the text of case case-00 differs",
        ),
        (
            [
                again(WHOLE, name, targets=(TargetInfo(name="t", use="x", settings=name),))
                for name in "ab"
            ],
            "target t had other settings in run b",
        ),
    ],
)
def test_make_baseline__refuses_what_is_no_repeat(runs: list[Run], because: str) -> None:
    """Runs that are broken, empty, doubled or of another kind make no baseline."""
    with pytest.raises(FileError, match=because):
        make_baseline(runs)


def test_joined_cell__rulings_of_other_judges_leave_gaps() -> None:
    """Each judge has a value for every attempt, None where it did not rule."""
    one = cell("t", "c", {"correctness": [0.5]}, members={"correctness": {"a": (0.5,)}})
    none = cell("t", "c", {"correctness": [1.0, 1.0]})
    other = cell("t", "c", {"correctness": [0.0]}, members={"correctness": {"b": (0.0,)}})

    joined = joined_cell([one, none, other])

    assert joined.members == {
        "correctness": {"a": (0.5, None, None, None), "b": (None, None, None, 0.0)}
    }


def test_make_baseline__one_run_keeps_all_of_its_origin() -> None:
    """All but the journal, which is of the run alone."""
    origin = Provenance(
        gate="1",
        created="2026-05-01T00:00:00Z",
        judged="2026-06-01T00:00:00Z",
        commits=Commits(base="b", head="h", evaluated="e"),
        world="w",
        prices="2026-05-01",
        imported="i",
    )
    run = run_of(columns([1.0]), provenance=origin)

    assert origin == make_baseline([run]).provenance


def test_make_baseline__rulings_are_as_old_as_the_oldest() -> None:
    """Where one run was judged later than it was answered, the time of the others' rulings counts.

    One that was judged with its answers in May is older than one that was judged in July; where
    none was judged apart, the age of the answers says it all. A run without a time says nothing.
    """
    run = run_of(columns([1.0]))
    later = Provenance(created="2026-04-01T00:00:00Z", judged="2026-07-01T00:00:00Z")
    origins = {"a": Provenance(created="2026-05-01T00:00:00Z"), "b": later, "c": Provenance()}
    runs = {name: again(run, name, provenance=one) for name, one in origins.items()}
    all_of, apart, without = (
        make_baseline([runs[name] for name in names]).provenance for names in ("abc", "bc", "ac")
    )

    assert ("2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z") == (all_of.created, all_of.judged)
    assert "2026-07-01T00:00:00Z" == apart.judged
    assert ("2026-05-01T00:00:00Z", None) == (without.created, without.judged)


def test_make_baseline__who_accepted_a_regression_stands_in_it() -> None:
    """Nobody, where nobody is named."""
    run = run_of(columns([1.0]))

    assert {"run-1": "ada"} == make_baseline([run], accepted={"run-1": "ada"}).accepted
    assert {} == make_baseline([run]).accepted


def test_make_baseline__names_are_sorted() -> None:
    """Required cases and the models that answered: a file does not change by itself."""
    names = tuple(f"n{number:02d}" for number in range(12))
    info = TargetInfo(name="t", use="x", answered=names[::-1])
    run = run_of(columns([1.0]), plan=Plan(required=names[::-1]), targets=["t"])

    made = make_baseline([run.model_copy(update={"targets": (info,)})])

    assert (names, names) == (made.required, made.targets[0].answered)


def test_joined_cell__is_called_what_the_first_part_calls_it() -> None:
    """Only the category may differ: the text of the case may not."""
    parts = [cell("t", "c", {"correctness": [0.5]}, category=name) for name in ("old", "new")]

    assert "old" == joined_cell(parts).category


def test_make_baseline__keeps_what_cases_share() -> None:
    """In the order of the cases; a later run's dataset has the last word."""
    earlier, later = (
        run_of(columns([1.0, 1.0]), plan=Plan(clusters=clusters), id=name)
        for name, clusters in (
            ("one", {"case-01": "rivers", "case-00": "old"}),
            ("two", {"case-00": "atlas"}),
        )
    )

    made = make_baseline([earlier, later])

    assert [("case-00", "atlas"), ("case-01", "rivers")] == list(made.clusters.items())
