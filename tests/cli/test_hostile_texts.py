"""No command prints what a terminal would obey, whatever a workspace has in it, and none writes into it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from occupancy_lsp.cli.main import main
from tests.hostile_texts import MARK, hostile_workspace, obeyed

_COMMANDS = {
    "check": ["check", ".", "--hints"],
    "json": ["check", ".", "--format", "json"],
    "kernels": ["kernels", "."],
    "jsonl": ["kernels", ".", "--format", "jsonl"],
    "compile": ["compile", ".", "--device", "mine"],
    "doctor": ["doctor", "."],
    "devices": ["devices"],
    "device": ["devices", "mine"],
    "calc": ["calc", "--device", "mine", "--block", "256"],
    "sweep": ["sweep", "--device", "mine", "--over", "regs"],
    "roofline": ["roofline", "--device", "mine", "--flops", "1e9", "--bytes", "1e9"],
    "unknown device": ["check", ".", "--device", MARK],
    "unknown file": ["check", MARK],
    "unknown option": ["check", ".", f"--{MARK}"],
    "unknown rule": ["explain", MARK],
}


def contents(folder: Path) -> dict[str, str]:
    return {str(it): hashlib.sha256(it.read_bytes()).hexdigest() for it in folder.rglob("*") if it.is_file()}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    hostile_workspace(folder)
    return folder


@pytest.mark.parametrize("name", _COMMANDS)
def test_nothing_is_obeyed_and_nothing_written(
    name: str, hostile: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(hostile)
    monkeypatch.setenv("PATH", str(tmp_path))  # no compiler: this is about texts
    before = contents(hostile)
    try:
        main(_COMMANDS[name])
    except SystemExit as ended:  # argparse
        assert ended.code == 2
    said = capsys.readouterr()
    assert not obeyed(said.out + said.err)
    assert contents(hostile) == before
    if name == "json":
        assert MARK in json.loads(said.out)["files"][0]["path"]
    if name in ("check", "kernels", "doctor"):
        assert "<img src=e>`c`**b**" in said.out and "\\x1b]0;o\\x07" in said.out and "\\u202e" in said.out
