"""The tokens of hosts' code: where statements and brackets end, and what is written of types.

Knows no grammar: code that no compiler takes is read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from occupancy_lsp.core.regex import regex

_TOKEN = regex(
    r"""(?P<text>(?:\bu8|\b[uUL])?R"(?P<end>[^()\s\\]{0,16})\(.*?\)(?P=end)"
    | "(?:[^"\\\n]|\\.)*"
    | '(?:[^'\\\n]|\\.)*')
    |(?P<word>[A-Za-z_]\w*) | \d[\w.']* | :: | -> | <<< | [=!<]= | && | \|\| | \+\+ | -- | \S""",
    re.VERBOSE | re.DOTALL,
)
_OPENS, _CLOSES = ("(", "[", "{"), (")", "]", "}")
_AFTER_BRACES = (";", ",", ")", "(", ".", "=")  # with which a statement goes on
# Of a template parameter, its name; of a function's, its type and its name.
_PARAMETER = regex(r"(?:^|[^\w])([A-Za-z_]\w*)\s*(?:=.*)?$", re.DOTALL)
_DECLARED = regex(
    r"(?P<type>(?:const\s+|typename\s+|unsigned\s+|signed\s+|::\s*)*[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*"
    r"(?:\s*<[^;(){}=]*>)?(?:\s*const\b)?(?:\s*\*(?:\s*const\b)?)*)\s*&{0,2}\s*(?:__restrict__\s+|__restrict\s+)?"
    r"(?<![\w])(?P<name>[A-Za-z_]\w*)\s*(?:=\s*(?P<value>.*))?$",
    re.DOTALL,
)
_CAST = regex(r"(?:reinterpret_cast|static_cast|const_cast)\s*<(?P<type>[^()]*)>\s*\(.*\)$", re.DOTALL)
_C_CAST = regex(r"\(\s*(?P<type>[A-Za-z_][\w\s:<>,]*\*)\s*\)\s*[\w(&].*$", re.DOTALL)
_POINTER = regex(
    r".*?(?:\.|->)\s*(?:template\s+)?(?:mutable_|const_)?data(?:_ptr)?\s*<(?P<type>[^()]*)>\s*\(\s*\)$", re.DOTALL
)
_NOT_TYPES = ("return", "delete", "throw", "goto", "else", "new", "auto", "case", "typename")
_NONE: Mapping[str, str] = {}


def tokens_of(text: str) -> Iterator[str]:
    return (it[0] for it in _TOKEN.finditer(text))


def nested(tokens: Iterable[str], at: int = 0, angles: str = "") -> Iterator[tuple[int, str, int]]:
    """Yield where each token from `at` on stands, the token, and how many brackets are open behind it. `angles`: "<>",
    where these are brackets, too."""
    opens, closes, depth = (*_OPENS, *angles[:1]), (*_CLOSES, *angles[1:]), 0
    for i, token in enumerate(islice(tokens, at, None), at):
        depth += (token in opens) - (token in closes)
        yield i, token, depth


def statement_end(tokens: Sequence[str], at: int) -> int:
    """Where its `;` stands, or the brace that ends it."""
    for i, token, depth in nested(tokens, at):
        if depth < 0 or (not depth and token == ";"):
            return i
        if not depth and token == "}" and i + 1 < len(tokens) and tokens[i + 1] not in _AFTER_BRACES:
            return i
    return len(tokens)


def angle_end(tokens: Sequence[str], at: int) -> int | None:
    """Where the angle bracket closes that stands at `at`; None: it is none."""
    angles = 0
    for i, token, depth in nested(tokens, at):
        if depth < 0 or (not depth and token in (";", "<<<")):
            return None
        if not depth:
            angles += (token == "<") - (token == ">")
            if token == ">" and not angles:
                return i
    return None


def bracket_end(tokens: Sequence[str], at: int) -> int:
    return next((i for i, _, depth in nested(tokens, at) if not depth), len(tokens))


def qualifier_of(tokens: Sequence[str], at: int) -> str:
    """What stands before a name: `a::b::`."""
    start = at
    while start >= 2 and tokens[start - 1] == "::" and re.fullmatch(r"[A-Za-z_]\w*", tokens[start - 2]):
        start -= 2
    if start >= 1 and tokens[start - 1] == "::":
        start -= 1
    return "".join(tokens[start:at])


def parted(text: str) -> list[str]:
    """At the commas outside of all brackets."""
    found: list[list[str]] = [[]]
    for _, token, depth in nested(tokens_of(text), angles="<>"):
        if token == "," and not depth:
            found.append([])
        else:
            found[-1].append(token)
    return [" ".join(it) for it in found if it or len(found) > 1]


def parameter_name(parameter: str) -> str:
    match = _PARAMETER.search(parameter)
    return match[1] + ("..." if match and ". . ." in parameter else "") if match else ""


def declared_in(text: str, known: Mapping[str, str] = _NONE) -> Iterator[tuple[str, str]]:
    """Variables that are declared, each with its type as written."""
    for said in parted(text):
        match = _DECLARED.match(said)
        if match is None:
            continue
        type_ = " ".join(match["type"].split())
        if "auto" in type_.split():
            type_ = type_of(match["value"] or "", known)
        if type_ and type_.split()[0] not in _NOT_TYPES:
            yield match["name"], type_


def type_of(argument: str, types: Mapping[str, str]) -> str:
    """As far as it is written; "": it is not."""
    argument = argument.strip()
    if argument in types:
        return types[argument]
    if match := _CAST.match(argument) or _C_CAST.match(argument):
        return match["type"].strip()
    if match := _POINTER.match(argument):
        return f"{match['type'].strip()}*"
    return ""
