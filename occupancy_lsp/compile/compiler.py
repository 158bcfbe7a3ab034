"""One file → what a compiler on this machine says that its kernels use on a device."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from pathlib import Path

from occupancy_lsp.compile.arguments import Arguments, program_of
from occupancy_lsp.compile.compilers import COMPILERS, EXPAND, TOOLKIT
from occupancy_lsp.compile.environments import environment_of, folders_of
from occupancy_lsp.compile.errors import Failure, too_long
from occupancy_lsp.compile.job import IS_WINDOWS
from occupancy_lsp.compile.mending import is_standard, mended
from occupancy_lsp.compile.missing import with_submodules
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.sight import Sight, name_of
from occupancy_lsp.compile.sliced import Sliced, compile_kernels, compile_sliced, undefined_around
from occupancy_lsp.compile.stated import Stated, stated
from occupancy_lsp.compile.store import NoStore, Store
from occupancy_lsp.compile.told import told_in
from occupancy_lsp.compile.toolchains import Machine
from occupancy_lsp.compile.ways import MOST_CHOICES, Choice, Way, together, ways_of
from occupancy_lsp.compile.words import NotPlain, plain
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import recognise
from occupancy_lsp.counts.names import qualified_name, same_kernel
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.model.device import Device
from occupancy_lsp.slices.makers import is_made_up
from occupancy_lsp.slices.unit import Unit
from occupancy_lsp.workspace.cmake.commands import NAME as CMAKE
from occupancy_lsp.workspace.cmake.commands import Entries
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS
from occupancy_lsp.workspace.foreign import is_foreign
from occupancy_lsp.workspace.walk import is_unit

_DEFAULTS = "the compiler's defaults"
_ARCHITECTURE = regex(r"[a-z][a-z0-9_-]{1,40}")
_MOST_LOG = 16 << 20
_MOST_RESPONSE = 4 << 20
_MOST_TRIES = 12  # each costs one run of the preprocessor
_ROUNDED = 16  # bytes
_NO_INSTANCE = "no instance of its templates is in sight"
_MOST_SHOWN = 120  # characters of flags


def compile_file(
    path: Path,
    language: str,
    device: Device,
    root: Path | None,
    macros: Mapping[str, str],
    cancelled: Callable[[], bool],
    progress: Callable[[str], None],
    machine: Machine | None = None,
    folders: Sequence[Path] = (),
    text: bytes | None = None,
    python: str = "",
    sight: Sight | None = None,
    only: Set[str] = frozenset(),
    seconds: float = math.inf,
) -> Reading:
    """Compile `path` (absolute) for `device`, as the workspace's compile database or a makefile says. Never raises.

    No usages and one Problem: why there are none, with the compiler's own first error. `root`: the workspace; nothing
    is written into it, nothing in it is run; None: a file outside every one. `macros`: defined where no command does.
    `folders`: where the workspace's headers are, for a file of which the compile database says nothing.
    `text`: compiled in place of what the file has on disk. `python`: an interpreter or environment that the user chose.
    `sight`: with it, what does not compile as a whole is cut down to what its kernels need.
    `only`: the kernels that are asked for, by their qualified names; what does not tell of all of them tells of none.
    `seconds`: how long all of it may take; a single run of a compiler has a limit of its own.
    """
    try:
        mtime = max(time.time(), path.stat().st_mtime)  # a later one is of another text
        machine = machine or Machine.here()
        kit = _toolkit(path, language, device, root, machine, cancelled)
        request, said = request_of(path, language, device, root, macros, folders, text, kit)
        choices = said.choices() if said is not None else []
        if said is not None and len(choices) > MOST_CHOICES:
            return Reading(problems=(_undecided(path, said, [it.word for it in choices]),))
        request = replace(request, cancelled=cancelled, progress=progress, until=time.monotonic() + seconds)
        here = _chosen(machine, python, request.root)
        read = partial(_reading_of, said=said, sight=sight, machine=here, only=only, mtime=mtime)
        reading = _in_all_ways(request, choices, read)
        if time.monotonic() > request.until:  # what it lacks may be for that
            reading = replace(reading, problems=(*reading.problems, too_long(path)))
        return reading
    except (NoStore, NotPlain) as fault:
        return Reading(problems=(Problem(str(path), 0, 0, f"not compiled: {fault}"),))
    except OSError as fault:
        return Reading(problems=(Problem(str(path), 0, 0, f"not compiled: {fault.strerror or fault}"),))


def _in_all_ways(
    request: Request, choices: Sequence[Choice], read: Callable[[Request], tuple[Reading, Sequence[Choice]]]
) -> Reading:
    """`read`: what is told in one way, and what else that leaves open which the text of a header's template tells."""
    ways = ways_of(choices)
    told, more = read(_on(request, ways[0]))
    if more and len(choices) + len(more) <= MOST_CHOICES:
        ways = ways_of([*choices, *more])
        told, _ = read(_on(request, ways[0]))
    every = [(ways[0], told)]
    for way in ways[1:] if told.usages else ():
        every.append((way, read(_on(request, way))[0]))
    return together(every)


def _on(request: Request, way: Way) -> Request:
    return replace(request, arguments=way.added_to(request.arguments), way=way)


def _reading_of(
    request: Request, said: Stated | None, sight: Sight | None, machine: Machine, only: Set[str], mtime: float
) -> tuple[Reading, Sequence[Choice]]:
    if only and sight is not None:
        return _of_kernels(request, said, sight, machine, only, mtime)
    request, whole, sliced = _compiled(request, sight, machine, Store(request.root))
    whole = with_submodules(whole, request.root) if isinstance(whole, Failure) else whole
    found = [_reading(whole, request.device.arch.id, mtime, how(request, said))] if isinstance(whole, Path) else []
    if sliced is not None and isinstance(sliced.made, Path):
        found.append(_of_slice(sliced, sliced.made, mtime, said))
    reading = _together(whole, sliced, found)
    if sight is not None and not (reading.usages or reading.problems):
        macro = undefined_around(request, sight)
        why = f"{macro} is not defined, and decides whether its kernels are" if macro else _NO_INSTANCE
        why = f"nothing to compile: {why}"
        reading = replace(reading, problems=(Problem(str(request.path), 0, 0, why),))
    return reading, sliced.choices if sliced is not None else ()


def _of_kernels(
    request: Request, said: Stated | None, sight: Sight, machine: Machine, names: Set[str], mtime: float
) -> tuple[Reading, Sequence[Choice]]:
    store = Store(request.root)
    find = partial(folders_of, machine=machine, root=request.root)
    expand = partial(_expanded, machine=machine, store=store)
    sliced = compile_kernels(request, sight, lambda it: _tried(it, machine, store), names, find, expand)
    if sliced is None or not isinstance(sliced.made, Path):
        return Reading(), sliced.choices if sliced is not None else ()
    reading = _of_slice(sliced, sliced.made, mtime, said)
    usages = tuple(it for it in reading.usages if any(same_kernel(it.kernel, name) for name in names))
    counted = {name for name in names if any(same_kernel(it.kernel, name) for it in usages)}
    return (replace(reading, usages=usages) if counted == names else Reading()), sliced.choices


def _together(whole: Path | Problem, sliced: Sliced | None, found: Sequence[Reading]) -> Reading:
    """What both say. The compiler's first error is that of the whole, unless a part compiles."""
    usages = {it.kernel: it for reading in reversed(found) for it in reading.usages}
    problems = [it for reading in found for it in reading.problems]
    if sliced is not None and isinstance(sliced.made, Path):
        problems += sliced.left
        if isinstance(whole, Failure) and not (sliced.left or sliced.missing or sliced.configured):
            problems.append(replace(whole, message=whole.message.replace("not compiled", "compiled in part only", 1)))
    elif isinstance(whole, Problem):
        problems.append(whole)
        if sliced is not None:
            problems += (it for it in sliced.left if sliced.missing or sliced.configured or it.remedy)
            problems += (
                [sliced.made] if isinstance(sliced.made, Problem) and not isinstance(sliced.made, Failure) else []
            )
    remarks = (it for reading in found for it in reading.remarks)
    return Reading(tuple(usages.values()), tuple(dict.fromkeys(problems)), tuple(remarks))


def _chosen(machine: Machine, python: str, root: Path) -> Machine:
    return replace(machine, python=environment_of(python, root)) if python else machine


def _tried(request: Request, machine: Machine, store: Store) -> tuple[Request, Path | Problem]:
    """What the compiler said in the end, and of which request: what its first error asks for is added if it is here."""
    for _ in range(_MOST_TRIES):
        log = _log(request, machine, store)
        better = mended(request, log, machine) if isinstance(log, Problem) else None
        if better is None or request.cancelled():
            break
        request = better
    return request, log


def request_of(
    path: Path,
    language: str,
    device: Device,
    root: Path | None,
    macros: Mapping[str, str],
    folders: Sequence[Path],
    text: bytes | None = None,
    kit: Entries = (),
) -> tuple[Request, Stated | None]:
    """What `compile_file` asks a compiler for, and what the build files say of it; None: nothing. `kit`: CMake's
    variables of the toolkit."""
    said = stated(path, root, _text, kit) if root else None
    arguments = said.arguments if said is not None else Arguments()
    if said is None or said.by != COMMANDS:
        arguments = replace(arguments, folders=(*arguments.folders, *((_among(it), it) for it in folders)))
    folders_there = tuple(it for it in arguments.folders if _can_be_named(it[1]) or it[1].is_dir())
    arguments = replace(arguments, folders=folders_there)  # others are another machine's: `D:\\include`
    if text is not None:  # compiled elsewhere, with the headers beside the file all the same
        beside = ("-I" if IS_WINDOWS else "-iquote", path.parent)
        arguments = replace(arguments, folders=(beside, *arguments.folders))
    program = program_of(said.command) if said is not None else None
    main = f"source{path.suffix}"
    unit = Unit(main, {main: (str(path), text)}) if text is not None else None
    return Request(
        path, language, device, root or path.parent, arguments, program, macros, unit=unit, toolkit=kit
    ), said


def _can_be_named(folder: Path) -> bool:
    try:
        return bool(plain([str(folder)]))
    except NotPlain:
        return False


def _among(folder: Path) -> str:
    """How a folder of headers is given that no build file names: one with a header that is called like the system's
    comes after those, so that it takes the place of none."""
    names = os.listdir(folder) if folder.is_dir() else ()
    return "-idirafter" if any(is_foreign(it) or is_foreign(f"{it}/") for it in names) else "-isystem"


def _toolkit(
    path: Path, language: str, device: Device, root: Path | None, machine: Machine, cancelled: Callable[[], bool]
) -> Entries:
    """Where a project of CMake's may ask for it."""
    asked = TOOLKIT.get((device.vendor, language))
    inside = [it for it in path.parents if root is not None and it.is_relative_to(root)]
    if asked is None or root is None or not any((it / CMAKE).is_file() for it in inside):
        return ()
    request = Request(path, language, device, root, Arguments(), None, cancelled=cancelled)
    return asked(request, machine, Store(root))


def _undecided(path: Path, said: Stated, flags: Sequence[str]) -> Problem:
    why = f"{said.by} gives it {' '.join(flags)} only under a condition that its text does not decide"
    by_cmake = "CMakeLists.txt" in said.by
    how = "configure the build with `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`" if by_cmake else "build with `bear`"
    remedy = f"{how}, for a compile_commands.json"
    return Problem(str(path), 0, 0, f"not compiled: {why}", remedy)


def how(request: Request, said: Stated | None) -> str:
    """What a count is of, for people. `said`: how a build file says that the file is compiled; None: none does."""
    given = request.way.taken_from(request.arguments)
    of_all = replace(request, arguments=given)
    macros = (f"-U{name}" if text is None else f"-D{name}={text}" for name, text in of_all.all_macros())
    flags = " ".join((*given.flags, *given.ptxas, *given.llvm, *macros))
    shown = flags if len(flags) <= _MOST_SHOWN else f"{flags[:_MOST_SHOWN]}…"
    by = said.by if said is not None else ""
    files = " and ".join(filter(None, (by, "the settings" if request.macros else "")))
    if not files:
        why = "its build files compile it in several ways" if said and said.several else "no build file tells its flags"
        text = f"compiled here with {shown or _DEFAULTS}, for {why}"
    else:
        text = f"compiled here with {shown or 'no flags'}, as {files} {'says' if files == by else 'say'}"
        text += f", in the first of {said.ways} commands that differ" if said is not None and said.ways > 1 else ""
    if said is not None and (more := said.doubted_macros()):
        text += f", perhaps also with {' '.join(more)[:_MOST_SHOWN]}"
    if said is not None and (dropped := said.perhaps_changing()):
        text += f", but without {', '.join(dropped)[:_MOST_SHOWN]}, which may change the counts"
    if said is not None and said.unread:
        text += f"; what {', '.join(said.unread)[:_MOST_SHOWN]} may add is not read"
    if others := [it for it in given.flags if said and is_standard(it) and it not in said.arguments.flags]:
        text += f", but for {' '.join(others)}, which the headers ask for"
    if not is_unit(request.path):
        text += "; by itself, for no source in sight tells of it"
    if request.environment:
        text += f"; headers also from {', '.join(_packages(request))}"
    return text


def _packages(request: Request) -> list[str]:
    """Where the headers of Python environments are: `torch in .venv`."""
    found: dict[str, None] = {}
    for folder in request.environment:
        shown = folder.relative_to(request.root) if folder.is_relative_to(request.root) else folder
        environment, site, package = shown.as_posix().partition("/site-packages/")
        parts = environment.rsplit("/lib/", 1)[0] if site else environment
        found[f"{package.partition('/include')[0]} in {parts}" if site else parts] = None
    return list(found)


def _compiled(
    request: Request, sight: Sight | None, machine: Machine, store: Store
) -> tuple[Request, Path | Problem, Sliced | None]:
    """The file as a whole and, where that has no counts of some kernels, what those need of it."""
    request, whole = _tried(request, machine, store)
    if sight is None or not (isinstance(whole, Failure) or _lacks(whole, sight)):
        return request, whole, None
    find = partial(folders_of, machine=machine, root=request.root)
    expand = partial(_expanded, machine=machine, store=store)
    return request, whole, compile_sliced(request, sight, lambda it: _tried(it, machine, store), find, expand)


def _expanded(request: Request, machine: Machine, store: Store) -> bytes:
    expand = EXPAND.get((request.device.vendor, request.language))
    return expand(request, machine, store) if expand is not None else b""


def _lacks(made: Path | Problem, sight: Sight) -> bool:
    """Whether a template's instances are in sight of which the file makes none."""
    if isinstance(made, Problem) or not sight.instances:
        return False
    said = told_in(made)
    return any(name_of(it) not in said for it in sight.instances)


def _log(request: Request, machine: Machine, store: Store) -> Path | Problem:
    """What the compiler said, in a file."""
    if not _ARCHITECTURE.fullmatch(request.device.arch.id):  # a workspace's own devices may be called anything
        return _missing(request, f"no compiler here knows {request.device.arch.id[:80]!r}")
    compile_ = COMPILERS.get((request.device.vendor, request.language))
    if compile_ is None:
        return _missing(request, f"no compiler here tells what {request.language} uses on {request.device.name}")
    made = compile_(request, machine, store)
    return _missing(request, made) if isinstance(made, str) else made


def _missing(request: Request, why: str) -> Problem:
    return Problem(str(request.path), 0, 0, f"not compiled: {why}")


def _of_slice(sliced: Sliced, made: Path, mtime: float, said: Stated | None) -> Reading:
    """Without what the rest of the file may change of it: the source's own range stands for that."""
    reading = _reading(made, sliced.request.device.arch.id, mtime, sliced.how(how(sliced.request, said)))
    reading = replace(reading, usages=tuple(_assuming(it, sliced.assumed) for it in reading.usages))
    if not sliced.rounded:
        return reading
    open_ = {qualified_name(it.kernel) for it in reading.usages if it.static_local and it.static_local % _ROUNDED}
    usages = (replace(it, static_local=None) if qualified_name(it.kernel) in open_ else it for it in reading.usages)
    return replace(reading, usages=tuple(usages))


def _assuming(usage: Usage, assumed: Mapping[bytes, str]) -> Usage:
    """Marked as an estimate where something is taken for granted."""
    said = assumed.get(name_of(qualified_name(usage.kernel)))
    return replace(usage, source="estimated", assuming=said) if said else usage


def _reading(log: Path, arch: str, mtime: float, by: str) -> Reading:
    """Some code is of more architectures than the one that was asked for."""
    content = read_file(log, _MOST_LOG)
    if not isinstance(content, Content):
        return Reading(problems=(content or Problem(str(log), 0, 0, "not read: it no longer exists"),))
    reading = recognise.read(content.data, str(log))
    by += f", for {arch}a" if f".{arch}a." in log.name else ""
    usages = (
        replace(it, mtime=mtime, how=by) for it in reading.usages if it.arch == arch and not is_made_up(it.kernel)
    )
    return replace(reading, usages=tuple(usages))


def _text(path: Path) -> str | None:
    content = read_file(path, _MOST_RESPONSE)
    return content.data.decode("utf-8", "replace") if isinstance(content, Content) else None
