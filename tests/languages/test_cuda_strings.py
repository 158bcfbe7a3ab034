"""CUDA programs in string literals of Python: what is said of them is what is said of the same text in a file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import hints, tooltip
from occupancy_lsp.languages.python import walking
from occupancy_lsp.languages.python.programs import Programs
from occupancy_lsp.session.holding_file import HoldingFile, open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

_ROOT = Path(__file__).parents[2]
_KERNEL = 'extern "C" __global__ void k(float* x) { x[threadIdx.x] = 0; }'


def opened(source: str, device: str = "h100") -> HoldingFile:
    project = Project(None, None, {"devices": [device]})
    file = open_file(Path("k.py"), "python", Text(source.encode()), project)
    assert isinstance(file, HoldingFile)
    return file


def test_programs_elsewhere_are_not_read_for_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    shown = OpenFile.view

    def noted(file: OpenFile) -> View | None:
        read.append(file.text.content)
        return shown(file)

    monkeypatch.setattr(OpenFile, "view", noted)
    each = (f"k{it} = cupy.RawKernel(r'''\n{_KERNEL.replace('k(', f'k{it}(')}\n''', 'k{it}')\n" for it in range(9))
    file = opened(f"import cupy\n{''.join(each)}")
    at = file.text.content.index(b"k5(")
    (view,) = file.views_on_line(at)
    assert [it.qualified for it in view.facts.kernels] == ["k5"] and len(read) == 1
    assert [view for view in file.views() if view.is_at(at)] == [view]
    assert not file.views_on_line(0)


def drawn(source: str) -> list[tuple[int, str]]:
    """The hints, each with its line from 1."""
    file = opened(source)
    found = [it for view in file.views() for it in hints(view, 0, len(file.text.content))]
    return [(file.text.line_of(it.offset) + 1, it.label) for it in found]


# -- which literals


@pytest.mark.parametrize(
    "source",
    [
        'import cupy\nk = cupy.RawKernel(r"""KERNEL""", "k")\n',
        'import cupy as cp\ncode = r"""\nKERNEL\n"""\nk = cp.RawKernel(code, "k")\n',
        "from cupy import RawModule\ndef f():\n"
        "    text = '''KERNEL'''\n    return RawModule(code=text, options=('-O3',))\n",
        'import cupy\nk = cupy.RawKernel("QUOTED", name="k")\n',
        'import cupy\nk = cupy.RawKernel("extern \\"C\\" __global__ "\n'
        '    "void k(float* x) { "  # sizes\n    "x[threadIdx.x] = 0; }", "k")\n',
        'import cupy\nHEAD = "#define T float\\n"\nk = cupy.RawKernel(HEAD + r"""KERNEL""", "k")\n',
        'import cupy\nfrom textwrap import dedent\nk = cupy.RawKernel(dedent("""\n    KERNEL\n    """), "k")\n',
        "from torch.utils.cpp_extension import load_inline\n"
        'load_inline(name="m", cpp_sources="", cuda_sources=["QUOTED"])\n',
        'import torch\nS = r"""KERNEL"""\ntorch.utils.cpp_extension.load_inline("m", "", S)\n',
        'from cuda.core.experimental import Program\np = Program(r"""KERNEL""", code_type="c++")\n',
        'from cuda.bindings import nvrtc\nnvrtc.nvrtcCreateProgram("QUOTED".encode(), b"k.cu", 0, [], [])\n',
        'from pycuda.compiler import SourceModule\nm = SourceModule("""KERNEL""")\n',
        'from pycuda.compiler import DynamicSourceModule\nm = DynamicSourceModule("""KERNEL""", keep=True)\n',
        'class A:\n    def __init__(self):\n        self.k = cupy.RawKernel(r"""KERNEL""", "k")\n',
    ],
)
def test_programs_are_found(source: str) -> None:
    quoted = _KERNEL.replace('"', '\\"')
    plainly = source.replace("QUOTED", quoted).replace("KERNEL", _KERNEL)
    assert [it.kernel.name for view in opened(plainly).views() for it in view.reports] == ["k"]


@pytest.mark.parametrize(
    "code",
    [
        'r"""KERNEL""" % 3',
        'r"""KERNEL""".format(3)',
        'r"""KERNEL""".replace("float", "double")',
        'MANY + r"""KERNEL"""',
        'unknown(r"""KERNEL""")',
        'Template(r"""KERNEL""").substitute(n=3)',
        '"__glo" "bal__ void k() {}"',  # tokens reach from one literal into the next
        '"\\x5f_global__ __global__ void k() {}"',
        'f"""__global__ void {name}() {{}}"""',
        'f"""__global__ void k() {{ {body} }}"""',
        'rb"""KERNEL"""',
    ],
)
def test_texts_that_are_not_plain_are_not_read(code: str) -> None:
    made = code.replace("KERNEL", _KERNEL)
    assert opened(f'import cupy\nMANY = "a"\nMANY = "b"\nk = cupy.RawKernel({made}, "k")\n').views() == ()


def test_characters_stay_what_they_are() -> None:
    """With a blank in it, a character would be another."""
    source = (
        "import cupy\ncode = '__global__ void k(float* x) { __shared__ float s[\\'a\\']; "
        "s[threadIdx.x] = 1; x[0] = s[1]; }'\nk = cupy.RawKernel(code, 'k')\n"
    )
    (view,) = opened(source).views()
    assert b" 'a']" in view.source.item_text(view.facts.kernels[0].item)


def test_linkage_stays_what_it_is() -> None:
    source = 'import cupy\ncode = "extern \\"C\\" {\\n__global__ void k() {}\\n}"\nk = cupy.RawKernel(code, \'k\')\n'
    (view,) = opened(source).views()
    assert view.source.item_text(view.facts.kernels[0].item).split()[0] == b"__global__"


def test_a_name_that_is_given_two_texts_is_not_read() -> None:
    source = (
        f"import cupy\ncode = r'''{_KERNEL}'''\nif old:\n    code = r'''{_KERNEL} '''\nk = cupy.RawKernel(code, 'k')\n"
    )
    assert opened(source).views() == ()


def test_holes_of_f_strings_are_not_known() -> None:
    source = dedent(
        '''
        import cupy
        code = f"""
        extern "C" __global__ void __launch_bounds__({N}) k(float* x) {{
            __shared__ float s[{M}][4];
            s[threadIdx.x][0] = x[0]; __syncthreads(); x[threadIdx.x] = s[0][1];
        }}
        """
        k = cupy.RawKernel(code, "k")
        k((1,), (128,), (x,))
        '''
    )
    (view,) = opened(source).views()
    (report,) = view.reports
    assert (
        report.kernel.attributes.bounds is not None and report.kernel.attributes.bounds.max_threads.value.number is None
    )
    assert report.size.exact == 128
    assert drawn(source) == [(4, "100% if ≤32 regs, ≤13 KiB smem")]  # neither are its bytes


# -- options and launches


def test_options_define_macros_and_limit_registers() -> None:
    source = dedent(
        '''
        import cupy
        N = 64
        code = r"""
        extern "C" __global__ void __launch_bounds__(N) k(float* x) { x[threadIdx.x] = 0; }
        """
        k = cupy.RawKernel(code, "k", options=(f"-DM=3", "-DN=" "512", "--maxrregcount=40"))
        '''
    )
    (view,) = opened(source.replace('f"-DM=3", ', "")).views()
    kernel = view.reports[0].kernel
    assert kernel.attributes.bounds is not None and kernel.attributes.bounds.max_threads.value.number == 512
    assert view.reports[0].options.max_registers == 40


_DEFAULT = """
#ifndef N
#define N 128
#endif
__global__ void __launch_bounds__(N) k(float* x) {
    __shared__ float s[N]; s[threadIdx.x] = *x; __syncthreads(); *x = s[1]; }
"""


@pytest.mark.parametrize(
    ("call", "bound"),
    [
        ("cupy.RawKernel(code, 'k')", 128),
        ("cupy.RawKernel(code, 'k', options=('-O3', '-I' + here, f'-arch=sm_{n}'))", 128),
        ("cupy.RawKernel(code, 'k', ('-DN=64',))", 64),
        ("cupy.RawKernel(code, 'k', options=('-D', 'N=64'))", 64),
        ("cupy.RawKernel(code, 'k', options=('-DN=%d' % n,))", None),
        ("cupy.RawKernel(code, 'k', options=(f'-DN={n}',))", None),
        ("cupy.RawKernel(code, 'k', options=('-DN=' + str(n),))", None),
        ("cupy.RawKernel(code, 'k', options=('-DN={}'.format(n),))", None),
        ("cupy.RawKernel(code, 'k', options=(f'-DM={n}',))", 128),
        ("cupy.RawKernel(code, 'k', options=(f'-D{n}=1',))", None),
        ("cupy.RawKernel(code, 'k', options=n)", None),
        ("cupy.RawKernel(code, 'k', options=('-O3', *n))", None),
        ("cupy.RawKernel(code, 'k', options=['-O3'] + n)", None),
        ("cupy.RawModule(code=code, **n)", None),
        ("SourceModule(code, options=None)", 128),
        ("load_inline('m', '', code)", 128),
        ("nvrtcCreateProgram(code, b'k', 0, [], [])", None),
        ("Program(code, 'c++', ProgramOptions(std='c++17'))", 128),
        ("Program(code, 'c++', ProgramOptions(define_macro=('N', 64)))", 64),
        ("Program(code, 'c++', ProgramOptions(define_macro=['M', ('N', '64')]))", 64),
        ("Program(code, 'c++', ProgramOptions(define_macro=[('N', n)]))", None),
        ("Program(code, 'c++', ProgramOptions(**n))", None),
        ("Program(code, 'c++', n)", None),
    ],
)
def test_a_default_is_not_taken_where_options_may_define_the_macro(call: str, bound: int | None) -> None:
    (view,) = opened(f"code = r'''{_DEFAULT}'''\ndef make(n, here):\n    return {call}\n").views()
    (report,) = view.reports
    assert report.kernel.attributes.bounds is not None
    assert report.kernel.attributes.bounds.max_threads.value.number == bound
    assert report.kernel.summary.local.exact == (bound and 4 * bound)


@pytest.mark.parametrize(
    ("lines", "size"),
    [
        ('k = cupy.RawKernel(code, "k")\nk((4,), (N,), (x,))', 256),
        ('k = cupy.RawKernel(code, "k")\ndef f(n):\n    block = (16, 16)\n    k((n,), block, (x,), shared_mem=4)', 256),
        ('k = cupy.RawKernel(code, "k")\ndef f(n):\n    k((1,), (n,), (x,))', None),
        ('k = cupy.RawKernel(code, "k")\nk(grid=(4,), block=(32, 4), args=(x,))', 128),
        ('m = cupy.RawModule(code=code)\nk = m.get_function("k")\nk((4,), (96,), ())', 96),
        ('m = cupy.RawModule(code=code)\nm.get_function("k")((4,), (96,), ())', 96),
        ('m = SourceModule(code)\nf = m.get_function("k")\nf(x, y, block=(64, 2, 1), grid=(1, 1))', 128),
        (
            'p = Program(code, "c++")\nm = p.compile("cubin")\nk = m.get_kernel("k")\n'
            "c = LaunchConfig(grid=4, block=192)\nlaunch(s, c, k, x)",
            192,
        ),
    ],
)
def test_launches_reach_the_kernel(lines: str, size: int | None) -> None:
    source = f"import cupy\nN = 256\ncode = r'''{_KERNEL}'''\n{lines}\n"
    (view,) = opened(source).views()
    (report,) = view.reports
    (far,) = report.far
    assert (far.launch.size.number, source.splitlines()[far.line - 1].count("(") > 0) == (size, True)
    assert report.size.exact == size


@pytest.mark.parametrize(
    ("members", "size"),
    [
        ("def __init__(self):\n  self.k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  self.k((1,), (N,), x)", 256),
        (
            "def __init__(self):\n  self.m = SourceModule(code)\n  self.k = self.m.get_function('k')\n"
            " def run(self, x):\n  self.k(x, block=(64, 1, 1), grid=(1, 1))",
            64,
        ),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  self.k((1,), (N,), x)", 256),
        ("k = cupy.RawKernel(code, 'k')\n @classmethod\n def run(cls, x):\n  cls.k((1,), (N,), x)", 256),
        (
            "def run(self, x):\n  k = SourceModule(code).get_function('k')\n  k.prepare('P')\n"
            "  k.prepared_async_call((1, 1), (32, 4, 1), self.s, x, shared_size=64)",
            128,
        ),
        (
            "def __init__(self, k):\n  self.k = cupy.RawKernel(code, 'k')\n  self.k = k\n"
            " def run(self, x):\n  self.k((1,), (N,), x)",
            None,
        ),
        (
            "def __init__(self, m):\n  self.k = cupy.RawKernel(code, 'k')\n  self.k, self.m = m\n"
            " def run(self, x):\n  self.k((1,), (N,), x)",
            None,
        ),
        (
            "def __init__(self):\n  self.k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  x.k((1,), (N,), x)",
            None,
        ),
        (
            "k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  def f(self):\n   self.k((1,), (N,), x)",
            None,
        ),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  self.k((1,), (N,), x)\na = A()\na.k = other", None),
        (
            "k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  self.k((1,), (N,), x)\n"
            "class C(B):\n def f(self):\n  self.k = other\nclass B(A): ...",
            None,
        ),
        (
            "k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  self.k((1,), (N,), x)\n"
            "class B(Generic[A]):\n k = other",
            None,
        ),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  self.k((1,), (N,), x)\nclass B(A):\n j = 1", 256),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  self.k((1,), (N,), x)\nclass B(C):\n k = 1", 256),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  setattr(self, 'k', x)\n  self.k((1,), (N,), x)", None),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  setattr(self, x, x)\n  self.k((1,), (N,), x)", None),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  setattr(self, 'j', x)\n  self.k((1,), (N,), x)", 256),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  self.k((1,), (N,), x)\nsetattr(A, 'k', other)", None),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  import self\n  self.k((1,), (N,), x)", None),
        ("k = cupy.RawKernel(code, 'k')\n def run(self, x):\n  lambda self: self.k((1,), (N,), x)", None),
        ("k = cupy.RawKernel(code, 'k')\n @staticmethod\n def run(self, x):\n  self.k((1,), (N,), x)", None),
        ("k = cupy.RawKernel(code, 'k')\n def k(self): ...\n def run(self, x):\n  self.k((1,), (N,), x)", None),
        ("k = cupy.RawKernel(code, 'k')\n from other import k\n def run(self, x):\n  self.k((1,), (N,), x)", None),
    ],
)
def test_launches_of_members(members: str, size: int | None) -> None:
    (view,) = opened(f"import cupy\nN = 256\ncode = r'''{_KERNEL}'''\nclass A:\n {members}\n").views()
    assert [it.launch.size.number for it in view.reports[0].far] == ([size] if size else [])


def test_a_member_that_is_given_elsewhere_while_the_file_is_edited() -> None:
    before = f"import cupy\ncode = r'''{_KERNEL}'''\nclass A:\n k = cupy.RawKernel(code, 'k')\n"
    before += " def run(self, x):\n  self.k((1,), (64,), x)\n"
    programs = Programs()
    sizes = []
    for text in (before, f"{before}a = A()\na.k = other\n", before):
        (program,) = programs.of(text.encode())
        sizes.append([it.launch.size.number for it in program.launches])
    assert sizes == [[64], [], [64]]


def test_a_name_that_is_set_by_a_text_is_not_known() -> None:
    source = f"import cupy\nk = cupy.RawKernel(r'''{_KERNEL}''', 'k')\ndef run(x):\n    k((1,), (64,), x)\n"
    (alone,), (changed,) = (opened(it).views() for it in (source, f"{source}setattr(module, 'k', other)\n"))
    assert [len(it.reports[0].far) for it in (alone, changed)] == [1, 0]


def test_launches_of_members_are_read_in_work_that_grows_with_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    children, visited = walking.children, 0

    def counted(node: ast.AST) -> list[ast.AST]:
        nonlocal visited
        visited += 1
        return children(node)

    def work(methods: int) -> int:
        nonlocal visited
        visited = 0
        launching = "".join(f" def r{it}(self, x):\n  self.k((1,), ({it + 1},), x)\n" for it in range(methods))
        source = f"import cupy\ncode = r'''{_KERNEL}'''\nclass A:\n k = cupy.RawKernel(code, 'k')\n{launching}"
        (program,) = Programs().of(source.encode())
        assert len(program.launches) == methods
        return visited

    monkeypatch.setattr(walking, "children", counted)
    few, many = work(25), work(100)
    assert many < 5 * few


_GETTER = """
def get(module, name, *given):
    types = ', '.join(it.dtype for it in given)
    full = f'{name}<{types}>' if given else name
    kernel = module.get_function(full)
    return kernel
"""


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (f"{_GETTER}def run(x):\n    k = get(m, 'k', x)\n    k((1,), (64,), x)\n", [64]),
        (f"{_GETTER}def run(x):\n    get(name='k', module=m)((1,), (64,), x)\n", [64]),
        ("def get(name):\n    return m.get_function(name)\nget('k')((1,), (64,), x)\n", [64]),
        ("def run(t, x):\n    m.get_function(f'k<{t}>')((1,), (64,), x)\n", [64]),
        ("def run(t, x):\n    m.get_function('k<{}>'.format(t))((1,), (64,), x)\n", [64]),
        ("def run(t, x):\n    m.get_function('k<' + t + '>')((1,), (64,), x)\n", [64]),
        ("def run(t, x):\n    m.get_function('k%s' % t)((1,), (64,), x)\n", []),
        ("def run(t, x):\n    m.get_function(f'k_{t}')((1,), (64,), x)\n", []),
        ("def run(t, x):\n    m.get_function(f'{t}<float>')((1,), (64,), x)\n", []),
        (f"{_GETTER}def run(x, m):\n    get(m, 'k', x)((1,), (64,), x)\n", []),
        (f"{_GETTER.replace('types =', 'module =')}def run(x):\n    get(m, 'k', x)((1,), (64,), x)\n", []),
        (f"{_GETTER.replace('else name', 'else x')}def run(x):\n    get(m, 'k', x)((1,), (64,), x)\n", []),
        (f"{_GETTER}def get(name):\n    return other(name)\ndef run(x):\n    get(m, 'k', x)((1,), (64,), x)\n", []),
        ("def get(n):\n    if n:\n        return 1\n    return m.get_function(n)\nget('k')((1,), (64,), x)\n", []),
    ],
)
def test_a_kernel_that_a_function_of_the_file_gets(text: str, sizes: list[int]) -> None:
    (view,) = opened(f"import cupy\nm = cupy.RawModule(code=r'''{_KERNEL}''')\n{text}").views()
    assert [it.launch.size.number for it in view.reports[0].far] == sizes


def test_what_a_function_is_given_is_not_what_the_file_calls_so() -> None:
    text = f"import cupy\ncode = r'''{_KERNEL}'''\ndef make(code):\n    return cupy.RawKernel(code, 'k')\n"
    assert opened(text).views() == ()


def test_launches_are_of_their_own_program() -> None:
    source = (
        f"import cupy\na = cupy.RawKernel(r'''{_KERNEL}''', 'k')\nb = cupy.RawKernel(r''' {_KERNEL}''', 'k')\n"
        "a((1,), (64,), ())\nb((1,), (1024,), ())\n"
    )
    assert [it.reports[0].size.exact for it in opened(source).views()] == [64, 1024]


_SIZED = """
// occupancy: regs=40
extern "C" __global__ void k(float* x) { x[threadIdx.x] = 0; }
"""
_IN_PYTHON = {
    "cupy.RawKernel": ("k = cupy.RawKernel(r'''TEXT''', 'k')", "k((4,), ({0},), (x,), shared_mem={1})"),
    "cupy.RawModule": (
        "k = cupy.RawModule(code=r'''TEXT''').get_function('k')",
        "k(grid=(4,), block=({0}, 1), args=(x,), shared_mem={1})",
    ),
    "pycuda": ("k = SourceModule(r'''TEXT''').get_function('k')", "k(x, block=({0}, 1, 1), grid=(4, 1), shared={1})"),
    "cuda.core": (
        "k = Program(r'''TEXT''', 'c++').compile('cubin').get_kernel('k')",
        "launch(s, LaunchConfig(grid=4, block={0}, shmem_size={1}), k, x)",
    ),
}


@pytest.mark.parametrize("way", _IN_PYTHON)
@pytest.mark.parametrize(
    "launches",
    [
        [(256, 0)],
        [(256, 0), (1024, 0)],
        [(96, 8192), (512, 40000), (96, 8192)],
        [(64, 0), (2048, 0)],
        [(32, 0), ("n", 0)],
    ],
)
def test_launches_have_the_hints_that_they_have_in_a_file(way: str, launches: list[tuple[object, int]]) -> None:
    made, launch = _IN_PYTHON[way]
    python = made.replace("TEXT", _SIZED) + "\n" + "".join(f"{launch.format(*it)}\n" for it in launches)
    cuda = _SIZED + "void f(int n) {\n" + "".join("k<<<4, {}, {}>>>(x);\n".format(*it) for it in launches) + "}\n"
    alone = OpenFile(None, "cuda-cpp", Text(cuda.encode()), Project(None, None, {"devices": ["h100"]})).view()
    assert alone is not None
    lines = cuda.splitlines().index("void f(int n) {")
    expected = [(alone.text.line_of(it.offset) - lines, it.label) for it in hints(alone, 0, len(cuda))]
    before = made.replace("TEXT", _SIZED).count("\n") + 1
    assert [it for it in sorted((line - before, label) for line, label in drawn(python)) if it[0] > 0] == [
        it for it in expected if it[0] > 0
    ]
    assert len(launches) < 2 or any(line > 0 for line, _ in expected)


def test_a_hint_at_a_launch_has_the_text_of_that_launch() -> None:
    source = "import cupy\nk = cupy.RawKernel(r'''" + _SIZED + "''', 'k')\nk((4,), (256,), ())\nk((4,), (1024,), ())\n"
    (view,) = opened(source).views()
    found = [it for it in hints(view, 0, len(source)) if view.text.line_of(it.offset) > 4]
    assert [("at 1024 threads on" in str(tooltip(view, it.key or "")), it.label[:3]) for it in found] == [
        (False, "75%"),
        (True, "50%"),
    ]


@pytest.mark.parametrize("way", _IN_PYTHON)
@pytest.mark.parametrize(("threads", "codes"), [(256, []), (512, ["OCC005"]), (2048, ["OCC001", "OCC005"])])
def test_launches_that_fail_are_errors(way: str, threads: int, codes: list[str]) -> None:
    made, launch = _IN_PYTHON[way]
    text = _SIZED.replace("void k", "void __launch_bounds__(256) k")
    source = f"import cupy\n{made.replace('TEXT', text)}\n{launch.format(threads, 0)}\n"
    (view,) = opened(source).views()
    found = [it for it in diagnostics(view) if it.severity == "error"]
    assert [it.code for it in found] == codes[-1:]
    assert all(f"launched at k.py:{source.count(chr(10))} with {threads} threads" in it.message for it in found)


@pytest.mark.parametrize("way", _IN_PYTHON)
def test_launches_that_nothing_runs_are_no_errors(way: str) -> None:
    made, launch = _IN_PYTHON[way]
    *before, last = launch.format(2048, 0).split("\n")
    source = "\n".join(("import cupy", made.replace("TEXT", _SIZED), *before, f"if False:\n    {last}\n"))
    (view,) = opened(source).views()
    assert not [it for it in diagnostics(view) if it.severity == "error"]


# -- words


@pytest.mark.parametrize("way", _IN_PYTHON)
def test_no_one_is_asked_to_compile_a_string(way: str) -> None:
    text = _SIZED.replace("// occupancy: regs=40\n", "")
    made, launch = _IN_PYTHON[way]
    source = f"import cupy\n{made.replace('TEXT', text)}\n{launch.format(256, 0)}\n"
    (view,) = opened(source).views()
    said = str(explain(view, 0))
    assert "occupancy: regs=N" in said
    assert "ompile" not in said
    assert "no visible launch" not in said


# -- the same as in a file


def _texts() -> Iterator[Path]:
    yield from sorted((_ROOT / "examples").rglob("*.cu"))
    yield from sorted((_ROOT / "tests" / "data").rglob("*.cu"), key=lambda it: it.stat().st_size)[::8]


def _raw(text: str) -> str | None:
    return None if '"""' in text else f'import cupy\nm = cupy.RawModule(code=r"""{text}""")\n'


def _escaped(text: str) -> str | None:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return None if "\t" in text else f'import cupy\nm = cupy.RawModule(code="""{quoted}""")\n'


def _lines(text: str) -> str | None:
    quoted = text.replace("\\", "\\\\").replace("'", "\\'").splitlines()
    each = "\n".join(f"    '{it}\\n'" for it in quoted)
    if re.search(r"\w'", text):  # as in 1'000
        return None
    return f"import cupy\nm = cupy.RawModule(code=(\n{each}\n))\n"


def _mapping(text: bytes, view: View, wrapped: bytes) -> list[int]:
    """Where each byte of the text stands in the Python file that holds it."""
    places: list[int] = []
    for passage in view.passages:
        at = passage.start
        while at < passage.end:
            raw = "\\" not in passage.refused
            escape = not raw and wrapped[at : at + 1] == b"\\"
            places.append(at + 1 if escape and wrapped[at + 1 : at + 2] != b"n" else at)
            at += 2 if escape else 1
    assert len(places) >= len(text)
    return [*places[: len(text)], places[len(text) - 1] + 1]


def _literals() -> Iterator[tuple[str, str]]:
    """The texts that can be written so, each as the literal."""
    for path in _texts():
        text = path.read_text()
        if text.isascii() and "\r" not in text and text.endswith("\n") and "\f" not in text:
            yield from ((text, wrapped) for wrap in (_raw, _escaped, _lines) if (wrapped := wrap(text)) is not None)


@pytest.mark.parametrize(("text", "wrapped"), [*_literals()], ids=lambda it: f"{len(it)} characters")
def test_a_string_says_what_a_file_says(text: str, wrapped: str) -> None:
    alone = OpenFile(None, "cuda-cpp", Text(text.encode()), Project(None, None, {"devices": ["h100"]})).view()
    assert alone is not None
    views = opened(wrapped).views()
    if not alone.facts.kernels and not views:
        return
    (view,) = views
    places = _mapping(text.encode(), view, wrapped.encode())
    assert [places[alone.span(it.name_place)[0]] for it in alone.facts.kernels] == [
        view.span(it.name_place)[0] for it in view.facts.kernels
    ]
    lines = [view.text.line_of(places[alone.text.line_start(it)]) for it in range(alone.text.line_count)]
    whole = len(text)
    expected = sorted((it.label, lines[alone.text.line_of(it.offset)]) for it in hints(alone, 0, whole))
    assert sorted((it.label, view.text.line_of(it.offset)) for it in hints(view, 0, len(wrapped))) == expected
    findings = [(it.code, it.severity, it.message, places[it.start]) for it in diagnostics(alone)]
    assert [(it.code, it.severity, it.message, it.start) for it in diagnostics(view)] == findings
    edits = {(it.title, *((places[e.start], e.new) for e in it.edits)) for it in actions(alone, 0, whole) if it.edits}
    written = {(it.title, *((e.start, e.new) for e in it.edits)) for it in actions(view, 0, len(wrapped)) if it.edits}
    assert written <= edits
    if wrapped == _raw(text):
        assert {it for it in edits if not any('"' in str(one) for one in it)} == written
