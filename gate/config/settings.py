"""What gate.yaml says, ready to build from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from gate.config.environment import ROADS, System1Environment
from gate.config.scorer_sets import ScorerChoice
from gate.config.section import Section, Use
from gate.config.shape import AnthropicBlock, DatasetBlock, EvidenceBlock, GoogleBlock, Journal
from gate.config.shape import RunBlock as RunSettings
from gate.config.variables import expand
from gate.errors import ConfigError
from gate.types import Policy
from gate.wire.records import unknown
from gate.wire.yaml import Block

__all__ = ["CONNECTIONS", "Config", "Kind", "RunSettings", "Vendor"]

Kind = Literal["targets", "scorers", "reporters"]
"""The lists of plug-ins in gate.yaml."""

Vendor = Literal["google", "anthropic"]
"""Whom a connection leads to."""

CONNECTIONS: dict[Vendor, type[GoogleBlock | AnthropicBlock]] = {
    "google": GoogleBlock,
    "anthropic": AnthropicBlock,
}
"""Vendor -> shape of its connection."""

_VARIABLES: dict[Vendor, str] = {
    "google": "GEMINI_API_KEY, or GOOGLE_GENAI_USE_VERTEXAI=true and GOOGLE_CLOUD_PROJECT",
    "anthropic": "ANTHROPIC_API_KEY, or GOOGLE_CLOUD_PROJECT for Claude on Vertex AI",
}


@dataclass(frozen=True)
class Config:
    """The configuration. `use:` blocks and connections are kept raw, with their lines."""

    path: str
    """The file, as it was named."""
    name: str
    """Names the comment and the status."""
    dataset: DatasetBlock
    """File and format of the cases."""
    targets: tuple[Use, ...]
    """Systems under test, in the file's order."""
    judge: Use | None
    """The judge; None where none is named."""
    scorers: tuple[Use, ...]
    """Scorers, in the file's order."""
    scorer_sets: Mapping[str, tuple[str, ...]]
    """Set -> names of its scorers."""
    baseline: str
    """File of the baseline."""
    baseline_answers: str
    """File of the answers that the baseline was made of; it may be missing."""
    anchor: str
    """File of the first accepted baseline."""
    calibration: str
    """File of the calibration set."""
    sensitivity: str
    """File of the sensitivity set."""
    controls: str
    """File of the control answers."""
    labels: tuple[str, ...]
    """Files of labels, `*` for any name."""
    labels_for_tuning: float
    """Share of the cases whose labels license nothing."""
    policy: Policy
    """Rules of the decision."""
    run: RunSettings
    """How much is run, and how fast."""
    evidence: EvidenceBlock
    """Cited pages: whether and how they are fetched, and what of them is used."""
    keep_text: bool
    """Whether answers' text may be kept beyond a run."""
    journal: Journal
    """What is kept of calls."""
    keep_days: int
    """Days after its end that a run stays in the journal."""
    reporters: tuple[Use, ...]
    """Reporters, in the file's order."""
    raw: Section = field(repr=False)
    """The whole file, variables not filled in."""
    environment: System1Environment = field(repr=False)
    """What the environment says of connections."""
    variables: Mapping[str, str] = field(repr=False)
    """The variables that connections are filled in from, when they are asked for."""

    def line_of(self, *where: str | int) -> int | None:
        """Return the line of a part, such as `line_of("dataset", "path")`; None when absent."""
        return self.raw.line_of(*where)

    def road(self, vendor: Vendor) -> str | None:
        """Return the road that gate.yaml writes for a vendor; None where it does not say.

        Variables are not filled in: a run against a stand-in has the road and needs nothing else.
        """
        written = self.raw.block.get("connections")
        node = written.get(vendor) if isinstance(written, Block) else None
        return Section(self.path, "", block=node).text("road") if isinstance(node, Block) else None

    def connection(self, vendor: Vendor) -> Section:
        """Return how to reach a vendor: `road` and the keys of that road, each a text.

        What gate.yaml leaves out for its road is taken from the environment; what neither says is
        absent. Raises ConfigError for an unset variable, and where there is no way to the vendor.
        """
        at = f"connections.{vendor}"
        written = self.raw.block.get("connections")
        node = written.get(vendor) if isinstance(written, Block) else None
        section = Section(self.path, at)
        if isinstance(node, Block):
            line = self.line_of("connections", vendor)
            section = replace(section, line=line, block=node)
        road = self._road(vendor, section)
        if road is None:
            raise section.error(
                f"no connection to {vendor}: set {_VARIABLES[vendor]}, or write `{at}`"
            )
        # A variable of the other road may be unset.
        entries = tuple(
            replace(entry, value=expand(entry.value, self.variables, self.path))
            for entry in section.block.entries
            if entry.key in ROADS[vendor][road]
        )
        section = replace(section, block=replace(section.block, entries=entries))
        section.read(CONNECTIONS[vendor])
        around = self.environment.connection(vendor)
        needed = ROADS[vendor][road][0]
        found = replace(section, block=replace(section.block, entries=())).with_text("road", road)
        for key in ROADS[vendor][road]:
            value = section.text(key) or around.get(key)
            if value is not None:
                found = found.with_text(key, value, line=section.lines.get(key))
            elif key == needed:
                raise section.error(
                    f"`{at}.{key}` is missing, which `road: {road}` needs: "
                    f"add it, or set {_VARIABLES[vendor]}"
                )
        return found

    def find_use(self, kind: Kind, name: str) -> Use:
        """Return the target, scorer or reporter of this name.

        Raises ConfigError with the known names.
        """
        uses: tuple[Use, ...] = getattr(self, kind)
        for use in uses:
            if use.name == name:
                return use
        message = unknown(kind.removesuffix("s"), name, [use.name for use in uses])
        raise ConfigError(message, self.path, self.line_of(kind))

    def find_uses(self, kind: Kind, names: Sequence[str] = ()) -> tuple[Use, ...]:
        """Return the named ones in the file's order, or all of them where no name is given.

        Raises ConfigError for an unknown name, and where there is none at all.
        """
        uses: tuple[Use, ...] = getattr(self, kind)
        if not uses:
            raise ConfigError(f"names no {kind}: add one under `{kind}:`", self.path)
        for name in names:
            self.find_use(kind, name)
        return tuple(use for use in uses if not names or use.name in names)

    def choose_scorers(self, names: Sequence[str]) -> ScorerChoice:
        """Return the scorers of these names of scorers and sets, in the file's order.

        Without a name, those of the set `run.scorers`, or all. Sets alone do not narrow the run;
        one scorer by its own name does. Raises ConfigError for an unknown name.
        """
        default = () if self.run.scorers is None else (self.run.scorers,)
        asked = tuple(dict.fromkeys(names)) or default
        sets = tuple(name for name in asked if name in self.scorer_sets)
        known = [use.name for use in self.scorers]
        for name in asked:
            if name not in known and name not in sets:
                raise ConfigError(
                    unknown("scorer or scorer set", name, [*known, *self.scorer_sets]),
                    self.path,
                    self.line_of("scorers"),
                )
        members = {one for name in asked for one in self.scorer_sets.get(name, (name,))}
        by_hand = len(sets) < len(asked)
        return ScorerChoice(
            uses=tuple(use for use in self.scorers if not asked or use.name in members),
            sets=() if by_hand else sets,
            by_hand=by_hand,
        )

    def require_files(self, root: Path) -> None:
        """Raise ConfigError when a file that every run needs is not below `root`.

        Baseline, calibration and labels may be missing: then the run has no verdict, and says so.
        """
        if not (root / self.dataset.path).is_file():
            raise ConfigError(
                f"the file of cases {self.dataset.path} does not exist: "
                "correct `dataset.path`, or write the file",
                self.path,
                self.line_of("dataset", "path"),
            )

    def _road(self, vendor: Vendor, section: Section) -> str | None:
        """The road that is written, else the one whose first key is, else the environment's."""
        entry = section.block.entry("road")
        if entry is not None:
            filled = expand(entry.value, self.variables, self.path)
            only = replace(section.block, entries=(replace(entry, value=filled),))
            written = replace(section, block=only).read(CONNECTIONS[vendor]).road
            if written is not None:
                return written
        for road, keys in ROADS[vendor].items():
            if section.text(keys[0]) is not None:
                return road
        return self.environment.connection(vendor).get("road")
