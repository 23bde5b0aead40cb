"""Collects the text of every error that the gate can show, from the source alone.

A text is shown when it is the message of
- an error of `gate/errors.py` or of one of `ALSO`, wherever one is built (raised, or returned to be
  raised elsewhere);
- a `Failure` (why an answer or a score is missing) or a line of `gate doctor` that is not ok;
- a ValueError of `VALUES`, whose text is passed on to the user's file or the judge's reply;
- a string of `WORDS`, functions that put sentences of the verdict together;
- an `::error` of a workflow template.

Not shown, and so not collected: the stand-in world (`gate/loopback`), and any other ValueError,
TypeError, OSError or assertion, which is an error of programming or is caught and said in other
words. An error whose whole text is another's (`str(error)`) has no fixed words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from error_forms import HOLE, Forms, Place, is_worded
from error_sources import Module, Sources, last

ALSO = {
    "BadParameter",  # click's
    "UsageError",  # click's
    "RefusedError",  # an address that is not asked
    "UnknownHostError",
    "UnreadError",  # a page
    "Unfilled",  # why a promptfoo test is left out
    "fault",  # the error class that a reader is handed
}
"""Names that build an error with the message first, beside the classes of gate/errors.py."""
SECOND = {"_error"}
"""Names that build an error with the message second."""
LINES = ("gate: ", "note: ", "not paired: ")
"""How a line on standard error begins that something is wrong with."""
KEYWORD = {"Failure": ("message",), "Check": ("says", "mend")}
"""Records that are shown -> the fields that are sentences."""
VALUES = (
    *("datasets/labels.py", "models/json_form.py", "models/json_text.py", "scorers/weighing.py"),
    *("wire/yaml.py", "wire/actions.py", "imports/gemini_search_mcp_files.py"),
)
"""Files whose ValueErrors are passed on."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "gate/cli/action.py": ("_tell_missing_comment",),
    "gate/cli/action_job.py": ("warnings_of",),
    "gate/cli/beginning.py": (),
    "gate/cli/container.py": ("work_as_owner_of",),
    "gate/cli/showing.py": (),
    "gate/decision/attempts.py": (),
    "gate/decision/breakage.py": (),
    "gate/decision/calibration.py": ("_of_something_else", "_weakest"),
    "gate/decision/comparison.py": ("_warnings", "_age_warnings"),
    "gate/decision/headline.py": ("inconclusive", "regressions", "power", "_not_ruled_out"),
    "gate/decision/licence.py": (),
    "gate/decision/licensing.py": (),
    "gate/decision/pairing.py": (),
    "gate/decision/sensitivity.py": ("blindness", "disarmed"),
    "gate/decision/status.py": (),
    "gate/decision/tried.py": ("tuned_on_test",),
    "gate/decision/verdict.py": ("_warnings",),
    "gate/decision/watched.py": (),
    "gate/decision/what_next.py": (),
    "gate/engine/unread.py": ("unread_pages",),
    "gate/publish/accepting.py": (),
    "gate/publish/comment.py": ("publish_comment", "recall_attempts", "done", "_moved"),
    "gate/publish/publishing.py": (),
    "gate/publish/state.py": ("_left_out", "read_state"),
    "gate/wire/process.py": ("warning",),
    "gate/wire/records.py": ("_sentence", "_WANTED"),
}
"""File -> functions or tables whose strings of three words and more are shown; none named is all."""


@dataclass(frozen=True, order=True)
class Text:
    """What an error says."""

    file: str
    """Where it is built, from the root of the repository."""
    line: int
    """Its line there."""
    text: str
    """The words; a value is its name between two HOLEs."""

    @property
    def parts(self) -> list[str]:
        """Return the fixed words, in their order, white space made one blank."""
        found = (" ".join(one.split()) for one in self.text.split(HOLE)[::2])
        return [one for one in found if re.search(r"[A-Za-z]{2}", one)]

    @property
    def shown(self) -> str:
        """Return the text with the names of its values."""
        return re.sub("…+", "…", " ".join(self.text.replace(HOLE, "").split()))

    @property
    def words(self) -> int:
        """Count the fixed words, but for those that many lines begin with."""
        found = re.findall(r"[A-Za-z]{2,}", " ".join(self.parts))
        return len([one for one in found if one not in ("gate", "note", "warning")])


class Collector:
    """Reads a package."""

    def __init__(self, root: Path) -> None:
        """Parse `gate/`, without the stand-in world."""
        self._sources = Sources(root, "gate", without="gate/loopback")
        self._forms = Forms(self._sources)

    @cached_property
    def classes(self) -> frozenset[str]:
        """Return the names of all errors of errors.py."""
        errors = self._sources.modules["gate.errors"].tree.body
        return frozenset(node.name for node in errors if isinstance(node, ast.ClassDef))

    def texts(self) -> list[Text]:
        """Return every text once, in the order of files and lines."""
        found: dict[str, Text] = {}
        for module in self._sources.modules.values():
            for message in self._of(module):
                for one in self._said(message, module):
                    alike = "|".join(re.sub(r"\W+", " ", part).strip() for part in one.parts)
                    if one.words > 1 and len(one.shown) > len(found.get(alike, _NOTHING).shown):
                        found[alike] = one
        return sorted(found.values())

    def _said(self, message: ast.expr, module: Module) -> Iterator[Text]:
        """Yield all forms of a message, one for each caller of a function that is handed words."""
        home = self._sources.home(message)
        for (file, line), known in self._forms.handed_in(message, module):
            for text in self._forms.of(message, Place(module, home, known)):
                yield Text(file, line, text)

    def _of(self, module: Module) -> Iterator[ast.expr]:
        """Yield the messages of a module."""
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call):
                yield from self._shown_by(node, module)
        names = WORDS.get(module.file)
        if names is None:
            return
        tables = [value for name, value in module.constants.items() if name in names]
        bodies = [one for name in names for one in module.functions.get(name, [])]
        for body in [*tables, *bodies] if names else [module.tree]:
            yield from _sentences(body)

    def _shown_by(self, call: ast.Call, module: Module) -> list[ast.expr]:
        """Return the arguments of a call that are shown."""
        name = last(call.func)
        given = {one.arg: one.value for one in call.keywords}
        if name in KEYWORD:
            fine = ast.unparse(given.get("state", call.func)) == "'ok'"
            return [] if fine else [given[one] for one in KEYWORD[name] if one in given]
        if name in SECOND:
            return call.args[1:2]
        first = call.args[:1] or [given[one] for one in ("message",) if one in given]
        if name == "tell":
            return [one for one in first if _begins(one).startswith(LINES)]
        if name == "__init__" and module.file == "gate/errors.py":
            return [one for one in first if isinstance(one, ast.JoinedStr)]
        passed_on = name == "ValueError" and module.file.removeprefix("gate/") in VALUES
        return first if name in self.classes or name in ALSO or passed_on else []


_NOTHING = Text("", 0, "")


def workflow_errors(root: Path) -> list[Text]:
    """Return what the `::error` lines of the workflow templates say."""
    found: dict[str, Text] = {}
    for path in sorted((root / "gate" / "cli" / "workflows").glob("*.yml")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            said = re.search(r"::(?:error|warning)[^:]*::(.+?)\"", line)
            if said is not None:
                text = re.sub(r"\$\{\{.*?\}\}|\$\{?\w+\}?", f"{HOLE}…{HOLE}", said[1])
                one = Text(path.relative_to(root).as_posix(), number, text)
                found.setdefault(one.shown, one)
    return sorted(found.values())


def collect(root: Path) -> list[Text]:
    """Return every text that the product can show, of sources and workflow templates."""
    return [*Collector(root).texts(), *workflow_errors(root)]


def _begins(node: ast.expr) -> str:
    """Return the constant text that an expression begins with."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[first, *_]):
            return _begins(first)
        case ast.BinOp(left=left):
            return _begins(left)
    return ""


def _sentences(body: ast.AST) -> Iterator[ast.expr]:
    """Yield the outermost string expressions of three words or more; no docstrings."""
    docs = {
        id(node.value)
        for node in ast.walk(body)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    waiting: list[ast.AST] = [body]
    while waiting:
        node = waiting.pop(0)
        if id(node) in docs:
            continue
        joined = isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _has_text(node)
        )
        if joined or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            assert isinstance(node, ast.expr)
            words = " ".join(
                one.value
                for one in ast.walk(node)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            )
            if is_worded(words) and words.strip().count(" ") > 1:
                yield node
            continue
        waiting.extend(ast.iter_child_nodes(node))


def _has_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(one, ast.JoinedStr)
        or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        for one in (node.left, node.right)
    )
