"""One process with its limits. The stand-ins for a compiler are small real programs."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from occupancy_lsp.compile import job

VARIABLES = {"PATH": "/usr/bin:/bin"}
# Starts another process, tells both numbers, and hangs as that one does.
HANGS = """\
import os, pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path("pids.part").write_text(f"{os.getpid()} {child.pid}")
os.replace("pids.part", "pids")
time.sleep(600)
"""


def never() -> bool:
    return False


def python(program: str, folder: Path, seconds: float = 60, cancelled: object = never) -> job.Done:
    assert callable(cancelled)
    return job.run([sys.executable, "-c", program], folder, VARIABLES, cancelled, seconds)


def started(folder: Path) -> list[int]:
    return [int(it) for it in (folder / "pids").read_text().split()]


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def gone(pids: list[int]) -> bool:
    """Killed processes go away when the system gets to it."""
    for _ in range(500):
        if not any(map(alive, pids)):
            return True
        time.sleep(0.01)
    return False


def test_output_and_status(tmp_path: Path) -> None:
    done = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)", tmp_path)
    assert (done.status, sorted(done.output.split()), done.stopped, done.well) == (3, ["err", "out"], "", False)


def test_arguments_pass_no_shell(tmp_path: Path) -> None:
    words = ["$(touch canary)", "`touch canary`", "; touch canary", '"', "a b", "*"]
    done = job.run([sys.executable, "-c", "import sys; print(sys.argv[1:])", *words], tmp_path, VARIABLES, never)
    assert done.output.strip() == str(words)
    assert not (tmp_path / "canary").exists()


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    done = job.run([str(tmp_path / "none")], tmp_path, VARIABLES, never)
    assert not done.well
    assert "did not start" in done.output


def test_too_long(tmp_path: Path) -> None:
    done = python(HANGS, tmp_path, seconds=3)
    assert done.stopped == "timeout"
    assert gone(started(tmp_path))


def test_cancelled_ends_all_that_was_started(tmp_path: Path) -> None:
    done = python(HANGS, tmp_path, cancelled=(tmp_path / "pids").exists)
    assert done.stopped == "cancelled"
    assert gone(started(tmp_path))


def test_interrupted_while_waiting(tmp_path: Path) -> None:
    def interrupt() -> bool:
        if (tmp_path / "pids").exists():
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        python(HANGS, tmp_path, cancelled=interrupt)
    assert gone(started(tmp_path))


@pytest.mark.skipif(os.name == "nt", reason="nothing tells a process there to end")
def test_told_to_end_while_waiting(tmp_path: Path) -> None:
    program = f"""\
from pathlib import Path
from tests.compile import test_job
test_job.python(test_job.HANGS, Path({str(tmp_path)!r}))
"""
    with psutil.Popen([sys.executable, "-c", program]) as waiting:
        while not (tmp_path / "pids").exists():
            time.sleep(0.05)
        waiting.terminate()
    assert waiting.returncode
    assert gone(started(tmp_path))


def test_output_without_end(tmp_path: Path) -> None:
    done = python("while True: print('x' * 10_000)", tmp_path)
    assert done.stopped == "output"
    assert len(done.output) <= 16 << 20


def test_it_is_nice_and_has_a_folder_of_its_own(tmp_path: Path) -> None:
    wait = "import os, time; time.sleep(0.3); print(os.nice(0), os.getcwd(), os.getpgid(0))"
    nice, cwd, group = python(wait, tmp_path).output.split()
    assert int(nice) >= 10
    assert cwd == os.path.realpath(tmp_path)
    assert int(group) != os.getpgid(0)


@pytest.mark.skipif(sys.platform != "linux", reason="limits are set from outside on Linux alone")
def test_memory_is_bounded(tmp_path: Path) -> None:
    wait = "import resource, time; time.sleep(0.3); print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    assert 0 < int(python(wait, tmp_path).output) <= 16 << 30


def test_no_variables_but_those_that_are_given(tmp_path: Path) -> None:
    names = python("import os; print(*os.environ)", tmp_path).output.split()
    assert set(names) <= {*VARIABLES, "LC_CTYPE"}


def test_several_at_once(tmp_path: Path) -> None:
    """Each has its own folder, so they do not meet."""
    said: dict[int, str] = {}

    def one(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        said[number] = python(f"print({number})", folder).output.strip()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == {0: "0", 1: "1", 2: "2"}
