"""SPIR-V modules, held against spirv-dis and against the local memory that Intel's compiler gave the same kernels."""

from __future__ import annotations

import re
import struct
from math import prod

import pytest

from occupancy_lsp.counts.formats import spirv, zebin
from occupancy_lsp.counts.formats.recognise import recognise
from occupancy_lsp.counts.usage import Usage
from tests.counts.archives import archive

MODULES = "spirv/modules.tar.xz"
NAMES = [name for name in archive(MODULES) if name.endswith(".spv")]


def usages(name: str) -> dict[str, Usage]:
    reading = spirv.read(archive(MODULES)[name], name)
    assert reading.problems == ()
    return {usage.kernel: usage for usage in reading.usages}


@pytest.mark.parametrize("name", NAMES)
def test_entries_and_sizes_as_spirv_dis_prints_them(name: str) -> None:
    text = archive(MODULES)[name.replace(".spv", ".txt")].decode()
    entries = dict(re.findall(r'OpEntryPoint (?:Kernel|GLCompute) (%\w+) "([^"]+)"', text))
    groups = dict(re.findall(r"OpExecutionMode (%\w+) LocalSize (\d+ \d+ \d+)", text))
    widths = dict(re.findall(r"OpExecutionMode (%\w+) SubgroupSize (\d+)", text))
    told = usages(name)
    assert list(told) == list(entries.values())
    for function, kernel in entries.items():
        usage = told[kernel]
        assert (usage.source, usage.arch, usage.registers) == ("bounded", None, None)
        assert usage.sub_group == (int(widths[function]) if function in widths else None)
        if name != "built-in_1.3.spv":
            size = prod(map(int, groups[function].split())) if function in groups else None
            assert usage.group_size == size


@pytest.mark.parametrize(
    ("module", "compiled"), [("opencl_1.4.spv", "tgllp_1.73.bin"), ("layout_1.4.spv", "layout-tgllp_1.20.bin")]
)
def test_local_memory_is_what_intels_compiler_made_of_it(module: str, compiled: str) -> None:
    """It rounds its sum up to 32 bytes. Mixed alignments and structures have no number."""
    made = {usage.kernel: usage for usage in zebin.read(archive("intel/zebins.tar.xz")[compiled], "z").usages}
    told = usages(module)
    assert told.keys() == made.keys()
    for kernel, usage in told.items():
        if usage.static_local is not None:
            assert -(-usage.static_local // 32) * 32 == made[kernel].static_local
    unknown = {kernel for kernel, usage in told.items() if usage.static_local is None}
    assert unknown == ({"mixed", "record", "tight", "wide"} if module.startswith("layout") else set())


def test_what_can_be_specialised_is_not_said() -> None:
    usage = usages("specialised_1.6.spv")["main"]
    assert (usage.group_size, usage.static_local) == (None, None)


def test_a_built_in_size_goes_before_the_mode() -> None:
    assert {name: usage.group_size for name, usage in usages("built-in_1.3.spv").items()} == {"built_in": 300}


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("one_1.3.spv", [400]),  # all is the one entry point's
        ("several_1.3.spv", [None, None]),  # and here nothing says whose
        ("of-three_1.3.spv", [None]),  # 12 or 16 bytes each, as the driver likes
        ("explicit_1.3.spv", [None]),
        ("vulkan_1.3.spv", [None]),  # arrays of a structure, which a driver may pad
    ],
)
def test_local_memory_only_where_it_is_certain(name: str, local: list[int | None]) -> None:
    assert [usage.static_local for usage in usages(name).values()] == local


@pytest.mark.parametrize("name", NAMES)
def test_the_other_byte_order(name: str) -> None:
    data = archive(MODULES)[name]
    count = len(data) // 4
    swapped = struct.pack(f">{count}I", *struct.unpack(f"<{count}I", data))
    assert spirv.read(swapped, name) == spirv.read(data, name)


def test_recognised_by_content() -> None:
    assert all(recognise(archive(MODULES)[name], "k.spv") is spirv.read for name in NAMES)
    assert not spirv.looks_like(b"\x03\x02#\x07")


def test_a_module_that_is_cut_off_is_told() -> None:
    data = archive(MODULES)["one_1.3.spv"]
    (problem,) = spirv.read(data[:100], "k.spv").problems
    assert problem.message == "damaged SPIR-V module, not read: it is cut off"
