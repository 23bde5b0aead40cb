"""The line that leads from a comment to its run."""

from __future__ import annotations

import pytest

from gate.publish.run_link import LONGEST, run_link
from tests.unit.publish.publish_samples import occasion

PAGE = "https://github.com/o/r/actions/runs/1005/attempts/1"


def test_run_link__of_a_run_that_measured() -> None:
    """Its summary and its files are there."""
    assert f"[this run]({PAGE}): its summary and files" == run_link(occasion(), finished=True)
    assert f"[this run]({PAGE}): its log" == run_link(occasion(), finished=False)


def test_run_link__of_a_run_that_publishes_alone() -> None:
    """The files are another run's."""
    publishing = occasion(measured_run=(7, 1))

    assert f"[this run]({PAGE}): its summary" == run_link(publishing, finished=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://ghe.example:8443/git/o/r/actions/runs/1/attempts/1",
        "http://[::1]:80/o/r/actions/runs/1/attempts/1",
    ],
)
def test_run_link__of_other_servers(url: str) -> None:
    """A host of one's own has its own address."""
    assert f"[this run]({url}): its log" == run_link(occasion(run_url=url), finished=False)


@pytest.mark.parametrize(
    "url",
    [
        *("", "javascript:alert(1)", "https://github.com/o/r/actions/runs/1"),
        *(f"{PAGE})", f"{PAGE}\n", f"{PAGE} x", f"https://a.example/?{PAGE}", f"<{PAGE}>"),
        *(f"https://github.com/@org/team)/{PAGE}", f"https://{'a' * LONGEST}{PAGE[18:]}"),
    ],
)
def test_run_link__no_page_of_a_run(url: str) -> None:
    """What the runner does not say in this form is no link."""
    assert run_link(occasion(run_url=url), finished=True) is None
