"""CUDA: nvcc makes PTX of the source, and ptxas says what the device's code of it uses.

PTX is kept under a key of the preprocessed text, of nvcc and of its flags, what ptxas said under that key and the
device's architecture: another one with the same PTX costs one run of ptxas. That is started by nvcc, which knows how
its own flags are called there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from occupancy_lsp.compile import job, unlinked
from occupancy_lsp.compile.arguments import flags_of_nvcc, macro_options
from occupancy_lsp.compile.errors import changed, failure
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.store import Store, key_of
from occupancy_lsp.compile.toolchains import Toolchain
from occupancy_lsp.problem import Problem

_MACROS = "macros.h"
# nvcc hands paths to a shell between double quotes, unquoted themselves.
_PLAIN_PATH = re.compile(r"[\w .+=@~()\[\]/:\\-]+" if job.IS_WINDOWS else r"[\w .+=@~()\[\]/:-]+")


@dataclass(frozen=True, slots=True)
class Target:
    """For which virtual architecture nvcc makes PTX, and for which real one ptxas makes code."""

    virtual: str  # "compute_90"
    real: str  # "sm_90"


def target(request: Request) -> Target:
    """As the project's command builds it for this device, or as nvcc does for `-arch=sm_90`."""
    wanted = request.device.arch.id.removeprefix("sm_")
    every = request.arguments.architectures
    for virtual, codes in every:
        for code in codes:
            # A suffix (sm_90a) is of the same device.
            if code.startswith("sm_") and code.removeprefix("sm_").rstrip("af") == wanted:
                return Target(virtual, code)
    return Target(f"compute_{wanted}", f"sm_{wanted}")


def compile_cuda(request: Request, nvcc: Toolchain, store: Store) -> Path | Problem:
    """The log of ptxas."""
    if unplain := _not_plain(request):
        return Problem(str(request.path), 0, 0, f"not compiled: nvcc hands this path to a shell: {unplain[:200]!r}")
    on = target(request)
    with store.workplace() as folder:
        return _Steps(request, nvcc, store, folder, on).run()


def _not_plain(request: Request) -> str | None:
    folders = (folder for _, folder in request.arguments.folders)
    every = (str(it) for it in (request.path, request.path.parent, *folders, *request.arguments.files))
    return next((it for it in every if not _PLAIN_PATH.fullmatch(it)), None)


class _Steps:
    def __init__(self, request: Request, nvcc: Toolchain, store: Store, folder: Path, on: Target) -> None:
        self.request = request
        self.nvcc = nvcc
        self.store = store
        self.folder = folder
        self.on = on
        self.options = ["-w", f"-arch={on.virtual}", *flags_of_nvcc(request.arguments), *self.sources()]

    def sources(self) -> list[str]:
        said = self.request.arguments
        options, header = macro_options(self.request.all_macros())
        (self.folder / _MACROS).write_text(header, "utf-8", "surrogateescape")
        # By its name alone: the path of the folder would get into the preprocessed text.
        files = [_MACROS, *map(str, said.files)] if header else [str(it) for it in said.files]
        found = [word for option, folder in said.folders for word in self.include(option, folder)]
        return [*options, *found, *(word for it in files for word in ("-include", it)), "-x", "cu"]

    def include(self, option: str, folder: Path) -> tuple[str, ...]:
        # A host's option; nvcc has no own word for it.
        return ("-Xcompiler", f"-iquote,{folder}") if option == "-iquote" else (option, str(folder))

    def run(self) -> Path | Problem:
        key = self.key()
        if isinstance(key, Problem):
            return key
        ptxas = self.ptxas()
        log = f"{key}.{key_of(*ptxas)[:8]}.{self.on.real}.ptxas.log"
        return self.store.find(log) or self.assemble(key, ptxas, log)

    def key(self) -> str | Problem:
        """Of all that PTX depends on."""
        text = self.folder / "text.ii"
        fault = self.step("preprocessing", ["-E", *self.options, "-o", str(text), str(self.request.path)])
        return fault or key_of(self.nvcc.stamp, *self.options, text.read_bytes())

    def ptxas(self) -> list[str]:
        """What ptxas shall do; nvcc's own flags among it, for some of them are ptxas' as well."""
        said = self.request.arguments
        passed = [word for it in ("-v", *said.ptxas) for word in ("-Xptxas", it)]
        return [f"-arch={self.on.real}", *flags_of_nvcc(said), *passed]

    def assemble(self, key: str, ptxas: Sequence[str], log: str) -> Path | Problem:
        ptx = self.store.find(f"{key}.ptx") or self.make_ptx(key)
        if isinstance(ptx, Problem):
            return ptx
        cubin = self.folder / "code.cubin"
        done = self.start("ptxas", ["-cubin", *ptxas, "-o", str(cubin), str(ptx)])
        if not done.well:
            return failure(done, "ptxas", self.request.path)
        said = self.folder / "said.log"
        said.write_text(done.output, "utf-8")
        return self.store.keep(said, log)

    def make_ptx(self, key: str) -> Path | Problem:
        made = self.folder / "made.ptx"
        arguments = ["-ptx", *self.options, "-o", str(made), str(self.request.path)]
        fault = self.step("nvcc", arguments) or unlinked.of_ptx(made, self.request.path)
        if fault:
            return fault
        return self.store.keep(made, f"{key}.ptx") if self.key() == key else changed(self.request.path)

    def step(self, what: str, arguments: Sequence[str]) -> Problem | None:
        done = self.start(what, arguments)
        return None if done.well else failure(done, "nvcc", self.request.path)

    def start(self, what: str, arguments: Sequence[str]) -> job.Done:
        self.request.progress(what)
        return job.run([*self.nvcc.start, *arguments], self.folder, self.nvcc.search, self.request.cancelled)
