"""Of hosts' code what makes instances of kernels' templates, where that code itself does not compile.

Read after the preprocessor, so that macros which choose instances are branches like any others. In place of a function
stands one without parameters that names the kernels, and calls the functions that do: all that decides which instances
there are, template parameters, constants and `if constexpr`, stands in it as written.

Where template parameters are deduced, a call has what is known of its arguments: their types, as the hosts' code writes
them. What is found may be fewer than the file makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.slices.foreign import types_dispatched
from occupancy_lsp.slices.host_tokens import (
    angle_end,
    bracket_end,
    declared_in,
    nested,
    parameter_name,
    parted,
    qualifier_of,
    statement_end,
    tokens_of,
    type_of,
)
from occupancy_lsp.slices.parts import Part, parts_of
from occupancy_lsp.source.incremental.item_reader import read_item
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.item_list import Item
from occupancy_lsp.source.lower.item_facts import Function, ItemFacts

_MARKER = regex(rb'^[ \t]*#(?:[ \t]*line)?[ \t]+\d+[ \t]+"([^"\n]*)"[^\n]*$', re.MULTILINE)
_CONSTANT = regex(
    r"(?:static\s+)?const\s+(?:static\s+)?(?:unsigned|signed|int|bool|auto|long|short|char|(?:std::)?u?int\d+_t|(?:std::)?size_t)"
    r"\b[^*&;{]*=[^;]*"
)
_ENDS_STATEMENT = (";", "{", "}", ":", "")
_MOST_TEXT = 8 << 20
_MOST_STEPS = 200_000


@dataclass(eq=False)
class Node:
    """`text`: a line of its own. `inside`: what stands in braces after it. `calls`: which of the makers it calls.
    `names`: it names a kernel. `otherwise`: what stands for it if it is faulted."""

    text: str = ""
    inside: list[Node] | None = None
    calls: Maker | None = None
    names: bool = False
    otherwise: Node | None = None
    ends: str = "}"

    def makes(self) -> bool:
        return self.names or self.calls is not None or any(it.makes() for it in self.inside or ())


@dataclass(eq=False)
class Maker:
    """`head`: the template's parameters; `parameters`: the function's. `written`: all of it, where it is no function
    with this body."""

    number: int
    name: str
    head: str
    around: tuple[str, ...]
    parameters: str = ""
    body: list[Node] = field(default_factory=list)
    written: str = ""
    deducing: Maker | None = None

    @property
    def called(self) -> str:
        return f"occupancy_make_{self.number}"

    @property
    def with_parameters(self) -> Maker:
        """A template that calls it, and is called with `deciding` of the arguments."""
        if self.deducing is None:
            names = ", ".join(filter(None, map(parameter_name, parted(self.head))))
            name, given = f"{self.called}_of", ", ".join(self.deciding(parted(self.parameters)))
            text = f"template <{self.head}> inline void {name}({given}) {{ {self.called}<{names}>(); }}"
            self.deducing = Maker(self.number, name, self.head, self.around, body=[Node(calls=self)], written=text)
        return self.deducing

    def is_meant_by(self, given: Sequence[str]) -> bool:
        """Whether template arguments leave none of the parameters to be deduced."""
        return len(given) >= len([it for it in parted(self.head) if "=" not in it and ". . ." not in it])

    def deciding(self, each: Sequence[str]) -> list[str]:
        """What of the function's parameters, or of arguments for them, may say which instance is meant: the others may
        have types that are not in sight."""
        names = {parameter_name(it).rstrip(".") for it in parted(self.head)}
        parameters = parted(self.parameters)
        pack = next((i for i, it in enumerate(parameters) if ". . ." in it), len(parameters))
        at = {i for i, it in enumerate(parameters) if names & _words_of([it])}
        return [it for i, it in enumerate(each) if i in at or (i > pack and pack in at)]


@dataclass(frozen=True, slots=True)
class Line:
    """`of`: the node, or the whole function, that goes if the compiler faults it; None: a closing brace."""

    text: str
    of: Node | Maker | None


def lines_of(makers: Sequence[Maker], without: Set[Node | Maker]) -> list[Line]:
    """The functions as they are written, each after those that it calls."""
    found: list[Line] = []
    for it in _in_order(makers, without):
        opens = " ".join(f"namespace {name} {{" for name in it.around)
        if it.written:
            found.append(Line(f"{opens} {it.written} {'}' * len(it.around)}", it))
            continue
        template = f"template <{it.head}> " if it.head else ""
        found.append(Line(f"{opens} {template}inline void {it.called}() {{", it))
        found += _written(it.body, without)
        if not it.head:
            keeps = f"namespace {{ auto* {it.called}_kept = &{it.called}; }}"
            found.append(Line(f"}} {keeps} {'}' * len(it.around)}", it))
        else:
            found.append(Line(f"}} {'}' * len(it.around)}", None))
    return found


def _written(nodes: Iterable[Node], without: Set[Node | Maker]) -> Iterator[Line]:
    for it in nodes:
        if it in without or it.calls in without:
            yield from _written([it.otherwise] if it.otherwise is not None else [], without)
        elif it.inside is None:
            yield Line(it.text, it)
        elif it.makes():
            yield Line(f"{it.text} {{", it)
            yield from _written(it.inside, without)
            yield Line(it.ends, None)


def _in_order(makers: Sequence[Maker], without: Set[Node | Maker]) -> Iterator[Maker]:
    done: set[Maker] = set()
    for it in makers:
        yield from _after_callees(it, done, without)


def _after_callees(maker: Maker, done: set[Maker], without: Set[Node | Maker]) -> Iterator[Maker]:
    if maker in done or maker in without:
        return
    done.add(maker)
    for it in _called(maker.body):
        yield from _after_callees(it, done, without)
    yield maker


def _called(nodes: Iterable[Node]) -> Iterator[Maker]:
    for it in nodes:
        if it.calls is not None:
            yield it.calls
        yield from _called([*(it.inside or ()), *([it.otherwise] if it.otherwise is not None else [])])


def own_text(expanded: bytes, files: Set[str]) -> bytes:
    """What a preprocessor made of these files, without that of all others."""
    kept: list[bytes] = []
    at = 0
    own = False
    for match in _MARKER.finditer(expanded):
        kept += [expanded[at : match.start()]] if own else []
        own = match[1].decode("utf-8", "replace").removeprefix("./") in files
        at = match.end()
    return b"".join([*kept, expanded[at:] if own else b""])


def makers_in(text: bytes, kernels: Set[str], dialect: Dialect) -> list[Maker]:
    """`text`: without preprocessor lines. `kernels`: the plain names of templates."""
    if len(text) > _MOST_TEXT:
        return []
    parts = [it for it in parts_of(text, dialect) if it.is_code]
    read: dict[int, list[_Found]] = {}
    makers: dict[str, list[Maker]] = {}
    known: list[tuple[_Found, Maker]] = []
    wanted = {it.encode() for it in kernels}
    while True:
        new = [i for i, it in enumerate(parts) if i not in read and not it.kernel and it.names & wanted]
        if not new:
            break
        for i in new:
            read[i] = list(_functions(parts[i], dialect))
            for it in read[i]:
                maker = Maker(len(known), it.name, it.head, it.around, it.parameters)
                known.append((it, maker))
                wanted |= {it.encode() for it in it.called}
                for called in it.called:
                    makers.setdefault(called, []).append(maker)
    for it, maker in known:
        maker.body += _Body(it.tokens, kernels, makers, maker).nodes()
    found = [maker for _, maker in known]
    for i in sorted(read):
        if not read[i]:
            found += _instantiated(parts[i], makers, len(found)) or _of_variable(parts[i], kernels, makers, len(found))
    return [it for it in found if any(node.makes() for node in it.body)]


@dataclass(frozen=True, slots=True)
class _Found:
    """A function. `called`: the names by which a call gives it the arguments of `head`."""

    name: str
    head: str
    around: tuple[str, ...]
    called: tuple[str, ...]
    parameters: str
    tokens: tuple[str, ...]


def _around(part: Part) -> tuple[str, ...]:
    return tuple(name for it in part.namespaces if it for name in it.decode().split("::"))


def _functions(part: Part, dialect: Dialect) -> Iterator[_Found]:
    facts = read_item(Item(0, "code", part.text), dialect)
    for it in facts.functions:
        if it.kernel or any(other is not it and _holds(other, it) for other in facts.functions):
            continue
        text = part.text[it.body.start + 1 : it.body.end - 1].decode("utf-8", "replace")
        own, members = _heads(it, facts, part)
        head = ", ".join(filter(None, own))
        # Without parameters of its own, it is made with its class.
        called = tuple(it.owner[-1:]) if it.owner and own[-1] == "" and own[0] else ()
        called = called or ((it.name,) if len(list(filter(None, own))) < 2 else ())
        tokens = (*tokens_of(members), *tokens_of(text))
        said = part.text[it.name_span.end : it.head.end].decode("utf-8", "replace")
        listed = list(tokens_of(said))
        close = bracket_end(listed, 0)
        parameters = " ".join(listed[1:close]) if listed[:1] == ["("] else ""
        yield _Found(it.name, head, _around(part), called, parameters, tokens)


def _holds(outer: Function, inner: Function) -> bool:
    return outer.body.start <= inner.head.start < outer.body.end


def _heads(function: Function, facts: ItemFacts, part: Part) -> tuple[tuple[str, str], str]:
    """The template parameters of the class and of the function itself; the constants and types of the class."""
    own = ", ".join(function.template or ())
    for it in facts.types:
        if it.body is not None and it.body.start <= function.head.start < it.body.end and it.name in function.owner:
            inside = part.text[it.body.start + 1 : it.body.end - 1].decode("utf-8", "replace")
            return (", ".join(it.template or ()), own), "".join(_said_of_class(inside))
    heads = _template_heads(part.text[function.head.start : function.head.end].decode("utf-8", "replace"))
    if function.owner and heads and (len(heads) > 1 or function.template is None or heads[0] == own):
        return (heads[0], ", ".join(heads[1:])), ""
    return ("", own), ""


def _said_of_class(text: str) -> Iterator[str]:
    tokens = list(tokens_of(text))
    at = 0
    while at < len(tokens):
        end = statement_end(tokens, at)
        said = " ".join(tokens[at:end])
        is_kept = tokens[at] in ("using", "typedef") or said.startswith(("static constexpr ", "constexpr static "))
        if is_kept and "(" not in said.partition("=")[0]:
            yield f"{said};"
        at = end + 1


def _template_heads(head: str) -> list[str]:
    tokens = list(tokens_of(head))
    found: list[str] = []
    at = 0
    while tokens[at : at + 2] == ["template", "<"]:
        end = angle_end(tokens, at + 1)
        if end is None:
            break
        found.append(" ".join(tokens[at + 2 : end]))
        at = end + 1
    return found


class _Body:
    """The tokens of a function's body → what of it makes instances."""

    def __init__(
        self, tokens: Sequence[str], kernels: Set[str], makers: Mapping[str, Sequence[Maker]], own: Maker
    ) -> None:
        self.tokens = list(tokens)
        self.kernels = kernels
        self.makers = makers
        self.own = own
        self.types = dict(declared_in(own.parameters))
        self.lambdas: set[str] = set()  # the generic ones that have names
        self.left = _MOST_STEPS

    def nodes(self) -> list[Node]:
        found = self.between(0, len(self.tokens))
        every = list(_all_of(found))
        wanted = _words_of(it.text for it in every if it.makes() or it.inside is not None)
        wanted |= _words_of(it.otherwise.text for it in every if it.otherwise is not None)
        left = [it for it in every if not it.makes() and it.inside is None]
        needed: set[Node] = set()
        for it in reversed(left):
            if _declares(it.text) & wanted:
                needed.add(it)
                wanted |= _words_of([it.text])
        return _only(found, {*left} - needed)

    def between(self, start: int, end: int) -> list[Node]:
        found: list[Node] = []
        at = start
        while at < end and self.left > 0:
            self.left -= 1
            at = self.step(at, end, found)
        return found

    def step(self, at: int, end: int, found: list[Node]) -> int:
        """What stands at `at`, and where to go on."""
        tokens = self.tokens
        token = tokens[at]
        if token == "{":
            close = min(bracket_end(tokens, at), end)
            found.append(Node("", self.between(at + 1, close)))
            return close + 1
        if token == "if" and tokens[at + 1 : at + 2] == ["constexpr"]:
            return self.branch(at, end, found)
        if token == "auto" and (made := self.generic_lambda(at, end)) is not None:
            node, at = made
            found.append(node)
            return at
        if token in self.lambdas and tokens[at + 1 : at + 2] == ["("]:
            close = bracket_end(tokens, at + 1)
            found.append(Node(f"{token}({', '.join(map(self.handed, self.given(at + 1, close)))});", names=True))
            return close + 1
        if types := types_dispatched(token) if tokens[at + 1 : at + 2] == ["("] else ():
            return self.dispatch(at, end, types, found)
        before = tokens[at - 1] if at else ""
        if before in _ENDS_STATEMENT and (said := self.declaration(at, end)) is not None:
            stop = statement_end(tokens, at)
            found.append(Node(f"{said};"))
            found += self.named(at, min(stop, end))
            return stop + 1
        if before in _ENDS_STATEMENT:
            self.types.update(declared_in(" ".join(tokens[at : min(statement_end(tokens, at), end)]), self.types))
        if token in self.kernels or token in self.makers:
            last = angle_end(tokens, at + 1) if tokens[at + 1 : at + 2] == ["<"] else at
            if last is not None and last < end:
                found += self.use(at, last)
                return last + 1
        return at + 1

    def named(self, start: int, end: int) -> list[Node]:
        """The kernels and makers that stand in a declaration."""
        found: list[Node] = []
        for at in range(start, end):
            if self.tokens[at] in (*self.kernels, *self.makers) and self.tokens[at + 1 : at + 2] == ["<"]:
                close = angle_end(self.tokens, at + 1)
                found += self.use(at, close) if close is not None else ()
        return found

    def use(self, at: int, close: int) -> Iterator[Node]:
        """`close`: where its template arguments end; `at`: it has none."""
        name, after = self.tokens[at], close + 1
        given = f"<{' '.join(self.tokens[at + 2 : close])}>" if close > at else ""
        if name in self.kernels:
            said = f"{qualifier_of(self.tokens, at)}{name}{given}"
            launched: Node | None = None
            if self.tokens[after : after + 1] == ["<<<"] and (handed := self.arguments(_launched(self.tokens, after))):
                launched = Node(f"{said}<<<1, 1>>>({handed});", names=True)
            if given:
                text = f"{{ auto* occupancy_kernel = &{said}; (void)occupancy_kernel; }}"
                yield Node(text, names=True, otherwise=launched)
            elif launched is not None:
                yield launched
        for maker in self.makers.get(name, ()):
            if maker is self.own or not maker.head:
                continue
            qualifier = "".join(f"::{it}" for it in maker.around)
            of, deduced = maker.with_parameters, None
            if self.tokens[after : after + 1] == ["("]:
                each = maker.deciding(self.given(after, bracket_end(self.tokens, after)))
                if given or any(type_of(it, self.types) for it in each):
                    deduced = Node(f"{qualifier}::{of.name}{given}({', '.join(map(self.handed, each))});", calls=of)
            if given and (deduced is None or maker.is_meant_by(parted(" ".join(self.tokens[at + 2 : close])))):
                yield Node(f"{qualifier}::{maker.called}{given}();", calls=maker, otherwise=deduced)
            elif deduced is not None:
                yield deduced

    def arguments(self, at: int) -> str:
        """What stands for the arguments in the brackets at `at`; "": of none of them the type is written."""
        if self.tokens[at : at + 1] != ["("]:
            return ""
        close = bracket_end(self.tokens, at)
        each = self.given(at, close)
        return ", ".join(map(self.handed, each)) if any(type_of(it, self.types) for it in each) else ""

    def given(self, at: int, close: int) -> list[str]:
        return parted(" ".join(self.tokens[at + 1 : close]))

    def handed(self, argument: str) -> str:
        if _VALUE.fullmatch(argument):
            return argument
        return f"occupancy_value<{type_of(argument, self.types) or _ANY}>()"

    def declaration(self, at: int, end: int) -> str | None:
        """One that may decide which instance is meant; None: there is none."""
        token = self.tokens[at]
        if token not in ("constexpr", "static", "const", "using", "typedef", "struct", "enum"):
            return None
        stop = min(statement_end(self.tokens, at), end)
        said = " ".join(self.tokens[at:stop])
        if token in ("struct", "enum"):
            return said if "{" in said else None
        if token in ("using", "typedef") or "constexpr" in said.split("=")[0].split():
            return None if "[ & ]" in said or "[ = ]" in said else said
        return said if _CONSTANT.fullmatch(said) else None

    def branch(self, at: int, end: int, found: list[Node]) -> int:
        close = bracket_end(self.tokens, at + 2)
        condition = " ".join(self.tokens[at + 3 : close])
        then, at = self.statement(close + 1, end)
        other: list[Node] | None = None
        if self.tokens[at : at + 1] == ["else"]:
            other, at = self.statement(at + 1, end)
        taken = Node(f"if constexpr ({condition})", then)
        # A template that does not make instances in one branch may do so in the other.
        rest = [Node(f"if constexpr (!({condition}))", other)] if other is not None else []
        found.append(Node("", [taken, *rest]))
        return at

    def statement(self, at: int, end: int) -> tuple[list[Node], int]:
        if self.tokens[at : at + 1] == ["{"]:
            close = min(bracket_end(self.tokens, at), end)
            return self.between(at + 1, close), close + 1
        if self.tokens[at : at + 2] == ["if", "constexpr"]:
            found: list[Node] = []
            return found, self.branch(at, end, found)
        stop = min(statement_end(self.tokens, at), end)
        return self.between(at, stop), stop + 1

    def generic_lambda(self, at: int, end: int) -> tuple[Node, int] | None:
        """`auto run = [&](auto n) { … }`, and where it ends."""
        tokens = self.tokens
        if tokens[at + 2 : at + 4] != ["=", "["]:
            return None
        listed = bracket_end(tokens, at + 3) + 1
        close = bracket_end(tokens, listed)
        if tokens[listed : listed + 1] != ["("] or "auto" not in tokens[listed:close]:
            return None
        opening = next((i for i in range(close, min(end, close + 12)) if tokens[i] == "{"), None)
        if opening is None:
            return None
        self.lambdas.add(tokens[at + 1])
        stop = min(bracket_end(tokens, opening), end)
        text = f"auto {tokens[at + 1]} = [&]{' '.join(tokens[listed : close + 1])}"
        return Node(text, self.between(opening + 1, stop), ends="};"), stop + 1

    def dispatch(self, at: int, end: int, types: Sequence[tuple[str, str]], found: list[Node]) -> int:
        """Of a macro of PyTorch's that is not there: what it is given, for each of the types."""
        close = min(bracket_end(self.tokens, at + 1), end)
        for name, meant in types:
            found.append(Node("", [Node(f"using {name} = {meant};"), *self.between(at + 2, close)]))
        return close + 1


_VALUE = regex(r"[\w\s:<>,]+(?:\{[\s\d]*\}|\(\s*\))")  # `half{}`


def _launched(tokens: Sequence[str], at: int) -> int:
    """Where the arguments of a launch begin whose `<<<` stands at `at`."""
    for i, token, depth in nested(tokens, at + 1):
        if not depth and list(tokens[i : i + 4]) == [">", ">", ">", "("]:
            return i + 3
        if depth < 0 or token == ";":
            break
    return len(tokens)


# What arguments of deduced calls stand as: variables, for a parameter may be a reference to what may change.
_ANY = "occupancy_any"
PRELUDE = (
    f"struct {_ANY} {{ template <class T> operator T() const; }};"
    " template <class T> typename std::remove_reference<T>::type& occupancy_value();"
)
_OURS = regex(r"occupancy_(?:any|make_\d+)")


def is_made_up(kernel: str) -> bool:
    """Whether a template parameter of it was deduced from what stands for an argument of which nothing is known."""
    return _OURS.search(kernel) is not None


def is_guess(line: str) -> bool:
    """Whether something might be deduced from what stands for such an argument."""
    return f"<{_ANY}>()" in line


_WORD = regex(r"[A-Za-z_]\w*")
_GIVEN = regex(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?[={;,(]")


def _words_of(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text)}


def _declares(text: str) -> set[str]:
    """The names that a declaration may give."""
    if text.startswith(("struct", "enum")):
        return _words_of([text])
    return {*_GIVEN.findall(text)}


def _all_of(nodes: Iterable[Node]) -> Iterator[Node]:
    for it in nodes:
        yield it
        yield from _all_of(it.inside or ())


def _only(nodes: Iterable[Node], without: Set[Node]) -> list[Node]:
    kept = [it for it in nodes if it not in without]
    for it in kept:
        if it.inside is not None:
            it.inside = _only(it.inside, without)
    return kept


def _instantiated(part: Part, makers: Mapping[str, Sequence[Maker]], number: int) -> list[Maker]:
    """What explicit instantiations make: `template void launch<float>(…)`, `template class Launcher<float>`."""
    tokens = list(tokens_of(part.text.decode("utf-8", "replace")))
    found: list[Maker] = []
    starts = [i for i, it in enumerate(tokens) if it == "template" and tokens[i + 1 : i + 2] != ["<"]]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=False):
        if start and tokens[start - 1] == "extern":
            continue
        stop = next((i for i in range(start, end) if tokens[i] == "("), end)
        nodes: list[Node] = []
        for at in range(start, stop):
            if tokens[at] in makers and tokens[at + 1 : at + 2] == ["<"]:
                close = angle_end(tokens, at + 1)
                if close is not None:
                    member = tokens[close + 2] if tokens[close + 1 : close + 2] == ["::"] else ""
                    nodes += _Body(tokens, frozenset(), _members(makers, tokens[at], member), _NOBODY).use(at, close)
        if nodes:
            found.append(Maker(number + len(found), "", "", _around(part), body=nodes))
            continue
        name = tokens[stop - 1] if stop < end and tokens[stop - 1] in makers else ""
        for maker in makers.get(name, ()):
            if maker.head and stop < end:
                given = parted(" ".join(tokens[stop + 1 : bracket_end(tokens, stop)]))
                of = maker.with_parameters
                text = f"template void {of.name}({', '.join(maker.deciding(given))});"
                nodes = [Node(calls=of)]
                found.append(Maker(number + len(found), "", "", maker.around, body=nodes, written=text))
    return found


def _of_variable(part: Part, kernels: Set[str], makers: Mapping[str, Sequence[Maker]], number: int) -> list[Maker]:
    """What the initialiser of a variable outside of functions names: a table of kernels, a class to be registered."""
    tokens = list(tokens_of(part.text.decode("utf-8", "replace")))
    if not tokens or tokens[0] in _OF_NO_VARIABLES or not {"=", "(", "{"} & {*tokens}:
        return []
    nodes = _Body(tokens, kernels, makers, _NOBODY).named(0, len(tokens))
    return [Maker(number, "", "", _around(part), body=nodes)] if nodes else []


def _members(makers: Mapping[str, Sequence[Maker]], name: str, member: str) -> Mapping[str, Sequence[Maker]]:
    return {name: [it for it in makers[name] if not member or it.name == member]}


_OF_NO_VARIABLES = ("using", "typedef", "template", "class", "struct", "union", "enum", "extern", "friend")
_NOBODY = Maker(-1, "", "", ())
