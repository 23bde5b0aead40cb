"""How long a judge's reply to each scorer is taken to be, thinking left out.

What a scorer asks is no assumption: an estimate has it write its prompts. Only what comes back
must be guessed, from the length of the answer that is rated.
"""

from __future__ import annotations

from math import ceil

__all__ = ["reply_tokens"]

_QUALITY = 100
"""Two or three sentences and three ratings."""
_CLAIM_EVERY = 125
"""Characters of an answer for one claim: one a sentence."""
_CLAIM = 60
"""A claim, its label and the quote that carries it."""
_SENTENCE_EVERY = 125
"""Characters of an answer for one sentence that cites pages."""
_SENTENCE = 25
"""Its row: whether its pages bear it out, each alone and together."""
_STATEMENTS = 10
"""Facts of the pages that a judge lists; 20 at most count."""
_STATEMENT = 25
"""A fact in one short sentence, and whether the answer says it."""
_OTHER = 200
"""A reply to a scorer that is not ours."""


def reply_tokens(scorer: str, answer_characters: int) -> int:
    """Return the tokens of one reply to a scorer of this name, for answers of this length."""
    sentences = ceil(answer_characters / _SENTENCE_EVERY)
    claims = ceil(answer_characters / _CLAIM_EVERY)
    known = {
        "quality": _QUALITY,
        "faithfulness": claims * _CLAIM,
        "citations": sentences * _SENTENCE + _STATEMENTS * _STATEMENT,
    }
    return known.get(scorer, _OTHER)
