"""What a configured launch asks for by attributes, `attrs[0].id = cudaLaunchAttributeClusterDimension`: the size of its
clusters, and that all its blocks are resident together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Argument, Conditions
from occupancy_lsp.source.lower.preprocessor_configurations import Configuration, configurations_of
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

_ASKS = regex(r"(?:\w+::)*(?:cuda|hip)LaunchAttributeClusterDimension")
_COOPERATES = regex(r"(?:\w+::)*(?:cuda|hip)LaunchAttributeCooperative")
_OTHER = regex(r"(?:\w+::)*(?:cuda|hip)LaunchAttribute(?!\w*ClusterDimension)\w+")
_ARRAY = regex(r"(?:&\s*)?(\w+)(?:\s*\[\s*0\s*\])?")
_BASE = regex(r"\w+")
_USED = regex(r"(?<![.\w])(?<!->)(?<!\.\s)\w+")  # not as a member's name
_MEMBER = regex(r"\w+(?:\.\w+)+")
_ELEMENT = regex(r"(\w+(?:\[\d+\])?)\.(id|val(?:\.\w+)*)")
_CONFIGURATION = regex(r"(?:struct\s+)?(?:cuda|hip)LaunchConfig(?:_t|_st)")
_READS = regex(
    r"\b(?:cuda|hip)(?:LaunchKernelExC?|OccupancyMax(?:ActiveClusters|PotentialClusterSize))\s*\(([^;()]{0,500})"
)
_HANDED = regex(r"(?:^|,)\s*&\s*(\w+)")
_SIZES = regex(r"\b(\w+)\s*\.\s*(?:gridDim|blockDim|dynamicSmemBytes|stream)\b")
_COUNT = regex(r"(\d{1,9})|[^?:]*\?\s*(\d{1,9})\s*:\s*(\d{1,9})")
_BEFORE_ATTRIBUTES = 4  # members of a configuration
_MEMBERS = {_BEFORE_ATTRIBUTES: "attrs", _BEFORE_ATTRIBUTES + 1: "numAttrs"}
_ON = ("1", "true")
_MOST = 64  # assignments to one array of attributes
Cluster = tuple[Argument, Argument, Argument]


@dataclass(frozen=True, slots=True)
class ClusterRequest:
    """`around`: the words of the function, where the sizes are known; `set_up`: the variables that they hang on.

    `conditions`: those of the preprocessor in the function, where it is this that is asked for. `cooperative`: an
    attribute surely asks that all blocks be resident together.
    """

    cluster: Cluster | None
    around: frozenset[str] = frozenset()
    set_up: frozenset[str] = frozenset()
    conditions: Conditions = ()
    cooperative: bool = False


@dataclass(frozen=True, slots=True)
class _Assignment:
    """`target = value`, a statement of `block`; None: it is part of something else. `made`: what it is made with."""

    target: str
    value: Node
    block: Span | None
    made: bool = False

    def surely_runs_before(self, at: int) -> bool:
        """Whether it has run where a launch stands, whatever path leads there."""
        return self.block is not None and self.block.start <= at < self.block.end and self.value.end_byte <= at


@dataclass(frozen=True, slots=True)
class _FunctionText:
    """A function: its assignments, by the variable whose value or member they change, and the `words` that it has.

    `used`: how often it has each other than as a member's name; `reads`: how many calls only read a configuration;
    `sizes`: how often one's sizes are named.
    """

    given: Mapping[str, list[_Assignment]]
    words: frozenset[str]
    used: Counter[str]
    reads: Counter[str]
    sizes: Counter[str]
    declared: Mapping[str, list[Node]]  # declarators, by name


def cluster_requests(
    masked: MaskedCode, nodes: NodeIndex, launch: Node, config: str, regions: ConditionRegions
) -> tuple[ClusterRequest, ...]:
    """In x, y and z, each unknown unless it is given once, in straight-line code where every use of the variables is
    understood; None: no cluster is asked for. Of each selection of the preprocessor's branches in the function.
    """
    found: tuple[ClusterRequest, ...] = (unknown_cluster(launch),)
    for outer in _configuration_scopes(nodes, launch, config):
        found = _requests_within(masked, nodes, launch, config, regions, outer)
        if all(it.cluster is None or it.around for it in found):
            break
    return found


def _configuration_scopes(nodes: NodeIndex, launch: Node, config: str) -> Iterator[Node]:
    """Where the configuration may be set up: the block that declares it, as others may have one of that name, and the
    function, as what it points to may stand outside of the block.
    """
    outer = nodes.ancestor(launch, "function_definition", "lambda_expression")
    if outer is None:
        return
    block = nodes.ancestor(launch, "compound_statement")
    while block is not None and block.start_byte > outer.start_byte:
        declarations = (it for it in nodes.children(block) if it.type == "declaration")
        declared = {
            _declared_variable_name(nodes, it)
            for each in declarations
            for it in each.children_by_field_name("declarator")
        }
        if config in declared:
            yield block
            break
        block = nodes.ancestor(nodes.parent(block), "compound_statement")
    yield outer


def _requests_within(
    masked: MaskedCode, nodes: NodeIndex, launch: Node, config: str, regions: ConditionRegions, outer: Node
) -> tuple[ClusterRequest, ...]:
    among = configurations_of(masked, regions, span(outer), launch.start_byte)
    if not among or _branches_cut_statements(nodes, span(outer), among):
        return (unknown_cluster(launch),)

    def function_text(selected: Configuration) -> _FunctionText:
        what = f"assignments where {selected.conditions}"
        return nodes.remember(what, outer, lambda: _read_assignments_and_uses(masked, nodes, outer, selected))

    def request(selected: Configuration) -> ClusterRequest:
        found = _request_in_block(masked, nodes, launch, config, function_text(selected))
        array = _array_requesting_cooperative_launch(nodes, launch, config, function_text(selected))
        if not array:
            return replace(found, conditions=selected.conditions)
        words, names = function_text(selected).words, frozenset({config, array})
        return replace(found, around=words, set_up=names, conditions=selected.conditions, cooperative=True)

    return tuple(map(request, among))


def _branches_cut_statements(nodes: NodeIndex, inside: Span, among: Sequence[Configuration]) -> bool:
    """Whether a branch of the preprocessor's starts or ends within a statement that is no block."""
    ends = {at for selected in among for it in selected.left_out for at in (it.start, it.end)}
    if not ends:
        return False
    statements = (
        it for kind in ("declaration", "expression_statement") for it in nodes.nodes_of_kind_within(inside, kind)
    )
    return any(it.start_byte < at < it.end_byte for it in statements for at in ends)


def _request_in_block(
    masked: MaskedCode, nodes: NodeIndex, launch: Node, config: str, around: _FunctionText
) -> ClusterRequest:
    at = launch.start_byte
    arrays = _assignments_to(around, config, f"{config}.attrs")
    if not arrays:
        return ClusterRequest(None) if _has_no_attributes(nodes, around, config) else unknown_cluster(launch)
    array = _ARRAY.fullmatch(nodes.text(arrays[0].value))
    if array is None or len(arrays) > 1 or not _is_understood_array(nodes, around, array[1]):
        return unknown_cluster(launch)
    given = around.given.get(array[1], [])
    asked = [it for it in given if it.target.endswith(".id")]
    asking = [it for it in asked if _OTHER.fullmatch(nodes.text(it.value)) is None]
    if asked and not asking:
        return ClusterRequest(None) if _is_plainly_configured(around, config) else unknown_cluster(launch)
    if len(asking) != 1 or _ASKS.fullmatch(nodes.text(asking[0].value)) is None:
        return unknown_cluster(launch)
    said, attribute = asking[0], asking[0].target.removesuffix(".id")
    known = arrays[0].surely_runs_before(at) and said.surely_runs_before(at)
    known = known and [it.target for it in given].count(said.target) == 1
    known = known and _is_plainly_configured(around, config)
    known = known and _is_within_attribute_count(
        nodes, _assignments_to(around, config, f"{config}.numAttrs"), at, attribute
    )
    target = f"{attribute}.val.clusterDim"
    values = [it for it in given if it.target.startswith(f"{attribute}.val")]
    if not known or not all(it.target.startswith(target) for it in values):
        return unknown_cluster(launch)
    x, y, z = _cluster_from_list(masked, given, target, at) or (
        _cluster_axis(masked, given, f"{target}.{it}", said, at) for it in "xyz"
    )
    return ClusterRequest((x, y, z), around.words, frozenset({config, array[1]}))


def _array_requesting_cooperative_launch(nodes: NodeIndex, launch: Node, config: str, around: _FunctionText) -> str:
    """The array whose attribute surely makes the launch cooperative; "": none does, or that is not known."""
    at = launch.start_byte
    arrays = _assignments_to(around, config, f"{config}.attrs")
    array = _ARRAY.fullmatch(nodes.text(arrays[0].value)) if len(arrays) == 1 else None
    if array is None or not (_is_understood_array(nodes, around, array[1]) and _is_plainly_configured(around, config)):
        return ""
    given = around.given.get(array[1], [])
    asking = [it for it in given if it.target.endswith(".id") and _COOPERATES.fullmatch(nodes.text(it.value))]
    if len(asking) != 1:
        return ""
    attribute = asking[0].target.removesuffix(".id")
    about = [it for it in given if it.target == f"{attribute}.id" or it.target.startswith(f"{attribute}.val")]
    values = [it for it in about if it is not asking[0]]
    on = [it.target for it in values] == [f"{attribute}.val.cooperative"] and nodes.text(values[0].value) in _ON
    known = on and all(it.surely_runs_before(at) for it in (arrays[0], *about))
    return (
        array[1]
        if known
        and _is_within_attribute_count(nodes, _assignments_to(around, config, f"{config}.numAttrs"), at, attribute)
        else ""
    )


def unknown_cluster(launch: Node) -> ClusterRequest:
    """That there may be clusters."""
    it = Argument(span(launch), UnreadableExpression("given elsewhere"))
    return ClusterRequest((it, it, it))


def _is_plainly_configured(around: _FunctionText, config: str) -> bool:
    """Whether every use of a configuration is its declaration, a plain assignment to a member, or reads it."""
    given = around.given.get(config, [])
    if len(around.declared.get(config, ())) != 1 or not all(_MEMBER.fullmatch(it.target) for it in given):
        return False
    return around.used[config] == 1 + sum(not it.made for it in given) + around.reads[config]


def _has_no_attributes(nodes: NodeIndex, around: _FunctionText, config: str) -> bool:
    """Whether nothing can have given a configuration attributes: it is made without, and only its sizes are used."""
    declared = around.declared.get(config, [])
    if len(declared) != 1 or not _is_declared_without_attributes(nodes, declared[0]):
        return False
    counts = len(_assignments_to(around, config, f"{config}.numAttrs"))
    return around.used[config] == 1 + around.sizes[config] + counts + around.reads[config]


def _is_declared_without_attributes(nodes: NodeIndex, declarator: Node) -> bool:
    outer = nodes.parent(declarator)
    type_ = outer.child_by_field_name("type") if outer is not None else None
    if type_ is None or _CONFIGURATION.fullmatch(nodes.text(type_)) is None:
        return False
    value = declarator.child_by_field_name("value")
    if value is None:
        return declarator.type == "identifier"
    plain = value.type == "initializer_list" and re.search(r"\.\s*attrs\b", nodes.text(value)) is None
    return plain and value.named_child_count <= _BEFORE_ATTRIBUTES


def _is_understood_array(nodes: NodeIndex, around: _FunctionText, array: str) -> bool:
    """Whether every use of an array is its declaration without values, an assignment to a member, or the handing."""
    given, declared = around.given.get(array, []), around.declared.get(array, [])
    if len(declared) != 1 or len(given) > _MOST or around.used[array] != 2 + len(given):
        return False
    value = declared[0].child_by_field_name("value")
    empty = value is None or re.fullmatch(r"\{[\s{}0]*\}", nodes.text(value)) is not None
    return empty and all(_ELEMENT.fullmatch(it.target) for it in given)


def _cluster_from_list(masked: MaskedCode, given: list[_Assignment], target: str, at: int) -> Cluster | None:
    """`attrs[0].val.clusterDim = {1, 1, n}`, and nothing else of it."""
    found = [it for it in given if it.target.startswith(target)]
    values = found[0].value.named_children if len(found) == 1 and found[0].surely_runs_before(at) else []
    if not values or found[0].target != target or found[0].value.type != "initializer_list" or len(values) != 3:
        return None
    x, y, z = (Argument(span(it), parse(masked.plain, it.start_byte, it.end_byte)) for it in values)
    return x, y, z


def _cluster_axis(masked: MaskedCode, given: list[_Assignment], target: str, said: _Assignment, at: int) -> Argument:
    found = [it for it in given if it.target == target]
    if len(found) != 1 or not found[0].surely_runs_before(at):
        return Argument(span(said.value), UnreadableExpression("given elsewhere"))
    value = found[0].value
    return Argument(span(value), parse(masked.plain, value.start_byte, value.end_byte))


def _is_within_attribute_count(nodes: NodeIndex, counts: list[_Assignment], at: int, attribute: str) -> bool:
    """Whether the launch is given as many attributes, whichever of two numbers they are."""
    said = (
        _COUNT.fullmatch(nodes.text(counts[0].value)) if len(counts) == 1 and counts[0].surely_runs_before(at) else None
    )
    index = re.search(r"\[(\d+)\]\Z", attribute)
    least = min(map(int, filter(None, said.groups()))) if said is not None else 0
    return least > (int(index[1]) if index else 0)


def _assignments_to(around: _FunctionText, variable: str, target: str) -> list[_Assignment]:
    return [it for it in around.given.get(variable, [])[:_MOST] if it.target == target]


def _read_assignments_and_uses(
    masked: MaskedCode, nodes: NodeIndex, outer: Node, selected: Configuration
) -> _FunctionText:
    found: dict[str, list[_Assignment]] = {}

    def compiled_nodes(kind: str) -> Iterator[Node]:
        return (it for it in nodes.nodes_of_kind_within(span(outer), kind) if selected.has(it.start_byte))

    for node in compiled_nodes("assignment_expression"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None or operator.type != "=":
            continue
        target = "".join(nodes.text(left).split())
        base = _BASE.match(target)
        if base is not None:
            found.setdefault(base[0], []).append(_Assignment(target, right, _enclosing_block_span(nodes, node)))
    declared: dict[str, list[Node]] = {}
    for node in compiled_nodes("declaration"):
        for declarator in node.children_by_field_name("declarator"):
            name = _declared_variable_name(nodes, declarator)
            declared.setdefault(name, []).append(declarator)
            found.setdefault(name, []).extend(_initializer_assignments(nodes, node, declarator, name))
    text = selected.text(masked, span(outer))
    reads = Counter(name for call in _READS.finditer(text) for name in {*_HANDED.findall(call[1])})
    return _FunctionText(
        found,
        frozenset(_BASE.findall(text)),
        Counter(_USED.findall(text)),
        reads,
        Counter(_SIZES.findall(text)),
        declared,
    )


def _initializer_assignments(nodes: NodeIndex, declaration: Node, declarator: Node, name: str) -> Iterator[_Assignment]:
    """The attributes, and their number, among what a configuration is made of in braces."""
    type_, value = declaration.child_by_field_name("type"), declarator.child_by_field_name("value")
    if type_ is None or value is None or value.type != "initializer_list":
        return
    if _CONFIGURATION.fullmatch(nodes.text(type_)) is None:
        return
    block = nodes.parent(declaration)
    around = span(block) if block is not None and block.type == "compound_statement" else None
    for index, part in enumerate(value.named_children):
        designator, given = part.child_by_field_name("designator"), part.child_by_field_name("value")
        label = nodes.text(designator).lstrip(". ") if designator is not None else _MEMBERS.get(index, "")
        if label in _MEMBERS.values():
            yield _Assignment(f"{name}.{label}", given or part, around, True)


def _declared_variable_name(nodes: NodeIndex, declarator: Node) -> str:
    """The variable, or array; "": a pointer, a reference or a function."""
    inner: Node | None = declarator
    while inner is not None and inner.type in ("init_declarator", "array_declarator"):
        inner = inner.child_by_field_name("declarator")
    return nodes.text(inner) if inner is not None and inner.type == "identifier" else ""


def _enclosing_block_span(nodes: NodeIndex, assignment: Node) -> Span | None:
    """Of which it is a statement."""
    statement = nodes.parent(assignment)
    block = nodes.parent(statement) if statement is not None and statement.type == "expression_statement" else None
    return span(block) if block is not None and block.type == "compound_statement" else None
