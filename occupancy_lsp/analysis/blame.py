"""Which of the inputs that are open can change a figure, and what holds whatever they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from occupancy_lsp.analysis.report import Figure
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.cliffs import largest_local, register_budget
from occupancy_lsp.model.occupancy import Need, Occupancy

# Asked for at each key, mostly of what it was before: of each of the 1,024 sizes that groups can have, with the least
# memory and with the most.
_register_budget = remembered(4096)(register_budget)
_largest_local = remembered(4096)(largest_local)


@dataclass(frozen=True, slots=True)
class Budget:
    """With at most so many registers per thread the figure lies between these ends, one for each size in question."""

    lowest: Occupancy
    highest: Occupancy
    registers: int


def memory_decides(arch: Architecture, figure: Figure) -> bool:
    """Whether an end of the figure would be another if it were known how much local memory a group takes or a unit has.

    What functions out of sight may use counts.
    """
    at_most = max((_with_memory(arch, it.least, it.most) for it in figure.each), key=_rank)
    at_least = min((_with_memory(arch, it.most, it.least) for it in figure.each), key=_rank)
    return _rank(at_most) != _rank(figure.highest) or _rank(at_least) != _rank(figure.lowest)


def best_budget(arch: Architecture, figure: Figure) -> Budget:
    """The most registers with which each size reaches its best, with the least local memory that it may take."""
    return _budget(arch, [it.least for it in figure.each])


def sure_budget(arch: Architecture, figure: Figure) -> Budget:
    """The most registers with which each size reaches what it can whatever local memory, barriers and tensor memory it
    takes."""
    needs = (_memory_of(it.least, it.most) for it in figure.each)
    most = [it.most for it in figure.each]
    pairs = zip(needs, most, strict=True)
    return _budget(arch, [replace(a, barriers=b.barriers, tensor_columns=b.tensor_columns) for a, b in pairs])


def is_worth_saying(sure: Budget, best: Budget) -> bool:
    """Whether what is sure is at least half of the best there can be."""
    return sure.registers > 0 and 2 * sure.lowest.sub_groups >= best.lowest.sub_groups


def memory_budget(arch: Architecture, figure: Figure) -> int | None:
    """The most bytes of local memory, static and dynamic, with which each size reaches its best; None: no amount does
    whatever share of its memory a unit is set to."""
    ends = ((_without_memory(it.least, it.most), arch.occupancy(it.least).groups) for it in figure.each)
    amounts = [_largest_local(arch, need, groups) for need, groups in ends]
    known = [it for it in amounts if it is not None]
    return min(known) if len(known) == len(amounts) else None


def _budget(arch: Architecture, needs: Sequence[Need]) -> Budget:
    free = [arch.occupancy(replace(it, registers=None)) for it in needs]
    registers = min(_register_budget(arch, it) for it in needs)
    return Budget(min(free, key=_rank), max(free, key=_rank), registers)


def _with_memory(arch: Architecture, need: Need, memory: Need) -> Occupancy:
    return arch.occupancy(_memory_of(need, memory))


def _without_memory(need: Need, shares: Need) -> Need:
    return replace(need, static_local=0, dynamic_local=0, carveout=shares.carveout)


def _memory_of(need: Need, memory: Need) -> Need:
    return replace(need, static_local=memory.static_local, dynamic_local=memory.dynamic_local, carveout=memory.carveout)


def _rank(result: Occupancy) -> tuple[int, int]:
    return result.sub_groups, result.groups
