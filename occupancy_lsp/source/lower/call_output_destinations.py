"""Where what functions return, and what they store through their parameters, goes in who calls them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.brackets import closing_bracket
from occupancy_lsp.source.lower.array_accesses import array_accesses, value_flow_of
from occupancy_lsp.source.lower.item_facts import (
    EFFECT,
    RESULT,
    CallSite,
    Destinations,
    Function,
    pointee_destination,
    reaches_caller,
)
from occupancy_lsp.source.lower.possibly_unreachable_regions import assigned_names
from occupancy_lsp.source.lower.value_destinations import occurrences_of

_RETURNS = regex(rb"\breturn\s*[^\s;]")
_RETURNED = regex(rb"\breturn\b[^;]*;")
_DECLARED = regex(rb"(?:(?!(?:return|else|case|goto)\b)\b[A-Za-z_]\w*|[>,*&])\s*\Z")
_LAMBDA = rb"\b%b\s*=\s*\[[^][]*\]\s*\(([^()]*)\)[^{};]*\{"
_LAST_WORD = regex(rb"(\w+)\s*\Z")
_NEAR = 64


def caller_visible_outputs(function: Function) -> frozenset[str]:
    """Return the places, as `ArrayAccess` has them, by which callers may get something of a function."""
    return function.beside.ask("given back", lambda: _find_caller_visible_outputs(function))


def _find_caller_visible_outputs(function: Function) -> frozenset[str]:
    each = (it.destinations() for it in array_accesses(function).accesses)
    places = {place for found, perhaps in each for place in (*found, *(use.to for use in perhaps))}
    written = {pointee_destination(it.name) for it in function.parameters if it.may_be_written}
    returned = (RESULT,) if _RETURNS.search(function.device_code) else ()
    return frozenset((*filter(reaches_caller, places), *written, *returned))


def destinations_of_output(function: Function, site: CallSite, called: Function, place: str) -> Destinations:
    """Return where in the function that goes which one that it calls gives back there: where `ArrayAccess` has it."""
    return function.beside.ask(
        ("goes on", site.start, place), lambda: _find_output_destinations(function, site, called, place)
    )


def parameter_destinations(function: Function, index: int) -> Mapping[int, Destinations]:
    """Return where what a parameter is given goes from each place that names it, before it is given something else."""
    return function.beside.ask(("of parameter", index), lambda: _find_parameter_destinations(function, index))


def _find_parameter_destinations(function: Function, index: int) -> Mapping[int, Destinations]:
    parameter = function.parameters[index]
    text, name = function.device_code, parameter.name.encode()
    start, body = function.head.start, function.body.start - function.head.start
    named = [start + it for it in occurrences_of(text, name, body, len(text))]
    anew = next((it for it in named if it not in parameter.uses), function.body.end)
    return {it: value_flow_of(function).of(it) for it in parameter.uses if it < anew}


def assigns_only_own_variables(function: Function) -> bool:
    """Return whether it gives values to nothing but what it declares itself, as by the names alone."""
    inside = function.device_code[function.body.start - function.head.start :]
    names = {name for name, _, _ in assigned_names(inside)}
    first = (next(occurrences_of(inside, it, 0, len(inside)), 0) for it in names)
    return all(_DECLARED.search(inside, max(it - _NEAR, 0), it) for it in first)


def lambda_uses_parameter(function: Function, name: str, index: int) -> bool | None:
    """Return whether the lambda that a variable holds says anything of its parameter at an index but to return it;
    None: it is not read."""
    made = re.search(_LAMBDA % re.escape(name.encode()), function.device_code)
    if made is None or index >= len(parameters := made[1].split(b",")):
        return None
    word = _LAST_WORD.search(parameters[index])
    end = closing_bracket(function.device_code, made.end() - 1, len(function.device_code))
    said = _RETURNED.sub(b"", function.device_code[made.end() : end])
    return word is not None and any(True for _ in occurrences_of(said, word[1], 0, len(said)))


def has_same_output_destinations(one: Function, other: Function, index: int, called: Function) -> bool:
    """Return whether what the call at an index gives back goes the same ways in two versions of a function."""
    return all(
        _destinations_by_condition(one, one.calls[index], called, it)
        == _destinations_by_condition(other, other.calls[index], called, it)
        for it in caller_visible_outputs(called)
    )


def _destinations_by_condition(function: Function, site: CallSite, called: Function, place: str) -> Hashable:
    """Return where it goes, with that under which it does so instead of the places."""
    found, perhaps = destinations_of_output(function, site, called, place)
    under = [*(it.span for it in function.branches), *(it.span for it in function.passages)]
    ways = (
        (it.to, *(index for at in it.under for index, where in enumerate(under) if where.start <= at < where.end))
        for it in perhaps
    )
    return found, frozenset(ways)


def _find_output_destinations(function: Function, site: CallSite, called: Function, place: str) -> Destinations:
    if reaches_caller(place):
        return value_flow_of(function).destinations_of_call(site.start, place[len(RESULT) :])
    index = next((at for at, it in enumerate(called.parameters) if pointee_destination(it.name) == place), None)
    texts = site.arguments or ()
    if index is None or index >= len(texts):
        return frozenset((EFFECT,)), ()
    return value_flow_of(function).destinations_of_argument(site.start, called.name, texts[index].encode())
