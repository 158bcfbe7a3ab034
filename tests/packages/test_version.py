"""The version stands in one place, and is released when both change logs tell of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from release.version import CHANGELOGS, unreleased

ROOT = Path(__file__).parents[2]


def logs(folder: Path, *newest: str) -> Path:
    for name, section in zip(CHANGELOGS, newest, strict=True):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"# Changelog\n\n## {section}\n\n- A change.\n\n## 0.0.1\n", "utf-8")
    return folder


def test_both_change_logs_must_begin_with_the_version(tmp_path: Path) -> None:
    assert [*unreleased(logs(tmp_path, "1.2.3", "1.2.3"), "1.2.3")] == []
    assert [*unreleased(logs(tmp_path, "1.2.3", "Unreleased"), "1.2.3")] == [
        "vscode-extension/CHANGELOG.md: the newest section is Unreleased, not 1.2.3"
    ]
    assert len([*unreleased(logs(tmp_path, "1.2.4", "0.0.1"), "1.2.3")]) == 2


@pytest.mark.parametrize("version", ["1.2", "1.2.3.dev0", "v1.2.3"])
def test_editors_take_three_numbers(tmp_path: Path, version: str) -> None:
    assert [*unreleased(logs(tmp_path, version, version), version)] == [f"{version} is not a version such as 1.2.3"]


def test_no_other_file_states_it() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'dynamic = ["version"]' in project and not re.search(r"^version *=", project, re.MULTILINE)
    package = json.loads((ROOT / "vscode-extension" / "package.json").read_text("utf-8"))
    assert package["version"] == "0.0.0"
