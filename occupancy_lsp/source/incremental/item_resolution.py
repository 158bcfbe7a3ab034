"""What one item of a file says once its names are looked up: in one translation unit, and in all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.source.incremental.item_reader import read_macro_text
from occupancy_lsp.source.incremental.launches_through_wrappers import (
    launch_at_call_without_literals,
    launches_of_variable,
    launches_of_wrapper_call,
)
from occupancy_lsp.source.incremental.quoted_kernel_launches import launches_of_quoted_kernel
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference, resolve_carveout_call
from occupancy_lsp.source.kernels.kernel import (
    Kernel,
    expanded_function_name,
    merge_across_units,
    resolve_kernel,
    resolve_kernel_beyond_budget,
    without_steps,
)
from occupancy_lsp.source.kernels.kernel_attributes import place_of
from occupancy_lsp.source.kernels.launch_resolution import (
    Allowed,
    KernelLaunch,
    resolve_launch,
    resolve_local_memory_opt_in,
)
from occupancy_lsp.source.kernels.macro_defined_kernels import (
    ResolveKernel,
    expanded_macro_use,
    item_of_macro_use,
    kernels_of_macro_use,
)
from occupancy_lsp.source.lower.item_facts import Conditions, KernelMacroUse, Launch, WrapperCall
from occupancy_lsp.source.lower.symbol_table import LocatedItem, enclosing_function
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.undefined_macros import is_hidden_by_undefined_macro
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.source.syntax.span_set import SpanSet


@dataclass(frozen=True, slots=True)
class HiddenByConditions:
    """Kernels and launches under conditions that nothing in sight makes true, though a build may."""

    kernels: tuple[Place, ...] = ()
    launches: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class ResolvedItem:
    """What one item says once its names are looked up.

    `defect`: why that is nothing. `steps`: that it took to follow what its kernels reach.
    """

    kernels: tuple[Kernel, ...] = ()
    launches: tuple[KernelLaunch, ...] = ()
    allowed: tuple[Allowed, ...] = ()
    preferred: tuple[CarveoutPreference, ...] = ()
    defect: Defect | None = None
    unread: tuple[Place, ...] = ()  # what looks like a kernel
    hidden: HiddenByConditions = HiddenByConditions()
    steps: int = 0


def resolve_item(env: Environment, placed: LocatedItem) -> ResolvedItem:
    """All that it says."""
    return _resolve_or_defect(partial(_resolve_all_facts, resolve_kernel), env, placed)


def resolve_item_beyond_budget(env: Environment, placed: LocatedItem) -> ResolvedItem:
    """Without what the bodies of kernels come to."""
    return _resolve_or_defect(partial(_resolve_all_facts, resolve_kernel_beyond_budget), env, placed)


def resolve_launches(env: Environment, placed: LocatedItem) -> ResolvedItem:
    """Without the work that kernels take."""
    return _resolve_or_defect(_resolve_launches_alone, env, placed)


def _resolve_or_defect(
    resolve: Callable[[Environment, LocatedItem], ResolvedItem], env: Environment, placed: LocatedItem
) -> ResolvedItem:
    found = attempt(lambda: resolve(env, placed))
    return ResolvedItem(defect=found) if isinstance(found, Defect) else found


def _resolve_launches_alone(env: Environment, placed: LocatedItem) -> ResolvedItem:
    def launches_of_statement(it: Launch) -> Iterator[KernelLaunch]:
        for there in _passes_that_compile(env, placed, it.span.start, it.conditions):
            yield from (launches_of_variable if it.variable else resolve_launch)(there, placed, it)

    def launches_of_wrapper(it: WrapperCall) -> Iterator[KernelLaunch]:
        for there in _passes_that_compile(env, placed, it.site.start, it.conditions):
            yield from (launches_of_quoted_kernel if it.kernels else launches_of_wrapper_call)(there, placed, it)

    facts = placed.facts
    by_macros = [(it.span, tuple(_launches_of_macro_use(env, placed, it))) for it in facts.launching.by_macros]
    told = SpanSet.of(span for span, found in by_macros if found)
    each = chain(
        chain.from_iterable(map(launches_of_statement, facts.launching.launches)),
        chain.from_iterable(
            map(launches_of_wrapper, (it for it in facts.launching.handings if not told.holds(it.site.start)))
        ),
        chain.from_iterable(found for _, found in by_macros),
    )
    return ResolvedItem(launches=tuple(each) if env.hosts is None else tuple(dict.fromkeys(each)))


def _launches_of_macro_use(env: Environment, placed: LocatedItem, use: KernelMacroUse) -> Iterator[KernelLaunch]:
    """The launches in the functions that a macro makes, each as if it stood where the macro does."""
    stands = env.host.holds((*placed.conditions, *use.conditions), placed.order) is not False
    code = expanded_macro_use(env.host, placed, use) if stands else None
    facts = read_macro_text(code, env.dialect) if code else None
    if code and facts is not None and (facts.launching.launches or facts.launching.handings):
        there = item_of_macro_use(placed, code, facts)
        for it in _resolve_launches_alone(env, there).launches:
            yield launch_at_call_without_literals(it, place_of(placed, use.span))


def _passes_that_compile(
    env: Environment, placed: LocatedItem, at: int, conditions: Conditions
) -> Iterator[Environment]:
    """The passes in which what stands there under some conditions may be compiled to code that runs."""
    for there in env.passes_of_function(enclosing_function(placed.facts, at) if env.hosts is not None else None):
        if there.holds((*placed.conditions, *conditions), placed.order) is not False:
            yield there


def _resolve_all_facts(resolve: ResolveKernel, env: Environment, placed: LocatedItem) -> ResolvedItem:
    order, facts = placed.order, placed.facts
    if facts.defect is not None:
        known = any(it.holds(placed.conditions, order) is not False for it in env.passes)
        return ResolvedItem(defect=facts.defect) if known else ResolvedItem()
    host, stands = env.host, env.holds(placed.conditions, order) is not False
    on_host = host.holds(placed.conditions, order) is not False
    kernels = [
        function
        for function in facts.functions
        if stands and function.kernel and env.holds(function.conditions, order) is not False
    ]
    hidden = HiddenByConditions(
        tuple(
            place_of(placed, it.name_span)
            for it in facts.functions
            if it.kernel and is_hidden_by_undefined_macro(env, (*placed.conditions, *it.conditions), order)
        ),
        tuple(
            place_of(placed, it.configuration)
            for it in facts.launching.launches
            if all(is_hidden_by_undefined_macro(one, (*placed.conditions, *it.conditions), order) for one in env.passes)
        ),
    )
    made = [
        (it, kernels_of_macro_use(env, placed, it, read_macro_text, resolve))
        for it in facts.made
        if stands and env.holds(it.conditions, order) is not False
    ]
    found = (
        *(resolve(env, placed, it) for it in kernels if expanded_function_name(env, placed, it) is not None),
        *(kernel for _, (each, _) in made for kernel in each),
    )
    return replace(
        _resolve_launches_alone(env, placed),
        kernels=tuple(map(without_steps, found)),
        allowed=tuple(
            resolve_local_memory_opt_in(host, placed, it)
            for it in facts.launching.opt_ins
            if on_host and host.holds(it.conditions, order) is not False
        ),
        preferred=tuple(
            found
            for it in facts.launching.carve_outs
            if on_host and host.holds(it.conditions, order) is not False
            for found in resolve_carveout_call(host, placed, it)
        ),
        hidden=hidden,
        unread=(
            *(
                place_of(placed, span)
                for span, conditions in facts.unread_kernels
                if stands and env.holds(conditions, order) is not False
            ),
            *(place_of(placed, it.name_span) for it in kernels if expanded_function_name(env, placed, it) is None),
            *(place_of(placed, it.span) for it, (_, others) in made if others),
        ),
        steps=sum(it.summary.steps for it in found),
    )


def common_to_units(found: Sequence[ResolvedItem]) -> ResolvedItem:
    """What an item says in all translation units."""
    if len(found) == 1:
        return found[0]
    kernels: dict[tuple[Place, str], list[Kernel]] = {}  # of one place and several names, as inclusions differ
    for one in found:
        for kernel in one.kernels:
            kernels.setdefault((kernel.name_place, kernel.qualified), []).append(kernel)
    launches: dict[Place, list[KernelLaunch]] = {}
    for one in found:
        for launch in one.launches:
            launches.setdefault(launch.place, [])
            launches[launch.place] += [] if launch in launches[launch.place] else [launch]
    return ResolvedItem(
        tuple(merge_across_units(each) for each in kernels.values()),
        tuple(launch for each in launches.values() for launch in each),
        tuple(dict.fromkeys(it for one in found for it in one.allowed)),
        tuple(dict.fromkeys(it for one in found for it in one.preferred)),
        next((it.defect for it in found if it.defect), None),
        tuple(dict.fromkeys(it for one in found for it in one.unread)),
        HiddenByConditions(
            _places_in_all_units([it.hidden.kernels for it in found]),
            _places_in_all_units([it.hidden.launches for it in found]),
        ),
    )


def _places_in_all_units(each: Sequence[Sequence[Place]]) -> tuple[Place, ...]:
    return tuple(it for it in each[0] if all(it in others for others in each[1:]))
