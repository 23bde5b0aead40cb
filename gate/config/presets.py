"""Named sets of rules: what `policy: strict` means, key by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import JsonValue

Preset = Literal["default", "strict", "lenient", "threshold"]
"""A named set of rules; what stands beside `preset` goes before it."""

PRESETS: Mapping[Preset, Mapping[str, JsonValue]] = {
    "default": {},
    "strict": {
        "min_effect": 0.03,
        "margin": 0.05,
        "coverage": 0.95,
        "on_inconclusive": "fail",
    },
    "lenient": {
        "min_effect": 0.10,
        "margin": 0.15,
        "q": 0.05,
        "fallen_cases": "name",
    },
    "threshold": {
        "rule": "threshold",
        "licence": "point",
    },
}
"""Preset -> the keys of `policy` in which it differs from the defaults.

`strict` is meant for a hundred cases and more: below 27 it cannot pass. `lenient` fails
on clear drops only. `threshold` is gemini-search-mcp's rule: a mean drop larger than 0.05, and a
bare kappa above 0.6; it cannot tell noise from a drop."""
