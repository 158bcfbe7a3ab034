"""What "Install Server" installs: every package that the server needs, at one version, known by its files' hashes."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "vscode-extension" / "requirements.txt").read_text("utf-8")
COMPILER = (ROOT / "vscode-extension" / "compilers" / "nvidia.txt").read_text("utf-8")


def pinned(lock: str) -> dict[str, tuple[str, list[str]]]:
    return {
        name.lower().replace("_", "-"): (version, re.findall(r"--hash=sha256:[0-9a-f]{64}\b", hashes))
        for name, version, hashes in re.findall(r"^([\w.-]+)==([\w.]+)((?:.*\\\n)*.*)", lock, re.MULTILINE)
    }


PINNED = pinned(LOCK)


def dependencies() -> list[Requirement]:
    table = (ROOT / "pyproject.toml").read_text("utf-8").split("\ndependencies = [")[1].split("]")[0]
    return [Requirement(it) for it in re.findall(r'"([^"]+)"', table)]


def test_every_dependency_is_pinned_as_the_project_allows() -> None:
    assert len(dependencies()) > 5
    for needed in dependencies():
        version, hashes = PINNED[needed.name.lower()]
        assert version in needed.specifier, f"{needed}: make requirements"
        assert hashes


def test_every_package_has_the_hashes_of_its_wheels() -> None:
    assert len(PINNED) > len(dependencies())
    assert all(hashes for _, hashes in PINNED.values())
    # One wheel for each of five Pythons on three systems at least where a package is compiled.
    assert all(len(PINNED[name][1]) >= 15 for name in ("msgspec", "pyyaml"))


def test_nothing_else_may_be_installed() -> None:
    source = (ROOT / "vscode-extension" / "src" / "install.ts").read_text("utf-8")
    server, wheel, compiler = re.findall(r"run\(\.\.\.pip, (.*?)\)[;,)]", source)
    assert "const LOCKED = ['--require-hashes', '--only-binary', ':all:'];" in source
    assert all("...LOCKED, '--requirement', requirements" in it for it in (server, compiler))
    assert "'--no-deps', '--no-index'" in wheel and "'--no-deps'" in compiler
    assert not re.search(r"https?://", LOCK + COMPILER)


def test_the_compiler_is_whole_and_pinned() -> None:
    """For Linux on two architectures, and for Windows."""
    parts = ("nvcc", "crt", "runtime", "cccl")
    found = pinned(COMPILER)
    assert found.keys() == {*(f"nvidia-cuda-{it}" for it in parts), "nvidia-nvvm"}
    assert all(version.startswith("13.") and len(hashes) >= 3 for version, hashes in found.values())
