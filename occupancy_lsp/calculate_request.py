"""A request for one point of the model, as it comes from a line of JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from occupancy_lsp.model.device import Architecture
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.yaml_types import did_you_mean

_KEYS = ("device", "workgroup", "registers", "static_local", "dynamic_local", "opt_in", "carveout", "barriers")
_MOST = 2**31 - 1


class Refused(ValueError):
    """What is wrong with a request, in words for who wrote it."""


def read_request(request: object, find_arch: Callable[[str], Architecture]) -> tuple[Architecture, Need]:
    """What `request` asks for. Raises Refused; `find_arch` raises LookupError for an unknown device."""
    if not isinstance(request, Mapping):
        raise Refused(f"a request must be an object, not {_shown(request)}")
    for key in request:
        if key not in _KEYS:
            raise Refused(f"unknown key '{str(key)[:80]}'{did_you_mean(str(key), _KEYS)}")
    for key in ("device", "workgroup"):
        if key not in request:
            raise Refused(f"'{key}' is missing")
    registers, carveout = request.get("registers"), request.get("carveout")
    need = Need(
        group_size=_threads(request["workgroup"]),
        registers=None if registers is None else _whole("registers", registers),
        static_local=_whole("static_local", request.get("static_local", 0)),
        dynamic_local=_whole("dynamic_local", request.get("dynamic_local", 0)),
        opt_in=_flag("opt_in", request.get("opt_in", True)),
        carveout=None if carveout is None else _whole("carveout", carveout, most=100),
        barriers=_whole("barriers", request.get("barriers", 0)),
    )
    return _arch(request["device"], find_arch), need


def _arch(name: object, find_arch: Callable[[str], Architecture]) -> Architecture:
    if not isinstance(name, str):
        _refuse("device", "text", name)
    try:
        return find_arch(name)
    except LookupError as unknown:
        raise Refused(str(unknown)) from None


def _threads(workgroup: object) -> int:
    if not isinstance(workgroup, (list, tuple)):
        return _whole("workgroup", workgroup, least=1)
    if not 1 <= len(workgroup) <= 3:
        raise Refused(f"'workgroup' must have 1 to 3 dimensions, not {len(workgroup)}")
    threads = 1
    for size in workgroup:
        threads *= _whole("workgroup", size, least=1)
    return _whole("workgroup", threads)


def _whole(key: str, value: object, least: int = 0, most: int = _MOST) -> int:
    if type(value) is not int:  # a bool is an int to Python, but not to who wrote it
        _refuse(key, "a whole number", value)
    if value < least:
        raise Refused(f"'{key}' must be at least {least}, not {_shown(value)}")
    if value > most:
        raise Refused(f"'{key}' must be at most {most}, not {_shown(value)}")
    return value


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        _refuse(key, "true or false", value)
    return value


def _refuse(key: str, wanted: str, value: object) -> NoReturn:
    raise Refused(f"'{key}' must be {wanted}, not {_shown(value)}")


def _shown(value: object) -> str:
    """A value in JSON's words, cut short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number of more than 64 bits"
    return repr(value)[:80]
