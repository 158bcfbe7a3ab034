"""An editor hands a Python file to the server only where it has one of these words."""

import json
from pathlib import Path

from occupancy_lsp.languages.python.program_texts import MARK
from occupancy_lsp.languages.registry import LANGUAGES

KNOWN = Path(__file__).parents[2] / "vscode-extension" / "src" / "needs.json"


def test_vs_code_knows_python_files_by_what_the_server_knows_them_by() -> None:
    python = (it for it in LANGUAGES.values() if "python" in it.editors)
    words = {word.decode() for it in python for word in it.needs} | {MARK.decode()}
    needed = {it for it in words if not any(other in it for other in words - {it})}
    assert needed and set(json.loads(KNOWN.read_text())["python"]) == needed
