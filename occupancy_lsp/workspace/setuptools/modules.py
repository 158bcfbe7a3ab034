"""Which file of the workspace an import of a script means."""

from __future__ import annotations

import ast
from pathlib import Path

from occupancy_lsp.core.files import stays_in


def module_files(node: ast.Import | ast.ImportFrom, of: Path, folder: Path, root: Path) -> list[tuple[str, Path]]:
    """For each of its names the file below `root`, if there is one.

    `of`: the script's own; `folder`: where Python looks for modules first."""
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    if level > len(of.parents):
        return []
    base = of.parents[level - 1] if level else folder
    if isinstance(node, ast.Import):
        return [(it.name, path) for it in node.names if (path := _file(base, it.name, root)) is not None]
    if (path := _file(base, node.module or "", root)) is not None:
        return [("", path)]
    return []


def submodule(name: str, package: Path, root: Path) -> Path | None:
    """`package`: its `__init__.py`."""
    return _file(package.parent, name, root) if package.name == "__init__.py" else None


def _file(base: Path, name: str, root: Path) -> Path | None:
    at = base.joinpath(*filter(None, name.split(".")))
    wanted = (at / "__init__.py",) if not name else (at.parent / f"{at.name}.py", at / "__init__.py")
    return next((it for it in wanted if it.is_relative_to(root) and stays_in(it, root) and it.is_file()), None)
