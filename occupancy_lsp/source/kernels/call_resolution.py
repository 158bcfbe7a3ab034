"""Which function a call means, and in which instance."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence, Set
from functools import partial

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.semantic_hash import instance_key, semantic_hashes, signature_key
from occupancy_lsp.source.lex.dialect import COLLECTIVE, COLLECTIVE_METHOD
from occupancy_lsp.source.lower.item_facts import CallSite, Function
from occupancy_lsp.source.lower.symbol_table import LocatedItem, class_of_method
from occupancy_lsp.source.sema import symbols_by_scope
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import bind_template_of_call, is_fully_bound, parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import (
    Bindings,
    CallableArgument,
    Class,
    Type,
    resolve_type,
    type_of_argument,
    unresolved_type_name,
)

_WORD = regex(r"[A-Za-z_]\w*")
_NOTHING_GIVEN = regex(r"(?:\(\s*\)|\{\s*\})\Z")


def candidate_functions(
    env: Environment, body: FunctionInstance, site: CallSite
) -> Sequence[tuple[LocatedItem, Function]]:
    """The functions that a call may mean: of those of that name, the nearest that take so many arguments."""
    count = None if site.arguments is None else len(site.arguments)
    given = len(site.template or ())
    here = body.placed.scope_path(body.function.owner)
    named = partial(_candidates_by_name, env, site.name, count, given, here, frozenset(body.bindings))
    label = site.name.rsplit("::", 1)[-1]
    among = ("candidates", label, site.name, count, given, here, frozenset(body.bindings))
    if site.name.startswith(".") or any(map(body.may_declare_name, _WORD.findall(f"{site.on} {site.name}"))):
        inside = _class_of_receiver(env, body, site)
        many = inside is None and not symbols_by_scope.has_few_symbols(env, "functions", label.lstrip("."))
        return env.remember(among, partial(named, None), ()) if many else named(inside)
    key = ("candidates", site.name, count, given, site.on)
    if site.on:
        return body.remember_by_enclosing_scope(env, key, lambda: named(_class_of_receiver(env, body, site)), ())
    if not symbols_by_scope.has_few_symbols(env, "functions", label):
        return env.remember(among, partial(named, None), ())  # for all that stand so
    return body.remember_by_enclosing_scope(env, key, partial(named, None), ())  # it outlives the body


def _candidates_by_name(
    env: Environment,
    name: str,
    count: int | None,
    given: int,
    here: tuple[str, ...],
    bound: Set[str],
    inside: Class | None,
) -> Sequence[tuple[LocatedItem, Function]]:
    """`count`, `given`: of its arguments, and of its template's. `here`: the namespaces and classes around it."""
    *outer, label = name.lstrip(".").split("::")
    many = not symbols_by_scope.has_few_symbols(env, "functions", label)
    if many and inside is None and not outer:
        around = [it for depth in range(len(here) + 1) for it in _functions_under_key(env, label, ("at", here[:depth]))]
        fitting = [it for it in around if count is None or _accepts_argument_count(it[1], count)]
        fitting = [it for it in fitting if _can_bind_all_parameters(it[1], given)] if given else fitting
        deepest = max((len(_qualifying_path(it)) for it in fitting), default=0)
        if fitting:
            return tuple(it for it in fitting if len(_qualifying_path(it)) == deepest)
    if inside is not None and (own := _methods_of_class(env, label, inside, many)):
        found, outer = own, []
    else:
        found = env.functions_callable_on_device(label)
    if outer and outer[0]:
        paths = [*map(_qualifying_path, found)]
        named = [it for it, path in zip(found, paths, strict=True) if path[-len(outer) :] == tuple(outer)]
        found = named or [it for it, path in zip(found, paths, strict=True) if outer[-1] in bound or not path]
    if len(found) > 1 and count is not None:
        fitting = [it for it in found if _accepts_argument_count(it[1], count)]
        found = fitting or found
    if len(found) > 1 and given:
        found = [it for it in found if _can_bind_all_parameters(it[1], given)] or found
    if len(found) > 1:
        near = [
            (it, path)
            for it, path in zip(found, map(_qualifying_path, found), strict=True)
            if path == here[: len(path)]
        ]
        deepest = max((len(path) for _, path in near), default=0)
        found = [it for it, path in near if len(path) == deepest] or found
    return (*found,)


def _methods_of_class(
    env: Environment, label: str, inside: Class, many: bool
) -> Sequence[tuple[LocatedItem, Function]]:
    if not many:
        return [it for it in env.functions_callable_on_device(label) if _is_method_of(it, inside)]
    those = (
        *_functions_under_key(env, label, ("in", inside.placed.item)),
        *_functions_under_key(env, label, ("of", inside.path[-1:])),
    )
    own = {id(it[1]): it for it in those if _is_method_of(it, inside)}
    return sorted(own.values(), key=lambda it: (it[0].order, it[1].body.start))


def _functions_under_key(env: Environment, label: str, key: Hashable) -> Sequence[tuple[LocatedItem, Function]]:
    """Of the functions of a name that many bear, those in these namespaces and classes, in an item, or of a class."""

    def keys(it: tuple[LocatedItem, Function]) -> Iterable[Hashable]:
        return ("at", _qualifying_path(it)), ("in", it[0].item), ("of", it[1].owner[-1:])

    return env.rows_under_key(
        "called", label, key, lambda: symbols_by_scope.group_by_keys(env.functions_callable_on_device(label), keys)
    )


def _can_bind_all_parameters(function: Function, given: int) -> bool:
    """Whether so many template arguments, and the types of its parameters, can tell all parameters of its template."""
    parameters = [parse_template_parameter(it) for it in function.template or ()]
    if any(it.kind == "other" for it in parameters):
        return True
    said = {word for it in function.parameters for word in _WORD.findall(it.type)}
    return given <= len(parameters) and all(it.default is not None or it.name in said for it in parameters[given:])


def is_local_type(body: FunctionInstance, site: CallSite) -> bool:
    """Whether a type that the function declares itself hides what else has the name that is called."""
    return any(
        it.name == site.name and it.scope is not None and it.scope.start <= site.start < it.scope.end
        for it in body.placed.facts.types
    )


def template_bindings_of_call(
    env: Environment, body: FunctionInstance, site: CallSite, placed: LocatedItem, function: Function
) -> tuple[Bindings, bool]:
    """What the call makes of the function's template parameters, and whether that is all of them.

    Remembered by what the call means: it is the same where the function's body is edited.
    """
    if not function.template and not function.owner:
        return {}, True
    work = partial(_find_template_bindings, env, body, site, placed, function)
    head = signature_key(placed, function) if not function.owner else None
    meaning = semantic_hashes(env, body.placed, body.function).call(site) if head is not None else None
    if meaning is None:
        return work()
    key = ("given to a call", "", instance_key(env, body.placed, body.function, body.bindings), meaning, head)
    unknown: tuple[Bindings, bool] = ({}, False)
    return env.remember_by_content(key, work, unknown, body.placed.item, placed.item)


def _find_template_bindings(
    env: Environment, body: FunctionInstance, site: CallSite, placed: LocatedItem, function: Function
) -> tuple[Bindings, bool]:
    around = _class_bindings(env, body, site, function)
    whole = around is not None
    outside = bool(function.template) and around is not None and not _is_defined_in_class(env, placed, function)
    if outside and around:  # `template <int N> void A<N>::f()`: the parameters are the class's
        names = [parse_template_parameter(text).name for text in function.template or ()]
        return dict(zip(names, around.values(), strict=False)), len(names) == len(around)
    if not function.template:
        return around or {}, whole
    here = body.scope(env, site.start)
    there = ItemScope(env, placed, function.body.start, function.owner, around)
    given = bind_template_of_call(function, site.template, site.arguments, here, there)
    return {**(around or {}), **given}, is_fully_bound(function.template, given) and whole


def class_of_called_object(env: Environment, body: FunctionInstance, site: CallSite) -> Class | CallableArgument | None:
    """The class of the variable that is called, or that it is a lambda; None: no variable is called."""
    if not site.name.isidentifier():
        return None
    declared = body.scope(env, site.start).declared(site.name)
    if declared is None:
        return None
    text, there = declared
    bare = text.rstrip("&* ")
    bound = there.bound(bare)
    if isinstance(bound, CallableArgument):
        return bound if bound.is_lambda else None
    kind = resolve_type(bare, there) if bare not in ("", "auto", "[]") else ""
    return kind.inside if isinstance(kind, Type) else None


def is_harmless_call(env: Environment, body: FunctionInstance, site: CallSite) -> bool:
    """A call that cannot bring local memory: a built-in function, a conversion, a lambda of the same body."""
    name = site.name.removeprefix("::")
    label = name.rsplit("::", 1)[-1]
    if not name or label == body.function.name:
        return True
    if env.dialect.local_memory.harmless.fullmatch(_qualified_callee(site, name)):
        return not _is_collective_without_storage(env, body, site)
    if name.startswith("."):
        return False
    if name == "init" and "barrier" in body.function.mentions.names:
        return True  # a friend of cuda::barrier
    if any(map(body.may_declare_name, _WORD.findall(name))):
        return _is_type_or_lambda(env, body, site)
    return body.remember_by_enclosing_scope(
        env, ("is a type", name, site.arguments == ()), lambda: _is_type_or_lambda(env, body, site), False
    )


def _qualified_callee(site: CallSite, name: str) -> str:
    """With the class before it that has template arguments: `std::numeric_limits::max`."""
    if not site.on or name.startswith(".") or "::" in name:
        return name
    return f"{site.on.partition('<')[0]}::{name}".removeprefix("::")


def _is_collective_without_storage(env: Environment, body: FunctionInstance, site: CallSite) -> bool:
    """Whether one of cub's collectives is made without storage: it declares some itself."""
    if not COLLECTIVE_METHOD.fullmatch(site.name):
        return site.arguments == () and COLLECTIVE.fullmatch(site.name.removeprefix("::")) is not None
    made = site.on.strip("() ") if site.on.endswith("))") else site.on
    if not made.isidentifier():
        return _NOTHING_GIVEN.search(made) is not None
    scope = body.scope(env, site.start)
    declared = scope.declared(made)  # not as what: it may have been given storage
    return declared is not None and COLLECTIVE.match(unresolved_type_name(declared[0], declared[1])) is not None


def _is_type_or_lambda(env: Environment, body: FunctionInstance, site: CallSite) -> bool:
    """Whether what seems to be called is a type, or a lambda of the same body."""
    name = site.name.removeprefix("::")
    *path, label = name.split("::")
    scope = body.scope(env, site.start)
    made = _name_of_unseen_type("::".join(path), scope, f"::{label}") if path else _name_of_unseen_type(name, scope)
    if made != name and env.dialect.local_memory.harmless.fullmatch(made):
        return not (site.arguments == () and COLLECTIVE.fullmatch(made))
    if env.types(label):
        return True
    if isinstance(scope.bound(label), Type):
        return True
    if _is_type_parameter(env, body, label):
        return True
    if "::" in name:
        return False
    if _is_lambda_variable(scope, label) or isinstance(resolve_type(label, scope), Type):
        return True
    return bool(site.arguments) and any(it.name == label and it.scope is not None for it in body.placed.facts.types)


def _name_of_unseen_type(text: str, scope: ItemScope, member: str = "") -> str:
    found = unresolved_type_name(text, scope).partition("<")[0]
    return f"{found}{member}" if found else ""


def _is_type_parameter(env: Environment, body: FunctionInstance, name: str) -> bool:
    """Of the function's template, or of its class's."""
    if name in _type_parameters(body.function.template or ()):
        return True
    owner, none = class_of_method(body.function), frozenset[str]()
    return bool(owner) and name in env.remember(
        ("types taken by", owner), partial(_class_template_parameters, env, owner), none
    )


def _class_template_parameters(env: Environment, owner: str) -> frozenset[str]:
    """The types that the templates of the classes of that name take; some have hundreds of specialisations."""
    return _type_parameters(text for _, kind in env.types(owner) for text in kind.template or ())


def _type_parameters(template: Iterable[str]) -> frozenset[str]:
    return frozenset(it.name for it in map(parse_template_parameter, template) if it.kind == "type")


def _class_of_receiver(env: Environment, body: FunctionInstance, site: CallSite) -> Class | None:
    """The class that a method or static function is called on, if that is plain to see."""
    if not site.on:
        return None
    here = body.scope(env, site.start)
    kind: Type | str | None
    if not site.name.startswith("."):
        kind = resolve_type(site.on, here)
    elif site.on == "this":
        return None
    else:
        kind = type_of_argument(site.on, here)
        kind = kind.pointee if isinstance(kind, Type) and kind.pointee is not None else kind
    return kind.inside if isinstance(kind, Type) else None


def _is_method_of(found: tuple[LocatedItem, Function], inside: Class) -> bool:
    placed, function = found
    if placed.item == inside.placed.item:
        body = inside.definition.body
        return body.start <= function.body.start < body.end or function.owner == inside.path
    return function.owner[-1:] == inside.path[-1:]


def _class_bindings(env: Environment, body: FunctionInstance, site: CallSite, function: Function) -> Bindings | None:
    """What the parameters of the method's class stand for; None: not known."""
    label = function.owner[-1] if function.owner else ""
    if not label or not any(t.template for _, t in env.types(label)):
        return {}
    inside = _class_of_receiver(env, body, site)
    if inside is not None:
        return inside.bindings
    same = function.owner == body.function.owner and site.on in ("", "this")
    return body.bindings if same and body.bindings else None


def _is_defined_in_class(env: Environment, placed: LocatedItem, function: Function) -> bool:
    label = function.owner[-1] if function.owner else ""
    return not label or any(
        s.item == placed.item and t.body.start <= function.body.start < t.body.end for s, t in env.types(label)
    )


def _qualifying_path(found: tuple[LocatedItem, Function]) -> tuple[str, ...]:
    return found[0].scope_path(found[1].owner)


def _accepts_argument_count(function: Function, count: int) -> bool:
    return any(p.type == "..." for p in function.parameters) or function.takes(count)


def _is_lambda_variable(scope: ItemScope, name: str) -> bool:
    """Whether the name is a local variable that holds a lambda: its body is part of the function's text."""
    return any(definition.type == "[]" for definition in scope.placed.facts.locals.get(name, ()))
