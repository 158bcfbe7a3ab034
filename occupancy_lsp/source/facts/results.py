"""Where what functions return, and what they store through their parameters, goes in who calls them."""

from __future__ import annotations

from collections.abc import Hashable

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.element_accesses import flow_of, picks
from occupancy_lsp.source.facts.facts import EFFECT, RESULT, CallSite, Function, Going, is_result, through

_RETURNS = regex(rb"\breturn\s*[^\s;]")
_Whereto = tuple[frozenset[str], tuple[Going, ...]]


def given_back(function: Function) -> frozenset[str]:
    """Return the places, as `Access` has them, by which callers may get something of a function."""
    return function.beside.ask("given back", lambda: _given_back(function))


def _given_back(function: Function) -> frozenset[str]:
    places = {place for it in picks(function).accesses for place in (*it.reaches, *(use.to for use in it.perhaps))}
    written = {through(it.name) for it in function.parameters if it.may_be_written}
    returned = (RESULT,) if _RETURNS.search(function.device_code) else ()
    return frozenset((*filter(is_result, places), *written, *returned))


def goes_on(function: Function, site: CallSite, called: Function, place: str) -> _Whereto:
    """Return where in the function that goes which one that it calls gives back there: where `Access` has it."""
    return function.beside.ask(("goes on", site.start, place), lambda: _goes_on(function, site, called, place))


def goes_on_alike(one: Function, other: Function, index: int, called: Function) -> bool:
    """Return whether what the call at an index gives back goes the same ways in two versions of a function."""
    return all(
        _ways(one, one.calls[index], called, it) == _ways(other, other.calls[index], called, it)
        for it in given_back(called)
    )


def _ways(function: Function, site: CallSite, called: Function, place: str) -> Hashable:
    """Return where it goes, with that under which it does so instead of the places."""
    found, perhaps = goes_on(function, site, called, place)
    under = [*(it.span for it in function.branches), *(it.span for it in function.passages)]
    ways = (
        (it.to, *(index for at in it.under for index, where in enumerate(under) if where.start <= at < where.end))
        for it in perhaps
    )
    return found, frozenset(ways)


def _goes_on(function: Function, site: CallSite, called: Function, place: str) -> _Whereto:
    if is_result(place):
        return flow_of(function).of_call(site.start, place[len(RESULT) :])
    index = next((at for at, it in enumerate(called.parameters) if through(it.name) == place), None)
    given = site.arguments or ()
    if index is None or index >= len(given):
        return frozenset((EFFECT,)), ()
    return flow_of(function).of_argument(site.start, called.name, given[index].encode())
