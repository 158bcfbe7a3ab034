"""The device: which is used, which there are, and choosing another; compiling, and how.

Requests beyond the protocol: `occupancy/status` {uri} -> {device, name, arch, origin, uncounted, language, idle} or
null: the number of kernels without a count, and the names of the devices that were chosen, where none of them runs the
file's language; `occupancy/devices` {uri} -> [{id, name, vendor, arch, computeUnits, unit}],
without uri all, else those that run its language; `occupancy/detect` -> [{name, tool, devices}], the processors of this
machine with the ids that each may be; `occupancy/about` -> the lines that a log begins with; `occupancy/rules` ->
[{code, summary, page}]; notification `occupancy/statusChanged` {uri}, once a status has been asked for;
`occupancy/compiler` {uri} -> {compiler, wheels}: the program that would compile the file, or "", and for which vendor
there are wheels with one, or "".
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcInvalidParams

from occupancy_lsp import __version__
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.visible import visible
from occupancy_lsp.server.paths import to_path

if TYPE_CHECKING:
    from occupancy_lsp.server.documents import Document
    from occupancy_lsp.server.server import Server

_OFFERED = 8


def status(ls: Server, params: Any) -> dict[str, Any] | None:
    uri = params.get("uri") if isinstance(params, Mapping) else None
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("occupancy/status: expected {uri}")
    ls.publisher.status_wanted = True
    document = ls.documents.get(uri)
    if document is None:
        return None
    with ls.looking_at(document, "status"):
        view = attempt(document.view)
    if view is None or isinstance(view, Defect):
        return None
    document.status = ls.publisher.as_known(document, view.status)
    return {key: _shown(it) for key, it in asdict(document.status).items()} if document.status else None


def _shown(value: object) -> object:
    if isinstance(value, tuple):
        return [_shown(it) for it in value]
    return visible(value) if isinstance(value, str) else value


def devices(ls: Server, params: Any) -> list[dict[str, Any]]:
    document = _document(ls, params.get("uri") if isinstance(params, Mapping) else None)
    view = document.view() if document else None
    runs = document.project.devices_that_run(view.source.dialect.name) if document and view else None
    found = ls.roots.outside.devices() if runs is None else runs
    return [
        {
            "id": d.id,
            "name": visible(d.name),
            "vendor": d.vendor,
            "arch": d.arch.id,
            "computeUnits": d.compute_units,
            "unit": d.arch.counted_unit,
        }
        for d in found
    ]


async def about(ls: Server, params: Any) -> list[str]:
    """The lines that a log begins with. A network client learns nothing of this machine."""
    if ls.remote:
        return [f"occupancy-lsp {__version__}"]
    from occupancy_lsp.features import about

    folders = [line for root, project in ls.roots.items() if root is not None for line in about.folder(project)]
    compilers = await asyncio.to_thread(about.compilers)
    return [visible(it) for it in (about.versions(), *folders, compilers, about.cache())]


async def detect(ls: Server, params: Any) -> list[dict[str, Any]]:
    """A network client learns nothing of this machine."""
    from occupancy_lsp.compile.graphics import seen
    from occupancy_lsp.compile.toolchains import Machine

    roots = [root for root, _ in ls.roots.items() if root is not None]
    found = () if ls.remote else await asyncio.to_thread(seen, Machine.here(), roots)
    catalogue = ls.roots.outside.catalogue
    return [{"name": visible(it.names[0]), "tool": it.tool, "devices": list(catalogue.meant(it.names))} for it in found]


def rules(ls: Server, params: Any) -> list[dict[str, str]]:
    from occupancy_lsp.rules import help_url
    from occupancy_lsp.rules.registry import RULES

    return [{"code": it.code, "summary": it.summary, "page": help_url(it.code)} for it in RULES]


async def select_device(ls: Server, *arguments: object) -> None:
    """[] asks the user; [device] is for all folders, [device, uri] for the folder of that file."""
    device, uri = [*arguments, None, None][:2]
    if device is None:
        device = await _ask(ls)
    if not isinstance(device, str) or not isinstance(uri, str | None):
        return
    chosen = {ls.roots.of(to_path(uri))} if uri else {project for _, project in ls.roots.items()}
    try:
        for project in chosen:
            project.select_device(device)
    except LookupError as error:
        raise JsonRpcInvalidParams(visible(str(error))) from error
    ls.publisher.refresh(chosen)


async def _ask(ls: Server) -> str | None:
    """The chosen devices come first: more than a few no editor can show."""
    project = next(project for _, project in ls.roots.items())
    chosen = project.settings.devices
    devices = sorted(project.devices(), key=lambda d: chosen.index(d.id) if d.id in chosen else len(chosen))
    offered = {visible(f"{d.name} ({d.id})"): d.id for d in devices[:_OFFERED]}
    params = t.ShowMessageRequestParams(
        t.MessageType.Info,
        "Show occupancy for which device?",
        [t.MessageActionItem(title) for title in offered],
    )
    answer = await ls.window_show_message_request_async(params)
    return offered.get(answer.title) if answer else None


def select(ls: Server, *arguments: object) -> None:
    """[uri, line, character, line, character] of an open file: as if the user had selected it."""
    uri, *place = [*arguments, None][:5]
    if not isinstance(uri, str) or ls.documents.get(uri) is None or not ls.client.shows_documents:
        return
    numbers = [it for it in place if isinstance(it, int) and not isinstance(it, bool) and 0 <= it < 1 << 31]
    if len(numbers) == 4:
        selected = t.Range(t.Position(*numbers[:2]), t.Position(*numbers[2:]))
        ls.window_show_document(t.ShowDocumentParams(uri, take_focus=True, selection=selected))


# -- compiling


def compiler(ls: Server, params: Any) -> dict[str, str]:
    from occupancy_lsp.compile.compilers import Offer, offer
    from occupancy_lsp.compile.toolchains import Machine

    document = _document(ls, params.get("uri") if isinstance(params, Mapping) else None)
    view = document.view() if document else None
    if ls.remote or document is None or document.path is None or view is None or view.device is None:
        return asdict(Offer("", ""))
    found = offer(view.device.vendor, view.source.dialect.name, Machine.here(), document.project.root)
    return {key: visible(it) for key, it in asdict(found).items()}


def compile_file(ls: Server, *arguments: object) -> None:
    """[uri] of an open file: now, whether it has counts or not."""
    if document := _document(ls, *arguments[:1]):
        ls.compiling.asked(document)


def try_bounds(ls: Server, *arguments: object) -> None:
    """[uri, kernel] of an open file: the kernel of this qualified name, or that on this line, counted from 0."""
    from occupancy_lsp.features.trying import kernels_at

    uri, kernel = [*arguments, None, None][:2]
    document = _document(ls, uri)
    view = document.view() if document else None
    if document is not None and view is not None and isinstance(kernel, str | int):
        ls.compiling.asked_to_try(document, kernels_at(view, kernel))


def compile_workspace(ls: Server, *arguments: object) -> None:
    """All folders."""
    ls.compiling.asked_for_all([project for root, project in ls.roots.items() if root])


async def show_compilation(ls: Server, *arguments: object) -> str | None:
    """[uri] of an open file -> how it is compiled, as a text; it is in the log as well."""
    document = _document(ls, *arguments[:1])
    text = await ls.compiling.described(document) if document else None
    if text:
        ls.log(t.MessageType.Info, *text.splitlines())
    return text


def _document(ls: Server, uri: object = None) -> Document | None:
    return ls.documents.get(uri) if isinstance(uri, str) else None
