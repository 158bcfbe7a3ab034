"""How many columns of tensor memory a kernel's code allocates: by `tcgen05.alloc` or CUTLASS's allocators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.brackets import past_parenthesis
from occupancy_lsp.source.lower.inline_assembly import TENSOR_MEMORY
from occupancy_lsp.source.lower.item_facts import TensorMemory

# What a text has that uses some.
WORDS = (b"tcgen05", b"Allocator1Sm", b"Allocator2Sm", b"tmem", b"Tmem", b"TMEM", b"UMMA")
Columns = tuple[int, int | None]  # fewest and most; None: all there are
NO_COLUMNS: Columns = (0, 0)
FEWEST_COLUMNS = 32  # PTX ISA, tcgen05.alloc

# CUTLASS, cute/arch/tmem_allocator_sm100.hpp.
_CONSTANTS = {b"Sm100TmemCapacityColumns": 512, b"ColumnsPerAllocationSlice": 32}
_ALLOCATOR = regex(rb"\bAllocator[12]Sm\b|\bTmemAllocator\b")
_AMOUNT = rb"(?:(?:\w+\s*::\s*)*(?P<name>%b)|(?P<number>\d{1,4}))" % b"|".join(_CONSTANTS)
_USES = regex(TENSOR_MEMORY.encode())
_CALL = regex(rb"(?:\.|->)\s*allocate\s*\(")
_METHOD = regex(rb"(?:\.|->)\s*allocate\s*\(\s*%b\s*," % _AMOUNT)
_OPERANDS = rb"[^\"]{0,80}\"\s*::?\s*:?\s*\"r\"\s*\([^;\"]{1,80}\)\s*,\s*\"[rn]\"\s*\(\s*(?P<given>\d{1,4})\s*\)"
_WRITTEN = regex(rb"\btcgen05[._]alloc(?![a-z])")
_INSTRUCTION = regex(
    rb"\btcgen05\.alloc\.[\w.:]+\s*\[[^\]\"]{1,40}\]\s*,\s*(?:(?P<number>\d{1,4})\b|%%1\b%b)" % _OPERANDS
)

_GIVES_UP = regex(rb"relinquish_alloc_permit|release_allocation_lock")  # PTX's, CUTLASS's
_NAMING = regex(rb"#[ \t]*define[ \t]+(\w+)|\busing\s+(\w+)\s*=|\btypedef\b[^;]*?(\w+)\s*;")
_STRING = regex(rb'R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
_CONDITIONAL = regex(rb"^[ \t]*#[ \t]*if", re.MULTILINE)
_LEAVES = regex(rb"\b(?:return|goto|__trap|throw)\b")
_LOOP = regex(rb"\b(?:for|while|do|goto)\b")
_MARK = regex(rb"[{}();]")
_STATEMENT = regex(rb"(?:(?:asm|__asm__)\s*(?:volatile|__volatile__)?\s*\(\s*\"?\s*|[\w:]+(?:\s*\(\s*\))?\s*)?")
_IF = regex(rb"\s*if\s*\((?P<condition>.*)\)\s*", re.DOTALL)
# True in some warp of every block: its first, or one that is elected.
_INDEX = rb"threadIdx\s*\.\s*x\s*(?:/\s*32|>>\s*5)"
_FIRST_WARP = regex(
    rb"\(*\s*threadIdx\s*\.\s*x\s*\)*\s*<\s*[1-9]\d*u?|\(*\s*%b\s*\)*\s*==\s*0u?|(?:\w+\s*::\s*)*elect_one_sync\s*\(\s*\)"
    % _INDEX
)
_IS_FIRST = regex(rb"(\w+)\s*==\s*0u?")
_WARP = regex(
    rb"\(*\s*%b\s*\)*|__shfl_sync\s*\(\s*\w+\s*,\s*%b\s*,\s*0\s*\)|(?:\w+\s*::\s*)*canonical_warp_idx(?:_sync)?\s*\(\s*\)"
    % (_INDEX, _INDEX)
)


@dataclass(frozen=True, slots=True)
class FunctionCode:
    """A function's body without comments. `name`: what calls it; "" of the kernel."""

    name: str
    text: bytes


@dataclass(frozen=True, slots=True)
class _Allocation:
    """`amount`: None: not written as a number. `sure`: it runs in every block. `once`: not several times."""

    amount: int | None
    sure: bool
    once: bool


def tensor_columns_allocated(
    codes: Sequence[FunctionCode], template: bool, beside: Iterable[bytes] = (), in_headers: TensorMemory = ""
) -> Columns:
    """Of the kernel, which comes first, and the functions that it names. `template`: the kernel is one.

    `beside`: the text outside functions, whose macros and aliases may stand for an allocation or an allocator.
    Several allocations may follow each other, or hold their columns at the same time. A kernel that uses tensor memory
    has allocated some, for none is there when it starts (PTX ISA, "Tensor Memory Allocation").
    Where nothing gives up the permit to allocate, a block may be alone, as if it took all: it starts with all of an
    SM's virtual resources (ptxas 13.0: EIATTR_VRC_CTA_INIT_COUNT is 128, and cuda_occupancy.h 13.5 has 128 for an SM),
    and ptxas makes `tcgen05.relinquish_alloc_permit` the instruction that gives them back.
    """
    beside = tuple(beside)
    found = [it for code in codes for it in _allocations(code, codes, template)]
    if any(re.search(rb"\b%b\b" % name, code.text) for name in _aliases_of_allocation(beside) for code in codes):
        found.append(_Allocation(None, False, False))
    used = bool(in_headers) or any(_USES.search(code.text) for code in codes)
    if in_headers == "allocated" or (used and not found):
        found.append(_Allocation(None, False, False))
    if found and not any(_GIVES_UP.search(text) for text in (*(code.text for code in codes), *beside)):
        found.append(_Allocation(None, False, False))
    least = max((it.amount or FEWEST_COLUMNS for it in found if it.sure), default=0)
    amounts = [it.amount for it in found if it.once and it.amount is not None]
    return least, sum(amounts) if len(amounts) == len(found) else None


def _allocations(code: FunctionCode, codes: Sequence[FunctionCode], template: bool) -> Iterator[_Allocation]:
    patterns = [(_WRITTEN, _INSTRUCTION)]
    if any(_ALLOCATOR.search(it.text) for it in codes):
        patterns.append((_CALL, _METHOD))
    places = [
        (it.start(), exact.match(code.text, it.start())) for some, exact in patterns for it in some.finditer(code.text)
    ]
    if not places:
        return
    bare = _without_strings(code.text)
    own = code is codes[0]
    called_once = own or _is_called_once(code.name, codes)
    for at, amount in places:
        sure = own and not template and _surely_runs(bare, at)
        once = called_once and not any(map(_LOOP.search, _enclosing_heads(bare, at)))
        yield _Allocation(_written_columns(amount) if amount else None, sure, once)


def _aliases_of_allocation(texts: Iterable[bytes]) -> Iterator[bytes]:
    """The names of macros and aliases."""
    for text in texts:
        if _WRITTEN.search(text) or _ALLOCATOR.search(text):
            yield from (name for found in _NAMING.findall(text) for name in found if name)


def _written_columns(allocation: re.Match[bytes]) -> int:
    given = allocation.groupdict()
    name = given.get("name")
    return _CONSTANTS[name] if name else int(given["number"] or given["given"])


def _is_called_once(name: str, codes: Sequence[FunctionCode]) -> bool:
    """Whether the kernel itself names the function once, in no loop, and no other function does."""
    word = re.compile(rb"\b%b\b" % re.escape(name.encode()))
    calls = [(code, it.start()) for code in codes for it in word.finditer(code.text)]
    if len(calls) != 1 or calls[0][0] is not codes[0]:
        return False
    return not any(map(_LOOP.search, _enclosing_heads(_without_strings(codes[0].text), calls[0][1])))


def _surely_runs(bare: bytes, at: int) -> bool:
    """Whether some warp of every block gets there: nothing stands around it but the election of one."""
    before = bare[:at]
    if _CONDITIONAL.search(before) or _LEAVES.search(before):
        return False
    *heads, statement = _enclosing_heads(bare, at)
    if (found := re.match(rb"\s*if\s*\(", statement)) is not None:
        end = past_parenthesis(statement, found.end(), len(statement)) or len(statement)
        heads.append(statement[:end])
        statement = statement[end:]
    return all(_is_election_head(it, before) for it in heads) and _STATEMENT.fullmatch(statement.strip()) is not None


def _is_election_head(head: bytes, code: bytes) -> bool:
    if not head.strip():
        return True
    found = _IF.fullmatch(head)
    return found is not None and all(_elects_first_warp(it.strip(), code) for it in found["condition"].split(b"&&"))


def _elects_first_warp(condition: bytes, code: bytes) -> bool:
    """Also by a variable that is set once, to the warp's index in its block."""
    if _FIRST_WARP.fullmatch(condition):
        return True
    named = _IS_FIRST.fullmatch(condition)
    if named is None:
        return False
    values = re.findall(rb"\b%b\s*(?:[-+*/%%&|^]|<<|>>)?=(?!=)\s*([^;]*);" % named[1], code)
    return len(values) == 1 and _WARP.fullmatch(values[0].strip()) is not None


def _enclosing_heads(bare: bytes, at: int) -> list[bytes]:
    """What stands before each brace that is open there, and before it in its own statement."""
    heads: list[tuple[bytes, int]] = []
    start = depth = 0
    for it in _MARK.finditer(bare, 0, at):
        mark = it[0]
        if mark in b"()":
            depth += 1 if mark == b"(" else -1
        elif mark == b"{":
            heads.append((bare[start : it.start()], depth))
            start, depth = it.end(), 0
        elif mark == b"}":
            depth = heads.pop()[1] if heads else 0
            start = it.end()
        elif depth == 0:
            start = it.end()
    return [*(head for head, _ in heads), bare[start:at]]


def _without_strings(code: bytes) -> bytes:
    """With blanks in their place, the quotes left."""
    return _STRING.sub(lambda it: b'"' + b" " * (len(it[0]) - 2) + b'"', code)
