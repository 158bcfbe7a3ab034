"""What a thread computes, as a graph: values, the operations that make them, the elements that are read and stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.polynomials import Polynomial, constant, dimensions, number, plus, reaches_all, times
from occupancy_lsp.source.syntax.integer_types import BINARY

_ORDERED = ("-", "/")  # the operands of others may be exchanged
_BEYOND = 1 << 31  # an index of more would overflow


class Unfollowable(Exception):
    """What a thread does is not seen, for this reason."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A value. `precision`: of a floating-point number, "fp32"; "" of a whole one, whose polynomial is `whole`.

    `node`: in the graph; None: nothing is read or computed for it at run time. `fixed`: of a constant; `name`: of an
    argument.
    """

    precision: str = ""
    whole: Polynomial | None = None
    node: int | None = None
    fixed: float | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Array:
    """A pointer that the kernel is given, to elements of `size` bytes."""

    name: str
    size: int
    precision: str


@dataclass(frozen=True, slots=True)
class Condition:
    """One that was met, by its number. `below`: what is less than what if it holds."""

    met: int
    below: tuple[tuple[Polynomial, Polynomial], ...]


@dataclass(slots=True)
class Graph:
    """`where`: the conditions around the text that is followed now. `operations`: how many, by precision."""

    operations: dict[str, int] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()
    _needs: list[tuple[int, ...]] = field(default_factory=list)
    _stored: list[int] = field(default_factory=list)
    _products: set[int] = field(default_factory=set)
    _added: set[int] = field(default_factory=set)
    _known: set[tuple[object, ...]] = field(default_factory=set)
    _reads: dict[Array, list[Polynomial]] = field(default_factory=dict)
    _writes: dict[Array, list[Polynomial]] = field(default_factory=dict)
    _places: set[tuple[Condition, ...]] = field(default_factory=set)

    @property
    def events(self) -> int:
        return len(self._needs) + len(self._stored)

    def read(self, array: Array, index: Polynomial | None, said: str) -> Computed:
        at = self._element(index, said)
        if at in self._reads.get(array, ()) or at in self._writes.get(array, ()):
            raise Unfollowable(f"a register may hold {said}, which it accesses before")
        self._reads.setdefault(array, []).append(at)
        return Computed(array.precision, node=self._node(("read", array, at), ()))

    def write(self, array: Array, index: Polynomial | None, value: Computed, said: str) -> None:
        at = self._element(index, said)
        if at in self._writes.get(array, ()):
            raise Unfollowable(f"it stores to {said} twice")
        self._writes.setdefault(array, []).append(at)
        self._stored.append(self._node(("write", array, at), () if value.node is None else (value.node,)))

    def arithmetic(self, operator: str, operands: Sequence[Computed], count: int = 1) -> Computed:
        """`count` operations in the widest precision of the operands."""
        precision = max(it.precision for it in operands if it.precision)
        if any(it.fixed is not None and abs(it.fixed) in (0, 1) for it in operands) and operator in ("*", "/", "fma"):
            raise Unfollowable("it multiplies by 0 or 1")
        parts: list[object] = [it.node if it.node is not None else it for it in operands]
        if operator not in _ORDERED:
            parts.sort(key=str)
        nodes = tuple(it.node for it in operands if it.node is not None)
        self.operations[precision] = self.operations.get(precision, 0) + count
        if operator == "*" and any(it.fixed is not None and abs(it.fixed) == 2 for it in operands):
            nodes *= 2  # a compiler's x + x
        node = self._node((operator, precision, *parts), nodes)
        if operator in ("+", "-") or len(set(nodes)) < len(nodes):
            self._added.update(nodes)
        if operator == "*":
            self._products.add(node)
        return Computed(precision, node=node)

    def whole(self, operator: str, a: Computed, b: Computed) -> Computed:
        """Of two whole numbers; no operation counts."""
        nodes = tuple(it.node for it in (a, b) if it.node is not None)
        if nodes:
            return Computed(node=self._node((operator, a, b, len(self._needs)), nodes))
        return Computed(whole=_combined(operator, a.whole, b.whole))

    @staticmethod
    def _element(index: Polynomial | None, said: str) -> Polynomial:
        if index is None:
            raise Unfollowable(f"which element {said} is, is not followed")
        if not dimensions(index):
            raise Unfollowable(f"all threads access {said}")
        return index

    def _node(self, key: tuple[object, ...], needs: tuple[int, ...]) -> int:
        if key in self._known:
            raise Unfollowable("it computes the same twice")
        self._known.add(key)
        self._places.add(self.where)
        self._needs.append(needs)
        return len(self._needs) - 1

    def moved(self) -> int:
        """Bytes that each thread reads and writes. Unclear: a cache may hold some of them, or they are not needed."""
        if len(self._places) > 1:
            raise Unfollowable("part of it runs under a condition")
        needed, left = set(self._stored), [*self._stored]
        while left:
            new = [it for it in self._needs[left.pop()] if it not in needed]
            needed.update(new)
            left += new
        if len(needed) < len(self._needs):
            raise Unfollowable("not all that it computes is stored")
        used = Counter(it for needs in self._needs for it in needs)
        if any(used[it] > 1 for it in self._products & self._added):
            raise Unfollowable("it uses a product twice, which a compiler may fuse with each addition")
        every = list(self._accessed())
        if len({dimensions(at) for _, indices in every for at in indices}) > 1:
            raise Unfollowable("threads share elements, which a cache may hold")
        below = [limit for place in self._places for condition in place for limit in condition.below]
        for array, indices in every:
            if not reaches_all(indices, below):
                raise Unfollowable(f"the threads may not access each element of {array.name} once")
            reads, writes = self._reads.get(array), self._writes.get(array)
            if reads and writes and set(reads) != set(writes):
                raise Unfollowable(f"the threads access elements of {array.name} that others store to")
        return sum(array.size * len(indices) for array, indices in every)

    def _accessed(self) -> Iterator[tuple[Array, list[Polynomial]]]:
        yield from self._reads.items()
        yield from self._writes.items()


def _combined(operator: str, a: Polynomial | None, b: Polynomial | None) -> Polynomial | None:
    if a is None or b is None:
        return None
    if operator in "+-":
        found: Polynomial | None = plus(a, b, 1 if operator == "+" else -1)
    elif operator == "*":
        found = times(a, b)
    else:
        one, other = constant(a), constant(b)
        plain = operator in BINARY and one is not None and other is not None and min(one, other) >= 0
        folded = BINARY[operator](one, other) if plain and one is not None and other is not None else None
        found = number(folded) if folded is not None else None
    fits = found is not None and all(abs(count) < _BEYOND for _, count in found)
    return found if fits else None
