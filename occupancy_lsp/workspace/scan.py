"""What one source file says of others: its includes, its kernels and what it launches. Nothing is parsed.

Each look is for a literal that few places hold, then at a few bytes around it. What stands in a comment, a string or a
branch of `#if` not taken may be reported too: an entry says which files are worth reading, not what is true of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.incremental.active_text import possibly_active_text
from occupancy_lsp.source.lex.non_code_patterns import without_comments_and_strings
from occupancy_lsp.source.lower.carveout_mentions import carveout_mentions
from occupancy_lsp.source.lower.local_memory_opt_ins import may_opt_in
from occupancy_lsp.source.lower.preprocessor_directives import MADE_INTO_STRING
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines
from occupancy_lsp.source.preprocessor.conditional_includes import optional_includes
from occupancy_lsp.workspace.host_macros import (
    builds_in_python,
    builds_programs,
    compiles_in_python,
    host_macros,
    macros_in_python,
)
from occupancy_lsp.workspace.program_options import options_in_python, program_options

_REACH = 2000  # bytes around a word in which a kernel's name, a call's arguments, template arguments must end
_BEFORE = 200  # bytes before a word in which its line must begin

_SPACE = b" \t\r\n\f\v\\"  # a backslash joins the lines of a macro
_NAME = regex(rb"[A-Za-z_]\w*")
_INCLUDE = regex(rb'#[ \t]*include[ \t]*(?:"([^"\r\n\0]+)"|<([^>\r\n\0]+)>|%b)' % MADE_INTO_STRING)
# What is before a word is asked behind it: so its letters stay the pattern's beginning, which `re` finds quickly.
_KERNEL_WORDS = (
    regex(rb"__global__"),
    regex(rb"__kernel\b"),
    regex(rb"kernel(?<!\wkernel)\s+(?=void\b|__attribute__)"),
)
_COMMENT = rb"//[^\n]*|/\*(?:.*?\*/|.*)"
_COMMENTS = regex(_COMMENT, re.DOTALL)
_TOKEN = regex(rb"%b|\n[ \t]*#[^\n]*|(?P<name>[A-Za-z_]\w*)|\d[\w.]*|(?P<mark>[(){};=<>])" % _COMMENT, re.DOTALL)
_TRIPLE = regex(rb"<<<(?!<)")
_BRACKET = regex(rb"[<>(){};]")
_NAME_BACKWARDS = regex(rb"\w*[A-Za-z_]")
_FIRST_ARGUMENT = regex(rb"LaunchKernelGGL\s*\((?:[\s(\\&:]|HIP_KERNEL_NAME\b)*(?:\w+\s*::\s*)*([A-Za-z_]\w*)")
_CALL_PARTS = (b"LaunchKernel", b"LaunchCooperativeKernel", b"FuncSetAttribute", b"OccupancyMaxPotentialBlockSize")
_CALL = regex(rb"(?:cuda|cu|hip|hipExt)(?:%b)(?!GGL)\w{0,40}\s*\(" % b"|".join(_CALL_PARTS))
# Of functions and macros that may launch a kernel that they are given.
_HANDING = tuple(
    regex(rb"%b\w{0,60}\s{0,9}(?:<[^;(){}<>]{0,200}>\s{0,9})?\(" % word)
    for word in (b"aunch", b"LAUNCH", b"ernel", b"KERNEL")
)
_VENDORS = regex(rb"(?<!\w)(?:hip|cuda|cu|cl)[A-Z]\w*\Z")  # theirs are looked at apart
_GIVEN = regex(rb"[(,][\s(&\\]{0,200}(?:\w{1,99}::){0,9}([A-Za-z_]\w*)\s{0,99}(?=[<,)])")
_ASSIGNS = regex(rb"=(?<![=!<>+*/%&|^-]=)(?!=)")
_PAREN = regex(rb"[()]")
OPT_IN = "opt-in"  # among `Entry.objects`: it may let kernels have more local memory
# The words of the ways to launch a kernel whose name the text need not have.
OBJECTS = {
    "program": (b"clEnqueueNDRangeKernel", b"clEnqueueTask", b"enqueueNDRangeKernel", b"KernelFunctor", b"make_kernel"),
    "module": (b"cuModuleGetFunction", b"hipModuleGetFunction", b"cuLibraryGetKernel"),
}
PROGRAM = "main"  # among `Entry.objects`: it is surely a program of its own
_MAIN_NAMED = regex(rb"main(?<!\wmain)\s*\(")
_OUTER = regex(
    rb"^[ \t]*#[ \t]*(?P<word>if|endif)?(?:[^\\\n]|\\.)*|(?P<mark>[{}])"
    rb"|\bint\s+(?P<main>main)\s*\([^;{}#]{0,500}\)\s*(?:noexcept\s*|try\s*)?(?=\{)",
    re.MULTILINE | re.DOTALL,
)
ALL = "*"  # among `Entry.carve_outs`: of all kernels
ANY = "*"  # among `Entry.launches`: kernels of names that macros make
_CREATE = regex(rb'clCreateKernel\s*\([^";]{0,500}"(\w+)"')
_QUOTED = regex(rb'"(?:\w{1,99}::){0,9}([A-Za-z_]\w{0,99})"')


@dataclass(frozen=True, slots=True)
class Entry:
    """`includes`: each as written, and whether in quotes. `launches`: also what is named where kernels are configured.

    Names are without namespaces; every tuple is sorted and says a thing once. Among `launches` may be `ANY`.
    """

    includes: tuple[tuple[str, bool], ...]
    kernels: tuple[str, ...]
    launches: tuple[str, ...]
    lines: int
    mentions_kernels: bool
    aliases: tuple[str, ...]  # definitions of macros that stand for annotations
    builds: bool = False  # OpenCL programs
    given: tuple[str, ...] = ()  # the macros that it may define for them
    objects: tuple[str, ...] = ()  # as which it may launch kernels of others, or `OPT_IN`, or `PROGRAM`
    carve_outs: tuple[str, ...] = ()  # whose share of a unit's memory it may lower: names, "", or `ALL`
    optional: tuple[str, ...] = ()  # of what it includes, that which some macro has to ask for
    options: tuple[str, ...] = ()  # as `program_options`


def scan_file(content: bytes, opencl: bool = False) -> Entry:
    marks = sorted(match.start() for word in _KERNEL_WORDS for match in word.finditer(content))
    return Entry(
        includes=tuple(sorted(set(_includes(content)))),
        kernels=_unique(_kernels(content, marks)),
        launches=_unique(_launches(content)),
        lines=content.count(b"\n") + (not content.endswith(b"\n") and bool(content)),
        mentions_kernels=bool(marks),
        aliases=macro_summary_lines(content),
        builds=builds_programs(content),
        given=host_macros(content, opencl),
        objects=tuple(_objects(content)),
        carve_outs=tuple(sorted({ALL if it.kernel is None else it.kernel for it in carveout_mentions(content)})),
        optional=tuple(sorted(optional_includes(content))),
        options=program_options(content),
    )


def scan_python(content: bytes) -> Entry:
    """Return what a file in Python says: no more than what it, or one that imports it, may give to programs."""
    builds = builds_in_python(content)
    given = macros_in_python(content) if builds or compiles_in_python(content) else ()
    return Entry((), (), (), 0, False, (), builds=builds, given=given, options=options_in_python(content, builds))


def _objects(content: bytes) -> Iterator[str]:
    yield from (kind for kind, words in OBJECTS.items() if any(it in content for it in words))
    if may_opt_in(content) and may_opt_in(possibly_active_text(content)):
        yield OPT_IN
    if _MAIN_NAMED.search(content) and _defines_main(without_comments_and_strings(content)):
        yield PROGRAM


def _defines_main(code: bytes) -> bool:
    """Whether there is one outside of all braces, conditions and macros."""
    braces = conditions = 0
    for match in _OUTER.finditer(code):
        if match["main"] and braces == conditions == 0:
            return True
        braces += {b"{": 1, b"}": -1}.get(match["mark"], 0)
        conditions += {b"if": 1, b"endif": -1}.get(match["word"], 0)
    return False


def _unique(names: Iterator[bytes]) -> tuple[str, ...]:
    return tuple(sorted({name.decode() for name in names}))


def _includes(content: bytes) -> Iterator[tuple[str, bool]]:
    for match in _INCLUDE.finditer(content):
        before = content[max(0, match.start() - _BEFORE) : match.start()].rstrip(b" \t\f\v")
        if not before or before.endswith((b"\n", b"\r", b"*/", b"\xef\xbb\xbf")):
            text = match[1] or match[2] or match[3]
            yield text.decode("utf-8", "surrogateescape"), match[2] is None


# -- kernels


def _kernels(content: bytes, marks: list[int]) -> Iterator[bytes]:
    for at, after in pairwise((*marks, len(content))):
        # No byte is looked at for two marks: a hostile file takes no longer than another.
        if not _in_comment(content, at) and (name := _declared(content, at, min(after, at + _REACH))):
            yield name


def _in_comment(content: bytes, at: int) -> bool:
    """Of those comments that a look at the line tells."""
    line = content[max(0, at - _BEFORE) : at].rpartition(b"\n")[2]
    return b"//" in line or line.lstrip().startswith((b"*", b"/*"))


def _declared(content: bytes, start: int, stop: int) -> bytes | None:
    """The last name before parentheses that is not an attribute's, in a declaration that starts here."""
    name = found = None
    parens = angles = 0
    for token in _TOKEN.finditer(content, start, stop):
        match token["mark"]:
            case None:
                if token["name"] and not parens and not angles:
                    name = token[0]
            case b"(":
                if not parens and not angles and name and not _is_attribute(name):
                    found = name
                parens += 1
            case b")":
                parens -= 1
            case _ if parens > 0:
                pass
            case b"<":
                angles += 1
            case b">":
                angles -= 1
            case _:
                break
    return found


def _is_attribute(name: bytes) -> bool:
    return (name.startswith(b"__") and name.endswith(b"__")) or name in (b"__declspec", b"alignas", b"decltype")


# -- launches


def _launches(content: bytes) -> Iterator[bytes]:
    held: set[bytes] = set()  # names that are launched: some may be variables
    last = 0
    for match in _TRIPLE.finditer(content):
        before = content[max(last, match.start() - _REACH) : match.start()]
        if name := _name_before(before):
            held.add(name)
        if name is None or (b"define" in content and re.search(rb"#[ \t]*define[ \t]+%b\b" % name, content)):
            held.add(ANY.encode())
        last = match.end()
    held.update(match[1] for match in _FIRST_ARGUMENT.finditer(content))
    yield from (match[1] for match in _CREATE.finditer(content))
    if any(part in content for part in _CALL_PARTS):
        held.update(_arguments(content))
    held.update(_handed(content))
    yield from held
    yield from _assigned(content, held)


def _handed(content: bytes) -> Iterator[bytes]:
    """Every name that is an argument, in quotes or not, or begins one, of the calls whose name has one of the words."""
    found = (it for word in _HANDING for it in word.finditer(content))
    calls = sorted(it.end() for it in found if not _VENDORS.search(content, max(0, it.start() - 30), it.start()))
    for at, after in pairwise((*calls, len(content))):
        end = _closing(content, at, min(after, at + _REACH))
        yield from (match[1] for match in _GIVEN.finditer(content, at - 1, end + 1))
        yield from (match[1] for match in _QUOTED.finditer(content, at, end))


def _assigned(content: bytes, held: set[bytes]) -> Iterator[bytes]:
    """Every name in what is assigned to the names."""
    end = 0
    for match in _ASSIGNS.finditer(content) if held else ():
        if match.end() < end:
            continue
        name = _NAME_BACKWARDS.match(content[max(0, match.start() - _BEFORE) : match.start()].rstrip(_SPACE)[::-1])
        if name is not None and name[0][::-1] in held:
            end = content.find(b";", match.end(), match.end() + _REACH)
            end = match.end() if end < 0 else end
            yield from (name[0] for name in _NAME.finditer(content, match.end(), end))


def _name_before(text: bytes) -> bytes | None:
    """The name at the end of `text`, or before the template arguments there."""
    backwards = _COMMENTS.sub(b" ", text).rstrip(_SPACE)[::-1]
    if backwards.startswith(b">"):
        backwards = backwards[_opening(backwards) :].lstrip(_SPACE)
    name = _NAME_BACKWARDS.match(backwards)
    return name[0][::-1] if name else None


def _opening(backwards: bytes) -> int:
    """Behind the `<` of the `>` that reversed text starts with, or its end."""
    parens = angles = 0
    for match in _BRACKET.finditer(backwards):
        mark = match[0]
        if mark in b"()":
            parens += 1 if mark == b")" else -1
        elif mark in b"{};" or parens < 0:
            break
        elif parens == 0:
            angles += 1 if mark == b">" else -1
            if angles == 0:
                return match.end()
    return len(backwards)


def _arguments(content: bytes) -> Iterator[bytes]:
    """Every name in the arguments of the calls that take a kernel anywhere among them."""
    calls = [match.end() for match in _CALL.finditer(content)]
    for at, after in pairwise((*calls, len(content))):
        end = _closing(content, at, min(after, at + _REACH))
        yield from (match[0] for match in _NAME.finditer(content, at, end))


def _closing(content: bytes, start: int, stop: int) -> int:
    depth = 1
    for match in _PAREN.finditer(content, start, stop):
        depth += 1 if match[0] == b"(" else -1
        if depth == 0:
            return match.start()
    return stop
