"""What a hover says of clusters."""

from __future__ import annotations

from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.model.clusters import most_clusters
from occupancy_lsp.vendors.registry import vendor_of


def clusters(report: KernelReport, figure: Figure | None) -> str:
    """What they do to the figure, and how many fit on the device, where its parts are public."""
    if not report.clustered:
        return ""
    size, words = report.cluster, report.device.nouns
    lead = f"Clusters of {size} {words.groups}" if size and size > 1 else "Clusters"
    return f"{lead} can only lower the figure: all {words.groups} of a cluster start together.{_room(report, figure)}"


def _room(report: KernelReport, figure: Figure | None) -> str:
    units, size, parts = report.device.compute_units, report.cluster, vendor_of(report.arch).parts(report.arch)
    if figure is None or parts is None or units is None or size is None or size < 2 or not figure.highest.groups:
        return ""
    found = most_clusters(units, parts, figure.highest.groups, size)
    if found is None:
        return ""
    words, (worst, best) = report.device.nouns, found
    where = f"of up to {parts.count} {parts.name}, each of up to {parts.units} {words.unit}s"
    if worst == best:
        return f" At most {best} of them fit on the device together: each stays within one {where}."
    why = f"how the {units} {words.unit}s are spread over these differs from chip to chip"
    return f" At most {worst} to {best} of them fit on the device together: each stays within one {where}, and {why}."
