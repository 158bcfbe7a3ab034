"""Where names of a script stand: modules, calls, classes and objects; nothing here is Python's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.workspace.doubts import History, Item, TooMuch

MOST_BASES = 30


@dataclass(slots=True, eq=False)
class Frame:
    """The names of a module, or of one call. `outer`: where a name is looked for that it lacks. `path`: of the module's
    file. `function`: of a call."""

    path: Path
    outer: Frame | None = None
    names: dict[str, History] = field(default_factory=dict)
    returned: list[Item] = field(default_factory=list)
    function: Function | None = None

    def chain(self) -> Iterator[Frame]:
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.outer


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """`owner`: the class that it is a method of. `first`: what it is bound to, as a tuple of one."""

    node: ast.FunctionDef
    around: Frame
    owner: Class | None = None
    first: tuple[object, ...] = ()

    def is_(self, decorator: str) -> bool:
        return any(isinstance(it, ast.Name) and it.id == decorator for it in self.node.decorator_list)


@dataclass(frozen=True, slots=True)
class Named:
    """A function, class or module of another package."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A file of the workspace that the script imports."""

    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """`lineage`: it and its bases, in the order in which an attribute is looked for."""

    name: str
    names: dict[str, History]
    bases: tuple[Class, ...] = ()

    @property
    def lineage(self) -> tuple[Class, ...]:
        """TooMuch: of more than a person writes."""
        found: dict[Class, None] = {}
        todo = [self]
        while todo:
            one = todo.pop(0)
            found.pop(one, None)  # a base of several stands behind them all
            found[one] = None
            todo = [*one.bases, *todo]
            if len(found) + len(todo) > MOST_BASES:
                raise TooMuch
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class Object:
    of: Class
    names: dict[str, History] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Above:
    """What `super()` is in a method of `owner`."""

    owner: Class
    first: Object | Class


def found_in(where: object, name: str) -> tuple[History, tuple[object, ...]] | None:
    """What an attribute was set to, and what a method that it may be is bound to."""
    if isinstance(where, Module):
        history = where.frame.names.get(name)
        return (history, ()) if history is not None else None
    if isinstance(where, Object) and name in where.names:
        return where.names[name], ()
    first = where.first if isinstance(where, Above) else where
    if not isinstance(first, Object | Class):
        return None
    lineage = first.of.lineage if isinstance(first, Object) else first.lineage
    if isinstance(where, Above) and where.owner in lineage:
        lineage = lineage[lineage.index(where.owner) + 1 :]
    history = next((it.names[name] for it in lineage if name in it.names), None)
    return (history, (first,)) if history is not None else None


def bound(value: object, first: tuple[object, ...]) -> object:
    """A method as an attribute of what it is looked for in."""
    if not isinstance(value, Function) or value.owner is None or not first or value.is_("staticmethod"):
        return value
    (one,) = first
    if value.is_("classmethod"):
        one = one.of if isinstance(one, Object) else one
    elif isinstance(one, Class):
        return value
    return Function(value.node, value.around, value.owner, (one,))
