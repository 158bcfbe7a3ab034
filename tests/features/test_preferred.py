"""Of a kernel with a carve-out the figure spans from that share to the largest: CUDA calls it a hint to the driver.

The lower end is what cuda_occupancy.h says with that preference (tests/model/test_truth.py).
"""

from __future__ import annotations

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import text_of, view_of

KERNEL = (
    "// occupancy: regs=32\n__global__ void k(float* p) {\n"
    "  __shared__ float s[4096]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[threadIdx.x ^ 1];\n}\n"
)


def source(call: str) -> str:
    return f"{KERNEL}void go(float* p, int n) {{\n  {call}\n  k<<<1, 256>>>(p);\n}}\n"


def carve_out(percent: str) -> str:
    return f"cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, {percent});"


@pytest.mark.parametrize(
    ("call", "device", "hint"),
    [
        (carve_out("25"), "h100", "37.5–100% · carve-out?"),  # 57 KiB become 64: three blocks of 17 KiB
        (carve_out("50"), "h100", "87.5–100% · carve-out?"),  # 132 KiB: seven
        (carve_out("100"), "h100", "100% · 8 blk/SM"),
        (carve_out("-1"), "h100", "100% · 8 blk/SM"),
        (carve_out("62"), "h100", "100% · 8 blk/SM"),  # 142 KiB become 164: nine
        (carve_out("n"), "h100", "12.5–100% · carve-out?"),
        ("cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);", "h100", "12.5–100% · carve-out?"),
        ("cudaFuncSetCacheConfig(k, cudaFuncCachePreferShared);", "h100", "100% · 8 blk/SM"),
        ("cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);", "h100", "12.5–100% · carve-out?"),
        ("cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);", "rtx-2080-ti", "50–100% · carve-out?"),
        ("cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);", "gtx-1080", "75% · 6 blk/SM · smem"),  # fixed
    ],
)
def test_the_figure_spans(call: str, device: str, hint: str) -> None:
    assert text_of(view_of(source(call), device).reports[0]) == hint


def test_the_hover_says_who_prefers_what() -> None:
    said = plain(explain(view_of(source(carve_out("25")), "h100"), 0))
    assert (
        "cudaFuncSetAttribute (line 6) prefers 25% of the SM's memory as shared memory. "
        "This is a hint to the driver, so the figure spans from that share to the largest." in said
    )
    unknown = plain(explain(view_of(source(carve_out("n")), "h100"), 0))
    assert "prefers a share that is not known (parameter n) of the SM's memory" in unknown
    assert "prefers" not in plain(explain(view_of(source(carve_out("62")), "h100"), 0))


def test_without_a_count() -> None:
    text = source(carve_out("25")).replace("// occupancy: regs=32\n", "")
    view = view_of(text, "h100")
    assert text_of(view.reports[0]) == "37.5–100% if ≤32 regs"
    assert "with at most 32 registers per thread, if shared memory is given its largest share" in plain(
        explain(view, 0)
    )


def test_a_key_in_the_call_is_heeded() -> None:
    text = source(carve_out("25"))
    document = OpenFile(None, "cuda", Text(text.encode()), Project(None, None, {"devices": ["h100"]}))
    view = document.view()
    assert view is not None and text_of(view.reports[0]) == "37.5–100% · carve-out?"
    at = text.index(", 25)") + 2
    document.edit(at, at + 2, b"100")
    view = document.view()
    assert view is not None and text_of(view.reports[0]) == "100% · 8 blk/SM"


def test_amds_gpus_do_not_hear_it() -> None:
    """HIP's documentation: the hint is ignored on architectures without a cache that can be configured."""
    text = source("hipFuncSetCacheConfig(k, hipFuncCachePreferL1);")
    hints = []
    for it in (text, text.replace("  hipFunc", "  // hipFunc")):
        view = OpenFile(None, "hip", Text(it.encode()), Project(None, None, {"devices": ["rx-7900-xtx"]})).view()
        assert view is not None
        hints.append(text_of(view.reports[0]))
    assert hints[0] == hints[1] and "carve-out" not in (hints[0] or "")


def shares(call: str, device: str = "h100") -> list[tuple[str, str]]:
    """Titles, and the hint of the text with each."""
    view = view_of(source(call), device)
    found = []
    for it in actions(view, 0, len(view.text.content)):
        made = resolve(view, it.key) if it.key.startswith("share:") else None
        if made is not None:
            (edit,) = made.edits
            content = view.text.content
            text = content[: edit.start] + edit.new.encode() + content[edit.end :]
            found.append((made.title, text_of(view_of(text.decode(), device).reports[0]) or ""))
    return found


def test_a_larger_share_is_offered() -> None:
    """The smallest that does: 58% of 228 KiB are more than 132 KiB, so the SM is set to 164."""
    title = "Prefer 58% as shared memory (now 25%): 37.5–100% → 100%, for less L1 cache"
    assert shares(carve_out("25")) == [(title, "100% · 8 blk/SM")]
    assert text_of(view_of(source(carve_out("57")), "h100").reports[0]) == "87.5–100% · carve-out?"
    l1 = shares(carve_out("cudaSharedmemCarveoutMaxL1"))
    assert [it for it, _ in l1] == ["Prefer 58% as shared memory (now 0%): 12.5–100% → 100%, for less L1 cache"]


@pytest.mark.parametrize(
    "call",
    [
        carve_out("62"),
        carve_out("n"),
        carve_out("25") + carve_out("25"),
        "const int share = 25; " + carve_out("share"),
        "cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);",
        "cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);",
    ],
)
def test_no_share_is_offered(call: str) -> None:
    """It is enough, not one number in one call, of other kernels as well, or no percentage."""
    assert shares(call) == []
