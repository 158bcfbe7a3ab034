"""Whether text of a host function surely never runs where it stands: conditions around it that do not hold, whatever
their variables may be, and what stands before it and never goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.conditional_execution import leaving_statements_of_macro
from occupancy_lsp.source.dataflow.macro_argument_launches import execution_conditions_in_expansion
from occupancy_lsp.source.dataflow.scope_of_effect import NO_RETURN
from occupancy_lsp.source.kernels.caller_arguments import caller_arguments
from occupancy_lsp.source.kernels.contradictory_conditions import are_contradictory
from occupancy_lsp.source.kernels.expression_query_cache import remember_by_expressions
from occupancy_lsp.source.kernels.kernel_attributes import InstanceContext
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Argument, CallSite, Function, LeavingStatement
from occupancy_lsp.source.lower.symbol_table import Defined, LocatedItem
from occupancy_lsp.source.sema import call_context, constexpr_interpreter, macro_uses, value_sets
from occupancy_lsp.source.sema.call_context import CallBinding, ScopeInCall
from occupancy_lsp.source.sema.comparisons import AssumedCondition
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.syntax.expression_nodes import BranchTaken, Name
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.span_set import SpanSet

_DEEPEST = 6
_ASSERT = "assert"
_WORD = regex(r"[A-Za-z_]\w*")
_CHANGES = regex(rb"\+\+|--|(?<![=!<>])=(?!=)")
_At = Callable[[int], ItemScope]  # where a place in a text is


def never_runs_at(inside: InstanceContext, at: int) -> bool:
    """Whether what stands there surely does not run in an instance of its function that does."""
    return (
        _condition_excludes(inside, at)
        or _is_never_run_by_macro(inside, at)
        or _is_behind_leaving_statement(inside, at)
        or are_contradictory(assumed_conditions(inside, at))
    )


def _condition_excludes(inside: InstanceContext, at: int) -> bool:
    """Whether a condition around it surely does not hold, whatever its variables are of all that they may be."""
    function = inside.function
    for it in function.flow.branches if function is not None else ():
        if it.span.start <= at < it.span.end and not it.hidden:
            argument = Argument(Span(it.tested, it.tested), it.condition)
            work = partial(value_sets.certain_truth, it.condition, inside.scope(it.tested), caller_arguments)
            if remember_by_expressions(inside, (argument,), "holds", work) is (not it.wanted):
                return True
            if are_contradictory((AssumedCondition(it.condition, inside.scope(it.tested), it.wanted),)):
                return True
    return False


def _is_never_run_by_macro(inside: InstanceContext, at: int) -> bool:
    """Whether a macro that it is given to, or that governs it, surely does not run it."""
    function, env = inside.function, inside.env
    for it in function.flow.in_macros if function is not None else ():
        if it.span.start <= at < it.span.end:
            scope = inside.scope(it.start)
            text = macro_uses.expanded_text(it.use, scope)
            found = (
                execution_conditions_in_expansion(text, env.dialect) if text is not None and text != it.use else None
            )
            if found is not None and all(any(_branch_is_taken(way, scope) is False for way in ways) for ways in found):
                return True
    return False


def assumed_conditions(inside: InstanceContext, at: int) -> Iterator[AssumedCondition]:
    """All that surely hold where what stands there runs, as they were when they were last tested."""
    function = inside.function
    for it in function.flow.branches if function is not None else ():
        if it.span.start <= at < it.span.end and not it.hidden and not _CHANGES.search(it.condition.text):
            start = it.condition.base
            tested = it.tested if it.tested >= start else start + len(it.condition.text)  # of a loop, in each round
            yield AssumedCondition(it.condition, inside.scope(tested), it.wanted)
    for stop in _stops_that_may_leave(inside):
        if stop.span.start <= at < stop.span.end and len(stop.ways) == 1:
            (way,) = stop.ways
            changes = _CHANGES.search(way.condition.text)
            if not changes and all(never_returns(it, inside.scope(it.start)) for it in stop.calls):
                yield AssumedCondition(way.condition, inside.scope(way.tested), not way.wanted)


def _is_behind_leaving_statement(inside: InstanceContext, at: int) -> bool:
    """Whether what stands before the place in its function surely does not go on to it."""
    function, env = inside.function, inside.env
    if function is None or not (possible := _stops_that_may_leave(inside)):
        return False
    bound = sorted(inside.bindings.items(), key=lambda it: it[0])
    key = ("stopped", inside.placed.item, inside.placed.order, function.body.start, *bound)
    nowhere = SpanSet.of(())
    stopped = env.remember(key, lambda: SpanSet.of(it.span for it in possible if _surely_leaves(inside, it)), nowhere)
    return stopped.holds(at)


def _stops_that_may_leave(inside: InstanceContext) -> Sequence[LeavingStatement]:
    """Those of its function that may surely leave in some instance, by the names of what they call: a function has as
    many as it has calls that stand alone, and may have as many instances."""
    function = inside.function
    if function is None or not function.flow.stops:
        return ()
    key = ("may leave", inside.placed.item, inside.placed.order, function.body.start)
    none: Sequence[LeavingStatement] = ()

    def may_leave(stop: LeavingStatement) -> bool:
        return all(_may_be_without_return(it, inside.scope(it.start)) for it in stop.calls)

    return inside.env.remember(key, lambda: [it for it in function.flow.stops if may_leave(it)], none)


def _surely_leaves(inside: InstanceContext, stop: LeavingStatement) -> bool:
    """`if (n) return;` is among the branches, which are asked besides."""
    return (len(stop.ways) != 1 or not stop.returns) and _is_surely_taken(stop, inside.scope, 0)


def _is_surely_taken(stop: LeavingStatement, at: _At, depth: int) -> bool:
    return all(never_returns(it, at(it.start), depth) for it in stop.calls) and all(
        _branch_is_taken(it, at(it.tested)) is True for it in stop.ways
    )


def _branch_is_taken(way: BranchTaken, scope: ItemScope) -> bool | None:
    found = value_sets.certain_truth(way.condition, scope, caller_arguments)
    return None if found is None else found is way.wanted


def _may_be_without_return(site: CallSite, scope: ItemScope) -> bool:
    """Whether `never_returns` can say so of it, whatever it is called with and in whatever instance."""
    env, label = scope.env, _label_of(site)
    if env.macro_history(label) and site.name == label:
        return True
    named = env.functions(label) or env.prototypes(label) or site.name == _ASSERT or site.name in NO_RETURN
    return site.arguments is not None and bool(named) and not scope.owns(label)


def _label_of(site: CallSite) -> str:
    return site.name.rpartition("::")[2].removeprefix(".")


def never_returns(site: CallSite, scope: ItemScope, depth: int = 0) -> bool:
    """Whether a call of a function, or a use of a macro, surely does not go on behind it."""
    if depth > _DEEPEST:
        return False
    env, label = scope.env, _label_of(site)
    if env.macro_history(label) and site.name == label:
        return _macro_never_ends(site, scope, depth)
    if site.arguments is None or scope.owns(label):
        return False
    each = [it for it in env.functions(label) if _may_be_callee(it, site, scope)]
    if each:
        return _callee_never_returns(site, each, scope, depth)
    declared = env.prototypes(label)
    if declared:
        return all(it.leaves for it in declared)
    if site.name == _ASSERT:
        return env.is_defined("NDEBUG", *scope.position[:1]) is not True and _is_assertion_false(site.arguments, scope)
    return site.name in NO_RETURN


def _is_assertion_false(arguments: Sequence[str], scope: ItemScope) -> bool:
    return value_sets.certain_truth(parse_detached(", ".join(arguments)), scope, caller_arguments) is False


def _macro_never_ends(site: CallSite, scope: ItemScope, depth: int) -> bool:
    """Of statements that a macro stands for."""
    said = site.name if site.arguments is None else f"{site.name}({', '.join(site.arguments)})"
    text = macro_uses.expanded_text(said, scope)
    if text is None or text == said:
        return False
    statements = text.encode()
    end = len(statements) + len("void f() {;}")
    return _never_reaches_end(
        leaving_statements_of_macro(statements, scope.env.dialect), end, True, lambda _: scope, depth
    )


def _may_be_callee(defined: Defined, site: CallSite, scope: ItemScope) -> bool:
    """Of a method, by its name alone."""
    placed, function = defined
    path, outer = placed.scope_path(function.owner), tuple(site.name.split("::")[:-1])
    return site.name.startswith(".") or scope.sees(path, outer) or path in scope.visible_namespaces()


def _callee_never_returns(site: CallSite, each: Sequence[Defined], scope: ItemScope, depth: int) -> bool:
    """Of a function in sight, or of all that may be meant."""
    env, texts = scope.env, site.arguments or ()
    if site.name.startswith(".") and not all(
        it.owner and it.owner[-1] in _words_of_receiver_type(site, scope) for _, it in each
    ):
        return False
    if all(it.specifiers.leaves for _, it in each):
        return True
    found = (
        constexpr_interpreter.function_called(Name(tuple(site.name.split("::"))), texts, scope)
        if site.name[:1] != "."
        else None
    )
    if found is None and len(each) == 1 and each[0][1].owner:
        found = each[0]
    if found is None:
        return False
    placed, function = found
    if function.specifiers.leaves:
        return True
    key = ("never returns", placed.item, function.body.start, site, scope.key)
    return env.remember(key, partial(_body_never_returns, placed, function, site, scope, depth), False)


def _words_of_receiver_type(site: CallSite, scope: ItemScope) -> set[str]:
    """The words of the type of what a method is called on."""
    if site.on == "this":
        return {*scope.owner[-1:]}
    declared = scope.declared(site.on) if site.on.isidentifier() else None
    return {*_WORD.findall(declared[0])} if declared is not None else set()


def _body_never_returns(placed: LocatedItem, function: Function, site: CallSite, scope: ItemScope, depth: int) -> bool:
    env = scope.env
    plain = ItemScope(env, placed, function.body.start, function.owner)
    at: _At = plain.at
    if value_sets.are_parameter_changes_known(env, placed, function):
        given = call_context.bind_arguments(function, site.arguments or (), site.template or (), scope, plain)
        call = CallBinding(given, Span(0, function.body.start), (scope.key, site))
        at = ScopeInCall(env, placed, function.body.start, function.owner, plain.bindings, call).at
    return _never_reaches_end(function.flow.stops, function.body.end, False, at, depth)


def _never_reaches_end(stops: Sequence[LeavingStatement], end: int, returning: bool, at: _At, depth: int) -> bool:
    """Whether statements do not come to their end. `returning`: neither do they where they return."""

    def has_no_return_before(stop: LeavingStatement) -> bool:
        """Whether no statement before it returns."""
        return returning or not any(_may_return(it, at) for it in stops if it.start < stop.start)

    last = (it for it in stops if it.span.end >= end and (returning or not it.returns))
    return any(_is_surely_taken(it, at, depth + 1) and has_no_return_before(it) for it in last)


def _may_return(stop: LeavingStatement, at: _At) -> bool:
    """Whether a statement may leave the function for who calls it; a macro may that is out of sight."""
    if not stop.returns and not any(it.name.isupper() for it in stop.calls):
        return False
    return not any(_branch_is_taken(it, at(it.tested)) is False for it in stop.ways)
