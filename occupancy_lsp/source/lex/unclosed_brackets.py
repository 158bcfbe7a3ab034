"""What is being typed: a parenthesis or brace that is not closed yet, or a brace too many, would make the grammar lose
the function around it."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex

# A type and a name, before the parenthesis or bracket of a declaration.
_DECLARES = regex(rb"[\w>*&](?<!\breturn)(?<!\belse)\s+[*&\s]*\w+\s*\Z")
_BRACKET = regex(rb"'[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'|(?P<bracket>[(){}\[\]])")
_ENDS = (b";", b"{", b"}", b"\n")
_BRACE = regex(rb"'[{}]'|[{}]")


def without_unclosed_lines(code: bytes) -> bytes:
    """`code`, as long as before, without the lines in braces whose parenthesis or bracket is not closed there.

    As it is where such a line may declare something: what that is must stay open. `code` has no comments, and nothing
    in its strings.
    """
    if code.count(b"(") == code.count(b")") and code.count(b"[") == code.count(b"]"):
        return code
    pieces: list[bytes] = []
    done = 0
    for at in sorted(_unclosed_brackets(code)):
        if at < done:
            continue
        start = max(code.rfind(end, done, at) for end in _ENDS) + 1 or done
        if _DECLARES.search(code[start:at]):
            return code
        stop = code.find(b"\n", at)
        stop = len(code) if stop < 0 else stop
        pieces += [code[done:start], b" " * (stop - start)]
        done = stop
    return b"".join((*pieces, code[done:]))


def with_balanced_functions(code: bytes) -> bytes:
    """`code`, as long as before, in which no function ends before its last brace or goes on behind it.

    Braces that close a function too early are left out; those that nothing closes are closed at the end, if there is
    room for that. `code` has no comments, nothing in its strings, and no conditions of the preprocessor.
    """
    depth = code.count(b"{") - code.count(b"'{'") - code.count(b"}") + code.count(b"'}'")
    if depth < 0:
        return _without_surplus_braces(code, -depth)
    end = len(code.rstrip())
    return code[:end] + b"}" * depth + code[end + depth :] if 0 < depth <= len(code) - end else code


def _without_surplus_braces(code: bytes, surplus: int) -> bytes:
    depth, found = 0, bytearray(code)
    for match in _BRACE.finditer(code):
        if match[0] == b"{":
            depth += 1
        elif match[0] != b"}":  # a character
            continue
        elif depth == 1 and surplus > 0:
            surplus -= 1
            found[match.start()] = ord(" ")
        else:
            depth -= 1
    return bytes(found)


def _unclosed_brackets(code: bytes) -> list[int]:
    """Where the parentheses and brackets in braces stand that are open when those are closed."""
    found: list[int] = []
    around: list[list[int]] = []  # what is open in each pair of braces
    open_: list[int] = []
    for match in _BRACKET.finditer(code):
        bracket, at = match["bracket"], match.start()
        if bracket == b"{":
            around.append(open_)
            open_ = []
        elif bracket == b"}":
            if around:
                found += open_
                open_ = around.pop()
        elif bracket in (b"(", b"["):
            open_.append(at)
        elif bracket is not None:
            opener = ord("(") if bracket == b")" else ord("[")
            meant = next((i for i in range(len(open_) - 1, -1, -1) if code[open_[i]] == opener), None)
            if meant is not None:
                found += open_[meant + 1 :] if around else []
                del open_[meant:]
    return found + (open_ if around else [])
