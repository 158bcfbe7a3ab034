"""What a comment `// occupancy: …` says. Reading never fails: what is not understood is a fault with its place."""

from __future__ import annotations

import re
from difflib import get_close_matches

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import DirectiveComment

KEYS = {
    "regs": "registers per thread, as the compiler reports them",
    "shared": "static shared memory per block, as the compiler reports it, such as 4KiB",
    "dynamic_shared": "dynamic shared memory per block at launch, such as 32KiB",
    "barriers": "barriers per block, as the compiler reports them: 1 for any number of __syncthreads()",
    "subgroup": "work-items per sub-group (SIMD width, wave) that the compiler builds for, such as 16",
    "block": "threads per block at launch, such as 256 or 16x16",
    "grid": "blocks of the launch, such as 1024 or 32x32",
    "flops": "floating-point operations, such as 2G, for the roofline; of a launch or of a thread, as bytes",
    "bytes": "bytes of global memory read and written, such as 12M, for the roofline",
    "precision": "of flops: fp32 (when left out), fp64, fp16_matrix, …",
}
PRECISIONS = tuple(f"{kind}{unit}" for unit in ("", "_matrix") for kind in ("fp64", "fp32", "tf32", "bf16", "fp16"))
WORDS = {
    "expect": "a contract that is checked: expect >= 50% on sm_90: reason",
    "intended": "silences advice: intended 1 block, reason",
    "ignore": "silences rules for the next kernel: ignore[OCC101] reason",
    "ignore-file": "silences rules in this file: ignore-file[OCC101] reason",
    "device": "the device for this file: device=h100",
}
METRICS = ("percent", "blocks_per_sm")

_OPENS = regex(rb"(//|/\*|#)[/*#!\s]*occupancy:[ \t]*\Z")
_PAIR = regex(r"([\w-]+)\s*=\s*([^\s,]+),?")
_EXPECT = regex(r"expect\s+(?:(\w+)\s*)?(>=|<=|==|>|<)\s*(\d+(?:\.\d+)?)\s*(%?)\s*(?:on\s+([\w, -]+))?$")
_IGNORE = regex(r"(ignore(?:-file)?)\s*\[([^\]]*)\]\s*(.*)$")
_INTENDED = regex(r"intended\b(?:\s+(\d+)\s+(?:blocks?|groups?|work-?groups?)\b)?(?:[\s:,;]+(?P<more>\D.*))?$")
_REASON = regex(r"\s*[:;]\s.*$")
_BYTES = regex(r"(\d+)\s*(KiB|KB|K|MiB|B)?$", re.IGNORECASE)
_DIMS = regex(r"(\d+)(?:x(\d+))?(?:x(\d+))?$")
_AMOUNT = regex(r"(\d+(?:\.\d+)?(?:e\+?\d+)?)([kMGTP]?)", re.ASCII)
_POWERS = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_MOST = 1e30
_AMOUNTS = ("flops", "bytes")
_SIZES = ("shared", "dynamic_shared")  # in bytes
_MAY_BE_0 = (*_SIZES, "barriers")
_UNITS = {"": 1, "b": 1, "k": 1024, "kb": 1024, "kib": 1024, "mib": 1 << 20}


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A person states a fact: `key` is one of KEYS; registers, bytes or threads."""

    span: Span
    key: str
    value: int


@dataclass(frozen=True, slots=True)
class Expectation:
    span: Span
    metric: str
    operator: str
    value: float
    devices: tuple[str, ...]  # empty: the selected device


@dataclass(frozen=True, slots=True)
class IntendedLimit:
    span: Span
    groups: int | None


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    span: Span
    codes: tuple[str, ...]
    reason: str
    whole_file: bool


@dataclass(frozen=True, slots=True)
class ForDevice:
    span: Span
    device: str


@dataclass(frozen=True, slots=True)
class InPrecision:
    span: Span
    precision: str  # one of PRECISIONS


@dataclass(frozen=True, slots=True)
class DirectiveFault:
    span: Span
    message: str


Directive = StatedFact | Expectation | IntendedLimit | IgnoreRule | ForDevice | InPrecision | DirectiveFault


_LONGEST = 2_000  # characters; what follows can only be a reason


def parse_bytes(text: str) -> int | None:
    match = _BYTES.match(text)
    return int(match[1]) * _UNITS[(match[2] or "").lower()] if match and len(text) < 24 else None


def parse_amount(text: str) -> float | None:
    """2000000, 2e6 or 2M: powers of 1000. None: no number above 0."""
    match = _AMOUNT.fullmatch(text) if len(text) <= 64 else None
    value = float(match[1]) * _POWERS[match[2]] if match else 0.0
    return value if 0 < value <= _MOST else None


def parse_threads(text: str) -> int | None:
    match = _DIMS.match(text)
    if not match or len(text) > 24:
        return None
    x, y, z = (int(part or 1) for part in match.groups())
    return x * y * z


def _parse_stated_fact(span: Span, key: str, text: str) -> Directive:
    if key == "device":
        return ForDevice(span, text)
    if key not in KEYS:
        near = get_close_matches(key, (*KEYS, "device"), 1)
        return DirectiveFault(span, f"unknown key '{key}'" + (f", did you mean '{near[0]}'?" if near else ""))
    if key == "precision" and text in PRECISIONS:
        return InPrecision(span, text)
    value = parse_threads(text) if key in ("block", "grid") else parse_bytes(text) if key in _SIZES else None
    if key in _AMOUNTS and (found := parse_amount(text)) is not None and found >= 1:
        value = int(found)
    if key in ("regs", "barriers", "subgroup") and text.isdecimal() and len(text) < 6:
        value = int(text)
    if value is None or (value == 0 and key not in _MAY_BE_0):
        return DirectiveFault(span, f"'{text}' is not a valid value for {key}: {KEYS[key]}")
    return StatedFact(span, key, value)


def _parse_key_value_pairs(text: str, span: Span) -> list[Directive]:
    found: list[Directive] = []
    at = 0
    while at < len(text):
        match = _PAIR.match(text, at)
        if not match:
            word = text[at:].split()[0]
            if at and word.split("[")[0] in WORDS:
                rest = span.start + len(text[:at].encode())
                return [*found, *read_directives(DirectiveComment(Span(rest, span.end), text[at:]))]
            near = get_close_matches(word, (*WORDS, *KEYS), 1)
            hint = f", did you mean '{near[0]}'?" if near else f"; expected one of {', '.join((*WORDS, *KEYS))}"
            return [*found, DirectiveFault(span, f"'{word[:40]}' is not understood{hint}")]
        # Comments are ASCII up to here or the columns are counted in characters: both count bytes before.
        before = len(text[: match.start()].encode())
        found.append(
            _parse_stated_fact(
                Span(span.start + before, span.start + before + len(match[0].encode())), match[1], match[2]
            )
        )
        at = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
    return found


def read_directives(comment: DirectiveComment) -> list[Directive]:
    text, span = comment.text.strip()[:_LONGEST], comment.span
    if match := _IGNORE.match(text):
        codes = tuple(code.strip().upper() for code in match[2].split(",") if code.strip())
        if not codes:
            return [DirectiveFault(span, "name the rules to ignore, such as ignore[OCC101]")]
        return [IgnoreRule(span, codes, match[3].strip(), match[1] == "ignore-file")]
    if text.split(None, 1)[:1] == ["expect"]:
        return [_parse_expectation(_REASON.sub("", text), span)]
    if re.match(r"intended\b", text):
        return _parse_intended_limit(text, span)
    return (
        _parse_key_value_pairs(text, span)
        if text
        else [DirectiveFault(span, f"empty directive; expected one of {', '.join((*WORDS, *KEYS))}")]
    )


def _parse_intended_limit(text: str, span: Span) -> list[Directive]:
    """What follows is the reason, or facts."""
    match = _INTENDED.match(text)
    if match is None:
        return [DirectiveFault(span, "write 'intended', or 'intended 1 block' and a reason")]
    groups = int(match[1]) if match[1] else None
    if not _PAIR.match(match["more"] or ""):
        return [IntendedLimit(span, groups)]
    at = span.start + len(text[: match.start("more")].encode())
    said = Span(span.start, span.start + len(text[: match.start("more")].rstrip().encode()))
    return [IntendedLimit(said, groups), *_parse_key_value_pairs(match["more"], Span(at, span.end))]


@remembered(256)
def parse_contract_setting(text: str) -> Expectation | None:
    """A contract of the settings, with or without the word `expect`; None: it cannot be read."""
    read = _parse_expectation("expect " + text.strip().removeprefix("expect").strip(), Span(0, 0))
    return read if isinstance(read, Expectation) else None


def _parse_expectation(text: str, span: Span) -> Directive:
    match = _EXPECT.match(text)
    metric = (match[1] or "percent") if match else ""
    if not match or metric not in METRICS or (metric == "percent") != bool(match[4] or match[1] == "percent"):
        return DirectiveFault(span, "write 'expect >= 50% on sm_90' or 'expect blocks_per_sm >= 4'")
    devices = tuple(name.strip() for name in (match[5] or "").split(",") if name.strip())
    return Expectation(span, metric, match[2], float(match[3]), devices)


def directive_removal_span(text: bytes, start: int, end: int) -> tuple[int, int]:
    """What goes when a directive goes: also its comment, if that says nothing else, and the line, if bare."""
    line, stop = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", end)
    stop = len(text) if stop < 0 else stop
    opening = _OPENS.search(text, line, start)
    if opening is None:  # something is said before it
        return len(text[:start].rstrip(b" \t,")), end
    closing = text.find(b"*/", end) if opening[1] == b"/*" else stop
    if closing < 0 or text[end:closing].strip():
        return start, end + len(text[end:]) - len(text[end:].lstrip(b" \t,"))
    first, last = opening.start(), closing + 2 * (opening[1] == b"/*")
    if text[line:first].strip() or text[last:stop].strip():
        return first, last
    return line, min(stop + 1, len(text))
