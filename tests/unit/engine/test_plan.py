"""The plan: which cases, in which order, how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from gate.engine.plan import (
    Sampling,
    Shard,
    choose_cases,
    make_jobs,
    make_plan,
    new_run_id,
    parts_of,
    run_identity,
)
from gate.errors import ConfigError
from gate.types import Case, Plan
from gate.wire.journal_identity import differing, write_identity
from tests.fakes import case

CASES = [case(f"c{number:02}", "abc"[number % 3]) for number in range(12)]


def test_choose_cases__file_order_does_not_matter() -> None:
    """The hash decides, not the order in the file."""
    forward = choose_cases(CASES, sample=6, seed="s")

    assert forward == choose_cases(CASES[::-1], sample=6, seed="s")
    assert [2, 2, 2] == [sum(one.category == name for one in forward) for name in "abc"]


def test_choose_cases__another_seed_takes_others() -> None:
    """A sample that every seed shares would be no sample."""
    samples = {
        tuple(sorted(one.id for one in choose_cases(CASES, sample=6, seed=str(seed))))
        for seed in range(20)
    }

    assert len(samples) > 5


def test_choose_cases__larger_than_the_dataset_is_all() -> None:
    """Nothing is invented."""
    assert {one.id for one in CASES} == {one.id for one in choose_cases(CASES, sample=99, seed="s")}


def test_choose_cases__unknown_id_is_refused_with_the_known_ones() -> None:
    """A filter that matches nothing must not look like a clean run."""
    with pytest.raises(ConfigError, match=r"--case c99: .* it has c00, c01"):
        choose_cases(CASES, sample=None, seed="s", only=["c99"])


def _held(*numbers: int) -> list[Case]:
    return [
        one.model_copy(update={"tags": ("must-include",)}) if place in numbers else one
        for place, one in enumerate(CASES)
    ]


def test_choose_cases__must_include_is_in_every_sample() -> None:
    """Whatever the seed; the others are sampled by category into what room is left."""
    for seed in "stuvw":
        ids = [one.id for one in choose_cases(_held(0, 3, 6), sample=7, seed=seed)]

        assert 7 == len(ids)
        assert {"c00", "c03", "c06"} <= set(ids)


def test_choose_cases__sample_without_room_for_what_it_must_hold() -> None:
    """It says how many are needed."""
    with pytest.raises(ConfigError, match=r"3 cases have the tag `must-include`.*3 at least"):
        choose_cases(_held(0, 3, 6), sample=2, seed="s")


def test_make_plan__weights_of_a_sample() -> None:
    """Each case stands for as many as its category has to it; must-include stands for itself."""
    cases = _held(0)
    chosen = choose_cases(cases, sample=7, seed="s", sampling=Sampling(floor=1))
    plan = make_plan(cases, chosen, seed="s", sample=7, repeats=1, narrowed=False)

    assert ("must-include", 1.0) == plan.weights["c00"]
    assert [("must-include", 1, True), ("a", 3, False)] == [
        (one.name, one.total, one.must_include) for one in plan.strata[:2]
    ]
    assert pytest.approx(12.0) == sum(weight for _, weight in plan.weights.values())
    assert {"c00", *(one.id for one in chosen)} == set(plan.weights)
    early = plan.finished(tuple(sorted(plan.case_ids)[:3]), 7)
    assert set(early.case_ids) == set(early.weights)
    assert 0.0 in [one.weight for one in early.strata]


def test_make_plan__full_set_and_chosen_by_hand_have_no_strata() -> None:
    """There each case stands for itself."""
    for chosen, narrowed in ((CASES, False), (CASES[:2], True)):
        plan = make_plan(CASES, chosen, seed="s", sample=None, repeats=1, narrowed=narrowed)
        assert {} == plan.weights


def test_choose_cases__neyman_asks_where_noise_is() -> None:
    """The plan says so."""
    sampling = Sampling(spreads={"a": 0.5, "b": 0.05, "c": 0.05})
    chosen = choose_cases(CASES, sample=8, seed="s", sampling=sampling)

    assert [4, 2, 2] == [sum(one.category == name for one in chosen) for name in "abc"]
    plan = make_plan(
        CASES, chosen, seed="s", sample=8, repeats=1, narrowed=False, sampling=sampling
    )
    assert "neyman" == plan.allocation


@pytest.mark.parametrize("held", [(), (0, 3, 6, 9, 1)])
def test_parts_of__nested_and_by_category(held: tuple[int, ...]) -> None:
    """A third, two thirds, all: each look holds its share of every category."""
    cases = _held(*held)
    parts = parts_of(cases, 3, seed="s")

    assert sorted(one.id for one in cases) == sorted(one.id for part in parts for one in part)
    assert {one.id for one in cases if one.must_include} <= {one.id for one in parts[0]}
    if not held:
        assert [6, 2, 4] == [len(part) for part in parts] or [4, 4, 4] == [len(p) for p in parts]
    assert (tuple(choose_cases(cases, sample=None, seed="s")),) == parts_of(cases, 1, seed="s")


def test_choose_cases__sample_of_none_is_refused() -> None:
    """A run of nothing decides nothing."""
    with pytest.raises(ConfigError, match="at least one case"):
        choose_cases(CASES, sample=0, seed="s")


def test_make_plan__full_set_has_no_sample() -> None:
    """A sample as large as the dataset is the full set."""
    plan = make_plan(CASES, CASES, seed="s", sample=12, repeats=1, narrowed=False)

    assert plan.sample is None
    assert plan.total == 12


def test_make_plan__names_the_whole_dataset() -> None:
    """A later comparison tells a deleted case from one outside of the sample."""
    plan = make_plan(CASES[::-1], CASES[:2], seed="s", sample=2, repeats=1, narrowed=False)

    assert tuple(f"c{number:02}" for number in range(12)) == plan.dataset
    assert ("c00", "c01") == plan.case_ids


def test_make_jobs__first_attempts_come_first() -> None:
    """A run that ends early has whole cases."""
    jobs = make_jobs(CASES[:2], ["a", "b"], 2)

    assert [0, 0, 0, 0, 1, 1, 1, 1] == [job.attempt for job in jobs]
    assert ["c00", "c00", "c01", "c01"] == [job.case.id for job in jobs[:4]]


def test_run_identity__names_what_differs() -> None:
    """Each part of what a resumed run must share has words of its own."""
    cases = [case("a"), case("b")]
    plan = make_plan(cases, cases, seed="s", sample=None, repeats=1, narrowed=False)

    def parts(**change: Any) -> Mapping[str, str]:
        asked: dict[str, Any] = {
            "plan": plan,
            "cases": cases,
            "targets": {"flash": "1"},
            "scorers": {"relevance": "p s"},
            "world": None,
        }
        return run_identity(**{**asked, **change})

    def differ(**change: Any) -> set[str]:
        before, after = parts(), parts(**change)
        return {name for name in {*before, *after} if before.get(name) != after.get(name)}

    assert set() == differ()
    assert {"the settings of target flash"} == differ(targets={"flash": "2"})
    assert {"the settings of target flash", "the settings of target pro"} == differ(
        targets={"pro": "1"}
    )
    assert {"the scorer of relevance"} == differ(scorers={"relevance": "p t"})
    assert {"the loopback world"} == differ(world="steady")
    assert {"the text of the cases"} == differ(cases=[case("a"), case("c")])
    assert {"the plan's repeats"} == differ(plan=plan.model_copy(update={"repeats": 2}))
    assert {"which cases are asked"} == differ(plan=plan.model_copy(update={"case_ids": ("a",)}))


def test_shard__the_parts_are_the_whole() -> None:
    """Every case stands in one part, and parts differ in size by one at most."""
    parts = [Shard(number, 5).part_of(CASES) for number in range(1, 6)]

    assert {one.id for one in CASES} == {one.id for part in parts for one in part}
    assert [3, 3, 2, 2, 2] == [len(part) for part in parts]


@pytest.mark.parametrize(
    "text", ["0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "-1/2", "1/ 2", "\u0661/2"]
)
def test_shard__what_is_no_part(text: str) -> None:
    """The message shows how to write it."""
    with pytest.raises(ConfigError, match="write I/N, such as 1/4"):
        Shard.parse(text)


def test_new_run_id__is_a_safe_file_name() -> None:
    """Colons break archives and other systems."""
    assert "20261130T051500Z-e3b0c4" == new_run_id("2026-11-30T05:15:00+00:00", b"")


def _plan(of: Sequence[Case], asked: Sequence[Case] = (), sample: int | None = None) -> Plan:
    return make_plan(of, asked or of, seed="s", sample=sample, repeats=1, narrowed=False)


def test_run_identity__fewer_cases_are_no_other_texts() -> None:
    """Only what differs is named: a sample of the same dataset changes no text."""
    cases = [case("a"), case("b")]

    def told(asked: Sequence[Case], of: Sequence[Case], sample: int | None) -> str:
        plan = _plan(of, asked, sample)
        return write_identity(run_identity(plan, asked, {}, {}, None))

    whole = told(cases, cases, None)
    other = [case("a"), case("c")]

    assert ("the plan's sample", "which cases are asked") == differing(
        whole, told(cases[:1], cases, 1)
    )
    assert ("the text of the cases",) == differing(
        whole, write_identity(run_identity(_plan(cases), other, {}, {}, None))
    )


def test_make_plan__says_which_cases_are_required_and_which_belong_together() -> None:
    """The decision reads the plan, not the dataset; cases outside of a sample count as well."""
    marked = [
        CASES[1].model_copy(update={"tags": ("slow", "required")}),
        CASES[0].model_copy(update={"cluster": "atlas"}),
    ]
    plan = make_plan(marked, marked[:1], seed="s", sample=1, repeats=1, narrowed=False)

    assert ("c01",) == plan.required
    assert {"c00": "atlas"} == plan.clusters
