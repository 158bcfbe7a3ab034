"""Headers that are read once, included first under one condition and then under another: which #include counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from occupancy_lsp.core.sequences import shared_bytes
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.lower.header_symbols import gather_header_symbols
from occupancy_lsp.source.lower.item_facts import Include
from occupancy_lsp.source.lower.symbol_table import SymbolTable
from occupancy_lsp.source.sema.translation_unit import (
    IncludedFile,
    UnitContext,
    context_of_root,
    contexts_of_header,
    has_pragma_once,
)
from occupancy_lsp.source.sema.translation_unit_scope import Environment

Headers = Mapping[str, str]
KERNEL = "__global__ void __launch_bounds__(N) k(float* p) { *p = 1; }\n"
ONCE = "#pragma once\n#define N 256\n"
GUARDED = "#ifndef H\n#define H\n#define N 256\n#endif\n"
TWICE = '#ifdef A\n#include "h"\n#endif\n{}#include "h"\n'


def _text(path: str, said: str) -> IncludedFile:
    content = said.encode()
    return IncludedFile(path, Source(content, CUDA).placed_items(), has_pragma_once(content), False)


def _resolved(headers: Headers) -> Mapping[str, IncludedFile]:
    return {path: _text(path, said) for path, said in headers.items()}


def _unit(source: Source, texts: Mapping[str, IncludedFile], settable: frozenset[str] = frozenset()) -> UnitContext:
    def resolve(include: Include, path: str) -> IncludedFile | None:
        return texts.get(include.path)

    return replace(context_of_root("main.cu", source.include_points(), resolve), settable=settable)


def _kernel(main: str, headers: Headers, settable: frozenset[str] = frozenset()) -> Kernel:
    source = Source(main.encode(), CUDA)
    (kernel,) = source.facts({}, (_unit(source, _resolved(headers), settable),)).kernels
    return kernel


def _said(kernel: Kernel) -> int | str | None:
    """N, or why it is not known."""
    assert kernel.attributes.bounds is not None
    value = kernel.attributes.bounds.max_threads.value
    return value.reason if value.number is None else value.number


def _bound(main: str, headers: Headers, settable: frozenset[str] = frozenset()) -> int | str | None:
    return _said(_kernel(main, headers, settable))


BY_PLACE = "#pragma once\n#ifdef BIG\n#define N 512\n#else\n#define N 256\n#endif\n"
A = "#define A\n"
BETWEEN = "#ifdef N\n#define M 64\n#else\n#define M 128\n#endif\n"


@pytest.mark.parametrize("header", [ONCE, GUARDED])
@pytest.mark.parametrize(
    "main",
    [
        TWICE.format(""),
        A + TWICE.format(""),
        '#ifdef A\n#include "h"\n#else\n#include "h"\n#endif\n',
        '#ifndef A\n#else\n#include "h"\n#endif\n#ifndef B\n#include "h"\n#endif\n',
        '#ifdef A\n#include "h"\n#endif\n#ifdef B\n#include "h"\n#endif\n#include "h"\n',
        '#if 0\n#include "h"\n#endif\n#include "h"\n#include "h"\n',
        '#include "outer"\n#include "h"\n',
        '#ifdef A\n#include "around"\n#endif\n#include "around"\n',
        '#ifdef A\n#include "in circles"\n#endif\n#include "in circles"\n',
    ],
)
def test_it_counts_wherever_it_is_read(main: str, header: str) -> None:
    headers = {
        "h": header,
        "outer": '#pragma once\n#ifdef A\n#include "h"\n#endif\n',
        "around": '#ifndef AROUND\n#define AROUND\n#include "h"\n#endif\n',
        "in circles": '#pragma once\n#include "back"\n#include "h"\n',
        "back": '#pragma once\n#include "in circles"\n',
    }
    assert _bound(main + KERNEL, headers) == 256


@pytest.mark.parametrize("header", [ONCE, GUARDED])
def test_where_none_is_in_force_it_is_not_read(header: str) -> None:
    main = '#ifdef A\n#include "h"\n#endif\n#ifdef B\n#include "h"\n#endif\n'
    assert _bound(main + KERNEL, {"h": header}) == "N is not defined in any file that is read"


@pytest.mark.parametrize(
    ("before", "settable", "bound"),
    [
        ("", (), 128),
        (A, (), 64),
        ("", ("A",), "M has several definitions"),
    ],
)
def test_what_stands_between_two_includes(before: str, settable: tuple[str, ...], bound: int | str) -> None:
    """It sees the header only where the first is in force."""
    main = before + TWICE.format(BETWEEN) + KERNEL.replace("(N)", "(M)")
    assert _bound(main, {"h": ONCE}, frozenset(settable)) == bound


@pytest.mark.parametrize(("before", "bound"), [("", 512), (A, 256), ("#define B\n", 256)])
def test_it_says_what_it_says_where_it_is_read(before: str, bound: int) -> None:
    main = '#ifdef A\n#include "h"\n#endif\n#ifdef B\n#include "h"\n#endif\n#define BIG\n#include "h"\n'
    assert _bound(before + main + KERNEL, {"h": BY_PLACE}) == bound
    values = "#pragma once\nstruct S { enum { size = SIZE }; };\n"
    sized = before + TWICE.format("#define SIZE 512\n").replace("ifdef A", "if 0")
    assert _bound(sized + KERNEL.replace("(N)", "(S::size)"), {"h": values}) == 512


def test_what_is_defined_after_it_counts() -> None:
    main = TWICE.format("") + '#include "later"\n' + KERNEL
    assert _bound(main, {"h": ONCE, "later": "#define N 64\n"}) == 64


def test_a_condition_on_what_it_says() -> None:
    main = TWICE.format("") + "#if N == 256\n#define M 64\n#endif\n" + KERNEL.replace("(N)", "(M)")
    assert _bound(main, {"h": ONCE}) == 64


@pytest.mark.parametrize(("before", "bound"), [("", 256), (A, "N is not defined in any file that is read")])
def test_what_it_includes_only_where_it_is_included_again(before: str, bound: int | str) -> None:
    """Read without X it is not read again, so `h` never is."""
    main = before + TWICE.replace('"h"', '"outer"').format("#define X\n") + KERNEL
    outer = '#pragma once\n#ifdef X\n#include "h"\n#endif\n'
    assert _bound(main, {"outer": outer, "h": ONCE}) == bound


def test_one_decides_about_the_next() -> None:
    """The build may set X, unless the first header does, and that is read where it is included again."""
    main = TWICE.replace('"h"', '"first"').format("") + '#if X > 3\n#include "h"\n#endif\n#define BIG\n#include "h"\n'
    headers = {"first": "#pragma once\n#define X 2\n", "h": BY_PLACE}
    assert _bound(main + KERNEL, headers, frozenset({"X"})) == 512


@pytest.mark.parametrize(("macros", "settable", "again"), [({}, (), True), ({"A": 1}, (), False), ({}, ("A",), False)])
def test_of_two_places_one_counts(macros: Mapping[str, int], settable: tuple[str, ...], again: bool) -> None:
    """Where it is not known which, the first."""
    unit = _unit(Source(TWICE.format("").encode(), CUDA), _resolved({"h": ONCE}))
    env = Environment(
        CUDA, macros, SymbolTable(), gather_header_symbols((*unit.runs, unit.again[0])), frozenset(settable)
    )
    found = [it.placed for it in env.definitions("N") if env.holds(it.placed.conditions, it.placed.order) is not False]
    assert [bool(it.unless) for it in found] == [again]


@pytest.mark.parametrize("defined", ["", "#define ONE\n"])
def test_a_header_that_includes_another_again(defined: str) -> None:
    """What the first defines decides whether the second was read before."""
    main = '#ifdef A\n#include "first"\n#endif\n#include "first"\n#ifdef ONE\n#include "h"\n#endif\n' + BETWEEN
    headers = {"first": "#pragma once\n" + defined, "h": ONCE}
    assert _bound(main + '#include "h"\n' + KERNEL.replace("(N)", "(M)"), headers) == (64 if defined else 128)
    assert _bound(main + '#include "h"\n' + KERNEL, headers) == 256


def test_an_include_guard_around_the_include() -> None:
    main = '#ifndef H\n#include "h"\n#endif\n#include "h"\n'
    texts = _resolved({"h": GUARDED})
    unit = _unit(Source(main.encode(), CUDA), texts)
    assert not unit.again and _bound(main + KERNEL, {"h": GUARDED}) == 256


@pytest.mark.parametrize("before", ["", A])
def test_types_functions_and_members_are_there_once(before: str) -> None:
    header = (
        "#pragma once\nstruct S { enum { size = 16 }; struct Inner { float x[8]; }; float x[size]; };\n"
        "__device__ void f(float* p) { __shared__ float y[64]; y[threadIdx.x] = *p; *p = y[0]; }\n"
    )
    used = "__shared__ S s; __shared__ S::Inner t; int i = threadIdx.x;"
    used += " s.x[i] = *p; t.x[S::size / 4 + i] = *p; f(p); *p = s.x[1] + t.x[0];"
    local = _kernel(
        before + TWICE.format("") + f"__global__ void k(float* p) {{ {used} }}\n", {"h": header}
    ).summary.local
    assert (local.lowest, local.highest) == (64 + 32 + 256,) * 2


def test_in_a_header_as_another_file_includes_it() -> None:
    texts = _resolved({"h": ONCE, "root": '#ifdef A\n#include "h"\n#endif\n#include "k"\n#include "h"\n'})
    own = Source(b'#pragma once\n#include "h"\n' + KERNEL.encode(), CUDA)
    texts = {**texts, "k": _text("k", '#pragma once\n#include "h"\n' + KERNEL)}
    (unit,) = contexts_of_header("k", own.include_points(), texts["root"], lambda include, _: texts.get(include.path))
    assert unit is not None
    (kernel,) = own.facts({}, (replace(unit, settable=frozenset()),)).kernels
    assert _said(kernel) == 256


def test_on_several_devices() -> None:
    """What one device's macros decide, another's decide anew."""
    source = Source((TWICE.format("#define BIG\n") + KERNEL).encode(), CUDA)
    unit = _unit(source, _resolved({"h": BY_PLACE}))
    macros: Sequence[Mapping[str, int]] = ({}, {"A": 1}, {}, {"A": 1})
    assert [_said(*source.facts(it, (unit,)).kernels) for it in macros] == [512, 256, 512, 256]


@pytest.mark.parametrize("header", [ONCE, BY_PLACE])
def test_an_edited_file_is_as_one_read_afresh(header: str) -> None:
    texts = _resolved({"h": header, "other": '#pragma once\n#ifdef M\n#include "h"\n#endif\n'})
    plain = "\n" + TWICE.format(BETWEEN + "#define BIG\n") + '#include "other"\n' + KERNEL.replace("(N)", "(M + N)")
    with_a = A + plain
    reverse = plain.replace("ifdef A", "ifndef A")
    stages = [with_a, plain, with_a, plain, "#define B\n" + plain, plain, reverse, A + reverse, with_a, plain]
    source = Source(b"", CUDA)
    was, points, unit = b"", source.include_points(), _unit(source, texts)
    bounds = []
    for now in map(str.encode, stages):
        head, tail = shared_bytes(was, now)
        source.replace(now, head, len(was) - tail, len(now) - tail)
        if source.include_points() != points:
            points, unit = source.include_points(), _unit(source, texts)
        was, fresh = now, Source(now, CUDA)
        bounds.append(_said(*source.facts({}, (unit,)).kernels))
        assert bounds[-1] == _said(*fresh.facts({}, (_unit(fresh, texts),)).kernels)
    first, again = 64 + 256, 128 + (256 if header is ONCE else 512)
    assert bounds == [first, again, first, again, again, again, first, again, first, again]


def test_it_is_kept_no_more_than_once_for_each_condition() -> None:
    main = TWICE.format("") + 9 * '#include "h"\n#ifdef B\n#include "h"\n#endif\n'
    assert len(_unit(Source(main.encode(), CUDA), _resolved({"h": ONCE})).again) == 1
    around = '#ifndef AROUND\n#define AROUND\n#include "h"\n#endif\n'
    root = '#ifdef A\n#include "around"\n#endif\n#include "k"\n'
    texts = _resolved({"h": ONCE, "around": around, "k": "", "root": root})
    own = Source(b'#include "around"\n#include "h"\n', CUDA)
    (unit,) = contexts_of_header("k", own.include_points(), texts["root"], lambda include, _: texts.get(include.path))
    assert unit is not None and len(unit.again) == 2


def test_without_conditions_nothing_is_included_again() -> None:
    headers = {"a": '#pragma once\n#include "h"\n#ifdef A\n#include "h"\n#endif\n', "h": GUARDED}
    unit = _unit(Source(b'#include "a"\n#include "h"\n#ifdef B\n#include "a"\n#endif\n', CUDA), _resolved(headers))
    assert not unit.again


def test_headers_under_many_conditions_are_kept_few_times() -> None:
    """Each includes all before it, under a condition of its own."""
    include = '#ifdef C{0}_{1}\n#include "{1}"\n#endif\n'
    each = ["".join(include.format(it, n) for n in range(it)) + f"struct S{it} {{}};\n" for it in range(14)]
    headers = {str(it): "#pragma once\n" + text for it, text in enumerate(each)}
    unit = _unit(Source(b'#include "13"\n', CUDA), _resolved(headers))
    assert sum(len(it.stretch.items) for it in unit.runs) == 14 and 0 < len(unit.again) <= 3 * 14
