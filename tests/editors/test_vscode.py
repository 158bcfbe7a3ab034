"""The packaged extension in the real VS Code workbench, driven by mouse and keyboard."""

import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "scenario",
    [
        "reading",
        "editing",
        "device",
        "missing",
        "install",
        "untrusted",
        "vendors",
        "compiling",
        "consent",
        "ending",
        "panel",
    ],
)
def test_vscode(scenario, editors, bounded, server, workspace, tmp_path, screenshots, request):
    given = {
        "editors": str(editors),
        "vsix": str(request.getfixturevalue("vsix")),
        "server": server,
        "workspace": str(workspace),
        "scratch": str(tmp_path),
        "screenshots": str(screenshots),
    }
    node = editors / "vscode" / "node_modules" / ".bin" / "node"
    bounded([node, HERE / "vscode" / f"{scenario}.mjs", json.dumps(given)], 300)
