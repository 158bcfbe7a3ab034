"""Which of a thread's own arrays AMD's compiler may move to local memory (LLVM, AMDGPUPromoteAlloca).

One whose elements are all picked by constants ends in registers, and so does a short one of plain numbers, unless its
bytes are also read as numbers of another size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from occupancy_lsp.syntax.environment import Environment
from occupancy_lsp.syntax.facts import Handling, PrivateArray
from occupancy_lsp.syntax.layout import Layout
from occupancy_lsp.syntax.private_arrays import macro_handling
from occupancy_lsp.syntax.reach import Reach
from occupancy_lsp.syntax.scope import ItemScope
from occupancy_lsp.syntax.types import Type, has_arrays, layout_of, resolve_type

_MOST_LANES = 16
_WIDEST = 8
_DEEPEST = 12
_VECTORWISE = re.compile(r"v(?:load|store)a?_?\w*")  # OpenCL's: several elements of the same type at once
_LENGTH = re.compile(r"sizeof|vec_step|alignof")


def movable(env: Environment, found: Reach) -> Iterator[int | None]:
    """The bytes of each array that may be moved; None: not known."""
    for body in found.bodies:
        for name in sorted({site.name for site in body.function.calls} & set(env.dialect.arrays)):
            yield env.dialect.arrays[name]
        for array in body.function.private:
            at = array.field.span.start
            if env.holds(array.conditions, body.standing.order) is False or body.runs(at) is False:
                continue
            scope = body.scope(env, at)
            if not array.field.extents and not has_arrays(array.field.type, scope):
                continue
            layout = scope.field(array.field)
            size = None if isinstance(layout, str) else layout.size
            lanes = None if isinstance(layout, str) else _lanes(array, layout, scope)
            if _may_move(env, array.handling, scope, lanes):
                yield size


def _lanes(array: PrivateArray, whole: Layout, scope: ItemScope) -> int | None:
    """The size of its elements where the compiler may make a vector of them."""
    kind = resolve_type(array.field.type.text, scope)
    if not isinstance(kind, Type) or kind.layout is None or array.field.type.pointer or len(array.field.extents) != 1:
        return None
    plain = kind.name[-1:].isalpha() and kind.layout.size <= _WIDEST
    return kind.layout.size if plain and whole.size <= _MOST_LANES * kind.layout.size else None


def _may_move(env: Environment, handling: Handling, scope: ItemScope, lanes: int | None) -> bool:
    fate = _fate(env, handling, scope, 0)
    return fate.lost or (fate.picked and (lanes is None or any(size != lanes for size in fate.sizes)))


@dataclass(slots=True)
class _Fate:
    """`sizes`: of the elements as which its bytes are also read; None: not known."""

    picked: bool
    lost: bool
    sizes: set[int | None]


def _fate(env: Environment, handling: Handling, scope: ItemScope, depth: int) -> _Fate:
    found = _Fate(handling.picked, handling.lost, {_size(kind, scope) for kind in handling.recast if kind != "void"})
    for name, index in handling.given:
        for inner in _passed(env, name, index, scope, depth):
            found.picked, found.lost = found.picked or inner.picked, found.lost or inner.lost
            found.sizes |= inner.sizes
    return found


def _size(kind: str, scope: ItemScope) -> int | None:
    """Remembered: the same functions are asked for array after array."""
    nothing: int | None = None
    return scope.env.remember(("size", kind, *scope.key), lambda: _size_now(kind, scope), nothing)


def _size_now(kind: str, scope: ItemScope) -> int | None:
    found = resolve_type(kind, scope)
    layout = layout_of(found, scope) if isinstance(found, Type) else None
    return layout.size if isinstance(layout, Layout) else None


def _passed(env: Environment, name: str, index: int, scope: ItemScope, depth: int) -> Iterator[_Fate]:
    """What becomes of it where it is the argument at `index` of the function or macro."""
    label = name.lstrip(".").rsplit("::", 1)[-1]
    macros = env.macro_forms(label, scope.standing.order)
    functions = [] if macros else env.functions(label)
    if depth > _DEEPEST or not (macros or functions):
        plain = bool(_VECTORWISE.fullmatch(label)) or depth > _DEEPEST
        yield _Fate(True, not plain, set()) if not _LENGTH.fullmatch(label) else _Fate(False, False, set())
    for macro in macros:
        if index < len(macro.parameters):
            yield _fate(env, macro_handling(macro.body, macro.parameters[index]), scope, depth + 1)
    for standing, function in functions:
        if index >= len(function.parameters):
            continue
        parameter = function.parameters[index]
        there = ItemScope(env, standing, function.body.start, function.owner)
        found = _fate(env, function.pointers.get(parameter.name, Handling()), there, depth + 1)
        said = _size(parameter.type.rstrip("*& "), there)
        yield _Fate(found.picked, found.lost, found.sizes | ({said} if said is not None else set()))
