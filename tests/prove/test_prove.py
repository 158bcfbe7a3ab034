"""A part of `make prove`: what the server offers on real kernels compiles and keeps its promise."""

from __future__ import annotations

from pathlib import Path

import pytest

from .__main__ import OWN
from .prover import AS_WRITTEN, Applied, NotOffered, prove


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))


@pytest.mark.parametrize(
    ("name", "device", "least"),
    [
        ("bounds.cu", "h100", 7),
        ("large_tile.cu", "a100", 3),
        ("saxpy.cu", "h100", 3),
        ("template.cu", "a100", 1),
        ("live.cu", "a100", 6),
        ("wide.cu", "h100", 3),
        ("ported.hip", "mi250x", 6),
        ("live.hip", "mi250x", 3),
        ("ggl.hip", "mi250x", 3),
        ("columns.hip", "mi250x", 2),
        ("template.hip", "rx-7900-xtx", 3),
        ("transpose.hip", "rx-7900-xtx", 1),
    ],
)
def test_what_is_offered_is_kept(name: str, device: str, least: int) -> None:
    done = [it for it in prove(OWN / name, device) if isinstance(it, Applied)]
    assert [it for it in done if not it.kept] == []
    assert len([it for it in done if it.action != AS_WRITTEN]) >= least


def test_opencl_says_what_is_compiled_and_offers_nothing() -> None:
    """Its sizes are the host's to choose, and here it says so."""
    results = list(prove(OWN / "required.cl", "mi250x"))
    assert [it.faults for it in results if isinstance(it, Applied)] == [(), ()]
    refused = [it.reason for it in results if isinstance(it, NotOffered)]
    assert refused == ["its annotation fixes its size"] * 2
