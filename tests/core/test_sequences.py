"""What two versions of a text share."""

import random

from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.core.sequences import Flat, InStep, shared_bytes, shared_ends, spliced


def test_shared_bytes_are_those_that_are_counted_one_by_one() -> None:
    rng = random.Random(24)
    for _ in range(3000):
        was, now = (bytes(rng.choices(b"ab", k=rng.randrange(9))) for _ in range(2))
        most = min(len(was), len(now))
        head = next((i for i in range(most) if was[i] != now[i]), most)
        tail = next((i for i in range(most - head) if was[-1 - i] != now[-1 - i]), most - head)
        assert shared_bytes(was, now) == (head, tail), (was, now)


_THINGS = [object() for _ in range(5)]
_things = st.lists(st.sampled_from(_THINGS), max_size=8)


@given(st.lists(st.tuples(_things, st.integers(0, 1)), max_size=8))
def test_what_is_said_in_step_is_what_is_said_afresh(versions: list[tuple[list[object], int]]) -> None:
    each = InStep(2)
    for things, given_now in versions:
        numbers = [_THINGS.index(it) for it in things]

        def say(thing: object, number: int, given_now: int = given_now) -> tuple[int, int]:
            assert _THINGS[number] is thing
            return number, given_now

        told = each.follow(say, things, numbers, given=_THINGS[given_now])
        assert [*map(list, told)] == [numbers, [given_now] * len(things)]


@given(st.lists(st.tuples(_things, st.booleans()), max_size=8))
def test_what_follows_what_is_in_step_may_miss_some_versions(versions: list[tuple[list[object], bool]]) -> None:
    first, second, flat = InStep(2), InStep(1), Flat[int]()
    for things, looked_at in versions:
        rows, numbers = first.follow(lambda it: ([_THINGS.index(it)] * (_THINGS.index(it) % 3), it), things)
        if looked_at:
            assert [*second.follow(lambda row, it: ((len(row), it),), rows, numbers)[0]] == [
                (_THINGS.index(it) % 3, it) for it in things
            ]
            assert [*flat.follow(rows)] == [number for row in rows for number in row]


def test_what_was_spliced_is_not_looked_through() -> None:
    was = spliced((), 0, 0, map(str, range(9)))
    now = spliced(was, 4, 3, ["new"])
    assert now == ["0", "1", "2", "3", "new", "6", "7", "8"]
    assert shared_ends((was, now)) == (4, 3)
    later = spliced(now, 0, 8, ["first"])
    assert shared_ends((was, later)) == (0, 3)  # not of that one: what is in both is found


def test_only_of_what_came_something_is_said() -> None:
    each, asked = InStep(1), list[str]()

    def say(it: str) -> tuple[str]:
        asked.append(it)
        return (it.upper(),)

    words = ["one", "two", "three", "four"]
    assert each.follow(say, words) == (["ONE", "TWO", "THREE", "FOUR"],)
    asked.clear()
    assert each.follow(say, [*words[:2], "new", words[3]]) == (["ONE", "TWO", "NEW", "FOUR"],)
    assert asked == ["new"]
