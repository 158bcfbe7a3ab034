"""What `torch.compile` decorates kernels with whose configurations it has decided: `@triton_heuristics.template(…)`.

Those of `pointwise`, `reduction` and their like are chosen when the program runs
(`torch._inductor.runtime.triton_heuristics`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from occupancy_lsp.languages.python.triton_options import OPTIONS, any_options
from occupancy_lsp.languages.python.values import Scope, value

_MODULES = ("torch._inductor.runtime.triton_heuristics", "torch._inductor.triton_heuristics")
_NAMED = ("template", "foreach", "fixed_config", "user_autotune")
DECIDED = tuple(f"{module}.{name}" for module in _MODULES for name in _NAMED)
_SAYS_NOTHING = {"triton_meta", "inductor_meta", "meta", "filename", "size_hints", "custom_kernel"}

Told = tuple[ast.expr, Mapping[str, Any]]


def configurations(call: ast.Call, scope: Scope) -> Iterator[Told]:
    """What each is given, Triton's options among it, and where it stands."""
    given = {it.arg: it.value for it in call.keywords if it.arg}
    options = {key: value(node, scope) for key, node in given.items() if key in OPTIONS}
    understood = not call.args and given.keys() <= _SAYS_NOTHING | options.keys() | {"config", "configs"}
    name = scope.called(call).rpartition(".")[2]
    if not understood or len(given) < len(call.keywords):
        yield call, any_options("torch.compile may set it")
    elif name == "template" or "num_warps" in options:
        yield call, {"num_stages": 1} | options if name == "foreach" else options
    elif name == "foreach":
        yield from ((call, {"num_stages": 1, "num_warps": it} | options) for it in _warps_of_foreach(given, scope))
    elif name == "fixed_config" and "config" in given:
        yield _told(given["config"], scope)
    elif isinstance(listed := given.get("configs"), ast.List) and listed.elts:
        yield from (_told(it, scope) for it in listed.elts)
    else:
        empty = isinstance(listed, ast.List)
        yield call, {} if empty else any_options("its configurations are not known")


def _warps_of_foreach(given: Mapping[str, ast.expr], scope: Scope) -> tuple[int, ...]:
    """Return what PyTorch tries where a `foreach` kernel does not say it: 8 warps, or 1 to 8 where it tunes."""
    meta = value(given["inductor_meta"], scope) if "inductor_meta" in given else {}
    if not isinstance(meta, dict):
        return 1, 2, 4, 8
    tunes = [meta.get(it, False) for it in ("max_autotune", "max_autotune_pointwise")]
    return (8,) if all(it in (False, None) for it in tunes) else (1, 2, 4, 8)


def _told(node: ast.expr, scope: Scope) -> Told:
    found = value(node, scope)
    if not isinstance(found, dict):
        return node, any_options("its configuration is not known")
    kwargs = found.get("kwargs")
    return node, {**kwargs, **found} if isinstance(kwargs, dict) else found
