"""Which cases are asked, of which targets, how often; in an order that no machine changes."""

from __future__ import annotations

import hashlib
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from gate.errors import ConfigError
from gate.stats.sampling import FEWEST_PER_CATEGORY, order_key, stratified_sample
from gate.types import MUST_INCLUDE, REQUIRED, Case, Job, Plan, Stratum, digest
from gate.wire.journal_identity import SCORER

_SHARD = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})", re.ASCII)


@dataclass(frozen=True)
class Shard:
    """One part of a plan, to be run beside the others on another machine."""

    number: int
    """Which one, from 1."""
    of: int
    """How many there are."""

    @staticmethod
    def parse(text: str) -> Shard:
        """Read `I/N`. Raises ConfigError."""
        match = _SHARD.fullmatch(text)
        if match is None or int(match[1]) > int(match[2]):
            raise ConfigError(f"--shard {text}: write I/N, such as 1/4, with I from 1 to N")
        return Shard(int(match[1]), int(match[2]))

    def part_of(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        """Return this part of cases in hash order: every N-th one, from the I-th."""
        return tuple(cases[self.number - 1 :: self.of])

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True)
class Sampling:
    """How the places of a sample are shared among the categories."""

    floor: int = FEWEST_PER_CATEGORY
    """Cases of each category at least, as far as there is room."""
    spreads: Mapping[str, float] | None = None
    """Category -> spread of the differences, for more cases where more noise is; None shares by
    sizes alone."""


BY_SIZE = Sampling()
"""In proportion, two cases of each category at least."""


def choose_cases(
    cases: Sequence[Case],
    *,
    sample: int | None,
    seed: str,
    only: Sequence[str] = (),
    sampling: Sampling = BY_SIZE,
) -> tuple[Case, ...]:
    """Return the cases to ask, in hash order.

    `sample` cases are taken (None takes all): those that every sample holds, and of the others so
    many of each category; `only` narrows to the ids named. Raises ConfigError for an id that the
    dataset does not have, for a sample of none, and for one without room for what it must hold.
    """
    by_id = {case.id: case for case in cases}
    unknown = [name for name in only if name not in by_id]
    if unknown:
        raise ConfigError(
            f"--case {unknown[0]}: the dataset has no such case; it has {_some(by_id)}"
        )
    if only:
        return _in_order([by_id[name] for name in dict.fromkeys(only)], seed)
    if sample is None or sample >= len(cases):
        return _in_order(cases, seed)
    if sample < 1:
        raise ConfigError(f"--sample {sample}: ask for at least one case, or `full`")
    held = [case for case in cases if case.must_include]
    if sample < len(held):
        raise ConfigError(
            f"--sample {sample}: {len(held)} cases have the tag `{MUST_INCLUDE}`, and every sample "
            f"holds them: ask for {len(held)} at least, or take the tag from some"
        )
    chosen = stratified_sample(
        [(case.id, case.category) for case in cases if not case.must_include],
        sample - len(held),
        seed,
        floor=sampling.floor,
        spreads=sampling.spreads,
    )
    return _in_order([*held, *(by_id[name] for name in chosen)], seed)


def strata_of(
    all_cases: Sequence[Case], chosen: Sequence[Case], *, full: bool = False
) -> tuple[Stratum, ...]:
    """Return the strata of a sample: what every sample holds first, then category by category.

    Empty where every case was chosen, since then each stands for itself, unless `full` asks for
    them all the same.
    """
    if len(chosen) >= len(all_cases) and not full:
        return ()
    asked = {case.id for case in chosen}
    groups: dict[tuple[bool, str], list[str]] = defaultdict(list)
    for case in all_cases:
        groups[not case.must_include, "" if case.must_include else case.category].append(case.id)
    return tuple(
        Stratum(
            name=name if others else MUST_INCLUDE,
            total=len(ids),
            case_ids=tuple(sorted(asked.intersection(ids))),
            must_include=not others,
        )
        for (others, name), ids in sorted(groups.items())
    )


def parts_of(
    chosen: Sequence[Case], looks: int, *, seed: str, sampling: Sampling = BY_SIZE
) -> tuple[tuple[Case, ...], ...]:
    """Cut the chosen cases into what each look adds, each part in hash order.

    What was asked at the end of a look is a sample of all by itself: the looks are nested, and each
    keeps the categories' shares as nearly as it can.
    """
    parts: list[tuple[Case, ...]] = []
    before: set[str] = set()
    held = sum(case.must_include for case in chosen)
    for look in range(1, looks + 1):
        wanted = max(1, held, math.ceil(len(chosen) * look / looks))
        here = choose_cases(chosen, sample=wanted, seed=seed, sampling=sampling)
        parts.append(tuple(case for case in here if case.id not in before))
        before |= {case.id for case in here}
    return tuple(parts)


def make_plan(
    all_cases: Sequence[Case],
    chosen: Sequence[Case],
    *,
    seed: str,
    sample: int | None,
    repeats: int,
    narrowed: bool,
    scorer_sets: Sequence[str] = (),
    shard: Shard | None = None,
    sampling: Sampling = BY_SIZE,
    looks: int = 1,
) -> Plan:
    """Write down what was planned; a shard has the plan of the whole."""
    return Plan(
        seed=seed,
        sample=None if sample is None or sample >= len(all_cases) else sample,
        repeats=repeats,
        case_ids=tuple(sorted(case.id for case in chosen)),
        total=len(all_cases),
        dataset=tuple(sorted(case.id for case in all_cases)),
        **marks_of(all_cases),
        narrowed=narrowed,
        scorer_sets=tuple(scorer_sets),
        shard=None if shard is None else str(shard),
        looks=looks,
        allocation="proportional" if sampling.spreads is None else "neyman",
        # Cases that were named by hand stand for no others.
        strata=() if narrowed else strata_of(all_cases, chosen),
    )


class Marks(TypedDict):
    """What a dataset says of its cases besides what is asked."""

    required: tuple[str, ...]
    """Cases that must be in the run."""
    clusters: dict[str, str]
    """Case -> what it shares with others."""


def marks_of(cases: Sequence[Case]) -> Marks:
    """Return the part of a plan that the dataset decides, whoever made the plan."""
    by_id = sorted(cases, key=lambda case: case.id)
    return Marks(
        required=tuple(case.id for case in by_id if REQUIRED in case.tags),
        clusters={case.id: case.cluster for case in by_id if case.cluster is not None},
    )


def make_jobs(cases: Sequence[Case], targets: Sequence[str], repeats: int) -> tuple[Job, ...]:
    """Return the jobs: all first attempts in the cases' order, then all second ones, and so on.

    A run that ends early has then asked whole cases of every target, in hash order.
    """
    return tuple(
        Job(case=case, target=target, attempt=attempt)
        for attempt in range(repeats)
        for case in cases
        for target in targets
    )


def run_identity(
    plan: Plan,
    cases: Sequence[Case],
    targets: Mapping[str, str | None],
    scorers: Mapping[str, str],
    world: str | None,
) -> Mapping[str, str]:
    """Return what an unfinished run must share with the one that resumes it, part by part.

    The names of the parts are words for a message. `targets` maps names to the digests of their
    settings, `scorers` what they measure to the digests of prompt and settings.
    """
    facts = plan.model_dump(mode="json")
    parts: dict[str, object] = {
        "which cases are asked": [
            facts.pop("case_ids"),
            facts.pop("dataset"),
            facts.pop("total"),
            facts.pop("strata"),
        ],
        "the text of the cases": [case.digest for case in cases],
        "the loopback world": world,
    }
    parts |= {f"the plan's {name.replace('_', ' ')}": value for name, value in facts.items()}
    parts |= {f"the settings of target {name}": value for name, value in targets.items()}
    parts |= {f"{SCORER}{name}": value for name, value in scorers.items()}
    return {name: digest(value) for name, value in parts.items()}


def new_run_id(started: str, salt: bytes) -> str:
    """Return a run id: the UTC time without colons, and six hexadecimal digits of the salt."""
    stamp = started.replace("-", "").replace(":", "")[:15]
    return f"{stamp}Z-{hashlib.sha256(salt).hexdigest()[:6]}"


def _in_order(cases: Sequence[Case], seed: str) -> tuple[Case, ...]:
    return tuple(sorted(cases, key=lambda case: order_key(seed, case.id)))


def _some(by_id: Mapping[str, Case], most: int = 8) -> str:
    names = sorted(by_id)
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
