"""gate.yaml -> Config: every fault with its line, before anything is built or paid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from gate.config.environment import System1Environment, system1_environment
from gate.config.scorer_sets import check_scorer_sets
from gate.config.section import Section, Use
from gate.config.settings import CONNECTIONS, Config
from gate.config.shape import GateFile, PanelBlock, UseBlock
from gate.config.variables import expand, expand_like, unset
from gate.errors import ConfigError
from gate.wire.records import known_names, read_record, unknown
from gate.wire.yaml import Block, Items, Node, Scalar, load

__all__ = ["load_config"]

PANEL = "panel"
"""What `judge: {use: ...}` names where several judges rule together."""

_FEWEST, _MOST = 2, 5
"""Judges of a panel: all are asked about every answer, and paid."""

_TARGET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:/@+-]{0,99}")


def load_config(
    text: str, path: str, env: Mapping[str, str], *, like: Config | None = None
) -> Config:
    """Read the text of gate.yaml; `path` names it in messages, `env` fills in variables.

    Variables below `connections` are looked up only when the connection is asked for, since a run
    that reaches no vendor needs none. `like` is the base's configuration where the text is a
    candidate's: then variables are filled in only where the base has them too, as the base has
    them, and `env` is not looked at. Raises ConfigError with file, line and what to do.
    """
    root = load(text, path, fault=ConfigError)
    if not isinstance(root, Block):
        raise ConfigError(
            "must be a block of keys: begin with `dataset:` and `targets:`", path, root.line
        )
    env = env if like is None else {}
    _check_connections(root.get("connections"), env, path)
    rest = replace(
        root, entries=tuple(entry for entry in root.entries if entry.key != "connections")
    )
    filled = (
        expand(rest, env, path)
        if like is None
        else expand_like(rest, like.raw.block, like.variables, path)
    )
    assert isinstance(filled, Block)
    file = read_record(GateFile, filled, path, ConfigError)
    environment = system1_environment(env)
    scorers = _uses("scorers", filled.get("scorers"), file.scorers, path)
    check_scorer_sets(file, [use.name for use in scorers], Section(path, "", root.line, filled))
    return Config(
        path=path,
        name=file.name,
        dataset=file.dataset,
        targets=_targets(filled.get("targets"), path),
        judge=_judge(filled.get("judge"), environment, path),
        scorers=scorers,
        scorer_sets=file.scorer_sets,
        baseline=file.baseline,
        baseline_answers=file.baseline_answers,
        anchor=file.anchor,
        calibration=file.calibration,
        sensitivity=file.sensitivity,
        controls=file.controls,
        labels=file.labels,
        labels_for_tuning=file.labels_for_tuning,
        policy=file.policy.policy(),
        run=file.run,
        evidence=file.evidence,
        keep_text=file.keep_text,
        journal=file.journal,
        keep_days=file.keep_days,
        reporters=_uses("reporters", filled.get("reporters"), file.reporters, path),
        raw=Section(path, "", root.line, root),
        environment=environment,
        variables=dict(env),
    )


def _targets(node: Node | None, path: str) -> tuple[Use, ...]:
    uses = []
    for entry in node.entries if isinstance(node, Block) else ():
        if not _TARGET_NAME.fullmatch(entry.key):
            raise ConfigError(
                f"the target name `{entry.key}` cannot stand in tables and file names: "
                "use 1 to 100 letters, digits, blanks and . _ : / @ + -, a letter or digit first",
                path,
                entry.line,
            )
        uses.append(
            _use(entry.value, f"targets.{entry.key}", path, line=entry.line, name=entry.key)
        )
    return tuple(uses)


def _judge(node: Node | None, environment: System1Environment, path: str) -> Use | None:
    model = environment.judge_model
    judge = _use(node, "judge", path) if isinstance(node, Block) else None
    if judge is not None and judge.use == PANEL:
        judge = replace(judge, members=_members(judge))
    if model is None:
        return judge
    if judge is not None and judge.members:
        raise judge.options.error(
            "EVAL_JUDGE_MODEL names one judge, and `judge` is a panel: unset it, or name one judge"
        )
    if judge is None:
        # gemini-search-mcp has no other judge than Claude.
        judge = Use("claude", "claude", Section(path, "judge"))
    return replace(judge, options=judge.options.with_text("model", model))


def _members(panel: Use) -> tuple[Use, ...]:
    """Read the judges of a panel, each with its lines."""
    panel.options.read(PanelBlock)
    node, path = panel.options.block.get("members"), panel.options.path
    assert isinstance(node, Items)
    if not _FEWEST <= len(node.items) <= _MOST:
        raise panel.options.error(
            f"`judge.members`: a panel has {_FEWEST} to {_MOST} judges, each asked about every "
            f"answer; this one has {len(node.items)}",
            "members",
        )
    members = []
    for index, item in enumerate(node.items):
        one = _use(item, f"judge.members[{index}]", path)
        if one.use == PANEL:
            raise one.options.error("a panel is no member of a panel: name its judges here")
        members.append(one)
    return tuple(members)


def _uses(
    kind: str, node: Node | None, defaults: tuple[str | UseBlock, ...], path: str
) -> tuple[Use, ...]:
    if not isinstance(node, Items):
        names = (one if isinstance(one, str) else one.use for one in defaults)
        return tuple(Use(name, name, Section(path, kind)) for name in names)
    uses: list[Use] = []
    for index, item in enumerate(node.items):
        use = _use(item, f"{kind}[{index}]", path)
        for other in uses:
            if other.use == use.use and other.options.values == use.options.values:
                message = f"`{use.use}` again, first on line {other.line}: keep one of them"
                raise use.options.error(message)
        uses.append(use)
    return tuple(uses)


def _use(
    node: Node, at: str, path: str, *, line: int | None = None, name: str | None = None
) -> Use:
    """A checked `use:` block, or a bare name."""
    line = line or node.line
    if not isinstance(node, Block):
        assert isinstance(node, Scalar)
        return Use(name or node.text, node.text, Section(path, at, line))
    plugin = node.get("use")
    assert isinstance(plugin, Scalar)
    options = replace(node, entries=tuple(one for one in node.entries if one.key != "use"))
    return Use(name or plugin.text, plugin.text, Section(path, at, line, options))


def _check_connections(node: Node | None, env: Mapping[str, str], path: str) -> None:
    """Refuse what is wrong whatever the variables are; an unset one is no fault yet."""
    if node is None:
        return
    if not isinstance(node, Block):
        raise ConfigError("`connections`: must be a block of keys", path, node.line)
    for vendor in node.entries:
        shape = next((one for name, one in CONNECTIONS.items() if name == vendor.key), None)
        if shape is None:
            raise ConfigError(unknown("connection", vendor.key, CONNECTIONS), path, vendor.line)
        at = f"connections.{vendor.key}"
        if not isinstance(vendor.value, Block):
            raise ConfigError(f"`{at}`: must be a block of keys", path, vendor.line)
        settled = []
        for entry in vendor.value.entries:
            if entry.key not in known_names(shape):
                message = f"`{at}`: {unknown('key', entry.key, known_names(shape))}"
                raise ConfigError(message, path, entry.line)
            if not unset(entry.value, env):
                settled.append(replace(entry, value=expand(entry.value, env, path)))
        checked = replace(vendor.value, entries=tuple(settled))
        read_record(shape, checked, path, ConfigError, at=at)
