"""Progress bars of the client, which the user can cancel."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from occupancy_lsp.core.visible import visible

if TYPE_CHECKING:
    from occupancy_lsp.server.state import ServerState

_PATIENCE = 2.0


async def begin(ls: ServerState, title: str, percentage: int | None = None) -> str | None:
    """Open one; a client that does not answer gets none, and the work is done all the same."""
    token = str(uuid.uuid4())
    try:
        await asyncio.wait_for(ls.work_done_progress.create_async(token), _PATIENCE)
    except (asyncio.TimeoutError, JsonRpcException):
        return None
    ls.work_done_progress.begin(token, t.WorkDoneProgressBegin(visible(title), cancellable=True, percentage=percentage))
    return token
