"""What is compiled: kernels of tests/data/triton/kernels.py, with arguments' types and configurations, for targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Options = Mapping[str, object]
NVIDIA = (75, 80, 86, 89, 90, 100, 103, 107, 110, 120, 121)
AMD = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1150", "gfx1170", "gfx1201", "gfx1250", "gfx1251")
LONG = (
    "a_name_so_long_that_the_files_of_the_cache_bear_only_the_first_one_hundred_and_fifty_of_its_letters_as_"
    "generated_kernels_of_fused_operations_often_do_copy"
)


@dataclass(frozen=True)
class Wanted:
    """A kernel in one instance: the types of its arguments in order, and its configurations."""

    kernel: str
    arguments: tuple[str, ...]
    sizes: Mapping[str, object]
    options: tuple[Options, ...] = field(default=({"num_warps": 4},))
    targets: tuple[int | str, ...] = (*NVIDIA, *AMD)

    def compilations(self) -> Iterator[tuple[Wanted, int | str, Options]]:
        return ((self, target, options) for target in self.targets for options in self.options)


_HALF, _FLOAT = "*fp16", "*fp32"
_MATMUL = (*(_HALF,) * 3, *("i32",) * 6)
_TILES = ("tensordesc<fp16[128, 64]>", "tensordesc<fp16[128, 64]>", "tensordesc<fp16[128, 128]>", "i32")


def _square(m: int, n: int, k: int, even: bool = True) -> dict[str, object]:
    return {"BM": m, "BN": n, "BK": k, "EVEN_K": even}


def _warps(*counts: int, **others: object) -> tuple[Options, ...]:
    return tuple({"num_warps": it, **others} for it in counts)


WANTED = (
    Wanted("add", (_FLOAT, _FLOAT, _FLOAT, "i32"), {"BLOCK": 1024}, _warps(4, 8)),
    Wanted("softmax", (_FLOAT, _FLOAT, "i32", "i32"), {"BLOCK": 1024}, _warps(4)),
    Wanted("softmax", (_FLOAT, _FLOAT, "i32", "i32"), {"BLOCK": 4096}, _warps(8, 16, num_stages=1)),
    Wanted("softmax", (_FLOAT, _FLOAT, "i32", "i32"), {"BLOCK": 4096}, _warps(1, 2, 32), (80, 90, 100, 120)),
    Wanted("layer_norm", (*(_HALF,) * 4, "i32", "fp32"), {"BLOCK": 1024}, _warps(4)),
    Wanted("matmul", _MATMUL, _square(64, 64, 32), _warps(4, num_stages=2)),
    Wanted("matmul", _MATMUL, _square(128, 128, 32), _warps(4, num_stages=3)),
    Wanted(
        "matmul",
        _MATMUL,
        _square(128, 128, 32, even=False),
        (*_warps(8, num_stages=4), *_warps(4, num_stages=3, maxnreg=128)),
        (80, 86, 90, 100, 120),
    ),
    Wanted("matmul", _MATMUL, _square(128, 256, 64), _warps(8, num_stages=3), (80, 90, 100)),
    Wanted(
        "matmul",
        _MATMUL,
        _square(128, 128, 32),
        tuple({"num_warps": 4, "num_stages": 2, "waves_per_eu": it} for it in (1, 2, 4)),
        ("gfx90a", "gfx942", "gfx1100"),
    ),
    Wanted("matmul", _MATMUL, _square(128, 128, 32), _warps(4, num_stages=2, num_ctas=2), (90, 100)),
    Wanted(
        "matmul_described",
        _TILES,
        {"BM": 128, "BN": 128, "BK": 64, "SPECIALIZE": False},
        _warps(4, 8, num_stages=3),
        (90, 100, 103, 110, 120),
    ),
    Wanted(
        "matmul_described",
        _TILES,
        {"BM": 128, "BN": 128, "BK": 64, "SPECIALIZE": True},
        _warps(4, 8, num_stages=3),
        (90, 100, 103, 107, 110, 120),
    ),
    Wanted(
        "attention", (*(_HALF,) * 4, "i32", "fp32"), {"BM": 128, "BN": 64, "D": 64}, _warps(4, 8, num_stages=2),
        (80, 86, 90, 100, 120, "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1250"),
    ),
    Wanted("reduce_rows", (_FLOAT, _FLOAT, "i32"), {"BM": 16, "BN": 64}, _warps(4)),
    Wanted("histogram", ("*i32", "*i32", "i32"), {"BLOCK": 1024}, _warps(4)),
    Wanted("gather", (_HALF, "*i32", _HALF, "i32"), {"BLOCK": 512}, _warps(2)),
    Wanted("dropout", (_FLOAT, _FLOAT, "i32", "fp32", "i32"), {"BLOCK": 1024}, _warps(4)),
    Wanted("rope", (_HALF, _HALF, _HALF, "i32"), {"HALF": 64}, _warps(1, 4)),
    Wanted("quantise", (_HALF, "*i8", _FLOAT, "i32"), {"BLOCK": 2048}, _warps(8)),
    Wanted("running_sum", (_FLOAT, _FLOAT, "i32"), {"BLOCK": 1024}, _warps(4)),
    Wanted("sort_rows", (_FLOAT, _FLOAT, "i32"), {"BLOCK": 256}, _warps(4), (80, 90, 120, "gfx942", "gfx1201")),
    Wanted("cross_entropy", (_HALF, "*i64", _FLOAT, "i32"), {"BLOCK": 4096}, _warps(8)),
    Wanted("Layer.gelu", (_FLOAT, _FLOAT, "i32"), {"BLOCK": 1024}, _warps(4)),
    Wanted(LONG, (_FLOAT, _FLOAT, "i32"), {"BLOCK": 256}, _warps(2), (80, 90, "gfx942")),
)  # fmt: skip
