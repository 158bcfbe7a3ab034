"""Which handler answers what: the whole server in one table. What of it clients are told is said in `greeting`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from functools import partial, wraps
from typing import Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcContentModified

from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.server import commands, convert, events, handlers, panel
from occupancy_lsp.server.documents import Document, on_disk
from occupancy_lsp.server.paths import to_path
from occupancy_lsp.server.server import Server

_NO_DIAGNOSTICS = t.RelatedFullDocumentDiagnosticReport(items=[])


_Ahead = Callable[[Server, Document, Any], Iterator[None]]


def of_document(
    handler: Callable[[Server, Document, Any], Any], otherwise: Any = None, ahead: _Ahead | None = None
) -> Callable[[Server, Any], Any]:
    """A request about an open document. For any other, and where the handler fails, the answer is `otherwise`. `ahead`:
    the work that may take long, in steps."""
    return _guarded(handler, lambda params: params.text_document.uri, lambda params: otherwise, ahead)


def of_named(
    handler: Callable[[Server, Document, Any], Any], ahead: _Ahead | None = None
) -> Callable[[Server, Any], Any]:
    """A request beyond the protocol about an open document, which it names by `uri`; null for any other."""
    return _guarded(handler, panel.uri, lambda params: None, ahead)


def of_file(handler: Callable[[Server, Document, Any], Any], otherwise: Any = None) -> Callable[[Server, Any], Any]:
    """A request about a document that may not be open yet: Helix asks for hints first, and only once."""

    of_open = of_document(handler, otherwise)

    @wraps(handler)
    def answered(ls: Server, params: Any) -> Any:
        uri = params.text_document.uri
        unopened = None if uri in ls.documents else on_disk(uri, ls.roots.of(to_path(uri)))
        return _answer(handler, ls, unopened, params, otherwise) if unopened else of_open(ls, params)

    return answered


def of_resolved(
    handler: Callable[[Server, Document, Any], Any], ahead: _Ahead | None = None
) -> Callable[[Server, Any], Any]:
    """A request to complete an earlier answer, which comes back as it was where there is nothing to add."""
    return _guarded(handler, lambda item: convert.uri(item.data), lambda item: item, ahead)


def _guarded(
    handler: Callable[[Server, Document, Any], Any],
    uri: Callable[[Any], str],
    otherwise: Callable[[Any], Any],
    ahead: _Ahead | None = None,
) -> Callable[[Server, Any], Any]:
    @wraps(handler)
    def guarded(ls: Server, params: Any) -> Any:
        document = ls.documents.get(uri(params))
        if document is None:
            return otherwise(params)
        if document.is_yaml or not (document.awaits_a_look or ahead is not None):
            return _answer(handler, ls, document, params, otherwise(params))
        steps = partial(ahead, ls, document, params) if ahead is not None else None
        return _answer_later(handler, ls, document, params, otherwise(params), steps)

    return guarded


async def _answer_later(
    handler: Callable[[Server, Document, Any], Any],
    ls: Server,
    document: Document,
    params: Any,
    otherwise: Any,
    steps: Callable[[], Iterator[None]] | None,
) -> Any:
    """To look at a document for the first time, or anew because of other files, may take long: messages pass."""
    if not await ls.publisher.ahead(document, steps):
        raise JsonRpcContentModified
    return _answer(handler, ls, document, params, otherwise)


def _answer(
    handler: Callable[[Server, Document, Any], Any], ls: Server, document: Document, params: Any, otherwise: Any
) -> Any:
    with ls.looking_at(document, handler.__name__):
        answer = attempt(lambda: handler(ls, document, params))
    return otherwise if isinstance(answer, Defect) else answer


def background(handler: Callable[[Server, Any], Coroutine[Any, Any, None]]) -> Callable[[Server, Any], None]:
    """A notification whose handling waits for the client or for files; other messages pass it meanwhile."""

    @wraps(handler)
    def started(ls: Server, params: Any) -> None:
        ls.spawn(handler(ls, params))

    return started


TABLE: list[tuple[str, Callable[..., Any]]] = [
    (t.INITIALIZED, background(events.initialized)),
    (t.EXIT, events.exit_),
    (t.TEXT_DOCUMENT_DID_OPEN, events.did_open),
    (t.TEXT_DOCUMENT_DID_CHANGE, events.did_change),
    (t.TEXT_DOCUMENT_DID_CLOSE, events.did_close),
    (t.TEXT_DOCUMENT_DID_SAVE, background(events.did_save)),
    (t.WORKSPACE_DID_CHANGE_CONFIGURATION, background(events.did_change_configuration)),
    (t.WORKSPACE_DID_CHANGE_WATCHED_FILES, background(events.did_change_watched_files)),
    (t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, background(events.did_change_workspace_folders)),
    (t.TEXT_DOCUMENT_HOVER, of_document(handlers.hover, ahead=handlers.hover_ahead)),
    (t.TEXT_DOCUMENT_INLAY_HINT, of_file(handlers.inlay_hints, [])),
    (t.INLAY_HINT_RESOLVE, of_resolved(handlers.resolve_inlay_hint, handlers.resolve_inlay_hint_ahead)),
    (t.TEXT_DOCUMENT_CODE_LENS, of_document(handlers.code_lenses, [])),
    (t.TEXT_DOCUMENT_DEFINITION, of_document(handlers.definitions, [])),
    (t.TEXT_DOCUMENT_REFERENCES, of_document(handlers.references, [])),
    (t.TEXT_DOCUMENT_DOCUMENT_SYMBOL, of_document(handlers.symbols, [])),
    (t.TEXT_DOCUMENT_CODE_ACTION, of_document(handlers.code_actions, [], handlers.code_actions_ahead)),
    (t.CODE_ACTION_RESOLVE, of_resolved(handlers.resolve_code_action, handlers.resolve_code_action_ahead)),
    (t.TEXT_DOCUMENT_COMPLETION, of_document(handlers.completions, [])),
    (t.TEXT_DOCUMENT_DIAGNOSTIC, of_document(handlers.diagnostics, _NO_DIAGNOSTICS)),
    ("occupancy/status", commands.status),
    ("occupancy/devices", commands.devices),
    ("occupancy/about", commands.about),
    ("occupancy/detect", commands.detect),
    ("occupancy/rules", commands.rules),
    ("occupancy/compiler", commands.compiler),
    ("occupancy/panel", of_named(panel.panel)),
    ("occupancy/applicable", of_named(panel.applicable, panel.applicable_ahead)),
    ("occupancy/apply", of_named(panel.apply)),
    ("occupancy/state", of_named(panel.state)),
    ("occupancy/report", of_named(panel.report, panel.ahead)),
]

COMMANDS: list[tuple[str, Callable[..., Any]]] = [
    ("occupancy.selectDevice", commands.select_device),
    ("occupancy.select", commands.select),
    ("occupancy.compileFile", commands.compile_file),
    ("occupancy.compileWorkspace", commands.compile_workspace),
    ("occupancy.tryBounds", commands.try_bounds),
    ("occupancy.showCompilation", commands.show_compilation),
    ("occupancy.showPanel", panel.show),
]


def create_server(remote: bool = False) -> Server:
    server = Server(remote)
    for method, handler in TABLE:
        server.feature(method)(handler)
    for name, command in COMMANDS:
        server.command(name)(command)
    return server
