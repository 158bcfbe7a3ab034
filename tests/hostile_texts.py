"""A workspace with a hostile text in every place that may come to be shown, and what must not become of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

# No slash, so that it can be a file's name; Markdown, HTML, a terminal's commands, text turned round, no width.
MARK = (
    "[x](command:evil)![i](e.png)<img src=e>`c`**b**_e_~~s~~&lt;www.evil.example$(flame)"
    "\x1b]0;o\x07\x9b2J\u202ecba\u2066\u200b\x7f"
)
KERNEL = """\
__global__ void __launch_bounds__(256, 4) scale(float *x) {{
    __shared__ float t[SIZE];
    x[threadIdx.x] = t[0] + helper(x);
}}
// occupancy: expect >= 50% on {mark}
__global__ void other(float *x, int n) {{ x[n] = 1; }}
// occupancy: regs={mark} block=256
__global__ void third(float *x) {{ x[0] = 1; }}
// occupancy: ignore[{mark}]
template <typename T> __global__ void fourth(T *x) {{ x[0] = sizeof("{mark}"); }}
void run(float *x, int n) {{ other<<<1, n>>>(x, n); scale<<<1, 2048>>>(x); fourth<<<1, sizeof("{mark}")>>>(x); }}
"""
_DEVICE = """\
id: {mark}
name: {mark}
arch: sm_90
source: {mark}
verified: document
aliases: [mine, {mark}]
note: {mark}
compute_units: 10
"""
_SETTINGS = """\
devices: [mine, h100, {mark}]
presets: ["presets/*.yaml", {mark}]
sidecars: [{mark}]
threshold: {mark}
rules: {{{mark}: off}}
contracts: {{{mark}: {mark}}}
launch: {{"*": {{block: 64}}, {mark}: {{block: {mark}}}}}
{mark}: {mark}
"""
_LOG = """\
ptxas info    : Compiling entry function '_Z5scalePf' for 'sm_90'
ptxas info    : Function properties for _Z5scalePf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, 360 bytes cmem[0]
ptxas info    : Compiling entry function '{mark}' for 'sm_90'
ptxas info    : Used 41 registers, 360 bytes cmem[0]
ptxas warning : {mark}
"""


def hostile_workspace(folder: Path, mark: str = MARK) -> Path:
    """The file to open. Written to `folder`."""
    quoted = json.dumps(mark)  # YAML reads it as JSON does
    inner = folder / mark / "src"
    inner.mkdir(parents=True)
    (folder / "presets").mkdir()
    (folder / "build").mkdir()
    source = inner / f"{mark}.cu"
    text = f'#include "{mark}.h"\n#define SIZE {mark}\n{KERNEL.format(mark=mark)}'
    source.write_text(text, "utf-8")
    (inner / f"{mark}.h").write_text(f"// {mark}\n", "utf-8")
    (inner / "far.cu").write_text(
        f'__global__ void third(float *);\nvoid go(float *x) {{ third<<<1, sizeof("{mark}")>>>(x); }}\n', "utf-8"
    )
    (inner / f"{mark}.cu.occupancy.yaml").write_text(
        f"kernels:\n  other: {{registers: 33}}\n  {quoted}: {{registers: {quoted}}}\n  third: {{{quoted}: 1}}\n",
        "utf-8",
    )
    (folder / "presets" / "own.yaml").write_text(_DEVICE.format(mark=quoted), "utf-8")
    (folder / ".occupancy.yaml").write_text(_SETTINGS.format(mark=quoted), "utf-8")
    (folder / "build" / f"{mark}.ptxas.log").write_text(_LOG.format(mark=mark), "utf-8")
    command = {"directory": str(folder), "file": str(source), "arguments": ["nvcc", f"-D{mark}", "-c", str(source)]}
    (folder / "compile_commands.json").write_text(json.dumps([command, {"file": mark, "command": mark}]), "utf-8")
    return source


def obeyed(text: str) -> list[str]:
    """The characters that a terminal would obey, or that no eye sees."""
    return [it for it in text if not it.isprintable() and it not in "\n\u00a0\u3000"]


# As editors read Markdown: HTML, tables, struck text, bare addresses.
_READER = MarkdownIt("gfm-like")
_READER.linkify.set({"fuzzy_link": False})
_OF_OURS = {"paragraph", "hr", "bullet_list", "list_item", "table", "thead", "tbody", "tr", "th", "td"}
_INLINE = {"text", "text_special", "strong_open", "strong_close", "code_inline"}


def rendered(markdown: str) -> list[Token]:
    return _READER.parse(markdown)


def foreign(markdown: str) -> Iterator[str]:
    """What a Markdown reader makes of it that no hover of ours has; links go to the pages of rules alone."""
    for token in rendered(markdown):
        if token.type != "inline" and token.type.removesuffix("_open").removesuffix("_close") not in _OF_OURS:
            yield token.type
        for child in token.children or ():
            if child.type == "link_open" and str(child.attrs["href"]).endswith(("/lower-occupancy.md", "/advice.md")):
                continue
            if child.type not in (*_INLINE, "link_close"):
                yield f"{child.type} {child.attrs} {child.content}"
