"""Notifications: what happened in the editor or on disk, and what follows from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.server import background, configuration, scanning, watching
from occupancy_lsp.server.documents import Document
from occupancy_lsp.server.paths import home, to_path

if TYPE_CHECKING:
    from occupancy_lsp.server.server import Server
    from occupancy_lsp.session.project import Project

# What a project takes, in parts between which messages pass.
_LOADED = [
    f"occupancy_lsp.{it}"
    for it in ("source.sema.scope", "source.kernels.kernel", "workspace.importers", "session.project")
]


def did_open(ls: Server, params: t.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    if already := ls.documents.get(item.uri):
        ls.publisher.closed(already)  # what the client shows of it would stay
    ls.documents[item.uri] = document = Document(item, ls.roots.of(home(item.uri)))
    ls.publisher.opened(document)
    ls.compiling.opened(document)
    ls.looking_back.look(document)


def did_change(ls: Server, params: t.DidChangeTextDocumentParams) -> None:
    if document := ls.documents.get(params.text_document.uri):
        document.change(params.content_changes, params.text_document.version, ls.client.encoding)
        ls.publisher.edited(document)
        ls.compiling.edited(document)


def did_close(ls: Server, params: t.DidCloseTextDocumentParams) -> None:
    if document := ls.documents.pop(params.text_document.uri, None):
        ls.publisher.closed(document)
        ls.compiling.closed(document)
        document.close()


async def did_save(ls: Server, params: t.DidSaveTextDocumentParams) -> None:
    if document := ls.documents.get(params.text_document.uri):
        document.saved()
        if await ls.publisher.ahead(document):
            ls.publisher.settle(document)
        ls.compiling.saved(document)
        ls.looking_back.look(document)
    if path := to_path(params.text_document.uri):
        await watching.changed(ls, [path])
    if not ls.client.registers_watchers:
        # Nobody tells when a build has written its log: a save is the best moment to look.
        await scanning.scan(ls, _folders(ls), quiet=True)


async def did_change_watched_files(ls: Server, params: t.DidChangeWatchedFilesParams) -> None:
    await watching.changed(ls, [path for change in params.changes if (path := to_path(change.uri))])


async def initialized(ls: Server, params: t.InitializedParams) -> None:
    if ls.client.registers_configuration:
        options = t.DidChangeConfigurationRegistrationOptions(configuration.SECTION)
        item = t.Registration("occupancy-settings", t.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
        ls.client_register_capability(t.RegistrationParams([item]))
    for it in _LOADED:
        import_module(it)
        await asyncio.sleep(0)
    background.attend(ls, _folders(ls))
    watching.watch(ls)
    ls.publisher.publish_problems()
    ls.publisher.refresh(await configuration.pull(ls))
    await scanning.scan(ls, _folders(ls))
    projects = [project for _, project in ls.roots.items()]
    ls.compiling.ready(projects)
    ls.looking_back.ready(projects)


async def did_change_configuration(ls: Server, params: t.DidChangeConfigurationParams) -> None:
    if ls.client.configuration:
        changed = await configuration.pull(ls)
    else:
        stated = params.settings
        section = stated.get(configuration.SECTION) if isinstance(stated, Mapping) else stated
        changed = [project for _, project in ls.roots.items() if configuration.apply(ls, project, section)]
    if changed:
        watching.watch(ls)
        ls.publisher.refresh(changed)
        await scanning.scan(ls, [project for project in _folders(ls) if project in changed])
        ls.compiling.ready(changed)
        ls.looking_back.ready(changed)


async def did_change_workspace_folders(ls: Server, params: t.DidChangeWorkspaceFoldersParams) -> None:
    for folder in params.event.removed:
        if path := to_path(folder.uri):
            ls.roots.remove(path)
    added = [ls.roots.add(path) for folder in params.event.added if (path := to_path(folder.uri))]
    moved = set()
    for document in ls.documents.values():
        if (project := ls.roots.of(home(document.uri))) is not document.project:
            document.move_to(project)
            moved.add(project)
    background.attend(ls, added)
    watching.watch(ls)
    ls.publisher.refresh(moved)
    ls.publisher.refresh(await configuration.pull(ls))
    await scanning.scan(ls, added)
    ls.compiling.ready(added)


def exit_(ls: Server, params: object) -> None:
    ls.protocol.exited = True


def _folders(ls: Server) -> list[Project]:
    return [project for root, project in ls.roots.items() if root]
