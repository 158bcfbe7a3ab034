"""compile_commands.json: what compilers' arguments say, in every spelling, and files that are odd or hostile."""

from __future__ import annotations

import json
import shlex
from cProfile import Profile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.analysis.ceilings import options_in
from occupancy_lsp.workspace import compile_commands as module
from occupancy_lsp.workspace.compile_commands import CompileCommands, find_compile_commands, read_compile_commands
from occupancy_lsp.workspace.compile_flags import Compilation, split_command

FILE = Path("/p/build/compile_commands.json")


def read(*entries: object) -> CompileCommands:
    return read_compile_commands(json.dumps(entries).encode(), FILE)


def flags(*arguments: str) -> Compilation:
    found = read({"directory": "/p/build", "file": "../a.cu", "arguments": ["nvcc", *arguments]})
    assert not found.problems
    return found.compilations[Path("/p/a.cu")][0]


@pytest.mark.parametrize(
    ("arguments", "dirs"),
    [
        (["-Iinc", "-I", "../src", "-I/abs/x/.."], ["/p/build/inc", "/p/src", "/abs"]),
        (["-isystem", "/s", "-isystem/t", "-iquote", "q", "-iquoter"], ["/s", "/t", "/p/build/q", "/p/build/r"]),
        (["-I=a", "--include-path=b,c", "--include-path", "d", "-isystem=e"], [f"/p/build/{it}" for it in "abcde"]),
        (["-Ia", "-Ib", "-Ia"], ["/p/build/a", "/p/build/b"]),
        (["-include", "x.h", "-c", "a.cu", "-I"], []),
        (
            ["-Xcompiler", "-Ihost", "-Xcompiler=-Iother", "--compiler-options", "-Ithird", "-Idevice"],
            ["/p/build/device"],
        ),
        (["-Ia\0b", "-I", "", "@more.rsp"], []),
    ],
)
def test_include_directories(arguments: list[str], dirs: list[str]) -> None:
    assert flags(*arguments).include_dirs == tuple(map(Path, dirs))


def test_macros_keep_their_order() -> None:
    found = flags(
        "-DA", "-D", "B=2", "-DC=", "-UA", "-U", "D", "-DF(x)=x=1", "--define-macro=G=3", "-D=H=4", "-D3", "-D"
    )
    expected = [("A", "1"), ("B", "2"), ("C", ""), ("A", None), ("D", None), ("F(x)", "x=1"), ("G", "3"), ("H", "4")]
    assert found.macros == tuple(expected)


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        (["-x", "cu"], "cuda"),
        (["-xhip"], "hip"),
        (["-x=cl"], "opencl"),
        (["-x", "cu", "-xHost"], "cuda"),
        (["-x", "c++"], None),
        ([], None),
    ],
)
def test_language(arguments: list[str], language: str | None) -> None:
    assert flags(*arguments).language == language


@pytest.mark.parametrize(
    ("arguments", "registers"),
    [
        (["--maxrregcount=64"], 64),
        (["-maxrregcount", "32"], 32),
        (["-maxrregcount=32", "--maxrregcount", "40"], 40),
        (["--maxrregcount=archmax"], None),
        # As nvcc 13.0 counts: its own option goes before what ptxas is handed.
        (["-Xptxas", "-maxrregcount=40"], 40),
        (["-Xptxas", "--maxrregcount=40"], 40),
        (["-Xptxas=-maxrregcount=40"], 40),
        (["-Xptxas", "-v,-maxrregcount=40"], 40),
        (["--ptxas-options=-v,-maxrregcount=40"], 40),
        (["-Xptxas", "-maxrregcount", "-Xptxas", "40"], 40),
        (["-Xptxas", "-maxrregcount,40"], 40),
        (["-Xptxas", "-maxrregcount=40", "-maxrregcount=64"], 64),
        (["-maxrregcount=40", "-Xptxas", "-maxrregcount=64"], 40),
        (["-Xcompiler", "-Xptxas", "-maxrregcount=40"], 40),
        (["-Xcompiler", "-maxrregcount=40"], None),
        (["-Xptxas", "-v"], None),
        (["--maxrregcount=" + "9" * 5000], None),
        ([], None),
    ],
)
def test_registers(arguments: list[str], registers: int | None) -> None:
    assert flags(*arguments).max_registers == registers


def test_commands_are_split_as_a_shell_does() -> None:
    command = r"""nvcc "-I/with blank" -DNAME=\"x\" -D'V=a b' -c a.cu"""
    found = read({"directory": "/p", "file": "a.cu", "command": command}).compilations[Path("/p/a.cu")][0]
    assert found.include_dirs == (Path("/with blank"),)
    assert found.macros == (("NAME", '"x"'), ("V", "a b"))


@given(st.text(st.sampled_from(" \t\n\\\"'ab#$;\x0b")))
def test_splitting_is_that_of_shlex(command: str) -> None:
    try:
        expected = shlex.split(command)
    except ValueError:
        with pytest.raises(ValueError):
            split_command(command)
    else:
        assert split_command(command) == expected


def test_entries_are_kept_in_their_order_and_directories_may_be_relative() -> None:
    found = read(
        {"directory": "..", "file": "src/a.cu", "arguments": ["nvcc", "-Iinc"]},
        {"directory": "/p", "file": "src/a.cu", "arguments": ["nvcc", "-Iother"]},
        {"file": "b.cu", "arguments": []},
    )
    assert found.compilations == {
        Path("/p/src/a.cu"): (Compilation((Path("/p/inc"),)), Compilation((Path("/p/other"),))),
        Path("/p/build/b.cu"): (Compilation(),),
    }


@pytest.mark.parametrize(
    ("options", "registers"),
    [
        (("-maxrregcount=32", "-maxrregcount=64"), 64),
        (("-maxrregcount=32", "-O3"), None),
        (("-O3", "-maxrregcount=32"), None),
    ],
)
def test_of_several_commands_the_weakest_cap_counts(options: tuple[str, str], registers: int | None) -> None:
    found = read(*({"directory": "/p", "file": "a.cu", "arguments": ["nvcc", it]} for it in options))
    assert options_in(found.compilations[Path("/p/a.cu")]).max_registers == registers


def test_threads_of_kernels_without_bounds() -> None:
    assert flags("--gpu-max-threads-per-block=512").max_threads == 512
    assert flags().max_threads is None


def test_what_cannot_be_read_is_said_and_the_rest_is_read() -> None:
    good = {"directory": "/p", "file": "a.cu", "arguments": ["nvcc"]}
    bad: list[object] = [
        7,
        {},
        {"file": ["a.cu"], "command": "nvcc"},
        {"file": "b.cu", "command": "nvcc 'open"},
        {"file": "c.cu", "arguments": ["nvcc", 3]},
        {"file": "d\0.cu", "command": "nvcc"},
        {"file": "e.cu"},
    ]
    found = read(*bad, good)
    assert list(found.compilations) == [Path("/p/a.cu")]
    assert len(found.problems) == len(bad)
    assert str(found.problems[3]) == f"{FILE}: entry 4 is not read: No closing quotation"
    assert len(read(*[0] * 1000).problems) == 20


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[{]", b"\xff\xfe", b"[" * 100_000, b"null", b"[" + b"1" * 5000 + b"]", b'["\\ud800"]']
)
def test_odd_files(data: bytes) -> None:
    found = read_compile_commands(data, FILE)
    assert not found.compilations
    assert found.problems


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("more", ["", ', "x": "\\ud800"', ', "x": NaN', ', "x": 1e999'])
def test_what_python_takes_for_json_is_read(encoding: str, more: str) -> None:
    data = f'[{{"directory": "/p", "file": "a.cu", "command": "nvcc -DN=4 a.cu"{more}}}]'.encode(encoding)
    found = read_compile_commands(data, FILE)
    assert [it.macros for it in found.compilations[Path("/p/a.cu")]] == [(("N", "4"),)] and not found.problems


def test_words_that_say_nothing_take_little_work() -> None:
    """A large project has 100,000 commands."""
    words = "-DA -DB -DC -DD -DE -DF -Iinc -std=c++17"
    entries = [{"directory": "/p", "file": f"{it}.cu", "command": f"nvcc -DN={it} {words}"} for it in range(1000)]
    data, profile = json.dumps(entries).encode(), Profile()
    found = profile.runcall(read_compile_commands, data, FILE)
    assert len(found.compilations) == 1000
    assert sum(it.callcount for it in profile.getstats()) < 200 * 1000


def test_place_of_a_fault_and_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [(it.line, it.column) for it in read_compile_commands(b"[\n {]", FILE).problems] == [(2, 3)]
    monkeypatch.setattr(module, "MAX_BYTES", 1)
    assert "larger" in read_compile_commands(b"[]", FILE).problems[0].message


_JSON = st.recursive(
    st.none() | st.integers() | st.text(), lambda it: st.lists(it) | st.dictionaries(st.text(), it), max_leaves=8
)
_ENTRY = st.fixed_dictionaries(
    {},
    optional={
        "file": _JSON | st.text(),
        "directory": _JSON,
        "command": _JSON,
        "arguments": st.lists(st.text()) | _JSON,
    },
)


@given(st.lists(_ENTRY | _JSON))
def test_no_shape_raises(entries: list[object]) -> None:
    for source, several in read(*entries).compilations.items():
        assert source.is_absolute()
        assert all(it.is_absolute() for compilation in several for it in compilation.include_dirs)


def write(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[]")
    return path


def test_places_in_their_order(tmp_path: Path) -> None:
    names = ["", "build", "build-b", "cmake-build-debug", "out", "build/Release", "out/build/x64-Debug"]
    for name in ["src", ".build", "build/.cache", "a/build", *names]:
        write(tmp_path / name / "compile_commands.json")
    for name in names:
        found = find_compile_commands(tmp_path)
        assert found == tmp_path / name / "compile_commands.json"
        found.unlink()
    assert find_compile_commands(tmp_path) is None
    assert find_compile_commands(tmp_path / "none") is None


def test_links_count_only_inside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "build").mkdir(parents=True)
    link = root / "compile_commands.json"
    link.symlink_to(write(tmp_path / "compile_commands.json"))
    assert find_compile_commands(root) is None
    link.unlink()
    link.symlink_to(write(root / "elsewhere" / "compile_commands.json"))
    assert find_compile_commands(root) == link
    link.unlink()
    (root / "out").symlink_to(tmp_path)
    (root / "build" / "compile_commands.json").mkdir()
    assert find_compile_commands(root) is None
