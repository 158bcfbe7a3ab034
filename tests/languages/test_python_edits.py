"""A Python file that was edited says what the same text says that is read anew."""

import random

from occupancy_lsp.languages.triton import TRITON
from occupancy_lsp.source.kernel_text import KernelText
from occupancy_lsp.source.text import dialects

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
        (it.name, text.start_of(it.item) + it.name_place.start, [(one.arguments, one.block) for one in it.instances])
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
    edited = TRITON.read(now.encode(), dialects.TRITON)
    seen = set()
    for _ in range(300):
        for old, new in rng.sample([*SWAPS, *((new, old) for old, new in SWAPS)], rng.randint(1, 3)):
            now = now.replace(old, new, 1)
        edited.replace(now.encode(), 0, 0, 0)
        anew = said(TRITON.read(now.encode(), dialects.TRITON))
        assert said(edited) == anew, now
        seen.add(str(anew))
    assert len(seen) > 100


def test_a_file_may_begin_with_a_decorator() -> None:
    text = "@triton.autotune(configs=[triton.Config({}, num_warps=2)], key=[])\n@triton.jit\ndef one(x):\n    pass\n"
    facts = TRITON.read(text.encode(), dialects.TRITON).facts({})
    assert [it.size.number for it in facts.launches] == [64]
