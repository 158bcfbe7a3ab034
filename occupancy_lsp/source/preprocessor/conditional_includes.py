"""Which headers a text includes only where a macro asks for them, as `#ifdef USE_ROCM` does, or where it is not built
for CUDA: in the `#else` of `#ifndef USE_ROCM` or `#ifdef USE_CUDA`, or under `#ifndef __CUDACC__`."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.non_code_patterns import is_first_in_line, without_comments_and_strings

_LINE = regex(rb"#[ \t]*(?P<word>ifdef|ifndef|if|elif|else|endif|include)\b[ \t]*(?P<rest>[^\r\n]*)")
_COMMENT = regex(rb"/\*[^*]*(?:\*(?!/)[^*]*)*|//[^\n]*\\\r?\n[^\n]*")
_NAME = regex(rb'["<]([^">]+)[">]')
_QUERY = regex(rb"__has_include\s*\([^)]*\)")
_MACRO = regex(rb"(?<!\w)(?!defined\b)[A-Za-z_]\w*")

_NEGATED = regex(rb"(?:(?:\A|&&|\|\|)\s*\(*!\s*(?:defined\s*\(?\s*)?\w+[\s)]*)+")
# The compiler's own: whether a build defines `USE_CUDA` is another question.
_NOT_NVCC = regex(rb"[\s(]*!\s*\(*\s*(?:defined\s*\(?\s*)?__(?:CUDACC|NVCC)_\w+[\s)]*")
_FOR_CUDA = regex(rb"(?<![A-Za-z0-9])_*(?:[A-Z]+_)*(?:CUDA|CUDACC|NVCC|NVIDIA)(?![A-Za-z0-9])")


def optional_includes(content: bytes) -> frozenset[str]:
    """As written: those that stand nowhere but where some macro is defined, or has some value."""
    found = _find_optional_includes(content) if b"#" in content else frozenset()
    return (
        _find_optional_includes(without_comments_and_strings(content))
        if found and _may_have_directives_in_comments(content)
        else found
    )


def _may_have_directives_in_comments(content: bytes) -> bool:
    """Whether comments or strings may show directives."""
    return b'R"' in content or any(b"#" in it for it in _COMMENT.findall(content))


def _find_optional_includes(content: bytes) -> frozenset[str]:
    asks: list[bool] = []  # of each `#if` that is open, whether its branch here asks for a macro
    otherwise: list[bool] = []  # and whether its `#else` does
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for line in _LINE.finditer(content):
        if not is_first_in_line(content, line.start()):
            continue
        word, rest = line["word"], line["rest"]
        if word == b"include":
            if name := _NAME.match(rest):
                found[any(asks)].add(name[1].decode("utf-8", "surrogateescape"))
            continue
        before = False
        if word in (b"elif", b"else", b"endif") and asks:
            asks.pop()
            before = otherwise.pop()
        if word != b"endif":
            asks.append(before if word == b"else" else _asks(word, rest))
            otherwise.append(before or word == b"ifndef" or _is_else_branch_optional(rest))
    return frozenset(found[True] - found[False])


def _is_else_branch_optional(condition: bytes) -> bool:
    """Whether what is compiled where the condition does not hold is for a macro that asks, or not for CUDA."""
    if b"!" in condition:
        return _NEGATED.fullmatch(condition.strip()) is not None
    return b"HIP" not in condition and _FOR_CUDA.search(condition) is not None


def _asks(word: bytes, condition: bytes) -> bool:
    """Whether a macro asks for what stands under the condition, or it is not for CUDA."""
    if word == b"ifndef":
        return _excludes_nvcc(b"!" + condition)
    return _requires_macro(condition) or _excludes_nvcc(condition)


def _excludes_nvcc(condition: bytes) -> bool:
    code = condition.partition(b"//")[0].partition(b"/*")[0]
    return any(_NOT_NVCC.fullmatch(it) for it in code.split(b"&&"))


def _requires_macro(condition: bytes) -> bool:
    return b"!" not in condition and _MACRO.search(_QUERY.sub(b"", condition)) is not None
