"""What "Install Server" installs: every package that the server needs, at one version, known by its files' hashes."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "vscode-extension" / "requirements.txt").read_text("utf-8")
PINNED = {
    name.lower().replace("_", "-"): (version, re.findall(r"--hash=sha256:[0-9a-f]{64}\b", hashes))
    for name, version, hashes in re.findall(r"^([\w.-]+)==([\w.]+)((?:.*\\\n)*.*)", LOCK, re.MULTILINE)
}


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
    assert all(len(PINNED[name][1]) >= 15 for name in ("msgpack", "pyyaml"))


def test_nothing_else_may_be_installed() -> None:
    source = (ROOT / "vscode-extension" / "src" / "install.ts").read_text("utf-8")
    installs = re.findall(r"run\(\.\.\.pip, (.*)\)", source)
    assert len(installs) == 2
    assert "'--require-hashes', '--only-binary', ':all:'" in installs[0]
    assert "'--no-deps', '--no-index'" in installs[1]
    assert not re.search(r"https?://", LOCK)
