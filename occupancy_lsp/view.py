"""One open document: its text, what is remembered of it, and a view of it at a moment for the features to read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from occupancy_lsp.analysis import KernelInputs, KernelReport, report
from occupancy_lsp.freshness import Baselines
from occupancy_lsp.inputs import Counted, Freshness
from occupancy_lsp.model.device import Device
from occupancy_lsp.predefined import predefined
from occupancy_lsp.project import Project
from occupancy_lsp.resources.usage import Usage
from occupancy_lsp.settings import Settings
from occupancy_lsp.syntax.aliases import alias_lines
from occupancy_lsp.syntax.dialects import DEVICE_MACROS
from occupancy_lsp.syntax.directives import ForDevice
from occupancy_lsp.syntax.kernels import Kernel, KernelLaunch
from occupancy_lsp.syntax.source import FileFacts, Said, Source
from occupancy_lsp.syntax.values import Place
from occupancy_lsp.text import Text

MAX_BYTES = 2_000_000
_GENERATED = re.compile(rb"@generated|automatically generated|auto-?generated|DO NOT EDIT", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Status:
    """The device of a file and where the choice comes from."""

    device: str
    name: str
    arch: str
    origin: str


@dataclass(frozen=True, slots=True)
class _Reported:
    """`seen`: the project's version at which the inputs were gathered."""

    seen: int
    inputs: KernelInputs
    report: KernelReport


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The document as it stood when the view was made. `device` None: none of the chosen devices runs its language."""

    path: Path | None
    text: Text
    source: Source
    facts: FileFacts
    settings: Settings
    device: Device | None
    origin: str
    devices: tuple[Device, ...]
    reports: tuple[KernelReport, ...]
    others: tuple[tuple[KernelReport, ...], ...]  # of the other chosen devices, each in the order of `reports`
    find_device: Callable[[str], Device | None]
    report_on: Callable[[int, Device], KernelReport]  # of one kernel on any device; before the next edit

    @property
    def status(self) -> Status | None:
        device = self.device
        return Status(device.id, device.name, device.arch.id, self.origin) if device else None

    def span(self, place: Place) -> tuple[int, int]:
        start = self.source.start_of(place.item)
        return start + place.start, start + place.end


class OpenFile:
    """A document and all that is remembered between its edits."""

    def __init__(self, path: Path | None, language: str, text: Text, project: Project) -> None:
        self.path = path
        self._language = language
        self.text = text
        self._project = project
        self._source: Source | None = None  # read when first looked at
        self._aliases: tuple[str, ...] | None = None  # as long as no preprocessor line changes
        self._baselines = Baselines(path)
        self._reports: dict[tuple[str, int, str], _Reported] = {}
        self._names: list[str] = []
        self._launches: tuple[KernelLaunch, ...] = ()
        self._by_name: dict[str, tuple[KernelLaunch, ...]] = {}
        self._chosen: Device | None = None
        self._view: View | None = None
        self._seen = -1

    def edit(self, start: int, end: int, new: bytes) -> None:
        """Put `new` in place of the bytes from `start` to `end`."""
        before = self._has_directive(start, end)
        self.text.replace(start, end, new)
        if before or self._has_directive(start, start + len(new)):
            self._aliases = None
        if self._source is not None:
            self._source.replace(self.text.content, start, end, start + len(new))
        self._view = None

    def _has_directive(self, start: int, end: int) -> bool:
        """Whether the lines that hold some of the text between two offsets may define a macro."""
        content = self.text.content
        stop = content.find(b"\n", end)
        return b"#" in content[content.rfind(b"\n", 0, start) + 1 : stop if stop >= 0 else len(content)]

    def replace_all(self, content: bytes) -> None:
        self.text = Text(content)
        self._source = self._aliases = None
        self._view = None

    def saved(self) -> None:
        """The file on disk is the document now."""
        self._baselines.forget()
        self._view = None

    def view(self) -> View | None:
        """None: too large a file to be looked at, a generated one, or one in another language."""
        if self._view is not None and self._seen == self._project.version:
            return self._view
        content = self.text.content
        if len(content) > MAX_BYTES or _GENERATED.search(content[:2000]):
            return None
        if self._aliases is None:
            self._aliases = alias_lines(content)
        dialect = self._project.dialect(self.path, self._language, content, self._aliases)
        if dialect is None:
            return None
        if self._seen != self._project.version:
            self._seen = self._project.version
        if self._source is None or self._source.dialect is not dialect:
            self._source, self._reports = Source(content, dialect), {}
        self._view = self._analyse(self._source)
        return self._view

    def _analyse(self, source: Source) -> View:
        project = self._project
        language = source.dialect.name
        devices = project.devices_for(language)
        around = project.around(self.path, source)
        # Which device is meant, the facts say; they are read with its macros, so that the last one is the best guess.
        guessed = predefined(self._chosen or (devices[0] if devices else None), language)
        facts = source.facts(guessed, around)
        chosen, origin = self._choose(facts, devices, project.chosen_by(language))
        if (meant := predefined(chosen, language)) != guessed:
            facts = source.facts(meant, around)
        self._chosen = chosen
        listed = tuple(dict.fromkeys(([chosen] if chosen else []) + devices))
        # What the text says on another architecture is not known here.
        if DEVICE_MACROS.search(self.text.content) or any(unit.by_device for unit in around):
            listed = tuple(device for device in listed if chosen and device.arch.id == chosen.arch.id)
        by_name = self._launches_by_kernel(facts)
        rows = tuple(
            tuple(self._report(source, facts, i, by_name, device) for i in range(len(facts.kernels)))
            for device in listed
        )
        if len(self._reports) > 2 * len(facts.kernels) * max(len(listed), 1):
            live = {(kernel.item, kernel.name) for kernel in facts.kernels}
            self._reports = {key: it for key, it in self._reports.items() if it.seen == self._seen and key[1:] in live}
        return View(
            self.path, self.text, source, facts, project.settings, chosen, origin, listed,
            rows[0] if rows else (), rows[1:], project.find_device,
            lambda index, device: self._report(source, facts, index, by_name, device),
        )  # fmt: skip

    def _launches_by_kernel(self, facts: FileFacts) -> dict[str, tuple[KernelLaunch, ...]]:
        """Remembered: most edits change neither a launch nor a kernel's name."""
        names = [kernel.qualified for kernel in facts.kernels]
        if names != self._names or facts.launches != self._launches:
            self._names, self._launches = names, facts.launches
            self._by_name = _launches_by_kernel(facts)
        return self._by_name

    def _choose(self, facts: FileFacts, devices: list[Device], origin: str) -> tuple[Device | None, str]:
        for said in facts.said_for_file:
            if isinstance(said.directive, ForDevice):
                named = self._project.find_device(said.directive.device)
                if named is not None:
                    return named, "directive"
        return (devices[0] if devices else None), origin

    def _report(
        self,
        source: Source,
        facts: FileFacts,
        index: int,
        launches: dict[str, tuple[KernelLaunch, ...]],
        device: Device,
    ) -> KernelReport:
        kernel, said = facts.kernels[index], facts.said[index]
        launched = launches.get(kernel.name, ())
        key = (device.id, kernel.item, kernel.name)
        known = self._reports.get(key)
        if known is not None and known.seen == self._seen and _unchanged(known.inputs, kernel, said, launched):
            return known.report
        far = self._project.far_launches(kernel, self.path, source.dialect, predefined(device, source.dialect.name))
        counted, elsewhere = self._usages(source, kernel, device)
        launch_facts = tuple(self._project.launch_facts(kernel.qualified))
        language = source.dialect.name
        inputs = KernelInputs(kernel, language, device, said, launched, far, launch_facts, counted, elsewhere)
        same = known.report if known is not None and known.inputs == inputs else report(inputs)
        self._reports[key] = _Reported(self._seen, inputs, same)
        return same

    def _usages(self, source: Source, kernel: Kernel, device: Device) -> tuple[tuple[Counted, ...], tuple[Usage, ...]]:
        """What applies to the kernel on the device, and what is for other architectures."""
        usages = self._project.usages(kernel.qualified, self.path)
        if not usages:
            return (), ()
        mine = [usage for usage in usages if usage.arch in (None, device.arch.id)]
        counted = tuple(Counted(usage, self._freshness(source, kernel, usage)) for usage in _newest(mine))
        return counted, tuple(usage for usage in usages if usage not in mine)

    def _freshness(self, source: Source, kernel: Kernel, usage: Usage) -> Freshness:
        return self._baselines.freshness(usage, kernel.qualified, source.fingerprint(kernel))


def _unchanged(was: KernelInputs, kernel: Kernel, said: tuple[Said, ...], launches: tuple[KernelLaunch, ...]) -> bool:
    """Whether nothing in the text bears on the report; counts can go stale by an edit elsewhere in the file."""
    return was.kernel is kernel and not was.counted and was.said == said and was.launches == launches


def _launches_by_kernel(facts: FileFacts) -> dict[str, tuple[KernelLaunch, ...]]:
    """The launches of each kernel whose name alone tells it from the others of the file."""
    names = Counter(kernel.name for kernel in facts.kernels)
    qualified = {kernel.name: kernel.qualified for kernel in facts.kernels}
    found: dict[str, list[KernelLaunch]] = {}
    for launch in facts.launches:
        name = launch.name
        if names[name] == 1 and _means(launch.kernel, qualified[name]):
            found.setdefault(name, []).append(launch)
    return {name: tuple(launches) for name, launches in found.items()}


def _means(written: str, qualified: str) -> bool:
    return "::" not in written or f"::{qualified}".endswith(f"::{written.removeprefix('::')}")


def _newest(usages: list[Usage]) -> list[Usage]:
    """A person's word before a compiler's; of several builds of one instance the newest."""
    stated = [usage for usage in usages if usage.source == "declared"]
    newest: dict[str, Usage] = {}
    for usage in sorted(stated or usages, key=lambda it: (it.mtime, it.line)):
        newest[usage.kernel] = usage
    return list(newest.values())
