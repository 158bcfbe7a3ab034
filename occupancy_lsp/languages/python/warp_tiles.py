"""The bytes of a Warp kernel's shared tiles, as Warp 1.19 adds them up (`get_own_required_shared` in `codegen`).

Each expression that makes a tile is a variable, in a loop that Warp unrolls once for each round. It is in shared memory
where it is asked for, or where some function needs it there. What is not known to leave tiles where they are makes the
sum unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence, Set
from dataclasses import field
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.languages.python.walking import children, walk
from occupancy_lsp.languages.python.warp_running import is_running
from occupancy_lsp.source.sema.builtin_layout import round_up
from occupancy_lsp.source.syntax.known_value import Value, unknown

_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "bool": 1} | {
    f"{sign}int{bits}": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)
}
_SUFFIXES = {"": 4, "h": 2, "f": 4, "d": 8, "b": 1, "ub": 1, "s": 2, "us": 2, "i": 4, "ui": 4, "l": 8, "ul": 8}
_NUMBERS = {f"vec{n}": n for n in (2, 3, 4)} | {f"mat{n}{n}": n * n for n in (2, 3, 4)}
_NUMBERS |= {"quat": 4, "transform": 7, "spatial_vector": 6, "spatial_matrix": 36}
_OF_FLOATS = ("", "h", "f", "d")
_TYPES = _BYTES | {
    f"{name}{suffix}": count * size
    for name, count in _NUMBERS.items()
    for suffix, size in _SUFFIXES.items()
    if name.startswith("vec") or suffix in _OF_FLOATS
}
_PYTHONS = {"float": 4, "int": 4, "bool": 1}
_ARRAYS = frozenset(f"warp.array{it}" for it in ("", "1d", "2d", "3d", "4d"))
_MAKERS = {
    "warp.tile_zeros": ("shape", "dtype", "storage"),
    "warp.tile_ones": ("shape", "dtype", "storage"),
    "warp.tile_empty": ("shape", "dtype", "storage"),
    "warp.tile_full": ("shape", "value", "dtype", "storage"),
    "warp.tile_load": ("a", "shape", "offset", "storage"),
    "warp.tile_arange": (),
}
_FILLS = frozenset(f"warp.tile_{it}" for it in ("zeros", "ones", "empty", "arange"))  # of 4 bytes, if nothing is said
# They leave what they are given where it is, and what they give back is in registers; with static memory of their own.
_REDUCING = frozenset(f"warp.tile_{it}" for it in ("sum", "min", "max"))
_WITHIN = frozenset(("warp.tile_transpose", "warp.tile_view"))  # what they give back is part of what they are given
_ALIGNMENT = 16
_MOST_UNROLLED = 16  # rounds, as `max_unroll` is preset
_DEEPEST = 16


class _OpenError(Exception):
    """The bytes cannot be told: `reason`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class _Tile:
    """`bytes`: 0 where it is part of another; None: not known. `times`: how often it is made. `each`: an element's.

    `rank`: the number of its dimensions.
    """

    bytes: int | None
    shared: bool
    times: int = 1
    each: int | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class TileBytes:
    """`reduced`: the bytes of the elements that are reduced, which takes static memory. `doubt`: why there may be more
    of that; "": there is none."""

    bytes: Value
    reduced: tuple[int, ...]
    doubt: str
    any: bool


@dataclass(slots=True)
class Tiles:
    """Of a kernel, with the functions of the file that it may call."""

    module: Module
    unrolls: bool  # as Warp is preset to
    makers: Set[int]  # functions that call something which is of tiles
    reduced: list[int] = field(default_factory=list)
    any: bool = False
    unsized: bool = False  # a tile in shared memory
    asked: list[int] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)  # by function

    def of(self, kernel: Function) -> TileBytes:
        if not self.tiled(kernel):
            return TileBytes(Value(0), (), "", False)
        try:
            total = self.total(kernel)
        except _OpenError as why:
            return TileBytes(unknown(why.reason), (), why.reason, True)
        found = unknown("the size of a tile is not known") if self.unsized else Value(total)
        return TileBytes(found, tuple(self.reduced), "", self.any)

    def tiled(self, function: Function) -> bool:
        """Whether it may make tiles, itself or in a function that it may call."""
        seen, todo = {id(function)}, [function]
        while todo:
            now = todo.pop()
            if id(now) in self.makers:
                return True
            called = (it for name in now.calls for _, it in self.module.beside.get(name) or ())
            for it in called:
                if id(it) not in seen:
                    seen.add(id(it))
                    todo.append(it)
        return False

    def total(self, function: Function) -> int:
        """Bytes of its own tiles, and the most that one of the functions takes that it calls.

        Raises:
            _OpenError
        """
        if id(function) in self.known:
            return self.known[id(function)]
        if id(function) in self.asked or len(self.asked) > _DEEPEST:
            raise _OpenError(f"{function.name} is called in too many ways")
        self.asked.append(id(function))
        walk = _TileWalk(self, function)
        walk.block(function.node.body)
        self.asked.pop()
        if any(it.shared and it.bytes is None for it in walk.tiles):
            self.unsized = True
        own = sum((it.bytes or 0) * it.times for it in walk.tiles if it.shared)
        self.known[id(function)] = own + walk.called
        return own + walk.called


class _TileWalk:
    """Through the statements of one function. `called`: the most bytes that a function takes which it calls."""

    def __init__(self, whole: Tiles, function: Function) -> None:
        self.tiles: list[_Tile] = []
        self.called = 0
        self._whole = whole
        self._function = function
        self._scope = whole.module.inside(function)
        nodes = (it for it in walk(function.node) if isinstance(it, ast.Name))
        self._own = frozenset(it.id for it in nodes if not isinstance(it.ctx, ast.Load))
        self._names: dict[str, _Tile] = {}
        self._times = 1
        self._branches = 0  # and loops, around the statement

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for node in statements:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=given)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as given)
            ):
                self._assigned(name, given)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub(), value=given) if name in self._names:
                self._made(given)
            case ast.If(test=test, body=body, orelse=orelse):
                self._scalar(test)
                # Warp leaves a branch out where it knows what the condition is worth; of a comparison it never does.
                if not (isinstance(test, ast.Compare) or self._is_running(test)) and self._has_tiles(node):
                    raise _OpenError("what a condition leaves out is not known")
                self._branch(body, 1)
                self._branch(orelse, 1)
            case ast.For(iter=over, body=body):
                self._scalar(over)
                self._branch(body, self._rounds(node) if self._has_tiles(node) else 1)
            case ast.While(test=test, body=body):
                self._scalar(test)
                self._branch(body, 1)
            case ast.Expr(value=given):
                self._made(given)
            case _:
                self._plain(node)

    def _assigned(self, name: str, given: ast.expr) -> None:
        made = self._made(given)
        if made is None:
            self._names.pop(name, None)
            return
        if isinstance(given, ast.Name) or (self._branches and name in self._names):
            raise _OpenError(f"{name} is one of several tiles")
        self._names[name] = made

    def _branch(self, body: Sequence[ast.stmt], times: int) -> None:
        before = self._times
        self._times *= times
        self._branches += 1
        self.block(body)
        self._branches -= 1
        self._times = before

    def _has_tiles(self, node: ast.AST) -> bool:
        """Whether it may make some, itself or in a function."""
        nodes = walk(node)
        names = [self._scope.dotted(it.func) for it in nodes if isinstance(it, ast.Call)]
        functions = (it for name in names for _, it in self._whole.module.beside.get(name) or ())
        if any(map(is_tiled, names)) or any(map(self._whole.tiled, functions)):
            return True
        return any(isinstance(it, ast.Name) and it.id in self._names for it in nodes)

    def _rounds(self, node: ast.For) -> int:
        """How often a loop's body is compiled: Warp unrolls those over a few numbers that are known."""
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if 0 < len(args) <= 3:
                if any(map(self._is_running, args)):
                    return 1
                found = value(node.iter, self._scope)
                plain = all(isinstance(it, ast.Constant) or self._is_outside(it) for it in args)
                if isinstance(found, list) and plain and not self._is_steered(node):
                    return len(found) if len(found) <= _MOST_UNROLLED else 1
        raise _OpenError("how often a loop is unrolled is not known")

    def _is_running(self, node: ast.expr) -> bool:
        return is_running(self._function, node, self._names)

    def _is_outside(self, node: ast.expr) -> bool:
        """Whether it is a name of what stands around the function."""
        return isinstance(node, ast.Name) and node.id not in self._own

    def _is_steered(self, node: ast.For) -> bool:
        """Whether something else decides: `break`, `wp.static`, the option `max_unroll`."""
        return not self._whole.unrolls or any(isinstance(it, ast.Break) or _is_static(it) for it in walk(node))

    def _plain(self, node: ast.AST) -> None:
        """What takes no tile, and makes none."""
        for child in children(node):
            if isinstance(child, ast.expr) and self._made(child) is not None:
                raise _OpenError(f"what {_shown(node)} makes of a tile is not known")
            if isinstance(child, ast.keyword | ast.stmt | ast.comprehension):
                self._plain(child)

    def _scalar(self, node: ast.expr) -> None:
        """What is no tile."""
        if self._made(node) is not None:
            raise _OpenError(f"what becomes of {_shown(node)} is not known")

    def _made(self, node: ast.expr) -> _Tile | None:
        """The tile that it is."""
        match node:
            case ast.Name(id=name):
                return self._names.get(name)
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
                one, other = self._made(left), self._made(right)
                each = one or other
                return self._new(None, False, each.each) if each is not None else None
            case ast.Attribute(value=ast.Name(id=name)) if name in self._names:
                return None
            case ast.Subscript(value=of, slice=index):
                self._scalar(index)
                tile = self._made(of)
                if tile is None:
                    return None
                if any(isinstance(it, ast.Slice) for it in walk(index)):
                    raise _OpenError(f"what {_shown(node)} makes of a tile is not known")
                tile.shared = True
                indices = len(index.elts) if isinstance(index, ast.Tuple) else 1
                return None if indices == tile.rank else self._new(0, True, tile.each)  # an element, or a row
        self._plain(node)
        return None

    def _call(self, node: ast.Call) -> _Tile | None:
        name = self._scope.dotted(node.func)
        if is_tiled(name):
            return self._tiled(node, name)
        if any(self._made(it) is not None for it in (*node.args, *(it.value for it in node.keywords))):
            raise _OpenError(f"what {_shown(node.func)} does with a tile is not known")
        several = self._whole.module.beside.get(name, ()) if isinstance(node.func, ast.Name) else ()
        for _, function in several:
            self.called = max(self.called, self._whole.total(function))
        if len(several) > 1 and self.called:
            raise _OpenError(f"{name} may be one of several functions")
        return None

    def _tiled(self, node: ast.Call, name: str) -> _Tile | None:
        self._whole.any = True
        if name in _MAKERS:
            return self._maker(node, name)
        tiles = [self._made(it) for it in (*node.args, *(it.value for it in node.keywords))]
        first = tiles[0] if tiles else None
        if name in _REDUCING and first is not None and first.each is not None and len(tiles) == 1:
            self._whole.reduced.append(first.each)
            return self._new(None, False, first.each)
        if name == "warp.tile_store":
            return None
        added = next((it for it in tiles if it is not None), None)
        if name == "warp.tile_atomic_add" and added is not None:
            return self._new(added.bytes or None, added.shared, added.each, added.rank)  # it is where that one is
        if name in _WITHIN and first is not None:
            first.shared = True
            return self._new(0, True, first.each)
        if name == "warp.tile_extract" and first is not None:
            first.shared = True
            return None
        if name == "warp.tile_matmul" and len(tiles) > 2 and all(tiles[:3]):
            for it in tiles[:3]:
                if it is not None:
                    it.shared = True
            return None
        raise _OpenError(f"what {name.replace('warp.', 'wp.')} keeps in shared memory is not known")

    def _new(self, size: int | None, shared: bool, each: int | None = None, rank: int | None = None) -> _Tile:
        self._whole.any = True
        made = _Tile(size, shared, self._times, each, rank)
        self.tiles.append(made)
        return made

    def _maker(self, node: ast.Call, name: str) -> _Tile:
        given = dict(zip(_MAKERS[name], node.args, strict=False))
        given |= {it.arg: it.value for it in node.keywords if it.arg}
        for it in given.values():
            if self._made(it) is not None:
                raise _OpenError(f"what {_shown(node)} makes of a tile is not known")
        if any(it.arg is None for it in node.keywords) or any(isinstance(it, ast.Starred) for it in node.args):
            raise _OpenError("it may stand in **")
        storage = value(given["storage"], self._scope) if "storage" in given else "register"
        if storage not in ("register", "shared"):
            raise _OpenError("where a tile is stored is not known")
        each = self._element(given, name)
        extents = self._extents(given.get("shape"))
        size = round_up(each * prod(extents), _ALIGNMENT) if each and extents else None
        return self._new(size, storage == "shared", each, len(extents) or None)

    def _extents(self, node: ast.expr | None) -> Sequence[int]:
        """Of a shape; none where it is not known, as where it changes while the kernel is compiled."""
        if node is None or any(isinstance(it, ast.Name) and it.id in self._own for it in walk(node)):
            return ()
        found = value(node, self._scope)
        extents = found if isinstance(found, list | tuple) else (found,)
        return extents if all(type(it) is int and it > 0 for it in extents) else ()

    def _element(self, given: Mapping[str, ast.expr], name: str) -> int | None:
        """Bytes."""
        if "a" in given:
            return self._of_array(given["a"])
        if "dtype" in given:
            return size_of(given["dtype"], self._scope)
        return 4 if name in _FILLS else None

    def _of_array(self, node: ast.expr) -> int | None:
        """What a parameter `x: wp.array2d[float]` or `x: wp.array(dtype=float)` has as elements."""
        if not isinstance(node, ast.Name) or node.id in self._own:
            return None
        taken = self._function.parameters
        kind = next((it.annotation for it in (*taken.posonlyargs, *taken.args) if it.arg == node.id), None)
        match kind:
            case ast.Subscript(value=of, slice=element) if self._scope.dotted(of) in _ARRAYS:
                return size_of(element, self._scope)
            case ast.Call(func=of, args=args, keywords=keywords) if self._scope.dotted(of) in _ARRAYS:
                named = {it.arg: it.value for it in keywords}
                said = named.get("dtype")
                return size_of(said, self._scope) if said is not None and not args else None
        return None


def is_tiled(name: str) -> bool:
    """Whether a function takes or makes tiles, or is run by a block together."""
    last = name.removeprefix("warp.")
    return last != name and (last.startswith(("tile", "untile")) or last.endswith("_tiled"))


def _is_static(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "static"


def size_of(node: ast.expr, scope: Scope) -> int | None:
    """Bytes of a type."""
    name = scope.dotted(node)
    if name in _PYTHONS and scope.giver(name) is None:
        return _PYTHONS[name]
    return _TYPES.get(name.removeprefix("warp.")) if name.startswith("warp.") else None


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 40 else f"{text[:39]}…"
