"""Which items of headers stand around a file's own, and how often."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.sema.translation_unit import IncludedFile, context_of_root, has_pragma_once, include_points

_GUARDED = "#ifndef H\n#define H\nstruct S {};\n#endif\n"


def _text(path: str, said: str) -> IncludedFile:
    content = said.encode()
    return IncludedFile(path, Source(content, CUDA).placed_items(), has_pragma_once(content), False)


def _types(main: str, headers: Mapping[str, str]) -> list[str]:
    """The types that headers bring, in the order in which a compiler would read them."""
    texts = {path: _text(path, said) for path, said in headers.items()}
    own = include_points(Source(main.encode(), CUDA).placed_items())
    unit = context_of_root("main.cu", own, lambda include, _: texts.get(include.path))
    return [it.name for run in unit.runs for placed in run.stretch.items for it in placed.facts.types]


@pytest.mark.parametrize(
    ("header", "times"),
    [
        ("struct S {};\n", 2),
        ("#pragma once\nstruct S {};\n", 1),
        (_GUARDED, 1),
        (f"// Whose it is.\n{_GUARDED}", 1),
        ("#if !defined( H )\n#define H\nstruct S {};\n#endif\n", 1),
        (f"#ifndef PUBLIC\n#include <other.h>\n#endif\n{_GUARDED}", 1),
        (f"#ifdef __CUDACC__\n{_GUARDED}#endif\n", 1),
        ("#ifndef H\n#define H\n#ifdef A\nstruct S {};\n#endif\n#endif\n", 1),
        ("#ifndef H\nstruct S {};\n#endif\n", 2),  # whoever defines it
        ("#ifndef THREADS\n#define THREADS 256\n#endif\nstruct S {};\n", 2),  # what may be given is no guard
        (f"{_GUARDED}#undef H\n", 2),
        ("#ifndef H\n#define H\n#else\nstruct S {};\n#endif\n", 2),
    ],
)
def test_what_stands_under_a_guard_is_read_once(header: str, times: int) -> None:
    main = '#include "a.h"\nint between;\n#include "a.h"\n'
    assert _types(main, {"a.h": header}) == ["S"] * times


def test_outside_of_its_guard_a_header_is_read_again() -> None:
    header = f"{_GUARDED}struct Again {{}};\n"
    assert _types('#include "a.h"\n#include "a.h"\n', {"a.h": header}) == ["S", "Again", "Again"]


def test_headers_with_something_before_their_guards_bring_each_item_once() -> None:
    """Each includes all before it: read whenever it is included, the last would bring 2 to the power of 16."""
    late = '#ifndef PUBLIC\nstatic_assert(false, "include all.h");\n#endif\n#ifndef H{0}\n#define H{0}\n'
    said = f"{late}{{1}}struct S{{0}} {{{{}}}};\n#endif\n"
    headers = {f"{it}.h": said.format(it, "".join(f'#include "{n}.h"\n' for n in range(it))) for it in range(17)}
    assert _types('#include "16.h"\n', headers) == [f"S{it}" for it in range(17)]


def test_what_a_header_bears_is_gathered_once_for_all_units() -> None:
    texts = {"h": _text("h", "struct S {};\nstruct T {};\n")}
    mains = ('#include "h"\n', 'namespace n {\n#include "h"\n}\n')
    each = [include_points(Source(main.encode(), CUDA).placed_items()) for main in mains]
    (one,), (other,) = (context_of_root("main.cu", own, lambda it, _: texts.get(it.path)).runs for own in each)
    assert one.stretch is other.stretch and one.stretch.item_indices_by_name["types"] == {"S": [0], "T": [1]}
    assert [it.item_at(1).namespaces for it in (one, other)] == [(), ("n",)]
