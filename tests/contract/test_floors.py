"""The house rules that a reader must be able to rely on, read from the imports themselves."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

FLOORS = {
    0: {"types", "errors", "toolnames", "stats"},
    1: {"protocols", "templates", "wire", "decision"},
    2: {
        *{"evidence", "datasets", "imports", "models", "scorers", "engine", "reports"},
        *{"config", "kit", "schemas"},
    },
    3: {"sensitivity", "targets", "agents", "publish", "plugins", "labelling"},
    4: {"wiring"},
    5: {"cli", "__main__", "action"},
}
"""Floor -> rooms. Imports go down or stay, never up."""

ONE_IMPORTER: dict[str, tuple[str, ...]] = {
    "google.genai": ("models/gemini.py",),
    "google.oauth2": ("models/gemini.py",),
    "google.auth": ("models/gemini.py",),
    "anthropic": ("models/claude.py",),
    "github": ("wire/github.py",),
    "requests": ("wire/github.py",),
    "yaml": ("wire/yaml.py",),
    "sqlite3": ("wire/",),
    "jinja2": ("templates.py",),
    "jiter": ("wire/quick_json.py",),
    "numpy": ("stats/",),
    "pypdfium2": ("wire/pagetext/pdf.py",),
    "trafilatura": ("wire/pagetext/extract.py",),
    "httpcore2": ("wire/guard.py", "wire/sockets.py"),
    "rich": ("cli/", "reports/terminal.py", "reports/layout.py", "labelling/lines.py"),
}
"""Package -> the one file (or folder) that may import it."""


def modules(root: Path) -> dict[str, Path]:
    """All modules below gate/, dotted name -> file."""
    found = {}
    for path in sorted((root / "gate").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path
    return found


def imports(path: Path) -> Iterator[str]:
    """Every dotted name that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the floor"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ours(name: str, known: dict[str, Path]) -> str | None:
    """The module of ours that an imported name lives in, if any."""
    while name:
        if name in known:
            return name
        name = name.rpartition(".")[0]
    return None


def room(name: str) -> str:
    """The room of a dotted module name."""
    return name.split(".")[1] if "." in name else ""


def floor(name: str) -> int:
    """The floor of a module."""
    return next(number for number, rooms in FLOORS.items() if room(name) in rooms)


@pytest.fixture(scope="module")
def known(root: Path) -> dict[str, Path]:
    """Modules of the house."""
    return modules(root)


def arrows(known: dict[str, Path]) -> Iterator[tuple[str, str]]:
    """Pairs (importer, imported) among our own modules, the bare package left out."""
    for name, path in known.items():
        for imported in imports(path):
            target = ours(imported, known)
            if target not in (None, name, "gate"):
                yield name, target


def test_floors__every_room_has_one(known: dict[str, Path]) -> None:
    """A new room must be given a floor here, or this test would pass it over."""
    rooms = {room(name) for name in known} - {"", "loopback"}

    assert rooms <= set().union(*FLOORS.values())


def test_floors__imports_never_go_up(known: dict[str, Path]) -> None:
    """What one wants to import up is a word: it belongs on the ground."""
    up = [
        f"{importer} -> {imported}"
        for importer, imported in arrows(known)
        if room(importer) not in ("", "loopback")
        and room(imported) != "loopback"
        and floor(imported) > floor(importer)
    ]

    assert up == []


def test_floors__nothing_imports_the_loopback_world(known: dict[str, Path]) -> None:
    """It stands aside, and imports nothing of ours but the table of models."""
    wrong = [
        f"{importer} -> {imported}"
        for importer, imported in arrows(known)
        if (room(imported) == "loopback") != (room(importer) == "loopback")
        and not (room(importer) == "loopback" and room(imported) == "models")
    ]

    assert wrong == []


def test_floors__no_circle(known: dict[str, Path]) -> None:
    """No module reaches itself; a package's face counts as a module."""
    graph = defaultdict(set)
    for importer, imported in arrows(known):
        graph[importer].add(imported)
    state: dict[str, int] = {}

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert state.get(name) != 1, f"circle: {' -> '.join((*trail, name))}"
        if name not in state:
            state[name] = 1
            for below in sorted(graph[name]):
                visit(below, (*trail, name))
            state[name] = 2

    for name in sorted(known):
        visit(name, ())


def test_floors__one_importer_per_package(root: Path, known: dict[str, Path]) -> None:
    """Each SDK and each door to the outside has one file."""
    wrong = []
    for path in known.values():
        place = path.relative_to(root / "gate").as_posix()
        if place.startswith("loopback/"):
            continue
        for imported in imports(path):
            for package, allowed in ONE_IMPORTER.items():
                theirs = imported == package or imported.startswith(f"{package}.")
                if theirs and not place.startswith(allowed):
                    wrong.append(f"{place} imports {imported}")

    # Reading the table of models is data, not a user's YAML file.
    assert [line for line in wrong if line != "models/catalogue.py imports yaml"] == []


def test_floors__environment_read_in_cli_only(root: Path, known: dict[str, Path]) -> None:
    """`os.environ` has one reader, so that a test can hand in another world."""
    wrong = []
    for path in known.values():
        place = path.relative_to(root / "gate").as_posix()
        if place.startswith("cli") or place == "loopback/__main__.py":
            continue
        wrong += [
            f"{place}:{node.lineno}"
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
        ]

    assert wrong == []


def test_floors__asyncio_run_in_cli_only(root: Path, known: dict[str, Path]) -> None:
    """One event loop, started at the top."""
    wrong = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path in known.values()
        if not path.relative_to(root / "gate").as_posix().startswith(("cli", "loopback"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "asyncio.run"
    ]

    assert wrong == []


def _raises_on(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_floors__broad_except_has_two_addresses(root: Path, known: dict[str, Path]) -> None:
    """Only a plug-in's fault and the very top are caught broadly."""
    places = set()
    for path in known.values():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            # A handler that ends in a bare `raise` tidies up and catches nothing.
            if isinstance(node, ast.ExceptHandler) and not _raises_on(node):
                caught = "everything" if node.type is None else ast.unparse(node.type)
                if caught in ("everything", "Exception", "BaseException"):
                    places.add(path.relative_to(root / "gate").as_posix())

    assert places == {"engine/case.py", "cli/main.py"}


def test_floors__no_file_over_400_lines(root: Path) -> None:
    """A file that grows past 400 lines holds two things."""
    long = [
        f"{path.relative_to(root)}: {count}"
        for folder in ("gate", "tests", "bench")
        for path in (root / folder).rglob("*.py")
        if (count := len(path.read_text("utf-8").splitlines())) > 400
    ]

    assert long == []
