"""How fast is `gate run`, from outside? Whole processes against a stand-in that answers in 50 ms.

The stand-in is a process of its own that is not measured; it shows the mechanism's cost and says
nothing of a vendor. One answer and one judge call (scorer `quality`) for each case, through the
real SDK clients, journal on, as a paid run in CI would be. "N at once" is the most calls in flight,
answers and rulings together. The ideal is what the delays alone would take. On a machine that
others use, CPU seconds and ratios say more than wall; `yardstick` is the CPU time of a fixed loop
beside each row, about 0.17 s on an idle core.

    python bench/throughput.py                        the gate alone
    python bench/throughput.py --peers FOLDER         beside its rivals; see bench/peers/README.md
    python bench/throughput.py --runs 1 --only 200    one load, once
    python bench/throughput.py --long                 10,000 cases of 500 ms, too (minutes)
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from compileall import compile_dir
from dataclasses import dataclass
from pathlib import Path

from loads import (
    LARGE,
    LONG,
    MIDDLE,
    ROOT,
    SMALL,
    Load,
    gate_command,
    gate_environment,
    write_gate,
)
from measuring import Measured, StandIn, measure, median, stand_in

sys.path.append(str(Path(__file__).resolve().parent / "peers"))
from rivals import find_rivals  # its folder is no package

GATE = "gate"
DECIDING = "gate, with a baseline"
ENGINE = "gate, engine only"
NO_CALL = Load(1, 1, 0)


@dataclass(frozen=True)
class Contender:
    """A way to work through a load."""

    name: str
    """In the table."""
    prepare: Callable[[Path, Load], None]
    """Writes its files into a folder."""
    command: Callable[[Load], list[str]]
    """What to run there."""
    environment: Callable[[Path, str], Mapping[str, str]]
    """Folder and the stand-in's URL -> environment."""
    calls: bool = True
    """Whether it calls the stand-in."""

    def run(self, load: Load, server: StandIn) -> Measured:
        """Work through a load once, in a new folder."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.prepare(folder, load)
            many = load.cases if self.calls else 0
            return measure(
                self.command(load),
                folder=folder,
                env=self.environment(folder, server.url),
                server=server,
                delay_ms=load.delay_ms,
                calls=(many, many),
            )


def gates(names: Sequence[str], baselines: Mapping[int, Path]) -> Iterator[Contender]:
    """The gate's side: as it is, with a baseline to decide on, and without SDKs and HTTP."""

    def prepare_deciding(folder: Path, load: Load) -> None:
        write_gate(folder, load)
        shutil.copy(baselines[load.cases], folder / "baseline.json")

    def environment(_folder: Path, url: str) -> Mapping[str, str]:
        return gate_environment(url)

    def command(_load: Load) -> list[str]:
        return gate_command("run")

    def engine(_load: Load) -> list[str]:
        return [sys.executable, str(ROOT / "bench/no_sdk.py"), "run"]

    known = (
        Contender(GATE, write_gate, command, environment),
        Contender(DECIDING, prepare_deciding, command, environment),
        Contender(ENGINE, write_gate, engine, environment, calls=False),
    )
    return (one for one in known if one.name in names)


def make_baseline(folder: Path, load: Load, server: StandIn) -> Path:
    """Run a load once and make a baseline of it."""
    write_gate(folder, load)
    env = gate_environment(server.url)
    measure(gate_command("run"), folder=folder, env=env, server=server)
    words = ("baseline", "gate-out/run.json", "--write", "baseline.json")
    measure(gate_command(*words), folder=folder, env=env, server=server)
    return folder / "baseline.json"


def yardstick_s() -> float:
    """CPU seconds of a fixed loop: what this machine is worth just now."""
    began = time.process_time()
    sum(number * number % 7 for number in range(3_000_000))
    return time.process_time() - began


def table(load: Load, contenders: Sequence[Contender], server: StandIn, runs: int) -> None:
    """Measure all contenders in turns, so that the same moments are shared, and print medians."""
    found: dict[str, list[Measured]] = defaultdict(list)
    yards: dict[str, list[float]] = defaultdict(list)
    for number in range(runs):
        for one in contenders:
            yards[one.name].append(yardstick_s())
            found[one.name].append(one.run(load, server))
            print(f"{load.name}: {one.name}, run {number + 1} of {runs}", file=sys.stderr)
    print(f"\n{load.name} (ideal {load.ideal_s:.2f} s; median of {runs})\n")
    columns = (
        *("", "wall s", "CPU s", "peak MB", "with children MB"),
        *("calls/s", "in flight", "connections", "yardstick s"),
    )
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name, rows in found.items():
        middle = median(rows)
        low, high = min(row.wall_s for row in rows), max(row.wall_s for row in rows)
        cells = (
            *(name, f"{middle.wall_s:.2f} ({low:.2f}-{high:.2f})", f"{middle.cpu_s:.2f}"),
            *(f"{middle.peak_mb:.0f}", f"{middle.sum_mb:.0f}"),
            *(f"{2 * load.cases / middle.wall_s:.0f}", f"{middle.most_in_flight:.0f}"),
            *(f"{middle.connections:.0f}", f"{statistics.median(yards[name]):.2f}"),
        )
        print(f"| {' | '.join(cells)} |", flush=True)


def cold_starts(contenders: Sequence[Contender], folder: Path, server: StandIn, runs: int) -> None:
    """Print how long it takes until something happens; `folder` holds a run and its baseline."""
    env = gate_environment(server.url)
    compare = gate_command("compare", "gate-out/run.json", "--report-only")
    to_end: dict[str, list[str]] = {
        "`python -c pass`": [sys.executable, "-c", "pass"],
        "`gate --help`": gate_command("--help"),
        "`gate compare` of one case": compare,
    }
    waits: dict[str, list[float]] = defaultdict(list)
    used: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        for name, command in to_end.items():
            one = measure(command, folder=folder, env=env, server=server)
            waits[name].append(one.wall_s)
            used[name].append(one.cpu_s)
        for contender in contenders:
            one = contender.run(NO_CALL, server)
            waits[f"{contender.name}, to its first call"].append(one.first_call_s)
            waits[f"{contender.name}, one case of 0 ms"].append(one.wall_s)
            used[f"{contender.name}, one case of 0 ms"].append(one.cpu_s)
    print(f"\nCold start (median of {runs})\n\n| | wall ms | CPU ms |\n|---|---|---|")
    for name, values in waits.items():
        cpu = f"{statistics.median(used[name]) * 1000:.0f}" if used[name] else ""
        print(f"| {name} | {statistics.median(values) * 1000:.0f} | {cpu} |", flush=True)


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="of each load; the median counts")
    parser.add_argument("--cold-runs", type=int, default=9, help="of each cold start")
    parser.add_argument(
        "--only", type=int, action="append", help="the load of so many cases; 0 is the cold start"
    )
    parser.add_argument("--long", action="store_true", help="1,000 and 10,000 cases of 500 ms, too")
    parser.add_argument("--peers", type=Path, help="folder of the rivals' environments")
    parser.add_argument(
        "--baseline", action="store_true", help="the gate with a baseline to decide on, too"
    )
    parser.add_argument("--no-gate", action="store_true", help="the rivals alone")
    options = parser.parse_args()
    if options.peers is not None and not options.peers.is_dir():
        parser.error(f"--peers {options.peers}: there is no such folder")
    return options


def main() -> int:
    """Measure and print."""
    options = read_options()
    loads = [
        load for load in (SMALL, MIDDLE, LARGE) if not options.only or load.cases in options.only
    ]
    rivals = [
        Contender(rival.name, rival.prepare, rival.command, rival.environment)
        for rival in (find_rivals(options.peers) if options.peers else ())
    ]
    names = (GATE, *((DECIDING,) if options.baseline else ()), ENGINE)
    wanted = () if options.no_gate else names
    cold = bool(wanted) and (not options.only or 0 in options.only)
    compile_dir(ROOT / "gate", quiet=1)
    with stand_in() as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        baselines: dict[int, Path] = {}
        needed = {*((SMALL,) if cold else ()), *(loads if DECIDING in wanted else ())}
        for load in needed:
            place = folder / str(load.cases)
            place.mkdir()
            baselines[load.cases] = make_baseline(place, load, server)
        if cold:
            ready = [*gates((GATE,), baselines), *rivals]
            cold_starts(ready, folder / str(SMALL.cases), server, options.cold_runs)
        for load in loads:
            table(load, [*gates(wanted, baselines), *rivals], server, options.runs)
        if options.long and wanted:
            for load in LONG:
                table(load, list(gates((GATE,), baselines)), server, 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
