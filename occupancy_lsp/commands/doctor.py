"""`doctor`: what is set up, which counts were found and used, and what is missing to get figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from occupancy_lsp import __version__
from occupancy_lsp.commands.sources import Projects, SourceFile, sources
from occupancy_lsp.commands.workspace import settings_folder
from occupancy_lsp.compile.toolchains import Machine, find_clang, find_nvcc, find_ocloc
from occupancy_lsp.presets import builtin_folder
from occupancy_lsp.problem import Problem
from occupancy_lsp.project import Project
from occupancy_lsp.report.counts import Counts
from occupancy_lsp.report.result import nearby
from occupancy_lsp.settings import FILE_NAME

_LIBRARIES = ("pygls", "lsprotocol", "tree-sitter", "tree-sitter-cuda", "PyYAML", "itanium-demangler")
_SETTINGS = ("devices", "threshold", "rules", "sidecars", "presets", "contracts", "launch")

_ADVICE = """\
To get counts, let the compiler print them into a file that ends in .ptxas.log or starts with ptxas:
  nvcc    nvcc -Xptxas -v … 2>&1 | tee build/ptxas.log
  CMake   add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
          cmake --build build 2>&1 | tee build/ptxas.log
  Make    NVCCFLAGS += -Xptxas -v
          make 2>&1 | tee build/ptxas.log
or ask a compiler of this machine: occupancy-lsp compile PATH, in the editor occupancy.compile: on-save
or write them down: KERNELFILE.occupancy.yaml, or a comment above the kernel: // occupancy: regs=40"""

_EDITORS = """\
No hints in the editor? Neovim needs vim.lsp.inlay_hint.enable(true), Helix display-inlay-hints = true below
[editor.lsp]; in VS Code, editor.inlayHints.enabled must not be off. docs/editors.md has the set-up of each."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="a source or a folder (default: here)")


def run(options: argparse.Namespace) -> int:
    projects, counts = Projects(()), Counts()
    unread: list[Problem] = []
    top = Path(options.path).absolute()
    for found in sources([options.path]):
        if isinstance(found, SourceFile) and projects.is_passed_over(found, [options.path]):
            continue
        if isinstance(found, SourceFile):
            counts.add(found.shown, found.path, found.content, projects.at(found.root))
        else:
            unread.append(found)
    if not projects.all():
        projects.at(settings_folder(top) or top)
    sections = [list(_programs())]
    sections += [list(_folder(project)) for project in projects.all()]
    problems = [*(problem for project in projects.all() for problem in project.problems()), *unread]
    sections += [
        list(counts.lines()),
        ["Problems", *(f"  {nearby(it)}" for it in list(map(str, problems)) or ["none"])],
    ]
    sections += [[_ADVICE], [_EDITORS]]
    print("\n\n".join("\n".join(lines) for lines in sections))
    return 0


def _programs() -> Iterator[str]:
    yield f"occupancy-lsp {__version__}, Python {sys.version.split()[0]} ({sys.executable})"
    for name in _LIBRARIES:
        try:
            yield f"  {name} {version(name)}"
        except PackageNotFoundError:
            yield f"  {name} is missing: install occupancy-lsp again"
    machine = Machine.here()
    found = [next(find(machine, None), None) for find in (find_nvcc, find_clang, find_ocloc)]
    yield f"  compilers for `compile`: {', '.join(' '.join(it.start) for it in found if it) or 'none'}"
    folder = builtin_folder()
    yield f"  {len(list(folder.glob('*/*.yaml')))} device presets in {folder}"


def _folder(project: Project) -> Iterator[str]:
    """Settings with their origins, devices, and what each sidecar holds."""
    settings = project.settings
    yield f"Folder {project.root}"
    if project.root is not None and not (project.root / FILE_NAME).is_file():
        yield f"  no {FILE_NAME} here or above: built-in settings"
    for name in _SETTINGS:
        if (origin := settings.origin(name)) != "default" or name == "devices":
            value = getattr(settings, name)
            yield f"  {name} ({origin}): {', '.join(map(_short, value)) if isinstance(value, tuple) else value}"
    devices = project.devices_for("cuda")
    named = [f"{it.name} ({it.id}, {it.arch.id})" for it in devices]
    yield f"  CUDA is computed for {named[0]}" if named else "  no chosen device runs CUDA: set `devices`"
    if named[1:]:
        yield f"  compared with {', '.join(named[1:])}"
    readings = project.readings()
    yield f"  sidecars: {'' if readings else 'none found'}".rstrip()
    for path, reading in readings.items():
        yield f"    {nearby(str(path))}: counts of {len(reading.usages)}"


def _short(value: object) -> str:
    return value if isinstance(value, str) else str(getattr(value, "kernels", value))
