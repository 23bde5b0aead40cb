"""A run that is killed at a chosen point: `killed_run.py JOURNAL LOG POINT NUMBER`.

Ten calls, three at a time. LOG gets a line for each call that is really sent. POINT is where the
process kills itself in the call of that NUMBER: `before-intent`, `after-intent`, `sending`,
`before-result`, `after-result`, or `never`; `slow` never does either, and takes its time.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from pydantic import JsonValue

from gate.types import Call
from gate.wire.door import PaidDoor, carry_over
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome
from gate.wire.purse import Purse
from tests.unit.wire.wire_fakes import NOW, call, limits, price_of

CALLS = 10


class Mine(Journal):
    """A journal that kills the process."""

    point = "never"
    number = "-1"

    def kill_at(self, point: str, made: str) -> None:
        """Die without a last word, here and now."""
        if (point, made) == (self.point, self.number):
            os.kill(os.getpid(), signal.SIGKILL)

    async def intend(self, call: Call) -> int:
        """Die around the intent."""
        name = call.case_id or ""
        self.kill_at("before-intent", name)
        number = await super().intend(call)
        self.names = {**getattr(self, "names", {}), number: name}
        self.kill_at("after-intent", name)
        return number

    async def settle(self, number: int, outcome: Outcome) -> None:
        """Die around the result."""
        self.kill_at("before-result", self.names[number])
        await super().settle(number, outcome)
        self.kill_at("after-result", self.names[number])


async def run(book: Mine, log: Path) -> list[JsonValue]:
    """Make the calls and return their bodies."""
    purse = Purse()
    carry_over(book, purse)
    door = PaidDoor(book, limits(width=3), purse)

    async def one(number: int) -> JsonValue:
        async def send() -> JsonValue:
            with log.open("a") as lines:
                lines.write(f"{number}\n")
            book.kill_at("sending", str(number))
            await asyncio.sleep(0.03 if book.point == "slow" else 0.002 * (number % 3))
            return {"answer": number}

        scope = book.run_id if number % 2 else None
        made = call(str(number), case_id=str(number), scope=scope)
        return (await door.call(made, send, price_of(0.125))).body

    return await asyncio.gather(*(one(number) for number in range(CALLS)))


def main(path: str, log: str, point: str, number: str) -> None:
    """Run to the end or to the kill; print the bodies."""
    with Mine(Path(path), now=lambda: NOW) as book:
        book.point, book.number = point, number
        book.begin_run(f"run-{os.getpid()}", identity={"plan": "i"})
        sys.stdout.write(f"{asyncio.run(run(book, Path(log)))}\n")
        book.finish_run(book.run_id)


if __name__ == "__main__":
    main(*sys.argv[1:])
