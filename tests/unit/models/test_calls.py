"""What a failed call tells the retry layer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest

from gate.models.calls import (
    deadline_error,
    network_error,
    retry_after_s,
    shorten,
    sign_in_error,
    status_error,
)

SENT = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
DATE = format_datetime(SENT, usegmt=True)


@pytest.mark.parametrize(
    ("status", "retryable"),
    [
        *[(status, True) for status in (408, 429, 500, 502, 503, 504, 529)],
        *[(status, False) for status in (400, 401, 403, 404, 409, 413, 422)],
    ],
)
def test_status_error__only_some_may_be_tried_again(status: int, *, retryable: bool) -> None:
    """Too many, too slow and broken servers; never what a later try cannot mend."""
    error = status_error("Gemini", status, "why", {})

    assert (status, retryable, "error") == (error.status, error.retryable, error.kind)
    assert f"Gemini answered {status}: why" == str(error)


def test_network_error__may_be_tried_again() -> None:
    """An error without words is named by its class."""
    error = network_error("Claude", ConnectionResetError())

    assert error.retryable
    assert error.status is None
    assert "Claude could not be reached: ConnectionResetError" == str(error)


@pytest.mark.parametrize(
    ("error", "sent"),
    [
        (httpx2.ConnectError("refused"), False),
        (httpx2.ConnectTimeout("slow"), False),
        (httpx2.ProxyError("403 Forbidden"), False),
        (httpx2.ReadError("reset"), True),
    ],
)
def test_network_error__what_never_left_costs_nothing(error: Exception, *, sent: bool) -> None:
    """A proxy that lets no request through is no vendor that may have answered."""
    assert sent is network_error("Claude", error).sent


def test_network_error__a_proxy_is_named() -> None:
    """It is not the vendor that says 403."""
    said = str(network_error("Claude", httpx2.ProxyError("403 Forbidden")))

    assert "the proxy that the environment names (HTTPS_PROXY) answered: 403 Forbidden" in said


def test_sign_in_error__no_model_was_asked() -> None:
    """So it costs nothing, and may be tried again."""
    error = sign_in_error(OSError("no route"))

    assert (True, False) == (error.retryable, error.sent)
    assert "Google's sign-in could not be reached: no route" == str(error)


def test_deadline_error__is_a_timeout() -> None:
    """It may be tried again and is told apart from other errors."""
    error = deadline_error("Claude", 1.5)

    assert (True, "timeout") == (error.retryable, error.kind)
    assert "1.5 s" in str(error)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        (
            {
                "retry-after": format_datetime(SENT + timedelta(seconds=90), usegmt=True),
                "date": DATE,
            },
            90.0,
        ),
        (
            {
                "retry-after": format_datetime(SENT - timedelta(seconds=5), usegmt=True),
                "date": DATE,
            },
            0.0,
        ),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({}, None),
    ],
)
def test_retry_after_s__both_forms(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, or a date counted from the reply's own date; nonsense asks for nothing."""
    assert seconds == retry_after_s(headers)


def test_retry_after_s__date_without_a_date_of_the_reply() -> None:
    """Our own clock stands in."""
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)

    found = retry_after_s({"retry-after": later})

    assert found is not None
    assert 50 < found <= 60


def test_retry_after_s__google_says_it_in_the_body() -> None:
    """google.rpc.RetryInfo, when there is no header."""
    body = '{"error": {"details": [{"retryDelay": "12.5s"}]}}'

    assert 12.5 == retry_after_s({}, body)


def test_shorten__one_line_of_500_characters() -> None:
    """Longer texts end in an ellipsis."""
    assert "a b" == shorten("a\n  b ")
    assert "x" * 499 + "…" == shorten("x" * 501)
