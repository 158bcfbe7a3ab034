"""What pyproject.toml leaves open, held against how scikit-build-core writes cmake's command line."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from occupancy_lsp.workspace.cmake.commands import command_by_cmake
from occupancy_lsp.workspace.cmake.scikit_build import asked_by_scikit_build
from occupancy_lsp.workspace.compile_commands import Made

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="no reader of TOML")

HEAD = '[build-system]\nbuild-backend = "scikit_build_core.build"\n[tool.scikit-build]\n'
OVERRIDE = '[[tool.scikit-build.overrides]]\nif.platform-system = "^win32"\n'
CMAKE = """project(p LANGUAGES CUDA)
option(FAST x OFF)
add_library(k k.cu)
if(FAST)
  target_compile_options(k PRIVATE -use_fast_math)
endif()
if(SKBUILD)
  target_compile_definitions(k PRIVATE BY_SKBUILD)
endif()
if(SKBUILD_PROJECT_NAME STREQUAL "p")
  target_compile_definitions(k PRIVATE NAMED)
endif()
if(FAST STREQUAL "TRUE")
  target_compile_definitions(k PRIVATE SPELLED)
endif()
target_compile_definitions(k PRIVATE $<$<CONFIG:Debug>:CHECKED>)
"""


def made(folder: Path, text: str) -> Made:
    (folder / "k.cu").write_text("")
    (folder / "CMakeLists.txt").write_text(CMAKE)
    (folder / "pyproject.toml").write_text(HEAD + text)
    found = command_by_cmake(folder / "k.cu", folder, lambda it: len({*map(str, it)}) == 1)
    assert found is not None
    return found[0]


@pytest.mark.parametrize(
    "text",
    [
        "cmake.define.FAST = true\n",
        'cmake.define."FAST:BOOL" = "TRUE"\n',
        'cmake.args = ["-D", "FAST=TRUE", "-G", "Ninja"]\n',
        'cmake.args = ["-DFAST:BOOL=TRUE"]\ncmake.define.FAST = false\n',
    ],
)
def test_what_is_certain(tmp_path: Path, text: str) -> None:
    said = made(tmp_path, text)
    assert said.answers == tmp_path / "pyproject.toml"
    assert {"-use_fast_math", "-DBY_SKBUILD", "-DSPELLED", "-DNDEBUG"} <= {*said.command.arguments}
    assert said.doubted == ("-DNAMED",)


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        (f"cmake.define.FAST = true\n{OVERRIDE}cmake.define.FAST = false\n", "-use_fast_math"),
        (f"cmake.define.FAST = true\n{OVERRIDE}cmake.define.OTHER = false\n", "-use_fast_math"),
        (f'cmake.args = ["-DFAST=ON"]\n{OVERRIDE}cmake.args = []\n', "-use_fast_math"),
        (f'{OVERRIDE}cmake.args = ["-D", "FAST=ON"]\n', "-use_fast_math"),
        ('cmake.define.FAST = {env = "FAST", default = "ON"}\n', "-use_fast_math"),
        (f'cmake.define.CMAKE_CUDA_FLAGS = "-G -lineinfo"\n{OVERRIDE}cmake.define.A = "B"\n', "-G"),
        (f'{OVERRIDE}cmake.args = ["-DCMAKE_CUDA_FLAGS=-lineinfo -G"]\n', "-G"),
        (f'{OVERRIDE}cmake.build-type = "Debug"\n', "-DCHECKED"),
        (f'{OVERRIDE}cmake.build-type = "Debug"\n', "-DNDEBUG"),
        ('cmake.build-type = ["Release", "Debug"]\n', "-DCHECKED"),
    ],
)
def test_what_is_in_doubt(tmp_path: Path, text: str, doubted: str) -> None:
    said = made(tmp_path, text)
    assert doubted in said.doubted and doubted not in said.command.arguments


@pytest.mark.parametrize(
    "text",
    [
        *(f'cmake.args = ["-DFAST=ON", {it}]\n' for it in ('"-C", "a.cmake"', '"--preset=a"', '"-UFAST"', '"-DFAST"')),
        f'cmake.args = ["-DFAST=ON"]\n{OVERRIDE}cmake.args = ["-Ca.cmake"]\n',
        f'{OVERRIDE}cmake.source-dir = "other"\n',
    ],
)
def test_what_is_not_in_the_text(tmp_path: Path, text: str) -> None:
    assert made(tmp_path, text).answers is None


@pytest.mark.parametrize(
    "line",
    [
        f"{'a.' * 29_000}a = 1\n",
        f"{'a .' * 19_000}a = 1\n",
        f"{chr(34)}\u2028{chr(34)}.".join(["", *["a."] * 6_000, "a = 1\n"]),
        f"[{'a.' * 29_000}a]\n",
        f"x = {{{'a.' * 29_000}a = 1}}\n",
        f"[{'a.' * 50}a]\n" + "".join(f"a{it} = 1\n" for it in range(6_000)),
        f"x = {'[' * 29_000}\n",
        "".join(f"cmake.define.A{it} = '-G'\n" for it in range(1_000))
        + "[[tool.scikit-build.overrides]]\ncmake.define.A1 = '-G -H'\n" * 600,
    ],
    ids=range(8),
)
def test_no_text_takes_long(tmp_path: Path, line: str) -> None:
    """Far below the many seconds that they take without bounds."""
    (tmp_path / "pyproject.toml").write_text(HEAD + line, encoding="utf-8")
    assert (tmp_path / "pyproject.toml").stat().st_size < 64 << 10
    began = time.process_time()
    asked_by_scikit_build(tmp_path, tmp_path)
    assert time.process_time() - began < 1
