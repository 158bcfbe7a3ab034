"""What a compiled module is, told by its header and by the libraries that it asks for."""

from __future__ import annotations

import io
import re
import struct
from dataclasses import dataclass

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

_ELF = {"EM_X86_64": "x86_64", "EM_AARCH64": "aarch64"}
_MACH_O = {0x0100_0007: "x86_64", 0x0100_000C: "aarch64"}
_PE = {0x8664: "x86_64", 0xAA64: "aarch64"}


@dataclass(frozen=True)
class Binary:
    format: str
    machine: str
    python: str | None = None  # that it is linked to, where the system has it say so: "3" is every 3.x


def describe(data: bytes) -> Binary:
    """ValueError: it is no module of a system that is served."""
    if data.startswith(b"\x7fELF"):
        return _elf(data)
    if data.startswith(b"\xcf\xfa\xed\xfe"):
        return Binary("Mach-O", _MACH_O.get(struct.unpack_from("<I", data, 4)[0], "another"))
    if data.startswith(b"MZ"):
        return _pe(data)
    raise ValueError("neither ELF, Mach-O nor PE")


def _elf(data: bytes) -> Binary:
    elf = ELFFile(io.BytesIO(data))
    dynamic = [it for it in elf.iter_sections() if isinstance(it, DynamicSection)]
    needed = [str(tag.needed) for it in dynamic for tag in it.iter_tags("DT_NEEDED")]  # type: ignore[attr-defined]
    libc = "musl" if any("musl" in it for it in needed) else "glibc"
    return Binary(f"ELF with {libc}", _ELF.get(elf["e_machine"], "another"))


def _pe(data: bytes) -> Binary:
    (start,) = struct.unpack_from("<I", data, 0x3C)
    (machine,) = struct.unpack_from("<H", data, start + 4)
    linked = re.search(rb"python3(\d*)\.dll", data)
    python = (f"3.{linked[1].decode()}" if linked[1] else "3") if linked else None
    return Binary("PE", _PE.get(machine, "another"), python)
