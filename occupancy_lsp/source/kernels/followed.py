"""What functions do with shared variables and with the pointers made of them, followed into what they call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.element_accesses import accesses_in, words
from occupancy_lsp.source.facts.facts import (
    RESULT,
    Access,
    Assigned,
    CallSite,
    Function,
    FunctionMacro,
    LocalArray,
    call_of,
)
from occupancy_lsp.source.kernels.bodies import Body, is_compiled
from occupancy_lsp.source.kernels.reach import Reach
from occupancy_lsp.source.meaning.environment import Environment

_WORD = regex(r"[A-Za-z_]\w*")
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Uses:
    """What a function does with names. `handed`: the calls in whose arguments a name stands, each with the index;
    `macros`: those of macros that name it or are given it; `pointers`: what is declared as a pointer made of it, and
    stays that; `held`: what may be one."""

    accesses: dict[str, list[Access]] = field(default_factory=partial(defaultdict, list))
    assigned: dict[str, list[Assigned]] = field(default_factory=partial(defaultdict, list))
    handed: dict[str, list[tuple[CallSite, int]]] = field(default_factory=partial(defaultdict, list))
    macros: dict[str, list[CallSite]] = field(default_factory=partial(defaultdict, list))
    pointers: dict[str, list[str]] = field(default_factory=partial(defaultdict, list))
    held: dict[str, list[str]] = field(default_factory=partial(defaultdict, list))


class BodyUses:
    """What the functions that one kernel reaches do with names, as far as it surely runs."""

    def __init__(self, env: Environment, found: Reach) -> None:
        self.env = env
        self.found = found
        self._uses: dict[Body, Uses] = {}

    def of(self, body: Body) -> Uses:
        if body not in self._uses:
            self._uses[body] = self._read(body)
        return self._uses[body]

    def _read(self, body: Body) -> Uses:
        function, order = body.function, body.placed.order
        found = Uses()
        declared = {*_declarations(function)}
        for access in function.accesses:
            at = access.start
            if at not in declared and is_compiled(self.env, body, at):
                found.accesses[access.name].append(self._with_what_runs(body, access))
        for it in function.assigned:
            found.assigned[it.name].append(it)
        pointers = {it.name for it in function.accesses if it.effect == "written" and not it.path}
        for it in function.assigned:
            for word in it.words if it.name in pointers else ():
                found.held[word].append(it.name)
                one = it.points and it.words & found.accesses.keys() == {word}
                if one and not _is_given_anew(found, it.name):
                    found.pointers[word].append(it.name)
        for site in (*function.calls, *function.loose):
            if body.runs(site.start) is not True:
                continue
            named = [words(text.encode()) for text in site.arguments or ()]
            for index, each in enumerate(named):
                for word in each:
                    found.handed[word].append((site, index))
            for macro in self.env.macro_forms(site.name, order):
                for word in macro.names.union(*named):
                    found.macros[word].append(site)
        return found

    def _with_what_runs(self, body: Body, access: Access) -> Access:
        """Return the access with where its value goes in this instance."""
        if not access.perhaps:
            return access
        more = {it.to for it in access.perhaps if all(is_compiled(self.env, body, at) for at in it.under)}
        return structs.replace(access, reaches=access.reaches | more, perhaps=())


def _declarations(function: Function) -> Iterator[int]:
    """Yield where shared variables are declared; a pointer to them is given a value there."""
    return (it.field.span.start for it in function.arrays if not it.points)


def _is_given_anew(uses: Uses, name: str) -> bool:
    """Return whether a pointer is also given a value where it is not declared."""
    whole = [it for it in uses.accesses[name] if it.effect == "written" and not it.path]
    return not any(it.address for it in whole) and len(whole) > sum(it.points for it in uses.assigned[name])


class Followed:
    """Whether something is surely done to what a name stands for or points to, here or where its address goes: `_does`
    says it of one place.

    `used`: whether something comes of what the function returns.
    """

    def __init__(self, uses: BodyUses) -> None:
        self._env = uses.env
        self._found = uses.found
        self._of = uses.of
        self._done: dict[tuple[Body, str, int, bool], bool] = {}
        self._taken: dict[Body, bool] = {}

    def _does(self, body: Body, access: Access, extents: int, used: bool) -> bool:
        raise NotImplementedError

    def _callee_does(self, callee: Body, index: int, depth: int, used: bool) -> bool:
        """Return whether the function does it that is handed the address as the argument at `index`."""
        return self._is_done(callee, callee.function.parameters[index].name, 1, depth + 1, used)

    def _is_done_to(self, body: Body, array: LocalArray, own: bool) -> bool:
        """Return whether it is done to the variable. `own`: it is of the body; else it stands outside of functions."""
        name, extents = array.field.name, len(array.field.extents)
        return any(self._is_done(it, name, extents, 0, self._result_is_used(it)) for it in self._bodies(body, own))

    def _result_is_used(self, body: Body) -> bool:
        """Return whether a call in what the kernel reaches may take the function's result."""
        if body not in self._taken:
            self._taken[body] = False  # while it asks for itself
            sites = [
                (caller, site)
                for caller in self._found.bodies
                for site in caller.function.calls
                if body in self._found.calls_of(caller).known.get(site.start, ())
            ]
            self._taken[body] = not sites or any(
                site.result == "" or (site.result == RESULT and self._result_is_used(caller)) for caller, site in sites
            )
        return self._taken[body]

    def _bodies(self, body: Body, own: bool) -> Sequence[Body]:
        return (body,) if own else self._found.bodies

    def _is_done(self, body: Body, name: str, extents: int, depth: int, used: bool = True) -> bool:
        key = body, name, extents, used
        if key not in self._done:
            self._done[key] = False  # while it asks for itself
            self._done[key] = depth <= _DEEPEST and self._looked_for(body, name, extents, depth, used)
        return self._done[key]

    def _looked_for(self, body: Body, name: str, extents: int, depth: int, used: bool) -> bool:
        uses = self._of(body)
        own = uses.accesses[name]
        extents = 0 if any(it.address and it.effect == "written" for it in own) else extents  # `int &name = …`
        return (
            any(self._does(body, it, extents, used) for it in own)
            or any(
                self._callee_does(it, index, depth, taken)
                for it, index, taken in self._callees(body, own, extents, used)
            )
            or any(self._macro_does(body, it, name, extents, used) for it in uses.macros[name])
            or any(self._is_done(body, it, 1, depth + 1, used) for it in uses.pointers[name] if it != name)
        )

    def _callees(self, body: Body, own: Sequence[Access], extents: int, used: bool) -> Iterator[tuple[Body, int, bool]]:
        """Yield the functions in sight that are given the variable's address, each with the argument's index, and
        whether something comes of what they return."""
        handing = {it.callee: it for it in own if it.is_address(extents)}
        for site, index in self._of(body).handed[own[0].name] if handing else ():
            access = handing.get(site.name.rsplit("::", 1)[-1].lstrip("."))
            callees = self._found.calls_of(body).known.get(site.start, ()) if access is not None else ()
            if access is not None and len(callees) == 1 and index < len(callees[0].function.parameters):
                yield callees[0], index, result_is_taken(access, used)

    def _macro_does(self, body: Body, site: CallSite, name: str, extents: int, used: bool) -> bool:
        """Return whether the call is of a macro that surely does it to the variable, which it names or is given."""
        forms = self._env.macro_forms(site.name, body.placed.order)
        return all(self._form_does(body, site, form, name, extents, used) for form in forms)

    def _form_does(self, body: Body, site: CallSite, macro: FunctionMacro, name: str, extents: int, used: bool) -> bool:
        return any(self._does(body, it, extents, used) for it in self._in_form(body, site, macro, name))

    def _in_form(self, body: Body, site: CallSite, macro: FunctionMacro, name: str) -> Iterator[Access]:
        """Yield where the macro's text names a variable, or a parameter that is given it, as it stands at the site."""
        given = given_to(macro, site)
        told = [it for it, text in given.items() if text.strip("& ") == name]
        for it in told if told or name in given else (name,):
            yield from self._of_word(body, site, macro, it, name)

    def _of_word(self, body: Body, site: CallSite, macro: FunctionMacro, word: str, name: str) -> Iterator[Access]:
        """Yield where a word of the macro's text stands for a variable, or an element of it."""
        given = given_to(macro, site)
        for it in accesses_in(macro.body, word):
            yield structs.replace(self._as_given(body, it, given, site), name=name)

    def _as_given(self, body: Body, access: Access, given: Mapping[str, str], site: CallSite) -> Access:
        """Return an access in a macro's body with the arguments' texts for the parameters, and with what becomes of the
        macro's value at the site."""

        def filled(text: str) -> str:
            return _WORD.sub(lambda match: f"({given[match[0]]})" if match[0] in given else match[0], text)

        added = frozenset(word for it in access.added for word in words(filled(it).encode()))
        path = tuple(map(filled, access.path))
        there = next((it for it in self._of(body).accesses[site.name] if it.start == site.start), None)
        effect, reaches = access.effect, access.reaches
        if RESULT in reaches:
            reaches -= {RESULT}
            if there is not None:
                effect, reaches = access.effect or there.effect, reaches | there.reaches
        return structs.replace(access, start=site.start, path=path, added=added, effect=effect, reaches=reaches)


def given_to(macro: FunctionMacro, site: CallSite) -> Mapping[str, str]:
    """Return the arguments' texts by the macro's parameters."""
    return dict(zip(macro.parameters, site.arguments or (), strict=False))


def result_is_taken(access: Access, used: bool) -> bool:
    """Return whether something comes of what the function returns that is handed the address."""
    return any(it != call_of(access.callee) and (it != RESULT or used) for it in access.reaches)
