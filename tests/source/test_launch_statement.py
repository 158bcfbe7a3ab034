"""The statement around a launch is found in time that grows with its text."""

from __future__ import annotations

from occupancy_lsp.source.kernels.launch_statement import kernel_as_written, launch_statement
from tests.support import seconds


def within(gaps: int) -> None:
    """A launch as the last argument of calls in calls, with blanks between their brackets."""
    text = "void f() { g" + "(        " * gaps + "1 + 1, k<<<1, 2>>>(p)" + ")" * gaps + "; }"
    assert launch_statement(text.encode(), text.index("k<<<")) is None


def test_blanks_between_brackets_take_no_more_than_they_are_long() -> None:
    """Every way to share blanks out among two parts of an expression was tried once: 8 brackets took 16 seconds."""
    within(8)
    assert seconds(lambda: within(200)) < 40 * seconds(lambda: within(20))


def test_blanks_behind_a_kernel_take_no_more_than_they_are_long() -> None:
    def named(blanks: int) -> None:
        assert kernel_as_written(b"k" + b" " * blanks + b"!") == ""

    assert seconds(lambda: named(40_000)) < 40 * seconds(lambda: named(4_000))
    assert kernel_as_written(b"a::k <3, B<2>> ") == "a::k <3, B<2>>" and kernel_as_written(b"k ") == "k"
