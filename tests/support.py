"""Sources with what the tool says of them drawn in: squiggles below the code, hints within it.

k<<<1, 2048>>>(p);
//     ^^^^ error OCC001: 2048 threads per block; a block has at most 1024
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import dedent
from time import process_time

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.answers import Diagnostic, Hint
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.labels import kernel_label
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

_MARKER = re.compile(r"[ \t]*(?://|#)[ ~]*\^+ (?:error|warning|information|hint) [^\n]*\n", re.MULTILINE)
_HINT = re.compile(r" /\*: [^*\n]*\*/")


def open_file(
    source: str, *devices: str, settings: Mapping[str, object] | None = None, path: Path | None = None
) -> OpenFile:
    """`settings`: as the editor gives them. `path`: in a folder whose `.occupancy.yaml` and sidecars are heeded."""
    root = path.parent if path else None
    project = Project(root, settings, {"devices": list(devices or ("h100",))})
    project.scan(lambda: False, lambda done, total: None)
    return OpenFile(path, "cuda", Text(source.encode()), project)


def view_of(source: str, *devices: str, settings: Mapping[str, object] | None = None, path: Path | None = None) -> View:
    view = open_file(source, *devices, settings=settings, path=path).view()
    assert view is not None
    return view


def text_of(report: KernelReport) -> str | None:
    """The kernel's hint."""
    label = kernel_label(report)
    return label.text if label else None


def check(
    drawn: str,
    *devices: str,
    only: str = "",
    settings: Mapping[str, object] | None = None,
    path: Path | None = None,
    hints: Callable[[View], Sequence[Hint]] | None = None,
) -> View:
    """The tool says what is drawn in the source, and nothing else. `only`: of diagnostics with this code."""
    drawn = dedent(drawn)
    source = _HINT.sub("", undrawn(drawn)) if hints else undrawn(drawn)
    view = view_of(source, *devices, settings=settings, path=path)
    found = [it for it in diagnostics(view) if it.code.startswith(only)]
    assert draw(view, found, hints(view) if hints else ()) == drawn
    return view


def undrawn(drawn: str) -> str:
    """The source without the squiggles below its lines."""
    return _MARKER.sub("", drawn)


def draw(view: View, found: Sequence[Diagnostic], hints: Sequence[Hint] = ()) -> str:
    """The source with diagnostics and hints in it."""
    lines = []
    for number, line in enumerate(view.text.content.decode().splitlines(keepends=True)):
        lines.append(_with_hints(view, number, line, hints))
        lines += [_squiggle(view, it) for it in found if view.text.line_of(it.start) == number]
    return "".join(lines)


def _squiggle(view: View, diagnostic: Diagnostic) -> str:
    """A token within the first two columns is drawn from the third on. In Python the comment is indented as code."""
    line = view.text.line_of(diagnostic.start)
    begin = diagnostic.start - view.text.line_start(line)
    end = min(diagnostic.end, view.text.line_end(line)) - view.text.line_start(line)
    gap, carets = max(begin - 2, 0), max(end - max(begin, 2), 1)
    said = f"{'^' * carets} {diagnostic.severity} {diagnostic.code}: {diagnostic.message}\n"
    if LANGUAGES[view.source.dialect.name].preprocessed:
        return f"//{' ' * gap}{said}"
    return f"{' ' * begin}# {said}"


def _with_hints(view: View, number: int, line: str, hints: Sequence[Hint]) -> str:
    start = view.text.line_start(number)
    for hint in sorted(hints, key=lambda it: -it.offset):
        if view.text.line_of(hint.offset) == number:
            raw = line.encode()
            at = hint.offset - start
            line = f"{raw[:at].decode()} /*: {hint.label}*/{raw[at:].decode()}"
    return line


def seconds(run: Callable[[], object], times: int = 3) -> float:
    """CPU seconds of the quickest of some runs: for ratios of two, never against a clock."""
    taken = []
    for _ in range(times):
        start = process_time()
        run()
        taken.append(process_time() - start)
    return min(taken)


_LIVE = "__global__ void live(const float* in, float* out, int i, int s, int n)"


def live(values: int, head: str = _LIVE, mad: str = "fmaf") -> str:
    """A kernel with so many values that live through a loop: docs/bounds.md has it in full."""
    names = [f"a{it}" for it in range(values)]
    loads = ", ".join(f"{name} = in[i + {it} * s]" for it, name in enumerate(names))
    mixed = ", ".join(f"{name} = {mad}({name}, x, a{(it + 1) % values})" for it, name in enumerate(names))
    stores = ", ".join(f"out[i + {it} * s] = {name}" for it, name in enumerate(names))
    return (
        f"{head} {{\n  float {loads};\n#pragma unroll 1\n"
        f"  for (int j = 0; j < n; ++j) {{\n    float x = in[j];\n    {mixed};\n  }}\n  {stores};\n}}\n"
    )
