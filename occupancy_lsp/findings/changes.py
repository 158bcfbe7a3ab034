"""What became of each kernel between two times."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.findings.was import Key, Was

Kind = Literal["lost", "gained", "new", "gone", "unknown", "moved", "same"]
KINDS: tuple[Kind, ...] = ("lost", "gained", "new", "gone", "unknown", "moved", "same")


@dataclass(frozen=True, slots=True)
class Change:
    """`key`: what it goes by now, or went by if it is gone. `before`: what it went by, if that was another name.

    `kind` moved: registers or bytes are others, and its occupancy is not.
    """

    key: Key
    kind: Kind
    was: Was | None
    now: Was | None
    before: Key | None = None


def kind_of(was: Was, now: Was) -> Kind:
    """Lost and gained only where no value of what is unknown makes it otherwise. The same figure by a count that has
    become stale is not the same.

    Resident threads are compared, as percent of the most: groups of another size are no measure.
    """
    if was.percent is None or now.percent is None:
        return "same" if was.figure == now.figure else "unknown"
    comparable = (was.sure and now.sure) or was.threads == now.threads
    if comparable and not was.stale and not now.stale:
        if now.percent[1] < was.percent[0]:
            return "lost"
        if now.percent[0] > was.percent[1]:
            return "gained"
    if was.figure == now.figure and was.stale == now.stale:
        return "same"
    return "moved" if was.exact and now.exact else "unknown"


def changes(was: Mapping[Key, Was], now: Mapping[Key, Was], pairs: Mapping[Key, Key]) -> Iterator[Change]:
    """Of kernels, in the order of `now`, then what is gone. `pairs`: what went by another name, by what it is now."""
    taken = set(pairs.values())
    for key, it in now.items():
        before = pairs.get(key, key)
        known = was.get(before) if key in pairs or key not in taken else None
        if it.figured:
            kind = kind_of(known, it) if known is not None and known.figured else "new"
            yield Change(key, kind, known, it, before if key in pairs else None)
    for key, known in was.items():
        if known.figured and key not in now and key not in taken:
            yield Change(key, "gone", known, None)


def paired(
    was: Collection[Key], now: Collection[Key], were: Mapping[Key, str], are: Mapping[Key, str], files: Collection[str]
) -> dict[Key, Key]:
    """What goes by another path or name now, each by what it is now.

    `were`, `are`: digests of the kernels' text, as far as they are known. `files`: the paths that there are now.
    A kernel is taken for another one only where it alone can be: one of its name whose text is the same or whose file
    is gone, or one of the same text in the same file or in one that is gone.
    """
    left, come = [it for it in was if it not in now], [it for it in now if it not in was]

    def alike(before: Key, after: Key) -> bool:
        return bool(were.get(before)) and were.get(before) == are.get(after)

    def moved(before: Key, after: Key) -> bool:
        return before[1:] == after[1:] and (alike(before, after) or before.path not in files)

    def renamed(before: Key, after: Key) -> bool:
        here = before.path == after.path or before.path not in files
        return here and before[2:] == after[2:] and alike(before, after)

    found: dict[Key, Key] = {}
    for is_same in (moved, renamed):
        for after, before in _only_ones(left, come, is_same):
            found[after] = before
        left = [it for it in left if it not in found.values()]
        come = [it for it in come if it not in found]
    return found


def _only_ones(
    left: Sequence[Key], come: Sequence[Key], is_same: Callable[[Key, Key], bool]
) -> Iterator[tuple[Key, Key]]:
    for after in come:
        before = [it for it in left if is_same(it, after)]
        if len(before) == 1 and sum(is_same(before[0], it) for it in come) == 1:
            yield after, before[0]
