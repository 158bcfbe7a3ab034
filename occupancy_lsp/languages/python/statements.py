"""What a statement at the left margin of a Python file says. Each is parsed alone: an error costs one of them."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.walking import children, walk
from occupancy_lsp.source.lex.span import Span

BOM = b"\xef\xbb\xbf"
# Methods of lists and dicts that change them, with the arguments that they take at most: `np.sort(a)` is none.
_CHANGING = {
    "append": 1, "extend": 1, "insert": 2, "remove": 1, "pop": 2, "popitem": 0, "clear": 0, "sort": 0, "reverse": 0,
    "update": 1, "setdefault": 2,
}  # fmt: skip
# Attributes of CuPy's kernels: a kernel stays what it is.
_SETTINGS = ("max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout")
_LIBRARIES = ("itertools", "numba", "numpy", "tilelang", "triton", "warp")  # a name from there means what `imports` say
_SETTING = (b"setattr", b"delattr", b"globals")  # with them a text says which name is set
_MOST = 400_000  # bytes of a statement that is parsed
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """`outer`: the names of the functions and classes around it. `own`: what its parameters and statements give names.

    `gives_back`: the values that it returns; `calls`: the functions that it calls by a plain name; `words`: all names
    in it, those of members and arguments too. `node`: the whole of it. `within`: the function around it.
    """

    name: str
    outer: tuple[str, ...]
    decorators: tuple[ast.expr, ...]
    head: Span  # from the first decorator to the end of its name
    name_span: Span
    body: Span
    parameters: ast.arguments
    own: tuple[tuple[str, ast.expr | None], ...]
    gives_back: tuple[ast.expr, ...]
    calls: frozenset[str]
    words: frozenset[str]
    node: ast.FunctionDef | ast.AsyncFunctionDef
    within: Function | None


@dataclass(frozen=True, slots=True, eq=False)
class Launch:
    """`kernel[grid](…)`, or a call that may launch one. `within`: the function that it stands in, if in one.

    `bound`: names of the comprehensions and lambdas around it.
    """

    call: ast.Call
    target: Span
    within: Function | None
    bound: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """`broken`: it is not understood, so nothing is known of it. `given`: what names at the margin stand for; None: for
    something that no expression in the text says. `imports`: what a name here is called elsewhere."""

    text: bytes
    starts: tuple[int, ...]  # of its lines
    broken: bool = False
    imports: tuple[tuple[str, str], ...] = ()
    given: tuple[tuple[str, ast.expr | None], ...] = ()
    functions: tuple[Function, ...] = ()
    launches: tuple[Launch, ...] = ()
    calls: tuple[Launch, ...] = ()  # of members: `kernel.forall(n)`
    handed: tuple[Launch, ...] = ()  # kernels of Triton that Helion's launcher is handed
    nodes: tuple[ast.stmt, ...] = ()

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        return Span(_at(self.starts, node.lineno, node.col_offset), _end(self.starts, node))


@remembered(4096)
def read(text: bytes) -> Statement:
    """What a statement says. Never raises."""
    skipped = len(BOM) if text.startswith(BOM) else 0
    starts = (skipped, *(it.end() for it in re.finditer(rb"\r\n?|\n", text)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Text, not bytes: a comment may look as if it named an encoding.
            tree = ast.parse(text[skipped:].decode()) if len(text) <= _MOST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None:
        return Statement(text, starts, broken=True)
    reader = _Reader(text, starts)
    try:
        for node in tree.body:
            reader.visit(node)
    except RecursionError:
        return Statement(text, starts, broken=True)
    given = (*reader.given, *_given(reader.margin))
    return Statement(
        text, starts, False, tuple(reader.imports), given, tuple(reader.functions),
        tuple(reader.launches), tuple(reader.calls), tuple(reader.handed), tuple(tree.body),
    )  # fmt: skip


class _Reader(ast.NodeVisitor):
    def __init__(self, text: bytes, starts: tuple[int, ...]) -> None:
        self.imports: list[tuple[str, str]] = []
        self.given: list[tuple[str, ast.expr | None]] = []
        self.functions: list[Function] = []
        self.margin: list[ast.AST] = []  # what is in no function and no class
        self.launches: list[Launch] = []
        self.calls: list[Launch] = []
        self.handed: list[Launch] = []
        self._text = text
        self._starts = starts
        self._outer: tuple[str, ...] = ()
        self._within: Function | None = None
        self._bound = frozenset[str]()
        self._changes = _Changes()

    def visit_Import(self, node: ast.Import) -> None:
        for it in node.names:
            package = it.name.partition(".")[0]
            self.imports.append((it.asname, it.name) if it.asname else (package, package))
        self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module and not node.level:
            self.imports += ((it.asname or it.name, f"{node.module}.{it.name}") for it in node.names)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for it in (*node.decorator_list, *node.args.defaults, *(it for it in node.args.kw_defaults if it)):
            self.visit(it)
        function = _function(node, self._outer, self._within, self._text, self._starts, self._changes)
        self.functions.append(function)
        if not self._outer:
            self.given += ((name, None) for name in (node.name, *self._changes.of(node), *self._set_by_name(node)))
        outside = self._outer, self._within
        self._outer, self._within = (*self._outer, node.name), function
        for statement in node.body:
            self.visit(statement)
        self._outer, self._within = outside

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outside = self._outer
        self._outer = (*self._outer, node.name)
        self.generic_visit(node)
        self._outer = outside
        if not self._outer:
            self.given += ((name, None) for name in (node.name, *self._changes.of(node), *self._set_by_name(node)))

    def visit_Call(self, node: ast.Call) -> None:
        call = _as_launch(node, self._within)
        if isinstance(call.func, ast.Subscript | ast.Attribute):
            value = call.func.value
            target = Span(_at(self._starts, value.lineno, value.col_offset), _end(self._starts, value))
            launches = self.launches if call is node else self.handed
            found = launches if isinstance(call.func, ast.Subscript) else self.calls
            found.append(Launch(call, target, self._within, self._bound))
        self.generic_visit(node)

    def _set_by_name(self, node: ast.AST) -> set[str]:
        """The names of a module that functions and classes set by a text, if that is the module that they change."""
        if not any(word in self._text for word in _SETTING):
            return set()
        return {name for it in walk(node) if (name := names_in_text(it)) is not None}

    def generic_visit(self, node: ast.AST) -> None:
        if not self._outer or isinstance(node, ast.Global):
            self.margin.append(node)
        outside = self._bound
        if isinstance(node, ast.Lambda):
            self._bound |= {it.arg for it in walk(node.args) if isinstance(it, ast.arg)}
        elif isinstance(node, _COMPREHENSIONS):
            self._bound |= {name.id for it in node.generators for name in _names_in(it.target)}
        for child in children(node):
            self.visit(child)
        self._bound = outside


def _as_launch(call: ast.Call, within: Function | None) -> ast.Call:
    """`kernel[grid](…)` for the `_launcher(kernel, grid, …)` that Helion writes; else the call as it is.

    Its functions take the launcher by keyword: `def add(x, *, _launcher=_default_launcher)`.
    """
    match call:
        case ast.Call(func=ast.Name(id="_launcher") as name, args=[ast.Name() as kernel, grid, *given]) if (
            within is not None and _takes_launcher(within)
        ):
            func = ast.copy_location(ast.Subscript(kernel, grid, ast.Load()), name)
            return ast.copy_location(ast.Call(func, given, call.keywords), call)
    return call


def _takes_launcher(function: Function) -> bool:
    taken = function.parameters
    for parameter, default in zip(taken.kwonlyargs, taken.kw_defaults, strict=True):
        match parameter.arg, default:
            case "_launcher", ast.Name(id="_default_launcher"):
                return all(name != "_launcher" for name, _ in function.own)
    return False


def _function(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    outer: tuple[str, ...],
    within: Function | None,
    text: bytes,
    starts: tuple[int, ...],
    changes: _Changes,
) -> Function:
    begin = _begin(node, starts)
    keyword = re.compile(rb"(?:async[^\n]*?)?\bdef[\s\\]+").match(text, _at(starts, node.lineno, node.col_offset))
    name = keyword.end() if keyword else 0
    inside, own = walk(node)[1:], _own(node)
    body = Span(_begin(node.body[0], starts), _end(starts, node.body[-1]))
    return Function(
        node.name,
        outer,
        tuple(node.decorator_list),
        Span(begin, name + len(node.name.encode())),
        Span(name, name + len(node.name.encode())),
        body,
        node.args,
        (*_given(own), *_changed_inside(inside, changes)),
        tuple(it.value for it in own if isinstance(it, ast.Return) and it.value is not None),
        frozenset(it.func.id for it in inside if isinstance(it, ast.Call) and isinstance(it.func, ast.Name)),
        frozenset(word for it in inside if (word := _word(it)) is not None),
        node,
        within,
    )


def _begin(node: ast.stmt, starts: tuple[int, ...]) -> int:
    """Where it starts, with its decorators."""
    decorated = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list
    first = min((node, *(decorated or ())), key=lambda it: it.lineno)
    return _at(starts, first.lineno, first.col_offset) - (first is not node)  # with its @


def _own(node: ast.AST) -> list[ast.AST]:
    """What is in a function, but in no function or class within it, in the order of the text."""
    found: list[ast.AST] = []
    todo = children(node)[::-1]
    while todo:
        child = todo.pop()
        found.append(child)
        if not isinstance(child, _SCOPES):
            todo += children(child)[::-1]
    return found


def _changed_inside(nodes: list[ast.AST], changes: _Changes) -> Iterator[tuple[str, ast.expr | None]]:
    """Names that a function within gives a value, or changes, or that are one."""
    for node in nodes:
        if isinstance(node, ast.Nonlocal):
            yield from ((name, None) for name in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, None
        if isinstance(node, _SCOPES):
            yield from ((name, None) for name in changes.of(node))


class _Changes:
    """The lists, dicts and objects from outside that functions and classes change, each looked at once."""

    def __init__(self) -> None:
        self._known: dict[ast.AST, set[str]] = {}

    def of(self, node: ast.AST) -> set[str]:
        if node not in self._known:
            own = _own(node)
            bound = {it.arg for it in own if isinstance(it, ast.arg)}
            bound |= {it.id for it in own if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)}
            changed = {name for it in own if (name := _changed(it)) is not None}
            inner = (self.of(it) for it in own if isinstance(it, _SCOPES))
            self._known[node] = changed.union(*inner) - bound
        return self._known[node]


def names_in_text(node: ast.AST) -> str | None:
    """The name that `setattr(of, "name", …)`, `delattr(of, "name")` or `globals()["name"]` stand for; not of `self`."""
    match node:
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[of, ast.Constant(value=str(name)), *_]):
            return None if isinstance(of, ast.Name) and of.id in ("self", "cls") else name
        case ast.Subscript(
            value=ast.Call(func=ast.Name(id="globals")),
            slice=ast.Constant(value=str(name)),
            ctx=ast.Store() | ast.Del(),
        ):
            return name
    return None


def _word(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=name):
            return name
    return None


def _given(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that nodes give something, with it where an expression says it."""
    nodes = [it for it in nodes if not isinstance(it, ast.Constant)]
    explained: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Name):  # as most are
            continue
        for target, value in _said(node):
            explained.add(target)
            if value is not None:
                yield target.id, value
    for node in nodes:
        if not isinstance(node, ast.Name):
            yield from ((name, None) for name in _unexplained(node))
        elif not isinstance(node.ctx, ast.Load) and node not in explained:
            yield node.id, None


def _said(node: ast.AST) -> Iterator[tuple[ast.Name, ast.expr | None]]:
    """Names with what they are given; None: nothing, in the scope that they stand in."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pairs(target, value)
        case ast.AnnAssign(target=ast.Name() as target, value=value):
            yield target, value
        case ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.comprehension(target=target):
            yield from ((it, None) for it in _names_in(target))


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    """What `a = 1` and `a, b = 1, 2` give their names."""
    match target, value:
        case ast.Name(), _:
            yield target, value
        case ast.Tuple(elts=parts), ast.Tuple(elts=values):
            starred = any(isinstance(it, ast.Starred) for it in (*parts, *values))
            if not starred and len(parts) == len(values):
                yield from ((part, it) for part, it in zip(parts, values, strict=True) if isinstance(part, ast.Name))


def _names_in(target: ast.expr) -> Iterator[ast.Name]:
    return (it for it in walk(target) if isinstance(it, ast.Name))


def _unexplained(node: ast.AST) -> Iterator[str]:
    """Names that a node gives something, or changes, and that are no `ast.Name` which is stored to."""
    match node:
        case ast.Import(names=names):
            yield from (it.asname or it.name.partition(".")[0] for it in names if not _is_library(it.name))
        case ast.ImportFrom(module=module, names=names, level=level) if level or not _is_library(module or ""):
            yield from (it.asname or it.name for it in names)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case _ if (changed := _changed(node)) is not None:
            yield changed
        case _ if (named := names_in_text(node)) is not None:
            yield named


def _is_library(module: str) -> bool:
    return module.partition(".")[0] in _LIBRARIES


def _changed(node: ast.AST) -> str | None:
    """The name whose list, dict or object it changes."""
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr=method), args=given) if len(given) <= _CHANGING.get(method, -1):
            return _root(of)
        case ast.Subscript(value=of, ctx=ast.Store() | ast.Del()):
            return _root(of)
        case ast.Attribute(value=of, attr=attr, ctx=ast.Store() | ast.Del()) if attr not in _SETTINGS:
            # `numba.config.OPT = 3` leaves numba what it is.
            return None if isinstance(of, ast.Attribute) else _root(of)
    return None


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _at(starts: tuple[int, ...], line: int, column: int) -> int:
    return starts[line - 1] + column


def _end(starts: tuple[int, ...], node: ast.expr | ast.stmt | ast.keyword) -> int:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return _at(starts, node.end_lineno, node.end_col_offset)
