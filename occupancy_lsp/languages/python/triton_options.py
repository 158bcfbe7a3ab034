"""How Triton is told to compile a kernel: by one configuration, or by one launch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.python.gluon import with_workers
from occupancy_lsp.languages.python.values import Either, Unknown
from occupancy_lsp.source.kernels.launch_resolution import Compiled
from occupancy_lsp.source.syntax.known_value import ONE, Dimensions, Place, Value, unknown

WARP = 32  # threads, where the device's compiler says nothing else
AMD_WAVE = "__AMDGCN_WAVEFRONT_SIZE__"
OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg", "waves_per_eu")
HEURISTICS = ("triton.heuristics", "triton.runtime.autotuner.heuristics")
_DEFAULT_WARPS = 4
_ARCH = "__CUDA_ARCH__"
_FIRST_WITH_CLUSTERS = 900  # NVIDIA's backend raises ValueError for `num_ctas` above 1 below it
_MOST_THREADS = 1024  # of a block, on all devices that Triton compiles for


def told(options: Mapping[str, int | None]) -> str:
    """`num_warps=4, num_stages=3`: what identifies a compilation, in Triton's own names."""
    return ", ".join(f"{key}={number}" for key in OPTIONS if (number := options.get(key)) is not None)


@dataclass(frozen=True, slots=True)
class Options:
    """How one configuration, or one launch, is compiled; each a value, an Unknown or an Either."""

    place: Place
    given: Mapping[str, Any]
    device: Mapping[str, int]
    entry: Place | None = None  # in the list that it stands in
    specialised: bool = False  # its warps are given different work, for which the compiler adds some
    sizes: Mapping[str, Any] = field(default_factory=dict)  # what it gives the kernel's own parameters
    written: Place | None = None  # the number of stages, for this one alone
    sure: bool = False  # no condition in sight decides whether it is compiled
    reached: bool = True  # no condition in sight keeps the program from it
    workers: int = 0  # warps that the text adds
    shared: Value | None = None  # bytes, as far as the text tells them
    otherwise: str = ""  # why it may have another number of warps

    @property
    def width(self) -> int:
        return self.device.get(AMD_WAVE, WARP)

    @property
    def threads(self) -> Value:
        if self.specialised:
            return unknown("its warps are specialised, and the compiler adds some")
        found = with_workers(self._launched, self.workers, self.width)
        return structs.replace(found, reason=self.otherwise) if self.otherwise else found

    @property
    def _launched(self) -> Value:
        """The threads that `num_warps` says."""
        return _times(self.given.get("num_warps", _DEFAULT_WARPS), self.width)

    @property
    def may_run(self) -> bool:
        """Whether its threads are not surely too many for a block, nor its clusters more than the device has."""
        threads = self.threads
        return not self.lacks_clusters and min(threads.among, default=threads.number or 0) <= _MOST_THREADS

    @property
    def lacks_clusters(self) -> bool:
        """Whether it asks for some, and the device has none."""
        return self._ctas > 1 and not self._has_clusters

    def possible(self) -> Iterator[Options]:
        """One for each number of warps that it may have: for each, the compiler fits registers to the block."""
        among, why = () if self.specialised else self._launched.among, self._launched.reason
        for threads in among:
            yield replace(self, given={**self.given, "num_warps": threads // self.width}, otherwise=why)
        if not among:
            yield self

    @property
    def said(self) -> Mapping[str, Any]:
        """With what Triton takes where nothing is given."""
        stages = 2 if AMD_WAVE in self.device else 3
        defaults = {"num_warps": _DEFAULT_WARPS, "num_stages": stages, "num_ctas": 1}
        defaults |= {"waves_per_eu": 0} if AMD_WAVE in self.device else {}
        return {key: self.given.get(key, defaults.get(key)) for key in OPTIONS}

    @property
    def arguments(self) -> str | None:
        """What tells its instance from others; None: something of it is not known."""
        said = self.said
        if any(type(it) is not int and it is not None for it in said.values()):
            return None
        return told(said)

    @property
    def cluster(self) -> tuple[Place, Dimensions] | None:
        """Of several blocks; where the device has none, only of what is surely compiled for it: there it fails."""
        asked = self._ctas > 1 and (self.sure or not self.lacks_clusters)
        return (self.place, (Value(self._ctas), ONE, ONE)) if asked else None

    @property
    def _has_clusters(self) -> bool:
        return self.device.get(_ARCH, _FIRST_WITH_CLUSTERS) >= _FIRST_WITH_CLUSTERS

    @property
    def _ctas(self) -> int:
        ctas = self.said["num_ctas"]
        return ctas if type(ctas) is int else 1

    @property
    def compiled(self) -> Compiled | None:
        """What its compiler is told: the block's size (`.reqntid`, `amdgpu-flat-work-group-size`), registers, waves."""
        waves = self._number("waves_per_eu") if AMD_WAVE in self.device else None
        instance = self.arguments
        return Compiled(instance, self.threads, self._number("maxnreg"), waves) if instance is not None else None

    def _number(self, key: str) -> Value | None:
        found = self.given.get(key)
        return Value(found) if type(found) is int and found > 0 else None


def _times(warps: Any, width: int) -> Value:
    """Threads of so many warps. Triton takes powers of two alone (`is_power_of_two` in its compiler's options)."""
    match warps:
        case bool():
            return unknown("num_warps is no number")
        case int() if warps <= 0 or warps & (warps - 1) or warps * width > 1 << 31:
            return unknown(f"num_warps={warps} is no power of two, and Triton takes no other")
        case int():
            return Value(warps * width)
        case Either(values=values) if all(type(it) is int and it > 0 for it in values):
            every = sorted({it * width for it in values})
            # What surely fails on the device is not what the program chooses there.
            among = tuple([it for it in every if it <= _MOST_THREADS] or every)
            return Value(None, "num_warps is decided at run time", among=among, most=among[-1])
        case Unknown(reason=reason, most=most):
            highest = min(most * width if most else _MOST_THREADS, _MOST_THREADS)
            among = tuple(width << it for it in range(_MOST_THREADS.bit_length()) if width << it <= highest)
            return Value(None, f"num_warps: {reason}", among=among, most=highest)
    return unknown("num_warps is no number")


def any_options(reason: str) -> dict[str, Any]:
    """Options of which nothing is known."""
    return dict.fromkeys(OPTIONS, Unknown(reason))
