"""OpenCL kernels that state no size, on devices whose compiler assumes less than a work-group may have.

Truth: clang 22 for amdgcn writes `.max_flat_workgroup_size: 256` for such a kernel, and the number that
`reqd_work_group_size` states where there is one; enqueueing more is CL_INVALID_WORK_GROUP_SIZE.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import occupancy

_HOST = """#include <CL/cl.h>
void run(cl_command_queue q, cl_program p, cl_int e) {
  cl_kernel k = clCreateKernel(p, "k", &e);
  size_t g = 1 << 20, l = SIZE;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &g, &l, 0, NULL, NULL);
}
"""


@pytest.mark.parametrize(
    ("device", "size", "head", "refused"),
    [
        ("mi100", 512, "", True),
        ("mi100", 257, "", True),
        ("rx-480", 1000, "", True),
        ("mi100", 256, "", False),
        ("mi100", 512, "__attribute__((reqd_work_group_size(512, 1, 1))) ", False),
        ("a100", 512, "", False),
        ("arc-a770", 512, "", False),
    ],
)
def test_amd_compiles_for_256_work_items(tmp_path: Path, device: str, size: int, head: str, refused: bool) -> None:
    (tmp_path / "k.cl").write_text(head + "__kernel void k(__global float* p) { p[get_global_id(0)] += 1; }\n")
    (tmp_path / "host.c").write_text(_HOST.replace("SIZE", str(size)))
    answer = occupancy("check", tmp_path, "--format", "json", "--device", device, "--fail-on", "never")
    (file,) = (it for it in json.loads(answer.out)["files"] if it["path"].endswith("k.cl"))
    assert [it["code"] for it in file["findings"] if it["severity"] == "error"] == ["OCC005"] * refused
