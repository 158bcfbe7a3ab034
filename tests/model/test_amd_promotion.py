"""The LDS that LLVM uses of its own accord, against what clang-19 made of kernels for gfx90a."""

from __future__ import annotations

import pytest

from occupancy_lsp.vendors.amd.promotion import with_moved_arrays

from .amd_support import amd


@pytest.mark.parametrize(
    ("threads", "static", "sizes", "most"),
    [
        (1024, 0, (20,), 20480),  # HeCBench nqueen
        (1024, 32, (16,), 16416),  # HeCBench aes
        (1024, 0, (8,), 8192),  # HeCBench f16max
        (256, 0, (16,), 4096),  # john iwork
        (256, 4096, (8,), 6144),  # john cryptmd5
        (256, 0, (20,), 5120),  # john pbkdf2_ripemd160
        (1024, 0, (36,), 0),  # one of two groups would have to go
        (256, 0, (32, 64), 8192),
        (256, 0, (16, 16, 16), 8192),  # two of them fit
        (256, 0, (None,), 8192),
        (256, 8192, (4,), 8192),
        (1024, 40000, (24,), 64576),  # the group is alone as it is
        (0, 16, (4,), 16),
        (256, 0, (), 0),
    ],
)
def test_most_bytes_on_gfx90a(threads: int, static: int, sizes: tuple[int | None, ...], most: int) -> None:
    assert with_moved_arrays(amd("gfx90a"), threads, static, [(it or 0, it) for it in sizes]) == most


@pytest.mark.parametrize(
    ("threads", "size", "most"),
    [(1024, 160, 163840), (256, 160, 40960), (1024, 200, 0), (256, 200, 0)],
)
def test_most_bytes_on_gfx1250(threads: int, size: int, most: int) -> None:
    """By clang 22: what other chips keep in scratch memory."""
    assert with_moved_arrays(amd("gfx1250"), threads, 0, [(size, size)]) == most


def test_an_array_of_unknown_size_that_cannot_fit_stays() -> None:
    assert with_moved_arrays(amd("gfx90a"), 256, 0, [(64, None)]) == 0
    assert with_moved_arrays(amd("gfx90a"), 256, 0, [(32, None)]) == 8192


def test_a_kernel_that_does_with_fewer_waves_has_more_room() -> None:
    assert with_moved_arrays(amd("gfx90a"), 256, 0, [(64, 64)], fewer_waves=True) == 16384


def test_before_gcn_nothing_is_moved() -> None:
    assert with_moved_arrays(amd("vliw5"), 256, 0, [(4, 4)]) == 0
