"""Rules of single dimensions, held against what the scorers measure."""

from __future__ import annotations

import pytest

from gate.config import load_config
from gate.config.rules import check_rules
from gate.errors import ConfigError
from gate.types import Metric

METRICS = (
    Metric(name="correctness"),
    Metric(name="level", better="unknown"),
    Metric(name="claims", unit="claims"),
)


def rules(text: str) -> None:
    """Check one rule of a configuration."""
    file = f"dataset: {{path: c.yaml}}\npolicy:\n  rules:\n    {text}\n"
    check_rules(load_config(file, "gate.yaml", {}), METRICS)


@pytest.mark.parametrize(
    "rule",
    [
        "correctness: {better: higher, min_effect: 0.03}",
        "level: {better: lower, min_effect: 0.3, margin: 0.5}",
        "claims: {min_effect: 2, margin: 4, gating: true}",
    ],
)
def test_rules__of_what_is_measured(rule: str) -> None:
    """Counts have drops of any size; a metric of unknown direction is given one."""
    rules(rule)


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("corectness: {min_effect: 0.03}", "corectness"),
        ("correctness: {better: lower}", "says that lower is better, and higher is"),
        ("correctness: {min_effect: 5}", "asks for a drop of 5"),
        ("correctness: {margin: 10}", "lie between 0 and 1"),
    ],
)
def test_rules__that_would_do_nothing_or_turn_the_gate_round(rule: str, says: str) -> None:
    """Each is refused with its line."""
    with pytest.raises(ConfigError, match=says) as caught:
        rules(rule)

    assert 4 == caught.value.line


@pytest.mark.parametrize("key", ["min_effect", "margin", "threshold", "provisional_drop"])
def test_policy__drops_in_percent_are_refused(key: str) -> None:
    """Five points of a hundred are 0.05, and no drop is larger than 1."""
    with pytest.raises(ConfigError, match="1"):
        load_config(f"dataset: {{path: c.yaml}}\npolicy: {{{key}: 5}}\n", "gate.yaml", {})
