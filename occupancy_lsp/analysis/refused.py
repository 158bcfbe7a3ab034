"""What in a kernel's head its compiler refuses, so that there is nothing to launch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, KernelAttributes
from occupancy_lsp.source.syntax.known_value import Place, product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.vendor import Conflict


@dataclass(frozen=True, slots=True)
class ClusterBesideBound:
    """An exact size of clusters, and a bound of it in launch bounds: in blocks, and where they stand. `says`: what the
    compiler has against them."""

    exact: Place
    size: int
    bound: Place
    most: int
    says: str


def does_not_compile(arch: Architecture, kernel: Kernel, language: str) -> bool:
    """Whether its compiler surely rejects the kernel's annotations."""
    return (
        bool(unsupported(arch, kernel, language))
        or (not kernel.conditional and bool(invalid_numbers(arch, kernel, language)))
        or cluster_beside_bound(arch, kernel, language) is not None
        or any(it.always for it in conflicts(arch, kernel, language))
    )


def cluster_beside_bound(arch: Architecture, kernel: Kernel, language: str) -> ClusterBesideBound | None:
    """Where the compiler rejects both in one head, and surely makes code of it."""
    exact, bounds = kernel.attributes.cluster, kernel.attributes.bounds
    compiled = not kernel.conditional and (kernel.template is None or bool(kernel.instances))
    if exact is None or bounds is None or bounds.max_cluster is None or not compiled:
        return None
    size, most = product_of_dimensions(exact[1]).number, bounds.max_cluster.value.number
    says = vendor_of(arch).refused_together(arch, language)
    return ClusterBesideBound(exact[0], size, bounds.max_cluster.place, most, says) if size and most and says else None


def conflicts(arch: Architecture, kernel: Kernel, language: str) -> Sequence[Conflict]:
    """Annotations that are rejected together. In a template it is known where one of its instances states them."""
    if kernel.conditional:
        return ()
    each = (it for one in (kernel, *kernel.instances) for it in vendor_of(arch).conflicts(arch, one, language))
    return tuple(dict.fromkeys(each))


def unsupported(arch: Architecture, kernel: Kernel, language: str) -> Sequence[tuple[Place, str]]:
    """Where the head asks for clusters that the architecture does not have, and what the compiler says."""
    refused = "" if kernel.conditional else vendor_of(arch).refused_clusters(arch, language)
    return tuple((place, f"{what} {refused}") for what, place in _of_clusters(kernel)) if refused else ()


def _of_clusters(kernel: Kernel) -> Iterator[tuple[str, Place]]:
    """Those whose numbers are known: an annotation under a doubtful #if has none, nor one that a template decides."""
    bounds = kernel.attributes.bounds
    if bounds is not None and bounds.max_cluster is not None and bounds.max_cluster.value.number is not None:
        yield "a cluster size", bounds.max_cluster.place
    if kernel.attributes.block is not None and all(it.number is not None for it in kernel.attributes.block[1]):
        yield "__block_size__", kernel.attributes.block[0]
    elif kernel.attributes.cluster is not None and all(it.number is not None for it in kernel.attributes.cluster[1]):
        yield "__cluster_dims__", kernel.attributes.cluster[0]


def invalid_numbers(arch: Architecture, kernel: Kernel, language: str) -> Sequence[tuple[Place, str]]:
    """Attributes whose numbers no compiler takes, and why: those of the kernel, and of its instances."""
    clustered = bool(vendor_of(arch).refused_together(arch, language))  # what it makes of clusters is known
    each = [it for one in (kernel, *kernel.instances) for it in _invalid_numbers(one.attributes, clustered)]
    if _makes_attribute_of_bounds(arch, language):
        each += (it for one in (kernel, *kernel.instances) for it in _bounds_of_no_thread(one.attributes))
    return tuple(dict.fromkeys(each))


def _makes_attribute_of_bounds(arch: Architecture, language: str) -> bool:
    """Whether launch bounds become AMD's attribute for groups of 1 to that many threads, as HIP's header has it."""
    second = vendor_of(arch).second_bound
    return second is not None and not second.counts_groups and LANGUAGES[language].launch_bounds


def _bounds_of_no_thread(said: KernelAttributes) -> Iterator[tuple[Place, str]]:
    """Only where a number in the text is 0: of negative bounds, which are read as none, compilers make other things."""
    threads = said.max_threads
    if threads is not None and threads.value.number == 0 and threads.value.literal is not None:
        yield threads.place, "bounds of 0 threads: the compiler rejects them"


def _invalid_numbers(said: KernelAttributes, clustered: bool) -> Iterator[tuple[Place, str]]:
    if said.block is not None:
        yield from _not_positive(said.block[0], (it.number for it in said.block[1]), "threads")
    if said.cluster is not None and clustered:
        yield from _not_positive(said.cluster[0], (it.number for it in said.cluster[1]), "blocks in a cluster")
    if said.max_registers is not None:
        yield from _not_positive(said.max_registers.place, (said.max_registers.value.number,), "registers")
    if said.sub_group is not None and said.sub_group.value.number == 0:  # what is negative, clang takes
        yield from _not_positive(said.sub_group.place, (0,), "threads per sub-group")
    yield from _not_a_span(said.least_flat_size, said.flat_size, "threads", False)
    yield from _not_a_span(said.waves, said.most_waves, "waves per SIMD", True)


def _not_positive(place: Place, numbers: Iterable[int | None], what: str) -> Iterator[tuple[Place, str]]:
    wrong = next((it for it in numbers if it is not None and it <= 0), None)
    if wrong is not None:
        yield place, f"{wrong} {what}: the compiler accepts only positive numbers"


def _not_a_span(
    least: AttributeValue | None, most: AttributeValue | None, what: str, endless: bool
) -> Iterator[tuple[Place, str]]:
    """AMD's attributes of a least and a most: unsigned, (0, 0) is the default. `endless`: a most of 0 is none."""
    if least is None or most is None or least.value.number is None or most.value.number is None:
        return
    wide = next((it for it in (least.value.number, most.value.number) if not -(2**31) <= it < 2**32), None)
    low, high = least.value.number % 2**32, most.value.number % 2**32
    if wide is not None:
        yield least.place, f"{wide} {what}: the compiler accepts only 32-bit numbers"
    elif low > high and not (endless and high == 0):
        yield least.place, f"at least {low} and at most {high} {what}: the compiler rejects it"
    elif low == 0 and high:
        yield least.place, f"at least 0 and at most {high} {what}: the compiler accepts 0 only for both"
