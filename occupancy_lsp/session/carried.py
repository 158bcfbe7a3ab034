"""Counts of this checkout's builds that speak of another revision, too.

A count speaks of the text that was compiled. It is one of a kernel of the other revision if the kernel's fingerprint
there is that of the text, and if nothing else that went into it is another: headers, what says how it is compiled, and
macros that the settings define. Where one of these is not known, it is not carried over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.analysis.freshness import Baselines
from occupancy_lsp.builds.attribution import in_language
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import relative_to
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.history.snapshot import Snapshot
from occupancy_lsp.languages.registry import language_of
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.untracked import others_beside
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.workspace.affected import says_how_to_compile
from occupancy_lsp.workspace.walk import is_source

_LATER = 2.0**36  # seconds: after the files of every revision are written; later by as much, so that order stays


@dataclass(frozen=True, slots=True)
class Count:
    """`kernel`: its qualified name. `fingerprint`: of what was compiled. `inputs`: other files that went into it."""

    kernel: str
    usage: Usage
    fingerprint: str
    inputs: frozenset[Path]


def counts_of(
    project: Project, path: Path, kernels: Iterable[str], baselines: Baselines, dialect: Dialect
) -> Iterator[Count]:
    """Those of the file at `path` of which it is known what was compiled. What a person states is of now alone."""
    language = language_of(dialect)
    for kernel in dict.fromkeys(kernels):
        for usage in in_language(project.results.joined(kernel, path), language.name, language.signs).used:
            if usage.source == "declared" or usage.digest or project.results.is_outdated(usage, path):
                continue
            if (compiled := baselines.compiled(usage, kernel, dialect)) is not None:
                yield Count(kernel, usage, compiled, project.results.inputs(usage, path))


def is_compiled_alike(was: Snapshot, sources: Iterable[Path]) -> bool:
    """Whether nothing changed that bears on compilers' arguments. `sources`: of the workspace, as they are now."""
    top = was.repository.top
    inside = {it for it in map(relative_to(top), sources) if not it.startswith("../")}
    others = {*(it for it in was.files if not is_source(it)), *others_beside(top, inside)}
    changed = [it for it in others if not was.has_as_now(it)]
    old = was.contents(changed)
    return old is not None and not any(says_how_to_compile(top / it, old.get(it)) for it in changed)


def carried(counts: Iterable[Count], kernels: Mapping[str, str], is_same: Callable[[Path], bool]) -> Reading:
    """Those that speak of the other revision. `kernels`: its fingerprints. `is_same`: whether it has a file as now."""
    ours = (it for it in counts if kernels.get(it.kernel) == it.fingerprint and all(map(is_same, it.inputs)))
    return Reading(tuple(dict.fromkeys(replace(it.usage, mtime=_LATER + it.usage.mtime) for it in ours)))
