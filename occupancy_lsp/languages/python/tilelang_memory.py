"""The shared memory of a TileLang kernel and whether its warps are specialised, as TileLang 0.1.15 makes them.

Each `T.alloc_shared` is part of one dynamic allocation, in which those whose lives do not overlap may share
(`merge_shared_memory_allocations.cc`). What a pipelined loop loads ahead is there once for each stage
(`inject_pipeline.cc`, `multi_version_buffer_rewriter.cc`). Where such a loop copies with TMA, a warp group is added
that does so (`producer_consumer_ws.cc`), with barriers in static memory.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.tilelang_arena import Interval, packed
from occupancy_lsp.languages.python.tilelang_copies import (
    Buffer,
    Copies,
    arguments,
    is_named,
    own_name,
    root_name,
    width_of_type,
)
from occupancy_lsp.languages.python.values import Either, Scope, Unknown, value
from occupancy_lsp.languages.python.walking import children, walk
from occupancy_lsp.source.sema.builtin_layout import round_up

_LEAST, _ALIGNMENT = 16, 1024  # alignments: of each array, and at most of what TMA and matrix units read
_GROUP = 128  # threads that are added
_MOST_THREADS, _WIDEST = 1024, 8  # bytes of a number
_MOST = 64  # arrays that are laid out
# They lay out numbers that warps exchange, for each thread one.
_REDUCING = ("reduce_", "finalize_reducer")
_HIDING = ("cum", "scan", "gemm_sp", "print", "import_source", "transpose", "topk", "sort", "alloc_tmem", "tcgen05")
_BARRIERS = ("alloc_barrier", "alloc_cluster_barrier", "tma_copy", "create_list_of_mbarrier", "create_mbarriers")


@dataclass(frozen=True, slots=True)
class Needs:
    """Bytes of a block, the fewest and the most; `most` None: not known, for `reason`. `static`: those of arrays that
    are not part of the one allocation, `barriers` among them. `specialised`: a warp group is added; None: it may be."""

    fewest: int
    most: int | None
    reason: str
    specialised: bool | None
    static: tuple[int, int | None]
    uses: bool  # dynamic memory


@dataclass(frozen=True, slots=True)
class Target:
    """`nvidia`: its warps have 32 threads; `bulk`: it has TMA; `pipelines`: a loop's loads run ahead; None: perhaps."""

    nvidia: bool
    bulk: bool
    pipelines: bool | None


@dataclass(frozen=True, slots=True)
class Told:
    """What the file says of how its kernels are compiled. `specialises`: warps, where they can be; None: perhaps.
    `shares`: memory is laid out as it is without options."""

    specialises: bool | None = True
    shares: bool = True


@dataclass(slots=True)
class _Loop:
    """A pipelined loop around a statement. `stages` None: not known."""

    stages: int | None
    plain: bool  # nothing says how its statements are ordered
    body: Sequence[ast.stmt]
    ahead: dict[str, bool | None] = field(default_factory=dict)  # arrays that were asked for


@dataclass(slots=True)
class Body:
    """What stands under one `with T.Kernel(…)`. `scope`: in which its names are worth something."""

    module: Module
    function: Function
    statements: Sequence[ast.stmt]
    scope: Scope
    target: Target
    told: Told
    threads: int | None  # without a warp group that is added
    buffers: dict[str, Buffer] = field(default_factory=dict)
    static: dict[str, Buffer] = field(default_factory=dict)
    doubt: str = ""  # why there may be more
    exchanged: int | None = 0  # bytes between the warps of reductions, at most
    barriers: bool = False
    loops: list[_Loop] = field(default_factory=list)
    specialised: bool | None = False
    found: bool = False  # a pipelined loop, the first of which decides
    again: bool = False  # there are several
    manual: bool = False
    stages: int = 0
    pipelined: int = -1  # the statement that the first pipelined loop stands in

    @property
    def _copies(self) -> Copies:
        return Copies(self.function, self.scope, self.buffers, self.static)

    def needs(self) -> Needs:
        """What it comes to."""
        self.statements = [*self._running(self.statements)]
        self._allocations(self.statements, True)
        self.manual = any(self._is(it, ("ws", "WarpSpecialize", "annotate_ws_schedule")) for it in self._calls())
        for index, node in enumerate(self.statements):
            self._statement(node, index, True)
        return self._summed()

    def _summed(self) -> Needs:
        used = [it for it in self.buffers.values() if it.used]
        if self.again and self.specialised is not False:
            # Each pass over the loops adds versions.
            self.doubt = self.doubt or "how often several loops load ahead is not known"
            for it in used:
                it.least = 1
        fewest = (
            self._alive(used) if self.told.shares else max((it.fewest * it.least for it in used if it.sure), default=0)
        )
        most = self._together(used)
        if not self.doubt and most is not None and fewest < most and self.told.shares and self.exchanged == 0:
            ways = ((alignment, early) for alignment in {_LEAST, self._alignment} for early in (False, True))
            laid = {self._laid_out(used, *way) for way in ways}
            sole = laid.pop() if len(laid) == 1 else None
            fewest, most = (fewest, most) if sole is None else (sole, sole)
        most = most + self.exchanged if most is not None and self.exchanged is not None else None
        reason = self.doubt or ("the size of an array is not known" if most is None else "arrays may share memory")
        if self.doubt:
            most = None
        taken = bool(used or self.exchanged != 0 or self.doubt)
        return Needs(fewest, most, "" if most == fewest else reason, self.specialised, self._static(), taken)

    @property
    def _alignment(self) -> int:
        return _ALIGNMENT if self.target.bulk else _LEAST

    def _alive(self, used: Sequence[Buffer]) -> int:
        """Bytes of what surely lives at once."""
        each = (sum(it.fewest * it.least for it in used if _lives(it, at)) for at in range(len(self.statements)))
        return max(each, default=0)

    def _together(self, used: Sequence[Buffer]) -> int | None:
        """Bytes if none shared with another."""
        sizes = [it.most * it.highest if it.most is not None and it.highest is not None else None for it in used]
        if None in sizes:
            return None
        aligned = self._alignment if any((it or 0) % self._alignment for it in sizes) and len(sizes) > 1 else _LEAST
        return sum(round_up(it or 0, aligned) for it in sizes)

    def _laid_out(self, used: Sequence[Buffer], alignment: int, early: bool) -> int | None:
        """Bytes as they are laid out where all is known; None: it is not. `early`: what is used before the pipelined
        loop lives until it, as where its warps are specialised."""
        found: list[Interval] = []
        for it in used:
            known = it.fewest == it.most and it.least == it.highest and it.sure and it.certain
            if not known or it.first is None or it.last is None or len(used) > _MOST:
                return None
            last = it.last
            if early and self.specialised is not False and it.first <= self.pipelined:
                last = max(last, self.pipelined)
            found.append(Interval(it.first, last, it.fewest * it.least))
        return packed(found, alignment)

    def _static(self) -> tuple[int, int | None]:
        used = [it for it in self.static.values() if it.used]
        low = sum(it.fewest for it in used if it.first is not None)
        high = None if any(it.most is None for it in used) else sum(it.most or 0 for it in used)
        if self.barriers:
            return low, None
        if self.specialised is not False:
            low = max(low, _ALIGNMENT) if self.specialised else low
            # The allocation that follows is aligned.
            high = round_up(high + 16 * (2 * self.stages + 64), _ALIGNMENT) if high is not None else None
            return (low, high) if self.stages <= 32 else (low, None)
        return low, round_up(high, _ALIGNMENT) if high and self.buffers else high

    def _calls(self) -> Iterator[ast.Call]:
        return (it for node in self.statements for it in walk(node) if isinstance(it, ast.Call))

    def _is(self, node: ast.AST, names: Sequence[str]) -> bool:
        return isinstance(node, ast.Call) and own_name(node, self.scope).startswith(tuple(names))

    def _allocations(self, statements: Sequence[ast.stmt], sure: bool) -> None:
        for node in statements:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if self._is(
                    call, ("alloc_shared",)
                ):
                    self._allocated(name, call, sure)
                case ast.If(body=body, orelse=orelse):
                    self._allocations(body, False)
                    self._allocations(orelse, False)
                case _:
                    if any(self._is(it, ("alloc_shared",)) for it in walk(node)):
                        self.doubt = self.doubt or "how often an array is allocated is not known"

    def _allocated(self, name: str, call: ast.Call, sure: bool) -> None:
        given = arguments(call, ("shape", "dtype", "scope"))
        shape = value(given["shape"], self.scope) if "shape" in given else Unknown("")
        dtype = value(given["dtype"], self.scope) if "dtype" in given else Unknown("")
        scope = value(given["scope"], self.scope) if "scope" in given else "shared.dyn"
        low, high = _bytes(shape, dtype)
        inner = shape[-1] if isinstance(shape, list | tuple) and shape and type(shape[-1]) is int else None
        made = Buffer(low, high, sure, dtype if isinstance(dtype, str) else None, inner)
        if name in self.buffers or name in self.static or scope not in ("shared.dyn", "shared"):
            self.doubt = self.doubt or f"{name} is one of several arrays"
            for held in (self.buffers, self.static):
                if name in held:
                    held[name].fewest, held[name].most = 0, None
            return
        # Booleans are not part of the one allocation; what may be one leaves it open.
        apart = scope == "shared" or dtype == "bool"
        (self.static if apart else self.buffers)[name] = made

    def _running(self, statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        """Those that are compiled one after the other: what stands in `with`, or under a condition that holds."""
        for node in statements:
            match node:
                case ast.With(items=items, body=body):
                    yield from (ast.copy_location(ast.Expr(it.context_expr), node) for it in items)
                    yield from self._running(body)
                case ast.If(test=test, body=body, orelse=orelse) if (known := self._decided(test)) is not None:
                    yield from self._running(body if known else orelse)
                case _:
                    yield node

    def _decided(self, test: ast.expr) -> bool | None:
        found = value(test, self.scope)
        return None if isinstance(found, Unknown | Either | list | dict) else bool(found)

    def _statement(self, node: ast.stmt, index: int, sure: bool) -> None:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._expression(test, index, sure)
                for it in (*body, *orelse):
                    self._statement(it, index, False)
            case ast.For(iter=over, body=body):
                self._expression(over, index, sure)
                self._for(over, body, index, sure and self._is_loop(over))
            case ast.While(test=test, body=body):
                self._expression(test, index, False)
                for it in self._running(body):
                    self._statement(it, index, False)
            case ast.FunctionDef() | ast.ClassDef():
                pass  # counts where it is called
            case ast.Assign(value=given) | ast.AnnAssign(value=ast.expr() as given):
                # Another name may stand for the array from here on.
                for name in (one.id for one in walk(given) if isinstance(one, ast.Name)):
                    if name in self.buffers:
                        self.buffers[name].certain = False
                self._expression(node, index, sure)
            case _:
                self._expression(node, index, sure)

    def _for(self, over: ast.expr, body: Sequence[ast.stmt], index: int, sure: bool) -> None:
        body = [*self._running(body)]
        loop = self._pipelined(over, body)
        if loop is not None:
            self.loops.append(loop)
            first, self.found = not self.found, True
            self.again = self.again or not first
            self.pipelined = index if first else self.pipelined
            specialised = self._specialised(loop) if first else False
            if self.specialised is False and first:
                self.specialised = specialised
            elif specialised is not False and self.specialised is False:
                self.specialised = None
        for it in body:
            self._statement(it, index, sure)
        if loop is not None:
            self.loops.pop()

    def _is_loop(self, over: ast.expr) -> bool:
        """Whether it stays one when it is compiled."""
        if not isinstance(over, ast.Call):
            return False
        return own_name(over, self.scope) not in ("", "unroll") or self.scope.dotted(over.func) == "range"

    def _pipelined(self, over: ast.expr, body: Sequence[ast.stmt]) -> _Loop | None:
        if not (isinstance(over, ast.Call) and own_name(over, self.scope) == "Pipelined"):
            return None
        given = arguments(over, ("start", "stop", "num_stages", "order", "stage"))
        stages = value(given["num_stages"], self.scope) if "num_stages" in given else 0
        starred = any(it.arg is None for it in over.keywords) or any(isinstance(it, ast.Starred) for it in over.args)
        plain = given.keys() <= {"start", "stop", "num_stages"} and not starred
        known = stages if type(stages) is int and not starred else None
        self.stages = max(self.stages, known if known is not None else 64)
        return None if known is not None and known < 1 and plain else _Loop(known, plain, body)

    def _specialised(self, loop: _Loop) -> bool | None:
        """Whether a warp group is added that copies what this loop, the first one, needs."""
        if not self.target.bulk or self.told.specialises is False or self.manual:
            return False
        plain = [it.value for it in _flat(loop.body) if isinstance(it, ast.Expr)]
        copies = self._copies
        by_bulk = [copies.is_bulk_copy(it) for it in plain]
        if not any(it is not False for it in by_bulk):
            inner = (it for node in loop.body for it in walk(node) if it not in plain)
            return None if any(map(copies.may_copy, inner)) else False
        sure = True in by_bulk and loop.stages is not None and loop.plain and self.told.specialises
        return True if sure and not self._steers() else None

    def _steers(self) -> bool:
        """Whether something says how arrays are laid out, or what copies them."""
        return any(self._is(it, ("annotate_layout", "disable_warp_group")) for it in self._calls())

    def _expression(self, node: ast.AST, index: int, sure: bool) -> None:
        """`sure`: it runs."""
        if isinstance(node, ast.Lambda | ast.FunctionDef | ast.ClassDef):
            return
        choosing = isinstance(node, ast.IfExp | ast.BoolOp | ast.ListComp | ast.GeneratorExp)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self._touched(node.id, index, sure)
        elif isinstance(node, ast.Call):
            self._called(node)
        for child in children(node):
            self._expression(child, index, sure and not choosing)

    def _touched(self, name: str, index: int, sure: bool) -> None:
        buffer = self.buffers.get(name) or self.static.get(name)
        if buffer is None:
            return
        buffer.used = True
        if sure and buffer.sure:
            buffer.first = index if buffer.first is None else buffer.first
            buffer.last = index
        else:
            buffer.certain = False
        for loop in self.loops:
            if self.target.pipelines is False:
                continue
            ahead = self._ahead(name, loop) if len(self.loops) == 1 and self.target.pipelines else None
            stages = loop.stages
            if ahead is False or buffer.highest is None:
                continue
            more = None if stages is None or not loop.plain else stages if ahead else stages + 1
            buffer.highest = None if more is None else max(buffer.highest, more)
            if ahead and sure and stages is not None and loop.plain:
                buffer.least = max(buffer.least, stages)

    def _ahead(self, name: str, loop: _Loop) -> bool | None:
        if name not in loop.ahead:
            loop.ahead[name] = self._copies.runs_ahead(name, loop.body)
        return loop.ahead[name]

    def _called(self, node: ast.Call) -> None:
        name = own_name(node, self.scope)
        if name.startswith(_REDUCING):
            taken = self._exchanged(node)
            self.exchanged = self.exchanged + taken if self.exchanged is not None and taken is not None else None
        elif name.startswith(_HIDING):
            self.doubt = self.doubt or f"what T.{name} keeps in shared memory is not known"
        elif name.startswith(_BARRIERS):
            self.barriers = True
        elif not name and not self._copies.is_quiet(node):
            shown = ast.unparse(node.func)
            self.doubt = self.doubt or f"what {shown[:40]} allocates is not known"
            if any(self._is_in(it) for it in (*node.args, *(key.value for key in node.keywords))):
                self._may_fill(node)

    def _exchanged(self, node: ast.Call) -> int | None:
        """The most bytes that a reduction takes: where several warps have a part, a number of each thread."""
        given = arguments(node, ("buffer", "out", "dim"))
        name = root_name(given["buffer"]) if "buffer" in given else None
        if "batch" in given or name is None:
            return None
        made = [it for own, it in self.function.own if own == name and it is not None]
        call = made[0] if len(made) == 1 and isinstance(made[0], ast.Call) else None
        said = arguments(call, ("shape", "dtype")) if call is not None else {}
        if "dim" in given and value(given["dim"], self.scope) == 1 and self._is_in_rows(name, said.get("shape")):
            return 0
        width = width_of_type(value(said["dtype"], self.scope)) if "dtype" in said else None
        return round_up(
            (width or _WIDEST) * ((self.threads or _MOST_THREADS) + _GROUP * self.target.bulk), self._alignment
        )

    def _is_in_rows(self, name: str, shape: ast.expr | None) -> bool:
        """Whether each warp surely has rows of its own: as products are laid out that say so."""
        found = value(shape, self.scope) if shape is not None else None
        rows = found[0] if isinstance(found, list | tuple) and len(found) == 2 else None
        half = (self.threads or 0) // 2
        if not self.target.nvidia or type(rows) is not int or not half or rows % half:
            return False
        products = [it for it in self._calls() if own_name(it, self.scope) == "gemm" and len(it.args) > 2]
        own = [it for it in products if is_named(it.args[2], name)]
        return bool(own) and all(_policy(it) == "FullRow" for it in own)

    def _may_fill(self, node: ast.Call) -> None:
        if self.loops:
            for it in walk(node):
                if isinstance(it, ast.Name) and it.id in self.buffers:
                    self.buffers[it.id].highest = None

    def _is_in(self, node: ast.AST) -> bool:
        return any(isinstance(it, ast.Name) and it.id in self.buffers for it in walk(node))


def _lives(it: Buffer, at: int) -> bool:
    return it.first is not None and it.last is not None and it.first <= at <= it.last


def _policy(node: ast.Call) -> str:
    """How a product is shared out among the warps."""
    said = next((it.value for it in node.keywords if it.arg == "policy"), None)
    return said.attr if isinstance(said, ast.Attribute) else ""


def _flat(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The statements of a loop, those of the one condition that is all of it included."""
    only = body[0] if len(body) == 1 else None
    return only.body if isinstance(only, ast.If) and not only.orelse else body


def _bytes(shape: Any, dtype: Any) -> tuple[int, int | None]:
    """The fewest and the most of an array; None: not known."""
    widths = [width_of_type(it) for it in (dtype.values if isinstance(dtype, Either) else (dtype,))]
    extents = shape if isinstance(shape, list | tuple) else [shape]
    low, high = (0, None) if None in widths else (min(it or 0 for it in widths), max(it or 0 for it in widths))
    for it in extents:
        choices = it.values if isinstance(it, Either) else (it,)
        if not choices or not all(type(one) is int and one > 0 for one in choices):
            return 0, None
        low *= min(choices)
        high = high * max(choices) if high is not None else None
    return low, high
