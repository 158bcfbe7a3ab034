"""`python -m benchmarks.bare_parse DIR`: parse every source with tree-sitter, and do nothing with it."""

from __future__ import annotations

import sys
from pathlib import Path

import tree_sitter_cuda
from tree_sitter import Language, Parser

if __name__ == "__main__":
    parser = Parser(Language(tree_sitter_cuda.language()))
    for path in sorted(Path(sys.argv[1]).glob("*.cu")):
        parser.parse(path.read_bytes())
