"""Which architectures of the presets a device of Intel's is: by ocloc's names and by the numbers in device code.

A device may be two: Intel sells it with more and fewer EUs per subslice, and compiles the same code for both.
Names and versions: intel/compute-runtime (third_party/aot_config_headers/platforms.h); families: as ocloc 22.43 writes.
"""

from __future__ import annotations

from occupancy_lsp.core.naming import canonical

_GEN9 = ("gen9", "gen9_gt1")
_LP = ("xe_lp",)
_LP_BOTH = ("xe_lp", "xe_lp_12")
_HPG = ("xe_hpg", "xe_hpg_g11")

# By the first two numbers of the IP version.
_VERSIONS: dict[tuple[int, int], tuple[str, ...]] = {
    **{(9, release): _GEN9 for release in (0, 1, 2, 5, 6, 7)},
    **{(9, release): ("gen9_lp",) for release in (3, 4)},
    (11, 0): ("gen11",),
    (12, 0): _LP,
    (12, 1): _LP_BOTH,
    (12, 2): _LP_BOTH,
    (12, 3): _LP,
    (12, 10): _LP,
    (12, 55): ("xe_hpg",),
    (12, 56): ("xe_hpg_g11",),
    (12, 57): ("xe_hpg",),
    (12, 60): ("xe_hpc",),
    (12, 61): ("xe_hpc",),
    (12, 70): ("xe_lpg",),
    (12, 71): ("xe_lpg",),
    (12, 74): ("xe_lpg_plus",),
    (20, 1): ("xe2",),
    (20, 2): ("xe2",),
    (20, 4): ("xe2_lpg",),
    **{(30, release): ("xe3",) for release in (0, 1, 3, 4)},
    (35, 10): ("xe3p",),
    (35, 11): ("xe3p_xpc",),
}
# What device code from before IP versions names.
_FAMILIES: dict[int, tuple[str, ...]] = {
    **dict.fromkeys((18, 19, 20), _GEN9),
    **dict.fromkeys((22, 23), ("gen9_lp",)),
    26: ("gen11",),
    29: _LP,
    30: _LP_BOTH,
    31: _LP_BOTH,
    32: _LP,
    1210: _LP,
    1270: _HPG,
    1271: ("xe_hpc",),
}
_NAMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("skl", "kbl", "cfl", "whl", "aml", "cml", "gen9"), _GEN9),
    **dict.fromkeys(("apl", "bxt", "glk"), ("gen9_lp",)),
    **dict.fromkeys(("icl", "icllp", "gen11"), ("gen11",)),
    **dict.fromkeys(("tgl", "tgllp", "adl-p", "dg1"), _LP),
    **dict.fromkeys(("rkl", "adl-s", "xe-lp", "gen12lp"), _LP_BOTH),
    **dict.fromkeys(("dg2-g10", "acm-g10", "ats-m150", "dg2-g12", "acm-g12"), ("xe_hpg",)),
    **dict.fromkeys(("dg2-g11", "acm-g11", "ats-m75"), ("xe_hpg_g11",)),
    **dict.fromkeys(("dg2", "xe-hpg"), _HPG),
    **dict.fromkeys(("pvc", "pvc-vg", "xe-hpc"), ("xe_hpc",)),
    **dict.fromkeys(("mtl", "mtl-u", "mtl-h", "xe-lpg"), ("xe_lpg",)),
    **dict.fromkeys(("arl-h", "xe-lpgplus"), ("xe_lpg_plus",)),
    **dict.fromkeys(("bmg", "bmg-g21", "bmg-g31", "xe2-hpg"), ("xe2",)),
    **dict.fromkeys(("lnl", "lnl-m", "xe2-lpg"), ("xe2_lpg",)),
    **dict.fromkeys(("ptl", "ptl-h", "ptl-u", "wcl", "nvl-s"), ("xe3",)),
    **dict.fromkeys(("nvl-p", "xe3p-lpg"), ("xe3p",)),
    **dict.fromkeys(("cri", "xe3p-xpc"), ("xe3p_xpc",)),
}
# What IGC calls what it compiles for: one name for all with the same instructions.
_PLATFORMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("SKL", "KBL", "CFL"), _GEN9),
    **dict.fromkeys(("BXT", "GLK"), ("gen9_lp",)),
    "ICLLP": ("gen11",),
    "TGLLP": _LP_BOTH,
    "DG2": _HPG,
    **dict.fromkeys(("PVC", "PVCXT"), ("xe_hpc",)),
    "MTL": ("xe_lpg",),
    "ARL": ("xe_lpg_plus",),
    "XE2": ("xe2", "xe2_lpg"),
    "XE3": ("xe3",),
}


def of_version(major: int, minor: int, revision: int) -> tuple[str, ...]:
    """Of an IP version such as 12.60.7; itself, which is no preset's name, where none is known."""
    return _VERSIONS.get((major, minor), (f"{major}.{minor}.{revision}",))


def of_family(number: int) -> tuple[str, ...]:
    """Of a number of the driver's PRODUCT_FAMILY, likewise."""
    return _FAMILIES.get(number, (f"family {number}",))


def of_name(name: str) -> tuple[str, ...]:
    """Of a device in ocloc's words, likewise."""
    return _NAMES.get(canonical(name), (name,))


def of_platform(name: str) -> tuple[str, ...]:
    """Of a platform in IGC's words, likewise."""
    return _PLATFORMS.get(name, (name,))


def named_in(path: str) -> tuple[str, ...]:
    """Of the device that a file's name tells between dots, as `run.pvc.txt`, or its folder's; none if neither does."""
    *folders, name = path.replace("\\", "/").split("/")
    words = [*folders[-1:], *name.split(".")]
    return next((_NAMES[word] for word in map(canonical, reversed(words)) if word in _NAMES), ())
