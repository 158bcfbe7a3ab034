"""What the entries of all files say together: which file an include means, who includes whom, where a kernel is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from operator import attrgetter
from pathlib import Path

from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.registry import HOSTED_SUFFIXES
from occupancy_lsp.workspace.foreign import is_foreign
from occupancy_lsp.workspace.host_macros import ANY
from occupancy_lsp.workspace.scan import Entry
from occupancy_lsp.workspace.walk import UNITS, Folder

_Table = Mapping[str, tuple[str, ...]]


_MOST_ROOTS, _MOST_HEADERS = 8, 2_000
_OF_HEADERS = regex(r"(?:^|(?<=/))(?:includes?|inc|headers?)/\Z")  # a part's folder of headers


class Graph:
    """The files at one moment, by their paths from the root; every answer is remembered as long as this lives.

    Answers are only ever added, and two threads that find one find the same: any thread may ask.
    Who includes whom is told without a compiler's flags: by what is beside the includer, and by names there once only.
    """

    def __init__(self, folder: Folder, entries: Mapping[str, Entry]) -> None:
        self.folder = folder
        self.entries = entries
        self._found: dict[tuple[str, bool, str, tuple[str, ...]], str | None] = {}
        self._meant: dict[tuple[str, bool, str, tuple[Path, ...]], Path | None] = {}
        self._on_disk: dict[str, str | None] = {}
        self._targets: dict[str, tuple[str, ...]] = {}
        self._aliases: dict[str, tuple[str, ...]] = {}
        self._written: dict[str, frozenset[str]] = {}
        self._roots: dict[tuple[str, int], tuple[str, ...]] = {}
        self._including: dict[str, frozenset[str]] = {}

    def with_entries(self, entries: Mapping[str, Entry], changed: Set[str]) -> Graph:
        """The graph after a change at some places. What an include means hangs on which files there are only."""
        after = Graph(self.folder, entries)
        if entries.keys() == self.entries.keys() >= changed:
            after._found, after._meant, after._on_disk = self._found, self._meant, self._on_disk
            # Each copy is made in one step: other threads may add to it.
            after._targets = self._targets.copy()
            for path in changed:
                after._targets.pop(path, None)
            after._take_tables(self, changed)
        return after

    def rested(self) -> Graph:
        """The same, without what was found out since."""
        after = Graph(self.folder, self.entries)
        after._targets = self._targets
        if "includers" in vars(self):
            after.includers = self.includers
        return after

    def _take_tables(self, before: Graph, changed: Set[str]) -> None:
        """What all files say together: as before, but for what those changed say. The same files are there."""
        known = vars(before)
        was, now = ({path: it.entries[path] for path in changed} for it in (before, self))
        if "_by_name" in known:
            self._by_name = before._by_name
        if "includers" in known:
            targets = [{path: it._targets_of(path) for path in changed} for it in (before, self)]
            self.includers = _exchanged(before.includers, *targets)
        for name, said in _TABLES.items():
            if name in known:
                rows = [{path: said(it) for path, it in entries.items()} for entries in (was, now)]
                setattr(self, name, _exchanged(known[name], *rows))

        def same(*fields: str) -> bool:
            said = attrgetter(*fields)
            return all(said(it) == said(now[path]) for path, it in was.items())

        if "_given" in known and same("given", "builds"):
            self._given = before._given
            self.given_in_options = before.given_in_options
        if "_given_by_hosts" in known and same("given"):
            self._given_by_hosts = before._given_by_hosts
        if "program_options" in known and same("options"):
            self.program_options = before.program_options
        if same("includes"):
            self._roots = before._roots
            self._including = before._including
        if same("includes", "optional"):
            self._written = before._written
        if same("includes", "aliases"):
            self._aliases = before._aliases

    @cached_property
    def digest(self) -> bytes:
        """Of what the files say; nobody asks how many lines they have."""
        said = sha256()
        for path in sorted(self.entries):
            said.update(repr((path, replace(self.entries[path], lines=0))).encode("utf-8", "surrogateescape"))
        return said.digest()

    # -- includes

    def meant(self, text: str, quoted: bool, includer: str, include_dirs: tuple[Path, ...]) -> Path | None:
        """`resolve` in the terms of the disk."""
        asked = (text, quoted, includer, include_dirs)
        if asked not in self._meant:
            beside = os.path.dirname(os.path.abspath(includer))
            found = self.resolve(text, quoted, beside, tuple(map(str, include_dirs)))
            self._meant[asked] = self.folder.absolute(found) if found else None
        return self._meant[asked]

    def resolve(self, text: str, quoted: bool, beside: str, include_dirs: tuple[str, ...]) -> str | None:
        """`beside`: the includer's folder."""
        asked = (text, quoted, beside, include_dirs)
        if asked not in self._found:
            places = (beside, *include_dirs) if quoted else include_dirs
            self._found[asked] = self._resolve(text.replace("\\", "/"), places, beside)
        return self._found[asked]

    def _resolve(self, text: str, places: Iterable[str], beside: str) -> str | None:
        for place in places:
            relative = self.folder.relative(os.path.join(place, text))
            if relative and (found := self.file(relative)):
                return found
        return self._only_one(text, beside)

    def file(self, relative: str) -> str | None:
        """The file at a path that may lead over links; also one that is not indexed."""
        if relative in self.entries:
            return relative
        if relative not in self._on_disk:
            self._on_disk[relative] = self.folder.file(relative)
        return self._on_disk[relative]

    def _only_one(self, text: str, beside: str) -> str | None:
        """The only file whose path ends as written; of several, the only one of the part where the includer stands:
        `part/a/b.h` or `part/include/a/b.h` for what `part/src/c.cu` calls `a/b.h`, where other parts have one, too."""
        path = os.path.normpath(text).replace(os.sep, "/")
        if is_foreign(path):
            return None
        named = self._by_name.get(path.rpartition("/")[2], ())
        ending = [it for it in named if it == path or it.endswith("/" + path)]
        if len(ending) > 1:
            here = f"{self.folder.relative(beside) or ''}/"
            roots = {it: it.removesuffix(path) for it in ending}
            own = [it for it, root in roots.items() if here.startswith(root)]
            ending = own or [it for it, root in roots.items() if here.startswith(_OF_HEADERS.sub("", root))]
        return ending[0] if len(ending) == 1 else None

    def is_named_once(self, path: str) -> bool:
        return len(self._by_name.get(path.rpartition("/")[2], ())) == 1

    @cached_property
    def _by_name(self) -> _Table:
        return _table((path.rpartition("/")[2], path) for path in self.entries)

    @cached_property
    def includers(self) -> _Table:
        """Of each file, those that include it directly."""
        return _table((target, path) for path in self.entries for target in self._targets_of(path))

    def _targets_of(self, path: str) -> tuple[str, ...]:
        return tuple(target for target in self._included(path) if target != path)

    def includes_itself(self, path: str) -> bool:
        return path in self.entries and path in self._included(path)

    def _included(self, path: str) -> tuple[str, ...]:
        if path not in self._targets:
            beside = os.path.dirname(self.folder.path + path)
            found = (self.resolve(text, quoted, beside, ()) for text, quoted in self.entries[path].includes)
            self._targets[path] = tuple(filter(None, found))
        return self._targets[path]

    def roots_including(self, path: str, limit: int) -> tuple[str, ...]:
        """Nearest first: files that a compiler is started on and nobody includes, which reach `path`."""
        if (path, limit) not in self._roots:
            self._roots[path, limit] = self._climb(path, limit)
        return self._roots[path, limit]

    def _climb(self, path: str, limit: int) -> tuple[str, ...]:
        roots: list[str] = []
        seen, level = {path}, [path]
        while level and len(roots) < limit:
            level = sorted({it for below in level for it in self.includers.get(below, ())} - seen)
            seen.update(level)
            roots += (it for it in level if it not in self.includers and it.lower().endswith(UNITS))
        return tuple(roots[:limit])

    def aliases(self, path: str) -> tuple[str, ...]:
        if path not in self._aliases:
            self._aliases[path] = self._closure(path)
        return self._aliases[path]

    def _closure(self, path: str) -> tuple[str, ...]:
        seen = self._reached([path, *self.roots_including(path, _MOST_ROOTS)])
        return tuple(sorted({line for it in seen for line in self.entries[it].aliases}))

    def _reached(self, todo: list[str]) -> set[str]:
        """These files, and all that they include."""
        seen: set[str] = set()
        while todo and len(seen) < _MOST_HEADERS:
            here = todo.pop()
            if here not in seen and here in self.entries:
                seen.add(here)
                todo += self._included(here)
        return seen

    def included(self, path: str) -> Set[str]:
        return self._reached([path]) - {path}

    def including(self, path: str) -> frozenset[str]:
        """Return the files that include this one, directly or not."""
        if path not in self._including:
            seen, todo = set[str](), [path]
            while todo:
                new = {*self.includers.get(todo.pop(), ())} - seen
                seen |= new
                todo += new
            self._including[path] = frozenset(seen - {path})
        return self._including[path]

    def is_in_unit_of(self, path: str, other: str, limit: int) -> bool:
        """Return whether a translation unit that `other` is part of has this file, too. `limit`: of units looked at."""
        including = self.including(path)
        return any(it == path or it in including for it in (other, *self.roots_including(other, limit)))

    def include_folders(self, path: str) -> tuple[str, ...]:
        """Where a compiler has to look for the headers of this root that a file reaches, from the root; "" is the root.

        Those beside the file that includes them it finds by itself.
        """
        found: dict[str, None] = {}
        for includer in sorted(self._reached([path])):
            beside = os.path.dirname(self.folder.path + includer)
            for text, quoted in self.entries[includer].includes:
                target, name = self.resolve(text, quoted, beside, ()), os.path.normpath(text).replace(os.sep, "/")
                near = self.folder.relative(os.path.join(beside, text)) if quoted else None
                if target is not None and target != near and f"/{target}".endswith(f"/{name}"):
                    found[target[: len(target) - len(name)].rstrip("/")] = None
        return tuple(sorted(found))

    def included_by_unit(self, path: str) -> frozenset[str]:
        """What the nearest translation unit that the file is part of includes, as written, whatever macros it sets."""
        if path not in self._written:
            seen = self._reached([*(self.roots_including(path, 1) or (path,))])
            said = (self.entries[it] for it in seen)
            self._written[path] = frozenset(text for it in said for text, _ in it.includes if text not in it.optional)
        return self._written[path]

    def optional_in_unit(self, path: str) -> frozenset[str]:
        """What that includes where a macro asks for it."""
        seen = self._reached([*(self.roots_including(path, 1) or (path,))])
        return frozenset(text for it in seen for text in self.entries[it].optional)

    def given_by_hosts(self, seen: Set[str]) -> frozenset[str] | None:
        """None where no host is in sight, or one puts a name together. `seen`: files that are read themselves."""
        if self._given is None:
            return None
        return frozenset(name for path, names in self._given.items() if path not in seen for name in names)

    @cached_property
    def _given(self) -> Mapping[str, tuple[str, ...]] | None:
        found = {path: entry.given for path, entry in self.entries.items() if entry.given}
        known = any(it.builds for it in self.entries.values()) and not any(ANY in names for names in found.values())
        return found if known else None

    @cached_property
    def given_in_options(self) -> frozenset[str]:
        """Return those of hosts alone, not of OpenCL sources that may stand before others; ANY if one is not known."""
        return self._given_by_hosts if any(it.builds for it in self.entries.values()) else frozenset()

    @cached_property
    def given_in_strings(self) -> frozenset[str]:
        """Return those that programs may hand to a compiler that they run, but for names that are put together."""
        return self._given_by_hosts - {ANY}

    @cached_property
    def _given_by_hosts(self) -> frozenset[str]:
        hosts = (it for path, it in self.entries.items() if not path.endswith(HOSTED_SUFFIXES))
        return frozenset(name for it in hosts for name in it.given)

    @cached_property
    def program_options(self) -> tuple[str, ...]:
        """With what hosts may build OpenCL programs, of the options that choose how code is made; "" for none."""
        found = {options for it in self.entries.values() for options in it.options}
        return tuple(sorted(found)) or ("",)

    # -- kernels

    @cached_property
    def launching(self) -> _Table:
        return self._named("launching")

    @cached_property
    def with_objects(self) -> _Table:
        return self._named("with_objects")

    @cached_property
    def lowering(self) -> _Table:
        return self._named("lowering")

    @cached_property
    def defining(self) -> _Table:
        return self._named("defining")

    def _named(self, table: str) -> _Table:
        return _table((name, path) for path, entry in self.entries.items() for name in _TABLES[table](entry))


# What each file says, by which a table has it.
_TABLES: Mapping[str, Callable[[Entry], tuple[str, ...]]] = {
    "launching": attrgetter("launches"),
    "with_objects": attrgetter("objects"),
    "lowering": attrgetter("carve_outs"),
    "defining": attrgetter("kernels"),
}


def _table(pairs: Iterable[tuple[str, str]]) -> _Table:
    lists: dict[str, set[str]] = {}
    for key, value in pairs:
        lists.setdefault(key, set()).add(value)
    return {key: tuple(sorted(values)) for key, values in lists.items()}


def _exchanged(table: _Table, was: Mapping[str, Iterable[str]], now: Mapping[str, Iterable[str]]) -> _Table:
    """The table where some files, each with the keys that have it, say something else."""
    others = {key for path in was for key in {*was[path]} ^ {*now[path]}}
    if not others:
        return table
    found = {**table}
    for key in others:
        rest = {path for path in table.get(key, ()) if path not in was}
        found[key] = tuple(sorted(rest | {path for path, keys in now.items() if key in keys}))
        if not found[key]:
            del found[key]
    return found
