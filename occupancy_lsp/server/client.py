"""What the client can do, read from its capabilities once."""

from __future__ import annotations

from collections.abc import Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.text import Encoding


@dataclass(frozen=True, slots=True)
class Client:
    """Read from the raw JSON: a capability of a newer protocol version must not make `initialize` fail."""

    encoding: Encoding = "utf-16"
    markdown: bool = False
    pulls_diagnostics: bool = False
    related_information: bool = False
    tags: bool = False
    diagnostic_versions: bool = False
    refreshes_hints: bool = False
    refreshes_lenses: bool = False
    nests_symbols: bool = False
    resolves_tooltips: bool = False
    resolves_edits: bool = False
    disabled_actions: bool = False
    document_changes: bool = False
    creates_files: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    registers_watchers: bool = False
    relative_patterns: bool = False
    progress: bool = False
    shows_documents: bool = False
    pictures: bool = False  # in Markdown, as data URIs
    runs: bool = False  # commands, by links in Markdown
    folds: bool = False  # parts of Markdown, by <details>
    panel: bool = False  # has the command occupancy.openPanel

    @classmethod
    def of(cls, capabilities: object) -> Client:
        def at(path: str) -> object:
            value = capabilities
            for key in path.split("."):
                value = value.get(key) if isinstance(value, Mapping) else None
            return value

        def listed(path: str, item: str) -> bool:
            value = at(path)
            return isinstance(value, list) and item in value

        return cls(
            encoding=_encoding(at("general.positionEncodings")),
            markdown=listed("textDocument.hover.contentFormat", "markdown"),
            # A client that pulls but cannot be told to pull again would miss every change on disk: push to it.
            pulls_diagnostics=at("textDocument.diagnostic") is not None
            and at("workspace.diagnostics.refreshSupport") is True,
            related_information=at("textDocument.publishDiagnostics.relatedInformation") is True,
            tags=at("textDocument.publishDiagnostics.tagSupport") is not None,
            diagnostic_versions=at("textDocument.publishDiagnostics.versionSupport") is True,
            refreshes_hints=at("workspace.inlayHint.refreshSupport") is True,
            refreshes_lenses=at("workspace.codeLens.refreshSupport") is True,
            nests_symbols=at("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport") is True,
            resolves_tooltips=listed("textDocument.inlayHint.resolveSupport.properties", "tooltip"),
            resolves_edits=listed("textDocument.codeAction.resolveSupport.properties", "edit")
            and at("textDocument.codeAction.dataSupport") is True,
            disabled_actions=at("textDocument.codeAction.disabledSupport") is True,
            document_changes=at("workspace.workspaceEdit.documentChanges") is True,
            creates_files=listed("workspace.workspaceEdit.resourceOperations", "create")
            and at("workspace.workspaceEdit.documentChanges") is True,
            configuration=at("workspace.configuration") is True,
            registers_configuration=at("workspace.didChangeConfiguration.dynamicRegistration") is True,
            registers_watchers=at("workspace.didChangeWatchedFiles.dynamicRegistration") is True,
            relative_patterns=at("workspace.didChangeWatchedFiles.relativePatternSupport") is True,
            progress=at("window.workDoneProgress") is True,
            shows_documents=at("window.showDocument.support") is True,
            pictures=at("experimental.occupancyPictures") is True,
            runs=at("experimental.occupancyCommands") is True,
            folds=all(listed("general.markdown.allowedTags", it) for it in ("details", "summary")),
            panel=at("experimental.occupancyPanel") is True,
        )


def _encoding(offered: object) -> Encoding:
    """Documents are kept in UTF-8: where the client can count in it, no column needs converting."""
    known: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
    return next((e for e in known if isinstance(offered, list) and e in offered), "utf-16")
