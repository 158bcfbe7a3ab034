"""`doctor`: what is set up, which counts were found and used, and what is missing to get figures."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from occupancy_lsp.builds.cache import CACHES
from occupancy_lsp.builds.find import MAX_BYTES, find, read_sidecar
from occupancy_lsp.builds.results import Results
from occupancy_lsp.cli.commands.sources import Projects, SourceFile, is_passed_over, sources
from occupancy_lsp.cli.commands.workspace import settings_folder
from occupancy_lsp.cli.formats.cached import cached
from occupancy_lsp.cli.formats.counts import Counts
from occupancy_lsp.cli.formats.internal_errors import InternalErrors
from occupancy_lsp.cli.formats.result import nearby
from occupancy_lsp.compile.confined import confinement
from occupancy_lsp.core.defects import attempt
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import say
from occupancy_lsp.devices.presets import builtin_folder, builtin_presets
from occupancy_lsp.features import about
from occupancy_lsp.languages.registry import USUAL
from occupancy_lsp.session.project import Project
from occupancy_lsp.settings import FILE_NAME

_LIBRARIES = (
    "pygls", "lsprotocol", "tree-sitter", "tree-sitter-cuda", "PyYAML", "msgspec", "lz4", "zstandard", "pyelftools",
    "itanium-demangler",
)  # fmt: skip
_MOST_FILES = 40
_MOST_TOLD = 4
_CACHED = ("**/*.json", "**/*.cubin", "**/*.hsaco")
_SETTINGS = ("devices", "threshold", "rules", "sidecars", "presets", "contracts", "launch")

_ADVICE = """\
To get counts, build as always: objects, programs and logs in the build folder are read by themselves. For more:
  CMake    cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON      (which object is of which source)
           add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
           cmake --build build 2>&1 | tee build/ptxas.log
  Make     make NVCCFLAGS+=-Xptxas=-v 2>&1 | tee build/ptxas.log
  Ninja    ninja -v -C build 2>&1 | tee build/ptxas.log           (with -Xptxas=-v in the flags)
  Meson    meson configure build -Dcuda_args=-Xptxas=-v, then as with Ninja
  Bazel    bazel build --@rules_cuda//cuda:copts=-Xptxas=-v //... 2>&1 | tee build/ptxas.log
  nvcc     nvcc -Xptxas -v -c k.cu 2>&1 | tee ptxas.log
  hipcc    hipcc -c k.hip -Rpass-analysis=kernel-resource-usage 2>&1 | tee build/k.log
or compile on this machine: occupancy-lsp compile PATH; in the editor, occupancy.compile: on
or write them down: KERNELFILE.occupancy.yaml, or a comment above the kernel: // occupancy: regs=40
docs/register-counts.md has the details for each toolchain."""

_EDITORS = """\
No hints in the editor? Neovim needs vim.lsp.inlay_hint.enable(true), Helix display-inlay-hints = true below
[editor.lsp]; in VS Code, editor.inlayHints.enabled must not be off. docs/editors.md has the set-up of each."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a source file or a folder (default: the current one)"
    )


def run(options: argparse.Namespace) -> int:
    projects, counts, internal = Projects(()), Counts(), InternalErrors()
    unread: list[Problem] = []
    top = Path(options.path).absolute()
    for found in sources([options.path]):
        if isinstance(found, Problem):
            unread.append(found)
            continue
        with internal.looking_at(found.shown):
            project = projects.at(found.root)
            attempt(partial(_count, counts, found, project, found.shown == options.path))
    if not projects.all():
        projects.at(settings_folder(top) or top)
    sections = [list(_programs())]
    sections += [list(_folder(project)) for project in projects.all()]
    problems = [problem for project in projects.all() for problem in _problems(project)] + unread
    problems += internal.problems()
    sections += [
        list(counts.lines()),
        list(counts.unread()),
        list(counts.hidden()),
        ["Problems", *(f"  {nearby(it)}" for it in list(map(str, problems)) or ["none"])],
    ]
    sections += [*(list(_cached(*it)) for it in CACHES.items()), _ADVICE.splitlines(), _EDITORS.splitlines()]
    for number, lines in enumerate(filter(None, sections)):
        for line in ("", *lines) if number else lines:
            say(line)
    return 2 if internal.problems() else 0


def _problems(project: Project) -> Iterator[Problem]:
    """With what of a build could not be read."""
    yield from dict.fromkeys((*project.problems(), *project.results.passed_over()))


def _count(counts: Counts, source: SourceFile, project: Project, named: bool) -> None:
    if named or not is_passed_over(source, project):
        counts.add(source.shown, source.path, source.content, project)


def _programs() -> Iterator[str]:
    yield about.versions()
    for name in _LIBRARIES:
        try:
            yield f"  {name} {version(name)}"
        except PackageNotFoundError:
            yield f"  {name} is missing: install occupancy-lsp again"
    yield f"  {about.compilers()}"
    yield f"  {about.cache()}"
    yield f"  how they are confined: {confinement()}"
    yield f"  {len(builtin_presets().files)} presets of devices and architectures in {builtin_folder()}"


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
    devices = project.devices_for(USUAL.name)
    named = [f"{it.name} ({it.id}, {it.arch.id})" for it in devices]
    title = USUAL.title
    yield f"  {title} is computed for {named[0]}" if named else f"  no chosen device runs {title}: set `devices`"
    if named[1:]:
        yield f"  compared with {', '.join(named[1:])}"
    yield from _results(project.results)


def _results(results: Results) -> Iterator[str]:
    """Which files say what of how many kernels, and what a person may mend."""
    yield f"  build folders: {', '.join(results.builds) or 'none found'}"
    readings = {path: it for path, it in results.readings().items() if it.usages or it.problems or it.remarks}
    yield f"  counts: {'' if readings else 'none found'}".rstrip()
    for path, reading in list(readings.items())[:_MOST_FILES]:
        archs = ", ".join(sorted({it.arch for it in reading.usages if it.arch}))
        yield f"    {nearby(str(path))}: of {_kernels(len(reading.usages))}{f' for {archs}' if archs else ''}"
        told = [*(it.message for it in reading.problems), *(it.message for it in reading.remarks)]
        yield from (f"      {it}" for it in told[:_MOST_TOLD])
    if len(readings) > _MOST_FILES:
        yield f"    and {len(readings) - _MOST_FILES} more files"
    yield from (f"    {nearby(str(path))}: not read: larger than {MAX_BYTES >> 20} MiB" for path in results.large)


def _kernels(count: int) -> str:
    return f"{count} kernel{'' if count == 1 else 's'}"


def _cached(owner: str, usual: Callable[[], Path]) -> Iterator[str]:
    """What Triton or Warp has compiled, the latest first, of whatever folder it was."""
    folder = usual()
    if not folder.is_dir():
        return
    usages = [it for path in find(folder, _CACHED).paths for it in read_sidecar(path).usages]
    yield f"{owner}'s cache: {folder}: {_kernels(len(usages)) if usages else 'no kernels'}"
    for usage in sorted(usages, key=lambda it: it.mtime, reverse=True)[:_MOST_FILES]:
        yield f"  {cached(usage)}"
    if len(usages) > _MOST_FILES:
        yield f"  and {len(usages) - _MOST_FILES} more"


def _short(value: object) -> str:
    return value if isinstance(value, str) else str(getattr(value, "kernels", value))
