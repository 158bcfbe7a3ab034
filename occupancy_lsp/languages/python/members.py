"""What the members of an object are worth that its class gives values: `self.threads = 32 * len(self.warps)`.

A member is worth what the class, or one in the file that it inherits from or that inherits from it, gives it anywhere.
It is not known where another object, or text that no assignment shows, may give it something: a class that is not in
sight, `setattr`, a descriptor, a decorator of the class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.calling import called_name, method_of, set_by_others
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.statements import Function, Statement
from occupancy_lsp.languages.python.values import Unknown, either, value
from occupancy_lsp.languages.python.walking import own_nodes, walk

# What gives members values by other means than an assignment, or answers for them.
_MEANS = "setattr delattr __dict__ vars __slots__ __getattr__ __getattribute__ __setattr__ __new__ exec eval"
_HIDDEN = frozenset(_MEANS.split())
_PLAIN_BASE = "object"
_PLAIN_DECORATOR = "dataclass"  # makes methods of annotated members, which no assignment here says
_ASKING = ("isinstance", "issubclass", "super")  # make no class of those that they are handed
_DEEPEST = 40  # members that stand for one another


@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """At the margin of a file. `bases`: all names in them. `plain`: they are names; no metaclass, no decorator."""

    name: str
    bases: frozenset[str]
    plain: bool
    given: Mapping[str, tuple[_Given, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """`value` None: something that no expression says. `method`: that gives it, to `receiver`; None: the class does."""

    value: ast.expr | None
    method: Function | None = None
    receiver: str = ""


@remembered(4096)
def _class(statement: Statement) -> _Class | None:
    """The class that a statement is."""
    node = statement.nodes[0] if len(statement.nodes) == 1 else None
    if not isinstance(node, ast.ClassDef):
        return None
    decorated = any(called_name(it) != _PLAIN_DECORATOR for it in node.decorator_list)
    plain = all(isinstance(it, ast.Name) for it in node.bases) and not node.keywords and not decorated
    methods = {id(it.node): it for it in statement.functions}
    given: dict[str, tuple[_Given, ...]] = {}
    for part in node.body:
        for name, it in _given_in(part, methods.get(id(part))):
            given[name] = (*given.get(name, ()), it)
    return _Class(node.name, _names_in(node.bases), plain, given)


def _names_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    return frozenset(_word(it) for node in nodes for it in walk(node)) - {""}


def _word(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.alias(name=name):
            return name
    return ""


def _given_in(part: ast.stmt, method: Function | None) -> Iterator[tuple[str, _Given]]:
    """What a statement of a class's body gives members."""
    if method is None:
        if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
            yield part.targets[0].id, _Given(part.value)
            return
        for node in walk(part):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) | ast.ClassDef(name=name) | ast.alias(asname=str(name)):
                    yield name, _Given(None)
                case ast.alias(name=name):
                    yield name, _Given(None)
        return
    yield method.name, _Given(None)
    taken = (*method.parameters.posonlyargs, *method.parameters.args)
    receivers = {"self", "cls", *(it.arg for it in taken[:1])}  # as `set_by_others` takes it
    own = {id(it) for it in own_nodes(method.node)}
    plain: dict[int, ast.expr] = {}
    for node in walk(method.node):
        match node:
            case ast.Assign(targets=[ast.Attribute() as target], value=found) if id(node) in own:
                plain[id(target)] = found
            case ast.AnnAssign(target=ast.Attribute() as target, value=ast.expr() as found) if id(node) in own:
                plain[id(target)] = found
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Store() | ast.Del()) if name in receivers:
                yield attr, _Given(plain.get(id(node)), method, name)


@remembered(4096)
def _is_hiding(statement: Statement) -> bool:
    """Whether it may give members of any object something, without saying which."""
    return not _names_in(statement.nodes).isdisjoint(_HIDDEN)


@remembered(4096)
def _made_unseen(statement: Statement) -> frozenset[str]:
    """The names of what a statement may make classes of that are not at the margin."""
    found: list[ast.AST] = []
    for node in (it for one in statement.nodes for it in walk(one)):
        match node:
            case ast.ClassDef(bases=bases) if node not in statement.nodes:
                found += bases
            case ast.Call(func=func, args=args, keywords=keywords) if called_name(func) not in _ASKING:
                found += (part for it in (*args, *(it.value for it in keywords)) for part in _parts(it))
            case ast.Assign(value=ast.Name() as other):  # by whose name it may be inherited from
                found.append(other)
    return _names_in(found)


def _parts(node: ast.expr) -> Iterator[ast.Name]:
    """The names that an expression is, or puts together."""
    match node:
        case ast.Name():
            yield node
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from (it for part in parts for it in _parts(part))
        case ast.Starred(value=part):
            yield from _parts(part)


@dataclass(frozen=True, slots=True)
class Family:
    """The classes of a file that inherit from one another. `others`: members that something else may give values."""

    classes: tuple[Placed, ...]
    others: frozenset[str]


def family(module: Module, holder: Placed) -> Family | None:
    """Of a class; None: not all of it is in sight, or what it gives is not."""
    classes = {it.name: (placed, it) for placed in module.statements if (it := _class(placed.statement)) is not None}
    own = _class(holder.statement)
    if own is None or any(_is_hiding(it.statement) for it in module.statements):
        return None
    related, left = {own.name}, [own.name]
    while left:
        name = left.pop()
        found = classes[name][1] if name in classes and module.names.of(name).once else None
        if found is None or not found.plain:
            return None
        heirs = (it.name for _, it in classes.values() if name in it.bases)
        new = {*found.bases, *heirs} - related - {_PLAIN_BASE}
        related |= new
        left += new
    if any(not related.isdisjoint(_made_unseen(it.statement)) for it in module.statements):
        return None
    kin = tuple(placed for name, (placed, _) in classes.items() if name in related)
    return Family(kin, frozenset[str]().union(*(_set_outside(it.statement) for it in module.statements)))


@remembered(4096)
def _set_outside(statement: Statement) -> frozenset[str]:
    """The members that a statement gives objects of classes that it is not."""
    if _class(statement) is not None:
        return set_by_others(statement)
    every = (it for node in statement.nodes for it in walk(node))
    return frozenset(it.attr for it in every if isinstance(it, ast.Attribute) and not isinstance(it.ctx, ast.Load))


@dataclass(slots=True, eq=False)
class Members:
    """Those of an object of one of the classes of a family."""

    module: Module
    family: Family
    known: dict[str, Any] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def member(self, name: str) -> Any:
        """What it is worth, as `value` says it."""
        if name not in self.known:
            if name in self.asked or len(self.asked) > _DEEPEST:
                return Unknown("its definitions are circular, or too many")
            self.asked.add(name)
            self.known[name] = self._worked_out(name)
            self.asked.remove(name)
        return self.known[name]

    def _worked_out(self, name: str) -> Any:
        classes = (it for placed in self.family.classes if (it := _class(placed.statement)) is not None)
        given = [one for it in classes for one in it.given.get(name, ())]
        if not given or name in self.family.others:
            return Unknown(f"self.{name} is not known")
        return either([self._value(name, it) for it in given])

    def _value(self, name: str, given: _Given) -> Any:
        unknown = Unknown(f"self.{name} is not known")
        # Names in the class's body may be others of its own.
        named = given.value is None or any(isinstance(it, ast.Name) for it in walk(given.value))
        if given.value is None or (given.method is None and named):
            return unknown
        scope = self.module.inside(given.method)
        if given.method is not None and method_of((given.method,), given.receiver) is not None:
            scope.know(given.receiver, self)
        found = value(given.value, scope)
        # A list may be changed in place.
        return unknown if isinstance(found, list | dict) and not isinstance(given.value, ast.Tuple) else found
