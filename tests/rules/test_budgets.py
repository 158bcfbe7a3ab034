"""OCC007: what is surely broken, surely kept, and open; and the settings that it is read from."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.rules.promises import Promise, verdict
from occupancy_lsp.session.budgets import in_force, without_kernels
from occupancy_lsp.session.project import Project
from occupancy_lsp.settings import merge
from tests.features.test_diagnostics import DEVICES, kernels
from tests.support import view_of

KERNEL = "__global__ void HEAD k(float* p) { p[0] = 1; }\n"
RUN = "void run(float* p) { k<<<4096, 256>>>(p); }\n"


def said(folder: Path, budget: str, source: str, *devices: str) -> list[tuple[str, str]]:
    (folder / ".occupancy.yaml").write_text(f"budgets:\n  - {{kernel: k, {budget}}}\n")
    view = view_of(source.replace("HEAD", ""), *devices, path=folder / "a.cu")
    return [(it.severity, it.message) for it in diagnostics(view) if it.code == "OCC007"]


def test_one_launch_of_several_breaks_it(tmp_path: Path) -> None:
    """36 registers: 6 blocks of 256 threads are 75% of an H100's warps, and one of 1024 is 50%."""
    source = "// occupancy: regs=36\n" + KERNEL + RUN + RUN.replace("run", "more").replace("256", "1024")
    broken = ("error", "budget min_percent 60% is broken: 50% on h100 (.occupancy.yaml:2)")
    assert said(tmp_path, "min_percent: 60", source) == [broken]
    assert said(tmp_path, "min_percent: 50", source) == []


@pytest.mark.parametrize(
    ("budget", "source", "why"),
    [
        ("min_percent: 50", KERNEL + RUN, "12.5% to 100%"),
        ("min_groups: 4", "// occupancy: regs=72\n" + KERNEL, "the block size is unknown"),
        (
            "min_groups: 4",
            "// occupancy: regs=72\n" + KERNEL.replace("HEAD", "__launch_bounds__(256)"),
            "the block size is unknown below its bound",
        ),
        ("max_registers: 64", KERNEL + RUN, "at most 255"),
        ("max_spill: 0", "// occupancy: regs=72\n" + KERNEL + RUN, "no compiler has told what it spills"),
    ],
)
def test_what_is_open_cannot_be_proved(tmp_path: Path, budget: str, source: str, why: str) -> None:
    ((severity, message),) = said(tmp_path, budget, source)
    assert severity == "warning" and f"cannot be proved on h100: {why}" in message


def test_bounds_prove_registers_without_counts(tmp_path: Path) -> None:
    source = KERNEL.replace("HEAD", "__launch_bounds__(256, 4)") + RUN
    assert said(tmp_path, "max_registers: 64, min_groups: 4", source) == []
    assert [it for it, _ in said(tmp_path, "max_registers: 63", source)] == ["warning"]


def test_strict_budgets_and_contracts(tmp_path: Path) -> None:
    """What cannot be proved is an error, of contracts in comments as well."""
    (tmp_path / ".occupancy.yaml").write_text("budgets: [{kernel: k, max_registers: 64}]\n")
    project = Project(tmp_path, None, {"devices": ["h100"], "strict_budgets": True})
    assert project.problems() == ()
    from occupancy_lsp.core.text import Text
    from occupancy_lsp.session.view import OpenFile

    source = f"// occupancy: expect >= 50%\n{KERNEL}{RUN}".replace("HEAD", "").encode()
    view = OpenFile(tmp_path / "a.cu", "", Text(source), project).view()
    assert view is not None
    assert {(it.code, it.severity) for it in diagnostics(view)} == {("OCC007", "error"), ("OCC105", "error")}


def test_devices_of_a_budget(tmp_path: Path) -> None:
    """72 registers: 3 blocks of 256 threads on any of them; of 48 warps that is half."""
    source = "// occupancy: regs=72\n" + KERNEL + RUN
    found = said(tmp_path, "min_percent: 50, devices: [sm_86, sm_90, gfx942]", source, "a100")
    assert [message for _, message in found] == ["budget min_percent 50% is broken: 37.5% on sm_90 (.occupancy.yaml:2)"]
    assert len(said(tmp_path, "min_percent: 50", source, "a100")) == 1


def test_its_last_day(tmp_path: Path) -> None:
    """It is in force on that day; then it is not, which is told, and is no error."""
    source = "// occupancy: regs=72\n" + KERNEL + RUN
    today = date.today()
    assert len(said(tmp_path, f"min_groups: 9, until: {today + timedelta(1)}", source)) == 1
    assert said(tmp_path, f"min_groups: 9, until: {today - timedelta(1)}", source) == []
    settings, _ = merge("budgets: [{kernel: k, min_groups: 9, until: 2026-03-31}]", "y")
    assert in_force(settings, date(2026, 3, 31)) == (settings, ())
    left, (told,) = in_force(settings, date(2026, 4, 1))
    assert left.budgets == () and not told.grave
    assert str(told).startswith("y:1:20: the budget of 'k' ended on 2026-03-31 and is not checked; remove it")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("budgets: [{kernel: k}]", "y:1:20: budget of 'k': no limit is given; add one of min_groups, min_percent"),
        ("budgets: [{min_groups: 2}]", "y:1:11: budgets[0]: missing kernel"),
        ("budgets: [{kernel: k, min_group: 2}]", "unknown key 'min_group', did you mean 'min_groups'?"),
        ("budgets: [{kernel: k, min_groups: 2, until: tomorrow}]", "expected a day such as 2027-03-31, not 'tomorrow'"),
        ("budgets: [{kernel: k, max_local: 48KB}]", "expected a size in bytes"),
    ],
)
def test_faults_in_budgets(text: str, fault: str) -> None:
    assert fault in str(merge(text, "y")[1][0])


def test_an_unknown_device_of_a_budget(tmp_path: Path) -> None:
    (tmp_path / ".occupancy.yaml").write_text("budgets:\n- {kernel: k, min_groups: 2, devices: [h10]}\n")
    (fault,) = Project(tmp_path).problems()
    assert (fault.line, fault.column) == (2, 12) and "h10" in fault.message


def test_a_budget_of_no_kernel(tmp_path: Path) -> None:
    lines = ("k*", "ns::k", "zonk", "*::j")
    limits = "".join(f"- {{kernel: '{it}', min_groups: 2}}\n" for it in lines)
    (tmp_path / ".occupancy.yaml").write_text(f"budgets:\n{limits}")
    (tmp_path / "a.cu").write_text(KERNEL.replace("HEAD", ""))
    project = Project(tmp_path)
    assert project.problems() == ()  # nothing has been read yet
    project.read_sources(lambda: False, lambda done, total: None)
    assert [(it.line, it.grave) for it in project.problems()] == [(4, False), (5, False)]
    assert project.index is not None
    told = without_kernels(project.settings.budgets, project.index, {"k"}, {tmp_path / "a.cu"})
    assert [it.line for it in told] == [3, 4, 5]  # all files were read: no k stands in a namespace


LIMITS = st.sampled_from(
    [("percent", ">=", 100), ("groups", ">=", 16), ("registers", "<=", 255), ("local", "<=", 1 << 18)]
)


@given(kernels(), DEVICES, LIMITS, st.floats(0, 1))
def test_a_laxer_budget_is_never_worse(
    made: tuple[str, dict[str, int]], device: str, limit: tuple[str, str, int], share: float
) -> None:
    """What keeps to a limit keeps to every laxer one; what breaks it breaks every stricter one."""
    metric, how, most = limit
    values = [round(most * share), most] if how == "<=" else [most, round(most * share)]
    order = ("broken", "open", "kept")
    for report in view_of(made[0], device).reports:
        strict, lax = (verdict(report, Promise(metric, how, it)).state for it in values)  # type: ignore[arg-type]
        assert order.index(strict) <= order.index(lax)
