"""The storage of cub's collectives, `cub::BlockReduce<T, 256>::TempStorage` and the like, as its headers lay it out.

Read in cub/block/, cub/warp/ and their specializations/ of CCCL 3.0; of 12,550 forms compiled with CCCL 2.8 (CUDA 12.9)
and 3.0 (CUDA 13.0) none differs. hipCUB's is another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.sema.builtin_layout import Layout
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.record_layout import plain_union_layout, struct_layout
from occupancy_lsp.source.syntax.expression_parser import parse_detached

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope
    from occupancy_lsp.source.sema.types import Type

_WARP = 32
_NOTHING = Layout(1, 1)  # of an empty class


@dataclass(frozen=True, slots=True)
class Storage:
    """`used`: by every method, whatever it is called with; else the compiler may leave all of it out."""

    layout: Layout
    used: bool


@dataclass(frozen=True, slots=True)
class _Element:
    """A type that is given."""

    name: str
    layout: Layout


_NO_TYPE = _Element("cub::NullType", _NOTHING)


@dataclass(frozen=True, slots=True)
class Given:
    """Template arguments: the layouts of types, numbers and flags, the algorithm; and the names of the types."""

    types: tuple[Layout, ...]
    numbers: tuple[int, ...]
    algorithm: str = ""
    names: tuple[str, ...] = ()

    @property
    def element(self) -> Layout:
        return self.types[0]


@dataclass(frozen=True, slots=True)
class Collective:
    """Its template parameters, a letter for each: type, number, flag, algorithm; and the defaults of the last ones."""

    parameters: str
    defaults: tuple[_Element | int | str, ...]
    storage: Callable[[Given], Storage | None]


def _uninitialized_storage(layout: Layout) -> Layout:
    """`cub::Uninitialized`: as many of the largest word that divides size and alignment (`UnitWord::DeviceWord`)."""
    word = next(it for it in (16, 8, 4, 2, 1) if layout.size % it == 0 and layout.alignment % it == 0)
    return Layout(layout.size, word)


def _uninitialized_struct(*members: Layout, alignment: int = 1) -> Layout:
    return _uninitialized_storage(struct_layout(members, alignment))


def _uninitialized_union(*members: Layout) -> Layout:
    return _uninitialized_storage(plain_union_layout(members))


def _array_layout(element: Layout, count: int) -> Layout:
    return Layout(element.size * count, element.alignment)


def _is_power_of_two(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0


def _warp_count(threads: int) -> int:
    return -(-threads // _WARP)


def _raking_grid_layout(element: Layout, threads: int) -> Layout:
    segment = -(-threads // min(threads, _WARP))
    raking = -(-threads // segment)
    padded = segment + (segment % 2 == 0 and segment > 2)
    return _uninitialized_struct(_array_layout(element, raking * padded), alignment=16)


def _raking_thread_count(threads: int) -> int:
    segment = -(-threads // min(threads, _WARP))
    return -(-threads // segment)


def _warp_collective_storage(given: Given) -> Storage | None:
    """Nothing where lanes are shuffled, as they are in parts of a warp of a power of two."""
    (threads,) = given.numbers
    return Storage(_NOTHING, False) if _is_power_of_two(threads) and threads <= _WARP else None


def _block_reduce_storage(given: Given) -> Storage | None:
    threads, item = _block_thread_count(given), given.element
    if given.algorithm == "BLOCK_REDUCE_WARP_REDUCTIONS":
        if not _is_power_of_two(min(threads, _WARP)):
            return None
        warps = _warp_count(threads)
        return Storage(
            _uninitialized_struct(_array_layout(_NOTHING, warps), _array_layout(item, warps), item), warps > 1
        )
    if threads % _WARP or threads < _WARP:
        return None
    grid = _raking_grid_layout(item, threads)
    if given.algorithm == "BLOCK_REDUCE_RAKING":
        return Storage(_uninitialized_union(_NOTHING, grid), threads > _WARP)
    return _commutative_reduce_storage(threads, item, grid) if given.algorithm == _COMMUTATIVE else None


_COMMUTATIVE = "BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY"


def _commutative_reduce_storage(threads: int, item: Layout, grid: Layout) -> Storage:
    """One warp rakes what the others share."""
    shared = _raking_grid_layout(item, max(threads - _WARP, 1))
    default = struct_layout((_NOTHING, shared))
    return Storage(_uninitialized_union(default, _uninitialized_union(_NOTHING, grid)), threads > _WARP)


def _block_scan_storage(given: Given) -> Storage | None:
    threads, item = _block_thread_count(given), given.element
    if given.algorithm == "BLOCK_SCAN_WARP_SCANS" and threads % _WARP == 0:
        warps = _warp_count(threads)
        return Storage(
            _uninitialized_struct(_array_layout(item, warps), _array_layout(_NOTHING, warps), item, alignment=32),
            warps > 1,
        )
    if not _is_power_of_two(_raking_thread_count(threads)):
        return None
    return Storage(_uninitialized_struct(_NOTHING, _raking_grid_layout(item, threads), item), threads > _WARP)


def _block_exchange_storage(given: Given) -> Storage | None:
    """Of `numbers`: threads in x, items of each thread, whether warps take turns, threads in y and z."""
    x, items, turns, y, z = given.numbers
    threads = x * y * z
    return Storage(_exchange_layout(given.element, min(threads, _WARP) if turns else threads, items), True)


def _exchange_layout(element: Layout, threads: int, items: int) -> Layout:
    count = threads * items
    padding = count // 32 if items > 4 and _is_power_of_two(items) else 0
    return _uninitialized_struct(_array_layout(element, count + padding), alignment=16)


_WAYS = ("DIRECT", "STRIPED", "VECTORIZE", "TRANSPOSE", "WARP_TRANSPOSE", "WARP_TRANSPOSE_TIMESLICED")


def _load_store_storage(given: Given, holding: Layout | None) -> Storage | None:
    """Loads and stores; `holding`: what is kept beside the items."""
    x, items, y, z = given.numbers
    way = given.algorithm.partition("_")[2].partition("_")[2]
    if way in ("DIRECT", "STRIPED", "VECTORIZE"):
        return Storage(_NOTHING, False)
    threads = x * y * z
    if way.startswith("WARP") and threads % _WARP:
        return None
    if way not in ("TRANSPOSE", "WARP_TRANSPOSE", "WARP_TRANSPOSE_TIMESLICED"):
        return None
    turns = way.endswith("TIMESLICED")
    exchanged = _exchange_layout(given.element, min(threads, _WARP) if turns else threads, items)
    return Storage(_uninitialized_struct(exchanged, holding) if holding is not None else exchanged, True)


def _block_load_storage(given: Given) -> Storage | None:
    return _load_store_storage(given, None)


def _block_store_storage(given: Given) -> Storage | None:
    return _load_store_storage(given, Layout(4, 4))


def _adjacent_difference_storage(given: Given) -> Storage | None:
    """The first and the last item of each thread."""
    threads = _block_thread_count(given)
    return Storage(_uninitialized_struct(_array_layout(given.element, 2 * threads)), True)


def _warp_exchange_storage(given: Given) -> Storage | None:
    items, threads = given.numbers
    if not _is_power_of_two(threads) or given.algorithm != "WARP_EXCHANGE_SMEM":
        return None
    count = items * threads + 1
    padding = count // 32 if items > 4 and _is_power_of_two(items) else 0
    return Storage(_uninitialized_struct(_array_layout(given.element, count + padding)), True)


def _radix_sort_storage(given: Given) -> Storage | None:
    """Of `numbers`: threads, items, bits of a digit, and whether the outer scan is kept in registers."""
    threads, items, bits, _ = given.numbers
    counters = (1 << max(bits - 1, 0)) + 1
    scan = _block_scan_storage(Given((Layout(4, 4),), (threads, 1, 1), given.algorithm))
    if scan is None:
        return None
    rank = _uninitialized_struct(Layout(counters * threads * 4, 4), scan.layout, alignment=16)
    keys, values = (_exchange_layout(it, threads, items) for it in given.types)
    return Storage(_uninitialized_union(rank, keys, values), True)


def _block_thread_count(given: Given) -> int:
    x, y, z = given.numbers
    return x * y * z


COLLECTIVES: Mapping[str, Collective] = {
    "WarpReduce": Collective("tn", (_WARP,), _warp_collective_storage),
    "WarpScan": Collective("tn", (_WARP,), _warp_collective_storage),
    "BlockReduce": Collective("tnann", ("BLOCK_REDUCE_WARP_REDUCTIONS", 1, 1), _block_reduce_storage),
    "BlockScan": Collective("tnann", ("BLOCK_SCAN_RAKING", 1, 1), _block_scan_storage),
    "BlockExchange": Collective("tnnfnn", (0, 1, 1), _block_exchange_storage),
    "BlockLoad": Collective("tnnann", ("BLOCK_LOAD_DIRECT", 1, 1), _block_load_storage),
    "BlockStore": Collective("tnnann", ("BLOCK_STORE_DIRECT", 1, 1), _block_store_storage),
    "BlockDiscontinuity": Collective("tnnn", (1, 1), _adjacent_difference_storage),
    "BlockAdjacentDifference": Collective("tnnn", (1, 1), _adjacent_difference_storage),
    "WarpExchange": Collective("tnna", (_WARP, "WARP_EXCHANGE_SMEM"), _warp_exchange_storage),
    "BlockRadixSort": Collective("tnntnfa", (_NO_TYPE, 4, 1, "BLOCK_SCAN_WARP_SCANS"), _radix_sort_storage),
}
# The algorithms in the order of their enumerations, by the beginning of their names.
ALGORITHMS: Mapping[str, Sequence[str]] = {
    "BLOCK_REDUCE": (_COMMUTATIVE, "BLOCK_REDUCE_RAKING", "BLOCK_REDUCE_WARP_REDUCTIONS"),
    "BLOCK_SCAN": ("BLOCK_SCAN_RAKING", "BLOCK_SCAN_RAKING_MEMOIZE", "BLOCK_SCAN_WARP_SCANS"),
    "BLOCK_LOAD": tuple(f"BLOCK_LOAD_{way}" for way in _WAYS),
    "BLOCK_STORE": tuple(f"BLOCK_STORE_{way}" for way in _WAYS),
    "WARP_EXCHANGE": ("WARP_EXCHANGE_SMEM", "WARP_EXCHANGE_SHUFFLE"),
}


def resolve_cub_type(parts: Sequence[tuple[str, tuple[str, ...] | None]], scope: ItemScope, depth: int) -> Type | None:
    """`cub::BlockReduce<T, 256>` or the type of its storage; None: neither, or not all of its arguments are known."""
    from occupancy_lsp.source.sema.types import Type, resolve_type

    if parts[-1] == ("TempStorage", None) and len(parts) > 1:
        kind = resolve_type(_spell_path(parts[:-1]), scope, depth + 1)
        if isinstance(kind, str) or kind.storage is None or kind.layout is not None:
            return None
        return Type(f"{kind.name}::TempStorage", kind.storage.layout, storage=kind.storage)
    *outer, (name, given) = parts
    if given is None or name not in COLLECTIVES or not _means_cub_library(outer, name, scope):
        return None
    found = _resolved_arguments(COLLECTIVES[name], given, scope, depth)
    storage = COLLECTIVES[name].storage(found) if found is not None else None
    if found is None or storage is None:
        return None
    shown = (*found.names, *map(str, found.numbers), found.algorithm)
    return Type(f"cub::{name}<{', '.join(shown)}>", storage=storage)


def _spell_path(parts: Sequence[tuple[str, tuple[str, ...] | None]]) -> str:
    return "::".join(name if given is None else f"{name}<{', '.join(given)}>" for name, given in parts)


def _means_cub_library(outer: Sequence[tuple[str, tuple[str, ...] | None]], name: str, scope: ItemScope) -> bool:
    """Whether the library's is meant: one that the workspace defines is the workspace's."""
    if "__AMDGCN__" in scope.env.macros:
        return False
    if not outer:
        visible = ("cub",) in scope.visible_namespaces()
        return visible and not scope.env.types(name) and scope.macro_text(name) is None
    space = outer[0][0]
    if len(outer) > 1 or outer[0][1] is not None or (scope.macro_text(space) or space) != "cub":
        return False
    return not any("cub" in placed.scope_path(kind.owner) for placed, kind in scope.env.types(name))


def _resolved_arguments(collective: Collective, given: Sequence[str], scope: ItemScope, depth: int) -> Given | None:
    """None: not all are known."""
    missing = len(collective.parameters) - len(given)
    if not 0 <= missing <= len(collective.defaults):
        return None
    chosen = next((it for it in collective.defaults if isinstance(it, str)), "")
    ways = next((names for names in ALGORITHMS.values() if chosen in names), ())
    kinds = zip(collective.parameters, given, strict=False)
    read = [_resolve_argument(kind, text, ways, scope, depth) for kind, text in kinds]
    whole = (*read, *collective.defaults[len(collective.defaults) - missing :])
    if None in whole:
        return None
    types = tuple(it.layout for it in whole if isinstance(it, _Element))
    numbers = tuple(it for it in whole if isinstance(it, int))
    names = tuple(it.name for it in whole if isinstance(it, _Element))
    return Given(types, numbers, next((it for it in whole if isinstance(it, str)), ""), names)


def _resolve_argument(
    kind: str, text: str, ways: Sequence[str], scope: ItemScope, depth: int
) -> _Element | int | str | None:
    from occupancy_lsp.source.sema.types import layout_of, resolve_type

    if kind == "t":
        if text.rpartition("::")[2] == "NullType":
            return _NO_TYPE
        meant = resolve_type(text, scope, depth + 1)
        laid = meant if isinstance(meant, str) else layout_of(meant, scope, depth + 1)
        return None if isinstance(meant, str) or isinstance(laid, str) else _Element(meant.name, laid)
    if kind == "a" and (name := text.rpartition("::")[2].strip()) in ways:
        return name
    number = evaluate(parse_detached(text), scope).number
    if number is None or (number < 1 and kind == "n"):
        return None
    return number if kind != "a" else ways[number] if 0 <= number < len(ways) else None
