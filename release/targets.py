"""The platforms that have a package of the VS Code extension of their own, and the Pythons that each serves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")

# The modules that are compiled for each Python, by package. PyYAML goes along as pure Python.
MODULES = {
    "tree-sitter": ("tree_sitter/_binding",),
    "msgspec": ("msgspec/_core",),
    "lz4": ("lz4/_version", "lz4/block/_block"),
    "zstandard": ("zstandard/backend_c",),
}
# The one that serves every Python.
STABLE = {"tree-sitter-cuda": "tree_sitter_cuda/_binding"}


@dataclass(frozen=True)
class Target:
    """A platform: its names, what its binary modules are and are called, and which wheels nobody publishes for it."""

    name: str  # as VS Code has it
    platform: str  # as uv has it
    format: str
    machine: str
    tags: Mapping[str, str]  # by Python, what the names of modules compiled for it end in
    stable: str  # the same of one that serves every Python
    lacks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by package, the Pythons

    def packages(self, python: str) -> list[str]:
        """Those with binary modules that there are for it."""
        return [it for it in (*MODULES, *STABLE) if python not in self.lacks.get(it, ())]

    def modules(self) -> Iterator[tuple[str, str | None]]:
        """The path of each binary module, and its Python: None serves all."""
        for python in PYTHONS:
            for package in self.packages(python):
                yield from ((stem + self.tags[python], python) for stem in MODULES.get(package, ()))
        yield from ((stem + self.stable, None) for stem in STABLE.values())


def _tags(before: str, after: str) -> dict[str, str]:
    return {it: before + it.replace(".", "") + after for it in PYTHONS}


def _linux(name: str, platform: str, machine: str) -> Target:
    return Target(name, platform, "ELF with glibc", machine, _tags(".cpython-", f"-{machine}-linux-gnu.so"), ".abi3.so")


def _alpine(name: str, platform: str, machine: str) -> Target:
    tags = _tags(".cpython-", f"-{machine}-linux-musl.so")
    tags["3.10"] = tags["3.10"].replace("musl", "gnu")  # Python tells them apart since 3.11
    # Without lz4 the device code that nvcc compressed is not read; nvcc itself does not run there.
    return Target(name, platform, "ELF with musl", machine, tags, ".abi3.so", {"lz4": PYTHONS})


def _mac(name: str, platform: str, machine: str) -> Target:
    return Target(name, platform, "Mach-O", machine, _tags(".cpython-", "-darwin.so"), ".abi3.so")


def _windows(name: str, platform: str, machine: str, tag: str, lacks: Mapping[str, tuple[str, ...]]) -> Target:
    return Target(name, platform, "PE", machine, _tags(".cp", f"-{tag}.pyd"), ".pyd", lacks)


TARGETS = {
    it.name: it
    for it in (
        _linux("linux-x64", "x86_64-manylinux_2_28", "x86_64"),
        _linux("linux-arm64", "aarch64-manylinux_2_28", "aarch64"),
        _alpine("alpine-x64", "x86_64-unknown-linux-musl", "x86_64"),
        _mac("darwin-x64", "x86_64-apple-darwin", "x86_64"),
        _mac("darwin-arm64", "aarch64-apple-darwin", "aarch64"),
        _windows("win32-x64", "x86_64-pc-windows-msvc", "x86_64", "win_amd64", {}),
        _windows("win32-arm64", "aarch64-pc-windows-msvc", "aarch64", "win_arm64", {"zstandard": ("3.10",)}),
    )
}
