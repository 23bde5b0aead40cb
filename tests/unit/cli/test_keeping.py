"""The text of grounded answers is kept only where the owner said so."""

from __future__ import annotations

import pytest

from gate.cli.keeping import check_keeping
from gate.config import Config, load_config
from gate.errors import ConfigError
from gate.types import Provenance, Run, TargetInfo


def config(more: str = "") -> Config:
    """A configuration with this at its end."""
    text = f"dataset: {{path: c.yaml}}\ntargets: {{g: {{use: gemini}}}}\n{more}"
    return load_config(text, "gate.yaml", {})


def run(family: str = "gemini", world: str | None = None) -> Run:
    """A run of one target."""
    return Run(
        id="r",
        provenance=Provenance(world=world),
        targets=(TargetInfo(name="g", use="gemini", family=family),),
    )


@pytest.mark.parametrize("written", [None, config(), config("evidence: {fetch: true}\n")])
def test_check_keeping__refuses_what_nobody_allowed(written: Config | None) -> None:
    """With or without a gate.yaml, and naming the key."""
    with pytest.raises(ConfigError, match=r"e\.json would hold .* `g`.*keep_text: true"):
        check_keeping(written, run(), "e.json")


def test_check_keeping__pages_need_their_own_word() -> None:
    """`keep_text` is about answers; pages that they cite are another matter."""
    check_keeping(config("keep_text: true\n"), run(), "e.json")
    with pytest.raises(ConfigError, match=r"evidence: \{fetch: true\}"):
        check_keeping(config("keep_text: true\n"), run(), "e.json", pages=True)
    both = config("keep_text: true\nevidence: {fetch: true}\n")
    check_keeping(both, run(), "e.json", pages=True)


def test_check_keeping__what_is_nobodys() -> None:
    """The loopback world's answers, and those of other systems."""
    check_keeping(None, run(world="steady"), "e.json", pages=True)
    check_keeping(None, run(family="own"), "e.json", pages=True)
