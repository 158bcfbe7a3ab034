"""Whether a compiler keeps a shared variable at all: it drops what is only written, by whatever pointer.

LLVM's GlobalOpt removes variables that nothing loads from; loads whose values nothing uses are gone before.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import attrgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.shared_variable_uses import (
    BodyUses,
    NameUses,
    TransitiveUses,
    Used,
    arguments_by_parameter,
    is_returned_to_caller,
)
from occupancy_lsp.source.lower.array_accesses import accesses_in_macro, array_accesses, names_in_expression
from occupancy_lsp.source.lower.call_output_destinations import (
    assigns_only_own_variables,
    lambda_uses_parameter,
    parameter_destinations,
)
from occupancy_lsp.source.lower.item_facts import (
    EFFECT,
    ArrayAccess,
    CallSite,
    Function,
    FunctionMacro,
    LocalArray,
    Parameter,
    call_destination,
    pointee_destination,
    reaches_caller,
)
from occupancy_lsp.source.lower.value_destinations import occurrences_of

# Given an address, these read there or keep what is there.
_LOADING = regex(r"asm|(?:hip)?atomic\w+|atom_\w+|__cvta_\w+|\w*Interlocked\w*|\w*[lL]oad\w*|\w*LOAD\w*")
ATOMIC = regex(r"(?:atomic|Interlocked)\w+")  # of shaders: these are given what they change, not its address
BARRIER = regex(
    r"__syncthreads\w*|__syncwarp|(?:work_group_|sub_group_|threadgroup_|simdgroup_)?barrier|(?:\w+::)*sync|\.sync|\w+GroupSync|workgroupBarrier|\.(?:arrive|wait)\w*|__\w*barrier\w*|.*fence\w*"
)
_UNEVALUATED = frozenset(("sizeof", "alignof", "decltype", "typeof", "__typeof__"))
_BRACKETS = regex(r"[\[\]()\s]")
_DISTANCE = regex(r"[-+^]0*[1-9]\d*[uU]?")
_DEEPEST = 3
_START = attrgetter("start")


@dataclass(frozen=True, slots=True)
class _PossibleWrite:
    """`in_macro`: by a macro, whose call surely runs."""

    start: int
    access: ArrayAccess
    in_macro: bool


class ReadTracker(TransitiveUses):
    """What reads from variables, in what one kernel reaches, and does something with what it reads."""

    def __init__(self, uses: BodyUses) -> None:
        super().__init__(uses)
        self._written: dict[tuple[FunctionInstance, str], list[_PossibleWrite]] = {}
        self._called: dict[tuple[FunctionInstance, str, Used], bool] = {}

    def is_certain_for(self, body: FunctionInstance, array: LocalArray, own: bool) -> bool:
        """Return whether something surely reads from the variable. `own`: it is of the body; else it stands outside of
        functions."""
        if not array.volatile:
            return self._is_done_to_variable(body, array, own)
        name, extents = array.field.name, len(array.field.extents)
        bodies = self._bodies_to_search(body, own)
        elements = (self._of(one).is_accessed(name, lambda it: not it.is_address(extents)) for one in bodies)
        return self._is_done_to_variable(body, array, own) or any(elements)

    def has_effect_from(self, body: FunctionInstance, access: ArrayAccess, used: Used) -> bool:
        """Return whether something surely comes of what is read there."""
        if access.effect in ("changed", "volatile"):
            return True
        back = access.name, pointee_destination(access.name)
        reached = self._of(body).value_destinations(access)
        return any(
            it in back or self._is_destination_used(body, it, access.name, access.start, used, 0) for it in reached
        )

    def _is_value_used(self, body: FunctionInstance, place: str, used: Used) -> bool:
        if place == EFFECT or not place.endswith(EFFECT):
            return super()._is_value_used(body, place, used)
        key = body, place, used
        if key not in self._called:
            self._called[key] = False  # while it asks for itself
            self._called[key] = self._is_destination_used(body, place, "", 0, used, 0)
        return self._called[key]

    def _is_destination_used(
        self, body: FunctionInstance, place: str, name: str, at: int, used: Used, depth: int
    ) -> bool:
        """Return whether something comes of a value that goes to a place, and is made of `name` as that stands at `at`:
        of what a call gets that is a whole statement, what the function does with it."""
        if place == EFFECT or not place.endswith(EFFECT):
            return super()._is_value_used(body, place, used)
        sites = self._of(body).calls_named(place.removesuffix(EFFECT))
        each = [(site, index) for site, named in sites for index, words_ in enumerate(named) if name in words_]
        last = max((site.start for site, _ in each if site.start <= at), default=None)
        if last is not None:
            each = [it for it in each if it[0].start == last]
        elif not each:  # by way of a variable
            each = [(site, index) for site, named in sites for index in range(len(named))]
        return not each or any(self._is_argument_used(body, site, index, used, depth) for site, index in each)

    def _is_argument_used(self, body: FunctionInstance, site: CallSite, index: int, used: Used, depth: int) -> bool:
        """Return whether something comes of the argument at an index of a call; of what is called out of sight, it is
        taken for granted."""
        callees = self._uses.callees(body, site.start) or [
            FunctionInstance(placed, function, {})
            for placed, function in self._env.functions(site.unqualified_name)
            if bool(function.owner) or not site.name.startswith(".")
        ]
        if not callees:
            return lambda_uses_parameter(body.function, site.name, index) is not False
        return all(self._is_argument_used_in_callee(it, index, body, site, used, depth) for it in callees)

    def _is_argument_used_in_callee(
        self, callee: FunctionInstance, index: int, body: FunctionInstance, site: CallSite, used: Used, depth: int
    ) -> bool:
        function = callee.function
        if function.specifiers.apart or function.specifiers.host or index >= len(function.parameters):
            return True
        parameter, uses = function.parameters[index], self._of(callee)
        refers = parameter.type.endswith("&")
        if parameter.volatile or uses.is_accessed(parameter.name, lambda it: it.effect and (it.path or refers)):
            return True
        taken = (body, site, used)
        for at, (found, perhaps) in parameter_destinations(function, index).items() if depth < _DEEPEST else ():
            if uses.is_compiled(at):
                more = {use.to for use in perhaps if all(map(uses.is_compiled, use.under))}
                if any(
                    self._is_destination_used(callee, it, parameter.name, at, taken, depth + 1) for it in found | more
                ):
                    return True
        # A method may put it into its object.
        puts = function.owner and parameter.uses and not assigns_only_own_variables(function)
        return bool(puts) and not self._is_named_only_once_more(body, site.on)

    def _is_named_only_once_more(self, body: FunctionInstance, name: str) -> bool:
        """Return whether a variable of the body is named where it is declared and in one more place only."""
        if not name.isidentifier() or name == "this":
            return False
        text = body.function.texts.device_code
        return len([*occurrences_of(text, name.encode(), 0, len(text))]) <= 2

    def is_read(self, body: FunctionInstance, name: str, used: Used) -> bool:
        return self._is_done_to_name(body, name, _extent_count(body, name), 0, used)

    def _search_name(self, body: FunctionInstance, name: str, extents: int, depth: int, used: Used) -> bool:
        return super()._search_name(body, name, extents, depth, used) or self._is_read_by_all_candidates(
            body, name, extents
        )

    def _is_done_by_access(self, body: FunctionInstance, access: ArrayAccess, extents: int, used: Used) -> bool:
        if access.callee in _UNEVALUATED or access.effect == "written":
            return False
        if access.is_address(extents):  # what a function in sight does with it is followed
            return bool(_LOADING.fullmatch(access.callee)) and not self._env.has_function(access.callee)
        if self._may_write_argument(body, access.callee) or self._may_callee_ignore_value(body, access):
            return False
        if access.effect != "volatile" and self._reads_own_write(body, access):
            return False
        back = access.effect == "changed" or not self._of(body).value_destinations(access).isdisjoint(
            (access.name, pointee_destination(access.name))
        )
        if back and self._may_be_overwritten(body, access):
            return False
        return self.has_effect_from(body, access, used)

    def _reads_own_write(self, body: FunctionInstance, access: ArrayAccess) -> bool:
        """Return whether a thread may read there but what it has just written itself, which then is in a register."""
        return any(self._may_be_forwarded(body, it, access) for it in self._stores_that_may_be_read(body, access))

    def _may_be_forwarded(self, body: FunctionInstance, store: ArrayAccess, access: ArrayAccess) -> bool:
        """Return whether the compiler may take what is stored for what is read later."""
        if store.effect == "volatile":
            return False
        if not store.effect:
            return True
        return self._names_in_index(body, store) == self._names_in_index(
            body, access
        ) and not self._is_at_known_distance(body, store, access)

    def _is_at_known_distance(self, body: FunctionInstance, one: ArrayAccess, other: ArrayAccess) -> bool:
        """Return whether an element stands a known distance from another: `t[i ^ 1]` from `t[i]`."""
        if one.name != other.name or one.added or other.added or not len(one.path) == len(other.path) == 1:
            return False
        assigned = self._of(body).assigned
        named = names_in_expression(other.path[0].encode())
        if any(one.start < it.start < other.start for name in named for it in assigned(name)):
            return False  # the index is another by then
        near, far = sorted((_BRACKETS.sub("", it) for it in (one.path[0], other.path[0])), key=len)
        return far.startswith(near) and _DISTANCE.fullmatch(far, len(near)) is not None

    def _names_in_index(self, body: FunctionInstance, access: ArrayAccess) -> frozenset[str]:
        """Return what the index of an element is made of, with what was added to its pointer."""
        aliases = self._aliases(body, access.name)
        own = frozenset[str]().union(*(names_in_expression(it.encode()) for it in (*access.added, *access.path)))
        pointed = self._of(body).assigned(access.name) if self._is_pointer(body, access.name) else ()
        started = (it.words - aliases for it in pointed if it.points or it.words & aliases)
        return self._transitive_names(body, own.union(*started))

    def _transitive_names(self, body: FunctionInstance, names: frozenset[str]) -> frozenset[str]:
        """Return what the values of variables are made of, and of those that they are made of, and so on."""
        assigned, todo = self._of(body).assigned, {*names}
        seen, found = set[str](), set[str]()
        while todo:
            name = todo.pop()
            seen.add(name)
            made = {word for it in assigned(name) for word in it.words} - {name}
            todo |= made - seen
            if not made:
                found.add(name)
        return frozenset(found) or names

    def _may_be_overwritten(self, body: FunctionInstance, access: ArrayAccess) -> bool:
        """Return whether what a thread makes of an element there may be replaced before anybody reads it."""
        stores, barriers = self._possible_writes(body, access.name), _barriers_of(body)
        following, waiting = bisect_right(stores, access.start, key=_START), bisect_right(barriers, access.start)
        next_barrier = barriers[waiting] if waiting < len(barriers) else body.function.body.end
        return any(self._is_kept(body, it) for it in takewhile(lambda it: it.start <= next_barrier, stores[following:]))

    def _stores_that_may_be_read(self, body: FunctionInstance, access: ArrayAccess) -> Iterator[ArrayAccess]:
        """Yield the stores one of which may be the last to the same variable before another access, if no threads wait
        for each other between the two: backwards up to one that surely is to that variable."""
        stores, barriers = self._possible_writes(body, access.name), _barriers_of(body)
        before, waiting = bisect_left(stores, access.start, key=_START), bisect_left(barriers, access.start)
        last_barrier = barriers[waiting - 1] if waiting else 0
        since = takewhile(lambda it: it.start >= last_barrier, reversed(stores[:before]))
        variable = self._of(body).variable_of(access.name)
        for it in since:
            if self._is_kept(body, it):
                yield it.access
                if self._of(body).variable_of(it.access.name) == variable:
                    return

    def _is_kept(self, body: FunctionInstance, write: _PossibleWrite) -> bool:
        return write.in_macro or self._of(body).is_compiled(write.start) is True

    def _possible_writes(self, body: FunctionInstance, name: str) -> list[_PossibleWrite]:
        """Return where a variable may be written to, by its name, pointers and macros, and where functions get its
        address that may write to it; in the order of the text."""
        key = body, name
        if key not in self._written:
            uses = self._of(body)
            aliases = [it for it in uses.possible_aliases(name) if it == name or uses.may_be_named(it)]
            found = [it for alias in aliases for it in self._possible_writes_through_name(body, alias)]
            self._written |= dict.fromkeys(((body, it) for it in aliases), sorted(found, key=_START))
        return self._written[key]

    def _possible_writes_through_name(self, body: FunctionInstance, name: str) -> Iterator[_PossibleWrite]:
        own = (it for it in self._of(body).possible_accesses(name) if self._may_be_write(body, it))
        yield from (_PossibleWrite(it.start, it, False) for it in own)
        yield from (_PossibleWrite(it.start, it, True) for it in self._writes_in_macros(body, name))

    def _may_be_write(self, body: FunctionInstance, access: ArrayAccess) -> bool:
        stored = access.effect and (access.path or not self._is_pointer(body, access.name))
        return bool(stored) or self._may_callee_write(access)

    def _writes_in_macros(self, body: FunctionInstance, name: str) -> Iterator[ArrayAccess]:
        for site in self._of(body).macros(name):
            for macro in self._env.possible_function_macros(site.name, body.placed.order):
                yield from (it for it in self._accesses_in_macro_form(body, site, macro, name) if it.effect)

    def _aliases(self, body: FunctionInstance, name: str) -> set[str]:
        """Return the names in the body that may stand for a part of the same variable."""
        uses = self._of(body)
        return {it for it in uses.possible_aliases(name) if it == name or uses.is_accessed(it) or uses.macros(it)}

    def _is_pointer(self, body: FunctionInstance, name: str) -> bool:
        return bool(self._of(body).possible_pointees(name))

    def _may_write_argument(self, body: FunctionInstance, callee: str) -> bool:
        """Return whether the function or macro may write to what it is given."""
        if not callee:
            return False
        macro = self._env.possible_function_macros(callee, body.placed.order)
        return bool(macro) or any(it.alters for it in self._parameters_of_functions_named(callee))

    def _may_callee_ignore_value(self, body: FunctionInstance, access: ArrayAccess) -> bool:
        """Return whether a function that gets the value may not name its parameter: clang drops the load, nvcc not."""
        if not access.callee or not self._env.dialect.never_defines("__CUDACC__"):
            return False
        sites = [it for it in self._of(body).handed(access.name) if it[0].name.endswith(access.callee)]
        functions = [it for _, it in self._env.functions(access.callee)]
        given = (it.parameters[index] for _, index in sites for it in functions if index < len(it.parameters))
        return any(not it.uses for it in given)

    def _may_callee_write(self, access: ArrayAccess) -> bool:
        """Return whether a function in sight gets an address that it may write through."""
        if not access.callee or (access.path and not access.address):
            return False
        parameters = self._parameters_of_functions_named(access.callee)
        return any(it.may_be_written for it in parameters)

    def _parameters_of_functions_named(self, callee: str) -> Iterator[Parameter]:
        return (it for _, function in self._env.functions(callee) for it in function.parameters)

    def _is_done_by_callee(self, callee: FunctionInstance, index: int, depth: int, used: Used) -> bool:
        return callee.function.specifiers.apart or super()._is_done_by_callee(callee, index, depth, used)

    def _callees_given_address(
        self, body: FunctionInstance, own: Sequence[ArrayAccess], extents: int, used: Used
    ) -> Iterator[tuple[FunctionInstance, int, Used]]:
        """Those that may read what the thread has just written are left out."""
        for access in own:
            for callee, index, taken in super()._callees_given_address(body, (access,), extents, used):
                if _barriers_of(callee) or self._may_be_written_by_others(body, access):
                    yield callee, index, taken

    def _may_be_written_by_others(self, body: FunctionInstance, access: ArrayAccess) -> bool:
        """Return whether what is read by way of an address may be what another thread has written."""
        named = self._names_in_sibling_arguments(body, access)
        stores = self._stores_that_may_be_read(body, access)
        return not any(self._names_in_index(body, it) <= named for it in stores)

    def _names_in_sibling_arguments(self, body: FunctionInstance, access: ArrayAccess) -> frozenset[str]:
        """Return what the arguments of calls are made of that are given the address."""
        sites = (it for it, _ in self._of(body).handed(access.name) if it.name.endswith(access.callee))
        named = (names_in_expression(text.encode()) for it in sites for text in it.arguments or ())
        return self._transitive_names(body, frozenset[str]().union(*named))

    def _is_read_by_all_candidates(self, body: FunctionInstance, name: str, extents: int) -> bool:
        """Return whether all functions that a call may mean read what its argument points to, as far as they are not
        followed."""
        uses = self._of(body)
        given = uses.accesses(name, lambda it: it.callee and it.is_address(extents))
        labels = {it.callee for it in given if _is_call_result_used(uses, it)}
        sites = ((site, index) for site, index in uses.handed(name) if site.name in labels)
        return any(
            self._all_functions_read_argument(site.name, index, 0)
            for site, index in sites
            if not self._uses.callees(body, site.start)
        )

    def _all_functions_read_argument(self, label: str, index: int, depth: int) -> bool:
        each = [it for _, it in self._env.functions(label)] if depth < _DEEPEST else []
        return bool(each) and all(self._is_parameter_read(it, index, depth) for it in each)

    def _is_parameter_read(self, function: Function, index: int, depth: int) -> bool:
        if index >= len(function.parameters):
            return False
        name = function.parameters[index].name
        own = [it for it in array_accesses(function).accesses if it.name == name]
        labels = {it.callee for it in own if it.callee and it.is_address(1)}
        return any(_reads_element(it) and it.callee not in _UNEVALUATED for it in own) or any(
            self._all_functions_read_argument(site.name, at, depth + 1)
            for site in (function.mentions.calls if labels else ())
            for at, text in enumerate(site.arguments or ())
            if site.name in labels and name in names_in_expression(text.encode())
        )

    def _is_done_by_macro_form(
        self, body: FunctionInstance, site: CallSite, macro: FunctionMacro, name: str, extents: int, used: Used
    ) -> bool:
        elements = [
            it for it, text in arguments_by_parameter(macro, site).items() if _is_element_access(text, name, extents)
        ]
        each = (access for it in elements for access in self._accesses_at_word_of_macro(body, site, macro, it, name))
        read = any(it.effect != "written" and self.has_effect_from(body, it, used) for it in each)
        return read or super()._is_done_by_macro_form(body, site, macro, name, extents, used)


class WriteTracker(TransitiveUses):
    """What writes to variables, in what one kernel reaches: an address that is not followed may be written through."""

    def is_certain_for(self, body: FunctionInstance, array: LocalArray, own: bool) -> bool:
        """Return whether something writes to the variable. `own`: as above."""
        return self._is_done_to_variable(body, array, own)

    def _is_done_by_access(self, body: FunctionInstance, access: ArrayAccess, extents: int, used: Used) -> bool:
        if access.callee in _UNEVALUATED or not access.is_address(extents):
            changed = self._env.dialect.shader and ATOMIC.fullmatch(access.callee)
            return bool(access.effect or changed) and not access.address
        reached = self._of(body).value_destinations(access)
        if not any(it.endswith(EFFECT) or (is_returned_to_caller(it) and not reaches_caller(it)) for it in reached):
            return False
        return not any(True for _ in self._callees_given_address(body, (access,), extents, used))


def _barriers_of(body: FunctionInstance) -> Sequence[int]:
    """Return where threads wait for each other, in the order of the text."""

    def find() -> Sequence[int]:
        return sorted(it.start for it in body.function.mentions.calls if BARRIER.fullmatch(it.name))

    return body.function.remembered_answers.ask("barriers", find)


def _extent_count(body: FunctionInstance, name: str) -> int:
    return next((len(it.field.extents) for it in body.function.memory.arrays if it.field.name == name), 1)


def _is_call_result_used(uses: NameUses, access: ArrayAccess) -> bool:
    """Return whether something in the function comes of what one returns that is handed the address."""
    return any(
        it != call_destination(access.callee) and not reaches_caller(it) for it in uses.value_destinations(access)
    )


def _reads_element(access: ArrayAccess) -> bool:
    """Return whether the place by itself reads an element, or hands the address to what does."""
    if access.effect == "written":
        return False
    return bool(_LOADING.fullmatch(access.callee)) or not access.is_address(1)


def _is_element_access(text: str, name: str, extents: int) -> bool:
    return name in names_in_expression(text.encode()) and any(
        not it.is_address(extents) for it in accesses_in_macro(text, name)
    )
