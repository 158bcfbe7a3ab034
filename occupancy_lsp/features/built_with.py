"""How the flags that a kernel is compiled with choose its code: waves, modes, registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import or_text
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.variant import Variant

_BY = "by the flags that it is compiled with"


def in_several_ways(report: KernelReport) -> bool:
    """Whether its commands, or its host, build it in several ways, and no count tells in which."""
    asked = report.options.variants_on(report.arch)
    return len(asked) > 1 and len(report.built.variants) >= len(asked)


def built_with(report: KernelReport) -> str:
    """Its flags where they choose something; "": they leave it at the defaults."""
    asked = report.options.variants_on(report.arch)
    if asked == (Variant(),) or report.counted:
        return ""
    parts = list(_chosen(report, asked))
    if report.options.by_driver:
        return f"{', '.join(parts)}, as the driver chooses." if parts else ""
    several = ": some of its commands say otherwise, or leave it to the driver" if len(asked) > 1 else ""
    return f"{', '.join(parts)}, {_BY}{several}." if parts else ""


def _chosen(report: KernelReport, asked: Sequence[Variant]) -> Iterator[str]:
    arch, words = report.arch, report.device.nouns
    if any(it.sub_group for it in asked):
        widths = sorted({arch.width(Need(1, sub_group=it.sub_group)) for it in asked})
        yield f"{words.sub_groups[0].upper()}{words.sub_groups[1:]} of {or_text(widths)} threads"
    if modes := sorted({it.mode for it in asked if it.mode}):
        default = " or the default one" if any(it.mode is None for it in asked) else ""
        yield f"{' or '.join(map(str.upper, modes))} mode{default}"
    if any(it.grf for it in asked):
        files = {taken.registers for it in asked if (taken := arch.allocated(Need(1, grf=it.grf))) is not None}
        yield f"{or_text(sorted(files))} registers per {words.sub_group}"
