"""What came of trying other bounds, told in a sentence; where the client has the panel, with what can be done next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.visible import visible

if TYPE_CHECKING:
    from occupancy_lsp.features.answers import Action
    from occupancy_lsp.server.documents import Document
    from occupancy_lsp.server.state import ServerState
    from occupancy_lsp.server.texts import Texts

_APPLY, _TABLE = "Apply", "Show Table"


def tell(ls: ServerState, texts: Texts, document: Document, kernel: str, said: str) -> None:
    table = _table(document, kernel) if ls.client.panel else ""
    if table:
        ls.spawn(_ask(ls, texts, document, kernel, said, table))
    else:
        ls.window_show_message(t.ShowMessageParams(t.MessageType.Info, visible(said)))


async def _ask(ls: ServerState, texts: Texts, document: Document, kernel: str, said: str, table: str) -> None:
    """The edit is made of the text as it stands when the user answers."""
    titles = [_APPLY] if _best(ls, document, kernel) is not None else []
    choices = [t.MessageActionItem(it) for it in (*titles, _TABLE)]
    params = t.ShowMessageRequestParams(t.MessageType.Info, visible(said), choices)
    answer = await ls.window_show_message_request_async(params)
    if answer is not None and answer.title == _TABLE:
        await texts.show(kernel, table)
    best = _best(ls, document, kernel) if answer is not None and answer.title == _APPLY else None
    if best is not None:
        edit = ls.converter(document).workspace_edit(best.edits)
        await ls.workspace_apply_edit_async(t.ApplyWorkspaceEditParams(edit, visible(best.title)))


def _table(document: Document, kernel: str) -> str:
    from occupancy_lsp.features.plain import plain
    from occupancy_lsp.features.trying import table_of

    view = attempt(document.view)
    return plain(table_of(view, kernel)) if view is not None and not isinstance(view, Defect) else ""


def _best(ls: ServerState, document: Document, kernel: str) -> Action | None:
    from occupancy_lsp.features.actions import edit_context
    from occupancy_lsp.features.trying import best_of

    view = attempt(document.view)
    if view is None or isinstance(view, Defect):
        return None
    return best_of(view, edit_context(view, ls.opened()), kernel)
