"""Errors of launches are for those that run: held against programs that were run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from occupancy_lsp.features.diagnostics import diagnostics
from tests.support import view_of

PROGRAMS = Path(__file__).parents[1] / "data" / "host_programs.tsv"
INCLUDES = ("cstdio", "cstdlib", "cassert", "exception", "stdexcept", "string", "vector", "algorithm", "unistd.h")
KERNELS = "__global__ void k() {}\n__global__ void __launch_bounds__(128) kb() {}\n"
# They hang on what only a run tells: how many arguments there are, and what builds define.
BY_INPUT = {"r_or", "r_and", "r_throwf", "a_assert2", "macdef"}
# What other files may call, templates, and functions of libraries that are not followed: the Error stays.
NOT_FOLLOWED = {
    "memset", "memcpy", "sscanf", "thread2", "bind", "mkuniq", "crtp", "tmplcls", "tmplcls2", "tmplspec", "tmplrec",
    "variadic", "deduce", "overl", "nsalias", "usingns", "raiithrow", "customex2", "gotoback", "ternlv", "pair", "tie",
    "map", "duff", "veciter", "vecfill", "reint", "optref",
}  # fmt: skip
# Of several sizes one fails; or it is called by a pasted name or what a function returns, before `main`, in a macro.
UNTOLD = {"s_size", "l_loopsize", "l_loopsize2", "r_big", "a_assert3", "macloop", "mactok", "fnret", "ginit"}


def pairs() -> Iterator[tuple[str, str, str]]:
    for line in PROGRAMS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, before, dead, other, live = (it.replace("\\n", "\n") for it in line.split("\t"))
            yield name, program(before, dead), program(other or before, live)


def program(before: str, body: str) -> str:
    head = "".join(f"#include <{it}>\n" for it in INCLUDES)
    return f"{head}{KERNELS}{before}\nint main(int argc, char** argv) {{\n  {body}\n  return 0;\n}}\n"


def has_error(text: str) -> bool:
    return any(it.severity == "error" for it in diagnostics(view_of(text)))


EACH = [*pairs()]


@pytest.mark.parametrize("start", range(0, len(EACH), 40))
def test_only_launches_that_run_are_errors(start: int) -> None:
    some = EACH[start : start + 40]
    assert {name for name, dead, _ in some if has_error(dead)} == {
        name for name, *_ in some if name in BY_INPUT | NOT_FOLLOWED
    }
    assert {name for name, _, live in some if not has_error(live)} == {name for name, *_ in some if name in UNTOLD}


def test_the_list_is_whole() -> None:
    names = [name for name, *_ in EACH]
    assert len(names) == len(set(names)) >= 300
    assert {*names} >= BY_INPUT | NOT_FOLLOWED | UNTOLD
