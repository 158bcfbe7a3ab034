"""Whatever lies in a folder: no crash, no traceback, a clear word where one is due."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.support import ROOT, occupancy

KERNEL = b"__global__ void __launch_bounds__(256, 4) scale(float *x) { x[threadIdx.x] *= 2; }\n"
COMMANDS = ("check", "kernels", "doctor")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 1000,
        KERNEL.replace(b"scale", b"sc\0ale"),
        KERNEL.replace(b"float", b"\xff\xfe\xf0float"),
        b"/* \xc3( */ " + KERNEL,
        b"\xef\xbb\xbf" + KERNEL,
        KERNEL[:45],
        b"{" * 3000 + KERNEL,
        KERNEL.replace(b"\n", b"\r"),
        b"__global__ " * 50_000,
    ],
    ids=["empty", "nul", "nul-in-name", "no-utf8", "cut-utf8", "bom", "half", "braces", "old-mac", "repeated"],
)
def test_any_content(tmp_path: Path, command: str, content: bytes) -> None:
    (tmp_path / "a.cu").write_bytes(content)
    assert occupancy(command, tmp_path).status == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_line_of_five_megabytes(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.cu").write_bytes(b"x = 1; " * (5 << 20 >> 3) + KERNEL)
    done = occupancy(command, tmp_path)
    assert done.status == 0
    assert "larger than 2 MB" in done.out + done.err


def test_a_long_line_is_cut_around_the_finding(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"int x = 1; " * 1000 + KERNEL.replace(b"4", b"9"))
    done = occupancy("check", "--hints", tmp_path)
    assert done.status == 1
    assert max(map(len, done.out.splitlines())) < 250
    mark = next(line for line in done.out.splitlines() if line.strip(" |~") == "^")
    source = done.out.splitlines()[done.out.splitlines().index(mark) - 1]
    assert source[mark.index("^")] == "9"


def test_what_a_terminal_would_obey_is_not_passed_on(tmp_path: Path) -> None:
    (tmp_path / "\x1b]0;owned\x07.cu").write_bytes(b"/* \x1b[2J \xe2\x80\xae */ " + KERNEL.replace(b"4", b"9"))
    done = occupancy("check", "--hints", tmp_path)
    assert done.status == 1
    assert "\x1b" not in done.out and "\x07" not in done.out and "\u202e" not in done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_no_such_path(tmp_path: Path, command: str) -> None:
    done = occupancy(command, tmp_path / "missing.cu")
    assert done.status == 2
    assert done.err == f"occupancy-lsp: error: {tmp_path}/missing.cu: no such file or folder.\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_folders_named_like_sources_and_things_that_are_no_files(tmp_path: Path, command: str) -> None:
    (tmp_path / "folder.cu").mkdir()
    (tmp_path / "folder.cu" / "inner.cu").write_bytes(KERNEL)
    (tmp_path / "lost.cu").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.cu")
    (tmp_path / "loop").symlink_to(tmp_path)
    done = occupancy(command, tmp_path)
    assert done.status == (0 if command == "doctor" else 2)
    said = done.out + done.err
    assert "inner.cu" in said or "1 kernel in 1 file" in said
    assert "pipe.cu: not read: not a regular file" in said
    assert "lost.cu: not read: a link that leads to no file" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_links_that_lead_nowhere_are_told_once_and_are_no_fault(tmp_path: Path, command: str) -> None:
    (tmp_path / "inner.cu").write_bytes(KERNEL)
    for name in ("lost.cu", "lost2.cu"):
        (tmp_path / name).symlink_to(tmp_path / "nowhere")
    (tmp_path / "self.cu").symlink_to("self.cu")
    done = occupancy(command, tmp_path)
    assert done.status == 0
    said = done.out + done.err
    assert "lost.cu: not read: a link that leads to no file, like 2 more" in said
    assert said.count("leads to no file") == 1
    assert command == "doctor" or occupancy(command, tmp_path / "lost.cu").status == 2  # that was asked for


def test_hidden_folders_are_left_out(tmp_path: Path) -> None:
    for folder in (".git", ".cache", "src"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.cu").write_bytes(KERNEL)
    assert "1 kernel in 1 file" in occupancy("check", tmp_path).out
    assert "1 kernel in 1 file" in occupancy("check", tmp_path, tmp_path / "src" / "a.cu").out


def test_another_language_and_generated_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing to see")
    (tmp_path / "a.cu").write_bytes(b"// @generated\n" + KERNEL)
    done = occupancy("check", "notes.txt", "a.cu", "--format", "json", cwd=tmp_path)
    assert done.status == 0
    assert [file["skipped"] for file in json.loads(done.out)["files"]] == ["generated, or without kernels"] * 2


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("devices: [h100\n", ".occupancy.yaml:"),
        ("devices: [h10]\n", "unknown device 'h10'; nearest: h100"),
        ("device: h100\n", "did you mean 'devices'?"),
        ("&a [*a]\n", ".occupancy.yaml:"),
    ],
)
def test_broken_settings(tmp_path: Path, settings: str, said: str) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    (tmp_path / ".occupancy.yaml").write_text(settings)
    done = occupancy("check", ".", cwd=tmp_path)
    assert done.status == 2
    assert said in done.out
    assert "1 kernel in 1 file" in done.out
    assert said in occupancy("doctor", ".", cwd=tmp_path).out


def test_a_broken_sidecar_is_told_and_the_rest_counts(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    (tmp_path / "a.cu.occupancy.yaml").write_text("kernels:\n  scale: {registers: many}\n")
    (tmp_path / "b.occupancy.yaml").mkdir()
    done = occupancy("check", ".", cwd=tmp_path)
    assert done.status == 0
    assert "a.cu.occupancy.yaml:2:" in done.out
    assert "b.occupancy.yaml: not read: a folder" in done.out


def _alias_bomb() -> str:
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 50)}]" for i in range(1, 30)]
    return "\n".join([*lines, "kernels: {scale: *a29}", ""])


@pytest.mark.skipif(os.name == "nt", reason="limits of memory are the system's own there")
def test_build_results_made_to_do_harm(tmp_path: Path) -> None:
    """Within 1 GiB of memory, with nothing run and nothing followed out of the folder."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "build").mkdir(parents=True)
    outside.mkdir()
    (root / "a.cu").write_bytes(KERNEL)
    for name in ("build/huge.cubin", "build/huge.o"):
        with open(root / name, "wb") as stream:
            stream.write(b"\x7fELF\x02\x01\x01" + b"\0" * 11 + b"\xbe\0")
            stream.truncate(2 << 30)
    (root / "bomb.occupancy.yaml").write_text(_alias_bomb())
    header = bytearray(b"\x7fELF\x02\x01\x01" + b"\0" * 57)
    header[18:20], header[40:48], header[58:64] = b"\xbe\0", (0).to_bytes(8, "little"), b"\x40\0\xff\xff\x01\0"
    (root / "build" / "cyclic.cubin").write_bytes(bytes(header))  # its sections lie in its own header
    canary = outside / "canary"
    script = root / "build" / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {canary}\n")
    script.chmod(0o755)
    entry = {
        "directory": str(outside),
        "file": str(root / "a.cu"),
        "command": f"{script} -o {outside}/x.o; touch {canary}",
    }
    (root / "compile_commands.json").write_text(json.dumps([entry]))
    (outside / "ptxas.log").write_text("ptxas info    : Compiling entry function 'scale' for 'sm_90'\n")
    (root / "build" / "ptxas.log").symlink_to(outside / "ptxas.log")
    (root / "build" / "up").symlink_to(outside)
    command = [sys.executable, "-m", "occupancy_lsp", "doctor", "."]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, preexec_fn=_in_a_gibibyte)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "huge.cubin: not read: larger than 64 MiB" in done.stdout
    assert "huge.o: not read: larger than 64 MiB" in done.stdout
    assert "bomb.occupancy.yaml" in done.stdout
    assert "scale: not known" in done.stdout
    assert not canary.exists() and os.listdir(outside) == ["ptxas.log"]


def _in_a_gibibyte() -> None:
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def test_no_link_is_followed_out_of_the_folder(tmp_path: Path) -> None:
    """Nor by what is read beside the sources: headers, build files, dependency files, counts."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    (outside / "cmake").mkdir(parents=True)
    inside.mkdir()
    (outside / "secret.cu").write_bytes(KERNEL.replace(b"scale", b"secret"))
    (outside / "size.h").write_text("#define SIZE 64\n")
    (outside / "Makefile").write_text("CXXFLAGS = -DTHREADS=512\n")
    (outside / "k.ptxas.log").write_text("secret\n")
    for name in ("secret.cu", "size.h", "Makefile", "k.ptxas.log", "cmake"):
        (inside / name).symlink_to(outside / name)
    (inside / "folder").symlink_to(outside, target_is_directory=True)
    (inside / "a.cu").write_bytes(
        b'#include "size.h"\n#include "../outside/size.h"\n#include "folder/size.h"\n__global__ void a(float *x) {'
        b"__shared__ float t[SIZE]; x[0] = t[0] = 1; }\nvoid h(float *x) { a<<<1, THREADS>>>(x); }\n"
    )
    (inside / "again.cu").symlink_to("a.cu")
    done = occupancy("check", "inside", "--hints", cwd=tmp_path)
    assert "inside/secret.cu: not read: a link out of the folder" in done.out
    assert "2 kernels in 2 files" in done.out and done.status == 2
    said = occupancy("kernels", "inside", cwd=tmp_path)
    assert "secret(" not in said.out and "SIZE" in said.out and "THREADS" in said.out
    assert "secret" in occupancy("kernels", "inside/secret.cu", cwd=tmp_path).out


STREAMS = {
    ">/dev/full": "standard output: No space left on device.",
    "| head -c 0": "standard output was closed before everything was written.",
    ">&-": "standard output is closed.",
    ">/dev/full 2>/dev/full": "",
    "2>&1 | head -c 0": "",
}
SAYING = ("check examples", "kernels examples", "doctor examples", "devices", "explain OCC001", "--help", "calc --help",
          "calc --device h100 --block 256")  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
@pytest.mark.parametrize(
    ("streams", "command"), [(it, SAYING[0]) for it in STREAMS] + [(">/dev/full", it) for it in SAYING[1:]]
)
def test_output_that_cannot_be_written(streams: str, command: str) -> None:
    script = f"{sys.executable} -m occupancy_lsp {command} {streams}; exit ${{PIPESTATUS[0]}}"
    environment = {key: it for key, it in os.environ.items() if key != "PYTHONUNBUFFERED"}
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, env=environment)
    said = STREAMS[streams]
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"occupancy-lsp: error: {said}\n" if said else "")


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be deleted there")
@pytest.mark.parametrize("command", ["check .", "devices"])
def test_a_deleted_folder(tmp_path: Path, command: str) -> None:
    """`-c` and no module: the interpreter itself would look for that in the folder."""
    (tmp_path / "gone").mkdir()
    program = "import sys; from occupancy_lsp.cli.main import main; sys.exit(main(sys.argv[1:]))"
    script = f"cd '{tmp_path}/gone' && rmdir ../gone && exec '{sys.executable}' -c '{program}' {command}"
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "occupancy-lsp: error: the current folder cannot be used: No such file or directory.\n"


@pytest.mark.skipif(os.name == "nt", reason="the shell is another there")
def test_streams_that_are_missing() -> None:
    """Where nothing can be read, nothing was asked; what is said of faults does not mix with the findings."""
    tool = f"'{sys.executable}' -m occupancy_lsp"
    script = f"{tool} calc --jsonl <&- && ! {tool} kernels /dev/null 2>&-"
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there one process does it, unless processes are forked")
@pytest.mark.parametrize("method", ["spawn", "forkserver"] if os.name != "nt" else ["spawn"])
def test_no_module_of_the_checked_folder_is_imported(tmp_path: Path, method: str) -> None:
    """By processes that are started anew, as they are on macOS, on Windows and since Python 3.14."""
    inside = tmp_path / "inside"
    inside.mkdir()
    for name in ("multiprocessing", "occupancy_lsp", "threading", "pickle", "signal"):
        (inside / f"{name}.py").write_text(f"open({str(tmp_path / 'pwned')!r}, 'w')\n")
    for number in range(60):
        (inside / f"{number}.cu").write_bytes(KERNEL)
    start = tmp_path / "start.py"
    start.write_text(
        "import multiprocessing, sys\nfrom occupancy_lsp.cli.main import main\n"
        "if __name__ == '__main__':\n"
        f"    multiprocessing.set_start_method({method!r})\n    sys.exit(main(sys.argv[1:]))\n"
    )
    done = occupancy("check", ".", "--jobs", "2", cwd=inside, start=(sys.executable, str(start)), PYTHONPATH=str(ROOT))
    assert done.status == 0 and "60 kernels in 60 files" in done.out, done.err
    assert not (tmp_path / "pwned").exists()
