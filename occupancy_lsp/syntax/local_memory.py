"""The local (shared) memory that the source proves a kernel to need."""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.syntax.environment import Environment, ItemScope, Standing
from occupancy_lsp.syntax.facts import Function
from occupancy_lsp.syntax.layout import Layout, packed_bounds, round_up
from occupancy_lsp.syntax.values import Place, Value, unknown

_HIP_DYNAMIC = "HIP_DYNAMIC_SHARED"  # a macro that reads like a declaration
_DYNAMIC_ALIGNMENT = 16  # ptxas rounds every kernel of a file that has dynamic local memory up to at least this


@dataclass(frozen=True, slots=True)
class Variable:
    """One local-memory variable: its bytes, 0 where nothing uses it."""

    name: str
    place: Place
    bytes: Value
    read: bool  # not only written


@dataclass(frozen=True, slots=True)
class LocalMemory:
    """Static bytes per work-group lie between `lowest` and `highest`; None: no upper bound is known, for `reason`.

    `dynamic`: it also uses memory sized at launch. `unseen`: functions it calls whose text is not in this file.
    """

    variables: tuple[Variable, ...]
    lowest: int
    highest: int | None
    reason: str
    dynamic: bool
    unseen: tuple[str, ...]

    @property
    def exact(self) -> int | None:
        return self.lowest if self.lowest == self.highest else None


@dataclass(frozen=True, slots=True)
class _Reach:
    """A kernel with the functions it calls, as far as their text is in sight."""

    functions: tuple[tuple[Standing, Function], ...]
    unseen: tuple[str, ...]
    doubt: str


def _reach(env: Environment, standing: Standing, kernel: Function) -> _Reach:
    seen: dict[int, tuple[Standing, Function]] = {id(kernel): (standing, kernel)}
    unseen: set[str] = set()
    doubts: list[str] = []
    todo = [(standing, kernel)]
    visited: set[str] = set()
    while todo:
        holder, function = todo.pop()
        for name in sorted(function.calls - visited):
            visited.add(name)
            label = name.rsplit("::", 1)[-1]
            env.asked.add(label)
            found = [it for it in env.functions.get(label, ()) if not it[1].kernel]
            macro = env.function_macros.get(label)
            if macro is not None:
                doubts += [f"macro {label} declares local memory"] if macro.local_memory else []
                unseen.update(
                    n for n in macro.calls if not _harmless(env, holder, function, n) and n not in env.function_macros
                )
            elif found:
                if len(found) > 1 and any(f.arrays for _, f in found):
                    doubts.append(f"{label} has several definitions")
                    continue
                if any(f.template is not None and f.arrays for _, f in found):
                    doubts.append(f"local memory of template {label}")
                todo += [it for it in found if id(it[1]) not in seen]
                seen.update({id(it[1]): it for it in found})
            elif not _harmless(env, holder, function, name):
                unseen.add(name.lstrip("."))
    return _Reach(tuple(seen.values()), tuple(sorted(unseen)), doubts[0] if doubts else "")


def _harmless(env: Environment, standing: Standing, function: Function, name: str) -> bool:
    """A call that cannot bring local memory: a built-in function, or a conversion to a type."""
    label = name.rsplit("::", 1)[-1]
    if not name or env.dialect.harmless.fullmatch(name) or label in env.types or label == function.name:
        return True
    types = [p.split() for p in function.template or () if p.startswith(("typename", "class"))]
    return any(label in words for words in types)


@dataclass(frozen=True, slots=True)
class _Names:
    """Identifiers in the reached functions, and in the macros that they use."""

    all: frozenset[str]
    in_macros: frozenset[str]


def _names(env: Environment, reach: _Reach) -> _Names:
    called: frozenset[str] = frozenset().union(*(f.names for _, f in reach.functions))
    in_macros: set[str] = set()
    todo = called & env.function_macros.keys()
    while todo:
        new = {n for name in todo for n in env.function_macros[name].names} - in_macros
        in_macros |= new
        todo = frozenset(new & env.function_macros.keys())
    env.asked.update(called)
    return _Names(called | in_macros, frozenset(in_macros))


def _may_hold(env: Environment, standing: Standing) -> bool:
    return env.holds(standing.conditions, standing.order) is not False


def local_memory(env: Environment, standing: Standing, kernel: Function) -> LocalMemory:
    reach = _reach(env, standing, kernel)
    names = _names(env, reach)
    arrays = [(s, f, a) for s, f in reach.functions for a in f.arrays if a.uses > 0 or a.field.name in names.in_macros]
    arrays += [(s, kernel, a) for s, a in env.arrays if a.field.name in names.all and _may_hold(env, s)]
    reasons = [reach.doubt] if reach.doubt else []
    reasons += ["the alignment of dynamic local memory"] if env.dynamic_alignment is None else []
    reasons += ["a declaration that could not be read"] if any(f.unread_arrays for _, f in reach.functions) else []
    dynamic = kernel.local_parameters or any(_HIP_DYNAMIC in f.names for _, f in reach.functions)
    layouts: list[Layout] = []
    written: list[Layout] = []  # only ever written: the compiler leaves such variables out
    variables: list[Variable] = []
    for holder, function, array in arrays:
        holds = env.holds(array.conditions, holder.order)
        if holds is False:
            continue
        if array.dynamic:
            dynamic = True
            continue
        if env.dialect.opencl and array.field.type.pointer:
            continue  # a private variable that points to local memory
        place = Place(holder.item, array.field.span.start, array.field.span.end)
        layout = ItemScope(env, holder, array.field.span.start, function.owner).field(array.field)
        if holds is None:
            layout = f"{array.field.name} stands under an #if that may not hold"
        read = array.reads > 0 or array.field.name in names.in_macros or array not in function.arrays
        size = unknown(layout) if isinstance(layout, str) else Value(layout.size)
        variables.append(Variable(array.field.name, place, size, read))
        if isinstance(layout, str):
            reasons.append(layout)
        else:
            (layouts if read else written).append(layout)
    lowest, highest = _total(env, layouts)[0], _total(env, layouts + written)[1]
    return LocalMemory(
        tuple(variables), lowest, None if reasons else highest, reasons[0] if reasons else "", dynamic, reach.unseen
    )


def _total(env: Environment, layouts: list[Layout]) -> tuple[int, int]:
    """Fewest and most bytes of the variables together.

    ptxas may round the sum up to 16, and to the alignment of the dynamic local memory of the whole file, even for a
    kernel that uses none.
    """
    lowest, highest = packed_bounds(layouts)
    strictest = max((layout.alignment for layout in layouts), default=1)
    dynamic = env.dynamic_alignment or 1
    least = round_up(lowest, dynamic) if dynamic > _DYNAMIC_ALIGNMENT else lowest
    return least, round_up(highest, max(strictest, dynamic, _DYNAMIC_ALIGNMENT))
