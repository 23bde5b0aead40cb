"""`gate import`: other tools' results, as they are."""

from __future__ import annotations

from pathlib import Path

import click

from gate.cli.output import say, tell
from gate.decision.baseline_file import baseline_text
from gate.decision.run_file import run_lines
from gate.decision.words import counted
from gate.errors import ConfigError
from gate.imports import FORMATS
from gate.types import Baseline
from gate.wire.files import read_text, write_parts, write_text

EPILOG = """\b
Examples:
  gate import --list
  gate import gemini-search-mcp evals/results/2026-07-12T23-22-55Z.json -o run.json
"""


@click.command("import", epilog=EPILOG)
@click.argument("format_name", metavar="FORMAT", required=False)
@click.argument("files", metavar="FILE...", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--list", "listing", is_flag=True, help="List the formats.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write: a run, or a baseline.",
)
def command(
    format_name: str | None, files: tuple[Path, ...], listing: bool, output: Path | None
) -> int:
    """Read FILEs of another tool; results become a run, baselines a baseline.

    Scores stand as published; who judged is not known, so a comparison says so.
    """
    if listing:
        for name, entry in FORMATS.items():
            say(f"{name}: {entry.says}\n")
        return 0
    if format_name is None:
        raise ConfigError("name a FORMAT; `gate import --list` shows them")
    if format_name not in FORMATS:
        raise ConfigError(f"unknown format `{format_name}`: there is {', '.join(FORMATS)}")
    if not files:
        raise ConfigError("name at least one FILE to import")
    if output is None:
        raise ConfigError("say where to write with -o, such as `-o run.json`")
    found = FORMATS[format_name].read([(str(path), read_text(path)) for path in files])
    if isinstance(found, Baseline):
        write_text(output, baseline_text(found))
        tell(f"{output}: a baseline")
    else:
        write_parts(output, run_lines(found))
        targets = ", ".join(info.name for info in found.targets)
        tell(f"{output}: {counted(len(found.cells), 'cell')} of {targets}")
    return 0
