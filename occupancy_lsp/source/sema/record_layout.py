"""Record layout: where members and bases stand, as the Itanium C++ ABI has it (2.4), with GCC's attributes.

CUDA's host and device compilers and AMD's follow it alike. The words are the ABI's: `data_size` is dsize(C), the size
without the padding that others may use, `base_size` and `base_alignment` are nvsize(C) and nvalign(C), those of a class
as a base, without its virtual bases.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.sema.builtin_layout import POINTER, Layout, array_layout, round_up

_BITS = 8
_FAR = 256  # past the size of any empty class: elements that stand there meet none (GCC looks no further than that)


@dataclass(frozen=True, slots=True)
class RecordLayout:
    """`empties`: which empty classes have an object at which offset, `base_empties` without those in virtual bases.

    `virtual`: the virtual bases, its own and inherited, in the order in which they are placed; `primaries`: those of
    them that already stand somewhere in it, where they share a virtual pointer. `settled`: whether it is known if
    others may use its padding.
    """

    size: int
    alignment: int
    data_size: int
    base_size: int
    base_alignment: int
    empty: bool
    dynamic: bool
    nearly_empty: bool
    pod: bool | None
    empties: frozenset[tuple[int, Hashable]] = frozenset()
    base_empties: frozenset[tuple[int, Hashable]] = frozenset()
    virtual: tuple[tuple[Hashable, RecordLayout], ...] = ()
    primaries: frozenset[Hashable] = frozenset()

    @property
    def settled(self) -> bool:
        return self.pod is not None or (self.data_size == self.size == self.base_size)

    @property
    def whole(self) -> Layout:
        return Layout(self.size, self.alignment)


@dataclass(frozen=True, slots=True)
class Base:
    name: Hashable
    layout: RecordLayout
    virtual: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """`layout`: of its type, of one element if it is an array of `count`; `record`: of a class. `width`: of a bit-field
    its bits. `asked`: the alignment that it is given, at least. `overlaps`: it is `[[no_unique_address]]`."""

    layout: Layout
    record: RecordLayout | None = None
    count: int | None = None
    width: int | None = None
    asked: int = 1
    packed: bool = False
    overlaps: bool = False
    named: bool = True

    @property
    def overlappable_record(self) -> RecordLayout | None:
        """The class of a member that others may overlap."""
        return self.record if self.overlaps and self.count is None else None


@dataclass(frozen=True, slots=True)
class LayoutRules:
    """What a class's attributes and `#pragma pack` say: `asked`: its alignment, at least; `pack`: the most that a
    member's counts; 0: no limit."""

    asked: int = 1
    packed: bool = False
    pack: int = 0

    def limited(self, alignment: int) -> int:
        return min(alignment, self.pack) if self.pack else alignment

    def alignment_of_member(self, member: Member) -> int:
        natural = 1 if self.packs_member(member) else member.layout.alignment
        return self.limited(max(natural, member.asked))

    def packs_member(self, member: Member) -> bool:
        """Whether it is packed: a class that is leaves members alone that are more than plain old data."""
        return member.packed or (self.packed and (member.record is None or member.record.pod is True))

    def compilers_agree_on(self, bases: Sequence[Base], members: Sequence[Member]) -> bool:
        """Whether GCC and nvcc 13.0 on devices take them alike: they do not where bases are packed, nor where more is
        asked for a member than `#pragma pack` allows."""
        told = not self.packed or all(it.record is None or it.record.pod is not None for it in members)
        loose = not self.packed or all(it.layout.base_alignment == 1 for it in bases)
        return told and loose and not (self.pack and any(it.asked > self.pack for it in members))

    def alignment_of_base(self, base: RecordLayout) -> int:
        return self.limited(1 if self.packed else base.base_alignment)


def record_layout(
    name: Hashable,
    bases: Sequence[Base],
    members: Sequence[Member],
    rules: LayoutRules,
    dynamic: bool = False,
    pod: bool | None = True,
) -> RecordLayout | None:
    """Return the layout of a class; None: compilers lay it out differently. `dynamic`: it declares virtual functions.
    `pod`: its own text leaves it plain old data; None: not known."""
    parts = [it.layout for it in bases] + [
        it.overlappable_record for it in members if it.overlappable_record is not None
    ]
    if not all(it.settled for it in parts) or not rules.compilers_agree_on(bases, members):
        return None
    placing = _LayoutInProgress(name, rules)
    placing.place_virtual_pointer(bases, dynamic)
    for base in bases:
        if not base.virtual and base is not placing.primary:
            placing.base(base.layout)
    for member in members:
        placing.member(member)
    found = placing.finish_layout(bases, _is_pod(bases, members, placing.dynamic, pod), members)
    return found if placing.agreed else None


def union_layout(
    name: Hashable, members: Sequence[Member], rules: LayoutRules, pod: bool | None = True
) -> RecordLayout | None:
    """The layout of a union: all its members start where it starts."""
    return _lay_out_union(name, members, rules, pod) if rules.compilers_agree_on((), members) else None


def _lay_out_union(name: Hashable, members: Sequence[Member], rules: LayoutRules, pod: bool | None) -> RecordLayout:
    placing = _LayoutInProgress(name, rules)
    size = 0
    for member in members:
        bits = member.width if member.width is not None else _member_size(member) * _BITS
        size = max(size, -(-bits // _BITS))
        placing.align(rules.alignment_of_member(member) if member.named or member.width is None else 1)
        placing.table |= placing.empty_class_offsets(member, 0)
    placing.bits, placing.size = size * _BITS, size
    return placing.finish_layout((), _is_pod((), members, False, pod), members)


def struct_layout(members: Iterable[Layout], alignment: int = 1) -> Layout:
    """A plain struct of these members, at least so aligned."""
    placing = _LayoutInProgress("", LayoutRules(alignment))
    for it in members:
        placing.member(Member(it))
    return placing.finish_layout((), True, ()).whole


def plain_union_layout(members: Iterable[Layout]) -> Layout:
    return _lay_out_union("", [Member(it) for it in members], LayoutRules(), True).whole


def _member_size(member: Member) -> int:
    return member.layout.size if member.count is None else array_layout(member.layout, member.count).size


def _is_pod(bases: Sequence[Base], members: Sequence[Member], dynamic: bool, pod: bool | None) -> bool | None:
    each = [pod, *(it.record.pod for it in members if it.record is not None)]
    if bases or dynamic or False in each:
        return False
    # With members that others may overlap a class is plain old data for nvcc 13.0 on devices, and not for GCC.
    return None if None in each or any(it.overlappable_record is not None or it.overlaps for it in members) else True


@dataclass(slots=True)
class _LayoutInProgress:
    """A class as far as it is laid out. `bits`: where its data ends, dsize; `size`: the end of all that is placed."""

    name: Hashable
    rules: LayoutRules
    bits: int = 0
    size: int = 0
    alignment: int = 1
    dynamic: bool = False
    apart: bool = False  # a member without a size stands behind the class's start
    agreed: bool = True
    primary: Base | None = None
    table: frozenset[tuple[int, Hashable]] = frozenset()
    indirect: frozenset[Hashable] = frozenset()  # primary bases of bases: these have placed them

    @property
    def end(self) -> int:
        return -(-self.bits // _BITS)

    def align(self, alignment: int) -> None:
        self.alignment = max(self.alignment, alignment)

    def place_virtual_pointer(self, bases: Sequence[Base], dynamic: bool) -> None:
        """The virtual pointer, or the base that has it."""
        self.indirect = frozenset[Hashable]().union(*(it.layout.primaries for it in bases))
        self.dynamic = dynamic or any(it.virtual or it.layout.dynamic for it in bases)
        if not self.dynamic:
            return
        self.primary = _primary_base(bases, self.indirect)
        if self.primary is not None:
            self.base(self.primary.layout)
        else:
            self.put(0, POINTER.size, POINTER.size, 1 if self.rules.packed else self.rules.limited(POINTER.alignment))

    def put(self, offset: int, size: int, data: int, alignment: int) -> None:
        self.size = max(self.size, offset + size)
        self.bits = max(self.bits, (offset + data) * _BITS)
        self.align(alignment)

    def base(self, base: RecordLayout) -> None:
        alignment = self.rules.alignment_of_base(base)
        self._place_class(base, base.base_empties, base.base_size, base.base_size, alignment)

    def _place_class(
        self, it: RecordLayout, empties: frozenset[tuple[int, Hashable]], size: int, data: int, alignment: int
    ) -> int:
        """Place a base, or a member that others may overlap; where it stands."""
        offset = self.find_free_offset(empties, alignment, it.empty)
        self.table |= {(offset + at, name) for at, name in empties}
        if it.empty:
            self.size = max(self.size, offset + it.size)
            self.align(alignment)
        else:
            self.put(offset, size, data, alignment)
        return offset

    def find_free_offset(self, empties: frozenset[tuple[int, Hashable]], alignment: int, empty: bool = False) -> int:
        """Where it may stand: of the same empty class no two objects have one address."""
        offset = 0 if empty else round_up(self.end, alignment)
        if empty and self._overlaps_empty_class(empties, offset):
            offset = round_up(self.end, alignment)
        while self._overlaps_empty_class(empties, offset):
            offset += alignment
        return offset

    def _overlaps_empty_class(self, empties: frozenset[tuple[int, Hashable]], offset: int) -> bool:
        return bool(self.table) and any((offset + at, name) in self.table for at, name in empties)

    def empty_class_offsets(self, member: Member, offset: int) -> frozenset[tuple[int, Hashable]]:
        if member.record is None or not member.record.empties:
            return frozenset()
        count = 1 if member.count is None else min(member.count, _FAR // member.record.size + 1)
        starts = [offset + index * member.record.size for index in range(count)]
        return frozenset((start + at, name) for start in starts for at, name in member.record.empties)

    def member(self, member: Member) -> None:
        self.agreed = self.agreed and not self.apart
        if member.width is not None:
            self.place_bit_field(member, member.width)
            return
        alignment = self.rules.alignment_of_member(member)
        if (shared := member.overlappable_record) is not None:
            data = max(shared.base_size, shared.data_size)
            offset = self._place_class(shared, shared.empties, shared.size if shared.virtual else data, data, alignment)
            # What follows stands behind it for nvcc 13.0 on devices, and beside it for GCC.
            self.apart = self.apart or (shared.empty and offset > 0)
            return
        empties = self.empty_class_offsets(member, 0)
        offset = self.find_free_offset(empties, alignment)
        self.table |= {(offset + at, name) for at, name in empties}
        size = _member_size(member)
        self.put(offset, size, size, alignment)

    def place_bit_field(self, member: Member, width: int) -> None:
        """It does not cross a boundary that one of its type would not; one of no bits ends the unit before."""
        packed = self.rules.packs_member(member)
        unit = self.rules.limited(1 if packed and width else member.layout.alignment) * _BITS
        if member.asked > 1:
            self.bits = round_up(self.bits, self.rules.limited(member.asked) * _BITS)
        room = member.layout.size * _BITS
        if not width or (not packed and self.bits % unit + width > max(room, unit)):
            # GCC heeds no boundaries where classes are packed by a pragma, nvcc 13.0 on devices none in packed ones.
            self.agreed = self.agreed and not self.rules.pack and not (packed and self.bits % unit)
            self.bits = round_up(self.bits, unit)
        self.bits += width
        self.size = max(self.size, self.end)
        if member.named:
            self.align(self.rules.alignment_of_member(member))

    def finish_layout(self, bases: Sequence[Base], pod: bool | None, members: Sequence[Member]) -> RecordLayout:
        empty = not self.dynamic and all(it.layout.empty for it in bases) and all(map(_keeps_class_empty, members))
        nearly = self._is_nearly_empty(bases, members)
        if empty:
            self.table |= {(0, self.name)}
        base_size, base_empties, base_alignment = self.size, self.table, max(self.alignment, self.rules.asked)
        virtual = _virtual_bases(bases)
        placed = self.indirect
        if self.primary is not None and self.primary.virtual:
            placed |= {self.primary.name}
        for key, layout in virtual.items():
            if key not in placed:
                self.base(layout)
        alignment = max(self.alignment, self.rules.asked)
        size = round_up(max(self.size, 1), alignment)
        if pod:
            base_size = size
        return RecordLayout(
            size, alignment, size if pod else self.end, base_size, base_alignment, empty, self.dynamic, nearly, pod,
            self.table, base_empties, tuple(virtual.items()), placed,
        )  # fmt: skip

    def _is_nearly_empty(self, bases: Sequence[Base], members: Sequence[Member]) -> bool:
        """Whether it holds a virtual pointer and nothing else."""
        proper = [it.layout for it in bases if not it.virtual and not it.layout.empty]
        alone = not proper or (len(proper) == 1 and proper[0].nearly_empty)
        return self.dynamic and alone and all(map(_keeps_class_empty, members)) and self.size <= POINTER.size


def _keeps_class_empty(member: Member) -> bool:
    """Whether a class with such a member may still be empty."""
    shared = member.overlappable_record
    return member.width == 0 or (shared is not None and shared.empty)


def _primary_base(bases: Sequence[Base], indirect: frozenset[Hashable]) -> Base | None:
    """The base whose virtual pointer the class shares."""
    for base in bases:
        if not base.virtual and base.layout.dynamic:
            return base
    nearly = [(key, it) for key, it in _virtual_bases(bases).items() if it.nearly_empty]
    chosen = next((it for it in nearly if it[0] not in indirect), nearly[0] if nearly else None)
    return Base(*chosen, virtual=True) if chosen is not None else None


def _virtual_bases(bases: Sequence[Base]) -> Mapping[Hashable, RecordLayout]:
    """The virtual bases in the order of the inheritance graph."""
    found: dict[Hashable, RecordLayout] = {}
    for base in bases:
        if base.virtual:
            found.setdefault(base.name, base.layout)
        for key, layout in base.layout.virtual:
            found.setdefault(key, layout)
    return found
