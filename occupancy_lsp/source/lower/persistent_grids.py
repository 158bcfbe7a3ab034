"""Launches of kernels that stay: cooperative ones, and grids that the host counts by the device's compute units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.item_facts import Launch

# It starts with a set of bytes, to the next of which the engine leaps.
_UNITS = regex(
    rb"[CMNScmns](?i:(?<=m)ulti_?processor_?count|(?<=m)ax_?compute_?units"
    rb"|(?<=n)um_?(?:sm|cu)s?\b|(?<=s)m_?count\b|(?<=c)u_?count\b)"
)
_COOPERATIVE = regex(rb"LaunchCooperativeKernel")
_NAME = regex(rb"[A-Za-z_]\w*")
# What a variable is made from, behind its name: by assignment or in parentheses; or through its address.
_GIVEN = regex(rb"(?:\s*\.\s*\w+)?\s*(?:[-+*/]?=(?!=)|[({])([^;]{0,4000});")
_POINTED = regex(rb"\s*,([^;]{0,4000});")
_ADDRESS = regex(rb"\(\s*&\s*\Z")
_NEAR = 80
_ROUNDS = 3  # of variables that are made from each other


def mark_persistent_launches(code: bytes, launches: Sequence[Launch]) -> tuple[Launch, ...]:
    """The launches, with what their item's code says of the grids."""
    if not _UNITS.search(code) and not _COOPERATIVE.search(code):
        return tuple(launches)
    counted = _ComputeUnitCounts(code)
    return tuple(
        structs.replace(
            it,
            cooperative=it.cooperative or _COOPERATIVE.search(code, it.span.start, it.configuration.start) is not None,
            by_units=counted.earliest_offset_counting_units(code[it.grid.span.start : it.grid.span.end])
            <= it.span.start,
        )
        for it in launches
    )


class _ComputeUnitCounts:
    """From where on in the code an expression names the number of units, or a variable that is made from it."""

    def __init__(self, code: bytes) -> None:
        self._code = code
        self._at: dict[bytes, list[int]] = {}  # where each name ends
        for match in _NAME.finditer(code):
            self._at.setdefault(match[0], []).append(match.end())
        self._known: dict[tuple[bytes, int], int] = {}

    def earliest_offset_counting_units(self, said: bytes, rounds: int = _ROUNDS) -> int:
        if _UNITS.search(said):
            return 0
        names = set(_NAME.findall(said)) if rounds else ()
        return min((self._offset_for_name(name, rounds - 1) for name in names), default=self._end_of_code)

    @property
    def _end_of_code(self) -> int:
        return len(self._code)

    def _offset_for_name(self, name: bytes, rounds: int) -> int:
        if (name, rounds) not in self._known:
            made = (
                max(end, self.earliest_offset_counting_units(part, rounds)) for end, part in self._assigned_values(name)
            )
            self._known[name, rounds] = min(made, default=self._end_of_code)
        return self._known[name, rounds]

    def _assigned_values(self, name: bytes) -> Iterator[tuple[int, bytes]]:
        for end in self._at.get(name, ()):
            start = end - len(name)
            match = _GIVEN.match(self._code, end)
            if match is None and _ADDRESS.search(self._code, max(start - _NEAR, 0), start):
                match = _POINTED.match(self._code, end)
            if match is not None:
                yield match.end(), match[1]
