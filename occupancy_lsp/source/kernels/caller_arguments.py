"""What the calls in sight give the parameters of a host function that launches a kernel, its template's among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import may_run_at
from occupancy_lsp.source.kernels.instantiations import Instance, known_instances
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.lower.symbol_table import FunctionUse, LocatedItem, enclosing_function
from occupancy_lsp.source.sema import call_context
from occupancy_lsp.source.sema.call_context import ScopeInExpansion
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.value_sets import CallerArguments
from occupancy_lsp.source.syntax.expression_nodes import Expression
from occupancy_lsp.source.syntax.expression_parser import parse_detached

_MOST = 64  # calls that are looked at
_CALLED = regex(r"\b([A-Za-z_]\w*)\s*(?:<[^;(){}]{0,500}>\s*)?\(")
_Passed = tuple[Expression, ItemScope]


def caller_arguments(name: str, scope: ItemScope) -> CallerArguments | None:
    """What a parameter that still has its value was given, each as written where that stands, for every call.

    None, or no values, where calls may be out of sight: of a function that other translation units may call, or whose
    address is taken, or that a macro calls. As for the arguments of templates, the units are those that the workspace
    shows.
    """
    while isinstance(scope, ScopeInExpansion) and not scope.owns(name):
        scope = scope.outer
    held, placed = scope.local(name), scope.placed
    function = enclosing_function(placed.facts, scope.offset)
    if held is None or held.kind != "parameter" or function is None or not _is_offset_in_head(function, held.start):
        return None
    followed = any(it.start <= function.body.start < it.end for it in placed.facts.followed)
    if not followed and all(parse_template_parameter(it).name != name for it in function.template or ()):
        return None
    where = placed.item, function.body.start, name
    none: Sequence[_Passed] = ()
    return CallerArguments(
        where,
        lambda: scope.env.remember(
            ("passed", *where), lambda: _arguments_passed(scope.env, placed, function, name), none
        ),
    )


def _is_offset_in_head(function: Function, at: int) -> bool:
    return function.head.start <= at < function.body.start


def _arguments_passed(env: Environment, placed: LocatedItem, function: Function, name: str) -> Sequence[_Passed]:
    uses = [*env.uses(function.name), *env.uses(f".{function.name}")]
    alone = function.specifiers.copied or "" in placed.namespaces or is_private_to_program(env, function)
    if not alone or len(uses) > _MOST or not has_only_visible_calls(env, function, uses):
        return ()
    there = ItemScope(env, placed, function.body.start, function.owner)
    found: list[_Passed] = []
    for use in uses:
        arguments = use.site.arguments or ()
        if not _may_be_call_of(function, use):
            continue
        for here in _scopes_of_call(env, use):
            given = call_context.bind_arguments(function, arguments, use.site.template or (), here, there).get(name)
            if given is None or len(found) == _MOST:
                return ()
            found.append((parse_detached(given.text), given.scope))
    return tuple(found)


def is_private_to_program(env: Environment, function: Function) -> bool:
    """Whether the file that defines a plain function is a program, by a `main` of its own, and no header declares the
    function: then other files are taken not to call it, as each would have to declare it itself."""
    if (
        function.owner
        or not env.has_function("main")
        or len(env.prototypes(function.name)) != len(env.own.prototypes.get(function.name, ()))
    ):
        return False
    own = (it for _, it in env.own.functions.get(function.name, ()))
    program = any(not it.owner for _, it in env.own.functions.get("main", ()))
    return program and any(it is function for it in own)


def has_only_visible_calls(env: Environment, function: Function, uses: Sequence[FunctionUse]) -> bool:
    """Whether nobody names it but to call it, and every call shows what it gives."""
    readable = {id(it.holder) for it in uses}
    if any(id(it) not in readable for it in env.naming(function.name)):
        return False
    if any(it.site.arguments is None or it.holder is None or "..." in "".join(it.site.arguments) for it in uses):
        return False
    otherwise = any(it.holder is not None and function.name in it.holder.mentions.otherwise for it in uses)
    senses = ("macros", "plain macros")
    return not otherwise and not env.cached_table_entry(
        "called in macros", _names_called_in_macros, senses, function.name
    )


def _names_called_in_macros(env: Environment) -> Mapping[str, bool]:
    texts = chain(
        (it.body for _, it in env.all_function_like_macros()), (it.type for _, it in env.all_object_like_macros())
    )
    return {name: True for text in texts for name in _names_called_in_text(text)}


@remembered(4096)
def _names_called_in_text(text: str) -> frozenset[str]:
    """The same macros are in sight of many files."""
    return frozenset(_CALLED.findall(text))


def _may_be_call_of(function: Function, use: FunctionUse) -> bool:
    """A call of another function of that name counts, too, if it might as well be of this one."""
    method = use.site.name.startswith(".")
    many = any(it.type == "..." for it in function.parameters)
    return (bool(function.owner) or not method) and (many or function.takes(len(use.site.arguments or ())))


def _scopes_of_call(env: Environment, use: FunctionUse) -> Iterator[ItemScope]:
    """Where a call stands, in each instance of the function around it in which it can run."""
    holder, at = use.holder, use.site.start
    assert holder is not None
    around = known_instances(env, use.placed, holder)
    for outer in around.known if around.complete and around.known else (*around.known, Instance("", {})):
        if may_run_at(env, use.placed, holder, outer.bindings, at) is not False:
            yield ItemScope(env, use.placed, at, holder.owner, outer.bindings)
