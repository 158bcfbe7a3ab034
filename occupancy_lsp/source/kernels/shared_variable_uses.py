"""What functions do with shared variables and with the pointers made of them, followed into what they call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Optional

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import EMPTY, frozen
from occupancy_lsp.core.query import Beside
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import CompiledPlaces, FunctionInstance
from occupancy_lsp.source.kernels.reachability import KernelReachability
from occupancy_lsp.source.lower.array_accesses import accesses_in_macro, array_accesses, names_in_expression
from occupancy_lsp.source.lower.call_output_destinations import destinations_of_output
from occupancy_lsp.source.lower.item_facts import (
    EFFECT,
    ArrayAccess,
    CallSite,
    Function,
    FunctionMacro,
    LocalArray,
    VariableAssignment,
    call_destination,
    reaches_caller,
)
from occupancy_lsp.source.sema.translation_unit_scope import Environment

_WORD = regex(r"[A-Za-z_]\w*")
_START = attrgetter("start")
_DEEPEST = 6
_MOST_CALLERS = 50  # through which a result is followed
# The call that a function is followed from, in which function, and how that is called; None: any.
Used = Optional["tuple[FunctionInstance, CallSite, Used]"]
_Key = tuple[FunctionInstance, str, int, Used]
_Call = tuple[FunctionInstance, CallSite]  # of which function, and where


@dataclass(frozen=True, slots=True)
class _OwnUses:
    """What a function says of names in whatever instance. `accesses`: those that declare nothing; `pointed`: what is
    assigned to pointers, by the names in it; `made_of`: by pointers, those names; `handed`: the calls in whose
    arguments a name stands, each with the index; `sites`: calls by the names of what they call, with the names in their
    arguments."""

    accesses: Mapping[str, Sequence[ArrayAccess]]
    assigned: Mapping[str, Sequence[VariableAssignment]]
    pointed: Mapping[str, Sequence[VariableAssignment]]
    made_of: Mapping[str, frozenset[str]]
    handed: Mapping[str, Sequence[tuple[CallSite, int]]]
    sites: Mapping[str, Sequence[tuple[CallSite, frozenset[str]]]]


def _collect_own_uses(function: Function) -> _OwnUses:
    picked = array_accesses(function)
    declared = {it.field.span.start for it in function.memory.arrays if not it.points}
    pointers = {it.name for it in picked.accesses if it.effect == "written" and not it.path}
    accesses: dict[str, list[ArrayAccess]] = defaultdict(list)
    assigned: dict[str, list[VariableAssignment]] = defaultdict(list)
    handed: dict[str, list[tuple[CallSite, int]]] = defaultdict(list)
    sites: dict[str, list[tuple[CallSite, frozenset[str]]]] = defaultdict(list)
    for access in picked.accesses:
        if access.start not in declared:
            accesses[access.name].append(access)
    for it in picked.assigned:
        assigned[it.name].append(it)
    for site in (*function.mentions.calls, *function.mentions.loose):
        named = [names_in_expression(text.encode()) for text in site.arguments or ()]
        sites[site.name].append((site, frozen(chain.from_iterable(named))))
        for index, each in enumerate(named):
            for word in each:
                handed[word].append((site, index))
    pointed: dict[str, list[VariableAssignment]] = defaultdict(list)
    made_of: dict[str, frozenset[str]] = {}
    for it in picked.assigned:
        if it.name in pointers:
            made_of[it.name] = made_of.get(it.name, frozenset()) | it.words
            for word in it.words:
                pointed[word].append(it)
    return _OwnUses(accesses, assigned, pointed, made_of, handed, sites)


class NameUses:
    """What a function does with names, as far as it surely runs."""

    def __init__(self, env: Environment, body: FunctionInstance, is_compiled: CompiledPlaces) -> None:
        self._env = env
        self._body = body
        self._said: _OwnUses = body.function.remembered_answers.ask(
            "said of names", lambda: _collect_own_uses(body.function)
        )
        self.is_compiled = is_compiled
        self._known = Beside()

    def accesses(self, name: str, wanted: Callable[[ArrayAccess], object] | None = None) -> Iterator[ArrayAccess]:
        """Yield where it is named, as far as that is wanted; a pointer to shared variables is given a value where it is
        declared."""
        each = self.possible_accesses(name)
        return (it for it in each if (wanted is None or wanted(it)) and self.is_compiled(it.start))

    def possible_accesses(self, name: str) -> Sequence[ArrayAccess]:
        """Return the same, whether that surely is compiled or not."""
        return self._said.accesses.get(name, ())

    def is_accessed(self, name: str, wanted: Callable[[ArrayAccess], object] | None = None) -> bool:
        return any(True for _ in self.accesses(name, wanted))

    def is_reference(self, name: str) -> bool:
        """Return whether it is a name for a part of another variable."""
        return self.is_accessed(name, lambda it: it.address and it.effect == "written")

    def value_destinations(self, access: ArrayAccess) -> frozenset[str]:
        """Return where the value of what it is part of goes in this instance."""
        found, perhaps = access.destinations()
        return found.union(use.to for use in perhaps if all(map(self.is_compiled, use.under)))

    def assigned(self, name: str) -> Sequence[VariableAssignment]:
        return self._said.assigned.get(name, ())

    def handed(self, name: str) -> Sequence[tuple[CallSite, int]]:
        """Return the calls in whose arguments it stands, each with the index."""
        each = self._said.handed.get(name, ())
        return self._known.ask(("handed", name), lambda: [it for it in each if self._body.runs(it[0].start) is True])

    def handed_to(self, name: str, callees: frozenset[str]) -> Sequence[tuple[CallSite, int]]:
        """Return the same of the calls of what has one of these names."""
        return self._known.ask(
            ("handed to", name, callees), lambda: [it for it in self.handed(name) if it[0].unqualified_name in callees]
        )

    def calls_named(self, label: str) -> Sequence[tuple[CallSite, Sequence[frozenset[str]]]]:
        """Return the calls of what has that name, each with the names in its arguments."""
        each = (site for sites in self._said.sites.values() for site, _ in sites if site.unqualified_name == label)
        found = ((site, [names_in_expression(it.encode()) for it in site.arguments or ()]) for site in each)
        return self._known.ask(("calls of", label), lambda: [*found])

    def macros(self, name: str) -> Sequence[CallSite]:
        """Return the calls of macros that name it or are given it."""
        if not self._macro_forms:
            return ()
        return self._known.ask(("macros", name), lambda: [*self._find_macro_calls(name)])

    def _find_macro_calls(self, name: str) -> Iterator[CallSite]:
        for sites, forms in self._macro_forms:
            named = any(name in it.names for it in forms)
            yield from (it for it, words in sites if (named or name in words) and self._body.runs(it.start) is True)

    @cached_property
    def _macro_forms(self) -> Sequence[tuple[Sequence[tuple[CallSite, frozenset[str]]], Sequence[FunctionMacro]]]:
        return [*self._macro_calls_with_definitions()]

    def _macro_calls_with_definitions(
        self,
    ) -> Iterator[tuple[Sequence[tuple[CallSite, frozenset[str]]], Sequence[FunctionMacro]]]:
        for name, sites in self._said.sites.items():
            if forms := self._env.possible_function_macros(name, self._body.placed.order):
                yield sites, forms

    def pointers_made_of(self, name: str) -> Sequence[str]:
        """Return what may be a pointer made of it."""
        return [it.name for it in self._said.pointed.get(name, ())]

    def possible_pointees(self, pointer: str) -> frozenset[str]:
        """Return what it may be a pointer made of; nothing if it is none."""
        return self._said.made_of.get(pointer, frozenset())

    def pointers(self, name: str) -> Sequence[str]:
        """Return what is declared as a pointer made of it, and stays that."""
        return [it.name for it in self._said.pointed.get(name, ()) if self._stays_pointer_to(it, name)]

    def variable_of(self, name: str) -> str:
        """Return the variable that a name is or surely points into; the pointer itself where that is not known."""
        return self._known.ask(("variable of", name), lambda: self._find_variable(name))

    def _find_variable(self, name: str) -> str:
        seen = {name}
        while (
            pointee := next((it for it in self.possible_pointees(name) if name in self.pointers(it)), name)
        ) not in seen:
            seen.add(pointee)
            name = pointee
        return name

    def may_be_named(self, name: str) -> bool:
        """Return whether it stands in the text in a place that is looked at."""
        return name in self._said.accesses or bool(self._macro_forms)

    def possible_aliases(self, name: str) -> frozenset[str]:
        """Return the names that may stand for a part of the same variable in any instance."""

        def collect_aliases() -> frozenset[str]:
            seen, todo = {name}, [name]
            while todo:
                it = todo.pop()
                more = {*self.pointers_made_of(it), *self.possible_pointees(it)} - seen
                seen |= more
                todo += more
            return frozenset(seen)

        return self._body.function.remembered_answers.ask(("aliases", name), collect_aliases)

    def _stays_pointer_to(self, pointer: VariableAssignment, name: str) -> bool:
        one = pointer.points and [it for it in pointer.words if self.is_accessed(it)] == [name]
        return one and not self._is_reassigned(pointer.name)

    def _is_reassigned(self, name: str) -> bool:
        """Return whether a pointer is also given a value where it is not declared."""
        whole = [*self.accesses(name, lambda it: it.effect == "written" and not it.path)]
        return not any(it.address for it in whole) and len(whole) > sum(it.points for it in self.assigned(name))


class BodyUses:
    """What the functions that one kernel reaches do with names."""

    def __init__(self, env: Environment, found: KernelReachability) -> None:
        self.env = env
        self.found = found
        self._uses: dict[FunctionInstance, NameUses] = {}
        self._places: dict[FunctionInstance, CompiledPlaces] = {}
        self._callers: dict[FunctionInstance, list[_Call]] | None = None

    def of(self, body: FunctionInstance) -> NameUses:
        found = self._uses.get(body)
        if found is None:
            found = self._uses[body] = NameUses(self.env, body, self.compiled_places(body))
        return found

    def compiled_places(self, body: FunctionInstance) -> CompiledPlaces:
        if body not in self._places:
            self._places[body] = CompiledPlaces(self.env, body)
        return self._places[body]

    def callees(self, body: FunctionInstance, start: int) -> Sequence[FunctionInstance]:
        """Return the functions in sight that the call means which starts there."""
        return self.found.calls_of(body).known.get(start, ())

    def calls_of_function(self, body: FunctionInstance) -> Sequence[_Call]:
        """Return the calls of a function that the kernel reaches."""
        if self._callers is None:
            self._callers = defaultdict(list)
            for caller in self.found.bodies:
                known = self.found.calls_of(caller).known
                for site in caller.function.mentions.calls if known else ():
                    for it in dict.fromkeys(known.get(site.start, ())):
                        self._callers[it].append((caller, site))
        return self._callers.get(body, ())


class TransitiveUses:
    """Whether something is surely done to what a name stands for or points to, here or where its address goes:
    `_is_done_by_access` says it of one place.

    `used`: the call of the function of whose result something may come.
    """

    def __init__(self, uses: BodyUses) -> None:
        self._env = uses.env
        self._uses = uses
        self._of = uses.of
        self._done: dict[_Key, bool] = {}
        self._asking = set[_Key]()
        self._asked_again = set[_Key]()  # what of these was asked again for itself
        self._denied: list[_Key] = []
        self._taken: dict[tuple[FunctionInstance, str], bool] = {}
        self._callers_followed = 0  # callers, each of the one before

    def _is_done_by_access(self, body: FunctionInstance, access: ArrayAccess, extents: int, used: Used) -> bool:
        raise NotImplementedError

    def is_read(self, body: FunctionInstance, name: str, used: Used) -> bool:
        """Return whether something comes of what is stored to a variable."""
        return True

    def _is_done_by_callee(self, callee: FunctionInstance, index: int, depth: int, used: Used) -> bool:
        """Return whether the function does it that is handed the address as the argument at `index`."""
        return self._is_done_to_name(callee, callee.function.parameters[index].name, 1, depth + 1, used)

    def _is_done_to_variable(self, body: FunctionInstance, array: LocalArray, own: bool) -> bool:
        """Return whether it is done to the variable. `own`: it is of the body; else it stands outside of functions."""
        name, extents = array.field.name, len(array.field.extents)
        return any(self._is_done_to_name(it, name, extents, 0, None) for it in self._bodies_to_search(body, own))

    def _is_value_used(self, body: FunctionInstance, place: str, used: Used) -> bool:
        """Return whether something comes of a value that goes there."""
        if not is_returned_to_caller(place):
            return place.endswith(EFFECT) or self.is_read(body, place, used)
        if used is not None:
            caller, site, outer = used
            return self._is_result_of_call_used(caller, site, body, place, outer)
        key = body, place
        if key not in self._taken:
            self._taken[key] = False  # while it asks for itself
            self._callers_followed += 1
            self._taken[key] = self._callers_followed <= _MOST_CALLERS and self._is_result_used(body, place)
            self._callers_followed -= 1
        return self._taken[key]

    def _is_result_used(self, body: FunctionInstance, place: str) -> bool:
        """Return whether something comes of what the function gives back there, wherever the kernel calls it."""
        sites = self._uses.calls_of_function(body)
        return not sites or any(self._is_result_of_call_used(caller, site, body, place, None) for caller, site in sites)

    def _is_result_of_call_used(
        self, body: FunctionInstance, site: CallSite, callee: FunctionInstance, place: str, used: Used
    ) -> bool:
        """Return whether something comes of what one call gives back there. `used`: as of the function around it."""
        found, perhaps = destinations_of_output(body.function, site, callee.function, place)
        is_compiled = self._of(body).is_compiled
        more = {use.to for use in perhaps if all(map(is_compiled, use.under))}
        if not found and not perhaps and site.unqualified_name != callee.function.name:  # a macro makes the call
            return True
        own = call_destination(site.unqualified_name)
        return any(it != own and self._is_value_used(body, it, used) for it in found | more)

    def _bodies_to_search(self, body: FunctionInstance, own: bool) -> Sequence[FunctionInstance]:
        return (body,) if own else self._uses.found.bodies

    def _is_done_to_name(self, body: FunctionInstance, name: str, extents: int, depth: int, used: Used) -> bool:
        key = body, name, extents, used
        if key in self._done:
            self._asked_again |= {key} & self._asking
            return self._done[key]
        self._done[key] = False  # while it asks for itself
        self._asking.add(key)
        denied = len(self._denied)
        found = depth <= _DEEPEST and self._search_name(body, name, extents, depth, used)
        self._asking.remove(key)
        if found and key in self._asked_again:  # what was denied since may have been so for that alone
            for it in self._denied[denied:]:
                self._done.pop(it, None)
            del self._denied[denied:]
        elif not found:
            self._denied.append(key)
        self._done[key] = found
        return found

    def _search_name(self, body: FunctionInstance, name: str, extents: int, depth: int, used: Used) -> bool:
        uses = self._of(body)
        extents = 0 if uses.is_reference(name) else extents  # `int &name = …`
        return (
            uses.is_accessed(name, lambda it: self._is_done_by_access(body, it, extents, used))
            or any(
                self._is_done_by_callee(it, index, depth, taken)
                for it, index, taken in self._callees_given_address(
                    body, [*uses.accesses(name, lambda it: it.is_address(extents))], extents, used
                )
            )
            or any(self._is_done_by_macro(body, it, name, extents, used) for it in uses.macros(name))
            or any(self._is_done_to_name(body, it, 1, depth + 1, used) for it in uses.pointers(name) if it != name)
        )

    def _callees_given_address(
        self, body: FunctionInstance, own: Sequence[ArrayAccess], extents: int, used: Used
    ) -> Iterator[tuple[FunctionInstance, int, Used]]:
        """Yield the functions in sight that are given the variable's address, each with the argument's index and the
        call."""
        followed = _call_chain_depth(used) < _DEEPEST
        given_to = frozenset(it.callee for it in own if it.is_address(extents)) if followed else EMPTY
        for site, index in self._of(body).handed_to(own[0].name, given_to) if given_to else ():
            callees = self._uses.callees(body, site.start)
            if len(callees) == 1 and index < len(callees[0].function.parameters):
                yield callees[0], index, (body, site, used)

    def _is_done_by_macro(self, body: FunctionInstance, site: CallSite, name: str, extents: int, used: Used) -> bool:
        """Return whether the call is of a macro that surely does it to the variable, which it names or is given."""
        forms = self._env.possible_function_macros(site.name, body.placed.order)
        return all(self._is_done_by_macro_form(body, site, form, name, extents, used) for form in forms)

    def _is_done_by_macro_form(
        self, body: FunctionInstance, site: CallSite, macro: FunctionMacro, name: str, extents: int, used: Used
    ) -> bool:
        return any(
            self._is_done_by_access(body, it, extents, used)
            for it in self._accesses_in_macro_form(body, site, macro, name)
        )

    def _accesses_in_macro_form(
        self, body: FunctionInstance, site: CallSite, macro: FunctionMacro, name: str
    ) -> Iterator[ArrayAccess]:
        """Yield where the macro's text names a variable, or a parameter that is given it, as it stands at the site."""
        given = arguments_by_parameter(macro, site)
        told = [it for it, text in given.items() if text.strip("& ") == name]
        for it in told if told or name in given else (name,):
            yield from self._accesses_at_word_of_macro(body, site, macro, it, name)

    def _accesses_at_word_of_macro(
        self, body: FunctionInstance, site: CallSite, macro: FunctionMacro, word: str, name: str
    ) -> Iterator[ArrayAccess]:
        """Yield where a word of the macro's text stands for a variable, or an element of it."""
        given = arguments_by_parameter(macro, site)
        for it in accesses_in_macro(macro.body, word):
            yield structs.replace(self._access_with_arguments(body, it, given, site), name=name)

    def _access_with_arguments(
        self, body: FunctionInstance, access: ArrayAccess, given: Mapping[str, str], site: CallSite
    ) -> ArrayAccess:
        """Return an access in a macro's body with the arguments' texts for the parameters, and with what becomes of the
        macro's value at the site."""

        def substitute_arguments(text: str) -> str:
            return _WORD.sub(lambda match: f"({given[match[0]]})" if match[0] in given else match[0], text)

        added = tuple(it for it in map(substitute_arguments, access.added) if names_in_expression(it.encode()))
        path = tuple(map(substitute_arguments, access.path))
        there = next(self._of(body).accesses(site.name, lambda it: it.start == site.start), None)
        effect, reaches = access.effect, access.sure_destinations
        if results := frozenset(filter(reaches_caller, reaches)):
            reaches -= results
            if there is not None:
                effect, reaches = access.effect or there.effect, reaches | self._of(body).value_destinations(there)
        return structs.replace(
            access, start=site.start, path=path, added=added, effect=effect, destinations=lambda: (reaches, ())
        )


def arguments_by_parameter(macro: FunctionMacro, site: CallSite) -> Mapping[str, str]:
    """Return the arguments' texts by the macro's parameters."""
    return dict(zip(macro.parameters, site.arguments or (), strict=False))


def is_returned_to_caller(place: str) -> bool:
    """Return whether a value goes there that the caller of the function gets."""
    return place.startswith("*") or reaches_caller(place)


def _call_chain_depth(used: Used) -> int:
    return 0 if used is None else 1 + _call_chain_depth(used[2])
