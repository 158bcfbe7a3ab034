"""Truth from nvcc: hundreds of programs as one translation unit, and its host code run."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.compilers import nvcc

from .sketch import Program
from .truth import KernelTruth, LaunchTruth, Truth

RUNTIME = Path(__file__).with_name("runtime.cpp")
TARGET = "sm_90"
_SECONDS = 20  # for the host code of a batch
_OF = re.compile(r"\bp(\d+)\.\w+|_p(\d+)\b")  # a file or a name of a program, in what a compiler complains of
_MANGLED = re.compile(r"_p(\d+)(?!\d)")


class Missing(Exception):
    """A program that this needs and the machine lacks."""


def truths(programs: Sequence[Program]) -> dict[int, Truth]:
    """By number. One that does not compile has the reason."""
    with TemporaryDirectory(prefix="differential-") as folder:
        found = dict(_compiled(list(programs), Path(folder)))
    return {it.number: found.get(it.number, Truth(failed="nothing is said of it")) for it in programs}


@cache
def _compiler() -> tuple[str, ...]:
    try:
        start = nvcc()
    except StopIteration:
        raise Missing("nvcc is not found: install CUDA 13 or the package nvidia-cuda-nvcc.") from None
    for name in ("g++", "c++filt"):
        if shutil.which(name) is None:
            raise Missing(f"{name} is not found: nvcc needs GCC and binutils.")
    return start


def _compiled(programs: list[Program], folder: Path) -> Iterator[tuple[int, Truth]]:
    """Those that do not compile are left out, until the rest does."""
    for it in programs:
        for name, text in it.files.items():
            (folder / name).write_text(text)
    while programs:
        faults, said = _built(programs, folder)
        if faults is None:
            yield from _read(programs, folder, said)
            return
        left = [it for it in programs if it.number not in faults]
        if len(left) == len(programs):  # it names none
            if len(programs) == 1:
                yield programs[0].number, Truth(failed=said[-500:])
                return
            half = len(programs) // 2
            yield from _compiled(programs[:half], folder)
            yield from _compiled(programs[half:], folder)
            return
        yield from ((number, Truth(failed=why)) for number, why in faults.items())
        programs = left


def _built(programs: Sequence[Program], folder: Path) -> tuple[dict[int, str] | None, str]:
    """What does not compile, by the program, None where all does; and all that was said."""
    calls = "".join(f"    if (first <= {at}) start({at}), {it.entry}();\n" for at, it in enumerate(programs))
    includes = "".join(f'#include "{it.main}"\n' for it in programs)
    head = "#include <cstdio>\n#include <cstdlib>\n"
    start = 'static void start(int at) { std::printf("PROGRAM %d\\n", at); std::fflush(stdout); }\n'
    main = f"int main(int, char **given) {{\n    int first = std::atoi(given[1]);\n{calls}}}\n"
    (folder / "batch.cu").write_text(head + includes + start + main)
    options = [*_compiler(), "-std=c++20", f"-arch={TARGET}", "--expt-relaxed-constexpr", "-w"]
    command = [*options, "-Xptxas", "-v", "-keep", "-keep-dir", str(folder), "-c", "batch.cu", "-o", "batch.o"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode:
        return _faults(said, programs), said
    linked = subprocess.run(
        ["g++", "batch.o", str(_runtime()), "-o", "batch"], cwd=folder, capture_output=True, text=True
    )
    return (_faults(linked.stderr, programs), linked.stderr) if linked.returncode else (None, said)


@cache
def _runtime() -> Path:
    """The object; kept as long as this process runs."""
    folder = TemporaryDirectory(prefix="differential-runtime-")
    _kept.append(folder)
    made = Path(folder.name) / "runtime.o"
    subprocess.run(["g++", "-O1", "-c", str(RUNTIME), "-o", str(made)], check=True)
    return made


_kept: list[TemporaryDirectory[str]] = []


def _faults(said: str, programs: Sequence[Program]) -> dict[int, str]:
    numbers = {it.number for it in programs}
    found: dict[int, str] = {}
    for line in said.splitlines():
        if re.search(r"\berror\b|undefined reference|multiple definition", line):
            for it in _OF.finditer(line):
                if (number := int(it[1] or it[2])) in numbers:
                    found.setdefault(number, line.strip())
                    break
    return found


def _read(programs: Sequence[Program], folder: Path, said: str) -> Iterator[tuple[int, Truth]]:
    ptx = next(folder.glob("*.ptx")).read_text()
    used = {it[1]: it for it in _USED.finditer(said)}
    launches = list(_launches(programs, folder))
    directives = {it[1]: it[2] for it in _ENTRY.finditer(ptx)}
    plain = _demangled([*directives, *(it[1] for it in launches if it[0] >= 0)])
    kernels: dict[int, list[KernelTruth]] = defaultdict(list)
    for mangled, bounds in directives.items():
        kernels[_number(mangled)].append(_kernel(plain[mangled], bounds, used[mangled]))
    ran: dict[int, list[LaunchTruth]] = defaultdict(list)
    for number, mangled, site, block, dynamic in launches:
        if number < 0:
            continue
        ran[number].append(LaunchTruth(split_name(plain[mangled])[0], site, block, dynamic))
    broken = {number for number, *_ in launches if number < 0}
    for it in programs:
        yield (
            it.number,
            Truth(kernels[it.number], ran[it.number], "its host code fails" if ~it.number in broken else ""),
        )


_USED = re.compile(r"Compiling entry function '(\w+)'.*?Used (\d+) registers(?:, used (\d+) barriers)?([^\n]*)", re.S)
_ENTRY = re.compile(r"\.entry (\w+)\(.*?\)\s*(.*?)\{", re.S)


def _number(mangled: str) -> int:
    found = _MANGLED.search(mangled)
    return int(found[1]) if found else -1


def _kernel(plain: str, bounds: str, used: re.Match[str]) -> KernelTruth:
    name, arguments = split_name(plain)
    smem = re.search(r"(\d+) bytes smem", used[4])
    return KernelTruth(
        name,
        arguments,
        int(smem[1]) if smem else 0,
        int(used[3] or 0),
        int(used[2]),
        _directive("maxntid", bounds),
        _directive("minnctapersm", bounds),
        _directive("maxnreg", bounds),
        _directive("reqntid", bounds),
        _directive("maxclusterrank", bounds),
    )


def _directive(name: str, of: str) -> int | None:
    found = re.search(rf"\.{name} ([\d, ]+)", of)
    if not found:
        return None
    product = 1
    for it in found[1].split(","):
        product *= int(it)
    return product


Launch = tuple[int, str, int, tuple[int, int, int], int]


def _launches(programs: Sequence[Program], folder: Path) -> Iterator[Launch]:
    """Of each program's run. One whose code fails is told as its number's complement, and the next goes on."""
    first = 0
    while first < len(programs):
        try:
            done = subprocess.run([str(folder / "batch"), str(first)], capture_output=True, text=True, timeout=_SECONDS)
            said, fine = done.stdout, not done.returncode
        except subprocess.TimeoutExpired as late:
            said, fine = (late.stdout or b"").decode(), False
        at = first
        for line in said.splitlines():
            word, *rest = line.split()
            if word == "PROGRAM":
                at = int(rest[0])
            elif word == "LAUNCH":
                kernel, site, x, y, z, dynamic = rest
                yield programs[at].number, kernel, int(site), (int(x), int(y), int(z)), int(dynamic)
        if fine:
            return
        yield ~programs[at].number, "", 0, (0, 0, 0), 0
        first = at + 1


def _demangled(names: Sequence[str]) -> dict[str, str]:
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines(), strict=True)) if names else {}


def split_name(plain: str) -> tuple[str, str]:
    """`void a::k<2, int>(float*)` as `a::k` and `2, int`."""
    plain = plain.replace("(anonymous namespace)::", "")
    depth, end, opened = 0, len(plain), -1
    for at, letter in enumerate(plain):
        if letter == "<":
            if depth == 0:
                opened = at
            depth += 1
        elif letter == ">":
            depth -= 1
        elif letter == "(" and depth == 0:
            end = at
            break
    head = plain[:end]
    if opened >= 0 and head.endswith(">"):
        return head[:opened].split(" ")[-1], head[opened + 1 : -1]
    return head.split(" ")[-1], ""
