"""The local (shared) memory that the source proves a kernel to need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import EMPTY, frozen
from occupancy_lsp.core.query import shared
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.alloca_promotion import Bytes, promotable_array_sizes
from occupancy_lsp.source.kernels.bank_padding import RowPadding, extent_values, row_padding
from occupancy_lsp.source.kernels.dynamic_local_alignment import dynamic_alignment
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.local_memory_total import PlacedVariable, amd_total_bytes, nvidia_total_bytes
from occupancy_lsp.source.kernels.reachability import KernelReachability
from occupancy_lsp.source.kernels.semantic_hash import instance_key, semantic_hashes
from occupancy_lsp.source.kernels.shared_array_shrinking import WholeArrayUse
from occupancy_lsp.source.kernels.shared_variable_uses import BodyUses
from occupancy_lsp.source.kernels.unread_shared_variables import BARRIER, ReadTracker, WriteTracker
from occupancy_lsp.source.lex.dialect import COLLECTIVE, DEBUGGING, UNOPTIMISED
from occupancy_lsp.source.lower.item_facts import CallSite, Field, Function, FunctionMacro, LocalArray
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.builtin_layout import Layout
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import may_be_unused_storage, resolve_type, unresolved_type_name
from occupancy_lsp.source.syntax.known_value import UNDEFINED, Place, Value, unknown

# AMD's barriers that count reduce over 32 numbers of 64 bits, the same for all of them: ROCm's device library,
# ockl/src/wgscratch.ll. They do without where a work-group is known to be one wave.
_COUNTING = regex(r"__syncthreads_(?:and|or|count)")
_COUNTED_IN = Layout(256, 8)
_DEBUGGED = "-G keeps what calls reach that never run"
_HIP_DYNAMIC = "HIP_DYNAMIC_SHARED"  # a macro that reads like a declaration


@dataclass(frozen=True, slots=True)
class LocalMemoryVariable:
    """One local-memory variable: its bytes, 0 where nothing uses it; of an array the extents, if all are known.

    `own`: it stands in the kernel's own body.
    """

    name: str
    place: Place
    bytes: Value
    read: bool  # not only written
    pad: RowPadding | None = None
    extents: tuple[int, ...] = ()
    own: bool = False


@dataclass(frozen=True, slots=True)
class LocalMemory:
    """Static bytes per work-group lie between `lowest` and `highest`; None: no upper bound is known, for `reason`.

    `dynamic`: it also uses memory sized at launch. `unseen`: functions it calls whose text is not in this file.
    `private`: the fewest and the most bytes of each array of a thread's own that AMD's compiler may move here.
    `called`: on AMD, the functions that it calls, in sight or not, and that need not be put in place of the call.
    """

    variables: tuple[LocalMemoryVariable, ...]
    lowest: int
    highest: int | None
    reason: str
    dynamic: bool
    unseen: tuple[str, ...]
    private: tuple[Bytes, ...] = ()
    alignment: int | None = 1  # the strictest that has a say in the sum; None: not known
    called: frozenset[str] = frozenset()

    @property
    def exact(self) -> int | None:
        return self.lowest if self.lowest == self.highest else None


def local_memory_of_instances(each: Sequence[LocalMemory]) -> LocalMemory:
    """From the least that any instance needs to the most."""
    first = each[0]
    unknown_most = next((it.reason for it in each if it.highest is None), None)
    return LocalMemory(
        first.variables if all(it.variables == first.variables for it in each) else (),
        min(it.lowest for it in each),
        max(it.highest or 0 for it in each) if unknown_most is None else None,
        unknown_most or "",
        any(it.dynamic for it in each),
        tuple(sorted({name for it in each for name in it.unseen})),
        max((it.private for it in each), key=len),
        max(it.alignment or 0 for it in each) if all(it.alignment for it in each) else None,
        frozenset().union(*(it.called for it in each)),
    )


def names_in_used_macros(env: Environment, found: KernelReachability) -> frozenset[str]:
    """Identifiers in the macros that the reached functions use."""
    below, nothing, kernel = found.below, frozenset[str](), found.kernel
    order = max(body.placed.order for body in found.bodies)
    own = ("names in macros", kernel.placed.item, kernel.function.body.start, order)
    others = ("names in macros", "", below.names, order)
    return env.remember(
        own, lambda: _find_names_in_used_macros(env, kernel.function.mentions.names, order), nothing
    ) | env.remember(others, lambda: _find_names_in_used_macros(env, below.names, order), nothing)


def _find_names_in_used_macros(env: Environment, names: frozenset[str], order: int) -> frozenset[str]:
    found: set[str] = set()
    todo: Set[str] = names
    while todo:
        macros = [
            it
            for name in env.function_macros_among(todo)
            if isinstance(it := env.function_macro_in_force(name, order), FunctionMacro)
        ]
        todo = {name for macro in macros for name in macro.names} - found
        found |= todo
    return frozen(found)


def _file_level_variables(
    env: Environment, found: KernelReachability, in_macros: frozenset[str]
) -> Sequence[tuple[LocatedItem, LocalArray]]:
    """The variables outside of functions that one that is reached may use."""
    written = found.kernel.function.mentions.names | found.below.names
    return [
        (holder, array)
        for holder, array in env.arrays_among(found.kernel.placed.item, written | in_macros)
        # In doubt, a macro may declare one of that name itself.
        if (not found.doubt or array.dynamic or array.field.name in written)
        and not _is_shadowed_everywhere(found, array.field.name)
        and env.holds(holder.conditions, holder.order) is not False
    ]


def local_memory_of(env: Environment, kernel: Function, found: KernelReachability) -> LocalMemory:
    """`found`: the kernel with what it calls."""
    in_macros = names_in_used_macros(env, found)
    reasons = [found.doubt] if found.doubt else []
    reasons += [body.function.memory.unread for body in found.bodies if body.function.memory.unread]
    reasons += _reasons_of_undefined_macros(env, kernel) if env.dialect.local_memory.parameters else ()
    dynamic = kernel.memory.local_parameters or found.dynamic or found.mentions_name(_HIP_DYNAMIC)
    uses = BodyUses(env, found)
    perhaps = found.uncertainly_reached(env, uses.compiled_places(found.kernel))
    loads = ReadTracker(uses)
    debugged = any(env.is_defined(it, found.kernel.placed.order) is True for it in (DEBUGGING, UNOPTIMISED))
    reasons += [_DEBUGGED] if debugged and _has_unreachable_call(env, found) else []
    laid = _Variables(
        [],
        [],
        [],
        [],
        WholeArrayUse(uses, loads),
        loads,
        WriteTracker(uses),
        found.reached_without_inlining(),
        debugged,
    )
    for body in found.bodies:
        for array in body.function.memory.arrays:
            if array.dynamic:
                dynamic = True
            elif array.uses or array.field.name in in_macros:
                _record_array(env, found, body, array, in_macros, laid, called=body not in perhaps)
    for holder, array in _file_level_variables(env, found, in_macros):
        if array.dynamic:
            dynamic = True
        else:
            _record_array(env, found, FunctionInstance(holder, kernel, {}), array, in_macros, laid, own=False)
    unseen = tuple(it for it in found.unseen if not _COUNTING.fullmatch(it))
    amd = "__AMDGCN__" in env.macros
    if amd and len(unseen) < len(found.unseen):
        counts = _surely_calls_counting_barrier(found) and not kernel.specifiers.attributes
        (laid.sure if counts else laid.perhaps).append(PlacedVariable(_COUNTED_IN))
    reasons += laid.reasons
    at_least, alignment = dynamic_alignment(env)
    # Nothing stays nothing, however it is rounded up.
    reasons += ["the alignment of dynamic local memory"] if alignment is None and (laid.sure or laid.perhaps) else []
    total = amd_total_bytes if amd else nvidia_total_bytes
    lowest, highest = total((at_least, alignment or 1), laid.sure, [*laid.sure, *laid.perhaps])
    return LocalMemory(
        tuple(laid.variables),
        lowest,
        None if reasons else highest,
        reasons[0] if reasons else "",
        dynamic,
        unseen,
        () if dynamic else tuple(promotable_array_sizes(env, found)),  # then the compiler moves none
        alignment and max(alignment, *(it.layout.alignment for it in laid.sure + laid.perhaps), 1),
        _functions_called_out_of_line(kernel, found, unseen) if amd else EMPTY,
    )


def _reasons_of_undefined_macros(env: Environment, kernel: Function) -> Iterator[str]:
    """Macros out of sight that parameters are given by: local memory may be among them."""
    applied = [it.name for it in kernel.mentions.loose if it.start < kernel.body.start]
    bare = [it.type for it in kernel.parameters if not it.name and it.type.isidentifier()]
    for name in (*applied, *bare):
        if not env.all_function_macros_named(name) and not env.definitions(name):
            yield f"{name} {UNDEFINED}"


def _has_unreachable_call(env: Environment, found: KernelReachability) -> bool:
    """Whether a call of a function in sight stands where no run comes, so that what it reaches is left out here."""
    calls = ((body, site) for body in found.bodies for site in body.function.mentions.calls)
    return any(
        body.runs(it.start) is False and env.may_be_called_on_device(it.name.rpartition("::")[2]) for body, it in calls
    )


def _surely_calls_counting_barrier(found: KernelReachability) -> bool:
    return any(
        _COUNTING.fullmatch(site.name) and body.runs(site.start) is True
        for body in found.bodies
        for site in body.function.mentions.calls
    )


def _functions_called_out_of_line(kernel: Function, found: KernelReachability, unseen: Iterable[str]) -> frozenset[str]:
    functions = (body.function for body in found.bodies)
    return frozenset(it.name for it in functions if it is not kernel and not it.specifiers.inlined) | {*unseen}


@dataclass(frozen=True, slots=True)
class _Variables:
    """Variables so far. `perhaps`: those that the compiler may leave out, or keep but parts of."""

    variables: list[LocalMemoryVariable]
    sure: list[PlacedVariable]
    perhaps: list[PlacedVariable]
    reasons: list[str]
    kept: WholeArrayUse
    loads: ReadTracker
    stores: WriteTracker
    apart: Set[FunctionInstance]  # what is reached by calls that stay calls
    debugged: bool  # what never runs is kept


def _record_array(
    env: Environment,
    found: KernelReachability,
    body: FunctionInstance,
    array: LocalArray,
    in_macros: frozenset[str],
    laid: _Variables,
    own: bool = True,
    called: bool = True,
) -> None:
    """`in_macros`: identifiers in macros that are used. `own`: of the body; else it stands outside of functions.
    `called`: the body surely is."""
    holds = env.holds(array.conditions, body.placed.order)
    # Where a kernel may be given local memory, a pointer to it is a thread's own.
    if holds is False or (env.dialect.local_memory.parameters and array.points):
        return
    at = array.field.span.start
    read = not own or array.field.name in in_macros
    touched = True if read else found.uses_variable(body, array.field.name, array.reads or array.uses)
    if ((own and body.runs(at) is False) or touched is False) and not laid.debugged:
        return
    scope = body.scope(env, at)
    room = _layout_of_variable(env, body, array.field, scope) if own else _compute_layout(array.field, scope)
    layout = room.layout
    if holds is None:
        condition = env.first_undecided_condition(array.conditions, body.placed.order)
        layout = f"{array.field.name} is under an #if that may be false: {condition}"
    used = read or (
        bool(array.reads)
        and (touched is True or _is_given_to_collective(body, array, scope))
        and body.runs(at) is True
        and not room.may_be_unused
        and not ((_may_be_register(env, body, array) or not array.stored) and _may_fit_registers(env, layout))
    )
    written = "__AMDGCN__" not in env.macros or laid.stores.is_certain_for(body, array, own)
    sure = (called and used) and (
        (written and laid.loads.is_certain_for(body, array, own))
        or (own and _is_given_to_collective(body, array, scope))
    )
    place = Place(body.placed.slot, array.field.span.start, array.field.span.end)
    size = unknown(layout) if isinstance(layout, str) else Value(layout.size)
    pad = row_padding(array.field.extents, room.extents, scope, size.number)
    stays = read or bool(array.reads)
    its = own and body is found.kernel
    variable = LocalMemoryVariable(array.field.name, place, size, stays, pad, room.extents, its)
    laid.variables.append(shared(variable))  # mostly the same in all instances: an edit moves it once
    if isinstance(layout, str):
        laid.reasons.append(layout)
    else:
        whole = sure and (
            laid.kept.is_certain_for(body, array, own) or _member_is_given_to_collective(body, array, scope)
        )
        together = body if own else array.field.name
        may_be_shared = body in laid.apart if own else bool(laid.apart)
        (laid.sure if whole else laid.perhaps).append(
            PlacedVariable(layout, together if may_be_shared else None, unwritten=not written)
        )


@dataclass(frozen=True, slots=True)
class _VariableLayout:
    """What a variable's type and extents say. `layout`: text: why it is not known. `may_be_unused`: the storage of a
    collective that needs none."""

    layout: Layout | str
    may_be_unused: bool
    extents: tuple[int, ...]


def _layout_of_variable(env: Environment, body: FunctionInstance, field: Field, scope: ItemScope) -> _VariableLayout:
    """Remembered by what they mean: an edit of a kernel seldom changes its variables."""
    meaning = semantic_hashes(env, body.placed, body.function).array(field)
    if meaning is None:
        return _compute_layout(field, scope)
    key = ("room", "", instance_key(env, body.placed, body.function, body.bindings), meaning)
    nothing = _VariableLayout(f"the size of {field.name}", True, ())
    return env.remember_by_content(key, lambda: _compute_layout(field, scope), nothing, body.placed.item)


def _compute_layout(field: Field, scope: ItemScope) -> _VariableLayout:
    return _VariableLayout(
        scope.layout_of_field(field), may_be_unused_storage(field.type, scope), extent_values(field.extents, scope)
    )


def _is_given_to_collective(body: FunctionInstance, array: LocalArray, scope: ItemScope) -> bool:
    """Whether it is storage that one of cub's collectives is surely made with."""
    given = [it for it in body.function.mentions.calls if it.arguments == (array.field.name,) and body.runs(it.start)]
    kind = resolve_type(array.field.type.text, scope) if given else ""
    if isinstance(kind, str) or kind.storage is None:
        return False
    made = kind.name.removesuffix("::TempStorage")
    return any(unresolved_type_name(_spelling_of_callee(it), scope) == made for it in given)


def _member_is_given_to_collective(body: FunctionInstance, array: LocalArray, scope: ItemScope) -> bool:
    """Whether one of cub's collectives is surely made with a member of it, which its threads then pick places in."""
    start = f"{array.field.name}."
    given = (it for it in body.function.mentions.calls if len(it.arguments or ()) == 1 and body.runs(it.start) is True)
    made = (
        unresolved_type_name(_spelling_of_callee(it), scope)
        for it in given
        if (it.arguments or ("",))[0].startswith(start)
    )
    return any(COLLECTIVE.match(it) for it in made)


def _spelling_of_callee(site: CallSite) -> str:
    return f"{site.name}<{', '.join(site.template)}>" if site.template is not None else site.name


def _is_shadowed_everywhere(found: KernelReachability, name: str) -> bool:
    """Whether every function that uses the name has a variable or parameter of its own by it."""
    using = [body for body in found.bodies if name in body.function.mentions.names]
    return bool(using) and all(
        any(
            it.scope is not None and it.scope.start < body.function.body.end and body.function.head.start <= it.start
            for it in body.placed.facts.locals.get(name, ())
        )
        for body in using
    )


def _may_fit_registers(env: Environment, layout: Layout | str) -> bool:
    """Elsewhere than on AMD only what a thread holds in a register or two is taken out of local memory."""
    return env.dialect.local_memory.moves_arrays or (isinstance(layout, Layout) and layout.size <= 8)


def _may_be_register(env: Environment, body: FunctionInstance, array: LocalArray) -> bool:
    """Whether each thread may read back only what it wrote itself: a single variable, and no barrier before a read."""
    if array.field.extents or not array.reads:
        return False
    function, item = body.function, body.placed.item
    return array.reads[-1] <= env.remember(
        ("first barrier", item, function.body.start), lambda: _first_barrier_offset(function), function.body.end
    )


def _first_barrier_offset(function: Function) -> int:
    return min((it.start for it in function.mentions.calls if BARRIER.fullmatch(it.name)), default=function.body.end)
