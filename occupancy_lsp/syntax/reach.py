"""A kernel with the functions it calls, each in the instances it is called in, as far as their text is in sight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from occupancy_lsp.syntax.constants import evaluate
from occupancy_lsp.syntax.dialects import LOCAL
from occupancy_lsp.syntax.environment import Environment
from occupancy_lsp.syntax.expressions import Expression, Unread
from occupancy_lsp.syntax.facts import Branch, CallSite, Function, FunctionMacro
from occupancy_lsp.syntax.names import Standing
from occupancy_lsp.syntax.preprocessor import calls_in
from occupancy_lsp.syntax.scope import ItemScope
from occupancy_lsp.syntax.templates import bind, complete, deduce, read_parameter
from occupancy_lsp.syntax.types import Bindings, Class, Code, Type, resolve_type, type_of

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MOST_FUNCTIONS = 400
_DEEPEST = 6


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One function in one instance. `dead`, `open`: branches that surely never run, and that may not run."""

    standing: Standing
    function: Function
    bindings: Bindings
    dead: tuple[Branch, ...]
    open: tuple[Branch, ...]

    def scope(self, env: Environment, offset: int) -> ItemScope:
        return ItemScope(env, self.standing, offset, self.function.owner, self.bindings)

    def compiles(self, offset: int) -> bool:
        """Whether the text at `offset` is compiled in this instance."""
        return not any(b.constexpr and b.span.start <= offset < b.span.end for b in self.dead)

    def runs(self, offset: int) -> bool | None:
        """Whether the text at `offset` can run in this instance; None: not known."""
        if any(b.span.start <= offset < b.span.end for b in self.dead):
            return False
        return None if any(b.span.start <= offset < b.span.end for b in self.open) else True


@dataclass(frozen=True, slots=True)
class Reach:
    """`unseen`: functions whose text is not in sight. `doubt`: why more memory than seen may be needed.

    `called`: by a body and where it calls something, what that is; nothing where it is out of sight.
    """

    bodies: tuple[Body, ...]
    unseen: tuple[str, ...]
    doubt: str
    called: Mapping[tuple[Body, int], Sequence[Body]]
    expanded: frozenset[tuple[Body, int]]  # by a body and where a macro with parameters stands: text of its own
    dynamic: bool  # memory sized at launch may be used where no call is to be seen

    def touches(self, body: Body, name: str, uses: Sequence[int], depth: int = 0) -> bool | None:
        """Whether text that runs uses the variable, here or in a function that it is handed to; None: not known."""
        running = [at for at in uses if body.runs(at) is True]
        handed = [
            (site.start, index)
            for site in body.function.calls
            for index, argument in enumerate(site.arguments or () if (body, site.start) not in self.expanded else ())
            if argument.strip("& ") == name and body.runs(site.start) is not False
        ]
        if len(running) > len(handed):
            return True
        if depth > _DEEPEST:
            return None
        answers = [self._callee_touches(body, start, index, depth) for start, index in handed]
        if True in answers:
            return True
        maybe = None in answers or any(body.runs(at) is None for at in uses)
        return None if maybe else False

    def _callee_touches(self, body: Body, start: int, index: int, depth: int) -> bool | None:
        callees = self.called.get((body, start), ())
        if len(callees) != 1 or index >= len(callees[0].function.parameters):
            return None
        if callees[0].function.apart:
            return True
        parameter = callees[0].function.parameters[index]
        return self.touches(callees[0], parameter.name, parameter.uses, depth + 1)


def body_of(env: Environment, standing: Standing, function: Function, bindings: Bindings) -> Body:
    key = ("body", id(function), standing.order, *sorted(bindings.items(), key=lambda it: it[0]))
    plain = Body(standing, function, bindings, (), ())
    return env.remember(key, lambda: _body(env, standing, function, bindings), plain)


def _body(env: Environment, standing: Standing, function: Function, bindings: Bindings) -> Body:
    dead: list[Branch] = []
    unsure: list[Branch] = []
    free = {name for text in function.template or () if (name := read_parameter(text).name) and name not in bindings}
    for branch in function.branches:
        value = evaluate(branch.condition, ItemScope(env, standing, branch.span.start, function.owner, bindings))
        if value.number is None:
            unsure += [branch] if free and free & _words(branch.condition) else []
        elif bool(value.number) != branch.wanted:
            dead.append(branch)
    return Body(standing, function, bindings, tuple(dead), tuple(unsure))


def _words(condition: Expression) -> set[str]:
    text = condition.text if isinstance(condition, Unread) else b""
    return {word.decode() for word in _WORD.findall(text)}


def reach(env: Environment, standing: Standing, kernel: Function, bindings: Bindings) -> Reach:
    bodies = [body_of(env, standing, kernel, bindings)]
    seen = {(id(kernel), *sorted(bindings.items(), key=lambda it: it[0])): bodies[0]}
    called: dict[tuple[Body, int], list[Body]] = {}
    macro_sites: set[tuple[Body, int]] = set()
    unseen: set[str] = set()
    doubts: list[str] = []
    vague: dict[int, CallSite] = {}  # of functions with memory of their own, called with parameters not known
    todo = [bodies[0]]
    while todo and len(bodies) < _MOST_FUNCTIONS:
        body = todo.pop()
        for site in _called(env, body, unseen, doubts, macro_sites):
            if body.runs(site.start) is False:
                continue
            bound = body.bindings.get(site.name)
            if isinstance(bound, Code):
                site = replace(site, name=bound.name)
            called_object = _functor(env, body, site)
            if isinstance(called_object, Code):
                continue  # its body is part of the text that makes it
            if isinstance(called_object, Class):
                site = replace(site, name=".operator()", on=site.name)
            found = _candidates(env, body, site)
            if not found:
                if not _harmless(env, body, site):
                    unseen.add(site.name.lstrip("."))
                continue
            if len(found) > 1 and any(not a.dynamic for _, f in found for a in f.arrays):
                doubts.append(f"{site.name} has several definitions")
                continue
            for where, function in found:
                # What moves a thread's own arrays into local memory does so in any function.
                if not env.dialect.moves_arrays and not _hands_on(body, site) and _is_plain(env, where, function):
                    continue
                given, whole = _instance(env, body, site, where, function)
                key = (id(function), *sorted(given.items(), key=lambda it: it[0]))
                if not whole and any(not array.dynamic for array in function.arrays):
                    before = vague.setdefault(id(function), site)
                    if (before.template, before.arguments) != (site.template, site.arguments):
                        doubts.append(f"how often template {site.name} is instantiated")
                if key not in seen:
                    seen[key] = body_of(env, where, function, given)
                    bodies.append(seen[key])
                    todo.append(seen[key])
                called.setdefault((body, site.start), []).append(seen[key])
    unnoticed = _unnoticed(env, bodies)
    doubts += [f"{function.name} may be called" for function in unnoticed if not _is_sized_at_launch(function)]
    if len(bodies) >= _MOST_FUNCTIONS:
        doubts.append("too many functions to follow")
    return Reach(
        tuple(bodies),
        tuple(sorted(unseen)),
        doubts[0] if doubts else "",
        called,
        frozenset(macro_sites),
        bool(unnoticed),
    )


def macro_calls(env: Environment) -> Mapping[str, frozenset[str]]:
    """Of macros that may stand in a body otherwise than as a call: what their text calls, `__shared__` among it."""
    nothing: Mapping[str, frozenset[str]] = {}
    return env.remember(("macro calls",), lambda: _macro_calls(env), nothing)


def _macro_calls(env: Environment) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for names in (env.outer, env.own):
        for name, definitions in names.definitions.items():
            for it in definitions:
                text = it.definition.type if it.definition.kind == "macro" else ""
                if "(" in text or "__shared__" in text:
                    found.setdefault(name, set()).update(calls_in(text))
        for name, several in names.macros.items():
            for _, macro in several:
                found.setdefault(name, set()).update(macro.calls, {LOCAL} if macro.local_memory else ())
    return {name: frozenset(calls) for name, calls in found.items()}


def _unnoticed(env: Environment, bodies: Sequence[Body]) -> list[Function]:
    """Functions with local memory that a body names and does not plainly call: by pointer, operator or constructor."""
    reached = {id(body.function) for body in bodies}
    called = {site.name.rsplit("::", 1)[-1].lstrip(".") for body in bodies for site in body.function.calls}
    names = frozenset().union(*(body.function.names for body in bodies))
    return [
        function
        for name, functions in armed(env).items()
        for function in functions
        if name in names and id(function) not in reached and (name != function.name or name not in called)
    ]


def _is_sized_at_launch(function: Function) -> bool:
    return bool(function.arrays) and all(it.dynamic for it in function.arrays) and not function.unread_arrays


def armed(env: Environment) -> Mapping[str, Sequence[Function]]:
    """Functions that need local memory, by the name that calls them, or a type's that calls them out of sight."""
    nothing: Mapping[str, Sequence[Function]] = {}
    return env.remember(("armed",), lambda: _armed(env), nothing)


def _armed(env: Environment) -> Mapping[str, Sequence[Function]]:
    found: dict[str, list[Function]] = {}
    for names in (env.outer, env.own):
        for several in names.functions.values():
            for standing, function in several:
                for name in _ways(function):
                    if not function.kernel and not _is_plain(env, standing, function):
                        found.setdefault(name, []).append(function)
    return found


def _ways(function: Function) -> Iterator[str]:
    """The names whose mention may call the function: its own if it has memory, a type's if that calls it unsaid."""
    owner = function.owner[-1] if function.owner else ""
    operator = function.name.startswith("operator") and function.name != "operator()"
    if operator or function.name in (owner, f"~{owner}"):
        yield from ([owner] if owner else [word for it in function.parameters for word in _IDENTIFIER.findall(it.type)])
    elif any(not array.dynamic for array in function.arrays) and not function.name.startswith("operator"):
        yield function.name


def _hands_on(body: Body, site: CallSite) -> bool:
    """Whether the call may be given local memory: an array of the body, or what the body itself was given."""
    own = {array.field.name for array in body.function.arrays}
    if not body.function.kernel:
        own |= {parameter.name for parameter in body.function.parameters}
    return any(argument.strip("& ") in own for argument in site.arguments or ())


def _is_plain(env: Environment, standing: Standing, function: Function) -> bool:
    """Whether neither the function nor anything it calls, in whatever instance, has to do with local memory."""
    return env.remember(("plain", id(function)), lambda: _plain(env, standing, function), True)


def _plain(env: Environment, standing: Standing, function: Function) -> bool:
    if function.arrays or function.unread_arrays or any(a.field.name in function.names for _, a in env.arrays):
        return False
    body = Body(standing, function, {}, (), ())
    unseen: set[str] = set()
    doubts: list[str] = []
    for site in _called(env, body, unseen, doubts, set()):
        *_, label = site.name.lstrip(".").split("::")
        found = [it for it in env.functions(label) if not it[1].kernel]
        if not (all(_is_plain(env, *it) for it in found) if found else _harmless(env, body, site)):
            return False
    return not unseen and not doubts


def _called(
    env: Environment, body: Body, unseen: set[str], doubts: list[str], macro_sites: set[tuple[Body, int]]
) -> Iterator[CallSite]:
    """The calls of a body, those that its macros make in place of the macros."""
    expanded: set[str] = set()
    sites = {site.name for site in body.function.calls}
    at = body.function.body.start
    todo = [*body.function.calls]
    for name in sorted((body.function.names & macro_calls(env).keys()) - sites):
        todo += [CallSite(called, None, (), at) for called in sorted(macro_calls(env)[name])]
    while todo:
        site = todo.pop()
        if site.name == LOCAL:
            doubts.append("a macro declares local memory")
            continue
        plain = "::" not in site.name and not site.name.startswith(".")
        macros = env.macro_forms(site.name, body.standing.order) if plain else []
        if not macros:
            yield site
            continue
        macro_sites.add((body, site.start))
        calls = {name for macro in macros for name in macro.calls if name not in macro.parameters}
        calls |= {_given(site, macro, name) for macro in macros for name in macro.calls if name in macro.parameters}
        if len(macros) > 1 and any(function.arrays for name in calls for _, function in env.functions(name)):
            unseen.add(site.name)
        elif site.name not in expanded:
            expanded.add(site.name)
            doubts += [f"macro {site.name} declares local memory"] if any(it.local_memory for it in macros) else []
            todo += [CallSite(name, None, (), site.start) for name in sorted(calls)]


def _given(site: CallSite, macro: FunctionMacro, name: str) -> str:
    """What a macro calls by the name of its parameter."""
    index = macro.parameters.index(name)
    arguments = site.arguments or ()
    return arguments[index].strip() if index < len(arguments) else site.name


def _candidates(env: Environment, body: Body, site: CallSite) -> list[tuple[Standing, Function]]:
    """The functions that a call may mean: of those of that name, the nearest that take so many arguments."""
    *outer, label = site.name.lstrip(".").split("::")
    found = [it for it in env.functions(label) if not it[1].kernel or env.dialect.opencl]
    inside = _class_of(env, body, site)
    if inside is not None and (own := [it for it in found if _is_method(it, inside)]):
        found, outer = own, []
    if outer and outer[0]:
        named = [it for it in found if _path(it)[-len(outer) :] == tuple(outer)]
        found = named or [it for it in found if outer[-1] in body.bindings or not _path(it)]
    if len(found) > 1 and site.arguments is not None:
        fitting = [it for it in found if _takes(it[1], len(site.arguments))]
        found = fitting or found
    if len(found) > 1 and site.template:
        found = [it for it in found if len(it[1].template or ()) >= len(site.template)] or found
    if len(found) > 1:
        here = (*body.standing.namespaces, *body.function.owner)
        near = [it for it in found if _path(it) == here[: len(_path(it))]]
        deepest = max((len(_path(it)) for it in near), default=0)
        found = [it for it in near if len(_path(it)) == deepest] or found
    return found


def _path(found: tuple[Standing, Function]) -> tuple[str, ...]:
    return tuple(part for part in (*found[0].namespaces, *found[1].owner) if part)


def _takes(function: Function, count: int) -> bool:
    if any(p.type == "..." for p in function.parameters):
        return True
    return len([p for p in function.parameters if p.default is None]) <= count <= len(function.parameters)


def _instance(
    env: Environment, body: Body, site: CallSite, standing: Standing, function: Function
) -> tuple[Bindings, bool]:
    """What the call makes of the function's template parameters, and whether that is all of them."""
    around = _class_bindings(env, body, site, standing, function)
    whole = around is not None
    outside = bool(function.template) and around is not None and not _stands_in_class(env, standing, function)
    if outside and around:  # `template <int N> void A<N>::f()`: the parameters are the class's
        names = [read_parameter(text).name for text in function.template or ()]
        return dict(zip(names, around.values(), strict=False)), len(names) == len(around)
    if not function.template:
        return around or {}, whole
    here = body.scope(env, site.start)
    there = ItemScope(env, standing, function.body.start, function.owner, around)
    given = bind(function.template, site.template or (), here, there, deduce(function, site.arguments or (), here))
    return {**(around or {}), **given}, complete(function.template, given) and whole


def _class_of(env: Environment, body: Body, site: CallSite) -> Class | None:
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
        kind = type_of(site.on, here)
        kind = kind.pointee if isinstance(kind, Type) and kind.pointee is not None else kind
    return kind.inside if isinstance(kind, Type) else None


def _functor(env: Environment, body: Body, site: CallSite) -> Class | Code | None:
    """The class of the variable that is called, or that it is a lambda; None: no variable is called."""
    if not site.name.isidentifier():
        return None
    declared = body.scope(env, site.start).declared(site.name)
    if declared is None:
        return None
    text, there = declared
    bare = text.rstrip("&* ")
    bound = there.bound(bare)
    if isinstance(bound, Code):
        return bound if bound.is_lambda else None
    kind = resolve_type(bare, there) if bare not in ("", "auto", "[]") else ""
    return kind.inside if isinstance(kind, Type) else None


def _is_method(found: tuple[Standing, Function], inside: Class) -> bool:
    standing, function = found
    if standing.item == inside.standing.item:
        body = inside.definition.body
        return body.start <= function.body.start < body.end or function.owner == inside.path
    return function.owner[-1:] == inside.path[-1:]


def _class_bindings(
    env: Environment, body: Body, site: CallSite, standing: Standing, function: Function
) -> Bindings | None:
    """What the parameters of the method's class stand for; None: not known."""
    label = function.owner[-1] if function.owner else ""
    if not label or not any(t.template for _, t in env.types(label)):
        return {}
    inside = _class_of(env, body, site)
    if inside is not None:
        return inside.bindings
    same = function.owner == body.function.owner and site.on in ("", "this")
    return body.bindings if same and body.bindings else None


def _stands_in_class(env: Environment, standing: Standing, function: Function) -> bool:
    label = function.owner[-1] if function.owner else ""
    return not label or any(
        s.item == standing.item and t.body.start <= function.body.start < t.body.end for s, t in env.types(label)
    )


def _harmless(env: Environment, body: Body, site: CallSite) -> bool:
    """A call that cannot bring local memory: a built-in function, a conversion, a lambda of the same body."""
    name = site.name
    label = name.rsplit("::", 1)[-1]
    if not name or env.dialect.harmless.fullmatch(name) or label == body.function.name:
        return True
    if name.startswith("."):
        return False
    if name == "init" and "barrier" in body.function.names:
        return True  # a friend of cuda::barrier
    scope = body.scope(env, site.start)
    if env.types(label):
        return True
    if isinstance(scope.bound(label), Type):
        return True
    if any(
        read_parameter(text).name == label and read_parameter(text).kind == "type"
        for text in body.function.template or ()
    ):
        return True
    return "::" not in name and (_is_lambda(scope, label) or isinstance(resolve_type(label, scope), Type))


def _is_lambda(scope: ItemScope, name: str) -> bool:
    """Whether the name is a local variable that holds a lambda: its body is part of the function's text."""
    return any(definition.type == "[]" for definition in scope.standing.facts.locals.get(name, ()))
