"""What clang of LLVM 22 made of one kernel with few to many live values, under HIP's bounds, for AMD's architectures.

docs/bounds.md shows the kernel. `spilled` are registers, `scratch` bytes of a thread.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from occupancy_lsp.features.diagnostics import rule_findings
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.session.view import View
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.registers import vector_registers
from tests.presets import CATALOGUE
from tests.support import view_of

_DATA = Path(__file__).parents[1] / "data" / "amd" / "bounds.csv"
_UNBOUND = 1024  # threads for which clang builds HIP's kernels without bounds
_EDITED = re.compile(r"__launch_bounds__\((\d+)(?:, (\d+))?\) k")
_LOG = """a.hip:{line}:1: remark: Function Name: {name} [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     TotalSGPRs: 18 [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     VGPRs: {registers} [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     AGPRs: {accumulators} [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     ScratchSize [bytes/lane]: {scratch} [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     Dynamic Stack: False [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     Occupancy [waves/SIMD]: {occupancy} [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     SGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     VGPRs Spill: {spilled} [-Rpass-analysis=kernel-resource-usage]
a.hip:{line}:1: remark:     LDS Size [bytes/block]: 0 [-Rpass-analysis=kernel-resource-usage]
"""


class Head(NamedTuple):
    """`threads` None: without bounds; `waves` None: without the second argument."""

    live: int
    threads: int | None
    waves: int | None


class Compiled(NamedTuple):
    registers: int
    accumulators: int
    spilled: int
    scratch: int
    occupancy: int  # waves per SIMD, as the compiler says


@cache
def truth() -> dict[str, dict[Head, Compiled]]:
    found: dict[str, dict[Head, Compiled]] = {}
    with _DATA.open() as file:
        for row in csv.DictReader(file):
            head = Head(int(row["live"]), *(int(row[it]) if row[it] else None for it in ("threads", "waves")))
            counts = (int(row[it]) for it in Compiled._fields)
            found.setdefault(row["arch"], {})[head] = Compiled(*counts)
    return found


ARCHITECTURES = pytest.mark.parametrize("arch", ["gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"])


def ceiling(arch: str, head: Head) -> int:
    return CATALOGUE.find(arch).arch.register_ceiling(head.threads or _UNBOUND, head.waves)


def test_there_are_points_enough() -> None:
    assert sum(map(len, truth().values())) >= 2_000


@ARCHITECTURES
def test_the_ceiling(arch: str) -> None:
    """No kernel has more registers than the model allows, and what spills has all of them."""
    model = CATALOGUE.find(arch).arch
    assert isinstance(model, AmdArch)
    for head, it in truth()[arch].items():
        used = vector_registers(model, Need(64, it.registers, accumulators=it.accumulators))
        most = ceiling(arch, head)
        assert used is not None and used <= most, (head, it, most)
        assert not it.spilled or used > most - model.register_unit, (head, it, most)


@ARCHITECTURES
def test_room_is_all_that_counts(arch: str) -> None:
    """More registers never spill more, an eighth aside; without the second number it is as with 1."""
    by_live: dict[int, dict[int, list[int]]] = {}
    for head, it in truth()[arch].items():
        by_live.setdefault(head.live, {}).setdefault(ceiling(arch, head), []).append(it.spilled)
        one = truth()[arch].get(head._replace(waves=1))
        if head.waves is None and head.threads and one:
            assert one == it, head
    for live, rows in by_live.items():
        least = [(most, min(each), max(each)) for most, each in sorted(rows.items())]
        for (_, fewest, _), (_, _, most) in pairwise(least):
            assert most <= fewest * 1.125, (live, least)


@ARCHITECTURES
def test_no_edit_makes_spills_worse(tmp_path: Path, arch: str) -> None:
    """Each kernel as the compiler left it, and what it made of the bounds that a finding's edits write."""
    heads = [*truth()[arch].items()]
    path = tmp_path / "a.hip"
    source, log = "#include <hip/hip_runtime.h>\n", ""
    for index, (head, it) in enumerate(heads):
        said = "" if head.threads is None else f"__launch_bounds__({head.threads}) "
        said = said if head.waves is None else f"__launch_bounds__({head.threads}, {head.waves}) "
        source += f"__global__ void {said}k{index}(float* p) {{ p[0] = 1; }}\n"
        log += _LOG.format(name=f"_Z{len(f'k{index}')}k{index}Pf", line=index + 2, **it._asdict())
    launches = (f"k{index}<<<n, 256>>>(p);" for index, (head, _) in enumerate(heads) if head.threads is None)
    source += f"void run(float* p, int n) {{ {' '.join(launches)} }}\n"
    path.write_text(source)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    (tmp_path / f"a-hip-amdgcn-amd-amdhsa-{arch}.remarks").write_text(log)
    seen = Counter[str]()
    view = view_of(source, arch, path=path)
    for rule, report, finding in rule_findings(view):
        head, before = heads[int(report.kernel.name[1:])]
        for fix in finding.fixes if rule.code in ("OCC103", "OCC106", "OCC302") else ():
            after = truth()[arch].get(_edited(view, fix.edits, head))
            if after is not None:  # else these bounds were not compiled
                assert ", may spill" in fix.title or after.spilled <= before.spilled * 1.125, (
                    rule.code,
                    head,
                    before,
                    fix.title,
                    after,
                )
                seen[rule.code] += 1
    assert sum(seen.values()) > 5, seen
    assert seen["OCC302"] or arch in ("gfx908", "gfx1100", "gfx1201"), seen  # where none is pressed without bounds


def _edited(view: View, edits: tuple[tuple[Place, str], ...], head: Head) -> Head:
    """The head that the edits, all in one item, make of it."""
    text, item = view.text.content, edits[0][0].item
    for place, new in sorted(edits, key=lambda it: -it[0].start):
        start, end = view.span(place)
        text = text[:start] + new.encode() + text[end:]
    match = _EDITED.search(text.decode(), view.source.start_of(item))
    assert match is not None
    return head._replace(threads=int(match[1]), waves=int(match[2]) if match[2] else None)
