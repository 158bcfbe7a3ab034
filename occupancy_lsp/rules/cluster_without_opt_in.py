"""OCC108: clusters so large that a kernel must opt in to them."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import launched, launched_elsewhere
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of

_ATTRIBUTE = regex(rb"(?i)Non_?Portable_?Cluster_?Size_?Allowed")
_WORDS = (b"ortable", b"ORTABLE")


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return report.clustered and any(report.every_launch())


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    found = list(_too_large(report))
    if found and not _opts_in(view, report):
        yield from found


def _too_large(report: KernelReport) -> Iterator[Finding]:
    sizes = vendor_of(report.arch).cluster_sizes(report.arch, report.language)
    if sizes is None:
        return
    own = report.kernel.attributes.cluster
    far = (own for it in launched_elsewhere(report) if it.launch.configuration.cluster is None)
    asked = dict.fromkeys((*(it.configuration.cluster or own for it in launched(report)), *far))
    for place, dimensions in filter(None, asked):
        size = product_of_dimensions(dimensions).number
        if size is not None and sizes.portable < size <= sizes.most:
            lead = f"a cluster of {size} {report.device.nouns.groups}; a launch may have {sizes.portable}"
            yield Finding(place, f"{lead} unless the kernel opts in")


def _opts_in(view: View, report: KernelReport) -> bool:
    """Whether anything in the workspace may: code with the attribute's name, or a file that is not read yet; of a
    program in a document, that too."""
    if LANGUAGES[report.language].opts_in:
        return True
    if view.unread() or view.source.is_true_of_active_code(_ATTRIBUTE.search, _WORDS):
        return True
    if view.passages and _ATTRIBUTE.search(view.text.content):
        return True
    return view.others_say(_ATTRIBUTE.search, report.kernel.name)


RULE = Rule(
    "OCC108",
    "warning",
    "clusters of more blocks than every kernel may have",
    check_view=_check,
    concerns=_concerns,
)
