"""What a loop around one `tl.dot` loads ahead, as one configuration or launch has it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

from occupancy_lsp.languages.python.module import Module, parameters
from occupancy_lsp.languages.python.statements import Function, Launch
from occupancy_lsp.languages.python.triton_dots import dot_loop
from occupancy_lsp.languages.python.triton_options import HEURISTICS, Options
from occupancy_lsp.languages.python.values import Scope, Unknown, value
from occupancy_lsp.source.kernels.launch_resolution import Pipelined


def with_sizes(module: Module, options: Options, launch: Launch, function: Function, anyway: bool) -> Options:
    """A launch, with what it gives the kernel's parameters, where that matters; defaults, where nothing else may be.
    `anyway`: it matters."""
    if dot_loop(function.node) is None and not anyway:
        return options
    plain = [*takewhile(lambda it: not isinstance(it, ast.Starred), launch.call.args)]
    given = dict(zip(parameters(function), plain, strict=False))
    given |= {it.arg: it.value for it in launch.call.keywords if it.arg}
    scope = module.inside(launch.within, launch.bound)
    sizes = {name: value(node, scope) for name, node in given.items()}
    if len(plain) == len(launch.call.args) and all(it.arg for it in launch.call.keywords):
        sizes = {name: value(node, _around(module, function)) for name, node in _defaults(function)} | sizes
    return replace(options, sizes=sizes)


def pipelined(module: Module, function: Function, options: Options) -> Pipelined | None:
    """What its loop loads ahead; None: there is no such loop, or it is not known."""
    loop = dot_loop(function.node)
    if loop is None or options.specialised or options.said["num_ctas"] != 1:
        return None
    unknown = {*parameters(function)} - options.sizes.keys()
    unknown |= {name for name, _ in function.own} | _set_later(module, function)
    values = {**options.sizes, **dict.fromkeys(unknown, Unknown("it is decided at run time"))}
    scope = _around(module, function).with_values(values)
    (rows, depth), (same, columns) = ([value(it, scope) if it is not None else 1 for it in tile] for tile in loop.tiles)
    stages = value(loop.stages, scope) if loop.stages is not None else options.said["num_stages"]
    if not all(type(it) is int and it > 0 for it in (rows, depth, columns, stages)) or same != depth:
        return None
    runtime = dict.fromkeys(_given_at_run_time(function), Unknown("it is given at run time"))
    if _runs_once(*(value(it, scope.with_values(runtime)) for it in loop.range)):
        return None
    return Pipelined(rows, columns, depth, stages, options.written if loop.stages is None else None)


def _around(module: Module, function: Function) -> Scope:
    """Where a function is defined."""
    return module.inside(next(iter(module.around(function)), None))


def _given_at_run_time(function: Function) -> Iterator[str]:
    """The parameters that are not `tl.constexpr`, whose values Triton does not know."""
    taken = function.parameters
    for it in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs):
        match it.annotation:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Constant(value=str(name)) if name.endswith(
                "constexpr"
            ):
                pass
            case _:
                yield it.arg


def _runs_once(*given: Any) -> bool:
    """Whether a loop over a range of these surely runs once at most: Triton loads nothing ahead for it."""
    whole = 0 < len(given) <= 3 and all(type(it) is int for it in given) and 0 not in given[2:]
    return whole and not range(*given)[1:]


def _defaults(function: Function) -> Iterator[tuple[str, ast.expr]]:
    taken = function.parameters
    names = [it.arg for it in (*taken.posonlyargs, *taken.args)]
    yield from zip(reversed(names), reversed(taken.defaults), strict=False)
    yield from ((it.arg, node) for it, node in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if node)


def _set_later(module: Module, function: Function) -> set[str]:
    """The parameters that heuristics may set; all of them, where it is not told which."""
    found: set[str] = set()
    for it in function.decorators:
        if isinstance(it, ast.Call) and module.scope.called(it) in HEURISTICS:
            given = [*it.args, *(key.value for key in it.keywords)]
            keys = [key for one in given if isinstance(one, ast.Dict) for key in one.keys]
            names = {key.value for key in keys if isinstance(key, ast.Constant)}
            told = len(names) == len(keys) and all(isinstance(one, ast.Dict) for one in given)
            found |= {str(name) for name in names} if told else {*parameters(function)}
    return found
