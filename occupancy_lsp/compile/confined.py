"""Starts a compiler with as little in sight as it can work with: the files and the variables that it needs.

Linux confines it (`landlock.py`); elsewhere it sees the user's files. It is a second line of defence: what a workspace
says picks among harmless arguments anyway.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from occupancy_lsp.compile import job
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.toolchains import Machine, Toolchain, host_compiler, is_inside, named_host
from occupancy_lsp.core.files import VERSION_CONTROL

_CONFINES = sys.platform == "linux" and bool(sys.executable)
_OURS = Path(__file__).parent
_LAUNCHER = (sys.executable, "-I", "-S", str(_OURS / "landlock.py"))
# Of the system: programs and what they load. Nothing that is a user's own.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_TEMPORARY = ("TMPDIR", "TMP", "TEMP", "ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")
_HOMES = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")

# All else stays out: what adds arguments, names programs and plug-ins, or is secret.
_HEADERS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_KITS = ("CUDA_PATH", "CUDA_HOME", "ROCM_PATH", "HIP_PATH")
_LIBRARIES = "LD_LIBRARY_PATH"
_OF_MACOS = ("SDKROOT", "DEVELOPER_DIR")
_OF_WINDOWS = (
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "OS", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS",
    "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)", "PROGRAMDATA",
    "ALLUSERSPROFILE", "INCLUDE", "EXTERNAL_INCLUDE", "LIB", "LIBPATH", "VSINSTALLDIR", "VCINSTALLDIR",
    "VCTOOLSINSTALLDIR", "VCTOOLSVERSION", "VISUALSTUDIOVERSION", "WINDOWSSDKDIR", "WINDOWSSDKVERSION",
    "UNIVERSALCRTSDKDIR", "UCRTVERSION",
)  # fmt: skip
_KEPT = frozenset((*_HEADERS, *_KITS, *_OF_MACOS, *_OF_WINDOWS))


def run(tool: Toolchain, request: Request, arguments: Sequence[str], folder: Path) -> job.Done:
    """`folder`: private; the compiler works there and can write nowhere else. Never raises."""
    confined = [*_LAUNCHER, *_options(tool, request, folder), "--"] if _CONFINES else []
    variables = environment(os.environ, folder, tool.search, request.root)
    seconds = min(job.MOST_SECONDS, request.until - time.monotonic())
    return job.run([*confined, *tool.start, *arguments], folder, variables, request.cancelled, seconds)


def environment(own: Mapping[str, str], folder: Path, search: Sequence[str], root: Path) -> dict[str, str]:
    """The variables for a compiler: of `own`, those that say where the machine keeps what it needs."""
    kept = {name: value for name, value in own.items() if name.upper() in _KEPT}
    if libraries := [it for it in own.get(_LIBRARIES, "").split(os.pathsep) if _is_outside(it, root)]:
        kept[_LIBRARIES] = os.pathsep.join(libraries)
    if host := named_host(Machine(own, (), ()), root):
        kept["NVCC_CCBIN"] = host
    # Messages are read: they must be in English.
    ours = {**dict.fromkeys((*_TEMPORARY, *_HOMES), str(folder)), "PATH": os.pathsep.join(search), "LC_ALL": "C"}
    return {**kept, **ours}


def _is_outside(path: str, root: Path) -> bool:
    return os.path.isabs(path) and not is_inside(path, root)


def _options(tool: Toolchain, request: Request, folder: Path) -> Iterator[str]:
    for it in (*_SYSTEM, *_programs(tool, request.root)):
        yield from ("run", it)
    for it in (*_SETTINGS, str(_OURS), *_sources(request)):
        yield from ("read", it)
    for it in _DEVICES:
        yield from ("device", it)
    # PTX that is kept beside it is compiled on.
    yield from ("read", str(folder.parent), "write", str(folder))


def _programs(tool: Toolchain, root: Path) -> Iterator[str]:
    """Where the compiler lies, the host's compiler that it starts, and the libraries of both."""
    host = host_compiler(Machine(os.environ, (), ()), root)
    kits = [kit for it in (tool.start[0], host) if it for path in (it, os.path.realpath(it)) for kit in _kit(path)]
    named = [part for name in (*_KITS, _LIBRARIES) for part in os.environ.get(name, "").split(os.pathsep)]
    yield from (it for it in (*kits, *named) if _is_outside(it, root) and not _holds_home(it))


def _kit(program: str) -> Iterator[str]:
    folder = program if os.path.isdir(program) else os.path.dirname(program)
    yield folder
    if os.path.basename(folder) == "bin":
        yield os.path.dirname(folder)


def _sources(request: Request) -> Iterator[str]:
    """The workspace, all of the project that it is a part of, and what the arguments name outside."""
    yield from map(str, (request.root, request.path.parent))
    above = (str(it) for it in request.root.parents)
    projects = [it for it in above if any(os.path.exists(os.path.join(it, name)) for name in VERSION_CONTROL)]
    headers = [part for name in _HEADERS for part in os.environ.get(name, "").split(os.pathsep)]
    named = [str(folder) for _, folder in request.arguments.folders]
    beside = [str(it.parent) for it in request.arguments.files]
    every = (*projects, *headers, *named, *beside)
    yield from (it for it in every if os.path.isabs(it) and not _holds_home(it))


def _holds_home(path: str) -> bool:
    """Whether all of the user's files lie below it."""
    home, real = os.path.realpath(os.path.expanduser("~")), os.path.realpath(path)
    return os.path.commonpath([home, real]) == real


@cache
def confinement() -> str:
    """How compilers are confined on this machine, for people."""
    if not _CONFINES:
        return "not confined (that is done on Linux only)"
    said = subprocess.run([*_LAUNCHER, "--"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    version, _, network = said.stdout.strip().partition(" ")
    if said.returncode or not version.isdecimal():
        return "not confined: the program that does it did not start"
    files = f"files by Landlock {version}" if version != "0" else "files not, for this kernel has no Landlock"
    networks = {"empty": "no network", "tcp": "no TCP", "open": "network not, for this kernel lets nobody leave it"}
    return f"{files}; {networks[network]}"
