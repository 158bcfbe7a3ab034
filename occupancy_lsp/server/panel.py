"""The panel's content, for the editors that can show it.

`occupancy/panel` {uri, position, kernel, device, beside, changes} -> the fields of `features.panel.Panel`, or null
where no kernel stands; all but uri may be left out. `occupancy/applicable` {uri, kernel, device, changes} -> {key,
title}, what becomes of the changes in the source, or null without any: it takes longer than the figure, and is asked
for once that is shown. `occupancy/apply` {uri, kernel, key} -> the WorkspaceEdit of it, or null where the document has
moved on. Other editors have the panel as a text: `show`.
`occupancy/state` {uri, kernel, key, value} -> {edit, fault}: the WorkspaceEdit that states what a person typed above
that kernel, or why it cannot. `occupancy/report` {uri, position} -> all that is known of the kernel there, as Markdown,
or null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcInvalidParams

from occupancy_lsp.core.visible import visible
from occupancy_lsp.server import convert

if TYPE_CHECKING:
    from occupancy_lsp.features.panel import Asked
    from occupancy_lsp.server.documents import Document
    from occupancy_lsp.server.server import Server
    from occupancy_lsp.session.view import View


def panel(ls: Server, document: Document, params: Any) -> dict[str, Any] | None:
    from occupancy_lsp.features.panel import panel

    asked = _asked(ls, document, params)
    if (view := _view(document, asked.offset, asked.kernel)) is None:
        return None
    found = panel(view, asked)
    return _shown(found) if found else None


def applicable(ls: Server, document: Document, params: Any) -> dict[str, Any] | None:
    from occupancy_lsp.features.panel_apply import applicable

    asked = _asked(ls, document, params)
    if (view := _view(document, asked.offset, asked.kernel)) is None:
        return None
    found = applicable(view, asked, ls.opened())
    return _shown(found) if found else None


def applicable_ahead(ls: Server, document: Document, params: Any) -> Iterator[None]:
    """What other sizes do, in steps."""
    from occupancy_lsp.features.panel_apply import ahead

    asked = _asked(ls, document, params)
    if (view := _view(document, asked.offset, asked.kernel)) is not None:
        yield from ahead(view, asked, ls.opened())


def ahead(ls: Server, document: Document, params: Any) -> Iterator[None]:
    """What the panel asks other files, in steps."""
    from occupancy_lsp.features.explain import ahead
    from occupancy_lsp.features.panel import kernel_of

    asked = _asked(ls, document, params)
    view = _view(document, asked.offset, asked.kernel)
    index = kernel_of(view, asked) if view is not None else None
    if view is not None and index is not None:
        yield from ahead(view, index)


def _view(document: Document, offset: int | None, kernel: str = "") -> View | None:
    """Of the kernel or the launch there, or else of the kernel of this name."""
    views = document.views_on_line(offset) if offset is not None else ()
    there = (it for it in views if offset is not None and kernel_at(it, offset) is not None)
    return next(there, None) or document.view_with(kernel)


def _asked(ls: Server, document: Document, params: Any) -> Asked:
    from occupancy_lsp.features.panel import Asked

    position = _position(params.get("position"))
    at = convert.offset(document.text, position, ls.client.encoding) if position else None
    kernel, device, beside = (str(params.get(key) or "") for key in ("kernel", "device", "beside"))
    changes = params.get("changes")
    return Asked(at, kernel, device, beside, changes if isinstance(changes, Mapping) else {})


def apply(ls: Server, document: Document, params: Any) -> t.WorkspaceEdit | None:
    from occupancy_lsp.features.actions import resolve

    key, kernel = str(params.get("key")), params.get("kernel")
    view = document.view_with(str(kernel))
    index = key.split(":")[1] if key.count(":") > 1 else ""
    reports = view.reports if view else ()
    # Kernels that came before it since have moved it on.
    same = index.isascii() and index.isdecimal() and int(index) < len(reports)
    if view is None or not same or reports[int(index)].kernel.qualified != kernel:
        return None
    found = resolve(view, key, ls.opened())
    return ls.converter(document).workspace_edit(found.edits) if found and found.edits else None


def state(ls: Server, document: Document, params: Any) -> dict[str, Any] | None:
    from occupancy_lsp.features.stating import stated

    if (view := document.view_with(str(params.get("kernel")))) is None:
        return None
    found = stated(view, *(str(params.get(key)) for key in ("kernel", "key", "value")))
    if isinstance(found, str):
        return {"edit": None, "fault": visible(found)}
    return {"edit": ls.converter(document).workspace_edit([found]), "fault": ""}


def show(ls: Server, *arguments: object) -> str | None:
    """[uri, kernel] of an open file: the panel of the kernel of this qualified name, or of that on this line, counted
    from 0, as a text; the editor opens it."""
    from occupancy_lsp.features.panel import Asked, panel
    from occupancy_lsp.features.panel_text import panel_text
    from occupancy_lsp.features.trying import kernels_at

    about, kernel = [*arguments, None, None][:2]
    document = ls.documents.get(about) if isinstance(about, str) else None
    views = document.views() if document and isinstance(kernel, str | int) else ()
    named = ((view, it) for view in views for it in kernels_at(view, kernel))  # type: ignore[arg-type]
    view, name = next(named, (None, ""))
    found = panel(view, Asked(None, name)) if view is not None else None
    if found is None:
        return None
    text = panel_text(found)
    ls.spawn(ls.texts.show(found.kernel, text))
    return text


def kernel_at(view: View, offset: int) -> int | None:
    from occupancy_lsp.features.panel import kernel_at

    return kernel_at(view, offset)


def report(ls: Server, document: Document, params: Any) -> str | None:
    from occupancy_lsp.features.explain import explain
    from occupancy_lsp.features.markdown import markdown
    from occupancy_lsp.features.prose import unlinked

    position = _position(params.get("position"))
    if position is None:
        return None
    offset = convert.offset(document.text, position, ls.client.encoding)
    if (view := _view(document, offset)) is None:
        return None
    index = kernel_at(view, offset)
    return markdown(unlinked(explain(view, index))) + "\n" if index is not None else None


def uri(params: Any) -> str:
    found = params.get("uri") if isinstance(params, Mapping) else None
    if not isinstance(found, str):
        raise JsonRpcInvalidParams("expected {uri}")
    return found


def _position(given: object) -> t.Position | None:
    numbers = [given.get(key) for key in ("line", "character")] if isinstance(given, Mapping) else []
    match numbers:
        case [int(line), int(character)] if line >= 0 and character >= 0:
            return t.Position(line, character)
    return None


def _shown(value: Any) -> Any:
    """What a dataclass has, its texts as they may be looked at."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list | tuple):
        return [_shown(it) for it in value]
    return {it.name: _shown(getattr(value, it.name)) for it in fields(value)} if is_dataclass(value) else value
