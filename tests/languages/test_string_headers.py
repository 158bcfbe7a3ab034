"""Headers of the workspace that a program in a string includes."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.holding_file import HoldingFile, open_file
from occupancy_lsp.session.project import Project

_SIZES = "#pragma once\nconstexpr int N = {0};\n"
_TEXT = """
#include "sizes.cuh"
__global__ void __launch_bounds__(N) k(float *x) {
    __shared__ float s[N]; s[threadIdx.x] = x[0]; __syncthreads(); x[1] = s[1];
}
"""


def project(root: Path, headers: dict[str, int]) -> Project:
    for name, size in headers.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(_SIZES.format(size))
    made = Project(root, None, {"devices": ["h100"]})
    made.read_sources(lambda: False, lambda done, total: None)
    return made


def source(call: str) -> str:
    return f"def make(here):\n    code = r'''{_TEXT}'''\n    return {call}\n"


def opened(of: Project, call: str, name: str = "k.py") -> HoldingFile:
    assert of.root is not None
    file = open_file(of.root / name, "python", Text(source(call).encode()), of)
    assert isinstance(file, HoldingFile)
    return file


def bound(file: HoldingFile) -> int | None:
    (view,) = file.views()
    (kernel,) = view.facts.kernels
    assert kernel.attributes.bounds is not None
    number = kernel.attributes.bounds.max_threads.value.number
    assert kernel.summary.local.exact == (number and 4 * number)
    return number


_TWO = {"one/sizes.cuh": 64, "other/sizes.cuh": 128}


@pytest.mark.parametrize(
    ("headers", "call", "size"),
    [
        (_TWO, "cupy.RawKernel(code, 'k', options=('-Ione',))", 64),
        (_TWO, "cupy.RawKernel(code, 'k', options=('-I', 'other'))", 128),
        (_TWO, "cupy.RawModule(code=code, options=('--include-path=other',))", 128),
        (_TWO, "Program(code, 'c++', ProgramOptions(include_path='one'))", 64),
        (_TWO, "Program(code, 'c++', ProgramOptions(include_path=['none', 'other']))", 128),
        (_TWO, "SourceModule(code, include_dirs=['one'])", 64),
        (_TWO, "load_inline('m', '', code, extra_include_paths=['other'])", 128),
        (_TWO, "cupy.RawKernel(code, 'k')", None),
        (_TWO, "cupy.RawKernel(code, 'k', options=(f'-I{here}',))", None),
        (_TWO, "cupy.RawKernel(code, 'k', options=here)", None),
        ({"one/sizes.cuh": 64}, "cupy.RawKernel(code, 'k', options=(f'-I{here}',))", 64),  # there is but one
        ({"sizes.cuh": 32, **_TWO}, "cupy.RawKernel(code, 'k', options=('-I.',))", 32),
        ({}, "cupy.RawKernel(code, 'k', options=('-Ione',))", None),
    ],
)
def test_headers_are_those_that_the_options_name(
    tmp_path: Path, headers: dict[str, int], call: str, size: int | None
) -> None:
    assert bound(opened(project(tmp_path, headers), call)) == size


def test_a_folder_that_may_be_one_of_two_is_not_known(tmp_path: Path) -> None:
    of = project(tmp_path, {"one/sizes.cuh": 64, "python/one/sizes.cuh": 128})
    assert bound(opened(of, "cupy.RawKernel(code, 'k', options=('-Ione',))", "python/k.py")) is None
    assert bound(opened(of, "cupy.RawKernel(code, 'k', options=('-Ipython/one',))", "python/k.py")) == 128


def test_other_options_have_other_headers(tmp_path: Path) -> None:
    file = opened(project(tmp_path, _TWO), "cupy.RawKernel(code, 'k', options=('-Ione',))")
    assert bound(file) == 64
    at = file.text.content.index(b"-Ione") + 2
    file.edit(at, at + 3, b"other")
    assert bound(file) == 128
    file.edit(at, at + 5, b"one")
    assert bound(file) == 64


def test_two_programs_have_their_own_headers(tmp_path: Path) -> None:
    calls = "cupy.RawKernel(code, 'k', options=('-Ione',)), cupy.RawKernel(r'''\n" + _TEXT + "''', 'k', ('-Iother',))"
    views = opened(project(tmp_path, _TWO), calls).views()
    bounds = [it.facts.kernels[0].attributes.bounds for it in views]
    assert [it and it.max_threads.value.number for it in bounds] == [64, 128]


def test_a_header_that_changes_is_read_again(tmp_path: Path) -> None:
    of = project(tmp_path, _TWO)
    file = opened(of, "cupy.RawKernel(code, 'k', options=('-Ione',))")
    assert bound(file) == 64
    (tmp_path / "one" / "sizes.cuh").write_text(_SIZES.format(1024))
    assert of.changed([tmp_path / "one" / "sizes.cuh"])
    assert bound(file) == 1024


def test_headers_are_read_while_keys_go_on(tmp_path: Path) -> None:
    of = project(tmp_path, _TWO)
    called: list[None] = []
    of.work_later(lambda: called.append(None))
    file = opened(of, "cupy.RawKernel(code, 'k', options=('-Ione',))")
    assert bound(file) is None
    assert called
    assert of.work(lambda: False)
    assert bound(file) == 64
