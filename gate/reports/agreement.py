"""Kappa in the terminal: a line a dimension, its interval, its table, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

from gate.decision.categories import categories_of, judge_said
from gate.decision.words import counted, few, listed
from gate.reports.untrusted import plain, quoted
from gate.types import Agreement, Beside, CalibrationItem, CalibrationSet

MOST = 12
"""Differing answers or items that are named for a dimension."""

_SHOWN = 100
"""Characters of an item's text that are shown."""


@dataclass(frozen=True)
class Compared:
    """One dimension's labels, and all that was computed of them."""

    labels: CalibrationSet
    """The labels."""
    agreement: Agreement
    """Their kappa, and the licence."""
    beside: Beside | None = None
    """What stands beside it; None where no label licenses."""


def agreement_text(compared: Sequence[Compared], texts: Mapping[str, str] | None = None) -> str:
    """Return the agreements for a terminal of 80 columns or more, plain text.

    `texts` are what a person reads of the items, by digest.
    """
    return "\n".join(_one(one, texts or {}) for one in compared)


def next_text(answers: Sequence[tuple[str, str]], runs: Sequence[str]) -> str:
    """Say which answers to rate next, of these runs; nothing where all are rated.

    Why each was chosen is not said: it would tell what the judge thinks of it.
    """
    if not answers:
        return ""
    named = [f"{case_id} ({answer[:8]})" for case_id, answer in answers]
    lines = _filled(f"Rate next, in this order or any: {', '.join(named)}.", indent="")
    command = f"  gate label {' '.join(runs)} --by NAME --next {len(answers)}"
    return f"\n{lines}\n{command}\n"


def differing(part: CalibrationSet) -> list[CalibrationItem]:
    """List the answers or items on which judge and people differ, the widest gap first."""
    words = list(categories_of(part.counts))
    gaps = [
        (abs(words.index(item.human) - words.index(judge_said(item))), item) for item in part.items
    ]
    gaps.sort(key=lambda pair: (-pair[0], *_place(pair[1])))
    return [item for gap, item in gaps if gap]


def _place(item: CalibrationItem) -> tuple[str, str, str]:
    return item.case_id, item.answer or "", item.item or ""


def _one(compared: Compared, texts: Mapping[str, str]) -> str:
    one, part = compared.agreement, compared.labels
    known = "kappa undefined"
    if one.kappa is not None and one.state != "undefined":
        known = f"kappa {one.kappa:.4f}, {one.state}"
    head = f"{one.dimension}: {known}"
    spread = "" if one.design_effect is None else f", design effect {one.design_effect:.2f}"
    # Perfect agreement has an interval without width, which is no certainty: the bound says more.
    wide = one.low != one.high
    interval = f", 95% interval {_number(one.low)} to {_number(one.high)}" if wide else ""
    facts = [
        f"  one-sided 95% lower bound {_number(one.lower_one_sided)}{interval}",
        (
            f"  {counted(one.n, 'label')} of {part.counts or 'answers'} "
            f"to {counted(one.cases, 'case')}{spread}, {one.off_modal} off the commonest cell"
        ),
        _filled(_origin(part)),
        *_table(one),
        _filled(one.because),
        *_more(compared),
        *_for_comparison(compared),
        *_people(compared.beside),
    ]
    return "\n".join([head, *facts, *_apart(part, texts)]) + "\n"


def _origin(part: CalibrationSet) -> str:
    """Say where the labels come from: whose answers, who drafted, who approved."""
    targets = sorted({item.target for item in part.items if item.target is not None})
    drafted = listed([plain(name) for name in part.drafted_by]) or "nobody named"
    family = listed([plain(name) for name in part.drafted_by_families])
    models = f" (model family {family})" if family else ""
    approved = listed([plain(name) for name in part.approved_by]) or "nobody"
    whose = few([plain(name) for name in targets]) or "any target"
    return f"answers of {whose}; drafted by {drafted}{models}, approved by {approved}"


def _more(compared: Compared) -> list[str]:
    """Say what more labels would change, and how many prompts these have seen."""
    one, extra = compared.agreement, compared.beside
    said = []
    if extra is not None and extra.more_labels and "label about" not in one.because:
        said.append(
            f"more labels: about {extra.more_labels} of the same mix, at the present kappa, would "
            "lift the lower bound over the bar"
        )
    elif extra is not None and extra.more_labels is None and one.lower_one_sided is not None:
        said.append("more labels: none of the same mix would lift the lower bound over the bar")
    if one.prompts > 1:
        said.append(f"prompts compared with these labels so far: {one.prompts}")
    if extra is not None and extra.tuning_n:
        said.append(
            "kept for mending the prompt, and licensing nothing: "
            f"{counted(extra.tuning_n, 'label')}, kappa {_number(extra.tuning_kappa)}"
        )
    return [_filled(line) for line in said]


def _for_comparison(compared: Compared) -> list[str]:
    """Give the other coefficients, in a few lines that license nothing."""
    one, extra = compared.agreement, compared.beside
    if extra is None:
        return []
    ordered = compared.labels.counts is None
    figures = [("raw agreement", one.agreement), ("AC1", one.ac1)]
    if one.kappa is not None:
        figures.append((f"alpha ({'ordinal' if ordered else 'nominal'})", extra.alpha))
    lines = [", ".join(f"{name} {_number(value)}" for name, value in figures)]
    if one.kappa is not None and ordered:
        weighted = f"linear {_number(one.linear)}, quadratic {_number(one.quadratic)}"
        lines.append(f"weighted kappa: {weighted}")
    if extra.bootstrap_low is not None:
        ends = f"{_number(extra.bootstrap_low)} to {_number(extra.bootstrap_high)}"
        spread = "no spread" if extra.bootstrap_low == extra.bootstrap_high else ends
        lines.append(f"bootstrap interval of kappa, over cases: {spread}")
    if one.kappa is not None and ordered:
        lines.append(
            f"kappa with the buckets cut 0.05 lower: {_number(extra.edges_lower)}, higher: "
            f"{_number(extra.edges_higher)}"
        )
    said = [_filled(line, indent="    ") for line in lines]
    return ["  for comparison, licensing nothing:", *said]


def _people(extra: Beside | None) -> list[str]:
    """Say how far several people agree, and whether the judge stands among them."""
    spread = None if extra is None else extra.spread
    if spread is None:
        return []
    names = ", ".join(f"{plain(one.rater)} {_number(one.kappa)}" for one in spread.people)
    verdict = {
        True: "the judge is within the human spread",
        False: "the judge agrees less with people than they do with each other",
        None: "whether the judge is within the human spread cannot be told",
    }[spread.within]
    return [
        f"  several people rated {spread.n}:",
        *(
            _filled(line, indent="    ")
            for line in (
                (
                    f"people with each other: alpha {_number(spread.alpha)}, mean kappa "
                    f"{_number(spread.pairwise)}; they differ on {spread.settled}"
                ),
                f"judge with each: {names}; mean {_number(spread.judge)}",
                verdict,
            )
        ),
    ]


def _filled(text: str, indent: str = "  ") -> str:
    return fill(
        text,
        width=78,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _apart(part: CalibrationSet, texts: Mapping[str, str]) -> list[str]:
    found = differing(part)
    lines = []
    for one in found[:MOST]:
        judge = f"{one.judge:.2f}" if isinstance(one.judge, float) else one.judge
        answer = f", answer {one.answer[:8]}" if one.answer else ""
        item = f", {one.item[:8]}" if one.item else ""
        place = f"{one.case_id} ({one.target or 'any target'}{answer}{item})"
        lines.append(f"  differs: {place}: people {one.human}, judge {judge}")
        if one.item is not None and one.item in texts:
            lines.append(f"    {quoted(texts[one.item], _SHOWN)}")
    more = len(found) - MOST
    return [*lines, f"  ... and {more} more (--json lists all)"] if more > 0 else lines


def _table(one: Agreement) -> list[str]:
    if not one.table:
        return []
    wide = max(6, *(len(name) + 2 for name in one.categories))
    head = "  people \\ judge" + "".join(f"{name:>{wide}}" for name in one.categories)
    return [
        head,
        *(
            f"  {name:>14}" + "".join(f"{count:>{wide}}" for count in row)
            for name, row in zip(one.categories, one.table, strict=True)
        ),
    ]


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"
