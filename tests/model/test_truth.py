"""Every applicable row of NVIDIA's own answers, exactly. What does not apply, and why:

- registers over what a thread can have (255; 63 on cc 3.0): the header says 256 and 255 there, the programming guide,
  ptxas and the spreadsheet do not.
- cc 10.3 with barriers in the 13.0 file: its 64 barriers per SM were corrected to 32 in 13.3; the 13.5 file has them.
- limiting factors where barriers > 0: the header leaves earlier factors set when barriers lower the result.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from occupancy_lsp.model.cliffs import largest_local
from occupancy_lsp.model.occupancy import Limits, Need
from occupancy_lsp.vendors.nvidia.launch import max_potential_block_size
from occupancy_lsp.vendors.nvidia.rule import occupancy

from .conftest import Validated
from .support import arch, archs, lines, percentage, rows

_FACTORS = {"warps": "sub_groups", "blocks": "groups", "regs": "registers", "smem": "local_memory"}


def _numbers(row: dict[str, str], *columns: str) -> tuple[int | None, ...]:
    return tuple(None if row[column] == "inf" else int(row[column]) for column in columns)


def _why_not(row: dict[str, str], corrected_since: frozenset[str]) -> str | None:
    if int(row["regs"]) > arch(row["cc"]).max_registers:
        return "registers per thread"
    if row["bars"] != "0" and row["cc"] in corrected_since:
        return "barriers corrected since"
    return None


@pytest.mark.parametrize(
    ("name", "corrected_since", "counts"),
    [
        (
            "cuda_occupancy-13.0.csv",
            frozenset({"10.3"}),
            {"exact": 27_803, "factors too": 26_540, "registers per thread": 462, "barriers corrected since": 50},
        ),
        (
            "cuda_occupancy-13.5-cc10.3-10.7.csv",
            frozenset(),
            {"exact": 3_520, "factors too": 3_376, "registers per thread": 10},
        ),
    ],
)
def test_occupancy_is_the_headers(
    name: str, corrected_since: frozenset[str], counts: dict[str, int], validated: Validated
) -> None:
    seen: Counter[str] = Counter()
    for row in rows(name):
        if reason := _why_not(row, corrected_since):
            seen[reason] += 1
            continue
        need = Need(
            group_size=int(row["threads"]),
            registers=int(row["regs"]),
            static_local=int(row["static_smem"]),
            dynamic_local=int(row["dyn_smem"]),
            opt_in=row["optin"] == "1",
            carveout=percentage(row["carveout"]),
            barriers=int(row["bars"]),
        )
        result = occupancy(arch(row["cc"]), need)
        assert (result.groups, result.sub_groups) == _numbers(row, "blocks", "warps"), row
        limits = Limits(*_numbers(row, "lim_warps", "lim_blocks", "lim_regs", "lim_smem", "lim_bars"))
        assert result.limits == limits, row
        seen["exact"] += 1
        if row["bars"] == "0":
            assert set(result.limiters) == {_FACTORS[factor] for factor in row["factors"].split("+")}, row
            seen["factors too"] += 1
    assert seen == counts
    left = ", ".join(f"{count} {why}" for why, count in counts.items() if why not in ("exact", "factors too"))
    validated("NVIDIA", f"NVIDIA's `{name.removesuffix('.csv')}`", seen["exact"], left)


def test_occupancy_before_cc_3_is_the_spreadsheets(validated: Validated) -> None:
    seen = 0
    for row in rows("spreadsheet-cc1-2.csv"):
        sm = arch(row["cc"])
        result = occupancy(sm, Need(int(row["threads"]), int(row["regs"]), int(row["smem"])))
        assert (result.groups, result.sub_groups) == _numbers(row, "blocks", "warps"), row
        # The sheet has one limit for warps and blocks, and writes "no limit" as the limit of blocks.
        assert result.limits.sub_groups is not None
        limits = (
            min(result.limits.sub_groups, sm.max_groups),
            sm.max_groups if result.limits.registers is None else result.limits.registers,
            sm.max_groups if result.limits.local_memory is None else result.limits.local_memory,
        )
        assert limits == _numbers(row, "lim_warps", "lim_regs", "lim_smem"), row
        seen += 1
    assert seen == 6_064
    validated("NVIDIA", "NVIDIA's occupancy spreadsheet, cc 1.0 to 2.1", seen)


def test_block_size_is_cudas(validated: Validated) -> None:
    seen: Counter[str] = Counter()
    for row in rows("max-potential-block-size-13.0.csv"):
        sm, registers = arch(row["cc"]), int(row["regs"])
        if registers > sm.max_registers:
            seen["registers per thread"] += 1
            continue
        limit = int(row["maxthreads"]) if row["maxthreads"] else None
        carveout = percentage(row["carveout"])
        best = max_potential_block_size(
            sm, registers, int(row["static_smem"]), int(row["dyn_smem"]), limit, carveout=carveout
        )
        assert (best.group_size, best.groups) == _numbers(row, "block_size", "blocks_per_sm"), row
        seen["exact"] += 1
    assert seen == {"exact": 3_375, "registers per thread": 75}
    validated("NVIDIA", "cudaOccMaxPotentialOccupancyBlockSize 13.0", seen["exact"], "75 registers per thread")


def test_dynamic_memory_left_is_cudas(validated: Validated) -> None:
    seen: Counter[str] = Counter()
    for row in rows("available-dynamic-smem-13.5.csv"):
        need = Need(
            group_size=int(row["threads"]),
            registers=int(row["regs"]),
            static_local=int(row["static_smem"]),
            carveout=percentage(row["carveout"]),
        )
        total = largest_local(arch(row["cc"]), need, int(row["num_blocks"]))
        left = None if total is None or total < need.static_local else total - need.static_local
        assert left == (int(row["bytes"]) if row["status"] == "ok" else None), row
        seen[row["status"]] += 1
    assert seen == {"ok": 2_260, "invalid": 540}
    validated("NVIDIA", "cudaOccAvailableDynamicSMemPerBlock 13.5", seen.total())


_PTXAS = re.compile(
    r"sm (\d+) max blocks/SM (\d+) max threads/SM (\d+) caps\(1024,512,256,288\) \[(.*?)\] "
    r"128thr b=1,2,3,4,8 -> \[(.*?)\]"
)


def test_launch_bounds_are_ptxas(validated: Validated) -> None:
    by_id = {sm.id: sm for sm in archs().values()}
    seen = 0
    for line in lines("ptxas-launch-bounds-limits.txt"):
        match = _PTXAS.fullmatch(line)
        assert match, line
        number, blocks, threads, by_threads, by_blocks = match.groups()
        sm = by_id[f"sm_{number}"]
        assert [sm.register_ceiling(size) for size in (1024, 512, 256, 288)] == _list(by_threads), line
        assert [sm.register_ceiling(128, groups) for groups in (1, 2, 3, 4, 8)] == _list(by_blocks), line
        assert sm.min_groups_honoured(32, int(blocks))
        assert not sm.min_groups_honoured(1, int(blocks) + 1)
        assert sm.min_groups_honoured(1024, int(threads) // 1024)
        assert not sm.min_groups_honoured(1024, int(threads) // 1024 + 1)
        seen += 1
    assert seen == 32
    validated("NVIDIA", "ptxas 11.8 to 13.5: register caps and limits of 32 runs", 13 * seen)


@pytest.mark.parametrize(
    ("cc", "max_threads", "min_groups", "ceiling"),
    [
        ("9.0", 1025, 0, 56),
        ("9.0", 2048, 1, 32),
        ("9.0", 2049, 0, 255),  # more than an SM holds: the bounds are ignored
        ("7.5", 1025, 0, 255),
        ("8.6", 1536, 0, 40),
        ("9.0", 1024, 2, 32),
        ("8.6", 1024, 2, 64),  # two such blocks do not fit: the second bound is ignored
        ("9.0", 33, 100, 255),
    ],
)
def test_launch_bounds_beyond_what_can_be_launched(cc: str, max_threads: int, min_groups: int, ceiling: int) -> None:
    """As ptxas 13.0 answers."""
    assert arch(cc).register_ceiling(max_threads, min_groups) == ceiling


def _list(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]
