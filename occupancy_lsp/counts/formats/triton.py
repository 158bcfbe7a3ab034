"""Triton's cache: the JSON file of a kernel, and what stands beside it by the same name.

The JSON says how the kernel is launched: its options, its warps, all its shared memory, which Triton takes at launch.
The binary (`.cubin`, `.hsaco`) has the registers, and Triton's own intermediate code or the assembly the line of `def`.
With TRITON_STORE_BINARY_ONLY=1 there are the first two alone. Versions from 3.0 to 3.9 were tried.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import amd_assembly, amd_objects, cubin, triton_ir
from occupancy_lsp.counts.usage import Reading, Usage, Variant

METADATA = ".json"
GROUP = "__grp__"  # begins the name of the file that is written last, and lists the others
# In the order of preference: one of each kind is enough.
BINARIES = {".cubin": cubin.read, ".hsaco": amd_objects.read, ".amdgcn": amd_assembly.read}
INTERMEDIATE = (".ttgir", ".ttir", ".source")
ASSEMBLY = (".ptx", ".amdgcn")
_CUT = 150  # letters of a function's name that its files bear

_KEYS = (b'"num_warps"', b'"shared"', b'"name"')
_TARGET = regex(r"arch='?(\w{1,16})'?.*warp_size=(\d{1,3})\b")  # how Python prints it
_MOST = 1 << 30


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is one of a kernel; those of groups (`__grp__*.json`) are not."""
    return data[:64].lstrip().startswith(b"{") and all(key in data for key in _KEYS)


def read(data: bytes, path: str, beside: Mapping[str, bytes] | None = None) -> Reading:
    """The one kernel. Never raises. `beside`: what other files of the kernel hold, by their suffix.

    What of these is damaged, or of another kernel, is a problem, and what the others say stands.
    """
    files = beside or {}
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return Reading(problems=(Problem(path, 0, 0, "damaged JSON file of Triton's cache"),))
    if not isinstance(said, dict) or not isinstance(said.get("name"), str):
        return Reading()
    launch = _launch(said, path)
    compiled, problems = _compiled(launch, said["name"], path, files)
    code = triton_ir.read(files, said["name"])
    width = launch.sub_group or compiled.sub_group or (32 if ".cubin" in files else None)
    warps = _count(said.get("num_warps"))
    threads = warps * width if warps and width else None
    if compiled.group_size and threads and compiled.group_size != threads:
        problems += (Problem(path, 0, 0, f"{threads} threads, and {compiled.group_size} in the code beside it"),)
        threads = None
    joined = replace(
        compiled,
        kernel=function_of(said["name"], path),
        arch=launch.arch or compiled.arch,
        sub_group=width,
        group_size=threads,
        dynamic_local=launch.dynamic_local,
        tensor_columns=launch.tensor_columns,
        language="triton",
        at=code.at,
        variant=_variant(said, warps, code),
    )
    return Reading((joined,), problems)


def function_of(name: str, path: str) -> str:
    """The function's own name, which its files bear: that of the code may say types or sizes after it."""
    stem = re.split(r"[/\\]", path)[-1].removesuffix(METADATA)
    return stem if name.startswith(stem) and len(stem) < _CUT else name


def _launch(said: Mapping[str, Any], path: str) -> Usage:
    arch, width = _target(said)
    return Usage(
        said["name"],
        "compiled",
        path,
        0,
        arch,
        sub_group=width,
        dynamic_local=_count(said.get("shared")),
        tensor_columns=_count(said.get("tmem_size")),
    )


def _compiled(launch: Usage, name: str, path: str, files: Mapping[str, bytes]) -> tuple[Usage, tuple[Problem, ...]]:
    """What the binary says of the kernel; without one, what the JSON does."""
    suffix = next((it for it in BINARIES if it in files), None)
    if suffix is None:
        return launch, ()
    beside = path.removesuffix(METADATA) + suffix
    reading = BINARIES[suffix](files[suffix], beside)
    found = next((it for it in reading.usages if it.kernel == name), None)
    if found is None:
        other = Problem(beside, 0, 0, f"has no kernel {name[:80]}, of which the JSON file beside it speaks")
        return launch, reading.problems or (other,)
    if launch.arch and found.arch and canonical(found.arch) != launch.arch:
        other = Problem(beside, 0, 0, f"for {found.arch}, and the JSON file beside it for {launch.arch}: not read")
        return launch, (*reading.problems, other)
    return replace(found, path=path, line=0), reading.problems


def _variant(said: Mapping[str, Any], total: int | None, code: triton_ir.Code) -> Variant:
    """`total`: warps that a block has, those of specialised partitions included."""
    warps = code.num_warps
    if warps is None and total and code.specialises is False:
        warps = total
    specialised = None if warps is None or total is None else warps != total
    if total and total & (total - 1):  # only a power of two can be asked for
        specialised = True
    counts = {name: _count(said.get(name)) for name in ("num_stages", "num_ctas", "maxnreg", "waves_per_eu")}
    return Variant(num_warps=warps, warp_specialised=specialised, arguments=code.arguments, **counts)


def _target(said: Mapping[str, Any]) -> tuple[str | None, int | None]:
    """Architecture, threads per warp: a dictionary, a list, or its text, as versions have it."""
    target = said.get("target")
    if isinstance(target, str) and (match := _TARGET.search(target)):
        target = {"arch": match[1], "warp_size": int(match[2])}
    if isinstance(target, list):
        target = dict(zip(("backend", "arch", "warp_size"), target, strict=False))
    if not isinstance(target, dict):
        return None, _count(said.get("warp_size"))
    arch = str(target.get("arch", ""))
    named = f"sm_{arch}" if re.fullmatch(r"\d{2,3}", arch) else arch if re.fullmatch(r"gfx\w{1,8}", arch) else None
    return named and canonical(named), _count(target.get("warp_size"))


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < _MOST else None
