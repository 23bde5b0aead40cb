"""May a judge's dimension fail a run?"""

from __future__ import annotations

import pytest

from gate.decision.calibration import OF_THIS_RUN, agreement_of, agreements, weaken
from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.errors import FileError
from gate.stats.agreement import cohen_kappa
from gate.types import Calibration, CalibrationItem, Commits, Identity, Policy, Run
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    EXACT,
    JUDGED_BY,
    RELEVANCE,
    baseline_of,
    columns,
    labelled,
    run_of,
)

FEW = [[2, 0, 0], [0, 0, 0], [1, 1, 20]]
"""22 of 24 agree: kappa 0.6308, lower bound 0.2511, 4 labels off (high, high)."""

MANY = [[10, 1, 0], [1, 12, 2], [0, 2, 40]]
"""68 labels: kappa above 0.8, with a narrow interval."""


def test_licence__many_labels_that_agree() -> None:
    """A kappa whose lower bound is above 0.4 is validated, with all its figures."""
    found = agreement_of(labelled(MANY), Policy(), JUDGED_BY)

    assert found.state == "validated"
    assert found.because == "kappa 0.84 is above 0.6, and its lower bound 0.74 above 0.4 (n 68)"
    assert (68, 28) == (found.n, found.off_modal)
    assert tuple(map(tuple, MANY)) == found.table
    assert found.agreement == pytest.approx(62 / 68)
    assert None not in (found.kappa, found.se, found.low, found.high, found.linear, found.quadratic)
    assert found.ac1 is not None


def test_licence__few_labels_with_a_kappa_above_the_bar() -> None:
    """0.63 on 24 skewed labels turns on one answer: provisional, and it says what is missing."""
    found = agreement_of(labelled(FEW), Policy(), JUDGED_BY)

    assert found.state == "provisional"
    assert found.kappa == pytest.approx(0.630769, abs=1e-6)
    assert found.lower_one_sided == pytest.approx(0.251, abs=1e-3)
    assert found.because == (
        "kappa 0.63 is above 0.6, but its lower bound 0.25 is not above 0.4: label about 41 more "
        "answers, low or med ones first; and only 4 of 24 labels lie off the most frequent pair "
        "and 5 are needed: label at least 1 more low or med answer"
    )


def test_licence__perfect_agreement_on_few_unusual_answers() -> None:
    """22 times high and 2 times med says little, though kappa is 1: (24 - 22) labels count."""
    found = agreement_of(labelled([[0, 0, 0], [0, 2, 0], [0, 0, 22]]), Policy(), JUDGED_BY)

    assert (found.state, found.kappa, found.se) == ("provisional", 1.0, 0.0)
    assert found.because == (
        "kappa 1.00 is above 0.6, but only 2 of 24 labels lie off the most frequent pair and 5 are "
        "needed: label at least 3 more low or med answers"
    )


def test_licence__a_bar_that_no_number_of_labels_reaches() -> None:
    """Where kappa itself is not above the lower bound's bar, no number is promised."""
    policy = Policy(min_kappa_lower=0.7)
    assert "label about many more answers" in agreement_of(labelled(FEW), policy, JUDGED_BY).because


def test_licence__point() -> None:
    """The bare kappa restores the plain rule, for loose labels too."""
    policy = Policy(licence="point")
    for bound in (True, False):
        found = agreement_of(labelled(FEW, bound=bound), policy, JUDGED_BY)
        assert found.state == "validated"
        assert found.because == (
            "kappa 0.63 (n 24) is above 0.6, and `licence: point` asks for no more"
        )


def test_licence__kappa_at_the_bar_is_not_above_it() -> None:
    """The bar is strict."""
    kappa = agreement_of(labelled(FEW), Policy(), JUDGED_BY).kappa or 0.0
    assert agreement_of(labelled(FEW), Policy(min_kappa=kappa), JUDGED_BY).state == "unvalidated"


def test_licence__judge_and_people_disagree() -> None:
    """A low kappa licenses nothing."""
    found = agreement_of(labelled([[2, 3, 4], [3, 2, 4], [4, 4, 6]]), Policy(), JUDGED_BY)

    assert found.state == "unvalidated"
    assert found.because.startswith("kappa -0.0")


@pytest.mark.parametrize(
    ("table", "who"),
    [
        ([[0, 0, 0], [0, 0, 0], [1, 2, 21]], "people gave"),
        ([[0, 0, 1], [0, 0, 2], [0, 0, 21]], "the judge gave"),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 24]], "people and the judge gave"),
    ],
)
def test_licence__constant_rater(table: list[list[int]], who: str) -> None:
    """One rating throughout cannot show agreement beyond chance, whatever kappa comes out as."""
    found = agreement_of(labelled(table), Policy(), JUDGED_BY)

    assert found.state == "undefined"
    assert found.because.startswith(f"{who} one rating throughout")


def test_licence__a_blind_judge_is_not_blamed_on_the_labels() -> None:
    """Labels help where people gave one rating; where the judge alone did, another judge does."""
    blind = agreement_of(labelled([[0, 0, 2], [0, 0, 3], [0, 0, 19]]), Policy(), JUDGED_BY)
    alike = agreement_of(labelled([[0, 0, 0], [0, 0, 0], [0, 0, 24]]), Policy(), JUDGED_BY)

    assert "mend the judge's prompt or take another judge" in blind.because
    assert "label answers" not in blind.because
    assert "label answers of all kinds, the bad ones first" in alike.because


def test_licence__both_constant_has_no_kappa() -> None:
    """Undefined is None, not 0 or 1."""
    found = agreement_of(labelled([[0, 0, 0], [0, 0, 0], [0, 0, 24]]), Policy(), JUDGED_BY)
    assert (found.kappa, found.lower_one_sided) == (None, None)


@pytest.mark.parametrize("part", ["judge", "prompt", "scorer"])
def test_licence__stale(part: str) -> None:
    """A known and other judge, prompt or scorer makes it stale; kappa still stands beside it."""
    now = JUDGED_BY.model_copy(update={part: "another"})
    found = agreement_of(labelled(MANY), Policy(licence="point"), now)

    assert found.state == "stale"
    assert found.because.startswith(f"{part} changed since")
    assert found.kappa is not None


@pytest.mark.parametrize(
    ("now", "lacks"),
    [
        (None, "judge, prompt and scorer are"),
        (Identity(), "judge, prompt and scorer are"),
        (JUDGED_BY.model_copy(update={"judge": None}), "judge is"),
        (JUDGED_BY.model_copy(update={"prompt": None}), "prompt is"),
        (JUDGED_BY.model_copy(update={"scorer": None}), "scorer is"),
    ],
)
@pytest.mark.parametrize(
    ("table", "policy"), [(MANY, Policy()), (FEW, Policy()), (MANY, Policy(licence="point"))]
)
def test_licence__run_of_an_unknown_judge(
    now: Identity | None, lacks: str, table: list[list[int]], policy: Policy
) -> None:
    """Labels of a known judge license weakly what may be another's, and it is said why."""
    found = agreement_of(labelled(table), policy, now)

    assert found.state == "unbound"
    assert f"; the run is one whose {lacks} not known: nothing says" in found.because


def test_licence__run_of_an_unknown_judge_is_noted_on_its_rows() -> None:
    """The gating row says that its licence is weak, and that it is for want of a judge's name."""
    run = run_of(columns([0.8] * 24), identities={})
    rules = Policy()
    licences = agreements(Calibration(sets=(labelled(MANY),)), run.metrics, run.identities, rules)
    comparison = compare(run, baseline_of(run), rules)
    verdict = decide(
        run,
        comparison,
        licences,
        rules,
        narrowed=False,
        seed="gate-v1",
        commits=Commits(),
        reproduce=[],
    )
    (row,) = verdict.comparisons

    assert (row.gating, row.trust.state) == (True, "unbound")
    assert row.note is not None
    assert row.note.startswith("provisional licence, fails a run only from a drop of 0.10: ")
    assert "the run is one whose judge, prompt and scorer are not known" in row.note


def test_licence__labels_of_an_unknown_judge() -> None:
    """The same the other way round, and both are named where both are unknown."""
    unknown = labelled(MANY, identity=Identity(judge=JUDGED_BY.judge, prompt="p1"))
    found = agreement_of(unknown, Policy(), JUDGED_BY)

    assert found.state == "unbound"
    assert "; the labels are of one whose scorer is not known" in found.because
    assert (
        "; the run is one whose judge, prompt and scorer are not known and the labels are of one "
        "whose scorer is not known"
    ) in agreement_of(unknown, Policy(), None).because


def test_licence__point_of_files_that_name_no_judge() -> None:
    """The bare kappa is what such files were always judged by; it is said all the same."""
    found = agreement_of(labelled(MANY, identity=Identity()), Policy(licence="point"), None)

    assert found.state == "validated"
    assert found.because.endswith(
        "the labels are of one whose judge, prompt and scorer are not known)"
    )


def test_licence__low_kappa_of_an_unknown_judge() -> None:
    """What licenses nothing is not made better by being unknown."""
    found = agreement_of(labelled([[2, 3, 4], [3, 2, 4], [4, 4, 6]]), Policy(), None)
    assert found.state == "unvalidated"


STAND_IN = JUDGED_BY.model_copy(update={"judge": "loopback-judge-513c [json_schema]"})


@pytest.mark.parametrize(
    ("judge", "now", "world", "state"),
    [
        (STAND_IN.judge, None, None, "unvalidated"),
        (STAND_IN.judge, Identity(prompt="p1", scorer="s1"), None, "unvalidated"),
        ("claude-x [text] + loopback-judge-5 [text]", None, None, "unvalidated"),
        (STAND_IN.judge, None, "steady", "unbound"),
        (STAND_IN.judge, STAND_IN, "steady", "validated"),
        (STAND_IN.judge, STAND_IN, None, "validated"),
        (STAND_IN.judge, JUDGED_BY, None, "stale"),
    ],
)
def test_licence__of_the_stand_in(
    judge: str, now: Identity | None, world: str | None, state: str
) -> None:
    """Labels of the loopback world's judge never license a run that may be of a real one."""
    of_stand_in = labelled(MANY, identity=STAND_IN.model_copy(update={"judge": judge}))
    for policy in (Policy(), Policy(licence="point")):
        found = agreement_of(of_stand_in, policy, now, world=world)
        assert state == found.state
        assert ("loopback world's stand-in" in found.because) is (state == "unvalidated")


def test_agreements__the_world_is_handed_on() -> None:
    """A stand-in's run whose judge never replied keeps its licence, and is not called real."""
    calibration = Calibration(sets=(labelled(MANY, identity=STAND_IN),))
    states = [
        agreements(calibration, [CORRECTNESS], {}, Policy(), world=world)[0].state
        for world in (None, "steady")
    ]
    assert states == ["unvalidated", "unbound"]


def test_weaken__only_what_is_validated() -> None:
    """Ratings of the judged run itself license provisionally, and say why; others stay."""
    given = [
        agreement_of(labelled(table), Policy(), now)
        for table, now in ((MANY, JUDGED_BY), (FEW, JUDGED_BY), (MANY, None))
    ]
    found = weaken(given)

    assert [one.state for one in found] == ["provisional", "provisional", "unbound"]
    assert found[0].because == f"{given[0].because}, but {OF_THIS_RUN}"
    assert found[1:] == tuple(given[1:])
    assert weaken(given, "so")[0].because.endswith(", but so")


def test_licence__labels_without_answers() -> None:
    """Loose labels are shown and license provisionally at best."""
    found = agreement_of(labelled(MANY, bound=False), Policy(), JUDGED_BY)

    assert found.state == "unbound"
    assert "68 of 68 labels name no answer" in found.because


@pytest.mark.parametrize(
    ("families", "judge_family", "state"),
    [
        (("claude",), None, "provisional"),
        (("Claude",), None, "provisional"),
        (("gemini",), None, "validated"),
        (("gemini",), "gemini", "provisional"),
        ((), "claude", "validated"),
    ],
)
def test_licence__drafted_by_the_judges_family(
    families: tuple[str, ...], judge_family: str | None, state: str
) -> None:
    """Labels drafted by the judge's own family are provisional at best."""
    found = agreement_of(
        labelled(MANY, drafted_by_families=families), Policy(), JUDGED_BY, judge_family
    )
    assert state == found.state
    assert ("the judge's own family" in found.because) is (state == "provisional")


def test_licence__drafted_by_an_unknown_judge() -> None:
    """Without a judge's name and family there is nothing to compare the drafter with."""
    unknown = labelled(MANY, drafted_by_families=("claude",), identity=Identity())
    assert "family" not in agreement_of(unknown, Policy(), None).because


def test_licence__score_outside_of_the_scale() -> None:
    """A calibration that was edited by hand is refused with what to do."""
    item = CalibrationItem(case_id="a", target="t", answer="d", human="low", judge=5.0)
    with pytest.raises(FileError, match=r"judge's score of 5 for a: .*gate kappa --write"):
        agreement_of(labelled([], items=(item,)), Policy(), JUDGED_BY)


def test_agreements__one_for_each_metric() -> None:
    """Metrics without a judge need none; a dimension without labels is unlabelled."""
    calibration = Calibration(sets=(labelled(MANY),))
    found = agreements(
        calibration, [EXACT, RELEVANCE, CORRECTNESS], {"correctness": JUDGED_BY}, Policy()
    )

    assert [one.state for one in found] == ["not_needed", "unlabelled", "validated"]
    assert [one.dimension for one in found] == ["exact", "relevance", "correctness"]


def test_agreements__the_judges_family_is_handed_on() -> None:
    """The run's judge family decides where the judge's name does not say it."""
    calibration = Calibration(sets=(labelled(MANY, drafted_by_families=("loopback",)),))
    found = agreements(
        calibration, [CORRECTNESS], {"correctness": JUDGED_BY}, Policy(), judge_family="loopback"
    )
    assert found[0].state == "provisional"


@pytest.mark.parametrize(("drafter", "state"), [("gemini", "provisional"), ("gpt", "validated")])
def test_agreements__every_family_of_a_panel_is_its_own(drafter: str, state: str) -> None:
    """Labels that any judge's family drafted license provisionally at best."""
    calibration = Calibration(sets=(labelled(MANY, drafted_by_families=(drafter,)),))
    run = Run(id="r", judge_family="claude", judge_families=("claude", "gemini"))
    found = agreements(
        calibration,
        [CORRECTNESS],
        {"correctness": JUDGED_BY},
        Policy(),
        judge_family=run.family_names,
    )
    assert state == found[0].state


@pytest.mark.parametrize("calibration", [None, Calibration(sets=(labelled([]),))])
def test_agreements__no_labels(calibration: Calibration | None) -> None:
    """No calibration, or an empty one, is unlabelled and says how to begin."""
    found = agreements(calibration, [CORRECTNESS], {}, Policy())

    assert (found[0].state, found[0].kappa, found[0].n) == ("unlabelled", None, 0)
    assert "rate answers (`gate label`)" in found[0].because


def test_licence__exactly_enough_labels_off_the_fullest_cell() -> None:
    """Five are enough."""
    table = [[3, 0, 0], [0, 2, 0], [0, 0, 40]]
    found = agreement_of(labelled(table), Policy(), JUDGED_BY)
    assert (found.state, found.off_modal) == ("validated", 5)


def test_licence__its_own_kappas_with_weights() -> None:
    """Linear and quadratic weights are two numbers, each that of its name."""
    found = agreement_of(labelled(MANY), Policy(), JUDGED_BY)

    assert cohen_kappa(MANY, "linear").value == found.linear
    assert cohen_kappa(MANY, "quadratic").value == found.quadratic
    assert found.linear != found.quadratic


def test_licence__a_lower_bound_at_the_bar_is_not_above_it() -> None:
    """Strict, as the bar of kappa itself."""
    bound = agreement_of(labelled(MANY), Policy(), JUDGED_BY).lower_one_sided
    assert bound is not None
    found = agreement_of(labelled(MANY), Policy(min_kappa_lower=bound), JUDGED_BY)

    assert "provisional" == found.state


@pytest.mark.parametrize(
    ("of_labels", "now", "family"),
    [("claude-x", None, None), (None, "claude-x", None), (None, None, "claude")],
)
def test_licence__drafts_of_the_judges_family_whoever_names_it(
    of_labels: str | None, now: str | None, family: str | None
) -> None:
    """The calibration, the run's identity, or the run itself may say what the judge is."""
    identity = JUDGED_BY.model_copy(update={"judge": of_labels})
    current = JUDGED_BY.model_copy(update={"judge": now})
    drafted = labelled(MANY, identity=identity, drafted_by_families=("other", "Claude"))
    found = agreement_of(drafted, Policy(), current, judge_family=family)

    assert "labels were drafted by Claude, the judge's own family" in found.because


def test_licence__rare_ratings_are_those_beside_the_fullest_pair() -> None:
    """Where most answers are low and the judge agrees, others are worth a label."""
    found = agreement_of(labelled([[20, 1, 1], [0, 0, 0], [0, 0, 2]]), Policy(), JUDGED_BY)

    assert "more med or high answer" in found.because
