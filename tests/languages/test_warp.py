"""Warp's kernels in Python files, against what Warp, NVRTC and ptxas made of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View
from occupancy_lsp.source.kernels.kernel import Kernel

_DATA = Path(__file__).parents[1] / "data" / "warp"
_EXPECTED = json.loads((_DATA / "expected.json").read_text())
_HEAD = "import warp as wp\n\nN = 64\n\n"
_HINT = re.compile(r"  #: [^\n]*")


def view_of(source: str, *devices: str) -> View:
    project = Project(None, None, {"devices": list(devices or ("h100",))})
    (view,) = open_file(Path("k.py"), "python", Text(source.encode()), project).views()
    return view


def kernels_of(source: str) -> dict[str, Kernel]:
    return {it.name: it for it in view_of(_HEAD + dedent(source)).facts.kernels}


@pytest.mark.parametrize("size", [64, 160, 256])
def test_what_compilers_made_of_kernels(size: int) -> None:
    launches = "".join(f"    wp.launch({name}, dim=1, block_dim={size})\n" for name in _EXPECTED)
    facts = view_of(f"{(_DATA / 'kernels.py').read_text()}\n\ndef run():\n{launches}").facts
    kernels = {it.name: it for it in facts.kernels}
    given = {it.name: it.configuration.dynamic.value.number if it.configuration.dynamic else 0 for it in facts.launches}
    assert kernels.keys() == given.keys() == _EXPECTED.keys()
    exact, wrong = 0, []
    for name, it in _EXPECTED.items():
        made, kernel = it[str(size)], kernels[name]
        local, barriers = kernel.summary.local, kernel.summary.barriers
        highest = local.highest if local.highest is not None and not local.unseen else made["static"]
        fits = (
            local.lowest <= made["static"] <= highest
            and given[name] in (None, made["dynamic"])
            and (barriers.lowest <= made["barriers"] <= barriers.highest or barriers.unseen)
            and (_stated(kernel) == it["kernel"] or kernel.attributes.bounds is _unknown(kernel))
        )
        exact += local.exact == made["static"] and not local.unseen and given[name] == made["dynamic"]
        if not fits:
            wrong.append((name, it["kernel"], made, local, given[name], barriers))
    assert not wrong
    assert exact >= 105


def test_what_the_backward_pass_asks_for() -> None:
    backward = {name: it["64"]["backward"] for name, it in _EXPECTED.items() if it["64"]["backward"] is not None}
    launches = "".join(f"    wp.launch({name}, dim=1, block_dim=64, adjoint=True)\n" for name in backward)
    kernels = f"{(_DATA / 'kernels.py').read_text()}\n\n"
    found = view_of(f"{kernels}def run():\n{launches}").facts.launches
    given = {it.name: it.configuration.dynamic.value.number if it.configuration.dynamic else 0 for it in found}
    assert {name: it for name, it in given.items() if it is not None and it != backward[name]} == {}
    assert sum(it is not None and it > 0 for it in given.values()) >= 50
    replaced = (
        f"{kernels}@wp.func_grad(square)\ndef adj_square(x: float, adj: float):\n    pass\n\ndef run():\n{launches}"
    )
    given = {it.name: it.configuration.dynamic for it in view_of(replaced).facts.launches}
    assert {it.value.number for it in given.values() if it is not None} == {0, None}


def _stated(kernel: Kernel) -> dict[str, int | None]:
    bounds = kernel.attributes.bounds
    return {
        "threads": bounds.max_threads.value.number if bounds else None,
        "blocks": bounds.min_groups.value.number if bounds and bounds.min_groups else None,
        "registers": kernel.attributes.max_registers.value.number if kernel.attributes.max_registers else None,
        "cluster": kernel.attributes.cluster[1][0].number if kernel.attributes.cluster else None,
    }


def _unknown(kernel: Kernel) -> object:
    """Bounds whose size is not known; None says that there are none."""
    return (
        kernel.attributes.bounds
        if kernel.attributes.bounds and kernel.attributes.bounds.max_threads.value.number is None
        else ...
    )


def drawn(source: str, *devices: str) -> str:
    """The source with its hints at the ends of their lines."""
    view = view_of(source, *devices)
    text, shown, at = view.text.content, "", 0
    for hint in hints(view, 0, len(text)):
        shown += f"{text[at : hint.offset].decode()}  #: {hint.label}"
        at = hint.offset
    return shown + text[at:].decode()


_SAMPLE = _HEAD + dedent(
    """
    @wp.func
    def twice(x: float):
        return x * 2.0

    @wp.kernel
    def plain(x: wp.array[float]):  #: 256 thr · 100% if ≤32 regs
        i = wp.tid()
        x[i] = twice(x[i])

    @wp.kernel(launch_bounds=(128, 8))
    def bounded(x: wp.array[float]):  #: ≥50% · regs ≤64
        x[wp.tid()] = 1.0

    @wp.kernel
    def walks(x: wp.array[float], m: wp.uint64, p: wp.vec3):  #: 256 thr · 75% if ≤40 regs · smem
        q = wp.mesh_query_aabb(m, p, p)
        f = int(0)
        while wp.mesh_query_aabb_next(q, f):
            x[f] = 1.0

    @wp.kernel
    def gemm(a: wp.array2d[float], b: wp.array2d[float], c: wp.array2d[float]):  #: 18.75% if ≤168 regs · smem
        i, j = wp.tid()
        rows = a.shape[0] // N
        s = wp.tile_zeros(shape=(N, 2 * N), dtype=float)
        for k in range(rows):
            t = wp.tile_load(a, shape=(N, 32), offset=(i * N, k * 32))
            u = wp.tile_load(b, shape=(32, 2 * N), offset=(k * 32, j * N))
            wp.tile_matmul(t, u, s)
        wp.tile_store(c, s, offset=(i * N, j * N))

    @wp.kernel(cuda_max_registers=64)
    def several(x: wp.array[float]):  #: 64, 512 thr · ≥50% · regs ≤64
        x[wp.tid()] = 1.0

    def run(x, m, p, n):
        wp.launch(plain, dim=n, inputs=[x])
        wp.launch(bounded, n, [x], block_dim=128)
        wp.launch(walks, n, [x, m, p])
        wp.launch_tiled(gemm, dim=(n, n), inputs=[x, x, x], block_dim=128)
        wp.launch(several, n, [x], block_dim=64)
        wp.launch(several, n, [x], block_dim=N * 8)
        wp.launch(several, n, [x], block_dim=2048)  #: no launch: 2048>1024 threads
    """
)


def test_hints() -> None:
    assert drawn(_HINT.sub("", _SAMPLE)) == _SAMPLE


def test_a_launch_that_nothing_runs_is_no_error() -> None:
    launch = 'wp.launch(plain, dim=1, inputs=[x], block_dim=2048, device="cuda:0")'
    kernel = "@wp.kernel\ndef plain(x: wp.array[float]):\n    x[wp.tid()] = 1.0\n\ndef run(x):\n"
    assert [code for code, *_ in found_in(f"{kernel}    {launch}\n")] == ["OCC001"]
    assert not found_in(f"{kernel}    return\n    {launch}\n")


def found_in(source: str, *devices: str) -> list[tuple[str, str, str]]:
    """What is not only a hint: its code, the text that it is of, and what it says."""
    view = view_of(_HEAD + dedent(source), *devices)
    text = view.text.content.decode()
    each = ((it, text[it.start : it.end]) for it in diagnostics(view) if it.severity in ("error", "warning"))
    return [(it.code, at, it.message) for it, at in each]


def test_findings() -> None:
    launch = "@wp.kernel(launch_bounds=128)\ndef k(x: wp.array[float]):\n    x[0] = 1.0\n\nwp.launch(k, 1, [x], {})\n"
    assert found_in(launch.format("block_dim=256")) == [
        ("OCC005", "256", "256 threads; the kernel's launch bounds allow 128: the launch fails")
    ]
    assert [it[:2] for it in found_in(launch.format("max_blocks=4"))] == [("OCC005", "wp.launch")]  # 256 unless said
    assert not found_in(launch.format("block_dim=128"))


_OPTIONS = ["device=d", "**d", "device=wp.get_device('cpu')"]
_BEFORE = ["wp.set_device('cpu')", "cpu = wp.get_device('cpu')", "with wp.ScopedDevice('cpu'):\n    pass"]


@pytest.mark.parametrize(("before", "options"), [*(("", it) for it in _OPTIONS), *((it, "") for it in _BEFORE)])
def test_what_may_run_on_the_processor_is_no_error(before: str, options: str) -> None:
    text = f"{before}\n@wp.kernel(launch_bounds=BOUNDS)\ndef k(x: wp.array[float]):\n    x[0] = 1.0\n\n"
    text += f"def run(x, d):\n    wp.launch(k, 1, [x], block_dim=SIZE, {options})\n"
    for bounds, size in (("None", "2048"), ("128", "256")):
        launched = text.replace("BOUNDS", bounds).replace("SIZE", size)
        assert not found_in(launched)
        assert found_in(launched.replace(before or options, "device='cuda:0'" if options else ""))
    sized = view_of(_HEAD + text.replace("BOUNDS", "None").replace("SIZE", "128"))
    assert [it.size.number for it in sized.facts.launches] == [128]


_TILED = """
    {directive}
    @wp.kernel
    def k(x: wp.array[float]):
        wp.tile_store(x, wp.tile_zeros(shape=({elements},), dtype=float, storage="shared"))

    def run(x, d):
        wp.launch_tiled(k, dim=[1], inputs=[x], block_dim=512, device={device})
"""


@pytest.mark.parametrize(
    ("code", "directive", "elements", "said"),
    [
        ("OCC003", "# occupancy: regs=156", 8, "79872 registers"),
        ("OCC107", "", 70_000, "282048 B"),  # the tile, and a number for each thread
    ],
)
def test_what_does_not_fit_may_run_on_the_processor(code: str, directive: str, elements: int, said: str) -> None:
    text = dedent(_TILED).replace("{directive}", directive).replace("{elements}", str(elements))
    ((found, _, message),) = found_in(text.replace("{device}", "'cuda:0'"), "rtx-4090", "h100")
    assert found == code and said in message
    assert not found_in(text.replace("{device}", "d"), "rtx-4090", "h100")


def test_memory_that_no_block_can_have() -> None:
    """Two stacks of 32 numbers for each of 256 threads: ptxas rejects them. Tiles are opted in to, up to a limit."""
    both = """
        @wp.kernel
        def k(x: wp.array[float], m: wp.uint64, p: wp.vec3):
            q = wp.mesh_query_aabb(m, p, p)
            r = wp.bvh_query_aabb(m, p, p)

        wp.launch(k, 1, [x, m, p], block_dim=SIZE)
        """
    assert [it[0] for it in found_in(both.replace("SIZE", "256"))] == ["OCC002"]
    assert not found_in(both.replace("SIZE", "128"))
    tiles = """
        @wp.kernel
        def k(x: wp.array2d[float]):
            s = wp.tile_zeros(shape=(128, 256), dtype=float, storage="shared")
            wp.tile_store(x, s)

        wp.launch_tiled(k, dim=1, inputs=[x], block_dim=64)
        """
    assert not found_in(tiles, "h100")
    assert [it[:2] for it in found_in(tiles, "rtx-4090")] == [("OCC107", "64")]


def test_clusters() -> None:
    """Warp asks for large ones itself, and leaves them out on devices without them."""
    text = "@wp.kernel(cluster_dim=16)\ndef k(x: int):\n    pass\n\nwp.launch(k, 1, [1])\n"
    assert not found_in(text, "h100") and not found_in(text, "a100")
    on_h100, on_a100 = (view_of(_HEAD + text, it).facts.kernels[0].attributes.cluster for it in ("h100", "a100"))
    assert on_h100 is not None and on_h100[1][0].number == 16
    assert on_a100 is None


@pytest.mark.parametrize(
    ("imported", "decorator"),
    [
        ("import warp as wp", "@wp.kernel"),
        ("import warp", "@warp.kernel()"),
        ("import warp as w", "@w.kernel(enable_backward=False)"),
        ("from warp import kernel", "@kernel"),
        ("from warp import kernel as compiled", "@compiled(launch_bounds=None)"),
    ],
)
def test_whatever_it_is_called(imported: str, decorator: str) -> None:
    (kernel,) = view_of(f"{imported}\n\n{decorator}\ndef k(x: int):\n    pass\n").facts.kernels
    assert (kernel.name, kernel.attributes.bounds) == ("k", None)


@pytest.mark.parametrize(
    ("launch", "threads"),
    [
        ("wp.launch(k, n, [x])", 256),
        ("wp.launch(kernel=k, dim=n, inputs=[x], block_dim=64)", 64),
        ("wp.launch(k, n, [x], [], [], [], None, None, False, True, False, 0, 96)", 96),
        ("wp.launch(k, n, [x], block_dim=None)", 256),
        ("wp.launch(k, n, [x], block_dim=0)", 256),
        ("wp.launch(k, n, [x], block_dim=2 * N)", 128),
        ("wp.launch_tiled(k, dim=[n], inputs=[x], block_dim=32)", 32),
        ("wp.launch_tiled(k, dim=[n], inputs=[x], **options)", None),
        ("wp.launch(self.k, n, [x], block_dim=64)", 64),
        ("wp.launch(k, n, [x], block_dim=n)", None),
        ("wp.launch(k, n, [x], block_dim=min(n, 128))", None),
        ("wp.launch(k, n, **options)", None),
        ("wp.launch(k, *given)", None),
    ],
)
def test_launches(launch: str, threads: int | None) -> None:
    text = f"{_HEAD}@wp.kernel\ndef k(x: int):\n    pass\n\ndef run(self, x, n, options, given):\n    {launch}\n"
    assert [it.size.number for it in view_of(text).facts.launches] == [threads]


@pytest.mark.parametrize(
    ("launch", "size", "label"),
    [
        ("from pkg.kernels import k\nwp.launch(k, 1, [x])", 256, "256 thr · 100% if ≤32 regs"),
        ("from .kernels import k as run\nwp.launch(run, 1, [x], block_dim=512)", 512, "512 thr · 100% if ≤32 regs"),
        ("from pkg.kernels import k\nwp.launch(k, 1, [x], device=d, block_dim=2048)", None, None),
        ("from pkg.kernels import k\nk = other(k)\nwp.launch(k, 1, [x])", None, None),
        ("from pkg.kernels import k\nwp.launch(k, 1, [x], device='cpu')", None, None),
        ("from elsewhere import k\nwp.launch(k, 1, [x])", None, None),
    ],
)
def test_launches_in_files_that_import_it(tmp_path: Path, launch: str, size: int | None, label: str | None) -> None:
    kernel = f"{_HEAD}@wp.kernel\ndef k(x: int):\n    pass\n"
    view = _imported(tmp_path, kernel, launch)
    assert [it.launch.size.number for it in view.reports[0].far] == ([] if size is None else [size])
    assert [it.label for it in hints(view, 0, len(view.text.content))] == ([] if label is None else [label])


def test_a_kernel_in_a_function_is_not_what_others_import(tmp_path: Path) -> None:
    kernel = f"{_HEAD}def make():\n    @wp.kernel\n    def k(x: int):\n        pass\n    return k\n"
    view = _imported(tmp_path, kernel, "from pkg.kernels import k\nwp.launch(k, 1, [x])")
    assert view.reports[0].far == ()


def test_what_hosts_in_other_languages_prefer_is_not_of_it(tmp_path: Path) -> None:
    """A wrapper of the driver's function, which is given kernels of CUDA alone, one of them of the same name."""
    wrapper = "void prefer(CUfunction f) { cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1); }\n"
    wrapper += "__global__ void k() {}\nvoid run() { prefer(k); }\n"
    (tmp_path / "wrapper.cu").write_text(wrapper)
    view = _imported(tmp_path, f"{_HEAD}@wp.kernel\ndef k(x: int):\n    pass\n\nwp.launch(k, 1, [1])\n", "")
    assert view.reports[0].preferred == ()


def _imported(tmp_path: Path, kernel: str, launch: str) -> View:
    files = {"__init__.py": "", "kernels.py": kernel}
    (tmp_path / "pkg").mkdir()
    for name, text in {**files, "run.py": f"import warp as wp\n{launch}\n"}.items():
        (tmp_path / "pkg" / name).write_text(text)
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    path = tmp_path / "pkg" / "kernels.py"
    (view,) = open_file(path, "python", Text(path.read_bytes()), project).views()
    return view


@pytest.mark.parametrize(
    "launch",
    [
        "wp.launch(k, n, [x], device='cpu')",
        "wp.launch_tiled(k, dim=[n], inputs=[x])",  # Warp raises an error
        "wp.launch_tiled(k, dim=[n], *given)",
        "wp.launch(other.k, n, [x])",
        "wp.launch(made(n), n, [x])",
        "wp.launch(n, n, [x])",
        "[wp.launch(k, n, [x]) for k in x]",
        "self.launch(k, n, [x])",
    ],
)
def test_what_is_no_launch_of_it(launch: str) -> None:
    text = f"import other\n@wp.kernel\ndef k(x: int):\n    pass\n\ndef run(self, x, n):\n    {launch}\n"
    assert view_of(_HEAD + text).facts.launches == ()


def test_kernels_of_one_name_have_their_own_launches() -> None:
    text = (
        "def one(x):\n    @wp.kernel\n    def k(x: int):\n        pass\n    wp.launch(k, 1, [x], block_dim=64)\n\n"
        "def two(x):\n    @wp.kernel\n    def k(x: int):\n        pass\n    wp.launch(k, 1, [x], block_dim=2048)\n\n"
        "def three(k, x):\n    wp.launch(k, 1, [x], block_dim=4096)\n"
    )
    view = view_of(_HEAD + text)
    assert [(it.kernel, it.size.number) for it in view.facts.launches] == [("::one.k", 64), ("::two.k", 2048)]
    assert [it.size.sizes for it in view.reports] == [(64,), (2048,)]


def test_each_size_is_compiled_anew() -> None:
    text = "@wp.kernel\ndef k(x: int):\n    pass\n\nwp.launch(k, 1, [1], block_dim=64)\nwp.launch(k, 1, [1])\n"
    (kernel,) = view_of(_HEAD + text).facts.kernels
    assert [(it.arguments, it.summary.local.exact) for it in kernel.instances] == [
        ("block_dim=64", 256),
        ("block_dim=256", 1024),
    ]
    assert (kernel.summary.local.lowest, kernel.summary.local.highest, kernel.summary.local.reason) == (256, 1024, "")


def test_functions_out_of_sight_leave_it_open() -> None:
    text = (
        "from other import helps\n\n@wp.func_native('...')\ndef native(x: float) -> float: ...\n\n"
        "@wp.kernel\ndef k(x: wp.array[float]):\n    x[0] = helps(x[1]) + native(x[2]) + wp.fem.lookup(x[3])\n"
        "    x[4] = load(x)\n\nload = wp.tile_load\n"
    )
    (kernel,) = view_of(_HEAD + text).facts.kernels
    assert (
        kernel.summary.local.unseen
        == kernel.summary.barriers.unseen
        == ("load", "native", "other.helps", "warp.fem.lookup")
    )


@pytest.mark.parametrize(
    ("body", "tiles"),
    [
        ("wp.tile_atomic_add(x, wp.tile_zeros(shape=N, dtype=float))", 0),
        ("s = wp.tile_zeros(shape=N, dtype=float)\n    s[n] = 1.0\n    wp.tile_atomic_add(x, s)", 512),
        ("s = wp.tile_zeros(shape=N, dtype=float)\n    wp.tile_atomic_add(x, s)\n    s[n] = 1.0", 256),
    ],
)
def test_what_adds_a_tile_gives_back_one(body: str, tiles: int) -> None:
    """What Warp 1.19 makes of them: what is given back is where the tile is at that moment."""
    text = f"@wp.kernel\ndef k(x: wp.array[float], n: int):\n    {body}\n\nwp.launch(k, 1, [x, n])\n"
    (launch,) = view_of(_HEAD + text).facts.launches
    assert launch.configuration.dynamic is not None and launch.configuration.dynamic.value.number == tiles


@pytest.mark.parametrize(
    "body",
    [
        "s = wp.tile_zeros(shape=n, dtype=float, storage='shared')",
        "s = wp.tile_zeros(shape=N, dtype=kind, storage='shared')",
        "s = wp.tile_zeros(shape=N, dtype=float, storage=kind)",
        "s = wp.tile_fft(x)",
        "s = wp.tile_zeros(shape=N, dtype=float)\n    t = s",
        "s = wp.tile_zeros(shape=N, dtype=float)\n    helps(s)",
        "s = wp.tile_zeros(shape=N, dtype=float)\n    if n:\n        s = wp.tile_zeros(shape=N, dtype=float)",
        "if FLAG:\n        s = wp.tile_zeros(shape=N, dtype=float, storage='shared')",
        "m = 4\n    for i in range(m):\n        s = wp.tile_zeros(shape=N, dtype=float, storage='shared')",
        "for i in other.values:\n        s = wp.tile_zeros(shape=N, dtype=float, storage='shared')",
        "s = wp.tile_load(x[0], shape=N)\n    s[0] = 1.0",
        "s = spread(x)",
        "s = wp.tile_zeros(shape=N, dtype=float)\n    i = wp.tile_arange(0, 4, dtype=int)\n    wp.tile_store(x, s[i])",
        "s = wp.tile_zeros(shape=(N, N), dtype=float)\n    r = s[3]\n    t = r",
    ],
)
def test_tiles_that_are_not_known(body: str) -> None:
    imports = "import other\nfrom other import FLAG, kind\nfrom warp import tile as spread\n"
    text = f"{imports}@wp.kernel\ndef k(x: wp.array[float], n: int):\n    {body}\n"
    view = view_of(f"{_HEAD}{text}\nwp.launch(k, 1, [x, n])\n")
    (launch,) = view.facts.launches
    assert launch.configuration.dynamic is not None
    assert launch.configuration.dynamic.value.number is None and launch.configuration.dynamic.value.reason


_SWAPS = [
    ("N = 64", "N = 32"),
    ("return x * 2.0", "q = wp.bvh_query_ray(x, x, x)"),
    ("block_dim=128", "block_dim=N"),
    ("(128, 8)", "(N, 4)"),
    ("import warp as wp", "import warp as wx"),
    ("wp.tile_store(c, s", "wp.tile_fft(c, s"),
    ("@wp.func\n", "@other\n"),
    ("cuda_max_registers=64", "cuda_max_registers=N"),
    ("rows = a.shape[0] // N", "rows = 3"),
    ("@wp.kernel\ndef plain", "def plain"),
    ("def run(x, m, p, n)", "def run(plain, m, p, n)"),
]


def test_an_edited_file_says_what_a_fresh_one_says() -> None:
    text = _HINT.sub("", _SAMPLE)
    document = open_file(Path("k.py"), "python", Text(text.encode()), Project(None, None, {"devices": ["h100"]}))
    for old, new in [*_SWAPS, *((new, old) for old, new in _SWAPS)]:
        at = text.find(old)
        if at < 0:
            continue
        start = len(text[:at].encode())
        document.edit(start, start + len(old.encode()), new.encode())
        text = text[:at] + new + text[at + len(old) :]
        (view,) = document.views()
        fresh = view_of(text)
        assert _said(view) == _said(fresh), (old, new)


def _said(view: View) -> list[tuple[object, ...]]:
    kernels = [
        (
            it.name,
            it.summary.local,
            it.attributes.bounds and it.attributes.bounds.max_threads.value,
            it.summary.barriers,
        )
        for it in view.facts.kernels
    ]
    launches = [
        (it.kernel, it.size, it.configuration.dynamic and it.configuration.dynamic.value) for it in view.facts.launches
    ]
    return [*kernels, *launches, *((it.offset, it.label) for it in hints(view, 0, len(view.text.content)))]
