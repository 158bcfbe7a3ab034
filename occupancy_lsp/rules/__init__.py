"""The rules, one to a file: code, severity, what it says, and the check from a kernel's report to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules.finding import Finding, Severity
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings


def nothing(*about: object) -> tuple[()]:
    return ()


def nobody(*about: object) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Rule:
    """`summary`: one line for people. `advice`: silent where the kernel's occupancy is intended.

    `check` sees one kernel and is remembered with its report; `check_view` is for what the rest of the file decides.
    `concerns` picks the kernels that it looks at, and is remembered, too.
    """

    code: str
    severity: Severity
    summary: str
    advice: bool
    check: Callable[[KernelReport], Iterable[Finding]] = nothing
    check_view: Callable[[View, KernelReport], Iterable[Finding]] = nothing
    concerns: Callable[[Settings, KernelReport], bool] = nobody


def page(code: str) -> Path:
    """The rule's documentation: in the package once installed, in the checkout before."""
    here = Path(__file__).resolve().parent
    inside = here / "pages"
    return (inside if inside.is_dir() else here.parent.parent / "docs" / "rules") / f"{code}.md"


def help_url(code: str) -> str:
    return page(code).as_uri()
