"""The text of a `meson.build` → statements. Meson's grammar is small: no functions or classes are defined in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex

_TOKEN = regex(
    r"(?P<space>[ \t\r]+|\\\r?\n|#[^\n]*)|(?P<line>\n)|(?P<text>f?'''.*?'''|f?'(?:\\.|[^'\\\n])*')"
    r"|(?P<number>0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<mark>\+=|[=!<>]=|[-+*/%()\[\]{},:.=<>?])",
    re.DOTALL,
)
_ESCAPES = regex(r"\\(?:([\\'])|(n)|(t)|.)")
_OPENS, _CLOSES = ("(", "[", "{"), (")", "]", "}")
_COMPARES = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Constant:
    value: str | int | bool


@dataclass(frozen=True, slots=True)
class Formatted:
    """`f'a@b@'`."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    name: str


@dataclass(frozen=True, slots=True)
class Array:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Dictionary:
    items: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """`of`: whose method it is."""

    of: Expression | None
    name: str
    given: tuple[Expression, ...]
    named: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Element:
    of: Expression
    at: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """Of one operand (`not`, `-`), two, or three (`?`)."""

    operator: str
    operands: tuple[Expression, ...]


Expression = Constant | Formatted | Name | Array | Dictionary | Call | Element | Operation


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    value: Expression
    adds: bool


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Each:
    names: tuple[str, ...]
    over: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """`break`, `continue`."""


Statement = Assignment | If | Each | Leave | Expression


def statements_of(text: str) -> tuple[Statement, ...]:
    """ValueError: it is none of Meson's."""
    parser = _Parser(_tokens(text))
    found = parser.block(())
    if parser.at < len(parser.tokens):
        raise ValueError(parser.peek())
    return found


def _tokens(text: str) -> list[tuple[str, str]]:
    """Kind and text. Within brackets an end of line is none."""
    found: list[tuple[str, str]] = []
    at = depth = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(text[at : at + 20])
        kind, at = match.lastgroup or "", match.end()
        depth += (match[0] in _OPENS) - (match[0] in _CLOSES) if kind == "mark" else 0
        if kind != "space" and not (kind == "line" and (depth or not found or found[-1][0] == "line")):
            found.append((kind, match[0]))
    return found


class _Parser:
    def __init__(self, tokens: Sequence[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.at = self.depth = 0

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at][1] if at < len(self.tokens) and self.tokens[at][0] != "text" else ""

    def take(self, *wanted: str) -> str:
        """The next token, if it is one of these."""
        found = self.peek()
        if found not in wanted:
            return ""
        self.at += 1
        return found

    def expect(self, wanted: str) -> None:
        if not self.take(wanted):
            raise ValueError(self.peek())

    # -- statements

    def block(self, ends: Sequence[str]) -> tuple[Statement, ...]:
        found: list[Statement] = []
        while self.at < len(self.tokens) and self.peek() not in ends:
            if not self.take("\n"):
                found.append(self.statement())
        return tuple(found)

    def statement(self) -> Statement:
        if self.take("if"):
            return self.choice()
        if self.take("foreach"):
            names = [self.name()]
            while self.take(","):
                names.append(self.name())
            self.expect(":")
            over, body = self.expression(), self.block(("endforeach",))
            self.expect("endforeach")
            return Each(tuple(names), over, body)
        if self.take("break", "continue"):
            return Leave()
        if self.tokens[self.at][0] == "name" and (sign := self.peek(1)) in ("=", "+="):
            name = self.name()
            self.expect(sign)
            return Assignment(name, self.expression(), sign == "+=")
        return self.expression()

    def choice(self) -> If:
        condition, body = self.expression(), self.block(("elif", "else", "endif"))
        if self.take("elif"):
            return If(condition, body, (self.choice(),))
        otherwise = self.block(("endif",)) if self.take("else") else ()
        self.expect("endif")
        return If(condition, body, otherwise)

    def name(self) -> str:
        if self.at >= len(self.tokens) or self.tokens[self.at][0] != "name":
            raise ValueError(self.peek())
        self.at += 1
        return self.tokens[self.at - 1][1]

    # -- expressions

    def expression(self) -> Expression:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("too deep")
        found = self.either()
        if self.take("?"):
            first = self.expression()
            self.expect(":")
            found = Operation("?", (found, first, self.expression()))
        self.depth -= 1
        return found

    def either(self) -> Expression:
        return self.binary(("or",), lambda: self.binary(("and",), self.compared))

    def compared(self) -> Expression:
        left = self.sum()
        operator = self.take(*_COMPARES)
        if not operator and self.peek() == "not" and self.peek(1) == "in":
            self.at += 2
            operator = "not in"
        return Operation(operator, (left, self.sum())) if operator else left

    def sum(self) -> Expression:
        return self.binary(("+", "-"), lambda: self.binary(("*", "/", "%"), self.unary))

    def binary(self, operators: Sequence[str], inner: Callable[[], Expression]) -> Expression:
        found = inner()
        while operator := self.take(*operators):
            found = Operation(operator, (found, inner()))
        return found

    def unary(self) -> Expression:
        operators = []
        while operator := self.take("not", "-"):
            operators.append(operator)
        found = self.postfix()
        for operator in reversed(operators):
            found = Operation(operator, (found,))
        return found

    def postfix(self) -> Expression:
        found = self.primary()
        while mark := self.take(".", "["):
            if mark == ".":
                name = self.name()
                self.expect("(")
                found = self.call(found, name)
            else:
                found = Element(found, self.expression())
                self.expect("]")
        return found

    def primary(self) -> Expression:
        if self.at >= len(self.tokens):
            raise ValueError("end")
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "text":
            return _text(text)
        if kind == "number":
            return Constant(int(text, 0))
        if text in ("true", "false"):
            return Constant(text == "true")
        if kind == "name":
            return self.call(None, text) if self.take("(") else Name(text)
        if text == "(":
            found = self.expression()
            self.expect(")")
            return found
        if text == "[":
            return Array(tuple(self.listed("]")))
        if text == "{":
            return Dictionary(tuple(self.pairs()))
        raise ValueError(text)

    def listed(self, end: str) -> list[Expression]:
        found: list[Expression] = []
        while not self.take(end):
            found.append(self.expression())
            if not self.take(","):
                self.expect(end)
                break
        return found

    def pairs(self) -> list[tuple[Expression, Expression]]:
        found: list[tuple[Expression, Expression]] = []
        while not self.take("}"):
            key = self.expression()
            self.expect(":")
            found.append((key, self.expression()))
            if not self.take(","):
                self.expect("}")
                break
        return found

    def call(self, of: Expression | None, name: str) -> Call:
        given: list[Expression] = []
        named: list[tuple[str, Expression]] = []
        while not self.take(")"):
            if self.tokens[self.at : self.at + 1] and self.tokens[self.at][0] == "name" and self.peek(1) == ":":
                key = self.name()
                self.expect(":")
                named.append((key, self.expression()))
            else:
                given.append(self.expression())
            if not self.take(","):
                self.expect(")")
                break
        return Call(of, name, tuple(given), tuple(named))


def _text(token: str) -> Constant | Formatted:
    is_formatted = token.startswith("f")
    token = token.removeprefix("f")
    long = token.startswith("'''") and len(token) >= 6
    text = token[3:-3] if long else _ESCAPES.sub(_escaped, token[1:-1])
    return Formatted(text) if is_formatted else Constant(text)


def _escaped(match: re.Match[str]) -> str:
    return match[1] or ("\n" if match[2] else "\t" if match[3] else match[0])
