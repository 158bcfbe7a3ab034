"""Launches of kernels that stay: cooperative ones, and grids that the host counts by the device's compute units."""

from __future__ import annotations

import re
from dataclasses import replace

from occupancy_lsp.syntax.facts import Launch

_UNITS = re.compile(rb"(?i)multi_?processor_?count|max_?compute_?units|\b\w*num_?(?:sm|cu)s?\b|\b\w*(?:sm|cu)_?count\b")
_COOPERATIVE = re.compile(rb"LaunchCooperativeKernel|LaunchAttributeCooperative")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_ROUNDS = 4  # of variables that are made from each other


def staying(code: bytes, launch: Launch) -> Launch:
    """The launch, with what its item's code says of the grid."""
    if not _UNITS.search(code) and not _COOPERATIVE.search(code):
        return launch
    cooperative = _COOPERATIVE.search(code, launch.span.start, launch.configuration.start) is not None
    return replace(launch, cooperative=cooperative, by_units=_counts_units(code, launch))


def _counts_units(code: bytes, launch: Launch) -> bool:
    """Whether the grid, or a variable of the same function that it is made from, names the number of units."""
    said = code[launch.grid.span.start : launch.grid.span.end]
    asked: set[bytes] = set()
    for _ in range(_ROUNDS):
        if _UNITS.search(said):
            return True
        names = set(_NAME.findall(said)) - asked
        if not names:
            return False
        asked |= names
        said = b" ; ".join(_made_from(code[: launch.span.start], names))
    return False


def _made_from(code: bytes, names: set[bytes]) -> list[bytes]:
    """What is written to variables of these names, by assignment, in parentheses, or through their address."""
    written = rb"\b(?:%b)\b(?:\s*\.\s*\w+)?\s*(?:[-+*/]?=(?!=)|[({])([^;]*);|\(\s*&\s*(?:%b)\s*,([^;]*);"
    every = b"|".join(sorted(names))
    return [part for match in re.finditer(written % (every, every), code) for part in match.groups() if part]
