"""What is known of names that headers outside of the workspace define, as data, and where that is written.

Only what does not differ between versions, as far as known, is told. What the workspace defines is the workspace's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.sema.cub_storage import ALGORITHMS


@dataclass(frozen=True, slots=True)
class LibraryName:
    """`call`: it is a function without arguments. `source`: the header, and the commit of it that was read."""

    number: int
    source: str
    call: bool = False


KNOWN: Mapping[str, LibraryName] = {
    "C10_WARP_SIZE": LibraryName(32, "c10/macros/Macros.h, PyTorch 00a1abb4"),
    "at::cuda::detail::CUDA_NUM_THREADS": LibraryName(1024, "ATen/cuda/detail/KernelUtils.h, PyTorch 051e2a50"),
    "AT_APPLY_THREADS_PER_BLOCK": LibraryName(512, "ATen/cuda/ApplyGridUtils.cuh, PyTorch 66a38d50"),
    "at::cuda::getApplyBlock": LibraryName(512, "ATen/cuda/ApplyGridUtils.cuh, PyTorch 66a38d50", True),
    "at::cuda::getApplyBlockSize": LibraryName(512, "ATen/cuda/ApplyGridUtils.cuh, PyTorch 66a38d50", True),
    "at::cuda::warp_size": LibraryName(32, "ATen/cuda/CUDAContextLight.h: the device's own", True),
    "cuco::detail::default_block_size": LibraryName(128, "cuco/detail/utility/cuda.hpp, cuCollections", True),
    **{
        f"cub::{outer}{name}": LibraryName(number, "cub/block/, CCCL 3.0")
        for kind, names in ALGORITHMS.items()
        for outer in ("", f"{''.join(it.title() for it in kind.split('_'))}Algorithm::")
        for number, name in enumerate(names)
    },
}
# Of classes whose constructors are out of sight: members, and which argument each is given (cuDF,
# cpp/include/cudf/detail/utilities/grid_1d.cuh and src/utilities/grid_1d.cu).
MEMBERS: Mapping[str, Mapping[str, int]] = {"cudf::detail::grid_1d": {"num_threads_per_block": 1}}

# The same of classes that are out of sight themselves, with where that is written.
_RAFT = "raft/util/cudart_utils.hpp, RAFT"
MADE_MEMBERS: Mapping[str, Mapping[str, tuple[int, str]]] = {
    f"raft::grid_1d_{each}_t": {"block_size": (1, _RAFT)} for each in ("thread", "warp", "block")
}


@dataclass(frozen=True, slots=True)
class LaunchConfigurator:
    """Which arguments of its constructor a class has its sizes from that launches are configured with."""

    grid: int
    block: int
    dynamic: int  # which may be left out
    source: str


CONFIGURED: Mapping[str, LaunchConfigurator] = {
    "arrayfire::cuda::EnqueueArgs": LaunchConfigurator(0, 1, 3, "src/backend/cuda/EnqueueArgs.hpp, ArrayFire 37e2982b"),
}
# Functions that take numbers by value or by reference to const.
READING: Mapping[str, str] = {
    "at::ceil_div": "ATen/ceil_div.h, PyTorch",
    "cuda::ceil_div": "cuda/__cmath/ceil_div.h, CCCL 571f2fc3",
    "cv::cuda::device::divUp": "opencv2/core/cuda/common.hpp, OpenCV",
    "cv::cudev::divUp": "opencv2/cudev/common.hpp, OpenCV 2a5154a4",
    "raft::ceildiv": "raft/util/cuda_dev_essentials.cuh, RAFT",
}
_ENDS = {path.rsplit("::", 1)[-1] for path in (*KNOWN, *READING, *MADE_MEMBERS)}
_Used = Callable[[], Iterable[tuple[str, ...]]]


def launch_configurator(parts: tuple[str, ...], namespaces: tuple[str, ...]) -> LaunchConfigurator | None:
    """As `library_name`, of a class."""
    for outer in range(len(namespaces), -1, -1):
        if (found := CONFIGURED.get("::".join((*namespaces[:outer], *parts)))) is not None:
            return found
    return None


def library_constant(
    parts: tuple[str, ...], namespaces: tuple[str, ...], call: bool, used: _Used
) -> LibraryName | None:
    """What a name means that nothing in sight defines, written in these namespaces: macros have none.

    `used`: the namespaces whose names are also visible there.
    """
    found = (KNOWN.get(path) for path in _candidate_paths(tuple(filter(None, parts)), namespaces, used))
    return next((it for it in found if it is not None and it.call == call), None)


def library_constructor_member(
    parts: tuple[str, ...], member: str, namespaces: tuple[str, ...], used: _Used
) -> tuple[int, str] | None:
    """As `library_name`, of a class: which argument of its constructor a member is, and where that is written."""
    found = (MADE_MEMBERS.get(path, {}).get(member) for path in _candidate_paths(parts, namespaces, used))
    return next(filter(None, found), None)


def is_read_only_function(parts: tuple[str, ...], namespaces: tuple[str, ...], used: _Used) -> bool:
    """As `library_name`: whether it is a function that leaves its arguments as they are."""
    return any(path in READING for path in _candidate_paths(parts, namespaces, used))


def _candidate_paths(parts: tuple[str, ...], namespaces: tuple[str, ...], used: _Used) -> Iterator[str]:
    if parts[-1] not in _ENDS:
        return
    outer = (namespaces[:depth] for depth in range(len(namespaces), -1, -1))
    for path in (*outer, *used()):
        yield "::".join((*path, *parts))
