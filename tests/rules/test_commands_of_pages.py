"""What the rules' pages say of compilers: each command that they show is run, and prints what the page says.

A command is about the example above it, as `k.cu`, `k.hip` or `k.cl`, or about `live.cu`. "…" stands for any text.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from occupancy_lsp.rules.registry import RULES
from tests.compilers import clang, for_hip, nvcc
from tests.forkserver import tool

PAGES = Path(__file__).parents[2] / "docs" / "rules"
_NAMES = {"cuda": "k.cu", "hip": "k.hip", "opencl": "k.cl"}
_BLOCK = re.compile(r"^```(\w+)(?: [^\n]+)?\n(.*?)^```", re.DOTALL | re.MULTILINE)
_FIGURE = re.compile(r"\d+(?= bytes spill| bytes stack| bytes cmem)|(?<=Spill: )\d+|(?<=Used )\d+|(?<=GPRs: )\d+")
_CHECKED = re.compile(r"V13\.[0-5]\.|clang version 22\.")  # compilers whose figures the pages give


def commands(text: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """The name and text of the example above, the command, and the lines that it prints."""
    name = example = ""
    for language, body in _BLOCK.findall(text):
        if language in _NAMES:
            name, example = _NAMES[language], body
        elif language == "console":
            for said in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, *lines = said.splitlines()
                yield name, example, command, lines


CASES = [(rule.code, *it) for rule in RULES for it in commands((PAGES / f"{rule.code}.md").read_text("utf-8"))]


def _start(program: str) -> tuple[str, ...]:
    if program == "occupancy-lsp":
        return tool()
    if program == "ocloc":
        return (shutil.which(program) or pytest.skip("no ocloc here"),)
    return clang().start if program == "clang" else nvcc()


@cache
def _checked(start: tuple[str, ...]) -> bool:
    said = subprocess.run([*start, "--version"], capture_output=True, text=True, check=True).stdout
    return _CHECKED.search(said) is not None


def run(command: str, folder: Path) -> tuple[subprocess.CompletedProcess[str], bool]:
    """`clang` is the wheel's, which needs our headers in place of ROCm's. Whether the page's figures are its."""
    program, *arguments = shlex.split(command)
    start, ours = _start(program), list[str]()
    if program == "clang":
        ours = [*for_hip()] if "hip" in arguments else ["-cl-no-stdinc"]
    done = subprocess.run([*start, *ours, *arguments], capture_output=True, text=True, cwd=folder, check=False)
    return done, program in ("occupancy-lsp", "ocloc") or _checked(start)


def pattern(lines: Sequence[str], figures: bool) -> re.Pattern[str]:
    """The lines, in this order. `figures`: with the very registers and bytes."""
    said = lines if figures else [_FIGURE.sub("…", it) for it in lines]
    every = (r"[^\n]*".join(map(re.escape, it.split("…"))) for it in said)
    return re.compile(r"[\s\S]*?".join(f"^{it}" for it in every), re.MULTILINE)


@pytest.mark.parametrize("case", CASES, ids=lambda it: f"{it[0]} {it[3]}")
def test_a_command_prints_what_its_page_says(case: tuple[str, str, str, str, list[str]], tmp_path: Path) -> None:
    _, name, example, command, lines = case
    if sys.platform == "darwin" and command.startswith("nvcc"):
        pytest.skip("no nvcc for macOS")
    shutil.copy(PAGES / "live.cu", tmp_path)
    if name:
        (tmp_path / name).write_text(example, "utf-8")
    done, figures = run(command, tmp_path)
    said = done.stdout + done.stderr
    assert pattern(lines, figures).search(said), said
    refused = any(re.search(r"\berrors?\b|cannot launch", it) for it in lines)
    assert (done.returncode != 0) is refused, said
    if not lines:
        assert "warning" not in said
