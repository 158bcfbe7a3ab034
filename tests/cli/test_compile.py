"""`compile`: what a real compiler says, printed; nothing saved but caches."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.support import Done, occupancy

Run = Callable[..., Done]
KERNEL = "__global__ void twice(float* p) { p[threadIdx.x] *= 2; }\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


DEFAULTS = "compiled here with the compiler's defaults, for no build file tells its flags"


@pytest.fixture
def run(tmp_path: Path, here: Path) -> Run:
    def run(*arguments: object) -> Done:
        caches = str(tmp_path / "caches")
        return occupancy("compile", *arguments, cwd=tmp_path / "here", XDG_CACHE_HOME=caches, LOCALAPPDATA=caches)

    return run


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


def test_failures(run: Run, here: Path) -> None:
    (here / "bad.cu").write_text(KERNEL + "oops\n")
    (here / "good.cu").write_text(KERNEL)
    (here / "host.cpp").write_text("int main() {}\n")
    done = run(".", "--device", "h100")
    assert done.status == 2
    assert done.out.startswith("good.cu on H100 SXM5 (sm_90)\n")
    (line,) = done.err.splitlines()
    assert line.startswith(f"{here / 'bad.cu'}:2:")
    assert run("none.cu").status == 2
    assert run("good.cu", "--device", "h1000").status == 2
    assert not [path for path in here.iterdir() if path.name not in ("bad.cu", "good.cu", "host.cpp")]


def test_the_devices_of_the_settings(run: Run, here: Path) -> None:
    (here / ".occupancy.yaml").write_text("devices: [l4, h100]\nmacros: {SIZE: 512, 'TIMES(x)': (x * 2)}\n")
    (here / "k.cu").write_text("__global__ void k(int* p) { __shared__ int s[SIZE]; s[*p] = TIMES(*p); *p = s[1]; }\n")
    counts, how = run("k.cu").out.rsplit("    ", 1)
    assert re.fullmatch(r"k.cu on L4 \(sm_89\)\n    k: registers \d+, shared memory bytes 2048\n", counts)
    assert how == "compiled here with -DSIZE=512 -DTIMES(x)=(x * 2), as the settings say\n"
