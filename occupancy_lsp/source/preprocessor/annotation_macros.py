"""Macros that stand for annotations: `#define KERNEL __global__ void`, `#define BOUNDS(n) __launch_bounds__(n)`; with
those that stand as statements, they decide how a text is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import nested_parentheses_pattern
from occupancy_lsp.source.lex.dialect import CONSTANT, KERNEL, LOCAL, Annotations, Dialect
from occupancy_lsp.source.preprocessor.macro_classification import STATEMENT, kind_of_each_macro, macro_kind_lines

_DEFINE = regex(rb"#[ \t]*define[ \t]+([^\n]*(?:(?<=\\)\n[^\n]*|(?<=\\\r)\n[^\n]*){0,9})")
_WHOLE_DEFINE = regex(rb"#[ \t]*define[ \t]+([^\n]*(?:(?<=\\)\n[^\n]*|(?<=\\\r)\n[^\n]*){0,499})")
_CONTINUED = regex(rb"\\\r?\n[ \t]*")
_NAME = regex(r"\w+")
_PARTS = regex(r"(\w+)(\([^()]*\))?\s*(.*)", re.DOTALL)
_MEANT = regex(r"\b__(?:global|device|host|shared|constant|forceinline|inline|noinline|restrict|managed)__\b")
_BESIDES = regex(
    rf'extern\s*"C"|\b(?:extern|static|inline|void|const(?:expr)?\b|__attribute__\s*\(\({nested_parentheses_pattern("[^()]")}\)\)|__(?:launch_bounds|cluster_dims|align)__\s*\(.*\)|alignas\s*\(.*\))'
    r"|//.*|/\*.*?\*/|\\\s*$|\s",
    re.DOTALL,
)
_PLAIN = regex(
    r"\b(?:(?:__)?(?:kernel|global|local|constant|private|generic|restrict|read_only|write_only|read_write)"
    r"|threadgroup|device|thread)\b"
)
_FAINTEST = "__inline__"  # says nothing of who may call a function, so anything else that the macro stands for counts
_NO_OTHERS: Mapping[str, str] = {}
_LONGEST = 1000
# What a line begins with that names a macro whose text has a kernel, and one whose text launches.
MAKER, LAUNCHER = "@", "!"
_SIGNS = frozenset((STATEMENT, MAKER, LAUNCHER))
_LAUNCHES = (b"<<<", b"LaunchKernel", b"LaunchCooperativeKernel")
_MAKES = regex(rb"\b(?:__global__|__kernel)\b|\bkernel\s+(?:void\b|__attribute__)")
_KERNEL_MARKS = (b"__global__", b"kernel")
_WORD = regex(rb"\w+")
_CALLED = regex(rb"(\w+)\([^()]*\)")
_MOST_NESTED = 8  # macros in macros
_PLAIN_NAMES = {"kernel": KERNEL, "local": LOCAL, "threadgroup": LOCAL, "constant": CONSTANT}
_CONSTANT = regex(r"\bconstexpr\b")
_REMARK = regex(r"//.*|/\*.*?\*/", re.DOTALL)
_AROUND = r"(?:\s|__(?:global|device|host)__|(?:__)?kernel|void|static|\\\s)*"
_CALL = regex(rf"{_AROUND}(?:__(?:launch_bounds|cluster_dims|attribute|align)__|alignas)\s*\(.*\){_AROUND}")
_OF_DEVICES = regex(r"device|global|kernel")
_KERNEL_WORD = {False: regex(r"\b__global__\b"), True: regex(r"\b(?:__)?kernel\b")}  # with plain words
# Macros that may stand for further annotations, `C4` of `__global__ void C4`.
_OTHER = regex(r"\s*([A-Za-z_]\w*)\s*(?:\([^()]*\))?\s*")
_TELLING = regex(rb"__|\(|\b(?:void|constexpr|kernel|global|local|constant|private|threadgroup|device|thread)\b")
_BARE = frozenset(("static", "inline", "extern", "const", "constexpr"))
_ONLY_NAMES = regex(rb"\w+(?:[ \t]+[A-Za-z_]\w*){1,4}\s*")  # `#define KERNEL GLOBAL BOUNDED`
_VOID = regex(r"\bvoid\b")
_KERNEL_CALL = "kernel call"  # what a macro with parameters means that makes a function a kernel
_OF_KERNELS = (KERNEL, _KERNEL_CALL)
_WORD_OF = {_KERNEL_CALL: KERNEL}
# Of libraries whose headers most projects have outside of the workspace.
_KNOWN = (
    # c10/macros/Macros.h, PyTorch 00a1abb4: as many blocks as the SM has threads for. Later versions tell of 12.0 too.
    "C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)",
    "C10_LAUNCH_BOUNDS_1(max) __launch_bounds__(((max) <= 1024 ? (max) : 256))",
    "C10_LAUNCH_BOUNDS_2(max, min) __launch_bounds__(((max) <= 1024 ? (max) : 256), ("
    "(max) * (min) <= 1024 ? (min) : __CUDA_ARCH__ == 750 ? (1024 + (max) - 1) / (max)"
    " : (max) * (min) <= 1536 ? (min) : __CUDA_ARCH__ == 1200 ? C10_MIN_BLOCKS_PER_SM(max, min)"
    " : __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 ? (1536 + (max) - 1) / (max)"
    " : (max) * (min) <= 2048 ? (min) : (2048 + (max) - 1) / (max)))",
    "RAFT_KERNEL static __global__ void",
    "CUDF_KERNEL __global__ static",
    "CUTLASS_GLOBAL __global__ static",
    "CUTLASS_DEVICE __forceinline__ __device__",
    "CUTLASS_HOST_DEVICE __forceinline__ __device__ __host__",
    "C10_DEVICE __device__",
    "C10_HOST_DEVICE __host__ __device__",
)


def macro_summary_lines(content: bytes) -> tuple[str, ...]:
    """The definitions in a file that may stand for annotations, from the name on, and the kinds of those that may stand
    as statements."""
    found: dict[str, None] = {}
    other: set[str] = set()
    empty: set[str] = set()
    renamed: list[str] = []
    named: set[str] = set()
    defined = _DEFINE.findall(content)
    for text in defined:
        raw = _as_one_line(text)
        is_empty = b"(" not in raw and len(raw.split()) == 1
        if not is_empty and not _TELLING.search(raw):
            if _ONLY_NAMES.fullmatch(raw):
                renamed.append(raw.decode().strip())
            continue
        line = raw.decode("utf-8", "replace").strip()
        if is_empty:  # as include guards are: one for each header
            empty.add(line)
            continue
        named.update(others := _other_macros_in(line))
        if others or _annotation_of(line) or _annotation_of(line, plain_words=True):
            found[line] = None
        else:
            other.add(line.partition("(")[0])
    # A macro that is empty here and something else there is no annotation.
    kept = [line for line in found if not line.endswith(")") or line.partition("(")[0] not in other]
    annotations = (*kept, *_lines_of_annotation_aliases(kept, renamed), *sorted(empty & named))
    launches = any(it in content for it in _LAUNCHES)
    launchers = _launching_macro_lines(_WHOLE_DEFINE.findall(content)) if launches else ()
    return (
        *annotations,
        *sorted({*macro_kind_lines(content)}),
        *_kernel_defining_macro_lines(defined, kept),
        *launchers,
    )


def _kernel_defining_macro_lines(defined: Sequence[bytes], annotations: Sequence[str]) -> Iterable[str]:
    """A line for each macro with parameters whose text has a kernel, or the head of one, or names another of the file
    that does."""
    heads = {line.partition("(")[0] for line in annotations}
    words = kernel_making_macros(annotations)
    called = [(text, it) for text in defined if (it := _CALLED.match(text)) is not None]
    making = {it[1].decode() for text, it in called if _defines_kernel(text, it.end(), words)} - heads
    named: dict[str, set[str]] = {}
    for text, it in called if making else ():
        named.setdefault(it[1].decode(), set()).update(map(bytes.decode, _WORD.findall(text, it.end())))
    return (f"{MAKER}{name}" for name in sorted(macros_reaching(making, named) - heads))


def _launching_macro_lines(defined: Sequence[bytes]) -> Iterable[str]:
    """A line for each macro whose text launches something, or names another of the file that does."""
    named: dict[str, set[str]] = {}
    launching = set[str]()
    for text in defined:
        name, *words = _NAME.findall(text.decode("utf-8", "replace")) or [""]
        named.setdefault(name, set()).update(words)
        if any(it in text for it in _LAUNCHES):
            launching.add(name)
    return (f"{LAUNCHER}{name}" for name in sorted(macros_reaching(launching, named)))


def macros_reaching(names: Set[str], named: Mapping[str, Set[str]]) -> Set[str]:
    """Some macros, and those in whose text one of them stands, and so on. `named`: the words of each."""
    by: dict[str, list[str]] = {}
    for name, words in named.items():
        for it in words & named.keys():
            by.setdefault(it, []).append(name)
    found, todo = {*names}, [*names]
    while todo:
        more = [it for it in by.get(todo.pop(), ()) if it not in found]
        found.update(more)
        todo += more
    return found


def _defines_kernel(text: bytes, start: int, words: Sequence[bytes]) -> bool:
    if any(it in text for it in _KERNEL_MARKS) and _MAKES.search(text, start) is not None:
        return True
    return any(it in text for it in words) and not {*words}.isdisjoint(_WORD.findall(text, start))


def _as_one_line(text: bytes) -> bytes:
    """A definition as one line; of a long one the first line."""
    if b"\n" not in text:
        return text
    return _CONTINUED.sub(b" ", text) if len(text) <= _LONGEST else text.partition(b"\n")[0]


def _lines_of_annotation_aliases(lines: Sequence[str], renamed: Sequence[str]) -> Iterable[str]:
    """Those of `renamed`, macros that have but names, that stand for some of the lines' macros and nothing else."""
    found: dict[str, None] = {}
    names = {line.partition(" ")[0] for line in lines} if renamed else set()
    for _ in range(_MOST_NESTED):
        rest = {line: {*line.split()[1:]} - _BARE for line in renamed if line not in found}
        more = [line for line, words in rest.items() if words and words <= names]
        if not more:
            break
        found.update(dict.fromkeys(more))
        names |= {it.split()[0] for it in more}
    return found


def with_annotation_macros(dialect: Dialect, lines: Iterable[str]) -> Dialect:
    """The dialect with these macros read as what they stand for; the same object for the same macros."""
    each = {*lines} if dialect.annotations.plain_words else {*lines, *_KNOWN}
    return _dialect_with_macros(dialect, tuple(sorted(each)))


def kernel_making_macros(lines: Iterable[str]) -> tuple[bytes, ...]:
    """The macros that make a function a kernel, or kernels."""
    lines = tuple(lines)
    found = _annotations_of_macros(_annotation_lines(lines)).items()
    makers = [it.removeprefix(MAKER).encode() for it in lines if it[:1] == MAKER]
    return *makers, *(_NAME.match(line)[0].encode() for line, it in found if it in _OF_KERNELS)  # type: ignore[index]


def _annotation_lines(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple([it for it in lines if it[:1] not in _SIGNS])


@remembered(1)
def _library_macros() -> Mapping[str, tuple[tuple[str, ...], str]]:
    read = (match.groups(default="") for line in _KNOWN if (match := _PARTS.match(line)) is not None)
    return {name: (tuple(it.strip() for it in given[1:-1].split(",")), text) for name, given, text in read}


def library_macro(name: str) -> tuple[tuple[str, ...], str] | None:
    """The parameters and the text of a macro of a library whose headers most projects have outside."""
    return _library_macros().get(name)


@remembered(512)  # who loses the dialect reads the file anew
def _dialect_with_macros(dialect: Dialect, lines: tuple[str, ...]) -> Dialect:
    given = dialect.annotations
    words = dict(given.words)
    calls = set(given.calls)
    kernel_calls = set(given.kernel_calls)
    speaking: set[bytes] = set()
    carrying = set(given.carrying)
    told = _annotation_lines(lines)
    meanings = _annotations_of_macros(told, given.plain_words)
    for line in told:
        meaning = meanings.get(line)
        parts = _PARTS.match(line)
        if meaning is None or parts is None or (name := parts[1].encode()) in given.words:
            continue
        if parts[2]:
            calls.add(name)
            kernel_calls |= {name} if meaning == _KERNEL_CALL else set()
            speaking |= {name} if _OF_DEVICES.search(parts[3]) or _other_macros_in(line) else set()
        elif words.get(name) != KERNEL and (meaning != _FAINTEST or name not in words):
            words[name] = meaning
        if not parts[2] and (
            _has_annotation_with_arguments(parts[3])
            or _names_besides_annotations(parts[3], _PLAIN if given.plain_words else _MEANT)
        ):
            carrying.add(name)
    annotations = Annotations(
        words,
        calls=tuple(sorted(calls)),
        carrying=frozenset(carrying),
        kernel_calls=frozenset(kernel_calls),
        silent_calls=given.silent_calls | (calls - speaking - {*given.calls}),
        statements=kind_of_each_macro(it for it in lines if it.startswith(STATEMENT)),
        makers=frozenset(it.removeprefix(MAKER).encode() for it in lines if it.startswith(MAKER)),
        launchers=frozenset(it.removeprefix(LAUNCHER).encode() for it in lines if it.startswith(LAUNCHER)),
        plain_words=given.plain_words,
    )
    return replace(dialect, annotations=annotations)


@remembered(512)  # of the same files, again and again
def _annotations_of_macros(lines: tuple[str, ...], plain_words: bool = False) -> Mapping[str, str]:
    """The annotation that each of the macros stands for, by itself or by way of others among them."""
    found: dict[str, str] = {}
    for _ in range(_MOST_NESTED):
        others = {_NAME.match(line)[0]: it for line, it in found.items()}  # type: ignore[index]  # it has a meaning
        more = {it: said for it in lines if it not in found and (said := _annotation_of(it, plain_words, others))}
        if not more:
            break
        found |= more
    return found


def _other_macros_in(line: str) -> frozenset[str]:
    """The macros that the text of this one has besides annotations, if there are both and nothing else."""
    parts = _PARTS.match(line)
    if parts is None or len(body := parts[3]) > _LONGEST:
        return frozenset()
    if not (_MEANT.search(body) or _VOID.search(body) or _has_annotation_with_arguments(body)):
        return frozenset()
    words = _names_besides_annotations(body, _MEANT) or ()
    return frozenset() if set(words) & set(_NAME.findall(parts[2] or "")) else frozenset(words)


def _names_besides_annotations(body: str, meant: re.Pattern[str]) -> list[str] | None:
    """The names besides annotations, which may have arguments; None: there is more than that."""
    rest = _BESIDES.sub(" ", meant.sub(" ", body))
    return _OTHER.findall(rest) if not _OTHER.sub("", rest).strip() else None


def _annotation_of(line: str, plain_words: bool = False, others: Mapping[str, str] = _NO_OTHERS) -> str | None:
    """The annotation that the macro stands for, in CUDA or OpenCL C; None: it says more than that.

    `others`: macros that stand for annotations, with these.
    """
    parts = _PARTS.match(line)
    if parts is None:
        return None
    body = parts[3]
    meant = _PLAIN if plain_words else _MEANT
    rest = _names_besides_annotations(body, meant) if not parts[2] or others else None
    known = rest is not None and all(it in others for it in rest)
    if parts[2]:
        whole = not body or _CALL.fullmatch(_REMARK.sub(" ", body)) is not None
        if not whole and not (known and _other_macros_in(line)):
            return None
        makes_kernels = _KERNEL_WORD[plain_words].search(body) or any(
            others[it] in _OF_KERNELS for it in rest or () if known
        )
        return _KERNEL_CALL if makes_kernels else "call"
    if rest is None or not known:
        return None
    words = [*meant.findall(body), *(_WORD_OF.get(others[it], others[it]) for it in rest if others[it] != "call")]
    if rest and _VOID.search(body) and {*words} <= {_FAINTEST}:
        return None  # a type, to the grammar
    if not words and _CONSTANT.search(body):
        return CONSTANT
    if not words:  # it only asks for inlining, or for bounds, or is empty
        return _FAINTEST if not body or re.search(r"\binline\b", body) or _has_annotation_with_arguments(body) else None
    if plain_words:
        words = [_PLAIN_NAMES.get(it.strip("_"), it) for it in words]
    return next((it for it in (KERNEL, LOCAL, "__device__") if it in words), words[0])


def _has_annotation_with_arguments(body: str) -> bool:
    return any(it in body for it in ("__launch_bounds__", "__cluster_dims__", "__attribute__", "__align__", "alignas"))
