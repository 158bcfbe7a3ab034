"""What is known of the values of a thread's numbers and of the functions that compilers know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from occupancy_lsp.source.kernels.sampled_terms import Applied, Converted, Term, Value
from occupancy_lsp.source.syntax.integer_types import INT, REAL, UNSIGNED, IntegerType, common_type

# The greatest places in a grid and its blocks: of these blocks and grids have some, too.
_MOST_THREADS = 1023
PLACES = {
    "threadIdx": (0, _MOST_THREADS), "blockIdx": (0, 65534), "blockDim": (1, _MOST_THREADS + 1), "gridDim": (1, 65535),
}  # fmt: skip
DIMENSIONS = 3
# Of which each dimension has one: what further ones have.
OF_DIMENSIONS = {
    "get_local_id": 0, "get_group_id": 0, "get_global_id": 0, "get_global_offset": 0,
    "get_local_size": 1, "get_num_groups": 1, "get_global_size": 1, "get_enqueued_local_size": 1,
}  # fmt: skip
CALLED_PLACES = {
    "get_local_id": (0, 255), "get_group_id": (0, INT.most), "get_global_id": (0, INT.most),
    "get_local_size": (1, 256), "get_num_groups": (1, INT.most), "get_global_size": (1, INT.most),
    "get_global_offset": (0, INT.most), "get_enqueued_local_size": (1, 256),
    "get_sub_group_local_id": (0, 7), "get_sub_group_id": (0, 1), "get_sub_group_size": (8, 64),
    "get_num_sub_groups": (1, 2), "get_global_linear_id": (0, INT.most), "get_local_linear_id": (0, 255),
}  # fmt: skip


def _bits(value: int) -> int:
    return value & UNSIGNED.most


def _low_24(value: int) -> int:
    return value & ((1 << 24) - 1)


# By the number of arguments: with the type of what comes out, None: the common one of all.
FUNCTIONS: Mapping[tuple[str, int], tuple[Callable[..., Value | None], IntegerType | None]] = {
    **dict.fromkeys(((it, 2) for it in ("min", "umin", "fminf", "fmin")), (min, None)),
    **dict.fromkeys(((it, 2) for it in ("max", "umax", "fmaxf", "fmax")), (max, None)),
    ("clamp", 3): (lambda value, low, high: min(max(value, low), high), None),
    **dict.fromkeys(((it, 1) for it in ("abs", "fabsf", "fabs", "labs", "llabs")), (abs, None)),
    **dict.fromkeys((("__popc", 1), ("popcount", 1)), (lambda value: _bits(value).bit_count(), INT)),
    **dict.fromkeys((("__clz", 1), ("clz", 1)), (lambda value: 32 - _bits(value).bit_length(), INT)),
    ("__brev", 1): (lambda value: int(f"{value:032b}"[::-1], 2), UNSIGNED),
    **dict.fromkeys((("__mul24", 2), ("__umul24", 2)), (lambda one, other: _low_24(one) * _low_24(other), None)),
    ("__ffs", 1): (lambda value: (_bits(value) & -_bits(value)).bit_length(), INT),
    **dict.fromkeys((("sqrtf", 1), ("sqrt", 1)), (lambda value: value**0.5 if value >= 0 else None, REAL)),
}
TRUTHS = frozenset(("__any_sync", "__all_sync", "__any", "__all", "__isGlobal", "__isShared"))
LOADS = frozenset(("__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"))
POSITIVE = frozenset(("expf", "exp", "__expf", "exp2f", "exp2", "rsqrtf", "rsqrt", "native_exp", "hypotf", "hypot"))


def known_function(name: str, of: Sequence[Term]) -> Term:
    """Return what one of `FUNCTIONS` makes of its arguments."""
    work, kind = FUNCTIONS[name, len(of)]
    common = reduce(common_type, (it.type for it in of))
    given = common if kind is None else UNSIGNED if kind == INT else kind
    return Applied(work, tuple(Converted(it, given) for it in of), kind or common)
