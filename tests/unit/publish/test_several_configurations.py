"""Several configurations on one pull request: what tells them apart is their name."""

from __future__ import annotations

from gate.publish.comment import publish_comment
from gate.publish.status import publish_status
from gate.types import Verdict
from tests.unit.publish.publish_samples import FakeHost, body_of, occasion

PASSED = Verdict.model_validate({"status": "pass", "exit_code": 0, "headline": "all is well"})


def published(*names: str) -> FakeHost:
    """A host on which a run of each name was published, one after another."""
    host = FakeHost()
    for number, name in enumerate(names, 1):
        here = occasion(number)
        publish_comment(host, here, name, name, mode="update", state=None, status="pass")
        publish_status(host, here, name, PASSED)
    return host


def test_configurations__have_a_comment_and_a_status_each() -> None:
    """As `docs/anywhere.md` promises to repositories with several gates."""
    host = published("search", "assistant", "search")

    assert ["search", "assistant"] == [body_of(one.body) for one in host.rows.values()]
    assert {"kappagate / search", "kappagate / assistant"} == {
        status.context for _, status in host.statuses_set
    }


def test_configurations__of_one_name_share_them() -> None:
    """So each needs a name of its own."""
    host = published("default", "default")

    assert 1 == len(host.rows)
    assert 1 == len({status.context for _, status in host.statuses_set})
