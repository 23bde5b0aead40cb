"""A run whose files may not grow beyond a size: `full_disk.py JOURNAL BYTES`.

Prints the numbers of the calls whose result was committed, then what ended the run. The limit is
the system's own (RLIMIT_FSIZE), so that the write itself fails, as on a full disk.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from pathlib import Path

from gate.errors import JournalError
from gate.wire.journal_entry import Outcome
from tests.unit.wire.wire_fakes import begun, call, record


def main(path: str, size: str) -> None:
    """Record calls until the disk is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
    book = begun(Path(path))
    for number in range(1000):
        try:
            asyncio.run(record(book, call(str(number)), Outcome(body=f"{number} " + "x" * 2000)))
        except JournalError as error:
            sys.stdout.write(f"{error}\n")
            return
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
