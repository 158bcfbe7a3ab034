"""What NVIDIA's compilers wrote from CUDA 11.8 to 13.5, and what their own tools say of it."""

from __future__ import annotations

import re
import tarfile
from functools import cache
from pathlib import Path

from occupancy_lsp.counts.formats import ptxas
from occupancy_lsp.counts.usage import Usage
from tests.counts.support import logs

_ARCHIVE = Path(__file__).parents[1] / "data" / "resources" / "nvidia" / "samples.tar.xz"


@cache
def samples() -> dict[str, bytes]:
    """By name, such as `multi/k_13.0_sm_90.cubin`."""
    with tarfile.open(_ARCHIVE) as archive:
        files = [(member.name, archive.extractfile(member)) for member in archive.getmembers()]
        return {name: stream.read() for name, stream in files if stream is not None}


def named(suffix: str, *folders: str) -> list[str]:
    return [name for name in samples() if name.endswith(suffix) and (not folders or name.split("/")[0] in folders)]


def log_of(name: str) -> str | None:
    """The name of what `ptxas -v` printed when it wrote a cubin; None if that is not kept."""
    text = re.sub(r"/k_(.*)\.cubin", r"/ptxas-v_\1.txt", name)
    usual = (text, name.replace(".cubin", "_log.txt"), name.replace(".cubin", ".txt"))
    return next((it for it in usual if it.endswith(".txt") and (it in samples() or it in logs())), None)


def log(name: str) -> tuple[Usage, ...]:
    return ptxas.read(samples().get(name) or logs()[name], name).usages


def dump_of(name: str) -> str | None:
    """The name of what cuobjdump 13.5 says of a file."""
    text = f"cuobjdump/{name.replace('/', '_')}.txt"
    return text if text in samples() else None


def by_kernel(usages: tuple[Usage, ...]) -> dict[tuple[str, str | None], Usage]:
    found = {(usage.kernel, usage.arch): usage for usage in usages}
    assert len(found) == len(usages)
    return found
