"""`check`: findings as text and JSON, hints in the source, the exit status."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.support import ROOT, occupancy

KERNEL = "__global__ void __launch_bounds__(256, {}) scale(float *x) {{ x[threadIdx.x] *= 2; }}\n"
FINE, IGNORED = KERNEL.format(4), KERNEL.format(9)
BAD_LAUNCH = FINE + "void run(float *x) { scale<<<64, 512>>>(x); }\n"
# minBlocks of 1 is worth a hint, no more.
HINTED = "// occupancy: regs=80\n" + KERNEL.format(1)


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_the_examples_show_what_they_promise() -> None:
    done = occupancy("check", "examples", "--hints")
    drawn = re.findall(r"^ +\d+ \| .*?(\w+)\(int n.*\{   (.+)$", done.out, re.MULTILINE)
    assert dict(drawn) == {
        "saxpy": "256 thr · 100% if ≤32 regs",
        "reduce": "≥75% · regs ≤40",
        "matmul": "50% · 4 blk/SM · regs",
        "transpose": "75% · 2 blk/SM · warps",
        "look_up": "1 blk (intended)",
    }
    assert re.findall(r"^examples/(\w+)\.cu:\d+:\d+: .*\[(\w+)\]$", done.out, re.MULTILINE) == [
        ("faults", "OCC102"),
        ("faults", "OCC101"),
        ("faults", "OCC005"),
        ("faults", "OCC107"),
    ]
    assert done.out.endswith("9 kernels in 6 files on H100 SXM5: 2 errors, 2 warnings\n")


def test_hints_stand_at_the_names(tmp_path: Path) -> None:
    """Not where the parameters close; a name that is not seen there is said."""
    head = "__global__ void __launch_bounds__(256)\nfar_from_its_end(\n    float *x,\n    int n\n) { x[n] = 1; }\n"
    wide = f"__global__ void __launch_bounds__(256) {'/* wide */' * 10} beyond(float *x) {{ *x = 1; }}\n"
    write(tmp_path / "a.cu", head + wide)
    done = occupancy("check", "--hints", cwd=tmp_path)
    first, second = re.findall(r"^ +(\d+) \| (.*?)   +(.+)$", done.out, re.MULTILINE)
    assert first == ("2", "far_from_its_end(", "100% at 256 if ≤32 regs")
    assert second[0] == "6" and second[2] == "beyond: 100% at 256 if ≤32 regs"
    assert done.out.startswith("a.cu on H100 SXM5\n")


CL = "__kernel void a(__global int *p) { p[0] = 1; }\n"
STATED = "__attribute__((reqd_work_group_size(64, 1, 1)))"
WITHOUT = "with `assume: {block: 256}` in .occupancy.yaml, figures are shown for that size"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (CL, f"a kernel without a figure: the source does not say the block size; {WITHOUT}"),
        (CL * 2, f"2 kernels without a figure: the source does not say the block sizes; {WITHOUT}"),
        (CL.replace("void", f"{STATED} void"), "1 kernel in 1 file on H100 SXM5: no findings"),
    ],
)
def test_the_last_line_says_what_kernels_without_a_figure_need(tmp_path: Path, text: str, last: str) -> None:
    write(tmp_path / "a.cl", text)
    assert occupancy("check", ".", cwd=tmp_path).out.splitlines()[-1] == last
    assert occupancy("check", ".", "--quiet", cwd=tmp_path).out == ""
    write(tmp_path / ".occupancy.yaml", "assume: {block: 256}\n")
    assert "without a figure" not in occupancy("check", ".", cwd=tmp_path).out


def test_names_that_no_file_defines_are_told_behind_the_last_line(tmp_path: Path) -> None:
    for name, size in (("a", "THREADS"), ("b", "THREADS"), ("c", "n")):
        launch = f"void f(int *p, int n) {{ {name}<<<1, {size}>>>(p); }}"
        write(tmp_path / f"{name}.cu", f"__global__ void {name}(int *p) {{ p[0] = 1; }}\n{launch}\n")
    said = occupancy("check", ".", cwd=tmp_path).out.splitlines()
    assert said[-1] == "  2 of them hang on THREADS, which no file defines: say it under `macros:` there"
    write(tmp_path / ".occupancy.yaml", "macros: {THREADS: 256}\n")
    assert "THREADS" not in occupancy("check", ".", cwd=tmp_path).out


def test_statistics_count_what_each_rule_found(tmp_path: Path) -> None:
    write(tmp_path / "a.cu", BAD_LAUNCH)
    write(tmp_path / "b.cu", BAD_LAUNCH + IGNORED.replace("scale", "other"))
    done = occupancy("check", "--statistics", cwd=tmp_path)
    assert done.status == 1 and done.out.splitlines() == [
        "2  OCC005  a launch larger than the kernel's launch bounds",
        "1  OCC102  minBlocks is ignored on this device",
        "3 kernels in 2 files on H100 SXM5: 2 errors, 1 warning",
    ]
    quiet = occupancy("check", "-q", cwd=tmp_path)
    assert quiet.status == 1 and "[OCC005]" in quiet.out and "3 kernels" not in quiet.out


def test_what_looks_like_a_kernel_is_counted(tmp_path: Path) -> None:
    made = "#define MAKE(name) __global__ void name(int *p) { p[0] = 0; }\ntemplate <int N> MAKE(a)\n"
    write(tmp_path / "a.cu", FINE + made)
    done = occupancy("check", "a.cu", cwd=tmp_path)
    assert done.out.splitlines()[-2:] == [
        "1 kernel in 1 file on H100 SXM5: no findings",
        "1 place looks like a kernel and could not be read: `occupancy-lsp doctor` has it",
    ]
    assert json.loads(occupancy("check", "a.cu", "--format", "json", cwd=tmp_path).out)["files"][0][
        "unread_kernels"
    ] == [3]
    told = occupancy("doctor", "a.cu", cwd=tmp_path).out
    assert "Look like kernels, or like macros that make some, and could not be read\n  a.cu:3\n" in told


def test_what_an_undecided_if_hides_is_counted(tmp_path: Path) -> None:
    launch = "void f(double *p) { scale<<<1, 64>>>(p); }\n"
    hidden = f"#if defined(OTHER) && OTHER > 2\n__global__ void scale(double *p) {{ *p = 1; }}\n{launch}#endif\n"
    never = (
        "#if 0\n__global__ void never() {}\n#endif\n#ifdef __HIP_PLATFORM_AMD__\n__global__ void other() {}\n#endif\n"
    )
    write(tmp_path / "a.cu", FINE + hidden + never)
    done = occupancy("check", "a.cu", cwd=tmp_path)
    assert done.out.splitlines()[-2:] == [
        "1 kernel in 1 file on H100 SXM5: no findings",
        "1 kernel and 1 launch stand under an #if that nothing in sight makes true: `occupancy-lsp doctor` lists them",
    ]
    (file,) = json.loads(occupancy("check", "a.cu", "--format", "json", cwd=tmp_path).out)["files"]
    assert (file["hidden_kernels"], file["hidden_launches"]) == ([3], [4])
    told = occupancy("doctor", "a.cu", cwd=tmp_path).out
    assert "say in `macros:` what your build defines\n  a.cu:3: kernel\n  a.cu:4: launch\n" in told
    write(tmp_path / ".occupancy.yaml", "macros:\n  OTHER: 3\n")
    assert occupancy("check", "a.cu", cwd=tmp_path).out.endswith("2 kernels in 1 file on H100 SXM5: no findings\n")


def test_a_header_is_checked_whose_kernels_only_a_macro_of_another_file_makes(tmp_path: Path) -> None:
    """As in rocSPARSE: no file but the one of macros has a word of CUDA's or HIP's."""
    macro = "#define LIBRARY_KERNEL(threads) \\\n    __launch_bounds__(threads) static __global__\n"
    write(tmp_path / "include" / "types.h", "#pragma once\n#include <hip/hip_runtime.h>\n" + macro)
    body = "{ p[threadIdx.x] = 1; }"
    write(tmp_path / "scale.h", f'#include "include/types.h"\nLIBRARY_KERNEL(512)\nvoid scale(float* p) {body}\n')
    write(tmp_path / "other.h", f'#include "include/types.h"\nvoid scale(float* p) {body}\n')
    done = occupancy("check", ".", "--device", "mi300x", "--hints", cwd=tmp_path)
    assert re.findall(r"^(\S+) on Instinct MI300X$|^ +(\d+) \|.*\}   (.+)$", done.out, re.MULTILINE) == [
        ("scale.h", "", ""), ("", "3", "≥25% at 512 · regs ≤256"),
    ]  # fmt: skip


def test_a_finding_reads_as_compilers_write_it(tmp_path: Path) -> None:
    write(tmp_path / "a.cu", BAD_LAUNCH.replace("{ scale", "{\tscale"))
    done = occupancy("check", "a.cu", cwd=tmp_path)
    finding, source, mark, note, total = done.out.splitlines()
    assert re.fullmatch(r"a\.cu:2:34: error: .* \[OCC005\]", finding)
    assert source[mark.index("^") :].startswith("512>>>")
    assert mark.strip(" |") == "^~~"
    assert note.startswith("a.cu:1:17: note: ")
    assert total == "1 kernel in 1 file on H100 SXM5: 1 error"
    assert "\x1b" not in done.out


def on_a_terminal(folder: Path, **env: str) -> bytes:
    """What the check writes if its output is a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "occupancy_lsp", "check", "--hints", "a.cu"]
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | env
    subprocess.run(command, cwd=folder, stdout=theirs, env=environment, timeout=60, check=False)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:  # so Linux says that all is read
        pass
    os.close(ours)
    return shown


def test_colours_are_for_terminals_that_want_them(tmp_path: Path) -> None:
    write(tmp_path / "a.cu", BAD_LAUNCH)
    coloured, plain = on_a_terminal(tmp_path), on_a_terminal(tmp_path, NO_COLOR="1")
    assert b"\x1b[1;31merror:\x1b[0m" in coloured
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", coloured) == plain


@pytest.mark.parametrize(
    ("content", "fail_on", "status"),
    [
        (FINE, None, 0),
        (FINE, "hint", 0),
        (HINTED, None, 0),
        (HINTED, "information", 0),
        (HINTED, "hint", 1),
        (IGNORED, None, 1),
        (IGNORED, "error", 0),
        (BAD_LAUNCH, "error", 1),
        (BAD_LAUNCH, "never", 0),
    ],
)
def test_exit_status(tmp_path: Path, content: str, fail_on: str | None, status: int) -> None:
    write(tmp_path / "a.cu", content)
    chosen = ["--fail-on", fail_on] if fail_on else []
    assert occupancy("check", tmp_path, *chosen).status == status


def test_the_devices_of_the_command_line_win(tmp_path: Path) -> None:
    write(tmp_path / ".occupancy.yaml", "devices: [a100]\n")
    write(tmp_path / "a.cu", IGNORED)
    assert "on A100: 1 warning" in occupancy("check", tmp_path).out
    write(tmp_path / "a.cu", FINE)
    both = occupancy("check", tmp_path, "--device", "l4", "--device", "h100", "--hints").out
    assert both.endswith("on L4: no findings\n")
    assert "   L4 ≥66.67% · H100 ≥50%\n" in both


def test_hints_show_every_device_that_was_chosen() -> None:
    devices = [it for name in ("h100", "A100", "rtx4090") for it in ("--device", name)]
    done = occupancy("check", "examples/matmul.cu", "--hints", *devices)
    assert "   H100 50% · A100 50% · RTX 4090 66.67%\n" in done.out


def test_a_name_of_several_devices_is_asked_back() -> None:
    done = occupancy("check", "examples/matmul.cu", "--device", "80gb")
    assert done.status == 2 and "'80gb' may be any of a100-80gb, " in done.err


def test_an_unknown_device_is_refused() -> None:
    done = occupancy("check", "examples", "--device", "h10")
    assert done.status == 2
    assert "unknown device 'h10'; nearest: h100" in done.err and "occupancy-lsp devices" in done.err


def test_settings_and_sidecars_are_found_upwards(tmp_path: Path) -> None:
    """The nearest folder with settings counts, for a folder's files and for one that is named itself."""
    write(tmp_path / ".occupancy.yaml", "devices: [sm_80]\nsidecars: ['counts/*.yaml']\n")
    write(tmp_path / "counts" / "all.yaml", "kernels:\n  scale: {registers: 64}\n")
    source = write(tmp_path / "src" / "deep" / "a.cu", BAD_LAUNCH.replace("512", "256"))
    write(tmp_path / "src" / "own" / ".occupancy.yaml", "devices: [sm_75]\n")
    write(tmp_path / "src" / "own" / "b.cu", FINE)
    for argument in (source, tmp_path / "src"):
        assert "50% · 4 blk/SM · regs" in occupancy("check", "--hints", argument).out
    assert occupancy("check", tmp_path).out.endswith("2 kernels in 2 files on sm_80, sm_75: no findings\n")


@pytest.mark.parametrize("mark", [".git/HEAD", ".hg/store", "compile_commands.json"])
def test_a_file_is_looked_at_from_its_project(tmp_path: Path, mark: str) -> None:
    """Its launch stands in another folder of the project; what is around the project does not count."""
    project = tmp_path / "project"
    write(project / "kernels" / "scale.cu", "__global__ void scale(float *x) { x[threadIdx.x] *= 2; }\n")
    launch = "__global__ void scale(float *x);\nvoid run(float *x) {{ scale<<<64, {}>>>(x); }}\n"
    write(project / "host" / "run.cu", launch.format(2048))
    write(tmp_path / "around.cu", launch.format(256))
    found = {}
    for name in ("no project", mark):
        write(project / name, "[]")
        found[name] = "no launch" in occupancy("check", project / "kernels" / "scale.cu", "--hints").out
    assert found == {"no project": False, mark: True}


def test_headers_and_host_files_of_a_folder(tmp_path: Path) -> None:
    """Those with kernels are checked, the others are no news."""
    write(tmp_path / "k.hpp", IGNORED)
    write(tmp_path / "main.cpp", '#include "k.hpp"\nint main() { return 0; }\n')
    done = occupancy("check", tmp_path)
    assert "k.hpp:1:" in done.out and "main.cpp" not in done.out
    assert done.out.endswith("1 kernel in 1 file on H100 SXM5: 1 warning\n")
    assert "main.cpp: not checked" in occupancy("check", tmp_path / "main.cpp").out


def test_counts_of_a_build_log(tmp_path: Path) -> None:
    source = write(tmp_path / "a.cu", "__global__ void k(float *x) { *x = 1; }\nvoid f() { k<<<1, 256>>>(0); }\n")
    log = write(
        tmp_path / "build" / "ptxas.log",
        "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z1kPf\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 64 registers, used 0 barriers\n",
    )
    os.utime(source, (1, 1))
    assert "50% · 4 blk/SM · regs" in occupancy("check", "--hints", tmp_path).out
    os.utime(log, (0, 0))
    assert "50%? · stale" in occupancy("check", "--hints", tmp_path).out


def test_faults_of_sidecars_that_concern_other_sources_are_for_doctor(tmp_path: Path) -> None:
    """Told: what the settings name, a source's own sidecar, and what stands beside a checked source or above it."""
    write(tmp_path / "all.occupancy.yaml", "kernels: {scale: {rgs: 1}}\n")
    source = write(tmp_path / "src" / "a.cu", FINE)
    write(tmp_path / "src" / "a.cu.occupancy.yaml", "a: 1\n")
    write(tmp_path / "src" / "b.cu", FINE)
    write(tmp_path / "src" / "b.cu.occupancy.yaml", "b: 1\n")
    write(tmp_path / "src" / "below" / "c.occupancy.yaml", "c: 1\n")
    write(tmp_path / "named" / "d.occupancy.yaml", "d: 1\n")
    (tmp_path / "aside" / "e.cubin").mkdir(parents=True)
    (tmp_path / "aside" / ".occupancy.yaml").mkdir()

    def told(argument: Path, cwd: Path = tmp_path) -> set[str]:
        said = json.loads(occupancy("check", "--format", "json", argument, cwd=cwd).out)
        return {Path(it["path"]).name.partition(".")[0] for it in said["problems"]}

    assert told(source, tmp_path / "src") == {"a"}  # nothing above the folder of the file that is named
    assert told(source) == {"all", "a"}  # or above the current folder, if the file lies below that
    assert told(tmp_path) == {"all", "a", "b"}
    write(tmp_path / ".occupancy.yaml", "sidecars: ['named/*']\n")
    assert told(source) == {"all", "a", "d"}
    assert told(tmp_path / "src") == {"all", "a", "b", "d"}
    listed = occupancy("doctor", tmp_path).out.partition("Problems")[2]
    for name in ("all", "a.cu", "b.cu", "c", "d"):
        assert f"{name}.occupancy.yaml:1:" in listed
    assert "e.cubin: not read: a folder" in listed


def test_json(tmp_path: Path) -> None:
    write(tmp_path / "a.cu", "/* \U0001f600 */ " + BAD_LAUNCH)
    write(tmp_path / "a.cu.occupancy.yaml", "kernels:\n  scale: {registers: 64}\n  x: [\n")
    done = occupancy("check", "--format", "json", "--device", "h100", "--device", "a100", ".", cwd=tmp_path)
    said = json.loads(done.out)
    assert done.status == 1
    assert said["version"] == 1
    (problem,) = said["problems"]
    assert (problem["path"], problem["line"]) == ("a.cu.occupancy.yaml", 4)
    (file,) = said["files"]
    assert (file["path"], file["skipped"]) == ("a.cu", None)
    assert file["device"] == {"id": "h100", "name": "H100 SXM5", "arch": "sm_90", "chosen_by": "command line"}
    (kernel,) = file["kernels"]
    assert (kernel["name"], kernel["line"], kernel["column"]) == ("scale", 1, 51)
    assert [it["device"] for it in kernel["on"]] == ["h100", "a100"]
    assert set(kernel["on"][0]) == {"device", "hint", "figure", "source", "error", "inputs"}
    inputs = kernel["on"][0]["inputs"]
    assert inputs["workgroup"]["sizes"] == [512]
    assert inputs["registers"]["lowest"] is None and inputs["registers"]["highest"] == 64
    assert inputs["static_local"] == {"lowest": 0, "highest": 0}
    (finding,) = file["findings"]
    assert {key: finding[key] for key in ("line", "column", "end_column", "code", "severity")} == {
        "line": 2,
        "column": 34,
        "end_column": 37,
        "code": "OCC005",
        "severity": "error",
    }
    assert finding["related"][0]["line"] == 1


def test_the_figure_in_json() -> None:
    done = occupancy("check", "examples/matmul.cu", "--format", "json")
    (on,) = json.loads(done.out)["files"][0]["kernels"][0]["on"]
    half = {"groups": 4, "subgroups": 32, "percent": 50.0}
    assert on["figure"] == {"lowest": half, "highest": half}
    assert on["source"] == "declared"
    assert on["inputs"]["registers"]["origin"].startswith("examples/matmul.cu.occupancy.yaml:")


def shape(value: object) -> object:
    """The keys of an object, all the way down; of a list the shape of its first."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else None


def test_json_is_as_documented(tmp_path: Path) -> None:
    documented = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "command-line.md").read_text("utf-8"), re.DOTALL)
    write(tmp_path / "a.cu", BAD_LAUNCH)
    write(tmp_path / ".occupancy.yaml", "device: h100\n")
    said = json.loads(occupancy("check", "--format", "json", tmp_path / "a.cu", "--device", "h100").out)
    assert shape(said) == shape(json.loads(documented[0]))
    write(tmp_path / "b.cu", "__global__ void __launch_bounds__(64) k() {}\nvoid f(int n) { k<<<1, n>>>(); }\n")
    line = occupancy("kernels", "--format", "jsonl", tmp_path / "b.cu").out
    assert shape(json.loads(line)) == shape(json.loads(documented[1]))


@pytest.mark.parametrize("arguments", [["--hints"], ["--format", "json"]])
def test_several_processes_say_what_one_says(tmp_path: Path, arguments: list[str]) -> None:
    write(tmp_path / "size.h", "#define SIZE 512\n")
    for number in range(50):
        text = BAD_LAUNCH.replace("512", "SIZE") if number % 3 else IGNORED
        write(tmp_path / f"{number % 5}" / f"{number}.cu", f'#include "../size.h"\n{text}')
    write(tmp_path / "3" / "3.cu.occupancy.yaml", "kernels: [")
    write(tmp_path / "4" / "large.cu", FINE + " " * (2 << 20))
    (tmp_path / "2" / "link.cu").symlink_to("/nowhere.cu")
    one, several = (occupancy("check", ".", "--jobs", jobs, *arguments, cwd=tmp_path) for jobs in (1, 4))
    assert several == one
    assert one.out.count("OCC005") == 33 and one.out.count("OCC102") == 17 and "3.cu.occupancy.yaml" in one.out


def test_several_processes_fail_as_one(tmp_path: Path) -> None:
    for number in range(50):
        write(tmp_path / f"{number}.cu", FINE)
    done = occupancy("check", ".", "--jobs", 2, "--device", "none", cwd=tmp_path)
    assert done.status == 2 and done.err.splitlines() == [
        "occupancy-lsp: error: unknown device 'none'. `occupancy-lsp devices` lists all."
    ]
    wrong = occupancy("check", ".", "--jobs", 0, cwd=tmp_path)
    assert wrong.status == 2 and wrong.err.endswith("argument --jobs: a number of processes from 1 on, not '0'\n")


def test_every_run_says_the_same(tmp_path: Path) -> None:
    """Of several functions that are out of sight, too: the order of sets is another in each process."""
    macro = "#define NONE first(second(1), third(2), fourth(3))\n"
    path = write(tmp_path / "a.cu", macro + "__global__ void k() { NONE; }\nvoid f() { k<<<1, 128>>>(); }\n")
    said = {occupancy("check", "--format", "json", path, PYTHONHASHSEED=seed).out for seed in ("1", "2", "3")}
    assert len(said) == 1
