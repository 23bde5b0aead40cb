"""What `gate init` says at its end: files, what a run costs and can tell, what to do next. Pure."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence

from gate.cli.init_choices import ACTION, Choices
from gate.cli.init_files import CASES, CONFIG, IGNORED, Planned
from gate.cli.init_flows import CEILING
from gate.cli.init_outlook import Outlook
from gate.cli.init_writing import Pending
from gate.datasets.promptfoo import Carried
from gate.decision.prospects import BASELINE_REPEATS, Prospect, together
from gate.decision.words import counted, dollars, listed, percent, setting
from gate.publish.accepting import ACCEPT

__all__ = [
    "carried_text",
    "files_text",
    "filled",
    "next_text",
    "outlook_text",
    "prospects_text",
]

_WIDTH = 79
_SCHEMAS = "evals/schema/"
_OF_PAGES = ("claims", "sentences", "citations", "statements")
"""What is rated for the scorers that read pages."""


def files_text(pending: Pending) -> str:
    """Say what was written and what stays."""
    rows = list(_rows(pending.files))
    if pending.ignores:
        rows.append((IGNORED, f"{listed(pending.ignores)} added"))
    parts = [_table("Written", rows)] if rows else []
    if pending.kept:
        kept = "".join(f"  {path}\n" for path, _ in _rows(pending.kept))
        parts.append(f"Left as it was\n{kept}")
    return "\n".join(parts or ["Everything is there already.\n"])


def _rows(files: Sequence[Planned]) -> Iterator[tuple[str, str]]:
    """Give path and meaning of each, the schemas on one line."""
    schemas = [one.path.removeprefix(_SCHEMAS) for one in files if one.path.startswith(_SCHEMAS)]
    for one in files:
        if not one.path.startswith(_SCHEMAS):
            yield one.path, one.says
        elif one.path.endswith(schemas[0]):
            yield f"{_SCHEMAS}{'*.json' if len(schemas) > 1 else schemas[0]}", one.says


def _table(title: str, rows: Sequence[tuple[str, str]]) -> str:
    width = min(max(len(path) for path, _ in rows), 44)
    return f"{title}\n" + "".join(
        f"  {path.ljust(width)}  {says}".rstrip() + "\n" for path, says in rows
    )


def carried_text(name: str, carried: Carried, *, written: bool) -> str:
    """Say what became of a promptfoo configuration, and line by line what did not."""
    counts = (
        f"{counted(len(carried.cases), 'case')} with {counted(carried.assertions, 'assertion')}"
    )
    if written:
        head = (
            f"{counts} carried over from {name}. A judge is told of the assertions; nothing is "
            "string-matched any more."
        )
    else:
        head = f"{counts} of {name} are not written, since {CASES} is there: move it away first."
    if not carried.left:
        return filled(head)
    lines = "".join(
        textwrap.fill(
            f"line {one.line}: {one.says}",
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
        )
        + "\n"
        for one in carried.left
    )
    return f"{filled(head)}\nNot carried over\n{lines}"


def outlook_text(outlook: Outlook) -> str:
    """Say what a run costs, and what so many cases can tell."""
    parts = [filled(_cost(outlook))]
    if outlook.needed is not None:
        few = f"No run of {counted(outlook.cases, 'case')} can pass"
        parts.append(filled(f"{few}: {outlook.needed} are the least, 24 a fair start."))
    scorers = outlook.estimate.scorers
    if "quality" not in scorers:
        return "".join(parts)
    pages = (
        " Faithfulness and citations count only answers whose pages can be read: add cases."
        if {"faithfulness", "citations"} & set(scorers)
        else ""
    )
    notes = (
        f"Noise: how far a case's score moves without a change, as published of another search "
        f"model, against a baseline of {BASELINE_REPEATS} answers a case. Smallest drop: seen by "
        f"four runs in five. A pass rules out a drop of {setting(outlook.margin)}. Your own "
        f"figures stand in every report.{pages}"
    )
    return "".join([*parts, "\n", prospects_text(outlook.prospects), "\n", filled(notes)])


def prospects_text(found: Sequence[Prospect]) -> str:
    """Return the table of what so many cases can tell, a line for each dimension."""
    rows = [
        ("", "noise", "smallest drop", "unchanged runs pass"),
        *(
            (one.dimension, f"{one.spread:.2f}", f"{one.smallest_drop:.2f}", percent(one.pass_rate))
            for one in found
        ),
        ("all three", "", "", percent(together(found))),
    ]
    return "".join(
        f"  {name:<16}{noise:>6}{drop:>16}{rate:>22}\n" for name, noise, drop, rate in rows
    )


def _cost(outlook: Outlook) -> str:
    one = outlook.estimate
    word = "about" if one.usd is not None else "at least"
    text = (
        f"A run of {counted(outlook.cases, 'case')} costs {word} {dollars(one.known_usd)} at list "
        f"prices, a factor of two either way; a baseline of {BASELINE_REPEATS} answers a case "
        f"{word} {dollars(BASELINE_REPEATS * one.known_usd)}."
    )
    ceiling = outlook.ceiling_usd
    if ceiling is None:
        return text
    if one.known_usd > ceiling:
        return (
            f"{text} That run is above the ceiling of {dollars(ceiling)}: raise run.max_cost_usd."
        )
    return f"{text} A run stops at {dollars(ceiling)} (run.max_cost_usd)."


def next_text(choices: Choices, carried: Carried | None, outlook: Outlook | None) -> str:
    """Say what to do next, step by step."""
    steps = _steps(choices, carried, outlook)
    return "Next\n" + "".join(_step(number, *one) for number, one in enumerate(steps, 1))


def _step(number: int, words: str, *commands: str) -> str:
    said = textwrap.fill(
        words,
        _WIDTH,
        initial_indent=f"  {number}. ",
        subsequent_indent="     ",
        break_on_hyphens=False,
    )
    return "\n".join([said, *(f"       {line}" for line in commands), ""])


def _ceiling(outlook: Outlook | None) -> str:
    """Return the option of a ceiling that a baseline stays below: twice its estimate."""
    if outlook is None:
        return ""
    dear = 2 * BASELINE_REPEATS * outlook.estimate.known_usd
    return f" --max-cost {math.ceil(max(dear, CEILING))}"


def _steps(
    choices: Choices, carried: Carried | None, outlook: Outlook | None
) -> Iterator[tuple[str, ...]]:
    """Give each step: what to do, then its commands."""
    yield "Look at it for nothing, against a stand-in:", "gate run --offline"
    cases = "" if carried else f"your questions into {CASES}, "
    yield (f"Put {cases}your model into {CONFIG}.",)
    keys = (
        "secrets GEMINI_API_KEY and ANTHROPIC_API_KEY"
        if choices.road == "keys"
        else "variables GOOGLE_CLOUD_PROJECT and WORKLOAD_IDENTITY_PROVIDER"
    )
    place = f"GitHub, Settings, Environments: make `gate-paid`, and put the {keys} there."
    yield (f"{place} Require a reviewer if your plan has that.",)
    allowed = "let workflows create pull requests, for the one of a new baseline."
    yield (f"GitHub, Settings, Actions, General: {allowed}",)
    yield "Two labels:", "gh label create gate", f'gh label create "{ACCEPT}"'
    if choices.action == ACTION:
        whose = (
            f"Say whose action the workflows take, in the place of {ACTION}: a release, or a copy "
            "of its repository in an account of yours, by its full commit:"
        )
        yield whose, "gate init --force --action OWNER/REPO@COMMIT"
    yield ("Merge it, then set the label `gate` on a pull request: numbers, nothing fails.",)
    most = _ceiling(outlook)
    yield (
        "A baseline, from your machine (later ones by the workflow `baseline`):",
        f"RUN_EVALS=1 gate run --repeats {BASELINE_REPEATS} --out gate-out/first{most}",
        "gate baseline gate-out/first/run.json --write baseline.json",
    )
    yield (
        "Rate sixty of its answers. Until then no judged dimension may fail anything:",
        'gate label gate-out/first --by "Your Name" --next 60',
        *(
            [f'gate label gate-out/first --by "Your Name" --{one}' for one in _OF_PAGES]
            if choices.fetch
            else []
        ),
        "gate kappa gate-out/first/run.json --labels evals/labels/your-name.yaml \\",
        "  --write evals/calibration.json",
    )
    merged = "Merge baseline, labels and calibration: what lies on the default branch decides."
    then = f"Then set `report_only: false` in {CONFIG}. From there on a drop fails a pull request."
    yield (f"{merged} {then}",)


def filled(text: str) -> str:
    """Return a paragraph in lines that fit a terminal."""
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False, break_long_words=False) + "\n"
