"""Whose a count is: by the place it names, what it was compiled from, and where it lies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.builds.attribution import Attribution, Place, join, on_architecture
from occupancy_lsp.builds.origins import Origin
from occupancy_lsp.counts.usage import Usage

ROOT = Path("/w")
MINE, OTHER = ROOT / "src" / "a" / "scale.cu", ROOT / "src" / "b" / "shift.cu"


def count(path: str, **said: object) -> Usage:
    return replace(Usage("scale", "compiled", str(ROOT / path), 1, "sm_90", 40), **said)  # type: ignore[arg-type]


def why(usage: Usage, rivals: tuple[Path, ...] = (OTHER,), origin: Origin | None = None, *units: Path) -> str:
    """Empty: the count is used."""
    place = Place(MINE, rivals, (MINE, *units))
    found = join([usage], place, {usage.path: origin} if origin else {})
    assert len(found.used) + len(found.unused) == 1
    return found.unused[0].why if found.unused else ""


def test_the_only_kernel_of_a_name_has_its_counts() -> None:
    assert why(count("build/app"), ()) == ""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("build/scale.cu.o", ""),
        ("build/scale.sm_90.cubin", ""),
        ("build/shift.o", "named after shift.cu"),
        ("src/a/ptxas.log", ""),
        ("src/b/ptxas.log", "it may be of the kernel in shift.cu"),
        ("build/ptxas.log", "it may be of the kernel in shift.cu"),
    ],
)
def test_of_several_kernels_of_a_name_the_nearest_has_it(path: str, expected: str) -> None:
    assert why(count(path)) == expected


def test_a_result_may_be_named_after_a_unit_that_includes_the_file() -> None:
    """Each of several programs is called `main`, and one includes the kernel's file."""
    unit, rival = ROOT / "src" / "a" / "main.cu", ROOT / "src" / "b" / "main.cu"
    assert why(count("src/a/main"), (rival,)) == "named after main.cu"
    assert why(count("src/a/main"), (rival,), None, unit) == ""
    assert why(count("src/b/main"), (rival,), None, unit) == "it may be of the kernel in main.cu"
    assert why(count("src/a/main"), (OTHER,), None, unit) == ""


def test_what_the_compiler_says_of_the_source_decides() -> None:
    linked = count("build/app")
    assert why(linked, (OTHER,), Origin(MINE, (MINE, ROOT / "src/a/h.cuh"))) == ""
    assert why(linked, (OTHER,), Origin(OTHER, (OTHER,))) == "compiled from shift.cu, without this file"
    assert why(linked, (), Origin(OTHER)) == "compiled from shift.cu"
    assert why(linked, (), Origin(OTHER), OTHER) == ""  # this file is a header of it
    placed = count("build/x.remarks", at=("../src/a/scale.cu", 12))
    assert why(placed) == ""
    assert why(count("build/x.remarks", at=("C:\\src\\b\\shift.cu", 12))) == "of the kernel in shift.cu"


def test_what_a_person_says_is_of_every_kernel_so_called() -> None:
    assert why(count("counts.yaml", source="declared")) == ""


def test_a_sidecar_speaks_of_the_file_that_it_is_named_after(tmp_path: Path) -> None:
    def of(name: str) -> str:
        return why(Usage("scale", "declared", str(tmp_path / f"{name}.occupancy.yaml"), 1))

    assert of("other.cu") == "it speaks of other.cu"
    assert of(MINE.name) == ""  # a folder of its own for sidecars
    (tmp_path / MINE.name).touch()
    assert of(MINE.name) == f"it speaks of {MINE.name}"  # the one beside it
    assert of("counts") == ""


def left(*usages: Usage, arch: str = "sm_90") -> tuple[list[str], list[str]]:
    found = on_architecture(Attribution(usages), arch)
    return [Path(it.path).name for it in found.used], [it.why for it in found.unused]


def test_another_architecture_s_count_is_never_used() -> None:
    assert left(count("a.o"), count("b.o", arch="sm_80")) == (["a.o"], ["for sm_80, and the device is sm_90"])
    assert left(count("a.o", arch="xe-hpc"), arch="xe_hpc") == (["a.o"], [])
    assert left(count("a.o", arch="gfx803"), arch="gfx803-polaris") == (["a.o"], [])


def test_the_newest_build_of_an_instance_wins() -> None:
    old, new = count("debug.o", mtime=1.0), count("release.o", mtime=2.0)
    assert left(old, new) == left(new, old) == (["release.o"], ["older than release.o"])
    symbol, text = count("a.o", mtime=1.0), count("ncu.csv", mtime=2.0)
    symbol = Usage("_Z5scaleIfEvPT_", "compiled", symbol.path, 1, "sm_90", 40, mtime=1.0)
    text = Usage("void scale<float>(float *)", "measured", text.path, 1, "sm_90", 42, mtime=2.0)
    assert left(symbol, text) == (["ncu.csv"], ["older than ncu.csv"])


def test_overloads_of_one_build_stand_beside_each_other() -> None:
    one, two = (Usage(name, "compiled", "/w/a.o", 0, "sm_90", 40) for name in ("_Z5scalePf", "_Z5scalePi"))
    assert left(one, two) == (["a.o", "a.o"], [])


def test_a_person_s_word_comes_first_and_what_has_no_registers_last() -> None:
    stated = count("k.yaml", source="declared", arch=None)
    assert left(count("a.o", mtime=9.0), stated) == (["k.yaml"], ["k.yaml says otherwise"])
    bare = count("k.ptx", registers=None, mtime=9.0)
    assert left(count("a.o"), bare) == (["a.o"], ["it has no register counts, and others have"])
    assert left(bare) == (["k.ptx"], [])
