"""The statements of a project's `meson.build` files followed: which targets there are, and what their sources are
given.

An answer that nobody knows has both of its branches followed: what either says is in doubt. Options have their
defaults. That there is CUDA is taken for granted: its sources are compiled with it or not at all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.compile_flags import absolute
from occupancy_lsp.workspace.doubts import (
    MOST_ITEMS,
    MOST_TEXT,
    NONE,
    Branching,
    Doubts,
    History,
    Item,
    Items,
    Several,
    Table,
    TooMuch,
    Unknown,
    excludes,
    is_true,
    items_of,
    resolved,
)
from occupancy_lsp.workspace.make.reading import text_of
from occupancy_lsp.workspace.meson.syntax import (
    Array,
    Assignment,
    Call,
    Constant,
    Dictionary,
    Each,
    Element,
    Expression,
    Formatted,
    If,
    Leave,
    Name,
    Operation,
    Statement,
    statements_of,
)

NAME = "meson.build"
CUDA = "cuda"  # as Meson calls the language, its module and the toolkit
_OPTIONS = ("meson.options", "meson_options.txt")
_MOST_STEPS, _MOST_FOLDERS, _MOST_NUMBER = 50_000, 200, 1 << 63
_LOOKED_AT_A_STEP = 64
_LIBRARIES = ("library", "shared_library", "static_library", "both_libraries", "shared_module")
_TARGETS = ("executable", *_LIBRARIES, "build_target", "extension_module")
_SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
_BUILT_IN = {"buildtype": "debug", "b_ndebug": "false", "cuda_std": "none", "cpp_std": "none", "c_std": "none"}
_FILLED = regex(r"@(\w+)@")


@dataclass(frozen=True, slots=True)
class Folders:
    """What `include_directories` makes."""

    paths: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Dependency:
    """`found`: None, it is unknown. `given`: what `declare_dependency` is. `name`: of one that is looked for."""

    name: str
    found: bool | None
    given: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Program:
    name: str


@dataclass(frozen=True, slots=True)
class Feature:
    """An option of three answers."""

    value: str


@dataclass(frozen=True, slots=True)
class Object:
    """Of Meson's own: `meson`, `host_machine`, a module, a compiler."""

    name: str


@dataclass(frozen=True, slots=True)
class Target:
    """`sources`: as they are given. `arguments`: of the whole project, when it was made."""

    folder: Path
    sources: Items
    given: Mapping[str, object]
    arguments: Items
    doubts: Doubts
    program: bool = False  # a custom target, whose `command` compiles


class Reading(Branching[Statement]):
    """Of the project in a folder."""

    def __init__(self, folder: Path, root: Path) -> None:
        super().__init__()
        self.top, self.folder, self.root = folder, folder, root
        self.names: dict[str, History] = {}
        self.options: dict[str, object] = {}
        self.stated: dict[str, str] = {}  # `default_options`
        self.arguments = Items()  # of all targets of the project
        self.targets: list[Target] = []
        self.steps = self.folders = 0

    def read(self) -> None:
        """ValueError, RecursionError, TooMuch: it cannot be followed."""
        for name in _OPTIONS:
            text = text_of(self.top / name, self.root) if (self.top / name).is_file() else None
            for it in statements_of(text or ""):
                if isinstance(it, Call) and it.name == "option" and it.given:
                    self.option(it)
        self.run(statements_of(text_of(self.top / NAME, self.root) or ""))

    def option(self, call: Call) -> None:
        name, named = self.value(call.given[0]), {key: self.value(value) for key, value in call.named}
        kind, value, choices = named.get("type"), named.get("value"), named.get("choices")
        if kind == "feature":
            value = Feature(value if isinstance(value, str) else "auto")
        elif value is None:
            first = items_of(choices, NONE)[0].value if isinstance(choices, Items) and choices.items else Unknown("")
            defaults = {"boolean": True, "string": "", "combo": first, "array": choices or Items()}
            value = defaults.get(str(kind), Unknown(str(name)))
        if isinstance(name, str):
            self.options[name] = value

    # -- statements

    def run(self, body: Sequence[Statement]) -> bool:
        """Whether it surely ends before its end."""
        return any(self.statement(it) for it in body)

    def step(self, looked_at: int = 0) -> None:
        """`looked_at`: items and doubts that it takes a look at."""
        self.steps += 1 + looked_at // _LOOKED_AT_A_STEP
        if self.steps > _MOST_STEPS:
            raise TooMuch

    def statement(self, it: Statement) -> bool:
        self.step()
        match it:
            case Assignment(name, value, adds):
                said = self.value(value)
                self.add(name, said) if adds else self.set(name, said)
            case If(condition, body, otherwise):
                return self.choose(is_true(_plain(self.value(condition))), body, otherwise)
            case Each(names, over, body):
                self.repeat(names, self.value(over), body)
            case Leave():
                return True
            case Call(None, "subdir_done" | "error", _, _):
                return True
            case _:
                self.value(it)
        return False

    def fails(self, body: Sequence[Statement]) -> bool:
        return any(isinstance(it, Call) and it.of is None and it.name == "error" for it in body)

    def repeat(self, names: Sequence[str], over: object, body: Sequence[Statement]) -> None:
        if isinstance(over, Table):
            rows = [Item((key, resolved(it.said, self.doubts))) for key, it in over.keys.items()]
        else:
            rows = items_of(over, NONE)
        for row in self.each(rows):
            values = row if isinstance(row, tuple) else (row,)
            for at, name in enumerate(names):
                self.set(name, values[at] if at < len(values) else Unknown(name))
            self.run(body)

    def set(self, name: str, value: object) -> None:
        history = self.names.setdefault(name, History())
        if not self.doubts:
            history.said.clear()
        history.said.append(Item(value, self.doubts))

    def add(self, name: str, value: object) -> None:
        """To a list, under the doubts; what it was before is the same with it or without it."""
        history = self.names.get(name)
        self.step(_size(history, self.doubts))
        if history is None or not all(isinstance(it.value, Items) for it in history.said):
            self.set(name, _sum(self.name(name), value, NONE))
            return
        history.said = [
            it if excludes(it.doubts, self.doubts) else Item(_sum(it.value, value, self.doubts), it.doubts)
            for it in history.said
        ]

    def name(self, name: str) -> object:
        if name in self.names:
            self.step(_size(self.names[name], self.doubts))
            return resolved(self.names[name].said, self.doubts)
        known = name in ("meson", "host_machine", "build_machine", "target_machine")
        return Object(name) if known else Unknown(name)

    # -- expressions

    def value(self, it: Expression) -> object:
        self.step()
        match it:
            case Constant(value):
                return value
            case Formatted(text):
                return self.filled(text, [])
            case Name(name):
                return self.name(name)
            case Array(parts):
                return Items([more for part in parts for more in self.element(part)])
            case Dictionary(pairs):
                made = Table()
                for key, part in pairs:
                    if isinstance(said := self.value(key), str):
                        made.keys[said] = History([Item(self.value(part), self.doubts)])
                return made
            case Element(of, at):
                return _element(self.value(of), self.value(at), self.doubts)
            case Call():
                return self.call(it)
            case Operation("?", (condition, first, second)):
                answer = is_true(_plain(self.value(condition)))
                return Unknown("?") if answer is None else self.value(first if answer else second)
            case Operation("and" | "or" as operator, operands):
                answers = [is_true(_plain(self.value(operand))) for operand in operands]
                decides = operator == "or"
                return decides if decides in answers else Unknown(operator) if None in answers else not decides
            case Operation(operator, operands):
                return _operation(operator, [self.value(operand) for operand in operands], self.doubts)
        return Unknown("")

    def element(self, part: Expression) -> list[Item]:
        return [Item(self.value(part), self.doubts)]

    def filled(self, text: str, given: Sequence[object]) -> object:
        """`@0@` of `format`, `@name@` of a formatted string."""
        found = [
            given[int(it)] if it.isdigit() and int(it) < len(given) else self.name(it) for it in _FILLED.findall(text)
        ]
        if not all(isinstance(it, str | int) for it in found):
            return Unknown(text)
        rest = iter(found)
        return _FILLED.sub(lambda _: _text(next(rest)), text)

    # -- calls

    def call(self, call: Call) -> object:
        of = self.value(call.of) if call.of is not None else None
        given = [it.value for part in call.given for it in self.element(part)]
        named = {key: self.value(value) for key, value in call.named}
        if isinstance(more := named.pop("kwargs", None), Table):
            named |= {key: resolved(it.said, self.doubts) for key, it in more.keys.items()}
        if call.name in _TARGETS:
            return self.target(given[1:], named)
        if call.of is not None:
            return self.method(of, call.name, given)
        return self.function(call.name, given, named)

    def function(self, name: str, given: list[object], named: Mapping[str, object]) -> object:
        first = given[0] if given else Unknown(name)
        match name:
            case "project":
                self.stated |= options_in(named.get("default_options"))
            case "add_project_arguments" | "add_global_arguments" if CUDA in _texts(named.get("language")):
                for it in given:
                    self.arguments.items += flat(it, self.doubts)
            case "add_languages":
                return True
            case "subdir" if isinstance(first, str):
                self.enter(self.folder / first)
            case "get_option" if isinstance(first, str):
                return self.option_value(first)
            case "dependency" if isinstance(first, str):
                return Dependency(first, True if first.lower().startswith(CUDA) else None)
            case "declare_dependency":
                return Dependency("", True, dict(named))
            case "include_directories":
                paths = [self.path(text) for part in given for text in _texts(part)]
                return Folders(tuple(paths))
            case "files":
                return Items([Item(self.path(it.value), it.doubts) for part in given for it in flat(part, self.doubts)])
            case "find_program":
                names = [it.value for it in flat(first, NONE)]
                return Program(next((it for it in names if isinstance(it, str) and is_nvcc(it)), ""))
            case "import":
                return Object(str(first))
            case "custom_target":
                self.target(flat_values(named.get("input")), named, program=True)
            case "join_paths" if all(isinstance(it, str) for it in given):
                return os.path.join(*map(str, given))
            case "set_variable" if isinstance(first, str) and len(given) == 2:
                self.set(first, given[1])
            case "get_variable" if isinstance(first, str):
                return self.name(first) if first in self.names else given[1] if len(given) == 2 else Unknown(first)
            case "is_variable" if isinstance(first, str):
                return first in self.names
        return Unknown(f"{name}('{first}')" if isinstance(first, str) else name)

    def path(self, value: object) -> object:
        return absolute(str(self.folder), value) if isinstance(value, str) else value

    def enter(self, folder: Path) -> None:
        self.folders += 1
        if self.folders > _MOST_FOLDERS:
            raise TooMuch
        around, self.folder = self.folder, folder
        self.run(statements_of(text_of(folder / NAME, self.root) or ""))
        self.folder = around

    def option_value(self, name: str) -> object:
        stated = self.stated.get(name)
        known = self.options.get(name, self.built_in(name))
        if stated is None:
            return known
        if isinstance(known, Feature):
            return Feature(stated)
        if isinstance(known, bool):
            return stated == "true"
        return int(stated) if isinstance(known, int) and stated.isdigit() else stated

    def built_in(self, name: str) -> object:
        return _BUILT_IN.get(name, Unknown(f"get_option('{name}')"))

    def target(self, given: Sequence[object], named: Mapping[str, object], program: bool = False) -> object:
        sources = Items()
        for part in (*given, named.get("sources", Items())):
            sources.items += [Item(self.path(it.value), it.doubts) for it in flat(part, self.doubts)]
        self.targets.append(
            Target(self.folder, sources, dict(named), Items([*self.arguments.items]), self.doubts, program)
        )
        return Unknown("target", there=True)

    def method(self, of: object, name: str, given: Sequence[object]) -> object:
        match of, name:
            case Object("meson"), "current_source_dir":
                return str(self.folder)
            case Object("meson"), "source_root" | "project_source_root" | "global_source_root":
                return str(self.top)
            case Object("meson"), "get_compiler":
                return Object("compiler")
            case Object("compiler"), "get_supported_arguments":
                self.number += 1  # which of them nobody knows
                doubt = {(self.number, 0)}
                return Items([Item(it.value, it.doubts | doubt) for part in given for it in flat(part, self.doubts)])
            case Object("host_machine" | "build_machine" | "target_machine"), "system":
                return _SYSTEMS.get(sys.platform, Unknown("system"))
            case Object(module), "nvcc_arch_flags" if module.endswith(CUDA):
                return Items()  # devices tell
            case Object("python" | "python3"), "find_installation":
                return Object("installation")
            case Dependency(_, found), "found":
                return Unknown("found") if found is None else found
            case Program(program), "found":
                return True if program else Unknown("found")
            case Feature("enabled" | "disabled" as value), "enabled" | "disabled" | "auto":
                return value == name
            case Feature("disabled"), "allowed":
                return False
            case str(), "format":
                return _short(self.filled(of, given))
        return _short(_method_of_value(of, name, given, self.doubts))


def _short(value: object) -> object:
    return Unknown("text") if isinstance(value, str) and len(value) > MOST_TEXT else value


def is_nvcc(program: str) -> bool:
    return os.path.basename(program).removesuffix(".exe").startswith("nvcc")


def flat(value: object, doubts: Doubts) -> list[Item]:
    """All items of lists within lists; a single value is a list of itself."""
    found: list[Item] = []
    todo = [Item(value, doubts)]
    while todo:
        it = todo.pop()
        if isinstance(it.value, Items | Several):
            todo += reversed(items_of(it.value, it.doubts) if isinstance(it.value, Items) else _alternatives(it))
        elif it.value is not None:
            found.append(it)
        if len(todo) + len(found) > MOST_ITEMS:
            raise TooMuch
    return found


def _alternatives(it: Item) -> list[Item]:
    values = it.value.values if isinstance(it.value, Several) else ()
    return [Item(one.value, one.doubts | it.doubts) for one in values]


def flat_values(value: object) -> list[object]:
    return [value] if value is not None else []


def options_in(value: object) -> dict[str, str]:
    """Of a list of `name=value`, or of a dictionary."""
    if isinstance(value, Table):
        said = {key: resolved(it.said, NONE) for key, it in value.keys.items()}
        return {key: _text(it) for key, it in said.items() if isinstance(it, str | int)}
    texts = [it.value for it in flat(value, NONE) if isinstance(it.value, str) and "=" in it.value]
    return {it.partition("=")[0].strip(): it.partition("=")[2].strip() for it in texts}


def _texts(value: object) -> list[str]:
    return [it.value for it in flat(value, NONE) if isinstance(it.value, str)]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(value: object) -> object:
    """An object of Meson's is no answer to a condition."""
    known = isinstance(value, bool | str | int | Unknown | Several | Items | Table)
    return value if known else Unknown("")


def _size(history: History | None, doubts: Doubts) -> int:
    """How much there is to look at where a name is asked for, or added to, under the doubts."""
    said = history.said if history is not None else ()
    return sum(len(it.value.items) if isinstance(it.value, Items) else 1 for it in said) + len(said) * len(doubts)


def _sum(left: object, right: object, doubts: Doubts) -> object:
    if isinstance(left, Items | Several):
        more = items_of(right, doubts) if isinstance(right, Items | Several) else [Item(right, doubts)]
        made = Items([*items_of(left, NONE), *more])
        if len(made.items) > MOST_ITEMS:
            raise TooMuch
        return made
    if isinstance(left, str) and isinstance(right, str) and len(left) + len(right) < MOST_TEXT:
        return left + right
    if isinstance(left, Table) and isinstance(right, Table):
        return Table({**left.keys, **right.keys})
    if isinstance(left, int) and isinstance(right, int) and abs(left + right) < _MOST_NUMBER:
        return left + right
    return Unknown(left if isinstance(left, str) else "+")


def _operation(operator: str, values: Sequence[object], doubts: Doubts) -> object:
    left, right = values[0], values[-1]
    if operator == "not":
        said = is_true(_plain(left))
        return Unknown("not") if said is None else not said
    if operator == "+" and len(values) == 2:
        return _sum(left, right, NONE)
    if operator == "/" and isinstance(left, str) and isinstance(right, str):
        return os.path.join(left, right)
    if operator in ("in", "not in"):
        return _contained(left, right, operator == "in")
    known = all(isinstance(it, str | int) for it in values) and type(left) is type(right)
    if operator in ("==", "!=") and known:
        return (left == right) == (operator == "==")
    if isinstance(left, int) and isinstance(right, int):
        match operator:
            case "<":
                return left < right
            case ">":
                return left > right
            case "<=":
                return left <= right
            case ">=":
                return left >= right
            case "*" if abs(left * right) < _MOST_NUMBER:
                return left * right
            case "-":
                return left - right if len(values) == 2 else -left
    return Unknown(operator)


def _contained(value: object, among: object, wanted: bool) -> object:
    if isinstance(among, Table) and isinstance(value, str):
        return (value in among.keys) == wanted
    if isinstance(among, str) and isinstance(value, str):
        return (value in among) == wanted
    if isinstance(among, Items) and isinstance(value, str | int):
        if any(it.doubts or isinstance(it.value, Unknown) for it in among.items):
            return Unknown("in")
        return (value in [it.value for it in among.items]) == wanted
    return Unknown("in")


def _element(of: object, at: object, doubts: Doubts) -> object:
    if isinstance(of, Table) and isinstance(at, str) and at in of.keys:
        return resolved(of.keys[at].said, doubts)
    if isinstance(of, Items) and isinstance(at, int) and not any(it.doubts - doubts for it in of.items):
        return of.items[at].value if -len(of.items) <= at < len(of.items) else Unknown("[]")
    return Unknown("[]")


def _method_of_value(of: object, name: str, given: Sequence[object], doubts: Doubts) -> object:
    first = given[0] if given else None
    match of, name, first:
        case str(), "strip", None:
            return of.strip()
        case str(), "split", None | str() if first != "":
            return Items([Item(it) for it in of.split(first)])
        case str(), "to_upper", _:
            return of.upper()
        case str(), "to_lower", _:
            return of.lower()
        case str(), "underscorify", _:
            return "".join(it if it.isalnum() else "_" for it in of)
        case str(), "startswith", str():
            return of.startswith(first)
        case str(), "endswith", str():
            return of.endswith(first)
        case str(), "contains", str():
            return first in of
        case str(), "replace", str() if first and isinstance(given[-1], str) and len(given) == 2:
            return of.replace(first, given[-1])
        case str(), "join", Items() if all(isinstance(it.value, str) and not it.doubts for it in first.items):
            return of.join(str(it.value) for it in first.items)
        case str(), "to_int", _ if of.isdigit():
            return int(of)
        case bool() | int(), "to_string", _:
            return _text(of)
        case Items() | Table(), "contains" | "has_key", str() | int():
            return _contained(first, of, True)
        case Items(), "length", _ if not any(it.doubts for it in of.items):
            return len(of.items)
        case Items() | Table(), "get", str() | int():
            found = _element(of, first, doubts)
            return given[1] if isinstance(of, Table) and first not in of.keys and len(given) == 2 else found
    return Unknown(of.text if isinstance(of, Unknown) and of.text else name)
