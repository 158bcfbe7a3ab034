"""Programs as a CI system runs them, and the schemas of what they read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(sysconfig.get_path("scripts"))
NOBODY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull} | {
    f"GIT_{who}_{what}": said
    for who in ("AUTHOR", "COMMITTER")
    for what, said in (("NAME", "nobody"), ("EMAIL", "nobody@localhost"))
}

FINE = "__global__ void k(float *x) { x[threadIdx.x] *= 2; }\nvoid f(float *x) { k<<<1, 256>>>(x); }\n"
FAILS = FINE.replace("256", "2048")


def run(*command: str, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """With this environment's programs first."""
    path = os.pathsep.join((str(PROGRAMS), os.environ["PATH"]))
    every = {**os.environ, "PATH": path, **NOBODY, **(env or {})}
    return subprocess.run(command, cwd=cwd, env=every, capture_output=True, text=True, timeout=120)


def git(folder: Path, *arguments: str) -> None:
    done = run("git", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr


def is_valid(file: Path, schema: str) -> None:
    """By one of the schemas that check-jsonschema has of others' formats."""
    done = run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file), cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def program(name: str) -> str:
    found = shutil.which(name, path=str(PROGRAMS))
    assert found is not None, f"{name} is not installed"
    return found
