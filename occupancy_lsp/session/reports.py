"""The reports of one file's kernels, device by device, in step with its text and with what the project knows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from operator import is_
from pathlib import Path

from occupancy_lsp.analysis.ceilings import shared_ceilings
from occupancy_lsp.analysis.exceeding import fails
from occupancy_lsp.analysis.freshness import Baselines
from occupancy_lsp.analysis.inputs import Counted, Freshness, KernelInputs, OptedIn, exceeds
from occupancy_lsp.analysis.predefined import predefined
from occupancy_lsp.analysis.report import KernelReport, lost, report
from occupancy_lsp.builds.attribution import Attribution, Unused, in_language, of_file, of_text, on_architecture
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.frozen import EMPTY
from occupancy_lsp.core.once import Once
from occupancy_lsp.core.query import Queries
from occupancy_lsp.core.sequences import shared_ends, spliced
from occupancy_lsp.counts.names import same_arguments, template_arguments
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.languages.registry import LANGUAGES, language_of
from occupancy_lsp.model.device import Device
from occupancy_lsp.session.project import Project
from occupancy_lsp.source.incremental.address_taken import has_other_mention, names_possibly_passed
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt, FileFacts, KernelText
from occupancy_lsp.source.kernels.carveout_preference import (
    CarveoutPreference,
    preferences_for_kernel,
    preferences_for_unnamed,
)
from occupancy_lsp.source.kernels.certain_reads import certainly_read_variables
from occupancy_lsp.source.kernels.intent_keywords import HANDS_REGISTERS
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import (
    KernelLaunch,
    Namesakes,
    as_launch_of_kernel,
    kernels_meant_by,
)
from occupancy_lsp.source.kernels.overload_resolution import KernelSignature
from occupancy_lsp.source.kernels.setmaxnreg import RequestedRegisters
from occupancy_lsp.source.kernels.tensor_memory import NO_COLUMNS, Columns
from occupancy_lsp.source.kernels.tensor_memory import WORDS as ALLOCATING
from occupancy_lsp.source.lower.local_memory_opt_ins import (
    OPTING,
    are_all_opt_ins_known,
    count_possible_opt_ins_of,
    may_opt_in,
)
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.vendor import NO_OPTIONS, Options
from occupancy_lsp.workspace.callers import FarLaunch

_About = tuple[int, int, str]  # a kernel, by its item, where its name stands in it, and what that comes to
_Stands = tuple[Kernel, tuple[DirectiveAt, ...]]
# Inputs, beside each kernel and each name that is launched.
_HANDING = (b"setmaxnreg",)  # what changes registers in a helper's text
_TEXT = "text"  # of the file: an edit anywhere may make a count stale
_KERNELS = "kernels"  # all of the file
_PREFERRED = "preferred"  # shares of a unit's memory
_OF_ANY = "launches of any"  # kernel, for none is known
_PROJECT = "project"  # settings, devices, builds, other files


@dataclass(frozen=True, slots=True)
class Around:
    """Of a text that stands in another: how that has it compiled, and its launches, by the kernel's name.

    `at`: its own path, below that of the file that holds it. `folders`: where its headers lie. `opted`: the kernels
    that are allowed more dynamic local memory than others, each with its bytes, if they are known; None: any may be.
    """

    options: Options = NO_OPTIONS
    launches: Mapping[str, tuple[FarLaunch, ...]] = field(default_factory=dict)
    at: Path | None = None
    folders: tuple[Path, ...] = ()
    opted: tuple[tuple[str, int | None], ...] | None = None


class Reports:
    """`launched`: the indices of the kernels that launches in the file name. Where the source is not likely to be
    edited, nothing is kept of what each report hangs on."""

    def __init__(
        self, path: Path | None, project: Project, source: KernelText, baselines: Baselines, around: Around | None
    ) -> None:
        self.launched: Mapping[str, tuple[int, ...]] = {}
        self._path = path
        self._project = project
        self._source = source
        self._baselines = baselines
        self._around = around
        self._queries = Queries() if source.edited else Once()
        self._seen = project.version
        self._moved = False  # what it stands in says something else
        self._facts: FileFacts | None = None
        self._kernels: Sequence[Kernel] = ()
        self._directives: Sequence[tuple[DirectiveAt, ...]] = ()
        self._order: Sequence[_About] = ()
        self._stands: dict[_About, _Stands] = {}
        self._launches: Sequence[KernelLaunch] = ()
        self._named: dict[str, _Named] = {}
        self._of_kernel: dict[_About, tuple[KernelLaunch, ...]] = {}
        self._of_any: tuple[KernelLaunch, ...] = ()
        self._preferred: tuple[CarveoutPreference, ...] = ()
        self._namesakes: Mapping[str, Namesakes] = {}  # of names that several kernels bear

    def close(self) -> None:
        """Nobody asks any more."""
        self._queries.close()

    def stand_in(self, around: Around) -> None:
        """Before the next `follow`."""
        self._moved = self._moved or around != self._around
        self._around = around

    def follow(self, facts: FileFacts) -> None:
        """`facts`: what the text says now."""
        head, tail = shared_ends((self._kernels, facts.kernels), (self._directives, facts.directives))
        was, last = self._order[head : len(self._order) - tail], len(facts.kernels) - tail
        stood = {it: self._stands.pop(it) for it in was}
        now = zip(facts.kernels[head:last], facts.directives[head:last], strict=True)
        stand = {_about(kernel): (kernel, said) for kernel, said in now}
        others: set[Hashable] = {it for it, now in stand.items() if it not in stood or _differ(stood[it], now)}
        gone = stood.keys() - stand.keys()
        renamed = [_meant_as(it) for it, _ in stood.values()] != [_meant_as(it) for it, _ in stand.values()]
        renamed = renamed or [*stood] != [*stand]
        self._stands |= stand
        self._order = spliced(self._order, head, tail, stand)
        self._kernels, self._directives = facts.kernels, facts.directives
        self._facts = facts
        if renamed or facts.launches != self._launches:
            moved = self._follow_moved(stood, stand) if facts.launches == self._launches else None
            others |= self._follow_launches(facts) if moved is None else moved
        if facts.preferred != self._preferred:
            self._preferred = facts.preferred
            others.add(_PREFERRED)
        others |= {_TEXT, *map(_text, stand), *([_KERNELS] if others or gone else [])}
        if self._seen != self._project.version or self._moved:
            self._seen, self._moved = self._project.version, False
            others.add(_PROJECT)
        if self._source.edited:
            self._queries.change(others, gone)
        else:
            self._queries = Once()

    def _follow_moved(self, stood: Mapping[_About, _Stands], stand: Mapping[_About, _Stands]) -> set[Hashable] | None:
        """The inputs that say something else where kernels in place of others have their names, which no others bear,
        and no launch is another; None: there is more to it. A key changes one of many: the others are not looked at."""
        names = [it.name for it, _ in stand.values()]
        if [it.name for it, _ in stood.values()] != names or not self._namesakes.keys().isdisjoint(names):
            return None
        named: dict[str, _Named] = {}
        for kernel, _ in stand.values():
            launches = self._named[kernel.name].launches
            named[kernel.name] = _Named([kernel], launches, _launches_by_kernel(launches, [kernel]))
        before = {it: self._of_kernel[it] for it in stood if it in self._of_kernel}
        after = {about: it for each in named.values() for about, it in each.of_kernel.items()}
        if [it in before for it in stood] != [it in after for it in stand]:
            return None
        self._named |= named
        self._of_kernel |= after
        for gone in before.keys() - after.keys():
            del self._of_kernel[gone]
        return {_launched(it) for it in before.keys() | after.keys() if before.get(it) != after.get(it)}

    def _follow_launches(self, facts: FileFacts) -> set[Hashable]:
        """The inputs that say something else."""
        of_any = tuple(it for it in facts.launches if it.may_be_of_any_kernel)
        by_name = _by_name(facts)
        before, named = self._of_kernel, _meant_by_name(facts, by_name, self._named)
        self._of_kernel = {about: it for each in named.values() for about, it in each.of_kernel.items()}
        others: set[Hashable] = {_OF_ANY} if of_any != self._of_any else set()
        self._of_any = of_any
        namesakes = {name: Namesakes(several) for name, several in by_name.items() if len(several) > 1}
        ambiguous = {*self._namesakes, *namesakes} & by_name.keys()
        changed = [name for name in ambiguous if named[name] is not self._named.get(name)]
        others |= {_launched(_about(it)) for name in changed for it in by_name[name]}
        self._namesakes, self._named = namesakes, named
        self._launches = facts.launches
        launched: dict[str, list[int]] = {}
        for index, it in enumerate(facts.kernels):
            if _about(it) in self._of_kernel:
                launched.setdefault(it.name, []).append(index)
        self.launched = {name: tuple(indices) for name, indices in launched.items()}
        either = before.keys() | self._of_kernel.keys()
        return others | {_launched(it) for it in either if before.get(it) != self._of_kernel.get(it)}

    def on(self, device: Device) -> Sequence[KernelReport]:
        """Each kernel's report, in their order."""
        return self._queries.each(("report", device.id), self._order, lambda index: self._work(index, device))

    def ahead(self, device: Device) -> Iterator[None]:
        """Work out one at each step, and keep it."""
        for index in range(len(self._order)):
            self.one(index, device)
            yield

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
        self._queries.note(_PREFERRED)
        self._queries.note(_launched(about))
        counted, unused = self._usages(kernel, device)
        options = self._options(kernel, language, device)

        def counts(launch: KernelLaunch) -> bool:
            """Whether a launch is one of the kernel's, none that fails where nothing ever runs."""
            if not fails(device.arch, kernel, language, options, launch):
                return True
            return launch.reached and self._may_run(launch) is not False

        launches = tuple(filter(counts, (*self._of_kernel.get(about, ()), *self._launches_of_any(kernel))))
        far = tuple(it for it in self._far_launches(kernel, device) if counts(it.launch))
        return KernelInputs(
            kernel,
            language,
            device,
            directives,
            launches,
            far,
            tuple(self._project.launch_facts(kernel.qualified)),
            counted,
            unused,
            options,
            self._may_opt_in(kernel, launches, [it.launch for it in far], device.arch.local_per_group),
            self._shares(kernel, language) if device.arch.traits.splits_cache else (),
            self._tensor_columns(kernel) if vendor_of(device.arch).tensor_columns(device.arch) else NO_COLUMNS,
            self._registers_asked(kernel) if device.arch.traits.hands_registers else None,
            self._surely_read(kernel) if _may_be_refused(device, kernel, launches, far) else EMPTY,
        )

    def _may_run(self, launch: KernelLaunch) -> bool | None:
        start, end = launch.target, launch.place
        if not self._source.holds(end):
            return None

        def may_run() -> bool | None:
            self._queries.note(_PROJECT)
            return self._source.may_run(start, end)

        return self._queries.answer(("may run", _TEXT, start, end), may_run)

    def _launches_of_any(self, kernel: Kernel) -> tuple[KernelLaunch, ...]:
        """The launches of kernels that are not known, as of this one if the text names it for more than launches."""
        self._queries.note(_OF_ANY)
        if not self._of_any or not self._names_otherwise(kernel):
            return ()
        return tuple(found for it in self._of_any if (found := as_launch_of_kernel(it, kernel)) is not None)

    def _surely_read(self, kernel: Kernel) -> frozenset[str]:
        """The names of its own variables that no compiler drops."""
        about = _about(kernel)

        def read() -> frozenset[str]:
            self._queries.note(_text(about))
            text, body = self._source.item_text(kernel.item), self._source.body_of(kernel)
            head = text[kernel.head.start : kernel.head.end].strip()
            names = {it.name for it in kernel.summary.local.variables if it.own}
            return frozenset(certainly_read_variables(head, text[body.start : body.end].strip(), names))

        return self._queries.answer(("surely read", about), read)

    def _registers_asked(self, kernel: Kernel) -> RequestedRegisters | None:
        # Firm: a key in one kernel leaves the others as they are.
        if HANDS_REGISTERS.isdisjoint(kernel.summary.names) and not self._queries.ask(
            ("hands registers", _TEXT), partial(self._source.has_any_word, _HANDING), False, firm=True
        ):
            return None
        about = _about(kernel)

        def asked() -> RequestedRegisters | None:
            self._queries.note(_PROJECT)
            self._queries.note(_text(about))
            self._queries.answer(("beside kernels", _TEXT), self._source.non_kernel_items)
            return self._source.requested_registers(kernel)

        return self._queries.answer(("registers asked", about), asked)

    def _tensor_columns(self, kernel: Kernel) -> Columns:
        """What it allocates of tensor memory, where the text or a header has words for that."""
        if not kernel.summary.tensor_memory and not self._queries.ask(
            ("tensor memory", _TEXT), self._allocates, False, firm=True
        ):
            return NO_COLUMNS
        return self._queries.answer(("columns", _about(kernel)), partial(self._columns, kernel))

    def _columns(self, kernel: Kernel) -> Columns:
        """Asked again where the kernel's text is another, or what stands beside kernels: functions and macros."""
        self._queries.note(_PROJECT)
        self._queries.note(_text(_about(kernel)))
        self._queries.answer(("beside kernels", _TEXT), self._source.non_kernel_items)
        return self._source.tensor_columns(kernel)

    def _allocates(self) -> bool:
        return self._source.has_any_word(ALLOCATING)

    def _shares(self, kernel: Kernel, language: str) -> tuple[CarveoutPreference, ...]:
        """What host code prefers for the kernel, here or in another file, or may prefer where it is handed on."""
        named = preferences_for_kernel(kernel, self._preferred)
        if not LANGUAGES[language].preprocessed:
            return named  # no host code in another language is given it
        if self._project.lowers_shares:
            elsewhere = partial(self._project.preferred_elsewhere, kernel.name, self._path)
            named += self._queries.answer(("preferred elsewhere", _PROJECT, kernel.name), elsewhere)
        handing = self._queries.answer(("preferred of any", _PREFERRED), self._preferred_of_any)
        if not handing:
            return named
        return named + handing if self._is_handed(kernel.name) else named

    def _preferred_of_any(self) -> tuple[CarveoutPreference, ...]:
        self._queries.note(_PROJECT)
        elsewhere = self._project.preferred_of_any(self._path) if self._project.lowers_shares else ()
        if not self._preferred:
            return elsewhere
        self._queries.note(_KERNELS)
        own = {it.name for it in self._kernels}
        near = preferences_for_unnamed(
            self._preferred, lambda name: name in own or self._project.sees(self._path, name)
        )
        return near + elsewhere

    def _is_handed(self, kernel: str) -> bool:
        """Whether this text or another may hand it to anything but a launch."""
        # Firm: a key in one kernel leaves the others as they are.
        none: frozenset[str] = frozenset()
        if kernel in self._queries.ask(("handed", _TEXT), self._handed, none, firm=True):
            return True
        elsewhere = partial(self._project.is_handed, kernel, self._path)
        return self._queries.answer(("handed elsewhere", _PROJECT, kernel), elsewhere)

    def _handed(self) -> frozenset[str]:
        """The kernels that this text may hand to anything but a launch."""
        self._queries.note(_KERNELS)
        own = {it.name for it in self._kernels}
        return frozenset(it for text in self._source.item_texts() for it in names_possibly_passed(text) & own)

    def _may_opt_in(
        self, kernel: Kernel, launches: Sequence[KernelLaunch], far: Sequence[KernelLaunch], least: int
    ) -> bool | frozenset[OptedIn]:
        """Whether a launch may have more dynamic local memory than the `least` that kernels get without opting in; or
        which instances may, and how much."""
        if LANGUAGES[self._source.dialect.name].opts_in:
            return True
        asked = [
            it.configuration.dynamic.value.number for it in (*launches, *far) if it.configuration.dynamic is not None
        ]
        if far and None in asked:
            return True
        if all(it is not None and kernel.summary.local.lowest + it <= least for it in asked):
            return True  # then it does not matter
        if self._around is not None:
            return self._opted_in_program(kernel, self._around)
        opted = self._queries.answer(("opts in", _TEXT), self._opted)
        own = opted.get(kernel.name, ()) if opted is not None else (None,)
        if None in own or (kernel.template is None and any(it is not None and it.bytes is None for it in own)):
            return True
        # Answers of their own: a key in one kernel leaves what is asked of the others as it is.
        alone = None in asked
        elsewhere = partial(self._project.may_opt_in, kernel.name, self._path, alone)
        if self._queries.answer(("opts in elsewhere", _PROJECT, kernel.name, alone), elsewhere):
            return True
        if alone:
            may = self._names_otherwise(kernel)
        else:
            may = self._queries.answer(("handed on", _TEXT, kernel.name), partial(self._hands, kernel.name, len(own)))
        return may or (frozenset(it for it in own if it is not None) if own else False)

    def _opted_in_program(self, kernel: Kernel, around: Around) -> bool | frozenset[OptedIn]:
        """The same of a kernel in a text of another, by what that says, and by files that import it."""
        at = around.at
        elsewhere = partial(self._project.program_may_opt_in, at.parent) if at is not None else lambda: False
        if around.opted is None or self._queries.answer(("opts in elsewhere", _PROJECT, ""), elsewhere):
            return True
        own = frozenset(OptedIn("", amount) for name, amount in around.opted if name == kernel.name)
        return own if own and kernel.template is None else bool(own)

    def _hands(self, kernel: str, opted: int) -> bool:
        """Whether the text hands it to something else that may let it have more. `opted`: calls that do."""
        self._queries.note(_TEXT)
        if not opted:
            return self._source.is_true_of_active_code(
                lambda text: count_possible_opt_ins_of(text, kernel), (kernel.encode(),)
            )
        return count_possible_opt_ins_of(b"".join(self._source.item_texts()), kernel) > opted

    def _names_otherwise(self, kernel: Kernel) -> bool:
        return self._queries.answer(("named otherwise", _TEXT, kernel.name), partial(self._is_named, kernel.name))

    def _is_named(self, kernel: str) -> bool:
        """Whether the text names it other than to launch it."""
        return self._facts is None or has_other_mention(self._source, self._facts, kernel)

    def _far_launches(self, kernel: Kernel, device: Device) -> tuple[FarLaunch, ...]:
        dialect = self._source.dialect
        if self._around is not None:
            found = self._around.launches.get(kernel.name, ())
        else:
            found = self._project.far_launches(kernel, self._path, dialect, predefined(device, dialect.name))
        namesakes = self._namesakes.get(kernel.name)
        if namesakes is None:
            return tuple(replace(it, proved=True) if it.links(kernel) else it for it in found)
        about = _about(kernel)
        each = ((far, kernels_meant_by(far.launch, namesakes)) for far in found)
        return tuple(replace(far, launch=it) for far, meant in each for other, it in meant if _about(other) == about)

    def _options(self, kernel: Kernel, language: str, device: Device) -> Options:
        around, dialect = self._around, self._source.dialect
        options = around.options if around is not None else self._project.options(self._path, dialect)
        if not kernel.summary.local.called or not vendor_of(device.arch).shares_functions:
            return options

        def shared() -> Mapping[str, int]:
            self._queries.note(_KERNELS)
            self._queries.note(_PROJECT)
            return shared_ceilings(device.arch, self._kernels, language, options)

        ceilings = self._queries.answer(("shared", _KERNELS, device.id), shared)
        return replace(options, shared=max((ceilings.get(it, 0) for it in kernel.summary.local.called), default=0))

    def _usages(self, kernel: Kernel, device: Device) -> tuple[tuple[Counted, ...], tuple[Unused, ...]]:
        """What applies to the kernel on the device, and what does not."""
        language = language_of(self._source.dialect)
        joined = self._project.results.joined(kernel.qualified, self._path)
        joined = of_text(in_language(joined, language.name, language.signs), kernel.digest)
        if language.by_driver:
            joined = of_file(joined, self._path)
        if self._around is not None:  # what bears its name is of a file
            joined = Attribution(tuple(it for it in joined.used if it.source == "declared"))
        if not joined.used:
            return (), joined.unused
        self._queries.note(_TEXT)
        here = on_architecture(joined, device.arch.id)
        used = [it for it in here.used if self._is_of(kernel, it)]
        return tuple(Counted(usage, self._freshness(kernel, usage)) for usage in used), here.unused

    def _opted(self) -> Mapping[str, tuple[OptedIn | None, ...]] | None:
        """The kernels of which the text says it, with what instance is meant each time and how much it is allowed;
        None: of any, for all that is seen."""
        self._queries.note(_TEXT)
        self._queries.note(_PROJECT)
        if not self._source.is_true_of_active_code(may_opt_in, OPTING):
            return {}
        allowed = self._facts.allowed if self._facts is not None else ()
        found: dict[str, tuple[OptedIn | None, ...]] = {}
        for it in allowed:
            label = it.kernel.rpartition("::")[2]
            said = OptedIn(it.arguments, it.bytes.number) if it.arguments is not None else None
            found[label] = (*found.get(label, ()), said)
        known = found.keys() <= {it.name for it in self._kernels}
        return found if known and are_all_opt_ins_known(b"".join(self._source.item_texts()), len(allowed)) else None

    def _is_of(self, kernel: Kernel, usage: Usage) -> bool:
        """A full specialisation has the counts of its arguments, its template those of all others."""
        given = template_arguments(usage.kernel)
        self._queries.note(_KERNELS)
        special = [it.specialises for it in self._kernels if it.qualified == kernel.qualified and it.specialises]
        if given is None or not special:
            return True
        if kernel.specialises:
            return same_arguments(given, kernel.specialises)
        return not any(same_arguments(given, it) for it in special)

    def _freshness(self, kernel: Kernel, usage: Usage) -> Freshness:
        """What a person states is always fresh, and what speaks of this very text."""
        if usage.source == "declared" or usage.digest:
            return "fresh"
        if usage.variant is not None and any(getattr(usage.variant, it) not in (None, n) for it, n in kernel.states):
            return "stale"
        source = self._source
        found = self._baselines.freshness(usage, kernel.qualified, source.kernel_fingerprint(kernel), source.dialect)
        if found != "fresh" or self._path is None:
            return found
        outdated = source.depends_on_unread_files(kernel) or self._project.results.is_outdated(usage, self._path)
        return "maybe" if outdated else "fresh"


def _may_be_refused(device: Device, kernel: Kernel, launches: Sequence[KernelLaunch], far: Sequence[FarLaunch]) -> bool:
    """Whether some launch may need more local memory than work-groups get without opting in, or than leaves room for
    all its work-groups at once."""
    if any(it.cooperative for it in (*launches, *(it.launch for it in far))):
        return True
    given = (*(it.configuration.dynamic for it in launches), *(it.launch.configuration.dynamic for it in far))
    most = max((it.value.number or 0 for it in given if it is not None), default=0)
    beside, _ = vendor_of(device.arch).local_beside_variables(device.arch)
    return exceeds(device.arch, kernel.summary.local.lowest + beside, most, False)


def _about(kernel: Kernel) -> _About:
    return kernel.item, kernel.name_place.start, kernel.qualified


def _differ(was: _Stands, now: _Stands) -> bool:
    return was[0] is not now[0] or was[1] != now[1]


def _text(about: _About) -> tuple[str, _About]:
    """The input of the item that the kernel stands in."""
    return "text", about


def _launched(about: _About) -> tuple[str, _About]:
    """The input of what launches the kernel."""
    return "launched", about


def _meant_as(kernel: Kernel) -> tuple[str, KernelSignature]:
    """What decides which launches mean it."""
    return kernel.qualified, kernel.takes


def _by_name(facts: FileFacts) -> Mapping[str, Sequence[Kernel]]:
    found: dict[str, list[Kernel]] = {}
    for kernel in facts.kernels:
        found.setdefault(kernel.name, []).append(kernel)
    return found


@dataclass(frozen=True, slots=True)
class _Named:
    """Of one name, the kernels, the launches, and which of these mean which: of several kernels, each that it may."""

    kernels: Sequence[Kernel]
    launches: Sequence[KernelLaunch]
    of_kernel: Mapping[_About, tuple[KernelLaunch, ...]]


def _meant_by_name(
    facts: FileFacts, by_name: Mapping[str, Sequence[Kernel]], before: Mapping[str, _Named]
) -> dict[str, _Named]:
    """`before`: as it was, which it still is of names of which all is the same."""
    launches: dict[str, list[KernelLaunch]] = {}
    for launch in facts.launches:
        launches.setdefault(launch.name, []).append(launch)
    found: dict[str, _Named] = {}
    for name, kernels in by_name.items():
        was, now = before.get(name), launches.get(name, [])
        same = was is not None and _are_same(was.kernels, kernels) and _are_same(was.launches, now)
        found[name] = was if was is not None and same else _Named(kernels, now, _launches_by_kernel(now, kernels))
    return found


def _are_same(was: Sequence[object], now: Sequence[object]) -> bool:
    return len(was) == len(now) and all(map(is_, was, now))


def _launches_by_kernel(
    launches: Sequence[KernelLaunch], kernels: Sequence[Kernel]
) -> Mapping[_About, tuple[KernelLaunch, ...]]:
    found: dict[_About, list[KernelLaunch]] = {}
    namesakes = Namesakes(kernels)
    for launch in launches:
        for kernel, meant in kernels_meant_by(launch, namesakes):
            found.setdefault(_about(kernel), []).append(meant)
    return {about: tuple(several) for about, several in found.items()}
