"""What the source proves of each kernel: the facts that occupancy is computed from."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import shared
from occupancy_lsp.source.kernels.accessor_memory import accessor_memory_of
from occupancy_lsp.source.kernels.effective_declarations import effective_declarations
from occupancy_lsp.source.kernels.function_instance import FunctionInstance, function_instance, words_of_condition
from occupancy_lsp.source.kernels.grid_barriers import calls_grid_barrier
from occupancy_lsp.source.kernels.hardware_barrier_count import (
    NO_BARRIERS,
    Barriers,
    count_barriers,
    unknown_barrier_count,
)
from occupancy_lsp.source.kernels.hardware_barrier_count import barriers_of_instances as span_of_barriers
from occupancy_lsp.source.kernels.instantiations import (
    Instance,
    KnownInstances,
    instances_ahead,
    known_instances,
    specialization_arguments,
    with_too_many_instances_reason,
)
from occupancy_lsp.source.kernels.intent_keywords import design_relevant_names
from occupancy_lsp.source.kernels.kernel_attributes import (
    NO_ATTRIBUTES,
    AttributedDeclaration,
    AttributeValue,
    Bounds,
    InstanceContext,
    KernelAttributes,
    common_attributes,
    effective_argument,
    effective_attributes,
    effective_dimensions,
    effective_word,
    launch_bounds,
    place_of,
)
from occupancy_lsp.source.kernels.local_memory import LocalMemory, local_memory_of, local_memory_of_instances
from occupancy_lsp.source.kernels.overload_resolution import TAKES_ANY, KernelSignature, signature_of_kernel
from occupancy_lsp.source.kernels.reachability import KernelReachability, reachability_ahead, reachability_of
from occupancy_lsp.source.kernels.semantic_hash import names_through_macros, signature_key
from occupancy_lsp.source.kernels.shader_group_memory import group_memory_of
from occupancy_lsp.source.kernels.shader_group_size import (
    DefaultSize,
    default_size_by_attribute,
    default_size_of_shader,
    group_size_of_shader,
)
from occupancy_lsp.source.kernels.tensor_memory_in_headers import (
    highest_tensor_memory_use,
    tensor_memory_used_in_headers,
)
from occupancy_lsp.source.lex.work_limits import MOST_OF_FILE, MOST_OF_KERNEL, TOO_LARGE, TOO_MUCH
from occupancy_lsp.source.lower.item_facts import Function, TensorMemory
from occupancy_lsp.source.lower.symbol_table import LocatedItem, enclosing_function
from occupancy_lsp.source.sema.builtin_layout import Layout
from occupancy_lsp.source.sema.macro_uses import expanded_name
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings, Bound, CallableArgument
from occupancy_lsp.source.syntax.known_value import Dimensions, Place, Value, unknown

_T = TypeVar("_T")
_FEW = 8
# As they take time, beside one for each branch and each array.
_STEPS_OF_BODY, _STEPS_OF_DECISION, _STEPS_OF_SEARCH = 8, 3, 27


@dataclass(frozen=True, slots=True)
class BodySummary:
    """What the body of a kernel comes to, with all that it calls."""

    local: LocalMemory
    barriers: Barriers = NO_BARRIERS  # per work-group, as compilers count them
    names: frozenset[str] = frozenset()  # in it, at least those that `design.telling` has
    picked: tuple[AttributeValue, ...] = ()  # the bytes of own arrays whose index only the running kernel knows
    tensor_memory: TensorMemory = ""  # what functions and macros of headers do with it for the kernel
    calls_grid_barrier: bool = False  # a function that it calls waits for all work-groups of the grid
    # Where it changes its registers in vain: no launch states how many blocks an SM is to hold, as its compiler needs.
    vain: Place | None = None
    steps: int = 0  # that it took to follow what it reaches, until they are counted


@dataclass(frozen=True, slots=True)
class Kernel:
    item: int
    name: str
    qualified: str
    name_place: Place
    head: Place
    body: Place  # where it begins, in Python all of it; what an edit may change, `KernelText.body_of` tells
    summary: BodySummary
    attributes: KernelAttributes = NO_ATTRIBUTES
    template: tuple[str, ...] | None = None
    conditional: bool = False  # is under an #if that may be false
    arguments: str = ""  # of this instance of a template, as a demangler prints them
    instances: tuple[Kernel, ...] = ()  # of a template: those in sight
    vendors: tuple[tuple[str, str], ...] = ()  # whose extensions it surely uses, each with a word of them
    takes: KernelSignature = TAKES_ANY
    internal: bool = False  # only what includes its file can launch it: it is static, inline or in an unnamed namespace
    specialises: str = ""  # of a full specialisation, the arguments of the template that it is for
    configured: bool = False  # beside it, or in ways that no launch tells: launches elsewhere are not asked
    # Numbers that its compiler is given, whatever the device, by what `Variant` calls them.
    states: tuple[tuple[str, int], ...] = ()
    default_size: DefaultSize | None = None  # of a block that specialization constants decide
    digest: str = ""  # that its compiler gives its text, with all that this names; "": not known


def resolve_kernel(env: Environment, placed: LocatedItem, function: Function) -> Kernel:
    """The kernel; a template's as it is in all instances in sight, with each of them."""
    whole = Instance("", {})
    if not function.template:
        return _kernel_of_instance(env, placed, function, whole)
    found = known_instances(env, placed, _function_that_is_instantiated(placed, function))
    made = [*_kernel_per_affordable_instance(env, placed, function, found.known)]
    if len(made) < len(found.known):
        found = KnownInstances(found.known[: len(made)], False, True)
    steps = sum({id(it): it.summary.steps for it in made}.values())
    each = tuple(
        replace(without_steps(kernel), arguments=it.arguments) for it, kernel in zip(found.known, made, strict=True)
    )
    if each and found.complete:  # what stands in its body, they say
        first = each[0]
        inside = replace(first.summary, steps=steps)
        return replace(
            merge_instances(_with_declared_attributes(env, placed, function, whole, inside), made), instances=each
        )
    general = _kernel_of_instance(env, placed, function, whole)
    steps += general.summary.steps
    return replace(_with_steps(_marked_incomplete(general) if found.given_up else general, steps), instances=each)


def without_steps(kernel: Kernel) -> Kernel:
    """The kernel once its steps are counted."""
    return _with_steps(kernel, 0)


def _with_steps(kernel: Kernel, steps: int) -> Kernel:
    return replace(kernel, summary=replace(kernel.summary, steps=steps))


def resolve_kernel_beyond_budget(env: Environment, placed: LocatedItem, function: Function) -> Kernel:
    """The kernel without what its body comes to, which would take more steps than the file is allowed."""
    inside = _unfollowed_body(env, placed, function, {}, TOO_MUCH)
    return _with_declared_attributes(env, placed, function, Instance("", {}), inside)


def _unfollowed_body(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings, reason: str
) -> BodySummary:
    anything = LocalMemory((), 0, None, reason, True, (), alignment=None)
    used: TensorMemory = "allocated" if env.outer.tensor_memory else ""
    names, picked = _named_and_picked(InstanceContext(env, placed, function, bindings), function)
    return BodySummary(anything, unknown_barrier_count(env, reason), names, picked, used)


def resolve_instances_ahead(env: Environment, placed: LocatedItem, function: Function) -> Iterator[None]:
    """Work out one of the instances of a template at each step, for later, if there are many, and before what makes
    them; of another kernel, what it reaches."""
    made = _function_that_is_instantiated(placed, function)
    yield from instances_ahead(env, placed, made)
    if not function.template:
        yield from reachability_ahead(env, placed, function, {})
    known = known_instances(env, placed, made).known if function.template else ()
    for _ in _kernel_per_affordable_instance(env, placed, function, known) if len(known) > _FEW else ():
        yield


def _function_that_is_instantiated(placed: LocatedItem, function: Function) -> Function:
    """The function around a lambda that is a kernel: its instances make those of the kernel."""
    if not function.in_place:
        return function
    return enclosing_function(placed.facts, function.head.start) or function


def _marked_incomplete(kernel: Kernel) -> Kernel:
    """With the reason why its instances do not say what is not known of it."""
    variables = tuple(
        replace(it, bytes=with_too_many_instances_reason(it.bytes)) for it in kernel.summary.local.variables
    )
    reason = with_too_many_instances_reason(unknown(kernel.summary.local.reason)).reason
    local = replace(kernel.summary.local, variables=variables, reason=reason)
    return replace(kernel, summary=replace(kernel.summary, local=local))


def expanded_function_name(env: Environment, placed: LocatedItem, function: Function) -> str | None:
    """What a function is called once macros are expanded; None: that is not known."""
    return expanded_name(function.name, env, (placed.order, function.name_span.start))


def _kernel_per_affordable_instance(
    env: Environment, placed: LocatedItem, function: Function, each: Sequence[Instance]
) -> Iterator[Kernel]:
    """The kernel in each of the instances, up to the one with which it takes more steps than a file is allowed."""
    taken: dict[int, int] = {}
    for kernel in _kernel_per_instance(env, placed, function, each):
        yield kernel
        taken[id(kernel)] = kernel.summary.steps
        if sum(taken.values()) > MOST_OF_FILE:
            return


def _kernel_per_instance(
    env: Environment, placed: LocatedItem, function: Function, each: Sequence[Instance]
) -> Iterator[Kernel]:
    """The kernel in each of the instances, worked out once for those in which the same text runs and means the same."""
    # What other declarations say hangs on any of its parameters.
    choosing = (
        function.choosing - names_through_macros(env, function.mentions.names)
        if not env.bodiless_kernel_declarations(function.name)
        else frozenset()
    )
    idle = choosing - frozenset().union(*(words_of_condition(it.condition) for it in function.flow.branches))
    by_text: dict[Hashable, Kernel] = {}
    known: dict[Hashable, Kernel] = {}
    for it in each:
        key = _bindings_except(it.bindings, idle)
        if key not in known:
            body = function_instance(env, placed, function, it.bindings)
            running = body.dead, body.open, body.left_out, body.undecided
            text = *running, _bindings_except(it.bindings, choosing - body.compared)
            if text not in by_text:
                by_text[text] = _kernel_of_instance(env, placed, function, it)
            known[key] = by_text[text]
        yield known[key]


def _bindings_except(bindings: Bindings, names: Set[str]) -> Hashable:
    """Lambdas always: what they call counts, too."""
    return frozenset((name, bound) for name, bound in bindings.items() if name not in names or not _is_no_lambda(bound))


def _is_no_lambda(bound: Bound) -> bool:
    return not (isinstance(bound, CallableArgument) and bound.is_lambda)


def merge_across_units(each: Sequence[Kernel]) -> Kernel:
    """A kernel as several translation units see it."""
    first = each[0]
    if all(it == first for it in each):
        return first
    made: dict[str, list[Kernel]] = {}
    for kernel in each:
        for instance in kernel.instances:
            made.setdefault(instance.arguments, []).append(instance)
    attributes = replace(first.attributes, bounds=_uncertain_bounds(first.attributes.bounds))
    general = replace(first, attributes=attributes, instances=())
    found = merge_instances(general, each)
    return replace(found, instances=tuple(merge_across_units(several) for several in made.values()))


def _uncertain_bounds(bounds: Bounds | None) -> Bounds | None:
    if bounds is None:
        return None
    reason = unknown("the files that include it differ")
    return Bounds(bounds.place, AttributeValue(bounds.max_threads.place, reason), None, None)


def merge_instances(general: Kernel, each: Sequence[Kernel]) -> Kernel:
    """What all instances have in common; where they differ, the span of it."""
    parts = [it.summary for it in each]
    summary = replace(
        general.summary,
        local=local_memory_of_instances([it.local for it in parts]),
        picked=parts[0].picked if all(it.picked == parts[0].picked for it in parts) else (),
        barriers=span_of_barriers([it.barriers for it in parts]),
        tensor_memory=highest_tensor_memory_use(it.tensor_memory for it in parts),
        calls_grid_barrier=all(it.calls_grid_barrier for it in parts),
    )
    attributes = common_attributes(general.attributes, [it.attributes for it in each])
    return replace(general, attributes=attributes, summary=summary, instances=tuple(each))


def _kernel_of_instance(env: Environment, placed: LocatedItem, function: Function, instance: Instance) -> Kernel:
    key = ("in body", placed.item, function.body.start, placed.order, shared(frozenset(instance.bindings.items())))
    inside = env.queries.answer(key, lambda: _summarise_body(env, placed, function, instance.bindings))
    return _with_declared_attributes(env, placed, function, instance, inside)


def _summarise_body(env: Environment, placed: LocatedItem, function: Function, bindings: Bindings) -> BodySummary:
    found = reachability_of(env, placed, function, bindings)
    steps = _steps_of(found)
    if steps > MOST_OF_KERNEL:
        reached = _STEPS_OF_BODY * len(found.bodies)
        return replace(_unfollowed_body(env, placed, function, bindings, TOO_LARGE), steps=reached)
    local, waits = _local_memory(env, function, found), count_barriers(env, found)
    used = tensor_memory_used_in_headers(env, found.bodies, lambda it: found.calls_of(it).callees, found.unseen)
    names, picked = _named_and_picked(InstanceContext(env, placed, function, bindings), function)
    return BodySummary(
        local=local,
        barriers=waits,
        names=names,
        picked=picked,
        tensor_memory=used,
        calls_grid_barrier=calls_grid_barrier(env, found),
        steps=steps,
    )


def _local_memory(env: Environment, function: Function, found: KernelReachability) -> LocalMemory:
    if env.dialect.shader:
        return group_memory_of(env, function, found)
    return accessor_memory_of(env, function, found) if function.in_place else local_memory_of(env, function, found)


def _named_and_picked(inside: InstanceContext, function: Function) -> tuple[frozenset[str], tuple[AttributeValue, ...]]:
    return design_relevant_names(function.mentions.names), tuple(_dynamically_indexed_bytes(inside, function))


def _steps_of(found: KernelReachability) -> int:
    """What is done to an array is searched once for all instances of a function that keep the same."""
    searched = {id(it.function): it.function for it in found.bodies}.values()
    return sum(map(_steps_of_instance, found.bodies)) + _STEPS_OF_SEARCH * sum(len(it.memory.arrays) for it in searched)


def _steps_of_instance(body: FunctionInstance) -> int:
    branches = body.function.flow.branches
    told = branches if body.bindings else ()
    decided = sum(not words_of_condition(it.condition).isdisjoint(body.bindings) for it in told)
    return _STEPS_OF_BODY + len(branches) + _STEPS_OF_DECISION * decided + len(body.function.memory.arrays)


def _with_declared_attributes(
    env: Environment, placed: LocatedItem, function: Function, instance: Instance, body: BodySummary
) -> Kernel:
    """With what its head says."""
    inside = InstanceContext(env, placed, function, instance.bindings)
    each = effective_declarations(inside, function)
    names = "__block_size__", "reqd_work_group_size", "numthreads", "workgroup_size"
    blocks = next((said for it in names if (said := effective_dimensions(each, it))), [])
    clusters, of_size = effective_dimensions(each, "__cluster_dims__"), blocks[1:2]
    if env.dialect.grammar.entry:
        blocks = [group_size_of_shader(env, place_of(placed, function.name_span))]
    path = placed.scope_path(function.owner)
    name = expanded_function_name(env, placed, function) or function.name
    return Kernel(
        item=placed.slot,
        name=name,
        qualified="::".join((*path, name)),
        name_place=place_of(placed, function.name_span),
        head=place_of(placed, function.head),
        body=Place(placed.slot, function.body.start, function.body.start),
        summary=body,
        attributes=KernelAttributes(
            bounds=launch_bounds(each),
            max_registers=effective_argument(each, "__maxnreg__", 0),
            block=blocks[0] if blocks else None,
            cluster=next(iter((*clusters, *of_size)), None),
            other_cluster=of_size[0] if clusters and of_size else None,
            waves=effective_argument(each, "amdgpu_waves_per_eu", 0),
            most_waves=effective_argument(each, "amdgpu_waves_per_eu", 1),
            num_vgpr=effective_argument(each, "amdgpu_num_vgpr", 0),
            flat_size=effective_argument(each, "amdgpu_flat_work_group_size", 1),
            least_flat_size=effective_argument(each, "amdgpu_flat_work_group_size", 0),
            sub_group=effective_argument(each, "intel_reqd_sub_group_size", 0),
            wave=effective_word(each, "qcom_reqd_sub_group_size"),
        ),
        template=function.template,
        conditional=env.holds((*placed.conditions, *function.conditions), placed.order) is None,
        arguments=instance.arguments,
        vendors=() if placed.conditions or function.conditions else function.vendors,
        takes=_kernel_signature(inside, function),
        internal=(function.specifiers.copied and function.template is None) or "" in placed.namespaces,
        specialises=specialization_arguments(env, placed, function),
        default_size=_default_block_size(env, each, blocks),
        configured=function.in_place,
    )


def _default_block_size(
    env: Environment, each: Sequence[AttributedDeclaration], blocks: Sequence[tuple[Place, Dimensions]]
) -> DefaultSize | None:
    if env.dialect.grammar.entry:
        return default_size_of_shader(env)
    if not (env.dialect.grammar.names_first and blocks):
        return None
    said = effective_attributes(each, "workgroup_size")
    return default_size_by_attribute(env, said[0], blocks[0][1]) if said else None


def _kernel_signature(inside: InstanceContext, function: Function) -> KernelSignature:
    work, head = (
        partial(signature_of_kernel, function, inside.scope(function.body.start)),
        signature_key(inside.placed, function),
    )
    if head is None:
        return work()
    key = ("takes", "", shared(frozenset(inside.bindings.items())), head)
    return inside.env.remember_by_content(key, work, TAKES_ANY, inside.placed.item)


def _dynamically_indexed_bytes(inside: InstanceContext, function: Function) -> Iterator[AttributeValue]:
    for array in function.memory.picked:
        layout = inside.scope(array.field.span.start).layout_of_field(array.field)
        if isinstance(layout, Layout) and inside.env.holds(array.conditions, inside.placed.order):
            yield AttributeValue(place_of(inside.placed, array.field.span), Value(layout.size))
