"""The set-ups of editors as the documents have them: the tests use what a user would copy."""

import re
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)

# What each kind of file shows in every editor: a header of C++, HIP, OpenCL C.
HINTS = {
    "scale.hpp": r"T factor\) +50% at 256 · 4 blk/SM · regs",
    "stage.hip": r"float \*out\) +12.5% at 256 · 1 WG/CU · LDS",
    "tile.cl": r"float \*out\) +31.25% · 5 WG/Xe-core · SLM",
}
# In editors that run several servers for one language.
PYTHON_HINTS = {"matmul.py": r"num_warps=64\), *left out: 2048>1024 threads"}


def setup(editor: str, language: str) -> list[str]:
    """The blocks of this language in the editor's section of docs/editors.md."""
    text = (_ROOT / "docs" / "editors.md").read_text()
    section = text.split(f"\n## {editor}\n")[1].split("\n## ")[0]
    return [block for name, block in _BLOCK.findall(section) if name == language]


def blocks(document: str) -> list[tuple[str, str]]:
    """All blocks of a document, each with its language."""
    return _BLOCK.findall((_ROOT / document).read_text())
