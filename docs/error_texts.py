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
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

HOLE = "\0"
"""Begins and ends the name of a value in a text."""
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
    "gate/decision/status.py": (),
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
VALUE_WORDS = frozenset({"listed", "few", "amount", "setting", "shorten", "plain", "str", "repr", "fence"})
"""Functions that show a value: what they return is not looked into."""
NAMES = {
    **{"path": "PATH", "file": "FILE", "folder": "FOLDER", "name": "NAME", "case_id": "CASE"},
    **{"model": "MODEL", "target": "TARGET", "dimension": "DIMENSION", "id": "ID", "line": "LINE"},
    **{"scorer": "SCORER", "branch": "BRANCH", "url": "URL", "uri": "URL", "host": "HOST"},
    **{"run_id": "ID", "at": "KEY", "key": "KEY", "status": "STATUS", "case": "CASE"},
    **{"vendor": "VENDOR", "command": "COMMAND", "option": "OPTION", "dollars": "$USD"},
}
"""How a value is shown on the page, by the last name in the code; `…` where it has none here."""
MOST = 3
"""So many forms of one text are told apart; of more, the differing parts are listed by themselves."""
DEEP = 5
MANY = {"__init__", "command", "open"}
"""Names of functions that are called by other ways, or are others' names as well."""


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


@dataclass
class _Module:
    file: str
    tree: ast.Module
    functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class _At:
    """Where an expression stands, and what the names of its function are known to be."""

    module: _Module
    function: ast.FunctionDef | ast.AsyncFunctionDef | None
    known: Mapping[str, list[str]] = field(default_factory=dict)
    depth: int = 0


class Collector:
    """Reads a tree of sources."""

    def __init__(self, root: Path, package: str = "gate") -> None:
        """Parse every module of a package, without the stand-in world."""
        self._root = root
        self._modules: dict[str, _Module] = {}
        self._homes: dict[int, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self._around: dict[int, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self._calls: dict[str, list[tuple[_Module, ast.Call]]] = defaultdict(list)
        for path in sorted((root / package).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            if not file.startswith(f"{package}/loopback/"):
                self._read(_Module(file, ast.parse(path.read_text("utf-8"))))
        self._asides: list[str] = []

    def _read(self, module: _Module) -> None:
        dotted = module.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._modules[dotted] = module
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                module.functions.setdefault(node.name, []).append(node)
                for inner in ast.walk(node):
                    if inner is not node and isinstance(inner, ast.FunctionDef):
                        self._around[id(inner)] = node
                    self._homes[id(inner)] = node  # the innermost comes last
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    module.imports[alias.asname or alias.name] = (node.module, alias.name)
            elif isinstance(node, ast.Call):
                self._calls[_last(node.func)].append((module, node))
        for node in module.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                module.constants[node.targets[0].id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if node.value is not None:
                    module.constants[node.target.id] = node.value

    @cached_property
    def classes(self) -> frozenset[str]:
        """Return the names of all errors of errors.py."""
        (errors,) = [one for one in self._modules.values() if one.file.endswith("/errors.py")]
        return frozenset(node.name for node in errors.tree.body if isinstance(node, ast.ClassDef))

    def texts(self) -> list[Text]:
        """Return every text once, in the order of files and lines."""
        found: dict[str, Text] = {}
        for module in self._modules.values():
            for one in self._of(module):
                alike = "\n".join(one.parts)
                if one.words > 1 and (
                    alike not in found or len(one.shown) > len(found[alike].shown)
                ):
                    found[alike] = one
        return sorted(found.values())

    def _of(self, module: _Module) -> Iterator[Text]:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call):
                for message in self._messages(module, node):
                    yield from self._said(message, module)
        wanted = WORDS.get(module.file)
        if wanted is not None:
            bodies: list[ast.AST] = [*map(module.constants.__getitem__, set(wanted) & set(module.constants))]
            bodies += [one for name in wanted for one in module.functions.get(name, [])]
            for body in bodies if wanted else [module.tree]:
                for expression in _sentences(body):
                    yield from self._said(expression, module)

    def _messages(self, module: _Module, call: ast.Call) -> Iterator[ast.expr]:
        name = _last(call.func)
        keywords = {one.arg: one.value for one in call.keywords}
        if name in KEYWORD:
            state = keywords.get("state")
            if not (isinstance(state, ast.Constant) and state.value == "ok"):
                yield from (keywords[one] for one in KEYWORD[name] if one in keywords)
            return
        if name == "tell" and call.args:
            if _begins(call.args[0]).startswith(LINES):
                yield call.args[0]
            return
        if name in SECOND and len(call.args) > 1:
            yield call.args[1]
            return
        passed_on = name == "ValueError" and module.file.endswith(VALUES)
        own = module.file.endswith("/errors.py") and name == "__init__" and call.args
        if own and isinstance(call.args[0], ast.JoinedStr):
            yield call.args[0]
        elif name in self.classes or name in ALSO or passed_on:
            if call.args:
                yield call.args[0]
            elif "message" in keywords:
                yield keywords["message"]

    def _said(self, message: ast.expr, module: _Module) -> Iterator[Text]:
        """Yield all forms of a message, one for each caller of a function that is handed words."""
        home = self._homes.get(id(message))
        self._asides = []
        for (file, line), known in self._ways(message, _At(module, home)):
            for text in self._forms(message, _At(module, home, known)):
                yield Text(file, line, text)
            while self._asides:
                yield Text(file, line, self._asides.pop(0))

    def _ways(
        self, message: ast.expr, at: _At
    ) -> list[tuple[tuple[str, int], dict[str, list[str]]]]:
        """Return what the parameters in a message are, call by call, and where the words stand."""
        here = (at.module.file, message.lineno)
        home = at.function
        if home is None:
            return [(here, {})]
        names = {one.id for one in ast.walk(message) if isinstance(one, ast.Name)}
        local = {n for one in names for n in _named(home, one)}
        used = (names | local) & set(_parameters(home))
        ways = []
        for module, call in self._callers(home, at.module) if used else ():
            known = self._bound(call, home, _At(module, self._homes.get(id(call)), depth=1), used)
            worded = any(_long(text) for texts in known.values() for text in texts)
            ways.append(((module.file, call.lineno) if worded else here, known))
        return ways or [(here, {})]

    def _callers(self, home: ast.AST, module: _Module) -> list[tuple[_Module, ast.Call]]:
        name = getattr(home, "name", "")
        private = name.startswith("_")
        if name in MANY:
            return []
        return [
            (where, call)
            for where, call in self._calls.get(name, [])
            if where is module or (not private and self._reaches(where, call, name, module))
        ]

    def _reaches(self, where: _Module, call: ast.Call, name: str, module: _Module) -> bool:
        """Tell whether a call of this name elsewhere may be of that module's function."""
        if isinstance(call.func, ast.Attribute):
            homes = module.functions[name]
            return any(_parameters(home)[:1] in (["self"], ["cls"]) for home in homes)
        home, _ = where.imports.get(name, ("", ""))
        return self._modules.get(home) is module

    def _bound(
        self, call: ast.Call, home: ast.AST, at: _At, used: set[str]
    ) -> dict[str, list[str]]:
        assert isinstance(home, ast.FunctionDef | ast.AsyncFunctionDef)
        given: dict[str, ast.expr] = {}
        places = [one for one in _parameters(home) if one not in ("self", "cls")]
        for place, value in zip(places, call.args, strict=False):
            given[place] = value
        given |= {one.arg: one.value for one in call.keywords if one.arg is not None}
        return {name: self._forms(given[name], at) for name in used if name in given}

    def _forms(self, node: ast.expr | None, at: _At) -> list[str]:
        """Return what an expression of a text can say."""
        if node is None or at.depth > DEEP:
            return [_hole(node)]
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.Constant(value=None):
                return []
            case ast.Constant():
                return [_hole(None)]
            case ast.JoinedStr(values=values):
                return self._joined([self._forms(one, at) for one in values])
            case ast.FormattedValue(value=value, format_spec=None, conversion=-1):
                return self._forms(value, at)
            case ast.FormattedValue(value=value):
                return [_hole(value)]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([self._forms(left, at), self._forms(right, at)])
            case ast.IfExp(body=body, orelse=orelse):
                ways = [self._forms(body, at), self._forms(orelse, at)]
                if [""] in ways and not any(_long(one) or " " in one for way in ways for one in way):
                    ways.remove([""])
                return [text for way in ways for text in way]
            case ast.BoolOp(values=[first, *others]):
                texts = [text for one in others for text in self._forms(one, at)]
                return [*self._forms(first, at), *(one for one in texts if " " in one)]
            case ast.Dict(values=values):
                return [text for one in values for text in self._forms(one, at)]
            case ast.Name(id=name):
                return self._of_name(node, name, at)
            case ast.Subscript(value=value) if isinstance(value, ast.Name):
                texts = self._forms(value, at)
                return texts if any(" " in one for one in texts) else [_hole(node)]
            case ast.Call():
                return self._of_call(node, at)
        return [_hole(node)]

    def _of_name(self, node: ast.expr, name: str, at: _At) -> list[str]:
        if name in at.known:
            return at.known[name] or [_hole(node)]
        home = at.function
        while home is not None:
            here = _At(at.module, home, at.known, at.depth + 1)
            self._asides += [
                text
                for one in _added(home, name)
                for text in self._forms(one, here)
                if _long(text)
            ]
            values = list(_assigned(home, name))
            if values:
                texts = [text for one in values for text in self._forms(one, here)]
                return texts or [_hole(node)]
            if name in _parameters(home):
                return self._of_parameter(node, name, here)
            home = self._around.get(id(home))
        if name in at.module.constants:
            return self._forms(at.module.constants[name], _At(at.module, None, {}, at.depth + 1))
        where, theirs = at.module.imports.get(name, ("", ""))
        other = self._modules.get(where)
        if other is not None and theirs in other.constants:
            return self._forms(other.constants[theirs], _At(other, None, {}, at.depth + 1))
        return [_hole(node)]

    def _of_parameter(self, node: ast.expr, name: str, at: _At) -> list[str]:
        home = at.function
        assert home is not None
        found: dict[str, None] = {}
        for module, call in self._callers(home, at.module):
            further = _At(module, self._homes.get(id(call)), {}, at.depth + 1)
            found |= dict.fromkeys(self._bound(call, home, further, {name}).get(name, []))
        return [*found] or [_hole(node)]

    def _of_call(self, call: ast.Call, at: _At) -> list[str]:
        name = _last(call.func)
        if name == "counted" and len(call.args) > 1 and isinstance(call.args[1], ast.Constant):
            return [f"{HOLE}N{HOLE} {call.args[1].value}s"]
        if name == "unknown" and len(call.args) > 1:
            what = self._forms(call.args[0], at)
            return [f"unknown {one} `{HOLE}NAME{HOLE}`{HOLE}…{HOLE}" for one in what]
        if name == "dollars":
            return [f"{HOLE}$USD{HOLE}"]
        if name in ("replace", "strip", "rstrip", "removesuffix") and isinstance(
            call.func, ast.Attribute
        ):
            return self._forms(call.func.value, at)
        if name == "get" and isinstance(call.func, ast.Attribute):
            texts = [*self._forms(call.func.value, at), *map_forms(self, call.args[1:], at)]
            return texts if any(" " in one for one in texts) else [_hole(call)]
        if name in VALUE_WORDS:
            return [_hole(call)]
        module, homes = at.module, at.module.functions.get(name, [])
        if not homes and isinstance(call.func, ast.Name):
            where, theirs = at.module.imports.get(name, ("", ""))
            if where in self._modules:
                module = self._modules[where]
                homes = module.functions.get(theirs, [])
        texts = []
        for home in homes:
            known = self._bound(call, home, at, set(_parameters(home)))
            inner = _At(module, home, known, at.depth + 1)
            for one in _returned(home):
                texts += self._forms(one, inner)
        return [*dict.fromkeys(texts)] or [_hole(call)]

    def _joined(self, parts: list[list[str]]) -> list[str]:
        """Put parts together; where there are too many ways, the differing parts stand apart."""
        forms = [[*dict.fromkeys(one)] or [_hole(None)] for one in parts]
        while _size(forms) > MOST:
            most = max(range(len(forms)), key=lambda index: len(forms[index]))
            self._asides += [one for one in forms[most] if _long(one)]
            forms[most] = [f"{HOLE}…{HOLE}"]
        return ["".join(one) for one in product(*forms)]


def map_forms(collector: Collector, nodes: list[ast.expr], at: _At) -> list[str]:
    """Return what several expressions can say."""
    return [text for one in nodes for text in collector._forms(one, at)]


def workflow_errors(root: Path) -> list[Text]:
    """Return what the `::error` lines of the workflow templates say."""
    found = {}
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


def _size(forms: list[list[str]]) -> int:
    size = 1
    for one in forms:
        size *= len(one)
    return size


def _long(text: str) -> bool:
    """Tell a text of words from one that is a name."""
    return len(re.findall(r"[A-Za-z]{2,}", re.sub(f"{HOLE}.*?{HOLE}", "", text))) > 2


def _hole(node: ast.AST | None) -> str:
    name = "" if node is None else _last(node)
    return f"{HOLE}{NAMES.get(name, '…')}{HOLE}"


def _last(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return _last(func)
    return ""


def _parameters(home: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [one.arg for one in (*home.args.posonlyargs, *home.args.args, *home.args.kwonlyargs)]


def _assigned(home: ast.AST, name: str) -> Iterator[ast.expr]:
    """Yield what a local name is set to."""
    for node in ast.walk(home):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if found == name:
                yield value
            case ast.NamedExpr(target=ast.Name(id=found), value=value) if found == name:
                yield value


def _added(home: ast.AST, name: str) -> Iterator[ast.expr]:
    """Yield what is put behind a local text."""
    for node in ast.walk(home):
        if isinstance(node, ast.AugAssign) and _last(node.target) == name:
            yield node.value


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


def _named(home: ast.AST, name: str) -> set[str]:
    """Return the names that a local name is made of."""
    return {
        one.id
        for value in _assigned(home, name)
        for one in ast.walk(value)
        if isinstance(one, ast.Name)
    }


def _returned(home: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    """Yield what a function that returns text returns."""
    if home.returns is not None and "str" in ast.unparse(home.returns):
        for node in ast.walk(home):
            if isinstance(node, ast.Return) and node.value is not None:
                yield node.value


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
            if len(re.findall(r"[A-Za-z]{2,}", words)) > 2 and len(words.split()) > 2:
                yield node
            continue
        waiting.extend(ast.iter_child_nodes(node))


def _has_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        for one in (node.left, node.right)
    )
