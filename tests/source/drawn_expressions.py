"""Draws integer expressions over literals and names, of all types, operators and casts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

TYPES = (
    "bool", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
    "long long", "unsigned long long", "size_t", "int8_t", "uint8_t", "uint16_t", "uint32_t", "int64_t",
)  # fmt: skip
PLAIN = (
    "0", "1", "2", "3", "5", "31", "64", "100", "127", "128", "255", "256", "1'024", "017", "0b101", "32768", "65536",
    "70000", "0x7fffffff", "0x80000000", "0xFFFFFFFF", "2147483648", "4294967295", "0x7FFFFFFFFFFFFFFF",
    "0xFFFFFFFFFFFFFFFF", "0u", "1u", "32u", "3000000000u", "1l", "64ul", "2ll", "3ull", "'a'", r"'\n'", "true",
)  # fmt: skip
_OF_COMPILERS = ("sizeof(int)", "sizeof(double)", "alignof(short)", "64z", "64uz")
_OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "&",
    "|",
    "^",
    "&&",
    "||",
    "+",
    "-",
)
ASSIGNING = ("+=", "-=", "*=", "&=", "|=", "^=", "/=", "%=", ">>=", "<<=")


@dataclass(frozen=True)
class Drawing:
    """`preprocessed`: for `#if`, without casts and types."""

    random: Random
    names: Sequence[str] = ()
    preprocessed: bool = False

    def expression(self, depth: int) -> str:
        draw, inner = self.random, depth - 1
        if depth <= 0 or draw.random() < 0.15:
            return self._operand()
        kind = draw.random()
        if kind < 0.58:
            operator, right = draw.choice(_OPERATORS), self.expression(inner)
            if operator in ("<<", ">>") and draw.random() < 0.8:
                right = f"{draw.randint(0, 33)}{draw.choice(('', 'u', 'ul'))}"
            return f"({self.expression(inner)} {operator} {right})"
        if kind < 0.75:
            return f"({draw.choice('~-+!')}{self.expression(inner)})"
        if kind < 0.88 or self.preprocessed:
            return f"({self.expression(inner)} ? {self.expression(inner)} : {self.expression(inner)})"
        return self._cast(draw.choice(TYPES), inner)

    def _operand(self) -> str:
        if self.names and self.random.random() < 0.6:
            return self.random.choice(self.names)
        return self.random.choice(PLAIN if self.preprocessed else (*PLAIN, *_OF_COMPILERS))

    def _cast(self, kind: str, depth: int) -> str:
        operand = self.expression(depth)
        forms = [f"(({kind})({operand}))", f"static_cast<{kind}>({operand})"]
        forms.append(f"std::{self.random.choice(('min', 'max'))}<{kind}>({operand}, {self.expression(depth)})")
        return self.random.choice(forms)
