"""Length-preserving masks: blank what the grammar cannot read or must not see, and remember what it said.

Comments, the insides of strings and preprocessor lines go first, then every CUDA annotation: the grammar fails on
many of them (third launch bound, `__maxnreg__`, `__align__` after `__shared__`, …) and all are read by one rule here.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from operator import attrgetter

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import argument_spans, nested_parentheses_pattern
from occupancy_lsp.source.lex.brackets import past_parenthesis
from occupancy_lsp.source.lex.dialect import KERNEL, LOCAL, NUMTHREADS, Dialect
from occupancy_lsp.source.lex.disabled_groups import disabled_groups
from occupancy_lsp.source.lex.non_code_patterns import non_code_pattern, without_digraphs
from occupancy_lsp.source.preprocessor.statement_macros import StatementMacros, find_statement_macros
from occupancy_lsp.source.syntax.expression_nodes import UnparsedText
from occupancy_lsp.source.syntax.wgsl_blanking import (
    WORK_GROUP_VARIABLE,
    as_cpp,
    without_attributes,
)

_NOT_CODE = non_code_pattern()
_NOT_PLAIN_CODE = non_code_pattern(raw_strings=False)
_START = attrgetter("start")
# Every byte to a space, but for those that end lines.
_BLANKS = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
NESTED = nested_parentheses_pattern(r"[^(){};]|\{[^(){};]*\}").encode()
_ARGUMENTS = rb"\s*\((?P<arguments>%b)\)" % NESTED
_CALLS = (
    b"__launch_bounds__",
    b"__maxnreg__",
    b"__block_size__",
    b"__cluster_dims__",
    b"__align__",
    b"alignas",
    b"__attribute__",
    b"__attribute",
)
_WORD_AHEAD = regex(rb"\s*(?P<name>[A-Za-z_]\w*)")
_OPENING = regex(rb"\s*\(")
_CALL_AHEAD = regex(rb"[^(){};=\"]*?\b(?P<name>[A-Za-z_]\w*)\s*\(")
_LOUD_AHEAD = regex(rb"\s+(?P<name>[A-Z_][A-Z0-9_]+)\b")
_BODY_ENDS = regex(rb"\s*(?:\Z|(?<=\n)\s*[A-Za-z_])")  # before what starts on a line of its own
_NOT_IN_WORD = regex(rb"\W")
_SAME = {
    "__attribute": "__attribute__",
    "max_total_threads_per_threadgroup": "__launch_bounds__",
    "required_threads_per_threadgroup": "reqd_work_group_size",
    **dict.fromkeys((it.decode() for it in NUMTHREADS), "numthreads"),
}

SHARED = regex(rb"\.shared\s+\.")  # PTX's: `.shared .align 16 .b8 buffer[128];`
# PTX's: `bar.sync 1, 64;`, `barrier.cta.arrive`; not `bar.warp.sync`, nor `mbarrier`, which lies in shared memory.
BARRIER = regex(rb"\b(?:bar|barrier)(?:\.cta)?\.(?P<what>sync|arrive|red|cluster)(?:\.\w+)*(?P<operands>[^;\"]*)")
TENSOR_MEMORY = "tcgen05"  # what PTX calls the instructions that use it
_SPLIT_CHEVRONS = regex(rb"<(?:[ \t]+<[ \t]*|<[ \t]+)<(?P<inside>[^;{}]{0,1000}?)>(?:[ \t]+>[ \t]*|>[ \t]+)>(?=\s*\()")
# Among statements, where the grammar takes it for a call if it is given a value.
_FUNCTION_POINTER = regex(
    rb"(?P<type>(?<=[;{}])\s*(?:(?:static|const|constexpr)\s+)*void\s*)\((?P<pointer>\s*[*&]\s*(?:const\s+)?\w+\s*"
    rb"(?:\[[^][(){};]*\]\s*)?)\)(?P<parameters>\s*\([^(){};]*\))(?=\s*[={;])"
)
_TO_FUNCTION = regex(rb"void\s*\(\s*[*&]")
# `(unsigned(n) + 1)`: of these words the grammar makes a cast's type, behind a parenthesis.
_CONVERTING = regex(
    rb"(?P<before>\(\s*)(?P<type>(?:un)?signed(?=\s*\()|(?:short|long)(?=\s*\(\s*[^\s*&]))"  # `f(long (*p)[4])`
)
_READABLE = {b"unsigned": b"uint32_t", b"signed": b"int   ", b"short": b"Short", b"long": b"Long"}
_BRACED_SIZES = regex(rb"<<<[^;{}]{0,1000}\{[^;]{0,1000}?>>>(?=\s*\()")
# GLSL's before a loop or a branch, and all of Metal's.
_DOUBLE_BRACKETS = regex(rb"\[\[[^][;{}]*\]\]")
# Attributes such as `[unroll]`, and what HLSL says behind a name of where its value comes from.
_BRACKETS = rb"\[(?:[^][;{}]|\[[^][;{}]*\])*\]"
_OF_HLSL = (
    regex(rb"(?:\A|(?<=[;{}])|(?<=\belse))\s*(?:%b\s*)+" % _BRACKETS),
    regex(rb"\[\s*(?:unroll|loop|branch|flatten|fastopt|allow_uav_condition|call|forcecase)\b[^][;{}]*\]"),
    regex(rb":\s*(?:[sS][vV]_\w+|(?:register|packoffset)\s*\([^(){};]*\))"),
)
# A parameter of a shader's function that the function may change.
_OUT = regex(rb"\b(?P<word>(?:in)?out\b\s*)(?P<type>(?:const\s+)?\w+)(?P<space>\s+)(?=\w)")
# SYCL's types of sizes: the grammar takes `range<1> n(64)` for two comparisons.
_RANGE = regex(rb"\b(?P<word>(?:nd_)?range)\s*<\s*(?P<dimensions>[123])\s*>")
_AS_PARENTHESES = bytes.maketrans(b"{}", b"()")
# Launch arguments of which only the preprocessor makes expressions: `PAIR(, +)`, `name EMPTY (4)`.
_LAUNCH_SIZES = regex(rb"<<<(?P<inside>[^;{}]{0,1000}?)>>>(?=\s*\()")
_KEYWORDS = rb"const|unsigned|signed|long|short|struct|class|enum|typename|sizeof|alignof|template|new|and|or|not"
_TYPES = rb"void|bool|char|short|int|long|float|double|signed|unsigned"
# An argument that is nothing, ends with an operator, or is a type; a name beside what no expression has beside one.
_ODD = regex(
    rb"[(,]\s*,|,\s*\)|[*&/%%|^=!~<]\s*[,)]|(?<!\+)\+\s*[,)]|(?<!-)-\s*[,)]"
    rb"|\b(?!sizeof\b|alignof\b)\w+\s*\((?:[^()]*,)?\s*(?:%b)\b[\s\w*&]*[,)]"
    rb"|\b(?!(?:%b)\b)[A-Za-z_]\w*\s+(?!(?:%b)\b)\w" % (_TYPES, _KEYWORDS, rb"and|or|not|bitand|bitor|xor")
)
_SHORTEST = len(b"(0)")


def _annotation_pattern_for(code: bytes, dialect: Dialect) -> re.Pattern[bytes] | None:
    """Those that the code has: files differ in their macros, and a pattern takes long to be made."""
    words, calls = _annotation_words(dialect, b"__" in code)
    return _annotation_pattern(tuple(it for it in words if it in code), tuple(it for it in calls if it in code))


@remembered(1024)
def _annotation_words(dialect: Dialect, underscores: bool) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """The words, and those that have arguments. Most have two underscores, which most code has nowhere."""
    words, calls = tuple(dialect.annotations.words), (*_CALLS, *dialect.annotations.calls)
    if underscores:
        return words, calls
    return tuple(it for it in words if b"__" not in it), tuple(it for it in calls if b"__" not in it)


@remembered(1024)
def _annotation_pattern(words: tuple[bytes, ...], calls: tuple[bytes, ...]) -> re.Pattern[bytes] | None:
    first = b"".join({it[:1] for it in (*calls, *words)})
    if not first:
        return None
    called = rb"(?P<call>%b)%b" % (_pattern_after_first_byte(calls), _ARGUMENTS) if calls else rb"(?P<call>(?!))"
    # It starts with a set of bytes, to the next of which the engine leaps.
    return re.compile(rb"[%b](?<=\b.)(?:%b|(?:%b)\b)" % (first, called, _pattern_after_first_byte(words) or rb"(?!)"))


def _pattern_after_first_byte(words: Sequence[bytes]) -> bytes:
    return b"|".join(rb"(?<=%b)%b" % (word[:1], word[1:]) for word in words)


@dataclass(frozen=True, slots=True)
class AnnotationMark:
    """An annotation such as `__launch_bounds__(256)`: its span, and that of its arguments without the parentheses."""

    name: str
    start: int
    end: int
    arguments: tuple[int, int] | None
    silent: bool = False  # a macro that says nothing of who may call the function


@dataclass(frozen=True, slots=True)
class BlankedText:
    """A comment or preprocessor line and where it starts."""

    start: int
    text: bytes


@dataclass(frozen=True, slots=True)
class MaskedCode:
    """`plain` has no comments, preprocessor lines, or insides of strings but for words of attributes; `code` has no
    annotations either.

    `assembly`: the strings that may be assembly with a hardware barrier or shared memory of its own; `tensor_memory`:
    with tensor memory. `macros`: those that stand as statements, of which both have the semicolons that they lack.
    """

    plain: bytes
    code: bytes
    marks: tuple[AnnotationMark, ...]
    comments: tuple[BlankedText, ...]
    lines: tuple[BlankedText, ...]
    assembly: tuple[BlankedText, ...] = ()
    tensor_memory: tuple[BlankedText, ...] = ()
    macros: StatementMacros = StatementMacros()

    def marks_between(self, start: int, end: int) -> tuple[AnnotationMark, ...]:
        """Those that start from `start` to before `end`."""
        first = bisect_left(self.marks, start, key=_START)
        return self.marks[first : bisect_left(self.marks, end, first, key=_START)]

    def unparsed_expression(self, node: Node) -> UnparsedText:
        """Return the expression that a node is, to be parsed when somebody asks."""
        return UnparsedText(self.plain[node.start_byte : node.end_byte], node.start_byte)

    def has_directive_in(self, node: Node) -> bool:
        """Return whether a preprocessor line starts in a node; a pragma leaves the text as it is."""
        if not self.lines:
            return False
        first = bisect_right(self.lines, node.start_byte, key=_START)
        last = bisect_left(self.lines, node.end_byte, first, key=_START)
        return any(not _PRAGMA_LINE.match(it.text) for it in self.lines[first:last])


_PRAGMA_LINE = regex(rb"#\s*pragma\b")
_PRAGMA = regex(rb'\b_Pragma\s*\(\s*L?"(?P<said>[^"\n]*)"\s*\)')


def _without_pragmas(plain: bytes, text: bytes, lines: list[BlankedText]) -> bytes:
    """Without `_Pragma("pack(1)")`, each a preprocessor line like another."""

    def blank_pragma(match: re.Match[bytes]) -> bytes:
        said = text[match.start("said") : match.end("said")].replace(b'\\"', b'"')
        lines.append(BlankedText(match.start(), (b"#pragma " + said).ljust(len(match[0]))))
        return _blank(match[0])

    found = _PRAGMA.sub(blank_pragma, plain)
    lines.sort(key=_START)
    return found


def _without_disabled_groups(plain: bytes, lines: list[BlankedText]) -> tuple[bytes, list[BlankedText]]:
    """Without what a literal condition leaves out."""
    groups = [*disabled_groups(lines, len(plain))]
    for it in groups:
        plain = plain[: it.start] + _blank(plain[it.start : it.end]) + plain[it.end :]
    return plain, [line for line in lines if not any(it.start < line.start < it.end for it in groups)]


def _blank(text: bytes) -> bytes:
    return text.translate(_BLANKS)


# Of Qualcomm's `qcom_reqd_sub_group_size("half")`.
_WORDS = (b'"half"', b'"full"')


# What CUDA's words stand for in the headers of clang and of nvcc.
_SPACES = regex(rb"(?:\A|[(,])\s*(global|shared|device|host)\s*(?=[,)]|\Z)")


def _blank_match(match: re.Match[bytes]) -> bytes:
    return _blank(match[0])


def _join_chevrons(match: re.Match[bytes]) -> bytes:
    """`<< <1, 2> >>` as `<<<1, 2>>>`, as long as before: nvcc reads both, the grammar only one."""
    start, end = match.span("inside")
    return b"<<<".rjust(start - match.start()) + match["inside"] + b">>>".ljust(match.end() - end)


def _function_pointer_as_pointer(match: re.Match[bytes]) -> bytes:
    """`void *f = k;` for `void (*f)(int) = k;`, as long as before."""
    return match["type"] + b" " + match["pointer"] + b" " + _blank(match["parameters"])


def _braces_as_parentheses(match: re.Match[bytes]) -> bytes:
    """`<<<1, (x, y)>>>` for `<<<1, {x, y}>>>`, which the grammar does not know."""
    return match[0].translate(_AS_PARENTHESES)


def _range_in_one_word(match: re.Match[bytes]) -> bytes:
    """`range_1_` for `range<1>`, as long as before."""
    return b"%b_%b_" % (match["word"], match["dimensions"]) + b" " * (len(match[0]) - len(match["word"]) - 3)


def _with_readable_cast_type(match: re.Match[bytes]) -> bytes:
    """`uint32_t(n)` for `unsigned(n)`, as long as before; of `short` and `long` there is no name as long."""
    return match["before"] + _READABLE[match["type"]]


@dataclass(frozen=True, slots=True)
class SeparatedText:
    """Code, and what was told apart from it."""

    plain: bytes
    comments: Sequence[BlankedText]
    lines: Sequence[BlankedText]
    assembly: Sequence[BlankedText]
    tensor_memory: Sequence[BlankedText]


def separate_non_code(text: bytes, dialect: Dialect) -> SeparatedText:
    comments: list[BlankedText] = []
    lines: list[BlankedText] = []
    assembly: list[BlankedText] = []
    tensor_memory: list[BlankedText] = []

    def blank_non_code(match: re.Match[bytes]) -> bytes:
        found = match[0]
        if match.lastgroup in ("string", "raw") and (BARRIER.search(found) or SHARED.search(found)):
            assembly.append(BlankedText(match.start() - 1, found))
        if match.lastgroup in ("string", "raw") and TENSOR_MEMORY.encode() in found:
            tensor_memory.append(BlankedText(match.start() - 1, found))
        if match.lastgroup == "comment":
            comments.append(BlankedText(match.start() - 1, found))
            return _blank(found)
        if match.lastgroup == "directive":
            line = match["directive"]
            lines.append(BlankedText(match.start("directive") - 1, line if line[:1] == b"#" else b"# " + line[2:]))
            return _blank(found)
        if dialect.grammar.several_vendors and found in _WORDS:
            return found
        if match.lastgroup == "string":
            return b'"' + _blank(found[1:-1]) + b'"' if len(found) > 1 and found.endswith(b'"') else _blank(found)
        if match.lastgroup == "raw":
            return b'""' + _blank(found[2:])
        if match.lastgroup == "quotes":
            return _blank(found)
        return found

    plain = (_NOT_CODE if dialect.grammar.raw_strings else _NOT_PLAIN_CODE).sub(blank_non_code, b"\n" + text)[1:]
    plain = without_digraphs(plain)
    if b"_Pragma" in plain:
        plain = _without_pragmas(plain, text, lines)
    if len(lines) > 1:
        plain, lines = _without_disabled_groups(plain, lines)
    return SeparatedText(plain, comments, lines, assembly, tensor_memory)


def mask_for_grammar(text: bytes, dialect: Dialect) -> MaskedCode:
    apart = separate_non_code(text, dialect)
    plain, marks = apart.plain, list[AnnotationMark]()
    if dialect.grammar.range_types:
        plain = _RANGE.sub(_range_in_one_word, plain)

    def blank_annotation(match: re.Match[bytes]) -> bytes:
        start, end = match.span()
        if match["call"] is None:
            marks.append(AnnotationMark(dialect.annotations.words[match[0]], start, end, None))
        else:
            word = plain[start : match.end("call")]
            name, silent = word.decode(), word in dialect.annotations.silent_calls
            if word in dialect.annotations.kernel_calls:
                marks.append(AnnotationMark(KERNEL, start, end, None))
            if dialect.predefined.two_passes and name == "__attribute__":
                listed = _SPACES.findall(plain, *match.span("arguments"))
                marks.extend(AnnotationMark(f"__{it.decode()}__", start, end, None) for it in listed)
            marks.append(AnnotationMark(_SAME.get(name, name), start, end, match.span("arguments"), silent))
        return _blank(match[0])

    annotations = _annotation_pattern_for(plain, dialect)
    code = annotations.sub(blank_annotation, plain) if annotations is not None else plain
    if dialect.grammar.names_first:
        shared = WORK_GROUP_VARIABLE.finditer(code)
        marks = sorted((*marks, *(AnnotationMark(LOCAL, *it.span(), None) for it in shared)), key=_START)
        plain, code = as_cpp(plain), as_cpp(without_attributes(code))
    if dialect.grammar.entry:
        marks = _with_entry_point_marks(code, dialect.grammar.entry, marks)
    if dialect.shader:
        code = _OUT.sub(_out_parameter_as_reference, code)
    for pattern in _attribute_patterns(dialect):
        code = pattern.sub(_blank_match, code)
    if marks:
        code = _with_braced_macro_bodies(
            _with_plain_kernel_names(_without_macros_before_type(code, marks), marks), marks
        )
    code = _without_unparsable_launch_arguments(
        _BRACED_SIZES.sub(_braces_as_parentheses, _SPLIT_CHEVRONS.sub(_join_chevrons, code))
    )
    if _TO_FUNCTION.search(code) is not None:
        code = _FUNCTION_POINTER.sub(_function_pointer_as_pointer, code)
    code = _CONVERTING.sub(_with_readable_cast_type, code)
    macros = find_statement_macros(code, dialect.annotations.statements)
    return MaskedCode(
        macros.apply_to(plain), macros.apply_to(code), tuple(marks), tuple(apart.comments), tuple(apart.lines),
        tuple(apart.assembly), tuple(apart.tensor_memory), macros,
    )  # fmt: skip


def _attribute_patterns(dialect: Dialect) -> Sequence[re.Pattern[bytes]]:
    """Of the attributes that the grammar does not know where they stand."""
    double = (_DOUBLE_BRACKETS,) if dialect.shader or dialect.grammar.decorated else ()
    return (*double, *_OF_HLSL) if dialect.grammar.bracketed else double


def _with_entry_point_marks(code: bytes, entry: bytes, marks: list[AnnotationMark]) -> list[AnnotationMark]:
    """With the mark of a kernel at the type of each function of that name."""
    heads = re.finditer(rb"\bvoid(?=\s+%b\s*\()" % entry, code)
    return sorted((*marks, *(AnnotationMark(KERNEL, it.start(), it.start(), None) for it in heads)), key=_START)


def _out_parameter_as_reference(match: re.Match[bytes]) -> bytes:
    """`float&x` for `out float x`, as long as before: a call may change it."""
    return _blank(match["word"]) + match["type"] + b"&" + match["space"][1:]


def _texts_after_kernel_words(code: bytes, marks: Sequence[AnnotationMark]) -> Iterator[tuple[int, int]]:
    """From behind each word that makes a kernel to the next. No byte is looked at for two of them: a hostile file takes
    no longer than another."""
    kernels = [mark for mark in marks if mark.name == KERNEL]
    for kernel, after in zip_longest(kernels, kernels[1:]):
        yield kernel.end, after.start if after is not None else len(code)


def _without_macros_before_type(code: bytes, marks: list[AnnotationMark]) -> bytes:
    """Without the macros between what makes a function a kernel and its type, which can only be annotations."""
    found: list[AnnotationMark] = []
    for behind, stop in _texts_after_kernel_words(code, marks):
        found += _macros_before_type(code, behind, stop)
    if not found:
        return code
    blanked = bytearray(code)
    for macro in found:
        blanked[macro.start : macro.end] = _blank(code[macro.start : macro.end])
    marks += found
    marks.sort(key=_START)
    return bytes(blanked)


def _with_plain_kernel_names(code: bytes, marks: Sequence[AnnotationMark]) -> bytes:
    """With one word for the name of a kernel that a macro makes: `CAT_sum_T_(float *x)` for `CAT(sum,T)(float *x)`,
    which is as long."""
    found = bytearray(code)
    for behind, stop in _texts_after_kernel_words(code, marks):
        start, end = _find_macro_made_name(code, behind, stop)
        found[start:end] = _NOT_IN_WORD.sub(b"_", code[start:end])
    return bytes(found)


def _with_braced_macro_bodies(code: bytes, marks: Sequence[AnnotationMark]) -> bytes:
    """With braces around the macro that is a kernel's body, in place of the space around it: `k(float *x){BODY();  }`
    for `k(float *x) BODY(4)`."""
    found = bytearray(code)
    for behind, stop in _texts_after_kernel_words(code, marks):
        body = _find_macro_as_body(code, behind, stop)
        if body is not None:
            start, given, end = body
            call = b"{" + code[start:given] + (b"();" if end > given else b"")
            found[start - 1 : end + 1] = call.ljust(end - start + 1) + b"}"
    return bytes(found)


def _find_macro_as_body(code: bytes, start: int, stop: int) -> tuple[int, int, int] | None:
    """Where it starts, its name ends and it ends."""
    head = _CALL_AHEAD.match(code, start, stop)
    end = past_parenthesis(code, head.end(), stop) if head is not None else 0
    macro = _LOUD_AHEAD.match(code, end, stop) if end else None
    if macro is None:
        return None
    behind = macro.end()
    if (opening := _OPENING.match(code, behind, stop)) is not None:
        behind = past_parenthesis(code, opening.end(), stop)
    is_body = behind and code[behind : behind + 1].isspace() and _BODY_ENDS.match(code, behind, stop)
    return (macro.start("name"), macro.end(), behind) if is_body else None


def _find_macro_made_name(code: bytes, start: int, stop: int) -> tuple[int, int]:
    """Where the name of what is declared there is a macro with arguments: parameters follow it. Else nothing."""
    while (call := _CALL_AHEAD.match(code, start, stop)) is not None:
        end = past_parenthesis(code, call.end(), stop)
        if end and _OPENING.match(code, end, stop):
            return call.start("name"), end
        if not end or not _WORD_AHEAD.match(code, end, stop):
            break
        start = end
    return start, start


def _macros_before_type(code: bytes, start: int, stop: int) -> list[AnnotationMark]:
    """The macros that stand there before `void`; none, if anything else does."""
    found: list[AnnotationMark] = []
    while (word := _WORD_AHEAD.match(code, start, stop)) is not None and word["name"] != b"void":
        if not word["name"].isupper():
            return []
        end, given = word.end(), None
        if (opening := _OPENING.match(code, end, stop)) is not None:
            end = past_parenthesis(code, opening.end(), stop)
            given = opening.end(), end - 1
        if not end:
            return []
        found.append(AnnotationMark(word["name"].decode(), word.start("name"), end, given))
        start = end
    return found if word is not None else []


_SPACE = regex(rb"\s*(\W)\s*")


def normalised_tokens(text: bytes) -> bytes:
    """`text` without comments and without white space that separates nothing: equal for equal tokens."""
    bare = _NOT_CODE.sub(lambda m: b" " if m.lastgroup == "comment" else m[0], b"\n" + text)
    return _SPACE.sub(rb"\1", b" ".join(bare.split()))


def _without_unparsable_launch_arguments(code: bytes) -> bytes:
    """Return code, as long as before, with `(0)` in place of launch arguments that the grammar cannot read."""
    return _LAUNCH_SIZES.sub(_zero_unreadable_arguments, code) if b"<<<" in code else code


def _zero_unreadable_arguments(match: re.Match[bytes]) -> bytes:
    found = bytearray(match[0])
    inside, by = match["inside"], len(b"<<<")
    for start, end in argument_spans(inside, 0, len(inside)):
        said = inside[start:end]
        if len(said) >= _SHORTEST and _ODD.search(said) is not None:
            kept = re.sub(rb"[^\s]", b" ", said[2:-1])
            found[start + by : end + by] = b"(0" + kept + b")"
    return bytes(found)
