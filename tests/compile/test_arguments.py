"""What of a command is kept: nothing but forms that are known to be harmless, whatever it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.compile.arguments import Arguments, flags_of_clang, flags_of_nvcc, read_arguments, response_reader
from occupancy_lsp.compile.prelude import macro_options
from occupancy_lsp.workspace.compile_commands import Command

BASE = Path("/project/build")


def read(*arguments: str, **files: str) -> Arguments:
    return read_arguments(Command(str(BASE), ("nvcc", *arguments)), lambda path: files.get(path.name))


def test_paths_are_made_absolute() -> None:
    said = read("-I..", "-isystem", "/sys", "-iquote=q", "--include-path", "a,b", "-include", "x.h")
    assert said.folders == (
        ("-I", Path("/project")),
        ("-isystem", Path("/sys")),
        ("-iquote", BASE / "q"),
        ("-I", BASE / "a"),
        ("-I", BASE / "b"),
    )
    assert said.files == (BASE / "x.h",)


def test_macros_in_order() -> None:
    said = read("-DA", "-D", "B=2", "-UA", "-DF(x)=x+1", "-D", 'S="a b"', "-D=3", "-D2")
    assert said.macros == (("A", "1"), ("B", "2"), ("A", None), ("F(x)", "x+1"), ("S", '"a b"'))


def test_macros_that_a_shell_might_read_go_into_a_file() -> None:
    options, header = macro_options([("A", "1"), ("A", None), ("B", "$(x)"), ("C", "a.b"), ("F(x)", "x"), ("E", "")])
    assert options == ["-UA", "-DC=a.b", "-DE="]
    assert header == "#undef B\n#define B $(x)\n#undef F\n#define F(x) x\n"


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (["-std", "c++17"], ["-std=c++17"]),
        (["--std=c++20"], ["--std=c++20"]),
        (["-maxrregcount", "32"], ["-maxrregcount=32"]),
        (["-dc"], ["-rdc=true"]),
        (["-ftz", "true", "-fmad=false"], ["-ftz=true", "-fmad=false"]),
        (["-O3", "-g", "-Wall", "-Werror", "-lfoo", "k.cu", "-c", "-o", "-G"], []),
        (["-Xcompiler", "-G"], []),
        (["-ccbin", "-G", "--compiler-bindir", "-G"], []),
    ],
)
def test_flags_of_nvcc(arguments: list[str], kept: list[str]) -> None:
    assert flags_of_nvcc(read(*arguments)) == kept


def test_flags_of_clang() -> None:
    said = read("-O3", "-ffast-math", "-mcumode", "-mllvm", "-amdgpu-early-inline-all=true", "-mllvm", "-load=x")
    assert flags_of_clang(said) == ["-O3", "-ffast-math", "-mcumode", "-mllvm", "-amdgpu-early-inline-all=true"]


def test_options_of_ptxas() -> None:
    assert read("-Xptxas", "-v,-O1", "--ptxas-options=-dlcm=ca", "-Xptxas=--output-file=x").ptxas == ("-O1", "-dlcm=ca")


@pytest.mark.parametrize(
    "arguments",
    [
        ["-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_90a,code=[sm_90a,compute_90a]"],
        ["--generate-code=arch=compute_80,code=sm_80", "--generate-code", "arch=compute_90a,code=[sm_90a,compute_90a]"],
    ],
)
def test_architectures(arguments: list[str]) -> None:
    both = (("compute_80", ("sm_80",)), ("compute_90a", ("sm_90a", "compute_90a")))
    assert read(*arguments).architectures == both


def test_architectures_of_two_options() -> None:
    assert read("-arch=sm_86").architectures == (("compute_86", ("sm_86",)),)
    assert read("-arch", "compute_80", "-code", "sm_80,sm_86").architectures == (("compute_80", ("sm_80", "sm_86")),)
    assert read("-arch=native").architectures == read("-arch=all").architectures == ()


def test_response_files() -> None:
    said = read("@one", "-DLAST", one="-DA '-DB=a b' @two", two="-I inc --options-file three", three="-DC")
    assert said.macros == (("A", "1"), ("B", "a b"), ("C", "1"), ("LAST", "1"))
    assert said.folders == (("-I", BASE / "inc"),)


def test_response_files_that_name_each_other_end() -> None:
    assert len(read("@a", a="-DX @a @a @a").macros) < 200


def test_response_files_outside_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ok.rsp").write_text("-DA")
    (tmp_path / "out.rsp").write_text("-DB")
    (tmp_path / "in" / "link.rsp").symlink_to(tmp_path / "out.rsp")
    reader = response_reader(tmp_path / "in", lambda path: path.read_text())
    assert reader(tmp_path / "in" / "ok.rsp") == "-DA"
    assert reader(tmp_path / "out.rsp") is reader(tmp_path / "in" / "link.rsp") is None
    assert response_reader(None, lambda path: path.read_text())(tmp_path / "in" / "ok.rsp") is None


WORDS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "-I", "-D", "-U", "-include", "-Xcompiler", "-Xptxas", "-Xclang", "-load", "-mllvm", "-ccbin", "./evil",
            "-fplugin=./evil.so", "-wrapper", "-B.", "-specs=x", "--options-file", "@x", "-o", "out", "-gencode",
            "-arch=$(x)", "-std=c++17;x", "-DX=`x`", "-I$(x)", "-G", "--run", "-dryrun", "--keep", "-Xptxas=-o=x",
        ]
    ),
)  # fmt: skip


@given(st.lists(WORDS, max_size=12))
def test_only_known_forms_are_kept(arguments: list[str]) -> None:
    said = read(*arguments, x="-fplugin=./evil.so -DY")
    options, header = macro_options(said.macros)
    kept = [*flags_of_nvcc(said), *flags_of_clang(said), *said.ptxas, *options]
    for word in kept:
        assert word.isascii()
        assert not set(word) & set("$`\"\\;&|<>'*?\n ")
        assert not word.startswith(("-fplugin", "-load", "-wrapper", "-B", "-specs", "-o", "-ccbin", "-X", "@"))
    for _, folder in said.folders:
        assert folder.is_absolute()
    for line in header.splitlines():
        assert line.startswith(("#undef ", "#define "))
    assert all(virtual.startswith("compute_") and virtual[8:].isalnum() for virtual, _ in said.architectures)
