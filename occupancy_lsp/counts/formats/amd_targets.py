"""For which architectures a compiler was asked, and which of several remarks about one kernel is of which.

clang compiles a HIP source for one after the other, in the order of their names, whatever that of the options is: tried
with clang 15 and 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.amd_kernel import UNKNOWN, targets
from occupancy_lsp.counts.usage import Usage

OPTIONS = regex(r"(?:-arch|-mcpu|-target-cpu|-hip-amdgcn-amd-amdhsa)\W{0,5}(gfx[\w:;,+-]+)")
# More or other architectures, or several at the same time.
_UNTOLD = regex(r"-arch\W{0,5}(?:native|amdgcnspirv)|-no-offload-arch|parallel-jobs")
_LINKED_LATER = "-fgpu-rdc"


@dataclass(frozen=True, slots=True)
class Targets:
    """`archs`: in the order in which they are compiled; empty: not known. `wave`, `mode`: as for a usage."""

    archs: tuple[str, ...] = ()
    wave: int | None = None
    mode: str | None = None


def of_command(text: str, name: str = "") -> Targets:
    """`text`: of one command, or of a log with several that say the same. `name`: of the file, which may tell, too."""
    found = OPTIONS.findall(text)
    processors = targets(" ".join([*found, name]))
    wave, mode = 64 if "-mwavefrontsize64" in text else None, "cu" if "-mcumode" in text else None
    if len(processors) < 2:
        known = () if _UNTOLD.search(text) else tuple(processors)
        return Targets(known, wave, mode)
    asked = {word for each in found for word in each.replace(";", ",").split(",") if word}
    told = len(asked) == len(processors) and not _UNTOLD.search(text) and _LINKED_LATER not in text
    commands = sum(1 for line in text.split("\n") if OPTIONS.search(line))
    return Targets(tuple(sorted(processors)) if told and commands == 1 else (), wave, mode)


def assigned(usages: Iterable[Usage], targets: Targets) -> Iterator[Usage]:
    """In place of an unknown architecture its own, where a kernel is spoken of once for each."""
    every = [replace(it, sub_group=it.sub_group or targets.wave, mode=it.mode or targets.mode) for it in usages]
    spoken: dict[object, list[Usage]] = {}
    for it in every:
        spoken.setdefault((it.kernel, it.at), []).append(it)
    for it in every:
        same = spoken[it.kernel, it.at]
        if it.arch != UNKNOWN or not targets.archs:
            yield it
        elif len(targets.archs) == 1:
            yield replace(it, arch=targets.archs[0])
        else:
            yield replace(it, arch=targets.archs[same.index(it)]) if len(same) == len(targets.archs) else it
