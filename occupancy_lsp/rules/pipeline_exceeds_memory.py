"""OCC204: the stages of a pipelined loop need more local memory than a work-group may have, by estimate."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.pipelines import WIDTH, fitting_stages, pipelined_bytes
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Fix
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import Place


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return any(it.launch.pipelined is not None for it in report.launches)


def _check(report: KernelReport) -> Iterator[Finding]:
    largest: dict[Place, tuple[int, KernelLaunch]] = {}
    for launch in (it.launch for it in report.launches):
        needed, known = pipelined_bytes(launch, report.device), largest.get(launch.place)
        if needed is not None and needed > (known[0] if known else report.arch.local_per_group_opt_in):
            largest[launch.place] = needed, launch
    yield from (_of(report, launch, needed) for needed, launch in largest.values())


def _of(report: KernelReport, launch: KernelLaunch, needed: int) -> Finding:
    arch, stages = report.arch, fitting_stages(launch, report.device)
    way_out = f"num_stages ≤ {stages} fits" if stages is not None else "only smaller tiles fit"
    most = bytes_text(arch.local_per_group_opt_in)
    message = f"needs ~{bytes_text(needed)} with {8 * WIDTH}-bit operands; {arch.id} allows {most}: {way_out}"
    written = launch.pipelined.written if launch.pipelined is not None else None
    if written is None or stages is None:
        return Finding(launch.place, message)
    return Finding(launch.place, message, fixes=(Fix(f"Set num_stages to {stages}", ((written, str(stages)),)),))


RULE = Rule(
    "OCC204",
    "information",
    "num_stages needs more shared memory than a block may have, by estimate",
    check=_check,
    concerns=_concerns,
)
