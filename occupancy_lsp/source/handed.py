"""Launches by way of a function that is given the kernel, or of a macro that launches one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from occupancy_lsp.source.facts.facts import CallSite, Conditions, Function, FunctionMacro, Handing, Launch
from occupancy_lsp.source.facts.launches import held_by, kernel_named, launches_in
from occupancy_lsp.source.facts.names import Defined, PlacedItem, holder_of
from occupancy_lsp.source.items import read_text
from occupancy_lsp.source.kernels.bodies import body_of
from occupancy_lsp.source.kernels.kernels import Given, KernelLaunch, as_launched, instances_around
from occupancy_lsp.source.meaning import macros
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.handed_scope import Call, CalledScope, ExpandedScope, Handed
from occupancy_lsp.source.meaning.scope import ItemScope
from occupancy_lsp.source.meaning.templates import bind_call, read_parameter
from occupancy_lsp.source.meaning.types import Code
from occupancy_lsp.source.text.limits import Steps, TooLarge
from occupancy_lsp.source.text.values import Dimensions, Place

_DEEPEST = 6
_MOST = 500  # calls that one call leads to
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*(?:<[^;(){}]{0,500}>\s*)?\(")
_ALL_OF = re.compile(r"(?:(?:std::)?forward\s*<.*>\s*\(\s*)?(\w+)\s*\)?\s*\.\.\.\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reached:
    """A launch as one call has it. `site`: the kernel and what it is given, as written where `here` is; `sizes`: where
    the expressions of `launch` stand. `perhaps`: another function may be called than that which holds it."""

    launch: Launch
    sizes: Callable[[int], ItemScope]
    site: CallSite
    here: ItemScope
    perhaps: bool


def resolve_handing(env: Environment, standing: PlacedItem, handing: Handing) -> tuple[KernelLaunch, ...]:
    """The launches that a call makes of the kernel that it is given, or that a macro makes: all stand at the call."""
    site, span = handing.site, handing.span
    if not leads(env, label_of(site)):
        return ()
    place = Place(standing.item, span.start, span.end)
    found: dict[KernelLaunch, None] = {}
    steps = Steps(_MOST)
    try:
        for inside in instances_around(env, standing, site.start):
            for it in _reached(env, site, inside.scope(site.start), steps, 0):
                made = as_launched(replace(inside, scopes=it.sizes), it.launch, it.site, it.here)
                found[replace(_moved(made, place), perhaps=it.perhaps)] = None
    except TooLarge:
        return ()
    return tuple(found)


def _moved(launch: KernelLaunch, place: Place) -> KernelLaunch:
    """As it is seen from a call that makes it: no number there is the one that decides a size."""

    def bare(values: Dimensions) -> Dimensions:
        x, y, z = (replace(it, literal=None) for it in values)
        return x, y, z

    dynamic = launch.dynamic
    return replace(
        launch,
        place=place,
        target=Place(place.item, place.start, place.start),
        grid=(place, bare(launch.grid[1])),
        grid_literals=(),
        block=(place, bare(launch.block[1])),
        dynamic=dynamic and Given(place, replace(dynamic.value, literal=None)),
    )


def _reached(env: Environment, site: CallSite, here: ItemScope, steps: Steps, depth: int) -> Iterator[Reached]:
    """The launches that a call makes of a kernel that it is given, or that the macro makes that it is a use of."""
    label = label_of(site)
    if depth > _DEEPEST or not leads(env, label):
        return
    steps.take()
    macro = env.macro(site.name, here.standing.order) if site.name == label else None
    if isinstance(macro, FunctionMacro):
        yield from _expanded(env, macro, site, here, steps, depth)
    elif macro is None:
        found = _called(env, label, site, here)
        for standing, function in found:
            for it in _inside(env, standing, function, site, here, steps, depth):
                yield replace(it, perhaps=it.perhaps or len(found) > 1)


def leads(env: Environment, label: str) -> bool:
    """Whether a macro or function of that name may launch what it is given."""
    return env.remember(("leads to launches", label), lambda: _leads(env, label), False)


def _leads(env: Environment, label: str) -> bool:
    for form in env.every_form(label):
        if launches_in(form.body) or any(leads(env, it) for it in sorted(_called_in(form))):
            return True
    return any(_is_way(env, *found) for found in env.functions(label))


def _called_in(macro: FunctionMacro) -> set[str]:
    return {*_CALLED.findall(macro.body)} - {macro.name, *macro.parameters}


def _is_way(env: Environment, standing: PlacedItem, function: Function) -> bool:
    if not (function.parameters or function.template):
        return False
    inside = function.body
    if any(it.parameter and inside.start <= it.span.start < inside.end for it in standing.facts.launches):
        return True
    inner = [label_of(it.site) for it in _handed_on(standing, function)]
    return any(leads(env, it) for it in inner if it != function.name)


def _handed_on(standing: PlacedItem, function: Function) -> Iterator[Handing]:
    """The calls in a function that may be given what it is given."""
    own = {it.name for it in function.parameters} | {read_parameter(it).name for it in function.template or ()}
    for it in standing.facts.handings:
        words = {word for text in it.site.arguments or () for word in _WORD.findall(text)}
        if function.body.start <= it.site.start < function.body.end and own & words:
            yield it


def label_of(site: CallSite) -> str:
    """The last part of the name that is called."""
    return site.name.rsplit("::", 1)[-1].lstrip(".")


def _called(env: Environment, label: str, site: CallSite, here: ItemScope) -> Sequence[Defined]:
    """The functions that the call may mean; of methods those of a class that the object's text or type names."""
    count = len(site.arguments or ())
    found = [it for it in env.functions(label) if not it[1].kernel and _takes(it[1], count)]
    if site.name.startswith("."):
        declared = here.declared(site.on) if site.on.isidentifier() else None
        words = {*_WORD.findall(declared[0] if declared is not None else site.on)}
        words |= {*here.owner[-1:]} if site.on == "this" else set()
        return [it for it in found if it[1].owner and it[1].owner[-1] in words]
    path = tuple(part for part in site.name.split("::")[:-1] if part)
    if path:
        return [it for it in found if (*it[0].namespaces, *it[1].owner)[-len(path) :] == path]
    return [it for it in found if not it[1].owner or it[1].owner == here.owner[: len(it[1].owner)]]


def _takes(function: Function, count: int) -> bool:
    return any(it.type == "..." for it in function.parameters) or function.takes(count)


def _expanded(
    env: Environment, macro: FunctionMacro, site: CallSite, here: ItemScope, steps: Steps, depth: int
) -> Iterator[Reached]:
    text = macros.filled(macro, site.arguments or ())
    facts = read_text(text, env.dialect) if text is not None else None
    if text is None or facts is None:
        return
    standing = PlacedItem(here.standing.item, here.standing.order, here.standing.namespaces, (), facts, False, False)

    def at(offset: int) -> ItemScope:
        return ExpandedScope(here, standing, offset, text)

    for launch in facts.launches:
        made = CallSite(launch.kernel, launch.template, launch.arguments, site.start)
        if launch.kernel:
            for name, template, where in _kernels(_written(made), at(launch.span.start), depth):
                yield Reached(launch, at, CallSite(name, template, made.arguments, site.start), where, False)
    for it in facts.handings:
        yield from _reached(env, it.site, at(it.site.start), steps, depth + 1)


def _written(site: CallSite) -> str:
    return site.name if site.template is None else f"{site.name}<{', '.join(site.template)}>"


def _kernels(text: str, scope: ItemScope, depth: int) -> Iterator[tuple[str, tuple[str, ...] | None, ItemScope]]:
    """The kernels that an expression may be; none where one of them is not known."""
    name, template = kernel_named(text)
    if not name or depth > _DEEPEST:
        return
    if template is None and "::" not in name:
        if isinstance(scope, CalledScope) and (given := scope.handed(name)) is not None:
            yield from _kernels(given.text, given.scope, depth + 1)
            return
        if isinstance(scope, ExpandedScope) and not scope.owns(name):
            yield from _kernels(text, scope.outer, depth + 1)
            return
        bound = scope.bound(name)
        if isinstance(bound, Code):
            if not bound.is_lambda:
                yield bound.name, None, scope
            return
        local = scope.local(name)
        if local is not None:
            if not local.conditions:
                yield from _kernels(held_by(local), scope.at(local.start), depth + 1)
            return
    yield name, template, scope


def _inside(
    env: Environment,
    standing: PlacedItem,
    function: Function,
    site: CallSite,
    here: ItemScope,
    steps: Steps,
    depth: int,
) -> Iterator[Reached]:
    """The launches of a function's parameters, as one call gives them."""
    there = ItemScope(env, standing, function.body.start, function.owner)
    bindings = bind_call(function, site.template, site.arguments, here, there)
    given = _given(function, site, here, there)
    body = body_of(env, standing, function, bindings)
    call = Call(given, function.body.start, (here.key, site))

    def at(offset: int) -> ItemScope:
        return CalledScope(env, standing, offset, function.owner, bindings, call)

    def runs(offset: int, conditions: Conditions) -> bool:
        inside = holder_of(standing.facts, offset) is function and body.runs(offset) is not False
        return inside and env.holds(conditions, standing.order) is not False

    for launch in standing.facts.launches:
        if launch.parameter and runs(launch.span.start, launch.conditions):
            arguments = _arguments(launch.arguments, function, site)
            for name, template, where in _kernels(launch.parameter, at(launch.span.start), depth):
                found = arguments if where.key == here.key else ()
                yield Reached(launch, at, CallSite(name, template, found, site.start), where, False)
    for it in _handed_on(standing, function):
        if runs(it.site.start, it.conditions):
            yield from _reached(env, it.site, at(it.site.start), steps, depth + 1)


def _given(function: Function, site: CallSite, here: ItemScope, there: ItemScope) -> Mapping[str, Handed]:
    given = site.arguments or ()
    found: dict[str, Handed] = {}
    for index, parameter in enumerate(function.parameters):
        if parameter.type == "..." or any("..." in text for text in given[: index + 1]):
            break
        if index < len(given):
            found[parameter.name] = Handed(given[index], here)
        elif parameter.default is not None:
            found[parameter.name] = Handed(parameter.default, there)
    for text, said in zip(function.template or (), site.template or (), strict=False):
        found.setdefault(read_parameter(text).name, Handed(said, here))
    return found


def _arguments(said: Sequence[str], function: Function, site: CallSite) -> tuple[str, ...]:
    """What a launch gives the kernel, in the words of the call; empty where it cannot be told."""
    given = site.arguments or ()
    if any("..." in text for text in given):
        return ()
    names = [it.name for it in function.parameters]
    found: list[str] = []
    for text in said:
        if _ALL_OF.match(text.strip()) and function.parameters[-1:] and function.parameters[-1].type == "...":
            found += given[len(function.parameters) - 1 :]
        elif text in names and names.index(text) < len(given):
            found.append(given[names.index(text)])
        else:
            return ()
    return tuple(found)
