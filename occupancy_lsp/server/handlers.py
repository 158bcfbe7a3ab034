"""Answers to requests about one document: ask the feature, convert what it says.

The features are imported where they are used: parser and presets need not be loaded to answer `initialize`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.server import convert
from occupancy_lsp.server.documents import Document, key_of

if TYPE_CHECKING:
    from occupancy_lsp.features.answers import Hint
    from occupancy_lsp.server.server import Server


def hover(ls: Server, document: Document, params: t.HoverParams) -> t.Hover | None:
    offset = convert.offset(document.text, params.position, ls.client.encoding)
    if document.is_yaml:
        from occupancy_lsp.features import yaml_features

        answer = yaml_features.hover(document.path, document.text, offset)
    else:
        from occupancy_lsp.features.hover import hover

        answer = next((found for it in document.views() if (found := hover(it, offset))), None)
    return ls.converter(document).hover(answer) if answer else None


def hover_ahead(ls: Server, document: Document, params: t.HoverParams) -> Iterator[None]:
    """What a hover asks other files, in steps."""
    from occupancy_lsp.features.hover import ahead

    offset = convert.offset(document.text, params.position, ls.client.encoding)
    for it in document.views():
        yield from ahead(it, offset)


def inlay_hints(ls: Server, document: Document, params: t.InlayHintParams) -> list[t.InlayHint]:
    views = document.views()
    if not views or not views[0].settings.hints:
        return []
    from occupancy_lsp.features.hints import hints, tooltip

    converter, lazy = ls.converter(document), ls.client.resolves_tooltips
    span = convert.span(document.text, params.range, ls.client.encoding)
    document.in_sight = sum(span) // 2
    return [
        converter.hint(_keyed(index, it), None if lazy or it.key is None else tooltip(view, it.key))
        for index, view in enumerate(views)
        for it in hints(view, *span)
    ]


def _keyed(view: int, it: Hint) -> Hint:
    return replace(it, key=key_of(view, it.key)) if view and it.key is not None else it


def resolve_inlay_hint(ls: Server, document: Document, hint: t.InlayHint) -> t.InlayHint:
    view, key = document.keyed(convert.key(hint.data))
    if view:
        from occupancy_lsp.features.hints import tooltip

        if text := tooltip(view, key):
            hint.tooltip = ls.converter(document).markup(text)
    return hint


def resolve_inlay_hint_ahead(ls: Server, document: Document, hint: t.InlayHint) -> Iterator[None]:
    """What a hint's tooltip asks other files, in steps."""
    view, key = document.keyed(convert.key(hint.data))
    if view:
        from occupancy_lsp.features.hints import ahead

        yield from ahead(view, key)


def code_lenses(ls: Server, document: Document, params: t.CodeLensParams) -> list[t.CodeLens]:
    views = document.views()
    if not views or not views[0].settings.lenses:
        return []
    from occupancy_lsp.features.lenses import lenses

    converter = ls.converter(document)
    found = (it for view in views for it in lenses(view))
    # What compiles or writes a file for the editor to open is not for a client that came over the network.
    return [converter.lens(it) for it in found if not ls.remote or (it.does == "panel" and ls.client.panel)]


def definitions(ls: Server, document: Document, params: t.DefinitionParams) -> list[t.Location]:
    from occupancy_lsp.features.navigation import definitions

    offset, converter = convert.offset(document.text, params.position, ls.client.encoding), ls.converter(document)
    return [converter.location(it) for view in document.views() for it in definitions(view, offset)]


def references(ls: Server, document: Document, params: t.ReferenceParams) -> list[t.Location]:
    from occupancy_lsp.features.navigation import references

    offset, converter = convert.offset(document.text, params.position, ls.client.encoding), ls.converter(document)
    declaration = params.context.include_declaration
    return [converter.location(it) for view in document.views() for it in references(view, offset, declaration)]


def symbols(
    ls: Server, document: Document, params: t.DocumentSymbolParams
) -> list[t.DocumentSymbol] | list[t.SymbolInformation]:
    from occupancy_lsp.features.navigation import symbols

    converter = ls.converter(document)
    found = [it for view in document.views() for it in symbols(view)]
    if ls.client.nests_symbols:
        return [converter.symbol(it) for it in found]
    return [converter.flat_symbol(it) for it in found]


def code_actions(ls: Server, document: Document, params: t.CodeActionParams) -> list[t.CodeAction]:
    if not (views := document.views()):
        return []
    from occupancy_lsp.features.actions import actions

    span = convert.span(document.text, params.range, ls.client.encoding)
    found = [
        replace(it, key=key_of(index, it.key)) if index else it
        for index, view in enumerate(views)
        for it in actions(view, *span, ls.opened())
    ]
    offered = [
        ls.converter(document).action(a, params.context.diagnostics)
        for a in found
        if convert.wanted(a.kind, params.context.only)
        and (ls.client.creates_files or not a.creates)
        and (ls.client.disabled_actions or not a.disabled)
        # What is about the file compiles it, or writes a file for the editor to open.
        and not (a.of_file and ls.remote)
        and not (a.of_panel and not ls.client.panel)
        and not (a.opens_text and ls.client.panel)
        and not (a.asked and params.context.trigger_kind == t.CodeActionTriggerKind.Automatic)
    ]
    return offered if ls.client.resolves_edits else [resolve_code_action(ls, document, a) for a in offered]


def code_actions_ahead(ls: Server, document: Document, params: t.CodeActionParams) -> Iterator[None]:
    """What actions ask other files, in steps."""
    from occupancy_lsp.features.actions import ahead

    span = convert.span(document.text, params.range, ls.client.encoding)
    for it in document.views():
        yield from ahead(it, *span, ls.opened())


def resolve_code_action_ahead(ls: Server, document: Document, action: t.CodeAction) -> Iterator[None]:
    """What another size edits, in steps."""
    view, key = document.keyed(convert.key(action.data))
    if view and action.data and not action.edit:
        from occupancy_lsp.features.actions import resolve_ahead

        yield from resolve_ahead(view, key, ls.opened())


def resolve_code_action(ls: Server, document: Document, action: t.CodeAction) -> t.CodeAction:
    view, key = document.keyed(convert.key(action.data))
    if view and action.data and not action.edit:
        from occupancy_lsp.features.actions import resolve

        if resolved := resolve(view, key, ls.opened()):
            action.edit = ls.converter(document).workspace_edit(resolved.edits)
    return action


def completions(ls: Server, document: Document, params: t.CompletionParams) -> list[t.CompletionItem]:
    offset = convert.offset(document.text, params.position, ls.client.encoding)
    if document.is_yaml:
        from occupancy_lsp.features import yaml_features

        found = yaml_features.completions(document.path, document.text, offset)
    else:
        from occupancy_lsp.features.completion import completions

        view = document.view_at(offset)
        found = completions(view, offset) if view else []
    return [ls.converter(document).completion(c) for c in found]


def diagnostics(ls: Server, document: Document, params: t.DocumentDiagnosticParams) -> t.DocumentDiagnosticReport:
    ls.publisher.look(document)
    revision = str(document.revision)
    if params.previous_result_id == revision:
        return t.RelatedUnchangedDocumentDiagnosticReport(result_id=revision)
    return t.RelatedFullDocumentDiagnosticReport(items=document.items, result_id=revision)
