"""Which text of a function may never run, and whether a compiler can tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations, pairwise
from operator import eq, ge, gt, le, lt, ne

from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Branch, ConditionalRegion, Parameter
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Expression, UnparsedText
from occupancy_lsp.source.syntax.expression_parser import converted_text
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

_WORD = regex(rb"[A-Za-z_]\w*")
_STATEMENT = regex(rb"[^;{}]*")
# `name = `, `name[i] += `, backwards: of all that it starts with, `=` is the rarest.
_NEVIG = regex(rb"=(?<!==)(?:[-+*/%&|^]|<<|>>)?\s*(?:\][^][=;{}]*\[\s*)*(\w*[A-Za-z_])(?!\w)")
# Makes the same number of whatever it is given.
SAME_ANYHOW = regex(
    rb"[*&]\s*0[uUlL]*\b(?![.xX])|%\s*1[uUlL]*\b|\b0[uUlL]*\s*[*&](?!&)"
    rb"|(?<![\w.])(\w+(?:\.\w+|\[[^][]*\])*)\s*(?:[-^<>]|[=!<>]=)\s*\1(?![\w.[(])"
)
_CHANGED = regex(rb"(?:\+\+|--|(?<!&)&)\s*(\w+)")
_DEGNAHC = regex(rb"(?:\+\+|--)\s*(\w+)")  # `i++`, backwards: there are fewer of those than of words
_COUNTED = regex(rb"for(?<!\wfor)\s*\([^;(){}]*?(\w+)\s*=[^;{}]*;([^;{}]*);")
_CHOSEN = regex(rb"if(?<!\wif)\s*\(([^;{}]*)\)\s*(?:\{\s*)?(\w+)\s*=(?!=)")
_COMPARED = regex(rb"(?<![\w.\])])([A-Za-z_][\w.]*(?:\[[^][]*\])*)\s*(<=?|>=?|==|!=)\s*(-?\w+)(?![\w.(\[])")
_NEGATED = regex(  # `a && !a`, `!a || a`
    rb"(?<![\w.!])(\w+)\s*(?:&&|\|\|)\s*!\s*\1(?![\w.(\[])|!\s*(\w+)\s*(?:&&|\|\|)\s*\2(?![\w.(\[])"
)
_SIZE = regex(rb"\b(?:sizeof|alignof)\s*\([^()]*\)")
_DECIDED = regex(rb"\|\|\s*true\b|\btrue\s*\|\||&&\s*false\b|\bfalse\s*&&|\bthreadIdx\.\w\s*(?:>=?|==)\s*\d{4,}")
# Of an unsigned number the comparison says nothing.
_TESTING_SIGN = regex(
    rb"([A-Za-z_][\w.]*)\s*(?:<|>=)\s*0[uUlL]*\b(?![.xX])|(?<![\w.])0[uUlL]*\s*(?:>|<=)(?![<>])\s*([A-Za-z_][\w.]*)"
)
_SIGNED = (b"int", b"long", b"short", b"float", b"double", b"half", b"ptrdiff_t", b"int64_t", b"int32_t", b"int16_t")
_ENDLESS = regex(rb"(?:while\s*\(\s*(?:true|1)\s*\)|for\s*\(\s*;\s*;\s*\))\s*\Z")
_STOPPING = regex(rb"\b(?:__trap|__builtin_trap|__builtin_unreachable|abort)\s*\(\s*\)\s*;")
_STOPPING_WORDS = (b"trap", b"unreachable", b"abort")
_HOLDS = {b"<": lt, b"<=": le, b">": gt, b">=": ge, b"==": eq, b"!=": ne}
_LOOPS = ("while_statement", "for_statement")
_JUMPS = ("return_statement", "goto_statement", "break_statement", "continue_statement", "throw_statement")
_ENDING = ("break_statement", "goto_statement")  # a loop, whatever its head says
_MOST_READ = 1024
_MOST_COMPARED = 32
OF_THE_THREAD = frozenset(
    b"threadIdx blockIdx blockDim gridDim hipThreadIdx_x hipBlockIdx_x hipBlockDim_x hipGridDim_x get_global_id"
    b" get_local_id get_group_id get_global_size get_local_size get_num_groups get_global_linear_id get_local_linear_id"
    b" get_sub_group_id get_sub_group_local_id get_sub_group_size get_num_sub_groups clock clock64"
    b" thread_rank thread_index gl_LocalInvocationID gl_LocalInvocationIndex gl_GlobalInvocationID gl_WorkGroupID"
    b" gl_NumWorkGroups gl_SubgroupInvocationID gl_SubgroupID".split()
)


def run_time_names(
    masked: MaskedCode, inside: Span, parameters: Sequence[Parameter], kernel: bool, others: Iterable[str]
) -> frozenset[bytes]:
    """Names of what only the running kernel knows: its arguments, indices of threads, and what is made of them.

    Of a function that runs on devices. `others`: what else is one.
    """
    known = {*OF_THE_THREAD, *(it.encode() for it in others)}
    if kernel:
        known |= {it.name.encode() for it in parameters if it.name}
    code = masked.code[inside.start : inside.end]
    for name, start, end in _dependencies_of_names(code):
        if name not in known and mentions_any(code, start, end, known):
            known.add(name)
    return frozenset(known)


def _dependencies_of_names(code: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Each name, and where the text stands that its value hangs on."""
    yield from assigned_names(code)
    for it in _COUNTED.finditer(code):  # a counter is what the number of rounds lets it be
        yield it[1], it.start(2), it.end(2)
    for it in _CHOSEN.finditer(code):
        yield it[2], it.start(1), it.end(1)


def assigned_names(code: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Each name that is given something, and where that stands."""
    until = len(code)
    found: list[tuple[bytes, int, int]] = []
    for match in _NEVIG.finditer(code[::-1]):
        start = len(code) - match.start()
        statement = _STATEMENT.match(code, start, until)
        found.append((match[1][::-1], start, statement.end() if statement else start))
        until = len(code) - match.end()
    return reversed(found)


def values_assigned_once(code: bytes) -> Mapping[str, str]:
    """What variables are given of which nothing else in the code may change the value, by the text alone."""
    values: dict[bytes, list[tuple[int, int]]] = {}
    for name, start, end in assigned_names(code):
        values.setdefault(name, []).append((start, end))
    changed = {*_CHANGED.findall(code), *(it[::-1] for it in _DEGNAHC.findall(code[::-1]))}
    return {
        name.decode(): code[start:end].decode("utf-8", "replace")
        for name, ((start, end), *others) in values.items()
        if not others and name not in changed and b"," not in code[start:end]
    }


def mentions_any(code: bytes, start: int, end: int, names: Set[bytes]) -> bool:
    """Whether the code names one of `names`. Of longer texts the beginning says it: those of `a && b && …` overlap."""
    return not names.isdisjoint(_leading_words(code, start, end))


def is_decided_at_run_time(masked: MaskedCode, start: int, end: int, names: Set[bytes]) -> bool:
    """Whether a condition hangs on one of `names`: not one that comes to the same whatever these are."""
    code = masked.code
    named, tested = _names_and_sign_tests(code[start:end])
    if named is None or names.isdisjoint(named):
        return False
    return all(_is_declared_signed(code[:start], it) for it in tested)


@remembered(4096)  # most conditions are as they were before an edit
def _names_and_sign_tests(said: bytes) -> tuple[frozenset[bytes] | None, Sequence[bytes]]:
    """What a condition names, None where it comes to the same whatever that is; and what it compares with 0."""
    if SAME_ANYHOW.search(said) or _DECIDED.search(said) or is_tautology_or_contradiction(said):
        return None, ()
    sized = _SIZE.sub(b"", said) if b"of" in said else said
    return frozenset(_leading_words(sized, 0, len(sized))), [it[1] or it[2] for it in _TESTING_SIGN.finditer(said)]


def is_tautology_or_contradiction(said: bytes) -> bool:
    """Whether two comparisons of a condition exclude each other, `i < 0 && i > 0`, or leave nothing out."""
    both, either = b"&&" in said, b"||" in said
    if not (both or either):
        return False
    if b"!" in said and _NEGATED.search(said) is not None:
        return True
    of: dict[bytes, dict[tuple[bytes, bytes], None]] = {}
    for name, sign, bound in _COMPARED.findall(said)[:_MOST_COMPARED]:
        of.setdefault(name, {})[sign, bound] = None
    pairs = (pair for several in of.values() for pair in combinations(several, 2))
    return any(
        (both and not _may_both_hold(*pair, True)) or (either and not _may_both_hold(*pair, False)) for pair in pairs
    )


def _may_both_hold(one: tuple[bytes, bytes], other: tuple[bytes, bytes], wanted: bool) -> bool:
    """Whether there may be a number of which both comparisons come out so."""
    (sign, bound), (sign_too, bound_too) = one, other
    first, second = (0, 0) if bound == bound_too else (_parse_integer(bound), _parse_integer(bound_too))
    if first is None or second is None:
        return True
    near = (it + by for it in (first, second) for by in (-1, 0, 1))
    return any(_HOLDS[sign](it, first) is wanted and _HOLDS[sign_too](it, second) is wanted for it in near)


def _parse_integer(bound: bytes) -> int | None:
    try:
        return int(bound.rstrip(b"uUlL"), 0)
    except ValueError:
        return None


def _is_declared_signed(code: bytes, name: bytes) -> bool:
    """Whether a variable is declared so."""
    declared = re.search(rb"\b(\w+)\s+(?:\w+\s*,\s*)*%b\b(?!\s*\()" % re.escape(name), code)
    if declared is None or declared[1] not in _SIGNED:
        return False
    return not code[: declared.start()].rstrip().endswith(b"unsigned")


def _leading_words(code: bytes, start: int, end: int) -> Sequence[bytes]:
    """Those by which `mentions_any` tells."""
    return _WORD.findall(code, start, min(end, start + _MOST_READ))


def possibly_unreachable_spans(branches: Sequence[Branch], passages: Sequence[ConditionalRegion]) -> Sequence[Span]:
    """Return the text that a compiler may find never to run."""
    return [
        *(it.span for it in branches if not it.at_run_time),
        *(it.span for it in passages if not it.at_run_time),
    ]


def conditional_regions(
    masked: MaskedCode, nodes: NodeIndex, body: Node, regions: ConditionRegions, known: frozenset[bytes]
) -> tuple[ConditionalRegion, ...]:
    """In the order in which they start. `known`: as `run_time_names`; empty of a function that devices do not run,
    of which only what conditions of the preprocessor leave out matters."""
    if not known:
        return tuple(_preprocessor_regions(masked, regions, span(body)))
    return tuple(
        sorted(
            _find_conditional_regions(masked, nodes, body, regions, known), key=lambda it: (it.span.start, it.span.end)
        )
    )


def _find_conditional_regions(
    masked: MaskedCode, nodes: NodeIndex, body: Node, regions: ConditionRegions, known: frozenset[bytes]
) -> Iterator[ConditionalRegion]:
    inside = Span(body.start_byte, body.end_byte)

    def make_region(
        node: Node | None, until: int, said: Sequence[Node | None], condition: Expression | None = None
    ) -> ConditionalRegion:
        start = node.start_byte if node is not None else until
        open_ = any(it is not None and is_decided_at_run_time(masked, it.start_byte, it.end_byte, known) for it in said)
        return ConditionalRegion(Span(start, until), condition, open_)

    for node in nodes.nodes_of_kind_within(inside, "for_statement"):
        if (condition := node.child_by_field_name("condition")) is not None:
            said = (node.child_by_field_name("initializer"), condition)
            yield make_region(
                node.child_by_field_name("body"),
                node.end_byte,
                said,
                _condition_of_first_iteration(masked, nodes, node, condition),
            )
    for kind in ("while_statement", "switch_statement"):
        for node in nodes.nodes_of_kind_within(inside, kind):
            clause = node.child_by_field_name("condition")
            value = clause and clause.child_by_field_name("value")
            loop = value is not None and kind == "while_statement"
            round_ = masked.unparsed_expression(value) if loop and value else None
            yield make_region(node.child_by_field_name("body"), node.end_byte, (clause,), round_)
    for node in nodes.nodes_of_kind_within(inside, "for_range_loop"):
        yield make_region(node.child_by_field_name("body"), node.end_byte, (node.child_by_field_name("right"),))
    for node in nodes.nodes_of_kind_within(inside, "conditional_expression"):
        choice = node.child_by_field_name("condition")
        for side, wanted in (("consequence", True), ("alternative", False)):
            if (it := node.child_by_field_name(side)) is not None:
                yield make_region(it, it.end_byte, (choice,), _condition_for_outcome(masked, choice, wanted))
    for node in nodes.nodes_of_kind_within(inside, "logical"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and right.named_child_count:
            both = b"||" not in masked.code[left.end_byte : right.start_byte]
            yield make_region(right, node.end_byte, (left,), _condition_for_outcome(masked, left, both))
    for node in nodes.nodes_of_kind_within(inside, "lambda_expression"):
        yield make_region(node.child_by_field_name("body"), node.end_byte, ())
    yield from (ConditionalRegion(it) for it in _unreachable_after_jumps(masked, nodes, inside))
    yield from _preprocessor_regions(masked, regions, inside)


def _preprocessor_regions(masked: MaskedCode, regions: ConditionRegions, inside: Span) -> Iterator[ConditionalRegion]:
    """What is compiled under other conditions than the rest."""
    cuts = [it.start for it in masked.lines if inside.start < it.start < inside.end]
    for start, end in pairwise([*cuts, inside.end]):
        if (conditions := regions.at(start)) != regions.at(inside.start):
            yield ConditionalRegion(Span(start, end), conditions=conditions)


def _condition_for_outcome(masked: MaskedCode, condition: Node | None, wanted: bool) -> Expression | None:
    """Return the expression that is true where the condition comes out as `wanted`."""
    if condition is None or condition.end_byte - condition.start_byte > _MOST_READ:
        return None
    said = masked.plain[condition.start_byte : condition.end_byte]
    return UnparsedText(said if wanted else b"!(" + said + b")", condition.start_byte)


def _unreachable_after_jumps(masked: MaskedCode, nodes: NodeIndex, inside: Span) -> Iterator[Span]:
    """Yield the rest of each block behind what leaves it, never ends or is never reached. A label may stand there."""
    jumps = [it for kind in _JUMPS for it in nodes.nodes_of_kind_within(inside, kind)]
    jumps += [
        it for kind in _LOOPS for it in nodes.nodes_of_kind_within(inside, kind) if _loops_forever(masked, nodes, it)
    ]
    stops = any(it in masked.code for it in _STOPPING_WORDS)
    for it in _STOPPING.finditer(masked.code, inside.start, inside.end) if stops else ():
        stop = nodes.innermost_at(it.start(), it.end())
        if stop is not None and stop.type == "expression_statement":
            jumps.append(stop)
    for jump in jumps:
        block = nodes.parent(jump)
        if block is not None and block.type == "compound_statement" and jump.start_byte not in nodes.governed:
            last = nodes.children(block)[-1]
            if last.start_byte > jump.start_byte:
                yield Span(jump.end_byte, block.end_byte)


def _loops_forever(masked: MaskedCode, nodes: NodeIndex, loop: Node) -> bool:
    return _has_endless_head(masked, loop) and not any(nodes.nodes_of_kind_within(span(loop), it) for it in _ENDING)


def _has_endless_head(masked: MaskedCode, loop: Node) -> bool:
    """Whether a loop ends by a jump alone, by its head."""
    body = loop.child_by_field_name("body") if loop.type in _LOOPS else None
    return body is not None and _ENDLESS.search(masked.code, loop.start_byte, body.start_byte) is not None


def _condition_of_first_iteration(masked: MaskedCode, nodes: NodeIndex, loop: Node, condition: Node) -> Expression:
    """The condition with what a single variable starts from in its place."""
    said = masked.plain[condition.start_byte : condition.end_byte]
    start = loop.child_by_field_name("initializer")
    declared = start.child_by_field_name("declarator") if start is not None and start.type == "declaration" else start
    parts = (
        ("declarator", "value") if declared is not None and declared.type == "init_declarator" else ("left", "right")
    )
    name, value = (declared.child_by_field_name(it) if declared is not None else None for it in parts)
    if name is None or value is None or name.type != "identifier" or len(said) > _MOST_READ:
        return UnparsedText(said, condition.start_byte)
    made = start.child_by_field_name("type") if start is not None and declared is not start else None
    kind = nodes.text(made) if made is not None else f"decltype({nodes.text(name)})"  # to which the value is converted
    given = converted_text(kind, masked.plain[value.start_byte : value.end_byte].decode(errors="replace")).encode()
    variable = re.compile(rb"\b%b\b" % re.escape(nodes.text(name).encode()))
    return UnparsedText(variable.sub(lambda _: given, said), condition.start_byte)
