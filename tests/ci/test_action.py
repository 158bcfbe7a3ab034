"""`action.yml`: valid by the schema of GitHub's actions, and its step that checks, run as a runner does."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ci.support import FAILS, FINE, ROOT, is_valid, program, run

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {it["id"]: it for it in ACTION["runs"]["steps"] if "id" in it}
DEFAULTS = {name: it["default"] for name, it in ACTION["inputs"].items()}


@dataclass(frozen=True)
class Done:
    status: int
    log: str
    outputs: dict[str, str]
    summary: str


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    made.mkdir()
    (made / "k.cu").write_text(FAILS)
    return made


def check(folder: Path, **inputs: str) -> Done:
    """The step, with the action's defaults for inputs that are not given."""
    given = DEFAULTS | {name.replace("_", "-"): value for name, value in inputs.items()}
    names = {f"inputs.{name}": value for name, value in given.items()}
    names["steps.install.outputs.program"] = program("occupancy-lsp")
    step = STEPS["check"]
    env = {key: re.sub(r"\$\{\{ (\S+) \}\}", lambda it: names[it[1]], text) for key, text in step["env"].items()}
    files = {name: folder.parent / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    env |= {name: str(file) for name, file in files.items()}
    env |= {"GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(folder.parent), "CI": "true"}
    done = run(step["shell"], "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], cwd=folder, env=env)
    output, summary = (it.read_text("utf-8") for it in files.values())
    return Done(done.returncode, done.stdout + done.stderr, dict(re.findall(r"^(\w+)=(.*)$", output, re.M)), summary)


def results(done: Done) -> list[dict[str, Any]]:
    (sarif,) = json.loads(Path(done.outputs["sarif"]).read_text("utf-8"))["runs"]
    found = sarif["results"]
    assert isinstance(found, list)
    return found


def test_a_finding(folder: Path) -> None:
    done = check(folder)
    assert (done.status, done.outputs["status"]) == (1, "1")
    (result,) = results(done)
    assert result["ruleId"] == "OCC001"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "k.cu"
    assert "| `k.cu" in done.summary and "OCC001" in done.summary
    assert "::error" not in done.log and "k.cu:2:" in done.log
    # Where nothing is uploaded, it is an annotation.
    done = check(folder, upload="false", fail_on="never")
    assert (done.status, done.outputs["status"]) == (0, "0")
    assert re.search(r"^::error .*file=k\.cu,line=2,", done.log, re.MULTILINE)


def test_no_file_name_is_a_command_to_the_runner(folder: Path) -> None:
    """Between the two lines with a word that nobody can know before, nothing is a command."""
    name = "::error ::x.cu"
    (folder / name).write_text(FAILS)
    for inputs in ({}, {"arguments": "--format\nconcise"}, {"upload": "false", "arguments": "--form=text"}):
        log = check(folder, paths=name, **inputs).log
        stopped = re.search(r"^::stop-commands::(\w{32})$(.*)^::\1::$", log, re.MULTILINE | re.DOTALL)
        assert stopped is not None and f"\n{name}:2:" in stopped[2], log
        assert not re.search("^::error", log.replace(stopped[0], ""), re.MULTILINE)
    for arguments in ("", "--format\ngithub"):
        log = check(folder, paths=name, upload="false", arguments=arguments).log
        assert "stop-commands" not in log and log.startswith("::error file="), log


def test_what_is_well_and_what_cannot_be_done(folder: Path) -> None:
    (folder / "k.cu").write_text(FINE)
    done = check(folder)
    assert (done.status, done.outputs["status"], results(done)) == (0, "0", [])
    assert "1 kernel" in done.summary
    for inputs, why in (
        ({"devices": "h1000"}, "h1000"),
        ({"paths": "none.cu"}, "no such file"),
        ({"fail_on": "x"}, "x"),
    ):
        done = check(folder, **inputs)
        assert (done.status, done.outputs) == (2, {"status": "2"}) and why in done.log and not done.summary


def test_inputs(folder: Path) -> None:
    """Each is a word, whatever characters it has; lines and commas are what tells them apart."""
    odd = folder / "$(touch pwned); `touch pwned` 'a\" b"
    odd.mkdir()
    (odd / "-x.cu").write_text(FINE)
    (folder / "--help").mkdir()
    (folder / "--help" / "y.cu").write_text(FINE)
    done = check(
        folder,
        paths=f"{odd.name}\n\n--help\n",
        devices=" h100, sm_86",
        arguments="--hints\n--table\n",
        fail_on="error",
    )
    assert done.status == 0, done.log
    assert not list(folder.rglob("pwned"))
    assert "k.cu" not in done.log and "2 kernels in 2 files" in done.log
    assert "x[threadIdx.x]" in done.log and re.search(r"kernel +sm_90 +sm_86|H100.*sm_86", done.log), done.log


def test_it_is_valid() -> None:
    is_valid(ROOT / "action.yml", "vendor.github-actions")


def test_every_input_has_a_use_and_is_documented() -> None:
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text("utf-8")))
    assert used == ACTION["inputs"].keys()
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    table = page.split("| input | meaning |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE) == [*ACTION["inputs"]]
