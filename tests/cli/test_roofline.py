"""`roofline`: a kernel's place, and what is refused."""

from __future__ import annotations

import pytest

from tests.cli.support import occupancy


def test_a_kernel_in_numbers_and_as_a_plot() -> None:
    done = occupancy("roofline", "--device", "a100", "--flops", "1e9", "--bytes", "4G")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "A100, fp32: 19.5 TFLOPS, 1555 GB/s, ridge at 12.54 FLOP/B"
    assert lines[1] == "1 GFLOP over 4 GB: 0.25 FLOP/B, memory bound: at most 388.75 GFLOPS, 1.99% of the peak"
    assert "o" in "".join(lines[3:14]) and lines[-1].startswith("source: NVIDIA")
    fp64 = occupancy("roofline", "--device", "a100", "--flops", "1e12", "--bytes", "4e9", "--precision", "fp64")
    assert "250 FLOP/B, compute bound: at most 9.7 TFLOPS, 100% of the peak" in fp64.out


@pytest.mark.parametrize(
    ("device", "flops", "moved", "precision", "said"),
    [
        ("gtx-1080", "1", "1", "fp32", "bandwidth and the FLOPS of GeForce GTX 1080 are not known"),
        ("a100", "1", "1", "int8", "the peak of A100 for 'int8' is not known, only for fp32, fp64"),
        ("a100", "0", "1", "fp32", "a number above 0"),
        ("a100", "1", "-1", "fp32", "expected"),
        ("a100", "1e999", "1", "fp32", "a number above 0"),
        ("a100", "nan", "1", "fp32", "a number above 0"),
        ("h1000", "1", "1", "fp32", "unknown device 'h1000'"),
    ],
)
def test_what_cannot_be_told(device: str, flops: str, moved: str, precision: str, said: str) -> None:
    done = occupancy("roofline", "--device", device, "--flops", flops, "--bytes", moved, "--precision", precision)
    assert done.status == 2 and said in done.err
