"""Words of a text that tell how a kernel is meant: designs with few work-groups, and code that counts on a size."""

from __future__ import annotations

import re
from collections.abc import Set

from occupancy_lsp.core.frozen import frozen
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex

SUB_GROUPS = "sub_group"  # in the names of what OpenCL's sub-groups do
# Without one of these no code changes how many registers its warps have.
HANDS_REGISTERS = frozenset(
    {"asm", "__asm__", "warpgroup_reg_alloc", "warpgroup_reg_dealloc", "setmaxnreg_inc", "setmaxnreg_dec"}
)
# Matrix units, bulk copies, registers handed between warps, and grids that stay: low occupancy is how these are meant.
_DELIBERATE = regex(
    rb"setmaxnreg|warp_?group|\b(?:wg|w|rocw|__[bdhi])?mma(?:[._(]|::)|tcgen05|ldmatrix|(?i:tiled_?mma)"
    rb"|__builtin_amdgcn_(?:mfma|smfmac|s?wmma)|matrix_mad|cp\.async\.bulk|cp_async_bulk|CUtensorMap|\bSM\d+_(?:\w*MMA|TMA|\d+x\d+x\d+_)"
    rb"|(?i:\btma_|_tma_)|expect_tx|TransactionBarrier|this_grid|grid_group|grid\.sync"
    rb"|(?i:persistent|tile_?scheduler|\bnum_?sms?\b|\bsm_?count\b)"
)
# A loop over what a smaller grid leaves.
_STRIDES = regex(rb"gridDim|get_num_groups|get_global_size")
_SHIFT = regex(rb"<<|>>")
# Functions of the lanes of a sub-group, and how many there are.
_LANES = regex(
    r"shfl|shuffle|ballot|activemask|syncwarp|_sync\Z|\A__(?:any|all|match)|warp|wave|lane|sub_?group|simd|quad|swizzle|permute"
    r"|__builtin_amdgcn|asm|tiled_partition|thread_block_tile|coalesced|reduce_(?:add|min|max|and|or|xor)",
    re.IGNORECASE,
)


def design_relevant_names(names: Set[str]) -> frozenset[str]:
    """Those by which rules and edits go."""
    return frozen((*(names & HANDS_REGISTERS), *(it for it in names if SUB_GROUPS in it)))


@remembered(512)  # asked at each key of kernels with advice
def has_low_occupancy_keywords(text: bytes, start: int, end: int) -> bool:
    return _DELIBERATE.search(text, start, end) is not None


def may_grid_stride(text: bytes, start: int, end: int) -> bool:
    """Whether it may loop over what a smaller grid leaves."""
    return _STRIDES.search(text, start, end) is not None


def uses_shifts(code: bytes) -> bool:
    return _SHIFT.search(code) is not None


def is_lane_name(name: str) -> bool:
    """Whether the name may be of what the lanes of a sub-group do, or of how many there are."""
    return _LANES.search(name) is not None
