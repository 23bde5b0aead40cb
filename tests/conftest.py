"""Fixtures that every test may ask for."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Published runs and test vectors; set GATE_DATA where they lie elsewhere."""
    place = Path(os.environ.get("GATE_DATA", ROOT.parent / "shared" / "data"))
    if not place.is_dir():
        pytest.skip(f"no published data at {place}: set GATE_DATA to run this test")
    return place


@pytest.fixture(scope="session")
def packages() -> Path:
    """What others publish of GitHub: `npm ci --prefix tests/npm` fetches it (490 MB).

    Set GATE_NODE_MODULES where it lies elsewhere; it must be there then.
    """
    named = os.environ.get("GATE_NODE_MODULES")
    place = Path(named) if named else ROOT / "tests" / "npm" / "node_modules"
    there = all((place / one).is_dir() for one in ("@actions", "@octokit", "@stoplight"))
    if named is None and not (there and shutil.which("node")):
        pytest.skip("no packages of GitHub's: `npm ci --prefix tests/npm` fetches them")
    assert there, f"no packages at {place}, or old ones"
    return place
