"""One open document: its text, what is remembered of it, and a view of it at a moment for the features to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from occupancy_lsp.analysis.freshness import Baselines
from occupancy_lsp.analysis.predefined import predefined
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.query import Beside
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.edits.ladder.rows import Ladder
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.device import Device
from occupancy_lsp.session.carried import Count, counts_of
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.reports import Around, Reports
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.incremental.generated_files import is_generated
from occupancy_lsp.source.incremental.item_reader import may_concern_kernels
from occupancy_lsp.source.incremental.kernel_text import SILENT, FileFacts, KernelText
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import DEVICE_MACROS, TELLING, Dialect
from occupancy_lsp.source.lex.work_limits import is_file_too_large
from occupancy_lsp.source.lower.annotation_comments import ForDevice
from occupancy_lsp.source.sema.translation_unit import UnitContext
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.vendors.registry import VENDORS
from occupancy_lsp.workspace.launchers import Launchers

MAX_BYTES = 2_000_000
Earlier = Mapping[tuple[str, int, str], tuple[int, float]]  # groups and percent, by name, order and architecture


def too_large(content: bytes) -> str:
    """Why a text is not worth being looked at; "": it is."""
    if len(content) > MAX_BYTES:
        return "larger than 2 MB"
    return "more than 100,000 lines" if is_file_too_large(content) else ""


@dataclass(frozen=True, slots=True)
class Status:
    """The device of a file, where the choice comes from, and how many kernels have no count for it or a stale one.

    `language`: as people write it. `idle`: the names of the devices that were chosen, where none of them runs it.
    """

    device: str
    name: str
    arch: str
    origin: str
    uncounted: int
    language: str
    idle: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """How the whole text is read. `by_device`: what it says may depend on the device."""

    seen: int
    dialect: Dialect
    by_device: bool

    def hangs_on(self, *lines: bytes) -> bool:
        """Whether lines that went or came have a say in it."""
        words = self.dialect.telling
        return any(TELLING.search(it) or any(word in it for word in words) for it in lines)


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document, and what no edit may write in it."""

    start: int
    end: int
    refused: tuple[str, ...]

    def takes(self, start: int, end: int, new: str) -> bool:
        return self.start <= start and end <= self.end and not any(it in new for it in self.refused)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The document as it stood when the view was made. `device` None: none of the chosen devices runs its language."""

    path: Path | None
    text: Text
    source: KernelText
    facts: FileFacts
    settings: Settings
    device: Device | None
    origin: str
    devices: tuple[Device, ...]
    reports: Sequence[KernelReport]
    others: Sequence[Sequence[KernelReport]]  # of the other chosen devices, each in the order of `reports`
    find_device: Callable[[str], Device | None]
    report_on: Callable[[int, Device], KernelReport]  # of one kernel on any device; before the next edit
    launched: Mapping[str, tuple[int, ...]]  # the indices of the kernels that launches in the file name
    launchers: Callable[[Mapping[Path, bytes]], Launchers | None]  # in other files, given what stands in the editor
    root: Path | None  # of its workspace
    unread: Callable[[], bool]  # whether launches in other files may still be found
    why_uncounted: Callable[[], Sequence[Problem]]  # why kernels of it that have no counts have none
    earlier: Earlier = field(default_factory=dict)  # what its kernels were in the last commit, if that is asked for
    ladders: Sequence[Ladder] = ()  # what other bounds were seen to make of its kernels, as they stood then
    idle: tuple[Device, ...] = ()  # that a person chose, where none of them runs its language
    passages: tuple[Passage, ...] = ()  # that its text stands in; empty: it is the whole document
    beside: Beside = field(default_factory=Beside)  # what features and rules make of it
    lasting: Beside = field(default_factory=Beside)  # what they hold from one view of a document to the next

    @property
    def chosen(self) -> bool:
        """Whether a person chose the device: not the tool, nor the tool by what the text says of the vendor."""
        return self.origin not in ("default", "text")

    @property
    def status(self) -> Status | None:
        device = self.device
        uncounted = sum(map(lacks_count, self.reports))
        if device is None:
            return None
        language, idle = LANGUAGES[self.source.dialect.name].title, tuple(it.name for it in self.idle)
        return Status(device.id, device.name, device.arch.id, self.origin, uncounted, language, idle)

    def others_say(self, told: Callable[[bytes], object], kernel: str) -> bool:
        """Whether this is true of the code of another file that may name the kernel, where some compiler sees it."""
        others = self.beside.ask("launchers", lambda: self.launchers({}))
        return others is not None and others.say(told, kernel)

    def device_named(self, name: str) -> Device | None:
        return self.beside.ask(("device", name), lambda: self.find_device(name))

    def takes(self, start: int, end: int, new: str) -> bool:
        """Whether the document still means it so with `new` in place of the bytes between two offsets."""
        return not self.passages or any(it.takes(start, end, new) for it in self.passages)

    def is_at(self, offset: int) -> bool:
        """Whether its text stands there."""
        return not self.passages or any(it.start <= offset <= it.end for it in self.passages)

    def span(self, place: Place) -> tuple[int, int]:
        start = self.source.start_of(place.item)
        return start + place.start, start + place.end


def lacks_count(report: KernelReport) -> bool:
    """Whether its registers are not known, or known of another text."""
    if report.defect is not None:
        return False
    uncounted = not report.counted and report.registers.lowest is None
    return uncounted or report.registers.freshness != "fresh"


class OpenFile:
    """A document and all that is remembered between its edits.

    `alone`: the language that it is read in, whatever others it may be in. `embedded`: of a text in a document.
    `edited`: whether it is likely to be.
    """

    def __init__(
        self, path: Path | None, language: str, text: Text, project: Project, alone: Dialect | None = None,
        embedded: Around | None = None, edited: bool = True,
    ) -> None:  # fmt: skip
        self.path = path
        self._language = language
        self._alone = alone
        self._embedded = embedded
        self._edited = edited
        self.text = text
        self._project = project
        self._source: KernelText | None = None  # read when first looked at
        self._asked: tuple[object, ...] = ()
        self._around: tuple[UnitContext, ...] = ()
        self._reading: _Reading | None = None  # as long as no line changes that bears on it
        self._baselines = Baselines(path, project.root)
        self._reports: Reports | None = None  # of that source's kernels
        self._chosen: Device | None = None
        self._view: View | None = None
        self._seen = -1
        self._ladders: dict[tuple[str, str], Ladder] = {}  # by kernel and architecture
        self._earlier: Earlier = {}
        self._lasting = Beside()

    def edit(self, start: int, end: int, new: bytes) -> None:
        """Put `new` in place of the bytes from `start` to `end`."""
        before = self.text.lines_at(start, end)
        self.text.replace(start, end, new)
        if self._reading and self._reading.hangs_on(before, self.text.lines_at(start, start + len(new))):
            self._reading = None
        if self._source is not None:
            self._source.replace(self.text.content, start, end, start + len(new))
        self._view = None

    def close(self) -> None:
        """Nobody looks at it any more: let go at once of what was worked out."""
        if self._source is not None:
            self._source.close()
        if self._reports is not None:
            self._reports.close()
        self._view = None

    def replace_all(self, content: bytes) -> None:
        self.text = Text(content)
        self._source = self._reading = None
        self._view = None

    def saved(self) -> None:
        """The file on disk is the document now."""
        self._baselines.compare_anew()
        self._view = None

    def compiled(self, reading: Reading, fingerprints: Mapping[str, str]) -> None:
        """A compiler has told of a text that was never on disk, whose kernels had these fingerprints."""
        for usage in reading.usages:
            self._baselines.know(usage, fingerprints)

    def counts(self) -> tuple[Count, ...]:
        """What compilers counted of the kernels that it has now, and of which text."""
        view = self.view()
        if view is None or self.path is None:
            return ()
        names = (it.qualified for it in view.facts.kernels)
        return tuple(counts_of(self._project, self.path, names, self._baselines, view.source.dialect))

    def tried(self, ladder: Ladder) -> None:
        """Other bounds were tried on a kernel."""
        self._ladders[ladder.kernel, ladder.arch] = ladder
        self._view = None

    def were(self, earlier: Earlier) -> bool:
        """What its kernels were in the last commit. True: that was not known."""
        if earlier == self._earlier:
            return False
        self._earlier, self._view = earlier, None
        return True

    def stand_in(self, around: Around) -> None:
        """What the document around it says of it now."""
        if around != self._embedded:
            self._embedded, self._view = around, None
            if self._reports is not None:
                self._reports.stand_in(around)

    def views(self) -> tuple[View, ...]:
        """Its view, if there is one."""
        view = self.view()
        return (view,) if view is not None else ()

    def view(self) -> View | None:
        """None: too large a file to be looked at, a generated one, or one in another language."""
        seen = self._project.version
        if self._view is None or self._seen != seen:
            known = self._known(seen)
            if known is None:
                return None
            self._seen, self._view = seen, self._analyse(*known)
        return self._view

    def ahead(self) -> Iterator[None]:
        """Find out at each step a little of what a view takes, so that it is there at once later. Between two steps
        anything may be asked; after an edit, or where the project knows more, the rest is of no use."""
        seen = self._project.version
        if self._view is not None and self._seen == seen:
            return
        if self._source is None and (reading := self._readable(seen)) is not None:
            yield from self._project.source_ahead(self.path, self.text.content, reading.dialect)
        known = self._known(seen)
        if known is None:
            return
        yield
        source, reports, reading = known
        yield from source.read_ahead()
        around, language = self._units(source, reading), source.dialect.name
        yield
        devices = self._project.devices_for(language)
        device = self._chosen or (devices[0] if devices else None)
        macros = predefined(device, language)
        if around and device is not None:
            yield from source.facts_ahead(macros, around)
            reports.follow(source.facts(macros, around))
            yield
            yield from reports.ahead(device)

    def ask(self) -> None:
        """Ask other files what a view will hang on, and do not wait for their answers."""
        known = self._known(self._project.version)
        if known is not None:
            source, _, reading = known
            self._units(source, reading)

    def _known(self, seen: int) -> tuple[KernelText, Reports, _Reading] | None:
        """What is read of the text as it is now, and how; None: nothing is."""
        content, reading = self.text.content, self._readable(seen)
        if reading is None:
            return None
        dialect = reading.dialect
        if self._source is None or self._source.dialect is not dialect:
            self._source = self._project.source(self.path, content, dialect)
            self._source.edited = self._edited
            self._reports = Reports(self.path, self._project, self._source, self._baselines, self._embedded)
        assert self._reports is not None
        return self._source, self._reports, reading

    def _readable(self, seen: int) -> _Reading | None:
        content = self.text.content
        if too_large(content) or is_generated(content):
            return None
        if self._reading is None or self._reading.seen != seen:
            self._reading = self._read(content, seen)
        return self._reading

    def _read(self, content: bytes, seen: int) -> _Reading | None:
        dialect = self._alone or self._project.dialect(self.path, self._language, content)
        return _Reading(seen, dialect, DEVICE_MACROS.search(content) is not None) if dialect else None

    def _units(self, source: KernelText, reading: _Reading) -> tuple[UnitContext, ...]:
        """The translation units, none of a text that says nothing. Remembered: most edits change no #include."""
        dialect = source.dialect
        if LANGUAGES[dialect.name].preprocessed and not may_concern_kernels(self.text.content, dialect):
            return ()
        held = self._embedded
        asked = reading.seen, dialect, source.include_points(), held and (held.at, held.folders)
        if asked != self._asked:
            project = self._project
            found = project.around_text(held.at, held.folders, source) if held else project.around(self.path, source)
            self._asked, self._around = asked, found
        return self._around

    def _analyse(self, source: KernelText, reports: Reports, reading: _Reading) -> View:
        project = self._project
        language = source.dialect.name
        devices = project.devices_for(language)
        around = self._units(source, reading)
        # Which device is meant, the facts say; they are read with its macros, so that the last one is the best guess.
        guessed = self._chosen or (devices[0] if devices else None)
        facts = source.facts(predefined(guessed, language), around) if around else SILENT
        chosen, origin = self._choose(source.dialect, facts, devices, project.chosen_by(language))
        if chosen is not guessed and around:
            facts = source.facts(predefined(chosen, language), around)
        self._chosen = chosen
        listed = tuple(dict.fromkeys(([chosen] if chosen else []) + devices))
        # What the text says on another architecture is not known here.
        if reading.by_device or any(unit.by_device for unit in around):
            listed = tuple(device for device in listed if chosen and device.arch.id == chosen.arch.id)
        reports.follow(facts)
        rows = tuple(map(reports.on, listed))
        meant = predefined(chosen, language)
        return View(
            self.path, self.text, source, facts, project.settings, chosen, origin, listed,
            rows[0] if rows else (), rows[1:], project.find_device,
            reports.one, reports.launched,
            lambda opened: project.launchers(self.path, source, meant, {**opened, **self._own_text()}),
            project.root, lambda: project.unread,
            lambda: project.results.why_uncounted(self.path) if self.path else (), self._earlier, self._standing(),
            idle=tuple(project.chosen_in_vain(language)), lasting=self._lasting,
        )  # fmt: skip

    def _standing(self) -> tuple[Ladder, ...]:
        """Ladders, unless flags or a header changed since they were made."""
        project, path = self._project, self.path
        if path is None:
            return ()

        def outdated(ladder: Ladder) -> bool:
            return any(project.results.is_outdated(usage, path) for row in ladder.rows for usage in row.usages)

        return tuple(it for it in self._ladders.values() if it.build == project.build and not outdated(it))

    def _own_text(self) -> dict[Path, bytes]:
        return {self.path: self.text.content} if self.path else {}

    def _choose(
        self, dialect: Dialect, facts: FileFacts, devices: list[Device], origin: str
    ) -> tuple[Device | None, str]:
        for said in facts.file_directives:
            if isinstance(said.directive, ForDevice):
                named = self._project.find_device(said.directive.device)
                if named is not None:
                    return named, "directive"
        named = self._by_vendor(facts.kernels) if dialect.grammar.several_vendors and origin == "default" else None
        return (named, "text") if named else ((devices[0] if devices else None), origin)

    def _by_vendor(self, kernels: Sequence[Kernel]) -> Device | None:
        """A device of the vendor whose extensions the text uses; None: it uses none, or those of several."""
        speaking = [kernel for kernel in kernels if kernel.vendors]
        vendors = {vendor for kernel in speaking for vendor, _ in kernel.vendors}
        if len(vendors) != 1:
            return None
        required = {it.attributes.sub_group.value.number for it in speaking if it.attributes.sub_group} - {None}
        found = [it for name in VENDORS[vendors.pop()].speaking if (it := self._project.find_device(name))]
        fitting = (it for it in found if required <= {*(it.arch.built_widths or required)})
        return next(fitting, found[0] if found else None)
