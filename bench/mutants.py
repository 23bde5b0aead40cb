"""Would the tests notice? Mutation testing of gate/stats and gate/decision.

Each mutant is one small wrong change (`mutant_operators.py`). The tests of both folders that reach
the changed lines are run on it, the most promising first, until one fails: then it is killed. One
that no test fails on survives, and is either a hole in the tests or stands in
`mutants_accepted.yaml` with the reason why it may live. Results are kept in
`gate-out/mutants.jsonl`: what is known of a file that has not changed since is not asked again,
survivors only when a test has changed.

    python bench/mutants.py                            all of them; one to three hours
    python bench/mutants.py --sample 500 --seed 1      a random sample, with its interval
    python bench/mutants.py --file stats/paired.py     one file, or several
    python bench/mutants.py --page                     write docs/mutants.md from what is known
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from mutant_finder import Finder, Mutant
from mutant_survey import MOST_SECONDS, survey
from mutant_tests import (
    FOLDERS,
    ROOT,
    TESTS,
    Fresh,
    Live,
    Note,
    in_session,
    judge,
    quiet,
)
from mutants_page import ACCEPTED, accepted_in, figures_of, page, sentence

RESULTS = ROOT / "gate-out" / "mutants.jsonl"
PAGE = ROOT / "docs" / "mutants.md"
DONE = {"killed", "timed out", "crashed", "same"}
"""Outcomes that stand while the file is as it was."""


def main() -> int:
    """Judge what is not known yet, then say what survived that nobody has accepted."""
    args = _arguments()
    quiet()
    sources = {
        str(path.relative_to(ROOT / "gate")): path.read_text()
        for folder in FOLDERS
        for path in sorted((ROOT / folder).glob("*.py"))
    }
    trees = {file: ast.parse(text) for file, text in sources.items()}
    finders = [Finder(file, tree) for file, tree in trees.items()]
    everything = [mutant for finder in finders for mutant in finder.found]
    digests = {file: _digest([text]) for file, text in sources.items()}
    tests = _digest(
        path.read_text() for folder in TESTS for path in sorted((ROOT / folder).glob("*.py"))
    )
    RESULTS.parent.mkdir(exist_ok=True)
    if args.fresh:
        RESULTS.unlink(missing_ok=True)
    chosen = _chosen(everything, args)
    known = _known(digests)
    todo = [one for one in chosen if not _stands(known.get(one.id), tests)]
    if todo and not args.page:
        todo.sort(key=lambda one: _place(one, args.file))
        note = Note(RESULTS, lambda one: {"source": digests[one.file], "tests": tests})
        _judge(todo, trees, note, args.jobs, _digest([*sources.values(), tests]))
        known = _known(digests)
    outcomes = {one.id: known[one.id]["outcome"] for one in chosen if one.id in known}
    accepted = accepted_in(ACCEPTED)
    print(sentence(figures_of(chosen, outcomes, accepted), sample=args.sample is not None))
    if args.page:
        sentences = sum(finder.sentences for finder in finders)
        text = page(everything, outcomes, accepted, sentences=sentences, seconds=MOST_SECONDS)
        PAGE.write_text(text)
    gone = sorted(accepted.keys() - {one.id for one in everything})
    for one in gone:
        print(f"accepted, but there is no such mutant any more: {one}")
    left = [one for one in chosen if outcomes.get(one.id) == "survived" and one.id not in accepted]
    for one in left:
        print(f"survived: {one.id}    [gate/{one.file}:{one.lines.start}]")
    broken = [one.id for one in chosen if outcomes.get(one.id) == "broken"]
    for name in broken:
        print(f"could not be judged: {name}")
    return 1 if left or gone or broken else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, metavar="N", help="a random sample of N mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument(
        "--file", nargs="+", metavar="FILE", default=[], help="only these, in this order"
    )
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--fresh", action="store_true", help="forget what is known")
    parser.add_argument("--page", action="store_true", help="judge nothing, write docs/mutants.md")
    return parser.parse_args()


def _chosen(everything: Sequence[Mutant], args: argparse.Namespace) -> list[Mutant]:
    chosen = [one for one in everything if not args.file or one.file in args.file]
    if args.sample is None:
        return chosen
    return random.Random(args.seed).sample(chosen, min(args.sample, len(chosen)))


def _place(mutant: Mutant, files: Sequence[str]) -> tuple[bool, int]:
    return not mutant.live, files.index(mutant.file) if mutant.file in files else 0


def _known(digests: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Read the newest result of each mutant of files that are as they were."""
    if not RESULTS.exists():
        return {}
    known = {}
    for line in RESULTS.read_text().splitlines():
        if not line.endswith("}"):  # a run was killed while it wrote
            continue
        one = json.loads(line)
        if digests.get(one["id"].split(" ", 1)[0]) == one["source"]:
            known[one["id"]] = one
    return known


def _stands(one: Mapping[str, str] | None, tests: str) -> bool:
    return one is not None and (one["outcome"] in DONE or one["tests"] == tests)


def _judge(
    todo: Sequence[Mutant], trees: Mapping[str, ast.Module], note: Note, jobs: int, state: str
) -> None:
    found = survey(ROOT / "gate-out" / f"mutants-reached-{state}.json")
    mentions = _mentions(trees)
    defined = _defined(trees)
    tests = {
        one.id: found.tests_of(
            one, _joined(mentions.get(name, {}) for name in _closure(one.names, defined))
        )
        for one in todo
    }
    for one in [one for one in todo if not tests[one.id] and one.live]:
        note(one, "survived", "no test reaches it", 0.0)
    live = [one for one in todo if one.live and tests[one.id]]
    if live:
        in_session(lambda items: judge(live, jobs, Live(items, trees, tests, found.seconds), note))
    fresh = [one for one in todo if not one.live]
    if fresh:
        judge(fresh, jobs, Fresh(trees, tests, found.seconds, found.libraries), note)


def _mentions(trees: Mapping[str, ast.Module]) -> dict[str, dict[str, list[range]]]:
    """Say which functions know a name, by their bodies' lines: name -> file -> lines."""
    found: dict[str, dict[str, list[range]]] = defaultdict(lambda: defaultdict(list))
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                lines = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
                for name in _names_in(node) | {node.name}:
                    found[name][f"gate/{file}"].append(lines)
            if isinstance(node, ast.ClassDef):
                for own in node.body:
                    if isinstance(own, ast.FunctionDef):
                        lines = range(own.body[0].lineno, (own.end_lineno or 0) + 1)
                        found[node.name][f"gate/{file}"].append(lines)
    return found


def _names_in(node: ast.AST) -> set[str]:
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    names |= {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    return names | {one.arg or "" for one in ast.walk(node) if isinstance(one, ast.keyword)}


def _defined(trees: Mapping[str, ast.Module]) -> list[tuple[set[str], set[str]]]:
    """Give the assignments outside of functions: the names used, and the names defined."""
    found = []
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {one.id for one in targets if isinstance(one, ast.Name)}
                found.append((_names_in(node.value), names))
    return found


def _closure(names: frozenset[str], defined: Sequence[tuple[set[str], set[str]]]) -> frozenset[str]:
    """Add the names that are defined by these."""
    found = set(names)
    for used, made in defined if names else ():
        if found & used:
            found |= made
    return frozenset(found)


def _joined(spans: Iterable[Mapping[str, list[range]]]) -> dict[str, list[range]]:
    joined: dict[str, list[range]] = defaultdict(list)
    for one in spans:
        for file, lines in one.items():
            joined[file] += lines
    return joined


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


if __name__ == "__main__":
    sys.exit(main())
