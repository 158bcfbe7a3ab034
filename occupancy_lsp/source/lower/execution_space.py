"""Functions that only a host can call, by what their heads say.

Code on a device may call `__device__` and, with an option of the compiler, `constexpr` functions ("Function Execution
Space Specifiers" of the CUDA Programming Guide; clang's "CUDA support" for HIP). A head with a word out of sight says
nothing: it may be a macro that stands for an annotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Space
from occupancy_lsp.source.syntax.blanking import AnnotationMark, MaskedCode

_OF_HOSTS = ("__host__", "__inline__", "__forceinline__", "__noinline__", "__restrict__", "__align__", "alignas")
_LONGEST = 2000  # bytes
_ANGLES = regex(rb"<[^<>]*>")
_STANDARD = regex(rb"\[\[\s*(?:nodiscard|maybe_unused|noreturn|deprecated(?:\(\"\s*\"\))?)\s*\]\]")
_SILENT = frozenset(
    b"inline static virtual explicit friend extern const volatile typename struct class enum union template public"
    b" private protected noexcept override final mutable register".split()
)
_FUNDAMENTAL = frozenset(b"void bool char short int long float double signed unsigned auto wchar_t".split())
_WORD = regex(rb"(?:::)?[A-Za-z_]\w*(?:\s*::\s*~?[A-Za-z_]\w*)*")
_MACRO = regex(rb"[A-Z][A-Z0-9_]+")  # as macros are named, which may stand for a type with its annotations
_OF_DEVICE = regex(rb"\b__(?:device|global)__\b")
_DEVICE = regex(rb"\b(?:__device__|__attribute__\s*\(\(\s*device\b)")
_HOST = regex(rb"\b(?:__host__|__attribute__\s*\(\(\s*host\b)")
_ANNOTATION = regex(rb"\b[A-Z][A-Z0-9_]{2,}\b(?!\s*::)")  # a macro that may stand for one
_RESULT = regex(rb"->[\w\s:*&]+\Z")
_INITIAL = regex(rb"(?<!:):(?!:).*\Z", re.DOTALL)


def is_host_only_function(
    masked: MaskedCode, head: Span, name: Span, parameters: Span, marks: Iterable[AnnotationMark], typed: bool
) -> bool:
    """`typed`: it has a type before its name, as all but constructors and the like."""
    if any(_may_mark_device_function(masked, mark) for mark in marks):
        return False
    return is_plain_declaration_start(masked.code[head.start : name.start], typed) and _is_plain_declaration_end(
        masked.code[parameters.end : head.end]
    )


def execution_space(annotations: Iterable[bytes]) -> Space:
    """Return where a function runs by its annotations; a macro that may stand for some says nothing."""
    said = b" ".join(annotations)
    if _DEVICE.search(said) is None:
        return "host"
    return "both" if _HOST.search(said) is not None else "device"


def may_be_device_function(head: bytes) -> bool:
    """Whether what stands before a function's name says so, or has a macro that may say so."""
    return _OF_DEVICE.search(head) is not None or _ANNOTATION.search(_ANGLES.sub(b" ", head)) is not None


def _may_mark_device_function(masked: MaskedCode, mark: AnnotationMark) -> bool:
    """Or may be, as macros with arguments may."""
    if mark.name == "__attribute__":
        said = masked.plain[mark.start : mark.end]
        return b"device" in said or b"global" in said
    return not mark.silent and mark.name not in _OF_HOSTS


def is_plain_declaration_start(text: bytes, typed: bool) -> bool:
    """Whether nothing but a type and words without a say in it stands before the name."""
    if len(text) > _LONGEST:
        return False
    text = _STANDARD.sub(b" ", text.lstrip(b" \t\r\n{")).replace(b'"C"', b" ")
    while _ANGLES.search(text):
        text = _ANGLES.sub(b" ", text)
    words = [it for it in _WORD.findall(text) if it not in _SILENT]
    if _WORD.sub(b"", text).strip(b" \t\r\n*&:") or b"constexpr" in words:
        return False
    named = [it for it in words if it not in _FUNDAMENTAL]
    if not typed or len(named) < len(words):
        return not named
    return len(named) <= 1 and not any(map(_MACRO.fullmatch, named))


def _is_plain_declaration_end(text: bytes) -> bool:
    """Whether nothing unknown stands behind the parameters."""
    bare = _RESULT.sub(b"", _INITIAL.sub(b"", text).rstrip())
    return all(it in _SILENT for it in _WORD.findall(bare))
