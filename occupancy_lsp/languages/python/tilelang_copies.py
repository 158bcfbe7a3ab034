"""What TileLang 0.1.15 makes of the copies in a kernel: which of them TMA does, and what a pipelined loop loads ahead.

A loop loads ahead what it fills from global memory once (`inject_pipeline.cc`).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.python.module import parameters
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.languages.python.walking import walk

LANGUAGE = "tilelang.language."
_ELEMENT = regex(r"(?:u?int|float|bfloat)(8|16|32|64)(?:_e\w+)?")
_TMA = 16  # bytes: of what TMA copies, the rows and the distance between them are a multiple
_HARMLESS = ("tilelang.layout.", "tilelang.math.", "math.", "numpy.", "builtins.")
_NAMES = "range len min max abs int float bool str round tuple list zip enumerate isinstance"
_BUILT_IN = frozenset(_NAMES.split())


@dataclass(slots=True)
class Buffer:
    """`fewest`, `most`: of one version; None: not known. `sure`: it is surely allocated."""

    fewest: int
    most: int | None
    sure: bool
    dtype: Any = None
    inner: int | None = None  # elements of its last dimension
    least: int = 1  # versions
    highest: int | None = 1
    first: int | None = None  # statement that surely uses it
    last: int | None = None
    used: bool = False
    certain: bool = True  # all that uses it surely does


@dataclass(frozen=True, slots=True)
class Copies:
    """Those of one kernel. `buffers`: its arrays in the one allocation; `static`: the others in shared memory."""

    function: Function
    scope: Scope
    buffers: Mapping[str, Buffer]
    static: Mapping[str, Buffer]

    def may_copy(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        name = own_name(node, self.scope)
        return name in ("copy", "c2d_im2col", "im2col") or (not name and not self.is_quiet(node))

    def is_bulk_copy(self, node: ast.expr) -> bool | None:
        """Whether TMA copies it: from global memory, with rows that are aligned."""
        if not isinstance(node, ast.Call):
            return False
        name = own_name(node, self.scope)
        if name != "copy":
            return None if self.may_copy(node) else False
        source, buffer = self._copied(node)
        if buffer is None:
            elsewhere = len(node.args) > 1 and self._is_global(root_name(node.args[1]) or "") is False
            return False if source is False or elsewhere else None
        if source is None or len(node.args) + len(node.keywords) != 2 or self._in_doubt(node, buffer):
            return None if source is not False else False
        each = width_of_type(buffer.dtype)
        whole = isinstance(node.args[1], ast.Name)
        return True if each and whole and buffer.inner and buffer.inner * each % _TMA == 0 else None

    def _in_doubt(self, node: ast.Call, buffer: Buffer) -> bool:
        """Whether the array in global memory may have elements of another type, or rows that are not aligned."""
        name = root_name(node.args[0])
        kind = self._tensor(name) if name is not None else None
        if kind is None:
            return True
        given = arguments(kind, ("shape", "dtype", "strides"))
        shape = value(given["shape"], self.scope) if "shape" in given else None
        dtype = value(given["dtype"], self.scope) if "dtype" in given else None
        each = width_of_type(dtype)
        if not isinstance(shape, list | tuple) or not shape or dtype != buffer.dtype or not each or "strides" in given:
            return True
        rows = 1
        for it in shape[:0:-1]:
            rows *= it if type(it) is int else 1  # whatever it is, it is a whole number
            if rows * each % _TMA or rows <= 0:
                return True
        return not self._is_row(node.args[0], len(shape))

    def _is_row(self, node: ast.expr, rank: int) -> bool:
        """Whether what is copied has the last dimension of the array that it goes to: `A[i, k]`, or slices."""
        match node:
            case ast.Name():
                return True
            case ast.Subscript(slice=index):
                indices = index.elts if isinstance(index, ast.Tuple) else [index]
                return len(indices) == rank and not isinstance(indices[-1], ast.Starred)
        return False

    def _tensor(self, name: str) -> ast.Call | None:
        """What a parameter of the function, or a name in it, is said to be: `T.Tensor(shape, dtype)`."""
        taken = self.function.parameters
        said = [it.annotation for it in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs) if it.arg == name]
        for it in self.function.node.body:
            if isinstance(it, ast.AnnAssign) and isinstance(it.target, ast.Name) and it.target.id == name:
                said = [it.annotation]
        kind = said[0] if len(said) == 1 else None
        return kind if isinstance(kind, ast.Call) and own_name(kind, self.scope) in ("Tensor", "Buffer") else None

    def _copied(self, node: ast.Call) -> tuple[bool | None, Buffer | None]:
        """Whether a copy reads global memory, and the array that it fills; None: perhaps, and none."""
        given = arguments(node, ("src", "dst"))
        source, target = (root_name(given[it]) if it in given else None for it in ("src", "dst"))
        held = self.buffers.get(target or "")
        if source is None or target is None:
            return None, held
        return self._is_global(source), held

    def _is_global(self, name: str) -> bool | None:
        """Whether an array surely stands in global memory; None: it may."""
        if name in parameters(self.function) or self._tensor(name) is not None:
            return True
        # What is stored to an element gives the name nothing.
        given = [node for own, node in self.function.own if own == name and node is not None]
        local = all(isinstance(it, ast.Call) and own_name(it, self.scope).startswith("alloc_") for it in given)
        return False if given and local else None

    def runs_ahead(self, name: str, body: Sequence[ast.stmt]) -> bool | None:
        """Whether the loop loads the array ahead, once for each stage; None: perhaps, or more often."""
        filling = writing = local = 0
        last = -1
        for order, node in enumerate(body):
            match node:
                case ast.For(body=[ast.Assign(targets=[ast.Subscript() as to], value=found)]) if root_name(to) == name:
                    read = {root_name(it) for it in walk(found) if isinstance(it, ast.Subscript)}
                    taken = [self._is_global(it) for it in read if it is not None]
                    filling += bool(taken) and all(it is True for it in taken)
                    local += bool(taken) and all(it is False for it in taken)
                    writing += 1
                    last = order
                case ast.Expr(value=ast.Call() as call) if own_name(call, self.scope) == "copy":
                    source, _ = self._copied(call)
                    given = arguments(call, ("src", "dst"))
                    if "dst" in given and root_name(given["dst"]) == name:
                        filling += source is True and isinstance(given["dst"], ast.Name)
                        local += source is False
                        writing += 1
                        last = order
                        continue
                    if "src" in given and root_name(given["src"]) == name and source is not False:
                        return None
                case ast.Expr(value=ast.Call() as call) if own_name(call, self.scope) == "gemm":
                    pass
                case _ if any(is_named(it, name) for it in walk(node)) and not self._only_reads(node, name):
                    return None
        if local == writing:
            return False
        reads = any(is_named(it, name) for node in body[last + 1 :] for it in walk(node))
        return True if filling == writing == 1 and reads else None

    def _only_reads(self, node: ast.AST, name: str) -> bool:
        """Whether a statement, as far as it is understood, does not write the array."""
        for it in walk(node):
            if isinstance(it, ast.Subscript) and not isinstance(it.ctx, ast.Load) and root_name(it) == name:
                return False
            if isinstance(it, ast.Call) and any(is_named(one, name) for arg in it.args for one in walk(arg)):
                called = own_name(it, self.scope)
                if called == "copy":
                    if len(it.args) < 2 or root_name(it.args[1]) == name:
                        return False
                elif (
                    called != "gemm" and not called.startswith("reduce_") and isinstance(_argument(it, name), ast.Name)
                ):
                    return False
        return True

    def is_quiet(self, node: ast.Call) -> bool:
        """Whether what is called surely makes no array in shared memory."""
        name = self.scope.dotted(node.func)
        root = root_name(node.func)
        if name.startswith((LANGUAGE, *_HARMLESS)):
            return True
        if root is None:
            return False
        if isinstance(node.func, ast.Name):
            if self.scope.giver(root) is None:
                return name in _BUILT_IN or name.partition(".")[0] in ("math", "numpy")
            return False
        held = self.buffers.keys() | self.static.keys() | {*parameters(self.function)}
        return root in held and isinstance(node.func, ast.Attribute)


def own_name(node: ast.Call, scope: Scope) -> str:
    """What TileLang calls the function; "": it is none of TileLang's."""
    name = scope.dotted(node.func)
    return name.rpartition(".")[2] if name.startswith(LANGUAGE) else ""


def arguments(call: ast.Call, names: Sequence[str]) -> Mapping[str, ast.expr]:
    given = dict(zip(names, call.args, strict=False))
    return given | {it.arg: it.value for it in call.keywords if it.arg}


def root_name(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def width_of_type(dtype: Any) -> int | None:
    """Bytes of an element."""
    if dtype == "bool":
        return 1
    found = _ELEMENT.fullmatch(dtype) if isinstance(dtype, str) else None
    return int(found[1]) // 8 if found else None


def is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _argument(node: ast.Call, name: str) -> ast.expr | None:
    return next((it for it in node.args if any(is_named(one, name) for one in walk(it))), None)
