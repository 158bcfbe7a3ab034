"""Functions as who calls them sees them: after an edit that says nothing else to callers, a function stands as it was.

So most keys in a function leave all that calls it as it is, and those in a kernel all that its body comes to, in every
instance. What is looked past is where things stand, and names that nothing in sight bears; what the function was then
is asked in place of what it is now, with all that it hangs on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence, Set
from dataclasses import field
from hashlib import blake2b
from operator import attrgetter, itemgetter

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.facts.element_accesses import picks
from occupancy_lsp.source.facts.facts import Argument, Function, LocalArray
from occupancy_lsp.source.facts.names import Defined, PlacedItem
from occupancy_lsp.source.facts.results import goes_on_alike
from occupancy_lsp.source.kernels.alike import Alike, Reader, alike, heading, in_macros, reader_of
from occupancy_lsp.source.kernels.moved import is_moved, stand_alike
from occupancy_lsp.source.meaning.environment import Environment, in_slot
from occupancy_lsp.source.text.expressions import Expression
from occupancy_lsp.source.text.span import Span

_KNOWN_WORDS = frozenset(("barrier", "HIP_DYNAMIC_SHARED"))  # names that are looked for in functions
_AT = itemgetter(0, 1)
# Of a function, what is compared as it is; then what makes each version of it one by itself, and of its item.
_SAID = attrgetter("apart", "inlined", "copied", "host_only", "tensor_memory", "returns", "vendors")
_ALONE = attrgetter("owner", "unread", "private", "pointers", "picked", "initial", "local_parameters")
_OF_ITEM = attrgetter("launches", "handings", "macros", "macro_changes", "definitions")


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Equal to what says the same to callers; `moved`: to what an edit has made of it by moving things alone."""

    env: Environment
    placed: PlacedItem
    function: Function
    moved: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Seen):
            return NotImplemented
        same = self.placed is other.placed and self.function is other.function
        return same or _say_the_same(self, other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class _Named:
    """All of a name. `defined`: the same to who asks, who are many; of some names there are hundreds."""

    seen: tuple[_Seen, ...]
    defined: Sequence[Defined] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "defined", tuple((it.placed, it.function) for it in self.seen))


_NONE = _Named(())


def called_by_name(env: Environment, name: str) -> Sequence[Defined]:
    """Those that code on a device may call. An answer that comes out equal stays the one it was."""
    found = env.remember(("as called", name), lambda: _Named(tuple(_Seen(env, *it) for it in env.called(name))), _NONE)
    return found.defined


def as_it_stood(env: Environment, placed: PlacedItem, kernel: Function, several: bool) -> Defined:
    """The kernel as it was when its body last came to something else, or said it otherwise.

    `several`: it has several instances. Of one alone, to tell what each text means takes as long as to ask what all of
    them come to.
    """
    last = _Seen(env, placed, kernel, not several)
    key = ("as it stood", in_slot(placed.slot), kernel.name, placed.order, kernel.body.start)
    stood = env.remember(key, lambda: last, last)
    return stood.placed, stood.function


def _say_the_same(one: _Seen, other: _Seen) -> bool:
    env, placed, function, there, was = one.env, one.placed, one.function, other.placed, other.function
    head = heading(placed, function)
    if head is None or head != heading(there, was) or _SAID(function) != _SAID(was):
        return False
    if bool(function.attributes) != bool(was.attributes) or placed.facts.branches != there.facts.branches:
        return False
    if _is_itself_alone(env, placed, function) or _is_itself_alone(env, there, was):
        return False
    if not stand_alike(function, was):
        return False
    names = (function.names ^ was.names) | (placed.facts.locals.keys() ^ there.facts.locals.keys())
    if not mean_nothing(env, names) or not results_go_alike(env, function, was):
        return False
    if is_moved((placed, function), (there, was)) and names.isdisjoint(in_macros(env, function.names)):
        return True
    if one.moved:
        return False
    outline = _outline(env, placed, function)
    return outline is not None and outline == _outline(env, there, was)


def results_go_alike(env: Environment, one: Function, other: Function) -> bool:
    """Whether what functions give back of what they read from local memory goes the same ways in two versions of one
    that calls them."""
    if one.host:
        return True
    handed = {it.callee for it in picks(one).accesses if it.callee}
    for index, (site, was) in enumerate(zip(one.calls, other.calls, strict=True)):
        label = site.label
        if label in handed or _gives_back(env, label):
            if site.name != was.name:
                return False
            if not all(goes_on_alike(one, other, index, it) for _, it in called_by_name(env, label)):
                return False
    return True


def _gives_back(env: Environment, label: str) -> bool:
    """Whether a function of that name may give back what it reads from local memory that is no argument of it."""
    return env.remember(("gives back", label), lambda: _may_give_back(env, label), False)


def _may_give_back(env: Environment, label: str) -> bool:
    return any(
        any(not array.dynamic for array in it.arrays)
        or env.has_array(it.names)
        or any(_gives_back(env, site.label) for site in it.calls)
        for _, it in called_by_name(env, label)
    )


def _is_itself_alone(env: Environment, placed: PlacedItem, function: Function) -> bool:
    """Whether more is asked of it than is compared. Local memory of its own says where it stands, which who asks for a
    kernel knows."""
    more = env.dialect.device_only if function.kernel else any(not it.dynamic for it in function.arrays)
    return more or any(_ALONE(function)) or any(_OF_ITEM(placed.facts))


def mean_nothing(env: Environment, names: Set[str]) -> bool:
    """Whether nothing in sight bears one of them."""
    borne = env.borne_among(names) or env.macros_among(names) or env.defined_among(names)
    return not (names & _KNOWN_WORDS or borne or env.has_array(names))


def _outline(env: Environment, placed: PlacedItem, function: Function) -> bytes | None:
    """All that callers ask of its body, in order, as a digest; None: something hangs on where it stands."""
    known = alike(env, placed, function)
    return known.beside.ask("outline", lambda: _read_outline(function, known, reader_of(env, placed, function)))


def _read_outline(function: Function, known: Alike, reader: Reader | None) -> bytes | None:
    if reader is None or function.lambdas:
        return None
    events = [*_spans(function, known, reader), *_places(function, known, reader)]
    if any(meaning is None for *_, meaning in events):
        return None
    events.sort(key=_AT)
    return blake2b(repr([(said, meaning) for *_, said, meaning in events]).encode(), digest_size=16).digest()


# Where something stands, of what is there together which comes first, what it is, and what it means there.
_Event = tuple[int, int, Hashable, Hashable | None]


def _spans(function: Function, known: Alike, reader: Reader) -> Iterator[_Event]:
    """Where what may not run begins and ends."""
    for index, (branch, meaning) in enumerate(zip(function.branches, known.conditions, strict=True)):
        said = "branch", index, branch.wanted, branch.constexpr, branch.at_run_time, branch.hidden
        yield branch.span.start, 1, said, meaning
        yield branch.span.end, 0, said, "ends"
    for index, passage in enumerate(function.passages):
        told = "passage", index, passage.at_run_time, passage.conditions
        yield passage.span.start, 1, told, _comes_to(reader, passage.span.start, passage.condition)
        yield passage.span.end, 0, told, "ends"


def _places(function: Function, known: Alike, reader: Reader) -> Iterator[_Event]:
    for site in function.calls:
        yield site.start, 2, "call", known.call(site)
    for parameter in function.parameters:
        for at in parameter.uses:
            yield at, 2, "use", parameter.name
    for array in function.arrays:
        yield array.field.span.start, 2, "array", _said_of_array(array, known)
        reads = frozenset(array.reads)
        for at in () if array.dynamic else array.uses:
            yield at, 2, "read" if at in reads else "written", array.field.name
    for site in (*function.alone, *function.loose):
        yield site.start, 2, "macro", reader.call(site)
    picked = picks(function)
    for access in picked.accesses:
        going = tuple((it.to, tuple(at - access.start for at in it.under)) for it in access.perhaps)
        bare = structs.replace(access, start=0, added=frozenset(), perhaps=())
        yield access.start, 2, "access", (structs.astuple(bare), going)
        yield access.start, 2, "added", tuple(sorted(access.added))
    for it in picked.assigned:
        yield it.start, 2, "assigned", (it.name, tuple(sorted(it.words)), it.points, it.literal)
    for barrier in function.numbered:
        yield barrier.start, 2, "barrier", _comes_to(reader, barrier.start, barrier.number)


def _said_of_array(array: LocalArray, known: Alike) -> Hashable | None:
    said = array.field.name, array.points, array.conditions
    if array.dynamic:
        return said
    meaning = known.array(array.field)
    return (*said, array.stored, meaning) if meaning is not None else None


def _comes_to(reader: Reader, at: int, said: Expression | None) -> Hashable | None:
    return "" if said is None else reader.expression(Argument(Span(at, at), said))
