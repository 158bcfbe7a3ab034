"""What a compiler, a profiler or a person says that one kernel uses."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem

# From the most to the least trustworthy; a figure carries the worst source of its inputs.
# "assumed": a person says what to show it for, not what is so.
SOURCES = ("measured", "compiled", "declared", "bounded", "estimated", "assumed")
COUNTED = SOURCES[:2]  # said of the compiled kernel itself


@dataclass(frozen=True, slots=True)
class Work:
    """What a profile counted of launches: operations in one precision, bytes of device memory, and the time taken."""

    precision: str  # "fp32"
    operations: float
    moved: float
    seconds: float | None  # None: not said


@dataclass(frozen=True, slots=True)
class Activity:
    """What a profile saw of the sub-groups in launches.

    `achieved`: the least and the most of the slots that were taken on average, in percent. `waits`: what sub-groups
    waited for, in words, and which part of the time, the mean of the launches.
    """

    launches: int
    achieved: tuple[float, float]
    waits: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """Which of several compilations of a kernel it is, by the options that Triton, cuTile or Warp was given, in their
    names.

    None: not said, or not provable. `num_warps` is what the launch or `triton.Config` asked for; where the kernel is
    `warp_specialised`, a block has more, and `Usage.group_size` counts them.
    """

    num_warps: int | None = None
    num_stages: int | None = None
    num_ctas: int | None = None  # blocks per cluster
    maxnreg: int | None = None  # None also where no limit was given
    waves_per_eu: int | None = None  # 0: left to the compiler
    warp_specialised: bool | None = None
    arguments: tuple[str, ...] | None = None  # types of what is passed at launch, as in Triton's code: "ptr<f16>"
    occupancy: int | None = None  # blocks per SM that cuTile's compiler was asked for
    block_dim: int | None = None  # threads of a block that Warp compiled for


@dataclass(frozen=True, slots=True)
class Usage:
    """Resources of one compiled kernel (or template instance). None is "not said", never 0."""

    kernel: str  # as the tool wrote it, mangled or not
    source: str  # one of SOURCES
    path: str  # the file that says so
    line: int  # in that file, from 1; 0 if it has no lines
    arch: str | None = None  # "sm_90"; None: said for every device
    registers: int | None = None  # per thread; AMD: vector registers without the accumulation registers
    accumulators: int | None = None  # AMD: accumulation registers per thread
    scalars: int | None = None  # AMD: scalar registers per wave
    grf: int | None = None  # Intel: general registers per hardware thread
    sub_group: int | None = None  # threads per sub-group (wave, SIMD width) that it was compiled for
    mode: str | None = None  # AMD: "cu" or "wgp"
    static_local: int | None = None  # bytes per work-group, without what the driver reserves
    dynamic_local: int | None = None  # bytes per work-group at launch
    tensor_columns: int | None = None  # NVIDIA: columns of tensor memory per block
    tensor_memory: bool | None = None  # NVIDIA: whether it allocates tensor memory, however much
    group_size: int | None = None  # threads per work-group that every launch has
    max_group_size: int | None = None  # threads per work-group that it was compiled for at most
    barriers: int | None = None
    stack: int | None = None  # bytes per thread; AMD: its private segment
    spill_stores: int | None = None  # bytes per thread
    spill_loads: int | None = None
    spilled_registers: int | None = None  # AMD: vector registers per thread
    spilled_scalars: int | None = None  # AMD: scalar registers per wave
    spill_size: int | None = None  # Intel: bytes per hardware thread
    work: tuple[Work, ...] = ()  # of the launches that were measured, together
    activity: Activity | None = None  # of the launches that were measured
    variant: Variant | None = None
    language: str | None = None  # that alone such a compiler compiles; None: not said
    device_name: str | None = None  # what alone the file has; `arch` is it, until it is known whose name it is
    at: tuple[str, int] | None = (
        None  # where in the source the kernel stands, as the tool wrote it: file and line, 0: not said
    )
    digest: str = ""  # of the only text that it speaks of, as the compiler's names have it
    how: str = ""  # for people: by which compiler and with which flags, where it was compiled to be counted
    way: str = ""  # of several in which it was compiled, because nothing in sight decides: `with --use_fast_math`
    assuming: str = ""  # for people: what is taken for granted; its source is then "estimated"
    mtime: float = 0.0  # of `path`, seconds; set by whoever read the file


@dataclass(frozen=True, slots=True)
class Remark:
    """What the tool itself warned of: launch bounds that it ignored, a stack that it cannot bound."""

    message: str
    path: str
    line: int
    kernel: str | None = None  # as the tool wrote it
    arch: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one file said, and what in it could not be read."""

    usages: tuple[Usage, ...] = ()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()
