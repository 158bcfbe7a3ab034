"""Fat binaries that nvcc 13.0 wrote, as objects, programs and libraries: what ptxas -v and nvlink -v said of them."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import cuobjdump, fatbin, ptxas, recognise
from occupancy_lsp.counts.formats.nvidia_link import UNLINKED
from occupancy_lsp.counts.usage import Usage
from tests.counts.archives import archive
from tests.counts.damage import damaged
from tests.counts.nvidia_samples import by_kernel, log, samples

PLAIN = ("fat.fatbin", "fat_plain.o", "fat_default.o", "fat_program", "fat_library.so")
WHOLE = samples()["made/fat.fatbin"]


def builds() -> dict[str, bytes]:
    return archive("nvidia/builds.tar.xz")


def figures(usages: tuple[Usage, ...]) -> dict[tuple[str, str | None], tuple[int | None, ...]]:
    return {key: (u.registers, u.static_local, u.barriers, u.stack) for key, u in by_kernel(usages).items()}


@pytest.mark.parametrize("name", PLAIN)
def test_every_kernel_for_every_architecture(name: str) -> None:
    reading = fatbin.read(samples()[f"made/{name}"], name)
    assert figures(reading.usages) == figures(log("made/fat_plain.txt"))
    assert len(reading.usages) == 6 and {usage.path for usage in reading.usages} == {name}
    assert {usage.max_group_size for usage in reading.usages} == {64, 128} and reading.problems == ()


@pytest.mark.parametrize("name", ["linked", "linked_sm_90"])
def test_a_linked_program_has_what_nvlink_said(name: str) -> None:
    """nvlink names no architecture where it links for one."""
    reading = fatbin.read(samples()[f"made/{name}"], name)
    said = {(kernel, arch or "sm_90"): it for (kernel, arch), it in figures(log(f"made/{name}.txt")).items()}
    assert figures(reading.usages) == said and len(said) in (2, 12) and reading.problems == ()


def test_what_is_not_linked_is_not_read() -> None:
    reading = fatbin.read(samples()["made/unlinked.o"], "k.o")
    assert reading.usages == () and [problem.message for problem in reading.problems] == [UNLINKED]


@pytest.mark.parametrize("name", ["fat_lz4.o", "fat_zstd.o"])
def test_compressed_code_is_read(name: str) -> None:
    reading = fatbin.read(samples()[f"made/{name}"], name)
    assert figures(reading.usages) == figures(log("made/fat_plain.txt")) and reading.problems == ()


@pytest.mark.parametrize(("name", "package"), [("fat_lz4.o", "lz4"), ("fat_zstd.o", "zstandard")])
def test_without_the_package_that_inflates_it_is_not_read(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are systems for which nobody publishes it."""
    for module in (package, "lz4.block"):
        monkeypatch.setitem(sys.modules, module, None)
    reading = fatbin.read(samples()[f"made/{name}"], name)
    assert reading.usages == ()
    said = {problem.message.partition(": ")[2] for problem in reading.problems}
    assert said == {f"the Python package {package} is missing"}


SHIFTED = (
    "size.o",
    "speed.o",
    "libshift.a",
    "shift.cpython-311-x86_64-linux-gnu.so",
    "shift.obj",
    "shift.exe",
    "shift.lib",
)


@pytest.mark.parametrize("name", SHIFTED)
def test_a_build_has_what_ptxas_said(name: str) -> None:
    reading = recognise.read(builds()[name], name)
    assert figures(reading.usages) == figures(ptxas.read(builds()["shift.txt"], "shift.txt").usages)
    assert len(reading.usages) == 2 and reading.problems == ()


def test_a_library_linked_of_compressed_objects_has_what_nvlink_said() -> None:
    reading = recognise.read(builds()["liblinked.so"], "liblinked.so")
    said = ptxas.read(builds()["linked.txt"], "linked.txt").usages
    assert {u.kernel: (u.registers, u.static_local) for u in reading.usages} == {
        u.kernel: (u.registers, 1024 if "shift" in u.kernel else 0) for u in said
    }
    assert len(said) == 2 and reading.problems == ()


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("unlinked.o", UNLINKED),
        ("ptx_only.o", "-gencode arch=compute_90,code=sm_90"),
        ("lto.o", "give the program or library that nvcc -dlto links of it"),
    ],
)
def test_what_has_no_final_code_says_what_to_do(name: str, remedy: str) -> None:
    reading = recognise.read(builds()[name], name)
    assert reading.usages == () and [problem.message.endswith(remedy) for problem in reading.problems] == [True]


def test_compressed_code_that_would_be_huge_is_told() -> None:
    """`size.o` has two cubins; what each becomes stands 56 bytes behind where its header starts."""
    data = builds()["size.o"]
    start = data.find(b"\x50\xed\x55\xba") + 16
    for claimed in (0, 1 << 20, 1 << 29, (1 << 64) - 1):
        reading = fatbin.read(data[: start + 56] + claimed.to_bytes(8, "little") + data[start + 64 :], "size.o")
        assert reading.problems and len(reading.usages) < 2


@pytest.mark.parametrize("name", ["fat_program", "linked"])
def test_a_program_is_what_cuobjdump_says_of_it(name: str) -> None:
    """It tells the architectures here; barriers it does not tell, nor, without PTX, that it is of linked code: then
    shared memory on sm_90 may be with the reserve or without."""
    dump = figures(cuobjdump.read(samples()[f"cuobjdump/{name}.txt"], name).usages)
    ours = figures(fatbin.read(samples()[f"made/{name}"], name).usages)
    unsure = {key for key, it in ours.items() if name == "linked" and key[1] == "sm_90" and it[1]}
    assert {key: (it[0], None if key in unsure else it[1], it[3]) for key, it in ours.items()} == {
        key: (it[0], it[1], it[3]) for key, it in dump.items()
    }


def test_only_programs_with_such_code_are_looked_at() -> None:
    assert all(fatbin.looks_like(samples()[f"made/{name}"]) for name in PLAIN)
    assert not fatbin.looks_like(samples()["nvrtc/sm_90.cubin"])
    assert not fatbin.looks_like(b"about .nv_fatbin")


def test_many_empty_pieces_are_given_up() -> None:
    piece = bytes.fromhex("02000101400000000000000000000000").ljust(64, b"\0")
    header = WHOLE[:8] + (len(piece) * 10_000).to_bytes(8, "little")
    (problem,) = fatbin.read(header + piece * 10_000, "k").problems
    assert "more than 8192" in problem.message


def test_a_piece_larger_than_its_container_is_told() -> None:
    """The first piece begins after 16 bytes, and has its length 8 bytes later."""
    end = len(WHOLE) - 16 - 64
    for size in (end + 1, 1 << 62, (1 << 64) - 1):
        reading = fatbin.read(WHOLE[:24] + size.to_bytes(8, "little") + WHOLE[32:], "k")
        assert reading.usages == () and "a piece of code" in reading.problems[0].message


def test_a_container_without_end_is_told() -> None:
    for cut in (20, 100, len(WHOLE) - 1):
        reading = fatbin.read(WHOLE[:cut], "k")
        assert reading.usages == () and "damaged fat binary" in reading.problems[0].message


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([*PLAIN, "linked", "unlinked.o", "fat_zstd.o", "fat_lz4.o"]), st.data())
def test_no_damage_raises(name: str, data: st.DataObject) -> None:
    reading = fatbin.read(data.draw(damaged(samples()[f"made/{name}"])), name)
    assert all(usage.registers is None or usage.registers >= 0 for usage in reading.usages)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["shift.obj", "shift.exe", "shift.lib", "libshift.a"]), st.data())
def test_no_damage_to_programs_and_libraries_raises(name: str, data: st.DataObject) -> None:
    reading = recognise.read(data.draw(damaged(builds()[name])), name)
    assert not any("error" in problem.message for problem in reading.problems)
