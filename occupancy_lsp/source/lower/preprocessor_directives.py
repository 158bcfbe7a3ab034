"""Preprocessor lines: macros, and under which conditions the text between them stands."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import is_parenthesised
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import (
    Conditions,
    Definition,
    DirectiveFacts,
    FunctionMacro,
    Include,
    ItemFacts,
    MacroChange,
)
from occupancy_lsp.source.syntax.blanking import BlankedText
from occupancy_lsp.source.syntax.expression_nodes import Binary, Conditional, MacroOperand, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse

_LINE = regex(rb"#\s*(?P<name>[a-z_]+)[ \t]*(?P<rest>.*)", re.DOTALL)
_DEFINE = regex(rb"(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^)]*\))?(?P<body>.*)", re.DOTALL)
_NOISE = regex(rb"//[^\r\n]*|/\*.*?(?:\*/|\Z)|\\\r?\n", re.DOTALL)
_DEFINED = regex(r"\bdefined(?:\s*\(\s*(\w+)\s*\)|\s+(\w+))")
_ATTRIBUTE = regex(rb"__attribute__\s{0,8}\(\((?:[^()]|\([^()]{0,100}\)){0,200}\)\)")  # names no function
_STRING = regex(rb'"(?:[^"\\]|\\.)*"')
_PLAIN_ARGUMENTS = rb"[\w\s:,*]*"
_CALLED = regex(rb"([A-Za-z_][\w:]*)\s*(?:<%b(?:<%b>%b)*>\s*)?\(" % ((_PLAIN_ARGUMENTS,) * 3))
_WORD = regex(rb"[A-Za-z_]\w*")
# `STRING(FOLDER/file.h)`: a path of which a macro makes a string; the host says which folder.
MADE_INTO_STRING = rb"[A-Z_]\w*[ \t]*\([ \t]*(?:[A-Z_][A-Z0-9_]*/)?([\w.+/-]+\.\w+)[ \t]*\)"
INCLUDE = regex(rb"#[ \t]*include\b")
_INCLUDE = regex(rb'"(?P<quoted>[^"\n]+)"|<(?P<angle>[^>\n]+)>|%b' % MADE_INTO_STRING)
_PACK = regex(rb"pack\s*\(([^()]*)\)")
PACKING = "#pragma pack"
_KEYWORDS = frozenset(
    b"if for while switch return constexpr sizeof alignof alignas do else decltype catch volatile asm __asm__ __asm"
    b" static_assert _Static_assert defined noexcept typeof __typeof__ static_cast reinterpret_cast const_cast".split()
)
_KEPT_MACRO = regex(rb"\s*(?P<kind>push|pop)_macro\s*\(\s*\"(?P<macro>\w+)\"\s*\)")
_DEEPEST = 64
_MOST_BRANCHES = 128  # of one #if
_BRANCHES = {"if": "if", "ifdef": "if", "ifndef": "if", "elif": "elif", "else": "else", "endif": "endif"}


def _without_comments(text: bytes) -> bytes:
    """`text` with comments and continuations blanked, as long as before."""
    return _NOISE.sub(lambda m: b" " * len(m[0]), text)


def conditional_directive(line: bytes) -> tuple[str, str] | None:
    """("if", "defined(A)") of `#ifdef A`; None if the line is no conditional."""
    match = _LINE.match(_without_comments(line))
    name = match["name"].decode() if match else ""
    if not match or name not in _BRANCHES:
        return None
    condition = _DEFINED.sub(r"defined(\1\2)", match["rest"].decode("utf-8", "replace").strip())
    if name in ("ifdef", "ifndef"):
        condition = f"{'!' if name == 'ifndef' else ''}defined({condition})"
    return _BRANCHES[name], condition


def facts_of_directive(piece: BlankedText, conditions: Conditions = ()) -> ItemFacts:
    """What one preprocessor line says; offsets count from where `piece.start` counts from."""
    plain = _without_comments(piece.text)
    match = _LINE.match(plain)
    if not match:
        return ItemFacts()
    name, rest = match["name"], match["rest"]
    if name == b"define":
        return _macro_definition_facts(piece, plain, match.start("rest"), conditions)
    if name == b"include":
        return _include_facts(rest, conditions)
    if name == b"undef":
        undone = _macro_changes("undef", _WORD.match(rest.strip()), piece, conditions)
        return ItemFacts(directives=DirectiveFacts(macro_changes=undone))
    if name == b"pragma":
        kept = _KEPT_MACRO.match(rest)
        kind: Literal["push", "pop"] = "push" if kept and kept["kind"] == b"push" else "pop"
        changes = _macro_changes(kind, kept, piece, conditions)
        if not changes:
            return _pack_pragma_facts(piece, rest.strip(), conditions)
        return ItemFacts(directives=DirectiveFacts(macro_changes=changes))
    found = conditional_directive(piece.text)
    return ItemFacts(directives=DirectiveFacts(branches=(found,))) if found else ItemFacts()


def _macro_changes(
    kind: Literal["undef", "push", "pop"], match: re.Match[bytes] | None, piece: BlankedText, conditions: Conditions
) -> tuple[MacroChange, ...]:
    """The last group of the match is the macro's name."""
    if match is None:
        return ()
    return (MacroChange(match[match.lastindex or 0].decode("utf-8", "replace"), kind, piece.start, conditions),)


def _pack_pragma_facts(piece: BlankedText, rest: bytes, conditions: Conditions) -> ItemFacts:
    """`#pragma pack(push, 1)`: what is said of how structs are packed goes by a name that nothing else has."""
    match = _PACK.match(rest)
    if match is None:
        return ItemFacts()
    said = match[1].decode("utf-8", "replace")
    return ItemFacts(
        definitions=(
            Definition(PACKING, "constant", UnreadableExpression(PACKING), piece.start, None, (), conditions, said),
        )
    )


def names_called_by_macro_text(text: str) -> set[str]:
    """What a macro's text calls, and `__shared__` if it declares local memory."""
    return _called_names(text.encode()) | ({"__shared__"} if "__shared__" in text else set())


def _called_names(code: bytes) -> set[str]:
    names = _CALLED.findall(_ATTRIBUTE.sub(b" ", _STRING.sub(b" ", code)))
    return {it.decode("utf-8", "replace") for it in names if it not in _KEYWORDS}


def _include_facts(rest: bytes, conditions: Conditions) -> ItemFacts:
    match = _INCLUDE.match(rest)
    if not match:
        return ItemFacts()
    quoted = match["angle"] is None
    path = match["angle"] or match["quoted"] or match[3]
    include = Include(path.decode("utf-8", "replace"), quoted, conditions)
    return ItemFacts(directives=DirectiveFacts(includes=(include,)))


def _macro_definition_facts(piece: BlankedText, plain: bytes, at: int, conditions: Conditions) -> ItemFacts:
    match = _DEFINE.match(plain, at)
    if not match:
        return ItemFacts()
    name, body = match["name"].decode("utf-8", "replace"), match["body"]
    if match["parameters"] is not None:
        calls = frozenset(_called_names(body))
        words = set(_WORD.findall(body)) - set(_WORD.findall(match["parameters"]))
        names = frozenset(word.decode("utf-8", "replace") for word in words)
        parameters = tuple(it.strip() for it in match["parameters"][1:-1].decode("utf-8", "replace").split(","))
        text = body.decode("utf-8", "replace").strip()
        local = b"__shared__" in body
        macro = FunctionMacro(name, parameters, text, calls, names, local, piece.start, conditions)
        return ItemFacts(directives=DirectiveFacts(macros=(macro,)))
    value = parse(plain, match.start("body"), base=piece.start)
    if isinstance(value, Binary | Conditional) and not is_parenthesised(body.decode("utf-8", "replace")):
        value = MacroOperand(value)
    said = body.decode("utf-8", "replace").strip()
    return ItemFacts(definitions=(Definition(name, "macro", value, piece.start, None, (), conditions, said),))


def update_condition_stack(stack: list[list[tuple[str, bool]]], event: tuple[str, str]) -> bool:
    """Update the open conditions; False for an #else, #elif or #endif without an #if."""
    kind, condition = event
    if kind == "if":
        stack.append([(condition, True)])
        return True
    if not stack:
        return False
    if kind == "endif":
        stack.pop()
        return True
    before = [(text, False) for text, _ in stack[-1]]
    if len(before) > _MOST_BRANCHES:
        before = [(f"one of more than {_MOST_BRANCHES} branches", False)]
    # Where the first branch says nothing, as that of an #if which is left aside, neither does another.
    stack[-1] = [*before, (condition, True)] if kind == "elif" and before else before
    return True


def flatten_conditions(stack: Sequence[list[tuple[str, bool]]]) -> Conditions:
    """All conditions of all levels; of a nesting beyond reason none is evaluated."""
    if len(stack) > _DEEPEST:
        return ((f"nested more than {_DEEPEST} times", True),)
    return tuple(condition for level in stack for condition in level)


class ConditionRegions:
    """The conditions that hold at each offset of an item, and its conditional lines left unmatched.

    `around`: those that hold before any of its lines.
    """

    def __init__(self, lines: Iterable[BlankedText], around: Conditions = ()) -> None:
        self._starts: list[int] = [0]
        self._conditions: list[Conditions] = [around]
        unmatched: list[tuple[str, str]] = []
        stack: list[list[tuple[str, bool]]] = []
        for piece in lines:
            event = conditional_directive(piece.text)
            if event is None:
                continue
            if not update_condition_stack(stack, event):
                unmatched.append(event)
            self._starts.append(piece.start)
            self._conditions.append(flatten_conditions(stack))
        # An #if still open is said again, branch by branch, so that what follows the item stands under it.
        for level in stack:
            unmatched += [("if" if i == 0 else "elif", text) for i, (text, _) in enumerate(level)]
            if level and not level[-1][1]:
                unmatched.append(("else", ""))
        self.unmatched = tuple(unmatched)
        self.any = len(self._starts) > 1  # whether there is a condition at all

    def pieces_with_conditions(self, inside: Span) -> Iterator[tuple[Span, Conditions]]:
        """The pieces of a span, each with its conditions."""
        first = bisect_right(self._starts, inside.start) - 1
        for index in range(first, bisect_left(self._starts, inside.end)):
            end = self._starts[index + 1] if index + 1 < len(self._starts) else inside.end
            yield Span(max(inside.start, self._starts[index]), min(inside.end, end)), self._conditions[index]

    def at(self, offset: int) -> Conditions:
        return self._conditions[bisect_right(self._starts, offset) - 1]
