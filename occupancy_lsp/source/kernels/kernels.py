"""What the source proves of each kernel and each launch: the facts that occupancy is computed from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from occupancy_lsp.core.frozen import dataclass
from occupancy_lsp.source.facts.facts import Argument, Attribute, CallSite, Function, Launch, OptIn, TensorMemory
from occupancy_lsp.source.facts.names import PlacedItem, holder_of
from occupancy_lsp.source.kernels.barriers import NO_BARRIERS, Barriers, barriers
from occupancy_lsp.source.kernels.barriers import span_of as span_of_barriers
from occupancy_lsp.source.kernels.bodies import body_of
from occupancy_lsp.source.kernels.instances import Instance, instances, specialised_arguments
from occupancy_lsp.source.kernels.lambda_instances import generic_lambdas_around, lambda_instances
from occupancy_lsp.source.kernels.local_memory import LocalMemory, local_memory, span_of
from occupancy_lsp.source.kernels.overloads import GIVES_ANY, TAKES_ANY, Handed, Taken, fits, handed, taken
from occupancy_lsp.source.kernels.passed import passed
from occupancy_lsp.source.kernels.reach import reach
from occupancy_lsp.source.kernels.tensor_memory_called import in_headers, strongest
from occupancy_lsp.source.kernels.thread_work import UNSEEN, ThreadWork, thread_work
from occupancy_lsp.source.meaning import macros, possible
from occupancy_lsp.source.meaning.constants import dimensions, evaluate
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.layout import Layout
from occupancy_lsp.source.meaning.literals import Written, global_literals, grid_literals, of_libraries
from occupancy_lsp.source.meaning.scope import ItemScope
from occupancy_lsp.source.meaning.templates import arguments_text, bind_call, complete
from occupancy_lsp.source.meaning.types import Bindings
from occupancy_lsp.source.text.aliases import library_macro
from occupancy_lsp.source.text.expressions import parse_apart
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.values import ONE, Dimensions, Place, Value, product, unknown, unsigned

_T = TypeVar("_T")
_PERHAPS = "is under an #if that may be false"


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
    most_waves: Given | None  # its second argument
    flat_size: Given | None  # AMD's amdgpu_flat_work_group_size: at most so many threads
    least_flat_size: Given | None
    sub_group: Given | None  # intel_reqd_sub_group_size
    wave: str  # qcom_reqd_sub_group_size: "half", "full", or "" where there is none
    local: LocalMemory
    names: frozenset[str]
    conditional: bool  # is under an #if that may be false
    picked: tuple[Given, ...] = ()  # the bytes of own arrays whose index only the running kernel knows
    barriers: Barriers = NO_BARRIERS  # per work-group, as compilers count them
    arguments: str = ""  # of this instance of a template, as a demangler prints them
    instances: tuple[Kernel, ...] = ()  # of a template: those in sight
    vendors: tuple[tuple[str, str], ...] = ()  # whose extensions it surely uses, each with a word of them
    work: ThreadWork = UNSEEN
    takes: Taken = TAKES_ANY
    num_vgpr: Given | None = None  # AMD's amdgpu_num_vgpr
    internal: bool = False  # only what includes its file can launch it: it is static, inline or in an unnamed namespace
    tensor_memory: TensorMemory = ""  # what functions and macros of headers do with it for the kernel
    specialises: str = ""  # of a full specialisation, the arguments of the template that it is for
    configured: bool = False  # beside it, or in ways that no launch tells: launches elsewhere are not asked
    asked_groups: Given | None = None  # that are to reside on a unit: a hint, which its compiler need not meet


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a compiler is told that compiles a kernel for each launch: `waves` are the fewest and the most."""

    arguments: str  # that tell the instance from others
    threads: Value  # of a work-group, neither more nor fewer
    max_registers: Value | None
    waves: Value | None


@dataclass(frozen=True, slots=True)
class Pipelined:
    """What a loop loads ahead into local memory for matrix units: the tiles of two operands, `rows` by `depth` and
    `depth` by `columns`, of `stages` iterations."""

    rows: int
    columns: int
    depth: int
    stages: int
    written: Place | None  # where the text says the number of stages, for this launch alone


@dataclass(frozen=True, slots=True)
class KernelLaunch:
    """`place` is the text between the chevrons; `grid_literals` the numbers that the grid is made of.

    `items`: OpenCL's global size, which hosts give instead of a grid. `kernel` is the name as written, `name` its last
    part. `perhaps`: it may mean another kernel of that name. `on_device`: it surely runs on such a device, not on the
    host's processor, where nothing limits it.
    """

    kernel: str
    name: str
    place: Place
    target: Place  # the kernel's name with its template arguments
    grid: tuple[Place, Dimensions]
    grid_literals: tuple[Written, ...]
    block: tuple[Place, Dimensions]
    dynamic: Given | None  # None: not given, so 0
    arguments: str | None  # of the kernel's template as a demangler prints them; None: not known
    cooperative: bool = False
    by_units: bool = False  # its grid is counted by the device's compute units
    items: Dimensions | None = None
    gives: Handed = GIVES_ANY
    perhaps: bool = False
    most: int | None = None  # threads, where its dimensions share a number out
    taken: tuple[str, ...] = ()  # what its size takes for granted of libraries out of sight
    cluster: tuple[Place, Dimensions] | None = None  # that a launch attribute asks for
    entry: Place | None = None  # of a list of launches to choose from, with what parts it from the others
    compiled: Compiled | None = None  # where a compiler makes an instance for it
    pipelined: Pipelined | None = None  # where its compiler is known to lay out local memory for such a loop
    on_device: bool = True

    @property
    def size(self) -> Value:
        found = product(self.block[1])
        if self.most is None or found.number is not None:
            return found
        among = tuple(it for it in found.among if it <= self.most)
        return replace(found, among=among, most=min(self.most, found.most or self.most))


def with_instances(kernel: Kernel, instances: Mapping[str, Kernel], alone: bool) -> Kernel:
    """The kernel with instances that a compiler makes for launches. `alone`: the first is that of all launches."""
    if not alone:
        return replace(kernel, instances=tuple(instances.values()))
    only = next(iter(instances.values()))
    return replace(only, arguments="", instances=(only,))


def instance_of(kernel: Kernel, place: Place, compiled: Compiled) -> Kernel:
    """The kernel as a launch at `place` has it compiled."""

    def given(found: Value | None) -> Given | None:
        return Given(place, found) if found is not None else None

    threads, waves = compiled.threads, given(compiled.waves)
    return replace(
        kernel,
        arguments=compiled.arguments,
        instances=(),
        block=(place, (threads, ONE, ONE)) if threads.number else None,
        flat_size=Given(place, threads),
        max_registers=given(compiled.max_registers),
        waves=waves,
        most_waves=waves,
    )


@dataclass(frozen=True, slots=True)
class Allowed:
    """A kernel, or "" for some kernel, is allowed this much dynamic local memory."""

    kernel: str
    bytes: Value


def _place(placed: PlacedItem, span: Span) -> Place:
    return Place(placed.item, span.start, span.end)


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """Where a kernel or launch stands, and in which instance of the templates around it."""

    env: Environment
    placed: PlacedItem
    function: Function | None
    bindings: Bindings
    scopes: Callable[[int], ItemScope] | None = None  # of text that is reached from there

    def scope(self, offset: int) -> ItemScope:
        if self.scopes is not None:
            return self.scopes(offset)
        owner = self.function.owner if self.function else ()
        return ItemScope(self.env, self.placed, offset, owner, self.bindings)

    def given(self, argument: Argument) -> Given:
        value = evaluate(argument.value, self.scope(argument.span.start))
        return Given(_place(self.placed, argument.span), value)


def _attributes(inside: Inside, name: str) -> list[tuple[Attribute, bool]]:
    """The kernel's attributes of that name that may hold, each with whether it surely does."""
    found: list[tuple[Attribute, bool]] = []
    for attribute in inside.function.attributes if inside.function else ():
        holds = inside.env.holds(attribute.conditions, inside.placed.order) if attribute.name == name else False
        if holds is not False:
            found.append((attribute, bool(holds)))
    return found


def _arguments(inside: Inside, name: str) -> tuple[Attribute, list[Given]] | None:
    """Of the attribute in force: of two of a kind nvcc heeds the last, clang for AMD the first."""
    found = _attributes(inside, name)
    if not found:
        return _by_macro(inside, name)
    attribute, sure = found[0 if "__AMDGCN__" in inside.env.macros else -1]
    given = [inside.given(argument) for argument in attribute.arguments]
    return attribute, given if sure else [Given(it.place, unknown(_PERHAPS)) for it in given]


def _by_macro(inside: Inside, name: str) -> tuple[Attribute, list[Given]] | None:
    """Of an attribute that a macro stands for."""
    for attribute in inside.function.attributes if inside.function else ():
        place = _place(inside.placed, attribute.span)
        text = _expansion(inside, attribute)
        if text is None or isinstance(text, Value):
            texts = _definitions(inside, attribute)
            if isinstance(text, Value) and not texts:
                return attribute, [Given(place, text)]
            if any(macros.may_have(it, name, inside.env) for it in texts):
                return attribute, [Given(place, text or unknown(f"what {attribute.name} stands for"))]
            continue
        if not macros.may_have(text, name, inside.env):
            continue
        scope = inside.scope(attribute.span.start)
        given = macros.call(macros.unfolded(text, scope), name)
        if given is None:
            return attribute, [Given(place, unknown(f"what {attribute.name} stands for"))]
        values = [evaluate(parse_apart(it), scope) for it in given]
        return attribute, [Given(place, Value(value.number, value.reason)) for value in values]
    return None


def _expansion(inside: Inside, attribute: Attribute) -> str | Value | None:
    """What the macro stands for that is written there; a value: why that is not known; None: it is no macro."""
    macro = inside.env.macro(attribute.name, inside.placed.order)
    if isinstance(macro, str):
        return unknown(macro)
    given = tuple(it.text for it in attribute.arguments)
    if macro is not None:
        return macros.expanded(macro, given)
    known = library_macro(attribute.name) if not inside.env.definitions(attribute.name) else None
    if known is not None:
        return macros.filled_in(*known, given)
    texts = inside.scope(attribute.span.start).macro_texts(attribute.name)
    if not texts and attribute.name.encode() not in inside.env.dialect.carrying:
        return None
    return texts.pop() if len(texts) == 1 else unknown(f"{attribute.name} has several definitions")


def _definitions(inside: Inside, attribute: Attribute) -> tuple[str, ...]:
    """The texts of those definitions of a macro that may be in force; empty: none is in sight."""
    forms = inside.env.macro_forms(attribute.name, inside.placed.order)
    return (*(it.body for it in forms), *inside.scope(attribute.span.start).macro_texts(attribute.name))


def _one(inside: Inside, name: str, index: int) -> Given | None:
    """The argument at `index` of an attribute; the last one given where it has fewer."""
    found = _arguments(inside, name)
    return found[1][min(index, len(found[1]) - 1)] if found and found[1] else None


def _word(inside: Inside, name: str) -> str:
    """The word in quotes that is the attribute's argument, where it surely holds."""
    found = _attributes(inside, name)
    attribute, sure = found[-1] if found else (None, False)
    return attribute.arguments[0].text.strip(' "') if attribute is not None and sure and attribute.arguments else ""


def _bounds(inside: Inside) -> Bounds | None:
    found = _arguments(inside, "__launch_bounds__")
    if found is None or not found[1]:
        return _bounds_elsewhere(inside)
    attribute, given = found
    first, second, third = (*map(_bound, given), None, None, None)[:3]
    return None if first is None else Bounds(_place(inside.placed, attribute.span), first, second, third)


def _bound(given: Given | None) -> Given | None:
    """Compilers read a signed number of 32 bits, and ignore a negative one as they do 0."""
    if given is None or given.value.number is None or 0 <= given.value.number < 1 << 31:
        return given
    read = unsigned(given.value, 32)
    return replace(given, value=replace(read, number=0) if read.number and read.number >= 1 << 31 else read)


def _bounds_elsewhere(inside: Inside) -> Bounds | None:
    """Unknown ones, where another declaration of the kernel, or the template it specialises, states bounds."""
    function = inside.function
    if function is None:
        return None
    stated = any(it.bounded for it in inside.env.prototypes(function.name))
    if function.template == () and not stated:
        others = [it for _, it in inside.env.functions(function.name) if it is not function]
        stated = any(it.name == "__launch_bounds__" for other in others for it in other.attributes)
    if not stated:
        return None
    place = _place(inside.placed, function.name_span)
    return Bounds(place, Given(place, unknown("bounds are stated at another declaration")), None, None)


def _dims(inside: Inside, name: str) -> list[tuple[Place, Dimensions]]:
    """The dimensions that `__cluster_dims__(x, y, z)` or each part of `__block_size__((x, y, z), (…))` gives."""
    found = _attributes(inside, name)
    if not found:
        by_macro = inside.env.dialect.sizes_by_macro or _has_in_macro(inside, name)
        return _dims_by_macro(inside, name) if by_macro else []
    attribute, sure = found[-1]
    place = _place(inside.placed, attribute.span)
    if not sure:
        return [(place, (unknown(_PERHAPS),) * 3)]
    return [(place, values) for values in _tuples(inside, attribute)]


def _has_in_macro(inside: Inside, name: str) -> bool:
    """Whether a macro that annotates the kernel stands for that attribute, in any definition that may be in force."""
    for attribute in inside.function.attributes if inside.function else ():
        text = _expansion(inside, attribute)
        texts = _definitions(inside, attribute) if isinstance(text, Value) else (text or "",)
        if any(macros.may_have(it, name, inside.env) for it in texts):
            return True
    return False


def _dims_by_macro(inside: Inside, name: str) -> list[tuple[Place, Dimensions]]:
    found = _by_macro(inside, name)
    if found is None:
        return []
    attribute, given = found
    values = [it.value for it in given]
    not_known = len(values) == 1 and values[0].number is None
    x, y, z = values * 3 if not_known else (*values, ONE, ONE, ONE)[:3]
    return [(_place(inside.placed, attribute.span), (x, y, z))]


def _tuples(inside: Inside, attribute: Attribute) -> list[Dimensions]:
    if attribute.name == "__block_size__":
        return [dimensions(it.value, inside.scope(it.span.start)) for it in attribute.arguments]
    given = [inside.given(argument).value for argument in attribute.arguments]
    x, y, z = (*given, ONE, ONE, ONE)[:3]
    return [(x, y, z)]


def resolve_kernel(env: Environment, placed: PlacedItem, function: Function) -> Kernel:
    """The kernel; a template's as it is in all instances in sight, with each of them."""
    whole = Instance("", {})
    if not function.template:
        return _kernel(env, placed, function, whole)
    found = instances(env, placed, function)
    each = tuple(_kernel(env, placed, function, it) for it in found.known)
    if each and found.complete:  # what stands in its body, they say
        first = each[0]
        return merged(_declared(env, placed, function, whole, first.local, first.barriers, first.work), each)
    return replace(_kernel(env, placed, function, whole), instances=each)


def in_common(each: Sequence[Kernel]) -> Kernel:
    """A kernel as several translation units see it."""
    first = each[0]
    if all(it == first for it in each):
        return first
    made: dict[str, list[Kernel]] = {}
    for kernel in each:
        for instance in kernel.instances:
            made.setdefault(instance.arguments, []).append(instance)
    general = replace(first, bounds=_unsure(first.bounds), instances=())
    found = merged(general, each)
    return replace(found, instances=tuple(in_common(several) for several in made.values()))


def _unsure(bounds: Bounds | None) -> Bounds | None:
    if bounds is None:
        return None
    reason = unknown("the files that include it differ")
    return Bounds(bounds.place, Given(bounds.max_threads.place, reason), None, None)


def merged(general: Kernel, each: Sequence[Kernel]) -> Kernel:
    """What all instances have in common; where they differ, the span of it."""
    first = each[0]

    def same(get: Callable[[Kernel], _T], otherwise: _T) -> _T:
        return get(first) if all(get(it) == get(first) for it in each) else otherwise

    return replace(
        general,
        bounds=same(lambda it: it.bounds, general.bounds),
        max_registers=same(lambda it: it.max_registers, general.max_registers),
        block=same(lambda it: it.block, general.block),
        cluster=same(lambda it: it.cluster, general.cluster),
        waves=same(lambda it: it.waves, general.waves),
        most_waves=same(lambda it: it.most_waves, general.most_waves),
        num_vgpr=same(lambda it: it.num_vgpr, general.num_vgpr),
        flat_size=same(lambda it: it.flat_size, general.flat_size),
        least_flat_size=same(lambda it: it.least_flat_size, general.least_flat_size),
        local=span_of([it.local for it in each]),
        picked=same(lambda it: it.picked, ()),
        barriers=span_of_barriers([it.barriers for it in each]),
        work=same(lambda it: it.work, ThreadWork(reason="its instances differ")),
        tensor_memory=strongest(it.tensor_memory for it in each),
        instances=tuple(each),
    )


def _kernel(env: Environment, placed: PlacedItem, function: Function, instance: Instance) -> Kernel:
    found = reach(env, placed, function, instance.bindings)
    local, waits = local_memory(env, function, found), barriers(env, found)
    work = thread_work(env, found.kernel)
    used = in_headers(env, found.bodies, lambda it: found.calls_of(it).callees, found.unseen)
    return replace(_declared(env, placed, function, instance, local, waits, work), tensor_memory=used)


def _declared(
    env: Environment,
    placed: PlacedItem,
    function: Function,
    instance: Instance,
    local: LocalMemory,
    waits: Barriers,
    work: ThreadWork,
) -> Kernel:
    """With what its head says."""
    inside = Inside(env, placed, function, instance.bindings)
    blocks = _dims(inside, "__block_size__") or _dims(inside, "reqd_work_group_size")
    clusters = _dims(inside, "__cluster_dims__") or blocks[1:2]
    ceiling = _arguments(inside, "__maxnreg__")
    path = placed.path(function.owner)
    return Kernel(
        item=placed.item,
        name=function.name,
        qualified="::".join((*path, function.name)),
        name_place=_place(placed, function.name_span),
        head=_place(placed, function.head),
        body=_place(placed, function.body),
        template=function.template,
        bounds=_bounds(inside),
        max_registers=ceiling[1][0] if ceiling and ceiling[1] else None,
        block=blocks[0] if blocks else None,
        cluster=clusters[0] if clusters else None,
        waves=_one(inside, "amdgpu_waves_per_eu", 0),
        most_waves=_one(inside, "amdgpu_waves_per_eu", 1),
        num_vgpr=_one(inside, "amdgpu_num_vgpr", 0),
        flat_size=_one(inside, "amdgpu_flat_work_group_size", 1),
        least_flat_size=_one(inside, "amdgpu_flat_work_group_size", 0),
        sub_group=_one(inside, "intel_reqd_sub_group_size", 0),
        wave=_word(inside, "qcom_reqd_sub_group_size"),
        local=local,
        barriers=waits,
        names=function.names,
        picked=tuple(_picked(inside, function)),
        conditional=env.holds((*placed.conditions, *function.conditions), placed.order) is None,
        arguments=instance.arguments,
        work=work,
        vendors=() if placed.conditions or function.conditions else function.vendors,
        takes=taken(function, inside.scope(function.body.start)),
        specialises=specialised_arguments(env, placed, function),
        internal=(function.copied and function.template is None) or "" in placed.namespaces,
    )


def _picked(inside: Inside, function: Function) -> Iterator[Given]:
    for array in function.picked:
        layout = inside.scope(array.field.span.start).field(array.field)
        if isinstance(layout, Layout) and inside.env.holds(array.conditions, inside.placed.order):
            yield Given(_place(inside.placed, array.field.span), Value(layout.size))


def resolve_launch(env: Environment, placed: PlacedItem, launch: Launch) -> tuple[KernelLaunch, ...]:
    """One for each instance of the function that holds the launch."""
    if launch.holder is not None:
        launch = replace(launch, kernel=env.kernel_in(placed, launch.holder))
    site = CallSite(launch.kernel, launch.template, launch.arguments, launch.span.start)
    each = instances_around(env, placed, site.start)
    return tuple(dict.fromkeys(as_launched(inside, launch, site, inside.scope(site.start)) for inside in each))


def instances_around(env: Environment, placed: PlacedItem, offset: int) -> Iterator[Inside]:
    """What stands at `offset`, in each instance of the functions and lambdas around it in which it can run."""
    holder = holder_of(placed.facts, offset)
    around = instances(env, placed, holder).known if holder else (Instance("", {}),)
    for outer in around or (Instance("", {}),):
        for bindings in _within(env, placed, holder, outer.bindings, offset):
            if holder is None or body_of(env, placed, holder, bindings).runs(offset) is not False:
                yield Inside(env, placed, holder, bindings)


def _within(
    env: Environment, placed: PlacedItem, holder: Function | None, bindings: Bindings, at: int
) -> Sequence[Bindings]:
    """What is bound in each instance of the generic lambdas around a launch; nothing more if they are not all known."""
    if holder is None or not generic_lambdas_around(holder, at):
        return (bindings,)
    made = lambda_instances(env, body_of(env, placed, holder, bindings), at)
    return made.known if made.complete and made.known else (bindings,)


def as_launched(inside: Inside, launch: Launch, site: CallSite, here: ItemScope, in_place: bool = True) -> KernelLaunch:
    """`site`: what is launched, as written where `here` is. `in_place`: so are the numbers that the grid is made of."""

    def dims(argument: Argument) -> tuple[Place, Dimensions]:
        x, y, z = dimensions(argument.value, inside.scope(argument.span.start))
        return _place(inside.placed, argument.span), (unsigned(x, bits), unsigned(y, bits), unsigned(z, bits))

    def possible_dims(argument: Argument) -> tuple[Place, Dimensions]:
        place, known = dims(argument)
        there = inside.scope(argument.span.start)
        if all(it.number is not None for it in known):
            return place, known
        return place, _asked(
            there, ("dimensions", known, bits), partial(possible.dimensions, known, argument.value, there, bits, passed)
        )

    bits = 32 if launch.items is None else 64  # `dim3`, or OpenCL's `size_t`
    block = possible_dims(launch.block)
    whole = all(it.number is not None for it in block[1])
    placed = inside.placed
    items = launch.items
    return KernelLaunch(
        kernel=site.name,
        name=site.name.rsplit("::", 1)[-1],
        place=_place(placed, launch.configuration),
        target=Place(placed.item, launch.span.start, launch.configuration.start),
        grid=dims(launch.grid),
        grid_literals=_grid_literals(inside, launch) if in_place else (),
        block=block,
        dynamic=_dynamic(inside, launch),
        arguments=_instance_launched(here, site),
        cooperative=launch.cooperative,
        by_units=launch.by_units,
        items=dims(items)[1] if items is not None else None,
        most=None if whole else _shared_out(inside, launch.block),
        gives=handed(site.template, site.arguments or (), here),
        taken=tuple(dict.fromkeys(of_libraries(launch.block.value, inside.scope(launch.block.span.start)))),
        cluster=_cluster(inside, launch),
    )


def _cluster(inside: Inside, launch: Launch) -> tuple[Place, Dimensions] | None:
    """What is asked for whichever branches of the preprocessor are compiled; not known where they differ."""
    order = inside.placed.order
    possible = [it for conditions, it in launch.clusters if inside.env.holds(conditions, order) is not False]
    asked = [it for it in possible if it is not None]
    if not asked:
        return None
    place = _place(inside.placed, asked[0][0].span)
    if _macros_name(inside.env, launch.around, launch.set_up):
        hidden = unknown("a macro may change it")
        return place, (hidden, hidden, hidden)
    sizes = [_cluster_size(inside, it) for it in asked]
    if len(asked) < len(possible) or len({tuple(it.number for it in size) for size in sizes}) > 1:
        return place, (unknown(_PERHAPS),) * 3
    return place, sizes[0]


def _cluster_size(inside: Inside, asked: Sequence[Argument]) -> Dimensions:
    if len(asked) == 1:
        values = dimensions(asked[0].value, inside.scope(asked[0].span.start))
    else:
        x, y, z = (inside.given(it).value for it in asked)
        values = x, y, z
    x, y, z = (unsigned(it, 32) for it in values)
    return x, y, z


def _macros_name(env: Environment, words: frozenset[str], variables: frozenset[str]) -> bool:
    """Whether one of the words is a macro whose text has one of the variables."""
    todo, seen = list(words - variables), set(words)
    while todo:
        name = todo.pop()
        inner = {it for macro in env.every_form(name) for it in macro.names}
        for it in env.definitions(name):
            inner |= set(re.findall(r"\w+", it.definition.type)) if it.definition.kind == "macro" else set()
        if inner & variables:
            return True
        todo += inner - seen
        seen |= inner
    return False


def _asked(scope: ItemScope, what: tuple[object, ...], work: Callable[[], _T]) -> _T:
    """As an answer of its own: it may hang on callers, in which few keys change a size. `scope`: where that stands."""
    return scope.env.queries.answer(("possible", scope.item, scope.key, *what), work)


def _shared_out(inside: Inside, block: Argument) -> int | None:
    scope = inside.scope(block.span.start)
    return _asked(scope, ("shared out",), partial(possible.shared_out, block.value, scope, passed))


def _grid_literals(inside: Inside, launch: Launch) -> tuple[Written, ...]:
    scope, items = inside.scope(launch.grid.span.start), launch.items
    found = grid_literals(launch.grid.value, scope) if items is None else global_literals(items.value, scope)
    return tuple(dict.fromkeys(found))


def _dynamic(inside: Inside, launch: Launch) -> Given | None:
    if launch.dynamic is None:
        return None
    given, scope = inside.given(launch.dynamic), inside.scope(launch.dynamic.span.start)
    if given.value.number is not None:
        return replace(given, value=unsigned(given.value, 64))
    work = partial(possible.amount, given.value, launch.dynamic.value, launch.block.value, scope, passed)
    return replace(given, value=unsigned(_asked(scope, ("amount", given.value), work), 64))


def _instance_launched(here: ItemScope, site: CallSite) -> str | None:
    """The template arguments of the kernel that is launched; None: not known; "": it is no template.

    It is an answer of its own: of the kernel it hangs on what few keys in it change.
    """
    key = ("instance launched", here.item, here.key, site.name, site.template, site.arguments)
    return here.env.remember(key, lambda: _find_instance(here, site), None)


def _find_instance(here: ItemScope, site: CallSite) -> str | None:
    label = site.name.rsplit("::", 1)[-1]
    found = [(s, f) for s, f in here.env.functions(label) if f.kernel]
    if len(found) != 1:
        return None
    placed, function = found[0]
    if not function.template:
        return ""
    there = ItemScope(here.env, placed, function.body.start, function.owner)
    bindings = bind_call(function, site.template, site.arguments, here, there)
    return arguments_text(function.template, bindings, there) if complete(function.template, bindings) else None


def meant_by(launch: KernelLaunch, kernels: Sequence[Kernel]) -> Iterator[tuple[Kernel, KernelLaunch]]:
    """The kernels that a launch may mean of those that bear its name, each with the launch as one of it."""
    named = [it for it in kernels if is_named(launch.kernel, it.qualified)]
    fitting = [it for it in named if fits(launch.gives, it.takes)] or named
    for kernel in fitting:
        yield kernel, replace(launch, perhaps=True) if len(fitting) > 1 else launch


def is_named(written: str, qualified: str) -> bool:
    """Whether a name as written may mean the kernel."""
    if written.startswith("::"):
        return qualified == written.removeprefix("::")
    return "::" not in written or f"::{qualified}".endswith(f"::{written}")


def resolve_opt_in(env: Environment, placed: PlacedItem, opt_in: OptIn) -> Allowed:
    if opt_in.bytes is None:
        return Allowed(opt_in.kernel, unknown("given elsewhere"))
    return Allowed(opt_in.kernel, Inside(env, placed, None, {}).given(opt_in.bytes).value)
