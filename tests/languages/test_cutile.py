"""cuTile's kernels in Python files, against what cuTile's compiler made of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.formats import cubin
from occupancy_lsp.counts.names import same_kernel
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View
from occupancy_lsp.source.kernels.kernel import Kernel
from tests.counts.damage import damaged
from tests.cutile_samples import FOLDER, SOURCE, files, truth

_DEVICES = {"sm_80": "a100", "sm_90": "h100", "sm_100": "b200", "sm_120": "rtx-5090"}
_RESERVED = 1024  # bytes that the driver keeps of each block's from sm_90 on
_HEAD = "import cuda.tile as ct\n\nN = 4\n\n"


def view_of(source: str, device: str = "h100", folder: Path | None = None, name: str = "kernels.py") -> View:
    project = Project(folder, None, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    (view,) = open_file((folder or Path()) / name, "", Text(source.encode()), project).views()
    return view


def kernel_of(source: str, device: str = "h100") -> Kernel:
    (kernel,) = view_of(_HEAD + dedent(source), device).facts.kernels
    return kernel


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """The kernels and, newer than them, all that was compiled of them."""
    (tmp_path / "kernels.py").write_text(SOURCE)
    os.utime(tmp_path / "kernels.py", (1e9, 1e9))
    (tmp_path / "build").mkdir()
    for name in (it for it in files() if it.endswith(".cubin")):
        (tmp_path / "build" / name).write_bytes(files()[name])
    return tmp_path


def test_cubins_say_what_cuobjdump_says_of_them() -> None:
    read = {(name, it.kernel): it for name in files() for it in cubin.read(files()[name], name).usages}
    assert read.keys() == {(it["file"], it["symbol"]) for it in truth()} and len(read) == 24
    for it in truth():
        usage = read[it["file"], it["symbol"]]
        reserved = _RESERVED if it["shared"] and it["arch"] != "sm_80" else 0
        assert same_kernel(usage.kernel, it["kernel"])
        assert (usage.arch, usage.group_size, usage.registers) == (it["arch"], it["threads"], it["registers"])
        assert (usage.static_local, (usage.dynamic_local or 0) + reserved) == (0, it["shared"])
        assert usage.stack == it["stack"] and usage.variant is not None
        assert usage.at == ("/tmp/cutile/project/kernels.py", 0)  # where `make.py` was run


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_raises(data: st.DataObject) -> None:
    cubin.read(data.draw(damaged(files()["add.sm_90.cubin"])), "p")


def test_cubins_say_what_was_asked_for() -> None:
    asked = {"add": None, "four": 4, "two": 2, "pair": None, "softmax": 16}
    for name in (it for it in files() if it.endswith(".cubin")):
        kernel, arch, _ = name.split(".")
        for usage in cubin.read(files()[name], name).usages:
            expected = 6 if kernel == "softmax" and arch in ("sm_80", "sm_90") else asked[kernel]
            assert usage.variant is not None and usage.variant.occupancy == expected


@pytest.mark.parametrize("arch", _DEVICES)
def test_every_kernel_has_what_was_compiled(built: Path, arch: str) -> None:
    view = view_of(SOURCE, _DEVICES[arch], built)
    assert [it.kernel.name for it in view.reports] == ["add", "four", "two", "pair", "softmax"]
    for report in view.reports:
        made = [it for it in truth() if (it["kernel"], it["arch"]) == (report.kernel.name, arch)]
        threads = {it["threads"] for it in made}
        clusters = {it["cluster"] or 1 for it in made}
        assert (set(report.size.sizes), report.size.origin) == (threads, "as compiled")
        assert report.registers.lowest == min(it["registers"] for it in made)
        assert report.registers.highest == max(it["registers"] for it in made)
        assert {report.cluster or 1} == clusters and report.clustered == (clusters != {1})
        assert {it.figure is not None and it.figure.highest.fault is None for it in report.launches} == {True}


def test_hints(built: Path) -> None:
    view = view_of(SOURCE, "h100", built)
    assert [it.label for it in hints(view, 0, len(SOURCE))] == [
        "50–100% · 2 variants", "25% · 2 blk/SM · regs", "25% · 2 blk/SM · regs", "≤12.5% · 1 blk/SM · regs",
        "75% · 6 blk/SM · regs",
    ]  # fmt: skip
    assert [it.label for it in hints(view_of(SOURCE), 0, len(SOURCE))] == []


def test_an_edit_makes_counts_stale(built: Path) -> None:
    told = {
        change: [it.label for it in hints(view_of(SOURCE.replace(*change), "h100", built), 0, len(SOURCE))][1]
        for change in (("= 4", "= 3"), ("import cuda.tile", "import  cuda.tile"), ("(T, T), 0.0", "(T, T), 1.0"))
    }
    assert [*told.values()] == ["25%? · stale", "25% · 2 blk/SM · regs", "25%? · stale"]


@pytest.mark.parametrize(
    ("arch", "messages"),
    [
        ("sm_80", []),
        ("sm_90", ["occupancy=4 is not met on sm_90: as compiled, 2 blocks fit on an SM"]),
        ("sm_100", ["occupancy=16 is not met on sm_100: as compiled, 8 blocks fit on an SM"]),
        ("sm_120", ["occupancy=16 is not met on sm_120: as compiled, 8 blocks fit on an SM"]),
    ],
)
def test_what_the_compiler_did_not_meet(built: Path, arch: str, messages: list[str]) -> None:
    view = view_of(SOURCE, _DEVICES[arch], built)
    assert [it.message for it in diagnostics(view) if it.code == "OCC109"] == messages
    # No number in the text stands for a name.
    titles = [it.title for it in actions(view, 0, len(SOURCE)) if "which the compiler meets" in it.title]
    assert titles == ["Set occupancy to 8, which the compiler meets"] * (arch in ("sm_100", "sm_120"))


def labels(source: str, built: Path, name: str = "kernels.py") -> list[str]:
    return [it.label for it in hints(view_of(source, "h100", built, name), 0, len(source))]


_NUMBA = """
from numba import cuda
import numpy as np

@cuda.jit
def add(a):
    a[0] = 1

x = np.zeros(128)
add[1, 128](x)
"""


def test_kernels_of_other_languages_have_nothing_of_it(built: Path) -> None:
    alone = labels(_NUMBA, built.parent / "elsewhere")
    cpp = "__global__ void add(float *a) { a[0] = 1; }\nvoid f(float *x) { add<<<1, 128>>>(x); }\n"
    for name, source in (("kernels.py", _NUMBA), ("numba_kernels.py", _NUMBA), ("add.cu", cpp)):
        (built / name).write_text(source)
        os.utime(built / name, (1e9, 1e9))
        view = view_of(source, "h100", built, name)
        assert [it.counted for it in view.reports] == [()]
        assert {it.why for it in view.reports[0].unused} <= {
            "compiled from another language",
            "of the kernel in kernels.py",
        }
    assert labels(_NUMBA, built, "numba_kernels.py") == alone


_LOG = """\
ptxas info    : Compiling entry function 'add' for 'sm_90'
ptxas info    : Function properties for add
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 360 bytes cmem[0]
"""
_DECLARED = "kernels:\n  add: { registers: 48 }\n"
_ADDS = {
    "cutile": f"{_HEAD}@ct.kernel\ndef add(a):\n    pass\n",
    "numba": _NUMBA,
    "warp": "import warp as wp\n\n@wp.kernel\ndef add(a: wp.array(dtype=float)):\n    a[0] = 1.0\n\n"
    "wp.launch(add, dim=1, inputs=[a])\n",
    "cute": "import cutlass.cute as cute\n\n@cute.kernel\ndef add(a):\n    pass\n\nadd(a).launch(grid=1, block=128)\n",
}


@pytest.mark.parametrize("language", _ADDS)
def test_what_does_not_say_that_this_compiler_wrote_it_is_of_other_kernels(tmp_path: Path, language: str) -> None:
    """nvcc calls an `extern "C"` kernel so; Numba, Warp and the CuTe DSL mangle names, and cuTile marks its cubins."""
    (tmp_path / "add.py").write_text(_ADDS[language])
    os.utime(tmp_path / "add.py", (1e9, 1e9))
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "ptxas.log").write_text(_LOG)
    (own,) = view_of(_ADDS[language], "h100", tmp_path, "add.py").reports
    assert own.counted == () and [it.why for it in own.unused] == ["compiled from another language"]
    (tmp_path / "add.py.occupancy.yaml").write_text(_DECLARED)
    (own,) = view_of(_ADDS[language], "h100", tmp_path, "add.py").reports
    assert own.registers.lowest == 48


def test_counts_are_of_the_file_that_was_compiled(built: Path) -> None:
    source = SOURCE.replace("occupancy=2, num_ctas=1", "occupancy=3")
    (built / "b").mkdir()
    (built / "b" / "other.py").write_text(source)
    os.utime(built / "b" / "other.py", (1e9, 1e9))
    view = view_of(source, "h100", built, "b/other.py")
    assert [it.counted for it in view.reports] == [()] * 5 and not diagnostics(view)
    assert {it.why for report in view.reports for it in report.unused} == {"of the kernel in kernels.py"}
    assert all(it.counted for it in view_of(SOURCE, "h100", built).reports)


def test_counts_that_may_be_of_either_of_two_files_are_of_none(built: Path) -> None:
    """Both are called what was compiled, at a place that is not here."""
    (built / "b").mkdir()
    (built / "b" / "kernels.py").write_text(SOURCE)
    for name, other in (("kernels.py", "b/kernels.py"), ("b/kernels.py", f"{built.name}/kernels.py")):
        view = view_of(SOURCE, "h100", built, name)
        assert [it.counted for it in view.reports] == [()] * 5
        assert {it.why for report in view.reports for it in report.unused} == {f"it may be of the kernel in {other}"}
    (built / "b" / "kernels.py").write_text(SOURCE.replace("def add", "def sum"))
    assert [bool(it.counted) for it in view_of(SOURCE, "h100", built).reports] == [True, *[False] * 4]


@pytest.mark.parametrize(
    ("was", "now", "freshness"),
    [
        ("occupancy=2", "occupancy=3", "stale"),
        ("num_ctas=1", "num_ctas=2", "stale"),
        ("occupancy=2", "occupancy=N - 1", "stale"),
        ("occupancy=2", "occupancy=N - 2", "fresh"),
        ("occupancy=2", "occupancy=M", "fresh"),
        ("occupancy=2", "occupancy=ct.ByTarget(sm_90=2, default=3)", "fresh"),
        ("occupancy=2, num_ctas=1", "**OPTIONS", "fresh"),
    ],
)
def test_another_number_than_in_the_cubin_is_another_version(built: Path, was: str, now: str, freshness: str) -> None:
    source = SOURCE.replace(was, now)
    (built / "kernels.py").write_text(source)
    os.utime(built / "kernels.py", (1e9, 1e9))
    (two,) = (it for it in view_of(source, "h100", built).reports if it.kernel.name == "two")
    assert {it.freshness for it in two.counted} == {freshness}


def test_what_was_compiled_for_another_number_is_not_held_against_it(built: Path) -> None:
    source = SOURCE.replace("occupancy=N", "occupancy=3")
    (built / "kernels.py").write_text(source)
    os.utime(built / "kernels.py", (1e9, 1e9))
    assert [it.code for it in diagnostics(view_of(source, "h100", built)) if it.code == "OCC109"] == []


def test_the_number_that_was_reached_is_met() -> None:
    """What the quick fix sets: it takes what was compiled for the number that was not met."""
    rows = json.loads((FOLDER / "asked.json").read_text())
    archs = {it: view_of(SOURCE, device).device.arch for it, device in _DEVICES.items()}  # type: ignore[union-attr]

    def taken(row: dict[str, int]) -> tuple[int, int, int]:
        return row["threads"], row["registers"], row["shared"]

    made = {(it["kernel"], it["arch"], it["asked"]): taken(it) for it in rows}
    unmet = 0
    for (kernel, name, asked), (threads, registers, shared) in made.items():
        reserved = _RESERVED if name != "sm_80" else 0
        groups = archs[name].occupancy(Need(threads, registers, 0, max(shared - reserved, 0))).groups
        if asked is not None and groups < asked:
            unmet += 1
            assert made.get((kernel, name, groups)) == (threads, registers, shared), (kernel, name, asked)
    assert len(made) == 144 and unmet >= 40


def test_what_is_asked_for() -> None:
    def asked(options: str, device: str = "h100") -> tuple[int | None, int | None]:
        kernel = kernel_of(f"@ct.kernel({options})\ndef k(a):\n    pass\n", device)
        groups, cluster = kernel.attributes.asked_groups, kernel.attributes.cluster
        return groups and groups.value.number, cluster and cluster[1][0].number

    assert asked("") == (None, None)
    assert asked("occupancy=2, num_ctas=4") == (2, 4)
    assert asked("occupancy=N * 2, opt_level=3") == (8, None)
    assert asked("occupancy=None, num_ctas=None") == (None, None)
    assert asked("num_ctas=ct.ByTarget(sm_100=8, default=2)") == (None, 2)
    assert asked("num_ctas=ct.ByTarget(sm_100=8, default=2)", "b200") == (None, 8)
    assert asked("num_ctas=2", "a100") == (None, None)
    assert asked("occupancy=ct.ByTarget(sm_100=8)") == (None, None)
    assert asked("occupancy=M") == (None, None)
    assert asked("**OPTIONS") == (None, None)


def test_which_functions_are_kernels() -> None:
    source = """
        from cuda import tile
        from cuda.tile import kernel as tiled

        @ct.kernel
        def one(a): pass

        @tile.kernel(occupancy=2)
        def two(a): pass

        @tiled
        def three(a): pass

        @ct.function
        def helper(a): pass

        @other.kernel
        def four(a): pass
    """
    assert [it.name for it in view_of(_HEAD + dedent(source)).facts.kernels] == ["one", "two", "three"]


def test_files_without_it_are_not_read() -> None:
    project = Project(None, None, {"devices": ["h100"]})
    text = "import numpy as ct\n\n@ct.kernel\ndef k(a): pass\n"
    assert open_file(Path("k.py"), "python", Text(text.encode()), project).views() == ()


_PLAIN = "def k(a):\n    pass\n\n"


@pytest.mark.parametrize(
    ("made", "states"),
    [
        ("k2 = ct.kernel(k)", ()),
        ("k2 = ct.kernel(k, occupancy=2)", (("occupancy", 2),)),
        ("def run():\n    ct.launch(0, (1,), ct.kernel(k, num_ctas=N), ())", (("num_ctas", 4),)),
        ("k2 = ct.kernel(k, occupancy=2)\nk3 = ct.kernel(k, occupancy=4)", ()),
        ("k2 = ct.kernel(k, occupancy=2)\nk3 = k2.replace_hints(occupancy=4)", ()),
        ("k2 = ct.kernel(k, occupancy=2)\nk3 = k2.replace_hints(num_ctas=4)", (("occupancy", 2),)),
        ("k2 = ct.kernel(k, occupancy=2)\nk3 = k2.replace_hints(**given)", ()),
    ],
)
def test_a_function_is_made_a_kernel(made: str, states: tuple[tuple[str, int], ...]) -> None:
    kernel = kernel_of(f"{_PLAIN}{made}\n")
    assert (kernel.name, kernel.states) == ("k", states)
    asked = dict(states).get("occupancy")
    assert (
        kernel.attributes.asked_groups.value.number if kernel.attributes.asked_groups is not None else None
    ) == asked


@pytest.mark.parametrize(
    "made", ["k2 = other(k)", "k2 = ct.kernel(k2)", "k = ct.kernel(k)", "def k(b): pass\nct.kernel(k)"]
)
def test_what_is_not_surely_a_kernel_is_none(made: str) -> None:
    assert not [it for view in _views(f"{_HEAD}{_PLAIN}{made}\n") for it in view.facts.kernels]


def _views(source: str) -> tuple[View, ...]:
    return open_file(Path("k.py"), "", Text(source.encode()), Project(None, None, {"devices": ["h100"]})).views()


def test_counts_of_replaced_hints_are_not_stale(built: Path) -> None:
    """Without it, another number in the source says that another version was compiled."""
    stated = SOURCE.replace("occupancy=2", "occupancy=3", 1)
    replaced = f"{stated}\n\ndef tuned(kernel):\n    return kernel.replace_hints(occupancy=2)\n"
    for source, stale in ((stated, True), (replaced, False)):
        (built / "kernels.py").write_text(source)
        os.utime(built / "kernels.py", (1e9, 1e9))
        labels = [it.label for it in hints(view_of(source, "h100", built), 0, len(source))]
        assert any("stale" in it for it in labels) is stale
