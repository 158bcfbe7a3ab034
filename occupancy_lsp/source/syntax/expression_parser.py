"""Expressions read from text. `parse` never fails: what it cannot read becomes `UnreadableExpression` with the
reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.syntax.expression_nodes import (
    ELEMENTS,
    GLOBAL,
    NOWHERE,
    Binary,
    Call,
    Conditional,
    Expression,
    Member,
    Name,
    Number,
    SizeOf,
    Unary,
    UnknownObjectPart,
    UnparsedText,
    UnreadableExpression,
    array_element_name,
)

_MAX_BYTES = 4096
_MAX_DEPTH = 64
_NO_LITERAL = 1 << 64  # which no compiler accepts
_TOKEN = regex(
    rb"(?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.[0-9A-Fa-f]*)')"
    rb"|(?P<number>0[xX][0-9A-Fa-f']+\w*|0[bB][01']+\w*|(?:\d[\d']*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\w*)"
    rb"|(?P<name>[A-Za-z_]\w*)"
    rb"|(?P<string>\"(?:[^\"\\\n]|\\.)*\")"
    rb"|(?P<operator>\+\+|--|->|<<|>>|<=|>=|==|!=|&&|\|\||::|[-+*/%<>!~&|^?:(),{}.=\[\]])"
)
_INTEGER = regex(r"(0[xX][0-9A-Fa-f]+|0[bB][01]+|\d+)([uUlLzZ]*)\Z")
PRECEDENCE = {
    **dict.fromkeys(("*", "/", "%"), 10),
    **dict.fromkeys(("+", "-"), 9),
    **dict.fromkeys(("<<", ">>"), 8),
    **dict.fromkeys(("<", ">", "<=", ">="), 7),
    **dict.fromkeys(("==", "!="), 6),
    "&": 5,
    "^": 4,
    "|": 3,
    "&&": 2,
    "||": 1,
}
# What a cast to an integer may be written with; to types of other names it reads as a call.
_OF_INTEGERS = frozenset(("bool", "char", "short", "int", "long", "unsigned", "signed", "uint"))
_OF_INTEGERS |= {f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
_OF_INTEGERS |= {"size_t", "ssize_t", "ptrdiff_t"}
_REAL = frozenset(("float", "double"))
_CASTS = frozenset(("static_cast", "reinterpret_cast", "const_cast"))
_MOST_GIVEN = 200  # tokens of template arguments
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}
NO_INTEGER = "not an integer"  # a floating-point number
NOT_CONSTANT = "not an integer constant expression"


class _Unreadable(Exception):
    """Inside the parser only: becomes `UnreadableExpression`."""


class _Token(NamedTuple):  # quicker to make than a dataclass: every key makes many
    kind: str
    text: str
    start: int
    end: int


_END = _Token("end", "", 0, 0)


def _tokenize(text: bytes, base: int) -> list[_Token]:
    found: list[_Token] = []
    start = 0
    while start < len(text):
        if text[start : start + 1].isspace():
            start += 1
            continue
        match = _TOKEN.match(text, start)
        if not match or match.lastgroup is None:
            raise _Unreadable(NOT_CONSTANT)
        found.append(_Token(match.lastgroup, match[0].decode("ascii", "replace"), base + start, base + match.end()))
        start = match.end()
    return found


def _parse_number(token: _Token) -> Expression:
    digits = _INTEGER.match(token.text.replace("'", ""))
    if not digits:
        return UnreadableExpression(NO_INTEGER, real=_real_number(token.text))
    octal = digits[1][0] == "0" and digits[1].isdigit() and len(digits[1]) > 1
    try:
        value = int(digits[1], 8 if octal else 0)
    except ValueError:
        return UnreadableExpression(NO_INTEGER)
    if value >= _NO_LITERAL:
        return UnreadableExpression("too large an integer")
    return Number(value, token.start, token.end, digits[2].lower(), digits[1][0] != "0")


def _real_number(text: str) -> float | None:
    try:
        return float(text.replace("'", "").rstrip("fFlLhH"))
    except ValueError:
        return None


def _parse_character(token: _Token) -> Expression:
    """One of ASCII: of all others the encoding decides, or the sign of `char`."""
    said = token.text[token.text.index("'") + 1 : -1]
    digits = said[2:] if said[:2] == "\\x" else said[1:] if said[:1] == "\\" else ""
    try:
        code = ord(said) if len(said) == 1 else _ESCAPES.get(digits)
        code = int(digits, 16 if said[1] == "x" else 8) if code is None else code
    except ValueError:
        return UnreadableExpression(NOT_CONSTANT)
    return (
        Number(code, 0, 0, "char" if token.text[0] == "'" else "") if code < 128 else UnreadableExpression(NOT_CONSTANT)
    )


class _Parser:
    def __init__(self, text: bytes, base: int) -> None:
        self.text = text
        self.base = base
        self.tokens = _tokenize(text, base)
        self.at = 0
        self.depth = 0

    def peek(self, ahead: int = 0) -> _Token:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else _END

    def take(self, text: str | None = None) -> _Token:
        token = self.peek()
        if token is _END or (text is not None and token.text != text):
            raise _Unreadable(NOT_CONSTANT)
        self.at += 1
        return token

    def with_depth_limit(self, read: Callable[[], Expression]) -> Expression:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _Unreadable("nested too deeply")
        found = read()
        self.depth -= 1
        return found

    def expression(self) -> Expression:
        return self.with_depth_limit(self.conditional)

    def conditional(self) -> Expression:
        condition = self.binary(1)
        if self.peek().text == "?":
            self.take()
            then = self.expression()
            self.take(":")
            condition = Conditional(condition, then, self.expression())
        return condition

    def binary(self, lowest: int) -> Expression:
        left = self.unary()
        while (rank := PRECEDENCE.get(self.peek().text, 0)) >= lowest:
            operator = self.take().text
            left = Binary(operator, left, self.binary(rank + 1))
        return left

    def unary(self) -> Expression:
        signs: list[str] = []
        while self.peek().text in ("+", "-", "!", "~"):
            signs.append(self.take().text)
        pointed = self.peek().text in ("*", "&")
        operand = UnknownObjectPart((self.pointer_operand(),)) if pointed else self.postfix(self.primary())
        for sign in reversed(signs):
            operand = Unary(sign, operand)
        return operand

    def pointer_operand(self) -> Expression:
        """What `*` or `&` stands before."""
        self.take()
        return self.with_depth_limit(self.unary)

    def postfix(self, operand: Expression) -> Expression:
        """What follows an operand: `.x`, `->n`, `[i]`, `.size(0)`."""
        while (token := self.peek().text) in (".", "->", "[", "("):
            if token in ("[", "("):
                given = self.call(Name((token,))).arguments
                indexed = _element_of(operand, given) if token == "[" else None
                operand = indexed or UnknownObjectPart((operand, *given))
                continue
            self.take()
            if self.peek().kind != "name":
                raise _Unreadable(NOT_CONSTANT)
            field = self.take().text
            if self.peek().text == "<":
                self.template_arguments()
            member = Member(operand, field)
            operand = member if token == "." and self.peek().text != "(" else UnknownObjectPart((member,))
        return operand

    def primary(self) -> Expression:
        token = self.peek()
        if token.kind == "string":
            self.take()
            return UnknownObjectPart(())
        if token.kind == "number":
            return _parse_number(self.take())
        if token.kind == "character":
            return _parse_character(self.take())
        if token.text in ("true", "false"):
            self.take()
            return Number(int(token.text == "true"), token.start, token.end, "bool")
        if token.text in ("sizeof", "alignof", "__alignof__", "_Alignof"):
            return self.size_of()
        if token.text in _CASTS:
            return self.named_cast()
        if token.kind == "name" or token.text == "::":
            return self.name_or_call()
        if token.text == "{":
            return self.call(Name(("{}",)))
        self.take("(")
        return self.cast_or_group()

    def cast_or_group(self) -> Expression:
        if self.peek().text in _REAL and self.peek(1).text == ")":
            self.at += 2
            return Unary("real", self.with_depth_limit(self.unary))
        ahead = 0
        while self.peek(ahead).text in _OF_INTEGERS or self.peek(ahead).text in ("const", "std", "::"):
            ahead += 1
        if ahead and self.peek(ahead).text == ")":
            kind = self.text_between(self.peek().start, self.peek(ahead).start)
            self.at += ahead + 1
            return Unary("cast", self.with_depth_limit(self.unary), kind)
        inner = self.expression()
        self.take(")")
        if isinstance(inner, Name) and self.peek().text == "(":
            return self.call(Name(inner.parts, inner.arguments, True))
        if isinstance(inner, Name) and self.peek().kind in ("name", "number"):  # `(T)x` as `T(x)`
            begin = self.peek().start
            operand = self.with_depth_limit(lambda: self.postfix(self.primary()))
            return Call(inner, (operand,), (self.text_between(begin, self.tokens[self.at - 1].end),))
        return inner

    def size_of(self) -> Expression:
        operator = "sizeof" if self.take().text == "sizeof" else "alignof"
        begin = self.take("(").end
        nesting = 1
        while nesting:
            token = self.take()
            nesting += {"(": 1, ")": -1}.get(token.text, 0)
        return SizeOf(operator, self.text_between(begin, token.start))

    def named_cast(self) -> Expression:
        self.take()
        self.take("<")
        real = self.peek().text in _REAL and bool(self.take())
        begin = self.peek().start
        while self.peek().text in _OF_INTEGERS or self.peek().text in ("const", "std", "::"):
            self.take()
        if self.peek().text != ">":
            return self.named_cast_to_class(begin)
        kind = self.text_between(begin, self.take(">").start)
        self.take("(")
        inner = self.expression()
        self.take(")")
        return Unary("real", inner) if real else Unary("cast", inner, kind)

    def named_cast_to_class(self, begin: int) -> Expression:
        """`static_cast<T>(x)` as `T(x)`, and of a pointer as nothing that is followed."""
        nesting = 1
        while True:
            token = self.take()
            nesting += {"<": 1, ">": -1, ">>": -2}.get(token.text, 0)
            if nesting <= 0:
                break
        named = parse_detached(self.text_between(begin, token.end - 1))
        if nesting < 0 or not isinstance(named, Name) or self.peek().text != "(":
            self.take("(")
            inner = self.expression()
            self.take(")")
            return UnknownObjectPart((inner,))
        return self.call(named)

    def name_or_call(self) -> Expression:
        parts: list[str] = []
        given: list[tuple[str, ...] | None] = []
        if self.peek().text == "::":
            self.take()
            parts.append(GLOBAL)
            given.append(None)
        while True:
            if self.peek().text == "template":
                self.take()
            if self.peek().kind != "name":
                raise _Unreadable(NOT_CONSTANT)
            parts.append(self.take().text)
            if parts == ["decltype"]:
                parts = [self.decltype_name()]
            elif parts == [GLOBAL, "dim3"]:
                parts, given = ["dim3"], []
            given.append(self.template_arguments() if self.peek().text == "<" else None)
            if self.peek().text != "::":
                break
            self.take()
        name = Name(tuple(parts), tuple(given) if any(it is not None for it in given) else ())
        return self.call(name) if self.peek().text in ("(", "{") else name

    def decltype_name(self) -> str:
        """Of `decltype(variable)`, its word taken."""
        self.take("(")
        name = self.take().text
        self.take(")")
        return f"decltype({name})"

    def template_arguments(self) -> tuple[str, ...] | None:
        """Past `<…>` if what follows shows that it was one: `::`, a call, or the end."""
        nesting, ahead, inner = 0, 0, 0
        while (token := self.peek(ahead)) is not _END and ahead < _MOST_GIVEN and inner >= 0:
            ahead += 1
            inner += {"(": 1, ")": -1}.get(token.text, 0)
            nesting += {"<": 1, ">": -1, ">>": -2}.get(token.text, 0) if not inner else 0
            if nesting <= 0:
                break
        if nesting or self.peek(ahead).text not in ("::", "(", "{", "", ")", ","):
            return None
        begin, end = self.peek().end, self.peek(ahead - 1)
        self.at += ahead
        return split_template_arguments(self.text_between(begin, end.end - 1))

    def text_between(self, start: int, end: int) -> str:
        return self.text[start - self.base : end - self.base].decode("utf-8", "replace").strip()

    def call(self, name: Name) -> Call:
        closing = {"(": ")", "[": "]"}.get(self.take().text, "}")
        found: list[Expression] = []
        texts: list[str] = []
        while self.peek().text != closing:
            begin = self.peek().start
            found.append(self.designated_initializer() if self.peek().text == "." else self.argument(closing))
            texts.append(self.text_between(begin, self.peek().start))
            if self.peek().text != closing:
                self.take(",")
                if self.peek().text == closing == ")":  # a macro's last argument may be nothing
                    found.append(UnknownObjectPart(()))
                    texts.append("")
        self.take(closing)
        return Call(name, tuple(found), tuple(texts))

    def argument(self, closing: str) -> Expression:
        """One that cannot be read leaves the others as they are, unless a comma in it may not be seen as its own."""
        begin, depth = self.at, self.depth
        try:
            read = self.expression()
            if self.peek().text in (",", closing):
                return read
        except _Unreadable:
            pass
        self.at, self.depth = begin, depth
        nesting = 0
        while nesting or self.peek().text not in (",", closing):
            token = self.take()
            nesting += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.text, 0)
            if token.text == "<" or nesting < 0:
                raise _Unreadable(NOT_CONSTANT)
        return UnknownObjectPart(())

    def designated_initializer(self) -> Expression:
        """`.member = value` or `.member{value}`, which is left to those who know the members."""
        self.take(".")
        self.take()
        if self.peek().text == "=":
            self.take()
        self.expression()
        return UnreadableExpression("the value of a member")


def _element_of(array: Expression, given: tuple[Expression, ...]) -> Name | Member | None:
    """`sizes[1]`, `config.sizes[1]`; None: the index is no number, or the array neither a plain name nor a member."""
    match array, given:
        case Name(parts=(label,)), (Number(index),) if index < ELEMENTS:
            return Name((array_element_name(label, index),))
        case Member(whole, field), (Number(index),) if index < ELEMENTS:
            return Member(whole, array_element_name(field, index))
    return None


def parse(text: bytes, start: int = 0, end: int | None = None, base: int = 0) -> Expression:
    """The expression in text[start:end]; the spans of its numbers count from `base` before the start of `text`."""
    end = len(text) if end is None else end
    return (
        _parse(text[start:end], base + start)
        if end - start <= _MAX_BYTES
        else UnreadableExpression("an expression that is too long")
    )


@remembered(8192)  # what stands above the place where somebody types is asked for at each key
def _parse(text: bytes, base: int) -> Expression:
    try:
        parser = _Parser(text, base)
        result = parser.expression()
        return result if parser.peek() is _END else UnreadableExpression(NOT_CONSTANT)
    except _Unreadable as why:
        return UnreadableExpression(str(why))


def parse_detached(text: str) -> Expression:
    """An expression that stands nowhere in a file, as a template argument or what a macro makes."""
    return parse(text.encode(), base=NOWHERE)


def converted_text(kind: str, value: str) -> str:
    """The text of a value as what is declared with a type holds it; `auto`: as it is."""
    return f"({value})" if "auto" in kind else f"static_cast<{kind}>({value})"


def parse_dimensions(text: bytes, start: int, end: int) -> Expression:
    """`parse`, but `(x, y, z)` in parentheses reads as the call `dim3(x, y, z)`."""
    if text[start : start + 1] != b"(":
        return parse(text, start, end)
    read = parse(b"_" + text[start:end], base=start - 1)
    return Call(Name(("dim3",)), read.arguments) if isinstance(read, Call) else read


def parse_if_unparsed(said: Expression) -> Expression:
    """What a text says that nobody has parsed so far."""
    return parse(said.text, base=said.base) if isinstance(said, UnparsedText) else said
