"""Intel: what its offline compiler, ocloc, does."""

from __future__ import annotations

from occupancy_lsp.source.lex.dialect import PADDED
from occupancy_lsp.vendors.intel.arch import IntelArch
from occupancy_lsp.vendors.intel.schema import IntelFile
from occupancy_lsp.vendors.vendor import Vendor


class _Intel(Vendor[IntelArch]):
    __slots__ = ()

    def scheduler(self, arch: IntelArch) -> tuple[str, int] | None:
        return "EU", arch.max_sub_groups // arch.eus_per_unit


INTEL = _Intel(
    "intel",
    "Intel",
    IntelFile,
    speaking=("arc-b580", "arc-a770"),
    own_inputs=frozenset({"grf", "variant"}),
    brands=frozenset({"intel"}),
    lines=frozenset({"arc"}),
    group_memory=PADDED,
    drops_lone_barriers=True,
    width_attribute=True,
)
