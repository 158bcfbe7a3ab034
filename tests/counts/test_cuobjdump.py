"""What cuobjdump -res-usage prints: 13.5 on the samples, and what is known of it from 11.8 on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import cuobjdump
from occupancy_lsp.counts.formats.nvidia_link import UNLINKED
from tests.counts.damage import damaged
from tests.counts.nvidia_samples import samples
from tests.support import seconds

PROGRAM = samples()["cuobjdump/fat_program.txt"]


def test_a_program_for_three_architectures() -> None:
    reading = cuobjdump.read(PROGRAM, "p")
    assert [(u.line, u.kernel, u.arch, u.registers, u.static_local, u.stack) for u in reading.usages] == [
        (line, f"_Z4tinyILi{size}EEvPf", arch, 10, size * 4, 0)
        for size, arch, line in [
            (64, "sm_75", 46),
            (128, "sm_75", 48),
            (64, "sm_80", 61),
            (128, "sm_80", 63),
            (64, "sm_90", 76),
            (128, "sm_90", 78),
        ]
    ]
    assert reading.problems == () and {usage.barriers for usage in reading.usages} == {None}


def test_a_cubin_s_shared_memory_is_told_where_it_cannot_hold_the_reserve() -> None:
    """The dump of a cubin names no architecture."""
    usages = cuobjdump.read(samples()["nvcc13.0/cuobjdump_res_sm90.txt"], "p").usages
    assert {usage.arch for usage in usages} == {None} and {usage.static_local for usage in usages} == {None}
    older = cuobjdump.read(samples()["cuobjdump/nvcc13.0_k_sm75.cubin.txt"], "p").usages
    assert {usage.static_local for usage in older} == {0, 144, 1024, 4096, 49152}


def test_compressed_code_is_read_all_the_same() -> None:
    assert len(cuobjdump.read(samples()["cuobjdump/fat_zstd.o.txt"], "p").usages) == 6


def test_functions_that_kernels_call_are_no_kernels() -> None:
    assert b"_Z6helperf" in samples()["cuobjdump/linked.txt"]
    assert {u.kernel for u in cuobjdump.read(samples()["cuobjdump/linked.txt"], "p").usages} == {
        "_Z10rdc_kernelPf",
        "_Z4nonePf",
        "_Z4tinyILi64EEvPf",
        "_Z4tinyILi128EEvPf",
    }


def test_what_is_not_linked_is_not_read() -> None:
    reading = cuobjdump.read(samples()["cuobjdump/unlinked.o.txt"], "p")
    assert reading.usages == () and [problem.message for problem in reading.problems] == [UNLINKED]


_OBJECT = b"""
Fatbin elf code:
================
arch = sm_90

Resource usage:
 Function fixed:
  REG:10 STACK:0 SHARED:%d LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0
"""


@pytest.mark.parametrize(
    ("printed", "ptx", "expected"),
    [
        (1280, b"", None),  # `nvcc -gencode arch=compute_90,code=sm_90 -dc`, or 256 bytes in linked code
        (2304, b"", None),  # the same kernel by `-c`, and after `-dlink`: 13.5
        (2304, b"\nFatbin ptx code:\narch = sm_90\nptxasOptions = \n", 1280),
        (256, b"", 256),
        (0, b"", 0),
    ],
)
def test_without_ptx_nothing_tells_linked_code(printed: int, ptx: bytes, expected: int | None) -> None:
    """An object for -rdc=true is without the driver's KiB; what stands with PTX says which it is."""
    (usage,) = cuobjdump.read(_OBJECT % printed + ptx, "p").usages
    assert (usage.arch, usage.static_local) == ("sm_90", expected)


def test_a_stack_without_bound_is_unknown() -> None:
    usages = cuobjdump.read(samples()["cuobjdump/multi_k_13.5_sm_90.cubin.txt"], "p").usages
    assert {u.stack for u in usages if u.kernel == "_Z9recursivePi"} == {None}


def test_names_that_were_demangled_are_kept() -> None:
    text = PROGRAM.replace(b"_Z4tinyILi64EEvPf", b"void tiny<64>(float*)").replace(b"\n", b"\r\n")
    assert cuobjdump.looks_like(text)
    assert cuobjdump.read(text, "p").usages[0].kernel == "void tiny<64>(float*)"


@pytest.mark.parametrize("line", [b"Function ", b"REG:1 STACK:", b": : : ", b"ptxasOptions = ", b" Function k:\n"])
def test_hostile_text_takes_no_more_than_linear_time(line: bytes) -> None:
    data = PROGRAM + line * 40_000

    def whole(text: bytes) -> object:
        return cuobjdump.looks_like(text) and cuobjdump.read(text, "p")

    assert seconds(lambda: whole(data)) < 0.02 + 10 * seconds(lambda: whole(data[: len(data) // 4]))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_damage_raises(data: st.DataObject) -> None:
    text = data.draw(damaged(PROGRAM))
    cuobjdump.looks_like(text)
    assert all(usage.line > 0 for usage in cuobjdump.read(text, "p").usages)


def test_no_registers_are_not_a_count() -> None:
    """As where a digit is lost: no kernel runs without any."""
    text = b" Function k:\n  REG:0 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:916 TEXTURE:0 SURFACE:0 SAMPLER:0\n"
    assert [it.registers for it in cuobjdump.read(text, "k.txt").usages] == [None]
