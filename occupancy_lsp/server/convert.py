"""Features answer in byte offsets, the protocol in positions. Only this module knows positions and encodings.

And whatever is shown goes through here: `markup` or `visible`, as a workspace may have put anything into a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.text import Encoding, Text
from occupancy_lsp.core.visible import visible
from occupancy_lsp.server.client import Client
from occupancy_lsp.server.paths import to_uri

if TYPE_CHECKING:
    from occupancy_lsp.core.problem import Problem
    from occupancy_lsp.features import answers
    from occupancy_lsp.features.prose import Prose

SOURCE = "occupancy"

_SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "information": t.DiagnosticSeverity.Information,
    "hint": t.DiagnosticSeverity.Hint,
}
_COMPLETION_KINDS = {
    "keyword": t.CompletionItemKind.Keyword,
    "value": t.CompletionItemKind.Value,
    "file": t.CompletionItemKind.File,
}


def offset(text: Text, position: t.Position, encoding: Encoding) -> int:
    return text.offset(position.line, position.character, encoding)


def span(text: Text, range_: t.Range, encoding: Encoding) -> tuple[int, int]:
    """Start and end in bytes, in this order whatever the client sent."""
    a, b = offset(text, range_.start, encoding), offset(text, range_.end, encoding)
    return min(a, b), max(a, b)


Place = tuple[str, int | None]  # a document's URI, and its version where it is open


def closed(path: Path) -> Place:
    return to_uri(path), None


@dataclass(frozen=True, slots=True)
class Converter:
    """One document's answers for one client. `place`: of another file."""

    uri: str
    version: int | None
    text: Text
    client: Client
    place: Callable[[Path], Place] = closed

    def position(self, at: int) -> t.Position:
        return t.Position(*self.text.position(at, self.client.encoding))

    def range(self, start: int, end: int) -> t.Range:
        return t.Range(self.position(start), self.position(end))

    def markup(self, prose: Prose) -> t.MarkupContent:
        if self.client.markdown:
            from occupancy_lsp.features.markdown import Reader, markdown

            reader = Reader(self.client.pictures, self.uri if self.client.runs else "", self.client.folds)
            return t.MarkupContent(t.MarkupKind.Markdown, markdown(prose, reader))
        from occupancy_lsp.features.plain import plain

        return t.MarkupContent(t.MarkupKind.PlainText, plain(prose))

    def hover(self, hover: answers.Hover) -> t.Hover:
        return t.Hover(self.markup(hover.prose), self.range(hover.start, hover.end))

    def hint(self, hint: answers.Hint, tooltip: Prose | None) -> t.InlayHint:
        return t.InlayHint(
            position=self.position(hint.offset),
            label=visible(hint.label),
            tooltip=self.markup(tooltip) if tooltip else None,
            padding_left=True,
            data={"uri": self.uri, "key": hint.key} if hint.key and not tooltip else None,
        )

    def lens(self, lens: answers.Lens) -> t.CodeLens:
        """In VS Code the panel is a view, which takes the line; elsewhere a text, which takes the kernel's name."""
        at, about = self.position(lens.at), [self.uri, lens.kernel]
        command, given = {
            "panel": ("occupancy.openPanel", [self.uri, at.line])
            if self.client.panel
            else ("occupancy.showPanel", about),
            "compile": ("occupancy.compileFile", [self.uri]),
            "bounds": ("occupancy.tryBounds", about),
        }[lens.does]
        return t.CodeLens(t.Range(at, at), t.Command(visible(lens.title), command, arguments=given))

    def location(self, spot: answers.Spot) -> t.Location:
        if not spot.path:
            return t.Location(self.uri, self.range(spot.start, spot.end))
        line = t.Position(spot.line, 0)
        return t.Location(self.place(Path(spot.path))[0], t.Range(line, line))

    def symbol(self, symbol: answers.Symbol) -> t.DocumentSymbol:
        whole, name = self.range(symbol.start, symbol.end), self.range(symbol.name_start, symbol.name_end)
        return t.DocumentSymbol(visible(symbol.name), t.SymbolKind.Function, whole, name, visible(symbol.detail))

    def flat_symbol(self, symbol: answers.Symbol) -> t.SymbolInformation:
        """For clients without a place for the figure."""
        where = t.Location(self.uri, self.range(symbol.name_start, symbol.name_end))
        return t.SymbolInformation(where, visible(symbol.name), t.SymbolKind.Function)

    def diagnostics(self, found: Iterable[answers.Diagnostic]) -> list[t.Diagnostic]:
        from occupancy_lsp.rules import help_url

        return [self._diagnostic(d, help_url(d.code)) for d in found]

    def _diagnostic(self, diagnostic: answers.Diagnostic, url: str | None) -> t.Diagnostic:
        related = [
            t.DiagnosticRelatedInformation(t.Location(self.uri, self.range(r.start, r.end)), visible(r.message))
            for r in diagnostic.related
        ]
        return t.Diagnostic(
            range=self.range(diagnostic.start, diagnostic.end),
            message=visible(diagnostic.message),
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            code_description=t.CodeDescription(url) if url else None,
            source=SOURCE,
            tags=[t.DiagnosticTag.Unnecessary] if diagnostic.unnecessary and self.client.tags else None,
            related_information=related if related and self.client.related_information else None,
        )

    def action(self, action: answers.Action, context: Sequence[t.Diagnostic]) -> t.CodeAction:
        answered = [d for d in context if action.code is not None and d.source == SOURCE and d.code == action.code]
        command, title, about = action.command, visible(action.title), [self.uri] if action.of_file else []
        return t.CodeAction(
            title=title,
            kind=t.CodeActionKind(action.kind),
            diagnostics=answered or None,
            is_preferred=action.preferred or None,
            edit=self.workspace_edit(action.edits) if action.edits else None,
            command=(
                t.Command(title, command[0], arguments=[*about, *command[1]]) if command else self._selecting(action)
            ),
            disabled=t.CodeActionDisabled(visible(action.disabled)) if action.disabled else None,
            data=None if action.edits or command or action.disabled else {"uri": self.uri, "key": action.key},
        )

    def _selecting(self, action: answers.Action) -> t.Command | None:
        """Runs once the edit is made: then the value is selected, and typing replaces it."""
        if action.value is None or not action.edits or not self.client.shows_documents:
            return None
        edit = action.edits[0]
        there = self._of_file(edit.file)
        start = there.position(edit.start)
        first = start.character + action.value  # what is written before it is ASCII
        place = [start.line, first, start.line, first + action.width]
        return t.Command("Select the value", "occupancy.select", arguments=[there.uri, *place])

    def workspace_edit(self, edits: Iterable[answers.Edit]) -> t.WorkspaceEdit:
        """A file that is not there yet is made first: only for clients that can."""
        found = [(file, [*its]) for file, its in groupby(edits, lambda e: e.file)]
        places = [
            (it := self._of_file(file), [t.TextEdit(it.range(e.start, e.end), e.new) for e in its])
            for file, its in found
        ]
        if not self.client.document_changes:
            return t.WorkspaceEdit(changes={it.uri: changes for it, changes in places})
        made = [self._of_file(file).uri for file, _ in found if file is not None and file.new]
        return t.WorkspaceEdit(
            document_changes=[
                *(t.CreateFile(uri, options=t.CreateFileOptions(ignore_if_exists=True)) for uri in made),
                *(
                    t.TextDocumentEdit(t.OptionalVersionedTextDocumentIdentifier(it.uri, it.version), changes)
                    for it, changes in places
                ),
            ]
        )

    def _of_file(self, file: answers.File | None) -> Converter:
        if file is None:
            return self
        uri, version = self.place(file.path)
        return replace(self, uri=uri, version=version, text=Text(file.content))

    def completion(self, completion: answers.Completion) -> t.CompletionItem:
        return t.CompletionItem(
            label=visible(completion.label),
            kind=_COMPLETION_KINDS[completion.kind],
            detail=visible(completion.detail) or None,
            text_edit=t.TextEdit(self.range(completion.start, completion.end), completion.new),
        )

    def problem(self, problem: Problem) -> t.Diagnostic:
        """From the fault to the end of its line; a problem counts lines and characters from 1, 0 is the whole file."""
        line = min(max(problem.line - 1, 0), self.text.line_count - 1)
        start = self.text.offset(line, max(problem.column - 1, 0), "utf-32")
        return t.Diagnostic(
            range=self.range(start, self.text.line_end(line)),
            message=visible("; ".join(filter(None, (problem.message, problem.remedy)))),
            severity=t.DiagnosticSeverity.Error if problem.grave else t.DiagnosticSeverity.Warning,
            code="occupancy-config",
            source=SOURCE,
        )


def key(data: object) -> str:
    """The key of the feature's answer, in what the client sent back."""
    found = data.get("key") if isinstance(data, Mapping) else None
    return found if isinstance(found, str) else ""


def uri(data: object) -> str:
    found = data.get("uri") if isinstance(data, Mapping) else None
    return found if isinstance(found, str) else ""


def wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Kinds are a hierarchy: who asks for `refactor` wants `refactor.rewrite` too."""
    return not only or any(o in ("", kind) or kind.startswith(f"{o}.") for o in only)
