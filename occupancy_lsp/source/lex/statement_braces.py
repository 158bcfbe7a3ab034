"""Which braces hold statements, rather than members, enumerators or values."""

from __future__ import annotations

import string

from occupancy_lsp.core.regex import regex

_BRACKET = regex(rb"[()]")
_BRACE = regex(rb"[{}]")
_DIGITS = string.digits.encode()
IN_WORD = b"_" + string.ascii_letters.encode() + _DIGITS
_BEFORE_BLOCK = (b"else", b"do", b"try", b"const", b"noexcept", b"override", b"final", b"mutable", b"volatile")
_NO_NAMES = (b"class", b"enum", b"struct", b"union", b"namespace", b"return", b"extern")
_TRAILING_TYPE = regex(rb"->[\s\w:<>,&*]*\Z")
_OPERATORS = (b"=", b"(", b",", b"", b"?", b"+", b"*")
_NEAR, _FAR = 64, 4096


def last_word(text: bytes) -> bytes:
    """What a text ends with; a search for it would begin at every word before."""
    return text[len(text.rstrip(IN_WORD)) :].lstrip(_DIGITS)


def opening_parenthesis(code: bytes, at: int) -> int:
    """Return the offset of the parenthesis that the one at `at` closes; -1: it is not near."""
    nesting, far = 0, max(at - _FAR, 0)
    line = max(code.rfind(b"\n", far, at) + 1, far)
    innermost = code.rfind(b"(", line, at)
    if innermost >= 0 and code.find(b")", innermost, at) < 0:
        return innermost
    near = code.count(b"(", line, at + 1) == code.count(b")", line, at + 1)
    for match in reversed([*_BRACKET.finditer(code, line if near else far, at + 1)]):
        nesting += 1 if match[0] == b")" else -1
        if not nesting:
            return match.start()
    return -1


def classify_braces(code: bytes) -> tuple[list[int], list[bool]]:
    """Return where braces stand, and whether statements stand behind each."""
    offsets: list[int] = []
    kinds: list[bool] = []
    around = [code.lstrip()[:1] == b"{"]  # statements alone
    for match in _BRACE.finditer(code):
        if match[0] == b"{":
            around.append(_opens_statement_block(code, match.start(), around[-1]))
        elif len(around) > 1:
            around.pop()
        offsets.append(match.start())
        kinds.append(around[-1])
    return offsets, kinds


def _opens_statement_block(code: bytes, at: int, within_block: bool) -> bool:
    before = code[max(at - _NEAR, 0) : at].rstrip() or code[:at].rstrip()
    last = before[-1:]
    if last in (b";", b"{", b":"):
        return within_block
    if last in (b"}", b""):  # behind the members that a constructor makes; all that there is
        return True
    if last == b")":
        opening = opening_parenthesis(code, code.rfind(b")", 0, at))
        return opening < 0 or code[max(opening - _NEAR, 0) : opening].rstrip()[-1:] not in _OPERATORS
    word = last_word(before)
    if word in _BEFORE_BLOCK:
        return True
    if last == b"]":
        return _opens_lambda(before)
    return _TRAILING_TYPE.search(before) is not None or (within_block and _is_lone_name_before_brace(before))


def _opens_lambda(before: bytes) -> bool:
    opening = before.rfind(b"[")
    last = before[:opening].rstrip()[-1:]
    return opening >= 0 and not last.isalnum() and last not in (b"]", b")", b"_")


def _is_lone_name_before_brace(before: bytes) -> bool:
    """Return whether nothing but a name stands between the last statement and a brace: a macro, `UNLESS_DONE {`."""
    name = last_word(before)
    return bool(name) and name not in _NO_NAMES and before.removesuffix(name).rstrip()[-1:] in (b";", b"{", b"}")
