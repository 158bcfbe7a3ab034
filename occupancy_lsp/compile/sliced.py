"""What kernels need of their file, compiled alone: where the file as a whole does not compile, or for some of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path

from occupancy_lsp.compile.errors import Failure
from occupancy_lsp.compile.request import Expand, Request, Run
from occupancy_lsp.compile.rounds import Header, Rounds
from occupancy_lsp.compile.sight import Sight, name_of
from occupancy_lsp.compile.ways import Choice
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.slices.program import Key, Program, includes, read_program
from occupancy_lsp.slices.unit import asking_for
from occupancy_lsp.workspace.cmake.commands import configured_headers
from occupancy_lsp.workspace.cmake.configured import Configured
from occupancy_lsp.workspace.foreign import is_foreign
from occupancy_lsp.workspace.walk import MAX_BYTES

_NOTHING: Mapping[str, Configured] = {}
_MOST_COPIES = 8
Find = Callable[[str], Sequence[Path]]  # the folders that have a header


def _nowhere(header: str) -> Sequence[Path]:
    return ()


@dataclass(frozen=True, slots=True)
class Sliced:
    """`made`: as of `Compile`, of `request`. `left`: the kernels that it is not of, each with the reason. `missing`:
    headers. `rounded`: in the whole file, static shared memory may be rounded up to 16 bytes. `choices`: macros that
    one of these headers defines or does not, and that decide what kernels consist of. `configured`: headers that are as
    the defaults of the project's options have them. `assumed`: by kernels' plain names, what is taken for granted."""

    made: Path | Problem | str
    request: Request
    left: tuple[Problem, ...] = ()
    missing: tuple[str, ...] = ()
    rounded: bool = False
    choices: tuple[Choice, ...] = ()
    configured: tuple[str, ...] = ()
    assumed: Mapping[bytes, str] = field(default_factory=dict)

    def how(self, by: str) -> str:
        """What its counts are of, for people."""
        without = f", without {', '.join(self.missing[:3])}" if self.missing else ""
        made = f", with {', '.join(self.configured[:3])} as configured by default" if self.configured else ""
        return f"{by}; of the file only what its kernels need{without}{made}"


def compile_sliced(request: Request, sight: Sight, run: Run, find: Find, expand: Expand) -> Sliced | None:
    """`find`: the folders outside the workspace that have a header. None: there is nothing to compile, or one of the
    workspace's own headers may be meant, and nothing tells which."""
    if sight.dialect.device_only:  # there is nothing of a host in it
        return None
    program = _program(request, sight)
    kernels = program.kernels(sight.header) if program is not None else ()
    if program is None or not kernels:
        return None
    found = _sliced(program, kernels, request, sight, run, find, expand)
    if found is None or isinstance(found.made, Path) or not found.request.environment:
        return found
    return _sliced(program, kernels, without_environment(request), sight, run, _nowhere, expand, find) or found


def compile_kernels(
    request: Request, sight: Sight, run: Run, names: Set[str], find: Find, expand: Expand
) -> Sliced | None:
    """Those of the file with these names, with no more of an environment than the headers that have what they name.
    None: nothing can be told of all these without the rest of the file."""
    program = _program(request, sight) if not sight.dialect.device_only else None
    if program is None:
        return None
    plain = {name_of(it) for it in names}
    kernels = [it for it in program.kernels() if it[0] == program.main and program.part(it).declares & plain]
    if not plain <= frozenset[bytes]().union(*(program.part(it).declares for it in kernels)):
        return None
    sight = replace(sight, instances=tuple(it for it in sight.instances if name_of(it) in plain))
    found = _sliced(program, kernels, without_environment(request), sight, run, _nowhere, expand, find)
    return found if found is not None and (found.choices or (isinstance(found.made, Path) and not found.left)) else None


def undefined_around(request: Request, sight: Sight) -> str:
    """A macro that nothing in sight defines and the conditions around each kernel name; "": there is none."""
    program = _program(request, sight) if not sight.dialect.device_only else None
    around = [program.asked_around(it) for it in program.kernels(sight.header)] if program is not None else []
    given = {name.partition("(")[0] for name, _ in request.all_macros()}
    return min(frozenset.intersection(*around) - given, default="") if around else ""


def without_environment(request: Request) -> Request:
    """Some headers of an environment do not go with the file, and most are for the host's part of it."""
    folders = tuple(it for it in request.arguments.folders if it[1] not in request.environment)
    return replace(request, arguments=replace(request.arguments, folders=folders), environment=())


def _program(request: Request, sight: Sight, made: Mapping[str, Configured] = _NOTHING) -> Program | None:
    """An environment's headers are none of it: they are left to the compiler. `made`: by configuring, as #includes
    name them."""
    given = without_environment(request).arguments.folders
    folders = tuple(folder for _, folder in given)
    before_systems = tuple(folder for option, folder in given if option != "-idirafter")

    copies = _Copies(sight.index.paths())

    def resolve(text: str, quoted: bool, includer: str) -> str | None:
        found = sight.index.resolve(text, quoted, includer, before_systems if is_foreign(text) else folders)
        found = copies.any_of(text) if found is None else found
        if found is None and text in made:
            return _made_path(request, text)
        return str(found) if found is not None else None

    texts = {_made_path(request, header): it.text.encode() for header, it in made.items()}

    def read(path: str) -> bytes | None:
        if path in texts:
            return texts[path]
        if request.unit is not None and path == str(request.path):
            return request.unit.files[request.unit.main][1]
        return read_bytes(Path(path), MAX_BYTES)

    return read_program(str(request.path), resolve, read, sight.dialect)


class _Copies:
    """Of one header in several places, of which an #include may mean any: where they are the same and include nothing
    beside them, it does not matter which."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.paths = paths

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[Path]]:
        found: dict[str, list[Path]] = defaultdict(list)
        for path in self.paths:
            found[path.name].append(path)
        return found

    def any_of(self, text: str) -> Path | None:
        named = () if is_foreign(text) else self.by_name.get(text.rpartition("/")[2], ())
        meant = [it for it in named if it.as_posix().endswith(f"/{text.removeprefix('./')}")]
        if not 2 <= len(meant) <= _MOST_COPIES:
            return None
        contents = {read_bytes(it, MAX_BYTES) for it in meant}
        content = contents.pop() if len(contents) == 1 else None
        return min(meant) if content is not None and not any(quoted for _, quoted in includes(content)) else None


def _made_path(request: Request, header: str) -> str:
    """Nothing lies there: it names the header where a compiler speaks of it."""
    return str(request.root / "configured" / header)


def _made(request: Request, missing: Iterable[Header]) -> Mapping[str, Configured]:
    """Those of the headers that are missing which configuring the project makes, and only one of that name."""
    if not missing:
        return _NOTHING
    known = configured_headers(request.path, request.root, request.toolkit)
    found: dict[str, Configured] = {}
    for header, _ in missing:
        told = [it for path, it in known.items() if f"/{path}".endswith(f"/{header.removeprefix('./')}")]
        found |= {header: told[0]} if len(told) == 1 else {}
    return found


def _sliced(
    program: Program,
    kernels: Sequence[Key],
    request: Request,
    sight: Sight,
    run: Run,
    find: Find,
    expand: Expand,
    lend: Find = _nowhere,
) -> Sliced | None:
    """`find`: headers that are taken as they are. `lend`: those of which no more is taken than kernels name."""
    missing = _missing(program, request, run)
    if isinstance(missing, Sliced):
        return missing
    known = {folder for _, folder in request.arguments.folders}
    more = tuple(dict.fromkeys(it for header, _ in sorted(missing) for it in find(header) if it not in known))
    if more:
        folders = (*request.arguments.folders, *(("-isystem", it) for it in more))
        arguments = replace(request.arguments, folders=folders)
        request = replace(request, arguments=arguments, environment=(*request.environment, *more))
        missing = _missing(program, request, run)
        if isinstance(missing, Sliced):
            return missing
    made = _made(request, missing)
    if made and (again := _program(request, sight, made)):
        program, missing = again, frozenset(it for it in missing if it[0] not in made)
    rounds = Rounds(program, kernels, request, missing, sight, run, made, expand, lend)
    ends = tuple(f"/{header.removeprefix('./')}" for header in rounds.needed if not is_foreign(header))
    if ends and any(it.as_posix().endswith(ends) for it in sight.index.paths()):
        return None
    told = rounds.last()
    left, choices = tuple(rounds.left), tuple(rounds.choices.values())
    made_here, needed = tuple(sorted(made)), tuple(rounds.needed)
    return Sliced(told, rounds.request, left, needed, rounds.rounded, choices, made_here, rounds.assumed)


def _missing(program: Program, request: Request, run: Run) -> frozenset[Header] | Sliced:
    """The headers that the compiler does not find."""
    asked = sorted({it for file in program.files.values() for it, meant in file.meant.items() if meant is None})
    request, made = run(replace(request, unit=asking_for(program, asked)))
    if not isinstance(made, Failure):
        return Sliced(made, request)
    return frozenset(asked[it.line // 3] for it in made.every if it.line // 3 < len(asked))
