"""The options of compilers that choose how device code is made: AMD's waves and CU mode, Intel's registers.

Checked with clang 22 (the last of several counts; `-Xarch_host` is for the host). Not every ocloc takes every spelling
of Intel's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex


@dataclass(frozen=True, slots=True)
class CodeMode:
    """None: the compiler's default. `wave`: threads. `mode`: "cu" or "wgp". `grf`: registers of a hardware thread."""

    wave: int | None = None
    mode: str | None = None
    grf: int | None = None


DEFAULT = CodeMode()
_PLAIN = (DEFAULT,)
_AMD = regex(r"-m(no-)?(?:(wavefrontsize64)|(cumode))")
_FEATURE = regex(r"([+-])(?:wavefrontsize(32|64)|(cumode))")
_INTEL = regex(
    r"-(?:cl|ze)-(?:opt-|intel-|exp-)*(?:(?P<registers>\d{2,3})-GRF-per-thread|register-file-size=(?P<size>\d{2,3})"
    r"|(?P<large>large-register-file)|(?P<auto>enable-auto-large-GRF-mode))"
)
_LARGE = 256
_OPTIONS = ("-options", "--options", "-internal_options")  # of ocloc: its value is a command of its own
# One of them stands in every option that says something here.
_SAID = ("wavefrontsize", "cumode", "GRF-", "register-file")
MARKS = tuple(it.encode() for it in _SAID)
_WORD = regex(rb"[-+][\w+=-]*(?:wavefrontsize|cumode|GRF-|register-file)[\w=-]*")


def code_modes(arguments: Sequence[str]) -> tuple[CodeMode, ...]:
    """The ways in which code may be made by these options; several where the driver is left to choose."""
    if not any(it in " ".join(arguments) for it in _SAID):  # a large project has 100,000 commands
        return _PLAIN
    found = CodeMode()
    chosen = False
    for word in _for_device(arguments):
        if (amd := _AMD.fullmatch(word)) is not None:
            if amd[2]:
                found = replace(found, wave=32 if amd[1] else 64)
            else:
                found = replace(found, mode="wgp" if amd[1] else "cu")
        elif (feature := _FEATURE.fullmatch(word)) is not None:
            found = _with_feature(found, feature)
        elif (intel := _INTEL.fullmatch(word)) is not None:
            chosen = chosen or intel["auto"] is not None
            if not intel["auto"]:
                found = replace(found, grf=_LARGE if intel["large"] else int(intel["registers"] or intel["size"]))
    return (found, replace(found, grf=_LARGE)) if chosen and found.grf is None else (found,)


def _with_feature(found: CodeMode, feature: re.Match[str]) -> CodeMode:
    """`-target-feature +cumode`. That there are no waves of 32 says the less that there are such of 64: clang makes
    those of 32 all the same."""
    wanted = feature[1] == "+"
    if feature[3]:
        return replace(found, mode="cu" if wanted else "wgp")
    return replace(found, wave=int(feature[2])) if wanted else found


def _for_device(arguments: Sequence[str]) -> Iterator[str]:
    rest = iter(arguments)
    for argument in rest:
        if argument == "-Xarch_host":
            next(rest, None)
        elif argument in _OPTIONS:
            yield from next(rest, "").split()
        else:
            yield argument.removeprefix("-Wf,")


def words_in(text: bytes) -> list[str]:
    """All that may be such options."""
    return [it.decode("ascii") for it in _WORD.findall(text)] if any(it in text for it in MARKS) else []


def every_mode(commands: Iterable[Sequence[str]]) -> tuple[CodeMode, ...]:
    return tuple(dict.fromkeys(mode for it in commands for mode in code_modes(it)))
