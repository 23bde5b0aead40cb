"""Kills a real `gate run` before, in and after every write, runs it again, and compares.

    python bench/kill_sweep.py                      every point of both plans (an hour or so)
    python bench/kill_sweep.py --some 12            a dozen points, spread over all kinds
    python bench/kill_sweep.py --double 40          pairs: the resumed run is killed as well
    python bench/kill_sweep.py --strace 40          no hooks: strace kills at the K-th system call

The loopback world lives outside of the killed process; its log says what was really sent. What must
hold after each kill stands in kill_checks.py, and so does what is masked when files are compared.
Exit code 1 when anything else than that differs.
"""

from __future__ import annotations

import os

# Threads of the linear algebra would not survive a fork.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import multiprocessing
import random
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from kill_checks import (
    OUT,
    Reference,
    check_finished,
    check_killed,
    check_resumed,
    refer,
)
from kill_children import Sent, calls_made, command, warm, world
from kill_journal import Snapshot, back_date, snapshot
from kill_points import Point
from kill_strace import FAMILIES, SystemCall

import gate.cli.compare_command
import gate.cli.report_command
import gate.cli.run_command  # noqa: F401 - imported once for all forks

Stops = tuple[Point | SystemCall, ...]
"""Where a run, then the run that resumes it, and so on, are killed."""
ROOT = Path(__file__).resolve().parents[1]
REPORTERS = "reporters: [{use: junit}, {use: csv}]\n"


@dataclass(frozen=True)
class Plan:
    """A run that is killed, and what lies in its folder before."""

    name: str
    """For the report."""
    variant: str
    """Variant of the loopback world."""
    words: tuple[str, ...]
    """Options of `gate run`."""
    earlier: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    """Finished runs before: variant, days ago, options."""

    @property
    def typed(self) -> tuple[str, ...]:
        """The command's words."""
        return ("run", "--offline", self.variant, *self.words)


PLANS = (
    Plan("fresh folder", "steady+judge-repair", ("--sample", "4", "--threshold", "0.05")),
    Plan(
        "after finished runs",
        "steady",
        ("--sample", "3", "--repeats", "2", "--threshold", "0.05"),
        (
            ("steady", 60, ("--sample", "4", "--report-only")),
            ("wrong", 1, ("--sample", "3", "--report-only")),
            ("steady", 0, ("--sample", "2", "--report-only")),
        ),
    ),
)


@dataclass(frozen=True)
class Outcome:
    """What came of one point, or of a pair."""

    plan: str
    """Name of the plan."""
    kind: str
    """Where it was killed, in words; empty when the point was never reached."""
    problems: tuple[str, ...]
    """What does not hold."""
    repeated: int
    """Committed calls that were sent again."""
    in_flight: int
    """Calls of unknown outcome, which were sent again."""


def copy_of_repository(base: Path) -> Path:
    """Make a folder with what decides, and with reporters."""
    base.mkdir(parents=True)
    for name in ("gate.yaml", "baseline.json"):
        shutil.copy(ROOT / name, base / name)
    shutil.copytree(ROOT / "evals", base / "evals")
    with (base / "gate.yaml").open("a", encoding="utf-8") as stream:
        stream.write(REPORTERS)
    return base


def prepare(plan: Plan, folder: Path) -> tuple[Reference, Sequence[tuple[Point, str]]]:
    """Fill `folder/base`, make the uninterrupted run, and find its points."""
    base = copy_of_repository(folder / "base")
    for variant, days, words in plan.earlier:
        with world(variant) as (port, _):
            done = command(("run", "--offline", variant, *words), base, port=port)
        if done.code:
            raise SystemExit(f"the earlier run failed: {done.err}")
        back_date(base / OUT, days)
    whole = folder / "whole"
    shutil.copytree(base, whole)
    with world(plan.variant) as (port, sent):
        done = command(plan.typed, whole, port=port, hooked=whole / OUT)
        if done.code not in (0, 1):
            raise SystemExit(f"the uninterrupted run failed: {done.err}")
        return refer(base, whole, plan.words, done, sent()), done.points


def sweep_one(plan: Plan, folder: Path, reference: Reference, stops: Stops) -> Outcome:
    """Kill at each point in turn, each time in the run that resumes; then resume and compare."""
    with TemporaryDirectory(prefix="kill-", dir=folder) as name:
        place = Path(name) / "work"
        shutil.copytree(folder / "base", place)
        kinds: list[str] = []
        problems: list[str] = []
        logs: list[Sent] = []
        before = snapshot(place / OUT)
        for stop in stops:
            with world(plan.variant) as (port, sent):
                ended = command(plan.typed, place, port=port, stop=stop, hooked=place / OUT)
                logs.append(sent())
            if not ended.killed:
                return Outcome(plan.name, "", (), 0, 0)
            kinds.append(stop.kind if isinstance(stop, SystemCall) else ended.points[-1][1])
            problems += check_killed(reference, place)
            before = snapshot(place / OUT)
            if reference.finished(before):
                problems += check_finished(reference, place)
                return Outcome(plan.name, " + ".join(kinds), tuple(problems), 0, 0)
        return resume(plan, place, reference, before, (kinds, problems, logs))


def resume(
    plan: Plan,
    place: Path,
    reference: Reference,
    before: Snapshot,
    so_far: tuple[list[str], list[str], list[Sent]],
) -> Outcome:
    """Run the command again, to its end, and compare all."""
    kinds, problems, logs = so_far
    with world(plan.variant) as (port, sent):
        again = command(plan.typed, place, port=port)
        found, repeated = check_resumed(reference, place, before, again, [*logs, sent()])
    return Outcome(
        plan.name, " + ".join(kinds), (*problems, *found), repeated, len(before.unsettled)
    )


def choose(points: Sequence[tuple[Point, str]], some: int, seed: str) -> list[Stops]:
    """Take a part of the points, spread over kinds as evenly as can be; 0 takes all."""
    if not some:
        return [(point,) for point, _ in points]
    draw = random.Random(seed)
    kinds: dict[str, list[Point]] = defaultdict(list)
    for point, kind in points:
        kinds[kind].append(point)
    order = sorted(kinds)
    draw.shuffle(order)
    chosen: list[Stops] = []
    while len(chosen) < min(some, len(points)):
        for kind in order:
            if kinds[kind] and len(chosen) < some:
                chosen.append((kinds[kind].pop(draw.randrange(len(kinds[kind]))),))
    return chosen


def system_calls(plan: Plan, folder: Path, number: int) -> list[Stops]:
    """Choose so many system calls, evenly spread over the run: half on the journal."""
    stops: list[Stops] = []
    for family in FAMILIES:
        place = folder / "traced"
        shutil.copytree(folder / "base", place)
        with world(plan.variant) as (port, _):
            most = calls_made(plan.typed, place, port, family)
        shutil.rmtree(place)
        some = min(most, number // 2)
        print(f"{plan.name}: {most} system calls ({family}), {some} kills to make", flush=True)
        stops += [(SystemCall(family, 1 + one * most // some),) for one in range(some)]
    return stops


def pairs(points: Sequence[tuple[Point, str]], number: int, seed: str) -> list[Stops]:
    """Draw pairs of points: the first in the run, the second in the one that resumes it."""
    draw = random.Random(seed)
    return [(draw.choice(points)[0], draw.choice(points)[0]) for _ in range(number)]


def main() -> int:
    """Sweep, tell, and return the exit code."""
    options = _parser().parse_args()
    outcomes: list[Outcome] = []
    began = time.monotonic()
    with TemporaryDirectory(prefix="kill-sweep-") as name:
        with world(PLANS[0].variant) as (port, _):
            warm(PLANS[0].typed, copy_of_repository(Path(name) / "warm"), port)
        for number, plan in enumerate(PLANS):
            if options.plan is not None and options.plan != number:
                continue
            folder = Path(name) / str(number)
            reference, points = prepare(plan, folder)
            seed = f"{options.seed} {number}"
            stops = pairs(points, options.double, seed)
            if options.strace:
                stops += system_calls(plan, folder, options.strace)
            if not stops:
                stops = choose(points, options.some, seed)
            print(f"{plan.name}: {len(points)} points, {len(stops)} kills to make", flush=True)
            with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
                work = partial(sweep_one, plan, folder, reference)
                for outcome in pool.imap_unordered(work, stops):
                    outcomes.append(outcome)
                    if outcome.problems:
                        print(json.dumps(asdict(outcome), ensure_ascii=False), flush=True)
                    if options.minutes and time.monotonic() - began > options.minutes * 60:
                        break
    return tell(outcomes, time.monotonic() - began)


def tell(outcomes: Sequence[Outcome], seconds: float) -> int:
    """Print the table of kinds and the sums; return the exit code."""
    reached = [one for one in outcomes if one.kind]
    print("\nkills  repeated  in flight  at odds  where")
    for kind in sorted({one.kind for one in reached}):
        of_kind = [one for one in reached if one.kind == kind]
        print(
            f"{len(of_kind):5}  {sum(one.repeated for one in of_kind):8}"
            f"  {sum(one.in_flight for one in of_kind):9}"
            f"  {sum(bool(one.problems) for one in of_kind):7}  {kind}"
        )
    wrong = [one for one in reached if one.problems]
    print(
        f"\n{len(reached)} kills ({len(outcomes) - len(reached)} points not reached), "
        f"{sum(one.repeated for one in reached)} committed calls repeated, "
        f"{sum(one.in_flight for one in reached)} calls in flight sent again, "
        f"{len(wrong)} at odds; {seconds:.0f} s"
    )
    return 1 if wrong or not reached else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--some", type=int, default=0, help="so many points a plan  [all]")
    parser.add_argument("--double", type=int, default=0, help="pairs a plan, and no single ones")
    parser.add_argument("--strace", type=int, default=0, help="system calls a plan, by strace")
    parser.add_argument("--plan", type=int, choices=range(len(PLANS)), help="only this plan")
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long and tell")
    parser.add_argument("--seed", default="sweep", help="of what is drawn")
    parser.add_argument("--jobs", type=int, default=2, help="runs at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
