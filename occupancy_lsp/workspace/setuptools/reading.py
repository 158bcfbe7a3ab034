"""A script's text → the extensions that it makes: its statements followed in order, as far as they are simple.

Nothing of it is run. Environment variables and arguments count as not given; where a condition is unknown, each of its
branches is followed under a doubt.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.workspace.doubts import (
    MOST_ITEMS,
    NONE,
    Branching,
    Doubts,
    History,
    Item,
    Items,
    Several,
    Table,
    TooMuch,
    Unknown,
    is_true,
    items_of,
    resolved,
)
from occupancy_lsp.workspace.make.reading import text_of
from occupancy_lsp.workspace.setuptools.functions import ANSWERS, NAMES, NO_METHOD, method, product, pure
from occupancy_lsp.workspace.setuptools.modules import module_files, submodule
from occupancy_lsp.workspace.setuptools.operators import (
    ENVIRONMENT,
    compared,
    extend,
    item_of,
    length,
    logic,
    operation,
    sum_of,
)
from occupancy_lsp.workspace.setuptools.scopes import (
    Above,
    Class,
    Frame,
    Function,
    Module,
    Named,
    Object,
    bound,
    found_in,
)

_MOST_STEPS = 100_000
_MOST_MODULES = 50
_DEEPEST = 30
_EXTENSIONS = ("CUDAExtension", "CppExtension")
_LOADS = "cpp_extension.load"  # compiled when a script runs


@dataclass(frozen=True, slots=True)
class Extension:
    """What CUDAExtension is given, under which doubts."""

    given: dict[str, object]
    doubts: Doubts


class Reading(Branching[ast.stmt]):
    """`asked`: what the environment and the arguments say counts as unknown, not as nothing. `folder`: in which the
    script is run, if not its own."""

    def __init__(self, path: Path, root: Path, asked: bool, folder: Path | None = None) -> None:
        super().__init__()
        self.path, self.folder, self.root = path, folder or path.parent, root
        self.asked = asked
        self.frames = [Frame(path)]
        self.modules: dict[Path, Module] = {path: Module(self.frames[0])}
        self.classes: list[Class] = []  # of the script itself
        self.made: list[Extension] = []
        self.steps = 0

    def read(self, text: str) -> None:
        """SyntaxError, ValueError, RecursionError, MemoryError, TooMuch: it cannot be followed."""
        self.run(ast.parse(text).body)
        for function in list(self.frames[0].names.values()):
            # What nothing calls on the way, as `if __name__ == "__main__"` may.
            value = function.said[-1].value
            if isinstance(value, Function) and not self.made:
                self.enter(value, [], {})
        for of in () if self.made else self.classes:
            self.build(of)

    def build(self, of: Class) -> None:
        """An object of a class tells in its methods what of it is compiled; `setup.py` asks all of them."""
        methods = {name: it.said[-1].value for base in of.lineage[::-1] for name, it in base.names.items()}
        wanted = [name for name, it in methods.items() if isinstance(it, Function) and _makes(it.node)]
        made = self.called(of, of.name, [], {}) if wanted else None
        for name in wanted:
            if isinstance(method := self.member(made, name), Function):
                self.enter(method, [], {})

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
                self.set(name, Function(node, self.frames[-1]))
            case ast.ClassDef(name):
                self.define(node)
            case ast.Import() | ast.ImportFrom():
                self.import_(node)
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

    def fails(self, body: Sequence[ast.stmt]) -> bool:
        last = body[-1] if body else None
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
            return ast.unparse(last.value.func)[:40] in ("sys.exit", "exit", "quit")
        return isinstance(last, ast.Raise)

    def repeat(self, target: ast.expr, over: object, body: Sequence[ast.stmt]) -> None:
        for value in self.each(items_of(over, NONE)):
            self.assign(target, value)
            self.run(body)

    # -- modules and classes

    def import_(self, node: ast.Import | ast.ImportFrom) -> None:
        found = dict(module_files(node, self.frames[-1].path, self.folder, self.root))
        whole = self.module(found[""]) if "" in found else None
        for alias in node.names:
            known = self.named(alias.name)
            if isinstance(node, ast.Import):
                known = self.module(found[alias.name]) if alias.name in found else Named(alias.name)
                if not alias.asname:
                    continue  # `import a.b` is named as a whole where it is used
            elif whole is not None:
                known = self.imported(alias.name, whole)
            elif isinstance(known, Unknown) and not known.there:
                known = Named(_LOADS if f"{node.module}.{alias.name}".endswith(_LOADS) else alias.name)
            self.set(alias.asname or alias.name, known)

    def imported(self, name: str, module: Module) -> object:
        if found := found_in(module, name):
            return resolved(found[0].said, self.doubts)
        path = submodule(name, module.frame.path, self.root)
        return self.module(path) if path is not None else Named(name)

    def module(self, path: Path) -> Module:
        """Its statements are followed when it is first imported, under no doubt."""
        if path not in self.modules:
            if len(self.modules) > _MOST_MODULES or len(self.frames) > _DEEPEST:
                raise TooMuch
            made = self.modules[path] = Module(Frame(path))
            doubts, self.doubts = self.doubts, NONE
            self.frames.append(made.frame)
            self.run(ast.parse(text_of(path, self.root) or "").body)
            self.frames.pop()
            self.doubts = doubts
        return self.modules[path]

    def define(self, node: ast.ClassDef) -> None:
        bases = tuple(it for it in map(self.value, node.bases) if isinstance(it, Class))
        around = self.frames[-1]
        frame = Frame(around.path, around)
        made = Class(node.name, frame.names, bases)
        self.frames.append(frame)
        self.run(node.body)
        self.frames.pop()
        for history in frame.names.values():  # a method does not see the names of its class
            history.said = [
                Item(Function(it.value.node, around, made), it.doubts) if isinstance(it.value, Function) else it
                for it in history.said
            ]
        self.set(node.name, made)
        if around is self.frames[0]:
            self.classes.append(made)

    def member(self, where: object, name: str) -> object:
        found = found_in(where, name)
        if found is None:
            return Unknown(name)
        history, first = found
        value = bound(resolved(history.said, self.doubts), first)
        return self.enter(value, [], {}) if isinstance(value, Function) and value.is_("property") else value

    def above(self) -> object:
        """`super()`."""
        function = self.frames[-1].function
        first = function.first if function is not None else ()
        if function is None or function.owner is None or not isinstance(one := next(iter(first), None), Object | Class):
            return Unknown("super()")
        return Above(function.owner, one)

    # -- names

    def set(self, name: str, value: object, names: dict[str, History] | None = None) -> None:
        history = (self.frames[-1].names if names is None else names).setdefault(name, History())
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
            case ast.Attribute(inner, name):
                of = self.value(inner)
                if isinstance(of, Object | Class):
                    self.set(name, value, of.names)
            case ast.Tuple(parts) | ast.List(parts):
                values = items_of(value, NONE)
                for at, part in enumerate(parts):
                    self.assign(part, values[at].value if len(values) == len(parts) else Unknown())

    def add(self, target: ast.expr, value: object) -> None:
        before = self.value(target)
        if isinstance(before, Items):
            extend(before, value, self.doubts)
        else:
            self.assign(target, sum_of(before, value, self.doubts))

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
                return operation(self.value(left), operator, self.value(right), self.doubts)
            case ast.Attribute(inner, name):
                return self.attribute(node, inner, name)
            case ast.Subscript(inner, index):
                at = self.value(index) if not isinstance(index, ast.Slice) else Unknown()
                return item_of(self.value(inner), at, self.doubts)
            case ast.Call(function, arguments, keywords):
                return self.call(node, function, arguments, keywords)
            case ast.IfExp(test, body, orelse):
                said = is_true(self.value(test))
                return self.value(body if said else orelse) if said is not None else Unknown(ast.unparse(node)[:80])
            case ast.BoolOp(operator, parts):
                return logic(isinstance(operator, ast.And), map(self.value, parts))
            case ast.UnaryOp(ast.Not(), operand):
                said = is_true(self.value(operand))
                return Unknown() if said is None else not said
            case ast.Compare(left, [operator], [right]):
                return compared(self.value(left), operator, self.value(right), self.asked)
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
        for frame in self.frames[-1].chain():
            if name in frame.names:
                return resolved(frame.names[name].said, self.doubts)
        if name == "__file__":
            return str(self.frames[-1].path)
        if name == "__name__":
            return "__main__" if self.frames[-1].path == self.path else self.frames[-1].path.stem
        return Named(name) if name in _BUILT_IN else self.named(name)

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

    def attribute(self, node: ast.Attribute, inner: ast.expr, name: str) -> object:
        whole = ast.unparse(node)[:200]
        if whole == "os.environ":
            return ENVIRONMENT
        if whole == "sys.argv":
            return Unknown(whole) if self.asked else Items()
        if not isinstance(known := self.named(whole), Unknown) or known.there:
            return known
        if name in _EXTENSIONS or whole.endswith(_LOADS):
            return Named(name if name in _EXTENSIONS else _LOADS)
        return self.attribute_of(self.value(inner), name, whole)

    def attribute_of(self, said: object, name: str, whole: str) -> object:
        if isinstance(said, _OWN):
            return self.member(said, name)
        if isinstance(said, Named) and f"{said.name}.{name}".endswith(_LOADS):
            return Named(_LOADS)
        if isinstance(said, str) and name == "parent":
            return str(Path(said).parent)
        return Unknown(whole)

    def comprehend(self, made: Items, part: ast.expr, generators: Sequence[ast.comprehension], doubts: Doubts) -> None:
        if not generators:
            made.items.append(Item(self.value(part), self.doubts | doubts))
            if len(made.items) > MOST_ITEMS:
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
        named = self.keywords(keywords)
        if isinstance(function, ast.Attribute) and not _is_of_library(function):
            of = self.value(function.value)
            said = method(of, function.attr, given, self.doubts)
            if said is not NO_METHOD:
                return said
            called = self.attribute_of(of, function.attr, name) if isinstance(of, _OWN) else self.value(function)
        else:
            called = self.value(function)
        if name in ("os.environ.get", "os.getenv", "getenv", "environ.get"):
            return Unknown(name) if self.asked else given[1] if len(given) > 1 else None
        if name in ANSWERS:
            return ANSWERS[name]
        return self.called(called, name, given, named)

    def keywords(self, keywords: Sequence[ast.keyword]) -> dict[str, object]:
        found: dict[str, object] = {}
        for it in keywords:
            value = self.value(it.value)
            if it.arg is not None:
                found[it.arg] = value
            elif isinstance(value, Table):
                found |= {key: resolved(history.said, self.doubts) for key, history in value.keys.items()}
        return found

    def called(self, called: object, name: str, given: list[object], named: dict[str, object]) -> object:
        if isinstance(called, Several):
            for it in called.values:
                if isinstance(it.value, Named):
                    self.extension(it.value.name, given, named, self.doubts | it.doubts)
            return Unknown(name)
        if isinstance(called, Function):
            return self.enter(called, given, named)
        if isinstance(called, Class):
            made = Object(called)
            if isinstance(start := self.member(made, "__init__"), Function):
                self.enter(start, given, named)
            return made
        if self.extension(called.name if isinstance(called, Named) else name, given, named, self.doubts):
            return Unknown(name, there=True)
        return self.of_library(name, given, named)

    def of_library(self, name: str, given: list[object], named: dict[str, object]) -> object:
        """Functions that Python itself brings, of known values."""
        match name.rpartition(".")[2]:
            case "super" if not given:
                return self.above()
            case "list" | "set" | "sorted" | "tuple" if given and "." not in name:
                return Items(items_of(given[0], NONE))
            case "len" if len(given) == 1:
                return length(given[0])
            case "product" if not named and name in ("product", "itertools.product"):
                return product(given)
            case "dict" | "SimpleNamespace" as kind if not given:
                names = {key: History([Item(value, self.doubts)]) for key, value in named.items()}
                return Table(names) if kind == "dict" else Object(Class(kind, {}), names)
            case "spec_from_file_location" if len(given) == 2 and isinstance(given[1], str):
                path = (self.folder / given[1]).resolve()
                return self.module(path) if path.is_relative_to(self.root) and path.is_file() else Unknown(name)
            case "module_from_spec" if given and isinstance(given[0], Module):
                return given[0]
        return pure(name, given, self.folder, self.root)

    def enter(self, function: Function, given: Sequence[object], named: dict[str, object]) -> object:
        if len(self.frames) > _DEEPEST:
            raise TooMuch
        arguments = function.node.args
        names = [it.arg for it in (*arguments.posonlyargs, *arguments.args)]
        given = [*function.first, *given]
        rest = tuple(given[len(names) :])
        defaults = dict(zip(reversed(names), map(self.value, reversed(arguments.defaults)), strict=False))
        for it, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            names.append(it.arg)
            defaults[it.arg] = self.value(default) if default is not None else Unknown(it.arg)
        values = {**defaults, **dict(zip(names, given, strict=False)), **named}
        if arguments.vararg is not None:
            names.append(arguments.vararg.arg)
            values[arguments.vararg.arg] = rest
        if arguments.kwarg is not None:
            more = {key: History([Item(value)]) for key, value in named.items() if key not in names}
            names.append(arguments.kwarg.arg)
            values[arguments.kwarg.arg] = Table(more)
        around = function.around
        frame = Frame(around.path, around, function=function)
        frame.names |= {name: History([Item(values.get(name, Unknown(name)), NONE)]) for name in names}
        doubts = self.doubts
        self.frames.append(frame)
        self.run(function.node.body)
        self.frames.pop()
        self.doubts = doubts
        if not frame.returned:
            return None
        return resolved(frame.returned[::-1], doubts) if len(frame.returned) > 1 else frame.returned[0].value

    def extension(self, name: str, given: Sequence[object], named: dict[str, object], doubts: Doubts) -> bool:
        of = {**dict(zip(("name", "sources"), given, strict=False)), **named}
        if name.endswith(_LOADS):
            of["include_dirs"] = of.pop("extra_include_paths", Items())
            of["extra_compile_args"] = Table({"nvcc": History([Item(of.pop("extra_cuda_cflags", Items()))])})
        elif name.rpartition(".")[2] not in _EXTENSIONS:
            return False
        if name.rpartition(".")[2] != "CppExtension":
            self.made.append(Extension(of, doubts))
        return True


_OWN = (Object, Class, Module, Above)
_BUILT_IN = frozenset(("list", "set", "sorted", "tuple", "dict", "str", "len", "super", *_EXTENSIONS))


def _is_of_library(function: ast.Attribute) -> bool:
    return ast.unparse(function.value)[:80] in ("os", "os.path", "osp", "glob", "platform")


def _makes(node: ast.FunctionDef) -> bool:
    """Whether an extension is made in it, by whatever name."""
    return any(getattr(it, field, "") == "CUDAExtension" for it in ast.walk(node) for field in ("name", "id", "attr"))
