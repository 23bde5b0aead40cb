"""Writes docs/troubleshooting.md: every error that the gate can show, with why and what to do.

python docs/make_troubleshooting.py            writes it
python docs/make_troubleshooting.py --check    exit 1 when it is out of date

The texts come from the source (`error_texts.py`), sections and explanations from
`troubleshooting.md.in`, which is written by hand:

    ## Section
    files: gate/cli/a.py gate/models/*.py    the errors of these files belong here
    Words.

    ### Entry
    > part of an error                       the errors that hold this belong to the entry
    Why, and what to do.

What no entry takes is listed at the end of its section. A file of no section, and an
explanation of no error, is refused.
"""

from __future__ import annotations

import re
import sys
from fnmatch import fnmatch
from pathlib import Path

from error_texts import WORDS, Text, collect

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "troubleshooting.md"
HAND = ROOT / "docs" / "troubleshooting.md.in"


def code(text: str) -> str:
    """Set a text in code font, whatever stands in it."""
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def page(texts: list[Text], hand: str) -> str:
    """Put the explanations and the texts together. Raises ValueError for what fits nowhere."""
    head, *sections = re.split(r"(?m)^(?=## )", hand)
    homes, stray = _homes(sections, texts)
    listed = [one for one in texts if not any(_covers(other, one) for other in texts)]
    left = dict.fromkeys(listed)
    index, parts = [], []
    for section in sections:
        title, _, *lines = section.splitlines()
        own = [one for one in listed if homes.get(one.file) == title]
        written = [title]
        for line in lines:
            if line.startswith("> "):
                taken = _taken(line[2:], own, left)
                written += [f"- {code(one.shown)}" for one in taken]
                stray += [] if taken else [f"no error says {line[2:]!r}, or another entry has it"]
            else:
                written.append(line)
        entries = [one.removeprefix("### ") for one in written if one.startswith("### ")]
        index += [
            f"- {_link(title.removeprefix('## '))}",
            *(f"  - {_link(one)}" for one in entries),
        ]
        parts.append(("\n".join(written).rstrip() + "\n", own, bool(entries)))
    if stray:
        raise ValueError("\n".join([f"mend {HAND.name}:", *stray]))
    body = [
        text + _rest([one for one in own if one in left], entries=entries)
        for text, own, entries in parts
    ]
    count = f"{len(texts)} texts are on this page."
    return "\n".join([head.rstrip().replace("COUNT", count), "", *index, "", *body]).rstrip() + "\n"


def _homes(sections: list[str], texts: list[Text]) -> tuple[dict[str, str], list[str]]:
    """Return the heading of each file's section, and what is said of files without one."""
    patterns = [
        (one, title)
        for title, files, *_ in map(str.splitlines, sections)
        for one in files.removeprefix("files:").split()
    ]
    homes, stray = {}, []
    for file in dict.fromkeys(one.file for one in texts):
        found = [title for pattern, title in patterns if fnmatch(file, pattern)]
        if found:
            homes[file] = found[0]
        else:
            stray.append(f"{file} shows errors and has no section: add it to a `files:`")
    return homes, stray


def _covers(other: Text, one: Text) -> bool:
    """Tell whether another text says all that one says, and more: a form of it, or its whole."""
    near = other.line == one.line or one.file in WORDS
    if other.file != one.file or not near or len(other.shown) <= len(one.shown):
        return False
    return re.search(".*?".join(map(re.escape, one.parts)), " ".join(other.parts)) is not None


def _taken(part: str, own: list[Text], left: dict[Text, None]) -> list[Text]:
    """Take the texts that hold a part: the section's own, or another's where it has none."""
    mine = [one for one in own if one in left and part in one.shown]
    taken = mine or [one for one in left if part in one.shown]
    for one in taken:
        del left[one]
    return taken


def _link(title: str) -> str:
    """Return a link to a heading, at the address that GitHub makes of it."""
    plain = re.sub(r"[^\w\- ]", "", title.lower())
    return f"[{title}](#{plain.replace(' ', '-')})"


def _rest(texts: list[Text], *, entries: bool) -> str:
    if not texts:
        return ""
    begin = "\nAlso in this part:\n\n" if entries else "\n"
    return begin + "\n".join(f"- {code(one.shown)}" for one in texts) + "\n"


def main() -> int:
    """Write, or check."""
    text = page(collect(ROOT), HAND.read_text("utf-8"))
    if "--check" in sys.argv:
        return 0 if PAGE.exists() and PAGE.read_text("utf-8") == text else 1
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
