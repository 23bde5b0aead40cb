"""Who is told of a signal, and what happens where nobody listens."""

from __future__ import annotations

import signal

import pytest

from gate.cli.signals import Signals
from gate.errors import Interrupted


def test_signals__nobody_listens() -> None:
    """The work ends here, with the exit code of shells."""
    signals = Signals()

    with pytest.raises(Interrupted) as caught:
        signals.handle(signal.SIGTERM, None)

    assert 143 == caught.value.exit_code == signals.exit_code


def test_signals__a_listener_is_told() -> None:
    """It ends the work in its own order."""
    signals, heard = Signals(), []

    with signals.told(lambda: heard.append("now")):
        assert signals.exit_code is None
        signals.handle(signal.SIGINT, None)

    assert (["now"], 130, signal.SIGINT) == (heard, signals.exit_code, signals.received)


def test_signals__a_listener_that_comes_late_is_told_too() -> None:
    """A signal in between is not lost."""
    signals, heard = Signals(), []

    with signals.held():
        signals.handle(signal.SIGTERM, None)
    with signals.told(lambda: heard.append("late")):
        pass

    assert ["late"] == heard


def test_signals__what_is_held_comes_to_its_end() -> None:
    """Files that are being written are written whole."""
    signals, steps = Signals(), ["begun"]

    with signals.held():
        signals.handle(signal.SIGTERM, None)
        steps.append("written")

    assert (["begun", "written"], 143) == (steps, signals.exit_code)


def test_signals__one_while_loading_waits_until_the_command_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is noted, and raised when the command begins."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    signals = Signals()
    signals.install()

    signals.handle(signal.SIGTERM, None)

    with pytest.raises(Interrupted):
        signals.loaded()


def test_signals__none_while_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    """From then on each is raised."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    signals = Signals()
    signals.install()
    signals.loaded()

    with pytest.raises(Interrupted):
        signals.handle(signal.SIGINT, None)
