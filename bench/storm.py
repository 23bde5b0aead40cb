"""A storm: 5% of all vendor requests fail at random, in eighteen ways. What does a run lose?

Real `gate run` processes ask the loopback world over HTTP: once in calm weather, once in the
storm, both compared with the calm run as baseline. The world keeps books of its own, and this
program holds the journal and the results of the run against them, from outside:

- nothing lost: every cell has its answer and its scores, as in calm weather;
- nothing duplicated: no call has two kept replies, and no reply was kept twice;
- every request that may have cost something is accounted for: kept, or counted at its reserve;
- what the vendors billed is at most what the run says, and that is at most the ceiling (money is
  only ever added, so what holds at the end held at every moment);
- the same run.json but for times, tries and costs, and the same verdict.

Then a run whose ceiling is half of what it needs: it must stop below it.

    make storm                                        10,000 cells of `quality`: minutes
    python bench/storm.py --cases 48 --scorer all     every scorer, pages included
    python bench/storm.py --cases 48 --world wrong    a run that is a regression
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

import yaml

from gate.loopback.storm import KINDS

ROOT = Path(__file__).resolve().parents[1]
MARKS = "?!.,"
"""Marks that the world passes over: questions that differ in them are different requests."""
LEDGER = "GATE_WORLD_LEDGER"
MASKED = ("id", "created", "journal", "world", "cost", "latency_s", "cost_usd")
"""Keys of run.json that may differ."""
CENT = 0.01
_FULL = 2
"""Marks a question up to which its case stays whole."""


@dataclass(frozen=True)
class Made:
    """A run and what it left behind."""

    seconds: float
    """How long it took."""
    folder: Path
    """Its folder."""
    ledger: Sequence[Mapping[str, Any]]
    """The world's books."""

    def json(self, name: str) -> Any:
        """Read a file of its folder."""
        return json.loads((self.folder / name).read_text("utf-8"))

    def calls(self) -> list[sqlite3.Row]:
        """Read the rows of its journal."""
        with sqlite3.connect(self.folder / "journal.sqlite") as connection:
            connection.row_factory = sqlite3.Row
            return connection.execute("SELECT * FROM calls").fetchall()


@dataclass(frozen=True)
class Place:
    """A folder with a configuration, and how the gate is started there."""

    folder: Path
    scorer: str

    def prepare(self, cases: int, targets: int, call_timeout_s: float) -> None:
        """Write gate.yaml and its cases."""
        shutil.copytree(ROOT / "evals", self.folder / "evals")
        config = yaml.safe_load((ROOT / "gate.yaml").read_text("utf-8"))
        plain = config["targets"]["gemini-3.8-flash"]
        levels = ("low", "medium", "high", "minimal")[:targets]
        config["targets"] = {f"flash-{one}": {**plain, "thinking_level": one} for one in levels}
        config["run"] = {
            "call_timeout_s": call_timeout_s,
            "retry": {"first_wait_s": 0.2, "longest_wait_s": 2, "longest_asked_s": 2},
        }
        (self.folder / "gate.yaml").write_text(yaml.safe_dump(config), "utf-8")
        known = yaml.safe_load((ROOT / "evals" / "cases.yaml").read_text("utf-8"))
        (self.folder / "evals" / "cases.yaml").write_text(
            json.dumps(_cases(known, cases), ensure_ascii=False),
            "utf-8",  # JSON is YAML, and has no anchors
        )

    def gate(self, *words: str, ledger: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command of the gate."""
        environment = {**os.environ, "GOOGLE_CLOUD_PROJECT": "storm"}
        environment["PYTHONPATH"] = str(ROOT)
        if ledger is not None:
            environment[LEDGER] = str(ledger)
        return subprocess.run(
            [sys.executable, "-m", "gate", *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, name: str, world: str, ceiling_usd: float | None = None) -> Made:
        """Make a run against a world."""
        ledger = self.folder / f"{name}.ledger"
        words = ["run", f"--offline={world}", "--report-only", "--out", name]
        if self.scorer != "all":
            words += ["--scorer", self.scorer]
        if ceiling_usd is not None:
            words += ["--max-cost", f"{ceiling_usd:.2f}"]
        began = time.monotonic()
        done = self.gate(*words, ledger=ledger)
        seconds = time.monotonic() - began
        if done.returncode:
            raise SystemExit(f"{name} ended with exit code {done.returncode}:\n{done.stderr}")
        rows = [json.loads(line) for line in ledger.read_text("utf-8").splitlines()]
        return Made(seconds, self.folder / name, rows)

    def verdict(self, made: Made) -> tuple[int, Any]:
        """Compare a run with the baseline; return exit code and verdict."""
        out = f"{made.folder.name}-compared"
        done = self.gate("compare", f"{made.folder.name}/run.json", "--out", out)
        return done.returncode, json.loads((self.folder / out / "verdict.json").read_text("utf-8"))


def _cases(known: Sequence[Mapping[str, Any]], wanted: int) -> list[dict[str, Any]]:
    """Return so many cases: the known ones, asked with other marks at the end."""
    depth = 1
    while len(known) * len(MARKS) ** depth < wanted:
        depth += 1
    # A file of cases may hold a megabyte: thousands of them go without what the judge may expect.
    fields = ("category",) if depth > _FULL else ("category", "expect_assertions", "expect_domains")
    found = (
        {
            **{field: case[field] for field in fields if field in case},
            "id": f"{case['id']}-{number}",
            "query": f"{case['query']} {''.join(marks)}",
        }
        for number, marks in enumerate(product(MARKS, repeat=depth))
        for case in known
    )
    return list(islice(found, wanted))


def masked(value: Any) -> Any:
    """Return what must be the same with and without a storm."""
    if isinstance(value, dict):
        return {key: masked(one) for key, one in value.items() if key not in MASKED}
    return [masked(one) for one in value] if isinstance(value, list) else value


def decided(verdict: Any) -> Any:
    """Return what a verdict says of quality: latencies, costs and prices do differ."""
    rows = [{**row, "settles": None} for row in verdict["comparisons"]]
    return verdict["status"], verdict["exit_code"], rows


def _digest(text: str) -> str:
    body = json.loads(text)
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


class Audit:
    """Holds a run against the world's books."""

    def __init__(self, made: Made, ceiling_usd: float | None) -> None:
        self.calls = made.calls()
        self.ledger = made.ledger
        self.cost = made.json("run.json")["cost"]
        self.ceiling_usd = ceiling_usd
        self.kept = [call for call in self.calls if call["body"] is not None]
        self.lost = sum(call["lost"] for call in self.calls)
        self.tries = sum(call["tries"] for call in self.calls)
        self.again = sum(max(0, call["tries"] - 1) for call in self.calls)
        self.faults = Counter(row["fault"] for row in self.ledger if row["fault"])
        self.billed_usd, self.unanswered = self._bill()

    def _bill(self) -> tuple[float, int]:
        """Return what the vendors billed, and how many billed requests gave no kept reply.

        A request that was billed in vain costs what the same request cost when it was answered;
        where it never was, its reserve.
        """
        usd = {_digest(call["body"]): call["usd"] for call in self.kept}
        price: dict[str, float] = {}
        for row in self.ledger:
            if row["fault"] is None and row["billed"] and row["reply"] in usd:
                price[row["request"]] = max(price.get(row["request"], 0), usd[row["reply"]])
        worst = {"target": 0.0, "judge": 0.0}
        for call in self.calls:
            side = "target" if call["kind"] == "answer" else "judge"
            worst[side] = max(worst[side], call["reserve_usd"] or 0.0)
        vain = [row for row in self.ledger if row["billed"] and row["fault"]]
        answered = sum(call["usd"] for call in self.kept)
        return (
            answered + sum(price.get(row["request"], worst[row["side"]]) for row in vain),
            len(vain),
        )

    def problems(self) -> list[str]:
        """Return what does not hold."""
        found = []
        committed = Counter(call["key"] for call in self.kept)
        twice = sum(count > 1 for count in committed.values())
        if twice:
            found.append(f"{twice} calls have two kept replies")
        books = Counter(row["reply"] for row in self.ledger if row["billed"])
        mine = Counter(_digest(call["body"]) for call in self.kept)
        if invented := mine - books:
            found.append(f"{sum(invented.values())} kept replies were never billed")
        # On a busy machine a call may time out before it reaches the world: in the journal alone.
        if self.tries < len(self.ledger):
            found.append(f"{self.tries} tries in the journal, {len(self.ledger)} in the books")
        refused = sum(
            row["fault"] is not None and KINDS[row["fault"]].refuse is not None
            for row in self.ledger
        )
        vain = self.tries - refused - len(self.kept)
        if vain != self.lost:
            found.append(f"{vain} requests ended without a word, {self.lost} count as spent")
        claimed = sum(call["usd"] or 0.0 for call in self.calls) + sum(
            call["lost"] * (call["reserve_usd"] or 0.0) for call in self.calls
        )
        if abs(claimed - self.cost["usd"]) > CENT:
            found.append(f"the journal says ${claimed:.2f}, run.json ${self.cost['usd']:.2f}")
        if self.billed_usd > self.cost["usd"] + CENT:
            found.append(f"billed ${self.billed_usd:.2f}, counted ${self.cost['usd']:.2f}")
        if self.ceiling_usd is not None and self.cost["usd"] > self.ceiling_usd:
            found.append(f"${self.cost['usd']:.2f} is above the ceiling of {self.ceiling_usd:.2f}")
        return found

    def line(self, name: str, made: Made, cells: int, whole: int) -> str:
        """Return a row of the table."""
        ceiling = "" if self.ceiling_usd is None else f" of {self.ceiling_usd:,.2f}"
        return (
            f"| {name} | {whole:,} of {cells:,} | {len(self.ledger):,} | "
            f"{sum(self.faults.values()):,} | {self.again:,} | {self.lost:,} | "
            f"{self.unanswered:,} | {self.billed_usd:,.2f} | {self.cost['usd']:,.2f}{ceiling} | "
            f"{made.seconds:,.0f} |"
        )


def whole_cells(run: Any) -> int:
    """Return how many cells have an answer and every score."""
    return sum(
        all(attempt["state"] == "ok" for attempt in cell["attempts"])
        and not cell["failures"]
        and all(None not in scores for scores in cell["scores"].values())
        for cell in run["cells"]
    )


def differing(calm: Any, storm: Any) -> int:
    """Return how many cells of two runs differ in what must be the same."""
    cells: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for run in (calm, storm):
        for cell in run["cells"]:
            cells[cell["target"], cell["case_id"]].append(masked(cell))
    return sum(len(pair) != 2 or pair[0] != pair[1] for pair in cells.values())


def bench(options: argparse.Namespace, folder: Path) -> list[str]:
    """Make the runs, print the tables, return what does not hold."""
    place = Place(folder, options.scorer)
    place.prepare(options.cases, options.targets, options.call_timeout)
    world = f"{options.world}+storm:{options.percent:g}%:{options.seed}"
    ceiling_usd = options.ceiling or options.cases * options.targets * 0.1
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(place.run, "calm", options.world)
        storm = pool.submit(place.run, "storm", world, ceiling_usd).result()
        calm = waiting.result()
    baseline = calm if options.world == "steady" else place.run("baseline", "steady")
    place.gate("baseline", f"{baseline.folder.name}/run.json", "--write", "baseline.json")
    cells = options.cases * options.targets
    runs = {"calm": calm.json("run.json"), "storm": storm.json("run.json")}
    audit = Audit(storm, ceiling_usd)
    problems = audit.problems()
    print("| weather | whole cells | requests | failed | tried again | outcome unknown |"
          " of these billed | billed, $ | counted, $ | seconds |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|---|")
    print(Audit(calm, None).line("calm", calm, cells, whole_cells(runs["calm"])))
    print(audit.line("storm", storm, cells, whole_cells(runs["storm"])))
    if whole_cells(runs["storm"]) != whole_cells(runs["calm"]):
        problems.append(f"{cells - whole_cells(runs['storm'])} cells of the storm are not whole")
    if masked(runs["calm"]) != masked(runs["storm"]):
        problems.append(f"run.json differs, in {differing(*runs.values())} cells")
    codes = {name: place.verdict(made) for name, made in (("calm", calm), ("storm", storm))}
    same = decided(codes["calm"][1]) == decided(codes["storm"][1])
    if not same:
        problems.append("the verdicts differ")
    if options.half:
        half_usd = runs["calm"]["cost"]["usd"] / 2
        poor = place.run("poor", world, half_usd)
        audited = Audit(poor, half_usd)
        print(
            audited.line("storm, half the money", poor, cells, whole_cells(poor.json("run.json")))
        )
        problems += [f"half the money: {one}" for one in audited.problems()]
    print(
        f"\nVerdicts: calm {codes['calm'][1]['status']}, storm {codes['storm'][1]['status']}"
        f"{', row for row the same' if same else ''}.\n"
    )
    print("| fault | requests | how it is met |\n|---|---|---|")
    for name, kind in KINDS.items():
        met = "asked again, counted as spent" if kind.silent else "asked again, costs nothing"
        print(f"| {name} | {audit.faults[name]:,} | {met} |")
    return problems


def main(arguments: Sequence[str]) -> int:
    """Exit code 1 when something does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=5_000)
    parser.add_argument("--targets", type=int, default=2, choices=(1, 2, 3, 4))
    parser.add_argument("--scorer", default="quick", help="a scorer set of gate.yaml, or all")
    parser.add_argument("--world", default="steady", help="variant of the answering model")
    parser.add_argument("--percent", type=float, default=5.0, help="share of requests that fail")
    parser.add_argument("--seed", default="7")
    parser.add_argument("--ceiling", type=float, help="US dollars; ten cents a cell if left out")
    parser.add_argument("--call-timeout", type=float, default=20.0, help="seconds")
    parser.add_argument("--half", action="store_true", help="run with half the money, too")
    parser.add_argument("--keep", type=Path, help="folder to leave everything in")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        problems = bench(options, folder)
    print("\n" + ("\n".join(f"DOES NOT HOLD: {one}" for one in problems) or "Everything holds."))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
