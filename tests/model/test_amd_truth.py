"""Every row of what LLVM 19, 22 and 24 printed for AMD, exactly. All rows apply.

What LLVM prints is a figure per limiter, to be compared with `vendors/amd/compiler.py`. The occupancy by whole groups
is compared with it where both must agree: groups of one wave, without LDS.
"""

from __future__ import annotations

from collections import Counter

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.amd.compiler import per_limiter
from occupancy_lsp.vendors.amd.rule import occupancy

from .amd_support import amd, rows
from .conftest import Validated

_LIMITERS = {"vgpr": "registers", "agpr": "registers", "sgpr": "scalars", "lds_wg": "local_memory"}
_NAME = "llvm-occupancy-per-limiter.csv"
_NEWEST = "llvm24-new-targets.csv"


def _need(row: dict[str, str]) -> Need:
    assert row["wg_min"] == row["wg_max"]
    return Need(
        group_size=int(row["wg_max"]),
        registers=int(row["vgprs"]),
        static_local=int(row["lds"]),
        accumulators=int(row["agprs"]),
        scalars=int(row["sgprs"]),
        sub_group=int(row["wave"]),
        mode=row["mode"],
    )


def test_every_limiter_is_llvms(validated: Validated) -> None:
    seen: Counter[str] = Counter()
    for row in rows(_NAME):
        figures = per_limiter(amd(row["target"]), _need(row), int(row["llvm"]))
        assert figures is not None
        assert min(figures.values()) == int(row["occupancy"]), row
        limiter = _LIMITERS.get(row["tag"])
        if limiter in figures:  # gfx10 and later have scalar registers for all waves
            assert figures[limiter] == int(row["occupancy"]), row
        seen[f"llvm {row['llvm']}"] += 1
        seen[row["tag"]] += 1
    assert seen == {
        "llvm 19": 386,
        "llvm 22": 1_965,
        "llvm 24": 3_802,
        "vgpr": 1_250,
        "agpr": 880,
        "sgpr": 158,
        "lds_wg": 1_865,
        "combo": 2_000,
    }
    validated("AMD", "LLVM 19, 22 and 24: occupancy per limiter", 386 + 1_965 + 3_802)


def test_every_limiter_is_llvms_on_the_newest_targets(validated: Validated) -> None:
    """LLVM 24 of Triton 3.9.0, of kernels in its own language: registers by inline assembly, LDS by an array."""
    seen = Counter(row["target"] for row in rows(_NEWEST))
    for row in rows(_NEWEST):
        figures = per_limiter(amd(row["target"]), _need(row), int(row["llvm"]))
        assert figures is not None and min(figures.values()) == int(row["occupancy"]), row
    targets = ("gfx1153", "gfx1154", "gfx1170", "gfx1171", "gfx1172", "gfx1251", "gfx1310")
    assert seen == dict.fromkeys(targets, 501)
    validated("AMD", "LLVM 24: occupancy per limiter, newest targets", 3_507)


def test_whole_groups_never_exceed_what_llvm_prints() -> None:
    """Occupancy by whole groups is at most LLVM's figure, and equal to it for groups of one wave.

    But for gfx6, where LLVM takes half of the LDS for all, and for figures that LLVM raises to 1.
    """
    seen: Counter[str] = Counter()
    for row in rows(_NAME):
        if row["llvm"] != "24" or row["target"] == "gfx600":
            continue
        arch, need, printed = amd(row["target"]), _need(row), int(row["occupancy"])
        result = occupancy(arch, need)
        simds = result.max_sub_groups // arch.waves_per_simd
        assert result.sub_groups <= printed * simds, row
        one_wave = need.group_size <= int(row["wave"])
        if one_wave and (need.static_local == 0 or "local_memory" not in result.limiters):
            assert result.sub_groups == printed * simds, row
            seen["equal"] += 1
        seen["fits"] += result.groups > 0
        seen["fits not, printed all the same"] += result.groups == 0
    assert seen == {"equal": 1_050, "fits": 3_258, "fits not, printed all the same": 404}
