"""What `gate doctor` says of keys, of models, and of one case that is really asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from gate.cli.doctor_files import Files, failed
from gate.cli.making import make_in_world
from gate.cli.progress import NoProgress
from gate.cli.request import Wish, plan_run, read_setting
from gate.cli.results import results_of
from gate.cli.running import Hands, Made
from gate.cli.signals import Signals
from gate.config import Config
from gate.decision.words import dollars, listed
from gate.errors import ConfigError, CredentialsError, GateError
from gate.models.catalogue import ROAD_NAMES, Catalogue, Road
from gate.models.connections import Connections
from gate.protocols import Judge
from gate.types import Check, Result, Run
from gate.wiring import Live, connect, vendors_of

__all__ = ["Asking", "check_asked", "check_keys", "check_models"]

SOON = timedelta(days=60)
"""A retirement nearer than this is pointed out."""
_NAMES = {"google": "Gemini", "anthropic": "Claude"}


def check_keys(config: Config) -> Iterator[Check]:
    """Say for each vendor whether a request could be signed, and on which road."""
    for vendor in vendors_of(config.targets, config.judge):
        topic = f"key: {_NAMES[vendor]}"
        try:
            found = connect(config, vendors=[vendor], stand_in=None)
        except (ConfigError, CredentialsError) as error:
            yield failed(topic, error)
            continue
        connection = found.google or found.anthropic
        assert connection is not None
        road: Road = connection.road
        if connection.road != "vertex":
            yield Check(topic=topic, state="ok", says=f"a key for {ROAD_NAMES[road]} is set")
            continue
        place = found.google.location if found.google else found.anthropic.region  # type: ignore[union-attr]  # one of the two is there
        yield Check(
            topic=topic,
            state="ok",
            says=f"{ROAD_NAMES[road]}, project {connection.project}, region {place}; whether its "
            "sign-in works is known once it is asked",
        )


@dataclass(frozen=True)
class _Used:
    """A model that the configuration asks."""

    what: str
    model: str
    road: Road


def check_models(live: Live, connections: Connections, catalogue: Catalogue) -> Iterator[Check]:
    """Say of each model whether the table knows it, when it retires, and who answers for it."""
    if catalogue.old:
        yield Check(
            topic="prices",
            state="look",
            says=f"the table of models is of {catalogue.read_on.isoformat()}, "
            f"{(catalogue.on - catalogue.read_on).days} days ago: prices and retirements may have "
            "changed",
            mend="update the gate",
        )
    families: dict[str, str] = {}
    for one in _used(live, connections, catalogue):
        card = catalogue.card(one.model)
        topic = f"model: {one.what}"
        if card is None:
            yield Check(
                topic=topic,
                state="look",
                says=f"{one.model} is not in the table of models of "
                f"{catalogue.read_on.isoformat()}: its price is unknown, so no ceiling holds it",
                mend="check its spelling, or update the gate",
            )
            continue
        families[one.what] = card.family
        yield _state_of(topic, one, catalogue)
    judges = {families.pop(name) for name in _judge_names(live) if name in families}
    same = sorted(name for name, family in families.items() if family in judges)
    if same:
        who = "a judge of the panel" if len(live.judges) > 1 else "the judge"
        yield Check(
            topic="families",
            state="look",
            says=f"{who} is of the family of {listed(same)}: judges prefer their own kind",
            mend="judge with a model of another vendor",
        )
    if len(live.judges) > 1 and len(judges) == 1:
        yield Check(
            topic="families",
            state="look",
            says="all judges of the panel are of one family: their errors go together",
            mend="put a judge of another vendor into the panel",
        )


def _used(live: Live, connections: Connections, catalogue: Catalogue) -> list[_Used]:
    google = connections.google
    found = [
        _Used(name, target.info.model, "vertex" if google is None else google.road)
        for name, target in live.targets.items()
        if target.info.model is not None
    ]
    found.extend(
        _Used(name, judge.model, _road_to(judge, connections, catalogue))
        for name, judge in zip(_judge_names(live), live.judges.values(), strict=True)
    )
    return found


def _road_to(judge: Judge, connections: Connections, catalogue: Catalogue) -> Road:
    card = catalogue.card(judge.model)
    google = card is not None and card.vendor == "google"
    connection = connections.google if google else connections.anthropic
    return "vertex" if connection is None else connection.road


def _judge_names(live: Live) -> list[str]:
    """Name the judge, or each of a panel, as topics do."""
    several = len(live.judges) > 1
    return [f"judge {name}" if several else "judge" for name in live.judges]


def _state_of(topic: str, one: _Used, catalogue: Catalogue) -> Check:
    card, on = catalogue.card(one.model), catalogue.on
    assert card is not None
    instead = f"use {card.successor}" if card.successor else "choose a current model"
    day = card.retires.get(one.road)
    where = ROAD_NAMES[one.road]
    if day is not None and day <= on:
        return Check(
            topic=topic,
            state="wrong",
            says=f"{one.model} was retired on {where} on {day.isoformat()}",
            mend=f"{instead}, and refresh the baseline",
        )
    answering = catalogue.answering(one.model, one.road)
    if answering is not None and answering.id != card.id:
        return Check(
            topic=topic,
            state="look",
            says=f"{answering.id} answers under the name {one.model} on {where}",
            mend=f"name {answering.id}, and refresh the baseline",
        )
    if day is not None and day - on <= SOON:
        return Check(
            topic=topic,
            state="look",
            says=f"{one.model} retires on {where} on {day.isoformat()}, in {_days(day, on)}",
            mend=f"{instead}, and refresh the baseline, before that day",
        )
    until = "" if day is None else f", retires on {day.isoformat()}"
    return Check(topic=topic, state="ok", says=f"{one.model} ({card.status}{until})")


def _days(day: date, on: date) -> str:
    return f"{(day - on).days} days"


@dataclass(frozen=True)
class Asking:
    """How one case is asked."""

    config_path: Path
    """The configuration."""
    offline: str | None
    """Variant of the loopback world; None asks the vendors."""
    env: Mapping[str, str]
    """The environment."""
    signals: Signals
    """What may end it early."""


def check_asked(files: Files, live: Live, asking: Asking) -> Iterator[Check]:
    """Ask one case of every target, have it judged, and say what came of it.

    It is a run like any other, of one case and the first judged scorer, in a folder that is thrown
    away. That shows sign-in, project, models, network, and the form in which the judge may reply.
    """
    scorer = next(
        (
            use.use
            for use, one in zip(files.config.scorers, live.scorers, strict=True)
            if any(metric.judged for metric in one.metrics) and not one.reads_pages
        ),
        files.config.scorers[0].use if files.config.scorers else None,
    )
    try:
        with TemporaryDirectory(prefix="gate-doctor-") as folder:
            made = _made(files, asking, scorer, Path(folder))
            results = list(results_of(made.results, made.run))
    except GateError as error:
        yield failed("asked", error)
        return
    judge = files.config.judge
    yield from _told(made.run, results, policy=judge is not None and judge.use == "claude")


def _made(files: Files, asking: Asking, scorer: str | None, out: Path) -> Made:
    wish = Wish(
        config_path=asking.config_path,
        out=out,
        cases=(files.cases[0].id,),
        scorers=() if scorer is None else (scorer,),
        repeats=1,
        report_only=True,
        yes=True,
        offline=asking.offline,
    )
    made: list[Made] = []
    request = plan_run(wish, read_setting(wish, asking.env), "run")
    make_in_world(request, wish, asking.env, Hands(NoProgress(), asking.signals, made.append))
    return made[0]


def _told(run: Run, results: Sequence[Result], *, policy: bool) -> Iterator[Check]:
    """Say what came back; `policy` says that an organisation's policy may refuse a form."""
    failures = {one.target: one.answer.failure for one in results}
    for info in run.targets:
        topic = f"asked: {info.name}"
        if info.name not in failures:
            said = run.broken.message if run.broken is not None else "nothing came of the question"
            yield Check(topic=topic, state="wrong", says=said)
            continue
        failure = failures[info.name]
        if failure is not None:
            yield Check(topic=topic, state="wrong", says=failure.message)
            continue
        answered = listed(list(info.answered)) or "it"
        yield Check(topic=topic, state="ok", says=f"{answered} answered")
    identities = {one.judge for one in run.identities.values() if one.judge is not None}
    messages = {
        score.failure.message: None
        for one in results
        if one.answer.failure is None
        for score in one.scores
        if score.failure is not None
    }
    if messages:
        yield Check(topic="asked: judge", state="wrong", says="; ".join(messages))
    elif identities:
        (judge, *_) = sorted(identities)
        yield _form(judge, policy=policy)
    yield _cost(run)


def _form(judge: str, *, policy: bool) -> Check:
    topic = "asked: judge"
    if "[text]" not in judge:
        return Check(topic=topic, state="ok", says=f"{judge} judged")
    if policy:
        return Check(
            topic=topic,
            state="look",
            says=f"{judge} judged, with plain JSON text: the organisation's policy refuses "
            "structured output",
            mend="allow structured output for this model in the organisation's policy, and label "
            "anew: the form is part of the judge's identity",
        )
    return Check(
        topic=topic,
        state="look",
        says=f"{judge} judged, with plain JSON text: its vendor refused the schema, or gate.yaml "
        "says `form: text`",
        mend="nothing, where labels and baseline were made in this form: it is part of the judge's "
        "identity",
    )


def _cost(run: Run) -> Check:
    """Say what was really paid, apart from what nobody knows."""
    cost, topic = run.cost, "asked: cost"
    paid = f"{dollars(cost.known_usd)} at list price" if cost.known_usd else "nothing was paid"
    if run.provenance.world is not None:
        says = "nothing was paid: the loopback world answered"
        return Check(topic=topic, state="ok", says=says)
    if cost.assumed_usd:
        return Check(
            topic=topic,
            state="look",
            says=f"{paid}; what became of other calls is not known: they cost "
            f"{dollars(cost.assumed_usd)} at most",
            mend="what was billed stands in the vendor's console",
        )
    if cost.usd is None:
        says = f"{paid} as far as it is known: the price of a model is not in the table"
        return Check(topic=topic, state="look", says=says)
    return Check(topic=topic, state="ok", says=paid)
