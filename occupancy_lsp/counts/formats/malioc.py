"""What Arm's Mali Offline Compiler says with `--format json`, schema "performance".

Properties: what malioc 7 writes. Work registers are of 32 bits, of 128 on Midgard. A
shader is called as its file is, for the report has no entry point. Its share of threads (thread_occupancy) is malioc's
own figure and follows from the registers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.usage import Reading, Remark, Usage

_PRODUCER = b'"Mali Offline Compiler"'
_VARIANT = "Main"  # the others are parts of vertex shaders
_MOST = 100_000_000
_MOST_TOLD = 200
# By core: those of the presets that have it.
_ARCHS = {
    "mali-g31": ("mali-g31-core",),
    "mali-g51": ("mali-g51-core",),
    "mali-g52": ("mali-g52-core", "mali-g52-2ee-core"),
    "mali-g76": ("mali-g76-core",),
    **dict.fromkeys(("mali-g71", "mali-g72"), ("mali-g71-g72",)),
    **dict.fromkeys(("mali-g57", "mali-g68", "mali-g77", "mali-g78"), ("mali-valhall",)),
    **{f"mali-t{number}": ("mali-midgard",) for number in (720, 760, 820, 830, 860, 880)},
}


def looks_like(data: bytes) -> bool:
    return _PRODUCER in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each shader and architecture. Never raises."""
    try:
        report = json.loads(data)
    except (ValueError, RecursionError) as error:
        return Reading(problems=(Problem(path, 0, 0, f"not JSON, not read: {error}"),))
    shaders = [shader for shader in _list(report, "shaders") if isinstance(shader, dict)]
    problems = (
        Problem(path, 0, 0, f"{_name(it)}: malioc says: {text}") for it in shaders for text in _texts(it, "errors")
    )
    return Reading(
        tuple(usage for shader in shaders for usage in _usages(shader, path)),
        tuple(problems)[:_MOST_TOLD],
        tuple(remark for shader in shaders for remark in _remarks(shader, path))[:_MOST_TOLD],
    )


def _usages(shader: dict[str, Any], path: str) -> Iterator[Usage]:
    found = _properties(shader)
    registers = _count(found, "work_registers_used")
    if registers is None:
        return
    for arch in _archs(shader):
        yield Usage(
            _name(shader),
            "compiled",
            path,
            0,
            arch,
            registers=registers,
            static_local=_count(found, "shared_storage_size"),
            stack=_count(found, "stack_size"),
        )


def _remarks(shader: dict[str, Any], path: str) -> Iterator[Remark]:
    for text in _texts(shader, "warnings"):
        yield Remark(text, path, 0, _name(shader))
    found = _properties(shader)
    if found.get("has_stack_spilling") is True:
        spilled = _count(found, "stack_spill_bytes")
        size = f"{spilled} bytes of registers" if spilled else "registers"
        yield Remark(f"spills {size} per thread to the stack", path, 0, _name(shader))


def _properties(shader: dict[str, Any]) -> dict[str, Any]:
    """Of the variant that computes, by name."""
    variants = [variant for variant in _list(shader, "variants") if isinstance(variant, dict)]
    main = next((variant for variant in variants if variant.get("name") == _VARIANT), {})
    pairs = [pair for pair in _list(main, "properties") if isinstance(pair, dict)]
    return {pair["name"]: pair.get("value") for pair in pairs if isinstance(pair.get("name"), str)}


def _archs(shader: dict[str, Any]) -> tuple[str, ...]:
    """Of the core. None where the report does not say it."""
    hardware = shader.get("hardware")
    core = hardware.get("core") if isinstance(hardware, dict) else None
    return archs_of(core) if isinstance(core, str) and core else ()


def archs_of(core: str) -> tuple[str, ...]:
    """`Mali-G78`: itself, which is no preset's name, where none is known."""
    return _ARCHS.get(canonical(core), (canonical(core),))


def _name(shader: dict[str, Any]) -> str:
    return str(shader.get("filename") or "shader").replace("\\", "/").rsplit("/", 1)[-1][:4096]


def _texts(shader: dict[str, Any], key: str) -> list[str]:
    return [text[:500] for text in _list(shader, key) if isinstance(text, str)]


def _list(value: Any, key: str) -> list[Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def _count(found: dict[str, Any], name: str) -> int | None:
    value = found.get(name)
    return value if type(value) is int and 0 <= value <= _MOST else None
