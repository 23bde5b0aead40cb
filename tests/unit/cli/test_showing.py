"""The host gets its time, and no more once a signal came; and where the cases stand."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path, PurePath

import pytest

from gate.cli.reading import read_config
from gate.cli.showing import NOTHING_POSTED, Audience, in_time, place_of, runner_files, show_report
from gate.cli.signals import Signals
from gate.errors import CredentialsError
from gate.publish.publishing import NO_FILES, Place, Posted
from tests.unit.publish.publish_fakes import OCCASION
from tests.unit.reports.report_samples import REGRESSION


def test_in_time__what_comes_in_time() -> None:
    """It is what was posted."""
    assert Posted("url", commented=True) == in_time(
        lambda: Posted("url", commented=True), Signals()
    )


def test_in_time__a_host_that_does_not_answer() -> None:
    """A warning; nobody waits longer."""
    never = threading.Event()
    posted = in_time(lambda: Posted(str(never.wait(20))), Signals(), patience_s=0.1)
    never.set()

    assert ("Posting failed: the host did not answer in 0.1 seconds",) == posted.warnings


@pytest.mark.parametrize("before", [True, False])
def test_in_time__a_signal_shortens_it(before: bool) -> None:  # noqa: FBT001 - a case
    """Whether it came before or meanwhile."""
    signals, never = Signals(), threading.Event()
    began = time.monotonic()
    with signals.held():
        if before:
            signals.handle(signal.SIGTERM, None)
        else:
            threading.Timer(0.1, lambda: signals.handle(signal.SIGTERM, None)).start()
        posted = in_time(lambda: Posted(str(never.wait(20))), signals, brief_s=0.2)
    never.set()

    assert ("Posting failed: the host did not answer in 0.2 seconds",) == posted.warnings
    assert time.monotonic() - began < 5


def test_in_time__what_nobody_foresaw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours changes no verdict."""
    monkeypatch.chdir(tmp_path)

    def work() -> Posted:
        raise RuntimeError("::error::x")

    (warning,) = in_time(work, Signals()).warnings

    assert warning.startswith("Posting failed: unforeseen RuntimeError: ::error::x")
    assert "\n" not in warning


def test_show__no_way_to_the_host() -> None:
    """It is said once."""
    audience = Audience(OCCASION, lambda: None, NO_FILES, "update")
    posted = show_report(REGRESSION, Place(PurePath("x")), audience, Signals())

    assert Posted(warnings=(NOTHING_POSTED,)) == posted


def test_show__a_host_that_cannot_be_opened() -> None:
    """Its sentence is the warning."""

    def opened() -> None:
        raise CredentialsError("the token is refused: give it pull-requests: write")

    audience = Audience(OCCASION, opened, NO_FILES, "update")
    (warning,) = show_report(REGRESSION, Place(PurePath("x")), audience, Signals()).warnings

    assert "the token is refused" in warning


def test_show__outside_of_a_workflow() -> None:
    """Nobody is told, and nothing is missing."""
    audience = Audience(None, lambda: None, NO_FILES, "update")

    assert Posted() == show_report(REGRESSION, Place(PurePath("x")), audience, Signals())


def test_runner_files__as_the_environment_has_them() -> None:
    """Log commands are for a runner alone."""
    inside = runner_files({"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": "/o"})

    assert (Path("/o"), None) == (inside.output, inside.summary)
    assert inside.say is not None
    assert NO_FILES == runner_files({"GITHUB_OUTPUT": ""})


GATE = "schema: 1\ndataset: {path: evals/cases.yaml}\ntargets: {a: {use: recorded}}\n"


def tree(root: Path, cases: str) -> Path:
    """A checkout with a configuration in a folder of its own."""
    (root / "search" / "evals").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "search" / "gate.yaml").write_text(GATE)
    (root / "search" / "evals" / "cases.yaml").write_text(cases)
    return root / "search"


def test_place__of_the_cases(tmp_path: Path) -> None:
    """The file as its repository names it, and the line of each case."""
    root = tree(tmp_path / "base", "- id: one\n  query: x\n- id: two\n  query: y\n")
    config = read_config(root / "gate.yaml", {})
    place = place_of(tmp_path / "none", config, root)

    assert ("search/evals/cases.yaml", {"one": 1, "two": 3}) == (place.cases_file, place.lines)


def test_place__lines_are_the_candidates(tmp_path: Path) -> None:
    """The host shows them beside the pull request's file."""
    root = tree(tmp_path / "base", "- id: one\n  query: x\n")
    tree(tmp_path / "head", "# more\n\n- id: one\n  query: x\n")
    config = read_config(root / "gate.yaml", {})
    theirs = tmp_path / "head", PurePath("search")

    assert {"one": 3} == place_of(tmp_path, config, root, theirs).lines


@pytest.mark.parametrize("fault", ["link", "text"])
def test_place__a_candidate_that_is_not_believed(tmp_path: Path, fault: str) -> None:
    """A link that leaves its tree is not followed; a file that is no list is passed over."""
    root = tree(tmp_path / "base", "- id: one\n  query: x\n")
    file = tree(tmp_path / "head", "nothing: 1\n") / "evals" / "cases.yaml"
    if fault == "link":
        file.unlink()
        (tmp_path / "outside.yaml").write_text("\n\n- id: one\n  query: x\n")
        file.symlink_to(tmp_path / "outside.yaml")
    config = read_config(root / "gate.yaml", {})
    theirs = tmp_path / "head", PurePath("search")

    assert {"one": 1} == place_of(tmp_path, config, root, theirs).lines
