"""From a vendor's failed call to our CallError: what failed, and whether a later try may help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import httpx2

from gate.errors import CallError

_TOO_OFTEN: Final = 429
_SERVER: Final = 500
_RETRYABLE: Final = frozenset({408, _TOO_OFTEN})
_SECONDS: Final = re.compile(r"\d+(\.\d+)?")
_RETRY_INFO: Final = re.compile(r'"retryDelay":\s*"(\d+(?:\.\d+)?)s"')
_SHOWN: Final = 500
_NEVER_STOOD: Final = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError)


def status_error(
    who: str, status: int, message: str, headers: Mapping[str, str], body: str = ""
) -> CallError:
    """Return the CallError of an HTTP status: 408, 429 and 5xx may be tried again, others not.

    `body` is the reply's text, in which Google may say how long to wait.
    """
    return CallError(
        f"{who} answered {status}: {shorten(message)}",
        status=status,
        retryable=status in _RETRYABLE or status >= _SERVER,
        retry_after_s=retry_after_s(headers, body),
    )


def network_error(who: str, error: BaseException) -> CallError:
    """Return the CallError of a connection that failed, was reset or was refused.

    A connection that never stood carried no request, so it costs nothing; nor does one that a proxy
    did not let through.
    """
    detail = shorten(str(error) or type(error).__name__)
    if isinstance(error, httpx2.ProxyError):
        detail = f"the proxy that the environment names (HTTPS_PROXY) answered: {detail}"
    return CallError(
        f"{who} could not be reached: {detail}",
        retryable=True,
        sent=not isinstance(error, _NEVER_STOOD),
    )


def sign_in_error(error: BaseException) -> CallError:
    """Return the CallError of Google's sign-in that could not be reached: no model was asked."""
    detail = shorten(str(error) or type(error).__name__)
    return CallError(f"Google's sign-in could not be reached: {detail}", retryable=True, sent=False)


def deadline_error(who: str, timeout_s: float) -> CallError:
    """Return the CallError of our own deadline."""
    return CallError(f"{who} gave no reply within {timeout_s:g} s", retryable=True, kind="timeout")


def unreadable_error(who: str) -> CallError:
    """Return the CallError of a success that is empty, cut off or a proxy's page.

    The vendor may have done the work: the try counts as spent, and another may be read.
    """
    return CallError(f"{who} answered 200 with a body that is no JSON", retryable=True)


def retry_after_s(headers: Mapping[str, str], body: str = "") -> float | None:
    """Return the seconds that the vendor asks to wait, or None.

    Reads `retry-after-ms`, `Retry-After` in both of its forms (seconds; an HTTP date, RFC 9110
    10.2.3, counted from the reply's own `Date`), and google.rpc.RetryInfo in the body. Headers
    are looked up by lower-case names first, since plain mappings know one spelling only.
    """
    named = {name.lower(): value.strip() for name, value in headers.items()}
    millis = named.get("retry-after-ms", "")
    if _SECONDS.fullmatch(millis):
        return float(millis) / 1000
    after = named.get("retry-after", "")
    if _SECONDS.fullmatch(after):
        return float(after)
    until = _http_date(after)
    if until is not None:
        sent = _http_date(named.get("date", "")) or datetime.now(UTC)
        return max(0.0, (until - sent).total_seconds())
    found = _RETRY_INFO.search(body)
    return float(found[1]) if found else None


def shorten(text: str) -> str:
    """Return one line of at most 500 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _http_date(text: str) -> datetime | None:
    try:
        read = parsedate_to_datetime(text)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
