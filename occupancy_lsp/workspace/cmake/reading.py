"""One reading of a project's CMake files: its variables, functions and conditions, as cmake-language(7) has them.

What the machine, the disk outside the workspace or the user would say is unknown. Where a condition is, each of its
branches is read: what they leave in variables is marked where they differ, and what they say of targets is said under
a doubt.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.cmake.conditions import Conditions, Word
from occupancy_lsp.workspace.cmake.configured import Configured
from occupancy_lsp.workspace.cmake.syntax import Argument, Call, block_end, branches, commands
from occupancy_lsp.workspace.cmake.targets import NONE, Directory, Doubts, Properties, Target
from occupancy_lsp.workspace.cmake.text_commands import changed_list, changed_string
from occupancy_lsp.workspace.cmake.values import UNKNOWN, TooMuch, either, elements, expanded, is_open, is_true, joined
from occupancy_lsp.workspace.compile_flags import absolute
from occupancy_lsp.workspace.make.reading import text_of

_MOST_STEPS = 200_000  # commands, or some variables that are copied
_MOST_FILES = 5_000
_MOST_ROUNDS = 1_000  # of one loop
_MOST_TEXT, _TEXT_A_STEP = 100_000, 500
_DEEPEST = 40
_SYSTEM = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}.get(sys.platform, UNKNOWN)
_GIVEN = {
    "CMAKE_SYSTEM_NAME": _SYSTEM,
    "UNIX": "" if sys.platform == "win32" else "1",
    "APPLE": "1" if sys.platform == "darwin" else "",
    "WIN32": "1" if sys.platform == "win32" else "",
    "MSVC": "1" if sys.platform == "win32" else "",
    "LINUX": "1" if sys.platform == "linux" else "",
    "CMAKE_CUDA_COMPILER_ID": "NVIDIA",
    "CMAKE_CUDA_COMPILER": f"{UNKNOWN}/bin/nvcc",
    "CMAKE_CUDA_COMPILER_LOADED": "1",
    "CMAKE_SIZEOF_VOID_P": "8",
    "CUDA_FOUND": "TRUE",
    "CUDAToolkit_FOUND": "TRUE",
    "Threads_FOUND": "TRUE",
    "HIP_FOUND": "TRUE",
    "hip_FOUND": "TRUE",
}
_OF_THE_MACHINE = regex(
    r"""\w+_BINARY_DIR | CMAKE_VERSION | CMAKE_(?:\w+_)?COMPILER_(?:ID|VERSION|IS_\w+) | CMAKE_COMPILER_IS_\w+
    | CMAKE_(?:HOST_)?SYSTEM\w* | CMAKE_INSTALL_\w+ | CMAKE_CXX_COMPILER | CMAKE_C_COMPILER | CMAKE_GENERATOR\w*
    | CUDA(?:Toolkit)?_(?:VERSION\w*|INCLUDE_DIRS?|TOOLKIT_\w+|LIBRARY_DIR|CUDA\w+|cu\w+) | CMAKE_ROOT | CMAKE_COMMAND
    | CMAKE_CUDA_\w*INCLUDE_DIRECTORIES | CMAKE_BUILD_WITH\w+""",
    re.VERBOSE,
)
# Where a build lies nobody knows, but each of its folders mirrors one of the sources.
_BUILD_FOLDERS = {f"{it}_BINARY_DIR": f"{it}_SOURCE_DIR" for it in ("CMAKE", "PROJECT", "CMAKE_CURRENT")}
EVERY = "*"
_OF_DEVICES = regex(r"(?i).*(?:cuda|gpu|hip|rocm|nvidia).*")
_IDENTIFIER = regex(r"[A-Za-z_]\w*")
# Commands that say nothing of how a source is compiled.
_UNIMPORTANT = """message install add_test set_tests_properties export mark_as_advanced cmake_minimum_required
    cmake_policy enable_testing enable_language source_group add_dependencies add_custom_command add_custom_target
    link_directories target_link_directories target_link_options add_link_options include_guard
    link_libraries variable_watch target_precompile_headers gtest_discover_tests set_directory_properties
    define_property fetchcontent_declare fetchcontent_makeavailable externalproject_add check_language feature_summary
    configure_package_config_file write_basic_package_version_file cmake_print_variables"""
_UNIMPORTANT_NAMES = frozenset(_UNIMPORTANT.split())
CMakeCommand = Callable[["Reading", list[str]], None]  # what a command does with its words


@dataclass(frozen=True, slots=True)
class Defined:
    """A function or macro."""

    parameters: tuple[str, ...]
    body: tuple[Call, ...]
    is_macro: bool
    folder: Path


class Reading:
    """`build_type`: CMAKE_BUILD_TYPE, if the project sets none. `on`: the option for devices that is on although it is
    off unless asked for; EVERY: all of them. `off`: those that there are. `cached`: what a build was configured
    with. `known`: CMake's own commands."""

    def __init__(
        self,
        folder: Path,
        root: Path,
        build_type: str,
        on: str,
        cached: Mapping[str, str],
        known: Mapping[str, CMakeCommand],
    ) -> None:
        self.root = root
        self.known = known
        self.on = on
        self.off: dict[str, None] = {}
        self.top = folder
        self.directory = Directory(folder)
        self.targets: dict[str, Target] = {}
        self.cache: dict[str, str] = {**cached, "CMAKE_BUILD_TYPE": build_type}
        self.variables: dict[str, str] = {}
        self.callers: list[dict[str, str]] = []  # the variables of the scopes around
        self.functions: dict[str, Defined] = {}
        self.globals: dict[str, str] = {}
        self.sources: dict[Path, Properties] = {}
        self.configured: dict[str, Configured | None] = {}  # headers by their paths; None: made in several ways
        self.packages: set[str] = set()
        self.build_type_asked = False  # whether something hangs on it where the project has set none
        self.doubts: Doubts = NONE
        self.entered: Doubts = NONE  # where the innermost scope began
        self.conditions = Conditions(self.get, self.asked)
        self.files: list[Path] = []
        self.steps = self.asked_for = self.depth = 0

    # -- files

    def read_directory(self, folder: Path) -> None:
        """Its CMakeLists.txt, in a scope of its own."""
        around, variables = self.directory, self.variables
        inherited = {name: [*said] for name, said in around.properties.items()} if around.folder != folder else {}
        self.directory = Directory(folder, inherited)
        self.callers.append(variables)
        here = {"CMAKE_CURRENT_SOURCE_DIR": str(folder), "CMAKE_SOURCE_DIR": str(self.top)}
        self.variables = {**variables, **here}
        before, self.entered = self.entered, self.doubts
        self.read_file(folder / "CMakeLists.txt")
        self.directory.variables = self.variables
        self.variables, self.directory, self.entered = self.callers.pop(), around, before

    def read_file(self, path: Path) -> None:
        text = text_of(path, self.root) if len(self.files) < _MOST_FILES else None
        if text is None:
            return
        self.files.append(path)
        listed = "CMAKE_CURRENT_LIST_DIR", "CMAKE_CURRENT_LIST_FILE"
        before = [self.variables.get(it) for it in listed]
        self.variables.update(zip(listed, (str(path.parent), str(path)), strict=True))
        self.frame(commands(text))
        self.variables.update((name, value) for name, value in zip(listed, before, strict=True) if value is not None)

    def frame(self, calls: Sequence[Call]) -> None:
        """Up to its end or its `return`."""
        doubts = self.doubts
        self.depth += 1
        if self.depth > _DEEPEST:
            raise TooMuch
        self.run(calls, 0, len(calls))
        self.depth -= 1
        self.doubts = doubts

    # -- control

    def run(self, calls: Sequence[Call], at: int, end: int) -> str:
        """ "": to its end; "return", "break" or "continue": that ended it."""
        while at < end:
            call = calls[at]
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise TooMuch
            stopped = ""
            if call.name in ("if", "foreach", "while", "function", "macro", "block"):
                closing = min(block_end(calls, at), end)
                stopped = self.block(calls, at, closing)
                at = closing
            elif call.name in ("return", "break", "continue"):
                stopped = call.name
            else:
                self.call(call)
            if stopped:
                return stopped
            at += 1
        return ""

    def block(self, calls: Sequence[Call], at: int, end: int) -> str:
        match calls[at].name:
            case "if":
                return self.choose(calls, at, end)
            case "foreach":
                return self.repeat(calls, at, end)
            case "function" | "macro":
                names = [it.text for it in calls[at].arguments]
                if names:
                    body, folder = tuple(calls[at + 1 : end]), Path(self.value("CMAKE_CURRENT_LIST_DIR"))
                    made = Defined(tuple(names[1:]), body, calls[at].name == "macro", folder)
                    self.functions[names[0].lower()] = made
            case "block":
                return self.run(calls, at + 1, end)
            case "while":
                for call in calls[at:end]:
                    self.forget(self.expand(call.arguments))
        return ""

    def choose(self, calls: Sequence[Call], at: int, end: int) -> str:
        open_: list[tuple[int, int]] = []
        for head, start, stop in branches(calls, at, end):
            said = True if head.name == "else" else self.answer(head)
            if said is not False:
                open_.append((start, stop))
            if said is True:
                break
        else:
            open_.append((end, end))  # none of them
        able = [it for it in open_ if not _fails(calls, *it)] or open_[-1:]
        if len(able) == 1:
            return self.run(calls, *able[0])
        return self.all_of(calls, able)

    def all_of(self, calls: Sequence[Call], able: Sequence[tuple[int, int]]) -> str:
        """Each branch; any may be the one that is taken."""
        self.asked_for += 1
        doubts, before = self.doubts, (self.variables, self.cache)
        left: list[tuple[int, dict[str, str], dict[str, str]]] = []
        stopped: list[str] = []
        for number, (start, stop) in enumerate(able):
            self.doubts = doubts | {(self.asked_for, number)}
            self.variables, self.cache = dict(before[0]), dict(before[1])
            self.steps += len(self.variables) // 10
            known = len(self.targets)
            how = self.run(calls, start, stop)
            for target in list(self.targets.values())[known:]:
                target.seen = target.seen or dict(self.variables)
            if how:
                stopped.append(how)
            else:
                left.append((number, self.variables, self.cache))
        self.doubts = doubts
        self.variables, self.cache = before
        if not left:
            return stopped[0]
        _merge(self.variables, [variables for _, variables, _ in left])
        _merge(self.cache, [cache for _, _, cache in left])
        if stopped:  # what follows is reached by some alone
            self.doubts = doubts | {(self.asked_for, left[0][0] if len(left) == 1 else len(able))}
        return ""

    def repeat(self, calls: Sequence[Call], at: int, end: int) -> str:
        words = self.expand(calls[at].arguments)
        if not words:
            return ""
        name, items = words[0], words[1:]
        if items[:1] == ["RANGE"]:
            numbers = [int(it) for it in items[1:4] if re.fullmatch(r"\d{1,4}", it)]
            first, last = (numbers[0], numbers[1]) if len(numbers) > 1 else (0, *numbers) if numbers else (0, -1)
            items = [str(it) for it in range(first, last + 1)]
        elif items[:1] == ["IN"]:
            items = self.items_in(items[1:])
        for item in items[:_MOST_ROUNDS]:
            self.variables[name] = item
            how = self.run(calls, at + 1, end)
            if how == "break":
                break
            if how == "return":
                return how
        return ""

    def items_in(self, words: Sequence[str]) -> list[str]:
        items: list[str] = []
        lists = False
        for word in words:
            if word in ("LISTS", "ITEMS", "ZIP_LISTS"):
                lists = word != "ITEMS"
            else:
                items += elements(self.value(word)) if lists else [word]
        return items

    def call(self, call: Call) -> None:
        if (defined := self.functions.get(call.name)) is not None:
            self.enter(defined, call)
        elif (known := self.known.get(call.name)) is not None:
            known(self, self.expand(call.arguments))
        elif call.name not in _UNIMPORTANT_NAMES:
            words = self.expand(call.arguments)
            self.forget(words)
            for word in words:
                if word in self.targets:
                    self.targets[word].strange[call.name] = None

    def forget(self, words: Sequence[str]) -> None:
        """A command that is not known may set whatever it names."""
        for word in words:
            if _IDENTIFIER.fullmatch(word) and self.get(word) is None:
                self.variables[word] = UNKNOWN

    def enter(self, defined: Defined, call: Call) -> None:
        words = self.expand(call.arguments)
        given = dict(zip(defined.parameters, words, strict=False))
        rest = words[len(defined.parameters) :]
        given |= {"ARGC": str(len(words)), "ARGV": joined(words), "ARGN": joined(rest)}
        given |= {f"ARGV{number}": word for number, word in enumerate(words[:20])}
        if defined.is_macro:
            self.frame([_replaced(it, given) for it in defined.body])
            return
        before, self.entered = self.entered, self.doubts
        self.callers.append(self.variables)
        self.variables = {**self.variables, **given, "CMAKE_CURRENT_FUNCTION_LIST_DIR": str(defined.folder)}
        self.frame(defined.body)
        self.variables, self.entered = self.callers.pop(), before

    # -- values

    def get(self, name: str) -> str | None:
        """None: it is not set."""
        if name == "CMAKE_BUILD_TYPE":
            self.build_type_asked |= name not in self.variables and not self.cache[name]
        for known in (self.variables, self.cache, _GIVEN):
            if name in known:
                return known[name]
        package = name.lower()
        of_package = any(package.startswith(f"{it}_") for it in self.packages)
        if name in _BUILD_FOLDERS:
            return UNKNOWN + self.value(_BUILD_FOLDERS[name])
        return UNKNOWN if is_open(name) or of_package or _OF_THE_MACHINE.fullmatch(name) else None

    def value(self, name: str) -> str:
        return self.get(name) or ""

    def assign(self, name: str, value: str, above: bool = False) -> None:
        """`above`: in the scope around, which a doubt of this one is a doubt for."""
        if len(value) > _MOST_TEXT:
            raise TooMuch
        scope = self.callers[-1] if above and self.callers else self.variables
        if above and self.doubts != self.entered:
            value = either([scope.get(name, ""), value])
        scope[name] = value
        if name == "CMAKE_BUILD_TYPE":
            self.build_type_asked = False  # only whether there is one, before it was set

    def expand(self, arguments: Sequence[Argument]) -> list[str]:
        words: list[str] = []
        for it in arguments:
            if it.kind == "bracket":
                words.append(it.text)
            elif it.kind == "bare":
                words += elements(expanded(it.text, self.value))
            else:
                words.append(expanded(it.text, self.value))
        return words

    def answer(self, head: Call) -> bool | None:
        words = []
        for it in head.arguments:
            parts = elements(expanded(it.text, self.value)) if it.kind == "bare" else [expanded(it.text, self.value)]
            words += [Word(part, it.kind in ("bare", "parenthesis")) for part in parts]
        return self.conditions.answer(words)

    def asked(self, test: str, name: str) -> bool | None:
        match test:
            case "DEFINED":
                return None if name.startswith("ENV{") or self.get(name) == UNKNOWN else self.get(name) is not None
            case "TARGET":
                return True if name in self.targets else None if "::" in name else False
            case "COMMAND":
                return True if name.lower() in self.functions else None
            case "EXISTS" if name.endswith("/bin/nvcc"):
                return True  # as CUDA is found
            case "EXISTS" | "IS_DIRECTORY":
                return os.path.exists(name) if self.is_inside(name) else None
            case "IS_ABSOLUTE":
                return os.path.isabs(name)
        return None

    def is_inside(self, path: str) -> bool:
        real, root = os.path.realpath(path), os.path.realpath(self.root)
        return os.path.isabs(path) and os.path.commonpath([real, root]) == root

    def is_turned_on(self, name: str, value: str) -> str:
        if value.upper() not in ("OFF", "NO", "FALSE", "0") or not _OF_DEVICES.fullmatch(name):
            return value
        self.off[name] = None
        return "ON" if self.on in (name, EVERY) else value

    def path(self, name: str) -> Path:
        return absolute(str(self.directory.folder), name)

    def text_change(self, kind: str, words: Sequence[str]) -> None:
        change = changed_list if kind == "list" else changed_string
        for name, value in change(words[0], words[1:], self.value).items() if words else ():
            self.steps += len(value) // _TEXT_A_STEP
            self.assign(name, value)


def _merge(into: dict[str, str], several: Sequence[dict[str, str]]) -> None:
    """What a variable may be after one of several branches, which all began with what it was."""
    changed = {name for it in several for name, value in it.items() if into.get(name) is not value}
    for name in changed | {name for name in into if any(name not in it for it in several)}:
        values = [it.get(name, _GIVEN.get(name)) for it in several]
        if not any(name in it for it in several):
            del into[name]
            continue
        if name.endswith("_FOUND") and all(value and is_true(value) for value in values):
            into[name] = "TRUE"  # found in one way or another
            continue
        text = either([value or "" for value in values])
        into[name] = UNKNOWN if None in values and not text else text  # whether it is set at all is not known


def _fails(calls: Sequence[Call], at: int, end: int) -> bool:
    """Whether it ends with an error, whatever else."""
    depth = 0
    for call in calls[at:end]:
        depth += (call.name in ("if", "foreach", "while", "function", "macro")) - call.name.startswith("end")
        if (
            not depth
            and call.name == "message"
            and call.arguments
            and call.arguments[0].text in ("FATAL_ERROR", "SEND_ERROR")
        ):
            return True
    return False


def _replaced(call: Call, given: dict[str, str]) -> Call:
    """A macro's command with its arguments' text."""

    def text(argument: Argument) -> Argument:
        return Argument(re.sub(r"\$\{(\w+)\}", lambda it: given.get(it[1], it[0]), argument.text), argument.kind)

    return Call(call.name, tuple(text(it) if it.kind != "bracket" else it for it in call.arguments))
