"""One pytest session that judges many mutants.

A child process collects the tests once and is forked for each mutant: the copy exchanges the code
of one function and runs the tests that reach the changed lines, the fast ones first, until one
fails. What takes effect only when a module is imported is judged by a fork of the first process,
which has imported none of the modules yet.
"""

from __future__ import annotations

import ast
import gc
import importlib.abc
import importlib.util
import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, settings
from mutant_finder import Mutant

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("gate/stats", "gate/decision")
TESTS = ("tests/unit/decision", "tests/unit/stats")
ARGUMENTS = ["-qq", "--capture=sys", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=line"]
ARGUMENTS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # plug-ins are imported by now
KILLED, SURVIVED, SAME, BROKEN = 1, 0, 7, 9
MOST_MEMORY = 6 * 2**30
LIMIT_FACTOR, LIMIT_SECONDS = 5.0, 1.5
"""A test may take so many times its own processor time, and so much more."""


class _Loop:
    """Takes the place of pytest's own loop over the tests."""

    def __init__(self, work: Callable[[Mapping[str, pytest.Item]], None]) -> None:
        self._work = work

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Failed("tests could not be collected")
        self._work({item.nodeid: item for item in session.items})
        return True


class Failures:
    """Remembers the first failure."""

    def __init__(self) -> None:
        self.first: str | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear of a test's end."""
        if report.failed and self.first is None:
            self.first = report.nodeid


def quiet() -> None:
    """Make what tests draw the same each time, and let nobody look for a smaller example."""
    settings.register_profile(
        "mutants", derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
    )
    settings.load_profile("mutants")
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))


def in_session(work: Callable[[Mapping[str, pytest.Item]], None]) -> None:
    """Collect the tests in a child and let it do the work; raises when it fails."""
    child = os.fork()
    if child == 0:
        code = 1
        with _always_exit(lambda: code):
            code = int(pytest.main([*ARGUMENTS, *TESTS], plugins=[_Loop(work)]))
    _, status = os.waitpid(child, 0)
    if status:
        raise SystemExit("the session of the tests failed: run them without mutants first")


@contextmanager
def _always_exit(code: Callable[[], int]) -> Iterator[None]:
    """Never return into the parent's program."""
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code())


class Note:
    """Writes outcomes into the file of results, from whichever process."""

    def __init__(self, file: Path, extra: Callable[[Mutant], Mapping[str, str]]) -> None:
        """Take the file, and what else belongs to an outcome."""
        self._file = file
        self._extra = extra

    def __call__(self, mutant: Mutant, outcome: str, by: str | None, seconds: float) -> None:
        """Append one line."""
        line = {"id": mutant.id, "outcome": outcome, "by": by, "seconds": round(seconds, 2)}
        with self._file.open("a") as out:
            out.write(json.dumps({**line, **self._extra(mutant)}) + "\n")


def judge(
    mutants: Sequence[Mutant],
    jobs: int,
    child: Callable[[Mutant], tuple[int, str | None]],
    note: Note,
) -> None:
    """Fork once for each mutant, `jobs` at a time, and note what became of it."""
    running: dict[int, tuple[Mutant, float]] = {}
    for done, mutant in enumerate(mutants):
        while len(running) >= jobs:
            _reap(running, note)
        if done % 50 == 0:
            print(f"{done} of {len(mutants)}  {mutant.file}", file=sys.stderr, flush=True)
        start = time.monotonic()
        pid = os.fork()
        if pid == 0:
            _be_judged(mutant, start, child, note)
        running[pid] = (mutant, start)
    while running:
        _reap(running, note)


def _be_judged(
    mutant: Mutant,
    start: float,
    child: Callable[[Mutant], tuple[int, str | None]],
    note: Note,
) -> None:
    code = BROKEN
    with _always_exit(lambda: code):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        code, by = child(mutant)
        words = {KILLED: "killed", SURVIVED: "survived", SAME: "same"}
        note(mutant, words[code], by, time.monotonic() - start)


def _reap(running: dict[int, tuple[Mutant, float]], note: Note) -> None:
    pid, status = os.wait()
    mutant, start = running.pop(pid)
    if os.WIFSIGNALED(status):
        timed_out = os.WTERMSIG(status) in {signal.SIGPROF, signal.SIGALRM}
        outcome = "timed out" if timed_out else "crashed"
        note(mutant, outcome, None, time.monotonic() - start)
    elif os.WEXITSTATUS(status) == BROKEN:
        note(mutant, "broken", None, time.monotonic() - start)


def limit(seconds: float) -> None:
    """End this process when it uses so much more processor time, or sleeps for long."""
    most = LIMIT_FACTOR * seconds + LIMIT_SECONDS
    signal.setitimer(signal.ITIMER_PROF, most)
    signal.setitimer(signal.ITIMER_REAL, 20 * most)


class Live:
    """Judges changes of functions' bodies, in the session of the tests."""

    def __init__(
        self,
        items: Mapping[str, pytest.Item],
        trees: Mapping[str, ast.Module],
        tests: Mapping[str, Sequence[str]],
        seconds: Mapping[str, float],
    ) -> None:
        """Find the functions once; `tests` are those to run for each mutant's id."""
        self._items, self._trees, self._tests, self._seconds = items, trees, tests, seconds
        self._functions: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                code = one.__code__
                self._functions[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
        gc.freeze()

    def __call__(self, mutant: Mutant) -> tuple[int, str | None]:
        """Exchange the code, run the tests."""
        if not self._exchange(mutant):
            return SAME, None
        failures = Failures()
        items = [self._items[name] for name in self._tests[mutant.id]]
        for item, after in zip(items, [*items[1:], None], strict=True):
            item.config.pluginmanager.register(failures, "failures")
            limit(self._seconds[item.nodeid])
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            item.config.pluginmanager.unregister(failures)
            if failures.first:
                return KILLED, failures.first
        return SURVIVED, None

    def _exchange(self, mutant: Mutant) -> bool:
        """Give the function its changed code; False where the compiler makes the same of it."""
        file = str(ROOT / "gate" / mutant.file)
        mutant.apply()
        tree = ast.fix_missing_locations(self._trees[mutant.file])
        changed = False
        for code in _codes(compile(tree, file, "exec", dont_inherit=True)):
            for one in self._functions.get((file, code.co_qualname, code.co_firstlineno), ()):
                if one.__code__ != code:
                    one.__code__ = code
                    changed = True
        return changed


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


class Fresh:
    """Judges what takes effect on import: the tests are collected with the changed module."""

    def __init__(
        self,
        trees: Mapping[str, ast.Module],
        tests: Mapping[str, Sequence[str]],
        seconds: Mapping[str, float],
        libraries: Sequence[str],
    ) -> None:
        """Import what is not ours, once."""
        self._trees, self._tests, self._seconds = trees, tests, seconds
        for one in libraries:
            with suppress(Exception):
                importlib.import_module(one)
        importlib.import_module("gate.types")
        assert not any(one.startswith(("gate.stats", "gate.decision")) for one in sys.modules)
        gc.freeze()

    def __call__(self, mutant: Mutant) -> tuple[int, str | None]:
        """Import the changed module in place of the file, run the tests."""
        file = ROOT / "gate" / mutant.file
        before = compile(self._trees[mutant.file], str(file), "exec", dont_inherit=True)
        mutant.apply()
        tree = ast.fix_missing_locations(self._trees[mutant.file])
        code = compile(tree, str(file), "exec", dont_inherit=True)
        if code == before:
            return SAME, None
        name = "gate." + mutant.file.removesuffix(".py").replace("/", ".")
        sys.meta_path.insert(0, _Changed(name.removesuffix(".__init__"), code, file))
        tests = self._tests[mutant.id]
        if not tests:
            return SURVIVED, None
        limit(sum(map(self._seconds.__getitem__, tests)) + LIMIT_SECONDS)
        files = sorted({one.split("::")[0] for one in tests})
        failures, order = Failures(), _Order(tests)
        code_of_exit = pytest.main([*ARGUMENTS, "-x", *files], plugins=[failures, order])
        if code_of_exit == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise LookupError(f"pytest does not know the tests of {mutant.id}")
        if code_of_exit == pytest.ExitCode.OK:
            return SURVIVED, None
        return KILLED, failures.first or "import"


class _Order:
    """Keeps the tests that count, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._place = {name: index for index, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [one for one in items if one.nodeid in self._place]
        items.sort(key=lambda one: self._place[one.nodeid])


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module other code."""

    def __init__(self, name: str, code: CodeType, file: Path) -> None:
        self._name, self._code, self._file = name, code, file

    def find_spec(self, fullname: str, _path: Any, _target: Any = None) -> Any:
        if fullname != self._name:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=str(self._file))

    def exec_module(self, module: Any) -> None:
        exec(self._code, module.__dict__)
