"""Launches of kernels that are named in quotes: `auto k = load("space::k", …); k(configuration, …);`.

What such a variable does with a configuration is not followed: it is taken for granted that it launches the kernel that
it was made from, and said so. What a configuration holds is read: OpenCL's C++ bindings have one, and of others the
text shows that their members are what `cuLaunchKernel` is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.incremental.launches_through_wrappers import launch_at_call_without_literals
from occupancy_lsp.source.kernels.launch_resolution import (
    KernelLaunch,
    instance_contexts_at,
    launch_of_kernel_named_elsewhere,
)
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Argument, Function, Launch, WrapperCall
from occupancy_lsp.source.lower.symbol_table import FunctionUse, LocatedItem
from occupancy_lsp.source.lower.variables import RANGES
from occupancy_lsp.source.sema.library_names import launch_configurator
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.expression_nodes import AfterCall, Call, Expression, Name, Number, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.known_value import Place

# Which take the function, three dimensions of the grid, three of a block, and the bytes of dynamic memory.
_COOPERATIVE = ("cuLaunchCooperativeKernel", "hipModuleLaunchCooperativeKernel")
_DRIVERS = ("cuLaunchKernel", "hipModuleLaunchKernel", *_COOPERATIVE)
_MEMBER = regex(r"(\w+)(?:\.|->)(\w+)(?:\.([xyz]))?")
_ENQUEUE_ARGS = "EnqueueArgs"  # of OpenCL's C++ bindings, opencl.hpp of OpenCL-CLHPP
_CLASS = regex(r"(?:const\s+)?(?:\w+::)*(\w+)\s*(?:const\s*)?[&*]?")


@dataclass(frozen=True, slots=True)
class _Members:
    """Of objects that launches are configured with; `dynamic` is a number where it is always the same."""

    grid: str
    block: str
    dynamic: str
    cooperative: bool


@dataclass(frozen=True, slots=True)
class _Sizes:
    """`items`: OpenCL's global size, which the grid is made from."""

    grid: Expression
    block: Expression
    dynamic: Expression | None
    items: Expression | None = None
    cooperative: bool = False


def launches_of_quoted_kernel(env: Environment, placed: LocatedItem, handing: WrapperCall) -> tuple[KernelLaunch, ...]:
    """The launches of the kernels that a variable was made from, as the call of it configures them."""
    site, span = handing.site, handing.span
    place = Place(placed.slot, span.start, span.end)
    found: dict[KernelLaunch, None] = {}
    for inside in instance_contexts_at(env, placed, site.start):
        made = _constructor_of_object(site.arguments[0], inside.scope(site.start)) if site.arguments else None
        sizes = _configured_sizes(*made) if made is not None else None
        if made is None or sizes is None:
            continue
        there = made[1]
        launch = _launch_with_sizes(sizes, handing)
        for name in handing.kernels:
            of_kernel = structs.replace(site, name=name, template=None, arguments=())
            resolved = launch_of_kernel_named_elsewhere(
                replace(inside, scopes=partial(_same_scope_at_any_offset, there)), launch, of_kernel, there, False
            )
            taken = f"{site.name} is taken for the kernel whose name it is made from"
            found[
                replace(
                    launch_at_call_without_literals(resolved, place),
                    kernel=f"::{name}",
                    arguments=None,
                    taken=(taken, *resolved.taken),
                )
            ] = None
    return tuple(found)


def _same_scope_at_any_offset(there: ItemScope, _: int) -> ItemScope:
    return there


def _launch_with_sizes(sizes: _Sizes, handing: WrapperCall) -> Launch:
    def argument(value: Expression | None) -> Argument | None:
        return Argument(handing.span, value) if value is not None else None

    return Launch(
        "",
        handing.span,
        Span(handing.site.start, handing.span.end),
        Argument(handing.span, sizes.grid),
        Argument(handing.span, sizes.block),
        argument(sizes.dynamic),
        handing.conditions,
        cooperative=sizes.cooperative,
        items=argument(sizes.items),
    )


_Made = tuple[Call, ItemScope]


def _constructor_of_object(text: str, here: ItemScope) -> _Made | None:
    """The call or constructor that makes an object, and where that stands; None: it is not known, or may be changed."""
    read = parse_detached(text)
    if isinstance(read, Call):
        return read, here
    label = read.parts[0] if isinstance(read, Name) and len(read.parts) == 1 else ""
    known = [it for it in here.placed.facts.locals.get(label, ()) if it.start <= here.offset]
    declared = next((it for it in reversed(known) if it.declares and _scope_contains(it.scope, here.offset)), None)
    if declared is None:
        return None
    for it in known:
        if it.start < declared.start or it is declared or not _scope_contains(it.scope, here.offset):
            continue
        if not isinstance(it.value, AfterCall) or not _callee_only_reads(it.value, here):
            return None
    value = parse_if_unparsed(declared.value)
    return (value, here.at(declared.start)) if isinstance(value, Call) else None


def _scope_contains(scope: Span | None, offset: int) -> bool:
    return scope is not None and scope.start <= offset < scope.end


def _callee_only_reads(given: AfterCall, here: ItemScope) -> bool:
    named = (it.site.name for it in here.placed.facts.launching.handings if it.kernels)
    return given.callee in named or here.env.callee_leaves_argument(given, here.placed.order)


def _configured_sizes(made: Call, there: ItemScope) -> _Sizes | None:
    return (_sizes_of_enqueue_args if there.env.dialect.host else _sizes_of_class_object)(made, there)


def _sizes_of_enqueue_args(made: Call, there: ItemScope) -> _Sizes | None:
    """`cl::EnqueueArgs(queue, event, offset, global, local)`, of which all but the global size may be left out."""
    if made.name.parts not in ((_ENQUEUE_ARGS,), ("cl", _ENQUEUE_ARGS)) or not 2 <= len(made.arguments) <= 5:
        return None
    items, block = made.arguments[-2:]
    if len(made.arguments) < 4 and not (_is_opencl_range(items, there) and _is_opencl_range(block, there)):
        return None
    return _Sizes(
        UnreadableExpression("its grid is not written"),
        block,
        UnreadableExpression("what its local parameters are given"),
        items,
    )


def _is_opencl_range(said: Expression, there: ItemScope) -> bool:
    said = parse_if_unparsed(said)
    if isinstance(said, Call):
        return "::".join(said.name.parts) in RANGES
    declared = there.declared(said.parts[0]) if isinstance(said, Name) and len(said.parts) == 1 else None
    return declared is not None and declared[0].removesuffix("&") in RANGES


def _sizes_of_class_object(made: Call, there: ItemScope) -> _Sizes | None:
    """What the members of a class are given that a launch of the driver's is configured with."""
    label = made.name.parts[-1]
    makers = [it for _, it in there.env.functions(label) if it.owner[-1:] == (label,)]
    if not makers and not there.env.types(label):
        return _sizes_of_library_object(made, there)
    members = _configuration_members_by_class(there.env).get(label)
    makers = [it for it in makers if it.takes(len(made.arguments)) and len(it.parameters) > 1]
    if members is None or len(makers) != 1:
        return None
    grid, block = (_constructor_argument_of_member(it, makers[0], made) for it in (members.grid, members.block))
    dynamic = (
        parse_detached(members.dynamic)
        if members.dynamic.isdigit()
        else _constructor_argument_of_member(members.dynamic, makers[0], made)
    )
    if grid is None or block is None or dynamic is None:
        return None
    return _Sizes(grid, block, dynamic, cooperative=members.cooperative)


def _constructor_argument_of_member(member: str, maker: Function, made: Call) -> Expression | None:
    """What a constructor gives a member: one of its arguments as it is."""
    said = dict(maker.initial or ()).get(member) or ()
    names = [it.name for it in maker.parameters]
    if len(said) != 1 or said[0] not in names:
        return None
    index = names.index(said[0])
    default = maker.parameters[index].default
    return made.arguments[index] if index < len(made.arguments) else parse_detached(default) if default else None


def _sizes_of_library_object(made: Call, there: ItemScope) -> _Sizes | None:
    known, given = launch_configurator(made.name.parts, there.placed.namespaces), made.arguments
    if known is None or len(given) <= max(known.grid, known.block):
        return None
    dynamic = given[known.dynamic] if known.dynamic < len(given) else Number(0, 0, 0)
    return _Sizes(given[known.grid], given[known.block], dynamic)


def _configuration_members_by_class(env: Environment) -> Mapping[str, _Members]:
    """By class, what a function that is given an object of it hands to the driver."""
    nothing: Mapping[str, _Members] = {}
    return env.remember(("launch configurations", _DRIVERS[0]), lambda: _find_configuration_members(env), nothing)


def _find_configuration_members(env: Environment) -> Mapping[str, _Members]:
    found: dict[str, set[_Members]] = {}
    for driver in _DRIVERS:
        for kind, members in (
            it for use in env.uses(driver) for it in _members_given_to_driver(use, driver in _COOPERATIVE)
        ):
            found.setdefault(kind, set()).add(members)
    by_either = {kind: {replace(it, cooperative=False) for it in members} for kind, members in found.items()}
    return {kind: min(found[kind], key=_is_cooperative) for kind, members in by_either.items() if len(members) == 1}


def _is_cooperative(members: _Members) -> bool:
    return members.cooperative


def _members_given_to_driver(use: FunctionUse, cooperative: bool) -> Iterator[tuple[str, _Members]]:
    said = use.site.arguments or ()
    parts = [_MEMBER.fullmatch(it) for it in said[1:7]]
    if use.holder is None or len(said) < 8 or not all(parts):
        return
    names, members, channels = zip(*(it.groups() for it in parts if it), strict=True)
    dynamic = _MEMBER.fullmatch(said[7])
    three = channels == tuple("xyzxyz") and len(set(members[:3])) == len(set(members[3:])) == 1
    own = dynamic is not None and dynamic[1] == names[0] and dynamic[3] is None
    if not three or len(set(names)) != 1 or not (own or said[7].isdigit()):
        return
    kinds = [it.type for it in use.holder.parameters if it.name == names[0]]
    if kinds and (kind := _CLASS.fullmatch(kinds[0])):
        taken = dynamic[2] if dynamic is not None else said[7]
        yield kind[1], _Members(members[0], members[3], taken, cooperative)
