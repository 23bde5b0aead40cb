"""Rules of single dimensions, held against what the scorers measure."""

from __future__ import annotations

from collections.abc import Sequence

from gate.config.settings import Config
from gate.errors import ConfigError
from gate.types import Metric, Rule
from gate.wire.records import unknown


def check_rules(config: Config, metrics: Sequence[Metric]) -> None:
    """Refuse a rule that would do nothing, silently, or turn the gate round.

    That is one for a dimension that no scorer measures, with another direction than the metric's
    own, or with a drop that scores between 0 and 1 cannot have. `metrics` are those of all scorers
    of the configuration: a run of a scorer set is not refused for the rules of the others. Raises
    ConfigError with what is known.
    """
    known = {metric.name: metric for metric in metrics}
    for name, rule in config.policy.rules.items():
        fault = unknown("dimension", name, list(known))
        if name in known:
            fault = _fault_of(rule, known[name])
        if fault:
            raise ConfigError(fault, config.path, config.line_of("policy", "rules", name))


def _fault_of(rule: Rule, metric: Metric) -> str:
    """Say what is wrong with a rule of this metric; nothing where nothing is."""
    if rule.better is not None and metric.better not in ("unknown", rule.better):
        return (
            f"the rule of {metric.name} says that {rule.better} is better, and {metric.better} is: "
            "leave `better` out, it is for metrics of unknown direction"
        )
    largest = max(rule.min_effect or 0.0, rule.margin or 0.0)
    if metric.unit == "fraction" and largest > 1.0:
        return (
            f"the rule of {metric.name} asks for a drop of {largest:g}, and its scores lie between "
            "0 and 1: write 0.05 for five points of a hundred"
        )
    return ""
