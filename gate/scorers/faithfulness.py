"""Faithfulness: are the answer's claims in the pages that it cites?

The judge lists the claims and labels each by the page texts; code then checks what can be checked
without a judge: a supporting quote must stand in its page word for word, and a claim whose pages
could not be read is nobody's fault. Claims are atomic, self-contained and verifiable (FActScore,
arXiv 2305.14251; Claimify, arXiv 2502.10855); half credit for a part is gemini-search-mcp's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from gate.protocols import Judge
from gate.scorers.claim_list import Claim, ClaimList
from gate.scorers.pages import (
    PageOptions,
    Reading,
    no_evidence,
    pages_prompt,
    prompt_digest,
    read_trial,
)
from gate.scorers.telling import cited_pages, named_first, shortened
from gate.types import Failure, Item, Metric, Ruling, Score, Support, Trial, digest

METRICS = (
    Metric(name="faithfulness", better="higher", unit="fraction", judged=True, counts="claims"),
    # Watched, so that shorter and vaguer answers do not look better unseen.
    Metric(name="claims", better="higher", unit="claims", watched=True),
)


class Settled(NamedTuple):
    """A claim's label after the checks."""

    label: Support
    """What counts."""
    because: str | None = None
    """Why it is not the judge's: `quote_not_found` or `page_not_read`."""


def faithfulness(labels: Sequence[str]) -> float | None:
    """Return (supported + half of partial) / (supported + partial + unsupported).

    In [0, 1]; None where that is a division by zero. Unverifiable claims are in neither.
    """
    count = Counter(labels)
    judged = count["supported"] + count["partial"] + count["unsupported"]
    return (count["supported"] + 0.5 * count["partial"]) / judged if judged else None


def settle(claim: Claim, reading: Reading) -> Settled:
    """Return the label that counts.

    Support without its quote is none. A claim whose sentence cites only pages that could not be
    read is unverifiable, whatever else was found; one that was not found and whose sentence also
    cites such a page is unverifiable too, since it may stand there.
    """
    cited = reading.cites(claim.sentence)
    if cited and not any(page in reading.texts for page in cited):
        changed = claim.label != "unverifiable"
        return Settled("unverifiable", "page_not_read" if changed else None)
    found = Settled(claim.label)
    if claim.label in ("supported", "partial") and not reading.holds(claim.page, claim.quote):
        found = Settled("unsupported", "quote_not_found")
    if found.label == "unsupported" and reading.unread(claim.sentence):
        return Settled("unverifiable", "page_not_read")
    return found


class FaithfulnessScorer:
    """Asks one judge for the claims and their labels."""

    Options = PageOptions

    def __init__(self, options: PageOptions, judges: Mapping[str, Judge]) -> None:
        """Keep the judge that the options name. Raises KeyError when there is none."""
        self._options = options
        self._judge = judges[options.judge]

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Faithfulness in [0, 1], and the number of claims."""
        return METRICS

    @property
    def reads_pages(self) -> bool:
        """It reads the cited pages."""
        return True

    @property
    def prompt_digest(self) -> str:
        """SHA-256 of the templates and of the forms."""
        return prompt_digest()

    @property
    def settings_digest(self) -> str:
        """SHA-256 of the scorer's name, version, options and of the judge's settings."""
        options = self._options
        used = [options.pages, options.max_page_bytes]
        return digest(["faithfulness", 1, *used, self._judge.settings_digest])

    async def score(self, trial: Trial) -> Sequence[Score]:
        """Ask once; without a page that could be read nothing is asked and nothing is scored."""
        reading = read_trial(trial, self._options)
        failure = no_evidence(reading)
        if failure is not None:
            details: dict[str, JsonValue] = {"sources": reading.listed()}
            return tuple(
                Score(metric=metric.name, value=None, failure=failure, details=details)
                for metric in METRICS
            )
        ruling = await self._judge.ask(
            pages_prompt(reading, "claims"),
            ClaimList,
            trial.attempt,
            case_id=trial.case.id,
            target=trial.target,
        )
        return _scores(ruling, reading)


def _scores(ruling: Ruling[ClaimList], reading: Reading) -> tuple[Score, ...]:
    heard = Score(
        metric=METRICS[0].name,
        value=None,
        cached=ruling.cached,
        judge=ruling.model,
        form=ruling.form,
        failure=ruling.failure or Failure(kind="judge", message="the judge gave no verdict"),
    )
    bill = {"usage": ruling.usage, "cost_usd": ruling.cost_usd, "calls": ruling.calls}
    watched = heard.model_copy(update={"metric": METRICS[1].name})
    if ruling.verdict is None:
        return heard.model_copy(update=bill), watched
    claims = ruling.verdict.claims
    settled = [settle(claim, reading) for claim in claims]
    counts = Counter(one.label for one in settled)
    value = faithfulness([one.label for one in settled])
    listed = [_listed(claim, one, reading) for claim, one in zip(claims, settled, strict=True)]
    details = {
        "claims": listed,
        "judged": len(claims) - counts["unverifiable"],
        "left_out": counts["unverifiable"],
        "sources": reading.listed(),
    }
    undefined = (
        Failure(
            kind="pages", message=f"none of its {len(claims)} claims could be held against a page"
        )
        if claims
        else Failure(kind="undefined", message="the answer makes no claim")
    )
    scored = {
        "value": value,
        "reason": _reason(claims, settled, reading),
        "failure": undefined if value is None else None,
        "details": details,
        "items": tuple(
            Item(
                kind="claims",
                digest=reading.item("claims", claim.claim),
                label=one.label,
                text=claim.claim,
            )
            for claim, one in zip(claims, settled, strict=True)
        ),
    }
    return (
        heard.model_copy(update={**bill, **scored}),
        watched.model_copy(update={"value": float(len(claims)), "failure": None}),
    )


def _reason(claims: Sequence[Claim], settled: Sequence[Settled], reading: Reading) -> str:
    """Say how many claims were judged and how, and name those that the pages do not bear out."""
    counts = Counter(one.label for one in settled)
    judged: tuple[Support, ...] = ("supported", "partial", "unsupported")
    said = ", ".join(f"{counts[label]} {label}" for label in judged)
    total = sum(counts[label] for label in judged)
    missed = [
        f"{shortened(claim.claim)} ("
        + ("its quote does not stand there; " if one.because == "quote_not_found" else "")
        + f"sentence {claim.sentence}, {cited_pages(reading, claim.sentence)})"
        for claim, one in zip(claims, settled, strict=True)
        if one.label == "unsupported"
    ]
    return (
        f"{total} claims judged: {said}; {counts['unverifiable']} left out"
        f"{named_first('. Not borne out: ', missed)}"
    )


def _listed(claim: Claim, settled: Settled, reading: Reading) -> JsonValue:
    """One claim for the details, under the digest that labels name."""
    return {
        "digest": reading.item("claims", claim.claim),
        "sentence": claim.sentence,
        "claim": claim.claim,
        "label": settled.label,
        "judged": claim.label,
        "because": settled.because,
        "page": claim.page,
        "quote": claim.quote,
    }
