"""Completion, in the shells themselves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from occupancy_lsp.rules.registry import RULES
from tests.cli.support import ROOT, occupancy

BIN = Path(sys.executable).parent
ENV = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "TERM": "xterm"}
CODES = {it.code for it in RULES if it.code.startswith("OCC00")}
CASES = [
    ("occupancy-lsp expl", {"explain"}),
    ("occupancy-lsp explain OCC00", CODES),
    ("occupancy-lsp check --device rtx-4080-s", {"rtx-4080-super"}),
    ("occupancy-lsp check --hin", {"--hints"}),
    ("occupancy-lsp what-if examples/pers", {"examples/persistent.cu:look_up"}),
    ("occupancy-lsp chart examples/faults.cu:s", {"examples/faults.cu:scale", "examples/faults.cu:smooth"}),
]  # fmt: skip
# What bash does when Tab is pressed; it has cut the words at colons.
BASH = """
source <(occupancy-lsp completion bash)
COMP_LINE="$1"; COMP_POINT=${#1}; COMP_TYPE=9; COMP_KEY=9
_python_argcomplete occupancy-lsp
printf '%s\\n' "${COMPREPLY[@]}"
"""


def installed(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"no {shell} on this machine")
    return found


def run(*command: str) -> set[str]:
    done = subprocess.run(command, cwd=ROOT, env=ENV, capture_output=True, text=True, timeout=60, check=True)
    return {line.split("\t")[0].strip() for line in done.stdout.splitlines() if line.strip()}


@pytest.mark.parametrize(("line", "wanted"), CASES)
def test_bash(line: str, wanted: set[str]) -> None:
    assert run(installed("bash"), "-c", BASH, "bash", line) == {
        it.rpartition(":")[2] if ":s" in line else it for it in wanted
    }


@pytest.mark.parametrize(("line", "wanted"), CASES)
def test_fish(line: str, wanted: set[str]) -> None:
    script = 'occupancy-lsp completion fish | source; complete --do-complete "$argv[1]"'
    assert run(installed("fish"), "--no-config", "-c", script, line) == wanted


def test_zsh() -> None:
    """At its prompt, by the Tab key."""
    pexpect = pytest.importorskip("pexpect")
    shell = pexpect.spawn(
        installed("zsh"), ["-f", "-i"], cwd=str(ROOT), env=ENV, encoding="utf-8", timeout=30, dimensions=(40, 120)
    )
    shell.sendline("PS1='ready''> '; autoload -Uz compinit; compinit -u -D; source <(occupancy-lsp completion zsh)")
    shell.expect("ready> ")
    shell.send("occupancy-lsp what-if examples/mat\t --de\t rtx-408\t")
    shell.expect_exact("examples/matmul.cu:matmul")
    shell.expect(r"--device.*rtx-4080")
    shell.close(force=True)


def test_a_name_that_is_no_text_costs_the_others_nothing(tmp_path: Path) -> None:
    for name in (b"ka.cu", b"kb $(x).cu", b"kc\xff.cu", b"kd\x1b]0;x\x07.cu", b"ke\nf.cu"):
        with suppress(OSError):  # macOS has no such names
            Path(os.fsdecode(bytes(tmp_path) + b"/" + name)).write_text("__global__ void k() {}")
    done = subprocess.run(
        [installed("bash"), "-c", BASH, "bash", "occupancy-lsp what-if k"],
        cwd=tmp_path,
        env=ENV,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == [b"ka.cu", b"kb\\ \\$\\(x\\).cu"]


def test_powershell() -> None:
    """No such shell is at hand: only that its script is for our program."""
    assert "Register-ArgumentCompleter -Native -CommandName occupancy-lsp" in occupancy("completion", "powershell").out


def test_an_unknown_shell() -> None:
    assert occupancy("completion", "csh").status == 2


def test_completing_costs_nothing_where_nobody_asks() -> None:
    """Nor does what renders pages: neither is imported to say the version, nor to show a page in a pipe."""
    for arguments in (["--version"], ["explain", "OCC101"]):
        code = f"import sys; from occupancy_lsp.cli.main import main; main({arguments}); print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
        assert not re.search(r"\b(rich|argcomplete|pygments|markdown_it)\b", done.stdout.splitlines()[-1])
