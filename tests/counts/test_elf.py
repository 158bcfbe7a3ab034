"""ELF files: what pyelftools makes of them, and files that are made to do harm."""

from __future__ import annotations

import io
import struct

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection, SymbolTableSection
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import elf
from tests.counts.damage import damaged
from tests.counts.nvidia_samples import samples

FILES = [
    "nvrtc/sm_90.cubin",
    "triton/mm_sm120.cubin",
    "multi/k_11.8_sm_75.cubin",
    "made/fat_program",
    "made/fat_plain.o",
]
SMALL = samples()["nvrtc/sm_80.cubin"]


@pytest.mark.parametrize("name", FILES)
def test_sections_symbols_and_notes_are_those_of_the_library(name: str) -> None:
    ours, theirs = elf.parse(samples()[name]), ELFFile(io.BytesIO(samples()[name]))
    sections = list(theirs.iter_sections())
    assert [(it.name, it.type, it.size) for it in ours.sections] == [
        (s.name, s["sh_type"], s["sh_size"]) for s in sections
    ]
    assert [ours.data(it) for it in ours.sections if it.type != elf.NOBITS] == [
        s.data() if s["sh_type"] != "SHT_NULL" else b"" for s in sections if s["sh_type"] != elf.NOBITS
    ]
    table = next(s for s in sections if isinstance(s, SymbolTableSection) and s["sh_type"] == "SHT_SYMTAB")
    assert [(it.name, it.value, it.size, it.other) for it in ours.symbols()] == [
        (s.name, s["st_value"], s["st_size"], ours.content[table["sh_offset"] + 24 * i + 5])
        for i, s in enumerate(table.iter_symbols())
    ]
    notes = [note for s in sections if isinstance(s, NoteSection) for note in s.iter_notes()]
    assert [(it.owner, len(it.data)) for it in ours.notes()] == [(n["n_name"], n["n_descsz"]) for n in notes]


def test_machines() -> None:
    assert elf.is_elf(SMALL, elf.EM_CUDA) and not elf.is_elf(SMALL, elf.EM_AMDGPU)
    assert elf.is_elf(samples()["made/fat_program"]) and not elf.is_elf(b"\x7fELF") and not elf.is_elf(b"text")
    assert not elf.is_relocatable(SMALL) and elf.is_relocatable(samples()["made/unlinked_sm_90.cubin"])


def made(order: str, wide: bool, section: int = 3, **changes: int) -> bytes:
    """A file with names (1), a symbol (2) and a note (3); `changes` are to fields of the header of `section`."""
    names = b"\0.names\0.symtab\0.note\0"
    symbol = struct.pack(
        order + ("IBBHQQ" if wide else "IIIBBH"), *((1, 2, 0, 2, 7, 9) if wide else (1, 7, 9, 2, 0, 2))
    )
    note = struct.pack(order + "III", 4, 5, 3) + b"ABC\0" + b"12345\0\0\0"
    head, each = (64, 64) if wide else (52, 40)
    bodies = (names, symbol, note)
    offsets = [head + sum(map(len, bodies[:i])) for i in range(3)]
    kinds = ((3, 1, 0), (2, 8, 1), (7, 16, 0))
    rows = [dict.fromkeys(("name", "type", "flags", "addr", "offset", "size", "link", "info", "align", "each"), 0)]
    for (kind, name, link), offset, body in zip(kinds, offsets, bodies, strict=True):
        rows.append({**rows[0], "name": name, "type": kind, "offset": offset, "size": len(body), "link": link})
    rows[section].update(changes)
    table = b"".join(struct.pack(order + ("IIQQQQIIQQ" if wide else "IIIIIIIIII"), *row.values()) for row in rows)
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1, 64, 3]).ljust(12, b"\0")
    fields = (1, elf.EM_AMDGPU, 1, 0, 0, head + sum(map(len, bodies)), 5, head, 0, 0, each, 4, 1)
    return (
        ident + struct.pack(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"), *fields) + b"".join(bodies) + table
    )


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("wide", [True, False])
def test_both_widths_and_orders(order: str, wide: bool) -> None:
    data = made(order, wide)
    file = elf.parse(data)
    assert (file.machine, file.flags, file.abi, file.wide, file.little) == (224, 5, (64, 3), wide, order == "<")
    assert [section.name for section in file.sections] == ["", ".names", ".symtab", ".note"]
    assert file.symbols() == (elf.Symbol(".names", 7, 9, 2, 2, 0),)
    assert list(file.notes()) == [elf.Note("ABC", 3, b"12345")]
    assert elf.is_elf(data, elf.EM_AMDGPU) and file.named(".note") == file.sections[3] and file.named("x") is None


@pytest.mark.parametrize(
    "changes",
    [{"offset": 1 << 60}, {"size": 1 << 63}, {"size": (1 << 64) - 1, "offset": (1 << 64) - 1}],
)
def test_a_section_outside_the_file_is_refused(changes: dict[str, int]) -> None:
    with pytest.raises(elf.DamagedElf, match="not in the file"):
        elf.parse(made("<", True, **changes))


def test_a_huge_section_without_bytes_takes_none() -> None:
    file = elf.parse(made("<", True, type=8, size=1 << 60))
    assert file.sections[3].size == 1 << 60 and file.data(file.sections[3]) == b""


def test_a_table_whose_names_are_in_itself_ends() -> None:
    (symbol,) = elf.parse(made("<", True, section=2, link=2)).symbols()
    assert symbol.value == 7
    for link in (4, (1 << 32) - 1):
        with pytest.raises(elf.DamagedElf, match="no names"):
            elf.parse(made("<", True, section=2, link=link)).symbols()
    with pytest.raises(elf.DamagedElf, match="no names of sections"):
        elf.parse(made("<", True, section=1, type=2))


def header(count: int, **more: int) -> bytes:
    return b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 1, 190, 1, 0, 0, more.get("start", 64), 0, 64, 0, 0, 64, count, 1
    )


def row(name: int, kind: int, offset: int, size: int) -> bytes:
    return struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, offset, size, 0, 0, 0, 0)


def test_sections_that_share_all_bytes_are_refused() -> None:
    data = header(1000) + row(0, 0, 0, 0) + row(0, 3, 0, 60_000) * 999
    with pytest.raises(elf.DamagedElf, match="overlap"):
        elf.parse(data)


def test_names_that_share_all_bytes_are_refused() -> None:
    count = 2000
    names = 64 + 64 * count
    rows = [row(0, 0, 0, 0), row(0, 3, names, 500_000), *(row(i, 1, 0, 0) for i in range(count - 2))]
    with pytest.raises(elf.DamagedElf, match="names overlap"):
        elf.parse(header(count) + b"".join(rows) + b"a" * 500_000)


def test_more_sections_than_the_file_can_hold_are_refused() -> None:
    for count, size in ((60_000, 0), (0, 1 << 62)):
        with pytest.raises(elf.DamagedElf, match="not in the file"):
            elf.parse(header(count) + row(0, 0, 0, size) + row(0, 3, 0, 0))
    with pytest.raises(elf.DamagedElf, match="not in the file"):
        elf.parse(header(2, start=(1 << 64) - 1))


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_no_damage_raises_anything_else(data: st.DataObject) -> None:
    content = data.draw(damaged(data.draw(st.sampled_from([SMALL, made("<", True), made(">", False)]))))
    try:
        file = elf.parse(content)
        assert sum(len(file.data(section)) for section in file.sections) <= 4 * len(content)
        list(file.notes())
        file.symbols()
    except elf.DamagedElf as error:
        assert str(error)
