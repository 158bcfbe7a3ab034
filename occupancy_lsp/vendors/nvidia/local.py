"""How NVIDIA's SMs allocate shared memory. Source: CUDA's cuda_occupancy.h (13.0, reserve as in 13.5)."""

from __future__ import annotations

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.vendors.nvidia.hardware import NvidiaHardware


def local_allows(arch: NvidiaHardware, opt_in: bool) -> int:
    """Bytes, static and dynamic together, that one block may ask for."""
    return arch.local_per_group_opt_in if opt_in else arch.local_per_group


# On compute capability 1.x: the sizes of block and grid and the block's index, which ptxas prints behind the `+` of
# "2064+16 bytes smem", and the kernel's parameters from byte 16 on (compiled code, as told
# in forums.developer.nvidia.com/t/recover-shared-memory-used-for-parameter-passing/1730), of which CUDA took 256.
_BUILT_IN, _MOST_PARAMETERS = 16, 256


def local_beside_variables(arch: NvidiaHardware) -> tuple[int, int]:
    """The fewest and the most bytes of shared memory that each block has beside the kernel's variables."""
    return (0, 0) if arch.generation > 1 else (_BUILT_IN, _BUILT_IN + _MOST_PARAMETERS)


def local_limit(arch: NvidiaHardware, need: Need) -> int | None:
    """Blocks per SM that shared memory allows; None where a block takes none of it."""
    asked = need.static_local + need.dynamic_local
    if asked > local_allows(arch, need.opt_in):
        return 0
    taken = round_up(asked + arch.local_reserved, arch.local_unit)
    if taken == 0:
        return None
    return configured_local(arch, need.carveout, taken) // taken


def configured_local(arch: NvidiaHardware, carveout: int | None, least: int) -> int:
    """Bytes of shared memory an SM is set to: the preferred size, else the smallest that holds `least` bytes.

    Before cc 7.0 the preference is not heard: Kepler has another call for it, Maxwell and Pascal nothing to choose.
    """
    if carveout is None or arch.generation < 7:
        return arch.local_per_unit
    wanted = max(carveout * arch.local_per_unit // 100, least)
    return next((size for size in arch.carveouts if size >= wanted), arch.local_per_unit)
