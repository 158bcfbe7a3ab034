"""What waits for its turn, and what nobody wants any more."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from occupancy_lsp.server import messages
from occupancy_lsp.server.inbox import Inbox

URI = "file:///nowhere/kernel.cu"
CANCELLED, OUTDATED = -32800, -32801


def request(number: int | str, method: str = "textDocument/hover", uri: str = URI) -> dict[str, Any]:
    return {"id": number, "method": method, "params": {"textDocument": {"uri": uri}}}


def edit(uri: str = URI) -> dict[str, Any]:
    return {"method": "textDocument/didChange", "params": {"textDocument": {"uri": uri}, "contentChanges": []}}


def cancel(number: object) -> dict[str, Any]:
    return {"method": "$/cancelRequest", "params": {"id": number}}


async def refused(*arrived: dict[str, Any]) -> dict[object, int]:
    """The requests that are not worked on, with the error that each is answered with."""
    inbox = Inbox()
    inbox.put(messages.read(json.dumps(message).encode()) for message in arrived)
    inbox.end()
    found, order = {}, []
    while message := await inbox.next():
        order.append(message.data)
        if message.refusal:
            found[message.id] = message.refusal.code
    assert order == [*arrived]
    return found


@pytest.mark.asyncio
async def test_of_a_burst_of_cancelled_requests_none_is_worked_on() -> None:
    burst = [message for n in range(4000) for message in (request(n), cancel(n))]
    assert await refused(*burst) == dict.fromkeys(range(4000), CANCELLED)


@pytest.mark.asyncio
async def test_a_cancellation_is_of_one_request() -> None:
    assert await refused(request(1), request("1"), request(2), cancel("1"), cancel(3)) == {"1": CANCELLED}
    assert await refused(cancel(1), request(1)) == {}
    assert await refused(request(1, "initialize"), cancel(1), request(2, "shutdown"), cancel(2)) == {}


@pytest.mark.asyncio
@pytest.mark.parametrize("number", [[1], {}, None, 1.5, True])
async def test_a_cancellation_of_no_request(number: object) -> None:
    assert await refused(request(1), cancel(number), {"method": "$/cancelRequest"}) == {}


@pytest.mark.asyncio
async def test_what_is_asked_again_after_an_edit_is_outdated() -> None:
    assert await refused(request(1), request(2), edit(), request(3), edit(), request(4)) == dict.fromkeys(
        (1, 2, 3), OUTDATED
    )


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "between",
    [[], [edit("file:///other.cu"), request(3)], [edit(), request(3, "textDocument/inlayHint")], [edit()]],
    ids=["nothing", "an edit elsewhere", "another question", "an edit and no question"],
)
async def test_what_is_still_of_use_is_answered(between: list[dict[str, Any]]) -> None:
    assert await refused(request(1), request(2), *between) == {}


@pytest.mark.asyncio
async def test_what_was_answered_is_forgotten() -> None:
    inbox = Inbox()
    for _ in range(3):
        inbox.put([messages.read(json.dumps(request(1)).encode())])
        message = await inbox.next()
        inbox.put([messages.read(json.dumps(cancel(1)).encode())])
        await inbox.next()
        assert message and not message.refusal


@pytest.mark.asyncio
async def test_who_sends_far_ahead_waits_for_room() -> None:
    inbox = Inbox()
    inbox.put(messages.read(b"{}") for _ in range(1500))
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(inbox.room(), 0.01)
    for _ in range(1500):
        await inbox.next()
    await inbox.room()


@pytest.mark.asyncio
async def test_nothing_is_worked_on_for_one_who_has_gone() -> None:
    inbox = Inbox()
    inbox.put([messages.read(json.dumps(request(1)).encode())])
    inbox.abandon()
    inbox.put([messages.read(json.dumps(request(2)).encode())])  # it was under way
    assert await inbox.next() is None
