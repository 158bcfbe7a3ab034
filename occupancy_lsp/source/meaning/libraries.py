"""Numbers that headers outside of the workspace give names, as data: what they are, and where that is written.

Only what does not differ between versions, as far as known, is told. What the workspace defines is the workspace's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from occupancy_lsp.source.meaning.collectives import ALGORITHMS


@dataclass(frozen=True, slots=True)
class Known:
    """`call`: it is a function without arguments. `source`: the header, and the commit of it that was read."""

    number: int
    source: str
    call: bool = False


KNOWN: Mapping[str, Known] = {
    "C10_WARP_SIZE": Known(32, "c10/macros/Macros.h, PyTorch 00a1abb4"),
    "at::cuda::detail::CUDA_NUM_THREADS": Known(1024, "ATen/cuda/detail/KernelUtils.h, PyTorch 051e2a50"),
    "AT_APPLY_THREADS_PER_BLOCK": Known(512, "ATen/cuda/ApplyGridUtils.cuh, PyTorch 66a38d50"),
    "at::cuda::getApplyBlock": Known(512, "ATen/cuda/ApplyGridUtils.cuh, PyTorch 66a38d50", True),
    "at::cuda::getApplyBlockSize": Known(512, "ATen/cuda/ApplyGridUtils.cuh, PyTorch 66a38d50", True),
    "at::cuda::warp_size": Known(32, "ATen/cuda/CUDAContextLight.h: the device's own", True),
    "cuco::detail::default_block_size": Known(128, "cuco/detail/utility/cuda.hpp, cuCollections", True),
    **{
        f"cub::{outer}{name}": Known(number, "cub/block/, CCCL 3.0")
        for kind, names in ALGORITHMS.items()
        for outer in ("", f"{''.join(it.title() for it in kind.split('_'))}Algorithm::")
        for number, name in enumerate(names)
    },
}
# Of classes whose constructors are out of sight: members, and which argument each is given (cuDF,
# cpp/include/cudf/detail/utilities/grid_1d.cuh and src/utilities/grid_1d.cu).
MEMBERS: Mapping[str, Mapping[str, int]] = {"cudf::detail::grid_1d": {"num_threads_per_block": 1}}


@dataclass(frozen=True, slots=True)
class Configured:
    """Which arguments of its constructor a class has its sizes from that launches are configured with."""

    grid: int
    block: int
    dynamic: int  # which may be left out
    source: str


CONFIGURED: Mapping[str, Configured] = {
    "arrayfire::cuda::EnqueueArgs": Configured(0, 1, 3, "src/backend/cuda/EnqueueArgs.hpp, ArrayFire 37e2982b"),
}
_ENDS = {path.rsplit("::", 1)[-1] for path in KNOWN}


def configured(parts: tuple[str, ...], namespaces: tuple[str, ...]) -> Configured | None:
    """As `known`, of a class."""
    for outer in range(len(namespaces), -1, -1):
        if (found := CONFIGURED.get("::".join((*namespaces[:outer], *parts)))) is not None:
            return found
    return None


def known(
    parts: tuple[str, ...], namespaces: tuple[str, ...], call: bool, used: Callable[[], Iterable[tuple[str, ...]]]
) -> Known | None:
    """What a name means that nothing in sight defines, written in these namespaces: macros have none.

    `used`: the namespaces whose names are also visible there.
    """
    if parts[-1] not in _ENDS:
        return None
    outer = (namespaces[:depth] for depth in range(len(namespaces), -1, -1))
    for path in (*outer, *used()):
        found = KNOWN.get("::".join((*path, *parts)))
        if found is not None and found.call == call:
            return found
    return None
