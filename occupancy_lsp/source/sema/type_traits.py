"""The few templates of the standard libraries whose answer depends on nothing but their arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from occupancy_lsp.source.sema.builtin_layout import Layout, round_up
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.syntax.expression_parser import parse_detached

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope
    from occupancy_lsp.source.sema.types import Type

_Part = tuple[str, tuple[str, ...] | None]
_UNSIGNED: Mapping[str, str] = {
    "char": "unsigned char", "signed char": "unsigned char", "short": "unsigned short", "int": "unsigned int",
    "long": "unsigned long", "long long": "unsigned long long",
}  # fmt: skip
_SIGNED = {unsigned: signed for signed, unsigned in _UNSIGNED.items() if signed != "char"}
_NAMESPACES = ("std", "cuda")
_TRUTHS: Mapping[str, str] = {"true_type": "1", "false_type": "0"}
_CONSTANTS = frozenset(("integral_constant", "bool_constant", *_TRUTHS))
_SAME = ("remove_cv", "remove_const", "remove_volatile", "remove_reference", "remove_cvref", "decay", "type_identity")
_CV = frozenset(("const", "volatile"))
_REMOVED = {  # of those that do not remove both qualifiers
    "remove_const": frozenset(("const",)),
    "remove_volatile": frozenset(("volatile",)),
    "remove_reference": frozenset[str](),
    "type_identity": frozenset[str](),
}
_KNOWN = frozenset(("make_unsigned", "make_signed", "conditional", "remove_pointer", *_SAME))


def resolve_type_trait(parts: Sequence[_Part], scope: ItemScope, depth: int) -> Type | str | None:
    """`std::make_unsigned<T>::type` or `std::make_unsigned_t<T>`; None: none of these."""
    parts = _without_library_namespaces(parts)
    names = [name for name, _ in parts]
    if (constant := integral_constant_in(parts, scope)) is not None:
        return _integral_constant_type(constant, names[0], scope)
    if not names or parts[0][1] is None:
        return None
    trait, given = names[0], parts[0][1]
    if trait == "pipeline_shared_state" and len(given) == 2 and given[0].endswith("thread_scope_block"):
        return _pipeline_state_type(given, scope)
    if trait == "array" and len(given) == 2 and len(names) == 1:
        return _std_array_type(given, scope, depth)
    if trait in ("aligned_storage", "aligned_storage_t") and (names[1:] == ["type"] or trait.endswith("_t")):
        return _aligned_storage_type(given, scope)
    if trait == "optional" and len(given) == 1 and len(names) == 1:
        return _std_optional_type(given[0], scope, depth)
    if trait.endswith("_t") and len(names) == 1:
        trait = trait.removesuffix("_t")
    elif names[1:] != ["type"]:
        return None
    return _apply_trait(trait, given, scope, depth) if trait in _KNOWN else None


def integral_constant_in(parts: Sequence[_Part], scope: ItemScope) -> tuple[str, str] | None:
    """Type and value, as written, of `std::integral_constant<int, 4>` or a short form; None: it is none, or the
    workspace has its own. "" where nothing is written."""
    parts = _without_library_namespaces(parts)
    if len(parts) != 1 or (name := parts[0][0]) not in _CONSTANTS or scope.env.types(name):
        return None
    if name in _TRUTHS:
        return "bool", _TRUTHS[name]
    given = ("bool",) * (name == "bool_constant") + (parts[0][1] or ())
    return (given[0], given[1]) if len(given) == 2 else ("", "")


def _without_library_namespaces(parts: Sequence[_Part]) -> Sequence[_Part]:
    outer = next((at for at, (name, _) in enumerate(parts) if name not in _NAMESPACES), len(parts))
    return parts[outer:]


def _integral_constant_type(said: tuple[str, str], name: str, scope: ItemScope) -> Type | str:
    from occupancy_lsp.source.sema.constant_objects import integer_of_type
    from occupancy_lsp.source.sema.types import Type, resolve_type

    kind = resolve_type(said[0], scope) if said[0] else ""
    value = integer_of_type(evaluate(parse_detached(said[1]), scope), kind, scope) if isinstance(kind, Type) else None
    if value is None or isinstance(kind, str):
        return f"the value of std::{name}"
    number = value.number
    shown = ("false", "true")[number] if kind.name == "bool" else f"({kind.name}){number}" if kind.enum else number
    return Type(f"std::integral_constant<{kind.name}, {shown}>", Layout(1, 1), constant=value)


def _std_array_type(given: tuple[str, ...], scope: ItemScope, depth: int) -> Type | str:
    """`std::array<T, N>`: N elements side by side."""
    from occupancy_lsp.source.sema.types import Type, layout_of, resolve_type

    element, count = resolve_type(given[0], scope, depth + 1), evaluate(parse_detached(given[1]), scope).number
    laid = layout_of(element, scope, depth + 1) if isinstance(element, Type) else element
    if isinstance(laid, str) or count is None or count < 1:
        return laid if isinstance(laid, str) else f"the size of std::array<…, {given[1]}>"
    name = element.name if isinstance(element, Type) else given[0]
    return Type(f"std::array<{name}, {count}>", Layout(laid.size * count, laid.alignment))


def _std_optional_type(given: str, scope: ItemScope, depth: int) -> Type | str:
    """`std::optional<T>`: a T and whether there is one, in libstdc++ and libcu++ (nvcc 13.0, 15 types)."""
    from occupancy_lsp.source.sema.types import Type, layout_of, resolve_type

    value = resolve_type(given, scope, depth + 1)
    laid = layout_of(value, scope, depth + 1) if isinstance(value, Type) else value
    if isinstance(laid, str) or scope.env.types("optional"):
        return laid if isinstance(laid, str) else "the size of optional"
    name = value.name if isinstance(value, Type) else given
    size = round_up(laid.size + 1, laid.alignment)
    return Type(f"std::optional<{name}>", Layout(size, laid.alignment))


def _aligned_storage_type(given: tuple[str, ...], scope: ItemScope) -> Type | str:
    """`std::aligned_storage<size, alignment>`: as many bytes as fit; without an alignment the library chooses one."""
    from occupancy_lsp.source.sema.types import Type

    size, alignment = (evaluate(parse_detached(it), scope).number for it in (*given, "0", "0")[:2])
    if len(given) != 2 or not size or not alignment or alignment & (alignment - 1):
        return f"the size of std::aligned_storage<{', '.join(given)}>"
    return Type(f"std::aligned_storage<{size}, {alignment}>::type", Layout(round_up(size, alignment), alignment))


def _pipeline_state_type(given: tuple[str, ...], scope: ItemScope) -> Type | str:
    """libcu++: two barriers of 8 bytes a stage, and a counter of 4 (nvcc 13.0: 24, 40, 72 bytes for 1, 2, 4 stages)."""
    from occupancy_lsp.source.sema.types import Type

    stages = evaluate(parse_detached(given[1]), scope).number
    if stages is None or stages < 1:
        return f"the size of cuda::pipeline_shared_state<…, {given[1]}>"
    return Type(f"cuda::pipeline_shared_state<{stages}>", Layout(16 * stages + 8, 8))


def _apply_trait(trait: str, given: tuple[str, ...], scope: ItemScope, depth: int) -> Type | str:
    from occupancy_lsp.source.sema.types import resolve_type

    if trait == "conditional" and len(given) == 3:
        chosen = evaluate(parse_detached(given[0]), scope).number
        if chosen is None:
            return f"the size of std::conditional<{given[0]}, …>"
        return resolve_type(given[1 if chosen else 2], scope, depth + 1)
    kind = resolve_type(given[0], scope, depth + 1) if len(given) == 1 else f"the size of std::{trait}"
    if isinstance(kind, str):
        return kind
    if trait in _SAME:
        return replace(kind, qualifiers=kind.qualifiers - _REMOVED.get(trait, _CV))
    if trait == "remove_pointer":
        return kind.pointee or kind
    other = (_UNSIGNED if trait == "make_unsigned" else _SIGNED).get(kind.name, kind.name)
    return resolve_type(other, scope, depth + 1)
