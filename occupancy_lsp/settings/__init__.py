"""What the user chose: `.occupancy.yaml` at a root, over it the editor's settings, over both the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, fields
from datetime import date
from itertools import islice
from math import prod
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, read_file, stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.devices.catalogue import DEFAULT_DEVICES
from occupancy_lsp.languages.registry import LanguageName
from occupancy_lsp.languages.shader_builds import ShaderBuild
from occupancy_lsp.yamlfile.keys import about, keys_of
from occupancy_lsp.yamlfile.nodes import MAX_BYTES
from occupancy_lsp.yamlfile.reader import REST, read_text, read_value
from occupancy_lsp.yamlfile.types import Bytes, Code, Count, Day, Line, Percent, Placed, Positive

_T = TypeVar("_T")
_MOST_MACROS, _MOST_LANGUAGES, _MOST_SHADERS = 1000, 100, 100
USUAL_CACHE = "true"
FILE_NAME: Literal[".occupancy.yaml"] = ".occupancy.yaml"
Severity = Literal["off", "hint", "information", "warning", "error"]
Compile = Literal["off", "on-save", "on", "workspace"]
Verbosity = Literal["short", "normal", "detailed"]
HintsForUnknown = Literal["never", "when-useful", "always"]
Origin = Literal["default", ".occupancy.yaml", "settings", "command line"]
_EDITOR_OWN = (
    "hints",
    "lenses",
    "verbosity",
    "hints_for_unknown",
    "compile",
    "compile_jobs",
    "python",
    "compare_with_head",
)
_CACHES = ("triton_cache", "warp_cache")
# Of the editor's own extension: they share the section but mean nothing to the server.
_EDITOR_ONLY = ("server", "trace", "compile_not_in")


@dataclass(frozen=True, slots=True)
class Contract:
    """What kernels that match the glob `kernels` promise: `>= 50% on sm_90`. Its text is read with the directives'."""

    kernels: str
    text: str
    path: str
    line: int
    column: int


Limit = Literal["min_groups", "min_percent", "max_registers", "max_local", "max_spill"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What kernels that match the glob `kernels` must keep to, on `devices`; where there are none, on the selected one.

    `limits`: groups per compute unit, percent, registers per thread, bytes per group, bytes or registers spilled.
    `until`: the last day on which it is in force; None: always.
    """

    kernels: str
    limits: tuple[tuple[Limit, float], ...]
    devices: tuple[str, ...]
    reason: str
    until: date | None
    path: str
    line: int
    column: int

    def in_force(self, today: date) -> bool:
        return self.until is None or today <= self.until


@dataclass(frozen=True, slots=True)
class LaunchFact:
    """How kernels that match the glob `kernels` are launched. Threads per group, bytes; None: not said.

    `assumed`: their size is decided at run time, and figures are shown as if it were this one.
    """

    kernels: str
    block: int | None
    dynamic_shared: int | None
    path: str
    line: int
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """`origins` says for each field's name where its value comes from; a rule's is under `rules.OCC101`."""

    devices: tuple[str, ...] = DEFAULT_DEVICES
    threshold: float | None = None  # percent; None: off
    rules: Mapping[str, Severity] = field(default_factory=dict)
    hints: bool = True
    lenses: bool = True
    verbosity: Verbosity = "normal"
    hints_for_unknown: HintsForUnknown = "when-useful"
    compile: Compile = "off"
    compile_jobs: int = 1
    compare_with_head: bool = False
    python: str = ""  # an interpreter, or its environment's folder
    triton_cache: str = ""  # a folder outside the root, or USUAL_CACHE; "": none is read
    warp_cache: str = ""  # the same
    contracts: tuple[Contract, ...] = ()
    budgets: tuple[Budget, ...] = ()
    strict_budgets: bool = False  # what cannot be proved to keep to a budget or a contract is an error
    launch: tuple[LaunchFact, ...] = ()
    assume: tuple[LaunchFact, ...] = ()
    sidecars: tuple[str, ...] = ()  # globs below the root
    presets: tuple[str, ...] = ()
    macros: Mapping[str, str] = field(default_factory=dict)  # where no file in sight defines them
    shaders: tuple[ShaderBuild, ...] = ()
    languages: Mapping[str, LanguageName] = field(default_factory=dict)  # of the files that match a glob
    origins: Mapping[str, Origin] = field(default_factory=dict)

    def origin(self, name: str) -> Origin:
        return self.origins.get(name, "default")


@dataclass(frozen=True, slots=True)
class _Launch:
    block: tuple[Positive, ...] = ()
    dynamic_shared: Bytes | None = None
    line: Line = 0


@dataclass(frozen=True, slots=True)
class _Assumed:
    block: tuple[Positive, ...] = ()
    line: Line = 0


@dataclass(frozen=True, slots=True)
class _Assume:
    """`block`: of all kernels; each glob may say another."""

    block: tuple[Positive, ...] = ()
    kernels: Annotated[dict[str, _Assumed], REST] = field(default_factory=dict)
    line: Line = 0


@dataclass(frozen=True, slots=True)
class _Budget:
    kernel: Placed = field(metadata=about("the kernels it is for, by glob of their names, such as 'gemm*' or '*'"))
    devices: tuple[str, ...] = field(
        default=(), metadata=about("devices or architectures it is checked on", "the device that is checked")
    )
    min_groups: Positive | None = field(
        default=None, metadata=about("the fewest work-groups resident per compute unit: blocks per SM", "no limit")
    )
    min_percent: Percent | None = field(default=None, metadata=about("the lowest occupancy, such as 50%", "no limit"))
    max_registers: Positive | None = field(default=None, metadata=about("the most registers per thread", "no limit"))
    max_local: Bytes | None = field(
        default=None,
        metadata=about("the most local (shared) memory per work-group, static and dynamic, such as 48KiB", "no limit"),
    )
    max_spill: Count | None = field(
        default=None,
        metadata=about("the most bytes that a thread spills, or registers where the compiler counts these", "no limit"),
    )
    reason: str = field(default="", metadata=about("why, for whoever breaks it", "none"))
    until: Day | None = field(
        default=None, metadata=about("the last day on which it is in force, such as 2027-03-31", "for ever")
    )


@dataclass(frozen=True, slots=True)
class _Shaders:
    files: Placed = field(metadata=about("the files it is for, by glob from the root, such as 'shaders/**/*.comp'"))
    define: dict[str, str] = field(
        default_factory=dict, metadata=about("macros that their compiler is given, such as {FLOAT_TYPE: float}", "none")
    )
    constants: dict[str, int] = field(
        default_factory=dict,
        metadata=about(
            "what pipelines set specialization constants to, by id, or overrides, by name: {0: 64, BLOCK: 32}", "none"
        ),
    )


@dataclass(frozen=True, slots=True)
class _Shared:
    """What both the file and the editor may set; None or empty: not set."""

    devices: tuple[str, ...] = field(
        default=(),
        metadata=about(
            "devices to compute for, such as [h100, a100]: a file uses the first that runs its language",
            ", ".join(f"`{it}`" for it in DEFAULT_DEVICES),
        ),
    )
    threshold: Percent | None = field(
        default=None, metadata=about("report kernels whose occupancy is certain to be below this percentage", "off")
    )
    rules: dict[Code, Severity] = field(
        default_factory=dict,
        metadata=about(
            "severity by rule, such as {OCC301: off}: off, hint, information, warning or error",
            "each rule's own severity",
        ),
    )
    sidecars: tuple[Placed, ...] = field(
        default=(),
        metadata=about("globs of compiler logs, binaries and YAML files with register counts", "only the usual names"),
    )


@dataclass(frozen=True, slots=True)
class _Editor(_Shared):
    hints: bool | None = field(
        default=None, metadata=about("show each kernel's occupancy at the end of its signature", "`true`")
    )
    lenses: bool | None = field(
        default=None,
        metadata=about("show the figure and what can be done about it above each kernel (code lenses)", "`true`"),
    )
    verbosity: Verbosity | None = field(
        default=None,
        metadata=about(
            "how much a hint says: short: the figure alone; normal: also what limits it; "
            "detailed: everything, with where the figure comes from",
            "`normal`",
        ),
    )
    hints_for_unknown: HintsForUnknown | None = field(
        default=None,
        metadata=about(
            "hints of kernels whose size or registers are not known: never; when-useful: where they say something "
            "all the same, such as 100% if ≤32 regs; always: also where nothing is known",
            "`when-useful`",
        ),
    )
    # No workspace's to choose: it starts programs.
    compile: Compile | None = field(
        default=None,
        metadata=about(
            "compile in the background: on-save: files that are saved; on: also those that are opened or edited; "
            "workspace: also all others of the folder; off",
            "`off`",
        ),
    )
    compile_jobs: Positive | None = field(
        default=None, metadata=about("how many compilers may run at a time in the background", "1")
    )
    # Nor is this: it starts git.
    compare_with_head: bool | None = field(
        default=None,
        metadata=about("hints also say what a kernel had in the last commit, where that was something else", "`false`"),
    )
    python: str | None = field(
        default=None,
        metadata=about(
            "the Python interpreter, or the environment, whose packages' headers are compiled with; it is not run",
            "`.venv` of the folder, then the active one",
        ),
    )
    # Nor are these: they lie outside the folder.
    triton_cache: str | None = field(
        default=None,
        metadata=about(
            "also read Triton's own cache: `true` (for `TRITON_CACHE_DIR` or `~/.triton/cache`) or a path", "`false`"
        ),
    )
    warp_cache: str | None = field(
        default=None,
        metadata=about(
            "also read Warp's own cache: `true` (for `WARP_CACHE_PATH` or Warp's usual folder) or a path",
            "`false`",
        ),
    )


@dataclass(frozen=True, slots=True)
class _File(_Shared):
    contracts: dict[str, tuple[Placed, ...]] = field(
        default_factory=dict,
        metadata=about("occupancy that kernels must reach, by glob of their names: '>= 50% on sm_90'", "none"),
    )
    budgets: tuple[_Budget, ...] = field(
        default=(),
        metadata=about(
            "what kernels must keep to: a list of {kernel: 'gemm*', min_groups: 2, max_registers: 64}", "none"
        ),
    )
    launch: dict[str, _Launch] = field(
        default_factory=dict,
        metadata=about("how kernels are launched, by glob of their names: {block: 256, dynamic_shared: 32KiB}", "none"),
    )
    assume: _Assume = field(
        default=_Assume(),
        metadata=about(
            "sizes to show figures for where launches choose at run time: {block: 256}, or by glob of kernels' names",
            "none",
        ),
    )
    macros: dict[str, str] = field(
        default_factory=dict, metadata=about("macros that no file defines: annotations, sizes, types", "none")
    )
    shaders: tuple[_Shaders, ...] = field(
        default=(),
        metadata=about(
            "how shaders are built: a list of {files: '*.comp', define: {FLOAT_TYPE: float}, constants: {0: 64}}",
            "none",
        ),
    )
    languages: dict[str, LanguageName] = field(
        default_factory=dict, metadata=about("the language of files, by glob: cuda, hip or opencl", "none")
    )
    presets: tuple[Placed, ...] = field(default=(), metadata=about("globs of YAML files with your own devices", "none"))


FILE_KEYS, EDITOR_KEYS, BUDGET_KEYS = keys_of(_File), keys_of(_Editor), keys_of(_Budget)
_LIMITS: tuple[Limit, ...] = get_args(Limit)


def read_settings(
    root: Path | None, editor: object = None, command_line: Mapping[str, object] | None = None
) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings of the folder `root`; None: of files outside every folder. Never raises."""
    if root is None:
        return merge(None, FILE_NAME, editor, command_line)
    path = root / FILE_NAME
    # A fault is told with the text that it is about, which must not be that of a file elsewhere.
    leaves = path.is_symlink() and not stays_in(path, root)
    found = Problem(str(path), 0, 0, "not read: a link out of the folder") if leaves else read_file(path, MAX_BYTES)
    text = found.data if isinstance(found, Content) else None
    settings, problems = merge(text, str(path), editor, command_line)
    return settings, (found, *problems) if isinstance(found, Problem) else problems


def merge(
    text: str | bytes | None,
    path: str,
    editor: object = None,
    command_line: Mapping[str, object] | None = None,
) -> tuple[Settings, tuple[Problem, ...]]:
    """`text` of `.occupancy.yaml`, the editor's section `occupancy`, what the command line said; later ones win."""
    file, faults = read_text(_File, text if text is not None else "", path)
    problems = list(faults)
    settings = _from_file(file, path, problems) if file is not None else Settings()
    layers: tuple[tuple[object, Origin], ...] = ((editor, "settings"), (command_line, "command line"))
    for value, origin in layers:
        stated = {k: v for k, v in value.items() if k not in _EDITOR_ONLY} if isinstance(value, Mapping) else value
        said, faults = read_value(_Editor, stated, origin)
        problems += faults
        if said is not None:
            own = {name: getattr(said, name) for name in _EDITOR_OWN}
            own |= {name: _cache(name, getattr(said, name), origin, problems) for name in _CACHES}
            settings = _over(settings, {**_values(said, origin, problems), **own}, origin)
    return settings, tuple(problems)


def _from_file(file: _File, path: str, problems: list[Problem]) -> Settings:
    values = _values(file, path, problems)
    values["contracts"] = tuple(
        Contract(kernels, said.text, path, said.line, said.column)
        for kernels, texts in file.contracts.items()
        for said in texts
    )
    values["budgets"] = tuple(_budgets(file.budgets, path, problems))
    values["launch"] = tuple(
        LaunchFact(kernels, prod(said.block) if said.block else None, said.dynamic_shared, path, said.line)
        for kernels, said in file.launch.items()
    )
    assumed = {"*": _Assumed(file.assume.block, file.assume.line), **file.assume.kernels}
    values["assume"] = tuple(
        LaunchFact(kernels, prod(said.block), None, path, said.line, assumed=True)
        for kernels, said in assumed.items()
        if said.block
    )
    values["macros"] = _first(_MOST_MACROS, file.macros, "macros", path, problems)
    values["shaders"] = tuple(
        ShaderBuild(it.files.text, tuple(it.define.items()), tuple(it.constants.items()))
        for it in file.shaders[:_MOST_SHADERS]
    )
    values["languages"] = _first(_MOST_LANGUAGES, file.languages, "languages", path, problems)
    values["presets"] = _globs(file.presets, "presets", path, problems)
    return _over(Settings(), values, FILE_NAME)


def _first(most: int, said: Mapping[str, _T], name: str, path: str, problems: list[Problem]) -> Mapping[str, _T]:
    """So many of what every file is held against."""
    if len(said) <= most:
        return said
    problems.append(Problem(path, 0, 0, f"{name}: only the first {most:,} of {len(said):,} are read"))
    return dict(islice(said.items(), most))


def _budgets(said: tuple[_Budget, ...], path: str, problems: list[Problem]) -> Iterator[Budget]:
    for it in said:
        limits = tuple((name, float(most)) for name in _LIMITS if (most := getattr(it, name)) is not None)
        if limits:
            at = it.kernel.line, it.kernel.column
            yield Budget(it.kernel.text, limits, it.devices, it.reason, it.until, path, *at)
        else:
            fault = f"budget of '{it.kernel.text[:40]}': no limit is given"
            remedy = f"add one of {', '.join(_LIMITS)}"
            problems.append(Problem(path, it.kernel.line, it.kernel.column, fault, remedy))


def _values(said: _Shared, path: str, problems: list[Problem]) -> dict[str, Any]:
    globs = _globs(said.sidecars, "sidecars", path, problems)
    return {"devices": said.devices, "threshold": said.threshold, "rules": said.rules, "sidecars": globs}


def _over(below: Settings, values: Mapping[str, Any], origin: Origin) -> Settings:
    """`below` with what `values` sets; rules are merged one by one."""
    stated = {name: value for name, value in values.items() if value not in (None, (), {})}
    origins = {**below.origins, **dict.fromkeys(stated, origin)}
    if rules := stated.get("rules"):
        origins |= {f"rules.{code}": origin for code in rules}
        stated["rules"] = {**below.rules, **rules}
    kept = {f.name: getattr(below, f.name) for f in fields(Settings)}
    return Settings(**{**kept, **stated, "origins": origins})


def _cache(name: str, said: str | None, origin: str, problems: list[Problem]) -> str | None:
    """A path must be absolute, for nobody says what another would start from."""
    known = {"true": USUAL_CACHE, "false": "", "": ""}
    if said is None or said.lower() in known:
        return known[said.lower()] if said is not None else None
    if Path(said).expanduser().is_absolute():
        return said
    problems.append(Problem(origin, 0, 0, f"{name}: '{said[:80]}' is neither true nor an absolute path"))
    return None


def _globs(globs: tuple[Placed, ...], key: str, path: str, problems: list[Problem]) -> tuple[str, ...]:
    """The globs that stay below the root; a Problem for each other one."""
    inside = []
    for glob in globs:
        if leaves_root(glob.text):
            problems.append(Problem(path, glob.line, glob.column, f"{key}: '{glob.text[:80]}' leaves the folder"))
        else:
            inside.append(glob.text)
    return tuple(inside)


def leaves_root(glob: str) -> bool:
    """Whether the text of `glob` is absolute or climbs; links are for whoever walks the folder."""
    parts = re.split(r"[/\\]", glob)
    return ".." in parts or parts[0] in ("", "~") or ":" in parts[0] or "\0" in glob
