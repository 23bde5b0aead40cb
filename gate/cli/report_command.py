"""`gate report`: render a run again, in another format or beside other runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from gate.cli.concluding import conclude
from gate.cli.inputs import read_inputs
from gate.cli.no_collection import no_collection
from gate.cli.output import say
from gate.cli.reading import read_run
from gate.decision.comparison import compare
from gate.errors import ConfigError, FileError
from gate.protocols import Reporter
from gate.reports.csv import CsvReporter
from gate.reports.json import JsonReporter
from gate.reports.junit import JunitReporter
from gate.reports.markdown import MarkdownReporter
from gate.reports.options import NoOptions
from gate.types import Policy, Report, Verdict
from gate.types.report import UNNAMED
from gate.wire.files import dump_json, write_text

FORMATS: Mapping[str, Callable[[NoOptions], Reporter]] = {
    "markdown": MarkdownReporter,
    "json": JsonReporter,
    "csv": CsvReporter,
    "junit": JunitReporter,
}
"""Format -> reporter."""

EPILOG = """\b
Examples:
  gate report gate-out --format markdown
  gate report gate-out --format junit -o gate-out/junit.xml
  gate report run-b.json --against run-a.json --format markdown
  gate report gate-out --trace speed-of-light      every call behind a case's numbers
"""


@click.command("report", epilog=EPILOG)
@click.argument("place", metavar="DIR|RUN.json", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="Another run to show beside it; may be repeated.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    help="What to write.  [markdown; with --trace plain text, or json]",
)
@click.option(
    "--trace",
    "case_id",
    metavar="CASE",
    help="Instead of a report, every call behind the numbers of a case, from the run's journal.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; without it stdout.",
)
@no_collection()
def command(
    place: Path,
    against: tuple[Path, ...],
    format_name: str | None,
    case_id: str | None,
    output: Path | None,
) -> int:
    """Render what a run said. Exit code 0: rendering decides nothing."""
    if case_id is None:
        text = _report(place, against, format_name or "markdown")
    elif against or format_name not in (None, "json"):
        raise ConfigError("--trace gives plain text, or JSON with --format json, of one run")
    else:
        # A report needs no journal, and starts without it.
        from gate.cli.tracing import read_trace  # noqa: PLC0415 - see above
        from gate.reports.trace_text import trace_text  # noqa: PLC0415 - see above

        trace = read_trace(place, case_id)
        text = trace_text(trace) if format_name is None else dump_json(trace)
    if output is None:
        say(text)
    else:
        write_text(output, text)
    return 0


def _report(place: Path, against: tuple[Path, ...], format_name: str) -> str:
    others = tuple(read_run(path) for path in against)
    question = read_inputs(place) if place.is_dir() else None
    report = _stored(place) if question is None else conclude(question)
    report = report.model_copy(update={"others": others})
    return FORMATS[format_name](NoOptions()).render(report).text


def _stored(place: Path) -> Report:
    """Return the report of a run alone: numbers without a verdict."""
    if place.is_dir():
        raise FileError(
            "holds no inputs/ of a verdict: where a run was interrupted, the same command again "
            "goes on; `gate compare RUN.json --out DIR` decides on a run alone",
            place,
        )
    run = read_run(place)
    return Report(
        name=UNNAMED,
        verdict=Verdict(
            status="report",
            exit_code=0,
            headline="A stored run: numbers without a verdict.",
            seed=run.plan.seed,
            cost=run.cost,
            commits=run.provenance.commits,
            next_step="`gate compare RUN.json` decides",
            from_memory=compare(run, None, Policy()).from_memory,
        ),
        run=run,
        stand_in=run.provenance.world is not None,
    )
