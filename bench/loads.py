"""What the gate is given to do: cases, configuration and environment of a bench folder."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STRANGE = ("GOOGLE", "GEMINI", "ANTHROPIC", "CLAUDE", "CLOUD_ML", "OPENAI", "EVAL_", "GATE_")
KINDS = ("factual", "temporal", "how-to", "multi-hop", "ambiguous", "no-good-answer")


@dataclass(frozen=True)
class Load:
    """So many cases, one answer and one judge call each."""

    cases: int
    """Cases."""
    at_once: int
    """Calls in flight at most, answers and rulings together: an even number, or 1."""
    delay_ms: int
    """After which the stand-in answers each call."""

    @property
    def ideal_s(self) -> float:
        """Seconds that nothing but the delays would take."""
        one = 2 * self.cases * self.delay_ms / 1000
        return one / self.at_once

    @property
    def name(self) -> str:
        """The load in words."""
        many = "1 case" if self.cases == 1 else f"{self.cases:,} cases"
        return f"{many}, {self.at_once} at once, {self.delay_ms} ms"


SMALL = Load(1, 1, 50)
MIDDLE = Load(200, 16, 50)
LARGE = Load(2000, 64, 50)
LONG = (Load(1000, 64, 500), Load(10_000, 64, 500))


def question(number: int) -> str:
    """Return a question that no other case asks."""
    return f"How long does crossing number {number} take, and on which days does the boat leave?"


EXPECTED = (
    "gives the duration of the crossing as 95 minutes",
    "says that the boat leaves more often in summer than in winter",
)


def write_cases(path: Path, count: int) -> None:
    """Write so many cases, as people write them."""
    lines: list[str] = []
    for number in range(count):
        lines += [
            f"- id: crossing-{number:05}",
            f"  query: {json.dumps(question(number))}",
            f"  category: {KINDS[number % len(KINDS)]}",
            "  expect_assertions:",
            *(f"    - {json.dumps(text)}" for text in EXPECTED),
            f'  expect_domains: ["source-{number % 5}.example"]',
        ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_gate(folder: Path, load: Load) -> None:
    """Write `gate.yaml` and its cases.

    The gate limits calls by vendor, the rivals in all: with half of `at_once` for each vendor both
    have at most `at_once` calls in flight and the same ideal.
    """
    each = max(1, load.at_once // 2)
    write_cases(folder / "cases.yaml", load.cases)
    (folder / "gate.yaml").write_text(
        f"""schema: 1
name: bench
dataset:
  path: cases.yaml
targets:
  gemini-3.8-flash:
    use: gemini
    model: gemini-3.8-flash
judge:
  use: claude
  model: claude-opus-5-5
scorers:
  - quality
connections:
  google:
    road: key
  anthropic:
    road: direct
baseline: baseline.json
run:
  concurrency:
    google: {each}
    anthropic: {each}
""",
        encoding="utf-8",
    )


def clean_environment() -> dict[str, str]:
    """The environment without keys, proxies and settings of vendors.

    Python may keep bytecode: what is installed has been compiled, the gate of a clone has not.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(STRANGE)
        and not name.lower().endswith("_proxy")
        and name != "PYTHONDONTWRITEBYTECODE"
    }


def gate_environment(url: str) -> dict[str, str]:
    """A paid run as in CI, but to the stand-in: both SDKs read their base URL from these names."""
    return {
        **clean_environment(),
        "PYTHONPATH": str(ROOT),
        "GOOGLE_GEMINI_BASE_URL": url,
        "ANTHROPIC_BASE_URL": url,
        "GEMINI_API_KEY": "bench",
        "ANTHROPIC_API_KEY": "bench",
        "RUN_EVALS": "1",
    }


def gate_command(*words: str) -> list[str]:
    """The gate of this tree, by this interpreter."""
    return [sys.executable, "-m", "gate", *words]
