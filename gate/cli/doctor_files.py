"""What `gate doctor` says of files: configuration, cases, labels, baseline, what is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gate.cli.baseline_check import quick_summary
from gate.cli.doctor_instrument import identities_now, instrument_faults
from gate.cli.init_choices import ACTION
from gate.cli.init_flows import FLOWS
from gate.cli.planning import wanted_sample
from gate.cli.reading import (
    read_baseline_file,
    read_calibration,
    read_cases,
    read_config,
    read_sensitivity,
)
from gate.config import Config
from gate.config.terms import GROUNDED, STORED
from gate.decision.calibration import agreements
from gate.decision.licence import MAY_GATE
from gate.decision.planning import PlanPower, cases_to_pass, check_plan, units_among
from gate.decision.rows import margin_of
from gate.decision.standing import gating_dimensions
from gate.decision.words import counted, listed, setting
from gate.engine.plan import choose_cases
from gate.errors import GateError
from gate.types import Agreement, Baseline, Calibration, Case, Check, Sensitivity
from gate.wire.checkout import checkout_of
from gate.wiring import Live

__all__ = ["Files", "check_files", "check_ignored", "check_terms_of", "failed", "missing_from"]

KEPT_OUT = ("gate-out/", "gha-creds-*.json")
"""What a repository should ignore: results, and the key that a cloud login leaves there."""
_DAY_S = 86_400.0


def failed(topic: str, error: GateError) -> Check:
    """Return the line of what could not be read or built."""
    return Check(topic=topic, state="wrong", says=str(error))


@dataclass(frozen=True)
class Files:
    """What could be read."""

    config: Config
    """The configuration."""
    root: Path
    """Its folder, from which its paths start."""
    cases: tuple[Case, ...] = ()
    """The dataset; empty where it could not be read."""


def check_config(path: Path, env: Mapping[str, str]) -> tuple[Check, Files | None]:
    """Read the configuration."""
    try:
        config = read_config(path, env)
    except GateError as error:
        return failed("config", error), None
    judge = "no judge" if config.judge is None else f"judge {config.judge.use}"
    if config.judge is not None and config.judge.members:
        named = [one.options.text("model") or one.use for one in config.judge.members]
        judge += f" of {listed(named)}"
    targets = listed([f"{use.name} ({use.use})" for use in config.targets])
    says = f"{path}: {targets}; {judge}; {listed([use.use for use in config.scorers])}"
    return Check(topic="config", state="ok", says=says), Files(config, path.parent)


def check_cases(files: Files) -> tuple[Check, Files]:
    """Read the cases, and say what a pull request asks of them."""
    config = files.config
    try:
        cases = read_cases(config, files.root)
        wanted = wanted_sample(None, config)
        chosen = choose_cases(cases, sample=wanted, seed=config.run.seed or "gate-v1")
    except GateError as error:
        return failed("cases", error), files
    categories = Counter(case.category for case in cases)
    asked = "all of them" if wanted is None else f"{len(chosen)} of them"
    says = (
        f"{counted(len(cases), 'case')} in "
        f"{counted(len(categories), 'category').replace('categorys', 'categories')}; a run asks "
        f"{asked}, {counted(config.run.repeats, 'time')} each"
    )
    found = Files(config, files.root, tuple(chosen))
    return Check(topic="cases", state="ok", says=says), found


def check_power_of(files: Files, live: Live, licences: Sequence[Agreement]) -> Check:
    """Say what a run of so many cases can see at all."""
    policy, metrics = files.config.policy, [m for one in live.scorers for m in one.metrics]
    gating = gating_dimensions(metrics, licences, policy)
    tests = len(gating) * len(live.targets)
    if not tests:
        return Check(
            topic="power",
            state="look",
            says="no dimension may fail a run yet, so a run gives numbers and no verdict",
            mend="rate answers (`gate label DIR --by NAME`), then `gate kappa RUN.json --write "
            "evals/calibration.json`",
        )
    cases, margin = files.cases, min(margin_of(name, policy) for name in gating)
    clusters = {case.id: case.cluster for case in cases if case.cluster is not None}
    units = units_among([case.id for case in cases], clusters)
    power: PlanPower = check_plan(units, tests, policy, gating)
    needed = cases_to_pass(margin, policy.pass_level)
    if units < len(cases):
        return _power(
            power,
            f"{counted(len(cases), 'case')} in {counted(units, 'cluster')} and "
            f"{counted(tests, 'test')} (targets x gating dimensions)",
            f"add cases of other clusters: it takes {needed} clusters without any change to pass "
            f"at a margin of {setting(margin)}",
        )
    return _power(
        power,
        f"{counted(len(cases), 'case')} and {counted(tests, 'test')} (targets x gating dimensions)",
        f"add cases: it takes {needed} without any change to pass at a margin of {setting(margin)}",
    )


def _power(power: PlanPower, able: str, mend: str) -> Check:
    if power.can_fail and power.can_pass:
        return Check(topic="power", state="ok", says=f"{able} can fail a run, and pass one")
    missing = "pass" if power.can_fail else "fail" if power.can_pass else "fail or pass"
    return Check(
        topic="power",
        state="look" if power.can_fail or power.can_pass else "wrong",
        says=f"{able} cannot {missing} a run",
        mend=mend,
    )


def licences_of(
    files: Files,
    live: Live,
    calibration: Calibration | None,
    sensitivity: Sensitivity | None = None,
    *,
    offline: bool,
) -> tuple[Agreement, ...]:
    """Return the licence of every dimension, as far as it is known before the judge replies."""
    stored = {one.dimension: one.identity for one in calibration.sets} if calibration else {}
    return agreements(
        calibration,
        [metric for one in live.scorers for metric in one.metrics],
        identities_now(live, stored, offline=offline),
        files.config.policy,
        world="steady" if offline else None,
        sensitivity=sensitivity,
    )


def check_labels(licences: Sequence[Agreement]) -> Iterator[Check]:
    """Say of each judged dimension whether it may fail a run."""
    judged = [one for one in licences if one.state != "not_needed"]
    for group in _alike(judged):
        state = group[0].state
        names = listed([_with_kappa(one) for one in group])
        if state == "validated":
            yield Check(topic="labels", state="ok", says=f"{names}: may fail a run")
            continue
        because = group[0].because
        word = "may fail a run on a large drop only" if state in MAY_GATE else "may not fail a run"
        mend = (
            "more labels, then `gate kappa RUN.json --write evals/calibration.json`"
            if state in MAY_GATE
            else None
        )
        yield Check(topic="labels", state="look", says=f"{names}: {word} ({because})", mend=mend)


def _alike(licences: Sequence[Agreement]) -> list[list[Agreement]]:
    """Group the dimensions that have the same licence for the same reason, in their order."""
    groups: dict[tuple[str, str], list[Agreement]] = {}
    for one in licences:
        because = "" if one.state == "validated" else one.because
        groups.setdefault((one.state, because), []).append(one)
    return list(groups.values())


def _with_kappa(one: Agreement) -> str:
    if one.kappa is None:
        return one.dimension
    return f"{one.dimension} (κ {one.kappa:.2f}, n {one.n})"


def check_baseline(
    files: Files, live: Live, calibration: Calibration | None, now: datetime, *, offline: bool
) -> Check:
    """Say how old the baseline is, what it covers, by what it was scored, if its repeats agree."""
    path = files.root / files.config.baseline
    try:
        baseline = read_baseline_file(path)
    except GateError as error:
        return failed("baseline", error)
    if baseline is None:
        return Check(
            topic="baseline",
            state="look",
            says=f"{files.config.baseline} is not there yet, so a run gives numbers and no verdict",
            mend="run the baseline workflow, or `gate run --repeats 5` and `gate baseline "
            f"gate-out/run.json --write {files.config.baseline}`",
        )
    # A run's sample need not hold all of them.
    dataset = frozenset(case.id for case in read_cases(files.config, files.root))
    instrument = instrument_faults(baseline, live, dataset, offline=offline)
    return _baseline_line(files, live, baseline, calibration, now, instrument)


def _baseline_line(
    files: Files,
    live: Live,
    baseline: Baseline,
    calibration: Calibration | None,
    now: datetime,
    instrument: Sequence[str],
) -> Check:
    policy = files.config.policy
    covered = {cell.case_id for cell in baseline.cells} & {case.id for case in files.cases}
    known = {info.name for info in baseline.targets}
    age = _age_days(baseline.provenance.created, now)
    says = (
        "of unknown age" if age is None else f"{counted(round(age), 'day')} old"
    ) + f", {len(covered)} of the {counted(len(files.cases), 'case')} asked"
    if unchanged := quick_summary(baseline, policy, calibration):
        says = f"{says}; {unchanged}"
    faults, mend = [*instrument], "refresh it with the baseline workflow"
    if baseline.averages_only:
        faults.append("it holds averages alone, which cannot tell a drop from noise")
    if missing := [name for name in live.targets if name not in known]:
        faults.append(f"it has no scores of {listed(missing)}")
    if len(covered) < len(files.cases):
        faults.append("cases that it lacks are reported and not gated")
    if age is not None and age > policy.max_baseline_age_days:
        faults.append(f"older than {policy.max_baseline_age_days:g} days: numbers, no verdict")
    elif age is not None and age > policy.warn_baseline_age_days:
        faults.append(f"every run mentions one older than {policy.warn_baseline_age_days:g} days")
    if not faults:
        return Check(topic="baseline", state="ok", says=says)
    return Check(topic="baseline", state="look", says=f"{says}; {'; '.join(faults)}", mend=mend)


def _age_days(created: str | None, now: datetime) -> float | None:
    try:
        made = datetime.fromisoformat(created or "")
    except ValueError:
        return None
    made = made if made.tzinfo is not None else made.replace(tzinfo=now.tzinfo)
    return max(0.0, (now - made).total_seconds() / _DAY_S)


def check_terms_of(files: Files, live: Live) -> Check | None:
    """Say what is on and off of what Google's terms of grounded search are about; None elsewhere.

    They restrict storing and analysing results, and following their links automatically.
    """
    grounded = [
        name
        for name, target in live.targets.items()
        if target.info.family == GROUNDED or target.info.use == STORED
    ]
    if not grounded:
        return None
    fetch, keep = files.config.evidence.fetch, files.config.keep_text
    reading = [metric.name for one in live.scorers if one.reads_pages for metric in one.metrics]
    says = (
        f"{listed(grounded)} may be grounded by Google Search, whose terms restrict following the "
        "links of results automatically and keeping answers: fetching cited pages is "
        f"{'on' if fetch else 'off'}, keeping answers' text is {'on' if keep else 'off'}"
    )
    if reading and not fetch:
        return Check(
            topic="terms",
            state="wrong",
            says=f"{says}, and {listed(reading)} need the pages",
            mend="write `evidence: {fetch: true}` if you may (this is no legal advice), or leave "
            "these scorers out",
        )
    return Check(topic="terms", state="ok", says=f"{says} (your decision; no legal advice)")


def missing_from(lines: Sequence[str]) -> list[str]:
    """Return what a .gitignore of these lines does not name."""
    return [name for name in KEPT_OUT if not {name, f"/{name}", name.rstrip("/")} & set(lines)]


def check_ignored(root: Path) -> Check | None:
    """Say whether results and keys are kept out of the repository; None where there is none."""
    here = root.resolve()
    checkout = checkout_of(here)
    if checkout is None:
        return None
    lines: list[str] = []
    for folder in (here, *here.parents):
        with suppress(OSError, UnicodeDecodeError):
            lines += (folder / ".gitignore").read_text("utf-8").split()
        if folder == checkout:
            break
    missing = missing_from(lines)
    if not missing:
        return Check(topic="ignored", state="ok", says=".gitignore names results and cloud keys")
    return Check(
        topic="ignored",
        state="look",
        says=f".gitignore does not name {listed(missing)}",
        mend="add a line for each: results may hold private answers, and a cloud login leaves its "
        "key in the workspace",
    )


def check_workflows(root: Path) -> Check | None:
    """Find workflows that still take nobody's action; None where there are none of ours."""
    checkout = checkout_of(root.resolve())
    if checkout is None:
        return None
    unnamed, named = [], 0
    for path in sorted((checkout / FLOWS).glob("*.yml")):
        text = ""
        with suppress(OSError, UnicodeDecodeError):
            text = path.read_text("utf-8")
        unnamed += [path.name] if ACTION in text else []
        named += "base-path: base" in text
    if unnamed:
        return Check(
            topic="workflows",
            state="look",
            says=f"{listed(unnamed)}: {ACTION} is nobody's action",
            mend="`gate init --force --action OWNER/REPO@COMMIT` says whose it is, a release or a "
            "copy of its repository in an account of yours",
        )
    return Check(topic="workflows", state="ok", says="each names its action") if named else None


def check_files(files: Files, live: Live, now: datetime, *, offline: bool) -> Iterator[Check]:
    """Check what is read beside the configuration and the cases.

    `offline` is against the loopback world, whose judge is another and whose pages are ours.
    """
    try:
        calibration = read_calibration(files.root / files.config.calibration)
    except GateError as error:
        yield failed("labels", error)
        calibration = None
    try:
        sensitivity = read_sensitivity(files.root / files.config.sensitivity)
    except GateError as error:
        yield failed("labels", error)
        sensitivity = None
    licences = licences_of(files, live, calibration, sensitivity, offline=offline)
    yield from check_labels(licences)
    yield check_power_of(files, live, licences)
    yield check_baseline(files, live, calibration, now, offline=offline)
    terms = None if offline else check_terms_of(files, live)
    if terms is not None:
        yield terms
    workflows = check_workflows(files.root)
    if workflows is not None:
        yield workflows
    ignored = check_ignored(files.root)
    if ignored is not None:
        yield ignored
