"""`gate merge`: the parts of one plan, put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from gate.cli.filing import withdraw
from gate.cli.output import tell
from gate.cli.reading import RUN, read_run
from gate.cli.results import RESULTS, result_lines
from gate.decision.run_file import run_lines
from gate.decision.words import counted
from gate.engine.merge import merge
from gate.errors import FileError, before_any_call
from gate.types import Run
from gate.wire.files import write_lines, write_parts
from gate.wire.journal_file import JOURNAL
from gate.wire.journal_merge import merge_journals, page_read_differently

EPILOG = """\b
Examples:
  gate run --shard 1/2 --out part1        on one machine
  gate run --shard 2/2 --out part2        on another
  gate merge part1/run.json part2/run.json -o gate-out/run.json
  gate compare gate-out/run.json --out gate-out
"""


@click.command("merge", epilog=EPILOG)
@click.argument(
    "places",
    metavar="RUN.json...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True),
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The run.json to write.",
)
def command(places: tuple[Path, ...], output: Path) -> int:
    """Put the parts of `gate run --shard` together; mixed identities are refused.

    Results and journals that stand beside the parts are put together as well, so that the whole
    run can be read and replayed as if one machine had made it. `gate compare` decides on it.
    """
    folders = [place if place.is_dir() else place.parent for place in places]
    output.parent.mkdir(parents=True, exist_ok=True)
    if any(output.parent.samefile(folder) for folder in folders):
        raise FileError(
            "lies in the folder of a part, whose files it would replace: name another folder",
            output,
        )
    if output.name == RUN:
        # Also where the parts make no whole: what an earlier merge left must not be decided on.
        withdraw(output.parent)
        output.unlink(missing_ok=True)
    parts = [read_run(place) for place in places]
    run = merge(parts)
    write_parts(output, run_lines(run))
    lines = _results(folders, parts)
    write_lines(output.with_name(RESULTS), lines)
    with before_any_call():
        kept = _journal(folders, parts, run, output.with_name(JOURNAL))
    tell(
        f"{output}: {counted(len(parts), 'part')}, {counted(len(run.cells), 'case')}; "
        f"{kept}; now `gate compare {output} --out {output.parent}`"
    )
    return 0


def _results(folders: Sequence[Path], parts: Sequence[Run]) -> Iterator[bytes]:
    for folder, part in zip(folders, parts, strict=True):
        yield from result_lines(folder / RESULTS, part)


def _journal(folders: Sequence[Path], parts: Sequence[Run], run: Run, into: Path) -> str:
    """Put the journals together where that makes one run; say what came of it."""
    journals = [folder / JOURNAL for folder in folders]
    missing = [path for path in journals if not path.exists()]
    if missing:
        return f"no journal, since there is no {missing[0]}"
    if any(part.provenance.journal != part.id for part in parts):
        return "no journal: the parts were judged apart from their answers, or kept none"
    if len({(part.provenance.created or "")[:10] for part in parts}) > 1:
        # The date stands in the judge's questions.
        return "no journal, since the parts were begun on different days"
    page = page_read_differently(journals)
    if page is not None:
        return (
            f"no journal, since the parts read different texts of {page}: each part's own journal "
            "replays that part"
        )
    merge_journals(
        journals,
        into,
        run_id=run.id,
        identity={"the parts": " ".join(part.id for part in parts)},
        meta={
            "started": run.provenance.created,
            "world": run.provenance.world,
            "estimated_usd": run.cost.estimated_usd,
            "commits": run.provenance.commits.model_dump(mode="json"),
            "controls": None if run.controls is None else run.controls.model_dump(mode="json"),
        },
        now=lambda: datetime.now(UTC),
    )
    return f"{into} replays it"
