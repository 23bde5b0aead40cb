"""Keys as a terminal sends them."""

from __future__ import annotations

import pytest

from gate.cli.window import keys_of


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"hML?", ["h", "m", "l", "?"]),
        (b" \r\n\t\x04", ["space", "enter", "enter", "tab", "q"]),
        (b"\x1b[A\x1b[Bh\x1b[5~\x1b[6~", ["up", "down", "h", "pageup", "pagedown"]),
        (b"\x1bOA\x1bOB", ["up", "down"]),
        (b"\x1b", []),
        (b"\x1b[", []),
        (b"\x1b[1;5Cq", ["q"]),
        (b"\x1b[200~", []),
        ("éh".encode(), ["é", "h"]),
        (b"\xff\x00\x7fh", ["\ufffd", "h"]),
    ],
)
def test_keys_of__letters_words_and_sequences(data: bytes, keys: list[str]) -> None:
    """Caps lock changes nothing, and what is not known is no key."""
    assert keys == keys_of(data)
