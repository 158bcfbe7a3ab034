"""Whether a compiler keeps a shared variable at all: it drops what is only written, by whatever pointer.

LLVM's GlobalOpt removes variables that nothing loads from; loads whose values nothing uses are gone before.
"""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.element_accesses import accesses_in, words
from occupancy_lsp.source.facts.facts import Access, CallSite, Function, FunctionMacro, LocalArray
from occupancy_lsp.source.kernels.bodies import Body
from occupancy_lsp.source.kernels.followed import Followed

# Given an address, these read there or keep what is there.
_LOADING = regex(r"asm|(?:hip)?atomic\w+|atom_\w+|__cvta_\w+|\w*Interlocked\w*|\w*[lL]oad\w*|\w*LOAD\w*")
_UNEVALUATED = frozenset(("sizeof", "alignof", "decltype", "typeof", "__typeof__"))
_DEEPEST = 3


class Loads(Followed):
    """What reads from variables, in what one kernel reaches."""

    def surely(self, body: Body, array: LocalArray, own: bool) -> bool:
        """Return whether something surely reads from the variable. `own`: it is of the body; else it stands outside of
        functions."""
        bodies = (body,) if own else self._found.bodies
        return array.volatile or any(self._is_done(it, array.field.name, len(array.field.extents), 0) for it in bodies)

    def _looked_for(self, body: Body, name: str, extents: int, depth: int) -> bool:
        own = self._of(body).accesses[name]
        if depth and any(it.address and it.effect == "written" for it in own):
            extents = 0  # `int &name = …`
        return super()._looked_for(body, name, extents, depth) or self._is_handed_on(body, name, own, extents)

    def _does(self, body: Body, access: Access, extents: int) -> bool:
        if access.callee in _UNEVALUATED or self._declares(body, access):
            return False
        if not _reads(access, extents):
            return access.effect == "volatile"
        if access.is_address(extents):
            return True
        if access.into in self._of(body).pointers[access.name]:
            return False  # which is followed
        other = next((it.field for it in body.function.arrays if it.field.name == access.into), None)
        if other is not None and other.name != access.name:
            return self._is_done(body, other.name, len(other.extents), 0)
        return not self._may_write(body, access.callee)

    def _declares(self, body: Body, access: Access) -> bool:
        return any(it.field.span.start == access.start for it in body.function.arrays)

    def _may_write(self, body: Body, callee: str) -> bool:
        """Return whether the function or macro may write to what it is given."""
        if not callee:
            return False
        macro = self._env.macro_forms(callee, body.placed.order)
        return bool(macro) or any(
            it.alters for _, function in self._env.functions(callee) for it in function.parameters
        )

    def _callee_does(self, callee: Body, index: int, depth: int) -> bool:
        parameter = callee.function.parameters[index]
        return callee.function.apart or parameter.volatile or self._is_done(callee, parameter.name, 1, depth + 1)

    def _is_handed_on(self, body: Body, name: str, own: list[Access], extents: int) -> bool:
        """Return whether all functions that a call may mean read what its argument points to, as far as they are not
        followed."""
        labels = {it.callee for it in own if it.callee and it.is_address(extents)}
        known = self._found.calls_of(body).known
        sites = ((site, index) for site, index in self._of(body).handed[name] if site.name in labels)
        return any(self._read_by_name(site.name, index, 0) for site, index in sites if site.start not in known)

    def _read_by_name(self, label: str, index: int, depth: int) -> bool:
        each = [it for _, it in self._env.functions(label)] if depth < _DEEPEST else []
        return bool(each) and all(self._parameter_is_read(it, index, depth) for it in each)

    def _parameter_is_read(self, function: Function, index: int, depth: int) -> bool:
        if index >= len(function.parameters):
            return False
        name = function.parameters[index].name
        own = [it for it in function.accesses if it.name == name]
        labels = {it.callee for it in own if it.callee and it.is_address(1)}
        return any(_reads(it, 1) and it.callee not in _UNEVALUATED for it in own) or any(
            self._read_by_name(site.name, at, depth + 1)
            for site in (function.calls if labels else ())
            for at, text in enumerate(site.arguments or ())
            if site.name in labels and name in words(text.encode())
        )

    def _form_does(self, body: Body, site: CallSite, macro: FunctionMacro, name: str, extents: int) -> bool:
        given = dict(zip(macro.parameters, site.arguments or (), strict=False))
        elements = [it for it, text in given.items() if _is_element(text, name, extents)]
        read = any(not access.effect for it in elements for access in accesses_in(macro.body, it))
        return read or super()._form_does(body, site, macro, name, extents)


def _reads(access: Access, extents: int) -> bool:
    """Return whether the place by itself reads an element, or hands the address to what does."""
    if access.effect:
        return False
    return bool(_LOADING.fullmatch(access.callee)) or not access.is_address(extents)


def _is_element(text: str, name: str, extents: int) -> bool:
    return name in words(text.encode()) and any(not it.is_address(extents) for it in accesses_in(text, name))
