"""How long does `gate compare` take on many cases, and how much memory does it need?

Makes a run and a baseline of N cases x 3 targets x 6 dimensions in a temporary folder, with a fixed
seed: four dimensions in thirds, two continuous ones, some failed answers, some scores without a
value, and one real drop. Then it runs the real commands, each in a process of its own: `gate
compare RUN.json --baseline BASELINE.json --out DIR`, and `gate report DIR` in every format.

Seconds are of the clock, on a machine that may do other things too; CPU seconds are of the process
and of the system for it; the peak is the largest resident set of the process.

    python bench/compare_scale.py                          2,000, 20,000 and 100,000 cases
    python bench/compare_scale.py --cases 100000 --repeats 5
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TARGETS = ("alpha", "beta", "gamma")
THIRDS = ("relevance", "correctness", "source_quality", "completeness")
CONTINUOUS = ("faithfulness", "citation_f1")
DIMENSIONS = (*THIRDS, *CONTINUOUS)
CATEGORIES = ("dates", "numbers", "people", "places", "rules")
FORMATS = ("json", "csv", "junit", "markdown")
MEBI = 1024 * 1024
KIBI = 1024


def sha(*parts: object) -> str:
    """Name something as a digest does."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()


def score(rng: random.Random, dimension: str, side: str, hard: float) -> float:
    """Draw a score; correctness of the new run is a little lower."""
    if dimension in THIRDS:
        good = hard - (0.02 if (side, dimension) == ("run", "correctness") else 0.0)
        return sum(rng.random() < good for _ in range(3)) / 3
    value = min(1.0, max(0.0, rng.gauss(hard, 0.15)))
    return round(value, 4) if side == "baseline" else value


def cell(rng: random.Random, side: str, target: str, number: int, repeats: int) -> dict[str, Any]:
    """Make one case of one target, with all its repeats."""
    hard = random.Random(f"{target}/{number}").uniform(0.4, 1.0)
    attempts: list[dict[str, Any]] = []
    columns: dict[str, list[float | None]] = {name: [] for name in DIMENSIONS}
    failures: dict[str, list[str | None]] = {}
    for repeat in range(repeats):
        ended = rng.random()
        made: dict[str, Any] = {"state": "ok"}
        if ended < 0.01:
            made = {"state": "error", "message": "503: the model is overloaded"}
        elif ended < 0.015:
            made = {"state": "empty"}
        if made["state"] == "ok":
            made["digest"] = sha(side, target, number, repeat)
            made["grounded"] = rng.random() < 0.9
        made["latency_s"] = round(rng.lognormvariate(1.0, 0.4), 4)
        made["cost_usd"] = round(rng.uniform(0.0004, 0.0012), 7)
        if side == "baseline":
            made.pop("message", None)
        attempts.append(made)
        for name in DIMENSIONS:
            lost = name in CONTINUOUS and rng.random() < 0.02
            if made["state"] == "ok" and not lost:
                columns[name].append(score(rng, name, side, hard))
                continue
            columns[name].append(None)
            if made["state"] == "ok":
                kinds = failures.setdefault(name, [None] * repeats)
                kinds[repeat] = "undefined"
    out: dict[str, Any] = {
        "case_id": f"case-{number:06d}",
        "target": target,
        "category": CATEGORIES[number % len(CATEGORIES)],
        "scores": columns,
        "attempts": attempts,
        "case_digest": sha("case", number),
    }
    return out | ({"failures": failures} if failures else {})


def head(side: str) -> dict[str, Any]:
    """Give what stands above the cells."""
    return {
        "schema": 1,
        "provenance": {
            "gate": "0.1.0",
            "created": f"2026-11-{1 if side == 'baseline' else 20:02d}T00:00:00+00:00",
        },
        "targets": [{"name": name, "use": "gemini", "family": "gemini"} for name in TARGETS],
        "metrics": [{"name": name, "judged": name in THIRDS[:2]} for name in DIMENSIONS],
        "identities": {name: {"scorer": sha("scorer", name)} for name in DIMENSIONS},
        **({"runs": ["base"]} if side == "baseline" else {"id": "new"}),
    }


def write(path: Path, side: str, cases: int, repeats: int) -> None:
    """Write one file, a cell a line."""
    rng = random.Random(f"{side}/{cases}/{repeats}")
    order: Iterator[tuple[str, int]]
    if side == "baseline":
        order = ((target, number) for number in range(cases) for target in TARGETS)
    else:
        order = ((target, number) for target in TARGETS for number in range(cases))
    with path.open("w", encoding="utf-8") as stream:
        stream.write("{\n")
        for key, value in head(side).items():
            stream.write(f"{json.dumps(key)}: {json.dumps(value)},\n")
        stream.write('"cells": [')
        for index, (target, number) in enumerate(order):
            stream.write(",\n" if index else "\n")
            json.dump(cell(rng, side, target, number, repeats), stream)
        stream.write("\n]\n}\n")


def measure(name: str, *command: str, folder: Path) -> None:
    """Run one command and print what it took."""
    with (folder / "out.txt").open("wb") as stream:
        began = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "gate", *command],
            cwd=folder,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
        )
        _, status, used = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
    peak = used.ru_maxrss / KIBI
    cpu = used.ru_utime + used.ru_stime
    print(f"  {name:<16}{seconds:8.1f} s{cpu:8.1f} CPU s{peak:8.0f} MB   exit {child.returncode}")
    if child.returncode > 1:
        print((folder / "out.txt").read_text("utf-8", "replace")[-600:])


def size(path: Path) -> str:
    """Say how large a file is."""
    return f"{path.name} {path.stat().st_size / MEBI:.1f} MiB"


def main() -> None:
    """Make the files, run the commands, print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", type=int, nargs="+", default=[2_000, 20_000, 100_000])
    parser.add_argument("--repeats", type=int, default=1, help="of the baseline  [1]")
    parser.add_argument("--formats", nargs="*", default=FORMATS, choices=FORMATS)
    asked = parser.parse_args()
    for cases in asked.cases:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            write(folder / "run.json", "run", cases, 1)
            write(folder / "baseline.json", "baseline", cases, asked.repeats)
            sizes = ", ".join(size(folder / f"{name}.json") for name in ("run", "baseline"))
            print(f"{cases:,} cases, {asked.repeats} in the baseline ({sizes})", flush=True)
            against = ("--baseline", "baseline.json")
            measure("compare", "compare", "run.json", *against, "--out", "out", folder=folder)
            for name in asked.formats if (folder / "out" / "run.json").exists() else ():
                file = f"report.{name}"
                measure(name, "report", "out", "--format", name, "-o", file, folder=folder)
            made = [folder / "out" / "run.json", *folder.glob("report.*")]
            print("  " + ", ".join(size(one) for one in made if one.exists()), flush=True)


if __name__ == "__main__":
    main()
