"""What the source proves of each launch, and which kernels it means."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TypeVar

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.caller_arguments import caller_arguments
from occupancy_lsp.source.kernels.expression_query_cache import content_key_of_expressions, remember_by_expressions
from occupancy_lsp.source.kernels.function_instance import function_instance, may_run_at
from occupancy_lsp.source.kernels.generic_lambda_instantiations import generic_lambdas_around, lambda_bindings_at
from occupancy_lsp.source.kernels.grid_barriers import GRID_WIDE
from occupancy_lsp.source.kernels.instantiations import (
    Instance,
    instance_of_call,
    known_instances,
    with_too_many_instances_reason,
)
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import PERHAPS, AttributeValue, InstanceContext, place_of
from occupancy_lsp.source.kernels.kernel_lookup import (
    ALL_MEANT,
    NotMeant,
    fully_qualified_name,
    is_only_kernel_of_name,
    kernels_named,
    kernels_not_found_by_lookup,
)
from occupancy_lsp.source.kernels.overload_resolution import (
    GIVES_ANY,
    LaunchArguments,
    arguments_of_launch,
    may_accept_arguments,
)
from occupancy_lsp.source.kernels.semantic_hash import SignatureKey, identifiers_in_text, signature_key
from occupancy_lsp.source.kernels.uncalled_functions import may_be_called
from occupancy_lsp.source.kernels.unreachable_host_code import assumed_conditions, never_runs_at
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Argument, CallSite, Function, Launch, OptIn
from occupancy_lsp.source.lower.launches import kernel_of_expression, kernel_of_variable
from occupancy_lsp.source.lower.symbol_table import (
    Defined,
    LocatedItem,
    call_site_of_launch,
    enclosing_function,
    is_subsequence_of_path,
)
from occupancy_lsp.source.preprocessor.preprocessing_tokens import spell_tokens
from occupancy_lsp.source.sema import value_sets
from occupancy_lsp.source.sema.constant_evaluation import evaluate, evaluate_dimensions
from occupancy_lsp.source.sema.dimensionality_check import may_have_several_dimensions
from occupancy_lsp.source.sema.literal_origins import (
    WrittenNumber,
    global_size_literals,
    grid_literals,
    library_assumptions,
)
from occupancy_lsp.source.sema.macro_uses import expand_text
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings
from occupancy_lsp.source.sema.value_sets import MOST_THREADS
from occupancy_lsp.source.syntax.expression_nodes import UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.known_value import (
    ONE,
    Dimensions,
    Place,
    Value,
    as_unsigned,
    has_zero_dimension,
    product_of_dimensions,
    unknown,
)

_T = TypeVar("_T")
_MOST_LAUNCHES, _FEW_INSTANCES = 1024, 8
_LEAST_OPTED = 48 << 10  # more dynamic bytes than these a kernel must be allowed


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
class ExecutionConfiguration:
    """The sizes that a launch states. `grid_literals`: the numbers that the grid is made of.

    `items`: OpenCL's global size, which hosts give instead of a grid.
    """

    grid: tuple[Place, Dimensions]
    block: tuple[Place, Dimensions]
    dynamic: AttributeValue | None = None  # None: not given, so 0
    grid_literals: tuple[WrittenNumber, ...] = ()
    by_units: bool = False  # its grid is counted by the device's compute units
    items: Dimensions | None = None
    most: int | None = None  # threads, where its dimensions share a number out
    cluster: tuple[Place, Dimensions] | None = None  # that a launch attribute asks for
    local: int = 0  # bytes that OpenCL's host surely gives to parameters, together

    @property
    def size(self) -> Value:
        """The threads of a block."""
        found = product_of_dimensions(self.block[1])
        if self.most is None or found.number is not None:
            return found
        among = tuple(it for it in found.among if it <= self.most)
        return structs.replace(found, among=among, most=min(self.most, found.most or self.most))


@dataclass(frozen=True, slots=True)
class KernelLaunch:
    """`place` is the text between the chevrons. `kernel` is the name as written, `name` its last part, both empty where
    the kernel is not known. `perhaps`: it may mean another kernel of that name, without a name any kernel that is named
    other than to launch it, or have another size. `cooperative`: it fails unless all its work-groups are resident
    together. `on_device`: it surely runs on such a device, not on the host's processor, where nothing limits it.
    `reached`: the function that it stands in may be called, as far as is seen: else it is told of as others are, but
    that it fails is not.
    """

    kernel: str
    name: str
    place: Place
    target: Place  # the kernel's name with its template arguments
    configuration: ExecutionConfiguration
    arguments: str | None  # of the kernel's template as a demangler prints them; None: not known
    cooperative: bool = False
    gives: LaunchArguments = GIVES_ANY
    perhaps: bool = False
    dependent: bool = False  # its template arguments are not known before a template around it is an instance
    not_meant: NotMeant = ALL_MEANT
    taken: tuple[str, ...] = ()  # what its size takes for granted of libraries out of sight
    entry: Place | None = None  # of a list of launches to choose from, with what parts it from the others
    compiled: Compiled | None = None  # where a compiler makes an instance for it
    pipelined: Pipelined | None = None  # where its compiler is known to lay out local memory for such a loop
    on_device: bool = True
    reached: bool = True
    own: Place | None = None  # where the body begins of the lambda that it launches, which stands in it
    tuned: bool = False  # one of the configurations that a tuner tries, which leaves out those that fail

    @property
    def may_be_of_any_kernel(self) -> bool:
        """Whether it may be of any kernel that is named other than to launch it."""
        return self.perhaps and not self.name

    @property
    def size(self) -> Value:
        return self.configuration.size

    def without_dynamic_bytes(self) -> KernelLaunch:
        """The launch of a kernel that takes no local memory of a size that the launch states."""
        return replace(self, configuration=replace(self.configuration, dynamic=None))


def with_compiled_instances(kernel: Kernel, instances: Mapping[str, Kernel], alone: bool) -> Kernel:
    """The kernel with instances that a compiler makes for launches. `alone`: the first is that of all launches."""
    if not alone:
        return replace(kernel, instances=tuple(instances.values()))
    only = next(iter(instances.values()))
    return replace(only, arguments="", instances=(only,))


def instance_for_launch(kernel: Kernel, place: Place, compiled: Compiled) -> Kernel:
    """The kernel as a launch at `place` has it compiled."""

    def attribute_at_place(found: Value | None) -> AttributeValue | None:
        return AttributeValue(place, found) if found is not None else None

    threads, waves = compiled.threads, attribute_at_place(compiled.waves)
    attributes = replace(
        kernel.attributes,
        block=(place, (threads, ONE, ONE)) if threads.number else None,
        flat_size=AttributeValue(place, threads),
        max_registers=attribute_at_place(compiled.max_registers),
        waves=waves,
        most_waves=waves,
    )
    return replace(kernel, arguments=compiled.arguments, instances=(), attributes=attributes)


@dataclass(frozen=True, slots=True)
class Allowed:
    """A kernel, or "" for some kernel, is allowed this much dynamic local memory. `arguments`: of its template; None:
    not known."""

    kernel: str
    bytes: Value
    arguments: str | None = None


_Launched = Callable[[ItemScope], Sequence[tuple[CallSite, ItemScope]]]


def resolve_launch(env: Environment, placed: LocatedItem, launch: Launch) -> tuple[KernelLaunch, ...]:
    """One for each instance of the function that holds the launch."""
    if launch.body is not None:
        return _launches_of_lambda(env, placed, launch, launch.body)
    if launch.holder is not None:
        launch = structs.replace(launch, kernel=env.kernel_of_object_at(placed, launch.holder))
    elif launch.kernel or launch.made:
        launch = _with_expanded_kernel_name(env, placed, launch)
        if launch.template is None and (held := kernel_of_global_variable(env, launch.kernel)) is not None:
            kernel, template = kernel_of_expression(held)
            launch = structs.replace(launch, kernel=kernel, template=template)
    site = call_site_of_launch(launch)
    return launches_per_instance(env, placed, launch, lambda here: ((site, here),))


def _launches_of_lambda(env: Environment, placed: LocatedItem, launch: Launch, body: int) -> tuple[KernelLaunch, ...]:
    """The launches of the kernel that stands in the launch itself."""
    holder, found = enclosing_function(placed.facts, launch.span.start), dict[KernelLaunch, None]()
    instances = known_instances(env, placed, holder).known if holder is not None else ()
    for inside in instance_contexts_at(env, placed, launch.span.start):
        sized = _launch_with_sizes(inside, launch)
        if may_launch_fail(env, sized, launch.kernel) and never_runs_at(inside, launch.span.start):
            continue
        made = (it.arguments for it in instances if it.bindings.items() <= inside.bindings.items())
        own = Place(placed.slot, body, body)
        found[replace(sized, kernel=launch.kernel, name=launch.kernel, arguments=next(made, None), own=own)] = None
    return tuple(found)


def _with_expanded_kernel_name(env: Environment, placed: LocatedItem, launch: Launch) -> Launch:
    """With the name that a macro stands for or makes; "" where that is not known."""
    written = launch.made or launch.kernel
    name = written.partition("(")[0].rpartition("::")[2].strip()
    if not env.macro_history(name):
        return launch
    found = expand_text(written, env, (placed.order, launch.span.start))
    kernel, template = kernel_of_expression(spell_tokens(found)) if found is not None else ("", None)
    return structs.replace(launch, kernel=kernel, template=launch.template if template is None else template)


def with_macro_expanded_configuration(env: Environment, placed: LocatedItem, launch: Launch) -> Launch:
    """Return the launch with the arguments that a macro makes."""
    if not launch.packed:
        return launch
    found = expand_text(launch.packed, env, (placed.order, launch.span.start))
    texts = split_template_arguments(spell_tokens(found)) if found is not None else ()
    where = launch.configuration
    if len(texts) < 2:
        hidden = Argument(where, UnreadableExpression("a macro makes the launch's arguments"))
        return structs.replace(launch, grid=hidden, block=hidden, dynamic=hidden, packed="")
    grid, block, dynamic, *_ = (*(Argument(where, parse_detached(it)) for it in texts), None)
    return structs.replace(launch, grid=grid, block=block, dynamic=dynamic, packed="")


def kernel_of_global_variable(env: Environment, name: str) -> str | None:
    """Return what a variable outside of functions always holds, as written, "" where that is not known; None: the name
    is not that of such a variable, or of a kernel, too."""
    label = name.rpartition("::")[2]
    held = [it.definition for it in env.definitions(label)]
    if (
        not held
        or kernels_named(env, label)
        or env.bodiless_kernel_declarations(label)
        or any(it.kernel for it in env.prototypes(label))
    ):
        return None
    return kernel_of_variable(held[0]) if len(held) == 1 and not held[0].conditions else ""


def launches_per_instance(
    env: Environment, placed: LocatedItem, launch: Launch, launched: _Launched
) -> tuple[KernelLaunch, ...]:
    """One for each instance of the function that holds the launch, and each kernel. `launched`: these, by where the
    launch stands, each with where its name is written."""
    launch = with_macro_expanded_configuration(env, placed, launch)
    found: dict[KernelLaunch, None] = {}
    around = enclosing_function(placed.facts, launch.span.start)
    given_up = around is not None and _has_too_many_instances(env, placed, around)
    for inside in instance_contexts_at(env, placed, launch.span.start):
        here = inside.scope(launch.span.start)
        sized = _launch_with_sizes(inside, launch)
        doubtful = may_launch_fail(env, sized, launch.kernel) or _is_under_value_test(placed, launch.block.span.start)
        if doubtful and never_runs_at(inside, launch.span.start):
            continue
        sized = _with_too_many_instances(sized) if given_up else sized
        for site, where in launched(here):
            alone = where is here and not here.bindings and is_only_kernel_of_name(env, site.unqualified_name)
            gives = GIVES_ANY if alone else _launch_argument_types(where, site)
            found[_launch_of_kernel(sized, where, site, gives)] = None
    return tuple(found)


def may_launch_fail(env: Environment, launch: KernelLaunch, kernel: str) -> bool:
    """Whether a launch asks for more than all devices take, or something says of its kernel what it takes."""
    dynamic = launch.configuration.dynamic.value.number if launch.configuration.dynamic is not None else None
    beyond = dynamic is not None and dynamic > _LEAST_OPTED
    if beyond or launch.cooperative or launch.configuration.items is not None:
        return True
    if has_zero_dimension(launch.configuration.grid[1]) or _is_refused_block(launch.configuration.block[1]):
        return True
    return product_of_dimensions(launch.configuration.block[1]).least is not None and _may_limit_launches(
        env, kernel.rpartition("::")[2]
    )


def _may_limit_launches(env: Environment, label: str) -> bool:
    """Whether something may say what a kernel of that name takes: an answer of its own, which few keys change."""

    def compute() -> bool:
        named = kernels_named(env, label)
        return not named or any(it.specifiers.attributes or _may_wait_for_grid(env, it) for _, it in named)

    return env.remember(("limited", label), compute, True)


def _may_wait_for_grid(env: Environment, kernel: Function) -> bool:
    """Whether it, or a function that it calls itself, names what waits for all work-groups."""
    called = (it for name in kernel.mentions.names for _, it in env.every_function_named(name))
    return any(not GRID_WIDE.isdisjoint(it.mentions.names) for it in (kernel, *called))


def _is_refused_block(block: Dimensions) -> bool:
    """Whether no device of NVIDIA's or AMD's has blocks of these dimensions."""
    most = math.prod(it.number or 1 for it in block)
    beyond = any((it.number or 1) > limit for it, limit in zip(block, MOST_THREADS, strict=True))
    return beyond or most > max(MOST_THREADS) or has_zero_dimension(block)


def instance_contexts_at(env: Environment, placed: LocatedItem, offset: int) -> Iterator[InstanceContext]:
    """What stands at `offset`, in each instance of the functions and lambdas around it in which it can run."""
    holder = enclosing_function(placed.facts, offset)
    around = known_instances(env, placed, holder) if holder else None
    known = (
        around.known
        if holder is not None and around is not None and not _has_too_many_instances(env, placed, holder)
        else ()
    )
    others = () if known and (around is None or around.complete) else (Instance("", {}),)
    for outer in (*known, *others):
        for bindings in _bindings_in_lambda_instances(env, placed, holder, outer.bindings, offset):
            if holder is None or may_run_at(env, placed, holder, bindings, offset) is not False:
                yield InstanceContext(env, placed, holder, bindings)


def _has_too_many_instances(env: Environment, placed: LocatedItem, holder: Function) -> bool:
    """Whether launches in a function are followed in none of its instances, of which there are too many."""
    count = len(known_instances(env, placed, holder).known)
    return count > _FEW_INSTANCES and count > (
        env.cached_table_entry("most instances", _instance_limit, ("functions",), "") or 0
    )


def _with_too_many_instances(launch: KernelLaunch) -> KernelLaunch:
    place, (x, y, z) = launch.configuration.block
    hidden = with_too_many_instances_reason(x), with_too_many_instances_reason(y), with_too_many_instances_reason(z)
    return replace(launch, configuration=replace(launch.configuration, block=(place, hidden)))


def _instance_limit(env: Environment) -> Mapping[str, int]:
    """Of the functions whose launches are followed, so that the file has no more than `_MOST_LAUNCHES` by them."""
    made: dict[int, int] = {}  # launches, by how many instances each is in
    for placed in {id(placed): placed for each in env.own.functions.values() for placed, _ in each}.values():
        starts = (
            *(it.span.start for it in placed.facts.launching.launches),
            *(it.site.start for it in placed.facts.launching.handings),
        )
        for holder in (holder for at in starts if (holder := enclosing_function(placed.facts, at)) is not None):
            count = len(known_instances(env, placed, holder).known) if holder.template else 1
            made[count] = made.get(count, 0) + count
    total, most = 0, _FEW_INSTANCES
    for count in sorted(made):
        total += made[count] if count > _FEW_INSTANCES else 0
        most = count if total <= _MOST_LAUNCHES else most
    return {"": most}


def _bindings_in_lambda_instances(
    env: Environment, placed: LocatedItem, holder: Function | None, bindings: Bindings, at: int
) -> Sequence[Bindings]:
    """What is bound in each instance of the generic lambdas around a launch; nothing more if they are not all known."""
    if holder is None or not generic_lambdas_around(env, placed, holder, at):
        return (bindings,)
    made = lambda_bindings_at(env, function_instance(env, placed, holder, bindings), at)
    return made.known if made.complete and made.known else (bindings,)


def launch_of_kernel_named_elsewhere(
    inside: InstanceContext, launch: Launch, site: CallSite, here: ItemScope, in_place: bool = True
) -> KernelLaunch:
    """`site`: what is launched, as written where `here` is. `in_place`: so are the numbers that the grid is made of."""
    return _launch_of_kernel(
        _launch_with_sizes(inside, with_macro_expanded_configuration(inside.env, inside.placed, launch), in_place),
        here,
        site,
        _launch_argument_types(here, site),
    )


def _launch_of_kernel(launch: KernelLaunch, here: ItemScope, site: CallSite, gives: LaunchArguments) -> KernelLaunch:
    """A launch of a kernel with the sizes of another."""
    name, arguments = site.name.rsplit("::", 1)[-1], _launched_template_arguments(here, site)
    others, hang = (
        kernels_not_found_by_lookup(here, site),
        arguments is not None and _are_dependent_arguments(arguments, here, site.start),
    )
    return replace(
        launch, kernel=fully_qualified_name(here, site), name=name, arguments=arguments, gives=gives, perhaps=not name,
        not_meant=others, dependent=hang,
    )  # fmt: skip


def _are_dependent_arguments(arguments: str, here: ItemScope, at: int) -> bool:
    """Whether they hang on a template around the launch of which no instance is in sight."""
    holder = enclosing_function(here.placed.facts, at)
    names = {parse_template_parameter(it).name for it in (holder.template if holder is not None else None) or ()}
    return not identifiers_in_text(arguments).isdisjoint(names - here.bindings.keys())


def _launch_with_sizes(inside: InstanceContext, launch: Launch, in_place: bool = True) -> KernelLaunch:
    """Of no kernel yet."""

    def dimensions_of(argument: Argument) -> tuple[Place, Dimensions]:
        there = inside.scope(argument.span.start)
        x, y, z = _remember_values(inside, argument, "dimensions", partial(evaluate_dimensions, argument.value, there))
        if x.number is None and may_have_several_dimensions(argument.value, there):
            y, z = (unknown(x.reason) if it == ONE else it for it in (y, z))
        return place_of(inside.placed, argument.span), (
            as_unsigned(x, bits),
            as_unsigned(y, bits),
            as_unsigned(z, bits),
        )

    def possible_dimensions_of(argument: Argument) -> tuple[Place, Dimensions]:
        place, known = dimensions_of(argument)
        if all(it.number is not None for it in known):
            return place, known
        there = inside.scope(argument.span.start)
        found = remember_by_expressions(
            inside,
            (argument,),
            "components",
            partial(value_sets.possible_dimensions, argument.value, there, caller_arguments),
        )
        if any(it is None or not it.among for it in found) and inside.scopes is None:
            assumed = tuple(assumed_conditions(inside, argument.span.start))
            if assumed:
                found = value_sets.possible_dimensions(argument.value, there, caller_arguments, assumed)
        return place, value_sets.dimensions_with_ranges(known, found, bits)

    bits = 32 if launch.items is None else 64  # `dim3`, or OpenCL's `size_t`
    block, grid = possible_dimensions_of(launch.block), dimensions_of(launch.grid)
    if _is_refused_block(block[1]):
        block = _unknown_if_only_tested(inside, launch.block, block)
    if has_zero_dimension(grid[1]):
        grid = _unknown_if_only_tested(inside, launch.grid, grid)
    whole = all(it.number is not None for it in block[1])
    sizes = ExecutionConfiguration(
        grid,
        block,
        _dynamic_local_bytes(inside, launch),
        grid_literals=_grid_literals(inside, launch) if in_place else (),
        by_units=launch.by_units,
        items=dimensions_of(launch.items)[1] if launch.items is not None else None,
        most=None if whole else _most_threads_if_divided(inside, launch.block),
        cluster=_cluster_dimensions(inside, launch),
        local=sum(max(inside.evaluate_argument(it).value.number or 0, 0) for it in launch.local),
    )
    return _launch_of_sizes(inside, launch, sizes)


def _launch_of_sizes(inside: InstanceContext, launch: Launch, sizes: ExecutionConfiguration) -> KernelLaunch:
    placed, function, cluster = inside.placed, inside.function, launch.cluster
    together = launch.cooperative and not _is_variable_named_by_macros(inside.env, cluster.around, cluster.set_up)
    return KernelLaunch(
        kernel="",
        name="",
        place=place_of(placed, launch.configuration),
        target=Place(placed.slot, launch.span.start, launch.configuration.start),
        configuration=sizes,
        arguments=None,
        cooperative=together,
        taken=tuple(dict.fromkeys(library_assumptions(launch.block.value, inside.scope(launch.block.span.start)))),
        reached=function is None or may_be_called(inside.env, placed, function),
    )


def _launch_argument_types(here: ItemScope, site: CallSite) -> LaunchArguments:
    return arguments_of_launch(site.template, site.arguments or (), here)


def _cluster_dimensions(inside: InstanceContext, launch: Launch) -> tuple[Place, Dimensions] | None:
    """What is asked for whichever branches of the preprocessor are compiled; not known where they differ."""
    order = inside.placed.order
    possible = [it for conditions, it in launch.cluster.sizes if inside.env.holds(conditions, order) is not False]
    wanted = [it for it in possible if it is not None]
    if not wanted:
        return None
    place = place_of(inside.placed, wanted[0][0].span)
    if _is_variable_named_by_macros(inside.env, launch.cluster.around, launch.cluster.set_up):
        hidden = unknown("a macro may change it")
        return place, (hidden, hidden, hidden)
    sizes = [_evaluate_cluster_dimensions(inside, it) for it in wanted]
    if len(wanted) < len(possible) or len({tuple(it.number for it in size) for size in sizes}) > 1:
        return place, (unknown(PERHAPS),) * 3
    return place, sizes[0]


def _evaluate_cluster_dimensions(inside: InstanceContext, asked: Sequence[Argument]) -> Dimensions:
    if len(asked) == 1:
        values = evaluate_dimensions(asked[0].value, inside.scope(asked[0].span.start))
    else:
        x, y, z = (inside.evaluate_argument(it).value for it in asked)
        values = x, y, z
    x, y, z = (as_unsigned(it, 32) for it in values)
    return x, y, z


def _is_variable_named_by_macros(env: Environment, words: frozenset[str], variables: frozenset[str]) -> bool:
    """Whether one of the words is a macro whose text has one of the variables."""
    todo, seen = list(words - variables), set(words)
    while todo:
        name = todo.pop()
        inner = {it for macro in env.all_function_macros_named(name) for it in macro.names}
        for it in env.definitions(name):
            inner |= set(re.findall(r"\w+", it.definition.type)) if it.definition.kind == "macro" else set()
        if inner & variables:
            return True
        todo += inner - seen
        seen |= inner
    return False


def _remember_values(
    inside: InstanceContext, argument: Argument, what: str, work: Callable[[], Sequence[Value]]
) -> Sequence[Value]:
    """What `work` makes of the argument, as an answer of its own where no number in the text decides: that has a
    place."""
    key = content_key_of_expressions(inside, (argument,), what)
    if key is None:
        return work()

    def compute() -> Sequence[Value] | None:
        values = work()
        return None if any(it.literal is not None for it in values) else values

    return inside.env.remember_by_content(key, compute, None, inside.placed.item) or work()


def _unknown_if_only_tested(
    inside: InstanceContext, argument: Argument, found: tuple[Place, Dimensions]
) -> tuple[Place, Dimensions]:
    """Return the dimensions; unknown those that a launch fails for by a test around it, `case 0:`, that may never
    hold."""
    (place, known), said = found, argument.span
    if not _is_under_value_test(inside.placed, said.start):
        return found
    x, y, z = (
        it if it.number == 1 or _is_literal_within(said, it) else unknown("it fails only where a test holds")
        for it in known
    )
    return place, (x, y, z)


def _is_under_value_test(placed: LocatedItem, at: int) -> bool:
    """Whether a test around that place tells the value of a variable."""
    each = chain.from_iterable(placed.facts.locals.values()) if placed.facts.narrows else ()
    return any(it.kind == "narrowed" and it.scope is not None and it.scope.start <= at < it.scope.end for it in each)


def _is_literal_within(said: Span, value: Value) -> bool:
    return value.literal is not None and said.start <= value.literal.start < said.end


def _most_threads_if_divided(inside: InstanceContext, block: Argument) -> int | None:
    scope = inside.scope(block.span.start)
    return remember_by_expressions(
        inside,
        (block,),
        "shared out",
        partial(value_sets.most_threads_of_divided_block, block.value, scope, caller_arguments),
    )


def _grid_literals(inside: InstanceContext, launch: Launch) -> tuple[WrittenNumber, ...]:
    scope, items = inside.scope(launch.grid.span.start), launch.items
    found = grid_literals(launch.grid.value, scope) if items is None else global_size_literals(items.value, scope)
    return tuple(dict.fromkeys(found))


def _dynamic_local_bytes(inside: InstanceContext, launch: Launch) -> AttributeValue | None:
    if launch.dynamic is None:
        return None
    dynamic, scope = launch.dynamic, inside.scope(launch.dynamic.span.start)
    (value,) = _remember_values(inside, dynamic, "value", lambda: (evaluate(dynamic.value, scope),))
    if value.number is None:
        work = partial(value_sets.possible_shared_bytes, dynamic.value, launch.block.value, scope, caller_arguments)
        value = value_sets.bytes_with_range(
            value, remember_by_expressions(inside, (dynamic, launch.block), "bytes", work)
        )
    return AttributeValue(place_of(inside.placed, dynamic.span), as_unsigned(value, 64))


def _launched_template_arguments(here: ItemScope, site: CallSite) -> str | None:
    """The template arguments of the kernel that is launched; None: not known; "": it is no template.

    It is an answer of its own: of the kernel it hangs on what few keys in it change, on no body.
    """
    env, label = here.env, site.name.rsplit("::", 1)[-1]
    headings = _signature_of_only_kernel(env, label)
    if not headings:
        return None
    key = ("instance launched", *here.key, site.name, site.template, site.arguments)
    work = partial(_find_launched_template_arguments, here, site)
    if None in headings:
        return env.remember(key, work, None)
    return env.remember_by_content((*key, headings), work, None, label)


def _signature_of_only_kernel(env: Environment, label: str) -> tuple[SignatureKey | None, ...]:
    """That of the kernel that a launch of this name makes an instance of; none: there are several, or none."""

    def compute() -> tuple[SignatureKey | None, ...]:
        only = _only_kernel_of_name(env, label)
        return (signature_key(*only),) if only is not None else ()

    return env.remember(("headings", label), compute, ())


def _only_kernel_of_name(env: Environment, label: str) -> Defined | None:
    """The only kernel of that name, but for full specialisations, each of which is in place of an instance."""
    found = [it for it in kernels_named(env, label) if it[1].template != ()]
    return found[0] if len(found) == 1 else None


def _find_launched_template_arguments(here: ItemScope, site: CallSite) -> str | None:
    found = _only_kernel_of_name(here.env, site.name.rsplit("::", 1)[-1])
    if found is None:
        return None
    placed, function = found
    if not function.template:
        return ""
    made = instance_of_call(here, enclosing_function(here.placed.facts, site.start), site, placed, function)
    return made.arguments if made is not None else None


class Namesakes:
    """The kernels of one name."""

    def __init__(self, kernels: Sequence[Kernel]) -> None:
        self._kernels = kernels
        self._places: dict[str, list[int]] = {}
        for index, it in enumerate(kernels):
            self._places.setdefault(it.qualified, []).append(index)
        self._others: dict[frozenset[str], list[int]] = {}

    @property
    def every(self) -> Sequence[Kernel]:
        return self._kernels

    def possibly_meant(self, not_meant: NotMeant) -> Sequence[Kernel]:
        """Those that a launch may mean as far as is known of where both stand, in order."""
        in_sight = not_meant.in_sight
        if not in_sight:
            return self._kernels
        if in_sight not in self._others:
            others = (places for name, places in self._places.items() if name not in in_sight)
            self._others[in_sight] = [*chain.from_iterable(others)]
        meant = chain.from_iterable(self._places.get(it, ()) for it in not_meant.but)
        return [self._kernels[it] for it in sorted((*self._others[in_sight], *meant))]


def kernels_meant_by(launch: KernelLaunch, namesakes: Namesakes) -> Iterator[tuple[Kernel, KernelLaunch]]:
    """The kernels that a launch may mean of those that bear its name, each with the launch as one of it."""
    if launch.own is not None:
        yield from ((it, launch) for it in namesakes.every if it.body == launch.own)
        return
    among = namesakes.possibly_meant(launch.not_meant)
    named = [it for it in among if matches_kernel_name(launch.kernel, it.qualified)]
    if not named:
        named = [it for it in among if matches_with_inline_namespaces(launch.kernel, it.qualified)]
        launch = replace(launch, perhaps=True)
    fitting = [it for it in named if may_accept_arguments(launch.gives, it.takes)] or named
    if launch.arguments is not None and not launch.dependent:
        special = [it for it in fitting if it.specialises == launch.arguments]
        fitting = special or [it for it in fitting if not it.specialises]
    for kernel in fitting:
        yield kernel, replace(launch, perhaps=True) if len(fitting) > 1 else launch


def as_launch_of_kernel(launch: KernelLaunch, kernel: Kernel) -> KernelLaunch | None:
    """Return a launch of a kernel that is not known as one of this kernel; None: it takes something else."""
    if not may_accept_arguments(launch.gives, kernel.takes):
        return None
    return replace(launch, kernel=kernel.qualified, name=kernel.name, arguments=None)


def matches_kernel_name(written: str, qualified: str) -> bool:
    """Whether a name as written may mean the kernel."""
    if written.startswith("::"):
        return qualified == written.removeprefix("::")
    return "::" not in written or f"::{qualified}".endswith(f"::{written}")


def matches_with_inline_namespaces(written: str, qualified: str) -> bool:
    """Return whether a name as written means the kernel if namespaces of it are inline."""
    return is_subsequence_of_path(qualified.split("::"), written.removeprefix("::").split("::"))


def resolve_local_memory_opt_in(env: Environment, placed: LocatedItem, opt_in: OptIn) -> Allowed:
    if opt_in.bytes is None:
        return Allowed(opt_in.kernel, unknown("given elsewhere"))
    start = opt_in.bytes.span.start
    holder = enclosing_function(placed.facts, start)
    here = ItemScope(env, placed, start, holder.owner if holder is not None else ())
    if here.owns(opt_in.kernel):
        return Allowed("", unknown("of what a variable holds"))
    among = opt_in.template is not None and holder is not None and holder.template is not None
    site = CallSite(opt_in.kernel, opt_in.template, None, start)
    arguments = _launched_template_arguments(here, site) if not among else None
    return Allowed(
        opt_in.kernel, InstanceContext(env, placed, None, {}).evaluate_argument(opt_in.bytes).value, arguments
    )
