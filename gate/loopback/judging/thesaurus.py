"""Words that a hurried reader takes for one another: everyday English, no names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from gate.loopback.words import stem

_GROUPS: Final = """
height high highest tall tallest rises elevation altitude
mountain mount peak summit
price cost costs fare fares fee charge pay paid
born birth birthplace native
create created creator make made makes founder founded establish invent develop
build built construct erect
design architect drew drawn
light lit lighted shine shone illuminate
director head leader lead chief
new newest recent current now today
study studied attend graduate
people inhabitant inhabitants resident population
village hamlet settlement
town city
ferry ship boat vessel
release issue launch
download fetch
unpack extract unzip
install installation installer
check verify confirm
book booking reserve reservation
choose pick select
sign log login
bed bunk
photograph photo picture
allow permit
change alter modify
hold happen occur
duration long lasts length
diameter across wide width
lake loch
hut cabin
ale beer
yard shipyard dockyard
telephone phone
experience experienced seasoned
family families
add put append
""".strip()
"""One group a line; the first word stands for all."""

_PHRASES: Final[Mapping[str, str]] = {
    r"(?:came|come|comes) into the world": "was born",
    r"sets? up by": "founded by",
    r"(?:has |had )?set up": "founded",
    r"(?:takes?|took|taking) place": "is held",
    r"(?:came|comes?) out": "was released",
    r"get (?=the |it |your )": "fetch ",
    r"went up": "was built",
}
"""Patterns of several words -> the plain words for them."""
_DOUBLED = re.compile(r"([bdgmnprt])\1$")
_PLURAL = 4


def _bare(word: str) -> str:
    """Return the stem without a plural s or a doubled last consonant: running meets run."""
    found = stem(word)
    if len(found) >= _PLURAL and found.endswith("s") and not found.endswith("ss"):
        found = found[:-1]
    return found[:-1] if _DOUBLED.search(found) else found


_GROUP_OF: Final[Mapping[str, str]] = {
    _bare(word): _bare(line.split()[0]) for line in _GROUPS.splitlines() for word in line.split()
}


def meaning(word: str) -> str:
    """Return the stem of a folded word, the same for words that are taken for one another."""
    found = _bare("newest" if word == "latest" else word)  # not as in `arrives late`
    return _GROUP_OF.get(found, found)


def plain(text: str) -> str:
    """Return the text with common turns of phrase replaced by the plain words for them."""
    for pattern, instead in _PHRASES.items():
        text = re.sub(rf"\b{pattern}\b", instead, text, flags=re.IGNORECASE)
    return text
