"""The line of `.occupancy.yaml` that gives a kernel a size to show figures for, where launches choose at run time."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from occupancy_lsp.analysis.any_size import most_threads
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.regex import regex
from occupancy_lsp.features.answers import Action, Edit, File
from occupancy_lsp.features.prose import Code, Line
from occupancy_lsp.rules.finding import fitting
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import FILE_NAME
from occupancy_lsp.yamlfile.nodes import MAX_BYTES

_USUAL = 256
_KEY = regex(rb"^assume[ \t]*:[ \t]*(?P<said>[^\s#][^\r\n]*)?[^\r\n]*(?:\r?\n|\Z)", re.MULTILINE)
_INDENT = regex(rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?P<indent> +)")


def offer(view: View, report: KernelReport) -> Line:
    """For the hover of a kernel without a size."""
    if view.root is None or not _lacks(report):
        return ()
    entry = f"assume: {{{_name(report)}: {{block: {_size(report)}}}}}"
    return "With ", Code(entry), " in ", Code(FILE_NAME), ", figures are shown for that size and marked as assumed."


def action(view: View, report: KernelReport, key: str, opened: Mapping[Path, bytes]) -> Action | None:
    """Writes the line. None: the kernel needs none, or the file has what cannot be added to."""
    if view.root is None or not _lacks(report):
        return None
    size, path = _size(report), view.root / FILE_NAME
    found = Content(opened[path], 0) if path in opened else read_file(path, MAX_BYTES)
    if found is not None and not isinstance(found, Content):
        return None
    file = File(path, found.data if found else b"", new=found is None)
    place = _place(file.content)
    if place is None:
        return None
    at, lead, indent = place
    edit = Edit(at, at, f"{lead}{indent}{_name(report)}: {{block: {size}}}\n", file)
    said = f"at {size} threads per {report.device.nouns.group}, assumed in {FILE_NAME}"
    title = fitting((f"Show {report.kernel.name} {said}", f"Show this kernel {said}"))
    return Action(title, "refactor.rewrite", key, edits=(edit,))


def _lacks(report: KernelReport) -> bool:
    return report.defect is None and not report.size.sizes


def _size(report: KernelReport) -> int:
    return min(_USUAL, most_threads(report))


def _name(report: KernelReport) -> str:
    return json.dumps(report.kernel.qualified)


def _place(content: bytes) -> tuple[int, str, str] | None:
    """Where the line goes, what comes before it there, and its indent; None: the key stands in braces."""
    key = _KEY.search(content)
    if key is None:
        return len(content), ("" if not content or content.endswith(b"\n") else "\n") + "assume:\n", "  "
    if key["said"]:
        return None
    below = _INDENT.match(content, key.end())
    lead = "" if key[0].endswith(b"\n") else "\n"
    return key.end(), lead, below["indent"].decode() if below else "  "
