"""A script's text → the extensions that it makes: its statements followed in order, as far as they are simple.

Nothing of it is run. Environment variables and arguments count as not given; where a condition is unknown, each of its
branches is followed under a doubt.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from occupancy_lsp.workspace.setuptools.functions import ANSWERS, NAMES, of_text, pure
from occupancy_lsp.workspace.setuptools.values import (
    NONE,
    Doubts,
    History,
    Item,
    Items,
    Several,
    Table,
    Unknown,
    is_true,
    items_of,
    resolved,
)

_MOST_STEPS = 100_000
_MOST_ITEMS = 5_000
_DEEPEST = 30
_EXTENSIONS = ("CUDAExtension", "CppExtension")


class TooMuch(Exception):
    """More work than the script of a person takes."""


@dataclass(frozen=True, slots=True)
class Extension:
    """What CUDAExtension is given, under which doubts."""

    given: dict[str, object]
    doubts: Doubts


@dataclass(frozen=True, slots=True)
class _Function:
    node: ast.FunctionDef


@dataclass(frozen=True, slots=True)
class _Named:
    """A function of another module."""

    name: str


@dataclass(slots=True)
class _Frame:
    names: dict[str, History] = field(default_factory=dict)
    returned: list[Item] = field(default_factory=list)


class Reading:
    """`asked`: what the environment and the arguments say counts as unknown, not as nothing."""

    def __init__(self, path: Path, root: Path, asked: bool) -> None:
        self.path, self.folder, self.root = path, path.parent, root
        self.asked = asked
        self.frames = [_Frame()]
        self.doubts: Doubts = NONE
        self.made: list[Extension] = []
        self.steps = self.number = 0

    def read(self, text: str) -> None:
        """SyntaxError, ValueError, RecursionError, TooMuch: it cannot be followed."""
        self.run(ast.parse(text).body)
        for function in list(self.frames[0].names.values()):
            # What nothing calls on the way, as `if __name__ == "__main__"` may.
            value = function.said[-1].value
            if isinstance(value, _Function) and not self.made:
                self.enter(value, [], {})

    # -- statements

    def run(self, body: Sequence[ast.stmt]) -> bool:
        """Whether it surely ends before its end: returns, raises, leaves a loop."""
        for node in body:
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise TooMuch
            if self.statement(node):
                return True
        return False

    def statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assign(targets, value):
                said = self.value(value)
                for target in targets:
                    self.assign(target, said)
            case ast.AnnAssign(target, _, value) if value is not None:
                self.assign(target, self.value(value))
            case ast.AugAssign(target, ast.Add(), value):
                self.add(target, self.value(value))
            case ast.AugAssign(target, _, _):
                self.assign(target, Unknown(ast.unparse(node)[:80]))
            case ast.Expr(value):
                self.value(value)
            case ast.FunctionDef(name):
                self.set(name, _Function(node))
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    known = self.named(alias.name)
                    if isinstance(known, Unknown) and not known.there:
                        known = _Named(alias.name)
                    if isinstance(node, ast.ImportFrom) or alias.asname:
                        self.set(alias.asname or alias.name, known)
            case ast.If(test, body, orelse):
                return self.choose(is_true(self.value(test)), body, orelse)
            case ast.For(target, iterable, body):
                self.repeat(target, self.value(iterable), body)
            case ast.While(_, body):
                self.choose(None, body, [])
            case ast.With(_, body):
                return self.run(body)
            case ast.Try(body, _, orelse, final):
                return self.run([*body, *orelse, *final])
            case ast.Return(value):
                said = self.value(value) if value is not None else None
                self.frames[-1].returned.append(Item(said, self.doubts))
                return True
            case ast.Raise() | ast.Break() | ast.Continue():
                return True
        return False

    def choose(self, said: bool | None, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> bool:
        if said is None:
            fails = [_fails(it) for it in (body, orelse)]
            said = False if fails[0] and not fails[1] else True if fails[1] else None
        if said is not None:
            return self.run(body if said else orelse)
        self.number += 1
        number, doubts = self.number, self.doubts
        ended = []
        for branch, part in enumerate((body, orelse)):
            self.doubts = doubts | {(number, branch)}
            ended.append(self.run(part))
        self.doubts = doubts
        if ended[0] != ended[1]:  # what follows is reached by one of them alone
            self.doubts = doubts | {(number, 1 if ended[0] else 0)}
        return all(ended)

    def repeat(self, target: ast.expr, over: object, body: Sequence[ast.stmt]) -> None:
        doubts = self.doubts
        for item in items_of(over, NONE)[:_MOST_ITEMS]:
            self.number += isinstance(item.value, Unknown)
            often = {(self.number, 0)} if isinstance(item.value, Unknown) else set()
            self.doubts = doubts | item.doubts | often
            self.assign(target, item.value)
            self.run(body)
        self.doubts = doubts

    # -- names

    def set(self, name: str, value: object) -> None:
        history = self.frames[-1].names.setdefault(name, History())
        if not self.doubts:
            history.said.clear()
        history.said.append(Item(value, self.doubts))

    def assign(self, target: ast.expr, value: object) -> None:
        match target:
            case ast.Name(name):
                self.set(name, value)
            case ast.Subscript(inner, ast.Constant(str() as key)):
                table = self.value(inner)
                if isinstance(table, Table):
                    table.keys.setdefault(key, History()).said.append(Item(value, self.doubts))
            case ast.Tuple(parts) | ast.List(parts):
                values = items_of(value, NONE)
                for at, part in enumerate(parts):
                    self.assign(part, values[at].value if len(values) == len(parts) else Unknown())

    def add(self, target: ast.expr, value: object) -> None:
        before = self.value(target)
        if isinstance(before, Items):
            self.extend(before, value)
        else:
            self.assign(target, self.sum(before, value))

    def extend(self, into: Items, value: object) -> None:
        into.items += items_of(value, self.doubts)
        if len(into.items) > _MOST_ITEMS:
            raise TooMuch

    def named(self, name: str) -> object:
        if name in NAMES:
            return NAMES[name]
        last = name.rpartition(".")[2]
        return NAMES[last] if last in NAMES and last.isupper() else Unknown(name)

    # -- expressions

    def value(self, node: ast.expr) -> object:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooMuch
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name):
                return self.of_name(name)
            case ast.List(parts) | ast.Set(parts):
                return Items([it for part in parts for it in self.element(part)])
            case ast.Tuple(parts):
                return tuple(self.value(it) for it in parts)
            case ast.Dict(keys, values):
                return self.table(keys, values)
            case ast.JoinedStr(parts):
                return self.text(parts)
            case ast.BinOp(left, operator, right):
                return self.operation(self.value(left), operator, self.value(right))
            case ast.Attribute(inner, name):
                return self.attribute(node, inner, name)
            case ast.Subscript(inner, index):
                return self.item(
                    self.value(inner), self.value(index) if not isinstance(index, ast.Slice) else Unknown()
                )
            case ast.Call(function, arguments, keywords):
                return self.call(node, function, arguments, keywords)
            case ast.IfExp(test, body, orelse):
                said = is_true(self.value(test))
                return self.value(body if said else orelse) if said is not None else Unknown(ast.unparse(node)[:80])
            case ast.BoolOp(operator, parts):
                return self.logic(isinstance(operator, ast.And), parts)
            case ast.UnaryOp(ast.Not(), operand):
                said = is_true(self.value(operand))
                return Unknown() if said is None else not said
            case ast.Compare(left, [operator], [right]):
                return self.compared(self.value(left), operator, self.value(right))
            case ast.NamedExpr(target, value):
                said_ = self.value(value)
                self.assign(target, said_)
                return said_
            case ast.ListComp(part, generators) | ast.GeneratorExp(part, generators):
                made = Items()
                self.comprehend(made, part, generators, NONE)
                return made
        return Unknown(ast.unparse(node)[:80])

    def of_name(self, name: str) -> object:
        for frame in (self.frames[-1], self.frames[0]):
            if name in frame.names:
                return resolved(frame.names[name].said, self.doubts)
        if name == "__file__":
            return str(self.path)
        return "__main__" if name == "__name__" else _Named(name) if name in _BUILT_IN else self.named(name)

    def element(self, part: ast.expr) -> list[Item]:
        if isinstance(part, ast.Starred):
            return items_of(self.value(part.value), self.doubts)
        return [Item(self.value(part), self.doubts)]

    def table(self, keys: Sequence[ast.expr | None], values: Sequence[ast.expr]) -> Table:
        made = Table()
        for key, value in zip(keys, values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                made.keys[key.value] = History([Item(self.value(value), self.doubts)])
            else:
                self.value(value)
        return made

    def text(self, parts: Sequence[ast.expr]) -> object:
        found = [self.formatted(it) if isinstance(it, ast.FormattedValue) else self.value(it) for it in parts]
        known = all(isinstance(it, str | int) for it in found)
        return (
            "".join(map(str, found)) if known else Unknown("".join(it if isinstance(it, str) else "" for it in found))
        )

    def formatted(self, part: ast.FormattedValue) -> object:
        return self.value(part.value) if part.format_spec is None and part.conversion == -1 else Unknown()

    def operation(self, left: object, operator: ast.operator, right: object) -> object:
        if isinstance(operator, ast.Add):
            return self.sum(left, right)
        if isinstance(operator, ast.Div) and isinstance(left, str) and isinstance(right, str):
            return f"{left}/{right}"  # a path
        if (
            isinstance(operator, ast.Mod)
            and isinstance(left, str)
            and isinstance(right, str | int)
            and left.count("%") == 1
        ):
            return left.replace("%s", str(right)) if "%s" in left else Unknown(left)
        return Unknown()

    def sum(self, left: object, right: object) -> object:
        if isinstance(left, str) and isinstance(right, str) and len(left) + len(right) < 10_000:
            return left + right
        if any(isinstance(it, Items) for it in (left, right)) or isinstance(left, Several):
            made = Items()
            self.extend(made, left)
            self.extend(made, right)
            return made
        return Unknown(left if isinstance(left, str) else "")

    def attribute(self, node: ast.Attribute, inner: ast.expr, name: str) -> object:
        whole = ast.unparse(node)[:200]
        if whole == "os.environ":
            return _ENVIRONMENT
        if whole == "sys.argv":
            return Unknown(whole) if self.asked else Items()
        if not isinstance(known := self.named(whole), Unknown) or known.there:
            return known
        if name in _EXTENSIONS:
            return _Named(name)
        said = self.value(inner)
        if isinstance(said, str) and name == "parent":
            return str(Path(said).parent)
        return Unknown(whole)

    def item(self, value: object, index: object) -> object:
        if isinstance(value, Table) and isinstance(index, str) and index in value.keys:
            return resolved(value.keys[index].said, self.doubts)
        if isinstance(value, tuple | Items) and isinstance(index, int):
            items = items_of(value, NONE)
            if -len(items) <= index < len(items) and not any(it.doubts for it in items):
                return items[index].value
        return Unknown()

    def logic(self, both: bool, parts: Sequence[ast.expr]) -> object:
        last: object = Unknown()
        unknown = False
        for part in parts:
            last = self.value(part)
            said = is_true(last)
            if said is None:
                unknown = True
            elif said is not both:
                return last
        return Unknown() if unknown else last

    def compared(self, left: object, operator: ast.cmpop, right: object) -> object:
        if isinstance(operator, ast.Is | ast.IsNot):
            if right is not None or (isinstance(left, Unknown | Several) and is_true(left) is None):
                return Unknown()
            return (left is None) == isinstance(operator, ast.Is)
        if isinstance(operator, ast.In | ast.NotIn):
            if right is _ENVIRONMENT and not self.asked:
                return isinstance(operator, ast.NotIn)
            found = items_of(right, NONE) if isinstance(right, tuple | Items) else [Item(Unknown())]
            if any(isinstance(it.value, Unknown) or it.doubts for it in found) or not isinstance(left, str | int):
                return Unknown()
            return (left in [it.value for it in found]) == isinstance(operator, ast.In)
        if isinstance(operator, ast.Eq | ast.NotEq) and all(isinstance(it, str | int | None) for it in (left, right)):
            return (left == right) == isinstance(operator, ast.Eq)
        return Unknown()

    def comprehend(self, made: Items, part: ast.expr, generators: Sequence[ast.comprehension], doubts: Doubts) -> None:
        if not generators:
            made.items.append(Item(self.value(part), self.doubts | doubts))
            if len(made.items) > _MOST_ITEMS:
                raise TooMuch
            return
        first, *rest = generators
        for item in items_of(self.value(first.iter), doubts):
            self.assign(first.target, item.value)
            said = [is_true(self.value(it)) for it in first.ifs]
            if False not in said:
                self.number += None in said
                self.comprehend(made, part, rest, item.doubts | ({(self.number, 0)} if None in said else NONE))

    # -- calls

    def call(
        self, node: ast.Call, function: ast.expr, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]
    ) -> object:
        name = ast.unparse(function)[:200]
        items = [it for part in arguments for it in self.element(part)]
        given = [it.value for it in items]
        named = {it.arg: self.value(it.value) for it in keywords if it.arg is not None}
        if isinstance(function, ast.Attribute):
            said = self.method(function, given)
            if said is not _NO_METHOD:
                return said
        if name in ("os.environ.get", "os.getenv", "getenv", "environ.get"):
            return Unknown(name) if self.asked else given[1] if len(given) > 1 else None
        if name in ANSWERS:
            return ANSWERS[name]
        called = self.value(function)
        if isinstance(called, Several):
            for it in called.values:
                if isinstance(it.value, _Named):
                    self.extension(it.value.name, given, named, self.doubts | it.doubts)
            return Unknown(name)
        if isinstance(called, _Function):
            return self.enter(called, given, named)
        if self.extension(called.name if isinstance(called, _Named) else name, given, named, self.doubts):
            return Unknown(name, there=True)
        if name in ("list", "set", "sorted", "tuple") and given:
            return Items(items_of(given[0], NONE))
        if name in ("product", "itertools.product") and not named:
            return self.product(given)
        if name == "dict":
            return Table({key: History([Item(value, self.doubts)]) for key, value in named.items()})
        return pure(name, given, self.folder, self.root)

    def product(self, given: Sequence[object]) -> object:
        """Of lists that are wholly known."""
        lists = [items_of(it, NONE) for it in given]
        if math.prod(map(len, lists)) > _MOST_ITEMS or any(it.doubts for items in lists for it in items):
            return Unknown("product")
        return Items([Item(tuple(it.value for it in items)) for items in itertools.product(*lists)])

    def method(self, function: ast.Attribute, given: list[object]) -> object:
        if ast.unparse(function.value)[:80] in ("os", "os.path", "osp", "glob", "platform"):
            return _NO_METHOD
        of = self.value(function.value)
        match function.attr:
            case "append" if isinstance(of, Items) and given:
                self.extend(of, (given[0],))
            case "extend" if isinstance(of, Items) and given:
                self.extend(of, given[0])
            case "insert" if isinstance(of, Items) and len(given) == 2:
                of.items.insert(0 if given[0] == 0 else len(of.items), Item(given[1], self.doubts))
            case "copy" if isinstance(of, Items):
                return Items([*of.items])
            case "get" if isinstance(of, Table) and given and isinstance(given[0], str):
                return self.item(of, given[0]) if given[0] in of.keys else given[1] if len(given) > 1 else None
            case "update" if isinstance(of, Table) and given and isinstance(given[0], Table):
                for key, history in given[0].keys.items():
                    of.keys.setdefault(key, History()).said.extend(history.said)
            case "format" if isinstance(of, str) and of.count("{}") == len(given):
                known = all(isinstance(it, str | int) for it in given)
                return of.format(*given) if known and of.count("{") == len(given) else Unknown(of)
            case "join" if isinstance(of, str) and given:
                words = [it.value for it in items_of(given[0], NONE)]
                return of.join(map(str, words)) if all(isinstance(it, str) for it in words) else Unknown(of)
            case "resolve" | "absolute" | "as_posix" if isinstance(of, str):
                return of
            case _:
                return of_text(of, function.attr, given) if isinstance(of, str) else _NO_METHOD
        return None

    def enter(self, function: _Function, given: Sequence[object], named: dict[str, object]) -> object:
        if len(self.frames) > _DEEPEST:
            raise TooMuch
        arguments = function.node.args
        names = [it.arg for it in (*arguments.posonlyargs, *arguments.args)]
        defaults = dict(zip(reversed(names), map(self.value, reversed(arguments.defaults)), strict=False))
        for it, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            names.append(it.arg)
            defaults[it.arg] = self.value(default) if default is not None else Unknown(it.arg)
        values = {**defaults, **dict(zip(names, given, strict=False)), **named}
        frame = _Frame({name: History([Item(values.get(name, Unknown(name)), NONE)]) for name in names})
        doubts = self.doubts
        self.frames.append(frame)
        self.run(function.node.body)
        self.frames.pop()
        self.doubts = doubts
        if not frame.returned:
            return None
        return resolved(frame.returned[::-1], doubts) if len(frame.returned) > 1 else frame.returned[0].value

    def extension(self, name: str, given: Sequence[object], named: dict[str, object], doubts: Doubts) -> bool:
        if name.rpartition(".")[2] not in _EXTENSIONS:
            return False
        if name.rpartition(".")[2] == "CUDAExtension":
            self.made.append(Extension({**dict(zip(("name", "sources"), given, strict=False)), **named}, doubts))
        return True


_BUILT_IN = frozenset(("list", "set", "sorted", "tuple", "dict", "str", "len", *_EXTENSIONS))
_ENVIRONMENT = object()
_NO_METHOD = object()


def _fails(body: Sequence[ast.stmt]) -> bool:
    """Whether it ends with an error."""
    last = body[-1] if body else None
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return ast.unparse(last.value.func)[:40] in ("sys.exit", "exit", "quit")
    return isinstance(last, ast.Raise)
