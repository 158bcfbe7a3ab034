"""What is offered where a budget is broken: what an edit's title says is so once it is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.answers import Action
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

KERNEL = "// occupancy: regs=40\n__global__ void k(float* p, int n) { BODY }\n"
ADDS = "p[blockIdx.x * blockDim.x + threadIdx.x] += n;"
RUN = "void run(float* p, int n) { k<<<(n + 1023) / 1024, 1024>>>(p, n); }\n"
FIXED = KERNEL.replace("BODY", "p[blockIdx.x * 1024] = n;") + RUN.replace("(n + 1023) / 1024", "n")
SOURCE = KERNEL.replace("BODY", ADDS) + RUN


def opened(folder: Path, budgets: str, source: str = SOURCE, *devices: str) -> View:
    (folder / ".occupancy.yaml").write_text(f"budgets:\n  # Ours.\n  {budgets}\n")
    (folder / "a.cu").write_text(source)
    return read(folder / "a.cu", *devices)


def read(path: Path, *devices: str) -> View:
    project = Project(path.parent, None, {"devices": list(devices or ("h100",))})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(path, "", Text(path.read_bytes()), project).view()
    assert view is not None
    return view


def offered(view: View, unsaved: bytes | None = None) -> list[Action]:
    """`unsaved`: what the editor holds in place of the settings on disk."""
    at = view.text.content.index(b"k(float")
    assert view.path is not None
    edited = {view.path.parent / ".occupancy.yaml": unsaved} if unsaved is not None else {}
    found = [it for it in actions(view, at, at, edited) if it.code == "OCC007" and it.key.startswith("budget:")]
    for it in found:
        assert len(it.title) <= 100 and it.kind == "quickfix"
        assert it.command or it.disabled or resolve(view, it.key, edited) == it
    return found


def made(view: View, action: Action) -> View:
    """The document and the settings once the edit is made."""
    assert view.path is not None
    content = {None: view.text.content}
    for edit in sorted(action.edits, key=lambda it: -it.start):
        path = edit.file.path if edit.file else None
        if edit.file is not None:
            content.setdefault(path, edit.file.content)
        content[path] = content[path][: edit.start] + edit.new.encode() + content[path][edit.end :]
    for path, text in content.items():
        (path or view.path).write_bytes(text)
    return read(view.path)


def broken(view: View) -> list[str]:
    return [it.message for it in diagnostics(view) if it.code == "OCC007"]


def test_another_size_keeps_it(tmp_path: Path) -> None:
    """40 registers: one block of 1024 threads is half of an H100's SM, and 6 of 256 are 75%."""
    view = opened(tmp_path, "- {kernel: k, min_percent: 70}")
    *sizes, budget = offered(view)
    assert sizes and all(it.title.startswith("Change block size to ") for it in sizes)
    assert "keeps min_percent 70%" in sizes[0].title
    assert budget.title == "Change the budget to min_percent 50% in .occupancy.yaml (now 70%)"
    for it in (*sizes, budget):
        assert broken(made(view, it)) == []
        view = opened(tmp_path, "- {kernel: k, min_percent: 70}")


@pytest.mark.parametrize(
    ("budgets", "titles"),
    [
        ("- {kernel: k, min_groups: 12, devices: [h100]}", ["min_groups 1 in .occupancy.yaml (now 12)"]),
        (
            "- kernel: k\n    max_registers: 32 # few\n    reason: tight",
            ["max_registers 40 in .occupancy.yaml (now 32)"],
        ),
        (
            "- {kernel: k, max_registers: 32, min_percent: 99.5%}",
            ["min_percent 50% in .occupancy.yaml (now 99.5%)", "max_registers 40 in .occupancy.yaml (now 32)"],
        ),
        ("- {kernel: 'k', min_groups: '12'}", []),  # in quotes: a person's own way to write it
    ],
)
def test_a_budget_that_can_be_kept(tmp_path: Path, budgets: str, titles: list[str]) -> None:
    """The value is what is so, and is left selected; nothing else of the file changes."""
    found = [it for it in offered(opened(tmp_path, budgets)) if it.value is not None]
    assert [it.title for it in found] == [f"Change the budget to {it}" for it in titles]
    for it in found:
        (edit,) = it.edits
        assert edit.file is not None and edit.file.path == tmp_path / ".occupancy.yaml"
        assert (it.value, it.width) == (0, len(edit.new))
        view = opened(tmp_path, budgets)
        limit = it.title.split()[4]
        assert len(broken(made(view, it))) == len(titles) - 1
        assert not any(limit in message for message in broken(read(tmp_path / "a.cu")))


def test_percent_is_rounded_to_what_is_kept(tmp_path: Path) -> None:
    """64 registers: 3 blocks of 320 threads are 30 of the 48 warps of an RTX 4090's SM; 2 of 512 are 32: 66.67%."""
    source = SOURCE.replace("=40", "=64").replace("1023", "319").replace("1024", "320")
    view = opened(tmp_path, "- {kernel: k, min_percent: 90}", source, "rtx-4090")
    (budget,) = [it for it in offered(view) if it.value is not None]
    assert "min_percent 62.5% in" in budget.title
    view = opened(tmp_path, "- {kernel: k, min_percent: 90}", source.replace("320", "512"), "rtx-4090")
    (budget,) = [it for it in offered(view) if it.value is not None]
    assert "min_percent 66.6% in" in budget.title


def test_why_there_is_no_edit_of_the_kernel(tmp_path: Path) -> None:
    refused = next(it for it in offered(opened(tmp_path, "- {kernel: k, min_groups: 4}", FIXED)) if it.disabled)
    assert refused.title == "Edit the kernel to keep min_groups 4"
    assert refused.disabled.startswith("its grid does not visibly follow the size (line 3)")
    elsewhere = opened(tmp_path, "- {kernel: k, min_percent: 80, devices: [a100]}")
    refused = next(it for it in offered(elsewhere) if it.disabled)
    assert refused.disabled == "it is broken on a device that is not selected"


def test_bounds_that_may_keep_it_are_tried(tmp_path: Path) -> None:
    """32 registers leave room for 2 blocks of 1024 threads; what the compiler makes of them, only it knows."""
    for least, kind in ((2, "occupancy.tryBounds"), (3, "")):
        (found,) = [
            it for it in offered(opened(tmp_path, f"- {{kernel: k, min_groups: {least}}}", FIXED)) if it.value is None
        ]
        assert (found.command or ("",))[0] == kind and bool(found.disabled) == (not kind)
    assert found.disabled.endswith("; no other bounds can keep it")


def test_bytes_are_written_as_people_do(tmp_path: Path) -> None:
    source = SOURCE.replace("// occupancy: regs=40\n", "").replace("void k", "void __launch_bounds__(1024, 1) k")
    source = source.replace("1024>>>", "1024, 65536>>>").replace(
        "n) { p", "n) { extern __shared__ float t[]; t[n] = 1; p"
    )
    found = offered(opened(tmp_path, "- {kernel: k, max_local: 32KiB}", source))
    assert [it.title for it in found if it.value is not None] == [
        "Change the budget to max_local 64KiB in .occupancy.yaml (now 32 KiB)"
    ]


def test_what_is_kept_or_open_has_no_such_edits(tmp_path: Path) -> None:
    assert offered(opened(tmp_path, "- {kernel: k, min_percent: 50}")) == []
    unknown = SOURCE.replace("// occupancy: regs=40\n", "")
    assert offered(opened(tmp_path, "- {kernel: k, max_registers: 64}", unknown)) == []


@pytest.mark.parametrize(
    ("unsaved", "there"),
    [
        ("budgets:\n  # Ours.\n  - {kernel: k, min_groups: 12} # all\n", True),
        ("budgets:\n  # Ours.\n  - {kernel: q, min_groups: 12}\n  - {kernel: k, min_groups: 12}\n", False),
        ("budgets:\n  # Ours.\n  - {kernel: k, min_groups: 14}\n", False),
        ("budgets: [\n", False),
    ],
)
def test_settings_that_are_not_saved(tmp_path: Path, unsaved: str, there: bool) -> None:
    """The budget of another kernel may stand where that of this one did when the settings were read."""
    view = opened(tmp_path, "- {kernel: k, min_groups: 12}")
    found = [it.edits[0].start for it in offered(view, unsaved.encode()) if it.value is not None]
    assert found == [unsaved.find("12")] * there


def test_a_budget_of_several_kernels(tmp_path: Path) -> None:
    """64 registers leave room for one block of 640 threads: 20 of 64 warps, fewer than of the first kernel."""
    other = SOURCE.replace("=40", "=64").replace("void k", "void m").replace("void run", "void rum")
    other = other.replace("k<<<", "m<<<").replace("1024", "640").replace("1023", "639")
    view = opened(tmp_path, "- {kernel: '*', min_percent: 70}", SOURCE + other)
    (found,) = [it for it in offered(view) if it.value is not None]
    assert found.title == "Change the budget of '*' to min_percent 31.2% in .occupancy.yaml (now 70%)"
    assert len(broken(view)) == 2
    assert broken(made(view, found)) == []
