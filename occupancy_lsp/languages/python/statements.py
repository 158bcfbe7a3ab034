"""A Python file cut into the statements at its left margin. Each is parsed alone: an error costs one of them."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.text.span import Span

# What continues a statement at the left margin begins otherwise, or with one of these words.
_BEGINS = re.compile(rb"^\f*(?!(?:else|elif|except|finally)\b)[@A-Za-z_\x80-\xff]", re.MULTILINE)
_DEFINES = re.compile(rb"^\f*(?:async|def|class)\b", re.MULTILINE)
_TRIPLE = re.compile(rb"\"\"\"|'''")
_TOKEN = re.compile(
    rb"""\#[^\n]* | (?P<triple>\"\"\"|''') | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | [][(){}]""",
    re.VERBOSE | re.DOTALL,
)
_BOM = b"\xef\xbb\xbf"
# Methods of lists and dicts that change them, with the arguments that they take at most: `np.sort(a)` is none.
_CHANGING = {
    "append": 1, "extend": 1, "insert": 2, "remove": 1, "pop": 2, "popitem": 0, "clear": 0, "sort": 0, "reverse": 0,
    "update": 1, "setdefault": 2,
}  # fmt: skip
# Attributes of CuPy's kernels: a kernel stays what it is.
_SETTINGS = ("max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout")
_LIBRARIES = ("itertools", "numba", "numpy", "triton")  # a name from there means what `imports` say
_MOST = 400_000  # bytes of a statement that is parsed
_MOST_JOINED = 256, 64_000  # pieces and bytes of a statement that goes on at the margin
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


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
    nodes: tuple[ast.stmt, ...] = ()

    def span(self, node: ast.expr | ast.stmt) -> Span:
        return Span(_at(self.starts, node.lineno, node.col_offset), _end(self.starts, node))


def statements(content: bytes, known: Mapping[bytes, Statement] | None = None) -> list[Statement]:
    """Those of a file. `known`: read before, by their texts."""
    known = known or {}
    pieces, found, at = [*cut(content)], list[Statement](), 0
    while at < len(pieces):
        read_now, taken = known.get(pieces[at]) or read(pieces[at]), 1
        if read_now.broken and (several := _open_pieces(pieces, at)) > 1:
            text = b"".join(pieces[at : at + several])
            joined = known.get(text) or read(text)
            if not joined.broken:
                read_now, taken = joined, several
        found.append(read_now)
        at += taken
    return found


def _open_pieces(pieces: list[bytes], at: int) -> int:
    """How many pieces until the brackets of the first are closed; 0: too many."""
    depth = size = 0
    for count, text in enumerate(pieces[at : at + _MOST_JOINED[0]], 1):
        size += len(text)
        if size > _MOST_JOINED[1]:
            return 0
        depth += sum(_depth(it[0]) for it in _TOKEN.finditer(text))
        if depth <= 0:
            return count
    return 0


def _depth(token: bytes) -> int:
    return 1 if token in b"([{" else -1 if token in b")]}" else 0


def cut(content: bytes) -> Iterator[bytes]:
    """The texts of its statements, with the comments before each; together they are the file."""
    begin, decorated = 0, content.startswith((b"@", _BOM + b"@"))
    strings = _long_strings(content)
    start, end = next(strings, (len(content), 0))
    for match in _BEGINS.finditer(content):
        at = match.start()
        while start < at and end <= at:
            start, end = next(strings, (len(content), 0))
        if start < at or at == 0:
            continue
        if decorated and not _DEFINES.search(content, begin, at):
            continue
        first = max(_with_comments(content, at), begin)
        if content[begin:first].strip():
            yield content[begin:first]
            begin = first
        decorated = match[0].endswith(b"@")
    if content[begin:]:
        yield content[begin:]


def _long_strings(content: bytes) -> Iterator[tuple[int, int]]:
    """Where those in triple quotes start and end. Only lines with such quotes are looked at."""
    at = 0
    while found := _TRIPLE.search(content, at):
        line = max(content.rfind(b"\n", 0, found.start()) + 1, at)
        at = found.end()
        for token in _TOKEN.finditer(content, line):
            if quote := token["triple"]:
                at = _closed(content, quote, token.end())
                yield token.start(), at
                break
            if token.end() >= found.end():
                at = max(token.start(), found.end()) if token.start() >= found.end() else token.end()
                break


def _closed(content: bytes, quote: bytes, begin: int) -> int:
    """The end of a string that begins there; that of the file, if it has none."""
    at = begin
    while (end := content.find(quote, at)) >= 0:
        before = end
        while before > begin and content[before - 1 : before] == b"\\":
            before -= 1
        if (end - before) % 2 == 0:
            return end + len(quote)
        at = end + 1
    return len(content)


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
    skipped = len(_BOM) if text.startswith(_BOM) else 0
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
        tuple(reader.launches), tuple(reader.calls), tuple(tree.body),
    )  # fmt: skip


class _Reader(ast.NodeVisitor):
    def __init__(self, text: bytes, starts: tuple[int, ...]) -> None:
        self.imports: list[tuple[str, str]] = []
        self.given: list[tuple[str, ast.expr | None]] = []
        self.functions: list[Function] = []
        self.margin: list[ast.AST] = []  # what is in no function and no class
        self.launches: list[Launch] = []
        self.calls: list[Launch] = []
        self._text = text
        self._starts = starts
        self._outer: tuple[str, ...] = ()
        self._within: Function | None = None
        self._bound = frozenset[str]()

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
        function = _function(node, self._outer, self._text, self._starts)
        self.functions.append(function)
        if not self._outer:
            self.given += ((name, None) for name in (node.name, *_changes(node)))
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
            self.given += ((name, None) for name in (node.name, *_changes(node)))

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Subscript | ast.Attribute):
            value = node.func.value
            target = Span(_at(self._starts, value.lineno, value.col_offset), _end(self._starts, value))
            found = self.launches if isinstance(node.func, ast.Subscript) else self.calls
            found.append(Launch(node, target, self._within, self._bound))
        self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        if not self._outer or isinstance(node, ast.Global):
            self.margin.append(node)
        outside = self._bound
        if isinstance(node, ast.Lambda):
            self._bound |= {it.arg for it in ast.walk(node.args) if isinstance(it, ast.arg)}
        elif isinstance(node, _COMPREHENSIONS):
            self._bound |= {name.id for it in node.generators for name in _names_in(it.target)}
        super().generic_visit(node)
        self._bound = outside


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
        (*_given(own), *_changed_inside(inside)),
        tuple(it.value for it in own if isinstance(it, ast.Return) and it.value is not None),
        frozenset(it.func.id for it in inside if isinstance(it, ast.Call) and isinstance(it.func, ast.Name)),
        frozenset(word for it in inside if (word := _word(it)) is not None),
        node,
    )


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a function, but in no function or class within it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _SCOPES):
            yield from _own(child)


def _changed_inside(nodes: list[ast.AST]) -> Iterator[tuple[str, ast.expr | None]]:
    """Names that a function within gives a value, or changes, or that are one."""
    for node in nodes:
        if isinstance(node, ast.Nonlocal):
            yield from ((name, None) for name in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, None
        if isinstance(node, _SCOPES):
            yield from ((name, None) for name in _changes(node))


def _changes(node: ast.AST) -> set[str]:
    """The lists, dicts and objects from outside of a function or class that it changes."""
    own = [*_own(node)]
    bound = {it.arg for it in own if isinstance(it, ast.arg)}
    bound |= {it.id for it in own if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)}
    changed = {name for it in own if (name := _changed(it)) is not None}
    return changed.union(*(_changes(it) for it in own if isinstance(it, _SCOPES))) - bound


def _word(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=name):
            return name
    return None


def _given(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that nodes give something, with it where an expression says it."""
    nodes = [*nodes]
    explained: set[ast.AST] = set()
    for node in nodes:
        for target, value in _said(node):
            explained.add(target)
            if value is not None:
                yield target.id, value
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node not in explained:
            yield node.id, None
        yield from ((name, None) for name in _unexplained(node))


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
    return (it for it in ast.walk(target) if isinstance(it, ast.Name))


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


def _end(starts: tuple[int, ...], node: ast.expr | ast.stmt) -> int:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return _at(starts, node.end_lineno, node.end_col_offset)
