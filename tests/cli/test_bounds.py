"""`bounds`: a kernel compiled with other launch bounds, as a table and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import Done, occupancy
from tests.support import live

SOURCE = live(40) + (
    "__global__ void small(float* p) { p[threadIdx.x] = 1; }\n"
    "void go(float* p, int n) { live<<<64, 256>>>(p, p, n, n, n), small<<<1, n>>>(p); }\n"
)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "k.cu").write_text(SOURCE)
    return tmp_path / "here"


def bounds(here: Path, *arguments: str) -> Done:
    caches = str(here.parent / "caches")
    return occupancy("bounds", *arguments, "--device", "h100", cwd=here, XDG_CACHE_HOME=caches, LOCALAPPDATA=caches)


def test_bounds(here: Path) -> None:
    done = bounds(here, "k.cu:live")
    lines = done.out.splitlines()
    assert (done.status, done.err) == (0, "")
    assert lines[0] == "k.cu: live on H100 SXM5 (sm_90)"
    assert lines[1].split() == ["bounds", "registers", "occupancy", "spills"]
    assert lines[2].split()[-3:] == ["48", "62.5%", "none"]
    assert [it.split()[3] for it in lines[3:]] == ["75%", "100%"] and all(it.endswith(" B") for it in lines[3:])
    # All kernels of the file: what cannot be tried says why.
    done = bounds(here, "k.cu", "--format", "json")
    told = json.loads(done.out)
    assert done.status == 2
    assert told["problems"] == ["k.cu:10:17: small: its occupancy is not known: the size of its launches is not"]
    (kernel,) = told["kernels"]
    assert [(it["head"]["second"], it["improves"], it["preferred"]) for it in kernel["steps"]] == [
        (None, False, False), (6, True, False), (8, True, False),
    ]  # fmt: skip
    spills = [it["spills"] for it in kernel["steps"]]
    assert spills[0] == {"lowest": 0, "highest": 0, "registers": False} and spills[1]["lowest"] > 0
    assert kernel["steps"][1]["counts"][0]["registers"] == kernel["steps"][1]["registers"]["highest"] == 40


def test_what_is_not_there(here: Path) -> None:
    for argument, why in (("k.cu:other", "other"), ("none.cu:live", "no such file or folder")):
        done = bounds(here, argument)
        assert done.status == 2 and why in done.err


def test_without_kernels(here: Path) -> None:
    """A file that is named is a problem, one in a folder is none; and the rest is done."""
    (here / "k.cu").write_text("__global__ void small(float* p) { p[threadIdx.x] = 1; }\n")
    (here / "a.cu").write_text("int a;\n")
    small = "k.cu:1:17: small: its occupancy is not known: the size of its launches is not"
    for arguments, problems in ((("a.cu", "k.cu"), ["a.cu: no kernels in it", small]), ((".",), [small])):
        done = bounds(here, *arguments, "--format", "json")
        assert done.status == 2 and json.loads(done.out) == {"kernels": [], "problems": problems}
