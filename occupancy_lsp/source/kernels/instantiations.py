"""Which instances of a function template the text in sight makes: by launches, calls, mentions and instantiations."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence, Set
from functools import partial
from itertools import compress

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.function_instance import affordable_instance_count, function_instance
from occupancy_lsp.source.kernels.generic_lambda_instantiations import generic_lambdas_around, lambda_bindings_at
from occupancy_lsp.source.kernels.launch_macros import has_unexpandable_macro_use, launches_by_macros
from occupancy_lsp.source.kernels.semantic_hash import (
    hash_of_macro_call,
    instance_key,
    semantic_hashes,
    signature_key,
)
from occupancy_lsp.source.lex.work_limits import TOO_MANY
from occupancy_lsp.source.lower.item_facts import CallSite, Function
from occupancy_lsp.source.lower.symbol_table import FunctionUse, LocatedItem
from occupancy_lsp.source.lower.variables import ALIAS_OF_NAMESPACE, ALL_OF_NAMESPACE
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import bind_template_of_call, is_fully_bound, template_arguments_text
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings
from occupancy_lsp.source.syntax.expression_nodes import Name
from occupancy_lsp.source.syntax.known_value import Value

_MOST = 256
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Instance:
    """`arguments`: as a demangler prints them, "" for a function that is no template."""

    arguments: str
    bindings: Bindings


@dataclass(frozen=True, slots=True)
class KnownInstances:
    """`complete`: every use in sight is among them. `given_up`: there are more than are followed."""

    known: tuple[Instance, ...]
    complete: bool
    given_up: bool = False


_PLAIN = KnownInstances((Instance("", {}),), True)
_UNKNOWN = KnownInstances((), False)


def known_instances(env: Environment, placed: LocatedItem, function: Function, depth: int = 0) -> KnownInstances:
    if not function.template:
        return _PLAIN
    if depth > _DEEPEST:
        return _UNKNOWN
    work, head = partial(_find_instances, env, placed, function, depth), signature_key(placed, function)
    if head is None or _is_used_in_own_item(env, placed, function):
        return env.remember(("instances", placed.item, function.body.start), work, _UNKNOWN)
    return env.remember_by_content(("instances", "", head), work, _UNKNOWN, placed.item)


def instances_ahead(env: Environment, placed: LocatedItem, function: Function) -> Iterator[None]:
    """Work out at each step what one use makes in one instance of the function that holds it, for later."""
    return _made_ahead(env, placed, function, set())


def _made_ahead(
    env: Environment, placed: LocatedItem, function: Function, seen: set[tuple[int, int]]
) -> Iterator[None]:
    if not function.template or (here := (placed.item, function.body.start)) in seen:
        return
    seen.add(here)
    uses = _uses_and_macro_launches(env, function)
    yield
    for use in uses:
        if use.holder is function or _is_full_specialization(use) or not _may_refer_to(env, use, function, placed):
            continue
        there = env.instantiation_pass_of_function(use.holder)
        if use.holder is not None:
            yield from _made_ahead(there, use.placed, use.holder, seen)
        around = _PLAIN if use.holder is None else known_instances(there, use.placed, use.holder)
        for outer in around.known:
            _instances_in_holder_instances(there, placed, function, use, (outer,))
            yield
    for it in known_instances(env, placed, function).known:  # no more than are followed
        function_instance(env, placed, function, it.bindings)
        yield


def with_too_many_instances_reason(value: Value) -> Value:
    """What is not known because of what a template takes, of which not all instances are followed."""
    by_template = value.number is None and value.reason.startswith("template parameter ")
    return structs.replace(value, reason=f"{value.reason}: {TOO_MANY}") if by_template else value


def _is_used_in_own_item(env: Environment, placed: LocatedItem, function: Function) -> bool:
    """Whether its own item uses it."""
    key = ("uses itself", placed.item, function.name)
    return env.remember(
        key, lambda: any(it.placed.item == placed.item for it in _uses_and_macro_launches(env, function)), False
    )


def _uses_and_macro_launches(env: Environment, function: Function) -> Sequence[FunctionUse]:
    return (*env.uses(function.name), *launches_by_macros(env, function.name))


def _find_instances(env: Environment, placed: LocatedItem, function: Function, depth: int) -> KnownInstances:
    uses = _uses_and_macro_launches(env, function)
    found: dict[str, Instance] = {}
    given_up = False
    whole = not (_has_unreadable_mention(env, function, uses) or has_unexpandable_macro_use(env, function.name))
    specialising = [*map(_is_full_specialization, uses)]
    of_special = (
        it
        for use in compress(uses, specialising)
        for it in _instances_if_referred_to(env, placed, function, use, depth)
    )
    special = {it.arguments for it in of_special}
    own: list[FunctionUse] = []
    for use, specialises in zip(uses, specialising, strict=True):
        if specialises or not _may_refer_to(env, use, function, placed):
            continue
        if use.holder is function:
            own.append(use)
            continue
        made = instances_of_use(env, placed, function, use, depth)
        whole, given_up = whole and made.complete, given_up or made.given_up
        found.update({it.arguments: it for it in made.known if it.arguments not in special})
        if len(found) > _MOST:
            known = KnownInstances(tuple(found.values())[:_MOST], False, True)
            return _limit_to_affordable(env, placed, function, known)
    known = KnownInstances(tuple(found.values()), whole, given_up)
    return _limit_to_affordable(
        env, placed, function, _with_recursive_instances(env, placed, function, own, known, special) if own else known
    )


def _limit_to_affordable(
    env: Environment, placed: LocatedItem, function: Function, found: KnownInstances
) -> KnownInstances:
    most = affordable_instance_count(env, placed, function, [it.bindings for it in found.known])
    return found if most == len(found.known) else KnownInstances(found.known[:most], False, True)


def _with_recursive_instances(
    env: Environment,
    placed: LocatedItem,
    function: Function,
    own: Sequence[FunctionUse],
    known: KnownInstances,
    special: Set[str],
) -> KnownInstances:
    """Return the instances with those that they make of their own template. `own`: where it names itself."""
    if sum(it.template != () for _, it in env.functions(function.name)) > 1:
        return KnownInstances(known.known, False, known.given_up)  # which of them calls which is not followed
    found = {it.arguments: it for it in known.known}
    whole, todo = known.complete, [*known.known]
    for outer in todo:  # grows by what is found
        body = function_instance(env, placed, function, outer.bindings)
        for use in own:
            at = use.site.start
            if body.undecided.holds(at):
                whole = False
            elif body.runs(at) is not False:
                made = _instances_in_holder_instances(env, placed, function, use, (outer,))
                new = {it.arguments: it for it in made.known if it.arguments not in {*found, *special}}
                whole = whole and made.complete
                found |= new
                todo += new.values()
        if len(found) > _MOST:
            return KnownInstances(known.known, False, known.given_up)
    return KnownInstances(tuple(found.values()), whole, known.given_up)


def _instances_if_referred_to(
    env: Environment, placed: LocatedItem, function: Function, use: FunctionUse, depth: int
) -> tuple[Instance, ...]:
    return (
        instances_of_use(env, placed, function, use, depth).known if _may_refer_to(env, use, function, placed) else ()
    )


def _is_full_specialization(use: FunctionUse) -> bool:
    """Whether it is the name of a full specialisation, which is a function of its own."""
    facts, at = use.placed.facts, use.site.start
    return at in facts.special or any(it.template == () and it.name_span.start == at for it in facts.functions)


@dataclass(frozen=True, slots=True)
class Specialised:
    """The template that a full specialisation is of, and the instance that it is in place of."""

    placed: LocatedItem
    function: Function
    instance: Instance


def specialized_template(env: Environment, placed: LocatedItem, function: Function) -> Specialised | None:
    """None: the function is no full specialisation, or it is not known of what."""
    if function.template != ():
        return None
    uses = [it for it in env.uses(function.name) if it.placed is placed and _is_full_specialization(it)]
    own = next((it for it in uses if it.site.start == function.name_span.start), None)
    general = [(s, it) for s, it in env.functions(function.name) if it.template]
    if own is None or len(general) != 1:
        return None
    known = instances_of_use(env, *general[0], own).known
    return Specialised(*general[0], known[0]) if len(known) == 1 else None


def specialization_arguments(env: Environment, placed: LocatedItem, function: Function) -> str:
    """Those that a full specialisation is for, as a demangler prints them; "": it is none, or they are not known."""
    found = specialized_template(env, placed, function)
    return found.instance.arguments if found is not None else ""


def _has_unreadable_mention(env: Environment, function: Function, uses: Sequence[FunctionUse]) -> bool:
    """Whether a function names it in a way that could not be read, or a macro does that launches something else."""
    readable = {id(use.holder) for use in uses}
    return any(id(it) not in readable and it is not function for it in env.naming(function.name))


def instances_of_use(
    env: Environment, placed: LocatedItem, function: Function, use: FunctionUse, depth: int = 0
) -> KnownInstances:
    """The instances that one use makes: one for each instance of the function that holds it."""
    if not function.template:
        return _PLAIN
    env = env.instantiation_pass_of_function(use.holder)
    around = _PLAIN if use.holder is None else known_instances(env, use.placed, use.holder, depth + 1)
    made = _instances_in_holder_instances(env, placed, function, use, around.known)
    return KnownInstances(made.known, made.complete and around.complete, around.given_up)


def _instances_in_holder_instances(
    env: Environment, placed: LocatedItem, function: Function, use: FunctionUse, around: Sequence[Instance]
) -> KnownInstances:
    """What a use makes in these instances of the function that holds it."""
    found: dict[str, Instance] = {}
    whole = True
    for outer in around:
        scopes, every = _scopes_of_use(env, use, placed, function, outer.bindings)
        whole = whole and every
        for here in scopes:
            made = instance_of_call(here, use.holder, use.site, placed, function)
            if made is None:
                whole = False
            else:
                found[made.arguments] = made
    return KnownInstances(tuple(found.values()), whole)


def instance_of_call(
    here: ItemScope, holder: Function | None, site: CallSite, placed: LocatedItem, function: Function
) -> Instance | None:
    """What a call, a launch or a mention in `holder` makes of the function; None: not all parameters are known."""
    env, head, work = here.env, signature_key(placed, function), partial(_instantiate, here, site, placed, function)
    if head is None or placed.item == here.item:
        return work()
    plain = holder is not None and here.offset == site.start
    meaning = _hash_of_call(env, here.placed, holder, site) if holder is not None and plain else None
    if holder is None or meaning is None:
        key = ("made", *here.key, site.template, site.arguments, head)  # about the item where it stands
        return env.remember_by_content(key, work, None, placed.item)
    within = instance_key(env, here.placed, holder, here.bindings)
    return env.remember_by_content(("made", "", within, meaning, head), work, None, here.item, placed.item)


def _hash_of_call(env: Environment, placed: LocatedItem, holder: Function, site: CallSite) -> Hashable | None:
    known = semantic_hashes(env, placed, holder)
    return known.call(site) if known.contains_call(site) else hash_of_macro_call(env, placed, holder, site)


def _instantiate(here: ItemScope, site: CallSite, placed: LocatedItem, function: Function) -> Instance | None:
    there, template = ItemScope(here.env, placed, function.body.start, function.owner), function.template or ()
    bindings = bind_template_of_call(function, site.template, site.arguments, here, there)
    return (
        Instance(template_arguments_text(template, bindings, there), bindings)
        if is_fully_bound(template, bindings)
        else None
    )


def _scopes_of_use(
    env: Environment, use: FunctionUse, placed: LocatedItem, function: Function, bindings: Bindings
) -> tuple[list[ItemScope], bool]:
    """Where a use stands in one instance of its holder: once for each instance of the generic lambdas around it, if
    they decide what it makes. Whether these are all."""
    at = use.site.start
    if use.holder is None:
        return [ItemScope(env, use.placed, at)], True
    body = function_instance(env, use.placed, use.holder, bindings)
    if not body.compiles_at(at):
        return [], True
    here = body.scope(env, at)
    alone = not generic_lambdas_around(env, use.placed, use.holder, at)
    if alone or instance_of_call(here, use.holder, use.site, placed, function) is not None:
        return [here], True
    made = lambda_bindings_at(env, body, at)
    inside = [function_instance(env, use.placed, use.holder, it) for it in made.known]
    return [it.scope(env, at) for it in inside if it.compiles_at(at)], made.complete


def _may_refer_to(env: Environment, use: FunctionUse, function: Function, placed: LocatedItem) -> bool:
    """Whether the use may speak of this function: by its qualifier and its number of template arguments."""
    *outer, _ = use.site.name.lstrip(".").split("::")
    path = (*placed.namespaces, *function.owner)
    if (
        outer
        and outer[-1]
        and outer[-1] not in path
        and not _namespace_may_show(env, use, outer[-1], function.name, path)
    ):
        return False
    template = function.template or ()
    return len(use.site.template or ()) <= len(template) or any("..." in it for it in template)


def _namespace_may_show(env: Environment, use: FunctionUse, qualifier: str, name: str, path: Sequence[str]) -> bool:
    """Whether a namespace of that name may show what stands in another: by an alias, a directive or a declaration."""
    alias = ALIAS_OF_NAMESPACE + qualifier
    said = [*use.placed.facts.locals.get(alias, ()), *(it.definition for it in env.definitions(alias))]
    for label in (ALL_OF_NAMESPACE, name):
        each = ((it.placed.scope_path(it.definition.owner), it.definition) for it in env.definitions(label))
        said += [it for where, it in each if where[-1:] == (qualifier,)]
    return any(isinstance(it.value, Name) and not {*path}.isdisjoint(it.value.parts) for it in said)
