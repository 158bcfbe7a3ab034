"""The memory of a work-group that a shader declares outside of functions: which variables count, and how many bytes.

The driver decides. Measured with Mesa 22.3.6: AMD's drops what is never used and what is only written; Intel's keeps
both where the module is SPIR-V 1.4 or later. How other drivers do it is not known: they are taken to do either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.bank_padding import extent_values
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.local_memory import LocalMemory, LocalMemoryVariable, names_in_used_macros
from occupancy_lsp.source.kernels.reachability import KernelReachability
from occupancy_lsp.source.kernels.shared_variable_uses import BodyUses, Used
from occupancy_lsp.source.kernels.unread_shared_variables import ATOMIC, ReadTracker, WriteTracker
from occupancy_lsp.source.lex.dialect import LOCAL, PADDED, SCALAR
from occupancy_lsp.source.lower.array_accesses import array_accesses
from occupancy_lsp.source.lower.glsl_globals import buffer_member_name
from occupancy_lsp.source.lower.hlsl_globals import MODULE
from occupancy_lsp.source.lower.item_facts import ArrayAccess, Function, LocalArray, pointee_destination
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.lower.value_destinations import occurrences_of
from occupancy_lsp.source.sema.builtin_layout import Layout, builtin_layout, packed_size_bounds
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.known_value import Place, Value, unknown

_OUT_OF_SIGHT = "a header that is not in sight may declare more"
_BY_MODULE = "a module that it imports may declare more"
_BY_MACRO = "a macro may declare more"
_UNREAD = "a declaration that is not read"  # of slangc 2026.14 also within functions, once for each generic instance
_BY_ZERO = regex(rb"\*\s*0(?:\.0*)?[fFuU]?(?![\w.])|(?<![\w.])0?\.?0[fFuU]?\s*\*")  # Mesa takes it for 0, of floats too
_LAYOUTS = "drivers lay it out differently"


@dataclass(frozen=True, slots=True)
class _Laid:
    """A variable, in each of the layouts in question; text: why that is not known. `lives`: every driver keeps it."""

    variable: LocalMemoryVariable
    layouts: Sequence[Layout | str]
    lives: bool

    @property
    def reason(self) -> str:
        return next((it for it in self.layouts if isinstance(it, str)), "")


class _Loads(ReadTracker):
    """What is stored to a buffer can be observed."""

    def is_read(self, body: FunctionInstance, name: str, used: Used) -> bool:
        return bool(self._env.definitions(buffer_member_name(name))) or super().is_read(body, name, used)

    def has_effect_from(self, body: FunctionInstance, access: ArrayAccess, used: Used) -> bool:
        """DXC 3.7 drops what only goes back to where it comes from, as GLSL's drivers do not."""
        if not self._env.dialect.local_memory.splits_variables:
            return super().has_effect_from(body, access, used)
        beyond = self._of(body).value_destinations(access) - {access.name, pointee_destination(access.name)}
        return not ATOMIC.fullmatch(access.callee) and any(
            self._is_destination_used(body, it, access.name, access.start, used, 0) for it in beyond
        )


def group_memory_of(env: Environment, kernel: Function, found: KernelReachability) -> LocalMemory:
    """`found`: the kernel with what it calls."""
    layout, splits = env.group_memory_layout, env.dialect.local_memory.splits_variables
    one = layout == SCALAR or (layout == PADDED and not splits)
    each = [env] if one else [env.with_group_memory_layout(it) for it in (SCALAR, PADDED)]
    laid = [*_variables_with_layouts(env, each, kernel, found)]
    reasons = [
        it for it in (found.doubt, *_reasons_for_unseen_variables(env, found), *(it.reason for it in laid)) if it
    ]
    known = [it for it in laid if not it.reason]
    lowest = min(packed_size_bounds(_known_layouts(known, index, True))[0] for index in range(len(each)))
    highest = max(packed_size_bounds(_known_layouts(known, index, False))[1] for index in range(len(each)))
    reason = reasons[0] if reasons else ""
    variables = tuple(it.variable for it in laid)
    return LocalMemory(variables, lowest, None if reasons else highest, reason, False, ())


def _known_layouts(laid: Sequence[_Laid], index: int, living: bool) -> list[Layout]:
    """`living`: only what every driver keeps."""
    return [layout for it in laid if it.lives or not living if isinstance(layout := it.layouts[index], Layout)]


def _reasons_for_unseen_variables(env: Environment, found: KernelReachability) -> Iterator[str]:
    """Why there may be more variables than are read. A function that nothing in sight declares stands in a text that
    the host puts before this one."""
    if env.may_miss_headers:
        yield _OUT_OF_SIGHT
    if found.unseen:
        yield f"{min(found.unseen)} is not in sight, and what declares it may declare more"
    if env.definitions(MODULE):
        yield _BY_MODULE
    words = frozenset(word.decode() for word, name in env.dialect.annotations.words.items() if name == LOCAL)
    if not {it.encode() for it in env.macros_containing_words(words)} <= env.dialect.annotations.words.keys():
        yield _BY_MACRO


def _variables_with_layouts(
    env: Environment, each: Sequence[Environment], kernel: Function, found: KernelReachability
) -> Iterator[_Laid]:
    """Those that may count. `each`: what names mean in each of the layouts."""
    in_macros = names_in_used_macros(env, found)
    named = found.kernel.function.mentions.names | found.below.names | in_macros
    uses = BodyUses(env, found)
    splits = env.dialect.local_memory.splits_variables
    # What a function out of sight reads is not known.
    drops = env.group_memory_layout == SCALAR and not (found.unseen or splits)
    vanishes = any(_BY_ZERO.search(it.function.texts.device_code) for it in found.bodies)
    loads, stores = _Loads(uses), WriteTracker(uses)
    # What is not named no compiler hands on to a driver.
    left_out = drops or (splits and not found.unseen)
    for placed, array in _file_level_arrays_named(env, named) if left_out else env.all_file_level_arrays():
        name, holds = array.field.name, env.holds((*placed.conditions, *array.conditions), placed.order)
        if holds is False or (drops and name and not _may_be_read(name, found, in_macros)):
            continue
        used = name in named
        body = FunctionInstance(placed, kernel, {})
        lives = used and holds is True and not (found.doubt or vanishes) and loads.is_certain_for(body, array, False)
        # What nothing writes to the two drivers that were measured keep.
        kept = env.group_memory_layout is not None and not splits
        lives = lives and (kept or stores.is_certain_for(body, array, False))
        lives = lives and not (splits and _may_be_split(each[0], array))
        layouts = [_variable_layout(it, placed, array) for it in each]
        yield _Laid(_local_memory_variable(each[0], placed, array, layouts, used), layouts, lives)


def _file_level_arrays_named(env: Environment, names: Set[str]) -> Iterator[tuple[LocatedItem, LocalArray]]:
    """Yield those that bear one of the names or none, in their order: a file may have as many as kernels."""
    every = env.all_file_level_arrays()
    none: Mapping[str, Sequence[int]] = {}

    def numbers_by_name() -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for number, (_, array) in enumerate(env.all_file_level_arrays()):
            found.setdefault(array.field.name, []).append(number)
        return found

    by_name = env.remember(("arrays by name", ""), numbers_by_name, none)
    for number in sorted(number for name in {*names, ""} for number in by_name.get(name, ())):
        yield every[number]


def _variable_layout(env: Environment, placed: LocatedItem, array: LocalArray) -> Layout | str:
    return ItemScope(env, placed, array.field.span.start).layout_of_field(array.field) if array.field.name else _UNREAD


def _may_be_split(env: Environment, array: LocalArray) -> bool:
    """Whether parts of it may be left out where nothing reads them: DXC 3.7 splits structures for Direct3D, and vectors
    that stand in no array; arrays of vectors and matrices it keeps. `env`: with vectors aligned as their components."""
    laid = builtin_layout(array.field.type.text, env.builtin_type_family)
    return laid is None or (laid.size > laid.alignment and not array.field.extents)


def _may_be_read(name: str, found: KernelReachability, in_macros: Set[str]) -> bool:
    """Whether it is named anywhere but where it is given a value."""
    return name in in_macros or any(_is_named_besides_writes(name, it.function) for it in found.bodies)


def _is_named_besides_writes(name: str, function: Function) -> bool:
    text = function.texts.device_code
    written = [it for it in array_accesses(function).accesses if it.name == name and it.effect == "written"]
    return len([*occurrences_of(text, name.encode(), 0, len(text))]) > len(written)


def _local_memory_variable(
    env: Environment, placed: LocatedItem, array: LocalArray, layouts: Sequence[Layout | str], used: bool
) -> LocalMemoryVariable:
    field = array.field
    sizes = {it.size if isinstance(it, Layout) else it for it in layouts}
    size = sizes.pop() if len(sizes) == 1 else _LAYOUTS
    place = Place(placed.slot, field.span.start, field.span.end)
    extents = extent_values(field.extents, ItemScope(env, placed, field.span.start))
    return LocalMemoryVariable(
        field.name, place, Value(size) if isinstance(size, int) else unknown(size), used, extents=extents
    )
