"""A file and all of the workspace that it includes, in parts; what kernels reach of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.slices.conditions import (
    Names,
    Site,
    around,
    around_files,
    inside,
    surely_included,
    with_alternatives,
)
from occupancy_lsp.slices.hosts import defined_member, for_devices, only_hosts_call
from occupancy_lsp.slices.parts import WORDS, Part, declared, mentions, parts_of, unqualified
from occupancy_lsp.slices.predefined import is_predefined
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.top_level_scanner import skip_trivia

_MOST_FILES = 2_000
_INCLUDE = regex(rb'^([ \t]*#[ \t]*include[ \t]*)(?:"([^"\r\n]+)"|<([^>\r\n]+)>)', re.MULTILINE)
_ERROR = regex(rb"[ \t]*#[ \t]*error\b")
_NAME = regex(rb"[A-Za-z_]\w*")
# Types that C, C++ and CUDA have already, whatever a macro is given them for.
_OF_C = regex(
    rb"(?:std::)?u?int(?:_fast|_least)?(?:8|16|32|64)_t|(?:std::)?(?:size|ptrdiff|u?intptr|nullptr)_t"
    rb"|(?:__)?half2?|(?:__)?nv_bfloat162?|__nv_fp8_e[45]m[23]|(?:u?char|u?short|u?int|u?long|float|double)[1-4]"
)
_ENDS = regex(rb"[;{}]")
_COMMENTS = regex(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_QUALIFIES = regex(rb"([A-Za-z_]\w*)\s*::")
_VALUE = regex(rb"#[ \t]*define[ \t]+\w+[ \t(]+(?!//)\S")
_MACRO = regex(rb"#\s*define\s+([A-Za-z_]\w*)\([^)]*\)(.*)", re.DOTALL)
_PARAMETERS = regex(rb"#\s*define\s+\w+\(([^)]*)\)")
_TAKEN_BACK = regex(rb"#\s*undef\s+([A-Za-z_]\w*)")
_LAYOUT = regex(rb"#\s*pragma\s+(?:pack|push_macro|pop_macro)\b")

Key = tuple[str, int]  # a file, and which of its parts
# What an #include of this text, quoted or not, means in a file; None: no file of the workspace.
Resolve = Callable[[str, bool, str], str | None]
Read = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class File:
    """`meant`: the files that its #includes mean, by their texts and whether quoted; None: none that is in sight."""

    path: str
    parts: tuple[Part, ...]
    meant: Mapping[tuple[str, bool], str | None]


def includes(text: bytes) -> Iterator[tuple[str, bool]]:
    for match in _INCLUDE.finditer(text):
        quoted = match[2] is not None
        yield (match[2] if quoted else match[3]).decode("utf-8", "surrogateescape"), quoted


def read_program(path: str, resolve: Resolve, read: Read, dialect: Dialect) -> Program | None:
    """None: the file cannot be read, or too many belong to it."""
    found: dict[str, File] = {}
    todo = [path]
    while todo:
        here = todo.pop()
        if here in found:
            continue
        content = read(here)
        if content is None or len(found) >= _MOST_FILES:
            return None
        parts = parts_of(content, dialect)
        meant = {it: resolve(*it, here) for it in dict.fromkeys(includes(content))}
        found[here] = File(here, parts, meant)
        todo += [it for it in meant.values() if it is not None]
    return Program(path, found, dialect)


@dataclass(eq=False)
class Program:
    main: str
    files: Mapping[str, File]
    dialect: Dialect

    def part(self, key: Key) -> Part:
        return self.files[key[0]].parts[key[1]]

    def on_device(self, key: Key) -> tuple[Part, bool]:
        """Nothing is told of what a macro makes."""
        part = self.part(key)
        if key in self.host_members:
            return replace(part, text=part.lines, names=frozenset()), True
        return (part, False) if key in self.made else for_devices(part, self.dialect)

    @cached_property
    def host_members(self) -> frozenset[Key]:
        """Definitions of members that all their classes in sight declare for hosts alone."""
        found = set[Key]()
        for key in {*self.places()} - self.made:
            if member := defined_member(self.part(key), self.dialect):
                class_, name, typed = member
                types = [it for it in map(self.part, self.by_name.get(class_, ())) if it.is_type]
                if types and all(only_hosts_call(it.text, name, typed) for it in types):
                    found.add(key)
        return frozenset(found)

    def places(self) -> Iterator[Key]:
        for path, file in self.files.items():
            for index in range(len(file.parts)):
                yield path, index

    @cached_property
    def by_name(self) -> Mapping[bytes, Sequence[Key]]:
        """The parts that may declare a name."""
        found: dict[bytes, list[Key]] = defaultdict(list)
        for key in self.places():
            for name in self.part(key).declares:
                found[name].append(key)
        for key, names, _ in self.makers:
            for name in names:
                found[name].append(key)
        return {name: keys for name, keys in found.items() if name not in self.namespaces}

    @cached_property
    def namespaces(self) -> frozenset[bytes]:
        """The names of all, one by one."""
        every = {it for key in self.places() for it in self.part(key).namespaces}
        return frozenset((b"std", *_NAME.findall(b" ".join(every))))

    def is_any(self, namespace: bytes) -> bool:
        """Whether it may have another name, which a macro of the files or the command gives it."""
        return namespace in self.macros or namespace.isupper()

    @cached_property
    def qualifying(self) -> frozenset[bytes]:
        """What stands before `::` somewhere."""
        every = [self.part(it) for it in self.places()]
        names = frozenset[bytes]().union(*(it.names for it in every))
        in_macros = _QUALIFIES.findall(b"\n".join(it.text for it in every if it.is_line))
        return frozenset((*(it.partition(b"::")[0] for it in names if b"::" in it), *in_macros))

    @cached_property
    def closed(self) -> frozenset[bytes]:
        """The namespaces that draw on no other, so that all their names are declared in them."""
        return self.namespaces.difference(*(_spaces(part) for part in map(self.part, self.places()) if part.draws))

    @cached_property
    def classes(self) -> frozenset[bytes]:
        """Names of types, which stand for nothing else that may be qualified."""
        every = [self.part(key) for key in self.places()]
        types = frozenset[bytes]().union(*(it.declares for it in every if it.is_type))
        return types.difference(self.namespaces, *(it.declares for it in every if it.is_line or it.is_alias))

    @cached_property
    def operators(self) -> Sequence[tuple[Key, frozenset[bytes]]]:
        """With the names in the heads."""
        found = [key for key in self.places() if self.part(key).operator]
        return [(key, frozenset(_NAME.findall(self.part(key).text.partition(b"{")[0]))) for key in found]

    @cached_property
    def makers(self) -> Sequence[tuple[Key, frozenset[bytes], frozenset[bytes]]]:
        """Where a macro that is in sight stands as a declaration: what it may declare, and parts of such names."""
        bodies: dict[bytes, bytes] = {}
        for key in self.places():
            if match := _MACRO.match(self.part(key).text.lstrip()) if self.part(key).is_line else None:
                bodies[match[1]] = bodies.get(match[1], b"") + match[2]
        found = []
        for key in self.places():
            part = self.part(key)
            if part.is_code and (body := bodies.get(part.first)) is not None:
                given = part.names - {part.first, b"std"}
                if b"operator" not in body:  # which is called by what it is of
                    given = frozenset(it for it in given if not _OF_C.fullmatch(it))
                pasted = frozenset(it for it in given if len(it) > 2) if b"##" in body else frozenset()
                found.append((key, given | frozenset(declared(body)), pasted))
        return found

    @cached_property
    def made(self) -> frozenset[Key]:
        return frozenset(key for key, _, _ in self.makers)

    @cached_property
    def takes_at_launch(self) -> bool:
        """Whether any code of it may take shared memory at launch."""
        said = (it for key in self.places() for it in _ENDS.split(self.part(key).text))
        return any({b"extern", b"__shared__"} <= {*_NAME.findall(it)} for it in said if b"__shared__" in it)

    def asked(self, kept: Iterable[Key], on_host: bool = False) -> frozenset[str]:
        """The macros that decide whether, or what of, these parts is compiled, and that no file defines, or only if
        nothing else does; `<a.h>`: whether there is such a header. `on_host`: with what only a host runs."""
        found: set[bytes] = set()
        named: set[bytes] = set()
        for key in kept:
            part = self.part(key) if on_host else self.on_device(key)[0]
            named |= part.names
            found |= self._around[key] | inside(part)
        for key, names in self._unnamed:
            found |= self._around[key] if not names or names & named else frozenset()
        return self._open(found)

    def surely_includes(self, header: str) -> bool:
        """Whether any of its files does, whatever others define."""
        said = (key for key in self.places() if b"include" in self.part(key).text)
        found = [key for key in said if any(it == header for it, _ in includes(self.part(key).text))]
        return any(not self._open(self._around[key]) for key in found)

    def asserts(self, kept: Iterable[Key]) -> bool:
        """Whether NDEBUG decides what of these parts is compiled."""
        every = [(key, self.on_device(key)[0]) for key in kept]
        return any(b"assert" in part.names or b"NDEBUG" in self._around[key] | inside(part) for key, part in every)

    def asked_at(self, path: str, line: int) -> frozenset[str]:
        """Those that decide whether a line is compiled."""
        here = [(key, part) for key, part in self._parts(path) if part.line <= line <= part.last_line]
        return self._open(frozenset[bytes]().union(*(self._around[key] | inside(part) for key, part in here)))

    def asked_around(self, key: Key) -> frozenset[str]:
        """The macros in the conditions around a part that no file defines."""
        found = self._around[key] - self.macros
        return frozenset(it.decode() for it in found if not (is_predefined(it) or it.startswith(b"<")))

    def _open(self, names: Iterable[bytes]) -> frozenset[str]:
        """Of these, and of what decides about them, what the files do not define by themselves."""
        found = self._behind(names, self._around) - (self.macros - self.defaults)
        return frozenset(it.decode() for it in found if not is_predefined(it))

    def _behind(self, names: Iterable[bytes], around: Mapping[Key, Names]) -> Set[bytes]:
        """With the names that decide whether these are defined, and as what."""
        found: set[bytes] = set()
        todo = {*names}
        while todo:
            found |= todo
            keys = {key for name in todo for key in self._definitions.get(name, ())}
            todo = {it for key in keys for it in (*around[key], *_in_body(self.part(key)))} - found
        return found

    @cached_property
    def _definitions(self) -> Mapping[bytes, Sequence[Key]]:
        """The lines that define a macro or take it back."""
        found: dict[bytes, list[Key]] = defaultdict(list)
        for key in self.places():
            for name in (*self.part(key).declares, *_taken_back(self.part(key))) if self.part(key).is_line else ():
                found[name].append(key)
        return found

    @cached_property
    def _unnamed(self) -> Sequence[tuple[Key, Names]]:
        """What changes parts that do not name it: #undefs, with their macros; layouts, macros that are called like
        words of the language, directives to use a namespace."""
        every = [(key, self.part(key), _taken_back(self.part(key))) for key in self.places()]
        any_ = [
            key for key, it, _ in every if it.draws or (it.is_line and (it.declares & WORDS or _LAYOUT.search(it.text)))
        ]
        return [*((key, names) for key, _, names in every if names), *((key, frozenset[bytes]()) for key in any_)]

    def only_defined_or_not(self, macro: str) -> bool:
        """Whether all that is ever asked of it is whether it is defined, so that its text does not matter."""
        name = re.escape(macro.encode())
        asked = re.compile(rb"#\s*ifn?def\s+%b\b|\bdefined\s*(?:\(\s*%b\s*\)|%b\b)" % (name, name, name))
        texts = (_COMMENTS.sub(b" ", self.part(it).text) for it in self.places())
        return not any(re.search(rb"\b%b\b" % name, asked.sub(b"", it)) for it in texts if macro.encode() in it)

    @cached_property
    def macros(self) -> frozenset[bytes]:
        """Those that the files define."""
        return frozenset[bytes]().union(*(it.declares for it in map(self.part, self.places()) if it.is_line))

    @cached_property
    def defaults(self) -> frozenset[bytes]:
        """Those that the files give values only under conditions that name them: guards of headers have none, nor has
        their condition an alternative."""
        alternatives = frozenset[bytes]().union(*(with_alternatives(it.parts) for it in self.files.values()))
        parts = ((key, self.part(key)) for key in self.places() if self.part(key).is_line)
        said = [
            key for key, it in parts if it.declares & alternatives or _VALUE.match(it.text, skip_trivia(it.text, 0))
        ]
        certain = frozenset[bytes]().union(*(self.part(it).declares - self._within[it] for it in said))
        return frozenset[bytes]().union(*(self.part(it).declares for it in said)) - certain

    @cached_property
    def _around(self) -> Mapping[Key, Names]:
        """The names in the conditions around each part, and around its file."""
        files = around_files(self._sites, self._sure)
        return {key: names | files.get(key[0], frozenset()) for key, names in self._within.items()}

    @cached_property
    def _within(self) -> Mapping[Key, Names]:
        """The names in the conditions around each part in its file."""
        files = ((path, around(file.parts)) for path, file in self.files.items())
        return {(path, index): names for path, found in files for index, names in enumerate(found)}

    @cached_property
    def _sites(self) -> Mapping[str, Sequence[Site]]:
        found: dict[str, list[Site]] = defaultdict(list)
        for key, names in self._within.items():
            part, meant = self.part(key), self.files[key[0]].meant
            for path in filter(None, map(meant.get, includes(part.text) if b"include" in part.text else ())):
                found[path].append((key[0], names | inside(part)))
        return found

    @cached_property
    def _sure(self) -> Set[str]:
        """The files that are included whatever others define."""
        own = self.macros - self.defaults
        every = [(includer, path, names) for path, sites in self._sites.items() for includer, names in sites]
        return surely_included(
            self.main,
            (
                (it, path)
                for it, path, names in every
                if all(map(is_predefined, self._behind(names, self._within) - own))
            ),
        )

    def is_error(self, path: str, line: int) -> bool:
        """Whether an #error stands in a line."""
        text = b"".join(part.text for _, part in self._parts(path)) if path in self.files else b""
        return any(map(_ERROR.match, text.split(b"\n")[line - 1 : line]))

    def _parts(self, path: str) -> Iterator[tuple[Key, Part]]:
        return (((path, index), part) for index, part in enumerate(self.files[path].parts))

    def at(self, path: str, line: int) -> list[Key]:
        """The code that stands in a line; none: the file is none of the program's, or something else stands there."""
        file = self.files.get(path)
        if file is None:
            return []
        first = bisect_right([it.line for it in file.parts], line)
        while first and file.parts[first - 1].line == line:
            first -= 1
        around = range(max(first - 1, 0), bisect_right([it.line for it in file.parts], line))
        return [(path, at) for at in around if file.parts[at].is_code and file.parts[at].last_line >= line]

    def included_at(self, path: str, line: int) -> list[str]:
        """What a line of a file includes."""
        text = b"".join(it.text for it in self.files[path].parts) if path in self.files else b""
        return [name for name, _ in includes(b"".join(text.split(b"\n")[line - 1 : line]))]

    def kernels(self, header: str = "") -> tuple[Key, ...]:
        """Those of the file itself and of that header, and of what else it includes all but the templates that it does
        not name."""
        named = {name for it in self.files[self.main].parts for name in unqualified(it.names)}
        return tuple(
            key
            for key in self.places()
            if self.part(key).kernel and b"{" in self.part(key).text
            if key[0] in (self.main, header) or not self.part(key).is_template or self.part(key).declares & named
        )

    def reached(self, start: Iterable[Key], without: Set[Key] = frozenset(), texts: Iterable[str] = ()) -> set[Key]:
        """All parts that these and the texts name, directly or not."""
        return _Reach(self, without).of(start, mentions("; ".join(texts).encode()))

    def makers_of(self, kernels: Iterable[Key]) -> set[Key]:
        """The code of hosts that may make instances of these templates: what names them, and of that what is a
        template itself or a macro, what names that."""
        wanted = frozenset[bytes]().union(*(self.part(it).declares for it in kernels))
        left = {key: unqualified(self.part(key).names) for key in self.places() if not self.part(key).kernel}
        found: set[Key] = set()
        while more := {key for key in left.keys() - found if left[key] & wanted}:
            found |= more
            wanted = frozenset[bytes]().union(*map(self._makes_by, more)) - self.namespaces
        return {it for it in found if self.part(it).is_code}

    def _makes_by(self, key: Key) -> frozenset[bytes]:
        part = self.part(key)
        if not (part.is_template or part.is_line):
            return frozenset()
        return part.declares & self.classes or part.declares

    def pasted(self, key: Key) -> Iterator[Key]:
        """All of the files that are included in the midst of code."""
        if self.part(key).is_code and b"include" in self.part(key).text:
            file = self.files[key[0]]
            for path in filter(None, map(file.meant.get, includes(self.part(key).text))):
                yield from ((path, index) for index in range(len(self.files[path].parts)))

    def is_of_host(self, key: Key) -> bool:
        part = self.part(key)
        return part.is_code and not part.kernel and self.on_device(key)[1]


def _in_body(part: Part) -> Names:
    """What a macro's definition names besides its parameters."""
    taken = _PARAMETERS.match(part.text, skip_trivia(part.text, 0)) if part.declares else None
    return part.names - frozenset(_NAME.findall(taken[1])) if taken else part.names


def _taken_back(part: Part) -> Names:
    match = _TAKEN_BACK.match(part.text, skip_trivia(part.text, 0)) if part.is_line else None
    return frozenset(match.groups()) if match else frozenset()


def _spaces(part: Part) -> set[bytes]:
    return {it for name in part.namespaces for it in name.split(b"::")}


class _Reach:
    """`names`: all that stand in what is kept. `near`: the namespaces whose names these may mean. `far`: what has such
    a name in another one."""

    def __init__(self, program: Program, without: Set[Key]) -> None:
        self.program = program
        self.without = without
        self.kept: set[Key] = set()
        self.names: set[bytes] = set()
        self.near: set[bytes] = {b""}
        self.far: list[Key] = []

    def of(self, start: Iterable[Key], named: Iterable[bytes]) -> set[Key]:
        todo, new = [*start], {*named}
        while todo:
            for key in todo:
                new |= self.keep(key)
            new -= self.names
            self.names |= new
            self.near |= {it for name in new for it in name.split(b"::")} & self.program.namespaces
            todo = [key for name in new for key in self.meant_by(name)] + self.far
            self.far = [key for key in todo if not self.is_near(key)]
            todo = [key for key in todo if self.is_near(key) and key not in self.kept and key not in self.without]
            todo = todo or [key for key, head in self.program.operators if self.is_wanted(key, head)]
            new = set()
        return self.kept

    def keep(self, key: Key) -> frozenset[bytes]:
        """The names in it."""
        if key in self.kept:
            return frozenset()
        self.kept.add(key)
        part = self.program.part(key)
        if not part.is_code:
            return part.names
        self.near.update(_NAME.findall(b" ".join(part.namespaces)))
        names = self.program.on_device(key)[0].names
        return names.union(*(self.keep(it) for it in self.program.pasted(key)))

    def is_near(self, key: Key) -> bool:
        """Whether a name without more may mean it, or the namespace that it stands in is named as well."""
        names = (it.rpartition(b"::")[2] for it in self.program.part(key).namespaces)
        return all(it in self.near or self.program.is_any(it) for it in names)

    def meant_by(self, name: bytes) -> Iterator[Key]:
        qualifier, _, plain = name.rpartition(b"::")
        if qualifier in self.program.classes:
            return  # its members come with it
        found = self.program.by_name.get(plain, ())
        if qualifier in self.program.closed:
            found = [
                key
                for key in found
                if qualifier in (spaces := _spaces(self.program.part(key))) or any(map(self.program.is_any, spaces))
            ]
        yield from found
        for key, _, parts in self.program.makers:
            if any(it in plain for it in parts):
                yield key

    def is_wanted(self, key: Key, head: frozenset[bytes]) -> bool:
        """Whether an operator may be meant: one of its types is in use, or all of them come from elsewhere."""
        if key in self.kept or key in self.without or not self.is_near(key) or self.program.is_of_host(key):
            return False
        known = {it for it in head if it in self.program.by_name} - {b"operator"}
        return not known or bool(known & self.names)
