"""YAML that says what kernels use."""

from __future__ import annotations

import random

from occupancy_lsp.counts.formats import sidecar
from occupancy_lsp.counts.usage import Usage

TEXT = """\
kernels:
  scale: {registers: 40, shared: 4KiB}
  "ns::tile<float, 32>":
    block: [32, 8]
    barriers: 2
    sm_90a: {registers: 64, dynamic_shared: 32KiB}
    SM80: {registers: 72, block: 128}
  only: {gfx942: {registers: 10}}
"""


def test_the_schema() -> None:
    reading = sidecar.read(TEXT.encode(), "k.occupancy.yaml")
    tile = Usage("ns::tile<float, 32>", "declared", "k.occupancy.yaml", 3, group_size=256, barriers=2)
    assert reading.problems == ()
    assert reading.usages == (
        Usage("scale", "declared", "k.occupancy.yaml", 2, registers=40, static_local=4096),
        tile,
        Usage(
            tile.kernel,
            "declared",
            tile.path,
            6,
            "sm_90",
            registers=64,
            dynamic_local=32768,
            group_size=256,
            barriers=2,
        ),
        Usage(tile.kernel, "declared", tile.path, 7, "sm_80", registers=72, group_size=128, barriers=2),
        Usage("only", "declared", "k.occupancy.yaml", 8, "gfx942", registers=10),
    )


def test_faults_are_placed_and_the_rest_is_read() -> None:
    text = "kernels:\n  a: {registrs: 4}\n  b: {registers: many, shared: 1KiB}\n  c: {registers: 8}\n"
    reading = sidecar.read(text.encode(), "s")
    assert [str(p) for p in reading.problems] == [
        "s:2:7: kernels.a: unknown key 'registrs', did you mean 'registers'?",
        "s:3:18: kernels.b.registers: expected a whole number, 1 or more, not 'many'",
    ]
    assert [(u.kernel, u.registers, u.static_local) for u in reading.usages] == [("b", None, 1024), ("c", 8, None)]


def test_other_yaml_is_a_fault_not_a_crash() -> None:
    for text in (b"", b"- a", b"kernels: 3", b"devices: [h100]", b"\xff", b"[" * 9999):
        reading = sidecar.read(text, "s")
        assert reading.usages == () and reading.problems


def test_no_mutation_raises() -> None:
    rng = random.Random(8)
    for _ in range(1000):
        data = bytearray(TEXT.encode())
        del data[rng.randrange(1, len(data)) if rng.random() < 0.3 else len(data) :]
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        sidecar.read(bytes(data), "s")
