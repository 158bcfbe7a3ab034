"""An editor's session with the server, through pytest-lsp's client, which checks each message against the protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_lsp
from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

from .pipe import PATIENCE

pytestmark = pytest.mark.asyncio
URI = "file:///nowhere/session.cu"
FINE = "__global__ void __launch_bounds__(256) fine(float *x) { x[0] *= 2; }\n"
# More warps than any SM holds: OCC102.
HUGE = "__global__ void __launch_bounds__(1024, 4) huge(float *x) { x[0] *= 2; }\n"


def client_that_agrees() -> LanguageClient:
    client = make_test_lsp_client()
    for method in (t.CLIENT_REGISTER_CAPABILITY, t.WORKSPACE_INLAY_HINT_REFRESH):
        client.feature(method)(lambda params: None)
    return client


@pytest_lsp.fixture(
    config=ClientServerConfig([sys.executable, "-m", "occupancy_lsp", "serve", "--stdio"], client_that_agrees),
    scope="session",
    params=["visual_studio_code", "neovim", "emacs"],
)
async def client(lsp_client: LanguageClient, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    await lsp_client.initialize_session(t.InitializeParams(client_capabilities(request.param)))
    yield
    await lsp_client.shutdown_session()
    assert not lsp_client.messages


async def eventually(condition: Callable[[], bool]) -> None:
    async def wait() -> None:
        while not condition():
            await asyncio.sleep(0.02)

    await asyncio.wait_for(wait(), PATIENCE)


def open_document(client: LanguageClient, text: str) -> t.TextDocumentIdentifier:
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(URI, "cuda", 0, text)))
    return t.TextDocumentIdentifier(URI)


def position(text: str, word: str) -> t.Position:
    before = text[: text.index(word)]
    return t.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


def everything(text: str) -> t.Range:
    return t.Range(t.Position(0, 0), t.Position(text.count("\n"), 0))


async def test_hints(client: LanguageClient) -> None:
    text = FINE + HUGE
    document = open_document(client, text)
    hints = await client.text_document_inlay_hint_async(t.InlayHintParams(document, everything(text)))
    assert hints
    assert {hint.position.line for hint in hints} == {0, 1}
    first = t.Range(t.Position(0, 0), t.Position(1, 0))
    one = await client.text_document_inlay_hint_async(t.InlayHintParams(document, first))
    assert one
    assert {hint.position.line for hint in one} == {0}
    resolved = await client.inlay_hint_resolve_async(one[0])
    assert isinstance(resolved.tooltip, t.MarkupContent)
    assert resolved.label == one[0].label


async def test_hover(client: LanguageClient) -> None:
    document = open_document(client, FINE)
    hover = await client.text_document_hover_async(t.HoverParams(document, position(FINE, "fine")))
    assert hover
    assert hover.range == t.Range(position(FINE, "fine"), position(FINE, "(float"))
    assert isinstance(hover.contents, t.MarkupContent)
    assert hover.contents.kind is t.MarkupKind.Markdown
    assert await client.text_document_hover_async(t.HoverParams(document, position(FINE, "2;"))) is None


async def test_diagnostics_come_and_go(client: LanguageClient) -> None:
    document = open_document(client, FINE + HUGE)
    await eventually(lambda: bool(client.diagnostics.get(URI)))
    (diagnostic,) = client.diagnostics[URI]
    assert (diagnostic.code, diagnostic.source, diagnostic.range.start.line) == ("OCC102", "occupancy", 1)
    assert diagnostic.severity is t.DiagnosticSeverity.Warning
    assert diagnostic.code_description
    assert "OCC102" in diagnostic.code_description.href
    start = position(FINE + HUGE, "4)")
    mended = t.TextDocumentContentChangePartial(t.Range(start, t.Position(1, start.character + 1)), "2")
    client.text_document_did_change(t.DidChangeTextDocumentParams(t.VersionedTextDocumentIdentifier(1, URI), [mended]))
    await eventually(lambda: not client.diagnostics[URI])
    client.text_document_did_close(t.DidCloseTextDocumentParams(document))


async def test_a_closed_document_has_no_diagnostics(client: LanguageClient) -> None:
    document = open_document(client, HUGE)
    await eventually(lambda: bool(client.diagnostics.get(URI)))
    client.text_document_did_close(t.DidCloseTextDocumentParams(document))
    await eventually(lambda: not client.diagnostics[URI])


async def test_fixes(client: LanguageClient) -> None:
    document = open_document(client, HUGE)
    await eventually(lambda: bool(client.diagnostics.get(URI)))
    found = list(client.diagnostics[URI])
    where = t.Range(position(HUGE, "4)"), position(HUGE, "4)"))
    context = t.CodeActionContext(found, only=[t.CodeActionKind.QuickFix])
    actions = await client.text_document_code_action_async(t.CodeActionParams(document, where, context))
    assert actions
    fixes = [a for a in actions if isinstance(a, t.CodeAction)]
    assert {a.kind for a in fixes} == {t.CodeActionKind.QuickFix}
    assert any(list(a.diagnostics or []) == found for a in fixes)
    resolved = [a if a.edit or a.command else await client.code_action_resolve_async(a) for a in fixes]
    assert all(a.edit or a.command for a in resolved)


async def test_completion_in_a_directive(client: LanguageClient) -> None:
    text = "// occupancy: \n" + FINE
    document = open_document(client, text)
    found = await client.text_document_completion_async(t.CompletionParams(document, t.Position(0, 14)))
    assert isinstance(found, list)
    assert any(item.label.startswith("regs") for item in found)


async def test_devices_and_status(client: LanguageClient) -> None:
    open_document(client, FINE)
    devices = await client.protocol.send_request_async("occupancy/devices", None)
    assert {"id", "name", "vendor", "arch", "computeUnits", "unit"} == set(devices[0])
    status = await client.protocol.send_request_async("occupancy/status", {"uri": URI})
    assert status.device in {device["id"] for device in devices}
    assert status.name and status.arch and status.origin
