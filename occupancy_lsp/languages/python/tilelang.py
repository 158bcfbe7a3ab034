"""TileLang's kernels: each `with T.Kernel(…, threads=128)` in a function that `@T.prim_func` or `@tilelang.jit` reads.

Sizes are parameters of a function around it: each call of that function, or each configuration that it is tuned with,
compiles a kernel, for whose block it writes `__launch_bounds__`. Figures are of what TileLang 0.1.15 makes of them.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import partial
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.calling import Stands, calling
from occupancy_lsp.languages.python.decorated import AMONG_STARS, launched_as
from occupancy_lsp.languages.python.module import Found, Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.sizes import dimensions, number
from occupancy_lsp.languages.python.statements import Function, Statement
from occupancy_lsp.languages.python.tilelang_copies import LANGUAGE
from occupancy_lsp.languages.python.tilelang_memory import Body, Needs, Target, Told
from occupancy_lsp.languages.python.values import Scope, Unknown, either, value
from occupancy_lsp.languages.python.walking import own_nodes, walk
from occupancy_lsp.source.kernels.kernel import BodySummary, Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, Bounds
from occupancy_lsp.source.kernels.launch_resolution import (
    Compiled,
    ExecutionConfiguration,
    KernelLaunch,
    instance_for_launch,
    with_compiled_instances,
)
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.syntax.known_value import ONE, Dimensions, Place, Value, product_of_dimensions

_KERNELS = frozenset(f"{LANGUAGE}{it}" for it in ("Kernel", "ClusterKernel", "kernel.Kernel"))
_AUTOTUNE = frozenset(("tilelang.autotune", "tilelang.autotuner.autotune", "tilelang.autotuner.tuner.autotune"))
_COMPILING = ("compile", "get_tir")  # methods of what `@tilelang.jit` makes that take the function's own arguments
_DEFAULT = 128  # threads
_GROUP = 128  # threads that are added to copy
_MOST = 256  # configurations
_FIRST_WITH_TMA = 900
_PIPELINING = ("__gfx950__",)  # of AMD's devices, those where loads run ahead
_SPECIALISING = (b"disable_warp_specialized", b"DISABLE_WARP_SPECIALIZED", b"DISABLE_TMA", b"disable_tma")
_SHARING = (b"SHARED_MEMORY_REUSE", b"shared_memory_reuse", b"AGGRESSIVE_SHARED", b"aggressive_shared")
_NOWHERE = Value(None, "the grid is given at run time")
_OTHERWISE = "the function around it is used in other ways"


@dataclass(frozen=True, slots=True, eq=False)
class _Site:
    """One `with T.Kernel(…)`. `order`: among those of its function."""

    placed: Placed
    function: Function
    node: ast.With
    call: ast.Call
    order: int

    @property
    def name(self) -> str:
        return f"{self.function.name}_{self.order}" if self.order else self.function.name

    @property
    def qualified(self) -> str:
        return ".".join((*self.function.outer, self.name))


@dataclass(frozen=True, slots=True)
class _Use:
    """A call of the function around a kernel, or a configuration of it: what its parameters are worth."""

    place: Place
    values: Mapping[str, Any]
    taken: tuple[str, ...] = ()  # for granted


def resolve(module: Module, device: Mapping[str, int]) -> Found:
    """The kernels and launches of a file. `device`: the macros that its compiler defines."""
    sites = [it for placed in module.statements for it in _sites(module, placed)]
    if not sites:
        return Found()
    told = _told(module)
    kernels: list[Kernel] = []
    launches: list[KernelLaunch] = []
    several = Counter(it.name for it in sites)
    callers = _callers(module, {_outermost(module, it).name for it in sites})
    for site in sites:
        uses = _uses(module, site, callers)
        key = site.placed, site.node, several[site.name] > 1, told, tuple(device.items()), _key(uses)
        kernel, own = module.make(key, partial(_made, site=site, uses=uses, told=told, device=device, sole=not key[2]))
        kernels.append(kernel)
        launches += own
    return Found(tuple(kernels), tuple(launches))


def _key(uses: Sequence[_Use]) -> tuple[object, ...]:
    return tuple((it.place, it.taken, repr(sorted(it.values.items()))) for it in uses)


def _sites(module: Module, placed: Placed) -> Iterator[_Site]:
    for function, nodes in _withs(placed.statement):
        found = ((node, call) for node in nodes for call in _opening(module, node))
        yield from (_Site(placed, function, node, call, order) for order, (node, call) in enumerate(found))


@remembered(4096)
def _withs(statement: Statement) -> tuple[tuple[Function, tuple[ast.With, ...]], ...]:
    """The `with` of each function, but for those of functions within it."""
    if b"Kernel" not in statement.text:
        return ()
    each = (
        (it, tuple(node for node in own_nodes(it.node) if isinstance(node, ast.With))) for it in statement.functions
    )
    return tuple((function, nodes) for function, nodes in each if nodes)


def _opening(module: Module, node: ast.With) -> Iterator[ast.Call]:
    for it in node.items:
        call = it.context_expr
        named = isinstance(call, ast.Call) and module.scope.dotted(call.func) in _KERNELS
        if isinstance(call, ast.Call) and named and not any(one.arg == "is_cpu" for one in call.keywords):
            yield call


def _told(module: Module) -> Told:
    """What the file may say to its compiler."""
    texts = [it.statement.text for it in module.statements]
    given = [it for placed in module.statements for it in _options(placed.statement)]
    names = {it.id for it in given if isinstance(it, ast.Name)}
    own = [it for _, function in module.functions() for it in function.own if it[0] in names] if names else []
    hidden = {name for name, node in own if not isinstance(node, ast.Dict)}
    hidden |= {it for it in names - {name for name, _ in own} if not _is_given_dicts(module, it)}
    if not all(_is_in_sight(it) for it in given) or hidden:
        return Told(None, False)
    specialises = None if any(word in text for text in texts for word in _SPECIALISING) else True
    return Told(specialises, not any(word in text for text in texts for word in _SHARING))


@remembered(4096)
def _options(statement: Statement) -> tuple[ast.expr, ...]:
    """What its compiler is given as options."""
    nodes = (it for top in statement.nodes for it in walk(top)) if b"pass_configs" in statement.text else ()
    return tuple(it.value for it in nodes if isinstance(it, ast.keyword) and it.arg == "pass_configs")


def _is_given_dicts(module: Module, name: str) -> bool:
    given = module.names.of(name).given
    return given is not None and all(isinstance(it, ast.Dict) for it in given)


def _is_in_sight(node: ast.expr) -> bool:
    """Whether options stand in the file, or behind a name."""
    return isinstance(node, ast.Dict | ast.Name) or (isinstance(node, ast.Constant) and node.value is None)


def _outermost(module: Module, site: _Site) -> Function:
    return (site.function, *module.around(site.function))[-1]


def _uses(module: Module, site: _Site, callers: _Callers) -> list[_Use]:
    """How a kernel is compiled, as far as this file shows it."""
    outermost = _outermost(module, site)
    place = site.placed.place(site.placed.statement.span(site.call))
    if outermost.outer or not any(parameters(outermost)):
        return [_Use(place, {})]
    calls = [*_calls(module, outermost, callers)]
    if outermost.name in callers.loose:
        calls.append(_Use(place, {it: Unknown(_OTHERWISE) for it in parameters(outermost)}))
    tuned = [*_configurations(module, site.placed, outermost)]
    if tuned:
        names = {name for it in calls for name in it.values}
        known = {name: either([it.values.get(name, Unknown("it is not given")) for it in calls]) for name in names}
        base = known if calls else _defaults(module, outermost)
        return [replace(it, values={**base, **it.values}) for it in tuned]
    if calls:
        return calls
    given = _defaults(module, outermost)
    return [_Use(place, given, ("its parameters are as they are preset",) if given else ())]


def _defaults(module: Module, function: Function) -> dict[str, Any]:
    call = ast.Call(ast.Name(function.name, ast.Load()), [], [])
    return module.arguments(function, call, module.scope)


@dataclass(slots=True, eq=False)
class _Callers:
    """Of the functions around kernels. `calls`: by their names; `loose`: names that are taken otherwise."""

    calls: dict[str, list[Stands]] = field(default_factory=dict)
    loose: frozenset[str] = frozenset()


def _callers(module: Module, names: Set[str]) -> _Callers:
    found = _Callers(loose=frozenset[str]().union(*(_loose(it.statement) for it in module.statements)))
    for it in calling(module.statements, names | {*_COMPILING}):
        name = _called(it.node.func) if isinstance(it.node, ast.Call) else ""
        if name in names:
            found.calls.setdefault(name, []).append(it)
    return found


def _calls(module: Module, function: Function, callers: _Callers) -> Iterator[_Use]:
    if not module.names.of(function.name).once:
        return
    for it in callers.calls.get(function.name, ()):
        if isinstance(it.node, ast.Call) and not _is_hidden(it.around, function):
            values = module.arguments(function, it.node, it.scope(module))
            yield _Use(it.placed.place(it.placed.statement.span(it.node)), values)


def _called(node: ast.expr) -> str:
    """The function that is called, or compiled."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=name), attr=method) if method in _COMPILING:
            return name
    return ""


def _is_hidden(around: Sequence[Function], function: Function) -> bool:
    """Whether the name means something else in one of these functions."""
    named = {name for it in around for name in (*parameters(it), *(own for own, _ in it.own))}
    return function.name in named


@remembered(4096)
def _loose(statement: Statement) -> frozenset[str]:
    """The names that a statement takes other than to call them, or to have them compiled."""
    nodes = [it for top in statement.nodes for it in walk(top)]
    called = {id(it.func) for it in nodes if isinstance(it, ast.Call)}
    called |= {
        id(it.value) for it in nodes if isinstance(it, ast.Attribute) and id(it) in called and it.attr in _COMPILING
    }
    names = (it for it in nodes if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Load))
    return frozenset(it.id for it in names if id(it) not in called)


def _configurations(module: Module, placed: Placed, function: Function) -> Iterator[_Use]:
    """Those that it is tuned with."""
    for decorator in function.decorators:
        if not isinstance(decorator, ast.Call) or module.scope.dotted(decorator.func) not in _AUTOTUNE:
            continue
        given = {it.arg: it.value for it in decorator.keywords}
        node = given.get("configs", decorator.args[0] if decorator.args else None)
        place = placed.place(placed.statement.span(decorator))
        found = _listed(module, node) if node is not None else None
        if not isinstance(found, list) or not 0 < len(found) <= _MOST or not all(isinstance(it, dict) for it in found):
            yield _Use(place, {it: Unknown("its configurations are not known") for it in parameters(function)})
            continue
        nodes = node.elts if isinstance(node, ast.List) and len(node.elts) == len(found) else [decorator] * len(found)
        for it, values in zip(nodes, found, strict=True):
            yield _Use(placed.place(placed.statement.span(it)), values)


def _listed(module: Module, node: ast.expr) -> Any:
    """What a list is worth, or what the one function of the file returns that is called for it."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if len(returned := module.scope.functions.get(name, ())) == 1:
            stands = module.stands(name, returned[0])
            functions = stands.statement.functions if stands is not None else ()
            owner = next((it for it in functions if it.name == name and returned[0] in it.gives_back), None)
            if owner is not None and module.names.of(name).once:
                given = module.arguments(owner, node, module.scope)
                return value(returned[0], module.given(owner, {owner: given}))
    return value(node, module.scope)


def _made(
    module: Module, site: _Site, uses: Sequence[_Use], told: Told, device: Mapping[str, int], sole: bool
) -> tuple[Kernel, tuple[KernelLaunch, ...]]:
    whole = _kernel(site, sole)
    each = [_compiled(module, site, use, told, device, whole, names) for names in [_telling(uses)] for use in uses]
    instances = {kernel.arguments: kernel for kernel, _ in each}
    if len(instances) < len(each) or all(launch.compiled is None for _, launch in each):
        instances = {}
    launches = tuple(launch for _, launch in each)
    if len(each) == 1:
        kernel, launch = each[0]
        return replace(kernel, arguments="", instances=()), (replace(launch, arguments="", compiled=None),)
    return with_compiled_instances(whole, instances, False), launches


def _telling(uses: Sequence[_Use]) -> list[str]:
    """The parameters that tell one use from another."""
    names = dict.fromkeys(name for it in uses for name in it.values)
    plain = [it for it in names if all(isinstance(use.values.get(it), int | str | None) for use in uses)]
    return [it for it in plain if len({use.values.get(it) for use in uses}) > 1]


def _kernel(site: _Site, sole: bool) -> Kernel:
    placed, statement = site.placed, site.placed.statement
    called, first, last = statement.span(site.call.func), site.node.body[0], site.node.body[-1]
    return Kernel(
        placed.item, site.name, site.name if sole else site.qualified, placed.place(called),
        placed.place(Span(statement.span(site.node).start, called.end)),
        placed.place(Span(statement.span(first).start, statement.span(last).end)),
        BodySummary(LocalMemory((), 0, 0, "", True, ()), names=site.function.words), configured=True,
    )  # fmt: skip


def _compiled(
    module: Module, site: _Site, use: _Use, told: Told, device: Mapping[str, int], whole: Kernel, telling: Sequence[str]
) -> tuple[Kernel, KernelLaunch]:
    """The kernel as one use of the function around it has it compiled, with its launch."""
    scope = module.given(site.function, {_outermost(module, site): use.values})
    for name in _extents(site.function, scope):
        if type(use.values.get(name)) is int:
            scope.know(name, use.values[name])
    asked = _asked(site, scope)
    nvidia = "__CUDA_ARCH__" in device
    target = Target(
        nvidia,
        nvidia and device["__CUDA_ARCH__"] >= _FIRST_WITH_TMA,
        True if nvidia else None if any(it in device for it in _PIPELINING) else False,
    )
    needs = Body(
        module, site.function, site.node.body, scope, target, told, product_of_dimensions(asked).number
    ).needs()
    block = _with_group(asked, needs.specialised)
    threads = product_of_dimensions(block)
    arguments = ", ".join(f"{it}={use.values.get(it)}" for it in telling)
    compiled = Compiled(arguments, threads, None, None)
    instance = instance_for_launch(whole, use.place, compiled)
    kernel = replace(
        instance,
        attributes=replace(instance.attributes, bounds=_bounds(site, scope, threads)),
        summary=replace(instance.summary, local=_local(needs)),
    )
    dynamic = Value(needs.fewest) if needs.most == needs.fewest else _open(needs)
    launch = KernelLaunch(
        launched_as(whole), whole.name, use.place, whole.name_place,
        ExecutionConfiguration(
            (use.place, (_NOWHERE, ONE, ONE)), (use.place, block),
            AttributeValue(use.place, dynamic) if needs.uses else None,
            cluster=_cluster(site, scope, use.place, target),
        ), arguments, taken=use.taken, compiled=compiled,
    )  # fmt: skip
    return kernel, launch


def _extents(function: Function, scope: Scope) -> Iterator[str]:
    """The names of extents that a function is compiled for: `M, N = T.const("M, N")`."""
    for node in function.node.body:
        match node:
            case ast.Assign(targets=[target], value=ast.Call(func=called)) if (
                scope.dotted(called) == f"{LANGUAGE}const"
            ):
                yield from (it.id for it in walk(target) if isinstance(it, ast.Name))


def _open(needs: Needs) -> Value:
    return Value(None, needs.reason, most=needs.most, fewest=needs.fewest)


def _local(needs: Needs) -> LocalMemory:
    low, high = needs.static
    reason = "" if low == high else "how many barriers it has is not known"
    return LocalMemory((), low, high, reason, needs.uses, ())


def _asked(site: _Site, scope: Scope) -> Dimensions:
    """The threads that the text says."""
    found = _option(site, scope, "threads")
    return dimensions(_DEFAULT if found is None else found, 1)


def _option(site: _Site, scope: Scope, name: str) -> Any:
    """What `T.Kernel` is given by that name; None: nothing."""
    found: Any = None
    for it in site.call.keywords:
        if it.arg == name:
            return value(it.value, scope)
        if it.arg is None:
            more = value(it.value, scope)
            found = more.get(name, found) if isinstance(more, dict) else Unknown(AMONG_STARS)
    return found


def _with_group(asked: Dimensions, specialised: bool | None) -> Dimensions:
    x, *others = asked
    if specialised is False:
        return asked
    y, z = others
    if specialised:
        if x.number is not None:
            return Value(x.number + _GROUP), y, z
        return Value(None, x.reason, among=tuple(it + _GROUP for it in x.among), most=x.most and x.most + _GROUP), y, z
    among = sorted({it + more for it in x.choices for more in (0, _GROUP)})
    most = x.highest + _GROUP if x.highest is not None else None
    return Value(None, "TileLang may add a warp group that copies", among=tuple(among), most=most), y, z


def _bounds(site: _Site, scope: Scope, threads: Value) -> Bounds | None:
    """`T.annotate_min_blocks_per_sm(n)`, which is the second of the launch bounds."""
    for it in (one for node in site.node.body for one in walk(node)):
        if isinstance(it, ast.Call) and scope.dotted(it.func) == f"{LANGUAGE}annotate_min_blocks_per_sm" and it.args:
            place = site.placed.place(site.placed.statement.span(it))
            asked = number(value(it.args[0], scope), 1)
            return Bounds(place, AttributeValue(place, threads), AttributeValue(place, asked), None)
    return None


def _cluster(site: _Site, scope: Scope, place: Place, target: Target) -> tuple[Place, Dimensions] | None:
    found = _option(site, scope, "cluster_dims") if target.bulk else None
    return (place, dimensions(found, 1)) if found not in (None, 1) else None
