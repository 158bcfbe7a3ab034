"""A package is complained of unless each of its binary modules is of its platform and its Python."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
import tree_sitter._binding
import tree_sitter_cuda._binding

from release.binaries import describe
from release.bundle import pinned
from release.contents import SERVER, problems
from release.targets import PYTHONS, TARGETS, Target
from tests.counts.archives import archive

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="modules of this Python are taken for a package's"
)
HERE = TARGETS["linux-x64"]
PROGRAM = archive("nvidia/builds.tar.xz")["shift.exe"]
SERVERS = ("__main__.py", "occupancy_lsp/__init__.py", "occupancy_lsp/presets/nvidia/h100.yaml")
GRAMMAR = "tree_sitter_cuda/_binding.abi3.so"
FOR_312 = "tree_sitter/_binding.cpython-312-x86_64-linux-gnu.so"


def whole() -> dict[str, bytes]:
    """Modules of one Python stand for those of all: an ELF file does not tell which it is of, but for its name."""
    compiled, stable = (
        Path(it.__file__ or "").read_bytes() for it in (tree_sitter._binding, tree_sitter_cuda._binding)
    )
    modules = {path: compiled if python else stable for path, python in HERE.modules()}
    packages = {f"{name.replace('-', '_')}-{version}.dist-info/METADATA" for name, (version, _) in pinned().items()}
    return modules | dict.fromkeys([*packages, *SERVERS, "occupancy_lsp/rules/pages/OCC001.md"], b"")


def complaints(
    folder: Path, files: Mapping[str, bytes], target: str = "linux-x64", version: str = "1.2.3"
) -> list[str]:
    with ZipFile(folder / "package.vsix", "w") as packed:
        packed.writestr("extension.vsixmanifest", f'<Identity Version="{version}" TargetPlatform="{target}"/>')
        for path, content in files.items():
            packed.writestr(SERVER + path, content)
    return [*problems(folder / "package.vsix", HERE, "1.2.3")]


def test_a_whole_package_is_not_complained_of(tmp_path: Path) -> None:
    assert complaints(tmp_path, whole()) == []


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    files = whole()
    for name in (FOR_312, "__main__.py"):
        del files[name]
    assert complaints(tmp_path, files) == ["__main__.py is missing", f"{FOR_312} is missing"]


def test_a_module_of_another_system_is_told_by_its_header(tmp_path: Path) -> None:
    assert complaints(tmp_path, whole() | {FOR_312: PROGRAM}) == [f"{FOR_312} is PE for x86_64"]
    assert complaints(tmp_path, whole() | {GRAMMAR: b"text"}) == [f"{GRAMMAR} is neither ELF, Mach-O nor PE"]


def test_a_module_that_no_served_python_imports_is_told(tmp_path: Path) -> None:
    name = FOR_312.replace("312", "39")
    assert complaints(tmp_path, whole() | {name: PROGRAM}) == [f"{name} is not of this platform and its Pythons"]


@pytest.mark.parametrize(("target", "version"), [("linux-arm64", "1.2.3"), ("linux-x64", "1.2.4")])
def test_the_manifest_is_of_the_platform_and_the_version(tmp_path: Path, target: str, version: str) -> None:
    said = ["its manifest is not of 1.2.3 for linux-x64"]
    assert complaints(tmp_path, whole(), target, version) == said


def test_this_pythons_modules_are_of_this_platform() -> None:
    found = describe(Path(tree_sitter._binding.__file__ or "").read_bytes())
    assert (found.format, found.machine) == (HERE.format, HERE.machine)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_every_python_can_parse_on_every_platform(target: Target) -> None:
    parsers = [python for path, python in target.modules() if path.startswith("tree_sitter/")]
    assert parsers == list(PYTHONS)
