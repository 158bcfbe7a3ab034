"""A request for one point of the model, as it comes from a line of JSON.

Keys that say nothing of the device (`agprs` on NVIDIA) are read like the others and change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.yamlfile.types import did_you_mean

# Keys whose value is a count, or null where nothing is said: the field of Need and the least that it can be.
_COUNTS = {
    "registers": ("registers", 0),
    "agprs": ("accumulators", 0),
    "sgprs": ("scalars", 0),
    "wave": ("sub_group", 1),
    "simd": ("sub_group", 1),
    "grf": ("grf", 1),
    "register_bytes": ("register_bytes", 0),
}
_WORDS = {"mode": ("cu", "wgp"), "variant": ("calculator", "driver")}
_KEYS = (
    "device",
    "workgroup",
    "static_local",
    "dynamic_local",
    "opt_in",
    "carveout",
    "barriers",
    "grid",
    *_COUNTS,
    *_WORDS,
)
_MOST = 2**31 - 1


class Refused(ValueError):
    """What is wrong with a request, in words for who wrote it."""


class Request(NamedTuple):
    """One point: `need` on a device, and perhaps a `grid` of so many work-groups to fill the device with."""

    device: Device
    need: Need
    grid: int | None

    @property
    def arch(self) -> Architecture:
        return self.device.arch


def read_request(request: object, find: Callable[[str], Device]) -> Request:
    """What `request` asks for. Raises Refused; `find` raises LookupError for an unknown device."""
    if not isinstance(request, Mapping):
        raise Refused(f"a request must be an object, not {_shown(request)}")
    for key in request:
        if key not in _KEYS:
            raise Refused(f"unknown key '{str(key)[:80]}'{did_you_mean(str(key), _KEYS)}")
    for key in ("device", "workgroup"):
        if key not in request:
            raise Refused(f"'{key}' is missing")
    carveout, grid = request.get("carveout"), request.get("grid")
    need = Need(
        group_size=_product("workgroup", request["workgroup"]),
        static_local=_whole("static_local", request.get("static_local", 0)),
        dynamic_local=_whole("dynamic_local", request.get("dynamic_local", 0)),
        opt_in=_flag("opt_in", request.get("opt_in", True)),
        carveout=None if carveout is None else _whole("carveout", carveout, most=100),
        barriers=_whole("barriers", request.get("barriers", 0)),
        **_counts(request),
        **_words(request),
    )
    return Request(_device(request["device"], find), need, None if grid is None else _product("grid", grid))


def _counts(request: Mapping[str, object]) -> dict[str, Any]:
    """Fields of Need that `request` gives a count for."""
    found: dict[str, int] = {}
    for key, (field, least) in _COUNTS.items():
        value = request.get(key)
        if value is None:
            continue
        count = _whole(key, value, least)
        if found.setdefault(field, count) != count:
            raise Refused(f"'{key}' is {count}, but was {found[field]} by another name")
    return found


def _words(request: Mapping[str, object]) -> dict[str, Any]:
    """Fields of Need that `request` gives one of a few words for."""
    found = {}
    for key, allowed in _WORDS.items():
        value = request.get(key)
        if value is None:
            continue
        if value not in allowed:
            _refuse(key, " or ".join(f"'{word}'" for word in allowed), value)
        found[key] = value
    return found


def _device(name: object, find: Callable[[str], Device]) -> Device:
    if not isinstance(name, str):
        _refuse("device", "text", name)
    try:
        return find(name)
    except LookupError as unknown:
        raise Refused(str(unknown)) from None


def _product(key: str, sizes: object) -> int:
    """A number, or one for each of 1 to 3 dimensions."""
    if not isinstance(sizes, (list, tuple)):
        return _whole(key, sizes, least=1)
    if not 1 <= len(sizes) <= 3:
        raise Refused(f"'{key}' must have 1 to 3 dimensions, not {len(sizes)}")
    product = 1
    for size in sizes:
        product *= _whole(key, size, least=1)
    return _whole(key, product)


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
