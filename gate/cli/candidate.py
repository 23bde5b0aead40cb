"""Two checkouts: the base decides, and of the candidate comes what is its own.

The candidate's tree may be a stranger's: links in it are not followed, sizes are capped, and none
of its code is imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gate.config import Config, Use
from gate.config.candidate import follow, load_candidate, shared
from gate.datasets import load_cases
from gate.decision.edits import Change, FileChange, edits
from gate.errors import ConfigError, DatasetError, FileError
from gate.plugins import candidate_owned, find_used, validate_options
from gate.types import Case
from gate.wire.files import relative_reader
from gate.wire.tree import Tree, owned_reader
from gate.wire.yaml import DATA_BYTES, MAX_BYTES

__all__ = ["Candidate", "read_candidate"]

_HOUSE = ".py:"


@dataclass(frozen=True)
class Candidate:
    """A candidate's tree, and what is measured of it."""

    config: Config
    """The base's configuration, with the candidate's own keys."""
    base_config: Config
    """The base's configuration."""
    base: Path
    """The configuration's folder in the tree that decides."""
    root: Path
    """The same folder of the candidate's tree: what its options name must not leave it."""
    owned: Mapping[str, frozenset[str]]
    """Target that is followed -> its options that are the candidate's."""
    edits: tuple[str, ...]
    """What the candidate changes of what decides."""

    def reader_of(self, target: str) -> Callable[[str], str]:
        """Return the reader of the files that a target's candidate-owned options name."""
        return owned_reader(self.root) if target in self.owned else relative_reader(self.base)


def read_candidate(base: Config, cases: Sequence[Case], base_root: Path, root: Path) -> Candidate:
    """Read what a candidate may say, and list what it changes besides.

    `base` is the configuration that decides, `cases` are those that are asked; `base_root` and
    `root` are the two trees. Paths start from the configuration's folder in each. Raises
    ConfigError and FileError, naming the candidate's file, where there is no configuration to
    follow, or a broken one: a verdict without it would say nothing of the candidate.
    """
    here = Path(base.path).parent
    name, folder = (_place_in(base, base_root, one) for one in (Path(base.path), here))
    trees = _Trees(folder, Tree(base_root), Tree(root))
    config = load_candidate(_config_text(trees, name), str(root / name), base)
    followed = follow(base, config, _owned(base, config, here))
    theirs, unread = _cases(base.dataset.path, trees, cases)
    return Candidate(
        config=followed.config,
        base_config=base,
        base=here,
        root=root / folder,
        owned=followed.owned,
        edits=edits(
            base.raw.block,
            config.raw.block,
            followed.owned,
            (cases, theirs),
            [*_changes(base, trees), *unread],
        ),
    )


@dataclass(frozen=True)
class _Trees:
    """Two trees, and the folder of the configuration in both."""

    folder: str
    """Where the configuration's paths start, below the root of each tree."""
    base: Tree
    candidate: Tree

    def name_of(self, path: str) -> str | None:
        """Return a path of the configuration from a tree's root; None where it leaves the tree."""
        name = os.path.normpath(PurePosixPath(self.folder) / path)
        parts = PurePosixPath(name).parts
        return None if PurePosixPath(name).is_absolute() or parts[:1] == ("..",) else name


def _place_in(base: Config, root: Path, path: Path) -> str:
    """Return a path from its tree's root. Raises ConfigError for one outside of it."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError as error:
        raise ConfigError(
            f"is not in {root}, whose files decide: name the base's own configuration", base.path
        ) from error


def _config_text(trees: _Trees, name: str) -> str:
    """Return the candidate's configuration. Raises ConfigError and FileError."""
    tree = trees.candidate
    folder = tree.look(trees.folder)
    if folder is not None and folder.kind == "link":
        raise FileError(
            "is a link, or lies behind one, and links of a candidate's tree are not followed: "
            "put the folder itself there",
            tree.root / trees.folder,
        )
    if tree.look(name) is None:
        raise ConfigError(
            "the candidate has no such configuration, so nothing of it can be measured: keep the "
            "file, or merge its removal without the gate",
            tree.root / name,
        )
    return tree.text(name, max_bytes=MAX_BYTES)


def _owned(base: Config, candidate: Config, root: Path) -> dict[str, frozenset[str]]:
    """Ask the plug-ins which options are the candidate's, and check its options by them.

    A house plug-in is the base's own: the candidate's code is not looked at.
    """
    found = {}
    for ours, theirs in shared(base, candidate):
        plugin = find_used("targets", ours, base=root)
        own = candidate_owned(plugin)
        if own:
            validate_options(plugin, ours)
            validate_options(plugin, theirs)
        found[ours.name] = own
    return found


def _changes(base: Config, trees: _Trees) -> list[FileChange]:
    """Compare the files that decide, besides the configuration and the cases."""
    found: dict[str, FileChange] = {}
    for what, patterns in _deciding(base):
        names = {
            name
            for pattern in map(trees.name_of, patterns)
            if pattern is not None
            for tree in (trees.base, trees.candidate)
            for name in (tree.names(pattern) if "*" in pattern else (pattern,))
        }
        for name in sorted(names):
            change = _change(name, trees)
            if change is not None:
                found.setdefault(name, FileChange(what, name, change))
    return list(found.values())


def _deciding(base: Config) -> Iterator[tuple[str, Sequence[str]]]:
    """Give what decides, by what it is to the gate: names, or patterns with `*`."""
    beside = PurePosixPath(base.dataset.path).parent
    yield "baseline", [base.baseline]
    yield "baseline's answers", [base.baseline_answers]
    yield "anchor", [base.anchor]
    yield "calibration", [base.calibration]
    yield "sensitivity", [base.sensitivity]
    yield "control answers", [base.controls]
    yield "labels", base.labels
    yield "prompts", [str(beside / "prompts" / "**" / "*")]
    uses: tuple[Use, ...] = (*base.scorers, *base.targets, *base.reporters)
    house = [use.use.rpartition(":")[0] for use in uses if _HOUSE in use.use]
    yield "house code", [*house, str(beside / "scorers" / "**" / "*")]


def _change(name: str, trees: _Trees) -> Change | None:
    before, now = trees.base.look(name), trees.candidate.look(name)
    if now is not None and now.kind == "link":
        return "a link, which is not followed"
    if before is None or now is None:
        return None if before == now else "added" if before is None else "removed"
    # The base's link is the owner's own, and is followed.
    if before.kind == "file" and (before.size, before.kind) != (now.size, now.kind):
        return "changed"
    return None if trees.base.digest(name) == trees.candidate.digest(name) else "changed"


def _cases(
    path: str, trees: _Trees, ours: Sequence[Case]
) -> tuple[Sequence[Case], list[FileChange]]:
    """Read the candidate's cases, to be held against the base's own; else say what became of them.

    No fault of theirs stops a run: they are not asked.
    """
    name = trees.name_of(path)
    change = None if name is None else _change(name, trees)
    if name is None or change is None:
        return ours, []
    if change == "changed":
        try:
            return load_cases(trees.candidate.text(name, max_bytes=DATA_BYTES), name), []
        except (DatasetError, FileError):
            change = "changed, and not readable"
    return ours, [FileChange("cases", name, change)]
