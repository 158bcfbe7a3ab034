"""Which kernels of a name a launch cannot mean, by where they and the launch stand."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lower.item_facts import CallSite
from occupancy_lsp.source.lower.symbol_table import Defined
from occupancy_lsp.source.lower.variables import ALIAS_OF_NAMESPACE, ALL_OF_NAMESPACE
from occupancy_lsp.source.sema import symbols_by_scope
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Type, type_of_argument
from occupancy_lsp.source.syntax.expression_nodes import GLOBAL, Expression, Name

_Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotMeant:
    """The kernels of a launch's name that it cannot mean, with their namespaces: all `in_sight` but those."""

    in_sight: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()


ALL_MEANT = NotMeant()


@dataclass(frozen=True, slots=True)
class _InSight:
    """Where the kernels of a name stand: the first of each namespace by its path, and by how it is called in full.

    `inside`: the namespaces in each; what is launched from n of them has n kernels of its name.
    """

    first: Mapping[_Path, tuple[int, int]] = field(default_factory=dict)
    paths: frozenset[_Path] = frozenset()
    names: frozenset[str] = frozenset()
    inside: Mapping[_Path, frozenset[_Path]] = field(default_factory=dict)


def kernels_not_found_by_lookup(here: ItemScope, site: CallSite) -> NotMeant:
    """The kernels that name lookup does not find from there."""
    *outer, label = site.name.split("::")
    every = _kernels_in_sight(here.env, label)
    paths = every.paths
    if len(paths) < 2:
        return ALL_MEANT
    meant = (
        (_paths_by_qualifier(here, tuple(outer), label, paths) or paths)
        if outer
        else _paths_of_unqualified_name(here, label, every)
    )
    if not outer and len(meant) < len(paths):
        meant = meant | _argument_dependent_paths(here, site, every)
    return NotMeant(every.names, _qualified_names(meant, label)) if len(meant) < len(paths) else ALL_MEANT


def _qualified_names(paths: Set[_Path], label: str) -> frozenset[str]:
    return frozenset("::".join((*it, label)) for it in paths)


def kernels_named(env: Environment, label: str) -> list[Defined]:
    return [it for it in env.functions(label) if it[1].kernel]


def is_only_kernel_of_name(env: Environment, label: str) -> bool:
    """Return whether a single kernel bears the name in whatever is compiled, so that a launch means it whatever it
    gives."""

    def compute() -> bool:
        others = bool(env.bodiless_kernel_declarations(label)) or any(it.kernel for it in env.prototypes(label))
        if others or env.dialect.annotations.makers:
            return False
        return sum(it.kernel for _, it in env.all_functions(label)) == 1

    return env.remember(("only kernel", label), compute, False)


def _kernels_in_sight(env: Environment, label: str) -> _InSight:
    """Of those of that name, whatever else they say."""

    def compute() -> _InSight:
        stand = ((s.scope_path(f.owner), (s.order, f.name_span.start)) for s, f in kernels_named(env, label))
        first: dict[_Path, tuple[int, int]] = {}
        inside: dict[_Path, set[_Path]] = {}
        for path, position in stand:
            first[path] = min(position, first.get(path, position))
            for depth in range(1, len(path) + 1):
                inside.setdefault(path[:depth], set()).add(path)
        each = {it: frozenset(several) for it, several in inside.items()}
        return _InSight(first, frozenset(first), _qualified_names(first.keys(), label), each)

    return env.remember(("kernels in sight", label), compute, _InSight())


def fully_qualified_name(here: ItemScope, site: CallSite) -> str:
    """Return the launch's name, with all namespaces of the kernel where that is in one that those written lead to."""
    *outer, label = site.name.split("::")
    paths = _kernels_in_sight(here.env, label).paths if outer else frozenset[_Path]()
    found = _paths_by_qualifier(here, tuple(outer), label, paths) if paths else set()
    whole = "::".join(("", *next(iter(found)), label)) if len(found) == 1 else ""
    return whole if whole and not whole.endswith("::" + site.name.removeprefix("::")) else site.name


def _paths_by_qualifier(here: ItemScope, outer: _Path, label: str, paths: Set[_Path]) -> Set[_Path]:
    """Those of the qualifier's namespace, which is that of the innermost around the launch that has it, or of one that
    is visible in it."""
    if outer[0] == GLOBAL:
        return paths & {outer[1:]} or _paths_in_visible_namespaces(here, {()}, outer[1:], label, paths)
    used = here.visible_namespaces()
    for depth in range(len(here.path), -1, -1):
        around = here.path[:depth]
        direct = paths & {(*around, *outer)}
        roots = {around, *(it for it in used if used.visible_depth_of(it) == depth)}
        if found := direct or _paths_in_visible_namespaces(here, roots, outer, label, paths):
            return found
    return set()


def _paths_in_visible_namespaces(
    here: ItemScope, roots: set[_Path], outer: _Path, label: str, paths: Set[_Path]
) -> Set[_Path]:
    """Those of a qualified name looked up in these namespaces, in what is visible in them and in what is named so."""
    found = _with_visible_namespaces(here.env, roots)
    for name in outer:
        named = {(*it, name) for it in found} | _namespaces_of_alias(here, name, found)
        found = _with_visible_namespaces(here.env, named)
    return paths & (found | _namespaces_of_using_declarations(here.env, found, label))


def _with_visible_namespaces(env: Environment, roots: set[_Path]) -> set[_Path]:
    """The namespaces, and those whose names are theirs too: inline ones, and what directives name."""
    found, todo = set(roots), list(roots)
    for path in todo:  # grows by what is found
        for it in symbols_by_scope.values_at_paths(env, ALL_OF_NAMESPACE, (path,)):
            new = (
                _possible_paths_of_name(path, it.definition.value) - found
                if it.placed.scope_path(()) == path
                else set()
            )
            found |= new
            todo += new
    return found


def _possible_paths_of_name(where: _Path, value: Expression) -> set[_Path]:
    """What a namespace's name may mean in another."""
    parts = value.parts if isinstance(value, Name) else ()
    return {(*where[:depth], *parts) for depth in range(len(where) + 1)} if parts else set()


def _namespaces_of_alias(here: ItemScope, name: str, around: set[_Path]) -> set[_Path]:
    """What an alias of that name stands for, in one of these namespaces or in the function."""
    label = ALIAS_OF_NAMESPACE + name
    own = here.local(label)
    said = [(here.path, own.value)] if own is not None else []
    said += [
        (path, it.definition.value)
        for it in here.env.definitions(label)
        if (path := it.placed.scope_path(())) in around
    ]
    return {it for where, value in said for it in _possible_paths_of_name(where, value)}


def _namespaces_of_using_declarations(env: Environment, namespaces: set[_Path], label: str) -> set[_Path]:
    """The namespaces of what using-declarations in these name."""
    each = ((it.placed.scope_path(it.definition.owner), it.definition.value) for it in env.definitions(label))
    return {it[:-1] for where, value in each if where in namespaces for it in _possible_paths_of_name(where, value)}


def _paths_of_unqualified_name(here: ItemScope, label: str, every: _InSight) -> Set[_Path]:
    """Those in sight; only the innermost where nothing but their definitions declares them."""
    paths = every.paths
    if here.env.definitions(label):
        return paths  # a using-declaration, or a variable
    used = here.visible_namespaces()
    depths = {here.path[:depth]: depth for depth in range(len(here.path) + 1)}
    depths |= {it: depth for it in used if it in paths and (depth := used.visible_depth_of(it)) is not None}
    seen = depths.keys() & paths
    if here.env.prototypes(label) or here.env.bodiless_kernel_declarations(label):
        return seen
    before = {it for it in seen if every.first[it] < here.position}
    deepest = max((depths[it] for it in before), default=-1)
    return {it for it in before if depths[it] == deepest} or seen


def _argument_dependent_paths(here: ItemScope, site: CallSite, every: _InSight) -> Set[_Path]:
    """Those that argument-dependent lookup may add: in the namespaces of classes, or of what is not known."""
    found: set[_Path] = set()
    for text in site.arguments or ():
        namespaces = _associated_namespaces(text, here)
        if namespaces is None:
            return every.paths
        for its in namespaces:  # inner namespaces may be inline, either way round
            around = {its[:depth] for depth in range(1 if its else 0, len(its) + 1)}
            found |= (around & every.paths) | every.inside.get(its, frozenset())
    return found


def _associated_namespaces(text: str, here: ItemScope) -> tuple[_Path, ...] | None:
    """Those that an argument's type is associated with; None: they are not known."""
    if text.strip() in ("nullptr", "NULL"):
        return ()
    kind = type_of_argument(text, here)
    while isinstance(kind, Type) and kind.pointee is not None:
        kind = kind.pointee
    if kind is None or kind.layout is not None:
        return () if kind is not None else None
    if kind.inside is None or kind.inside.definition.template is not None or kind.inside.definition.traits.bases:
        return None
    return (kind.inside.placed.scope_path(()),)
