"""What the rest asks of a text with kernels, in whatever language, and the facts that it answers with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from typing import TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect
from occupancy_lsp.core.query import Beside
from occupancy_lsp.core.steps import Steps
from occupancy_lsp.source.incremental.number_dependents import NumberDependents
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.latency_hiding_techniques import Technique
from occupancy_lsp.source.kernels.launch_resolution import Allowed, KernelLaunch
from occupancy_lsp.source.kernels.setmaxnreg import Helpers, RequestedRegisters
from occupancy_lsp.source.kernels.tensor_memory import NO_COLUMNS, Columns
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lower.annotation_comments import Directive, ForDevice, IgnoreRule, read_directives
from occupancy_lsp.source.lower.item_facts import DirectiveComment
from occupancy_lsp.source.sema.translation_unit import NOTHING, IncludePoint, UnitContext
from occupancy_lsp.source.syntax.known_value import Place


@dataclass(frozen=True, slots=True)
class DirectiveAt:
    """A directive and where it stands."""

    place: Place
    directive: Directive


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All that the file proves. `directives`: each kernel's directives, in the order of `kernels`.

    `lost`: items of which nothing is known because of a defect of ours. `unread_kernels`: what looks like a kernel, or
    makes some, and is not read. `hidden_kernels`, `hidden_launches`: those under an `#if` that nothing in sight makes
    true, though a build may.
    """

    kernels: Sequence[Kernel]
    launches: Sequence[KernelLaunch]
    allowed: tuple[Allowed, ...]
    directives: tuple[tuple[DirectiveAt, ...], ...]
    file_directives: tuple[DirectiveAt, ...]
    stray_directives: tuple[DirectiveAt, ...]  # no kernel follows
    unread_launches: int
    lost: tuple[tuple[int, Defect], ...] = ()
    unread_kernels: tuple[Place, ...] = ()
    preferred: tuple[CarveoutPreference, ...] = ()  # shares of a unit's memory
    hidden_kernels: tuple[Place, ...] = ()
    hidden_launches: tuple[Place, ...] = ()
    beside: Beside = field(default_factory=Beside, init=False, repr=False, compare=False)

    def kernels_named(self, name: str) -> Sequence[Kernel]:
        return self.beside.ask("kernels by name", lambda: _by_name(self.kernels)).get(name, ())

    def launches_named(self, name: str) -> Sequence[KernelLaunch]:
        return self.beside.ask("launches by name", lambda: _by_name(self.launches)).get(name, ())


_Named = TypeVar("_Named", Kernel, KernelLaunch)


def _by_name(several: Sequence[_Named]) -> Mapping[str, Sequence[_Named]]:
    found: dict[str, list[_Named]] = {}
    for it in several:
        found.setdefault(it.name, []).append(it)
    return found


SILENT = FileFacts((), (), (), (), (), (), 0)


# Of each kernel, of the whole file, and of no kernel because none follows.
Directives = tuple[tuple[tuple[DirectiveAt, ...], ...], tuple[DirectiveAt, ...], tuple[DirectiveAt, ...]]
_MOST_PENDING = 500  # directives before one kernel; more are no person's


def directives_in(
    items: Iterable[tuple[int, Sequence[DirectiveComment], Sequence[Kernel]]], body_of: Callable[[Kernel], Place]
) -> Directives:
    """What is said of each kernel, of the whole file, and of no kernel because none follows; of items in their order,
    each with its comments that speak to us and its kernels."""
    directives: list[tuple[DirectiveAt, ...]] = []
    for_file: list[DirectiveAt] = []
    pending: list[DirectiveAt] = []
    for item, comments, kernels in items:
        for comment in comments if len(pending) < _MOST_PENDING else ():
            for directive in read_directives(comment):
                place = Place(item, directive.span.start, directive.span.end)
                (for_file if _is_for_file(directive) else pending).append(DirectiveAt(place, directive))
        for kernel in kernels:
            later = [it for it in pending if it.place.item == item and it.place.start >= body_of(kernel).end]
            directives.append(tuple(pending[: len(pending) - len(later)]))
            pending = later
    return tuple(directives), tuple(for_file), tuple(pending)


def _is_for_file(directive: Directive) -> bool:
    return isinstance(directive, ForDevice) or (isinstance(directive, IgnoreRule) and directive.whole_file)


class KernelText:
    """A text in step with its edits. It is cut into items, which keep their numbers as long as they stay what they are.

    What only texts of C++ can answer is answered here as by a text that shows nothing: no edit is built on it.
    `begin`: where it starts in the document that holds it, from whose start offsets are counted. `edited`: whether it
    is likely to be: if not, an edit is dear.
    """

    dialect: Dialect
    begin: int = 0
    edited: bool = True

    def replace(self, content: bytes, start: int, old_end: int, new_end: int) -> None:
        """`content` is the file after its bytes from `start` to `old_end` became those up to `new_end`."""
        raise NotImplementedError

    def close(self) -> None:
        """Nobody asks it any more: let go at once of what was worked out."""

    def facts(self, macros: Mapping[str, int], around: Sequence[UnitContext] = (NOTHING,)) -> FileFacts:
        """What the file proves with `macros` set from outside, in all the translation units `around` it."""
        raise NotImplementedError

    def read_ahead(self) -> Iterator[None]:
        """Read a part of the text at each step, for later. After an edit the rest is of no use."""
        return iter(())

    def facts_ahead(self, macros: Mapping[str, int], around: Sequence[UnitContext]) -> Iterator[None]:
        """The same of what `facts` takes."""
        return iter(())

    def kernel_fingerprint(self, kernel: Kernel) -> str:
        """Of the kernel's tokens and of what it names in this file, without comments and space. After `facts`."""
        raise NotImplementedError

    def may_run(self, start: Place, end: Place) -> bool | None:
        """Whether host code from one place to another may run; None: the text does not show it. After `facts`."""
        return None

    def depends_on_unread_files(self, kernel: Kernel) -> bool:
        """Whether its code is in part that of files that are not read with this one. After `facts`."""
        return False

    def start_of(self, item: int) -> int:
        """Where an item starts in the file."""
        raise NotImplementedError

    def holds(self, place: Place) -> bool:
        """Whether the place is in this file, not in a header."""
        raise NotImplementedError

    def body_of(self, kernel: Kernel) -> Place:
        """All of its body as it stands now."""
        raise NotImplementedError

    def index_of(self, item: int) -> int:
        """How many items stand before it."""
        raise NotImplementedError

    def index_at(self, offset: int) -> int:
        """Of the item that holds `offset`."""
        raise NotImplementedError

    def item_text(self, item: int) -> bytes:
        raise NotImplementedError

    def place_in_item_of_order(self, order: int, place: Place) -> Place:
        """The place in the item that stands in this order; of another reading of the same text."""
        raise NotImplementedError

    def code_start(self, place: Place) -> int:
        """Where the code at `place` starts, past comments and white space, counted from the item's start."""
        raise NotImplementedError

    def facts_with_overrides(self, overrides: Mapping[Place, int], items: Set[int] | None = None) -> Steps[FileFacts]:
        """What the file would prove with other numbers at some places. After `facts`."""
        yield
        return SILENT

    def number_dependents(self) -> NumberDependents | None:
        """Which items name one another; None: it is not told. After `facts`."""
        return None

    def include_points(self) -> tuple[IncludePoint, ...]:
        """The #includes."""
        return ()

    def literals_of_kernel(self, kernel: Kernel) -> Iterator[tuple[Place, int]]:
        """Those that a kernel and the functions that it names write out, or call by a name. After `facts`."""
        return iter(())

    def names_used_by_kernel(self, kernel: Kernel) -> frozenset[str]:
        """Those that a kernel and the functions that it names use. After `facts`."""
        return frozenset()

    def uses_only_global_index(self, kernel: Kernel, axis: int) -> bool:
        """Whether it takes its group's index along an axis, and only times the group's size along it. After `facts`."""
        return False

    def may_use_local_index(self, kernel: Kernel, axis: int) -> bool:
        """Whether it may use a thread's place in its group, or the size, along an axis by itself. After `facts`."""
        return True

    def latency_hiding_techniques(self, kernel: Kernel) -> tuple[Technique, ...]:
        """What the code of the kernel, and of the functions that it names, does by matrix units or copies ahead."""
        return ()

    def tensor_columns(self, kernel: Kernel) -> Columns:
        """Of tensor memory that the kernel and the functions that it names hold at once. After `facts`."""
        return NO_COLUMNS

    def requested_registers(self, kernel: Kernel) -> RequestedRegisters | None:
        """By `setmaxnreg`; None: it is not known that the kernel has it. After `facts`."""
        return None

    def register_changing_functions(self, kernel: Kernel) -> frozenset[str]:
        """The functions and macros that the kernel names, itself or by others, and that surely change its registers.
        After `facts`."""
        return frozenset()

    def register_helpers(self, kernel: Kernel) -> Helpers:
        """Of the functions that it names, those that change registers and do nothing else. After `facts`."""
        return {}

    def non_kernel_items(self) -> tuple[int, ...]:
        """The items that hold anything but kernels. After `facts`."""
        return ()

    def all_literals(self) -> Iterator[tuple[Place, int]]:
        """Every number of the text that stands in no comment. After `facts`."""
        return iter(())

    def occurrences_by_item(self, word: str) -> Iterator[tuple[bytes, tuple[Place, ...]]]:
        """The code of each item that has a word, and where it has it, in order. After `facts`."""
        return iter(())

    def item_texts(self) -> Iterable[bytes]:
        """Of its items. After `facts`."""
        return ()

    def has_any_word(self, words: Sequence[bytes]) -> bool:
        """Whether the text has one of these. After `facts`."""
        return False

    def is_true_of_active_code(self, told: Callable[[bytes], object], words: Sequence[bytes]) -> bool:
        """Whether this is true of some code, other than where no compiler sees it. After `facts`.

        `words`: it is not where none of them stands.
        """
        raise NotImplementedError

    def defines_unconditionally(self, macro: str) -> bool:
        """Whether the text defines it, whatever was defined before."""
        return False

    def name_of_literal(self, number: Place) -> str:
        """What the macro, constant or variable is called whose value is the number written there; "": there is none."""
        return ""

    def name_of_function_around(self, place: Place) -> str:
        """The function, no kernel, whose parameters or body have the place; "": there is none."""
        return ""

    def is_in_host_function(self, place: Place) -> bool:
        """Whether the functions around it are a host's, by their heads."""
        return False

    def extent_literals(self, variable: Place) -> Iterator[tuple[Place, int]]:
        """The numbers that an array's brackets are made of, behind its name. After `facts`."""
        return iter(())
