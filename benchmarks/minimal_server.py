"""The smallest useful pygls server: what any language server in Python costs before it does anything."""

from __future__ import annotations

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer

server = LanguageServer("minimal", "0")


@server.feature(t.TEXT_DOCUMENT_DID_OPEN)
def opened(ls: LanguageServer, params: t.DidOpenTextDocumentParams) -> None:
    ls.text_document_publish_diagnostics(t.PublishDiagnosticsParams(params.text_document.uri, []))


@server.feature(t.TEXT_DOCUMENT_HOVER)
def hover(params: t.HoverParams) -> None:
    return None


@server.feature(t.TEXT_DOCUMENT_INLAY_HINT)
def hints(params: t.InlayHintParams) -> list[t.InlayHint]:
    return []


if __name__ == "__main__":
    server.start_io()
