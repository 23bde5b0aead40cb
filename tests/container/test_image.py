"""What is in the image, and what is not."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.container.engine import Engine, run_quietly

MB = 1_000_000
NOT_INSTALLED = {"flit-core", "httpx2-jsfetch"}
"""In the lock, but for building, or for browsers."""


@pytest.fixture(scope="module")
def facts(image: str) -> Any:
    """What the engine knows of the image."""
    return json.loads(run_quietly("docker", "inspect", image).stdout)[0]


def test_image__size(facts: Any) -> None:
    """All of it at most 450 MB where the base has 180, so that a pull takes seconds."""
    assert facts["Size"] <= 450 * MB


def test_image__layers(image: str) -> None:
    """Ours are two: the bytecode that the base lacks, and the gate; what is pulled is shared."""
    rows = run_quietly(
        *("docker", "history", "--no-trunc", "--format", "{{.Size}} {{.CreatedBy}}", image)
    ).stdout.splitlines()
    sizes = [row.partition(" ")[0] for row in rows[:4]]

    assert "ENTRYPOINT" in rows[0]
    assert "/opt/gate" in rows[1]
    assert "0B" == sizes[0]
    assert sizes[1].endswith("MB")
    assert float(sizes[1].removesuffix("MB")) < 250


def test_image__how_it_starts(facts: Any) -> None:
    """Isolated Python as process 1, root for the runner's sake, and no folder of its own."""
    config = facts["Config"]

    assert ["/opt/gate/bin/python", "-I"] == config["Entrypoint"][:2]
    assert not config["Cmd"]
    assert config["User"] in ("", "0", "root")
    assert "Apache-2.0" == config["Labels"]["org.opencontainers.image.licenses"]


def test_image__exactly_what_the_lock_says(engine: Engine, image: str, root: Path) -> None:
    """No pip, no setuptools, no build tool, nothing that nobody asked for."""
    lock = (root / "requirements" / "run.txt").read_text("utf-8")
    locked = {_plain(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)}
    code = (
        "from importlib.metadata import distributions as d;"
        "print(*(x.metadata['Name'] for x in d(path=['/opt/gate/lib/python3.%d/site-packages'"
        " % __import__('sys').version_info[1]])))"
    )

    there = {_plain(name) for name in engine.python(image, code).split()}

    assert (locked - NOT_INSTALLED) | {"kappagate"} == there


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_image__no_tools(engine: Engine, image: str) -> None:
    """Nothing that compiles, fetches or changes code, beyond what the base has."""
    code = (
        "import shutil; print([x for x in ('git', 'gcc', 'cc', 'make', 'curl', 'wget', 'docker')"
        " if shutil.which(x)]); import os; print(sorted(os.listdir('/opt/gate/bin')))"
    )

    tools, programs = engine.python(image, code).splitlines()

    assert "[]" == tools
    assert set() == {
        name for name in json.loads(programs.replace("'", '"')) if "python" not in name
    }


def test_image__all_is_compiled(engine: Engine, image: str) -> None:
    """No start compiles anything: neither ours, nor the standard library, which the base lacks."""
    code = """
import importlib.util, pathlib, sysconfig
left_out = {"test", "tests", "idlelib", "ensurepip", "tkinter", "turtledemo", "site-packages"}
for root in (sysconfig.get_path("stdlib"), "/opt/gate/lib"):
    for file in pathlib.Path(root).rglob("*.py"):
        ours = root.startswith("/opt") or not left_out & set(file.parts)
        if ours and not pathlib.Path(importlib.util.cache_from_source(file)).exists():
            print(file)
"""

    assert "" == engine.python(image, code)


def test_image__nothing_but_the_allow_list_reaches_the_builder(
    engine: Engine, root: Path, tmp_path: Path
) -> None:
    """A credential beside the Dockerfile, as a cloud login leaves one, is in no layer."""
    for name in (".dockerignore", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, tmp_path / name)
    shutil.copytree(root / "requirements", tmp_path / "requirements")
    (tmp_path / "gate" / "__pycache__").mkdir(parents=True)
    strangers = ("gha-creds-1f.json", ".env", "gate.yaml", "candidate/x", ".git/config", ".venv/k")
    for name in (*strangers, "gate/__pycache__/x.pyc", "gate/x.py", "gate/gha-creds-1f.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("canary", "utf-8")
    (tmp_path / "Dockerfile").write_text(
        "FROM python:3.13-slim\nCOPY . /context\nENTRYPOINT []\n", "utf-8"
    )
    engine.build(tmp_path, "kappagate-test:context")

    there = engine.run("kappagate-test:context", "sh", "-c", "cd /context && find . -type f")

    assert {
        *("./gate/x.py", "./requirements/run.txt", "./pyproject.toml", "./README.md", "./LICENSE"),
    } == set(there.stdout.split())
    run_quietly("docker", "rmi", "--no-prune", "kappagate-test:context")


def test_image__says_nothing_of_where_it_was_built(image: str, facts: Any) -> None:
    """No address of an index, no credential, in the history or the environment."""
    history = run_quietly("docker", "history", "--no-trunc", image).stdout
    told = history + json.dumps(facts["Config"])

    assert [] == re.findall(r"https?://[^\s\"]+", told)
    assert [] == re.findall(r"(?i)\b\w*(?:token|secret|password|api_key)\w*\b", told)
