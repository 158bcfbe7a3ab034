"""A file that imports kernels of others: what it imports, from where, and what it does with it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.outline import Outline
from occupancy_lsp.languages.python.picking import picks
from occupancy_lsp.languages.python.statements import names_in_text
from occupancy_lsp.languages.python.walking import walk
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import Place

FarKernelLaunch = tuple[int, KernelLaunch]  # with the offset that it stands at
_GROUP = rb"\([^()#]*(?:#[^\n]*\n[^()#]*)*\)"
# Patterns start with a word, which is searched for quickly; whether it stands first in its line is asked of the few.
_FROM = regex(rb"from[ \t]+[.\w]+[ \t]+import\b([ \t]*%b|(?:[^\n\\#;]|\\\r?\n)*)" % _GROUP)
_DEFINED = regex(rb"def[ \t]+(\w+)"), regex(rb"class[ \t]+(\w+)")
_BLANK, _BLANK_OR_ASYNC = regex(rb"[ \t]*"), regex(rb"[ \t]*(?:async[ \t]+)?")
_COMMENT = regex(rb"#[^\n]*")
_NAMED = regex(rb"(?:\A|,)[\s(\\]*([^\W\d]\w*)")
_RUNNING = ("run", "warmup")  # what members of a kernel launch it


@dataclass(frozen=True, slots=True)
class Import:
    """`from ..module import name`, with the number of dots."""

    level: int
    module: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Importing:
    """`imports`: by the name that each has here and nothing else has, anywhere in the file. `named`: names that it
    takes other than to launch or call what they stand for."""

    module: Module
    starts: tuple[int, ...]  # of its statements
    imports: Mapping[str, tuple[Import, ...]]
    named: frozenset[str]

    def start_of(self, place: Place) -> int:
        return self.starts[place.item] + place.start


def imported_names(content: bytes) -> Iterator[str]:
    """The names that a file may import from others, as they are called there. Nothing is parsed."""
    for match in _first_in_lines(_FROM, content, _BLANK):
        taken = _COMMENT.sub(b"", match[1])
        yield from (name[1].decode("utf-8", "replace") for name in _NAMED.finditer(taken))


def defined_names(content: bytes) -> Iterator[str]:
    """The names of its functions and classes. Nothing is parsed."""
    for pattern in _DEFINED:
        for match in _first_in_lines(pattern, content, _BLANK_OR_ASYNC):
            yield match[1].decode("utf-8", "replace")


def _first_in_lines(pattern: re.Pattern[bytes], content: bytes, before: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Where it matches behind nothing but `before` in a line."""
    at = 0  # what stands in its line before that is something else
    while (match := pattern.search(content, at)) is not None:
        line = content.rfind(b"\n", at, match.start()) + 1
        is_first = (line or not at) and before.fullmatch(content, line, match.start())
        at = match.end() if is_first else match.start() + 1
        if is_first:
            yield match


@remembered(96)  # more than are read for one kernel
def importing(content: bytes) -> Importing:
    outline = Outline()
    outline.follow(content)
    ordered = [
        (order, node) for order, it in enumerate(outline.placed) for top in it.statement.nodes for node in walk(top)
    ]
    nodes = [node for _, node in ordered]
    froms = [(order, node) for order, node in ordered if isinstance(node, ast.ImportFrom)]
    # `import *` may give a new meaning to whatever was imported before.
    last = max((order for order, node in froms if node.names[0].name == "*"), default=-1)
    missing = {it for node in nodes for it in _nothing(node)}
    bound = {name for node in nodes if node not in missing for name in _bound(node)}
    imports: dict[str, list[Import]] = {}
    for order, node in froms:
        for it in node.names:
            name = it.asname or it.name
            imports.setdefault(name, []).append(Import(node.level, node.module or "", it.name))
            if order <= last:
                bound.add(name)
    own = {name: tuple(several) for name, several in imports.items() if name not in bound}
    module = Module.of(outline.placed, outline.names)
    picked = sum((picks(it.statement) for it in outline.placed if froms), Counter[str]())
    return Importing(module, tuple(outline.starts), own, _named(nodes, picked))


def _bound(node: ast.AST) -> Iterator[str]:
    """Names that a node gives something that is not imported from a file."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names):
            yield from (it.asname or it.name.partition(".")[0] for it in names)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case _ if (named := names_in_text(node)) is not None:
            yield named


def _nothing(node: ast.AST) -> list[ast.expr]:
    """What is given None, which nobody launches: `except ImportError: kernel = None`."""
    match node:
        case ast.Assign(targets=targets, value=ast.Constant(value=None)):
            return targets
    return []


def _named(nodes: list[ast.AST], picked: Counter[str]) -> frozenset[str]:
    """Names that stand neither before a call nor before a member, but for those that launch. `picked`: how often each
    stands there to be launched, or for a launch to pick it."""
    plain: set[ast.AST] = set()
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name() as name):
                plain.add(name)
            case ast.Attribute(value=ast.Name() as name, attr=attr) if attr not in _RUNNING:
                plain.add(name)
    loaded = (it for it in nodes if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Load))
    return frozenset(Counter(it.id for it in loaded if it not in plain) - picked)
