"""Macros with a default in the text, which a build may define otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

_DEFAULT = "#ifndef NT\n#define NT 256\n#endif\n"
_KERNEL = "__global__ void __launch_bounds__(NT) k(float* p) { *p = 1; }\n"
_RULE = "k.o: k.cu\n\tnvcc -DNT=192 -c k.cu -o k.o\n"
_CMAKE = "project(x LANGUAGES CUDA)\nadd_library(k k.cu)\ntarget_compile_definitions(k PRIVATE NT=192)\n"
_SETUP = 'setup(ext_modules=[CUDAExtension("x", ["k.cu"], extra_compile_args={"nvcc": ["-DNT=192"]})])\n'
_JUST = "build:\n  nvcc -DNT=192 -c k.cu\n"
_HOST = '#include <nvrtc.h>\nvoid b(nvrtcProgram p) { const char* o[] = {"-DNT=192"}; nvrtcCompileProgram(p, 1, o); }\n'
_TORCH = 'from torch.utils.cpp_extension import load\nload("k", ["k.cu"], extra_cuda_cflags=["-DNT=192"])\n'
_CUPY = "import cupy\nm = cupy.RawModule(code=open('k.cu').read(), options=('-DNT=192',))\n"
_COMMANDS = '[{"directory": ".", "file": "k.cu", "command": "nvcc -c k.cu"}]'


def _bound(root: Path, source: str, name: str = "k.cu") -> int | None:
    (root / name).write_text(source)
    project = Project(root, None, None)
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(root / name, "", Text(source.encode()), project).view()
    assert view is not None
    (kernel,) = view.facts.kernels
    assert kernel.attributes.bounds is not None
    return kernel.attributes.bounds.max_threads.value.number


_BUILDS = [
    ("Makefile", _RULE),
    ("CMakeLists.txt", _CMAKE),
    ("setup.py", _SETUP),
    ("justfile", _JUST),
    ("build.bat", "nvcc -DNT=192 -c k.cu\n"),
    ("host.cpp", _HOST),
    ("ops.py", _TORCH),
    ("run.py", _CUPY),
]


@pytest.mark.parametrize(("name", "text"), _BUILDS)
@pytest.mark.parametrize("kernels", ["k.cu", "k.hip"])
def test_a_default_is_unknown_where_a_build_file_mentions_the_macro(
    tmp_path: Path, name: str, text: str, kernels: str
) -> None:
    assert _bound(tmp_path, _DEFAULT + _KERNEL, kernels) == 256
    (tmp_path / name).write_text(text)
    assert _bound(tmp_path, _DEFAULT + _KERNEL, kernels) is None


@pytest.mark.parametrize(("name", "text"), _BUILDS)
def test_nor_is_a_name_surely_undefined(tmp_path: Path, name: str, text: str) -> None:
    choice = "#ifdef NT\n#define N 64\n#else\n#define N 128\n#endif\n" + _KERNEL.replace("NT", "N")
    assert _bound(tmp_path, choice) == 128
    (tmp_path / name).write_text(text)
    assert _bound(tmp_path, choice) is None


def test_a_script_that_compiles_nothing_counts_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text("import subprocess\nsubprocess.run(['cmake', '-DNT=192'])\n")
    assert _bound(tmp_path, _DEFAULT + _KERNEL) == 256


def test_in_a_header_too(tmp_path: Path) -> None:
    (tmp_path / "sizes.h").write_text("#pragma once\n" + _DEFAULT)
    (tmp_path / "Makefile").write_text(_RULE)
    assert _bound(tmp_path, '#include "sizes.h"\n' + _KERNEL) is None


def test_what_is_known_of_the_build_counts(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("NVCCFLAGS = -DNT=192\n")
    assert _bound(tmp_path, _DEFAULT + _KERNEL) == 192
    (tmp_path / "compile_commands.json").write_text(_COMMANDS)
    assert _bound(tmp_path, _DEFAULT + _KERNEL) == 256


def test_what_the_settings_say_counts(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(_RULE)
    (tmp_path / ".occupancy.yaml").write_text("macros:\n  NT: 128\n")
    assert _bound(tmp_path, _DEFAULT + _KERNEL) == 128


def test_a_definition_without_a_condition_is_no_default(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(_RULE)
    assert _bound(tmp_path, "#undef NT\n#define NT 256\n" + _KERNEL) == 256
