"""Completion inside `// occupancy: …` comments."""

from __future__ import annotations

from typing import Literal

from occupancy_lsp.core.regex import regex
from occupancy_lsp.features.answers import Completion
from occupancy_lsp.model.device import Device
from occupancy_lsp.rules.registry import RULES
from occupancy_lsp.session.view import View
from occupancy_lsp.source.lower.annotation_comments import KEYS, WORDS

_COMMENT = regex(rb"(?://|/\*|#)[/*!\s]*occupancy:[ \t]*(?P<said>[^\r\n]*)\Z")
_CODES = regex(rb"ignore(?:-file)?\[[^\]]*?(?P<word>\w*)\Z")
_DEVICE = regex(rb"(?:device=|\bon\s+(?:[\w-]+\s*,\s*)*)(?P<word>[\w-]*)\Z")
_WORD = regex(rb"(?:\A|\s)(?P<word>[\w-]*)\Z")


def completions(view: View, offset: int) -> list[Completion]:
    line = view.text.line_start(view.text.line_of(offset))
    match = _COMMENT.search(view.text.content[line:offset])
    if not match:
        return []
    said = match["said"]
    for pattern, offer in ((_CODES, _codes), (_DEVICE, _devices), (_WORD, _words)):
        if found := pattern.search(said):
            start = offset - len(found["word"])
            return [Completion(label, start, offset, new, detail, kind) for label, new, detail, kind in offer(view)]
    return []


_Offer = tuple[str, str, str, Literal["keyword", "value"]]  # label, what to insert, detail, kind


def _codes(view: View) -> list[_Offer]:
    return [(rule.code, rule.code, rule.summary, "value") for rule in RULES]


def _devices(view: View) -> list[_Offer]:
    chosen: list[Device] = list(view.devices)
    return [(device.id, device.id, f"{device.name}, {device.arch.id}", "value") for device in chosen]


def _words(view: View) -> list[_Offer]:
    keys: list[_Offer] = [(key, f"{key}=", detail, "keyword") for key, detail in KEYS.items()]
    new = {"expect": "expect >= ", "ignore": "ignore[", "ignore-file": "ignore-file[", "device": "device="}
    return keys + [(word, new.get(word, word), detail, "keyword") for word, detail in WORDS.items()]
