"""What a body calls, the calls that its macros make among it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import attrgetter

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.semantic_hash import macro_words
from occupancy_lsp.source.lex.argument_text import call_arguments_at
from occupancy_lsp.source.lex.dialect import LOCAL, Dialect
from occupancy_lsp.source.lower.item_facts import CallSite, Function, FunctionMacro
from occupancy_lsp.source.lower.preprocessor_directives import names_called_by_macro_text
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.macro_uses import name_after_expansion
from occupancy_lsp.source.sema.translation_unit_scope import Environment


@dataclass(frozen=True, slots=True)
class OwnProperty:
    """What a function's own text says: that it is `such`, or else the names of the functions in sight that it calls."""

    such: bool
    calls: frozenset[str] = frozenset()


_NAME = regex(r"((?:::)?[A-Za-z_][\w:]*)\s*(?:<.*>)?\Z", re.DOTALL)
_CALLED = regex(r"\b([A-Za-z_]\w*)\s*\(")
_WORD = regex(r"[A-Za-z_]\w*")
_MOST_CALLED = 500  # in a macro's text
_MOST_EXPANDED = 1000  # uses of macros in a body
_CALLS = attrgetter("calls")
_Asks = Callable[[Environment, LocatedItem, Function], OwnProperty]


def has_property_transitively(env: Environment, what: str, placed: LocatedItem, function: Function, own: _Asks) -> bool:
    """Whether `own` says it of the function or of one that it calls, directly or not. `what`: the question's name.

    It is worked out for all that are reached together, by their names, each looked at once.
    """

    def compute() -> bool:
        said = _own_property(env, what, own, placed, function)
        return said.such or env.transitive_property_holds(
            what, partial(_own_property_of_overload_set, what, own), _CALLS, _propagate_to_callers, said.calls
        )

    return env.remember((f"{what} below", placed.item, placed.order, function.body.start), compute, False)


def _own_property_of_overload_set(what: str, own: _Asks, env: Environment, name: str) -> OwnProperty:
    """What the functions of the name say together; one that is such says all."""
    calls = set[str]()
    for it in env.functions_callable_on_device(name):
        said = _own_property(env, what, own, *it)
        if said.such:
            return OwnProperty(True)
        calls |= said.calls
    return OwnProperty(False, frozenset(calls))


def _own_property(env: Environment, what: str, own: _Asks, placed: LocatedItem, function: Function) -> OwnProperty:
    key = (f"own {what}", placed.item, placed.order, function.body.start)
    return env.remember(key, partial(_compute_own_property, own, env, placed, function), OwnProperty(False))


def _propagate_to_callers(said: Mapping[str, OwnProperty]) -> Mapping[str, bool]:
    """The names of which it is so: those whose functions say it, and back from them all that call them."""
    callers: dict[str, list[str]] = {}
    for name, own in said.items():
        for it in own.calls:
            callers.setdefault(it, []).append(name)
    todo = [name for name, own in said.items() if own.such]
    found = dict.fromkeys(todo, True)
    while todo:
        for name in callers.get(todo.pop(), ()):
            if name not in found:
                found[name] = True
                todo.append(name)
    return found


def _compute_own_property(own: _Asks, env: Environment, placed: LocatedItem, function: Function) -> OwnProperty:
    said = attempt(partial(own, env, placed, function))
    return OwnProperty(True) if isinstance(said, Defect) else said


@dataclass(frozen=True, slots=True)
class CallSites:
    """The calls of a body, those that its macros make in place of the macros.

    `unseen`: macros of which it is not known which is in force; `doubts`: why there may be local memory that is not
    seen; `expanded`: where macros with parameters stand.
    """

    sites: tuple[CallSite, ...] = ()
    unseen: frozenset[str] = frozenset()
    doubts: tuple[str, ...] = ()
    expanded: frozenset[int] = frozenset()


_NOTHING_CALLED = CallSites()


def call_sites(env: Environment, body: FunctionInstance) -> CallSites:
    """Remembered: they are the same in every instance."""
    placed = body.placed
    key = ("called sites", placed.item, placed.order, body.function.body.start)
    return env.remember(key, lambda: _find_call_sites(env, body), _NOTHING_CALLED)


def _find_call_sites(env: Environment, body: FunctionInstance) -> CallSites:
    written, macros = body.function.mentions.calls, macro_words(env).keys()
    named = {it.name for it in written}
    if (
        LOCAL not in named
        and named.isdisjoint(macros)
        and body.function.mentions.names.isdisjoint(names_called_by_macros(env))
    ):
        return CallSites(written[::-1])  # as mostly, in the order of below
    sites: list[CallSite] = []
    unseen: set[str] = set()
    doubts: list[str] = []
    at: set[int] = set()
    expanded: set[tuple[str, tuple[str, ...] | None]] = set()
    by_name: dict[str, Sequence[FunctionMacro] | str | None] = {}
    todo = _written_call_sites(env, body)
    while todo:
        site = todo.pop()
        if site.name == LOCAL:
            doubts.append("a macro declares local memory")
            continue
        if site.name in macros and site.name not in by_name:
            by_name[site.name] = _macro_definitions_or_callee(env, body, site)
        meant = by_name.get(site.name)
        if meant is None:
            sites.append(site)
            continue
        if isinstance(meant, str):
            todo.append(structs.replace(site, name=meant))
            continue
        at.add(site.start)
        use = site.name, site.arguments if any(map(_forwards_arguments, meant)) else None
        if use in expanded:
            continue
        expanded.add(use)
        if len(expanded) > _MOST_EXPANDED:
            doubts.append("too many macros to follow")
            break
        made = [it for macro in meant for it in _calls_in_macro_expansion(env, macro, site)]
        if len(meant) > 1 and any(function.memory.arrays for it in made for _, function in env.functions(it.name)):
            unseen.add(site.name)
        else:
            local = any(it.local_memory or declares_local_memory(env, it.body) for it in meant)
            doubts += [f"macro {site.name} declares local memory"] if local else []
            todo += made
    return CallSites(tuple(sites), frozenset(unseen), tuple(doubts), frozenset(at))


def _written_call_sites(env: Environment, body: FunctionInstance) -> list[CallSite]:
    """The calls in the text, and those of macros that stand there otherwise than as a call."""
    function, making = body.function, names_called_by_macros(env)
    found = [*function.mentions.calls, *(it for it in function.mentions.loose if it.name in making)]
    others = (function.mentions.names & making.keys()) - {
        site.name for site in (*function.mentions.calls, *function.mentions.loose)
    }
    at = function.body.start
    return found + [CallSite(it, None, (), at) for name in sorted(others) for it in sorted(making[name])]


def _macro_definitions_or_callee(
    env: Environment, body: FunctionInstance, site: CallSite
) -> Sequence[FunctionMacro] | str | None:
    """What a macro's name calls: the macro in one of these forms, or what another name means; None: itself."""
    return env.possible_function_macros(site.name, body.placed.order) or _callee_behind_macro_name(env, body, site)


def names_called_by_macros(env: Environment) -> Mapping[str, frozenset[str]]:
    """Of macros that may stand in a body otherwise than as a call: what their text calls, `__shared__` among it."""
    return env.cached_table("macro calls", _find_names_called_by_macros, ("macros", "plain macros"))


def _find_names_called_by_macros(env: Environment) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, plain in env.all_object_like_macros():
        local = declares_local_memory(env, plain.type)
        if "(" in plain.type or local:
            found.setdefault(name, set()).update(_calls_in(plain.type), {LOCAL} if local else ())
    for name, macro in env.all_function_like_macros():
        local = macro.local_memory or declares_local_memory(env, macro.body)
        found.setdefault(name, set()).update(macro.calls, {LOCAL} if local else ())
    return {name: frozenset(calls) for name, calls in found.items()}


def declares_local_memory(env: Environment, text: str) -> bool:
    """Whether a macro's text has a word for local memory, by whatever name."""
    return not _local_memory_words(env.dialect).isdisjoint(_identifiers_in(text))


@remembered(64)
def _local_memory_words(dialect: Dialect) -> frozenset[bytes]:
    return frozenset(word for word, name in dialect.annotations.words.items() if name == LOCAL)


@remembered(4096)
def _identifiers_in(text: str) -> frozenset[bytes]:
    """The same macros are in sight of many files."""
    return frozenset(it.encode() for it in _WORD.findall(text))


_calls_in = remembered(4096)(names_called_by_macro_text)


def _callee_behind_macro_name(env: Environment, body: FunctionInstance, site: CallSite) -> str | None:
    """What is called by an object-like macro's name; None: it is no such macro, or goes in a circle."""
    scope = body.scope(env, site.start)
    seen: list[str] = []
    name: str | None = site.name
    while name is not None and name not in seen:
        seen.append(name)
        text = scope.macro_text(name)
        name = name_after_expansion(text, scope) if text is not None else None
    return seen[-1] if name is None and len(seen) > 1 else None


def _forwards_arguments(macro: FunctionMacro) -> bool:
    """Whether what it calls hangs on what it is given."""
    return bool(_calls_with_macro_parameters(macro)) or not macro.calls.isdisjoint(macro.parameters)


def _calls_in_macro_expansion(env: Environment, macro: FunctionMacro, site: CallSite) -> Iterator[CallSite]:
    """What the macro's text calls where it is used so; a parameter that is called stands for what it is given."""
    given = dict(zip(macro.parameters, site.arguments or (), strict=False))
    inner = [
        (name, arguments)
        for name, arguments in _calls_with_macro_parameters(macro)
        if env.function_macros_among({name})
    ]
    for name in sorted(macro.calls - {name for name, _ in inner}):
        called = _callee_in_argument(given.get(name, site.name)) if name in macro.parameters else name
        yield CallSite(called, None, (), site.start)
    for name, arguments in inner:
        yield CallSite(name, None, tuple(given.get(it, it) for it in arguments), site.start)


def _callee_in_argument(given: str) -> str:
    """The name in what a macro is given and calls, `f` of `f<int>`; "" of a lambda or a string, whose text is here."""
    name = _NAME.match(given)
    return name[1] if name is not None else "" if given.startswith(("[", '"')) else given


@remembered(1024)
def _calls_with_macro_parameters(macro: FunctionMacro) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The calls in a macro's text that hand on something as it was given, each once."""
    found: dict[tuple[str, tuple[str, ...]], None] = {}
    for match in islice(_CALLED.finditer(macro.body), _MOST_CALLED):
        arguments, end = call_arguments_at(macro.body, match.end())
        if end and match[1] not in macro.parameters and not set(arguments).isdisjoint(macro.parameters):
            found[match[1], arguments] = None
    return tuple(found)
