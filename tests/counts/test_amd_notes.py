"""Metadata as LLVM's readelf prints them: what the readers of the objects themselves say, but for what descriptors say
alone: registers that are set aside and, before LLVM 17, the mode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from occupancy_lsp.counts.formats import amd_notes
from occupancy_lsp.counts.formats.recognise import recognise
from occupancy_lsp.counts.usage import Usage
from tests.counts.amd_support import llvm, metadata, named, samples, usages

PRINTED = [it for it in named(".hsaco", ".o") if f"dumps/{it}.txt" in samples()]


def notes(name: str) -> bytes:
    return samples()[f"dumps/{name}.txt"]


def said(usage: Usage, name: str) -> Usage:
    """Without what an object knows better, and where it was read."""
    mode = usage.mode if llvm(name) > 16 else None
    return replace(usage, path="", line=0, registers=None, accumulators=None, scalars=None, mode=mode)


@pytest.mark.parametrize("name", PRINTED)
def test_what_llvm_prints_of_an_object(name: str) -> None:
    assert recognise(notes(name), "notes.txt") is amd_notes.read
    reading = amd_notes.read(notes(name), "notes.txt")
    assert not reading.problems
    kernels = {it.kernel: it for it in reading.usages}
    assert [said(it, name) for it in kernels.values()] == [said(usages(name)[it], name) for it in kernels]
    assert kernels.keys() == usages(name).keys()
    printed = metadata(notes(name).decode().partition("---\n")[2].partition("\n...")[0])
    for kernel, usage in kernels.items():
        unified = usage.arch in ("gfx90a", "gfx942", "gfx950")
        total = (usage.registers or 0) + ((usage.accumulators or 0) if unified else 0)
        assert total == printed[kernel][".vgpr_count"] and usage.scalars == printed[kernel][".sgpr_count"]


def test_there_are_objects_of_several_versions() -> None:
    assert {it.partition(".llvm")[2].partition(".")[0] for it in PRINTED} >= {"16", "19", "22"}


def test_several_objects_in_one_file_and_one_that_is_cut() -> None:
    one, other = PRINTED[0], next(it for it in PRINTED if usages(it).keys() != usages(PRINTED[0]).keys())
    both = amd_notes.read(b"File: a\n" + notes(one) + b"File: b\n" + notes(other), "n.txt")
    assert [it.kernel for it in both.usages] == [*usages(one), *usages(other)]
    text = b"File: a\n" + notes(one) + b"File: b\n" + notes(other)
    assert all(text.split(b"\n")[it.line - 1] == b"amdhsa.kernels:" for it in both.usages)
    cut = amd_notes.read(notes(one).partition(b"amdhsa.target:")[0], "n.txt")
    assert not cut.usages and "for which GPU" in cut.problems[0].message
