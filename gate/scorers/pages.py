"""What the page-reading scorers share: what they read of a trial, and most of the prompt.

The judge reads the pages once: system text, shared part, effort and the want of an output format
are byte for byte the same in all calls of an answer, so that the second call finds the pages in
the vendor's prompt cache. A schema in the output format would drop that cache whenever it changes
(Anthropic's page on prompt caching, invalidation), so both tasks and both forms stand in the
system text, which is the same for all answers and is paid once, and the own part names one.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from gate.evidence import MOST_SOURCES
from gate.models.json_form import form_schema
from gate.scorers.citation_list import CitationList
from gate.scorers.claim_list import ClaimList
from gate.scorers.passages import nearest
from gate.scorers.sentences import Sentence, cited_sources, split_sentences
from gate.templates import fence, render, template_digest
from gate.types import Failure, ItemKind, Prompt, Trial, canonical, digest

__all__ = ["PageOptions", "Reading", "no_evidence", "pages_prompt", "prompt_digest", "read_trial"]

SYSTEM = "scorers/prompts/pages.system.md.j2"
SHARED = "scorers/prompts/pages.shared.md.j2"
OWN = "scorers/prompts/pages.own.md.j2"
Task = Literal["claims", "citations"]
"""What can be asked about the pages of an answer."""
TASKS: Mapping[Task, tuple[str, type[BaseModel]]] = {
    "claims": ("scorers/prompts/pages.claims.md.j2", ClaimList),
    "citations": ("scorers/prompts/pages.citations.md.j2", CitationList),
}
"""Task -> its instructions and its form."""

SHORTEST_QUOTE = 20
"""Characters below which a quote proves nothing."""


class PageOptions(BaseModel):
    """Options of the scorers that read pages.

    Left out, `pages` and `max_page_bytes` are those of the block `evidence`; scorers that differ
    in them share no cache.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    judge: str = Field(default="default", description="Name of the judge.")
    """Name of the judge."""
    pages: Literal["passages", "whole"] = Field(
        default="passages",
        description="What the judge sees of a page; `evidence.pages` where it is left out.",
    )
    """`passages` shows the parts of a page that are nearest to the answer, `whole` all of it."""
    max_page_bytes: int = Field(
        default=60_000,
        ge=1_000,
        le=60_000,
        description="Bytes of a page's text that are used; `evidence.max_page_bytes` "
        "where it is left out.",
    )
    """Bytes of a page's text (UTF-8) that are used."""


@dataclass(frozen=True)
class Reading:
    """A trial, read: sentences, what they cite, and the texts behind it. Pages count from 1."""

    trial: Trial
    """The trial."""
    options: PageOptions
    """What of the pages is used."""
    sentences: tuple[Sentence, ...]
    """The answer's sentences; the judge counts them from 1."""
    cited: tuple[tuple[int, ...], ...]
    """For each sentence the numbers of the pages that it cites, read or not."""
    texts: Mapping[int, str]
    """Number of each page with text -> the text that is used of it."""

    def cites(self, sentence: int) -> tuple[int, ...]:
        """Return the pages that sentence number `sentence` (from 1) cites; none for no sentence."""
        return self.cited[sentence - 1] if 1 <= sentence <= len(self.cited) else ()

    def unread(self, sentence: int) -> bool:
        """Whether the sentence cites a page that could not be read."""
        return any(page not in self.texts for page in self.cites(sentence))

    def holds(self, page: int, quote: str) -> bool:
        """Whether a quote is long enough and stands in the text of a page, word for word.

        Compared after NFC, with any run of blanks and line breaks as one blank. Title and address
        of a page are not its text, and no other section counts.
        """
        wanted = _folded(quote)
        return len(wanted) >= SHORTEST_QUOTE and wanted in self._folded_texts.get(page, "")

    def item(self, kind: ItemKind, *what: JsonValue) -> str:
        """Return the digest of something that is counted in this answer, for people's labels.

        It holds the answer and the page texts as well: a label says what these texts bear out,
        and must not outlive a change of either.
        """
        return digest([kind, self._answer_digest, self._text_digests, *what])

    @cached_property
    def _answer_digest(self) -> str:
        return self.trial.answer.digest

    @cached_property
    def _text_digests(self) -> list[JsonValue]:
        return [[number, _sha256(text)] for number, text in self.texts.items()]

    @cached_property
    def _folded_texts(self) -> Mapping[int, str]:
        return {number: _folded(text) for number, text in self.texts.items()}

    def listed(self) -> list[JsonValue]:
        """Return what became of each source, for the details of a score."""
        evidence = self.trial.evidence
        pages = () if evidence is None else evidence.pages
        sources = self.trial.answer.sources
        return [
            {
                "page": number,
                "domain": source.domain,
                "uri": page.uri,
                "status": page.status,
                "text": _sha256(self.texts[number]) if number in self.texts else None,
            }
            for number, (source, page) in enumerate(zip(sources, pages, strict=True), start=1)
        ]


def read_trial(trial: Trial, options: PageOptions) -> Reading:
    """Read a trial whose evidence was gathered; raises ValueError for one without evidence."""
    if trial.evidence is None:
        raise ValueError("a page-reading scorer was given no evidence")
    answer = trial.answer
    sentences = split_sentences(answer.text)
    cited = cited_sources(sentences, answer.citations)
    texts = {
        number: text
        for number, page in enumerate(trial.evidence.pages[:MOST_SOURCES], start=1)
        if page.status == "ok" and (text := _capped(page.text, options.max_page_bytes)).strip()
    }
    return Reading(
        trial=trial,
        options=options,
        sentences=sentences,
        cited=tuple(tuple(source + 1 for source in sources) for sources in cited),
        texts=texts,
    )


def no_evidence(reading: Reading) -> Failure | None:
    """Return why nothing can be held against pages here; None where it can.

    An answer without a source has nothing to measure. One whose pages cannot be read has, and the
    measurement is lost: however many of them there are, that must not look like a quiet run.
    """
    if reading.texts:
        return None
    evidence = reading.trial.evidence
    statuses = sorted({page.status for page in evidence.pages}) if evidence else []
    if not statuses:
        return Failure(kind="undefined", message="the answer names no source")
    why = ", ".join(statuses)
    return Failure(kind="pages", message=f"none of its pages could be read ({why})")


def pages_prompt(reading: Reading, task: Task, *, material: str = "") -> Prompt:
    """Return the prompt of one task; its system and shared parts are the same for all tasks.

    `material` is fenced text that this task alone needs.
    """
    trial = reading.trial
    case_id, asked = trial.case.id, trial.case.question.input
    lines = [one.line for one in reading.sentences]
    shown = {
        "question": asked if isinstance(asked, str) else canonical(asked),
        "answer": trial.answer.text,
        "sentences": "\n".join(f"[{number}] {line}" for number, line in enumerate(lines, start=1)),
    }
    pages = []
    for number, text in reading.texts.items():
        part = text if reading.options.pages == "whole" else nearest(text, lines)
        content = f"{_head(reading, number)}\n\n{part}"
        pages.append(fence(f"page-{number}", content, case_id))
    return Prompt(
        system=_system(),
        shared=render(
            SHARED,
            pages=pages,
            **{name: fence(name, text, case_id) for name, text in shown.items()},
        ).strip(),
        own=render(OWN, task=task, material=material).strip(),
        digest=prompt_digest(),
        schema_in="system",
    )


@cache
def prompt_digest() -> str:
    """Return the SHA-256 of all templates and of both forms: every call sends them all."""
    templates = [text for text, _ in TASKS.values()]
    forms = [form.model_json_schema() for _, form in TASKS.values()]
    return digest([template_digest(SYSTEM, SHARED, OWN, *templates), forms])


@cache
def _system() -> str:
    """The system text, with every task and every form on one line."""
    tasks = {name: render(template).strip() for name, (template, _) in TASKS.items()}
    forms = {
        name: json.dumps(form_schema(form), ensure_ascii=False) for name, (_, form) in TASKS.items()
    }
    return render(SYSTEM, tasks=tasks, forms=forms).strip()


def _head(reading: Reading, number: int) -> str:
    """The first line of a page: title, domain and final address, each without line breaks."""
    source = reading.trial.answer.sources[number - 1]
    evidence = reading.trial.evidence
    uri = source.uri if evidence is None else evidence.pages[number - 1].uri
    return " | ".join(" ".join(part.split()) for part in (source.title, source.domain, uri))


def _capped(text: str, most: int) -> str:
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
