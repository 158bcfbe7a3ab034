"""The numbers that a kernel's code is written with, its own and those of the functions that it names; and the words of
a whole text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function, FunctionMacro
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.literal_origins import literals_of
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.expression_nodes import Name
from occupancy_lsp.source.syntax.known_value import Place

_WRITTEN = regex(rb"(?<![\w.])(?:0[xX][0-9a-fA-F]{1,8}|[0-9]{1,9})(?=[uUlL]{0,3}(?![\w.]))")
_BRACKETS = regex(rb"(?:\s*\[[^\]\n]*\])+")
_NAME = regex(rb"[A-Za-z_]\w*")
_INDEX = "blockIdx"
_OTHER_INDEX = regex(r"hipBlockIdx|group_index|block_index|this_grid|\Aget_group_id\Z")
_INDEXED = regex(rb"\bblockIdx\s*\.\s*[xyz]\b")
# The index along each axis, with the size before it or behind it.
_ALONG = tuple(
    regex(
        rb"(?<![\w.])(blockDim\s*\.\s*%b\s*\*\s*)?blockIdx\s*\.\s*%b(?!\w)(\s*\*\s*blockDim\s*\.\s*%b(?!\w))?"
        % (axis, axis, axis)
    )
    for axis in (b"x", b"y", b"z")
)
_THREADS = ("threadIdx", "blockDim")
_OF_THREADS = regex(rb"#[ \t]*define[ \t]+(\w+)(?:[^\n\\]|\\\r?\n)*\b(?:threadIdx|blockDim)\b")
_OTHER_THREADS = regex(r"hipThreadIdx|hipBlockDim|thread_(?:rank|index)|dim_threads|group_dim|this_thread_block")
_OF_AXIS = {it: regex(rb"\b%b\b(?!\s*\.\s*[xyz]\b)" % it.encode()) for it in _THREADS}


def _global_index_pattern(axis: bytes) -> re.Pattern[bytes]:
    """An index into what all groups work on along an axis, and how far a grid reaches along it."""
    group, size, thread, grid = (
        rb"%b\s*\.\s*%b\b" % (it, axis) for it in (b"blockIdx", b"blockDim", b"threadIdx", b"gridDim")
    )
    first = rb"\(?\s*(?:%b\s*\*\s*%b|%b\s*\*\s*%b)\s*\)?" % (group, size, size, group)
    index = rb"(?:%b\s*\+\s*%b|%b\s*\+\s*%b)" % (first, thread, thread, first)
    reach = rb"(?:%b\s*\*\s*%b|%b\s*\*\s*%b)" % (size, grid, grid, size)
    return re.compile(rb"(?<![\w.*/%%])(?<![*/%%] )(?:%b(?!\s*[*/%%])|%b)" % (index, reach))


_ALONE = tuple(
    tuple(regex(rb"\b%b\s*\.\s*%b\b" % (it.encode(), axis)) for it in _THREADS) for axis in (b"x", b"y", b"z")
)
_GLOBAL = tuple(map(_global_index_pattern, (b"x", b"y", b"z")))
_COMMENT = regex(rb'(?P<string>"(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def literals_in_kernel(
    env: Environment, own: LocatedItem, kernel: Kernel, texts: Mapping[int, bytes]
) -> Iterator[tuple[Place, int]]:
    """Each with its place: written out there, or what a name there stands for. `texts`: of the file's items."""
    for placed, function in _functions_of_kernel(env, own, kernel):
        yield from _literals_in_span(placed.slot, function.body, texts.get(placed.slot, b""))
        scope = ItemScope(env, placed, function.body.start, function.owner)
        for name in sorted(function.mentions.names):
            yield from ((it.place, it.number) for it in literals_of(Name((name,)), scope))


def names_in_kernel(env: Environment, own: LocatedItem, kernel: Kernel) -> frozenset[str]:
    """Those in the kernel's code, in that of the functions that it names, and in the macros that they use."""
    found: set[str] = set()
    for placed, function in _functions_of_kernel(env, own, kernel):
        found |= function.mentions.names
        used = (
            env.function_macro_in_force(name, placed.order)
            for name in env.function_macros_among(set(function.mentions.names))
        )
        found.update(name for macro in used if isinstance(macro, FunctionMacro) for name in macro.names)
    return frozenset(found)


def code_of_kernel(env: Environment, own: LocatedItem, kernel: Kernel, texts: Mapping[int, bytes]) -> Iterator[bytes]:
    """The kernel's code, and that of the functions in the file that it names; no comments."""
    return (code for _, code in code_by_function(env, own, kernel, texts))


def code_by_function(
    env: Environment, own: LocatedItem, kernel: Kernel, texts: Mapping[int, bytes]
) -> Iterator[tuple[str, bytes]]:
    """As `code_of_kernel`, each with its function's name, the kernel's first."""
    for placed, function in _functions_of_kernel(env, own, kernel):
        if placed.slot in texts:
            yield function.name, without_comments(texts[placed.slot][function.body.start : function.body.end])


def heads_and_bodies_of_callees(
    env: Environment, own: LocatedItem, kernel: Kernel, texts: Mapping[int, bytes]
) -> Iterator[tuple[str, bytes, bytes]]:
    """The functions in the file that the kernel names: the name, what stands before the body, and that; no comments."""
    for placed, function in list(_functions_of_kernel(env, own, kernel))[1:]:
        if placed.slot in texts:
            text = texts[placed.slot]
            body = text[function.body.start : function.body.end]
            yield function.name, without_comments(text[: function.body.start]), without_comments(body)


def _functions_of_kernel(env: Environment, own: LocatedItem, kernel: Kernel) -> Iterator[tuple[LocatedItem, Function]]:
    """The kernel's own, and those that it names."""
    inside = (function for function in own.facts.functions if function.body.start == kernel.body.start)
    todo: list[tuple[LocatedItem, Function]] = [(own, it) for it in inside]
    seen: set[tuple[int, Span]] = set()
    while todo:
        placed, function = todo.pop()
        if (placed.slot, function.body) in seen:
            continue
        seen.add((placed.slot, function.body))
        yield placed, function
        for name in sorted(function.mentions.names):
            todo += [it for it in env.functions(name) if not it[1].kernel]


def uses_only_global_index(
    env: Environment, own: LocatedItem, kernel: Kernel, texts: Mapping[int, bytes], axis: int
) -> bool:
    """Whether the kernel takes its group's index along an axis, and only times the group's size along it."""
    found = False
    for placed, function in _functions_of_kernel(env, own, kernel):
        used = (
            env.function_macro_in_force(name, placed.order)
            for name in env.function_macros_among(set(function.mentions.names))
        )
        named = {name for macro in used if isinstance(macro, FunctionMacro) for name in macro.names}
        if any(map(_OTHER_INDEX.search, function.mentions.names)) or _INDEX in named:
            return False
        if _INDEX in function.mentions.names:
            if placed.slot not in texts:
                return False
            code = without_comments(texts[placed.slot][function.body.start : function.body.end])
            along = _ALONG[axis].findall(code)
            if code.count(_INDEX.encode()) != len(_INDEXED.findall(code)) or not all(map(any, along)):
                return False
            found = found or bool(along)
    return found


def may_use_local_index(
    env: Environment, own: LocatedItem, kernel: Kernel, texts: Mapping[int, bytes], axis: int
) -> bool:
    """Whether the kernel may use a thread's place in its group, or the group's size, along an axis by itself: other
    than for the thread's place in the grid.
    """
    macros = {it.decode() for text in texts.values() for it in _OF_THREADS.findall(text)}
    for placed, function in _functions_of_kernel(env, own, kernel):
        used = (
            env.function_macro_in_force(name, placed.order)
            for name in env.function_macros_among(set(function.mentions.names))
        )
        named = {name for macro in used if isinstance(macro, FunctionMacro) for name in macro.names}
        if not macros.isdisjoint(function.mentions.names | named):
            return True
        if any(map(_OTHER_THREADS.search, function.mentions.names)) or not named.isdisjoint(_THREADS):
            return True
        if not function.mentions.names.isdisjoint(_THREADS):
            if placed.slot not in texts:
                return True
            code = without_comments(texts[placed.slot][function.body.start : function.body.end])
            left = _GLOBAL[axis].sub(b" ", code)
            if any(it.search(left) for it in (*_OF_AXIS.values(), *_ALONE[axis])):
                return True
    return False


def extent_literals(env: Environment, own: LocatedItem, variable: Place, text: bytes) -> Iterator[tuple[Place, int]]:
    """What the brackets behind an array's name are made of."""
    brackets = _BRACKETS.match(text, variable.end)
    if brackets is None:
        return
    span = Span(*brackets.span())
    yield from _literals_in_span(own.slot, span, text)
    scope = ItemScope(env, own, span.start)
    for name in _NAME.findall(brackets[0]):
        yield from ((it.place, it.number) for it in literals_of(Name((name.decode(),)), scope))


def _literals_in_span(item: int, span: Span, text: bytes) -> Iterator[tuple[Place, int]]:
    for match in _WRITTEN.finditer(text, span.start, span.end):
        yield Place(item, match.start(), match.end()), int(match[0], 16 if match[0][:2] in (b"0x", b"0X") else 10)


def literals_in_texts(texts: Mapping[int, bytes]) -> Iterator[tuple[Place, int]]:
    """Every number that items write out, in strings too; comments write nothing."""
    for item, text in texts.items():
        yield from _literals_in_span(item, Span(0, len(text)), without_comments(text))


def without_comments(text: bytes) -> bytes:
    """With blanks in their place."""
    return _COMMENT.sub(lambda it: it[0] if it["string"] else b" " * len(it[0]), text)


@remembered(256)  # what names a kernel is asked for by all kernels
def _without_comments_and_strings(text: bytes) -> bytes:
    return _COMMENT.sub(lambda it: b" " * len(it[0]), text)


def occurrences_in_items(texts: Mapping[int, bytes], word: str) -> Iterator[tuple[bytes, tuple[Place, ...]]]:
    """The code of each item that has a word, strings and comments in it made blank, and where it has the word."""
    name = word.encode()
    said = re.escape(name)
    # It starts with the word itself, to the next of which the engine leaps.
    pattern = re.compile(rb"%b(?<![A-Za-z0-9_]%b)(?![A-Za-z0-9_])" % (said, said))
    for item, text in texts.items():
        if name not in text:
            continue
        code = _without_comments_and_strings(text)
        if places := tuple(Place(item, *match.span()) for match in pattern.finditer(code)):
            yield code, places
