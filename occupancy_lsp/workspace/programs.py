"""Programs that a host puts together from files: it includes them one after another, each a string of its own.

    Routine(queue, {
    #include "kernels/common.opencl"
        ,
    #include "kernels/dot.opencl"
    })

What stands between two of them may join strings or list them; anything else ends the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.reads import note
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.registry import HOSTED_SUFFIXES
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.sema.translation_unit import IncludedFile
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.walk import MAX_BYTES, Stamp, stamp

_INCLUDE = regex(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\r\n\0]+)"', re.MULTILINE)
_COMMENT = regex(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_REACH = 4096  # bytes between two parts

_MOST = 16  # programs of one file
Program = tuple[str, ...]  # its files as the host names them, in order


def programs_of(content: bytes) -> tuple[Program, ...]:
    """Those that a host source includes."""
    return tuple(_programs(content))


def _programs(content: bytes) -> Iterator[Program]:
    files: list[str] = []
    end = 0
    for match in _INCLUDE.finditer(content):
        named = match[1].decode("utf-8", "surrogateescape")
        if not named.lower().endswith(HOSTED_SUFFIXES):
            continue
        if files and not _joins(content, end, match.start()):
            yield tuple(files)
            files = []
        files.append(named)
        end = match.end()
    if files:
        yield tuple(files)


def _joins(content: bytes, start: int, end: int) -> bool:
    """Whether nothing but commas and comments stands there."""
    return end - start <= _REACH and not _COMMENT.sub(b"", content[start:end]).strip(b" \t\r\n\f\v,")


class Programs:
    """Remembers what it has read for as long as the files on disk stay as they are."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[Path, tuple[Stamp | None, tuple[Program, ...]]] = {}

    def copy(self, index: Index) -> Programs:
        same = Programs(index)
        same._known = {**self._known}
        return same

    def adopt(self, copy: Programs) -> None:
        """Remember what a copy has read."""
        self._known.update(copy._known)

    def rest(self) -> None:
        """Nobody asks now."""
        self._known.clear()

    def holding(self, path: Path, dialect: Dialect) -> tuple[IncludedFile, ...]:
        """The programs that the file is a part of, each as a text that includes its parts; equal ones are one."""
        found: dict[tuple[Path | None, ...], IncludedFile] = {}
        for host in self._index.includers(path):
            for files in self._of(host):
                parts = tuple(self._index.resolve(it, True, host, ()) for it in files)
                if path in parts and parts not in found and len(found) < _MOST:
                    found[parts] = _text(str(host), files, dialect)
        return tuple(found.values())

    def _of(self, host: Path) -> tuple[Program, ...]:
        note(str(host), MAX_BYTES)
        now = stamp(host)
        known = self._known.get(host)
        if known is None or known[0] != now:
            read = read_file(host, MAX_BYTES) if now else None
            known = self._known[host] = now, programs_of(read.data) if isinstance(read, Content) else ()
        return known[1]


@remembered(256)
def _text(host: str, files: Program, dialect: Dialect) -> IncludedFile:
    """`once` holds for no program: a host may include a part in several."""
    content = "".join(f'#include "{it}"\n' for it in files).encode("utf-8", "surrogateescape")
    return IncludedFile(host, Source(content, dialect).placed_items(), False, False)
