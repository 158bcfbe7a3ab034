"""What is not final before NVIDIA's linker, and what it adds: the KiB of shared memory that the driver keeps."""

from __future__ import annotations

from occupancy_lsp.core.naming import canonical

UNLINKED = "compiled with -rdc=true: its counts are not final; give the linked program, or what nvcc -Xnvlink -v prints"

_RESERVE = 1024  # bytes per block
_RESERVED_FROM = 90  # the sm from which it is in the counts; the driver keeps it from sm_80 on


def declared(linked: int, arch: str | None) -> int | None:
    """Bytes of static shared memory that a kernel declares, of those in a cubin, by cuobjdump or nvlink.

    ptxas -v does not count the reserve; what is linked has it from sm_90 on, unless the kernel has no shared memory.
    """
    sm = canonical(arch or "").removeprefix("sm_")
    if sm.isdecimal():
        return max(linked - _RESERVE, 0) if int(sm) >= _RESERVED_FROM else linked
    return linked if linked < _RESERVE else None
