"""OpenCL on Intel's devices: Intel's offline compiler makes device code, whose headers say what each kernel uses."""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.compile import confined
from occupancy_lsp.compile.arguments import flags_of_clang
from occupancy_lsp.compile.errors import failure
from occupancy_lsp.compile.prelude import includes, macro_options
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.store import Store, key_of
from occupancy_lsp.compile.toolchains import Machine, Toolchain, find_ocloc
from occupancy_lsp.compile.words import one_text
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.writing import write

# How ocloc calls a device of each architecture; code is the same for all of them.
DEVICES = {
    "gen9": "skl",
    "gen9_gt1": "skl",
    "gen9_lp": "apl",
    "gen11": "icllp",
    "xe_lp": "tgllp",
    "xe_lp_12": "rkl",
    "xe_hpg": "acm-g10",
    "xe_hpg_g11": "acm-g11",
    "xe_hpc": "pvc",
    "xe_lpg": "mtl",
    "xe_lpg_plus": "arl-h",
    "xe2": "bmg-g21",
    "xe2_lpg": "lnl-m",
    "xe3": "ptl-h",
}
_OPTION = regex(r"-cl-[a-z-]+(?:=[\w.+]+)?")


def compile_found(request: Request, machine: Machine, store: Store) -> Path | Problem | str:
    """With the ocloc of this machine."""
    ocloc = find(request, machine, store)
    return ocloc if isinstance(ocloc, str) else compile_for_intel(request, ocloc, store)


def find(request: Request, machine: Machine, store: Store) -> Toolchain | str:
    """Or why there is none."""
    return next(find_ocloc(machine, request.root), "no ocloc: install Intel's offline compiler")


def compile_for_intel(request: Request, ocloc: Toolchain, store: Store) -> Path | Problem:
    """The device code. NotPlain: ocloc cannot be told of a path."""
    device = DEVICES.get(request.device.arch.id)
    source = str(request.path)
    if device is None:
        return Problem(source, 0, 0, f"not compiled: no name is known that ocloc has for {request.device.arch.id}")
    options, header = macro_options(request.all_macros())
    options += [it for it in flags_of_clang(request.arguments) if _OPTION.fullmatch(it)]
    options += [word for _, folder in request.arguments.folders for word in ("-I", str(folder))]
    with store.workplace() as folder:
        text = header + includes([*request.arguments.files, Path(request.source(folder))])
        write(folder / "kernels.cl", text.encode("utf-8", "surrogateescape"))
        made = folder / "made"
        arguments = ["-file", str(folder / "kernels.cl"), "-device", device, "-out_dir", str(made)]
        arguments += ["-output", "code", "-output_no_suffix", "--format", "zebin", "-options", one_text(options)]
        request.progress("ocloc")
        done = confined.run(ocloc, request, ["compile", *arguments], folder)
        found = [it for name in ("code", "code.bin") if (it := made / name).is_file()]
        if not done.well or not found:
            return failure(done, "ocloc", request.path, folder)
        return store.keep(found[0], f"{key_of(source)}.{device}.bin")
