"""OpenCL hosts run: what they launch before and after an edit, told by a runtime that launches nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .promises import sized_too

_RUNTIME = Path(__file__).parents[1] / "data" / "prove" / "opencl" / "runtime"
_SIZE = re.compile(r"(?:Change [\w-]+ size to|Launch with) (\d+)")


@dataclass(frozen=True, slots=True)
class Ran:
    """A launch: items and work-group of each dimension."""

    kernel: str
    sizes: tuple[tuple[int, int], ...]


def run(folder: Path) -> tuple[Ran, ...] | None:
    """Of the program that the folder's hosts make. None: there is none, or no compiler."""
    hosts = [it for it in sorted(folder.iterdir()) if it.suffix in (".c", ".cpp") and b"CL/cl.h" in it.read_bytes()]
    compiler = shutil.which("c++" if any(it.suffix == ".cpp" for it in hosts) else "cc")
    if not hosts or compiler is None or not any(b"int main(" in it.read_bytes() for it in hosts):
        return None
    with TemporaryDirectory(prefix="occupancy-host-") as made:
        runtime, program = Path(made) / "runtime.o", Path(made) / "host"
        c = shutil.which("cc") or compiler
        subprocess.run([c, "-w", "-I", _RUNTIME, "-c", "-o", runtime, _RUNTIME / "runtime.c"], check=True)
        built = subprocess.run(
            [compiler, "-w", "-I", _RUNTIME, "-o", program, *hosts, runtime, "-lm"], capture_output=True
        )
        if built.returncode:
            return None
        told = subprocess.run([program], capture_output=True, text=True, timeout=60).stdout
    return tuple(_ran(line) for line in told.splitlines())


def _ran(line: str) -> Ran:
    kernel, *sizes = line.split()
    return Ran(kernel, tuple((int(all_), int(group)) for all_, group in (it.split("/") for it in sizes)))


def launched_otherwise(
    title: str, kernel: str, before: Sequence[Ran] | None, after: Sequence[Ran] | None
) -> Iterator[str]:
    """What the hosts do after the edit that the title does not say."""
    size = _SIZE.search(title)
    if before is None or size is None:
        return
    if after is None or [it.kernel for it in before] != [it.kernel for it in after]:
        yield "its host does not build or launch as before"
        return
    named, new = {kernel, *sized_too(title, [it.kernel for it in before])}, int(size[1])
    for was, now in zip(before, after, strict=True):
        if was.kernel not in named:
            if was != now:
                yield f"{was.kernel} is launched otherwise too: {was.sizes} to {now.sizes}"
            continue
        (items, group), (then, made) = was.sizes[0], now.sizes[0]
        if made != new or then % new or was.sizes[1:] != now.sizes[1:]:
            yield f"{new} promised, {now.sizes} launched"
        if not (then > items - group and items > then - new):
            yield f"{items} items became {then}"
