"""The door of every paid call: look up, reserve, record the intent, send, record, settle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from gate.errors import CallError, CannotRun
from gate.types import Call, Reply
from gate.types.halves import may_hold_halves, whole_json
from gate.wire.journal import Journal
from gate.wire.journal_entry import Entry, Outcome, Problem, encode
from gate.wire.journal_replay import Replay
from gate.wire.limits import Limits
from gate.wire.purse import Hold, Purse

Send = Callable[[], Awaitable[JsonValue]]
"""Makes one try; raises CallError, or CannotRun for what no later call can mend."""
Price = Callable[[JsonValue], float | None]
"""Reads the cost in US dollars from a body; None when unknown."""


def carry_over(journal: Journal | Replay, purse: Purse) -> None:
    """Count in the purse what the run spent on calls that will not be found in the journal.

    Of a run that goes on, those that will be found as well: they hold the ceiling from the start.
    """
    if isinstance(journal, Journal):
        for paid in journal.paid():
            purse.bring(paid.id, paid.usd, lost=paid.lost, reserve_usd=paid.reserve_usd)
    for entry in journal.unsettled():
        if entry.settled and entry.problem is None:
            purse.recall(entry.usd, lost=entry.lost, reserve_usd=entry.reserve_usd)
        else:
            purse.carry(entry.reserve_usd, lost=entry.lost if entry.settled else 1)


class _Receipts:
    """Counts each recorded call once, however often it is asked for."""

    def __init__(self, purse: Purse) -> None:
        self._purse = purse
        self._counted: set[int] = set()

    def add(self, number: int) -> None:
        """The call was sent just now and is in the purse."""
        self._counted.add(number)

    def recall(self, entry: Entry, run_id: str) -> None:
        """The call was found in the journal."""
        if entry.run_id != run_id or entry.id in self._counted:
            self._purse.count_cached()
        elif entry.tries:
            self._counted.add(entry.id)
            self._purse.recall(
                entry.usd, lost=entry.lost, reserve_usd=entry.reserve_usd, number=entry.id
            )


class ReplayDoor:
    """Answers from a recorded run, errors included, and never sends anything."""

    def __init__(self, replay: Replay, purse: Purse) -> None:
        """Take the run, and the purse that shall show what it cost."""
        self._replay = replay
        self._receipts = _Receipts(purse)

    async def call(self, call: Call, send: Send, price: Price) -> Reply:  # noqa: ARG002  # Door
        """Return the recorded reply or raise the recorded error; ReplayError when there is none."""
        entry = self._replay.find(call)
        run_id = self._replay.run.id
        self._receipts.recall(entry, run_id)
        if entry.problem is not None:
            raise entry.problem.error()
        return _reply(entry, run_id)


@dataclass
class _Flight:
    """A call on its way, and how many wait for it."""

    task: asyncio.Task[Reply]
    waiting: int = 0


class PaidDoor:
    """Pays for what is not in the journal; equal calls in flight are sent once."""

    def __init__(self, journal: Journal | None, limits: Limits, purse: Purse) -> None:
        """Take the journal (None: nothing is kept), the limits with their clock, the purse."""
        self._journal = journal
        self._limits = limits
        self._purse = purse
        self._receipts = _Receipts(purse)
        self._flights: dict[tuple[str, str | None], _Flight] = {}

    async def call(self, call: Call, send: Send, price: Price) -> Reply:
        """Return the recorded reply, or send, record and settle.

        Raises CallError when no try succeeded, of kind `budget` when the ceiling was reached;
        passes CannotRun on. A call that is cancelled by all who wait for it leaves its intent in
        the journal and counts as spent.
        """
        name = (call.key, call.scope)
        flight = self._flights.get(name)
        if flight is None:
            flight = _Flight(asyncio.create_task(self._answer(call, send, price)))
            self._flights[name] = flight
        else:
            self._purse.count_cached()
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                # Off the list first: whoever comes now must not join a call that is ending.
                del self._flights[name]
                if not flight.task.done():
                    flight.task.cancel()
                    await asyncio.wait([flight.task])

    async def _answer(self, call: Call, send: Send, price: Price) -> Reply:
        if self._journal is not None:
            entry = await self._journal.find(call)
            if entry is not None:
                self._receipts.recall(entry, self._journal.run_id)
                return _reply(entry, self._journal.run_id)
        purchase = _Purchase(
            call, send, price, self._journal, self._limits, self._purse, self._receipts
        )
        return await purchase.make()


@dataclass
class _Purchase:
    """One paid call, from its reserve to its result."""

    call: Call
    send: Send
    price: Price
    journal: Journal | None
    limits: Limits
    purse: Purse
    receipts: _Receipts
    number: int | None = None
    started: float = 0.0
    tries: int = 0
    probes: int = 0
    lost: int = 0
    usd: float | None = 0.0
    text: str | None = None

    async def make(self) -> Reply:
        """Try until there is a reply or no other try is worth it; record either."""
        while True:
            try:
                reply = await self._try()
            except CannotRun as error:
                await self._record(problem=Problem.of(error))
                raise
            except CallError as error:
                tries = max(1, self.tries - self.probes)
                if await self.limits.wait_to_retry(error, tries=tries, started=self.started):
                    continue
                await self._record(problem=Problem.of(error))
                raise
            await self._record(reply)
            return reply

    async def _try(self) -> Reply:
        """Send once, when the vendor has room and the purse allows it."""
        lane = self.limits.lane(self.call.vendor)
        async with lane.slot(again=self.tries > 0):
            await self.purse.wait_for_room(self.call.reserve_usd)
            with self.purse.hold(self.call.reserve_usd) as hold:
                if not self.tries:
                    self.started = self.limits.clock()
                    self.limits.count_call()
                    self.purse.count_call()
                    await self._intend()
                self.tries += 1
                # That a vendor is still down is not the call's failure: it keeps its tries.
                self.probes += lane.down
                try:
                    began = self.limits.clock()
                    body = await self.send()
                    latency_s = self.limits.clock() - began
                except CallError as error:
                    # Without a status nobody knows whether the vendor did the work and billed it,
                    # unless the request never left.
                    if error.status is None and error.sent:
                        self.lost += 1
                    else:
                        hold.release()
                    raise
                except CannotRun:
                    hold.release()
                    raise
                return self._read(body, latency_s, hold)

    def _read(self, body: JsonValue, latency_s: float, hold: Hold) -> Reply:
        try:
            reply = Reply(body=body, latency_s=latency_s)
            self.text = encode(body)
            if may_hold_halves(self.text):
                reply = reply.model_copy(update={"body": whole_json(body)})
        except (ValueError, RecursionError) as error:
            self.usd = None
            hold.settle(None)
            raise CallError(
                f"{self.call.model} sent a reply that no JSON file can hold ({_first(error)}): "
                "run again, and report it to the vendor if it stays"
            ) from error
        self.usd = self.price(body)
        hold.settle(self.usd)
        return reply

    async def _intend(self) -> None:
        if self.journal is not None:
            self.number = await self.journal.intend(self.call)
            self.receipts.add(self.number)

    async def _record(self, reply: Reply | None = None, *, problem: Problem | None = None) -> None:
        if self.journal is None:
            return
        if self.number is None:  # refused by the purse: recorded all the same, for a replay
            await self._intend()
        outcome = Outcome(
            body=reply.body if reply else None,
            problem=problem,
            usd=self.usd,
            lost=self.lost,
            latency_s=reply.latency_s if reply else None,
            tries=self.tries,
            text=self.text if reply else None,
        )
        await self.journal.settle(self.number or 0, outcome)


def _reply(entry: Entry, run_id: str) -> Reply:
    return Reply(
        body=whole_json(entry.body),
        latency_s=entry.latency_s,
        cached=True,
        replayed=entry.run_id == run_id,
    )


def _first(error: ValueError | RecursionError) -> str:
    if isinstance(error, ValidationError):
        return str(error.errors()[0]["msg"])
    return str(error)
