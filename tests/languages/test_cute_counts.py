"""Counts of the CuTe DSL's cubins, and whose they are."""

from __future__ import annotations

import os
import re
import tarfile
from functools import cache
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.cute_names import function_of
from occupancy_lsp.counts.formats import cubin
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View

_DATA = Path(__file__).parents[1] / "data" / "cute"
SOURCE = (_DATA / "shapes" / "counted.py").read_text()
_DEVICES = {"sm_90": "h100", "sm_100": "b200"}
_MODULE = "shapes/counted.py"
_SYMBOLS = {  # but for the types of what they take
    "scale": "scale",
    "scale_rows": "scale_rows",
    "Scale.kernel": "kernel_shapescountedScale_object_at_",
    "MyScale.kernel": "kernel_shapescountedMyScale_object_at_",
}
_THREADS = {"scale": 96, "scale_rows": 192, "Scale.kernel": 256, "MyScale.kernel": 160}


@cache
def files() -> dict[str, bytes]:
    with tarfile.open(_DATA / "cubins.tar.xz") as archive:
        found = [(member.name, archive.extractfile(member)) for member in archive.getmembers()]
        return {name: stream.read() for name, stream in found if stream is not None}


@cache
def truth() -> dict[tuple[str, str], int]:
    """The registers that `cuobjdump -res-usage` shows, by what parts a symbol from others, and the architecture."""
    said = re.findall(
        r"^\S+\.(sm_\d+)a\.cubin\n[^\0]*? Function kernel_cutlass_(\w+)_tensor\w+:\n +REG:(\d+)",
        files()["usage.txt"].decode(), re.MULTILINE,
    )  # fmt: skip
    return {(symbol.removesuffix("_") if "object" not in symbol else symbol, arch): int(n) for arch, symbol, n in said}


def built(root: Path, source: str = SOURCE, name: str = _MODULE, of: str = "") -> Path:
    """A file and, newer than it, the cubins whose names have `of` in them."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    os.utime(path, (1e9, 1e9))
    (root / "build").mkdir(exist_ok=True)
    for it in (it for it in files() if it.endswith(".cubin") and of in it):
        (root / "build" / it).write_bytes(files()[it])
    return path


def view_of(root: Path, path: Path, source: str = SOURCE, device: str = "h100") -> View:
    project = Project(root, None, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    (view,) = open_file(path, "python", Text(source.encode()), project).views()
    return view


def counted(view: View) -> dict[str, int | None]:
    return {it.kernel.qualified: it.registers.exact for it in view.reports if it.registers.lowest is not None}


@pytest.mark.parametrize("arch", _DEVICES)
def test_every_kernel_has_the_registers_that_cuobjdump_shows(tmp_path: Path, arch: str) -> None:
    path = built(tmp_path, of="shapes")
    built(tmp_path, of="run_")
    view = view_of(tmp_path, path, device=_DEVICES[arch])
    assert counted(view) == {name: truth()[symbol, arch] for name, symbol in _SYMBOLS.items()}
    assert {it.kernel.qualified: it.size.exact for it in view.reports} == _THREADS
    assert len(truth()) == 10


@pytest.mark.parametrize("name", _SYMBOLS)
def test_a_cubin_is_of_one_kernel(tmp_path: Path, name: str) -> None:
    symbol = _SYMBOLS[name]
    file = "shapescounted" + name.partition(".")[0] + "_" if "." in name else f"run_{name}_Fake"
    assert counted(view_of(tmp_path, built(tmp_path, of=file))) == {name: truth()[symbol, "sm_90"]}


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("shapes/counted.py", True),
        ("src/shapes/counted.py", True),
        ("shapescounted.py", True),
        ("counted.py", True),  # below a folder that is called otherwise
        ("other/counted.py", False),
        ("shapes/my.py", False),
    ],
)
def test_a_method_is_of_the_module_that_its_symbol_names(tmp_path: Path, name: str, held: bool) -> None:
    root = tmp_path / "shapes" if name == "counted.py" else tmp_path
    found = counted(view_of(root, built(root, name=name, of="__call___shapes")))
    assert found.keys() == ({"Scale.kernel", "MyScale.kernel"} if held else set())


def test_what_may_be_of_two_files_is_of_neither(tmp_path: Path) -> None:
    path = built(tmp_path)
    built(tmp_path, name="shapes/other.py")
    assert counted(view_of(tmp_path, path)).keys() == {"Scale.kernel", "MyScale.kernel"}
    script = tmp_path / "script"
    one = built(script, of="__main__")
    assert "Scale.kernel" in counted(view_of(script, one))
    built(script, name="shapes/other.py", of="__main__")
    assert "Scale.kernel" not in counted(view_of(script, one))


def test_a_method_of_a_script(tmp_path: Path) -> None:
    path = built(tmp_path, name="run.py", of="__main__")
    assert counted(view_of(tmp_path, path)) == {"Scale.kernel": 8}


def test_edits_make_counts_stale(tmp_path: Path) -> None:
    path = built(tmp_path)

    def first(was: str, now: str) -> list[str]:
        assert was in SOURCE
        source = SOURCE.replace(was, now)
        return [it.label for it in hints(view_of(tmp_path, path, source), 0, len(source))]

    assert len(counted(view_of(tmp_path, path))) == 4
    assert "stale" not in " ".join(first("cutlass.cute", "cutlass.cute "))
    assert [it.endswith("stale") for it in first("= 1.0", "= 2.0")] == [True, False, False, False]
    assert [it.endswith("stale") for it in first("threads = 256", "threads = 2 * 128")] == [False, False, True, False]
    assert first("threads = 256", "threads = 128")[2].startswith("128 thr")  # compiled for another block


def test_a_launch_of_another_block_is_not_what_was_compiled(tmp_path: Path) -> None:
    path = built(tmp_path)
    view = view_of(tmp_path, path, SOURCE.replace("[96", "[128"))
    assert "scale" not in counted(view) and view.reports[0].size.exact == 128


def test_symbols() -> None:
    assert [cubin.read(data, name).usages[0].group_size for name, data in files().items() if "run_scale_F" in name] == [
        96
    ] * 2
    told = {
        "scale_tensorptrf32gmemo2561_0": "scale",
        "scale_rows_tensorptrbf16gmemalign16o2561_12": "scale_rows",
        "kernel___main__Scale_object_at__TiledMMA_ThrLayoutVMNK_1,1_tensorptrf32gmemo2561_0": (
            "kernel___main__Scale_object_at_"
        ),
        "scale_4_tensorptrf32gmemo2561_0": None,
        "scale_True_tensorptrf32gmemo2561_0": None,
        "scale_4_0": None,
        "scale_0": None,
        "scale_tensor_0": None,
    }
    assert {it: function_of(f"kernel_cutlass_{it}") for it in told} == told
    assert function_of("scale_tensorptrf32gmemo2561_0") is None


def test_kernels_of_other_languages_have_nothing_of_it(tmp_path: Path) -> None:
    source = "from numba import cuda\n\n@cuda.jit\ndef scale(x):\n    x[0] = 1\n\ndef run(x):\n    scale[1, 96](x)\n"
    view = view_of(tmp_path, built(tmp_path, source, "other.py"), source)
    assert [it.counted for it in view.reports] == [()]
