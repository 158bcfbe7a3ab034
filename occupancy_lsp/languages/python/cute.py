"""CuTe DSL's kernels: functions under `@cute.kernel`, and their launches `kernel(…).launch(grid=…, block=…, smem=…)`.

Each launch compiles the kernel for its block (`.reqntid`). Without `smem=` it takes what the kernel allocates
(`generate_launch_op` in CUTLASS 4.8), which the text does not tell.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.calling import (
    called_name,
    doubtful_members,
    is_given_once,
    member,
    method_of,
)
from occupancy_lsp.languages.python.certain import may_run
from occupancy_lsp.languages.python.decorated import AMONG_STARS, Decorated, decorated, plain
from occupancy_lsp.languages.python.members import Family, Members, family
from occupancy_lsp.languages.python.module import Found, Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.sizes import dimensions, number
from occupancy_lsp.languages.python.statements import Launch, Statement
from occupancy_lsp.languages.python.values import Unknown, value
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
from occupancy_lsp.source.kernels.launch_resolution import ExecutionConfiguration, KernelLaunch
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.syntax.known_value import unknown

_KERNEL = frozenset({"cutlass.cute.kernel", "cutlass.cute.experimental.kernel"})
# What makes `setmaxnreg` of it; the latter two are older.
_CHANGES = frozenset(
    {"setmaxregister_increase", "setmaxregister_decrease", "warpgroup_reg_alloc", "warpgroup_reg_dealloc"}
)
_ALLOCATED = "it is what the kernel allocates"


def resolve(module: Module, device: Mapping[str, int]) -> Found:
    """The kernels and launches of a file."""
    kernels = [*decorated(module, _KERNEL)]
    if not kernels:
        return Found()
    members = doubtful_members(module.statements)
    launches: list[KernelLaunch] = []
    preferred: list[CarveoutPreference] = []
    stating: dict[Decorated, bool] = {}  # whether some launch states how many blocks an SM is to hold
    for placed, launch in _launches(module):
        kernel = _meant(module, placed, launch, kernels, members)
        if kernel is not None:
            receiver = _receiver(module, launch)
            key = placed, launch, kernel, receiver, family(module, placed) if receiver else None
            made = module.make(key, partial(_launched, *key))
            launches.append(made[0])
            preferred += made[1]
            stating[kernel] = stating.get(kernel, False) or _states_blocks(launch.call)
    each = tuple(_kernel(it, not stating.get(it, True)) for it in kernels)
    return Found(each, tuple(launches), tuple(preferred))


def _kernel(it: Decorated, countless: bool) -> Kernel:
    """`countless`: it is launched, and never with a number of blocks that an SM is to hold."""
    plainly = plain(it, it.qualified)
    change = _changes_registers(it) if countless and not it.function.words.isdisjoint(_CHANGES) else None
    vain = it.placed.place(it.placed.statement.span(change)) if change is not None else None
    summary = replace(plainly.summary, local=LocalMemory((), 0, 0, "", True, ()), vain=vain)
    return replace(plainly, summary=summary, configured=True)


def _states_blocks(call: ast.Call) -> bool:
    """Whether a launch states, or may state, more than the 0 that CUTLASS takes for granted (`LaunchConfig`)."""
    said = [it for it in call.keywords if it.arg in (None, "min_blocks_per_mp")]
    return not all(isinstance(it.value, ast.Constant) and it.value.value == 0 for it in said) or bool(call.args)


def _changes_registers(it: Decorated) -> ast.Call | None:
    """The first call that does so, whatever the compiler is told: under conditions on what the kernel works out."""
    own = {name for name, node in it.function.own if node is not None}
    return _first_change(it.function.node.body, own)


def _first_change(body: Sequence[ast.stmt], own: Set[str]) -> ast.Call | None:
    for statement in body:
        match statement:
            case ast.If(test=test, body=then, orelse=otherwise):
                names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
                tried = (then, otherwise) if names & own and "const_expr" not in ast.unparse(test) else ()
                found = next(filter(None, (_first_change(it, own) for it in tried)), None)
            case ast.Expr(value=ast.Call() as call) if called_name(call.func) in _CHANGES:
                found = call
            case _:
                found = None
        if found is not None:
            return found
    return None


def _launches(module: Module) -> Iterator[tuple[Placed, Launch]]:
    return ((placed, it) for placed in module.statements for it in _named_launch(placed.statement))


@remembered(4096)
def _named_launch(statement: Statement) -> tuple[Launch, ...]:
    """Those of a kernel that is called: `kernel(…).launch(…)`."""
    return tuple(it for it in statement.calls if _called(it.call) is not None)


def _called(call: ast.Call) -> ast.expr | None:
    """The kernel."""
    match call.func:
        case ast.Attribute(value=ast.Call(func=kernel), attr="launch"):
            return kernel
    return None


def _meant(
    module: Module, placed: Placed, it: Launch, kernels: Sequence[Decorated], members: Set[str]
) -> Decorated | None:
    """The kernel of that name in the innermost function around the launch, else at the margin; of `self`, its class.

    `members`: those that may be something else than a class says.
    """
    within = it.within
    match _called(it.call):
        case ast.Name(id=name) if name not in it.bound:
            for holder in (within, *module.around(within)) if within is not None else ():
                given = [own for own, _ in holder.own if own == name]
                inside = _of((*holder.outer, holder.name), name, kernels)
                if inside is not None or given or name in parameters(holder):
                    return inside if len(given) <= 1 and name not in parameters(holder) else None
            return _of((), name, kernels) if module.names.of(name).once else None
        case ast.Attribute(value=ast.Name(id="self" | "cls" as receiver), attr=name) if within is not None:
            method = method_of((within, *module.around(within)), receiver)
            sure = method is not None and members.isdisjoint((name, member(method.outer[0], name)))
            if method is not None and sure and is_given_once(placed.statement, name):
                return _of(method.outer, name, kernels)
    return None


def _of(outer: tuple[str, ...], name: str, kernels: Sequence[Decorated]) -> Decorated | None:
    found = [it for it in kernels if (it.function.outer, it.function.name) == (outer, name)]
    return found[0] if len(found) == 1 else None


def _receiver(module: Module, it: Launch) -> str:
    """What the method around a launch calls its object; "": there is none, or it may be something else there."""
    around = (it.within, *module.around(it.within)) if it.within is not None else ()
    return next((name for name in ("self", "cls") if method_of(around, name) is not None), "")


def _launched(
    placed: Placed, it: Launch, kernel: Decorated, receiver: str, of: Family | None, module: Module
) -> tuple[KernelLaunch, tuple[CarveoutPreference, ...]]:
    """`of`: the classes that say what members of `receiver` are worth."""
    scope = module.inside(it.within, it.bound)
    if of is not None:
        scope.know(receiver, Members(module, of))
    given = {one.arg: value(one.value, scope) for one in it.call.keywords}
    rest: Any = Unknown(AMONG_STARS) if None in given or it.call.args else None
    said = {name: given.get(name, rest) for name in ("grid", "block", "smem", "cluster", "fallback_cluster")}
    places = {one.arg: placed.place(placed.statement.span(one.value)) for one in it.call.keywords}
    called = placed.place(placed.statement.span(_called(it.call) or it.call.func))
    place = places.get("block", called)
    dynamic = unknown(_ALLOCATED) if said["smem"] is None else number(said["smem"])
    cluster = Unknown("it may be one of two") if said["fallback_cluster"] is not None else said["cluster"]
    name = f"::{kernel.qualified}" if kernel.qualified != kernel.function.name else kernel.function.name
    launch = KernelLaunch(
        name, kernel.function.name, place, called,
        ExecutionConfiguration(
            (places.get("grid", place), dimensions(_size(said["grid"]), 1)),
            (place, dimensions(_size(said["block"]), 1)), AttributeValue(places.get("smem", place), dynamic),
            cluster=(places.get("cluster", place), dimensions(cluster, 1)) if cluster is not None else None,
        ), "",
        cooperative=given.get("cooperative") is True,
        reached=may_run(module, placed.statement, it.within, it.call),
    )  # fmt: skip
    shares = ("preferred_smem_carveout", "min_blocks_per_mp")  # the latter makes CUTLASS choose the former
    preferred = (
        CarveoutPreference(kernel.function.name, one, places[one], unknown("CUTLASS sets it"))
        for one in shares
        if given.get(one) not in (None, 0, 1)
    )
    return launch, tuple(preferred)


def _size(found: Any) -> Any:
    """One block, or one thread, where nothing is given."""
    return 1 if found is None else found
