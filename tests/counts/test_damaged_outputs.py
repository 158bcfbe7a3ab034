"""Outputs of Intel's and shader compilers and of profilers, cut or made up: never an exception or a hang.

Damaged ones are among those of `tests/fuzz/binaries.py`.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest

from occupancy_lsp.counts.formats import (
    amd_notes,
    dxbc,
    igc_dump,
    kineto,
    malioc,
    malioc_text,
    nsight_compute,
    nsight_text,
    nsys_trace,
    nvprof,
    rga,
    rocprofv3,
    rocprofv3_json,
    spirv,
    unitrace,
    vulkan_statistics,
    zebin,
)
from occupancy_lsp.counts.formats.recognise import read
from occupancy_lsp.counts.usage import SOURCES, Reading, Usage
from tests.counts import trace_samples
from tests.counts.amd_support import samples as amd_samples
from tests.counts.archives import archive, compressed
from tests.counts.test_profilers import METRICS, OTHERS, PROPERTIES, RAW, STATISTICS, V3, V3_ROW, details
from tests.counts.test_shaders import LISTING, MALI, MALI_TEXT, dump
from tests.support import seconds

PATH = "/run/gfx90a/gfx1100_k_stats.csv"
RGA_ROW = "gfx1100,0,0,0,65536,4096,106,45,0,256,71,0,0,0,0,4940\n"
SAMPLES = {
    "zebin": archive("intel/zebins.tar.xz")["families/icllp.bin"],
    "newer zebin": archive("intel/zebins.tar.xz")["several_1.73.bin"],
    "patch tokens": archive("intel/zebins.tar.xz")["tgl_tokens.bin"],
    "spirv": archive("spirv/modules.tar.xz")["vulkan_1.3.spv"],
    "kernels": archive("spirv/modules.tar.xz")["opencl_1.4.spv"],
    "dxbc": LISTING,
    "malioc": MALI,
    "turnip": compressed("shaders/turnip-a730.jsonl.xz")[:4000],
    "details": details(("k(int*)", "(64, 1, 1)", "9.0", METRICS)),
    "raw": RAW.format(unit="byte", value="4,096").encode(),
    "trace": (V3 + V3_ROW.format(0, 12, 4, 32)).encode(),
    "rocprof": OTHERS["rocprof"].encode(),
    "rga": (STATISTICS + RGA_ROW).encode(),
    "unitrace": PROPERTIES.encode(),
    "rocprofv3 json": trace_samples.rocprofv3_json(),
    "rocpd": trace_samples.rocpd(),
    "nsys database": trace_samples.nsys_database(),
    "nsys": trace_samples.NSYS.format("B", "1000").encode(),
    "nvprof": trace_samples.NVPROF.format("KB", "0.976563").encode(),
    "kineto": trace_samples.kineto(),
    "ncu": trace_samples.NCU_NEW.encode(),
    "notes": amd_samples()["dumps/callee/gfx90a.llvm22.hsaco.txt"][:20_000],
    "malioc text": MALI_TEXT.format(version="8.8.0", registers="40 (50% occupancy)", stack="96 bytes").encode(),
    "igc": dump(),
    "packed": gzip.compress(trace_samples.NCU_NEW.encode()),
    "wide": trace_samples.NCU_NEW.encode("utf-16"),
}
FIGURES = ("registers", "accumulators", "scalars", "grf", "sub_group", "static_local", "dynamic_local", "group_size",
           "barriers", "stack", "spill_size")  # fmt: skip
NOT_ZERO = ("registers", "scalars", "sub_group", "group_size")


def sound(reading: Reading) -> None:
    """Every figure is one; problems name the file."""
    for usage in reading.usages:
        assert usage.source in SOURCES and usage.path == PATH and usage.line >= 0
        for name in FIGURES:
            figure = getattr(usage, name)
            assert figure is None or (type(figure) is int and figure >= (name in NOT_ZERO))
    assert all(problem.path == PATH and problem.message for problem in reading.problems)


@pytest.mark.parametrize("name", SAMPLES)
def test_whole_it_says_something(name: str) -> None:
    reading = read(SAMPLES[name], PATH)
    sound(reading)
    assert reading.usages or reading.problems


@pytest.mark.parametrize("name", SAMPLES)
def test_cut_short_anywhere(name: str) -> None:
    data = SAMPLES[name]
    for end in range(0, len(data), max(1, len(data) // 80)):
        sound(read(data[:end], PATH))


HOSTILE: dict[str, tuple[Callable[[bytes, str], Reading], bytes, bytes]] = {
    "columns": (nsight_compute.read, b'"Kernel Name","Metric Name","' + b'a","' * 1000 + b'"\n', b'"k",' * 500 + b"\n"),
    "names": (rocprofv3.read, V3.encode(), b"kernel_name " * 40),
    "quotes": (rocprofv3.read, V3.encode(), b'"'),
    "rows": (rocprofv3.read, V3.encode(), V3_ROW.format(0, 12, 4, 32).encode()),
    "launches": (nsight_compute.read, details(("k", "(64, 1, 1)", "9.0", METRICS)), b'"k","1",\n'),
    "properties": (unitrace.read, b"=== Kernel Properties ===\n", b"k, JIT, 1, 1,      1, 1, \n"),
    "blanks": (unitrace.read, b"=== Kernel Properties ===\n", b" "),
    "devices": (rga.read, STATISTICS.encode(), b"DEVICE,SCRATCH_MEM,"),
    "declarations": (dxbc.read, b"cs_5_0\n", b"dcl_tgsm_raw g0, 999999999\n"),
    "lines": (
        vulkan_statistics.read,
        b'{"device": "Turnip Adreno (TM) 730"}\n',
        b'{"stats": {}, "executable": "CS"}\n',
    ),
    "arrays": (malioc.read, b"", b"["),
    "shaders": (malioc.read, b'{"shaders": [', b'{"hardware": {}},'),
    "words": (spirv.read, archive("spirv/modules.tar.xz")["one_1.3.spv"][:20], b"\0\0\1\0"),
    "entries": (spirv.read, archive("spirv/modules.tar.xz")["one_1.3.spv"][:20], b"\x0f\0\4\0\5\0\0\0\1\0\0\0k\0\0\0"),
    "arrays of arrays": (
        spirv.read,
        archive("spirv/modules.tar.xz")["one_1.3.spv"][:20] + b"\x16\0\3\0\1\0\0\0\x20\0\0\0",
        b"\x1c\0\4\0\1\0\0\0\1\0\0\0\1\0\0\0",
    ),
    "events": (kineto.read, b'{"traceEvents": [', b'{"name": "k", "args": {"registers per thread": 1}},'),
    "processes": (rocprofv3_json.read, b'{"rocprofiler-sdk-tool": [', b'{"agents": [{}], "kernel_symbols": [{}]},'),
    "notes of objects": (amd_notes.read, b"AMDGPU Metadata:\n", b"amdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n"),
    "reports": (malioc_text.read, b"", b"Mali Offline Compiler v1\nWork registers: 4 (\n"),
    "heads": (igc_dump.read, b"//.kernel k\n", b"//.platform DG2\n"),
    "launches as text": (nsight_text.read, b"", b"  k, Context 1, Stream 7\n    Block Size  1\n"),
    "contexts": (nsight_text.read, b"  ", b"k, Context 1, Stream 7 "),
    "launches of nsys": (
        nsys_trace.read,
        trace_samples.NSYS.encode(),
        b",,,,,,64,2,1,40,,,,,,,NVIDIA A10 (0),1,,7,k\n",
    ),
    "launches of nvprof": (
        nvprof.read,
        trace_samples.NVPROF.encode(),
        b'1,1,1,1,1,64,2,1,40,1,5,,,,,"T","1","7","k"\n',
    ),
    "members": (zebin.read, b"!<arch>\n", b"%-48s%-10d`\n" % (b"64.9.0.9/", 0)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_made_up_takes_no_more_than_linear_time(name: str) -> None:
    reader, start, more = HOSTILE[name]
    few, many = (start + more * (size // len(more)) for size in (30_000, 120_000))
    reader(few, PATH)
    assert seconds(lambda: reader(many, PATH)) < 10 * seconds(lambda: reader(few, PATH)) + 0.2


def test_numbers_of_spirv_stay_small() -> None:
    """An array of 2**32 - 1 arrays of as many, and so on, has no size."""
    head = archive("spirv/modules.tar.xz")["one_1.3.spv"][:20]
    words = [0x00030016, 1, 32, 0x00040015, 9, 32, 0, 0x0004002B, 9, 8, 0xFFFFFFFF]
    for kind in range(10, 5000):
        words += [0x0004001C, kind, 1 if kind == 10 else kind - 1, 8]
    words += [0x00040020, 6000, 4, 4999, 0x0004003B, 6000, 6001, 4, 0x0004000F, 6, 7, ord("k")]
    (usage,) = spirv.read(head + b"".join(word.to_bytes(4, "little") for word in words), PATH).usages
    assert usage == Usage("k", "bounded", PATH, 0)
