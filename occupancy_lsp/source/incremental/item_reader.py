"""One item's text to its facts. Pure: the same bytes give the same facts, so they are remembered by their bytes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from operator import attrgetter

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.array_elements import array_use_reader, size_array_elements
from occupancy_lsp.source.dataflow.branch_refinement import tested_names
from occupancy_lsp.source.dataflow.conditional_execution import with_execution_conditions, with_leaving_statements
from occupancy_lsp.source.dataflow.opencl_kernel_objects import KernelObjectNames, held_kernel_objects
from occupancy_lsp.source.dataflow.opencl_launches import WORDS, enqueued_launch
from occupancy_lsp.source.dataflow.quoted_kernel_handles import calls_of_quoted_kernels
from occupancy_lsp.source.dataflow.reaching_definitions import VariableFlow, reaching_definitions, read_variable_flow
from occupancy_lsp.source.dataflow.variable_uses import variable_use
from occupancy_lsp.source.lex.dialect import KERNEL, LOCAL, Dialect
from occupancy_lsp.source.lex.item_list import Item
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lex.unclosed_brackets import with_balanced_functions, without_unclosed_lines
from occupancy_lsp.source.lex.work_limits import TOO_LARGE, TooLarge
from occupancy_lsp.source.lower import (
    carveout_calls,
    carveout_mentions,
    cutlass_cluster_launches,
    launches,
    local_memory_opt_ins,
)
from occupancy_lsp.source.lower.calls import (
    declares_specialization,
    explicit_instantiation,
    functions_in_initializers,
    mention_of_template,
    prototypes,
)
from occupancy_lsp.source.lower.carveout_calls import carveout_call, carveout_with_resolved_kernel, unread_carveouts
from occupancy_lsp.source.lower.cutlass_cluster_launches import cutlass_cluster_launch
from occupancy_lsp.source.lower.declarations import enclosing_block_span
from occupancy_lsp.source.lower.functions import (
    identifier_positions,
    local_memory_declarations,
    macro_like_calls_outside_functions,
    read_function,
)
from occupancy_lsp.source.lower.glsl_globals import LAYOUT, definitions_in_glsl, with_separate_specialization_defaults
from occupancy_lsp.source.lower.hlsl_globals import definitions_in_hlsl
from occupancy_lsp.source.lower.item_facts import (
    MAY_SPILL,
    Argument,
    CallSite,
    CarveoutCall,
    Definition,
    DirectiveComment,
    DirectiveFacts,
    Field,
    Function,
    ItemFacts,
    KernelDeclaration,
    KernelMacroUse,
    Launch,
    LaunchingFacts,
    LocalArray,
    OptIn,
    Prototype,
    TypeDefinition,
    TypeUse,
    WrapperCall,
    definitions_by_name,
)
from occupancy_lsp.source.lower.kernel_declarations import kernel_declarations
from occupancy_lsp.source.lower.kernel_defining_macros import (
    kernel_macro_uses,
    launching_macro_uses,
    unread_macro_uses,
    without_kernel_macro_uses,
)
from occupancy_lsp.source.lower.lambda_kernels import lambda_kernels
from occupancy_lsp.source.lower.launches import (
    contains_possible_kernel_argument,
    count_launches,
    has_device_code,
    launch_of_call,
    launch_with_resolved_kernel,
    launches_parted_by_macros,
    may_have_wrapper_calls,
    unread_launching_macro_uses,
    unreadable_launches,
    wrapper_call,
)
from occupancy_lsp.source.lower.local_memory_opt_ins import opt_in_call, opt_in_with_resolved_kernel
from occupancy_lsp.source.lower.persistent_grids import mark_persistent_launches
from occupancy_lsp.source.lower.preprocessor_directives import INCLUDE, ConditionRegions, facts_of_directive
from occupancy_lsp.source.lower.type_definitions import TYPES, type_definitions
from occupancy_lsp.source.lower.unparsed_kernels import unparsed_kernel_heads, unread_kernel_macro
from occupancy_lsp.source.lower.variables import DECLARING, DEFINING, definitions_of_node, using_directive
from occupancy_lsp.source.lower.wgsl_globals import definitions_in_wgsl
from occupancy_lsp.source.syntax.blanking import (
    AnnotationMark,
    BlankedText,
    MaskedCode,
    mask_for_grammar,
    separate_non_code,
)
from occupancy_lsp.source.syntax.expression_nodes import UnreadableExpression
from occupancy_lsp.source.syntax.node_index import OFTEN, NodeIndex, index_nodes

_OURS = b"occupancy:"
_SPEAKS = regex(rb"(?://|/\*)[/*!\s]*%b[ \t]*" % _OURS)
_NAMESPACE = regex(rb"namespace\b\s*(?:\[\[.*?\]\]\s*)?([\w:\s]*)\{\Z")
_INLINE = regex(rb"\binline\s+namespace\b")
_BEFORE_NAME = regex(r"\w+\s+(?=\w)")  # `inline`, or a macro: `namespace EXPORTED sizes {`
# What launches a kernel or sets one up: only where one of these stands do host variables matter.
_CONFIGURES = (*launches.WORDS, *cutlass_cluster_launches.WORDS, *local_memory_opt_ins.WORDS, *carveout_calls.WORDS)
_ENQUEUES = (*_CONFIGURES, *WORDS)
_SPILLS = b"enable_smem_spilling"
# Of host code that may give a launch its size, in lower case: words that it has, and functions that return integers.
_OF_LAUNCHES = (b"block", b"thread", b"launch", b"kernel", b"dim3")
# The same of host code behind a call of which nothing may run.
_LEAVING = (b"exit(", b"abort(", b"terminate(", b"throw", b"noreturn")
_DECIDING = (*_OF_LAUNCHES, *_LEAVING)
_OF_ANOTHER_FILE = "what another file puts there"
_OF_SIZES = regex(rb"\b(?:auto|int|unsigned|long|short|u?int(?:8|16|32|64)_t|uint|size_t)\b[\s&]+[\w:]{1,99}\s{0,9}\(")
_MAIN = regex(rb"\bint\s+main\s*\(")
_MOST_FOLLOWED, _SHORT, _LONGEST_LEAVING = 6000, 200, 2048
_SPLICE = regex(rb"\\\r?\n")
_SPLICED = regex(rb"(?<![\w\\])\w+(?:\\\r?\n\w+)+")
_CONCERNING = (_OURS, *launches.WORDS, *local_memory_opt_ins.WORDS, *carveout_calls.WORDS, *WORDS)
# nvcc reads `<< <` too; and kernels that are named in quotes. Each begins with plain text, which is found quickly.
_LAUNCHES = regex(rb"<[ \t]*<[ \t]*<"), regex(rb"kernel\w*\s*\("), regex(rb"Kernel\w*\s*\(")


def _may_configure_launches(code: bytes, words: Sequence[bytes] = _CONFIGURES) -> bool:
    """Whether it may launch kernels, or set them up, which it does with one of the words."""
    return any(word in code for word in words)


def may_concern_kernels(content: bytes, dialect: Dialect) -> bool:
    """False: no item defines, launches or sets up a kernel, and no comment is a directive."""
    words = (*dialect.telling, *dialect.annotations.makers, *dialect.annotations.launchers, *_CONCERNING)
    return any(it in content for it in words) or any(it.search(content) is not None for it in _LAUNCHES)


def may_set_up_kernels(text: bytes, code: bytes, dialect: Dialect) -> bool:
    """Whether host code may say something of kernels: launch them, set them up, or hand them to what does.

    `code`: the text without comments and strings.
    """
    if may_concern_kernels(text, dialect) or _may_configure_launches(text, (*_ENQUEUES, *carveout_mentions.WORDS)):
        return True
    return not dialect.host and contains_possible_kernel_argument(code)


def _spliced_text(item: Item) -> bytes:
    said = item.text.rstrip() + b"\n"  # it says the same with more blank lines behind it
    return _SPLICED.sub(_joined_word, said) if b"\\\n" in said or b"\\\r\n" in said else said


def _joined_word(match: re.Match[bytes]) -> bytes:
    """A word that goes on in another line, as long as before: what comes behind it stays where it stood."""
    word = _SPLICE.sub(b"", match[0])
    return word.ljust(len(match[0]))


def directive_comments(comments: Iterable[BlankedText]) -> tuple[DirectiveComment, ...]:
    """What comments say to us; a block comment ends before its `*/`."""
    found: list[DirectiveComment] = []
    for piece in comments:
        match = _SPEAKS.match(piece.text)
        if match:
            said = piece.text[match.end() :].removesuffix(b"*/").rstrip()
            start = piece.start + match.end()
            found.append(DirectiveComment(Span(start, start + len(said)), said.decode("utf-8", "replace")))
    return tuple(found)


def _with_semicolon_before_last_brace(code: bytes) -> bytes:
    """A function whose body is one macro without a semicolon looks like an initialiser to the grammar: give it one."""
    body = code.rstrip()
    if not body.endswith((b" }", b"\n}")):
        return code
    return body[:-2] + b";}" + code[len(body) :]


@remembered(2048)
def read_statement_macro_text(text: str, dialect: Dialect) -> ItemFacts:
    """What statements say that a macro stands for, as an item of their own, and what tests there tell of variables that
    are declared elsewhere."""
    code = text.replace("\\\r\n", " ").replace("\\\n", " ").encode()
    return _read_code(b"void f() { " + code + b" ; }", dialect, True)


@remembered(1024)
def read_macro_text(code: bytes, dialect: Dialect) -> ItemFacts:
    """What the text says that a macro stands for, as an item of its own."""
    return _read_code(code, dialect)


@dataclass(frozen=True, slots=True)
class _ItemText:
    """An item's text as the grammar takes it, and what is looked for in it."""

    text: bytes
    dialect: Dialect
    masked: MaskedCode
    unmade: MaskedCode  # with the macro uses that make kernels
    made: tuple[KernelMacroUse, ...]
    launching: tuple[KernelMacroUse, ...]
    regions: ConditionRegions
    nodes: NodeIndex
    included: tuple[int, ...]  # where other files stand in it
    of_macro: bool  # statements that a macro stands for
    hands: bool  # it may give kernels to what launches them
    configures: bool  # it may launch kernels, or set them up
    flow: VariableFlow | None  # None: its variables have no say in launches
    goes_on: bool  # its last declaration does, behind a directive


@dataclass(slots=True)
class _Found:
    """What the nodes of an item say, in the order of the text."""

    functions: list[Function] = field(default_factory=list)
    prototypes: list[Prototype] = field(default_factory=list)
    kernel_declarations: list[KernelDeclaration] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    types: list[TypeDefinition] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    cluster_launches: list[Launch] = field(default_factory=list)
    wrapper_calls: list[WrapperCall] = field(default_factory=list)
    opt_ins: list[OptIn] = field(default_factory=list)
    carveouts: list[CarveoutCall] = field(default_factory=list)
    mentions: list[CallSite] = field(default_factory=list)
    specializations: list[int] = field(default_factory=list)


def _read_code(item_text: bytes, dialect: Dialect, handing_over: bool = False) -> ItemFacts:
    """What code says. `handing_over`: it may give kernels to what launches them, whatever it looks like."""
    item = _prepare_item_text(item_text, dialect, handing_over)
    found = _collect_node_facts(item)
    if LAYOUT.encode() in dialect.annotations.calls:
        definitions = with_separate_specialization_defaults(item.masked, found.definitions)
        found.definitions = [*definitions, *definitions_in_glsl(item.masked, item.regions)]
    if dialect.grammar.static_constants:
        found.definitions = [*definitions_in_hlsl(item.masked, item.regions, found.definitions)]
    if dialect.grammar.names_first:
        found.definitions = [*definitions_in_wgsl(item.masked, item.regions, found.definitions)]
    if item.hands:
        _add_launching_macros(item, found)
    if dialect.grammar.lambda_launches and item.configures:
        _add_lambda_kernels(item, found)
    lost = _lost_launches(item, found)
    declared = tuple(found.definitions)
    followed = _follow_variables(item, found)
    if item.masked.macros.torn:
        found.definitions = _with_redeclared_unknown(found.definitions)
    found.mentions += macro_like_calls_outside_functions(item.unmade.code, found.functions)
    facts = _make_item_facts(item, found, lost, followed)
    if dialect.host:
        holders = KernelObjectNames(item.nodes, declared, found.functions)
        facts = _with_opencl_launches(facts, holders, item.nodes, item.regions, item_text)
    if facts.launching.launches and not dialect.grammar.lambda_launches:
        launches = mark_persistent_launches(item.masked.code, facts.launching.launches)
        facts = structs.replace(facts, launching=structs.replace(facts.launching, launches=launches))
    inner = [_facts_of_inner_directive(item.masked, piece, item.regions) for piece in item.masked.lines]
    return _with_directive_facts(facts, inner) if inner else facts


def _prepare_item_text(item_text: bytes, dialect: Dialect, handing_over: bool) -> _ItemText:
    masked = unmade = mask_for_grammar(item_text, dialect)
    words = _ENQUEUES if dialect.host else dialect.grammar.lambda_launches or _CONFIGURES
    launches_names = not (dialect.host or dialect.grammar.lambda_launches)
    makers, launchers = dialect.annotations.makers, dialect.annotations.launchers
    hands = handing_over or (launches_names and may_have_wrapper_calls(masked, launchers))
    configures = hands or _may_configure_launches(masked.code, words)
    follows = configures or _may_host_code_decide_launch_size(masked, dialect)
    regions = ConditionRegions(masked.lines)
    made = kernel_macro_uses(masked, makers, regions) if makers else ()
    launching = launching_macro_uses(masked, launchers - makers, regions) if launchers else ()
    if made:
        masked = without_kernel_macro_uses(masked, made)
    code = _without_unfinished_code(masked.code, regions, follows)
    if code != masked.code:
        masked = replace(masked, code=code)
    nodes = index_nodes(_with_semicolon_before_last_brace(masked.code))
    nodes.mark_governed_statements(masked.macros.governed)
    flow = None
    if follows and not nodes.cuts:
        # In device code a variable's value decides nothing here: only names that it hides matter.
        look = array_use_reader(nodes) if configures else variable_use
        flow = read_variable_flow(masked, nodes, words if configures and not hands else (), look)
    included = tuple(it.start for it in unmade.lines if INCLUDE.match(it.text))
    goes_on = code.rstrip()[-1:] not in (b";", b"}")
    return _ItemText(
        item_text,
        dialect,
        masked,
        unmade,
        made,
        launching,
        regions,
        nodes,
        included,
        handing_over,
        hands,
        configures,
        flow,
        goes_on,
    )


def _collect_node_facts(item: _ItemText) -> _Found:
    found, masked, nodes, regions, dialect = _Found(), item.masked, item.nodes, item.regions, item.dialect
    kernels = [it.start for it in masked.marks if it.name == KERNEL]
    for kind, node in nodes.nodes_of_kinds(OFTEN):
        if kind in DEFINING:
            _add_definitions(item, found, kind, node)
        if kind in ("declaration", "template_instantiation") and _may_declare_kernel(masked.code, kernels, node):
            found.kernel_declarations += kernel_declarations(masked, nodes, node, regions, dialect)
        if kind in TYPES:
            found.types += type_definitions(masked, nodes, node, regions)
        elif kind == "call_expression" and item.configures and not dialect.grammar.lambda_launches:
            _add_call(item, found, node)
        elif kind == "template_instantiation":
            found.mentions += explicit_instantiation(nodes, node)
        elif kind == "template_function":
            if named := mention_of_template(nodes, node):
                found.mentions.append(named)
                found.specializations += [node.start_byte] if declares_specialization(nodes, node) else []
        elif kind == "function_definition" and (defined := read_function(masked, nodes, node, regions, dialect)):
            found.functions.append(_mark_possible_spilling_to_shared_memory(defined, item.text))
    return found


def _add_definitions(item: _ItemText, found: _Found, kind: str, node: Node) -> None:
    masked, nodes, regions, flow = item.masked, item.nodes, item.regions, item.flow
    scope = enclosing_block_span(nodes, node) if kind in DECLARING else None
    if kind == "declaration" and scope is None:
        found.prototypes += prototypes(masked, nodes, node)
        found.mentions += functions_in_initializers(nodes, node)
    changed = flow.names_changed_out_of_order(node.start_byte) if flow is not None and kind in DECLARING else None
    made = definitions_of_node(masked, nodes, kind, node, scope, regions, changed)
    found.definitions += _without_incomplete_values(made, item, node) if item.included or item.goes_on else made
    if kind in DECLARING and item.configures and flow is not None:
        found.definitions += size_array_elements(masked, nodes, node, regions)


def _add_call(item: _ItemText, found: _Found, node: Node) -> None:
    masked, nodes, regions = item.masked, item.nodes, item.regions
    launched = launch_of_call(masked, nodes, node, regions)
    in_cluster = cutlass_cluster_launch(masked, nodes, node, regions)
    if launched:
        found.launches.append(
            _without_sizes_if_conditional(_without_sizes_if_included(launched, node, item.included), regions)
        )
    if in_cluster:
        found.cluster_launches.append(in_cluster)
    launchers = item.dialect.annotations.launchers
    if not (launched or in_cluster) and (given := wrapper_call(nodes, node, regions, launchers)):
        found.wrapper_calls.append(given)
    if allowed := opt_in_call(masked, nodes, node, regions):
        found.opt_ins.append(allowed)
    if share := carveout_call(masked, nodes, node, regions):
        found.carveouts.append(share)


def _add_launching_macros(item: _ItemText, found: _Found) -> None:
    """Add the macros that stand for statements and may launch kernels."""
    masked, launchers = item.masked, item.dialect.annotations.launchers
    calls = found.wrapper_calls + [
        WrapperCall(it, Span(it.start, it.start + len(it.name)), item.regions.at(it.start))
        for each in found.functions
        for it in (*each.mentions.alone, *unread_launching_macro_uses(masked, launchers, each))
    ]
    parted = [it for each in found.functions for it in launches_parted_by_macros(masked, launchers, each)]
    whole_of = {site.start: text for site, text in parted}
    found.wrapper_calls = [structs.replace(it, statement=whole_of.get(it.site.start, "")) for it in calls]
    found.mentions += [site for site, _ in parted if site.template is not None]


def _add_lambda_kernels(item: _ItemText, found: _Found) -> None:
    """Add the lambdas that are kernels, each with its launch."""
    outside = tuple(found.functions)
    for kernel, launch in lambda_kernels(item.masked, item.nodes, outside, item.regions, item.dialect):
        found.functions.append(kernel)
        found.launches.append(_without_sizes_if_conditional(launch, item.regions))


def _lost_launches(item: _ItemText, found: _Found) -> tuple[Launch, ...]:
    """Return what stands for launches that the grammar did not take, or that another file may put into a function."""
    cut, launchers = bool(item.nodes.cuts), item.dialect.annotations.launchers
    looks = _reads_launches(item) and (cut or b"<<<" in item.masked.code)
    return (
        *(unreadable_launches(item.masked, found.launches, item.regions, cut) if looks else ()),
        *(
            _launch_of_included_file(it, item.regions)
            for it in item.included
            if launchers and _is_in_non_kernel_function(found.functions, it)
        ),
    )


def _follow_variables(item: _ItemText, found: _Found) -> tuple[Span, ...]:
    """Add what variables are at each place, and what the statements of functions depend on; the functions that are
    followed."""
    masked, nodes, regions, flow = item.masked, item.nodes, item.regions, item.flow
    followed: tuple[Span, ...] = ()
    if nodes.cuts:
        found.definitions = _with_variables_unknown(found.definitions, nodes.unread)
    elif flow is not None:
        try:
            outer = _variables_of_elsewhere(item, found) if item.of_macro else ()
            names = {it.name for it in outer}
            reaching = reaching_definitions(masked, nodes, regions, flow, (*found.definitions, *outer))
            found.definitions += [it for it in reaching if it.kind == "narrowed" or it.name not in names]
            followed = flow.hosts
            found.functions = list(with_execution_conditions(masked, nodes, regions, found.functions, flow.hosts))
        except TooLarge:
            found.definitions = _with_variables_unknown(found.definitions, TOO_LARGE)
    elif len(item.text) < _LONGEST_LEAVING and not (item.dialect.device_only or has_device_code(masked)):
        found.functions = list(with_leaving_statements(masked, nodes, regions, found.functions))
    return followed


def _variables_of_elsewhere(item: _ItemText, found: _Found) -> tuple[Definition, ...]:
    """What stands for variables that the text tests and does not declare, so that their tests can be followed."""
    names = tested_names(item.nodes) - {it.name for it in found.definitions}
    opaque = UnreadableExpression("it is declared elsewhere")
    hosts = item.flow.hosts if item.flow is not None else ()
    return tuple(
        Definition(name, "variable", opaque, host.start, host, (), (), "", declares=False)
        for host in hosts
        for name in sorted(names)
    )


def _make_item_facts(item: _ItemText, found: _Found, lost: Sequence[Launch], followed: tuple[Span, ...]) -> ItemFacts:
    masked, regions, dialect, functions = item.masked, item.regions, item.dialect, found.functions
    scoped = tuple(sorted((it for it in found.definitions if it.scope is not None), key=attrgetter("start")))
    known = definitions_by_name(scoped)
    looks = _reads_launches(item) and b'"' in item.text
    in_quotes = list(calls_of_quoted_kernels(item.nodes, item.text, known, regions)) if looks else []
    starts = {it.site.start for it in in_quotes}
    launched = *sorted((*found.launches, *lost), key=attrgetter("span.start")), *found.cluster_launches
    unread_kernels = (
        *unparsed_kernel_heads(masked, functions, dialect.annotations.statements),
        *unread_macro_uses(masked, dialect.annotations.makers, functions),
    )
    return ItemFacts(
        functions=tuple(functions),
        prototypes=tuple(found.prototypes),
        announced=tuple(found.kernel_declarations),
        launching=LaunchingFacts(
            launches=tuple(launch_with_resolved_kernel(it, known, masked.code) for it in launched),
            handings=(*(it for it in found.wrapper_calls if it.site.start not in starts), *in_quotes),
            unread_launches=count_launches(masked.code) - len(found.launches) if _reads_launches(item) else 0,
            opt_ins=tuple(opt_in_with_resolved_kernel(it, known, masked.code) for it in found.opt_ins),
            carve_outs=(
                *(carveout_with_resolved_kernel(it, known, masked.code) for it in found.carveouts),
                *unread_carveouts(item.text, found.carveouts, regions),
            ),
            by_macros=item.launching,
        ),
        directives=DirectiveFacts(branches=regions.unmatched),
        unread_kernels=tuple((it, regions.at(it.start)) for it in unread_kernels),
        made=item.made,
        definitions=tuple(d for d in found.definitions if d.scope is None),
        scoped=scoped,
        followed=followed,
        narrows=any(it.kind == "narrowed" for it in found.definitions),
        types=tuple(found.types),
        mentions=tuple(found.mentions),
        special=tuple(found.specializations),
        arrays=_local_arrays_outside_functions(
            masked, item.nodes, regions, [f.body for f in functions], dialect.shader
        ),
        comments=directive_comments(masked.comments),
        lends=dialect.local_memory.parameters
        and any(it.kernel and (it.memory.arrays or _may_have_barrier(it)) for it in functions),
    )


def _reads_launches(item: _ItemText) -> bool:
    """Whether it may launch kernels by their names."""
    return item.configures and not item.dialect.grammar.lambda_launches


def _may_declare_kernel(code: bytes, kernels: Sequence[int], node: Node) -> bool:
    """Whether it may declare a kernel: it is in the body of none. `kernels`: where the words stand that make one."""
    before = bisect_left(kernels, node.end_byte)
    return bool(before) and code.find(b"{", kernels[before - 1], node.start_byte) < 0


def _without_unfinished_code(code: bytes, regions: ConditionRegions, decides: bool = False) -> bytes:
    """`code`, as long as before, without what is only being typed. `decides`: a line of it may decide a launch."""
    found = code if decides else without_unclosed_lines(code)
    return found if regions.any else with_balanced_functions(found)


def _mark_possible_spilling_to_shared_memory(function: Function, text: bytes) -> Function:
    """ptxas 13.0 and later may keep what it spills in shared memory, where the code asks for it."""
    if function.memory.unread or _SPILLS not in text or _SPILLS not in text[function.body.start : function.body.end]:
        return function
    return structs.replace(function, memory=structs.replace(function.memory, unread=MAY_SPILL))


def _may_host_code_decide_launch_size(masked: MaskedCode, dialect: Dialect) -> bool:
    """Whether host code may give a launch its size, by what it returns or what it calls."""
    code = masked.code
    if dialect.device_only or len(code) > _MOST_FOLLOWED or b"(" not in code or b"{" not in code:
        return False
    if has_device_code(masked) and not any(it.name == "__host__" for it in masked.marks):
        return False
    lowered = code.lower()
    if len(code) < _SHORT and code.lstrip().startswith(b"static "):  # which may hand on what it is given
        return True
    if any(it in lowered for it in _DECIDING) or _MAIN.search(code) is not None:
        return True
    return b"return" in code and _OF_SIZES.search(lowered) is not None


def _may_have_barrier(kernel: Function) -> bool:
    """Whether the text may have a barrier, be it in a macro that stands alone."""
    return bool(kernel.mentions.alone) or any("barrier" in name for name in kernel.mentions.names)


def _with_variables_unknown(definitions: Iterable[Definition], reason: str) -> list[Definition]:
    """Without the values of variables, which may change where that is not followed."""
    return [
        structs.replace(it, value=UnreadableExpression(reason))
        if it.scope is not None and it.kind == "variable"
        else it
        for it in definitions
    ]


def _with_redeclared_unknown(definitions: Sequence[Definition]) -> list[Definition]:
    """Without the values of variables that are declared twice in the same braces: macros have braces of their own."""
    declared = Counter((it.name, it.scope) for it in definitions if it.declares and it.scope is not None)
    twice = {it for it, count in declared.items() if count > 1}
    opaque = UnreadableExpression("braces of macros tell its declarations apart")
    return [structs.replace(it, value=opaque) if (it.name, it.scope) in twice else it for it in definitions]


def _with_opencl_launches(
    facts: ItemFacts, holders: KernelObjectNames, nodes: NodeIndex, regions: ConditionRegions, item_text: bytes
) -> ItemFacts:
    """With OpenCL's kernel objects and their launches; those of other languages' kernels are no matter here."""
    launched = [
        it
        for node in nodes.nodes_of_kind("call_expression")
        if (it := enqueued_launch(nodes, node, regions, holders)) is not None
    ]
    held = tuple(held_kernel_objects(nodes, item_text, holders))
    return structs.replace(facts, launching=structs.replace(facts.launching, launches=tuple(launched), held=held))


def _local_arrays_outside_functions(
    masked: MaskedCode, nodes: NodeIndex, regions: ConditionRegions, bodies: Sequence[Span], inner: bool
) -> tuple[LocalArray, ...]:
    """`inner`: also what stands for those within functions and types, where Slang may have them."""
    inside = {mark for body in bodies for mark in masked.marks_between(body.start, body.end)}
    outer = [mark for mark in masked.marks if mark.name == LOCAL and mark not in inside]
    outer = [mark for mark in outer if masked.code.count(b"{", 0, mark.start) == masked.code.count(b"}", 0, mark.start)]
    others = [mark for mark in masked.marks if mark.name == LOCAL and mark not in outer] if inner else []
    if not (outer or others):
        return ()
    names = identifier_positions(masked.code, 0, len(masked.code))
    arrays, unread = local_memory_declarations(masked, nodes, outer, regions, names, frozenset())
    hidden = [*outer[:1], *others] if unread else others
    return (*arrays, *(_unreadable_local_array(mark, regions) for mark in hidden))


def _unreadable_local_array(mark: AnnotationMark, regions: ConditionRegions) -> LocalArray:
    """What stands for variables whose declaration could not be read: one without a name."""
    field = Field("", Span(mark.start, mark.end), TypeUse(""), ())
    return LocalArray(field, False, (), (), regions.at(mark.start))


def _without_incomplete_values(definitions: Iterable[Definition], item: _ItemText, node: Node) -> Iterable[Definition]:
    """Without the values of what another file is a part of, or what goes on behind a directive."""
    code = item.masked.code
    behind = len(code) - len(code[node.end_byte :].lstrip())
    cut = item.goes_on and behind == len(code)
    if not cut and not any(node.start_byte < it < behind for it in item.included):
        return definitions
    opaque = UnreadableExpression("its declaration goes on elsewhere" if cut else _OF_ANOTHER_FILE)
    return [structs.replace(it, value=opaque) for it in definitions]


def _without_sizes_if_included(launch: Launch, node: Node, at: Sequence[int]) -> Launch:
    """Without the sizes of a launch that another file is a part of. `at`: where files are included."""
    if not any(node.start_byte < it < node.end_byte for it in at):
        return launch
    return _without_sizes(launch, _OF_ANOTHER_FILE)


def _is_in_non_kernel_function(functions: Sequence[Function], at: int) -> bool:
    return any(it.body.start <= at < it.body.end and not it.kernel for it in functions)


def _launch_of_included_file(at: int, regions: ConditionRegions) -> Launch:
    """What another file may launch that is included in a function, by a macro: nothing is known of it."""
    where, hidden = Span(at, at), Argument(Span(at, at), UnreadableExpression(_OF_ANOTHER_FILE))
    return Launch("", where, where, hidden, hidden, hidden, regions.at(at))


def _without_sizes_if_conditional(launch: Launch, regions: ConditionRegions) -> Launch:
    """Without the sizes of a launch of which an `#if` may leave out some text."""
    if len([*regions.pieces_with_conditions(launch.configuration)]) == 1:
        return launch
    return _without_sizes(launch, "#if lines that stand in it")


def _without_sizes(launch: Launch, reason: str) -> Launch:
    hidden = Argument(launch.configuration, UnreadableExpression(reason))
    return structs.replace(launch, grid=hidden, block=hidden, dynamic=hidden)


def _facts_of_inner_directive(masked: MaskedCode, line: BlankedText, regions: ConditionRegions) -> ItemFacts:
    """What a preprocessor line in code says."""
    found = facts_of_directive(line, regions.at(line.start))
    if not found.directives.includes or masked.code.count(b"{", 0, line.start) <= masked.code.count(
        b"}", 0, line.start
    ):
        return found
    includes = tuple(structs.replace(it, inside=True) for it in found.directives.includes)
    return structs.replace(found, directives=structs.replace(found.directives, includes=includes))


def _with_directive_facts(facts: ItemFacts, lines: Sequence[ItemFacts]) -> ItemFacts:
    """Add what preprocessor lines inside the item say; their branches are already followed."""
    own = facts.directives
    directives = structs.replace(
        own,
        macros=(*own.macros, *(it for line in lines for it in line.directives.macros)),
        includes=(*own.includes, *(it for line in lines for it in line.directives.includes)),
        macro_changes=(*own.macro_changes, *(it for line in lines for it in line.directives.macro_changes)),
    )
    definitions = (*facts.definitions, *(it for line in lines for it in line.definitions))
    return structs.replace(facts, definitions=definitions, directives=directives)


def _namespace_opening_facts(item_text: bytes, dialect: Dialect) -> ItemFacts:
    masked = mask_for_grammar(item_text, dialect)
    match = _NAMESPACE.search(masked.code.strip())
    said = _BEFORE_NAME.sub("", match[1].decode()) if match else ""
    names = tuple("".join(said.split()).split("::")) if match else ()
    visible = (using_directive(names),) if any(names) and _INLINE.search(masked.code) else ()
    return ItemFacts(
        opened=names,
        definitions=visible,
        comments=directive_comments(masked.comments),
        directives=DirectiveFacts(branches=ConditionRegions(masked.lines).unmatched),
    )


def read_item(item: Item, dialect: Dialect) -> ItemFacts:
    text = _spliced_text(item)
    if item.kind == "code":
        return _read_code(text, dialect) if text.strip() else ItemFacts()
    if item.kind == "open":
        return _namespace_opening_facts(text, dialect)
    if item.kind != "directive" and _OURS not in text:
        return ItemFacts()
    apart = separate_non_code(text, dialect)
    told = directive_comments(apart.comments)
    if item.kind == "directive" and apart.lines:
        line = apart.lines[-1]
        facts, maker = facts_of_directive(line), unread_kernel_macro(line, dialect)
        shares = tuple(unread_carveouts(text, ()))
        if told or maker or shares:
            unread = ((maker, ()),) if maker else ()
            launching = structs.replace(facts.launching, carve_outs=shares)
            facts = structs.replace(facts, comments=told, unread_kernels=unread, launching=launching)
        return facts
    return ItemFacts(comments=told)
