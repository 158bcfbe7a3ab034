"""One run of clang: source to assembly, kept under a key of the preprocessed text, of clang and of its options."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from occupancy_lsp.compile import confined, unlinked
from occupancy_lsp.compile.errors import changed, failure
from occupancy_lsp.compile.prelude import write_prelude
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.store import Store, key_of
from occupancy_lsp.compile.toolchains import Machine, Toolchain, find_clang, ranked, wheel_advice
from occupancy_lsp.core.problem import Problem

HEADERS = Path(__file__).parent / "headers"  # of our own


def clang_for_amd(request: Request, machine: Machine, store: Store) -> Toolchain | str:
    """The first that is built with AMD's devices, as not every clang is; or why there is none."""
    for clang in ranked(find_clang(machine, request.root), request.program):
        if clang.wheel or _has_amd(clang, request, store):
            return clang
    return f"no clang for AMD's devices: install ROCm, or {wheel_advice('amd', machine, request.root)}"


def _has_amd(clang: Toolchain, request: Request, store: Store) -> bool:
    with store.workplace() as folder:
        return "amdgcn" in confined.run(clang, request, ["--print-targets"], folder).output


class Assembler:
    def __init__(self, request: Request, clang: Toolchain, store: Store) -> None:
        self.request = request
        self.clang = clang
        self.store = store

    def run(self, options: Sequence[str]) -> Path | Problem:
        """`options`: the language, the device, and what goes with them."""
        with self.store.workplace() as folder:
            options = ["-w", *options, *self.sources(folder)]
            key = self.key(options, folder)
            if isinstance(key, Problem):
                return key
            name = f"{key}.{self.request.device.arch.id}.s"
            return self.store.find(name) or self.assemble(options, folder, key, name)

    def key(self, options: Sequence[str], folder: Path) -> str | Problem:
        """Of all that the assembly depends on."""
        text = folder / "text.ii"
        fault = self.start("preprocessing", ["-E", *options, "-o", str(text)], folder)
        return fault or key_of(self.clang.stamp, str(self.request.path), *options, text.read_bytes())

    def assemble(self, options: Sequence[str], folder: Path, key: str, name: str) -> Path | Problem:
        made = folder / "made.s"
        fault = self.start("clang", ["-S", *options, "-o", str(made)], folder)
        if fault := fault or unlinked.of_assembly(made, self.request.path):
            return fault
        return self.store.keep(made, name) if self.key(options, folder) == key else changed(self.request.path)

    def sources(self, folder: Path) -> list[str]:
        found = [word for option, path in self.request.arguments.folders for word in (option, str(path))]
        return [*write_prelude(self.request, folder), *found, self.request.source(folder)]

    def start(self, what: str, arguments: Sequence[str], folder: Path) -> Problem | None:
        self.request.progress(what)
        done = confined.run(self.clang, self.request, arguments, folder)
        return None if done.well else failure(done, "clang", self.request.path, folder, self.request.originals)
