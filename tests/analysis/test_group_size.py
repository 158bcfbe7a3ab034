"""What a kernel's launches say of its size, together."""

from __future__ import annotations

import pytest

from occupancy_lsp.features.labels import kernel_label
from tests.support import view_of

_KERNEL = "// occupancy: regs=64\n__global__ void {0} k(float* p) {{ p[0] = 1; }}\n"


def told(body: str, bounds: str = "") -> tuple[tuple[int, ...], bool, bool, str]:
    """The sizes, whether they are an upper bound, whether each is surely launched, and where they come from."""
    view = view_of(_KERNEL.format(bounds) + f"void h(float* p, int m, bool c) {{ {body} }}\n", "h100")
    size = view.reports[0].size
    return size.sizes, size.bounded, size.chosen, size.origin or size.reason


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("k<<<1, 64>>>(p);", ((64,), False, True, "of the launch in this file")),
        ("k<<<1, 64>>>(p); k<<<1, 32>>>(p);", ((32, 64), False, True, "of the launches in this file")),
        ("k<<<1, c ? 64 : 32>>>(p);", ((32, 64), False, False, "of the launch in this file")),
        ("k<<<1, c ? 64 : 2048>>>(p);", ((64,), False, False, "of the launch in this file")),
        ("k<<<1, c ? 64 : 32>>>(p); k<<<1, 96>>>(p);", ((32, 64, 96), False, False, "of the launches in this file")),
        ("k<<<1, min(m, 256)>>>(p);", ((256,), True, True, "the largest size of the launch in this file")),
        (
            "k<<<1, min(m, 256)>>>(p); k<<<1, 512>>>(p);",
            ((512,), True, True, "the largest size of the launches in this file"),
        ),
        ("k<<<1, c ? 4096 : 2048>>>(p);", ((2048, 4096), False, False, "of the launch in this file")),
        (
            "k<<<1, min(m, 256)>>>(p); k<<<1, 2048>>>(p);",  # of 2048, the launch fails
            ((256,), True, True, "the largest size of the launches in this file"),
        ),
        ("k<<<1, min(m, 256)>>>(p); k<<<1, m>>>(p);", ((), False, True, "parameter m")),
        ("k<<<1, min(m, 2048)>>>(p);", ((), False, True, "parameter m")),
    ],
)
def test_launches(body: str, expected: tuple[object, ...]) -> None:
    assert told(body) == expected


def test_the_tighter_of_bounds_and_launches_counts() -> None:
    by_bounds = ((128,), True, True, "the most that its launch bounds allow")
    assert told("k<<<1, min(m, 256)>>>(p);", "__launch_bounds__(128)") == by_bounds
    assert told("k<<<1, min(m, 64)>>>(p);", "__launch_bounds__(128)")[0] == (64,)
    assert told("k<<<1, c ? 64 : 256>>>(p);", "__launch_bounds__(128)")[0] == (64,)  # of 256, the launch fails
    assert told("k<<<1, min(m, 64)>>>(p); k<<<1, 256>>>(p);", "__launch_bounds__(128)")[0] == (64,)
    assert told("k<<<1, m>>>(p);", "__launch_bounds__(2048)") == ((), False, True, "parameter m")


def test_the_figure_spans_the_sizes() -> None:
    view = view_of(_KERNEL.format("") + "void h(float* p, bool c) { k<<<1, c ? 1024 : 768>>>(p); }\n", "h100")
    figure = view.reports[0].figure
    assert figure is not None
    assert (figure.lowest.percent, figure.highest.percent) == (37.5, 50)
    label = kernel_label(view.reports[0])
    assert label is not None
    assert label.text == "37.5–50% · 2 sizes"
