"""The packaged extension in the real VS Code workbench, driven by mouse and keyboard."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# A network of its own, in which only this machine answers.
CUT_OFF = ("unshare", "--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")


@pytest.mark.parametrize(
    "scenario",
    [
        "reading",
        "editing",
        "device",
        "missing",
        "stating",
        "install",
        "untrusted",
        "vendors",
        "compiling",
        "consent",
        "ending",
        "panel",
        "python",
    ],
)
def test_vscode(scenario, run_scenario, vsix):
    run_scenario(scenario, vsix)


def test_first_start_of_a_platforms_package_without_network_and_pip(run_scenario, own_vsix, tmp_path):
    python = tmp_path / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", python], check=True)
    run_scenario("offline", own_vsix, *CUT_OFF, "env", f"PATH={python / 'bin'}:{os.environ['PATH']}")


@pytest.mark.skipif("OCCUPANCY_PICTURES" not in os.environ, reason="`make pictures` makes them")
def test_pictures(run_scenario, vsix, workspace):
    shutil.rmtree(workspace)
    shutil.copytree(ROOT / "examples", workspace)
    run_scenario("pictures", vsix, into=ROOT / "docs" / "images")


@pytest.mark.skipif("OCCUPANCY_TIMES" not in os.environ, reason="figures to be read: see docs/performance.md")
def test_times(run_scenario, vsix):
    print(run_scenario("times", vsix))


@pytest.fixture
def run_scenario(editors, bounded, server, workspace, tmp_path, screenshots):
    def run(scenario, vsix, *within, into=screenshots):
        given = {
            "editors": str(editors),
            "vsix": str(vsix),
            "server": server,
            "workspace": str(workspace),
            "scratch": str(tmp_path),
            "screenshots": str(into),
        }
        node = editors / "vscode" / "node_modules" / ".bin" / "node"
        return bounded([*within, node, HERE / "vscode" / f"{scenario}.mjs", json.dumps(given)], 600)

    return run
