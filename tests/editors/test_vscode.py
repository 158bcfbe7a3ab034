"""The packaged extension in the real VS Code workbench, driven by mouse and keyboard."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
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


@pytest.fixture(scope="session")
def installed(editors, bounded, tmp_path_factory):
    """The folder of extensions in which the editor has installed a package, which all scenarios share."""

    @cache
    def install(vsix, *within):
        data, extensions = (tmp_path_factory.mktemp(name) for name in ("data", "extensions"))
        (data / "config.yaml").touch()
        modules = editors / "vscode" / "node_modules"
        start = [modules / ".bin" / "node", modules / "code-server" / "out" / "node" / "entry.js"]
        folders = ["--config", data / "config.yaml", "--user-data-dir", data, "--extensions-dir", extensions]
        bounded([*within, *start, *folders, "--install-extension", vsix], 60)
        return extensions

    return install


@pytest.fixture
def run_scenario(editors, installed, bounded, server, workspace, tmp_path, screenshots):
    def run(scenario, vsix, *within, into=screenshots):
        given = {
            "editors": str(editors),
            "extensions": str(installed(vsix, *within)),
            "server": server,
            "workspace": str(workspace),
            "scratch": str(tmp_path),
            "screenshots": str(into),
        }
        node = editors / "vscode" / "node_modules" / ".bin" / "node"
        return bounded([*within, node, HERE / "vscode" / f"{scenario}.mjs", json.dumps(given)], 600)

    return run
