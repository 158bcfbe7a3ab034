"""What in a kernel's head its compiler refuses, so that there is nothing to launch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.syntax.known_value import Place, product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.vendor import Conflict


@dataclass(frozen=True, slots=True)
class ClusterBesideBound:
    """An exact size of clusters, and a bound of it in launch bounds: in blocks, and where they stand."""

    exact: Place
    size: int
    bound: Place
    most: int


def does_not_compile(arch: Architecture, kernel: Kernel, language: str) -> bool:
    """Whether its compiler surely rejects the kernel's annotations."""
    return (
        bool(unsupported(arch, kernel, language))
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
    if not size or not most or not vendor_of(arch).refused_together(arch, language):
        return None
    return ClusterBesideBound(exact[0], size, bounds.max_cluster.place, most)


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
