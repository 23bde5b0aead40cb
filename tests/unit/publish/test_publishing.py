"""A report shown everywhere: the order, and what a failure changes (nothing)."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest

from gate.errors import CallError
from gate.publish.publishing import NO_FILES, Place, Posted, RunnerFiles, post, publish, warn
from gate.publish.summary import summary_text
from gate.types import Report
from tests.unit.publish.publish_fakes import OCCASION, Answer, FakeHost, FakeRunner
from tests.unit.reports.hostile import hostile
from tests.unit.reports.report_samples import REGRESSION, REPORTS

PLACE = Place(PurePath("gate-out"), {"run.json"}, "evals/cases.yaml", {"ferry-fare": 30})


@pytest.fixture
def runner(tmp_path: Path) -> FakeRunner:
    """A runner that listens."""
    return FakeRunner(tmp_path)


def shown(runner: FakeRunner, host: FakeHost, report: Report = REGRESSION) -> Posted:
    """Publish to both."""
    return publish(
        report, PLACE, runner.files, lambda: post(report, OCCASION, host.doors, "update")
    )


def test_publish__everywhere(runner: FakeRunner) -> None:
    """Summary, outputs, annotations, status and comment tell the same verdict."""
    host = FakeHost()
    posted = shown(runner, host)

    assert () == posted.warnings
    assert posted.commented
    assert REGRESSION.verdict.headline.split("(")[0] in runner.summary
    assert ("regression", "1") == (runner.outputs["status"], runner.outputs["exit-code"])
    assert posted.url == runner.outputs["comment-url"]
    assert [("gate", REGRESSION.verdict)] == host.statuses
    assert "Regression: correctness fell" in host.bodies[0][0]
    assert ["error"] == [one.name for one in runner.commands if one.properties.get("line")]


def test_publish__the_host_comes_last(runner: FakeRunner) -> None:
    """What a runner kills meanwhile is published as far as it can be without the host."""

    def network() -> Posted:
        assert "regression" == runner.outputs["status"]
        assert runner.summary
        assert runner.commands
        return Posted()

    publish(REGRESSION, PLACE, runner.files, network)

    assert "comment-url" not in runner.outputs


@pytest.mark.parametrize(
    "answer", [Answer(None, "403: read only"), CallError("403: read only", status=403)]
)
def test_publish__a_comment_that_cannot_be_posted(
    runner: FakeRunner, answer: Answer | Exception
) -> None:
    """A warning that says where the text is."""
    posted = shown(runner, FakeHost(answer=answer))

    (warning,) = posted.warnings
    assert not posted.commented
    assert "403: read only" in warning
    assert "comment.md" in warning
    assert warning in [one.text for one in runner.commands if one.name == "warning"]
    assert "regression" == runner.outputs["status"]


@pytest.mark.parametrize("refusal", ["403: no", CallError("403: no", status=403)])
def test_publish__a_status_that_cannot_be_set(runner: FakeRunner, refusal: str | Exception) -> None:
    """The comment is posted all the same."""
    host = FakeHost(refusal=refusal)
    posted = shown(runner, host)

    assert ("Commit status: 403: no.",) == posted.warnings
    assert 1 == len(host.bodies)


def test_publish__files_that_cannot_be_written(tmp_path: Path) -> None:
    """Each is a warning, and the host is told."""
    host, gone = FakeHost(), tmp_path / "gone" / "file"
    posted = publish(
        REGRESSION,
        PLACE,
        RunnerFiles(gone, gone),
        lambda: post(REGRESSION, OCCASION, host.doors, "update"),
    )

    assert ["The job summary could", "The outputs could not", "The output comment-ur"] == [
        one[:21] for one in posted.warnings
    ]
    assert 1 == len(host.bodies)


def test_publish__outside_of_a_workflow() -> None:
    """Nobody listens; nothing is written."""
    assert Posted() == publish(REGRESSION, PLACE, NO_FILES, Posted)


def test_post__no_comment_is_wanted() -> None:
    """The status is set."""
    host = FakeHost()
    posted = post(REGRESSION, OCCASION, host.doors, "off")

    assert (True, [], 1) == (posted.commented, host.bodies, len(host.statuses))


def test_post__no_pull_request() -> None:
    """A push has a commit, and nowhere to comment."""
    host = FakeHost()
    pushed = OCCASION.model_copy(update={"pull_request": None})
    posted = post(REGRESSION, pushed, host.doors, "update")

    assert (False, [], 1) == (posted.commented, host.bodies, len(host.statuses))


def test_post__a_fork_sets_no_status() -> None:
    """Who made the numbers must not be able to turn a required check green."""
    host = FakeHost()
    post(REGRESSION, OCCASION.model_copy(update={"from_fork": True}), host.doors, "update")

    assert (1, []) == (len(host.bodies), host.statuses)


def test_warn__two_annotations_at_most(runner: FakeRunner) -> None:
    """The runner keeps ten, and the cases have eight."""
    warn(["one", "two", "three"], runner.files)

    assert ["one", "two\nthree"] == [one.text for one in runner.commands]


@pytest.mark.parametrize("status", REPORTS)
def test_publish__hostile_texts_reach_no_grammar(runner: FakeRunner, status: str) -> None:
    """Neither the log nor the outputs hold anything but what was meant."""
    report = hostile(REPORTS[status])
    shown(runner, FakeHost(answer=Answer(None, "::error::x\n##[error]y")), report)

    assert {one.name for one in runner.commands} <= {"error", "warning", "notice"}
    assert report.verdict.status == runner.outputs["status"]


def test_summary__is_small_enough() -> None:
    """And names the stand-in world."""
    text = summary_text(hostile(REPORTS["report"]))

    assert len(text.encode()) < 900_000
    assert "Stand-in" in text
