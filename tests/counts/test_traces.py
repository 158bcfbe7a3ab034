"""Traces that profilers write as databases, JSON, text and CSV; what stands in them is made up after documentation."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

from occupancy_lsp.builds.find import read_sidecar
from occupancy_lsp.counts.formats import (
    database,
    kineto,
    nsight_text,
    nsys_database,
    nsys_trace,
    nvprof,
    rocpd,
    rocprofv3,
    rocprofv3_json,
)
from occupancy_lsp.counts.formats.recognise import read, recognise
from occupancy_lsp.counts.usage import Reading
from tests.counts import trace_samples as samples
from tests.counts.test_profilers import V3, V3_ROW

TRACE = (V3 + V3_ROW.format(0, 12, 4, 32)).encode()
in_memory = pytest.mark.skipif(sys.version_info < (3, 11), reason="reads databases from their files alone")


def test_agents_of_a_trace_stand_beside_it(tmp_path: Path) -> None:
    trace = tmp_path / "host" / "123_kernel_trace.csv"
    trace.parent.mkdir()
    trace.write_bytes(TRACE)
    assert "name the file for it" in read_sidecar(trace).problems[0].message
    trace.with_name("124_agent_info.csv").write_text(samples.AGENTS)
    assert not read_sidecar(trace).usages
    trace.with_name("123_agent_info.csv").write_text(samples.AGENTS)
    (usage,) = read_sidecar(trace).usages
    assert (usage.arch, usage.registers, usage.accumulators, usage.group_size) == ("gfx90a", 12, 4, 128)


@pytest.mark.parametrize(
    ("agent", "arch"),
    [("Agent 4", "gfx90a"), ("Agent 5", "gfx908"), ("Agent 1", "gfx90a"), ("Agent 7", None), ("", None)],
)
def test_of_several_agents_the_one_that_the_launch_names(agent: str, arch: str | None) -> None:
    data = TRACE.replace(b"Agent 7", agent.encode())
    reading = rocprofv3.read(data, "/x/7_kernel_trace.csv", samples.TWO_AGENTS.encode())
    assert [usage.arch for usage in reading.usages] == ([arch] if arch else [])
    assert bool(reading.problems) == (arch is None)


def test_a_number_that_may_be_either_of_two_agents() -> None:
    agents = samples.TWO_AGENTS.replace("5,2,", "5,4,")  # 4 is one's node, and the other's place
    assert not rocprofv3.read(TRACE.replace(b"Agent 7", b"Agent 4"), "7_kernel_trace.csv", agents.encode()).usages


@pytest.mark.parametrize("records", ["kernel_dispatch", "counter_collection"])
def test_json_of_rocprofv3(records: str) -> None:
    data = samples.rocprofv3_json(records)
    assert recognise(data, "r.json") is rocprofv3_json.read
    (usage,) = rocprofv3_json.read(data, "r.json").usages
    assert (usage.kernel, usage.arch, usage.registers, usage.accumulators) == ("scale", "gfx90a", 12, 4)
    assert (usage.scalars, usage.static_local, usage.dynamic_local, usage.stack) == (32, 100, None, 16)
    assert (usage.group_size, usage.source) == (128, "measured")
    assert rocprofv3_json.read(samples.rocprofv3_json(handle=3), "r.json") == Reading()
    (other,) = rocprofv3_json.read(samples.rocprofv3_json(name="gfx950"), "r.json").usages
    assert (other.arch, other.registers, other.static_local) == ("gfx950", None, 100)


@in_memory
@pytest.mark.parametrize("dispatched_by", ["agent_id", "track_id"])
def test_databases_of_rocprofv3(dispatched_by: str) -> None:
    data = samples.rocpd(dispatched_by)
    assert recognise(data, "x_results.db") is rocpd.read
    (usage,) = rocpd.read(data, "x_results.db").usages
    assert (usage.kernel, usage.arch, usage.registers, usage.accumulators) == ("scale", "gfx90a", 12, 4)
    assert (usage.scalars, usage.static_local, usage.stack, usage.group_size) == (32, 100, 16, 128)


@in_memory
def test_databases_of_nsight_systems() -> None:
    data = samples.nsys_database()
    assert recognise(data, "r.sqlite") is nsys_database.read
    one, other = nsys_database.read(data, "r.sqlite").usages
    assert (one.kernel, one.arch, one.registers, one.group_size) == ("_Z5scalePf", "sm_86", 40, 128)
    assert (one.static_local, one.dynamic_local) == (1000, 512)
    assert (other.kernel, other.arch, other.registers, other.group_size) == ("void other<1>(int *)", "sm_90", 255, 32)
    assert (other.static_local, other.dynamic_local) == (None, 0)  # the driver's KiB may be in it
    alike = nsys_database.read(samples.nsys_database(samples.A10), "r.sqlite").usages
    assert {it.arch for it in alike} == {"sm_86"}
    (unnamed,) = nsys_database.read(samples.nsys_database("(7, 0, 'NVIDIA A10', NULL, NULL)"), "r.sqlite").usages[:1]
    assert (unnamed.arch, unnamed.device_name) == ("NVIDIA A10", "NVIDIA A10")


@in_memory
def test_a_database_is_read_and_not_run(tmp_path: Path) -> None:
    """Of a name that is a view's, nothing is read; a log of changes beside it has no part in it; nothing is written."""
    view = "CREATE VIEW rocpd_info_kernel_symbol AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) \
SELECT i AS id FROM n"
    assert rocpd.read(samples.database(view), "x.db") == Reading()
    path = tmp_path / "x_results.db"
    path.write_bytes(samples.rocpd()[:18] + b"\2\2" + samples.rocpd()[20:])
    (tmp_path / "x_results.db-wal").write_bytes(b"no log")
    assert len(read_sidecar(path).usages) == 1
    assert sorted(os.listdir(tmp_path)) == ["x_results.db", "x_results.db-wal"]


@in_memory
def test_a_database_of_more_than_can_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MAX_STEPS", 0)
    monkeypatch.setattr(database, "_STEPS", 1)
    (problem,) = rocpd.read(samples.rocpd(), "x.db").problems
    assert problem.message == "too large a database, not read"


@pytest.mark.parametrize(
    ("unit", "size", "static"),
    [("MB", "0.001", None), ("B", "1000", 1000), ("bytes", "1,000", 1000), ("KB", "1", None)],
)
def test_launches_of_nsight_systems(unit: str, size: str, static: int | None) -> None:
    quoted = f'"{size}"' if "," in size else size
    data = samples.NSYS.format(unit, quoted).encode()
    assert recognise(data, "r.csv") is nsys_trace.read
    (usage,) = nsys_trace.read(data, "r.sm_86.csv").usages
    assert (usage.kernel, usage.line, usage.registers, usage.group_size) == ("scale(float *)", 4, 40, 128)
    assert (usage.arch, usage.device_name, usage.static_local, usage.dynamic_local) == ("sm_86", None, static, None)
    (named,) = nsys_trace.read(data, "r.csv").usages
    assert (named.arch, named.device_name, named.static_local) == ("NVIDIA A10", "NVIDIA A10", None)


@pytest.mark.parametrize(
    ("unit", "size", "static"),
    [("B", "1000", 1000), ("KB", "0.976563", 1000), ("KB", "4.000000", 4096), ("KB", "0.97", None), ("", "1000", None)],
)
def test_launches_of_nvprof(unit: str, size: str, static: int | None) -> None:
    data = samples.NVPROF.format(unit, size).encode()
    assert recognise(data, "r.csv") is nvprof.read
    (usage,) = nvprof.read(data, "sm_70/r.csv").usages
    assert (usage.kernel, usage.registers, usage.group_size) == ("scale(float *)", 40, 128)
    assert (usage.static_local, usage.dynamic_local) == (static, 512)
    (named,) = nvprof.read(data, "r.csv").usages
    assert named.device_name == "Tesla V100-SXM2-16GB"


def test_traces_of_pytorch() -> None:
    assert recognise(samples.kineto(), "t.json") is kineto.read
    (usage,) = kineto.read(samples.kineto(), "t.json").usages
    assert (usage.kernel, usage.arch, usage.registers, usage.group_size) == ("scale(float*)", "sm_86", 40, 128)
    assert (usage.static_local, usage.dynamic_local) == (0, 0)
    (more,) = kineto.read(samples.kineto(shared=1512), "t.json").usages
    assert (more.static_local, more.dynamic_local) == (None, None)  # one number for both
    assert read(gzip.compress(samples.kineto()), "t.json.gz").usages[0].registers == 40


@pytest.mark.parametrize(
    ("device", "arch"),
    [
        ({"id": 0, "name": "Tesla V100-SXM2-16GB", "computeMajor": 7, "computeMinor": 0}, "Tesla V100-SXM2-16GB"),
        ({"id": 0, "name": "AMD Instinct MI210", "computeMajor": 9, "computeMinor": 0}, None),
        ({"id": 0, "name": "", "computeMajor": 9, "computeMinor": 0}, None),
        ({"id": 1, "name": "NVIDIA A10", "computeMajor": 8, "computeMinor": 6}, None),
    ],
)
def test_capabilities_are_those_of_nvidia_alone(device: dict[str, object], arch: str | None) -> None:
    reading = kineto.read(samples.kineto([device]), "t.json")
    assert [it.arch for it in reading.usages] == ([arch] if arch else [])
    assert bool(reading.problems) == (arch is None)


def test_nsight_compute_as_text() -> None:
    data = samples.NCU_NEW.encode()
    assert recognise(data, "ncu.txt") is nsight_text.read
    (usage,) = nsight_text.read(data, "ncu.txt").usages
    assert (usage.kernel, usage.line, usage.arch, usage.registers) == ("scale(float *)", 3, "sm_86", 40)
    assert (usage.static_local, usage.dynamic_local, usage.group_size) == (1000, 512, 128)
    (old,) = nsight_text.read(samples.NCU_OLD.encode(), "report.sm_75.txt").usages
    assert (old.kernel, old.arch, old.registers, old.group_size) == ("scale(float *)", "sm_75", 40, 128)
    assert "name the file for it" in nsight_text.read(samples.NCU_OLD.encode(), "ncu.txt").problems[0].message


def test_metrics_below_a_line_that_is_no_launch_are_nobodys() -> None:
    summary = samples.NCU_NEW.replace(", Context 1, Stream 7", "").replace("  40\n", "  99\n")
    twice = samples.NCU_NEW + summary
    assert [it.registers for it in nsight_text.read(twice.encode(), "t").usages] == [40]
    contradicted = samples.NCU_NEW.rstrip() + "\n    Registers Per Thread    register/thread    41\n"
    assert [it.registers for it in nsight_text.read(contradicted.encode(), "t").usages] == [None]
    cut = samples.NCU_NEW.partition("    Shared Memory Conf")[0].rstrip()[:-1]  # 4 of 40
    assert nsight_text.read(cut.encode(), "t").usages == ()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_texts_as_powershell_writes_them(encoding: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    data = mark + samples.NCU_NEW.replace("\n", "\r\n").encode(encoding)
    assert [it.registers for it in read(data, "ncu.txt").usages] == [40]


def test_packed_texts() -> None:
    packed = gzip.compress(samples.NCU_NEW.encode())
    assert [it.registers for it in read(packed, "ncu.txt.gz").usages] == [40]
    assert [it.registers for it in read(packed + gzip.compress(b"\n"), "ncu.txt.gz").usages] == [40]
    assert "cut short" in read(packed[:-20], "ncu.txt.gz").problems[0].message
    assert "damaged" in read(packed[:30] + b"xxxx" + packed[34:], "ncu.txt.gz").problems[0].message
    bomb = gzip.compress(bytes(65 << 20))
    assert "larger than 64 MiB once inflated" in read(bomb, "zeros.gz").problems[0].message
