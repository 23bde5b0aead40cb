"""Are the answer's claims in the pages?"""

from __future__ import annotations

from gate.loopback.judging.claiming import claims_of
from gate.loopback.judging.page_texts import PageText, pages_of, small_words
from gate.loopback.judging.sections import Sections
from gate.loopback.judging.supporting import Proof, best_proof, wanted_of

Row = dict[str, object]
"""One element of a list in the form."""


def claims(given: Sections) -> list[Row]:
    """Return each claim with its label, and the page and the words that carry it.

    Without a single page nothing can be verified. What follows from the citations, such as a
    sentence whose pages could not be read, is for the caller to say: it is not in the prompt.
    """
    pages = pages_of(given)
    small = ordinary(given, pages)
    rows: list[Row] = []
    for claim in claims_of(given):
        proof = best_proof(wanted_of(claim.text, small), pages) if pages else Proof("unverifiable")
        rows.append(
            {
                "sentence": claim.sentence,
                "claim": claim.text,
                "label": proof.label,
                "page": proof.page,
                "quote": proof.quote,
            }
        )
    return rows


def ordinary(given: Sections, pages: tuple[PageText, ...]) -> frozenset[str]:
    """Return the words that the answer or a page writes in small letters."""
    return small_words(given["answer"]).union(*(page.words for page in pages))
