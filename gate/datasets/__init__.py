"""Files of cases and of labels -> words."""

from __future__ import annotations

from gate.datasets.labels import load_labels
from gate.datasets.native import load_cases

__all__ = ["load_cases", "load_labels"]
