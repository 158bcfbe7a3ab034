"""Records of views: what they hold, and that a process can hand them on."""

from __future__ import annotations

import pickle
from pathlib import Path

from occupancy_lsp.findings.recording import record
from occupancy_lsp.findings.records import FileRecord, Position
from tests.support import view_of

SOURCE = """\
/* \U0001f600 */ __global__ void __launch_bounds__(256, 4) scale(float* x) { x[threadIdx.x] *= 2; }
void run(float* x) { /* \U0001f600 */ scale<<<64, 512>>>(x); }
"""
TEMPLATE = """\
template <int N> __global__ void fill(float* x) { __shared__ float tile[N]; tile[threadIdx.x] = x[0]; x[1] = tile[0]; }
void run(float* x) { fill<256><<<1, 256>>>(x); fill<8192><<<1, 256>>>(x); }
"""


def recorded(source: str, *devices: str, instances: bool = False) -> FileRecord:
    return record("k.cu", Path("/there/k.cu"), view_of(source, *devices), instances)


def test_another_process_gets_the_same_record() -> None:
    whole = recorded(SOURCE + TEMPLATE.replace("run", "go"), "h100", "a100", instances=True)
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert [it.name for it in whole.kernels] == ["scale", "fill"]


def test_a_finding_at_a_launch_knows_its_kernel_and_every_kind_of_column() -> None:
    found = recorded(SOURCE, "h100")
    (finding,) = found.findings
    assert (finding.rule, finding.severity, finding.devices) == ("OCC005", "error", ("h100",))
    assert finding.kernel == 0 and finding.outside
    before = SOURCE.splitlines()[1].partition("512")[0]
    columns = len(before), len(before.encode("utf-16-le")) // 2, len(before.encode())
    assert finding.place.start == Position(2, *(it + 1 for it in columns)) and len({*columns}) == 3
    assert finding.line[finding.mark.index("^") :].startswith("512>>>")
    (suggestion,) = finding.suggestions
    assert suggestion.title == "Raise the bounds to 512, 2: still at most 64 registers"
    first = SOURCE.splitlines()[0]
    edits = [(it.place.start.column - 1, it.place.end.column - 1, it.text) for it in suggestion.replacements]
    assert [(first[start:end], new) for start, end, new in edits] == [("256", "512"), ("4", "2")]


def test_each_device_has_its_figure() -> None:
    (kernel,) = recorded("// occupancy: regs=64\n" + SOURCE.replace("512", "256"), "h100", "rtx4090").kernels
    assert [(it.device.id, it.groups, it.percent, it.registers.freshness) for it in kernel.on] == [
        ("h100", (4, 4), (50.0, 50.0), "fresh"),
        ("rtx-4090", (4, 4), (100 * 32 / 48, 100 * 32 / 48), "fresh"),
    ]


def test_what_is_not_known_is_no_zero() -> None:
    (kernel,) = recorded("__global__ void k(float* x) { *x = 1; }\n", "h100").kernels
    (on,) = kernel.on
    assert on.groups is None and on.percent is None and on.source is None


def test_instances_are_told_where_they_are_asked_for() -> None:
    (kernel,) = recorded(TEMPLATE, "h100", instances=True).kernels
    tiles = {it.instance: it.on[0].local.static for it in kernel.instances}
    assert tiles == {"256": (1024, 1024), "8192": (32768, 32768)}
    assert recorded(TEMPLATE, "h100").kernels[0].instances == ()


def test_kernels_of_one_name_are_told_apart() -> None:
    first, second = recorded("__global__ void k(int*) {}\n__global__ void k(float*) {}\n", "h100").kernels
    assert (first.name, first.order, second.name, second.order) == ("k", 0, "k", 1)
