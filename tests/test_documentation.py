"""The YAML that the documentation shows is accepted as it stands."""

from __future__ import annotations

import re
from pathlib import Path

from occupancy_lsp.presets import Catalogue
from occupancy_lsp.resources import sidecar
from occupancy_lsp.settings import merge

DOCS = Path(__file__).parents[1] / "docs"


def blocks(name: str) -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", (DOCS / name).read_text("utf-8"), re.DOTALL)


def test_configuration() -> None:
    settings, kernels, device = blocks("configuration.md")
    assert merge(settings, "p")[1] == ()
    reading = sidecar.read(kernels.encode(), "p")
    assert reading.problems == () and len(reading.usages) == 4
    assert Catalogue({"p": device}).problems == ()


def test_presets() -> None:
    device, settings = blocks("presets.md")
    catalogue = Catalogue({"p": device})
    assert catalogue.problems == () and catalogue.find("RTX 4080 Super").compute_units == 80
    assert merge(settings, "p")[1] == ()
