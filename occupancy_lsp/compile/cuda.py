"""CUDA: nvcc makes PTX of the source, and ptxas says what the device's code of it uses.

PTX is kept under a key of the preprocessed text, of nvcc and of its flags, what ptxas said under that key and the
device's architecture: another one with the same PTX costs one run of ptxas. That is started by nvcc, which knows how
its own flags are called there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from occupancy_lsp.compile import confined, job, unlinked
from occupancy_lsp.compile.arguments import flags_of_nvcc
from occupancy_lsp.compile.errors import changed, failure
from occupancy_lsp.compile.prelude import write_prelude
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.store import Store, key_of
from occupancy_lsp.compile.toolchains import Machine, Toolchain, find_nvcc, host_compiler, ranked, wheel_advice
from occupancy_lsp.compile.words import plain
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.writing import write

_ENTRY = regex(r"Compiling entry function '([^']+)'")
_LINKED = regex(r"Function properties for '([^']+)'")
_VERSION = regex(r"\bV(\d+)\.(\d+)\.(\d+)")
_LACKS = regex(r"(?:not supported on|[Ff]eature .* requires) \.target '?(sm_\d+)'?")
_WITH_VARIANT = "sm_90"  # sm_90a alone has what it lacks; what sm_100 lacks, several have
_CLANG = regex(r"clang(?:\+\+)?(?:-[0-9.]+)?(?:\.exe)?$")


def compile_found(request: Request, machine: Machine, store: Store) -> Path | Problem | str:
    """With the nvcc of this machine."""
    nvcc = find(request, machine, store)
    return nvcc if isinstance(nvcc, str) else compile_cuda(request, nvcc, store)


def expanded(request: Request, machine: Machine, store: Store) -> bytes:
    """What its preprocessor makes of the source; nothing, where that fails."""
    nvcc = find(request, machine, store)
    if isinstance(nvcc, str):
        return b""
    with store.workplace() as folder:
        return _Steps(request, nvcc, store, folder, target(request)).expanded()


def find(request: Request, machine: Machine, store: Store) -> Toolchain | str:
    """Or why there is none."""
    if request.program and _CLANG.match(os.path.basename(request.program)):
        return "the project compiles it with clang, and nvcc would count otherwise"
    nvcc = next(iter(ranked(find_nvcc(machine, request.root), request.program)), None)
    if nvcc is None:
        return f"no nvcc: install CUDA's toolkit, or {wheel_advice('nvidia', machine, request.root)}"
    if host_compiler(machine, request.root) is None:
        return "nvcc needs a C++ compiler on the PATH (gcc; on Windows cl), and there is none"
    return nvcc


def toolkit(request: Request, machine: Machine, store: Store) -> tuple[tuple[str, str], ...]:
    """What CMake calls the version of the toolkit that has this machine's nvcc: variables with their values."""
    nvcc = find(request, machine, store)
    if isinstance(nvcc, str):
        return ()
    with store.workplace() as folder:
        said = confined.run(nvcc, request, ["--version"], folder).output
    version = _VERSION.search(said)
    if version is None:
        return ()
    major, minor, patch = version.groups()
    parts = {"": f"{major}.{minor}.{patch}", "_MAJOR": major, "_MINOR": minor, "_PATCH": patch}
    of_kit = ((f"CUDAToolkit_VERSION{it}", value) for it, value in parts.items())
    short = {"": f"{major}.{minor}", "_STRING": f"{major}.{minor}", "_MAJOR": major, "_MINOR": minor}
    of_find_cuda = ((f"CUDA_VERSION{it}", value) for it, value in short.items())
    return (*of_kit, *of_find_cuda, ("CMAKE_CUDA_COMPILER_VERSION", parts[""]))


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
    """The log of ptxas. NotPlain: nvcc cannot be told of a path.

    What only the architecture's own variant has, no build compiles without it."""
    on = target(request)
    made = _compiled(request, nvcc, store, on)
    if isinstance(made, Problem) and (lacks := _LACKS.search(made.message)) and on.real == lacks[1] == _WITH_VARIANT:
        made = _compiled(request, nvcc, store, Target(f"{on.virtual}a", f"{on.real}a"))
    return made


def _compiled(request: Request, nvcc: Toolchain, store: Store, on: Target) -> Path | Problem:
    with store.workplace() as folder:
        return _Steps(request, nvcc, store, folder, on).run()


class _Steps:
    def __init__(self, request: Request, nvcc: Toolchain, store: Store, folder: Path, on: Target) -> None:
        self.request = request
        self.nvcc = nvcc
        self.store = store
        self.folder = folder
        self.on = on
        self.source = request.source(folder)
        self.options = ["-w", f"-arch={on.virtual}", *flags_of_nvcc(request.arguments), *self.sources()]

    def sources(self) -> list[str]:
        numbered = enumerate(self.request.arguments.folders)
        found = [word for number, (option, folder) in numbered for word in self.include(number, option, folder)]
        return [*write_prelude(self.request, self.folder), *found, "-x", "cu"]

    def include(self, number: int, option: str, folder: Path) -> tuple[str, ...]:
        if option not in ("-iquote", "-idirafter"):
            return option, str(folder)
        if job.IS_WINDOWS:  # cl has neither
            return () if option == "-iquote" else ("-isystem", str(folder))
        # Options of the host's compiler, which nvcc passes on unquoted: so they have a name of ours for the folder.
        link = self.folder / f"folder{number}"
        link.symlink_to(folder)
        return "-Xcompiler", option, "-Xcompiler", link.name

    def run(self) -> Path | Problem:
        key = self.key()
        if isinstance(key, Problem):
            return key
        ptxas = self.ptxas()
        log = f"{key}.{key_of(*ptxas, *self.linking())[:8]}.{self.on.real}.ptxas.log"
        return self.store.find(log) or self.assemble(key, ptxas, log)

    def expanded(self) -> bytes:
        return b"" if self.preprocess() else self.text.read_bytes()

    def preprocess(self) -> Problem | None:
        return self.step("preprocessing", ["-E", *self.options, "-o", self.text.name, self.source])

    @property
    def text(self) -> Path:
        return self.folder / "text.ii"

    def key(self) -> str | Problem:
        """Of all that PTX depends on."""
        fault = self.preprocess()
        return fault or key_of(self.nvcc.stamp, str(self.request.path), *self.options, self.text.read_bytes())

    def ptxas(self) -> list[str]:
        """What ptxas shall do; nvcc's own flags among it, for some of them are ptxas' as well."""
        said = self.request.arguments
        passed = [word for it in ("-v", *said.ptxas) for word in ("-Xptxas", it)]
        return [f"-arch={self.on.real}", *flags_of_nvcc(said), *passed]

    def linking(self) -> list[str]:
        """What nvlink shall do, whose the counts are of relocatable code; []: it is none."""
        relocatable = "rdc=true", "relocatable-device-code=true"
        if not any(it.lstrip("-") in relocatable for it in self.request.arguments.flags):
            return []
        # The wheel of nvcc 13.0 names a folder of libraries that no wheel has; that of 13.5 names this one.
        folders = [f"-L{Path(self.nvcc.start[0]).parents[1] / 'lib'}"] if self.nvcc.wheel else []
        made = ["-o", "linked.cubin", "code.cubin"]
        return ["-dlink", "-cubin", f"-arch={self.on.real}", *folders, "-Xnvlink", "-v", *made]

    def assemble(self, key: str, ptxas: Sequence[str], log: str) -> Path | Problem:
        ptx = self.store.find(f"{key}.ptx") or self.make_ptx(key)
        if isinstance(ptx, Problem):
            return ptx
        done = self.start("ptxas", ["-cubin", *ptxas, "-o", "code.cubin", os.path.relpath(ptx, self.folder)])
        if not done.well:
            return self.failure(done, "ptxas")
        output = done.output
        if linking := self.linking():
            if fault := unlinked.by_pointers(ptx, self.request.path):
                return fault
            done = self.start("nvlink", linking)
            if not done.well:
                return self.failure(done, "nvlink")
            output += _linked(output, done.output)
        said = self.folder / "said.log"
        write(said, output.encode("utf-8"))
        return self.store.keep(said, log)

    def make_ptx(self, key: str) -> Path | Problem:
        made = self.folder / "made.ptx"
        arguments = ["-ptx", *self.options, "-o", made.name, self.source]
        fault = self.step("nvcc", arguments) or unlinked.of_ptx(made, self.request.path)
        if fault:
            return fault
        return self.store.keep(made, f"{key}.ptx") if self.key() == key else changed(self.request.path)

    def step(self, what: str, arguments: Sequence[str]) -> Problem | None:
        done = self.start(what, arguments)
        return None if done.well else self.failure(done, "nvcc")

    def failure(self, done: job.Done, tool: str) -> Problem:
        return failure(done, tool, self.request.path, self.folder, self.request.originals)

    def start(self, what: str, arguments: Sequence[str]) -> job.Done:
        self.request.progress(what)
        return confined.run(self.nvcc, self.request, plain(arguments), self.folder)


def _linked(compiled: str, linked: str) -> str:
    """What nvlink says of the kernels that ptxas compiled, and not of those of NVIDIA's libraries."""
    own = {*_ENTRY.findall(compiled)}
    is_own = False
    kept = []
    for line in linked.splitlines(keepends=True):
        if heading := _LINKED.search(line):
            is_own = heading[1] in own
        kept += [line] if is_own else []
    return "".join(kept)
