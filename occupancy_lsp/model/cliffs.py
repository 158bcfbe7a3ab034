"""How far it is, in registers and in bytes, to the next change of the number of resident work-groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.search import largest


@dataclass(frozen=True, slots=True)
class Cliff:
    """An edge of the staircase. `at` is the largest amount on its better side, `delta` what separates it from now.

    Gaining: `delta` < 0, and with `at` there are `groups`. Losing: `delta` >= 0 may still be added; with one more
    than `at` only `groups` remain.
    """

    delta: int
    at: int
    groups: int
    percent: float


@dataclass(frozen=True, slots=True)
class Cliffs:
    """None: no amount gains, or none loses, or the count of registers is not known."""

    registers_gain: Cliff | None
    registers_loss: Cliff | None
    local_gain: Cliff | None  # static and dynamic bytes together
    local_loss: Cliff | None


def cliffs(arch: Architecture, need: Need) -> Cliffs:
    """The nearest changes around `need`, each resource alone, the other as it is."""
    now = arch.occupancy(need)

    def with_registers(count: int) -> Occupancy:
        return arch.occupancy(replace(need, registers=count))

    def with_local(total: int) -> Occupancy:
        return arch.occupancy(replace(need, static_local=0, dynamic_local=total))

    registers, total = need.registers, need.static_local + need.dynamic_local
    most = max(arch.local_per_group, arch.local_per_group_opt_in) + 1
    return Cliffs(
        _gain(with_registers, 1, registers, now) if registers else None,
        _loss(with_registers, registers, arch.max_registers, now) if registers else None,
        _gain(with_local, 0, total, now),
        _loss(with_local, total, most, now),
    )


def register_gains(arch: Architecture, need: Need, below: int) -> Iterator[Cliff]:
    """Each step up that fewer registers than `below` bring, the nearest first, to the most groups there can be."""

    def with_registers(count: int) -> Occupancy:
        return arch.occupancy(replace(need, registers=count))

    while (cliff := _gain(with_registers, 1, below, with_registers(below))) is not None:
        yield cliff
        below = cliff.at


def register_budget(arch: Architecture, need: Need) -> int:
    """The most registers per thread with which as many groups fit as with none; 0: none fit whatever the count."""
    best = arch.occupancy(replace(need, registers=None)).groups
    return largest_with(arch, need, best) if best else 0


def largest_with(arch: Architecture, need: Need, groups: int) -> int:
    """The most registers per thread with which at least `groups` fit; 0: they fit with no count."""

    def fits(count: int) -> bool:
        return arch.occupancy(replace(need, registers=count)).groups >= groups

    return largest(1, arch.max_registers, fits) or 0


def largest_local(arch: Architecture, need: Need, groups: int) -> int | None:
    """The most local memory, static and dynamic together, with which at least `groups` fit; None: with no amount."""

    def fits(total: int) -> bool:
        return arch.occupancy(replace(need, static_local=0, dynamic_local=total)).groups >= groups

    return largest(0, max(arch.local_per_group, arch.local_per_group_opt_in), fits)


def _gain(with_amount: Callable[[int], Occupancy], least: int, amount: int, now: Occupancy) -> Cliff | None:
    at = largest(least, amount - 1, lambda tried: with_amount(tried).groups > now.groups)
    if at is None:
        return None
    better = with_amount(at)
    return Cliff(at - amount, at, better.groups, better.percent)


def _loss(with_amount: Callable[[int], Occupancy], amount: int, most: int, now: Occupancy) -> Cliff | None:
    at = largest(amount, most, lambda tried: with_amount(tried).groups >= now.groups)
    if at is None or at >= most:
        return None
    worse = with_amount(at + 1)
    return Cliff(at - amount, at, worse.groups, worse.percent)
