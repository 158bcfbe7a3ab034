"""The cluster that a launch attribute asks for: where it surely stands when the kernel is launched."""

from __future__ import annotations

import pytest

from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from tests.support import view_of

SET = """attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = size;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute; config.numAttrs = 1;"""


A = "cudaLaunchAttribute"
C = "cudaLaunchConfig_t c = {}; c.attrs = a; c.numAttrs = 1;"
B = f"{A} b[1]; b[0].id = {A}ClusterDimension; b[0].val.clusterDim = {{4, 1, 1}};"
WHOLE = """attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim = {1, 2, size};
  config.attrs = attribute; config.numAttrs = 1;"""


def cluster(body: str, before: str = "") -> int | str | None:
    """Blocks of the cluster; "?": not known; None: none is in sight."""
    text = f"""__global__ void k(float* p) {{ }}
void go(float* p, int m) {{
  cudaLaunchConfig_t config = {{0}}; config.gridDim = 64; config.blockDim = 128; const int size = 4;
  cudaLaunchAttribute attribute[1]; {before}
  {body}
  cudaLaunchKernelEx(&config, k, p);
}}"""
    (found,) = Source(text.encode(), CUDA).facts({}).launches
    return (
        None
        if found.configuration.cluster is None
        else product_of_dimensions(found.configuration.cluster[1]).number or "?"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (SET, 4),
        (SET.replace("size", "2 * size"), 8),
        (SET.replace("y = 1", "y = 2"), 8),
        (SET.replace("cudaLaunchAttributeC", "cudaLaunchAttributeID::cudaLaunchAttributeC"), 4),
        (WHOLE, 8),
        (WHOLE.replace("{1, 2, size}", "{1, size}"), "?"),
        (WHOLE.replace("{1, 2, size}", "other"), "?"),
        (f"{WHOLE} attribute[0].val.clusterDim.x = 2;", "?"),
        (f"{{ {SET} }}", "?"),  # ends before the launch
        (SET.replace("size", "m"), "?"),
        (f"if (m) {{ {SET} }}", "?"),
        (SET.replace("  attribute[0].val.clusterDim.x", "  if (m) attribute[0].val.clusterDim.x"), "?"),
        (f"{SET} if (m) attribute[0].val.clusterDim.x = 2;", "?"),
        (f"{SET} attribute[0].val.clusterDim.x = 2;", "?"),  # twice
        (f"{SET} change(attribute);", "?"),
        (SET.replace("numAttrs = 1", "numAttrs = m"), "?"),
        (SET.replace("numAttrs = 1", "numAttrs = 0"), "?"),
        (SET.replace("numAttrs = 1", "numAttrs = m ? 2 : 1"), 4),
        (SET.replace("numAttrs = 1", "numAttrs = m ? 1 : 0"), "?"),
        (SET.replace("config.attrs = attribute;", ""), None),
        (SET.replace("ClusterDimension", "Cooperative"), None),
        ("", None),
        (f"{SET}\n#ifdef LOG\n int unused;\n#endif\n", 4),  # whatever comes of it
        (f"\n#if 0\n{SET}\n#endif\n", None),
        (f"\n#if 1\n{SET}\n#else\n{SET.replace('size', '8')}\n#endif\n", 4),
        (f"\n#ifdef WIDE\n{SET}\n#else\n{SET.replace('size', '8')}\n#endif\n", "?"),
        (f"\n#ifdef WIDE\n{SET}\n#else\n{SET}\n#endif\n", 4),
        (f"\n#ifdef WIDE\n{SET}\n#endif\n", "?"),
        (SET.replace("= size", "=\n#ifdef WIDE\n 2 *\n#endif\n size"), "?"),  # within a statement
        (f"\n#if 0\n {{\n#endif\n{SET}\n#if 0\n }}\n#endif\n", 4),
        (f"{SET}\n#define size 8\n", "?"),
        (f"{SET}\n#ifdef A\n#elif B\n#elif C\n#elif D\n#endif\n", "?"),  # too many to be told apart
        (SET.replace("config.numAttrs", "\n#ifdef CLUSTERS\n config.numAttrs") + "\n#endif\n", "?"),
        (f"\n#if CUDART_VERSION >= 12000\n{SET}\n#endif\n", "?"),
        (f"\n#pragma unroll\n{SET}", 4),
        (f"{SET} config.numAttrs--;", "?"),
        (f"{SET} config.numAttrs -= 1;", "?"),
        (f"{SET} config.attrs[0].val.clusterDim.x = 2;", "?"),
        (f"{SET} config.attrs->val.clusterDim.x = 2;", "?"),
        (f"{SET} auto& a = config.attrs[0]; a.val.clusterDim.x = 2;", "?"),
        (f"{SET} config = {{}}; config.gridDim = 6; config.blockDim = 128;", "?"),
        (f"{SET} memset(&config, 0, sizeof config);", "?"),
        (f"{SET} change(config);", "?"),
        (f"{SET} attribute[0] = other;", "?"),
        (f"{SET} attribute[0].val = other;", "?"),
        (f"{SET} attribute[0].id = cudaLaunchAttributeCooperative;", "?"),
        (f"{SET} {{ cudaLaunchConfig_t config = {{}}; config.gridDim = 8; }}", "?"),  # a name of two variables
        (f"{SET} int count; cudaOccupancyMaxActiveClusters(&count, k, &config);", 4),
        (SET.replace("= cudaLaunchAttributeClusterDimension", "= id"), "?"),
        (SET.replace("attribute[0].id", "attribute->id"), "?"),
        (SET.replace("ClusterDimension", "PreferredClusterDimension"), "?"),
        ("config.attrs = attribute; config.numAttrs = 1;", "?"),
        ("config.attrs = given; config.numAttrs = 1;", "?"),
        ("set_up(&config);", "?"),
    ],
)
def test_the_cluster_of_a_launch(body: str, expected: int | str | None) -> None:
    assert cluster(body) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("#define CLUSTERS 0", None),
        ("#define CLUSTERS 1", 4),
        ("", "?"),
        ("#ifndef CLUSTERS\n#define CLUSTERS 0\n#endif", None),
    ],
)
def test_a_macro_decides_whether_there_are_clusters(before: str, expected: int | str | None) -> None:
    text = f"""{before}
__global__ void k(float* p) {{ }}
void go(float* p) {{
  const int size = 4; cudaLaunchConfig_t config = {{}}; config.gridDim = 64; config.blockDim = 128;
#if CLUSTERS
  cudaLaunchAttribute attribute[1];
  {SET}
#endif
  cudaLaunchKernelEx(&config, k, p);
}}"""
    (found,) = Source(text.encode(), CUDA).facts({}).launches
    assert (
        None
        if found.configuration.cluster is None
        else product_of_dimensions(found.configuration.cluster[1]).number or "?"
    ) == expected


def test_each_block_has_a_configuration_of_its_own() -> None:
    """As in TensorRT-LLM, where both bear the same name."""
    made = "cudaLaunchConfig_t c = {}; c.gridDim = 64; c.blockDim = 128;"
    plain = f"{A} a[1]; a[0].id = {A}ProgrammaticStreamSerialization; c.attrs = a; c.numAttrs = 1;"
    wide = f"{A} a[1]; a[0].id = {A}ClusterDimension; a[0].val.clusterDim = {{4, 1, 1}}; c.attrs = a; c.numAttrs = 1;"
    launch = "cudaLaunchKernelEx(&c, k, p);"

    def asked(body: str) -> list[int | str | None]:
        text = f"__global__ void k(float* p) {{ }}\nvoid go(float* p, int m) {{ {body} }}"
        found = Source(text.encode(), CUDA).facts({}).launches
        return [
            it.configuration.cluster and (product_of_dimensions(it.configuration.cluster[1]).number or "?")
            for it in found
        ]

    assert asked(f"if (m) {{ {made} {plain} {launch} }} else {{ {made} {wide} {launch} }}") == [None, 4]
    assert asked(f"if (m) {{ {made} {plain} {launch} change(c); }} else {{ {made} {wide} {launch} }}") == ["?", 4]
    assert asked(f"{made} {wide} if (m) {{ {made} {plain} {launch} }} {launch}") == [None, "?"]
    assert asked(f"{made} {wide} if (m) {{ {made} {launch} }}") == [None]
    outside = plain.replace(" c.attrs = a; c.numAttrs = 1;", "")
    assert asked(f"{outside} if (m) {{ {made} c.attrs = a; c.numAttrs = 1; {launch} }}") == [None]


def test_the_branch_that_launches() -> None:
    """Only what is compiled with it counts."""
    text = f"""__global__ void k(float* p) {{ }}
void go(float* p) {{
  const int size = 4; cudaLaunchConfig_t config = {{}}; config.gridDim = 64; config.blockDim = 128;
#ifdef CLUSTERS
  cudaLaunchAttribute attribute[1];
  {SET}
#endif
#ifdef CLUSTERS
  cudaLaunchKernelEx(&config, k, p);
#else
  cudaLaunchKernelEx(&config, k, p);
#endif
}}"""
    found = Source(text.encode(), CUDA).facts({}).launches
    assert [it.configuration.cluster and product_of_dimensions(it.configuration.cluster[1]).number for it in found] == [
        4,
        None,
    ]


@pytest.mark.parametrize("name", ["attrs", "id", "val", "numAttrs", "x"])
def test_an_array_that_bears_the_name_of_a_member(name: str) -> None:
    body = SET.replace("attribute[", f"{name}[").replace("= attribute;", f"= {name};")
    declared = f"cudaLaunchAttribute {name}[1];"
    assert cluster(body, declared) == 4
    assert cluster(f"{body} change({name});", declared) == "?"
    assert cluster(f"{body} {name}[0].val.clusterDim.x = 2;", declared) == "?"


def test_another_launch_in_the_same_function_has_its_own() -> None:
    text = f"""__global__ void k(float* p) {{ }}
void go(float* p) {{
  const int size = 4; cudaLaunchConfig_t config = {{0}}, plain = {{0}};
  cudaLaunchAttribute attribute[1];
  {SET}
  plain.gridDim = 8; plain.blockDim = 64;
  cudaLaunchKernelEx(&plain, k, p);
  cudaLaunchKernelEx(&config, k, p);
}}"""
    found = Source(text.encode(), CUDA).facts({}).launches
    assert [it.configuration.cluster and product_of_dimensions(it.configuration.cluster[1]).number for it in found] == [
        None,
        4,
    ]


@pytest.mark.parametrize("macro", ["RESET config.numAttrs = 0", "RESET INNER\n#define INNER config.numAttrs = 0"])
@pytest.mark.parametrize("use", ["RESET;", "RESET();"])
def test_a_macro_that_changes_the_configuration(macro: str, use: str) -> None:
    macro = macro.replace("RESET", "RESET()", 1) if "(" in use else macro
    text = f"""#define {macro}
__global__ void k(float* p) {{ }}
void go(float* p) {{
  const int size = 4; cudaLaunchConfig_t config = {{0}}; cudaLaunchAttribute attribute[1];
  {SET} USED
  cudaLaunchKernelEx(&config, k, p);
}}"""
    for used, expected in ((use, None), ("", 4)):
        (found,) = Source(text.replace("USED", used).encode(), CUDA).facts({}).launches
        assert found.configuration.cluster is not None
        assert product_of_dimensions(found.configuration.cluster[1]).number == expected


@pytest.mark.parametrize(
    ("before", "launch", "expected"),
    [
        ("cudaLaunchConfig_t c;", "cudaLaunchKernelEx(&c, k, p);", None),
        ("cudaLaunchConfig_t c = {8, 64, 0, 0};", "cudaLaunchKernelEx(&c, k, p);", None),
        ("cudaLaunchConfig_t c = {8, 64, 0, 0, a, 1};", "cudaLaunchKernelEx(&c, k, p);", "?"),
        (f"{B} cudaLaunchConfig_t c = {{8, 64, 0, 0, b, 1}};", "cudaLaunchKernelEx(&c, k, p);", 4),
        (f"{B} cudaLaunchConfig_t c{{.gridDim = 8, .attrs = b, .numAttrs = 1}};", "cudaLaunchKernelEx(&c, k, p);", 4),
        (f"{B} cudaLaunchConfig_t c = {{8, 64, 0, 0, b, 0}};", "cudaLaunchKernelEx(&c, k, p);", "?"),
        (f"{B} cudaLaunchConfig_t c = {{8, 64, 0, 0, b, 1}}; c.attrs = a;", "cudaLaunchKernelEx(&c, k, p);", "?"),
        (f"{B} cudaLaunchConfig_t c = {{8, 64, 0, 0, b, 1}}; change(c);", "cudaLaunchKernelEx(&c, k, p);", "?"),
        (
            f"{B.replace('ClusterDimension', 'Cooperative')} cudaLaunchConfig_t c = {{8, 64, 0, 0, b, 1}};",
            "cudaLaunchKernelEx(&c, k, p);",
            None,
        ),
        ("cudaLaunchConfig_t c = {.gridDim = 8, .attrs = a, .numAttrs = 1};", "cudaLaunchKernelEx(&c, k, p);", "?"),
        ("auto c = made(8, 64);", "cudaLaunchKernelEx(&c, k, p);", "?"),
        (f"{A} a[1] = {{{{cudaLaunchAttributeClusterDimension}}}}; {C}", "cudaLaunchKernelEx(&c, k, p);", "?"),
        ("cudaLaunchConfig_t c = {};", "[&] { cudaLaunchKernelEx(&c, k, p); }();", "?"),
        ("", "cudaLaunchKernelEx(&c, k, p);", "?"),  # a parameter
        ("", "cudaLaunchKernelEx(c, k, p);", "?"),
    ],
)
def test_what_a_configuration_is_made_with(before: str, launch: str, expected: str | int | None) -> None:
    parameter = "" if before else ", cudaLaunchConfig_t c"
    text = f"__global__ void k(float* p) {{ }}\nvoid go(float* p{parameter}) {{ {before} {launch} }}"
    (found,) = Source(text.encode(), CUDA).facts({}).launches
    assert (
        None
        if found.configuration.cluster is None
        else product_of_dimensions(found.configuration.cluster[1]).number or "?"
    ) == expected


@pytest.mark.parametrize(
    ("numbers", "codes"),
    [("", ["OCC008"]), ("config.numAttrs--;", []), ("\n#ifdef NONE\nconfig.numAttrs = 0;\n#endif\n", [])],
)
def test_an_error_is_of_what_surely_launches(numbers: str, codes: list[str]) -> None:
    text = f"""__global__ void k(float* p) {{ p[0] = 1; }}
void go(float* p) {{
  cudaLaunchConfig_t config = {{}}; config.gridDim = dim3(6); config.blockDim = dim3(128);
  const int size = 4; cudaLaunchAttribute attribute[1];
  {SET} {numbers}
  cudaLaunchKernelEx(&config, k, p);
}}"""
    view = view_of(text, "h100")
    assert [it.code for it in diagnostics(view) if it.code == "OCC008"] == codes
    assert view.reports[0].clustered
    assert not view_of(text, "a100").reports[0].clustered
