"""What Intel's compiler says of kernels: zebin files that `ocloc` writes, for one device or as an archive for several.

A zebin is ELF; its section .ze_info is YAML that says for each kernel what it needs, and notes say for which device.
What each key means and since which version it is there: intel-graphics-compiler, IGC/ZEBinWriter/zebin/spec (zeinfo.md,
version.md). A key that is absent means 0. LLVM's writer lays the text out in one way, and kernels come by the thousand,
so it is read by lines. Local memory is the compiler's own sum, a multiple of 32, without arguments sized at launch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import ar, intel_archs
from occupancy_lsp.counts.formats.elf import EM_INTELGT, DamagedElf, Elf, is_elf, parse
from occupancy_lsp.counts.usage import Reading, Usage

_INFO = ".ze_info"
_PATCH_TOKENS = "Intel(R) OpenCL Device Binary"
_NO_MACHINE = 0  # in the ELF files of the old format
_MEMBER = regex(r"(?:32|64)\.([\w.-]+)")
_VERSION = regex(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})")
_OWNER, _FAMILY, _PRODUCT = "IntelGT", 1, 6  # of notes, and their kinds
_SPILLS_SAID_SINCE = (1, 39)
_NO_KERNEL = "Intel_Symbol_Table_Void_Program"
_LINE = regex(r"(?P<indent> *)(?P<first>- )?(?P<key>\w+):(?: +(?P<value>\S.*))?")
_LONGEST = 4096
_MOST = 100_000_000
MAX_KERNELS = 100_000


@dataclass(slots=True)
class _Kernel:
    name: str
    environment: dict[str, str] = field(default_factory=dict)

    def number(self, key: str, absent: int | None = None) -> int | None:
        text = self.environment.get(key)
        if text is None:
            return absent
        return int(text) if re.fullmatch(r"\d{1,9}", text) and int(text) <= _MOST else None


def looks_like(data: bytes) -> bool:
    if data.startswith(ar.MAGIC):
        return _MEMBER.fullmatch(_first_device(data)) is not None
    return is_elf(data, EM_INTELGT) or (is_elf(data, _NO_MACHINE) and _PATCH_TOKENS.encode() in data)


def _first_device(data: bytes) -> str:
    return next((name for name, content in ar.members(data) if is_elf(content)), "")


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and architecture. Never raises."""
    if not data.startswith(ar.MAGIC):
        return _read_device(data, path, None)
    parts = [_read_device(content, path, name) for name, content in ar.members(data) if is_elf(content)]
    usages = tuple(usage for part in parts for usage in part.usages)
    problems = tuple(dict.fromkeys(problem for part in parts for problem in part.problems))
    return Reading(usages, problems or () if parts else (Problem(path, 0, 0, "damaged archive, not read"),))


def _read_device(data: bytes, path: str, member: str | None) -> Reading:
    where = f"{member}: " if member else ""
    try:
        elf = parse(data)
        archs = _archs(elf, member)
        kernels = list(_kernels(elf))
    except DamagedElf as error:
        return Reading(problems=(Problem(path, 0, 0, f"{where}{error}, not read"),))
    if elf.named(_PATCH_TOKENS) is not None:
        message = "Intel's old format (patch tokens), not read: compile with `ocloc --format zebin`"
        return Reading(problems=(Problem(path, 0, 0, where + message),))
    if not archs:
        return Reading(problems=(Problem(path, 0, 0, f"{where}does not say for which GPU it is, not read"),))
    version = _version(elf)
    return Reading(tuple(_usage(kernel, version, arch, path) for kernel in kernels for arch in archs))


def _usage(kernel: _Kernel, version: tuple[int, int], arch: str, path: str) -> Usage:
    return Usage(
        kernel.name,
        "compiled",
        path,
        0,
        arch,
        grf=kernel.number("grf_count"),
        sub_group=kernel.number("simd_size"),
        static_local=kernel.number("slm_size", 0),
        group_size=_group(kernel.environment.get("required_work_group_size", "")),
        barriers=kernel.number("barrier_count", 0),
        spill_size=kernel.number("spill_size", 0 if version >= _SPILLS_SAID_SINCE else None),
    )


def _group(text: str) -> int | None:
    """256 of `[ 16, 16, 1 ]`; nothing is required where it is absent or 0."""
    match = re.fullmatch(r"\[ *(\d{1,5}), *(\d{1,5}), *(\d{1,5}) *\]", text)
    return prod(map(int, match.groups())) or None if match else None


def _text(elf: Elf) -> str:
    section = elf.named(_INFO)
    return elf.data(section).decode("utf-8", "replace") if section is not None else ""


def _version(elf: Elf) -> tuple[int, int]:
    match = re.search(r"^version: +'?(\d{1,3})\.(\d{1,3})", _text(elf)[:_LONGEST], re.MULTILINE)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _kernels(elf: Elf) -> Iterator[_Kernel]:
    """From `kernels:` to the next key that is not indented. Those that say neither width nor registers are none."""
    kernel: _Kernel | None = None
    section = part = ""
    left = MAX_KERNELS
    for line in _text(elf).split("\n"):
        match = _LINE.fullmatch(line.rstrip()) if len(line) <= _LONGEST else None
        if match is None:
            continue
        depth, key, value = len(match["indent"]) + len(match["first"] or ""), match["key"], match["value"] or ""
        if depth == 0:
            section = key
        elif section == "kernels" and depth == 4 and match["first"] and key == "name":
            if kernel is not None and _is_said(kernel):
                yield kernel
            kernel, part, left = _Kernel(_unquoted(value)), "", left - 1
            if left < 0:
                return
        elif section == "kernels" and depth == 4:
            part = key
        elif kernel is not None and section == "kernels" and depth == 6 and part == "execution_env":
            kernel.environment[key] = value
    if kernel is not None and _is_said(kernel):
        yield kernel


def _is_said(kernel: _Kernel) -> bool:
    return kernel.name != _NO_KERNEL and not {"grf_count", "simd_size"}.isdisjoint(kernel.environment)


def _unquoted(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1].replace("''", "'") if quoted else text


def _archs(elf: Elf, member: str | None) -> tuple[str, ...]:
    """By the notes, or else by the name that the archive gives it, such as `64.12.60.7`."""
    notes = {note.kind: int.from_bytes(note.data[:4], "little") for note in elf.notes() if note.owner == _OWNER}
    if product := notes.get(_PRODUCT):
        return intel_archs.of_version(product >> 22, product >> 14 & 0xFF, product & 0x3FFF)
    match = _MEMBER.fullmatch(member) if member else None
    version = _VERSION.fullmatch(match[1]) if match else None
    if version:
        return intel_archs.of_version(*(int(number) for number in version.groups()))
    if family := notes.get(_FAMILY):
        return intel_archs.of_family(family)
    return intel_archs.of_name(match[1]) if match else ()
