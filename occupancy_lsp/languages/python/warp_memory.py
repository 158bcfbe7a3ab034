"""The shared memory of a Warp kernel, as Warp 1.10 and later lay it out.

Static: one number of 4 bytes for each thread of a block in every kernel (`tile_shared_storage_t` in `native/tile.h`),
and a stack of 32 numbers for each thread where it walks a mesh's tree, and another for other trees (`bvh.h`, `mesh.h`).
Dynamic: its shared tiles, each from a multiple of 16 bytes; of the functions that it calls what the largest needs
(`get_total_required_shared` in `warp._src.codegen`). The kernel of the backward pass has its tiles twice.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.python.module import Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.values import value
from occupancy_lsp.languages.python.walking import walk
from occupancy_lsp.languages.python.warp_running import is_running
from occupancy_lsp.languages.python.warp_tiles import TileBytes, Tiles, is_tiled, size_of

_WORD = 4  # bytes
_STACK = 32  # BVH_QUERY_STACK_SIZE
_WARP = 32  # threads, of which each has an element of what is reduced; at most
_BESIDES = 64  # bytes of counters and gaps, where something is reduced; at most
_STACKS = {
    **dict.fromkeys(("warp.mesh_query_aabb", "warp.mesh_query_sphere"), "mesh"),
    **{f"warp.bvh_query_{it}": "tree" for it in ("aabb", "ray", "sphere", "capsule")},
}
_NAMES = "range len min max abs int float bool round pow print zip enumerate tuple type isinstance"
_BUILT_IN = frozenset(_NAMES.split())
_QUIET = ("math.", "numpy.", "warp.types.")


# What a module knows beside: by name the functions that kernels may call (several are overloads, or stand in unlike
# functions); of a class none.
Callables = Mapping[str, tuple[tuple[Placed, Function], ...]]


@dataclass(frozen=True, slots=True)
class Needs:
    """`sure`, `perhaps`: stacks."""

    sure: int
    perhaps: int
    tiles: TileBytes
    unseen: tuple[str, ...]

    def static(self, least: int, most: int) -> tuple[int, int | None]:
        """Fewest and most bytes of a block of so many threads; None: not known."""
        lowest = _WORD * least * (1 + _STACK * self.sure)
        if self.tiles.doubt:
            return lowest, None
        reducing = sum(each * (most // _WARP + 2) + _BESIDES for each in self.tiles.reduced)
        return lowest, _WORD * most * (1 + _STACK * self.perhaps) + reducing


@dataclass(slots=True)
class _Seen:
    """`stacks`: each with whether it is surely compiled."""

    stacks: dict[str, bool] = field(default_factory=dict)
    unseen: set[str] = field(default_factory=set)
    tiled: set[int] = field(default_factory=set)  # functions that call something which is of tiles
    walked: set[tuple[int, bool]] = field(default_factory=set)


def needs_of(module: Module, kernel: Function, unrolls: bool) -> Needs:
    """`unrolls`: Warp unrolls loops as it is preset to."""
    seen = _Seen()
    _StackWalk(module, kernel, seen).block(kernel.node.body, True)
    tiles = Tiles(module, unrolls, seen.tiled).of(kernel)
    sure = sum(seen.stacks.values())
    return Needs(sure, len(seen.stacks), tiles, tuple(sorted(seen.unseen)))


class _StackWalk:
    """Through the statements of one function."""

    def __init__(self, module: Module, function: Function, seen: _Seen) -> None:
        self._module = module
        self._function = function
        self._seen = seen
        self._scope = module.inside(function)
        self._own = frozenset((*parameters(function), *(name for name, _ in function.own)))
        self._tiles = frozenset(name for name, made in function.own if self._is_tile(made))

    def block(self, statements: Sequence[ast.stmt], sure: bool) -> None:
        for node in statements:
            sure = self._statement(node, sure)

    def _statement(self, node: ast.stmt, sure: bool) -> bool:
        """Whether what follows surely is compiled."""
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._expression(test, sure)
                stays = self._is_running(test)
                self.block(body, sure and stays)
                self.block(orelse, sure and stays)
                return sure and (stays or not any(isinstance(it, ast.Return) for it in walk(node)))
            case ast.While(test=test, body=body):
                self._expression(test, sure)
                self.block(body, sure and self._is_running(test))
            case ast.For(iter=over, body=body):
                self._expression(over, sure)
                found = value(over, self._scope)
                runs = bool(found) if isinstance(found, list | tuple) else self._is_running(over)
                self.block(body, sure and runs)
            case _:
                self._expression(node, sure)
                return sure and not isinstance(node, ast.Return | ast.Break | ast.Continue)
        return sure

    def _is_running(self, node: ast.expr) -> bool:
        return is_running(self._function, node, self._tiles)

    def _is_tile(self, node: ast.expr | None) -> bool:
        return isinstance(node, ast.Call) and is_tiled(self._scope.dotted(node.func))

    def _expression(self, node: ast.AST, sure: bool) -> None:
        nodes = walk(node)
        either = any(isinstance(it, ast.IfExp | ast.BoolOp) for it in nodes)
        for it in nodes:
            if isinstance(it, ast.Call):
                self._call(it, sure and not either)

    def _call(self, node: ast.Call, sure: bool) -> None:
        name = self._scope.dotted(node.func)
        stack = _STACKS.get(name)
        if is_tiled(name):
            self._seen.tiled.add(id(self._function))
        if stack is not None:
            self._seen.stacks[stack] = self._seen.stacks.get(stack, False) or sure
        elif isinstance(node.func, ast.Name) and name not in self._own and (several := self._module.beside.get(name)):
            for _, function in several:
                asked = id(function), sure and len(several) == 1
                if asked not in self._seen.walked:
                    self._seen.walked.add(asked)
                    walk = _StackWalk(self._module, function, self._seen)
                    walk.block(function.node.body, asked[1])
        elif not self._is_quiet(node.func, name):
            self._seen.unseen.add(name or ast.unparse(node.func))

    def _is_quiet(self, node: ast.expr, name: str) -> bool:
        """Whether it surely needs no shared memory, as far as tiles do not."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return False
        if root.id in self._own:
            return isinstance(node, ast.Attribute)
        if name.startswith("warp."):
            return name.count(".") == 1 or name.startswith(_QUIET)
        if root.id in self._scope.imports:
            return name.startswith(_QUIET)
        at = self._scope.giver(root.id)
        if at is None:
            return root.id in _BUILT_IN
        return self._module.beside.get(root.id) == () or all(map(self._is_type, at.given.get(root.id, (None,))))

    def _is_type(self, node: ast.expr | None) -> bool:
        """`vec5 = wp.types.vector(length=5, dtype=float)`"""
        if isinstance(node, ast.Call):
            return self._scope.dotted(node.func).startswith(_QUIET)
        return node is not None and size_of(node, self._scope) is not None
