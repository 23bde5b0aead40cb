"""A report in which every text that may come from outside is hostile."""

from __future__ import annotations

from typing import Any

from gate.types import Report

EVIL = (
    "EVIL|a\n| b | c |\n```\n````</details><!-- kappagate --><img src=x> @org/team #12 GH-3 "
    "http://a.example www.a.example a@b.example `x` ``y \\| [l](http://c.example) ![i](d) "
    "~~s~~ **b** $m$ :tada: &commat;team \u202e\x1b[31m"
)
"""Ends tables, fences, folds and comments, mentions, links, and steers a terminal."""

OURS = frozenset(
    {
        *("status", "outcome", "state", "kind", "better", "unit", "licence", "rule"),
        *("on_inconclusive", "p_method", "created", "fallen_cases", "allocation"),
    }
)
"""Fields whose words are ours: literals, units and dates."""

NAMED = frozenset({"scores", "failures", "identities", "unscored", "rules", "limits"})
"""Mappings whose keys are names of dimensions, foreign like all names."""


def hostile(report: Report) -> Report:
    """Put the hostile text behind every foreign text, the same behind the same name."""
    return Report.model_validate(_evil(report.model_dump(mode="json")))


def _evil(value: Any, field: str = "") -> Any:
    if isinstance(value, dict):
        return {
            (key + EVIL if field in NAMED else key): _evil(
                one, key if field not in NAMED else field
            )
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_evil(one, field) for one in value]
    if isinstance(value, str) and field not in OURS and field != "failures":
        return value + EVIL
    return value
