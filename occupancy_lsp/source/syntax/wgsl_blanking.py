"""WGSL as the grammar of C++ reads it, each byte where it was: `i: u32` becomes `u32 i `, and attributes go.

What does not fit is left as it is, which the grammar cannot read then.
"""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.brackets import past_parenthesis

# A name, and within angle brackets what it is made of, to a depth that people write.
_DEPTH = 6
_ARGUMENTS = rb"<[^<>;{}]*>"
for _ in range(_DEPTH):
    _ARGUMENTS = rb"<(?:[^<>;{}]|%b)*>" % _ARGUMENTS
_TYPE = rb"[A-Za-z_]\w*\s*(?:%b|(?![\w\s<]))" % _ARGUMENTS
_NAMED = rb"(?P<name>[A-Za-z_]\w*)\s*:\s*(?P<type>%b)" % _TYPE
# Members that say themselves how they are laid out stay as they are: nothing here follows them.
_LAID_OUT = regex(rb"@\s*(?:size|align)\b")
_ATTRIBUTE = regex(rb"@(?!size\b|align\b)(?:[A-Za-z_]\w*\s*(?:\((?:[^(){};]|\([^(){};]*\))*\))?|(?=\s))")
WORK_GROUP_VARIABLE = regex(rb"\bvar\s*<\s*workgroup\s*>")
# Buffers and overrides stay as they are: they are no variables of the shader's own.
_DECLARATION = regex(rb"\b(?:var\s*<\s*(?:workgroup|private|function)\s*>\s*|(?:var|let|const)\s+)%b" % _NAMED)
_UNTYPED_CONSTANT = regex(rb"\bconst(?=\s+[A-Za-z_]\w*\s*=)")
_ALIAS = regex(rb"\balias(?=\s+[A-Za-z_]\w*\s*=)")
_HEAD = regex(rb"\bfn\s+[A-Za-z_]\w*\s*(?=\()")
_RESULT = regex(rb"\s*->[^;{}]*(?=\{)")
_PARAMETER = regex(rb"\b%b" % _NAMED)
_STRUCTURE = regex(rb"\bstruct\s+[A-Za-z_]\w*\s*\{(?P<members>[^{}]*)\}(?P<behind>\s?)")
_MEMBER = regex(rb"\b%b\s*(?:,|\Z)" % _NAMED)
_CONDITION = regex(rb"\b(?:if|while|switch)\b(?P<inside>[^;{}]*)\{")
_LOOP = regex(rb"\b(?:loop|continuing)(?=\s*\{)")
_DIRECTIVE = regex(rb"(?:\A|(?<=[;}\s]))(?:enable|requires|diagnostic|const_assert)\b[^;{}]*;")
_CONVERSION = regex(rb"\b[iu]32(?=\s*\()")  # of integers, whose types have no say in what follows
_ARRAY = regex(rb"array\s*<(?P<inside>.*)>\Z", re.DOTALL)
_SIGNED = regex(rb"\b(?P<digits>0[xX][\da-fA-F]+|\d+)i\b")


def without_attributes(code: bytes) -> bytes:
    """Without what the grammar cannot read, and all else may."""
    return _UNTYPED_CONSTANT.sub(b"auto ", _ATTRIBUTE.sub(_blank_match, code))


def as_cpp(code: bytes) -> bytes:
    """`code` has no comments."""
    for pattern in (_LOOP, _DIRECTIVE, _CONVERSION):
        code = pattern.sub(_blank_match, code)
    code = _STRUCTURE.sub(_as_cpp_structure, _SIGNED.sub(rb"\g<digits> ", code))
    code = _DECLARATION.sub(_as_cpp_declaration, code)
    return _CONDITION.sub(_with_parenthesised_condition, _with_cpp_function_heads(_ALIAS.sub(b"using", code)))


def _blank_match(match: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", match[0])


def _as_cpp_declaration(match: re.Match[bytes]) -> bytes:
    constant = b"const " if match[0].startswith(b"const") else b""
    return _padded_if_fitting(constant + _cpp_type_and_declarator(match["type"], match["name"]), match[0])


def _cpp_type_and_declarator(written: bytes, name: bytes) -> bytes:
    """`f32 name[8][4]` of `array<array<f32, 4>, 8>`."""
    extents = b""
    for _ in range(_DEPTH):
        array = _ARRAY.match(written.strip())
        if array is None:
            break
        element, count = _split_last_argument(array["inside"])
        extents += b"[" + count.strip() + b"]"
        written = element
    return b" ".join(written.split()) + b" " + name + extents


def _split_last_argument(inside: bytes) -> tuple[bytes, bytes]:
    """What stands before the last comma outside of brackets, and behind it; a trailing one aside."""
    inside = inside.strip().removesuffix(b",")
    depth = 0
    for at in range(len(inside) - 1, -1, -1):
        mark = inside[at : at + 1]
        depth += (mark in b">)") - (mark in b"<(")
        if mark == b"," and not depth:
            return inside[:at], inside[at + 1 :]
    return inside, b""


def _padded_if_fitting(made: bytes, written: bytes) -> bytes:
    """`made` with the lines of what was written; that itself, where it does not fit."""
    lines = written.count(b"\n")
    return made.ljust(len(written) - lines) + b"\n" * lines if len(made) + lines <= len(written) else written


def _as_cpp_structure(match: re.Match[bytes]) -> bytes:
    """With the semicolon that C++ wants behind it, in place of a space."""
    members = match["members"]
    if not _LAID_OUT.search(members):
        members = _MEMBER.sub(
            lambda it: _padded_if_fitting(_cpp_type_and_declarator(it["type"], it["name"]) + b";", it[0]), members
        )
    start = match.start("members") - match.start()
    return match[0][:start] + members + b"}" + (b";" if match["behind"] else b"")


def _with_cpp_function_heads(code: bytes) -> bytes:
    """With the parameters of functions as C++ has them, and without what functions return."""
    found, done = bytearray(), 0
    for head in _HEAD.finditer(code):
        end = past_parenthesis(code, head.end() + 1, len(code))
        if head.start() < done or not end:
            continue
        result = _RESULT.match(code, end)
        found += code[done : head.end()]
        found += _PARAMETER.sub(
            lambda it: _padded_if_fitting(_cpp_type_and_declarator(it["type"], it["name"]), it[0]),
            code[head.end() : end],
        )
        found += _blank_match(result) if result is not None else b""
        done = result.end() if result is not None else end
    return bytes(found) + code[done:]


def _with_parenthesised_condition(match: re.Match[bytes]) -> bytes:
    """`if (x > 1) {` for `if x > 1 {`."""
    inside = match["inside"]
    condition = inside.strip()
    whole = condition.startswith(b"(") and past_parenthesis(condition, 1, len(condition)) == len(condition)
    if whole or not (inside[:1].isspace() and inside[-1:].isspace()):
        return match[0]
    start = match.start("inside") - match.start()
    return match[0][:start] + b"(" + inside[1:-1] + b"){"
