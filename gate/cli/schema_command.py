"""`gate schema`: JSON Schemas, for editors and for other tools."""

from __future__ import annotations

import click

from gate.cli.output import say
from gate.schemas import NAMES, Name, schema_for
from gate.wire.files import dump_json

EPILOG = """\b
Examples:
  gate schema config > gate.schema.json
  gate schema verdict
"""


@click.command("schema", epilog=EPILOG)
@click.argument("name", type=click.Choice(list(NAMES)))
def command(name: Name) -> int:
    """Print the JSON Schema of a file: one you write, or one that the gate writes."""
    say(dump_json(schema_for(name)))
    return 0
