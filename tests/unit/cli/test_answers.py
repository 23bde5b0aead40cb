"""What a file of answers says of itself is not believed unseen."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gate.cli.answers import read_answers, tell_end
from gate.errors import FileError
from gate.types import Failure, Run

NOW = datetime(2026, 7, 12, tzinfo=UTC)


def written(place: Path, **more: Any) -> Path:
    """A file with one answer."""
    answer = {"case_id": "c1", "answer": {"text": "yes"} | more.pop("answer", {})}
    answer |= more.pop("one", {})
    path = place / "answers.json"
    path.write_text(json.dumps({"schema": 1, "answers": [answer], **more}), "utf-8")
    return path


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"provenance": {"created": "yesterday"}}, "`provenance.created` that is no time"),
        ({"provenance": {"created": ""}}, "`provenance.created` that is no time"),
        ({"provenance": {"created": "2026-02-30T00:00:00+00:00"}}, "that is no time"),
        ({"provenance": {"created": "2026-07-14"}}, "was made in the future (2026-07-14T00:00:00"),
        ({"provenance": {"created": "9999-12-31T23:59:59-23:59"}}, "was made in the future"),
        ({"provenance": {"created": 20260712}}, "provenance.created: Input should be a valid str"),
        ({"id": 7}, "id: Input should be a valid string"),
        ({"id": ""}, "`id` that is none of a run"),
        ({"id": "../../run\n::error::"}, "`id` that is none of a run"),
        ({"cost": {"assumed_usd": -1.0}}, "has a cost below 0"),
        ({"cost": {"calls": -1}}, "has a cost below 0"),
        ({"answer": {"latency_s": -5}}, "case c1 has latency_s -5: a number from 0 to 1e+15"),
        ({"answer": {"latency_s": 1e300}}, "case c1 has latency_s 1e+300"),
        ({"answer": {"cost_usd": -3}}, "case c1 has cost_usd -3"),
        ({"answer": {"text": "cut \ud83d"}}, "holds half a character"),
        ({"warnings": ["cut \udc00"]}, "holds half a character"),
        ({"one": {"target": "::error::"}}, "the target name '::error::' cannot stand in tables"),
        ({"targets": [{"name": "a", "use": "x"}] * 2}, "names a target twice"),
        ({"plan": {"looks": 3, "look": 9}}, "has plan.look 9: a look from 1 to 3 is expected"),
        ({"plan": {"shard": "x"}}, "has plan.shard 'x': I/N, such as 1/4"),
    ],
)
def test_answers__what_no_collection_says(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    """The run would take it over, and the baseline's age follows from the time."""
    with pytest.raises(FileError) as caught:
        read_answers(written(tmp_path, **more), NOW)

    assert said in str(caught.value)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"id": "20260712T232255Z-0a1b2c", "provenance": {"created": "2026-07-12T23:22:55+00:00"}},
        {"provenance": {"created": "2026-07-12"}},
        {"provenance": {"created": None}},
    ],
)
def test_answers__what_one_may_say(tmp_path: Path, more: dict[str, Any]) -> None:
    """Nothing at all, a time with or without its zone, a clock that is a little ahead."""
    assert 1 == len(read_answers(written(tmp_path, **more), NOW).answers)


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        ({}, 0, "answers.json: 2 answers; now `gate judge answers.json`\n"),
        (
            {"interrupted": "SIGINT"},
            0,
            "answers.json: 2 answers; SIGINT interrupted it: the same command goes on from there\n",
        ),
        (
            {"broken": Failure(kind="error", message="no way out")},
            3,
            "answers.json: 2 answers; now `gate judge answers.json`\ngate: no way out\n",
        ),
    ],
)
def test_end__of_a_collection_or_a_judging(
    capsys: pytest.CaptureFixture[str], more: dict[str, Any], code: int, said: str
) -> None:
    """What was interrupted goes on first: the step after it would be refused."""
    run = Run(id="r1").model_copy(update=more)

    assert code == tell_end(run, "answers.json: 2 answers", "`gate judge answers.json`")
    assert said == capsys.readouterr().err
