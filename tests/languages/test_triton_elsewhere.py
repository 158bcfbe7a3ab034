"""Launches of Triton's kernels in files that import them."""

from __future__ import annotations

import shutil
from pathlib import Path
from time import process_time

import pytest

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import label_of
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.languages.python.importing import imported_names
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

_KERNEL = """\
import triton
import triton.language as tl

@triton.jit
def k(x, BLOCK: tl.constexpr):
    tl.store(x, 0)
"""
ANY = [32, 64, 128, 256, 512, 1024]


def project_of(root: Path, files: dict[str, str], *devices: str) -> Project:
    for name, text in {"pkg/__init__.py": "", "pkg/ops/__init__.py": "", "pkg/ops/k.py": _KERNEL, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    project = Project(root, None, {"devices": list(devices or ("h100",))})
    project.read_sources(lambda: False, lambda done, total: None)
    return project


def view_of(project: Project, name: str = "pkg/ops/k.py") -> View:
    assert project.root is not None
    path = project.root / name
    view = OpenFile(path, "python", Text(path.read_bytes()), project).view()
    assert view is not None
    return view


def kernel_in(root: Path, files: dict[str, str], *devices: str) -> KernelReport:
    return view_of(project_of(root, files, *devices)).reports[0]


def sizes(root: Path, files: dict[str, str]) -> list[int | None]:
    return [it.launch.size.number for it in kernel_in(root, files).far]


_RUN = "\ndef run(x):\n    k[(1,)](x, num_warps=8)\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pkg/run.py", f"from .ops.k import k{_RUN}"),
        ("pkg/ops/run.py", f"from .k import k{_RUN}"),
        ("pkg/deep/er/run.py", f"from ...ops.k import k{_RUN}"),
        ("run.py", f"from pkg.ops.k import other, k{_RUN}"),
        ("run.py", f"from pkg.ops.k import (  # of ours\n    other,  # not\n    k,\n){_RUN}"),
        ("run.py", f"from pkg.ops.k import other, \\\n    k{_RUN}"),
        ("pkg/ops/run.py", f"from k import k{_RUN}"),
        ("run.py", "from pkg.ops.k import k as fast\n\ndef run(x):\n    fast[(1,)](x, num_warps=8)\n"),
        ("run.py", "def run(x):\n    from pkg.ops.k import k\n    k[(1,)](x, num_warps=8)\n"),
        ("run.py", f"try:\n    from pkg.ops.k import k\nexcept ImportError:\n    k = None\n{_RUN}"),
        ("run.py", f"from other import *\nfrom pkg.ops.k import k\n{_RUN}"),
        ("run.py", f"from pkg.ops.k import k\nTOLD = 'from other import *'\n{_RUN}"),
        ("run.py", f"W = 4\nfrom pkg.ops.k import k\n{_RUN.replace('=8', '=2 * W')}"),
        (
            "run.py",
            "from pkg.ops.k import k, other\n\ndef run(x):\n    impl = k\n    if x:\n        impl = other\n"
            "    impl[(1,)](x, num_warps=8)\n",
        ),
        (
            "run.py",
            "from pkg.ops.k import k as one\nfrom o import two\n\ndef run(x):\n"
            "    {1: one, 2: two}[x][(1,)](x, num_warps=8)\n",
        ),
    ],
)
def test_an_import_says_whose_launch_it_is(tmp_path: Path, name: str, text: str) -> None:
    assert sizes(tmp_path, {name: text}) == [256]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.py", f"from other.k import k{_RUN}"),
        ("run.py", f"from k import k{_RUN}"),  # may be one that is installed
        ("pkg/run.py", f"from .k import k{_RUN}"),
        ("run.py", f"from pkg.ops.k import other as k{_RUN}"),
        ("run.py", f"from pkg.ops.k import k\nif FAST:\n    from fast import k{_RUN}"),
        ("run.py", f"from pkg.ops.k import k\nfrom other import *\n{_RUN}"),
        ("run.py", f"from pkg.ops.k import k\nif FAST:\n    from other import *\n{_RUN}"),
        ("run.py", f"if FAST:\n    from other import *\n    from pkg.ops.k import k\n{_RUN}"),  # cannot be ordered
        ("run.py", f"from pkg.ops.k import k\nmatch asked:\n    case {{'a': 1, **k}}:\n        pass\n{_RUN}"),
        ("run.py", f"from pkg.ops.k import k\nk = wrapped(k){_RUN}"),
        ("run.py", "from pkg.ops.k import k\n\ndef run(x, k):\n    k[(1,)](x, num_warps=8)\n"),
        ("run.py", "from pkg.ops.k import k\n\ndef run(x):\n    go(k, x)\n"),
        ("run.py", f"import sys\nfrom pkg.ops.k import k\nsetattr(sys.modules[__name__], 'k', other){_RUN}"),
        ("run.py", '"""\nfrom pkg.ops.k import k\n"""\n' + _RUN),
        ("pkg/ops/k/__init__.py", f"from ..k import k{_RUN}"),  # then the module is one of two files
    ],
)
def test_what_may_be_of_another_kernel_is_of_none(tmp_path: Path, name: str, text: str) -> None:
    assert sizes(tmp_path, {name: text}) == []


@pytest.mark.parametrize(
    "kernel",
    [
        _KERNEL.replace("@triton", "if FAST:\n    k = None\n\n@triton"),
        f"{_KERNEL}\nk = wrapped(k)\n",
        f"{_KERNEL}\nfrom .other import k\n",
        f"{_KERNEL}\nfrom other import k\n",
        f"{_KERNEL}\nfrom .other import *\n",
        f"{_KERNEL}\ndef change(m):\n    setattr(m, 'k', other)\n",
        "import triton\n\ndef make():\n    @triton.jit\n    def k(x):\n        tl.store(x, 0)\n    return k\n",
        "import triton\n\nclass A:\n    @triton.jit\n    def k(x):\n        tl.store(x, 0)\n",
    ],
)
def test_a_name_that_may_mean_something_else_is_no_kernels(tmp_path: Path, kernel: str) -> None:
    assert sizes(tmp_path, {"pkg/ops/k.py": kernel, "run.py": f"from pkg.ops.k import k{_RUN}"}) == []


def test_an_import_of_everything_hides_nothing_that_is_defined_behind_it(tmp_path: Path) -> None:
    files = {"pkg/ops/k.py": f"from .other import *\n{_KERNEL}", "run.py": f"from pkg.ops.k import k{_RUN}"}
    assert sizes(tmp_path, files) == [256]


def test_two_files_that_an_import_may_mean(tmp_path: Path) -> None:
    files = {"build/pkg/ops/k.py": _KERNEL, "run.py": f"from pkg.ops.k import k{_RUN}"}
    assert sizes(tmp_path, files) == []


def test_packages_hand_on_what_they_import(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from .ops import k\n",
        "pkg/ops/__init__.py": "from .k import k\n",
        "run.py": "from pkg import k as go\n\ndef run(x):\n    go[(1,)](x, num_warps=2)\n",
    }
    assert sizes(tmp_path, files) == [64]


@pytest.mark.parametrize("other", ["    go(k, x)\n", "    k.run(x, num_warps=16)\n", "    impl = k\n    go(impl)\n"])
def test_what_is_handed_on_may_have_any_size(tmp_path: Path, other: str) -> None:
    assert sizes(tmp_path, {"run.py": f"from pkg.ops.k import k{_RUN}{other}"}) == [256, *ANY]


def test_a_launch_elsewhere_is_an_instance_of_its_own(tmp_path: Path) -> None:
    run = _RUN.replace("num_warps=8", "num_warps=32, maxnreg=40")
    report = kernel_in(tmp_path, {"run.py": f"from pkg.ops.k import k{run}"})
    assert report.size.exact == 1024 and report.registers.highest == 40
    several = kernel_in(tmp_path, {"more.py": f"from pkg.ops.k import k{_RUN}"})
    assert several.size.sizes == (256, 1024) and several.size.origin == "of 2 launches in other files"
    assert {it.arguments: it.attributes.max_registers for it in several.kernel.instances}[
        "num_warps=8, num_stages=3, num_ctas=1"
    ] is None


def test_launches_here_and_elsewhere(tmp_path: Path) -> None:
    own = _KERNEL + "\ndef near(x):\n    k[(1,)](x)\n"
    report = kernel_in(tmp_path, {"pkg/ops/k.py": own, "run.py": f"from pkg.ops.k import k{_RUN}"})
    assert report.size.sizes == (128, 256)
    shown = markdown(explain(view_of(project_of(tmp_path, {})), 0))
    assert "Launched in run.py:3 with 256 threads." in shown


def test_a_launch_of_several_sizes_is_told_once(tmp_path: Path) -> None:
    run = _RUN.replace("=8", "=warps")
    view = view_of(project_of(tmp_path, {"run.py": f"from pkg.ops.k import k{run}"}))
    assert "Launched in run.py:3 with 32, 64, 128, 256, 512 or 1024 threads." in markdown(explain(view, 0))
    assert view.reports[0].size.origin == "of the launch at run.py:3"


@pytest.mark.parametrize(
    "decorator",
    [
        "@triton.autotune([triton.Config({}, num_warps=2)], key=[])",
        "@triton.heuristics({'num_warps': lambda args: 8})",
        "@libtuner(configs=[])",
    ],
)
def test_decorators_decide_before_launches(tmp_path: Path, decorator: str) -> None:
    kernel = _KERNEL.replace("@triton.jit", f"{decorator}\n@triton.jit")
    assert sizes(tmp_path, {"pkg/ops/k.py": kernel, "run.py": f"from pkg.ops.k import k{_RUN}"}) == []


def test_specialised_warps_are_not_those_of_the_launch(tmp_path: Path) -> None:
    kernel = _KERNEL + "    for i in tl.range(0, 4, warp_specialize=True):\n        pass\n"
    assert sizes(tmp_path, {"pkg/ops/k.py": kernel, "run.py": f"from pkg.ops.k import k{_RUN}"}) == []


_HELPER = """\
import triton
import triton.language as tl

@triton.jit
def inner(x, n):
    for i in tl.range(0, n, warp_specialize=True):
        tl.store(x + i, 0)

@triton.jit
def outer(x, n):
    inner(x, n)

@triton.jit
def plain(x, n):
    tl.store(x, n)
"""


@pytest.mark.parametrize(
    ("imported", "called", "size"),
    [
        ("from .helpers import inner", "inner", None),
        ("from .helpers import outer as go", "go", None),
        ("from . import helpers", "helpers.outer", None),
        ("from .helpers import plain", "plain", 256),
    ],
)
def test_warps_may_be_specialised_in_another_file(tmp_path: Path, imported: str, called: str, size: int | None) -> None:
    kernel = f"{imported}\n{_KERNEL}    {called}(x, 4)\n{_RUN}"
    project = project_of(tmp_path, {"pkg/ops/k.py": kernel, "pkg/ops/helpers.py": _HELPER})
    assert view_of(project).reports[0].size.exact == size


def test_a_file_that_comes_to_specialise_warps(tmp_path: Path) -> None:
    kernel = f"from .helpers import plain\n{_KERNEL}    plain(x, 4)\n{_RUN}"
    project = project_of(tmp_path, {"pkg/ops/k.py": kernel, "pkg/ops/helpers.py": _HELPER})
    path = tmp_path / "pkg/ops/k.py"
    file = OpenFile(path, "python", Text(path.read_bytes()), project)
    view = file.view()
    assert view is not None and view.reports[0].size.exact == 256
    helper = tmp_path / "pkg/ops/helpers.py"
    helper.write_text(_HELPER.replace("tl.store(x, n)", "inner(x, n)"))
    for job in project.changing([helper]):
        job.now()
    view = file.view()
    assert view is not None and view.reports[0].size.exact is None


def test_a_launch_that_changes_on_disk(tmp_path: Path) -> None:
    project = project_of(tmp_path, {"run.py": f"from pkg.ops.k import k{_RUN}"})
    path = tmp_path / "pkg/ops/k.py"
    file = OpenFile(path, "python", Text(path.read_bytes()), project)

    def label() -> str | None:
        view = file.view()
        found = label_of(view.reports[0]) if view is not None else None
        return found.text if found is not None else None

    before = label()
    assert before is not None
    (tmp_path / "run.py").write_text(f"from pkg.ops.k import k{_RUN.replace('=8', '=64')}")
    assert project.changed([tmp_path / "run.py"])
    assert label() == "no launch: 2048>1024 threads"
    (tmp_path / "run.py").unlink()
    assert project.changed([tmp_path / "run.py"])
    assert label() is None


def test_a_folder_that_is_deleted(tmp_path: Path) -> None:
    """Some clients tell of the folder alone."""
    project = project_of(tmp_path, {"app/run.py": f"from pkg.ops.k import k{_RUN}"})
    path = tmp_path / "pkg/ops/k.py"
    file = OpenFile(path, "python", Text(path.read_bytes()), project)

    def far() -> int:
        view = file.view()
        return len(view.reports[0].far) if view is not None else -1

    assert far() == 1
    shutil.rmtree(tmp_path / "app")
    assert project.changed([tmp_path / "app"])
    assert far() == 0


def test_files_that_are_not_read_leave_the_size_open(tmp_path: Path) -> None:
    known = {f"u{it:02}.py": f"from pkg.ops.k import k{_RUN}" for it in range(64)}
    report = kernel_in(tmp_path, known)
    assert report.size.exact == 256 and len(report.far) == 64
    report = kernel_in(tmp_path, {"v.py": f"from pkg.ops.k import k{_RUN.replace('=8', '=16')}"})
    assert report.size.exact is None and report.size.sizes != (256,)
    shown = markdown(explain(view_of(project_of(tmp_path, {})), 0))
    assert "Threads per block: more than 64 files import a kernel of this name. State" in shown
    assert "v.py" not in shown and " and 60 more." in shown


def test_unclosed_parentheses_take_no_longer() -> None:
    text = b"from a import (b\n"

    def seconds(lines: int) -> float:
        start = process_time()
        assert len([*imported_names(text * lines)]) == lines
        return process_time() - start

    assert min(seconds(8000) for _ in range(3)) < 20 * min(seconds(800) for _ in range(3))


def test_parentheses_in_comments_end_no_import() -> None:
    assert [*imported_names(b"from a import (  # (of ours)\n    b,  # not c)\n    d,\n)\n")] == ["b", "d"]


def test_what_is_cancelled_is_asked_again(tmp_path: Path) -> None:
    project = project_of(tmp_path, {"run.py": f"from pkg.ops.k import k{_RUN}"})
    project.work_later(lambda: None)
    path = tmp_path / "pkg/ops/k.py"
    file = OpenFile(path, "python", Text(path.read_bytes()), project)
    view = file.view()
    assert view is not None and not view.reports[0].far
    job = project.working()
    assert job is not None and not job.now(lambda: True)
    assert project.work(lambda: False)
    view = file.view()
    assert view is not None and [it.launch.size.number for it in view.reports[0].far] == [256]


def test_answers_come_later_where_somebody_types(tmp_path: Path) -> None:
    project = project_of(tmp_path, {"run.py": f"from pkg.ops.k import k{_RUN}"})
    asked: list[None] = []
    project.work_later(lambda: asked.append(None))
    path = tmp_path / "pkg/ops/k.py"
    file = OpenFile(path, "python", Text(path.read_bytes()), project)
    view = file.view()
    assert view is not None and not view.reports[0].far and asked
    assert project.work(lambda: False)
    view = file.view()
    assert view is not None and [it.launch.size.number for it in view.reports[0].far] == [256]
