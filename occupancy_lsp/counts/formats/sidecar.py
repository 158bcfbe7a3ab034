"""What a person says that kernels use: `KERNELFILE.occupancy.yaml`, or any YAML file under `sidecars`.

kernels:
  scale: {registers: 40, shared: 4KiB}              # on every device
  "ns::tile<float, 32>":
    block: [32, 8]
    sm_90: {registers: 64}                          # on this one; what it does not say is taken from above
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, fields, replace
from math import prod
from typing import Annotated

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.naming import canonical
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.yamlfile.keys import about, keys_of
from occupancy_lsp.yamlfile.reader import REST, read_text
from occupancy_lsp.yamlfile.types import Bytes, Count, Line, Positive

SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class _Figures:
    registers: Positive | None = field(default=None, metadata=about("registers per thread"))
    shared: Bytes | None = field(default=None, metadata=about("static shared memory per block, such as 4KiB"))
    dynamic_shared: Bytes | None = field(
        default=None, metadata=about("dynamic shared memory per block at launch, such as 32KiB")
    )
    block: tuple[Positive, ...] | None = field(
        default=None, metadata=about("threads per block, or its extents, such as [32, 8]")
    )
    barriers: Count | None = field(
        default=None, metadata=about("hardware barriers per block, as reported by ptxas -v and in zebins")
    )
    subgroup: Positive | None = field(
        default=None, metadata=about("work-items per sub-group: Intel's SIMD width, AMD's wave")
    )
    line: Line = 0


@dataclass(frozen=True, slots=True)
class _Kernel(_Figures):
    architectures: Annotated[dict[str, _Figures], REST] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Sidecar:
    kernels: dict[str, _Kernel] = field(metadata=about("what each kernel uses, by its name"))


KEYS = (*keys_of(_Sidecar), *keys_of(_Figures))


def looks_like(path: str) -> bool:
    return path.lower().endswith(SUFFIXES)


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel, and one for each of its architectures. Never raises."""
    sidecar, problems = read_text(_Sidecar, data, path)
    kernels = sidecar.kernels if sidecar is not None else {}
    usages = [usage for name, kernel in kernels.items() for usage in _usages(name, kernel, path)]
    return Reading(tuple(usages), problems)


def _usages(name: str, kernel: _Kernel, path: str) -> Iterator[Usage]:
    common = Usage(name, "declared", path, kernel.line)
    general = _stated(common, kernel)
    if general != common:
        yield general
    for architecture, figures in kernel.architectures.items():
        yield _stated(replace(general, arch=canonical(architecture), line=figures.line), figures)


def _stated(usage: Usage, figures: _Figures) -> Usage:
    """`usage` with what `figures` says in place."""
    said = {
        "registers": figures.registers,
        "static_local": figures.shared,
        "dynamic_local": figures.dynamic_shared,
        "group_size": prod(figures.block) if figures.block else None,
        "barriers": figures.barriers,
        "sub_group": figures.subgroup,
    }
    kept = {f.name: getattr(usage, f.name) for f in fields(Usage)}
    return Usage(**{**kept, **{name: value for name, value in said.items() if value is not None}})
