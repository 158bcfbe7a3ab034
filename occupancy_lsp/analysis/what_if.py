"""What a few registers or bytes more or less would do to the number of resident work-groups, a line each, both ways;
of registers also every further step up."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.core.wording import bytes_text, percent_text, signed
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.cliffs import Cliff, cliffs, register_gains
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need

_MOST_STEPS = 4  # that are named; between them and the last "…" stands for the others


def what_if(arch: Architecture, need: Need, words: Nouns, most: Need | None = None) -> list[str]:
    """The nearest changes around `need`, of registers and of local memory.

    `most`: what the group needs at most, where that is open. A change that comes to the same from there is stated, any
    other as the bound that it is: no number of groups is promised that may not be.
    """
    most = most or need
    known = need.registers is not None and need.registers == most.registers
    changes = _changes(arch, need, most, words, "registers") if known else ()
    return [*changes, *_changes(arch, need, most, words, "local")]


def local_what_if(arch: Architecture, need: Need, words: Nouns, most: Need, own: int | None) -> list[str]:
    """`what_if` of local memory alone, of which no more than `own` bytes can go; None: not known how many."""
    return [*_changes(arch, need, most, words, "local", own)]


def _changes(
    arch: Architecture, need: Need, most: Need, words: Nouns, what: str, own: int | None = None
) -> Iterator[str]:
    now, near, far = arch.occupancy(need).groups, cliffs(arch, need), cliffs(arch, most)
    same = now == arch.occupancy(most).groups
    say = _registers if what == "registers" else _local
    for edge in ("gain", "loss"):
        here, there = (getattr(it, f"{what}_{edge}") for it in (near, far))
        if here is None or (own is not None and -here.delta > own):
            continue
        if not (same and here == there):
            yield _at_best(here, words, what)
            continue
        steps = _steps(arch, need, most, here.at) if (what, edge) == ("registers", "gain") else ""
        yield say(here, now, words) + steps


def _steps(arch: Architecture, need: Need, most: Need, below: int) -> str:
    """`; 40 → 75%; 32 → 100%`: what still fewer registers bring, where it is the same at both ends."""
    steps = list(register_gains(arch, need, below))
    if steps != list(register_gains(arch, most, below)):
        return ""
    shown = [f"{it.at} → {percent_text(it.percent)}" for it in steps]
    if len(shown) > _MOST_STEPS:
        shown[_MOST_STEPS - 1 : -1] = ["…"]
    return "".join(f"; {step}" for step in shown)


def _registers(cliff: Cliff, now: int, words: Nouns) -> str:
    if cliff.delta < 0:
        return f"{signed(cliff.delta)} {words.registers_of(-cliff.delta)} ({cliff.at}) → {_then(cliff, words)}"
    step = cliff.delta + 1
    verb = "lose" if step > 1 else "loses"
    return f"{signed(step)} {words.registers_of(step)} ({cliff.at + 1}){_losing(verb, cliff, now, words)}"


def _local(cliff: Cliff, now: int, words: Nouns) -> str:
    if cliff.delta < 0:
        amount = f"{bytes_text(-cliff.delta)} less {words.local_memory} ({bytes_text(cliff.at)})"
        return f"{amount} → {_then(cliff, words)}"
    step = f"over {bytes_text(cliff.delta)}" if cliff.delta else "1 B"
    amount = f"{step} more {words.local_memory} (above {bytes_text(cliff.at)})"
    if cliff.at == cliff.delta:  # it uses none
        amount = f"more than {bytes_text(cliff.at)} of {words.local_memory}"
    return f"{amount}{_losing('loses', cliff, now, words)}"


def _losing(verb: str, cliff: Cliff, now: int, words: Nouns) -> str:
    lost = now - cliff.groups
    what = f"a {words.group}" if lost == 1 else f"{lost} {words.groups}"
    return f" {verb} {what} → {_then(cliff, words)}" if cliff.groups else " → no launch"


def _at_best(cliff: Cliff, words: Nouns, what: str) -> str:
    amount = f"{bytes_text(cliff.at)} of {words.local_memory}" if what == "local" else f"{cliff.at} {words.registers}"
    if cliff.delta < 0:
        return f"{amount} → up to {_then(cliff, words)}"
    return f"more than {amount} → {f'at most {_then(cliff, words)}' if cliff.groups else 'no launch'}"


def _then(cliff: Cliff, words: Nouns) -> str:
    return f"{cliff.groups} {words.group if cliff.groups == 1 else words.groups}, {percent_text(cliff.percent)}"
