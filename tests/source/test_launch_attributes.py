"""The cluster that a launch attribute asks for: where it surely stands when the kernel is launched."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.source import Source
from occupancy_lsp.source.text.dialects import CUDA
from occupancy_lsp.source.text.values import product

SET = """attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = size;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute; config.numAttrs = 1;"""


WHOLE = """attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim = {1, 2, size};
  config.attrs = attribute; config.numAttrs = 1;"""


def cluster(body: str, before: str = "") -> int | str | None:
    """Blocks of the cluster; "?": not known; None: none is in sight."""
    text = f"""__global__ void k(float* p) {{ }}
void go(float* p, int m) {{
  cudaLaunchConfig_t config = {{0}}; config.gridDim = 64; config.blockDim = 128; const int size = 4;
  cudaLaunchAttribute attribute[1]; {before}
  {body}
  cudaLaunchKernelEx(&config, k, p);
}}"""
    (found,) = Source(text.encode(), CUDA).facts({}).launches
    return None if found.cluster is None else product(found.cluster[1]).number or "?"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (SET, 4),
        (SET.replace("size", "2 * size"), 8),
        (SET.replace("y = 1", "y = 2"), 8),
        (SET.replace("cudaLaunchAttributeC", "cudaLaunchAttributeID::cudaLaunchAttributeC"), 4),
        (WHOLE, 8),
        (WHOLE.replace("{1, 2, size}", "{1, size}"), "?"),
        (WHOLE.replace("{1, 2, size}", "other"), "?"),
        (f"{WHOLE} attribute[0].val.clusterDim.x = 2;", "?"),
        (f"{{ {SET} }}", "?"),  # ends before the launch
        (SET.replace("size", "m"), "?"),
        (f"if (m) {{ {SET} }}", "?"),
        (SET.replace("  attribute[0].val.clusterDim.x", "  if (m) attribute[0].val.clusterDim.x"), "?"),
        (f"{SET} if (m) attribute[0].val.clusterDim.x = 2;", "?"),
        (f"{SET} attribute[0].val.clusterDim.x = 2;", "?"),  # twice
        (f"{SET} change(attribute);", "?"),
        (SET.replace("numAttrs = 1", "numAttrs = m"), "?"),
        (SET.replace("numAttrs = 1", "numAttrs = 0"), "?"),
        (SET.replace("config.attrs = attribute;", ""), None),
        (SET.replace("ClusterDimension", "Cooperative"), None),
        ("", None),
    ],
)
def test_the_cluster_of_a_launch(body: str, expected: int | str | None) -> None:
    assert cluster(body) == expected


def test_another_launch_in_the_same_function_has_its_own() -> None:
    text = f"""__global__ void k(float* p) {{ }}
void go(float* p) {{
  const int size = 4; cudaLaunchConfig_t config = {{0}}, plain = {{0}};
  cudaLaunchAttribute attribute[1];
  {SET}
  plain.gridDim = 8; plain.blockDim = 64;
  cudaLaunchKernelEx(&plain, k, p);
  cudaLaunchKernelEx(&config, k, p);
}}"""
    found = Source(text.encode(), CUDA).facts({}).launches
    assert [it.cluster and product(it.cluster[1]).number for it in found] == [None, 4]
