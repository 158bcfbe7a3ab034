"""What the source proves of each kernel and each launch: the facts that occupancy is computed from."""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.syntax.constants import dimensions, evaluate
from occupancy_lsp.syntax.environment import Environment, ItemScope, Standing
from occupancy_lsp.syntax.facts import Argument, Attribute, Function, Launch, OptIn, Span
from occupancy_lsp.syntax.literals import literals
from occupancy_lsp.syntax.local_memory import LocalMemory, local_memory
from occupancy_lsp.syntax.values import Dimensions, Place, Value, product, unknown


@dataclass(frozen=True, slots=True)
class Given:
    """A value that stands in the text as one argument."""

    place: Place
    value: Value


@dataclass(frozen=True, slots=True)
class Bounds:
    """`__launch_bounds__(max_threads, min_groups, max_cluster)`; an argument not given is None."""

    place: Place
    max_threads: Given
    min_groups: Given | None
    max_cluster: Given | None


@dataclass(frozen=True, slots=True)
class Kernel:
    item: int
    name: str
    qualified: str
    name_place: Place
    head: Place
    body: Place
    template: tuple[str, ...] | None
    bounds: Bounds | None
    max_registers: Given | None  # __maxnreg__
    block: tuple[Place, Dimensions] | None  # __block_size__: exact
    cluster: tuple[Place, Dimensions] | None  # __cluster_dims__, or the second part of __block_size__
    waves: Given | None  # AMD's amdgpu_waves_per_eu: at least so many
    flat_size: Given | None  # AMD's amdgpu_flat_work_group_size: at most so many threads
    sub_group: Given | None  # intel_reqd_sub_group_size
    local: LocalMemory
    names: frozenset[str]
    conditional: bool  # stands under an #if that may not hold


@dataclass(frozen=True, slots=True)
class KernelLaunch:
    """`place` is the text between the chevrons; `grid_literals` the numbers that the grid is made of.

    `kernel` is the name as written, `name` its last part.
    """

    kernel: str
    name: str
    place: Place
    target: Place  # the kernel's name with its template arguments
    grid: tuple[Place, Dimensions]
    grid_literals: tuple[tuple[Place, int], ...]
    block: tuple[Place, Dimensions]
    dynamic: Given | None  # None: not given, so 0

    @property
    def size(self) -> Value:
        return product(self.block[1])


@dataclass(frozen=True, slots=True)
class Allowed:
    """A kernel, or "" for some kernel, is allowed this much dynamic local memory."""

    kernel: str
    bytes: Value


def _place(standing: Standing, span: Span) -> Place:
    return Place(standing.item, span.start, span.end)


def _given(standing: Standing, env: Environment, argument: Argument, owner: tuple[str, ...] = ()) -> Given:
    scope = ItemScope(env, standing, argument.span.start, owner)
    return Given(_place(standing, argument.span), evaluate(argument.value, scope))


def _attributes(env: Environment, standing: Standing, function: Function, name: str) -> list[tuple[Attribute, bool]]:
    """The attributes of that name that may hold, each with whether it surely does."""
    found: list[tuple[Attribute, bool]] = []
    for attribute in function.attributes:
        holds = env.holds(attribute.conditions, standing.order) if attribute.name == name else False
        if holds is not False:
            found.append((attribute, bool(holds)))
    return found


def _last(env: Environment, standing: Standing, function: Function, name: str) -> tuple[Attribute | None, str]:
    """The attribute in force (the last one wins), or why it cannot be told."""
    found = _attributes(env, standing, function, name)
    if not found:
        return None, ""
    attribute, sure = found[-1]
    return attribute, "" if sure else "stands under an #if that may not hold"


def _arguments(
    env: Environment, standing: Standing, function: Function, name: str
) -> tuple[Attribute, list[Given]] | None:
    attribute, doubt = _last(env, standing, function, name)
    if attribute is None:
        return None
    given = [_given(standing, env, argument, function.owner) for argument in attribute.arguments]
    if doubt:
        given = [Given(it.place, unknown(doubt)) for it in given]
    return attribute, given


def _one(env: Environment, standing: Standing, function: Function, name: str, index: int) -> Given | None:
    """The argument at `index` of an attribute; the last one given where it has fewer."""
    found = _arguments(env, standing, function, name)
    return found[1][min(index, len(found[1]) - 1)] if found and found[1] else None


def _bounds(env: Environment, standing: Standing, function: Function) -> Bounds | None:
    found = _arguments(env, standing, function, "__launch_bounds__")
    if found is None or not found[1]:
        return None
    attribute, given = found
    first, second, third = (*given, None, None, None)[:3]
    return None if first is None else Bounds(_place(standing, attribute.span), first, second, third)


def _dims(env: Environment, standing: Standing, function: Function, name: str) -> list[tuple[Place, Dimensions]]:
    """The dimensions that `__cluster_dims__(x, y, z)` or each part of `__block_size__((x, y, z), (…))` gives."""
    attribute, doubt = _last(env, standing, function, name)
    if attribute is None:
        return []
    place = _place(standing, attribute.span)
    if doubt:
        return [(place, (unknown(doubt),) * 3)]
    return [(place, values) for values in _tuples(env, standing, function, attribute)]


def _tuples(env: Environment, standing: Standing, function: Function, attribute: Attribute) -> list[Dimensions]:
    one = Value(1)
    given = [_given(standing, env, argument, function.owner).value for argument in attribute.arguments]
    if attribute.name != "__block_size__":
        x, y, z = (*given, one, one, one)[:3]
        return [(x, y, z)]
    scopes = [ItemScope(env, standing, argument.span.start, function.owner) for argument in attribute.arguments]
    return [dimensions(argument.value, scope) for argument, scope in zip(attribute.arguments, scopes, strict=True)]


def resolve_kernel(env: Environment, standing: Standing, function: Function) -> Kernel:
    blocks = _dims(env, standing, function, "__block_size__") or _dims(env, standing, function, "reqd_work_group_size")
    clusters = _dims(env, standing, function, "__cluster_dims__") or blocks[1:2]
    ceiling = _arguments(env, standing, function, "__maxnreg__")
    path = tuple(part for part in (*standing.namespaces, *function.owner) if part)
    return Kernel(
        item=standing.item,
        name=function.name,
        qualified="::".join((*path, function.name)),
        name_place=_place(standing, function.name_span),
        head=_place(standing, function.head),
        body=_place(standing, function.body),
        template=function.template,
        bounds=_bounds(env, standing, function),
        max_registers=ceiling[1][0] if ceiling and ceiling[1] else None,
        block=blocks[0] if blocks else None,
        cluster=clusters[0] if clusters else None,
        waves=_one(env, standing, function, "amdgpu_waves_per_eu", 0),
        flat_size=_one(env, standing, function, "amdgpu_flat_work_group_size", 1),
        sub_group=_one(env, standing, function, "intel_reqd_sub_group_size", 0),
        local=local_memory(env, standing, function),
        names=function.names,
        conditional=env.holds((*standing.conditions, *function.conditions), standing.order) is None,
    )


def resolve_launch(env: Environment, standing: Standing, launch: Launch) -> KernelLaunch:
    def dims(argument: Argument) -> tuple[Place, Dimensions]:
        scope = ItemScope(env, standing, argument.span.start)
        return _place(standing, argument.span), dimensions(argument.value, scope)

    grid_scope = ItemScope(env, standing, launch.grid.span.start)
    return KernelLaunch(
        kernel=launch.kernel,
        name=launch.kernel.rsplit("::", 1)[-1],
        place=_place(standing, launch.configuration),
        target=Place(standing.item, launch.span.start, launch.configuration.start),
        grid=dims(launch.grid),
        grid_literals=tuple(dict.fromkeys(literals(launch.grid.value, grid_scope))),
        block=dims(launch.block),
        dynamic=None if launch.dynamic is None else _given(standing, env, launch.dynamic),
    )


def resolve_opt_in(env: Environment, standing: Standing, opt_in: OptIn) -> Allowed:
    if opt_in.bytes is None:
        return Allowed(opt_in.kernel, unknown("given elsewhere"))
    return Allowed(opt_in.kernel, _given(standing, env, opt_in.bytes).value)
