"""`what-if`, and `FILE:KERNEL` where `calc`, `sweep` and `roofline` take it: against the calculator asked directly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from occupancy_lsp.calculator.calculate import answer
from occupancy_lsp.core.wording import percent_text
from tests.presets import CATALOGUE

from .support import occupancy

MATMUL = {"workgroup": 256, "registers": 56, "static_local": 8192, "barriers": 1}
NAMES = {"registers": "registers", "local_memory": "shared memory", "subgroups": "warps", "groups": "blocks"}
FIND = CATALOGUE.find


def figure(device: str, **values: int) -> tuple[str, str]:
    """What the calculator answers of matmul with other values."""
    said = answer({"device": device, **MATMUL, **values}, FIND)
    groups, limits = said["groups"], said["limiters"]
    assert isinstance(said["percent"], float) and isinstance(limits, list)
    words = " and ".join(NAMES[it] for it in NAMES if it in limits)
    return f"{percent_text(said['percent'])}, {groups} block{'s' * (groups != 1)} per SM", words


def rows(out: str) -> dict[str, list[str]]:
    """The table of devices, by their names."""
    table = out.split("\n\n")[1].splitlines()
    assert table[0].split("  ")[1] == "device"
    return {cells[0]: cells[1:] for line in table[1:] if (cells := re.split(r"\s{2,}", line.strip()))}


def test_before_and_after_on_several_devices() -> None:
    """Only what its sidecar counts for these two is known of its registers."""
    done = occupancy(
        "what-if", "examples/matmul.cu:matmul", "--regs", 40, "--block", 128, "--device", "h100", "--device", "rtx4090"
    )
    assert done.status == 0
    found = rows(done.out)
    for device, name, count in (("h100", "H100 SXM5", 56), ("rtx-4090", "GeForce RTX 4090", 64)):
        now, then = figure(device, registers=count), figure(device, registers=40, workgroup=128)
        assert found[name][:2] == list(now) and found[name][2] == "declared"
        assert found[name][3] == then[0] and set(found[name][4].split(" and ")) == set(then[1].split(" and "))
    assert "  Threads per block              128* (now 256)  what if\n" in done.out
    assert "  Static shared memory (bytes)   8192            declared in the source\n" in done.out
    assert done.out.endswith("\n* tried, in the place of what the kernel has\n")


def test_every_architecture() -> None:
    found = rows(occupancy("what-if", "examples/matmul.cu", "--regs", 40, "--block", 128, "--device", "all").out)
    archs = {it.id for it in CATALOGUE.all() if it.id == it.arch.id and it.vendor == "nvidia"}
    assert set(found) == archs
    for arch, row in found.items():
        # On 1.x the built-in variables take 16 bytes beside the tile's.
        beside = 16 if arch.startswith("sm_1") and len(arch) == 5 else 0
        assert row[3] == figure(arch, registers=40, workgroup=128, static_local=8192 + beside)[0]
        assert row[2] in ("declared", "bounded", "estimated")


def test_a_size_gives_a_figure_where_none_was(tmp_path: Path) -> None:
    text = "__kernel void k(__global float *p) { p[get_global_id(0)] = 1; }\n"
    (tmp_path / "k.cl").write_text(text)
    done = occupancy(
        "what-if", "k.cl", "--block", 256, "--regs", 40, "--device", "mi300x", "--device", "arc-b580", cwd=tmp_path
    )
    found = rows(done.out)
    assert found["Instinct MI300X"] == ["not known", "–", "–", "100%, 8 work-groups per CU", "waves"]
    assert "--regs has no meaning on Arc B580\n" in done.out
    assert "Static LDS (bytes)" in done.out and "shared memory" not in done.out


def test_text_that_depends_on_the_architecture_is_read_for_each(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "__global__ void __launch_bounds__(256) k(float *x) {\n"
        "#if __CUDA_ARCH__ >= 800\n  __shared__ float t[10240];\n#else\n  __shared__ float t[1024];\n#endif\n"
        "  x[threadIdx.x] = t[threadIdx.x];\n}\nvoid f(float *x) { k<<<1, 256>>>(x); }\n"
    )
    out = occupancy("what-if", "k.cu", "--regs", 40, "--device", "sm_90", "--device", "sm_75", cwd=tmp_path).out
    assert rows(out)["sm_90"][3:] == ["62.5%, 5 blocks per SM", "shared memory"]
    assert rows(out)["sm_75"][3:] == ["100%, 4 blocks per SM", "warps"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["examples/matmul.cu"], "what-if needs a value to try, such as --regs 40 or --block 128."),
        (["examples/matmul.cu", "--regs", 40, "--device", "mi300x"], "examples/matmul.cu does not run on mi300x."),
        (["examples/matmul.cu", "--regs", -4], "Registers per thread: a whole number, not -4."),
        (["examples/matmul.cu", "--block", 0], "a work-group has at least one thread, not 0."),
        (["examples/matmul.cu", "--carveout", 101], "a carveout is a percentage from 0 to 100, not 101."),
        (["examples/matmul.cu:none", "--regs", 40], "examples/matmul.cu: no kernel none in it."),
        (["examples", "--regs", 40], "examples is a folder: name a source, or FILE:KERNEL."),
        (["examples/matmul.cu", "--regs", 40, "--device", "80gb"], "'80gb' may be any of a100-80gb, "),
    ],
)
def test_what_cannot_be_tried(arguments: list[object], said: str) -> None:
    done = occupancy("what-if", *arguments)
    assert done.status == 2 and said in done.err


def test_a_figure_is_of_the_unit_that_the_mode_makes(tmp_path: Path) -> None:
    """In CU mode a CU, not a WGP, holds so many, as `calc` says."""
    (tmp_path / "k.cl").write_text("// occupancy: regs=96 block=256\n__kernel void k(__global float *p) { *p = 1; }\n")
    done = occupancy(
        "what-if", "k.cl", "--mode", "cu", "--simd", 32, "--device", "gfx1100", "--device", "m1", cwd=tmp_path
    )
    assert rows(done.out)["gfx1100"][3] == "100%, 4 work-groups per CU"
    said = occupancy("calc", "--device", "gfx1100", "--mode", "cu", "--wave", 32, "--block", 256, "--regs", 96).out
    assert said.startswith("gfx1100: 100% occupancy, 4 work-groups of 256 threads per CU")
    assert "--simd and --mode have no meaning on Apple M1\n" in done.out


def test_a_size_beyond_the_bounds(tmp_path: Path) -> None:
    """The kernel's own, as one that is tried: what is said of it holds with other bounds."""
    kernel = "// occupancy: regs=32 block=BLOCK\n__global__ void __launch_bounds__(128) k(float *x) { *x = 1; }\n"
    condition = "if its launch bounds are raised from 128"
    (tmp_path / "k.cu").write_text(kernel.replace("BLOCK", "256"))
    now, *_, then, _ = rows(occupancy("what-if", "k.cu", "--regs", 64, "--device", "h100", cwd=tmp_path).out)[
        "H100 SXM5"
    ]
    assert (now, then) == (f"100%, 8 blocks per SM, {condition}", f"50%, 4 blocks per SM, {condition}")
    assert f"What follows holds only {condition}.\n" in occupancy("calc", "k.cu", cwd=tmp_path).out
    (tmp_path / "k.cu").write_text(kernel.replace("BLOCK", "128"))
    assert condition not in occupancy("calc", "k.cu", cwd=tmp_path).out
    assert condition in occupancy("calc", "k.cu", "--block", 256, cwd=tmp_path).out


def test_a_kernel_without_a_size(tmp_path: Path) -> None:
    """A size is asked for where one is needed; what stands in for it where none is, is not shown as the kernel's."""
    (tmp_path / "k.cu").write_text("__global__ void k(float *x) { *x = 1; }\n")
    for command in (["what-if", "k.cu", "--regs", 40], ["calc", "k.cu"], ["sweep", "k.cu", "--over", "regs"]):
        done = occupancy(*command, cwd=tmp_path)
        assert done.status == 2
        assert "k: its block size is not known: no launch in sight; --block N gives one." in done.err
    for command in (["calc", "k.cu", "--best"], ["sweep", "k.cu", "--over", "block"]):
        out = occupancy(*command, cwd=tmp_path).out
        assert out.startswith("k on H100 SXM5\n  Registers per thread ")


def test_a_device_that_does_not_run_it_is_left_out() -> None:
    out = occupancy("what-if", "examples/matmul.cu", "--regs", 40, "--device", "h100", "--device", "mi300x").out
    assert list(rows(out)) == ["H100 SXM5"] and "examples/matmul.cu does not run on mi300x\n" in out


def test_calc_of_a_kernel_is_calc_of_its_values() -> None:
    given = ["--block", 256, "--regs", 56, "--shared", "8KiB", "--barriers", 1]
    kernel = occupancy("calc", "examples/matmul.cu", "--device", "h100").out
    assert kernel.startswith("matmul on H100 SXM5\n  Threads per block              256   of the launch in this file\n")
    assert kernel.endswith(occupancy("calc", "--device", "h100", *given).out)
    tried = occupancy("calc", "examples/matmul.cu:matmul", "--device", "h100", "--regs", 40).out
    given[3] = 40
    assert tried.endswith(occupancy("calc", "--device", "h100", *given).out)
    assert "  Registers per thread           40* (now 56)  what if\n" in tried


def test_what_is_not_known_of_a_kernel_is_said_first() -> None:
    out = occupancy("calc", "examples/saxpy.cu").out
    assert "  Registers per thread           at most 255  not known\n" in out
    assert "\nNot all of it is known: what follows is at best.\n\nH100 SXM5: " in out


def test_sweep_of_a_kernel_is_sweep_of_its_values() -> None:
    kernel = occupancy("sweep", "examples/matmul.cu", "--over", "regs", "--device", "RTX 4090").out
    values = ["--block", 256, "--regs", 64, "--shared", "8KiB", "--barriers", 1]
    assert kernel.endswith(occupancy("sweep", "--device", "rtx-4090", "--over", "regs", *values).out)


def test_the_settings_choose_the_device(tmp_path: Path) -> None:
    (tmp_path / ".occupancy.yaml").write_text("devices: [rtx4090, a100]\n")
    (tmp_path / "k.cu").write_text(
        "// occupancy: regs=40 block=128 flops=2G bytes=12M\n__global__ void k(float *x) { *x = 1; }\n"
    )
    for command in (["calc"], ["sweep", "--over", "regs"], ["chart"], ["roofline"]):
        assert "RTX 4090" in occupancy(*command, "k.cu", cwd=tmp_path).out, command
    assert list(rows(occupancy("what-if", "k.cu", "--regs", 64, cwd=tmp_path).out)) == ["GeForce RTX 4090", "A100"]
    assert "RTX 4090" in occupancy("calc", "--block", 128, cwd=tmp_path).out
    assert "RTX 4090" in occupancy("roofline", "--flops", "2G", "--bytes", "12M", cwd=tmp_path).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["calc", "k.cu"], "k: its block size is not known: no launch in sight; --block N gives one."),
        (["sweep", "k.cu", "--over", "regs"], "--block N gives one."),
        (["calc", "k.cu", "--device", "mi300x"], "k.cu does not run on mi300x."),
        (["calc", "k.cu", "--block", 64, "--grf", 128], "sm_90 knows nothing of --grf."),
        (["calc", "k.cu", "--variant", "driver"], "cannot be combined with a kernel."),
        (["calc", "--block", 64], "calc needs --device, a FILE:KERNEL, or devices in .occupancy.yaml."),
        (["roofline", "k.cu"], "k: its operations and bytes are not known: "),
    ],
)  # fmt: skip
def test_what_cannot_be_calculated(tmp_path: Path, arguments: list[object], said: str) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(float *x) { while (*x) *x = 1; }\n")
    done = occupancy(*arguments, cwd=tmp_path)
    assert done.status == 2 and said in done.err


def test_a_sweep_over_sizes_needs_none(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(float *x) { *x = 1; }\n")
    assert "occupancy by threads per block" in occupancy("sweep", "k.cu", "--over", "block", cwd=tmp_path).out


def test_a_roofline_of_a_kernel(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("// occupancy: flops=2 bytes=12\n__global__ void k(float *x) { *x = 1; }\n")
    out = occupancy("roofline", "k.cu", "--device", "rtx4090", cwd=tmp_path).out
    head, _, rest = out.partition("\n")
    assert head == "k.cu, as stated:"
    assert rest.lstrip() == occupancy("roofline", "--flops", 2, "--bytes", 12, "--device", "rtx-4090").out
