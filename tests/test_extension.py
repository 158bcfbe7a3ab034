"""What the extension's texts name is there: commands, settings, pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from occupancy_lsp.settings import EDITOR_KEYS

FOLDER = Path(__file__).parents[1] / "vscode-extension"
MANIFEST = json.loads((FOLDER / "package.json").read_text("utf-8"))
CONTRIBUTED = MANIFEST["contributes"]
TITLES = {f"{it['category']}: {it['title']}" for it in CONTRIBUTED["commands"]}
COMMANDS = {it["command"] for it in CONTRIBUTED["commands"]}
SETTINGS = set(CONTRIBUTED["configuration"]["properties"])
README = (FOLDER / "README.md").read_text("utf-8")


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for it in value.values():
            yield from texts(it)
    elif isinstance(value, list):
        for it in value:
            yield from texts(it)


@pytest.mark.parametrize("name", ["README.md", "package.json", "../docs/editors.md"])
def test_commands_that_are_named_exist(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    assert {*re.findall(r"\*(Occupancy: [^*]+)\*", text)} <= TITLES
    assert {*re.findall(r"command:(occupancy\.\w+)", text)} <= COMMANDS


def test_menus_have_commands_and_only_where_the_server_runs() -> None:
    entries = [it for menu in CONTRIBUTED["menus"].values() for it in menu]
    assert entries and {it["command"] for it in entries} <= COMMANDS
    assert all(it["when"].startswith("occupancy.running && ") for it in entries)


def test_settings_that_are_named_exist() -> None:
    named = {it for text in texts(CONTRIBUTED) for it in re.findall(r"`#?(occupancy\.[\w.]+)#?`", text)}
    assert named and named <= SETTINGS
    assert {f"occupancy.{key.name}" for key in EDITOR_KEYS} <= SETTINGS


def test_the_readme_lists_all_commands_and_settings() -> None:
    assert {*re.findall(r"\*\*(Occupancy: [^*]+)\*\*", README)} == TITLES
    assert all(f"`{it}`" in README for it in SETTINGS)


def test_pictures_are_there_and_small() -> None:
    (walkthrough,) = CONTRIBUTED["walkthroughs"]
    named = {it for step in walkthrough["steps"] for it in step["media"]["image"].values()}
    assert all((FOLDER / it).stat().st_size < 100_000 for it in named)


def test_every_command_is_registered() -> None:
    """By the extension itself, or as one that the server executes."""
    server = (FOLDER.parent / "occupancy_lsp" / "server" / "wiring.py").read_text("utf-8")
    source = "".join(it.read_text("utf-8") for it in (FOLDER / "src").glob("*.ts"))
    assert all(f"registerCommand('{it}'" in source or f'"{it}"' in server for it in COMMANDS)


def test_names_are_no_options_of_what_is_started() -> None:
    """What the extension adds to the server's command: words of its own, and names only behind `--`."""
    sources = {path.name: path.read_text("utf-8") for path in (FOLDER / "src").rglob("*.ts")}
    added = {it for text in sources.values() for it in re.findall(r"\[\.\.\.args, (.*?)\]", text)}
    assert added == {"'--version'", "'serve', '--stdio'", "'doctor', '--', path"}
    starting = {name for name, text in sources.items() if re.search(r"\b(?:execFile|spawn)\(", text)}
    assert starting == {"commands.ts", "install.ts", "server.ts"}
    assert not [
        name for name, text in sources.items() if re.search(r"shell: true|(?<!\.)\bexec\(|createTerminal", text)
    ]
