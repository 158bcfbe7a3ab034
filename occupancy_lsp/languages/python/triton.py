"""Triton's kernels: functions under `@triton.jit`, their configurations, and their launches `kernel[grid](…)`.

A configuration is read as a launch of an instance of its own: Triton compiles the kernel anew for each, with
`num_warps` times the warp's threads in a block (`triton.runtime.autotuner.Config`, `triton.compiler`). Registers and
shared memory are its compiler's choice.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.python.certain import may_run, surely_runs
from occupancy_lsp.languages.python.gluon import GLUON, shared_memory, workers
from occupancy_lsp.languages.python.gluon import specialising as specialising_calls
from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing, importing
from occupancy_lsp.languages.python.inductor import DECIDED, configurations
from occupancy_lsp.languages.python.module import Found, Module
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.picking import Picking, picks
from occupancy_lsp.languages.python.source import tokens
from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.triton_options import HEURISTICS, OPTIONS, Options, any_options
from occupancy_lsp.languages.python.triton_tiles import pipelined, with_sizes
from occupancy_lsp.languages.python.values import Scope, Unknown, each, value
from occupancy_lsp.languages.python.walking import walk
from occupancy_lsp.source.kernels.kernel import BodySummary, Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
from occupancy_lsp.source.kernels.launch_resolution import (
    ExecutionConfiguration,
    KernelLaunch,
    instance_for_launch,
    with_compiled_instances,
)
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.syntax.known_value import ONE, Dimensions, Place, Value, unknown

_GLUON = (f"{GLUON}.jit", f"{GLUON}._runtime.jit")
_JIT = ("triton.jit", "triton.runtime.jit.jit", "triton.runtime.jit", *_GLUON)
_AUTOTUNE = ("triton.autotune", "triton.runtime.autotuner.autotune")
_CONFIG = ("triton.Config", "triton.runtime.autotuner.Config", "triton.runtime.Config")
_SPECIALISING = {"warp_specialize", "async_task", "async_tasks", "num_consumer_groups", "num_buffers_warp_spec"}
_MOST_CONFIGS = 1024
# Among tokens that end with a NUL each: a name that is no call's, and no member's but for these.
_PLAIN = regex(rb"(?<![\w])([^\W\d]\w*)\0(?!\()(?!\.\0(?!run\0|warmup\0))")
_NAME = regex(rb"[A-Za-z_]\w*")
_DEFINING = (b"def\0", b".\0", b"import\0", b"class\0", b"_launcher\0(\0")  # the last one launches
_COMPILED = "laid out by Triton's compiler"
_OTHERWISE = "it is launched by another name"
_NOWHERE = Value(None, "the grid is given at run time")


def resolve(module: Module, device: Mapping[str, int]) -> Found:
    """The kernels and launches of a file. `device`: the macros that its compiler defines."""
    jitted = [(placed, it) for placed, it in module.functions() if _is_jitted(module, it)]
    by_name = {it.name: it for _, it in jitted}
    called = {name for it in by_name.values() for name in it.calls}
    launches: dict[str, list[tuple[Options, Launch]]] = {}
    for name, options, launch in _launches(module, {it.name for _, it in jitted}, device):
        launches.setdefault(name, []).append((options, launch))
    otherwise = _named_otherwise(module, {it.name for _, it in jitted})
    kernels, found = [], []
    for placed, function in jitted:
        special = _is_special(module, _words(function, by_name), by_name)
        tuned = partial(_tuned, placed=placed, function=function, special=special, device=device)
        read = module.make((placed, function, special, tuple(device.items())), tuned)
        if read is None:
            doubts = _doubts(module, function)
            own_language = _is_gluon(module, function)
            each = (
                with_sizes(module, it, launch, function, own_language) for it, launch in launches.get(function.name, ())
            )
            own = [_doubted(it, doubts, special) for it in each]
            if own and function.name in otherwise:
                own.append(Options(placed.place(function.name_span), any_options(_OTHERWISE), device))
            # What is called, or gives something back, is no kernel.
            if not own and (function.name in called or function.gives_back):
                continue
            configured = bool(doubts) or special or not module.is_imported_by_name(function)
            read = _kernel(module, placed, function, own, configured)
        kernels.append(read[0])
        found += read[1]
    return Found(tuple(kernels), tuple(found))


def launched_in(file: Importing, kernel: str, name: str, device: Mapping[str, int]) -> tuple[FarKernelLaunch, ...]:
    """The launches of a kernel in a file that imports it, where it is called `name`."""
    module, options = file.module, list[Options]()
    picking = Picking(module, file.imports.keys())
    for placed, launch in module.launches():
        if name in picking.kernels(launch):
            options.append(_options_of_launch(module, placed, launch, device))
    if options and name in file.named:
        options.append(Options(options[0].place, any_options(_OTHERWISE), device))
    each = (one for it in options for one in it.possible())
    return tuple((file.start_of(it.place), _launch(kernel, it.place, it)) for it in each)


def _tuned(
    module: Module, placed: Placed, function: Function, special: bool, device: Mapping[str, int]
) -> tuple[Kernel, list[KernelLaunch]] | None:
    """A kernel that is tuned, with its configurations; None: it is not."""
    doubts = _doubts(module, function)
    configs = [_doubted(it, doubts, special) for it in _configs(module, placed, function, device)]
    if not configs:
        return None
    kernel, launches = _kernel(module, placed, function, configs, True)
    return kernel, [replace(it, tuned=True) for it in launches]


def _doubted(options: Options, doubts: Mapping[str, Any], special: bool) -> Options:
    return replace(options, given={**options.given, **doubts}, specialised=special)


def _doubts(module: Module, function: Function) -> dict[str, Any]:
    """The options that a decorator may set."""
    found: dict[str, Any] = {}
    for it in function.decorators:
        name = module.scope.called(it)
        if name in HEURISTICS and isinstance(it, ast.Call):
            found |= _of_heuristics([*it.args, *(key.value for key in it.keywords)])
        elif name not in (*_JIT, *_AUTOTUNE, *DECIDED):
            found |= any_options(f"{name or 'a decorator'} may set it")
    return found


def _of_heuristics(given: list[ast.expr]) -> dict[str, Any]:
    keys = [key for it in given if isinstance(it, ast.Dict) for key in it.keys]
    names = [it.value for it in keys if isinstance(it, ast.Constant)]
    if len(names) < len(keys) or not all(isinstance(it, ast.Dict) for it in given):
        return any_options("a heuristic may set it")
    return {key: Unknown("a heuristic sets it") for key in OPTIONS if key in names}


def _named_otherwise(module: Module, names: set[str]) -> set[str]:
    """Kernels that the text names other than to launch, define or call them: they may be launched in other ways."""
    statements = (it.statement for it in module.statements)
    return {name for it in statements if not names.isdisjoint(_names_in(it)) for name in _plain_names(it) & names}


@remembered(4096)
def _names_in(statement: Statement) -> frozenset[str]:
    """Any that it may name."""
    return frozenset(it.decode() for it in _NAME.findall(statement.text))


@remembered(4096)
def _plain_names(statement: Statement) -> frozenset[str]:
    """The names that a statement takes as they are, or has run, other than to launch or to have a launch pick one."""
    told = tokens(statement.text) + b"\0"
    found = (match for match in _PLAIN.finditer(told) if not told.endswith(_DEFINING, 0, match.start()))
    if statement.broken:  # a launch that is being typed is none of another name
        found = (match for match in found if not told.startswith(b"[", match.end()))
    return frozenset(Counter(match[1].decode() for match in found) - picks(statement))


def _words(function: Function, by_name: Mapping[str, Function]) -> frozenset[str]:
    """Those in a kernel and in the functions of the file that it calls."""
    seen: set[str] = set()
    todo, found = [function], frozenset[str]()
    while todo:
        now = todo.pop()
        found |= now.words
        todo += (by_name[name] for name in now.calls & by_name.keys() - seen)
        seen |= now.calls
    return found


def _is_special(module: Module, words: frozenset[str], by_name: Mapping[str, Function]) -> bool:
    """Whether the compiler may add warps: it is asked to here, or in a function of another file."""
    if not module.specialising or not _SPECIALISING.isdisjoint(words):
        return not _SPECIALISING.isdisjoint(words)
    here = dict(pair for placed in module.statements for pair in _imported(placed.statement))
    return any(here.get(it, it) in module.specialising for it in words - by_name.keys())


@remembered(4096)
def _imported(statement: Statement) -> tuple[tuple[str, str], ...]:
    """The names that it imports others by, each with the other."""
    nodes = (it for top in statement.nodes for it in walk(top) if isinstance(it, ast.ImportFrom))
    return tuple((one.asname, one.name) for it in nodes for one in it.names if one.asname)


def specialising(content: bytes) -> frozenset[str]:
    """The functions of a file with which a kernel's warps are specialised."""
    if b"triton" not in content or not any(it.encode() in content for it in _SPECIALISING):
        return frozenset()
    module = importing(content).module
    by_name = {it.name: it for _, it in module.functions() if _is_jitted(module, it)}
    return frozenset(name for name, it in by_name.items() if not _SPECIALISING.isdisjoint(_words(it, by_name)))


def _is_gluon(module: Module, function: Function) -> bool:
    return any(module.scope.called(it) in _GLUON for it in function.decorators)


def _as_text_says(module: Module, function: Function, options: Options) -> Options:
    """A launch of a kernel of Gluon, with the warps that it adds and its shared memory."""
    added = workers(module, function, options.sizes)
    # Functions that it calls may add some, too.
    unseen = options.specialised and not specialising_calls(function)
    return replace(
        options,
        specialised=unseen or added is None,
        workers=added or 0,
        shared=shared_memory(module, function, options.sizes),
    )


def _is_jitted(module: Module, function: Function) -> bool:
    return any(module.scope.called(it) in _JIT for it in function.decorators)


def _kernel(
    module: Module, placed: Placed, function: Function, given: list[Options], configured: bool
) -> tuple[Kernel, list[KernelLaunch]]:
    if _is_gluon(module, function):
        given = [_as_text_says(module, function, it) for it in given]
    configs = [one for it in given for one in it.possible()]
    name = placed.place(function.name_span)
    whole = Kernel(
        placed.item, function.name, function.name, name, placed.place(function.head), placed.place(function.body),
        BodySummary(LocalMemory((), 0, 0, "", True, ())), configured=configured,
    )  # fmt: skip
    if not configs:
        return whole, []
    instances = {
        compiled.arguments: instance_for_launch(whole, it.place, compiled)
        for it in configs
        if (compiled := it.compiled) is not None
    }
    launches = [
        replace(_launch(whole.name, whole.name_place, it), pipelined=pipelined(module, function, it)) for it in configs
    ]
    alone = len(instances) == len({it.arguments for it in configs}) == 1
    return with_compiled_instances(whole, instances, alone), launches


def _launch(kernel: str, target: Place, options: Options) -> KernelLaunch:
    block: Dimensions = (options.threads, ONE, ONE)
    return KernelLaunch(
        kernel, kernel, options.place, target,
        ExecutionConfiguration(
            (options.place, (_NOWHERE, ONE, ONE)), (options.place, block),
            AttributeValue(options.place, options.shared or unknown(_COMPILED)), cluster=options.cluster,
        ), options.arguments,
        perhaps=bool(options.otherwise), entry=options.entry, compiled=options.compiled, reached=options.reached,
    )  # fmt: skip


def _configs(module: Module, placed: Placed, function: Function, device: Mapping[str, int]) -> Iterator[Options]:
    """Those that a kernel is tuned with."""
    for decorator in function.decorators:
        if isinstance(decorator, ast.Call) and module.scope.dotted(decorator.func) in DECIDED:
            for node, told in configurations(decorator, module.scope):
                options = {key: it for key, it in told.items() if key in OPTIONS}
                yield Options(placed.place(placed.statement.span(node)), options, device, sizes=_sizes(told))
        if isinstance(decorator, ast.Call) and module.scope.dotted(decorator.func) in _AUTOTUNE:
            given = {it.arg: it.value for it in decorator.keywords}
            configs = given.get("configs", decorator.args[0] if decorator.args else None)
            place = placed.place(placed.statement.span(decorator))
            if configs is None:
                yield Options(place, any_options("its configurations are not known"), device)
                continue
            around = next(iter(module.around(function)), None)
            found = _listed(_Reader(module, device), placed, configs, module.inside(around))
            listed = [it for it, _ in zip(found, range(_MOST_CONFIGS + 1), strict=False)]
            pruned = "prune_configs_by" in given
            compiled = [it for it in listed if not it.lacks_clusters or (it.sure and not pruned)]
            yield from compiled[:_MOST_CONFIGS]
            if not 0 < len(compiled) <= len(listed) <= _MOST_CONFIGS:
                yield Options(place, any_options("its configurations are not known"), device)


@dataclass(frozen=True, slots=True)
class _Reader:
    module: Module
    device: Mapping[str, int]
    asked: frozenset[str] = frozenset()
    at: Place | None = None  # the call that makes one configuration


def _listed(reader: _Reader, placed: Placed, node: ast.expr, scope: Scope) -> Iterator[Options]:
    """The configurations of a list, whatever way it is put together; of what is not understood, one of any options."""
    if not scope.steps.take():
        yield _unread(reader, placed, node)
        return
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            entries = _entries(placed, items, 1 if isinstance(node, ast.List) else 2)
            for entry, it in zip(entries, items, strict=True):
                listed = _listed(reader, placed, it.value if isinstance(it, ast.Starred) else it, scope)
                single = isinstance(it, ast.Call)
                yield from (replace(one, entry=entry, sure=True) for one in listed) if single else listed
        case ast.ListComp(elt=element, generators=generators):
            for inner in each(generators, scope):
                yield from _listed(reader, placed, element, inner)
            if scope.steps.left <= 0:
                yield _unread(reader, placed, node)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _listed(reader, placed, left, scope)
            yield from _listed(reader, placed, right, scope)
        case ast.IfExp(body=left, orelse=right):
            yield from _one_of(_listed(reader, placed, it, scope) for it in (left, right))
        case ast.Name(id=name) if name not in reader.asked and (at := scope.giver(name)) and name in at.given:
            yield from _named(reader, placed, node, name, at)
        case ast.Call(func=ast.Name(id=name)) if name in scope.functions and name not in reader.asked:
            yield from _one_of(_returned(reader, placed, node, name, it, scope) for it in scope.functions[name])
        case ast.Call() if scope.dotted(node.func) in _CONFIG:
            found = _options_of(placed, node, scope, reader.device)
            yield replace(found, place=reader.at) if reader.at else found
        case ast.Call(func=function, args=[ast.List() | ast.ListComp() as given, *_]):  # it may leave some out
            yield from _listed(reader, placed, given, scope)
            yield _unread(reader, placed, node, f"{scope.dotted(function) or 'a function'} may give others")
        case _:
            yield _unread(reader, placed, node)


def _returned(
    reader: _Reader, placed: Placed, call: ast.Call, name: str, node: ast.expr, scope: Scope
) -> Iterator[Options]:
    """Those of what the function called `name` gives back."""
    place = reader.at or placed.place(placed.statement.span(call))
    within = _Reader(reader.module, reader.device, reader.asked | {name}, place if isinstance(node, ast.Call) else None)
    stands = reader.module.stands(name, node) or placed
    owner = next(it for it in stands.statement.functions if it.name == name and node in it.gives_back)
    yield from _listed(within, stands, node, reader.module.called(owner, call, scope))


def _one_of(lists: Iterable[Iterator[Options]]) -> Iterator[Options]:
    """Those of lists of which the program takes one: on a device, none with what surely fails there, if there are
    others."""
    each = [[*islice(it, _MOST_CONFIGS + 1)] for it in lists]
    running = [it for it in each if all(one.may_run for one in it)]
    for listed in running or each:
        yield from listed if len(each) == 1 else (replace(it, sure=False) for it in listed)


def _unread(
    reader: _Reader, placed: Placed, node: ast.expr, reason: str = "its configurations are not all known"
) -> Options:
    place = reader.at or placed.place(placed.statement.span(node))
    return Options(place, any_options(reason), reader.device)


def _entries(placed: Placed, items: list[ast.expr], least: int) -> list[Place | None]:
    """Each element with what parts it from the next, or the last from the one before; None: a comment stands there, or
    no more than `least` do: a tuple of one needs its comma."""
    spans = [placed.statement.span(it) for it in items]
    found: list[Place | None] = []
    for index, it in enumerate(spans):
        after = index + 1 < len(spans)
        start = it.start if after or not index else spans[index - 1].end
        entry = Span(start, spans[index + 1].start if after else it.end)
        between = placed.statement.text[it.end : entry.end] + placed.statement.text[start : it.start]
        found.append(placed.place(entry) if len(spans) > least and b"#" not in between else None)
    return found


def _named(reader: _Reader, placed: Placed, node: ast.expr, name: str, at: Scope) -> Iterator[Options]:
    inner = _Reader(reader.module, reader.device, reader.asked | {name})

    def given(it: ast.expr | None) -> Iterator[Options]:
        if it is None:
            yield _unread(reader, placed, node)
        else:
            yield from _listed(inner, reader.module.stands(name, it) or placed, it, at)

    yield from _one_of(map(given, at.given[name]))


def _options_of(placed: Placed, node: ast.Call, scope: Scope, device: Mapping[str, int]) -> Options:
    given = dict(zip(("num_warps", "num_stages", "num_ctas"), (value(it, scope) for it in node.args[1:]), strict=False))
    kwargs = value(node.args[0], scope) if node.args else None
    for it in node.keywords:
        if it.arg in OPTIONS:
            given[it.arg] = value(it.value, scope)
        elif it.arg == "kwargs":
            kwargs = value(it.value, scope)
    # What a backend alone knows stands among the kernel's own arguments.
    if isinstance(kwargs, dict):
        given |= {key: it for key, it in kwargs.items() if key in OPTIONS}
    if any(it.arg is None for it in node.keywords):
        given = any_options("it may stand in **") | given
    written = next((it.value for it in node.keywords if it.arg == "num_stages"), None)
    return Options(
        placed.place(placed.statement.span(node)), given, device,
        sizes=_sizes(kwargs), written=_literal(placed, written),
    )  # fmt: skip


def _sizes(kwargs: Any) -> Mapping[str, Any]:
    return {key: it for key, it in kwargs.items() if isinstance(key, str)} if isinstance(kwargs, Mapping) else {}


def _literal(placed: Placed, node: ast.expr | None) -> Place | None:
    """Where a number stands as such."""
    return placed.place(placed.statement.span(node)) if isinstance(node, ast.Constant) else None


def _launches(module: Module, names: set[str], device: Mapping[str, int]) -> Iterator[tuple[str, Options, Launch]]:
    """Those that say how they are compiled, each with the kernel's name."""
    picking = Picking(module)
    for placed, launch in module.launches():
        for name in sorted(picking.kernels(launch) & names):
            yield name, _options_of_launch(module, placed, launch, device), launch


def _options_of_launch(module: Module, placed: Placed, launch: Launch, device: Mapping[str, int]) -> Options:
    scope = module.inside(launch.within, launch.bound)
    given = {it.arg: value(it.value, scope) for it in launch.call.keywords if it.arg in OPTIONS}
    if any(it.arg is None for it in launch.call.keywords):
        given = any_options("it may stand in **") | given
    span = placed.statement.span(launch.call)
    written = next((it.value for it in launch.call.keywords if it.arg == "num_stages"), None)
    place = placed.place(Span(launch.target.start, span.end))
    sure = surely_runs(launch, placed.statement)
    reached = may_run(module, placed.statement, launch.within, launch.call)
    return Options(place, given, device, written=_literal(placed, written), sure=sure, reached=reached)
