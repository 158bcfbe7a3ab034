"""The job for GitLab and the image, by their own checkers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from jsonschema import validate

from tests.ci.support import FAILS, ROOT, is_valid, program, run

TEMPLATE = ROOT / "gitlab" / "occupancy.gitlab-ci.yml"


def test_gitlab_takes_the_job() -> None:
    is_valid(TEMPLATE, "vendor.gitlab-ci")


def test_the_job_s_script(tmp_path: Path) -> None:
    """As the image's shell runs it."""
    (tmp_path / "k.cu").write_text(FAILS)
    job = yaml.safe_load(TEMPLATE.read_text("utf-8"))["occupancy"]
    script = "\n".join(job["script"])
    done = run("sh", "-ec", script, cwd=tmp_path, env=job["variables"])
    assert done.returncode == 1 and "OCC001" in done.stdout, done.stderr
    reports = {name: tmp_path / file for name, file in job["artifacts"]["reports"].items()}
    found = json.loads(reports["codequality"].read_text("utf-8"))
    schema = json.loads((ROOT / "tests" / "data" / "formats" / "codeclimate.json").read_text("utf-8"))
    for it in found:
        validate(it, schema)
    assert [it["check_name"] for it in found] == ["OCC001"]
    cases = ElementTree.parse(reports["junit"]).iter("testcase")
    assert [len(it.findall("failure")) for it in cases] == [1]
    done = run("sh", "-ec", script, cwd=tmp_path, env=job["variables"] | {"OCCUPANCY_ARGUMENTS": "--fail-on never"})
    assert done.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="hadolint is installed on Linux alone")
def test_the_image() -> None:
    done = run(program("hadolint"), "Dockerfile", cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, "")
