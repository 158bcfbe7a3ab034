"""What a compiler's process can reach: a program in its place tries, and real compilers work nevertheless."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from occupancy_lsp.compile import confined
from occupancy_lsp.compile.arguments import read_arguments
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.toolchains import Toolchain, search_path
from occupancy_lsp.workspace.compile_commands import Command
from tests.compilers import HERE, WHEELS
from tests.presets import CATALOGUE

from .conftest import Compile

if sys.platform == "linux":
    from occupancy_lsp.compile import landlock

    VERSION = landlock.version()
else:
    VERSION = 0
SAYS = confined.confinement()
confines = pytest.mark.skipif(VERSION < 4, reason=f"the kernel has Landlock {VERSION}, and 4 is needed: {SAYS}")
PYTHON = os.path.realpath(sys.executable)
# Tries each thing by itself, and tells which of them went well.
TRIES = """\
import json, os, socket, subprocess, sys
def read(path): open(path).read()
def write(path): open(path, "w").write("x")
def start(path): subprocess.run([path], check=True)
def tcp(port): socket.create_connection(("127.0.0.1", int(port)), 5)
def bind(port): socket.socket().bind(("127.0.0.1", 0))
def udp(port): socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", int(port)))
def abstract(name): socket.socket(socket.AF_UNIX).connect(chr(0) + name)
done = []
for what, value in json.loads(sys.argv[1]):
    try:
        globals()[what](value)
        done.append([what, value])
    except OSError:
        pass
print(json.dumps(done))
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a secret, and around the workspace."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "id").write_text("secret")
    return tmp_path


@pytest.fixture
def listeners() -> Iterator[tuple[str, str]]:
    """A port of this machine where somebody listens, and the name of a socket without a file."""
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        name = f"occupancy-lsp-{os.getpid()}"
        unix.bind(f"\0{name}")
        unix.listen()
        yield str(tcp.getsockname()[1]), name


def request(workspace: Path, *arguments: str) -> Request:
    said = read_arguments(Command(str(workspace), ("nvcc", *arguments)), lambda path: None)
    return Request(workspace / "k.cu", "cuda", CATALOGUE.find("sm_90"), workspace, said, None)


def tries(workspace: Path, folder: Path, what: list[tuple[str, str]], *arguments: str) -> list[tuple[str, str]]:
    """What of it a program in a compiler's place can do."""
    tool = Toolchain("nvcc", (PYTHON, "-I", "-S", "-c", TRIES), search_path(HERE, workspace))
    done = confined.run(tool, request(workspace, *arguments), [json.dumps(what)], folder)
    assert done.well, done.output
    return [(name, value) for name, value in json.loads(done.output)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "store" / "job"
    made.mkdir(parents=True)
    return made


@confines
def test_what_it_can_do(workspace: Path, home: Path, folder: Path) -> None:
    (workspace / "a.h").write_text("")
    (folder.parent / "kept.ptx").write_text("")
    outside = home / "other" / "include"
    outside.mkdir(parents=True)
    (outside / "b.h").write_text("")
    named = ["-I", str(outside), "-include", str(outside / "b.h")]
    reads = [("read", str(it)) for it in (workspace / "a.h", folder.parent / "kept.ptx", outside / "b.h", "/dev/null")]
    what = [*reads, ("write", str(folder / "x")), ("write", "/dev/null"), ("start", "/bin/true")]
    assert tries(workspace, folder, what, *named) == what


@confines
@pytest.mark.parametrize("named", [[], ["-I", "HOME"], ["-isystem", "/"], ["-include", "HOME/x.h"], ["-I", "HOME/.."]])
def test_what_it_cannot_do(
    workspace: Path, home: Path, folder: Path, listeners: tuple[str, str], named: list[str]
) -> None:
    """The folder of all of the user's files does not become one of headers by being named."""
    program = workspace / "evil.sh"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    port, name = listeners
    secret = home / ".ssh" / "id"
    link = workspace / "link"
    link.symlink_to(secret)
    reads = [("read", str(it)) for it in (secret, link, "/etc/passwd", "/proc/self/environ")]
    writes = [("write", str(it)) for it in (workspace / "x", home / "x", folder.parent / "x", "/dev/shm/x")]
    network = [("tcp", port), ("bind", port)]
    network += [("abstract", name), ("udp", port)] if "no network" in SAYS else []
    what = [*reads, *writes, *network, ("start", str(program))]
    assert tries(workspace, folder, what, *(it.replace("HOME", str(home)) for it in named)) == []
    with open(secret) as file:  # which this process can do
        assert file.read() == "secret"
    socket.create_connection(("127.0.0.1", int(port)), 5).close()


@confines
@pytest.mark.parametrize(
    ("language", "device", "text"),
    [
        ("cuda", "sm_90", '#include <cstdio>\n#include "in/a.h"\n__global__ void k(float* p) { *p = SIZE; }\n'),
        (
            "hip",
            "gfx90a",
            '#include <hip/hip_runtime.h>\n#include "in/a.h"\n__global__ void k(float* p) { *p = SIZE; }\n',
        ),
        ("opencl", "gfx90a", '#include "in/a.h"\n__kernel void k(__global float* p) { *p = SIZE; }\n'),
    ],
)
def test_compilers(
    compile_: Compile,
    workspace: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    device: str,
    text: str,
) -> None:
    """Also those that lie in the user's home; a header that links to a secret is told as unreadable."""
    monkeypatch.setenv("HOME", str(Path(sys.prefix).parent))
    (workspace / "in").mkdir()
    (workspace / "in" / "a.h").write_text("#define SIZE 2\n")
    (workspace / "k.src").write_text(text)
    assert compile_("k.src", device, language=language, machine=WHEELS).usages
    (workspace / "in" / "a.h").unlink()
    (workspace / "in" / "a.h").symlink_to(home / ".ssh" / "id")
    (problem,) = compile_("k.src", device, language=language, machine=WHEELS).problems
    assert "may read the workspace" in problem.message


def test_a_project_around_the_workspace_is_read(workspace: Path) -> None:
    """As `check` of a folder in it: its files include headers above."""
    (workspace / ".git").mkdir()
    inner = workspace / "a" / "b"
    assert ("read", str(workspace)) in options(inner)
    (workspace / ".git").rmdir()
    assert ("read", str(workspace)) not in options(inner)


def options(root: Path) -> list[tuple[str, str]]:
    words = list(confined._options(Toolchain("nvcc", ("/usr/bin/nvcc",), ("/usr/bin",)), request(root), root / "job"))
    return list(zip(words[::2], words[1::2], strict=True))


def test_variables(workspace: Path, folder: Path) -> None:
    """What is kept says where things are; nothing that is secret, adds arguments, or starts what is not ours."""
    own = {
        "CUDA_PATH": "/cuda", "CPATH": "/headers", "LD_LIBRARY_PATH": f"/lib:{workspace}:.:", "HOME": "/home/x",
        "NVCC_CCBIN": str(workspace), "LD_PRELOAD": "x", "GCC_EXEC_PREFIX": "x", "COMPILER_PATH": "x", "PATH": "x",
        "AWS_SECRET_ACCESS_KEY": "x", "SSH_AUTH_SOCK": "x", "CCC_OVERRIDE_OPTIONS": "x", "NVCC_APPEND_FLAGS": "x",
        "CLANG_CONFIG_FILE_USER_DIR": "x", "NVCC_PREPEND_FLAGS": "x", "CL": "x", "_CL_": "x", "ZIG_LIB_DIR": "x",
        "DEPENDENCIES_OUTPUT": "x", "SUNPRO_DEPENDENCIES": "x", "CC_PRINT_OPTIONS_FILE": "x", "GCONV_PATH": "x",
        "CC_LOG_DIAGNOSTICS_FILE": "x", "IGC_ShaderDumpEnable": "1", "PYTHONPATH": "x",
    }  # fmt: skip
    got = confined.environment(own, folder, ("/usr/bin",), workspace)
    assert {name: value for name, value in got.items() if value != str(folder)} == {
        "CUDA_PATH": "/cuda",
        "CPATH": "/headers",
        "LD_LIBRARY_PATH": "/lib",
        "PATH": "/usr/bin",
        "LC_ALL": "C",
    }


@pytest.mark.parametrize(
    ("named", "kept"), [("/usr/bin/gcc", True), ("sh", True), ("./gcc", False), ("bin/gcc", False)]
)
def test_the_hosts_compiler_that_the_user_names(workspace: Path, folder: Path, named: str, kept: bool) -> None:
    own = {"NVCC_CCBIN": named, "PATH": os.environ["PATH"]}
    assert ("NVCC_CCBIN" in confined.environment(own, folder, (), workspace)) is kept


@confines
def test_it_is_said() -> None:
    assert SAYS.startswith(f"files by Landlock {VERSION}; no ")


@pytest.mark.skipif(sys.platform != "linux", reason="it is of Linux")
def test_a_kernel_that_has_neither() -> None:
    """What cannot be confined is started all the same."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(landlock.__file__).parent)!r}); import landlock\n"
        "landlock.version, landlock.leave_network = lambda: 0, lambda: False\n"
        "sys.exit(landlock.main(['read', '/', '--', *sys.argv[1:]]))"
    )
    for program, said in ((["/bin/echo", "here"], "here\n"), ([], "0 open\n")):
        done = subprocess.run([PYTHON, "-I", "-S", "-c", code, *program], capture_output=True, text=True, check=True)
        assert done.stdout == said
    gone = subprocess.run([PYTHON, "-I", "-S", "-c", code, "/gone"], capture_output=True, text=True, check=False)
    assert (gone.returncode, gone.stderr) == (127, "error: /gone did not start: No such file or directory\n")
