"""A folder as the tool sees it: its settings, its devices, and what the sidecars below it say. Does the file I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path

from occupancy_lsp.compiled import Compiled
from occupancy_lsp.files import Content, read_file
from occupancy_lsp.model.device import Device
from occupancy_lsp.presets import DEFAULT_DEVICES, Catalogue, UnknownDevice
from occupancy_lsp.problem import Problem
from occupancy_lsp.resources.find import USUAL, find_sidecars, read_presets, read_sidecar
from occupancy_lsp.resources.names import name_parts, same_kernel
from occupancy_lsp.resources.usage import Reading, Usage
from occupancy_lsp.settings import FILE_NAME, LaunchFact, Settings, read_settings
from occupancy_lsp.syntax.aliases import alias_lines, kernel_words, with_aliases
from occupancy_lsp.syntax.dialects import CUDA, HIP, Dialect, dialect_of
from occupancy_lsp.syntax.directives import read_contract
from occupancy_lsp.syntax.source import Source
from occupancy_lsp.syntax.unit import NOTHING, Around
from occupancy_lsp.workspace.callers import Callers, FarLaunch
from occupancy_lsp.workspace.compile_commands import MAX_BYTES as COMMANDS_MAX_BYTES
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS
from occupancy_lsp.workspace.compile_commands import CompileCommands, find_compile_commands, read_compile_commands
from occupancy_lsp.workspace.headers import Headers
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.walk import SUFFIXES, is_source

SOURCES = f"**/*.{{{','.join(sorted(it.removeprefix('.') for it in SUFFIXES))}}}"
_OF_CUDA = ("cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h")
SIDECAR_SUFFIX = ".occupancy.yaml"
_VERSIONS = count(1)  # never one twice, whatever threads take them
# Which vendors' devices run a language, in order of preference; any runs a language not named here.
_RUN_BY = {"cuda": ("nvidia",), "hip": ("amd", "nvidia")}


class Project:
    """`root` None: files outside every folder, for which only what stands beside them is read."""

    def __init__(
        self,
        root: Path | None,
        editor_settings: object = None,
        command_line: Mapping[str, object] | None = None,
    ) -> None:
        self.root = root
        self.version = 0  # another number whenever an analysis may come out differently
        self._editor = editor_settings
        self._command_line = dict(command_line or {})
        self._readings: dict[Path, Reading] = {}
        self._beside: dict[Path, Reading] = {}  # by the source file
        self._by_name: dict[str, list[Usage]] = {}
        self._compiled = Compiled()
        self._found_problems: tuple[Problem, ...] = ()
        self._command_problems: tuple[Problem, ...] = ()
        self.index = Index(root) if root else None
        self.headers = Headers(self.index, {}) if self.index else None
        self.callers = Callers(self.index, self.headers) if self.index and self.headers else None
        self._load_settings()

    def _load_settings(self) -> None:
        self.settings: Settings
        self.settings, problems = read_settings(self.root, self._editor, self._command_line)
        texts, preset_problems = read_presets(self.root, self.settings.presets) if self.root else ({}, ())
        self.catalogue = Catalogue(texts)
        if self.headers is not None:
            self.headers.state(tuple(self.settings.macros.items()))
        self._devices: list[Device] = []
        unknown: list[Problem] = []
        for name in self.settings.devices:
            try:
                self._devices.append(self.catalogue.find(name))
            except UnknownDevice as fault:
                if self.settings.origin("devices") != "default":
                    unknown.append(Problem(self._origin_of_devices(), 0, 0, str(fault)))
        unread = [
            Problem(it.path, it.line, it.column, f"'{it.text}': write '>= 50% on sm_90' or 'blocks_per_sm >= 4'")
            for it in self.settings.contracts
            if read_contract(it.text) is None
        ]
        self._setting_problems = (*problems, *preset_problems, *self.catalogue.problems, *unknown, *unread)
        self._may_differ()

    def _may_differ(self) -> None:
        self.version = next(_VERSIONS)

    def _origin_of_devices(self) -> str:
        origin = self.settings.origin("devices")
        return str(self.root / FILE_NAME) if self.root and origin == FILE_NAME else origin

    # -- devices

    def devices_for(self, language: str) -> list[Device]:
        """The chosen devices that can run the language, the selected one first; if none can, the built-in choice."""
        return _running(language, self._devices) or _running(language, self._built_in())

    def chosen_by(self, language: str) -> str:
        """Where the choice of `devices_for` comes from."""
        return self.settings.origin("devices") if _running(language, self._devices) else "default"

    def _built_in(self) -> list[Device]:
        return [device for name in DEFAULT_DEVICES if (device := self.find_device(name))]

    def find_device(self, name: str) -> Device | None:
        try:
            return self.catalogue.find(name)
        except UnknownDevice:
            return None

    def devices(self) -> list[Device]:
        return self.catalogue.all()

    def select_device(self, name: str) -> None:
        """For this session. UnknownDevice: no such device."""
        chosen = self.catalogue.find(name).id
        rest = [device for device in self.settings.devices if device != chosen]
        self._command_line["devices"] = [chosen, *rest]
        self._load_settings()

    # -- other sources

    def read_sources(self, cancelled: Callable[[], bool], progress: Callable[[int, int], None]) -> None:
        """Look at what every source below the root includes, defines and launches. Safe to run in a thread."""
        if self.index is None or self.headers is None or self.root is None:
            return
        self.index.build(cancelled, progress)
        path = find_compile_commands(self.root)
        content = read_file(path, COMMANDS_MAX_BYTES) if path else None
        commands = (
            read_compile_commands(content.data, path) if path and isinstance(content, Content) else CompileCommands()
        )
        self._command_problems = commands.problems
        self.headers.compilations = commands.compilations
        self._sources_changed()

    def _sources_changed(self) -> None:
        if self.headers is not None and self.callers is not None:
            self.headers.forget()
            self.callers.forget()
        self._may_differ()

    def work_later(self, later: Callable[[], None]) -> None:
        """From now on answers about other files may come later: `later` is called when `work` has something to do."""
        if self.headers is not None and self.callers is not None:
            self.headers.arounds.later = self.callers.found.later = later

    def work(self, cancelled: Callable[[], bool]) -> bool:
        """Work out what was asked for of other files. True: what is shown may differ. Safe to run in a thread."""
        if self.headers is None or self.callers is None:
            return False
        done = self.headers.arounds.work(cancelled)
        done = self.callers.found.work(cancelled) or done
        if done:
            self._may_differ()
        return done

    def dialect(
        self, path: Path | None, language: str, content: bytes, own: tuple[str, ...] | None = None
    ) -> Dialect | None:
        """The file's language with the macros that stand for annotations in it and what it includes; None: no kernels.

        A header is in the language of the files that include it. `language`: what the editor calls it. `own`: the
        `alias_lines` of the content, where they are known.
        """
        stated = tuple(f"{name} {text}" for name, text in self.settings.macros.items())
        own = (*(alias_lines(content) if own is None else own), *stated)
        said = self._language_of(path)
        given = dialect_of(path.name if path and not said else "", said or language, content)
        if self.index is None or path is None:
            return with_aliases(given, own) if given else None
        lines = (*own, *self.index.aliases(path))
        if given is None and any(word in content for word in kernel_words(lines)):
            given = CUDA
        if given is None:
            return None
        if given is CUDA and self._in_hip(path):
            given = HIP
        return with_aliases(given, lines)

    def _language_of(self, path: Path | None) -> str:
        """What the settings or the command that compiles the file say of its language; "" if they say nothing."""
        if path is None or self.root is None or self.headers is None:
            return ""
        for glob, language in self.settings.languages.items():
            if self._matches(path, (glob,)):
                return language
        compiled = self.headers.compilations.get(path)
        return (compiled.language or "") if compiled is not None else ""

    def _in_hip(self, path: Path) -> bool:
        """Whether its translation unit includes headers of HIP and none of CUDA's."""
        included = self.index.included_by_unit(path) if self.index is not None else frozenset()
        return any(it.startswith("hip/") for it in included) and not any(it in _OF_CUDA for it in included)

    def around(self, path: Path | None, source: Source) -> tuple[Around, ...]:
        """The translation units that the file is part of."""
        if self.headers is None or path is None:
            return (NOTHING,)
        return self.headers.around(path, source.points(), source.dialect)

    def far_launches(
        self, kernel: str, path: Path | None, dialect: Dialect, macros: Mapping[str, int]
    ) -> tuple[FarLaunch, ...]:
        """Launches in other files of the kernel that the file at `path` defines."""
        if self.callers is None or path is None:
            return ()
        return self.callers.launches(kernel, path, dialect, macros)

    # -- settings and sidecars

    def configure(self, editor_settings: object) -> bool:
        """Take the editor's settings. True: they differ from those before."""
        if editor_settings == self._editor:
            return False
        self._editor = editor_settings
        before = self.settings, self._setting_problems
        self._load_settings()
        return before != (self.settings, self._setting_problems)

    def scan(self, cancelled: Callable[[], bool], progress: Callable[[int, int], None]) -> None:
        """Look for sidecars below the root and read them. Slow; safe to run in a thread of its own."""
        if self.root is None:
            return
        found = find_sidecars(self.root, self.settings.sidecars)
        readings: dict[Path, Reading] = {}
        for done, path in enumerate(found.paths, 1):
            if cancelled():
                break
            readings[path] = read_sidecar(path)
            progress(done, len(found.paths))
        self._found_problems = found.problems
        self._take(readings)

    def _take(self, readings: dict[Path, Reading]) -> None:
        self._readings = readings
        self._beside = {}
        by_name: dict[str, list[Usage]] = {}
        for reading in readings.values():
            for usage in reading.usages:
                by_name.setdefault(name_parts(usage.kernel)[-1], []).append(usage)
        self._by_name = by_name
        self._may_differ()

    def changed(self, paths: Sequence[Path]) -> bool:
        """These files changed on disk. True: something that is shown may differ."""
        if any((path.name == FILE_NAME and path.parent == self.root) or self._is_preset(path) for path in paths):
            self._load_settings()
            self.scan(lambda: False, lambda done, total: None)
            return True
        sources = self.index is not None and self.index.update(path for path in paths if is_source(path.name))
        commands = [path for path in paths if path.name == COMMANDS]
        if commands:
            self.read_sources(lambda: False, lambda done, total: None)
        elif sources or any(is_source(path.name) for path in paths):
            self._sources_changed()
            sources = True
        touched = [path for path in paths if self._is_sidecar(path)]
        if not touched:
            return bool(sources or commands)
        if self.root is None:
            self._beside = {}
            self._may_differ()
        else:
            self.scan(lambda: False, lambda done, total: None)
        return True

    def _is_preset(self, path: Path) -> bool:
        return self._matches(path, self.settings.presets)

    def _is_sidecar(self, path: Path) -> bool:
        return path in self._readings or self._matches(path, (*USUAL, *self.settings.sidecars))

    def _matches(self, path: Path, globs: Sequence[str]) -> bool:
        inside = self.root is None or self.root in path.parents
        return inside and any(fnmatchcase(path.as_posix(), "*/" + glob.removeprefix("**/")) for glob in globs)

    def watch_globs(self) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(
                (f"**/{FILE_NAME}", SOURCES, f"**/{COMMANDS}", *USUAL, *self.settings.sidecars, *self.settings.presets)
            )
        )

    def usages(self, kernel: str, source: Path | None) -> list[Usage]:
        """All that is said of the kernel with this qualified name, of whatever architecture."""
        beside = self._usages_beside(source)
        named = self._by_name.get(kernel.rsplit("::", 1)[-1], ())
        found = [it for it in (*named, *beside) if same_kernel(it.kernel, kernel) and _speaks_of(it, source)]
        return self._compiled.over(found, kernel, source)

    def _usages_beside(self, source: Path | None) -> tuple[Usage, ...]:
        """Of the sidecar beside a source file, if no scan has found it."""
        if source is None:
            return ()
        if source not in self._beside:
            path = source.with_name(source.name + SIDECAR_SUFFIX)
            self._beside[source] = Reading() if path in self._readings else read_sidecar(path)
        return self._beside[source].usages

    def compiled(self, path: Path, reading: Reading) -> None:
        """A compiler has told what the kernels of the file use."""
        self._compiled.take(path, reading)
        self._may_differ()

    def launch_facts(self, kernel: str) -> list[LaunchFact]:
        """What the settings say of how the kernel is launched; the last that matches comes first."""
        return [fact for fact in reversed(self.settings.launch) if fnmatchcase(kernel, fact.kernels)]

    def problems(self) -> tuple[Problem, ...]:
        """Faults in the settings, presets and sidecars."""
        readings = (*self._readings.values(), *self._beside.values())
        return (
            *self._setting_problems,
            *self._found_problems,
            *self._command_problems,
            *(p for r in readings for p in r.problems),
        )

    def remarks(self) -> list[str]:
        return [f"{r.path}:{r.line}: {r.message}" for reading in self._readings.values() for r in reading.remarks]

    def readings(self) -> Mapping[Path, Reading]:
        return self._readings


def _running(language: str, devices: Sequence[Device]) -> list[Device]:
    vendors = _RUN_BY.get(language)
    if vendors is None:
        return list(devices)
    return [device for vendor in vendors for device in devices if device.vendor == vendor]


def _speaks_of(usage: Usage, source: Path | None) -> bool:
    """`scale.cu.occupancy.yaml` speaks of `scale.cu` beside it and of no other file."""
    path = Path(usage.path)
    if not path.name.endswith(SIDECAR_SUFFIX) or source is None:
        return True
    about = path.with_name(path.name.removesuffix(SIDECAR_SUFFIX))
    return about == source or not about.is_file()
