"""Items in which an edit only moves things: all that is asked of the file is what a fresh file says, and nothing that
hangs on them is worked out again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from occupancy_lsp.core.record import Record
from occupancy_lsp.core.steps import finished
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels import moves_within_item
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import CallSite, Definition
from occupancy_lsp.source.syntax.expression_nodes import Number
from occupancy_lsp.source.syntax.known_value import Place

_TEXT = b"""#define WAIT(x) if (x) { __syncthreads(); }
constexpr int limit = 4;
template <int N> struct Owner {
  static constexpr int threads = 16 * N;
  struct Storage { float part[N]; };
  __device__ void first(float *p, int n) {
    // here
    p[1] = n;
    p[2] = p[1];
    second(p, n);
  }
  static constexpr int most = 512; // occupancy: ignore
  static __device__ void second(float *p, int n) {
    // there
    __shared__ float last[most / 4];
    last[n] = p[n];
    p[n] = last[0];
  }
  template <typename T> static __global__ void within(T *p) { __shared__ T own[N]; own[0] = *p; p[1] = own[1]; }
};
// occupancy: assume block=(64,1,1)
template <int N> __global__ void __launch_bounds__(Owner<N>::most) k(float *p, int n) {
  __shared__ typename Owner<N>::Storage s;
  Owner<N> o;
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  s.part[0] = index;
  o.first(p, index);
  p[3] = s.part[0];
}
#if DEBUG
constexpr int threads_of(int n) {
#else
constexpr int threads_of(int n, int m = 2) {
#endif
  // of a block
  int found = 4 * n;
  return found * 8;
}
cudaError_t run(float *p) {
  const int size = Owner<8>::most;
  k<4><<<threads_of(1), threads_of(2)>>>(p, 1);
  k<8><<<dim3(2), Owner<8>::threads>>>(p, 1);
  k<16><<<3, size, 64>>>(p, 2);
  Owner<4>::within<double><<<1, 96>>>(nullptr);
  return cudaGetLastError();
}
"""
# The same where methods are short enough to be worked out.
_RETURNING = (
    _TEXT.replace(b"void first", b"float first")
    .replace(b"    second(p, n);", b"    p[2] = second(p, n);\n    return p[0];")
    .replace(b"void second", b"float second")
    .replace(b"p[n] = last[0];", b"return last[0];")
    .replace(b"  o.first(p, index);", b"  s.part[0] = o.first(p, index);")
)
# What means nothing, and what may.
_SAID = [
    b" ",
    b"\n",
    b"int q = 1;",
    b"q",
    b"float r[3]; r[q] = 2;",
    b"// a note\n",
    b"/* a note */",
    b"WAIT(n)",
    b"__syncthreads();",
    b"int limit = 8;",
    b"second(p, n);",
    b"if (n > 3) return 1;",
    b"{",
    b"}",
    b"for (int q = 0; q < 4; q++)",
    b"extern __shared__ float given[];",
    b"#define q 3\n",
    b"#if q\n",
    b"most",
    b"int setmaxnreg_inc = 1;",
    b'asm volatile("bar.sync 1;");',
    b"// occupancy: ignore\n",
]


def _stands(it: object, source: Source) -> object:
    """With offsets in the file in place of those in items."""
    if isinstance(it, Place):
        at = source.start_of(it.item) if source.holds(it) else -1
        return at + it.start, at + it.end
    if isinstance(it, tuple | list):
        return [_stands(each, source) for each in it]
    if isinstance(it, Kernel):
        names = [each.name for each in fields(it) if each.name != "item"]
    elif isinstance(it, Record):
        names = [*it.__struct_fields__]
    elif is_dataclass(it):
        names = [each.name for each in fields(it) if each.name != "beside"]
    else:
        return it
    return type(it).__name__, [(name, _stands(getattr(it, name), source)) for name in names]


def _asked(source: Source) -> Iterator[object]:
    """All that is asked of a file."""
    yield from _asked_as_it_is(source)
    for place, number in source.all_literals():
        if number in (512, 16, 4):
            yield finished(source.facts_with_overrides({place: 2 * number}))


def _asked_as_it_is(source: Source) -> Iterator[object]:
    facts = source.facts({})
    yield facts
    for kernel in facts.kernels:
        yield source.body_of(kernel)
        yield sorted(source.names_used_by_kernel(kernel))
        yield [*source.literals_of_kernel(kernel)]
        yield source.kernel_fingerprint(kernel)
        yield source.latency_hiding_techniques(kernel)
        yield source.tensor_columns(kernel)
        yield [
            (source.uses_only_global_index(kernel, axis), source.may_use_local_index(kernel, axis)) for axis in range(3)
        ]
        for variable in (it for each in (kernel, *kernel.instances) for it in each.summary.local.variables):
            yield [*source.extent_literals(variable.place)]
            yield source.name_of_function_around(variable.place), source.is_in_host_function(variable.place)
    yield [*source.all_literals()]
    yield source.kernel_names()
    yield source.is_true_of_active_code(lambda code: b"__syncthreads" in code, [b"__syncthreads"])
    yield [(place, source.name_of_literal(place)) for place, _ in source.all_literals()]


def _told(source: Source, asked: Callable[[Source], Iterator[object]] = _asked) -> list[object]:
    return [_stands(it, source) for it in asked(source)]


_Edit = tuple[int, int, bytes]  # behind which place, how much is gone, and what came


@settings(max_examples=8, deadline=None)  # `make fuzz` draws more edits
@given(
    st.lists(
        st.tuples(st.integers(0, 200), st.sampled_from([0, 0, 0, 1, 9]), st.sampled_from(_SAID)),
        min_size=1,
        max_size=6,
    )
)
@example(  # a comment between `s.` and its member
    [
        (0, 1, b"for (int q = 0; q < 4; q++)"),
        (187, 0, b'asm volatile("bar.sync 1;");'),
        (135, 9, b"extern __shared__ float given[];"),
        (61, 0, b"// occupancy: ignore\n"),
    ]
)
@example([(0, 9, b"#if q\n"), (154, 0, b"q")])  # `p[3] = s.part[0]` becomes `qp[3] = …`: what is accessed is another
@pytest.mark.parametrize("text", [_TEXT, _RETURNING], ids=["plain", "returning"])
def test_an_edited_file_says_what_it_says_afresh(text: bytes, edits: list[_Edit]) -> None:
    content, source = text, Source(text, CUDA)
    source.facts({})
    ends = [index + 1 for index, byte in enumerate(text) if byte in b";{}\n"]
    for place, gone, new in edits:
        start = min(ends[place % len(ends)], len(content))
        end = min(start + gone, len(content))
        content = content[:start] + new + content[end:]
        source.replace(content, start, end, start + len(new))
        assert _told(source, _asked_as_it_is) == _told(Source(content, CUDA), _asked_as_it_is), content.decode()
    assert _told(source) == _told(Source(content, CUDA)), content.decode()  # other numbers, too: these leave nothing


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        (b"// here", b"// here\n  // and here", False),
        (b"// here", b"int q = 1;", False),
        (b"// here", b"int limit = 1;", True),  # the name means something here
        (b"// here", b"__syncthreads();", True),
        (b"// there", b"int q = 1; // there", False),
        (b"p[1] = n;", b"p[1] = n + 1;", False),
        (b"float last[", b"float last [", False),
        (b"// of a block", b"// of a block, or of a grid", False),
        (b"// of a block", b"n = 2; // of a block", False),
        (b"return cuda", b"int q = 4; return cuda", False),
        (b"float last[most / 4]", b"float last[most / 2]", True),
        (b"struct Owner", b"struct  Owner", False),
    ],
)
def test_kernels_are_resolved_again_only_if_a_class_says_something_else(old: bytes, new: bytes, again: bool) -> None:
    source = Source(_TEXT, CUDA)
    source.facts({})
    computed = source._first_environment().queries.computed
    before, at = computed["in body"], _TEXT.index(old)
    content = _TEXT.replace(old, new)
    source.replace(content, at, at + len(old), at + len(new))
    assert _told(source) == _told(Source(content, CUDA))
    assert (computed["in body"] > before) is again


def test_a_function_is_another_one_once_somebody_works_it_out() -> None:
    content = b"""constexpr int threads(int n) { return n * 4; }
__global__ void k(float *p) { p[0] = 1; }
void run(float *p) { k<<<1, 32>>>(p); }
"""
    source = Source(content, CUDA)
    source.facts({})
    for old, new, threads in [(b"n * 4", b"n * 8", 32), (b"32", b"threads(8)", 64), (b"n * 8", b"n * 2", 16)]:
        at = content.index(old)
        content = content.replace(old, new)
        source.replace(content, at, at + len(old), at + len(new))
        (launch,) = source.facts({}).launches
        assert launch.configuration.block[1][0].number == threads


def _follows(content: bytes, edits: list[tuple[bytes, bytes]]) -> None:
    """After each edit, the first of one text becoming another, the file says what a fresh one does."""
    source = Source(content, CUDA)
    source.facts({})
    for old, new in edits:
        at = content.index(old)
        content = content.replace(old, new, 1)
        source.replace(content, at, at + len(old), at + len(new))
        assert _told(source) == _told(Source(content, CUDA)), content.decode()


@pytest.mark.parametrize("calls", [b"p[1] = f(p);", b"// call"], ids=["asked before", "asked later"])
def test_where_values_go_is_asked_of_the_text_as_it_reads(calls: bytes) -> None:
    content = b"""__device__ float f(float *p) {
  __shared__ float s[64];
  s[threadIdx.x] = *p;
  __syncthreads();
  float v = s[1], w = 0;
  return v;
}
__global__ void k(float *p) {
  CALLS
}
""".replace(b"CALLS", calls)
    _follows(content, [(b"return v", b"return w"), (b"// call", b"p[1] = f(p);")][: 1 + calls.startswith(b"//")])


def test_a_key_in_a_short_kernel_leaves_what_is_known_of_it() -> None:
    content = b"__global__ void k(float *p) { __shared__ float s[4]; s[0] = *p; p[1] = s[1]; }\n"
    source = Source(content, CUDA)
    source.facts({})
    computed = source._first_environment().queries.computed
    before, at = computed["in body"], content.index(b"p[1]")
    source.replace(content.replace(b"p[1]", b"int q = 1; p[1]"), at, at, at + len(b"int q = 1; "))
    source.facts({})
    assert computed["in body"] == before


def test_an_item_with_an_if_that_nothing_closes_is_another_one() -> None:
    content = b"""__global__ void k(float *p) {
  p[0] = 1;
#if DEBUG
  p[1] = 1;
}
__global__ void other(float *p) { __shared__ float s[4]; s[0] = *p; p[1] = s[1]; }
"""
    more = b"__global__ void more(float *p) { p[0] = 2; }\n"
    _follows(
        content, [(b"p[0] = 1;", b"p[0] =  1;"), (b"s[1]; }\n", b"s[1]; }\n" + more), (b"p[1] = 1;", b"p[1] =  1;")]
    )


def test_a_name_by_which_rules_go_is_among_those_of_its_kernel() -> None:
    content = b"__global__ void k(float *p) {\n  // LONG\n  p[0] = 1;\n}\n".replace(b"LONG", b" " * 4096)
    _follows(content, [(b"p[0]", b"int setmaxnreg_inc = 1; p[0]")])


def test_an_item_stays_as_it_was_as_long_as_its_new_names_mean_nothing() -> None:
    stop = b"__device__ void stop(float *p) { __shared__ float s[64]; s[0] = *p; p[1] = s[1]; }\n"
    limit = b"constexpr int limit"
    _follows(
        _TEXT, [(b"// here", b"auto f = &stop; // here"), (limit, stop + limit), (stop, b""), (b"&stop", b"&  stop")]
    )


@pytest.mark.parametrize(
    ("it", "others"),
    [
        (
            CallSite("f", None, ("x",), 1, "on"),
            {"name": "g", "template": ("int",), "arguments": ("y",), "start": 2, "on": ""},
        ),
        (
            Definition("n", "variable", Number(1, 3, 4), 1, Span(0, 9), (), (), "int"),
            {
                "name": "m", "kind": "constant", "value": Number(1, 4, 5), "start": 2, "scope": Span(0, 8),
                "owner": ("S",), "conditions": (("A", True),), "type": "long", "declares": False, "array": "long[4]",
            },
        ),
    ],
)  # fmt: skip
def test_all_that_is_said_of_a_name_is_compared(it: CallSite | Definition, others: dict[str, Any]) -> None:
    assert others.keys() == {*it.__struct_fields__}
    told = moves_within_item._contents_and_offsets(it)
    for name, other in others.items():
        assert moves_within_item._contents_and_offsets(structs.replace(it, **{name: other})) != told, name


def test_all_places_are_looked_for_where_they_stand() -> None:
    """In no field that is passed over stands one."""
    passed: set[tuple[str, str]] = set()

    def holds(it: Any) -> bool:
        if isinstance(it, Place):
            return True
        if isinstance(it, (tuple, list)):
            return any([*map(holds, it)])
        names = (
            it.__struct_fields__ if isinstance(it, Record) else [f.name for f in fields(it)] if is_dataclass(it) else ()
        )
        found = [name for name in names if holds(getattr(it, name))]
        passed.update(
            (type(it).__name__, name)
            for name in found
            if name not in moves_within_item._fields_holding_places(type(it))
        )
        return bool(found)

    found = Source(_TEXT, CUDA).facts({})
    assert holds(found.kernels) and holds(found.launches)
    assert not passed
    assert {"name_place", "attributes", "summary", "instances"} < {*moves_within_item._fields_holding_places(Kernel)}
    assert not {"name", "takes", "names", "barriers"} & {*moves_within_item._fields_holding_places(Kernel)}
