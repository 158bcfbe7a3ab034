"""What a file that nobody edits says in several translation units.

Mostly they differ in little that a header hangs on. So its names in one unit are edited to those in the next: what this
leaves as it was is not worked out again.
"""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.query import Queries
from occupancy_lsp.source.incremental.file_in_units import KnownItems, UnitContextState
from occupancy_lsp.source.incremental.item_index import ItemIndex
from occupancy_lsp.source.lower.header_symbols import PlacedItemRun
from occupancy_lsp.source.sema.translation_unit_scope import Environment

_SEVERAL = 3  # units: of two, to record what answers hang on costs as much as it saves
_MOST_ITEMS = 1_000  # of a file: all answers about it are kept until its last unit
_FEWEST_ANSWERS = 2_000  # about its items in one unit: fewer are worked out again in the time that an exchange takes
_SAME_NAMES = ("own", "macros", "settable", "given", "commanded")  # of environments: what headers have no part in


def resolve_in_similar_units(units: Sequence[UnitContextState], now: ItemIndex) -> None:
    """Find out what the items say in each unit, if there are several and that takes long."""
    if len(units) < _SEVERAL or not 0 < len(now.spoken) <= _MOST_ITEMS:
        return
    if all(it.known is not None and it.env is not None and it.known.holds(it.env, now.spoken) for it in units):
        return
    env: Environment | None = None
    before = units[0]
    for unit in units:
        assert unit.env is not None
        if env is not None and _differ_in_headers_alone(before, unit):
            _exchange_headers(env, before, unit)
        else:
            if env is not None:
                env.queries.close()
            env = unit.env.with_queries(Queries())
        unit.known = KnownItems(unit.env, now.spoken, unit.resolve_items(now, env))
        if env.queries.computed.total() < _FEWEST_ANSWERS:
            break
        before = unit
    if env is not None:
        env.queries.close()


def _differ_in_headers_alone(one: UnitContextState, other: UnitContextState) -> bool:
    """Whether nothing but what headers say tells two units apart, of what can be exchanged."""
    first, second = one.env, other.env
    if first is None or second is None or one.inclusion is not None or other.inclusion is not None:
        return False
    if one.setting != other.setting or any(getattr(first, it) != getattr(second, it) for it in _SAME_NAMES):
        return False
    outer, others = first.outer, second.outer
    return outer.again == others.again and outer.tensor_memory == others.tensor_memory


def _exchange_headers(env: Environment, before: UnitContextState, unit: UnitContextState) -> None:
    """Give an environment that has the names of the unit before those of another."""
    assert unit.env is not None
    was, now = ({_key_of_run(it): it for it in each.runs} for each in (before, unit))
    differing = {each[it].stretch for each in (was, now) for it in was.keys() ^ now.keys() if it in each}
    env.set_header_symbols(unit.env.outer, unit.env.absent, differing)


def _key_of_run(run: PlacedItemRun) -> tuple[object, ...]:
    """Where it stands: no other stands there."""
    return run.stretch, run.order, run.namespaces, run.conditions, run.unless
