"""What a kernel's head asks of the compiler's register allocation, and the edit that makes it ask otherwise."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.edits.insertion import after_kernel_word, before_name
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.source.incremental.kernel_text import KernelText
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, Bounds
from occupancy_lsp.source.syntax.known_value import Place, Value

_BOUNDS = b"__launch_bounds__"
CAP, WAVES, WIDTH = "__maxnreg__", "amdgpu_waves_per_eu", "intel_reqd_sub_group_size"  # as a head has them
_FROM_MACRO = Refused("its signature comes from a macro")
Edits = tuple[tuple[Place, str], ...]


@dataclass(frozen=True, slots=True)
class Head:
    """None: not asked for. `second`: of launch bounds, in what the vendor counts there."""

    threads: int | None = None
    second: int | None = None
    registers: int | None = None  # CAP
    waves: int | None = None  # WAVES
    width: int | None = None  # WIDTH


def head_of(kernel: Kernel) -> Head:
    """As it stands; what is not known is None as well."""
    bounds = kernel.attributes.bounds
    return Head(
        _threads(kernel),
        bounds.min_groups.value.number if bounds and bounds.min_groups else None,
        kernel.attributes.max_registers.value.number if kernel.attributes.max_registers else None,
        kernel.attributes.waves.value.number if kernel.attributes.waves else None,
        kernel.attributes.sub_group.value.number if kernel.attributes.sub_group else None,
    )


def _threads(kernel: Kernel) -> int | None:
    """Of a template's bounds, if all instances in sight have the same."""
    given = {it.attributes.max_threads.value.number for it in (kernel, *kernel.instances) if it.attributes.max_threads}
    known = given if not kernel.instances else given - {None}
    return next(iter(known)) if len(known) == 1 else None


def with_head(kernel: Kernel, head: Head) -> Kernel:
    """The kernel and its instances as they are read with that head."""
    at = kernel.name_place

    def given(number: int | None) -> AttributeValue | None:
        return AttributeValue(at, Value(number)) if number is not None else None

    threads = given(head.threads)
    cluster = kernel.attributes.bounds.max_cluster if kernel.attributes.bounds else None
    bounds = Bounds(at, threads, given(head.second), cluster) if threads else None
    instances = tuple(with_head(it, head) for it in kernel.instances)
    waves = given(head.waves)
    attributes = replace(
        kernel.attributes,
        bounds=bounds,
        max_registers=given(head.registers),
        waves=waves,
        most_waves=waves,
        sub_group=given(head.width),
    )
    return replace(kernel, attributes=attributes, instances=instances)


def edits_for(source: KernelText, kernel: Kernel, head: Head) -> Edits | Refused:
    """What makes the kernel's head ask for this."""
    now = head_of(kernel)
    if head == now:
        return ()
    if not source.holds(kernel.name_place):
        return Refused("its signature comes from a macro, or is in a header")
    if head.width != now.width:
        return _attribute(source, kernel, WIDTH, head.width, kernel.attributes.sub_group)
    if head.waves != now.waves:
        return _attribute(source, kernel, WAVES, head.waves, kernel.attributes.waves)
    if head.registers != now.registers:
        return _inserted(source, kernel, f"{CAP}({head.registers})", kernel.attributes.max_registers)
    if kernel.attributes.bounds is None:
        second = f", {head.second}" if head.second is not None else ""
        return _inserted(source, kernel, f"__launch_bounds__({head.threads}{second})", None)
    return _of_bounds(source, kernel.attributes.bounds, now, head)


def _of_bounds(source: KernelText, bounds: Bounds, now: Head, head: Head) -> Edits | Refused:
    given = [bounds.max_threads, *([bounds.min_groups] if bounds.min_groups else [])]
    if not all(source.holds(it.place) for it in given) or not _text(source, bounds.place).startswith(_BOUNDS):
        return Refused("its bounds are written by a macro")
    edits: list[tuple[Place, str]] = []
    first = bounds.max_threads.place
    if head.threads != now.threads:
        edits.append((first, str(head.threads)))
    if bounds.min_groups is None:
        edits.append((Place(first.item, first.end, first.end), f", {head.second}"))
    elif head.second is not None:
        edits.append((bounds.min_groups.place, str(head.second)))
    elif bounds.max_cluster is not None:
        edits.append((bounds.min_groups.place, "0"))
    else:
        edits.append((Place(first.item, first.end, bounds.min_groups.place.end), ""))
    return tuple(edits)


def _inserted(source: KernelText, kernel: Kernel, text: str, there: AttributeValue | None) -> Edits | Refused:
    """Before the kernel's name, or in place of the number that stands there."""
    if there is not None:
        number = text.partition("(")[2].removesuffix(")")
        return ((there.place, number),) if source.holds(there.place) else _FROM_MACRO
    place = before_name(source, kernel)
    return ((place, f"{text} "),) if place else Refused("its name is written with a scope")


def _attribute(
    source: KernelText, kernel: Kernel, name: str, number: int | None, there: AttributeValue | None
) -> Edits | Refused:
    """After the word that makes it a kernel, or before its name where that word is another."""
    text, place = f"__attribute__(({name}({number})))", after_kernel_word(source, kernel)
    if there is not None:
        return ((there.place, str(number)),) if source.holds(there.place) else _FROM_MACRO
    return ((place, f" {text}"),) if place else _inserted(source, kernel, text, None)


def _text(source: KernelText, place: Place) -> bytes:
    return source.item_text(place.item)[place.start : place.end]
