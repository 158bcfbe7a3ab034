"""The local memory of a SYCL kernel: the accessors that its command group hands it, and what its compiler takes for
functions of whole groups, of which the text does not say how much it is.

Measured with libsycl 2026.2 and ocloc 22.43: an accessor that the kernel never uses is left out, and what
`reduce_over_group` and its like take hangs on the device and on the type, once for each kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.local_memory import LocalMemory, LocalMemoryVariable, names_in_used_macros
from occupancy_lsp.source.kernels.reachability import KernelReachability
from occupancy_lsp.source.kernels.shared_variable_uses import BodyUses
from occupancy_lsp.source.kernels.sycl_groups import group_of_call
from occupancy_lsp.source.lower.item_facts import Field, Function, LocalAccessor, TypeUse
from occupancy_lsp.source.sema.builtin_layout import Layout, round_up
from occupancy_lsp.source.sema.constant_evaluation import evaluate_dimensions
from occupancy_lsp.source.sema.dimensionality_check import may_have_several_dimensions
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.known_value import UNDEFINED, Place, Value, product_of_dimensions, unknown

_APART = 16  # the driver begins each accessor at a multiple of so many bytes, or of what its type asks for
_MAKING = ("local_accessor", "accessor")
_BY_MACRO = "a macro may make more accessors"
_REDUCES = "what a reduction takes"
_BY_CONDITION = "{} is under an #if that may be false"


@dataclass(frozen=True, slots=True)
class _Asked:
    """An accessor, its layout, or why that is not known, and whether the kernel surely has it."""

    variable: LocalMemoryVariable
    layout: Layout | str
    sure: bool


def accessor_memory_of(env: Environment, kernel: Function, found: KernelReachability) -> LocalMemory:
    """`found`: the kernel with what it calls."""
    asked = [*_asked_by_accessors(env, kernel, found)]
    hidden = {name: None for body in found.bodies for name in _hidden_in(env, body)}
    reasons = [f"what {name} takes" for name in hidden]
    reasons += [_REDUCES] if len(kernel.parameters) > 1 else []
    reasons += [
        it
        for it in (_doubt_about_group(env, kernel), found.doubt, *(it.function.memory.unread for it in found.bodies))
        if it
    ]
    reasons += [it.layout for it in asked if isinstance(it.layout, str)]
    known = [it.layout for it in asked if isinstance(it.layout, Layout)]
    lowest = sum(it.layout.size for it in asked if it.sure and isinstance(it.layout, Layout))
    unseen = tuple(it for it in found.unseen if not env.dialect.local_memory.hidden.fullmatch(it) and it not in hidden)
    return LocalMemory(
        tuple(it.variable for it in asked),
        lowest,
        None if reasons else _most_bytes(known),
        reasons[0] if reasons else "",
        False,
        unseen,
    )


def _doubt_about_group(env: Environment, kernel: Function) -> str:
    """Why the command group may hand the kernel more than what is read."""
    group = kernel.group
    if group is None or group.opaque:
        return group.opaque if group is not None else ""
    making = env.macros_containing_words(frozenset((group.handler, *_MAKING))) if group.handler else ()
    if not group.names.isdisjoint(making):
        return _BY_MACRO
    unseen = (it for it in sorted(group.calls) if not (env.all_function_macros_named(it) or env.has_function(it)))
    return next((f"{it} {UNDEFINED}" for it in unseen), "")


def _most_bytes(each: Sequence[Layout]) -> int:
    """Side by side, each at a multiple of its alignment, in any order."""
    gaps = [round_up(it.size, max(it.alignment, _APART)) - it.size for it in each]
    return sum(it.size for it in each) + sum(gaps) - min(gaps, default=0)


def _asked_by_accessors(env: Environment, kernel: Function, found: KernelReachability) -> Iterator[_Asked]:
    body = found.kernel
    accessors = kernel.group.accessors if kernel.group is not None else ()
    if not accessors:
        return
    is_compiled = BodyUses(env, found).compiled_places(body)
    in_macros = names_in_used_macros(env, found)
    for it in accessors:
        if not (it.named or it.name in in_macros):
            continue
        holds = env.holds(it.conditions, body.placed.order)
        if holds is False:
            continue
        scope = ItemScope(env, body.placed, it.span.start, kernel.owner, body.bindings)
        layout = _layout_of_accessor(it, scope) if holds else _BY_CONDITION.format(it.name)
        sure = any(is_compiled(at) for at in it.stores)
        size = unknown(layout) if isinstance(layout, str) else Value(layout.size)
        place = Place(body.placed.slot, it.span.start, it.span.end)
        yield _Asked(LocalMemoryVariable(it.name, place, size, True), layout, sure)


def _layout_of_accessor(it: LocalAccessor, scope: ItemScope) -> Layout | str:
    element = scope.layout_of_field(Field(it.name, it.span, TypeUse(it.type), ()))
    if isinstance(element, str) or it.extents is None:
        return element
    dimensions = evaluate_dimensions(it.extents.value, scope)
    if dimensions[0].number is None and may_have_several_dimensions(it.extents.value, scope):
        return dimensions[0].reason or f"the size of {it.name}"
    count = product_of_dimensions(dimensions)
    if count.number is None or count.number < 0:
        return count.reason or f"the size of {it.name}"
    return Layout(element.size * count.number, element.alignment)


def _hidden_in(env: Environment, body: FunctionInstance) -> Iterator[str]:
    """The functions of whole groups that a body may call."""
    for site in body.function.mentions.calls:
        hides = env.dialect.local_memory.hidden.fullmatch(site.name) and body.compiles_at(site.start)
        if hides and group_of_call(body.function, site) != "sub-group":
            yield site.unqualified_name
