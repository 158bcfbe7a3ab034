"""The inputs of one kernel's occupancy: what each is or may be, and who says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.builds.attribution import Unused
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.counts.usage import SOURCES, Usage
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.settings import LaunchFact
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.kernels.setmaxnreg import RequestedRegisters
from occupancy_lsp.source.kernels.tensor_memory import NO_COLUMNS, Columns
from occupancy_lsp.source.lower.annotation_comments import StatedFact
from occupancy_lsp.source.syntax.known_value import Value, product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.stated import highest_static
from occupancy_lsp.vendors.vendor import NO_OPTIONS, Options
from occupancy_lsp.workspace.callers import FarLaunch

Freshness = Literal["fresh", "maybe", "stale"]


STATED = "stated in a comment"


@dataclass(frozen=True, slots=True)
class Counted:
    """A usage that applies to the kernel, and whether the text has moved on since."""

    usage: Usage
    freshness: Freshness


@dataclass(frozen=True, slots=True)
class OptedIn:
    """An instance that is allowed more dynamic local memory, by its arguments: at most so many bytes. None: not known
    how many."""

    arguments: str
    bytes: int | None


@dataclass(frozen=True, slots=True)
class KernelInputs:
    """What a report is made from; equal inputs make equal reports. `language`: the dialect's name."""

    kernel: Kernel
    language: str
    device: Device
    directives: tuple[DirectiveAt, ...]
    launches: tuple[KernelLaunch, ...]
    far: tuple[FarLaunch, ...]  # in other files
    facts: tuple[LaunchFact, ...]
    counted: tuple[Counted, ...]
    unused: tuple[Unused, ...]
    options: Options = NO_OPTIONS
    # To more dynamic local memory than launches get by default; of a template, those instances alone.
    may_opt_in: bool | frozenset[OptedIn] = True
    preferred: tuple[CarveoutPreference, ...] = ()  # shares of a unit's memory
    tensor_columns: Columns = NO_COLUMNS  # that the text allocates
    asked: RequestedRegisters | None = None  # registers, by instructions that the kernel surely has
    read: frozenset[str] | None = None  # variables that it surely reads, where they may be too many; None: all


@dataclass(frozen=True, slots=True)
class GroupSize:
    """The work-group sizes in question, ascending. `bounded`: an upper bound stands in for a size not known.

    `assumed`: settings name one of them to stand in for a size that is decided at run time.
    `chosen` False: which of `sizes` the launches have is decided at run time, for `reason`; each may be left unused.
    """

    sizes: tuple[int, ...]
    bounded: bool
    origin: str
    reason: str = ""  # why there is none, or no exact one
    chosen: bool = True
    assumed: bool = False

    @property
    def sure(self) -> bool:
        """Whether the launches have these sizes, or some of them, and no others."""
        return not self.bounded and not self.assumed

    @property
    def exact(self) -> int | None:
        return self.sizes[0] if len(self.sizes) == 1 and self.sure else None


@dataclass(frozen=True, slots=True)
class Spills:
    """What did not fit into registers, between the fewest and the most of the instances; as the compilers put it.

    `registers`: vector registers per thread; else bytes stored, per thread or, on Intel, per hardware thread.
    """

    lowest: int
    highest: int
    registers: bool = False


@dataclass(frozen=True, slots=True)
class Registers:
    """Registers per thread. `lowest` None: no count is known, and `highest` is what bounds or the device allow.

    `counted` False: on this architecture registers per thread limit nothing.
    """

    lowest: int | None
    highest: int
    source: str  # one of SOURCES
    origin: str
    freshness: Freshness
    capped: bool  # bounds keep `highest` below what the device allows
    counted: bool = True
    spills: Spills | None = None

    @property
    def exact(self) -> int | None:
        return self.highest if self.lowest == self.highest else None

    @property
    def known(self) -> bool:
        """Nothing about registers is open."""
        return not self.counted or self.exact is not None

    @property
    def most(self) -> int | None:
        return self.highest if self.counted else None

    @property
    def told(self) -> str:
        """Who says so, and where: `compiled, ptxas.log:3`."""
        return self.origin if self.origin == STATED else f"{self.source}, {self.origin}"


@dataclass(frozen=True, slots=True)
class Local:
    """Bytes per work-group, lowest and highest; the reasons say why they differ.

    `unseen`: functions whose source is unavailable, which may use more.
    """

    static: tuple[int, int]
    dynamic: tuple[int, int]
    reason: str
    dynamic_reason: str
    origin: str  # of the static ones
    unseen: tuple[str, ...]
    preferred: tuple[CarveoutPreference, ...] = ()  # shares of the unit's memory
    opt_in: bool = True  # a launch may have more dynamic bytes than launches get by default

    @property
    def carveout(self) -> int | None:
        """The least percentage of the unit's memory that is preferred; None: the largest share."""
        return min((it.least for it in self.preferred if it.least is not None), default=None)

    @property
    def exact(self) -> int | None:
        low, high = self.static[0] + self.dynamic[0], self.static[1] + self.dynamic[1]
        return low if low == high and not self.unseen else None

    @property
    def open(self) -> bool:
        """The source itself leaves it open, whatever functions out of sight use."""
        return self.static[0] != self.static[1] or self.dynamic[0] != self.dynamic[1]


@dataclass(frozen=True, slots=True)
class Barriers:
    """Hardware barriers per work-group, fewest and most; `reason`: why they differ."""

    lowest: int
    highest: int
    reason: str
    origin: str

    @property
    def exact(self) -> int | None:
        return self.lowest if self.lowest == self.highest else None


NO_BARRIERS = Barriers(0, 0, "", "")
IN_THE_TEXT = "counted in the source"


def stated(directives: Sequence[DirectiveAt], key: str) -> DirectiveAt | None:
    """The last directive that states `key`."""
    found = [it for it in directives if isinstance(it.directive, StatedFact) and it.directive.key == key]
    return found[-1] if found else None


def _value(said: DirectiveAt | None) -> int | None:
    return said.directive.value if said is not None and isinstance(said.directive, StatedFact) else None


NO_LAUNCH = "no launch in sight"


def group_size(
    arch: Architecture,
    kernel: Kernel,
    launches: Sequence[KernelLaunch],
    directives: Sequence[DirectiveAt],
    facts: Sequence[LaunchFact],
    annotation: str,
) -> GroupSize:
    """By a person's word, an annotation, or the launches; `annotation`: what the language calls one."""
    block = _value(stated(directives, "block"))
    if block is not None:
        return GroupSize((block,), False, STATED)
    for fact in facts:
        if fact.block is not None and not fact.assumed:
            return GroupSize((fact.block,), False, f"stated in {fact.path}:{fact.line}")
    fixed = kernel.attributes.block
    if fixed is not None and all(it.number is not None and it.number > 0 for it in fixed[1]):
        return GroupSize((product_of_dimensions(fixed[1]).number or 0,), False, f"fixed by {annotation}")
    sizes = [launch.size for launch in launches]
    if not sizes and fixed is not None and product_of_dimensions(fixed[1]).number is None:
        sizes = [product_of_dimensions(fixed[1])]
    bound, most = vendor_of(arch).thread_bound(kernel), arch.max_group_size
    limit = bound.value if bound else None
    allowed = limit.number if limit is not None and 0 < (limit.number or 0) <= most else None
    launched = _launched(sizes, allowed or most)
    taken = dict.fromkeys(it for launch in launches for it in launch.taken)
    if launched is not None and taken:
        launched = replace(launched, origin=f"{launched.origin}, where {' and '.join(taken)}")
    if launched is not None and not launched.bounded:
        return launched
    found = _bounded(sizes, launched, limit, allowed)
    return _assumed(sizes, found, facts) or _by_default(kernel, found) or found


def _bounded(sizes: Sequence[Value], launched: GroupSize | None, limit: Value | None, allowed: int | None) -> GroupSize:
    """The least upper bound of what launches and annotations say, or why there is none."""
    if launched is not None and (allowed is None or launched.sizes[0] < allowed):
        return launched
    if allowed is not None:
        return GroupSize((allowed,), True, "the most that its launch bounds allow")
    reason = next((size.reason for size in sizes if size.number is None and size.reason), "")
    reason = reason or ("a launch has no threads" if any(size.number == 0 for size in sizes) else "")
    if not reason:
        reason = f"{limit.reason} ({NO_LAUNCH})" if limit is not None and limit.reason else NO_LAUNCH
    return GroupSize((), False, "", reason)


def _assumed(sizes: Sequence[Value], found: GroupSize, facts: Sequence[LaunchFact]) -> GroupSize | None:
    """What settings assume of a size that is not known, beside the sizes that are."""
    fact = next((it for it in facts if it.assumed), None)
    if fact is None or fact.block is None or (found.bounded and fact.block > found.sizes[0]):
        return None
    known = {size.number for size in sizes if size.number}
    reason = found.reason or "not known"
    origin = f"assumed in {fact.path}:{fact.line}"
    return GroupSize(tuple(sorted({*known, fact.block})), False, origin, reason, assumed=True)


def _by_default(kernel: Kernel, found: GroupSize) -> GroupSize | None:
    """What the kernel's text has for a size that is chosen later; no other is likelier."""
    default = kernel.default_size
    if default is None:
        return None
    return GroupSize((default.threads,), False, default.origin_text, found.reason or "not known", assumed=True)


def _launched(sizes: Sequence[Value], most: int) -> GroupSize | None:
    """What all launches say together; None: one of them may have any size. A launch of more than `most` fails."""
    highest = [size.highest for size in sizes]
    if not sizes or any(not it for it in highest):
        return None
    origin = "of the launch in this file" if len(sizes) == 1 else "of the launches in this file"
    open_one = next((size for size in sizes if size.number is None), None)
    if open_one is None:
        known = tuple(sorted({it for it in highest if it}))
        one, otherwise = len(known) == 1, next((size.reason for size in sizes if size.reason), "")
        origin = "of the launch in this file" if one else "of the launches in this file"
        return GroupSize(known, False, origin, otherwise, chosen=not otherwise)
    if all(size.choices for size in sizes):
        every = {it for size in sizes for it in size.choices}
        among = {it for size in sizes for it in size.choices if it <= most or size.number is not None}
        return GroupSize(tuple(sorted(among or every)), False, origin, open_one.reason, chosen=False)
    top = max(size.highest or 0 for size in sizes if size.number is None or size.number <= most)
    return GroupSize((top,), True, f"the largest size {origin}", open_one.reason) if top <= most else None


def grid_size(launches: Sequence[KernelLaunch], directives: Sequence[DirectiveAt]) -> int | None:
    """Work-groups of the launch: as stated, or as all launches say in the text."""
    given = _value(stated(directives, "grid"))
    if given is not None:
        return given
    sizes = {product_of_dimensions(launch.configuration.grid[1]).number for launch in launches}
    return sizes.pop() if len(sizes) == 1 else None


def registers(
    arch: Architecture,
    kernel: Kernel,
    language: str,
    directives: Sequence[DirectiveAt],
    counted: Sequence[Counted],
    options: Options = NO_OPTIONS,
    asked: RequestedRegisters | None = None,
) -> Registers:
    """`asked`: by instructions, where the kernel surely has such."""
    if not arch.traits.counts_registers:
        return Registers(None, arch.max_registers, "declared", "", "fresh", False, counted=False)
    allowed = ceiling(arch, kernel, language, options)
    most, capped = allowed.registers, allowed.registers < arch.max_registers
    count = _value(stated(directives, "regs"))
    if count is not None:
        return Registers(count, count, "declared", STATED, "fresh", capped)
    counts = [it for it in counted if it.usage.registers is not None]
    if not counts:
        at_entry = vendor_of(arch).at_entry(arch, kernel, asked, options) if asked is not None else None
        if at_entry is not None:
            return Registers(*at_entry, "bounded", allowed.by, "fresh", capped)
        return Registers(None, most, "bounded", allowed.by, "fresh", capped)
    numbers = [it.usage.registers or 0 for it in counts]
    source = max((it.usage.source for it in counts), key=SOURCES.index)
    freshness = max((it.freshness for it in counts), key=("fresh", "maybe", "stale").index)
    spills = spills_of([it.usage for it in counts])
    return Registers(min(numbers), max(numbers), source, origin_of(counts), freshness, capped, spills=spills)


def spills_of(usages: Iterable[Usage]) -> Spills | None:
    return all_spills([_spilled(it) for it in usages])


def all_spills(several: Sequence[Spills | None]) -> Spills | None:
    """Of all of them; None where one does not say, or in other units."""
    known = [it for it in several if it is not None]
    if len(known) < len(several) or len({it.registers for it in known}) != 1:
        return None
    return Spills(min(it.lowest for it in known), max(it.highest for it in known), known[0].registers)


def _spilled(usage: Usage) -> Spills | None:
    if usage.spilled_registers is not None:
        return Spills(usage.spilled_registers, usage.spilled_registers, True)
    said = usage.spill_size if usage.spill_size is not None else usage.spill_stores
    return Spills(said, said) if said is not None else None


def _said_by(usage: Usage) -> str:
    said = usage.how or (f"{usage.path}:{usage.line}" if usage.line else usage.path)
    return "; ".join(filter(None, (said, usage.assuming)))


def origin_of(counted: Iterable[Counted]) -> str:
    places = [_said_by(it.usage) for it in counted]
    return places[0] if len(places) == 1 else f"{places[0]} and {len(places) - 1} more"


def local(
    arch: Architecture,
    kernel: Kernel,
    language: str,
    launches: Sequence[KernelLaunch],
    directives: Sequence[DirectiveAt],
    facts: Sequence[LaunchFact],
    counted: Sequence[Counted],
    may_opt_in: bool = True,
    read: frozenset[str] | None = None,
) -> Local:
    """Static bytes by a person's word, the compiler's if it is fresh, or the source; dynamic bytes by who launches.
    `read`: variables of its own that the kernel surely reads, where it may need too much; None: all count as read."""
    dynamic, dynamic_reason = dynamic_bytes(arch, kernel, launches, directives, facts, may_opt_in)
    given = _value(stated(directives, "shared"))
    if given is not None:
        return Local((given, given), dynamic, "", dynamic_reason, STATED, (), opt_in=may_opt_in)
    compiled = {
        it.usage.static_local
        for it in counted
        if it.usage.static_local is not None and it.freshness == "fresh" and LANGUAGES[language].counts_local
    }
    if compiled:
        return Local(
            (min(c for c in compiled if c is not None), max(c for c in compiled if c is not None)),
            dynamic,
            "",
            dynamic_reason,
            "compiled",
            (),
            opt_in=may_opt_in,
        )
    memory = kernel.summary.local
    highest = highest_static(arch, kernel)
    moved = vendor_of(arch).moved_arrays(arch, kernel, language, (memory.lowest, highest))
    static, reason = (memory.lowest, max(highest, moved)), memory.reason or (MOVED if moved > highest else "")
    least = least_static(arch, kernel, language, dynamic[0], may_opt_in, read)
    if least < memory.lowest:
        static, reason = (least, static[1]), reason or UNREAD
    fewest, most = vendor_of(arch).local_beside_variables(arch)
    static, reason = (static[0] + fewest, static[1] + most), reason or (PASSED if most > fewest else "")
    unit = arch.traits.local_multiple
    static = round_up(static[0], unit), round_up(static[1], unit)
    origin = LANGUAGES[language].local_origin
    return Local(static, dynamic, reason, dynamic_reason, origin, memory.unseen, opt_in=may_opt_in)


MOVED = "the compiler may move arrays of each thread there"
PASSED = "the kernel's parameters lie there on this device"
UNREAD = "the compiler drops what is never read"


def exceeds(arch: Architecture, static: int, dynamic: int, may_opt_in: bool) -> bool:
    """Whether a work-group may not have so many bytes. Of no device in particular it is not known."""
    if not arch.local_per_group:
        return False
    allowed = arch.local_per_group_opt_in if may_opt_in and dynamic else arch.local_per_group
    return static > arch.local_per_group or static + dynamic > allowed


def least_static(
    arch: Architecture, kernel: Kernel, language: str, dynamic: int, may_opt_in: bool, read: frozenset[str] | None
) -> int:
    """The fewest static bytes: what no compiler drops, where all that seems to be read would be too much.

    `read`: variables of its own that the kernel surely reads; None: all count as read, as where an edit must not fail.
    """
    lowest = kernel.summary.local.lowest
    beside, _ = vendor_of(arch).local_beside_variables(arch)
    if read is None or not exceeds(arch, lowest + beside, dynamic, may_opt_in):
        return lowest
    return _proved_static(kernel, language, read)


def _proved_static(kernel: Kernel, language: str, read: frozenset[str]) -> int:
    """Static bytes that no compiler drops. `read`: variables of its own that the kernel surely reads."""
    if not LANGUAGES[language].preprocessed:
        return kernel.summary.local.lowest  # no preprocessor or template leaves anything open
    if kernel.template is not None or kernel.conditional:
        return 0  # which of its branches an instance has is not known, nor whether it is compiled at all
    if LANGUAGES[language].by_driver or not LANGUAGES[language].counts_local:
        return kernel.summary.local.lowest  # what every driver keeps, or the host asks for
    surely = (it.bytes.number or 0 for it in kernel.summary.local.variables if it.own and it.read and it.name in read)
    return min(sum(surely), kernel.summary.local.lowest)


def surely_static(kernel: Kernel, language: str, memory: Local, read: frozenset[str] | None) -> int:
    """Static bytes that a work-group has on all accounts: the compiler's or a person's word, or what no compiler drops.
    `read` as of `least_static`."""
    if memory.origin in ("compiled", STATED) or read is None:
        return memory.static[0]
    return min(memory.static[0], _proved_static(kernel, language, read))


def dynamic_bytes(
    arch: Architecture,
    kernel: Kernel,
    launches: Sequence[KernelLaunch],
    directives: Sequence[DirectiveAt],
    facts: Sequence[LaunchFact],
    may_opt_in: bool = True,
) -> tuple[tuple[int, int], str]:
    """Fewest and most dynamic bytes, and why they differ: a launch of more than the kernel is allowed fails."""
    given = _value(stated(directives, "dynamic_shared"))
    if given is None:
        given = next((fact.dynamic_shared for fact in facts if fact.dynamic_shared is not None), None)
    if given is not None:
        return (given, given), ""
    allowed = arch.local_per_group_opt_in if may_opt_in else arch.local_per_group
    most = max(allowed - kernel.summary.local.lowest, 0)
    values = [launch.configuration.dynamic.value for launch in launches if launch.configuration.dynamic is not None]
    unknown = next((value for value in values if value.number is None), None)
    ends = [_ends(value, most) for value in values] + [(0, 0)] * (len(launches) - len(values))
    if ends:
        span = min(low for low, _ in ends), max(high for _, high in ends)
        why = f"dynamic shared memory: {unknown.reason}" if unknown is not None else "the launches differ"
        if unknown is not None and span[1] == most < arch.local_per_group_opt_in - kernel.summary.local.lowest:
            why += f", at most {most} B: nothing in sight opts in to more"
        return span, why if span[0] != span[1] else ""
    if kernel.summary.local.dynamic:
        return (0, most), f"dynamic shared memory: {NO_LAUNCH}"
    return (0, 0), ""


def _ends(value: Value, most: int) -> tuple[int, int]:
    """The fewest and most bytes of a launch, of which a device takes `most`; one known is as it is."""
    if value.number is not None:
        return value.number, value.number
    among = [it for it in value.among if it <= most]
    if among:
        return among[0], among[-1]
    least = value.fewest or 0
    return least, max(least, min(value.most if value.most is not None else most, most))


def barriers(
    arch: Architecture, kernel: Kernel, directives: Sequence[DirectiveAt], counted: Sequence[Counted]
) -> Barriers:
    """By a person's word, counts that are fresh, or the source."""
    given = _value(stated(directives, "barriers"))
    if given is not None:
        return Barriers(given, given, "", STATED)
    telling = [it for it in counted if it.usage.barriers is not None and it.freshness == "fresh"]
    told = [it.usage.barriers or 0 for it in telling]
    if told:
        return Barriers(min(told), max(told), "the instances differ" if len(set(told)) > 1 else "", origin_of(telling))
    if not arch.traits.counts_barriers:  # each work-group has one, or none is limited by them
        return NO_BARRIERS
    found = kernel.summary.barriers
    return Barriers(found.lowest, found.highest, found.reason, IN_THE_TEXT)
