"""Settings: what the editor says about each folder, over what it said when it started the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from occupancy_lsp.server.paths import to_uri

if TYPE_CHECKING:
    from occupancy_lsp.server.server import Server
    from occupancy_lsp.session.project import Project

SECTION = "occupancy"
_PATIENCE = 10.0


async def pull(ls: Server) -> list[Project]:
    """Ask for the settings of every folder. Returns the projects that something changed for."""
    if not ls.client.configuration:
        return []
    roots = list(ls.roots.items())
    items = [t.ConfigurationItem(to_uri(path) if path else None, SECTION) for path, _ in roots]
    try:
        request = ls.workspace_configuration_async(t.ConfigurationParams(items))
        values = await asyncio.wait_for(request, _PATIENCE)
    except (asyncio.TimeoutError, JsonRpcException) as error:
        ls.warn(f"the editor did not send its settings: {error or 'no answer'}")
        return []
    return [project for (_, project), value in zip(roots, values, strict=False) if apply(ls, project, value)]


def apply(ls: Server, project: Project, value: object) -> bool:
    """Give the project its settings. True: they differ from those before."""
    if value is None:
        return project.configure(ls.options)
    if not isinstance(value, Mapping):
        return project.configure(value)  # a fault, for the project to describe
    # Editors send null for what is not set.
    stated = {key: item for key, item in value.items() if item is not None}
    return project.configure({**ls.options, **stated})
