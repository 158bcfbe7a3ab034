"""The machine's own processors: from programs outside the workspace that print what the vendors' tools print."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from occupancy_lsp.compile.graphics import Seen, seen
from occupancy_lsp.compile.toolchains import Machine

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")

NVIDIA_SMI = """\
GPU 0: NVIDIA GeForce RTX 4090 Laptop GPU (UUID: GPU-2f1b0c3e-6f5d-4c59-9a4e-0d8c2f6f0a11)
GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-7d9b0c3e-6f5d-4c59-9a4e-0d8c2f6f0a12)
  MIG 1g.10gb     Device  0: (UUID: MIG-1b0c3e2f-6f5d-4c59-9a4e-0d8c2f6f0a13)
"""
ROCMINFO = """\
ROCk module is loaded
==========
HSA Agents
==========
*******
Agent 1
*******
  Name:                    AMD EPYC 7A53 64-Core Processor
  Uuid:                    CPU-XX
  Marketing Name:          AMD EPYC 7A53 64-Core Processor
  Vendor Name:             CPU
  Device Type:             CPU
*******
Agent 2
*******
  Name:                    gfx90a
  Uuid:                    GPU-e0a1b0c3e6f5d4c5
  Marketing Name:          AMD Instinct MI250X
  Vendor Name:             AMD
  Device Type:             GPU
  ISA Info:
    ISA 1
      Name:                    amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-
"""
CLINFO = """\
Number of platforms                               2
  Platform Name                                   Intel(R) OpenCL Graphics
  Platform Name                                   Intel(R) OpenCL Graphics
Number of devices                                 1
  Device Name                                     Intel(R) Arc(TM) A770 Graphics
  Device Vendor                                   Intel(R) Corporation
  Device Type                                     GPU
  Platform Name                                   Intel(R) OpenCL
Number of devices                                 1
  Device Name                                     Intel(R) Core(TM) i9-13900K
  Device Type                                     CPU
NULL platform behavior
  clGetPlatformInfo(NULL, CL_PLATFORM_NAME, ...)  Intel(R) OpenCL Graphics
    Device Name                                   Intel(R) Arc(TM) A770 Graphics
"""
CLINFO_OF_AMD = """\
Number of platforms:				 1
  Platform Name:				 AMD Accelerated Parallel Processing
Number of devices:				 1
  Device Type:					 CL_DEVICE_TYPE_GPU
  Vendor ID:					 1002h
  Board name:					 AMD Radeon RX 6800 XT
  Name:						 gfx1030
"""


def _install(folder: Path, name: str, output: str, status: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "said").mkdir(exist_ok=True)
    (folder / "said" / name).write_text(output)
    program = folder / name
    program.write_text(f"#!/bin/sh\n/bin/cat '{folder}/said/{name}'\nexit {status}\n")
    program.chmod(0o755)


def _machine(*folders: Path) -> Machine:
    return Machine({"PATH": ":".join(map(str, folders))}, (), ())


@pytest.fixture(autouse=True)
def _no_tools_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("occupancy_lsp.compile.toolchains._SYSTEM", ())


@pytest.mark.parametrize(
    ("tool", "output", "names"),
    [
        ("nvidia-smi", NVIDIA_SMI, [("NVIDIA GeForce RTX 4090 Laptop GPU",), ("NVIDIA H100 80GB HBM3",)]),
        ("rocminfo", ROCMINFO, [("AMD Instinct MI250X", "gfx90a")]),
        ("rocminfo", "Agent 1\n  Name:\n  Device Type:             GPU\n", []),
        ("clinfo", CLINFO, [("Intel(R) Arc(TM) A770 Graphics",)]),
        ("clinfo", CLINFO_OF_AMD, [("AMD Radeon RX 6800 XT", "gfx1030")]),
        ("sysctl", "Apple M3 Pro\n", [("Apple M3 Pro",)]),
        ("sysctl", "Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz\n", []),
        ("nvidia-smi", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", []),
    ],
)
def test_each_tools_words_are_read(tool: str, output: str, names: list[tuple[str, ...]], tmp_path: Path) -> None:
    _install(tmp_path / "bin", tool, output)
    assert seen(_machine(tmp_path / "bin"), [tmp_path / "workspace"]) == tuple(Seen(tool, it) for it in names)


def test_a_tool_of_the_workspace_is_not_started(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    _install(root / "bin", "nvidia-smi", NVIDIA_SMI)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "nvidia-smi").symlink_to(root / "bin" / "nvidia-smi")
    assert seen(_machine(root / "bin", tmp_path / "bin"), [tmp_path / "other", root]) == ()
    assert len(seen(_machine(root / "bin"), [])) == 2


def test_a_tool_that_fails_tells_nothing(tmp_path: Path) -> None:
    _install(tmp_path, "nvidia-smi", NVIDIA_SMI, status=9)
    (tmp_path / "rocminfo").write_text("no program")
    (tmp_path / "rocminfo").chmod(0o755)
    assert seen(_machine(tmp_path), []) == ()
