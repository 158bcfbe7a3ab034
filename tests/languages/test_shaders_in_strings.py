"""Shaders in string literals: what is said of them is what is said of the same text in a file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import HoldingFile, open_file
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.source.kernels.kernel import Kernel
from tests.languages.shaders import AMD, project_of, truth_of

_FRAMES = {
    ".ts": "// `\nconst a = /[`'\"]/, b = '`', c = \"`\";\nconst code = /* wgsl */ `%s`;\n",
    ".mjs": "export const f = (n) => `${n}${`${n}`}`;\ndevice.createShaderModule({ code: `%s` });\n",
    ".rs": "fn f<'a>(s: &'a str) -> char { '\"' } // r#\"\nconst S: &str = r##\"%s\"##;\n",
    "2.rs": 'fn f<\'a>(s: &\'a str) -> char { \'\\"\' } let a = "\\"";\nconst S: &str = "%s";\n',
    ".cs": 'class A { char c = \'"\'; string t = "@\\""; string s = @"%s"; }\n',
}


def _opened(name: str, text: str, device: str = AMD, folder: Path | None = None) -> HoldingFile:
    file = open_file(folder / name if folder else Path(name), "", Text(text.encode()), project_of(device, folder))
    assert isinstance(file, HoldingFile)
    return file


def _said(kernel: Kernel) -> tuple[object, ...]:
    block, local = kernel.attributes.block, kernel.summary.local
    return kernel.name, block and [it.number for it in block[1]], local.lowest, local.highest


def _kernels(file: HoldingFile | OpenFile) -> list[tuple[object, ...]]:
    return [_said(it) for view in file.views() for it in view.facts.kernels]


def _drawn(file: HoldingFile) -> list[tuple[int, str]]:
    """The hints, each with its line from 1."""
    found = [it for view in file.views() for it in hints(view, 0, len(file.text.content))]
    return [(file.text.line_of(it.offset) + 1, it.label) for it in found]


@pytest.mark.parametrize("language", ["wgsl", "glsl", "hlsl"])
@pytest.mark.parametrize("suffix", _FRAMES)
def test_a_shader_in_a_string_is_what_it_is_in_a_file(language: str, suffix: str) -> None:
    sources = [it["source"] for it in truth_of(language) if "#include" not in it["source"]]
    plain = [it for it in sources if not any(sign in it for sign in ("`", "${", "\\", '"'))]
    assert len(plain) > 50
    for source in random.Random(7).sample(plain, 12):
        alone = OpenFile(Path(f"k.{language}"), language, Text(source.encode()), project_of(AMD, None))
        held = _opened(f"a{suffix}", _FRAMES[suffix] % f"\n{source}")
        assert _kernels(held) == _kernels(alone) != []


_SHADER = """
@group(0) @binding(0) var<storage, read_write> b: array<f32>;
var<workgroup> t: array<f32, ${N}>;
@compute @workgroup_size(${WG})
fn main(@builtin(local_invocation_index) i: u32) {
  t[i] = b[i];
  workgroupBarrier();
  b[i] = t[i ^ 1u];
}
"""


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("const N = 64, M = 2;\n", ([None, 1, 1], 0, None)),
        ("const N = 64;\nconst WG: number = 32;\n", ([32, 1, 1], 256, 256)),
        ("export const N = 64;\nlet WG = 32;\n", ([32, 1, 1], 256, 256)),
        ("const N = 64;\nlet WG = 32;\nif (big) WG = 64;\n", ([None, 1, 1], 256, 256)),
        ("const N = 64;\nlet WG = 32;\nWG *= 2;\n", ([None, 1, 1], 256, 256)),
        ("const N = 64;\nlet WG = 32;\nWG++;\n", ([None, 1, 1], 256, 256)),
        ("const N = 64;\nconst WG = 32;\nfunction f(WG) {}\n", ([None, 1, 1], 256, 256)),
        ("const N = 64;\nconst WG = 32;\nconst f = WG => 1;\n", ([None, 1, 1], 256, 256)),
        ("const N = 64;\nconst WG = 32;\n{ const WG = 64; }\n", ([None, 1, 1], 256, 256)),
        ("const N = 64 as const;\nconst WG = 0x20;\n", ([32, 1, 1], 256, 256)),
        ("const N = 6_4;\nconst WG = 32n;\n", ([None, 1, 1], 256, 256)),
        ("const N = 64\n\nconst WG = 32\n  * 2;\n", ([None, 1, 1], 256, 256)),
        ("const N = 64;\nconst WG = 032;\n", ([None, 1, 1], 256, 256)),
        ("const N = 64;\nconst WG = 32 * 2;\n", ([None, 1, 1], 256, 256)),
        ("const N = 64;\nconst WG = other.WG;\n", ([None, 1, 1], 256, 256)),
    ],
)
def test_holes_are_what_the_file_says_once_and_for_all(before: str, said: tuple[object, ...]) -> None:
    assert _kernels(_opened("a.ts", f"{before}const s = `{_SHADER}`;\n")) == [("main", *said)]


@pytest.mark.parametrize(
    "text",
    [
        "const s = `${helpers}" + _SHADER + "`;",
        "const s = `// What all share.\n${helpers()}\n" + _SHADER + "`;",
        "const s = `" + _SHADER.replace("t[i] = b[i];", "t[i] = b[i]; ${more(`${N}`)}") + "`;",
        "const s = helpers + `" + _SHADER + "`;",
        "const s = `" + _SHADER + "` + helpers;",
        "const s = `" + _SHADER + "`\n  + helpers;",
    ],
)
def test_what_is_put_in_or_added_may_declare_more(text: str, tmp_path: Path) -> None:
    (said,) = _kernels(_opened("a.ts", f"const N = 64;\nconst WG = 32;\n{text}\n", folder=tmp_path))
    assert said[-1] is None


@pytest.mark.parametrize("name", ["a.rs", "a.cs"])
def test_formatted_strings_may_declare_more(name: str, tmp_path: Path) -> None:
    shader = _SHADER.replace("${N}", "64").replace("${WG}", "32")
    frame = 'const S: &str = r#"%s"#;\n' if name == "a.rs" else 'string S = $@"%s";\n'
    for source, most in ((shader, 256), (f"{{helpers}}\n{shader}", None), (shader.replace("{\n", "{{\n"), None)):
        (said,) = _kernels(_opened(name, frame % source, folder=tmp_path))
        assert said[-1] == most


def test_a_hole_may_be_a_number() -> None:
    source = _SHADER.replace("${N}", "${ 0x40 }").replace("${WG}", "${32}, ${2}")
    assert _kernels(_opened("a.ts", f"const s = `{source}`;\n")) == [("main", [32, 2, 1], 256, 256)]


def test_each_string_is_a_shader_of_its_own_and_hints_stand_on_its_lines() -> None:
    one = _SHADER.replace("${N}", "64").replace("${WG}", "64")
    other = _SHADER.replace("${N}", "8192").replace("${WG}", "256")
    file = _opened("a.ts", f"const a = `{one}`;\nconst b = `{other}`;\nconst c = `no shader`;\n", "h100")
    assert _drawn(file) == [(5, "64 thr · 100% if ≤32 regs"), (15, "256 thr · 75% if ≤40 regs · smem")]


@pytest.mark.parametrize(
    "text",
    ["const s = `@compute @workgroup_size(64) fn f() {}", "const s = '@workgroup_size(64)';", "// @workgroup_size", ""],
)
def test_what_is_no_string_of_several_lines_is_silent(text: str) -> None:
    assert _opened("a.ts", text).views() == ()


def test_an_edited_file_says_what_it_says_afresh() -> None:
    draw = random.Random(3)
    text = f"const N = 64;\nconst WG = 32;\nconst a = `{_SHADER}`;\nconst b = `${{N}}{_SHADER}` + `;`;\n"
    file = _opened("a.ts", text)
    for _ in range(150):
        content = file.text.content
        at = draw.randrange(len(content) + 1)
        end = min(len(content), at + draw.choice((0, 0, 1, 3, 30)))
        file.edit(
            at,
            end,
            draw.choice((b"", b"`", b"${", b"}", b"\n", b"64", b"/*", b"'", b"+", b"WG = 1;", _SHADER.encode())),
        )
        fresh = _opened("a.ts", "")
        fresh.replace_all(file.text.content)
        assert _kernels(file) == _kernels(fresh)
