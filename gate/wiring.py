"""gate.yaml -> live objects: the only place that builds."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gate.config import Config, Section, Use, Vendor
from gate.config.settings import CONNECTIONS
from gate.config.terms import GROUNDED, STORED
from gate.engine.rehearsal import RehearsalDoor
from gate.errors import ConfigError
from gate.kit import Kit
from gate.models import claude, gemini
from gate.models.catalogue import Catalogue, load_catalogue
from gate.models.claude import ClaudeJudge
from gate.models.claude_request import ClaudeOptions
from gate.models.connections import AnthropicConnection, Connections, GoogleConnection
from gate.models.gemini_judge import GeminiJudge, GeminiJudgeOptions
from gate.models.named_files import check_named_files
from gate.plugins import find_used, validate_options
from gate.protocols import Door, Judge, Pages, Scorer, Target
from gate.scorers.ensemble import seated
from gate.types import Metric
from gate.wire.guard import Guard, GuardedTransport
from gate.wire.journal import Journal
from gate.wire.page_door import PageDoor
from gate.wire.pagetext.cited import CitedPages
from gate.wire.pagetext.reader import PageReader
from gate.wire.web import FetchLimits, PageFetcher

STAND_IN = "loopback"
"""Project, token and family of the loopback world."""

DEFAULT = "default"
"""The judge that scorers ask, unless their options name another."""


def _claude(options: Section, connections: Connections, catalogue: Catalogue, door: Door) -> Judge:
    return ClaudeJudge(options.read(ClaudeOptions), connections.anthropic, catalogue, door)


def _gemini(options: Section, connections: Connections, catalogue: Catalogue, door: Door) -> Judge:
    return GeminiJudge(options.read(GeminiJudgeOptions), connections.google, catalogue, door)


@dataclass(frozen=True)
class JudgeKind:
    """A judge that `judge: {use: ...}` can name."""

    vendors: tuple[Vendor, ...]
    """Whom it calls."""
    build: Callable[[Section, Connections, Catalogue, Door], Judge]
    """Makes it of its options; raises ConfigError and ModelError."""


JUDGES: Mapping[str, JudgeKind] = {
    "claude": JudgeKind(("anthropic",), _claude),
    "gemini": JudgeKind(("google",), _gemini),
}
"""Name -> the judge; a panel is made of these."""


@dataclass(frozen=True)
class StandIn:
    """Addresses of the loopback world; None in a replay, which reaches nothing."""

    gemini: str | None = None
    """Base URL in the place of Gemini."""
    claude: str | None = None
    """Base URL in the place of Claude."""


@dataclass(frozen=True)
class Live:
    """What a run is made with."""

    targets: Mapping[str, Target]
    """Systems under test, in the configuration's order."""
    scorers: Sequence[Scorer]
    """Scorers, in the configuration's order."""
    judges: Mapping[str, Judge]
    """The configuration's judge under the name `default`; of a panel each under its own."""
    pages: Pages | None = None
    """The door of cited pages; None where no scorer reads any."""

    @property
    def families(self) -> tuple[str, ...]:
        """The families of the judges, each once, in their order."""
        return tuple(dict.fromkeys(judge.family for judge in self.judges.values()))

    async def aclose(self) -> None:
        """Close every connection."""
        await asyncio.gather(
            *(target.aclose() for target in self.targets.values()),
            *(judge.aclose() for judge in self.judges.values()),
            *(() if self.pages is None else (self.pages.aclose(),)),
        )


def connect(config: Config, *, vendors: Sequence[str], stand_in: StandIn | None) -> Connections:
    """Build the connections that are needed.

    With a stand-in they lead to the loopback world on the road that the configuration names, and
    need no credential. Raises ConfigError for an unset variable and for certificates that cannot
    be read, CredentialsError for what is missing.
    """
    google: GoogleConnection | None = None
    anthropic: AnthropicConnection | None = None
    timeout_s = config.run.call_timeout_s
    if stand_in is not None:
        google = GoogleConnection(
            road="key" if config.road("google") == "key" else "vertex",
            project=STAND_IN,
            api_key=STAND_IN,
            token=STAND_IN,
            base_url=stand_in.gemini,
            timeout_s=timeout_s,
            stand_in=True,
        )
        direct = config.road("anthropic") == "direct"
        base = stand_in.claude
        anthropic = AnthropicConnection(
            road="direct" if direct else "vertex",
            project=STAND_IN,
            api_key=STAND_IN,
            token=STAND_IN,
            base_url=base if direct or base is None else f"{base}/v1",
            timeout_s=timeout_s,
            stand_in=True,
        )
        return Connections(google=google, anthropic=anthropic)
    if "google" in vendors:
        section = config.connection("google")
        google = GoogleConnection(
            road="key" if section.text("road") == "key" else "vertex",
            project=section.text("project"),
            location=section.text("location") or "global",
            api_key=section.text("api_key"),
            timeout_s=timeout_s,
        )
        google.check()
    if "anthropic" in vendors:
        section = config.connection("anthropic")
        anthropic = AnthropicConnection(
            road="direct" if section.text("road") == "direct" else "vertex",
            project=section.text("project"),
            region=section.text("region") or "global",
            api_key=section.text("api_key"),
            timeout_s=timeout_s,
        )
        anthropic.check()
    roads = {one.road for one in (google, anthropic) if one is not None}
    if roads:
        check_named_files(config.variables, signs_in="vertex" in roads)
    return Connections(google=google, anthropic=anthropic)


def load_sdks(vendors: Sequence[str]) -> None:
    """Import the SDKs of these vendors: a second of work that no call's latency should hold.

    What they define lives as long as the process. So Python's collector of garbage rests while they
    are imported and passes over them from then on: half a million objects less in each round.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        if "google" in vendors:
            gemini.load_sdk()
        if "anthropic" in vendors:
            claude.load_sdk()
        gc.freeze()
    finally:
        if collecting:
            gc.enable()


def vendors_of(targets: Sequence[Use], judge: Use | None) -> tuple[Vendor, ...]:
    """Name the vendors that these targets and this judge call, or the judges of this panel.

    None of a judge that nobody knows.
    """
    judges = () if judge is None else judge.members or (judge,)
    needed = {vendor for one in judges if one.use in JUDGES for vendor in JUDGES[one.use].vendors}
    if any(use.use == "gemini" for use in targets):
        needed.add("google")
    return tuple(vendor for vendor in CONNECTIONS if vendor in needed)


def vendors_in_turn(
    targets: Sequence[Use], judge: Use | None
) -> tuple[tuple[Vendor, ...], tuple[Vendor, ...]]:
    """Name the vendors that are called first, and those that are called on their answers."""
    needed = vendors_of(targets, judge)
    first = vendors_of(targets, None) or needed
    return first, tuple(one for one in needed if one not in first)


def build(
    config: Config,
    *,
    targets: Sequence[Use],
    scorers: Sequence[Use],
    root: Path,
    read_text: Callable[[str], str],
    door: Door,
    connections: Connections,
    catalogue: Catalogue,
    run_id: str,
    open_pages: Callable[[], Pages],
    read_owned: Callable[[str], Callable[[str], str]] | None = None,
) -> Live:
    """Build targets, judges and scorers; nothing is called yet.

    `open_pages` makes the door of cited pages and is called only where a scorer reads them.
    `read_owned` gives each target's reader of the files that its candidate-owned options name;
    without it there is one tree, and `read_text` reads them.
    Raises ConfigError for options that a plug-in refuses, ModelError for a retired model.
    """
    kit = Kit(
        door=door,
        connections=connections,
        catalogue=catalogue,
        read_text=read_text,
        read_owned=read_text,
        run_id=run_id,
        root=root,
    )
    judges = _judges(config, connections, catalogue, door)
    built = [_scorer(use, root, judges, config) for use in scorers]
    return Live(
        targets={
            use.name: _target(
                use,
                root,
                kit if read_owned is None else replace(kit, read_owned=read_owned(use.name)),
            )
            for use in targets
        },
        scorers=built,
        judges=judges,
        pages=open_pages() if any(scorer.reads_pages for scorer in built) else None,
    )


def fetching(
    config: Config, journal: Journal | None, hosts: Mapping[str, tuple[str, int]] | None
) -> Pages:
    """Build the door that fetches cited pages; nothing is opened yet.

    `hosts` are the names that lead to the loopback world, and then nothing else is reached: such a
    run needs no network. None is a real run, in which every address must be public.
    """
    limits = FetchLimits(total_s=config.evidence.timeout_s)
    guard = Guard(allowed=hosts, closed=hosts is not None)
    fetcher = PageFetcher(GuardedTransport(guard), limits)
    return PageDoor(CitedPages(fetcher, PageReader()), journal)


def check_terms(config: Config, live: Live, scorers: Sequence[Use]) -> None:
    """Refuse to follow the links of real grounded answers unless the owner has said so.

    `scorers` are the blocks of `live.scorers`. Raises ConfigError at the first one that reads
    pages while a target is Gemini, or holds stored answers that may be Gemini's, and
    `evidence.fetch` is not true.
    """
    if config.evidence.fetch:
        return
    asked = [
        name
        for name, target in live.targets.items()
        if target.info.family == GROUNDED or target.info.use == STORED
    ]
    for use, scorer in zip(scorers, live.scorers, strict=True):
        if asked and scorer.reads_pages:
            raise use.options.error(
                f"scorer `{use.use}` would fetch the pages that `{asked[0]}` cites. Google's terms "
                "of grounded search restrict following and analysing the links of its results "
                "automatically, and whoever runs the gate decides: write `evidence: {fetch: true}` "
                "if you may (this is no legal advice), or leave the scorer out"
            )


def metrics_of(config: Config, scorers: Sequence[Use], root: Path) -> tuple[Metric, ...]:
    """Name what these scorers measure, in their order; nothing is asked, no credential is needed.

    Raises ConfigError for options that a plug-in refuses.
    """
    catalogue = load_catalogue()
    judges = _judges(config, Connections(), catalogue, RehearsalDoor(catalogue))
    return tuple(one for use in scorers for one in _scorer(use, root, judges, config).metrics)


def _target(use: Use, root: Path, kit: Kit) -> Target:
    plugin: Any = find_used("targets", use, base=root)
    options = validate_options(plugin, use)
    try:
        target: Target = plugin(use.name, options, kit)
    except ConfigError as error:
        # What a plug-in refuses has no place of its own: it is the block that asked for it.
        if error.path is None:
            raise use.options.error(str(error)) from error
        raise
    return target


def _scorer(use: Use, root: Path, judges: Mapping[str, Judge], config: Config) -> Scorer:
    """Build a scorer; where several rulings make a score, one for each with their mean around."""
    plugin: Any = find_used("scorers", use, base=root)
    options = validate_options(plugin, use)
    # What a scorer's options leave open about pages is said once for all, in `evidence`.
    shared = {
        name: value
        for name, value in config.evidence.model_dump(include={"pages", "max_page_bytes"}).items()
        if name in type(options).model_fields and name not in options.model_fields_set
    }
    options = options.model_copy(update=shared)

    def asking(judge: Judge | None) -> Scorer:
        asked = {} if judge is None else {DEFAULT: judge}
        try:
            scorer: Scorer = plugin(options, asked)
        except KeyError as error:
            known = ", ".join(asked) or "none: add a `judge:` block"
            raise use.options.error(
                f"scorer `{use.use}` asks for the judge {error}; there is {known}"
            ) from error
        return scorer

    named = {judge.model if name == DEFAULT else name: judge for name, judge in judges.items()}
    return seated(asking, named, config.run.judge_repeats)


def _judges(
    config: Config, connections: Connections, catalogue: Catalogue, door: Door
) -> Mapping[str, Judge]:
    """Build the judge, or those of a panel under their models' names."""
    use = config.judge
    if use is None:
        return {}
    if not use.members:
        return {DEFAULT: _judge(use, connections, catalogue, door)}
    judges: dict[str, Judge] = {}
    lines: dict[str, int | None] = {}
    for one in use.members:
        judge = _judge(one, connections, catalogue, door)
        line = lines.setdefault(judge.settings_digest, one.line)
        if len(lines) == len(judges):
            raise one.options.error(
                f"the same judge as on line {line}: each member of a panel needs a model or "
                "settings of its own; `run.judge_repeats` asks a judge several times"
            )
        number = sum(other.model == judge.model for other in judges.values()) + 1
        judges[f"{judge.model} ({number})" if number > 1 else judge.model] = judge
    return judges


def _judge(use: Use, connections: Connections, catalogue: Catalogue, door: Door) -> Judge:
    kind = JUDGES.get(use.use)
    if kind is None:
        raise use.options.error(f"unknown judge `{use.use}`: use {', '.join(JUDGES)}, or a panel")
    try:
        return kind.build(use.options, connections, catalogue, door)
    except ConfigError as error:
        # What a model would refuse has no place of its own: it is the block that asked for it.
        if error.path is None:
            raise use.options.error(str(error)) from error
        raise
