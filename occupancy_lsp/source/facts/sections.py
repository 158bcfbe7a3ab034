"""What the statements of a part of a function say, read alone.

All of it is such that what the whole body says is the sum of what its parts say.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.facts.assembly import standing_alone
from occupancy_lsp.source.facts.branches import branches
from occupancy_lsp.source.facts.calls import announces_special, call_site, mention
from occupancy_lsp.source.facts.declarations import scope_of
from occupancy_lsp.source.facts.definitions import DECLARING, DEFINING, definitions_of
from occupancy_lsp.source.facts.facts import (
    Branch,
    CallSite,
    Conditions,
    Definition,
    Function,
    Lambda,
    Passage,
    TypeDefinition,
)
from occupancy_lsp.source.facts.functions import (
    assigned,
    called,
    identifiers,
    is_stored,
    loose,
    outside_of_conditions,
    with_index,
    without_index,
)
from occupancy_lsp.source.facts.lambdas import generic_lambdas
from occupancy_lsp.source.facts.passages import ENDING, TESTING_SIGN, hanging, is_endless, may_leave, passages, words_in
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.facts.shifting import Edit, Unsure, shifted
from occupancy_lsp.source.facts.type_definitions import TYPES, type_definitions
from occupancy_lsp.source.text.blocks import HEAD, TAIL
from occupancy_lsp.source.text.masks import Masked
from occupancy_lsp.source.text.nodes import OFTEN, Nodes
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import only_body, parse, span

# What a block may stand in, for what it says to be in no text but its own: no lambda, nor another function.
PLAIN = frozenset(
    (
        "compound_statement",
        "do_statement",
        "else_clause",
        "for_range_loop",
        "for_statement",
        "if_statement",
        "while_statement",
    )
)

_OF_FILES = ("function_definition", "template_instantiation")  # what no statements have, unless they are broken


@dataclass(frozen=True, slots=True)
class Place:
    """Statements of a block, between others: where they start and end. `holes`: large blocks among them, which are no
    part of them. `depth`: of the statements in the tree. `last`: the block ends with them. `function`: which of the
    item's they are in.
    """

    start: int
    end: int
    block: Span
    holes: tuple[Span, ...]
    depth: int
    last: bool
    function: int

    @property
    def segments(self) -> list[tuple[int, int]]:
        """All of it but what stands within the braces of holes."""
        edges = [self.start, *(edge for it in self.holes for edge in (it.start + 1, it.end - 1)), self.end]
        return [*zip(edges[::2], edges[1::2], strict=True)]

    def has(self, offset: int) -> bool:
        """Whether what starts there is among them."""
        return self.start <= offset < self.end and not any(it.start < offset < it.end - 1 for it in self.holes)

    def moved(self, edit: Edit) -> Place:
        block, *holes = (Span(edit(it.start), edit(it.end)) for it in (self.block, *self.holes))
        return Place(edit(self.start), edit(self.end), block, tuple(holes), self.depth, self.last, self.function)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the rest of the item says that has a say in it. `arrays`: how many extents the function's local arrays have,
    by name; `declared`: where the names stand that declare them; `parameters`: their names. `known`: names of what only
    the running kernel knows."""

    arrays: Mapping[str, int]
    declared: frozenset[int]
    parameters: frozenset[str]
    template: Sequence[str]
    known: frozenset[bytes]
    conditions: Conditions

    @staticmethod
    def of(function: Function, known: frozenset[bytes], conditions: Conditions) -> Wanted:
        """Raises Unsure where a name means several of them."""
        arrays = {it.field.name: len(it.field.extents) for it in function.arrays}
        if any(arrays[it.field.name] != len(it.field.extents) for it in function.arrays):
            raise Unsure
        parameters = frozenset(it.name for it in function.parameters if it.name)
        if not parameters.isdisjoint(arrays):
            raise Unsure
        declared = frozenset(it.field.span.start for it in function.arrays)
        return Wanted(arrays, declared, parameters, function.template or (), known, conditions)

    def moved(self, edit: Edit) -> Wanted:
        return replace(self, declared=frozenset(map(edit, self.declared)))


@dataclass(frozen=True, slots=True)
class Section:
    """`words`: how often each identifier stands there; `uses`: where those of arrays and parameters do, and `writes`:
    those that are plain assignments to them; `stored`: the arrays that something may be written to; `declared`: the
    statements that declare arrays; `ending`: how many jumps may end a loop."""

    definitions: tuple[Definition, ...]
    types: tuple[TypeDefinition, ...]
    mentions: tuple[CallSite, ...]
    calls: tuple[CallSite, ...]
    branches: tuple[Branch, ...]
    passages: tuple[Passage, ...]
    lambdas: tuple[Lambda, ...]
    loose: tuple[CallSite, ...]
    standing: tuple[CallSite, ...]
    uses: Mapping[str, tuple[int, ...]]
    writes: frozenset[int]
    stored: frozenset[str]
    declared: tuple[Span, ...]
    words: Counter[str]
    elements: Counter[bytes]
    bare: Counter[bytes]
    called: Counter[str]
    outside: Counter[str]
    given: tuple[tuple[bytes, frozenset[bytes]], ...]
    ending: int


def section(code: bytes, plain: bytes, place: Place, wanted: Wanted) -> Section:
    """What stands at `place` says, its offsets as in the item; `code` and `plain`: all of that.

    Raises Unsure where that hangs on more than what stands there, and TooLarge as `parse` does.
    """
    segments = place.segments
    apart, said = (HEAD + b"".join(text[a:b] for a, b in segments) + TAIL for text in (code, plain))
    at = _there(place, segments)
    body = only_body(parse(apart))
    # In broken code the last brace may close something else.
    if body is None or body.start_byte != len(HEAD) - 1 or span(body.children[-1]) != Span(len(apart) - 1, len(apart)):
        raise Unsure
    nodes = Nodes(apart, body, depth=place.depth)
    masked = Masked(said, apart, (), (), (), before=code[: place.start])
    regions, inside = Regions((), wanted.conditions), span(body)
    if nodes.cuts or any(map(nodes.of, _OF_FILES)) or not _are_plain(masked, nodes, segments):
        raise Unsure
    if not place.last and (statements := nodes.children(body)) and may_leave(masked, statements[-1]):
        raise Unsure
    if place.holes and TESTING_SIGN.search(apart):  # of variables that may be declared there
        raise Unsure
    names = identifiers(apart, len(HEAD), len(apart) - len(TAIL))
    calls = tuple(call_site(nodes, it) for it in nodes.of("call_expression"))
    under = branches(masked, nodes, inside, wanted.known)
    lambdas = tuple(generic_lambdas(nodes, inside, names))
    types = tuple(
        it for kind, node in nodes.each(OFTEN) if kind in TYPES for it in type_definitions(masked, nodes, node, regions)
    )
    if any(it.variable for it in lambdas) or any(it.extents for it in types):
        raise Unsure
    writes = assigned(nodes.of("assignment_expression"))
    declaring = {each: it for it in wanted.arrays for each in names.get(it, ()) if at(each) in wanted.declared}
    either = (it for it in (*wanted.arrays, *wanted.parameters) if it in names)
    uses = {it: tuple(each for each in names[it] if each not in declaring) for it in either}
    defined = tuple(
        it
        for kind, node in nodes.each(OFTEN)
        if kind in DEFINING
        for it in definitions_of(
            masked, nodes, kind, node, scope_of(nodes, node) if kind in DECLARING else None, regions, None
        )
    )
    # Parameters of nothing that stands here are the whole function's.
    if any(it.kind == "parameter" and it.scope and it.scope.start == it.start for it in defined):
        raise Unsure
    templates = nodes.of("template_function")
    if any(announces_special(nodes, it) for it in templates):
        raise Unsure
    named = (mention(nodes, it) for it in templates)
    return Section(
        definitions=shifted(defined, at),
        types=shifted(types, at),
        mentions=shifted(tuple(it for it in named if it is not None), at),
        calls=shifted(calls, at),
        branches=shifted(under, at),
        passages=shifted(passages(masked, nodes, body, regions, wanted.known), at),
        lambdas=shifted(lambdas, at),
        loose=shifted(loose(apart, inside, names, {it.start for it in calls}), at),
        standing=shifted(tuple(standing_alone(nodes, inside)), at),
        uses={it: tuple(map(at, those)) for it, those in uses.items()},
        writes=frozenset(at(it) for those in uses.values() for it in those if it in writes),
        stored=frozenset(
            name
            for name, extents in wanted.arrays.items()
            if any(it in writes or is_stored(nodes, it, extents) for it in uses.get(name, ()))
        ),
        declared=tuple(shifted(_declaring(nodes, each, name), at) for each, name in declaring.items()),
        words=Counter({it: len(those) for it, those in names.items()}),
        elements=with_index(apart),
        bare=without_index(apart),
        called=called(calls),
        outside=outside_of_conditions(wanted.template, names, inside, under),
        given=tuple((it, frozenset(words_in(apart, start, end))) for it, start, end in hanging(apart)),
        ending=sum(len(nodes.of(it)) for it in ENDING),
    )


def _declaring(nodes: Nodes, at: int, name: str) -> Span:
    """The statement that declares what has its name there. Raises Unsure where the grammar sees none."""
    around: Node | None = nodes.at(at, at + len(name))
    while around is not None and around.type != "declaration":
        around = nodes.parent(around)
    if around is None:
        raise Unsure
    return span(around)


def _there(place: Place, segments: Sequence[tuple[int, int]]) -> Callable[[int], int]:
    """Where in the item an offset in the part stands."""
    starts = [*accumulate((b - a for a, b in segments), initial=len(HEAD))]
    end = starts[-1] + len(TAIL)

    def at(offset: int) -> int:
        if offset < len(HEAD) or offset >= end:
            ends = {len(HEAD) - 1: place.block.start, end: place.block.end}
            return ends.get(offset, offset)
        index = min(bisect_right(starts, offset), len(segments)) - 1
        return segments[index][0] + offset - starts[index]

    return at


def _are_plain(masked: Masked, nodes: Nodes, segments: Sequence[tuple[int, int]]) -> bool:
    """Whether the grammar sees a block of statements at each hole, and in nothing but statements. A loop around it must
    end by its head, since what leaves it may stand there."""
    at = len(HEAD)
    for a, b in segments[:-1]:
        at += b - a
        node = nodes.at(at - 1, at + 1)
        around = nodes.parent(node)
        if node.type != "compound_statement" or around is None or around.type not in PLAIN:
            return False
        if (node.start_byte, node.end_byte) != (at - 1, at + 1):
            return False
        while around is not None:
            if is_endless(masked, around):
                return False
            around = nodes.parent(around)
    return True
