"""One kernel's figures by every reader, by LLVM's readelf and objdump, and by the occupancy that LLVM prints."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from occupancy_lsp.counts.formats.recognise import recognise
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.compiler import per_limiter
from occupancy_lsp.vendors.amd.registers import scalar_allocation, vector_allocation, vector_registers
from tests.counts.amd_support import _READERS, dumped, for_waves, llvm, metadata, named, printed, samples, usages
from tests.model.amd_support import archs

OBJECTS = named(".hsaco", ".o")
ASSEMBLY = [name for name in named(".s") if not name.startswith("vliw/")]
REMARKS = named(".remarks")
GENERIC = {"gfx9-generic": "gfx900", "gfx9-4-generic": "gfx942", "gfx10-3-generic": "gfx1030",
           "gfx11-generic": "gfx1100", "gfx12-generic": "gfx1200"}  # fmt: skip


# What is set aside is more than what is used: where `amdgpu_waves_per_eu` has a most of waves, and where LLVM 22 finds
# that local memory lets no more fit.
PADDED = {"one", "up_to_three", "padded", "wpe", "far", "_Z8ldsboundiPd"}
PADDED_BY_22 = "isa/gfx600.llvm22"


def arch_of(usage: Usage) -> AmdArch:
    assert usage.arch
    return archs()[GENERIC.get(usage.arch, usage.arch)]


def need(usage: Usage, threads: int) -> Need:
    return Need(
        threads,
        usage.registers,
        usage.static_local or 0,
        accumulators=usage.accumulators or 0,
        scalars=usage.scalars,
        sub_group=usage.sub_group,
        mode=usage.mode,
    )


def allocation(usage: Usage) -> tuple[int, int | None]:
    """Vector registers per thread and scalars per wave that the model takes for it."""
    arch, asked = arch_of(usage), need(usage, 64)
    registers = vector_registers(arch, asked)
    assert registers is not None
    return vector_allocation(arch, usage.sub_group or arch.sub_group_size, registers), scalar_allocation(arch, asked)


def test_all_versions_and_architectures_are_here() -> None:
    assert len(OBJECTS) == 104
    assert len(ASSEMBLY) == 120
    assert len(REMARKS) == 130
    for reader in (OBJECTS, ASSEMBLY, REMARKS):
        assert {llvm(name) for name in reader if "coloured" not in name} == {16, 19, 22}
        found = {usage.arch for name in reader for usage in usages(name).values()}
        assert len(found) == 23, sorted(map(str, found))


@pytest.mark.parametrize("name", [*OBJECTS, *ASSEMBLY, *REMARKS])
def test_every_file_is_recognised(name: str) -> None:
    assert recognise(samples()[name], name) is _READERS[Path(name).suffix].read


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_say_what_llvm_reads_in_them(name: str) -> None:
    said = dumped(name)
    assert list(usages(name)) == list(said)
    for kernel, usage in usages(name).items():
        truth = said[kernel]
        assert usage.sub_group == truth[".wavefront_size"]
        assert usage.static_local == truth[".group_segment_fixed_size"]
        assert usage.stack == (None if truth.get(".uses_dynamic_stack") else truth[".private_segment_fixed_size"])
        assert same_metadata(usage, truth)
        if "next_free_vgpr" in truth:
            assert same_descriptor(usage, truth)
        else:  # objdump has no words for these
            assert name.startswith(("objects/gfx600", "objects/gfx701")) or kernel in SCALAR_BLOCKS


# LLVM 16 and 19 give them blocks of scalar registers on gfx10 and 11, where that means nothing.
SCALAR_BLOCKS = {"calls_helper", "recursive", "too_big_private"}


def same_descriptor(usage: Usage, truth: dict[str, Any]) -> bool:
    arch, (vectors, scalars) = arch_of(usage), allocation(usage)
    wave = 32 if truth.get("wavefront_size32") else 64
    return (
        usage.sub_group == wave
        and usage.mode == {None: None, 0: "cu", 1: "wgp"}[truth.get("workgroup_processor_mode")]
        and usage.static_local == truth["group_segment_fixed_size"]
        and usage.stack in (None, truth["private_segment_fixed_size"])
        and vectors == vector_allocation(arch, wave, truth["next_free_vgpr"])
        and (scalars is None or scalars == round_up(truth["next_free_sgpr"], arch.scalar_unit) + arch.scalar_reserve)
    )


def same_metadata(usage: Usage, truth: dict[str, Any]) -> bool:
    """What no other source says."""
    size = truth.get(".reqd_workgroup_size")
    return (
        usage.max_group_size == truth[".max_flat_workgroup_size"]
        and usage.group_size == (size and size[0] * size[1] * size[2])
        and usage.spilled_registers == truth[".vgpr_spill_count"]
        and usage.spilled_scalars == truth[".sgpr_spill_count"]
    )


@pytest.mark.parametrize("name", ASSEMBLY)
def test_assembly_says_what_its_metadata_do(name: str) -> None:
    text = samples()[name].decode()
    said = metadata(text.partition(".amdgpu_metadata\n")[2].partition("\n...")[0])
    assert list(usages(name)) == list(said)
    for kernel, usage in usages(name).items():
        truth = said[kernel]
        assert same_metadata(usage, truth)
        assert usage.sub_group == truth[".wavefront_size"]
        assert usage.static_local == truth[".group_segment_fixed_size"]
        assert usage.stack == (None if truth.get(".uses_dynamic_stack") else truth[".private_segment_fixed_size"])
        if counts := for_waves(name, kernel):
            assert (vector_registers(arch_of(usage), need(usage, 64)), usage.scalars) == counts
            assert usage.accumulators == truth.get(".agpr_count") or kernel == "padded"
        else:
            assert kernel in ("calls_outside", "far", "_Z8ldsboundiPd")
        assert text.split("\n")[usage.line - 1].strip() == f".amdhsa_kernel {kernel}"


@pytest.mark.parametrize("name", [name for name in ASSEMBLY if f"{name[:-2]}.hsaco" in samples()
                                  or f"{name[:-2]}.o" in samples() or name.startswith("isa/")])  # fmt: skip
def test_assembly_and_objects_agree(name: str) -> None:
    stem = name.removesuffix(".s").replace("isa/", "objects/")
    other = next((it for it in OBJECTS if it.startswith(f"{stem}.")), None)
    if other is None:
        assert llvm(name) == 16  # of which only some objects are here
        return
    for kernel, usage in usages(name).items():
        binary = usages(other)[kernel]
        assert allocation(usage) == allocation(binary)
        exact = kernel not in PADDED and not usage.accumulators and not name.startswith(PADDED_BY_22)
        loose = set() if exact else {"registers", "accumulators", "scalars"}
        assert without(usage, loose) == without(binary, loose)


def without(usage: Usage, fields: set[str]) -> dict[str, Any]:
    return {key: value for key, value in asdict(usage).items() if key not in fields | {"path", "line", "at"}}


@pytest.mark.parametrize("name", [name for name in REMARKS if f"{name.removesuffix('.remarks')}.s" in samples()])
def test_remarks_and_assembly_agree(name: str) -> None:
    assembly = usages(f"{name.removesuffix('.remarks')}.s")
    assert list(usages(name)) == list(assembly)
    for kernel, usage in usages(name).items():
        other = assembly[kernel]
        if kernel not in PADDED and kernel not in ("calls_outside",):
            assert (usage.registers, usage.accumulators) == (other.registers, other.accumulators)
            assert usage.scalars == other.scalars or name.startswith(PADDED_BY_22)
        assert (usage.static_local, usage.stack) == (other.static_local, other.stack)
        assert (usage.spilled_registers, usage.spilled_scalars) == (other.spilled_registers, other.spilled_scalars)


def test_what_llvm_prints_is_what_the_model_makes_of_it() -> None:
    seen: Counter[str] = Counter()
    for name in (*ASSEMBLY, *REMARKS):
        assembly = name.replace(".remarks", ".s")
        for kernel, waves in printed(name).items():
            usage = usages(name).get(kernel)
            if usage is None:
                seen["functions"] += 1
            elif usage.registers is None:
                assert name.endswith(".remarks")
                assert kernel in PADDED
                seen["padded"] += 1
            else:
                full = usages(assembly)[kernel] if assembly in samples() else bounded(usage)
                figures = _waves(usage, full, llvm(name))
                told = not (name.startswith("bounds/gfx1100") and kernel == "wpe44")
                assert (waves in figures) == told, (name, kernel)
                seen[Path(name).suffix if told else "padded, and remarks do not show it"] += 1
    assert seen == {
        ".s": 267,
        ".remarks": 382,
        "padded": 38,
        "padded, and remarks do not show it": 3,
        "functions": 4,
    }


def bounded(usage: Usage) -> Usage:
    """With what the attributes of `bounds.hip` say."""
    size = re.match(r"lb(\d+)", usage.kernel)
    return replace(usage, max_group_size=int(size[1]) if size else 1024 if usage.kernel == "plain" else 256)


def _waves(usage: Usage, full: Usage, version: int) -> list[int]:
    """Waves per SIMD, for the size that LLVM takes; of a range, newer versions take one that does well."""
    assert full.max_group_size
    ranged = version == 22 and full.max_group_size == 1024
    sizes = range(64, 1025, 64) if ranged else [full.max_group_size]
    asked = replace(need(usage, 1), sub_group=full.sub_group, mode=full.mode)
    figures = [per_limiter(arch_of(usage), replace(asked, group_size=size), version) for size in sizes]
    return [min(figure.values()) for figure in figures if figure]
