"""How a Python file launches the kernels of programs that it holds."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.calling import Stands, called_name, meant, named_last
from occupancy_lsp.languages.python.certain import may_run
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.program_options import beginning
from occupancy_lsp.languages.python.program_texts import At, Taken, argument, taken_by
from occupancy_lsp.languages.python.sizes import dimensions, number
from occupancy_lsp.languages.python.statements import Function, Statement
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.languages.python.walking import walk
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
from occupancy_lsp.source.kernels.launch_resolution import ExecutionConfiguration, KernelLaunch
from occupancy_lsp.source.syntax.known_value import Place

_GETS = ("get_function", "get_kernel")
_PREPARED = ("prepared_call", "prepared_async_call", "prepared_timed_call")  # PyCUDA's
_OF_CUPY = ("grid", "block", "args", "shared_mem")
MAKING = {"RawKernel", *_GETS}  # what makes or gets a kernel
LAUNCHING = {"launch", *_PREPARED}
_HERE = Place(-1, 0, 0)  # of what stands in no text of CUDA


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What a launch says. `where`: the sizes stand there. `cooperative`: whether it asks to be so; None: it does not
    say, and CuPy has it of the program."""

    kernel: ast.expr
    where: Stands
    grid: ast.expr | None
    block: ast.expr | None
    dynamic: ast.expr | None
    cooperative: ast.expr | None = None


def launched_by(module: Module, of: Stands) -> tuple[At, KernelLaunch] | None:
    """The launch that a call is, with the program of the kernel; None: it is none."""
    call = of.node
    assert isinstance(call, ast.Call)
    if any(isinstance(it, ast.Starred) for it in call.args[:2]):
        return None
    asked = _of_core(module, call, of) or _prepared(call, of) or _of_pycuda(call, of) or _of_cupy(call, of)
    if asked is None or asked.block is None:
        return None
    found = _kernel(module, of.part(asked.kernel))
    if found is None:
        return None
    launch = _launch(module, found[1], asked)
    reached = may_run(module, of.placed.statement, of.around[0] if of.around else None, call)
    return found[0].at, replace(launch, cooperative=launch.cooperative or found[0].cooperative, reached=reached)


def _of_core(module: Module, call: ast.Call, of: Stands) -> _Asked | None:
    """cuda.core: `launch(stream, LaunchConfig(grid=…, block=…, shmem_size=…), kernel, …)`."""
    if named_last(module, call.func) != "launch" or len(call.args) < 3:
        return None
    config = meant(module, of.part(call.args[1]))
    if not isinstance(config.node, ast.Call) or named_last(module, config.node.func) != "LaunchConfig":
        return None
    said = _given(config.node, ("grid", "cluster", "block", "shmem_size"))
    sizes = said.get("grid"), said.get("block"), said.get("shmem_size")
    return _Asked(call.args[2], config, *sizes, said.get("cooperative_launch"))


def _prepared(call: ast.Call, of: Stands) -> _Asked | None:
    """PyCUDA: `kernel.prepared_call(grid, block, …, shared_size=…)`."""
    match call.func:
        case ast.Attribute(value=kernel, attr=attr) if attr in _PREPARED:
            said = _given(call, ("grid", "block"))
            return _Asked(kernel, of, said.get("grid"), said.get("block"), said.get("shared_size"))
    return None


def _of_pycuda(call: ast.Call, of: Stands) -> _Asked | None:
    """PyCUDA: `kernel(…, block=…, grid=…, shared=…)`."""
    said = _given(call, ())
    in_place = any(isinstance(it, ast.Tuple) for it in call.args[:2])
    if "block" not in said or in_place or not said.keys().isdisjoint(("args", "shared_mem")):
        return None
    return _Asked(call.func, of, said.get("grid"), said["block"], said.get("shared"))


def _of_cupy(call: ast.Call, of: Stands) -> _Asked:
    """CuPy: `kernel(grid, block, args, shared_mem=…)`."""
    said = _given(call, _OF_CUPY)
    return _Asked(call.func, of, said.get("grid"), said.get("block"), said.get("shared_mem"))


def _given(call: ast.Call, names: tuple[str, ...]) -> Mapping[str, ast.expr]:
    return {**dict(zip(names, call.args, strict=False)), **{it.arg: it.value for it in call.keywords if it.arg}}


def kernel_of(module: Module, of: Stands) -> tuple[At, str] | None:
    """Where the program of a kernel stands, and the kernel's name, of a template without its arguments."""
    found = _kernel(module, of)
    return (found[0].at, found[1].partition("<")[0].rpartition("::")[2]) if found is not None else None


def _kernel(module: Module, of: Stands) -> tuple[Taken, str] | None:
    """The program that has it, and its name."""
    made = meant(module, of)
    call = made.node
    if not isinstance(call, ast.Call):
        return None
    scope = made.scope(module)
    if named_last(module, call.func) == "RawKernel":
        named, program = argument(call, "name", 1), taken_by(module, made)
    elif (got := _got(call)) is not None:
        named, program = got[1], _program_of(module, made.part(got[0]))
    elif (by_helper := _by_helper(module, made, call)) is not None:
        program, named, scope = by_helper
    else:
        return None
    name = _name(named, scope) if named is not None else None
    return (program, name) if program is not None and name is not None else None


def _got(call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """The module that a kernel is got of, and its name."""
    match call:
        case ast.Call(func=ast.Attribute(value=of, attr=attr), args=[named, *_]) if attr in _GETS:
            return of, named
    return None


def _by_helper(module: Module, of: Stands, call: ast.Call) -> tuple[Taken | None, ast.expr, Scope] | None:
    """The same, of a function of the file that gets a kernel of a module that it may be given: and the names there."""
    returned = module.scope.functions.get(call.func.id, ()) if isinstance(call.func, ast.Name) else ()
    placed = module.stands(called_name(call.func), returned[0]) if len(returned) == 1 else None
    helper = _returning(placed.statement, returned[0]) if placed is not None else None
    if placed is None or helper is None:
        return None
    inside = meant(module, Stands(returned[0], placed, (helper,)))
    got = _got(inside.node) if isinstance(inside.node, ast.Call) else None
    if got is None:
        return None
    taken = [it.arg for it in (*helper.parameters.posonlyargs, *helper.parameters.args)]
    program = inside.part(got[0])
    if isinstance(got[0], ast.Name) and got[0].id in taken:
        given = argument(call, got[0].id, taken.index(got[0].id))
        changed = any(name == got[0].id for name, _ in helper.own)
        if given is None or changed:
            return None
        program = of.part(given)
    named = meant(module, inside.part(got[1])).node
    return _program_of(module, program), named, module.called(helper, call, of.scope(module))


def _returning(statement: Statement, node: ast.expr) -> Function | None:
    return next((it for it in statement.functions if not it.outer and it.gives_back == (node,)), None)


def _name(node: ast.expr, scope: Scope) -> str | None:
    """A kernel's name; of an instance of a template, what stands before the arguments is enough."""
    found = value(node, scope)
    if isinstance(found, str):
        return found
    if isinstance(node, ast.IfExp):
        names = {name and name.partition("<")[0] for name in (_name(node.body, scope), _name(node.orelse, scope))}
        return names.pop() if len(names) == 1 else None
    name, opened, _ = beginning(node, scope).partition("<")
    return name if opened else None


def _program_of(module: Module, of: Stands) -> Taken | None:
    """The program of a module, or of what compiles it."""
    made = meant(module, of)
    match made.node:
        case ast.Call(func=ast.Attribute(value=program, attr="compile")):
            made = meant(module, made.part(program))
    return taken_by(module, made)


def _launch(module: Module, name: str, asked: _Asked) -> KernelLaunch:
    scope = asked.where.scope(module)
    sizes = (asked.grid, asked.block, asked.dynamic)
    grid, block, dynamic = (value(it, scope) if it is not None else None for it in sizes)
    last = name.partition("<")[0].rpartition("::")[2]
    given = AttributeValue(_HERE, number(dynamic)) if dynamic is not None else None
    together = asked.cooperative is not None and value(asked.cooperative, scope) is True
    return KernelLaunch(
        name, last, _HERE, _HERE,
        ExecutionConfiguration((_HERE, dimensions(grid, 1)), (_HERE, dimensions(block, 1)), given), None,
        cooperative=together,
    )  # fmt: skip


@remembered(4096)
def assigned(statement: Statement) -> Mapping[str, frozenset[str]]:
    """By what is called, what a statement and its functions call the result."""
    given = [*statement.given, *(it for function in statement.functions for it in function.own)]
    every = (it for node in statement.nodes for it in walk(node))
    given += [(called_name(target), it.value) for it in every if isinstance(it, ast.Assign) for target in it.targets]
    found: dict[str, set[str]] = {}
    for name, node in given:
        if isinstance(node, ast.Call) and name:
            found.setdefault(called_name(node.func), set()).add(name)
    return {called: frozenset(names) for called, names in found.items()}


@remembered(4096)
def getting(statement: Statement) -> frozenset[str]:
    """The functions at the margin that may give back a kernel of a module."""
    margin = (it for it in statement.functions if not it.outer and it.gives_back)
    return frozenset(it.name for it in margin if not it.words.isdisjoint(_GETS))
