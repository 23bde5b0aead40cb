"""Which judge `judge: {use: ...}` names, whom it calls, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.config import Config, load_config
from gate.errors import ConfigError
from gate.models.catalogue import load_catalogue
from gate.models.connections import AnthropicConnection, Connections, GoogleConnection
from gate.protocols import Judge
from gate.wiring import JUDGES, StandIn, build, connect, vendors_in_turn, vendors_of
from tests.fakes import OpenDoor

REAL = Connections(google=GoogleConnection(project="p"), anthropic=AnthropicConnection(project="p"))
GEMINI = "{use: gemini, model: gemini-4-argon}"
CLAUDE = "{use: claude}"
TARGETS = {
    "gemini": "targets:\n  t: {use: gemini, model: gemini-3.8-flash}\n",
    "stored": "targets:\n  t: {use: recorded, file: a.jsonl}\n",
    "none": "",
}


def config(judge: str, targets: str = "none") -> Config:
    """A configuration with this judge, on line 2."""
    text = f"dataset: {{path: c.yaml}}\njudge: {judge}\n{TARGETS[targets]}"
    return load_config(text, "gate.yaml", {})


def built(judge: str, connections: Connections = REAL) -> Judge:
    """The judge of a configuration."""

    def unused(name: str) -> str:
        raise LookupError(name)

    live = build(
        config(judge),
        targets=(),
        scorers=(),
        root=Path(),
        read_text=unused,
        door=OpenDoor(),
        connections=connections,
        catalogue=load_catalogue(),
        run_id="r",
        open_pages=lambda: pytest.fail("nobody reads pages"),
    )
    return live.judges["default"]


@pytest.mark.parametrize(
    ("judge", "targets", "first", "later"),
    [
        (GEMINI, "gemini", ("google",), ()),
        (GEMINI, "stored", ("google",), ()),
        (CLAUDE, "gemini", ("google",), ("anthropic",)),
        (CLAUDE, "stored", ("anthropic",), ()),
        ("{use: nobody}", "gemini", ("google",), ()),
        ("{use: nobody}", "stored", (), ()),
    ],
)
def test_vendors__of_targets_and_judge(
    judge: str, targets: str, first: tuple[str, ...], later: tuple[str, ...]
) -> None:
    """Only those are connected whom something calls; a judge that nobody knows calls nobody."""
    made = config(judge, targets)

    assert (*first, *later) == vendors_of(made.targets, made.judge)
    assert (first, later) == vendors_in_turn(made.targets, made.judge)


@pytest.mark.parametrize(
    ("judge", "family", "model"),
    [(GEMINI, "gemini", "gemini-4-argon"), (CLAUDE, "claude", "claude-opus-5-5")],
)
def test_judge__is_of_its_vendor_s_family(judge: str, family: str, model: str) -> None:
    """So that a judge of the target's own family is warned about; a stand-in is none of them."""
    world = connect(config(judge), vendors=(), stand_in=StandIn())

    assert (family, model) == (built(judge).family, built(judge).model)
    assert "loopback" == built(judge, world).family


@pytest.mark.parametrize(
    ("judge", "says"),
    [
        ("{use: nobody}", f"unknown judge `nobody`: use {', '.join(JUDGES)}"),
        ("{use: gemini}", "`judge.model`: is missing"),
        ("{use: gemini, model: gemini-4-argon, effort: low}", "unknown key `effort`"),
        ("{use: gemini, model: claude-opus-5-5}", "judge with `use: claude`"),
        ("{use: claude, model: gemini-4-argon}", "judge with `use: gemini`"),
        ("{use: gemini, model: gemini-4-argon, thinking_budget: 9}", "takes no thinking_budget"),
    ],
)
def test_judge__what_is_wrong_is_said_with_its_line(judge: str, says: str) -> None:
    """Before anything is asked."""
    with pytest.raises(ConfigError) as caught:
        built(judge)

    assert says in str(caught.value)
    assert ("gate.yaml", 2) == (caught.value.path, caught.value.line)
