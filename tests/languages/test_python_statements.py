"""How Python files are cut and read: Python's own parser says where statements are, and what is given to names."""

from __future__ import annotations

import ast
from time import process_time

import pytest

from occupancy_lsp.core.query import forget_remembered
from occupancy_lsp.languages.python.cutting import statements
from occupancy_lsp.languages.python.outline import Outline
from occupancy_lsp.languages.python.source import PythonSource
from occupancy_lsp.languages.python.statements import Statement, read
from occupancy_lsp.languages.python.triton import resolve as triton
from occupancy_lsp.languages.registry import LANGUAGES
from tests.languages.test_numba import view_of as numba_view
from tests.languages.test_triton import ANY, sizes

_KERNEL = b"@triton.jit\ndef k(x):\n    pass\n"
_LAUNCH = "\n@triton.jit\ndef k(x):\n    tl.store(x, 0)\n\n\ndef run(x):\n    k[(1,)](x, num_warps={})\n"


@pytest.mark.parametrize(
    ("giving", "named"),
    [
        ("try:\n    from cfg import W\nexcept ImportError:\n    W = 4", "W"),
        ("try:\n    from .cfg import W\nexcept ImportError:\n    W = 4", "W"),
        ("W = 4\nfrom cfg import *", "W"),
        ("W = 4\ntry:\n    pass\nexcept E as W:\n    pass", "W"),
        ("W = 4\nwith x() as (W, _):\n    pass", "W"),
        ("W = 4\nfor [W, _] in x:\n    pass", "W"),
        ("W = 4\nmatch x:\n    case W:\n        pass", "W"),
        ("W = 4\nmatch x:\n    case [*W]:\n        pass", "W"),
        ("W = {'w': 4}\nmatch x:\n    case {**W}:\n        pass", "W['w']"),
        ("W = 4\ndel W", "W"),
        ("D = {'w': 4}\nD['w'] *= 4", "D['w']"),
        ("D = {'w': 4}\nD['w'] = 16", "D['w']"),
        ("D = {'d': {'w': 4}}\nD['d']['w'] = 16", "D['d']['w']"),
        ("D = {'w': 4}\ndel D['w']", "D['w']"),
        ("D = {'w': 4}\nE = D\nE['w'] = 16", "D['w']"),
        ("D = {'w': 4}\ndef f():\n    D['w'] = 16", "D['w']"),
        ("D = {'w': 4}\ndef f():\n    def g():\n        D.update(w=16)\n    g()", "D['w']"),
        ("D = {'w': 4}\nclass C:\n    D['w'] = 16", "D['w']"),
    ],
)
def test_a_name_that_something_else_gives_is_not_known(giving: str, named: str) -> None:
    assert sizes(giving + _LAUNCH.format(named)) == ANY


@pytest.mark.parametrize(
    ("giving", "named"),
    [
        ("W = 4\nX = [W for W in (8, 16)]", "W"),
        ("W = 4\nX = lambda W: W", "W"),
        ("from cfg import X\nW = 4", "W"),
        ("from triton.language import *\nW = 4", "W"),
        ("W = 4\nX = W\nX += 4", "W"),
        ("D = {'w': 4}\ndef f(D):\n    D['w'] = 16", "D['w']"),
        ("W: int = 4", "W"),
        ("W, X = 4, 8", "W"),
    ],
)
def test_a_name_that_one_expression_gives_is_known(giving: str, named: str) -> None:
    assert sizes(giving + _LAUNCH.format(named)) == [128]


def test_an_import_in_a_function_gives_the_name_there() -> None:
    launch = "def run(x):\n    from cfg import W\n    k[(1,)](x, num_warps=W)\n"
    assert sizes("W = 4\n" + _LAUNCH.split("\n\n\n")[0] + "\n" + launch) == ANY


def test_a_name_that_is_only_imported_says_where_it_comes_from() -> None:
    view = numba_view(
        "from numba import cuda, float32\n\n"
        "def make():\n    import numpy as np\n\n    @cuda.jit\n    def k(x):\n"
        "        a = cuda.shared.array(32, float32)\n"
        "        b = cuda.shared.array(32, np.float64)\n        x[0] = a[0] + b[0]\n"
    )
    assert [it.bytes.number for it in view.facts.kernels[0].summary.local.variables] == [128, 256]


@pytest.mark.parametrize("around", ["[{} for b in (64, 128)]", "{{{}: 1 for b in (64, 128)}}", "lambda b=64: {}"])
def test_a_launch_knows_the_names_of_the_comprehension_around(around: str) -> None:
    text = "from numba import cuda\nb = 2048\n\n@cuda.jit\ndef k(x):\n    x[0] = 1\n\ny = " + around
    for launch in ("k[1, b](x)", "k.configure(1, b)"):
        view = numba_view(text.format(launch) + "\n")
        assert [it.size.number for it in view.facts.launches] == [None]
    (launch,) = read(around.format("k[1, b](x)").encode()).launches
    assert launch.bound == {"b"}


@pytest.mark.parametrize(
    "text",
    [
        "# Packed encoding: two 4-bit weights\nW = 4\n",
        "# -*- coding: latin-1 -*-\nÄ = 'ä'; W = 4\n",
        "\N{BYTE ORDER MARK}Ä = 'ä'; W = 4\n",
    ],
)
def test_the_text_is_utf_8_whatever_a_comment_says(text: str) -> None:
    statement = read(text.encode())
    assert not statement.broken
    node = next(node for name, node in statement.given if name == "W")
    assert node is not None
    span = statement.span(node)
    assert statement.text[span.start : span.end] == b"4"


def test_what_is_no_utf_8_is_broken() -> None:
    assert read("# coding: latin-1\nW = 'ä'\n".encode("latin-1")).broken


@pytest.mark.parametrize(
    "before",
    [
        b'# a """ in a comment\nA = 1\n',
        b'A = \'"""\'\n',
        b"A = \"'''\"  # '''\n",
        b"A = '''\nB = \"\"\"\n'''\n",
        b'A = """\n\\"""\nB = 1\n"""; C = \'"""\'\n',
        b'A = "it\'s" """\nB = 1\n"""\n',
        b"\x0c\n",
    ],
)
def test_pieces_are_the_statements_that_python_sees(before: bytes) -> None:
    content = before + b"\x0c" + _KERNEL + b"B = 2\n" + _KERNEL
    pieces = [it.text for it in statements(content)]
    assert b"".join(pieces) == content
    assert [len(ast.parse(it).body) for it in pieces if it.strip()].count(1) >= 3
    assert sum(len(ast.parse(it).body) for it in pieces) == len(ast.parse(content).body)
    functions = [(it.text, function) for it in statements(content) for function in it.functions]
    assert [text[it.head.start : it.head.end] for text, it in functions] == [b"@triton.jit\ndef k"] * 2


def test_odd_quotes_in_a_long_file_hide_nothing() -> None:
    content = b'# """\n' + b'A = \'"""\'\n\n\ndef f(x):\n    return x\n' * 10_000
    assert len(statements(content)) == 20_000


@pytest.mark.parametrize("content", [b"@a\n" * 32_000, b"x = [\n" * 8_000, b"x = [\n" * 250 + b"@a\n" * 8_000])
def test_what_is_never_finished_is_looked_for_once(content: bytes) -> None:
    began = process_time()
    statements(content)
    assert process_time() - began < 2.5


def test_names_that_are_gone_leave_nothing() -> None:
    outline = Outline()
    outline.follow(b"A = B\nB = [1]\n")
    first = {name: {*it} for name, it in outline.names._saying.items()}, dict(outline.names._standing)
    for number in range(500):
        outline.follow(b"A = B\nB = [1]\nC%d = D%d\n" % (number, number))
        outline.follow(b"A = B\nB = [1]\n")
    assert ({name: {*it} for name, it in outline.names._saying.items()}, outline.names._standing) == first


def test_a_statement_goes_on_at_the_margin_until_its_brackets_close() -> None:
    content = b"C = [\ntriton.Config({}),  # ]\ntriton.Config({}),\n]\nB = 1\n"
    assert [it.text for it in statements(content)] == [content[:-6], b"B = 1\n"]
    broken = b"C = [\nB = 1\nA = 2\n"
    assert [it.broken for it in statements(broken)] == [True, False, False]


def test_statements_that_stay_are_not_read_again() -> None:
    content = b"".join(b"A%d = %d\n" % (it, it) for it in range(5_000))
    source = PythonSource(content, LANGUAGES["triton"].dialect, triton)
    source.index_at(0)
    before = [it.statement for it in source._outline.placed]
    forget_remembered()
    source.replace(b"A0 = 7\n" + content[7:], 0, 7, 7)
    source.index_at(0)
    after: list[Statement] = [it.statement for it in source._outline.placed]
    assert all(was is now for was, now in zip(before[1:], after[1:], strict=True))
