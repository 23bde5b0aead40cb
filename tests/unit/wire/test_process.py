"""Foreign code as child processes, with real ones: who they are, what they see, how they end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gate.wire import process, strays
from gate.wire.process import NOBODYS, Child, ChildLimits, Command, Outcome, Processes
from gate.wire.process import environment_for as environment

SECRETS = {
    "ACTIONS_RUNTIME_TOKEN": "canary",
    "ANTHROPIC_API_KEY": "canary",
    "GITHUB_OUTPUT": "canary",
    "GOOGLE_APPLICATION_CREDENTIALS": "canary",
    "INPUT_GITHUB-TOKEN": "canary",
}
OURS = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **SECRETS}
LIMITS = ChildLimits(wall_s=20, patience_s=0.3)


def script(text: str, folder: Path = Path("/"), **given: str) -> Command:
    """A command for the shell."""
    return Command(("sh", "-c", text), folder, given)


async def outcome(text: str, limits: ChildLimits = LIMITS, stdin: bytes = b"") -> Outcome:
    """Run a shell script to its end."""
    return await Processes(OURS, limits=limits).run_to_end(script(text), stdin)


def lives(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return False


async def gone(pid: int) -> bool:
    """Wait for a process to be gone."""
    for _ in range(100):
        if not lives(pid):
            return True
        await asyncio.sleep(0.02)
    return False


@pytest.fixture
def as_root() -> None:
    """Only root can be another user."""
    if not process._may_change_user():
        pytest.skip("needs root with CAP_SETUID, CAP_SETGID and CAP_KILL")


@pytest.fixture
def theirs() -> Iterator[Path]:
    """A folder that a child of whatever user may write to."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o777)
        yield Path(name)


async def test_run_to_end__says_all() -> None:
    """Input, output, complaints, exit code and time."""
    done = await outcome("cat; echo oh >&2; exit 3", stdin=b"hello\n")

    assert ("ended", 3, b"hello\n", "oh\n") == (
        done.end,
        done.exit_code,
        done.stdout,
        done.stderr_tail,
    )
    assert not done.ok
    assert 0 < done.duration_s < 10


async def test_run_to_end__large_input_to_one_who_does_not_read() -> None:
    """A full pipe holds nobody up."""
    done = await outcome("echo done", stdin=b"x" * 1_000_000)

    assert done.ok
    assert b"done\n" == done.stdout


@pytest.mark.usefixtures("as_root")
async def test_child__is_nobody() -> None:
    """Another user, no group beside its own, no right to gain any, no capability."""
    done = await outcome("id -u; id -g; id -G; grep -E 'CapEff|NoNewPrivs' /proc/self/status")

    uid, gid, groups, *rest = done.stdout.decode().splitlines()
    assert (str(NOBODYS.uid), str(NOBODYS.gid), str(NOBODYS.gid)) == (uid, gid, groups)
    assert ["CapEff:\t0000000000000000", "NoNewPrivs:\t1"] == rest


@pytest.mark.usefixtures("as_root")
@pytest.mark.parametrize("what", ["environ", "maps", "mem", "cwd/"])
async def test_child__reads_nothing_of_ours(what: str) -> None:
    """The parent's environment holds every credential."""
    reader = "ls" if what.endswith("/") else "cat"

    done = await outcome(f"{reader} /proc/{os.getpid()}/{what}")

    assert b"" == done.stdout
    assert "Permission denied" in done.stderr_tail


@pytest.mark.usefixtures("as_root")
async def test_child__cannot_signal_us() -> None:
    """Nor end who started it."""
    done = await outcome(f"kill -0 {os.getpid()}")

    assert not done.ok
    assert "not permitted" in done.stderr_tail.lower()


async def test_child__of_our_own_user_when_we_cannot_change_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It runs all the same, gains no privilege, and a warning says what that means."""
    monkeypatch.setattr(process, "_may_change_user", lambda: False)
    processes = Processes(OURS, limits=LIMITS)

    done = await processes.run_to_end(script("id -u; grep NoNewPrivs /proc/self/status"))

    assert f"{os.getuid()}\nNoNewPrivs:\t1\n" == done.stdout.decode()
    assert processes.warning is not None
    assert "credentials included" in processes.warning


@pytest.mark.usefixtures("as_root")
def test_warning__none_for_root() -> None:
    """Nothing needs to be said where the child is another."""
    assert Processes(OURS).warning is None


async def test_child__sees_only_what_it_is_given() -> None:
    """No credential of ours, neither by name nor through the process that started it."""
    done = await Processes(OURS, limits=LIMITS).run_to_end(script("env; id -u", GEMINI_KEY="own"))

    assert "canary" not in done.stdout.decode()
    assert "GEMINI_KEY=own\n" in done.stdout.decode()
    assert "PATH=/usr/bin:/bin\n" in done.stdout.decode()


@pytest.mark.parametrize(
    "name", ["GITHUB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "INPUT_TOKEN", "Runner_Temp"]
)
def test_environment__the_runners_names_are_refused(name: str) -> None:
    """Not even when somebody asks for it."""
    with pytest.raises(ValueError, match=name):
        environment(OURS, {name: "x"})


def test_environment__what_is_given_wins() -> None:
    """A child may be given a path of its own."""
    assert {"PATH": "/opt", "LANG": "C.UTF-8"} == environment(OURS, {"PATH": "/opt"})


async def test_child__no_descriptor_but_the_three() -> None:
    """A socket or a file that we have open is not inherited, nor the launcher's."""
    left, right = socket.socketpair()
    with left, right:
        left.set_inheritable(True)
        done = await outcome("for fd in /proc/self/fd/*; do echo ${fd##*/}; done")

    # The shell expands the pattern by a descriptor of its own.
    assert [b"0", b"1", b"2"] == done.stdout.split()[:3]
    assert 4 >= len(done.stdout.split())


async def test_child__limits_of_the_system() -> None:
    """Held by the kernel for the child and all that it starts."""
    limits = replace(LIMITS, cpu_s=7, file_bytes=1024 * 512, open_files=64, memory_bytes=2**30)

    done = await outcome("ulimit -t; ulimit -f; ulimit -n; ulimit -v; ulimit -c", limits)

    assert [7, 1024, 64, 2**20, 0] == [int(word) for word in done.stdout.split()]


@pytest.mark.usefixtures("as_root")
async def test_child__that_forks_without_end() -> None:
    """The number of processes of its user is bounded, and all of them end with it."""
    limits = replace(LIMITS, processes=20, wall_s=3)

    done = await outcome("f() { f & f & wait; }; f", limits)

    assert "fork" in done.stderr_tail
    assert [] == [pid for pid in users_processes(NOBODYS.uid) if lives(pid)]


def users_processes(uid: int) -> list[int]:
    """Process ids of a user."""
    return [
        int(folder.name)
        for folder in Path("/proc").glob("[0-9]*")
        if folder.exists() and folder.stat().st_uid == uid
    ]


async def test_child__too_much_processor_time() -> None:
    """The system ends it, and the outcome says for what."""
    done = await outcome("while :; do :; done", replace(LIMITS, cpu_s=1))

    assert ("processor time", -signal.SIGXCPU) == (done.end, done.exit_code)


async def test_child__too_large_a_file(theirs: Path) -> None:
    """A full disk is everybody's."""
    done = await outcome(f"head -c 9999 /dev/zero > {theirs}/f", replace(LIMITS, file_bytes=4096))

    assert not done.ok
    assert 4096 == (theirs / "f").stat().st_size


async def test_child__too_late() -> None:
    """TERM comes first, so that it can tidy up."""
    done = await outcome("trap 'echo bye; exit 5' TERM; sleep 9 & wait", replace(LIMITS, wall_s=1))

    assert ("deadline", 5, b"bye\n") == (done.end, done.exit_code, done.stdout)


async def test_child__that_does_not_hear() -> None:
    """KILL comes after the patience."""
    done = await outcome("trap '' TERM; echo deaf; sleep 9; sleep 9", replace(LIMITS, wall_s=1))

    assert ("deadline", -signal.SIGKILL, b"deaf\n") == (done.end, done.exit_code, done.stdout)
    assert 1.3 <= done.duration_s < 5


async def test_child__its_group_ends_with_it() -> None:
    """Who stays behind and holds the pipe neither lives on nor keeps us waiting."""
    done = await outcome("sleep 60 & echo $!")

    assert done.ok
    assert done.duration_s < 5
    assert await gone(int(done.stdout))


async def test_child__one_who_left_the_group_holds_nobody_up() -> None:
    """Elsewhere than in a container it lives on, but we do not wait for its pipe."""
    done = await outcome("setsid sleep 4 & echo there")

    assert ("ended", b"there\n") == (done.end, done.stdout)
    assert done.duration_s < 3.5


@pytest.mark.usefixtures("as_root")
async def test_end_strays__ours_and_of_that_user_alone() -> None:
    """Children of ours that are not of that user are left alone."""
    ours = await asyncio.create_subprocess_exec("sleep", "60")
    other = await asyncio.create_subprocess_exec("sleep", "60", user=NOBODYS.uid)

    await strays.end_strays(NOBODYS.uid)

    assert (True, False) == (lives(ours.pid), lives(other.pid))
    ours.kill()
    await asyncio.gather(ours.wait(), other.wait())


async def test_child__too_long_a_line() -> None:
    """No line of a gigabyte is held in memory."""
    done = await outcome("yes x | tr -d '\\n'", replace(LIMITS, line_bytes=10_000))

    assert "line too long" == done.end


@pytest.mark.parametrize("stream", ["1", "2"])
async def test_child__too_much_output(stream: str) -> None:
    """Both streams count; what came before is kept."""
    done = await outcome(f"yes >&{stream}", replace(LIMITS, output_bytes=100_000))

    assert "too much output" == done.end
    assert len(done.stdout) + len(done.stderr_tail) <= 100_000
    assert (done.stdout + done.stderr_tail.encode()).startswith(b"y\ny\n")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (Command(("no-such-program",), Path("/")), "no-such-program: [Errno 2]"),
        (Command(("sh",), Path("/no/such/folder")), "No such file"),
    ],
)
async def test_run_to_end__cannot_be_started(command: Command, why: str) -> None:
    """Told apart from a program that failed."""
    done = await Processes(OURS, limits=LIMITS).run_to_end(command)

    assert ("not started", None, b"") == (done.end, done.exit_code, done.stdout)
    assert why in done.stderr_tail


@pytest.mark.usefixtures("as_root")
async def test_run_to_end__a_folder_that_it_may_not_enter(tmp_path: Path) -> None:
    """The folder is entered as the child's user: what it may not see is not its folder."""
    await asyncio.to_thread(tmp_path.chmod, 0o700)

    done = await Processes(OURS, limits=LIMITS).run_to_end(script("pwd", tmp_path))

    assert "not started" == done.end
    assert "Permission denied" in done.stderr_tail


async def test_open_child__line_by_line() -> None:
    """A child that lives long, as a server that talks over standard streams."""
    processes = Processes(OURS, limits=LIMITS)
    child = await processes.open_child(script('while read -r word; do echo "<$word>"; done'))
    assert isinstance(child, Child)

    lines = []
    for word in (b"one", b"two"):
        await child.write(word + b"\n")
        lines.append(await child.read_line())
    done = await processes.close(child)

    assert [b"<one>\n", b"<two>\n"] == lines
    assert "closed" == done.end
    assert not lives(child.pid)
    assert done == await processes.close(child)


async def test_open_child__its_last_line_has_no_end() -> None:
    """Then comes nothing, and writing to it is void."""
    processes = Processes(OURS, limits=LIMITS)
    child = await processes.open_child(script("printf last"))
    assert isinstance(child, Child)

    lines = [await child.read_line(), await child.read_line()]
    await child.write(b"anybody?\n" * 100_000)
    await child._exited.wait()

    assert [b"last", b""] == lines
    assert (await processes.close(child)).ok


async def test_open_child__given_up_while_it_starts() -> None:
    """Nothing is left behind."""
    processes = Processes(OURS, limits=LIMITS)
    task = asyncio.create_task(processes.open_child(script("sleep 60")))
    async with asyncio.timeout(10):
        while not processes._living:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.001)
    (pid,) = processes._living

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert not lives(pid)
    assert set() == processes._living


async def test_run_to_end__cancelled() -> None:
    """A run that is interrupted takes its children with it."""
    before = time.monotonic()
    processes = Processes(OURS, limits=LIMITS)
    task = asyncio.create_task(processes.run_to_end(script("sleep 60")))
    await asyncio.sleep(0.5)
    (pid,) = processes._living

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert not lives(pid)
    assert time.monotonic() - before < 10
