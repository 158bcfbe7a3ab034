"""Names of files are only ever names: whatever a repository calls its files, at every entry that is given some."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from tests.ci.support import FAILS, ROOT, git, run
from tests.ci.test_action import check, results
from tests.ci.test_pre_commit import CONFIG, MANIFEST, hooks
from tests.ci.test_templates import TEMPLATE


def hostile(outside: Path) -> tuple[str, ...]:
    return (
        f"--output=text:{outside}/victim.cu",
        f"--html={outside}/victim.cu",
        "--write-baseline.cu",
        "--jobs=0.cu",
        "-h.cu",
        "--.cu",
        "a\nb.cu",
        "'q\".cu",
        "$(touch pwned).cu",
        "`touch pwned`;touch pwned.cu",
        "x|touch pwned&.cu",
        "*.cu",
        "%s ${HOME} \\.cu",
    )


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """With a file that one of the names would have overwritten."""
    made = tmp_path / "outside"
    made.mkdir()
    (made / "victim.cu").write_text("kept")
    return made


@pytest.fixture
def folder(tmp_path: Path, outside: Path) -> Path:
    """A file of each name, with a launch that fails."""
    made = tmp_path / "workspace"
    for name in hostile(outside):
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FAILS)
    return made


def is_unharmed(folder: Path, outside: Path) -> bool:
    files = [path for path in folder.rglob("*.cu") if path.is_file()]
    kept = all(path.read_text() == FAILS for path in files) and len(files) == len(hostile(outside))
    others = [*folder.parent.rglob("pwned"), *folder.glob("*baseline*.json")]
    return kept and not others and [it.read_text() for it in outside.iterdir()] == ["kept"]


def test_hooks(folder: Path, outside: Path, tmp_path: Path) -> None:
    made = tmp_path / "hooks"
    made.mkdir()
    (made / MANIFEST.name).write_bytes(MANIFEST.read_bytes())
    (folder / ".pre-commit-config.yaml").write_text(CONFIG.format(hooks=made))
    for it in (made, folder):
        git(it, "init", "-q")
        git(it, "add", ".")
        git(it, "commit", "-qm", "all")
    git(made, "tag", "v1")
    done, ended = hooks(folder, "--all-files")
    assert ended == {"occupancy": "Failed", "occupancy-changed": "Failed"}
    assert done.stdout.count("[OCC001]") == 2 * len(hostile(outside)), done.stdout
    assert is_unharmed(folder, outside)
    # Options of the user's where names are expected are no options either: the hook fails, and says why.
    config = folder / ".pre-commit-config.yaml"
    config.write_text(config.read_text().replace("occupancy-changed,", "occupancy-changed, args: [--fail-on, never],"))
    git(folder, "add", ".")
    done, ended = hooks(folder, "occupancy-changed", "--all-files")
    assert ended == {"occupancy-changed": "Failed"} and "--fail-on: no such file" in done.stdout
    entry = "occupancy-changed, entry: occupancy-lsp check --fail-on never --"
    config.write_text(re.sub(r"occupancy-changed, args: \[.*?\]", entry, config.read_text()))
    git(folder, "add", ".")
    assert hooks(folder, "occupancy-changed", "--all-files")[1] == {"occupancy-changed": "Passed"}
    assert is_unharmed(folder, outside)


@pytest.mark.parametrize("upload", ["true", "false"])
def test_action(folder: Path, outside: Path, upload: str) -> None:
    every = hostile(outside)
    whole = check(folder, upload=upload)
    named = check(folder, paths="\n".join(it for it in every if "\n" not in it), upload=upload)
    assert (len(results(whole)), len(results(named))) == (len(every), len(every) - 1), named.log
    assert is_unharmed(folder, outside)


def test_the_action_s_python_takes_no_module_of_the_checkout(folder: Path, tmp_path: Path) -> None:
    """Neither what makes the environment nor what installs into it."""
    for name in ("venv", "pip", "ensurepip", "subprocess", "logging"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'pwned')!r}, 'w')\n")
    package = tmp_path / "package"
    package.mkdir()
    (package / "occupancy-lsp").touch()
    env = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(package), "VERSION": "", "PIP_NO_INDEX": "1",
           "PYTHON": "python3", "GITHUB_OUTPUT": str(tmp_path / "output")}  # fmt: skip
    done = run("bash", str(ROOT / ".github" / "action" / "install.sh"), cwd=folder, env=env)
    assert done.returncode != 0 and "package" in done.stderr  # which is none
    assert (tmp_path / "occupancy-lsp" / "pyvenv.cfg").is_file() and not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    "variables", [{}, {"OCCUPANCY_PATHS": "*"}, {"OCCUPANCY_PATHS": "* .", "OCCUPANCY_ARGUMENTS": "--fail-on error"}]
)
def test_gitlab(folder: Path, outside: Path, variables: Mapping[str, str]) -> None:
    job = yaml.safe_load(TEMPLATE.read_text("utf-8"))["occupancy"]
    done = run("sh", "-ec", "\n".join(job["script"]), cwd=folder, env=job["variables"] | variables)
    assert done.returncode == 1, done.stderr
    assert len(json.loads((folder / "gl-code-quality-report.json").read_text())) == len(hostile(outside))
    # A pattern among the arguments names no files.
    done = run("sh", "-ec", "\n".join(job["script"]), cwd=folder, env=job["variables"] | {"OCCUPANCY_ARGUMENTS": "-*"})
    assert done.returncode == 2 and "-*" in done.stderr
    assert is_unharmed(folder, outside)


def test_gitlab_s_reports_go_through_no_link(tmp_path: Path, outside: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "k.cu").write_text(FAILS)
    job = yaml.safe_load(TEMPLATE.read_text("utf-8"))["occupancy"]
    for name in job["artifacts"]["reports"].values():
        (workspace / name).symlink_to(outside / "victim.cu")
    done = run("sh", "-ec", "\n".join(job["script"]), cwd=workspace, env=job["variables"])
    assert done.returncode == 2 and done.stderr.count("is a link") == 2
    assert (outside / "victim.cu").read_text() == "kept"


def test_make(folder: Path, outside: Path) -> None:
    """Shown, not run: a proof takes long. The folders stand behind the end of options."""
    done = run("make", "--dry-run", "--assume-old=.venv/developed", "prove", "KERNELS=--help", cwd=ROOT)
    assert "-m tests.prove -- --help" in done.stdout, done.stderr


@pytest.mark.parametrize("command", ["check", "kernels", "report --html {out}"])
def test_commands(folder: Path, outside: Path, command: str) -> None:
    """As shells' patterns give names."""
    files = [os.path.relpath(it, folder) for it in folder.rglob("*.cu") if it.is_file()]
    words = command.format(out=folder.parent / "page.html").split()
    done = run("occupancy-lsp", *words, "--", *files, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    assert is_unharmed(folder, outside)


@pytest.mark.parametrize("command", ["doctor", "chart {}:k", "calc {}:k", "sweep --over block {}:k"])
def test_commands_that_take_one(folder: Path, outside: Path, command: str) -> None:
    """As the extension starts `doctor`."""
    *words, name = command.split() if "{}" in command else (command, "{}")
    for it in hostile(outside)[:6]:
        done = run("occupancy-lsp", *words, "--", name.format(it), cwd=folder)
        assert done.returncode == (words[0] == "calc"), done.stderr  # the kernel cannot launch
    assert is_unharmed(folder, outside)
