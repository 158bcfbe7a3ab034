"""The file-level names that items define, gathered: of the file itself, or of the headers that it includes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.record import Record
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import (
    NO_DIRECTIVES,
    CallSite,
    ConditionalRegion,
    Conditions,
    Definition,
    DirectiveFacts,
    Function,
    FunctionMacro,
    HeldKernelObject,
    Include,
    ItemFacts,
    KernelDeclaration,
    Launch,
    LocalArray,
    MacroChange,
    Prototype,
    TypeDefinition,
)
from occupancy_lsp.source.syntax.blanking import TENSOR_MEMORY

_T = TypeVar("_T")
_PARAMETER = regex(r"(\w+)\s*(?:=.*)?\Z", re.DOTALL)  # the name of one of a template
_IDENTIFIER = regex(r"[A-Za-z_]\w*")
_ORDER = attrgetter("order")


class SharedMemoryMentions(Record, frozen=True):
    """Which memory of work-groups an item speaks of. `tensor_memory`: some of its functions or macros use it."""

    arrays: bool = False  # it declares some outside of functions
    dynamic: bool = False  # it declares local memory that is sized at launch
    tensor_memory: bool = False


_NO_MEMORY = SharedMemoryMentions()


class ItemNames(Record, frozen=True):
    """What is known of an item before its facts are asked for: above all the names that it bears, in each sense of
    `SymbolTable`. `defines`: of its macros without parameters.

    `uses`, `naming`, `held`: what it uses, what its functions name and what holds OpenCL's kernel objects, each on a
    line of its own; there may be others among them. `opened`: as of its facts; `directives`: those of them that decide
    what stands in a file. `matters`, `speaks`: as of `LocatedItem`.
    """

    definitions: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    prototypes: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    directives: DirectiveFacts = NO_DIRECTIVES
    uses: str = ""
    naming: str = ""
    held: str = ""
    memory: SharedMemoryMentions = _NO_MEMORY
    opened: tuple[str, ...] = ()
    matters: bool = False
    speaks: bool = False
    words: bool = False  # `uses` has all words of the item

    def may_have(self, words: Iterable[str]) -> bool:
        """Whether one of the words may stand in the item."""
        return not self.words or any(f"\n{it}\n" in self.uses for it in words)


class LazyFacts(Protocol):
    """Facts that are read when somebody asks for them, with the names that they are about."""

    @property
    def names(self) -> ItemNames: ...

    @property
    def facts(self) -> ItemFacts: ...

    def forget(self) -> None:
        """As `ItemFacts` do."""


class LocatedItem(NamedTuple):
    """An item's facts and where the item stands: its order in the file, its namespaces, the conditions around it.

    `item`: its number, another one after an edit; `slot`: by which places in it name it. `matters`: other items can
    depend on it. `speaks`: it may say something of a kernel. `unless`: under which conditions, and in which order, its
    header was included before: it counts if none of these hold. A tuple: units have a great many.
    """

    item: int
    order: int
    namespaces: tuple[str, ...]
    conditions: Conditions
    said: ItemFacts | LazyFacts
    matters: bool
    speaks: bool
    slot: int
    unless: tuple[tuple[Conditions, int], ...] = ()

    @property
    def facts(self) -> ItemFacts:
        return facts_of(self.said)

    def scope_path(self, owner: tuple[str, ...]) -> tuple[str, ...]:
        """The namespaces and classes around what stands here in the classes `owner`; one without a name is none."""
        path = (*self.namespaces, *owner)
        return path if all(path) else tuple(filter(None, path))

    @property
    def includes(self) -> tuple[Include, ...]:
        said = self.said
        return said.directives.includes if isinstance(said, ItemFacts) else said.names.directives.includes

    @property
    def undefined(self) -> tuple[str, ...]:
        said = self.said
        """The macros of which it has an #undef, or which it brings back as they were."""
        return _changed_macro_names(said) if isinstance(said, ItemFacts) else said.names.undefined

    @property
    def names(self) -> ItemNames:
        said = self.said
        return names_of_item(said) if isinstance(said, ItemFacts) else said.names


def facts_of(said: ItemFacts | LazyFacts) -> ItemFacts:
    return said if isinstance(said, ItemFacts) else said.facts


@dataclass(frozen=True, slots=True)
class FoundDefinition:
    """A definition at file level and the item that holds it."""

    placed: LocatedItem
    definition: Definition

    @property
    def is_ifndef_default(self) -> bool:
        """Whether it stands under `#ifndef` of its own name."""
        return (f"!defined({self.definition.name})", True) in self.placed.conditions


class FunctionUse(Record, frozen=True):
    """Where a function is called, launched or named: inside `holder`, None at file level."""

    placed: LocatedItem
    holder: Function | None
    site: CallSite

    @property
    def name(self) -> str:
        return self.site.name.rsplit("::", 1)[-1]


Defined = tuple[LocatedItem, Function]


@dataclass(slots=True, eq=False)
class SymbolTable:
    """Treat as frozen once gathered. `unsaid`: what is called where a name stands, though no call of it shows.

    `plain`: the macros without parameters; None: those among `definitions`. `forms`: those with parameters; None: those
    of `macros`.
    `again`: some items count only where an earlier #include of their header is not in force.
    """

    definitions: Mapping[str, list[FoundDefinition]] = field(default_factory=dict)
    types: Mapping[str, list[tuple[LocatedItem, TypeDefinition]]] = field(default_factory=dict)
    functions: Mapping[str, list[Defined]] = field(default_factory=dict)
    unsaid: Mapping[str, list[Defined]] = field(default_factory=dict)
    prototypes: Mapping[str, list[Prototype]] = field(default_factory=dict)
    announced: Mapping[str, list[tuple[LocatedItem, KernelDeclaration]]] = field(default_factory=dict)
    macros: Mapping[str, list[tuple[LocatedItem, FunctionMacro]]] = field(default_factory=dict)
    plain: Callable[[], Iterable[tuple[str, Definition]]] | None = None
    forms: Callable[[], Iterable[tuple[str, FunctionMacro]]] | None = None
    arrays: list[tuple[LocatedItem, LocalArray]] = field(default_factory=list)
    dynamic: list[LocatedItem] = field(default_factory=list)  # that declare local memory which is sized at launch
    uses: Mapping[str, list[FunctionUse]] = field(default_factory=dict)
    undefined: Mapping[str, list[tuple[LocatedItem, MacroChange]]] = field(default_factory=dict)
    tensor_memory: bool = False  # of headers
    again: bool = False
    held: Mapping[str, list[tuple[LocatedItem, HeldKernelObject]]] = field(default_factory=dict)  # by the last name
    among: Callable[[str], Iterable[Function]] | None = None  # functions, all that name it among them; None: any
    beside: Callable[[str, Set[str]], list[FunctionUse]] | None = None  # as `uses_beside`
    _naming: dict[str, tuple[Function, ...]] = field(default_factory=dict)

    def object_like_macros(self) -> Iterable[tuple[str, Definition]]:
        """The macros without parameters."""
        if self.plain is not None:
            return self.plain()
        each = ((name, it.definition) for name, several in self.definitions.items() for it in several)
        return ((name, it) for name, it in each if it.kind == "macro")

    def function_like_macros(self) -> Iterable[tuple[str, FunctionMacro]]:
        """The macros with parameters."""
        if self.forms is not None:
            return self.forms()
        return ((name, it) for name, several in self.macros.items() for _, it in several)

    def naming(self, name: str) -> tuple[Function, ...]:
        """The functions of other names that name it."""
        if name not in self._naming:
            every = (function for several in self.functions.values() for _, function in several)
            among = self.among(name) if self.among is not None else every
            self._naming[name] = tuple(it for it in among if name in it.mentions.names and it.name != name)
        return self._naming[name]

    def uses_beside(self, name: str, words: Set[str]) -> list[FunctionUse]:
        """Where it is used, but for items that surely have none of the words."""
        return self.beside(name, words) if self.beside is not None else self.uses.get(name, [])

    def exchanged(self, gone: Sequence[LocatedItem], came: Sequence[LocatedItem]) -> SymbolTable | None:
        """What is gathered where some items stand in place of others; None: what they say is not kept by item.

        A sense in which none of them says anything is the same object.
        """
        if any(it.facts.directives.macro_changes or it.facts.prototypes for it in (*gone, *came)):
            return None
        was, now = gather_symbols(gone), gather_symbols(came)
        orders = [it.order for it in (*gone, *came)]
        exchange = _SymbolUpdate(min(orders), max(orders))
        return replace(
            self,
            definitions=exchange.by_name(self.definitions, was.definitions, now.definitions, _order_of_entry),
            types=exchange.by_name(self.types, was.types, now.types, _order_of_pair),
            functions=exchange.by_name(self.functions, was.functions, now.functions, _order_of_pair),
            unsaid=exchange.by_name(self.unsaid, was.unsaid, now.unsaid, _order_of_pair),
            announced=exchange.by_name(self.announced, was.announced, now.announced, _order_of_pair),
            macros=exchange.by_name(self.macros, was.macros, now.macros, _order_of_pair),
            uses=exchange.by_name(self.uses, was.uses, now.uses, _order_of_entry),
            arrays=exchange.listed(self.arrays, was.arrays, now.arrays, _order_of_pair),
            dynamic=exchange.listed(self.dynamic, was.dynamic, now.dynamic, _ORDER),
            held=exchange.by_name(self.held, was.held, now.held, _order_of_pair),
            beside=None,
            _naming={},
        )


def _order_of_entry(it: FoundDefinition | FunctionUse) -> int:
    return it.placed.order


def _order_of_pair(it: tuple[LocatedItem, object]) -> int:
    return it[0].order


@dataclass(frozen=True, slots=True)
class _SymbolUpdate:
    """Takes what the items said that stand side by side from the order number `first` to `last` out of what was
    gathered, and puts in what others say."""

    first: int
    last: int

    def by_name(
        self,
        known: Mapping[str, list[_T]],
        was: Mapping[str, list[_T]],
        now: Mapping[str, list[_T]],
        order: Callable[[_T], int],
    ) -> Mapping[str, list[_T]]:
        if not was and not now:
            return known
        found = dict(known)
        for name in was.keys() | now.keys():
            found[name] = self.spliced_entries(known.get(name, ()), now.get(name, ()), order)
            if not found[name]:
                del found[name]
        return found

    def listed(self, known: list[_T], was: Sequence[_T], now: Sequence[_T], order: Callable[[_T], int]) -> list[_T]:
        return self.spliced_entries(known, now, order) if was or now else known

    def spliced_entries(self, known: Sequence[_T], now: Sequence[_T], order: Callable[[_T], int]) -> list[_T]:
        """In the order of their items, as both are."""
        head, end = bisect_left(known, self.first, key=order), bisect_right(known, self.last, key=order)
        return [*known[:head], *now, *known[end:]]


def gather_symbols(placed_items: Iterable[LocatedItem]) -> SymbolTable:
    definitions: dict[str, list[FoundDefinition]] = {}
    types: dict[str, list[tuple[LocatedItem, TypeDefinition]]] = {}
    functions: dict[str, list[Defined]] = {}
    unsaid: dict[str, list[Defined]] = {}
    prototypes: dict[str, list[Prototype]] = {}
    announced: dict[str, list[tuple[LocatedItem, KernelDeclaration]]] = {}
    macros: dict[str, list[tuple[LocatedItem, FunctionMacro]]] = {}
    uses: dict[str, list[FunctionUse]] = {}
    arrays: list[tuple[LocatedItem, LocalArray]] = []
    dynamic: list[LocatedItem] = []
    held: dict[str, list[tuple[LocatedItem, HeldKernelObject]]] = {}
    undefined: dict[str, list[tuple[LocatedItem, MacroChange]]] = {}
    for placed in placed_items:
        facts = placed.facts
        for definition in facts.definitions:
            definitions.setdefault(definition.name, []).append(FoundDefinition(placed, definition))
        for kind in facts.types:
            if kind.scope is None:
                types.setdefault(kind.name, []).append((placed, kind))
        for function in facts.functions:
            if function.in_place:
                continue
            functions.setdefault(function.name, []).append((placed, function))
            for name in names_implying_call(function):
                unsaid.setdefault(name, []).append((placed, function))
        for prototype in facts.prototypes:
            prototypes.setdefault(prototype.name, []).append(prototype)
        for announcement in facts.announced:
            announced.setdefault(announcement.site.name, []).append((placed, announcement))
        for macro in facts.directives.macros:
            macros.setdefault(macro.name, []).append((placed, macro))
        for use in function_uses_in(placed):
            uses.setdefault(use.name, []).append(use)
        arrays += [(placed, array) for array in facts.arrays]
        dynamic += [placed] if has_dynamic_shared_arrays(facts) else []
        for it in facts.launching.held:
            held.setdefault(it.holder.last, []).append((placed, it))
        for change in facts.directives.macro_changes:
            undefined.setdefault(change.name, []).append((placed, change))
    found = SymbolTable(definitions, types, functions, unsaid, prototypes, announced, macros)
    found.arrays, found.uses, found.undefined, found.held, found.dynamic = arrays, uses, undefined, held, dynamic
    return found


def dynamic_shared_arrays(facts: ItemFacts) -> Iterator[LocalArray]:
    """Yield the variables in local memory that are sized at launch, those of its functions among them."""
    each = chain(facts.arrays, chain.from_iterable(it.memory.arrays for it in facts.functions))
    return (it for it in each if it.dynamic)


def has_dynamic_shared_arrays(facts: ItemFacts) -> bool:
    return next(dynamic_shared_arrays(facts), None) is not None


def may_be_called_implicitly(function: Function) -> bool:
    """Whether it is an operator, a constructor or a destructor."""
    owner = class_of_method(function)
    return function.name.startswith("operator") or function.name in (owner, f"~{owner}")


def class_of_method(function: Function) -> str:
    """The class of a method; "" for any other function."""
    return function.owner[-1] if function.owner else ""


def names_implying_call(function: Function) -> Iterable[str]:
    """The names whose mention may call the function unsaid: its class, or the types that its operator takes."""
    if not may_be_called_implicitly(function):
        return ()
    if owner := class_of_method(function):
        return (owner,)
    words = {word for it in function.parameters for word in _IDENTIFIER.findall(it.type)}
    own = {name[1] for it in function.template or () if (name := _PARAMETER.search(it)) is not None}
    return words - own or words  # `template <class T> bool operator<(span<T> a, span<T> b)` is of spans


def call_site_of_launch(launch: Launch) -> CallSite:
    return CallSite(launch.kernel, launch.template, launch.arguments, launch.span.start)


def function_uses_in(placed: LocatedItem) -> Iterator[FunctionUse]:
    facts, called = placed.facts, dict[int, frozenset[CallSite]]()
    for function in facts.functions:
        for site in function.mentions.calls:
            yield FunctionUse(placed, function, site)
    for launch in facts.launching.launches:  # most are calls, too
        site, holder = call_site_of_launch(launch), enclosing_function(facts, launch.span.start)
        if holder is not None and holder.body.start not in called:
            called[holder.body.start] = frozenset(holder.mentions.calls)
        if holder is None or site not in called[holder.body.start]:
            yield FunctionUse(placed, holder, site)
    for site in facts.mentions:
        yield FunctionUse(placed, enclosing_function(facts, site.start), site)


def enclosing_function(facts: ItemFacts, offset: int) -> Function | None:
    """The innermost function whose body holds `offset`."""
    return _innermost_around(facts.functions, offset)


@dataclass(frozen=True, slots=True)
class CompiledText:
    """A function's text: what all of it stands under, and its passages that stand under more. It does not hold the
    function, beside which it may be kept."""

    body: Span
    conditions: Conditions
    passages: tuple[ConditionalRegion, ...]


def conditionally_compiled_texts(facts: ItemFacts) -> Sequence[CompiledText]:
    """Of each function, under what it is compiled: what stands under some of the same conditions is, if that is.

    Empty where a macro that is defined on the way may make a condition say something else.
    """
    return facts.remembered_answers.ask("compiled", lambda: _find_compiled_texts(facts))


def _find_compiled_texts(facts: ItemFacts) -> Sequence[CompiledText]:
    if facts.directives.macro_changes or facts.directives.macros or any(it.kind == "macro" for it in facts.definitions):
        return ()
    each = ((it, tuple(passage for passage in it.flow.passages if passage.conditions)) for it in facts.functions)
    return [CompiledText(it.body, it.conditions, passages) for it, passages in each]


def conditions_at(known: Sequence[CompiledText], offset: int) -> Sequence[Conditions]:
    """Under what the text at `offset` is compiled."""
    inner = _innermost_around(known, offset)
    if inner is None:
        return ()
    return (inner.conditions, *(it.conditions for it in inner.passages if it.span.start <= offset < it.span.end))


_Text = TypeVar("_Text", Function, CompiledText)


def _innermost_around(each: Iterable[_Text], offset: int) -> _Text | None:
    around = [it for it in each if it.body.start <= offset < it.body.end]
    return max(around, key=lambda it: it.body.start, default=None)


def names_of_item(facts: ItemFacts) -> ItemNames:
    """The names under which `gather_symbols` has what the item says."""
    functions = facts.functions
    unsaid = {name for function in functions for name in names_implying_call(function)}
    naming = frozenset[str]().union(*[function.mentions.names for function in functions])
    called = [site.name for function in functions for site in function.mentions.calls]
    used = {*called, *[it.kernel for it in facts.launching.launches], *[it.name for it in facts.mentions]}
    return ItemNames(
        definitions=_unique_names([it.name for it in facts.definitions]),
        types=_unique_names([it.name for it in facts.types if it.scope is None]),
        functions=_unique_names([it.name for it in functions if not it.in_place]),
        unsaid=tuple(sorted(unsaid)),
        prototypes=_unique_names([it.name for it in facts.prototypes]),
        announced=_unique_names([it.site.name for it in facts.announced]),
        macros=_unique_names([it.name for it in facts.directives.macros]),
        defines=_unique_names([it.name for it in facts.definitions if it.kind == "macro"]),
        kernels=_unique_names([it.name for it in functions if it.kernel]),
        undefined=_changed_macro_names(facts),
        directives=_deciding_directives(facts.directives),
        uses=join_names_into_lines({it.rsplit("::", 1)[-1] for it in used}),
        naming=join_names_into_lines(naming),
        held=join_names_into_lines({it.holder.last for it in facts.launching.held}),
        memory=_memory_mentions(facts),
        opened=facts.opened,
        matters=bears_on_others(facts),
        speaks=concerns_kernels(facts),
    )


def _memory_mentions(facts: ItemFacts) -> SharedMemoryMentions:
    found = SharedMemoryMentions(bool(facts.arrays), has_dynamic_shared_arrays(facts), _uses_tensor_memory(facts))
    return found if found != _NO_MEMORY else _NO_MEMORY  # most items: one for all of them


def _deciding_directives(said: DirectiveFacts) -> DirectiveFacts:
    return DirectiveFacts(includes=said.includes, branches=said.branches) if said != NO_DIRECTIVES else said


def bears_on_others(facts: ItemFacts) -> bool:
    """Whether other items can depend on it."""
    return bool(
        facts.definitions
        or facts.types
        or facts.directives.macros
        or facts.arrays
        or facts.directives.macro_changes
        or facts.lends
        or facts.launching.launches
        or facts.prototypes
        or facts.announced
        or facts.mentions
        or facts.functions
    )


def concerns_kernels(facts: ItemFacts) -> bool:
    return bool(
        facts.launching.launches
        or facts.launching.handings
        or facts.launching.by_macros
        or facts.launching.opt_ins
        or facts.launching.carve_outs
        or facts.launching.unread_launches
        or facts.unread_kernels
        or facts.made
        or facts.comments
        or facts.defect
        or any(function.kernel for function in facts.functions)
    )


def _changed_macro_names(facts: ItemFacts) -> tuple[str, ...]:
    return _unique_names([it.name for it in facts.directives.macro_changes])


def _uses_tensor_memory(facts: ItemFacts) -> bool:
    texts = [*[it.body for it in facts.directives.macros], *[it.type for it in facts.definitions if it.kind == "macro"]]
    return any(it.memory.tensor_memory for it in facts.functions) or any(TENSOR_MEMORY in it for it in texts)


def _unique_names(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names)) if names else ()  # most items bear none in most senses


def join_names_into_lines(names: Set[str]) -> str:
    """A line break stands before each and behind it; of none there is one."""
    return "\n".join(["", *sorted(names), ""]) if names else "\n"


def is_subsequence_of_path(path: Sequence[str], names: Sequence[str]) -> bool:
    """Whether the names are some of the path, in its order: `a::b` of what stands in `a::v1::b`, v1 being inline."""
    rest = iter(path)
    return all(name in rest for name in names)
