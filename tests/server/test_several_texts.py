"""A document that holds several texts with kernels: each is answered for where it stands."""

from __future__ import annotations

from .pipe import Server, at, between, edit

URI = "file:///nowhere/kernels.py"
SOURCE = '''import cupy
import triton

@triton.jit
def scale(x):
    pass

fine = cupy.RawKernel(r"""
__global__ void __launch_bounds__(256) fine(float *x) { x[0] *= 2; }
""", "fine")
huge = cupy.RawKernel(r"""
__global__ void __launch_bounds__(1024, 4) huge(float *x) { x[0] *= 2; }
""", "huge")
scale[(1,)](x, num_warps=8)
fine((1,), (128,), (x,))
'''
FINE, HUGE = (next(n for n, it in enumerate(SOURCE.split("\n")) if f"{name}(float" in it) for name in ("fine", "huge"))


def test_each_is_answered_for_where_it_stands(server: Server) -> None:
    server.open(URI, SOURCE, "python")
    said = server.next("textDocument/publishDiagnostics", lambda it: bool(it["diagnostics"]))["diagnostics"]
    assert [(it["code"], it["range"]["start"]["line"]) for it in said if it["code"] == "OCC102"] == [("OCC102", HUGE)]
    lines = {it["position"]["line"]: it for it in server.hints(URI)}
    assert {FINE, 4} <= lines.keys()
    tooltips = {line: server.ask("inlayHint/resolve", lines[line])["tooltip"]["value"] for line in (FINE, 4)}
    assert "fine" in tooltips[FINE] and "scale" in tooltips[4]
    column = SOURCE.split("\n")[HUGE].index("huge")
    assert "huge" in server.ask("textDocument/hover", at(URI, HUGE, column))["contents"]["value"]
    panel = server.ask("occupancy/panel", {"uri": URI, "position": {"line": HUGE, "character": column}})
    assert (panel["kernel"], panel["line"]) == ("huge", HUGE + 1)


def test_an_edit_of_a_kernel_in_a_string(server: Server) -> None:
    server.open(URI, SOURCE, "python")
    column = SOURCE.split("\n")[HUGE].index("4)")
    where = between((HUGE, column), (HUGE, column))
    asked = {"textDocument": {"uri": URI}, "range": where, "context": {"diagnostics": []}}
    offered = [it for it in server.ask("textDocument/codeAction", asked) if "command" not in it]
    resolved = [it if "edit" in it else server.ask("codeAction/resolve", it) for it in offered]
    fix = next(it for it in resolved if it["kind"] == "quickfix")
    (change,) = fix["edit"]["documentChanges"]
    lines = {it["range"]["start"]["line"] for it in change["edits"]}
    assert lines and lines <= {HUGE, HUGE - 1}


def test_a_key_before_a_string_moves_what_is_said_of_it(server: Server) -> None:
    server.open(URI, SOURCE, "python")
    before = {it["position"]["line"]: it["label"] for it in server.hints(URI)}
    server.change(URI, edit((0, 0), (0, 0), "# first\n"), version=2)
    assert {it["position"]["line"]: it["label"] for it in server.hints(URI)} == {n + 1: it for n, it in before.items()}
