"""Changes to a source by its tokens: numbers made extreme, brackets dropped, pieces repeated, nested, spliced."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

_TOKEN = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.'])*"
    rb"|<<<|>>>|::|->|[-+*/%&|^<>=!]=|&&|\|\||\s+|.",
    re.DOTALL,
)
_WORD = re.compile(rb"[A-Za-z_]\w*\Z")
_NUMBER = re.compile(rb"\.?\d")
_SIZE = re.compile(rb"\d|[a-zA-Z]\w*\Z")
_SIZED = (
    b"<<<", b"[", b"dim3", b"__launch_bounds__", b"__block_size__", b"__maxnreg__", b"reqd_work_group_size",
    b"amdgpu_flat_work_group_size", b"amdgpu_waves_per_eu", b"intel_reqd_sub_group_size", b"hipLaunchKernelGGL",
)  # fmt: skip

NUMBERS = (
    b"0", b"-1", b"1", b"-4", b"31", b"33", b"255", b"1023", b"1025", b"2048", b"65535", b"65536", b"2147483647",
    b"2147483648", b"-2147483648", b"4294967295", b"4294967296", b"4294967552", b"9223372036854775808",
    b"18446744073709551615", b"18446744073709551616", b"9" * 60, b"1e9", b"1.5f", b"0x", b"0xFFu", b"010", b"1'024",
    b"256ull", b"N", b"sizeof(int)", b"1 << 40", b"1 / 0", b"1 % 0", b"1 << -1", b"-1 >> 70", b"~0u", b"'a'", b"true",
)  # fmt: skip
_KEYWORDS = (
    b"__global__", b"__device__", b"__shared__", b"__launch_bounds__", b"__kernel", b"__local", b"local", b"template",
    b"typename", b"struct", b"union", b"enum", b"constexpr", b"const", b"static", b"extern", b"if", b"else", b"for",
    b"while", b"do", b"switch", b"case", b"return", b"goto", b"auto", b"using", b"namespace", b"dim3", b"int",
    b"unsigned", b"float", b"double", b"size_t", b"operator", b"sizeof", b"alignas", b"__align__", b"#if", b"#else",
    b"#endif", b"#define", b"#undef", b"#include", b"__block_size__", b"__cluster_dims__", b"__maxnreg__",
    b"__attribute__", b"hipLaunchKernelGGL", b"cudaLaunchKernel", b"cudaFuncSetAttribute", b"lambda", b"decltype",
)  # fmt: skip
_PUNCTUATION = (
    b"(", b")", b"{", b"}", b"[", b"]", b"<", b">", b"<<<", b">>>", b";", b",", b"::", b"...", b"*", b"&", b"&&", b"=",
    b"?", b":", b"#", b"##", b"\\\n", b"\n", b"//", b"/*", b"*/", b'"', b"'", b"\0", b"\xff", b"\r", b"\f",
    b"\xe2\x80\xa8", b"@", b"$", b"`", b"\xef\xbb\xbf", b'R"(',
)  # fmt: skip
# What is put in as a whole.
PIECES = tuple(Path(__file__).with_name("pieces.txt").read_bytes().split(b"----"))
_NESTS = (
    (b"(", b")"), (b"{", b"}"), (b"[", b"]"), (b"<", b">"), (b"-", b""), (b"!", b""), (b"1 ? ", b" : 0"), (b"A<", b">"),
    (b"struct S{", b"};"), (b"struct S{", b"} s;"), (b"namespace n{", b"}"), (b"if(1){", b"}"), (b"for(;;){", b"}"),
    (b"\n#if 1\n", b"\n#endif\n"), (b"f(", b")"), (b"1+", b""), (b"a.", b"b"), (b"*", b""), (b"template<", b">"),
    (b"[&]{", b"}();"), (b"sizeof(", b")"), (b"int x=", b";"), (b"else if(x)", b";"), (b"a[", b"]"), (b"(int)", b""),
)  # fmt: skip

Tokens = list[bytes]


def tokens(text: bytes) -> Tokens:
    return _TOKEN.findall(text)


def mutate(random: Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """`others`: texts to take pieces from."""
    found = tokens(text)
    for _ in range(random.choice((1, 1, 2, 2, 3, 4, 6, 10))):
        if not found:
            break
        random.choice(_CHANGES)(random, found, others)
    return b"".join(found)


def _depth(random: Random) -> int:
    return random.choice((1, 2, 3, 5, 10, 20, 50, 100, 200, 400))


def _some(random: Random, found: Tokens, most: int = 40) -> slice:
    at = random.randrange(len(found) + 1)
    return slice(at, at + random.choice((0, 1, 2, 5, most)))


def _number(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    places = [at for at, it in enumerate(found) if _NUMBER.match(it)]
    if places:
        found[random.choice(places)] = random.choice(NUMBERS)


def _size(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    """A number or a name where the size of a launch, a bound or an array stands."""
    starts = [at for at, it in enumerate(found) if it in _SIZED]
    if starts:
        start = random.choice(starts)
        places = [at for at in range(start, min(start + 10, len(found))) if _SIZE.match(found[at])]
        if places:
            found[random.choice(places)] = random.choice((b"-1", b"0", *random.sample(NUMBERS, 4)))


def _word(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    """Another name of the text, so that definitions go in circles, or a keyword."""
    places = [at for at, it in enumerate(found) if _WORD.match(it)]
    if places:
        found[random.choice(places)] = random.choice((found[random.choice(places)], random.choice(_KEYWORDS)))


def _drop(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    del found[_some(random, found)]


def _bracket(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    places = [
        at
        for at, it in enumerate(found)
        if it in (b"(", b")", b"{", b"}", b"[", b"]", b"<", b">", b"<<<", b">>>", b";")
    ]
    if places:
        found[random.choice(places)] = random.choice((b"", b"", *_PUNCTUATION))


def _insert(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    at = random.randrange(len(found) + 1)
    found[at:at] = [random.choice(random.choice((_PUNCTUATION, _KEYWORDS, NUMBERS)))]


def _piece(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    at = random.randrange(len(found) + 1)
    found[at:at] = tokens(random.choice(PIECES))


def _repeat(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    where = _some(random, found, 100)
    found[where.start : where.start] = found[where] * random.choice((1, 1, 2, 5, 20))


def _move(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    where = _some(random, found)
    piece = found[where]
    del found[where]
    at = random.randrange(len(found) + 1)
    found[at:at] = piece


def _splice(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    other = tokens(random.choice(others))
    found[_some(random, found)] = other[_some(random, other, 100)]


def _nest(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    (before, after), depth, where = random.choice(_NESTS), _depth(random), _some(random, found)
    close = depth if random.random() < 0.8 else random.randrange(depth)
    found[where] = [before * depth, *found[where], after * close]


def _lines(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    """Statements that change places."""
    lines = b"".join(found).splitlines(keepends=True)
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    lines[at], lines[to] = lines[to], lines[at]
    found[:] = tokens(b"".join(lines))


def _cut(random: Random, found: Tokens, others: Sequence[bytes]) -> None:
    if random.random() < 0.3:
        del found[random.randrange(len(found)) :]


_CHANGES: tuple[Callable[[Random, Tokens, Sequence[bytes]], None], ...] = (
    _number, _number, _size, _size, _word, _word, _drop, _bracket, _bracket, _insert, _piece, _piece, _repeat, _move,
    _splice, _nest, _lines, _cut,
)  # fmt: skip
