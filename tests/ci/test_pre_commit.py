"""`.pre-commit-hooks.yaml`, by pre-commit itself in a repository of files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from occupancy_lsp.languages.registry import SUFFIXES as OF_KERNELS
from occupancy_lsp.workspace.walk import SUFFIXES
from tests.ci.support import FAILS, FINE, ROOT, git, program, run

MANIFEST = ROOT / ".pre-commit-hooks.yaml"
HOOKS = {it["id"]: it for it in yaml.safe_load(MANIFEST.read_text("utf-8"))}
# `language: system`: with the package that is tested, in place of one that pre-commit would install.
CONFIG = """\
repos:
  - repo: {hooks}
    rev: v1
    hooks:
      - {{id: occupancy, language: system}}
      - {{id: occupancy-changed, language: system}}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """With a header that says how large the blocks of another file's launch are."""
    hooks, folder = tmp_path / "hooks", tmp_path / "repository"
    for it in (hooks, folder):
        it.mkdir()
        git(it, "init", "-q")
    (hooks / MANIFEST.name).write_bytes(MANIFEST.read_bytes())
    git(hooks, "add", ".")
    git(hooks, "commit", "-qm", "hooks")
    git(hooks, "tag", "v1")
    (folder / ".pre-commit-config.yaml").write_text(CONFIG.format(hooks=hooks))
    (folder / "size.h").write_text("#define SIZE 256\n")
    (folder / "k.cu").write_text('#include "size.h"\n' + FINE.replace("256", "SIZE"))
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "all is well")
    return folder


def hooks(folder: Path, *arguments: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """What pre-commit says, and how each hook ended."""
    home = {"PRE_COMMIT_HOME": str(folder.parent / "home"), "PRE_COMMIT_COLOR": "never"}
    done = run(program("pre-commit"), "run", *arguments, cwd=folder, env=home)
    ended = re.findall(r"^(.*?)\.\.\.+(?:\(no files to check\))?(\w+)$", done.stdout, re.MULTILINE)
    names = {it["name"]: id for id, it in HOOKS.items()}
    return done, {names[name]: how for name, how in ended}


def test_commits(repository: Path) -> None:
    done, ended = hooks(repository, "--all-files")
    assert ended == dict.fromkeys(HOOKS, "Passed"), done.stdout + done.stderr
    # A changed header breaks a launch in a file that did not change: only the whole repository tells.
    (repository / "size.h").write_text("#define SIZE 2048\n")
    git(repository, "add", ".")
    done, ended = hooks(repository)
    assert ended == {"occupancy": "Failed", "occupancy-changed": "Skipped"}
    assert done.returncode == 1 and re.search(r"^k\.cu:3:\d+: error: .*2048.* \[OCC001\]$", done.stdout, re.MULTILINE)
    # What is not staged is not checked, a settings file has a say, and what is of no language concerns nobody.
    (repository / "size.h").write_text("#define SIZE 256\n")
    git(repository, "add", ".")
    (repository / "k.cu").write_text(FAILS)
    (repository / "notes.md").write_text("text\n")
    git(repository, "add", "notes.md")
    assert hooks(repository)[1] == dict.fromkeys(HOOKS, "Skipped")
    (repository / ".occupancy.yaml").write_text("devices: [h1000]\n")
    git(repository, "add", ".occupancy.yaml")
    done, ended = hooks(repository)
    assert ended == {"occupancy": "Failed", "occupancy-changed": "Skipped"} and "h1000" in done.stdout
    (repository / ".occupancy.yaml").unlink()
    git(repository, "add", "-A")
    done, ended = hooks(repository)
    assert ended == dict.fromkeys(HOOKS, "Failed"), done.stdout


def test_files() -> None:
    """Those that can change what is said."""
    for suffix in SUFFIXES:
        assert re.search(HOOKS["occupancy"]["files"], f"folder/K{suffix.upper()}") and suffix
    for name in (".occupancy.yaml", "folder/.occupancy.yaml", "k.cu.occupancy.yaml"):
        assert re.search(HOOKS["occupancy"]["files"], name)
    for suffix in (it for it in OF_KERNELS if it.count(".") == 1):
        assert re.search(HOOKS["occupancy-changed"]["files"], f"folder/k{suffix}")
    for name in ("cu", "k.cub", "notes.md", "occupancy.yaml.bak"):
        assert not any(re.search(it["files"], name) for it in HOOKS.values())


def test_the_manifest(tmp_path: Path) -> None:
    done = run(program("pre-commit"), "validate-manifest", str(MANIFEST), cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(it["require_serial"] for it in HOOKS.values())
