"""AMD: what clang does for its devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from occupancy_lsp.core.regex import regex
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.source.lex.dialect import SCALAR
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.bounds import groups_of_waves, register_ceiling, waves_honoured, waves_of_groups
from occupancy_lsp.vendors.amd.ceiling import ceiling, most_threads, moved_arrays, thread_bound, unbound_threads
from occupancy_lsp.vendors.amd.compiler import as_compiled
from occupancy_lsp.vendors.amd.promotion import DEFAULT_THREADS
from occupancy_lsp.vendors.amd.registers import accumulators_start, vector_allocation, vector_registers
from occupancy_lsp.vendors.amd.schema import AmdFile
from occupancy_lsp.vendors.vendor import (
    NO_OPTIONS,
    Ceiling,
    DefaultBound,
    DefaultCap,
    Options,
    SecondBound,
    Vendor,
    Waves,
)

if TYPE_CHECKING:
    from occupancy_lsp.counts.usage import Usage
    from occupancy_lsp.source.kernels.kernel import Kernel
    from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue

_CLUSTERS = regex(r"gfx1(?:25|3)")
_TARGET = regex(r"gfx(\d+)([\da-f])([\da-f])\b")


class _Amd(Vendor[AmdArch]):
    __slots__ = ()

    def predefined(self, arch: AmdArch, language: str) -> dict[str, int]:
        """Of clang's AMDGPU target; HIP's own on top, in the pass for the device."""
        target = _TARGET.match(arch.id)
        if target is None:
            return {}
        wave = arch.sub_group_size
        found = dict.fromkeys(("__AMDGCN__", "__AMDGPU__", "__AMD__", f"__{target[0]}__", f"__GFX{target[1]}__"), 1)
        found |= dict.fromkeys(("__AMDGCN_WAVEFRONT_SIZE__", "__AMDGCN_WAVEFRONT_SIZE"), wave)
        if language == "hip":
            found |= {"__HIP_DEVICE_COMPILE__": 1, "__HIP_PLATFORM_AMD__": 1}
        return found

    def refused_clusters(self, arch: AmdArch, language: str) -> str:
        """clang 22: "'cluster_dims' is not supported for this GPU architecture", also of 1; gfx125x has them."""
        refused = language == "hip" and _CLUSTERS.match(arch.id) is None
        return f"is not supported for this GPU architecture, says clang for {arch.id}" if refused else ""

    def ceiling(self, arch: AmdArch, kernel: Kernel, language: str, options: Options) -> Ceiling | None:
        return ceiling(arch, kernel, language, options)

    def thread_bound(self, kernel: Kernel) -> AttributeValue | None:
        return thread_bound(kernel)

    def default_bound(self, language: str, options: Options) -> DefaultBound | None:
        """clang 22: `.max_flat_workgroup_size: 256` of OpenCL's kernels without `reqd_work_group_size`; enqueueing more
        is CL_INVALID_WORK_GROUP_SIZE. Of HIP's what commands say, if all do."""
        if language == "opencl":
            return DefaultBound(DEFAULT_THREADS["opencl"], "without reqd_work_group_size the compiler")
        given = [it for it in options.max_threads if it]
        if language != "hip" or not given or len(given) < len(options.max_threads):
            return None
        return DefaultBound(max(given), "--gpu-max-threads-per-block of its command")

    def most_threads(self, arch: AmdArch, kernel: Kernel, language: str, options: Options) -> int | None:
        return most_threads(arch, kernel, language, options)

    def scheduler(self, arch: AmdArch) -> tuple[str, int] | None:
        return None if arch.vliw else ("SIMD", arch.waves_per_simd)

    def annotations(self, kernel: Kernel) -> Iterator[AttributeValue]:
        yield from filter(
            None,
            (
                kernel.attributes.waves,
                kernel.attributes.most_waves,
                kernel.attributes.num_vgpr,
                kernel.attributes.flat_size,
                kernel.attributes.least_flat_size,
            ),
        )

    def moved_arrays(
        self, arch: AmdArch, kernel: Kernel, language: str, static: tuple[int, int], options: Options = NO_OPTIONS
    ) -> int:
        return moved_arrays(arch, kernel, language, static, options)

    def is_full(self, arch: AmdArch, usage: Usage, most: int) -> bool:
        used = usage.registers
        usual = usage.sub_group in (None, arch.sub_group_size) and usage.mode in (None, arch.modes[0])
        if used is None or not usual:
            return False
        if arch.accumulation == "unified" and usage.accumulators:
            used = accumulators_start(used) + usage.accumulators
        return 0 <= most - used < arch.register_unit

    def waves(self, arch: AmdArch, threads: int, wanted: int) -> Waves:
        # Which wave size and mode is built the source does not say.
        builds = [(wave, mode) for wave in arch.sub_group_sizes for mode in arch.modes]
        heeded = [waves_honoured(arch, threads, wanted, *it) for it in builds]
        same = [groups_of_waves(arch, threads, wanted, *it) == wanted for it in builds]
        converted = waves_of_groups(arch, threads, wanted)
        return Waves(
            any(heeded),
            all(heeded) and not any(same),
            as_compiled(arch).waves_per_simd,
            waves_of_groups(arch, threads, 1),
            groups_of_waves(arch, threads, wanted),
            converted if waves_honoured(arch, threads, converted) else None,
        )

    def second_numbers(self, arch: AmdArch, threads: int) -> Iterable[int]:
        most = as_compiled(arch).waves_per_simd
        return (it for it in range(1, most + 1) if waves_honoured(arch, threads, it))

    def default_cap(
        self, arch: AmdArch, need: Need, variant: Variant, language: str, threads: int
    ) -> DefaultCap | None:
        sizes = DEFAULT_THREADS[language], threads
        cap, more = (register_ceiling(arch, it, None, variant.sub_group, variant.mode) for it in sizes)
        used = vector_registers(arch, need)
        if used is None or more <= cap:
            return None
        # What is above the cap was built for other sizes; what spills below it has another reason.
        presses = used <= cap <= vector_allocation(arch, variant.sub_group or arch.sub_group_size, used)
        return DefaultCap(used, cap, more) if presses else None

    def built_for(self, language: str, options: Options) -> int | None:
        return unbound_threads(language, options)


AMD = _Amd(
    "amd",
    "AMD",
    AmdFile,
    speaking=("mi300x",),
    own_inputs=frozenset({"agprs", "sgprs", "mode"}),
    brands=frozenset({"advanced", "micro", "devices", "amd", "ati", "radeon", "instinct"}),
    lines=frozenset({"rx"}),
    assumed=DEFAULT_THREADS,
    second_bound=SecondBound("waves per SIMD", False),
    group_memory=SCALAR,
    shares_functions=True,
    waves_attribute=True,
)
