"""What ptxas 13.0 made of one kernel with few to many live values, under bounds of every kind, for five architectures.

docs/bounds.md shows the kernel: it loads a number of values, mixes them in a loop and stores them. Its PTX was compiled
with `.maxntid` and `.minnctapersm` in place of `__launch_bounds__`.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from occupancy_lsp.features.diagnostics import rule_findings
from tests.presets import CATALOGUE
from tests.support import view_of

_DATA = Path(__file__).parents[1] / "data" / "ptxas" / "bounds.csv"
_EDIT = re.compile(r"(?:Set minBlocks to|Add minBlocks) (\d+)")
_LOG = """ptxas info    : Compiling entry function '{0}' for '{1}'
ptxas info    : Function properties for {0}
    8 bytes stack frame, {3} bytes spill stores, {4} bytes spill loads
ptxas info    : Used {2} registers, used 0 barriers, 368 bytes cmem[0]
"""


class Head(NamedTuple):
    """`threads` None: without bounds; `blocks` None: without the second argument."""

    live: int
    threads: int | None
    blocks: int | None


class Compiled(NamedTuple):
    registers: int
    stores: int
    loads: int
    ignored: bool  # the second argument, with a warning


@cache
def truth() -> dict[str, dict[Head, Compiled]]:
    found: dict[str, dict[Head, Compiled]] = {}
    with _DATA.open() as file:
        for row in csv.DictReader(file):
            head = Head(int(row["live"]), *(int(row[it]) if row[it] else None for it in ("threads", "blocks")))
            counts = (int(row[it]) for it in ("registers", "spill_stores", "spill_loads"))
            found.setdefault(row["arch"], {})[head] = Compiled(*counts, row["ignored"] == "yes")
    return found


def bounded(arch: str) -> Iterator[tuple[Head, Compiled]]:
    return ((head, it) for head, it in truth()[arch].items() if head.threads)


ARCHITECTURES = pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100"])


def test_there_are_points_enough() -> None:
    assert sum(map(len, truth().values())) >= 2_000


@ARCHITECTURES
def test_the_ceiling(arch: str) -> None:
    """No kernel has more registers than the model allows, and a number is ignored where the model says so."""
    model = CATALOGUE.find(arch).arch
    for head, compiled in bounded(arch):
        assert head.threads is not None
        heeded = head.blocks is None or model.min_groups_honoured(head.threads, head.blocks)
        assert heeded is not compiled.ignored, head
        blocks = head.blocks if heeded else None
        assert compiled.registers <= model.register_ceiling(head.threads, blocks), head


@ARCHITECTURES
def test_without_a_number(arch: str) -> None:
    """What spills has all that one block may have, or just what several leave it, and then spills less with a 1. What
    does not spill with a 1 does not without."""
    model = CATALOGUE.find(arch).arch
    for head, compiled in bounded(arch):
        if head.blocks is not None or head.threads is None:
            continue
        one = truth()[arch][head._replace(blocks=1)]
        most = model.register_ceiling(head.threads, None)
        if compiled.stores and compiled.registers <= most - 8:
            filling = min(model.max_groups, model.max_sub_groups * model.sub_group_size // head.threads)
            left = {model.register_ceiling(head.threads, blocks) for blocks in range(2, filling + 1)}
            assert compiled.registers in left, head
            assert one.stores < compiled.stores, head
        assert one.stores or not compiled.stores, head


@ARCHITECTURES
def test_a_cap_that_is_not_reached(arch: str) -> None:
    """What stays a unit below the cap of its blocks and spills nothing is the same with fewer."""
    model, seen = CATALOGUE.find(arch).arch, 0
    for head, compiled in bounded(arch):
        if head.threads is None or head.blocks is None or compiled.ignored or compiled.stores:
            continue
        if compiled.registers <= model.register_ceiling(head.threads, head.blocks) - 8:
            for fewer in range(1, head.blocks):
                other = truth()[arch].get(head._replace(blocks=fewer))
                assert other in (None, compiled), (head, fewer)
                seen += other is not None
    assert seen > 90


@ARCHITECTURES
def test_no_edit_makes_spills_worse(tmp_path: Path, arch: str) -> None:
    """Each kernel as the compiler left it, and what it made of the bounds that a finding's edits write. Those of
    OCC304 change its registers."""
    heads = [(head, it) for head, it in bounded(arch) if not it.ignored]
    path = tmp_path / "a.cu"
    source, log = "", ""
    for index, (head, it) in enumerate(heads):
        said = f"{head.threads}" if head.blocks is None else f"{head.threads}, {head.blocks}"
        source += f'extern "C" __global__ void __launch_bounds__({said}) k{index}(float* p) {{ p[0] = 1; }}\n'
        log += _LOG.format(f"k{index}", arch, it.registers, it.stores, it.loads)
    path.write_text(source)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    (tmp_path / "a.ptxas.log").write_text(log)
    seen = Counter[str]()
    for rule, report, finding in rule_findings(view_of(source, arch, path=path)):
        head, before = heads[int(report.kernel.name[1:])]
        for fix in finding.fixes:
            asked = _EDIT.match(fix.title)
            assert asked or fix.title.startswith("Drop minBlocks"), fix.title
            after = truth()[arch].get(head._replace(blocks=int(asked[1]) if asked else None))
            if after is not None:  # else these bounds were not compiled
                assert after.stores <= before.stores, (rule.code, head, before, fix.title, after)
                assert rule.code != "OCC304" or after.registers != before.registers, (head, before)
                seen[rule.code] += 1
    assert seen["OCC106"] > 100 and seen["OCC304"] > 10, seen


@ARCHITECTURES
def test_bounds_of_what_is_launched_spill_less(tmp_path: Path, arch: str) -> None:
    """Kernels that are launched with half of the threads that their bounds name."""
    heads = [(head, it) for head, it in bounded(arch) if head.blocks in (None, 1) and it.stores]
    path = tmp_path / "a.cu"
    source, log = "", ""
    for index, (head, it) in enumerate(heads):
        said = f"{head.threads}" if head.blocks is None else f"{head.threads}, {head.blocks}"
        source += f'extern "C" __global__ void __launch_bounds__({said}) k{index}(float* p) {{ p[0] = 1; }}\n'
        source += f"void h{index}(float* p) {{ k{index}<<<9, {(head.threads or 0) // 2}>>>(p); }}\n"
        log += _LOG.format(f"k{index}", arch, it.registers, it.stores, it.loads)
    path.write_text(source)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    (tmp_path / "a.ptxas.log").write_text(log)
    seen = 0
    for rule, report, finding in rule_findings(view_of(source, arch, path=path)):
        head, before = heads[int(report.kernel.name[1:])]
        lowered = [it for it in finding.fixes if it.title.startswith("Lower the bounds")]
        if rule.code == "OCC106" and lowered:
            half = (head.threads or 0) // 2
            assert [text for _, text in lowered[0].edits] == [f"{half}, 1" if head.blocks is None else str(half)]
            after = truth()[arch].get(Head(head.live, half, 1))
            if after is not None:
                assert after.stores < before.stores, (head, before, after)
                seen += 1
    assert seen > 10
