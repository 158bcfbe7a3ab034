"""`calc`: one point, and requests by the line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.cli.support import ROOT, occupancy
from tests.support import text_of

REQUEST = {"device": "sm_90", "workgroup": 256, "registers": 40, "static_local": 16384}


def replies(*lines: bytes) -> list[dict[str, object]]:
    done = occupancy("calc", "--jsonl", stdin=b"".join(line + b"\n" for line in lines))
    assert done.status == 0
    return [json.loads(line) for line in done.out.splitlines()]


def test_a_point_with_its_ladder() -> None:
    done = occupancy("calc", "--device", "h100", "--block", "16x16", "--regs", 40, "--shared", "16KiB")
    assert done.status == 0
    assert "75% occupancy, 6 blocks of 256 threads per SM (48 of 64 warps), limited by registers." in done.out
    assert "> registers" in done.out


def test_options_have_the_words_of_every_vendor() -> None:
    cuda = occupancy("calc", "--device", "mi300x", "--block", 256, "--regs", 70, "--shared", "20KiB")
    neutral = occupancy("calc", "--device", "mi300x", "--workgroup", 256, "--registers", 70, "--local", "20KiB")
    assert "3 work-groups of 256 threads per CU (12 of 32 waves), limited by LDS" in neutral.out
    assert neutral == cuda


def test_a_point_that_cannot_launch_is_an_answer() -> None:
    done = occupancy("calc", "--device", "sm_90", "--block", 512, "--regs", 156)
    assert done.status == 1
    assert "cannot launch" in done.out
    assert "lanes" not in occupancy("calc", "--device", "h100", "--block", 2000).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--device", "h10", "--block", 256], "unknown device 'h10'; nearest: h100"),
        (["--device", "h100"], "needs --device and --block"),
        (["--device", "h100", "--block", "many"], "expected threads"),
        (["--device", "h100", "--block", 256, "--shared", "16KB"], "expected bytes, such as 16384 or 16KiB"),
        (["--device", "h100", "--block", 256, "--carveout", 101], "at most 100"),
        (["--device", "h100", "--block", 0], "at least 1"),
        (["--device", "h100", "--block", 256, "--mode", "wgp", "--grf", 128], "sm_90 knows nothing of --grf, --mode."),
        (["--device", "h100", "--block", 256, "--register-bytes", 128], "sm_90 knows nothing of --register-bytes."),
        (["--device", "mi300x", "--block", 256, "--variant", "driver"], "gfx942 knows nothing of --variant."),
        (["--device", "arc-b580", "--block", 256, "--agprs", 8], "knows nothing of --agprs."),
    ],
)
def test_bad_arguments(arguments: list[object], said: str) -> None:
    done = occupancy("calc", *arguments)
    assert done.status == 2
    assert said in done.err


def test_a_request_is_answered_in_the_agreed_form() -> None:
    request = {**REQUEST, "dynamic_local": 0, "opt_in": True, "carveout": None, "barriers": 0}
    done = occupancy("calc", "--jsonl", stdin=json.dumps(request).encode())
    assert done.out == (
        '{"groups":6,"subgroups":48,"percent":75.0,'
        '"limits":{"subgroups":8,"groups":32,"registers":6,"local_memory":13,"barriers":null},'
        '"limiters":["registers"]}\n'
    )


def test_every_line_has_its_answer_whatever_stands_on_it() -> None:
    good = json.dumps(REQUEST).encode()
    bad = [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"\0",
        b'{"workgroup":' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        good.replace(b"40", b"NaN"),
        good.replace(b"40", b"-Infinity"),
        good.replace(b"40", b"1e999"),
        good.replace(b"sm_90", b"\\ud800"),
        good.replace(b"sm_90", b"nvidia"),
    ]
    found = replies(good, *bad, good)
    assert [set(reply) == {"error"} for reply in found] == [False, *[True] * len(bad), False]
    assert found[0] == found[-1]


def test_a_device_is_named_as_everywhere() -> None:
    by_name, by_alias, by_arch = replies(
        *(json.dumps({**REQUEST, "device": name}).encode() for name in ("h100", "H100-SXM5", "sm_90a"))
    )
    assert by_name == by_alias == by_arch


def test_a_line_is_answered_before_the_next_is_asked() -> None:
    command = [sys.executable, "-m", "occupancy_lsp", "calc", "--jsonl"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for _ in range(2):
            process.stdin.write(json.dumps(REQUEST).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["groups"] == 6


def test_many_lines_are_answered() -> None:
    lines = [json.dumps({**REQUEST, "workgroup": 1 + n % 1024}).encode() for n in range(20_000)]
    assert len(replies(*lines)) == 20_000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--device", "generic-rtx-2080-ti", "--over", "regs", "--register-bytes", 256], ">              "),
        (["--device", "arc-b580", "--over", "block", "--simd", 16], "       16 "),
        (
            ["--device", "rx-7900-xtx", "--over", "block", "--wave", 64, "--mode", "cu"],
            "       64      32       32     100%  waves",
        ),
        (["--device", "mi300x", "--over", "block", "--sgprs", 100], "SGPRs"),
        (["--device", "h100", "--over", "block", "--dynamic-per-thread", 200], "shared memory"),
    ],
)
def test_a_sweep_takes_what_calc_takes(arguments: list[object], said: str) -> None:
    done = occupancy("sweep", *arguments)
    assert done.status == 0 and said in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--over", "block"], "sweep needs --device, a FILE:KERNEL, or devices in .occupancy.yaml."),
        (["--device", "arc-b580", "--over", "block", "--simd", 17], "17"),
        (["--device", "h100", "--over", "block", "--regs", -1], "'registers' must be at least 0, not -1."),
    ],
)
def test_a_sweep_that_cannot_be(arguments: list[object], said: str) -> None:
    done = occupancy("sweep", *arguments)
    assert done.status == 2 and said in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--device", "mi300x", "--regs", 100],
            "50% occupancy at best, with 64, 128, 256, 512, 1024 threads per work-group.\n",
        ),
        (["--device", "arc-b580", "--simd", 16, "--shared", "64KiB"], "with 512, 1024 threads per work-group"),
        (["--device", "h100", "--regs", 300], "no block size can be launched"),
    ],
)
def test_the_best_sizes(arguments: list[object], said: str) -> None:
    done = occupancy("calc", "--best", *arguments)
    assert done.status == 0 and said in done.out


@pytest.mark.parametrize(
    ("device", "block", "hint"),
    [("iris-xe", 512, "57.14–100% · SIMD?"), ("arc-b580", 1024, "100% · 1–2 WG/Xe-core")],
)
def test_on_intel_without_a_width_the_range_is_that_of_the_hint(device: str, block: int, hint: str) -> None:
    done = occupancy("calc", "--device", device, "--block", block).out
    source = f"// occupancy: block={block}\n__kernel void k(__global float* p) {{ p[get_global_id(0)] = 1; }}\n"
    project = Project(None, None, {"devices": [device]})
    view = OpenFile(Path("/nowhere/k.cl"), "", Text(source.encode()), project).view()
    assert view is not None and text_of(view.reports[0]) == hint
    assert f": {hint.split(' · ')[0]} occupancy; the compiler chooses the SIMD width.\n" in done
    assert "\n\nAt SIMD32, which the compiler gives most kernels (--simd states another):\n" in done


def test_on_intel_a_stated_width_is_the_only_one() -> None:
    stated = occupancy("calc", "--device", "iris-xe", "--block", 512, "--simd", 32).out
    assert "SIMD" not in stated and stated in occupancy("calc", "--device", "iris-xe", "--block", 512).out
    (without, with_) = replies(
        b'{"device":"iris-xe","workgroup":512}', b'{"device":"iris-xe","workgroup":512,"simd":32}'
    )
    assert without.pop("assumed_simd") == 32
    assert without.pop("percent_by_simd") == {"8": 100 * 64 / 112, "16": 100 * 96 / 112, "32": 100.0}
    assert without == with_
