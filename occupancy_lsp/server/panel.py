"""The panel's content, for the editors that can show it.

`occupancy/panel` {uri, position, kernel, device, beside, changes} -> the fields of `features.panel.Panel`, or null
where no kernel stands; all but uri may be left out. `occupancy/apply` {uri, kernel, key} -> the WorkspaceEdit of what
the panel offers to apply, or null where the document has moved on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcInvalidParams

from occupancy_lsp.core.visible import visible
from occupancy_lsp.server import convert

if TYPE_CHECKING:
    from occupancy_lsp.server.documents import Document
    from occupancy_lsp.server.server import Server


def panel(ls: Server, document: Document, params: Any) -> dict[str, Any] | None:
    from occupancy_lsp.features.panel import Asked, panel

    if (view := document.view()) is None:
        return None
    position = _position(params.get("position"))
    at = convert.offset(document.text, position, ls.client.encoding) if position else None
    kernel, device, beside = (str(params.get(key) or "") for key in ("kernel", "device", "beside"))
    changes = params.get("changes")
    asked = Asked(at, kernel, device, beside, changes if isinstance(changes, Mapping) else {})
    found = panel(view, asked, ls.opened())
    return _shown(asdict(found)) if found else None


def apply(ls: Server, document: Document, params: Any) -> t.WorkspaceEdit | None:
    from occupancy_lsp.features.actions import resolve

    view, key, kernel = document.view(), str(params.get("key")), params.get("kernel")
    index = key.split(":")[1] if key.count(":") > 1 else ""
    reports = view.reports if view else ()
    # Kernels that came before it since have moved it on.
    same = index.isascii() and index.isdecimal() and int(index) < len(reports)
    if view is None or not same or reports[int(index)].kernel.qualified != kernel:
        return None
    found = resolve(view, key, ls.opened())
    return ls.converter(document).workspace_edit(found.edits) if found and found.edits else None


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
    """Texts as they may be looked at."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {key: _shown(it) for key, it in value.items()}
    return [_shown(it) for it in value] if isinstance(value, (list, tuple)) else value
