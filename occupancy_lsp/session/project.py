"""A folder as the tool sees it: its settings, its devices, and what the sidecars below it say. Does the file I/O."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase
from functools import partial
from itertools import count
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar

from occupancy_lsp.analysis.ceilings import options_in
from occupancy_lsp.builds.cache import caches_of
from occupancy_lsp.builds.find import read_presets
from occupancy_lsp.builds.results import Results, Scanned, Search, scan
from occupancy_lsp.core.job import Cancelled, Job, Progress
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.devices.catalogue import DEFAULT_DEVICES, Catalogue, SeveralDevices, UnknownDevice
from occupancy_lsp.languages.language import Language
from occupancy_lsp.languages.registry import (
    ALONE,
    LANGUAGES,
    USUAL,
    by_headers,
    dialect_by_headers,
    dialect_of,
    dialect_of_units,
    language_of,
)
from occupancy_lsp.languages.shader_builds import ShaderBuilds, matches
from occupancy_lsp.model.device import Device
from occupancy_lsp.session.budgets import in_force, without_kernels
from occupancy_lsp.settings import FILE_NAME, LaunchFact, Settings, read_settings
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.item_reader import may_concern_kernels
from occupancy_lsp.source.incremental.kernel_text import KernelText
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import Dialect, with_given_constants
from occupancy_lsp.source.lower.annotation_comments import parse_contract_setting
from occupancy_lsp.source.preprocessor.annotation_macros import (
    kernel_making_macros,
    macro_summary_lines,
    with_annotation_macros,
)
from occupancy_lsp.source.sema.translation_unit import NOTHING, UnitContext
from occupancy_lsp.vendors.vendor import DRIVER, NO_OPTIONS, Options
from occupancy_lsp.workspace.callers import Callers, FarLaunch
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS
from occupancy_lsp.workspace.compile_commands import CommandsFile, build_folders, commands_of
from occupancy_lsp.workspace.far_carve_outs import handed_elsewhere, hands_on, of_any, of_kernel, sees
from occupancy_lsp.workspace.headers import Headers
from occupancy_lsp.workspace.importers import Importers
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.launchers import CurrentFile, Launchers
from occupancy_lsp.workspace.scan import OPT_IN
from occupancy_lsp.workspace.walk import SUFFIXES, is_indexed

SOURCES = f"**/*.{{{','.join(sorted(it.removeprefix('.') for it in (*SUFFIXES, *ALONE)))}}}"
_T = TypeVar("_T")
_U = TypeVar("_U")
_VERSIONS = count(1)  # never one twice, whatever threads take them
_FEW_INCLUDERS = 8  # that are asked what language a header is in
_MOST_DEVICES = 64  # of a workspace: that are computed for, and of which it is looked for what may be meant


_NOTHING: Job[None] = Job(lambda cancelled, progress: None, lambda nothing: True)


class Project:
    """`root` None: files outside every folder, for which only what stands beside them is read.

    One thread owns it: that which made it. What takes long it hands out as jobs, which any thread may run.
    """

    def __init__(
        self,
        root: Path | None,
        editor_settings: object = None,
        command_line: Mapping[str, object] | None = None,
    ) -> None:
        self.root = root
        self._owner = get_ident()
        self._alone: Device | None = None
        self.version = 0  # another number whenever an analysis may come out differently
        self._editor = editor_settings
        self._command_line = dict(command_line or {})
        self._strict = bool(self._command_line.pop("strict_budgets", False))
        self.index = Index(root) if root else None
        self.results = Results(root, self.index)
        self.results.architecture_of = self._architecture_of
        self._commands = CommandsFile()
        self._noting: list[list[Path]] = []
        self.headers = Headers(self.index) if self.index else None
        self.callers = Callers(self.headers) if self.headers else None
        self.importers = Importers(root) if root else None
        if self.importers is not None:
            self.results.alone = self.importers.defining
        self.unread = self.index is not None  # the sources below the root, as yet
        self._launching: dict[Path, CurrentFile] = {}  # files that were looked at for their launches
        self._load_settings()

    def _architecture_of(self, device: str) -> str | None:
        """None: no device is known by this name, or several that differ in it."""
        try:
            return self.catalogue.find(device).arch.id
        except SeveralDevices as several:
            archs = {self.catalogue.find(it).arch.id for it in several.nearest}
            return archs.pop() if len(archs) == 1 else None
        except UnknownDevice:
            return None

    def _load_settings(self) -> None:
        self.settings: Settings
        read, problems = read_settings(self.root, self._editor, self._command_line)
        self.settings, ended = in_force(replace(read, strict_budgets=self._strict), date.today())
        texts, preset_problems = read_presets(self.root, self.settings.presets) if self.root else ({}, ())
        self.catalogue = Catalogue(texts)
        macros = tuple(self.settings.macros.items())
        self._shaders = ShaderBuilds(self.root, self.settings.shaders)
        if self.headers is not None and self.callers is not None and self.headers.state(macros, self._shaders):
            self.callers.files_changed()
        self._devices: list[Device] = []
        unknown: list[Problem] = []
        of_workspace = self.settings.origin("devices") != "command line"  # an editor's settings may be its, too
        chosen = [*dict.fromkeys(self.settings.devices)]
        for name in chosen[: _MOST_DEVICES if of_workspace else None]:
            try:
                self._devices.append(self.catalogue.find(name))
            except UnknownDevice as fault:
                if self.settings.origin("devices") != "default":
                    unknown.append(Problem(self._origin_of_devices(), 0, 0, str(fault)))
        if of_workspace and (count := len(chosen)) > _MOST_DEVICES:
            more = f"only the first {_MOST_DEVICES} of {count:,} devices are computed for"
            unknown.append(Problem(self._origin_of_devices(), 0, 0, more))
        self._unknown_names: dict[str, str] = {}
        unread = [
            Problem(it.path, it.line, it.column, fault)
            for it in self.settings.contracts
            for fault in self._contract_faults(it.text)
        ]
        unread += [
            Problem(it.path, it.line, it.column, fault)
            for it in self.settings.budgets
            for fault in self._unknown_devices(it.devices)
        ]
        self._setting_problems = (*problems, *preset_problems, *self.catalogue.problems, *unknown, *unread, *ended)
        self._may_differ()

    def _contract_faults(self, text: str) -> Iterator[str]:
        read = parse_contract_setting(text)
        if read is None:
            yield f"'{text}': write '>= 50% on sm_90' or 'blocks_per_sm >= 4'"
            return
        yield from self._unknown_devices(read.devices)

    def _unknown_devices(self, names: Iterable[str]) -> Iterator[str]:
        """What is wrong with each; of the first that are, for what may be meant instead is looked for among all."""
        known = self._unknown_names
        for name in names:
            if name not in known and len(known) < _MOST_DEVICES:
                try:
                    self.catalogue.find(name)
                except UnknownDevice as fault:
                    known[name] = str(fault)
            if name in known:
                yield known[name]

    def _may_differ(self) -> None:
        assert get_ident() == self._owner
        self.version = next(_VERSIONS)

    def _origin_of_devices(self) -> str:
        origin = self.settings.origin("devices")
        return str(self.root / FILE_NAME) if self.root and origin == FILE_NAME else origin

    # -- devices

    def devices_for(self, language: str) -> list[Device]:
        """The chosen devices that can run the language, the selected one first; if none can, the built-in choice."""
        if self._alone is not None:
            return [self._alone]
        return _running(language, self._devices) or _running(language, self._built_in())

    def idle_for(self, language: str) -> list[Device]:
        """The chosen devices that cannot run the language."""
        return [it for it in self._devices if not runs(it, language)]

    def chosen_in_vain(self, language: str) -> list[Device]:
        """What a person chose, where none of it runs the language: a built-in device stands in."""
        by_a_person = self.settings.origin("devices") != "default"
        return self.idle_for(language) if by_a_person and not _running(language, self._devices) else []

    def chosen_by(self, language: str) -> str:
        """Where the choice of `devices_for` comes from."""
        return self.settings.origin("devices") if _running(language, self._devices) else "default"

    def _built_in(self) -> list[Device]:
        return [device for name in DEFAULT_DEVICES if (device := self.find_device(name))]

    def look_at(self, device: Device | None) -> None:
        """From now on this device alone is meant, whatever is chosen; None: all that are chosen."""
        self._alone = device
        self._may_differ()

    def find_device(self, name: str) -> Device | None:
        return self.catalogue.known(name)

    def devices(self) -> list[Device]:
        return self.catalogue.all()

    def devices_that_run(self, language: str) -> list[Device]:
        return _running(language, self.devices())

    def select_device(self, name: str) -> None:
        """For this session. UnknownDevice: no such device."""
        chosen = self.catalogue.find(name).id
        rest = [device for device in self.settings.devices if device != chosen]
        self._command_line["devices"] = [chosen, *rest]
        self._load_settings()

    # -- other sources

    def read_sources(self, cancelled: Cancelled, progress: Progress) -> None:
        self.reading().now(cancelled, progress)

    def reading(self) -> Job[Any]:
        """Look at what every source below the root includes, defines and launches."""
        if self.index is None or self.importers is None or self.root is None:
            return _NOTHING
        building, importing = self.index.building(), self.importers.reading()

        def take(found: tuple[CommandsFile, Any, Any]) -> bool:
            self._commands = found[0]
            building.take(found[1])
            importing.take(found[2])
            self.unread = False
            if self.headers is not None:
                self.headers.compiled_as.database = self._commands.said.compilations
            self._sources_changed()
            return True

        return Job(partial(_read_sources, self.root, self._commands, building.run, importing.run), take)

    def digest(self) -> bytes:
        """Another one if what is said of a file may be another because of files that are not read for it."""
        asked = self.index, self.importers
        return b"".join(it.digest() for it in asked if it is not None)

    def _sources_changed(self) -> None:
        if self.headers is not None and self.callers is not None:
            self.headers.files_changed()
            self.callers.files_changed()
        self.results.files_changed()
        self._may_differ()

    def rest(self) -> None:
        """No file of it is open: let go of what can be found out again at once."""
        assert get_ident() == self._owner
        if self.headers is not None and self.callers is not None:
            self.headers.rest()  # most of all, so first: what is made anew then lies close together
            self.callers.rest()
        if self.importers is not None:
            self.importers.rest()
        self.results.rest()
        if self.index is not None:
            self.index.rest()

    def work_later(self, later: Callable[[], None]) -> None:
        """From now on answers about other files come later: `later` is called when `working` has something to do."""
        if self.headers is not None and self.callers is not None and self.importers is not None:
            self.headers.contexts.later = self.callers.found.later = self.importers.found.later = later

    def work(self, cancelled: Cancelled) -> bool:
        """Work out all that was asked for of other files. True: what is shown may differ."""
        done = False
        while not cancelled() and (job := self.working()):
            done = job.now() or done
        return done

    def working(self) -> Job[Any] | None:
        """Work out one thing that was asked for of other files; None: nothing is left."""
        if self.headers is None or self.callers is None or self.importers is None:
            return None
        job: Job[Any] | None = self.headers.working() or self.callers.working() or self.importers.working()
        return Job(job.run, partial(self._take, job)) if job else None

    def _take_update(self, job: Job[Any], found: object) -> bool:
        job.take(found)
        self._sources_changed()
        return True

    def _take(self, job: Job[Any], found: object) -> bool:
        differs = job.take(found)
        if differs:
            self._may_differ()
        return differs

    def dialect(self, path: Path | None, language: str, content: bytes) -> Dialect | None:
        """The file's language with the macros that stand for annotations in it and what it includes; None: no kernels.

        A header is in the language of the files that include it. `language`: what the editor calls it.
        """
        stated = tuple(f"{name} {text}" for name, text in self.settings.macros.items())
        own = (
            *(self.index.own_aliases(path, content) if self.index and path else macro_summary_lines(content)),
            *stated,
        )
        said = self._language_of(path)
        given = dialect_of(path.name if path and not said else "", said or language, content)
        if self.index is None or path is None:
            return with_annotation_macros(given, own) if given and language_of(given).preprocessed else given
        lines = (*own, *self.index.aliases(path))
        if given is None and any(word in content for word in kernel_making_macros(lines)):
            given = USUAL.dialect
        if given is None and not said:
            given = dialect_of_units([it.name for it in self.index.roots_including(path)], content)
            given = given or dialect_by_headers(content, partial(_included_around, self.index, path))
        if given is None or not language_of(given).preprocessed:
            return given
        read = language_of(given)
        meant = self._as_built(read, path, self.index)
        found = with_annotation_macros(given if meant is read else meant.dialect, lines)
        return with_given_constants(found, self._shaders.constants_of(path)) if found.shader else found

    def _as_built(self, read: Language, path: Path, index: Index) -> Language:
        """By what its translation unit includes. What builds for both of two languages is in the first, unless the
        chosen devices run the other alone."""
        other = LANGUAGES.get(read.becomes)
        found = by_headers(read, index.included_by_unit(path)) if other is not None else read
        if other is None or found is other or any(runs(it, read.name) for it in self._devices):
            return found
        builds = any(map(other.headers.match, index.optional_in_unit(path)))
        return other if builds and any(runs(it, other.name) for it in self._devices) else read

    def _language_of(self, path: Path | None) -> str:
        """What the settings or the command that compiles the file say of its language; "" if they say nothing."""
        if path is None or self.root is None or self.headers is None:
            return ""
        for glob, language in self.settings.languages.items():
            if self._matches(path, (glob,)):
                return language
        compiled = self.headers.compiled_as.database.get(path)
        return (compiled[0].language or "") if compiled else ""

    def around(self, path: Path | None, source: KernelText) -> tuple[UnitContext, ...]:
        """The translation units that the file is part of."""
        if not language_of(source.dialect).preprocessed:
            return self._around_alone()
        if self.headers is None or path is None:
            return (NOTHING,)
        return self.headers.around(path, source.include_points(), source.dialect)

    def around_text(self, at: Path | None, folders: tuple[Path, ...], source: KernelText) -> tuple[UnitContext, ...]:
        """The translation unit of a text that a file holds. `at`: a path of its own below that of the file."""
        if not language_of(source.dialect).preprocessed:
            return self._around_alone()
        if self.headers is None or at is None:
            return (NOTHING,)
        return self.headers.around_text(at, folders, source.include_points(), source.dialect)

    def _around_alone(self) -> tuple[UnitContext, ...]:
        """The same of a text that includes nothing."""
        return (replace(NOTHING, specialising=self.importers.special()) if self.importers is not None else NOTHING,)

    def source_ahead(self, path: Path | None, content: bytes, dialect: Dialect) -> Iterator[None]:
        """Read in steps what `source` takes."""
        of_units = language_of(dialect).preprocessed and may_concern_kernels(content, dialect)
        if self.headers is not None and path is not None and of_units:
            yield from self.headers.ahead(path, content, dialect)

    def source(self, path: Path | None, content: bytes, dialect: Dialect) -> KernelText:
        """The file, whose text is `content`; what others have read of it is not read again."""
        language = language_of(dialect)
        if (
            self.headers is None
            or path is None
            or not (language.preprocessed and may_concern_kernels(content, dialect))
        ):
            return language.read(content, dialect)
        return self.headers.source(path, content, dialect)

    def options(self, path: Path | None, dialect: Dialect) -> Options:
        """What all commands say that compile the file, or a file that includes it: the weakest of what they say."""
        if language_of(dialect).by_driver:
            return DRIVER
        if path is None or self.headers is None or not language_of(dialect).preprocessed:
            return NO_OPTIONS
        return options_in(self.headers.compiled_as.of(path, dialect.hosted))

    def far_launches(
        self, kernel: Kernel, path: Path | None, dialect: Dialect, macros: Mapping[str, int]
    ) -> tuple[FarLaunch, ...]:
        """Launches in other files of the kernel that the file at `path` defines. None that is read launches what a
        driver compiles."""
        if language_of(dialect).by_driver:
            return ()
        if self.callers is None or self.importers is None or path is None:
            return ()
        if not language_of(dialect).preprocessed:
            return () if kernel.configured else self.importers.launches(kernel.name, path, dialect, macros)
        found = tuple(it for it in self.callers.launches(kernel.name, path, dialect, macros) if it.means(kernel))
        if not dialect.hosted or kernel.summary.local.dynamic:
            return found
        # The host sizes what parameters point to, nothing else.
        return tuple(replace(it, launch=it.launch.without_dynamic_bytes()) for it in found)

    def may_opt_in(self, kernel: str, path: Path | None, alone: bool = True) -> bool:
        """Whether another file may let the kernel of the file at `path` have more dynamic local memory than others.
        `alone`: what to say of a file of no workspace."""
        index = self.index
        if index is None:
            return alone
        if path is None or not index.built:
            return True
        opting = index.with_objects(OPT_IN)
        others = {*index.launching(kernel), *index.naming(path, kernel)} - {path}
        if not opting or not others.isdisjoint(opting):
            return bool(opting)
        return hands_on(sorted(others), kernel)  # to what opts in whatever it is given

    def program_may_opt_in(self, document: Path) -> bool:
        """The same of kernels in strings of a Python document, which any other file in Python may import."""
        if self.index is None or self.importers is None:
            return False
        return not self.index.built or self.importers.opt_in(document)

    @property
    def lowers_shares(self) -> bool:
        """Whether any file may lower the share of a unit's memory that is used as local memory."""
        return self.index is not None and self.index.lowers

    def preferred_elsewhere(self, kernel: str, path: Path | None) -> tuple[CarveoutPreference, ...]:
        """Shares of a unit's memory that other files prefer for the kernel of the file at `path`, or for all."""
        index = self.index
        return of_kernel(index, kernel, path) if index is not None and path is not None else ()

    def preferred_of_any(self, path: Path | None) -> tuple[CarveoutPreference, ...]:
        """The same, for kernels that are handed to the code there."""
        return of_any(self.index, path) if self.index is not None and path is not None else ()

    def is_handed(self, kernel: str, path: Path | None) -> bool:
        """Whether another file may hand on the kernel of the file at `path`."""
        return self.index is not None and path is not None and handed_elsewhere(self.index, kernel, path)

    def sees(self, path: Path | None, kernel: str) -> bool:
        """Whether what the file at `path` includes has a kernel of that name."""
        return self.index is not None and path is not None and sees(self.index, path, kernel)

    def launchers(
        self, path: Path | None, source: KernelText, macros: Mapping[str, int], opened: Mapping[Path, bytes]
    ) -> Launchers | None:
        """Of the kernels of the file at `path`, whose text is `source`. None: it stands in no folder."""
        if self.index is None or self.headers is None or path is None or not isinstance(source, Source):
            return None
        return Launchers(self.index, self.headers, path, source, macros, opened, self._launching)

    # -- settings and sidecars

    def configure(self, editor_settings: object) -> bool:
        """Take the editor's settings. True: they differ from those before."""
        if editor_settings == self._editor:
            return False
        self._editor = editor_settings
        before = self.settings, self._setting_problems
        self._load_settings()
        return before != (self.settings, self._setting_problems)

    def scan(self, cancelled: Cancelled, progress: Progress) -> None:
        self.scanning().now(cancelled, progress)

    def scanning(self) -> Job[Any]:
        """Look for build results and sidecars below the root. Slow."""
        if self.root is None:
            return _NOTHING
        search = self.results.search(self.settings.sidecars, caches_of(self.settings))
        return Job(partial(_scan, self.root, self._commands, search), self._take_scanned)

    def _take_scanned(self, found: tuple[CommandsFile, Scanned | None]) -> bool:
        self._commands, scanned = found
        if scanned is not None:
            self.results.take(scanned)
        self._may_differ()
        return True

    def changed(self, paths: Sequence[Path]) -> bool:
        """These files changed on disk. True: something that is shown may differ."""
        differs = [job.now() for job in self.changing(paths)]
        return any(differs)

    def changing(self, paths: Sequence[Path]) -> Iterator[Job[Any]]:
        """What to do about files that changed on disk: each job when the one before is taken, and no other such jobs
        meanwhile."""
        for told in self._noting:
            told += paths
        of_settings = any((it.name == FILE_NAME and it.parent == self.root) or self._is_preset(it) for it in paths)
        if of_settings:
            self._load_settings()
            yield self.scanning()
        if any(path.name == COMMANDS for path in paths):
            if not of_settings:
                yield self.scanning()
            yield self.reading()
            return
        importers = self.importers
        importing = [path for path in paths if importers.concerns(path)] if importers is not None else []
        if importing and importers is not None:
            reading = importers.updating(importing)
            yield Job(reading.run, partial(self._take, reading))
        sources = [path for path in paths if is_indexed(path.name)]
        if sources:
            updating: Job[Any] = self.index.updating(sources) if self.index is not None else _NOTHING
            yield Job(updating.run, partial(self._take_update, updating))
        if not of_settings:
            results = self.results.changing(paths)
            yield Job(results.run, partial(self._take, results))

    @contextmanager
    def noting(self) -> Iterator[list[Path]]:
        """The files that change meanwhile: a job that reads everything may have read them before."""
        told: list[Path] = []
        self._noting.append(told)
        try:
            yield told
        finally:
            self._noting.remove(told)

    def _is_preset(self, path: Path) -> bool:
        return self._matches(path, self.settings.presets)

    def _matches(self, path: Path, globs: Sequence[str]) -> bool:
        return matches(path, self.root, globs)

    def watch_globs(self) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(
                (f"**/{FILE_NAME}", SOURCES, f"**/{COMMANDS}", *self.results.watch_globs(), *self.settings.presets)
            )
        )

    @property
    def build(self) -> Hashable:
        """Another whenever a source may be compiled with other flags: the compile database, macros of the settings."""
        return self._commands.read, tuple(self.settings.macros.items())

    def include_folders(self, path: Path) -> tuple[Path, ...]:
        """Where the headers of this folder lie that a file reaches."""
        return self.index.include_folders(path) if self.index is not None else ()

    def compiled(self, path: Path, reading: Reading) -> None:
        """A compiler has told what the kernels of the file use."""
        self.take_compiled([(path, reading)])

    def take_compiled(self, readings: Iterable[tuple[Path, Reading]]) -> None:
        """The same of several files."""
        self.results.add(readings)
        self._may_differ()

    def forget_compiled(self, path: Path) -> None:
        """What a compiler has told of the file is of a text that is gone."""
        self.results.drop(path)
        self._may_differ()

    def launch_facts(self, kernel: str) -> list[LaunchFact]:
        """What the settings say of how the kernel is launched; the last that matches comes first."""
        told = (*reversed(self.settings.launch), *reversed(self.settings.assume))
        return [fact for fact in told if fnmatchcase(kernel, fact.kernels)]

    def problems(self) -> tuple[Problem, ...]:
        """Faults in the settings, presets and sidecars."""
        return (
            *self._setting_problems, *self._idle_budgets(), *self._commands.said.problems, *self.results.problems(),
        )  # fmt: skip

    def _idle_budgets(self) -> Iterator[Problem]:
        """A kernel may be in sight of the editor alone, or be made by a macro: no errors."""
        if self.index is not None and self.index.built and self.settings.budgets:
            found = without_kernels(self.settings.budgets, self.index)
            yield from (replace(it, grave=False) for it in found)

    def problems_near(self, sources: Collection[Path]) -> tuple[Problem, ...]:
        """The same without results and sidecars that have nothing to do with these sources."""
        return (*self._setting_problems, *self._commands.said.problems, *self.results.problems_near(sources))


def _scan(
    root: Path, commands: CommandsFile, search: Search, cancelled: Cancelled, progress: Progress
) -> tuple[CommandsFile, Scanned | None]:
    commands = commands_of(root, commands)
    return commands, scan(search.along(commands.said, build_folders(root)), cancelled, progress)


def _included_around(index: Index, path: Path) -> frozenset[str]:
    """What a file includes, and some of those that include it, as written."""
    around = (path, *index.includers(path)[:_FEW_INCLUDERS])
    return frozenset().union(*map(index.included_by_unit, around))


def _read_sources(
    root: Path,
    commands: CommandsFile,
    build: Callable[[Cancelled, Progress], _T],
    importing: Callable[[Cancelled, Progress], _U],
    cancelled: Cancelled,
    progress: Progress,
) -> tuple[CommandsFile, _T, _U]:
    return commands_of(root, commands), build(cancelled, progress), importing(cancelled, progress)


def runs(device: Device, language: str) -> bool:
    vendors = LANGUAGES[language].run_by
    return not vendors or device.vendor in vendors


def _running(language: str, devices: Sequence[Device]) -> list[Device]:
    vendors = LANGUAGES[language].run_by
    if not vendors:
        return list(devices)
    return [device for vendor in vendors for device in devices if device.vendor == vendor]
