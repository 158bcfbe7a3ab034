"""What a value of Python says of a size."""

from __future__ import annotations

from typing import Any

from occupancy_lsp.languages.python.values import Either, Unknown
from occupancy_lsp.source.syntax.known_value import ONE, Dimensions, Value, unknown

_LATER = "it is decided at run time"


def number(found: Any, least: int = 0) -> Value:
    """A number that is not below `least`; of several, those above 0."""
    match found:
        case bool():
            return unknown("it is no number")
        case int() if found >= least:
            return Value(found)
        case int():
            return unknown(f"it is {found}")
        case Either(values=values) if all(type(it) is int for it in values):
            among = tuple(sorted(it for it in values if it > 0))
            return Value(None, _LATER, among=among, most=max(among, default=None))
        case Unknown(reason=reason, most=most):
            return Value(None, reason, most=most)
    return unknown("it is no number")


def dimensions(found: Any, least: int = 0) -> Dimensions:
    """One number or up to three."""
    if isinstance(found, list | tuple):
        given = [number(it, least) for it in found][:3]
        x, y, z = (*given, ONE, ONE, ONE)[:3]
        return x, y, z
    if isinstance(found, Either) and any(isinstance(it, list | tuple) for it in found.values):
        return (unknown(_LATER),) * 3
    if isinstance(found, Unknown) and found.most is None:
        return (unknown(found.reason),) * 3
    return number(found, least), ONE, ONE
