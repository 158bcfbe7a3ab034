"""Whether a compiler keeps the whole of a shared array or structure.

NVVM and clang for AMD split a shared variable of which every access is at a constant offset, and drop the parts that
nothing uses (LLVM's GlobalOpt; measured with nvcc 13.0 and 13.5 and clang 22). An index that only the running kernel
knows, inline assembly, an atomic operation or `volatile` keeps all of it. What is neither surely constant nor surely
kept may be either.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from operator import attrgetter

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.sampled_values import MOST_FOLLOWED, SampledValues
from occupancy_lsp.source.kernels.shared_variable_uses import BodyUses, TransitiveUses, Used
from occupancy_lsp.source.kernels.unread_shared_variables import ReadTracker
from occupancy_lsp.source.lower.item_facts import (
    ArrayAccess,
    CallSite,
    Function,
    LocalArray,
    VariableAssignment,
    reaches_caller,
)
from occupancy_lsp.source.lower.operand_tree import Operand, operands_of
from occupancy_lsp.source.sema.macro_uses import expanded_text

# The thread's place and what a warp exchanges: no compiler knows them. Sizes of blocks and grids it may know.
RUN_TIME = frozenset(
    (
        *("threadIdx", "blockIdx", "thread_rank", "thread_index", "clock", "clock64", "__lane_id"),
        *(f"hip{it}Idx_{axis}" for it in ("Thread", "Block") for axis in "xyz"),
        *("get_global_id", "get_local_id", "get_group_id", "get_global_linear_id", "get_local_linear_id"),
        *("get_sub_group_id", "get_sub_group_local_id"),
    )
)
_KEEPING = regex(r"asm|(?:hip)?atomic\w+|atom_\w+|mem(?:cpy|set)|__cvta_\w+|\w*InterlockedAdd\w*")
_SHUFFLE = regex(r"__shfl\w*|__ballot\w*|atomic\w+|atom_\w+|__match_\w+|sub_group_\w+")
_START = attrgetter("start")
_CALLED = regex(r"\b([A-Za-z_]\w*)\s*\(")
# Sizes that leave something of what varies, by the operator before them.
_SIZES = frozenset(("blockDim", "gridDim", "warpSize", "get_local_size", "get_num_groups"))
_SIZES_AFTER = {"": _SIZES, "*": _SIZES, "/": _SIZES, "%": frozenset(("warpSize",))}
# Between which numbers behind an operator something is left of what varies, whatever integer that is. Of literals
# people see that themselves, but for a few.
_LITERALS = {"%": (2, inf), "<<": (0, 31), ">>": (0, 31), "||": (0, 0)}
# What makes the same of some values, however they vary.
_SETTLING = frozenset(("/", "%", ">>", "&", "|", "<", ">", "<=", ">=", "==", "!="))
_SETTLING_PREFIX = regex(r"\s*!|.*\b(?:char|short|bool|u?int(?:8|16)_t|uchar|ushort)\b")
_NUMBERS = {**_LITERALS, "*": (1, 1 << 16), "/": (1, 1024), ">>": (0, 7)}


def _is_changed(access: ArrayAccess) -> bool:
    return access.effect == "changed" or (access.address and bool(_KEEPING.fullmatch(access.callee)))


def is_access_kept(loads: ReadTracker, body: FunctionInstance, access: ArrayAccess, used: Used) -> bool:
    """Return whether the compiler surely leaves the access to an element in."""
    return access.effect == "written" or loads.has_effect_from(body, access, used)


class _PointeeUse(TransitiveUses):
    """Whether what a pointer points to is surely read from or written to."""

    def __init__(self, uses: BodyUses, loads: ReadTracker) -> None:
        super().__init__(uses)
        self._loads = loads

    def is_used_through_access(self, body: FunctionInstance, access: ArrayAccess, extents: int, used: Used) -> bool:
        """Return whether it is, where the address goes that is taken there."""
        callees = [*self._callees_given_address(body, (access,), extents, used)]
        if callees:
            return any(self._is_done_by_callee(it, index, 0, taken) for it, index, taken in callees)
        if self._env.has_function(access.callee):
            return False  # it is in sight, but which of several is called is not known
        reached = self._of(body).value_destinations(access)
        return any(
            not reaches_caller(it) and it != access.name and self._is_value_used(body, it, used) for it in reached
        )

    def is_read(self, body: FunctionInstance, name: str, used: Used) -> bool:
        return self._is_done_to_name(body, name, 1, 0, used)

    def _is_done_by_access(self, body: FunctionInstance, access: ArrayAccess, extents: int, used: Used) -> bool:
        if access.is_address(extents):
            return bool(_KEEPING.fullmatch(access.callee))
        return is_access_kept(self._loads, body, access, used)

    def _is_done_by_callee(self, callee: FunctionInstance, index: int, depth: int, used: Used) -> bool:
        return callee.function.specifiers.apart or super()._is_done_by_callee(callee, index, depth, used)


class WholeArrayUse(TransitiveUses):
    """What keeps variables whole, in what one kernel reaches."""

    def __init__(self, uses: BodyUses, loads: ReadTracker) -> None:
        super().__init__(uses)
        self._loads = loads
        self._touched = _PointeeUse(uses, loads)
        self._varying: dict[FunctionInstance, frozenset[str]] = {}
        self._assigned: dict[tuple[FunctionInstance, str, int], bool] = {}
        self._variables_followed = 0  # variables, each made of the next
        self._samples = SampledValues(uses)

    def is_certain_for(self, body: FunctionInstance, array: LocalArray, own: bool) -> bool:
        """Return whether the compiler surely keeps all of the variable, if it keeps anything. `own`: of the body; else
        it stands outside of functions."""
        name, extents = array.field.name, len(array.field.extents)
        bodies = self._bodies_to_search(body, own)
        if array.volatile:
            return True
        picked = (self._of(it).is_accessed(name, attrgetter("path")) for it in bodies)
        if extents or (not array.field.type.pointer and any(picked)):
            return self._is_done_to_variable(body, array, own)
        stays = not self._env.dialect.local_memory.folds_scalars and not any(
            self._is_assigned_unconditionally(it, name) for it in bodies
        )
        return stays or self._gets_several_values(bodies, name)

    def _is_assigned_unconditionally(self, body: FunctionInstance, name: str) -> bool:
        """Return whether a variable is given something under no condition."""
        function = body.function
        under = [*(it.span for it in function.flow.branches), *(it.span for it in function.flow.passages)]
        starts = [it.start for it in self._of(body).assigned(name)]
        return any(not any(it.start <= start < it.end for it in under) for start in starts)

    def _gets_several_values(self, bodies: Sequence[FunctionInstance], name: str) -> bool:
        """Return whether a scalar surely gets more than one constant, or what only the running kernel knows.

        Another is that constant everywhere (LLVM's GlobalOpt). What out of sight may give it is taken for more."""
        literals, given = set[float | None](), False
        for body in bodies:
            uses = self._of(body)
            if uses.is_accessed(name, _is_changed):
                return True
            for site, index in uses.handed(name):
                if self._may_be_written_by_callee(body, site, index):
                    given = True
                    if self._has_run_time_value(body, site.arguments or (), site.start, name):
                        return True
            for assigned in (it for alias in (name, *uses.pointers(name)) for it in uses.assigned(alias)):
                if not assigned.points and uses.is_compiled(assigned.start):
                    given = True
                    if self._has_run_time_value(body, assigned.texts, assigned.start, name):
                        return True
                    literals.add(assigned.literal)
        return not given or len(literals - {None}) > 1

    def _may_be_written_by_callee(self, body: FunctionInstance, site: CallSite, index: int) -> bool:
        """Return whether the functions that a call means may give a value to what its argument at `index` names."""
        callees = self._uses.callees(body, site.start)
        each = [it.function.parameters[index] for it in callees if index < len(it.function.parameters)]
        return any(it.may_be_written for it in each)

    def _is_done_by_access(self, body: FunctionInstance, access: ArrayAccess, extents: int, used: Used) -> bool:
        picked = self._has_run_time_value(body, access.indices, access.start)
        if not access.is_address(extents):
            return picked and is_access_kept(self._loads, body, access, used)
        if _KEEPING.fullmatch(access.callee):
            return True
        varies = picked or self._has_run_time_value(body, access.added, access.start)
        return varies and self._touched.is_used_through_access(body, access, extents, used)

    def is_read(self, body: FunctionInstance, name: str, used: Used) -> bool:
        return self._loads.is_read(body, name, used)

    def _is_done_by_callee(self, callee: FunctionInstance, index: int, depth: int, used: Used) -> bool:
        parameter = callee.function.parameters[index]
        if callee.function.specifiers.apart or (parameter.volatile and parameter.uses):
            return True
        return super()._is_done_by_callee(callee, index, depth, used)

    def _has_run_time_value(
        self, body: FunctionInstance, texts: Iterable[str], at: int, besides: str = "", counts: bool = False
    ) -> bool:
        """Return whether one of the expressions there surely has a value that only the running kernel knows. `besides`:
        what says nothing of it. `counts`: they are conditions of loops, which need not have several values."""
        place = _Place(
            lambda name: name != besides and self._is_run_time_name(body, name, at),
            lambda text: self._samples.number(body, text, at),
            lambda said: counts or self._has_several_values(body, said, at),
            lambda said: self._samples.is_fixed_by_condition(body, said.text, at),
        )
        return any(_is_run_time_operand(operands_of(self._with_macros_expanded(body, it, at)), place) for it in texts)

    def _has_several_values(self, body: FunctionInstance, said: Operand, at: int) -> bool:
        return len(self._samples.of_expression(body, said, at).values or ()) > 1

    def _with_macros_expanded(self, body: FunctionInstance, text: str, at: int) -> str:
        """Return an expression without macros that have parameters."""
        order = body.placed.order
        if not any(self._env.possible_function_macros(it, order, at) for it in _CALLED.findall(text)):
            return text
        return expanded_text(text, body.scope(self._env, at)) or ""

    def _is_run_time_name(self, body: FunctionInstance, name: str, at: int) -> bool:
        if name in RUN_TIME or any(it.field.name == name for it in body.function.memory.arrays):
            return True
        each = self._of(body).assigned(name)
        before = bisect_left(each, at, key=_START)
        if not before:
            return name in self._run_time_parameters(body) or self._names_run_time_value(body, name)
        last = each[before - 1]
        key = body, name, last.start
        if key not in self._assigned:
            self._assigned[key] = False  # while it asks for itself
            self._variables_followed += 1
            self._assigned[key] = self._variables_followed <= MOST_FOLLOWED and self._gets_run_time_value(body, last)
            self._variables_followed -= 1
        return self._assigned[key] and not self._samples.is_settled_by_type(body, name, at)

    def _gets_run_time_value(self, body: FunctionInstance, assigned: VariableAssignment) -> bool:
        said, *conditions = assigned.texts or ("",)
        if self._has_run_time_value(body, (said,), assigned.start):
            return True
        return self._has_run_time_value(body, conditions, assigned.start, counts=True)

    def _run_time_parameters(self, body: FunctionInstance) -> frozenset[str]:
        """Return the parameters whose values only the running kernel knows."""
        if body.function.kernel:
            return frozenset(it.name for it in body.function.parameters)
        if body not in self._varying:
            self._varying[body] = frozenset()
            self._varying[body] = frozenset(self._parameters_given_run_time_values(body))
        return self._varying[body]

    def _parameters_given_run_time_values(self, body: FunctionInstance) -> Iterator[str]:
        names = [it.name for it in body.function.parameters]
        for caller, site in self._uses.calls_of_function(body):
            if caller != body and caller.runs(site.start) is True:
                for name, text in zip(names, site.arguments or (), strict=False):
                    if self._has_run_time_value(caller, (text,), site.start):
                        yield name

    def _names_run_time_value(self, body: FunctionInstance, name: str) -> bool:
        """Return whether the name is that of a macro, or of a function in sight, that names a thread's place."""
        if _SHUFFLE.fullmatch(name):
            return True
        env, order, start = self._env, body.placed.order, body.function.body.start
        texts = [it.body for it in env.possible_function_macros(name, order)] or [
            *body.scope(env, start).macro_texts(name)
        ]
        if texts:
            place = _Place(
                RUN_TIME.__contains__,
                lambda text: self._samples.number(body, text, start),
                lambda said: self._has_several_values(body, said, start),
                lambda said: False,
            )
            return all(_is_run_time_operand(operands_of(it), place) for it in texts)
        functions: list[Function] = [it for _, it in env.functions(name)] if not body.may_declare_name(name) else []
        return bool(functions) and all(not RUN_TIME.isdisjoint(it.mentions.names) for it in functions)


@dataclass(frozen=True, slots=True)
class _Place:
    """What names and expressions mean at one place."""

    is_varying: Callable[[str], bool]
    number: Callable[[str], float | None]
    has_several_values: Callable[[Operand], bool]
    is_fixed_by_condition: Callable[[Operand], bool]


def _is_run_time_operand(said: Operand, place: _Place) -> bool:
    """Return whether an expression surely has a value that only the running kernel knows."""
    if any(map(place.is_varying, said.words)):
        if place.is_fixed_by_condition(said):
            return False
    else:
        varying = [_is_run_time_operand(it, place) for it in said.parts]
        if not any(varying):
            return False
        fixed = [part for part, varies in zip(said.parts, varying, strict=True) if not varies]
        if said.product and not all(_keeps_run_time_value(it, place) for it in fixed):
            return False
    settles = not _SETTLING.isdisjoint(it.sign for it in said.parts) or _SETTLING_PREFIX.match(said.text)
    return not settles or place.has_several_values(said)


def _keeps_run_time_value(factor: Operand, place: _Place) -> bool:
    """Return whether what varies surely still does with this factor."""
    if not factor.words.isdisjoint(_SIZES_AFTER.get(factor.sign, ())):
        return True
    number = place.number(factor.text.strip())
    literal = _is_literal_operand(factor)
    if number is None:
        return literal
    least, most = (_LITERALS if literal else _NUMBERS).get(factor.sign, (1, inf))
    return least <= abs(number) <= most


def _is_literal_operand(said: Operand) -> bool:
    return not said.words and all(map(_is_literal_operand, said.parts))
