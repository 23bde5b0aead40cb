"""The doors that a target may use, handed in at the top; nobody opens one for himself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gate.models.catalogue import Catalogue
from gate.models.connections import Connections
from gate.protocols import Door


@dataclass(frozen=True)
class Kit:
    """What a target is built with besides its options."""

    door: Door
    """The door of every paid call."""
    connections: Connections
    """Where the vendors are and how to show who we are."""
    catalogue: Catalogue
    """What each model accepts and costs."""
    read_text: Callable[[str], str]
    """Reads a file of the tree that decides by its relative path; raises FileError."""
    read_owned: Callable[[str], str]
    """Reads a file that a `candidate_owned` option names, by its relative path: of the candidate's
    tree where the target is followed there, else of the one that decides. Raises FileError."""
    run_id: str
    """The run's id: answers are reused within it only."""
    root: Path
    """The tree that decides."""
