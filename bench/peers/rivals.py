"""How the rivals are given the same load: files to write, command, environment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from loads import EXPECTED, Load, clean_environment, question

HERE = Path(__file__).resolve().parent
TASK = "inspect_task.py"


@dataclass(frozen=True)
class Rival:
    """One of them, where it is installed."""

    name: str
    """Name and version as installed."""
    prepare: Callable[[Path, Load], None]
    """Writes its files into a folder."""
    command: Callable[[Load], list[str]]
    """What to run in that folder."""
    environment: Callable[[Path, str], Mapping[str, str]]
    """Folder and the stand-in's URL -> environment."""


def find_rivals(peers: Path) -> list[Rival]:
    """Return those that are installed below `peers`; see `bench/peers/README.md`."""
    peers = peers.resolve()
    found = []
    promptfoo = peers / "promptfoo/node_modules/promptfoo"
    if (promptfoo / "package.json").exists():
        about = json.loads((promptfoo / "package.json").read_text(encoding="utf-8"))
        main = str(promptfoo / about["bin"]["promptfoo"])
        found.append(
            Rival(
                name=f"promptfoo {about['version']}",
                prepare=_write_promptfoo,
                command=lambda load: [
                    *("node", main, "eval", "-c", "promptfooconfig.json", "--no-cache"),
                    *("-j", str(load.at_once), "--no-table", "--no-progress-bar"),
                    *("-o", "out.json"),
                ],
                environment=_promptfoo_environment,
            )
        )
    inspect = peers / "inspect/bin"
    if (inspect / "inspect").exists():
        found.append(
            Rival(
                name=f"inspect-ai {_version(inspect.parent, 'inspect_ai')}",
                prepare=_write_inspect,
                command=lambda load: [
                    *(str(inspect / "inspect"), "eval", TASK),
                    *(
                        "--model",
                        "openai-api/bench/bench-answer",
                        "--display",
                        "none",
                        "--log-dir",
                        "logs",
                    ),
                    *("--max-connections", str(load.at_once), "--max-samples", str(load.at_once)),
                ],
                environment=_openai_environment,
            )
        )
    deepeval = peers / "deepeval/bin/python"
    if deepeval.exists() and _version(peers / "deepeval", "deepeval"):
        found.append(
            Rival(
                name=f"deepeval {_version(peers / 'deepeval', 'deepeval')}",
                prepare=_write_cases,
                command=lambda load: [
                    *(str(deepeval), str(HERE / "deepeval_run.py"), str(load.at_once)),
                ],
                environment=_openai_environment,
            )
        )
    return found


def _version(environment: Path, package: str) -> str:
    for place in environment.glob(f"lib/python*/site-packages/{package}-*.dist-info"):
        return place.name.removesuffix(".dist-info").rpartition("-")[2]
    return ""


def _cases(load: Load) -> list[dict[str, str]]:
    return [
        {"id": f"crossing-{number:05}", "input": question(number), "target": "\n".join(EXPECTED)}
        for number in range(load.cases)
    ]


def _write_cases(folder: Path, load: Load) -> None:
    (folder / "cases.json").write_text(json.dumps(_cases(load)), encoding="utf-8")


def _write_inspect(folder: Path, load: Load) -> None:
    _write_cases(folder, load)
    shutil.copy(HERE / TASK, folder)  # it takes relative paths only


def _write_promptfoo(folder: Path, load: Load) -> None:
    settings = {
        "prompts": ["{{question}}"],
        "providers": ["openai:chat:bench-answer"],
        "defaultTest": {"options": {"provider": "openai:chat:bench-judge-promptfoo"}},
        "tests": [
            {
                "vars": {"question": one["input"]},
                "assert": [{"type": "llm-rubric", "value": one["target"]}],
            }
            for one in _cases(load)
        ],
    }
    (folder / "promptfooconfig.json").write_text(json.dumps(settings), encoding="utf-8")


def _openai_environment(folder: Path, url: str) -> Mapping[str, str]:
    return {
        **clean_environment(),
        "HOME": str(folder),
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_BASE": f"{url}/v1",
        "OPENAI_API_KEY": "bench",
        "BENCH_BASE_URL": f"{url}/v1",  # inspect-ai's provider for compatible servers
        "BENCH_API_KEY": "bench",
        "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
        "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
    }


def _promptfoo_environment(folder: Path, url: str) -> Mapping[str, str]:
    return {
        **_openai_environment(folder, url),
        "PROMPTFOO_CONFIG_DIR": str(folder / "state"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    }
