"""What the pull request of a baseline refresh says of the judge: how kappa moved, and licences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from gate.decision.comparison import DIFFERS
from gate.decision.licence import MAY_GATE, WEAK
from gate.decision.refresh import Refreshed
from gate.decision.words import few, listed
from gate.reports.refresh_table import trust_of
from gate.reports.rows import trust_words
from gate.reports.untrusted import sentence, span


def judge_lines(found: Refreshed) -> Iterator[str]:
    """Say how kappa moved in each dimension whose judge changed."""
    if found.moves:
        yield _parts(found)
    for move in found.moves:
        before = trust_words(trust_of(move.before))
        if move.after is None:
            yield (
                f"{sentence(move.dimension)}: {before} → unknown, since no label belongs to an "
                "answer that the present judge rated. It is without a licence until the rated "
                "answers are judged again and named with `gate refresh --rated`"
            )
        else:
            now = trust_words(trust_of(move.after))
            fewer = move.after.n < move.before.n
            more = "; the other rated answers were not judged again (`--rated`)" if fewer else ""
            yield f"{sentence(move.dimension)}: {before} → {now}{more}"


def licence_lines(found: Refreshed) -> Iterator[str]:
    """Say which dimensions have no licence, or a weak one, and why: the same reason once."""
    watched = {metric.name for metric in found.run.metrics if metric.watched}
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in found.agreements:
        if one.dimension in watched or (one.state in MAY_GATE and one.state not in WEAK):
            continue
        fails = "fails on a large drop only" if one.state in WEAK else "advisory"
        state = f"{one.state}, {fails}"
        groups[state, one.because].append(one.dimension)
    for (state, because), names in groups.items():
        yield f"{sentence(few(names))} ({state}): {sentence(because)}"


def _parts(found: Refreshed) -> str:
    """Name what is another one than when the labels were compared: judge, prompt, scorer."""
    parts = sorted({DIFFERS.get(part, part) for move in found.moves for part in move.parts})
    return f"Another {listed(parts)} than the calibration is of. Kappa, before and now:"


def judges(found: Refreshed) -> str | None:
    """Name the judge, and the one of the old baseline where that was another; None without one."""
    now = found.run.identities
    then = {} if found.old is None else found.old.baseline.identities
    is_now = _named([one.judge for one in now.values()])
    was = _named([one.judge for name, one in then.items() if name in now])
    return is_now if was in (None, is_now) else f"{was} → {is_now or 'none'}"


def _named(names: Sequence[str | None]) -> str | None:
    return listed([span(name) for name in sorted({name for name in names if name})]) or None
