"""CMake's files, held against the compile database that CMake itself writes for them."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.compile.arguments import Arguments, read_arguments
from occupancy_lsp.compile.stated import stated
from occupancy_lsp.compile.toolchains import Machine, find_nvcc
from occupancy_lsp.workspace.cmake.commands import command_by_cmake, configured_headers
from occupancy_lsp.workspace.compile_commands import Command, Made, commands_for

PROJECT = "project(p LANGUAGES CXX CUDA)\n"

# Each a CMakeLists.txt that compiles k.cu.
PROJECTS = {
    "plain": "add_executable(KERNEL k.cu)\n",
    "flags": """
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -use_fast_math --maxrregcount=40")
add_executable(KERNEL k.cu)
""",
    "flags after the target": 'add_executable(KERNEL k.cu)\nstring(APPEND CMAKE_CUDA_FLAGS " -G")\n',
    "languages": """
add_library(KERNEL STATIC k.cu host.cpp)
target_compile_options(KERNEL PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xptxas;-O1>
    $<$<COMPILE_LANGUAGE:CXX>:-ffast-math> $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-use_fast_math>
    $<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-ffast-math> $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-O0>)
""",
    "definitions": """
add_definitions(-DA -DB=2 -G)
add_compile_definitions(C=3)
add_executable(KERNEL k.cu)
target_compile_definitions(KERNEL PRIVATE D=4 -DE $<$<COMPILE_LANGUAGE:CUDA>:F> $<$<COMPILE_LANGUAGE:CXX>:NOT_F>)
add_compile_definitions(LATE)
add_compile_options(-restrict)
""",
    "folders": """
include_directories(one "${CMAKE_CURRENT_SOURCE_DIR}/two")
add_executable(KERNEL k.cu)
target_include_directories(KERNEL PUBLIC three $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/four> $<INSTALL_INTERFACE:five>)
include_directories(late)
""",
    "a target named after its folder": """
function(named name)
  file(RELATIVE_PATH folder ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR})
  string(REPLACE "/" "_" target "${folder}/${name}")
  set(${name}_target ${target} PARENT_SCOPE)
endfunction()
named(KERNEL)
add_executable(${KERNEL_target} k.cu)
target_compile_definitions(${KERNEL_target} PRIVATE NAMED=2)
file(RELATIVE_PATH beside ${CMAKE_CURRENT_SOURCE_DIR}/one ${CMAKE_CURRENT_SOURCE_DIR}/two/three)
target_include_directories(${KERNEL_target} PRIVATE one/${beside})
""",
    "standard": "set(CMAKE_CUDA_STANDARD 14)\nadd_executable(KERNEL k.cu)\nset(CMAKE_CUDA_STANDARD 11)\n",
    "features": "add_executable(KERNEL k.cu)\ntarget_compile_features(KERNEL PUBLIC cuda_std_17)\n",
    "newer policies": """
cmake_minimum_required(VERSION 3.24)
set(CMAKE_CUDA_STANDARD 14)
add_executable(KERNEL k.cu)
""",
    "standard of C": "set(CMAKE_CXX_STANDARD 14)\nadd_executable(KERNEL k.cu)\n",
    "properties": """
add_executable(KERNEL k.cu)
set_target_properties(KERNEL PROPERTIES CUDA_STANDARD 14 CUDA_SEPARABLE_COMPILATION ON COMPILE_FLAGS "-G -ftz=true")
set_source_files_properties(k.cu PROPERTIES COMPILE_FLAGS "--maxrregcount=24" COMPILE_DEFINITIONS "OWN=1")
set_property(TARGET KERNEL APPEND PROPERTY COMPILE_OPTIONS -restrict)
""",
    "linked": """
add_library(flags INTERFACE)
target_compile_options(flags INTERFACE -use_fast_math)
target_compile_definitions(flags INTERFACE FROM_FLAGS)
add_library(base STATIC host.cpp)
target_include_directories(base PUBLIC base PRIVATE hidden)
target_compile_definitions(base PRIVATE HIDDEN)
target_link_libraries(base PUBLIC flags)
add_library(p::base ALIAS base)
add_executable(KERNEL k.cu)
target_link_libraries(KERNEL PRIVATE p::base $<BUILD_INTERFACE:nothing>)
""",
    "lists": """
set(FLAGS -use_fast_math -lineinfo)
list(APPEND FLAGS -ftz=true -restrict)
list(REMOVE_ITEM FLAGS -restrict)
list(JOIN FLAGS " " TEXT)
string(REPLACE "-lineinfo" "-G" TEXT "${TEXT}")
string(TOLOWER "ON" SMALL)
if(SMALL STREQUAL "on" AND NOT TEXT MATCHES "restrict" AND "-ftz=true" IN_LIST FLAGS)
  set(CMAKE_CUDA_FLAGS "${TEXT}")
endif()
foreach(x IN LISTS FLAGS ITEMS -Dlast)
  list(APPEND all "SHELL:-Xcompiler ${x}")
endforeach()
add_executable(KERNEL k.cu)
target_compile_options(KERNEL PRIVATE ${all})
""",
    "conditions": """
option(FAST "Fast mathematics" ON)
option(DEBUG_KERNELS "For debuggers" OFF)
set(WANTED 2 CACHE STRING "")
if(DEBUG_KERNELS OR (NOT FAST AND WANTED EQUAL 2))
  add_compile_options(-G)
elseif(FAST AND WANTED GREATER 1 AND DEFINED WANTED AND NOT DEFINED NOBODY AND 3.18 VERSION_LESS 3.5.1)
  add_compile_options(-maxrregcount=1)
elseif(UNIX OR WIN32)
  add_compile_options(-use_fast_math)
else()
  add_compile_options(-restrict)
endif()
add_executable(KERNEL k.cu)
""",
    "functions": """
function(make_kernel name)
  cmake_parse_arguments(ARG "FAST" "REGISTERS" "SOURCES;DEFINES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  if(ARG_FAST)
    target_compile_options(${name} PRIVATE -use_fast_math)
  endif()
  if(ARG_SLOW)
    target_compile_options(${name} PRIVATE -G)
  endif()
  target_compile_options(${name} PRIVATE --maxrregcount=${ARG_REGISTERS})
  target_compile_definitions(${name} PRIVATE ${ARG_DEFINES})
  set(MADE ${name} PARENT_SCOPE)
  return()
  target_compile_options(${name} PRIVATE -restrict)
endfunction()
macro(add_flag flag)
  set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${flag}")
endmacro()
make_kernel(KERNEL SOURCES k.cu FAST DEFINES A=1 B REGISTERS 48)
add_flag(-ftz=true)
target_compile_definitions(${MADE} PRIVATE LAST)
""",
    "build type": """
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CUDA_FLAGS_RELEASE "-O3 --use_fast_math")
set(CMAKE_CUDA_FLAGS_DEBUG "-G")
add_executable(KERNEL k.cu)
target_compile_options(KERNEL PRIVATE $<$<CONFIG:Debug>:-G> $<IF:$<CONFIG:Release>,-DREL,-DNOREL>)
""",
    "sources later": "add_library(KERNEL)\nfile(GLOB found *.cu)\ntarget_sources(KERNEL PRIVATE ${found} host.cpp)\n",
    "below": """
set(CMAKE_CUDA_FLAGS -ftz=true)
add_compile_options(-DTOP)
add_subdirectory(sub)
add_compile_options(-DLATE)
""",
    "included": """
include(cmake/flags.cmake)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)
include(more)
add_executable(KERNEL k.cu)
""",
    "comments": """
#[[ add_compile_options(-G)
]]
add_executable(KERNEL # the kernel
  k.cu) # it
add_definitions([[-DX=1]] "-DY=a b")
""",
}
FILES = {
    "host.cpp": "",
    "sub/CMakeLists.txt": 'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -G")\nadd_executable(k_of_below ../k.cu)\n',
    "cmake/flags.cmake": "set(CMAKE_CUDA_FLAGS -maxrregcount=32)\n",
    "cmake/more.cmake": "include_directories(${CMAKE_CURRENT_LIST_DIR}/inc)\n",
}


def write(folder: Path, text: str, files: Mapping[str, str] = FILES) -> Path:
    for name, content in {**files, "CMakeLists.txt": text, "k.cu": ""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def read(command: Command) -> Arguments:
    """What the command says, whatever its order between kinds of words; architectures are the configuration's."""
    said = read_arguments(command, lambda path: path.read_text())
    flags = tuple(sorted({it for it in said.flags if it not in ("-std=c++17", "-O3")}))  # nvcc's own
    return replace(said, flags=flags, architectures=(), macros=tuple(sorted(said.macros, key=str)))


def same(several: object) -> bool:
    assert isinstance(several, list)
    return len({read(it) for it in several}) == 1


def ours(folder: Path, name: str = "k.cu", root: Path | None = None) -> Made | None:
    found = command_by_cmake(folder / name, root or folder, same)
    return found[0] if found is not None else None


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All projects in one, configured by CMake, with no build of it in sight."""
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    root = tmp_path_factory.mktemp("projects")
    names = [f"p_{name.replace(' ', '_')}" for name in PROJECTS]
    for name, text in zip(names, PROJECTS.values(), strict=True):
        write(root / name, text.replace("KERNEL", f"k_{name}"))
    lines = "".join(f"add_subdirectory({name})\n" for name in names)
    (root / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.18)\n{PROJECT}{lines}")
    configure(root, built(root))
    return root


def built(root: Path) -> Path:
    return root.with_name(f"{root.name}_built")


def configure(root: Path, build: Path, *options: str) -> None:
    nvcc = next(find_nvcc(Machine.here(), None)).start[0]
    given = ["-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-DCMAKE_CUDA_COMPILER={nvcc}", "-DCMAKE_CUDA_ARCHITECTURES=80"]
    done = subprocess.run(["cmake", "-S", root, "-B", build, *given, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", [f"p_{name.replace(' ', '_')}" for name in PROJECTS])
def test_the_command_is_the_one_that_cmake_writes(truth: Path, name: str) -> None:
    source = truth / name / "k.cu"
    (theirs,) = commands_for(source, built(truth))
    said = ours(truth / name, root=truth)
    assert said is not None
    assert read(said.command) == read(theirs)
    assert said.doubted in ((), ("-O3", "-DNDEBUG"))


CONFIGURED = """\
cmake_minimum_required(VERSION 3.18)
project(p LANGUAGES CXX)
option(WITH_A doc ON)
option(WITH_C doc OFF)
option(WITH_D doc ON)
set(WIDTH 32 CACHE STRING doc)
set(WITH_B ON)
set(NAME "some name")
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(FOR_RELEASE ON)
  set(LEVEL 1)
else()
  set(FOR_RELEASE OFF)
  set(LEVEL 2)
endif()
find_package(Nowhere QUIET)
if(Nowhere_FOUND)
  set(FOUND_IT ON)
endif()
configure_file(config.h.in include/p/config.h)
configure_file(config.h.in at.h @ONLY)
add_library(k k.cpp)
"""
TEMPLATE = """\
#pragma once
#cmakedefine WITH_A
 #  cmakedefine WITH_B @WIDTH@
#cmakedefine WITH_C 3
#cmakedefine01 WITH_D
#cmakedefine01 FOR_RELEASE
#cmakedefine FOUND_IT yes
#define WIDTH @WIDTH@
#define NAMES "${NAME}", "@NAME@"
#define NOBODY @nobody@
#define LEVEL @LEVEL@
"""


def test_headers_that_configuring_makes(tmp_path: Path) -> None:
    """Of each line as CMake itself writes it for every type of a build, or it is open."""
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    root = write(tmp_path / "p", CONFIGURED)
    (root / "config.h.in").write_text(TEMPLATE)
    (root / "k.cpp").write_text("")
    made = {Path(path).name: it for path, it in configured_headers(root / "k.cpp", root).items()}
    for kind in ("Release", "RelWithDebInfo", "MinSizeRel"):
        build = tmp_path / kind
        done = subprocess.run(["cmake", "-S", root, "-B", build, f"-DCMAKE_BUILD_TYPE={kind}"], capture_output=True)
        assert done.returncode == 0
        for path in ("include/p/config.h", "at.h"):
            own, theirs = made[Path(path).name], (build / path).read_text()
            assert own.open == {"FOR_RELEASE", "FOUND_IT", "NOBODY", "LEVEL"}
            assert own.switches == {"FOR_RELEASE": None, "FOUND_IT": "yes"}
            for line, their in zip(own.text.split("\n"), theirs.split("\n"), strict=True):
                is_open = any(f" {name}" in their for name in own.open)
                assert line.split() == ([] if is_open or "#undef" in their else their.split())


def test_a_build_in_sight_decides_what_the_text_leaves_open(tmp_path: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    text = """
option(USE_CUDA doc OFF)
option(FAST doc OFF)
set(WIDTH 32 CACHE STRING doc)
find_package(Nowhere QUIET)
find_package(Threads)
find_file(HEADER nowhere.h)
if(Nowhere_FOUND OR HEADER)
  add_compile_options(-restrict)
endif()
if(USE_CUDA)
  add_executable(k k.cu)
  target_compile_definitions(k PRIVATE WIDTH=${WIDTH} $<$<CONFIG:Release>:FOR_RELEASE>)
  if(FAST AND CMAKE_BUILD_TYPE STREQUAL "Release" AND Threads_FOUND)
    target_compile_options(k PRIVATE -use_fast_math)
  endif()
endif()
"""
    root = write(tmp_path / "p", f"cmake_minimum_required(VERSION 3.18)\n{PROJECT}{text}")
    options = ("USE_CUDA=ON", "FAST=ON", "WIDTH=64", "CMAKE_BUILD_TYPE=Release", "CMAKE_CUDA_FLAGS=--maxrregcount=40")
    configure(root, root / "build", *(f"-D{it}" for it in options))
    (theirs,), said = commands_for(root / "k.cu", root), ours(root)
    assert said is not None and said.answers == root / "build" / "CMakeCache.txt"
    assert read(said.command) == read(theirs) and not said.doubted
    assert {"-use_fast_math", "--maxrregcount=40"} <= {*read(theirs).flags} and ("WIDTH", "64") in read(theirs).macros
    cache = (root / "build" / "CMakeCache.txt").read_text()
    (root / "build" / "CMakeCache.txt").write_text(cache.replace(f"={root}\n", "=/elsewhere\n"))
    assert (other := ours(root)) is not None and "-DWIDTH=32" in other.command.arguments and "-DNDEBUG" in other.doubted


def test_a_cache_that_is_no_build_of_this_project_says_nothing(tmp_path: Path) -> None:
    """One behind a link out of the workspace, one of another project, one that is damaged."""
    root = write(tmp_path / "p", "add_executable(k k.cu)\n")
    for name, text in (
        ("build", ""),
        ("build2", "\0\ufffd=:=\n" * 99),
        ("build3", "CMAKE_HOME_DIRECTORY:INTERNAL=/\n"),
    ):
        (root / name).mkdir()
        (root / name / "CMakeCache.txt").write_text(f"{text}CMAKE_CUDA_FLAGS:STRING=-G\n")
    (tmp_path / "out.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={root}\nCMAKE_CUDA_FLAGS:STRING=-G\n")
    (root / "CMakeCache.txt").symlink_to(tmp_path / "out.txt")
    said = ours(root)
    assert said is not None and said.answers is None and "-G" not in said.command.arguments


# -- what no text decides


def test_what_goes_with_the_target_is_not_in_doubt(tmp_path: Path) -> None:
    """If the source is compiled at all, it is compiled so."""
    text = """
if(SOMETHING_FOUND)
  set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -use_fast_math")
  add_executable(k k.cu)
  target_compile_options(k PRIVATE -ftz=true)
endif()
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -restrict")
"""
    said = ours(write(tmp_path, f"find_package(Something)\n{text.replace('SOMETHING', 'Something')}"))
    assert said is not None
    assert said.command.arguments[1:4] == ("-use_fast_math", "-restrict", "-ftz=true")
    assert said.doubted == ("-O3", "-DNDEBUG")


@pytest.mark.parametrize(
    "text, doubted",
    [
        ("find_package(X)\nif(X_FOUND)\n  set(CMAKE_CUDA_FLAGS -G)\nendif()\nadd_executable(k k.cu)\n", "-G"),
        ("find_package(X)\nadd_executable(k k.cu)\nif(X_FOUND)\n  target_compile_options(k PRIVATE -G)\n"
         "endif()\n", "-G"),
        ("execute_process(COMMAND x OUTPUT_VARIABLE F)\nadd_executable(k k.cu)\nadd_definitions(-DV=${F})\n", "-DV="),
        ("add_executable(k k.cu)\nif(CMAKE_BUILD_TYPE STREQUAL Release)\n  target_compile_options(k PRIVATE -G)\n"
         "endif()\n", "-G"),
        ("add_executable(k k.cu)\ntarget_compile_options(k PRIVATE $<$<CXX_COMPILER_ID:GNU>:-G>)\n", "-G"),
        ("find_package(X)\nfunction(f)\n  if(X_FOUND)\n    return()\n  endif()\n"
         "  target_compile_options(k PRIVATE -G)\nendfunction()\nadd_executable(k k.cu)\nf()\n", "-G"),
        ("find_package(X)\nif(X_FOUND)\n  set(s a)\nelse()\n  set(s b)\nendif()\nadd_executable(k k.cu)\n"
         "target_compile_definitions(k PRIVATE S=${s})\n", "-DS=a"),
    ],
)  # fmt: skip
def test_what_may_be_there_is_in_doubt(tmp_path: Path, text: str, doubted: str) -> None:
    said = ours(write(tmp_path, text))
    assert said is not None
    assert doubted in said.doubted
    assert not [it for it in said.command.arguments if doubted in it]


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ('set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "${CMAKE_CUDA_FLAGS_RELWITHDEBINFO} --maxrregcount=32")\n', True),
        ('set(CMAKE_CUDA_FLAGS_MINSIZEREL "-Os --maxrregcount=32")\n', True),
        ("if(CMAKE_BUILD_TYPE STREQUAL RelWithDebInfo)\n  add_compile_options(--maxrregcount=32)\nendif()\n", True),
        ("set(CMAKE_CUDA_FLAGS_DEBUG --maxrregcount=32)\n", False),
        ("set(CMAKE_BUILD_TYPE Release)\nset(CMAKE_CUDA_FLAGS_MINSIZEREL --maxrregcount=32)\n", False),
        ("", False),
    ],
)
def test_what_any_type_for_release_has_is_in_doubt(tmp_path: Path, text: str, doubted: bool) -> None:
    said = stated(write(tmp_path, f"{text}add_executable(k k.cu)\n") / "k.cu", tmp_path, lambda path: path.read_text())
    assert said is not None and said.doubted_flags() == (["--maxrregcount=32"] if doubted else [])


def test_a_flag_that_is_surely_there_is_not_in_doubt_however_it_is_spelled(tmp_path: Path) -> None:
    text = "add_executable(k k.cu)\nset(CMAKE_CUDA_FLAGS_RELEASE --use_fast_math)\n"
    more = "target_compile_options(k PRIVATE -use_fast_math)\n"
    for added, doubted in ((text, ["--use_fast_math"]), (text + more, [])):
        said = stated(write(tmp_path, added) / "k.cu", tmp_path, lambda path: path.read_text())
        assert said is not None and said.doubted_flags() == doubted


def test_an_error_ends_a_branch(tmp_path: Path) -> None:
    """Who builds it took the other one."""
    text = "find_package(X)\nif(NOT X_FOUND)\n  message(FATAL_ERROR no)\nelse()\n  add_compile_options(-G)\nendif()\n"
    said = ours(write(tmp_path, f"{text}add_executable(k k.cu)\n"))
    assert said is not None and "-G" in said.command.arguments


@pytest.mark.parametrize(
    "condition",
    [
        "CUDA_ENABLED AND CUDA_FOUND",
        'NOT (EXISTS "/opt/other" AND NOT EXISTS "/bin/nvcc")',  # who compiles CUDA has it, wherever it lies
    ],
)
def test_cuda_is_found_in_whatever_way(tmp_path: Path, condition: str) -> None:
    text = f"""
option(CUDA_ENABLED doc ON)
if(CMAKE_VERSION VERSION_LESS 3.17)
  find_package(CUDA QUIET)
else()
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_FOUND)
    set(CUDA_FOUND ON)
  endif()
endif()
if({condition})
else()
  set(CUDA_ENABLED OFF)
endif()
if(CUDA_ENABLED)
  set(CMAKE_CUDA_FLAGS "${{CMAKE_CUDA_FLAGS}} -use_fast_math")
endif()
add_executable(k k.cu)
"""
    said = ours(write(tmp_path, text))
    assert said is not None and "-use_fast_math" in said.command.arguments and "-use_fast_math" not in said.doubted


def test_what_is_off_unless_the_device_is_asked_for(tmp_path: Path) -> None:
    text = """
set(USE_CUDA OFF CACHE STRING doc)
set(CUDA_MORE "" CACHE STRING doc)
option(WITH_GPU doc OFF)
if(USE_CUDA AND WITH_GPU AND NOT CUDA_MORE)
  add_executable(k k.cu)
  add_definitions(-DON)
endif()
"""
    said = ours(write(tmp_path, text))
    assert said is not None and "-DON" in said.command.arguments


def test_nothing_is_on_that_the_source_does_not_need(tmp_path: Path) -> None:
    """`cmake -DX_CUDA=ON` turns on that alone, and a source for CUDA is CUDA's, whoever else compiles it."""
    text = """
option(X_HIP doc OFF)
option(X_CUDA_SLOW doc OFF)
option(X_CUDA doc OFF)
if(X_CUDA)
  add_library(k k.cu)
endif()
if(X_HIP)
  set_source_files_properties(k.cu PROPERTIES LANGUAGE CXX)
  add_library(h k.cu)
endif()
if(X_CUDA_SLOW)
  add_definitions(-DSLOW)
endif()
"""
    said = ours(write(tmp_path, text))
    assert said is not None and said.command.arguments[0] == "nvcc" and "-DSLOW" not in said.command.arguments


def test_a_change_is_seen(tmp_path: Path) -> None:
    text = "include(flags.cmake)\nfile(GLOB found sub/*.cu)\nadd_executable(k k.cu ${found})\n"
    folder = write(tmp_path, text)
    for flag in ("-G", "-restrict"):
        (folder / "flags.cmake").write_text(f"add_compile_options({flag})\n")
        said = ours(folder)
        assert said is not None and flag in said.command.arguments
    assert ours(folder, "sub/new.cu") is None
    (folder / "sub" / "new.cu").write_text("")
    assert ours(folder, "sub/new.cu") is not None


def test_a_source_of_two_targets(tmp_path: Path) -> None:
    both = "add_executable(a k.cu)\nadd_executable(b k.cu)\n"
    assert ours(write(tmp_path / "alike", both)) is not None
    assert ours(write(tmp_path / "unlike", f"{both}target_compile_options(a PRIVATE -G)\n")) is None
    assert ours(write(tmp_path / "other", "add_executable(a other.cu)\n")) is None


def test_a_command_that_is_not_known_is_said(tmp_path: Path) -> None:
    said = ours(write(tmp_path, "add_executable(k k.cu)\nmake_it_fast(k)\n"))
    assert said is not None and said.strange == ("make_it_fast",)


@pytest.mark.parametrize(
    "text",
    [
        "set(A ${A}${A})\n" * 60,
        "set(A x)\n" + "set(A ${A}${A})\n" * 60,
        "set(A x)\n" + "list(APPEND A ${A})\n" * 60,
        "function(f)\n  f()\nendfunction()\nf()\n",
        "macro(f)\n  f()\n  f()\nendmacro()\nf()\n",
        "include(CMakeLists.txt)\n",
        "add_subdirectory(.)\nadd_subdirectory(.)\n",
        "foreach(a RANGE 2000)\nforeach(b RANGE 2000)\nforeach(c RANGE 2000)\nset(x y)\n" + "endforeach()\n" * 3,
        "foreach(a RANGE 300)\nforeach(b RANGE 300)\nlist(APPEND X a)\n" + "endforeach()\n" * 2,
        "".join(f"if(${{CMAKE_VERSION}} EQUAL {i})\nset(F{i} -D{i})\nendif()\n" for i in range(2000)),
        "if(" * 20_000 + "\n",
        "if(NOT " + "NOT " * 20_000 + "A)\nendif()\n",
        "if(" + "(" * 20_000 + "A)\nendif()\n",
        'set(x "' + "a" * 500 + '")\nif(x MATCHES "(a*)*b")\nendif()\nif(x MATCHES "a*a*a*a*a*b")\nendif()\n',
        "set(x ${" * 20_000 + "\n",
        "add_executable(k k.cu)\nadd_compile_options(" + "$<" * 20_000 + ")\n",
        "[" * 50_000 + "\n",
        '"' * 50_001 + "\n",
        "a" * 500_000 + "\n",
        "while(TRUE)\nset(a b)\nendwhile()\n",
    ],
    ids=range(20),
)
def test_no_file_takes_long(tmp_path: Path, text: str) -> None:
    """Far below what a person waits for; without bounds these take minutes, or for ever."""
    began = time.process_time()
    ours(write(tmp_path, text + "add_executable(k k.cu)\n"))
    assert time.process_time() - began < 20


def test_nothing_is_run_and_nothing_outside_is_read(tmp_path: Path) -> None:
    (tmp_path / "flags.cmake").write_text("set(CMAKE_CUDA_FLAGS -DOUTSIDE)\n")
    (tmp_path / "other.cu").write_text("")
    text = """
execute_process(COMMAND touch ran OUTPUT_VARIABLE X)
include(../flags.cmake)
include(linked.cmake)
include(/etc/hostname OPTIONAL)
file(GLOB outside ../*.cu /etc/*)
file(READ /etc/hostname NAME)
file(WRITE written x)
add_executable(k k.cu ${outside})
target_compile_definitions(k PRIVATE NAME=${NAME})
"""
    root = write(tmp_path / "root", text)
    (root / "linked.cmake").symlink_to(tmp_path / "flags.cmake")
    said = ours(root)
    assert said is not None and said.command.arguments == ("nvcc", "-c", str(root / "k.cu"))
    assert not (root / "ran").exists() and not (root / "written").exists()


@pytest.mark.parametrize(("toolkit", "known", "doubted"), [((), 0, 1), ((("CUDAToolkit_VERSION", "13.0.88"),), 1, 0)])
def test_the_toolkit_of_the_machine(
    tmp_path: Path, toolkit: tuple[tuple[str, str], ...], known: int, doubted: int
) -> None:
    text = "project(p LANGUAGES CUDA)\nadd_library(k k.cu)\nfind_package(CUDAToolkit REQUIRED)\n"
    text += "if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.4)\ntarget_compile_definitions(k PRIVATE NEW)\nendif()\n"
    (tmp_path / "CMakeLists.txt").write_text(text)
    found = command_by_cmake(tmp_path / "k.cu", tmp_path, same, toolkit)
    assert found is not None
    made, _ = found
    assert (made.command.arguments.count("-DNEW"), made.doubted.count("-DNEW")) == (known, doubted)


@pytest.mark.parametrize(("said", "separate"), [("ON", True), ("OFF", False)])
def test_find_cudas_separate_compilation(tmp_path: Path, said: str, separate: bool) -> None:
    """As FindCUDA.cmake has it, which newer versions of CMake no longer bring along."""
    text = f"find_package(CUDA REQUIRED)\nset(CUDA_SEPARABLE_COMPILATION {said})\ncuda_add_library(k k.cu)\n"
    (tmp_path / "CMakeLists.txt").write_text(text)
    found = ours(tmp_path)
    assert found is not None and ("-rdc=true" in found.command.arguments) == separate
