"""What a device's compiler defines before the first line of a source."""

from __future__ import annotations

import re

from occupancy_lsp.model.device import Device
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch

_TARGET = re.compile(r"gfx(\d+)([\da-f])([\da-f])\b")


def predefined(device: Device | None, language: str) -> dict[str, int]:
    """Names whose value is a number, with it."""
    if device is None:
        return {}
    if isinstance(device.arch, NvidiaArch):
        return _nvidia(device.arch, language)
    return _amd(device.arch, language) if isinstance(device.arch, AmdArch) else {}


def _nvidia(arch: NvidiaArch, language: str) -> dict[str, int]:
    major, _, minor = arch.compute_capability.partition(".")
    found = {"__CUDA_ARCH__": int(major) * 100 + int(minor) * 10}
    hip = dict.fromkeys(("__CUDACC__", "__NVCC__", "__HIP_PLATFORM_NVIDIA__"), 1)
    return found | hip if language == "hip" else found


def _amd(arch: AmdArch, language: str) -> dict[str, int]:
    """Of clang's AMDGPU target; HIP's own on top, in the pass for the device."""
    target = _TARGET.match(arch.id)
    if target is None:
        return {}
    wave = arch.sub_group_size
    found = dict.fromkeys(("__AMDGCN__", "__AMDGPU__", "__AMD__", f"__{target[0]}__", f"__GFX{target[1]}__"), 1)
    found |= dict.fromkeys(("__AMDGCN_WAVEFRONT_SIZE__", "__AMDGCN_WAVEFRONT_SIZE"), wave)
    if language == "hip":
        found |= {"__HIP_DEVICE_COMPILE__": 1, "__HIP_PLATFORM_AMD__": 1}
    return found
