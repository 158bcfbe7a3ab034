"""Ten times the text takes ten times the work, whatever it is ten times of: counted in calls, never in seconds."""

from __future__ import annotations

import ast
import sys
from cProfile import Profile
from pathlib import Path

import pytest

import occupancy_lsp.source
from occupancy_lsp.core.query import Budget
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.panel import Asked, panel
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.source.incremental import file_in_units
from occupancy_lsp.source.kernels import kernel
from occupancy_lsp.source.sema import constexpr_interpreter
from occupancy_lsp.source.syntax import node_index
from tests.source.growing import CHAINS, DEEP, KERNEL, LAUNCH, MANY, in_host, in_kernel, many, nested, within
from tests.support import open_file, text_of, view_of

TOO_MANY_INSTANCES = "template parameter N: too many instances to be followed"
_MOST = 12
_FEW, _SOME = 12, 40
_DEEP, _LONG = 210, 66  # deeper, and longer, than what is followed
_PROJECT = Project(None, {}, {"devices": ["h100"]})
_PROJECT.scan(lambda: False, lambda done, total: None)


def _look(source: str, language: str = "cuda") -> View | None:
    return _show(OpenFile(None, language, Text(source.encode()), _PROJECT))


def _ask(view: View) -> None:
    """What an editor asks for at the first kernel and the last launch, and with all of the text selected."""
    places = [it.name_place for it in view.facts.kernels[:1]] + [it.place for it in view.facts.launches[-1:]]
    for place in places:
        start, _ = view.span(place)
        hover(view, start)
        panel(view, Asked(start))
        actions(view, start, start + 1)
    offered = actions(view, 0, len(view.text.content))
    for key in {it.key.partition(":")[0]: it.key for it in offered}.values():
        resolve(view, key)


def _forget() -> None:
    """What functions remember of sources looked at before; queries of syntax, which take long to make, are of none."""
    modules = [module for name, module in sys.modules.items() if name.startswith("occupancy_lsp.")]
    for remembered in {
        id(it): it for module in modules for it in vars(module).values() if hasattr(it, "cache_clear")
    }.values():
        if remembered is not node_index._compiled_query:
            remembered.cache_clear()


def _calls(profile: Profile) -> int:
    return sum(it.callcount for it in profile.getstats())


def _work_of_reading(source: str, language: str = "cuda") -> int:
    _forget()
    profile = Profile()
    profile.runcall(_look, source, language)
    return _calls(profile)


def _work_of_asking(source: str) -> int:
    _forget()
    view = _look(source)
    assert view is not None
    profile = Profile()
    profile.runcall(_ask, view)
    return _calls(profile)


def _work_of_a_key(source: str) -> int:
    """A blank in the last statement, and what is then shown."""
    _forget()
    file = OpenFile(None, "cuda", Text(source.encode()), _PROJECT)
    _show(file)
    at = source.rindex(" }")
    file.edit(at, at, b" ")
    profile = Profile()
    profile.runcall(_show, file)
    return _calls(profile)


def _show(file: OpenFile) -> View | None:
    view = file.view()
    if view is not None:
        hints(view, 0, len(view.text.content))
        diagnostics(view)
        assert view.facts.lost == ()  # nothing met a defect
    return view


@pytest.mark.parametrize("name", MANY)
def test_many_take_as_much_work_as_they_are(name: str) -> None:
    grow = MANY[name]
    _look(grow(2))
    assert _work_of_reading(grow(10 * _FEW)) <= _MOST * _work_of_reading(grow(_FEW))


@pytest.mark.parametrize("name", DEEP)
def test_what_is_deep_takes_no_more_than_its_size(name: str) -> None:
    grow = DEEP[name]
    _look(grow(2))
    assert _work_of_reading(grow(10 * _DEEP)) <= _MOST * _work_of_reading(grow(_DEEP))


@pytest.mark.parametrize("name", CHAINS)
def test_what_hangs_on_one_another_takes_no_more_than_its_size(name: str) -> None:
    grow = CHAINS[name]
    _look(grow(2))
    assert _work_of_reading(grow(10 * _LONG)) <= _MOST * _work_of_reading(grow(_LONG))


def test_functions_that_call_one_another_take_no_more_than_they_are() -> None:
    def ring(count: int) -> str:
        calls = ("".join(f"f{(it + next) % count}(); " for next in (1, 2, 3)) for it in range(count))
        each = (f"__device__ void f{it}() {{ {inner}__syncthreads(); }}\n" for it, inner in enumerate(calls))
        return f"{''.join(each)}__global__ void k() {{ f0(); }}\n"

    _look(ring(4))
    assert _work_of_reading(ring(32)) <= 5 * _work_of_reading(ring(8))


@pytest.mark.parametrize(
    "name",
    [
        "kernels",
        "kernels and their launches",
        "kernels of one name",
        "constants of one name in namespaces",
        "generic lambdas that launch",
        "directives and kernels",
        "launches",
        "shared arrays",
        "names",
        "includes",
    ],
)
def test_hover_panel_and_actions_take_no_more_than_the_text_is_long(name: str) -> None:
    grow = MANY[name]
    assert _work_of_asking(grow(10 * _LONG)) <= _MOST * _work_of_asking(grow(_LONG))


def test_a_key_in_a_function_takes_no_more_than_it_is_long() -> None:
    """More lambdas and sizes than the patterns and answers that are kept at most."""
    grow = MANY["generic lambdas that launch"]
    _look(grow(2))
    assert _work_of_reading(grow(10 * _LONG)) <= _MOST * _work_of_reading(grow(_LONG))
    assert _work_of_a_key(grow(10 * _LONG)) <= _MOST * _work_of_a_key(grow(_LONG))


def test_launches_that_fail_take_no_more_than_they_are() -> None:
    """Of each it is asked whether it ever runs, behind all the calls before it."""
    grow = in_host(
        many("auto f# = [&](auto c) { k<<<1, c.value + 1024>>>(p); }; f#(std::integral_constant<int, @>()); ")
    )
    _look(grow(2))
    assert _work_of_reading(grow(10 * _FEW)) <= _MOST * _work_of_reading(grow(_FEW))
    assert _work_of_asking(grow(10 * _LONG)) <= _MOST * _work_of_asking(grow(_LONG))  # what mends them, too


_OTHERS = "".join(f"groupshared int {name}#; " for name in "abcdefghijlm")


@pytest.mark.parametrize(
    ("language", "each"),
    [
        (
            "hlsl",
            f"groupshared int s#[@]; {_OTHERS}"
            "[numthreads(64, 1, 1)] void k#(uint3 t : SV_GroupThreadID) { s#[t.x] = 1; }\n",
        ),
        (
            "slang",
            "struct T# { int v() { return 1; } }\ngroupshared T# g#;\n"
            '[shader("compute")] [numthreads(64, 1, 1)] void k#() { g#.v(); }\n',
        ),
    ],
)
def test_entries_of_a_shader_take_as_much_work_as_they_are(language: str, each: str) -> None:
    """Each has variables of the whole file, or calls one of the methods of a name that all bear."""
    grow = many(each)
    _look(grow(2), language)
    assert _work_of_reading(grow(10 * _SOME), language) <= _MOST * _work_of_reading(grow(_SOME), language)


def test_the_syntax_asks_no_node_for_what_is_around_it() -> None:
    """tree-sitter walks there from the root, which no count of calls shows: `NodeIndex` knows it."""
    slow = {"parent", "next_sibling", "prev_sibling", "next_named_sibling", "prev_named_sibling"}
    slow |= {"descendant_for_byte_range", "named_descendant_for_byte_range", "descendant_for_point_range"}
    for path in Path(occupancy_lsp.source.__path__[0]).rglob("*.py"):
        tree = ast.parse(path.read_text())
        called = {id(it.func) for it in ast.walk(tree) if isinstance(it, ast.Call)}
        asked = [it for it in ast.walk(tree) if isinstance(it, ast.Attribute) and id(it) not in called]
        assert not [f"{path.name}:{it.lineno}" for it in asked if it.attr in slow]


def test_a_kernel_that_is_nested_too_deeply_says_so() -> None:
    view = view_of(in_kernel(nested("if (n) { ", "__shared__ int s[64]; p[1] = s[n];", "} "))(300))
    local = view.facts.kernels[0].summary.local
    assert (local.lowest, local.highest, local.reason) == (0, None, "nested too deeply to be followed")


def test_a_kernel_that_is_broken_at_length_says_so() -> None:
    view = view_of(in_kernel(many("+ - / "))(2000))
    local = view.facts.kernels[0].summary.local
    assert (local.highest, local.reason) == (None, "too large to be followed")


_TABLE = f"static const int t[] = {{{'1,' * 110_000}}}; "  # a line, as a program writes it


def test_a_table_in_a_kernel_is_not_followed() -> None:
    """Nor what stands around it."""
    view = view_of(f"{KERNEL}__global__ void g(int* p) {{ {_TABLE} __shared__ int s[64]; p[1] = s[t[p[0]]]; }}")
    local = view.facts.kernels[1].summary.local
    assert (local.lowest, local.highest, local.reason) == (0, None, "too large to be followed")


@pytest.mark.parametrize("launch", ["f<<<1, 1024>>>(p);", "cudaLaunchKernel((void*)f, 1, 1024, 0, 0, 0);"])
def test_launches_beside_a_table_may_be_of_any_size(launch: str) -> None:
    one = "__global__ void f(int* p) { p[0] = 1; }\nvoid g(int* p) { f<<<1, 64>>>(p); }\n"
    report = view_of(f"{one}void h(int* p) {{ {_TABLE} {launch} }}").reports[0]
    assert [it.launch.configuration.block[1][0].number for it in report.launches] == [64, None]
    assert "64" not in (text_of(report) or "")


def test_an_edit_makes_an_item_too_large_and_back() -> None:
    """What is told is that of a fresh text."""
    before = f"__global__ void g(int* p) {{ __shared__ int s[64]; {'p[1] = s[p[0]]; ' * 200} static int t[] = {{"
    file = open_file(before + "1};" + "}\n")
    for text in ("1," * 110_000, "1,", "1," * 300_000):
        at = len(before)
        file.edit(at, len(file.text.content) - len("1};}\n"), text.encode())
        view = file.view()
        assert view is not None
        edited, fresh = (it.facts.kernels[0].summary.local for it in (view, view_of(file.text.content.decode())))
        assert (edited.lowest, edited.highest, edited.reason) == (fresh.lowest, fresh.highest, fresh.reason)


def test_sizes_in_what_is_nested_too_deeply_are_not_known() -> None:
    """An assignment that is not looked at may change them."""
    source = in_host(nested("if (m) { ", "n = 4;", "} "))
    for depth, size, reason in ((20, None, "n depends on a branch"), (300, None, "nested too deeply to be followed")):
        block = view_of(source(depth)).facts.launches[0].configuration.block[1][0]
        assert (block.number, block.reason) == (size, reason)


def test_what_makes_too_many_ways_is_given_up() -> None:
    """Labels, which are reached from anywhere, times the variables that change."""
    source = in_host(many("l#: a#++; "), "".join(f"int a{i} = 1; " for i in range(300)))
    block = view_of(source(300)).facts.launches[0].configuration.block[1][0]
    assert (block.number, block.reason) == (None, "too large to be followed")


def test_a_struct_that_is_nested_too_deeply_has_no_size() -> None:
    source = within(
        KERNEL, nested("struct S# { ", "int a;", "} s; "), f"{LAUNCH}__global__ void g() {{ __shared__ S0 s; use(s); }}"
    )
    assert view_of(source(20)).facts.kernels[1].summary.local.highest == 16
    assert view_of(source(300)).facts.kernels[1].summary.local.highest is None


@pytest.mark.parametrize(("count", "launches"), [(20, 400), (40, 40)])
def test_launches_by_way_of_instances_have_a_budget(count: int, launches: int) -> None:
    text = MANY["templates from templates"](count).replace("<<<1, 64>>>", "<<<1, N>>>")
    view = view_of(text)
    sizes = {it.configuration.block[1][0].number for it in view.facts.launches}
    assert len(view.facts.launches) == launches
    if launches == count:
        reasons = {it.configuration.block[1][0].reason for it in view.facts.launches}
        assert sizes == {None} and reasons == {"template parameter N: too many instances to be followed"}
        assert view.facts.kernels[0].summary.local.reason == "template parameter N: too many instances to be followed"
    else:
        assert sizes == {None, *range(1, count)}  # a block of no threads is none


@pytest.mark.parametrize("name", ["branches that parameters decide", "arrays of many sizes"])
def test_instances_times_what_each_decides_have_a_budget(name: str) -> None:
    """What is beyond it is open: the last instance has more bytes than those that are worked out."""
    kernel = view_of(MANY[name](120)).facts.kernels[0]
    assert [it.arguments for it in kernel.instances] == [f"{it + 1}" for it in range(len(kernel.instances))]
    assert 8 <= len(kernel.instances) < 120 and not any(it.summary.local.reason for it in kernel.instances)
    assert kernel.summary.local.highest is None and kernel.summary.local.reason == TOO_MANY_INSTANCES


@pytest.mark.parametrize(
    "name", ["branches that parameters decide, in what is called", "arrays of many sizes, in what is called"]
)
def test_instances_that_are_called_have_a_budget(name: str) -> None:
    source = MANY[name](120).replace("s[N];", "s[N]; if constexpr (N == 120 || N == 1) __syncthreads();", 1)
    kernel = view_of(source).facts.kernels[0]
    assert (kernel.summary.local.highest, kernel.summary.local.reason) == (None, "d: too many instances to be followed")
    assert (
        kernel.summary.barriers.highest == 16
        and kernel.summary.barriers.reason == "d: too many instances to be followed"
    )


def _with_budget(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(file_in_units, "_BUDGET", Budget(file_in_units._BUDGET.cost, most))
    monkeypatch.setattr(kernel, "MOST_OF_FILE", most)


_TOO_MUCH = "more calls and instances than are followed in one file"
_CALLED = "__device__ int d(int i) { __shared__ int t[4]; t[i] = i; __syncthreads(); return t[i + 1]; }\n"


def _calling(index: int) -> str:
    return f"__global__ void k{index}(int *p) {{ __shared__ int s[{4 * index}]; s[p[1]] = d(p[2]); p[0] = s[p[3]]; }}\n"


def test_kernels_of_a_file_have_one_budget_in_the_order_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was edited, and in whatever steps it is worked out: each takes 72 steps."""
    _with_budget(monkeypatch, 160)
    text = _CALLED + "".join(map(_calling, range(1, 7)))
    file = OpenFile(None, "cuda", Text(text.encode()), _PROJECT)
    for _ in file.ahead():
        pass

    def said() -> list[tuple[int | None, str]]:
        edited = file.view()
        fresh = OpenFile(None, "cuda", Text(file.text.content), _PROJECT).view()
        assert edited is not None and fresh is not None
        told = [
            [(it.summary.local.highest, it.summary.local.reason) for it in view.facts.kernels]
            for view in (edited, fresh)
        ]
        assert told[0] == told[1]
        assert [it.summary.barriers.reason for it in edited.facts.kernels] == [reason for _, reason in told[0]]
        return told[0]

    beyond = None, _TOO_MUCH
    assert said() == [(32, ""), (48, ""), (64, ""), beyond, beyond, beyond]
    for index in (2, 5):
        at = file.text.content.index(_calling(index).encode())
        file.edit(at, at + len(_calling(index)), b"")
    assert said() == [(32, ""), (64, ""), (80, ""), beyond]
    at = file.text.content.index(b"d(p[2])")
    file.edit(at, at + len("d(p[2])"), b"p[2]")
    assert said() == [(16, ""), (64, ""), (80, ""), beyond]
    file.edit(len(_CALLED), len(_CALLED), (_calling(7) + _calling(8)).encode())
    assert said() == [(128, ""), (144, ""), (16, ""), beyond, beyond, beyond]


def test_a_kernel_that_reaches_too_much_is_given_up_alone() -> None:
    source = in_kernel(many("__shared__ int s#[4]; s#[n] = p[#]; p[#] = s#[1]; "))
    few, most, many_of_them = (view_of(source(it) + _calling(4) + _CALLED).facts.kernels for it in (20, 200, 250))
    assert (few[0].summary.local.highest, few[0].summary.local.reason) == (20 * 16, "")
    assert (most[0].summary.local.highest, most[0].summary.local.reason) == (200 * 16, "")
    summary = many_of_them[0].summary
    assert (summary.local.lowest, summary.local.highest, summary.local.reason) == (0, None, "too large to be followed")
    assert summary.barriers.reason == "too large to be followed"
    assert many_of_them[1].summary.local.highest == few[1].summary.local.highest == 80


def test_what_a_kernel_reaches_is_worked_out_in_small_steps() -> None:
    called = many("__device__ int d#(int i) { __shared__ int t[4]; t[i] = i; __syncthreads(); return t[i + 1]; }\n")
    source = within("", called, f"__global__ void k(int *p) {{ {many('p[#] = d#(p[#]); ')(100)}}}\n")
    _look(source(100))
    file = OpenFile(None, "cuda", Text((source(100) + "// again").encode()), _PROJECT)
    _forget()
    steps, work = file.ahead(), []
    ended = False
    while not ended:
        profile = Profile()
        ended = profile.runcall(next, steps, True) is True
        work.append(_calls(profile))
    assert max(work) <= sum(work) / 2


def test_instances_of_a_kernel_have_the_budget_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    _with_budget(monkeypatch, 160)
    found = view_of(
        "template <int N> __global__ void k(int *p) { __shared__ int s[N]; s[p[1]] = 1; p[0] = s[p[3]]; }\n"
        f"void h(int *p) {{ {''.join(f'k<{it}><<<1, 64>>>(p); ' for it in range(1, 9))}}}\n{_calling(1)}{_CALLED}"
    ).facts.kernels
    assert [it.arguments for it in found[0].instances] == ["1", "2", "3", "4", "5"]
    assert [(it.summary.local.highest, it.summary.local.reason) for it in found] == [
        (None, TOO_MANY_INSTANCES),
        (None, _TOO_MUCH),
    ]


def test_uses_of_one_function_share_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constexpr_interpreter, "_MOST_OF_USES", 4000)
    counting = "constexpr int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 1; return s; }\n"

    def reasons(count: int) -> set[str]:
        each = (
            f"__global__ void k{i}(int *p) {{ __shared__ int s[f({i + 300})]; s[p[1]] = 1; p[0] = s[p[2]]; }}\n"
            for i in range(count)
        )
        return {it.summary.local.reason for it in view_of(counting + "".join(each)).facts.kernels}

    assert reasons(4) == {""}
    assert reasons(20) == {"the value of f(…)"}


def test_branches_are_decided_once_for_equal_arguments() -> None:
    """So 200 instances with 40 branches each are no more than the few that differ in what the branches name."""
    text = (
        "template <int N, int M> __global__ void k(int *p) { __shared__ int s[N]; "
        f"{many('if constexpr (N > #) p[#] = s[p[1]]; ')(40)}}}\n"
        f"void h(int *p) {{ {''.join(f'k<{i % 4 + 38}, {i}><<<1, 64>>>(p); ' for i in range(200))}}}\n"
    )
    kernel = view_of(text).facts.kernels[0]
    assert len(kernel.instances) == 200 and kernel.summary.local.lowest == 38 * 4 and kernel.summary.local.reason == ""


def test_a_key_beside_a_long_sum_is_one_as_any_other() -> None:
    text = f"#define N ({' + '.join(['1'] * 700)})\n__global__ void k(int *p) {{ __shared__ int s[N]; p[0] = s[1]; }}\n"
    file = OpenFile(None, "cuda", Text(text.encode()), _PROJECT)
    for at in (len("#define N ("), len(text) - 3):
        file.view()
        file.edit(at, at, b" ")
    edited, fresh = file.view(), OpenFile(None, "cuda", Text(file.text.content), _PROJECT).view()
    assert edited is not None and fresh is not None
    reasons = {it.facts.kernels[0].summary.local.reason for it in (edited, fresh)}
    assert reasons == {"an expression nested too deeply"}
