"""Completion inside directives and in the YAML files."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.completion import completions
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.features.yaml_features import completions as yaml_completions
from occupancy_lsp.features.yaml_features import hover as yaml_hover
from tests.support import view_of


def offered(source: str) -> dict[str, str]:
    """Labels and what they insert, at the end of the source."""
    view = view_of(source)
    return {item.label: item.new for item in completions(view, len(source.encode()))}


def test_words_and_keys() -> None:
    found = offered("// occupancy: ")
    assert (
        found["regs"] == "regs=" and found["shared"] == "shared=" and found["ignore"] == "ignore[" and "expect" in found
    )
    assert "block" in offered("/* occupancy: regs=3 bl")


def test_codes_and_devices() -> None:
    assert "OCC101" in offered("// occupancy: ignore[")
    assert "OCC101" in offered("// occupancy: ignore[OCC102, OC")
    assert "h100" in offered("// occupancy: device=")
    assert "h100" in offered("// occupancy: expect >= 50% on ")


def test_nothing_in_code() -> None:
    assert offered("int occupancy = ") == {}


def at_end(path: str, text: str) -> set[str]:
    return {item.label for item in yaml_completions(Path(path), Text(text.encode()), len(text.encode()))}


def test_yaml_keys_and_values() -> None:
    assert {"devices", "rules", "contracts", "assume"} <= at_end("x/.occupancy.yaml", "")
    assert "rtx-4090" in at_end("x/.occupancy.yaml", "devices: [h100, ")
    assert "OCC301" in at_end("x/.occupancy.yaml", "rules:\n  ")
    assert at_end("x/.occupancy.yaml", "rules:\n  OCC301: off\nassume:\n  ") == {"block"}
    assert at_end("x/.occupancy.yaml", "launch:\n  k:\n    ") == {"block", "dynamic_shared"}
    assert "off" in at_end("x/.occupancy.yaml", "rules:\n  OCC301: ")
    assert "registers" in at_end("x/k.cu.occupancy.yaml", "kernels:\n  k:\n    ")


@pytest.mark.parametrize(
    "text", ["- ", "- {", "- {kernel: k, ", "- {kernel: k, devices: [sm_90, a100], min", "- kernel: k\n    ", "- ker"]
)
def test_the_keys_of_a_budget(text: str) -> None:
    keys = {"kernel", "devices", "min_groups", "min_percent", "max_registers", "max_local", "max_spill", "until"}
    assert keys < at_end("x/.occupancy.yaml", f"budgets:\n  {text}")


def test_the_devices_of_a_budget() -> None:
    for text in ("- {kernel: k, devices: [", "- {kernel: k, devices: [h100, rtx", "- kernel: k\n    devices: "):
        assert "rtx-4090" in at_end("x/.occupancy.yaml", f"budgets:\n  {text}")
    assert at_end("x/.occupancy.yaml", "budgets:\n  - {kernel: ") == set()


def test_the_hover_of_a_budget_s_key() -> None:
    text = b"budgets:\n  - {kernel: k, min_groups: 2}\nthreshold: 5\n"
    for word, said in ((b"kernel:", "by glob"), (b"min_groups", "blocks per SM"), (b"threshold", "percentage")):
        found = yaml_hover(Path("x/.occupancy.yaml"), Text(text), text.index(word) + 2)
        assert found is not None and said in markdown(found.prose)
        assert text[found.start : found.end] == word.removesuffix(b":")


def test_yaml_hover() -> None:
    assumed = yaml_hover(Path("x/.occupancy.yaml"), Text(b"assume: {block: 256}\n"), 2)
    assert assumed is not None and "launches choose at run time" in markdown(assumed.prose)
    found = yaml_hover(Path("x/.occupancy.yaml"), Text(b"devices: [h100]\n"), 2)
    assert found is not None and "devices to compute for" in markdown(found.prose)
    assert yaml_hover(Path("x/.occupancy.yaml"), Text(b"devices: [h100]\n"), 12) is None
