"""Every rule, by code."""

from __future__ import annotations

from occupancy_lsp.rules import (
    Rule,
    occ001,
    occ002,
    occ003,
    occ004,
    occ005,
    occ006,
    occ101,
    occ102,
    occ103,
    occ104,
    occ105,
    occ106,
    occ107,
    occ201,
    occ202,
    occ203,
    occ301,
    occ302,
    occ303,
    occ304,
    occ305,
    occ306,
    occ307,
    occ308,
    occupancy_directive,
)

RULES: tuple[Rule, ...] = tuple(
    module.RULE
    for module in (
        occ001,
        occ002,
        occ003,
        occ004,
        occ005,
        occ006,
        occ101,
        occ102,
        occ103,
        occ104,
        occ105,
        occ106,
        occ107,
        occ201,
        occ202,
        occ203,
        occ301,
        occ302,
        occ303,
        occ304,
        occ305,
        occ306,
        occ307,
        occ308,
        occupancy_directive,
    )
)
