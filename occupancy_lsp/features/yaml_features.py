"""Completion and hover in `.occupancy.yaml` and in sidecars."""

from __future__ import annotations

import re
from pathlib import Path

from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.formats import sidecar
from occupancy_lsp.devices.catalogue import Catalogue
from occupancy_lsp.features.answers import Completion, Hover
from occupancy_lsp.features.prose import prose
from occupancy_lsp.rules.registry import RULES
from occupancy_lsp.settings import BUDGET_KEYS, FILE_KEYS, FILE_NAME

_SETTINGS = {it.name: it.about for it in FILE_KEYS}
_SIDECAR = {it.name: it.about for it in sidecar.KEYS}
_INNER = {
    "launch": {it: _SIDECAR[it] for it in ("block", "dynamic_shared")},
    "budgets": {it.name: it.about for it in BUDGET_KEYS},
    "assume": {"block": _SIDECAR["block"]},
}
_SEVERITIES = ("off", "hint", "information", "warning", "error")
_ABOVE = regex(rb"^(\w+)[ \t]*:", re.MULTILINE)
_KEY = regex(rb"\s*(?P<word>\w*)\Z")
# Within a list of mappings: where a key may stand, and where the devices of one do.
_LISTED_KEY = regex(rb"\s+(?:-\s*)?(?:\{(?:[^\]\[]|\[[^\]]*\])*[{,]\s*|\{\s*)?(?P<word>\w*)\Z")
_LISTED_DEVICES = regex(rb".*\bdevices\s*:\s*\[?[^\]:]*\Z")
_LISTED_WORD = regex(rb"[\w-]+(?=\s*:)")
_WORD = regex(rb"(?P<word>[\w-]*)\Z")


def completions(path: Path | None, text: Text, offset: int) -> list[Completion]:
    if path is None:
        return []
    line = text.line_start(text.line_of(offset))
    before = text.content[line:offset]
    word = _WORD.search(before)
    start = offset - len(word["word"] if word else b"")
    if path.name == FILE_NAME and before[:1].isspace() and _above(text, line) == "budgets":
        return _of_budget(before, start, offset)
    if key := _KEY.fullmatch(before):
        keys = _keys(path, key, _above(text, line))
        return [Completion(name, start, offset, f"{name}: ", detail, "keyword") for name, detail in keys.items()]
    values = _values(before) if path.name == FILE_NAME else []
    return [Completion(value, start, offset, value, detail, "value") for value, detail in values]


def _above(text: Text, line: int) -> str:
    """The key at the margin that a line belongs to."""
    above = _ABOVE.findall(text.content, 0, line)
    return above[-1].decode() if above else ""


def _of_budget(before: bytes, start: int, end: int) -> list[Completion]:
    if _LISTED_DEVICES.match(before):
        return [Completion(value, start, end, value, detail, "value") for value, detail in _devices()]
    if not _LISTED_KEY.fullmatch(before):
        return []
    return [Completion(it.name, start, end, f"{it.name}: ", it.about, "keyword") for it in BUDGET_KEYS]


def hover(path: Path | None, text: Text, offset: int) -> Hover | None:
    if path is None:
        return None
    line = text.line_of(offset)
    start = text.line_start(line)
    if path.name == FILE_NAME and (found := _budget_key(text, line, offset)):
        return found
    match = re.match(rb"\s*-?\s*([\w-]+)", text.content[start : text.line_end(line)])
    known = {**_SETTINGS, **_SIDECAR, **{rule.code: rule.summary for rule in RULES}}
    if not match or not start + match.start(1) <= offset <= start + match.end(1):
        return None
    meaning = known.get(match[1].decode())
    return Hover(start + match.start(1), start + match.end(1), prose(meaning)) if meaning else None


def _budget_key(text: Text, line: int, offset: int) -> Hover | None:
    start = text.line_start(line)
    row = text.content[start : text.line_end(line)]
    if not row[:1].isspace() or _above(text, start) != "budgets":
        return None
    meanings = _INNER["budgets"]
    for match in _LISTED_WORD.finditer(row):
        first, last = start + match.start(), start + match.end()
        if first <= offset <= last and (meaning := meanings.get(match[0].decode())):
            return Hover(first, last, prose(meaning))
    return None


def _keys(path: Path, match: re.Match[bytes], above: str) -> dict[str, str]:
    """A key at the margin is one of the file's own; an indented one belongs to the key `above` at the margin."""
    if path.name != FILE_NAME:
        return _SIDECAR
    if not match[0][:1].isspace():
        return _SETTINGS
    return _INNER.get(above) or {rule.code: rule.summary for rule in RULES}


def _values(before: bytes) -> list[tuple[str, str]]:
    if re.match(rb"\s*OCC\d+\s*:", before):
        return [(severity, "") for severity in _SEVERITIES]
    if before.lstrip().startswith((b"devices", b"-")):
        return _devices()
    return []


def _devices() -> list[tuple[str, str]]:
    return [(device.id, f"{device.name}, {device.arch.id}") for device in Catalogue().all()]
