"""Our dataclasses are Python's own, made more quickly: each class here is made by both."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from occupancy_lsp.core.dataclass import dataclass

_Make = Callable[..., Callable[[type], Any]]
BOTH = pytest.mark.parametrize("make", [dataclass, dataclasses.dataclass], ids=["ours", "Python's"])


def _nothing() -> type:
    class Nothing:
        pass

    return Nothing


def _one() -> type:
    class One:
        a: float

    return One


def _three() -> type:
    class Three:
        a: int
        b: tuple[int, ...] = ()
        known: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    return Three


def _own() -> type:
    class Own:
        a: int

        def __repr__(self) -> str:
            return f"<{self.a}>"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self)) and self.a % 10 == other.a % 10

        def __hash__(self) -> int:
            return self.a % 10

    return Own


@pytest.mark.parametrize("slots", [True, False])
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (_nothing, [()]),
        (_one, [(1,), (1.0,), (2,)]),
        (_three, [(1,), (1, (2, 3)), (1, (2, 3), {"x": 1}), (2, ())]),
        (_own, [(1,), (11,), (2,)]),
    ],
)
def test_they_are_equal_and_told_as_pythons_own_are(
    kind: Callable[[], type], values: list[tuple[Any, ...]], slots: bool
) -> None:
    ours, theirs = (make(frozen=True, slots=slots)(kind()) for make in (dataclass, dataclasses.dataclass))
    for one in values:
        assert repr(ours(*one)).split("<locals>.")[-1] == repr(theirs(*one)).split("<locals>.")[-1]
        assert hash(ours(*one)) == hash(theirs(*one))
        assert ours(*one) != theirs(*one)
        for other in values:
            assert (ours(*one) == ours(*other)) is (theirs(*one) == theirs(*other))
    assert [it.name for it in dataclasses.fields(ours)] == [it.name for it in dataclasses.fields(theirs)]


def _worked_out() -> type:
    class WorkedOut:
        a: int
        known: list[int] = field(default_factory=list, init=False)
        _: dataclasses.KW_ONLY
        b: int = 2
        both: int = field(init=False)
        same: int = field(default=7, init=False)

        def __post_init__(self) -> None:
            self.both = self.a + self.b

    return WorkedOut


@BOTH
@pytest.mark.parametrize("slots", [True, False])
def test_what_an_object_is_made_of(make: _Make, slots: bool) -> None:
    kind = make(slots=slots)(_worked_out())
    for _ in range(2):  # the first object is made in another way
        assert repr(kind(1)).endswith("WorkedOut(a=1, known=[], b=2, both=3, same=7)")
        assert kind(1, b=4).both == 5 and kind(1).known is not kind(1).known
        with pytest.raises(TypeError):
            kind(1, 4)
        with pytest.raises(TypeError):
            kind()

    class Derived(kind):  # type: ignore[misc, valid-type]
        c: int = 0

    derived = make(slots=slots)(Derived)
    assert derived(1, 9).c == 9 and derived(1, 9).both == 3 and kind(1).both == 3


@BOTH
def test_what_may_be_changed_has_no_hash(make: _Make) -> None:
    changeable = make(slots=True)(_three())
    assert changeable(1) == changeable(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(changeable(1))


@BOTH
def test_what_is_one_by_itself(make: _Make) -> None:
    alone = make(frozen=True, slots=True, eq=False)(_three())
    one = alone(1)
    assert one == one and one != alone(1) and hash(one) == object.__hash__(one)
    assert repr(one).endswith("Three(a=1, b=())")


@dataclass(slots=True)
class _Holder:
    inside: list[object] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Kept:
    a: int
    b: tuple[str, ...] = ()


def test_what_holds_itself_is_told() -> None:
    holder = _Holder()
    holder.inside.append(holder)
    assert repr(holder) == "_Holder(inside=[...])"


def test_they_are_copied_replaced_and_sent_to_other_processes() -> None:
    kept = _Kept(1, ("x",))
    assert copy.copy(kept) == copy.deepcopy(kept) == pickle.loads(pickle.dumps(kept)) == kept
    assert dataclasses.replace(kept, a=2) == _Kept(2, ("x",))
    assert dataclasses.asdict(kept) == {"a": 1, "b": ("x",)}


def test_one_that_is_made_of_another_compares_all_its_fields() -> None:
    @dataclass(frozen=True, slots=True)
    class More(_Kept):
        c: int = 0

    assert More(1, (), 2) == More(1, (), 2) != More(1, (), 3)
    assert hash(More(1, (), 2)) == hash(More(1, (), 2))
    assert repr(More(1, (), 2)).endswith("More(a=1, b=(), c=2)")
    assert More(1) != _Kept(1)
    assert More(1).c == 0 and dataclasses.replace(More(1), b=("x",)) == More(1, ("x",))


def test_one_that_is_made_of_another_has_defaults_of_its_own() -> None:
    @dataclass(slots=True)
    class More(_Holder):
        count: int = 0
        names: list[str] = field(default_factory=list)

        def add(self, name: str) -> None:
            self.names.append(name)
            self.count += 1

    one = More()
    one.add("x")
    assert (one.count, one.names, one.inside) == (1, ["x"], []) and More().names == []
    assert [it.name for it in dataclasses.fields(More)] == ["inside", "count", "names"]
