"""The call that allows a kernel more dynamic local memory than any launch may have, before the launch that needs it."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.kernels.launch_statement import kernel_as_written, launch_statement
from occupancy_lsp.source.syntax.known_value import Place

_INDENT = "  "
_CHANGES = regex(rb"\+\+|--|(?<![=!<>])=(?!=)")  # evaluated twice it would do so twice


def opt_in(item: bytes, kernel: Kernel, launch: KernelLaunch, call: str) -> tuple[tuple[Place, str], ...]:
    """The edits. (): the kernel or the bytes are not written at the launch, or the statement is not seen.

    `item`: the text that the launch stands in; `call`: a language's `opting_in`.
    """
    target, dynamic = launch.target, launch.configuration.dynamic.place if launch.configuration.dynamic else None
    if dynamic is None or dynamic == launch.place or not target.item == dynamic.item == launch.place.item:
        return ()
    named = kernel_as_written(item[target.start : target.end])
    written = item[dynamic.start : dynamic.end]
    if not named or (kernel.template is not None and "<" not in named) or _CHANGES.search(written) or not call:
        return ()
    at = launch_statement(item, target.start)
    if at is None or (at.controlled is not None and b"#" in item[at.controlled : at.end]):
        return ()  # a brace might stand under an #if that the other is not under
    said = call.format(kernel=named, bytes=written.decode("utf-8", "replace").strip())
    line = _indent(item, at.start)
    if at.controlled is None:
        first = not item[item.rfind(b"\n", 0, at.start) + 1 : at.start].strip()
        return ((Place(target.item, at.start, at.start), f"{said}\n{line}" if first else f"{said} "),)
    outer, controlled = _indent(item, at.controlled), Place(target.item, at.controlled, at.start)
    inner = line if b"\n" in item[at.controlled : at.start] else outer + _INDENT
    between = item[at.controlled : at.start].rstrip(b" \t").decode("utf-8", "replace") if inner == line else "\n"
    closing = Place(target.item, at.end, at.end)
    return (controlled, f" {{{between}{inner}{said}\n{inner}"), (closing, f"\n{outer}}}")


def _indent(item: bytes, at: int) -> str:
    """Of the line that holds `at`."""
    line = item[item.rfind(b"\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())].decode()
