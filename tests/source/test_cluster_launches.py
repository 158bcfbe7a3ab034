"""Launches by CUTLASS's `launch_kernel_on_cluster` and `ClusterLauncher` (cutlass/cluster_launch.hpp)."""

from __future__ import annotations

import pytest

from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from tests.support import view_of

SIZES = "dim3 grid(64), block(128), cluster(4, 1, 1); int smem = 1024;"
HELD = f"{SIZES} cutlass::ClusterLaunchParams params = {{grid, block, cluster, smem, stream}};"
ON = "cutlass::launch_kernel_on_cluster(params, (void const*)k, p);"
LAUNCHER = "cutlass::ClusterLauncher::launch(grid, cluster, block, smem, stream, (void*)k, arguments);"
FALLBACK = (
    "cutlass::ClusterLauncher::launch_with_fallback_cluster("
    "grid, cluster, dim3(2, 1, 1), block, smem, stream, (void*)k, arguments);"
)
KNOWN = [("k", 64, 128, 1024, 4)]


def launched(body: str) -> list[tuple[str, int | None, int | None, int | None, int | None]]:
    """Kernel, and of grid, block, dynamic bytes and cluster the numbers."""
    text = f"__global__ void k(float* p) {{ }}\nvoid go(float* p, int n, cudaStream_t stream) {{ {body} }}\n"
    found = Source(text.encode(), CUDA).facts({})
    assert found.unread_launches == 0
    return [
        (
            it.kernel,
            product_of_dimensions(it.configuration.grid[1]).number,
            it.size.number,
            it.configuration.dynamic.value.number if it.configuration.dynamic else 0,
            product_of_dimensions(it.configuration.cluster[1]).number if it.configuration.cluster else 1,
        )
        for it in found.launches
    ]


@pytest.mark.parametrize(
    "body",
    [
        f"{HELD} {ON}",
        f"{HELD} cutlass::Status status = {ON}",
        f"{HELD} CHECK({ON[:-1]});",
        f"{HELD} const void* kernel = (const void*)k; {ON.replace('(void const*)k', 'kernel')}",
        f"{HELD} auto kernel = &k; {ON.replace('(void const*)k', '(void*)kernel')}",
        f"{HELD.replace(' = {', '{').replace('cutlass::', '')} {ON}",
        f"{HELD} {ON} {ON}".replace(ON, "", 1),
        f"{SIZES} launch_kernel_on_cluster({{grid, block, cluster, smem}}, (void*)k, p);",
        f"{SIZES} {LAUNCHER}",
        f"{HELD.replace('grid(64)', 'grid(8)')} params.grid_dims = dim3(64); {ON}",
    ],
)
def test_what_is_launched(body: str) -> None:
    assert launched(body) == KNOWN


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"{HELD.replace('cluster(4', 'cluster(n')} {ON}", ("k", 64, 128, 1024, None)),
        (f"{HELD} change(params); {ON}", ("k", None, None, None, None)),
        (f"{HELD} if (n) params.cluster_dims = dim3(2); {ON}", ("k", 64, 128, 1024, None)),
        (f"{HELD.replace('params =', 'params = made(n); //')}\n {ON}", ("k", None, None, None, None)),
        (f"{SIZES} {FALLBACK}", ("k", 64, 128, 1024, None)),
    ],
)
def test_what_is_not_known(body: str, found: tuple[str, int | None, int | None, int | None, int | None]) -> None:
    assert launched(body) == [found]


@pytest.mark.parametrize("launch", [f"{HELD} {ON}", f"{SIZES} {LAUNCHER}"])
def test_a_grid_that_is_no_multiple_is_refused(launch: str) -> None:
    text = f"__global__ void k(float* p) {{ p[0] = 1; }}\nvoid go(float* p, cudaStream_t stream) {{ {launch} }}\n"
    for grid, codes in ((64, []), (66, ["OCC008"])):
        view = view_of(text.replace("grid(64)", f"grid({grid})"), "h100")
        assert [it.code for it in diagnostics(view) if it.code == "OCC008"] == codes
        assert view.reports[0].clustered and view.reports[0].cluster == 4


def test_one_block_is_no_cluster() -> None:
    text = f"__global__ void k(float* p) {{ p[0] = 1; }}\nvoid go(float* p, cudaStream_t stream) {{ {HELD} {ON} }}\n"
    assert not view_of(text.replace("cluster(4", "cluster(1"), "h100").reports[0].clustered
