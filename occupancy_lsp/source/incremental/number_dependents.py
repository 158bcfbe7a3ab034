"""Which items of a file may say something else where a number in some of them is another: told by names alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.symbol_table import LocatedItem

_WORD = regex(rb"[A-Za-z_]\w*")


class NumberDependents:
    """Which items, by their slots, name what others bear. `texts`: theirs."""

    def __init__(self, placed: Sequence[LocatedItem], texts: Mapping[int, bytes]) -> None:
        self._borne = {it.slot: tuple(_defined_names(it)) for it in placed}
        self._words = {it.slot: _words(texts[it.slot]) | _words_in_conditions(it) for it in placed}
        self._naming: dict[str, list[int]] = {}
        self._functions: dict[str, list[int]] = {}
        for it in placed:
            for word in self._words[it.slot]:
                self._naming.setdefault(word, []).append(it.slot)
            for name in it.names.functions:
                self._functions.setdefault(name, []).append(it.slot)

    def items_depending_on(self, items: Set[int]) -> Set[int]:
        """The items themselves, those that name what these bear, and so on; and the functions that any of these name,
        which are given other arguments."""
        found = _reachable_items(
            items, lambda slot: (it for name in self._borne[slot] for it in self._naming.get(name, ()))
        )
        return _reachable_items(
            found, lambda slot: (it for word in self._words[slot] for it in self._functions.get(word, ()))
        )


def _reachable_items(items: Set[int], next_to: Callable[[int], Iterable[int]]) -> Set[int]:
    found = dict.fromkeys(items)
    todo = [*found]
    for slot in todo:  # grows by what is found
        new = dict.fromkeys(it for it in next_to(slot) if it not in found)
        found |= new
        todo += new
    return found.keys()


def _defined_names(it: LocatedItem) -> Iterator[str]:
    names = it.names
    yield from chain(names.definitions, names.types, names.functions, names.unsaid, names.prototypes, names.announced)
    yield from chain(names.macros, names.defines)


def _words_in_conditions(it: LocatedItem) -> frozenset[str]:
    """By the conditions around it."""
    return frozenset(word for text, _ in it.conditions for word in _words(text.encode()))


@remembered(4096)
def _words(text: bytes) -> frozenset[str]:
    return frozenset(map(bytes.decode, _WORD.findall(text)))
