"""The lines to type to have a run again for nothing: as it was typed, from its journal."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from gate.cli.request import Wish, base_tree
from gate.cli.surroundings import SEED
from gate.config import Config
from gate.errors import GateError
from gate.types import Commits, Run
from gate.wire.checkout import checkouts_of
from gate.wire.event import read_occasion
from gate.wire.journal_file import JOURNAL

Env = Mapping[str, str]
"""The environment."""

IN_A_BOX = (
    "docker run --rm --network none --read-only --cap-drop ALL --cap-add SETUID --cap-add SETGID "
    '-v "${PWD}:/work" -w /work'
)
"""How a container is started that may do nothing but become the folder's owner."""

_HOME = "github.com"
"""The host that `gh` takes for granted."""
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_REF = re.compile(r"[A-Za-z0-9_.-]{1,100}")

NOT_AGAIN = {"--offline": True, "--replay": True, "--out": True, "--max-cost": True, "--yes": False}
"""Options that a replay does without -> whether a value may follow."""


def own_folder(wish: Wish) -> str:
    """Name the folder that holds the run's journal and results: that of the run it replays."""
    return str(wish.out if wish.replay is None else wish.replay.parent)


def reproduce_lines(wish: Wish, config: Config, run: Run) -> tuple[str, ...]:
    """Say how to have this run again; nothing where no journal holds the whole of it."""
    if run.interrupted is not None or (wish.replay is None and config.journal != "full"):
        return ()
    journal = wish.replay or wish.out / JOURNAL
    kept = ["gate"]
    takes_value = False
    for word in sys.argv[1:]:
        name, equals, _ = word.partition("=")
        if takes_value and not word.startswith("-"):
            takes_value = False
            continue
        takes_value = NOT_AGAIN.get(name, False) and not equals
        if name not in NOT_AGAIN:
            kept.append(word)
    if run.plan.seed != (wish.seed or config.run.seed or SEED):
        # It was the pull request's, which nothing tells elsewhere.
        kept += ["--seed", run.plan.seed]
    return (shlex.join([*kept, "--replay", str(journal), "--out", "again"]),)


def from_elsewhere(lines: Sequence[str], wish: Wish, commits: Commits, env: Env) -> tuple[str, ...]:
    """Say how to have a workflow's run again in a clone: what to fetch, and how to replay it.

    The replay needs no network, no key and no rights. Outside of a workflow the lines stay.
    """
    run = _workflow_run(env)
    if not lines or run is None:
        return tuple(lines)
    repository, run_id = run
    # Workflows keep a run's folder under the name that it has: each configuration has its own.
    kept = wish.out.name or "gate-out"
    fetch = [f"gh run download {run_id} -R {repository} -n {kept} -D {wish.out}"]
    if wish.candidate_path is None:
        trees = {Path(): commits.evaluated}
    else:
        base, candidate = checkouts_of(base_tree(wish), wish.candidate_path)
        trees = {base: commits.base, candidate: commits.evaluated}
    fetch += [
        f"git fetch -q origin {sha} && {_put(path, sha)}"
        for path, sha in trees.items()
        if sha is not None
    ]
    image = _image(env)
    return (" && ".join(fetch), *(f"{IN_A_BOX} {image} {one}" if image else one for one in lines))


def _put(path: Path, sha: str) -> str:
    """Say how to have a commit in a folder of the clone, or in the clone itself."""
    if path == Path():
        return f"git checkout -q --detach {sha}"
    return f"git worktree add --detach {path} {sha}"


def _workflow_run(env: Env) -> tuple[str, int] | None:
    """Return repository and run of the workflow that this is; None elsewhere.

    The repository is named with its host where that is an Enterprise Server, as `gh` wants it.
    """
    if env.get("GITHUB_ACTIONS") != "true":
        return None
    try:
        occasion = read_occasion(env)
    except GateError:
        return None
    host = urlsplit(occasion.server_url).netloc
    where = "" if host == _HOME else f"{host}/"
    return f"{where}{occasion.repository}", occasion.run_id


def _image(env: Env) -> str | None:
    """Name the image of the action that runs; None for one that was built from a checkout."""
    repository, ref = env.get("GITHUB_ACTION_REPOSITORY", ""), env.get("GITHUB_ACTION_REF", "")
    if not _NAME.fullmatch(repository) or not _REF.fullmatch(ref):
        return None
    return f"ghcr.io/{repository.lower()}:{ref}"
