"""`check` where a person waits: how far it is, each file as it is done, and an end by Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import psutil
import pytest

from tests.cli.support import occupancy
from tests.cli.terminal import at_a_terminal

KERNEL = "__global__ void __launch_bounds__(256, 4) k{0}(float *x) {{ x[threadIdx.x] *= {0}; }}\n"
EACH = 10  # kernels in a file


def write(folder: Path, files: int) -> Path:
    for number in range(files):
        text = "".join(KERNEL.format(number * 100 + it) for it in range(EACH))
        (folder / f"f{number:03}.cu").write_text(text)
    return folder


@pytest.fixture
def many(tmp_path: Path) -> Path:
    return write(tmp_path, 30)


@pytest.mark.parametrize(("jobs", "files"), [("1", 30), ("2", 150)])
def test_it_says_how_far_it_is_and_leaves_no_trace(tmp_path: Path, jobs: str, files: int) -> None:
    """Of so many files that two processes are still at it when somebody looks."""
    many = write(tmp_path, files)
    status, shown, out = at_a_terminal(many, "check", ".", "--hints", "--jobs", jobs, piped=True)
    assert status == 0
    steps = re.findall(rb"\rchecking (\d+) of %d: (f\d{3}\.cu)\x1b\[K" % files, shown)
    assert steps and [int(number) for number, _ in steps] == sorted(int(number) for number, _ in steps)
    assert shown.endswith(b"\r\x1b[K")
    assert out.decode() == occupancy("check", ".", "--hints", cwd=many).out


@pytest.mark.parametrize("env", [{"CI": "true"}, {"TERM": "dumb"}])
def test_where_nobody_watches_nothing_moves(tmp_path: Path, env: dict[str, str]) -> None:
    (tmp_path / "a.cu").write_text(KERNEL.format(1))
    assert b"checking 1 of 1: a.cu" in at_a_terminal(tmp_path, "check", ".", piped=True)[1]
    assert at_a_terminal(tmp_path, "check", ".", piped=True, env=env)[1] == b""
    assert occupancy("check", ".", cwd=tmp_path).err == ""


def test_lines_do_not_mix_with_the_passing_one(many: Path) -> None:
    """Each line of a file begins where the passing one was taken away."""
    _, shown, _ = at_a_terminal(many, "check", ".", "--hints", "--jobs", "1")
    passing = re.compile(rb"\r[^\r\n]*\x1b\[K")
    kept = re.sub(rb"\x1b\[[0-9;]*m", b"", passing.sub(b"", shown)).replace(b"\r\n", b"\n").decode()
    assert kept == occupancy("check", ".", "--hints", cwd=many).out
    assert re.search(rb"\r\x1b\[K\x1b\[1mf000\.cu", shown)


def test_the_passing_line_never_wraps(tmp_path: Path) -> None:
    """A terminal gives an ideograph two columns; a line that wraps could not be taken away."""
    (tmp_path / f"{'核' * 60}.cu").write_text(KERNEL.format(1))
    shown = at_a_terminal(tmp_path, "check", ".", piped=True)[1].decode()
    (line,) = re.findall(r"\r(checking[^\r]*)\x1b\[K", shown)
    assert len(line) + line.count("核") in (78, 79)


def test_a_failure_has_a_line_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL.format(1))
    status, shown, _ = at_a_terminal(tmp_path, "check", ".", "--device", "nonsense", piped=True)
    assert status == 2 and b"checking 1 of 1: a.cu" in shown
    assert shown.split(b"\x1b[K")[-2:-1] == [b"\r"] and shown.split(b"\x1b[K")[-1].startswith(
        b"occupancy-lsp: error: unknown"
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_ends_it_with_what_is_done(tmp_path: Path, jobs: str, form: str) -> None:
    files = 200  # more than are checked before the key arrives, however slow that is
    told: list[int] = []

    def interrupt(shown: bytes, process: int) -> None:
        if re.search(rb"checking (?!1 )", shown) and not told:
            told.append(process)
            os.kill(process, signal.SIGINT)

    status, shown, out = at_a_terminal(
        write(tmp_path, files), "check", ".", "--format", form, "--hints", "--jobs", jobs, piped=True, seen=interrupt
    )
    assert told and status == 130
    said = re.search(rb"interrupted: (\d+) of 200 files were checked\.", shown)
    assert said and b"Traceback" not in shown
    done = int(said[1])
    assert 0 < done < files or jobs == "2"  # the second process may be the first to have done anything
    if form == "json":
        found = json.loads(out)
        assert found["interrupted"] is True
        assert [it["path"] for it in found["files"]] == [f"f{number:03}.cu" for number in range(done)]
    else:
        counted = "1 file" if done == 1 else f"{done} files"
        assert f"{EACH * done} kernels in {counted}" in out.decode()


def test_a_command_for_one_kernel_says_how_far_its_folder_is_read(many: Path) -> None:
    status, shown, out = at_a_terminal(many, "what-if", "f000.cu:k0", "--regs", "40", piped=True)
    assert status == 0 and b"40" in out
    assert re.match(rb"\rreading (?:build results|sources): \d+ of \d+\x1b\[K", shown) and shown.endswith(b"\r\x1b[K")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_where_it_is_killed(tmp_path: Path, how: signal.Signals) -> None:
    left: list[psutil.Process] = []

    def kill(shown: bytes, process: int) -> None:
        if re.search(rb"checking (?!1 )", shown) and not left:
            left.extend(psutil.Process(process).children())
            os.kill(process, how)

    status, _, _ = at_a_terminal(write(tmp_path, 200), "check", ".", "--jobs", "2", piped=True, seen=kill)
    assert status == -how and len(left) == 2
    assert not psutil.wait_procs(left, timeout=30)[1]
