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


# Most of the work is to start the editor and to open its windows: what can share them does.
@pytest.mark.parametrize(
    "windows",
    [
        "python missing+reading+editing+stating+panel+links+device ending",
        "untrusted vendors compiling consent",
        "install",
    ],
)
def test_vscode(windows, run_scenarios, vsix):
    run_scenarios(windows, vsix)


def test_first_start_of_a_platforms_package_without_network_and_pip(run_scenarios, own_vsix, tmp_path):
    python = tmp_path / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", python], check=True)
    run_scenarios("offline", own_vsix, *CUT_OFF, "env", f"PATH={python / 'bin'}:{os.environ['PATH']}")


@pytest.mark.skipif("OCCUPANCY_PICTURES" not in os.environ, reason="`make pictures` makes them")
def test_pictures(run_scenarios, vsix, workspace):
    shutil.rmtree(workspace)
    shutil.copytree(ROOT / "examples", workspace)
    run_scenarios("pictures", vsix, into=ROOT / "docs" / "images")


@pytest.mark.skipif("OCCUPANCY_TIMES" not in os.environ, reason="figures to be read: see docs/performance.md")
def test_times(run_scenarios, vsix):
    print(run_scenarios("times", vsix))


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
def run_scenarios(editors, installed, bounded, server, workspace, tmp_path, screenshots):
    def run(windows, vsix, *within, into=screenshots):
        given = {
            "windows": windows.split(),
            "editors": str(editors),
            "extensions": str(installed(vsix, *within)),
            "server": server,
            "workspace": str(workspace),
            "scratch": str(tmp_path),
            "screenshots": str(into),
            "themes": "OCCUPANCY_SCREENSHOTS" in os.environ,
        }
        node = editors / "vscode" / "node_modules" / ".bin" / "node"
        return bounded([*within, node, HERE / "vscode" / "run.mjs", json.dumps(given)], 600)

    return run
