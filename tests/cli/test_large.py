"""Files as large as are read: what a check of one takes of memory, and why one is passed over."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.cli.support import occupancy

KERNEL = "__global__ void k(int* p) { __shared__ int s[64]; p[0] = s[1]; }\nvoid h(int* p) { k<<<1, 128>>>(p); }\n"
TEXTS = {
    "a line": KERNEL + "int a[] = {" + "1," * 800_000 + "};\n",
    "a table": KERNEL + "int a[] = {\n" + ("17, 201, 3, " * 5 + "\n") * 32_000 + "};\n",
    "lines": KERNEL + "extern int of_some_length;\n" * 70_000,
}
PEAK = """\
import atexit, re, sys
from pathlib import Path
# What `resource` tells is also of the process that started this one.
peak = lambda: re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]
atexit.register(lambda: print(peak(), file=sys.stderr))
from occupancy_lsp.cli.main import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells it there")
@pytest.mark.usefixtures("caches")
@pytest.mark.parametrize("name", TEXTS)
def test_two_megabytes_take_250(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.cu").write_text(TEXTS[name])
    command = [sys.executable, "-c", PEAK, "check", str(tmp_path), "--device", "h100"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "kernel" in done.stdout, done.stderr
    assert int(done.stderr.split()[-1]) >> 10 <= 250


def test_each_of_thousands_of_kernels_takes_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """For 2 MB of them to take 250 MB with what the program takes: 9,000."""
    monkeypatch.setattr("occupancy_lsp.core.once._MOST", 500)
    few, many = _kept_of(50), _kept_of(250)
    assert (many - few) / 200 < 17 << 10


def _kept_of(kernels: int) -> int:
    """The bytes that a check holds at its end."""
    each = KERNEL.replace("p[0] = s[1];", "for (int j = 0; j < 10; ++j) { s[threadIdx.x] = p[j]; } __syncthreads();")
    text = "".join(each.replace(" k", f" k{it}").replace(" h", f" h{it}") for it in range(kernels))
    file = OpenFile(None, "cuda", Text(text.encode()), Project(None, None, {"devices": ["h100"]}), edited=False)
    tracemalloc.start()
    try:
        view = file.view()
        assert view is not None and len(view.reports) == kernels and not diagnostics(view)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
        file.close()


@pytest.mark.parametrize("command", ["check", "kernels", "doctor"])
@pytest.mark.parametrize(("name", "line"), [("a.cu", "int x;\n"), ("a.py", "x = 1\n")])
def test_more_lines_than_a_person_writes(tmp_path: Path, command: str, name: str, line: str) -> None:
    kernel = KERNEL if name == "a.cu" else "import triton\n@triton.jit\ndef k(x):\n    pass\n"
    (tmp_path / name).write_text(kernel + line * 100_001)
    done = occupancy(command, tmp_path / name)
    assert "more than 100,000 lines" in done.out + done.err
