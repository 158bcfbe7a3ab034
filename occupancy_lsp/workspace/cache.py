"""The index of a root on disk, so that a second start reads only what changed. Losing it costs time, nothing else."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeGuard

from occupancy_lsp import workspace
from occupancy_lsp.core.code_version import code_version
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, read_file, stays_in
from occupancy_lsp.core.writing import write as write_whole
from occupancy_lsp.source.incremental.header_cache_version import reader_version
from occupancy_lsp.workspace.scan import Entry
from occupancy_lsp.workspace.walk import Folder, Stamp

_MAX_BYTES = 256 << 20
CHECK = sha256().digest_size  # bytes that `with_check` puts before others


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a file said when it had this stamp. `text`: the hash of its content."""

    stamp: Stamp
    entry: Entry
    text: str


def cache_file(folder: Folder) -> Path | None:
    """Where the index of the root is kept."""
    return cache_path(folder, "index", name_of(folder.real))


def name_of(path: str) -> str:
    """A file's name for what is kept of the one at `path`."""
    return sha256(os.fsencode(path)).hexdigest()[:32] + ".json"


def cache_path(folder: Folder, *parts: str) -> Path | None:
    """In the user's caches; None: there are none, or in the root itself, where nothing is ever written."""
    where = caches()
    if where is None:
        return None
    path = os.path.realpath(os.path.join(where, *parts))
    return None if folder.relative(path) else Path(path)


def caches() -> str | None:
    """The folder for all that is kept for the user; None: there is none."""
    base = _user_caches()
    return os.path.join(base, "occupancy-lsp") if base is not None and os.path.isabs(base) else None


def _user_caches() -> str | None:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA")
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches")
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    return chosen if os.path.isabs(chosen) else os.path.join(home, ".cache")


def load(path: Path, folder: Folder) -> dict[str, Scanned]:
    """Empty where there is no cache, or none that this program wrote of this root. Never raises."""
    content = read_file(path, _MAX_BYTES)
    if not isinstance(content, Content):
        return {}
    try:
        read = json.loads(content.data)
        scanner = _scanner()
        if not scanner or (read["scanner"], read["root"]) != (scanner, folder.real):
            return {}
        return {relative: _scanned(*fields) for relative, fields in read["files"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def save(path: Path, folder: Folder, files: Mapping[str, Scanned]) -> None:
    rows = {relative: _fields(it) for relative, it in files.items()}
    write(path, {"scanner": _scanner(), "root": folder.real, "files": rows})


def _scanner() -> str:
    """Tells one version of what scans files from another; empty: it cannot be told."""
    reader, own = reader_version(), code_version(workspace)
    return sha256(reader + own).hexdigest() if reader and own else ""


def write(path: Path, content: Mapping[str, object]) -> None:
    write_bytes(path, json.dumps(content, separators=(",", ":")).encode("ascii"))


def write_bytes(path: Path, *parts: bytes) -> None:
    """What cannot be written is not; nobody is told."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, *parts)


def with_check(key: bytes, data: bytes) -> tuple[bytes, bytes]:
    """As it is kept, in two parts, so that what is damaged, or of another key, is told from it."""
    return _check(key, data), data


def checked(key: bytes, kept: bytes) -> bytes | None:
    """What was kept of the key; None: that is something else."""
    return kept[CHECK:] if kept[:CHECK] == _check(key, memoryview(kept)[CHECK:]) else None


def _check(key: bytes, data: bytes | memoryview) -> bytes:
    """Without a copy of what may be megabytes."""
    found = sha256(key)
    found.update(data)
    return found.digest()


def remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def is_cache(path: str) -> bool:
    """Whether a file is one of the caches."""
    own = caches()
    return own is not None and stays_in(path, own)


def let_go(folder: Path, most: int) -> None:
    """Of the entries that were not in use for longest, where all together have more bytes."""
    found = sorted(_entries(folder))
    left = sum(size for _, size, _ in found)
    for _, size, path in found if left > most else ():
        if left <= most // 2:
            break
        remove(path)
        left -= size


def _entries(folder: Path) -> Iterator[tuple[float, int, str]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                yield status.st_mtime, status.st_size, entry.path
    except OSError:
        return


def hash_of_text(content: bytes) -> str:
    return sha256(content).hexdigest()[:32]


def _fields(scanned: Scanned) -> tuple[object, ...]:
    stamp, it = scanned.stamp, scanned.entry
    quoted = [text for text, quoted in it.includes if quoted]
    angled = [text for text, quoted in it.includes if not quoted]
    return (
        stamp.mtime_ns,
        stamp.size,
        scanned.text,
        it.lines,
        it.mentions_kernels,
        quoted,
        angled,
        it.kernels,
        it.launches,
        it.aliases,
        it.builds,
        it.given,
        it.objects,
        it.carve_outs,
        it.optional,
        it.options,
    )


def _scanned(
    mtime_ns: object,
    size: object,
    text: object,
    lines: object,
    mentions_kernels: object,
    quoted: object,
    angled: object,
    kernels: object,
    launches: object,
    aliases: object,
    builds: object,
    given: object,
    objects: object,
    carve_outs: object,
    optional: object,
    options: object,
) -> Scanned:
    """TypeError, ValueError: not as `_fields` makes them."""
    if not (isinstance(mtime_ns, int) and isinstance(size, int) and isinstance(lines, int) and isinstance(text, str)):
        raise TypeError
    if not (_is_names(quoted) and _is_names(angled) and _is_names(kernels) and _is_names(launches)):
        raise TypeError
    if not (_is_names(aliases) and _is_names(given) and _is_names(objects) and _is_names(carve_outs)):
        raise TypeError
    if not (_is_names(optional) and _is_names(options)):
        raise TypeError
    includes = sorted([*((text, True) for text in quoted), *((text, False) for text in angled)])
    entry = Entry(
        tuple(includes), tuple(kernels), tuple(launches), lines, mentions_kernels is True, tuple(aliases),
        builds is True, tuple(given), tuple(objects), tuple(carve_outs), tuple(optional), tuple(options),
    )  # fmt: skip
    return Scanned(Stamp(mtime_ns, size), entry, text)


def _is_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(it, str) for it in value)
