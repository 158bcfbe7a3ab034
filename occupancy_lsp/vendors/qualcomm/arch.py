"""Qualcomm's Adreno GPUs as data: what one SP core holds."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.vendors.qualcomm import rule

_NOUNS = Nouns("work-group", "work-groups", "wave", "waves", "SP core", "local memory", "local", "WG")

_VEC4 = 16  # bytes
_TRAITS = Traits(counts_barriers=True, varying_width=True, starts_in_parts=True, most_threads=(1024, 1024, 1024))


@dataclass(frozen=True, slots=True)
class AdrenoArch(Uncounted):
    """One Adreno generation; "unit" means SP core. Registers are counted as full vec4 (128 bits), as ir3 does."""

    id: str  # "adreno-a7xx"
    vendor: str  # "qualcomm"
    wave_sizes: tuple[int, ...]  # threads: (64, 128), or (64,) without double-width waves
    max_group_size: int  # threads
    max_sub_groups: int  # waves per SP core
    wave_granularity: int  # waves that are allocated together
    register_parts: int  # vec4 registers of the file, each as many threads wide as such a bundle of narrow waves
    max_registers: int  # vec4, per thread
    local_per_unit: int
    local_per_group: int
    local_unit: int  # allocation granularity

    @property
    def sub_group_size(self) -> int:
        """The wide one, which the compiler prefers."""
        return self.wave_sizes[-1]

    def named_width(self, word: str) -> int | None:
        """Threads, as `qcom_reqd_sub_group_size` of Qualcomm's compiler names them; None: no such word."""
        return {"half": self.wave_sizes[0], "full": self.wave_sizes[-1]}.get(word)

    @property
    def max_groups(self) -> int:
        """No limit is known but the waves."""
        return self.max_sub_groups // self.wave_granularity

    @property
    def traits(self) -> Traits:
        return _TRAITS

    @property
    def private_bytes(self) -> int:
        return self.max_registers * _VEC4

    @property
    def nouns(self) -> Nouns:
        return _NOUNS

    def occupancy(self, need: Need) -> Occupancy:
        return rule.occupancy(self, need)

    def per_limiter(self, need: Need) -> dict[str, int] | None:
        return rule.per_limiter(self, need)

    def width(self, need: Need) -> int:
        return rule.wave_size(self, need)

    def sub_groups(self, need: Need) -> int:
        return rule.waves_per_group(self, need)
