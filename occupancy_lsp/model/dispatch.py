"""One entry to every vendor's rule."""

from __future__ import annotations

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.vendors.amd import compiler as amd_compiler
from occupancy_lsp.vendors.amd import rule as amd
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.apple import rule as apple
from occupancy_lsp.vendors.arm import rule as mali
from occupancy_lsp.vendors.generic import rule as generic
from occupancy_lsp.vendors.generic.arch import GenericArch
from occupancy_lsp.vendors.imagination import rule as imagination
from occupancy_lsp.vendors.intel import rule as intel
from occupancy_lsp.vendors.intel.arch import IntelArch
from occupancy_lsp.vendors.mobile_arch import AdrenoArch, AppleArch, ImaginationArch, MaliArch
from occupancy_lsp.vendors.nvidia import rule as nvidia
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.qualcomm import rule as adreno


def occupancy(arch: Architecture, need: Need) -> Occupancy:
    """What one compute unit of `arch` holds of work-groups that each ask for `need`. ValueError: impossible need."""
    match arch:
        case NvidiaArch():
            return nvidia.occupancy(arch, need)
        case AmdArch():
            return amd.occupancy(arch, need)
        case IntelArch():
            return intel.occupancy(arch, need)
        case AdrenoArch():
            return adreno.occupancy(arch, need)
        case MaliArch():
            return mali.occupancy(arch, need)
        case AppleArch():
            return apple.occupancy(arch, need)
        case ImaginationArch():
            return imagination.occupancy(arch, need)
        case GenericArch():
            return generic.occupancy(arch, need)


def per_limiter_sub_groups(arch: Architecture, need: Need) -> dict[str, int] | None:
    """The figure that the vendor's compiler prints, limiter by limiter, in its own unit.

    AMD, LLVM: waves per SIMD; Adreno, Mesa's Turnip: waves per SP core. None: it prints none. ValueError: impossible
    need.
    """
    if isinstance(arch, AdrenoArch):
        return adreno.per_limiter(arch, need)
    return amd_compiler.per_limiter(arch, need) if isinstance(arch, AmdArch) else None
