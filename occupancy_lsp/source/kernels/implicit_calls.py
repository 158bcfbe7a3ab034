"""Functions that need local memory, and calls of them that no call shows: by pointer, operator or constructor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.barrier_calls import mentioned_functions_with_barrier
from occupancy_lsp.source.kernels.call_resolution import is_harmless_call
from occupancy_lsp.source.kernels.call_sites import OwnProperty, call_sites, has_property_transitively
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.lower.item_facts import Function, LocalArray
from occupancy_lsp.source.lower.symbol_table import Defined, LocatedItem, may_be_called_implicitly
from occupancy_lsp.source.sema.translation_unit_scope import Environment

# `typedef A<…> Name;` and `using Name = A<…>;`
_ALIAS = r"\btypedef\s+{0}\b[^;]*?(\w+)\s*;|\busing\s+(\w+)\s*=\s*(?:typename\s+)?{0}\b[^;]*;"
# `Name::`, `Name(storage).f` and `Name made(storage)`: but `Name(made);` declares one that is made of nothing.
_NOT_OF_NOTHING = regex(r"\s*::|\s*\(\s*[^\s()][^()]*(?:\([^()]*\)[^()]*)*\)\s*\.|\s+\w+\s*\(\s*[^\s)]")


def has_no_local_memory(env: Environment, placed: LocatedItem, function: Function) -> bool:
    """Whether neither the function nor anything it calls, in whatever instance, has to do with local memory."""
    return not has_property_transitively(env, "local memory", placed, function, _own_local_memory_property)


def _own_local_memory_property(env: Environment, placed: LocatedItem, function: Function) -> OwnProperty:
    if function.memory.arrays or function.memory.unread or env.arrays_among(placed.item, function.mentions.names):
        return OwnProperty(True)
    calls: set[str] = set()
    body = FunctionInstance(placed, function, {})
    every = call_sites(env, body)
    for site in every.sites:
        *outer, label = site.name.lstrip(".").split("::")
        if (
            outer
            and env.dialect.local_memory.harmless.fullmatch(site.name.removeprefix("::"))
            and not _is_defined_within(env, label, outer[-1])
        ):
            continue  # a library's: none in sight is in a namespace or class of that name, or in none
        if env.may_be_called_on_device(label):
            calls.add(label)
        elif not is_harmless_call(env, body, site):
            return OwnProperty(True)
    return OwnProperty(bool(every.unseen or every.doubts), frozenset(calls))


def _is_defined_within(env: Environment, label: str, outer: str) -> bool:
    paths = (placed.scope_path(function.owner) for placed, function in env.functions_callable_on_device(label))
    return any(not path or path[-1] == outer for path in paths)


@dataclass(frozen=True, slots=True)
class MentionedFunctions:
    """By some functions, whose identities are `by`. `said`: what they plainly call.

    What the names in them may call: `armed`, by name, functions with local memory; `waiting`, by name, the names of
    functions with a barrier.
    """

    by: frozenset[int] = frozenset()
    said: frozenset[str] = frozenset()
    with_local_memory: tuple[tuple[str, Sequence[Defined]], ...] = ()
    with_barrier: tuple[tuple[str, frozenset[str]], ...] = ()


NONE_MENTIONED = MentionedFunctions()


def mentioned_functions(env: Environment, placed: LocatedItem, function: Function) -> MentionedFunctions:
    """Remembered: an edit changes few functions."""
    key = ("mentioned", placed.item, function.body.start)
    return env.remember(key, lambda: _find_mentioned_functions(env, function), NONE_MENTIONED)


def _find_mentioned_functions(env: Environment, function: Function) -> MentionedFunctions:
    named = sorted(env.function_names_among(function.mentions.names))
    waits = ((name, mentioned_functions_with_barrier(env, name)) for name in named)
    arming = (
        (name, _without_uncalled_constructors(function, name, those))
        for name in named
        for those in _group_by_name_and_default_constructor(env, name)
    )
    return MentionedFunctions(
        frozenset((id(function),)),
        frozenset(site.unqualified_name for site in function.mentions.calls),
        tuple(it for it in arming if it[1]),
        tuple(it for it in waits if it[1]),
    )


def _group_by_name_and_default_constructor(env: Environment, name: str) -> Sequence[Sequence[Defined]]:
    """Those that bear the name, those that do not, and those that it may be that objects are made by: many may be one
    of these, and most say nothing of a text."""

    def group() -> Sequence[Sequence[Defined]]:
        several: dict[tuple[bool, bool], list[Defined]] = {}
        for it in mentioned_functions_with_local_memory(env, name):
            several.setdefault((it[1].name == name, _is_default_constructor(name, it[1])), []).append(it)
        return tuple(map(tuple, several.values()))

    return env.remember(("armed apart", name), group, ())


def _is_default_constructor(label: str, maker: Function) -> bool:
    """Whether it is a constructor without parameters of the class."""
    return not (maker.parameters or maker.returns or maker.owner[-1:] != (label,))


def _without_uncalled_constructors(function: Function, name: str, those: Sequence[Defined]) -> Sequence[Defined]:
    """The same object if it is all of them, as mostly."""
    if not those or not _is_default_constructor(name, those[0][1]):
        return those
    left = [it for it in those if not _never_default_constructs(function, name, it[1])]
    return those if len(left) == len(those) else tuple(left)


def _never_default_constructs(function: Function, label: str, maker: Function) -> bool:
    """Whether a function names a class for its types only, or makes objects of it with arguments, so that a constructor
    without parameters is not called."""
    if function.texts.code is None or not _is_default_constructor(label, maker):
        return False
    asked = _asked_classes(function)
    if label not in asked:
        asked[label] = _is_never_made_of_nothing(function.texts.code, label)
    return asked[label]


def _asked_classes(function: Function) -> dict[str, bool]:
    """By class that it was asked of, whether the function surely makes no object of it without arguments."""
    return function.remembered_answers.ask("made of nothing", dict)


def count_asked_classes(function: Function) -> int:
    return len(_asked_classes(function))


def makes_same_objects(one: Function, other: Function) -> bool:
    """Whether all that was asked of what objects a function makes has the same answer in another version of it."""
    if (one.texts.code is None) is not (other.texts.code is None):
        return False
    asked = _asked_classes(one).items() if other.texts.code is not None else ()
    return all(_is_never_made_of_nothing(other.texts.code or b"", label) is never for label, never in asked)


def _is_never_made_of_nothing(code: bytes, label: str) -> bool:
    text = code.decode("utf-8", "replace")
    aliases = {it[1] or it[2] for it in re.finditer(_ALIAS.format(re.escape(label)), text)}
    if "" in aliases or len(re.findall(rf"\b{label}\b", text)) != len(aliases):
        return False
    uses = (it for alias in aliases for it in re.finditer(rf"\b{alias}\b(?!\s*[;=])", text))
    return all(_NOT_OF_NOTHING.match(text, it.end()) for it in uses)


def merge_mentions(each: Sequence[MentionedFunctions]) -> MentionedFunctions:
    return MentionedFunctions(
        frozenset().union(*(it.by for it in each)),
        frozenset().union(*(it.said for it in each)),
        tuple({(name, id(those)): (name, those) for it in each for name, those in it.with_local_memory}.values()),
        tuple(dict.fromkeys(chain.from_iterable(it.with_barrier for it in each))),
    )


def implicitly_called_functions(each: Sequence[MentionedFunctions]) -> list[Function]:
    """Functions with local memory that a body names and does not plainly call: by pointer, operator or constructor."""
    by = frozenset[int]().union(*(it.by for it in each))
    said = frozenset[str]().union(*(it.said for it in each))
    found = {
        id(function): (placed.order, function.body.start, function)
        for name, those in chain.from_iterable(it.with_local_memory for it in each)
        if not (those[0][1].name == name and name in said)  # all of them bear it, or none does
        for placed, function in those
        if id(function) not in by
    }
    return [function for *_, function in sorted(found.values(), key=lambda it: it[:2])]


def has_only_dynamic_arrays(function: Function) -> bool:
    return (
        bool(function.memory.arrays) and all(it.dynamic for it in function.memory.arrays) and not function.memory.unread
    )


def mentioned_functions_with_local_memory(env: Environment, name: str) -> Sequence[Defined]:
    """Functions that need local memory, which the mention of a name may call: of that name, or unsaid."""
    return env.remember(("armed", name), lambda: tuple(_find_mentioned_functions_with_local_memory(env, name)), ())


def _find_mentioned_functions_with_local_memory(env: Environment, name: str) -> Iterator[Defined]:
    found = [
        it
        for it in env.every_function_named(name)
        if not may_be_called_implicitly(it[1]) and has_static_array(env, it[1].memory.arrays)
    ]
    found += [it for it in env.implicit_callees_of_name(name) if it[1].name != "operator()"]
    for placed, function in found:
        if not (function.kernel or env.is_host_only(function) or has_no_local_memory(env, placed, function)):
            yield placed, function


def has_static_array(env: Environment, arrays: Iterable[LocalArray]) -> bool:
    """Whether one of them is of a size that the text says. Where kernels are given local memory, what points there is
    none."""
    given = env.dialect.local_memory.parameters
    return any(not (it.dynamic or (given and it.points)) for it in arrays)
