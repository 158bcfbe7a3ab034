"""How much a hint says: both tables of docs/hints.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest

from occupancy_lsp.features.hints import hints
from tests.support import view_of

PAGE = Path(__file__).parents[2] / "docs" / "hints.md"
SECTION = PAGE.read_text("utf-8").split("## How much a hint says")[1].split("\n## ")[0]
LEVELS = ("short", "normal", "detailed")
# What stands for each row of the first table: a kernel on an H100.
SOURCES = (
    "// occupancy: regs=64\n__global__ void k(int *p) { *p = 1; } void h(int *p) { k<<<1, 256>>>(p); }",
    "__global__ void k(int *p) { *p = 1; } void h(int *p) { k<<<1, 256>>>(p); }",
    "__global__ void __launch_bounds__(256, 6) k(int *p) { *p = 1; } void h(int *p) { k<<<1, 256>>>(p); }",
    "__global__ void k(int *p) { __shared__ char t[50000]; t[*p] = 1; }\n"
    "void h(int *p) { k<<<1, 256>>>(p); k<<<1, 512>>>(p); k<<<1, 1024>>>(p); }",
    "// occupancy: regs=156\n__global__ void k(int *p) { *p = 1; } void h(int *p) { k<<<1, 512>>>(p); }",
)
NOTHING = "__global__ void k(int *p) { *p = 1; }"


def shown(source: str, **settings: str) -> str | None:
    """The first hint, which is the kernel's."""
    view = view_of(source, "h100", settings=settings)
    return next((it.label for it in hints(view, 0, len(source)) if (it.key or "").startswith("kernel")), None)


def rows(number: int) -> list[list[str]]:
    tables = re.findall(r"(?:^\|.*\n)+", SECTION, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in tables[number].splitlines()[2:]]


@pytest.mark.parametrize(("source", "row"), [*zip(SOURCES, rows(0), strict=True)])
def test_the_table_of_verbosity(source: str, row: list[str]) -> None:
    assert [f"`{shown(source, verbosity=level)}`" for level in LEVELS] == row


def test_the_table_of_unknown() -> None:
    for (level, *cells), name in zip(rows(1), ("never", "when-useful", "always"), strict=True):
        assert level == f"`{name}`"
        found = [shown(it, hints_for_unknown=name) for it in (SOURCES[0], SOURCES[1], NOTHING)]
        expected = {"shown": True, "no hint": False, "`block size?`": True}
        assert [it is not None for it in found] == [expected[cell] for cell in cells]
        assert found[2] == (cells[2].strip("`") if expected[cells[2]] else None)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("unknown", ["never", "when-useful", "always"])
def test_what_cannot_launch_and_what_is_sure_is_always_said(
    level: Literal["short", "normal", "detailed"], unknown: str
) -> None:
    for source, part in ((SOURCES[4], "no launch"), (SOURCES[2], "≥75%")):
        assert part in str(shown(source, verbosity=level, hints_for_unknown=unknown))


def test_launches_follow_the_same_settings() -> None:
    source = (
        "// occupancy: regs=64\n__global__ void k(int *p) { *p = 1; }\n"
        "void h(int *p) {\n  k<<<1, 256>>>(p);\n  k<<<1, 512, 100000>>>(p);\n}"
    )
    view = view_of(source, "h100", settings={"verbosity": "short"})
    assert all("·" not in it.label for it in hints(view, 0, len(source)))
    assert len(hints(view, 0, len(source))) > 1


def test_a_work_group_of_another_vendor() -> None:
    source = "__kernel void k(__global int *p) { *p = 1; }"
    view = view_of(source, "mi300x", settings={"hints_for_unknown": "always"}, path=Path("/nowhere/k.cl"))
    assert [it.label for it in hints(view, 0, len(source))] == ["work-group size?"]
