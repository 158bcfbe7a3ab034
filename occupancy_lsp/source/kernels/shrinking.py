"""Whether a compiler keeps the whole of a shared array or structure.

NVVM and clang for AMD split a shared variable of which every access is at a constant offset, and drop the parts that
nothing uses (LLVM's GlobalOpt; measured with nvcc 13.0 and 13.5 and clang 22). An index that only the running kernel
knows, inline assembly, an atomic operation or `volatile` keeps all of it. What is neither surely constant nor surely
kept may be either.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from operator import attrgetter

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.facts.element_accesses import accesses_in, words
from occupancy_lsp.source.facts.facts import Access, Assigned, CallSite, Function, FunctionMacro, LocalArray
from occupancy_lsp.source.kernels.bodies import Body
from occupancy_lsp.source.kernels.reach import Reach
from occupancy_lsp.source.meaning.environment import Environment

# The thread's place and what a warp exchanges: no compiler knows them. Sizes of blocks and grids it may know.
RUN_TIME = frozenset(
    (
        *("threadIdx", "blockIdx", "thread_rank", "thread_index", "clock", "clock64", "__lane_id"),
        *(f"hip{it}Idx_{axis}" for it in ("Thread", "Block") for axis in "xyz"),
        *("get_global_id", "get_local_id", "get_group_id", "get_global_linear_id", "get_local_linear_id"),
        *("get_sub_group_id", "get_sub_group_local_id"),
    )
)
_KEEPING = re.compile(r"asm|(?:hip)?atomic\w+|atom_\w+|mem(?:cpy|set)|__cvta_\w+|\w*InterlockedAdd\w*")
_SHUFFLE = re.compile(r"__shfl\w*|__ballot\w*|atomic\w+|atom_\w+|__match_\w+|sub_group_\w+")
_WORD = re.compile(r"[A-Za-z_]\w*")
_START = attrgetter("start")
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class _Uses:
    """What a function does with names. `handed`: the calls in whose arguments a name stands, each with the index;
    `macros`: those of macros that name it or are given it; `pointers`: what is declared as a pointer made of it."""

    accesses: dict[str, list[Access]] = field(default_factory=partial(defaultdict, list))
    assigned: dict[str, list[Assigned]] = field(default_factory=partial(defaultdict, list))
    handed: dict[str, list[tuple[CallSite, int]]] = field(default_factory=partial(defaultdict, list))
    macros: dict[str, list[CallSite]] = field(default_factory=partial(defaultdict, list))
    pointers: dict[str, list[str]] = field(default_factory=partial(defaultdict, list))


class Kept:
    """What keeps variables whole, in what one kernel reaches."""

    def __init__(self, env: Environment, found: Reach) -> None:
        self._env = env
        self._found = found
        self._uses: dict[Body, _Uses] = {}
        self._whole: dict[tuple[Body, str, int], bool] = {}
        self._varying: dict[Body, frozenset[str]] = {}
        self._assigned: dict[tuple[Body, str, int], bool] = {}

    def surely(self, body: Body, array: LocalArray, own: bool) -> bool:
        """Return whether the compiler surely keeps all of the variable, if it keeps anything. `own`: of the body; else
        it stands outside of functions."""
        name, extents = array.field.name, len(array.field.extents)
        bodies = (body,) if own else self._found.bodies
        if array.volatile or not (extents or any(it.path for one in bodies for it in self._of(one).accesses[name])):
            return True
        return any(self._keeps_whole(one, name, extents, 0) for one in bodies)

    def _of(self, body: Body) -> _Uses:
        if body not in self._uses:
            self._uses[body] = self._read(body)
        return self._uses[body]

    def _read(self, body: Body) -> _Uses:
        function, order = body.function, body.placed.order
        found = _Uses()
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
            for macro in self._env.macro_forms(site.name, order):
                for word in macro.names.union(*named):
                    found.macros[word].append(site)
        return found

    def _keeps_whole(self, body: Body, name: str, extents: int, depth: int) -> bool:
        """Return whether something that runs surely keeps all that the name stands for or points to."""
        key = body, name, extents
        if key not in self._whole:
            self._whole[key] = False  # while it asks for itself
            self._whole[key] = depth <= _DEEPEST and self._looked_for(body, name, extents, depth)
        return self._whole[key]

    def _looked_for(self, body: Body, name: str, extents: int, depth: int) -> bool:
        uses = self._of(body)
        own = uses.accesses[name]
        return (
            any(self._keeps(body, it, extents) for it in own)
            or any(self._callee_keeps(body, *it, depth) for it in self._handed(body, own, extents))
            or any(self._macro_keeps(body, it, name, extents) for it in uses.macros[name])
            or any(self._keeps_whole(body, it, 1, depth + 1) for it in uses.pointers[name] if it != name)
        )

    def _keeps(self, body: Body, access: Access, extents: int) -> bool:
        if any(self._varies(body, words(it.encode()), access.start) for it in access.indices):
            return True
        if not access.is_address(extents):
            return False
        return bool(_KEEPING.fullmatch(access.callee)) or self._varies(body, access.added, access.start)

    def _handed(self, body: Body, own: Sequence[Access], extents: int) -> Iterator[tuple[CallSite, int]]:
        """Yield the calls that are given the variable's address, each with the argument's index."""
        labels = {it.callee for it in own if it.is_address(extents)}
        for site, index in self._of(body).handed[own[0].name] if labels else ():
            if site.name.rsplit("::", 1)[-1].lstrip(".") in labels:
                yield site, index

    def _callee_keeps(self, body: Body, site: CallSite, index: int, depth: int) -> bool:
        callees = self._found.calls_of(body).known.get(site.start, ())
        if len(callees) != 1 or index >= len(callees[0].function.parameters):
            return False
        callee = callees[0]
        parameter = callee.function.parameters[index]
        if callee.function.apart or ("volatile" in parameter.type and parameter.uses):
            return True
        return self._keeps_whole(callee, parameter.name, 1, depth + 1)

    def _macro_keeps(self, body: Body, site: CallSite, name: str, extents: int) -> bool:
        """Return whether the call is of a macro that surely keeps the variable, which it names or is given."""
        forms = self._env.macro_forms(site.name, body.placed.order)
        return all(self._form_keeps(body, site, form, name, extents) for form in forms)

    def _form_keeps(self, body: Body, site: CallSite, macro: FunctionMacro, name: str, extents: int) -> bool:
        given = dict(zip(macro.parameters, site.arguments or (), strict=False))
        told = [it for it, text in given.items() if text.strip("& ") == name] or [name]
        return any(
            self._keeps(body, self._as_given(access, given, site.start), extents)
            for it in told
            for access in accesses_in(macro.body, it)
        )

    def _as_given(self, access: Access, given: Mapping[str, str], at: int) -> Access:
        """Return an access in a macro's body with the arguments' texts for the parameters."""

        def filled(text: str) -> str:
            return _WORD.sub(lambda match: f"({given[match[0]]})" if match[0] in given else match[0], text)

        added = frozenset(word for it in access.added for word in words(filled(it).encode()))
        return structs.replace(access, start=at, path=tuple(map(filled, access.path)), added=added)

    def _varies(self, body: Body, named: Iterable[str], at: int) -> bool:
        """Return whether an expression of these names there surely has a value that only the running kernel knows."""
        return any(self._is_varying(body, it, at) for it in named)

    def _is_varying(self, body: Body, name: str, at: int) -> bool:
        if name in RUN_TIME or any(it.field.name == name for it in body.function.arrays):
            return True
        each = self._of(body).assigned[name]
        before = bisect_left(each, at, key=_START)
        if not before:
            return name in self._parameters(body) or self._stands_for_varying(body, name)
        last = each[before - 1]
        key = body, name, last.start
        if key not in self._assigned:
            self._assigned[key] = False  # while it asks for itself
            self._assigned[key] = self._varies(body, last.words, last.start)
        return self._assigned[key]

    def _parameters(self, body: Body) -> frozenset[str]:
        """Return the parameters whose values only the running kernel knows."""
        if body.function.kernel:
            return frozenset(it.name for it in body.function.parameters)
        if body not in self._varying:
            self._varying[body] = frozenset()
            self._varying[body] = frozenset(self._given_at_run_time(body))
        return self._varying[body]

    def _given_at_run_time(self, body: Body) -> Iterator[str]:
        names = [it.name for it in body.function.parameters]
        for caller in self._found.bodies:
            known = self._found.calls_of(caller).known if caller != body else {}
            for site in caller.function.calls if any(body in it for it in known.values()) else ():
                if body in known.get(site.start, ()) and caller.runs(site.start) is True:
                    for name, text in zip(names, site.arguments or (), strict=False):
                        if self._varies(caller, words(text.encode()), site.start):
                            yield name

    def _stands_for_varying(self, body: Body, name: str) -> bool:
        """Return whether the name is that of a macro, or of a function in sight, that names a thread's place."""
        if _SHUFFLE.fullmatch(name):
            return True
        env, order = self._env, body.placed.order
        texts = [it.body for it in env.macro_forms(name, order)] or [
            *body.scope(env, body.function.body.start).macro_texts(name)
        ]
        if texts:
            return all(not RUN_TIME.isdisjoint(words(it.encode())) for it in texts)
        functions: list[Function] = [it for _, it in env.functions(name)] if not body.bears(name) else []
        return bool(functions) and all(not RUN_TIME.isdisjoint(it.names) for it in functions)
