"""`judge: {use: panel}` and `run.judge_repeats`: what is read, refused and built."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from gate.cli.doctor_models import check_models
from gate.cli.estimating import Estimator, group_of
from gate.config import Config, load_config
from gate.errors import ConfigError
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections
from gate.scorers.ensemble import Ensemble
from gate.scorers.quality import QualityScorer
from gate.types import Page
from gate.wiring import Live, build, metrics_of, vendors_of
from tests.fakes import OpenDoor, case

HEAD = "dataset: {path: c.yaml}\nscorers: [quality]\n"
"""Lines 1 and 2 of every file here."""

OPUS = "{use: claude, model: claude-opus-5-5}"
SONNET = "{use: claude, model: claude-sonnet-5-5, effort: high}"


def panel(*members: str) -> str:
    """A panel of these members, from line 3 on; `members` on line 5, the first one on line 6."""
    listed = "".join(f"    - {one}\n" for one in members)
    return f"judge:\n  use: panel\n  members:\n{listed}"


def read(text: str, env: Mapping[str, str] | None = None) -> Config:
    """Read a configuration."""
    return load_config(HEAD + text, "gate.yaml", env or {})


def built(config: Config) -> Live:
    """Build it, pages and all."""
    return build(
        config,
        targets=(),
        scorers=config.scorers,
        root=Path(),
        read_text=lambda name: name,
        door=OpenDoor(),
        connections=Connections(),
        catalogue=load_catalogue(),
        run_id="r",
        open_pages=_NoPages,
    )


class _NoPages:
    """A door of pages that has none."""

    async def page(self, uri: str) -> Page:
        """No page."""
        return Page(uri=uri, status="http 404")

    async def aclose(self) -> None:
        """Nothing is open."""


def digest_of(text: str) -> str:
    """The scorer's part of the identity under a configuration."""
    (scorer,) = built(read(text)).scorers
    return scorer.settings_digest


def test_panel__is_read_with_its_members() -> None:
    """Each has its own plug-in, options and line; a single judge has no members."""
    judge = read(panel(OPUS, SONNET)).judge
    single = read(f"judge: {OPUS}\n").judge

    assert judge is not None
    assert single is not None
    assert ["claude-opus-5-5", "claude-sonnet-5-5"] == [
        one.options.text("model") for one in judge.members
    ]
    assert [6, 7] == [one.line for one in judge.members]
    assert () == single.members
    assert ("anthropic",) == vendors_of((), judge)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (panel(OPUS), 5, "`judge.members`: a panel has 2 to 5 judges, each asked"),
        (panel(*[OPUS] * 6), 5, "about every answer; this one has 6"),
        ("judge: {use: panel}\n", 3, "`judge.members`: is missing: add it"),
        (f"judge: {{use: panel, members: {OPUS}}}\n", 3, "`judge.members`: must be a list"),
        (panel(OPUS, SONNET) + "  effort: low\n", 8, "unknown key `effort`"),
        (panel(OPUS, "claude"), 7, "`judge.members[1]`: must be a block of keys"),
        (panel(OPUS, "{use: panel, members: []}"), 7, "a panel is no member of a panel"),
        ("run: {judge_repeats: 0}\n", 3, "`run.judge_repeats`: must be greater than or equal to 1"),
        ("run: {judge_repeats: 21}\n", 3, "`run.judge_repeats`: must be less than or equal to 20"),
    ],
)
def test_panel__refused_with_its_line(text: str, line: int, message: str) -> None:
    """Every fault stands where it is written."""
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert message in str(caught.value)
    assert line == caught.value.line


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (panel(OPUS, "{use: oracle}"), 7, "unknown judge `oracle`: use claude"),
        (panel(OPUS, SONNET, OPUS), 8, "the same judge as on line 6"),
        (
            # The effort that is sent without a word is the same setting.
            panel(OPUS, "{use: claude, effort: medium}"),
            7,
            "the same judge as on line 6: each member of a panel needs a model or settings",
        ),
        (panel(OPUS, "{use: claude, modell: x}"), 7, "modell"),
        (panel(OPUS, "{use: claude, effort: none}"), 7, "effort"),
        (
            panel(OPUS, "{use: claude, model: claude-haiku-4-5-20251001, effort: high}"),
            7,
            "claude-haiku-4-5-20251001 does not know effort: high: leave it out",
        ),
    ],
)
def test_panel__refused_when_it_is_built(text: str, line: int, message: str) -> None:
    """A member's own options are checked like a single judge's."""
    with pytest.raises(ConfigError) as caught:
        built(read(text))
    assert message in str(caught.value)
    assert line == caught.value.line


def test_panel__one_model_of_the_environment_is_no_panel() -> None:
    """EVAL_JUDGE_MODEL names one judge; that it would be all of the panel nobody meant."""
    with pytest.raises(ConfigError, match="EVAL_JUDGE_MODEL names one judge"):
        read(panel(OPUS, SONNET), {"EVAL_JUDGE_MODEL": "claude-opus-5-5"})


def test_build__a_single_ruling_is_a_scorer_as_it_ever_was() -> None:
    """No wrapper: its identity and its calls are what they were before there were panels."""
    (scorer,) = built(read(f"judge: {OPUS}\n")).scorers
    (written,) = built(read(f"judge: {OPUS}\nrun: {{judge_repeats: 1}}\n")).scorers

    assert isinstance(scorer, QualityScorer)
    assert scorer.settings_digest == written.settings_digest


def test_build__a_panel_is_an_ensemble_under_its_models_names() -> None:
    """Two judges of one model are told apart; the measured dimensions are the scorer's."""
    config = read(panel(OPUS, SONNET, "{use: claude, model: claude-opus-5-5, effort: low}"))
    live = built(config)

    (scorer,) = live.scorers
    assert isinstance(scorer, Ensemble)
    names = ["claude-opus-5-5", "claude-sonnet-5-5", "claude-opus-5-5 (2)"]
    assert names == list(live.judges)
    assert ("claude",) == live.families
    single = metrics_of(read(f"judge: {OPUS}\n"), config.scorers, Path())
    assert single == metrics_of(config, config.scorers, Path())


def test_build__identity_depends_on_judges_and_rulings() -> None:
    """Another judge, another order, another setting, more rulings: each is another instrument."""
    repeats = "run: {judge_repeats: 2}\n"
    found = [
        digest_of(f"judge: {OPUS}\n"),
        digest_of(f"judge: {OPUS}\n{repeats}"),
        digest_of(panel(OPUS, SONNET)),
        digest_of(panel(SONNET, OPUS)),
        digest_of(panel(OPUS, SONNET) + repeats),
        digest_of(panel(OPUS, "{use: claude, model: claude-sonnet-5-5}")),
    ]

    assert len(found) == len(set(found))


HOUSE = '''
from gate.types import Score
class Words:
    """A scorer that asks nobody."""
    metrics, reads_pages, prompt_digest, settings_digest = (), False, None, "w"
    def __init__(self, options, judges):
        self.judges = dict(judges)
    async def score(self, trial):
        return ()
'''


def test_build__who_asks_no_judge_is_not_asked_twice(tmp_path: Path) -> None:
    """Counting words needs no panel."""
    (tmp_path / "house.py").write_text(HOUSE, "utf-8")
    text = "dataset: {path: c.yaml}\nscorers: ['house.py:Words']\n" + panel(OPUS, SONNET)
    config = load_config(text, "gate.yaml", {})

    live = build(
        config,
        targets=(),
        scorers=config.scorers,
        root=tmp_path,
        read_text=lambda name: name,
        door=OpenDoor(),
        connections=Connections(),
        catalogue=load_catalogue(),
        run_id="r",
        open_pages=_NoPages,
    )

    assert not isinstance(live.scorers[0], Ensemble)


def test_doctor__looks_at_each_judge() -> None:
    """A line for each member's model, and a word where all are of one family."""
    catalogue = load_catalogue()

    checks = list(check_models(built(read(panel(OPUS, SONNET))), Connections(), catalogue))

    assert ["model: judge claude-opus-5-5", "model: judge claude-sonnet-5-5", "families"] == [
        one.topic for one in checks
    ]
    assert "all judges of the panel are of one family" in checks[-1].says
    (single,) = check_models(built(read(f"judge: {OPUS}\n")), Connections(), catalogue)
    assert "model: judge" == single.topic


def test_estimate__counts_every_ruling() -> None:
    """Two judges, three rulings each: six calls an answer, at each judge's own price."""
    target = "targets: {t: {use: gemini, model: gemini-3.8-flash}}\n"
    config = read(f"{target}{panel(OPUS, SONNET)}run: {{judge_repeats: 3}}\n")
    estimator = Estimator(
        config=config,
        root=Path(),
        cases=[case("a"), case("b")],
        targets=config.targets,
        repeats=1,
        on=date(2026, 12, 1),
    )

    found = estimator.estimate(group_of(config.scorers, ()))

    judges = {one.model: one.calls for one in found.parts if one.kind == "judge"}
    assert {"claude-opus-5-5": 6, "claude-sonnet-5-5": 6} == judges
    assert (12, 6) == (found.judge_calls, found.rulings)
    assert len({one.usd for one in found.parts if one.kind == "judge"}) == 2
