"""Estimates as a table and as JSON: unknown is said, and never zero."""

from __future__ import annotations

import json
from typing import Any

from gate.engine.estimate import Estimate, Part
from gate.models.assumptions import ASSUMED
from gate.reports.estimate import Setting, estimate_json, estimate_text

SETTING = Setting(cases=48, targets=("flash",), repeats=1, prices="2026-11-29", day="2026-12-24")
ANSWERS = Part(kind="answer", vendor="google", model="gemini-x", target="flash", calls=48, usd=1.0)
JUDGING = Part(kind="judge", vendor="anthropic", model="claude-x", calls=48, usd=0.5)
UNPRICED = JUDGING.model_copy(update={"model": "claude-new", "usd": None})


def estimate(*parts: Part, **more: Any) -> Estimate:
    """The set `quick`, 48 answers, all of them counted."""
    values = {
        "name": "quick",
        "kind": "set",
        "scorers": ("quality",),
        "answers": 48,
        "rehearsed": 48,
        "parts": parts,
    }
    return Estimate.model_validate({**values, **more})


def rows(*estimates: Estimate, setting: Setting = SETTING) -> list[list[str]]:
    """The table, cell by cell."""
    text = estimate_text(setting, estimates, ASSUMED)
    return [line.split("  ") for line in text.split("\n\n")[1].splitlines()]


def as_json(*estimates: Estimate, setting: Setting = SETTING) -> Any:
    """What programs read."""
    return json.loads(json.dumps(estimate_json(setting, estimates, ASSUMED)))


def test_text__a_line_each_by_vendor() -> None:
    """Calls, dollars of each vendor, and both together."""
    head, line = [
        [cell.strip() for cell in row if cell.strip()] for row in rows(estimate(ANSWERS, JUDGING))
    ]

    assert ["answer calls", "judge calls", "google", "anthropic", "together"] == head
    assert ["set quick: quality", "48", "48", "$1.00", "$0.50", "$1.50"] == line


def test_text__old_prices_are_pointed_out() -> None:
    """Only once they may be wrong; both days are told to programs, too."""
    late = SETTING.model_copy(update={"day": "2027-03-01", "old": True})

    assert "Update the gate" not in estimate_text(SETTING, [estimate(ANSWERS)], ASSUMED)
    assert "The prices were read on 2026-11-29, more than 90 days before 2027-03-01" in (
        estimate_text(late, [estimate(ANSWERS)], ASSUMED)
    )
    found = as_json(estimate(ANSWERS), setting=late)
    assert ("2026-11-29", "2027-03-01", True) == (found["prices"], found["day"], found["old"])


def test_text__says_what_is_assumed() -> None:
    """Lengths, searches, thinking, and how far it may be off."""
    text = estimate_text(SETTING, [estimate(ANSWERS, JUDGING)], ASSUMED)

    assert text.startswith("48 cases, 1 target, 1 repeat: 48 answers. List prices of 2026-11-29;")
    assert "answers of 1,000 characters with 3 sources" in text
    assert "pages of 4,000 and 20,000 characters" in text
    assert "1.5 searches a question" in text
    assert "a factor of two" in text
    assert "Counted on" not in text


def test_text__says_that_it_counted_a_part() -> None:
    """The rest is taken to be like it."""
    text = estimate_text(SETTING, [estimate(ANSWERS, rehearsed=16)], ASSUMED)

    assert "Counted on 16 answers" in text


def test_text__a_second_look_is_not_counted() -> None:
    """Where the policy asks for one, it says how much that may add."""
    looking = SETTING.model_copy(update={"second_look": True})

    text = estimate_text(looking, [estimate(ANSWERS)], ASSUMED)

    assert "A second look is not counted" in text
    assert "up to twice as much as the run" in text
    assert "second look" not in estimate_text(SETTING, [estimate(ANSWERS)], ASSUMED)


def test_text__unknown_prices() -> None:
    """The known part is a lower bound, and the model is named."""
    text = estimate_text(SETTING, [estimate(ANSWERS, UNPRICED)], ASSUMED)

    assert "unknown" in text
    assert "at least $1.00" in text
    assert "Not known: no list price of claude-new." in text


def test_text__above_the_ceiling() -> None:
    """Marked in its line, and explained."""
    setting = SETTING.model_copy(update={"ceiling_usd": 1.2})
    text = estimate_text(setting, [estimate(ANSWERS, JUDGING), estimate(ANSWERS)], ASSUMED)

    assert "$1.50 *" in text
    assert "$1.00 *" not in text
    assert "* above the ceiling of $1.20" in text


def test_text__real_costs() -> None:
    """What was taken from an earlier run, and that nothing was."""
    setting = SETTING.model_copy(update={"real": "gate-out/run.json"})
    real = ANSWERS.model_copy(update={"measured": True})

    assert "Real costs of gate-out/run.json: flash." in estimate_text(
        setting, [estimate(real, JUDGING)], ASSUMED
    )
    assert "gate-out/run.json tells no cost of these calls" in estimate_text(
        setting, [estimate(ANSWERS, JUDGING)], ASSUMED
    )


def test_json__dollars_are_numbers_or_null() -> None:
    """Whole, known part, by vendor, and each part."""
    known, unknown = as_json(estimate(ANSWERS, JUDGING), estimate(ANSWERS, UNPRICED))["estimates"]

    assert (1.5, 1.5) == (known["usd"], known["known_usd"])
    assert {"google": 1.0, "anthropic": 0.5} == known["usd_by_vendor"]
    assert (None, 1.0) == (unknown["usd"], unknown["known_usd"])
    assert {"google": 1.0, "anthropic": None} == unknown["usd_by_vendor"]
    assert ["no list price of claude-new"] == unknown["unknown"]
    assert ["answer", "judge"] == [part["kind"] for part in known["parts"]]


def test_json__setting_and_assumptions() -> None:
    """Enough to make the same estimate again."""
    found = as_json(estimate(ANSWERS), setting=SETTING.model_copy(update={"ceiling_usd": 0.5}))

    assert (1, 48, ["flash"], 1) == (
        found["schema"],
        found["cases"],
        found["targets"],
        found["repeats"],
    )
    assert 1_000 == found["assumed"]["answer_characters"]
    assert [True] == [one["above_ceiling"] for one in found["estimates"]]
