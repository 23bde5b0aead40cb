"""Where do the CPU seconds of a run go? Adds up the stacks that py-spy recorded, by part.

    py-spy record --rate 100 --format raw --threads -o stacks.txt -- python -m gate run
    python bench/parts.py stacks.txt

py-spy is no dependency of the project. A stack belongs to the first rule of WHOLE that it matches
anywhere, else to the rule of INNER that matches nearest to its inner end: what pydantic, json or
asyncio do is thereby counted for whoever asked for it. `--by PART` lists the functions of a part.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

WHOLE = (
    ("imports", r"<frozen importlib|load_sdks|gate/plugins\.py"),
    ("estimate before the run", r"cli/estimating\.py|engine/rehearsal\.py"),
    ("configuration and cases", r"cli/reading\.py|gate/config/|datasets/native\.py"),
    ("conclude: compare, decide, render", r"cli/concluding\.py|cli/inputs\.py"),
    ("assemble", r"engine/assemble\.py"),
    ("journal, its thread", r"^thread [^;]*journal"),
)
INNER = (
    ("Gemini SDK: client", r"gate/models/gemini\.py:.*_client|Client\.__init__"),
    ("Gemini SDK: request", r"models/gemini\.py:(_config|_contents)|_to_(mldev|vertex)|_prepare"),
    ("Gemini SDK: reply", r"_from_response|_from_(mldev|vertex)|_construct_response"),
    ("Gemini SDK: rest", r"genai/|google/auth|tenacity/"),
    ("Claude SDK: request", r"_build_request|anthropic/.*transform|build_request"),
    ("Claude SDK: reply", r"anthropic/_(response|models)\.py|_process_response"),
    ("Claude SDK: rest", r"anthropic/"),
    ("HTTP: httpx2", r"httpx2/"),
    ("HTTP: httpcore2, h11, anyio", r"httpcore2/|h11/|anyio/"),
    ("journal, asked by the run", r"wire/journal"),
    ("doors and limits", r"wire/(door|limits|purse|retry)"),
    ("templates and fences", r"gate/templates\.py|jinja2/"),
    ("judge: request, schema, reply", r"models/(claude|json|rulings|prices|calls)"),
    ("answer: request and reading", r"gate/targets/|models/(grounding|gemini|spans)"),
    ("scorers", r"gate/scorers/"),
    ("progress", r"cli/progress\.py|rich/"),
    ("results file", r"wire/files\.py|cli/running\.py:_walk"),
    ("records and digests", r"gate/types/|gate/engine/"),
    ("asyncio and the rest", r""),
)
IDLE = re.compile(r"^[^;]*$|thread\.py:_worker$")
"""A thread without Python frames, or one that waits for work."""
FRAME = re.compile(r"^(?P<function>.*) \((?P<place>[^()]*)\)$")


def frames(stack: str) -> list[str]:
    """Return `place:function` of each frame, the outermost first."""
    found = []
    for frame in stack.split(";"):
        match = FRAME.match(frame)
        if match is None:
            found.append(frame)
        else:
            place = match["place"].rpartition(":")[0] or match["place"]
            found.append(f"{place}:{match['function']}")
    return found


def part_of(stack: list[str]) -> tuple[str, str]:
    """Return the part that a stack belongs to, and the frame that says so."""
    joined = ";".join(stack)
    for name, pattern in WHOLE:
        if re.search(pattern, joined):
            return name, stack[-1]
    for frame in reversed(stack):
        for name, pattern in INNER[:-1]:
            if re.search(pattern, frame):
                return name, frame
    return INNER[-1][0], stack[-1]


def main() -> int:
    """Add up and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stacks", type=Path)
    parser.add_argument("--by", help="list the functions of this part")
    options = parser.parse_args()
    parts: Counter[str] = Counter()
    functions: Counter[str] = Counter()
    for line in options.stacks.read_text(encoding="utf-8").splitlines():
        stack, _, count = line.rpartition(" ")
        shown = frames(stack)
        if IDLE.search(";".join(shown)):
            continue
        name, frame = part_of(shown)
        parts[name] += int(count)
        if name == options.by:
            functions[frame] += int(count)
    whole = parts.total()
    rows = functions.most_common(25) if options.by else parts.most_common()
    for name, count in rows:
        print(f"| {name} | {count / whole:.1%} |")
    print(f"{whole} samples", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
