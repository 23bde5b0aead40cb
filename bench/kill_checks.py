"""What must hold after a kill, and after the run that resumes.

Masked when files are compared with those of the uninterrupted run, and nothing else:

- the run id, wherever it stands, and the moment at which the run began (`provenance.created`);
- measured seconds: `latency_s` and `p50_latency_s` in JSON, `p50 ... s` in Markdown, times in JUnit
  and CSV. Whether there is a figure at all is compared;
- the digest of run.json in `inputs/decision.json`, since the file's times differ;
- the order of the lines of results.jsonl;
- where calls were in flight at the kill, `cost.usd`, `cost.assumed_usd` and `cost.calls` and the
  sentence that says them: they must be those of the uninterrupted run plus, for each intent without
  a result, one call at its reserve, to the last digit. `cost.known_usd` is not masked.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

from kill_children import Ended, Sent, command
from kill_journal import JOURNAL, Snapshot, snapshot

OUT = "gate-out"
VERDICT = "verdict.json"
_RUN_ID = re.compile(r"\b\d{8}T\d{6}Z-[0-9a-f]+\b")
_SECONDS = re.compile(r"(p50 )[\d.]+( s)|(time=\")[\d.]+(\")|(→ )[\d.]+( s )")
_SPENT = re.compile(
    r"(would have cost |Cost: |cost )\$[\d.]+"
    r"(?:, \$[\d.]+ of it for calls whose outcome is unknown, each counted at its worst price)?"
    r"(\*{0,2} \()(\d+ of )?\d+( calls?)"
)
_DRAFT = re.compile(r"\.[0-9a-f]{8}\.tmp$")
_REPORTED: dict[str, list[str]] = {}
_TIMES = frozenset({"latency_s", "p50_latency_s"})


class Spent(NamedTuple):
    """What `cost` must say; the names are those of run.json and verdict.json."""

    usd: float | None
    """All calls, those of unknown outcome at their worst price."""
    assumed_usd: float
    """The part of it that is such worst prices."""
    calls: int
    """Calls."""


@dataclass(frozen=True)
class Reference:
    """The uninterrupted run."""

    options: tuple[str, ...]
    """Options of the command, those of the world left out."""
    earlier: Mapping[str, bytes]
    """Files that lay in the folder before, without the journal."""
    earlier_report: str
    """What `gate report` said of them; empty where there was nothing."""
    runs: int
    """Runs in the journal before."""
    files: Mapping[str, bytes]
    """Files that it left, without the journal."""
    report: str
    """What `gate report` says of them."""
    code: int
    """Exit code."""
    journal: Snapshot
    """Its journal at the end."""
    sent: Sent
    """What reached the world."""

    def finished(self, now: Snapshot) -> bool:
        """Whether the journal says that the killed run is finished: the next one is another."""
        return now.runs >= self.journal.runs and now.state == "finished"


def files_of(folder: Path) -> dict[str, bytes]:
    """Read everything below a folder but the journal."""
    if not folder.exists():
        return {}
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(JOURNAL)
    }


def refer(
    before: Path, whole: Path, options: tuple[str, ...], done: Ended, sent: Sent
) -> Reference:
    """Describe the run that was not killed; raises SystemExit where its own journal is at odds."""
    earlier = files_of(before / OUT)
    journal = snapshot(whole / OUT)
    reference = Reference(
        options,
        earlier,
        _report(before).out if earlier else "",
        snapshot(before / OUT).runs,
        files_of(whole / OUT),
        _report(whole).out,
        done.code,
        journal,
        sent,
    )
    if len(journal.settled) != sum(sent.calls.values()) or journal.unsettled:
        raise SystemExit("the uninterrupted run sent other calls than its journal holds")
    return reference


def check_killed(reference: Reference, place: Path) -> list[str]:
    """Return what a reader of the folder could be told wrongly just after a kill."""
    now = files_of(place / OUT)
    state = snapshot(place / OUT)
    problems = []
    if state.integrity != "ok":
        problems.append(f"journal after the kill: {state.integrity}")
    if VERDICT in now:
        old = now[VERDICT] == reference.earlier.get(VERDICT)
        wanted = reference.earlier if old else reference.files
        # A run that was resumed before this kill has calls in flight of its own.
        cost = None if old else _extra(reference, state.unsettled)
        for name in sorted({name for name in now if not _DRAFT.search(name)} | set(wanted)):
            same = name in now and name in wanted and _same(name, now[name], wanted[name], cost)
            if not same and not (name == "inputs/decision.json" and name not in now):
                problems.append(f"{'old' if old else 'new'} verdict.json beside another {name}")
    return problems + _misreported(reference, place, now, state.unsettled)


def _misreported(
    reference: Reference,
    place: Path,
    now: Mapping[str, bytes],
    unsettled: Sequence[float | None],
) -> list[str]:
    """Return what `gate report` says wrongly; the same files are asked once in a process."""
    key = hashlib.sha256(repr((place.parents[1], sorted(now.items()))).encode()).hexdigest()
    if key in _REPORTED:
        return _REPORTED[key]
    problems: list[str] = []
    _REPORTED[key] = problems
    said = _report(place)
    spent = bool(unsettled)
    if said.code == 0:
        if said.out == reference.earlier_report:
            return problems
        if _plain(said.out, spent=spent) != _plain(reference.report, spent=spent):
            problems.append("gate report shows what no run said")
        elif not _is_whole(reference, now, _extra(reference, unsettled)):
            problems.append("gate report shows the new run beside files of another")
    elif said.code not in (2, 3) or "unforeseen" in said.err:
        problems.append(f"gate report ends with {said.code}: {said.err.strip()}")
    return problems


def _is_whole(reference: Reference, now: Mapping[str, bytes], cost: Spent | None) -> bool:
    return all(
        name in now and _same(name, now[name], text, cost)
        for name, text in reference.files.items()
        if name in ("run.json", "results.jsonl") or name.startswith("inputs/")
    )


def check_finished(reference: Reference, place: Path) -> list[str]:
    """Return what is missing of a run that the journal calls finished."""
    return [
        f"finished in the journal, so the next run asks all anew, but {problem}"
        for problem in _differences(reference, place, snapshot(place / OUT).unsettled)
    ]


def check_resumed(
    reference: Reference, place: Path, before: Snapshot, again: Ended, logs: Sequence[Sent]
) -> tuple[list[str], int]:
    """Return what differs after the run that resumed, and how many committed calls it repeated.

    `before` is the journal as the last kill left it; `logs` are what each run sent, in order.
    """
    now = snapshot(place / OUT)
    if again.code != reference.code:
        return [f"exit code {again.code}: {again.err.strip()[-400:]}"], 0
    problems, repeated = _resent(reference, before, now, logs)
    problems += _journal(reference, place, now)
    problems += _differences(reference, place, now.unsettled)
    problems += _replayed(reference, place)
    return problems, repeated


def _resent(
    reference: Reference, before: Snapshot, now: Snapshot, logs: Sequence[Sent]
) -> tuple[list[str], int]:
    """Compare what reached the world with what was left to send."""
    problems: list[str] = []
    begun = before.runs >= reference.journal.runs and before.state == "unfinished"
    own, pages = (before.settled, before.pages) if begun else ((), 0)
    if begun and now.run_id != before.run_id:
        problems.append("another run id")
    whole = sum(reference.sent.calls.values())
    expected = whole - sum(tries for *_, tries in own)
    last = sum(logs[-1].calls.values())
    total = sum(sum(log.calls.values()) for log in logs)
    repeated = max(last - expected, total - whole - len(now.unsettled), 0)
    if repeated:
        problems.append(f"{repeated} committed calls were sent again")
    if last < expected:
        problems.append(f"{expected - last} calls fewer than needed were sent")
    if logs[-1].calls - reference.sent.calls:
        problems.append("a call was sent that the uninterrupted run never sent, or oftener")
    if sum(logs[-1].fetches.values()) > sum(reference.sent.fetches.values()) - pages:
        problems.append("a page that was kept was fetched again")
    return problems, repeated


def _journal(reference: Reference, place: Path, now: Snapshot) -> list[str]:
    """Compare the journals."""
    keys = [Counter(key for key, *_ in one.settled) for one in (now, reference.journal)]
    found = {
        "other calls in the journal than in the uninterrupted one": keys[0] != keys[1],
        "other pages in the journal": now.pages != reference.journal.pages,
        f"journal after resuming: {now.integrity}": now.integrity != "ok",
        f"journal holds {now.runs} runs, the last one {now.state}": (
            now.state != "finished" or now.runs != reference.journal.runs
        ),
        "the journal is more than one file": (
            [path.name for path in (place / OUT).glob(f"{JOURNAL}*")] != [JOURNAL]
        ),
    }
    return [problem for problem, is_so in found.items() if is_so]


def _replayed(reference: Reference, place: Path) -> list[str]:
    words = ("run", "--replay", f"{OUT}/{JOURNAL}", "--out", "again", *reference.options)
    done = command(words, place)
    if done.code != reference.code:
        return [f"replay: exit code {done.code}: {done.err.strip()[-400:]}"]
    replay, problems = files_of(place / "again"), []
    for name, text in files_of(place / OUT).items():
        if name == "results.jsonl":
            # Lines come as their cases end.
            same = _lines(text) == _lines(replay[name])
        elif name == "inputs/decision.json":
            continue  # names the folder that is replayed from
        else:
            same = text == replay.get(name)
        if not same:
            problems.append(f"the replay's {name} has other bytes")
    return problems


def _differences(reference: Reference, place: Path, unsettled: Sequence[float | None]) -> list[str]:
    now = files_of(place / OUT)
    problems = [f"{name} is missing" for name in reference.files if name not in now]
    problems += [f"{name} was left behind" for name in now if name not in reference.files]
    for name in sorted(set(now) & set(reference.files)):
        cost = _extra(reference, unsettled)
        problem = _difference(name, now[name], reference.files[name], cost)
        if problem:
            problems.append(f"{name}: {problem}")
    return problems


def _extra(reference: Reference, unsettled: Sequence[float | None]) -> Spent | None:
    """Return what the run must have cost; None for as much as the other."""
    if not unsettled:
        return None
    prices = [usd for _, usd, _ in reference.journal.settled]
    parts = [*prices, *unsettled]
    known = [part for part in parts if part is not None]
    return Spent(
        fsum(known) if len(known) == len(parts) else None,
        fsum(part for part in unsettled if part is not None),
        len(parts),
    )


def _same(name: str, one: bytes, other: bytes, cost: Spent | None) -> bool:
    return _difference(name, one, other, cost) is None


def _difference(name: str, now: bytes, wanted: bytes, cost: Spent | None) -> str | None:
    if now == wanted:
        return None
    if name.endswith(".jsonl"):
        lines = [_lines(text) for text in (now, wanted)]
        return None if lines[0] == lines[1] else "other lines"
    if name.endswith(".json"):
        return _other_json(now, wanted, cost)
    texts = [_plain(text.decode(), spent=cost is not None) for text in (now, wanted)]
    for mine, theirs in zip(texts[0].split("\n"), texts[1].split("\n"), strict=False):
        if mine != theirs:
            return f"{mine[:160]!r}, and not {theirs[:160]!r}"
    return None if len(texts[0]) == len(texts[1]) else "is longer or shorter"


def _other_json(now: bytes, wanted: bytes, cost: Spent | None) -> str | None:
    try:
        mine, theirs = (json.loads(text) for text in (now, wanted))
    except ValueError:
        return "is no JSON"
    if cost is not None and isinstance(mine.get("cost"), dict):
        found = Spent(*(mine["cost"][key] for key in Spent._fields))
        if found != cost:
            return f"cost {found}, and not {cost}"
        theirs["cost"] |= cost._asdict()
    return _first(_masked(mine), _masked(theirs))


def _lines(text: bytes) -> list[str]:
    try:
        lines = [json.loads(line) for line in text.split(b"\n") if line]
    except ValueError:
        return ["torn"]
    return sorted(json.dumps(_masked(line)) for line in lines)


@cache
def _plain(text: str, *, spent: bool = False) -> str:
    text = _RUN_ID.sub("RUN", text)
    text = _SECONDS.sub(lambda found: "".join(part or "" for part in found.groups()), text)
    return _SPENT.sub(r"\1SPENT\2\3N\4", text) if spent else text


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: (
                "seconds"
                if key in _TIMES and one is not None
                else "moment"
                if key == "created"
                else "digest"
                if key == "run.json"
                else _masked(one)
            )
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_masked(one) for one in value]
    return _RUN_ID.sub("RUN", value) if isinstance(value, str) else value


def _first(mine: Any, theirs: Any, path: str = "") -> str | None:
    """Return the first place where two values differ."""
    if type(mine) is type(theirs) and isinstance(mine, dict) and set(mine) == set(theirs):
        found = (_first(mine[key], theirs[key], f"{path}.{key}") for key in mine)
        return next((one for one in found if one), None)
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        found = (
            _first(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(mine, theirs, strict=True))
        )
        return next((one for one in found if one), None)
    return None if mine == theirs else f"{path}: {str(mine)[:80]}, and not {str(theirs)[:80]}"


def _report(place: Path) -> Ended:
    return command(("report", OUT, "--format", "markdown"), place)
