"""How the files of a workspace are compiled: by the compile database; else by build files, and by OpenCL's hosts, as
far as they choose how device code is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.source.lex.dialect import DEBUGGING, UNOPTIMISED
from occupancy_lsp.workspace.code_modes import every_mode
from occupancy_lsp.workspace.compile_commands import Command
from occupancy_lsp.workspace.compile_flags import Compilation, read_flags
from occupancy_lsp.workspace.index import Index

_MOST_UNITS = 8  # ways of one file that are told apart
_MOST_ROOTS = 64  # that include a header
_UNSAID = Compilation()
# The words of build files that such options are made of, and what they may say where no command is made out.
_TELLING = (
    (frozenset({"mwavefrontsize64"}), "-mwavefrontsize64"),
    (frozenset({"wavefrontsize64"}), "-mwavefrontsize64"),
    (frozenset({"mcumode"}), "-mcumode"),
    (frozenset({"cumode"}), "-mcumode"),
    (frozenset({"maxrregcount"}), ""),
    (frozenset({"gpu", "max", "threads", "per", "block"}), ""),
)


class CompiledAs:
    """Remembers its answers until files may have changed. `words`: those of the build files for a folder."""

    def __init__(self, index: Index, words: Callable[[Path], Set[str]]) -> None:
        self.database: Mapping[Path, tuple[Compilation, ...]] = {}
        self._index = index
        self._words = words
        self._known: dict[Path, tuple[Compilation, ...]] = {}
        self._of_roots: dict[Path, tuple[Compilation, ...]] = {}

    def clear(self) -> None:
        self._known.clear()
        self._of_roots.clear()

    def units(self, root: Path) -> tuple[Compilation, ...]:
        """The commands of the database for a file that say different things of its text; none: it has none.

        Of many, what all of them say: the macros that they define in several ways are in doubt.
        """
        apart = {(it.include_dirs, it.macros): it for it in reversed(self.database.get(root, ()))}
        several = tuple(reversed(apart.values()))
        if len(several) <= _MOST_UNITS:
            return several
        common = tuple(it for it in several[0].macros if all(it in other.macros for other in several))
        doubted = frozenset(it[0].partition("(")[0] for other in several for it in other.macros if it not in common)
        return (replace(several[0], macros=common, doubted=doubted),)

    def of(self, path: Path, hosted: bool) -> tuple[Compilation, ...]:
        """The ways in which the file is compiled, or all that include it. `hosted`: hosts compile it when they run."""
        if path not in self._known:
            self._known[path] = self._of_hosts(path) if hosted else self._of(path)
        return self._known[path]

    def _of_hosts(self, path: Path) -> tuple[Compilation, ...]:
        given = self.database.get(path, ())
        modes = every_mode(it.split() for it in self._index.program_options())
        return given or (replace(_UNSAID, modes=modes),)

    def _of(self, path: Path) -> tuple[Compilation, ...]:
        alone = path in self.database
        roots = () if alone else self._index.roots_including(path, _MOST_ROOTS + 1)
        if len(roots) > _MOST_ROOTS:
            return tuple(dict.fromkeys((_UNSAID, *(it for each in self.database.values() for it in each))))
        each = (it for root in roots or (path,) for it in self._of_root(root))
        return tuple(dict.fromkeys(each))

    def _of_root(self, root: Path) -> tuple[Compilation, ...]:
        if root not in self._of_roots:
            self._of_roots[root] = self.database.get(root) or self._by_build_files(root)
        return self._of_roots[root]

    def debugging(self, root: Path) -> tuple[tuple[str, str | None], ...]:
        """The macros that tell of device code that is not optimised, where build files say that it is not."""
        if self._index.root not in root.parents:
            return ()
        each = [
            tuple(it for it in made.macros if it[0] in (DEBUGGING, UNOPTIMISED))
            for made in _said(root, self._index.root)
        ]
        return each[0] if len(set(each)) == 1 else ()

    def _by_build_files(self, root: Path) -> tuple[Compilation, ...]:
        """A build file that says it only perhaps says both."""
        words = self._words(root.parent)
        telling = [word for needed, word in _TELLING if needed <= words]
        if not telling or self._index.root not in root.parents:
            return (_UNSAID,)
        perhaps = ((one, other) for one in ("", *telling) for other in ("", *telling))
        # Folders and macros are told by others.
        said = (replace(it, include_dirs=(), macros=()) for it in _said(root, self._index.root))
        return tuple(said) or tuple(read_flags(("", *it), "") for it in perhaps)


def _said(source: Path, root: Path) -> list[Compilation]:
    """What build files say of how it is compiled; in doubt both; nothing: they say nothing."""
    from occupancy_lsp.workspace.build_commands import command_by_build_file  # slow to load, and rarely asked

    unlike: list[Command] = []

    def alike(commands: Sequence[Command]) -> bool:
        same = len({replace(_read(it), include_dirs=()) for it in commands}) == 1
        unlike.extend(() if same else commands)
        return same

    made = command_by_build_file(source, root, alike)
    if made is None or unlike:
        return list(map(_read, unlike))
    command, doubted = made[0].command, made[0].doubted
    return [_read(command), _read(replace(command, arguments=(*command.arguments, *doubted)))]


def _read(command: Command) -> Compilation:
    return read_flags(command.arguments, command.directory)
