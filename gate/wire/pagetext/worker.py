"""The process that reads pages: takes one on its standard input, gives its text on its output.

It holds no credential, since it starts with an empty environment; it opens no connection, and may
write no file. When a page asks too much of it, the system ends it and a new one is started.
"""

from __future__ import annotations

import json
import os
import resource
import struct
import sys
from typing import BinaryIO

from gate.wire.pagetext.extract import UnreadableError, extract

LENGTH = struct.Struct(">I")
"""How the length of what follows is written."""


def serve(pages: BinaryIO, texts: BinaryIO, cpu_s: int) -> None:
    """Read pages until there are no more; each may take `cpu_s` seconds of processor time.

    A page is its length and JSON (kind, charset, cut), its length and body; a text is one letter
    (`t` text, `u` unreadable, `m` out of memory), its length and UTF-8.
    """
    _answer(texts, b"r", b"")
    while (about := _take(pages)) is not None:
        body = _take(pages) or b""
        facts = json.loads(about)
        _limit_cpu(cpu_s)
        try:
            text = extract(facts["kind"], body, charset=facts["charset"], cut=facts["cut"])
        except UnreadableError:
            _answer(texts, b"u", b"")
        except (MemoryError, RecursionError):
            _answer(texts, b"m", b"")
        else:
            _answer(texts, b"t", text.encode())


def main() -> None:
    """Serve until the input ends. Arguments: seconds of processor time, bytes of memory."""
    cpu_s, memory = int(sys.argv[1]), int(sys.argv[2])
    # A library that prints must not write between our texts.
    texts = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    serve(sys.stdin.buffer, texts, cpu_s)


def _take(stream: BinaryIO) -> bytes | None:
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def _answer(stream: BinaryIO, letter: bytes, data: bytes) -> None:
    stream.write(letter + LENGTH.pack(len(data)) + data)
    stream.flush()


def _limit_cpu(seconds: int) -> None:
    """Let the system end this process that many seconds of processor time from now."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(
        resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 1 + seconds, most)
    )
