"""Figures at a size that `.occupancy.yaml` assumes, and the action that writes it there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.cli.formats.as_json import entry
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.findings.recording import record
from occupancy_lsp.rules.proof import proved_figure
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import FILE_NAME, merge
from tests.support import view_of

SOURCE = """\
// occupancy: regs=64
__global__ void a(float* p) { p[0] = 1; }
__global__ void b(float* p) { p[0] = 1; }
__global__ void __launch_bounds__(512) c(float* p) { p[0] = 1; }
void h(float* p, int n) { a<<<1, n>>>(p); b<<<1, 512>>>(p); c<<<1, n>>>(p); }
"""


def seen(folder: Path, settings: str, source: str = SOURCE) -> View:
    (folder / FILE_NAME).write_text(settings)
    return view_of(source, path=folder / "k.cu")


def labels(view: View) -> list[str]:
    return [it.label for it in hints(view, 0, 1 << 30)]


def test_only_what_is_not_known_is_assumed_and_it_is_marked(tmp_path: Path) -> None:
    known = "512 thr · 100% if ≤32 regs"
    found = seen(tmp_path, "assume: {block: 256}\n")
    assert labels(found) == ["@256 · 50% · 4 blk/SM · regs", known, "@256 · ≥25% · regs ≤128"]
    found = seen(tmp_path, "assume: {block: 1024}\n")  # more than the bounds of the last allow
    assert labels(found) == ["@1024 · 50% · 1 blk/SM · regs", known, "≥25% at 512 · regs ≤128"]
    found = seen(tmp_path, "assume: {a: {block: [32, 4]}}\n")
    assert labels(found) == ["@128 · 50% · 8 blk/SM · regs", known, "≥25% at 512 · regs ≤128"]
    assert labels(seen(tmp_path, "")) == ["64 regs · 50% at 32, 64 … 1024", known, "≥25% at 512 · regs ≤128"]


def test_beside_what_is_assumed_a_size_that_fails_is_left_out(tmp_path: Path) -> None:
    launches = "k<<<1, n>>>(p);\n  k<<<1, 256>>>(p);"
    source = f"__global__ void __launch_bounds__(128) k(float* p) {{}}\nvoid h(float* p, int n) {{\n  {launches}\n}}\n"
    found = seen(tmp_path, "assume: {block: 64}\n", source)
    assert labels(found) == ["@64 · 100% if ≤32 regs", "no launch: 256>128 threads"]


def test_the_hover_and_the_json_say_who_assumed_it(tmp_path: Path) -> None:
    view = seen(tmp_path, "devices: [h100]\nassume: {block: 256}\n")
    text = markdown(explain(view, 0))
    assert text.startswith("**a**: 50% (4 blocks/SM, 32 of 64 warps) at 256 threads, assumed, on H100 SXM5 (sm_90)")
    assert "- Threads per block: parameter n; 256 is assumed in" in text and f"{FILE_NAME}:2. State" in text
    found = json.loads(json.dumps(entry(record("k.cu", tmp_path / "k.cu", view))))
    told = found["kernels"][0]["on"][0]
    assert told["source"] == "assumed" and told["inputs"]["workgroup"]["assumed"] is True


def test_rules_take_nothing_for_proved_that_is_assumed(tmp_path: Path) -> None:
    view = seen(tmp_path, "assume: {block: 256}\nthreshold: 90\n")
    assert [proved_figure(it) is None for it in view.reports] == [True, False, True]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, 'assume:\n  "a": {block: 256}\n'),
        ("", 'assume:\n  "a": {block: 256}\n'),
        ("threshold: 50", 'threshold: 50\nassume:\n  "a": {block: 256}\n'),
        ("assume:\n    b: {block: 64}\n", 'assume:\n    "a": {block: 256}\n    b: {block: 64}\n'),
        ("assume:  # sizes\n\n  b:\n    block: 64\nthreshold: 50\n",
         'assume:  # sizes\n  "a": {block: 256}\n\n  b:\n    block: 64\nthreshold: 50\n'),
        ("assume: {b: {block: 64}}\n", None),
    ],
)  # fmt: skip
def test_the_action_writes_it(tmp_path: Path, before: str | None, after: str | None) -> None:
    path = tmp_path / FILE_NAME
    if before is not None:
        path.write_text(before)
    view = view_of(SOURCE, path=tmp_path / "k.cu")
    assert 'assume: {"a": {block: 256}}' in markdown(explain(view, 0))
    at = SOURCE.index(" a(") + 1
    found = [it for it in actions(view, at, at) if it.key == "assume:0"]
    assert [it.title for it in found] == (
        [f"Show a at 256 threads per block, assumed in {FILE_NAME}"] if after is not None else []
    )
    for (edit,) in (it.edits for it in found):
        assert edit.file is not None and edit.file.path == path and edit.file.new is (before is None)
        text = edit.file.content[: edit.start] + edit.new.encode() + edit.file.content[edit.end :]
        assert text.decode() == after
        settings, problems = merge(text, "p")
        assert problems == () and ("a", 256) in {(it.kernels, it.block) for it in settings.assume}


def test_no_action_where_the_size_is_known(tmp_path: Path) -> None:
    view = view_of(SOURCE, path=tmp_path / "k.cu")
    at = SOURCE.index(" b(") + 1
    assert not any(it.key.startswith("assume:") for it in actions(view, at, at))
    assert "assume:" not in markdown(explain(view, 1))
