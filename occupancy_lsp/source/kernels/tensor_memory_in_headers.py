"""What the functions and macros of headers that a kernel reaches do with tensor memory: of these no text is at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import partial

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.barrier_calls import measure_macros_transitively
from occupancy_lsp.source.kernels.call_sites import OwnProperty, call_sites, has_property_transitively
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.lower.inline_assembly import TENSOR_MEMORY
from occupancy_lsp.source.lower.item_facts import Function, TensorMemory
from occupancy_lsp.source.lower.symbol_table import Defined, LocatedItem
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment

_LEVELS: tuple[TensorMemory, ...] = ("", "used", "allocated")
_ALLOCATED = _LEVELS.index("allocated")
_USES = regex(TENSOR_MEMORY)
_ALLOCATES = regex(r"\btcgen05[._]alloc(?![a-z])")


def may_use_tensor_memory(env: Environment, placed: LocatedItem, function: Function) -> bool:
    """Whether the function or anything in sight that it calls, in whatever instance, has to do with it."""
    return env.outer.tensor_memory and _reaches_level(env, placed, function, 1)


def tensor_memory_used_in_headers(
    env: Environment,
    bodies: tuple[FunctionInstance, ...],
    called: Callable[[FunctionInstance], Iterable[FunctionInstance]],
    unseen: Iterable[str],
) -> TensorMemory:
    """The most that is done in headers. `bodies`: a kernel's, and of what it calls; `called`: by one of them.

    Where it is used counts only in functions that the file itself calls, and in no methods: what a library has for
    every architecture, few of its callers use. What a template's parameter does is out of sight, so it may allocate.
    """
    if not env.outer.tensor_memory:
        return ""
    if any(_is_of_template_parameter(bodies[0], it) for it in unseen):
        return "allocated"
    own = [it for it in bodies if it.function.kernel or _is_defined_in_file(env, it.placed, it.function)]
    near = {id(it.function) for body in own for it in called(body) if not it.function.owner}
    named = frozenset[str]().union(*(it.function.mentions.names for it in own))
    return _LEVELS[max(_use_levels(env, bodies, near, named), default=0)]


def _is_of_template_parameter(kernel: FunctionInstance, called: str) -> bool:
    """Whether what is called is of a parameter of the kernel's template: `Operator::run`, or `op` of `Operator op;`."""
    parameters = {parse_template_parameter(it).name for it in kernel.function.template or ()} - {""}
    first = called.partition("::")[0]
    return first in parameters or any(it.type in parameters for it in kernel.placed.facts.locals.get(first, ()))


def highest_tensor_memory_use(each: Iterable[TensorMemory]) -> TensorMemory:
    return max(each, key=_LEVELS.index, default="")


def _use_levels(
    env: Environment, bodies: tuple[FunctionInstance, ...], near: Set[int], named: Set[str]
) -> Iterator[int]:
    names = frozenset[str]().union(*(it.function.mentions.names for it in bodies))
    macros = _macro_levels(env)
    yield from (macros[it] for it in names & macros.keys() if macros[it] == _ALLOCATED or it in named)
    for it in bodies:
        level = _LEVELS.index(it.function.memory.tensor_memory)
        if not _is_defined_in_file(env, it.placed, it.function) and (level == _ALLOCATED or id(it.function) in near):
            yield level
    for name in sorted(env.function_names_among(names)):
        made_by = (it for it in _constructors(env, name) if not _is_defined_in_file(env, *it))
        yield from (_ALLOCATED for it in made_by if _reaches_level(env, *it, _ALLOCATED))


def _is_defined_in_file(env: Environment, placed: LocatedItem, function: Function) -> bool:
    return any(it.order == placed.order for it, _ in env.own.functions.get(function.name, ()))


def _reaches_level(env: Environment, placed: LocatedItem, function: Function, least: int) -> bool:
    return has_property_transitively(
        env, f"tensor memory {least}", placed, function, partial(_own_property_of_level, least)
    )


def _own_property_of_level(least: int, env: Environment, placed: LocatedItem, function: Function) -> OwnProperty:
    key = ("tensor memory by text", placed.item, placed.order, function.body.start)
    level, calls = env.remember(key, partial(_level_and_callees_of_text, env, placed, function), (0, frozenset[str]()))
    return OwnProperty(True) if level >= least else OwnProperty(False, calls)


def _level_and_callees_of_text(env: Environment, placed: LocatedItem, function: Function) -> tuple[int, frozenset[str]]:
    """The level of a function's own text, and what it calls by name or makes."""
    macros = _macro_levels(env)
    level = max((macros[it] for it in function.mentions.names & macros.keys()), default=0)
    level = max(level, _LEVELS.index(function.memory.tensor_memory))
    if level == _ALLOCATED:
        return level, frozenset()
    sites = call_sites(env, FunctionInstance(placed, function, {})).sites
    labels = {site.name.lstrip(".").rsplit("::", 1)[-1] for site in sites}
    made = (it for it in env.function_names_among(function.mentions.names) if _has_constructors(env, it))
    return level, frozenset((*filter(env.may_be_called_on_device, labels), *made))


def _has_constructors(env: Environment, name: str) -> bool:
    """Whether it is the name of a class with constructors in sight."""
    return env.remember(("is made", name), lambda: any(True for _ in _constructors(env, name)), False)


def _constructors(env: Environment, name: str) -> Iterator[Defined]:
    return (it for it in env.implicit_callees_of_name(name) if it[1].name == name)


def _macro_levels(env: Environment) -> Mapping[str, int]:
    """Of headers and of the file itself, with the level of what they stand for."""
    return env.cached_table(
        "tensor memory macros", partial(measure_macros_transitively, measure=_level_of_text), ("macros", "plain macros")
    )


def _level_of_text(text: str) -> int:
    return _ALLOCATED if _ALLOCATES.search(text) else 1 if _USES.search(text) else 0
