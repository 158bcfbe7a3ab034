"""Loops that feed one `tl.dot` with tiles: what each iteration loads, as expressions of the kernel's constants.

Only the plain loop is understood: one product a way through it, both operands as `tl.load` gives them, pointers whose
shape follows from `tl.arange`. Of such loops it was measured how Triton lays out shared memory; of no others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.walking import walk

_RANGES = ("range", "tl.range")
_KEEPING = ("to", "max_contiguous", "multiple_of", "max_constancy")  # the shape of what they take
_SCALARS = ("program_id", "num_programs", "cdiv", "min", "max", "minimum", "maximum", "int64", "cast", "assume")
_LANGUAGE = ("tl", "language")
_DEEPEST = 40

Shape = tuple[ast.expr | None, ...]  # None: one element


@dataclass(frozen=True, slots=True)
class DotLoop:
    """`tiles`: what each iteration loads of the operands. `stages`: what the loop itself says of them. `range`: what
    its range is given."""

    tiles: tuple[Shape, ...]
    stages: ast.expr | None
    range: tuple[ast.expr, ...]


@remembered(1024)
def dot_loop(function: ast.FunctionDef | ast.AsyncFunctionDef) -> DotLoop | None:
    """None: there is no such loop, or more of one than was measured."""
    nodes = walk(function)
    dots = {it for it in nodes if _is_dot(it)}
    loops = [it for it in nodes if isinstance(it, ast.For) and any(one in dots for one in walk(it))]
    if not dots or not loops or any(isinstance(it, ast.While | ast.AsyncFor) for it in nodes):
        return None
    inner = loops[-1]  # breadth first: the last is within all others, or beside one
    within = {*walk(inner)}
    if _most(inner.body) != 1 or any(one not in within for one in dots):
        return None
    stages = _stages(inner)
    if not _is_plain(inner, stages):
        return None
    reader = _Reader(nodes, within)
    shapes = {reader.tiles(it) for it in dots}
    tiles = shapes.pop() if len(shapes) == 1 else None
    assert isinstance(inner.iter, ast.Call)
    return DotLoop(tiles, stages, tuple(inner.iter.args)) if tiles is not None else None


def _is_dot(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _called(node).startswith("dot")


def _called(node: ast.Call) -> str:
    """The name of a function of Triton's language; "": another one."""
    match node.func:
        case ast.Attribute(value=ast.Name(id=of), attr=name) if of in _LANGUAGE:
            return name
        case ast.Attribute(value=ast.Attribute(attr=of), attr=name) if of in _LANGUAGE:
            return name
    return ""


def _most(body: Sequence[ast.stmt]) -> int:
    """Products on the way that has most of them."""
    found = 0
    for it in body:
        if isinstance(it, ast.If):
            found += max(_most(it.body), _most(it.orelse))
        else:
            found += sum(map(_is_dot, walk(it)))
    return found


def _stages(loop: ast.For) -> ast.expr | None:
    given = loop.iter.keywords if isinstance(loop.iter, ast.Call) else ()
    return next((it.value for it in given if it.arg == "num_stages"), None)


def _is_plain(loop: ast.For, stages: ast.expr | None) -> bool:
    if not isinstance(loop.iter, ast.Call) or ast.unparse(loop.iter.func) not in _RANGES:
        return False
    named = [it.arg for it in loop.iter.keywords]
    inner = any(isinstance(it, ast.For) for top in loop.body for it in walk(top))
    return not inner and named == ["num_stages"] * (stages is not None)


class _Reader:
    """`inside`: the nodes of the loop."""

    def __init__(self, nodes: list[ast.AST], inside: set[ast.AST]) -> None:
        self._inside = inside
        self._given: dict[str, list[tuple[ast.AST, ast.expr]]] = {}
        self._other: set[str] = set()  # names that are given something that is not understood
        for node in nodes:
            self._take(node)

    def _take(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=False):
                    self._give(node, target, value if len(targets) == len(values) else None)
            case ast.Assign(targets=[target], value=value) | ast.AugAssign(target=target, value=value):
                self._give(node, target, value)
            case ast.Assign(targets=targets):
                for target in targets:
                    self._give(node, target, None)
            case ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
                self._give(node, target, None)

    def _give(self, node: ast.AST, target: ast.expr, value: ast.expr | None) -> None:
        """`value` None: one that is not understood."""
        if isinstance(target, ast.Name) and value is not None:
            self._given.setdefault(target.id, []).append((node, value))
        else:
            self._other |= {it.id for it in walk(target) if isinstance(it, ast.Name)}

    def tiles(self, dot: ast.AST) -> tuple[Shape, ...] | None:
        """What its two operands load; None: it is not understood."""
        assert isinstance(dot, ast.Call)
        operands = dot.args[:2]
        if _called(dot) != "dot" or len(operands) < 2 or any(isinstance(it, ast.Starred) for it in operands):
            return None
        shapes = [self._loaded(it) for it in operands]
        known = tuple(it for it in shapes if it is not None)
        return known if len(known) == 2 else None

    def _loaded(self, node: ast.expr) -> Shape | None:
        """The tile that an operand is, as it is loaded in the loop."""
        match node:
            case ast.Name(id=name) if name not in self._other and name in self._given:
                shapes = {
                    self._loaded(value) if statement in self._inside else None
                    for statement, value in self._given[name]
                    if not isinstance(statement, ast.AugAssign)
                }
                augmented = any(isinstance(it, ast.AugAssign) for it, _ in self._given[name])
                return shapes.pop() if len(shapes) == 1 and not augmented else None
            case ast.Attribute(value=of, attr="T"):
                return _turned(self._loaded(of))
            case ast.Call(args=[of]) if _called(node) == "trans":
                return _turned(self._loaded(of))
            case ast.Call(args=[pointer, *_]) if _called(node) == "load" and node in self._inside:
                shape = self.shape(pointer, ())
                return shape if shape is not None and len(shape) == 2 else None
        return None

    def shape(self, node: ast.expr, asked: tuple[str, ...]) -> Shape | None:
        """None: it is not understood."""
        if len(asked) > _DEEPEST:
            return None
        match node:
            case ast.Constant():
                return ()
            case ast.Name(id=name):
                return self._shape_of(name, asked)
            case ast.BinOp(left=left, right=right):
                return self._of_all([left, right], asked)
            case ast.UnaryOp(operand=of):
                return self.shape(of, asked)
            case ast.Subscript(value=of, slice=ast.Tuple(elts=parts)):
                return _expanded(self.shape(of, asked), parts)
            case ast.Call(args=[ast.Constant(value=0), end]) if _called(node) == "arange":
                return (end,)
            case ast.Call(func=ast.Attribute(value=of, attr="to")):
                return self.shape(of, asked)
            case ast.Call(args=[of, *_]) if _called(node) in _KEEPING:
                return self.shape(of, asked)
            case ast.Call(func=ast.Name(id=name)) if name in _SCALARS:
                return ()
            case ast.Call() if _called(node) in _SCALARS:
                return self._of_all(node.args, asked)
        return None

    def _shape_of(self, name: str, asked: tuple[str, ...]) -> Shape | None:
        if name in self._other:
            return None
        each = self._given.get(name)
        if each is None or name in asked:  # a parameter, a loop's number; what hangs on itself keeps its shape
            return ()
        found: Shape = ()
        for _, value in each:
            one = self.shape(value, (*asked, name))
            joined = _joined(found, one) if one is not None else None
            if joined is None:
                return None
            found = joined
        return found

    def _of_all(self, nodes: Sequence[ast.expr], asked: tuple[str, ...]) -> Shape | None:
        found: Shape | None = ()
        for it in nodes:
            one = self.shape(it, asked)
            found = _joined(found, one) if found is not None and one is not None else None
        return found


def _turned(shape: Shape | None) -> Shape | None:
    return shape[::-1] if shape is not None else None


def _expanded(shape: Shape | None, parts: list[ast.expr]) -> Shape | None:
    """`[:, None]`"""
    if shape is None:
        return None
    left, found = [*shape], list[ast.expr | None]()
    for it in parts:
        if isinstance(it, ast.Constant) and it.value is None:
            found.append(None)
        elif isinstance(it, ast.Slice) and not any((it.lower, it.upper, it.step)) and left:
            found.append(left.pop(0))
        else:
            return None
    return tuple(found) if not left else None


def _joined(one: Shape, other: Shape) -> Shape | None:
    """Broadcast together."""
    if not one or not other:
        return one or other
    if len(one) != len(other):
        return None
    pairs = [*_pairs(one, other)]
    return tuple(pairs) if len(pairs) == len(one) else None


def _pairs(one: Shape, other: Shape) -> Iterator[ast.expr | None]:
    for a, b in zip(one, other, strict=True):
        if a is None or b is None:
            yield b if a is None else a
        elif ast.dump(a) == ast.dump(b):
            yield a
