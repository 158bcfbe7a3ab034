"""Sections of host objects, libraries and programs, by name: those of Linux are ELF, those of Windows COFF and PE.

A compiler puts device code into a section of the host's file. Windows' programs cut its name to eight characters
(Microsoft, "PE Format": COFF File Header, Section Table).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from occupancy_lsp.counts.formats import elf

_FILE = struct.Struct("<HHIIIHH")  # machine, sections, time, symbols at, count of them, bytes of the optional header
_BIG_FILE = struct.Struct("<HHHHI16xIIIIIII")  # of objects with more than 65,279 sections, which MSVC's /bigobj makes
_SECTION = struct.Struct("<8sIIIIIIHHI")  # name, size in memory, address, bytes, where they are
_BIG = b"\0\0\xff\xff\x02\0"
OF_WINDOWS = (b"MZ", _BIG, b"\x64\x86", b"\x64\xaa")  # how they begin; objects with the machine, x86-64 or Arm64
_NAME_BYTES, _SYMBOL_BYTES, _BIG_SYMBOL_BYTES = 8, 18, 20
_MOST_SECTIONS = 1 << 16


def looks_like(data: bytes) -> bool:
    return elf.is_elf(data) or data.startswith(OF_WINDOWS)


def has(data: bytes, *names: str) -> bool:
    """Whether a host's file has a section so named, by a first look."""
    return looks_like(data) and any(name[:_NAME_BYTES].encode() in data for name in names)


def section(data: bytes, *names: str) -> bytes | None:
    """What the first of the sections so named holds; None: there is none. Raises ValueError."""
    if elf.is_elf(data):
        file = elf.parse(data)
        found = next(filter(None, map(file.named, names)), None)
        return file.data(found) if found is not None else None
    try:
        sections = dict(_sections(data))
    except (struct.error, IndexError):
        raise ValueError("damaged program or object: its table of sections is not in the file") from None
    return next((sections[it] for name in names for it in (name, name[:_NAME_BYTES]) if it in sections), None)


def _sections(data: bytes) -> Iterator[tuple[str, bytes]]:
    at, count, strings = _table(data)
    for index in range(min(count, _MOST_SECTIONS)):
        name, _, _, size, start, *_ = _SECTION.unpack_from(data, at + index * _SECTION.size)
        yield _name(data, name.rstrip(b"\0"), strings), data[start : start + size]


def _table(data: bytes) -> tuple[int, int, int]:
    """Where the sections are listed, how many, and where the long names are."""
    if data.startswith(_BIG):
        *_, count, symbols, several = _BIG_FILE.unpack_from(data)
        return _BIG_FILE.size, count, symbols + several * _BIG_SYMBOL_BYTES
    start = 0
    if data.startswith(b"MZ"):
        start = struct.unpack_from("<I", data, 0x3C)[0] + 4
        if data[start - 4 : start] != b"PE\0\0":
            return start, 0, 0
    _, count, _, symbols, several, optional, _ = _FILE.unpack_from(data, start)
    return start + _FILE.size + optional, count, symbols + several * _SYMBOL_BYTES


def _name(data: bytes, name: bytes, strings: int) -> str:
    if name[:1] == b"/" and name[1:].isdigit():
        at = strings + int(name[1:])
        name = data[at : data.find(b"\0", at, at + 256)]
    return name.decode("latin-1")
