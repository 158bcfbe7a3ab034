"""A Python file that was edited says what the same text says that is read anew."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from occupancy_lsp.core.sequences import shared_bytes
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.languages.numba import NUMBA
from occupancy_lsp.languages.python.cutting import Cutting
from occupancy_lsp.languages.triton import TRITON
from occupancy_lsp.session.holding_file import HoldingFile, open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.source.incremental.kernel_text import KernelText

SOURCE = """\
import triton
from triton import Config

WARPS = 8
EACH = [4, WARPS]


def made(warps, stages=2):
    return [Config({}, num_warps=warps, num_stages=stages)]


MORE = [Config({}, num_warps=it) for it in EACH] + made(WARPS)


@triton.autotune(configs=MORE, key=[])
@triton.jit
def tuned(x, n):
    helper(x)


@triton.autotune(configs=[triton.Config({}, num_warps=2), *made(16, stages=3)], key=[])
@triton.jit
def also(x):
    pass


@triton.jit
def helper(x):
    return x


@triton.jit
def plain(x):
    pass


def run(x):
    plain[(1,)](x, num_warps=WARPS)
"""
# What takes another's place, so that names, places and kernels come and go.
SWAPS = [
    ("WARPS = 8", "WARPS = 2"),
    ("[4, WARPS]", "[1, WARPS, 32]"),
    ("from triton import Config", "from elsewhere import Config"),
    ("stages=2", "stages=5"),
    ("MORE = ", "OTHERS = "),
    ("helper(x)\n", "helper(x, warp_specialize=True)\n"),
    ("made(16, stages=3)", "made(1)"),
    ("@triton.jit\ndef plain", "def plain"),
    ("import triton\n", "FIRST = 1\nSECOND = 2\nimport triton\n"),
    ("def run(x):\n", "def run(x):\n    WARPS = 1\n"),
    ("EACH = ", "EACH = WARPS = "),
    ("    pass", "    return x"),
    ("key=[]", "key=["),
]


def said(text: KernelText) -> object:
    """Its facts, with places as offsets in the file."""
    facts = text.facts({})
    kernels = [
        (
            it.name,
            text.start_of(it.item) + it.name_place.start,
            [(one.arguments, one.attributes.block) for one in it.instances],
        )
        for it in facts.kernels
    ]
    launches = [
        (it.kernel, text.start_of(it.place.item) + it.place.start, it.size.number, it.arguments)
        for it in facts.launches
    ]
    return [(name, at, [(given, block and block[1]) for given, block in them]) for name, at, them in kernels], launches


def test_facts_after_edits_are_those_of_the_text() -> None:
    rng = random.Random(21)
    now = SOURCE
    edited = TRITON.read(now.encode(), TRITON.dialect)
    seen = set()
    for _ in range(300):
        for old, new in rng.sample([*SWAPS, *((new, old) for old, new in SWAPS)], rng.randint(1, 3)):
            now = now.replace(old, new, 1)
        edited.replace(now.encode(), 0, 0, 0)
        anew = said(TRITON.read(now.encode(), TRITON.dialect))
        assert said(edited) == anew, now
        seen.add(str(anew))
    assert len(seen) > 100


def test_a_file_may_begin_with_a_decorator() -> None:
    text = "@triton.autotune(configs=[triton.Config({}, num_warps=2)], key=[])\n@triton.jit\ndef one(x):\n    pass\n"
    facts = TRITON.read(text.encode(), TRITON.dialect).facts({})
    assert [it.size.number for it in facts.launches] == [64]


PIECES = [
    b'"""', b"'''", b'"', b"'", b"(", b")", b"{", b"\n", b"#", b"@", b"\\", b"x", b"    ", b"# c\n", b"A = [\n", b"]\n",
    b"def f():\n    pass\n", b"@d\n", b"else:\n", b"B = \"\"\"\n\"\"\"\n", b"\xef\xbb\xbf",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_statements_after_edits_are_those_of_the_text(seed: int) -> None:
    rng = random.Random(seed)
    content = b"".join(rng.choices(PIECES, k=30)) + SOURCE.encode()
    edited = Cutting(content)
    for _ in range(60):
        start = rng.randrange(len(content) + 1)
        end = min(start + rng.choice([0, 0, 0, 1, 3, 40]), len(content))
        content = content[:start] + rng.choice([*PIECES, b""]) + content[end:]
        was = [*edited.statements]
        head, tail = edited.follow(content)
        anew = Cutting(content)
        assert [it.text for it in edited.statements] == [it.text for it in anew.statements]
        assert edited.starts == anew.starts
        assert was[:head] == edited.statements[:head]
        assert was[len(was) - tail :] == edited.statements[len(edited.statements) - tail :]


JITTED = """\
from numba import cuda, float32

ROWS = 128
OTHER = [ROWS]
KIND = float32


@cuda.jit(device=True)
def helper(a, i):
    b = cuda.shared.array(ROWS, KIND)
    b[i] = a[i]
    cuda.syncthreads()
    a[i] = b[i + 1]


@cuda.jit(launch_bounds=ROWS)
def kernel(x):
    a = cuda.shared.array(64, dtype=float32)
    i = cuda.grid(1)
    a[i] = x[i]
    cuda.syncthreads()
    helper(a, i)
    x[i] = a[i + 1]


@cuda.jit
def plain(x):
    x[0] = ROWS


def run(x):
    kernel[1, ROWS](x)
    plain[(2, 2), OTHER[0]](x)
"""
JITTED_SWAPS = [
    ("ROWS = 128", "ROWS = 256"),
    ("ROWS = 128", "ROWS = 128\nROWS = 64"),
    ("KIND = float32", "KIND = float64"),
    ("from numba import cuda, float32", "from numba import cuda, float32, float64"),
    ("(device=True)", ""),
    ("def helper", "def other"),
    ("    helper(a, i)\n", ""),
    ("OTHER = [ROWS]", "OTHER = [ROWS]\nOTHER.append(3)"),
    ("@cuda.jit\ndef plain", "@cuda.jit(max_registers=ROWS)\ndef plain"),
    ("def run(x):\n", "def run(x):\n    ROWS = 32\n"),
    ("launch_bounds=ROWS)", "launch_bounds=ROWS"),
    ("array(ROWS, KIND)", "array(2 * ROWS, KIND)"),
    ("OTHER = [ROWS]", "OTHER = [ROWS]\nSAME = OTHER"),
    ("SAME = OTHER\n", "SAME = OTHER\nSAME.append(3)\n"),
    ("from numba import cuda", "# occupancy: regs=40\nfrom numba import cuda"),
    ("@cuda.jit\ndef plain", "plain_too = 1\n@cuda.jit\ndef plain"),
]


def jitted(text: KernelText) -> object:
    facts = text.facts({})
    kernels = [
        (
            it.name,
            text.start_of(it.item) + it.name_place.start,
            it.summary.local.lowest,
            it.summary.local.highest,
            it.summary.barriers,
        )
        for it in facts.kernels
    ]
    capped = [
        (
            it.attributes.bounds and it.attributes.bounds.max_threads.value,
            it.attributes.max_registers and it.attributes.max_registers.value,
        )
        for it in facts.kernels
    ]
    launches = [(it.kernel, text.start_of(it.place.item) + it.place.start, it.size) for it in facts.launches]
    return kernels, capped, launches, [len(it) for it in facts.directives]


def test_numba_after_edits_is_that_of_the_text() -> None:
    edited = NUMBA.read(JITTED.encode(), NUMBA.dialect)
    seen = set()
    for now in _edited(JITTED, JITTED_SWAPS, 300, random.Random(22)):
        edited.replace(now.encode(), 0, 0, 0)
        anew = jitted(NUMBA.read(now.encode(), NUMBA.dialect))
        assert jitted(edited) == anew, now
        seen.add(str(anew))
    assert len(seen) > 100


def _edited(text: str, swaps: Sequence[tuple[str, str]], times: int, rng: random.Random) -> Iterator[str]:
    """The text with some of what takes another's place; one or two come or go each time."""
    taken: set[int] = set()
    for _ in range(times):
        taken ^= {*rng.sample(range(len(swaps)), rng.choice([1, 1, 2]))}
        now = text
        for index in sorted(taken):
            now = now.replace(*swaps[index], 1)
        yield now


STRINGS = '''\
import cupy
from textwrap import dedent

SIZE = 256
HEAD = "#define N 64\\n"
FIRST = r"""
extern "C" __global__ void __launch_bounds__(M) first(float *x) {
    __shared__ float s[128];
    s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[1];
}
"""


def middle(x):
    return x


one = cupy.RawKernel(FIRST, "first", options=("-DM=512",))
two = cupy.RawModule(code=HEAD + """
__global__ void second(int *x) { __shared__ int s[N]; s[threadIdx.x] = x[1]; __syncthreads(); x[0] = s[3]; }
__global__ void third(int *x) { x[0] = 1; }
""")
third = two.get_function("third")


def got(name):
    return two.get_function(name)


def run(x, n):
    second = got("second")
    second((1,), (32,), (x,))
    one((1,), (SIZE,), (x,))
    third((1,), (1024, n), (x,))


class Runs:
    def __init__(self):
        self.kernel = two.get_function("second")

    def run(self, x):
        self.kernel((1,), (SIZE, 2), (x,))
'''
STRING_SWAPS = [
    ("class Runs", "import triton\n\n\n@triton.jit\ndef plain(x):\n    pass\n\n\nclass Runs"),
    ("import triton", "import tri"),
    ("import cupy\n", "import cupy\nfrom cupy import RawKernel as Raw\n"),
    ("one = cupy.RawKernel", "one = Raw"),
    ("class Runs", "def given(it):\n    it.kernel = 1\n\n\nclass Runs"),
    ("third((1,)", "two.get_function('third')((1,)"),
    ("def run(self, x):", "# more\n    def run(self, x):"),
    ("SIZE = 256", "SIZE = 1024"),
    ("import cupy\n", "import cupy\nimport numpy\n\n"),
    ("-DM=512", "-DM=64"),
    ("s[128]", "s[100000]"),
    ("s[N]", "s[2 * N]"),
    ("N 64", "N 32"),
    ("return x\n", "return x + 1\n"),
    ("return x\n", "return (x\n"),
    ('r"""', '"""'),
    ('FIRST, "first"', 'dedent(FIRST), "first"'),
    ("HEAD + ", ""),
    ("(1024, n)", "(1024, 2)"),
    ("two.get_function(name)", "one.get_function(name)"),
    ("    return two", "    name = 'third'\n    return two"),
    ('"third")', '"second")'),
    ("__syncthreads();", "__syncthreads(); // once"),
    ("def middle(x):\n    return x\n", "MORE = cupy.RawKernel('__global__ void more() {}', 'more')\n"),
    ("\n\n\n", "\n    \n"),
]


def shown(file: HoldingFile) -> object:
    length = len(file.text.content)
    return [
        (
            sorted((it.label, it.offset) for it in hints(view, 0, length)),
            [(it.code, it.message, it.start, it.end) for it in diagnostics(view)],
            [(kernel.name, view.span(kernel.name_place)) for kernel in view.facts.kernels],
            [(far.line, far.launch.size) for report in view.reports for far in report.far],
        )
        for view in file.views()
    ]


def _opened(text: str, project: Project) -> HoldingFile:
    file = open_file(Path("k.py"), "python", Text(text.encode()), project)
    assert isinstance(file, HoldingFile)
    return file


def test_a_language_comes_into_a_file_and_goes_while_it_is_typed() -> None:
    project = Project(None, None, {"devices": ["h100"]})
    typed = "from numba import cuda\n\n\n@cuda.jit(launch_bounds=64)\ndef also(x):\n    x[0] = 1\n"
    edited = _opened(STRINGS, project)
    alone = shown(edited)
    at = len(STRINGS)
    for letter in typed:
        edited.edit(at, at, letter.encode())
        at += 1
    assert shown(edited) == shown(_opened(STRINGS + typed, project)) != alone
    while at > len(STRINGS):
        at -= 1
        edited.edit(at, at + 1, b"")
        if at % 9 == 0:
            assert shown(edited) == shown(_opened(edited.text.content.decode(), project))
    assert shown(edited) == alone


def test_strings_after_edits_are_those_of_the_text() -> None:
    project = Project(None, None, {"devices": ["h100"]})
    was, seen = STRINGS, set()
    edited = _opened(was, project)
    for now in _edited(STRINGS, STRING_SWAPS, 100, random.Random(23)):
        start, tail = shared_bytes(was.encode(), now.encode())
        edited.edit(start, len(was) - tail, now[start : len(now) - tail].encode())
        anew = shown(_opened(now, project))
        assert shown(edited) == anew, now
        was = now
        seen.add(str(anew))
    assert len(seen) > 40


PLAIN = "def double(values):\n    return [2 * it for it in values]\n"
CLOSING = {"(": ")", "[": "]", "{": "}"}


def _keys(text: str) -> Iterator[tuple[int, str]]:
    """What each key inserts, and where. An editor closes each bracket by itself, and the key for it only passes it."""
    for at, key in enumerate(text):
        if key not in CLOSING.values():
            yield at, key + CLOSING.get(key, "")


@pytest.mark.parametrize("source", [SOURCE, JITTED, STRINGS], ids=["triton", "numba", "strings"])
def test_a_file_typed_letter_by_letter_is_the_file_opened(source: str) -> None:
    """The editor tells of a Python file when its text first names what can have kernels: at any key of it."""
    rng = random.Random(24)
    project = Project(None, None, {"devices": ["h100"]})
    text, file, seen = PLAIN, None, set()
    told = rng.randrange(len(source) // 2)
    for at, key in _keys(source):
        text = text[:at] + key + text[at:]
        if file:
            file.edit(at, at, key.encode())
        elif at >= told:
            file = _opened(text, project)
        # Editors ask at some keys, and not at others.
        if file and rng.random() < 0.2:
            anew = shown(_opened(text, project))
            assert shown(file) == anew, text
            seen.add(str(anew))
    assert text == source + PLAIN
    assert file
    assert shown(file) == shown(_opened(text, project))
    assert len(seen) > 2
