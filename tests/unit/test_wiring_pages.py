"""Building what page-reading scorers need, and the terms of grounded search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gate.config import Config, load_config
from gate.errors import ConfigError
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections
from gate.protocols import Pages
from gate.types import Page, Score, TargetInfo, Trial
from gate.wiring import Live, build, check_terms
from tests.fakes import FakeScorer, FakeTarget, OpenDoor

HOUSE = '''
from typing import Literal
from pydantic import BaseModel
class Reader:
    """Scorers of a house."""
    class Options(BaseModel):
        pages: Literal["passages", "whole"] = "passages"
        max_page_bytes: int = 60000
    metrics, reads_pages, prompt_digest = (), True, None
    def __init__(self, options, judges):
        self.settings_digest = f"{options.pages} {options.max_page_bytes}"
class Plain(Reader):
    reads_pages = False
'''


@dataclass
class Opened:
    """Counts how often the door of pages was made."""

    times: int = 0
    closed: list[str] = field(default_factory=list)

    def open(self) -> Pages:
        """Make a door."""
        self.times += 1
        return self

    async def page(self, uri: str) -> Page:
        """No page."""
        return Page(uri=uri, status="http 404")

    async def aclose(self) -> None:
        """Remember it."""
        self.closed.append("pages")


def config(scorers: str, more: str = "") -> Config:
    """A configuration with these scorers."""
    return load_config(
        f"dataset: {{path: c.yaml}}\nscorers:\n  - {scorers}\n{more}", "gate.yaml", {}
    )


def built(folder: Path, read: Config, opened: Opened) -> Live:
    """Build it."""
    (folder / "house.py").write_text(HOUSE, "utf-8")
    return build(
        read,
        targets=(),
        scorers=read.scorers,
        root=folder,
        read_text=lambda name: name,
        door=OpenDoor(),
        connections=Connections(),
        catalogue=load_catalogue(),
        run_id="r",
        open_pages=opened.open,
    )


async def test_build__door_of_pages_only_where_a_scorer_reads_them(tmp_path: Path) -> None:
    """And it is closed with the rest."""
    opened = Opened()

    plain = built(tmp_path, config("house.py:Plain"), opened)
    assert (None, 0) == (plain.pages, opened.times)
    reader = built(tmp_path, config("house.py:Reader"), opened)
    await reader.aclose()

    assert (1, ["pages"]) == (opened.times, opened.closed)


@pytest.mark.parametrize(
    ("scorer", "block", "expected"),
    [
        ("house.py:Reader", "", "passages 60000"),
        ("house.py:Reader", "evidence: {pages: whole, max_page_bytes: 9000}\n", "whole 9000"),
        ("{use: house.py:Reader, pages: passages}", "evidence: {pages: whole}\n", "passages 60000"),
    ],
)
def test_build__scorers_share_what_evidence_says(
    tmp_path: Path, scorer: str, block: str, expected: str
) -> None:
    """A scorer's own word wins; both are part of its identity."""
    live = built(tmp_path, config(scorer, block), Opened())

    assert expected == live.scorers[0].settings_digest


class Grounded(FakeTarget):
    """A target of some family."""

    def __init__(self, family: str | None) -> None:
        super().__init__({})
        self.family = family

    @property
    def info(self) -> TargetInfo:
        """Its card."""
        return TargetInfo(name="flash", use="any", family=self.family)


def nothing(_: Trial) -> Sequence[Score]:
    """No score."""
    return ()


def live(family: str | None, *, reads_pages: bool) -> Live:
    """A target of a family, and a scorer."""
    scorer = FakeScorer(nothing)
    scorer.reads_pages = reads_pages
    return Live(targets={"flash": Grounded(family)}, scorers=[scorer], judges={})


def test_terms__grounded_links_are_not_followed_unasked() -> None:
    """The sentence names scorer, target, terms and the key; its line is the scorer's."""
    read = config("faithfulness")

    with pytest.raises(ConfigError, match="no legal advice") as caught:
        check_terms(read, live("gemini", reads_pages=True), read.scorers)

    message = str(caught.value)
    assert 2 == caught.value.exit_code
    assert message.startswith("gate.yaml:3: ")
    assert all(word in message for word in ("`faithfulness`", "`flash`", "Google's terms"))
    assert "`evidence: {fetch: true}`" in message


@pytest.mark.parametrize(
    ("family", "reads_pages", "block"),
    [
        ("gemini", True, "evidence: {fetch: true}\n"),
        ("gemini", False, ""),
        ("other", True, ""),
        (None, True, ""),
    ],
)
def test_terms__nobody_else_is_concerned(
    family: str | None, *, reads_pages: bool, block: str
) -> None:
    """Who said so, who reads no pages, and targets of others."""
    read = config("faithfulness", block)

    check_terms(read, live(family, reads_pages=reads_pages), read.scorers)
