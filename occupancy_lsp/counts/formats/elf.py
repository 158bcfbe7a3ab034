"""ELF files as plain data. What is damaged, huge or folded upon itself is refused, never followed.

Device code of all three vendors is ELF: NVIDIA's cubins, AMD's code objects, Intel's zebins.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import Any, Literal

from occupancy_lsp.core.dataclass import dataclass

EM_CUDA, EM_INTELGT, EM_AMDGPU = 190, 205, 224
NOBITS, NOTE = "SHT_NOBITS", "SHT_NOTE"
_RELOCATABLE = 1  # ET_REL
_SYMBOLS = ("SHT_SYMTAB", "SHT_DYNSYM")

MAX_SECTIONS = 1 << 16
MAX_SYMBOLS = 1 << 18
_OVERLAP = 4  # sections share bytes in some cubins; more than so many times the file is made up


class DamagedElf(ValueError):
    """What is wrong with the file, to be read by a person."""


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    type: str | int  # "SHT_PROGBITS", or the number of one that is a vendor's own
    flags: int
    address: int
    offset: int
    size: int  # bytes; those of NOBITS are not in the file
    link: int
    info: int


@dataclass(frozen=True, slots=True)
class Symbol:
    name: str
    value: int
    size: int
    section: int  # index; reserved ones from 0xff00 on
    kind: int  # 1 data, 2 function, 3 section
    other: int


@dataclass(frozen=True, slots=True)
class Note:
    owner: str
    kind: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Elf:
    content: bytes
    little: bool  # endian
    wide: bool  # 64 bits
    machine: int
    flags: int
    abi: tuple[int, int]  # of the operating system, and its version
    sections: tuple[Section, ...]

    def data(self, section: Section) -> bytes:
        return b"" if section.type == NOBITS else self.content[section.offset : section.offset + section.size]

    def named(self, name: str) -> Section | None:
        return next((section for section in self.sections if section.name == name), None)

    def symbols(self) -> tuple[Symbol, ...]:
        """Of the whole table, or else of the dynamic one, by their index there. Raises DamagedElf."""
        table = next((s for kind in _SYMBOLS for s in self.sections if s.type == kind), None)
        return _symbols(self, table) if table is not None else ()

    def notes(self) -> Iterator[Note]:
        """Of all note sections; what is left of one after damage is passed over."""
        for section in self.sections:
            if section.type == NOTE:
                yield from _notes(self.data(section), "<" if self.little else ">")


def is_elf(data: bytes, machine: int | None = None) -> bool:
    """By its first bytes; `machine` is one of EM_*."""
    return data[:4] == b"\x7fELF" and len(data) > 20 and machine in (None, _machine(data))


def is_relocatable(data: bytes) -> bool:
    """Whether it is an ELF file that is still to be linked."""
    return is_elf(data) and int.from_bytes(data[16:18], _order(data)) == _RELOCATABLE


def parse(data: bytes) -> Elf:
    """Raises DamagedElf, and nothing else."""
    from elftools.common.exceptions import ELFError  # costs 60 ms, and only such files need it
    from elftools.elf.elffile import ELFFile

    if not is_elf(data):
        raise DamagedElf("not an ELF file")
    if not _holds_its_table(data):
        raise DamagedElf("damaged ELF file: its table of sections is not in the file")
    try:
        file = ELFFile(io.BytesIO(data))
        headers = _headers(file, len(data))
        names = _names(headers, file.get_shstrndx(), data) if headers else []
    except (ELFError, ValueError, OverflowError, struct.error) as error:
        raise DamagedElf(f"damaged ELF file: {error}") from None
    sections = tuple(_section(name, header) for name, header in zip(names, headers, strict=True))
    ident = file.e_ident_raw
    return Elf(
        data,
        file.little_endian,
        file.elfclass == 64,
        _machine(data),
        file["e_flags"],
        (ident[7], ident[8]),
        sections,
    )


def _machine(data: bytes) -> int:
    return int.from_bytes(data[18:20], _order(data))


def _order(data: bytes) -> Literal["big", "little"]:
    return "big" if data[5] == 2 else "little"


def _holds_its_table(data: bytes) -> bool:
    """Most files that are cut short are told by this, without the library."""
    start, size, each = (40, 8, 58) if data[4] == 2 else (32, 4, 46)
    order = _order(data)
    first, length, count = (
        int.from_bytes(data[at : at + wide], order) for at, wide in ((start, size), (each, 2), (each + 2, 2))
    )
    return len(data) >= each + 4 and first + length * count <= len(data)


def _headers(file: Any, length: int) -> list[Any]:
    """Of all sections, which lie in the file."""
    from elftools.common.utils import struct_parse

    start, each = file["e_shoff"], file["e_shentsize"]
    if start == 0:
        return []
    shape = file.structs.Elf_Shdr
    if each < shape.sizeof() or start + each > length:
        raise ValueError("its table of sections is not in the file")
    count = file.num_sections()
    if count > MAX_SECTIONS or start + count * each > length:
        raise ValueError("its table of sections is not in the file, or is too long")
    headers = [struct_parse(shape, file.stream, start + i * each) for i in range(count)]
    filled = [header for header in headers if header["sh_type"] not in (NOBITS, "SHT_NULL")]
    if any(header["sh_offset"] + header["sh_size"] > length for header in filled):
        raise ValueError("a section is not in the file")
    if sum(header["sh_size"] for header in filled) > _OVERLAP * length:
        raise ValueError("its sections overlap")
    return headers


def _names(headers: list[Any], table: int, data: bytes) -> list[str]:
    if table >= len(headers) or headers[table]["sh_type"] != "SHT_STRTAB":
        raise ValueError("it has no names of sections")
    start = headers[table]["sh_offset"]
    strings = data[start : start + headers[table]["sh_size"]]
    return _strings(strings, [header["sh_name"] for header in headers], len(data))


def _strings(table: bytes, offsets: list[int], length: int) -> list[str]:
    """What begins at each offset. The ends of one long string may be many names, within the length of the file."""
    known: dict[int, str] = {}
    left = _OVERLAP * length
    for offset in offsets:
        if offset not in known:
            end = table.find(b"\0", offset)
            text = table[offset : end if end >= 0 else len(table)]
            left -= len(text)
            if left < 0:
                raise ValueError("its names overlap")
            known[offset] = text.decode("utf-8", "replace")
    return [known[offset] for offset in offsets]


def _section(name: str, header: Any) -> Section:
    fields = ("sh_type", "sh_flags", "sh_addr", "sh_offset", "sh_size", "sh_link", "sh_info")
    return Section(name, *(header[field] for field in fields))


def _symbols(elf: Elf, table: Section) -> tuple[Symbol, ...]:
    """Read without the library, which takes 60 µs for each."""
    shape = struct.Struct(("<" if elf.little else ">") + ("IBBHQQ" if elf.wide else "IIIBBH"))
    content = elf.data(table)
    if table.link >= len(elf.sections) or len(content) // shape.size > MAX_SYMBOLS:
        raise DamagedElf("damaged ELF file: its symbols have no names, or are too many")
    rows = list(shape.iter_unpack(content[: len(content) // shape.size * shape.size]))
    strings = elf.data(elf.sections[table.link])
    try:
        names = _strings(strings, [row[0] for row in rows], len(elf.content))
    except ValueError as error:
        raise DamagedElf(f"damaged ELF file: {error}") from None
    return tuple(_symbol(name, row, elf.wide) for name, row in zip(names, rows, strict=True))


def _symbol(name: str, row: tuple[int, ...], wide: bool) -> Symbol:
    if wide:
        _, info, other, section, value, size = row
    else:
        _, value, size, info, other, section = row
    return Symbol(name, value, size, section, info & 0xF, other)


def _notes(data: bytes, order: str) -> Iterator[Note]:
    at = 0
    while at + 12 <= len(data):
        name_size, size, kind = struct.unpack_from(f"{order}III", data, at)
        start = at + 12 + (name_size + 3) // 4 * 4
        end = start + size
        if end > len(data):
            return
        owner = data[at + 12 : at + 12 + name_size].rstrip(b"\0").decode("utf-8", "replace")
        yield Note(owner, kind, data[start:end])
        at = start + (size + 3) // 4 * 4
