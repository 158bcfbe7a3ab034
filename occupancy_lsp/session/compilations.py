"""What is to be compiled so that the kernels of a file have counts: which source, for which devices."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.device import Device
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View, lacks_count
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.workspace.walk import is_unit

if TYPE_CHECKING:
    from occupancy_lsp.compile.sight import Sight

PATIENCE = 60.0  # seconds for all kernels of a source together; what takes longer is compiled a few at a time
_SOON = 60.0  # seconds for a few of its kernels
MOST_UNITS = 4  # that a header's kernels are looked for in


@dataclass(frozen=True, slots=True)
class Compilation:
    """One source for one device. Nothing in it changes, so any thread may run it."""

    source: Path
    language: str
    device: Device
    root: Path | None
    macros: Mapping[str, str]
    folders: tuple[Path, ...]
    python: str = ""  # that the user chose, for its packages' headers
    sight: Sight | None = None
    text: bytes | None = None  # what stands in the editor in place of what is on disk
    fingerprints: Mapping[str, str] = field(default_factory=dict)  # of the kernels as they stand in the editor
    only: frozenset[str] = frozenset()  # kernels, if not all of the file, by their qualified names
    instances: frozenset[str] = frozenset()  # of these that were counted before, as the compiler names them
    seconds: float = math.inf  # how long all of it may take

    def run(self, cancelled: Callable[[], bool], progress: Callable[[str], None]) -> Reading:
        """What the compiler says, or why it says nothing. Slow. `progress` is told what is started. Never raises."""
        from occupancy_lsp.compile.compiler import compile_file  # most never need it

        reading = compile_file(
            self.source, self.language, self.device, self.root, self.macros, cancelled, progress,
            folders=self.folders, text=self.text, python=self.python, sight=self.sight, only=self.only,
            seconds=self.seconds,
        )  # fmt: skip
        return reading if self.instances <= {it.kernel for it in reading.usages} else Reading()

    def described(self, outcome: str) -> str:
        """How it is compiled, for people, and what came of it. Starts the compiler for its version."""
        from occupancy_lsp.compile.describe import described

        return described(self.source, self.language, self.device, self.root, self.macros, self.folders, outcome)


def compilation(
    source: Path,
    dialect: Dialect,
    device: Device,
    project: Project,
    facts: FileFacts | None = None,
    header: Path | None = None,
) -> Compilation:
    """`facts`: of the source, where they are known: instances of templates that it names are compiled as well.
    `header`: one that it includes, whose kernels are asked for."""
    from occupancy_lsp.compile.sight import Sight

    made = dict.fromkeys(_instances(facts)) if facts is not None else ()
    of = str(header) if header is not None else ""
    sight = Sight(project.index.copy(), dialect, tuple(made), of) if project.index is not None else None
    folders = project.include_folders(source)
    settings = project.settings
    return Compilation(source, dialect.name, device, project.root, settings.macros, folders, settings.python, sight)


def _instances(facts: FileFacts) -> Iterator[str]:
    """Of kernels in the file, and of those in its headers that it launches."""
    yield from (
        f"{it.qualified}<{it.arguments}>" for kernel in facts.kernels for it in kernel.instances if it.arguments
    )
    own = {it.name for it in facts.kernels}
    yield from (f"{it.kernel}<{it.arguments}>" for it in facts.launches if it.arguments and it.name not in own)


def in_turn(of: Compilation, kernels: Iterable[str], lacks: Callable[[str], bool]) -> Iterator[Compilation]:
    """These, by their qualified names, however long that takes: the first alone, then twice as many as before while
    that is soon done. `lacks`: whether nothing was told of one; several of which that is so are halved."""
    left, size = [*kernels], 1
    while left:
        todo, left = [left[:size]], left[size:]
        began = time.monotonic()
        while todo:
            some = todo.pop()
            yield replace(of, only=frozenset(some), seconds=math.inf)
            half = len(some) // 2
            todo += [some[half:], some[:half]] if half and any(map(lacks, some)) else []
        size = size * 2 if time.monotonic() - began < _SOON else max(size // 2, 1)


def can_compile(language: str, device: Device) -> bool:
    """Whether any compiler tells what the language uses on the device; not whether it is on this machine."""
    from occupancy_lsp.compile.compilers import COMPILERS

    return (device.vendor, language) in COMPILERS


def one_of_each(devices: Sequence[Device], language: str) -> list[Device]:
    """The first of each architecture. Of a language that several vendors run: those of the preferred one alone."""
    if devices and LANGUAGES[language].run_by:
        devices = [it for it in devices if it.vendor == devices[0].vendor]
    return list({it.arch.id: it for it in reversed(devices)}.values())[::-1]


def missing_counts(
    view: View, project: Project, source: Path | None = None, text: bytes | None = None, every: bool = False
) -> list[Compilation]:
    """What to compile for the kernels of the view that have no count, or one of another text.

    `source`: what a header's kernels are compiled with, one of `units_of`.
    `text`: that of the view, where it is not what is on disk. `every`: also for kernels that have counts.
    """
    source = source or view.path
    if source is None or not (is_unit(source) or _stands_alone(source, view, project)):
        return []
    language = view.source.dialect.name
    known = [it for it in one_of_each(view.devices, language) if can_compile(language, it)]
    facts = view.facts if source == view.path else None
    dialect, header = view.source.dialect, view.path if source != view.path else None
    wanted = [
        compilation(source, dialect, it, project, facts, header) for it in known if every or lacks_counts(view, it)
    ]
    prints = {it.qualified: view.source.kernel_fingerprint(it) for it in view.facts.kernels} if wanted else {}
    seconds = PATIENCE if len(view.facts.kernels) > 1 else math.inf
    return [replace(it, text=text, fingerprints=prints, seconds=seconds) for it in wanted]


def _stands_alone(header: Path, view: View, project: Project) -> bool:
    """Whether it is compiled by itself, and something comes of that."""
    return header in units_of(header, project) and any(it.instances or not it.template for it in view.facts.kernels)


def kernels_alone(view: View, project: Project, text: bytes | None) -> list[Compilation]:
    """What to compile so that kernels that were edited have counts again, where those of the others still hold.

    None of a template of which no instance was counted: the rest of the file may make some.
    """
    found = []
    for it in missing_counts(view, project, text=text):
        lacking = [row.kernel for row in _rows(view, it.device) if lacks_count(row)]
        before = project.results.instances(it.source, it.device.arch.id, (kernel.qualified for kernel in lacking))
        if len(lacking) < len(view.facts.kernels) and all(before[row.qualified] or not row.template for row in lacking):
            instances = frozenset(name for row in lacking if row.template for name in before[row.qualified])
            found.append(replace(it, only=frozenset(before), instances=instances))
    return found


def lacks_counts(view: View, device: Device) -> bool:
    return bool(lacking_counts(view, device))


def lacking_counts(view: View, device: Device) -> frozenset[str]:
    """The kernels without one, by their qualified names."""
    return frozenset(it.kernel.qualified for it in _rows(view, device) if lacks_count(it))


def _rows(view: View, device: Device) -> Sequence[KernelReport]:
    return next((row for row in (view.reports, *view.others) if row and row[0].device == device), ())


def units_of(header: Path, project: Project) -> tuple[Path, ...]:
    """The sources in which a header's kernels may be compiled: a few of those that include it, or the header itself if
    there is none."""
    if project.index is None or not project.index.built:
        return ()
    units = tuple(filter(is_unit, project.index.roots_including(header, MOST_UNITS)))
    return units or (header,)


def sources_with(unit: Path, project: Project) -> tuple[Path, ...]:
    """Itself, and a few of the sources that include it: it may be no more than a part of these."""
    if project.index is None or not project.index.built:
        return (unit,)
    including = filter(is_unit, project.index.roots_including(unit, MOST_UNITS))
    return (unit, *(it for it in including if it != unit))


def of_workspace(project: Project) -> list[Path]:
    """The sources that have kernels, or whose headers have some: for each such header the nearest."""
    if project.index is None:
        return []
    found: dict[Path, None] = {}
    for path in project.index.paths():
        entry = project.index.entry(path)
        if entry is not None and entry.kernels:
            found.update(dict.fromkeys([path] if is_unit(path) else units_of(path, project)[:1]))
    return list(found)


def uncounted(source: Path, content: bytes, project: Project) -> list[Compilation]:
    """What to compile of a source that nobody has opened, by whether it was compiled since it was written."""
    dialect = project.dialect(source, "", content)
    if dialect is None:
        return []
    devices = one_of_each(project.devices_for(dialect.name), dialect.name)
    known = [it for it in devices if can_compile(dialect.name, it)]
    lacking = [it for it in known if not project.results.has_counts(source, it.arch.id)]
    return [compilation(source, dialect, it, project) for it in lacking]
