"""The parser, as the threads of a server use it."""

from __future__ import annotations

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

from occupancy_lsp.source.text.tree import parse

_LONG = b"void f(int n) { int a = n + 1; g(a, n * 2); }\n" * 400


def test_threads_parse_side_by_side() -> None:
    """The same parser in two threads ends the process."""
    with ThreadPoolExecutor(4) as threads:
        trees = list(threads.map(lambda _: len(parse(_LONG).children), range(60)))
    assert set(trees) == {400}


def test_what_the_parser_is_given_is_let_go() -> None:
    """tree-sitter never lets go of the pieces: no key may leave a copy of its kernel behind."""
    parse(_LONG)
    tracemalloc.start()
    try:
        for _ in range(10):
            parse(_LONG)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < len(_LONG)
