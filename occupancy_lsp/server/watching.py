"""Files that change on disk: build logs, binaries, configuration. The client watches where it can."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.builds.cache import WATCHED, caches_of
from occupancy_lsp.server.paths import to_uri

if TYPE_CHECKING:
    from occupancy_lsp.server.server import Server
    from occupancy_lsp.session.project import Project

_REGISTRATION = "occupancy-files"


def watch(ls: Server) -> None:
    """Tell the client what to watch, if that is news."""
    if not ls.client.registers_watchers:
        return
    watchers = [
        _watcher(ls, root, glob) for root, project in ls.roots.items() if root for glob in project.watch_globs()
    ]
    if ls.client.relative_patterns:  # others watch the workspace alone
        caches = {cache for _, project in ls.roots.items() for cache in caches_of(project.settings)}
        watchers += [_watcher(ls, cache, glob) for cache in sorted(caches) for glob in WATCHED]
    if watchers == ls.watched:
        return
    method = t.WORKSPACE_DID_CHANGE_WATCHED_FILES
    if ls.watched:
        ls.client_unregister_capability(t.UnregistrationParams([t.Unregistration(_REGISTRATION, method)]))
    if watchers:
        options = t.DidChangeWatchedFilesRegistrationOptions(watchers)
        ls.client_register_capability(t.RegistrationParams([t.Registration(_REGISTRATION, method, options)]))
    ls.watched = watchers


def _watcher(ls: Server, root: Path, glob: str) -> t.FileSystemWatcher:
    if ls.client.relative_patterns:
        return t.FileSystemWatcher(t.RelativePattern(to_uri(root), glob))
    return t.FileSystemWatcher(glob)


async def changed(ls: Server, paths: Sequence[Path]) -> None:
    """Let every project look at the files: what a folder uses may lie outside it."""
    hit = [project for _, project in [*ls.roots.items()] if await look_at(ls, project, paths)]
    watch(ls)
    if hit:
        ls.publisher.refresh(hit)
    else:
        ls.publisher.publish_problems()
    ls.compiling.changed(paths)


async def look_at(ls: Server, project: Project, paths: Sequence[Path]) -> bool:
    """Let the project look at files that changed. True: what is shown may differ."""
    async with ls.changing:
        return any([await ls.do(job) for job in project.changing(paths)])
