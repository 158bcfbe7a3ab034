"""Which reader is for which file, whatever its name; and what only looks alike."""

from __future__ import annotations

import subprocess
import sys

import pytest

from occupancy_lsp.counts.formats import recognise
from occupancy_lsp.counts.usage import Reading
from tests.counts.nvidia_samples import named, samples
from tests.counts.support import expected, logs

KINDS = {
    **dict.fromkeys(named(".cubin"), "cubin"),
    **dict.fromkeys(named(".ptx"), "ptx"),
    **dict.fromkeys(named(".json"), "triton"),
    **dict.fromkeys(named(".txt", "cuobjdump"), "cuobjdump"),
    **dict.fromkeys(["made/fat_program", "made/fat_library.so", "made/unlinked.o", "made/fat.fatbin"], "fatbin"),
    **dict.fromkeys(named(".txt", "made", "nvcc11.8"), "ptxas"),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_file_has_its_reader(name: str) -> None:
    reader = recognise.recognise(samples()[name], "a.file")
    assert reader is not None and reader.__module__ == f"occupancy_lsp.counts.formats.{KINDS[name]}"


def test_logs_are_for_ptxas() -> None:
    for name, data in logs().items():
        reader = recognise.recognise(data, name)
        assert (reader is not None) == bool(expected()[name])


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\x7fELF", b"\x7fELF" + b"\0" * 60, b'{"name": "k"}', b"__global__ void k();"]
)
def test_other_files_say_nothing(data: bytes) -> None:
    assert recognise.read(data, "a.file") == Reading()


def test_the_sources_are_for_nobody() -> None:
    assert all(recognise.recognise(samples()[name], name) is None for name in named(".cu"))


def test_heavy_libraries_wait_for_a_file_that_needs_them() -> None:
    program = (
        "import sys\n"
        "from occupancy_lsp.counts.formats import recognise\n"
        "recognise.read(b'text', 'a.log')\n"
        "assert not [name for name in sys.modules if name.startswith('elftools')]\n"
        "recognise.read(b'\\x7fELF' + bytes([2, 1]) + bytes(12) + bytes([190, 0]) + bytes(60), 'a.cubin')\n"
        "assert [name for name in sys.modules if name.startswith('elftools')]\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
