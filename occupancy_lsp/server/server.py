"""The server: its state and the parts that act by themselves. What it answers is said in `wiring`."""

from __future__ import annotations

import gc
from collections.abc import Callable

from occupancy_lsp.core.memory import give_back
from occupancy_lsp.server.compiling import Compiling
from occupancy_lsp.server.earlier import LookingBack
from occupancy_lsp.server.protocol import Protocol
from occupancy_lsp.server.publisher import Publisher
from occupancy_lsp.server.state import ServerState
from occupancy_lsp.server.texts import Texts


def _nothing() -> None:
    pass


class Server(ServerState):
    protocol: Protocol

    def __init__(self, remote: bool = False) -> None:
        super().__init__(Protocol, remote)
        self.publisher = Publisher(self, self.rest)
        self.looking_back = LookingBack(self, self.publisher)
        self.texts = Texts(self)
        self.compiling = Compiling(self, self.publisher, self.looking_back, self.texts)
        self.rested: Callable[[], None] = _nothing  # called once memory was given back

    def rest(self) -> None:
        """No document is open: let go of what was made for those that were, and give the memory back.

        What stays of it, and be it small, keeps a megabyte: the functions that the converter has made for types of
        messages, or what waits for the next message.
        """
        for _root, project in self.roots.items():
            project.rest()
        self.protocol.rest()
        gc.unfreeze()
        give_back()
        self.rested()

    def dispose(self) -> None:
        """The client has left: let go of everything that would keep the process alive."""
        self.closing.set()
        self.publisher.dispose()
        self.texts.dispose()
        self.looking_back.dispose()
        self.protocol.dispose()
        self._readers.shutdown(wait=False, cancel_futures=True)
        for task in self._tasks:
            task.cancel()
