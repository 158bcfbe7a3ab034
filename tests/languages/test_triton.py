"""Triton's kernels in Python files: what the text proves of threads, and what it leaves open."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

_HEAD = "import triton\nimport triton.language as tl\nimport itertools\n\n"
_KERNEL = "@triton.jit\ndef k(x, BLOCK: tl.constexpr):\n    tl.store(x, 0)\n"
ANY = [32, 64, 128, 256, 512, 1024]  # of powers of two warps, which alone Triton takes
_HINT = re.compile(r"  #: [^\n]*")


def view_of(source: str, *devices: str) -> View:
    project = Project(None, None, {"devices": list(devices or ("h100",))})
    view = OpenFile(Path("k.py"), "python", Text(source.encode()), project).view()
    assert view is not None
    return view


def drawn(source: str, *devices: str) -> str:
    """The source with its hints at the ends of their lines."""
    view = view_of(source, *devices)
    text, shown = view.text.content, ""
    at = 0
    for hint in hints(view, 0, len(text)):
        shown += f"{text[at : hint.offset].decode()}  #: {hint.label}"
        at = hint.offset
    return shown + text[at:].decode()


def check(source: str, *devices: str) -> None:
    """What is drawn is shown, and nothing else."""
    expected = _HEAD + dedent(source)
    assert drawn(_HINT.sub("", expected), *devices) == expected


def test_configurations_are_launches_of_their_own() -> None:
    check(
        """
        @triton.autotune(
            configs=[
                triton.Config({"BLOCK": 128}, num_warps=8, num_stages=3),  #: 100% if ≤32 regs, ≤27 KiB smem
                triton.Config({"BLOCK": 64}),
                triton.Config({"BLOCK": 64}, num_warps=64),  #: left out: 2048>1024 threads
            ],
            key=[],
        )
        @triton.jit
        def k(x, BLOCK: tl.constexpr):  #: 100% if ≤32 regs, ≤13 KiB smem
            tl.store(x, 0)
        """
    )


def sizes(source: str, *devices: str) -> list[int | None]:
    """Threads of each configuration and launch."""
    return [it.size.number for it in view_of(_HEAD + dedent(source), *devices).facts.launches]


@pytest.mark.parametrize(
    ("configs", "threads"),
    [
        ("[triton.Config({}, num_warps=w) for w in (1, 2, 4)]", [32, 64, 128]),
        ("[triton.Config({}, num_warps=w) for _, w in itertools.product([1, 2], [4, 8])]", [128, 256, 128, 256]),
        ("[triton.Config({}, num_warps=2**w) for w in range(3)]", [32, 64, 128]),
        ("[triton.Config({}, 8), *MORE] + MORE", [256, 512, 512]),
        ("made()", [64]),
        ("MORE if torch.version.hip else made()", [512, 64]),
        ("imported()", ANY),
        ("[triton.Config({}, num_warps=UNKNOWN)]", ANY),
        ("[triton.Config({}, num_warps=4 if A else 4)]", [128]),
        ("[triton.Config({}, num_warps=4 if A else 8)]", [128, 256]),
        ("[triton.Config({'num_warps': 16})]", [512]),
        ("[triton.Config({}, **more)]", ANY),
    ],
)
def test_lists_of_configurations(configs: str, threads: list[int | None]) -> None:
    given = "MORE = [triton.Config({}, num_warps=16)]\n\ndef made():\n    return [triton.Config({}, num_warps=2)]\n\n"
    assert sizes(f"{given}@triton.autotune(configs={configs}, key=[])\n{_KERNEL}") == threads


@pytest.mark.parametrize(
    ("before", "decorators", "threads"),
    [
        ("", "@triton.autotune(configs=runtime.tuned(), key=[])", ANY),
        ("", "@triton.autotune(configs=[triton.Config({}, num_warps=4)] + more(), key=[])", [128, *ANY]),
        (
            "from pkg import some\n",
            "@triton.autotune(configs=some([triton.Config({}, num_warps=4), triton.Config({}, num_warps=8)]), key=[])",
            [128, 256, *ANY],
        ),
        (
            "C = [triton.Config({}, num_warps=4)]\nfor w in (8, 16):\n    C.append(triton.Config({}, num_warps=w))\n",
            "@triton.autotune(C, key=[])",
            [128, *ANY],
        ),
        (
            "def cs():\n    if hip():\n        return other()\n    return [triton.Config({}, num_warps=4)]\n",
            "@triton.autotune(cs(), key=[])",
            [*ANY, 128],
        ),
        ("C = triton.Config\n", "@triton.autotune([C({}, num_warps=8)], key=[])", ANY),
        ("", "@triton.heuristics({'num_warps': lambda args: 8})", ANY),
        ("", "@triton.heuristics({'EVEN': lambda args: True})", [128]),
        ("", "@libtuner(configs=[triton.Config({}, num_warps=8)])", ANY),
        (
            "S = [f(), 128]\n",
            "@triton.autotune([triton.Config({}, num_warps=8 if 64 in S else 4)], key=[])",
            [128, 256],
        ),
        ("", "@triton.autotune([triton.Config({}, num_warps=sorted([8, 4])[0])], key=[])", [128]),
        (
            "def min(a, b):\n    return 16\n",
            "@triton.autotune([triton.Config({}, num_warps=min(4, 8))], key=[])",
            ANY,
        ),
        ("", "@triton.autotune([triton.Config({}, num_warps=3)], key=[])", [None]),
        ("", "@triton.autotune([triton.Config({}, num_warps=-4)], key=[])", [None]),
    ],
)
def test_what_may_set_the_warps(before: str, decorators: str, threads: list[int | None]) -> None:
    assert sizes(f"{before}{decorators}\n{_KERNEL}\ndef run(x):\n    k[(1,)](x, 1)\n") == threads


def test_configurations_of_a_function_around() -> None:
    text = "def make():\n    C = [triton.Config({}, num_warps=8)]\n    @triton.autotune(C, key=[])\n    @triton.jit\n"
    given = text + "    def k(x):\n        tl.store(x, 0)\n    return k\n"
    assert sizes(given) == [256]
    assert sizes(given.replace("make():\n    C = [triton.Config({}, num_warps=8)]\n", "make(C):\n")) == ANY


@pytest.mark.parametrize(
    "other", ["f = k\n", "def go(x):\n    launch(k, x)\n", "def go(x):\n    k.run(x, num_warps=16)\n"]
)
def test_a_kernel_that_is_named_otherwise_may_have_any_size(other: str) -> None:
    assert sizes(f"{_KERNEL}\ndef run(x):\n    k[(1,)](x, 1)\n{other}") == [128, *ANY]


def test_names_of_comprehensions_are_their_own() -> None:
    assert sizes(f"w = 4\n{_KERNEL}\ndef run(x):\n    [k[(1,)](x, num_warps=w) for w in (8, 16)]\n") == ANY


def test_a_parameter_is_no_kernel_of_the_file() -> None:
    text = f"{_KERNEL}\ndef go(x, k):\n    k[(1,)](x, num_warps=32)\n\ndef run(x):\n    k[(1,)](x, 1)\n"
    assert sizes(text) == [128, *ANY]


@pytest.mark.parametrize(
    "given",
    [
        "X = [a for a in range(4000) for b in range(4000) for c in range(4000)]\nW = X[0]",
        "X = '%2000000000d' % 1\nW = X",
        "A0 = [*range(4000)]\n" + "".join(f"A{i} = [*A{i - 1}, *A{i - 1}]\n" for i in range(1, 25)) + "W = A24",
        "A0 = [1]\n" + "".join(f"A{i} = [A{i - 1}, A{i - 1}]\n" for i in range(1, 36)) + "W = A35",
        "A0 = [1]\n" + "".join(f"A{i} = [A{i - 1}, A{i - 1}]\n" for i in range(1, 36)) + "W = 4 if A35 == A34 else 8",
        f"W = {'1 + ' * 3000}1",
        f"W = 0x{'f' * 5000}",
        "W = range(10 ** 30)[0]",
        "".join(f"W = {i}\n" for i in range(8000)),
    ],
    ids=range(9),
)
def test_work_is_bounded(given: str) -> None:
    found = sizes(f"{given}\n@triton.autotune([triton.Config({{}}, num_warps=W)], key=[])\n{_KERNEL}")
    assert found and set(found) <= {*ANY, None}


def test_lists_of_configurations_are_bounded() -> None:
    doubled = "C0 = [None]\n" + "".join(f"C{i} = C{i - 1} + C{i - 1}\n" for i in range(1, 26))
    assert sizes(f"{doubled}@triton.autotune(C25, key=[])\n{_KERNEL}")[: len(ANY)] == ANY


def test_a_list_that_is_changed_elsewhere_is_not_known() -> None:
    text = f"C = [triton.Config({{}}, num_warps=W)]\nW = 4\nW += 4\n@triton.autotune(C, key=[])\n{_KERNEL}"
    assert sizes(text) == ANY


@pytest.mark.parametrize(
    ("launch", "threads"),
    [
        ("k[(1,)](x, 128)", [128]),
        ("k[(1,)](x, 128, num_warps=8)", [256]),
        ("k[(1,)](x, 128, num_warps=WARPS)", [512]),
        ("k[(1,)](x, 128, num_warps=given)", ANY),
        ("k[(1,)](x, 128, **options)", ANY),
        ("self.k[grid](x, 128, num_warps=2)", [64]),
        ("other.k[grid](x, 128, num_warps=2)", []),
    ],
)
def test_launches(launch: str, threads: list[int]) -> None:
    assert sizes(f"WARPS = 16\n{_KERNEL}\ndef run(x, given, options):\n    {launch}\n") == threads


def test_a_hover_marks_the_configuration_alone() -> None:
    config = "triton.Config({}, num_warps=8)"
    text = f"{_HEAD}@triton.autotune([\n    {config},\n], key=[])\n{_KERNEL}"
    found = hover(view_of(text), text.index("num_warps"))
    assert found is not None and text[found.start : found.end] == config


@pytest.mark.parametrize(
    ("around", "launch", "threads"),
    [
        ("def make(x):", "k[(1,)](x, 128)", [128]),
        ("def make(x):", "def run(x):\n        k[(1,)](x, 128)", [128]),
        ("def make(x):", "k = other(k)\n    k[(1,)](x, 128)", []),
        ("def make(x):", "def run(k):\n        k[(1,)](x, 128)", []),
        ("class A:", "def run(self, x):\n        self.k[(1,)](x, 128)", [128]),
    ],
)
def test_launches_of_a_kernel_in_a_function(around: str, launch: str, threads: list[int]) -> None:
    assert sizes(f"{around}\n{indent(_KERNEL, '    ')}\n    {launch}\n") == threads


_PICKED = """
@triton.jit
def fast(x):
    tl.store(x, 0)

@triton.jit
def slow(x):
    tl.store(x, 1)
"""


def picked(source: str) -> dict[str, list[int | None]]:
    """The threads of each launch, by the kernel."""
    found: dict[str, list[int | None]] = {"fast": [], "slow": []}
    for it in view_of(_HEAD + _PICKED + dedent(source)).facts.launches:
        found[it.kernel].append(it.size.number)
    return found


@pytest.mark.parametrize(
    "run",
    [
        "impl = fast if wide else slow\n    impl[(1,)](x, num_warps=8)",
        "if wide:\n        impl = fast\n    else:\n        impl = slow\n    impl[(1,)](x, num_warps=8)",
        "(fast if wide else slow)[(1,)](x, num_warps=8)",
        "impl = {'a': fast, 'b': slow}[wide]\n    impl[(1,)](x, num_warps=8)",
        "{'a': fast, 'b': slow}[wide][(1,)](x, num_warps=8)",
        "impls = {'a': fast, 'b': slow}\n    impls[wide][(1,)](x, num_warps=8)",
        "impl = fast if wide else slow\n    def go():\n        impl[(1,)](x, num_warps=8)\n    go()",
        "wrap_triton(fast)[(1,)](x, num_warps=8)\n    torch.library.wrap_triton(slow)[(1,)](x, num_warps=8)",
        "impl = impl_of_two = fast\n    impl_of_two = slow\n    impl[(1,)](x, num_warps=8)\n"
        "    impl_of_two[(1,)](x, num_warps=8)",
    ],
)
def test_a_launch_of_what_a_variable_picks_is_one_of_each(run: str) -> None:
    found = picked(f"def run(x, wide):\n    {run}\n")
    assert {name: {*threads} for name, threads in found.items()} == {"fast": {256}, "slow": {256}}


@pytest.mark.parametrize(
    "run",
    [
        "impl = fast if wide else slow\n    impl[(1,)](x, num_warps=8)\n    go(impl)",
        "impl = fast if wide else slow\n    impl[(1,)](x, num_warps=8)\n    return impl",
        "impl = fast if wide else slow\n    impl[(1,)](x, num_warps=8)\n    impl.run(x, num_warps=4)",
        "impls = {'a': fast, 'b': slow}\n    impls[wide][(1,)](x, num_warps=8)\n    go(impls)",
        "impl = [fast, slow]\n    fast[(1,)](x, num_warps=8)\n    slow[(1,)](x, num_warps=8)\n    impl[0][(1,)](x)",
        "fast[(1,)](x, num_warps=8)\n    slow[(1,)](x, num_warps=8)\n    one = fast[(1,)]\n    two = slow[(1,)]",
        "impl = wrapped(fast, slow)\n    fast[(1,)](x, num_warps=8)\n    slow[(1,)](x, num_warps=8)\n    impl[(1,)](x)",
        "impl = fast if wide else slow\n    impl[(1,)](x, num_warps=8)\n    impl = other(impl)\n    impl[(1,)](x)",
    ],
)
def test_what_is_picked_and_handed_on_may_have_any_size(run: str) -> None:
    found = picked(f"def run(x, wide):\n    {run}\n")
    assert all({*threads} == {256, *ANY} for threads in found.values())


def test_others_may_launch_what_a_module_picks() -> None:
    found = picked("IMPLS = {'a': fast, 'b': slow}\n\ndef run(x, wide):\n    IMPLS[wide][(1,)](x, num_warps=8)\n")
    assert found == {"fast": [256, *ANY], "slow": [256, *ANY]}


@pytest.mark.parametrize(
    "run",
    [
        "impl = fast\n    def go(impl):\n        impl[(1,)](x, num_warps=8)\n    go(slow)",
        "[impl[(1,)](x, num_warps=8) for impl in (fast, slow)]",
        "fast = slow\n    fast[(1,)](x, num_warps=8)",
    ],
)
def test_names_that_are_given_something_else_are_no_kernels(run: str) -> None:
    assert 256 not in picked(f"def run(x, wide):\n    {run}\n")["fast"]


@pytest.mark.parametrize(
    "given",
    [
        "def change(m):\n    setattr(m, 'fast', slow)\n",
        "def change(fast):\n    setattr(sys.modules[__name__], 'fast', fast)\n",
        "globals()['fast'] = slow\n",
        "from .other import fast\n",
        "fast = wrapped(fast)\n",
    ],
)
def test_a_name_that_the_file_gives_something_else_is_no_kernels(given: str) -> None:
    run = "def run(x):\n    fast[(1,)](x, num_warps=8)\n"
    assert picked(run)["fast"] == [256]
    assert picked(given + run)["fast"] == []


@pytest.mark.parametrize(
    ("after", "threads"),
    [
        ("", [256]),
        ("class B(A):\n    k = staticmethod(other)\n", []),
        ("class C(B):\n    def k(self): ...\nclass B(A): ...\n", []),
        ("class B(Other):\n    def k(self): ...\n", [256]),
        ("def change(a):\n    setattr(a, 'k', other)\n", []),
    ],
)
def test_a_class_may_give_a_kernel_of_its_base_anew(after: str, threads: list[int]) -> None:
    run = "    def run(self, x):\n        self.k[(1,)](x, 1, num_warps=8)\n"
    assert sizes(f"class A:\n{indent(_KERNEL, '    ')}\n{run}{after}") == threads


def test_what_bounds_the_warps_bounds_the_threads() -> None:
    text = f"{_KERNEL}\ndef run(x, n):\n    warps = min(max(n // 256, 1), 8)\n    k[(1,)](x, n, num_warps=warps)\n"
    assert sizes(text) == [32, 64, 128, 256]


_TUNED = f"@triton.autotune(configs=C, key=[])\n{_KERNEL}"


@pytest.mark.parametrize(
    ("source", "amd", "nvidia"),
    [
        (f"C = [triton.Config({{}}, num_warps=8 if IS_AMD else 32)]\n{_TUNED}", [512], [256, 1024]),
        (
            f"W = 32 if not IS_AMD else 16\n{_KERNEL}\ndef run(x):\n    k[(1,)](x, 1, num_warps=W)\n",
            [1024],
            [512, 1024],
        ),
        (f"C = [triton.Config({{}}, num_warps=w) for w in ((4, 32) if X else (8,))]\n{_TUNED}", ANY[1:], ANY),
        (
            f"A = [triton.Config({{}}, num_warps=w) for w in (4, 32)]\nB = [triton.Config({{}}, num_warps=8)]\n"
            f"C = A if not IS_AMD else B\n{_TUNED}",
            [512],
            [128, 1024, 256],
        ),
        (
            "def some():\n    if IS_AMD:\n        return [triton.Config({}, num_warps=8)]\n"
            f"    return [triton.Config({{}}, num_warps=32)]\nC = some()\n{_TUNED}",
            [512],
            [256, 1024],
        ),
        (
            "if IS_AMD:\n    C = [triton.Config({}, num_warps=8)]\nelse:\n    C = [triton.Config({}, num_warps=32)]\n"
            + _TUNED,
            [512],
            [256, 1024],
        ),
        (f"C = [triton.Config({{}}, num_warps=w) for w in (4, 32)]\n{_TUNED}", [256, 2048], [128, 1024]),
        (
            f"C = [triton.Config({{}}, num_warps=32)] if X else [triton.Config({{}}, num_warps=64)]\n{_TUNED}",
            [2048, 4096],
            [1024],
        ),
    ],
)
def test_what_cannot_run_on_the_device_is_not_chosen_there(source: str, amd: list[int], nvidia: list[int]) -> None:
    assert (sizes(source, "mi300x"), sizes(source)) == (amd, nvidia)


def test_amd_waves_are_as_wide_as_the_device_has_them() -> None:
    text = f"{_KERNEL}\ndef run(x):\n    k[(1,)](x, 128)\n"
    assert sizes(text, "mi300x") == [256]
    assert sizes(text, "rx-7900-xtx") == [128]


@pytest.mark.parametrize(
    "body",
    [
        "for i in tl.range(0, 8, warp_specialize=True):\n        tl.store(x, i)",
        "with tlx.async_tasks():\n        pass",
    ],
)
def test_specialised_warps_leave_the_size_open(body: str) -> None:
    """On sm_100 four warps became eight, and eight twelve (Triton 3.9)."""
    text = f"@triton.jit\ndef k(x):\n    {body}\n\ndef run(x):\n    k[(1,)](x)\n"
    assert sizes(text) == [None]


def test_functions_of_kernels_are_no_kernels() -> None:
    text = (
        "@triton.jit\ndef helper(x):\n    return x\n\n@triton.jit\ndef stores(x):\n    tl.store(x, helper(x))\n\n"
        "@triton.jit\ndef k(x):\n    stores(x)\n"
    )
    assert [it.name for it in view_of(_HEAD + text).facts.kernels] == ["k"]


def test_names_that_stand_for_one_another() -> None:
    circle = "".join(f"x{i} = max(x{i + 1}, x{i + 1})\nx{i} = max(x{i + 2}, x{i + 2})\n" for i in range(60))
    text = f"{circle}x60 = x0\nx61 = x0\n@triton.autotune([triton.Config({{}}, num_warps=x0)], key=[])\n{_KERNEL}"
    assert sizes(text) == ANY


def test_a_broken_statement_costs_itself_alone() -> None:
    text = f"{_HEAD}{_KERNEL}\ndef broken(:\n    pass\n\ndef run(x):\n    k[(1,)](x, 128, num_warps=8)\n"
    assert [it.size.number for it in view_of(text).facts.launches] == [256]


def test_a_launch_that_is_being_typed_leaves_the_others_as_they_are() -> None:
    text = f"{_KERNEL}\ndef run(x):\n    k[(1,)](x, 1)\n\n\ndef also(x):\n    k[(2,)](x, num_warps=\n"
    assert sizes(text) == [128]


def test_too_many_threads_are_an_error_where_nothing_else_is_launched() -> None:
    text = f"{_HEAD}{_KERNEL}\ndef run(x):\n    k[(1,)](x, 128, num_warps=64)\n"
    assert [(it.code, it.severity) for it in diagnostics(view_of(text))] == [("OCC001", "error")]


@pytest.mark.parametrize(
    ("configs", "left"),
    [
        ("[triton.Config({}, num_warps=64), triton.Config({})]", "[triton.Config({})]"),
        ("[triton.Config({}), triton.Config({}, num_warps=64)]", "[triton.Config({})]"),
        ("[\n    triton.Config({}, num_warps=64),\n    triton.Config({}),\n]", "[\n    triton.Config({}),\n]"),
        ("[\n    triton.Config({}),\n    triton.Config({}, num_warps=64),\n]", "[\n    triton.Config({}),\n]"),
        ("(triton.Config({}, num_warps=64), triton.Config({}))", None),
        ("[triton.Config({}, num_warps=64)]", None),
        ("[triton.Config({}, num_warps=64), # first\n triton.Config({})]", None),
        ("[triton.Config({}, num_warps=w) for w in (4, 64)]", None),
    ],
)
def test_a_configuration_that_cannot_run_is_taken_out(configs: str, left: str | None) -> None:
    text = f"{_HEAD}@triton.autotune(configs={configs}, key=[])\n{_KERNEL}"
    view = view_of(text)
    found = [it for it in actions(view, 0, len(text), {}) if it.title.startswith("Remove this configuration")]
    if left is None:
        assert not found
        return
    (action,) = found
    resolved = resolve(view, action.key, {}) if action.key else action
    (edit,) = (resolved or action).edits
    assert text[: edit.start] + edit.new + text[edit.end :] == text.replace(configs, left)


def test_directives_are_comments_of_python() -> None:
    text = f"{_HEAD}# occupancy: regs=64, dynamic_shared=16KiB\n{_KERNEL}\ndef run(x):\n    k[(1,)](x, 128)\n"
    assert drawn(text).splitlines()[6].endswith("#: 50% · 8 blk/SM · regs")


def test_what_a_number_of_warps_may_be_fails_no_launch() -> None:
    text = f"{_HEAD}# occupancy: regs=128\n{_KERNEL}\ndef run(x, w):\n    k[(1,)](x, 128, num_warps=w)\n"
    view = view_of(text)
    assert not diagnostics(view)
    assert [it.code for it in diagnostics(view_of(text.replace("=w)", "=32)")))] == ["OCC003"]
    shown = hover(view, text.index("k(x, BLOCK"))
    assert shown is not None
    assert "Threads per block: 32, 64, 128, 256, 512 or 1024, decided at run time: num_warps: " in markdown(shown.prose)


def test_clusters_lower_the_figure() -> None:
    check(
        """
        @triton.autotune(
            configs=[
                triton.Config({}, num_warps=8, num_ctas=16),
                triton.Config({}, num_warps=16),  #: ≥25% · regs ≤128
            ],
            key=[],
        )
        @triton.jit
        def k(x):  #: ≤8 blk/SM · clusters
            tl.store(x, 0)
        """
    )
    text = "@triton.jit\ndef k(x):\n    tl.store(x, 0)\n\ndef run(x):\n    k[(1,)](x, num_ctas=2)\n"
    view = view_of(_HEAD + text)
    assert "Clusters of 2 blocks can only lower the figure" in markdown(explain(view, 0)) and not diagnostics(view)
    assert "Clusters" not in markdown(explain(view_of(_HEAD + text, "sm_86"), 0))
    (found,) = diagnostics(view_of(_HEAD + text.replace("=2)", "=32)")))
    assert found.message == "a cluster of 32 blocks; sm_90 has at most 16"


_CLUSTERED = "k[(1,)](x, 128, num_ctas=2)"


@pytest.mark.parametrize(
    ("device", "run", "codes"),
    [
        ("a100", f"def run(x):\n    {_CLUSTERED}\n", ["OCC004"]),
        ("a100", f"class Run:\n    def run(self, x):\n        y = x\n        return {_CLUSTERED}\n", ["OCC004"]),
        ("v100", f"{_CLUSTERED}\n", ["OCC004"]),
        ("h100", f"def run(x):\n    {_CLUSTERED}\n", []),
        ("mi300x", f"def run(x):\n    {_CLUSTERED}\n", []),  # releases of Triton differ
        ("a100", f"def run(x):\n    if HOPPER:\n        {_CLUSTERED}\n", []),
        ("a100", f"def run(x):\n    if not HOPPER:\n        return\n    {_CLUSTERED}\n", []),
        ("a100", f"def run(x):\n    if not HOPPER:\n        pytest.skip()\n    {_CLUSTERED}\n", []),
        ("a100", f"def run(x):\n    return {_CLUSTERED} if HOPPER else None\n", []),
        ("a100", f"@skip_unless_hopper\ndef run(x):\n    {_CLUSTERED}\n", []),
        ("a100", f"N = 2 if HOPPER else 1\ndef run(x):\n    {_CLUSTERED.replace('=2', '=N')}\n", []),
    ],
)
def test_clusters_are_refused_where_the_device_has_none(device: str, run: str, codes: list[str]) -> None:
    view = view_of(f"{_HEAD}{_KERNEL}\n{run}", device)
    assert [it.code for it in diagnostics(view) if it.severity == "error"] == codes
    assert any("no launch" in it.label for it in hints(view, 0, len(view.text.content))) == bool(codes)


_PRUNED = _TUNED.replace("key=[]", "key=[], prune_configs_by={'early_config_prune': prune}")


@pytest.mark.parametrize(
    ("text", "found", "codes"),
    [
        ("C = [triton.Config({}, 8, num_ctas=2), triton.Config({}, 4)]\n" + _TUNED, [256, 128], ["OCC004"]),
        ("C = [triton.Config({}, 8, num_ctas=2)]\n" + _TUNED, [256], ["OCC004"]),
        ("C = [triton.Config({}, w, num_ctas=c) for w, c in ((8, 2), (4, 1))]\n" + _TUNED, [128], []),
        ("C = [triton.Config({}, 8, num_ctas=2), triton.Config({}, 4)]\n" + _PRUNED, [128], []),
        ("C = [triton.Config({}, 8, num_ctas=2)]\n" + _PRUNED, [32, 64, 128, 256, 512, 1024], []),
    ],
)
def test_configurations_in_clusters_have_no_figure_where_the_device_has_none(
    text: str, found: list[int], codes: list[str]
) -> None:
    """Triton 3.9 raises ValueError, which its tuner does not catch, unless the program leaves them out before."""
    view = view_of(_HEAD + text, "a100")
    assert sizes(text, "a100") == found
    assert [it.code for it in diagnostics(view)] == codes
    shown = [it.label for it in hints(view, 0, len(view.text.content))]
    assert not any("256" in it for it in shown)


def test_configurations_in_clusters_are_not_chosen_where_the_device_has_none() -> None:
    text = f"C = [triton.Config({{}}, 8, num_ctas=2)] if HOPPER else [triton.Config({{}}, 4)]\n{_TUNED}"
    assert (sizes(text, "a100"), sizes(text)) == ([128], [256, 128])
