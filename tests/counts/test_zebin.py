"""Zebins of ocloc 22.43 and 26.27, held against their .ze_info as a YAML library reads it and what ocloc printed."""

from __future__ import annotations

import gzip
import io
from csv import DictReader
from math import prod
from pathlib import Path
from typing import Any

import pytest
import yaml
from elftools.elf.elffile import ELFFile

from occupancy_lsp.counts.formats import ar, intel_archs, zebin
from occupancy_lsp.counts.formats.recognise import recognise
from occupancy_lsp.counts.usage import Usage
from tests.counts.archives import archive
from tests.presets import CATALOGUE

ZEBINS = "intel/zebins.tar.xz"
ONE_DEVICE = [name for name in archive(ZEBINS) if "_1." in name and not name.startswith("several")]
MATRIX_OF = [("pvc_1.73.bin", "pvc-xt-c0"), ("tgllp_1.73.bin", "tgllp"), ("ptl_1.73.bin", "ptl-h")]
MATRIX = Path(__file__).parents[1] / "data" / "intel" / "ocloc-kernels.csv.gz"


def info(data: bytes) -> dict[str, Any]:
    section = ELFFile(io.BytesIO(data)).get_section_by_name(".ze_info")
    return dict(yaml.safe_load(section.data()))


def usages(name: str) -> tuple[Usage, ...]:
    reading = zebin.read(archive(ZEBINS)[name], name)
    assert reading.problems == () and reading.remarks == ()
    return reading.usages


def by_kernel(name: str) -> dict[str, Usage]:
    return {usage.kernel: usage for usage in usages(name)}


@pytest.mark.parametrize("name", ONE_DEVICE)
def test_every_kernel_as_its_yaml_says(name: str) -> None:
    text = info(archive(ZEBINS)[name])
    spills_said = text["version"] in ("1.73",)
    told = usages(name)
    assert {usage.kernel for usage in told} == {kernel["name"] for kernel in text["kernels"]}
    for kernel in text["kernels"]:
        need = kernel["execution_env"]
        for usage in (usage for usage in told if usage.kernel == kernel["name"]):
            assert (usage.source, usage.path, usage.line, usage.registers) == ("compiled", name, 0, None)
            assert usage.grf == need["grf_count"]
            assert usage.sub_group == need["simd_size"]
            assert usage.static_local == need.get("slm_size", 0)
            assert usage.barriers == need.get("barrier_count", 0)
            assert usage.spill_size == (need.get("spill_size", 0) if spills_said else None)
            wanted = need.get("required_work_group_size")
            assert usage.group_size == (prod(wanted) if wanted else None)


@pytest.mark.parametrize(("name", "device"), MATRIX_OF)
def test_the_matrix_of_the_compiler(name: str, device: str) -> None:
    """Rows that another reader made of the same kernels, compiled for the same device by default."""
    with gzip.open(MATRIX, "rt") as text:
        rows = [row for row in DictReader(text) if (row["opt"], row["device"]) == ("default", device)]
    assert len(rows) == 8
    told = by_kernel(name)
    for row in rows:
        usage = told[row["kernel"]]
        figures = (usage.sub_group, usage.grf, usage.static_local, usage.barriers, usage.spill_size)
        assert figures == tuple(int(row[key]) for key in ("simd", "grf", "slm_bytes", "barriers", "spill"))
        if row["wg_from"] == "reqd":
            assert usage.group_size == int(row["wg"])


def test_the_warning_of_the_compiler_and_large_registers() -> None:
    """ocloc printed "kernel pressure compiled SIMD16 allocated 128 regs"; with the option there are 256."""
    pressure = by_kernel("skl_1.20.bin")["pressure"]
    assert (pressure.sub_group, pressure.grf) == (16, 128)
    assert {usage.grf for usage in usages("pvc-large_1.20.bin")} == {256}


@pytest.mark.parametrize(
    ("name", "archs"),
    [("several_1.73.bin", ["xe_hpc", "xe2", "xe3"]), ("several_1.20.bin", ["gen9", "gen9_gt1", "xe_hpg", "xe_hpc"])],
)
def test_an_archive_for_several_devices(name: str, archs: list[str]) -> None:
    assert [usage.arch for usage in usages(name)] == archs


NO_PRESET = {"bdw": "family 16", "lkf": "family 27"}
SAME_CODE = {"whl": "cfl", "cml": "cfl", "aml": "kbl"}  # refreshed under new names


@pytest.mark.parametrize("file", [name for name in archive(ZEBINS) if name.startswith("families/")])
def test_the_device_is_the_one_it_was_compiled_for(file: str) -> None:
    """Before IP versions were written; of devices that no preset has, their own name, which no device matches."""
    device = file.removeprefix("families/").removesuffix(".bin")
    archs = {usage.arch for usage in usages(file)}
    assert {usage.group_size for usage in usages(file)} == {64}
    if device in NO_PRESET:
        assert archs == {NO_PRESET[device]}
    else:
        assert CATALOGUE.find(SAME_CODE.get(device, device)).arch.id in archs


def test_every_architecture_is_one_of_the_presets() -> None:
    presets = CATALOGUE
    tables = (intel_archs._VERSIONS, intel_archs._FAMILIES, intel_archs._NAMES)
    for arch in {arch for table in tables for archs in table.values() for arch in archs}:
        assert presets.architecture(arch).id == arch


@pytest.mark.parametrize(
    ("version", "device"),
    [
        ("12.0.0", "tgllp"), ("12.10.0", "dg1"), ("12.55.8", "acm-g10"), ("12.56.5", "acm-g11"), ("12.57.0", "acm-g12"),
        ("12.60.7", "pvc"), ("12.61.7", "pvc-xt-c0-vg"), ("12.70.4", "mtl-u"), ("12.71.4", "mtl-h"),
        ("12.74.4", "arl-h"), ("20.1.0", "bmg-g21"), ("20.4.4", "lnl-m"), ("30.0.4", "ptl-h"), ("30.1.0", "ptl-u"),
        ("30.3.1", "wcl"), ("30.4.4", "nvl-s"), ("35.10.4", "nvl-p"), ("35.11.0", "cri"), ("9.0.9", "skl"),
        ("9.4.0", "glk"), ("11.0.0", "icllp"), ("12.1.0", "rkl"), ("12.2.0", "adl-s"), ("12.3.0", "adl-p"),
    ],
)  # fmt: skip
def test_versions_are_those_of_the_driver(version: str, device: str) -> None:
    """AOT::PRODUCT_CONFIG of intel/compute-runtime."""
    assert CATALOGUE.find(device).arch.id in intel_archs.of_version(*map(int, version.split(".")))


def test_a_version_that_no_preset_has_matches_none() -> None:
    assert intel_archs.of_version(40, 1, 2) == ("40.1.2",)


@pytest.mark.parametrize("name", ["pvc", "tgllp", "dg2-g11", "bmg-g21", "lnl-m", "ptl-h", "arl-h", "mtl-u", "cri"])
def test_names_mean_what_they_mean_to_presets(name: str) -> None:
    assert intel_archs.of_name(name.upper()) == (CATALOGUE.find(name).arch.id,)
    assert intel_archs.named_in(f"/home/me/{name}/properties.txt") == intel_archs.of_name(name)
    assert intel_archs.named_in(f"run.{name}.1799860") == intel_archs.of_name(name)
    assert intel_archs.named_in(f"/home/{name}/src/my{name}.txt") == ()


@pytest.mark.parametrize(
    ("name", "devices"),
    [("tgl_tokens.bin", [""]), ("several_tokens.bin", ["64.9.0.9: ", "64.12.55.8: ", "64.12.60.7: "])],
)
def test_the_old_format_is_told_with_what_to_do(name: str, devices: list[str]) -> None:
    reading = zebin.read(archive(ZEBINS)[name], name)
    message = "Intel's old format (patch tokens), not read: compile with `ocloc --format zebin`"
    assert reading.usages == ()
    assert [problem.message for problem in reading.problems] == [device + message for device in devices]


HOST = (
    b"\x7fELF\2\1\1" + bytes(9) + b"\3\0\x3e\0" + bytes(44) + b"Intel(R) OpenCL Device Binary"
)  # the driver's library


def test_recognised_by_content() -> None:
    assert all(recognise(data, "k.bin") is zebin.read for data in archive(ZEBINS).values())
    for other in (
        b"!<arch>\nfoo.o/          0           0     0     644     4         `\n\x7fELF",
        b"\x7fELF",
        b"",
        HOST,
    ):
        assert not zebin.looks_like(other)


def changed(old: bytes, new: bytes) -> bytes:
    """A zebin with other text in .ze_info. What it says of arguments makes room, so that the file stays whole."""
    data = archive(ZEBINS)["families/skl.bin"]
    start = data.index(b"---\nversion:")
    end = data.index(b"\0", start)
    text = data[start:end].partition(b"kernels_misc_info:")[0]
    assert text.count(old) == 1
    return data[:start] + text.replace(old, new).ljust(end - start, b"\n") + data[end:]


@pytest.mark.parametrize(
    ("name", "told"),
    [(b"'a b'", ["a b"]), (b"'it''s'", ["it's"]), (b'"k"', ["k"]), (b"Intel_Symbol_Table_Void_Program", [])],
)
def test_names_in_quotes_and_the_one_that_is_no_kernel(name: bytes, told: list[str]) -> None:
    assert [usage.kernel for usage in zebin.read(changed(b"tiny", name), "k").usages[::2]] == told


@pytest.mark.parametrize(
    ("old", "new", "figures"),
    [
        (b"slm_size:        256", b"slm_size:        -1", (32, 128, None, 64)),
        (b"grf_count:       128", b"grf_count:       9999999999", (32, None, 256, 64)),
        (b"simd_size:       32", b"simd_size:       many", (None, 128, 256, 64)),
        (b"[ 64, 1, 1 ]\n      simd", b"[ 64, 1 ]\n      simd", (32, 128, 256, None)),
        (b"[ 64, 1, 1 ]\n      simd", b"[ 0, 0, 0 ]\n      simd", (32, 128, 256, None)),
        (b"    execution_env:", b"    debug_env:    ", None),
        (b"\nkernels:", b"\nfunctions:", None),
    ],
)
def test_what_is_no_figure_is_not_said(old: bytes, new: bytes, figures: tuple[int | None, ...] | None) -> None:
    told = [(u.sub_group, u.grf, u.static_local, u.group_size) for u in zebin.read(changed(old, new), "k").usages[::2]]
    assert told == ([figures] if figures else [])


def test_members_of_an_archive() -> None:
    packed = archive(ZEBINS)["several_1.73.bin"]
    names = [name for name, content in ar.members(packed)]
    assert names == ["pad_0", "64.12.60.7", "pad_1", "64.20.1.0", "pad_2", "64.30.0.4"]  # as `ar t` prints them
    head = b"%-16s%-12s%-6s%-6s%-8s%-10d`\n"
    fields = (b"0", b"0", b"0", b"644")
    long = ar.MAGIC + head % (b"//", *fields, 20) + b"a_name_of_18_bytes/\n" + head % (b"/0", *fields, 3) + b"abc\n"
    assert list(ar.members(long)) == [("a_name_of_18_bytes", b"abc")]
    assert list(ar.members(long[:-3])) == []
