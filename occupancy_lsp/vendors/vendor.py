"""What a vendor's compiler makes of a kernel, and what else is the vendor's own beyond its architectures' arithmetic.

Each vendor has one object, in its folder's `vendor.py`; `registry` lists them. The methods here answer as if nothing
were known of the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.vendors.stated import stated_threads, states_threads

if TYPE_CHECKING:
    from occupancy_lsp.counts.usage import Usage
    from occupancy_lsp.model.clusters import Parts
    from occupancy_lsp.model.occupancy import Need
    from occupancy_lsp.source.kernels.kernel import Kernel
    from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
    from occupancy_lsp.source.kernels.launch_resolution import Pipelined
    from occupancy_lsp.source.kernels.setmaxnreg import RequestedRegisters


class ArchitectureFile(Protocol):
    """A preset of an architecture; `LABELS`, where it has them, are the vendor's words for its fields."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def id(self) -> str: ...

    @property
    def verified(self) -> str: ...

    @property
    def note(self) -> str | None: ...

    @property
    def aliases(self) -> tuple[str, ...]: ...

    @property
    def sources(self) -> Mapping[str, str]: ...

    def architecture(self) -> Architecture: ...


@dataclass(frozen=True, slots=True)
class Options:
    """What the commands that compile a file say; nothing where there are none.

    `max_registers`: nvcc's `--maxrregcount`, the most of all; None: not said by all. `max_threads`: by command, of the
    largest group of a HIP kernel without bounds, `--gpu-max-threads-per-block`. `shared`: the most registers that
    any kernel allows a function that this one calls, too. `relocatable`: some make code for several files together.
    `variants`: the ways in which they may make code. `by_driver`: it is the device's driver that compiles, as it likes.
    """

    max_registers: int | None = None
    max_threads: tuple[int | None, ...] = ()
    shared: int = 0
    relocatable: bool = False
    variants: tuple[Variant, ...] = (Variant(),)
    by_driver: bool = False

    def variants_on(self, arch: Architecture, width: int | None = None) -> tuple[Variant, ...]:
        """Those of them that the architecture has. `width`: threads of a sub-group that the source asks for."""
        known = arch.driver_variants if self.by_driver else map(arch.known_variant, self.variants)
        return tuple(dict.fromkeys(it if width is None else replace(it, sub_group=width) for it in known))


NO_OPTIONS = Options()
DRIVER = Options(by_driver=True)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """`by`: what sets it, "" where it is the device's own."""

    registers: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class SecondBound:
    """What the second number of launch bounds is to the vendor's compiler."""

    argument: str  # as a title of an edit calls it
    counts_groups: bool  # it counts work-groups per unit; else waves per SIMD

    def with_number(self, number: int) -> str:
        """`minBlocks 6`, `5 waves per SIMD`."""
        return f"{self.argument} {number}" if self.counts_groups else f"{number} {self.argument}"


@dataclass(frozen=True, slots=True)
class Waves:
    """What a second bound means that counts waves per SIMD."""

    heeded: bool  # in one of the ways to build the kernel, at least
    other_groups: bool  # in each of them heeded, and not as many groups as the number says
    slots: int  # waves that a SIMD holds
    of_one_group: int
    groups: int  # whole ones that so many waves make
    of_groups: int | None  # waves that as many groups make; None: such a bound is not heeded


@dataclass(frozen=True, slots=True)
class DefaultCap:
    """Registers that come to the ceiling of a kernel without bounds. Per thread, as they are counted in all."""

    used: int
    ceiling: int
    lifted: int  # the ceiling with bounds for the threads in question


@dataclass(frozen=True, slots=True)
class DefaultBound:
    """`by`: what says it, as the beginning of a sentence that goes on with "allows"."""

    threads: int
    by: str


@dataclass(frozen=True, slots=True)
class RuntimeChoice:
    """The work-group size that the vendor's runtime answers, and how many such groups reside on a unit."""

    function: str
    group_size: int
    groups: int


@dataclass(frozen=True, slots=True)
class ClusterSizes:
    """Work-groups of the largest cluster: of every kernel, and of one for which `attribute` is set."""

    portable: int
    most: int
    attribute: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Annotations that a compiler rejects at one kernel, and what it says. `always`: every version of it does."""

    place: Place
    other: Place
    says: str
    always: bool


A = TypeVar("A", bound=Architecture)


@dataclass(frozen=True, slots=True)
class Vendor(Generic[A]):
    """`assumed`: by language, the threads of the largest group for which a kernel is built that states no bound.

    `brands`, `lines`: words in its products' names that tell nothing apart; those that people often leave out.
    `speaking`: the devices for OpenCL that uses the vendor's extensions: the first with the sub-group size it requires.
    `own_inputs`: of the calculator, by the keys of a request: those that mean nothing on most others' devices.
    """

    id: str  # as presets have it
    name: str
    schema: type[ArchitectureFile]
    speaking: tuple[str, ...] = ()
    brands: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()
    assumed: Mapping[str, int] = field(default_factory=dict)
    second_bound: SecondBound | None = None
    group_memory: int | None = None  # how its driver lays out that of shaders; None: not known
    shares_functions: bool = False  # a function that is called is compiled once, for the weakest bounds of all kernels
    drops_lone_barriers: bool = False  # the compiler leaves them out of groups that must be one sub-group
    caps_registers: bool = False  # a kernel's head may state the most registers a thread may have
    waves_attribute: bool = False  # a kernel's head may ask for waves, apart from launch bounds
    own_inputs: frozenset[str] = frozenset()
    width_attribute: bool = False  # a kernel's head may choose the sub-group size, in which its registers are counted

    def predefined(self, arch: A, language: str) -> dict[str, int]:
        """Macros whose value is a number that the compiler defines for the device."""
        return {}

    def ceiling(self, arch: A, kernel: Kernel, language: str, options: Options) -> Ceiling | None:
        """What annotations, commands and the compiler's defaults set; None: nothing, or a value that is not known."""
        return None

    def at_entry(self, arch: A, kernel: Kernel, asked: RequestedRegisters, options: Options) -> tuple[int, int] | None:
        """The fewest and the most registers of each thread of a kernel that asks for others while it runs, by its
        annotations; None: they do not say it."""
        return None

    def thread_bound(self, kernel: Kernel) -> AttributeValue | None:
        """What in its head states the threads of the largest group, where that is not the only one; None: nothing."""
        return kernel.attributes.max_threads

    def default_bound(self, language: str, options: Options) -> DefaultBound | None:
        """The largest group of a kernel that states none, where the compiler assumes fewer threads than a group may
        have and a larger launch fails; None: it assumes none."""
        return None

    def most_threads(self, arch: A, kernel: Kernel, language: str, options: Options) -> int | None:
        """The largest group that the kernel can be launched with; None: not known."""
        bound = stated_threads(kernel)
        if bound is None and states_threads(kernel):
            return None
        return arch.max_group_size if bound is None else min(bound, arch.max_group_size)

    def annotations(self, kernel: Kernel) -> Iterator[AttributeValue]:
        """What besides launch bounds sets the register ceiling."""
        return iter(())

    def moved_arrays(
        self, arch: A, kernel: Kernel, language: str, static: tuple[int, int], options: Options = NO_OPTIONS
    ) -> int:
        """The most bytes of local memory if the compiler moves threads' own arrays there; 0: it moves none."""
        return 0

    def local_beside_variables(self, arch: A) -> tuple[int, int]:
        """The fewest and the most bytes of local memory that each group has beside its kernel's variables."""
        return 0, 0

    def for_shaders(self, arch: A) -> A:
        """With what its driver for shaders may leave them at best, where that is more than others are known to have."""
        return arch

    def is_full(self, arch: A, usage: Usage, most: int) -> bool:
        """Whether not one more unit of registers would have been within a ceiling of `most`."""
        return False

    def oversized_bounds(self, arch: A, threads: int, min_groups: int | None) -> str:
        """What the compiler makes of bounds for more threads than a group may have; "": nothing that is known."""
        return ""

    def refused_clusters(self, arch: A, language: str) -> str:
        """Why the compiler refuses clusters; "": it does not."""
        return ""

    def refused_options(self, arch: A, language: str) -> str:
        """Why a compiler that runs at the launch refuses clusters on a device without; "": nothing known."""
        return ""

    def conflicts(self, arch: A, kernel: Kernel, language: str) -> Iterable[Conflict]:
        """Annotations of a kernel that the compiler rejects together, bounds of clusters aside."""
        return ()

    def refused_together(self, arch: A, language: str) -> str:
        """What the compiler makes of an exact size of clusters beside a bound of it in one head; "": nothing known."""
        return ""

    def cluster_sizes(self, arch: A, language: str) -> ClusterSizes | None:
        """None: not known, or there are no clusters."""
        return None

    def parts(self, arch: A) -> Parts | None:
        """In which a device's compute units stand, and which no cluster spans; None: not known."""
        return None

    def pipelined_local(self, arch: A, loop: Pipelined, threads: int, width: int) -> int | None:
        """Bytes of local memory, by estimate, of a loop that loads ahead for matrix units as compilers in Python have
        it, in groups of so many threads; `width`: bytes of an element. None: it was not measured."""
        return None

    def tensor_columns(self, arch: A) -> int | None:
        """Columns of tensor memory that a compute unit has; None: it has none."""
        return None

    def waves(self, arch: A, threads: int, wanted: int) -> Waves | None:
        """What a second bound of `wanted` means; None where it counts work-groups, or there is none."""
        return None

    def second_numbers(self, arch: A, threads: int) -> Iterable[int]:
        """Second numbers of launch bounds for `threads` that the compiler heeds, ascending."""
        return ()

    def default_cap(self, arch: A, need: Need, variant: Variant, language: str, threads: int) -> DefaultCap | None:
        """Where registers press against the ceiling that the default sets, and bounds for `threads` would lift it."""
        return None

    def runtime_choice(self, arch: A, need: Need, per_thread: int) -> RuntimeChoice | None:
        """`need` at whatever size; `per_thread` bytes of its local memory follow the size. None: no such function."""
        return None

    def scheduler(self, arch: A) -> tuple[str, int] | None:
        """What issues the instructions of sub-groups, and the most sub-groups it has; None: not known."""
        return None

    def built_for(self, language: str, options: Options) -> int | None:
        """Threads of the largest group for which a kernel without bounds is built; None: not known."""
        return self.assumed.get(language)


def fewest(threads: Iterable[int | None], default: int) -> int:
    """Of what several commands say; one that says nothing leaves the default."""
    return min((it or default for it in threads), default=default)
