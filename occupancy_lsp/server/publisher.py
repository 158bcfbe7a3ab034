"""Tells the client what it did not ask for: diagnostics after a rest, problems of YAML files, refreshes."""

from __future__ import annotations

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.core.defects import attempt
from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.text import Text
from occupancy_lsp.server.convert import Converter
from occupancy_lsp.server.documents import Document
from occupancy_lsp.server.paths import to_uri

if TYPE_CHECKING:
    from occupancy_lsp.features.answers import Diagnostic
    from occupancy_lsp.server.state import ServerState
    from occupancy_lsp.session.project import Project
    from occupancy_lsp.session.view import Status

# Faults that are gone vanish after the first rest; new ones appear after the second, when the thought is typed out.
ANALYSE_AFTER = 0.075
SETTLE_AFTER = 0.35

_MAX_BYTES = 1 << 20
_SLICE = 0.02  # seconds of work on a document after which messages about others pass


def _keep(_: Document) -> None:
    """What opening a document made stays as long as it is open: a collection need not look through it at a key."""
    gc.freeze()


class Publisher:
    def __init__(self, server: ServerState, rest: Callable[[], None]) -> None:
        """`rest`: called when no document has been open for a while."""
        self._server = server
        self._rest = rest
        self._timers: dict[str, list[asyncio.TimerHandle]] = {}
        self._revisions = count(1)
        self._problems: dict[str, list[t.Diagnostic]] = {}
        self.status_wanted = False

    def opened(self, document: Document) -> None:
        from occupancy_lsp.session.view import too_large

        if not document.is_yaml and (why_not := too_large(document.text.content)):
            self._server.warn(f"occupancy: {document.path or document.uri} is not looked at: {why_not}")
        self._schedule(document, [(ANALYSE_AFTER, self._show), (SETTLE_AFTER, _keep)])

    def edited(self, document: Document) -> None:
        document.settled = False
        # A client that pulls looks at once.
        first = [] if self._server.client.pulls_diagnostics else [(ANALYSE_AFTER, self._show)]
        self._schedule(document, [*first, (SETTLE_AFTER, self._settle)])

    def closed(self, document: Document) -> None:
        gc.unfreeze()
        self._schedule(document, [])
        if not self._server.documents:
            # The first time, what lives on was made while memory was full, and keeps the megabyte around it.
            for delay in (SETTLE_AFTER, 3 * SETTLE_AFTER):
                asyncio.get_running_loop().call_later(delay, self._rest_where_none_is_open)
        if document.items and not self._server.client.pulls_diagnostics:
            self._push(document.uri, [])

    def _rest_where_none_is_open(self) -> None:
        if not self._server.documents:
            self._rest()

    async def ahead(self, document: Document, more: Callable[[], Iterator[None]] | None = None) -> bool:
        """Work out what a view of the document takes, in slices, between which other messages pass. False: the text is
        another now, or closed: who waits for it asks again. `more`: what else is worked out in steps."""
        text = document.text.content
        seen, steps = document.project.version, self._steps(document, more)
        until = time.monotonic() + _SLICE
        with self._server.looking_at(document, "diagnostics"):
            while attempt(partial(next, steps, True)) is None:
                if time.monotonic() < until:
                    continue
                await asyncio.sleep(0)
                until = time.monotonic() + _SLICE
                if document.text.content is not text or self._server.documents.get(document.uri) is not document:
                    return False
                if document.project.version != seen:  # it knows more
                    seen, steps = document.project.version, self._steps(document, more)
        return True

    def _steps(self, document: Document, more: Callable[[], Iterator[None]] | None) -> Iterator[None]:
        from occupancy_lsp.features.diagnostics import ahead

        yield from document.file.ahead()
        for view in document.views():
            yield from ahead(view)
        if more is not None:
            yield from more()

    def _show(self, document: Document) -> None:
        self._server.spawn(self._after_work_ahead(document, self.update))

    def _settle(self, document: Document) -> None:
        self._server.spawn(self._after_work_ahead(document, self.settle))

    async def _after_work_ahead(self, document: Document, step: Callable[[Document], object]) -> None:
        if await self.ahead(document):
            step(document)

    def settle(self, document: Document) -> None:
        document.settled = True
        if self.update(document) and self._server.client.pulls_diagnostics:
            self._server.workspace_diagnostic_refresh(None)

    def update(self, document: Document) -> bool:
        """Look again, and push what changed to a client that does not pull."""
        with self._server.looking_at(document, "diagnostics"):
            changed = attempt(lambda: self.look(document)) is True
        if changed and not self._server.client.pulls_diagnostics:
            self._push(document.uri, document.items, document.version)
        return changed

    def look(self, document: Document) -> bool:
        """Bring the document's diagnostics up to date. True: they changed."""
        from occupancy_lsp.features.diagnostics import diagnostics

        views, document.seen = document.views(), document.project.version
        if (views, document.settled) == document.looked_at:
            return False
        found = sorted((said for it in views for said in diagnostics(it)), key=lambda said: said.start)
        document.shown = persisting(found, document.shown) if found and not document.settled else found
        items = self._server.converter(document).diagnostics(document.shown)
        self.tell_status(document)
        document.looked_at = views, document.settled
        if items == document.items:
            return False
        document.items, document.revision = items, next(self._revisions)
        return True

    def refresh(self, projects: Collection[Project]) -> None:
        """What these projects know has changed: so may everything shown. Messages pass between two documents."""
        self._server.spawn(self._refresh([*projects]))

    async def _refresh(self, projects: Collection[Project]) -> None:
        for document in [*self._server.documents.values()]:
            if document.project in projects and self._server.documents.get(document.uri) is document:
                await self._after_work_ahead(document, self.update)
                await asyncio.sleep(0)
        self.publish_problems()
        if not projects:
            return
        if self._server.client.refreshes_hints:
            self._server.workspace_inlay_hint_refresh(None)
        if self._server.client.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None)
        if self._server.client.pulls_diagnostics:
            self._server.workspace_diagnostic_refresh(None)

    def publish_problems(self) -> None:
        """Faults of configuration files, on those files, open or not; the editor's own settings have none: a log."""
        found: dict[str, list[t.Diagnostic]] = {}
        for _, project in self._server.roots.items():
            for problem in project.problems():
                path = Path(problem.path)
                if not path.is_absolute():
                    self._server.warn(f"occupancy: {problem}")
                    continue
                uri, converter = self._place(path)
                item = converter.problem(problem)
                if item not in found.setdefault(uri, []):
                    found[uri].append(item)
        for uri in self._problems.keys() | found.keys():
            if self._problems.get(uri) != found.get(uri):
                self._push(uri, found.get(uri, []))
        if found != self._problems:
            self._problems = found

    def dispose(self) -> None:
        for timer in [timer for timers in self._timers.values() for timer in timers]:
            timer.cancel()

    def _schedule(self, document: Document, steps: list[tuple[float, Callable[[Document], object]]]) -> None:
        """These steps after a rest, instead of those that still wait."""
        for timer in self._timers.pop(document.uri, []):
            timer.cancel()
        loop = asyncio.get_running_loop()
        if steps:
            self._timers[document.uri] = [loop.call_later(delay, step, document) for delay, step in steps]

    def _place(self, path: Path) -> tuple[str, Converter]:
        document = next((d for d in self._server.documents.values() if d.path == path), None)
        if document:
            return document.uri, self._server.converter(document)
        text = Text(read_bytes(path, _MAX_BYTES) or b"")
        return to_uri(path), Converter(to_uri(path), 0, text, self._server.client)

    def _push(self, uri: str, items: list[t.Diagnostic], version: int | None = None) -> None:
        version = version if self._server.client.diagnostic_versions else None
        self._server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, items, version))

    def as_known(self, document: Document, status: Status | None) -> Status | None:
        """Before the build results are known, no kernel is said to lack a count."""
        return status if status is None or document.project in self._server.ready else replace(status, uncounted=0)

    def tell_status(self, document: Document) -> None:
        """Tell a client that has asked for it that it is another now."""
        view = document.view() if self.status_wanted else None
        status = self.as_known(document, view.status if view else None)
        if self.status_wanted and status != document.status:
            document.status = status
            self._server.protocol.notify("occupancy/statusChanged", {"uri": document.uri})


def persisting(found: Sequence[Diagnostic], shown: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Of what is found now, what was shown before: the same words first, then as many of the same code."""
    left = Counter(d.code for d in shown)
    words = {(d.code, d.message) for d in shown}
    kept = []
    for diagnostic in sorted(found, key=lambda d: (d.code, d.message) not in words):
        if left[diagnostic.code]:
            left[diagnostic.code] -= 1
            kept.append(diagnostic)
    return sorted(kept, key=lambda d: d.start)
