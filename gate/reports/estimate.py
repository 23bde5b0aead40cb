"""What runs would cost: a table for people, and the same for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from gate.decision.words import counted, dollars
from gate.engine.estimate import Estimate
from gate.models.assumptions import Assumptions
from gate.types import Word

_HEADS = ("", "answer calls", "judge calls")


class Setting(Word):
    """What is the same for all estimates."""

    cases: int
    """Cases."""
    targets: tuple[str, ...]
    """Targets."""
    repeats: int
    """Answers a case."""
    prices: str
    """Day on which the list prices were read from the vendors (ISO 8601)."""
    day: str
    """Day of the run that is estimated: of prices with a day from which they hold, its own."""
    old: bool = False
    """Whether the prices were read so long before that day that they may be wrong by then."""
    ceiling_usd: float | None = None
    """Ceiling of a run, where one is set."""
    real: str | None = None
    """Where real costs were taken from."""
    second_look: bool = False
    """Whether what would fail a run is asked again first, where there is a base to ask."""


def estimate_json(
    setting: Setting, estimates: Sequence[Estimate], assumed: Assumptions
) -> JsonValue:
    """Return the estimates as JSON; unknown dollars are null."""
    return {
        "schema": 1,
        **setting.model_dump(mode="json"),
        "estimates": [
            {
                "name": one.name,
                "kind": one.kind,
                "scorers": list(one.scorers),
                "answers": one.answers,
                "controls": one.controls,
                "rehearsed": one.rehearsed,
                "answer_calls": one.answer_calls,
                "judge_calls": one.judge_calls,
                "usd": one.usd,
                "known_usd": one.known_usd,
                "usd_by_vendor": dict(one.vendors()),
                "above_ceiling": _above(one, setting),
                "unknown": list(one.unknown),
                "parts": [part.model_dump(mode="json") for part in one.parts],
            }
            for one in estimates
        ],
        "assumed": assumed.model_dump(mode="json"),
    }


def estimate_text(setting: Setting, estimates: Sequence[Estimate], assumed: Assumptions) -> str:
    """Return the estimates for a terminal: a line each, then what they rest on."""
    answers = len(setting.targets) * setting.cases * setting.repeats
    head = (
        f"{counted(setting.cases, 'case')}, {counted(len(setting.targets), 'target')}, "
        f"{counted(setting.repeats, 'repeat')}: {counted(answers, 'answer')}. "
        f"List prices of {setting.prices}; no call was made.\n\n"
    )
    vendors = list(dict.fromkeys(name for one in estimates for name in one.vendors()))
    rows = [
        [*_HEADS, *vendors, "together"],
        *([*_first(one), *_dollars(one, vendors), _whole(one, setting)] for one in estimates),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    notes = [f"Not known: {one}." for one in dict.fromkeys(_all_unknown(estimates))]
    if any(_above(one, setting) for one in estimates):
        notes.append(
            f"* above the ceiling of {dollars(setting.ceiling_usd or 0.0)} (run.max_cost_usd)."
        )
    if setting.old:
        notes.append(
            f"The prices were read on {setting.prices}, more than 90 days before {setting.day}: "
            "they may have changed. Update the gate, or compare them with the vendors' pages."
        )
    if setting.second_look:
        notes.append(
            "A second look is not counted. It is made only where a pull request would fail, asks "
            "candidate and base, costs up to twice as much as the run, and keeps to the ceiling."
        )
    notes.append(_rests_on(estimates, setting, assumed))
    return head + "\n".join([*lines, "", *notes]) + "\n"


def _first(one: Estimate) -> list[str]:
    members = f": {', '.join(one.scorers)}" if one.kind in ("set", "all") else ""
    name = f"set {one.name}{members}" if one.kind == "set" else f"{one.name}{members}"
    return [name, str(one.answer_calls), str(one.judge_calls)]


def _dollars(one: Estimate, vendors: Sequence[str]) -> list[str]:
    costs: Mapping[str, float | None] = one.vendors()
    return [_usd(costs[name]) if name in costs else "-" for name in vendors]


def _whole(one: Estimate, setting: Setting) -> str:
    text = _usd(one.usd) if not one.unknown else f"at least {_usd(one.known_usd)}"
    return f"{text} *" if _above(one, setting) else text


def _usd(amount: float | None) -> str:
    return "unknown" if amount is None else dollars(amount)


def _above(one: Estimate, setting: Setting) -> bool:
    return setting.ceiling_usd is not None and one.known_usd > setting.ceiling_usd


def _all_unknown(estimates: Sequence[Estimate]) -> list[str]:
    return [text for one in estimates for text in one.unknown]


def _rests_on(estimates: Sequence[Estimate], setting: Setting, assumed: Assumptions) -> str:
    """Say which figures are assumed, and which are real."""
    text = (
        f"Assumed: {assumed.characters_per_token} characters a token; answers of "
        f"{assumed.answer_characters:,} characters with {assumed.sources} sources, of which one in "
        f"{assumed.unread} cannot be read; pages of {assumed.short_page_characters:,} and "
        f"{assumed.long_page_characters:,} characters; "
        f"{assumed.searches:g} searches a question; {assumed.thinking['medium']} tokens of "
        "thinking at medium effort. Prompts are the real ones; repairs and retries are left out. "
        "Expect a factor of two either way."
    )
    if any(one.rehearsed < one.answers for one in estimates):
        fewest = min(one.rehearsed for one in estimates)
        text += f" Counted on {counted(fewest, 'answer')}; the others are taken to be like them."
    controls = max((one.controls for one in estimates), default=0)
    if controls:
        text += f" Judge calls count {counted(controls, 'control answer')} beside the others."
    real = {
        part.target or "the judge's calls"
        for one in estimates
        for part in one.parts
        if part.measured
    }
    if setting.real is None:
        return text
    if not real:
        return f"{text}\n{setting.real} tells no cost of these calls: nothing is taken from it."
    return f"{text}\nReal costs of {setting.real}: {', '.join(sorted(real))}."
