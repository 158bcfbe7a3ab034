"""What the compilers that are started start themselves: whatever a workspace says, nothing that it did not ask for.

nvcc and clang are run as always, but told to print the command lines of what they would start.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.compile import confined, job
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.toolchains import Machine, Toolchain, find_nvcc
from occupancy_lsp.compile.words import NotPlain, keeps_ascii, one_text, plain
from tests.compilers import WHEELS
from tests.presets import CATALOGUE

from .conftest import Compile

HERE = Machine.here()
MACHINES = {"wheel": WHEELS, "installed": replace(WHEELS, site=(), usual=HERE.usual)}
NVCCS = {name: it for name, it in MACHINES.items() if any(find_nvcc(it, None))}

HOSTILE = [
    "x -fplugin=/ws/evil.so", "x,-fplugin=/ws/evil.so", "x\t-fplugin=/ws/evil.so", "x\n-fplugin=/ws/evil.so",
    "-fplugin=/ws/evil.so", "-B.", "--run", "-", "--", "@evil.rsp", "a b", " a", "a ", "a,b", ",", "a\tb", "a\nb",
    "a\rb", 'a"b', "a'b", 'x" -fplugin=/ws/evil.so "', "x' -fplugin=/ws/evil.so '", "x\\", "x\\\\", '\\"', "$HOME",
    "$(touch canary)", "`touch canary`", "${HOME}", "%PATH%", "!x", "^x", ";touch canary", "&touch canary",
    "#", "*", "?", "|touch canary", ">canary", "<canary", "~", "~root", "{a,b}", "[ab]", "(a)", "=", "=x", ":",
    "x=1 -B.", "1;touch canary", "é", "\u02ba -B. \u02ba", "\uff02 -B.", "\u2028", "\u00a0-B.", "\x01",
    "\x7f", "\x1b[0m", "\udcff", "", " ", "x/" * 2000,
]  # fmt: skip
# With values that mean no harm, instead of VALUE.
OPTIONS: dict[str, tuple[list[str], list[str]]] = {
    "-I": (["-I", "VALUE"], ["x"]),
    "-isystem": (["-isystem", "VALUE"], ["x"]),
    "-iquote": (["-iquote", "VALUE"], ["x"]),
    "--include-path": (["--include-path=VALUE"], ["x,y"]),
    "-include": (["-include", "VALUE"], ["x.h"]),
    "-D": (["-D", "VALUE"], ["X=1", "X=a b"]),
    "text of a macro": (["-DX=VALUE"], ["1", "a b"]),
    "-U": (["-U", "VALUE"], ["a", "x", "é"]),
    "-std": (["-std=c++17VALUE"], [""]),
    "-maxrregcount": (["-maxrregcount", "VALUE"], ["32"]),
    "-ftz": (["-ftz", "VALUE"], ["true"]),
    "-default-stream": (["-default-stream=VALUE"], ["legacy"]),
    "-gencode": (["-gencode", "arch=compute_90,code=sm_90VALUE"], ["", "a"]),
    "-arch": (["-arch", "sm_90VALUE"], ["", "a"]),
    "-Xptxas": (["-Xptxas", "VALUE"], ["-O1"]),
    "-mllvm": (["-mllvm", "VALUE"], ["-amdgpu-early-inline-all=true"]),
    "--offload-arch": (["--offload-arch=gfx90aVALUE"], [""]),
    "-ffp-contract": (["-ffp-contract=VALUE"], ["fast"]),
    "what is dropped": (["VALUE", "-Xcompiler", "VALUE", "-Xclang", "VALUE", "-ccbin", "VALUE"], ["x"]),
}

DEVICES = {language: CATALOGUE.find(name) for language, name in (("cuda", "sm_90"), ("hip", "gfx90a"))}
KEPT = re.compile(r"\.\./[0-9a-f]{40}\.ptx")
OF_CLANG = ("-mllvm", "--offload-arch", "-ffp-contract")
OF_NVCC = ("-maxrregcount", "-ftz", "-default-stream", "-gencode", "-arch", "-Xptxas")
Lines = Callable[..., "set[str] | None"]


@pytest.fixture
def lines(compile_: Compile, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Lines:
    """The words of all command lines that compiling with these arguments leads to, paths of the workspace as one.

    None: it was not compiled, with a reason. Equal command lines are looked at once.
    """
    seen: dict[tuple[str, ...], set[str]] = {}
    met: set[str] = set()

    def dry(tool: Toolchain, _: Request, arguments: list[str], folder: Path) -> job.Done:
        command = [*tool.start, *arguments]
        key = tuple(KEPT.sub("kept", it) for it in command)
        if key not in seen:
            seen[key] = set(_words(command, folder, tool.search, str(workspace)))
        met.update(seen[key])
        (folder / arguments[arguments.index("-o") + 1]).write_text("")
        return job.Done(0, "")

    def lines(machine: Machine, language: str, file: str, *arguments: str) -> set[str] | None:
        met.clear()
        program = "nvcc" if language == "cuda" else "clang"
        reading = compile_(file, DEVICES[language], program, *arguments, file, language=language, machine=machine)
        return None if reading.problems else set(met)

    monkeypatch.setattr(confined, "run", dry)
    return lines


def _words(arguments: list[str], folder: Path, search: tuple[str, ...], workspace: str) -> Iterator[str]:
    """As the driver prints them. Words of the shell would be in none of them."""
    clang = "clang" in arguments
    printing = [*arguments[:2], "-###", *arguments[2:]] if clang else [arguments[0], "--dryrun", *arguments[1:]]
    environment = {"PATH": os.pathsep.join(search), "LC_ALL": "C", "TMPDIR": str(folder)}
    done = subprocess.run(printing, capture_output=True, cwd=folder, env=environment, check=True)
    said = done.stderr.decode("utf-8", "surrogateescape")
    said = said.partition("(in-process)")[2] if clang else _of_nvcc(said)
    return (_shape(word, str(folder), workspace) for word in shlex.split(said))


def _of_nvcc(said: str) -> str:
    lines = said.replace('"$CICC_PATH/cicc"', "cicc").split("\n")
    assert all(line.startswith("#$ ") for line in lines if line), said
    commands = "\n".join(line[3:] for line in lines if not re.match(r"#\$ \w+=", line))
    assert not set(commands) & set("$`;&|<>\\!*?"), commands
    return commands


def _shape(word: str, folder: str, workspace: str) -> str:
    word = re.sub(r"tmpxft_[0-9a-f_]+-\d+_", "tmpxft_", word.replace(folder, "FOLDER"))
    word = re.sub(f"^(-I)?{re.escape(workspace)}(?:/.*)?$", r"\1PATH", word, flags=re.DOTALL)
    word = KEPT.sub("kept", re.sub(r"^-cuid=.*", "-cuid", word))
    return re.sub(r"^(-D)?(?!tmpxft_)\w+=[A-Za-z0-9_.+=:/-]*$", r"\1MACRO", word)


def check(lines: Lines, machine: Machine, language: str, file: str, option: str) -> None:
    template, harmless = OPTIONS[option]
    allowed = lines(machine, language, file) or set()
    for value in harmless:
        allowed |= lines(machine, language, file, *(it.replace("VALUE", value) for it in template)) or set()
    assert allowed
    for value in HOSTILE:
        got = lines(machine, language, file, *(it.replace("VALUE", value) for it in template))
        assert got is None or got <= allowed, (value, got - allowed)


@pytest.mark.parametrize("option", [it for it in OPTIONS if it not in OF_CLANG])
@pytest.mark.parametrize("nvcc", NVCCS)
def test_nvcc(lines: Lines, workspace: Path, nvcc: str, option: str) -> None:
    (workspace / "k.cu").write_text("__global__ void k() {}\n")
    check(lines, NVCCS[nvcc], "cuda", "k.cu", option)


@pytest.mark.parametrize("option", [it for it in OPTIONS if it not in OF_NVCC])
def test_clang(lines: Lines, workspace: Path, option: str) -> None:
    (workspace / "k.hip").write_text("")
    check(lines, WHEELS, "hip", "k.hip", option)


def test_names_of_sources_and_folders(lines: Lines, workspace: Path) -> None:
    (workspace / "k.cu").write_text("")
    allowed = lines(WHEELS, "cuda", "k.cu")
    assert allowed
    for value in HOSTILE:
        name = value.replace("/", "_")[:200] + ".cu"
        (workspace / name).write_text("")
        got = lines(WHEELS, "cuda", name)
        # Names of the file itself, without its folder, which nvcc makes others of, in its private folder too.
        left = {
            it for it in (got or set()) - allowed if name not in it and not it.startswith(("tmpxft_", "FOLDER/tmpxft_"))
        }
        assert not left, (value, left)


def test_an_option_of_the_host_compiler_that_would_be_parted(lines: Lines, workspace: Path) -> None:
    """So that the tests above can fail: this is what nvcc does with a word that it passes on."""
    (workspace / "k.cu").write_text("")
    nvcc = next(find_nvcc(WHEELS, None))
    harmful = [nvcc.start[0], "-E", "-Xcompiler", "-iquote,x -fplugin=y", "-o", "o", str(workspace / "k.cu")]
    assert "-fplugin=y" in _words(harmful, workspace, nvcc.search, str(workspace))


# -- the check itself


@pytest.mark.parametrize("word", [it for it in HOSTILE if re.search(r"[^\w.:=+/@~()\[\]\x20-]", it)])
def test_no_path_with_it_is_plain(word: str) -> None:
    with pytest.raises(NotPlain):
        plain(["-I", f"/{word}"])


def test_nothing_is_passed_on_that_is_parted() -> None:
    kept = ["-I", "/a b", "-Xcompiler", "-iquote", "-Xcompiler", "quoted0"]
    assert plain(kept) == kept
    for words in (["-Xcompiler", "/a b"], ["-Xcompiler", "-iquote /a b"], ["-Xcompiler=-iquote,/a"], ["a b"]):
        with pytest.raises(NotPlain):
            plain(words)


@given(st.lists(st.one_of(st.text(max_size=8), st.sampled_from(HOSTILE), st.just("/a/b"))))
def test_one_text_has_the_words_it_was_made_of(words: list[str]) -> None:
    try:
        text = one_text(words)
    except NotPlain:
        return
    assert shlex.split(text) == text.split() == words


@pytest.mark.parametrize(
    ("word", "encoding", "kept"),
    [
        ("größe", "cp1252", True),
        ("größe", "utf-8", True),
        ("\u02ba", "cp1252", False),  # it has none of that name; Windows would make a quote of it
        ("表", "cp932", False),  # 95 5C: its second byte is a backslash
        ("日", "cp932", True),
        ("\udcff", "utf-8", False),
    ],
)
def test_characters_that_become_others(word: str, encoding: str, kept: bool) -> None:
    assert keeps_ascii(word, encoding) is kept
