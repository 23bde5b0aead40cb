"""The folder of a baseline refresh: the files of the change, and what they rest on.

`gate refresh` writes it where keys are and nothing may be written to the repository; `gate propose`
reads it where it is the other way round, and takes it for a stranger's.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from gate.cli.options import make_folder
from gate.config import Config
from gate.decision.baseline import baseline_text
from gate.decision.calibration_file import calibration_text
from gate.decision.refresh import Refreshed
from gate.decision.shape import this_schema
from gate.errors import ConfigError, FileError
from gate.reports.refresh import refresh_title
from gate.types import ProposedFile, Refresh, text_digest
from gate.types.report import UNNAMED
from gate.wire.checkout import checkout_of
from gate.wire.files import dump_json, read_json, read_text, remove_files, write_text

BASELINE, CALIBRATION, ANCHOR = "baseline.json", "calibration.json", "anchor.json"
NAMES = (BASELINE, CALIBRATION, ANCHOR)
"""Files of the change, by their names in the folder."""
REFRESH = "refresh.json"
PULL_REQUEST = "pull-request.md"

LARGEST = 32 * 1024 * 1024
"""Bytes of one file of the change: hosts take no larger ones through their interface."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME = 40
_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_LARGEST_REFRESH = 1024 * 1024


def paths_of(config: Config, config_path: Path) -> dict[str, str]:
    """Return where the files of a change belong in the repository, by their names in the folder.

    Paths are below the checkout that holds the configuration, or below the working folder where
    there is none. Raises ConfigError for a place outside of it, and for two that are one.
    """
    folder = config_path.parent.resolve()
    checkout = checkout_of(folder) or Path.cwd()
    own = {BASELINE: config.baseline, CALIBRATION: config.calibration, ANCHOR: config.anchor}
    found = {}
    for name, path in own.items():
        place = (folder / path).resolve()
        try:
            found[name] = str(PurePosixPath(place.relative_to(checkout.resolve())))
        except ValueError as error:
            raise ConfigError(
                f"{path} lies outside of the repository, and a pull request cannot change it: "
                "name a file inside",
                config_path,
            ) from error
    if len(set(found.values())) < len(found):
        raise ConfigError(
            "baseline, calibration and anchor must be three files: give each a path of its own",
            config_path,
        )
    return found


def texts_of(found: Refreshed) -> dict[str, str]:
    """Return the files of a change, by their names in the folder."""
    texts = {BASELINE: baseline_text(found.baseline)}
    if found.calibration is not None:
        texts[CALIBRATION] = calibration_text(found.calibration)
    if found.anchor is not None:
        texts[ANCHOR] = baseline_text(found.anchor)
    return texts


def proposed_files(texts: Mapping[str, str], paths: Mapping[str, str]) -> tuple[ProposedFile, ...]:
    """Say which files a change has, where they belong, and which bytes they are."""
    return tuple(
        ProposedFile(name=name, path=paths[name], sha256=text_digest(text))
        for name, text in texts.items()
    )


def about(name: str) -> str:
    """Return what stands for a configuration's name in branches and titles; "" for `default`.

    Letters, digits, `-` and `_` stay. Two names never become one: whatever lost a sign gets a
    part of its digest.
    """
    if name == UNNAMED:
        return ""
    short = _FOREIGN.sub("-", name).strip("-")[:_LONGEST_NAME]
    return short if short == name else f"{short}-{text_digest(name)[:8]}".lstrip("-")


def branch_of(name: str, run_id: str) -> str:
    """Return the branch of a refresh: `baseline/RUN`, or `baseline/NAME/RUN` of a named one.

    Raises FileError for an id that can name none.
    """
    if not _RUN_ID.fullmatch(run_id):
        raise FileError(f"the run id {run_id!r:.80} can name no branch: measure anew")
    return "/".join(one for one in ("baseline", about(name), run_id) if one)


def write_folder(
    out: Path, found: Refreshed, paths: Mapping[str, str], body: str, name: str
) -> Refresh:
    """Write the folder, `refresh.json` last: without it the folder proposes nothing.

    `name` is the configuration's. Raises FileError.
    """
    make_folder(out)
    remove_files(out, [REFRESH, PULL_REQUEST, *NAMES])
    texts = texts_of(found)
    refresh = Refresh(
        branch=branch_of(name, found.run.id),
        title=refresh_title(found, about(name)),
        files=proposed_files(texts, paths),
        measured=found.measured,
        reason=found.why.reason,
        by=found.why.by,
    )
    for file, text in texts.items():
        write_text(out / file, text)
    write_text(out / PULL_REQUEST, f"# {refresh.title}\n\n{body}")
    write_text(out / REFRESH, dump_json(refresh))
    return refresh


def read_folder(folder: Path, paths: Mapping[str, str], config_name: str) -> Refresh:
    """Read what a folder proposes that somebody else made, and check the files of its change.

    Raises FileError for links and pipes, for files that are too large, that are not the ones which
    `refresh.json` names, or that belong elsewhere in the repository than `paths` says; and for a
    refresh of another configuration than `config_name`.
    """
    if _kind(folder) != stat.S_IFDIR:
        raise FileError(
            "is no folder of its own: name the one that `gate refresh --out` wrote", folder
        )
    for name in (REFRESH, *NAMES):
        kind = _kind(folder / name)
        if kind not in (None, stat.S_IFREG):
            raise FileError(
                "is no file of its own: a link is not followed, put the file itself there",
                folder / name,
            )
        if kind is not None and (folder / name).lstat().st_size > LARGEST:
            raise FileError(
                f"is larger than {LARGEST} bytes, which no host takes through its interface: "
                "commit it by hand on a branch of yours",
                folder / name,
            )
    refresh = _refresh(folder / REFRESH, config_name)
    names: set[str] = set()
    for file in refresh.files:
        if file.name not in NAMES or file.name in names or paths[file.name] != file.path:
            raise FileError(
                f"names {file.name!r:.60} for {file.path!r:.100}, and the configuration of this "
                f"checkout allows {', '.join(sorted(paths.values()))}",
                folder / REFRESH,
            )
        names.add(file.name)
        if text_digest(read_text(folder / file.name, max_bytes=LARGEST)) != file.sha256:
            raise FileError(
                f"is not the file that {REFRESH} names: run `gate refresh` again",
                folder / file.name,
            )
    if BASELINE not in names:
        raise FileError("proposes no baseline: run `gate refresh` again", folder / REFRESH)
    return refresh


def _refresh(path: Path, config_name: str) -> Refresh:
    if not path.is_file():
        raise FileError("is not there: name the folder that `gate refresh --out` wrote", path)
    data = this_schema(
        read_json(path, max_bytes=_LARGEST_REFRESH),
        "refresh",
        "run `gate refresh` again",
        str(path),
    )
    try:
        refresh = Refresh.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FileError(
            f"is no refresh of the gate ({where}: {first['msg']}): run `gate refresh` again", path
        ) from error
    runs = refresh.measured.runs
    if not runs or refresh.branch != branch_of(config_name, runs[-1].id):
        raise FileError(
            "names another branch than that of its last run: run `gate refresh` again", path
        )
    return refresh


def _kind(path: Path) -> int | None:
    """Return the kind of what is there, links not followed; None where nothing is."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FileError(
            f"cannot be looked at: {error.strerror}; check who may use it", path
        ) from error
