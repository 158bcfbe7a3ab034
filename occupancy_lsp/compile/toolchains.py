"""The compilers of this machine: those in the usual places, on the PATH, and in wheels beside this program.

Never one inside the workspace, whoever names it.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.workspace.walk import Folder

_EXE = ".exe" if sys.platform == "win32" else ""
_SYSTEM = (r"C:\Windows\System32",) if sys.platform == "win32" else ("/usr/bin", "/usr/sbin")
_NAMED = "OCCUPANCY_COMPILERS"  # a Python environment with wheels of compilers, as the VS Code extension makes one
# The wheels of CUDA 13 and later share one folder; those before hold no nvcc.
_NVCC = f"nvidia/cu*/bin/nvcc{_EXE}"
_ZIG = f"ziglang/zig{_EXE}"
_HOST = "cl" if sys.platform == "win32" else "gcc"  # what nvcc asks for


@dataclass(frozen=True, slots=True)
class Toolchain:
    """`start`: the program, absolute, and its leading arguments."""

    name: str  # "nvcc", "clang", "ocloc"
    start: tuple[str, ...]
    search: tuple[str, ...]  # the PATH for it, without folders of the workspace
    wheel: bool = False
    headers: tuple[str, ...] = ()  # options for those of C and C++, which a wheel brings along

    @property
    def stamp(self) -> str:
        """Another one for another compiler, as good as surely."""
        status = os.stat(self.start[0])
        return f"{self.start} {status.st_mtime_ns} {status.st_size}"


@dataclass(frozen=True, slots=True)
class Machine:
    """Where to look. `site`: where this Python, and an environment that the user names, keep installed packages.

    `python`: the environment of an interpreter that the user chose for its packages' headers.
    """

    environment: Mapping[str, str]
    site: tuple[Path, ...]
    usual: tuple[Path, ...]  # folders of installed toolkits
    python: Path | None = None

    @classmethod
    def here(cls) -> Machine:
        site = dict.fromkeys(Path(sysconfig.get_path(name)) for name in ("purelib", "platlib"))
        if os.path.isabs(named := os.environ.get(_NAMED, "")):
            patterns = ("lib/python3*/site-packages", "Lib/site-packages")
            site |= dict.fromkeys(it for pattern in patterns for it in sorted(Path(named).glob(pattern)))
        usual = () if sys.platform == "win32" else (Path("/usr/local/cuda"), Path("/opt/rocm"))
        return cls(os.environ, tuple(site), usual)


def search_path(machine: Machine, root: Path | None) -> tuple[str, ...]:
    """The folders of PATH that the workspace cannot have anything in."""
    folders = machine.environment.get("PATH", "").split(os.pathsep)
    return tuple(dict.fromkeys(it for it in folders if os.path.isabs(it) and not is_inside(it, root)))


def find_nvcc(machine: Machine, root: Path | None) -> Iterator[Toolchain]:
    """The user's own before that of the wheels: it is what the project is built with."""
    yield from _on_path("nvcc", "nvcc", machine, root)
    yield from _in_kits("nvcc", "nvcc", [*_named(machine, "CUDA_PATH", "CUDA_HOME"), *machine.usual], machine, root)
    for program in _in_wheels(_NVCC, machine, root):
        yield Toolchain("nvcc", (str(program),), search_path(machine, root), wheel=True)


def find_clang(machine: Machine, root: Path | None) -> Iterator[Toolchain]:
    """ROCm's own, that of the wheels, any other. Not every one can compile for AMD's devices."""
    of_rocm = rocm(machine, root)
    yield from _in_kits("clang", "clang++", [it / "llvm" for it in _kits_of_amd(machine)], machine, root)
    if of_rocm is not None:
        yield from _on_path("clang", "clang++", machine, root)
    for program in _in_wheels(_ZIG, machine, root):
        headers = _headers_of_zig(program.parent / "lib")
        yield Toolchain("clang", (str(program), "clang"), search_path(machine, root), True, headers)
    if of_rocm is None:
        yield from _on_path("clang", "clang++", machine, root)


def _in_wheels(pattern: str, machine: Machine, root: Path | None) -> Iterator[Path]:
    for site in machine.site:
        found = sorted(site.glob(pattern), reverse=True)
        yield from (it for it in found if it.is_file() and not is_inside(str(it), root))


def wheel_advice(extra: str, machine: Machine, root: Path | None) -> str:
    """How to get a compiler by wheels. They may be there, in an environment that the workspace holds."""
    install = f"`pip install occupancy-lsp[{extra}]`"
    if root is None or not any(it.is_dir() and is_inside(str(it), root) for it in machine.site):
        return install
    return f"{install} in an environment outside {root}, in which nothing is run"


def rocm(machine: Machine, root: Path | None) -> Path | None:
    """Where HIP's own headers are installed."""
    kits = [*_kits_of_amd(machine), *([Path("/usr")] if machine.usual else [])]
    found = (it for it in kits if (it / "include" / "hip" / "hip_runtime.h").is_file())
    return next((it for it in found if not is_inside(str(it), root)), None)


def _kits_of_amd(machine: Machine) -> list[Path]:
    return [*_named(machine, "ROCM_PATH", "HIP_PATH"), *machine.usual]


def _headers_of_zig(lib: Path) -> tuple[str, ...]:
    """As `zig c++ -###` gives them to clang; always those of one target, so that every machine counts the same."""
    folders = ("libcxx/include", "libcxxabi/include", "include", *(f"libc/include/{it}" for it in _LIBC))
    found = [word for it in folders for word in ("-isystem", str(lib / it))]
    return ("--target=x86_64-linux-musl", "-nostdinc", "-nostdinc++", *found, *(f"-D_LIBCPP_{it}" for it in _LIBCXX))


_LIBC = ("x86_64-linux-musl", "generic-musl", "x86-linux-any", "any-linux-any")
_HAS = ("THREADS", "MONOTONIC_CLOCK", "TERMINAL", "RANDOM_DEVICE", "LOCALIZATION", "UNICODE", "WIDE_CHARACTERS")
_LIBCXX = (
    *(f"HAS_{it}=1" for it in (*_HAS, "TIME_ZONE_DATABASE", "FILESYSTEM", "MUSL_LIBC")),
    "HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0",
    "ABI_VERSION=1",
    "ABI_NAMESPACE=__1",
    "PSTL_BACKEND_SERIAL",
    "HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
)


def find_ocloc(machine: Machine, root: Path | None) -> Iterator[Toolchain]:
    yield from _on_path("ocloc", "ocloc", machine, root)


def find_tool(name: str, machine: Machine, roots: Iterable[Path]) -> str | None:
    """A program of this name: on the PATH, or where a driver or ROCm puts it; never inside one of the workspaces."""
    folders = [*search_path(machine, None), *(str(kit / "bin") for kit in machine.usual), *_SYSTEM]
    found = (it.start[0] for it in _found(name, name, folders, machine, None))
    return next((it for it in found if not any(is_inside(it, root) for root in roots)), None)


def host_compiler(machine: Machine, root: Path | None) -> str | None:
    """The C++ compiler that nvcc will find: the program, or the folder that the user names."""
    return named_host(machine, root) or shutil.which(_HOST, path=os.pathsep.join(search_path(machine, root)))


def named_host(machine: Machine, root: Path | None) -> str | None:
    """What the user tells nvcc to take, if it is none of the workspace's. Absolute."""
    named = machine.environment.get("NVCC_CCBIN", "")
    if named and not os.path.dirname(named):
        named = shutil.which(named, path=os.pathsep.join(search_path(machine, root))) or ""
    return named if os.path.isabs(named) and not is_inside(named, root) else None


def ranked(found: Iterable[Toolchain], named: str | None) -> list[Toolchain]:
    """With the one first that a project's command names by its full path."""
    every = list(found)
    if named and os.path.isabs(named):
        real = os.path.realpath(named)
        every.sort(key=lambda it: os.path.realpath(it.start[0]) != real)
    return every


def _named(machine: Machine, *variables: str) -> list[Path]:
    values = (machine.environment.get(name, "") for name in variables)
    return [Path(value) for value in values if os.path.isabs(value)]


def _on_path(name: str, program: str, machine: Machine, root: Path | None) -> Iterator[Toolchain]:
    return _found(name, program, search_path(machine, root), machine, root)


def _in_kits(name: str, program: str, kits: Iterable[Path], machine: Machine, root: Path | None) -> Iterator[Toolchain]:
    return _found(name, program, [str(kit / "bin") for kit in kits], machine, root)


def _found(name: str, program: str, folders: Iterable[str], machine: Machine, root: Path | None) -> Iterator[Toolchain]:
    for path in (os.path.join(folder, program + _EXE) for folder in folders):
        if os.path.isfile(path) and os.access(path, os.X_OK) and not is_inside(path, root):
            yield Toolchain(name, (path,), search_path(machine, root))


def is_inside(path: str, root: Path | None) -> bool:
    """Whether the path, or what it is a link to, lies in the root, or is it."""
    if root is None:
        return False
    folder = Folder(root)
    return any(folder.relative(os.path.join(it, "x")) is not None for it in (path, os.path.realpath(path)))
