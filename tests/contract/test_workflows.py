"""The workflows that users copy: what GitHub, and those who look after it, would say of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gate.cli.init_choices import Choices
from gate.cli.init_files import FLOWS, planned

CHOICES = (
    Choices(),
    Choices(runs_code=True),
    Choices(shards=4),
    Choices(road="vertex"),
    Choices(road="vertex", shards=4),
)
"""What may be chosen in `gate init` and bears on the workflows."""
OURS = "OWNER/kappagate@v1"
"""The action, as the docs write it."""
PINNED = f"OWNER/kappagate@{'0' * 40} # v1.0.0"
"""The action, as a repository should write it."""


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
