"""The options with which OpenCL hosts build their programs, as far as they choose how code is made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import argument_spans
from occupancy_lsp.workspace.code_modes import words_in

_CALL = regex(rb"cl(?:Build|Compile)Program\s*(\()|(?:\.|->)\s*build\s*(\()")
_OBJECTS = (b"cl::Program", b"cl::compiler", b"CL/opencl.hpp", b"CL/cl2.hpp", b"CL/cl.hpp")  # whose `build` it is
_BUILDING = (b"clBuildProgram", b"clCompileProgram", *_OBJECTS)
_OPTIONS = 3  # its place among the arguments of C's functions
_REACH = 2000  # bytes of a call
_TOKEN = regex(rb'"(?:[^"\\\n]|\\.)*"|[()]', re.DOTALL)
_LITERALS = regex(rb'(?:\s*"(?:[^"\\\n]|\\.)*")+\s*', re.DOTALL)
_NONE = regex(rb"\s*(?:NULL|nullptr|0)\s*")
_PYTHON_CALL = regex(rb"\.\s*build\s*\(")
_STRING = rb"""(?:\s*(?:"[^"\\\n{]*"|'[^'\\\n{]*')\s*)"""
# None, strings, or a list of them; what else is given does not change the code.
_PYTHON_OPTIONS = regex(rb"\s*(?:options\s*=\s*)?(?:%b+|\[(?:%b+,?)*\s*\]\s*)?(?:\)|,\s*\w+\s*=)" % ((_STRING,) * 2))
_DEVICES = regex(rb"\s*\{[^\"]*\}\s*|\s*\w*[dD]ev\w*\s*")


def program_options(content: bytes) -> tuple[str, ...]:
    """Those of each call in one file, "" for none; and each that stands there, where a call's are not written in it.

    What is not among `MARKS` is left out. Sorted.
    """
    every = words_in(content)
    calls = [*_calls(content)] if any(it in content for it in _BUILDING) else []
    said = {it for it in calls if it is not None}
    if calls and len(said) == len({*calls}):
        return tuple(sorted(said))
    return tuple(sorted({*said, "", *every})) if calls or every else ()


def options_in_python(content: bytes, builds: bool) -> tuple[str, ...]:
    """Return the same of PyOpenCL's `program.build("…")`, `build(options=["…", "…"])`.

    Of a file that does not build by itself, each that stands there: others may import it.
    """
    every, said = words_in(content), set[str]()
    if not builds:
        return tuple(sorted({"", *every})) if every else ()
    for match in _PYTHON_CALL.finditer(content):
        given = _PYTHON_OPTIONS.match(content, match.end())
        text = content[match.end() : given.end()] if given is not None else b""
        said |= {" ".join(words_in(text))} if given is not None else {"", *every}
    return tuple(sorted(said or {"", *every}))


def _calls(content: bytes) -> Iterator[str | None]:
    """The options of each; None: they are made elsewhere."""
    methods = any(it in content for it in _OBJECTS)
    for match in _CALL.finditer(content):
        if match[2] and not methods:
            continue
        end = _closing(content, match.end())
        arguments = [content[start:stop] for start, stop in argument_spans(content, match.end(), end)] if end else []
        if match[1]:
            yield _said(arguments[_OPTIONS]) if len(arguments) > _OPTIONS else None
        else:
            yield _of_method(arguments)


def _of_method(arguments: list[bytes]) -> str | None:
    """`program.build(devices, "options")`, either alone or neither."""
    if not arguments or (len(arguments) == 1 and _DEVICES.fullmatch(arguments[0])):
        return ""
    return _said(arguments[0] if len(arguments) == 1 or not _DEVICES.fullmatch(arguments[0]) else arguments[1])


def _said(argument: bytes) -> str | None:
    if _NONE.fullmatch(argument):
        return ""
    return " ".join(words_in(argument)) if _LITERALS.fullmatch(argument) else None


def _closing(content: bytes, start: int) -> int:
    """Where the parenthesis before `start` closes; 0: nowhere near."""
    depth = 1
    for match in _TOKEN.finditer(content, start, start + _REACH):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if not depth:
            return match.start()
    return 0
