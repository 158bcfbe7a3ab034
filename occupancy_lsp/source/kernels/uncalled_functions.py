"""Whether a function that only its own file can call may be called there, if that is a whole program."""

from __future__ import annotations

from occupancy_lsp.source.kernels.caller_arguments import has_only_visible_calls
from occupancy_lsp.source.kernels.function_instance import may_run_at
from occupancy_lsp.source.kernels.kernel_attributes import InstanceContext
from occupancy_lsp.source.kernels.unreachable_host_code import never_runs_at
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.translation_unit_scope import Environment


def may_be_called(env: Environment, placed: LocatedItem, function: Function) -> bool:
    """False: the file calls it nowhere, or where nothing ever runs."""
    key = ("may be called", placed.item, placed.order, function.body.start)
    return env.remember(key, lambda: _may_be_called(env, placed, function), False)


def _may_be_called(env: Environment, placed: LocatedItem, function: Function) -> bool:
    own = function.specifiers.static or "" in placed.namespaces
    if not own or _may_be_called_implicitly(env, function) or not env.has_function("main"):  # of a whole program
        return True
    uses = [*env.uses(function.name), *env.uses(f".{function.name}")]
    if not has_only_visible_calls(env, function, uses):
        return True
    for use in uses:
        holder = use.holder
        assert holder is not None
        env.depend_on_item_text(use.placed.item)
        if holder is function or not may_be_called(env, use.placed, holder):
            continue
        inside = InstanceContext(env, use.placed, holder, {})
        may_run = may_run_at(env, use.placed, holder, {}, use.site.start) is not False
        if may_run and not never_runs_at(inside, use.site.start):
            return True
    return False


def _may_be_called_implicitly(env: Environment, function: Function) -> bool:
    """Whether it may run where its name does not stand: an operator, a constructor, what a base of its class calls."""
    if function.name.startswith("operator"):
        return True
    if not function.owner:
        return False
    return not function.returns or any(it.traits.bases for _, it in env.types(function.owner[-1]))
