"""Which of several kernels of one name a launch may mean, by what they take and what it gives."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.types import Type, resolve_type, type_of_argument

_INTEGER = regex(r"(?:(?:un)?signed|long|int|short|char|bool|\s)+\**\Z")  # what platforms may call otherwise


@dataclass(frozen=True, slots=True)
class KernelSignature:
    """What a kernel takes. `template`: how many template arguments at most; `needed`: how many arguments at least.

    `types`: of its parameters, "" where that is not known; the most of either is None where it has a pack.
    """

    template: int | None
    needed: int
    types: tuple[str, ...]
    most: int | None


@dataclass(frozen=True, slots=True)
class LaunchArguments:
    """What a launch gives. `template`: how many template arguments; `types`: of its arguments, "" where unknown; None:
    how many there are is not known."""

    template: int
    types: tuple[str, ...] | None


TAKES_ANY, GIVES_ANY = KernelSignature(None, 0, (), None), LaunchArguments(0, None)


def signature_of_kernel(function: Function, scope: ItemScope) -> KernelSignature:
    parameters = function.parameters
    packed = any(it.type == "..." for it in parameters)
    # Of a specialisation the text need not say them all.
    variadic = function.template == () or any("..." in text for text in function.template or ())
    plain = [it for it in parameters if it.type != "..."]
    types = tuple(_known_type_name(resolve_type(it.type, scope)) for it in plain)
    needed = sum(it.default is None for it in plain)
    return KernelSignature(
        None if variadic else len(function.template or ()), needed, types, None if packed else len(plain)
    )


def arguments_of_launch(template: Sequence[str] | None, arguments: Sequence[str], scope: ItemScope) -> LaunchArguments:
    """`arguments`: as written; none are told of where the kernel takes them in an array."""
    known = bool(arguments) and not any("..." in text for text in arguments)
    return LaunchArguments(
        len(template or ()), tuple(_known_type_name(type_of_argument(it, scope)) for it in arguments) if known else None
    )


def _known_type_name(kind: Type | str | None) -> str:
    """Of a pointer to what is known beyond doubt, or of a number; "" of all else."""
    bare = kind
    while isinstance(bare, Type) and bare.pointee is not None:
        bare = bare.pointee
    return kind.name if isinstance(kind, Type) and isinstance(bare, Type) and bare.layout is not None else ""


def may_accept_arguments(given: LaunchArguments, takes: KernelSignature) -> bool:
    """False: the launch means another kernel for certain."""
    if takes.template is not None and given.template > takes.template:
        return False
    if given.types is None:
        return True
    count = len(given.types)
    if count < takes.needed or (takes.most is not None and count > takes.most):
        return False
    return all(map(_may_convert, given.types, takes.types))


def _may_convert(given: str, wanted: str) -> bool:
    if not given or not wanted or given == wanted or (_INTEGER.match(given) and _INTEGER.match(wanted)):
        return True
    if wanted.endswith("*"):
        return not given.endswith("*")  # 0 is a null pointer
    return not given.endswith("*") or wanted == "bool"
