"""What the names of one file mean: its own definitions and those of the headers it includes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import chain, compress
from operator import is_not
from typing import Any, TypeVar, cast

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.once import Once
from occupancy_lsp.core.query import Queries, remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.opencl_kernel_objects import kernel_of_object
from occupancy_lsp.source.dataflow.variable_uses import is_pure_arithmetic, may_alter_argument
from occupancy_lsp.source.lex.dialect import GROUP_MEMORY, PADDED, PADDED_TYPES, Dialect
from occupancy_lsp.source.lower.header_symbols import SENSES, ItemRun
from occupancy_lsp.source.lower.item_facts import (
    AbsentHeader,
    Conditions,
    Definition,
    Function,
    FunctionMacro,
    HeldKernelObject,
    KernelDeclaration,
    LocalArray,
    MacroChange,
    ObjectExpression,
    Parameter,
    Prototype,
    TypeDefinition,
)
from occupancy_lsp.source.lower.symbol_table import (
    Defined,
    FoundDefinition,
    FunctionUse,
    LocatedItem,
    SymbolTable,
    dynamic_shared_arrays,
    is_subsequence_of_path,
)
from occupancy_lsp.source.sema import macro_uses
from occupancy_lsp.source.sema.macro_history import (
    Directive,
    Meanings,
    Position,
    defining_meanings,
    directives_about,
    meanings_at,
)
from occupancy_lsp.source.sema.preprocessor_conditions import conditions_hold, is_defined
from occupancy_lsp.source.syntax.expression_nodes import AfterCall
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.known_value import Place

_T = TypeVar("_T")
_K = TypeVar("_K")
_Rows = Mapping[Any, object]
_WORD = regex(r"\w+")
_EVERY = None  # all names of a table
_FEW_WANTED = 8  # names that a joined table is made of
_MEANINGS = ("definitions", "types", "functions", "prototypes", "macros")  # in which a name is read
_HELD = ("held", _EVERY)  # which objects hold which kernels
_NO_NAMES = frozenset[str]()
_BORNE = ("borne", _EVERY)  # which names functions bear
_ABSENT = ("absent", _EVERY)  # which headers are not in sight
# Macros of compilers, systems, toolkits and generated headers, which no file of the workspace need define.
_OTHERS = regex(
    r"_|cl_|CL_|HAVE_|(?:CUDA|CUDART|CUDNN|CUBLAS|CUB|CUTE|CUTLASS|THRUST|NCCL|NVRTC|HIP|ROCM?|MPI|OPENMP|OPENCL|BOOST|FLT|DBL|LDBL|SIZE|M"
    r"|WIN32|WIN64|WINAPI|UNICODE|NAN|INFINITY|RAND|PATH|EOF|NULL|FE|TARGET|APPLE|linux|unix|DEBUG|NDEBUG)(?:_|\d|\Z|RT)"
    r"|(?:[SU]?CHAR|U?SHRT|U?INT|U?LL?ONG)(?:\Z|(?:_FAST|_LEAST)?\d*_(?:MIN|MAX|BIT|WIDTH|C)\Z)"
)
# Inputs that are noted by who reads a sense of a name: such a word, with the name.
_VALUE = "value"  # the variables, constants and macros without parameters that bear the name
_TYPE = "type"  # the types that bear the name
_FUNCTION = "function"  # the functions that bear the name, or are called by it unsaid
_KERNEL_DECLARATION = "announced"  # the declarations of kernels of the name that have attributes
_FUNCTION_EXISTENCE = "borne"  # whether there are such functions
_MACRO = "macro"  # the macros with parameters that bear the name, and whether it is undefined somewhere
_USE = "used"  # where the name is used, whatever it means
_MENTIONING_FUNCTIONS = "named"  # which functions name it


@dataclass(slots=True, eq=False)
class Environment:
    """The file-level names of one translation unit, and what was worked out of them."""

    dialect: Dialect
    macros: Mapping[str, int]  # set from outside, such as __CUDA_ARCH__ for a device
    own: SymbolTable
    outer: SymbolTable  # of the headers
    settable: frozenset[str] | None = None  # the macros that the build may define besides; None: any
    given: frozenset[str] = frozenset()  # the macros that hosts or builds may give; "": one that is not known
    commanded: bool = False  # the command that compiles the file is known, so that nothing else may define macros
    absent: frozenset[AbsentHeader] = frozenset()  # the headers that are not in sight
    overrides: Mapping[Place, int] = field(default_factory=dict)
    queries: Queries = field(default_factory=Queries)
    wanted: dict[str, set[str]] = field(default_factory=dict)  # of each joined table, the names that were asked for
    reading: str = ""  # tells what is remembered in another reading of the names: by the host's pass, or in any build
    in_host_pass: bool = False
    hosts: Environment | None = None  # the same names in the pass for the host, where they may mean something else
    _derived: dict[str, Environment] = field(default_factory=dict)  # other readings of the same names

    def with_host_pass_added(self) -> Environment:
        """The same, whose host code is compiled in a pass of its own, in which no device's macros are defined.

        Both passes share what they remember, under keys of their own.
        """
        host = replace(self, reading="host", in_host_pass=True, hosts=None, wanted={}, _derived={})
        return replace(self, hosts=host, _derived={})

    def with_any_macro_definable(self) -> Environment:
        """The same where a build may define any macro."""
        reading = f"{self.reading} in any build"
        if reading not in self._derived:
            self._derived[reading] = replace(self, reading=reading, settable=None, hosts=None, wanted={}, _derived={})
        return self._derived[reading]

    def with_build_macros_and_headers(self, settable: frozenset[str] | None, outer: SymbolTable) -> Environment:
        """The same where a build may define these macros alone, and headers say no more than this."""
        return replace(self, reading="alone", settable=settable, outer=outer, hosts=None, wanted={}, _derived={})

    @property
    def builtin_type_family(self) -> str:
        """Whose types are built in: the dialect's, as the device lays them out."""
        own = self.dialect.grammar.builtins
        return PADDED_TYPES.get(own, own) if self.group_memory_layout == PADDED else own

    @property
    def may_miss_headers(self) -> bool:
        """Whether a header that may count is not in sight."""
        self.queries.note(_ABSENT)
        return any(self.holds(conditions, order) is not False for conditions, order in self.absent)

    @property
    def group_memory_layout(self) -> int | None:
        """How a shader's driver lays out the memory of a work-group: `SCALAR`, `PADDED`; None: it is not known."""
        return self.macros.get(GROUP_MEMORY)

    def with_group_memory_layout(self, layout: int) -> Environment:
        """The same where the driver lays it out so."""
        reading, macros = f"{self.reading} layout {layout}", {**self.macros, GROUP_MEMORY: layout}
        if reading not in self._derived:
            self._derived[reading] = replace(self, reading=reading, macros=macros, hosts=None, wanted={}, _derived={})
        return self._derived[reading]

    @property
    def host(self) -> Environment:
        """What names mean in host code."""
        return self.hosts or self

    @property
    def passes(self) -> Sequence[Environment]:
        """In which the file is compiled, the one for the host first."""
        return (self,) if self.hosts is None else (self.hosts, self)

    def passes_of_function(self, function: Function | None) -> Sequence[Environment]:
        """Those whose code of a function may run; None: of what stands in none."""
        if self.hosts is None or (function is not None and function.specifiers.space == "both"):
            return self.passes
        return (self,) if function is not None and function.specifiers.space == "device" else (self.hosts,)

    def instantiation_pass_of_function(self, holder: Function | None) -> Environment:
        """Return the pass in which the code of a function makes instances; None: of what stands in none."""
        return self.host if holder is not None and holder.specifiers.space == "host" else self

    def predefined(self, name: str) -> int | None:
        """The value of a macro that the compiler defines in this pass before the first line; None: it is not known.

        Of one that only older compilers define the value that it has there: text that needs it is compiled by these.
        """
        if self.in_host_pass and self.dialect.is_device_pass_macro(name):
            return None
        return self.macros.get(name, self.dialect.predefined.macros.get(name))

    def is_predefined(self, name: str) -> bool | None:
        """Whether the compiler defines the macro in this pass before the first line; None: not known."""
        if self.dialect.is_older_compiler_macro(name) and not self.dialect.never_defines(name):
            return None
        if self.predefined(name) is not None:
            return True
        if self.in_host_pass and self.dialect.is_device_pass_macro(name):
            return False
        if name in self.dialect.predefined.marking:
            return True
        return False if self.dialect.never_defines(name) else None

    def set_file_symbols(self, own: SymbolTable, moved: Set[int]) -> None:
        """The file's own names are others. `moved`: the items that are others or stand elsewhere."""
        was = self.own
        for it in self._readings():
            it.own = own
        if own is not was or moved:
            self.queries.change({*_changed_inputs(was, own), *map(_item_text_input, moved)}, moved)

    def _readings(self) -> Iterator[Environment]:
        """This one, and all that were made of it and remember what they find with it."""
        yield self
        for it in (*self._derived.values(), *((self.hosts,) if self.hosts is not None else ())):
            yield from it._readings()

    def set_header_symbols(
        self, outer: SymbolTable, absent: frozenset[AbsentHeader], differing: Collection[ItemRun]
    ) -> None:
        """The headers are those of another unit. `differing`: what only one of both has, or has elsewhere."""
        for it in self._readings():
            it.outer, it.absent = outer, absent
        moved = {it.item for run in differing for it in run.items}
        self.queries.change({*_inputs_of_runs(differing), *map(_item_text_input, moved), _ABSENT}, moved)

    def transitive_property_holds(
        self,
        name: str,
        part: Callable[[Environment, str], _T],
        leads_to: Callable[[_T], Iterable[str]],
        join: Callable[[Mapping[str, _T]], Mapping[str, bool]],
        keys: Collection[str],
    ) -> bool:
        """Whether what `join` makes of what `part` says of functions' names holds of one of the keys.

        It is made of the names that were asked for and all to which these lead: in headers they are few of many. It is
        made again where others are asked for, so who has several asks for them together; after a few times, of all that
        the file's own functions may ask for. After an edit, `part` is asked again of the names only of which it may say
        something else.
        """

        def compute_all_entries() -> Mapping[str, bool]:
            self.queries.note(_BORNE)
            self.queries.note(self._key(("wanted", name)))
            parts: dict[str, _T] = {}
            todo = [*wanted]
            while todo:
                it = todo.pop()
                if it not in parts and self._is_function(it):
                    parts[it] = self._cached_part_of_function(name, part, it)
                    todo += leads_to(parts[it])
            return {**dict.fromkeys(parts, False), **join(parts)}

        none: Mapping[str, bool] = {}

        def ask_entry(key: str) -> bool | None:
            return self._ask_table_entry(
                name, lambda: self.queries.ask(self._key((name, _EVERY)), compute_all_entries, none, firm=True), key
            )

        wanted = self.wanted.setdefault(name, set())
        said = {it: ask_entry(it) for it in keys}
        new = {it for it, told in said.items() if told is None and self._is_function(it)} - wanted
        if new and True not in said.values():
            wanted |= new if len(wanted) < _FEW_WANTED else new | self._functions_maybe_asked_for()
            self.queries.change([self._key(("wanted", name))])
            said |= {it: ask_entry(it) for it in new}
        return True in said.values()

    def _functions_maybe_asked_for(self) -> Set[str]:
        """The functions of the file, and those of headers that they name."""
        own = self.own.functions
        named = frozenset[str]().union(
            *(function.mentions.names for several in own.values() for _, function in several)
        )
        return own.keys() | (named & self.outer.functions.keys())

    def _is_function(self, name: str) -> bool:
        return name in self.own.functions or name in self.outer.functions

    def _cached_part_of_function(self, table: str, part: Callable[[Environment, str], _T], name: str) -> _T:
        said: _T | None = self.remember((f"{table} of", name), lambda: part(self, name), None)
        return cast(_T, said)

    def cached_table(
        self, name: str, make: Callable[[Environment], Mapping[_K, _T]], senses: tuple[str, ...]
    ) -> Mapping[_K, _T]:
        """What `make` gathers of all items by name. Who asks hangs on what it says, not on what it was made of.

        `senses`: the fields of `SymbolTable` that it is made of, or "plain macros" of its definitions, or "dynamic
        arrays": local memory that is sized at launch.
        """

        def make_entries() -> Mapping[_K, _T]:
            self.queries.note_each(map(_whole_sense_input, senses))
            return make(self)

        return self.queries.ask(self._key((name, _EVERY)), make_entries, {}, firm=True)

    def cached_table_entry(
        self, name: str, make: Callable[[Environment], Mapping[_K, _T]], senses: tuple[str, ...], key: _K
    ) -> _T | None:
        """What such a table says of one name."""
        return self._ask_table_entry(name, lambda: self.cached_table(name, make, senses), key)

    def _ask_table_entry(self, name: str, rows: Callable[[], Mapping[_K, _T]], key: _K) -> _T | None:
        return self.queries.ask(self._key((name, _EVERY, key)), lambda: rows().get(key), None, firm=True)

    def definitions(self, name: str) -> list[FoundDefinition]:
        self.queries.note((_VALUE, name))
        return self._merged_in_order(
            self.outer.definitions.get(name), self.own.definitions.get(name), lambda it: it.placed
        )

    def types(self, name: str) -> list[tuple[LocatedItem, TypeDefinition]]:
        self.queries.note((_TYPE, name))
        return self._merged_in_order(self.outer.types.get(name), self.own.types.get(name), _located_item_of)

    def has_type(self, name: str) -> bool:
        """Whether a type bears the name, wherever it stands."""
        return self.remember(("has type", name), lambda: bool(self.types(name)), False)

    def rows_under_key(
        self, sense: str, name: str, key: Hashable, rows: Callable[[], Mapping[Hashable, Sequence[_T]]]
    ) -> Sequence[_T]:
        """Of what bears a name in a sense, what `rows` have under the key."""

        none: Mapping[Hashable, Sequence[_T]] = {}

        def symbols_of_key() -> Sequence[_T]:
            return self.queries.ask(self._key((f"{sense} by place", name)), rows, none).get(key, ())

        return self.queries.ask(self._key((f"{sense} at", name, key)), symbols_of_key, (), firm=True)

    def functions(self, name: str) -> Sequence[tuple[LocatedItem, Function]]:
        """Those of that name that may hold."""
        return self.remember(("functions", name), lambda: self._functions(name), ())

    def has_function(self, name: str) -> bool:
        """Whether a function of that name may hold, whatever it says."""
        return self.remember(("has function", name), lambda: bool(self.functions(name)), False)

    def functions_callable_on_device(self, name: str) -> Sequence[tuple[LocatedItem, Function]]:
        """Those of that name that code on a device may call."""
        if self.dialect.device_only:
            return self.functions(name)
        return self.remember(("called", name), lambda: self._find_callable_on_device(name), ())

    def may_be_called_on_device(self, name: str) -> bool:
        """Whether there are any, whatever they say."""
        return self.remember(("is called", name), lambda: bool(self.functions_callable_on_device(name)), False)

    def _find_callable_on_device(self, name: str) -> Sequence[tuple[LocatedItem, Function]]:
        """Where only those of hosts are in sight, the text is taken at its word: it calls one of them."""
        found = tuple(it for it in self.functions(name) if not it[1].kernel)
        on_device = tuple(it for it in found if not self.is_host_only(it[1]))
        return on_device or (() if self.dialect.local_memory.harmless.fullmatch(name) else found)

    def is_host_only(self, function: Function) -> bool:
        """Whether code on a device cannot call it: no declaration of it in sight says that it is for devices."""
        return function.specifiers.host_only and all(it.host_only for it in self.prototypes(function.name))

    def all_functions(self, name: str) -> Sequence[tuple[LocatedItem, Function]]:
        """Those of that name, whether they may hold or not."""
        self.queries.note(name)
        return self._merged_in_order(self.outer.functions.get(name), self.own.functions.get(name), _located_item_of)

    def _functions(self, name: str) -> Sequence[tuple[LocatedItem, Function]]:
        found = self._merged_in_order(self.outer.functions.get(name), self.own.functions.get(name), _located_item_of)
        return tuple(it for it in found if self.holds(it[0].conditions + it[1].conditions, it[0].order) is not False)

    def prototypes(self, name: str) -> list[Prototype]:
        self.queries.note(name)
        return self.outer.prototypes.get(name, []) + self.own.prototypes.get(name, [])

    def bodiless_kernel_declarations(self, name: str) -> list[tuple[LocatedItem, KernelDeclaration]]:
        """The kernels of that name that are declared without a body, or instantiated, with attributes."""
        self.queries.note((_KERNEL_DECLARATION, name))
        return self._merged_in_order(self.outer.announced.get(name), self.own.announced.get(name), _located_item_of)

    def function_macro_in_force(self, name: str, order: int, offset: int | None = None) -> FunctionMacro | str | None:
        """The macro with parameters in force; text: why that is not known; None: there is none."""
        found = self.possible_function_macros(name, order, offset)
        if not found:
            return None
        same = len({(macro.parameters, macro.body) for macro in found}) == 1
        return found[-1] if same else f"{name} has several definitions"

    def function_macros_among(self, names: Set[str]) -> set[str]:
        """Those of the names that macros with parameters bear."""
        self.queries.note_each((_MACRO, it) for it in names)
        return self._names_in_senses(names, "macros")

    def macros_containing_words(self, words: frozenset[str]) -> frozenset[str]:
        """The macros whose texts have one of the words."""

        def make_table(env: Environment) -> Mapping[str, bool]:
            tables = (env.own, env.outer)
            plain = ((name, it.type) for table in tables for name, it in table.object_like_macros())
            called = ((name, it.body) for table in tables for name, it in table.function_like_macros())
            each = (name for name, text in (*plain, *called) if not words.isdisjoint(_WORD.findall(text)))
            return dict.fromkeys(each, True)

        return frozenset(self.cached_table(f"macros with {sorted(words)}", make_table, ("macros", "plain macros")))

    def all_macros_among(self, names: Set[str]) -> frozenset[str]:
        """Those of the names that macros bear, with parameters or without."""
        self.queries.note_each((_MACRO, it) for it in names)
        self.queries.note_each((_VALUE, it) for it in names)
        borne = self._names_in_senses(names, "macros", "definitions")
        return frozenset(it for it in borne if any(each.defines for each in self.macro_history(it)))

    def possible_function_macros(self, name: str, order: int, offset: int | None = None) -> list[FunctionMacro]:
        """The macros with parameters that may be in force. `offset` None: anywhere in the item."""
        if not self._is_function_macro(name):
            return []
        at = self._positions_of_meaning_changes(name, order) if offset is None else ((order, offset),)
        found = dict.fromkeys(it.said for place in at for it in defining_meanings(self.in_force(name, place)))
        return [it for it in found if isinstance(it, FunctionMacro)]

    def _is_function_macro(self, name: str) -> bool:
        self.queries.note((_MACRO, name))
        return name in self.own.macros or name in self.outer.macros

    def _positions_of_meaning_changes(self, name: str, order: int) -> Sequence[Position]:
        """Where a macro of that name may mean something else: where an item begins, and behind each directive in it."""
        inside = (it.said.start + 1 for it in self.macro_history(name) if it.placed.order == order)
        return [(order, 0), *((order, start) for start in inside)]

    def in_force(self, name: str, at: Position, but: str = "") -> Meanings:
        """What a macro's name may mean at that place. `but`: without what stands under this condition."""
        return meanings_at(self, name, at, but)

    def macro_history(self, name: str) -> Sequence[Directive]:
        """All directives about a macro of that name, in order."""
        none: Sequence[Directive] = ()
        return self.remember(("macro history", name), lambda: directives_about(self, name), none)

    def function_macros_of(self, name: str) -> Sequence[tuple[LocatedItem, FunctionMacro]]:
        """The macros with parameters of that name, in force or not, in order."""
        self.queries.note((_MACRO, name))
        return self._merged_in_order(self.outer.macros.get(name), self.own.macros.get(name), _located_item_of)

    def macro_changes(self, name: str) -> Sequence[tuple[LocatedItem, MacroChange]]:
        """Each `#undef` of a macro of that name, and what keeps it and brings it back, in order."""
        self.queries.note((_MACRO, name))
        return self._merged_in_order(self.outer.undefined.get(name), self.own.undefined.get(name), _located_item_of)

    def all_object_like_macros(self) -> Iterator[tuple[str, Definition]]:
        """All without parameters, in force or not, for a table."""
        return chain(self.outer.object_like_macros(), self.own.object_like_macros())

    def all_function_like_macros(self) -> Iterator[tuple[str, FunctionMacro]]:
        """All with parameters, in force or not, for a table."""
        return chain(self.outer.function_like_macros(), self.own.function_like_macros())

    def all_function_macros_named(self, name: str) -> list[FunctionMacro]:
        """The macros with parameters of that name, in force or not."""
        self.queries.note((_MACRO, name))
        return [macro for names in (self.outer, self.own) for _, macro in names.macros.get(name, ())]

    def macro_texts(self, names: Set[str]) -> Iterator[str]:
        """What macros of these names stand for, in whichever of their definitions."""
        self.queries.note_each((_MACRO, it) for it in names)
        self.queries.note_each((_VALUE, it) for it in names)
        for table in (self.outer, self.own):
            yield from (it.body for name in names & table.macros.keys() for _, it in table.macros[name])
            defined = (it.definition for name in names & table.definitions.keys() for it in table.definitions[name])
            yield from (it.type for it in defined if it.kind == "macro")

    def function_body_pieces(self, placed: LocatedItem, function: Function) -> Sequence[tuple[bytes, Conditions]]:
        """The body of a function, in pieces; none where it is not short enough to be worked out."""
        self.queries.note(body_text_input(placed.slot))
        return function.texts.shown

    def uses(self, name: str) -> list[FunctionUse]:
        self.queries.note((_USE, name))
        return self._merged_in_order(self.outer.uses.get(name), self.own.uses.get(name), lambda it: it.placed)

    def uses_beside(self, name: str, words: Set[str]) -> list[FunctionUse]:
        """The same, but for those in items that surely have none of the words."""
        self.queries.note((_USE, name))
        outer, own = self.outer.uses_beside(name, words), self.own.uses_beside(name, words)
        return self._merged_in_order(outer, own, lambda it: it.placed)

    def naming(self, name: str) -> Iterator[Function]:
        """The functions of other names that name it."""
        self.queries.note((_MENTIONING_FUNCTIONS, name))
        return chain(self.outer.naming(name), self.own.naming(name))

    def every_function_named(self, name: str) -> Iterator[Defined]:
        """Every function of that name, whether it holds or not."""
        self.queries.note((_FUNCTION, name))
        return chain(
            self._filter_surely_counted(self.outer.functions.get(name, []), _located_item_of),
            self.own.functions.get(name, ()),
        )

    def implicit_callees_of_name(self, name: str) -> Iterator[Defined]:
        """The functions that are called where the name stands, though no call of them shows."""
        self.queries.note((_FUNCTION, name))
        return chain(
            self._filter_surely_counted(self.outer.unsaid.get(name, []), _located_item_of),
            self.own.unsaid.get(name, ()),
        )

    def function_names_among(self, names: Set[str]) -> set[str]:
        """Those of the names that functions bear, or that call some unsaid."""
        self.queries.note_each((_FUNCTION_EXISTENCE, it) for it in names)
        return self._names_in_senses(names, "functions", "unsaid")

    def value_names_among(self, names: Set[str]) -> set[str]:
        """Those of the names that definitions or types bear. What headers say of them is not read for it."""
        self.queries.note_each((_VALUE, it) for it in names)
        self.queries.note_each((_TYPE, it) for it in names)
        return self._names_in_senses(names, "definitions", "types")

    def _names_in_senses(self, names: Set[str], *senses: str) -> set[str]:
        """Those of the names that are borne in one of these senses."""
        return set().union(*(names & getattr(it, sense).keys() for it in (self.outer, self.own) for sense in senses))

    def arrays_among(self, item: int, names: frozenset[str]) -> Sequence[tuple[LocatedItem, LocalArray]]:
        """The `__shared__` variables outside of functions that bear one of the names. `item`: where those stand."""

        def find_named_arrays() -> Sequence[tuple[LocatedItem, LocalArray]]:
            self.queries.note(_whole_sense_input("arrays"))
            outer = self._filter_surely_counted(self.outer.arrays, _located_item_of)
            return tuple(it for it in (*outer, *self.own.arrays) if it[1].field.name in names)

        return self.remember(("arrays", item, names), find_named_arrays, ())

    def all_file_level_arrays(self) -> Sequence[tuple[LocatedItem, LocalArray]]:
        """Variables in local memory that stand outside of functions, in their order."""
        self.queries.note(_whole_sense_input("arrays"))
        return (*self._filter_surely_counted(self.outer.arrays, _located_item_of), *self.own.arrays)

    def dynamic_arrays(self) -> Iterator[tuple[LocatedItem, LocalArray]]:
        """What is sized at launch, in functions and outside of them, for tables that are made of it."""
        holding = chain(self._filter_surely_counted(self.outer.dynamic, lambda it: it), self.own.dynamic)
        return ((it, array) for it in holding for array in dynamic_shared_arrays(it.facts))

    def has_array(self, names: Set[str]) -> bool:
        """Whether some such variable bears one of the names."""
        self.queries.note(_whole_sense_input("arrays"))
        return any(it.field.name in names for each in (self.outer, self.own) for _, it in each.arrays)

    def kernel_of_object_at(self, placed: LocatedItem, holder: ObjectExpression) -> str:
        """The kernel of OpenCL's object that is used there; "" where that is not known."""
        self.queries.note(_HELD)

        def held_objects_named(name: str) -> Sequence[tuple[LocatedItem, HeldKernelObject]]:
            return self._merged_in_order(self.outer.held.get(name), self.own.held.get(name), _located_item_of)

        return kernel_of_object(held_objects_named, placed, holder, lambda name: bool(self.definitions(name)))

    def items_defining(self, name: str) -> Iterator[LocatedItem]:
        """The items of this file that define `name` in any of its senses."""
        yield from (f.placed for f in self.own.definitions.get(name, ()))
        yield from (placed for placed, _ in self.own.types.get(name, ()))
        yield from (placed for placed, _ in self.own.functions.get(name, ()))

    def holds(self, conditions: Conditions, order: int) -> bool | None:
        """Whether all of `conditions` hold; None: not known."""
        return conditions_hold(self, conditions, order) if conditions else True

    def is_defined(self, name: str, order: int, but: str = "") -> bool | None:
        """Whether a macro of that name is; None: not known."""
        return is_defined(self, name, order, but)

    def first_undecided_condition(self, conditions: Conditions, order: int) -> str:
        """The first that is not decided, as it stands in the text."""
        texts = (text for text, _ in conditions if self.holds(((text, True),), order) is None)
        return next(texts, "")

    def remember(self, key: tuple[object, ...], compute: Callable[[], _T], circular: _T) -> _T:
        """What `compute` answers; `circular` where it asks for itself. See `Queries.ask`.

        Second in the key is what is asked about: an item, by its number, or a name.
        """
        return self.queries.ask(self._key(key) if self.reading else key, compute, circular)

    def _key(self, key: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
        """Of an answer or input of this reading alone."""
        return ((self.reading, key[0]), *key[1:]) if self.reading else key

    def remember_by_content(
        self, key: tuple[object, ...], compute: Callable[[], _T], circular: _T, *about: int | str
    ) -> _T:
        """Of a text in some items, or about some names, by a key that has all of what these say that matters to it."""
        return self.queries.ask(self._key(key) if self.reading else key, compute, circular, through=about)

    def depend_on_item_text(self, item: int) -> None:
        """What is being worked out hangs on more of the item than the names in it mean where they stand."""
        self.queries.note(_item_text_input(item))

    def callee_leaves_argument(self, given: AfterCall, order: int) -> bool:
        """Whether every function in sight that may be meant takes the argument by value, or its macro only reads it."""
        label = given.callee.removeprefix(".").rsplit("::", 1)[-1]
        key = ("changes nothing", given.callee, given.index, order)
        return self.remember(key, lambda: self._leaves_argument_unchanged(label, given, order), False)

    def _leaves_argument_unchanged(self, label: str, given: AfterCall, order: int) -> bool:
        forms = self.possible_function_macros(label, order)
        if forms:
            return all(
                is_pure_arithmetic(parse(it.body.encode())) or self._macro_leaves_argument_unchanged(it, given, order)
                for it in forms
            )
        parameters = self._parameters_of_callees(given.callee, label)
        return bool(parameters) and not any(may_alter_argument(it, given.index) for it in parameters)

    def _parameters_of_callees(self, callee: str, label: str) -> Sequence[Sequence[Parameter]]:
        """Of a method, those of methods; of a qualified name, those of functions that are there: another of that name
        says nothing of one of a library out of sight. Prototypes are at file level, in a namespace that is not told."""
        functions = self.functions(label)
        if callee.startswith("."):
            return [it.parameters for _, it in functions if it.owner]
        qualifiers = [it for it in callee.split("::")[:-1] if it]
        if qualifiers:
            return [
                it.parameters
                for placed, it in functions
                if is_subsequence_of_path(placed.scope_path(it.owner), qualifiers)
            ]
        return [*(it.parameters for it in self.prototypes(label)), *(it.parameters for _, it in functions)]

    def _macro_leaves_argument_unchanged(self, macro: FunctionMacro, given: AfterCall, order: int) -> bool:
        key = ("keeps", macro, given.index, order)
        return self.remember(key, lambda: macro_uses.leaves_argument_unchanged(macro, given.index, self, order), False)

    def may_be_defined_by_build(self, name: str) -> bool:
        """Whether the build, the host, the compiler or a library may define the macro."""
        if self.settable is None or name in self.settable:
            return True
        return bool(_OTHERS.match(name) or self.dialect.predefined.own.match(name))

    def may_be_overridden(self, name: str) -> bool:
        """Return whether a host or the build may give the macro another value than the text has as a default."""
        return not self.given.isdisjoint((name, "")) or (
            self.dialect.is_program_fragment and self.may_be_defined_by_build(name)
        )

    def _merged_in_order(
        self, outer: list[_T] | None, own: list[_T] | None, place: Callable[[_T], LocatedItem]
    ) -> list[_T]:
        if outer and self.outer.again:
            outer = self._filter_surely_counted(outer, place)
        if not outer or not own:
            return own or outer or []
        return sorted(outer + own, key=lambda it: place(it).order)

    def _filter_surely_counted(self, found: list[_T], place: Callable[[_T], LocatedItem]) -> list[_T]:
        """Without what does not surely count where its header is included again."""
        if not self.outer.again:
            return found
        return [it for it in found if not (unless := place(it).unless) or self.none_of_conditions_hold(unless)]

    def none_of_conditions_hold(self, each: Iterable[tuple[Conditions, int]]) -> bool:
        """Whether this is known of conditions, each with its order."""
        return all(self.holds(conditions, order) is False for conditions, order in each)

    def with_file_symbols(self, own: SymbolTable) -> Environment:
        """Of a file whose own names are others, about which somebody asks but once."""
        return self._copy_with(own, self.overrides)

    def with_overrides(self, overrides: Mapping[Place, int]) -> Environment:
        """The same names with other numbers at some places: what an edit would make of the file."""
        return self._copy_with(self.own, overrides)

    def with_queries(self, queries: Queries) -> Environment:
        """The same names, where nothing is known yet."""
        return self._copy_with(self.own, self.overrides, queries)

    def _copy_with(
        self, own: SymbolTable, overrides: Mapping[Place, int], queries: Queries | None = None
    ) -> Environment:
        made = replace(
            self,
            own=own,
            overrides=overrides,
            queries=Once() if queries is None else queries,
            wanted={},
            hosts=None,
            _derived={},
        )
        return made if self.hosts is None else made.with_host_pass_added()


def _located_item_of(found: tuple[LocatedItem, object]) -> LocatedItem:
    return found[0]


@remembered(1)
def _changed_inputs(was: SymbolTable, now: SymbolTable) -> Set[object]:
    """The inputs that say something else; a file's names are the same in all units that it is part of."""
    names = {
        it: _differing_keys(getattr(was, it), getattr(now, it))
        for it in (*_MEANINGS, "unsaid", "announced", "uses", "undefined")
    }
    names["macros"] = frozenset(
        it for it in names["macros"] if _function_macros_with_place(was, it) != _function_macros_with_place(now, it)
    )
    others = _inputs_of_names(names)
    defines = any(_is_object_like_macro(it, was) or _is_object_like_macro(it, now) for it in names["definitions"])
    others |= {_whole_sense_input("plain macros")} if defines else set()
    others |= {
        (_FUNCTION_EXISTENCE, it)
        for it in names["functions"] | names["unsaid"]
        if _names_function(it, was) is not _names_function(it, now)
    }
    others |= {(_MENTIONING_FUNCTIONS, it) for it in _names_used_by(names["functions"], was.functions, now.functions)}
    others |= {_whole_sense_input("arrays")} if was.arrays != now.arrays else set()
    others |= {_whole_sense_input("dynamic arrays")} if was.dynamic != now.dynamic else set()
    others |= {_HELD} if was.held != now.held else set()
    others |= {_BORNE} if was.functions.keys() != now.functions.keys() else set()
    return others


def _inputs_of_runs(runs: Collection[ItemRun]) -> Set[object]:
    """The inputs that say something of what runs of headers' items bear or name."""
    names = {sense: _NO_NAMES.union(*(it.item_indices_by_name.get(sense, ()) for it in runs)) for sense in SENSES}
    names["uses"] = _NO_NAMES.union(*(it.uses.text.split("\n") for it in runs))
    found = _inputs_of_names(names)
    found |= {(_FUNCTION_EXISTENCE, it) for it in names["functions"] | names["unsaid"]}
    found |= {(_MENTIONING_FUNCTIONS, it) for it in _NO_NAMES.union(*(it.naming.text.split("\n") for it in runs))}
    found |= {_whole_sense_input("plain macros")} if names["definitions"] else set()
    found |= {_whole_sense_input("arrays")} if any(it.items_with_arrays for it in runs) else set()
    found |= {_whole_sense_input("dynamic arrays")} if any(it.items_with_dynamic_memory for it in runs) else set()
    found |= {_HELD} if any(it.held.text for it in runs) else set()
    found |= {_BORNE} if names["functions"] else set()
    return found


def _inputs_of_names(names: Mapping[str, frozenset[str]]) -> set[object]:
    """The inputs that say something of these names, each in one of the senses of `SymbolTable`."""
    undefined, functions = names["undefined"], names["functions"] | names["unsaid"]
    found: set[object] = {_whole_sense_input(it) for it in _MEANINGS if names[it]}
    found |= undefined.union(*(names[it] for it in _MEANINGS))
    found |= {(_VALUE, it) for it in names["definitions"]}
    found |= {(_TYPE, it) for it in names["types"]}
    found |= {(_MACRO, it) for it in names["macros"] | undefined}
    found |= {(_FUNCTION, it) for it in functions}
    found |= {(_KERNEL_DECLARATION, it) for it in names["announced"]}
    found |= {(_USE, it) for it in names["uses"]}
    return found


def _is_object_like_macro(name: str, among: SymbolTable) -> bool:
    """Whether one without parameters bears the name."""
    return any(it.definition.kind == "macro" for it in among.definitions.get(name, ()))


def _names_function(name: str, among: SymbolTable) -> bool:
    """Whether functions bear the name, or are called by it unsaid."""
    return name in among.functions or name in among.unsaid


def _function_macros_with_place(names: SymbolTable, macro: str) -> Sequence[tuple[int, Conditions, FunctionMacro]]:
    """All that is asked of one: not what else stands in its item."""
    return [(placed.order, placed.conditions, it) for placed, it in names.macros.get(macro, ())]


def _differing_keys(before: _Rows, now: _Rows) -> frozenset[Any]:
    if before is now:
        return frozenset()
    others = [*compress(now, map(is_not, map(before.get, now), now.values()))]
    return frozenset((*(it for it in others if before.get(it) != now[it]), *(before.keys() - now.keys())))


def _names_used_by(names: Iterable[str], *each: Mapping[str, list[Defined]]) -> frozenset[str]:
    """What the functions of these names name, but for their own."""
    either = (function for it in each for name in names for _, function in it.get(name, ()))
    return frozenset[str]().union(*(function.mentions.names - {function.name} for function in either))


def _whole_sense_input(sense: str) -> tuple[str, str]:
    """All names of one of the fields of `SymbolTable`."""
    return "whole", sense


def body_text_input(slot: int) -> tuple[str, int]:
    """The bodies of functions in the item that stands in a slot, as texts."""
    return "shown", slot


def _item_text_input(item: int) -> tuple[str, int]:
    """All that the item says."""
    return "text", item
