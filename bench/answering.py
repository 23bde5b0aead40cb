"""A stand-in for the vendors that is cheap enough never to be what is measured.

It answers each call with the same bytes after a fixed delay: no model, no search, no judgement.
It counts the calls and the most that were in flight. `bench/throughput.py` starts it as a process
of its own; by hand:

    python bench/answering.py --delay-ms 50
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import time
from functools import partial

from bodies import CLAUDE, CONTENTS, GEMINI, chat

HOST = "127.0.0.1"
BACKLOG = 2048
END = b"\r\n\r\n"
LENGTH = b"content-length:"


def reply(body: bytes, status: bytes = b"200 OK") -> bytes:
    """Head and body in one piece, so that they leave in one write."""
    head = b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    return head % (status, len(body)) + body


GEMINI_REPLY = reply(GEMINI)
CLAUDE_REPLY = reply(CLAUDE)
CHAT_REPLIES = {model.encode(): reply(chat(model)) for model in CONTENTS}
UNKNOWN = reply(b'{"error":{"message":"a stand-in of bench/: no such path"}}', b"404 Not Found")


class Counts:
    """What was seen since the last reset."""

    def __init__(self, delay_s: float) -> None:
        """Take the delay of every reply, in seconds."""
        self.delay_s = delay_s
        self.reset()

    def reset(self) -> None:
        """Forget the calls."""
        self.calls = dict.fromkeys(("answer", "judge", "unknown"), 0)
        self.in_flight = 0
        self.most_in_flight = 0
        self.connections = 0
        self.first: float | None = None

    def control(self, path: bytes) -> bytes:
        """Serve `/_bench/counts` and `/_bench/reset?DELAY_MS`; both tell the counts so far."""
        told = {
            "stand_in": True,
            "calls": self.calls,
            "most_in_flight": self.most_in_flight,
            "connections": self.connections,
            "first": self.first,
        }
        body = reply(json.dumps(told).encode())
        if path.startswith(b"/_bench/reset"):
            self.reset()
            self.delay_s = int(path.partition(b"?")[2] or self.delay_s * 1000) / 1000
        return body


def choose(path: bytes, body: bytes) -> tuple[str, bytes]:
    """Return the kind of a call and the bytes that answer it."""
    if b":generateContent" in path:
        return "answer", GEMINI_REPLY
    if path.endswith(b"/messages") or b":rawPredict" in path:
        return "judge", CLAUDE_REPLY
    if b"/chat/completions" in path:
        for model, ready in CHAT_REPLIES.items():
            if b'"%b"' % model in body:
                return ("answer" if model == b"bench-answer" else "judge"), ready
    return "unknown", UNKNOWN


class Connection(asyncio.Protocol):
    """One keep-alive connection: a request in, one write out."""

    transport: asyncio.Transport

    def __init__(self, counts: Counts) -> None:
        """Count in `counts`."""
        self.counts = counts
        self.held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport; asyncio has set TCP_NODELAY."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.counts.connections += 1

    def data_received(self, data: bytes) -> None:
        """Answer every request that is whole."""
        self.held += data
        while (end := self.held.find(END)) >= 0:
            head = self.held[:end]
            low = head.lower()
            at = low.find(LENGTH)
            length = int(low[at + len(LENGTH) :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            whole = end + len(END) + length
            if b"expect: 100-continue" in low and len(self.held) < whole:
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            if len(self.held) < whole:
                return
            body, self.held = self.held[end + len(END) : whole], self.held[whole:]
            self.answer(head.split(b" ", 2)[1], body)

    def answer(self, path: bytes, body: bytes) -> None:
        """Answer one request, at once or when the delay is over."""
        counts = self.counts
        if path.startswith(b"/_bench/"):
            self.transport.write(counts.control(path))
            return
        if counts.first is None:
            counts.first = time.monotonic()
        kind, ready = choose(path.partition(b"?")[0], body)
        if kind == "unknown":
            print(f"no such path: {path!r} {body[:200]!r}", file=sys.stderr, flush=True)
        counts.calls[kind] += 1
        counts.in_flight += 1
        counts.most_in_flight = max(counts.most_in_flight, counts.in_flight)
        asyncio.get_running_loop().call_later(counts.delay_s, self.send, ready)

    def send(self, ready: bytes) -> None:
        """Write the reply."""
        self.counts.in_flight -= 1
        if not self.transport.is_closing():
            self.transport.write(ready)


async def serve(port: int, delay_s: float) -> None:
    """Serve until SIGTERM; the first line of standard output is the port."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    server = await loop.create_server(
        partial(Connection, Counts(delay_s)), HOST, port, backlog=BACKLOG
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await stop.wait()
    server.close()


def main() -> int:
    """Serve."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--delay-ms", type=int, default=50)
    options = parser.parse_args()
    asyncio.run(serve(options.port, options.delay_ms / 1000))
    return 0


if __name__ == "__main__":
    sys.exit(main())
