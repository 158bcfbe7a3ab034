"""Facts, resources and a device brought together: one report per kernel and per launch."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path

from occupancy_lsp.analysis import failing
from occupancy_lsp.analysis.built import Built, built
from occupancy_lsp.analysis.ceilings import most_that_run
from occupancy_lsp.analysis.exceeding import allowed, instance_of, means, refused
from occupancy_lsp.analysis.inputs import (
    STATED,
    Counted,
    GroupSize,
    KernelInputs,
    Local,
    OptedIn,
    Registers,
    grid_size,
    group_size,
    local,
    registers,
)
from occupancy_lsp.analysis.pipelines import pipelined_bytes
from occupancy_lsp.analysis.refused import does_not_compile
from occupancy_lsp.analysis.residency import Resident, asked_at_once, resident, too_large
from occupancy_lsp.analysis.variants import as_compiled, as_launched_elsewhere, name_of
from occupancy_lsp.builds.attribution import Unused
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect
from occupancy_lsp.core.naming import is_code_for
from occupancy_lsp.core.query import Beside, remembered, shared
from occupancy_lsp.counts.names import same_arguments, template_arguments
from occupancy_lsp.counts.usage import COUNTED, SOURCES, Usage
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.sweep import inc_warp
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.settings import LaunchFact
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.kernels.setmaxnreg import RequestedRegisters
from occupancy_lsp.source.kernels.tensor_memory import NO_COLUMNS, Columns
from occupancy_lsp.source.lower.annotation_comments import IntendedLimit
from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.vendor import NO_OPTIONS, Options
from occupancy_lsp.workspace.callers import FarLaunch


@dataclass(frozen=True, slots=True)
class Figure:
    """Occupancy between two ends, with the need behind each; equal ends where nothing is open.

    `parts`: one for each size, way of building and launch in question, where there are several.
    """

    lowest: Occupancy
    highest: Occupancy
    most: Need  # what gives `lowest`
    least: Need  # what gives `highest`
    source: str  # the worst of its inputs
    parts: tuple[Figure, ...] = ()

    @property
    def each(self) -> tuple[Figure, ...]:
        return self.parts or (self,)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the groups that it is of, ascending."""
        return tuple(sorted({it.most.group_size for it in self.each}))

    @property
    def memory_open(self) -> bool:
        """Whether some part may take more local memory or less, or a unit have less of it."""
        return self.bytes_open or any(it.most.carveout is not None for it in self.each)

    @property
    def bytes_open(self) -> bool:
        """Whether some part may take more local memory or less."""
        ends = ((it.least, it.most) for it in self.each)
        return any((a.static_local, a.dynamic_local) != (b.static_local, b.dynamic_local) for a, b in ends)

    @property
    def exact(self) -> bool:
        return self.lowest.groups == self.highest.groups and self.lowest.sub_groups == self.highest.sub_groups


@dataclass(frozen=True, slots=True)
class Best:
    """The sizes that do best, and between how many percent."""

    lowest: float
    highest: float
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LaunchReport:
    """Of the launched instance. `differs`: its figure is not the kernel's own. `estimated`: with the local memory that
    its loop is estimated to take, where that is not known.
    """

    launch: KernelLaunch
    size: GroupSize
    registers: Registers
    local: Local
    built: Built
    figure: Figure | None
    differs: bool = False
    estimated: Figure | None = None


@dataclass(frozen=True, slots=True)
class KernelReport:
    """All that is known of one kernel on one device. `figure` None: no size is known. `estimated`: as of its launches.

    `defect`: of ours, because of which nothing is known.
    """

    kernel: Kernel
    language: str
    device: Device
    directives: tuple[DirectiveAt, ...]
    size: GroupSize
    registers: Registers
    local: Local
    built: Built
    grid: int | None  # work-groups of the launch
    figure: Figure | None
    best: Best | None  # where no size is known
    launches: tuple[LaunchReport, ...]
    far: tuple[FarLaunch, ...]  # in other files
    facts: tuple[LaunchFact, ...]
    counted: tuple[Counted, ...]
    unused: tuple[Unused, ...]  # counts that bear its name and are not used
    options: Options = NO_OPTIONS
    may_opt_in: bool | frozenset[OptedIn] = True
    preferred: tuple[CarveoutPreference, ...] = ()
    tensor_columns: Columns = NO_COLUMNS
    asked: RequestedRegisters | None = None  # as of `KernelInputs`
    read: frozenset[str] | None = None  # the same
    defect: Defect | None = None
    estimated: Figure | None = None
    beside: Beside = field(default_factory=Beside, init=False, repr=False, compare=False)  # what others make of it

    @property
    def elsewhere(self) -> tuple[Usage, ...]:
        """Its counts for other architectures, not used."""
        unused = (it.usage for it in self.unused)
        return tuple(it for it in unused if it.arch and not is_code_for(it.arch, self.device.arch.id))

    @property
    def arch(self) -> Architecture:
        return self.device.arch

    @property
    def rejected(self) -> bool:
        """Whether its compiler surely rejects the kernel's annotations."""
        return self.beside.ask("rejected", lambda: does_not_compile(self.arch, self.kernel, self.language))

    @property
    def certain(self) -> Occupancy | None:
        """What it has for sure: its size and its count are known, and are those of this text."""
        sure = self.figure is not None and self.figure.exact and self.size.sure and self.registers.freshness == "fresh"
        return self.figure.lowest if self.figure is not None and sure else None

    @property
    def in_variants(self) -> bool:
        """Whether its counts are of variants that a compiler in Python made, each launched as it was compiled."""
        return any(it.usage.variant is not None for it in self.counted)

    @property
    def clustered(self) -> bool:
        """It may run in clusters of several work-groups: the figure is an upper bound."""
        return self.clustered_by(self.every_launch())

    def clustered_by(self, launches: Iterable[KernelLaunch]) -> bool:
        """The same of some of its launches."""
        bound = self.kernel.attributes.bounds.max_cluster if self.kernel.attributes.bounds else None
        asked = (self.kernel.attributes.cluster, *(it.configuration.cluster for it in launches if self.arch.clusters))
        several = any(it is not None and product_of_dimensions(it[1]).number != 1 for it in asked)
        return several or (bound is not None and bound.value.number not in (0, 1))

    @property
    def cluster(self) -> int | None:
        """Work-groups of a cluster, where the kernel's head or all its launches say one number."""
        launched = (it.configuration.cluster if self.arch.clusters else None for it in self.every_launch())
        asked = (self.kernel.attributes.cluster,) if self.kernel.attributes.cluster else tuple(launched)
        sizes = {product_of_dimensions(it[1]).number if it else None for it in asked}
        return sizes.pop() if len(sizes) == 1 else None

    def every_launch(self) -> Iterator[KernelLaunch]:
        yield from (it.launch for it in self.launches)
        yield from (it.launch for it in self.far)

    def leaves_out(self, launch: KernelLaunch) -> bool:
        """Whether it is a configuration that fails, which a tuner leaves out for others that run."""
        running = (it.figure for it in self.launches if it.launch.tuned)
        return launch.tuned and any(it is None or it.highest.fault is None for it in running)

    @property
    def intended(self) -> IntendedLimit | None:
        return next((it.directive for it in self.directives if isinstance(it.directive, IntendedLimit)), None)


_Judged = tuple[GroupSize, Registers, Local, Built, Figure | None]


def opts_in(may: bool | frozenset[OptedIn], launch: KernelLaunch) -> bool:
    """Whether what a launch is of may be one of those that may opt in. Arguments that are deduced may not be known."""
    return may if isinstance(may, bool) else bool(_opted(may, launch))


def bytes_opted_in(may: bool | frozenset[OptedIn], launch: KernelLaunch) -> int | None:
    """The most dynamic bytes that what a launch is of is allowed; None: that is not known."""
    amounts = [it.bytes for it in _opted(may, launch)] if not isinstance(may, bool) else []
    return None if None in amounts else max((it for it in amounts if it is not None), default=None)


def _opted(may: frozenset[OptedIn], launch: KernelLaunch) -> list[OptedIn]:
    return [it for it in may if not launch.arguments or launch.arguments == it.arguments]


def report(given: KernelInputs) -> KernelReport:
    in_sight = bool(given.launches or given.far)
    given = as_compiled(as_launched_elsewhere(given))
    arch, kernel = given.device.arch, given.kernel
    far = tuple(it.launch for it in given.far)
    far_sure = [it.proved and means(kernel, it.launch) for it in given.far]

    def registers_of(kernel: Kernel, counted: Sequence[Counted]) -> Registers:
        return registers(arch, kernel, given.language, given.directives, counted, given.options, given.asked)

    # Of thousands of kernels in a text, most have the same; so it is with their size and their memory.
    count = shared(registers_of(kernel, given.counted))
    how = shared(built(arch, kernel, given.counted, given.directives, given.tensor_columns, given.options))

    def of(kernel: Kernel, launches: Sequence[KernelLaunch], sure: bool) -> _Judged:
        own = kernel is given.kernel
        counted = given.counted if own else _of(given.counted, kernel.arguments)
        chosen = how if own else built(arch, kernel, counted, given.directives, given.tensor_columns, given.options)
        taken = count if own else registers_of(kernel, counted)
        annotation = LANGUAGES[given.language].sized_by
        size = group_size(arch, kernel, launches, given.directives, given.facts, annotation)
        may = any(opts_in(given.may_opt_in, it) for it in launches) if launches else bool(given.may_opt_in)
        asked_for = launches, given.directives, given.facts, counted, may, given.read
        memory = local(arch, kernel, given.language, *asked_for)
        if arch.traits.splits_cache:
            memory = replace(memory, preferred=given.preferred)
        about = given.kernel, given.language, given.options, launches, sure, given.directives, given.facts
        most = allowed(arch, *about) if size.sure else None
        found = figure(arch, size, taken, memory, chosen, most)
        found = _failing(found, next(failing.refusals_of_own_size(arch, kernel), None))
        if sure and len(launches) == 1:
            found = _where_it_fails(found, given, kernel, launches[0])
            held = _resident(given.device, kernel, given.language, given.read, found, size, taken, memory)
            found = _too_large(found, launches[0], held)
        return shared(size), taken, shared(memory), chosen, worse(found, given.device)

    every = (*given.launches, *far)
    every_sure = all(means(kernel, it) for it in given.launches) and all(far_sure)
    size, _, memory, _, whole = all_of_them = of(kernel, every, every_sure)
    size = _with_origin_of_launches(size, given, in_sight)

    def of_one(launch: KernelLaunch, sure: bool) -> _Judged:
        instance = instance_of(kernel, launch) or kernel
        return all_of_them if instance is kernel and len(every) == 1 else of(instance, (launch,), sure)

    launched = tuple(_launched(it, of_one(it, means(kernel, it)), given.device) for it in given.launches)
    if len(launched) + len(far) > 1 and whole is not None and not size.bounded:
        apart = [of_one(it, sure)[-1] for it, sure in _distinct(far, far_sure)]
        parts = [it for it in (*(it.figure for it in launched), *apart) if it is not None]
        whole = union(_running(parts)) if len(parts) == len(launched) + len(apart) else whole
    launched = tuple(replace(it, differs=True) if _differs(it.figure, whole) else it for it in launched)
    return KernelReport(
        kernel, given.language, given.device, given.directives, size, count, memory, how,
        grid_size((*given.launches, *far), given.directives), whole,
        None if whole else _best(given, count, memory, how), launched, given.far, given.facts,
        given.counted, given.unused, given.options, given.may_opt_in, given.preferred, given.tensor_columns,
        given.asked, given.read, estimated=None if far else all_estimated(launched),
    )  # fmt: skip


def _where_it_fails(found: Figure | None, given: KernelInputs, kernel: Kernel, launch: KernelLaunch) -> Figure | None:
    """The figure of a launch that is surely of the kernel."""
    arch, opted = given.device.arch, bytes_opted_in(given.may_opt_in, launch)
    for refusals in (
        failing.beyond_largest_cluster(arch, given.language, kernel.attributes.cluster),
        failing.refusals(arch, given.language, kernel, launch),
        failing.beyond_opted(arch, launch, opted),
    ):
        found = _failing(found, next(refusals, None))
    return found


def _launched(launch: KernelLaunch, judged: _Judged, device: Device) -> LaunchReport:
    size, count, memory, how, found = judged
    taken = pipelined_bytes(launch, device)
    estimate = None
    if taken is not None and found is not None:
        estimate = figure(device.arch, size, count, replace(memory, dynamic=(taken, taken)), how)
    return LaunchReport(launch, *judged, estimated=estimate)


def all_estimated(launches: Sequence[LaunchReport]) -> Figure | None:
    """What is estimated of all of them; None: of one, nothing is."""
    parts = [it.estimated for it in launches if it.estimated is not None]
    return union(_running(parts)) if parts and len(parts) == len(launches) else None


def _running(parts: Sequence[Figure]) -> Sequence[Figure]:
    """Without launches that fail, if others do not: those have findings of their own."""
    return [it for it in parts if it.highest.fault is None] or parts


def lost(
    kernel: Kernel, language: str, device: Device, directives: tuple[DirectiveAt, ...], defect: Defect
) -> KernelReport:
    """Of a kernel that could not be analysed."""
    reason = str(defect)
    most = device.arch.local_per_group_opt_in
    return KernelReport(
        kernel, language, device, directives, GroupSize((), False, "", reason),
        Registers(None, device.arch.max_registers, "bounded", "", "fresh", False),
        Local((0, most), (0, most), reason, reason, "", ()), Built((Variant(),)), None, None, None, (), (), (), (), (),
        defect=defect,
    )  # fmt: skip


def instance_reports(whole: KernelReport) -> tuple[KernelReport, ...]:
    """Each instance of the template in sight as a kernel of its own, with the launches and the counts of it."""
    return tuple(report(_of_instance(whole, it)) for it in whole.kernel.instances)


def report_of_far(whole: KernelReport, far: FarLaunch) -> LaunchReport:
    """Of a launch in another text, as if it stood in the kernel's own."""
    given = KernelInputs(
        whole.kernel, whole.language, whole.device, whole.directives, (far.launch,), (), whole.facts, whole.counted,
        whole.unused, whole.options, whole.may_opt_in, whole.preferred, whole.tensor_columns, whole.asked, whole.read,
    )  # fmt: skip
    found = report(given).launches[0]
    return replace(found, differs=_differs(found.figure, whole.figure))


def _of_instance(whole: KernelReport, instance: Kernel) -> KernelInputs:
    launches = tuple(it.launch for it in whole.launches if it.launch.arguments == instance.arguments)
    far = tuple(it for it in whole.far if it.launch.arguments == instance.arguments)
    own = _of(whole.counted, instance.arguments)
    return KernelInputs(
        instance, whole.language, whole.device, whole.directives, launches, far, whole.facts, own,
        whole.unused, whole.options, whole.may_opt_in, whole.preferred, whole.tensor_columns, whole.asked, whole.read,
    )  # fmt: skip


def _of(counted: Sequence[Counted], arguments: str) -> tuple[Counted, ...]:
    return tuple(it for it in counted if _is_of(it.usage, arguments))


def _is_of(usage: Usage, arguments: str) -> bool:
    """Whether a count is of the instance; without arguments only a person may mean all of them."""
    if usage.variant is not None:
        return name_of(usage) == arguments
    given = template_arguments(usage.kernel)
    return usage.source == "declared" if given is None else same_arguments(given, arguments)


def _distinct(launches: Sequence[KernelLaunch], sure: Sequence[bool]) -> list[tuple[KernelLaunch, bool]]:
    """One of those that ask for the same, and whether all of these are sure."""
    found: dict[Hashable, tuple[KernelLaunch, bool]] = {}
    for it, is_sure in zip(launches, sure, strict=True):
        asks = it.arguments, it.size, it.configuration.dynamic and it.configuration.dynamic.value
        found[asks] = it, is_sure and found.get(asks, (it, True))[1]
    return list(found.values())


def _with_origin_of_launches(size: GroupSize, given: KernelInputs, in_sight: bool) -> GroupSize:
    if given.far:
        return replace(size, origin=_elsewhere(size.origin, given))
    return replace(size, origin="as compiled") if given.launches and not in_sight else size


def _elsewhere(origin: str, given: KernelInputs) -> str:
    """Where the size comes from, if launches say it."""
    what, of_launches, more = origin.partition("of the launch")
    if not of_launches:
        return origin
    _, where, taken = more.partition(", where ")
    places = [*dict.fromkeys(f"{Path(it.path).name}:{it.line}" for it in given.far)]
    files = {it.path for it in given.far}
    others = "other files" if len(files) > 1 else Path(given.far[0].path).name
    if given.launches:
        origin = origin.removesuffix(where + taken)
        own = f"{origin} and at {places[0]}" if len(places) == 1 else f"{origin} and {len(places)} in {others}"
    else:
        own = what + (f"of the launch at {places[0]}" if len(places) == 1 else f"of {len(places)} launches in {others}")
    return own + where + taken


def _differs(own: Figure | None, whole: Figure | None) -> bool:
    if own is None:
        return False
    return whole is None or (own.lowest, own.highest) != (whole.lowest, whole.highest)


@remembered(256)  # a key leaves most as they were, and many launches of a kernel ask for the same
def figure(
    arch: Architecture, size: GroupSize, count: Registers, memory: Local, how: Built, most: int | None = None
) -> Figure | None:
    """The figure over every size and way of building in question, between the ends of registers and memory. `most`:
    threads, if no launch of more starts."""
    if not size.sizes:
        return None
    parts = [_at(arch, threads, it, count, memory, how) for threads in size.sizes for it in how.variants]
    parts = [_refused(it, most) if most is not None and it.most.group_size > most else it for it in parts]
    found = union(parts)
    if size.assumed:
        return replace(found, source="assumed")
    return replace(found, source="bounded") if size.bounded and found.source in COUNTED else found


def _failing(found: Figure | None, refusal: failing.Refusal | None) -> Figure | None:
    """The figure of a launch that fails whatever the kernel needs."""
    if found is None or refusal is None:
        return found
    parts = tuple(_failing(it, refusal) or it for it in found.parts)
    lowest, highest = failing.refused(found.lowest, refusal), failing.refused(found.highest, refusal)
    return replace(found, lowest=lowest, highest=highest, parts=parts)


def _resident(
    device: Device, kernel: Kernel, language: str, read: frozenset[str] | None, found: Figure | None, size: GroupSize,
    count: Registers, memory: Local,
) -> Resident | None:  # fmt: skip
    ends = [(it.least, it.most) for it in found.each] if found is not None else []
    return resident(device, kernel, language, size, count, memory, read, ends)


def resident_at_once(whole: KernelReport, of: KernelReport | LaunchReport) -> Resident | None:
    """How many work-groups of the kernel, or of one launch of it, the device holds at once."""
    launched = instance_of(whole.kernel, of.launch) if isinstance(of, LaunchReport) else None
    about = whole.device, launched or whole.kernel, whole.language, whole.read
    return _resident(*about, of.figure, of.size, of.registers, of.local)


def _too_large(found: Figure | None, launch: KernelLaunch, held: Resident | None) -> Figure | None:
    """The figure of a launch whose work-groups must all be resident at once."""
    asked = asked_at_once(launch)
    if found is None or held is None or asked is None or asked <= held.most:
        return found

    def failed(it: Figure) -> Figure:
        lowest, highest = too_large(it.lowest, asked, held.most), too_large(it.highest, asked, held.most)
        return replace(it, lowest=lowest, highest=highest, parts=tuple(map(failed, it.parts)))

    return failed(found)


def _refused(found: Figure, most: int) -> Figure:
    threads = found.most.group_size
    return replace(found, lowest=refused(found.lowest, threads, most), highest=refused(found.highest, threads, most))


def barriers_decide(arch: Architecture, how: Built, figure: Figure) -> bool:
    """Whether the number of barriers is open, and an end of the figure would be another with the other number."""
    count = how.barriers
    if count.exact is not None:
        return False
    most, least = replace(figure.most, barriers=count.lowest), replace(figure.least, barriers=count.highest)
    ends = (arch.occupancy(most).groups, arch.occupancy(least).groups)
    return ends != (figure.lowest.groups, figure.highest.groups)


def tensor_memory_decides(arch: Architecture, how: Built, figure: Figure) -> bool:
    """Whether the columns of tensor memory are open, and an end of the figure would be another with the other one."""
    least, most = how.tensor_columns
    if least == most:
        return False
    ends = replace(figure.most, tensor_columns=least), replace(figure.least, tensor_columns=most)
    groups = tuple(arch.occupancy(it).groups for it in ends)
    return groups != (figure.lowest.groups, figure.highest.groups)


def _least(
    arch: Architecture, threads: int, variant: Variant, registers: int | None, memory: Local, how: Built
) -> Need:
    """The least that a group may need. Opting in raises the limit of what is sized at launch, never of the rest."""
    return Need(
        threads,
        registers,
        memory.static[0],
        memory.dynamic[0],
        memory.opt_in and memory.static[0] <= arch.local_per_group,
        barriers=how.barriers_of(variant)[0],
        accumulators=how.accumulators[0],
        scalars=how.scalars[0],
        tensor_columns=how.tensor_columns[0],
        sub_group=variant.sub_group,
        mode=variant.mode,
        grf=variant.grf,
    )


def _at(arch: Architecture, threads: int, variant: Variant, count: Registers, memory: Local, how: Built) -> Figure:
    hidden = max(arch.local_per_group - memory.static[1], 0) if memory.unseen else 0
    least = _least(arch, threads, variant, count.lowest, memory, how)
    most = replace(
        least,
        registers=count.most,
        static_local=memory.static[1] + hidden,
        dynamic_local=memory.dynamic[1],
        carveout=memory.carveout,
        accumulators=how.accumulators[1],
        scalars=how.scalars[1],
        tensor_columns=how.tensor_columns[1],
        barriers=how.barriers_of(variant)[1],
    )
    if how.by_driver and count.lowest is None and count.most is not None:
        most = replace(most, registers=min(count.most, most_that_run(arch, threads, variant)))
    room = arch.local_per_group_opt_in
    if most.static_local + most.dynamic_local > room >= least.static_local + least.dynamic_local:
        most = replace(most, dynamic_local=max(room - most.static_local, 0))
    source = max(count.source, "declared" if memory.origin == STATED else count.source, key=SOURCES.index)
    roomiest = vendor_of(arch).for_shaders(arch) if how.by_driver else arch
    return Figure(arch.occupancy(most), roomiest.occupancy(least), most, least, source)


def union(parts: Sequence[Figure]) -> Figure:
    """Between the ends of all of them, at least one."""
    low = min(parts, key=lambda it: (it.lowest.sub_groups, it.lowest.groups))
    high = max(parts, key=lambda it: (it.highest.sub_groups, it.highest.groups))
    worst = max((it.source for it in parts), key=SOURCES.index)
    each = tuple(dict.fromkeys(part for it in parts for part in it.each))
    return Figure(low.lowest, high.highest, low.most, high.least, worst, each if len(each) > 1 else ())


def worse(found: Figure | None, device: Device) -> Figure | None:
    """A figure on a device whose numbers are estimates is an estimate."""
    if found is None or not device.estimated:
        return found
    return replace(found, source=max(found.source, "estimated", key=SOURCES.index))


def _best(given: KernelInputs, count: Registers, memory: Local, how: Built) -> Best | None:
    """The sizes that do best of those that it can be launched with, where all but the size is known.

    Where the compiler may build in several ways, those whose least is the most.
    """
    arch, kernel = given.device.arch, given.kernel
    most = (
        vendor_of(arch).most_threads(arch, kernel, given.language, given.options)
        if kernel.attributes.block is None
        else None
    )
    if not count.known or memory.exact is None or most is None:
        return None
    tried = [size for size in inc_warp(arch) if size <= most]
    at = {size: figure(arch, GroupSize((size,), False, ""), count, memory, how) for size in tried}
    ends = {size: (it.lowest.sub_groups, it.highest.sub_groups) for size, it in at.items() if it is not None}
    best = max(ends.values(), default=(0, 0))
    sizes = tuple(size for size, it in ends.items() if it == best)
    first = at[sizes[0]] if sizes else None
    return Best(first.lowest.percent, first.highest.percent, sizes) if first and best[1] else None
