"""A server in which nothing is open keeps nothing that lies between what it has let go of."""

from __future__ import annotations

import asyncio
import weakref

import pytest
from lsprotocol import types as t

from occupancy_lsp.server.conversation import converse
from occupancy_lsp.server.inbox import Inbox
from occupancy_lsp.server.server import Server


@pytest.mark.asyncio
async def test_what_waits_for_the_next_message_is_made_anew() -> None:
    server, inbox = Server(), Inbox()
    talking = converse(server, inbox)
    task = asyncio.ensure_future(talking)
    await _turns()
    waiting = talking.cr_await
    await _turns()
    assert talking.cr_await is waiting
    server.rest()
    await _turns()
    assert talking.cr_await is not waiting
    inbox.end()
    assert await task == 1


@pytest.mark.asyncio
async def test_what_was_made_for_types_of_messages_is_let_go() -> None:
    server = Server()
    made = weakref.ref(server.protocol._converter.get_unstructure_hook(t.InlayHintResponse))
    assert made() is not None
    server.rest()
    assert made() is None
    server.dispose()


async def _turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)
