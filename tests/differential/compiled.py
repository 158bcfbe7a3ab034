"""Truth of many programs at a time: one translation unit of hundreds, compiled for the device and run on the host."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from .sketch import Program
from .truth import KernelTruth, LaunchTruth, Truth

_SECONDS = 20  # for the host code of a batch
_OF = re.compile(r"\bp(\d+)(?:_[ab])?\.\w+|_p(\d+)\b")  # a file or a name of a program, in what a compiler complains of
_NAMED = re.compile(r"_p(\d+)(?!\d)")


class Missing(Exception):
    """A program that this needs and the machine lacks."""


class NotCompiled(Exception):
    """What the compiler says."""


class Compiler(Protocol):
    suffix: str  # of sources
    runs: bool  # whether `compile` makes a program, `batch`, of the host's code

    def compile(self, folder: Path) -> str:
        """Compile `batch.SUFFIX` there, and return what is said. Raises Missing and NotCompiled."""

    def kernels(self, folder: Path, said: str) -> dict[str, KernelTruth]:
        """What was compiled, by the mangled name; `name` and `arguments` are left empty."""


def truths(programs: Sequence[Program], compiler: Compiler) -> dict[int, Truth]:
    """By number. One that does not compile has the reason."""
    with TemporaryDirectory(prefix="differential-") as folder:
        found = dict(_compiled(list(programs), Path(folder), compiler))
    return {it.number: found.get(it.number, Truth(failed="nothing is said of it")) for it in programs}


def _compiled(programs: list[Program], folder: Path, compiler: Compiler) -> Iterator[tuple[int, Truth]]:
    """Those that do not compile are left out, until the rest does."""
    for it in programs:
        for name, text in it.files.items():
            (folder / name).write_text(text)
    while programs:
        (folder / f"batch{compiler.suffix}").write_text(_batch(programs, compiler.runs))
        try:
            said = compiler.compile(folder)
        except NotCompiled as it:
            faults = _faults(str(it), programs)
            yield from ((number, Truth(failed=why)) for number, why in faults.items())
            if not faults and len(programs) == 1:
                yield programs[0].number, Truth(failed=str(it)[-500:])
                return
            if not faults:  # it names none
                half = len(programs) // 2
                yield from _compiled(programs[:half], folder, compiler)
                yield from _compiled(programs[half:], folder, compiler)
                return
            programs = [it for it in programs if it.number not in faults]
        else:
            yield from _read(programs, folder, compiler, said)
            return


def _batch(programs: Sequence[Program], runs: bool) -> str:
    includes = "".join(f'#include "{name}"\n' for it in programs for name in it.compiled)
    if not runs:
        return includes
    head = "#include <cstdio>\n#include <cstdlib>\n#include <initializer_list>\n"
    start = 'static void start(int at) { std::printf("PROGRAM %d\\n", at); std::fflush(stdout); }\n'
    calls = "".join(f"    if (first <= {at}) start({at}), {it.entry}();\n" for at, it in enumerate(programs))
    return f"{head}{includes}{start}int main(int, char **given) {{\n    int first = std::atoi(given[1]);\n{calls}}}\n"


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


def _read(programs: Sequence[Program], folder: Path, compiler: Compiler, said: str) -> Iterator[tuple[int, Truth]]:
    compiled = compiler.kernels(folder, said)
    launches = list(_launches(programs, folder)) if compiler.runs else []
    plain = demangled([*compiled, *(it[1] for it in launches if it[1])])
    kernels: dict[int, list[KernelTruth]] = defaultdict(list)
    for it in named(compiled, plain):
        kernels[_number(it.name)].append(it)
    ran: dict[int, list[LaunchTruth]] = defaultdict(list)
    broken = set()
    for number, mangled, site, block, dynamic in launches:
        if mangled:
            ran[number].append(LaunchTruth(split_name(plain[mangled])[0], site, block, dynamic))
        else:
            broken.add(number)
    for program in programs:
        why = "its host code fails" if program.number in broken else ""
        yield program.number, Truth(kernels[program.number], ran[program.number], why)


def _number(plain: str) -> int:
    """Of the program that a name is of."""
    found = _NAMED.search(plain)
    return int(found[1]) if found else -1


Launch = tuple[int, str, int, tuple[int, int, int], int]


def _launches(programs: Sequence[Program], folder: Path) -> Iterator[Launch]:
    """Of each program's run. One whose code fails has a launch of nothing, and the next goes on."""
    first = 0
    while first < len(programs):
        command = [str(folder / "batch"), str(first)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
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
        yield programs[at].number, "", 0, (0, 0, 0), 0
        first = at + 1


def named(compiled: Mapping[str, KernelTruth], plain: Mapping[str, str]) -> Iterator[KernelTruth]:
    """Yield what was compiled with names and arguments. `plain`: demangled names by the mangled ones."""
    for mangled, it in compiled.items():
        name, arguments = split_name(plain[mangled])
        yield replace(it, name=name, arguments=arguments)


def demangled(names: Sequence[str]) -> dict[str, str]:
    if not names:
        return {}
    done = subprocess.run([tool("c++filt")], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines(), strict=True))


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


@cache
def tool(name: str) -> str:
    """Where GCC's or the linker's program is. Raises Missing."""
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{name} is not found: the host's code needs GCC and binutils.")
    return found


def built(command: Sequence[str], folder: Path) -> str:
    """What a compiler says. Raises NotCompiled."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise NotCompiled(done.stdout + done.stderr)
    return done.stdout + done.stderr


@cache
def runtime(name: str) -> Path:
    """The object of a runtime beside this file; kept as long as this process runs."""
    folder = TemporaryDirectory(prefix="differential-runtime-")
    _kept.append(folder)
    made = Path(folder.name) / f"{name}.o"
    built([tool("g++"), "-O1", "-c", str(Path(__file__).with_name(f"{name}.cpp")), "-o", str(made)], Path(folder.name))
    return made


_kept: list[TemporaryDirectory[str]] = []
