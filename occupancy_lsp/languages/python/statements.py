"""A Python file cut into the statements at its left margin. Each is parsed alone: an error costs one of them."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.text.span import Span

# What continues a statement at the left margin begins otherwise, or with one of these words.
_BEGINS = re.compile(rb"^(?!(?:else|elif|except|finally)\b)[@A-Za-z_\x80-\xff]", re.MULTILINE)
_DEFINES = re.compile(rb"^(?:async|def|class)\b", re.MULTILINE)
_TRIPLE = (b'"""', b"'''")
_CHANGING = frozenset(
    ["append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update", "setdefault"]
)
_MOST = 400_000  # bytes of a statement that is parsed


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """`outer`: the names of the functions and classes around it. `own`: what its parameters and statements give names.

    `gives_back`: the values that it returns; `calls`: the functions that it calls by a plain name; `words`: all names
    in it, those of members and arguments too. `node`: the whole of it.
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


@dataclass(frozen=True, slots=True, eq=False)
class Launch:
    """`kernel[grid](…)`, or a call that may launch one. `within`: the function that it stands in, if in one."""

    call: ast.Call
    target: Span
    within: Function | None


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

    def span(self, node: ast.expr | ast.stmt) -> Span:
        return Span(_at(self.starts, node.lineno, node.col_offset), _end(self.starts, node))


def cut(content: bytes) -> Iterator[bytes]:
    """The texts of its statements, with the comments before each; together they are the file."""
    begin, open_strings, decorated = 0, [False, False], content.startswith(b"@")
    counted = 0
    for match in _BEGINS.finditer(content):
        at = match.start()
        for index, quote in enumerate(_TRIPLE):
            open_strings[index] ^= content.count(quote, counted, at) % 2 == 1
        counted = at
        if any(open_strings) or at == 0:
            continue
        if decorated and not _DEFINES.search(content, begin, at):
            continue
        start = max(_with_comments(content, at), begin)
        if content[begin:start].strip():
            yield content[begin:start]
            begin = start
        decorated = content[at : at + 1] == b"@"
    if content[begin:]:
        yield content[begin:]


def _with_comments(content: bytes, at: int) -> int:
    """Where the comments at the margin start that stand right before."""
    while at:
        line = content.rfind(b"\n", 0, at - 1) + 1
        if not content.startswith(b"#", line):
            return at
        at = line
    return at


@remembered(4096)
def read(text: bytes) -> Statement:
    """What a statement says. Never raises."""
    starts = (0, *(it.end() for it in re.finditer(rb"\r\n?|\n", text)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text) if len(text) <= _MOST else None
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
    return Statement(
        text, starts, False, tuple(reader.imports), tuple(reader.given), tuple(reader.functions),
        tuple(reader.launches), tuple(reader.calls),
    )  # fmt: skip


class _Reader(ast.NodeVisitor):
    def __init__(self, text: bytes, starts: tuple[int, ...]) -> None:
        self.imports: list[tuple[str, str]] = []
        self.given: list[tuple[str, ast.expr | None]] = []
        self.functions: list[Function] = []
        self.launches: list[Launch] = []
        self.calls: list[Launch] = []
        self._text = text
        self._starts = starts
        self._outer: tuple[str, ...] = ()
        self._within: Function | None = None

    def visit_Import(self, node: ast.Import) -> None:
        for it in node.names:
            package = it.name.partition(".")[0]
            self.imports.append((it.asname, it.name) if it.asname else (package, package))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module and not node.level:
            self.imports += ((it.asname or it.name, f"{node.module}.{it.name}") for it in node.names)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for it in (*node.decorator_list, *node.args.defaults, *(it for it in node.args.kw_defaults if it)):
            self.visit(it)
        function = _function(node, self._outer, self._text, self._starts)
        self.functions.append(function)
        if not self._outer:
            self.given.append((node.name, None))
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
            self.given.append((node.name, None))

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Subscript | ast.Attribute):
            value = node.func.value
            target = Span(_at(self._starts, value.lineno, value.col_offset), _end(self._starts, value))
            found = self.launches if isinstance(node.func, ast.Subscript) else self.calls
            found.append(Launch(node, target, self._within))
        self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        if not self._outer or isinstance(node, ast.Global):
            self.given += _gives(node)
        super().generic_visit(node)


def _function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, outer: tuple[str, ...], text: bytes, starts: tuple[int, ...]
) -> Function:
    first = min((node, *node.decorator_list), key=lambda it: it.lineno)
    begin = _at(starts, first.lineno, first.col_offset) - (first is not node)  # with its @
    keyword = re.compile(rb"(?:async[^\n]*?)?\bdef[\s\\]+").match(text, _at(starts, node.lineno, node.col_offset))
    name = keyword.end() if keyword else 0
    inside, own = [it for it in ast.walk(node) if it is not node], [*_own(node)]
    body = Span(_at(starts, node.body[0].lineno, node.body[0].col_offset), _end(starts, node.body[-1]))
    return Function(
        node.name,
        outer,
        tuple(node.decorator_list),
        Span(begin, name + len(node.name.encode())),
        Span(name, name + len(node.name.encode())),
        body,
        node.args,
        tuple(given for it in own for given in _gives(it)) + tuple(_changed_inside(inside)),
        tuple(it.value for it in own if isinstance(it, ast.Return) and it.value is not None),
        frozenset(it.func.id for it in inside if isinstance(it, ast.Call) and isinstance(it.func, ast.Name)),
        frozenset(word for it in inside if (word := _word(it)) is not None),
        node,
    )


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a function, but in no function or class within it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _own(child)


def _changed_inside(nodes: list[ast.AST]) -> Iterator[tuple[str, ast.expr | None]]:
    """Names that a function within gives a value, or that are one."""
    for node in nodes:
        if isinstance(node, ast.Nonlocal):
            yield from ((name, None) for name in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, None


def _word(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=name):
            return name
    return None


def _pairs(target: ast.Tuple, value: ast.Tuple) -> Iterator[tuple[str, ast.expr | None]]:
    """What `a, b = 1, 2` gives its names."""
    given: list[ast.expr | None] = [*value.elts]
    starred = any(isinstance(it, ast.Starred) for it in (*target.elts, *value.elts))
    if starred or len(target.elts) != len(given):
        given = [None] * len(target.elts)
    for part, one in zip(target.elts, given, strict=True):
        whole = isinstance(part, ast.Name)
        yield from ((it.id, one if whole else None) for it in ast.walk(part) if isinstance(it, ast.Name))


def _gives(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a node gives a value, with it where it is the whole of it."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Name):
                    yield target.id, value
                elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    yield from _pairs(target, value)
                else:
                    yield from ((it.id, None) for it in ast.walk(target) if isinstance(it, ast.Name))
        case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            if isinstance(target, ast.Name) and value is not None:
                yield target.id, value
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, None
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _CHANGING:
            yield name, None
        case ast.Global(names=names):
            yield from ((name, None) for name in names)
        case ast.For(target=target) | ast.AsyncFor(target=target):
            yield from ((it.id, None) for it in ast.walk(target) if isinstance(it, ast.Name))
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for it in items:
                if isinstance(it.optional_vars, ast.Name):
                    yield it.optional_vars.id, None


def _at(starts: tuple[int, ...], line: int, column: int) -> int:
    return starts[line - 1] + column


def _end(starts: tuple[int, ...], node: ast.expr | ast.stmt) -> int:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return _at(starts, node.end_lineno, node.end_col_offset)
