"""Which namespaces' names `using namespace` makes visible at a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lower.variables import ALL_OF_NAMESPACE
from occupancy_lsp.source.sema import symbols_by_scope
from occupancy_lsp.source.syntax.expression_nodes import Name

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VisibleNamespaces:
    """By its path, how much of a namespace the directive shares that makes it visible: its names are as if they stood
    so deep. It is looked up, not listed: a file may have thousands, of which a name is in few.

    `around`: for each namespace around the place, what directives in it lead to, and behind which items; `order`: where
    the place is; `own`: what those of a function lead to.
    """

    around: tuple[tuple[Path, Mapping[Path, int]], ...]
    order: int
    own: Mapping[Path, int]

    def visible_depth_of(self, path: Path) -> int | None:
        depths = [
            _common_prefix_length(there, path)
            for there, known in self.around
            if known.get(path, self.order) < self.order
        ]
        return max((*depths, *((self.own[path],) if path in self.own else ())), default=None)

    def __contains__(self, path: Path) -> bool:
        return self.visible_depth_of(path) is not None

    def __iter__(self) -> Iterator[Path]:
        each = (path for _, known in self.around for path, behind in known.items() if behind < self.order)
        return iter(dict.fromkeys((*each, *self.own)))

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None


_NONE = VisibleNamespaces((), 0, {})


def visible_namespaces(env: Environment, path: Path, order: int, own: list[Name]) -> VisibleNamespaces:
    """At a place in the namespaces and classes `path`. `own`: what the directives of its function say."""
    if not own and not env.definitions(ALL_OF_NAMESPACE):
        return _NONE
    each = ((path[:depth], _namespaces_by_directives(env, path[:depth])) for depth in range(len(path) + 1))
    around = tuple((there, known) for there, known in each if known)
    found: dict[Path, int] = {}
    for name in own:
        for named in _paths_in_enclosing_namespaces(path, name.parts):
            behind = (it for it, at in _namespaces_by_directives(env, named).items() if at < order)
            found |= {it: _common_prefix_length(path, it) for it in (named, *behind)}
    return VisibleNamespaces(around, order, found)


def _namespaces_by_directives(env: Environment, path: Path) -> Mapping[Path, int]:
    """What directives in a namespace make visible, also by those in what they name, and behind which item each is."""
    none: Mapping[Path, int] = {}
    return env.remember(("used namespaces", ALL_OF_NAMESPACE, path), lambda: _follow_directives(env, path), none)


def _follow_directives(env: Environment, path: Path) -> Mapping[Path, int]:
    found: dict[Path, int] = {}
    todo = [(order, path, name.parts) for order, name in _using_directives_in(env, path)]
    heapify(todo)
    while todo:  # what is visible first comes first
        order, there, parts = heappop(todo)
        for named in _paths_in_enclosing_namespaces(there, parts):
            if named not in found:
                found[named] = order
                for behind, name in _using_directives_in(env, named):
                    heappush(todo, (max(order, behind), named, name.parts))
    return found


def _using_directives_in(env: Environment, path: Path) -> Iterator[tuple[int, Name]]:
    """Those of a namespace that may hold, each with the order of its item."""
    for it in symbols_by_scope.values_at_paths(env, ALL_OF_NAMESPACE, (path,)):
        placed, value = it.placed, it.definition.value
        conditions = placed.conditions + it.definition.conditions
        if (
            placed.scope_path(()) == path
            and isinstance(value, Name)
            and env.holds(conditions, placed.order) is not False
        ):
            yield placed.order, value


def _paths_in_enclosing_namespaces(path: Path, parts: Path) -> Iterator[Path]:
    """What a namespace's name may mean in another."""
    return ((*path[:depth], *parts) for depth in range(len(path) + 1))


def _common_prefix_length(one: Path, other: Path) -> int:
    """How many names two paths begin with alike."""
    alike = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(alike, min(len(one), len(other)))
