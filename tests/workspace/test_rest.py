"""Once no file of a project is open, nothing stays of what was read for those that were."""

import gc
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

from msgspec import Struct

from occupancy_lsp.core.memory import give_back
from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.source.incremental import header_cache_format
from occupancy_lsp.source.lower.item_facts import Function, ItemFacts
from occupancy_lsp.source.sema.translation_unit import IncludedFile as Included
from occupancy_lsp.source.sema.translation_unit import UnitContext
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.workspace.callers import FarLaunch

READ = (Environment, Included, FarLaunch, UnitContext, ItemFacts, Function)
HEADER = (
    b"#pragma once\n#define TILE 32\ntemplate <int N> __global__ void k() { __shared__ float a[N]; a[0] = TILE; }\n"
)
SOURCE = b'#include "k.cuh"\nvoid f() { k<64><<<8, TILE>>>(); }\n'


def alive() -> Counter[type]:
    gc.collect()
    return Counter(type(it) for it in gc.get_objects() if type(it) in READ)


def look(project: Project) -> list[str]:
    assert project.index is not None
    views = [OpenFile(it, "", Text(it.read_bytes()), project).view() for it in project.index.paths()]
    return [f"{report.kernel.name} {report.figure}" for view in views if view for report in view.reports]


def opened(folder: Path) -> tuple[Project, Counter[type]]:
    """A project whose sources are read, and what was alive before."""
    (folder / "k.cuh").write_bytes(HEADER)
    (folder / "f.cu").write_bytes(SOURCE)
    give_back()
    before = alive()
    project = Project(folder)
    project.read_sources(lambda: False, lambda done, of: None)
    return project, before


def test_what_was_read_of_closed_files_is_let_go(tmp_path: Path) -> None:
    project, before = opened(tmp_path)
    said = look(project)
    assert all((alive() - before)[it] for it in (Included, FarLaunch))
    project.rest()
    give_back()
    assert not alive() - before
    assert look(project) == said  # it is found out again


def test_work_under_way_is_not_taken_after_the_rest(tmp_path: Path) -> None:
    project, before = opened(tmp_path)
    project.work_later(lambda: None)
    look(project)
    job = project.working()
    assert job is not None
    worked = job.run(lambda: False, lambda done, of: None)
    project.rest()
    job.take(worked)
    del job, worked
    assert project.working() is None  # nobody waits
    give_back()
    assert not alive() - before


def kinds(kind: object, known: set[object]) -> set[object]:
    """All of which its values may consist."""
    if kind not in known:
        known.add(kind)
        parts = get_type_hints(kind).values() if isinstance(kind, type) and issubclass(kind, Struct) else get_args(kind)
        for it in parts:
            kinds(it, known)
    return known


def test_there_are_no_mappings_in_what_is_kept_of_headers() -> None:
    """msgspec keeps names that stand in mappings: each would hold a megabyte."""
    for whole in (header_cache_format._Rows, ItemFacts):
        found = kinds(whole, set())
        assert len(found) > 10
        assert not [it for it in found if get_origin(it) in (dict, Mapping) or it is dict]
