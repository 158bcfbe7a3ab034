"""Assembly that Intel's compiler dumps (`IGC_ShaderDumpEnable=1`): `OCL_asm….asm`, a file for each kernel and try.

Its head names the kernel, the platform and the registers, its file's name the SIMD width. A kernel that spills, or has
no width of its own, is compiled again, and each try leaves a file: which of them is the code nothing says, so they have
to say the same. Spills are those of a try and are not read; local memory and barriers are not said. Written by IGC 1.0
to 2.
"""

from __future__ import annotations

from collections.abc import Iterable

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import intel_archs
from occupancy_lsp.counts.usage import Reading, Usage

_KERNEL = regex(r"//\.kernel (\S.{0,4095})")
_PLATFORM = regex(r"//\.platform (\w{1,20})")
_REGISTERS = regex(r"//\.thread_config numGRF=(\d{1,4}),.*")
_WITHIN = 16384  # characters
_NAME = regex(r"(?P<of>OCL_asm[0-9a-f]{8,32})(?:_\d)?_simd(?P<width>\d{1,2})_(?P<entry>entry_\d{4,8})\.asm")
_AGAIN = ("", "_1", "_2", "_3")
_WIDTHS = (8, 16, 32)


def looks_like(data: bytes) -> bool:
    return data[:4096].lstrip().startswith(b"//.kernel ") and b"//.thread_config numGRF=" in data[:_WITHIN]


def other_tries(name: str) -> tuple[str, ...]:
    """What the files of other tries at the kernel may be called; none of a file of another name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return ()
    names = (f"{match['of']}{again}_simd{width}_{match['entry']}.asm" for again in _AGAIN for width in _WIDTHS)
    return tuple(it for it in names if it != name)


def read(data: bytes, path: str, others: Iterable[tuple[str, bytes]] = ()) -> Reading:
    """The kernel, for each architecture. Never raises. `others`: names and contents of further tries at it."""
    usages = _usages(data, path)
    tries = {_said(it) for name, content in others for it in _usages(content, name)}
    if tries <= {_said(it) for it in usages}:
        return Reading(usages)
    message = "one of several tries that differ in width or registers, and nothing says which is the code, not read"
    return Reading(problems=(Problem(path, 0, 0, message, "give what ocloc writes (`--format zebin`)"),))


def _said(usage: Usage) -> tuple[object, ...]:
    return usage.kernel, usage.arch, usage.grf, usage.sub_group


def _usages(data: bytes, path: str) -> tuple[Usage, ...]:
    said: dict[str, str] = {}
    for line in data[:_WITHIN].decode("utf-8", "replace").split("\n"):
        for what, pattern in (("kernel", _KERNEL), ("platform", _PLATFORM), ("registers", _REGISTERS)):
            if match := pattern.fullmatch(line.rstrip()):
                said.setdefault(what, match[1].strip())
    if len(said) < 3:
        return ()
    match = _NAME.fullmatch(path.replace("\\", "/").rpartition("/")[2])
    width = int(match["width"]) if match else None
    return tuple(
        Usage(
            said["kernel"],
            "compiled",
            path,
            1,
            arch,
            grf=int(said["registers"]) or None,
            sub_group=width if width in _WIDTHS else None,
        )
        for arch in intel_archs.of_platform(said["platform"])
    )
