"""What may stand at the cursor of a command line that is not finished: a shell asks by starting the program."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Mapping
from glob import escape, glob
from pathlib import Path

from occupancy_lsp.cli.commands.kernel_argument import file_and_kernel
from occupancy_lsp.cli.commands.workspace import devices_here
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.text import Text
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import MAX_BYTES
from occupancy_lsp.workspace.walk import is_source

Completer = Callable[..., Iterable[str]]


def complete(parser_of: Callable[[str], argparse.ArgumentParser]) -> None:
    """Writes the answer, and ends the program. `parser_of` has all arguments of one command."""
    from argcomplete import autocomplete

    words = os.environ.get("COMP_LINE", "").split()[1:2]
    parser = parser_of(words[0] if words else "")
    autocomplete(parser, always_complete_options="long")


def attach(parser: argparse.ArgumentParser) -> None:
    """Says what each argument of a command takes."""
    for action in parser._actions:
        if action.dest in _COMPLETERS:
            action.completer = _COMPLETERS[action.dest]  # type: ignore[attr-defined]


def _devices(prefix: str, **about: object) -> Iterable[str]:
    return devices_here().ids()


def _codes(prefix: str, **about: object) -> Iterable[str]:
    from occupancy_lsp.cli.commands.explain import MORE
    from occupancy_lsp.rules.registry import RULES

    return (*(rule.code for rule in RULES), *MORE)


def _kernels(prefix: str, **about: object) -> Iterable[str]:
    """Folders and sources; of the only source that is meant, its kernels.

    Names with control characters, or that are no text, are left out: one that is no text would cost the whole answer.
    """
    file, _ = file_and_kernel(prefix)
    found = [it for it in glob(f"{escape(prefix)}*") if it.isprintable() and (os.path.isdir(it) or is_source(it))]
    if len(found) == 1 and not os.path.isdir(found[0]):
        file = found[0]
    if os.path.isfile(file):
        return [f"{file}:{name}" for name in _names(Path(file))] or [file]
    return [f"{it}/" if os.path.isdir(it) else it for it in found]


def _names(path: Path) -> Iterable[str]:
    content = read_file(path, MAX_BYTES)
    if not isinstance(content, Content):
        return ()
    views = open_file(path.absolute(), "", Text(content.data), Project(None)).views()
    return dict.fromkeys(it.qualified for view in views for it in view.facts.kernels)


_COMPLETERS: Mapping[str, Completer] = {
    "device": _devices,
    "beside": _devices,
    "name": _devices,
    "code": _codes,
    "kernel": _kernels,
}
