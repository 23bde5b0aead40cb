"""Writes docs/files.md: twenty real lines of every file, and every key of gate.yaml.

python docs/make_files.py            writes it
python docs/make_files.py --check    exit 1 when it is out of date
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from gate.config.shape import PanelBlock
from gate.models.claude_request import ClaudeOptions
from gate.models.gemini_judge_request import GeminiJudgeOptions
from gate.schemas import schema_for
from gate.scorers.pages import PageOptions
from gate.targets.gemini import GeminiOptions
from gate.targets.recorded import RecordedTarget
from gate.types import Answers, Result, Run

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "files.md"
LINES = 20
WIDEST = 160
"""Characters of a line that are shown; longer ones end in an ellipsis."""

HEAD = """# The files

Every file that you write or that the gate writes, with real lines of this repository's own.
`gate schema NAME` prints the JSON Schema of each:
config, cases, labels, answers, run, verdict, baseline, calibration, sensitivity, controls.
Lines longer than 160 characters are cut here and end in `…`.

This page is made by `make docs`; a test holds it to the files.
"""

FILES = (
    (
        "gate.yaml",
        "gate.yaml",
        "yaml",
        1,
        (
            "The configuration. `${VAR}` and `${VAR:-default}` are filled in from the environment; "
            "variables below `connections` only when that connection is needed."
        ),
    ),
    (
        "evals/cases.yaml",
        "evals/cases.yaml",
        "yaml",
        "- id:",
        (
            "The cases, in gemini-search-mcp's format. `query` may be any JSON value. Texts stay texts "
            "(`no`, `1.10`, dates). Further keys: `context`, `plan`, `reference`, `rubric`, "
            "`trajectory`, `tags`, `cluster`. A target sees `query`, `context` and `plan`, and nothing else."
        ),
    ),
    (
        "evals/labels/*.yaml",
        "evals/labels/loopback.yaml",
        "yaml",
        "schema: 1",
        (
            "People's ratings of answers, `low`, `med` or `high`, as `gate label` writes them "
            "(`docs/labels.md`). `answer` is the digest of the answer "
            "that was rated (`run.json` has it in `cells[].attempts[].digest`), so that a rating is "
            "never held against another answer. A label that was approved by itself says so "
            "(`approved_by`, below its `answer`). gemini-search-mcp's files, a list of `case_id` and "
            "`scores`, are read as they are."
        ),
    ),
    (
        "labels of claims and citations",
        "evals/labels/claims.yaml",
        "yaml",
        "schema: 1",
        (
            "What the pages say of single claims, in files beside the ratings or in the same ones: "
            "`supported`, `partial`, `unsupported` or `unverifiable`. The digests, and what they "
            "stand for, are under `items` of the scores in `results.jsonl`. `claims` license "
            "faithfulness; `sentences` citation_precision and alce_recall, and alce_precision where a "
            "sentence cites one page; `citations` the others of alce_precision; `statements` "
            "source_coverage. A digest holds the answer and the page texts: after a change of "
            "either, or of the judge's wording, the label belongs to nothing and says so."
        ),
    ),
    (
        "evals/calibration.json",
        "evals/calibration.json",
        "json",
        1,
        (
            "What the judge said of the rated answers: written by `gate kappa --write`, valid while "
            "judge, prompt and scorer are the same."
        ),
    ),
    (
        "evals/sensitivity.json",
        "evals/sensitivity.json",
        "json",
        1,
        (
            "What the judge said of good answers that were damaged on purpose: written by "
            "`gate sensitivity --write`, valid while judge, prompt and scorer are the same. "
            "Without it nothing is held against a dimension."
        ),
    ),
    (
        "evals/controls.json",
        "evals/controls.json",
        "json",
        1,
        (
            "Control answers: a few answers with the page texts that the judge read and its scores, "
            "three rulings or more, one answer a line; judged again in each run "
            "(`docs/baseline.md`). Written by `gate controls --write`. It holds text, of answers "
            "grounded by Google only with `keep_text: true`. This repository's own are a stand-in."
        ),
    ),
    (
        "baseline.json",
        "baseline.json",
        "json",
        1,
        (
            "Scores and digests of every case, every repeat; no text. One case a line, sorted. Written "
            "by `gate baseline --write`. With `--answers evals/baseline-answers.jsonl` the answers go to a "
            "file beside it: what they belong to in the first line, then one answer a line, with its "
            "digest."
        ),
    ),
    (
        "answers for `use: recorded`",
        "evals/labels/stored.jsonl",
        "json",
        1,
        (
            "Stored answers, one JSON object a line: `case_id`, `answer`, and where known "
            "`attempt` (from 0), `target`, `sources` (each with `uri`, `title`, `domain`), `model`, "
            "`latency_s`, `cost_usd`. The `results.jsonl` of a run is read as well."
        ),
    ),
    (
        "run.json",
        "docs/example-run.json",
        "json",
        1,
        (
            "What one run measured, without any text of an answer: written by `gate run`, `gate judge`, "
            "`gate merge` and `gate import`, read by `gate compare`, `baseline`, `kappa`, `merge` and "
            "`report`. One answered case a line, sorted by target and case; a file of that form is read "
            "line by line, however large. This one is of two cases of the stand-in world."
        ),
    ),
    (
        "results.jsonl",
        "docs/example-results.jsonl",
        "json",
        1,
        (
            "Every answer with its scores, one a line, written as they come: the order of the lines is "
            "that in which cases ended, and means nothing. A replay gives the same lines in the order "
            "of the plan. `answer_digest` is what labels are bound to, `scores[].items` holds the digest "
            "of every judged claim and citation. Of `gate collect` the scores are empty."
        ),
    ),
    (
        "answers.json",
        "docs/example-answers.json",
        "json",
        1,
        (
            "Answers to be judged elsewhere: written by `gate collect`, read by `gate judge`; answers "
            "from anywhere need nothing but `schema` and `answers` (`docs/runs.md`). One answer a line, "
            "below what is said of all of them."
        ),
    ),
    (
        "verdict.json",
        "docs/example-verdict.json",
        "json",
        1,
        (
            "What one run said: written by `gate run` and `gate compare --out`. This one is of the "
            "stand-in world's variant `wrong`. Undefined numbers are `null`."
        ),
    ),
)
"""Heading, file, language, first line (a number or how it begins), what it is."""


RECORDS: Mapping[str, type[BaseModel]] = {
    "run.json": Run,
    "results.jsonl": Result,
    "answers.json": Answers,
}
"""Heading -> what the file, or a line of it, holds."""


OPTIONS: Mapping[str, type[BaseModel]] = {
    "use: gemini": GeminiOptions,
    "use: recorded": RecordedTarget.Options,
    "judge: use: claude": ClaudeOptions,
    "judge: use: gemini": GeminiJudgeOptions,
    "judge: use: panel": PanelBlock,
    "use: faithfulness` and `use: citations": PageOptions,
}
"""Block -> its options."""


def excerpt(path: Path, first: int | str) -> str:
    """Take twenty lines of a file."""
    lines = path.read_text("utf-8").splitlines()
    if isinstance(first, str):
        begin = next(i for i, line in enumerate(lines) if line.startswith(first))
    else:
        begin = first - 1
    return "\n".join(
        line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"
        for line in lines[begin : begin + LINES]
    )


def keys(schema: Mapping[str, Any]) -> Iterator[str]:
    """List every key of gate.yaml: a table row each."""
    defs = schema["$defs"]

    def walk(name: str, at: str) -> Iterator[str]:
        for key, value in defs[name]["properties"].items():
            inner = value.get("$ref", "").rpartition("/")[2]
            if inner in defs and "properties" in defs[inner] and inner != "UseBlock":
                yield from walk(inner, f"{at}{key}.")
                continue
            default = value.get("default")
            shown = "" if default is None else f"`{json.dumps(default)}`"
            text = value.get("description", "").replace("|", "\\|")
            yield f"| `{at}{key}` | {shown} | {text} |"

    yield from walk("GateFile", "")


def options(model: type[BaseModel]) -> str:
    """List the options of a plug-in: a table row each."""
    rows = []
    for name, field in model.model_fields.items():
        default = "" if field.is_required() or field.default is None else f"`{field.default}`"
        rows.append(f"| `{name}` | {default} | {field.description or ''} |")
    return "\n".join(rows)


def fields(model: type[BaseModel]) -> str:
    """List the keys of a record with their docstrings: a table row each."""
    (found,) = ast.parse(inspect.getsource(model)).body
    assert isinstance(found, ast.ClassDef)
    rows = ["| key | what it holds |", "|---|---|"]
    for named, said in pairwise(found.body):
        if isinstance(named, ast.AnnAssign) and isinstance(named.target, ast.Name):
            name = named.target.id
            text = ast.literal_eval(said.value) if isinstance(said, ast.Expr) else ""
            shown = " ".join(text.split()).replace("|", "\\|")
            rows.append(f"| `{model.model_fields[name].alias or name}` | {shown} |")
    return "\n".join(rows)


def page() -> str:
    """Write the page."""
    parts = [HEAD]
    for heading, name, language, first, says in FILES:
        text = excerpt(ROOT / name, first)
        parts.append(f"## {heading}\n\n{says}\n\n```{language}\n{text}\n```\n")
        if heading in RECORDS:
            parts.append(f"{fields(RECORDS[heading])}\n")
    rows = "\n".join(keys(schema_for("config")))
    head = "| key | default | what it says |\n|---|---|---|"
    parts.append(f"## Every key of gate.yaml\n\n{head}\n{rows}\n")
    for use, model in OPTIONS.items():
        parts.append(f"### Options of `{use}`\n\n{head}\n{options(model)}\n")
    return "\n".join(parts)


def main() -> int:
    """Write, or check."""
    text = page()
    if "--check" in sys.argv:
        return 0 if PAGE.exists() and PAGE.read_text("utf-8") == text else 1
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
