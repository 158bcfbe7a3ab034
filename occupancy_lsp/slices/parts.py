"""A file in parts, and the names by which the parts of a program hang together.

A name is whatever is spelt like one. So more may be kept than is needed, which costs a compiler some time; what is
left out is named nowhere in what is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.item_list import ItemList
from occupancy_lsp.source.lex.non_code_patterns import directive_name
from occupancy_lsp.source.lex.top_level_scanner import Kind, skip_trivia
from occupancy_lsp.source.syntax.blanking import MaskedCode, mask_for_grammar

_NAME = regex(rb"[A-Za-z_]\w*")
# Members come with the class of what they are of. `a::b` is both a and b of it.
_MENTION = regex(rb"(?<![.\w])(?<!->)(?=([A-Za-z_]\w*))(?:\1\s*::\s*(?:template\s+)?(?=([A-Za-z_]\w*)))?")
_OF_TEMPLATE = regex(rb">(?:\s*::\s*(?:template\s+)?[A-Za-z_]\w*)+")
_DEFINE = regex(rb"#\s*define\s+([A-Za-z_]\w*)")
_TOKEN = regex(rb"(?P<name>[A-Za-z_]\w*)|(?P<path>::)|(?P<mark>[(){}\[\]<>;,=:])|\S")
_TEMPLATE = regex(rb"\s*(?:extern\s+)?template\s*(?=<)")
_INSTANTIATION = regex(rb"\s*(?:extern\s+)?template\b(?!\s*<)")
_NAMED = regex(rb"\s*namespace\b")
_USING_ALL = regex(rb"\s*using\s+namespace\b")
_CLASS = regex(rb"\s*(?:(?:typedef|static|const|extern)\s+)*(?:class|struct|union|enum)\b")
_TYPE = regex(rb"\s*(?:(?:static|const|extern)\s+)*(?:(?:class|struct|union)\b[^({;]*[{;]|typedef\b|using\b)")
_MEMBER = regex(rb"(?!\s*using\b)[^({;=]*[\w>]\s*::\s*(?:~?\w+|operator[^\w({;]+|operator\b[^({;=]+)\s*[({=;]")
_USING = regex(rb"\s*using\s+(?:typename\s+)?(?:::)?(?:\w+\s*(?:<[^;]*>\s*)?::\s*)*(\w+)\s*[=;\[]")
_POINTED = regex(rb"\(\s*[*&]\s*([A-Za-z_]\w*)\s*\)\s*\(")  # `typedef float (*name)(int)`
_NAMESPACE = regex(rb"(?P<inline>inline\s+)?\bnamespace\b\s*(?:\[\[[^\]]*\]\]\s*)?(?P<name>[\w\s:]*)\{\s*\Z")
_OPERATOR = b"operator"
_OPENS, _CLOSES = b"([{", b")]}"
WORDS = frozenset(
    b"template typename class struct union enum using namespace typedef static extern inline const constexpr volatile"
    b" friend virtual explicit public private protected operator decltype noexcept auto void bool char short int long"
    b" float double signed unsigned if else for while do switch case return sizeof alignas alignof true false".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One item of a file. `line`: where its first word stands, or a comment's first line, counted from 1.

    `declares`: the names that it may bear; `names`: all that stand in it, `a::b` as such. `lines`: its preprocessor
    lines, and an empty one for each of its others. `namespaces`: those around it.
    """

    kind: Kind
    text: bytes
    line: int
    declares: frozenset[bytes]
    names: frozenset[bytes]
    lines: bytes = b""
    namespaces: tuple[bytes, ...] = ()
    first: bytes = b""  # its first word, which may be a macro that stands for all of it
    kernel: bool = False
    operator: bool = False  # it defines one, which is called by no name
    member: bool = False  # it defines what a class declares
    always: bool = False  # it is needed whatever is named
    draws: bool = False  # it is a directive to use all names of a namespace
    is_template: bool = False
    is_type: bool = False  # it declares a class, or gives a type a name
    is_alias: bool = False  # it gives a namespace another name

    @property
    def last_line(self) -> int:
        return self.line + self.text.strip().count(b"\n")

    @property
    def is_line(self) -> bool:
        """Of the preprocessor."""
        return self.kind == "directive"

    @property
    def is_code(self) -> bool:
        return self.kind == "code"


@remembered(256)
def parts_of(content: bytes, dialect: Dialect) -> tuple[Part, ...]:
    """All of a file, in order."""
    line = 1
    around: list[bytes] = []
    found: list[Part] = []
    for item in ItemList(content, dialect.kernel).items:
        blank = item.text[: len(item.text) - len(item.text.lstrip())]
        part = part_of(item.kind, item.text, line + blank.count(b"\n"), dialect)
        found.append(replace(part, namespaces=tuple(around)))
        line += item.text.count(b"\n")
        if item.kind == "open":
            around.append(_opened(item.text))
        elif item.kind == "close" and around:
            around.pop()
    return tuple(found)


def _opened(text: bytes) -> bytes:
    """The namespace that it opens, "a::b"; "" of one without a name, an inline one, or `extern "C"`."""
    match = _NAMESPACE.search(text, skip_trivia(text, 0))
    return b"" if match is None or match["inline"] else b"".join(match["name"].split())


def part_of(kind: Kind, text: bytes, line: int, dialect: Dialect) -> Part:
    if kind == "directive":
        defined = _DEFINE.match(text, skip_trivia(text, 0))
        names = frozenset(_NAME.findall(text, defined.end())) if defined else frozenset()
        return Part(kind, text, line, frozenset(defined.groups()) if defined else frozenset(), names, always=True)
    if kind != "code":
        return Part(kind, text, line, frozenset(), frozenset(), always=True)
    masked = mask_for_grammar(text, dialect)
    plain = masked.plain
    lines = b" ".join(it.text for it in masked.lines)
    names = frozenset((*mentions(plain), *_NAME.findall(lines))) - WORDS
    if _USING_ALL.match(plain) or _INSTANTIATION.match(plain) or not names:
        return Part(
            kind,
            text,
            line,
            frozenset(),
            names,
            lines=_kept_lines(text, masked),
            always=not _INSTANTIATION.match(plain),
            draws=_USING_ALL.match(plain) is not None,
        )
    head = frozenset(declared(masked.code))
    kernel = any(it.name == "__global__" for it in masked.marks)
    first = _NAME.search(masked.code)
    return Part(
        kind,
        text,
        line,
        head - WORDS,
        names,
        operator=_OPERATOR in head,
        kernel=kernel,
        first=first[0] if first else b"",
        lines=_kept_lines(text, masked),
        is_template=_TEMPLATE.match(masked.code) is not None,
        is_type=_TYPE.match(masked.code, _past_templates(masked.code)) is not None,
        is_alias=_NAMED.match(masked.code) is not None,
        member=_MEMBER.match(masked.code) is not None,
    )


def _kept_lines(text: bytes, masked: MaskedCode) -> bytes:
    """But for those that include files: they are parts of the code that goes."""
    kept, at = b"", 0
    for line in masked.lines:
        if directive_name(line.text, 0) != "include":
            kept += b"\n" * text.count(b"\n", at, line.start) + line.text
            at = line.start + len(line.text)
    return kept + b"\n" * text.count(b"\n", at)


def mentions(code: bytes) -> Iterator[bytes]:
    """The names that stand in it, of `a::b` both `a` and `a::b`."""
    at, code = 0, _OF_TEMPLATE.sub(b">", code)
    while match := _MENTION.search(code, at):
        yield match[1]
        at = match.end(1)
        while match and match[2]:
            yield match[1] + b"::" + match[2]
            at = match.end(2)
            match = _MENTION.match(code, match.start(2))


def unqualified(names: Iterable[bytes]) -> frozenset[bytes]:
    """The last of each: `kernel` of `space::kernel`."""
    return frozenset(it.rpartition(b"::")[2] for it in names)


def declared(code: bytes) -> Iterator[bytes]:
    """The names of what is declared outside of all brackets, the classes before `::`, and `operator`.

    `code`: without comments, strings and annotations.
    """
    start = _past_templates(code)
    if used := _USING.match(code, start):
        yield used[1]
        return
    yield from (it[1] for it in _POINTED.finditer(code, start) if _is_outside(code[start : it.start()]))
    yield from _DEFINE_LINES.findall(code)
    head = _CLASS.match(code, start)
    is_enum = head is not None and head[0].endswith(b"enum")
    nesting, path = 0, [b""]  # the last name outside of brackets, with what qualifies it
    given = called = False  # what follows is an initialiser, or the bases of a class; parameters were listed
    converts = False  # what follows is the type that an operator makes
    angles, before = 0, b""
    for match in _TOKEN.finditer(code, start):
        token = match[0]
        inside = bool(nesting or angles or given)
        if match.lastgroup == "name":
            converts = converts or (not inside and path[-1] == _OPERATOR)
            if not inside and not converts:
                path = [*path, token] if before == b"::" else [token]
                if token == _OPERATOR:
                    yield token
            elif is_enum and nesting and not given:
                yield token  # an enumerator, or what one is made of
        elif token == b"<" and not nesting and not given and (converts or path[-1] != _OPERATOR):
            if head and not angles:
                yield from path
            angles += 1
        elif token == b">" and angles:
            angles -= 1
        elif token in _OPENS:
            if not inside and not (token == b"{" and called):
                yield from path
            given = given and not (head and token == b"{" and not nesting)
            called = called or (token == b"(" and not inside)
            nesting += 1
        elif token in _CLOSES:
            nesting -= nesting > 0
        elif not nesting and not angles and token in (b";", b",", b"=", b":"):
            if not given and not called:
                yield from path
            given = token in (b"=", b":")
        before = token


def _is_outside(before: bytes) -> bool:
    """Whether what follows stands in no brackets: it is neither a parameter nor a member."""
    return before.count(b"(") == before.count(b")") and before.count(b"{") == before.count(b"}")


_DEFINE_LINES = regex(rb"(?m)^\s*#\s*define\s+([A-Za-z_]\w*)")


def _past_templates(code: bytes) -> int:
    """Past the parameter lists of templates at the start."""
    at = 0
    while match := _TEMPLATE.match(code, at):
        at = _closed(code, match.end())
    return at


def _closed(code: bytes, start: int) -> int:
    """Past the angle bracket that closes the one at `start`; the end, if none does."""
    angles = nesting = 0
    for at in range(start, len(code)):
        byte = code[at : at + 1]
        if byte in _OPENS:
            nesting += 1
        elif byte in _CLOSES:
            nesting -= 1
        elif byte == b"<" and not nesting:
            angles += 1
        elif byte == b">" and not nesting:
            angles -= 1
            if not angles:
                return at + 1
    return len(code)
