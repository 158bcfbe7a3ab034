"""What an expression of Python may be worth, worked out without running anything."""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, runtime_checkable

from occupancy_lsp.core.dataclass import dataclass

_MOST = 64  # values that one expression may have, and elements that a list may
_LONGEST = 4096  # elements of a product or a range
_DEEPEST = 40  # names that stand for one another
_LARGEST = 1 << 64
_SAME = ("warp.constant",)  # what it is given
_TYPES = ("bool", "bfloat16", "float8_e4m3fn", "float8_e5m2", *(f"float{it}" for it in (16, 32, 64)))
_TYPES += tuple(f"{sign}int{it}" for sign in ("", "u") for it in (8, 16, 32, 64))
# Of libraries. TileLang's types are texts.
_CONSTANTS: dict[str, Any] = {"cutlass.cute.arch.WARP_SIZE": 32} | {f"tilelang.language.{it}": it for it in _TYPES}
_STEPS = 50_000  # that the names of one file, or of one function, are worked out in


@dataclass(frozen=True, slots=True)
class Unknown:
    """`reason`: why. `most`: it is no larger number."""

    reason: str
    most: int | None = None


@runtime_checkable
class Object(Protocol):
    """What has members."""

    def member(self, name: str) -> Any:
        """What it is worth, as `value` says it."""


@dataclass(frozen=True, slots=True)
class Either:
    """One of these, which the running program decides."""

    values: tuple[Any, ...]


@dataclass(slots=True)
class Steps:
    """How many are left: text that would take too many is given up. They are counted, never timed."""

    left: int = _STEPS

    def take(self) -> bool:
        self.left -= 1
        return self.left > 0


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """What names mean: those of a comprehension, then of the functions around, then of the file.

    `given`: all that each name is given; None stands for what no expression says. `imports`: what names mean elsewhere.
    """

    given: Mapping[str, tuple[ast.expr | None, ...]]
    imports: Mapping[str, str]
    functions: Mapping[str, tuple[ast.expr, ...]]  # what those return that only return
    local: Mapping[str, Any]  # values
    outer: Scope | None = None
    known: dict[str, Any] = field(default_factory=dict)  # of the names that were asked for
    asked: set[str] = field(default_factory=set)  # names whose values are being worked out
    steps: Steps = field(default_factory=Steps)

    def with_values(self, values: Mapping[str, Any]) -> Scope:
        return Scope({}, self.imports, self.functions, values, self, steps=self.steps)

    def know(self, name: str, found: Any) -> None:
        """Say what a name is worth of which no expression does."""
        at = self.giver(name)
        if at is not None and name in at.given:
            at.known[name] = found

    def giver(self, name: str) -> Scope | None:
        """The innermost scope that gives the name a meaning; None: the file gives it none."""
        at: Scope | None = self
        while at is not None and name not in at.local and name not in at.given:
            at = at.outer
        return at

    def called(self, node: ast.expr) -> str:
        """The dotted name of a decorator, with or without arguments."""
        return self.dotted(node.func if isinstance(node, ast.Call) else node)

    def dotted(self, node: ast.expr) -> str:
        """`triton.Config`, whatever the file calls it; "": no name."""
        match node:
            case ast.Name(id=name):
                return self.imports.get(name, name)
            case ast.Attribute(value=value, attr=name):
                before = self.dotted(value)
                return f"{before}.{name}" if before else ""
        return ""


def _power(base: Any, exponent: Any) -> Any:
    if not (isinstance(base, int) and isinstance(exponent, int) and abs(base) < 64 and 0 <= exponent < 64):
        raise ValueError
    return base**exponent


def _is_none(found: Any, other: Any) -> bool:
    if other is not None:
        raise ValueError
    return found is None


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
    ast.LShift: lambda a, b: a * _power(2, b),
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
    ast.Is: lambda a, b: _is_none(a, b),
    ast.IsNot: lambda a, b: not _is_none(a, b),
}


TOO_MANY = Unknown("it takes too many steps to work out")


def value(node: ast.expr, scope: Scope) -> Any:
    """A plain value, an Unknown, or an Either of several; lists and dicts may hold such."""
    if not scope.steps.take():
        return TOO_MANY
    try:
        return _value(node, scope)
    except RecursionError:
        return Unknown("it is nested too deeply")


def _value(node: ast.expr, scope: Scope) -> Any:
    match node:
        case ast.Constant(value=found):
            large = isinstance(found, int) and abs(found) > _LARGEST
            return Unknown("it is too large") if large else found
        case ast.Name(id=name):
            return _named(name, scope)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return _listed(items, scope)
        case ast.Dict(keys=keys, values=values) if len(keys) <= _MOST:
            return _dict(keys, values, scope)
        case ast.ListComp(elt=element, generators=generators) | ast.GeneratorExp(elt=element, generators=generators):
            listed = [value(element, it) for it, _ in zip(each(generators, scope), range(_LONGEST + 1), strict=False)]
            return listed if len(listed) <= _LONGEST and scope.steps.left > 0 else TOO_MANY
        case ast.IfExp(test=test, body=yes, orelse=no):
            return _conditional(value(test, scope), value(yes, scope), value(no, scope))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _combined(_BINARY[type(op)], value(left, scope), value(right, scope))
        case ast.BoolOp(op=op, values=several):
            return _chosen(isinstance(op, ast.Or), [value(it, scope) for it in several])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return _combined(_COMPARE[type(op)], value(left, scope), value(right, scope))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _combined(lambda a, _: -a, value(operand, scope), None)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _combined(lambda a, _: not a, value(operand, scope), None)
        case ast.Subscript(value=of, slice=index):
            return _combined(operator.getitem, value(of, scope), value(index, scope))
        case ast.Call():
            return _called(node, scope)
        case ast.Attribute(value=of, attr=name):
            return _member(node, of, name, scope)
    return Unknown(f"{_shown(node)} is not understood")


def _member(node: ast.Attribute, of: ast.expr, name: str, scope: Scope) -> Any:
    held = value(of, scope) if isinstance(of, ast.Name) else None
    if isinstance(held, Object):
        return held.member(name)
    dotted = scope.dotted(node)
    if dotted in _CONSTANTS and scope.giver(dotted.partition(".")[0]) is None:
        return _CONSTANTS[dotted]
    return Unknown(f"{_shown(node)} is not understood")


def each(generators: list[ast.comprehension], scope: Scope) -> Iterator[Scope]:
    """The scopes in which a comprehension works out its element; one with unknowns where it cannot be told."""
    if not generators:
        yield scope
        return
    first, *rest = generators
    found = value(first.iter, scope)
    elements = found if isinstance(found, list | tuple) and len(found) <= _LONGEST else None
    for element in elements if elements is not None else [Unknown(f"{_shown(first.iter)} is not known")]:
        if not scope.steps.take():
            return
        inner = scope.with_values(_taken(first.target, element))
        if not any(value(it, inner) is False for it in first.ifs):
            yield from each(rest, inner)


def _taken(target: ast.expr, given: Any) -> dict[str, Any]:
    match target:
        case ast.Name(id=name):
            return {name: given}
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            fitting = isinstance(given, list | tuple) and len(given) == len(parts)
            values = given if fitting else [Unknown("it is not known what is taken apart")] * len(parts)
            return {name: it for part, one in zip(parts, values, strict=True) for name, it in _taken(part, one).items()}
    return {}


def _named(name: str, scope: Scope) -> Any:
    at = scope.giver(name)
    if at is None:
        return Unknown(f"{name} is not known")
    return at.local[name] if name in at.local else _given(name, at)


def _given(name: str, scope: Scope) -> Any:
    """What a name stands for in the scope that gives it values."""
    if name not in scope.known:
        if name in scope.asked or len(scope.asked) > _DEEPEST:
            return Unknown("its definitions are circular, or too many")
        scope.asked.add(name)
        nodes = scope.given[name]
        found = [value(it, scope) if it is not None else Unknown(f"{name} is not known") for it in nodes]
        scope.asked.remove(name)
        scope.known[name] = either(found)
    return scope.known[name]


def either(found: list[Any]) -> Any:
    """One of several values: that one, if they are all the same."""
    flat = [it for one in found for it in (one.values if isinstance(one, Either) else (one,))]
    distinct: list[Any] = []
    for it in flat:
        if not any(_same(it, other) for other in distinct):
            distinct.append(it)
        if len(distinct) > _MOST:
            return Unknown("it may be too many things")
    if len(distinct) == 1:
        return distinct[0]
    unknown = next((it for it in distinct if isinstance(it, Unknown)), None)
    if unknown is not None:
        highest = [most for it in distinct if (most := _highest(it)) is not None]
        return Unknown(unknown.reason, max(highest) if len(highest) == len(distinct) else None)
    return Either(tuple(distinct)) if len(distinct) <= _MOST else Unknown("it may be too many things")


def _same(one: Any, other: Any) -> bool:
    """Lists and dicts are told apart by where they stand: to compare them may take for ever."""
    return one is other or (_is_plain(one) and type(one) is type(other) and bool(one == other))


def _is_plain(found: Any) -> bool:
    return found is None or isinstance(found, bool | int | float | str | bytes | Unknown)


def _conditional(test: Any, yes: Any, no: Any) -> Any:
    if isinstance(test, Unknown | Either):
        return either([yes, no])
    return yes if test else no


def _chosen(first: bool, values: Sequence[Any]) -> Any:
    """`a or b`, or `a and b`: the first that holds, or the first that does not."""
    for index, it in enumerate(values[:-1]):
        if isinstance(it, Unknown | Either):
            return either([*values[index:]])
        if bool(it) is first:
            return it
    return values[-1]


def _combined(how: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    for it in (left, right):
        if isinstance(it, Unknown):
            return Unknown(it.reason)
    lefts = left.values if isinstance(left, Either) else (left,)
    rights = right.values if isinstance(right, Either) else (right,)
    if len(lefts) * len(rights) > _MOST:
        return Unknown("it may be too many things")
    return either([_applied(how, a, b) for a in lefts for b in rights])


def _applied(how: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if how in _COMPARE.values() and not (_is_known(left) and _is_known(right)):
        return Unknown("not all that is compared is known")
    if how is operator.mod and not all(isinstance(it, int | float) for it in (left, right)):
        return Unknown("it is a text")
    for it in (left, right):
        if isinstance(it, str | bytes | list | tuple) and len(it) > _LONGEST:
            return Unknown("it is too long")
        if isinstance(it, int) and abs(it) > _LARGEST:
            return Unknown("it is too large")
    if how is operator.mul and not all(isinstance(it, int | float) for it in (left, right)):
        return Unknown("it is repeated")
    try:
        found = how(left, right)
        return Unknown("it is too long") if isinstance(found, list | str) and len(found) > _LONGEST else found
    except (TypeError, ValueError, ArithmeticError, LookupError):
        return Unknown("it cannot be worked out")


def _is_known(found: Any) -> bool:
    """Whether it is a plain value, or a list of such."""
    parts = found if isinstance(found, list | tuple) else (found,)
    return all(_is_plain(it) and not isinstance(it, Unknown) for it in parts)


def _listed(items: list[ast.expr], scope: Scope) -> Any:
    found: list[Any] = []
    for it in items[:_LONGEST]:
        if isinstance(it, ast.Starred):
            inner = value(it.value, scope)
            if not isinstance(inner, list | tuple):
                return Unknown(f"{_shown(it.value)} is not known")
            found += inner
        else:
            found.append(value(it, scope))
        if len(found) > _LONGEST:
            return Unknown("it is too long")
    return found


def _dict(keys: list[ast.expr | None], values: list[ast.expr], scope: Scope) -> Any:
    found: dict[Any, Any] = {}
    for key, node in zip(keys, values, strict=True):
        if key is None:
            more = value(node, scope)
            if not isinstance(more, dict):
                return Unknown(f"{_shown(node)} is not known")
            found.update(more)
        elif isinstance(named := value(key, scope), str | int):
            found[named] = value(node, scope)
        else:
            return Unknown(f"{_shown(key)} is not known")
    return found


def _called(node: ast.Call, scope: Scope) -> Any:
    name = scope.dotted(node.func)
    held = _parts_of(node, scope)
    if held is not None:
        return held
    given = _positional(node, scope)
    plain = given is not None and not node.keywords
    given = given or []
    if name == "dict" and scope.giver(name) is None:
        return _made_dict(node, given, scope)
    if scope.giver(name.partition(".")[0]) is not None:
        return Unknown(f"{_shown(node.func)}() is not known")
    if name in ("min", "max") and plain and len(given) > 1:
        return _extreme(name, given)
    if name in _SAME and plain and len(given) == 1:
        return given[0]
    known = plain and not any(isinstance(it, Unknown | Either) for it in given)
    if name == "range" and known and all(isinstance(it, int) for it in given) and 0 < len(given) < 4:
        try:
            found = range(*given)
            return list(found) if len(found) <= _LONGEST else Unknown("it is too long")
        except (ValueError, OverflowError):
            return Unknown("it is no range")
    if name in ("itertools.product", "product") and known and all(isinstance(it, list | tuple) for it in given):
        pairs = list(itertools.islice(itertools.product(*given), _LONGEST + 1))
        return pairs if len(pairs) <= _LONGEST else Unknown("it is too long")
    if name == "zip" and known and all(isinstance(it, list | tuple) for it in given):
        return [list(it) for it in zip(*given, strict=False)]
    if name == "len" and known and len(given) == 1 and isinstance(given[0], list | tuple | str):
        return len(given[0])
    if name in ("list", "tuple", "sorted") and known and len(given) == 1 and isinstance(given[0], list | tuple):
        if name == "sorted":
            numbers = all(isinstance(it, int | float) for it in given[0])
            return sorted(given[0]) if numbers else Unknown("it is sorted")
        return list(given[0])
    return Unknown(f"{_shown(node.func)}() is not known")


def _parts_of(node: ast.Call, scope: Scope) -> list[Any] | None:
    """What `names.keys()`, `.values()` and `.items()` give of a dict that is known."""
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr="keys" | "values" | "items" as part), args=[], keywords=[]):
            held = value(of, scope)
            if isinstance(held, dict):
                return (
                    [*held]
                    if part == "keys"
                    else [*held.values()]
                    if part == "values"
                    else [[*it] for it in held.items()]
                )
    return None


def _positional(node: ast.Call, scope: Scope) -> list[Any] | None:
    """What a call is given by position; None: how much is not known."""
    found: list[Any] = []
    for it in node.args:
        given = value(it.value if isinstance(it, ast.Starred) else it, scope)
        if isinstance(it, ast.Starred) and not isinstance(given, list | tuple):
            return None
        found += given if isinstance(it, ast.Starred) else [given]
    return found


def _made_dict(node: ast.Call, given: list[Any], scope: Scope) -> Any:
    """What `dict(pairs, name=value)` gives."""
    pairs = (
        []
        if not node.args
        else [*given[0].items()]
        if given and isinstance(given[0], dict)
        else given[0]
        if given
        else None
    )
    named = [it.arg for it in node.keywords]
    known = isinstance(pairs, list) and all(isinstance(it, list | tuple) and len(it) == 2 for it in pairs)
    if not known or len(node.args) > 1 or None in named or not all(isinstance(it[0], str | int) for it in pairs or []):
        return Unknown(f"{_shown(node)} is not known")
    return dict(pairs or []) | {it.arg: value(it.value, scope) for it in node.keywords}


def _extreme(name: str, given: list[Any]) -> Any:
    """Of numbers; of the least of several, one that is known bounds it."""
    unknown = next((it for it in given if isinstance(it, Unknown)), None)
    if unknown is None:
        found = given[0]
        for it in given[1:]:
            found = _combined(min if name == "min" else max, found, it)
        return found
    highest = [_highest(it) for it in given]
    known = [it for it in highest if it is not None]
    if name == "min":
        return Unknown(unknown.reason, min(known) if known else None)
    return Unknown(unknown.reason, max(known) if len(known) == len(highest) else None)


def _highest(found: Any) -> int | None:
    match found:
        case Unknown(most=most):
            return most
        case Either(values=values) if all(isinstance(it, int) for it in values):
            return int(max(values))
        case bool():
            return None
        case int() as number:
            return number
    return None


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 40 else f"{text[:39]}…"
