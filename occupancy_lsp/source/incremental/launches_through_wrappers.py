"""Launches by way of a function that is given the kernel, or of a macro that launches one."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.incremental.item_reader import read_statement_macro_text
from occupancy_lsp.source.incremental.kernel_taking_functions import (
    calls_passing,
    calls_that_may_launch,
    conditional_alternatives,
    may_launch_argument,
    parameter_names,
    parameters_in_expression,
    without_outer_parentheses,
)
from occupancy_lsp.source.kernels.function_instance import function_instance
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, InstanceContext
from occupancy_lsp.source.kernels.launch_resolution import (
    KernelLaunch,
    instance_contexts_at,
    kernel_of_global_variable,
    launch_of_kernel_named_elsewhere,
    launches_per_instance,
    may_launch_fail,
)
from occupancy_lsp.source.kernels.semantic_hash import instance_key, semantic_hashes
from occupancy_lsp.source.kernels.unreachable_host_code import never_runs_at
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lex.work_limits import StepBudget, TooLarge
from occupancy_lsp.source.lower.item_facts import (
    CallSite,
    Conditions,
    Definition,
    Function,
    FunctionMacro,
    Lambda,
    Launch,
    WrapperCall,
)
from occupancy_lsp.source.lower.launches import kernel_of_expression
from occupancy_lsp.source.lower.symbol_table import Defined, LocatedItem, enclosing_function
from occupancy_lsp.source.preprocessor.preprocessing_tokens import spell_tokens
from occupancy_lsp.source.sema import call_context, macro_uses
from occupancy_lsp.source.sema.call_context import BoundArgument, CallBinding, ScopeInCall, ScopeInExpansion
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import bind_template_of_call
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import CallableArgument
from occupancy_lsp.source.syntax.expression_nodes import AfterCall, Expression, Name, UnparsedText, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.known_value import Dimensions, Place

_NOWHERE = Place(-1, 0, 0)
_DEEPEST = 6
_MOST = 500  # calls that one call leads to
_WORD = regex(r"[A-Za-z_]\w*")
_WHOLE = regex(r"[\w>]\s*<<<.*>>>\s*\(", re.DOTALL)
_ELEMENT = regex(r"(\w+)\s*\[([^][]*)\]")
_ALL_OF = regex(r"(?:(?:std::)?forward\s*<.*>\s*\(\s*)?(\w+)\s*\)?\s*\.\.\.\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ReachedLaunch:
    """A launch as one call has it. `site`: the kernel and what it is given, as written where `here` is; `sizes`: where
    the expressions of `launch` stand. `perhaps`: another function may be called than that which holds it."""

    launch: Launch
    sizes: Callable[[int], ItemScope]
    site: CallSite
    here: ItemScope
    perhaps: bool


def launches_of_wrapper_call(env: Environment, placed: LocatedItem, handing: WrapperCall) -> tuple[KernelLaunch, ...]:
    """The launches that a call makes of the kernel that it is given, or that a macro makes: all stand at the call."""
    site, span = handing.site, handing.span
    holder = enclosing_function(placed.facts, site.start)
    local = holder is not None and any(it.variable and it.variable[0] == site.name for it in holder.mentions.lambdas)
    if not local and not may_launch_argument(env, site.unqualified_name) and not _passes_launching_macros(env, site):
        return ()
    around = [*instance_contexts_at(env, placed, site.start)]
    whole = _whole_launch_text(handing, around[0].scope(site.start)) if handing.statement and around else None
    if whole is not None:
        each = [_follow_call(env, site, inside, whole) for inside in around]
    else:
        each = [_launches_of_call(env, site, holder, inside) for inside in around]
    if sum(it.steps for it in each) > _MOST:
        return ()
    each = [
        made
        for inside, made in zip(around, each, strict=True)
        if not (any(may_launch_fail(env, it, it.name) for it in made.launches) and never_runs_at(inside, site.start))
    ]
    place = Place(placed.slot, span.start, span.end)
    return tuple(_relocated_launch(it, place) for it in dict.fromkeys(chain.from_iterable(it.launches for it in each)))


@dataclass(frozen=True, slots=True)
class _Made:
    """What a call makes in one instance of the function around it, wherever that stands. `steps`: the calls that it
    led to."""

    launches: tuple[KernelLaunch, ...] = ()
    steps: int = 0


def _launches_of_call(env: Environment, site: CallSite, holder: Function | None, inside: InstanceContext) -> _Made:
    """Remembered by what the call means: a key elsewhere in the function leaves it as it is."""
    work = partial(_follow_call, env, site, inside)
    meaning = semantic_hashes(env, inside.placed, holder).call(site) if holder is not None else None
    if holder is None or meaning is None:
        return work()
    key = ("launches of a call", "", instance_key(env, inside.placed, holder, inside.bindings), meaning)
    return env.remember_by_content(key, work, _Made(), inside.placed.item)


def _whole_launch_text(handing: WrapperCall, here: ItemScope) -> str | None:
    """The launch of which a macro stands for a part; None: it stands for a whole one, or more."""
    site = handing.site
    use = site.name if site.arguments is None else f"{site.name}({', '.join(site.arguments)})"
    part = macro_uses.expanded_text(use, here)
    if part is None or _WHOLE.search(part) or (part := macro_uses.expanded_text(handing.statement, here)) is None:
        return None
    return part


def _follow_call(env: Environment, site: CallSite, inside: InstanceContext, whole: str | None = None) -> _Made:
    """`whole`: the text of a launch in which the macro stands."""
    steps = StepBudget(_MOST)
    found: dict[KernelLaunch, None] = {}
    here = inside.scope(site.start)
    try:
        for it in (
            _launches_in_expansion(env, whole, site, here, steps, 0)
            if whole
            else _launches_reached(env, site, here, steps, 0)
        ):
            made = launch_of_kernel_named_elsewhere(
                replace(inside, scopes=it.sizes), it.launch, it.site, it.here, in_place=False
            )
            if made.configuration.cluster is not None:  # which keeps its place
                env.depend_on_item_text(inside.placed.item)
            found[replace(launch_at_call_without_literals(made, _NOWHERE), perhaps=it.perhaps or made.perhaps)] = None
    except TooLarge:
        return _Made((), _MOST + 1)
    return _Made(tuple(found), _MOST - steps.left)


def launches_of_variable(env: Environment, placed: LocatedItem, launch: Launch) -> tuple[KernelLaunch, ...]:
    """The launches of what a local variable may hold; one of what is not known where that is not in sight."""
    unknown = CallSite("", None, launch.arguments, launch.span.start)

    def kernels_held(here: ItemScope) -> Sequence[tuple[CallSite, ItemScope]]:
        kernels = _kernels_of_expression(launch.variable, here) or (("", None, here),)
        return [(structs.replace(unknown, name=name, template=template), where) for name, template, where in kernels]

    found = launches_per_instance(env, placed, launch, kernels_held)
    if _is_parameter(without_outer_parentheses(launch.variable), placed, launch.span.start):
        found = tuple(replace(it, perhaps=it.perhaps and bool(it.name)) for it in found)  # each call tells which it is
    return found


def launch_at_call_without_literals(launch: KernelLaunch, place: Place) -> KernelLaunch:
    """As it is seen from a call that makes it: no number there is the one that decides a size."""

    def without_literals(values: Dimensions) -> Dimensions:
        x, y, z = (structs.replace(it, literal=None) for it in values)
        return x, y, z

    relocated = _relocated_launch(launch, place)
    sizes = relocated.configuration
    configuration = replace(
        sizes,
        grid=(place, without_literals(sizes.grid[1])),
        block=(place, without_literals(sizes.block[1])),
        dynamic=sizes.dynamic and AttributeValue(place, structs.replace(sizes.dynamic.value, literal=None)),
    )
    return replace(relocated, configuration=configuration)


def _relocated_launch(launch: KernelLaunch, place: Place) -> KernelLaunch:
    """The same at another place."""
    sizes, target = launch.configuration, Place(place.item, place.start, place.start)
    configuration = replace(
        sizes,
        grid=(place, sizes.grid[1]),
        block=(place, sizes.block[1]),
        dynamic=sizes.dynamic and AttributeValue(place, sizes.dynamic.value),
    )
    return replace(launch, place=place, target=target, configuration=configuration)


def _launches_reached(
    env: Environment, site: CallSite, here: ItemScope, steps: StepBudget, depth: int
) -> Iterator[ReachedLaunch]:
    """The launches that a call makes of a kernel that it is given, or that the macro makes that it is a use of."""
    label = site.unqualified_name
    if depth > _DEEPEST:
        return
    if (made := _lambda_called(site, here)) is not None:
        steps.take()
        yield from _launches_in_lambda(env, *made, site, here, steps, depth)
        return
    by_macros = _passes_launching_macros(env, site)
    if not by_macros and not may_launch_argument(env, label):
        return
    steps.take()
    macro = env.function_macro_in_force(site.name, *here.position) if site.name == label else None
    if not site.arguments and macro is None and (text := _scope_outside_expansions(here).macro_text(site.name)):
        macro = FunctionMacro(site.name, (), text, frozenset(), frozenset(), False)
    if isinstance(macro, FunctionMacro):
        text = (
            _expanded_macro_use(env, site, here)
            if by_macros
            else macro_uses.body_with_arguments(macro, site.arguments or (), env, here.position)
        )
        yield from _launches_in_expansion(env, text, site, here, steps, depth)
    elif macro is None:
        found = _possible_callees(env, label, site, here)
        for placed, function in found:
            for it in _launches_in_function(env, placed, function, site, here, steps, depth):
                yield replace(it, perhaps=it.perhaps or len(found) > 1)


def _passes_launching_macros(env: Environment, site: CallSite) -> bool:
    """Whether it is a use of a macro that is given a macro that may launch kernels, as lists of them are."""
    if not site.arguments or not env.all_function_macros_named(site.name):
        return False
    return any(
        it.isidentifier() and env.all_function_macros_named(it) and may_launch_argument(env, it)
        for it in site.arguments
    )


def _expanded_macro_use(env: Environment, site: CallSite, here: ItemScope) -> str | None:
    """What the preprocessor makes of the use of a macro."""
    found = macro_uses.expand_text(f"{site.name}({', '.join(site.arguments or ())})", env, here.position)
    return spell_tokens(found) if found is not None else None


def _scope_outside_expansions(scope: ItemScope) -> ItemScope:
    while isinstance(scope, ScopeInExpansion):
        scope = scope.outer
    return scope


def _possible_callees(env: Environment, label: str, site: CallSite, here: ItemScope) -> Sequence[Defined]:
    """The functions that the call may mean; of methods those of a class that the object's text or type names."""
    count = len(site.arguments or ())
    found = [it for it in env.functions(label) if not it[1].kernel and _accepts_argument_count(it[1], count)]
    if site.name.startswith("."):
        declared = here.declared(site.on) if site.on.isidentifier() else None
        words = {*_WORD.findall(declared[0] if declared is not None else site.on)}
        words |= {*here.owner[-1:]} if site.on == "this" else set()
        return [it for it in found if it[1].owner and it[1].owner[-1] in words]
    path = tuple(part for part in site.name.split("::")[:-1] if part)
    if path:
        return [it for it in found if it[0].scope_path(it[1].owner)[-len(path) :] == path]
    return [it for it in found if not it[1].owner or it[1].owner == here.owner[: len(it[1].owner)]]


def _accepts_argument_count(function: Function, count: int) -> bool:
    return any(it.type == "..." for it in function.parameters) or function.takes(count)


def _launches_in_expansion(
    env: Environment, text: str | None, site: CallSite, here: ItemScope, steps: StepBudget, depth: int
) -> Iterator[ReachedLaunch]:
    """The launches in the text that a macro is replaced by."""
    facts = read_statement_macro_text(text, env.dialect) if text is not None else None
    if text is None or facts is None:
        return
    around = here.placed
    placed = LocatedItem(around.item, around.order, around.namespaces, (), facts, False, False, around.slot)

    def scope_at(offset: int) -> ItemScope:
        return ScopeInExpansion(here, placed, offset, text)

    for launch in facts.launching.launches:
        for name, template, where in _kernels_or_unknown(_written_kernel(launch), scope_at(launch.span.start), depth):
            yield ReachedLaunch(launch, scope_at, CallSite(name, template, launch.arguments, site.start), where, False)
    for it in facts.launching.handings:
        yield from _launches_reached(env, it.site, scope_at(it.site.start), steps, depth + 1)


def _written_kernel(launch: Launch) -> str:
    name = launch.kernel or launch.variable
    return name if launch.template is None else f"{name}<{', '.join(launch.template)}>"


_Kernel = tuple[str, tuple[str, ...] | None, ItemScope]


def _kernels_or_unknown(text: str, scope: ItemScope, depth: int = 0) -> Sequence[_Kernel]:
    """The kernels that what is launched may be; one without a name where it is not known, nor told by callers."""
    found = _kernels_of_expression(text, scope, depth)
    return found if found or _is_passed_by_caller(without_outer_parentheses(text), scope) else (("", None, scope),)


def _is_passed_by_caller(name: str, scope: ItemScope) -> bool:
    """Whether it is a parameter of the function or lambda around, or what one stands for: each call tells which kernel
    that is."""
    scope = _scope_outside_expansions(scope)
    if isinstance(scope, ScopeInCall) and (given := scope.handed(name)) is not None:
        return _is_passed_by_caller(without_outer_parentheses(given.text), given.scope)
    placed, at = scope.placed, scope.position[1]
    holder = enclosing_function(placed.facts, at)
    return _is_parameter(name, placed, at) or (
        holder is not None and bool(parameters_in_expression(name, placed, holder))
    )


def _is_parameter(name: str, placed: LocatedItem, at: int) -> bool:
    holder = enclosing_function(placed.facts, at)
    lambdas = holder.mentions.lambdas if holder is not None else ()
    around = (it.names for it in lambdas if it.body.start <= at < it.body.end)
    return holder is not None and (name in parameter_names(holder) or any(name in it for it in around))


def _kernels_of_expression(text: str, scope: ItemScope, depth: int = 0) -> Sequence[_Kernel]:
    """The kernels that an expression may be, each with its template arguments and where it is named; empty where one
    is not known."""
    said = without_outer_parentheses(text)
    if depth > _DEEPEST or said in ("nullptr", "NULL"):
        return ()
    if (choice := conditional_alternatives(said)) is not None:
        return _concatenated_if_all_known([_kernels_of_expression(it, scope, depth + 1) for it in choice])
    if (element := _ELEMENT.fullmatch(said)) is not None:
        return _kernels_of_array_element(element[1], element[2], scope, depth)
    name, template = kernel_of_expression(said)
    if not name or template is not None or "::" in name:
        return ((name, template, scope),) if name else ()
    if isinstance(scope, ScopeInCall) and (given := scope.handed(name)) is not None:
        return _kernels_of_expression(given.text, given.scope, depth + 1)
    if isinstance(scope, ScopeInExpansion) and not scope.owns(name):
        return _kernels_of_expression(said, scope.outer, depth + 1)
    bound = scope.bound(name)
    if isinstance(bound, CallableArgument):
        return () if bound.is_lambda else ((bound.name, None, scope),)
    local = scope.local(name)
    if local is not None:
        return _kernels_of_variable(name, local, scope, depth)
    held = kernel_of_global_variable(scope.env, name)
    return ((name, None, scope),) if held is None else _kernels_of_expression(held, scope, depth + 1)


def _concatenated_if_all_known(each: Sequence[Sequence[_Kernel]]) -> Sequence[_Kernel]:
    return tuple(kernel for kernels in each for kernel in kernels) if all(each) else ()


def _kernels_of_variable(name: str, local: Definition, scope: ItemScope, depth: int) -> Sequence[_Kernel]:
    """What a local variable may hold: what it is made from, or all that is assigned to it."""
    if local.conditions:
        return ()
    if isinstance(local.value, UnreadableExpression):
        return _kernels_of_expression(local.value.said, scope.at(local.start), depth + 1)
    assigned = scope.possible_assignments(name)
    values = assigned.values if assigned is not None else None
    texts = [(_unparsed_text(value), there) for value, there in values or ()]
    return _concatenated_if_all_known(
        [
            _kernels_of_expression(text, there, depth + 1)
            for text, there in texts
            if text not in ("nullptr", "NULL", "0")
        ]
    )


def _kernels_of_array_element(name: str, index: str, scope: ItemScope, depth: int) -> Sequence[_Kernel]:
    """What an element of an array holds, whose elements stay as they are made; any, if its index is not known."""
    local = scope.local(name)
    value = local.value if local is not None and not local.conditions else None
    said = value.said.strip() if isinstance(value, UnreadableExpression) else ""
    if local is None:
        said = (kernel_of_global_variable(scope.env, name) or "").strip()
    if not (said.startswith("{") and said.endswith("}")):
        return ()
    elements, at = split_template_arguments(said[1:-1]), evaluate(parse_detached(index), scope).number
    chosen = elements if at is None else elements[at : at + 1] if at >= 0 else ()
    there = scope.at(local.start) if local is not None else scope
    return _concatenated_if_all_known([_kernels_of_expression(it, there, depth + 1) for it in chosen])


def _unparsed_text(value: Expression) -> str:
    return value.text.decode("utf-8", "replace").strip() if isinstance(value, UnparsedText) else ""


def _launches_in_function(
    env: Environment,
    placed: LocatedItem,
    function: Function,
    site: CallSite,
    here: ItemScope,
    steps: StepBudget,
    depth: int,
) -> Iterator[ReachedLaunch]:
    """The launches of a function's parameters, as one call gives them."""
    there = ItemScope(env, placed, function.body.start, function.owner)
    bindings = bind_template_of_call(function, site.template, site.arguments, here, there)
    given = call_context.bind_arguments(function, site.arguments or (), site.template or (), here, there)
    body, own = function_instance(env, placed, function, bindings), parameter_names(function)
    call = CallBinding(given, Span(0, function.body.start), (here.key, site))

    def scope_at(offset: int) -> ScopeInCall:
        return ScopeInCall(env, placed, offset, function.owner, bindings, call)

    def may_run(offset: int, conditions: Conditions) -> bool:
        inside = enclosing_function(placed.facts, offset) is function and body.runs(offset) is not False
        return inside and env.holds(conditions, placed.order) is not False

    known: set[Hashable] = set()
    for launch in placed.facts.launching.launches:
        if launch.variable in own and may_run(launch.span.start, launch.conditions):
            arguments = _kernel_arguments_at_call(launch.arguments, function, site)
            said = _key_of_passed_launch(launch, scope_at(launch.span.start))
            if said is not None and (said, arguments) in known:
                continue
            known.add((said, arguments))
            for name, template, where in _kernels_or_unknown(launch.variable, scope_at(launch.span.start), depth):
                found = arguments if where.key == here.key else ()
                yield ReachedLaunch(launch, scope_at, CallSite(name, template, found, site.start), where, False)
    for it in calls_that_may_launch(env, placed, function):
        if may_run(it.site.start, it.conditions):
            inner = _launches_reached(env, it.site, scope_at(it.site.start), steps, depth + 1)
            yield from (each for each in inner if not _is_named_by_callee(each.here, call))


def _key_of_passed_launch(launch: Launch, here: ScopeInCall) -> Hashable:
    """Equal for launches of a function that say the same because all that they say is handed to it; None: it is not."""
    sizes = (launch.grid, launch.block, launch.dynamic, launch.items)
    names = tuple("" if it is None else _plain_name(it.value) for it in sizes)
    given = [launch.variable, *(name for it, name in zip(sizes, names, strict=True) if it is not None)]
    plain = all(here.handed(name) is not None for name in given)
    return (launch.variable, names, launch.cooperative, launch.by_units) if plain else None


def _plain_name(value: Expression) -> str:
    read = parse_if_unparsed(value)
    return str(read) if isinstance(read, Name) and len(read.parts) == 1 else ""


def _is_named_by_callee(scope: ItemScope, call: CallBinding) -> bool:
    """Whether a kernel is named by what is called, not by the call: it is launched there, whoever calls."""
    while isinstance(scope, ScopeInExpansion):
        scope = scope.outer
    return isinstance(scope, ScopeInCall) and scope.called is call


def _lambda_called(site: CallSite, here: ItemScope) -> tuple[Lambda, ItemScope] | None:
    """The generic lambda that a local variable holds, and where that is declared."""
    while isinstance(here, ScopeInExpansion) and not here.owns(site.name):
        here = here.outer
    found = here.local(site.name) if site.name.isidentifier() and not isinstance(here, ScopeInExpansion) else None
    if found is None or found.type != "[]":
        return None
    holder = enclosing_function(here.placed.facts, found.start)
    held = (
        it for it in (holder.mentions.lambdas if holder is not None else ()) if it.variable == (site.name, found.start)
    )
    made = next(held, None)
    return (made, here.at(found.start)) if made is not None else None


def _launches_in_lambda(
    env: Environment, made: Lambda, there: ItemScope, site: CallSite, here: ItemScope, steps: StepBudget, depth: int
) -> Iterator[ReachedLaunch]:
    """The launches of a lambda's parameters, as one call gives them."""
    arguments = zip(made.names, site.arguments or (), strict=False)
    given = {
        name: BoundArgument(text, here)
        for name, text in arguments
        if not _lambda_may_change_parameter(there, made, name)
    }
    around = there.called if isinstance(there, ScopeInCall) else None
    call = CallBinding(given, Span(made.parameters.start, made.parameters.end), (here.key, site), around)
    placed, body = there.placed, made.body

    def scope_at(offset: int) -> ItemScope:
        return ScopeInCall(env, placed, offset, there.owner, there.bindings, call)

    for launch in placed.facts.launching.launches:
        if launch.variable in given and body.start <= launch.span.start < body.end:
            for name, template, where in _kernels_or_unknown(launch.variable, scope_at(launch.span.start), depth):
                yield ReachedLaunch(launch, scope_at, CallSite(name, template, (), site.start), where, False)
    for it, _ in calls_passing(placed, body, given.keys()):
        inner = _launches_reached(env, it.site, scope_at(it.site.start), steps, depth + 1)
        yield from (each for each in inner if not _is_named_by_callee(each.here, call))


def _lambda_may_change_parameter(there: ItemScope, made: Lambda, name: str) -> bool:
    """Whether anything in a lambda's body may change its parameter of that name."""
    body, order = made.body, there.placed.order
    for it in there.placed.facts.locals.get(name, ()):
        if it.declares or it.scope is None or it.scope.end <= body.start or body.end <= it.scope.start:
            continue
        if not isinstance(it.value, AfterCall) or not there.env.callee_leaves_argument(it.value, order):
            return True
    return False


def _kernel_arguments_at_call(said: Sequence[str], function: Function, site: CallSite) -> tuple[str, ...]:
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
