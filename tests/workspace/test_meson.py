"""How Meson compiles a source, by the text of `meson.build`.

The truth: the commands that Meson 1.12.1 writes of the same files with nvcc 13.0, without what is for the host alone.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from occupancy_lsp.workspace.build_commands import command_by_build_file
from occupancy_lsp.workspace.compile_commands import Made
from occupancy_lsp.workspace.meson.syntax import statements_of
from tests.fuzz.mutations import mutate

_PROJECT = """\
project('own', 'cpp', default_options: ['buildtype=release', 'cuda_std=c++17'])
add_languages('cuda')
cuda = import('unstable-cuda')
nvcc = meson.get_compiler('cuda')
add_project_arguments('-DOWN_A=1', '--expt-relaxed-constexpr', language: 'cuda')
add_project_arguments('-DOWN_HOST', language: ['c', 'cpp'])
if get_option('fast')
  add_project_arguments('-use_fast_math', language: ['cuda'])
endif
arch = cuda.nvcc_arch_flags(nvcc.version(), 'Auto', detected: '9.0')
inc = include_directories('inc')
dep = declare_dependency(include_directories: inc, compile_args: ['-DOWN_DEP'])
flags = ['-lineinfo']
if get_option('kind') == 'a' and not get_option('deep').disabled()
  flags += ['-maxrregcount=64']
endif
foreach n, v : {'OWN_N': '4', 'OWN_M': '8'}
  flags += '-D@0@=@1@'.format(n, v)
endforeach
subdir('src')
"""
_OPTIONS = """\
option('fast', type: 'boolean', value: true, description: 'fast')
option('kind', type: 'combo', choices: ['a', 'b'])
option('deep', type: 'feature', value: 'enabled')
"""
_TARGETS = """\
sources = files('k.cu') + ['l.cu']
lib = static_library('k', sources, cuda_args: arch + flags, dependencies: [dep], install: false)
executable('m', 'm.cu', cuda_args: '-DONLY_M', include_directories: inc, override_options: ['optimization=2'])
"""
_ALL = "--std=c++17 -DOWN_A=1 --expt-relaxed-constexpr -use_fast_math -I../inc -I../src"
_CHECKS = ("-DCCCL_ENABLE_ASSERTIONS=1", "-D_GLIBCXX_ASSERTIONS=1")


def told(root: Path, files: dict[str, str], source: str) -> Made | None:
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    found = command_by_build_file(root / source, root, lambda commands: len({*commands}) == 1)
    assert found is None or found[1] == root / "meson.build"
    return found[0] if found is not None else None


def words(made: Made | None, root: Path) -> set[str]:
    """All but the compiler and the source, as Meson gives them from its build folder beside."""
    assert made is not None and made.command.arguments[0] == "nvcc"
    return {it.replace(f"-I{root}/", "-I../").replace(f"-I{root}", "-I..") for it in made.command.arguments[1:-2]}


@pytest.mark.parametrize(
    ("source", "own"),
    [
        ("k", "-O3 -lineinfo -maxrregcount=64 -DOWN_N=4 -DOWN_M=8 -DOWN_DEP"),
        ("l", "-O3 -lineinfo -maxrregcount=64 -DOWN_N=4 -DOWN_M=8 -DOWN_DEP"),
        ("m", "-O2 -lineinfo -DONLY_M"),
    ],
)
def test_the_flags_as_given(tmp_path: Path, source: str, own: str) -> None:
    files = {"meson.build": _PROJECT, "meson_options.txt": _OPTIONS, "src/meson.build": _TARGETS}
    made = told(tmp_path, files, f"src/{source}.cu")
    assert words(made, tmp_path) == {*_ALL.split(), *own.split()}
    assert made is not None and made.doubted == _CHECKS and not made.strange


@pytest.mark.parametrize(
    ("options", "known", "doubted"),
    [
        ("", "", "-G"),  # `debug` by default, but most set it up otherwise
        ("default_options: 'buildtype=debug'", "-G", ""),
        ("default_options: {'optimization': 's'}", "-O3", ""),
        ("default_options: ['buildtype=plain']", "", ""),
        ("default_options: ['buildtype=release', 'b_ndebug=if-release']", "-O3 -DNDEBUG", None),
    ],
)
def test_what_optimises(tmp_path: Path, options: str, known: str, doubted: str | None) -> None:
    files = {"meson.build": f"project('p', 'cuda', {options})\nexecutable('k', 'k.cu')\n"}
    made = told(tmp_path, files, "k.cu")
    assert words(made, tmp_path) == {"-I..", *known.split()}
    assert made is not None and made.doubted == (() if doubted is None else (*doubted.split(), *_CHECKS))


@pytest.mark.parametrize(
    ("text", "known", "doubted", "strange"),
    [
        ("a = ['-DA']\nb = a\nb += '-DB'\nlibrary('k', 'k.cu', cuda_args: a)\n", "-DA", "", ""),
        ("a = []\nif run_command('x').returncode() == 0\na += '-DA'\nelse\na += '-DB'\nendif\na += '-DC'\n"
         "library('k', 'k.cu', cuda_args: a)\n", "-DC", "-DA -DB", ""),
        ("d = dependency('cuda', required: false)\nif not d.found()\nerror('x')\nendif\n"
         "library('k', 'k.cu', dependencies: [d, dependency('opencv4')], cuda_args: d.found() ? '-DA' : '-DB')\n",
         "-DA", "", "dependency('opencv4')"),
        ("n = find_program('nvcc', required: false)\nif n.found()\ncustom_target('k', input: 'k.cu', output: 'k.o',\n"
         "  command: [n, ['-arch=all', '-DA'], '-c', '@INPUT@', '-o', '@OUTPUT@', '-I', meson.current_source_dir()])\n"
         "endif\n", "-arch=all -DA -I {root}", "", ""),
        ("library('k', 'k.cu', kwargs: {'cuda_args': ['-DA', '-arch=' + run_command('x').stdout()]})", "-DA", "", ""),
        ("n = meson.get_compiler('cuda')\nlibrary('k', 'k.cu', cuda_args: n.get_supported_arguments(['-DA']))\n",
         "", "-DA", ""),
        ("if false\nlibrary('x', 'k.cu', cuda_args: '-DX')\nelif 'b' in ['a', 'b'] and 2 + 3 * 4 == 14\n"
         "library('k', 'k.cu', cuda_args: '''-DA''' + '=' + f'@v@')\nendif\n", "-DA=1", "", ""),
        ("foreach n : ['a', 'k']\nif n == 'a'\ncontinue\nendif\nlibrary(n, n + '.cu', cuda_args: '-D' + n.to_upper())\n"
         "endforeach", "-DK", "", ""),
        ("subdir('sub')", "-DSUB", "", ""),
        ("py = import('python').find_installation()\npy.extension_module('k', files('k.cu'), cuda_args: '-DA')\n",
         "-DA", "", ""),
    ],
)  # fmt: skip
def test_what_the_language_says(tmp_path: Path, text: str, known: str, doubted: str, strange: str) -> None:
    head = "project('p', 'cuda', default_options: ['buildtype=plain', 'b_ndebug=true'])\nv = '1'\n"
    sub = "library('k', '../k.cu', cuda_args: '-DSUB')\nsubdir_done()\nlibrary('l', '../k.cu')\n"
    made = told(tmp_path, {"meson.build": head + text, "sub/meson.build": sub}, "k.cu")
    own = {*known.format(root=tmp_path).split(), "-DNDEBUG"} - ({"-DNDEBUG"} if "custom_target" in text else set())
    assert words(made, tmp_path) - {"-I..", "-I../sub"} == own
    assert made is not None and (" ".join(made.doubted), " ".join(made.strange)) == (doubted, strange)


def test_what_no_text_tells(tmp_path: Path) -> None:
    head = "project('p', 'cuda')\n"
    for text in (
        "library('k', 'k.cu')\nlibrary('l', 'k.cu', cuda_args: '-DA')\n",
        "library('l', 'l.cu')\n",
        "x = = 1\n",
    ):
        assert told(tmp_path, {"meson.build": head + text}, "k.cu") is None
    doubling = "a = ['x']\n" + "a = [a, a]\n" * 60 + "library('k', 'k.cu', cuda_args: a)\n"
    assert told(tmp_path, {"meson.build": head + doubling}, "k.cu") is None
    assert told(tmp_path, {"meson.build": head + "subdir('.')\n"}, "k.cu") is None


@pytest.mark.parametrize(
    "text",
    [
        "foreach i : split\n{}endforeach\n".format("if i == run\nf += '-DB'\nbreak\nendif\n" * 1500),
        "if run\nf += '-DA'\nendif\nlibrary('k', 'k.cu', cuda_args: f)\n" * 1500,
        "if run\nv = '-DA'\nelse\nv = '-DB'\nendif\nf += v\n" * 1500,
    ],
    ids=["left in doubt", "targets", "set in doubt"],
)
def test_doubts_upon_doubts_are_given_up(tmp_path: Path, text: str) -> None:
    """Without a budget these take minutes."""
    began = time.process_time()
    end = "library('k', 'k.cu', cuda_args: f)\n"
    assert told(tmp_path, {"meson.build": f"project('p', 'cuda')\nf = []\n{text}{end}"}, "k.cu") is None
    assert time.process_time() - began < 20


def test_damaged_texts(tmp_path: Path) -> None:
    files = {"meson_options.txt": _OPTIONS, "src/meson.build": _TARGETS}
    source = random.Random(53)
    for _ in range(300):
        text = mutate(source, _PROJECT.encode(), [_TARGETS.encode()]).decode("utf-8", "replace").replace("\0", "")
        told(tmp_path, {**files, "meson.build": f"project('own')\n{text}"}, "src/k.cu")
    with pytest.raises(ValueError, match="deep"):
        statements_of("x = " + "(" * 500 + ")" * 500)
