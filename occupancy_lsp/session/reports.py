"""The reports of one file's kernels, device by device, in step with its text and with what the project knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from occupancy_lsp.analysis.ceilings import shared_ceilings
from occupancy_lsp.analysis.freshness import Baselines
from occupancy_lsp.analysis.inputs import Counted, Freshness
from occupancy_lsp.analysis.report import KernelInputs, KernelReport, lost, report
from occupancy_lsp.builds.attribution import Unused, on_architecture
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.query import Queries
from occupancy_lsp.core.sequences import shared_ends
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.model.device import Device
from occupancy_lsp.session.project import Project
from occupancy_lsp.source.kernels.kernels import Kernel, KernelLaunch
from occupancy_lsp.source.source import DirectiveAt, FileFacts, Source
from occupancy_lsp.vendors.registry import predefined, vendor_of
from occupancy_lsp.vendors.vendor import Options

_About = tuple[int, int]  # a kernel, by its item and where its name stands in it
_Stands = tuple[Kernel, tuple[DirectiveAt, ...]]
# Inputs, beside each kernel and each name that is launched.
_TEXT = "text"  # of the file: an edit anywhere may make a count stale
_KERNELS = "kernels"  # all of the file
_PROJECT = "project"  # settings, devices, builds, other files


class Reports:
    """`launched`: the indices of the kernels that launches in the file name."""

    def __init__(self, path: Path | None, project: Project, source: Source, baselines: Baselines) -> None:
        self.launched: Mapping[str, int] = {}
        self._path = path
        self._project = project
        self._source = source
        self._baselines = baselines
        self._queries = Queries()
        self._seen = project.version
        self._kernels: Sequence[Kernel] = ()
        self._directives: Sequence[tuple[DirectiveAt, ...]] = ()
        self._order: list[_About] = []
        self._stands: dict[_About, _Stands] = {}
        self._launches: tuple[KernelLaunch, ...] = ()
        self._by_name: Mapping[str, tuple[KernelLaunch, ...]] = {}

    def follow(self, facts: FileFacts) -> None:
        """`facts`: what the text says now."""
        head, tail = shared_ends((self._kernels, facts.kernels), (self._directives, facts.directives))
        was, last = self._order[head : len(self._order) - tail], len(facts.kernels) - tail
        stood = {it: self._stands.pop(it) for it in was}
        now = zip(facts.kernels[head:last], facts.directives[head:last], strict=True)
        stand = {_about(kernel): (kernel, said) for kernel, said in now}
        others: set[Hashable] = {it for it, now in stand.items() if it not in stood or _differ(stood[it], now)}
        gone = stood.keys() - stand.keys()
        names = [it.qualified for it, _ in stood.values()] != [it.qualified for it, _ in stand.values()]
        self._stands |= stand
        self._order[head : len(self._order) - tail] = stand
        self._kernels, self._directives = facts.kernels, facts.directives
        if names or facts.launches != self._launches:
            others |= self._follow_launches(facts)
        others |= {_TEXT, *([_KERNELS] if others or gone else [])}
        if self._seen != self._project.version:
            self._seen = self._project.version
            others.add(_PROJECT)
        self._queries.change(others, gone)

    def _follow_launches(self, facts: FileFacts) -> set[Hashable]:
        before, self._by_name = self._by_name, _launches_by_kernel(facts)
        self._launches = facts.launches
        self.launched = {it.name: index for index, it in enumerate(facts.kernels) if it.name in self._by_name}
        names = before.keys() | self._by_name.keys()
        return {_launched(it) for it in names if before.get(it) != self._by_name.get(it)}

    def on(self, device: Device) -> tuple[KernelReport, ...]:
        """Each kernel's report, in their order."""
        return tuple(self._queries.each(("report", device.id), self._order, lambda index: self._work(index, device)))

    def one(self, index: int, device: Device) -> KernelReport:
        return self._queries.answer((("report", device.id), self._order[index]), self._work(index, device))

    def _work(self, index: int, device: Device) -> Callable[[], KernelReport]:
        return partial(self._report, self._order[index], device)

    def _report(self, about: _About, device: Device) -> KernelReport:
        gather = partial(self._gather, about, device)
        found = attempt(lambda: report(self._queries.answer(("inputs", about, device.id), gather)))
        if not isinstance(found, Defect):
            return found
        kernel, directives = self._stands[about]
        return lost(kernel, self._source.dialect.name, device, directives, found)

    def _gather(self, about: _About, device: Device) -> KernelInputs:
        kernel, directives = self._stands[about]
        language = self._source.dialect.name
        self._queries.note(_PROJECT)
        self._queries.note(_launched(kernel.name))
        counted, unused = self._usages(kernel, device)
        return KernelInputs(
            kernel,
            language,
            device,
            directives,
            self._by_name.get(kernel.name, ()),
            self._project.far_launches(kernel, self._path, self._source.dialect, predefined(device, language)),
            tuple(self._project.launch_facts(kernel.qualified)),
            counted,
            unused,
            self._options(kernel, language, device),
        )

    def _options(self, kernel: Kernel, language: str, device: Device) -> Options:
        options = self._project.options(self._path)
        if not kernel.local.called or not vendor_of(device.arch).shares_functions:
            return options

        def shared() -> Mapping[str, int]:
            self._queries.note(_KERNELS)
            self._queries.note(_PROJECT)
            return shared_ceilings(device.arch, self._kernels, language, options)

        ceilings = self._queries.answer(("shared", _KERNELS, device.id), shared)
        return replace(options, shared=max((ceilings.get(it, 0) for it in kernel.local.called), default=0))

    def _usages(self, kernel: Kernel, device: Device) -> tuple[tuple[Counted, ...], tuple[Unused, ...]]:
        """What applies to the kernel on the device, and what does not."""
        joined = self._project.results.joined(kernel.qualified, self._path)
        if not joined.used:
            return (), joined.unused
        self._queries.note(_TEXT)
        here = on_architecture(joined, device.arch.id)
        return tuple(Counted(usage, self._freshness(kernel, usage)) for usage in here.used), here.unused

    def _freshness(self, kernel: Kernel, usage: Usage) -> Freshness:
        """What a person states is always fresh."""
        if usage.source == "declared":
            return "fresh"
        source = self._source
        found = self._baselines.freshness(usage, kernel.qualified, source.fingerprint(kernel), source.dialect)
        if found != "fresh" or self._path is None:
            return found
        return "maybe" if self._project.results.is_outdated(usage, self._path) else "fresh"


def _about(kernel: Kernel) -> _About:
    return kernel.item, kernel.name_place.start


def _differ(was: _Stands, now: _Stands) -> bool:
    return was[0] is not now[0] or was[1] != now[1]


def _launched(name: str) -> tuple[str, str]:
    """The input of what launches the kernel of that name."""
    return "launched", name


def _launches_by_kernel(facts: FileFacts) -> Mapping[str, tuple[KernelLaunch, ...]]:
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
