"""An editor hands files in Python, and those that may hold shaders, to the server only where they have such words."""

import json
from pathlib import Path

from occupancy_lsp.languages.python.program_texts import MARK
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.languages.shaders_in_strings import EDITORS, WORDS

KNOWN = Path(__file__).parents[2] / "vscode-extension" / "src" / "needs.json"


def test_vs_code_knows_python_files_by_what_the_server_knows_them_by() -> None:
    python = (it for it in LANGUAGES.values() if "python" in it.editors)
    words = {word.decode() for it in python for word in it.needs} | {MARK.decode()}
    needed = {it for it in words if not any(other in it for other in words - {it})}
    assert needed and set(json.loads(KNOWN.read_text())["python"]) == needed


def test_vs_code_knows_files_that_hold_shaders_by_what_the_server_knows_them_by() -> None:
    known = json.loads(KNOWN.read_text())
    assert known == {"python": known["python"], **{it: [*WORDS] for it in EDITORS}}
