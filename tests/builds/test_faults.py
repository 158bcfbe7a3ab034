"""Which faults of build results bear on a source."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.builds.faults import Faults
from occupancy_lsp.core.problem import Problem

_ROOT = Path("/work")
_PLACES = (
    "a.log",
    "src",
    "src/a.cu.occupancy.yaml",
    "src/b.cu.occupancy.yaml",
    "src/b.log",
    "other/c.log",
    "other/e/a.log",
)


def _near(*sources: str, named: tuple[str, ...] = (), root: Path | None = _ROOT) -> list[str]:
    every = [Problem(str(_ROOT / it), 0, 0, "not read") for it in _PLACES]
    faults = Faults(root, named, [Problem(str(_ROOT), 0, 0, "not searched whole"), *every])
    return [str(Path(it.path).relative_to(_ROOT)) for it in faults.near([_ROOT / it for it in sources])]


@pytest.mark.parametrize(
    ("sources", "near"),
    [
        ((), []),
        (("main.cu",), ["a.log", "src"]),
        (("src/b.cu",), ["a.log", "src", "src/b.cu.occupancy.yaml", "src/b.log"]),
        (("src/a.cu", "other/d.cu"), ["a.log", "src", "src/a.cu.occupancy.yaml", "src/b.log", "other/c.log"]),
    ],
)
def test_what_stands_beside_a_source_or_above_it(sources: tuple[str, ...], near: list[str]) -> None:
    assert _near(*sources) == near


def test_what_the_settings_name_is_told_of_everywhere() -> None:
    assert _near(named=("other/**/*.log",)) == [".", "other/c.log", "other/e/a.log"]
    assert _near("src/b.cu", named=("a.log",)) == [".", "a.log", "src", "src/b.cu.occupancy.yaml", "src/b.log"]


def test_outside_of_every_folder() -> None:
    assert _near("src/b.cu", root=None) == [".", "a.log", "src", "src/b.cu.occupancy.yaml", "src/b.log"]
