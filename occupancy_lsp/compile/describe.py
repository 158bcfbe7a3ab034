"""How a file is compiled, for people: by which compiler, with which flags, who says so, and what is left out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from occupancy_lsp.compile import confined
from occupancy_lsp.compile.compiler import request_of
from occupancy_lsp.compile.compilers import FIND
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.store import NoStore, Store
from occupancy_lsp.compile.toolchains import Machine, Toolchain
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.visible import visible
from occupancy_lsp.model.device import Device
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS

_NUMBER = regex(r"\d+\.\d+")
_OF_ITSELF = regex(r"-c|-o .*|-o\S+")
_INDENT = " " * 13


def described(
    path: Path,
    language: str,
    device: Device,
    root: Path | None,
    macros: Mapping[str, str],
    folders: Sequence[Path],
    outcome: str,
) -> str:
    """A text of several lines. Starts the compiler for its version. Never raises.

    `outcome`: what came of it, with what was added because the compiler asked for it; "": nothing yet.
    """
    request, said = request_of(path, language, device, root, macros, folders)
    said_by = said.by if said else ""
    lines = [f"How {path.name} is compiled for {device.name} ({device.arch.id})", ""]
    lines += _compiler(request)
    nobody = "build files, in several ways" if said and said.several else "no build file"
    lines += _row("flags from", [said_by or f"{nobody}: these are the compiler's defaults"])
    given, by = request.arguments, f"   ({said_by})" if said_by else ""
    flags = (*given.flags, *(f"-Xptxas {it}" for it in given.ptxas), *(f"-mllvm {it}" for it in given.llvm))
    lines += _row("flags", [f"{it}{by}" for it in flags])
    stated = {name.partition("(")[0] for name, _ in given.macros}
    own = [f"-D{name}={text}   (the settings)" for name, text in macros.items() if name.partition("(")[0] not in stated]
    lines += _row("macros", [*own, *(f"{_macro(name, text)}{by}" for name, text in given.macros)])
    found = set(folders) if said_by != COMMANDS else set()
    why = {True: "   (contains a header that this file includes)", False: by}
    lines += _row("includes", [f"{option} {it}{why[it in found]}" for option, it in given.folders])
    lines += _row("before it", [f"-include {it}{by}" for it in given.files])
    if said is not None:
        lines += _row("perhaps", [*said.doubted_flags(), *said.doubted_macros()])
        lines += _row("not read", [f"{it}   (what it may add is not known)" for it in said.unread])
    dropped = [it for it in said.dropped if it[:1] == "-" and not _OF_ITSELF.fullmatch(it)] if said else []
    changing = said.perhaps_changing() if said else []
    told = {True: "   (it may change the counts)", False: "   (it is not of the device's code)"}
    lines += _row("omitted", [f"{it}{told[it in changing]}" for it in dropped])
    lines += _row("result", [outcome or "not compiled yet"])
    return "\n".join([*map(visible, lines), ""])


def _macro(name: str, text: str | None) -> str:
    return f"-U{name}" if text is None else f"-D{name}={text}"


def _row(title: str, said: Iterable[str]) -> Iterator[str]:
    for number, it in enumerate(said):
        yield f"{title:<{len(_INDENT)}}{it}" if number == 0 else f"{_INDENT}{it}"


def _compiler(request: Request) -> Iterator[str]:
    found = _found(request)
    if isinstance(found, str):
        yield from _row("compiler", [f"none: {found}"])
        return
    yield from _row("compiler", [" ".join(found.start)])
    if request.program and os.path.isabs(request.program) and request.program != found.start[0]:
        yield from _row("", [f"the build names {request.program}, which is not started for that"])
    with Store(request.root).workplace() as folder:
        said = confined.run(found, request, ["--version"], folder).output.splitlines()
    yield from _row("version", [it.strip() for it in said if _NUMBER.search(it) and "opyright" not in it][:1])


def _found(request: Request) -> Toolchain | str:
    find = FIND.get((request.device.vendor, request.language))
    try:
        return find(request, Machine.here(), Store(request.root)) if find else "there is none for this device"
    except NoStore as fault:
        return str(fault)
