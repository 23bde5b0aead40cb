"""Half a character: a lone surrogate, which JSON can spell as an escape and no UTF-8 file can hold.

A vendor's reply may carry one, where a text was cut in the middle of an emoji. It becomes U+FFFD as
soon as it comes in. Both are three bytes long in UTF-8, so byte offsets into a text stay true.
"""

from __future__ import annotations

from pydantic import JsonValue


def whole_text(text: str) -> str:
    """Return a text in which each half of a character stands as U+FFFD; pairs become one."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def whole_json(value: JsonValue) -> JsonValue:
    """Return a JSON value whose texts are whole, the keys of objects too."""
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, list):
        return [whole_json(one) for one in value]
    if isinstance(value, dict):
        return {whole_text(key): whole_json(one) for key, one in value.items()}
    return value


def may_hold_halves(json_text: str) -> bool:
    """Whether a JSON text spells a surrogate; most spell none, and need no look at each value."""
    return "\\ud" in json_text or "\\uD" in json_text
