"""Where a text may have less than the largest share of a unit's memory used as local memory, by its words alone.

For what no call in sight of a kernel shows: a macro's text, a driver's call, an attribute of a launch, another file.
Source of the names: CUDA's driver_types.h, cuda.h and HIP's hip_runtime_api.h.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import argument_spans
from occupancy_lsp.source.lex.brackets import closing_bracket
from occupancy_lsp.source.lex.non_code_patterns import without_comments_and_strings
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.launches import kernel_of_expression

# What a text has in which `carveout_mentions` finds something.
WORDS = (b"Carveout", b"CARVEOUT", b"FuncCache", b"FUNC_CACHE", b"func_cache", b"SetCacheConfig")
# The largest share, or no preference: 100, -1 and their names.
_LARGEST = (
    rb"(?:\(\s*int\s*\)\s*)?(?:100|-\s*1|(?:\w+\s*::\s*)*\w*(?:MaxShared|MAX_SHARED|CarveoutDefault|CARVEOUT_DEFAULT))"
)
_WORD = regex(
    rb"(?P<attribute>P(?:referredSharedMemoryCarveout|REFERRED_SHARED_MEMORY_CARVEOUT))\b"
    rb"(?!\s*=)(?!\s*,\s*%b\s*[,)])"
    rb"|(?:FuncCachePrefer|FUNC_CACHE_PREFER_)(?P<share>L1|EQUAL|Equal)\b(?!\s*=)"
    rb"|\(\s*(?:cudaFuncCache|hipFuncCache_t|CUfunc_cache)\s*\)\s*[\w(]"
    rb"|_cast\s*<\s*(?:cudaFuncCache|hipFuncCache_t|CUfunc_cache)\s*>" % _LARGEST
)
_SHARES = {b"L1": 0, b"EQUAL": 50, b"Equal": 50}
_PERCENT = regex(rb"\s*,\s*(\d{1,3})\s*[,)]")
_OF_LAUNCH = regex(rb"(?:LaunchAttribute|LAUNCH_ATTRIBUTE_)\Z")
_GIVEN = regex(rb"\.\s*sharedMemCarveout\s*=\s*([^;]*)")
_ONLY_LARGEST = regex(_LARGEST)
_LARGEST_NUMBER = 100
_OF_ONE = regex(rb"(?:cuda|hip)FuncSet(?:Attribute|CacheConfig)")
_OF_ALL = regex(rb"(?:(?:cuda|hip)(?:Device|Thread)|(?:cu|hip)Ctx)SetCacheConfig")
_CONFIGURES = regex(rb"\b(?P<name>(?:(?:cuda|hip)(?:Func|Device|Thread)|cuFunc|(?:cu|hip)Ctx)SetCacheConfig)\s*\(")
_NONE_OR_SHARED = regex(
    rb"(?:\w+\s*::\s*)*(?:(?:cuda|hip)FuncCachePrefer(?:None|Shared)|CU_FUNC_CACHE_PREFER_(?:NONE|SHARED))"
)
_NAMED = regex(rb"(?:\w+\s*::\s*)*(?:(?:cuda|hip)FuncCachePrefer|CU_FUNC_CACHE_PREFER_)(?P<share>L1|EQUAL|Equal)")
_PARAMETER = regex(rb"(?:(?:const|enum)\s+)*(?:cudaFuncCache|hipFuncCache_t|CUfunc_cache)(?:\s+(?:const\s+)?\w+)?")
_CALLEE = regex(rb"(\w+)\s*\Z")
_BEFORE = 400  # bytes in which the call of a word begins
_LONGEST = 2000  # bytes of a call


@dataclass(frozen=True, slots=True)
class CarveoutMention:
    """`call`: the function that the word is handed to, or "". `percent` None: not written as a number.

    `kernel`: what is named as the kernel, without namespaces; "": none is; None: it is of all kernels.
    """

    span: Span
    call: str
    kernel: str | None
    percent: int | None


def carveout_mentions(text: bytes) -> Iterator[CarveoutMention]:
    if not any(word in text for word in WORDS):
        return
    code = without_comments_and_strings(text)
    calls = list(_cache_config_calls(code))
    yield from (it for _, it in calls if it is not None)
    given = {_assigned_percent(it) for it in _GIVEN.findall(code)} if b"sharedMemCarveout" in code else set()
    for match in _WORD.finditer(code):
        if any(span.start <= match.start() < span.end for span, _ in calls):
            continue
        of_launch = _OF_LAUNCH.search(code, max(0, match.start() - _BEFORE), match.start()) is not None
        if of_launch and given == {_LARGEST_NUMBER}:
            continue
        start, call, before = _innermost_call(code, match.start())
        kernel: str | None = ""
        if _OF_ALL.fullmatch(call):
            kernel = None
        elif _OF_ONE.fullmatch(call):
            kernel = _kernel_name(before)
        percent = _smallest_percent(given) if of_launch else _percent_of_mention(code, match)
        yield CarveoutMention(Span(start, match.end()), call.decode(), kernel, percent)


def _assigned_percent(written: bytes) -> int | None:
    """The percentage that is assigned; None: not written as one."""
    said = written.strip()
    return _LARGEST_NUMBER if _ONLY_LARGEST.fullmatch(said) else int(said) if re.fullmatch(rb"\d{1,3}", said) else None


def _smallest_percent(given: Set[int | None]) -> int | None:
    known = {it for it in given if it is not None}
    return min(known) if known and len(known) == len(given) else None


def _percent_of_mention(code: bytes, word: re.Match[bytes]) -> int | None:
    said = _PERCENT.match(code, word.end()) if word["attribute"] else None
    return int(said[1]) if said is not None else _SHARES.get(word["share"])


def _cache_config_calls(code: bytes) -> Iterator[tuple[Span, CarveoutMention | None]]:
    """Each call that sets a cache's share, whatever it is given, and what it may lower."""
    for match in _CONFIGURES.finditer(code):
        longest = min(len(code), match.end() + _LONGEST)
        end = closing_bracket(code, match.end(), longest, 1)
        span, given = Span(match.start(), end), argument_spans(code, match.end(), end)
        yield span, _mention_of_lower_carveout(code, match["name"], span, given)


def _mention_of_lower_carveout(
    code: bytes, call: bytes, span: Span, given: Sequence[tuple[int, int]]
) -> CarveoutMention | None:
    """None: the largest share, no preference, a declaration, or not the call's arguments."""
    of_all = _OF_ALL.fullmatch(call) is not None
    if len(given) != (1 if of_all else 2):
        return None
    share = code[slice(*given[-1])]
    if _NONE_OR_SHARED.fullmatch(share) or _PARAMETER.fullmatch(share):
        return None
    kernel = None if of_all else _kernel_name(code[slice(*given[0])]) if _OF_ONE.fullmatch(call) else ""
    named = _NAMED.fullmatch(share)
    return CarveoutMention(span, call.decode(), kernel, _SHARES[named["share"]] if named else None)


def _kernel_name(written: bytes) -> str:
    return kernel_of_expression(written.decode("utf-8", "replace"))[0].rsplit("::", 1)[-1]


def _innermost_call(code: bytes, at: int) -> tuple[int, bytes, bytes]:
    """Where the innermost call around begins, the function's name and what it is given before; or the word's place."""
    depth, before = 0, at
    for index in range(at - 1, max(-1, at - _BEFORE), -1):
        mark = code[index : index + 1]
        if mark in (b";", b"{", b"}"):
            break
        if mark == b")":
            depth += 1
        elif mark == b"(":
            if depth == 0:
                callee = _CALLEE.search(code, max(0, index - 100), index)
                return (callee.start(1), callee[1], code[index + 1 : before]) if callee else (at, b"", b"")
            depth -= 1
        elif mark == b"," and depth == 0 and before == at:
            before = index
    return at, b"", b""
