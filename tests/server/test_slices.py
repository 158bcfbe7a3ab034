"""What a document takes is worked out in slices, between which others are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types as t

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve, resolve_ahead
from occupancy_lsp.features.actions import ahead as actions_ahead
from occupancy_lsp.features.hints import ahead as hints_ahead
from occupancy_lsp.features.hints import tooltip
from occupancy_lsp.features.hover import ahead as hover_ahead
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.panel import Asked
from occupancy_lsp.features.panel_apply import ahead as panel_ahead
from occupancy_lsp.features.panel_apply import applicable
from occupancy_lsp.languages.python.programs import Programs
from occupancy_lsp.server import publisher
from occupancy_lsp.server.documents import Document
from occupancy_lsp.server.publisher import Publisher
from occupancy_lsp.server.wiring import of_document
from occupancy_lsp.session.holding_file import HoldingFile
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels import instantiations
from occupancy_lsp.workspace.launchers import Launchers

from .conftest import Start

_COUNT = 20
_TEXT = "template <int N> __global__ void t(int *p) { p[0] = N; }\n" + "".join(
    f"#define S{i} {i + 1}\n// occupancy: regs={i + 32}\n"
    f"__global__ void k{i}(int *p) {{ __shared__ int s[S{i}]; s[p[1]] = 1; p[0] = s[p[2]]; }}\n"
    f"void h{i}(int *p) {{ k{i}<<<1, {32 * i + 32}>>>(p); t<{i}><<<1, 2048>>>(p); }}\n"
    for i in range(_COUNT)
)


def _project() -> Project:
    return Project(None, {}, {"devices": ["h100", "a100"]})


def _said(file: OpenFile) -> object:
    view = file.view()
    assert view is not None
    return _told(view)


def _told(view: View) -> object:
    kernels = [
        (it.name, it.summary.local.lowest, it.summary.local.highest, it.summary.local.reason)
        for it in view.facts.kernels
    ]
    return kernels, [(it.kernel.name, len(it.launches), it.figure) for it in view.reports]


@pytest.mark.parametrize("steps", [0, 1, 3, 30, 70, 1000])
def test_a_view_that_was_begun_says_the_same_also_after_an_edit(steps: int) -> None:
    file = OpenFile(None, "cuda", Text(_TEXT.encode()), _project())
    for _ in zip(range(steps), file.ahead(), strict=False):
        pass
    assert _said(file) == _said(OpenFile(None, "cuda", Text(_TEXT.encode()), _project()))
    for at, new in ((_TEXT.index("S3 4") + 3, b"2"), (_TEXT.index("k5<<<"), b"// "), (0, b"#define S4 9\n")):
        file.edit(at, at, new)
        for _ in zip(range(steps), file.ahead(), strict=False):
            pass
        assert _said(file) == _said(OpenFile(None, "cuda", Text(file.text.content), _project()))


def test_programs_in_strings_are_read_in_steps_too() -> None:
    text = f"import cupy\nm = cupy.RawModule(code=r'''\n{_TEXT}''')\n".encode()
    begun, fresh = (HoldingFile(None, "python", Text(text), _project(), Programs()) for _ in range(2))
    assert sum(1 for _ in begun.ahead()) > 3 * _COUNT
    assert [*map(_told, begun.views())] == [*map(_told, fresh.views())]
    assert len(begun.views()[0].reports) == _COUNT + 1


def _document() -> Document:
    return Document(t.TextDocumentItem("file:///a.cu", "cuda-cpp", 0, _TEXT), _project())


async def _turns(document: Document, between: Callable[[int], None]) -> tuple[bool, int]:
    """Whether the document's view is ready in the end, and how often others had their turn meanwhile."""
    server = SimpleNamespace(documents={document.uri: document}, looking_at=lambda document, where: nullcontext())
    work = asyncio.ensure_future(Publisher(cast(Any, server), lambda: None).ahead(document))
    turns = 0
    while not work.done():
        await asyncio.sleep(0)
        turns += 1
        between(turns)
    return work.result(), turns


def test_a_template_is_worked_out_an_instance_at_a_time() -> None:
    launches = "".join(f"t<{i + 1}><<<1, 64>>>(p); " for i in range(60))
    kernel = "template <int N> __global__ void t(int *p) { __shared__ int s[N]; s[p[0]] = 1; p[1] = s[p[2]]; }\n"
    begun, fresh = (
        OpenFile(None, "cuda", Text(f"{kernel}void h(int *p) {{ {launches}}}\n".encode()), _project()) for _ in range(2)
    )
    assert sum(1 for _ in begun.ahead()) > 60
    assert _said(begun) == _said(fresh)
    begun.edit(len(kernel), len(kernel), b" ")
    assert sum(1 for _ in begun.ahead()) < 60  # what stays is not gone through again


def _most_at_a_step(steps: Iterator[None], done: list[object]) -> int:
    """Of what is done while it takes one step after the other."""
    most, before = 0, len(done)
    for _ in steps:
        most, before = max(most, len(done) - before), len(done)
    return max(most, len(done) - before)


def _noting(monkeypatch: pytest.MonkeyPatch, where: object, name: str) -> list[object]:
    """A list that gets an entry for each call."""
    calls, whole = list[object](), getattr(where, name)

    def noted(*given: Any) -> Any:
        calls.append(name)
        return whole(*given)

    monkeypatch.setattr(where, name, noted)
    return calls


def test_what_makes_the_instances_is_gone_through_a_call_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = "".join(f"f<{i + 1}>(p); " for i in range(60))
    text = (
        "template <int N> __global__ void t(int *p) { __shared__ int s[N]; s[p[0]] = 1; p[1] = s[p[2]]; }\n"
        f"template <int N> void f(int *p) {{ t<N><<<1, 64>>>(p); }}\nvoid h(int *p) {{ {calls}}}\n"
    )
    begun, fresh = (OpenFile(None, "cuda", Text(text.encode()), _project()) for _ in range(2))
    made = _noting(monkeypatch, instantiations, "_instantiate")
    assert _most_at_a_step(begun.ahead(), made) <= 2 and len(made) >= 120
    assert _said(begun) == _said(fresh)


_SIZED = "#define SIZE 32\n" + "".join(
    f"__global__ void k{i}(float *p) {{ p[blockIdx.x * blockDim.x + threadIdx.x] = {i}; }}\n"
    f"void h{i}(float *p, int n) {{ k{i}<<<(n + SIZE - 1) / SIZE, SIZE>>>(p); }}\n"
    for i in range(_COUNT)
)


@pytest.mark.parametrize("request_", ["hover", "code_actions", "resolve", "tooltip", "panel"])
def test_other_sizes_are_looked_at_one_at_a_time(request_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a kernel whose size sizes others."""
    (view,), (fresh,) = (OpenFile(None, "cuda", Text(_SIZED.encode()), _project()).views() for _ in range(2))
    at = _SIZED.index("k3(float")
    asked = Asked(at, "k3", changes={"group_size": 256})
    requests: dict[str, tuple[Iterator[None], Callable[[View], object]]] = {
        "hover": (hover_ahead(view, at), lambda view: hover(view, at)),
        "tooltip": (hints_ahead(view, "kernel:3"), lambda view: tooltip(view, "kernel:3")),
        "code_actions": (actions_ahead(view, at, at + 1, {}), lambda view: actions(view, at, at + 1, {})),
        "resolve": (resolve_ahead(view, "size:3:256", {}), lambda view: resolve(view, "size:3:256", {})),
        "panel": (panel_ahead(view, asked, {}), lambda view: applicable(view, asked, {})),
    }
    steps, ask = requests[request_]
    looked = _noting(monkeypatch, Source, "facts_with_overrides")
    assert _most_at_a_step(steps, looked) == 1 and len(looked) >= _COUNT
    looked.clear()
    said = ask(view)
    assert looked == [] and said
    assert said == ask(fresh)


def test_a_size_that_a_launch_may_have_is_worked_out_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _SIZED.replace("SIZE 32", "SIZE 2048")
    (view,), (fresh,) = (OpenFile(None, "cuda", Text(text.encode()), _project()).views() for _ in range(2))
    at = text.index("SIZE>>>", text.index("k3<<<"))
    looked = _noting(monkeypatch, Source, "facts_with_overrides")
    assert _most_at_a_step(actions_ahead(view, at, at, {}), looked) == 1 and looked
    looked.clear()
    said = actions(view, at, at, {})
    assert looked == []
    assert said == actions(fresh, at, at, {})
    assert any(it.key.startswith("launch:") and it.edits for it in said)


_NUMBA = "from numba import cuda, float32\n" + "".join(
    f"@cuda.jit\ndef k{i}(a):\n    s = cuda.shared.array({i + 1}, float32)\n    s[a[0]] = 1\n    a[1] = s[a[2]]\n\n"
    f"def h{i}(a):\n    k{i}[1, {32 * i + 32}](a)\n\n"
    for i in range(_COUNT)
)


@pytest.mark.parametrize("steps", [0, 1, 7, 30, 1000])
def test_python_is_read_in_steps_between_which_others_may_ask(steps: int) -> None:
    file = HoldingFile(None, "python", Text(_NUMBA.encode()), _project(), Programs())

    def said(file: HoldingFile) -> object:
        return [_told(it) for it in file.views()]

    begun = file.ahead()
    assert sum(1 for _ in zip(range(steps), begun, strict=False)) >= min(steps, 2 * _COUNT)
    assert said(file) == said(HoldingFile(None, "python", Text(_NUMBA.encode()), _project(), Programs()))
    for _ in begun:  # of a text that others have read meanwhile
        pass
    text = _NUMBA.replace("array(4,", "array(44,")
    at = text.index("array(44,") + len("array(4")
    begun = file.ahead()
    next(begun, None)
    file.edit(at, at, b"4")
    for _ in begun:
        pass
    assert said(file) == said(HoldingFile(None, "python", Text(text.encode()), _project(), Programs()))


def test_others_have_their_turn_between_two_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "_SLICE", 0.0)
    ready, turns = asyncio.run(_turns(_document(), lambda turn: None))
    assert ready and turns > 3 * _COUNT


def test_an_edit_ends_the_work_on_the_text_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "_SLICE", 0.0)
    document = _document()

    def edit(turn: int) -> None:
        if turn == 5:
            document.file.edit(0, 0, b"\n")

    ready, turns = asyncio.run(_turns(document, edit))
    assert not ready and turns < 10


def test_a_request_waits_for_the_steps_where_the_project_knows_more() -> None:
    document = _document()
    server = SimpleNamespace(
        documents={document.uri: document},
        looking_at=lambda document, where: nullcontext(),
        converter=lambda document: SimpleNamespace(diagnostics=lambda found: []),
        client=SimpleNamespace(pulls_diagnostics=True),
    )
    server.publisher = Publisher(cast(Any, server), lambda: None)
    asked = SimpleNamespace(text_document=SimpleNamespace(uri=document.uri))
    answer = of_document(lambda ls, document, params: len(document.views()))

    def later() -> bool:
        found = answer(cast(Any, server), asked)
        return asyncio.iscoroutine(found) and asyncio.run(found) == 1

    assert later()
    server.publisher.look(document)
    assert answer(cast(Any, server), asked) == 1
    document.file.edit(0, 0, b"\n")
    assert answer(cast(Any, server), asked) == 1
    document.project.look_at(None)
    assert later()


def test_what_is_asked_of_a_text_that_changes_meanwhile_is_refused_or_answered(start: Start) -> None:
    server = start("--stdio")
    server.initialize()
    uri, whole = "file:///none/a.cu", {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    asked = {"textDocument": {"uri": uri}, "range": whole}
    server.open(uri, _TEXT * 20)
    first = server.request("textDocument/inlayHint", asked)
    server.change(uri, {"text": _TEXT})
    found = server.response(first)
    assert "result" in found or found["error"]["code"] == -32801  # ContentModified
    assert len(server.hints(uri)) >= _COUNT


_LAUNCHED = """\
// occupancy: regs=32
__global__ void k(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
"""


def _beside_launchers(folder: Path) -> Document:
    """A kernel that three other files launch, among much else."""
    (folder / "k.cu").write_text(_LAUNCHED)
    (folder / "k.h").write_text("__global__ void k(float *p);\n")
    for name in "abc":
        others = "".join(f"void {name}{i}(int n) {{ if (n) {name}{i}(n - 1); }}\n" for i in range(20))
        launch = f"void {name}(float *p, int n) {{ k<<<n / 32, 32>>>(p); }}\n"
        (folder / f"{name}.cu").write_text(f'#include "k.h"\n{others}{launch}')
    project = Project(folder, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    return Document(t.TextDocumentItem((folder / "k.cu").as_uri(), "cuda-cpp", 0, _LAUNCHED), project)


@pytest.mark.parametrize("request_", ["hover", "code_actions", "tooltip"])
def test_other_files_are_read_in_steps_before_a_request_asks_them(
    request_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[Path]()
    whole = Launchers._read

    def noted(self: Launchers, path: Path, *given: Any) -> Any:
        read.append(path)
        return whole(self, path, *given)

    monkeypatch.setattr(Launchers, "_read", noted)
    document = _beside_launchers(tmp_path)
    (view,) = document.views()
    at = _LAUNCHED.index("k(float")
    requests: dict[str, tuple[Iterator[None], Callable[[View], object]]] = {
        "hover": (hover_ahead(view, at), lambda view: hover(view, at)),
        "tooltip": (hints_ahead(view, "kernel:0"), lambda view: tooltip(view, "kernel:0")),
        "code_actions": (actions_ahead(view, at, at + 1, {}), lambda view: actions(view, at, at + 1, {})),
    }
    steps, ask = requests[request_]
    assert sum(1 for _ in steps) > 3 * 20
    assert {it.name for it in read} == {"a.cu", "b.cu", "c.cu", "k.h"}
    read.clear()
    said = ask(view)
    assert read == [] and said
    (fresh,) = _beside_launchers(tmp_path).views()
    assert said == ask(fresh)


@pytest.mark.usefixtures("caches")
def test_a_text_that_is_kept_for_others_is_read_in_steps(tmp_path: Path) -> None:
    """The first time that a file is opened, caches have nothing of it."""
    path, text = tmp_path / "k.cu", f"{_TEXT}// of its own\n"
    path.write_text(text)
    (tmp_path / "a.cu").write_text('#include "k.cu"\n')
    project = Project(tmp_path, None, {"devices": ["h100", "a100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    file = OpenFile(path, "cuda", Text(text.encode()), project)
    steps = file.ahead()
    assert sum(1 for _ in islice(steps, 2 * _COUNT)) == 2 * _COUNT  # an item each, of four for each kernel
    assert file._source is None
    for _ in steps:
        pass
    assert _said(file) == _said(OpenFile(path, "cuda", Text(text.encode()), project))
