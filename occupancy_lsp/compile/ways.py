"""What nothing in sight decides: flags that a build file gives under a condition, macros that configuring may define.

A file is compiled in each of the ways that a few of these leave. Where they agree, it is one count; where they do not,
each stands, and says which way it is of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from occupancy_lsp.compile.arguments import Arguments
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.names import qualified_name
from occupancy_lsp.counts.usage import Reading, Usage

_UNNAMED = regex(r"(\d+)(_GLOBAL__N_.*)", re.DOTALL)
MOST_CHOICES = 2  # each of them doubles the work


@dataclass(frozen=True, slots=True)
class Choice:
    """A word of a command that may be there or not. `yes`, `no`: what either adds to the other arguments."""

    word: str
    yes: Arguments
    no: Arguments = Arguments()


@dataclass(frozen=True, slots=True)
class Way:
    """One answer to each of the choices."""

    choices: tuple[Choice, ...] = ()
    answers: tuple[bool, ...] = ()

    @property
    def given(self) -> Sequence[Arguments]:
        return [it.yes if answer else it.no for it, answer in zip(self.choices, self.answers, strict=True)]

    def added_to(self, arguments: Arguments) -> Arguments:
        for more in self.given:
            arguments = replace(
                arguments,
                flags=(*arguments.flags, *more.flags),
                ptxas=(*arguments.ptxas, *more.ptxas),
                llvm=(*arguments.llvm, *more.llvm),
                macros=(*arguments.macros, *more.macros),
            )
        return arguments

    def taken_from(self, arguments: Arguments) -> Arguments:
        """The arguments that are there in every way."""
        for more in self.given:
            arguments = replace(
                arguments,
                flags=tuple(it for it in arguments.flags if it not in more.flags),
                ptxas=tuple(it for it in arguments.ptxas if it not in more.ptxas),
                llvm=tuple(it for it in arguments.llvm if it not in more.llvm),
                macros=tuple(it for it in arguments.macros if it not in more.macros),
            )
        return arguments

    def __str__(self) -> str:
        """`with --use_fast_math`; "": there is no choice."""
        words = ("with" if answer else "without" for answer in self.answers)
        return " and ".join(f"{word} {it.word}" for word, it in zip(words, self.choices, strict=True))


def ways_of(choices: Sequence[Choice]) -> list[Way]:
    answers = product((False, True), repeat=len(choices))
    return [Way(tuple(choices), it) for it in answers]


def together(told: Sequence[tuple[Way, Reading]]) -> Reading:
    """What all of them tell. None of a kernel that does not compile in one of the ways."""
    first = told[0][1]
    if len(told) == 1:
        return first
    by_kernel = [{_plain(it.kernel): it for it in reading.usages} for _, reading in told]
    shared = set[str]().intersection(*by_kernel) if not by_kernel else set(by_kernel[0]).intersection(*by_kernel[1:])
    usages: list[Usage] = []
    for kernel in (name for it in first.usages if (name := _plain(it.kernel)) in shared):
        usages += _of_kernel([(way, known[kernel]) for (way, _), known in zip(told, by_kernel, strict=True)])
    usages += _of_other_parameters(
        [(way, [it for it in reading.usages if _plain(it.kernel) not in shared]) for way, reading in told]
    )
    problems = dict.fromkeys(it for way, reading in told for it in _problems(way, reading, bool(first.usages)))
    remarks = dict.fromkeys(it for _, reading in told for it in reading.remarks)
    return Reading(tuple(usages), tuple(problems), tuple(remarks))


def _of_other_parameters(told: Sequence[tuple[Way, Sequence[Usage]]]) -> Iterator[Usage]:
    """Kernels that a way gives other parameters, which are a part of their names: those that there are in each way."""
    named = [{qualified_name(it.kernel) for it in usages} for _, usages in told]
    for way, usages in told:
        for it in usages:
            if all(qualified_name(it.kernel) in names for names in named):
                yield replace(it, way=str(way), how=f"{it.how}, {way}, which nothing in sight decides")


def _of_kernel(told: Sequence[tuple[Way, Usage]]) -> Iterator[Usage]:
    first_way, first = told[0]
    if len({_counts(it) for _, it in told}) == 1:
        words = " and ".join(it.word for it in first_way.choices)
        yield replace(first, how=f"{first.how}; the same with or without {words}, which nothing in sight decides")
        return
    for way, it in told:
        yield replace(it, way=str(way), how=f"{it.how}, {way}, which nothing in sight decides")


def _counts(usage: Usage) -> Usage:
    return replace(usage, kernel="", path="", line=0, how="", mtime=0.0)


def _plain(kernel: str) -> str:
    """Without what nvcc names an unnamed namespace by, which differs between its runs."""
    return _UNNAMED.sub(_unnamed_length, kernel) if "_GLOBAL__N_" in kernel else kernel


def _unnamed_length(match: re.Match[str]) -> str:
    """`45_GLOBAL__N__…` has as many characters as the number says, and then other names."""
    rest = match[2]
    length = next((n for at in range(len(match[1])) if (n := int(match[1][at:])) <= len(rest)), len(rest))
    return f"_GLOBAL__N_{rest[length:]}"


def _problems(way: Way, reading: Reading, others: bool) -> Iterator[Problem]:
    """One way alone may fail, and then says which it is."""
    failed = others and not reading.usages
    yield from (replace(it, message=f"{it.message} ({way})") if failed else it for it in reading.problems)
