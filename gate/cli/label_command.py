"""`gate label`: rate answers in the terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from gate.cli.label_choice import Request, choose_sheets
from gate.cli.label_file import open_labels, own_path
from gate.cli.label_sitting import hold_sitting
from gate.cli.output import wants_colour
from gate.cli.reading import read_config, read_labels
from gate.cli.signals import Signals
from gate.cli.window import Window
from gate.datasets.labels import KINDS
from gate.errors import ConfigError

EPILOG = """\b
Examples:
  gate label gate-out/rated/a --by "Ada Lovelace" --next 20     twenty answers; again: goes on
  gate label gate-out/rated/a gate-out/rated/b --by "Ada Lovelace" --claims
  gate label gate-out/rated/a --by "Grace Hopper" --like evals/labels/ada-lovelace.yaml
  gate label gate-out/rated/a --by "Grace Hopper" --approve --labels evals/labels/drafted.yaml
"""


@click.command("label", epilog=EPILOG)
@click.argument(
    "runs", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)
@click.option("--by", metavar="NAME", help="Who rates or approves; needed once for a new file.")
@click.option(
    "--labels",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write.  [evals/labels/NAME.yaml]",
)
@click.option(
    "--next",
    "size",
    metavar="N",
    type=click.IntRange(min=1),
    help="Only the N answers that tell most.",
)
@click.option(
    "--dimension",
    "dimensions",
    multiple=True,
    metavar="NAME",
    help="Rate this one; may be repeated.  [all judged ones of whole answers]",
)
@click.option("--claims", is_flag=True, help="Rate the answers' claims by the page texts.")
@click.option("--sentences", is_flag=True, help="Rate the sentences that cite pages.")
@click.option("--citations", is_flag=True, help="Rate single citations of such sentences.")
@click.option(
    "--statements", is_flag=True, help="Rate facts of the pages: does the answer say them?"
)
@click.option("--approve", is_flag=True, help="Look through labels that somebody else drafted.")
@click.option(
    "--like",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Rate the answers that this file rates, without seeing how.",
)
@click.option("--target", metavar="NAME", help="Only answers of this system under test.")
@click.option(
    "--config",
    "config_path",
    default="gate.yaml",
    type=click.Path(path_type=Path),
    help="The configuration, which names the cases.  [gate.yaml where there is one]",
)
@click.pass_context
def command(
    context: click.Context,
    /,
    runs: tuple[Path, ...],
    *,
    by: str | None,
    labels: Path | None,
    size: int | None,
    dimensions: tuple[str, ...],
    approve: bool,
    like: Path | None,
    target: str | None,
    config_path: Path,
    **kinds: bool,
) -> int:
    """Rate answers of runs, a key each, and write labels that are bound to the answers.

    Every rating is in the file at once; the same command goes on where it ended. What the judge
    said is not shown. `docs/labels.md` says how many labels to make, and of which answers.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError(
            "gate label needs a terminal: type it yourself, without a pipe; in a container, with "
            "`docker run -it`"
        )
    request = Request(
        runs=runs,
        dimensions=dimensions,
        kinds=tuple(kind for kind in KINDS if kinds[kind]),
        target=target,
        size=size,
        like=like,
    )
    config = read_config(config_path, dict(os.environ)) if config_path.exists() else None
    if labels is None and by is None:
        raise ConfigError('say who rates: --by "Ada Lovelace"')
    if labels is None and approve:
        raise ConfigError("say which labels to look through: --labels FILE")
    path = labels or own_path(config_path.parent, by or "")
    file = open_labels(path, by, approving=approve)
    sheets = choose_sheets(request, file, config, config_path.parent)
    term = os.environ.get("TERM", "")
    styled = wants_colour(sys.stdout, os.environ.get("NO_COLOR"), term)
    window = Window(sys.stdin, sys.stdout, term=term, styled=styled)
    signals = context.find_root().obj
    return hold_sitting(
        sheets,
        file,
        window,
        signals=signals if isinstance(signals, Signals) else Signals(),
        runs=runs,
        like=None if like is None else read_labels([like])[0],
    )
