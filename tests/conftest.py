"""Fixtures that every test may ask for."""

from __future__ import annotations

import os
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
