"""Which tests reach which lines when nothing is changed, and which of them to ask of a mutant."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest
from mutant_finder import Mutant
from mutant_tests import FOLDERS, ROOT, Failures, in_session

MOST_SECONDS = 6.0
"""Of the tests of other modules so many seconds are run: what only the rest would notice counts as
survived."""


_STARTING = 0.005
"""Seconds that any test takes."""


@dataclass(frozen=True)
class Survey:
    """What the tests reach when nothing is changed."""

    seconds: Mapping[str, float]
    """Test -> processor time."""
    reached: Mapping[str, Mapping[int, frozenset[str]]]
    """File -> line -> tests."""
    libraries: Sequence[str]
    """What the tests import that is not ours."""

    def tests_of(self, mutant: Mutant, mentions: Mapping[str, Sequence[range]]) -> list[str]:
        """Give the tests that can notice a mutant: its own module's, then the most promising.

        Those promise most, for their time, that reach lines of the function which few tests reach.
        `mentions` are the lines, by file, of the functions that know a name outside of functions.
        """
        spans = {f"gate/{mutant.file}": [mutant.lines]} if not mutant.names else mentions
        found: set[str] = set()
        for file, lines in spans.items():
            reached = self.reached.get(file, {})
            for span in lines:
                found.update(*(reached.get(line, ()) for line in span))
        own = f"test_{Path(mutant.file).stem}.py::"
        promise: dict[str, float] = defaultdict(float)
        for line in mutant.around:
            tests = self.reached.get(f"gate/{mutant.file}", {}).get(line, frozenset())
            for test in tests & found:
                promise[test] += 1.0 / len(tests)
        ordered = sorted(
            found,
            key=lambda test: (
                own not in test,
                -promise[test] / (self.seconds[test] + _STARTING),
                self.seconds[test],
                test,
            ),
        )
        kept, spent = [], 0.0
        for test in ordered:
            if own not in test:
                spent += self.seconds[test]
                if spent > MOST_SECONDS:
                    break
            kept.append(test)
        return kept


def survey(file: Path) -> Survey:
    """Run all tests once, note what each reaches, and keep that in a file."""
    if not file.exists():
        in_session(lambda items: _survey(items, file))
    raw = json.loads(file.read_text())
    names = raw["tests"]
    return Survey(
        seconds=raw["seconds"],
        reached={
            one: {int(line): frozenset(names[n] for n in tests) for line, tests in lines.items()}
            for one, lines in raw["reached"].items()
        },
        libraries=raw["libraries"],
    )


def _survey(items: Mapping[str, pytest.Item], file: Path) -> None:
    cov = coverage.Coverage(
        data_file=None, config_file=False, include=[f"{ROOT}/{one}/*" for one in FOLDERS]
    )
    caches = [one for one in gc.get_objects() if type(one).__name__ == "_lru_cache_wrapper"]
    seconds = {}
    failures = Failures()
    cov.start()
    for name, item in items.items():
        item.config.pluginmanager.register(failures, "failures")
        cov.switch_context(name)
        for cache in caches:  # else a test that finds an answer there reaches too little
            cache.cache_clear()
        start = time.process_time()
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        seconds[name] = time.process_time() - start
        item.config.pluginmanager.unregister(failures)
    cov.stop()
    if failures.first:
        raise SystemExit(f"fails without a mutant: {failures.first}")
    data = cov.get_data()
    order = {name: index for index, name in enumerate(items)}
    reached = {}
    for one in data.measured_files():
        lines = data.contexts_by_lineno(one)
        reached[str(Path(one).relative_to(ROOT))] = {
            line: [order[test] for test in tests if test in order] for line, tests in lines.items()
        }
    ours = ("gate", "tests", "mutant", "__")
    libraries = sorted(one for one in sys.modules if not one.startswith(ours))
    file.parent.mkdir(parents=True, exist_ok=True)
    text = {"tests": list(items), "seconds": seconds, "reached": reached, "libraries": libraries}
    file.write_text(json.dumps(text))
