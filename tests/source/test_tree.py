"""The parser, as the threads of a server use it."""

from __future__ import annotations

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest

from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.syntax.blanking import mask_for_grammar
from occupancy_lsp.source.syntax.parser import parse

_LONG = b"void f(int n) { int a = n + 1; g(a, n * 2); }\n" * 400


def test_threads_parse_side_by_side() -> None:
    """The same parser in two threads ends the process."""
    with ThreadPoolExecutor(4) as threads:
        trees = list(threads.map(lambda _: len(parse(_LONG).children), range(60)))
    assert set(trees) == {400}


def test_what_the_parser_is_given_is_let_go() -> None:
    """tree-sitter never lets go of the pieces: no key may leave a copy of its kernel behind."""
    kept: list[int] = []
    tracemalloc.start()
    try:
        for key in range(10):
            parse(_LONG + b"int q%d;" % key)
            gc.collect()
            kept.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert kept[-1] - kept[4] < len(_LONG)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"{ f();\n  UNROLL\n  for (int i = 0; i < 4; i++) g(i); }", "for_statement"),
        (b"{ UNROLL_ALL for (int i = 0; i < 4; i++) g(i); }", "for_statement"),
        (b"{ { f(); }\n  NO_UNROLL\n  while (n--) g(n); }", "while_statement"),
        (b"{ NO_UNROLL do g(n); while (n--); }", "do_statement"),
    ],
)
def test_a_macro_before_a_statement_is_one_of_its_own(text: bytes, kind: str) -> None:
    body = parse(mask_for_grammar(b"void k(int n) " + text, CUDA).code)
    assert not body.has_error
    last = body.named_children[0].named_children[-1].named_children[-1]
    assert last.type == kind and last.parent is not None and last.parent.type == "compound_statement"


def test_a_macro_after_a_condition_does_not_end_it() -> None:
    text = b"void k(int n) { if (n)\n  UNROLL\n  for (int i = 0; i < 4; i++) g(i); }"
    code = mask_for_grammar(text, CUDA).code
    assert len(code) == len(text)
    body = parse(code)
    assert not body.has_error
    last = body.named_children[0].named_children[-1].named_children[-1]
    assert last.type == "if_statement"
    then = last.child_by_field_name("consequence")
    assert then is not None and then.type == "for_statement"
