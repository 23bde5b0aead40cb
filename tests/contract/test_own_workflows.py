"""This repository's own workflows: as strict as those that its users copy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.contract.test_workflows import OURS, checked

PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")


def flows(root: Path) -> dict[str, Any]:
    """File name -> workflow."""
    folder = root / ".github" / "workflows"
    return {path.name: yaml.safe_load(path.read_text("utf-8")) for path in folder.glob("*.yml")}


def steps(flow: Any) -> list[dict[str, Any]]:
    """All steps of all jobs."""
    return [step for job in flow["jobs"].values() for step in job["steps"]]


def test_own__github_can_read_them(root: Path) -> None:
    """Their schema, their expressions, the inputs of the actions that they use."""
    checked("actionlint", "-no-color", folder=root)
    paths = [f".github/workflows/{name}" for name in flows(root)]
    checked("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *paths, folder=root)


def test_own__every_action_by_its_commit(root: Path) -> None:
    """A tag can be moved; what lies in a checkout cannot."""
    used = [step["uses"] for flow in flows(root).values() for step in steps(flow) if "uses" in step]

    assert [] == [one for one in used if not PINNED.fullmatch(one) and one not in ("./", "./base")]
    assert 10 < len(used)


@pytest.mark.parametrize("name", ["ci.yml", "gate.yml", "release.yml"])
def test_own__least_rights(root: Path, name: str) -> None:
    """Nothing at the top, an end to every job, and no token left in a checkout."""
    flow = flows(root)[name]

    assert {} == flow["permissions"]
    assert all(job["timeout-minutes"] for job in flow["jobs"].values())
    for step in steps(flow):
        if "actions/checkout@" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_own_gate__is_what_users_copy(root: Path) -> None:
    """But for keys, their environment, the time, and for where the action comes from.

    Nor is a judgement kept for the next run, since none is paid for.
    """
    ours = flows(root)["gate.yml"]
    theirs = yaml.safe_load((root / "gate/cli/workflows/gate.yml").read_text("utf-8"))
    theirs["jobs"]["gate"].pop("environment")
    for flow in (ours, theirs):
        job = flow["jobs"]["gate"]
        job.pop("timeout-minutes")
        job["steps"] = [one for one in job["steps"] if not re.search("judged", str(one.get("run")))]
        job["steps"] = [one for one in job["steps"] if "actions/cache/" not in one.get("uses", "")]
        for step in steps(flow):
            if step.get("uses") in ("./base", OURS):
                step["uses"] = "the action"
                for name in ("env", "id"):
                    step.pop(name, None)
                for name in ("offline", "max-cost", "reuse"):
                    step["with"].pop(name, None)

    assert theirs == ours


def test_own_gate__holds_no_key(root: Path) -> None:
    """It asks the loopback world, of the base's own action."""
    text = (root / ".github" / "workflows" / "gate.yml").read_text("utf-8")
    used = [step for step in steps(flows(root)["gate.yml"]) if step.get("uses") == "./base"]

    assert "secrets." not in text
    assert [
        {"base-path": "base", "candidate-path": "candidate", "offline": "true"},
        {"command": "compare", "base-path": "base"},
    ] == [step["with"] for step in used]


def test_own_release__image_and_package_of_one_version(root: Path) -> None:
    """Both are of the version that the tree has, both are tried, and neither needs a long key."""
    flow = flows(root)["release.yml"]
    scripts = "\n".join(step.get("run", "") for step in steps(flow))
    published = [step for step in steps(flow) if "pypi-publish@" in step.get("uses", "")]

    assert 'grep -qx "version = \\"$VERSION\\"" pyproject.toml' in scripts
    assert 'docker run --rm "$IMAGE@$DIGEST" gate --version' in scripts
    assert 'test "$(tried/bin/gate --version)" = "gate, version $VERSION"' in scripts
    # Reports name the image by the action's ref, which is the commit where somebody pinned it.
    assert '--tag "$IMAGE:v$VERSION" --tag "$IMAGE:v${VERSION%%.*}"' in scripts
    assert '--tag "$IMAGE:$(git rev-parse HEAD)" "$IMAGE@$DIGEST"' in scripts
    assert 1 == len(published)
    assert {"id-token": "write"} == flow["jobs"]["pypi"]["permissions"]
    assert "secrets." not in (root / ".github" / "workflows" / "release.yml").read_text("utf-8")
