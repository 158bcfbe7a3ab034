"""What Triton compiled stands at the configuration and the kernel that it was compiled from (tests/data/triton)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from occupancy_lsp.analysis.report import KernelReport, LaunchReport
from occupancy_lsp.analysis.variants import name_of
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import label_of
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.counts.triton_samples import path_of, rows, unpack


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = unpack(tmp_path_factory.mktemp("project"))
    os.utime(folder / "kernels.py", (0, 0))  # before all that was compiled of it
    return folder


def arch_of(row: Mapping[str, Any]) -> str:
    return f"sm_{row['target']}" if isinstance(row["target"], int) else str(row["target"])


def view_of(folder: Path, device: str) -> View:
    project = Project(folder, None, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    path = folder / "kernels.py"
    view = OpenFile(path, "python", Text(path.read_bytes()), project).view()
    assert view is not None
    return view


def compiled(folder: Path, row: Mapping[str, Any]) -> tuple[KernelReport, list[LaunchReport]]:
    """The kernel, and what is launched of the variant in the row's folder."""
    report = next(it for it in view_of(folder, arch_of(row)).reports if it.kernel.name == row["kernel"])
    known = (it.usage for it in (*report.counted, *report.unused))
    usage = next(it for it in known if Path(it.path).match(path_of(row)))
    return report, [it for it in report.launches if it.launch.arguments == name_of(usage)]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['kernel'][:20]} {row['target']} {row['folder'][:6]}")
def test_each_variant_is_launched_as_it_was_compiled(project: Path, row: Mapping[str, Any]) -> None:
    _, launches = compiled(project, row)
    assert launches or {"num_ctas", "waves_per_eu"} & row["options"].keys()  # no configuration has these
    for it in launches:
        assert it.size.exact == row["threads"]
        assert it.local.dynamic == (row["shared"], row["shared"])
        assert it.registers.exact == row.get("registers", row.get("vgpr_count"))


def test_a_configuration_has_its_own_count(project: Path) -> None:
    row = next(it for it in rows() if it["options"].get("maxnreg") == 128)
    _, (launch,) = compiled(project, row)
    view = view_of(project, "sm_90")
    start, end = view.span(launch.launch.place)
    assert view.text.content[start:end].endswith(b"maxnreg=128)")
    assert launch.figure is not None and launch.figure.exact


def test_the_hover_lists_each_configuration_once(project: Path) -> None:
    view = view_of(project, "sm_90")
    index = next(index for index, it in enumerate(view.reports) if it.kernel.name == "matmul")
    shown = markdown(explain(view, index))
    assert sum("maxnreg=128" in line for line in shown.splitlines()) == 1
    assert "The launches differ" not in shown


def test_a_variant_needs_no_configuration_in_sight(project: Path) -> None:
    view = view_of(project, "sm_80")
    report = next(it for it in view.reports if it.kernel.name == "add")
    label = label_of(report)
    assert label is not None and label.text.startswith("100% · 16 blk/SM")


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("import math", "100% · 16 blk/SM"),
        ("from helpers import n", "100%? · stale"),
        ("from . import n", "100%? · stale"),
        ("try:\n    from .helpers import n\nexcept ImportError:\n    n = 4", "100%? · stale"),
    ],
)
def test_what_is_imported_may_have_changed(tmp_path: Path, line: str, label: str) -> None:
    folder = unpack(tmp_path)
    path = folder / "kernels.py"
    path.write_text(path.read_text().replace("\n\nimport triton\n", f"\n{line}\nimport triton\n", 1))
    os.utime(path, (0, 0))
    view = view_of(folder, "sm_80")
    found = label_of(next(it for it in view.reports if it.kernel.name == "add"))
    assert found is not None and found.text == label


def test_what_a_variant_needs_is_judged_on_the_device(project: Path) -> None:
    """Triton opts in to more than 48 KiB by itself; 98,524 bytes fit into what an sm_100 allows."""
    assert diagnostics(view_of(project, "sm_100")) == []
