"""Which of a thread's own arrays AMD's compiler may move to local memory (LLVM, AMDGPUPromoteAlloca).

One whose elements are all picked by constants ends in registers, and so does a short one of plain numbers, unless its
bytes are also read as numbers of another size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.reachability import KernelReachability
from occupancy_lsp.source.lower.item_facts import ElementHandling, Field, Function, PrivateArray
from occupancy_lsp.source.lower.private_arrays import handling_by_macro
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.builtin_layout import Layout
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.macro_uses import name_after_expansion
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Type, layout_of, may_have_arrays, resolve_type

Bytes = tuple[int, int | None]  # the fewest and the most; None: not known

_MOST_LANES = 16
_WIDEST = 8
_DEEPEST = 12
_VECTORWISE = regex(r"v(?:load|store)a?_?\w*")  # OpenCL's: several elements of the same type at once
_VECTOR = regex(r"(u?(?:char|short|int|long)|half|float|double)[A-Z]\w*")  # its width a macro out of sight
_LENGTH = regex(r"sizeof|vec_step|alignof")


def promotable_array_sizes(env: Environment, found: KernelReachability) -> Iterator[Bytes]:
    """The fewest and the most bytes of each array that may be moved."""
    yield from _promotable_sizes_in(env, (found.kernel,))
    key, nothing = ("movable", "", found.below), tuple[Bytes, ...]()
    yield from env.remember(key, lambda: tuple(_promotable_sizes_in(env, found.below.bodies)), nothing)


def _promotable_sizes_in(env: Environment, bodies: Iterable[FunctionInstance]) -> Iterator[Bytes]:
    for body in bodies:
        for name in sorted({site.name for site in body.function.mentions.calls} & set(env.dialect.local_memory.arrays)):
            yield env.dialect.local_memory.arrays[name], env.dialect.local_memory.arrays[name]
        for array in body.function.memory.private:
            at = array.field.span.start
            if env.holds(array.conditions, body.placed.order) is False or body.runs(at) is False:
                continue
            scope = body.scope(env, at)
            if not array.field.extents and not may_have_arrays(array.field.type, scope):
                continue
            layout = scope.layout_of_field(array.field)
            size = None if isinstance(layout, str) else layout.size
            lanes = None if isinstance(layout, str) else _element_size_if_vectorizable(array, layout, scope)
            if _may_be_promoted(env, array.handling, scope, lanes):
                yield (size, size) if size is not None else (_least_array_size(array.field, scope), None)


def _least_array_size(array: Field, scope: ItemScope) -> int:
    """Bytes that the array has whichever of its definitions the element's type means."""
    counts = [evaluate(it, scope).number for it in array.extents]
    return prod(it or 1 for it in counts) * _least_type_size(array.type.text, scope, 0)


def _least_type_size(kind: str, scope: ItemScope, depth: int) -> int:
    size = _type_size(kind, scope)
    if size is not None or depth > _DEEPEST:
        return size or 1
    if texts := scope.macro_texts(kind):
        return min(_least_type_size(it, scope, depth + 1) for it in texts)
    if (made := name_after_expansion(kind, scope)) not in (None, kind):
        return _least_type_size(made or "", scope, depth + 1)
    vector = _VECTOR.fullmatch(kind) if scope.builtin_type_family and not scope.env.types(kind) else None
    return (_type_size(vector[1], scope) or 1) if vector else 1


def _element_size_if_vectorizable(array: PrivateArray, whole: Layout, scope: ItemScope) -> int | None:
    """The size of its elements where the compiler may make a vector of them."""
    kind = resolve_type(array.field.type.text, scope)
    if not isinstance(kind, Type) or kind.layout is None or array.field.type.pointer or len(array.field.extents) != 1:
        return None
    plain = kind.name[-1:].isalpha() and kind.layout.size <= _WIDEST
    return kind.layout.size if plain and whole.size <= _MOST_LANES * kind.layout.size else None


def _may_be_promoted(env: Environment, handling: ElementHandling, scope: ItemScope, lanes: int | None) -> bool:
    fate = _outcome_of_handling(env, handling, scope, 0)
    return fate.lost or (fate.picked and (lanes is None or any(size != lanes for size in fate.sizes)))


@dataclass(slots=True)
class _PromotionOutcome:
    """`sizes`: of the elements as which its bytes are also read; None: not known."""

    picked: bool
    lost: bool
    sizes: set[int | None]


def _outcome_of_handling(
    env: Environment, handling: ElementHandling, scope: ItemScope, depth: int
) -> _PromotionOutcome:
    found = _PromotionOutcome(
        handling.picked, handling.lost, {_type_size(kind, scope) for kind in handling.recast if kind != "void"}
    )
    for name, index in handling.given:
        for inner in _outcomes_as_argument(env, name, index, scope, depth):
            found.picked, found.lost = found.picked or inner.picked, found.lost or inner.lost
            found.sizes |= inner.sizes
    return found


def _type_size(kind: str, scope: ItemScope) -> int | None:
    """Remembered: the same functions are asked for array after array."""
    nothing: int | None = None
    return scope.env.remember(("size", *scope.key, kind), lambda: _compute_type_size(kind, scope), nothing)


def _compute_type_size(kind: str, scope: ItemScope) -> int | None:
    found = resolve_type(kind, scope)
    layout = layout_of(found, scope) if isinstance(found, Type) else None
    return layout.size if isinstance(layout, Layout) else None


def _outcomes_as_argument(
    env: Environment, name: str, index: int, scope: ItemScope, depth: int
) -> Iterator[_PromotionOutcome]:
    """What becomes of it where it is the argument at `index` of the function or macro."""
    label = name.lstrip(".").rsplit("::", 1)[-1]
    macros = env.possible_function_macros(label, *scope.position)
    functions = [] if macros else env.functions(label)
    if depth > _DEEPEST or not (macros or functions):
        plain = bool(_VECTORWISE.fullmatch(label)) or depth > _DEEPEST
        yield (
            _PromotionOutcome(True, not plain, set())
            if not _LENGTH.fullmatch(label)
            else _PromotionOutcome(False, False, set())
        )
        return
    for macro in macros:
        if index < len(macro.parameters):
            yield _outcome_of_handling(env, handling_by_macro(macro.body, macro.parameters[index]), scope, depth + 1)
    for placed, function in functions:
        if index >= len(function.parameters):
            continue
        key = ("fate", placed.item, placed.order, function.body.start, index, depth)
        yield env.remember(
            key, partial(_outcome_in_callee, env, placed, function, index, depth), _PromotionOutcome(True, True, set())
        )


def _outcome_in_callee(
    env: Environment, placed: LocatedItem, function: Function, index: int, depth: int
) -> _PromotionOutcome:
    parameter = function.parameters[index]
    there = ItemScope(env, placed, function.body.start, function.owner)
    found = _outcome_of_handling(
        env, dict(function.memory.pointers).get(parameter.name, ElementHandling()), there, depth + 1
    )
    said = _type_size(parameter.type.rstrip("*& "), there)
    return _PromotionOutcome(found.picked, found.lost, found.sizes | ({said} if said is not None else set()))
