"""Which counts speak of a kernel, and why the others that bear its name do not."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path, PurePosixPath, PureWindowsPath

from occupancy_lsp.builds.origins import Origin
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.naming import is_code_for, is_generic
from occupancy_lsp.counts.cute_names import names_module
from occupancy_lsp.counts.names import readable
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.workspace.walk import is_source

SIDECAR_SUFFIX = ".occupancy.yaml"


@dataclass(frozen=True, slots=True)
class Unused:
    """A count that bears the kernel's name and is not used. `why`: for people, `built for sm_80`."""

    usage: Usage
    why: str


@dataclass(frozen=True, slots=True)
class Attribution:
    used: tuple[Usage, ...] = ()
    unused: tuple[Unused, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a kernel stands. `rivals`: other files, of other units, that define a kernel of its name.

    `units`: the translation units that its file is part of, itself among them. `written`: when its file was saved.
    """

    source: Path
    rivals: tuple[Path, ...]
    units: tuple[Path, ...]
    written: float = 0.0


def join(usages: Iterable[Usage], place: Place | None, origins: Mapping[str, Origin]) -> Attribution:
    """Part counts that bear a kernel's name by whether they are its own. `place` None: a text without a file."""
    used, unused = [], []
    for usage in usages:
        why = _why_not(usage, place, origins.get(usage.path, Origin())) if place is not None else ""
        if why:
            unused.append(Unused(usage, why))
        else:
            used.append(usage)
    replaced = _replaced(used, place.written) if place is not None else {}
    unused += replaced.values()
    return Attribution(tuple(it for it in used if it not in replaced), tuple(unused))


def in_language(joined: Attribution, language: str, signs: bool) -> Attribution:
    """What is left for a kernel in that language: names are the same in several, and a compiler may be of one alone.

    `signs`: what its compiler writes says that it wrote it.
    """
    foreign = [it for it in joined.used if it.language != language]
    others = [it for it in foreign if it.language is not None or (signs and it.source == "compiled")]
    unused = (Unused(it, "compiled from another language") for it in others)
    return Attribution(tuple(it for it in joined.used if it not in others), (*joined.unused, *unused))


def of_file(joined: Attribution, source: Path | None) -> Attribution:
    """What is left for a kernel of a name that kernels of other files have, too, as that of every shader."""
    others = [it for it in joined.used if not _speaks_of(it, source)]
    unused = (Unused(it, "it may be of another file's kernel") for it in others)
    return Attribution(tuple(it for it in joined.used if it not in others), (*joined.unused, *unused))


def _speaks_of(usage: Usage, source: Path | None) -> bool:
    told = usage.source == "declared" or usage.at is not None
    return told or (source is not None and is_named_after(Path(usage.path), source))


def of_text(joined: Attribution, digest: str) -> Attribution:
    """What is left for a kernel whose text has that digest; "": it is not known."""
    others = [it for it in joined.used if it.digest not in ("", digest)]
    unused = (Unused(it, "compiled from another text") for it in others)
    return Attribution(tuple(it for it in joined.used if it not in others), (*joined.unused, *unused))


def without_overtaken(joined: Attribution, stray: Collection[str]) -> Attribution:
    """What is left where files outside of build folders, `stray`, give way to those of builds that are no older."""
    built = [it for it in joined.used if it.path not in stray]
    overtaken = {it: by for it in joined.used if it.path in stray and (by := _no_older(it, built)) is not None}
    unused = (Unused(it, f"{_name(by.path)} is no older") for it, by in overtaken.items())
    return Attribution(tuple(it for it in joined.used if it not in overtaken), (*joined.unused, *unused))


def _no_older(usage: Usage, others: Iterable[Usage]) -> Usage | None:
    return next((it for it in others if it.arch == usage.arch and it.mtime >= usage.mtime), None)


def _replaced(usages: Sequence[Usage], written: float) -> Mapping[Usage, Unused]:
    """Variants from before the file was saved last that were made anew since: caches keep what they ever held."""
    variants = [it for it in usages if it.variant is not None]
    made = {_compiled(it): it for it in variants if it.mtime >= written}
    anew = ((it, made.get(_compiled(it))) for it in variants if it.mtime < written)
    return {it: Unused(it, f"older than the source, and compiled again to {_shown_in(by)}") for it, by in anew if by}


def _compiled(usage: Usage) -> tuple[object, ...]:
    """What was compiled: of kernels of one name, the text too where it is known."""
    return usage.kernel, usage.arch, usage.variant, usage.digest


def _shown_in(usage: Usage) -> str:
    path = Path(usage.path)
    folder = path.parent.name
    return f"{folder if len(folder) <= 12 else f'{folder[:12]}…'}/{path.name[:60]}"


def _why_not(usage: Usage, place: Place, origin: Origin) -> str:
    """Empty: nothing speaks against it."""
    if usage.path.endswith(SIDECAR_SUFFIX):
        return _other_sidecar(Path(usage.path), place.source)
    if usage.source == "declared":
        return ""
    if usage.at is not None and (why := _elsewhere(usage.at[0], place)):
        return why
    if origin.depends is not None:
        made_of_it = place.source in origin.depends
        return "" if made_of_it else f"compiled from {_shown(origin.source)}, without this file"
    if origin.source is not None:
        return "" if origin.source in place.units else f"compiled from {_others([origin.source], place.source)}"
    told = usage.at is not None or usage.digest or names_module(usage.kernel)
    return _nearer(usage, place) if place.rivals and not told else ""


def _elsewhere(at: str, place: Place) -> str:
    """Of several files so called it is the one whose path ends most like `at`, as the tool wrote it."""
    if _name(at) != place.source.name:
        return f"of the kernel in {_name(at)}"
    own = _shared_end(at, place.source)
    namesakes = [it for it in place.rivals if it.name == place.source.name]
    if nearer := [it for it in namesakes if _shared_end(at, it) > own]:
        return f"of the kernel in {_others(nearer, place.source)}"
    alike = [it for it in namesakes if _shared_end(at, it) == own] if _is_absolute(at) else []
    return f"it may be of the kernel in {_others(alike, place.source)}" if alike else ""


def _is_absolute(path: str) -> bool:
    return PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()


def _shared_end(at: str, path: Path) -> int:
    """How many parts the ends of the paths share."""
    ends = zip(reversed(PureWindowsPath(at).parts), reversed(path.parts), strict=False)
    return sum(1 for _ in takewhile(lambda it: it[0] == it[1], ends))


def _other_sidecar(path: Path, source: Path) -> str:
    """`scale.cu.occupancy.yaml` speaks of `scale.cu` beside it, elsewhere of files so called, and of no other file."""
    about = path.with_name(path.name.removesuffix(SIDECAR_SUFFIX))
    elsewhere = about.name == source.name or not is_source(about.name)
    return "" if about == source or (elsewhere and not about.is_file()) else f"it speaks of {about.name}"


def _nearer(usage: Usage, place: Place) -> str:
    """Several files define such a kernel: the one that the result is named after, or else lies nearest to, has it.

    Its file may be named by a unit that includes it."""
    path = Path(usage.path)
    own, rivals = (
        [it for it in files if is_named_after(path, it)]
        for files in (dict.fromkeys((place.source, *place.units)), place.rivals)
    )
    if rivals and not own:
        return f"named after {_others(rivals, place.source)}"
    nearest = max(_shared(path, it) for it in own or [place.source])
    near = [it for it in (rivals if own else place.rivals) if it != place.source and _shared(path, it) >= nearest]
    return f"it may be of the kernel in {_others(near, place.source)}" if near else ""


def is_named_after(path: Path, source: Path) -> bool:
    """`scale.cu.o`, `scale.o`, `scale.sm_90.cubin`, `scale-hip-amdgcn-amd-amdhsa-gfx90a.s` are, of `scale.cu`."""
    return path.name.split(".")[0].split("-hip-")[0] == source.name.split(".")[0]


def _shared(path: Path, source: Path) -> int:
    """How many folders the paths share."""
    return len(Path(os.path.commonpath([path, source])).parts) if path.anchor == source.anchor else 0


def _others(paths: Sequence[Path], source: Path) -> str:
    others = [it for it in paths if it != source]
    shown = others[0].name if others[0].name != source.name else f"{others[0].parent.name}/{others[0].name}"
    return shown if len(others) == 1 else f"{shown} and {len(others) - 1} more"


def _shown(path: Path | None) -> str:
    return path.name if path is not None else "other files"


def _name(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def on_architecture(joined: Attribution, arch: str) -> Attribution:
    """What is left on a device: counts for its architecture, a person's word before a compiler's, the newest build."""
    mine = [it for it in joined.used if it.arch is None or is_code_for(it.arch, arch)]
    unused = [Unused(it, f"for {it.arch}, and the device is {arch}") for it in joined.used if it not in mine]
    own = {_instance(it) for it in mine if it.arch is not None and not is_generic(it.arch)}
    general = [it for it in mine if it.arch is not None and is_generic(it.arch) and _instance(it) in own]
    mine = [it for it in mine if it not in general]
    unused += [Unused(it, f"for {it.arch}, and there is code for {arch}") for it in general]
    asked, why = mine, ""
    if stated := [it for it in mine if it.source == "declared"]:
        asked, why = stated, f"{_name(stated[0].path)} says otherwise"
    elif counted := [it for it in mine if it.registers is not None or it.grf is not None]:
        asked, why = counted, "it has no register counts, and others have"
    unused += [Unused(it, why) for it in mine if it not in asked]
    newest: dict[str, Usage] = {}
    for usage in sorted(asked, key=lambda it: (it.mtime, it.line)):
        newest[_instance(usage)] = usage
    used = []
    for usage in asked:
        last = newest[_instance(usage)]
        # Overloads are called the same, and stand in one build; so do several ways to compile one.
        one_build = usage.path == last.path and usage.kernel != last.kernel
        if usage == last or one_build or (usage.way and last.way and usage.mtime == last.mtime):
            used.append(usage)
        else:
            unused.append(Unused(usage, f"older than {_name(last.path)}"))
    return Attribution(tuple(used), (*joined.unused, *unused))


def _instance(usage: Usage) -> str:
    """What a newer count takes the place of. Each variant is one of its own: nothing tells the sizes that it is for. Of
    one text the same may have been compiled in several programs."""
    if usage.digest:
        return repr(replace(usage, path="", mtime=0.0))
    return readable(usage.kernel) if usage.variant is None else usage.path
