"""The lambdas that a kernel is launched with: made by the host, their text is not part of what the kernel reaches."""

from __future__ import annotations

from collections.abc import Iterable

from occupancy_lsp.source.kernels.call_resolution import is_harmless_call
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.implicit_calls import has_no_local_memory
from occupancy_lsp.source.lex.dialect import LOCAL
from occupancy_lsp.source.lower.item_facts import CallSite
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import CallableArgument


def add_needs_of_lambda_arguments(
    env: Environment, kernel: FunctionInstance, unseen: set[str], doubts: list[str]
) -> None:
    """Adds what the lambdas among the kernel's template arguments may need that nobody counts."""
    given = [it for it in kernel.bindings.values() if isinstance(it, CallableArgument) and it.is_lambda]
    if any(it.calls is None for it in given):
        doubts.append("a lambda that it is launched with may declare local memory")
    for name in sorted(_expand_macro_names(env, (name for it in given for name in it.calls or ()))):
        found = env.functions_callable_on_device(name.rsplit("::", 1)[-1])
        if name == LOCAL or not all(has_no_local_memory(env, *it) for it in found):
            doubts.append(f"a lambda that it is launched with calls {name}")
        elif not found and not is_harmless_call(env, kernel, CallSite(name, None, (), kernel.function.body.start)):
            unseen.add(name)


def _expand_macro_names(env: Environment, names: Iterable[str]) -> set[str]:
    """With what macros among the names call in place of these."""
    found: set[str] = set()
    seen: set[str] = set()
    todo = [*names]
    while todo:
        name = todo.pop()
        forms = env.all_function_macros_named(name)
        if name in seen:
            continue
        seen.add(name)
        todo += (it for form in forms for it in (*form.calls, *((LOCAL,) if form.local_memory else ())))
        if not forms:
            found.add(name)
    return found
