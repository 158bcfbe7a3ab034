"""Code objects and bundles of them: what test_amd_agreement does not hold against LLVM, and damage."""

from __future__ import annotations

import random
import struct
import zlib

import pytest
from msgspec import msgpack

from occupancy_lsp.counts.formats import amd_bundle, amd_objects
from occupancy_lsp.counts.formats.amd_metadata import of_note
from occupancy_lsp.counts.formats.recognise import recognise
from occupancy_lsp.counts.usage import Reading, Usage
from tests.counts.amd_support import samples, usages
from tests.support import seconds

TWO = [(kernel, arch) for arch in ("gfx1100", "gfx90a") for kernel in ("one", "up_to_three", "plain")]
OTHER = [("other", "gfx1100"), ("other", "gfx90a")]
BUNDLE = "hosts/bundle.llvm22.hsaco"
OBJECT = "padded/mfma.gfx90a.llvm22.hsaco"


def kernels(reading: Reading) -> list[tuple[str, str | None]]:
    return [(usage.kernel, usage.arch) for usage in reading.usages]


def messages(reading: Reading) -> list[str]:
    return [problem.message for problem in reading.problems]


def test_a_whole_kernel() -> None:
    assert usages("opencl/gfx1030.llvm22.o")["reqd"] == Usage(
        "reqd", "compiled", "opencl/gfx1030.llvm22.o", 0, "gfx1030", registers=2, scalars=6, sub_group=32, mode="wgp",
        static_local=0, group_size=512, max_group_size=512, stack=0, spilled_registers=0, spilled_scalars=0,
    )  # fmt: skip


def test_the_total_is_told_apart() -> None:
    used, padded = usages(OBJECT).values()
    assert (used.registers, used.accumulators) == (36, 32)  # of `.vgpr_count: 68`
    assert (padded.registers, padded.accumulators) == (36, 264 - 36)  # of 33 units of 8


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (BUNDLE, TWO),
        ("hosts/bundle.llvm19.hsaco", TWO),
        ("hosts/host-two.llvm22.o", OTHER),
        ("hosts/host.llvm19.so", TWO + OTHER),  # of two source files
        ("hosts/host.llvm22.so", TWO + OTHER),
        ("hosts/host-comp.llvm19.so", TWO + OTHER),  # by zstd
        ("hosts/host-comp.llvm22.so", TWO + OTHER),
    ],
)
def test_bundles(name: str, expected: list[tuple[str, str]]) -> None:
    reading = amd_bundle.read(samples()[name], name)
    assert kernels(reading) == expected
    assert reading.problems == ()
    assert recognise(samples()[name], name) is amd_bundle.read
    for usage in reading.usages:
        if usage.kernel != "other":
            assert usage.registers == usages(f"padded/waves.{usage.arch}.llvm22.hsaco")[usage.kernel].registers


def compressed(content: bytes, version: int, method: int = 0, size: int | None = None) -> bytes:
    """As clang-offload-bundler lays it out."""
    body = zlib.compress(content)
    whole = len(content) if size is None else size
    fields = {1: ("<HIQ", whole), 2: ("<HIIQ", 0, whole), 3: ("<HQQQ", 0, whole)}[version]
    return b"CCOB" + struct.pack("<H", version) + struct.pack(fields[0], method, *fields[1:], 0) + body


@pytest.mark.parametrize("version", [1, 2, 3])
def test_bundles_of_zlib(version: int) -> None:
    data = compressed(samples()[BUNDLE], version)
    assert recognise(data, "k") is amd_bundle.read
    assert amd_bundle.read(data, "k").usages == amd_bundle.read(samples()[BUNDLE], "k").usages
    for end in range(0, len(data), 97):
        assert amd_bundle.read(data[:end], "k").usages == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (compressed(b"other", 2), "what was compressed is none"),
        (compressed(b"other", 2, size=4), "damaged"),
        (compressed(bytes(1 << 20), 3, size=1 << 40), "larger than 64 MiB once inflated"),
        (compressed(bytes(1 << 20), 3, size=1000), "damaged"),
        (b"CCOB\x09\x00" + bytes(40), "compressed in version 9 of its format; compile with --no-offload-compress"),
        (
            b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 1, 0, 1 << 40, 0),
            "its code is not in the file, or overlaps",
        ),
        (b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 9, 0, 0, 1 << 63), "damaged"),
    ],
)
def test_damaged_bundles_are_said(data: bytes, message: str) -> None:
    (said,) = messages(amd_bundle.read(data, "k"))
    assert said.startswith(f"a bundle of device code, not read: {message}")


def test_code_objects_that_overlap_are_not_read_again_and_again() -> None:
    code = samples()[OBJECT]
    entry = struct.pack("<QQQ", 0, 0, 0)
    start = 24 + 8 + 1000 * len(entry)
    entries = b"".join(struct.pack("<QQQ", start, len(code), 0) for _ in range(1000))
    reading = amd_bundle.read(b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", 1000) + entries + code, "k")
    assert reading.usages == ()
    assert "overlaps" in messages(reading)[0]


def test_programs_without_device_code_are_not_looked_like() -> None:
    program = samples()["hosts/host.llvm22.so"].replace(b".hip_fatbin", b".hip_otherx")
    assert not amd_bundle.looks_like(program)
    assert not amd_objects.looks_like(program)


def test_a_target_must_be_named() -> None:
    data = samples()[OBJECT].replace(b"gfx90a", b"nextxx")
    reading = amd_objects.read(data, "k")
    assert reading.usages == ()
    assert "does not name its target" in messages(reading)[0]


def test_metadata_are_read_as_they_come() -> None:
    """What is of no use is not built, however it nests; damage is said."""
    kernel = {".symbol": "k.kd", ".vgpr_count": 4, ".args": [{".name": "x"}], ".reqd_workgroup_size": [8, [8], 8],
              ".wavefront_size": [64], ".uses_dynamic_stack": True, ".name": None, 7: 8}  # fmt: skip
    note = {"other": [[]] * 5, "amdhsa.kernels": [kernel, {}, {".symbol": 3}], "amdhsa.target": "gfx90a"}
    facts = {".symbol": "k.kd", ".vgpr_count": 4, ".reqd_workgroup_size": (8, 8), ".uses_dynamic_stack": True}
    whole = msgpack.encode(note)
    assert of_note(whole) == ("gfx90a", [("k", facts)])
    for end in range(len(whole)):
        with pytest.raises(ValueError, match="damaged metadata"):
            of_note(whole[:end])
    kernels = b"\x81\xaeamdhsa.kernels"
    size = kernels + b"\x91\x81\xb4.reqd_workgroup_size"
    for hostile in (b"\x81" + b"\x91" * 100_000, b"\xdf" + b"\xff" * 4, kernels + b"\xdd\xff\xff\xff\xff", b"\xc1",
                    size, size + b"\x93" + b"\x91" * 9999, kernels + b"\x91\x81\xff"):  # fmt: skip
        with pytest.raises(ValueError, match="damaged metadata"):
            of_note(hostile)


def test_nesting_is_not_built() -> None:
    nested = b"\x81" + b"\xa1a" + b"\xdc\xff\xff" + b"\x80" * 65535
    assert of_note(nested) == ("", [])


@pytest.mark.parametrize("name", [OBJECT, "opencl/gfx1030.llvm22.o", BUNDLE, "hosts/host-two.llvm22.o"])
def test_damaged_files_are_said_or_passed_over(name: str) -> None:
    """Cut anywhere, or changed: no exception, and where all is as before no other figures."""
    whole = samples()[name]
    read = amd_objects.read if amd_objects.looks_like(whole) else amd_bundle.read
    chance = random.Random(name)
    for end in range(0, len(whole), max(len(whole) // 150, 1)):
        read(whole[:end], "k")
    for _ in range(300):
        changed = bytearray(whole)
        for _ in range(chance.choice([1, 1, 4, 32])):
            changed[chance.randrange(len(changed))] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])
        reading = read(bytes(changed), "k")
        assert len(reading.usages) <= 20
        assert all((usage.registers or 0) < 1 << 33 for usage in reading.usages)


def test_many_bundles_take_time_in_their_length() -> None:
    page = samples()["hosts/host-two.llvm22.o"][:0] + b"__CLANG_OFFLOAD_BUNDLE__" + bytes(4072)
    few, many = page * 100, page * 400
    assert time(many) < 10 * max(time(few), 0.002)


def time(data: bytes) -> float:
    return seconds(lambda: amd_bundle.read(data, "k"))
