"""The action's inputs: what is refused, and which command line the rest makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli import action_inputs
from gate.cli.action_inputs import (
    ACTION_COMMANDS,
    INPUTS,
    check_handed,
    check_inputs,
    command_line,
)
from gate.cli.main import COMMANDS
from gate.errors import ConfigError
from gate.types import Commits


@pytest.fixture(autouse=True)
def _workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace with a configuration in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.yaml").touch()


def words(**given: str) -> list[str]:
    """The command line of these inputs, underscores read as hyphens."""
    return command_line(check_inputs({key.replace("_", "-"): one for key, one in given.items()}))


def refused(**given: str) -> str:
    """What is said of these inputs."""
    with pytest.raises(ConfigError) as caught:
        words(**given)
    return str(caught.value)


def test_inputs__none_at_all() -> None:
    """A run with the configuration of the workspace."""
    assert ["run", "--config=gate.yaml", "--out=gate-out"] == words()


def test_inputs__of_a_refresh_and_of_what_proposes_it() -> None:
    """The reason is one value, whatever stands in it; a proposal takes none."""
    assert [
        *("refresh", "--config=gate.yaml", "--out=refresh", "--repeats=5", "--reason=--yes $(x)"),
        *("--", "gate-out/run.json"),
    ] == words(
        command="refresh", path="gate-out/run.json", out="refresh", repeats="5", reason="--yes $(x)"
    )
    assert ["propose", "--config=gate.yaml", "--repeats=5", "--", "refresh"] == words(
        command="propose", out="refresh", repeats="5"
    )
    assert "means nothing to `command: propose`" in refused(command="propose", reason="x")


def test_inputs__all_of_a_run() -> None:
    """Each becomes its option, joined, so that no value is taken for another option."""
    assert [
        *("run", "--config=base/gate.yaml", "--base-path=base", "--out=o/x", "--sample=12"),
        *("--seed=--yes", "--target=a", "--target=b c", "--scorer=quick", "--repeats=3"),
        *("--max-cost=2.50", "--baseline=b.json", "--on-inconclusive=fail", "--report-only"),
        *("--offline=wrong", "--replay=j.sqlite"),
    ] == words(
        base_path="base",
        out="o/x",
        sample="12",
        seed="--yes",
        targets="a, b c\n",
        scorers="quick",
        repeats="3",
        max_cost="2.50",
        baseline="b.json",
        on_inconclusive="fail",
        report_only="true",
        offline="wrong",
        replay="j.sqlite",
    )


def test_inputs__two_trees_of_which_the_workspace_is_one() -> None:
    """The base is named then, too: the configuration has its name from there in both."""
    Path("apps/a").mkdir(parents=True)
    Path("apps/a/gate.yaml").touch()

    assert [
        *("run", "--config=apps/a/gate.yaml", "--base-path=.", "--out=gate-out"),
        "--candidate-path=candidate",
    ] == words(config="apps/a/gate.yaml", candidate_path="candidate")


def test_inputs__the_world_by_default() -> None:
    """`true` is the world that answers well."""
    assert "--offline" in words(offline="true")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"command": "collect"}, ["collect", "--config=gate.yaml", "--out=gate-out"]),
        (
            {"command": "judge", "path": "a.json"},
            ["judge", "--config=gate.yaml", "--out=gate-out", "--", "a.json"],
        ),
        (
            {"command": "compare"},
            ["compare", "--config=gate.yaml", "--out=gate-out", "--", "gate-out/run.json"],
        ),
        (
            {"command": "baseline", "baseline": "b.json", "path": "a.json\n-b.json"},
            ["baseline", "--write=b.json", "--", "a.json", "-b.json"],
        ),
        ({"command": "estimate"}, ["estimate", "--config=gate.yaml"]),
        (
            {"command": "publish", "comment": "new", "pull_request": "7"},
            [
                *("publish", "--config=gate.yaml", "--comment=new", "--pull-request=7", "--"),
                "gate-out",
            ],
        ),
    ],
)
def test_inputs__of_each_command(given: dict[str, str], expected: list[str]) -> None:
    """What it reads, unless told, lies in the folder of `out`."""
    assert expected == words(**given)


def test_inputs__commits_where_the_command_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are known."""
    flags = frozenset({"--config", "--head-sha", "--evaluated-sha"})
    monkeypatch.setattr(action_inputs, "flags_of", lambda _: flags)
    commits = Commits(base="2" * 40, head="1" * 40)

    assert ["run", "--config=gate.yaml", f"--head-sha={'1' * 40}"] == command_line(
        check_inputs({}), commits
    )


def test_inputs__compare_does_without_a_configuration() -> None:
    """The default must not be in its way where there is no such file."""
    Path("gate.yaml").unlink()

    assert ["compare", "--out=gate-out", "--", "gate-out/run.json"] == words(command="compare")


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("command", "rum", "one of run, collect"),
        ("sample", "-3", "`full` or a number"),
        ("sample", "all", "`full` or a number"),
        ("repeats", "0", "a number from 1 on"),
        ("max_cost", "nan", "US dollars"),
        ("max_cost", "-1", "US dollars"),
        ("report_only", "yes", "one of true, false"),
        ("on_inconclusive", "warn", "one of pass, fail"),
        ("comment", "never", "one of update, new, on-change, off, required"),
        ("pull_request", "7/8", "a number"),
        ("seed", "a\nb", "on one line"),
        ("seed", "x\0", "on one line"),
    ],
)
def test_inputs__a_wrong_value(name: str, value: str, allowed: str) -> None:
    """The runner checks nothing: input, value and what is allowed are named here."""
    said = refused(**{name: value})

    assert f"`{name.replace('_', '-')}`" in said
    assert repr(value) in said
    assert allowed in said


def test_inputs__a_command_of_another_day() -> None:
    """It says which there are."""
    missing = [name for name in ACTION_COMMANDS if name not in COMMANDS]

    for name in missing:
        assert "does not have yet: it has run, collect" in refused(command=name)


@pytest.mark.parametrize(
    "given",
    [
        {"command": "compare", "sample": "3"},
        {"command": "collect", "baseline": "b.json"},
        {"command": "baseline", "baseline": "b.json", "config": "other.yaml"},
        {"command": "run", "path": "x"},
        {"command": "run", "pull_request": "7"},
    ],
)
def test_inputs__what_the_command_does_not_take(given: dict[str, str]) -> None:
    """Asked for and not done would be missed by nobody."""
    assert "means nothing to `command:" in refused(**given)


def test_inputs__a_baseline_needs_a_name() -> None:
    """What is written must be named."""
    assert "write `baseline: baseline.json`" in refused(command="baseline")


def test_inputs__one_file_of_a_command_that_reads_one() -> None:
    """A list is for `baseline` alone."""
    assert "names 2 files" in refused(command="compare", path="a\nb")


@pytest.mark.parametrize("out", ["/etc", "../x", "a/../../x", "."])
def test_inputs__out_stays_in_the_workspace(out: str) -> None:
    """It is a folder below it."""
    assert "below the workspace" in refused(out=out)


def test_inputs__out_is_no_link(tmp_path: Path) -> None:
    """A pull request could commit one that leads into the runner's own files."""
    (tmp_path / "gate-out").symlink_to("/tmp")

    assert "is a link" in refused()


def test_inputs__names_are_unlike() -> None:
    """Also as the runner spells them."""
    assert len(INPUTS) == len({one.name.upper() for one in INPUTS})


def test_inputs__a_label_that_accepts() -> None:
    """The action itself looks for it where a run decides; `publish` is told."""
    label = {"accept_label": "ship it"}

    assert "--accept-label=ship it" in words(command="publish", **label)
    assert words(command="compare") == words(command="compare", **label)
    with pytest.raises(ConfigError, match="accept-label"):
        words(command="collect", **label)


def test_inputs__of_a_part_and_of_the_whole(tmp_path: Path) -> None:
    """A run takes its part; what was downloaded side by side is put together."""
    made = words(shard="2/4", reuse="judged/journal.sqlite")
    assert {"--shard=2/4", "--reuse=judged/journal.sqlite"} < set(made)
    for name in ("gate-part-1", "gate-part-0"):
        (tmp_path / "parts" / name).mkdir(parents=True)
        (tmp_path / "parts" / name / "run.json").touch()
    (tmp_path / "parts" / "failed").mkdir()

    whole = ["merge", "--output=gate-out/run.json", "--", "parts/gate-part-0", "parts/gate-part-1"]
    assert whole == words(command="merge")
    assert whole == words(command="merge", path="parts")
    assert "no folder with a run.json" in refused(command="merge", path="elsewhere")
    assert "a part of the plan, such as 1/2" in refused(shard="1of2")
    assert "below the workspace, such as judged/journal.sqlite" in refused(reuse="../j.sqlite")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("judge", "the job that collects left no answers: gate-out/answers.json is not here"),
        ("compare", "the job that measures left no run: gate-out/run.json is not here"),
        ("baseline", "the job that measures left no run: gate-out/run.json is not here"),
        ("refresh", "the job that measures left no run: gate-out/run.json is not here"),
        ("publish", "the job that measures left no results: gate-out is not here"),
        ("propose", "the job that refreshes the baseline left no change: gate-out is not here"),
    ],
)
def test_handed__another_job_left_nothing(command: str, said: str) -> None:
    """It is that job's log that says why."""
    with pytest.raises(ConfigError) as caught:
        check_handed(check_inputs({"command": command, "baseline": "b.json"}))

    assert str(caught.value).startswith(said)
    assert "Its log says why" in str(caught.value)


def test_handed__what_the_input_names() -> None:
    """A folder stands for the file in it; of several the one that is missing is named."""
    Path("parts/1").mkdir(parents=True)
    Path("parts/1/run.json").touch()
    given = {"command": "refresh", "path": "parts/1\nparts/2/run.json"}

    check_handed(check_inputs({"command": "compare", "path": "parts/1"}))
    check_handed(check_inputs({"command": "run"}))
    with pytest.raises(ConfigError, match=r"parts/2/run\.json is not here"):
        check_handed(check_inputs(given))
    with pytest.raises(ConfigError, match=r"parts/1/answers\.json is not here"):
        check_handed(check_inputs({"command": "judge", "path": "parts/1"}))
