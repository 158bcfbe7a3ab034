"""`compile`: what a real compiler says, printed; nothing saved but caches."""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from occupancy_lsp.cli.commands import compile as compile_command
from occupancy_lsp.cli.commands.sources import Projects
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.model.device import Device
from tests.cli.support import Done, occupancy

Run = Callable[..., Done]
KERNEL = "__global__ void twice(float* p) { p[threadIdx.x] *= 2; }\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


DEFAULTS = "compiled here with the compiler's defaults, for no build file tells its flags"


@pytest.fixture
def run_any(tmp_path: Path, here: Path) -> Run:
    def run(*arguments: object) -> Done:
        caches = str(tmp_path / "caches")
        return occupancy(*arguments, cwd=here, XDG_CACHE_HOME=caches, LOCALAPPDATA=caches)

    return run


@pytest.fixture
def run(run_any: Run) -> Run:
    return lambda *arguments: run_any("compile", *arguments)


def test_text(run: Run, here: Path) -> None:
    (here / "k.cu").write_text(KERNEL)
    done = run("k.cu", "--device", "h100", "--device", "sm_80", "--device", "a100")
    assert (done.status, done.err) == (0, "")
    assert re.sub(r"registers \d+", "registers N", done.out) == (
        f"k.cu on H100 SXM5 (sm_90)\n    twice: registers N, shared memory bytes 0\n    {DEFAULTS}\n"
        f"k.cu on sm_80 (sm_80)\n    twice: registers N, shared memory bytes 0\n    {DEFAULTS}\n"
    )


def test_headers_of_the_workspace_are_found(run: Run, here: Path) -> None:
    """Without a build file: by the one place where they lie; where there are two, the error names the include."""
    source = '#include "lib/outer.h"\n' + KERNEL
    for path, text in {
        "include/lib/outer.h": "#include <detail/inner.h>\n",
        "deps/x/detail/inner.h": "#define INNER 1\n",
        "src/k.cu": source,
        "src/two.cu": '#include "twice.h"\n' + source,
        "a/twice.h": "",
        "b/twice.h": "",
    }.items():
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        (here / path).write_text(text)
    (here / ".git").mkdir()
    done = run("src/k.cu", "src/two.cu", "--device", "h100")
    assert done.out.startswith("src/k.cu on H100 SXM5 (sm_90)\n    twice: registers ")
    (line,) = done.err.splitlines()
    assert "two.cu:1:" in line and "twice.h" in line


@pytest.mark.parametrize(
    ("cwd", "path", "status"),
    [
        (".", "current/src/k.cu", 0),
        ("other", "current/src/k.cu", 2),
        ("other", "built/src/gpu/k.cu", 0),
        ("built/src/gpu", "built/src/gpu/k.cu", 0),
        ("other", "including/src/gpu/k.cu", 0),
    ],
)
def test_a_copied_folder(tmp_path: Path, here: Path, cwd: str, path: str, status: int) -> None:
    """Without a repository: by where the command is given, the build files around the file, the headers in it."""
    source = '#include "lib/sizes.h"\n' + KERNEL.replace("*= 2", "*= TWO")
    for name, text in {
        "current/src/k.cu": source,
        "current/deps/lib/sizes.h": "#define TWO 2\n",
        "built/CMakeLists.txt": "",
        "built/src/gpu/CMakeLists.txt": "",
        "built/src/gpu/k.cu": source,
        "built/deps/lib/sizes.h": "#define TWO 2\n",
        "including/src/gpu/k.cu": source,
        "including/include/lib/sizes.h": "#define TWO 2\n",
        "other/k.cu": "",
    }.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text)
    if path.startswith("current"):  # elsewhere the same header would be found twice
        for name in ("built", "including"):
            (here / name / ("deps" if name == "built" else "include") / "lib" / "sizes.h").unlink()
    caches = str(tmp_path / "caches")
    named = here / path
    done = occupancy("compile", named, "--device", "h100", cwd=here / cwd, XDG_CACHE_HOME=caches, LOCALAPPDATA=caches)
    assert done.status == status


def test_json(run: Run, here: Path) -> None:
    (here / "k.cu").write_text(KERNEL)
    (here / "k.hip").write_text("#include <hip/hip_runtime.h>\n" + KERNEL)
    done = run(".", "--device", "h100", "--device", "gfx90a", "--format", "json")
    assert (done.status, done.err) == (0, "")
    told = json.loads(done.out)
    assert [(it["file"], it["device"], it["name"], it["arch"]) for it in told["kernels"]] == [
        ("k.cu", "h100", "twice", "sm_90"),
        ("k.hip", "gfx90a", "twice", "gfx90a"),
    ]
    assert told["kernels"][0]["accumulators"] is None
    assert told["problems"] == []


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_known_is_written_at_once(here: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    (here / "a.cu").write_text(KERNEL)
    (device,) = Projects(["sm_90"]).at(here).devices_for("cuda")
    out = io.BytesIO()
    written = list[str]()

    def readings(*_: object) -> Iterator[tuple[Device, Reading]]:
        for name in ("first", "second"):
            yield device, Reading((Usage(name, "compiled", "", 0, "sm_90", registers=8),))
            written.append(out.getvalue().decode())

    monkeypatch.setattr(compile_command, "_compile", readings)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out, encoding="utf-8"))
    options = argparse.Namespace(paths=[str(here / "a.cu")], device=["sm_90"], format=form)
    assert compile_command.run(options) == 0
    sys.stdout.flush()
    written.append(out.getvalue().decode())
    assert [("first" in it, "second" in it) for it in written] == [(True, False), (True, True), (True, True)]
    if form == "json":
        whole = json.loads(written[-1])
        assert [it["name"] for it in whole["kernels"]] == ["first", "second"]
        assert written[-1] == json.dumps(whole, indent=1) + "\n"


def test_json_of_nothing(run: Run, here: Path) -> None:
    assert run(".", "--format", "json").out == json.dumps({"kernels": [], "problems": []}, indent=1) + "\n"


def test_kernels_of_a_header(run: Run, here: Path) -> None:
    """In the sources that include it, whatever flags it has there: one after the other, until all are told of."""
    kernel = "template <int N> __global__ void {0}(float* p) {{ p[threadIdx.x] *= N * SCALE; }}\n"
    run_it = "template <int N> void run_{0}(float* p) {{ {0}<N><<<1, N>>>(p); }}\n"
    names = ("first", "second", "none")
    third = kernel.format("third").replace("SCALE", "1")
    alone = f"{third}#ifndef SCALE\ntemplate __global__ void third<16>(float*);\n#endif\n"
    (here / "k.cuh").write_text("#pragma once\n" + "".join((kernel + run_it).format(it) for it in names) + alone)
    for path, makes in {"a.cu": ("first", 2), "b.cu": ("second", 4), "c.cu": ("second", 8)}.items():
        library = "#include <pybind11/absent.h>\nvoid bind(pybind11::absent& m) { m.def(1); }\n"
        calls = "void go_{0}(float* p) {{ run_{0}<{1}>(p); }}\n".format(*makes)
        (here / path).write_text(f'#define SCALE 3\n#include "k.cuh"\n{library}{calls}')
    told = json.loads(run("k.cuh", "--device", "h100", "--format", "json").out)
    assert [(it["file"], it["name"]) for it in told["kernels"]] == [
        ("k.cuh", f"{name}<{n}>") for name, n in (("first", 2), ("second", 4), ("second", 8), ("third", 16))
    ]
    assert ["by itself" in it["how"] for it in told["kernels"]] == [False, False, False, True]


def test_failures(run: Run, here: Path) -> None:
    (here / "bad.cu").write_text("\n" + KERNEL.replace("*= 2", "*= unheard_of"))
    (here / "part.cu").write_text(KERNEL + "oops\n")
    (here / "good.cu").write_text(KERNEL)
    (here / "host.cpp").write_text("int main() {}\n")
    done = run(".", "--device", "h100")
    assert done.status == 2
    good, part = done.out.split("part.cu on H100 SXM5 (sm_90)\n")
    assert good.startswith("good.cu on H100 SXM5 (sm_90)\n") and good.splitlines()[1] == part.splitlines()[0]
    bad, rest = done.err.splitlines()
    assert bad.startswith(f"{here / 'bad.cu'}:2:")
    assert rest.startswith(f"{here / 'part.cu'}:2:") and "compiled in part only" in rest
    assert run("none.cu").status == 2
    assert run("good.cu", "--device", "h1000").status == 2
    assert not [path for path in here.iterdir() if path.name not in ("bad.cu", "good.cu", "host.cpp", "part.cu")]


def test_the_devices_of_the_settings(run: Run, here: Path) -> None:
    (here / ".occupancy.yaml").write_text("devices: [l4, h100]\nmacros: {SIZE: 512, 'TIMES(x)': (x * 2)}\n")
    (here / "k.cu").write_text("__global__ void k(int* p) { __shared__ int s[SIZE]; s[*p] = TIMES(*p); *p = s[1]; }\n")
    counts, how = run("k.cu").out.rsplit("    ", 1)
    assert re.fullmatch(r"k.cu on L4 \(sm_89\)\n    k: registers \d+, shared memory bytes 2048\n", counts)
    assert how == "compiled here with -DSIZE=512 -DTIMES(x)=(x * 2), as the settings say\n"


@pytest.fixture
def mixed(here: Path) -> Path:
    """A source, a header's template that it launches, a source that is broken, and one whose count is written down."""
    (here / "inner.cuh").write_text("template <int N> __global__ void inner(float* p) { p[threadIdx.x] *= N; }\n")
    launch = "void f(float* p) { twice<<<1, 64>>>(p); inner<4><<<1, 64>>>(p); }\n"
    (here / "k.cu").write_text(f'#include "inner.cuh"\n{KERNEL}{launch}')
    (here / "bad.cu").write_text("\n" + KERNEL.replace("twice", "broken").replace("*= 2", "*= unheard_of"))
    (here / "known.cu").write_text(f"// occupancy: regs=40 block=64\n{KERNEL.replace('twice', 'known')}oops\n")
    return here


def test_check_compiles_what_has_no_count(run_any: Run, mixed: Path) -> None:
    told = json.loads(run_any("check", ".", "--compile", "--format", "json").out)
    kernels = {it["name"]: it["on"][0] for file in told["files"] for it in file["kernels"]}
    assert {name: it["inputs"]["registers"]["origin"][:13] for name, it in kernels.items() if it["source"]} == {
        "twice": "compiled here", "inner": "compiled here", "known": "stated in a c",
    }  # fmt: skip
    (problem,) = [it for it in told["problems"] if "not compiled" in it["message"]]
    assert problem["path"].endswith("bad.cu")
    plain = run_any("check", ".", "--hints")
    assert plain.out.count("100% if ≤32 regs") == 2  # without consent nothing is compiled, nor what was before used


def test_kernels_that_are_compiled(run_any: Run, mixed: Path) -> None:
    done = run_any("kernels", "k.cu", "inner.cuh", "--compile")
    assert len(re.findall(r"compiled +(?:twice|inner<4>): \d+ registers on sm_90\n", done.out)) == 2
    (line,) = run_any("kernels", "bad.cu", "--compile").err.splitlines()
    assert "bad.cu:2:" in line and "not compiled: nvcc: " in line


def test_a_header_that_no_source_includes(run_any: Run, here: Path) -> None:
    """Of another one the source is compiled; templates of which there is no instance are nobody's fault."""
    kernel = "__global__ void __launch_bounds__(256) k(float *x) { x[threadIdx.x] = sizeof(x); }\n"
    (here / "alone.cuh").write_text("#pragma once\n" + kernel)
    (here / "included.cuh").write_text(kernel.replace("k(", "with_unit("))
    (here / "unit.cu").write_text('#include "included.cuh"\n')
    (here / "template.cuh").write_text("template <int N> __global__ void t(float *x) { x[threadIdx.x] = N; }\n")
    done = run_any("kernels", "alone.cuh", "included.cuh", "template.cuh", "--compile")
    assert re.findall(r"compiled +(\w+): \d+ registers", done.out) == ["k", "with_unit"] and not done.err
    assert "by itself, for no source in sight tells of it" in run_any("compile", "alone.cuh", "--device", "sm_90").out


def test_processes_share_what_was_compiled(run_any: Run, here: Path) -> None:
    for number in range(30):
        kernel = "" if number % 10 else KERNEL.replace("twice", f"k{number}")
        (here / f"k{number}.cu").write_text(f"{kernel}int v{number};\n")
    done = run_any("check", ".", "--hints", "--compile", "--jobs", "2", "--device", "h100")
    assert done.out.count("regs") == 0 and done.err == ""
