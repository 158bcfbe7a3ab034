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
from occupancy_lsp.source.facts.facts import Access, Assigned, CallSite, FunctionMacro
from occupancy_lsp.source.kernels.bodies import Body
from occupancy_lsp.source.kernels.reach import Reach
from occupancy_lsp.source.meaning.environment import Environment

_WORD = regex(r"[A-Za-z_]\w*")
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Uses:
    """What a function does with names. `handed`: the calls in whose arguments a name stands, each with the index;
    `macros`: those of macros that name it or are given it; `pointers`: what is declared as a pointer made of it."""

    accesses: dict[str, list[Access]] = field(default_factory=partial(defaultdict, list))
    assigned: dict[str, list[Assigned]] = field(default_factory=partial(defaultdict, list))
    handed: dict[str, list[tuple[CallSite, int]]] = field(default_factory=partial(defaultdict, list))
    macros: dict[str, list[CallSite]] = field(default_factory=partial(defaultdict, list))
    pointers: dict[str, list[str]] = field(default_factory=partial(defaultdict, list))


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
        for access in function.accesses:
            if body.runs(access.start) is True:
                found.accesses[access.name].append(access)
        for it in function.assigned:
            found.assigned[it.name].append(it)
            for word in it.words if it.points else ():
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


class Followed:
    """Whether something is surely done to what a name stands for or points to, here or where its address goes: `_does`
    says it of one place, `_callee_does` of a function that is handed the address."""

    def __init__(self, uses: BodyUses) -> None:
        self._env = uses.env
        self._found = uses.found
        self._of = uses.of
        self._done: dict[tuple[Body, str, int], bool] = {}

    def _does(self, body: Body, access: Access, extents: int) -> bool:
        raise NotImplementedError

    def _callee_does(self, callee: Body, index: int, depth: int) -> bool:
        raise NotImplementedError

    def _is_done(self, body: Body, name: str, extents: int, depth: int) -> bool:
        key = body, name, extents
        if key not in self._done:
            self._done[key] = False  # while it asks for itself
            self._done[key] = depth <= _DEEPEST and self._looked_for(body, name, extents, depth)
        return self._done[key]

    def _looked_for(self, body: Body, name: str, extents: int, depth: int) -> bool:
        uses = self._of(body)
        own = uses.accesses[name]
        return (
            any(self._does(body, it, extents) for it in own)
            or any(self._callee_does(*it, depth) for it in self._callees(body, own, extents))
            or any(self._macro_does(body, it, name, extents) for it in uses.macros[name])
            or any(self._is_done(body, it, 1, depth + 1) for it in uses.pointers[name] if it != name)
        )

    def _callees(self, body: Body, own: Sequence[Access], extents: int) -> Iterator[tuple[Body, int]]:
        """Yield the functions in sight that are given the variable's address, each with the argument's index."""
        labels = {it.callee for it in own if it.is_address(extents)}
        for site, index in self._of(body).handed[own[0].name] if labels else ():
            if site.name.rsplit("::", 1)[-1].lstrip(".") in labels:
                callees = self._found.calls_of(body).known.get(site.start, ())
                if len(callees) == 1 and index < len(callees[0].function.parameters):
                    yield callees[0], index

    def _macro_does(self, body: Body, site: CallSite, name: str, extents: int) -> bool:
        """Return whether the call is of a macro that surely does it to the variable, which it names or is given."""
        forms = self._env.macro_forms(site.name, body.placed.order)
        return all(self._form_does(body, site, form, name, extents) for form in forms)

    def _form_does(self, body: Body, site: CallSite, macro: FunctionMacro, name: str, extents: int) -> bool:
        given = dict(zip(macro.parameters, site.arguments or (), strict=False))
        told = [it for it, text in given.items() if text.strip("& ") == name] or [name]
        return any(
            self._does(body, self._as_given(access, given, site.start), extents)
            for it in told
            for access in accesses_in(macro.body, it)
        )

    def _as_given(self, access: Access, given: Mapping[str, str], at: int) -> Access:
        """Return an access in a macro's body with the arguments' texts for the parameters."""

        def filled(text: str) -> str:
            return _WORD.sub(lambda match: f"({given[match[0]]})" if match[0] in given else match[0], text)

        added = frozenset(word for it in access.added for word in words(filled(it).encode()))
        return structs.replace(access, start=at, path=tuple(map(filled, access.path)), added=added)
