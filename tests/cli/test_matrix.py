"""`check --devices` and `report`: every device for itself, and what is found on several told once."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.support import occupancy

# minBlocks 7 is too many for the 48 warps of an SM of sm_86 and sm_120; the second kernel is of sm_90 alone.
SOURCE = """\
__global__ void __launch_bounds__(256, 7) scale(float* x) { x[threadIdx.x] *= 2; }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 900
__global__ void __launch_bounds__(128) fast(float* x) { x[threadIdx.x] *= 2; }
void run_fast(float* x) { fast<<<64, 256>>>(x); }
#endif
void run(float* x) { scale<<<64, 256>>>(x); }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(SOURCE)
    return tmp_path


def test_what_is_found_on_several_devices_is_told_once(folder: Path) -> None:
    done = occupancy("check", "a.cu", "--devices", "sm_80,sm_86,sm_90,sm_120", "--format", "concise", cwd=folder)
    assert done.out.splitlines() == [
        "a.cu:1:40: warning: minBlocks 7 is ignored on sm_86, sm_120: 7 × 8 warps are 56, an SM holds 48 [OCC102]",
        "a.cu:4:38: error: 256 threads; the kernel's launch bounds allow 128: the launch fails, on sm_90 [OCC005]",
        "2 kernels in 1 file on sm_80, sm_86, sm_90, sm_120: 1 error, 1 warning",
    ]
    assert done.status == 1


def test_json_and_sarif_say_which_devices(folder: Path) -> None:
    devices = ("--devices", "sm_80,sm_86,sm_120")
    done = occupancy("check", "a.cu", *devices, "--format", "json", "--output", "sarif:a.sarif", cwd=folder)
    (file,) = json.loads(done.out)["files"]
    assert [it["device"] for it in file["kernels"][0]["on"]] == ["sm_80", "sm_86", "sm_120"]
    assert [(it["code"], it["devices"]) for it in file["findings"]] == [("OCC102", ["sm_86", "sm_120"])]
    (result,) = json.loads((folder / "a.sarif").read_text())["runs"][0]["results"]
    assert result["message"]["text"].startswith("minBlocks 7 is ignored on sm_86, sm_120: ")


def test_where_devices_differ_in_what_is_said_there_is_one_result(folder: Path) -> None:
    (folder / "a.cu").write_text(SOURCE.replace("7) scale", "9) scale"))
    arguments = ("--devices", "sm_80,sm_86", "--format", "sarif")
    (result,) = json.loads(occupancy("check", "a.cu", *arguments, cwd=folder).out)["runs"][0]["results"]
    assert result["message"]["text"] == (
        "minBlocks 9 is ignored on sm_80: 9 × 8 warps are 72, an SM holds 64; "
        "minBlocks 9 is ignored on sm_86: 9 × 8 warps are 72, an SM holds 48"
    )


def test_the_devices_that_the_settings_choose(folder: Path) -> None:
    (folder / ".occupancy.yaml").write_text("devices: [sm_80, gfx942, sm_86]\n")
    done = occupancy("check", "a.cu", "--devices", "all-chosen", cwd=folder)
    assert done.out.endswith("1 kernel in 1 file on sm_80, sm_86: 1 warning\n")  # a CUDA file is not for gfx942
    assert done.err == "gfx942: no figures: no file with kernels is in a language that it runs.\n"
    for name in ("b.cu", "c.hip"):
        (folder / name).write_text(SOURCE)
    assert occupancy("check", ".", "--devices", "all-chosen", cwd=folder).err == ""  # it runs HIP
    assert occupancy("check", "a.cu", cwd=folder).err == ""  # nobody asked for it
    told = occupancy("report", "a.cu", "--html", "out.html", cwd=folder).err
    assert told.startswith("gfx942: no figures: ") and told.count("\n") == 1


def test_a_file_that_names_its_device_is_for_that_one(folder: Path) -> None:
    (folder / "a.cu").write_text("// occupancy: device=sm_75\n" + SOURCE)
    assert " on sm_75: " in occupancy("check", "a.cu", "--devices", "sm_80,sm_86", cwd=folder).out.splitlines()[-1]


def test_a_table_where_it_is_asked_for(folder: Path) -> None:
    *_, head, scale, fast, _ = occupancy(
        "check", "a.cu", "--devices", "sm_80,sm_90", "--table", "--format", "concise", cwd=folder
    ).out.splitlines()
    assert re.split("  +", head) == ["kernel", "where", "sm_80", "sm_90"]
    assert re.split("  +", scale)[:2] == ["scale", "a.cu:1"]
    assert re.split("  +", fast)[:3] == ["fast", "a.cu:3", "–"]


@pytest.mark.parametrize("given", [("--devices", "sm_80,,sm_90"), ("--devices", "sm_80", "--device", "sm_90")])
def test_devices_are_named_in_one_way(given: tuple[str, ...]) -> None:
    assert occupancy("check", "examples", *given).status == 2


class Page(HTMLParser):
    """What a page would load, and how its elements close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.seen: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.loads += [str(value) for key, value in attrs if key in ("src", "href", "data", "srcset", "action")]


def test_a_report_stands_alone(folder: Path) -> None:
    (folder / "<b>&.cu").write_text(SOURCE.replace("scale", "other"))
    done = occupancy("report", ".", "--html", "out.html", "--devices", "sm_86,sm_90", cwd=folder)
    assert (done.status, done.err) == (0, "")
    assert done.out == "4 kernels in 2 files on sm_86, sm_90: 2 errors, 2 warnings\n"
    text = (folder / "out.html").read_text("utf-8")
    page = Page(text)
    assert page.loads == [] and "script" not in page.seen and "url(" not in text and "@import" not in text
    assert "<b>" not in text and "&lt;b&gt;&amp;.cu:1" in text
    assert page.seen.count("svg") > 8 and page.seen.count("details") == 4
    assert "prefers-color-scheme:dark" in text
    assert "minBlocks 7 is ignored on sm_86: " in text


def test_a_report_that_cannot_be_written(folder: Path) -> None:
    done = occupancy("report", ".", "--html", "nowhere/out.html", cwd=folder)
    assert done.status == 2 and "create it first." in done.err and "2 kernels in 1 file" in done.out


def test_a_report_by_wrong_settings(folder: Path) -> None:
    (folder / ".occupancy.yaml").write_text("threshold: much\n")
    done = occupancy("report", ".", "--html", "out.html", cwd=folder)
    assert done.status == 2 and ".occupancy.yaml:1:12" in done.err + done.out and (folder / "out.html").exists()
