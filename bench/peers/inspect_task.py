"""The load as a task of inspect-ai: one answer and one `model_graded_qa` for each sample."""

from __future__ import annotations

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import model_graded_qa
from inspect_ai.solver import generate


@task
def bench() -> Task:
    """Read the cases beside the working folder's `cases.json`."""
    cases = json.loads(Path("cases.json").read_text(encoding="utf-8"))
    return Task(
        dataset=[Sample(id=one["id"], input=one["input"], target=one["target"]) for one in cases],
        solver=generate(),
        scorer=model_graded_qa(model="openai-api/bench/bench-judge-inspect"),
    )
