"""Makefiles, held against the commands that GNU make itself prints for them (`make -n`)."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from occupancy_lsp.workspace.compile_flags import split_command
from occupancy_lsp.workspace.make.commands import command_by_make


def ours(folder: Path, name: str = "k.cu", root: Path | None = None) -> list[str] | None:
    """The one command, where all ways say the same."""
    found = command_by_make(folder / name, root or folder, lambda several: len(several) == 1)
    return list(found[0].command.arguments) if found is not None else None


def by_make(folder: Path, name: str = "k.cu") -> list[list[str]]:
    """What make would run to compile the source."""
    done = subprocess.run(["make", "-n", "-B", "-C", str(folder)], capture_output=True, text=True, check=True)
    printed = done.stdout.replace("\\\n", " ").splitlines()
    lines = [split_command(part) for line in printed for part in re.split(r"&&|;", line)]
    return [words for words in lines if words and words[0].endswith("nvcc") and name in words]


def write(folder: Path, makefile: str, *sources: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Makefile").write_text(makefile)
    for name in (*sources, "k.cu"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    return folder


@pytest.mark.parametrize(
    "text",
    [
        "k.o: k.cu\n\tnvcc -O3 -c $< -o $@\n",
        "NVCC = nvcc\nFLAGS := -O2\nall: k.o\nFLAGS += -use_fast_math\n%.o: %.cu\n\t@$(NVCC) ${FLAGS} -c $< -o $@\n",
        "all: k.o\nsrc = k.cu\nobj = $(src:.cu=.o)\n$(obj): %.o: %.cu\n\tnvcc -DSTEM=$* -c $< -o $@\n",
        "D = no\nifeq ($(D),yes)\nF = -G\nelse ifeq ($(D), no)\nF = -O3\nelse\nF = -O0\nendif\nk: k.cu\n\tnvcc $F $^\n",
        "ifdef NOWHERE\nF = -G\nendif\nifndef NOWHERE\nF += -lineinfo\nendif\nk: k.cu\n\tnvcc $(F) k.cu\n",
        "A = $(addprefix -D,X Y=2)\nB = $(patsubst %.cu,%.o,k.cu) $(filter-out b,a b)\nk: k.cu\n\tnvcc $A '$B' k.cu\n",
        "F ?= -O1\nF ?= -O2\nlate = $(early)\nearly = -maxrregcount=32\nk: k.cu ; nvcc $F $(late) k.cu\n",
        "k: k.cu\n\tmkdir -p out && nvcc -O3 \\\n\t  -std=c++17 k.cu \\\n\t  -o k\nclean:\n\trm -f k\n",
        "F = -O3\nk.o: F += -maxrregcount=40\nk.o: k.cu other.cu\n\tnvcc $(F) -c k.cu\n",
        "export F := -O3 # optimised\nk: k.cu # the kernel\n\tnvcc $(F) k.cu # runs here\n",
        "ifeq ($(shell uname -s 2>/dev/null),Linux)\nF = -O2\nendif\nifeq ($(OS),Windows_NT)\nF += -G\nendif\n"
        "ifneq ($(shell which make),)\nF += -DM\nelse\nF += -DM\nendif\nk: k.cu\n\tnvcc $F k.cu\n",
        "include flags.mk\nk: k.cu\n\tnvcc $(F) k.cu\n",
        "k: k.cu\nifeq (a,b)\n\tnvcc -O1 k.cu\nelse\n\tnvcc -O2 k.cu\nendif\n",
        "A :=\nA +=\nifdef A\nB = -G\nendif\nk: k.cu\n\tnvcc $(B) k.cu\n",
        "P = $(if $(Q),-DQ,-DNOT_Q) $(firstword -O3 -O2) $(sort b a b) $(subst x,y,-DFxx)\nk: k.cu\n\tnvcc $(P) k.cu\n",
    ],
)  # fmt: skip
def test_the_command_is_the_one_that_make_prints(tmp_path: Path, text: str) -> None:
    folder = write(tmp_path, text, "other.cu")
    (folder / "flags.mk").write_text("F = -use_fast_math\n")
    (said,) = by_make(folder)
    assert ours(folder) == [it for it in said if it != "#" and it not in ("runs", "here")] or ours(folder) == said


WORDS = st.sampled_from(["-O3", "-G", "-DX=1", "$(A)", "$(B)", "$(C)", "$(A:1=2)", "$(addprefix -D,$(B))", ""])
NAMES = st.sampled_from("ABC")


@st.composite
def makefiles(draw: st.DrawFn) -> str:
    lines: list[str] = []
    depth = 0
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["set", "set", "set", "if", "else", "end"]))
        if kind == "set":
            name, how = draw(NAMES), draw(st.sampled_from([":=", "?=", "+="]))
            lines.append(f"{name} {how} {' '.join(draw(st.lists(WORDS, max_size=3)))}")
        elif kind == "if":
            condition = draw(
                st.sampled_from(["ifeq ($(A),)", "ifneq ($(B),-O3)", "ifdef C", "ifndef A", 'ifeq "$(C)" "-G"'])
            )
            lines, depth = [*lines, condition, f"A += -D{condition[2:4]}"], depth + 1
        elif kind == "else" and depth and "else" not in lines[-3:]:
            lines += ["else", "B := -Delse", "endif"]
            depth -= 1
        elif kind == "end" and depth:
            lines, depth = [*lines, "endif"], depth - 1
    lines += ["endif"] * depth
    return "\n".join([*lines, "k.o: k.cu", "\tnvcc $(A) $(B) $(C) -c $< -o $@", ""])


@settings(max_examples=60, deadline=None)
@given(makefiles())
@example('C :=\nC += -G\nifeq "$(C)" "-G"\nA := -DA\nendif\nk.o: k.cu\n\tnvcc $(A) $(C) -c $< -o $@\n')
def test_any_variables_and_conditions(text: str) -> None:
    with TemporaryDirectory() as name:
        folder = write(Path(name), text)
        done = subprocess.run(["make", "-n", "-B", "-C", name], capture_output=True, text=True)
        found = ours(folder)
        if done.returncode == 0:  # else a variable is made of itself
            assert [found] == by_make(folder)


def test_where_the_shell_decides_both_branches_are_looked_at(tmp_path: Path) -> None:
    unknown = "NVCC := $(shell which nvcc)\nifeq ($(shell lsb_release -i),Debian)\n"
    text = unknown + "F = {} -DA\nelse\nF = -O3\nendif\nk: k.cu\n\t$(NVCC) $F -gencode $(HOME) k.cu -I$(HOME)/x\n"
    for name, flag, known in (("one", "-O3", ["-O3"]), ("two", "-Xptxas -O1", [])):
        folder = write(tmp_path / name, text.format(flag))
        found = command_by_make(folder / "k.cu", folder, lambda several: len(several) == 1)
        assert found is not None and list(found[0].command.arguments) == ["nvcc", *known, "k.cu"]
        assert found[0].doubted == (("-DA",) if known else ("-Xptxas", "-O1", "-DA", "-O3"))


def test_what_no_makefile_compiles_has_no_command(tmp_path: Path) -> None:
    assert ours(write(tmp_path / "other", "k.o: other.cu\n\tnvcc -c other.cu\n")) is None
    assert ours(write(tmp_path / "host", "k.o: k.cu\n\tgcc -c k.cu\n")) is None
    assert ours(write(tmp_path / "two", "a: k.cu\n\tnvcc k.cu -DA\nb: k.cu\n\tnvcc k.cu -DB\n")) is None


def test_the_nearest_makefile_up_to_the_root_counts(tmp_path: Path) -> None:
    write(tmp_path, "all:\n\tnvcc -DTOP src/k.cu\n")
    folder = tmp_path / "root" / "src"
    write(tmp_path / "root", "build/%.o: src/%.cu\n\tnvcc -DROOT -c $< -o $@\n")
    write(folder, "docs:\n\techo k.cu\n")
    assert ours(folder, root=tmp_path / "root") == ["nvcc", "-DROOT", "-c", "src/k.cu", "-o", "build/k.o"]
    assert ours(folder, root=folder) is None


@pytest.mark.parametrize(
    "text",
    [
        "A = $(A)\nk: k.cu\n\tnvcc $(A) k.cu\n",
        "A0 = x\n" + "".join(f"A{i + 1} = $(A{i})$(A{i})\n" for i in range(60)) + "k: k.cu\n\tnvcc $(A60) k.cu\n",
        "include Makefile\nk: k.cu\n\tnvcc k.cu\n",
        "".join(f"ifeq ($(shell {i}),)\nF += -D{i}\nendif\n" for i in range(40)) + "k: k.cu\n\tnvcc $F k.cu\n",
        "k: k.cu\n\tnvcc " + "$(" * 50_000 + "\n",
        "k" + " " * 500_000 + "\n",
        "A = " + "a " * 20_000 + "\nB = $(filter-out $(A),$(A))\nk: k.cu\n\tnvcc $(B) k.cu\n",
        "define x\n" * 3 + "else\nendif\nendif\nifeq\nk: k.cu\n\tnvcc k.cu\n",
        "\\\n" * 100_000 + "k: k.cu\n\tnvcc k.cu\n",
    ],
    ids=range(9),
)
def test_no_makefile_takes_long(tmp_path: Path, text: str) -> None:
    """Far below what a person waits for; without bounds these take minutes, or for ever."""
    began = time.process_time()
    ours(write(tmp_path, text))
    assert time.process_time() - began < 20


def test_nothing_is_run_and_nothing_outside_is_read(tmp_path: Path) -> None:
    (tmp_path / "flags.mk").write_text("F = -DOUTSIDE\n")
    text = "X := $(shell touch ran)\nY != touch ran\ninclude ../flags.mk\nk: k.cu\n\tnvcc $(X) $(Y) $(F) k.cu\n"
    folder = write(tmp_path / "root", text)
    (folder / "linked.mk").symlink_to(tmp_path / "flags.mk")
    assert ours(folder) == ["nvcc", "k.cu"] and not (folder / "ran").exists()
