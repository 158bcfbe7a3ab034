"""Which names the preprocessor's conditions ask about, around each part and around the #includes of each file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from occupancy_lsp.core.regex import regex
from occupancy_lsp.slices.parts import Part

_BRANCH = regex(rb"^[ \t]*#[ \t]*(if|ifn?def|elif|elifn?def|else|endif)\b((?:\\\r?\n|(?!//).)*)", re.MULTILINE)
_COMMENT = regex(rb"/\*.*?(?:\*/|\Z)", re.DOTALL)
_HEADER = regex(rb"__has_include(?:_next)?\s*\(\s*[<\"]([^>\"\n]*)[>\"]\s*\)")
_NAME = regex(rb"[A-Za-z_]\w*")
Names = frozenset[bytes]  # of macros; `<a.h>` asks whether there is such a header
Site = tuple[str, Names]  # a file that includes another, and the names in the conditions around that


def branches(text: bytes) -> Iterator[tuple[bytes, Names]]:
    """The directives that choose, by their words, with the names in their conditions."""
    for word, line in _BRANCH.findall(text) if b"#" in text else ():
        condition = _COMMENT.sub(b" ", line)
        headers = (b"<%b>" % it for it in _HEADER.findall(condition))
        yield word, frozenset((*_NAME.findall(_HEADER.sub(b" ", condition)), *headers))


def inside(part: Part) -> Names:
    """The names in the conditions within a part."""
    return frozenset[bytes]().union(*(names for _, names in branches(part.lines)))


def around(parts: Sequence[Part]) -> Iterator[Names]:
    """The names in the conditions around each part of a file."""
    stack: list[Names] = []
    for part in parts:
        for word, names in branches(part.text if part.is_line else part.lines):
            if word.startswith(b"if"):
                stack.append(names)
            elif stack:
                stack[-1:] = [] if word == b"endif" else [stack[-1] | names]
        yield frozenset[bytes]().union(*stack)


def with_alternatives(parts: Sequence[Part]) -> Names:
    """The names in conditions of a file that have an #else or an #elif."""
    stack: list[Names] = []
    found = frozenset[bytes]()
    for part in parts:
        for word, names in branches(part.text if part.is_line else part.lines):
            if word.startswith(b"if"):
                stack.append(names)
            elif stack and word == b"endif":
                stack.pop()
            elif stack:
                found |= stack[-1] | names
    return found


def around_files(sites: Mapping[str, Sequence[Site]], sure: Set[str]) -> Mapping[str, Names]:
    """The names in the conditions that decide whether any of a file is there. `sites`: where each file is included;
    `sure`: the files that are surely included."""
    found: dict[str, Names] = dict.fromkeys(sites.keys() - sure, frozenset())
    included = _by_first((includer, path) for path in found for includer, _ in sites[path])
    todo = [*found]
    while todo:
        path = todo.pop()
        names = found[path].union(*(more | found.get(includer, frozenset()) for includer, more in sites[path]))
        if names != found[path]:
            found[path] = names
            todo += included.get(path, ())
    return found


def surely_included(main: str, unconditional: Iterable[tuple[str, str]]) -> Set[str]:
    """The files that are reached by #includes without conditions. `unconditional`: who includes whom."""
    included = _by_first(unconditional)
    found, todo = {main}, [main]
    while todo:
        new = included.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def _by_first(pairs: Iterable[tuple[str, str]]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for first, second in pairs:
        found[first].add(second)
    return found
