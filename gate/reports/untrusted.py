"""The doors through which foreign text reaches Markdown: `span` and `block`.

GitHub runs its filters for mentions, issues and addresses over the rendered text and passes over
code only, so escaping stops no ping and only code does. `sentence` is for our own sentences with
foreign names in them: words of a harmless alphabet stay as they are, every other word goes
through `span`. None of the three opens or ends a block, a table cell or an HTML element; a cell's
`|` is escaped where the table is made (`reports.tables`).

What they cannot do: they must not stand on a line that begins an HTML block (`<details>`), since
Markdown, and with it code, is not read there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})
_SELECTORS = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_TICKS = re.compile(r"`+")
_QUOTED = re.compile(r"`([^`\s][^`]*)`")
# The typographic signs that our own sentences use, by number so that none is mistaken for ASCII:
# minus 2212, en dash 2013, em dash 2014, multiplication D7, quotation marks 2018 to 201D.
_WORD = re.compile(
    r"""
    [("'\u201c\u2018]?                          # an opening sign
    [~+\-\u2212±κ$]?                            # a sign of a number
    [A-Za-z0-9]+
    (?:[._\-/'\u2019,:\u2013…%=][A-Za-z0-9%]+)* # a sign inside a word, never two in a row
    %?
    [)"'\u201d\u2019.,;:!?…]*
    """,
    re.VERBOSE,
)
_SIGNS = re.compile(r"""[("'\u201c\u2018)\u201d\u2019.,;:!?…]+""")
_AROUND = re.compile(
    r"""([("'\u201c\u2018]?)(.*[^("'\u201c\u2018)\u201d\u2019.,;:!?…])([)"'\u201d\u2019.,;:!?…]*)"""
)
_SYMBOLS = re.compile(r"[→\u2212\u2013\u2014·…\u00d7=+&/\-κ]")
_FIRST = re.compile(r"""["'(~$\u2212+]?[A-Za-z]|[~$\u2212]?[0-9]+(?![0-9]*[.)](?:\s|$))""")
_LINKED = re.compile(
    r"""www\.|\bgh-[0-9]|\b[0-9a-f]{7,}\b|:[^:]*:|[("'\u201c\u2018]\$""", re.IGNORECASE
)
_HELD = 2_000
_WORDS_HELD = 600


def plain(text: str) -> str:
    """Return `text` on one line, without signs that cannot be seen.

    Controls, format signs (zero width, direction), private, unassigned and lone surrogate code
    points and variation selectors are taken out; all white space becomes single spaces.
    """
    return " ".join(_visible(" ".join(text.split())).split())


def shown_lines(text: str) -> list[str]:
    """Return the lines of `text` as a terminal may show them, without signs that cannot be seen.

    For a person who reads the text itself: nothing else of it is changed, but that a tab is
    four spaces and every other kind of space is one.
    """
    return [
        _visible(
            "".join(" " if one.isspace() else one for one in line.replace("\t", "    "))
        ).rstrip()
        for line in text.splitlines()
    ]


def harmless_lines(text: str) -> str:
    """Return `text` with its line feeds, without signs that cannot be seen, for a log.

    No line of it is a command to a runner.
    """
    return "\n".join(_no_command(_visible(line)) for line in text.split("\n"))


def quoted(text: str, limit: int = _HELD) -> str:
    """Return `text` on one line of a terminal, in quotation marks and cut to `limit` characters.

    No runner takes it for a command of its own.
    """
    return f"\u201c{_no_command(_cut(plain(text), limit))}\u201d"


def span(text: str, limit: int = _HELD) -> str:
    """Return `text` as one inline code element of at most `limit` characters and a mark of the cut.

    The delimiter is longer than any run of backticks inside; where there are any, a space on each
    side keeps them apart, which Markdown takes away again.
    """
    shown = _cut(plain(text), limit)
    if not shown:
        return "(empty)"
    longest = _longest_run(shown)
    ticks, gap = "`" * (longest + 1), " " if longest else ""
    return f"{ticks}{gap}{shown}{gap}{ticks}"


def block(text: str, limit: int = 20_000) -> str:
    """Return `text` as a fenced code block of at most `limit` characters and a mark of the cut.

    It begins at the start of a line, and the caller puts an empty line before it. The fence is
    longer than any run of backticks inside. A line that a workflow's runner would take for a
    command, should somebody print the file, is broken up.
    """
    lines = (
        _no_command(_visible(line.replace("\t", "    ")).rstrip()) for line in text.splitlines()
    )
    shown = _cut("\n".join(lines).strip("\n"), limit)
    ticks = "`" * max(3, _longest_run(shown) + 1)
    return f"{ticks}text\n{shown or '(empty)'}\n{ticks}"


def _no_command(line: str) -> str:
    """Break `::command::` at a line's beginning and `##[command]` anywhere in it."""
    if line.lstrip().startswith("::"):
        line = line.replace("::", ": :", 1)
    return line.replace("##[", "# #[")


def sentence(text: str, limit: int = _WORDS_HELD) -> str:
    """Return a sentence of ours that may hold foreign names, as inline Markdown.

    Stretches between backticks become code elements; of the rest, words of a harmless alphabet
    stay, and every other word becomes a code element.
    """
    shown = _cut(plain(text), limit)
    parts: list[str] = []
    position = 0
    for quoted in _QUOTED.finditer(shown):
        parts.append(_words(shown[position : quoted.start()], first=not parts))
        parts.append(span(quoted[1]))
        position = quoted.end()
    parts.append(_words(shown[position:], first=not parts))
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    """Join, with a space where two code elements would touch and their delimiters run together."""
    whole = ""
    for part in parts:
        whole += f" {part}" if whole.endswith("`") and part.startswith("`") else part
    return whole


def _words(text: str, *, first: bool) -> str:
    """Keep harmless words; each stretch of others becomes one code element."""
    shown: list[str] = []
    held: list[str] = []
    for position, word in enumerate(text.split(" ")):
        if word and not _harmless(word, first=first and position == 0):
            held.append(word)
            continue
        if held:
            shown.append(_held(held))
            held = []
        shown.append(word)
    if held:
        shown.append(_held(held))
    return " ".join(shown)


def _held(words: Sequence[str]) -> str:
    """Put words into code, with the punctuation around them outside."""
    parts: list[str] = []
    before, together = "", list[str]()
    for word in words:
        opening, core, closing = _bare(word)
        if opening and together:
            parts.append(before + span(" ".join(together)))
            together = []
        before = opening or (before if together else "")
        together.append(core)
        if closing:
            parts.append(before + span(" ".join(together)) + closing)
            before, together = "", []
    if together:
        parts.append(before + span(" ".join(together)))
    return " ".join(parts)


def _bare(word: str) -> tuple[str, str, str]:
    """Split the punctuation around a word off; a bracket inside keeps its partner."""
    found = _AROUND.fullmatch(word)
    if found is None:
        return "", word, ""
    opening, core, closing = found.groups()
    kept = len(closing) - len(closing.lstrip(")")) if "(" in core else 0
    return opening, core + closing[:kept], closing[kept:]


def _harmless(word: str, *, first: bool) -> bool:
    """Whether GitHub gives no meaning to the word, wherever (or, if not `first`, inside) a line."""
    if first and not _FIRST.match(word):
        return False
    if _SYMBOLS.fullmatch(word) or _SIGNS.fullmatch(word):
        return True
    return _WORD.fullmatch(word) is not None and _LINKED.search(word) is None


def _visible(text: str) -> str:
    if not text.isprintable():  # the usual text is, and telling so is quick
        text = "".join(one for one in text if unicodedata.category(one) not in _INVISIBLE)
    return _SELECTORS.sub("", text)


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + "…"
