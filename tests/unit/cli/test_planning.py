"""Before any call: a plan that could decide nothing is refused."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from gate.cli.planning import check_power, sampling_of
from gate.cli.reading import read_cases, read_config
from gate.cli.surroundings import seed_of
from gate.decision.baseline import baseline_text
from gate.decision.planning import PlanPower
from gate.engine.plan import Sampling
from gate.errors import PlanError
from gate.types import Calibration, Identity, Metric, Plan, Policy
from tests.loopback.action_samples import event, runner_environment
from tests.unit.decision.decision_samples import (
    EXACT,
    baseline_of,
    cell,
    columns,
    labelled,
    run_of,
)

PLAN = Plan(case_ids=tuple(f"case-{i:02d}" for i in range(24)))
"""24 cases."""

BOTH = PlanPower(can_fail=True, can_pass=True)


def stored(folder: Path, known: int) -> Path:
    """A baseline of the first cases, of one dimension without a judge."""
    base = run_of(columns([1.0] * known, metric="exact"), [EXACT])
    path = folder / "baseline.json"
    path.write_text(baseline_text(baseline_of(base)), "utf-8")
    return path


def test_sampling_of__neyman_needs_a_baseline_of_repeats(root: Path, tmp_path: Path) -> None:
    """Without one, or with one repeat, it is in proportion."""
    config = read_config(root / "gate.yaml", {})
    asked = replace(config, run=config.run.model_copy(update={"allocation": "neyman", "floor": 3}))
    cases = read_cases(config, root)

    assert Sampling(floor=3) == sampling_of(asked, cases, tmp_path / "none.json")
    assert Sampling(floor=3) == sampling_of(asked, cases, stored(tmp_path, 5))
    assert Sampling() == sampling_of(config, cases, root / "baseline.json")
    found = sampling_of(asked, cases, root / "baseline.json").spreads
    assert found is not None
    assert {one.category for one in cases} == set(found)


@pytest.mark.parametrize(
    ("env", "seed"),
    [
        ({}, "gate-v1"),
        ({"GITHUB_ACTIONS": "true"}, "gate-v1"),
    ],
)
def test_seed_of__outside_of_a_pull_request(env: dict[str, str], seed: str) -> None:
    """The gate's own."""
    assert seed == seed_of(env)


def test_seed_of__pull_request(tmp_path: Path) -> None:
    """The repository and the number, for the life of the pull request."""
    env = runner_environment(tmp_path, tmp_path, event())

    assert "octo/demo#7" == seed_of(env)


@pytest.mark.parametrize("known", [1, 3])
def test_check_power__baseline_of_too_few_of_the_cases(tmp_path: Path, known: int) -> None:
    """24 planned cases do not help where few of them can be compared: exit code 2, no call."""
    path = stored(tmp_path, known)
    with pytest.raises(PlanError, match=rf"scores of {known} of the 24 planned cases") as caught:
        check_power(PLAN, ["t"], None, path, Policy(), ["exact"])
    assert 2 == caught.value.exit_code


@pytest.mark.parametrize("targets", [["t"], ["t", "new"]])
def test_check_power__enough(tmp_path: Path, targets: list[str]) -> None:
    """A target that the baseline does not have can neither fail the run nor weaken the plan."""
    assert BOTH == check_power(PLAN, targets, None, stored(tmp_path, 24), Policy(), ["exact"])


def test_check_power__nothing_is_to_be_decided(tmp_path: Path) -> None:
    """Without a baseline, and for targets that it lacks, there are only numbers."""
    assert None is check_power(PLAN, ["t"], None, tmp_path / "none.json", Policy(), ["exact"])
    assert PlanPower(can_fail=False, can_pass=False) == check_power(
        PLAN, ["new"], None, stored(tmp_path, 3), Policy(), ["exact"]
    )


def test_check_power__licence_of_the_stand_in(tmp_path: Path) -> None:
    """Before the judge has replied its licence counts as unchanged, the stand-in's too."""
    judge = Identity(judge="loopback-judge-5 [text]", prompt="p1", scorer="s1")
    calibration = Calibration(
        sets=(labelled([[10, 1, 0], [1, 12, 2], [0, 2, 40]], identity=judge),)
    )
    path = tmp_path / "baseline.json"
    path.write_text(baseline_text(baseline_of(run_of(columns([1.0] * 3)))), "utf-8")
    with pytest.raises(PlanError, match="3 of the 24"):
        check_power(PLAN, ["t"], calibration, path, Policy(), ["correctness"])


def test_check_power__dimensions_that_are_not_measured_are_no_tests(tmp_path: Path) -> None:
    """A scorer set that leaves the baseline's dimension out has nothing to decide in it."""
    assert PlanPower(can_fail=False, can_pass=False) == check_power(
        PLAN, ["t"], None, stored(tmp_path, 3), Policy(), ["other"]
    )


def test_check_power__fewer_tests_need_fewer_cases(tmp_path: Path) -> None:
    """Seven cases and 13 tests can do neither; the one test of a scorer set can fail."""
    names = [f"exact{number}" for number in range(13)]
    cells = [cell("t", f"case-{i:02d}", {name: [1.0] for name in names}) for i in range(7)]
    base = run_of(cells, [Metric(name=name) for name in names])
    path = tmp_path / "baseline.json"
    path.write_text(baseline_text(baseline_of(base)), "utf-8")

    with pytest.raises(PlanError, match="13 tests"):
        check_power(PLAN, ["t"], None, path, Policy(), names)
    assert PlanPower(can_fail=True, can_pass=False) == check_power(
        PLAN, ["t"], None, path, Policy(), names[:1]
    )


@pytest.mark.parametrize(("of_one", "able"), [(3, None), (13, BOTH)])
def test_check_power__counts_clusters(tmp_path: Path, of_one: int, able: PlanPower | None) -> None:
    """24 cases of three documents can do neither, 24 of thirteen both: exit code 2, no call."""
    clusters = {case: f"doc{i % of_one}" for i, case in enumerate(PLAN.case_ids)}
    plan = PLAN.model_copy(update={"clusters": clusters})

    with nullcontext() if able else pytest.raises(PlanError, match="24 cases in 3 clusters and 1"):
        assert able == check_power(plan, ["t"], None, stored(tmp_path, 24), Policy(), ["exact"])
