"""Where what functions return, and what they store through their parameters, goes in who calls them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

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

_RETURNED = regex(rb"\breturn\b[^;]*;")
_DECLARED = regex(rb"(?:(?!(?:return|else|case|goto)\b)\b[A-Za-z_]\w*|[>,*&])\s*\Z")
_LAMBDA = rb"\b%b\s*=\s*\[[^][]*\]\s*\(([^()]*)\)[^{};]*\{"
_LAST_WORD = regex(rb"(\w+)\s*\Z")
_NEAR = 64


class _Output(NamedTuple):
    """What a call gives back: a part of its result, or, where `callee` is named, what that stores through an argument,
    None if there is none."""

    part: str
    callee: str = ""
    argument: int | None = None


class _Asked:
    """What was asked of one function, beside where the values of its own expressions go. `outputs`: of calls, by where
    these start; `parameters`: by their indices."""

    def __init__(self) -> None:
        self.outputs: dict[tuple[int, _Output], Destinations] = {}
        self.parameters: dict[int, Mapping[int, Destinations]] = {}


def destinations_of_output(function: Function, site: CallSite, called: Function, place: str) -> Destinations:
    """Return where in the function that goes which one that it calls gives back there: where `ArrayAccess` has it."""
    if reaches_caller(place):
        return _destinations_of_output(function, site, _Output(place[len(RESULT) :]))
    names = (at for at, it in enumerate(called.parameters) if pointee_destination(it.name) == place)
    return _destinations_of_output(function, site, _Output("", called.name, next(names, None)))


def parameter_destinations(function: Function, index: int) -> Mapping[int, Destinations]:
    """Return where what a parameter is given goes from each place that names it, before it is given something else."""
    known = _asked_of(function).parameters
    if index not in known:
        known[index] = _find_parameter_destinations(function, index)
    return known[index]


def _asked_of(function: Function) -> _Asked:
    return function.remembered_answers.ask("destinations", _Asked)


def count_asked_destinations(function: Function) -> int:
    """Return how much was asked of where values go in a function."""
    asked = _asked_of(function)
    return len(value_flow_of(function).asked) + len(asked.outputs) + len(asked.parameters)


def has_same_destinations(one: Function, other: Function) -> bool:
    """Return whether all that was asked of where values go in a function has the same answer in another version of it,
    in which the same stands in the same order."""
    asked, flow, flow_there = _asked_of(one), value_flow_of(one), value_flow_of(other)
    there = dict(zip(_places_with_value(one), _places_with_value(other), strict=True))
    sites = dict(zip((it.start for it in _calls_of(one)), _calls_of(other), strict=True))
    return (
        all(
            at in there
            and _by_condition(one, flow.destinations_at(at))
            == _by_condition(other, flow_there.destinations_at(there[at]))
            for at in flow.asked
        )
        and all(
            [there.get(it) for it in found] == [*parameter_destinations(other, index)]
            for index, found in asked.parameters.items()
        )
        and all(
            at in sites
            and _by_condition(one, found) == _by_condition(other, _destinations_of_output(other, sites[at], output))
            for (at, output), found in asked.outputs.items()
        )
    )


def _places_with_value(function: Function) -> Sequence[int]:
    """Return where those expressions stand of which it is asked."""
    accesses = array_accesses(function).accesses
    return [*(it.start for it in accesses), *(at for it in function.parameters for at in it.uses)]


def _calls_of(function: Function) -> Sequence[CallSite]:
    return (*function.mentions.calls, *function.mentions.loose)


def _by_condition(function: Function, said: Destinations) -> object:
    """Return where a value goes, with that under which it does so instead of the places."""
    found, perhaps = said
    if not perhaps:
        return found
    under = [*(it.span for it in function.flow.branches), *(it.span for it in function.flow.passages)]
    return found, [
        (it.to, *(index for at in it.under for index, where in enumerate(under) if where.start <= at < where.end))
        for it in perhaps
    ]


def _find_parameter_destinations(function: Function, index: int) -> Mapping[int, Destinations]:
    parameter = function.parameters[index]
    text, name = function.texts.device_code, parameter.name.encode()
    start, body = function.head.start, function.body.start - function.head.start
    named = [start + it for it in occurrences_of(text, name, body, len(text))]
    anew = next((it for it in named if it not in parameter.uses), function.body.end)
    return {it: value_flow_of(function).destinations_at(it) for it in parameter.uses if it < anew}


def assigns_only_own_variables(function: Function) -> bool:
    """Return whether it gives values to nothing but what it declares itself, as by the names alone."""
    inside = function.texts.device_code[function.body.start - function.head.start :]
    names = {name for name, _, _ in assigned_names(inside)}
    first = (next(occurrences_of(inside, it, 0, len(inside)), 0) for it in names)
    return all(_DECLARED.search(inside, max(it - _NEAR, 0), it) for it in first)


def lambda_uses_parameter(function: Function, name: str, index: int) -> bool | None:
    """Return whether the lambda that a variable holds says anything of its parameter at an index but to return it;
    None: it is not read."""
    made = re.search(_LAMBDA % re.escape(name.encode()), function.texts.device_code)
    if made is None or index >= len(parameters := made[1].split(b",")):
        return None
    word = _LAST_WORD.search(parameters[index])
    end = closing_bracket(function.texts.device_code, made.end() - 1, len(function.texts.device_code))
    said = _RETURNED.sub(b"", function.texts.device_code[made.end() : end])
    return word is not None and any(True for _ in occurrences_of(said, word[1], 0, len(said)))


def _destinations_of_output(function: Function, site: CallSite, output: _Output) -> Destinations:
    known, key = _asked_of(function).outputs, (site.start, output)
    if key not in known:
        known[key] = _find_output_destinations(function, site, output)
    return known[key]


def _find_output_destinations(function: Function, site: CallSite, output: _Output) -> Destinations:
    if not output.callee:
        return value_flow_of(function).destinations_of_call(site.start, output.part)
    texts = site.arguments or ()
    if output.argument is None or output.argument >= len(texts):
        return frozenset((EFFECT,)), ()
    given = texts[output.argument].encode()
    return value_flow_of(function).destinations_of_output_argument(site.start, output.callee, given)
