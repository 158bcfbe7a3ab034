"""What becomes of the values that a person tries in the panel, in the source.

Aside from `panel`: which sizes the code supports may take a look at every file that launches the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.edits.resize import Resize, resizes, resizes_ahead
from occupancy_lsp.edits.resize.launched import EditContext, Refused
from occupancy_lsp.features.actions import Opened, edit_context
from occupancy_lsp.features.panel import Asked, kernel_of
from occupancy_lsp.features.size_titles import size_title
from occupancy_lsp.features.tried import read
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.session.view import View


@dataclass(frozen=True, slots=True)
class Apply:
    """The action of this `key` makes the changes; "": `title` says why there is none."""

    key: str
    title: str


def applicable(view: View, asked: Asked, opened: Opened | None = None) -> Apply | None:
    """None: nothing is changed, or nothing that can be tried. Only the size is the source's to choose as it stands."""
    index = kernel_of(view, asked)
    device = view.device_named(asked.device) if asked.device else view.device
    if index is None or device is None or view.reports[index].defect is not None:
        return None
    changes, _ = read(device, asked.changes)
    if not changes or view.reports[index].kernel.qualified != asked.kernel:
        return None
    words = view.reports[index].device.nouns
    if device is not view.device:
        return Apply("", f"Edits are offered for the file's own device, {view.reports[index].device.name}.")
    if set(changes) != {"group_size"}:
        return Apply("", f"Only a {words.group} size can be applied: the other values are up to compiler and code.")
    offered = resizes(_context(view, opened or {}), index)
    if isinstance(offered, Refused):
        return Apply("", f"The {words.group} size cannot be changed automatically: {offered.reason}.")
    size = changes["group_size"]
    found = next((it for it in offered if it.size == size), None)
    return Apply(f"size:{index}:{size}", size_title(found)) if found else Apply("", _instead(offered, words))


def ahead(view: View, asked: Asked, opened: Opened) -> Iterator[None]:
    """Look at each step at one size, for later."""
    if (index := kernel_of(view, asked)) is not None:
        yield from resizes_ahead(_context(view, opened), index)


def _context(view: View, opened: Opened) -> EditContext:
    """Kept for the next size that is typed: they are looked at all together."""
    asked = "edit context of the panel", frozenset(opened.items())
    return view.beside.ask(asked, lambda: edit_context(view, opened, sure=False))


def _instead(offered: list[Resize], words: Nouns) -> str:
    if not offered:
        return f"No other {words.group} size that the code surely supports does better."
    sizes = ", ".join(str(it.size) for it in offered)
    return f"Better {words.group} sizes that the code supports: {sizes}."
