"""The event that started a workflow -> an Occasion.

`event.json` holds titles, branch names and labels that anybody can write, so nothing of it is
believed but numbers and commit names of the right form, from the few places that are named here;
a label that came is taken to be compared with one that is known, and never shown.
What the runner itself says (`GITHUB_*`) is believed once it has the right form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from gate.errors import ConfigError, FileError
from gate.types.occasion import Occasion
from gate.wire.files import read_json

__all__ = ["occasion_of", "read_event", "read_occasion"]

LARGEST_EVENT = 32 * 1024 * 1024
"""Bytes of event.json; the host sends 25 MB at most."""

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_PULL = re.compile(r"[1-9][0-9]{0,8}")
_URL = re.compile(r"https?://[A-Za-z0-9._:\[\]-]+(?:/[A-Za-z0-9._/-]*)?")
_ACTOR = re.compile(r"[A-Za-z0-9_\[\]-]{1,100}")


def read_occasion(env: Mapping[str, str]) -> Occasion:
    """Read what the runner says of this run. Raises ConfigError, FileError."""
    path = env.get("GITHUB_EVENT_PATH", "")
    return occasion_of(env, read_event(Path(path)) if path else {})


def read_event(path: Path) -> Mapping[str, JsonValue]:
    """Read event.json. Raises FileError for what is no JSON object, or too large."""
    event = read_json(path, max_bytes=LARGEST_EVENT)
    if not isinstance(event, dict):
        raise FileError("is no event of the host: a JSON object is expected", path)
    return event


def occasion_of(env: Mapping[str, str], event: Mapping[str, JsonValue]) -> Occasion:
    """Put together what the runner's variables and the event say. Pure.

    Raises ConfigError where there is no workflow, and for the inputs `pr` and `sha` of a
    `workflow_dispatch` that are no number and no commit.
    """
    name = env.get("GITHUB_EVENT_NAME", "")
    sha = _sha(env.get("GITHUB_SHA"))
    found = {
        "pull_request": _of_pull_request,
        "pull_request_target": _of_pull_request_target,
        "workflow_dispatch": _of_dispatch,
        "push": _of_push,
        "merge_group": _of_merge_group,
        "workflow_run": _of_workflow_run,
    }.get(name, _of_commit)(event, sha, env.get("GITHUB_REPOSITORY", ""))
    server = _variable(env, "GITHUB_SERVER_URL", _URL, "https://github.com").rstrip("/")
    repository = _variable(env, "GITHUB_REPOSITORY", _REPOSITORY)
    run_id = int(_variable(env, "GITHUB_RUN_ID", _NUMBER))
    attempt = int(_variable(env, "GITHUB_RUN_ATTEMPT", _NUMBER, "1"))
    measured = found.get("measured_run") or (run_id, attempt)
    return Occasion(
        repository=repository,
        run_id=run_id,
        run_attempt=attempt,
        run_url=f"{server}/{repository}/actions/runs/{measured[0]}/attempts/{measured[1]}",
        event=name,
        actor=_variable(env, "GITHUB_ACTOR", _ACTOR, "unknown"),
        api_url=_variable(env, "GITHUB_API_URL", _URL, "https://api.github.com").rstrip("/"),
        server_url=server,
        **found,
    )


Found = dict[str, Any]
"""Fields of an Occasion that the event tells."""


def _of_pull_request(event: Mapping[str, JsonValue], sha: str | None, repository: str) -> Found:
    head = _text(event, "pull_request", "head", "repo", "full_name")
    return {
        "pull_request": _number(_at(event, "pull_request", "number")),
        "head_sha": _sha(_at(event, "pull_request", "head", "sha")),
        "base_sha": _sha(_at(event, "pull_request", "base", "sha")),
        "merge_sha": sha,
        "label": _label(event) if event.get("action") == "labeled" else None,
        # A head whose repository was deleted has none.
        "from_fork": head.lower() != repository.lower(),
    }


def _of_pull_request_target(
    event: Mapping[str, JsonValue], sha: str | None, repository: str
) -> Found:
    """Leave the merge result out: the runner's commit is the base branch's own."""
    return {**_of_pull_request(event, sha, repository), "merge_sha": None}


def _of_dispatch(event: Mapping[str, JsonValue], sha: str | None, repository: str) -> Found:
    del repository
    pull, head = _text(event, "inputs", "pr").strip(), _text(event, "inputs", "sha").strip()
    if pull and not _PULL.fullmatch(pull):
        raise ConfigError("the workflow's input `pr` is no number of a pull request: write 123")
    if head and not _SHA.fullmatch(head):
        raise ConfigError("the workflow's input `sha` is no whole commit name: write all 40 digits")
    if pull and not head:
        raise ConfigError(
            "the workflow's input `pr` needs `sha` beside it: the commit that was looked at, "
            "since the pull request may have moved on"
        )
    return {"pull_request": int(pull) if pull else None, "head_sha": head or sha}


def _of_push(event: Mapping[str, JsonValue], sha: str | None, repository: str) -> Found:
    del repository
    before = _sha(event.get("before"))
    new = before is None or not before.strip("0")
    return {"head_sha": sha, "base_sha": None if new else before}


def _of_merge_group(event: Mapping[str, JsonValue], sha: str | None, repository: str) -> Found:
    del repository
    return {
        "head_sha": _sha(_at(event, "merge_group", "head_sha")) or sha,
        "base_sha": _sha(_at(event, "merge_group", "base_sha")),
    }


def _of_workflow_run(event: Mapping[str, JsonValue], sha: str | None, repository: str) -> Found:
    """Take the head alone where it comes from a fork: the host names no pull request then."""
    del sha
    pulls = _at(event, "workflow_run", "pull_requests")
    one = pulls[0] if isinstance(pulls, list) and len(pulls) == 1 else None
    head = _text(event, "workflow_run", "head_repository", "full_name")
    run_id = _count(_at(event, "workflow_run", "id"))
    attempt = _count(_at(event, "workflow_run", "run_attempt"))
    return {
        "measured_run": None if run_id is None else (run_id, attempt or 1),
        "pull_request": _number(one.get("number")) if isinstance(one, dict) else None,
        "head_sha": _sha(_at(event, "workflow_run", "head_sha")),
        "from_fork": head.lower() != repository.lower(),
    }


def _of_commit(event: Mapping[str, JsonValue], sha: str | None, repository: str) -> Found:
    del event, repository
    return {"head_sha": sha}


def _at(event: Mapping[str, JsonValue], *keys: str) -> JsonValue:
    value: JsonValue = dict(event)
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _text(event: Mapping[str, JsonValue], *keys: str) -> str:
    value = _at(event, *keys)
    return value if isinstance(value, str) else ""


def _label(event: Mapping[str, JsonValue]) -> str | None:
    """Return the label that came."""
    return _text(event, "label", "name") or None


def _number(value: JsonValue) -> int | None:
    """Return a number of a pull request; True is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if _PULL.fullmatch(str(value)) else None


def _count(value: JsonValue) -> int | None:
    """Return a number of a run; True is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if _NUMBER.fullmatch(str(value)) else None


def _sha(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and _SHA.fullmatch(value) else None


def _variable(
    env: Mapping[str, str], name: str, form: re.Pattern[str], default: str | None = None
) -> str:
    """Return a variable of the runner. Raises ConfigError where it is not of its form."""
    value = env.get(name, "") or default
    if value is None:
        raise ConfigError(f"{name} is not set: this needs the runner of a workflow")
    if not form.fullmatch(value):
        raise ConfigError(f"{name} is {value!r}, which no runner says: unset it, or mend it")
    return value
