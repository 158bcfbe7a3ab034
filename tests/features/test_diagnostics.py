"""Diagnostics as a whole: severities, what silences them, one per cause, and their price."""

from __future__ import annotations

from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.features.diagnostics import diagnostics, rule_findings
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.rules import page
from occupancy_lsp.rules.registry import RULES
from occupancy_lsp.session.view import OpenFile
from tests.support import open_file, seconds, view_of

ODD = "// occupancy: regs=80\n__global__ void __launch_bounds__(256, 1) k(float* p) { p[0] = 1; }\n"
ODD += "void f() { k<<<1, 100>>>(0); }\n"


def codes(source: str, **options: object) -> list[tuple[str, str]]:
    view = view_of(source, settings={"rules": options} if options else None)
    return [(it.code, it.severity) for it in diagnostics(view)]


def test_severities_of_the_settings() -> None:
    assert codes(ODD) == [("OCC304", "hint"), ("OCC303", "hint")]
    assert codes(ODD, OCC304="off") == [("OCC303", "hint")]
    assert codes(ODD, OCC304="error") == [("OCC304", "error"), ("OCC303", "hint")]


def test_intent_silences_advice_alone() -> None:
    assert codes("// occupancy: intended\n" + ODD) == []
    assert codes("// occupancy: intended\n" + ODD.replace("100", "512")) == [("OCC005", "error")]


@pytest.mark.parametrize("lead", ["ignore[OCC304, OCC303]", "ignore-file[occ304,OCC303]"])
def test_what_is_ignored(lead: str) -> None:
    assert codes(f"// occupancy: {lead} for now\n{ODD}") == []


def test_one_cause_is_told_once() -> None:
    kernel = "// occupancy: regs=160\n__global__ void __launch_bounds__(256) k(float* p) {{}}\n"
    kernel += "void f() {{ k<<<1, {}>>>(0); }}"
    assert codes(kernel.format(2049)) == [("OCC005", "error")]
    assert codes(kernel.format(500)) == [("OCC005", "error")]
    assert codes(kernel.replace("__launch_bounds__(256)", "").format(2049)) == [("OCC001", "error")]
    assert codes(kernel.format(2049), OCC005="off") == [("OCC001", "error")]
    many = "__global__ void __launch_bounds__(64, 2) k(float* p) { extern __shared__ float s[]; p[0] = s[1]; }\n"
    assert codes(many + "void f() { set(k, 1); k<<<1, 64, 200000>>>(0); }") == [("OCC101", "warning")]


@pytest.mark.parametrize(
    "launch",
    [
        "(m ? a : b)<<<1, {}>>>(p);",
        "auto k = m ? a : b; k<<<1, {}>>>(p);",
        "auto k = &a; if (m) k = &b; (*k)<<<1, {}>>>(p);",
    ],
)
def test_a_launch_that_may_be_of_two_kernels_is_told_of_once(launch: str) -> None:
    kernel = "__global__ void __launch_bounds__(256) {}(float* p) {{ p[threadIdx.x] = 1; }}\n"
    host = f"void f(float* p, bool m) {{{{ {launch} }}}}"
    bounded = kernel.format("a") + kernel.format("b") + host.format(512)
    (fault,) = diagnostics(view_of(bounded))
    assert (fault.code, [it.message for it in fault.related]) == (
        "OCC005",
        ["__launch_bounds__ allows 256 threads"] * 2,
    )
    free = bounded.replace("__launch_bounds__(256)", "").replace("512", "2048")
    assert [it.code for it in diagnostics(view_of(free))] == ["OCC001"]
    apart = bounded.replace("__launch_bounds__(256)", "__launch_bounds__(128)", 1)
    assert [it.code for it in diagnostics(view_of(apart))] == ["OCC005", "OCC005"]


def test_related_places_and_tags() -> None:
    source = "__global__ void __launch_bounds__(256) k(float* p) {}\nvoid f() { k<<<1, 512>>>(0); }"
    (fault,) = diagnostics(view_of(source))
    assert [(source[it.start : it.end], it.message) for it in fault.related] == [
        ("__launch_bounds__(256)", "__launch_bounds__ allows 256 threads")
    ]
    (useless,) = diagnostics(view_of("__global__ void __launch_bounds__(1024, 3) k(float* p) {}"))
    assert useless.unnecessary and not fault.unnecessary


def test_every_rule_has_its_page_and_a_short_summary() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    for rule in RULES:
        text = page(rule.code).read_text("utf-8")
        assert text.startswith(f"# {rule.code}: ") and len(rule.summary) < 80, rule.code


SIZES = st.sampled_from([1, 31, 32, 48, 64, 96, 100, 128, 200, 256, 384, 500, 512, 640, 768, 1000, 1024, 1025, 2048])
DEVICES = st.sampled_from(["h100", "sm_75", "sm_86", "sm_61", "sm_120"])


@st.composite
def kernels(draw: st.DrawFn) -> tuple[str, dict[str, int]]:
    wanted = {
        "launch": draw(SIZES),
        "bound": draw(st.none() | SIZES) or 0,
        "blocks": draw(st.integers(0, 40)),
        "regs": draw(st.none() | st.integers(1, 255)) or 0,
        "static": draw(st.none() | st.integers(1, 60_000)) or 0,
        "dynamic": draw(st.none() | st.integers(1, 240_000)) or 0,
        "cluster": draw(st.integers(0, 2)),
    }
    third = f", {wanted['cluster']}" if wanted["cluster"] else ""
    bounds = f"__launch_bounds__({wanted['bound']}, {wanted['blocks']}{third})" if wanted["bound"] else ""
    static = f"__shared__ char s[{wanted['static']}];" if wanted["static"] else ""
    fill = "s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1];" if static else ""
    regs = f"// occupancy: regs={wanted['regs']}\n" if wanted["regs"] else ""
    kernel = f"__global__ void {bounds} k(char* p) {{ extern __shared__ char d[]; {static} {fill} p[0] = d[1]; }}\n"
    launch = f"void f() {{ set(k); k<<<9, {wanted['launch']}, {wanted['dynamic']}>>>(0); }}\n"
    return regs + kernel + launch, wanted


@settings(max_examples=400, deadline=None)
@given(kernels(), DEVICES)
def test_no_error_where_the_kernel_compiles_and_launches(made: tuple[str, dict[str, int]], device: str) -> None:
    source, wanted = made
    view = view_of(source, device)
    assert view.device is not None
    arch, found = view.device.arch, diagnostics(view)
    result = arch.occupancy(Need(wanted["launch"], wanted["regs"] or None))
    compiles = wanted["static"] <= arch.local_per_group and (
        arch.clusters or not (wanted["cluster"] and wanted["bound"])
    )
    fits = not wanted["dynamic"] or wanted["static"] + wanted["dynamic"] <= arch.local_per_group_opt_in
    launches = result.groups > 0 and fits and (not wanted["bound"] or wanted["launch"] <= wanted["bound"])
    errors = [it for it in found if it.severity == "error"]
    assert bool(errors) == (not (compiles and launches)), errors
    assert all(len(it.message) <= 100 for it in found), found


def test_a_keystroke_costs_a_fraction_of_opening() -> None:
    kernel = """
// occupancy: regs={}
__global__ void __launch_bounds__(256, 1) k{}(float* p) {{ __shared__ float s[10240]; s[0] = p[0]; p[1] = s[1]; }}
void f{}() {{ k{}<<<1, 256>>>(0); }}
"""
    source = "".join(kernel.format(40 + i % 30, i, i, i) for i in range(500))
    file = open_file(source, settings={"threshold": 5})
    at = file.text.content.index(b"s[1]", len(file.text.content) // 2) + 2
    digits = cycle((b"2", b"3"))

    def look(file: OpenFile) -> None:
        view = file.view()
        assert view is not None and len(rule_findings(view)) > 400

    def type_a_digit() -> None:
        file.edit(at, at + 1, next(digits))
        look(file)

    look(file)
    assert seconds(type_a_digit, 5) < seconds(lambda: look(open_file(source, settings={"threshold": 5}))) / 20
