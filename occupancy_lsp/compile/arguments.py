"""A project's compile command → what of it counts for the device's code.

Kept is only what is known to be harmless: macros, folders and files to include, and flags of a fixed form. All else
is dropped: names of programs and plug-ins, outputs, the host's flags, whatever is not known. So a command says what a
kernel is compiled with, and nothing of what is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.compile_commands import Command
from occupancy_lsp.workspace.compile_flags import absolute, is_path, split_command

_MOST_ARGUMENTS = 50_000
_MOST_NESTED = 4
_MOST_TEXT = 100_000  # of one macro

_ORDINARY, _SYSTEM, _QUOTED = "-I", "-isystem", "-iquote"
_FOLDERS = {
    **dict.fromkeys(("-I", "--include-path", "--include-directory"), _ORDINARY),
    **dict.fromkeys(("-isystem", "--system-include"), _SYSTEM),
    "-iquote": _QUOTED,
}
_DEFINE, _UNDEFINE = ("-D", "--define-macro"), ("-U", "--undefine-macro")
_FILES = ("-include", "--pre-include", "--include")
_RESPONSE = ("--options-file", "-optf")
_PTXAS = ("-Xptxas", "--ptxas-options")
_FOR_DEVICE = "-Xarch_device"  # of clang, before an option for the device alone
_CODE = {
    **dict.fromkeys(("-gencode", "--generate-code"), "gencode"),
    **dict.fromkeys(("-arch", "--gpu-architecture"), "arch"),
    **dict.fromkeys(("-code", "--gpu-code"), "code"),
}
_RELOCATABLE = ("-dc", "--device-c")  # only without a word of what to make of it
# Flags whose value may stand in the next argument; they are joined to it with an equals sign.
_PARTED = regex(
    r"--?(?:std|maxrregcount|ftz|prec-div|prec-sqrt|fmad|rdc|relocatable-device-code|default-stream|Ofast-compile|Ofc"
    r"|dopt|sanitize|device-stack-protector|jump-table-density|jtd)"
)
_OF_NVCC = regex(
    r"""--?(?: std=(?:c|gnu)\+\+\w{1,4} | maxrregcount=[0-9]{1,4} | use_fast_math
    | (?:ftz|prec-div|prec-sqrt|fmad|rdc|relocatable-device-code|device-stack-protector)=(?:true|false)
    | (?:expt-)?(?:relaxed-constexpr|extended-lambda) | restrict | device-debug | extra-device-vectorization
    | default-stream=(?:legacy|null|per-thread) | (?:Ofast-compile|Ofc)=[a-z0-9]{1,5} | dopt=on | sanitize=memcheck
    | generate-line-info | lineinfo | extensible-whole-program | ewp | keep-device-functions
    | (?:jump-table-density|jtd)=[0-9]{1,3} )
    | -G""",
    re.VERBOSE | re.ASCII,
)
_OF_PTXAS = regex(
    r"""-O[0-4] | -g | --?(?: opt-level=[0-4] | O=[0-4]
    | (?:device-function-|func-)?maxrregcount=(?:[0-9]{1,4}|archmax|archmin)
    | (?:maxntid|minnctapersm)=[0-9]{1,4} | override-directive-values | (?:[df]lcm|[df]scm)=[a-z]{2}
    | (?:def|force)-(?:load|store)-cache=[a-z]{2} | device-debug | (?:Ofast-compile|Ofc)=[a-z0-9]{1,3}
    | (?:allow-expensive-optimizations|fmad|device-stack-protector|position-independent-code|pic)=(?:true|false)
    | disable-optimizer-const(?:ant)?s | (?:register-usage-level|regUsageLevel)=[0-9]{1,2} | dont-merge-basicblocks
    | no-bb-merge | return-at-end | ret-end | extensible-whole-program | ewp | sp-bounds-check
    | optimize-float-atomics | opt-fp-atomics | g(?:no)?-tensor-memory-access-check | g(?:no)?-tmem-access-check
    | legacy-bar-warp-wide-behavior | make-errors-visible-at-exit )""",
    re.VERBOSE | re.ASCII,
)
_VALUED_OF_PTXAS = regex(
    r"--?(?:opt-level|(?:device-function-|func-)?maxrregcount|maxntid|minnctapersm|[df][ls]cm"
    r"|(?:def|force)-(?:load|store)-cache|Ofast-compile|Ofc|allow-expensive-optimizations|fmad|device-stack-protector"
    r"|position-independent-code|pic|register-usage-level|regUsageLevel|split-compile)"
)
_OF_CLANG = regex(
    r"""-std=(?:c|gnu)\+\+\w{1,4} | -cl-std=[\w.+]{1,12} | -O(?:[0-3sz]|fast)?
    | -cl-(?:fast-relaxed-math|mad-enable|no-signed-zeros|unsafe-math-optimizations|finite-math-only|denorms-are-zero
      |single-precision-constant|opt-disable|uniform-work-group-size)
    | -f(?:no-)?(?:fast-math|unsafe-math-optimizations|finite-math-only|associative-math|reciprocal-math|signed-zeros
      |approx-func|math-errno|trapping-math|gpu-flush-denormals-to-zero|gpu-allow-device-init|unroll-loops
      |gpu-approx-transcendentals|offload-uniform-block|inline-functions|exceptions|rtti|strict-aliasing|vectorize
      |slp-vectorize)
    | -ffp-contract=(?:on|off|fast|fast-honor-pragmas) | -fdenormal-fp-math(?:-f32)?=[a-z,-]{2,40} | -funroll-loops
    | -m(?:no-)?(?:wavefrontsize64|cumode|tgsplit|unsafe-fp-atomics|sram-ecc|xnack|amdgpu-ieee)
    | -mcode-object-version=[4-6] | --gpu-max-threads-per-block=[0-9]{1,5}""",
    re.VERBOSE | re.ASCII,
)
_FEATURE = regex(r"([+-])(wavefrontsize64|cumode)")
_OFFLOAD = regex(r"--(?:offload|cuda-gpu)-arch=((?:,?gfx[0-9a-f]{3,4}(?::(?:xnack|sramecc)[+-]){0,2})+)")
_OF_LLVM = regex(r"--?amdgpu-[a-z0-9-]{1,60}(?:=[a-z0-9-]{1,20})?")
_MACRO = regex(r"([A-Za-z_]\w*(?:\([\w ,.]*\))?)(?:=([^\r\n\0]*))?")
_PASSED_ON = regex(r"-X[a-z_-]+|--(?:compiler|linker|archive|nvlink)-options|-o|-MF|-MT|-MQ|-ccbin|--compiler-bindir")


@dataclass(frozen=True, slots=True)
class Arguments:
    """Paths are absolute. A macro's text None: undefined. `architectures`: what `nvcc` is to compile for, in order."""

    flags: tuple[str, ...] = ()
    ptxas: tuple[str, ...] = ()  # options of ptxas
    llvm: tuple[str, ...] = ()
    folders: tuple[tuple[str, Path], ...] = ()  # -I, -isystem, -iquote or -idirafter, and the folder
    files: tuple[Path, ...] = ()  # included before the source
    macros: tuple[tuple[str, str | None], ...] = ()
    offload: tuple[str, ...] = ()  # AMD's targets that `clang` is to compile for: gfx90a:xnack-
    architectures: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (compute_80, (sm_80, sm_86))


def read_arguments(command: Command, read: Callable[[Path], str | None]) -> Arguments:
    """`read`: the text of a response file, or None where it is not to be read. Unknown arguments are dropped."""
    got = _Got(command.directory)
    for option, value in _options(_every(command, read)):
        got.take(option, value)
    return got.arguments()


def left_out(command: Command, read: Callable[[Path], str | None]) -> list[str]:
    """The arguments of which `read_arguments` keeps nothing, an option with its value."""
    dropped = []
    for option, value in _options(_every(command, read)):
        alone = _Got(command.directory)
        alone.take(option, value)
        if "lto_" in value or (alone.said == Arguments() and not alone.arch and not alone.codes):
            dropped.append(f"{option} {value}".rstrip())
    return dropped


def _every(command: Command, read: Callable[[Path], str | None]) -> list[str]:
    return list(_expanded(command.arguments[1:], command.directory, read))[:_MOST_ARGUMENTS]


def program_of(command: Command) -> str | None:
    """The compiler that is named, behind those that only keep its results."""
    named = iter(command.arguments)
    return next((it for it in named if os.path.basename(it).removesuffix(".exe") not in _LAUNCHERS), None)


_LAUNCHERS = ("ccache", "sccache", "distcc", "icecc")


def _expanded(
    arguments: Sequence[str], directory: str, read: Callable[[Path], str | None], depth: int = 0
) -> Iterator[str]:
    rest = iter(arguments)
    for argument in rest:
        name, _, value = argument.partition("=")
        named = argument[1:] if argument.startswith("@") else value if name in _RESPONSE else None
        if named == "":
            named = next(rest, "")
        if named is None:
            yield argument
        elif is_path(named) and depth < _MOST_NESTED:
            for path in named.split(",") if name in _RESPONSE else [named]:
                yield from _expanded(_words(read(absolute(directory, path))), directory, read, depth + 1)


def _words(text: str | None) -> list[str]:
    try:
        return split_command(text or "")[:_MOST_ARGUMENTS]
    except ValueError:
        return []


_JOINED = (_SYSTEM, _QUOTED, _ORDINARY, "-D", "-U")
_VALUED = frozenset((*_FOLDERS, *_DEFINE, *_UNDEFINE, *_FILES, *_PTXAS, *_CODE, "-mllvm"))


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each option with its value, "" for none: after a blank, after `=`, or at once. At last those of ptxas."""
    rest = (it for it in arguments if it != _FOR_DEVICE)
    handed: list[str] = []
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in _PTXAS:
            handed += (value if equals else next(rest, "")).split(",")
        elif argument in _VALUED:
            yield argument, next(rest, "")
        elif equals and name in _VALUED:
            yield name, value
        elif _PARTED.fullmatch(argument):
            yield f"{argument}={next(rest, '')}", ""
        elif _PASSED_ON.fullmatch(argument):
            yield argument, next(rest, "")
        elif joined := next((it for it in _JOINED if argument.startswith(it)), None):
            yield joined, argument[len(joined) :]
        else:
            yield argument, ""
    words = filter(None, handed)
    for word in words:
        yield _PTXAS[0], f"{word}={next(words, '')}" if _VALUED_OF_PTXAS.fullmatch(word) else word


class _Got:
    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.said = Arguments()
        self.arch = ""
        self.codes: list[str] = []

    def take(self, option: str, value: str) -> None:
        said = self.said
        if option in _FOLDERS:
            # Only nvcc has the long name, and it takes a list.
            named = value.split(",") if option == "--include-path" else [value]
            found = tuple((_FOLDERS[option], absolute(self.directory, it)) for it in named if is_path(it))
            self.said = replace(said, folders=(*said.folders, *found))
        elif option in _FILES:
            named = [it for it in value.split(",") if is_path(it)]
            self.said = replace(said, files=(*said.files, *(absolute(self.directory, it) for it in named)))
        elif option in (*_DEFINE, *_UNDEFINE):
            if (match := _MACRO.fullmatch(value)) and len(value) <= _MOST_TEXT:
                text = None if option in _UNDEFINE else match[2] if match[2] is not None else "1"
                self.said = replace(said, macros=(*said.macros, (match[1], text)))
        elif option in _PTXAS:
            if _OF_PTXAS.fullmatch(value):
                self.said = replace(said, ptxas=(*said.ptxas, value))
        elif option == "-Xclang":
            if match := _FEATURE.fullmatch(value):
                flag = f"-m{'' if match[1] == '+' else 'no-'}{match[2]}"
                self.said = replace(said, flags=(*said.flags, flag))
        elif option == "-mllvm":
            if _OF_LLVM.fullmatch(value):
                self.said = replace(said, llvm=(*said.llvm, value))
        elif option in _CODE:
            self.take_code(_CODE[option], value)
        elif match := _OFFLOAD.fullmatch(option):
            self.said = replace(said, offload=(*said.offload, *match[1].split(",")))
        elif option in _RELOCATABLE:
            self.said = replace(said, flags=(*said.flags, "-rdc=true"))
        elif _OF_NVCC.fullmatch(option) or _OF_CLANG.fullmatch(option):
            self.said = replace(said, flags=(*said.flags, option))

    def take_code(self, kind: str, value: str) -> None:
        """`arch=compute_80,code=[sm_80,sm_86]`, or the same in two options."""
        if kind == "arch":
            self.arch = value
        elif kind == "code":
            self.codes += _CODES.findall(value)
        elif match := re.search(r"arch=(compute_[0-9]{2,3}[af]?)", value):
            codes = tuple(_CODES.findall(value.replace(match[0], "")))
            self.said = replace(self.said, architectures=(*self.said.architectures, (match[1], codes)))

    def arguments(self) -> Arguments:
        if match := re.fullmatch(r"(?:sm|compute)_([0-9]{2,3}[af]?)", self.arch):
            codes = tuple(self.codes) or (self.arch,)
            return replace(self.said, architectures=(*self.said.architectures, (f"compute_{match[1]}", codes)))
        return self.said


_CODES = regex(r"(?:sm|compute)_[0-9]{2,3}[af]?")


def flags_of_nvcc(arguments: Arguments) -> list[str]:
    return [it for it in arguments.flags if _OF_NVCC.fullmatch(it)]


def flags_of_clang(arguments: Arguments) -> list[str]:
    llvm = [word for it in arguments.llvm for word in ("-mllvm", it)]
    return [it for it in arguments.flags if _OF_CLANG.fullmatch(it)] + llvm


def response_reader(root: Path | None, read: Callable[[Path], str | None]) -> Callable[[Path], str | None]:
    """Reads files in the root alone, links followed."""
    real = os.path.realpath(root) if root else None

    def inside(path: Path) -> str | None:
        at = os.path.realpath(path)
        return read(Path(at)) if real and os.path.commonpath([real, at]) == real else None

    return inside
