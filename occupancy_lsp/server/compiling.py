"""When files are compiled: opened, saved, at rest or of the workspace, as the user's own settings say; or when asked.

Settings of a workspace have no say in it, nor has a client of the network.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.server import tried
from occupancy_lsp.server.compile_queue import CompileQueue, Wish

if TYPE_CHECKING:
    from occupancy_lsp.counts.usage import Reading
    from occupancy_lsp.server.documents import Document
    from occupancy_lsp.server.earlier import LookingBack
    from occupancy_lsp.server.publisher import Publisher
    from occupancy_lsp.server.state import ServerState
    from occupancy_lsp.server.texts import Texts
    from occupancy_lsp.session.compilations import Compilation
    from occupancy_lsp.session.project import Project
    from occupancy_lsp.session.trials import Trial

_REST = 2.0  # seconds without a key
_AT_REST = ("on", "workspace")  # the settings by which a text is compiled without being saved
_SHOWN_AFTER = 5.0  # seconds that the counts of files which nobody has open may wait for others
_MOST_BYTES = 2_000_000


class Compiling:
    def __init__(self, ls: ServerState, publisher: Publisher, looking_back: LookingBack, texts: Texts) -> None:
        self._ls = ls
        self._texts = texts
        self._publisher = publisher
        self._looking_back = looking_back
        self._queue = CompileQueue(ls, self._gather, self._told, self._show)
        self._unshown: dict[Project, list[tuple[Path, Reading]]] = {}
        self._showing: asyncio.TimerHandle | None = None
        self._counted: dict[str, Document] = {}  # open ones that were compiled as they are on disk
        self._resting: dict[str, asyncio.TimerHandle] = {}
        self._compiled: dict[str, Compilation] = {}  # the last that went well of an open document, by URI
        self._trials: dict[Path, Trial] = {}  # of other bounds, that compilers are at
        self._slow: dict[Path, Compilation] = {}  # what took too long as a whole
        self._together: dict[Path, frozenset[str]] = {}  # kernels that do not compile alone, of open documents

    # -- when

    def ready(self, projects: Iterable[Project]) -> None:
        """The settings and the build results of these are known now, so what has no count is known as well."""
        for project in projects:
            self._ls.ready.add(project)
            if project.settings.compile == "off":
                self._queue.drop_unasked_of(project)
            for document in self._ls.documents.values():
                if document.project is project:
                    self.opened(document)
                    self._publisher.tell_status(document)
            self._all_of(project)

    def opened(self, document: Document) -> None:
        if document.project in self._ls.ready and self._allowed(document.project, "on", "workspace"):
            self._wish(document)

    def saved(self, document: Document) -> None:
        self._rest_no_more(document)
        if self._allowed(document.project, "on-save", "on", "workspace"):
            self._wish(document)

    def edited(self, document: Document) -> None:
        """Not yet: once the text has rested."""
        if document.project.settings.compile not in _AT_REST:
            return
        self._rest_no_more(document)
        if document.path:
            self._queue.drop_quiet(document.path)
        loop = asyncio.get_running_loop()
        self._resting[document.uri] = loop.call_later(_REST, self._rested, document)

    def closed(self, document: Document) -> None:
        self._rest_no_more(document)
        last = self._compiled.pop(document.uri, None)
        self._together.pop(document.path or Path(), None)
        if document.path is None or not document.unsaved:
            return
        self._queue.drop(document.path)
        if last is not None and last.text is not None:  # that text is nowhere any more
            document.project.forget_compiled(document.path)
        if self._allowed(document.project, "workspace"):
            self._queue.add([Wish(document.project, document.path, soon=False)])

    def asked(self, document: Document) -> None:
        """By the user, which is leave enough."""
        if self._is_local():
            self._wish(document, asked=True)

    def asked_for_all(self, projects: Iterable[Project]) -> None:
        if self._is_local():
            for project in projects:
                self._all_of(project, asked=True)

    def asked_to_try(self, document: Document, kernels: Sequence[str]) -> None:
        """Other bounds, on each of these; by the user as well."""
        if self._is_local() and document.path and not document.is_yaml and kernels:
            self._queue.add([Wish(document.project, document.path, tries=tuple(kernels), counts=False)])

    async def described(self, document: Document) -> str | None:
        """How the file is compiled, or a source that includes it. None: it is not."""
        from occupancy_lsp.session.compilations import missing_counts, units_of
        from occupancy_lsp.workspace.walk import is_unit

        if document.path is None or not self._is_local() or not (view := document.view()):
            return None
        is_own = is_unit(document.path)
        sources = [document.path] if is_own else units_of(document.path, document.project)[:1]
        wanted = [it for source in sources for it in missing_counts(view, document.project, source, every=True)]
        results = document.project.results
        texts = [await asyncio.to_thread(it.described, results.outcome(it.source, it.device.arch.id)) for it in wanted]
        return "\n".join(texts) or None

    def changed(self, paths: Iterable[Path]) -> None:
        """These files did, on disk: sources, and headers of sources. An open one is compiled when it is saved."""
        from occupancy_lsp.session.compilations import units_of
        from occupancy_lsp.workspace.walk import is_source, is_unit

        for path in filter(lambda it: is_source(it.name), paths):
            project = self._ls.roots.of(path)
            if project in self._ls.ready and self._allowed(project, "on", "workspace"):
                units = [path] if is_unit(path) else units_of(path, project)
                opened = {it for it in units if self._open(it)}
                wanted = opened if project.settings.compile == "on" else units
                self._queue.add(Wish(project, it, soon=it in opened) for it in wanted if it != path or it not in opened)

    def _all_of(self, project: Project, asked: bool = False) -> None:
        from occupancy_lsp.session.compilations import of_workspace

        if asked or self._allowed(project, "workspace"):
            self._queue.add(Wish(project, path, soon=False) for path in of_workspace(project))

    def _rested(self, document: Document) -> None:
        from occupancy_lsp.session.view import lacks_count
        from occupancy_lsp.workspace.walk import is_unit

        del self._resting[document.uri]
        # A header is compiled with a source that includes it, and so from the disk.
        if document.path is None or not is_unit(document.path) or not self._allowed(document.project, *_AT_REST):
            return
        view = attempt(document.view)
        if view is None or isinstance(view, Defect):
            return
        last = self._compiled.get(document.uri)
        # Templates of which there is no instance have no count, however often they are compiled.
        known = last.fingerprints if last else {}
        lacking = [it.kernel for it in view.reports if lacks_count(it)]
        if any(known.get(it.qualified) != view.source.kernel_fingerprint(it) for it in lacking):
            self._wish(document, quiet=True)

    def _rest_no_more(self, document: Document) -> None:
        if timer := self._resting.pop(document.uri, None):
            timer.cancel()

    def _wish(self, document: Document, quiet: bool = False, asked: bool = False) -> None:
        if document.path and not document.is_yaml:
            self._queue.add([Wish(document.project, document.path, True, quiet, asked)])

    def _allowed(self, project: Project, *modes: str) -> bool:
        return project.settings.compile in modes and self._is_local()

    def _is_local(self) -> bool:
        if self._ls.remote:
            self._ls.warn("occupancy: compile is left off: a client of the network may not start programs")
        return not self._ls.remote

    # -- what

    def _gather(self, wish: Wish) -> Iterator[Compilation]:
        document = self._open(wish.path)
        if document is not None:
            for kernel in wish.tries:
                yield from self._of_trial(document, kernel)
                self._queue.tried(wish.path, kernel)
        if not wish.counts:
            return
        if document is None:
            yield from self._of_file(wish)
            return
        if wish.quiet:
            yield from self._of_kernels(document)
        yield from self._of_document(document, wish.asked)

    def _of_trial(self, document: Document, kernel: str) -> Iterator[Compilation]:
        """Its ladder is shown once all of it is known; what is cancelled leaves nothing."""
        from occupancy_lsp.features.actions import edit_context
        from occupancy_lsp.features.trying import begun, told

        assert document.path is not None
        with self._ls.looking_at(document, "trying bounds"):
            view = attempt(document.view)
        if view is None or isinstance(view, Defect):
            return
        made = begun(view, document.project, kernel, edit_context(view, self._ls.opened()))
        if not isinstance(made, str):
            self._trials[document.path] = made
            try:
                yield from made
            finally:
                del self._trials[document.path]
            if made.ladder is not None:
                document.file.tried(made.ladder)
        now = attempt(document.view)
        now = None if isinstance(now, Defect) else now
        tried.tell(self._ls, self._texts, document, kernel, told(kernel, made, now))

    def _of_kernels(self, document: Document) -> Iterator[Compilation]:
        """Those that were edited; what they then still lack, the whole of the file may tell."""
        from occupancy_lsp.session.compilations import kernels_alone

        view = attempt(document.view)
        if view is not None and not isinstance(view, Defect):
            text = document.text.content if document.unsaved else None
            known = self._together.get(document.path, frozenset()) if document.path else frozenset()
            yield from (it for it in kernels_alone(view, document.project, text) if not it.only & known)

    def _of_document(self, document: Document, asked: bool) -> Iterator[Compilation]:
        """A header's kernels are looked for in one source after the other that includes it, until all have counts; so
        are those of a source that others include, if it tells nothing by itself."""
        from occupancy_lsp.session.compilations import missing_counts, sources_with, units_of
        from occupancy_lsp.workspace.walk import is_unit

        if document.path is None:
            return
        is_own = is_unit(document.path)
        for source in (sources_with if is_own else units_of)(document.path, document.project):
            with self._ls.looking_at(document, "compiling"):
                view = attempt(document.view)
            if view is None or isinstance(view, Defect) or not view.facts.kernels:
                return
            text = document.text.content if source == document.path and document.unsaved else None
            if is_own and source != document.path and any(it.counted for it in view.reports):
                return
            for it in missing_counts(view, document.project, source, text, every=asked):
                yield it
                if self._slow.pop(source, None) is not None:
                    yield from self._in_turn(document, it)

    def _in_turn(self, document: Document, of: Compilation) -> Iterator[Compilation]:
        """A few kernels at a time, the nearest to what is in sight first; then all, if some still lack a count."""
        from occupancy_lsp.session.compilations import in_turn, lacking_counts, lacks_counts
        from occupancy_lsp.session.view import View

        view = attempt(document.view)
        if not isinstance(view, View):
            return
        lacking = lacking_counts(view, of.device)
        own = [it for it in view.facts.kernels if it.qualified in lacking and view.source.holds(it.name_place)]
        far = {it.qualified: abs(view.span(it.name_place)[0] - document.in_sight) for it in own}
        yield from in_turn(
            of, sorted(far, key=far.__getitem__), lambda it: it in self._together.get(of.source, frozenset())
        )
        view = attempt(document.view)
        if isinstance(view, View) and lacks_counts(view, of.device):
            yield replace(of, seconds=math.inf)

    def _of_file(self, wish: Wish) -> Iterator[Compilation]:
        from occupancy_lsp.session.compilations import uncounted

        found = read_file(wish.path, _MOST_BYTES)
        if isinstance(found, Content):
            yield from uncounted(wish.path, found.data, wish.project)

    def _told(self, wish: Wish, of: Compilation, reading: Reading) -> None:
        from occupancy_lsp.compile.errors import took_too_long

        if trial := self._trials.get(wish.path):
            trial.take(reading)
            if not (of.fingerprints and reading.usages):  # else the kernel as it stands had no count, and has one now
                return
        if of.seconds < math.inf and took_too_long(reading.problems):
            self._slow[of.source] = of  # it goes on a few kernels at a time
            if not reading.usages:
                return
        if not wish.quiet:
            for problem in reading.problems:
                self._ls.log(t.MessageType.Info, str(problem))
        if not reading.usages and (wish.quiet or not reading.problems):
            if of.only:
                self._together[of.source] = self._together.get(of.source, frozenset()) | of.only
            return
        document = self._open(of.source)
        if document is not None and reading.usages:
            self._compiled[document.uri] = of
        if of.text is not None:
            if document is None or document.project is not wish.project:
                return  # closed meanwhile: that text is nowhere any more
            document.file.compiled(reading, of.fingerprints)
        if of.only:
            self._together[of.source] = self._together.get(of.source, frozenset()) - of.only
            reading = wish.project.results.with_others(of.source, reading, of.only)
        self._unshown.setdefault(wish.project, []).append((of.source, reading))
        if of.text is None and document is not None:
            self._counted[document.uri] = document
        if wish.soon:
            self._show()
        elif self._showing is None:
            self._showing = asyncio.get_running_loop().call_later(_SHOWN_AFTER, self._show)

    def _show(self) -> None:
        """What compilers have told since; each time all open documents are looked at."""
        if self._showing is not None:
            self._showing.cancel()
        unshown, self._unshown, self._showing = self._unshown, {}, None
        for project, readings in unshown.items():
            project.take_compiled(readings)
        counted, self._counted = self._counted, {}
        for document in counted.values():
            self._looking_back.look(document)
        if unshown and not self._ls.closing.is_set():
            self._publisher.refresh([*unshown])

    def _open(self, path: Path) -> Document | None:
        return next((it for it in self._ls.documents.values() if it.path == path), None)
