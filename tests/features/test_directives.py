"""Comments that speak to us: intent, contracts and ignored rules through the features, and what of them is in vain."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.answers import Action
from occupancy_lsp.features.completion import completions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints, tooltip
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.source.lower.annotation_comments import KEYS, WORDS
from tests.support import check, view_of

LARGE = """// occupancy: {}
__global__ void k(float* p) {{ extern __shared__ float s[]; p[threadIdx.x] = s[threadIdx.x]; }}
void run(float* p) {{ allow(k); k<<<4096, 256, 120000>>>(p); }}
"""
PLAIN = "// occupancy: {}\n__global__ void k(float* p) {{ p[0] = 1; }}\nvoid run(float* p) {{ k<<<4096, 256>>>(p); }}\n"


def opened(source: str, name: str, *devices: str) -> View:
    project = Project(None, None, {"devices": list(devices)})
    view = OpenFile(Path("/nowhere") / name, "", Text(source.encode()), project).view()
    assert view is not None
    return view


_WORDS = [*KEYS, *WORDS, "expect", "intended", "ignore", "ignore-file", "device", "OCC101", "on", "percent"]
_WORDS += ["blocks_per_sm", ">=", "=", "[", "]", "%", "?", ",", ":", " ", "  ", "\t", "0", "256", "16x16", "9" * 30]
_WORDS += [
    "1e9",
    "-1",
    "KiB",
    "\N{SNOWMAN}",
    "\N{ARABIC-INDIC DIGIT TWO}",
    "\N{NO-BREAK SPACE}",
    "\0",
    "\r",
    "h100",
    "*",
]
TEXTS = st.lists(st.one_of(st.sampled_from(_WORDS), st.text(max_size=4)), max_size=12).map("".join)


@given(TEXTS, st.sampled_from(["// occupancy: {}\n", "/* occupancy:{}*/ ", "//occupancy:{}\n"]), st.booleans())
@example("=1", "// occupancy: {}\n", True)
@settings(max_examples=100, deadline=None)
def test_whatever_is_said_is_taken(text: str, comment: str, followed: bool) -> None:
    """Wherever one hovers, completes or asks for actions."""
    line = comment.format(text)
    kernel = "__global__ void k(float* p) { p[0] = 1; }\nvoid run(float* p) { k<<<4096, 256>>>(p); }\n"
    view = opened(line + kernel if followed else kernel + line, "k.cu", "h100")
    diagnostics(view), hints(view, 0, len(view.text.content))
    start = view.text.content.index(b"occupancy")
    for offset in {*range(start, min(start + len(line.encode()), start + 60)), start + len(line.encode()) // 2}:
        hover(view, offset), completions(view, offset)
    for action in actions(view, start, start + len(line)):
        resolve(view, action.key)


def test_a_comment_without_end() -> None:
    view = opened(
        "// occupancy: " + "regs=1 intended " * 5_000 + "\n__global__ void k(float* p) { p[0] = 1; }\n", "k.cu"
    )
    assert view.reports[0].registers.exact == 1 and view.reports[0].intended


def said(view: View) -> list[tuple[str, str]]:
    return [(it.severity, it.message) for it in diagnostics(view) if it.code == "occupancy-directive"]


def removals(view: View) -> list[Action]:
    return [it for it in actions(view, 0, len(view.text.content)) if it.key.startswith("directive:")]


def applied(view: View, action: Action) -> str:
    content = view.text.content
    for edit in sorted(action.edits, key=lambda it: -it.start):
        content = content[: edit.start] + edit.new.encode() + content[edit.end :]
    return content.decode()


@pytest.mark.parametrize(
    "directive",
    [
        "intended 1 block",
        "intended",
        "intended 1 block: the tile takes all",
        "intended, the tile takes all",
        "intended 1 block regs=40",
    ],
)
def test_intent_silences_advice_and_is_drawn(directive: str) -> None:
    assert [it.code for it in diagnostics(view_of(LARGE.format("regs=40")))] == ["OCC201"]
    view = view_of(LARGE.format(directive))
    assert diagnostics(view) == []
    (hint,) = hints(view, 0, len(view.text.content))
    assert hint.label == "1 blk (intended)"
    assert hint.key is not None
    budget = (
        "Intended: 1 block per SM. Up to 255 registers per thread and 227 KiB of shared memory per block keep it so."
    )
    assert budget in markdown(tooltip(view, hint.key) or ())


@pytest.mark.parametrize(
    ("name", "device", "expected"),
    [
        # 512 / 4 registers of a lane for each of 4 waves on a SIMD; a quarter of 64 KiB.
        ("k.hip", "mi300x", "4 work-groups per CU. Up to 128 VGPRs per thread and 16 KiB of LDS per work-group"),
        # 65,536 / (256 × 4); 233,472 / 4 - 1,024 of the driver, in units of 128.
        ("k.cu", "h100", "4 blocks per SM. Up to 64 registers per thread and 56 KiB of shared memory per block"),
    ],
)
def test_the_budget_of_several(name: str, device: str, expected: str) -> None:
    source = PLAIN.format(f"intended 4 {'blocks' if name == 'k.cu' else 'work-groups'}")
    view = opened(f"#include <hip/hip_runtime.h>\n{source}" if name == "k.hip" else source, name, device)
    assert f"Intended: {expected} keep it so." in markdown(tooltip(view, "kernel:0") or ())


def test_more_than_fit_are_not_intended() -> None:
    check(LARGE.format("intended 1 block"))
    check(
        LARGE.format("intended 2 blocks").replace(
            "\n", "\n//            ^^^^^^^^^^^^^^^^^ information occupancy-directive: 1 block fits on h100, not 2\n", 1
        )
    )
    check(LARGE.format("intended 2 blocks").replace("120000", "60000"), "a100")  # 2 of 163 KiB
    check(LARGE.format("intended 3 blocks").replace("120000", "60000"), "a100", "h100")  # 3 fit on one that is listed


FULL = "kernels: {k: {sm_90: {registers: 32}, sm_86: {registers: 42}}}\n"


def test_intent_where_nothing_is_to_be_silenced(tmp_path: Path) -> None:
    source, path = PLAIN.format("intended 8 blocks"), tmp_path / "k.cu"
    (tmp_path / "k.cu.occupancy.yaml").write_text(FULL)
    full = "information occupancy-directive: occupancy is 100%: there is no advice to silence"
    drawn = source.replace("\n", f"\n//            ^^^^^^^^^^^^^^^^^ {full}\n", 1)
    view = check(drawn, path=path)
    (action,) = removals(view)
    assert action.title == "Remove 'intended 8 blocks': it has no effect"
    assert applied(view, action) == source.split("\n", 1)[1]
    check(source, "h100", "sm_86", path=path)  # 83.33% there
    check(source.replace("256>", "100>"), path=path)  # idle lanes
    (tmp_path / "k.cu.occupancy.yaml").write_text(FULL.replace("32", "64"))
    check(source.replace("8 b", "4 b"), path=path)
    (tmp_path / "k.cu.occupancy.yaml").unlink()
    check(source, path=path)  # without counts nobody knows


def test_contracts_of_devices_that_never_run_the_file() -> None:
    view = view_of(PLAIN.format("regs=64 expect >= 50% on gfx942, h100"))
    assert said(view) == [("information", "never checked on gfx942, which does not run this language")]
    assert removals(view) == []  # it is checked on the other
    view = view_of(PLAIN.format("regs=64 expect >= 90% on gfx942"))
    assert [it.title for it in removals(view)] == ["Remove 'expect >= 90% on gfx942': it has no effect"]
    assert applied(view, removals(view)[0]) == PLAIN.format("regs=64")


@pytest.mark.parametrize("reason", ["", ": tuned so", " ; as measured"])
def test_a_contract_on_both_vendors_of_hip(reason: str) -> None:
    """66 registers: 3 blocks of 8 warps on sm_90; 512 / 72 is 7 waves on a SIMD of gfx942."""
    source = "#include <hip/hip_runtime.h>\n" + PLAIN.format(f"regs=66 expect >= LEAST% on sm_90, gfx942{reason}")
    for least, expected in (("37", []), ("38", ["sm_90"]), ("88", ["sm_90", "gfx942"])):
        view = opened(source.replace("LEAST", least), "k.hip", "mi300x")
        found = [it for it in diagnostics(view) if it.code == "OCC105"]
        assert [it.message.rpartition(" on ")[2] for it in found] == expected
        assert {it.severity for it in found} <= {"warning"}
    told = source.replace("LEAST", "88").replace("__global__", "#ifdef __HIP_PLATFORM_NVIDIA__\n#endif\n__global__")
    messages = [it.message for it in diagnostics(opened(told, "k.hip", "mi300x")) if it.code == "OCC105"]
    assert messages == ["contract >= 88% is broken: 87.5% on gfx942"]


def test_contracts_of_the_settings_by_glob_and_device(tmp_path: Path) -> None:
    (tmp_path / ".occupancy.yaml").write_text(
        'contracts:\n  "step_*": ["blocks_per_sm >= 4 on h100", ">= 60% on a100"]\n  "*": ">= 10% on zonk"\n'
    )
    check(
        """
        // occupancy: regs=72
        __global__ void step_one(float* p) { p[0] = 1; }
        //              ^^^^^^^^ warning OCC105: contract blocks_per_sm >= 4 is broken: 3 on h100 (.occupancy.yaml:2)
        //              ^^^^^^^^ warning OCC105: contract >= 60% is broken: 37.5% on a100 (.occupancy.yaml:2)
        // occupancy: regs=72
        __global__ void other(float* p) { p[0] = 1; }
        void run(float* p) { step_one<<<4096, 256>>>(p); other<<<4096, 256>>>(p); }
        """,
        path=tmp_path / "a.cu",
    )
    project = Project(tmp_path, None, {"devices": ["h100"]})
    (problem,) = project.problems()
    assert "zonk" in problem.message and problem.line == 3


@pytest.mark.parametrize(
    ("before", "title", "after"),
    [
        ("// occupancy: ignore[OCC102] for Turing\n", "ignore[OCC102]", ""),
        ("int a; // occupancy: ignore[OCC102] for Turing\n", "ignore[OCC102]", "int a; \n"),
        ("/* occupancy: ignore[OCC102] */\n", "ignore[OCC102]", ""),
        ("/* occupancy: ignore[OCC102] */ int a;\n", "ignore[OCC102]", " int a;\n"),
        ("// occupancy: block=256 ignore[OCC102]\n", "ignore[OCC102]", "// occupancy: block=256\n"),
        ("// occupancy: frob=1 block=256\n", "frob=1", "// occupancy: block=256\n"),
        ("// occupancy: block=256, frob=1\n", "frob=1", "// occupancy: block=256\n"),
        ("// occupancy: ignore[OCC102, OCC103] both\n", "ignore[OCC102, OCC103]", ""),
        ("// occupancy: ignore-file[OCC102]\n", "ignore-file[OCC102]", ""),
        ("// occupancy: device=h1000\n", "device=h1000", ""),
        ("// größer\n// occupancy: expect >= 5% on zonk\n", "expect >= 5% on zonk", "// größer\n"),
    ],
)
def test_what_is_in_vain_can_be_removed(before: str, title: str, after: str) -> None:
    kernel = "__global__ void k(float* p) { p[0] = 1; }\n"
    view = view_of(before + kernel)
    found = removals(view)
    level = "information" if "ignore" in title else "warning"  # what silences nothing does no harm
    assert {severity for severity, _ in said(view)} == {level} and len(said(view)) == len(found)
    assert {it.title for it in found} == {f"Remove '{title}': it has no effect"}
    assert {applied(view, it) for it in found} == {after + kernel}
    assert said(view_of(after + kernel)) == []


def test_a_useless_rule_is_taken_from_the_list() -> None:
    kernel = "__global__ void __launch_bounds__(256, 1) k(float* p) { p[0] = 1; }\n"
    view = view_of(f"// occupancy: ignore[OCC102, OCC304, OCC9] for now\n// occupancy: regs=80\n{kernel}")
    assert [message for _, message in said(view)] == ["OCC102 reports nothing here to ignore", "unknown rule OCC9"]
    first, second = removals(view)
    assert first.title == "Remove OCC102 from the list: it has no effect"
    assert applied(view, first).startswith("// occupancy: ignore[OCC304, OCC9] for now\n")
    assert applied(view, second).startswith("// occupancy: ignore[OCC102, OCC304] for now\n")


def test_what_speaks_of_no_kernel_can_be_removed() -> None:
    kernel = "__global__ void k(float* p) { p[0] = 1; }\n"
    view = view_of(kernel + "// occupancy: regs=40\n")
    (action,) = removals(view)
    assert applied(view, action) == kernel


@pytest.mark.parametrize(
    "directive", ["regs=300", "shared=64KiB", "ignore[OCC301] by counts", "intended 1 block", "regs=40"]
)
def test_what_has_an_effect_is_not_removed(directive: str) -> None:
    assert removals(view_of(PLAIN.format(directive))) == []


def test_rules_of_other_devices_are_no_vain_ones() -> None:
    """setmaxnreg is a matter of sm_90, which is listed."""
    source = """// occupancy: ignore[OCC104] never run
__global__ void __launch_bounds__(256, 2) k(float* p) {
  if (threadIdx.x < 128) { p[0] = 1; } else { asm volatile("setmaxnreg.inc.sync.aligned.u32 240;"); p[1] = 2; }
}
"""
    assert said(view_of(source, "sm_80", "h100")) == []
    assert len(said(view_of(source, "sm_80", "sm_86"))) == 1


def test_remarks_can_be_switched_off() -> None:
    view = view_of(PLAIN.format("ignore[OCC102]"), settings={"rules": {"occupancy-directive": "off"}})
    assert diagnostics(view) == [] and removals(view) == []
