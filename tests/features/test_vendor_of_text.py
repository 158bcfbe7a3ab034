"""The device that is shown where nobody chose one: by what the text says of the vendor."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.support import text_of

PLAIN = "__kernel void k(__global float* p) { p[get_global_id(0)] = 1; }\n"
INTEL = PLAIN.replace("void", "__attribute__((intel_reqd_sub_group_size(16))) void")


def seen(source: str, *devices: str, name: str = "k.cl") -> View:
    chosen = {"devices": list(devices)} if devices else None
    view = OpenFile(Path("/nowhere") / name, "", Text(source.encode()), Project(None, None, chosen)).view()
    assert view is not None and view.device is not None
    return view


def shown(source: str, *devices: str) -> tuple[str, str]:
    view = seen(source, *devices)
    assert view.device is not None
    return view.device.id, view.origin


def using(call: str) -> str:
    return PLAIN.replace("= 1", f"= {call}")


@pytest.mark.parametrize(
    ("source", "device"),
    [
        (INTEL, "arc-b580"),
        (INTEL.replace("16", "8"), "arc-a770"),  # the B580 has 16 and 32
        (using("intel_sub_group_shuffle(p[1], 0)"), "arc-b580"),
        (using("qcom_sub_group_shuffle_down(p[1], 1)"), "adreno-740"),
        (PLAIN.replace("void", '__attribute__((qcom_reqd_sub_group_size("half"))) void'), "adreno-740"),
        (using("arm_dot(a, b)"), "mali-g78-mp14"),
        (using("amd_bitalign(1, 2, 3)"), "mi300x"),
        (using("__builtin_amdgcn_readfirstlane(1)"), "mi300x"),
        (PLAIN.replace("void", "__attribute__((amdgpu_waves_per_eu(2))) void"), "mi300x"),
        (using("__nvvm_read_ptx_sreg_laneid()"), "h100"),
    ],
)
def test_whose_extensions_the_text_uses(source: str, device: str) -> None:
    assert shown(source) == (device, "text")


@pytest.mark.parametrize(
    "source",
    [
        PLAIN,
        f"#ifdef cl_intel_subgroups\n{INTEL}#else\n{PLAIN}#endif\n",
        PLAIN.replace("{ ", "{\n#ifdef cl_intel_subgroups\n p[0] = intel_sub_group_shuffle(p[1], 0);\n#endif\n"),
        INTEL + using("qcom_sub_group_shuffle_down(p[1], 1)").replace(" k(", " other("),
        f"// unlike intel_sub_group_shuffle(x)\n{PLAIN}",
        using("amd_order(p[1]) + arm_length(p[2])"),  # names of nobody's extension
    ],
)
def test_what_names_no_vendor_or_several(source: str) -> None:
    assert shown(source) == ("h100", "default")


def test_a_person_s_choice_is_always_first() -> None:
    assert shown(INTEL, "mi300x") == ("mi300x", "command line")
    assert shown(f"// occupancy: device=iris-xe\n{INTEL}") == ("iris-xe", "directive")


def test_a_large_group_of_intel_s_launches() -> None:
    """96 KiB are more than OpenCL gives a work-group on NVIDIA, and fit Battlemage."""
    tile = "__local float t[24576]; t[get_local_id(0)] = p[0]; barrier(CLK_LOCAL_MEM_FENCE); p[1] = t[2];"
    source = INTEL.replace("void", "__attribute__((reqd_work_group_size(256, 1, 1))) void").replace(
        "p[get_global_id(0)] = 1;", tile
    )
    view = seen(source)
    label = text_of(view.reports[0])
    assert label is not None and "no launch" not in label and "Xe-core" in label
    said = "The device is chosen by intel_reqd_sub_group_size in the text; set occupancy.devices, or"
    assert said in plain(explain(view, 0))


def test_an_edit_changes_the_device_and_back() -> None:
    file = OpenFile(Path("/nowhere/k.cl"), "", Text(PLAIN.encode()), Project(None, None, None))
    word = b"__attribute__((intel_reqd_sub_group_size(16))) "
    at = PLAIN.index("void")
    for _ in range(2):
        for edit, device in (((at, at, word), "arc-b580"), ((at, at + len(word), b""), "h100")):
            file.edit(*edit)
            view = file.view()
            assert view is not None and view.device is not None and view.device.id == device


def test_cuda_and_hip_have_their_own() -> None:
    cuda = "__global__ void k(float* p) { p[0] = intel_sub_group_shuffle(p[1], 0); }\n"
    view = seen(cuda, name="k.cu")
    assert view.device is not None and (view.device.id, view.origin) == ("h100", "default")
