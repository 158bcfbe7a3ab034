"""Ten times the Python takes ten times the work, whatever it is ten times of: counted in calls, never in seconds."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile

import pytest

from occupancy_lsp.core.query import forget_remembered
from occupancy_lsp.languages.python.importing import importing
from occupancy_lsp.languages.python.programs import Programs
from occupancy_lsp.languages.registry import LANGUAGES

_MOST = 12
_JIT = "    @triton.jit\n    def k{0}(x):\n        tl.store(x, 0)\n"
_MANY = {
    "launches in functions": (
        "triton",
        "import triton\n",
        "def f{0}(x):\n" + _JIT + "    k{0}[(1,)](x, num_warps=8)\n",
    ),
    "launches in one function": (
        "triton",
        "import triton\n@triton.jit\ndef k(x): ...\ndef f(x):\n",
        "    w{0} = 8\n    k[(1,)](x, num_warps=w{0})\n",
    ),
    "launches of members": (
        "triton",
        "import triton\n",
        "class A{0}:\n" + _JIT + "    def run(self, x):\n        self.k{0}[(1,)](x)\n",
    ),
    "launches of what is picked": (
        "triton",
        "import triton\n@triton.jit\ndef k(x): ...\n@triton.jit\ndef j(x): ...\n",
        "def f{0}(x, y):\n    impl = k if y else j\n    impl[(1,)](x)\n",
    ),
    "functions within one another": (
        "triton",
        "import triton\n@triton.jit\ndef k(x): ...\n",
        "def f{0}(x):\n    def g(y):\n        def h(z):\n            k[(1,)](z)\n",
    ),
    "TileLang's kernels": (
        "tilelang",
        "import tilelang.language as T\n",
        "def f{0}(n):\n    @T.prim_func\n    def g():\n        with T.Kernel(n, threads=n):\n            T.clear(n)\n"
        "f{0}(64)\n",
    ),
    "calls of a function with a kernel of TileLang": (
        "tilelang",
        "import tilelang.language as T\ndef f(n):\n    with T.Kernel(n, threads=n):\n        T.clear(n)\n",
        "f({0})\n",
    ),
    "arrays of a kernel of TileLang": (
        "tilelang",
        "import tilelang.language as T\ndef f(A: T.Tensor((4, 64), 'int8')):\n    with T.Kernel(4):\n",
        "        s{0} = T.alloc_shared((64,), 'int8')\n        for k in T.Pipelined(4, num_stages=2):\n"
        "            T.copy(A[k, 0], s{0})\n            T.reduce_sum(s{0}, s{0})\n",
    ),
    "Numba's launches in functions": (
        "numba",
        "from numba import cuda\n",
        "def f{0}(x):\n    @cuda.jit\n    def k{0}(x):\n        x[0] = 1\n    k{0}[1, 64](x)\n",
    ),
}


@pytest.mark.parametrize("name", _MANY)
def test_many_take_as_much_work_as_they_are(name: str) -> None:
    language, head, each = _MANY[name]

    def read(number: int) -> Callable[[], object]:
        text = (head + "".join(each.format(it) for it in range(number))).encode()
        return lambda: LANGUAGES[language].read(text, LANGUAGES[language].dialect).facts({})

    _grows(read)


def test_an_importing_file_takes_as_much_work_as_it_has_launches() -> None:
    def read(number: int) -> Callable[[], object]:
        text = "from .k import k\n" + "".join(f"def f{it}(x):\n    k[(1,)](x, num_warps=8)\n" for it in range(number))

        def launched() -> object:
            launched_in = LANGUAGES["triton"].launched_in
            assert launched_in is not None
            return launched_in(importing(text.encode()), "k", "k", {})

        return launched

    _grows(read)


def test_strings_take_as_much_work_as_they_are() -> None:
    kernel = "k{0} = cupy.RawKernel(r'''__global__ void k(float *x) { x[0] = {0}; }''', 'k')\n"
    launch = "def f{0}(x):\n    def g(y):\n        k{0}((1,), (64,), y)\n"

    def read(number: int) -> Callable[[], object]:
        text = "import cupy\n" + "".join((kernel + launch).replace("{0}", str(it)) for it in range(number))
        return lambda: [it.text for it in Programs().of(text.encode())]

    _grows(read)


def _grows(read: Callable[[int], Callable[[], object]]) -> None:
    def work(number: int) -> int:
        forget_remembered()
        profile = Profile()
        profile.runcall(read(number))
        return sum(it.callcount for it in profile.getstats())

    read(2)()
    few, many = work(12), work(120)
    assert few > 500
    assert many < _MOST * few, f"{many / few:.1f} times the work"
