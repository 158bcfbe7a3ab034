"""What has arrived and waits for its turn. All of it is read before work starts: nobody works on what is not wanted."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Iterable

from lsprotocol import types as t
from pygls.exceptions import JsonRpcContentModified, JsonRpcRequestCancelled

from occupancy_lsp.server.messages import Id, Message, is_id

# Asked again after an edit, the earlier answer is of no use: a client asks for these as long as it shows the document.
_ASKED_ANEW = (
    t.TEXT_DOCUMENT_HOVER,
    t.TEXT_DOCUMENT_INLAY_HINT,
    t.TEXT_DOCUMENT_CODE_ACTION,
    t.TEXT_DOCUMENT_COMPLETION,
    t.TEXT_DOCUMENT_DIAGNOSTIC,
)
# Whatever the client thinks better of, its session begins and ends as it said.
_NEVER_CANCELLED = (t.INITIALIZE, t.SHUTDOWN)
_ROOM = 1000


class Inbox:
    """Messages in the order of their arrival. A request that the client cancels while it waits is refused, and so is
    one about a document that was edited since, if the client has asked the same again.

    An edit alone outdates nothing: the protocol wants the answer, as it may still be of use.
    """

    def __init__(self) -> None:
        self._waiting: deque[Message] = deque()
        self._requests: dict[Id, Message] = {}
        self._edits: Counter[str] = Counter()
        self._asked: dict[tuple[str, str], tuple[int, list[Message]]] = {}
        self._ended = self._abandoned = False
        self._arrival = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, messages: Iterable[Message]) -> None:
        for message in () if self._abandoned else messages:
            self._waiting.append(message)
            if not message.refusal:
                self._note(message)
        self._arrival.set()
        if len(self._waiting) > _ROOM:
            self._room.clear()

    def end(self) -> None:
        """Nothing more will come."""
        self._ended = True
        self._arrival.set()
        self._room.set()

    def abandon(self) -> None:
        """Nobody is there any more to hear an answer, also to what has not arrived yet."""
        self._abandoned = True
        self._waiting.clear()
        self.end()

    def wait_anew(self) -> None:
        """Whoever waits for a message starts again: what that takes was made when the last one came."""
        self.put([Message({})])  # an answer that nobody waits for

    async def room(self) -> None:
        """Wait while more is waiting than a client should send ahead."""
        await self._room.wait()

    async def next(self) -> Message | None:
        """The next message; None: there will be none."""
        if self._waiting:
            await asyncio.sleep(0)  # what has arrived meanwhile is read first, and timers have their turn
        while not self._waiting:
            if self._ended:
                return None
            self._arrival.clear()
            await self._arrival.wait()
        message = self._waiting.popleft()
        if not self._waiting:
            self._requests.clear()
            self._edits.clear()
            self._asked.clear()
            self._room.set()
        return message

    def _note(self, message: Message) -> None:
        if message.method == t.CANCEL_REQUEST:
            self._cancel(message)
        elif message.id is not None and message.method not in _NEVER_CANCELLED:
            self._requests[message.id] = message
        uri = message.document
        if uri is None:
            return
        if message.method == t.TEXT_DOCUMENT_DID_CHANGE:
            self._edits[uri] += 1
        elif message.method in _ASKED_ANEW and message.id is not None:
            self._outdate(message, uri)

    def _cancel(self, message: Message) -> None:
        params = message.data.get("params")
        wanted = params.get("id") if isinstance(params, dict) else None
        if is_id(wanted) and (request := self._requests.get(wanted)):
            request.refusal = JsonRpcRequestCancelled()

    def _outdate(self, message: Message, uri: str) -> None:
        """Refuse what asked the same of an earlier text."""
        edits, asked = self._asked.get((message.method, uri), (-1, []))
        if edits == self._edits[uri]:
            asked.append(message)
            return
        for earlier in asked:
            earlier.refusal = earlier.refusal or JsonRpcContentModified()
        self._asked[message.method, uri] = self._edits[uri], [message]
