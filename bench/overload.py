"""How the gate behaves at a vendor's limits: quotas, outages, a dead vendor, a shared quota.

Prints a Markdown table. The gate's own door, lanes and retries run against a vendor that is
simulated on a clock which jumps, so that hours take seconds.

    python bench/overload.py
"""

from __future__ import annotations

import asyncio
import random
import selectors
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from gate.errors import CallError
from gate.types import Call
from gate.wire.door import PaidDoor
from gate.wire.limits import Limits, RetryPolicy
from gate.wire.purse import Purse

WIDTH = 64
"""Calls in flight at most, and workers."""
LATENCY_S = 2.0
"""Median latency of a good reply, in seconds."""


class Jump(selectors.SelectSelector):
    """Waits for nothing: time jumps to the next thing that is due."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Pass the time that would have been waited."""
        ready = super().select(0)
        if not ready and timeout:
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps."""

    def __init__(self) -> None:
        self._jump = Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        """Seconds since the start."""
        return self._jump.now


@dataclass
class Vendor:
    """Answers `quota` calls a second, `burst` of them at once, except during its outages."""

    quota: float = 1e9
    burst: float = 1e9
    outages: Sequence[tuple[float, float]] = ()
    says: Callable[[float], float | None] = lambda _: None
    status: int = 503
    random_share: float = 0.0
    requests: int = 0
    _tokens: float = 0.0
    _at: float | None = None
    draw: random.Random = field(default_factory=lambda: random.Random(1))

    async def __call__(self) -> JsonValue:
        """One request."""
        loop = asyncio.get_running_loop()
        self.requests += 1
        now = loop.time()
        end = next((end for begin, end in self.outages if begin <= now < end), None)
        if end is not None:
            await asyncio.sleep(0.05)
            raise self._error(self.status, end - now)
        if self.draw.random() < self.random_share:
            await asyncio.sleep(0.05)
            raise self._error(self.draw.choice((429, 500, 502, 503, 529)), 0)
        if self._at is None:
            self._at, self._tokens = now, self.burst
        self._tokens = min(self.burst, self._tokens + (now - self._at) * self.quota)
        self._at = now
        if self._tokens < 1:
            await asyncio.sleep(0.05)
            raise self._error(429, (1 - self._tokens) / self.quota)
        self._tokens -= 1
        await asyncio.sleep(LATENCY_S * self.draw.lognormvariate(0, 0.4))
        return {}

    def _error(self, status: int, wait_s: float) -> CallError:
        return CallError("busy", status=status, retryable=True, retry_after_s=self.says(wait_s))


@dataclass
class Gate:
    """One gate that works through its calls."""

    vendor: Vendor
    calls: int
    seed: int = 7
    done: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    failed: int = 0

    async def run(self) -> None:
        """Make all calls."""
        loop = asyncio.get_running_loop()
        limits = Limits(
            RetryPolicy(),
            {"v": WIDTH},
            draw=random.Random(self.seed).random,
            clock=loop.time,
            sleep=asyncio.sleep,
        )
        door = PaidDoor(None, limits, Purse())
        numbers = iter(range(self.calls))

        async def work() -> None:
            for number in numbers:
                call = Call(kind="judge", vendor="v", model="m", request=number, attempt=self.seed)
                began = loop.time()
                try:
                    await door.call(call, self.vendor, lambda _: 0.0)
                except CallError:
                    self.failed += 1
                else:
                    self.took.append(loop.time() - began)
                    self.done.append(loop.time())

        await asyncio.gather(*(work() for _ in range(WIDTH)))


def simulate(vendor: Vendor, *gates: Gate) -> float:
    """Run the gates together against a vendor and return how many seconds it took."""

    async def all_of_them() -> float:
        await asyncio.gather(*(gate.run() for gate in gates))
        return asyncio.get_running_loop().time()

    assert all(gate.vendor is vendor for gate in gates)
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(all_of_them())


def row(name: str, vendor: Vendor, calls: int, ideal_rate: float, out_s: float = 0.0) -> str:
    """Simulate one gate and describe it."""
    gate = Gate(vendor, calls)
    took_s = simulate(vendor, gate)
    ideal_s = calls / ideal_rate + out_s
    slowest = max(gate.took, default=0.0)
    p99 = statistics.quantiles(gate.took, n=100)[98] if len(gate.took) > 1 else 0.0
    return (
        f"| {name} | {calls:,} | {gate.failed:,} | {vendor.requests:,} | {took_s:,.0f} | "
        f"{ideal_s / took_s:.0%} | {p99:.0f} / {slowest:.0f} |"
    )


def asked(wait_s: float) -> float:
    """A Retry-After in whole seconds, at least one."""
    return max(1.0, float(round(wait_s)))


def main() -> None:
    """Print the table."""
    fast = WIDTH / (LATENCY_S * 1.083)  # the mean of the latency is 8% above its median
    print("| vendor | calls | lost | requests | seconds | of ideal | p99 / slowest call, s |")
    print("|---|---|---|---|---|---|---|")
    print(row("sound", Vendor(), 10_000, fast))
    for quota in (2.0, 8.0, 20.0):
        for name, says in (("no header", lambda _: None), ("Retry-After", asked)):
            vendor = Vendor(quota=quota, burst=quota * 2, says=says)
            print(row(f"quota {quota:g}/s, {name}", vendor, 3_000, quota))
    for seconds in (30, 120, 240):
        for name, says in (("no header", lambda _: None), ("Retry-After", asked)):
            vendor = Vendor(outages=[(20.0, 20.0 + seconds)], says=says)
            print(row(f"outage of {seconds} s, {name}", vendor, 3_000, fast, seconds))
    vendor = Vendor(outages=[(20.0, 50.0)], status=500)
    print(row("outage of 30 s, status 500", vendor, 3_000, fast, 30))
    for share in (0.05, 0.2, 0.5):
        print(row(f"{share:.0%} fail at random", Vendor(random_share=share), 10_000, fast))
    vendor = Vendor(outages=[(0.0, 1e9)])
    print(row("dead from the start", vendor, 10_000, fast))
    vendor = Vendor(outages=[(100.0, 1e9)], status=500)
    print(row("dead after 100 s, status 500", vendor, 10_000, fast))

    vendor = Vendor(quota=16.0, burst=32.0)
    gates = [Gate(vendor, 1_500, seed=seed) for seed in (1, 2, 3)]
    took_s = simulate(vendor, *gates)
    early = min(gate.done[-1] for gate in gates)
    shares = [sum(at <= early for at in gate.done) for gate in gates]
    jain = sum(shares) ** 2 / (len(shares) * sum(share**2 for share in shares))
    print(
        f"\nThree gates share a quota of 16/s: {4_500 / 16 / took_s:.0%} of it used, "
        f"{shares} calls each until the first is done (Jain's index {jain:.3f}), "
        f"{sum(gate.failed for gate in gates)} lost."
    )


if __name__ == "__main__":
    main()
