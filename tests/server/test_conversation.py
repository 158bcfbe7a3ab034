"""What is made while a server starts is not looked through for garbage, and all that is made later is."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import pytest

from occupancy_lsp.server import conversation
from occupancy_lsp.server.conversation import converse
from occupancy_lsp.server.inbox import Inbox
from occupancy_lsp.server.server import Server


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    gc.unfreeze()  # what `tests/conftest.py` has frozen
    yield
    gc.enable()
    gc.freeze()


def test_nothing_is_collected_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "_START", 0.05)

    async def started() -> None:
        inbox = Inbox()
        talk = asyncio.ensure_future(converse(Server(), inbox))
        await asyncio.sleep(0)
        assert not gc.isenabled()
        while not gc.isenabled():
            await asyncio.sleep(0.01)
        assert gc.get_freeze_count()
        inbox.end()
        assert await talk == 1

    asyncio.run(asyncio.wait_for(started(), 30))


def test_what_a_client_leaves_at_once_is_collected() -> None:
    inbox = Inbox()
    inbox.end()
    assert asyncio.run(converse(Server(), inbox)) == 1
    assert gc.isenabled()
