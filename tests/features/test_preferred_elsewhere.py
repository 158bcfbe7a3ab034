"""A carve-out reaches a kernel from wherever it is set: a macro, a helper, the driver's API, a launch's attribute, or
another file. CUDA's driver_types.h and cuda.h have the names; the figures are those of test_preferred.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.features.test_preferred import KERNEL
from tests.support import text_of

LAUNCH = "void go(float* p) { k<<<1, 256>>>(p); }\n"
DECLARED = "__global__ void k(float* p);\n"
FULL, OPEN, QUARTER = "100% · 8 blk/SM", "12.5–100% · carve-out?", "37.5–100% · carve-out?"
CARVEOUT = "cudaFuncAttributePreferredSharedMemoryCarveout"
LAUNCHES = "ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT"
HANDS = f"{DECLARED}void f() {{ g(k); }}\n"
HELPER = f"template <class K> void prefer(K it) {{ cudaFuncSetAttribute(it, {CARVEOUT}, 25); }}\n"
ATTRIBUTE = (
    "void set(float* p) {{ cudaLaunchConfig_t c = {{}}; cudaLaunchAttribute a[1];\n"
    "  a[0].id = cudaLaunchAttributePreferredSharedMemoryCarveout; a[0].val.sharedMemCarveout = {};\n"
    "  c.attrs = a; c.numAttrs = 1; c.gridDim = 1; c.blockDim = 256; cudaLaunchKernelEx(&c, k, p); }}\n"
)


def view_in(folder: Path, text: str, device: str = "h100", **others: str) -> View:
    for name, other in {"a.cu": text, **{it.replace("_", "."): text for it, text in others.items()}}.items():
        (folder / name).write_text(other)
    project = Project(folder, None, {"devices": [device]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(folder / "a.cu", "cuda", Text(text.encode()), project).view()
    assert view is not None
    return view


def hint_of(folder: Path, text: str, **others: str) -> str | None:
    return text_of(view_in(folder, text, **others).reports[0])


@pytest.mark.parametrize(
    ("more", "hint"),
    [
        (HELPER + "void set() { prefer(k); }\n", QUARTER),
        (HELPER + "void set() { prefer(&k); }\n", QUARTER),
        (HELPER.replace("25", "100") + "void set() { prefer(k); }\n", FULL),
        (HELPER, FULL),  # nothing hands it there
        ("#define PREFER(it) cudaFuncSetCacheConfig(it, cudaFuncCachePreferL1)\nvoid set() { PREFER(k); }\n", OPEN),
        ("#define PREFER(it) cudaFuncSetCacheConfig(it, cudaFuncCachePreferShared)\nvoid set() { PREFER(k); }\n", FULL),
        ("#define INIT() cudaDeviceSetCacheConfig(cudaFuncCachePreferL1)\nvoid set() { INIT(); }\n", OPEN),
        ("void set() { cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1); }\n", OPEN),
        ("void set() { cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED); }\n", FULL),
        ("void set(cudaKernel_t f) { cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1); }\n", FULL),
        (
            "void set(CUmodule m, CUfunction f) { cuModuleGetFunction(&f, m, \"_Z1kPf\");"
            " cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 25); }\n",
            QUARTER,
        ),
        ("void set(int n) { cudaFuncSetCacheConfig(k, static_cast<cudaFuncCache>(n)); }\n", OPEN),
        (ATTRIBUTE.format(25), QUARTER),
        (ATTRIBUTE.format("n"), OPEN),
        (ATTRIBUTE.format("cudaSharedmemCarveoutMaxShared"), FULL),
        (f"// cudaFuncSetAttribute(k, {CARVEOUT}, 25);\n", FULL),
        (f'const char* s = "{CARVEOUT}"; void set() {{ use(k); }}\n', FULL),
    ],
)  # fmt: skip
def test_in_the_kernels_own_file(tmp_path: Path, more: str, hint: str) -> None:
    assert hint_of(tmp_path, KERNEL + LAUNCH + more) == hint


@pytest.mark.parametrize(
    ("others", "hint"),
    [
        ({"b_cu": f"{DECLARED}void set() {{ cudaFuncSetAttribute(k, {CARVEOUT}, 25); }}\n"}, QUARTER),
        ({"b_cu": f"{DECLARED}void set() {{ cudaFuncSetAttribute(k, {CARVEOUT}, 100); }}\n"}, FULL),
        ({"b_cu": f'#include "a.cu"\nvoid set(int n) {{ cudaFuncSetAttribute((void*)k, {CARVEOUT}, n); }}\n'}, OPEN),
        ({"b_cu": f"void set() {{ cudaFuncSetAttribute(other, {CARVEOUT}, 25); }}\n"}, FULL),
        # Another kernel of the name.
        ({"b_cu": f"__global__ void k(int* p) {{ }}\nvoid f() {{ cudaFuncSetAttribute(k, {CARVEOUT}, 25); }}\n"}, FULL),
        ({"b_cpp": "void set() { cudaDeviceSetCacheConfig(cudaFuncCachePreferL1); }\n"}, OPEN),
        ({"b_cpp": "int main() { cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1); }\n"}, OPEN),
        ({"b_cpp": "void set() { cudaDeviceSetCacheConfig(cudaFuncCachePreferShared); }\n"}, FULL),
        ({"b_h": HELPER, "c_cu": f'{DECLARED}#include "b.h"\nvoid set() {{ prefer(k); }}\n'}, QUARTER),
        ({"b_h": HELPER, "c_cu": f'{DECLARED}#include "b.h"\nvoid set(float* p) {{ k<<<1, 256>>>(p); }}\n'}, FULL),
        ({"b_cu": DECLARED + ATTRIBUTE.format(25)}, QUARTER),
        ({"b_cu": DECLARED + ATTRIBUTE.format(100)}, FULL),
        ({"b_cpp": 'void set() { f = get("k"); cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1); }\n'}, OPEN),
        ({"b_cpp": 'void set() { f = get("j"); cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1); }\n'}, FULL),
        # What is preferred stands in a variable, in braces, behind a macro.
        ({"b_cu": f"{DECLARED}void set(cudaFuncCache c) {{ cudaFuncSetCacheConfig(k, c); }}\n"}, OPEN),
        ({"b_cpp": "void set(cudaFuncCache c) { cudaDeviceSetCacheConfig(c); }\n"}, OPEN),
        ({"b_cpp": "void set(int c) { cudaThreadSetCacheConfig(of(c)); }\n"}, OPEN),
        ({"b_cpp": "void set(CUfunc_cache c) { cuCtxSetCacheConfig(c); }\n"}, OPEN),
        ({"b_cpp": 'void set(CUfunc_cache c) { f = get("k"); cuFuncSetCacheConfig(f, c); }\n'}, OPEN),
        (
            {
                "b_cpp": "void set(bool l1) { auto c = l1 ? cudaFuncCachePreferL1 : cudaFuncCachePreferShared;"
                " cudaDeviceSetCacheConfig(c); }\n"
            },
            OPEN,
        ),
        ({"b_cpp": "void set() { cudaDeviceSetCacheConfig(cudaFuncCache{cudaFuncCachePreferL1}); }\n"}, OPEN),
        ({"b_cu": f"#define KN k\n{DECLARED}void set() {{ cudaFuncSetAttribute(KN, {CARVEOUT}, 25); }}\n"}, QUARTER),
        ({"b_cu": f"{DECLARED}void set(cudaFuncCache c) {{ cudaFuncSetCacheConfig(j, c); }}\n"}, FULL),
        ({"b_cpp": "void set() { cudaDeviceSetCacheConfig(cudaFuncCache::cudaFuncCachePreferNone); }\n"}, FULL),
        ({"b_cpp": "// cudaDeviceSetCacheConfig(c)\n"}, FULL),
        ({"b_h": "cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);\n"}, FULL),
        # CUDA's and HIP's own headers.
        ({"cuda_h": f"#define CU_KERNEL_NODE_{LAUNCHES} CU_LAUNCH_{LAUNCHES}\n", "c_cu": HANDS}, FULL),
        ({"prefer_h": f"#define MINE CU_LAUNCH_{LAUNCHES}\n", "c_cu": HANDS}, OPEN),
        ({"b_h": "enum CUfunc_cache { CU_FUNC_CACHE_PREFER_L1 = 2 };\n"}, FULL),
    ],
)  # fmt: skip
def test_in_another_file(tmp_path: Path, others: dict[str, str], hint: str) -> None:
    assert hint_of(tmp_path, KERNEL + LAUNCH, **others) == hint


PREFERS = f"cudaFuncSetAttribute(k, {CARVEOUT}, 25);"


@pytest.mark.parametrize("kind", ["cu", "cuh"])
@pytest.mark.parametrize(
    ("other", "hint"),
    [
        (f"#if 0\nvoid set() {{ {PREFERS} }}\n#endif\n", FULL),
        (f"void set() {{\n#if 0\n{PREFERS}\n#endif\n}}\n", FULL),
        (f"void set() {{\n#if 1\n#else\n{PREFERS}\n#endif\n}}\n", FULL),
        (f'#define SMALL 0\n#include "a.h"\n#if SMALL\nvoid set() {{ {PREFERS} }}\n#endif\n', QUARTER),  # or a header
        (
            f"#ifndef SMALL\n#define SMALL 0\n#endif\n#define USE SMALL\n#if USE\nvoid set() {{ {PREFERS} }}\n#endif\n",
            QUARTER,
        ),
        ("#if 0\nvoid set() { cudaDeviceSetCacheConfig(cudaFuncCachePreferL1); }\n#endif\n", FULL),
        (f"#if 1\nvoid set() {{ {PREFERS} }}\n#endif\n", QUARTER),
        (f"#ifdef SMALL\nvoid set() {{ {PREFERS} }}\n#endif\n", QUARTER),  # a build may define it
        (f"#ifndef SMALL\n#define SMALL 0\n#endif\n#if SMALL\nvoid set() {{ {PREFERS} }}\n#endif\n", QUARTER),
    ],
)
def test_what_an_if_leaves_out_elsewhere(tmp_path: Path, kind: str, other: str, hint: str) -> None:
    include = '#include "b.cuh"\n' if kind == "cuh" else ""
    assert hint_of(tmp_path, include + KERNEL + LAUNCH, **{f"b_{kind}": DECLARED + other}) == hint


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        (f"if (false) {{ {PREFERS} }}", FULL),
        (f"if constexpr (sizeof(float) == 8) {{ {PREFERS} }}", FULL),
        (f"if (g()) {{ {PREFERS} }}", QUARTER),
        (f"if constexpr (sizeof(float) == 4) {{ {PREFERS} }}", QUARTER),
    ],
)
def test_a_branch_that_is_not_taken(tmp_path: Path, body: str, hint: str) -> None:
    assert hint_of(tmp_path, f"{KERNEL}{LAUNCH}void set() {{ {body} }}\n") == hint


def test_of_the_instances_in_sight(tmp_path: Path) -> None:
    """Each with its own share."""
    take = f"cudaFuncSetAttribute(k, {CARVEOUT}, N);"
    for share, hint in ((25, QUARTER), (100, FULL)):
        text = f"template <int N> void set() {{ {take} }}\nvoid all() {{ set<{share}>(); }}\n"
        assert hint_of(tmp_path, KERNEL + LAUNCH + text) == hint


def test_two_programs_share_no_device(tmp_path: Path) -> None:
    """One program has one `main`: what another sets does not concern it."""
    other = "int main() { cudaDeviceSetCacheConfig(cudaFuncCachePreferL1); }\n"
    assert hint_of(tmp_path, KERNEL + LAUNCH.replace("void go(float* p)", "int main()"), b_cu=other) == FULL
    assert hint_of(tmp_path, KERNEL + LAUNCH, b_cu=other) == OPEN


@pytest.mark.parametrize(
    "main",
    [
        "// to be called before main() {\n",
        "/* int main() { */\n",
        'const char* said = "int main() {";\n',
        "int main();\nvoid again() { main(); }\n",
        "namespace mine { int main() { return 0; } }\n",
        "#ifdef ALONE\nint main() { return 0; }\n#endif\n",
        "#define ALONE int main() { }\n",
    ],
)
def test_only_a_main_of_its_own_makes_it_another_program(tmp_path: Path, main: str) -> None:
    other = f"{main}void init() {{ cudaDeviceSetCacheConfig(cudaFuncCachePreferL1); }}\n"
    assert hint_of(tmp_path, KERNEL + LAUNCH.replace("void go(float* p)", "int main()"), b_cpp=other) == OPEN


def test_the_hover_says_where(tmp_path: Path) -> None:
    other = f"\n{DECLARED}void set() {{ cudaFuncSetAttribute(k, {CARVEOUT}, 25); }}\n"
    said = plain(explain(view_in(tmp_path, KERNEL + LAUNCH, b_cu=other), 0))
    assert "cudaFuncSetAttribute at b.cu:3 prefers 25% of the SM's memory as shared memory. This is a hint" in said
    handing = f"{DECLARED}void f() {{ prefer(k); }}\n"
    said = plain(explain(view_in(tmp_path, KERNEL + LAUNCH, b_cu="", b_h=HELPER, c_cu=handing), 0))
    assert (
        "cudaFuncSetAttribute at b.h:1 prefers 25% of the SM's memory as shared memory, for whichever kernels" in said
    )


def test_a_file_that_changes_is_heeded(tmp_path: Path) -> None:
    view_in(tmp_path, KERNEL + LAUNCH, b_cu="")
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    document = OpenFile(tmp_path / "a.cu", "cuda", Text((KERNEL + LAUNCH).encode()), project)
    hints = []
    for share in ("", "25", "100", "25", ""):
        call = f"{DECLARED}void set() {{ cudaFuncSetAttribute(k, {CARVEOUT}, {share}); }}\n" if share else ""
        (tmp_path / "b.cu").write_text(call)
        project.changed([tmp_path / "b.cu"])
        view = document.view()
        assert view is not None
        hints.append(text_of(view.reports[0]))
    assert hints == [FULL, QUARTER, FULL, QUARTER, FULL]


def test_a_key_in_one_kernel_asks_nothing_of_the_others(tmp_path: Path) -> None:
    """Of whether they are handed to a helper in another file."""
    many = 50
    text = "".join(
        KERNEL.replace(" k(", f" k{i}(") + f"void f{i}(float* p) {{ k{i}<<<1, 256>>>(p); }}\n" for i in range(many)
    )
    view_in(tmp_path, text, b_h=HELPER)
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    document = OpenFile(tmp_path / "a.cu", "cuda", Text(text.encode()), project)
    view, reports = document.view(), document._reports
    assert view is not None
    assert reports is not None
    before = reports._queries.computed.total()
    at = text.index("p[0]")
    document.edit(at, at + 4, b"p[2]")
    document.view()
    assert reports._queries.computed.total() - before < 10
    at = text.index("k0<<<")
    document.edit(at, at, b"prefer(k0); ")
    view = document.view()
    assert view is not None
    assert [text_of(it) for it in view.reports] == [QUARTER, *[FULL] * (many - 1)]
