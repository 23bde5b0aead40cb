"""What `gate doctor` says of a baseline that another instrument scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli.doctor_instrument import identities_now, instrument_faults
from gate.config import load_config
from gate.engine.rehearsal import InventedPages, RehearsalDoor
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections
from gate.types import Baseline, Provenance
from gate.wiring import Live, build

SONNET = "{use: claude, model: claude-sonnet-5}"
OPUS = "{use: claude, model: claude-opus-5}"
PANEL = (
    "{use: panel, members: [{use: claude, model: claude-sonnet-5}, "
    "{use: claude, model: claude-opus-5}]}"
)


def live(judge: str) -> Live:
    """The scorer of whole answers with this judge; nothing is asked."""
    text = (
        "dataset: {path: cases.yaml}\ntargets: {t: {use: recorded, path: a.jsonl}}\n"
        f"judge: {judge}\nscorers: [{{use: quality}}]\n"
    )
    config = load_config(text, "gate.yaml", {})
    catalogue = load_catalogue()
    return build(
        config,
        targets=(),
        scorers=config.find_uses("scorers"),
        root=Path(),
        read_text=str,
        door=RehearsalDoor(catalogue),
        connections=Connections(),
        catalogue=catalogue,
        run_id="doctor",
        open_pages=InventedPages,
    )


def scored_by(judge: str, name: str, **more: object) -> Baseline:
    """A baseline of runs with this judge, which called itself so."""
    now = identities_now(live(judge), {}, offline=False)
    identities = {key: one.model_copy(update={"judge": name}) for key, one in now.items()}
    return Baseline(identities=identities).model_copy(update=more)


def faults(baseline: Baseline, judge: str, *, offline: bool = False) -> list[str]:
    """What is wrong with it for a gate with this judge."""
    return instrument_faults(baseline, live(judge), frozenset({"here"}), offline=offline)


def test_instrument__the_same_judge() -> None:
    """One model under its full name is the one that is asked; required cases are there."""
    baseline = scored_by(SONNET, "claude-sonnet-5 [json_schema]", required=("here",))

    assert [] == faults(baseline, SONNET)


@pytest.mark.parametrize("judge", [OPUS, PANEL])
def test_instrument__another_model_and_a_panel(judge: str) -> None:
    """Runs could be compared in nothing: it says so before one is paid for."""
    (said,) = faults(scored_by(SONNET, "claude-sonnet-5 [json_schema]"), judge)

    assert "it was scored by another instrument (other judge and scorer of relevance" in said
    assert said.endswith("so a run has no verdict: renew it")


def test_instrument__of_the_loopback_world_and_a_required_case_that_is_gone() -> None:
    """Each would only be seen after a run."""
    world = Provenance(world="steady")
    baseline = scored_by(SONNET, "loopback-judge-1", provenance=world, required=("gone",))

    loopback, gone = faults(baseline, SONNET)
    assert "it is of the loopback world" in loopback
    assert "it requires gone, which the cases no longer hold: every run fails" == gone
    assert [gone] == faults(baseline, SONNET, offline=True)
