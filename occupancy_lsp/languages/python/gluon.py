"""What the text says of a kernel of Gluon, Triton's language of layouts: warps that it adds, and its shared memory.

`gl.warp_specialize` adds warps, of which there are a multiple of four in all. `gl.allocate_shared_memory` lays out an
array that lives from there to its last use (Triton 3.9). What conversions of layouts and reductions take, only the
compiler tells.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.languages.python.walking import walk
from occupancy_lsp.source.syntax.known_value import Value, unknown

GLUON = "triton.experimental.gluon"
_LANGUAGE = f"{GLUON}.language"
_ELEMENT = regex(r"(?:u?int|b?float)(8|16|32|64)(?:e\w+)?|float8\w+")
_PLAIN = frozenset(("SwizzledSharedLayout", "NVMMASharedLayout", "MBarrierLayout"))  # as large as its elements
_DEEPEST = 8  # names that stand for one another
_BARRIERS = 8  # alignment: sizes that are a multiple of it leave no gap
# Functions of the language that surely keep nothing in shared memory.
_NAMES = (
    "program_id num_programs num_warps num_ctas arange load store full zeros cdiv where exp exp2 log log2 sqrt rsqrt"
    " abs fma maximum minimum constexpr static_range static_assert expand_dims broadcast multiple_of max_contiguous"
    " max_constancy assume BlockedLayout SliceLayout DotOperandLayout SwizzledSharedLayout NVMMASharedLayout"
    " PaddedSharedLayout MBarrierLayout NVMMADistributedLayout init expect wait arrive invalidate"
    " fence_async_shared with_identity_for async_load async_copy_global_to_shared commit_group wait_group"
)
_QUIET = frozenset(_NAMES.split())
_METHODS = frozenset(("load", "store", "index", "slice", "to", "type", "with_identity_for", "_keep_alive"))
_HIDDEN = "what its compiler keeps there for itself is not known"


@dataclass(frozen=True, slots=True)
class _Array:
    """`bytes`: at least. `exact`: no more. `first`, `last`: the statements from which and to which it surely lives."""

    bytes: int
    exact: bool
    first: int
    last: int
    used: bool
    named: bool  # otherwise, too: it may live longer


@remembered(4096)
def specialising(function: Function) -> tuple[ast.Call, ...]:
    """The calls in it that share work out among warps."""
    return tuple(
        it
        for it in walk(function.node)
        if isinstance(it, ast.Call)
        and isinstance(it.func, ast.Attribute | ast.Name)
        and _last(it.func) == "warp_specialize"
    )


def workers(module: Module, function: Function, sizes: Mapping[str, Any]) -> int | None:
    """The warps that it adds, not yet made a multiple of four; None: not known."""
    calls = specialising(function)
    if len(calls) != 1:
        return None if calls else 0
    given = {it.arg: it.value for it in calls[0].keywords}
    node = given.get("worker_num_warps", calls[0].args[1] if len(calls[0].args) > 1 else None)
    found = value(node, module.given(function, {function: sizes})) if node is not None else None
    if not isinstance(found, list | tuple) or not all(type(it) is int and it > 0 for it in found):
        return None
    return sum(found)


def shared_memory(module: Module, function: Function, sizes: Mapping[str, Any]) -> Value:
    """The bytes of a block."""
    scope = module.given(function, {function: sizes})
    arrays = [*_arrays(function, scope)]
    hidden = None in arrays or any(map(_hides, ((scope, it) for it in _calls(function))))
    known = [it for it in arrays if it is not None]
    alive = [
        sum(it.bytes for it in known if it.first <= at <= it.last and it.used) for at in {it.first for it in known}
    ]
    fewest = max(alive, default=0)
    whole = sum(it.bytes for it in known if it.used)
    if hidden or not all(it.exact for it in known):
        return Value(None, _HIDDEN, fewest=fewest)
    # Those that are used one after the other all lie at the beginning.
    in_turn = fewest == max((it.bytes for it in known if it.used), default=0) and not any(it.named for it in known)
    if fewest == whole or in_turn:
        return Value(fewest)
    return Value(None, "arrays may share memory", most=whole, fewest=fewest)


def _calls(function: Function) -> Iterator[ast.Call]:
    return (it for node in function.node.body for it in walk(node) if isinstance(it, ast.Call))


def _hides(asked: tuple[Scope, ast.Call]) -> bool:
    """Whether a call may take shared memory of its own."""
    scope, node = asked
    name = scope.dotted(node.func)
    if name.startswith(_LANGUAGE):
        return _last(node.func) not in _QUIET and not _allocates(name)
    if isinstance(node.func, ast.Attribute):
        return node.func.attr not in _METHODS
    return name not in ("range", "min", "max", "len", "tuple") or scope.giver(name) is not None


def _allocates(name: str) -> bool:
    return name == f"{_LANGUAGE}.allocate_shared_memory"


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _arrays(function: Function, scope: Scope) -> Iterator[_Array | None]:
    """Those that it allocates; None: one of which nothing is known."""
    body = function.node.body
    plain = set[ast.AST]()
    for index, node in enumerate(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if _allocates(
                scope.dotted(call.func)
            ):
                plain.add(call)
                once = sum(own == name for own, _ in function.own) == 1
                yield _array(call, name, index, body, scope) if once else None
    others = (it for it in _calls(function) if it not in plain and _allocates(scope.dotted(it.func)))
    yield from (None for _ in others)


def _array(call: ast.Call, name: str, index: int, body: Sequence[ast.stmt], scope: Scope) -> _Array | None:
    given = dict(zip(("element_ty", "shape", "layout", "value"), call.args, strict=False))
    given |= {it.arg: it.value for it in call.keywords if it.arg}
    shape = value(given["shape"], scope) if "shape" in given else None
    width = _width(given.get("element_ty"), scope)
    if width is None or not isinstance(shape, list | tuple) or not all(type(it) is int and it > 0 for it in shape):
        return None
    layout = _layout(given.get("layout"), scope)
    between = _padding(layout, prod(shape), scope) if layout is not None else None
    size = width * (prod(shape) + (between or 0))
    uses = [at for at, node in enumerate(body) if at > index and any(_is(it, name) for it in walk(node))]
    exact = between is not None and size % _BARRIERS == 0
    # What is under a condition may be left out, and what only reads is, if nothing takes what it reads.
    sure = [at for at in uses if _runs(body, at)] if any(_fills(it, name) for node in body for it in walk(node)) else []
    named = bool(uses) or "value" in given
    return _Array(
        size, exact and bool(sure) == named, index, sure[-1] if sure else index, bool(sure), _named(body, name)
    )


def _runs(body: Sequence[ast.stmt], at: int) -> bool:
    """Whether a statement surely is compiled, as those of the function itself are."""
    leaving = (it for node in body[:at] if isinstance(node, ast.If) for it in walk(node))
    unrolled = isinstance(body[at], ast.For) and any(
        isinstance(it, ast.Attribute) and it.attr == "static_range" for it in walk(body[at])
    )
    return (
        not isinstance(body[at], ast.If | ast.While)
        and not unrolled
        and not any(isinstance(it, ast.Return) for it in leaving)
    )


def _named(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether another name may stand for the array, or for a part of it: but for what it is loaded with."""
    given = (
        it.value for node in body for it in walk(node) if isinstance(it, ast.Assign | ast.AnnAssign | ast.NamedExpr)
    )
    plain = (it for it in given if it is not None and not (isinstance(it, ast.Call) and _last(it.func) == "load"))
    return any(_is(it, name) for node in plain for it in walk(node))


def _fills(node: ast.AST, name: str) -> bool:
    """Whether a call stores to the array, or is handed it."""
    if not isinstance(node, ast.Call):
        return False
    stores = isinstance(node.func, ast.Attribute) and node.func.attr == "store"
    handed = any(_is(it, name) for it in node.args)
    return handed or (stores and any(_is(it, name) for it in walk(node.func)))


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _width(node: ast.expr | None, scope: Scope) -> int | None:
    name = scope.dotted(node) if node is not None else ""
    found = _ELEMENT.fullmatch(name.rpartition(".")[2]) if name.startswith(_LANGUAGE) else None
    return int(found[1] or 8) // 8 if found else None


def _layout(node: ast.expr | None, scope: Scope) -> ast.Call | None:
    """What makes a layout; None: not known."""
    seen = 0
    while isinstance(node, ast.Name) and seen < _DEEPEST:
        at = scope.giver(node.id)
        given = at.given.get(node.id, (None,)) if at is not None and node.id not in at.local else (None,)
        node = given[0] if len(given) == 1 else None
        seen += 1
    return node if isinstance(node, ast.Call) and scope.dotted(node.func).startswith(_LANGUAGE) else None


def _padding(layout: ast.Call, elements: int, scope: Scope) -> int | None:
    """Elements that a layout leaves out between others; None: not known."""
    name = _last(layout.func)
    if name in _PLAIN:
        return 0
    pairs = value(layout.args[0], scope) if name == "with_identity_for" and layout.args else None
    pair = pairs[0] if isinstance(pairs, list | tuple) and len(pairs) == 1 else None
    if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(type(it) is int and it > 0 for it in pair):
        return None
    return (elements // pair[0] - 1) * pair[1] if elements % pair[0] == 0 else None


def with_workers(threads: Value, added: int | None, width: int) -> Value:
    """The threads of a block with the warps that a kernel adds."""
    if added is None:
        return unknown("its warps are specialised, and how many it adds is not known")
    if not added:
        return threads

    def whole(it: int) -> int:
        return -(-(it // width + added) // 4) * 4 * width

    if threads.number is not None:
        return Value(whole(threads.number))
    most = whole(threads.most) if threads.most is not None else None
    return Value(None, threads.reason, among=tuple(sorted({whole(it) for it in threads.among})), most=most)
