"""The facts of one file, kept in step with its edits: only what an edit can have changed is read again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, compress, count
from operator import is_

from occupancy_lsp.core.defects import attempt
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.steps import Steps
from occupancy_lsp.source.dataflow.preprocessed_text import ProgramText, may_source_text_run, preprocess_text
from occupancy_lsp.source.incremental.active_text import active_text
from occupancy_lsp.source.incremental.file_in_units import OwnFacts, ReadingSettings, UnitContextState
from occupancy_lsp.source.incremental.file_summary import FileSummary, empty_tuples
from occupancy_lsp.source.incremental.item_index import ItemIndex
from occupancy_lsp.source.incremental.item_resolution import common_to_units, resolve_item, resolve_launches
from occupancy_lsp.source.incremental.kernel_text import FileFacts, KernelText
from occupancy_lsp.source.incremental.number_dependents import NumberDependents
from occupancy_lsp.source.incremental.similar_units import resolve_in_similar_units
from occupancy_lsp.source.incremental.unread_item import UnreadItem, names_by_heads, read_or_defect
from occupancy_lsp.source.kernels.equivalent_items import UnchangedItem, unchanged_item
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.latency_hiding_techniques import Technique, latency_hiding_techniques
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.kernels.literals_and_names_in_code import (
    code_by_function,
    code_of_kernel,
    extent_literals,
    heads_and_bodies_of_callees,
    literals_in_kernel,
    literals_in_texts,
    may_use_local_index,
    names_in_kernel,
    occurrences_in_items,
    uses_only_global_index,
    without_comments,
)
from occupancy_lsp.source.kernels.moves_within_item import Moves
from occupancy_lsp.source.kernels.setmaxnreg import (
    Helpers,
    RegisterHelper,
    RequestedRegisters,
    macros_changing_registers,
    may_reallocate_registers,
    names_surely_changing_registers,
    parse_register_helper,
    requested_registers,
)
from occupancy_lsp.source.kernels.tensor_memory import WORDS as ALLOCATING
from occupancy_lsp.source.kernels.tensor_memory import Columns, FunctionCode, tensor_columns_allocated
from occupancy_lsp.source.lex.dialect import LONGEST_OF_ONE_PASS, Dialect, host_and_device_passes_differ
from occupancy_lsp.source.lex.item_list import Item, ItemList
from occupancy_lsp.source.lex.top_level_scanner import skip_trivia
from occupancy_lsp.source.lower.execution_space import may_be_device_function
from occupancy_lsp.source.lower.item_facts import Conditions, FunctionMacro, ItemFacts
from occupancy_lsp.source.lower.symbol_table import ItemNames, LazyFacts, LocatedItem, facts_of
from occupancy_lsp.source.sema.kernel_code_hash import ContentHashes
from occupancy_lsp.source.sema.macro_uses import macros_at
from occupancy_lsp.source.sema.translation_unit import NOTHING, IncludePoint, UnitContext
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.expression_nodes import Number
from occupancy_lsp.source.syntax.expression_parser import parse_if_unparsed
from occupancy_lsp.source.syntax.known_value import Place

_MOST_FOLLOWED = 50_000  # bytes of a program whose host code is followed: that is done again at each key
_NAME = regex(rb"[A-Za-z_]\w*")


class Source(KernelText):
    def __init__(self, content: bytes, dialect: Dialect, read: Sequence[LocatedItem] = ()) -> None:
        """`read`: all its items, where somebody else has read the same text."""
        self.dialect = dialect
        self._content = content
        self._read: dict[int, LocatedItem | ItemFacts | LazyFacts] = {}
        if read:
            self._read |= {item.id: it for item, it in zip(self._outline.items, read, strict=True)}
        self._placement = ItemIndex()
        self._contexts: list[UnitContextState] = []
        self._own = OwnFacts()
        self._as_read = OwnFacts()  # the same of items as their texts read, where some stay as they were
        self._reading: Sequence[Environment] = ()  # what names mean by those
        self._together: dict[tuple[Moves, ...], tuple[Moves, ...]] = {}  # by what equals it
        self._agreed: Sequence[object] = ()  # with what the items that stay as they were have been found to
        self._said = FileSummary()
        self._program_text: tuple[Environment, bytes, ProgramText] | None = None
        self._placed = False  # all that stands in it now
        self._fingerprints = ContentHashes(self._placement.text_of)

    @cached_property
    def _outline(self) -> ItemList:
        """Most headers say nothing of kernels: nobody asks for their items."""
        return ItemList(self._content, self.dialect.kernel)

    @cached_property
    def _passes_differ(self) -> bool:
        return host_and_device_passes_differ(self._content)

    def replace(self, content: bytes, start: int, old_end: int, new_end: int) -> None:
        """`content` is the file after its bytes from `start` to `old_end` became those up to `new_end`."""
        self._content, self._placed = content, False
        self._drop_environments_as_read()
        if "_outline" in vars(self):
            self._outline.replace(content, start, old_end, new_end)
        if "_passes_differ" in vars(self):
            came = content[max(start - LONGEST_OF_ONE_PASS, 0) : new_end + LONGEST_OF_ONE_PASS]
            self._passes_differ = host_and_device_passes_differ(content if self._passes_differ else came)
        if not self.edited:  # nothing tells what of it still holds
            self.close()
            self._contexts.clear()

    def close(self) -> None:
        self._drop_environments_as_read()
        for context in self._contexts:
            if context.env is not None:
                context.env.queries.close()

    def _drop_environments_as_read(self) -> None:
        for env in self._reading:
            env.queries.close()
        self._reading = ()

    def start_of(self, item: int) -> int:
        start = self.begin + self._outline.start_of(item)
        return start if start > 0 else 0

    def holds(self, place: Place) -> bool:
        """Whether the place is in this file, not in a header."""
        return place.item in self._outline

    def place_in_item_of_order(self, order: int, place: Place) -> Place:
        """The place in the item that stands in this order; of another reading of the same text."""
        at = bisect_left(self._placement.placed, order, key=lambda it: it.order)
        return Place(self._placement.placed[at].slot, place.start, place.end)

    def body_of(self, kernel: Kernel) -> Place:
        bodies = (it.body for it in self._located_item(kernel.item).facts.functions)
        end = next((it.end for it in bodies if it.start == kernel.body.start), kernel.body.end)
        return Place(kernel.item, kernel.body.start, end)

    def index_of(self, item: int) -> int:
        """How many items stand before it."""
        return self._outline.index_of(item)

    def index_at(self, offset: int) -> int:
        """Of the item that holds `offset`."""
        return self._outline.index_at(max(offset - self.begin, 0))

    def item_text(self, item: int) -> bytes:
        return self._outline.items[self._outline.index_of(item)].text

    def code_start(self, place: Place) -> int:
        """Where the code at `place` starts, past comments and white space, counted from the item's start."""
        return skip_trivia(self.item_text(place.item), place.start)

    def placed_items(self) -> tuple[LocatedItem, ...]:
        """Of every item, for a file that includes this one."""
        self._locate_items()
        return tuple(self._placement.items_as_read(self._placement.placed))

    def items(self) -> tuple[Item, ...]:
        return tuple(self._outline.items)

    def include_points(self) -> tuple[IncludePoint, ...]:
        """The #includes."""
        self._locate_items()
        return self._placement.points

    def facts(self, macros: Mapping[str, int], around: Sequence[UnitContext] = (NOTHING,)) -> FileFacts:
        """What the file proves with `macros` set from outside.

        `around`: the translation units that it is part of; facts are what all of them have in common.
        """
        while True:
            self._update_units(macros, around)
            units = self._units_that_may_include()
            if not self.edited:
                resolve_in_similar_units(units, self._placement)
            each = [it.resolved_items(self._placement) for it in units]
            others = [
                slot for slot, it in self._placement.still.items() if any(map(it.has_stale_readers, self._environments))
            ]
            if not others:
                break
            self._placement.refresh_items(others)
        speaking = self._placement.items_as_read(self._placement.speaking)
        return self._said.updated_facts(speaking, each, self.body_of, self._moves_by_item())

    def read_ahead(self) -> Iterator[None]:
        seen: set[tuple[str, bytes]] = set()
        for item in self._outline.items if not self._placement.placed else ():
            known, found = (item.kind, item.text), self._read.get(item.id)
            if isinstance(found, LocatedItem):  # kept from an earlier reading, and unpacked when it is first asked for
                facts_of(found.said)
                yield
            elif found is None and known not in seen:
                self._read[item.id] = _read_item_facts(item, self.dialect)
                seen.add(known)
                yield

    def facts_ahead(self, macros: Mapping[str, int], around: Sequence[UnitContext]) -> Iterator[None]:
        self._update_units(macros, around)
        yield
        for context in self._units_that_may_include():
            for _ in context.resolve_items_ahead(self._placement):
                yield

    def launches(self, macros: Mapping[str, int], around: Sequence[UnitContext]) -> tuple[KernelLaunch, ...]:
        """Those among `facts`, without the work that kernels take."""
        self._update_units(macros, around)
        speaking = self._placement.speaking
        found = zip(
            *(
                [there.resolve_in_unit(it, resolve_launches) for it in speaking]
                for there in self._units_that_may_include()
            ),
            strict=True,
        )
        return tuple(chain.from_iterable(common_to_units(it).launches for it in found))

    def kernel_names(self) -> frozenset[str]:
        """Of the kernels among `facts`. After `facts` or `launches`."""
        return frozenset(
            function.name
            for it in self._placement.speaking
            for function in it.facts.functions
            if function.kernel
            and any(there.may_be_compiled(it, function.conditions) for there in self._units_that_may_include())
        )

    def _units_that_may_include(self) -> Sequence[UnitContextState]:
        """The units that may include the file; all, where it seems that none does."""
        return [it for it in self._contexts if it.may_be_included()] or self._contexts

    def _unchanged_item(self, stood: LocatedItem, now: LocatedItem) -> UnchangedItem | None:
        """Whether an edit has left an item as it was to who looks its names up."""
        envs = [it.env for it in self._contexts]
        plain = all(it.inclusion is None for it in self._contexts)
        found = unchanged_item(stood, now) if self.edited and envs and plain else None
        return found if found is not None and all(env is not None and found.is_valid_in(env) for env in envs) else None

    def _moves_by_item(self) -> Sequence[Sequence[Moves]]:
        """Of each item that speaks, where things stand now in items that stay as they were, if it names some there."""
        speaking = self._placement.speaking
        still = {slot: it for slot, it in self._placement.still.items() if it.moves.any}
        if not still:
            return empty_tuples(len(speaking))
        if any(it.stood.matters for it in still.values()):
            in_units = zip(*(it.slots_referred_to_by_items(self._placement) for it in self._contexts), strict=True)
            named: Iterable[Set[int]] = (frozenset().union(*it) for it in in_units)
        else:
            named = ({it.slot} for it in speaking)
        found = [tuple(still[slot].moves for slot in sorted(it & still.keys())) for it in named]
        self._together = {it: self._together.get(it, it) for it in found}  # the same objects at the next key
        return [self._together[it] for it in found]

    def _update_units(self, macros: Mapping[str, int], around: Sequence[UnitContext]) -> None:
        self._locate_items()
        while True:
            self._update_unit_contexts(macros, around)
            others = self._slots_no_longer_unchanged()
            if not others:
                return
            self._placement.refresh_items(others)

    def _slots_no_longer_unchanged(self) -> Sequence[int]:
        """The slots of items that stay as they were no more, since names mean something else."""
        names = [*chain.from_iterable((it.env, it.outer) for it in self._contexts), self._own.names]
        if len(names) == len(self._agreed) and all(map(is_, names, self._agreed)):
            return ()
        self._agreed = names
        self._drop_environments_as_read()
        return [slot for slot, it in self._placement.still.items() if not all(map(it.is_valid_in, self._environments))]

    def _update_unit_contexts(self, macros: Mapping[str, int], around: Sequence[UnitContext]) -> None:
        del self._contexts[len(around) :]
        while len(self._contexts) < len(around):
            self._contexts.append(UnitContextState())
        self._own.update(self._placement.matter, self.edited)
        setting = ReadingSettings(self.dialect, macros, self._passes_differ)
        for context, outer in zip(self._contexts, around, strict=True):
            context.update(setting, outer, self._placement, self._own.names, self.edited)

    def facts_with_overrides(self, overrides: Mapping[Place, int], items: Set[int] | None = None) -> Steps[FileFacts]:
        """What the file would prove with other numbers at some places. After `facts`.

        `items`: those that are asked about; the others say what they say today.
        """
        speaking = self._placement.items_as_read(self._placement.speaking)
        envs = [env.with_overrides(overrides) for env in self._environments_as_read()]
        asked = [items is None or it.slot in items for it in speaking]
        existing = self._units_that_may_include()
        units = [it for it in zip(self._contexts, envs, strict=True) if it[0] in existing]
        each = [[*context.resolved_items(self._placement)] for context, _ in units]
        try:
            for (context, env), found in zip(units, each, strict=True):
                for index in compress(count(), asked):
                    resolve = context.how_resolved(index)
                    if resolve is resolve_item:
                        yield from context.resolve_kernels_ahead(speaking[index], env)
                    found[index] = context.resolve_in_unit(speaking[index], resolve, env)
                    yield
        finally:
            for env in envs:
                env.queries.close()
        moved = [() if anew else it for anew, it in zip(asked, self._moves_by_item(), strict=True)]
        return FileSummary().updated_facts(speaking, each, self.body_of, moved)

    def number_dependents(self) -> NumberDependents:
        return NumberDependents(self.placed_items(), self._texts_by_item())

    def literals_of_kernel(self, kernel: Kernel) -> Iterator[tuple[Place, int]]:
        """Those that a kernel and the functions that it names write out, or call by a name. After `facts`."""
        placed = self._located_item(kernel.item)
        return literals_in_kernel(self._first_environment(), placed, kernel, self._texts_by_item())

    def names_used_by_kernel(self, kernel: Kernel) -> frozenset[str]:
        """Those that a kernel and the functions that it names use. After `facts`."""
        return names_in_kernel(self._first_environment(), self._located_item(kernel.item), kernel)

    def uses_only_global_index(self, kernel: Kernel, axis: int) -> bool:
        """Whether it takes its group's index along an axis, and only times the group's size along it. After `facts`."""
        return uses_only_global_index(
            self._first_environment(), self._located_item(kernel.item), kernel, self._texts_by_item(), axis
        )

    def may_use_local_index(self, kernel: Kernel, axis: int) -> bool:
        """Whether it may use a thread's place in its group, or the size, along an axis by itself. After `facts`."""
        return may_use_local_index(
            self._first_environment(), self._located_item(kernel.item), kernel, self._texts_by_item(), axis
        )

    def latency_hiding_techniques(self, kernel: Kernel) -> tuple[Technique, ...]:
        """What the code of the kernel, and of the functions that it names, does by matrix units or copies ahead."""
        placed = self._located_item(kernel.item)
        return latency_hiding_techniques(
            self.names_used_by_kernel(kernel),
            code_of_kernel(self._first_environment(), placed, kernel, self._texts_by_item()),
        )

    def tensor_columns(self, kernel: Kernel) -> Columns:
        """Of tensor memory that the kernel and the functions that it names hold at once. After `facts`."""
        found = code_by_function(
            self._first_environment(), self._located_item(kernel.item), kernel, self._texts_by_item()
        )
        texts = (self.item_text(it.slot) for it in self._placement.placed if not it.facts.functions)
        beside = (without_comments(it) for it in texts if any(word in it for word in ALLOCATING))
        own = [FunctionCode(*it) for it in found]
        return tensor_columns_allocated(own, kernel.template is not None, beside, kernel.summary.tensor_memory)

    def requested_registers(self, kernel: Kernel) -> RequestedRegisters | None:
        """By `setmaxnreg`; None: it is not known that the kernel has it. After `facts`."""
        helpers = self.register_helpers(kernel)
        named = code_by_function(
            self._first_environment(), self._located_item(kernel.item), kernel, self._texts_by_item()
        )
        others = [code for name, code in named if name not in helpers][1:]
        placed = self._placement.placed
        beside = (self.item_text(it.slot) for it in placed if not it.facts.functions)
        handing = [
            function.name
            for it in placed
            for function in it.facts.functions
            if not function.kernel and may_reallocate_registers(self.item_text(it.slot), function.body)
        ]
        item = self.item_text(kernel.item)
        return requested_registers(kernel.head, self.body_of(kernel), item, helpers, handing, (*others, *beside))

    def register_helpers(self, kernel: Kernel) -> Helpers:
        """Of the functions that it names, those that change registers and do nothing else. After `facts`."""
        found: dict[str, RegisterHelper | None] = {}
        for name, head, body in heads_and_bodies_of_callees(
            self._first_environment(), self._located_item(kernel.item), kernel, self._texts_by_item()
        ):
            said = parse_register_helper(head, body)
            found[name] = said if found.get(name, said) == said else None
        return {name: it for name, it in found.items() if it is not None}

    def register_changing_functions(self, kernel: Kernel) -> frozenset[str]:
        """The functions and macros that the kernel names, itself or by others, and that surely change its registers.
        After `facts`."""
        env, own = self._first_environment(), self._located_item(kernel.item)
        names = names_in_kernel(env, own, kernel)
        used = ((name, env.function_macro_in_force(name, own.order)) for name in env.function_macros_among(set(names)))
        macros = {name: it for name, it in used if isinstance(it, FunctionMacro)}
        changing = macros_changing_registers(macros)
        return names_surely_changing_registers(
            heads_and_bodies_of_callees(env, own, kernel, self._texts_by_item()), changing
        )

    def non_kernel_items(self) -> tuple[int, ...]:
        """The items that hold anything but kernels. After `facts`."""
        functions = ((item, facts_of(it).functions) for item, it in self._placement.said.items())
        return tuple(item for item, held in functions if not held or not all(it.kernel for it in held))

    def all_literals(self) -> Iterator[tuple[Place, int]]:
        """Every number of the text that stands in no comment. After `facts`."""
        return literals_in_texts(self._texts_by_item())

    def occurrences_by_item(self, word: str) -> Iterator[tuple[bytes, tuple[Place, ...]]]:
        """The code of each item that has a word, and where it has it, in order. After `facts`."""
        having = self._items_with_word((word.encode(),))
        return occurrences_in_items({it.slot: self.item_text(it.slot) for it in having}, word)

    def has_any_word(self, words: Sequence[bytes]) -> bool:
        """Whether the text has one of these. After `facts`."""
        return any(word in self._content for word in words)

    def is_true_of_active_code(self, told: Callable[[bytes], object], words: Sequence[bytes]) -> bool:
        """Whether this is true of some code, other than where no compiler sees it. After `facts`.

        `words`: it is not where none of them stands.
        """
        envs = self._environments
        found = (it for it in self._items_with_word(words) if told(self.item_text(it.slot)))
        passes = [it for env in envs for it in env.passes]
        return any(told(self._active_text_of(it, env)) for it in found for env in passes)

    def may_run(self, start: Place, end: Place) -> bool | None:
        if len(self._content) > _MOST_FOLLOWED:
            return None
        first, last = (self._outline.start_of(it.item) for it in (start, end))
        order = self._located_item_at(self._outline.index_of(start.item)).order
        found = {
            may_source_text_run(
                self._host_program_text(env),
                env.is_defined("NDEBUG", order) is not True,
                first + start.start,
                last + end.end,
            )
            for env in (it.host for it in self._environments_as_read())
        }
        return True if True in found else None if None in found else False

    def _host_program_text(self, env: Environment) -> ProgramText:
        """The whole file as the host's pass of a compiler has it."""
        if self._program_text is not None and self._program_text[0] is env and self._program_text[1] is self._content:
            return self._program_text[2]

        def order_at(at: int) -> tuple[int, int]:
            index = self._outline.index_at(at)
            placed = self._placement.placed[index]
            return placed.order, at - self._outline.start_of(placed.slot)

        code = without_comments(self._content)
        names = env.all_macros_among({it.decode() for it in _NAME.findall(code)})
        found = preprocess_text(
            code,
            self.dialect,
            lambda conditions, at: env.holds(conditions, order_at(at)[0]),
            lambda at: macros_at(env, order_at(at)),
            names,
        )
        self._program_text = env, self._content, found
        return found

    def _items_with_word(self, words: Sequence[bytes]) -> Iterable[LocatedItem]:
        """The items with one of the words: most texts have none."""
        found = dict[int, LocatedItem]()
        for word in words:
            at = self._content.find(word)
            while at >= 0:
                it = self._located_item_at(self._outline.index_at(at))
                found[it.slot] = it
                at = self._content.find(word, self._outline.start_of(it.slot) + len(self.item_text(it.slot)))
        return found.values()

    def _active_text_of(self, placed: LocatedItem, env: Environment) -> bytes:
        def holds(conditions: Conditions) -> bool | None:
            return env.holds((*placed.conditions, *conditions), placed.order)

        def code() -> bytes:
            return active_text(self.item_text(placed.slot), self.dialect, holds)

        if placed.slot in self._placement.still:  # whose text is no input
            return code()
        return env.remember(("standing", placed.item, placed.order, placed.conditions), code, b"")

    def defines_unconditionally(self, macro: str) -> bool:
        """Whether the text defines it, whatever was defined before."""
        found = self._first_environment().own.definitions.get(macro, [])
        return len(found) == 1 and not (found[0].placed.conditions or found[0].definition.conditions)

    def item_texts(self) -> Iterable[bytes]:
        """Of its items. After `facts`."""
        return self._texts_by_item().values()

    def _texts_by_item(self) -> Mapping[int, bytes]:
        """In the order of the text, which that of what is remembered is not after an edit."""
        return {it.slot: self.item_text(it.slot) for it in self._placement.placed}

    def name_of_literal(self, number: Place) -> str:
        """What the macro, constant or variable is called whose value is the number written there; "": there is none."""
        facts = self._located_item(number.item).facts
        for it in chain(facts.definitions, *facts.locals.values()):
            value = parse_if_unparsed(it.value)
            if isinstance(value, Number) and (value.start, value.end) == (number.start, number.end):
                return it.name.partition("[")[0]
        return ""

    def name_of_function_around(self, place: Place) -> str:
        """The function, no kernel, whose parameters or body have the place; "": there is none."""
        functions = self._located_item(place.item).facts.functions
        around = (it for it in functions if not it.kernel and it.head.start <= place.start < it.body.end)
        return next((it.name for it in around), "")

    def is_in_host_function(self, place: Place) -> bool:
        """Whether the functions around it are a host's, by their heads."""
        text, functions = self.item_text(place.item), self._located_item(place.item).facts.functions
        around = [it for it in functions if it.body.start <= place.start < it.body.end]
        return bool(around) and not any(
            it.kernel
            or (not it.specifiers.host_only and may_be_device_function(text[it.head.start : it.name_span.start]))
            for it in around
        )

    def extent_literals(self, variable: Place) -> Iterator[tuple[Place, int]]:
        """The numbers that an array's brackets are made of, behind its name. After `facts`."""
        if not self.holds(variable):
            return iter(())
        placed = self._located_item(variable.item)
        return extent_literals(self._first_environment(), placed, variable, self.item_text(variable.item))

    def _first_environment(self) -> Environment:
        return self._environments_as_read()[0]

    @property
    def _environments(self) -> Sequence[Environment]:
        """What names mean in each unit."""
        return [it.env for it in self._contexts if it.env is not None]

    def _environments_as_read(self) -> Sequence[Environment]:
        """The same to who looks at texts as they read now."""
        if not self._placement.still:
            return self._environments
        if not self._reading:
            self._as_read.update(self._placement.items_as_read(self._placement.matter), edited=True)
            self._reading = [env.with_file_symbols(self._as_read.names) for env in self._environments]
        return self._reading

    def kernel_fingerprint(self, kernel: Kernel) -> str:
        """Of the kernel's tokens and of what it names in this file, without comments and space. After `facts`."""
        if len(self._fingerprints.known) > 2 * len(self._placement.items):
            self._fingerprints.keep(self._placement.items.keys())
        placed = self._located_item(kernel.item)
        return self._fingerprints.of(self._first_environment(), placed)

    def _locate_items(self) -> None:
        if not self._placed:
            self._placement.update(self._outline.items, self._known_or_read, self._unchanged_item)
            self._placed = True
            self._read.clear()  # of what stands in many places, one is taken

    def _known_or_read(self, item: Item) -> ItemFacts | LazyFacts:
        found = self._read.pop(item.id, None)
        if isinstance(found, LocatedItem):
            return found.facts if found.speaks else found.said
        if found is not None:
            return found
        edited = bool(self._placement.placed)  # all is asked for of an item that comes later
        return read_or_defect(item, self.dialect) if edited else _read_item_facts(item, self.dialect)

    def _located_item(self, item: int) -> LocatedItem:
        return self._located_item_at(self.index_of(item))

    def _located_item_at(self, index: int) -> LocatedItem:
        """The item as its text reads now."""
        placed = self._placement.placed[index]
        found = self._placement.still.get(placed.slot)
        return found.now if found is not None else placed


def _read_item_facts(item: Item, dialect: Dialect) -> ItemFacts | LazyFacts:
    names = attempt(lambda: names_by_heads(item, dialect))
    return UnreadItem(names, item, dialect) if isinstance(names, ItemNames) else read_or_defect(item, dialect)
