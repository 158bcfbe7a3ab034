"""The rules, one to a file: code, severity, what it says, and the check from a kernel's report to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY
from pathlib import Path

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.rules.finding import Finding, Severity
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings


def nothing(*about: object) -> tuple[()]:
    return ()


def nobody(*about: object) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Rule:
    """`summary`: one line for people.

    `check` sees one kernel and is remembered with its report; `check_view` is for what the rest of the file decides.
    `concerns` picks the kernels that it looks at, and is remembered, too.

    `advice`: silent where the kernel's occupancy is intended. `hides_at_place`, `hides_in_kernel`: the codes of what
    one cause would show a second time, at the same place or anywhere in the kernel. `needs_counts`: without counts it
    finds nothing, so that a comment which ignores it is not useless; nor is it where `by_user`, because what the rule
    finds depends on the devices that each user lists.
    """

    code: str
    severity: Severity
    summary: str
    _: KW_ONLY
    check: Callable[[KernelReport], Iterable[Finding]] = nothing
    check_view: Callable[[View, KernelReport], Iterable[Finding]] = nothing
    concerns: Callable[[Settings, KernelReport], bool] = nobody
    advice: bool = False
    hides_at_place: tuple[str, ...] = ()
    hides_in_kernel: tuple[str, ...] = ()
    needs_counts: bool = False
    by_user: bool = False


def page(code: str) -> Path:
    """The rule's documentation: in the package once installed, in the checkout before. So is that of `surprises`."""
    here = Path(__file__).resolve().parent
    inside, docs = here / "pages", here.parent.parent / "docs"
    outside = docs if code == "surprises" else docs / "rules"
    return (inside if inside.is_dir() else outside) / f"{code}.md"


def help_url(code: str) -> str:
    return page(code).as_uri()
