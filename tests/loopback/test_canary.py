"""The expected answer never reaches the system under test."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest

from gate.cli.offline import loopback_world
from gate.cli.progress import NoProgress
from gate.cli.reading import read_cases, read_config
from gate.cli.request import Request
from gate.cli.running import Hands, make_run
from gate.engine.plan import choose_cases, make_jobs, make_plan
from gate.types import Case, Commits

CANARY = "kq7-canary-of-the-expected-answer"


def with_canary(case: Case) -> Case:
    """Put the canary in every field that only we may see."""
    return case.model_copy(
        update={
            "notes": f"{case.notes} {CANARY}-notes",
            "assertions": (*case.assertions, f"says {CANARY}-assertion"),
            "domains": (*case.domains, f"{CANARY}-domain.example"),
            "reference": {"answer": f"{CANARY}-reference"},
            "rubric": (f"{CANARY}-rubric",),
            "trajectory": (f"{CANARY}-tool",),
            "tags": (f"{CANARY}-tag",),
        }
    )


@pytest.mark.parametrize("road", ["vertex", "key"])
def test_canary__stands_in_no_request_to_the_target(root: Path, tmp_path: Path, road: str) -> None:
    """Not in the body, the address or a header that the world records; the judge does see it."""
    text = (root / "gate.yaml").read_text("utf-8")
    if road == "key":
        text = text.replace("    road: vertex\n    project", "    road: key\n    project", 1)
    config = read_config(_write(tmp_path / "gate.yaml", text), {})
    cases = [with_canary(case) for case in read_cases(config, root)]
    chosen = choose_cases(cases, sample=6, seed="canary")
    with loopback_world("steady", lambda: None) as world:
        made = make_run(
            Request(
                config=config,
                root=root,
                out=tmp_path,
                jobs=make_jobs(chosen, [use.name for use in config.targets], 1),
                plan=make_plan(cases, chosen, seed="canary", sample=6, repeats=1, narrowed=False),
                targets=config.targets,
                scorers=config.scorers,
                max_cost_usd=None,
                world=world,
                replay=None,
                commits=Commits(),
            ),
            Hands(NoProgress()),
        )
        seen = httpx2.get(f"{world.gemini}/_world/bodies").json()["bodies"]

    asked = [json.dumps(one) for one in seen if "generateContent" in json.dumps(one)]
    judged = [json.dumps(one) for one in seen if "generateContent" not in json.dumps(one)]
    assert 6 == len(asked)
    assert [] == [one for one in asked if CANARY in one]
    assert 6 == sum(f"{CANARY}-notes" in one for one in judged) == len(made.run.cells)


def _write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path
