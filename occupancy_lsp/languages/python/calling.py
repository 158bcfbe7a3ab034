"""The calls of a Python file, and what their names stand for."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.module import Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.statements import Function, Statement
from occupancy_lsp.languages.python.values import Scope
from occupancy_lsp.languages.python.walking import walk

_DEEPEST = 12
_ANY = "*"  # the member that `setattr(self, name, …)` gives an object


@dataclass(frozen=True, slots=True, eq=False)
class Stands:
    """An expression: where it stands, in which statement and which functions, the innermost first."""

    node: ast.expr
    placed: Placed
    around: tuple[Function, ...]

    def part(self, node: ast.expr) -> Stands:
        """An expression in this one."""
        return Stands(node, self.placed, self.around)

    def scope(self, module: Module) -> Scope:
        return module.inside(self.around[0] if self.around else None)


@dataclass(frozen=True, slots=True, eq=False)
class _Calls:
    """Those of a statement, each with the functions around it, and what is called: names, and members of values."""

    each: tuple[tuple[ast.Call, tuple[Function, ...]], ...] = ()
    called: frozenset[str] = frozenset()


@remembered(4096)
def _calls(statement: Statement) -> _Calls:
    calls = [it for node in statement.nodes for it in walk(node) if isinstance(it, ast.Call)]
    functions = sorted(statement.functions, key=lambda it: it.body.start, reverse=True)
    each = []
    for call in calls:
        at = statement.span(call).start
        each.append((call, tuple(it for it in functions if it.body.start <= at < it.body.end)))
    return _Calls(tuple(each), frozenset(called_name(it.func) for it in calls))


def called_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return called_name(func)
    return ""


def named_last(module: Module, node: ast.expr) -> str:
    """The last part of what is called, as it is called where it comes from."""
    last = module.scope.dotted(node).rpartition(".")[2]
    return last or (node.attr if isinstance(node, ast.Attribute) else "")


def called_in(statement: Statement) -> frozenset[str]:
    """The names of what is called there, of members alone."""
    return _calls(statement).called


def calling(statements: Iterable[Placed], names: Set[str]) -> Iterator[Stands]:
    """The calls of these."""
    for placed in statements:
        for call, around in _calls(placed.statement).each:
            if called_name(call.func) in names:
                yield Stands(call, placed, around)


def meant(module: Module, of: Stands, depth: int = 0) -> Stands:
    """The expression that a name, or a member of `self`, stands for, where only one can be meant; else that itself.

    What is `beside` a module are the `doubtful_members` of its statements.
    """
    if depth > _DEEPEST:
        return of
    match of.node:
        case ast.Name(id=name):
            found = _named(module, of, name)
        case ast.Attribute(value=ast.Name(id="self" | "cls" as receiver), attr=name):
            method = method_of(of.around, receiver)
            doubts = module.beside
            sure = method is not None and name not in doubts and member(method.outer[0], name) not in doubts
            found = _member(of, name) if sure else None
        case _:
            return of
    return meant(module, found, depth + 1) if found is not None else of


def _named(module: Module, of: Stands, name: str) -> Stands | None:
    for index, function in enumerate(of.around):
        given = [node for own, node in function.own if own == name]
        if given or name in parameters(function):
            alone = len(given) == 1 and name not in parameters(function)
            return Stands(given[0], of.placed, of.around[index:]) if alone and given[0] is not None else None
    nodes = module.scope.given.get(name, ())
    node = nodes[0] if len(nodes) == 1 else None
    stands = module.stands(name, node) if node is not None else None
    return Stands(node, stands, ()) if node is not None and stands is not None else None


def method_of(around: Sequence[Function], receiver: str) -> Function | None:
    """The method of a class whose object a name is, in functions from the innermost on; None: it may be something else.

    The method takes the object first, and nothing else in it is called so: no variable, and no parameter of a function.
    """
    method = around[-1] if around else None
    if method is None or len(method.outer) != 1 or _bound(method)[receiver] != 1:
        return None
    static = any(called_name(it) == "staticmethod" for it in method.decorators)
    taken = (*method.parameters.posonlyargs, *method.parameters.args)
    return method if taken and taken[0].arg == receiver and not static else None


@remembered(4096)
def _bound(function: Function) -> Counter[str]:
    """How often something in a function is given a name."""
    return Counter(name for node in walk(function.node) for name in _binds(node))


def _binds(node: ast.AST) -> tuple[str, ...]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.alias(name=name, asname=asname):
            return (asname or name.partition(".")[0],)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
    return ()


def _member(of: Stands, name: str) -> Stands | None:
    """What the methods of a class give a member, or its body."""
    given = _members(of.placed.statement).get(name, ())
    if len(given) != 1 or given[0].value is None or _ANY in _members(of.placed.statement):
        return None
    method = given[0].method
    return Stands(given[0].value, of.placed, (method,) if method is not None else ())


def is_given_once(statement: Statement, name: str) -> bool:
    """Whether one place alone in a class gives that member something."""
    return len(_members(statement).get(name, ())) == 1 and _ANY not in _members(statement)


@dataclass(frozen=True, slots=True)
class _Given:
    """What a member is given: in a method, or in the class's body. `value` None: what no plain assignment says."""

    value: ast.expr | None
    method: Function | None


@remembered(256)
def _members(statement: Statement) -> Mapping[str, Sequence[_Given]]:
    """Of the class that a statement is."""
    methods = {id(it.node): it for it in statement.functions}
    holder = next((it for it in statement.nodes if isinstance(it, ast.ClassDef)), None)
    found: dict[str, list[_Given]] = {}
    for part in holder.body if holder is not None else ():
        method = methods.get(id(part))
        if method is not None:
            found.setdefault(method.name, []).append(_Given(None, None))
        stores: Counter[str] = Counter()
        plain: dict[str, list[_Given]] = {}
        for node in walk(part):
            stores.update(_stored(node, method is not None))
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                for name in _stored(node.targets[0], method is not None):
                    plain.setdefault(name, []).append(_Given(node.value, method))
        for name, count in stores.items():
            given = plain.get(name, [])
            found.setdefault(name, []).extend(given if len(given) == count else [_Given(None, method)] * count)
    return found


def _stored(node: ast.AST, in_method: bool) -> tuple[str, ...]:
    """The member that the node gives a value, or takes it."""
    match node:
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store() | ast.Del()):
            return (name,)
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[ast.Name(id="self" | "cls"), named, *_]):
            return () if isinstance(named, ast.Constant) else (_ANY,)
        case _ if in_method or isinstance(node, ast.arg):
            return ()
    return _binds(node)


def doubtful_members(statements: Iterable[Placed]) -> Set[str]:
    """Members that may be something else than the class says that the code stands in: by their name, those that objects
    not called `self` are given; by class and name, those that a class which is made of that one gives anew."""
    placed = [*statements]
    given = {name for it in placed for name in set_by_others(it.statement)}
    return given | given_anew(it for one in placed for it in derived(one.statement))


@remembered(4096)
def set_by_others(statement: Statement) -> frozenset[str]:
    """The members that a statement gives objects not called `self`, or by a text."""
    every = [it for node in statement.nodes for it in walk(node)]
    stored = (it for it in every if isinstance(it, ast.Attribute) and not isinstance(it.ctx, ast.Load))
    others = (it.attr for it in stored if not (isinstance(it.value, ast.Name) and it.value.id in ("self", "cls")))
    return frozenset((*others, *(name for it in every if (name := _set_by_text(it)) is not None)))


def _set_by_text(node: ast.AST) -> str | None:
    match node:
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return name
    return None


def member(of: str, name: str) -> str:
    return f"{of}.{name}"


@dataclass(frozen=True, slots=True)
class Derived:
    """A class that is made of others. `bases`: all names in what it is made of."""

    name: str
    bases: frozenset[str]
    members: frozenset[str]  # that it gives itself


@remembered(4096)
def derived(statement: Statement) -> tuple[Derived, ...]:
    """Those in a statement."""
    every = (it for node in statement.nodes for it in walk(node))
    return tuple(_derived(it) for it in every if isinstance(it, ast.ClassDef) and it.bases)


def _derived(node: ast.ClassDef) -> Derived:
    words = (it for base in node.bases for it in walk(base) if isinstance(it, ast.Name | ast.Attribute))
    members: set[str] = set()
    for part in node.body:
        in_method = isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
        members.update(name for it in walk(part) for name in _stored(it, in_method))
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            members.add(part.name)
    return Derived(node.name, frozenset(map(called_name, words)), frozenset(members))


def given_anew(classes: Iterable[Derived]) -> Set[str]:
    """By class and name, the members that classes made of it give anew."""
    by_name: dict[str, list[Derived]] = {}
    for it in classes:
        by_name.setdefault(it.name, []).append(it)
    found: set[str] = set()
    for it in (one for several in by_name.values() for one in several):
        seen: set[str] = set()
        todo = [*it.bases]
        while todo:
            base = todo.pop()
            if base not in seen:
                seen.add(base)
                todo += (above for one in by_name.get(base, ()) for above in one.bases)
        found |= {member(base, name) for base in seen - {it.name} for name in it.members}
    return found
