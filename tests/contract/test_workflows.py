"""The workflows that users copy: what GitHub, and those who look after it, would say of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gate.cli.init_choices import Choices
from gate.cli.init_files import FLOWS, planned
from tests.contract.github_openapi import DOCUMENT

CHOICES = (
    Choices(),
    Choices(runs_code=True),
    Choices(runs_code=True, road="vertex"),
    Choices(shards=4),
    Choices(road="vertex"),
    Choices(road="vertex", shards=4),
)
"""What may be chosen in `gate init` and bears on the workflows."""
OURS = "OWNER/kappagate@v1"
"""The action, as the docs write it."""
PINNED = f"OWNER/kappagate@{'0' * 40} # v1.0.0"
"""The action, as a repository should write it."""


LACKING = "Context access might be invalid: merge_group"
"""What GitHub's reader says although it is there: it knows no payload of this one event."""


def pages(root: Path) -> list[Path]:
    """Every page with examples."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    found = re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return [str(one) for one in found]


def templates(root: Path) -> list[Path]:
    """The workflows that come with the gate."""
    return sorted((root / "gate" / "cli" / "workflows").glob("*.yml"))


@pytest.fixture
def copies(root: Path, tmp_path: Path) -> list[Path]:
    """Them, what `gate init` makes of them, and those of the docs, each as a repository has it."""
    texts = [path.read_text("utf-8") for path in templates(root)]
    texts += [
        one.text
        for choices in CHOICES
        for one in planned(choices, None)
        if one.path.startswith(FLOWS)
    ]
    texts += [text for page in pages(root) for text in blocks(page, "yaml") if "\njobs:" in text]
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    made = []
    for number, text in enumerate(texts):
        made.append(folder / f"{number}.yml")
        made[-1].write_text(text.replace(OURS, PINNED), "utf-8")
    return made


def checked(program: str, *words: str, folder: Path) -> str:
    """What a linter says; it must be pleased."""
    tool = Path(sys.executable).with_name(program)
    done = subprocess.run([tool, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def read_by_github(packages: Path, *files: Path) -> list[str]:
    """What GitHub's own reader says of workflows and action.yml files, a line each."""
    node = shutil.which("node")
    assert node is not None
    script = Path(__file__).parents[1] / "npm" / "read_workflows.mjs"
    done = subprocess.run(
        [node, script, packages, *files], capture_output=True, text=True, check=False
    )
    assert "" == done.stderr
    return [one for one in done.stdout.splitlines() if not one.endswith(LACKING)]


def test_docs__every_yaml_block_can_be_read(root: Path) -> None:
    """A colon in the wrong place would cost somebody their first hour."""
    found = [(page, text) for page in pages(root) for text in blocks(page, "yaml")]
    for page, text in found:
        try:
            yaml.safe_load(text)
        except yaml.YAMLError as error:
            pytest.fail(f"{page.name}: {error}\n{text}")
    assert 8 < len(found)


def test_docs__show_the_workflows_that_come_with_the_gate(root: Path) -> None:
    """Letter by letter."""
    shown = [
        text
        for page in ("action", "baseline", "workflows")
        for text in blocks(root / "docs" / f"{page}.md", "yaml")
    ]

    assert [] == [path.name for path in templates(root) if path.read_text("utf-8") not in shown]
    assert 3 <= len(templates(root))


def test_workflows__github_can_read_them(copies: list[Path]) -> None:
    """Their schema, their expressions, the inputs of the actions that they use."""
    folder = copies[0].parent
    checked("actionlint", "-no-color", *map(str, copies), folder=folder)
    checked(
        *("check-jsonschema", "--builtin-schema", "vendor.github-workflows"),
        *map(str, copies),
        folder=folder,
    )


def test_workflows__github_reads_them(packages: Path, root: Path, copies: list[Path]) -> None:
    """By the reader that GitHub itself publishes: these, our own, and the action."""
    own = sorted((root / ".github" / "workflows").glob("*.yml"))

    assert [] == read_by_github(packages, *copies, *own, root / "action.yml")
    assert 2 <= len(own)


def test_workflows__what_the_reader_lacks_is_there(packages: Path) -> None:
    """By GitHub's own OpenAPI document: the event has what the reader does not know of it."""
    document = json.loads((packages / DOCUMENT).read_text("utf-8"))
    event = document["components"]["schemas"]["webhook-merge-group-checks-requested"]

    assert "merge_group" in event["required"]


@pytest.mark.parametrize(
    ("file", "right", "wrong", "said"),
    [
        ("gate/cli/workflows/gate.yml", "types: [labeled,", "types: [labelled,", "'labelled'"),
        ("gate/cli/workflows/baseline.yml", "needs: measure", "needs: measured", "measured"),
        (".github/workflows/ci.yml", "steps.gate.out", "steps.gates.out", "invalid: gates"),
        (".github/workflows/release.yml", "needs.plan.outputs.base", "needs.plan.outputs.bass",
         "invalid: bass"),
        ("gate/cli/workflows/gate.yml", "if: always()", "if: always(", "end of expression"),
        ("gate/cli/workflows/gate.yml", "timeout-minutes: 60", "timeout: 60", "'timeout'"),
        ("action.yml", "image: Dockerfile", "picture: Dockerfile", "picture"),
        ("action.yml", "image: Dockerfile", "image: Dockerfile\n  env: {A: '${{ secrets.X }}'}",
         "secrets"),
    ],
    ids=["an activity", "a job that is needed", "a step", "an output of a job", "an expression",
         "a key", "a key of the action", "a secret in the action"],
)  # fmt: skip
def test_workflows__github_refuses(
    packages: Path, root: Path, tmp_path: Path, file: str, right: str, wrong: str, said: str
) -> None:
    """Each kind of slip is found, in what is clean without it."""
    text = (root / file).read_text("utf-8")
    assert right in text
    broken = tmp_path / Path(file).name
    broken.write_text(text.replace(right, wrong), "utf-8")

    assert any(said in one for one in read_by_github(packages, broken))


def test_workflows__security(root: Path, copies: list[Path]) -> None:
    """As strictly as there is; what is let through stands there with its reason."""
    words = ("--offline", "--strict-collection", "--no-progress", "--persona=auditor")
    checked("zizmor", *words, *map(str, copies), folder=copies[0].parent)
    checked("zizmor", *words, str(root / ".github" / "workflows"), folder=root)


def test_workflows__inputs_of_the_action_are_known(root: Path, copies: list[Path]) -> None:
    """No linter knows them."""
    action = yaml.safe_load((root / "action.yml").read_text("utf-8"))
    steps: list[dict[str, Any]] = [
        step
        for path in copies
        for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
        for step in job["steps"]
    ]
    used = [step.get("with", {}) for step in steps if "kappagate@" in step.get("uses", "")]

    assert set() == {name for one in used for name in one} - set(action["inputs"])
    assert 4 <= len(used)


def test_workflows__least_rights(copies: list[Path]) -> None:
    """Nothing at the top, and no token left in a checkout."""
    for path in copies:
        flow = yaml.safe_load(path.read_text("utf-8"))
        assert {} == flow["permissions"]
        for job in flow["jobs"].values():
            assert job["timeout-minutes"]
            for step in job["steps"]:
                if "actions/checkout@" in step.get("uses", ""):
                    assert step["with"]["persist-credentials"] is False
