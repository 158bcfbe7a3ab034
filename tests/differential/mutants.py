"""`python -m tests.differential.mutants CHECKOUT FILE…`: change constants, types and macros of a repository's sources
and of the headers that they include, compile each with nvcc, and compare every figure of their kernels."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from . import compiled
from .batch import DEVICES, Compared
from .claims import Claims, claims_in
from .compare import figures
from .compiled import Missing, NotCompiled
from .nvcc import Nvcc
from .sketch import Program
from .table import Table
from .truth import KernelTruth, Truth

_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
_HEADERS = (".h", ".hpp", ".cuh", ".hxx", ".inl", ".inc")
_TELLING = re.compile(
    r"^.*(?:#\s*(?:define|if|elif)|\bconst|\benum\b|__shared__|__launch_bounds__|\btemplate\b|<<<|\bstatic\b|\busing\b"
    r"|\btypedef\b|^\s*[\w:]+\s+\w+(?:\[[^\]]*\])+\s*;).*$",
    re.M,
)
_NUMBER = re.compile(r"(?<![\w.\"])\d+(?![\w.\"])")
_TYPE = re.compile(r"\b(?:float|double|int|short|char|bool|float2|float4|unsigned int|long long)\b")
_SHARED = re.compile(r"__shared__(?!\s+volatile)")
_KERNEL = re.compile(r"__global__(?=\s+void\b)")
_CONDITION = re.compile(r"(?m)^(\s*#\s*)(ifdef|ifndef)\b")
_OBJECT = re.compile(r"(?m)^(\s*#\s*define\s+\w+[ \t]+)([^\n\\]+)$")

_OF_LAUNCHES = frozenset(("OCC001", "OCC005", "OCC006", "OCC107"))  # errors that only a run could refute

Change = tuple[int, int, str]  # from, to, and what comes there


def changes(text: str, random: Random) -> list[Change]:
    """Return what may be changed in a source: numbers and types where they tell of sizes, macros, conditions, heads."""
    found: list[Change] = []

    def add(pattern: re.Pattern[str], made: Callable[[re.Match[str]], str], within: Iterable[re.Match[str]]) -> None:
        for line in within:
            found.extend((it.start(), it.end(), made(it)) for it in pattern.finditer(text, line.start(), line.end()))

    telling = list(_TELLING.finditer(text))
    whole = list(re.finditer(r"(?s)\A.*\Z", text))
    add(_NUMBER, lambda it: _number(it[0], random), telling)
    add(_TYPE, lambda it: random.choice(("float", "double", "short", "char", "int", "long long", "float4")), telling)
    add(_SHARED, lambda it: random.choice(("__shared__ volatile", "__shared__ __align__(32)")), whole)
    add(_KERNEL, lambda it: f"__global__ __launch_bounds__({random.choice((64, 96, 256, 1024))})", whole)
    add(_CONDITION, lambda it: it[1] + ("ifndef" if it[2] == "ifdef" else "ifdef"), whole)
    add(_OBJECT, lambda it: it[1] + random.choice((f"({it[2].strip()})", f"{it[2].strip()} + 1")), whole)
    return found


def _number(written: str, random: Random) -> str:
    number = int(written)
    other = (number + 1, 2 * number, number // 2, f"({number} + 3)", f"{number}u", f"sizeof(double) * {number}")
    return str(random.choice(other))


def mutated(text: str, random: Random) -> str:
    """Return the text with one to three changes."""
    for _ in range(random.randint(1, 3)):
        if possible := changes(text, random):
            start, end, other = random.choice(possible)
            text = text[:start] + other + text[end:]
    return text


class Checkout:
    """A copy of a repository's headers, and of one source at a time. `options`: of the compiler."""

    def __init__(self, original: Path, root: Path, options: Sequence[str]) -> None:
        self._original = original
        self._root = root
        self._options = options
        self._folders = [root / it[2:] for it in options if it.startswith("-I") and not Path(it[2:]).is_absolute()]
        for it in original.rglob("*"):
            if it.suffix in _HEADERS and it.is_file():
                self._copy(it.relative_to(original))

    def _copy(self, name: Path) -> None:
        (self._root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self._original / name, self._root / name)

    def compared(self, number: int, unit: Path, random: Random | None) -> Compared:
        """Compare one mutant of a source; None: the source as it is."""
        self._copy(unit)
        changed = unit
        try:
            if random is not None:
                changed = random.choice([unit, unit, *self._included(unit)])
                there = self._root / changed
                there.write_text(mutated(there.read_text(), random))
            program = Program(number, str(unit), {str(it): (self._root / it).read_text() for it in {unit, changed}}, "")
            return self._compared(program, unit)
        finally:
            self._copy(changed)
            (self._root / unit).unlink()

    def _included(self, unit: Path) -> list[Path]:
        """Return the repository's headers that a source includes, and those that they do."""
        found: list[Path] = []
        todo = [unit]
        while todo:
            at = self._root / todo.pop()
            for name in _INCLUDE.findall(at.read_text()):
                there = next(
                    (it for it in (at.parent / name, *(it / name for it in self._folders)) if it.exists()), None
                )
                if there is not None and (it := there.resolve().relative_to(self._root)) not in found:
                    found.append(it)
                    todo.append(it)
        return found

    def _compared(self, program: Program, unit: Path) -> Compared:
        try:
            kernels = self._kernels(unit)
        except NotCompiled as it:
            return Compared(program, Truth(failed=str(it)[:200]), [])
        said = claims_in(self._root, [program], DEVICES["cuda"])[program.number]
        of_unit = {it["name"] for it in said.kernels if it["name"] is not None and not it["template"]}
        told = {it["name"] for it in said.kernels}
        truth = Truth([it for it in kernels if it.name in told])
        unused = of_unit - {it.name for it in kernels}
        said = Claims([it for it in said.kernels if it["name"] not in unused], said.checked, said.lines, said.broken)
        return Compared(program, truth, [it for it in figures(truth, said) if it.kernel not in _OF_LAUNCHES])

    def _kernels(self, unit: Path) -> list[KernelTruth]:
        with TemporaryDirectory(prefix="differential-") as named:
            folder = Path(named)
            found = Nvcc().device_code(self._root / unit, self._options, self._root, folder)
        return list(compiled.named(found, compiled.demangled([*found])))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential.mutants", description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="sources that nvcc compiles, in the checkout"
    )
    parser.add_argument("--count", type=int, default=10, metavar="N", help="mutants of each (default: 10)")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--option", action="append", default=[], metavar="O", help="of nvcc: --option=-Isrc")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="keep what differs there")
    options = parser.parse_args(arguments)
    table = Table()
    with TemporaryDirectory(prefix="differential-") as named:
        checkout = Checkout(options.checkout.resolve(), Path(named).resolve(), options.option)
        for unit in options.files:
            for number in range(options.count + 1):
                random = Random(f"{options.seed} {unit} {number}") if number else None
                try:
                    it = checkout.compared(number, unit, random)
                except Missing as what:
                    print(what, file=sys.stderr)
                    return 2
                table.take([it])
                _tell(it, options.out)
    print("\n".join(table.lines()))
    return 1 if table.total.wrong else 0


def _tell(it: Compared, out: Path | None) -> None:
    for figure in it.wrong:
        print(f"{it.program.construct}, mutant {it.program.number}: {figure.told}", flush=True)
    if out and it.wrong:
        for name, text in it.program.files.items():
            there = out / f"{it.program.number}" / name
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_text(text)


if __name__ == "__main__":
    sys.exit(main())
