"""Two gate.yaml: the base's decides, and the candidate's gives the keys that are its own. Pure.

The candidate's own are options of targets that the base has too, by name and kind: which model
answers, and how it is asked. All else in the candidate's file is passed over, and listed elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gate.config.load import load_config
from gate.config.section import Section, Use
from gate.config.settings import Config
from gate.wire.yaml import Block

__all__ = ["Followed", "follow", "load_candidate", "shared"]


@dataclass(frozen=True)
class Followed:
    """The configuration that a candidate is measured with."""

    config: Config
    """The base's, with the candidate's own keys in its targets."""
    owned: Mapping[str, frozenset[str]]
    """Target that is followed -> its options that are the candidate's."""


def load_candidate(text: str, path: str, base: Config) -> Config:
    """Read the text of a candidate's gate.yaml; `path` names it in messages.

    It must be a whole configuration, so that a broken one is found before it is merged. Raises
    ConfigError as `load_config` does.
    """
    return load_config(text, path, {}, like=base)


def shared(base: Config, candidate: Config) -> tuple[tuple[Use, Use], ...]:
    """Give the targets that both have under one name and of one kind, the base's first."""
    theirs = {use.name: use for use in candidate.targets}
    return tuple(
        (use, theirs[use.name])
        for use in base.targets
        if use.name in theirs and theirs[use.name].use == use.use
    )


def follow(base: Config, candidate: Config, owned: Mapping[str, frozenset[str]]) -> Followed:
    """Put the candidate's own keys into the base's targets.

    `owned` says for each target which options are the candidate's; a key of these that the
    candidate leaves out is left out.
    """
    both = {ours.name: (ours, theirs) for ours, theirs in shared(base, candidate)}
    own = {name: keys for name, keys in owned.items() if keys and name in both}
    targets = tuple(
        _with_own(use, both[use.name][1], own[use.name]) if use.name in own else use
        for use in base.targets
    )
    return Followed(replace(base, targets=targets), own)


def _with_own(ours: Use, theirs: Use, own: frozenset[str]) -> Use:
    """Take these options from the candidate; faults are looked for in its file."""
    entries = (
        *(entry for entry in ours.options.block.entries if entry.key not in own),
        *(entry for entry in theirs.options.block.entries if entry.key in own),
    )
    options = Section(
        theirs.options.path,
        theirs.options.at,
        theirs.options.line,
        Block(entries, theirs.options.block.line),
    )
    return replace(ours, options=options)
