"""The page docs/mutants.md: figures by folder and file, and the survivors that may live."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import yaml
from mutant_finder import Mutant

ACCEPTED = Path(__file__).with_name("mutants_accepted.yaml")
Z = 1.96

INTRO = """\
# Mutation testing

Would the tests notice? `make mutants` changes `gate/stats/` and `gate/decision/` in one small place
at a time (`<` to `<=`, `+` to `-`, 3 to 4, an argument left out, `return None`, ...) and runs the
unit tests of both folders that reach the place. A mutant that some test fails on is killed; so is
one that no longer ends. `make mutants` writes this page; it is no part of `make test`.

- **Sentences are left alone**: {sentences} strings with a blank in them, f-strings and raised
  errors are for people, and another wording is no fault of logic. What is put into a sentence is
  changed all the same. Left alone, too: annotations, decorators, assertions, `strict=`, `dtype=`
  and `mode=`, and the zero of `... or 0.0`, which stands where the type checker does not know that
  a value is there.
- At most {seconds:g} seconds of the tests of *other* modules are run on a mutant, the most
  promising first. What only the rest would notice counts as survived: the rate is a lower bound.
- Changes that the compiler makes the same code of are not counted. A survivor counts until it is
  judged again, though a test has been added since.
- Accepted survivors stand in `bench/mutants_accepted.yaml`, each with its reason. They count as
  survived in every figure here. `make mutants` fails for a survivor that does not stand there.
- mutmut 3.8.1 runs on this repository, but changes neither what stands outside of functions (the
  constants that the rules consist of) nor decorated functions, and knows no `return None` and no
  smaller number; over half of its 12,500 mutants are left-out arguments, which crash.
"""


@dataclass(frozen=True)
class Figures:
    """How many mutants became what."""

    killed: int
    timed_out: int
    survived: int
    accepted: int
    """Of the survivors."""
    open: int
    """Not judged yet."""

    @property
    def judged(self) -> int:
        """Mutants with an outcome."""
        return self.killed + self.timed_out + self.survived

    @property
    def rate(self) -> float:
        """The share that was noticed."""
        return (self.killed + self.timed_out) / self.judged if self.judged else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval (Wilson 1927) of the rate, where the mutants are a random sample."""
        n, p = max(self.judged, 1), self.rate
        middle = p + Z**2 / (2 * n)
        half = Z * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
        return (middle - half) / (1 + Z**2 / n), (middle + half) / (1 + Z**2 / n)


def accepted_in(file: Path) -> dict[str, str]:
    """Read mutant -> why it may live; raises ValueError for one that is named twice."""
    found: dict[str, str] = {}
    for group in yaml.safe_load(file.read_text()) or ():
        for name in group["mutants"]:
            if name in found:
                raise ValueError(f"{file.name} names a mutant twice: {name}")
            found[name] = group["why"]
    return found


def figures_of(
    mutants: Sequence[Mutant], outcomes: Mapping[str, str], accepted: Mapping[str, str]
) -> Figures:
    """Count; what the compiler makes the same of is no mutant."""
    counts = Counter(outcomes.get(one.id, "open") for one in mutants)
    survived = [one.id for one in mutants if outcomes.get(one.id) == "survived"]
    return Figures(
        killed=counts["killed"] + counts["crashed"],
        timed_out=counts["timed out"],
        survived=len(survived),
        accepted=sum(one in accepted for one in survived),
        open=counts["open"] + counts["broken"],
    )


def sentence(found: Figures, *, sample: bool) -> str:
    """Say the rate, and of a sample how far it can be trusted."""
    low, high = found.interval
    text = f"{found.judged} mutants: {100 * found.rate:.1f}% killed"
    text += f" (95% interval {100 * low:.1f}% to {100 * high:.1f}%)" if sample else ""
    text += f", {found.timed_out} of them by the time limit; {found.survived} survived"
    text += f", {found.accepted} of these are accepted"
    return f"{text}; {found.open} not judged yet." if found.open else f"{text}."


def page(
    mutants: Sequence[Mutant],
    outcomes: Mapping[str, str],
    accepted: Mapping[str, str],
    *,
    sentences: int,
    seconds: float,
) -> str:
    """Write the page."""
    files: dict[str, list[Mutant]] = defaultdict(list)
    for one in mutants:
        files[one.file].append(one)
        files[one.file.split("/")[0]].append(one)
    folders = sorted(file for file in files if "/" not in file)
    parts = [INTRO.format(sentences=f"{sentences:,}", seconds=seconds)]
    whole = figures_of(mutants, outcomes, accepted)
    parts.append(f"**{datetime.now(UTC):%d %B %Y}**: {sentence(whole, sample=False)}\n")
    parts.append(_table(folders, files, outcomes, accepted))
    parts.append("## By file\n")
    parts.append(_table(sorted(set(files) - set(folders)), files, outcomes, accepted))
    parts.append(_survivors(mutants, outcomes, accepted))
    return "\n".join(parts)


def _table(
    names: Sequence[str],
    files: Mapping[str, Sequence[Mutant]],
    outcomes: Mapping[str, str],
    accepted: Mapping[str, str],
) -> str:
    lines = [
        "| `gate/` | mutants | killed | timed out | survived | accepted | not judged | rate |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in names:
        one = figures_of(files[name], outcomes, accepted)
        shown = f"{100 * one.rate:.1f}%" if one.judged else ""
        lines.append(
            f"| {name} | {one.judged + one.open} | {one.killed} | {one.timed_out} "
            f"| {one.survived} | {one.accepted} | {one.open} | {shown} |"
        )
    return "\n".join([*lines, ""])


def _survivors(
    mutants: Sequence[Mutant], outcomes: Mapping[str, str], accepted: Mapping[str, str]
) -> str:
    """List what survived, by reason."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for one in mutants:
        if outcomes.get(one.id) == "survived":
            reasons[accepted.get(one.id, "")].append(one.id)
    parts = []
    accepted_ones = {why: ids for why, ids in reasons.items() if why}
    if accepted_ones:
        parts.append("## Survivors that may live\n")
    for why, ids in accepted_ones.items():
        parts.append("\n".join([f"{why.strip()}\n", *(f"- `{one}`" for one in ids), ""]))
    if reasons.get(""):
        parts.append("## Survivors still to be looked at\n")
        parts.append("\n".join([*(f"- `{one}`" for one in reasons[""]), ""]))
    return "\n".join(parts)
