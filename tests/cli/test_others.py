"""`kernels`, `devices`, `sweep`, `explain`, `doctor`, `serve`, and the options of the whole."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from occupancy_lsp import __version__
from occupancy_lsp.rules.registry import RULES
from tests.builds import warp_scripts
from tests.cli.support import occupancy
from tests.counts.nvidia_samples import named, samples
from tests.counts.triton_samples import unpack
from tests.forkserver import REAL

UNKNOWN = """\
template <typename T>
__global__ void __launch_bounds__(THREADS) scale(T *x) {
    __shared__ T tile[32];
    tile[threadIdx.x] = helper(x);
    *x = tile[0];
}
void run(int n) { scale<unseen_t><<<1, n, bytes>>>(0); }
"""


def test_version_and_help() -> None:
    assert occupancy("--version", start=REAL).out == f"occupancy-lsp {__version__}\n"
    shown = occupancy("--help", start=REAL).out
    for command in ("serve", "check", "calc", "sweep", "kernels", "compile", "devices", "explain", "doctor"):
        assert re.search(rf"^    {command} ", shown, re.MULTILINE)
        assert f"\nExample: occupancy-lsp {command}" in occupancy(command, "--help", start=REAL).out
    assert "\nExample: occupancy-lsp check" in shown and "\nCompile:\n" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "the following arguments are required: COMMAND. See `occupancy-lsp --help`."),
        (["chek"], "there is no command 'chek', did you mean 'check'? See `occupancy-lsp --help`."),
        (["xyz"], "there is no command 'xyz'. See `occupancy-lsp --help`."),
        (["compile"], "the following arguments are required: PATH. See `occupancy-lsp compile --help`."),
        (["check", "--format", "xml", "."], "invalid choice: 'xml' (choose from"),
        (["check", "--format", "html"], "argument --format: `occupancy-lsp report --html FILE` writes a page"),
        (["check", "--devics=h100"], "there is no option --devics, did you mean '--devices'?"),
        (["calc", "--blok", "256"], "there is no option --blok, did you mean '--block'?"),
        (["explain", "5", "6"], "'6' is one argument too many."),
        (["--nonsense"], "required: COMMAND"),
        (["calc", "--device", "sm_91", "--block", "256"], "unknown device 'sm_91'; nearest: sm_90."),
        (
            ["explain", "word"],
            "there is no rule 'word', did you mean 'words'? `occupancy-lsp explain` lists all: OCC001,",
        ),
        (["explain", "../../README"], "there is no rule '../../README'. `occupancy-lsp explain` lists all: OCC001,"),
    ],
)
def test_wrong_usage_is_one_line_with_a_way_on(arguments: list[str], said: str) -> None:
    done = occupancy(*arguments)
    (line,) = done.err.splitlines()
    assert done.status == 2 and not done.out
    assert re.match(r"occupancy-lsp( \w+)?: error: ", line) and said in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["serve", "--stdio"],
        ["--stdio"],
        ["--stdio", "--clientProcessId=1"],
        ["--clientProcessId=1", "--stdio"],
    ],
)
def test_the_server_starts_the_ways_editors_start_it(arguments: list[str]) -> None:
    def message(**body: object) -> bytes:
        text = json.dumps({"jsonrpc": "2.0", **body}).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)

    request = {"processId": None, "rootUri": None, "capabilities": {}}
    talk = (
        message(id=1, method="initialize", params=request) + message(id=2, method="shutdown") + message(method="exit")
    )
    done = occupancy(*arguments, stdin=talk)
    assert done.status == 0
    assert '"occupancy-lsp"' in done.out


def test_an_address_that_is_none() -> None:
    done = occupancy("serve", "--tcp", "nowhere")
    assert done.status == 2
    assert "expected [HOST:]PORT" in done.err


def test_kernels_as_text() -> None:
    done = occupancy("kernels", "examples/persistent.cu", "examples/transpose.cu")
    assert done.status == 0
    assert "look_up\n    launch bounds    512 threads, 1 block/SM\n" in done.out
    assert "    shared memory    0 bytes and more at launch\n" in done.out
    assert "    launch at 23     512 threads, 163840 bytes dynamic\n" in done.out
    assert "    shared memory    3168 bytes\n" in done.out


def test_what_is_not_known_has_its_reason_and_place(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(UNKNOWN)
    done = occupancy("kernels", "--format", "jsonl", "a.cu", cwd=tmp_path)
    (kernel,) = map(json.loads, done.out.splitlines())
    assert (kernel["name"], kernel["file"], kernel["line"], kernel["column"]) == ("scale", "a.cu", 2, 44)
    assert kernel["template"] is True
    bounds = kernel["bounds"]["max_threads"]
    assert (bounds["value"], bounds["line"], bounds["column"]) == (None, 2, 35) and "THREADS" in bounds["reason"]
    assert kernel["shared"]["highest"] is None
    assert (kernel["shared_unknown"][0]["name"], kernel["shared_unknown"][0]["line"]) == ("tile", 3)
    assert kernel["calls_unseen"] == ["helper"]
    (launch,) = kernel["launches"]
    assert (launch["block"]["value"], launch["block"]["column"]) == (None, 40)
    assert launch["dynamic_shared"]["value"] is None
    text = occupancy("kernels", "a.cu", cwd=tmp_path).out
    assert "not known, THREADS" in text and "(2:35)" in text


PROJECT = {
    "sizes.h": "#pragma once\nconstexpr int TILE = 32;\n",
    "kernels.cuh": """\
#pragma once
#include "sizes.h"
template <typename T, int N>
__global__ void __launch_bounds__(N) sum(T *x) {
    __shared__ T tile[N];
    tile[threadIdx.x] = *x; __syncthreads(); x[1] = tile[TILE];
}
""",
    "main.cu": """\
#include "kernels.cuh"
__global__ void scale(float *x) {
    __shared__ float t[TILE][TILE];
    t[0][threadIdx.x] = *x; __syncthreads(); x[1] = t[1][0];
}
void run(float *x, double *y) {
    sum<float, 256><<<8, 256>>>(x);
    sum<double, 512><<<8, dim3(64, 8)>>>(y);
}
""",
    "other.cu": """\
__global__ void scale(float *x);
void far(float *x, int n) {
    scale<<<1, 128>>>(x);
    scale<<<1, n>>>(x);
}
""",
}


def written(folder: Path) -> Path:
    for name, text in PROJECT.items():
        (folder / name).write_text(text)
    return folder


def test_kernels_of_several_files(tmp_path: Path) -> None:
    done = occupancy("kernels", ".", cwd=written(tmp_path), XDG_CACHE_HOME=str(tmp_path / ".cache"))
    assert (
        done.out
        == """\
kernels.cuh:4:38: sum (template)
    launch bounds    threads: not known, template parameter N (4:35)
    shared memory    1024 to 4096 bytes
    launched in      main.cu:7 with 256 threads
    launched in      main.cu:8 with 512 threads
    <float, 256>
        launch bounds    256 threads
        shared memory    1024 bytes
    <double, 512>
        launch bounds    512 threads
        shared memory    4096 bytes

main.cu:2:17: scale
    shared memory    4096 bytes
    launched in      other.cu:3 with 128 threads
    launched in      other.cu:4 with threads: not known, parameter n

"""
    )


def test_kernels_of_several_files_as_data(tmp_path: Path) -> None:
    found = occupancy(
        "kernels", "--format", "jsonl", ".", cwd=written(tmp_path), XDG_CACHE_HOME=str(tmp_path / ".cache")
    )
    template, kernel, of_main, of_other = map(json.loads, found.out.splitlines())
    assert [it["arguments"] for it in template["instances"]] == ["float, 256", "double, 512"]
    assert [it["shared"]["highest"] for it in template["instances"]] == [1024, 4096]
    launches = [(it["file"], it["line"], it["arguments"], it["block"]["dimensions"]) for it in template["launches"]]
    assert launches == [("main.cu", 7, "float, 256", [256, 1, 1]), ("main.cu", 8, "double, 512", [64, 8, 1])]
    assert (of_main["name"], [it["kernel"] for it in of_main["launches"]]) == (None, ["sum", "sum"])
    assert (kernel["name"], kernel["instances"]) == ("scale", [])
    assert [it["block"]["value"] for it in kernel["launches"]] == [128, None]
    assert (of_other["name"], [it["line"] for it in of_other["launches"]]) == (None, [3, 4])


def test_devices() -> None:
    listed = occupancy("devices").out
    assert listed.startswith("NVIDIA\n")
    assert re.search(r"^  sm_90 .*\n(?: {16}.*\n)*.*  h100  .*H100 SXM5 +132", listed, re.MULTILINE)
    assert listed.index("sm_80 ") < listed.index("sm_90 ") < listed.index("sm_100 ")
    assert re.search(r"warps per SM +64 +\w", occupancy("devices", "H100").out)
    unknown = occupancy("devices", "h10")
    assert unknown.status == 2 and "nearest: h100" in unknown.err


def test_devices_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / ".occupancy.yaml").write_text("presets: ['*.yaml']\n")
    card = "id: lab-card\nname: The card\narch: sm_89\ncompute_units: 60\nsource: here\nverified: document\n"
    (tmp_path / "lab.yaml").write_text(card)
    (tmp_path / "deep").mkdir()
    assert "lab-card" in occupancy("devices", cwd=tmp_path / "deep").out
    assert "The card: " in occupancy("calc", "--device", "lab-card", "--block", 256, cwd=tmp_path).out


@pytest.mark.parametrize("over", ["block", "regs", "shared"])
def test_sweep(over: str) -> None:
    done = occupancy("sweep", "--device", "a100", "--block", 256, "--regs", 64, "--over", over, COLUMNS="80")
    assert done.status == 0
    assert done.out.startswith("A100: occupancy by ")
    assert "100% |" in done.out and "limited by" in done.out and "\n>" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_a_sweep_over_nothing() -> None:
    assert occupancy("sweep", "--device", "a100", "--over", "time").status == 2


@pytest.mark.parametrize("code", [rule.code for rule in RULES])
def test_every_rule_is_explained(code: str) -> None:
    done = occupancy("explain", code.lower())
    assert done.status == 0
    assert code in done.out


def test_when_less_is_faster_is_explained() -> None:
    done = occupancy("explain", "lower-occupancy")
    assert done.status == 0 and done.out.startswith("# When lower occupancy is faster")


def test_the_vendors_words_are_explained() -> None:
    done = occupancy("explain", "words")
    assert done.status == 0 and done.out.startswith("# Vendor terms compared")


def test_a_rule_is_found_by_its_number_and_all_are_listed() -> None:
    page = occupancy("explain", "OCC005").out
    assert page.startswith("# OCC005") and {occupancy("explain", it).out for it in ("5", "005", "occ5")} == {page}
    listed = occupancy("explain")
    assert listed.status == 0 and all(rule.code in listed.out for rule in RULES)


def test_doctor() -> None:
    done = occupancy("doctor", "examples")
    assert done.status == 0
    for said in (
        f"occupancy-lsp {__version__}, Python 3.",
        "  pygls 2.",
        "  devices (.occupancy.yaml): h100",
        "  CUDA is computed for H100 SXM5 (h100, sm_90)",
        "    examples/matmul.cu.occupancy.yaml: of 3 kernels for sm_80, sm_89, sm_90",
        "    not used: examples/matmul.cu.occupancy.yaml:5 (64 registers): for sm_80, and the device is sm_90",
        "  examples/matmul.cu:9 matmul: 56, declared, examples/matmul.cu.occupancy.yaml:7",
        "  examples/saxpy.cu:3 saxpy: not known: no log or sidecar names it",
        "make NVCCFLAGS+=-Xptxas=-v 2>&1 | tee build/ptxas.log",
        "inlay_hint.enable(true)",
    ):
        assert said in done.out, said


def test_doctor_tells_once_what_holds_of_many(tmp_path: Path) -> None:
    """Yet each kernel of which it has more to say."""
    kernel = "__global__ void k{0}(float* p) {{ p[0] = {0}; }}\n"
    for name, numbers in (("a.cu", range(6)), ("b.cu", range(6, 12))):
        (tmp_path / name).write_text("".join(map(kernel.format, numbers)))
    (tmp_path / "a.cu.occupancy.yaml").write_text("kernels: {k0: {registers: 40}}\n")
    lines = occupancy("doctor", ".", cwd=tmp_path).out.splitlines()
    first = lines.index("Registers of each kernel")
    assert lines[first + 1 : first + 4] == [
        "  a.cu:1 k0: 40, declared, a.cu.occupancy.yaml:1",
        "  11 kernels in 2 files, a.cu:2 k1 the first: not known: no log or sidecar names it",
        "",
    ]


def test_doctor_knows_triton_s_cache(tmp_path: Path) -> None:
    """Registers as `cuobjdump` 13.5 tells them of these cubins."""
    for name in named(".cubin", "triton"):
        (tmp_path / Path(name).name).write_bytes(samples()[name])
    said = occupancy("doctor", "examples", TRITON_CACHE_DIR=str(tmp_path)).out
    assert "mm, sm_90: 128 registers" in said and "add_kernel, sm_90: 30 registers" in said
    assert "Triton's cache" not in occupancy("doctor", "examples", TRITON_CACHE_DIR=str(tmp_path / "none")).out


def test_doctor_says_what_triton_s_files_say_together(tmp_path: Path) -> None:
    said = occupancy("doctor", "examples", TRITON_CACHE_DIR=str(unpack(tmp_path) / "cache")).out
    assert f"Triton's cache: {tmp_path / 'cache'}: 12 kernels" in said
    line = "  matmul_described, sm_100: 255 registers, 98524 bytes shared, 128 columns of tensor memory, "
    assert f"{line}256 threads (warp-specialised: 8 warps instead of 4), 3 stages, from kernels.py:87\n" in said
    assert (
        "  matmul, sm_90: 128 registers, 392 bytes stack, 49152 bytes shared, 128 threads, 3 stages, maxnreg 128, "
        in said
    )


def test_doctor_knows_warp_s_cache(tmp_path: Path) -> None:
    said = occupancy("doctor", "examples", WARP_CACHE_PATH=str(warp_scripts.unpack(tmp_path))).out
    assert f"Warp's cache: {tmp_path}: 48 kernels" in said
    assert "  scale, sm_90: 22 registers, 1024 bytes shared, 256 threads\n" in said


def test_doctor_says_why_counts_are_not_used(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k() {}\nvoid f() { k<<<1, 64>>>(); }\n")
    (tmp_path / "a.cu.occupancy.yaml").write_text(
        "kernels:\n  k:\n    sm_80: {registers: 32}\n  other: {registers: 8}\n"
    )
    said = occupancy("doctor", cwd=tmp_path).out
    assert "a.cu:1 k: not known: there are counts for sm_80, none for sm_90" in said
    assert "Counts that belong to no kernel here\n  a.cu.occupancy.yaml:4 other\n" in said
    assert "no .occupancy.yaml here or above: built-in settings" in said


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_devices_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 'GPU 0: NVIDIA GeForce RTX 4090 Laptop GPU (UUID: GPU-2f1b)'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    found = occupancy("devices", "--detect")
    assert found.status == 0 and "rtx-4090-laptop  NVIDIA GeForce RTX 4090 Laptop GPU  nvidia-smi" in found.out
    assert occupancy("devices", "--detect", "h100").status == 2
