"""Control answers: which flipped, in which dimensions the judge drifted, and what a run says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.decision.controls import (
    FEWEST_CONTROLS,
    Drift,
    any_flipped,
    comparable_dimensions,
    doubt,
    drifted,
    examples,
    in_order,
    reading_of,
    suspects,
    title,
    told,
)
from gate.stats.drift import DriftTest
from gate.types import (
    Answer,
    Control,
    ControlCheck,
    ControlReading,
    Controls,
    Identity,
    Policy,
    Rule,
    Run,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    JUDGED_BY,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    run_of,
    verdict_of,
)

POLICY = Policy()


def control(case: str, *rulings: float) -> Control:
    """A control answer with these rulings."""
    return Control(
        case_id=case,
        case_digest="d",
        target="t",
        scores={"correctness": rulings},
        answer=Answer(text="A."),
    )


def readings(*rounds: Sequence[float | None]) -> list[ControlReading]:
    """Eight control answers rated 0.75 three times, and what this run's rounds gave."""
    found = []
    for number, values in enumerate(zip(*rounds, strict=True)):
        made = reading_of(control(f"c{number}", 0.75, 0.75, 0.75), "correctness", values, POLICY)
        assert made is not None
        found.append(made)
    return found


def check(*found: ControlReading, rounds: int = 2, **more: object) -> ControlCheck:
    """All control answers judged."""
    ids = tuple(dict.fromkeys(one.case_id for one in found))
    made = ControlCheck(case_ids=ids, of=len(ids), rounds=rounds, readings=found)
    return made.model_copy(update=more)


LOW, SAME = [0.5] * 8, [0.75] * 8
FULL = columns([0.9, 0.8] * 15)


def with_controls(controls: ControlCheck | None, now: float = 0.9) -> Run:
    """A run of thirty cases beside the control answers."""
    return run_of(columns([now, 0.8] * 15), controls=controls)


def test_reading_of__too_few_rulings_are_no_control() -> None:
    """Two rulings cannot say how much a judge wavers; nor can none."""
    assert reading_of(control("a", 0.5, 0.5), "correctness", [0.5], POLICY) is None
    assert reading_of(control("a", 0.5, 0.5, 0.5), "relevance", [0.5], POLICY) is None


def test_reading_of__flips_by_the_rule_of_its_dimension() -> None:
    """Where 0.2 is the smallest drop that counts, 0.15 is no flip; of two rulings the first is."""
    one = control("a", 0.8, 0.8, 0.8)
    mild = Policy(rules={"correctness": Rule(min_effect=0.2)})
    made = [
        reading_of(one, "correctness", values, policy)
        for values, policy in (([0.95, 0.8], POLICY), ([0.95], mild), ([None], POLICY))
    ]

    assert [True, False, None] == [None if found is None else found.flipped for found in made]
    assert any_flipped([found for found in made if found is not None])
    assert not any_flipped([found for found in made[1:] if found is not None])


def test_in_order__by_the_hash_of_the_run() -> None:
    """The same for a seed, whatever the file's order; another for another seed."""
    some = [control(name, 0.5, 0.5, 0.5) for name in "abcdefgh"]

    assert in_order(some, "pr-7") == in_order(some[::-1], "pr-7")
    assert in_order(some, "pr-7") != in_order(some, "pr-8")


def test_comparable_dimensions__only_another_judge_is_no_hindrance() -> None:
    """What a changed prompt says of the judge nobody knows."""
    file = Controls(
        date="2026-07-01",
        identities={"correctness": JUDGED_BY, "relevance": JUDGED_BY},
    )
    now = {
        "correctness": JUDGED_BY.model_copy(update={"judge": "claude-y"}),
        "relevance": Identity(judge="claude-x [json_schema]", prompt="p2", scorer="s2"),
        "new": JUDGED_BY,
    }
    names, skipped = comparable_dimensions(file, now, now)

    assert ("correctness",) == names
    said = "prompt and scorer or a setting of the judge changed: write the file again"
    assert said == skipped["relevance"]
    assert "the file has no scores of it" in skipped["new"]


def test_drifted__both_rounds_say_so() -> None:
    """Eight flips, twice; once alone is a suspicion, and another direction is none."""
    twice, once = check(*readings(LOW, LOW)), check(*readings(LOW), rounds=1)
    mended, turned = check(*readings(LOW, SAME)), check(*readings(LOW, [1.0] * 8))

    assert ["correctness"] == list(drifted(with_controls(twice), POLICY))
    for other in (once, mended, turned, None):
        assert {} == drifted(with_controls(other), POLICY)
    assert ("correctness",) == suspects(once, POLICY)
    assert () == suspects(check(*readings(SAME), rounds=1), POLICY)


def test_drifted__a_first_few_decide_nothing() -> None:
    """Nor do answers without a score, or a file of a stranger with too few rulings."""
    few = check(*readings(LOW, LOW)[:3], of=8)
    blank = check(*readings([None] * 8, [None] * 8))
    short = check(*(one.model_copy(update={"stored": (0.75,)}) for one in readings(LOW, LOW)))

    for one in (few, blank, short):
        assert {} == drifted(with_controls(one), POLICY)


def test_verdict__drift_is_no_regression() -> None:
    """The scores fell by 0.2 with the judge's: not comparable, exit 3, and what to renew."""
    verdict = verdict_of(
        with_controls(check(*readings(LOW, LOW)), now=0.7), baseline_of(run_of(FULL))
    )

    assert ("broken", 3) == (verdict.status, verdict.exit_code)
    assert "control answers flipped in correctness (8 of 8)" in verdict.headline
    assert ("incomparable", None) == (verdict.comparisons[0].outcome, verdict.comparisons[0].delta)
    assert "the judge drifted" in str(verdict.comparisons[0].note)
    assert verdict.next_step is not None
    assert "`RUN_EVALS=1 gate controls RUN.json --write evals/controls.json`" in verdict.next_step
    assert not verdict.identity.comparable


def test_verdict__without_drift_the_same_fall_is_one() -> None:
    """Control answers that hold leave the candidate to blame."""
    verdict = verdict_of(
        with_controls(check(*readings(SAME), rounds=1), now=0.7), baseline_of(run_of(FULL))
    )

    assert ("regression", 1) == (verdict.status, verdict.exit_code)


def test_verdict__the_other_dimension_is_compared() -> None:
    """Drift in one dimension: no verdict, since a pass would be of half of what may fail."""
    cells = [
        cell("t", f"case-{number:02d}", {"correctness": [0.9], "relevance": [0.8]})
        for number in range(30)
    ]
    before = run_of(cells, [CORRECTNESS, RELEVANCE])
    verdict = verdict_of(
        before.model_copy(update={"controls": check(*readings(LOW, LOW))}), baseline_of(before)
    )

    assert "broken" == verdict.status
    assert ["incomparable", "pass"] == [one.outcome for one in verdict.comparisons]
    assert "relevance" not in verdict.headline


def test_verdict__another_judge_and_drift() -> None:
    """The other judge goes first; that it rates differently is a warning beside it."""
    now = with_controls(check(*readings(LOW, LOW), judge="claude-x"))
    other = JUDGED_BY.model_copy(update={"judge": "claude-y"})
    verdict = verdict_of(
        now.model_copy(update={"identities": {"correctness": other}}), baseline_of(run_of(FULL))
    )

    assert "correctness: judge differs" in verdict.headline
    said = "8 of 8 control answers flipped, 0.25 lower on average"
    assert f"Judge drift in correctness: {said}." in verdict.warnings


def test_verdict__a_suspicion_that_nobody_could_follow() -> None:
    """It decides nothing, and is not passed over in silence."""
    once = check(*readings(LOW), rounds=1, stopped="the ceiling was reached")
    verdict = verdict_of(with_controls(once), baseline_of(run_of(FULL)))

    assert "pass" == verdict.status
    assert any("may have drifted in correctness" in one for one in verdict.warnings)
    assert "(nobody asked)" in str(doubt(with_controls(check(*readings(LOW), rounds=1)), POLICY))


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (None, []),
        (
            check(*readings(SAME)[:3], rounds=1, of=8),
            ["Control answers: 3 of 8 judged again, none flipped."],
        ),
        (
            ControlCheck(stopped="the run ended early", skipped=dict.fromkeys("abcdef", "why")),
            [
                "Control answers could not be judged: the run ended early.",
                "Not judged again, a, b, c, d, e and 1 more: why.",
            ],
        ),
        (
            check(*readings([1.0] * 8, [1.0] * 8), judge="claude-w"),
            [
                (
                    "Control answers: all 8 judged again (2 times), 8 flipped in some dimension; "
                    "another judge than theirs (claude-w)."
                ),
                "correctness: judge drift, 8 of 8 control answers flipped, 0.25 higher on average.",
            ],
        ),
    ],
)
def test_told__in_sentences(one: ControlCheck | None, said: list[str]) -> None:
    """What the report says of them: of many dimensions with one reason five are named."""
    assert said == list(told(with_controls(one), POLICY))


def test_doubt__a_few_flipped_and_the_others_were_not_judged() -> None:
    """Money ended it: a warning names the dimensions, since the run may blame the candidate."""
    reading = ControlReading(
        case_id="a", dimension="correctness", stored=(0.9, 0.9, 0.9), values=(0.2,), flipped=True
    )
    check = ControlCheck(of=8, case_ids=("a",), rounds=1, readings=(reading,), stopped="no money")
    run = run_of(columns([0.5] * 2)).model_copy(update={"controls": check})
    calm = check.model_copy(update={"readings": (reading.model_copy(update={"flipped": False}),)})

    assert (
        "The judge may have drifted in correctness: the control answers were not all "
        "judged (no money), and a few alone decide nothing." == doubt(run, Policy())
    )
    assert doubt(run.model_copy(update={"controls": calm}), Policy()) is None


def test_comparable_dimensions__another_judge_is_the_one_cause() -> None:
    """Its settings are part of each scorer: the scorers did not change."""
    file = Controls(date="2026-07-01", identities={"correctness": JUDGED_BY})
    now = {"correctness": JUDGED_BY.model_copy(update={"judge": "gemini-z", "scorer": "s2"})}
    names, skipped = comparable_dimensions(file, now, now)

    assert () == names
    assert {
        "correctness": "they are of another judge (claude-x [json_schema]): write the file again"
    } == skipped


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (check(*readings(SAME)[:3], of=8), "Control answers: 3 judged again, none flipped"),
        (check(*readings(LOW)), "Control answers: 8 judged again, 8 flipped"),
        (
            check(*readings([None] * 8)),
            "Control answers could not be judged: the judge gave no score",
        ),
        (
            ControlCheck(
                skipped=dict.fromkeys("abc", "they are of another judge (x): write the file again")
            ),
            "Control answers could not be judged: they are of another judge (x)",
        ),
        (
            ControlCheck(skipped={"a": "its case changed", "b": "its prompt changed"}),
            (
                "Control answers could not be judged: none is of the present judge, scorers and "
                "cases"
            ),
        ),
    ],
)
def test_title__that_none_could_be_judged_is_no_reassurance(one: ControlCheck, said: str) -> None:
    """Only answers that have a new score did not flip."""
    assert said == title(one)


def test_told__one_reason_is_said_once() -> None:
    """Nine dimensions and one other judge are one sentence."""
    one = ControlCheck(skipped=dict.fromkeys("abc", "they are of another judge (x)"))

    assert ["Control answers could not be judged: they are of another judge (x)."] == list(
        told(with_controls(one), POLICY)
    )


def test_examples__those_that_moved_furthest() -> None:
    """Three at most, of dimensions that drifted; none where nobody asked."""
    found = readings([0.5] * 6 + [0.25, 0.25], [0.5] * 5 + [None, 0.0, 0.25])
    blank = found[0].model_copy(update={"values": ()})
    shown = examples(with_controls(check(*found, blank, of=8)), POLICY)

    assert ["c6", "c7", "c0"] == [one.case_id for one in shown]
    assert () == examples(with_controls(None), POLICY)
    assert () == examples(with_controls(check(*readings(SAME, SAME))), POLICY)


FELL = DriftTest(n=8, flipped=6, rate=0.1, flip_p=0.001, shift=-0.25, shift_p=0.01, far=0.05)
CALM = replace(FELL, n=7, flipped=1, flip_p=0.5, shift=-0.01)


def test_drift__the_first_time_suspects_both_decide_and_the_last_is_told() -> None:
    """A calm second time takes the suspicion back; a calm first time has none."""
    once, mended, late = (Drift("c", some) for some in ((FELL,), (FELL, CALM), (CALM, FELL)))

    assert [True, True, False] == [one.suspected for one in (once, mended, late)]
    assert not any(one.drifted for one in (once, mended, late))
    assert ["6 of 8", "1 of 7"] == [one.flipped for one in (once, mended)]
    assert "6 of 8 control answers flipped, 0.25 lower on average" == once.words
    assert "1 of 7 control answers flipped, 0.01 lower on average" == mended.words
    assert ", no higher or lower on" in Drift("c", (replace(FELL, shift=0.0),)).words


def test_comparable_dimensions__the_same_instrument_after_one_that_the_file_lacks() -> None:
    """What is missing hinders itself alone, and what did not change is compared."""
    file = Controls(date="2026-07-01", identities={"correctness": JUDGED_BY})
    names, skipped = comparable_dimensions(file, {"correctness": JUDGED_BY}, ["new", "correctness"])

    assert (("correctness",), ["new"]) == (names, list(skipped))


@pytest.mark.parametrize(("number", "names"), [(2, []), (3, ["correctness"])])
def test_drifted__three_that_all_flip_are_the_fewest(number: int, names: list[str]) -> None:
    """Two of two have a chance of (1 / 8)^2, above 0.01; three of three of (1 / 11)^3."""
    assert names == list(drifted(with_controls(check(*readings(LOW, LOW)[:number])), POLICY))
    assert (number >= FEWEST_CONTROLS) is bool(names)


def test_drifted__a_third_time_is_not_asked() -> None:
    """Two times decide, whatever a stranger's file has beyond; then nothing is in doubt."""
    twice, thrice = (
        with_controls(check(*readings(*some), rounds=len(some)))
        for some in ([LOW, LOW], [LOW, LOW, SAME])
    )

    assert ["correctness"] == list(drifted(thrice, POLICY))
    assert [None, None] == [doubt(twice, POLICY), doubt(thrice, POLICY)]


def test_examples__furthest_from_the_mean_of_their_own_rulings() -> None:
    """From 0.3 to 0 is further than from 0.75 to 0.5; what did not drift is no example."""
    low = readings([0.0] * 8, [0.0] * 8)[0]
    far = low.model_copy(update={"case_id": "z", "stored": (0.3,) * 3, "values": (0.0, 0.0)})
    calm = low.model_copy(update={"dimension": "relevance"})
    bare = low.model_copy(update={"stored": ()})
    shown = examples(with_controls(check(*readings(LOW, LOW), far, calm, bare)), POLICY)

    assert ["z", "c0", "c1"] == [one.case_id for one in shown]
    assert {"correctness"} == {one.dimension for one in shown}


def test_examples__the_last_ruling_counts() -> None:
    """Two moved by 0.5: one the second time, one the only time that it was judged."""
    *found, c6, c7 = readings(LOW, [0.5] * 7 + [0.25])
    once = c6.model_copy(update={"values": (0.25,)})
    shown = examples(with_controls(check(*found, once, c7)), POLICY)

    assert ["c6", "c7", "c0"] == [one.case_id for one in shown]


def test_examples__one_dimension_of_each_by_name() -> None:
    """Both moved as far; and a file may hold a case twice, here with other rulings of 0.75."""
    found = readings(LOW, LOW)
    other = [one.model_copy(update={"dimension": "relevance"}) for one in found]
    more = [one.model_copy(update={"stored": (0.75,) * 4}) for one in found]
    shown = examples(with_controls(check(*other, *found, *more)), POLICY)

    assert [(name, "correctness") for name in ("c0", "c1", "c2")] == [
        (one.case_id, one.dimension) for one in shown
    ]
